"""The compiled machine of a game, ready to run memories."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from interpreter import compiled
from interpreter.game import Game


def vector(values: Sequence[int]) -> Any:
    """Numbers as the compiled machine takes them."""
    return np.array(values, dtype=np.int64)


class Machine:
    """Runs memories (int64 arrays of a game's state, scratch and constants) to their next stop."""

    def __init__(self, game: Game) -> None:
        self.code, self.tab = vector(game.image.code), vector(game.image.tab)
        self.compiled = compiled.run()

    def run(self, memory: Any, log: Any) -> int:
        """The status it stopped with; what happened is added to the log."""
        return self.compiled(self.code, self.tab, memory, log)


@lru_cache(maxsize=8)
def machine_of(game: Game) -> Machine:
    """The machine of a game, made once."""
    return Machine(game)
