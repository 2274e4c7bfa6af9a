"""The slow, obvious evaluator of core expressions: builds the compiler's tables, answers why, checks cases.

It reads the game through a `World`: a state, or a bare ranking with named values for a table.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any, Protocol

from dsl import core
from dsl.deck import Deck
from dsl.facts import Ranked
from dsl.primitives import OPERATORS, TABLE


class World(Protocol):
    """What the evaluator may ask of a game."""

    deck: Deck
    players: int
    persons: int
    sides: tuple[frozenset[int], ...]
    side_of: tuple[int, ...]
    worth: tuple[Fraction, ...]
    bid_heights: tuple[int, ...]
    bid_numbers: tuple[int, ...]
    contract_of: tuple[int, ...]

    @property
    def ranked(self) -> Ranked: ...
    @property
    def eldest(self) -> int: ...
    def variable(self, variable: core.Variable, index: int | None) -> Any: ...
    def balance(self, account: core.Account, index: int | None) -> Fraction: ...
    def cards(self, pile: core.Pile, index: int | None) -> frozenset[int]: ...
    def row(self, pile: core.Pile, index: int | None) -> tuple[int, ...]: ...
    def holder(self, card: int) -> int: ...


Env = Mapping[core.Local, Any]
NO_LOCALS: Env = {}


def evaluate(expr: core.Expr, world: World, env: Env = NO_LOCALS) -> Any:
    """The value of an expression: int for whole things, Fraction, bool, frozenset, or None."""
    match expr:
        case core.Const(value=value):
            return value
        case core.Bound(local=local):
            return env[local]
        case core.Get(variable=variable, index=index):
            return _indexed(world.variable, variable, index, world, env)
        case core.Balance(account=account, index=index):
            return _indexed(world.balance, account, index, world, env)
        case core.CardsIn(pile=pile, index=index):
            return _indexed(world.cards, pile, index, world, env)
        case core.Cond(condition=condition, then=then, other=other):
            return evaluate(then if evaluate(condition, world, env) else other, world, env)
        case core.Quant():
            return _quantified(expr, world, env)
        case core.Ladder(rungs=rungs):
            return deciding_rung(rungs, world, env)[1]
        case core.Prim(name="and", args=(left, right)):
            return evaluate(left, world, env) and evaluate(right, world, env)
        case core.Prim(name="or", args=(left, right)):
            return evaluate(left, world, env) or evaluate(right, world, env)
        case core.Prim(name="top", args=(core.CardsIn(pile=pile, index=index),)):
            return (world.row(pile, None if index is None else evaluate(index, world, env)) or (None,))[-1]
        case core.Prim(name=name, args=args):
            body = OPERATORS[name] if name in OPERATORS else TABLE[name].body
            return body(world, *(evaluate(arg, world, env) for arg in args))
    raise TypeError(f"no evaluation for {type(expr).__name__}")


def deciding_rung(rungs: Iterable[core.Rung], world: World, env: Env = NO_LOCALS) -> tuple[core.Rung | None, frozenset[int]]:
    """The first rung that holds with a set that is not empty, and that set."""
    for rung in rungs:
        if rung.condition is None or evaluate(rung.condition, world, env):
            cards = evaluate(rung.must, world, env)
            if cards:
                return rung, cards
    return None, frozenset()


def _indexed(read: Any, thing: Any, index: core.Expr | None, world: World, env: Env) -> Any:
    if index is None:
        return read(thing, None)
    at = evaluate(index, world, env)
    if isinstance(at, frozenset):  # a side or several seats: their cards together, their numbers added
        values = [read(thing, seat) for seat in sorted(at)]
        if values and not isinstance(values[0], frozenset):
            return sum(values)
        return frozenset().union(*values)
    return read(thing, at)


def _quantified(expr: core.Quant, world: World, env: Env) -> Any:
    domain = sorted(evaluate(expr.domain, world, env))
    values = [(item, evaluate(expr.body, world, {**env, expr.local: item})) for item in domain]
    match expr.kind:
        case "some":
            return any(value for _, value in values)
        case "every":
            return all(value for _, value in values)
        case "count":
            return sum(1 for _, value in values if value)
        case "those":
            return frozenset(item for item, value in values if value)
        case "first":
            return next((item for item, value in values if value), None)
        case "total":
            return sum((value for _, value in values), 0)
        case "highest":
            return max(values, key=lambda pair: pair[1], default=(0, 0))[0]
        case _:
            return min(values, key=lambda pair: pair[1], default=(0, 0))[0]
