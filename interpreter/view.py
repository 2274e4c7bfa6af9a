"""What a seat may know of a state: everything a bot, a page or an adapter is ever given."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from dsl.names import HIDDEN
from interpreter.action import Action
from interpreter.event import Event, sees
from interpreter.world import StateWorld


@dataclass(frozen=True, slots=True)
class PileView:
    """A pile as a seat knows it: how many cards, and those it knows to lie there.

    `order` lists a row's cards from bottom to top where the seat sees them, else it is empty.
    """

    name: str
    owner: int | None
    count: int
    cards: frozenset[int]
    order: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class View:
    """A seat's knowledge. Two states that differ only in what the seat cannot know have equal views.

    `trick_seats` are those who put down the cards of the trick in order, None for a card that nobody led;
    `trick_players` all who play to it.

    `opening` is the memory at the last shuffle of the whole pack, before a card was dealt, with the number of events
    that came before it; None for a position that was set up.
    """

    seat: int
    over: bool
    decider: int | None
    question: str | None
    legal: tuple[Action, ...]
    piles: tuple[PileView, ...]
    variables: tuple[tuple[str, Any], ...]
    accounts: tuple[tuple[str, tuple[Fraction, ...]], ...]
    trick_seats: tuple[int | None, ...]
    trick_players: frozenset[int]
    events: tuple[Event, ...]
    opening: tuple[tuple[int, ...], int] | None = None

    def pile(self, name: str, owner: int | None = None) -> PileView:
        """A pile by name and seat."""
        return next(p for p in self.piles if p.name == name and p.owner == owner)

    @property
    def hand(self) -> frozenset[int]:
        """The seat's own cards."""
        return self.pile("hand", self.seat).cards

    def variable(self, name: str) -> Any:
        """A variable that the seat sees, by name; one kept per seat is a tuple."""
        return dict(self.variables)[name]


def make_view(world: StateWorld, seat: int, over: bool, decider: int | None, question: str | None,
              legal: Callable[[], tuple[Action, ...]], events: tuple[Event, ...],
              opening: tuple[tuple[int, ...], int] | None) -> View:  # fmt: skip
    """The view of a seat; only the deciding seat sees what it is asked and what it may answer."""
    program = world.image.program
    mine = decider == seat
    known = world.knows(seat)
    piles = []
    for pile in program.piles:
        for owner in range(program.players) if pile.per_seat else (None,):
            cards = world.cards(pile, owner)
            open_to_seat = seat in sees(pile, owner, program.players)
            row = world.row(pile, owner) if pile.ordered and open_to_seat else ()
            piles.append(PileView(pile.name, owner, len(cards), cards if open_to_seat else cards & known, row))
    variables: list[tuple[str, Any]] = []
    for variable in program.variables:
        if variable.name in HIDDEN or variable.seen == "nobody":
            continue
        if not variable.per:
            variables.append((variable.name, world.variable(variable, None)))
        elif variable.seen == "owner":
            variables.append((variable.name, world.variable(variable, seat)))
        else:
            variables.append((variable.name, tuple(world.variable(variable, index) for index in range(program.count(variable.per)))))
    accounts = tuple(
        (account.name, tuple(world.balance(account, index) for index in range(program.count(account.per)))) for account in program.accounts
    )
    return View(
        seat=seat,
        over=over,
        decider=decider,
        question=question if mine else None,
        legal=legal() if mine else (),
        piles=tuple(piles),
        variables=tuple(variables),
        accounts=accounts,
        trick_seats=world.trick_seats(),
        trick_players=world.trick_players(),
        events=tuple(event.for_seat(seat) for event in events),
        opening=opening,
    )
