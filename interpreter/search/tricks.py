"""The search of the cards alone: how much one side gains from a position, by null windows over a table of positions.

Iterative, with one ply a card. Cards are bits; a suit's cards lie together, the highest last, and every
card that is not in a hand or on the table is gone. Positions are stored at the beginning of tricks under the holders
of the cards from high to low, so that only the order of those left counts.
"""

from __future__ import annotations

from interpreter.opcodes import Vector
from interpreter.search.moves import choices, quick, top_trumps
from interpreter.search.places import (
    ABOVE,
    BEST_CARD,
    BEST_SEAT,
    BUCKETS,
    CARD,
    CARDS,
    CHOICE,
    COUNT,
    ENTRY,
    FREE,
    GAIN,
    GOAL,
    HALF,
    KEY0,
    KEY1,
    LAST,
    LED,
    LIMIT,
    MOST_CHOICES,
    NEXT,
    NODES,
    OURS,
    PLY,
    POT,
    PRESENT,
    REST,
    SEAT,
    SEATS,
    SEEK,
    SEGMENT,
    SEGMENTS,
    STAMP,
    TABLE,
    TAIL,
    TRICK,
    TRUMP,
    VALUE,
    WORTH,
)

GIVEN_UP = -1
SPREAD0 = 0x5851F42D4C957F2D
SPREAD1 = 0x14057B7EF767814F
LOW62 = (1 << 62) - 1


def make_key(par: Vector, seg: Vector, hands: Vector, st: Vector, p: int) -> None:
    """Put the key of the position at a ply: leader, then the holders of the cards of each segment, from high to low."""
    seats = par[SEATS]
    word0, word1 = st[p + SEAT] + 1, 1
    h1, h2, h3 = hands[1], 0, 0
    if seats > 2:
        h2 = hands[2]
    if seats > 3:
        h3 = hands[3]
    present = st[p + PRESENT]
    for k in range(par[SEGMENTS]):
        left = present & seg[k * SEGMENT]
        code = 1
        while left:
            bit = left & -left
            left ^= bit
            if seats <= 4:
                holder = 1 if h1 & bit else 2 if h2 & bit else 3 if h3 & bit else 0
            else:
                holder = 0
                while not hands[holder] & bit:
                    holder += 1
            code = code * seats + holder
        if seg[k * SEGMENT + 1]:
            word1 = word1 * seg[k * SEGMENT + 2] + code
        else:
            word0 = word0 * seg[k * SEGMENT + 2] + code
    st[p + KEY0] = word0
    st[p + KEY1] = word1


def bucket(par: Vector, key0: int, key1: int) -> int:
    """Give the first of the two entries where a position may be."""
    mixed = ((key0 ^ key0 >> 29) * SPREAD0 ^ (key1 ^ key1 >> 31) * SPREAD1) & LOW62
    return ((mixed >> 24 ^ mixed >> 43) & par[BUCKETS] & ~1) * ENTRY


def remember(par: Vector, tt: Vector, st: Vector, p: int, low: int, high: int) -> None:
    """Store bounds of the gain from a ply on."""
    key0, key1, stamp = st[p + KEY0], st[p + KEY1], par[STAMP]
    at = bucket(par, key0, key1)
    other = at + ENTRY
    if not (tt[at] == key0 and tt[at + 1] == key1):
        if (tt[other] == key0 and tt[other + 1] == key1) or tt[at + 2] >> 34 == stamp:
            if not (tt[other] == key0 and tt[other + 1] == key1) and st[p + PRESENT].bit_count() > 20:
                # A position with many cards pushes the first one out: it took longest.
                tt[other] = tt[at]
                tt[other + 1] = tt[at + 1]
                tt[other + 2] = tt[at + 2]
            else:
                at = other
    choice = st[p + CHOICE]
    place = 63
    if tt[at] == key0 and tt[at + 1] == key1 and tt[at + 2] >> 34 == stamp:
        packed = tt[at + 2]
        place = packed >> 28 & 63
        low = max(low, packed & (HALF - 1))
        high = min(high, packed >> 14 & (HALF - 1))
    tt[at] = key0
    tt[at + 1] = key1
    if choice >= 0:
        place = (st[p + PRESENT] & ((1 << choice) - 1)).bit_count()
    tt[at + 2] = stamp << 34 | place << 28 | high << 14 | low


