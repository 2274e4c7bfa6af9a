"""Two experiments side by side, and how far the second is from the first, board by board where both had the same cards."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from dataclasses import dataclass, replace
from itertools import zip_longest
from math import inf, nan, sqrt
from typing import Any

from spadille.lab.experiment import LabError, Row
from spadille.lab.observation import observed
from spadille.lab.spread import Spreads
from spadille.lab.statistics import ROUNDING, Bases, Estimate, Ratios, Values, Z, around
from spadille.lab.summary import Part, Summary, boards_of, summary_of, tables

Key = tuple[Hashable, Hashable]


@dataclass(frozen=True, slots=True)
class Shifted:
    """A row of a comparison: by the heads of its table, the first figure, the second, and the change from one to the other."""

    name: str
    cells: tuple[tuple[Estimate, Estimate, Estimate], ...]


@dataclass(frozen=True, slots=True)
class SharedPart:
    """A table of a comparison; see `Part`."""

    id: str
    title: str
    about: str
    heads: tuple[str, ...]
    shares: tuple[bool, ...]
    lines: tuple[Shifted, ...]


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two summaries under names that tell them apart; `paired` if both had the same cards, board by board."""

    first: Summary
    second: Summary
    names: tuple[str, str]
    paired: bool
    parts: tuple[SharedPart, ...]

    @property
    def how(self) -> str:
        """What the two have in common, and so how they are compared."""
        if not self.paired:
            return "other cards in each"
        same = self.first.experiment.get("ruleset") == self.second.experiment.get("ruleset")
        return f"the same {'cards' if same else 'seeds'}, compared board by board"

    def part(self, id: str) -> SharedPart | None:
        """A table by its id; None where there is nothing to show."""
        return next((part for part in self.parts if part.id == id), None)

    def as_json(self) -> dict[str, Any]:
        """Plain data for `json.dumps`."""
        parts = {
            part.id: {
                line.name: {
                    head: {"first": a.as_json(), "second": b.as_json(), "change": change.as_json()}
                    for head, (a, b, change) in zip(part.heads, line.cells, strict=True)
                }
                for line in part.lines
            }
            for part in self.parts
        }
        return {
            "first": self.first.as_json(),
            "second": self.second.as_json(),
            "names": list(self.names),
            "paired": self.paired,
            "changes": parts,
        }


def unchanged(changes: Iterable[Estimate | None]) -> bool:
    """Whether not one board differs."""
    return all(change is None or not change.of or (change.value == 0 and change.error == 0) for change in changes)


class Shift:
    """How far ratios are apart. Boards with the same cards are taken together, so that the luck of the cards falls away."""

    def __init__(self, first: Ratios, second: Ratios, paired: bool) -> None:
        self.first, self.second, self.paired = first, second, paired
        self.xx: dict[Hashable, float] = {}
        # Of (base, name): y of both, y of the first with x of the second, x of the first with y of the second.
        self.products: dict[Key, list[float]] = {}

    def add(self, one: tuple[Bases, Values], other: tuple[Bases, Values]) -> None:
        """Takes in what one board gave in both."""
        (xa, ya), (xb, yb) = one, other
        for base, x in xa.items():
            if base in xb:
                self.xx[base] = self.xx.get(base, 0.0) + float(x) * float(xb[base])
        for key in {**ya, **yb}:
            a, b = float(ya.get(key, 0)), float(yb.get(key, 0))
            found = self.products.setdefault(key, [0.0, 0.0, 0.0])
            found[0] += a * b
            found[1] += a * float(xb.get(key[0], 0))
            found[2] += float(xa.get(key[0], 0)) * b

    def names(self, base: Hashable) -> list[Hashable]:
        """What was counted on a base in either."""
        return list(dict.fromkeys((*self.first.names(base), *self.second.names(base))))

    def known(self) -> list[Hashable]:
        """The bases of either."""
        return list(dict.fromkeys((*self.first.known(), *self.second.known())))

    def mean(self, base: Hashable, name: Hashable, least: float = -inf) -> Estimate:
        """The change of a mean."""
        value, error, boards = self.change(base, name)
        return around(value, error, boards, boards)

    def share(self, base: Hashable, name: Hashable) -> Estimate:
        """The change of a share. Where no board differs from another in it, some still may among those not played."""
        value, error, boards = self.change(base, name)
        found = around(value, error, boards, boards)
        reach = 0.0 if error or not boards else Z * Z / (boards + Z * Z)
        return replace(found, low=max(-1.0, found.low - reach), high=min(1.0, found.high + reach))

    def change(self, base: Hashable, name: Hashable) -> tuple[float, float, int]:
        """The change of a ratio, its standard error, and of how many boards, 0 where one of them is of none."""
        ra, ea, xa, na = self.first.ratio(base, name)
        rb, eb, xb, nb = self.second.ratio(base, name)
        boards = min(na, nb)
        if not boards:
            return nan, nan, 0
        variance = ea * ea + eb * eb
        if self.paired and boards > 1:
            yy, yx, xy = self.products.get((base, name), (0.0, 0.0, 0.0))
            together = yy - rb * yx - ra * xy + ra * rb * self.xx.get(base, 0.0)
            less = variance - 2 * together * boards / (boards - 1) / (xa * xb)
            variance = 0.0 if less <= ROUNDING * variance else less
        return rb - ra, sqrt(variance), boards


