"""Where the pack of a deal was last shuffled: the memory that everybody at the table may know."""

from __future__ import annotations

from typing import TYPE_CHECKING

from interpreter.action import InvalidDeal
from interpreter.deal import lay_pack
from interpreter.event import read_log

if TYPE_CHECKING:
    from interpreter.game import Game


DECK = ("deck", None)


class Opening:
    """Where a pack was shuffled whole: the state before a card was dealt, and how many events came before it."""

    __slots__ = ("_known", "before", "events", "game")

    def __init__(self, game: Game, before: tuple[int, ...], events: int) -> None:
        self.game = game
        self.before = before
        self.events = events
        self._known: tuple[tuple[int, ...], int] | None = None

    @classmethod
    def found(cls, game: Game, before: tuple[int, ...], events: int) -> Opening | None:
        """The opening if the whole pack is shuffled on the way from a memory to the next decision, else None."""
        opening = cls(game, before, events)
        try:
            memory, _ = opening.public()
        except InvalidDeal:
            return None
        size = game.image.piles[game.program.pile("deck")] + game.image.words
        return opening if memory[size] == len(game.program.deck) else None

    def public(self) -> tuple[tuple[int, ...], int]:
        """The state at the shuffle, no card dealt and no random numbers left, and how many events had been heard by then."""
        if self._known is None:
            memory = list(self.before)
            logs = lay_pack(self.game, memory, range(len(self.game.program.deck)), drawn=True)
            heard = sum(len(read_log(self.game.image, self.game.places, log, memory)) for log in logs)
            self._known = tuple(memory[: self.game.image.n_state]), self.events + heard
        return self._known
