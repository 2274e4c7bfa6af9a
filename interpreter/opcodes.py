"""Numbers that the compiler, the kernel and the drivers share: slots, statuses, operations.

`mem` is one vector: [state slots | scratch | constants]. `code` is a flat vector of instructions,
`WIDTH` integers each: the operation, then its operands in the order of `OPERATIONS`, then zeros.
"""

from __future__ import annotations

from collections.abc import MutableSequence, Sequence
from typing import TypeAlias

Vector: TypeAlias = MutableSequence[int]
Table: TypeAlias = Sequence[int]

WIDTH = 6
WORD = 63  # elements per mask word: bit 63 stays clear, so an int64 equals the Python int
LIMIT = 1 << 62  # numbers of a program stay strictly between -LIMIT and LIMIT, else FAULT
FACTOR = 1 << 31  # factors of MUL and amounts paid stay strictly between -FACTOR and FACTOR, else FAULT
FUEL = 500_000  # backward jumps in one call of `run`

# Fixed slots of the state.
SLOT_PC = 0
SLOT_SEAT = 1
SLOT_PROMPT = 2
SLOT_ACTION = 3
SLOT_RNG = 4  # two slots
SLOT_STATUS = 6
SLOT_SPARE = 7
SLOT_LEGAL = 8  # WA slots; the program's own slots follow

# What `run` returns and leaves in SLOT_STATUS.
FRESH = 0  # never run
DECISION = 1
CHANCE = 2  # a shuffle without a seed; the instruction before PC tells which pile
DEAL_OVER = 3
MATCH_OVER = 4
FAULT = 5  # PC stays at the instruction at fault
STUCK = 6  # set by drivers only: a decision without a legal action

# `kinds` of the pile operations: SOURCE_ROW | TARGET_ROW | words << WORDS_SHIFT.
SOURCE_ROW = 1
TARGET_ROW = 2
WORDS_SHIFT = 2

# The log: log[LOG_CURSOR] = index of the next entry, log[LOG_CAPACITY] = length usable (0 = off).
LOG_CURSOR = 0
LOG_CAPACITY = 1
LOG_START = 2
LOG_WIDTH = 5
LOG_MOVE = 1  # card, from address, to address, seat
LOG_PAY = 2  # from slot, to slot, amount, reason
LOG_GAIN = 3  # -1, to slot, amount, reason

# Operations, hot ones first: the kernel decides by ranges of these numbers.
JZ, JNZ, MOV = 0, 1, 2
AND, LDX, TAB = 3, 4, 5
LDP, ANDJ, JNE = 6, 7, 8
ADDM, TABR, JMP = 9, 10, 11

ASK, MOVE1, LEA = 12, 13, 14
ADD, STX, TAB2 = 15, 16, 17
EQ, JEQ, ANDN = 18, 19, 20
TABR2, HASP, OR = 21, 22, 23

WIN, LOOP, JLT, JGE = 24, 25, 26, 27
HAS, CSET, BIT, LOW = 28, 29, 30, 31
NEXT, POP, SUB, ADX = 32, 33, 34, 35
STP, LAND, LOR, NOT = 36, 37, 38, 39

NE, LT, LE, MUL = 40, 41, 42, 43
MOD, FDIV, MIN, MAX = 44, 45, 46, 47
NEG, XOR, SUMV, MOVEN = 48, 49, 50, 51
MOVES, PAY, GAIN, LOG = 52, 53, 54, 55

KNOW, FORGET, FORGETP, FILL = 56, 57, 58, 59
SHUFFLE, RANDOM, STOP, CLEAR = 60, 61, 62, 63

