"""The search of whole states: the kernel steps, so every rule holds (claims, accusations, called cards).

One party against the rest by alpha-beta, or every party for itself by max-n; both iterative, with a table of
positions under two hashes of what can still matter (`keep`). Values are whole numbers, worked out at the end of the deal.
"""

from __future__ import annotations

from interpreter.kernel import run
from interpreter.opcodes import (
    CHANCE,
    DEAL_OVER,
    DECISION,
    MATCH_OVER,
    SLOT_ACTION,
    SLOT_LEGAL,
    SLOT_RNG,
    SLOT_SEAT,
    SLOT_STATUS,
    WORD,
    Table,
    Vector,
)

# ---------------------------------------------------------------- parameters
STATE = 0  # slots of a state
ANSWERS = 1  # words of the legal set
CARDS = 2  # cards of the deck
WORDS = 3  # words of a set of cards
PARTIES = 4
ALONE = 5  # 1: every party for itself; 0: party 0 against the rest
WHOLE = 6  # 1: answers that end the play before the last card are left out where there are others
BUCKETS = 7  # entries of the table less one: a power of two less one
STAMP = 8
LIMIT = 9
NODES = 10
HANDS = 11  # slot of the first hand
STRIDE = 12  # slots from one hand to the next
SEATS = 13
KEEP = 14  # how many slots the key reads
COUNTED = 15  # how many piles count in the key by what they are worth
DEPTH = 16  # plies for which there is room
PARAMETERS = 17

# ---------------------------------------------------------------- a ply
MOVER = 0  # the party that decides
ALPHA = 1
BETA = 2
LOW = 3  # the window at first
HIGH = 4
BEST = 5
NEXT = 6
COUNT = 7
ANSWER = 8
CHOICE = 9
KEY0 = 10
KEY1 = 11
EARLY = 12  # the best answer that ends the play early, used where there is no other
EARLY_CHOICE = 13
AHEAD = 14  # 1 while the answer being tried may be one that ends the play early
PLY = 15
MOST_PARTIES = 8
MOST_CHOICES = 640

# Entry of the table: two keys, stamp and answer, then two bounds or the value of every party.
ENTRY = 3 + MOST_PARTIES

INFINITE = 1 << 60
FINE, GIVEN_UP, CHANCY, BROKEN, DEEP = 0, 1, 2, 3, 4
LOW62 = (1 << 62) - 1
SPREAD0 = 0x5851F42D4C957F2D
SPREAD1 = 0x14057B7EF767814F


def worth_of(par: Vector, mem: Vector, worth: Table, slot: int) -> int:
    """Add up what the cards of the set at a slot count."""
    total = 0
    for word in range(par[WORDS]):
        left = mem[slot + word]
        while left:
            low = left & -left
            left ^= low
            total += worth[WORD * word + low.bit_length() - 1]
    return total


def leaf(par: Vector, mem: Vector, worth: Table, ends: Table, party: int) -> int:
    """Give what a party has at the end: `ends` lists party, slot, factor, and 1 where the slot is a set of cards."""
    total = 0
    for k in range(1, 1 + 4 * ends[0], 4):
        if ends[k] == party:
            if ends[k + 3]:
                total += ends[k + 2] * worth_of(par, mem, worth, ends[k + 1])
            else:
                total += ends[k + 2] * mem[ends[k + 1]]
    return total


def hash_state(par: Vector, mem: Vector, worth: Table, keep: Table, fr: Vector, p: int) -> None:
    """Put two hashes of the state in `mem` into a ply: slots that matter, and piles by what they are worth together."""
    first, second = 1, 2
    for k in range(par[KEEP]):
        value = mem[keep[k]]
        first = ((first ^ value) * SPREAD0 + 1) & LOW62
        first ^= first >> 29
        second = ((second + value) * SPREAD1 + 3) & LOW62
        second ^= second >> 31
    at = par[KEEP]
    total = 0
    for k in range(par[COUNTED]):
        # Piles of one group follow one another; the last of a group carries a mark.
        total += worth_of(par, mem, worth, keep[at + 2 * k])
        if keep[at + 2 * k + 1]:
            first = ((first ^ total) * SPREAD0 + 1) & LOW62
            first ^= first >> 29
            second = ((second + total) * SPREAD1 + 3) & LOW62
            second ^= second >> 31
            total = 0
    fr[p + KEY0] = first
    fr[p + KEY1] = second


