"""A slow and obvious model of the machine's operations, on Python sets and lists, to hold against the kernel."""

from __future__ import annotations

from interpreter.opcodes import FAULT, LIMIT, OPERATIONS, WIDTH

M32 = 0xFFFFFFFF


class Fault(Exception):
    """A number out of range."""


class Twice(Exception):
    """A card put into a row that has it already: no program of a game does that, for a card lies in one pile."""


def rotl(x: int, k: int) -> int:
    """Rotate a 32-bit word."""
    return (x << k | x >> (32 - k)) & M32


class Machine:
    """The memory, read and written as sets, piles and numbers."""

    def __init__(self, mem: list[int], tab: list[int], log: list[list[int]]) -> None:
        self.mem, self.tab, self.log = mem, tab, log

    def get_set(self, at: int, words: int) -> set[int]:
        return {63 * w + b for w in range(words) for b in range(63) if self.mem[at + w] & (1 << b)}

    def put_set(self, at: int, words: int, members: set[int]) -> None:
        for w in range(words):
            self.mem[at + w] = sum(1 << (c - 63 * w) for c in members if 63 * w <= c < 63 * w + 63)

    def get_pile(self, at: int, words: int, row: int) -> list[int]:
        if row:
            size = self.mem[at + words]
            return self.mem[at + words + 1 : at + words + 1 + size]
        return sorted(self.get_set(at, words))

    def put_pile(self, at: int, words: int, row: int, cards: list[int]) -> None:
        if row and len(set(cards)) < len(cards):
            raise Twice
        self.put_set(at, words, set(cards))
        if row:
            for k in range(self.mem[at + words]):
                self.mem[at + words + 1 + k] = 0
            self.mem[at + words] = len(cards)
            self.mem[at + words + 1 : at + words + 1 + len(cards)] = cards

    def move(self, card: int, p: int, q: int, kinds: int) -> None:
        words = kinds >> 2
        source = self.get_pile(p, words, kinds & 1)
        if card not in source:
            return
        source.remove(card)
        self.put_pile(p, words, kinds & 1, source)
        self.put_pile(q, words, kinds & 2, [*self.get_pile(q, words, kinds & 2), card])
        self.log.append([1, card, p, q, self.mem[1]])

    def draw(self) -> int:
        s0, s1 = self.mem[4], self.mem[5]
        out = rotl(s0 * 0x9E3779BB & M32, 5) * 5 & M32
        s1 ^= s0
        self.mem[4], self.mem[5] = rotl(s0, 26) ^ s1 ^ (s1 << 9 & M32), rotl(s1, 13)
        return out

    def below(self, n: int) -> int:
        while n > 1:
            product = self.draw() * n
            if (product & M32) >= 2**32 % n:
                return product >> 32
        return 0


def narrow(x: int) -> int:
    if abs(x) >= LIMIT:
        raise Fault
    return x


def factor(x: int) -> int:
    if abs(x) >= 1 << 31:
        raise Fault
    return x


TWO = {
    "AND": lambda a, b: a & b,
    "OR": lambda a, b: a | b,
    "ANDN": lambda a, b: a - (a & b),
    "XOR": lambda a, b: a ^ b,
    "ADD": lambda a, b: narrow(a + b),
    "SUB": lambda a, b: narrow(a - b),
    "MUL": lambda a, b: factor(a) * factor(b),
    "FDIV": lambda a, b: a // b if b else 0,
    "MOD": lambda a, b: a % b if b else 0,
    "MIN": lambda a, b: min(b, a),
    "MAX": lambda a, b: max(a, b),
    "EQ": lambda a, b: int(a == b),
    "NE": lambda a, b: int(a != b),
    "LT": lambda a, b: int(a < b),
    "LE": lambda a, b: int(a <= b),
    "LAND": lambda a, b: int(bool(a) and bool(b)),
    "LOR": lambda a, b: int(bool(a) or bool(b)),
}


