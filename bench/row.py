"""One measurement: what, the number, what it must be, and whether it is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Row:
    """A line of the table; `met` is None where nothing is asked."""

    what: str
    found: str
    wanted: str = ""
    met: bool | None = None

    @property
    def mark(self) -> str:
        return {True: "yes", False: "**no**", None: ""}[self.met]


def at_least(what: str, value: float, least: float, shown: Callable[[float], str]) -> Row:
    """A measurement that must not be below a number."""
    return Row(what, shown(value), f"≥ {shown(least)}", value >= least)


def at_most(what: str, value: float, most: float, shown: Callable[[float], str]) -> Row:
    """A measurement that must be below a number."""
    return Row(what, shown(value), f"< {shown(most)}", value < most)


def rate(value: float) -> str:
    return f"{value / 1e6:.2f} M/s" if value >= 1e6 else f"{value / 1e3:.1f} k/s"


def times(value: float) -> str:
    return f"{value:.1f}x"


def seconds(value: float) -> str:
    return f"{value:.2f} s"


def megabytes(value: float) -> str:
    return f"{value:.0f} MB"