def place_of(par: Vector, tt: Vector, fr: Vector, p: int) -> int:
    """Give the entry for a ply: its own, or the one of two to be overwritten."""
    at = (fr[p + KEY0] ^ fr[p + KEY1] >> 20) & par[BUCKETS] & ~1
    at *= ENTRY
    other = at + ENTRY
    if tt[at] == fr[p + KEY0] and tt[at + 1] == fr[p + KEY1]:
        return at
    if tt[other] == fr[p + KEY0] and tt[other + 1] == fr[p + KEY1]:
        return other
    return at if tt[at + 2] >> 16 != par[STAMP] else other


def list_answers(par: Vector, mem: Vector, mv: Vector, fr: Vector, p: int, history: Vector, first: int) -> None:
    """List the legal answers of a ply with their weights."""
    base = p // PLY * 2 * MOST_CHOICES
    count = 0
    for word in range(par[ANSWERS]):
        left = mem[SLOT_LEGAL + word]
        while left:
            low = left & -left
            left ^= low
            answer = WORD * word + low.bit_length() - 1
            if count < MOST_CHOICES:
                mv[base + 2 * count] = answer
                mv[base + 2 * count + 1] = 0
                if par[ALONE] == 0:
                    side = 0 if fr[p + MOVER] == 0 else MOST_CHOICES
                    mv[base + 2 * count + 1] = history[side + answer] if answer != first else INFINITE
                count += 1
    fr[p + COUNT] = count
    fr[p + NEXT] = 0


def pick(mv: Vector, base: int, n: int, count: int) -> int:
    """Bring the heaviest of the answers from the n-th on to the n-th place, the earliest of equals; give it."""
    at = n
    for k in range(n + 1, count):
        if mv[base + 2 * k + 1] > mv[base + 2 * at + 1]:
            at = k
    answer = mv[base + 2 * at]
    weight = mv[base + 2 * at + 1]
    mv[base + 2 * at] = mv[base + 2 * n]
    mv[base + 2 * at + 1] = mv[base + 2 * n + 1]
    mv[base + 2 * n] = answer
    mv[base + 2 * n + 1] = weight
    return answer


def cards_left(par: Vector, mem: Vector) -> int:
    """Tell whether a hand still holds a card."""
    for seat in range(par[SEATS]):
        for word in range(par[WORDS]):
            if mem[par[HANDS] + seat * par[STRIDE] + word]:
                return 1
    return 0