def step(m: Machine, name: str, v: list[int]) -> int | None:
    """Do one operation; give the place to jump to, if any."""
    mem, tab = m.mem, m.tab
    if name in TWO:
        mem[v[0]] = TWO[name](mem[v[1]], mem[v[2]])
        return None
    match name:
        case "JZ":
            return v[1] if mem[v[0]] == 0 else None
        case "JNZ":
            return v[1] if mem[v[0]] != 0 else None
        case "JMP":
            return v[0]
        case "JEQ" | "JNE" | "JLT" | "JGE":
            a, b = mem[v[0]], mem[v[1]]
            return v[2] if {"JEQ": a == b, "JNE": a != b, "JLT": a < b, "JGE": a >= b}[name] else None
        case "ANDJ":
            mem[v[0]] = mem[v[1]] & mem[v[2]]
            return v[3] if mem[v[0]] else None
        case "LOOP":
            mem[v[0]] += 1
            return v[2] if mem[v[0]] < mem[v[1]] else None
        case "MOV":
            mem[v[0]] = mem[v[1]]
        case "NOT":
            mem[v[0]] = int(not mem[v[1]])
        case "NEG":
            mem[v[0]] = -mem[v[1]]
        case "ADDM":
            mem[v[0]] = (mem[v[1]] + mem[v[2]]) % mem[v[3]] if mem[v[3]] else 0
        case "LDX":
            mem[v[0]] = mem[v[1] + mem[v[2]]]
        case "STX":
            mem[v[0] + mem[v[1]]] = mem[v[2]]
        case "ADX":
            mem[v[0] + mem[v[1]]] = narrow(mem[v[0] + mem[v[1]]] + mem[v[2]])
        case "LEA":
            mem[v[0]] = v[1] + v[3] * mem[v[2]]
        case "LDP":
            mem[v[0]] = mem[mem[v[1]] + v[2]]
        case "STP":
            mem[mem[v[0]] + v[1]] = mem[v[2]]
        case "TAB":
            mem[v[0]] = tab[v[1] + mem[v[2]]]
        case "TAB2":
            mem[v[0]] = tab[v[1] + mem[v[2]] * v[3] + mem[v[4]]]
        case "TABR":
            mem[v[0]] = tab[mem[v[1]] + mem[v[2]]]
        case "TABR2":
            mem[v[0]] = tab[mem[v[1]] + mem[v[2]] * v[3] + mem[v[4]]]
        case "BIT":
            mem[v[0]] = 2 ** mem[v[1]] if 0 <= mem[v[1]] < 63 else 0
        case "CSET":
            m.put_set(v[0], v[2], {mem[v[1]]})
        case "HAS":
            mem[v[0]] = int(mem[v[2]] in m.get_set(v[1], v[3]))
        case "HASP":
            mem[v[0]] = int(mem[v[2]] in m.get_set(mem[v[1]], 3)) if mem[v[2]] >= 0 else 0
        case "POP":
            mem[v[0]] = len(m.get_set(v[1], v[2]))
        case "LOW":
            mem[v[0]] = min(m.get_set(v[1], v[2]), default=-1)
        case "NEXT":
            mem[v[0]] = min((c for c in m.get_set(v[1], v[2]) if c > mem[v[3]]), default=-1)
        case "SUMV":
            mem[v[0]] = sum(tab[v[3] + c] for c in m.get_set(v[1], v[2]))
        case "MOVE1":
            m.move(mem[v[0]], mem[v[1]], mem[v[2]], v[3])
        case "MOVEN":
            pile = m.get_pile(mem[v[1]], v[3] >> 2, v[3] & 1)
            if v[3] & 1:
                pile.reverse()
            for card in pile[: max(0, mem[v[0]])]:
                m.move(card, mem[v[1]], mem[v[2]], v[3])
        case "MOVES":
            for card in sorted(m.get_set(v[0], v[3] >> 2)):
                m.move(card, mem[v[1]], mem[v[2]], v[3])
        case "FILL":
            words = v[2] >> 2
            allowed = m.get_set(v[3], words) if v[3] >= 0 else set(range(999))
            m.put_pile(mem[v[0]], words, v[2] & 2, [c for c in range(v[1]) if c in allowed])
        case "SHUFFLE":
            cards = m.get_pile(mem[v[0]], v[1] >> 2, 1)
            for i in reversed(range(1, len(cards))):
                j = m.below(i + 1)
                cards[i], cards[j] = cards[j], cards[i]
            m.put_pile(mem[v[0]], v[1] >> 2, 1, cards)
        case "RANDOM":
            mem[v[0]] = m.below(factor(max(0, mem[v[1]])))
        case "WIN":
            row = m.get_pile(mem[v[1]], v[4], 1)
            powers = [tab[mem[v[2]] + row[0] * v[3] + card] for card in row]
            mem[v[0]] = powers.index(max(powers)) if row else -1
        case "PAY":
            mem[mem[v[0]]] -= factor(mem[v[2]])
            mem[mem[v[1]]] += mem[v[2]]
            m.log.append([2, mem[v[0]], mem[v[1]], mem[v[2]], v[3]])
        case "GAIN":
            mem[mem[v[0]]] += factor(mem[v[1]])
            m.log.append([3, -1, mem[v[0]], mem[v[1]], v[2]])
        case "LOG":
            m.log.append([v[0], mem[v[1]], mem[v[2]], mem[v[3]], mem[1]])
        case "KNOW" | "FORGET" | "FORGETP":
            cards_at = mem[v[2]] if name == "FORGETP" else v[2]
            delta = m.get_set(cards_at, v[3])
            for seat in m.get_set(v[0], 1):
                known = m.get_set(v[1] + seat * v[3], v[3])
                m.put_set(v[1] + seat * v[3], v[3], known | delta if name == "KNOW" else known - delta)
        case "CLEAR":
            for slot in range(v[0], v[0] + v[1]):
                mem[slot] = 0
        case _:
            raise AssertionError(name)
    return None


def run(code: list[int], tab: list[int], mem: list[int]) -> list[list[int]]:
    """Run to STOP, ASK or a fault as the kernel should; give the log."""
    m = Machine(mem, tab, [])
    while True:
        pc = mem[0]
        name, operands = OPERATIONS[code[pc]]
        v = code[pc + 1 : pc + 1 + len(operands.split())]
        if name == "STOP":
            mem[0], mem[6] = pc + WIDTH, v[0]
            return m.log
        if name == "ASK":
            mem[0], mem[1], mem[2], mem[6] = pc + WIDTH, mem[v[0]], v[1], 1
            return m.log
        try:
            target = step(m, name, v)
        except Fault:
            mem[6] = FAULT
            return m.log
        mem[0] = pc + WIDTH if target is None else target
