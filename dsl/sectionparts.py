"""What the sections of a ruleset are lowered with: variables, piles and numbers as core expressions, steps and conditions."""

from __future__ import annotations

from collections.abc import Callable

from dsl import core, tree
from dsl import types as t
from dsl.diagnostics import Report
from dsl.expressions import Expressions
from dsl.meanings import Wrong
from dsl.names import Names, Scope
from dsl.presence import true_facts
from dsl.ruleset import Ruleset, Steps
from dsl.statements import Statements, Stmts


class Parts:
    """Small words for statements; `rungs` collects the obligations in the order of their numbers."""

    def __init__(self, rules: Ruleset, names: Names, expressions: Expressions, statements: Statements, report: Report) -> None:
        self.rules = rules
        self.names = names
        self.expressions = expressions
        self.statements = statements
        self.report = report
        self.span = rules.span
        self.rungs: list[core.Rung] = []
        self.winners: core.Expr | None = None

    # ------------------------------------------------------------- small words

    def variable(self, name: str) -> core.Variable:
        thing = self.names.table[name].thing
        assert isinstance(thing, core.Variable)
        return thing

    def pile(self, name: str) -> core.Pile:
        thing = self.names.table[name].thing
        assert isinstance(thing, core.Pile)
        return thing

    def get(self, name: str, index: core.Expr | None = None) -> core.Expr:
        variable = self.variable(name)
        return core.Get(variable.type.present, self.span, variable, index)

    def number(self, value: int) -> core.Const:
        return core.Const(t.NUMBER, self.span, value)

    def set(self, name: str, value: core.Expr, index: core.Expr | None = None) -> core.Stmt:
        return core.Assign(self.span, self.variable(name), index, value)

    def prim(self, name: str, result: t.Type, *args: core.Expr) -> core.Expr:
        return self.expressions.prim(name, args, result, self.span)

    def plus_one(self, name: str, index: core.Expr | None = None) -> core.Stmt:
        return self.set(name, self.prim("+", t.NUMBER, self.get(name, index), self.number(1)), index)

    def steps(self, steps: Steps, scope: Scope | None = None) -> Stmts:
        return self.statements.steps(steps, scope or Scope())

    def expr(self, node: tree.Expr, want: t.Type, scope: Scope | None = None) -> core.Expr | None:
        try:
            return self.expressions.check(node, scope or Scope(), want)
        except Wrong:
            return None

    def when(self, node: tree.Expr | None, then: Callable[[Scope], Stmts], scope: Scope) -> Stmts:
        """Statements under a condition, or without one."""
        if node is None:
            return then(scope)
        condition = self.expr(node, t.TRUTH, scope)
        body = then(scope.knowing(true_facts(node)))
        if condition is None:
            return body
        probe = self.statements.probe
        body, other = (*probe(node.span, "holds", condition), *body), probe(node.span, "fails", condition)
        if isinstance(condition, core.Const):
            return body if condition.value else other
        return (core.If(node.span, condition, body, other),)
