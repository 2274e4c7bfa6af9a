"""The syntax tree of the DSL: one class per rule of `grammar.lark`, fields in the rule's order.

Every node carries the span it was read from; equality ignores spans, so two texts that say the
same parse to equal trees.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from dsl.source import Span


@dataclass(frozen=True, slots=True)
class Word:
    """A name as the author wrote it."""

    text: str
    span: Span = field(compare=False)


@dataclass(frozen=True, slots=True)
class Node:
    """Base of all nodes."""

    span: Span = field(compare=False)


# ---------------------------------------------------------------- expressions


@dataclass(frozen=True, slots=True)
class Expr(Node):
    """Base of expressions."""


@dataclass(frozen=True, slots=True)
class Number(Expr):
    digits: Word


@dataclass(frozen=True, slots=True)
class Name(Expr):
    word: Word


@dataclass(frozen=True, slots=True)
class None_(Expr):
    """The word `none`."""


@dataclass(frozen=True, slots=True)
class Call(Expr):
    name: Word
    args: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Of(Expr):
    head: Expr
    owner: Expr


@dataclass(frozen=True, slots=True)
class OfPair(Expr):
    """What one seat has on another: `whists of d on declarer`."""

    head: Expr
    owner: Expr
    on: Expr


@dataclass(frozen=True, slots=True)
class Minus(Expr):
    value: Expr


@dataclass(frozen=True, slots=True)
class Binary(Expr):
    left: Expr
    op: Word
    right: Expr


@dataclass(frozen=True, slots=True)
class Compare(Expr):
    left: Expr
    op: Word
    right: Expr


@dataclass(frozen=True, slots=True)
class Equal(Expr):
    left: Expr
    right: Expr


@dataclass(frozen=True, slots=True)
class Unequal(Expr):
    left: Expr
    right: Expr


@dataclass(frozen=True, slots=True)
class Member(Expr):
    left: Expr
    right: Expr


@dataclass(frozen=True, slots=True)
class Nonmember(Expr):
    left: Expr
    right: Expr


@dataclass(frozen=True, slots=True)
class Exists(Expr):
    value: Expr


@dataclass(frozen=True, slots=True)
class Negate(Expr):
    value: Expr


@dataclass(frozen=True, slots=True)
class Both(Expr):
    left: Expr
    right: Expr


@dataclass(frozen=True, slots=True)
class Either(Expr):
    left: Expr
    right: Expr


@dataclass(frozen=True, slots=True)
class Conditional(Expr):
    then: Expr
    when: Expr
    other: Expr


@dataclass(frozen=True, slots=True)
class Quantified(Expr):
    """Base of the forms that bind a name over a domain."""

    name: Word
    domain: Expr
    body: Expr


@dataclass(frozen=True, slots=True)
class Some(Quantified):
    pass


@dataclass(frozen=True, slots=True)
class Every(Quantified):
    pass


@dataclass(frozen=True, slots=True)
class Count(Quantified):
    pass


@dataclass(frozen=True, slots=True)
class Those(Quantified):
    pass


@dataclass(frozen=True, slots=True)
class First(Quantified):
    pass


@dataclass(frozen=True, slots=True)
class Total(Quantified):
    pass


@dataclass(frozen=True, slots=True)
class Highest(Quantified):
    pass


@dataclass(frozen=True, slots=True)
class Lowest(Quantified):
    pass


# --------------------------------------------------------- cards, orders, bids


@dataclass(frozen=True, slots=True)
class Cards(Node):
    items: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Ranked(Node):
    """A rank, or the name of a card, in an order."""

    word: Word


@dataclass(frozen=True, slots=True)
class OrderedIf(Node):
    then: Order
    when: Expr
    other: Order


@dataclass(frozen=True, slots=True)
class Order(Node):
    items: tuple[Ranked | OrderedIf, ...]


@dataclass(frozen=True, slots=True)
class Bids(Node):
    """Bids from low to high; `signs[i]` stands between `names[i]` and `names[i + 1]`."""

    names: tuple[Word, ...]
    signs: tuple[Word, ...]


# ---------------------------------------------------------------------- steps


@dataclass(frozen=True, slots=True)
class Target(Node):
    name: Word
    owner: Expr | None
    on: Expr | None = None


@dataclass(frozen=True, slots=True)
class PileOf(Node):
    name: Word
    owner: Expr | None


@dataclass(frozen=True, slots=True)
class Step(Node):
    """Base of steps that are one line of text."""


@dataclass(frozen=True, slots=True)
class Set(Step):
    target: Target
    value: Expr


@dataclass(frozen=True, slots=True)
class Add(Step):
    value: Expr
    target: Target


@dataclass(frozen=True, slots=True)
class Let(Step):
    name: Word
    value: Expr


@dataclass(frozen=True, slots=True)
class Deal(Step):
    count: Expr
    pile: PileOf | None
    start: Expr
    times: Expr | None


@dataclass(frozen=True, slots=True)
class MoveTop(Step):
    count: Expr | None
    source: PileOf
    target: PileOf


@dataclass(frozen=True, slots=True)
class MoveAll(Step):
    source: PileOf
    target: PileOf


@dataclass(frozen=True, slots=True)
class Move(Step):
    cards: Expr
    source: PileOf
    target: PileOf


@dataclass(frozen=True, slots=True)
class Shuffle(Step):
    pile: PileOf


@dataclass(frozen=True, slots=True)
class Show(Step):
    cards: Expr
    seats: Expr | None


@dataclass(frozen=True, slots=True)
class Pay(Step):
    """`payer pays amount to payee`; no amount means all; `each` marks the side that is a set of seats."""

    payer: Expr
    amount: Expr | None
    payee: Expr
    each: str


@dataclass(frozen=True, slots=True)
class Score(Step):
    who: Expr
    amount: Expr
    each: bool


@dataclass(frozen=True, slots=True)
class Announce(Step):
    word: Word
    value: Expr | None


@dataclass(frozen=True, slots=True)
class SitOut(Step):
    """Seats take no further part in the deal."""

    who: Expr


@dataclass(frozen=True, slots=True)
class Leave(Step):
    pass


@dataclass(frozen=True, slots=True)
class EndPlay(Step):
    pass


@dataclass(frozen=True, slots=True)
class ThrowIn(Step):
    pass


@dataclass(frozen=True, slots=True)
class Redeal(Step):
    pass


# -------------------------------------------------- steps of several lines


@dataclass(frozen=True, slots=True)
class When(Step):
    condition: Expr
    then: tuple[Step, ...]
    other: tuple[Step, ...]


@dataclass(frozen=True, slots=True)
class Each(Node):
    name: Word
    domain: Expr
    start: Expr | None


@dataclass(frozen=True, slots=True)
class Loop(Step):
    """`each:` with its `do:`."""

    head: Each
    body: tuple[Step, ...]


@dataclass(frozen=True, slots=True)
class Repeat(Step):
    """`repeat:` with its `do:`; at most `most` times, while `condition` holds; `early` if it says so itself."""

    most: Expr
    condition: Expr | None
    body: tuple[Step, ...]
    early: bool = False


@dataclass(frozen=True, slots=True)
class Offer(Node):
    """One choice of a question: a word, or a verb with a name over a domain."""

    verb: Word | None
    name: Word | None
    domain: Expr | None
    when: Expr | None
    because: str | None
    body: tuple[Step, ...]


@dataclass(frozen=True, slots=True)
class Ask(Step):
    who: Expr
    about: str
    offers: tuple[Offer, ...]


@dataclass(frozen=True, slots=True)
class Phrase(Step):
    """A line that is one of the phrases of the library or of the ruleset."""

    pattern: str
    args: tuple[Expr | PileOf, ...]


# --------------------------------------------------------------- declarations


@dataclass(frozen=True, slots=True)
class Variable(Node):
    type: Word
    optional: bool
    per: str
    match: bool
    seen: str
    start: Expr | None


@dataclass(frozen=True, slots=True)
class Pile(Node):
    per_seat: bool
    ordered: bool
    seen: str


@dataclass(frozen=True, slots=True)
class Parameter(Node):
    type: Word
    name: Word


@dataclass(frozen=True, slots=True)
class Definition(Node):
    name: Word
    parameters: tuple[Parameter, ...]