def compare(first: tuple[dict[str, Any], Iterable[Row]], second: tuple[dict[str, Any], Iterable[Row]]) -> Comparison:
    """Two experiments, each with its rows in order. With the same seed only boards that both have are looked at.

    Raises LabError for experiments that cannot be compared.
    """
    head, other = first[0], second[0]
    if bool(head.get("matches")) != bool(other.get("matches")):
        raise LabError("deals and whole matches cannot be compared: play both with `--deals`, or both with `--matches`")
    seats = len(head["bots"]), len(other["bots"])
    if seats[0] != seats[1]:
        raise LabError(f"games for {seats[0]} and for {seats[1]} cannot be compared: their seats are not worth the same")
    paired = head.get("seed") == other.get("seed")
    side = Side(head), Side(other)
    shift = Shift(side[0].ratios, side[1].ratios, paired)
    for one, two in zip_longest(boards_of(first[1], head), boards_of(second[1], other)):
        if paired and (one is None or two is None):
            break
        of_one, of_two = (None if rows is None else taken.add(rows) for taken, rows in zip(side, (one, two), strict=True))
        if paired and of_one is not None and of_two is not None:
            shift.add(of_one, of_two)
    return comparison(side, shift, names_of(head, other))


class Side:
    """One of two experiments as it is counted."""

    def __init__(self, head: dict[str, Any]) -> None:
        self.head, self.ratios, self.spreads = head, Ratios(), Spreads(head)

    def add(self, rows: list[Row]) -> tuple[Bases, Values]:
        """Counts a board; gives what it was."""
        found = observed(rows, self.head)
        self.ratios.add(*found)
        self.spreads.add(rows)
        return found

    def summary(self) -> Summary:
        """What was counted."""
        return summary_of(self.head, self.ratios, self.spreads.found())


def comparison(sides: tuple[Side, Side], shift: Shift, names: tuple[str, str]) -> Comparison:
    """The tables of two experiments that were counted."""
    first, second = sides
    first.ratios.know(second.ratios)
    second.ratios.know(first.ratios)
    bots, others, unit = first.head["bots"], second.head["bots"], str(first.head.get("unit", ""))
    a, b = ({part.id: part for part in tables(one.ratios, bots, unit, others)} for one in sides)
    parts = (together(part, a.get(part.id), b.get(part.id)) for part in tables(shift, bots, unit, others))
    return Comparison(first.summary(), second.summary(), names, shift.paired, tuple(part for part in parts if part.lines))


def together(change: Part, a: Part | None, b: Part | None) -> SharedPart:
    """A table of changes with the figures they are between."""
    nothing = Estimate(0.0, inf, -inf, inf, 0)

    def cell(part: Part | None, name: str, column: int) -> Estimate:
        line = next((line for line in part.lines if line.name == name), None) if part is not None else None
        return nothing if line is None else line.cells[column]

    changes = {line.name: line for line in change.lines}
    order = dict.fromkeys(line.name for part in (a, b, change) if part is not None for line in part.lines)
    lines = tuple(
        Shifted(name, tuple((cell(a, name, k), cell(b, name, k), change) for k, change in enumerate(changes[name].cells)))
        for name in order
        if name in changes
    )
    return SharedPart(change.id, change.title, change.about, change.heads, change.shares, lines)


def names_of(head: dict[str, Any], other: dict[str, Any]) -> tuple[str, str]:
    """What tells two experiments apart, as short as can be."""

    def told(one: dict[str, Any]) -> dict[str, str]:
        options = {f"option {key}": f"{key}={value}" for key, value in dict(one.get("options", {})).items()}
        return {"ruleset": str(one.get("ruleset")), **options, "bots": ",".join(map(str, one["bots"])), "seed": f"seed {one.get('seed')}"}

    a, b = told(head), told(other)
    if a["ruleset"] != b["ruleset"]:
        return a["ruleset"], b["ruleset"]
    differ = [key for key in {**a, **b} if a.get(key) != b.get(key)]
    if not differ:
        return "the first", "the second"
    return " ".join(a[key] for key in differ if key in a), " ".join(b[key] for key in differ if key in b)
