"""What decided a condition: the few comparisons in it that mattered, with their values, hidden where a seat may not know them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from dsl import core
from dsl.evaluate import evaluate
from dsl.program import Program
from dsl.source import Span
from dsl.walk import parts
from interpreter.event import sees
from interpreter.world import StateWorld
from spadille.casefile.words import shown

Env = dict[core.Local, Any]
# What a comparison is called as it is written, turned round, and failing.
SIGNS = {"<": ("<", ">"), "<=": ("<=", ">="), "is": ("is", "is"), "in": ("in", "in"), "within": ("in", "in")}
FAILING = {"<": ">=", ">": "<=", "<=": ">", ">=": "<", "is": "is not", "in": "not in"}
MOST_ELEMENTS = 12
HIDDEN = "hidden"


@dataclass(frozen=True, slots=True)
class Line:
    """A line of an explanation: its text, how deep it stands, and the place in the ruleset that it speaks of."""

    text: str
    depth: int = 0
    span: Span | None = None

    @property
    def place(self) -> str:
        """File and line, or nothing."""
        return "" if self.span is None else f"{self.span.source.name}:{self.span.line}"


def flat(text: str) -> str:
    """Text on one line."""
    return " ".join(text.split())


class Facts:
    """Explains conditions in one world, to one seat or (None) to somebody who may see all cards."""

    def __init__(self, program: Program, world: StateWorld, seat: int | None = None) -> None:
        self.program = program
        self.world = world
        self.seat = seat
        self.open: set[core.Local] = set()  # members of a quantifier whose domain the seat sees

    # ------------------------------------------------------------------ values

    def value(self, expr: core.Expr, env: Env) -> str:
        """A value as people write it, or that it is hidden."""
        if self.hidden(expr, env, frozenset()):
            return HIDDEN
        return shown(self.program, expr.type, evaluate(expr, self.world, env))

    def hidden(self, expr: core.Expr, env: Env, bound: frozenset[core.Local]) -> bool:
        """Whether a value depends on what the seat may not know; where that is not certain, it does."""
        if self.seat is None:
            return False
        match expr:
            case core.Get(variable=variable, index=index):
                own = index is not None and not self.hidden(index, env, bound) and self.at(index, env) == self.seat
                if variable.seen == "nobody" or (variable.seen == "owner" and not own):
                    return True
            case core.CardsIn(pile=pile, index=index):
                owner = None if index is None else self.at(index, env)
                if self.seat not in sees(pile, owner if isinstance(owner, int) else None, self.program.players):
                    return True
            case core.Prim(name="size", args=(core.CardsIn(index=index),)):  # everybody may count cards
                return index is not None and self.hidden(index, env, bound)
            case core.Prim(name="holder"):
                return True
            case core.Bound(local=local):
                return local not in bound and local not in self.open and expr.type.kind not in ("seat", "side", "bid")
            case core.Quant(local=local, domain=domain, body=body):
                return self.hidden(domain, env, bound) or self.hidden(body, env, bound | {local})
        return any(self.hidden(part, env, bound) for part in parts(expr))

    def at(self, index: core.Expr, env: Env) -> Any:
        """The seat that an index means; None where it depends on a name that has no value yet."""
        try:
            return evaluate(index, self.world, env)
        except LookupError:
            return None

    # -------------------------------------------------------------- conditions

    def decided(self, expr: core.Expr, env: Env, depth: int = 0) -> Iterator[Line]:
        """The comparisons that made a condition hold or fail."""
        match expr:
            case core.Prim(name="and" | "or" as name, args=(left, right)):
                first = bool(evaluate(left, self.world, env))
                # `and` that holds and `or` that fails need both sides; otherwise one side was enough.
                if first is (name == "and"):
                    yield from self.decided(left, env, depth) if bool(evaluate(right, self.world, env)) is first else ()
                    yield from self.decided(right, env, depth)
                else:
                    yield from self.decided(left, env, depth)
            case core.Prim(name="not", args=(inner,)):
                yield from self.decided(inner, env, depth)
            case core.Cond(condition=condition, then=then, other=other):
                yield from self.decided(condition, env, depth)
                yield from self.decided(then if evaluate(condition, self.world, env) else other, env, depth)
            case core.Quant(kind="some" | "every"):
                yield from self.quantified(expr, env, depth)
            case core.Const():
                yield Line(f"{flat(expr.span.text)}: {'yes' if expr.value else 'no'}, by the options", depth, expr.span)
            case _:
                yield Line(f"{flat(expr.span.text)}: {self.compared(expr, env)}", depth, expr.span)

    def compared(self, expr: core.Expr, env: Env) -> str:
        """A comparison with values in the stead of names."""
        if isinstance(expr, core.Prim) and expr.name in SIGNS and len(expr.args) == 2:
            left, right = expr.args
            straight, turned = SIGNS[expr.name]
            if left.span.start > right.span.start and left.span.source.name == right.span.source.name and expr.name in ("<", "<="):
                left, right, straight = right, left, turned
            known = not self.hidden(expr, env, frozenset())
            sign = straight if not known or evaluate(expr, self.world, env) else FAILING[straight]
            return f"{self.value(left, env)} {sign} {self.value(right, env)}"
        return {"true": "yes", "false": "no"}.get(found := self.value(expr, env), found)

    def quantified(self, expr: core.Quant, env: Env, depth: int) -> Iterator[Line]:
        """The members for which it holds, or why each fails."""
        text = flat(expr.span.text)
        if self.hidden(expr, env, frozenset()):
            yield Line(f"{text}: {HIDDEN}", depth, expr.span)
            return
        self.open.add(expr.local)
        members = sorted(evaluate(expr.domain, self.world, env))
        holding = [one for one in members if evaluate(expr.body, self.world, {**env, expr.local: one})]
        wanted = expr.kind == "some"
        if bool(holding) and wanted:
            yield Line(f"{text}: {self.members(expr, holding)}", depth, expr.span)
            return
        if not wanted and len(holding) == len(members):
            yield Line(f"{text}: all of {self.members(expr, members)}" if members else f"{text}: there is none", depth, expr.span)
            return
        failing = [one for one in members if one not in holding]
        yield Line(f"{text}: {'none' if wanted else 'not'} {self.members(expr, failing)}".rstrip(), depth, expr.span)
        for one in failing[:MOST_ELEMENTS]:
            for line in self.decided(expr.body, {**env, expr.local: one}, depth + 1):
                yield Line(f"{self.members(expr, [one])}: {line.text}", line.depth, line.span)

    def members(self, expr: core.Quant, members: list[int]) -> str:
        element = expr.local.type
        return ", ".join(f"seat {one}" if element.kind == "seat" else shown(self.program, element, one) for one in members)
