"""Piles in the memory of the machine, and how cards move between them.

A set pile is W mask words. A row pile is W mask words, then a count, then the cards, the top one last, then zeros:
equal piles are equal memory. A pile's address is the slot of its first word; `kinds` says which of two piles are rows, and W.
"""

from __future__ import annotations

from interpreter.opcodes import (
    LOG_CAPACITY,
    LOG_CURSOR,
    LOG_MOVE,
    LOG_WIDTH,
    SLOT_SEAT,
    SOURCE_ROW,
    TARGET_ROW,
    WORD,
    WORDS_SHIFT,
    Vector,
)
from interpreter.rng import below


def record(log: Vector, kind: int, x: int, y: int, z: int, w: int) -> None:
    """Append an entry to the log if it is on and there is room."""
    at = log[LOG_CURSOR]
    if at + LOG_WIDTH <= log[LOG_CAPACITY]:
        log[at] = kind
        log[at + 1] = x
        log[at + 2] = y
        log[at + 3] = z
        log[at + 4] = w
        log[LOG_CURSOR] = at + LOG_WIDTH


def move_card(mem: Vector, log: Vector, card: int, p: int, q: int, kinds: int) -> None:
    """Move a card from the pile at p to the top of the pile at q; nothing if it is not in p."""
    word = 0
    bit = card
    while bit >= WORD:
        bit -= WORD
        word += 1
    bit = 1 << bit
    if not mem[p + word] & bit:
        return
    mem[p + word] ^= bit
    words = kinds >> WORDS_SHIFT
    if kinds & SOURCE_ROW:
        size = mem[p + words] - 1
        mem[p + words] = size
        first = p + words + 1
        last = first + size
        at = last
        while mem[at] != card and at > first:
            at -= 1
        while at < last:
            mem[at] = mem[at + 1]
            at += 1
        mem[last] = 0
    mem[q + word] |= bit
    if kinds & TARGET_ROW:
        q += words
        size = mem[q] + 1
        mem[q] = size
        mem[q + size] = card
        q -= words
    if log[LOG_CAPACITY]:
        record(log, LOG_MOVE, card, p, q, mem[SLOT_SEAT])


def move_top(mem: Vector, log: Vector, n: int, p: int, q: int, kinds: int) -> None:
    """Move the top n cards of a row, or the n lowest of a set, one after the other; fewer if there are fewer."""
    words = kinds >> WORDS_SHIFT
    if kinds & SOURCE_ROW:
        size = mem[p + words]
        n = min(n, size)
        if not kinds & TARGET_ROW and not log[LOG_CAPACITY]:
            while n > 0:
                card = mem[p + words + size]
                mem[p + words + size] = 0
                word = 0
                while card >= WORD:
                    card -= WORD
                    word += 1
                mem[p + word] ^= 1 << card
                mem[q + word] |= 1 << card
                size -= 1
                n -= 1
            mem[p + words] = size
        while n > 0:
            move_card(mem, log, mem[p + words + size], p, q, kinds)
            size -= 1
            n -= 1
        return
    for word in range(words):
        left = mem[p + word]
        while left and n > 0:
            low = left & -left
            left ^= low
            move_card(mem, log, WORD * word + low.bit_length() - 1, p, q, kinds)
            n -= 1


def move_set(mem: Vector, log: Vector, s: int, p: int, q: int, kinds: int) -> None:
    """Move the cards of the set at slot s that are in the pile at p, the lowest first."""
    words = kinds >> WORDS_SHIFT
    plain = not kinds & TARGET_ROW and not log[LOG_CAPACITY]
    if plain and kinds & SOURCE_ROW:
        for word in range(words):
            if mem[p + word] & ~mem[s + word]:
                plain = False
        if plain:
            for at in range(p + words, p + words + mem[p + words] + 1):
                mem[at] = 0
    for word in range(words):
        left = mem[s + word] & mem[p + word]
        if plain:
            mem[p + word] ^= left
            mem[q + word] |= left
        else:
            while left:
                low = left & -left
                left ^= low
                move_card(mem, log, WORD * word + low.bit_length() - 1, p, q, kinds)


def fill(mem: Vector, p: int, count: int, kinds: int, allowed: int) -> None:
    """Make the pile at p hold cards 0..count-1 in order, only those in the set at slot `allowed` if it is not -1."""
    words = kinds >> WORDS_SHIFT
    if kinds & TARGET_ROW:
        for at in range(p + words, p + words + mem[p + words] + 1):
            mem[at] = 0
    card = 0
    size = 0
    for word in range(words):
        kept = 0
        for place in range(WORD):
            if card < count:
                bit = 1 << place
                if allowed < 0 or mem[allowed + word] & bit:
                    kept |= bit
                    size += 1
                    if kinds & TARGET_ROW:
                        mem[p + words + size] = card
            card += 1
        mem[p + word] = kept
    if kinds & TARGET_ROW:
        mem[p + words] = size


def shuffle(mem: Vector, p: int, words: int, rng: Vector, at: int) -> None:
    """Shuffle the row at p by the generator at `rng[at]` (Fisher and Yates)."""
    size = mem[p + words]
    first = p + words + 1
    for i in range(size - 1, 0, -1):
        j = below(rng, at, i + 1)
        card = mem[first + i]
        mem[first + i] = mem[first + j]
        mem[first + j] = card
