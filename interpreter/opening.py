"""Where the pack of a deal was last shuffled: the memory that everybody at the table may know."""

from __future__ import annotations

from typing import TYPE_CHECKING

from interpreter.deal import lay_pack
from interpreter.event import read_log

if TYPE_CHECKING:
    from interpreter.game import Game


class Opening:
    """The memory before a pack was dealt, and how many events of the deal came before it."""

    __slots__ = ("_known", "before", "events", "game")

    def __init__(self, game: Game, before: list[int], events: int) -> None:
        self.game = game
        self.before = tuple(before)
        self.events = events
        self._known: tuple[tuple[int, ...], int] | None = None

    def public(self, dealer: int) -> tuple[tuple[int, ...], int]:
        """The state at the shuffle, no card dealt, and how many events everybody had heard by then.

        Random numbers are left out, and a dealer who was drawn by lot is put in.
        """
        if self._known is None:
            memory = list(self.before)
            slot = self.game.image.variables[self.game.program.variable("dealer")]
            if memory[slot] < 0:
                memory[slot] = dealer
            logs = lay_pack(self.game, memory, range(len(self.game.program.deck)))
            heard = sum(len(read_log(self.game.image, self.game.places, log, memory)) for log in logs)
            self._known = tuple(memory[: self.game.image.n_state]), self.events + heard
        return self._known