def ask(par: Vector, tab: Vector, seg: Vector, hands: Vector, st: Vector, mv: Vector, tt: Vector, history: Vector, goal: int) -> int:
    """Answer whether our side gains at least `goal` from the position at ply 0: a bound of its gain on that side of it.

    `st` holds seat, cards on the table, what is to be won, and the cards present of ply 0. Gives GIVEN_UP at the limit.
    """
    cards, seats, ours_mask, seek, trump = par[CARDS], par[SEATS], par[OURS], par[SEEK], par[TRUMP]
    nodes = par[NODES]
    limit = par[LIMIT]
    stamp = par[STAMP]
    tail = par[TAIL]
    st[GOAL] = goal
    p = 0
    value = 0
    mode = 0
    while True:
        if mode == 0:
            nodes += 1
            if nodes > limit:
                # Cards go back where they were.
                while p > 0:
                    p -= PLY
                    hands[st[p + SEAT]] ^= 1 << st[p + CARD]
                par[NODES] = nodes
                return GIVEN_UP
            seat = st[p + SEAT]
            first = -1
            if st[p + TABLE] == 0:
                goal = st[p + GOAL]
                rest = st[p + REST]
                done = 0
                if goal <= 0:
                    value = 0
                    done = 1
                elif goal > rest:
                    value = rest
                    done = 1
                else:
                    present = 0
                    for k in range(seats):
                        present |= hands[k]
                    st[p + PRESENT] = present
                    low = 0
                    high = rest
                    if tail == 0:
                        if par[FREE]:
                            gain = quick(par, tab, hands, seat, present)
                            if ours_mask >> seat & 1:
                                low = gain
                            else:
                                high = rest - gain
                        if trump:
                            gain = top_trumps(par, tab, hands, present)
                            if gain >= 0:
                                if ours_mask >> (gain & 15) & 1:
                                    low = max(low, gain >> 4)
                                else:
                                    high = min(high, rest - (gain >> 4))
                    if low >= goal:
                        value = low
                        done = 1
                    elif high < goal:
                        value = high
                        done = 1
                    else:
                        make_key(par, seg, hands, st, p)
                        at = bucket(par, st[p + KEY0], st[p + KEY1])
                        for _ in range(2):
                            if tt[at] == st[p + KEY0] and tt[at + 1] == st[p + KEY1] and tt[at + 2] >> 34 == stamp:
                                packed = tt[at + 2]
                                low = packed & (HALF - 1)
                                high = packed >> 14 & (HALF - 1)
                                if low >= goal:
                                    value = low
                                    done = 1
                                elif high < goal:
                                    value = high
                                    done = 1
                                else:
                                    place = packed >> 28 & 63
                                    if place < 63:
                                        left = present
                                        for _ in range(place):
                                            left &= left - 1
                                        first = (left & -left).bit_length() - 1
                                break
                            at += ENTRY
                if done:
                    mode = 2
                    continue
            st[p + COUNT] = choices(par, tab, hands, st, p, mv, history, first)
            st[p + NEXT] = 0
            st[p + CHOICE] = -1
            st[p + VALUE] = -1 if seek >> seat & 1 else HALF
            mode = 1
        elif mode == 1:
            n = st[p + NEXT]
            count = st[p + COUNT]
            if n == count:
                value = st[p + VALUE]
                if st[p + TABLE] == 0:
                    st[p + CHOICE] = -1
                    if seek >> st[p + SEAT] & 1:
                        remember(par, tt, st, p, 0, value)
                    else:
                        remember(par, tt, st, p, value, st[p + REST])
                mode = 2
                continue
            base = p // PLY * 2 * MOST_CHOICES
            at = n
            for k in range(n + 1, count):
                if mv[base + 2 * k + 1] > mv[base + 2 * at + 1]:
                    at = k
            card = mv[base + 2 * at]
            if at != n:
                weight = mv[base + 2 * at + 1]
                mv[base + 2 * at] = mv[base + 2 * n]
                mv[base + 2 * at + 1] = mv[base + 2 * n + 1]
                mv[base + 2 * n] = card
                mv[base + 2 * n + 1] = weight
            st[p + NEXT] = n + 1
            st[p + CARD] = card
            seat = st[p + SEAT]
            hands[seat] ^= 1 << card
            led = card
            best_card = card
            best_seat = seat
            if st[p + TABLE]:
                led = st[p + LED]
                best_card = st[p + BEST_CARD]
                best_seat = st[p + BEST_SEAT]
                if tab[ABOVE * cards + best_card] >> card & 1 or (trump >> card & 1 and not trump >> best_card & 1):
                    best_card = card
                    best_seat = seat
            pot = st[p + POT] + tab[WORTH * cards + card]
            q = p + PLY
            if st[p + TABLE] == seats - 1:
                gain = pot + par[TRICK]
                if hands[seat].bit_count() == tail:
                    gain += par[LAST]
                st[q + REST] = st[p + REST] - gain
                if not ours_mask >> best_seat & 1:
                    gain = 0
                st[q + TABLE] = 0
                st[q + SEAT] = best_seat
                st[q + POT] = 0
                st[q + GAIN] = gain
                st[q + GOAL] = st[p + GOAL] - gain
            else:
                st[q + TABLE] = st[p + TABLE] + 1
                st[q + SEAT] = seat + 1 if seat + 1 < seats else 0
                st[q + LED] = led
                st[q + BEST_CARD] = best_card
                st[q + BEST_SEAT] = best_seat
                st[q + POT] = pot
                st[q + GAIN] = 0
                st[q + GOAL] = st[p + GOAL]
                st[q + REST] = st[p + REST]
                st[q + PRESENT] = st[p + PRESENT]
            p = q
            mode = 0
        else:
            if p == 0:
                par[NODES] = nodes
                return value
            value += st[p + GAIN]
            p -= PLY
            card = st[p + CARD]
            seat = st[p + SEAT]
            hands[seat] ^= 1 << card
            cut = 0
            if seek >> seat & 1:
                if value > st[p + VALUE]:
                    st[p + VALUE] = value
                    st[p + CHOICE] = card
                    cut = value >= st[p + GOAL]
            elif value < st[p + VALUE]:
                st[p + VALUE] = value
                st[p + CHOICE] = card
                cut = value < st[p + GOAL]
            if cut:
                side = 0 if seek >> seat & 1 else 64
                history[side + card] += 4
                if st[p + TABLE] == 0:
                    if side == 0:
                        remember(par, tt, st, p, value, st[p + REST])
                    else:
                        remember(par, tt, st, p, 0, value)
                mode = 2
            else:
                mode = 1


def gain_of(par: Vector, tab: Vector, seg: Vector, hands: Vector, st: Vector, mv: Vector, tt: Vector, history: Vector, guess: int) -> int:
    """Give the exact gain of our side from the position at ply 0, or GIVEN_UP."""
    low = 0
    high = st[REST]
    value = min(max(guess, low), high)
    while low < high:
        goal = value + 1 if value == low else value
        value = ask(par, tab, seg, hands, st, mv, tt, history, goal)
        if value == GIVEN_UP:
            return GIVEN_UP
        if value >= goal:
            low = value
        else:
            high = value
    return low
