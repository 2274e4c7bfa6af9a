"""What happened between two decisions, read from the kernel's log, and what each seat saw of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction

from dsl import core
from interpreter.lowering.image import Image
from interpreter.lowering.statements import FIRST_SAYING, SHOWN
from interpreter.opcodes import LOG_CURSOR, LOG_GAIN, LOG_MOVE, LOG_PAY, LOG_START, LOG_WIDTH, WORD, Table

Place = tuple[str, int | None]


@dataclass(frozen=True, slots=True)
class Event:
    """One happening.

    `kind` is "say" (an answer, in `word`), "move", "show", "pay", "trick" (`seat` won it) or a word that was
    announced. `source` and `target` are piles or accounts with their seat or side. `cards` are card numbers;
    `count` counts them where a seat may not see which. `seen` are the seats that saw the cards.
    """

    kind: str
    seat: int | None = None
    word: str = ""
    source: Place | None = None
    target: Place | None = None
    cards: tuple[int, ...] = ()
    count: int = 0
    amount: Fraction | None = None
    value: int | None = None
    seen: frozenset[int] = frozenset()
    # As those who saw the cards know it, and as others do: every view of a deal asks again.
    _open: Event | None = field(default=None, init=False, repr=False, compare=False)
    _shut: Event | None = field(default=None, init=False, repr=False, compare=False)

    def for_seat(self, seat: int) -> Event:
        """The event as a seat saw it: cards it could not see are only counted."""
        shown = seat in self.seen
        known = self._open if shown else self._shut
        if known is None:
            cards = self.cards if shown else ()
            source = self.source if cards or self.kind != "show" else None
            known = Event(self.kind, self.seat, self.word, source, self.target, cards, self.count, self.amount, self.value)
            object.__setattr__(self, "_open" if shown else "_shut", known)
        return known


class Places:
    """Names for addresses in memory."""

    def __init__(self, image: Image) -> None:
        program = image.program
        self.piles: dict[int, tuple[core.Pile, int | None]] = {}
        for pile, base in image.piles.items():
            for seat in range(program.players if pile.per_seat else 1):
                self.piles[base + seat * image.pile_strides[pile]] = (pile, seat if pile.per_seat else None)
        self.accounts: dict[int, Place] = {}
        for account, base in image.accounts.items():
            for index in range(program.count(account.per)):
                self.accounts[base + index] = (account.name, index if account.per else None)


def sees(pile: core.Pile, owner: int | None, players: int) -> frozenset[int]:
    """The seats that see the cards of a pile."""
    if pile.seen == "all":
        return frozenset(range(players))
    return frozenset((owner,)) if pile.seen == "owner" and owner is not None else frozenset()


def read_log(image: Image, places: Places, log: Table, memory: Table | None) -> list[Event]:
    """The events in a log, moves between the same piles taken together.

    `memory` is that after them, and tells where cards lay that were shown; None where the deal was begun again since.
    """
    events: list[Event] = []
    everybody = frozenset(range(image.program.players))
    at, end = LOG_START, log[LOG_CURSOR]
    while at < end:
        kind, x, y, z, w = log[at : at + LOG_WIDTH]
        at += LOG_WIDTH
        if kind == LOG_MOVE:
            cards = [x]
            while places.piles[z][0].name != "trick" and at < end and log[at] == LOG_MOVE and (log[at + 2], log[at + 3]) == (y, z):
                cards.append(log[at + 1])
                at += LOG_WIDTH
            events.append(_move(image, places, tuple(cards), y, z, w))
        elif kind in (LOG_PAY, LOG_GAIN):
            if z:
                source = places.accounts.get(x) if kind == LOG_PAY else None
                events.append(Event("pay", source=source, target=places.accounts[y], amount=Fraction(z, image.scale), seen=everybody))
        elif kind == SHOWN:
            shown = tuple(z * WORD + bit for bit in range(WORD) if x >> bit & 1)
            if shown:
                seen = frozenset(seat for seat in everybody if y >> seat & 1)
                events.append(Event("show", cards=shown, count=len(shown), seen=seen))
        elif kind >= FIRST_SAYING:
            word = image.sayings[kind - FIRST_SAYING]
            if word == "trick":
                events.append(Event("trick", seat=x, seen=everybody))
            else:
                events.append(Event("announce", seat=w, word=word, value=None if x < 0 else x, seen=everybody))
    if memory is None:
        return events
    return [
        _placed(event, events[number:], image, places, memory) if event.kind == "show" else event for number, event in enumerate(events)
    ]


def _placed(event: Event, later: Sequence[Event], image: Image, places: Places, memory: Table) -> Event:
    """A showing of cards with the pile where they lay then, if it was one."""
    spots: set[Place | None] = set()
    for card in event.cards:
        moved = next((move.source for move in later if move.kind == "move" and card in move.cards), None)
        word, bit = divmod(card, WORD)
        at = next(((pile.name, owner) for slot, (pile, owner) in places.piles.items() if memory[slot + word] >> bit & 1), None)
        spots.add(moved or at)
    return replace(event, source=spots.pop()) if len(spots) == 1 else event


def _move(image: Image, places: Places, cards: tuple[int, ...], p: int, q: int, seat: int) -> Event:
    (source, giver), (target, taker) = places.piles[p], places.piles[q]
    seen = sees(source, giver, image.program.players) | sees(target, taker, image.program.players)
    here, there = (source.name, giver), (target.name, taker)
    return Event("move", seat if seat >= 0 else None, "", here, there, cards, len(cards), seen=seen)


def described(event: Event, image: Image, names: Sequence[str]) -> str:
    """An event in one line, seats by the names given."""
    deck = image.program.deck

    def place(where: Place | None) -> str:
        if where is None:
            return "the bank"
        return where[0] if where[1] is None else f"{where[0]} of {names[where[1]] if where[1] < len(names) else where[1]}"

    cards = " ".join(deck.text(card) for card in event.cards) or f"{event.count} card{'s' * (event.count != 1)}"
    match event.kind:
        case "move":
            return f"{cards}: {place(event.source)} → {place(event.target)}"
        case "show":
            return f"{cards} shown"
        case "pay":
            return f"{place(event.source)} pays {event.amount} to {place(event.target)}"
        case "trick":
            return f"{names[event.seat or 0]} wins the trick"
        case "announce":
            return f"{names[event.seat or 0]}: {event.word}" + ("" if event.value is None else f" {event.value}")
    return f"{names[event.seat or 0]}: {event.word}"
