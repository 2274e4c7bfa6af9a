"""What a seat can know, worked out a second time from the events it saw; and positions with unknown cards swapped."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from dsl import core
from interpreter.event import Event, Place, sees
from interpreter.game import Game
from interpreter.opcodes import DECISION, SLOT_LEGAL, SLOT_SEAT, SLOT_STATUS, WORD
from interpreter.state import State

Spot = tuple[str, int | None]

DECK: Spot = ("deck", None)


class Ledger:
    """The knowledge of all seats, card by card, kept up from the events alone.

    `where[seat]` has the cards whose place a seat knows; `seen[seat]` those it has ever seen. The true places are kept
    too, only to say where a card lies that is shown.
    """

    def __init__(self, game: Game) -> None:
        self.game = game
        self.seats = range(game.players)
        self.truth: dict[int, Spot] = {}
        self.where: list[dict[int, Spot]] = [{} for _ in self.seats]
        self.seen: list[set[int]] = [set() for _ in self.seats]
        self.piles = {pile.name: pile for pile in game.program.piles}

    def take(self, event: Event) -> None:
        """Takes in one event, as each seat saw it."""
        if event.kind == "move":
            assert event.source is not None and event.target is not None
            for seat in self.seats:
                self.moved(seat, event.for_seat(seat), event.source, event.target)
            for card in event.cards:
                self.truth.pop(card, None)  # so that the order of entries is the order of arrival
                self.truth[card] = event.target
        elif event.kind == "show":
            for seat in self.seats:
                for card in event.for_seat(seat).cards:
                    self.where[seat][card] = self.truth.get(card, DECK)
                    self.seen[seat].add(card)
        elif event.kind == "say":
            for seat in self.seats:
                self.seen[seat].update(event.for_seat(seat).cards)

    def moved(self, seat: int, event: Event, source: Place, target: Place) -> None:
        known = self.where[seat]
        if event.cards:
            self.seen[seat].update(event.cards)
            known.update(dict.fromkeys(event.cards, target))
            return
        there = [card for card, spot in self.truth.items() if spot == source]
        lost = [card for card, spot in known.items() if spot == source]
        if self.piles[source[0]].ordered or event.count == len(there):
            # Cards leave a row from its top, so a seat that knows a card in it knows when it goes; so with a whole pile.
            going = set(self.top(source, event.count))
            known.update({card: target for card in lost if card in going})
        else:
            for card in lost:
                del known[card]

    def top(self, source: Spot, count: int) -> list[int]:
        """The cards that came last to a pile."""
        return [card for card, spot in self.truth.items() if spot == source][-count:] if count else []


def unknown(ledger: Ledger, state: State, seat: int, ever: bool = False) -> list[int]:
    """The cards in closed piles whose place a seat cannot know; with `ever` only those it never saw in this deal."""
    found = []
    for pile in state.game.program.piles:
        for owner in range(state.game.players) if pile.per_seat else (None,):
            if seat in sees(pile, owner, state.game.players):
                continue
            for card in state.world.cards(pile, owner):
                if card not in ledger.where[seat] and not (ever and card in ledger.seen[seat]):
                    found.append(card)
    return sorted(found)


def swapped(state: State, seat: int, swap: Mapping[int, int]) -> State:
    """The state with cards exchanged wherever the seat cannot look: piles, others' knowledge, closed variables, events."""
    image, program = state.game.image, state.game.program
    memory = list(state.memory)

    def swap_set(at: int) -> None:
        cards = {swap.get(card, card) for card in state.world.set_at(at, image.words)}
        for word in range(image.words):
            memory[at + word] = sum(1 << card - word * WORD for card in cards if word * WORD <= card < (word + 1) * WORD)

    for pile, base in image.piles.items():
        for owner in range(program.players if pile.per_seat else 1):
            at = base + owner * image.pile_strides[pile]
            swap_set(at)
            if pile.ordered:
                first = at + image.words + 1
                for place in range(first, first + memory[first - 1]):
                    memory[place] = swap.get(memory[place], memory[place])
    for other in range(program.players):
        if other != seat:
            swap_set(image.known + other * image.words)
    for variable, base in image.variables.items():
        if variable.type.kind in ("card", "cards"):
            for index, at in places(state, variable, base):
                if variable.seen == "nobody" or (variable.seen == "owner" and index != seat):
                    if variable.type.kind == "cards":
                        swap_set(at)
                    else:
                        memory[at] = swap.get(memory[at], memory[at])
    if memory[SLOT_STATUS] == DECISION and memory[SLOT_SEAT] != seat:
        answers = state.world.set_at(SLOT_LEGAL, image.legal_words)
        changed = {swap.get(answer, answer) for answer in answers}
        for word in range(image.legal_words):
            memory[SLOT_LEGAL + word] = sum(1 << a - word * WORD for a in changed if word * WORD <= a < (word + 1) * WORD)

    def event(one: Event) -> Event:
        return one if seat in one.seen else replace(one, cards=tuple(swap.get(card, card) for card in one.cards))

    return State(state.game, tuple(memory), tuple(map(event, state.events)), tuple(map(event, state.news)), state.opening)


def places(state: State, variable: core.Variable, base: int) -> list[tuple[int | None, int]]:
    """The slots of a variable, with whose they are."""
    width = state.game.image.words if variable.type.kind == "cards" else 1
    if not variable.per:
        return [(None, base)]
    count = state.game.program.count(variable.per)
    return [(index, base + index * width) for index in range(count)]


def swap_of(cards: list[int], shuffle: Callable[[list[int]], None]) -> dict[int, int]:
    """A random exchange among cards."""
    mixed = list(cards)
    shuffle(mixed)
    return dict(zip(cards, mixed, strict=True))
