"""How figures of deals are spread: how often each value was there."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from spadille.lab.experiment import Row
from spadille.lab.observation import exact

MOST_VALUES = 10_000  # that are told apart, so that memory does not grow with the number of deals
QUANTILES = {"least": 0.0, "5 %": 0.05, "half": 0.5, "95 %": 0.95, "most": 1.0}


@dataclass(frozen=True, slots=True)
class Spread:
    """Values in order, and how often each was there."""

    id: str
    title: str
    unit: str
    counts: tuple[tuple[float, int], ...]

    def quantile(self, share: float) -> float:
        """The least value that so large a share does not go beyond."""
        due, total = share * self.of, 0
        for value, count in self.counts:
            total += count
            if total >= due:
                return value
        return self.counts[-1][0]

    @property
    def of(self) -> int:
        """How many values there were."""
        return sum(count for _, count in self.counts)

    def as_json(self) -> dict[str, Any]:
        """Plain data."""
        return {"of": self.of, **{name: self.quantile(share) for name, share in QUANTILES.items()}}


class Spreads:
    """Counts what is spread in an experiment's rows."""

    def __init__(self, head: dict[str, Any]) -> None:
        unit = str(head.get("unit", ""))
        self.matches = bool(head.get("matches"))
        self.titles = {
            "gains": ("What a seat gains in a deal", unit),
            "declarer": ("What a declarer gains", unit),
            "length": ("Decisions in a deal", "decisions"),
            "match": ("Deals in a match", "deals"),
        }
        self.counts: dict[str, Counter[Fraction | int]] = {id: Counter() for id in self.titles}

    def add(self, rows: list[Row]) -> None:
        """Takes in the rows of a board."""
        for row in rows:
            gains = exact(row)
            for gain in gains:
                self.count("gains", gain)
            if row["declarer"] is not None and 0 <= row["declarer"] < len(gains):
                self.count("declarer", gains[row["declarer"]])
            self.count("length", sum(row["decisions"].values()))
            if self.matches and row["last"]:
                self.count("match", row["deal"] + 1)

    def count(self, id: str, value: Fraction | int) -> None:
        """Counts a value, where not too many are told apart already."""
        counts = self.counts[id]
        if value in counts or len(counts) < MOST_VALUES:
            counts[value] += 1

    def found(self) -> tuple[Spread, ...]:
        """What was counted."""
        return tuple(
            Spread(id, *self.titles[id], tuple((float(value), times) for value, times in sorted(counts.items())))
            for id, counts in self.counts.items()
            if counts
        )
