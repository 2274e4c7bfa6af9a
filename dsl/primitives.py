"""The table of primitives: every function usable in expressions, with its types, its words and its body.

A row gives the name, the parameter types, the result type, one line of documentation and the body
that the evaluator runs. The checker, the reference and the completion read the same row; the compiler
has one small template per row in `interpreter.lowering`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor
from typing import TYPE_CHECKING, Any

from dsl import types as t
from dsl.turns import in_turn, next_playing
from dsl.types import Type

if TYPE_CHECKING:
    from dsl.evaluate import World


@dataclass(frozen=True, slots=True)
class Primitive:
    """One function: `pure` means that it depends on its arguments and the deck alone."""

    name: str
    parameters: tuple[Type, ...]
    result: Type
    about: str
    body: Callable[..., Any]
    pure: bool = True


TABLE: dict[str, Primitive] = {}


def _row(name: str, parameters: tuple[Type, ...], result: Type, about: str, body: Callable[..., Any], pure: bool = True) -> None:
    TABLE[name] = Primitive(name, parameters, result, about, body, pure)


def _half_up(world: World, x: Fraction) -> int:
    return floor(Fraction(x) + Fraction(1, 2))


# ---------------------------------------------------------------------- cards
_row("suit", (t.CARD,), t.SUIT, "the suit printed on a card", lambda w, c: None if c is None else w.deck.cards[c][0])
_row("rank", (t.CARD,), t.RANK, "the rank printed on a card", lambda w, c: None if c is None else w.deck.cards[c][1])
_row("follows", (t.CARD, t.CARD), t.TRUTH, "whether a card belongs to the suit of the card led, trumps counted as a suit",
     lambda w, c, led: w.ranked.suit[c] == w.ranked.suit[led] >= 0, pure=False)  # fmt: skip
_row("stronger", (t.CARD, t.CARD), t.TRUTH, "whether a card is higher than another of the same suit, trumps counted as a suit",
     lambda w, c, d: w.ranked.beats(c, d), pure=False)  # fmt: skip
_row("worth", (t.CARDS,), t.FRACTION, "the value of cards, by the table `worth`",
     lambda w, cards: sum((w.worth[c] for c in cards), Fraction(0)))  # fmt: skip
_row("size", (t.CARDS,), t.NUMBER, "how many cards or seats there are", lambda w, cards: len(cards))
_row("top", (t.PILE,), t.CARD, "the top card of a pile that keeps its order", lambda w, pile: w.row(*pile)[-1], pure=False)
_row("holder", (t.CARD,), t.SEAT, "the seat whose hand holds a card; the eldest when no hand does",
     lambda w, c: w.holder(c), pure=False)  # fmt: skip
# ---------------------------------------------------------------------- seats
_row("next", (t.SEAT,), t.SEAT, "the seat after this one in playing order", lambda w, s: (s + 1) % w.persons)
_row("previous", (t.SEAT,), t.SEAT, "the seat before this one in playing order", lambda w, s: (s - 1) % w.persons)
_row("after", (t.SEAT, t.NUMBER), t.SEAT, "the seat a number of places later in playing order", lambda w, s, n: (s + int(n)) % w.persons)
_row("earlier", (t.SEAT, t.SEAT), t.TRUTH, "whether a seat comes before another, counted from the eldest",
     lambda w, a, b: (a - w.eldest) % w.persons < (b - w.eldest) % w.persons, pure=False)  # fmt: skip
_row("side", (t.SEAT,), t.SIDE, "the side a seat belongs to", lambda w, s: w.side_of[s])
_row("seats_of", (t.SIDE,), t.SEATS, "the seats of a side", lambda w, x: w.sides[x])
_row("other_side", (t.SIDE,), t.SIDE, "the side after this one: of two, the other", lambda w, x: (x + 1) % len(w.sides))
# -------------------------------------------------------------------- numbers
_row("number", (t.BID,), t.NUMBER, "the number that a bid says, 0 if it says a word", lambda w, bid: w.bid_numbers[bid])
_row("min", (t.FRACTION, t.FRACTION), t.FRACTION, "the smaller of two numbers", lambda w, a, b: min(a, b))
_row("max", (t.FRACTION, t.FRACTION), t.FRACTION, "the greater of two numbers", lambda w, a, b: max(a, b))
_row("floor", (t.FRACTION,), t.NUMBER, "the number without its fraction, rounded down", lambda w, x: floor(x))
_row("ceiling", (t.FRACTION,), t.NUMBER, "the number rounded up", lambda w, x: ceil(x))
_row("round", (t.FRACTION,), t.NUMBER, "the nearest whole number, halves up", _half_up)

# ------------------------------------------------------------------- operators
# They have signs of their own, so authors never call them by these names.
OPERATORS: dict[str, Callable[..., Any]] = {
    "+": lambda w, a, b: a + b,
    "-": lambda w, a, b: a - b,
    "*": lambda w, a, b: a * b,
    "/": lambda w, a, b: Fraction(a) / b if b else Fraction(0),
    "mod": lambda w, a, b: a % b if b else 0,
    "minus": lambda w, a: -a,
    "<": lambda w, a, b: a < b,
    "<=": lambda w, a, b: a <= b,
    "is": lambda w, a, b: a == b,
    "not": lambda w, a: not a,
    "exists": lambda w, a: a is not None,
    "in": lambda w, a, b: a in b,
    "within": lambda w, a, b: a <= b,
    "union": lambda w, a, b: a | b,
    "meet": lambda w, a, b: a & b,
    "without": lambda w, a, b: a - b,
    "one": lambda w, a: frozenset() if a is None else frozenset((a,)),
    "suit_cards": lambda w, suit: w.deck.suit_cards(suit),
    "rank_cards": lambda w, rank: w.deck.rank_cards(rank),
    "card": lambda w, suit, rank: w.deck.index.get((suit, rank)),
    "trumps": lambda w: w.ranked.trumps,
    "height": lambda w, bid: w.bid_heights[bid],
    "same_number": lambda w, bid: bid,
    "trick_winner": lambda w, leader: w.trick_winner(leader),
    "trick_place": lambda w: w.trick_place(),
    "in_turn": lambda w, players, seat, place: in_turn(w.order, players, seat, place),
    "next_playing": lambda w, players, seat: next_playing(w.persons, players, seat, 1),
    "previous_playing": lambda w, players, seat: next_playing(w.persons, players, seat, -1),
    "pair": lambda w, one, other: one * w.players + other,
    "contract_number": lambda w, contract, which: w.contract_numbers[which][contract],
    "contract_of": lambda w, bid: w.contract_of[bid],
    "known": lambda w, seat: w.knows(seat),
}  # fmt: skip
IMPURE_OPERATORS = frozenset(
    {"trumps", "trick_winner", "trick_place", "contract_number", "in_turn", "next_playing", "previous_playing", "pair", "known"}
)
