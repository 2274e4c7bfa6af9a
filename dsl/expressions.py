"""Types and meanings of expressions: names and operators, and here what is said of some, every or the first of a set."""

from __future__ import annotations

from dsl import core, tree
from dsl import types as t
from dsl.meanings import MOST_IN_A_ROW
from dsl.mistakes import RESERVED
from dsl.names import Scope
from dsl.operators import Operators
from dsl.primitives import TABLE
from dsl.source import Span
from dsl.types import Type


class Expressions(Operators):
    """Checks expressions against the names of a ruleset."""

    # ------------------------------------------------------------- quantifiers

    def domain(self, node: tree.Expr, scope: Scope) -> core.Expr:
        """What a loop or a quantifier runs over: a set."""
        found = self.infer(node, scope, t.CARDS)
        if found.type.kind in ("suit", "rank", "card"):
            found = self.coerce(found, t.CARDS, node.span)
        elif found.type.kind in ("side", "seat"):
            found = self.coerce(found, t.SEATS, node.span)
        if not found.type.is_set:
            self.wrong("E402", f"a set is due to choose from, and this is {found.type}", node.span)
        return found

    def _quantified(self, node: tree.Quantified, scope: Scope, kind: str) -> core.Expr:
        domain = self.domain(node.domain, scope)
        name = node.name.text
        element = domain.type.element
        self.shadow(node.name, scope)
        self.bound.look(node.name, node.body)
        want = t.FRACTION if kind in ("total", "highest", "lowest") else t.TRUTH
        if isinstance(domain, core.Const) and isinstance(domain.value, frozenset) and element.kind not in ("card", "seat"):
            members = [core.Const(element, node.name.span, item) for item in sorted(domain.value)]
            bodies = [self.check(node.body, scope.with_local(name, member), want) for member in members]
            if kind in ("some", "every", "count", "total"):
                return self._unrolled(kind, bodies, node.span)
        local = core.Local(name, element)
        body = self.check(node.body, scope.with_local(name, core.Bound(element, node.name.span, local)), want)
        result = {"some": t.TRUTH, "every": t.TRUTH, "count": t.NUMBER, "those": domain.type, "first": element.or_none,
                  "total": body.type, "highest": element, "lowest": element}[kind]  # fmt: skip
        return core.Quant(result, node.span, kind, local, domain, body)

    def _unrolled(self, kind: str, bodies: list[core.Expr], span: Span) -> core.Expr:
        if len(bodies) > MOST_IN_A_ROW:  # halves keep the whole shallow
            half = len(bodies) // 2
            left, right = self._unrolled(kind, bodies[:half], span), self._unrolled(kind, bodies[half:], span)
            if kind in ("some", "every"):
                return self.logic("and" if kind == "every" else "or", left, right, span)
            return self.prim("+", (left, right), Type("number", whole=left.type.whole and right.type.whole), span)
        if kind in ("some", "every"):
            whole: core.Expr = core.Const(t.TRUTH, span, kind == "every")
            for body in bodies:
                whole = self.logic("and" if kind == "every" else "or", whole, body, span)
            return whole
        number: core.Expr = core.Const(t.NUMBER, span, 0)
        for body in bodies:
            if kind == "count":
                one, none = core.Const(t.NUMBER, span, 1), core.Const(t.NUMBER, span, 0)
                term: core.Expr = (
                    (one if body.value else none) if isinstance(body, core.Const) else core.Cond(t.NUMBER, span, body, one, none)
                )
            else:
                term = body
            if isinstance(number, core.Const) and number.value == 0:
                number = term
            elif not (isinstance(term, core.Const) and term.value == 0):
                number = self.prim("+", (number, term), Type("number", whole=number.type.whole and term.type.whole), span)
        return number

    def shadow(self, word: tree.Word, scope: Scope) -> None:
        """A bound name must be new: a second meaning would be read wrongly."""
        name = word.text
        if name in RESERVED:
            self.wrong("E305", f"`{name}` is a word of the language and cannot be a name", word.span, "choose another name")
        meaning = self.names.table.get(name)
        if meaning is not None or name in TABLE or name in scope.locals:
            what = "already bound here" if name in scope.locals else "already a name of the ruleset or the language"
            self.wrong("E209", f"`{name}` is {what}", word.span, "choose another name", about="" if name in scope.locals else name)

    def _some(self, node: tree.Some, scope: Scope, hint: Type | None) -> core.Expr:
        return self._quantified(node, scope, "some")

    def _every(self, node: tree.Every, scope: Scope, hint: Type | None) -> core.Expr:
        return self._quantified(node, scope, "every")

    def _count(self, node: tree.Count, scope: Scope, hint: Type | None) -> core.Expr:
        return self._quantified(node, scope, "count")

    def _those(self, node: tree.Those, scope: Scope, hint: Type | None) -> core.Expr:
        return self._quantified(node, scope, "those")

    def _first(self, node: tree.First, scope: Scope, hint: Type | None) -> core.Expr:
        return self._quantified(node, scope, "first")

    def _total(self, node: tree.Total, scope: Scope, hint: Type | None) -> core.Expr:
        return self._quantified(node, scope, "total")

    def _highest(self, node: tree.Highest, scope: Scope, hint: Type | None) -> core.Expr:
        return self._quantified(node, scope, "highest")

    def _lowest(self, node: tree.Lowest, scope: Scope, hint: Type | None) -> core.Expr:
        return self._quantified(node, scope, "lowest")
