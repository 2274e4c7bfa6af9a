"""The kernel run twice on the same random match, compiled and by Python, and compared slot by slot."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from interpreter import compiled, kernel, playout, rng
from interpreter.game import Game
from interpreter.opcodes import DEAL_OVER, DECISION, LOG_START, MATCH_OVER, SLOT_ACTION, SLOT_RNG

LOG_ROOM = 3_000


class Twins:
    """Two memories of one game that go through matches together; `decisions` counts the comparisons."""

    def __init__(self, game: Game) -> None:
        self.game = game
        image = game.image
        self.code, self.tab, self.state_size = image.code, image.tab, image.n_state
        self.fast_code, self.fast_tab = np.array(image.code, dtype=np.int64), np.array(image.tab, dtype=np.int64)
        self.run: Callable[..., int] = compiled.run()
        self.decisions = 0

    def match(self, seed: int) -> None:
        """Plays a match at random; raises AssertionError at the first state in which the two differ."""
        image = self.game.image
        slow = list(image.mem)
        rng.sow(slow, SLOT_RNG, seed)
        fast = np.array(slow, dtype=np.int64)
        random = list(rng.seed(~seed))
        log, fast_log = [LOG_START, 0], np.array([LOG_START, 0], dtype=np.int64)
        status = DECISION
        while status != MATCH_OVER:
            status = kernel.run(self.code, self.tab, slow, log)
            again = self.run(self.fast_code, self.fast_tab, fast, fast_log)
            assert status == again, (self.game.id, seed, self.decisions, status, again)
            self.compare(slow, fast, seed)
            assert status in (DECISION, DEAL_OVER, MATCH_OVER), (self.game.id, seed, self.decisions, status)
            if status == DECISION:
                action = playout.choose(slow, image.legal_words, random)
                assert action >= 0, f"{self.game.id}: stuck, match {seed}"
                slow[SLOT_ACTION] = action
                fast[SLOT_ACTION] = action
                self.decisions += 1

    def compare(self, slow: list[int], fast: Any, seed: int) -> None:
        """Raises AssertionError unless the two states are the same."""
        # Scratch counts too: it is worked out alike.
        if slow != fast.tolist():
            slots = [slot for slot, (a, b) in enumerate(zip(slow, fast.tolist(), strict=True)) if a != b]
            raise AssertionError(f"{self.game.id}, match {seed}, decision {self.decisions}: slots {slots} differ")
