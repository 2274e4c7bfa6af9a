"""The trick search on a state: exact gains of every card that may be played, and a line of best play."""

from __future__ import annotations

import threading
from typing import Any

from interpreter.search import places as at
from interpreter.search.layout import Layout
from interpreter.search.roots import search
from interpreter.search.solved import Unsolved

SMALL, LARGE = 16, 22  # two to the power of this: entries of the table
MANY = 34  # cards from which on the large table is used
STAMPS = 1 << 20
_local = threading.local()


class CardSearch:
    """A search over one layout; the table of positions lasts as long as the object."""

    def __init__(self, layout: Layout, limit: int, interpreted: bool = False) -> None:
        self.layout = layout
        self.interpreted = interpreted
        self.bits = LARGE if len(layout.cards) >= MANY else SMALL
        self.space = _space(interpreted, 10 if interpreted else self.bits)
        self.space.stamp += 1
        if self.space.stamp >= STAMPS:
            self.space.clear()
        vector = self.space.vector
        self.parameters = vector(layout.parameters)
        self.parameters[at.BUCKETS] = (1 << self.space.bits) - 1
        self.parameters[at.STAMP] = self.space.stamp
        self.parameters[at.LIMIT] = limit
        self.table, self.segments = vector(layout.table), vector(layout.segments)
        self.history = vector([0] * 128)

    @property
    def nodes(self) -> int:
        return int(self.parameters[at.NODES])

    def gains(self) -> dict[int, int]:
        """The gain after each card that may be played, by card; equals have the gain of the one that was tried."""
        count = self._run(self.layout.rest // 2, 0)
        found = self.space.found
        tried = {int(found[2 * k]): int(found[2 * k + 1]) for k in range(count)}
        return {self.layout.cards[bit]: value for bit, value in tried.items()}

    def gain(self) -> int:
        """The gain from here under best play."""
        return self._run(self.layout.rest // 2, 2)

    def line(self, gain: int) -> list[int]:
        """The cards of a line of best play from here, given its gain."""
        count = self._run(gain, 1)
        return [self.layout.cards[int(self.space.found[k])] for k in range(count)]

    def _run(self, number: int, what: int) -> int:
        space = self.space
        hands = space.vector(self.layout.hands)
        for n, value in enumerate(self.layout.ply):
            space.plies[n] = value
        run = space.run()
        count = int(run(self.parameters, self.table, self.segments, hands, space.plies, space.choices, space.entries, self.history,
                        number, space.found, what))  # fmt: skip
        if count < 0:
            raise Unsolved(f"no value after {self.nodes:,} positions: play on a little, or allow more with `nodes`")
        return count


class _Space:
    """Vectors that searches of one thread use in turn."""

    def __init__(self, interpreted: bool, bits: int) -> None:
        self.interpreted = interpreted
        self.bits = bits
        self.plies = self.zeros(at.PLY * (at.MOST_PLIES + 8))
        self.choices = self.zeros(2 * at.MOST_CHOICES * (at.MOST_PLIES + 1))
        self.found = self.zeros(256)
        self.clear()

    def clear(self) -> None:
        self.entries = self.zeros(at.ENTRY << self.bits)
        self.stamp = 1

    def zeros(self, count: int) -> Any:
        if self.interpreted:
            return [0] * count
        import numpy as np

        return np.zeros(count, dtype=np.int64)

    def vector(self, values: list[int]) -> Any:
        if self.interpreted:
            return list(values)
        import numpy as np

        return np.array(values, dtype=np.int64)

    def run(self) -> Any:
        if self.interpreted:
            return search
        from interpreter.search import machine

        return machine.on_cards()


def _space(interpreted: bool, bits: int) -> _Space:
    spaces: dict[tuple[bool, int], _Space] = _local.__dict__.setdefault("spaces", {})
    key = (interpreted, bits)
    if key not in spaces:
        spaces[key] = _Space(interpreted, bits)
    return spaces[key]
