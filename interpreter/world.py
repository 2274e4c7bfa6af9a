"""A state's memory read as a `World` for the evaluator: variables, piles, accounts, the current ranking."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from dsl import core
from dsl.evaluate import evaluate
from dsl.facts import Ranked
from dsl.turns import Order, in_turn, turn_order
from dsl.types import Type
from interpreter.lowering.image import Image
from interpreter.lowering.layout import words_for
from interpreter.opcodes import WORD, Table


class StateWorld:
    """Reads `mem` by the image's layout; nothing is changed or cached."""

    def __init__(self, image: Image, mem: Table) -> None:
        program = image.program
        self.image = image
        self.mem = mem
        self.deck = program.deck
        self.players = program.players
        self.persons = program.persons
        self.sides = program.sides
        self.side_of = tuple(next(i for i, side in enumerate(program.sides) if s in side) for s in range(program.players))
        self.worth = program.worth
        self.bid_heights = program.bid_heights
        self.bid_numbers = program.bid_numbers
        self.contract_of = program.contract_of
        self.contract_numbers = program.contract_numbers

    # ------------------------------------------------------------------ decode

    def set_at(self, slot: int, words: int) -> frozenset[int]:
        """The set whose mask words begin at a slot."""
        found = []
        for word in range(words):
            mask = self.mem[slot + word]
            while mask:
                bit = mask & -mask
                found.append(word * WORD + bit.bit_length() - 1)
                mask ^= bit
        return frozenset(found)

    def decode(self, type_: Type, slot: int) -> Any:
        """The value of a type that lies at a slot."""
        if type_.kind == "cards":
            return self.set_at(slot, self.image.words)
        if type_.is_set:
            return self.set_at(slot, max(1, words_for(len(self.image.program.bids))) if type_.kind == "bids" else 1)
        value = self.mem[slot]
        if type_.kind == "truth":
            return bool(value)
        if type_.kind == "number":
            return value if type_.whole else Fraction(value, self.image.scale)
        return None if value < 0 else value

    # ------------------------------------------------------------------- World

    @property
    def ranked(self) -> Ranked:
        way, trump = (self.mem[self.image.variables[self.image.program.variable(name)]] for name in ("way", "trump"))
        found = self.image.program.rankings.ranked[self.image.program.rankings.number(way, trump)]
        if found is None:
            nothing = (-1,) * len(self.deck)
            return Ranked(trump, nothing, nothing, trump)
        return found

    @property
    def eldest(self) -> int:
        return (self.mem[self.image.variables[self.image.program.variable("dealer")]] + 1) % self.persons

    def variable(self, variable: core.Variable, index: int | None) -> Any:
        width = self.image.words if variable.type.kind == "cards" else 1
        return self.decode(variable.type, self.image.variables[variable] + (index or 0) * width)

    def balance(self, account: core.Account, index: int | None) -> Fraction:
        return Fraction(self.mem[self.image.accounts[account] + (index or 0)], self.image.scale)

    def cards(self, pile: core.Pile, index: int | None) -> frozenset[int]:
        return self.set_at(self.image.piles[pile] + (index or 0) * self.image.pile_strides[pile], self.image.words)

    def row(self, pile: core.Pile, index: int | None) -> tuple[int, ...]:
        """The cards of a pile that keeps its order, from bottom to top."""
        at = self.image.piles[pile] + (index or 0) * self.image.pile_strides[pile] + self.image.words
        return tuple(self.mem[at + 1 : at + 1 + self.mem[at]])

    def holder(self, card: int) -> int:
        hand = self.image.program.pile("hand")
        return next((seat for seat in range(self.players) if card in self.cards(hand, seat)), self.eldest)

    def trick_place(self) -> int:
        """Which card of the trick wins, counted from 0 in the order of play; -1 when there is none."""
        played = self.row(self.image.program.pile("trick"), None)
        ranked = self.ranked
        return max(range(len(played)), key=lambda place: (ranked.strength(played[place], played[0]), -place), default=-1)

    def trick_winner(self, leader: int) -> int:
        return (leader + self.trick_place()) % self.players

    @property
    def order(self) -> Order:
        """The seats in playing order, with the dummy's where its turn comes."""
        after = self.named("dummy after") if self.players > self.persons else None
        return turn_order(self.persons, after)

    def next_to_play(self, seat: int) -> int:
        """The seat that plays to a trick after another."""
        return in_turn(self.order, self.trick_players(), seat, 1)

    def trick_players(self) -> frozenset[int]:
        """The seats that play to the trick on the table."""
        found: frozenset[int] = self.named("trick players") if self.seating else frozenset(range(self.players))
        return found

    def trick_seats(self) -> tuple[int | None, ...]:
        """Who put down each card of the trick; None for a card that opened it and that no seat led."""
        cards = len(self.row(self.image.program.pile("trick"), None))
        led = bool(cards and self.seating and self.named("trick opened"))
        leader = self.named("leader")
        seats = [in_turn(self.order, self.trick_players(), leader, place) for place in range(cards - led)]
        return (*([None] if led else []), *seats)

    @property
    def seating(self) -> bool:
        """Whether seats may sit out, a dummy has a hand or cards open tricks."""
        return any(variable.name == "trick players" for variable in self.image.program.variables)

    def turn(self) -> int | None:
        """The seat whose card is due, which another may choose."""
        seat: int | None = self.named("player")
        return seat

    # -------------------------------------------------------------------- more

    def named(self, name: str, index: int | None = None) -> Any:
        """A variable by its name."""
        return self.variable(self.image.program.variable(name), index)

    def knows(self, seat: int) -> frozenset[int]:
        """The cards in closed piles whose place a seat has learnt."""
        return self.set_at(self.image.known + seat * self.image.words, self.image.words)

    def value(self, expr: core.Expr, env: dict[core.Local, Any] | None = None) -> Any:
        """The value of an expression in this state."""
        return evaluate(expr, self, env or {})
