"""The assembler: instructions with labels, scratch slots, constants that are kept once, and a table that grows."""

from __future__ import annotations

from interpreter.opcodes import OPERATIONS, WIDTH

FIRST_CONSTANT = 1 << 40  # constants and scratch get their slots when the state's size is known
FIRST_SCRATCH = 1 << 41
FIRST_PROBE = 1 << 42

MOST_HOPS = 32
NUMBERS = {name: number for number, (name, _) in OPERATIONS.items()}


JUMP = NUMBERS["JMP"]
# Operations that make one value and read none of it.
SINGLE_RESULT = frozenset(
    NUMBERS[name]
    for name in (
        "MOV AND LDX TAB LDP ADDM TABR ADD TAB2 EQ ANDN TABR2 HASP OR HAS BIT LOW POP SUB LAND LOR NOT NE LT LE "
        "MUL MOD FDIV MIN MAX NEG XOR SUMV"
    ).split()
)


class Label:
    """A place in the code that jumps name before it is known."""

    __slots__ = ("place",)

    def __init__(self) -> None:
        self.place = -1


class Emitter:
    """Collects code; slots of scratch and constants are symbolic until `finish`."""

    def __init__(self) -> None:
        self.code: list[int | Label] = []
        self.table: list[int] = []
        self.constants: dict[tuple[int, ...], int] = {}
        self.constant_words: list[int] = []
        self.scratch = 0
        self.most_scratch = 0
        self.probes = 0
        self.joined = -1  # the last place that jumps can reach

    # ------------------------------------------------------------------- slots

    def constant(self, *values: int) -> int:
        """The slot of a constant, or the first of several in a row."""
        found = self.constants.get(values)
        if found is None:
            found = FIRST_CONSTANT + len(self.constant_words)
            self.constants[values] = found
            self.constant_words.extend(values)
        return found

    def temp(self, words: int = 1) -> int:
        """Fresh scratch; it does not outlive a question."""
        at = self.scratch
        self.scratch += words
        self.most_scratch = max(self.most_scratch, self.scratch)
        return FIRST_SCRATCH + at

    def probe(self) -> int:
        """A slot after all others that is zero until the code comes by."""
        self.probes += 1
        return FIRST_PROBE + self.probes - 1

    def value_of(self, slot: int) -> int | None:
        """The value of a constant's slot, or None for other slots."""
        if FIRST_CONSTANT <= slot < FIRST_SCRATCH:
            return self.constant_words[slot - FIRST_CONSTANT]
        return None

    # -------------------------------------------------------------------- code

    def emit(self, name: str, *operands: int | Label) -> None:
        """One instruction."""
        wanted = OPERATIONS[NUMBERS[name]][1].split()
        if len(operands) != len(wanted):
            raise ValueError(f"{name} wants {wanted}, got {operands}")
        self.code += [NUMBERS[name], *operands, *([0] * (WIDTH - 1 - len(operands)))]

    def place(self, label: Label) -> None:
        """The label means here."""
        label.place = self.joined = len(self.code)

    def redirect(self, temp: int, slot: int) -> bool:
        """Lets the last instruction write its result to another slot, if it alone made it and nothing jumps past it."""
        last = len(self.code) - WIDTH
        if temp < FIRST_SCRATCH or last < 0 or self.joined > last:
            return False
        operation, made = self.code[last], self.code[last + 1]
        if operation not in SINGLE_RESULT or made != temp:
            return False
        self.code[last + 1] = slot
        return True

    @property
    def here(self) -> int:
        return len(self.code)

    def row(self, values: list[int]) -> int:
        """Adds a row to the table and gives its place."""
        at = len(self.table)
        self.table.extend(values)
        return at

    def thread(self) -> None:
        """Lets jumps to jumps go where those lead."""
        for at, operand in enumerate(self.code):
            if isinstance(operand, Label):
                assert operand.place >= 0, "a label was never placed"
                place, hops = operand.place, 0
                while place < len(self.code) and self.code[place] == JUMP and hops < MOST_HOPS:
                    target = self.code[place + 1]
                    place, hops = (target.place if isinstance(target, Label) else int(target)), hops + 1
                self.code[at] = place

    # ------------------------------------------------------------------ finish

    def finish(self, n_state: int) -> tuple[tuple[int, ...], tuple[int, ...], int]:
        """The final code and what follows the state in memory; also the size of scratch."""
        scratch_at = n_state
        constant_at = n_state + self.most_scratch
        probes_at = constant_at + len(self.constant_words)

        def final(operand: int | Label) -> int:
            assert isinstance(operand, int)
            if operand >= FIRST_PROBE:
                return operand - FIRST_PROBE + probes_at
            if operand >= FIRST_SCRATCH:
                return operand - FIRST_SCRATCH + scratch_at
            if operand >= FIRST_CONSTANT:
                return operand - FIRST_CONSTANT + constant_at
            return operand

        self.thread()
        code = tuple(final(operand) for operand in self.code)
        return code, (*[0] * self.most_scratch, *self.constant_words, *[0] * self.probes), self.most_scratch
