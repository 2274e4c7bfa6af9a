"""What the tables of a game and a view say: who plays together, what is sought, what is still out."""

from __future__ import annotations

from fractions import Fraction

from dsl.evaluate import evaluate
from dsl.facts import Ranked
from dsl.program import Program
from interpreter.game import Game
from interpreter.view import View
from interpreter.world import StateWorld

MUCH = 10


def high_is_good(game: Game) -> bool:
    """Whether the match is won by the highest score: asked of its rule, with one seat or side far ahead."""
    account = next((one for one in game.program.accounts if one.per), None)
    if account is None or game.program.winners is None:
        return True
    count = game.players if account.per == "seat" else len(game.program.sides)
    memory = game.memory(before={account.name: [MUCH, *[0] * (count - 1)]})
    first = {0} if account.per == "seat" else set(game.program.sides[0])
    try:
        return first <= set(evaluate(game.program.winners, StateWorld(game.image, memory)))
    except (LookupError, TypeError, ValueError):
        # The rule needs a position that a fresh match does not have.
        return True


def current_ranking(program: Program, view: View, trump: int | None = None, contract: int | None = None) -> Ranked | None:
    """The ranking of the contract being played, or of one thought of."""
    contract = view.variable("contract") if contract is None else contract
    trump = view.variable("trump") if trump is None else trump
    way = program.contracts[contract].way if contract is not None and program.contracts else 0
    return program.rankings.get(way, trump) or program.rankings.get(way, None)


def allies(program: Program, view: View) -> frozenset[int]:
    """The seats that win and lose with this one, as far as is known: its side, or all who oppose a declarer."""
    side = next((side for side in program.sides if view.seat in side), frozenset((view.seat,)))
    auction = program.rules.auction
    if len(side) > 1 or auction is None or auction.declarer is None:
        return side
    declarer = view.variable(auction.declarer.value)
    if not isinstance(declarer, int) or declarer == view.seat or program.contracts == ():
        return side
    return frozenset(range(program.players)) - {declarer}


def unseen(program: Program, view: View) -> frozenset[int]:
    """The cards whose place the seat does not know."""
    return frozenset(range(len(program.deck))).difference(*(pile.cards for pile in view.piles))


def masters(ranked: Ranked, hand: frozenset[int], out: frozenset[int]) -> frozenset[int]:
    """The cards of a hand that no unseen card of their suit beats."""
    return frozenset(card for card in hand if not any(ranked.beats(other, card) for other in out))


def strength(ranked: Ranked, hand: frozenset[int]) -> float:
    """About how many tricks a hand may win: a trump by its place, a plain card by how many cards stand above it."""
    return sum(promise(ranked, hand, card) for card in hand)


def promise(ranked: Ranked, hand: frozenset[int], card: int) -> float:
    """The chance, roughly, that a card wins a trick."""
    suit = ranked.order(ranked.suit[card])
    above = sum(1 for other in suit[: suit.index(card)] if other not in hand)
    return chance_below(above, ranked.suit[card] == ranked.trump >= 0)


def chance_below(above: int, trump: bool) -> float:
    """The chance, roughly, that a card wins a trick when so many of its suit stand above it."""
    return max(0.25, 1 - 0.15 * above) if trump else max(0.0, 0.9 - 0.35 * above)


def promises(program: Program) -> list[int]:
    """What each card promises in hundredths: first without trumps, then with each suit as trumps."""
    found: list[int] = []
    ways_known = len(program.rankings.ranked) // (len(program.deck.suits) + 1)
    for trump in (None, *range(len(program.deck.suits))):
        ways = [program.rankings.get(way, trump) for way in range(ways_known)]
        ranked = next((one for one in ways if one is not None), None)
        for card in range(len(program.deck)):
            if ranked is None or ranked.suit[card] < 0:
                found.append(0)
            else:
                place = ranked.order(ranked.suit[card]).index(card)
                found.append(round(100 * chance_below(place, ranked.suit[card] == ranked.trump >= 0)))
    return found


def worths(program: Program) -> tuple[Fraction, ...]:
    """What each card adds to a trick: its worth, or where cards have none, an equal share of one trick."""
    if any(program.worth):
        return program.worth
    return (Fraction(1, program.players),) * len(program.deck)
