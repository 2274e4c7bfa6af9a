"""Words of a case as values of a game and back: cards, seats, suits, numbers, each misspelling with its place."""

from __future__ import annotations

import re
from collections.abc import Iterable
from fractions import Fraction
from typing import Any

from dsl import types as t
from dsl.deck import Deck
from dsl.options import as_number
from dsl.program import Program
from dsl.source import Entry, Mapping, Node, Scalar, Sequence, Span
from dsl.suggest import nearest
from dsl.types import Type
from spadille.casefile.result import WrongCase

WORD = re.compile(r"\S+")
TRUTHS = {"true": True, "yes": True, "false": False, "no": False}
NONE = ("none", "null", "~")


def split(scalar: Scalar, start: int = 0, end: int | None = None) -> list[tuple[str, Span]]:
    """The words of a text with their places."""
    last = len(scalar.value) if end is None else end
    return [(found.group(), scalar.part(*found.span())) for found in WORD.finditer(scalar.value, start, last)]


def one_text(entry: Entry, node: Node | None = None) -> Scalar:
    """The one value under a key, or a part of it; raises WrongCase for a list or a mapping."""
    node = entry.value if node is None else node
    if not isinstance(node, Scalar):
        raise WrongCase("E803", f"one value is due for `{entry.key.value}`", entry.key.span, "more is given here")
    return node


def hint(word: str, known: Iterable[str]) -> str | None:
    """A suggestion for a misspelt word."""
    near = nearest(word, known)
    return f"did you mean `{near}`?" if near else None


def card(deck: Deck, word: str, span: Span) -> int:
    """The number of a card; raises WrongCase with a suggestion."""
    found = deck.by_text.get(word)
    if found is None:
        ranks, suits = " ".join(rank.symbol for rank in deck.ranks), " ".join(suit.letter for suit in deck.suits)
        raise WrongCase("E801", f"unknown card `{word}`", span, f"the ranks of deck `{deck.id}` are {ranks}, the suits {suits}",
                        hint(word, deck.by_text))  # fmt: skip
    return found


def cards(deck: Deck, scalar: Scalar) -> list[int]:
    """The cards of a text, in its order; raises WrongCase for an unknown card and for one given twice."""
    found: list[int] = []
    for word, span in split(scalar):
        number = card(deck, word, span)
        if number in found:
            raise WrongCase("E801", f"the card `{deck.text(number)}` is given twice", span, "again here")
        found.append(number)
    return found


def card_text(deck: Deck, numbers: Iterable[int]) -> str:
    """Cards as they are written, in the order given."""
    return " ".join(deck.text(number) for number in numbers) or "no cards"


def same_cards(deck: Deck, wanted: Iterable[int], found: Iterable[int]) -> tuple[str, str]:
    """Two sets of cards as texts that are equal just if the sets are, those of the first in its order."""
    wanted, left = list(wanted), set(found)
    ordered = [c for c in wanted if c in left] + sorted(left - set(wanted))
    return card_text(deck, wanted), card_text(deck, ordered)


def seat(program: Program, text: str, span: Span) -> int:
    """A seat by its number."""
    if text.isascii() and text.isdigit() and int(text) < program.players:
        return int(text)
    raise WrongCase("E803", f"there is no seat `{text}`", span, f"seats are 0 to {program.players - 1}")


# -------------------------------------------------------------------- by type


def vocabulary(program: Program, kind: str) -> tuple[str, ...]:
    """The words that name the values of a kind."""
    match kind:
        case "suit" | "suits":
            return tuple(suit.name for suit in program.deck.suits)
        case "rank" | "ranks":
            return tuple(rank.symbol for rank in program.deck.ranks)
        case "bid" | "bids":
            return program.bids
        case "contract":
            return tuple(row.id for row in program.contracts)
        case "outcome":
            return program.outcomes
        case "side" | "sides":
            return program.side_names
    return ()


def value(program: Program, type_: Type, scalar: Scalar) -> Any:
    """What a text means as a value of a type; raises WrongCase."""
    text = scalar.value.strip()
    if type_.kind not in ("cards", "seats") and (text in NONE or not text):
        return None
    words = vocabulary(program, type_.kind)
    if type_.is_set and type_.kind not in ("cards", "seats"):
        return frozenset(_word(words, word, type_.kind, span) for word, span in split(scalar))
    match type_.kind:
        case "truth":
            if text.lower() not in TRUTHS:
                raise WrongCase("E803", f"`true` or `false` is due, not `{text}`", scalar.span)
            return TRUTHS[text.lower()]
        case "number":
            number = as_number(text)
            if number is None:
                raise WrongCase("E803", f"a number is due, not `{text}`", scalar.span)
            return int(number) if number.denominator == 1 else number
        case "card":
            return card(program.deck, text, scalar.span)
        case "cards":
            return frozenset(cards(program.deck, scalar))
        case "seat":
            return seat(program, text, scalar.span)
        case "seats":
            return frozenset(seat(program, word, span) for word, span in split(scalar))
    return _word(words, text, type_.kind, scalar.span)


def _word(words: tuple[str, ...], text: str, kind: str, span: Span) -> int:
    if text not in words:
        raise WrongCase("E803", f"unknown {kind.removesuffix('s')} `{text}`", span, f"one of {', '.join(words)} is due", hint(text, words))
    return words.index(text)


def shown(program: Program, type_: Type, found: Any) -> str:
    """A value as a case writes it."""
    if found is None:
        return "none"
    if isinstance(found, bool):
        return "true" if found else "false"
    if type_.kind in ("card", "cards"):
        return card_text(program.deck, sorted(found) if isinstance(found, frozenset) else [found])
    words = vocabulary(program, type_.kind)
    if isinstance(found, frozenset):
        return " ".join(words[one] if words else str(one) for one in sorted(found)) or "none"
    return words[found] if words and isinstance(found, int) else str(Fraction(found)) if type_.kind == "number" else str(found)


def shown_node(node: Node) -> str:
    """A value of the case as one line."""
    if isinstance(node, Scalar):
        return node.value
    if isinstance(node, Sequence):
        return " ".join(shown_node(item) for item in node)
    assert isinstance(node, Mapping)
    return ", ".join(f"{entry.key.value} {shown_node(entry.value)}" for entry in node)


def agree(program: Program, type_: Type, wanted: Scalar, found: Any) -> tuple[str, str]:
    """Expected and found as texts that are equal just if the values are."""
    expected = value(program, type_, wanted)
    if type_.kind == "cards" and isinstance(found, frozenset):
        return same_cards(program.deck, cards(program.deck, wanted), found)
    if type_.kind == t.TRUTH.kind:
        found = None if found is None else bool(found)
    return shown(program, type_, expected), shown(program, type_, found)
