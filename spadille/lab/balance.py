"""What an option's values change: the same deals played under each, and compared deal by deal."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby
from math import sqrt
from typing import Any

from dsl.suggest import nearest
from spadille.lab.experiment import Experiment, LabError, Row, experiment
from spadille.lab.run import Pool, here, rows
from spadille.lab.statistics import Estimate, around
from spadille.lab.summary import exact
from spadille.loading import OptionError, read

Measures = dict[str, list[Fraction]]


@dataclass(frozen=True, slots=True)
class Effect:
    """A measure under one value, and how much more it is than under the first; None for the first itself."""

    measure: str
    mean: Estimate
    change: Estimate | None

    def as_json(self) -> dict[str, Any]:
        """Plain data."""
        return {"mean": self.mean.as_json(), "change": None if self.change is None else self.change.as_json()}


@dataclass(frozen=True, slots=True)
class Balance:
    """The effects of an option by value, the value that stands first being the one compared with."""

    experiment: Experiment
    option: str
    deals: int
    values: dict[str, tuple[Effect, ...]]

    def as_json(self) -> dict[str, Any]:
        """Plain data for `json.dumps`."""
        values = {value: {effect.measure: effect.as_json() for effect in effects} for value, effects in self.values.items()}
        return {"experiment": self.experiment.as_json(), "option": self.option, "deals": self.deals, "values": values}


def balance(
    name: str,
    option: str,
    deals: int,
    values: Sequence[str] = (),
    options: Mapping[str, str] | None = None,
    bots: Sequence[str] = ("greedy",),
    duplicate: bool = False,
    seed: int = 0,
    pool: Pool = here,
    progress: Callable[[int, int], None] | None = None,
) -> Balance:
    """Plays the same deals under every value of an option; `progress(done, all)` counts deals.

    Raises LabError, OptionError and RulesetError.
    """
    given = dict(options or {})
    if option in given:
        raise LabError(f"`{option}` cannot be varied and set at once")
    tried = [experiment(name, given | {option: value}, bots, duplicate, seed) for value in values_of(name, option, values)]
    found: dict[str, Measures] = {}
    for number, one in enumerate(tried):
        of: list[dict[str, Fraction]] = []
        for chunk in rows(one, deals, pool):
            for _, group in groupby(chunk, key=lambda row: row["deal"]):
                of.append(measured(list(group), one.high))
            if progress is not None:
                progress(number * deals + len(of), len(tried) * deals)
        names = sorted({key for deal in of for key in deal}, key=rank)
        found[dict(one.options)[option]] = {key: [deal.get(key, Fraction(0)) for deal in of] for key in names}
    names = sorted({key for measures in found.values() for key in measures}, key=rank)
    nothing = [Fraction(0)] * deals
    first = next(iter(found.values()))
    effects = {
        value: tuple(
            Effect(key, paired(measures.get(key, nothing), None),
                   None if measures is first else paired(measures.get(key, nothing), first.get(key, nothing)))
            for key in names
        )
        for value, measures in found.items()
    }  # fmt: skip
    return Balance(tried[0], option, deals, effects)


def values_of(name: str, option: str, wanted: Sequence[str]) -> list[str]:
    """The values to try, the default one first; raises LabError for an option that lists none, OptionError for an unknown one."""
    loaded = read(name)
    known = {} if loaded.program is None else loaded.program.options
    if loaded.program is not None and option not in known:
        near = nearest(option, known)
        raise OptionError(f"unknown option `{option}`" + (f"; did you mean `{near}`?" if near else ""))
    if wanted or loaded.program is None:
        if len(set(wanted)) != len(wanted):
            raise LabError(f"a value of `{option}` is given twice")
        return list(wanted)
    one = known[option]
    values = list(one.words) if one.choices else ["yes", "no"] if one.kind == "truth" else []
    if not values:
        raise LabError(f"`{option}` is a number: name the values to try, like `--values {one.value},…`")
    return sorted(values, key=lambda value: value != one.value)


def measured(plays: list[Row], high: bool) -> dict[str, Fraction]:
    """What is measured of one deal, the mean of its plays."""
    found: dict[str, Fraction] = {}

    def add(key: str, value: Fraction | int) -> None:
        found[key] = found.get(key, Fraction(0)) + Fraction(value) / len(plays)

    for row in plays:
        gains = exact(row)
        add("thrown in", int(row["contract"] is None and row["outcome"] is None))
        if row["contract"] is not None:
            add(f"contract {row['contract']}", 1)
        if row["outcome"] is not None:
            add(f"outcome {row['outcome']}", 1)
        if row["declarer"] is not None and row["declarer"] < len(gains):
            gain = gains[row["declarer"]]
            add("the declarer gains", int(gain > 0 if high else gain < 0))
            add("gain of the declarer", gain)
        for seat, gain in enumerate(gains):
            add(f"gain of seat {seat}", gain)
        add("decisions", row["decisions"])
    return found


KINDS = ("thrown in", "contract", "outcome", "the declarer", "gain of the", "gain of seat", "decisions")


def rank(measure: str) -> tuple[int, str]:
    """The order of measures in a table."""
    return next((place for place, kind in enumerate(KINDS) if measure.startswith(kind)), len(KINDS)), measure


def paired(sample: Sequence[Fraction], other: Sequence[Fraction] | None) -> Estimate:
    """The mean over deals, or that of the differences deal by deal."""
    values = list(sample) if other is None else [a - b for a, b in zip(sample, other, strict=True)]
    n = len(values)
    mean = sum(values, Fraction(0)) / n
    variance = sum(float(value - mean) ** 2 for value in values) / (n - 1) if n > 1 else 0.0
    return around(float(mean), sqrt(variance / n), n, n)
