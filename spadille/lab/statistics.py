"""Means and shares with their errors, where the rows of one board belong together."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import cos, inf, isfinite, pi, sin, sqrt
from statistics import NormalDist
from typing import Any, TypeAlias

DOUBT = 0.05  # the share of intervals that miss
Z = NormalDist().inv_cdf(1 - DOUBT / 2)
ROUNDING = 1e-12  # what is left of sums that should cancel

Bases: TypeAlias = Mapping[Hashable, Fraction | int]
Values: TypeAlias = Mapping[tuple[Hashable, Hashable], Fraction | int]


def student(freedom: int, doubt: float = DOUBT) -> float:
    """How many standard errors an interval reaches to either side, by Student's distribution; exact for 1 and 2, close above."""
    if freedom < 1:
        return inf
    if freedom == 1:
        return cos(pi * doubt / 2) / sin(pi * doubt / 2)
    if freedom == 2:
        p = 1 - doubt / 2
        return (2 * p - 1) * sqrt(2 / (4 * p * (1 - p)))
    # The expansion of Fisher and Cornish around the normal distribution (Abramowitz and Stegun, 26.7.5).
    z = NormalDist().inv_cdf(1 - doubt / 2)
    terms = (
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
        (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92160,
    )
    return z + sum(term / float(freedom) ** (power + 1) for power, term in enumerate(terms))


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean or a share with its standard error and 95 % confidence interval; `of` counts what it is of.

    From one board alone no error is known: it is infinite, and None as plain data.
    """

    value: float
    error: float
    low: float
    high: float
    of: float

    def as_json(self) -> dict[str, Any]:
        """Plain data."""
        found = {"value": self.value, "standard_error": self.error, "low": self.low, "high": self.high, "of": self.of}
        return {key: number if isfinite(number) else None for key, number in found.items()}


def around(value: float, error: float, boards: int, of: float, least: float = -inf) -> Estimate:
    """A mean over boards with its interval, which does not go below the least that can be."""
    if boards < 2:
        return Estimate(value, inf, least, inf, of)
    reach = student(boards - 1) * error
    return Estimate(value, error, max(least, value - reach), value + reach, of)


@dataclass(slots=True)
class Sums:
    """What is needed of pairs x, y, one pair for each board, to estimate the ratio of their sums."""

    boards: int = 0  # where x is not 0
    x: Fraction | int = 0
    y: Fraction | int = 0
    xx: float = 0.0
    xy: float = 0.0
    yy: float = 0.0


class Ratios:
    """Ratios of sums over boards: how often something happened, or how much it came to, for each time it might have.

    The rows of a board are one observation, for the same cards played again tell less than other cards would.
    """

    def __init__(self) -> None:
        self.boards = 0
        self.bases: dict[Hashable, Sums] = {}
        self.sums: dict[tuple[Hashable, Hashable], Sums] = {}

    def add(self, bases: Bases, values: Values) -> None:
        """Takes in a board: how often things might have happened, and the values of (base, name)."""
        self.boards += 1
        for base, x in bases.items():
            found = self.bases.get(base)
            if found is None:
                found = self.bases[base] = Sums()
            found.boards += x != 0
            found.x += x
            found.xx += float(x) ** 2
        for (base, name), y in values.items():
            found = self.sums.get((base, name))
            if found is None:
                found = self.sums[base, name] = Sums()
            found.y += y
            found.xy += float(y) * float(bases[base])
            found.yy += float(y) ** 2

    def names(self, base: Hashable) -> list[Hashable]:
        """What was ever counted on a base."""
        return [name for one, name in self.sums if one == base]

    def known(self) -> list[Hashable]:
        """All bases."""
        return list(self.bases)

    def know(self, other: Ratios) -> None:
        """Has all names of another: what never happened here has a share of nothing."""
        for base in other.bases:
            self.bases.setdefault(base, Sums())
        for key in other.sums:
            self.sums.setdefault(key, Sums())

    def mean(self, base: Hashable, name: Hashable, least: float = -inf) -> Estimate:
        """A mean, with an interval by Student's distribution; `least` is the least that it can be."""
        value, error, of, boards = self.ratio(base, name)
        return around(value, error, boards, of, least)

    def share(self, base: Hashable, name: Hashable) -> Estimate:
        """A share between 0 and 1, with Wilson's interval for as many independent trials as the error is worth."""
        value, error, of, boards = self.ratio(base, name)
        # Where all boards agree, each counts once: what a play more of the same board tells is not known.
        trials = min(of, value * (1 - value) / error**2) if error else min(of, boards)
        if trials <= 0:
            return Estimate(value, inf, 0.0, 1.0, of)
        shrink = 1 + Z * Z / trials
        middle = (value + Z * Z / (2 * trials)) / shrink
        half = Z * sqrt(max(0.0, value * (1 - value)) / trials + Z * Z / (4 * trials * trials)) / shrink
        low, high = min(value, max(0.0, middle - half)), max(value, min(1.0, middle + half))
        return Estimate(value, error if boards > 1 else inf, low, high, of)

    def ratio(self, base: Hashable, name: Hashable) -> tuple[float, float, float, int]:
        """The ratio, its standard error (linearised, boards being independent), the sum below, and of how many boards."""
        below, above = self.bases.get(base, Sums()), self.sums.get((base, name), Sums())
        if not below.x:
            return 0.0, 0.0, 0.0, 0
        r, n = float(above.y / below.x), below.boards
        spread = max(0.0, above.yy - 2 * r * above.xy + r * r * below.xx)
        if n < 2 or spread <= ROUNDING * above.yy:
            return r, 0.0, float(below.x), n
        return r, sqrt(spread * n / (n - 1)) / float(below.x), float(below.x), n
