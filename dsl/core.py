"""The core program: the few typed expressions and statements to which every ruleset is lowered.

The sections of a ruleset, the forms of auction and the phrases are all written in these. The
evaluator (`dsl.evaluate`) and the compiler (`interpreter.lowering`) read nothing else.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction

from dsl.source import Span
from dsl.types import Type

Value = int | bool | Fraction | frozenset[int] | None


# --------------------------------------------------------------- declarations


@dataclass(frozen=True, slots=True, eq=False)
class Variable:
    """A named value of the state; `per` is "", "seat" or "side"; `match` outlives the deal."""

    name: str
    type: Type
    per: str = ""
    match: bool = False
    seen: str = "all"
    start: Value = None


@dataclass(frozen=True, slots=True, eq=False)
class Pile:
    """A place where cards lie: one, or one per seat; a row keeps its order."""

    name: str
    per_seat: bool = False
    ordered: bool = False
    seen: str = "nobody"


@dataclass(frozen=True, slots=True, eq=False)
class Account:
    """Where scores are kept: `per` is "seat" or "side", or "" for a pot."""

    name: str
    per: str


@dataclass(frozen=True, slots=True, eq=False)
class Local:
    """A name bound by a loop, a question, a `let` or a quantifier."""

    name: str
    type: Type


# ----------------------------------------------------------------- expressions


@dataclass(frozen=True, slots=True)
class Expr:
    type: Type
    span: Span = field(compare=False)


@dataclass(frozen=True, slots=True)
class Const(Expr):
    """A value known when the ruleset is read; cards, suits, … are their indices."""

    value: Value


@dataclass(frozen=True, slots=True)
class Bound(Expr):
    local: Local


@dataclass(frozen=True, slots=True)
class Get(Expr):
    """The value of a variable, at an index when it is kept per seat or side."""

    variable: Variable
    index: Expr | None


@dataclass(frozen=True, slots=True)
class Balance(Expr):
    """What stands in an account."""

    account: Account
    index: Expr | None


@dataclass(frozen=True, slots=True)
class CardsIn(Expr):
    """The set of cards in a pile."""

    pile: Pile
    index: Expr | None


@dataclass(frozen=True, slots=True)
class Prim(Expr):
    """A primitive of `dsl.primitives` or an operator, on its arguments."""

    name: str
    args: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Cond(Expr):
    condition: Expr
    then: Expr
    other: Expr


@dataclass(frozen=True, slots=True)
class Quant(Expr):
    """`some`, `every`, `count`, `those`, `first`, `total`, `highest` or `lowest` over a domain."""

    kind: str
    local: Local
    domain: Expr
    body: Expr


@dataclass(frozen=True, slots=True)
class Rung:
    """One obligation of a ladder."""

    id: str
    condition: Expr | None
    must: Expr
    because: str
    span: Span = field(compare=False)


@dataclass(frozen=True, slots=True)
class Ladder(Expr):
    """The cards of the first rung that holds and is not empty."""

    rungs: tuple[Rung, ...]


# ------------------------------------------------------------------ statements


@dataclass(frozen=True, slots=True)
class Stmt:
    span: Span = field(compare=False)


@dataclass(frozen=True, slots=True)
class Assign(Stmt):
    variable: Variable
    index: Expr | None
    value: Expr


@dataclass(frozen=True, slots=True)
class Bind(Stmt):
    """`let`: a local gets a value."""

    local: Local
    value: Expr


@dataclass(frozen=True, slots=True)
class PilePlace:
    pile: Pile
    index: Expr | None


@dataclass(frozen=True, slots=True)
class AccountPlace:
    account: Account
    index: Expr | None


@dataclass(frozen=True, slots=True)
class MoveTop(Stmt):
    count: Expr | None
    source: PilePlace
    target: PilePlace


@dataclass(frozen=True, slots=True)
class MoveCards(Stmt):
    """Moves a card or a set of cards; None means all of the pile."""

    cards: Expr | None
    source: PilePlace
    target: PilePlace


@dataclass(frozen=True, slots=True)
class Shuffle(Stmt):
    """Shuffles a row; with `fresh` it first becomes the whole deck."""

    place: PilePlace
    fresh: bool


@dataclass(frozen=True, slots=True)
class Show(Stmt):
    cards: Expr
    seats: Expr | None


@dataclass(frozen=True, slots=True)
class Transfer(Stmt):
    """Moves an amount between accounts; no payer means it comes from nowhere."""

    payer: AccountPlace | None
    amount: Expr
    payee: AccountPlace


@dataclass(frozen=True, slots=True)
class Say(Stmt):
    """A public event with a word and a value."""

    word: str
    value: Expr | None


@dataclass(frozen=True, slots=True)
class If(Stmt):
    condition: Expr
    then: tuple[Stmt, ...]
    other: tuple[Stmt, ...]


@dataclass(frozen=True, slots=True)
class For(Stmt):
    """For each element of a domain; seats in playing order from `start`."""

    local: Local
    domain: Expr
    start: Expr | None
    body: tuple[Stmt, ...]


@dataclass(frozen=True, slots=True)
class While(Stmt):
    """At most `most` times, while the condition holds."""

    most: Expr
    condition: Expr | None
    body: tuple[Stmt, ...]


@dataclass(frozen=True, slots=True)
class Offer:
    """One kind of answer: a word, or a verb with an element of a domain."""

    verb: str
    local: Local | None
    domain: Expr | None
    when: Expr | None
    because: str
    body: tuple[Stmt, ...]
    span: Span = field(compare=False)


@dataclass(frozen=True, slots=True)
class Ask(Stmt):
    who: Expr
    about: str
    offers: tuple[Offer, ...]


@dataclass(frozen=True, slots=True)
class Block(Stmt):
    """A named stretch; `Jump(name)` inside it goes to its end, `Jump(name, again=True)` to its start."""

    name: str
    body: tuple[Stmt, ...]


@dataclass(frozen=True, slots=True)
class Jump(Stmt):
    block: str
    again: bool = False


@dataclass(frozen=True, slots=True)
class Stop(Stmt):
    """Hands control back: "deal" over or "match" over."""

    what: str


@dataclass(frozen=True, slots=True)
class Reset(Stmt):
    """All piles empty and all variables of the deal at their start."""


@dataclass(frozen=True, slots=True)
class Probe(Stmt):
    """Notes that this place was reached; only programs elaborated for tracing have any.

    `what` says of the row, condition or payment at the span: `holds` or `fails` (a condition), `chosen` (an answer),
    `row` or `not` (an outcome that is the result or is not), `applies` (a payment row), `pays`; `subject` is the condition or the payment.
    """

    what: str
    subject: Expr | Transfer | None = None


@dataclass(frozen=True, slots=True)
class Mark(Stmt):
    """A named entry point (the case runner enters the scoring at one)."""

    name: str