# number -> (name, operands). Operands: `d` slot written; `a b i n m x y z` slots read; `base` `s` first slot
# of several (a raw slot number); `p q` slots that hold an address; `r` slot that holds a place in `tab`;
# `W words stride k kinds status prompt kind count row` raw numbers; `t` a place in `code`.
# `s:W` reads W slots from s on; `d:W` writes W slots.
OPERATIONS: dict[int, tuple[str, str]] = {
    JZ: ("JZ", "a t"),
    JNZ: ("JNZ", "a t"),
    MOV: ("MOV", "d a"),
    AND: ("AND", "d a b"),
    LDX: ("LDX", "d base i"),  # d = mem[base + i]
    TAB: ("TAB", "d row i"),  # d = tab[row + i]
    LDP: ("LDP", "d p k"),  # d = mem[mem[p] + k]
    ANDJ: ("ANDJ", "d a b t"),  # d = a & b, then jump if d is not 0: a rung of a ladder
    JNE: ("JNE", "a b t"),
    ADDM: ("ADDM", "d a b m"),  # d = (a + b) mod m, 0 if m is 0: the next seat
    TABR: ("TABR", "d r i"),  # d = tab[mem[r] + i]
    JMP: ("JMP", "t"),
    ASK: ("ASK", "a prompt"),
    MOVE1: ("MOVE1", "i p q kinds"),  # nothing happens if the card is not in p
    LEA: ("LEA", "d base i stride"),  # d = base + i * stride
    ADD: ("ADD", "d a b"),
    STX: ("STX", "base i a"),  # mem[base + i] = a
    TAB2: ("TAB2", "d row i stride j"),  # d = tab[row + i * stride + j]
    EQ: ("EQ", "d a b"),
    JEQ: ("JEQ", "a b t"),
    ANDN: ("ANDN", "d a b"),  # d = a & ~b
    TABR2: ("TABR2", "d r i stride j"),  # d = tab[mem[r] + i * stride + j]
    HASP: ("HASP", "d p i"),  # d = whether i is in the pile at mem[p]
    OR: ("OR", "d a b"),
    WIN: ("WIN", "d p r count W"),  # d = place of the winner in the row at mem[p], -1 if it is empty
    LOOP: ("LOOP", "i n t"),  # i += 1, jump if i < n
    JLT: ("JLT", "a b t"),
    JGE: ("JGE", "a b t"),
    HAS: ("HAS", "d s i W"),
    CSET: ("CSET", "d i W"),  # d:W = {i}, empty if i < 0
    BIT: ("BIT", "d i"),
    LOW: ("LOW", "d s W"),
    NEXT: ("NEXT", "d s W i"),
    POP: ("POP", "d s W"),
    SUB: ("SUB", "d a b"),
    ADX: ("ADX", "base i a"),  # mem[base + i] += a
    STP: ("STP", "p k a"),  # mem[mem[p] + k] = a
    LAND: ("LAND", "d a b"),
    LOR: ("LOR", "d a b"),
    NOT: ("NOT", "d a"),
    NE: ("NE", "d a b"),
    LT: ("LT", "d a b"),
    LE: ("LE", "d a b"),
    MUL: ("MUL", "d a b"),
    MOD: ("MOD", "d a b"),  # sign of the divisor; 0 if b is 0
    FDIV: ("FDIV", "d a b"),  # floor; 0 if b is 0
    MIN: ("MIN", "d a b"),
    MAX: ("MAX", "d a b"),
    NEG: ("NEG", "d a"),
    XOR: ("XOR", "d a b"),
    SUMV: ("SUMV", "d s W row"),  # d = sum of tab[row + c] over the elements c
    MOVEN: ("MOVEN", "n p q kinds"),
    MOVES: ("MOVES", "s p q kinds"),
    PAY: ("PAY", "p q a k"),
    GAIN: ("GAIN", "q a k"),
    LOG: ("LOG", "kind x y z"),
    KNOW: ("KNOW", "m base s W"),
    FORGET: ("FORGET", "m base s W"),
    FORGETP: ("FORGETP", "m base p W"),
    FILL: ("FILL", "p count kinds allowed"),  # allowed: first slot of a set, or -1 for every card
    SHUFFLE: ("SHUFFLE", "p kinds"),
    RANDOM: ("RANDOM", "d a"),
    STOP: ("STOP", "status"),
    CLEAR: ("CLEAR", "base count"),  # count slots from base on become 0
}


def listing(code: Sequence[int]) -> str:
    """Show a program as text, one instruction a line: place, name, operands."""
    lines = []
    for place in range(0, len(code), WIDTH):
        name, operands = OPERATIONS[code[place]]
        words = operands.split()
        values = code[place + 1 : place + 1 + len(words)]
        lines.append(f"{place:5d} {name:8s}" + " ".join(f"{w}={v}" for w, v in zip(words, values, strict=True)))
    return "\n".join(lines)
