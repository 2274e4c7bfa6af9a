"""Expressions to instructions, part two: sets and quantifiers."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable

from dsl import core
from dsl import types as t
from interpreter.lowering.emitter import Label
from interpreter.lowering.tables import Mask, mentions
from interpreter.lowering.values import Values

SET_OPERATIONS = {"union": "OR", "meet": "AND", "without": "ANDN"}


class Sets(Values):
    """Adds set operations; a condition on cards becomes a mask where it can, a loop where it must."""

    def set_operation(self, name: str, left: core.Expr, right: core.Expr, type_: t.Type) -> int:
        a, b, width = self.value(left), self.value(right), self.width(type_)
        to = self.e.temp(width)
        for word in range(width):
            self.e.emit(SET_OPERATIONS[name], to + word, a + word, b + word)
        return to

    def one(self, item: core.Expr, type_: t.Type) -> int:
        width = self.width(type_)
        to = self.e.temp(width)
        if type_.kind in ("cards", "bids"):
            self.e.emit("CSET", to, self.value(item), width)
        else:
            self.e.emit("BIT", to, self.value(item))
        return to

    def members(self, item: core.Expr, whole: core.Expr) -> int:
        to = self.e.temp()
        self.e.emit("HAS", to, self.value(whole), self.value(item), self.width(whole.type))
        return to

    def size(self, things: core.Expr) -> int:
        count = self.count_slot(things)
        if count is not None:
            return count
        to = self.e.temp()
        self.e.emit("POP", to, self.value(things), self.width(things.type))
        return to

    def branch_empty(self, things: core.Expr, label: Label, when_empty: bool) -> None:
        """Jumps if a set is empty, or if it is not."""
        count = self.count_slot(things)
        if count is not None:
            self.e.emit("JZ" if when_empty else "JNZ", count, label)
            return
        at, width = self.value(things), self.width(things.type)
        if width == 1:
            self.e.emit("JZ" if when_empty else "JNZ", at, label)
        elif when_empty:
            some = Label()
            for word in range(width):
                self.e.emit("JNZ", at + word, some)
            self.e.emit("JMP", label)
            self.e.place(some)
        else:
            for word in range(width):
                self.e.emit("JNZ", at + word, label)

    # ------------------------------------------------------------------- masks

    def mask_expr(self, body: core.Expr, local: core.Local) -> core.Expr | None:
        """The set of cards for which a condition holds, written without the bound card; None if that cannot be done."""
        if self.tables.needs(body, local) is not None:
            return core.Prim(t.CARDS, body.span, "mask", (body, core.Bound(t.CARD, body.span, local)))
        if not mentions(body, local):
            everything = core.Const(t.CARDS, body.span, frozenset(range(len(self.program.deck))))
            return core.Cond(t.CARDS, body.span, body, everything, core.Const(t.CARDS, body.span, frozenset()))
        if isinstance(body, core.Prim):
            if body.name == "in" and not mentions(body.args[1], local) and body.args[0] == core.Bound(t.CARD, body.span, local):
                return body.args[1]
            parts = [self.mask_expr(arg, local) for arg in body.args] if body.name in ("and", "or", "not") else [None]
            if all(part is not None for part in parts):
                known = tuple(part for part in parts if part is not None)
                if body.name == "not":
                    everything = core.Const(t.CARDS, body.span, frozenset(range(len(self.program.deck))))
                    return core.Prim(t.CARDS, body.span, "without", (everything, *known))
                return core.Prim(t.CARDS, body.span, "meet" if body.name == "and" else "union", known)
        return None

    def mask(self, predicate: core.Expr, local: core.Local) -> int:
        found = self.tables.mask(predicate, local)
        assert found is not None
        return self.read_mask(found)

    def read_mask(self, mask: Mask) -> int:
        if not mask.by_ranking and not mask.by_lead:
            return mask.at
        to = self.e.temp(self.words)
        lead = self.layout.variables[self.program.variable("lead")]
        for word in range(self.words):
            if mask.by_ranking and mask.by_lead and self.words == 1:
                self.e.emit("TABR", to, mask.at, lead)
            elif mask.by_ranking and mask.by_lead:
                self.e.emit("TABR2", to + word, mask.at, lead, self.words, self.const(word))
            elif mask.by_ranking:
                self.e.emit("TABR", to + word, mask.at, self.const(word))
            else:
                self.e.emit("TAB2", to + word, mask.at, lead, self.words, self.const(word))
        return to

    # ------------------------------------------------------------- quantifiers

    def as_set(self, expr: core.Quant) -> core.Expr | None:
        """A quantifier over cards as one set, where its condition is a mask."""
        if expr.local.type.kind != "card" or expr.kind not in ("some", "every", "count", "those", "first"):
            return None
        mask = self.mask_expr(expr.body, expr.local)
        if mask is None:
            return None
        name = "without" if expr.kind == "every" else "meet"
        return core.Prim(t.CARDS, expr.span, name, (expr.domain, mask))

    def quantifier(self, expr: core.Quant) -> int:
        whole = self.as_set(expr)
        if whole is not None:
            return self.from_set(expr, whole)
        width, to = self.width(expr.type), self.e.temp(self.width(expr.type))
        best, found = self.e.temp(), self.e.temp()
        start = {"every": 1, "first": -1}.get(expr.kind, 0)
        for word in range(width):
            self.e.emit("MOV", to + word, self.const(start))
        self.e.emit("MOV", found, self.const(0))
        done = Label()

        def body(item: int) -> None:
            self.judge(expr, item, to, best, found, done)

        self.loop(expr.domain, expr.local, body)
        self.e.place(done)
        return to

    def from_set(self, expr: core.Quant, whole: core.Expr) -> int:
        if expr.kind == "those":
            return self.value(whole)
        if expr.kind == "count":
            return self.size(whole)
        to = self.e.temp()
        if expr.kind == "first":
            self.e.emit("LOW", to, self.value(whole), self.width(whole.type))
            return to
        end = Label()
        with self.fork():
            self.e.emit("MOV", to, self.const(int(expr.kind == "every")))
            self.branch_empty(whole, end, True)
            self.e.emit("MOV", to, self.const(int(expr.kind == "some")))
            self.e.place(end)
        return to

    def loop(self, domain: core.Expr, local: core.Local, body: Callable[[int], None]) -> None:
        """Runs code for each element of a set, lowest first."""
        width = self.width(domain.type)
        if isinstance(domain, core.Const) and isinstance(domain.value, frozenset) and len(domain.value) <= 8:
            for element in sorted(domain.value):
                self.locals[local] = self.const(element)
                with self.fork():
                    body(self.locals[local])
            return
        source, item = self.value(domain), self.e.temp()
        whole = self.e.temp(width)
        self.copy(whole, source, width)
        self.locals[local] = item
        again, end = Label(), Label()
        self.e.emit("MOV", item, self.const(-1))
        self.e.place(again)
        self.e.emit("NEXT", item, whole, width, item)
        self.e.emit("JEQ", item, self.const(-1), end)
        with self.fork():
            body(item)
        self.e.emit("JMP", again)
        self.e.place(end)

    def judge(self, expr: core.Quant, item: int, to: int, best: int, found: int, done: Label) -> None:
        """What one element changes in a quantifier's result."""
        next_one = Label()
        if expr.kind in ("some", "every", "count", "those", "first"):
            self.branch(expr.body, next_one, expr.kind == "every")
            if expr.kind == "count":
                self.e.emit("ADD", to, to, self.const(1))
            elif expr.kind == "those":
                one, width = self.e.temp(self.width(expr.type)), self.width(expr.type)
                self.e.emit(*(("CSET", one, item, width) if expr.type.kind in ("cards", "bids") else ("BIT", one, item)))
                for word in range(width):
                    self.e.emit("OR", to + word, to + word, one + word)
            else:
                answer = item if expr.kind == "first" else self.const(int(expr.kind == "some"))
                self.e.emit("MOV", to, answer)
                self.e.emit("JMP", done)
        else:
            number = self.number(expr.body)[0]
            if expr.kind == "total":
                self.e.emit("ADD", to, to, number)
            else:
                better = Label()
                self.e.emit("JZ", found, better)
                self.e.emit("JGE", *((best, number) if expr.kind == "highest" else (number, best)), next_one)
                self.e.place(better)
                self.e.emit("MOV", best, number)
                self.e.emit("MOV", to, item)
                self.e.emit("MOV", found, self.const(1))
        self.e.place(next_one)

    @abstractmethod
    def branch(self, expr: core.Expr, label: Label, when: bool) -> None:
        """Jumps if a condition is `when`; falls through if not."""

    @abstractmethod
    def number(self, expr: core.Expr) -> tuple[int, int]:
        """A number: the slot of its numerator, and its denominator."""
