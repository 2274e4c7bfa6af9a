"""A tree search over many worlds at once: one tree of answers, every descent in another world that may be the true one.

Information set Monte Carlo tree search (Cowling, Powley and Whitehouse, 2012): an answer is judged among those that
were to be had in the world of the descent, and each seat seeks its own gain. Like `playout`, it runs in Python and
compiled.

The tree is a table of branches, an answer after the answers before it, found by hashing: `keys` holds 0 for a free
place, `counts` two numbers for each place (how often the answer was taken, how often it was to be had) and `totals` what
its seat gained after it.
"""

from __future__ import annotations

from collections.abc import MutableSequence
from math import sqrt

from interpreter.opcodes import (
    DEAL_OVER,
    DECISION,
    MATCH_OVER,
    SLOT_ACTION,
    SLOT_LEGAL,
    SLOT_PROMPT,
    SLOT_SEAT,
    SLOT_STATUS,
    WORD,
    Table,
    Vector,
)
from interpreter.rng import below
from interpreter.rollout import ANSWERS, PLAY, SEEK, advance, remember, rollout, thoughtful

# Places in the vector of sizes.
MEMORY = 0  # the size of a memory
SET = 1  # words of a set of answers
GAINS = 2  # the slot of the first gain
ROOM = 3  # places for branches, a power of two
DESCENTS = 4
SIZES = 5

DEEPEST = 200  # answers that one descent may give within the tree
FAN = 4096  # more than the number of an answer
CURIOSITY = 0.7  # in standard deviations of what the seat at the root gains
WIDTH_LOOKS = 2  # looks for the first further answer, four times as many for the next, and so on
FAIR = 10  # one look in so many at most is for the answers that look bad
# Places in the vector of spread: how many gains of the seat at the root, their sum and the sum of their squares.
SEEN, SUM, SQUARES = 0, 1, 2


def find(keys: Vector, room: int, node: int, action: int) -> int:
    """The place of an answer after the branch `node` (0 at the root), or the free one where it belongs."""
    key = node * FAN + action + 1
    at = (key * 40503 >> 7) & (room - 1)
    while keys[at] not in (0, key):
        at = (at + 1) & (room - 1)
    return at


def doublings(count: int) -> float:
    """About the binary logarithm of one more than a count, by straight lines: the same on every machine, as `log` is not."""
    whole = (count + 1).bit_length() - 1
    return whole + (count + 1) / float(1 << whole) - 1.0


def deviation(spread: MutableSequence[float]) -> float:
    """The standard deviation of the gains so far, not less than the least a gain can differ."""
    if spread[SEEN] < 1.0:
        return 1.0
    mean = spread[SUM] / spread[SEEN]
    return sqrt(max(1.0, spread[SQUARES] / spread[SEEN] - mean * mean))


def pick(
    mem: Vector,
    wa: int,
    rng: Vector,
    node: int,
    keys: Vector,
    room: int,
    counts: Vector,
    totals: MutableSequence[float],
    spread: float,
    narrow: bool,
    hint: int,
    rival: bool,
) -> int:
    """The answer to look at: one not looked at yet, else good so far or seldom tried; all to be had are counted.

    One that had less than its share of the looks has the first right, so that none is judged by a handful. `FAN` is added
    to an answer that is looked at for the sake of knowledge alone.
    Where it is `narrow`, new answers are tried one by one as the looks grow (progressive widening, Coulom 2007; Chaslot and
    others 2008), the one that the rules of thumb name first. With `rival` the best answer but the one looked at most is
    looked at (top-two sampling, Russo 2020), so that both are known well when one is chosen.
    """
    looks = 0
    named = False
    fresh = 0
    known = 0
    poor = -1
    least = 0
    new = -1
    found = -1
    best = 0.0
    second = -1
    second_best = 0.0
    most = 0
    leader = -1
    for k in range(wa):
        left = mem[SLOT_LEGAL + k]
        while left:
            action = WORD * k + (left & -left).bit_length() - 1
            left &= left - 1
            at = find(keys, room, node, action)
            if keys[at] == 0:
                fresh += 1
                if action == hint:
                    named = True
                if below(rng, 0, fresh) == 0:
                    new = action
                continue
            counts[2 * at + 1] += 1
            known += 1
            looks += counts[2 * at]
            if poor < 0 or counts[2 * at] < least:
                poor = action
                least = counts[2 * at]
            if fresh == 0 or narrow:
                visits = float(max(1, counts[2 * at]))
                worth = totals[at] / visits + CURIOSITY * spread * sqrt(doublings(counts[2 * at + 1]) / visits)
                if counts[2 * at] > most:
                    leader = action
                    most = counts[2 * at]
                if found < 0 or worth > best:
                    second = found
                    second_best = best
                    found = action
                    best = worth
                elif second < 0 or worth > second_best:
                    second = action
                    second_best = worth
    if fresh > 0 and not (narrow and WIDTH_LOOKS * known * known > looks):
        return hint if named else new + (FAN if narrow and known > 0 else 0)
    if rival and found == leader and second >= 0:
        found = second
    return poor + FAN if FAIR * known * least < looks and poor != found else found


