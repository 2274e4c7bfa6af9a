"""Means and shares with their errors, where the rows of one deal belong together."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import sqrt
from statistics import NormalDist
from typing import Any

Z = NormalDist().inv_cdf(0.975)


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean or a share with its standard error and 95 % confidence interval; `of` counts what it is of."""

    value: float
    error: float
    low: float
    high: float
    of: float

    def as_json(self) -> dict[str, Any]:
        """Plain data."""
        return {"value": self.value, "standard_error": self.error, "low": self.low, "high": self.high, "of": self.of}


@dataclass(slots=True)
class Sums:
    """What is needed of pairs x, y, one pair for each deal, to estimate the ratio of their sums."""

    x: Fraction = Fraction(0)
    y: Fraction = Fraction(0)
    xx: float = 0.0
    xy: float = 0.0
    yy: float = 0.0


class Ratios:
    """Ratios of sums over deals: how often something happened, or how much it came to, for each time it might have.

    The rows of a deal are one observation, for the same cards played again tell less than other cards would.
    """

    def __init__(self) -> None:
        self.deals = 0
        self.bases: dict[Hashable, Sums] = {}
        self.sums: dict[tuple[Hashable, Hashable], Sums] = {}

    def add(self, bases: Mapping[Hashable, Fraction | int], values: Mapping[tuple[Hashable, Hashable], Fraction | int]) -> None:
        """Takes in a deal: how often things might have happened, and the values of (base, name)."""
        self.deals += 1
        for base, x in bases.items():
            found = self.bases.setdefault(base, Sums())
            found.x += x
            found.xx += float(x) ** 2
        for (base, name), y in values.items():
            found = self.sums.setdefault((base, name), Sums())
            found.y += y
            found.xy += float(y) * float(bases[base])
            found.yy += float(y) ** 2

    def names(self, base: Hashable) -> list[Hashable]:
        """What was ever counted on a base."""
        return [name for one, name in self.sums if one == base]

    def total(self, base: Hashable) -> int:
        """The sum of a base."""
        return int(self.bases[base].x) if base in self.bases else 0

    def mean(self, base: Hashable, name: Hashable) -> Estimate:
        """A mean, with an interval from the normal distribution."""
        value, error, of = self.ratio(base, name)
        return Estimate(value, error, value - Z * error, value + Z * error, of)

    def share(self, base: Hashable, name: Hashable) -> Estimate:
        """A share between 0 and 1, with Wilson's interval for as many independent trials as the error is worth."""
        value, error, of = self.ratio(base, name)
        trials = of if error == 0 or self.deals < 2 else min(of, value * (1 - value) / error**2)
        if error == 0:
            trials = min(trials, self.deals)
        if trials <= 0:
            return Estimate(value, error, 0.0, 1.0, of)
        shrink = 1 + Z * Z / trials
        middle = (value + Z * Z / (2 * trials)) / shrink
        half = Z * sqrt(max(0.0, value * (1 - value)) / trials + Z * Z / (4 * trials * trials)) / shrink
        return Estimate(value, error, min(value, max(0.0, middle - half)), max(value, min(1.0, middle + half)), of)

    def ratio(self, base: Hashable, name: Hashable) -> tuple[float, float, float]:
        """The ratio, its standard error (linearised, deals being independent), and the sum below."""
        below, above = self.bases.get(base, Sums()), self.sums.get((base, name), Sums())
        if not below.x:
            return 0.0, 0.0, 0.0
        r = float(above.y / below.x)
        if self.deals < 2:
            return r, 0.0, float(below.x)
        spread = max(0.0, above.yy - 2 * r * above.xy + r * r * below.xx)
        if spread <= 1e-12 * max(above.yy, 1e-300):
            spread = 0.0
        return r, sqrt(spread * self.deals / (self.deals - 1)) / float(below.x), float(below.x)
