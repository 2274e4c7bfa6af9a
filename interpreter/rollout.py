"""Playouts by rules of thumb: what the players of a search do after the answers it looks at.

Like `playout`, the functions run in Python and compiled. A player wins tricks cheaply or throws low cards, parts with
its weakest cards and bids what its hand is good for, as the greedy bot does, but that it knows what the other hands
hold together; a share of its answers is drawn at random, so that no line is left out. `par` holds numbers of the game,
`sort` one number and `quiet` the words of a set for each question; `promise` says of each card, without trumps and with
each suit as trumps, how likely it is to win a trick, in hundredths; `tried` and `gained` count for each seat and word
how often it was said in a search, and sum what the seat gained.
"""

from __future__ import annotations

from collections.abc import MutableSequence

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

# Places in `par`; slots and variables are places in memory, -1 where the game has none.
TRICK = 0  # the slot that counts the cards of the trick; the cards follow it
STRENGTHS = 1  # the slot that says where the table of strengths begins
CARDS = 2  # how many cards the deck has
SEEK = 3  # 1 where tricks are wanted, -1 where they are shunned
HAND = 4  # the slot of the first hand
STRIDE = 5  # from hand to hand
TRUMP = 6  # the variable of the trump
FIRST_SUIT = 7  # the answer that names the first suit
SUITS = 8  # how many suits there are
BID = 9  # the promise a card of the hand must have on average for the lowest bid
HIGHER = 10  # and how much more for each higher bid
KEEP = 11  # the promise from which a card is kept
WORDS = 12  # words of a set of cards
SEATS = 13  # how many seats there are
LEADER = 14  # the variable of the seat that led
PLAYERS = 15  # the variable of the seats that play to the trick, if some may not
DECLARER = 16  # the variable of the declarer, where seats have no sides
SIDE = 17  # the place in `par` of the side of each seat
WORTH = 18  # the place in `par` of the worth of each card
HEIGHT = 19  # the place in `par` of the height of each answer as a bid, -1 for none
ANSWERS = 20  # how many answers have a number
PAR = 21

# What `sort` says of a question.
OTHER = 0
PLAY = 1  # a card to the trick
PART = 2  # a card to put down

MOST = 20_000  # decisions in one playout
WHIM = 4  # one answer in so many is drawn at random
TRAIL = 200  # words remembered of one playout, for the seats to learn from
DEAR = 1 << 24  # more than worths and strengths add up to


def advance(code: Table, tab: Table, mem: Vector, log: Vector, rng: Vector) -> int:
    """Run to the next question or the end; packs are mixed by chance."""
    status = run(code, tab, mem, log)
    while status == CHANCE:
        sow(mem, SLOT_RNG, draw(rng, 0))
        mem[SLOT_PC] -= WIDTH
        status = run(code, tab, mem, log)
        mem[SLOT_RNG] = 0
        mem[SLOT_RNG + 1] = 0
    return status


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


def trump_in_mind(mem: Vector, par: Table, promise: Table) -> int:
    """The trump, or while there is none the one that the hand is best for (-1 for none)."""
    if mem[par[TRUMP]] >= 0:
        return mem[par[TRUMP]]
    found = -1
    best = promised(mem, par, promise, -1)
    for number in range(par[SUITS]):
        total = promised(mem, par, promise, number)
        if total > best:
            found = number
            best = total
    return found


def learnt(mem: Vector, wa: int, par: Table, tried: Vector, gained: MutableSequence[float]) -> int:
    """Choose the word after which the seat gained most in the playouts so far; one not tried yet before all others."""
    found = -1
    best = 0.0
    for k in range(wa):
        left = mem[SLOT_LEGAL + k]
        while left:
            word = WORD * k + (left & -left).bit_length() - 1
            left &= left - 1
            at = mem[SLOT_SEAT] * par[ANSWERS] + word
            if tried[at] == 0:
                return word
            mean = gained[at] / tried[at]
            if found < 0 or mean > best:
                found = word
                best = mean
    return found


