"""What an answer tells of the cards that its seat cannot have held: those that would have forbidden it."""

from __future__ import annotations

from typing import Any

from interpreter.game import Game
from interpreter.opcodes import DECISION, LOG_START, SLOT_LEGAL, SLOT_PC, SLOT_PROMPT, WORD
from spadille.worlds.evidence import Answer, Evidence, Sighting, Spot
from spadille.worlds.machine import machine_of, vector


class Missing:
    """Watches a replay and adds to the evidence which cards were not in the hand that answered.

    A card is missing if with it alone beside the one played, that play would not have been legal: obligations ask
    for the first set that is not empty, so other cards cannot lift what one card imposes.
    """

    def __init__(self, game: Game, evidence: Evidence, seat: int) -> None:
        self.game = game
        self.image = game.image
        self.machine, self.log = machine_of(game), vector((LOG_START, 0))
        self.evidence = evidence
        self.seat = seat
        self.slots: dict[Spot, int] = {(pile.name, owner): slot for slot, (pile, owner) in game.places.piles.items()}
        self.unknown = [c for c in range(len(game.program.deck)) if not (s := evidence.sightings.get(c)) or s[0].at > 0]

    def origin(self, answer: Answer) -> Spot | None:
        """The pile that the answer's card came from, if it is one where its seat alone can look."""
        later = self.evidence.events[answer.at + 1 :]
        return next((event.source for event in later if event.kind == "move" and answer.card in event.cards), None)

    def __call__(self, memory: Any, answer: Answer) -> None:
        card, spot = answer.card, self.origin(answer)
        if card is None or spot is None:
            return
        hand = self.slots[spot]
        if not memory[hand + card // WORD] >> card % WORD & 1:
            self.bring(memory, card, hand)
        if answer.seat == self.seat:
            self.ask(memory)
            return
        candidates = {c for c in self.unknown if c != card and self.evidence.unknown_at(c, answer.at)}
        trial = memory.copy()
        while True:
            self.fill(trial, hand, candidates | {card})
            legal = self.ask(trial)
            if card in legal or not legal & candidates:
                break
            for missing in sorted(legal & candidates):
                self.fill(trial, hand, {missing, card})
                if card in self.ask(trial):
                    continue
                found = self.evidence.exclusions.setdefault(missing, [])
                if Sighting(answer.at, spot) not in found:
                    found.append(Sighting(answer.at, spot))
            candidates -= legal
        self.ask(memory)

    def ask(self, memory: Any) -> set[int]:
        """The cards that may be answered, worked out again; the memory stands at the same question after it."""
        memory[SLOT_PC] = self.image.questions[memory[SLOT_PROMPT]].entry
        if self.machine.run(memory, self.log) != DECISION:
            return set()
        legal = [int(memory[SLOT_LEGAL + word]) for word in range(self.image.words)]
        return {c for c in range(len(self.game.program.deck)) if legal[c // WORD] >> c % WORD & 1}

    def fill(self, memory: Any, hand: int, cards: set[int]) -> None:
        """Makes a hand of some cards."""
        for word in range(self.image.words):
            memory[hand + word] = sum(1 << c - word * WORD for c in cards if word * WORD <= c < (word + 1) * WORD)

    def bring(self, memory: Any, card: int, hand: int) -> None:
        """Exchanges a card into a hand for one that may be anywhere, in all piles."""
        held = [c for c in self.unknown if memory[hand + c // WORD] >> c % WORD & 1]
        if not held:
            return
        exchange(self.game, memory, held[0], card)


def exchange(game: Game, memory: Any, one: int, two: int) -> None:
    """Two cards change places wherever they lie."""
    image = game.image
    for pile, base in image.piles.items():
        for owner in range(game.players if pile.per_seat else 1):
            at = base + owner * image.pile_strides[pile]
            first, second = (memory[at + c // WORD] >> c % WORD & 1 for c in (one, two))
            if first != second:
                memory[at + one // WORD] ^= 1 << one % WORD
                memory[at + two // WORD] ^= 1 << two % WORD
            if pile.ordered and (first or second):
                row = at + image.words + 1
                for place in range(row, row + memory[row - 1]):
                    memory[place] = {one: two, two: one}.get(memory[place], memory[place])
