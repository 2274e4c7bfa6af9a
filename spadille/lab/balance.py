"""What an option's values change: the same boards played under each, and compared board by board with those under the first."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from dsl.suggest import nearest
from spadille.lab.compare import Comparison, Shift, Side, comparison
from spadille.lab.experiment import Experiment, LabError, experiment
from spadille.lab.run import Pool, here, played
from spadille.lab.statistics import Bases, Values
from spadille.lab.summary import Summary, boards_of
from spadille.loading import OptionError, read


@dataclass(frozen=True, slots=True)
class Balance:
    """What was found under the value that stands first, and for each other value the comparison with it."""

    experiment: Experiment
    option: str
    value: str
    first: Summary
    others: dict[str, Comparison]

    def as_json(self) -> dict[str, Any]:
        """Plain data for `json.dumps`."""
        others = {value: {"report": one.second.as_json(), "changes": one.as_json()["changes"]} for value, one in self.others.items()}
        values = {self.value: {"report": self.first.as_json(), "changes": None}, **others}
        return {"experiment": self.experiment.as_json(), "option": self.option, "boards": self.first.boards, "values": values}


def balance(
    name: str,
    option: str,
    boards: int,
    values: Sequence[str] = (),
    options: Mapping[str, str] | None = None,
    bots: Sequence[str] = ("greedy",),
    duplicate: bool = False,
    seed: int = 0,
    matches: bool = False,
    pool: Pool = here,
    progress: Callable[[int, int], None] | None = None,
) -> Balance:
    """Plays the same boards under every value of an option; `progress(done, all)` counts boards.

    Raises LabError, OptionError and RulesetError.
    """
    given = dict(options or {})
    if option in given:
        raise LabError(f"`{option}` cannot be varied and set at once: leave out `--set {option}={given[option]}`")
    tried = [experiment(name, given | {option: value}, bots, duplicate, seed, matches) for value in values_of(name, option, values)]
    names = [dict(one.options)[option] for one in tried]
    found = side_by_side(tried, names, boards, pool, progress)
    return Balance(tried[0], option, names[0], found[0].first, dict(zip(names[1:], found, strict=True)))


def side_by_side(
    tried: Sequence[Experiment], names: Sequence[str], boards: int, pool: Pool = here, progress: Callable[[int, int], None] | None = None
) -> list[Comparison]:
    """Plays the same boards in several experiments of one seed; each but the first is compared with the first."""
    sides = [Side(one.as_json()) for one in tried]
    shifts = [Shift(sides[0].ratios, side.ratios, True) for side in sides[1:]]
    # The jobs take turns, so that no more than one job's boards have to be remembered.
    turns = zip(*(one.jobs(boards) for one in tried), strict=True)
    jobs = (replace(job, number=number) for number, job in enumerate(job for turn in turns for job in turn))
    kept: list[tuple[Bases, Values]] = []
    for number, chunk in enumerate(played(jobs, pool)):
        which = number % len(tried)
        counted = [sides[which].add(board) for board in boards_of(chunk, sides[which].head)]
        if not which:
            kept = counted
        else:
            for one, other in zip(kept, counted, strict=True):
                shifts[which - 1].add(one, other)
        if progress is not None:
            progress(sum(side.ratios.boards for side in sides), len(tried) * boards)
    for side in sides[1:]:
        sides[0].ratios.know(side.ratios)
    return [comparison((sides[0], side), shift, (names[0], name)) for side, shift, name in zip(sides[1:], shifts, names[1:], strict=True)]


def values_of(name: str, option: str, wanted: Sequence[str]) -> list[str]:
    """The values to try, the default one first; raises LabError for an option that lists none, OptionError for an unknown one."""
    loaded = read(name)
    known = {} if loaded.program is None else loaded.program.options
    if loaded.program is not None and option not in known:
        near = nearest(option, known)
        hint = f"; did you mean `{near}`?" if near else f"; its options are {', '.join(known)}" if known else "; it has none"
        raise OptionError(f"unknown option `{option}`{hint}")
    if loaded.program is None or wanted:
        if len(set(wanted)) != len(wanted):
            raise LabError(f"a value of `{option}` is given twice")
        if len(wanted) == 1:
            raise LabError(f"one value of `{option}` has nothing to be compared with: name another, like `--values {wanted[0]},…`")
        return list(wanted)
    one = known[option]
    values = list(one.words) if one.choices else ["yes", "no"] if one.kind == "truth" else []
    if not values:
        raise LabError(f"`{option}` is a number from {one.least} to {one.most}: name the values to try, like `--values {one.value},…`")
    return sorted(values, key=lambda value: value != one.value)