def remember(mem: Vector, par: Table, trail: Vector, action: int) -> None:
    """Note a word that a seat says, to learn from when the deal is over; `trail` counts them first."""
    if action >= par[CARDS] and trail[0] < TRAIL:
        trail[0] += 1
        trail[trail[0]] = mem[SLOT_SEAT] * par[ANSWERS] + action


def speak(
    mem: Vector,
    wa: int,
    rng: Vector,
    par: Table,
    quiet: Table,
    promise: Table,
    tried: Vector,
    gained: MutableSequence[float],
) -> int:
    """Choose a word: the suit the hand is best for, the highest bid it is good for, else one that is no bid.

    Words that are neither are chosen by what came of them (as in the move averages of Finnsson and Björnsson, 2008).
    """
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
    high = -1
    low = -1
    for k in range(wa):
        left = mem[SLOT_LEGAL + k]
        while left:
            word = WORD * k + (left & -left).bit_length() - 1
            left &= left - 1
            height = par[par[HEIGHT] + word]
            if height < 0:
                continue
            if low < 0 or height < par[par[HEIGHT] + low]:
                low = word
            if best >= (par[BID] + height * par[HIGHER]) * held and (high < 0 or height > par[par[HEIGHT] + high]):
                high = word
    if high >= 0:
        return high
    for k in range(wa):
        some = mem[SLOT_LEGAL + k] & quiet[mem[SLOT_PROMPT] * wa + k]
        if some:
            return WORD * k + (some & -some).bit_length() - 1
    return low if low >= 0 else learnt(mem, wa, par, tried, gained)


def part(mem: Vector, wa: int, rng: Vector, par: Table, promise: Table) -> int:
    """Choose a card to put down: the one that promises least, unless it is worth keeping and a word says so."""
    cards = par[CARDS]
    row = (trump_in_mind(mem, par, promise) + 1) * cards
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


def seat_at(mem: Vector, par: Table, place: int) -> int:
    """The seat that put down a card of the trick, by its place."""
    seat = mem[par[LEADER]]
    for _ in range(place):
        seat = (seat + 1) % par[SEATS]
        if par[PLAYERS] >= 0:
            for _ in range(par[SEATS]):
                if mem[par[PLAYERS]] >> seat & 1:
                    break
                seat = (seat + 1) % par[SEATS]
    return seat


def together(mem: Vector, par: Table, one: int, two: int) -> bool:
    """Whether two seats play on one side, as far as is known: by sides, or against a declarer."""
    if par[par[SIDE] + one] == par[par[SIDE] + two]:
        return True
    return par[DECLARER] >= 0 and mem[par[DECLARER]] >= 0 and mem[par[DECLARER]] not in (one, two)


def beaten(tab: Table, mem: Vector, par: Table, led: int, strength: int) -> int:
    """How many cards in the other hands would beat a strength in a trick."""
    seat = mem[SLOT_SEAT]
    row = mem[par[STRENGTHS]] + led * par[CARDS]
    found = 0
    for other in range(par[SEATS]):
        if other == seat:
            continue
        for k in range(par[WORDS]):
            left = mem[par[HAND] + other * par[STRIDE] + k]
            while left:
                if tab[row + WORD * k + (left & -left).bit_length() - 1] > strength:
                    found += 1
                left &= left - 1
    return found


def lead(tab: Table, mem: Vector, par: Table, card: int) -> int:
    """How good a card is to lead: a sure winner, or one that costs little; low where tricks are shunned."""
    own = tab[mem[par[STRENGTHS]] + card * par[CARDS] + card]
    worth = par[par[WORTH] + card]
    above = beaten(tab, mem, par, card, own)
    if par[SEEK] < 0:
        return (DEAR if above > 0 else 0) - 1024 * worth + above
    return DEAR + 1024 * worth - own if above == 0 else -1024 * worth - own


