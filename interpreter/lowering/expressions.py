"""Expressions to instructions, part three: numbers in exact fractions, and conditions as jumps."""

from __future__ import annotations

from fractions import Fraction
from math import lcm

from dsl import core
from interpreter.lowering.emitter import Label
from interpreter.lowering.sets import Sets

ARITHMETIC = {"+": "ADD", "-": "SUB", "mod": "MOD", "min": "MIN", "max": "MAX"}


class Expressions(Sets):
    """All expressions. A number is a slot with the numerator and a denominator known here."""

    def lower(self, expr: core.Expr) -> int:
        match expr:
            case core.Const():
                return self.constant(expr) if expr.type.kind != "number" else self.number(expr)[0]
            case core.Bound(local=local):
                return self.locals[local]
            case core.Get():
                return self.get(expr)
            case core.CardsIn():
                return self.cards_in(expr)
            case core.Balance():
                return self.balance(expr)
            case core.Cond():
                return self.conditional(expr)
            case core.Quant():
                return self.quantifier(expr)
            case core.Ladder():
                to = self.e.temp(self.words)
                self.ladder(expr, to)
                return to
            case core.Prim():
                return self.primitive(expr)
        raise TypeError(type(expr).__name__)

    def primitive(self, expr: core.Prim) -> int:
        name, args = expr.name, expr.args
        match name:
            case "suit" | "rank":
                return self.of_card(name, args[0])
            case "suit_cards" | "rank_cards":
                return self.group(name, args[0])
            case "card":
                return self.card(*args)
            case "trumps":
                return self.trumps()
            case "top" if isinstance(args[0], core.CardsIn):
                return self.top(args[0])
            case "holder":
                return self.holder(args[0])
            case "next":
                return self.turned(self.value(args[0]), self.const(1), self.program.persons)
            case "previous":
                return self.turned(self.value(args[0]), self.const(self.program.persons - 1), self.program.persons)
            case "after":
                return self.turned(self.value(args[0]), self.value(args[1]), self.program.persons)
            case "next_playing" | "previous_playing":
                return self.next_playing(args[0], args[1], 1 if name == "next_playing" else -1)
            case "in_turn":
                return self.in_turn(*args)
            case "pair":
                return self.pair(*args)
            case "known":
                return self.indexed(self.layout.known, self.words, self.words, args[0], False)
            case "side" | "seats_of" | "height" | "number" | "contract_of":
                return self.tabled(name, args[0])
            case "other_side":
                to = self.e.temp()
                self.e.emit("ADDM", to, self.value(args[0]), self.const(1), self.const(len(self.program.sides)))
                return to
            case "union" | "meet" | "without":
                return self.set_operation(name, args[0], args[1], expr.type)
            case "one":
                return self.one(args[0], expr.type)
            case "mask" if isinstance(args[1], core.Bound):
                return self.mask(args[0], args[1].local)
            case "same_number":
                return self.value(args[0])
            case "random_seat":
                to = self.e.temp()
                self.e.emit("RANDOM", to, self.const(self.program.persons))
                return to
            case "trick_winner":
                return self.turned(self.value(args[0]), self.trick_place(), self.program.players)
        return self.number(expr)[0] if expr.type.kind == "number" else self.truth(expr)

    def tabled(self, name: str, arg: core.Expr) -> int:
        program = self.program
        values = {
            "side": [next(i for i, side in enumerate(program.sides) if s in side) for s in range(program.players)],
            "seats_of": [sum(1 << s for s in side) for side in program.sides],
            "height": list(program.bid_heights),
            "number": list(program.bid_numbers),
            "contract_of": list(program.contract_of),
        }[name]
        place, to = self.row(name, lambda: [0 if name == "seats_of" else -1, *values]), self.e.temp()
        self.e.emit("TAB", to, place + 1, self.value(arg))
        return to

    def contract_number(self, contract: core.Expr, which: int) -> int:
        """The multiplier (0) or the target (1) of a contract, over the common denominator of all."""
        column = self.program.contract_numbers[which]
        common = lcm(*(value.denominator for value in column))
        place, to = self.row(f"contract {which}", lambda: [0, *(int(value * common) for value in column)]), self.e.temp()
        self.e.emit("TAB", to, place + 1, self.value(contract))
        return to

    def trick_place(self) -> int:
        """Which card of the trick wins, counted in the order of play."""
        trick = self.const(self.layout.piles[self.program.pile("trick")])
        place = self.e.temp()
        self.e.emit("WIN", place, trick, self.tables.strengths(), len(self.program.deck), self.words)
        return place

    def conditional(self, expr: core.Cond) -> int:
        if expr.type.kind == "number":
            return self.number(expr)[0]
        to = self.e.temp(self.width(expr.type))
        self.either_into(expr, to)
        return to

    def either_into(self, expr: core.Cond, to: int) -> None:
        other, end = Label(), Label()
        with self.fork():
            self.branch(expr.condition, other, False)
            self.into(expr.then, to)
            self.e.emit("JMP", end)
        self.e.place(other)
        with self.fork():
            self.into(expr.other, to)
        self.e.place(end)

    def into(self, expr: core.Expr, to: int) -> None:
        """Puts a value into given slots."""
        if isinstance(expr, core.Ladder):
            self.ladder(expr, to)
        elif isinstance(expr, core.Cond) and expr.type.kind != "number":
            self.either_into(expr, to)
        else:
            self.copy(to, self.value(expr), self.width(expr.type))

    # ------------------------------------------------------------------ ladder

    def ladder(self, ladder: core.Ladder, to: int) -> None:
        """The first rung that holds and is not empty, as a set at `to`."""
        end = Label()
        kept = dict(self.memo)
        for number, rung in enumerate(ladder.rungs):
            after = Label()
            if rung.condition is not None:
                self.branch(rung.condition, after, False)
            self.rung(rung.must, to, end, last=number == len(ladder.rungs) - 1)
            self.e.place(after)
            if rung.condition is not None:
                self.memo = dict(kept)
        self.e.place(end)
        self.memo = kept

    def rung(self, must: core.Expr, to: int, end: Label, last: bool) -> None:
        whole = self.as_set(must) if isinstance(must, core.Quant) and must.kind == "those" else must
        if last:
            self.copy(to, self.value(must), self.words)
        elif self.words == 1 and isinstance(whole, core.Prim) and whole.name == "meet":
            self.e.emit("ANDJ", to, self.value(whole.args[0]), self.value(whole.args[1]), end)
        else:
            self.copy(to, self.value(must), self.words)
            for word in range(self.words):
                self.e.emit("JNZ", to + word, end)

    # ----------------------------------------------------------------- numbers

    def number(self, expr: core.Expr) -> tuple[int, int]:
        """A number: the slot of its numerator, and its denominator."""
        match expr:
            case core.Const(value=value):
                exact = Fraction(value if isinstance(value, int | Fraction) else 0)
                return self.const(exact.numerator), exact.denominator
            case core.Get() | core.Bound():
                return self.value(expr), 1 if expr.type.whole else self.scale
            case core.Balance():
                return self.value(expr), self.scale
            case core.Cond():
                return self.conditional_number(expr)
            case core.Quant(kind="total"):
                return self.value(expr), self.denominator(expr.body)
            case core.Prim(name="worth", args=(cards,)):
                finest = lcm(*(value.denominator for value in self.program.worth))
                place = self.row("worth", lambda: [int(value * finest) for value in self.program.worth])
                to = self.e.temp()
                self.e.emit("SUMV", to, self.value(cards), self.words, place)
                return to, finest
            case core.Prim(name="size", args=(things,)):
                return self.size(things), 1
            case core.Prim(name="trick_place"):
                return self.trick_place(), 1
            case core.Prim(name="contract_number", args=(contract, core.Const(value=int(which)))):
                return self.contract_number(contract, which), self.denominator(expr)
            case core.Prim(name="pair"):
                return self.pair(*expr.args), 1
            case core.Prim(name="minus", args=(inner,)):
                slot, denominator = self.number(inner)
                to = self.e.temp()
                self.e.emit("NEG", to, slot)
                return to, denominator
            case core.Prim(name="floor" | "ceiling" | "round"):
                return self.rounded(expr), 1
            case core.Prim(name="height", args=(bid,)):
                return self.tabled("height", bid), 1
            case core.Prim(name="*", args=(left, right)):
                a, b = self.number(left), self.number(right)
                to = self.e.temp()
                self.e.emit("MUL", to, a[0], b[0])
                return to, a[1] * b[1]
            case core.Prim(name="/", args=(left, core.Const(value=value))) if isinstance(value, int | Fraction):
                slot, denominator = self.number(left)
                divisor = Fraction(value)
                if divisor < 0:
                    divisor, slot = -divisor, self.times(slot, -1)
                return self.times(slot, divisor.denominator), denominator * divisor.numerator
            case core.Prim(name=name, args=(left, right)) if name in ARITHMETIC:
                one, other, common = self.aligned(left, right)
                to = self.e.temp()
                self.e.emit(ARITHMETIC[name], to, one, other)
                return to, common
        return self.value(expr), 1

    def denominator(self, expr: core.Expr) -> int:
        """The denominator that `number` gives an expression."""
        match expr:
            case core.Const(value=int() | Fraction() as value):
                return Fraction(value).denominator
            case core.Get() | core.Bound():
                return 1 if expr.type.whole else self.scale
            case core.Balance():
                return self.scale
            case core.Cond(then=then, other=other):
                return lcm(self.denominator(then), self.denominator(other))
            case core.Quant(kind="total", body=body):
                return self.denominator(body)
            case core.Prim(name="worth"):
                return lcm(*(value.denominator for value in self.program.worth))
            case core.Prim(name="contract_number", args=(_, core.Const(value=int(which)))):
                return lcm(*(value.denominator for value in self.program.contract_numbers[which]))
            case core.Prim(name="minus", args=(inner,)):
                return self.denominator(inner)
            case core.Prim(name="*", args=(left, right)):
                return self.denominator(left) * self.denominator(right)
            case core.Prim(name="/", args=(left, core.Const(value=int() | Fraction() as value))):
                return self.denominator(left) * abs(Fraction(value)).numerator
            case core.Prim(name=name, args=(left, right)) if name in ARITHMETIC:
                return lcm(self.denominator(left), self.denominator(right))
        return 1

    def times(self, slot: int, factor: int) -> int:
        if factor == 1:
            return slot
        known = self.e.value_of(slot)
        if known is not None:
            return self.const(known * factor)
        to = self.e.temp()
        self.e.emit("MUL", to, slot, self.const(factor))
        return to

    def aligned(self, left: core.Expr, right: core.Expr) -> tuple[int, int, int]:
        a, b = self.number(left), self.number(right)
        common = lcm(a[1], b[1])
        return self.times(a[0], common // a[1]), self.times(b[0], common // b[1]), common

    def conditional_number(self, expr: core.Cond) -> tuple[int, int]:
        common = lcm(self.denominator(expr.then), self.denominator(expr.other))
        to, other, end = self.e.temp(), Label(), Label()
        with self.fork():
            self.branch(expr.condition, other, False)
            slot, denominator = self.number(expr.then)
            self.e.emit("MOV", to, self.times(slot, common // denominator))
            self.e.emit("JMP", end)
        self.e.place(other)
        with self.fork():
            slot, denominator = self.number(expr.other)
            self.e.emit("MOV", to, self.times(slot, common // denominator))
        self.e.place(end)
        return to, common

    def rounded(self, expr: core.Prim) -> int:
        inner = expr.args[0]
        if isinstance(inner, core.Prim) and inner.name == "/" and not isinstance(inner.args[1], core.Const):
            a, b = self.number(inner.args[0]), self.number(inner.args[1])
            above, below = self.times(a[0], b[1]), self.times(b[0], a[1])
        else:
            slot, denominator = self.number(inner)
            if denominator == 1:
                return slot
            above, below = slot, self.const(denominator)
        to = self.e.temp()
        if expr.name == "ceiling":
            self.e.emit("NEG", to, above)
            self.e.emit("FDIV", to, to, below)
            self.e.emit("NEG", to, to)
            return to
        if expr.name == "round":
            double = self.e.temp()
            self.e.emit("ADD", double, above, above)
            self.e.emit("ADD", double, double, below)
            below2 = self.e.temp()
            self.e.emit("ADD", below2, below, below)
            above, below = double, below2
        self.e.emit("FDIV", to, above, below)
        return to

    def scaled(self, expr: core.Expr) -> int:
        """An amount in units of the accounts; notes when they are too coarse for it."""
        slot, denominator = self.number(expr)
        self.finest = lcm(self.finest, denominator)
        return self.times(slot, max(self.scale // denominator, 1))

    # ---------------------------------------------------------------- branches

    def truth(self, expr: core.Expr) -> int:
        """A condition as 0 or 1."""
        to, end = self.e.temp(), Label()
        if isinstance(expr, core.Prim) and expr.name == "in":
            return self.members(*expr.args)
        with self.fork():
            self.e.emit("MOV", to, self.const(0))
            self.branch(expr, end, False)
            self.e.emit("MOV", to, self.const(1))
            self.e.place(end)
        return to

    def branch(self, expr: core.Expr, label: Label, when: bool) -> None:
        """Jumps if a condition is `when`; falls through if not."""
        match expr:
            case core.Const(value=value):
                if bool(value) is when:
                    self.e.emit("JMP", label)
            case core.Prim(name="not", args=(inner,)):
                self.branch(inner, label, not when)
            case core.Prim(name="and" | "or" as name, args=(left, right)):
                self.branch_logic(name, left, right, label, when)
            case core.Prim(name="<" | "<=" as name, args=(left, right)):
                self.branch_order(name, left, right, label, when)
            case core.Prim(name="is", args=(left, right)):
                self.branch_equal(left, right, label, when)
            case core.Prim(name="exists", args=(inner,)):
                self.e.emit("JNE" if when else "JEQ", self.value(inner), self.const(-1), label)
            case core.Prim(name="within", args=(part, whole)):
                self.branch_empty(core.Prim(whole.type, expr.span, "without", (part, whole)), label, when)
            case core.Prim(name="stronger", args=(one, other)):
                same = core.Prim(expr.type, expr.span, "follows", (one, other))
                self.branch_stronger(one, other, same, label, when)
            case core.Prim(name="follows", args=(one, other)):
                self.e.emit("JEQ" if when else "JNE", self.effective("suit", one), self.effective("suit", other), label)
            case core.Prim(name="earlier", args=(one, other)):
                self.e.emit("JNZ" if when else "JZ", self.earlier(one, other), label)
            case core.Quant(kind="some" | "every") if (cards := self.as_set(expr)) is not None:
                self.branch_empty(cards, label, when is (expr.kind == "every"))
            case _:
                self.e.emit("JNZ" if when else "JZ", self.value(expr), label)

    def branch_logic(self, name: str, left: core.Expr, right: core.Expr, label: Label, when: bool) -> None:
        if (name == "or") is when:  # either side decides
            self.branch(left, label, when)
            with self.fork():
                self.branch(right, label, when)
        else:
            skip = Label()
            self.branch(left, skip, not when)
            with self.fork():
                self.branch(right, label, when)
            self.e.place(skip)

    def branch_order(self, name: str, left: core.Expr, right: core.Expr, label: Label, when: bool) -> None:
        for things, number, empty in ((right, left, False), (left, right, True)):
            # `0 < size(x)` and `size(x) < 1` only ask whether x is empty.
            bound = {("<", False): 0, ("<=", False): 1, ("<", True): 1, ("<=", True): 0}[name, empty]
            if isinstance(things, core.Prim) and things.name == "size" and isinstance(number, core.Const) and number.value == bound:
                self.branch_empty(things.args[0], label, empty is when)
                return
        a, b, _ = self.aligned(left, right)
        if name == "<":
            self.e.emit("JLT" if when else "JGE", a, b, label)
        else:
            self.e.emit("JGE" if when else "JLT", b, a, label)

    def branch_equal(self, left: core.Expr, right: core.Expr, label: Label, when: bool) -> None:
        if isinstance(left, core.Prim) and left.name == "size" and isinstance(right, core.Const) and right.value == 0:
            self.branch_empty(left.args[0], label, when)
            return
        if left.type.kind == "number":
            a, b, _ = self.aligned(left, right)
            width = 1
        else:
            a, b, width = self.value(left), self.value(right), self.width(left.type)
        if width == 1:
            self.e.emit("JEQ" if when else "JNE", a, b, label)
            return
        differ = Label()
        for word in range(width):
            self.e.emit("JNE", a + word, b + word, differ if when else label)
        if when:
            self.e.emit("JMP", label)
            self.e.place(differ)

    def branch_stronger(self, one: core.Expr, other: core.Expr, same: core.Expr, label: Label, when: bool) -> None:
        skip = Label()
        self.branch(same, skip if when else label, False)
        with self.fork():
            a, b = self.effective("place", one), self.effective("place", other)
            self.e.emit("JLT" if when else "JGE", a, b, label)
        self.e.place(skip)
