"""Expressions to instructions, part one: sets, cards, seats and what is read from memory."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from dsl import core
from dsl import types as t
from dsl.facts import Ranked
from dsl.program import Program
from interpreter.lowering.emitter import Emitter, Label
from interpreter.lowering.layout import Layout, mask_words
from interpreter.lowering.tables import Tables
from interpreter.lowering.turns import next_rows, turn_rows


class Values(ABC):
    """What `Truths`, `Numbers` and `Sets` share: memory, bound names and values worked out already.

    A value is the slot it lies in (cards: the first of W slots). `scale` is the common denominator of accounts.
    """

    def __init__(self, program: Program, layout: Layout, emitter: Emitter, tables: Tables, scale: int) -> None:
        self.program = program
        self.layout = layout
        self.e = emitter
        self.tables = tables
        self.scale = scale
        self.finest = 1  # the common denominator that the payments turned out to need
        self.words = layout.words
        self.locals: dict[core.Local, int] = {}
        self.memo: dict[core.Expr, int] = {}
        self.rows: dict[str, int] = {}
        self.ranked_rows: dict[str, int] = {}

    # -------------------------------------------------------------- small tools

    @contextmanager
    def fork(self) -> Iterator[None]:
        """Code that may be jumped over: what it works out is forgotten after it."""
        kept = dict(self.memo)
        try:
            yield
        finally:
            self.memo = kept

    def const(self, value: int) -> int:
        return self.e.constant(value)

    def row(self, name: str, values: Callable[[], list[int]]) -> int:
        """A named row of the table, made once."""
        if name not in self.rows:
            self.rows[name] = self.e.row(values())
        return self.rows[name]

    def ranked_row(self, name: str, rows: Callable[[Ranked], list[int]], size: int, offset: int) -> int:
        """The slot of a named row that depends on the ranking."""
        if name not in self.ranked_rows:
            self.ranked_rows[name] = self.tables.per_ranking(rows, size, offset)
        return self.ranked_rows[name]

    def width(self, type_: t.Type) -> int:
        return self.layout.width(type_)

    def copy(self, to: int, source: int, words: int) -> None:
        """Moves words unless they are there already."""
        if to != source:
            for word in range(words):
                self.e.emit("MOV", to + word, source + word)

    # -------------------------------------------------------------------- door

    def value(self, expr: core.Expr) -> int:
        """The slot that holds an expression's value; see the subclasses for each kind."""
        found = self.memo.get(expr)
        if found is None:
            found = self.lower(expr)
            self.memo[expr] = found
        return found

    @abstractmethod
    def lower(self, expr: core.Expr) -> int:
        """Emits the code of an expression and gives the slot of its value."""

    def constant(self, expr: core.Const) -> int:
        value = expr.value
        if value is None:
            return self.const(-1)
        if isinstance(value, frozenset):
            return self.e.constant(*mask_words(value, self.width(expr.type)))
        return self.const(int(value))

    # ------------------------------------------------------------------ memory

    def get(self, expr: core.Get) -> int:
        base, width = self.layout.variables[expr.variable], self.width(expr.variable.type)
        if expr.index is None:
            return base
        return self.indexed(base, width, width, expr.index, expr.variable.type.kind == "number")

    def indexed(self, base: int, width: int, stride: int, index: core.Expr, add: bool) -> int:
        """What is kept per seat or side: one, or several taken together (numbers added, cards joined)."""
        if index.type.is_set:
            return self.together(base, width, stride, index, add)
        if isinstance(index, core.Const) and isinstance(index.value, int):
            return base + index.value * stride
        at = self.value(index)
        known = self.e.value_of(at)
        if known is not None:  # a loop that was written out
            return base + known * stride
        if width == 1 and stride == 1:
            to = self.e.temp()
            self.e.emit("LDX", to, base, at)
            return to
        address, to = self.e.temp(), self.e.temp(width)
        self.e.emit("LEA", address, base, at, stride)
        for word in range(width):
            self.e.emit("LDP", to + word, address, word)
        return to

    def together(self, base: int, width: int, stride: int, index: core.Expr, add: bool) -> int:
        operation = "ADD" if add else "OR"
        to = self.e.temp(width)
        if isinstance(index, core.Const) and isinstance(index.value, frozenset):
            members = sorted(index.value)
            if len(members) == 1:
                return base + members[0] * stride
            for word in range(width):
                self.e.emit("MOV", to + word, base + members[0] * stride + word if members else self.const(0))
                for member in members[1:]:
                    self.e.emit(operation, to + word, to + word, base + member * stride + word)
            return to
        seats, has, zero = self.value(index), self.e.temp(), self.const(0)
        for word in range(width):
            self.e.emit("MOV", to + word, zero)
        for seat in range(self.program.players):
            skip = Label()
            self.e.emit("HAS", has, seats, self.const(seat), 1)
            self.e.emit("JZ", has, skip)
            for word in range(width):
                self.e.emit(operation, to + word, to + word, base + seat * stride + word)
            self.e.place(skip)
        return to

    def cards_in(self, expr: core.CardsIn) -> int:
        base, stride = self.layout.piles[expr.pile], self.layout.strides[expr.pile]
        return base if expr.index is None else self.indexed(base, self.words, stride, expr.index, False)

    def balance(self, expr: core.Balance) -> int:
        base = self.layout.accounts[expr.account]
        return base if expr.index is None else self.indexed(base, 1, 1, expr.index, True)

    def pile_address(self, place: core.PilePlace) -> int:
        """A slot that holds the address of a pile."""
        base, stride = self.layout.piles[place.pile], self.layout.strides[place.pile]
        if place.index is None:
            return self.const(base)
        if isinstance(place.index, core.Const) and isinstance(place.index.value, int):
            return self.const(base + place.index.value * stride)
        address = self.e.temp()
        self.e.emit("LEA", address, base, self.value(place.index), stride)
        return address

    def account_address(self, place: core.AccountPlace) -> int:
        """A slot that holds the slot of an account."""
        base = self.layout.accounts[place.account]
        if place.index is None:
            return self.const(base)
        if isinstance(place.index, core.Const) and isinstance(place.index.value, int):
            return self.const(base + place.index.value)
        address = self.e.temp()
        self.e.emit("LEA", address, base, self.value(place.index), 1)
        return address

    def count_slot(self, expr: core.Expr) -> int | None:
        """Where the number of cards of a row stands, if the expression is a row."""
        if isinstance(expr, core.CardsIn) and expr.pile.ordered and (expr.index is None or isinstance(expr.index, core.Const)):
            base = self.layout.piles[expr.pile]
            if expr.index is not None and isinstance(expr.index.value, int):
                base += expr.index.value * self.layout.strides[expr.pile]
            return base + self.words
        return None

    # ------------------------------------------------------------------- cards

    def of_card(self, name: str, card: core.Expr) -> int:
        """The printed suit or rank of a card."""
        cards, part = self.program.deck.cards, ("suit", "rank").index(name)
        place = self.row(name, lambda: [-1] + [pair[part] for pair in cards])
        to = self.e.temp()
        self.e.emit("TAB", to, place + 1, self.value(card))
        return to

    def effective(self, name: str, card: core.Expr) -> int:
        """A card's suit, or its place in it, under the current ranking."""
        size = len(self.program.deck) + 1

        def rows(ranked: Ranked) -> list[int]:
            return [-1, *(ranked.suit if name == "suit" else ranked.place)]

        slot, to = self.ranked_row(f"effective {name}", rows, size, 1), self.e.temp()
        self.e.emit("TABR", to, slot, self.value(card))
        return to

    def trumps(self) -> int:
        def rows(ranked: Ranked) -> list[int]:
            cards = frozenset(c for c, suit in enumerate(ranked.suit) if suit == ranked.trump >= 0)
            return list(mask_words(cards, self.words))

        slot, to = self.ranked_row("trumps", rows, self.words, 0), self.e.temp(self.words)
        for word in range(self.words):
            self.e.emit("TABR", to + word, slot, self.const(word))
        return to

    def card(self, suit: core.Expr, rank: core.Expr) -> int:
        deck = self.program.deck
        ranks = len(deck.ranks)
        suits = range(-1, len(deck.suits))
        place = self.row("card", lambda: [deck.index.get((s, r), -1) for s in suits for r in range(ranks)])
        to = self.e.temp()
        self.e.emit("TAB2", to, place + ranks, self.value(suit), ranks, self.value(rank))
        return to

    def group(self, name: str, which: core.Expr) -> int:
        """All cards of a suit or a rank."""
        deck, words = self.program.deck, self.words

        def values() -> list[int]:
            groups = [deck.suit_cards(s) for s in range(len(deck.suits))] if name == "suit_cards" else [
                deck.rank_cards(r) for r in range(len(deck.ranks))]  # fmt: skip
            return [0] * words + [word for cards in groups for word in mask_words(cards, words)]

        place, to = self.row(name, values), self.e.temp(words)
        for word in range(words):
            self.e.emit("TAB2", to + word, place + words, self.value(which), words, self.const(word))
        return to

    def top(self, pile: core.CardsIn) -> int:
        to, there = self.e.temp(), Label()
        address = self.pile_address(core.PilePlace(pile.pile, pile.index))
        base = self.layout.piles[pile.pile] if pile.index is None else None
        self.e.emit("MOV", to, self.const(-1))
        if base is not None:
            self.e.emit("JZ", base + self.words, there)
            self.e.emit("LDX", to, base + self.words, base + self.words)
        else:
            count, at = self.e.temp(), self.e.temp()
            self.e.emit("LDP", count, address, self.words)
            self.e.emit("JZ", count, there)
            self.e.emit("ADD", at, address, count)
            self.e.emit("LDP", to, at, self.words)
        self.e.place(there)
        return to

    def holder(self, card: core.Expr) -> int:
        hand = self.program.pile("hand")
        base, stride = self.layout.piles[hand], self.layout.strides[hand]
        which, to, has = self.value(card), self.e.temp(), self.e.temp()
        self.e.emit("MOV", to, self.value(self.eldest(card)))
        for seat in range(self.program.players):
            skip = Label()
            self.e.emit("HAS", has, base + seat * stride, which, self.words)
            self.e.emit("JZ", has, skip)
            self.e.emit("MOV", to, self.const(seat))
            self.e.place(skip)
        return to

    def eldest(self, near: core.Expr) -> core.Expr:
        dealer = core.Get(t.SEAT, near.span, self.program.variable("dealer"), None)
        return core.Prim(t.SEAT, near.span, "next", (dealer,))

    # ------------------------------------------------------------------- seats

    def turned(self, seat: int, by: int, seats: int) -> int:
        """The seat some places on, of so many."""
        to = self.e.temp()
        self.e.emit("ADDM", to, seat, by, self.const(seats))
        return to

    def pair(self, one: core.Expr, other: core.Expr) -> int:
        """Where among the pairs of seats one with another stands."""
        to = self.e.temp()
        self.e.emit("MUL", to, self.value(one), self.const(self.program.players))
        self.e.emit("ADD", to, to, self.value(other))
        return to

    def by_players(self, players: core.Expr, seat: int) -> int:
        """A place for a set of seats that play and a seat, the dummy's place in turn counted where there is one."""
        n = self.program.players
        at = self.e.temp()
        self.e.emit("MUL", at, self.value(players), self.const(n))
        self.e.emit("ADD", at, at, seat)
        return at

    def in_turn(self, players: core.Expr, seat: core.Expr, place: core.Expr) -> int:
        """The seat some turns after another, seats that sit out passed over."""
        n = self.program.players
        at = self.by_players(players, self.value(seat))
        row = self.row("in turn", lambda: turn_rows(self.program))
        if self.program.persons < n:
            after = self.e.temp()
            size = n << n
            self.e.emit("MUL", after, self.layout.variables[self.program.variable("dummy after")], self.const(size))
            self.e.emit("ADD", at, at, after)
        to = self.e.temp()
        self.e.emit("TAB2", to, row, at, n, self.value(place))
        return to

    def next_playing(self, players: core.Expr, seat: core.Expr, step: int) -> int:
        """The next seat, or the previous one, that does not sit out."""
        row = self.row(f"playing {step}", lambda: next_rows(self.program, step))
        at, to = self.by_players(players, self.value(seat)), self.e.temp()
        self.e.emit("TAB", to, row, at)
        return to

    def earlier(self, one: core.Expr, other: core.Expr) -> int:
        eldest, n = self.value(self.eldest(one)), self.const(self.program.persons)
        a, b, to = self.e.temp(), self.e.temp(), self.e.temp()
        for slot, seat in ((a, one), (b, other)):
            self.e.emit("SUB", slot, self.value(seat), eldest)
            self.e.emit("MOD", slot, slot, n)
        self.e.emit("LT", to, a, b)
        return to
