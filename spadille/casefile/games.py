"""Games by ruleset and options, loaded once; option names and values of a case are checked against the ruleset."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from dsl.diagnostics import Diagnostic
from dsl.load import Loaded
from interpreter.game import Game
from spadille.casefile.reading import Case
from spadille.casefile.result import WrongCase
from spadille.casefile.words import hint
from spadille.loading import RulesetError, load, read

MOST_KEPT = 256
MOST_RULESETS = 64
OptionTexts = tuple[tuple[str, str], ...]


class BrokenRuleset(Exception):
    """The ruleset does not load, so that no case can be run; `diagnostics` says why."""

    def __init__(self, diagnostics: tuple[Diagnostic, ...]) -> None:
        self.diagnostics = diagnostics
        super().__init__("; ".join(str(diagnostic) for diagnostic in diagnostics))


class Games:
    """The games of one ruleset; the same options give the same game. Traced and changed rulesets open theirs in their own way."""

    def __init__(self, ruleset: str) -> None:
        self.ruleset = ruleset
        self.kept: dict[OptionTexts, Game] = {}

    def game(self, options: OptionTexts = ()) -> Game:
        """The game under options; raises BrokenRuleset."""
        found = self.kept.get(options)
        if found is None:
            try:
                found = self.open(dict(options))
            except RulesetError as fault:
                raise BrokenRuleset(fault.diagnostics) from fault
            if len(self.kept) >= MOST_KEPT:
                del self.kept[next(iter(self.kept))]
            self.kept[options] = found
        return found

    def open(self, options: Mapping[str, str]) -> Game:
        """A game under options; raises RulesetError."""
        return load(self.ruleset, **options)

    def read(self, options: Mapping[str, str], change: Any) -> Loaded:
        """The ruleset with a change of its document, checked."""
        return read(self.ruleset, options, change)

    # ------------------------------------------------------------------- cases

    def options_of(self, case: Case) -> OptionTexts:
        """The options of a case, sorted; raises WrongCase at an unknown option or value."""
        if not case.options:
            return ()
        known = self.game().program.options
        for key, value in case.options:
            option = known.get(key.value)
            if option is None:
                raise WrongCase("E802", f"unknown option `{key.value}`", key.span, f"not an option of `{self.ruleset}`",
                                hint(key.value, known))  # fmt: skip
            problem = option.problem(value.value)
            if problem is not None:
                raise WrongCase("E802", f"`{value.value}` is not a value of option `{key.value}`: {problem}", value.span,
                                help=hint(value.value, option.words))  # fmt: skip
        return tuple(sorted((key.value, value.value) for key, value in case.options))

    def game_of(self, case: Case) -> Game:
        """The game that a case is about, under its options."""
        return self.game(self.options_of(case))


@lru_cache(maxsize=MOST_RULESETS)
def games_of(ruleset: str) -> Games:
    """The games of a ruleset as it stands."""
    return Games(ruleset)
