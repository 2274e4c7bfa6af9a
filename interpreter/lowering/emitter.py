"""The assembler: instructions with labels, scratch slots, constants that are kept once, and a table that grows."""

from __future__ import annotations

from interpreter.opcodes import OPERATIONS, WIDTH

FIRST_CONSTANT = 1 << 40  # constants and scratch get their slots when the state's size is known
FIRST_SCRATCH = 1 << 41

NUMBERS = {name: number for number, (name, _) in OPERATIONS.items()}


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
        label.place = len(self.code)

    @property
    def here(self) -> int:
        return len(self.code)

    def row(self, values: list[int]) -> int:
        """Adds a row to the table and gives its place."""
        at = len(self.table)
        self.table.extend(values)
        return at

    # ------------------------------------------------------------------ finish

    def finish(self, n_state: int) -> tuple[tuple[int, ...], tuple[int, ...], int]:
        """The final code and what follows the state in memory; also the size of scratch."""
        scratch_at = n_state
        constant_at = n_state + self.most_scratch

        def final(operand: int | Label) -> int:
            if isinstance(operand, Label):
                assert operand.place >= 0, "a label was never placed"
                return operand.place
            if operand >= FIRST_SCRATCH:
                return operand - FIRST_SCRATCH + scratch_at
            if operand >= FIRST_CONSTANT:
                return operand - FIRST_CONSTANT + constant_at
            return operand

        code = tuple(final(operand) for operand in self.code)
        return code, tuple([0] * self.most_scratch + self.constant_words), self.most_scratch


