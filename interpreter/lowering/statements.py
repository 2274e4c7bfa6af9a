"""Statements to instructions: assignments, cards and what is learnt from their moves, payments, loops, questions."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import lcm

from dsl import core
from dsl import types as t
from interpreter import opcodes
from interpreter.lowering.emitter import FIRST_CONSTANT, Label
from interpreter.lowering.expressions import Expressions
from interpreter.lowering.image import OfferImage, ProbeImage, Question
from interpreter.lowering.layout import mask_words
from interpreter.lowering.names import Alphabet
from interpreter.lowering.turns import order_rows
from interpreter.opcodes import SLOT_ACTION, SLOT_LEGAL, SOURCE_ROW, TARGET_ROW, WORD, WORDS_SHIFT

FIRST_SAYING = 16  # log kinds from here on are words that were announced
SHOWN = 15  # log kind: a card was shown to seats
MOST_REDEALS = 1_000


class Statements:
    """Emits statements through an `Expressions`."""

    def __init__(self, values: Expressions, alphabet: Alphabet) -> None:
        self.v = values
        self.e = values.e
        self.layout = values.layout
        self.program = values.program
        self.alphabet = alphabet
        self.loops: list[Label] = []
        self.blocks: dict[str, tuple[Label, Label]] = {}
        self.questions: list[Question] = []
        self.probes: list[ProbeImage] = []
        self.sayings: list[str] = []
        self.entries: dict[str, int] = {}
        self.shuffles: dict[int, core.Pile] = {}
        self.initial: dict[int, int] = {}
        self.routine = Label()
        self.returns: list[Label] = []
        self.everybody = self.v.const((1 << self.program.players) - 1)

    def all(self, stmts: Sequence[core.Stmt]) -> None:
        mark = self.layout.next
        for stmt in stmts:
            self.v.memo.clear()
            self.e.scratch = 0
            getattr(self, "_" + type(stmt).__name__.lower())(stmt)
        self.layout.release(mark)
        self.v.memo.clear()

    def local(self, local: core.Local) -> int:
        slot = self.layout.local(local.type)
        self.v.locals[local] = slot
        return slot

    # ----------------------------------------------------------------- values

    def amount(self, expr: core.Expr, type_: t.Type) -> int:
        """A value ready to be stored: fractions in units of the accounts."""
        if type_.kind == "number" and not type_.whole:
            return self.v.scaled(expr)
        return self.v.value(expr)

    def _assign(self, stmt: core.Assign) -> None:
        variable = stmt.variable
        base, width = self.layout.variables[variable], self.v.width(variable.type)
        value = self.amount(stmt.value, variable.type)
        if stmt.index is None or (isinstance(stmt.index, core.Const) and isinstance(stmt.index.value, int)):
            at = base + (stmt.index.value * width if isinstance(stmt.index, core.Const) and isinstance(stmt.index.value, int) else 0)
            self.keep(at, value, width)
            if variable.name == "contract":
                self.set_way(base)
            if variable.name in ("trump", "contract"):
                self.choose_ranking()
            return
        index = self.v.value(stmt.index)
        if width == 1:
            self.e.emit("STX", base, index, value)
            return
        address = self.e.temp()
        self.e.emit("LEA", address, base, index, width)
        for word in range(width):
            self.e.emit("STP", address, word, value + word)

    def set_way(self, contract: int) -> None:
        """The way of ranking that the contract has."""
        if len(self.program.rankings.ways) > 1:
            place = self.v.row("way", lambda: [0] + [row.way for row in self.program.contracts])
            self.e.emit("TAB", self.layout.variables[self.program.variable("way")], place + 1, contract)

    def choose_ranking(self) -> None:
        """Points the slots of ranked tables at the current ranking.

        The code for it is emitted once, at the end, when all tables are known; it is entered by a jump and
        goes back by a number, since the kernel has no calls.
        """
        back = Label()
        self.e.emit("MOV", self.layout.return_slot, self.v.const(len(self.returns)))
        self.e.emit("JMP", self.routine)
        self.e.place(back)
        self.returns.append(back)

    def ranking_routine(self) -> None:
        """The shared stretch of code that points every ranked table at the current ranking."""
        self.e.place(self.routine)
        self.e.scratch = 0
        number, part = self.e.temp(), self.e.temp()
        suits = len(self.program.deck.suits)
        way, trump = (self.layout.variables[self.program.variable(name)] for name in ("way", "trump"))
        self.e.emit("MUL", number, way, self.v.const(suits + 1))
        self.e.emit("ADD", number, number, trump)
        self.e.emit("ADD", number, number, self.v.const(1))
        for slot, place, size in self.v.tables.by_ranking:
            self.e.emit("MUL", part, number, self.v.const(size))
            self.e.emit("ADD", slot, part, self.v.const(place))
        for index, label in enumerate(self.returns):
            self.e.emit("JEQ", self.layout.return_slot, self.v.const(index), label)
        self.e.emit("STOP", opcodes.FAULT)

    def _bind(self, stmt: core.Bind) -> None:
        value, width = self.amount(stmt.value, stmt.local.type), self.v.width(stmt.local.type)
        slot = self.v.locals.get(stmt.local)
        if slot is None:
            slot = self.local(stmt.local)
        self.keep(slot, value, width)

    def keep(self, to: int, value: int, width: int) -> None:
        """Stores the value of a statement; an instruction that just made it is told to put it there at once."""
        if not (width == 1 and self.e.redirect(value, to)):
            self.v.copy(to, value, width)

    # ------------------------------------------------------------------ cards

    def kinds(self, source: core.Pile, target: core.Pile) -> int:
        return SOURCE_ROW * source.ordered | TARGET_ROW * target.ordered | self.v.words << WORDS_SHIFT

    def seats_of(self, place: core.PilePlace) -> int | None:
        """The seats that see a pile's cards, as a mask; None when nobody does."""
        if place.pile.seen == "all":
            return self.everybody
        if place.pile.seen == "owner" and place.index is not None:
            to = self.e.temp()
            self.e.emit("BIT", to, self.v.value(place.index))
            return to
        return None

    def learn(self, moved: int, source: core.PilePlace, target: core.PilePlace, source_at: int, chosen: bool) -> None:
        """What seats know of cards that leave a pile for one that is not open; emitted before the move."""
        if target.pile.seen == "all":
            return
        watchers = self.seats_of(source)
        if chosen and source.pile.seen != "all":
            # Whoever does not see which card leaves loses track of all that lay there.
            others = self.everybody
            if watchers is not None:
                others = self.e.temp()
                self.e.emit("ANDN", others, self.everybody, watchers)
            self.e.emit("FORGETP", others, self.layout.known, source_at, self.v.words)
        if watchers is not None:
            self.e.emit("KNOW", watchers, self.layout.known, moved, self.v.words)

    def _movetop(self, stmt: core.MoveTop) -> None:
        source, target = self.v.pile_address(stmt.source), self.v.pile_address(stmt.target)
        count = self.v.const(1) if stmt.count is None else self.v.value(stmt.count)
        watchers = self.seats_of(stmt.source)
        if watchers is not None and stmt.target.pile.seen != "all":
            # Whoever sees the pile knows which cards leave it; what stays there he sees anyway.
            lying = self.v.cards_in(core.CardsIn(t.CARDS, stmt.span, stmt.source.pile, stmt.source.index))
            self.e.emit("KNOW", watchers, self.layout.known, lying, self.v.words)
        self.e.emit("MOVEN", count, source, target, self.kinds(stmt.source.pile, stmt.target.pile))

    def _movecards(self, stmt: core.MoveCards) -> None:
        source, target = self.v.pile_address(stmt.source), self.v.pile_address(stmt.target)
        kinds, words = self.kinds(stmt.source.pile, stmt.target.pile), self.v.words
        if stmt.cards is None:
            cards = self.v.cards_in(core.CardsIn(t.CARDS, stmt.span, stmt.source.pile, stmt.source.index))
            self.learn(cards, stmt.source, stmt.target, source, chosen=False)
            self.e.emit("MOVES", cards, source, target, kinds)
        elif stmt.cards.type.kind == "card":
            card = self.v.value(stmt.cards)
            if stmt.target.pile.seen != "all":
                one = self.e.temp(words)
                self.e.emit("CSET", one, card, words)
                self.learn(one, stmt.source, stmt.target, source, chosen=True)
            self.e.emit("MOVE1", card, source, target, kinds)
        else:
            cards = self.v.value(stmt.cards)
            copy = self.e.temp(words)
            # Only the cards that lie there move, and only they are learnt of.
            lying = self.v.cards_in(core.CardsIn(t.CARDS, stmt.span, stmt.source.pile, stmt.source.index))
            for word in range(words):
                self.e.emit("AND", copy + word, cards + word, lying + word)
            self.learn(copy, stmt.source, stmt.target, source, chosen=True)
            self.e.emit("MOVES", copy, source, target, kinds)

    def _shuffle(self, stmt: core.Shuffle) -> None:
        at = self.v.pile_address(stmt.place)
        kinds = TARGET_ROW | self.v.words << WORDS_SHIFT
        if stmt.fresh:
            self.e.emit("FILL", at, len(self.program.deck), kinds, -1)
        else:
            self.e.emit("FORGETP", self.everybody, self.layout.known, at, self.v.words)
        self.shuffles[self.e.here] = stmt.place.pile
        self.e.emit("SHUFFLE", at, kinds)

    def _show(self, stmt: core.Show) -> None:
        cards = self.v.value(stmt.cards)
        seats = self.everybody if stmt.seats is None else self.v.value(stmt.seats)
        self.e.emit("KNOW", seats, self.layout.known, cards, self.v.words)
        for word in range(self.v.words):
            self.e.emit("LOG", SHOWN, cards + word, seats, self.v.const(word))

    # --------------------------------------------------------------- payments

    def _transfer(self, stmt: core.Transfer) -> None:
        amount = self.v.scaled(stmt.amount)
        payee = self.v.account_address(stmt.payee)
        if stmt.payer is None:
            self.e.emit("GAIN", payee, amount, 0)
        else:
            payer = self.v.account_address(stmt.payer)
            self.e.emit("PAY", payer, payee, amount, 0)

    def _say(self, stmt: core.Say) -> None:
        if stmt.word not in self.sayings:
            self.sayings.append(stmt.word)
        kind = FIRST_SAYING + self.sayings.index(stmt.word)
        value = self.v.const(-1) if stmt.value is None else self.v.value(stmt.value)
        self.e.emit("LOG", kind, value, self.v.const(0), self.v.const(0))

    # ---------------------------------------------------------------- control

    def _if(self, stmt: core.If) -> None:
        other, end = Label(), Label()
        self.v.branch(stmt.condition, other, False)
        self.all(stmt.then)
        if stmt.other:
            self.e.emit("JMP", end)
        self.e.place(other)
        self.all(stmt.other)
        self.e.place(end)

    def _for(self, stmt: core.For) -> None:
        mark, again, skip, end = self.layout.next, Label(), Label(), Label()
        seats = stmt.domain.type.kind == "seats"
        width = self.v.width(stmt.domain.type)
        full = isinstance(stmt.domain, core.Const) and stmt.domain.value == frozenset(range(self.program.players))
        # A dummy's turn comes where the deal has put it, and a loop over the others may begin from it.
        persons = self.program.persons
        dummy = seats and persons < self.program.players
        whole = -1
        if not (seats and full):
            whole = self.layout.local(stmt.domain.type)
            self.v.copy(whole, self.v.value(stmt.domain), width)
        if seats:
            turn, seat = self.layout.local(t.NUMBER), self.local(stmt.local)
            start = stmt.start
            first = self.v.value(start if start is not None else self.v.eldest(stmt.domain))
            self.v.copy(seat, first, 1)
            self.e.emit("MOV", turn, self.v.const(0))
            self.e.place(again)
            if whole >= 0:
                has = self.e.temp()
                self.e.emit("HAS", has, whole, seat, 1)
                self.e.emit("JZ", has, skip)
            self.loops.append(end)
            self.all(stmt.body)
            self.loops.pop()
            self.e.place(skip)
            places = self.v.const(self.program.players if dummy else persons)
            if dummy:
                self.next_of_all(seat)
            else:
                self.e.emit("ADDM", seat, seat, self.v.const(1), places)
            self.e.emit("LOOP", turn, places, again)
        else:
            item = self.local(stmt.local)
            self.e.emit("MOV", item, self.v.const(-1))
            self.e.place(again)
            self.e.emit("NEXT", item, whole, width, item)
            self.e.emit("JEQ", item, self.v.const(-1), end)
            self.loops.append(end)
            self.all(stmt.body)
            self.loops.pop()
            self.e.emit("JMP", again)
        self.e.place(end)
        self.layout.release(mark)

    def next_of_all(self, seat: int) -> None:
        """Makes a seat the one after it, a dummy's counted."""
        self.v.memo.clear()
        self.e.scratch = 0
        n, at = self.program.players, self.e.temp()
        self.e.emit("MUL", at, self.layout.variables[self.program.variable("dummy after")], self.v.const(n))
        self.e.emit("ADD", at, at, seat)
        self.e.emit("TAB", seat, self.v.row("order", lambda: order_rows(self.program)), at)

    def _while(self, stmt: core.While) -> None:
        mark, again, end = self.layout.next, Label(), Label()
        turn = self.layout.local(t.NUMBER)
        assert isinstance(stmt.most, core.Const) and isinstance(stmt.most.value, int)
        if stmt.most.value == 0:
            return
        self.e.emit("MOV", turn, self.v.const(0))
        self.e.place(again)
        if stmt.condition is not None:
            self.v.memo.clear()
            self.e.scratch = 0
            self.v.branch(stmt.condition, end, False)
        self.loops.append(end)
        self.all(stmt.body)
        self.loops.pop()
        self.e.emit("LOOP", turn, self.v.const(stmt.most.value), again)
        self.e.place(end)
        self.layout.release(mark)

    def _block(self, stmt: core.Block) -> None:
        start, end = Label(), Label()
        self.e.place(start)
        self.blocks[stmt.name] = (start, end)
        self.all(stmt.body)
        self.e.place(end)
        del self.blocks[stmt.name]

    def _jump(self, stmt: core.Jump) -> None:
        if stmt.block == "loop":
            self.e.emit("JMP", self.loops[-1])
            return
        start, end = self.blocks[stmt.block]
        if stmt.again:
            # Dealing again and again ends somewhere: then the deal is thrown in.
            redeals = self.layout.redeals
            self.e.emit("ADD", redeals, redeals, self.v.const(1))
            self.e.emit("JLT", redeals, self.v.const(MOST_REDEALS), start)
        self.e.emit("JMP", end)

    def _stop(self, stmt: core.Stop) -> None:
        if stmt.what == "deal":
            unit = next((a for a in self.program.accounts if a.per), None)
            for seat in range(self.program.players):
                if unit is not None:
                    at = seat if unit.per == "seat" else next(i for i, x in enumerate(self.program.sides) if seat in x)
                    self.e.emit("SUB", self.layout.gains + seat, self.layout.accounts[unit] + at, self.layout.start + at)
        self.e.emit("STOP", opcodes.DEAL_OVER if stmt.what == "deal" else opcodes.MATCH_OVER)

    def _mark(self, stmt: core.Mark) -> None:
        self.entries[stmt.name] = self.e.here

    def _probe(self, stmt: core.Probe) -> None:
        scope = tuple((local, slot) for local, slot in self.v.locals.items() if slot < FIRST_CONSTANT)
        self.probes.append(ProbeImage(self.e.here, stmt, scope))
        self.e.emit("MOV", self.e.probe(), self.v.const(1))

    def _reset(self, stmt: core.Reset) -> None:
        """A new deal: piles, knowledge and the deal's variables at their start; accounts remembered for the gains."""
        fresh = Label()
        # Dealt again by the same dealer the accounts stay as they were remembered.
        self.e.emit("JNZ", self.layout.redeals, fresh)
        unit = next((a for a in self.program.accounts if a.per), None)
        if unit is not None:
            for at in range(self.layout.count[unit.per]):
                self.e.emit("MOV", self.layout.start + at, self.layout.accounts[unit] + at)
        self.e.place(fresh)
        zeros: list[int] = []
        for pile in self.program.piles:
            base, stride = self.layout.piles[pile], self.layout.strides[pile]
            zeros += range(base, base + stride * (self.program.players if pile.per_seat else 1))
        zeros += range(self.layout.known, self.layout.known + self.program.players * self.v.words)
        for variable in self.program.variables:
            if variable.name == "redeals":
                continue
            width = self.v.width(variable.type)
            base, count = self.layout.variables[variable], self.layout.count[variable.per]
            start = self.start_values(variable, width)
            for slot in range(base, base + width * count):
                value = start[(slot - base) % width]
                if variable.match:
                    self.initial[slot] = value
                elif value == 0:
                    zeros.append(slot)
                else:
                    self.e.emit("MOV", slot, self.v.const(value))
        self.clear(zeros)
        self.choose_ranking()

    def start_values(self, variable: core.Variable, width: int) -> tuple[int, ...]:
        """What a variable holds before anything is said of it: none where it may be none, else zero or its start."""
        if isinstance(variable.start, frozenset):
            return mask_words(variable.start, width)
        if variable.start is None:
            return (-1 if variable.type.optional or variable.name in ("trump", "contract") else 0,) * width
        if variable.type.kind == "number" and not variable.type.whole:
            exact = Fraction(variable.start)
            self.v.finest = lcm(self.v.finest, exact.denominator)
            return (int(exact * self.v.scale),)
        return (int(variable.start),) * width

    def clear(self, slots: list[int]) -> None:
        """Zeroes slots, those next to each other at once."""
        first = count = 0
        for slot in [*sorted(slots), -1]:
            if count and slot != first + count:
                self.e.emit("CLEAR", first, count)
                count = 0
            first, count = (slot, 1) if count == 0 else (first, count + 1)

    # -------------------------------------------------------------- questions

    def _ask(self, stmt: core.Ask) -> None:
        entry = self.e.here
        who = self.v.value(stmt.who)
        first, legal_words = SLOT_LEGAL, self.alphabet.words
        images: list[OfferImage] = []
        simple = stmt.offers[0].domain is not None and stmt.offers[0].domain.type.kind == "cards"
        for word in range(legal_words):
            if not (simple and word < self.v.words):
                self.e.emit("MOV", first + word, self.v.const(0))
        for offer in stmt.offers:
            images.append(self.offer(offer, simple and offer is stmt.offers[0]))
        scope = tuple((local, slot) for local, slot in self.v.locals.items() if slot < FIRST_CONSTANT)
        self.questions.append(Question(stmt.about, tuple(images), stmt, scope, entry))
        self.e.emit("ASK", who, len(self.questions) - 1)
        end = Label()
        for image in images:
            after = Label()
            if len(images) > 1:
                if image.count == 1 and not image.cards:
                    self.e.emit("JNE", SLOT_ACTION, self.v.const(image.first), after)
                else:
                    if image.first:
                        self.e.emit("JLT", SLOT_ACTION, self.v.const(image.first), after)
                    self.e.emit("JGE", SLOT_ACTION, self.v.const(image.first + image.count), after)
            mark = self.layout.next
            if image.offer.local is not None:
                slot = self.local(image.offer.local)
                if image.first:
                    self.e.emit("SUB", slot, SLOT_ACTION, self.v.const(image.first))
                else:
                    self.e.emit("MOV", slot, SLOT_ACTION)
            self.all(image.offer.body)
            self.layout.release(mark)
            if image is not images[-1]:
                self.e.emit("JMP", end)
            self.e.place(after)
        self.e.place(end)

    def offer(self, offer: core.Offer, alone: bool) -> OfferImage:
        """Puts the legal answers of one offer into the legal set."""
        if offer.local is None or offer.domain is None:
            id = self.alphabet.word(offer.verb)
            self.allow(id, offer.when)
            return OfferImage(offer.verb, id, 1, False, offer)
        kind = offer.domain.type.kind
        if kind == "cards":
            domain = offer.domain
            if offer.when is not None:
                domain = core.Quant(t.CARDS, offer.span, "those", offer.local, domain, offer.when)
            if alone:
                self.v.into(domain, SLOT_LEGAL)
            else:
                at = self.v.value(domain)
                for word in range(self.v.words):
                    self.e.emit("OR", SLOT_LEGAL + word, SLOT_LEGAL + word, at + word)
            return OfferImage(offer.verb, 0, len(self.program.deck), True, offer)
        first, count = self.alphabet.range(offer.verb, kind)
        for element in range(count):
            skip = Label()
            if isinstance(offer.domain, core.Const) and isinstance(offer.domain.value, frozenset):
                if element not in offer.domain.value:
                    continue
            else:
                has = self.e.temp()
                self.e.emit("HAS", has, self.v.value(offer.domain), self.v.const(element), self.v.width(offer.domain.type))
                self.e.emit("JZ", has, skip)
            self.v.locals[offer.local] = self.v.const(element)
            with self.v.fork():
                self.allow(first + element, offer.when)
            self.e.place(skip)
        return OfferImage(offer.verb, first, count, False, offer)

    def allow(self, id: int, when: core.Expr | None) -> None:
        skip = Label()
        if when is not None:
            with self.v.fork():
                self.v.branch(when, skip, False)
        word = SLOT_LEGAL + id // WORD
        self.e.emit("OR", word, word, self.v.const(1 << id % WORD))
        self.e.place(skip)
