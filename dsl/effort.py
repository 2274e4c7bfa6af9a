"""How many steps the loops of an author may carry out at most: what is inside one another multiplies, and there is a bound."""

from __future__ import annotations

from collections.abc import Iterable

from dsl import core
from dsl.deck import Deck

# More than this keeps a player waiting; a deal of any game needs a few thousand.
MOST_STEPS = 400_000


def steps_of(body: Iterable[core.Stmt], players: int, deck: Deck) -> int:
    """The most steps that statements carry out, each question counted once: what follows it waits for an answer."""
    total = 0
    for stmt in body:
        total += 1
        match stmt:
            case core.While(most=core.Const(value=int() as most), body=inner):
                total += most * steps_of(inner, players, deck)
            case core.For(local=local, body=inner):
                total += {"card": len(deck), "seat": players, "suit": len(deck.suits), "rank": len(deck.ranks)}.get(local.type.kind, 8) * (
                    steps_of(inner, players, deck)
                )
            case core.If(then=then, other=other):
                total += max(steps_of(then, players, deck), steps_of(other, players, deck))
            case core.Ask(offers=offers):
                total += max((steps_of(offer.body, players, deck) for offer in offers), default=0)
            case core.Block(body=inner):
                total += steps_of(inner, players, deck)
    return total
