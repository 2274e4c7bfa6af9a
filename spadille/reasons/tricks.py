"""Why a trick was won: where each card stands in the order of its suit, and the line of the ruleset that says so."""

from __future__ import annotations

from collections.abc import Iterator

from dsl.orders import ROLES
from dsl.program import Program
from dsl.source import Span
from interpreter.world import StateWorld
from spadille.reasons.facts import Line


def why_won(program: Program, world: StateWorld, played: list[int], seats: list[int | None], winner: int) -> Iterator[Line]:
    """The cards of a trick in the order of play, each with who put it down (None if nobody led it) and what it could do."""
    ranked, deck = world.ranked, program.deck
    yield Line(f"seat {winner} won the trick")
    best = seats.index(winner) if winner in seats else 0
    led = deck.text(played[0])
    for number, card in enumerate(played):
        seat = seats[number]
        who = f"{deck.text(card)} of seat {seat}" if seat is not None else f"{deck.text(card)}, which opened the trick"
        suit = ranked.suit[card]
        if ranked.strength(card, played[0]) == 0:
            yield Line(f"{who}: neither a trump nor of the suit of {led}, cannot win" if ranked.trump >= 0 else
                       f"{who}: not of the suit of {led}, cannot win", 1)  # fmt: skip
            continue
        trump = suit == ranked.trump and ranked.trump >= 0
        kind = "trump" if trump else deck.suits[suit].name
        order = ranked.order(suit)
        place = f"number {ranked.place[card] + 1} of {len(order)} in {kind}" + (
            f" ({deck.suits[suit].name})" if trump and suit < len(deck.suits) else ""
        )
        wins = ", the highest" if number == best else ""
        role = "plain" if not trump else "trump" if suit < len(deck.suits) else "trumps"
        row = order_row(program, world.named("way"), role, suit)
        yield Line(f"{who}: {place}{wins}", 1, row)


def order_row(program: Program, way: int, role: str, suit: int) -> Span | None:
    """Where the order of a suit is written: the most particular row that fits."""
    deck, name = program.deck, program.rankings.ways[way]
    best: tuple[int, Span] | None = None
    for wanted in (role, "plain"):
        for key, _ in program.rules.ranking:
            words = key.value.split()
            breadth = 2
            if words[-1] in deck.suit_number:
                if deck.suit_number[words.pop()] != suit:
                    continue
                breadth = 0
            elif words[-1] in deck.classes:
                if suit not in deck.classes[words.pop()]:
                    continue
                breadth = 1
            own = words.pop() if words and words[-1] in ROLES else "plain"
            if own == wanted and (words[0] if words else "") == name and (best is None or breadth < best[0]):
                best = (breadth, key.span)
        if best is not None:
            return best[1]
    return None
