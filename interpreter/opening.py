"""Where the pack of a deal was last shuffled: the memory that everybody at the table may know."""

from __future__ import annotations

from typing import TYPE_CHECKING

from interpreter.deal import MOST_SHUFFLES, new_log
from interpreter.event import read_log
from interpreter.kernel import run
from interpreter.opcodes import CHANCE, LOG_CURSOR, LOG_MOVE, LOG_START, LOG_WIDTH, SLOT_PC, SLOT_RNG, WIDTH, WORDS_SHIFT
from interpreter.piles import shuffle

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
        return None if opening.public() is None else opening

    def public(self) -> tuple[tuple[int, ...], int] | None:
        """The state at the last shuffle, no card dealt and no random numbers left, and how many events had been heard by then."""
        if self._known is None:
            self._known = self.last_shuffle()
        return self._known

    def last_shuffle(self) -> tuple[tuple[int, ...], int] | None:
        """Runs from shuffle to shuffle; without random numbers the first is the one whose order is given."""
        game, image = self.game, self.game.image
        memory, heard, found = list(self.before), self.events, None
        size = image.piles[game.program.pile("deck")] + image.words
        for _ in range(MOST_SHUFFLES):
            log = new_log()
            status = run(image.unshuffled, image.tab, memory, log)
            drawn = memory[SLOT_RNG] or memory[SLOT_RNG + 1]
            if status != CHANCE or (found is not None and not drawn and LOG_MOVE in log[LOG_START : log[LOG_CURSOR] : LOG_WIDTH]):
                break
            heard += len(read_log(image, game.places, log, None))
            if memory[size] == len(game.program.deck):
                state = list(memory[: image.n_state])
                state[SLOT_RNG] = state[SLOT_RNG + 1] = 0
                found = tuple(state), heard
            if drawn:
                at = memory[SLOT_PC] - WIDTH
                shuffle(memory, memory[image.code[at + 1]], image.code[at + 2] >> WORDS_SHIFT, memory, SLOT_RNG)
        return found
