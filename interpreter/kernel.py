"""The kernel: one function that executes every game, run as it is by Python and compiled by `compiled`.

Each operation is described in `opcodes`. The tests on `op` are a tree by ranges, so that Python needs about five
comparisons to reach an operation; the last of a range is named in a comment. Only what both Python and Numba do
alike on 64-bit integers may be used here.
"""

from __future__ import annotations

from interpreter.opcodes import (
    ADD,
    ADDM,
    AND,
    ANDJ,
    ASK,
    BIT,
    CHANCE,
    CLEAR,
    CSET,
    DECISION,
    EQ,
    FACTOR,
    FAULT,
    FDIV,
    FILL,
    FORGET,
    FORGETP,
    FUEL,
    GAIN,
    HAS,
    HASP,
    JEQ,
    JLT,
    JNZ,
    JZ,
    KNOW,
    LAND,
    LDP,
    LDX,
    LE,
    LIMIT,
    LOG_CAPACITY,
    LOG_GAIN,
    LOG_PAY,
    LOOP,
    LOR,
    LT,
    MIN,
    MOD,
    MOVE1,
    MOVEN,
    MOVES,
    NE,
    NEG,
    NEXT,
    PAY,
    POP,
    RANDOM,
    SHUFFLE,
    SLOT_PC,
    SLOT_PROMPT,
    SLOT_RNG,
    SLOT_SEAT,
    SLOT_STATUS,
    STOP,
    STP,
    STX,
    SUB,
    SUMV,
    TABR,
    TABR2,
    WIDTH,
    WIN,
    WORD,
    WORDS_SHIFT,
    Table,
    Vector,
)
from interpreter.piles import fill, move_card, move_set, move_top, record, shuffle
from interpreter.rng import below
from interpreter.sets import alter_known, find_element, sum_elements, winner