def search(
    code: Table,
    tab: Table,
    worlds: Table,
    chosen: Table,
    sizes: Table,
    mem: Vector,
    log: Vector,
    rng: Vector,
    par: Table,
    sort: Table,
    quiet: Table,
    promise: Table,
    keys: Vector,
    counts: Vector,
    totals: MutableSequence[float],
    spread: MutableSequence[float],
    path: Vector,
    tried: Vector,
    gained: MutableSequence[float],
    trail: Vector,
) -> int:
    """Go down the tree `sizes[DESCENTS]` times, in the worlds that `chosen` names; give the number of descents that ended.

    `worlds` are the memories one after another; `path` has two places for each of `DEEPEST` answers, `trail` one more than
    `rollout.TRAIL`; `tried` and `gained` have one for each seat and answer.
    """
    wa, room, n = sizes[SET], sizes[ROOM], sizes[MEMORY]
    ended = 0
    for descent in range(sizes[DESCENTS]):
        for k in range(n):
            mem[k] = worlds[chosen[descent] * n + k]
        node = 0
        depth = 0
        since = 0
        trail[0] = 0
        while mem[SLOT_STATUS] == DECISION and depth < DEEPEST:
            narrow = node > 0 and sort[mem[SLOT_PROMPT]] != PLAY
            hint = thoughtful(tab, mem, wa, rng, par, sort, quiet, promise, tried, gained) if narrow else -1
            action = pick(mem, wa, rng, node, keys, room, counts, totals, deviation(spread), narrow, hint, node == 0 and descent % 2 == 1)
            if action < 0:
                break
            if action >= FAN:
                action -= FAN
                since = depth
            at = find(keys, room, node, action)
            fresh = keys[at] == 0
            if fresh:
                keys[at] = node * FAN + action + 1
                counts[2 * at + 1] += 1
            path[2 * depth] = at
            path[2 * depth + 1] = mem[SLOT_SEAT]
            depth += 1
            remember(mem, par, trail, action)
            mem[SLOT_ACTION] = action
            advance(code, tab, mem, log, rng)
            node = at + 1
            if fresh:
                break
        if mem[SLOT_STATUS] == DECISION:
            rollout(code, tab, mem, log, wa, rng, par, sort, quiet, promise, tried, gained, trail)
        if mem[SLOT_STATUS] not in (DEAL_OVER, MATCH_OVER):
            continue
        ended += 1
        # What was done for the sake of knowledge says nothing of the answers before it.
        for step in range(since, depth):
            gain = float(par[SEEK] * mem[sizes[GAINS] + path[2 * step + 1]])
            counts[2 * path[2 * step]] += 1
            totals[path[2 * step]] += gain
            if step == 0:
                spread[SEEN] += 1.0
                spread[SUM] += gain
                spread[SQUARES] += gain * gain
        for step in range(1, trail[0] + 1):
            tried[trail[step]] += 1
            gained[trail[step]] += float(par[SEEK] * mem[sizes[GAINS] + trail[step] // par[ANSWERS]])
    return ended
