"""Arithmetic, sets, comparisons and logic: their types, and their values where they are known."""

from __future__ import annotations

from fractions import Fraction

from dsl import core, tree
from dsl import types as t
from dsl.meanings import COERCIONS, Meanings
from dsl.names import Scope
from dsl.presence import false_facts, true_facts
from dsl.primitives import TABLE
from dsl.source import Span
from dsl.types import Type


class Operators(Meanings):
    """Adds the operators."""

    # -------------------------------------------------------------- arithmetic

    def _minus(self, node: tree.Minus, scope: Scope, hint: Type | None) -> core.Expr:
        value = self.check(node.value, scope, t.FRACTION)
        return self.prim("minus", (value,), value.type, node.span)

    def _binary(self, node: tree.Binary, scope: Scope, hint: Type | None) -> core.Expr:
        op = node.op.text
        left = self.infer(node.left, scope, t.CARDS if op in ("without", "&") else hint)
        if left.type.kind == "number" and op in ("+", "-", "*", "/", "mod"):
            return self._arithmetic(node, op, left, self.check(node.right, scope, t.FRACTION))
        if op in ("+", "without", "&", "-"):
            return self._set_operation(node, op, left, scope)
        self.wrong("E402", f"`{op}` works on numbers, and this is {left.type}", node.left.span)

    def _arithmetic(self, node: tree.Binary, op: str, left: core.Expr, right: core.Expr) -> core.Expr:
        whole = left.type.whole and right.type.whole
        if op in ("/", "mod"):
            if not isinstance(right, core.Const):
                if op == "/":
                    self.wrong("E410", "the divisor must be known before play", node.right.span, "not known")
            elif right.value == 0:
                self.wrong("E410", "nothing can be divided by zero", node.right.span)
            whole = whole and op == "mod"
        expr = self.prim(op, (left, right), Type("number", whole=whole), node.span)
        if isinstance(expr, core.Const) and isinstance(expr.value, Fraction) and expr.value.denominator == 1:
            return core.Const(t.NUMBER, node.span, int(expr.value))
        return expr

    def _set_operation(self, node: tree.Binary, op: str, left: core.Expr, scope: Scope) -> core.Expr:
        if op == "-":
            self.wrong("E402", f"`-` works on numbers, and this is {left.type}", node.left.span, help="for cards and seats write `without`")
        right = self.infer(node.right, scope, left.type)
        kinds = {left.type.kind, right.type.kind}
        want = next((Type(k) for k in ("cards", "seats", "suits", "ranks", "sides") if k in kinds), None)
        if want is None:
            want = t.SEATS if kinds <= {"seat", "side"} else t.CARDS
        name = {"+": "union", "without": "without", "&": "meet"}[op]
        return self.prim(name, (self.coerce(left, want, node.left.span), self.coerce(right, want, node.right.span)), want, node.span)

    # -------------------------------------------------------------- comparison

    def _pair(self, left: tree.Expr, right: tree.Expr, scope: Scope) -> tuple[core.Expr, core.Expr]:
        """Both sides of a comparison; the one that has a meaning of its own tells what the other one is."""
        loose = isinstance(left, tree.Name | tree.Number) and not self._standalone(left, scope)
        if loose and not (isinstance(right, tree.Name | tree.Number) and not self._standalone(right, scope)):
            second = self.infer(right, scope)
            return self.infer(left, scope, second.type.present), second
        first = self.infer(left, scope)
        return first, self.infer(right, scope, first.type.present)

    def _standalone(self, node: tree.Expr, scope: Scope) -> bool:
        if isinstance(node, tree.Name):
            return node.word.text in scope.locals or node.word.text in self.names.table
        return not isinstance(node, tree.Number)

    def _compare(self, node: tree.Compare, scope: Scope, hint: Type | None) -> core.Expr:
        left, right = self._pair(node.left, node.right, scope)
        if left.type.kind == "bid":
            left = self.prim("height", (self.coerce(left, t.BID, node.left.span),), t.NUMBER, node.left.span)
            right = self.prim("height", (self.coerce(right, t.BID, node.right.span),), t.NUMBER, node.right.span)
        left = self.coerce(left, t.FRACTION, node.left.span)
        right = self.coerce(right, t.FRACTION, node.right.span)
        op = node.op.text
        if op in (">", ">="):
            left, right, op = right, left, {">": "<", ">=": "<="}[op]
        return self.settled(node, self.prim(op, (left, right), t.TRUTH, node.span), scope)

    def settled(self, node: tree.Compare | tree.Equal | tree.Unequal, found: core.Expr, scope: Scope) -> core.Expr:
        """A comparison; one of two values that are written out has only one answer, and is a slip."""
        if isinstance(found, core.Const) and self._written_out(node.left, scope) and self._written_out(node.right, scope):
            self.wrong("E413", f"`{node.span.text}` is {'always' if found.value else 'never'} so", node.span, "both sides are written out",
                       help="one side should be something that play or an option decides")  # fmt: skip
        return found

    def _written_out(self, node: tree.Expr, scope: Scope) -> bool:
        """Whether a value reads nothing: no name of the ruleset or the language, only numbers, ranks, suits and cards."""
        match node:
            case tree.Number():
                return True
            case tree.Name(word=word):
                return word.text not in scope.locals and word.text not in self.names.table
            case tree.Minus(value=value):
                return self._written_out(value, scope)
            case tree.Binary(left=left, right=right):
                return self._written_out(left, scope) and self._written_out(right, scope)
            case tree.Call(name=name, args=args):
                return name.text in TABLE and bool(args) and all(self._written_out(arg, scope) for arg in args)
        return False

    def _equal(self, node: tree.Equal | tree.Unequal, scope: Scope, hint: Type | None) -> core.Expr:
        left, right = self._pair(node.left, node.right, scope)
        if left.type.kind == "none" or right.type.kind == "none":
            self.wrong("E402", "say `exists` to ask whether something is there", node.span, help="write `… exists` or `not … exists`")
        if left.type.kind != right.type.kind or left.type.of != right.type.of:
            words = [type_ for type_ in (left.type, right.type) if type_.kind == "word"]
            choices = ", ".join(self.names.contextual.get(f"word {words[0].of}", {})) if words else ""
            label = f"the choices are {choices}" if choices else ""
            help_ = self.bound.twin(node.left, left, scope) or self.bound.twin(node.right, right, scope)
            self.wrong("E411", f"{left.type} and {right.type} are never the same", node.span, label, help_)
        return self.settled(node, self.prim("is", (left, right), t.TRUTH, node.span), scope)

    def _unequal(self, node: tree.Unequal, scope: Scope, hint: Type | None) -> core.Expr:
        return self.prim("not", (self._equal(node, scope, hint),), t.TRUTH, node.span)

    def _member(self, node: tree.Member | tree.Nonmember, scope: Scope, hint: Type | None) -> core.Expr:
        whole = self.infer(node.right, scope, t.CARDS)
        if whole.type.kind in ("suit", "rank", "card") or (whole.type.kind == "suits" and not self._is_suit(node.left, scope)):
            whole = self.coerce(whole, t.CARDS, node.right.span)
        elif whole.type.kind == "side":
            whole = self.coerce(whole, t.SEATS, node.right.span)
        if not whole.type.is_set:
            help_ = "did you mean `is`?" if self.infer(node.left, scope, whole.type).type.kind == whole.type.kind else None
            self.wrong("E402", f"after `in` a set is due, and this is {whole.type}", node.right.span, help=help_)
        part = self.infer(node.left, scope, whole.type.element)
        self.bound.twin(node.left, part, scope)
        if part.type.kind == whole.type.element.kind:
            return self.prim("in", (self.coerce(part, whole.type.element, node.left.span), whole), t.TRUTH, node.span)
        return self.prim("within", (self.coerce(part, whole.type, node.left.span), whole), t.TRUTH, node.span)

    def _is_suit(self, node: tree.Expr, scope: Scope) -> bool:
        return self.infer(node, scope, t.SUIT).type.kind in ("suit", "suits")

    def _nonmember(self, node: tree.Nonmember, scope: Scope, hint: Type | None) -> core.Expr:
        return self.prim("not", (self._member(node, scope, hint),), t.TRUTH, node.span)

    def _exists(self, node: tree.Exists, scope: Scope, hint: Type | None) -> core.Expr:
        value = self.infer(node.value, scope)
        if not value.type.optional:
            name = node.value.span.text
            if isinstance(node.value, tree.Name) and name in scope.present:
                return core.Const(t.TRUTH, node.span, True)
            self.wrong("E412", f"`{name}` always exists", node.value.span)
        return self.prim("exists", (value,), t.TRUTH, node.span)

    # ------------------------------------------------------------------- logic

    def _negate(self, node: tree.Negate, scope: Scope, hint: Type | None) -> core.Expr:
        return self.prim("not", (self.check(node.value, scope, t.TRUTH),), t.TRUTH, node.span)

    def _both(self, node: tree.Both, scope: Scope, hint: Type | None) -> core.Expr:
        left = self.check(node.left, scope, t.TRUTH)
        right = self.check(node.right, scope.knowing(true_facts(node.left)), t.TRUTH)
        return self.logic("and", left, right, node.span)

    def _either(self, node: tree.Either, scope: Scope, hint: Type | None) -> core.Expr:
        left = self.check(node.left, scope, t.TRUTH)
        right = self.check(node.right, scope.knowing(false_facts(node.left)), t.TRUTH)
        return self.logic("or", left, right, node.span)

    def logic(self, name: str, left: core.Expr, right: core.Expr, span: Span) -> core.Expr:
        """`and` or `or`, shortened when one side is known."""
        neutral = name == "and"
        for one, other in ((left, right), (right, left)):
            if isinstance(one, core.Const):
                return other if one.value is neutral else core.Const(t.TRUTH, span, not neutral)
        return core.Prim(t.TRUTH, span, name, (left, right))

    def _conditional(self, node: tree.Conditional, scope: Scope, hint: Type | None) -> core.Expr:
        condition = self.check(node.when, scope, t.TRUTH)
        then = self.infer(node.then, scope.knowing(true_facts(node.when)), hint)
        other = self.infer(node.other, scope.knowing(false_facts(node.when)), hint or then.type)
        if then.type.kind == "none":
            then = core.Const(other.type.or_none, then.span, None)
        if other.type.kind == "none":
            other = core.Const(then.type.or_none, other.span, None)
        if then.type.kind != other.type.kind:
            for want in (then.type, other.type, t.CARDS):
                if all(x.type.kind == want.kind or (x.type.kind, want.kind) in COERCIONS for x in (then, other)):
                    then, other = self.coerce(then, want, node.then.span), self.coerce(other, want, node.other.span)
                    break
            else:
                self.wrong("E411", f"one way gives {then.type}, the other {other.type}", node.span)
        type_ = Type(then.type.kind, then.type.of, then.type.optional or other.type.optional, then.type.whole and other.type.whole)
        if isinstance(condition, core.Const):
            return then if condition.value else other
        return core.Cond(type_, node.span, condition, then, other)
