"""The mutants of a ruleset: what else could stand where something stands, found in its tree."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, fields, is_dataclass
from itertools import pairwise
from typing import Any

from dsl import tree
from dsl.options import Option
from dsl.ruleset import Payment, Ruleset, Rung
from dsl.source import Source, Span
from spadille.mutation.edits import Drop, Edit, Replace

COMPARISONS = {"<": "<=", "<=": "<", ">": ">=", ">=": ">"}
OPERATORS = {"+": "-", "-": "+", "*": "+", "/": "*", "without": "&", "&": "+"}
NAMES = {"eldest": "dealer", "dealer": "eldest", "winner": "leader", "leader": "winner", "yes": "no", "no": "yes"}
CALLS = {"min": "max", "max": "min", "floor": "ceiling", "ceiling": "floor", "next": "previous", "previous": "next"}
QUANTIFIERS = {"some": "every", "every": "some", "highest": "lowest", "lowest": "highest"}
SECTIONS = ("cards", "ranking", "worth", "define", "phrases", "forms", "deal", "opening", "auction", "contracts", "play", "outcomes",
            "payments", "finish", "match")  # fmt: skip
DROPPED = (tree.Set, tree.Add, tree.MoveTop, tree.MoveAll, tree.Move, tree.Shuffle, tree.Pay, tree.Score, tree.When, tree.Loop, tree.Repeat,
           tree.Leave, tree.EndPlay, tree.ThrowIn, tree.Redeal, tree.Phrase)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Mutant:
    """A ruleset that differs in one place: its section, what kind of change, where, the text before and after, and how to make it."""

    section: str
    kind: str
    span: Span
    before: str
    after: str
    edits: tuple[Edit, ...]

    @property
    def place(self) -> str:
        """File and line."""
        return f"{self.span.source.name}:{self.span.line}"

    @property
    def said(self) -> str:
        """The change in words."""
        if not self.after:
            return f"without `{self.before}`"
        return f"`{self.before}` → `{self.after}`"


def mutants_of(rules: Ruleset, source: Source) -> tuple[Mutant, ...]:
    """The mutants of what stands in a file, in the order of its lines; some are no valid rulesets, some play the same game."""
    found: dict[tuple[tuple[int, str], ...], Mutant] = {}
    for one in _all(rules):
        if all(edit.span.source.name == source.name for edit in one.edits):
            found.setdefault(tuple((edit.span.start, getattr(edit, "text", "\0")) for edit in one.edits), one)
    return tuple(sorted(found.values(), key=lambda one: (one.span.start, one.after)))


def _all(rules: Ruleset) -> Iterator[Mutant]:
    for option in rules.options.values():
        yield from _option(option)
    yield from (_drop("outcomes", "outcome", row.key.span, row.key.value) for row in rules.outcomes[:-1])
    for contract in rules.contracts:
        yield from (_drop("contracts", "outcome", row.key.span, row.key.value) for row in (contract.outcomes or ())[:-1])
    for section in SECTIONS:
        nodes = list(_nodes(getattr(rules, section)))
        # The cards are shuffled: from whom on they are dealt is nothing that anybody could notice.
        dealt = {id(one) for node in nodes if isinstance(node, tree.Deal) for one in _nodes(node.start)}
        for node in nodes:
            if id(node) not in dealt:
                yield from (Mutant(section, *rest) for rest in _changes(node, rules))


def _nodes(thing: Any) -> Iterator[Any]:
    """All nodes of a tree, what contains before what it contains."""
    if isinstance(thing, tuple):
        for part in thing:
            yield from _nodes(part)
    elif is_dataclass(thing) and not isinstance(thing, Span | tree.Word):
        yield thing
        for field in fields(thing):
            if field.name not in ("span", "key"):
                yield from _nodes(getattr(thing, field.name))


Change = tuple[str, Span, str, str, tuple[Edit, ...]]


def _drop(section: str, kind: str, span: Span, name: str) -> Mutant:
    return Mutant(section, f"drop {kind}", span, f"{kind} {_flat(name)}", "", (Drop(span),))


def _put(kind: str, span: Span, text: str) -> Change:
    return (kind, span, _flat(span.text), text, (Replace(span, text),))


def _flat(text: str) -> str:
    return " ".join(text.split())


def _option(option: Option) -> Iterator[Mutant]:
    """Another default."""
    if option.choices:
        others = [word for word in option.words if word != option.default.value]
    elif option.kind == "truth":
        others = ["no" if option.constant else "yes"]
    else:
        others = [text for step in (1, -1) if option.problem(text := str(int(option.constant) + step)) is None]
    for text in others[:1]:
        span = option.default.span
        yield Mutant("options", "default", span, f"{option.id}: {option.default.value}", f"{option.id}: {text}", (Replace(span, text),))


def _changes(node: Any, rules: Ruleset) -> Iterator[Change]:
    match node:
        case tree.Order(items=items):
            for one, two in pairwise(items):
                if isinstance(one, tree.Ranked) and isinstance(two, tree.Ranked):
                    yield _swap("ranks", one.word, two.word)
        case tree.Bids(names=names):
            for one_, two_ in pairwise(names):
                yield _swap("bids", one_, two_)
        case tree.Cards(items=items) if len(items) > 1:
            span = Span(node.span.source, items[0].span.start, items[1].span.start)
            yield ("drop card", span, _flat(items[0].span.text), "", (Replace(span, ""),))
        case Rung(key=key):
            yield ("drop rung", key.span, f"rung {key.value}", "", (Drop(key.span),))
            # A rung that is empty is passed by: asking first whether it is changes nothing.
            asked = isinstance(node.when, tree.Some) and isinstance(node.must, tree.Those) and _parts(node.when) == _parts(node.must)
            yield from (change for change in _condition(node.when) if not (asked and change[3] == "yes"))
        case Payment(key=key):
            yield ("drop payment", key.span, f"payment {key.value}", "", (Drop(key.span),))
            yield from _condition(node.when)
        case tree.Offer():
            yield from _condition(node.when)
        case tree.Step():
            if isinstance(node, DROPPED):
                text = node.span.source.line(node.span.line).strip().removeprefix("- ")
                yield ("drop step", node.span, text if isinstance(node, tree.When | tree.Loop) else _flat(node.span.text), "",
                       (Drop(node.span),))  # fmt: skip
            if isinstance(node, tree.When):
                yield from _condition(node.condition)
            if isinstance(node, tree.Pay):
                yield from _turned(node)
        case tree.Expr():
            yield from _expression(node, rules)


def _parts(node: tree.Quantified) -> tuple[Any, ...]:
    return node.name, node.domain, node.body


def _swap(kind: str, one: tree.Word, two: tree.Word) -> Change:
    return (f"swap {kind}", one.span, f"{one.text} {two.text}", f"{two.text} {one.text}",
            (Replace(one.span, two.text), Replace(two.span, one.text)))  # fmt: skip


def _condition(condition: tree.Expr | None) -> Iterator[Change]:
    for word in ("yes", "no") if condition is not None else ():
        assert condition is not None
        yield _put("condition", condition.span, word)


def _turned(step: tree.Pay) -> Iterator[Change]:
    """Who pays is paid."""
    payer = "each of " * (step.each == "payer") + step.payer.span.text
    payee = "each of " * (step.each == "payee") + step.payee.span.text
    amount = "all" if step.amount is None else step.amount.span.text
    yield _put("turn payment", step.span, f"{_flat(payee)} pays {_flat(amount)} to {_flat(payer)}")


def _expression(node: tree.Expr, rules: Ruleset) -> Iterator[Change]:
    match node:
        case tree.Number(digits=digits):
            yield _put("number", digits.span, str(int(digits.text) + 1))
        case tree.Compare(op=op):
            yield _put("comparison", op.span, COMPARISONS[op.text])
        case tree.Equal():
            yield from _between(node.left, node.right, "is", "is not")
        case tree.Unequal():
            yield from _between(node.left, node.right, r"is\s+not", "is")
        case tree.Member():
            yield from _between(node.left, node.right, "in", "not in")
        case tree.Nonmember():
            yield from _between(node.left, node.right, r"not\s+in", "in")
        case tree.Both():
            yield from _between(node.left, node.right, "and", "or")
        case tree.Either():
            yield from _between(node.left, node.right, "or", "and")
        case tree.Negate():
            yield from _head(node, "not", "")
        case tree.Binary(op=op) if op.text in OPERATORS:
            yield _put("operator", op.span, OPERATORS[op.text])
        case tree.Call(name=name) if name.text in CALLS:
            yield _put("function", name.span, CALLS[name.text])
        case tree.Quantified():
            for word, other in QUANTIFIERS.items():
                yield from _head(node, word, other)
        case tree.Conditional(when=when):
            yield _put("condition", when.span, f"not ({_flat(when.span.text)})")
        case tree.Name(word=word) if word.text in NAMES:
            yield _put("name", word.span, NAMES[word.text])
        case tree.Name(word=word) if rules.deck is not None and word.text in rules.deck.classes:
            for other in sorted(set(rules.deck.classes) - {word.text})[:1]:
                yield _put("name", word.span, other)


def _between(left: tree.Expr, right: tree.Expr, word: str, other: str) -> Iterator[Change]:
    """Another word between two expressions."""
    source, start = left.span.source, left.span.end
    found = re.search(rf"\b{word}\b", source.text[start : right.span.start])
    if found is not None:
        span = Span(source, start + found.start(), start + found.end())
        whole = Span(source, left.span.start, right.span.end)
        after = source.text[whole.start : span.start] + other + source.text[span.end : whole.end]
        yield ("logic", span, _flat(whole.text), _flat(after), (Replace(span, other),))


def _head(node: tree.Expr, word: str, other: str) -> Iterator[Change]:
    """Another first word, or none."""
    if re.match(rf"{word}\b", node.span.text):
        start = node.span.start
        span = Span(node.span.source, start, start + len(word))
        yield ("logic", span, _flat(node.span.text), _flat(other + node.span.text[len(word) :]), (Replace(span, other),))
