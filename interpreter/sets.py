"""Card sets of several words in the memory of the machine: search, sums, knowledge, the winner of a trick."""

from __future__ import annotations

from interpreter.opcodes import WORD, Table, Vector


def find_element(mem: Vector, s: int, words: int, after: int) -> int:
    """Give the lowest element above `after` of the set at slot s, -1 if there is none."""
    skip = after + 1
    for word in range(words):
        left = mem[s + word]
        if skip >= WORD:
            skip -= WORD
        else:
            if skip > 0:
                left = (left >> skip) << skip
                skip = 0
            if left:
                return WORD * word + (left & -left).bit_length() - 1
    return -1


def sum_elements(tab: Table, mem: Vector, s: int, words: int, row: int) -> int:
    """Add tab[row + element] over the set at slot s."""
    total = 0
    for word in range(words):
        left = mem[s + word]
        while left:
            low = left & -left
            left ^= low
            total += tab[row + WORD * word + low.bit_length() - 1]
    return total


def alter_known(mem: Vector, seats: int, base: int, s: int, words: int, add: bool) -> None:
    """Add the set at slot s to what each seat of a mask knows (sets from `base` on, one a seat), or take it away."""
    while seats:
        low = seats & -seats
        seats ^= low
        at = base + words * (low.bit_length() - 1)
        for word in range(words):
            if add:
                mem[at + word] |= mem[s + word]
            else:
                mem[at + word] &= ~mem[s + word]


def winner(tab: Table, mem: Vector, count: int, ranking: int, cards: int) -> int:
    """Give the place in a row (its count at slot `count`) of the strongest card, the earliest of equals.

    The strength of a card is tab[ranking + led * cards + card]; -1 if the row is empty.
    """
    size = mem[count]
    if size == 0:
        return -1
    row = ranking + mem[count + 1] * cards
    best = tab[row + mem[count + 1]]
    place = 0
    for k in range(1, size):
        strength = tab[row + mem[count + 1 + k]]
        if strength > best:
            best = strength
            place = k
    return place
