"""Where things lie in the state: variables, piles, accounts, knowledge, locals."""

from __future__ import annotations

from dsl import core
from dsl.program import Program
from dsl.types import Type
from interpreter.opcodes import SLOT_LEGAL, WORD


def words_for(elements: int) -> int:
    """How many mask words hold a set of so many possible elements."""
    return (elements + WORD - 1) // WORD


def mask_words(values: frozenset[int], words: int) -> tuple[int, ...]:
    """A set as mask words."""
    return tuple(sum(1 << (v - w * WORD) for v in values if w * WORD <= v < (w + 1) * WORD) for w in range(words))


class Layout:
    """Slots of the state, given out once."""

    def __init__(self, program: Program, legal_words: int, tables: int) -> None:
        self.program = program
        self.words = words_for(len(program.deck))
        self.next = SLOT_LEGAL + legal_words
        players, sides = program.players, len(program.sides)
        self.count = {per: program.count(per) for per in ("", "seat", "side", "pair")}
        self.variables: dict[core.Variable, int] = {}
        self.piles: dict[core.Pile, int] = {}
        self.strides: dict[core.Pile, int] = {}
        self.accounts: dict[core.Account, int] = {}
        for variable in program.variables:
            self.variables[variable] = self.take(self.width(variable.type) * self.count[variable.per])
        for pile in program.piles:
            stride = self.words + (1 + len(program.deck) if pile.ordered else 0)
            self.strides[pile] = stride
            self.piles[pile] = self.take(stride * (players if pile.per_seat else 1))
        for account in program.accounts:
            self.accounts[account] = self.take(self.count[account.per])
        self.start = self.take(sides if self.side_scores else players)
        self.gains = self.take(players)
        self.known = self.take(players * self.words)
        self.return_slot = self.take(1)
        # Tables are read through slots of their own; how many is found out by lowering once.
        self.tables_at = self.take(tables)
        self.tables = 0
        self.redeals = self.variables[program.variable("redeals")]
        self.most = self.next

    @property
    def side_scores(self) -> bool:
        return any(account.per == "side" for account in self.program.accounts)

    def table_slot(self) -> int:
        """The next slot through which a ranked table is read."""
        self.tables += 1
        return self.tables_at + self.tables - 1

    def take(self, slots: int) -> int:
        at = self.next
        self.next += slots
        return at

    def width(self, type_: Type) -> int:
        """How many slots a value of a type takes."""
        if type_.kind == "bids":
            return max(1, words_for(len(self.program.bids)))
        return self.words if type_.kind == "cards" else 1

    def local(self, type_: Type) -> int:
        """A slot for a bound name; given back by `release`."""
        at = self.take(self.width(type_))
        self.most = max(self.most, self.next)
        return at

    def release(self, mark: int) -> None:
        """Gives back the locals taken since `next` was `mark`."""
        self.next = mark
