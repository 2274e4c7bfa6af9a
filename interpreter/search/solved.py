"""What a search found: numbers by card or answer, the line, how many nodes; and why there may be nothing."""

from __future__ import annotations

from dataclasses import dataclass


class Unsolved(Exception):
    """The search came to no value; the message says why."""


@dataclass(frozen=True, slots=True)
class Found:
    """Per answer (its number) the value of every party, in whole numbers of 1/scale."""

    values: dict[int, tuple[int, ...]]
    scale: int
    nodes: int
