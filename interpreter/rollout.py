"""Playouts by rules of thumb: what the players of a search do after the answers it looks at.

Like `playout`, the functions run in Python and compiled. A player wins tricks cheaply or throws low cards, parts with
its weakest cards and mostly does not bid; a share of its answers is drawn at random, so that no line is left out.
`par` holds numbers of the game, `sort` one number and `quiet` the words of a set for each question; `promise` says of
each card, without trumps and with each suit as trumps, how likely it is to win a trick, in hundredths.
"""

from __future__ import annotations

from interpreter.kernel import run
from interpreter.opcodes import (
    CHANCE,
    DECISION,
    FAULT,
    SLOT_ACTION,
    SLOT_LEGAL,
    SLOT_PC,
    SLOT_PROMPT,
    SLOT_RNG,
    SLOT_SEAT,
    SLOT_STATUS,
    STUCK,
    WIDTH,
    WORD,
    Table,
    Vector,
)
from interpreter.playout import choose
from interpreter.rng import below, draw, sow

# Places in `par`.
TRICK = 0  # the slot that counts the cards of the trick; the cards follow it
STRENGTHS = 1  # the slot that says where the table of strengths begins
CARDS = 2  # how many cards the deck has
SEEK = 3  # 1 where tricks are wanted, -1 where they are shunned
HAND = 4  # the slot of the first hand
STRIDE = 5  # from hand to hand
TRUMP = 6  # the slot of the trump
FIRST_SUIT = 7  # the answer that names the first suit
SUITS = 8  # how many suits there are
BID = 9  # the promise a card of the hand must have on average for a bid
KEEP = 10  # the promise from which a card is kept
WORDS = 11  # words of a set of cards
PAR = 12

# What `sort` says of a question.
OTHER = 0
PLAY = 1  # a card to the trick
PART = 2  # a card to put down

MOST = 20_000  # decisions in one playout
WHIM = 6  # one answer in so many is drawn at random


def promised(mem: Vector, par: Table, promise: Table, trump: int) -> int:
    """The sum of what the cards of the deciding seat's hand promise, with a suit as trumps (-1 for none)."""
    row = (trump + 1) * par[CARDS]
    total = 0
    for k in range(par[WORDS]):
        left = mem[par[HAND] + mem[SLOT_SEAT] * par[STRIDE] + k]
        while left:
            total += promise[row + WORD * k + (left & -left).bit_length() - 1]
            left &= left - 1
    return total


def speak(mem: Vector, wa: int, rng: Vector, par: Table, quiet: Table, promise: Table) -> int:
    """Choose a word: the suit the hand is best for, a bid if it is good for one, else one that is no bid."""
    suit = -1
    best = 0
    for number in range(par[SUITS]):
        total = promised(mem, par, promise, number)
        word = par[FIRST_SUIT] + number
        if par[FIRST_SUIT] >= 0 and mem[SLOT_LEGAL + word // WORD] >> word % WORD & 1 and (suit < 0 or total > best):
            suit = word
        best = max(best, total)
    if suit >= 0:
        return suit
    held = 0
    for k in range(par[WORDS]):
        held += mem[par[HAND] + mem[SLOT_SEAT] * par[STRIDE] + k].bit_count()
    if best < par[BID] * held:
        for k in range(wa):
            some = mem[SLOT_LEGAL + k] & quiet[mem[SLOT_PROMPT] * wa + k]
            if some:
                return WORD * k + (some & -some).bit_length() - 1
    return choose(mem, wa, rng)


def part(mem: Vector, wa: int, rng: Vector, par: Table, promise: Table) -> int:
    """Choose a card to put down: the one that promises least, unless it is worth keeping and a word says so."""
    cards = par[CARDS]
    row = (mem[par[TRUMP]] + 1) * cards
    best = -1
    word = -1
    for k in range(wa):
        left = mem[SLOT_LEGAL + k]
        while left:
            action = WORD * k + (left & -left).bit_length() - 1
            left &= left - 1
            if action >= cards:
                word = action
            elif best < 0 or par[SEEK] * promise[row + action] < par[SEEK] * promise[row + best]:
                best = action
    if best < 0:
        return choose(mem, wa, rng)
    return word if word >= 0 and par[SEEK] > 0 and promise[row + best] >= par[KEEP] else best


def play(tab: Table, mem: Vector, wa: int, rng: Vector, par: Table) -> int:
    """Choose a card to the trick: win cheaply, or throw the weakest; where tricks are shunned the other way round."""
    cards = par[CARDS]
    table = mem[par[STRENGTHS]]
    size = mem[par[TRICK]]
    led = mem[par[TRICK] + 1]
    high = -1
    for k in range(size):
        high = max(high, tab[table + led * cards + mem[par[TRICK] + 1 + k]])
    want = below(rng, 0, 3)
    best = -1
    best_value = 0
    for k in range(wa):
        left = mem[SLOT_LEGAL + k]
        while left:
            card = WORD * k + (left & -left).bit_length() - 1
            left &= left - 1
            if card >= cards:
                continue
            own = tab[table + card * cards + card]
            value = (1 << 20) - own
            if size > 0 and tab[table + led * cards + card] > high:
                if par[SEEK] < 0:
                    value -= 1 << 21
                elif want > 0:
                    value += 1 << 21
            elif size > 0 and par[SEEK] < 0:
                value += 2 * own
            elif size == 0 and par[SEEK] > 0 and want == 2:
                value = own
            if best < 0 or value > best_value:
                best = card
                best_value = value
    return best if best >= 0 else choose(mem, wa, rng)


def thoughtful(tab: Table, mem: Vector, wa: int, rng: Vector, par: Table, sort: Table, quiet: Table, promise: Table) -> int:
    """Choose an answer by rules of thumb; -1 if there is none."""
    if below(rng, 0, WHIM) == 0:
        return choose(mem, wa, rng)
    kind = sort[mem[SLOT_PROMPT]]
    if kind == PLAY:
        return play(tab, mem, wa, rng, par)
    if kind == PART:
        return part(mem, wa, rng, par, promise)
    return speak(mem, wa, rng, par, quiet, promise)


def rollout(
    code: Table, tab: Table, mem: Vector, log: Vector, wa: int, rng: Vector, par: Table, sort: Table, quiet: Table, wins: Table
) -> int:
    """Play by rules of thumb from a state to the end of the deal or match; give the number of decisions.

    mem[SLOT_STATUS] says how it ended, as for `playout.play_deal`. A state at a decision is played on from there; one
    whose answer lies in mem[SLOT_ACTION] must have its status cleared.
    """
    decisions = 0
    status = mem[SLOT_STATUS]
    if status != DECISION:
        status = run(code, tab, mem, log)
    while True:
        while status == DECISION:
            action = thoughtful(tab, mem, wa, rng, par, sort, quiet, wins)
            if action < 0:
                mem[SLOT_STATUS] = STUCK
                return decisions
            mem[SLOT_ACTION] = action
            decisions += 1
            if decisions > MOST:
                mem[SLOT_STATUS] = FAULT
                return decisions
            status = run(code, tab, mem, log)
        if status != CHANCE:
            return decisions
        sow(mem, SLOT_RNG, draw(rng, 0))
        mem[SLOT_PC] -= WIDTH
        status = run(code, tab, mem, log)
        mem[SLOT_RNG] = 0
        mem[SLOT_RNG + 1] = 0
