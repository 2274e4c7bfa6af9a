"""The world before play: a deck, seats, sides and values, enough to carry out what is known in advance."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from dsl import core
from dsl.deck import Deck
from dsl.facts import Ranked


@dataclass(slots=True)
class StaticWorld:
    """A `World` without a deal: a ranking and values may be put in for a table of the compiler."""

    deck: Deck
    players: int
    sides: tuple[frozenset[int], ...] = ()
    side_of: tuple[int, ...] = ()
    worth: tuple[Fraction, ...] = ()
    bid_heights: tuple[int, ...] = ()
    bid_numbers: tuple[int, ...] = ()
    contract_of: tuple[int, ...] = ()
    ranking: Ranked | None = None
    lead: int | None = None
    persons: int = 0  # without a dummy; 0 means as many as there are seats

    def __post_init__(self) -> None:
        self.persons = self.persons or self.players

    @property
    def ranked(self) -> Ranked:
        if self.ranking is None:
            raise LookupError("no ranking is chosen")
        return self.ranking

    @property
    def eldest(self) -> int:
        raise LookupError("there is no eldest before a deal")

    def variable(self, variable: core.Variable, index: int | None) -> Any:
        if variable.name == "trump" and self.ranking is not None:
            return self.ranking.named if self.ranking.named >= 0 else None
        if variable.name == "lead":
            return self.lead
        raise LookupError(f"`{variable.name}` has no value before a deal")

    def balance(self, account: core.Account, index: int | None) -> Fraction:
        raise LookupError("there are no accounts before a deal")

    def cards(self, pile: core.Pile, index: int | None) -> frozenset[int]:
        raise LookupError("there are no piles before a deal")

    def row(self, pile: core.Pile, index: int | None) -> tuple[int, ...]:
        raise LookupError("there are no piles before a deal")

    def holder(self, card: int) -> int:
        raise LookupError("nobody holds a card before a deal")
