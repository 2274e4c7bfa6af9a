"""The types of expressions: what a card player talks about, and sets of it."""

from __future__ import annotations

from dataclasses import dataclass, replace


@dataclass(frozen=True, slots=True)
class Type:
    """A type: its kind, for words the option they belong to, and whether it may be none.

    Kinds: truth, number, card, suit, rank, seat, side, bid, contract, outcome, word, and the sets of
    them written with an `s` (`cards`, `suits`, …), and pile, account (only as arguments).
    """

    kind: str
    of: str = ""
    optional: bool = False
    whole: bool = True

    @property
    def present(self) -> Type:
        """The same type without none."""
        return replace(self, optional=False) if self.optional else self

    @property
    def or_none(self) -> Type:
        """The same type, or none."""
        return replace(self, optional=True)

    @property
    def is_set(self) -> bool:
        return self.kind in ELEMENT_OF

    @property
    def element(self) -> Type:
        """The type of a set's elements."""
        return Type(ELEMENT_OF[self.kind])

    def __str__(self) -> str:
        words = {"truth": "yes or no", "word": f"a choice of option `{self.of}`", "number": "a number"}
        base = words.get(self.kind, ("" if self.is_set else "a ") + self.kind)
        if self.kind == "number" and not self.whole:
            base = "a number with fractions"
        return base + (" or none" if self.optional else "")


ELEMENT_OF = {"cards": "card", "suits": "suit", "ranks": "rank", "seats": "seat", "sides": "side", "bids": "bid"}
SET_OF = {element: kind for kind, element in ELEMENT_OF.items()}

TRUTH = Type("truth")
NUMBER = Type("number")
FRACTION = Type("number", whole=False)
CARD = Type("card")
CARDS = Type("cards")
SUIT = Type("suit")
SUITS = Type("suits")
RANK = Type("rank")
RANKS = Type("ranks")
SEAT = Type("seat")
SEATS = Type("seats")
SIDE = Type("side")
SIDES = Type("sides")
BID = Type("bid")
BIDS = Type("bids")
CONTRACT = Type("contract")
OUTCOME = Type("outcome")
PILE = Type("pile")
ACCOUNT = Type("account")
NONE = Type("none", optional=True)

# What an author may write as the type of a variable or a parameter.
BY_NAME = {
    "truth": TRUTH,
    "number": NUMBER,
    "fraction": FRACTION,
    "card": CARD,
    "cards": CARDS,
    "suit": SUIT,
    "suits": SUITS,
    "rank": RANK,
    "seat": SEAT,
    "seats": SEATS,
    "side": SIDE,
    "bid": BID,
    "contract": CONTRACT,
    "pile": PILE,
}
