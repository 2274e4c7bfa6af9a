"""An assembler for tests and benches, and a trick game written by hand with it."""

from __future__ import annotations

from dataclasses import dataclass, field

from interpreter import opcodes as op
from interpreter.opcodes import (
    DEAL_OVER,
    MATCH_OVER,
    OPERATIONS,
    SLOT_ACTION,
    SLOT_LEGAL,
    SOURCE_ROW,
    TARGET_ROW,
    WIDTH,
    WORDS_SHIFT,
)


@dataclass(slots=True)
class Assembler:
    """Collects slots, constants, tables and instructions; a string operand is a label."""

    wa: int = 1
    init: list[int] = field(default_factory=list)
    code: list[int] = field(default_factory=list)
    tab: list[int] = field(default_factory=list)
    n_state: int = 0
    labels: dict[str, int] = field(default_factory=dict)
    gaps: list[tuple[int, str]] = field(default_factory=list)
    constants: dict[int, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.init = [0] * (SLOT_LEGAL + self.wa)

    def slot(self, size: int = 1, value: int = 0) -> int:
        """Allocate slots, all with the same first value."""
        self.init += [value] * size
        return len(self.init) - size

    def end_state(self) -> None:
        """Say that the slots allocated from now on are scratch."""
        self.n_state = len(self.init)

    def const(self, value: int) -> int:
        """Give the slot of a constant."""
        if value not in self.constants:
            self.constants[value] = self.slot(1, value)
        return self.constants[value]

    def table(self, values: list[int]) -> int:
        """Add a table and give its place."""
        self.tab += values
        return len(self.tab) - len(values)

    def label(self, name: str) -> None:
        """Name the next instruction."""
        self.labels[name] = len(self.code)

    def emit(self, operation: int, *operands: int | str) -> None:
        """Append an instruction."""
        assert len(operands) == len(OPERATIONS[operation][1].split()), OPERATIONS[operation]
        self.code.append(operation)
        for operand in operands:
            if isinstance(operand, str):
                self.gaps.append((len(self.code), operand))
                operand = 0
            self.code.append(operand)
        self.code += [0] * (WIDTH - 1 - len(operands))

    def finish(self) -> None:
        """Put the places of labels into the code."""
        for at, name in self.gaps:
            self.code[at] = self.labels[name]
        self.gaps.clear()


@dataclass(frozen=True, slots=True)
class Toy:
    """A game ready to run: vectors, and the slots that a driver or test looks at."""

    code: list[int]
    tab: list[int]
    init: list[int]
    n_state: int
    wa: int
    payoffs: list[int]
    moon: int
    piles: list[tuple[int, bool]]
    words: int


def hearts(suits: int = 4, ranks: int = 13, seats: int = 4, deals: int = 8) -> Toy:
    """Assemble a game like hearts: no passing, first-trick bans, broken hearts, moon; a match is `deals` deals.

    Card = suit * ranks + rank; suit 3 costs a point a card, the last rank but two of suit 2 costs `ranks`.
    """
    cards = suits * ranks
    w = -(-cards // 63)
    each = cards // seats
    a = Assembler(wa=w)
    hands = a.slot(w * seats)
    won = a.slot(w * seats)
    deck = a.slot(w + 1 + cards)
    trick = a.slot(w + 1 + seats)
    leader, turn, tricks, broken, dealt = (a.slot() for _ in range(5))
    points = a.slot(seats)
    payoffs = a.slot(seats)
    moon = a.slot(1, -1)
    known = a.slot(w * seats)
    a.end_state()
    i, hp, q, t, place = (a.slot() for _ in range(5))
    hand = a.slot(w)
    mask = a.slot(w)
    zero, one, n_seats, n_each, n_deals = a.const(0), a.const(1), a.const(seats), a.const(each), a.const(deals)
    moon_points = a.const(2 * ranks)

    def split(members: set[int]) -> list[int]:
        return [sum(1 << (c - 63 * k) for c in members if c // 63 == k) for k in range(w)]

    def const_set(members: set[int]) -> int:
        at = a.slot(w)
        a.init[at : at + w] = split(members)
        return at

    queen = 2 * ranks + ranks - 3
    heart = const_set({c for c in range(cards) if c // ranks == 3})
    costly = const_set({c for c in range(cards) if c // ranks == 3} | {queen})
    club = const_set({0})
    follow = [a.table([split({d for d in range(cards) if d // ranks == c // ranks})[k] for c in range(cards)]) for k in range(w)]
    is_heart = a.table([int(c // ranks == 3) for c in range(cards)])
    worth = a.table([ranks if c == queen else int(c // ranks == 3) for c in range(cards)])
    strength = a.table([c % ranks + 1 if c // ranks == led // ranks else 0 for led in range(cards) for c in range(cards)])
    ranking = a.const(strength)
    deck_at, trick_at = a.const(deck), a.const(trick)
    kinds = w << WORDS_SHIFT

    def any_legal(target: str) -> None:
        for k in range(w):
            a.emit(op.JNZ, SLOT_LEGAL + k, target)

    def take_hand_but(members: int) -> None:
        for k in range(w):
            a.emit(op.ANDN, SLOT_LEGAL + k, hand + k, members + k)

    a.label("deal")
    a.emit(op.FILL, deck_at, cards, kinds | TARGET_ROW, -1)
    a.emit(op.SHUFFLE, deck_at, kinds)
    for seat in range(seats):
        a.emit(op.MOV, points + seat, zero)
        for k in range(w):
            a.emit(op.MOV, won + seat * w + k, zero)
            a.emit(op.MOV, known + seat * w + k, zero)
    a.emit(op.MOV, i, zero)
    a.label("serve")
    a.emit(op.LEA, hp, hands, i, w)
    a.emit(op.MOVEN, n_each, deck_at, hp, kinds | SOURCE_ROW)
    a.emit(op.HASP, t, hp, zero)
    a.emit(op.JZ, t, "other")
    a.emit(op.MOV, leader, i)
    a.label("other")
    a.emit(op.LOOP, i, n_seats, "serve")
    a.emit(op.MOV, broken, zero)
    a.emit(op.MOV, tricks, zero)
    a.label("trick")
    a.emit(op.MOV, turn, leader)
    a.label("turn")
    a.emit(op.LEA, hp, hands, turn, w)
    for k in range(w):
        a.emit(op.LDP, hand + k, hp, k)
    a.emit(op.JNZ, trick + w, "follow")
    a.emit(op.JNZ, tricks, "later")
    for k in range(w):
        a.emit(op.MOV, SLOT_LEGAL + k, club + k)
    a.emit(op.JMP, "ask")
    a.label("later")
    a.emit(op.JNZ, broken, "free")
    take_hand_but(heart)
    any_legal("ask")
    a.emit(op.JMP, "free")
    a.label("follow")
    if w == 1:
        a.emit(op.TAB, mask, follow[0], trick + w + 1)
        a.emit(op.ANDJ, SLOT_LEGAL, hand, mask, "ask")
    else:
        for k in range(w):
            a.emit(op.TAB, mask, follow[k], trick + w + 1)
            a.emit(op.AND, SLOT_LEGAL + k, hand + k, mask)
        any_legal("ask")
    a.emit(op.JNZ, tricks, "free")
    take_hand_but(costly)
    any_legal("ask")
    a.label("free")
    for k in range(w):
        a.emit(op.MOV, SLOT_LEGAL + k, hand + k)
    a.label("ask")
    a.emit(op.ASK, turn, 1)
    a.emit(op.MOVE1, SLOT_ACTION, hp, trick_at, kinds | TARGET_ROW)
    a.emit(op.TAB, t, is_heart, SLOT_ACTION)
    a.emit(op.OR, broken, broken, t)
    a.emit(op.ADDM, turn, turn, one, n_seats)
    a.emit(op.JNE, trick + w, n_seats, "turn")
    a.emit(op.WIN, place, trick_at, ranking, cards, w)
    a.emit(op.ADDM, leader, leader, place, n_seats)
    a.emit(op.SUMV, t, trick, w, worth)
    a.emit(op.ADX, points, leader, t)
    a.emit(op.LEA, q, won, leader, w)
    a.emit(op.MOVES, trick, trick_at, q, kinds | SOURCE_ROW)
    a.emit(op.LOOP, tricks, n_each, "trick")
    a.emit(op.MOV, moon, a.const(-1))
    a.emit(op.MOV, i, zero)
    a.label("score")
    a.emit(op.LDX, t, points, i)
    a.emit(op.JNE, t, moon_points, "common")
    a.emit(op.MOV, moon, i)
    a.label("common")
    a.emit(op.SUB, t, moon_points, t)
    a.emit(op.STX, payoffs, i, t)
    a.emit(op.LOOP, i, n_seats, "score")
    a.emit(op.ADD, dealt, dealt, one)
    a.emit(op.STOP, DEAL_OVER)
    a.emit(op.JLT, dealt, n_deals, "deal")
    a.emit(op.STOP, MATCH_OVER)
    a.finish()
    return Toy(
        a.code,
        a.tab,
        a.init,
        a.n_state,
        w,
        list(range(payoffs, payoffs + seats)),
        moon,
        [(hands + k * w, False) for k in range(seats)] + [(won + k * w, False) for k in range(seats)] + [(deck, True), (trick, True)],
        w,
    )
