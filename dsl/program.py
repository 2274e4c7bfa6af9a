"""The core program of a ruleset: all that the evaluator and the compiler need to know of a game."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction

from dsl import core
from dsl.deck import Deck
from dsl.diagnostics import Report
from dsl.facts import Rankings
from dsl.options import Option
from dsl.ruleset import Ruleset
from dsl.source import Scalar


@dataclass(frozen=True, slots=True)
class ContractRow:
    """A contract: its way of ranking and its numbers."""

    id: str
    way: int
    multiplier: Fraction
    target: Fraction


@dataclass(frozen=True, slots=True)
class Program:
    """Declarations and the statements of a whole match; `rules` keeps the words for people.

    `players` counts seats, `persons` those at which somebody sits: a dummy's seat is the last, and nobody's.
    `check` reads a further expression with the names of the ruleset (for cases); seats may be written as numbers.
    """

    rules: Ruleset
    deck: Deck
    rankings: Rankings
    players: int
    persons: int
    sides: tuple[frozenset[int], ...]
    side_names: tuple[str, ...]
    options: dict[str, Option]
    variables: tuple[core.Variable, ...]
    piles: tuple[core.Pile, ...]
    accounts: tuple[core.Account, ...]
    balanced: bool
    worth: tuple[Fraction, ...]
    bids: tuple[str, ...]
    bid_heights: tuple[int, ...]
    bid_numbers: tuple[int, ...]
    contract_of: tuple[int, ...]
    contracts: tuple[ContractRow, ...]
    outcomes: tuple[str, ...]
    rungs: tuple[core.Rung, ...]
    winners: core.Expr | None
    body: tuple[core.Stmt, ...]
    check: Callable[[Scalar, Report], core.Expr | None] = field(repr=False, compare=False)

    def variable(self, name: str) -> core.Variable:
        """A variable by its name."""
        return next(v for v in self.variables if v.name == name)

    @property
    def contract_numbers(self) -> tuple[tuple[Fraction, ...], tuple[Fraction, ...]]:
        """The multipliers and the targets of the contracts."""
        return tuple(row.multiplier for row in self.contracts), tuple(row.target for row in self.contracts)

    def count(self, per: str) -> int:
        """How many values something has that is kept per seat, side, pair of seats, or once."""
        return {"": 1, "seat": self.players, "side": len(self.sides), "pair": self.players**2}[per]

    def pile(self, name: str) -> core.Pile:
        """A pile by its name."""
        return next(p for p in self.piles if p.name == name)
