"""Turns: the order of seats round the table, a dummy's hand among them, and those who sit out passed over."""

from __future__ import annotations

from collections.abc import Iterable

Order = tuple[int, ...]


def turn_order(persons: int, dummy_after: int | None) -> Order:
    """The seats in playing order from seat 0; a dummy is the seat after the last, and its turn comes after another's."""
    order = list(range(persons))
    if dummy_after is not None:
        order.insert(order.index(dummy_after % persons) + 1, persons)
    return tuple(order)


def in_turn(order: Order, players: Iterable[int], seat: int, place: int) -> int:
    """The seat whose turn is a number of places after a seat, which itself has place 0; those who sit out have no turn.

    If the seat sits out, place 0 is the next who plays. If all sit out it is the seat itself.
    """
    playing = frozenset(players)
    at = order.index(seat)
    turns = [one for one in (*order[at:], *order[:at]) if one in playing]
    return turns[place % len(turns)] if turns else seat


def next_playing(persons: int, players: Iterable[int], seat: int, step: int) -> int:
    """The next seat (step 1) or the previous one (step -1) that does not sit out, a dummy not counted; the seat itself if none."""
    playing = frozenset(players)
    for places in range(1, persons):
        other = (seat + step * places) % persons
        if other in playing:
            return other
    return seat