def follow(tab: Table, mem: Vector, par: Table, card: int, high: int, ours: bool, last: bool, points: int) -> int:
    """How good a card is to follow with, where the best card of the trick has a strength and may be ours."""
    led = mem[par[TRICK] + 1]
    table = mem[par[STRENGTHS]]
    power = tab[table + led * par[CARDS] + card]
    own = tab[table + card * par[CARDS] + card]
    worth = par[par[WORTH] + card]
    wins = power > high
    if par[SEEK] < 0:
        if not wins:
            return DEAR + 1024 * worth + own
        return power - 1024 * worth if last else -power - 1024 * worth
    if ours:
        return (0 if wins else DEAR) + 1024 * worth - own
    if wins and (last or beaten(tab, mem, par, led, power) == 0):
        return 2 * DEAR + (1024 * worth if last else 0) - power
    if wins and points > 0 and worth <= points:
        return DEAR - power
    return -1024 * worth - own


def play(tab: Table, mem: Vector, wa: int, rng: Vector, par: Table) -> int:
    """Choose a card to the trick: win cheaply, or throw the weakest; where tricks are shunned the other way round."""
    cards = par[CARDS]
    size = mem[par[TRICK]]
    high = -1
    points = 0
    ahead = -1
    for k in range(size):
        card = mem[par[TRICK] + 1 + k]
        points += par[par[WORTH] + card]
        power = tab[mem[par[STRENGTHS]] + mem[par[TRICK] + 1] * cards + card]
        if power > high:
            high = power
            ahead = k
    seats = par[SEATS] if par[PLAYERS] < 0 else mem[par[PLAYERS]].bit_count()
    last = size >= seats - 1
    ours = False
    if ahead >= 0 and together(mem, par, seat_at(mem, par, ahead), mem[SLOT_SEAT]):
        ours = last or beaten(tab, mem, par, mem[par[TRICK] + 1], high) == 0
    best = -1
    best_value = 0
    for k in range(wa):
        left = mem[SLOT_LEGAL + k]
        while left:
            card = WORD * k + (left & -left).bit_length() - 1
            left &= left - 1
            if card >= cards:
                continue
            value = lead(tab, mem, par, card) if size == 0 else follow(tab, mem, par, card, high, ours, last, points)
            if best < 0 or value > best_value:
                best = card
                best_value = value
    return best if best >= 0 else choose(mem, wa, rng)


def thoughtful(
    tab: Table,
    mem: Vector,
    wa: int,
    rng: Vector,
    par: Table,
    sort: Table,
    quiet: Table,
    promise: Table,
    tried: Vector,
    gained: MutableSequence[float],
) -> int:
    """Choose an answer by rules of thumb; -1 if there is none."""
    if below(rng, 0, WHIM) == 0:
        return choose(mem, wa, rng)
    kind = sort[mem[SLOT_PROMPT]]
    if kind == PLAY:
        return play(tab, mem, wa, rng, par)
    if kind == PART:
        return part(mem, wa, rng, par, promise)
    return speak(mem, wa, rng, par, quiet, promise, tried, gained)


def rollout(
    code: Table,
    tab: Table,
    mem: Vector,
    log: Vector,
    wa: int,
    rng: Vector,
    par: Table,
    sort: Table,
    quiet: Table,
    promise: Table,
    tried: Vector,
    gained: MutableSequence[float],
    trail: Vector,
) -> int:
    """Play by rules of thumb from a decision to the end of the deal or match; give the number of decisions.

    mem[SLOT_STATUS] says how it ended, as for `playout.play_deal`.
    """
    decisions = 0
    while mem[SLOT_STATUS] == DECISION:
        action = thoughtful(tab, mem, wa, rng, par, sort, quiet, promise, tried, gained)
        if action < 0:
            mem[SLOT_STATUS] = STUCK
            return decisions
        remember(mem, par, trail, action)
        mem[SLOT_ACTION] = action
        decisions += 1
        if decisions > MOST:
            mem[SLOT_STATUS] = FAULT
            return decisions
        advance(code, tab, mem, log, rng)
    return decisions
