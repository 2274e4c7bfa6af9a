"""A pack of cards: suits, ranks, the cards that are left, and how each is written and named."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

MOST_CARDS = 128


@dataclass(frozen=True, slots=True)
class Suit:
    """A suit; names by language."""

    name: str
    letter: str
    colour: str
    symbol: str
    names: dict[str, str]


@dataclass(frozen=True, slots=True)
class Rank:
    """A rank by its symbol; `also` are other symbols accepted for it."""

    symbol: str
    also: tuple[str, ...]
    names: dict[str, str]


@dataclass(frozen=True)
class Deck:
    """The cards of a game, numbered from 0: suit by suit, in each the ranks in the deck's order.

    `cards[i]` is the pair of suit and rank indices of card i.
    """

    id: str
    suits: tuple[Suit, ...]
    ranks: tuple[Rank, ...]
    cards: tuple[tuple[int, int], ...]

    @cached_property
    def index(self) -> dict[tuple[int, int], int]:
        return {pair: number for number, pair in enumerate(self.cards)}

    @cached_property
    def suit_number(self) -> dict[str, int]:
        return {suit.name: number for number, suit in enumerate(self.suits)}

    @cached_property
    def rank_number(self) -> dict[str, int]:
        found = {rank.symbol: number for number, rank in enumerate(self.ranks)}
        for number, rank in enumerate(self.ranks):
            for other in rank.also:
                found.setdefault(other, number)
        return found

    @cached_property
    def by_text(self) -> dict[str, int]:
        """Every way to write a card: rank symbol then suit letter."""
        letters = {suit.letter: number for number, suit in enumerate(self.suits)}
        return {
            symbol + letter: self.index[suit, rank]
            for symbol, rank in self.rank_number.items()
            for letter, suit in letters.items()
            if (suit, rank) in self.index
        }

    @cached_property
    def classes(self) -> dict[str, frozenset[int]]:
        """Suit classes (colours) and the suits in each."""
        found: dict[str, set[int]] = {}
        for number, suit in enumerate(self.suits):
            if suit.colour:
                found.setdefault(suit.colour, set()).add(number)
        return {name: frozenset(suits) for name, suits in found.items()}

    @property
    def called(self) -> str:
        """The deck in a message."""
        return "the deck" if self.id == "own" else f"deck `{self.id}`"

    def __len__(self) -> int:
        return len(self.cards)

    def text(self, card: int) -> str:
        """A card as it is written, like `As` or `10d`."""
        suit, rank = self.cards[card]
        return self.ranks[rank].symbol + self.suits[suit].letter

    def suit_cards(self, suit: int) -> frozenset[int]:
        return frozenset(number for number, (s, _) in enumerate(self.cards) if s == suit)

    def rank_cards(self, rank: int) -> frozenset[int]:
        return frozenset(number for number, (_, r) in enumerate(self.cards) if r == rank)

    def name(self, card: int, language: str) -> str:
        """A card's name in a language, falling back to its symbols: `rey of copas`."""
        suit, rank = self.cards[card]
        rank_name = self.ranks[rank].names.get(language, self.ranks[rank].symbol)
        return f"{rank_name} of {self.suits[suit].names.get(language, self.suits[suit].name)}"
