"""The arithmetic of a deal: how many cards each pile gets, worked out before anybody plays."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from dsl import core
from dsl.diagnostics import Report
from dsl.source import Span
from dsl.turns import next_playing
from dsl.walk import all_parts, expressions, places, statements

Place = tuple[str, int | None]
Env = dict[core.Local, int]


MOST_STEPS = 20_000


class _Counts(dict[Place, int]):
    """Cards in each pile, how many steps were carried out, and who still plays, with seat 0 for the dealer."""

    steps = 0
    playing: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class _Short:
    """A step that finds too few cards, and in which pile."""

    span: Span
    pile: str


class _Unknown(Exception):
    """A step that depends on the cards dealt: then the counts are not known in advance."""


def check_deal(deal: tuple[core.Stmt, ...], later: Iterable[core.Stmt], cards: int, players: int, span: Span, report: Report) -> None:
    """Reports a deal that gives out more cards than there are, unequal hands, or cards left where nobody uses them."""
    counts = _Counts({("deck", None): cards})
    counts.playing = frozenset(range(players))
    try:
        short = _run(deal, counts, {}, players)
    except _Unknown:
        return
    if short is not None:
        has = f"the deck has {cards} cards" if short.pile == "deck" else f"`{short.pile}` has fewer cards"
        report.error("E501", f"the deal gives out more cards than there are: {has}", short.span, "no cards are left for this")
        return
    where = deal[-1].span if deal else span
    for name in dict.fromkeys(name for name, owner in counts if owner is not None):
        dealt = [seat for seat in range(players) if seat not in counts.playing and counts.get((name, seat), 0)]
        if dealt:
            report.error("E522", f"a seat that sits out is dealt {counts[name, dealt[0]]} cards", where, f"into `{name}`",
                         help="let it sit out before the cards are dealt")  # fmt: skip
            return
        hands = [counts.get((name, seat), 0) for seat in sorted(counts.playing)]
        if len(set(hands)) > 1:
            report.error("E515", f"the seats are dealt unequal numbers of cards: {', '.join(map(str, hands))}", where, f"into `{name}`")
            return
    left = counts["deck", None]
    if left and not _uses_deck(later):
        report.error("E501", f"{left} cards are left in the deck and never used", where, "the deal ends here",
                     help="move them to a pile, like `move all of deck to talon`")  # fmt: skip


def _uses_deck(stmts: Iterable[core.Stmt]) -> bool:
    for stmt in statements(stmts):
        if any(isinstance(place, core.PilePlace) and place.pile.name == "deck" for place in places(stmt)):
            return True
        for expr in expressions(stmt):
            if any(isinstance(part, core.CardsIn) and part.pile.name == "deck" for part in all_parts(expr)):
                return True
    return False


def _run(stmts: Iterable[core.Stmt], counts: _Counts, env: Env, players: int) -> _Short | None:
    """Carries out moves on counts; gives the place of the first that finds too few cards in the deck."""
    for stmt in stmts:
        counts.steps += 1
        if counts.steps > MOST_STEPS:
            raise _Unknown
        match stmt:
            case core.MoveTop(count=count, source=source, target=target):
                here, there = _place(source, env), _place(target, env)
                number = 1 if count is None else _number(count, counts, env)
                counts[here] = counts.get(here, 0) - number
                counts[there] = counts.get(there, 0) + number
                if counts[here] < 0:
                    return _Short(stmt.span, here[0])
            case core.MoveCards(cards=None, source=source, target=target):
                here, there = _place(source, env), _place(target, env)
                counts[there] = counts.get(there, 0) + counts.get(here, 0)
                counts[here] = 0
            case core.MoveCards() | core.If() | core.Ask() | core.Jump():
                raise _Unknown
            case core.While(most=core.Const(value=int(most)), condition=None, body=body):
                for _ in range(most if body else 0):
                    short = _run(body, counts, env, players)
                    if short is not None:
                        return short
            case core.Assign(variable=core.Variable(name="players"), value=value):
                counts.playing = _seats(value, counts, env, players)
            case core.For(local=local, domain=domain, body=body) if domain.type.kind == "seats":
                for seat in sorted(_seats(domain, counts, env, players)):
                    short = _run(body, counts, {**env, local: seat}, players)
                    if short is not None:
                        return short
            case core.While() | core.For():
                raise _Unknown
    return None


def _seats(expr: core.Expr, counts: _Counts, env: Env, players: int) -> frozenset[int]:
    """A set of seats, as far as it is known when seat 0 deals."""
    match expr:
        case core.Const(value=frozenset() as seats):
            return seats
        case core.Get(variable=core.Variable(name="players")):
            return counts.playing
        case core.Prim(name="one", args=(seat,)):
            return frozenset((_seat(seat, counts, env, players),))
        case core.Prim(name="union" | "without" | "meet" as name, args=(left, right)):
            one, other = (_seats(side, counts, env, players) for side in (left, right))
            return one | other if name == "union" else one - other if name == "without" else one & other
    raise _Unknown


def _seat(expr: core.Expr, counts: _Counts, env: Env, players: int) -> int:
    match expr:
        case core.Const(value=int(seat)):
            return seat
        case core.Get(variable=core.Variable(name="dealer")):
            return 0
        case core.Bound(local=local) if local in env:
            return env[local]
        case core.Prim(name="next_playing" | "previous_playing" as name, args=(_, seat)):
            return next_playing(players, counts.playing, _seat(seat, counts, env, players), 1 if name == "next_playing" else -1)
    raise _Unknown


def _place(place: core.PilePlace, env: Env) -> Place:
    match place.index:
        case None:
            return place.pile.name, None
        case core.Const(value=int(seat)):
            return place.pile.name, seat
        case core.Bound(local=local) if local in env:
            return place.pile.name, env[local]
    raise _Unknown


def _number(expr: core.Expr, counts: dict[Place, int], env: Env) -> int:
    match expr:
        case core.Const(value=int(number)):
            return number
        case core.Prim(name="size", args=(core.CardsIn(pile=pile, index=index),)):
            return counts.get(_place(core.PilePlace(pile, index), env), 0)
    raise _Unknown
