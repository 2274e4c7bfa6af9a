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

FORMAT = 2  # of rows, and of what a seed means: a change of either is another experiment
JOB = 4  # plays of a deal; few, so that little is lost with a worker

# A row is plain data: see `spadille.lab.job.play_job`.
Row: TypeAlias = dict[str, Any]


class LabError(ValueError):
    """An experiment that cannot be made, stored or read as it was asked for; the message is for the person at the terminal."""


class LabFailure(LabError):
    """An experiment that was rightly asked for and went wrong as it ran."""


def turns(bots: Sequence[str]) -> int:
    """How often bots move on by a seat until the same would sit in the same seats again."""
    return next(turn for turn in range(1, len(bots) + 1) if [*bots] == [*bots[turn:], *bots[:turn]])


@dataclass(frozen=True, slots=True)
class Experiment:
    """Boards played by bots: a board is a deal or, with `matches`, a whole match with all that is carried from deal to deal.

    `source` is an id or the whole text of a ruleset; `bots` has one name for each seat. With `duplicate` every board is
    played once with each seat's bot moved on by one, and deal for deal with the same cards. `rules` is the game's content
    hash; `unit` is what scores are counted in, and `high` whether a high one is sought.
    """

    ruleset: str
    source: str
    rules: str
    options: tuple[tuple[str, str], ...]
    bots: tuple[str, ...]
    duplicate: bool
    matches: bool
    seed: int
    title: str
    unit: str
    high: bool

    @property
    def rotations(self) -> int:
        """How often each board is played."""
        return turns(self.bots) if self.duplicate else 1

    @property
    def boards(self) -> str:
        """What its boards are called."""
        return "matches" if self.matches else "deals"

    @property
    def hash(self) -> str:
        """A name for all that decides a row, except the number of boards: a run may be made longer."""
        said = [FORMAT, self.ruleset, self.rules, self.options, self.bots, self.duplicate, self.matches, self.seed]
        return hashlib.sha256(json.dumps(said, ensure_ascii=False).encode()).hexdigest()[:16]

    def seated(self, rotation: int) -> tuple[str, ...]:
        """The bots by seat in one rotation."""
        return tuple(self.bots[(seat - rotation) % len(self.bots)] for seat in range(len(self.bots)))

    def jobs(self, boards: int, done: int = 0, size: int | None = None) -> Iterator[Job]:
        """The jobs for the boards that are not done yet, in order; `size` is how many boards are in one."""
        size = size or (1 if self.matches else max(1, JOB // self.rotations))
        for number, first in enumerate(range(done, boards, size)):
            yield Job(number, self, first, min(size, boards - first))

    def as_json(self) -> dict[str, Any]:
        """Plain data that names the experiment; the text of the rules is not in it."""
        body = {key: value for key, value in asdict(self).items() if key != "source"}
        return body | {"options": dict(self.options), "bots": list(self.bots)}


@dataclass(frozen=True, slots=True)
class Job:
    """Some boards of an experiment, one after another; it can be sent to another process or machine."""

    number: int
    experiment: Experiment
    first: int
    boards: int


def experiment(
    name: str,
    options: Mapping[str, str] | None = None,
    bots: Sequence[str] = ("greedy",),
    duplicate: bool = False,
    seed: int = 0,
    matches: bool = False,
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
        example = ",".join([*bots, *[bots[-1]] * persons][:persons])
        raise LabError(f"`{loaded.program.rules.id}` has {persons} seats, and {len(bots)} bots are given; "
                       f"name one for all seats, or one for each, like `{example}`")  # fmt: skip
    game = game_of(loaded.variant, loaded.program)
    values = tuple((option.id, option.value) for option in loaded.program.options.values())
    seats = tuple(bots) if len(bots) == persons else tuple(bots) * persons
    unit = next((account.name for account in game.program.accounts if account.per), "")
    return Experiment(game.id, portable(name), game.hash, values, seats, duplicate, matches, seed, game.title, unit, high_is_good(game))


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
