"""What is asked of the trick search at its root: the gain of every card, and a line of best play."""

from __future__ import annotations

from interpreter.opcodes import Vector
from interpreter.search.moves import choices
from interpreter.search.places import (
    ABOVE,
    BEST_CARD,
    BEST_SEAT,
    CARDS,
    LAST,
    LED,
    MOST_PLIES,
    OURS,
    PLY,
    POT,
    PRESENT,
    REST,
    SEAT,
    SEATS,
    SEEK,
    TABLE,
    TAIL,
    TRICK,
    TRUMP,
    WORTH,
)
from interpreter.search.tricks import GIVEN_UP, gain_of

KEPT = MOST_PLIES * PLY  # where a ply is put aside in `st`, and behind it the cards to try


def lay(par: Vector, tab: Vector, hands: Vector, st: Vector, card: int) -> int:
    """Play a card at ply 0; give what our side gains by it."""
    cards, seats, seat, trump = par[CARDS], par[SEATS], st[SEAT], par[TRUMP]
    hands[seat] ^= 1 << card
    if st[TABLE] == 0:
        st[LED] = st[BEST_CARD] = card
        st[BEST_SEAT] = seat
        st[POT] = 0
    else:
        best = st[BEST_CARD]
        if tab[ABOVE * cards + best] >> card & 1 or (trump >> card & 1 and not trump >> best & 1):
            st[BEST_CARD] = card
            st[BEST_SEAT] = seat
    st[POT] += tab[WORTH * cards + card]
    st[TABLE] += 1
    st[SEAT] = seat + 1 if seat + 1 < seats else 0
    if st[TABLE] < seats:
        return 0
    gain = st[POT] + par[TRICK]
    if hands[seat].bit_count() == par[TAIL]:
        gain += par[LAST]
    st[REST] -= gain
    st[TABLE] = 0
    st[POT] = 0
    st[SEAT] = st[BEST_SEAT]
    present = 0
    for k in range(seats):
        present |= hands[k]
    st[PRESENT] = present
    return gain if par[OURS] >> st[BEST_SEAT] & 1 else 0


def values(par: Vector, tab: Vector, seg: Vector, hands: Vector, st: Vector, mv: Vector, tt: Vector, history: Vector,
           guess: int, found: Vector) -> int:  # fmt: skip
    """Fill `found` with cards and their exact gains (a pair each), one card of each set of equals; give how many."""
    for n in range(PLY):
        st[KEPT + n] = st[n]
    count = choices(par, tab, hands, st, 0, mv, history, -1)
    for k in range(count):
        found[2 * k] = mv[2 * k]
    ours = par[SEEK] >> st[SEAT] & 1
    for k in range(count):
        card = found[2 * k]
        seat = st[SEAT]
        gain = lay(par, tab, hands, st, card)
        value = gain_of(par, tab, seg, hands, st, mv, tt, history, guess - gain)
        hands[seat] |= 1 << card
        for n in range(PLY):
            st[n] = st[KEPT + n]
        if value == GIVEN_UP:
            return GIVEN_UP
        found[2 * k + 1] = value + gain
        if k == 0 or (value + gain > guess if ours else value + gain < guess):
            guess = value + gain
    return count


def line(par: Vector, tab: Vector, seg: Vector, hands: Vector, st: Vector, mv: Vector, tt: Vector, history: Vector,
         value: int, found: Vector) -> int:  # fmt: skip
    """Fill `found` with the cards of a line of best play worth `value`; give how many. The position is played out."""
    count = 0
    while st[REST] > 0:
        for n in range(PLY):
            st[KEPT + n] = st[n]
        number = choices(par, tab, hands, st, 0, mv, history, -1)
        for k in range(number):
            st[KEPT + PLY + k] = mv[2 * k]
        at = -1
        for k in range(number):
            card = st[KEPT + PLY + k]
            seat = st[SEAT]
            gain = lay(par, tab, hands, st, card)
            rest = gain_of(par, tab, seg, hands, st, mv, tt, history, value - gain)
            if rest == GIVEN_UP:
                return GIVEN_UP
            if rest + gain == value:
                at = card
                value = rest
                break
            hands[seat] |= 1 << card
            for n in range(PLY):
                st[n] = st[KEPT + n]
        if at < 0:
            return GIVEN_UP
        found[count] = at
        count += 1
    return count


def search(par: Vector, tab: Vector, seg: Vector, hands: Vector, st: Vector, mv: Vector, tt: Vector, history: Vector,
           number: int, found: Vector, what: int) -> int:  # fmt: skip
    """The questions in one, so that they are compiled at once: 0 `values` and 2 the gain, from a guess; 1 `line` of a known gain."""
    if what == 0:
        return values(par, tab, seg, hands, st, mv, tt, history, number, found)
    if what == 2:
        return gain_of(par, tab, seg, hands, st, mv, tt, history, number)
    return line(par, tab, seg, hands, st, mv, tt, history, number, found)
