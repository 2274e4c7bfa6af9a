"""Random play: one deal, or thousands with statistics; the same functions run in Python and compiled.

The players' random numbers come from a vector of two words of their own (`rng.seed`), apart from the state's.
"""

from __future__ import annotations

from collections.abc import MutableSequence

from interpreter.kernel import run
from interpreter.opcodes import (
    CHANCE,
    DEAL_OVER,
    DECISION,
    FAULT,
    FRESH,
    MATCH_OVER,
    SLOT_ACTION,
    SLOT_LEGAL,
    SLOT_PC,
    SLOT_RNG,
    SLOT_STATUS,
    STUCK,
    WIDTH,
    WORD,
    Table,
    Vector,
)
from interpreter.rng import below, draw, sow

DEAL_LIMIT = 100_000  # decisions in one deal; more is a fault

# Places in the vector of counts that `simulate` adds to.
DEALS = 0
MATCHES = 1
DECISIONS = 2
LONGEST = 3  # most decisions in one deal
UNBALANCED = 4  # deals after which the accounts no longer add up to what a match starts with
UNTALLIED = 5  # deals whose contract or outcome lies outside the tally
COUNTS = 6


def choose(mem: Vector, wa: int, rng: Vector) -> int:
    """Draw one action of the legal set, every one equally likely; -1 if the set is empty."""
    size = mem[SLOT_LEGAL].bit_count()
    for k in range(1, wa):
        size += mem[SLOT_LEGAL + k].bit_count()
    if size == 0:
        return -1
    n = below(rng, 0, size)
    word = 0
    left = mem[SLOT_LEGAL]
    if wa > 1:
        size = left.bit_count()
        while n >= size:
            n -= size
            word += 1
            left = mem[SLOT_LEGAL + word]
            size = left.bit_count()
    while n > 0:
        left &= left - 1
        n -= 1
    return WORD * word + (left & -left).bit_length() - 1


def play_deal(code: Table, tab: Table, mem: Vector, log: Vector, wa: int, rng: Vector) -> int:
    """Play at random to the end of the deal or match; give the number of decisions.

    A state that stands at a decision is played on from there. mem[SLOT_STATUS] says how it ended: DEAL_OVER,
    MATCH_OVER, FAULT, or STUCK for a decision without a legal action. A state without a seed gets one from `rng`.
    """
    decisions = 0
    status = mem[SLOT_STATUS]
    if status != DECISION:
        status = run(code, tab, mem, log)
    while True:
        while status == DECISION:
            action = choose(mem, wa, rng)
            if action < 0:
                mem[SLOT_STATUS] = STUCK
                return decisions
            mem[SLOT_ACTION] = action
            decisions += 1
            if decisions > DEAL_LIMIT:
                mem[SLOT_STATUS] = FAULT
                return decisions
            status = run(code, tab, mem, log)
        if status != CHANCE:
            return decisions
        sow(mem, SLOT_RNG, draw(rng, 0))
        mem[SLOT_PC] -= WIDTH
        status = run(code, tab, mem, log)


def simulate(
    code: Table,
    tab: Table,
    init: Table,
    mem: Vector,
    log: Vector,
    n_state: int,
    wa: int,
    deals: int,
    rng: Vector,
    payoff_slots: Table,
    account_slots: Table,
    contract_slot: int,
    outcome_slot: int,
    n_outcomes: int,
    counts: Vector,
    sums: Vector,
    squares: MutableSequence[float],
    low: Vector,
    high: Vector,
    tally: Vector,
) -> int:
    """Play `deals` deals at random, match after match, and add what happens to the vectors; give the last status.

    Call it again with the same vectors to go on (a match may go on too). A match starts from `init` with the seed
    of the state drawn from `rng`; scratch and constants of `mem` must be loaded. `low`, `high` must start with
    high and low numbers. Payoffs are numerators. `account_slots` are slots whose sum must not change in a match.
    tally[(contract + 1) * (n_outcomes + 1) + outcome + 1] counts deals, -1 meaning none; a slot of -1 is none.
    FAULT and STUCK end the run with the state left as it is. A deal counts when DEAL_OVER is reached, or
    MATCH_OVER after a decision.
    """
    status = mem[SLOT_STATUS]
    total = 0
    for k in range(len(account_slots)):
        total += init[account_slots[k]]
    done = 0
    while done < deals:
        if status in (FRESH, MATCH_OVER):
            for k in range(n_state):
                mem[k] = init[k]
            sow(mem, SLOT_RNG, (draw(rng, 0) << 31) ^ draw(rng, 0))
        decisions = play_deal(code, tab, mem, log, wa, rng)
        counts[DECISIONS] += decisions
        status = mem[SLOT_STATUS]
        if status not in (DEAL_OVER, MATCH_OVER):
            break
        if status == MATCH_OVER:
            counts[MATCHES] += 1
            if decisions == 0:
                continue
        done += 1
        counts[DEALS] += 1
        counts[LONGEST] = max(counts[LONGEST], decisions)
        for k in range(len(payoff_slots)):
            payoff = mem[payoff_slots[k]]
            sums[k] += payoff
            squares[k] += float(payoff) * float(payoff)
            low[k] = min(low[k], payoff)
            high[k] = max(high[k], payoff)
        balance = 0
        for k in range(len(account_slots)):
            balance += mem[account_slots[k]]
        if balance != total:
            counts[UNBALANCED] += 1
        place = 0
        if contract_slot >= 0:
            place = (mem[contract_slot] + 1) * (n_outcomes + 1)
        if outcome_slot >= 0:
            place += mem[outcome_slot] + 1
        if 0 <= place < len(tally):
            tally[place] += 1
        else:
            counts[UNTALLIED] += 1
    return status
