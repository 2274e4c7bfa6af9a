"""A ruleset as it was written, every text parsed: the tree that the elaboration turns into a core program."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from dsl import tree
from dsl.deck import Deck
from dsl.options import Option
from dsl.source import Scalar, Span

Steps = tuple[tree.Step, ...]


@dataclass(frozen=True, slots=True)
class Named:
    """An item of a section: its key and the tree of its value."""

    key: Scalar
    value: tree.Expr


@dataclass(frozen=True, slots=True)
class Definition:
    head: tree.Definition
    body: tree.Expr


@dataclass(frozen=True, slots=True)
class PhraseRow:
    """A phrase: its pattern as words and `{holes}`, the holes' types, and what it does."""

    pattern: str
    key: Scalar
    parameters: tuple[tuple[str, str, Span], ...]
    about: str
    steps: Steps
    fixed: frozenset[str] = field(init=False, compare=False)

    def __post_init__(self) -> None:
        # The words that are not holes.
        object.__setattr__(self, "fixed", frozenset(part for part in self.parts if not part.startswith("{")))

    @property
    def parts(self) -> tuple[str, ...]:
        return tuple(self.pattern.split())


@dataclass(frozen=True, slots=True)
class Form:
    key: Scalar
    about: str
    steps: Steps


@dataclass(frozen=True, slots=True)
class Rung:
    key: Scalar
    when: tree.Expr | None
    must: tree.Expr
    because: str


@dataclass(frozen=True, slots=True)
class Payment:
    key: Scalar
    loop: tree.Each | None
    when: tree.Expr | None
    steps: Steps


@dataclass(frozen=True, slots=True)
class ScoreRow:
    unit: str
    by: str
    pots: tuple[Scalar, ...]
    balanced: bool
    span: Span


@dataclass(frozen=True, slots=True)
class Auction:
    key: Scalar
    form: tree.Expr
    when: tree.Expr | None
    bids: tree.Bids
    legal: tree.Expr | None
    declarer: Scalar | None
    won: Steps
    passed_out: Steps
    passed_span: Span | None


@dataclass(frozen=True, slots=True)
class Contract:
    key: Scalar
    about: str
    prepare: Steps
    ranking: Scalar | None
    multiplier: tree.Expr | None
    target: tree.Expr | None
    obligations: tuple[Rung, ...] | None
    lead_obligations: tuple[Rung, ...] | None
    outcomes: tuple[Named, ...] | None
    payments: tuple[Payment, ...] | None


@dataclass(frozen=True, slots=True)
class Play:
    key: Scalar
    when: tree.Expr | None = None
    leads: tree.Expr | None = None
    tricks: tree.Expr | None = None
    before: Steps = ()
    opens: Steps = ()
    opener: tree.Expr | None = None
    next_leads: tree.Expr | None = None
    chooses: tree.Expr | None = None
    turn: Steps = ()
    also: tuple[tree.Offer, ...] = ()
    obligations: tuple[Rung, ...] = ()
    lead_obligations: tuple[Rung, ...] = ()
    played: Steps = ()
    trick: Steps = ()
    after: Steps = ()


@dataclass(frozen=True, slots=True)
class Dummy:
    """A hand at which nobody sits: its name, and the seat after which its turn comes."""

    key: Scalar
    name: Scalar
    after: tree.Expr


@dataclass(frozen=True, slots=True)
class Match:
    start: Steps = ()
    dealer: tree.Expr | None = None
    ends: tree.Expr | None = None
    winners: tree.Expr | None = None
    finish: Steps = ()


@dataclass(slots=True)
class Ruleset:
    """All sections; what a file does not have is empty."""

    id: str
    title: str
    summary: str
    status: str
    sources: dict[str, str]
    notes: tuple[str, ...]
    span: Span
    players: int = 0
    dummy: Dummy | None = None
    direction: str = "clockwise"
    deck: Deck | None = None
    options: dict[str, Option] = field(default_factory=dict)
    presets: dict[str, dict[str, str]] = field(default_factory=dict)
    sides: tuple[tuple[Scalar, tuple[int, ...]], ...] = ()
    cards: tuple[tuple[Scalar, tree.Cards], ...] = ()
    ranking: tuple[tuple[Scalar, tree.Order], ...] = ()
    worth: tuple[tuple[Scalar, tree.Expr], ...] = ()
    piles: tuple[tuple[Scalar, tree.Pile], ...] = ()
    variables: tuple[tuple[Scalar, tree.Variable], ...] = ()
    define: tuple[Definition, ...] = ()
    phrases: tuple[PhraseRow, ...] = ()
    forms: tuple[Form, ...] = ()
    score: ScoreRow | None = None
    deal: Steps = ()
    opening: Steps = ()
    auction: Auction | None = None
    contracts: tuple[Contract, ...] = ()
    play: Play | None = None
    outcomes: tuple[Named, ...] = ()
    payments: tuple[Payment, ...] = ()
    finish: Steps = ()
    match: Match = field(default_factory=Match)
    # What does not parse: names, so that nobody calls them unknown, and sections, so that nobody misses a part of them.
    faulty: frozenset[str] = frozenset()
    # The first step by which somebody sits out.
    sitting: Span | None = None
    unread: frozenset[str] = frozenset()


def walk_steps(steps: Iterable[tree.Step]) -> Iterator[tree.Step]:
    """All steps, those inside others too."""
    for step in steps:
        yield step
        if isinstance(step, tree.When):
            yield from walk_steps(step.then)
            yield from walk_steps(step.other)
        elif isinstance(step, tree.Loop | tree.Repeat):
            yield from walk_steps(step.body)
        elif isinstance(step, tree.Ask):
            for offer in step.offers:
                yield from walk_steps(offer.body)


def all_steps(rules: Ruleset) -> Iterator[tree.Step]:
    """Every step of a ruleset, in whatever section it stands."""
    lists = [rules.deal, rules.opening, rules.finish, rules.match.start, rules.match.finish]
    lists += [row.steps for row in rules.phrases] + [form.steps for form in rules.forms] + [row.prepare for row in rules.contracts]
    lists += [row.steps for rows in (rules.payments, *(c.payments or () for c in rules.contracts)) for row in rows]
    if rules.auction is not None:
        lists += [rules.auction.won, rules.auction.passed_out]
    if rules.play is not None:
        play = rules.play
        lists += [play.before, play.opens, play.turn, play.played, play.trick, play.after, *(offer.body for offer in play.also)]
    for steps in lists:
        yield from walk_steps(steps)
