"""What is tried: a ruleset, who sits where, which deals; cut into jobs that know all they need."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, TypeAlias

from dsl.load import Loaded
from dsl.suggest import nearest
from spadille.loading import RulesetError, check_options, game_of, read, ruleset_ids

FORMAT = 1  # of rows, and of what a seed means: a change of either is another experiment
JOB = 4  # times a deal is played; few, so that little is lost with a worker

# A row is plain data: see `spadille.lab.job.play_job`.
Row: TypeAlias = dict[str, Any]


class LabError(ValueError):
    """An experiment that cannot be made, run, stored or read; the message is for the person at the terminal."""


@dataclass(frozen=True, slots=True)
class Experiment:
    """Deals played by bots. `source` is an id or the whole text of a ruleset; `bots` has one name for each seat.

    With `duplicate` every deal is played once with each seat's bot moved on by one. `rules` is the game's content hash;
    `unit` is what scores are counted in, and `high` whether a high one is sought.
    """

    ruleset: str
    source: str
    rules: str
    options: tuple[tuple[str, str], ...]
    bots: tuple[str, ...]
    duplicate: bool
    seed: int
    title: str
    unit: str
    high: bool

    @property
    def rotations(self) -> int:
        """How often each deal is played."""
        return len(self.bots) if self.duplicate else 1

    @property
    def hash(self) -> str:
        """A name for all that decides a row, except the number of deals: a run may be made longer."""
        said = [FORMAT, self.ruleset, self.rules, self.options, self.bots, self.duplicate, self.seed]
        return hashlib.sha256(json.dumps(said, ensure_ascii=False).encode()).hexdigest()[:16]

    def seated(self, rotation: int) -> tuple[str, ...]:
        """The bots by seat in one rotation."""
        return tuple(self.bots[(seat - rotation) % len(self.bots)] for seat in range(len(self.bots)))

    def jobs(self, deals: int, done: int = 0, size: int | None = None) -> Iterator[Job]:
        """The jobs for the deals that are not done yet, in order; `size` is how many deals are in one."""
        size = size or max(1, JOB // self.rotations)
        for number, first in enumerate(range(done, deals, size)):
            yield Job(number, self, first, min(size, deals - first))

    def as_json(self) -> dict[str, Any]:
        """Plain data that names the experiment; the text of the rules is not in it."""
        body = {key: value for key, value in asdict(self).items() if key != "source"}
        return body | {"options": dict(self.options), "bots": list(self.bots)}


@dataclass(frozen=True, slots=True)
class Job:
    """Some deals of an experiment, one after another; it can be sent to another process or machine."""

    number: int
    experiment: Experiment
    first: int
    deals: int


def experiment(
    name: str, options: Mapping[str, str] | None = None, bots: Sequence[str] = ("greedy",), duplicate: bool = False, seed: int = 0
) -> Experiment:
    """An experiment with a ruleset by id, path or text; one bot for all seats, or one for each.

    Raises RulesetError, OptionError as `spadille.load` does, and LabError for bots.
    """
    from spadille.bots.bot import BOTS
    from spadille.bots.knowledge import high_is_good

    given = dict(options or {})
    loaded = sound(read(name, given))
    assert loaded.variant is not None and loaded.program is not None
    check_options(loaded.program.options, given)
    persons = loaded.program.persons
    for bot in bots:
        if bot not in BOTS:
            near = nearest(bot, BOTS)
            raise LabError(f"unknown bot `{bot}`; " + (f"did you mean `{near}`?" if near else f"the bots are {', '.join(BOTS)}"))
    if len(bots) not in (1, persons):
        raise LabError(f"`{loaded.program.rules.id}` has {persons} seats, and {len(bots)} bots are given")
    game = game_of(loaded.variant, loaded.program)
    values = tuple((option.id, option.value) for option in loaded.program.options.values())
    seats = tuple(bots) if len(bots) == persons else tuple(bots) * persons
    unit = next((account.name for account in game.program.accounts if account.per), "")
    return Experiment(game.id, portable(name), game.hash, values, seats, duplicate, seed, game.title, unit, high_is_good(game))


def portable(name: str) -> str:
    """What another machine can load: an id as it is, a file or text with all that it inherits in place."""
    if name in ruleset_ids():
        return name
    from spadille.compare.resolved import as_text, resolved

    loaded = sound(read(name))
    assert loaded.variant is not None and loaded.program is not None
    return as_text(resolved(loaded.variant, loaded.program), loaded.program.rules.phrases, False)


def sound(loaded: Loaded) -> Loaded:
    """A ruleset that can be played; raises RulesetError."""
    if loaded.program is None or loaded.variant is None:
        raise RulesetError(loaded.report.errors)
    return loaded
