"""Around one trick: which cards are worth trying and in what order, and what can be had without a search."""

from __future__ import annotations

from interpreter.opcodes import Vector
from interpreter.search.places import (
    ABOVE,
    BEST_CARD,
    BEST_SEAT,
    BLOCK,
    CARDS,
    FOLLOWING,
    LEADING,
    LED,
    MOST_CHOICES,
    OURS,
    PLY,
    PRESENT,
    ROWS,
    SEAT,
    SEATS,
    SEEK,
    STRICT,
    SUIT,
    TABLE,
    TRICK,
    TRUMP,
    WORTH,
)

FIRST = 1 << 20  # weight of the card that was best before


def sure(par: Vector, tab: Vector, hands: Vector, card: int, led: int, seat: int, after: int, friends: int) -> int:
    """Tell whether no opponent among the next `after` seats can beat a card; a rule of thumb for the order of moves."""
    cards, trump, seats = par[CARDS], par[TRUMP], par[SEATS]
    bit = 1 << card
    suit = tab[SUIT * cards + led]
    above = tab[ABOVE * cards + card]
    for k in range(1, after + 1):
        other = (seat + k) % seats
        if friends >> other & 1:
            continue
        hand = hands[other]
        if bit & suit:
            if hand & above:
                return 0
            if hand & suit == 0 and suit != trump and hand & trump:
                return 0
        elif hand & suit == 0 and hand & above:
            return 0
    return 1


def choices(par: Vector, tab: Vector, hands: Vector, st: Vector, p: int, mv: Vector, history: Vector, first: int) -> int:
    """List the cards worth trying at a ply, one of each set of equals, each with its weight; give how many."""
    cards, seats, trump = par[CARDS], par[SEATS], par[TRUMP]
    seat, table, led = st[p + SEAT], st[p + TABLE], st[p + LED]
    hand = hands[seat]
    allowed = 0
    if table:
        at = ROWS * cards
        for _ in range(par[FOLLOWING]):
            if hand & tab[at + led]:
                allowed = hand & tab[at + cards + led]
                if allowed:
                    break
            at += 2 * cards
    else:
        at = (ROWS + 2 * par[FOLLOWING]) * cards
        for _ in range(par[LEADING]):
            if hand & tab[at]:
                allowed = hand & tab[at + 1]
                if allowed:
                    break
            at += 2
    present = st[p + PRESENT]
    base = p // PLY * 2 * MOST_CHOICES
    ours = par[SEEK] >> seat & 1
    friends = par[SEEK] if ours else ~par[SEEK]
    shunned = par[SEEK] != par[OURS]
    best = st[p + BEST_CARD]
    beating = 0
    friendly = 0
    if table:
        beating = tab[ABOVE * cards + best]
        if trump and not trump >> best & 1:
            beating |= trump
        friendly = friends >> st[p + BEST_SEAT] & 1
    count = 0
    left = allowed
    while left:
        bit = left & -left
        left ^= bit
        card = bit.bit_length() - 1
        higher = present & ~((bit << 1) - 1) & tab[BLOCK * cards + card]
        if higher & -higher & allowed:
            # The next card of its suit and kind is in this hand too: the higher of equals stands for both.
            run = tab[SUIT * cards + card] & present & ~((bit << 1) - 1)
            if run & -run == higher & -higher:
                continue
        height = (present & tab[ABOVE * cards + card]).bit_count()
        worth = tab[WORTH * cards + card]
        if table == 0:
            weight = 40 - height
            if sure(par, tab, hands, card, card, seat, seats - 1, friends):
                weight += 60
            elif trump >> card & 1:
                weight -= 10
        elif beating & bit:
            if sure(par, tab, hands, card, led, seat, seats - 1 - table, friends):
                weight = 100 + height if not friendly else 40 + height
            else:
                weight = 50 - height if not friendly else 10
            if trump >> card & 1 and not trump >> led & 1:
                weight -= 8
            weight += 8 * worth
        elif friendly:
            weight = 60 + height + 12 * worth
        else:
            weight = 30 + height - 12 * worth
        if shunned:
            weight = -weight
        weight = weight * 64 + min(history[(1 - ours) * 64 + card], 4_000)
        if card == first:
            weight += FIRST
        mv[base + 2 * count] = card
        mv[base + 2 * count + 1] = weight
        count += 1
    return count


def quick(par: Vector, tab: Vector, hands: Vector, seat: int, present: int) -> int:
    """Give what the leader gains at least by leading winners one after another."""
    cards, trump, seats, trick = par[CARDS], par[TRUMP], par[SEATS], par[TRICK]
    hand = hands[seat]
    ours = par[OURS] >> seat & 1
    gain = 0
    opposed = 0
    rounds = 64  # of plain suits, before a friend may have nothing but trumps left and takes the lead with one
    for k in range(1, seats):
        other = (seat + k) % seats
        if hands[other] & trump:
            if (par[OURS] >> other & 1) != ours:
                opposed = 1
            else:
                rounds = min(rounds, (hands[other] & ~trump).bit_count())
    left = hand
    while left:
        suit = tab[SUIT * cards + (left & -left).bit_length() - 1]
        left &= ~suit
        strict = par[STRICT] & suit
        if suit != trump and (opposed or rounds < 64) and not strict:
            continue
        most = 64
        longest = 0 if strict else 64
        for k in range(1, seats):
            other = (seat + k) % seats
            length = (hands[other] & suit).bit_count()
            longest = max(longest, length)
            if suit != trump and hands[other] & trump and (par[OURS] >> other & 1) != ours:
                most = min(most, length)
        if suit != trump:
            most = min(most, rounds)
        mine = hand & suit
        rest = present & suit
        count = 0
        while mine and count < most:
            bit = 1 << (mine.bit_length() - 1)
            if count < longest and bit != 1 << (rest.bit_length() - 1):
                break
            mine ^= bit
            rest &= bit - 1
            gain += trick + tab[WORTH * cards + bit.bit_length() - 1]
            count += 1
        if suit != trump:
            rounds = max(rounds - count, 0) if rounds < 64 else 64
    return gain


def top_trumps(par: Vector, tab: Vector, hands: Vector, present: int) -> int:
    """Give what the holder of the highest trumps gains with them, as gain * 16 + seat; -1 without trumps."""
    cards, rest = par[CARDS], present & par[TRUMP]
    if rest == 0:
        return -1
    bit = 1 << (rest.bit_length() - 1)
    seat = 0
    while not hands[seat] & bit:
        seat += 1
    gain = 0
    while rest:
        bit = 1 << (rest.bit_length() - 1)
        if not hands[seat] & bit:
            break
        rest ^= bit
        gain += par[TRICK] + tab[WORTH * cards + bit.bit_length() - 1]
    return gain * 16 + seat