def explore(code: Table, tab: Table, mem: Vector, log: Vector, par: Vector, worth: Table, ends: Table, keep: Table, party_of: Table,
            states: Vector, fr: Vector, mv: Vector, tt: Vector, history: Vector, vals: Vector) -> int:  # fmt: skip
    """Search from the state in `mem`; the value of every party (of party 0, if not alone) is left in `vals`.

    `states` has room for DEPTH + 1 states. Gives FINE or why there is no value.
    """
    size, limit, stamp, alone = par[STATE], par[LIMIT], par[STAMP], par[ALONE]
    parties = par[PARTIES] if alone else 1
    seed0, seed1 = mem[SLOT_RNG], mem[SLOT_RNG + 1]
    nodes = par[NODES]
    p = 0
    d = 0  # the depth: p = d * PLY; values of a child lie at vals[(d + 1) * MOST_PARTIES]
    mode = 0
    fr[ALPHA] = -INFINITE
    fr[BETA] = INFINITE
    while True:
        if mode == 0:
            nodes += 1
            status = mem[SLOT_STATUS]
            v = d * MOST_PARTIES
            if nodes > limit or status not in (DECISION, DEAL_OVER, MATCH_OVER) or d >= par[DEPTH]:
                par[NODES] = nodes
                return GIVEN_UP if nodes > limit else DEEP if d >= par[DEPTH] else CHANCY if status == CHANCE else BROKEN
            if mem[SLOT_RNG] != seed0 or mem[SLOT_RNG + 1] != seed1:
                par[NODES] = nodes
                return CHANCY
            if status != DECISION:
                for k in range(parties):
                    vals[v + k] = leaf(par, mem, worth, ends, k)
                if d:
                    q = p - PLY
                    fr[q + AHEAD] = 1 if fr[q + AHEAD] and cards_left(par, mem) else 0
                mode = 2
                continue
            if d:
                fr[p - PLY + AHEAD] = 0
            mem[SLOT_ACTION] = 0
            fr[p + MOVER] = party_of[mem[SLOT_SEAT]]
            hash_state(par, mem, worth, keep, fr, p)
            at = place_of(par, tt, fr, p)
            first = -1
            known = 0
            if tt[at] == fr[p + KEY0] and tt[at + 1] == fr[p + KEY1] and tt[at + 2] >> 16 == stamp:
                if alone:
                    for k in range(parties):
                        vals[v + k] = tt[at + 3 + k]
                    known = 1
                else:
                    first = (tt[at + 2] & 65535) - 1
                    low, high = tt[at + 3], tt[at + 4]
                    if low >= fr[p + BETA] or low == high:
                        vals[v] = low
                        known = 1
                    elif high <= fr[p + ALPHA]:
                        vals[v] = high
                        known = 1
            if known:
                mode = 2
                continue
            for k in range(size):
                states[d * size + k] = mem[k]
            list_answers(par, mem, mv, fr, p, history, first)
            if fr[p + COUNT] == 0:
                par[NODES] = nodes
                return BROKEN
            fr[p + LOW] = fr[p + ALPHA]
            fr[p + HIGH] = fr[p + BETA]
            fr[p + CHOICE] = -1
            fr[p + EARLY_CHOICE] = -1
            mode = 1
        elif mode == 1:
            n = fr[p + NEXT]
            v = d * MOST_PARTIES
            if n == fr[p + COUNT] or fr[p + ALPHA] >= fr[p + BETA]:
                if fr[p + CHOICE] < 0:
                    fr[p + CHOICE] = fr[p + EARLY_CHOICE]
                    if alone:
                        for k in range(parties):
                            vals[v + k] = vals[(par[DEPTH] + 1 + d) * MOST_PARTIES + k]
                    else:
                        fr[p + BEST] = fr[p + EARLY]
                at = place_of(par, tt, fr, p)
                low, high = -INFINITE, INFINITE
                if tt[at] == fr[p + KEY0] and tt[at + 1] == fr[p + KEY1] and tt[at + 2] >> 16 == stamp:
                    low, high = tt[at + 3], tt[at + 4]
                tt[at] = fr[p + KEY0]
                tt[at + 1] = fr[p + KEY1]
                tt[at + 2] = stamp << 16 | fr[p + CHOICE] + 1
                if alone:
                    for k in range(parties):
                        tt[at + 3 + k] = vals[v + k]
                else:
                    best = fr[p + BEST]
                    vals[v] = best
                    if best > fr[p + LOW]:
                        low = max(low, best) if best >= fr[p + HIGH] else best
                    if best < fr[p + HIGH]:
                        high = min(high, best) if best <= fr[p + LOW] else best
                    tt[at + 3] = low
                    tt[at + 4] = high
                    if fr[p + ALPHA] >= fr[p + BETA]:
                        history[(0 if fr[p + MOVER] == 0 else MOST_CHOICES) + fr[p + CHOICE]] += 1
                mode = 2
                continue
            answer = pick(mv, p // PLY * 2 * MOST_CHOICES, n, fr[p + COUNT])
            fr[p + NEXT] = n + 1
            fr[p + ANSWER] = answer
            fr[p + AHEAD] = 1 if par[WHOLE] and answer >= par[CARDS] else 0
            for k in range(size):
                mem[k] = states[d * size + k]
            mem[SLOT_ACTION] = answer
            run(code, tab, mem, log)
            d += 1
            p += PLY
            if d < par[DEPTH]:
                fr[p + ALPHA] = fr[p - PLY + ALPHA]
                fr[p + BETA] = fr[p - PLY + BETA]
            mode = 0
        else:
            if d == 0:
                par[NODES] = nodes
                return FINE
            d -= 1
            p -= PLY
            v = d * MOST_PARTIES
            child = v + MOST_PARTIES
            mover = fr[p + MOVER]
            mode = 1
            if alone:
                if fr[p + AHEAD]:
                    spare = (par[DEPTH] + 1 + d) * MOST_PARTIES
                    if fr[p + EARLY_CHOICE] < 0 or vals[child + mover] > vals[spare + mover]:
                        fr[p + EARLY_CHOICE] = fr[p + ANSWER]
                        for k in range(parties):
                            vals[spare + k] = vals[child + k]
                elif fr[p + CHOICE] < 0 or vals[child + mover] > vals[v + mover]:
                    fr[p + CHOICE] = fr[p + ANSWER]
                    for k in range(parties):
                        vals[v + k] = vals[child + k]
            else:
                value = vals[child]
                if fr[p + AHEAD]:
                    if fr[p + EARLY_CHOICE] < 0 or (value > fr[p + EARLY] if mover == 0 else value < fr[p + EARLY]):
                        fr[p + EARLY] = value
                        fr[p + EARLY_CHOICE] = fr[p + ANSWER]
                elif mover == 0:
                    if fr[p + CHOICE] < 0 or value > fr[p + BEST]:
                        fr[p + BEST] = value
                        fr[p + CHOICE] = fr[p + ANSWER]
                    fr[p + ALPHA] = max(fr[p + ALPHA], value)
                else:
                    if fr[p + CHOICE] < 0 or value < fr[p + BEST]:
                        fr[p + BEST] = value
                        fr[p + CHOICE] = fr[p + ANSWER]
                    fr[p + BETA] = min(fr[p + BETA], value)


def answers(code: Table, tab: Table, mem: Vector, log: Vector, par: Vector, worth: Table, ends: Table, keep: Table, party_of: Table,
            states: Vector, fr: Vector, mv: Vector, tt: Vector, history: Vector, vals: Vector, found: Vector) -> int:  # fmt: skip
    """Fill `found` with what every legal answer leads to: answer, whether it ends the play early, a value for each party.

    `found` begins with the number of answers, and behind them has room for a state. Gives FINE or why not.
    """
    size = par[STATE]
    width = 2 + MOST_PARTIES
    kept = 1 + MOST_CHOICES * width
    for k in range(size):
        found[kept + k] = mem[k]
    fr[MOVER] = 0
    list_answers(par, mem, mv, fr, 0, history, -1)
    count = fr[COUNT]
    for k in range(count):
        found[1 + k * width] = mv[2 * k]
    found[0] = count
    for k in range(count):
        at = 1 + k * width
        for n in range(size):
            mem[n] = found[kept + n]
        mem[SLOT_ACTION] = found[at]
        run(code, tab, mem, log)
        over = mem[SLOT_STATUS] in (DEAL_OVER, MATCH_OVER)
        found[at + 1] = 1 if over and found[at] >= par[CARDS] and cards_left(par, mem) else 0
        status = explore(code, tab, mem, log, par, worth, ends, keep, party_of, states, fr, mv, tt, history, vals)
        if status != FINE:
            return status
        for n in range(par[PARTIES]):
            found[at + 2 + n] = vals[n] if par[ALONE] or n == 0 else 0
    return FINE