def run(code: Table, tab: Table, mem: Vector, log: Vector) -> int:
    """Execute from mem[SLOT_PC] to the next decision, shuffle without a seed, STOP or fault; give the status."""
    pc = mem[SLOT_PC]
    fuel = FUEL
    status = FAULT
    while fuel > 0:
        op = code[pc]
        if op < 12:
            if op < 6:
                if op < 3:
                    if op == JZ:
                        if mem[code[pc + 1]]:
                            pc += WIDTH
                            continue
                        target = code[pc + 2]
                    elif op == JNZ:
                        if not mem[code[pc + 1]]:
                            pc += WIDTH
                            continue
                        target = code[pc + 2]
                    else:  # MOV
                        mem[code[pc + 1]] = mem[code[pc + 2]]
                        pc += WIDTH
                        continue
                    if target <= pc:
                        fuel -= 1
                        if fuel == 0:
                            break
                    pc = target
                    continue
                if op == AND:
                    mem[code[pc + 1]] = mem[code[pc + 2]] & mem[code[pc + 3]]
                elif op == LDX:
                    mem[code[pc + 1]] = mem[code[pc + 2] + mem[code[pc + 3]]]
                else:  # TAB
                    mem[code[pc + 1]] = tab[code[pc + 2] + mem[code[pc + 3]]]
            elif op < 9:
                if op == LDP:
                    mem[code[pc + 1]] = mem[mem[code[pc + 2]] + code[pc + 3]]
                else:
                    if op == ANDJ:
                        value = mem[code[pc + 2]] & mem[code[pc + 3]]
                        mem[code[pc + 1]] = value
                        target = code[pc + 4]
                    else:  # JNE
                        value = 1 if mem[code[pc + 1]] != mem[code[pc + 2]] else 0
                        target = code[pc + 3]
                    if value:
                        if target <= pc:
                            fuel -= 1
                            if fuel == 0:
                                break
                        pc = target
                        continue
            elif op == ADDM:
                value = mem[code[pc + 4]]
                if value:
                    value = (mem[code[pc + 2]] + mem[code[pc + 3]]) % value
                mem[code[pc + 1]] = value
            elif op == TABR:
                mem[code[pc + 1]] = tab[mem[code[pc + 2]] + mem[code[pc + 3]]]
            else:  # JMP
                target = code[pc + 1]
                if target <= pc:
                    fuel -= 1
                    if fuel == 0:
                        break
                pc = target
                continue
        elif op < 24:
            if op < 18:
                if op < 15:
                    if op == ASK:
                        mem[SLOT_SEAT] = mem[code[pc + 1]]
                        mem[SLOT_PROMPT] = code[pc + 2]
                        pc += WIDTH
                        status = DECISION
                        break
                    if op == MOVE1:
                        card = mem[code[pc + 1]]
                        if card >= 0:
                            move_card(mem, log, card, mem[code[pc + 2]], mem[code[pc + 3]], code[pc + 4])
                    else:  # LEA
                        mem[code[pc + 1]] = code[pc + 2] + mem[code[pc + 3]] * code[pc + 4]
                elif op == ADD:
                    value = mem[code[pc + 2]] + mem[code[pc + 3]]
                    if not -LIMIT < value < LIMIT:
                        break
                    mem[code[pc + 1]] = value
                elif op == STX:
                    mem[code[pc + 1] + mem[code[pc + 2]]] = mem[code[pc + 3]]
                else:  # TAB2
                    mem[code[pc + 1]] = tab[code[pc + 2] + mem[code[pc + 3]] * code[pc + 4] + mem[code[pc + 5]]]
            elif op < 21:
                if op == EQ:
                    mem[code[pc + 1]] = 1 if mem[code[pc + 2]] == mem[code[pc + 3]] else 0
                elif op == JEQ:
                    if mem[code[pc + 1]] == mem[code[pc + 2]]:
                        target = code[pc + 3]
                        if target <= pc:
                            fuel -= 1
                            if fuel == 0:
                                break
                        pc = target
                        continue
                else:  # ANDN
                    mem[code[pc + 1]] = mem[code[pc + 2]] & ~mem[code[pc + 3]]
            elif op == TABR2:
                mem[code[pc + 1]] = tab[mem[code[pc + 2]] + mem[code[pc + 3]] * code[pc + 4] + mem[code[pc + 5]]]
            elif op == HASP:
                card = mem[code[pc + 3]]
                if card < 0:
                    mem[code[pc + 1]] = 0
                else:
                    mem[code[pc + 1]] = mem[mem[code[pc + 2]] + card // WORD] >> card % WORD & 1
            else:  # OR
                mem[code[pc + 1]] = mem[code[pc + 2]] | mem[code[pc + 3]]
        elif op < 40:
            if op < 28:
                if op == WIN:
                    mem[code[pc + 1]] = winner(tab, mem, mem[code[pc + 2]] + code[pc + 5], mem[code[pc + 3]], code[pc + 4])
                else:
                    if op == LOOP:
                        value = mem[code[pc + 1]] + 1
                        mem[code[pc + 1]] = value
                        value = 1 if value < mem[code[pc + 2]] else 0
                    elif op == JLT:
                        value = 1 if mem[code[pc + 1]] < mem[code[pc + 2]] else 0
                    else:  # JGE
                        value = 1 if mem[code[pc + 1]] >= mem[code[pc + 2]] else 0
                    if value:
                        target = code[pc + 3]
                        if target <= pc:
                            fuel -= 1
                            if fuel == 0:
                                break
                        pc = target
                        continue
            elif op < 32:
                if op == HAS:
                    card = mem[code[pc + 3]]
                    if card < 0 or card >= WORD * code[pc + 4]:
                        mem[code[pc + 1]] = 0
                    else:
                        mem[code[pc + 1]] = mem[code[pc + 2] + card // WORD] >> card % WORD & 1
                elif op == CSET:
                    card = mem[code[pc + 2]]
                    for k in range(code[pc + 3]):
                        mem[code[pc + 1] + k] = 1 << card if 0 <= card < WORD else 0
                        card -= WORD
                elif op == BIT:
                    card = mem[code[pc + 2]]
                    mem[code[pc + 1]] = 1 << card if 0 <= card < WORD else 0
                else:  # LOW
                    mem[code[pc + 1]] = find_element(mem, code[pc + 2], code[pc + 3], -1)
            elif op < 36:
                if op == NEXT:
                    mem[code[pc + 1]] = find_element(mem, code[pc + 2], code[pc + 3], mem[code[pc + 4]])
                elif op == POP:
                    value = 0
                    for k in range(code[pc + 2], code[pc + 2] + code[pc + 3]):
                        value += mem[k].bit_count()
                    mem[code[pc + 1]] = value
                elif op == SUB:
                    value = mem[code[pc + 2]] - mem[code[pc + 3]]
                    if not -LIMIT < value < LIMIT:
                        break
                    mem[code[pc + 1]] = value
                else:  # ADX
                    target = code[pc + 1] + mem[code[pc + 2]]
                    value = mem[target] + mem[code[pc + 3]]
                    if not -LIMIT < value < LIMIT:
                        break
                    mem[target] = value
            elif op == STP:
                mem[mem[code[pc + 1]] + code[pc + 2]] = mem[code[pc + 3]]
            elif op == LAND:
                mem[code[pc + 1]] = 1 if mem[code[pc + 2]] and mem[code[pc + 3]] else 0
            elif op == LOR:
                mem[code[pc + 1]] = 1 if mem[code[pc + 2]] or mem[code[pc + 3]] else 0
            else:  # NOT
                mem[code[pc + 1]] = 0 if mem[code[pc + 2]] else 1
        elif op < 50:
            a = mem[code[pc + 2]]
            b = mem[code[pc + 3]]
            if op < 44:
                if op == NE:
                    value = 1 if a != b else 0
                elif op == LT:
                    value = 1 if a < b else 0
                elif op == LE:
                    value = 1 if a <= b else 0
                else:  # MUL
                    if not (-FACTOR < a < FACTOR and -FACTOR < b < FACTOR):
                        break
                    value = a * b
            elif op < 48:
                if op == MOD:
                    value = a % b if b else 0
                elif op == FDIV:
                    value = a // b if b else 0
                elif op == MIN:
                    value = min(a, b)
                else:  # MAX
                    value = max(a, b)
            elif op == NEG:
                value = -a
            else:  # XOR
                value = a ^ b
            mem[code[pc + 1]] = value
        elif op < 56:
            if op == SUMV:
                mem[code[pc + 1]] = sum_elements(tab, mem, code[pc + 2], code[pc + 3], code[pc + 4])
            elif op == MOVEN:
                move_top(mem, log, mem[code[pc + 1]], mem[code[pc + 2]], mem[code[pc + 3]], code[pc + 4])
            elif op == MOVES:
                move_set(mem, log, code[pc + 1], mem[code[pc + 2]], mem[code[pc + 3]], code[pc + 4])
            elif op == PAY:
                value = mem[code[pc + 3]]
                if not -FACTOR < value < FACTOR:
                    break
                mem[mem[code[pc + 1]]] -= value
                mem[mem[code[pc + 2]]] += value
                if log[LOG_CAPACITY]:
                    record(log, LOG_PAY, mem[code[pc + 1]], mem[code[pc + 2]], value, code[pc + 4])
            elif op == GAIN:
                value = mem[code[pc + 2]]
                if not -FACTOR < value < FACTOR:
                    break
                mem[mem[code[pc + 1]]] += value
                if log[LOG_CAPACITY]:
                    record(log, LOG_GAIN, -1, mem[code[pc + 1]], value, code[pc + 3])
            elif log[LOG_CAPACITY]:  # LOG
                x = mem[code[pc + 2]]
                record(log, code[pc + 1], x, mem[code[pc + 3]], mem[code[pc + 4]], mem[SLOT_SEAT])
        elif op == KNOW:
            alter_known(mem, mem[code[pc + 1]], code[pc + 2], code[pc + 3], code[pc + 4], True)
        elif op == FORGET:
            alter_known(mem, mem[code[pc + 1]], code[pc + 2], code[pc + 3], code[pc + 4], False)
        elif op == FORGETP:
            alter_known(mem, mem[code[pc + 1]], code[pc + 2], mem[code[pc + 3]], code[pc + 4], False)
        elif op == FILL:
            fill(mem, mem[code[pc + 1]], code[pc + 2], code[pc + 3], code[pc + 4])
        elif op == SHUFFLE:
            if mem[SLOT_RNG] == 0 and mem[SLOT_RNG + 1] == 0:
                pc += WIDTH
                status = CHANCE
                break
            shuffle(mem, mem[code[pc + 1]], code[pc + 2] >> WORDS_SHIFT, mem, SLOT_RNG)
        elif op == RANDOM:
            value = mem[code[pc + 2]]
            if value >= FACTOR:
                break
            if mem[SLOT_RNG] or mem[SLOT_RNG + 1]:
                mem[code[pc + 1]] = below(mem, SLOT_RNG, value)
            else:
                mem[code[pc + 1]] = 0
        elif op == STOP:
            status = code[pc + 1]
            pc += WIDTH
            break
        elif op == CLEAR:
            for at in range(code[pc + 1], code[pc + 1] + code[pc + 2]):
                mem[at] = 0
        else:
            break
        pc += WIDTH
    mem[SLOT_PC] = pc
    mem[SLOT_STATUS] = status
    return status
