"""What of a ruleset can be reached: rungs, outcomes, payments, contracts, values of options, answers, both sides of each `when`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from dsl import tree
from dsl.options import Option
from dsl.ruleset import Payment, Ruleset, Rung, Steps, walk_steps
from dsl.source import Span

KINDS = ("rung", "outcome", "payment", "contract", "value", "answer", "when")
# Where an item stands and which side of it: the file, the offset, the side.
Key = tuple[str, int, str]
DEFAULT, OTHER = "the default", "another value"


@dataclass(frozen=True, slots=True)
class Item:
    """Something that cases can reach: its kind, its name, the side of it that counts, where it stands, and what a trace calls it."""

    kind: str
    name: str
    side: str
    span: Span
    key: Key

    @property
    def place(self) -> str:
        """File and line."""
        return f"{self.span.source.name}:{self.span.line}"

    @property
    def said(self) -> str:
        """The item in words: `when ante > 0 holds`, `rung follow`."""
        name = " ".join(self.name.split())
        return f"{self.kind} {name} {self.side}" if self.kind == "when" else f"{self.kind} {name}"


def item(kind: str, name: str, side: str, span: Span, traced: Span | None = None) -> Item:
    """An item; `traced` is the place that a trace knows it by, if that is another."""
    return Item(kind, name, side, span, key(traced or span, side))


def key(span: Span, side: str) -> Key:
    """The key of what stands at a place."""
    return span.source.name, span.start, side


def items_of(rules: Ruleset) -> tuple[Item, ...]:
    """All items of a resolved ruleset, inherited ones too, each once, in the order of files and lines; those of the library left out."""
    found: dict[Key, Item] = {}
    for one in _all(rules):
        if not one.span.source.name.startswith("library/"):
            found.setdefault(one.key, one)
    return tuple(sorted(found.values(), key=lambda one: (one.span.source.name, one.span.start)))


def _all(rules: Ruleset) -> Iterator[Item]:
    for option in rules.options.values():
        yield from _values(option)
    steps: list[Steps] = [rules.deal, rules.opening, rules.finish, *(phrase.steps for phrase in rules.phrases)]
    steps += [form.steps for form in rules.forms] + [rules.match.start, rules.match.finish]
    yield from _payments(rules.payments)
    yield from (item("outcome", row.key.value, "row", row.key.span) for row in rules.outcomes)
    if rules.auction is not None:
        yield from _sides(rules.auction.when)
        steps.append(rules.auction.passed_out)
    for contract in rules.contracts:
        yield item("contract", contract.key.value, "played", contract.key.span)
        steps.append(contract.prepare)
        yield from _rungs((*(contract.obligations or ()), *(contract.lead_obligations or ())))
        yield from (item("outcome", row.key.value, "row", row.key.span) for row in contract.outcomes or ())
        yield from _payments(contract.payments or ())
    if rules.play is not None:
        play = rules.play
        yield from _sides(play.when)
        yield from _rungs((*play.obligations, *play.lead_obligations))
        yield from _offers(play.also)
        steps += [play.before, play.turn, play.played, play.trick, play.after]
    for one in steps:
        yield from _steps(one)


def _values(option: Option) -> Iterator[Item]:
    if option.choices:
        for choice in option.choices:
            yield item("value", f"{option.id} is {choice.value}", choice.value, choice.span)
    elif option.kind == "truth":
        for word in ("yes", "no"):
            yield item("value", f"{option.id} is {word}", word, option.key.span)
    else:
        yield item("value", f"{option.id} is {option.default.value}", DEFAULT, option.key.span)
        if option.least is None or option.least != option.most:
            yield item("value", f"{option.id} is not {option.default.value}", OTHER, option.key.span)


def value_key(option: Option) -> Key:
    """The key of the value that an option has."""
    if option.choices:
        return key(next(choice.span for choice in option.choices if choice.value == option.value), option.value)
    if option.kind == "truth":
        return key(option.key.span, "yes" if option.constant else "no")
    return key(option.key.span, DEFAULT if option.value == option.default.value else OTHER)


def _sides(condition: tree.Expr | None, span: Span | None = None) -> Iterator[Item]:
    """Both sides of a condition; `span` is where its row stands, if the row is what is traced."""
    if condition is not None:
        for side in ("holds", "fails"):
            yield item("when", condition.span.text, side, condition.span, span)


def _rungs(rungs: Iterable[Rung]) -> Iterator[Item]:
    for rung in rungs:
        yield item("rung", rung.key.value, "decides", rung.key.span)
        yield from _sides(rung.when, rung.key.span)


def _payments(rows: Iterable[Payment]) -> Iterator[Item]:
    for row in rows:
        yield item("payment", row.key.value, "applies", row.key.span)
        yield from _sides(row.when)
        yield from _steps(row.steps)


def _offers(offers: Iterable[tree.Offer]) -> Iterator[Item]:
    for offer in offers:
        yield item("answer", offer.span.text, "chosen", offer.span)
        yield from _sides(offer.when, offer.span)
        yield from _steps(offer.body)


def _steps(steps: Steps) -> Iterator[Item]:
    for step in walk_steps(steps):
        if isinstance(step, tree.When):
            yield from _sides(step.condition)
        elif isinstance(step, tree.Ask):
            for offer in step.offers:
                yield item("answer", offer.span.text, "chosen", offer.span)
                yield from _sides(offer.when, offer.span)
