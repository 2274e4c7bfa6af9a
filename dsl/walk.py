"""Walking a core program: the expressions of a statement, the parts of an expression, all statements."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from dsl import core


def parts(expr: core.Expr) -> tuple[core.Expr, ...]:
    """The expressions directly inside one."""
    match expr:
        case core.Prim(args=args):
            return args
        case core.Cond(condition=condition, then=then, other=other):
            return (condition, then, other)
        case core.Quant(domain=domain, body=body):
            return (domain, body)
        case core.Get(index=index) | core.Balance(index=index) | core.CardsIn(index=index):
            return () if index is None else (index,)
        case core.Ladder(rungs=rungs):
            return tuple(x for rung in rungs for x in (rung.condition, rung.must) if x is not None)
    return ()


def all_parts(expr: core.Expr) -> Iterator[core.Expr]:
    """An expression and everything inside it."""
    todo = [expr]
    while todo:
        found = todo.pop()
        yield found
        todo.extend(parts(found))


def size_and_depth(expr: core.Expr, most: int) -> tuple[int, int]:
    """How many nodes an expression has and how deep it is; counting ends a little after `most`."""
    size, deepest = 0, 0
    todo = [(expr, 1)]
    while todo and size <= most:
        node, depth = todo.pop()
        size += 1
        deepest = max(deepest, depth)
        todo.extend((part, depth + 1) for part in parts(node))
    return size, deepest


def places(stmt: core.Stmt) -> tuple[core.PilePlace | core.AccountPlace, ...]:
    """The piles and accounts that a statement changes."""
    match stmt:
        case core.MoveTop(source=source, target=target) | core.MoveCards(source=source, target=target):
            return (source, target)
        case core.Shuffle(place=place):
            return (place,)
        case core.Transfer(payer=payer, payee=payee):
            return (payee,) if payer is None else (payer, payee)
    return ()


def expressions(stmt: core.Stmt) -> tuple[core.Expr, ...]:
    """The expressions a statement evaluates itself, not those of the statements inside it."""
    found: list[core.Expr | None] = [place.index for place in places(stmt)]
    match stmt:
        case core.Assign(index=index, value=value):
            found += [index, value]
        case core.Bind(value=value):
            found.append(value)
        case core.MoveTop(count=count):
            found.append(count)
        case core.MoveCards(cards=cards):
            found.append(cards)
        case core.Show(cards=cards, seats=seats):
            found += [cards, seats]
        case core.Transfer(amount=amount):
            found.append(amount)
        case core.Say(value=value):
            found.append(value)
        case core.If(condition=condition):
            found.append(condition)
        case core.For(domain=domain, start=start):
            found += [domain, start]
        case core.While(condition=condition):
            found.append(condition)
        case core.Ask(who=who, offers=offers):
            found += [who, *(x for offer in offers for x in (offer.domain, offer.when))]
    return tuple(expr for expr in found if expr is not None)


def bodies(stmt: core.Stmt) -> tuple[tuple[core.Stmt, ...], ...]:
    """The lists of statements inside one."""
    match stmt:
        case core.If(then=then, other=other):
            return (then, other)
        case core.For(body=body) | core.While(body=body) | core.Block(body=body):
            return (body,)
        case core.Ask(offers=offers):
            return tuple(offer.body for offer in offers)
    return ()


def statements(stmts: Iterable[core.Stmt]) -> Iterator[core.Stmt]:
    """All statements, those inside others too."""
    for stmt in stmts:
        yield stmt
        for body in bodies(stmt):
            yield from statements(body)
