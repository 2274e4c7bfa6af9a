"""Rankings made into facts: under a way of ranking and a trump, each card's suit and strength.

A *way* is the ruleset's own ranking or a named one that a contract chooses. A *ranking number*
is `way * (suits + 1) + trump + 1`, trump -1 meaning none. Trumps that are no suit make one more
suit, numbered after those of the deck.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from dsl.deck import Deck


@dataclass(frozen=True, slots=True)
class Ranked:
    """Under one ranking number: the suit each card belongs to and its place (0 is the highest); -1 is no place.

    `trump` is the suit of the trumps, -1 if there are none; `named` the suit named as trump, which a ranking
    with trumps that are no suit does not heed.
    """

    trump: int
    suit: tuple[int, ...]
    place: tuple[int, ...]
    named: int
    trumps: frozenset[int] = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        trumps = (card for card, suit in enumerate(self.suit) if suit == self.trump >= 0)
        object.__setattr__(self, "trumps", frozenset(trumps))

    def beats(self, card: int, other: int) -> bool:
        """Whether a card is higher than another of the same suit."""
        return self.suit[card] == self.suit[other] >= 0 and self.place[card] < self.place[other]

    def followers(self, card: int) -> list[int]:
        """The cards of the suit that a card belongs to."""
        return [c for c, suit in enumerate(self.suit) if suit == self.suit[card] >= 0]

    def above(self, card: int) -> list[int]:
        """The cards of the same suit that are higher."""
        return [c for c in self.followers(card) if self.place[c] < self.place[card]]

    def strength(self, card: int, led: int) -> int:
        """What a card is worth when another was led: 0 if it cannot win, trumps above the suit led."""
        cards = len(self.suit)
        if self.suit[card] == self.trump and self.trump >= 0:
            return 2 * cards - self.place[card]
        if self.suit[card] == self.suit[led]:
            return cards - self.place[card]
        return 0

    def strengths(self) -> list[int]:
        """The strength of each card under each card led: a row for every lead."""
        numbers = range(len(self.suit))
        trumps = [self.strength(card, card) if card in self.trumps else 0 for card in numbers]
        led: dict[int, list[int]] = {}
        for card in numbers:
            if self.suit[card] not in led:
                led[self.suit[card]] = [trumps[other] or self.strength(other, card) for other in numbers]
        return [strength for suit in self.suit for strength in led[suit]]

    def order(self, suit: int) -> list[int]:
        """The cards of a suit, from high to low."""
        return sorted((c for c in range(len(self.suit)) if self.suit[c] == suit), key=lambda c: self.place[c])


@dataclass(frozen=True, slots=True)
class Rankings:
    """All ranking numbers of a ruleset; those whose orders do not place every card once are None."""

    deck: Deck
    ways: tuple[str, ...]
    ranked: tuple[Ranked | None, ...] = field(repr=False)

    def number(self, way: int, trump: int) -> int:
        return way * (len(self.deck.suits) + 1) + trump + 1

    def get(self, way: int, trump: int | None) -> Ranked | None:
        return self.ranked[self.number(way, -1 if trump is None else trump)]

    def trump_of(self, number: int) -> int | None:
        trump = number % (len(self.deck.suits) + 1) - 1
        return None if trump < 0 else trump

    def way_of(self, number: int) -> int:
        return number // (len(self.deck.suits) + 1)
