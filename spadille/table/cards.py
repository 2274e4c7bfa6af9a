"""How cards, suits and hands are written on a screen: with the deck's letters, in the language the player chose."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from dsl.deck import Deck
from dsl.facts import Ranked
from dsl.program import Program
from dsl.suggest import nearest

# One colour per symbol, so that four suits are told apart; the letter of the suit always stands beside it.
PAINT = {"♥": "\x1b[31m", "♦": "\x1b[33m", "♣": "\x1b[32m", "♠": "\x1b[36m"}
PLAIN = "\x1b[0m"
TRUMPS = "trumps"


def languages(deck: Deck) -> tuple[str, ...]:
    """The languages in which a deck has names."""
    names = [part.names for part in deck.suits] + [part.names for part in deck.ranks]
    return tuple(dict.fromkeys(language for one in names for language in one))


def check_language(deck: Deck, language: str | None) -> None:
    """Raises ValueError with a suggestion for a language without names."""
    known = languages(deck)
    if language is not None and language not in known:
        near = nearest(language, known)
        hint = f"did you mean `{near}`?" if near else f"there are {', '.join(known)}"
        raise ValueError(f"no {language} names for deck `{deck.id}`; {hint}")


@dataclass(frozen=True)
class CardNames:
    """Writes cards of a program's deck; `language` None means the deck's own names."""

    program: Program
    language: str | None = None
    colour: bool = False

    @property
    def deck(self) -> Deck:
        return self.program.deck

    @cached_property
    def ranks(self) -> tuple[str, ...]:
        """The sign of each rank: one that begins the rank's name in the language, if the deck accepts it."""
        signs = []
        for rank in self.deck.ranks:
            name = rank.names.get(self.language or "", "")
            signs.append(next((sign for sign in (rank.symbol, *rank.also) if name and sign == name[0].upper()), rank.symbol))
        return tuple(signs)

    def paint(self, suit: int, text: str) -> str:
        code = PAINT.get(self.deck.suits[suit].symbol, "") if suit < len(self.deck.suits) else ""
        return f"{code}{text}{PLAIN}" if self.colour and code else text

    def card(self, card: int) -> str:
        """A card as it may be typed: rank, then the letter of the suit."""
        suit, rank = self.deck.cards[card]
        return self.paint(suit, self.ranks[rank] + self.deck.suits[suit].letter)

    def cards(self, cards: Iterable[int]) -> str:
        return " ".join(self.card(card) for card in cards)

    def suit_text(self, suit: int) -> str:
        """A suit by symbol, letter and name, without colour; the number after the last suit is that of trumps that are none."""
        if suit == len(self.deck.suits):
            return TRUMPS
        one = self.deck.suits[suit]
        symbol = f"{one.symbol} " if one.symbol else ""
        return f"{symbol}{one.letter} {one.names.get(self.language or '', one.name)}"

    def suit(self, suit: int) -> str:
        return self.paint(suit, self.suit_text(suit))

    # ------------------------------------------------------------------- hands

    def groups(self, cards: Iterable[int], ranked: Ranked | None) -> list[tuple[int, list[int]]]:
        """Cards by the suit they belong to, trumps first, each from high to low in the ruleset's order."""
        held = set(cards)
        suits = range(len(self.deck.suits))
        if ranked is None:
            return [(suit, self.plain_order(suit, held)) for suit in suits if any(self.deck.cards[card][0] == suit for card in held)]
        order = sorted({*suits, *ranked.suit}, key=lambda suit: (suit != ranked.trump, suit))
        found = [(suit, [card for card in ranked.order(suit) if card in held]) for suit in order]
        return [(suit, row) for suit, row in found if row]

    def plain_order(self, suit: int, held: set[int]) -> list[int]:
        """The held cards printed with a suit, as they rank when another suit is trumps; those always above come first."""
        rankings = self.program.rankings
        ranked = next((one for number, one in enumerate(rankings.ranked) if one is not None and rankings.trump_of(number) != suit), None)
        mine = [card for card in held if self.deck.cards[card][0] == suit]
        if ranked is None:
            return sorted(mine)
        return sorted(mine, key=lambda card: (ranked.suit[card] == suit, ranked.place[card]))

    def hand(self, cards: Iterable[int], ranked: Ranked | None) -> list[str]:
        """One line per suit: its name, then the cards from high to low."""
        groups = self.groups(cards, ranked)
        titles = [self.suit_text(suit) for suit, _ in groups]
        if ranked is not None:
            titles = [f"{title} (trumps)" if suit == ranked.trump != len(self.deck.suits) else title
                      for (suit, _), title in zip(groups, titles, strict=True)]  # fmt: skip
        width = max(map(len, titles), default=0)
        rows = zip(groups, titles, strict=True)
        return [self.paint(suit, title) + " " * (width - len(title) + 2) + self.cards(row) for (suit, row), title in rows]

    def row(self, cards: Iterable[int], ranked: Ranked | None) -> str:
        """A hand in one line, suits set apart."""
        return "   ".join(self.cards(row) for _, row in self.groups(cards, ranked))
