"""Cases run on traced games, and what they reached of their ruleset."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from dsl.source import Source
from interpreter.game import Game
from spadille.casefile import Case, CaseFile, CaseResult, run_case
from spadille.casefile.games import BrokenRuleset, Games
from spadille.coverage.items import KINDS, Item, Key, items_of
from spadille.coverage.trace import Trace
from spadille.loading import load_traced, read


class TracedGames(Games):
    """Games with probes, all watched by one trace."""

    def __init__(self, ruleset: str, trace: Trace) -> None:
        super().__init__(ruleset)
        self.trace = trace

    def open(self, options: Mapping[str, str]) -> Game:
        game = load_traced(self.ruleset, options)
        self.trace.watch(game)
        return game


@dataclass(frozen=True, slots=True)
class Coverage:
    """What cases reached of a ruleset: the items that stand in its own file count, inherited ones are shown beside them."""

    ruleset: str
    chain: tuple[Source, ...]  # the ruleset's own file, its parent's, …
    items: tuple[Item, ...]
    reached: frozenset[Key]

    def in_file(self, source: Source) -> tuple[Item, ...]:
        """The items that stand in a file."""
        return tuple(item for item in self.items if item.span.source.name == source.name)

    @property
    def own(self) -> tuple[Item, ...]:
        return self.in_file(self.chain[0])

    @property
    def inherited(self) -> tuple[Item, ...]:
        return tuple(item for source in self.chain[1:] for item in self.in_file(source))

    def hits(self, items: tuple[Item, ...]) -> int:
        """How many of some items were reached."""
        return sum(item.key in self.reached for item in items)

    @property
    def missed(self) -> tuple[Item, ...]:
        """The ruleset's own items that no case reached."""
        return tuple(item for item in self.own if item.key not in self.reached)

    @property
    def percent(self) -> float:
        """The share of its own items that were reached, 100 if it has none."""
        return 100 * self.hits(self.own) / len(self.own) if self.own else 100.0

    def by_kind(self) -> Iterator[tuple[str, int, int]]:
        """Of each kind that the ruleset's own file has: how many were reached, of how many."""
        for kind in KINDS:
            items = tuple(item for item in self.own if item.kind == kind)
            if items:
                yield kind, self.hits(items), len(items)


class Measurement:
    """Runs cases of a file, and gathers what they reach; raises BrokenRuleset if the ruleset has errors."""

    def __init__(self, file: CaseFile) -> None:
        self.file = file
        self.trace = Trace()
        self.games = TracedGames(self.file.ruleset, self.trace)
        loaded = read(self.file.ruleset)
        if loaded.program is None or loaded.variant is None:
            raise BrokenRuleset(loaded.report.errors)
        self.rules = loaded.program.rules
        self.chain = tuple(source for _, source in loaded.variant.chain)

    def run(self, case: Case) -> CaseResult:
        """The result of a case."""
        return run_case(self.file.ruleset, case, self.games)

    @property
    def coverage(self) -> Coverage:
        """What has been reached so far."""
        return Coverage(self.rules.id, self.chain, items_of(self.rules), frozenset(self.trace.reached))
