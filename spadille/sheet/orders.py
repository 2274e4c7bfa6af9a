"""What the cards are: the deck, how they rank under each trump, what they are worth."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from dsl.deck import Deck
from dsl.program import Program


def deck_facts(deck: Deck) -> dict[str, Any]:
    """The deck with the names of suits and ranks in every language it has."""
    return {
        "id": deck.id,
        "cards": len(deck),
        "suits": [{"name": s.name, "letter": s.letter, "symbol": s.symbol, "colour": s.colour, "names": dict(s.names)} for s in deck.suits],
        "ranks": [{"sign": r.symbol, "also": list(r.also), "names": dict(r.names)} for r in deck.ranks],
    }


def rankings(program: Program) -> list[dict[str, Any]]:
    """For each way of ranking and each trump, every suit's cards from high to low."""
    deck, found = program.deck, []
    for way, name in enumerate(program.rankings.ways):
        trumps = [*range(len(deck.suits)), None]
        known = [trump for trump in trumps if program.rankings.get(way, trump) is not None]
        # Where no suit is ever trumps, all rankings are the one without.
        plain = None in known and all(same_as_plain(program, way, trump) for trump in known)
        for trump in [None] if plain else known:
            ranked = program.rankings.get(way, trump)
            assert ranked is not None
            orders = {suit.name: [deck.text(card) for card in ranked.order(number)] for number, suit in enumerate(deck.suits)}
            if ranked.trump == len(deck.suits):
                orders = {"trumps": [deck.text(card) for card in ranked.order(ranked.trump)], **orders}
            found.append({"way": name, "trump": None if trump is None else deck.suits[trump].name, "orders": orders})
    return found


def same_as_plain(program: Program, way: int, trump: int | None) -> bool:
    """Whether the orders under a trump are those without one."""
    here, plain = program.rankings.get(way, trump), program.rankings.get(way, None)
    return here is not None and plain is not None and (here.suit, here.place) == (plain.suit, plain.place)


def worth_rows(program: Program) -> list[dict[str, Any]]:
    """Cards that count, by value: whole suits and ranks by name."""
    deck = program.deck
    values: dict[Fraction, set[int]] = {}
    for card, value in enumerate(program.worth):
        if value:
            values.setdefault(value, set()).add(card)
    rows = []
    for value, cards in sorted(values.items(), reverse=True):
        left, names = set(cards), []
        for suit, one in enumerate(deck.suits):
            if deck.suit_cards(suit) and deck.suit_cards(suit) <= left:
                names.append(one.name)
                left -= deck.suit_cards(suit)
        for rank, sign in enumerate(deck.ranks):
            if deck.rank_cards(rank) and deck.rank_cards(rank) <= left:
                names.append(sign.symbol)
                left -= deck.rank_cards(rank)
        names += [deck.text(card) for card in sorted(left)]
        rows.append({"cards": names, "worth": str(value)})
    return rows
