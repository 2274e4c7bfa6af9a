"""Tables of turns: for every set of seats that play, who is next; needed where seats may sit out or a dummy has a hand."""

from __future__ import annotations

from functools import cache

from dsl.program import Program
from dsl.turns import in_turn, next_playing, turn_order


def elements(mask: int) -> frozenset[int]:
    """The seats of a mask."""
    return frozenset(seat for seat in range(mask.bit_length()) if mask >> seat & 1)


def turn_rows(program: Program) -> list[int]:
    """The seat whose turn comes, by the dummy's place (where there is one), who plays, a seat and a number of turns."""
    return list(_turn_rows(program.persons, program.players))


@cache
def _turn_rows(persons: int, n: int) -> list[int]:
    orders = [turn_order(persons, after) for after in (range(persons) if persons < n else (None,))]
    return [
        in_turn(order, elements(mask), seat, place) for order in orders for mask in range(1 << n) for seat in range(n) for place in range(n)
    ]


def next_rows(program: Program, step: int) -> list[int]:
    """The next person's seat (step 1) or the previous one (step -1), by who plays and a seat."""
    n, persons = program.players, program.persons
    return [next_playing(persons, elements(mask), seat, step) for mask in range(1 << n) for seat in range(n)]


def order_rows(program: Program) -> list[int]:
    """The seat after each, whoever plays, by the dummy's place."""
    n, persons = program.players, program.persons
    return [in_turn(turn_order(persons, after), range(n), seat, 1) for after in range(persons) for seat in range(n)]
