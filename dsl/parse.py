"""From the text of one scalar to a node of `dsl.tree`: Lark, and errors in the words of the card table."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from dataclasses import fields, is_dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

from lark import Lark, Token, Transformer_NonRecursive, Tree, UnexpectedCharacters, UnexpectedToken

from dsl import tree
from dsl.diagnostics import Report
from dsl.mistakes import KIND_WORDS, WORDS, foreign_sign, glued, unexpected
from dsl.source import Scalar, Span

KINDS = ("expr", "cards", "order", "bids", "step", "payment", "each", "repeat", "offer", "variable", "pile", "definition")
LONGEST_TEXT = 4_000
DEEPEST_TREE = 60
# Trees of texts up to this length are kept: a thousand of them take fifty megabytes at most, and usually five.
SHORT = 160
RUN = re.compile(r"\w+")


@cache
def grammar() -> Lark:
    """The parser for all kinds, built once per process."""
    return Lark(
        Path(__file__).with_name("grammar.lark").read_text(encoding="utf-8"),
        parser="lalr",
        lexer="contextual",
        start=list(KINDS),
        propagate_positions=True,
        maybe_placeholders=True,
        cache=True,
    )


def parse(scalar: Scalar, kind: str, report: Report, known: Collection[str] = ()) -> Any:
    """The node that a scalar's text means under a kind, or None after an error in the report.

    `known` are the names of the ruleset, from which suggestions are taken.
    """
    text = scalar.value
    if not text.strip():
        report.error("E301", f"nothing is written where {KIND_WORDS[kind]} is due", scalar.span, "empty")
        return None
    if len(text) > LONGEST_TEXT:
        report.error("E302", f"this text has {len(text)} characters, more than {LONGEST_TEXT}", scalar.part(0, 60), "too long",
                     help="give parts of it names under `define`")  # fmt: skip
        return None
    try:
        shape = _shape(text, kind)
    except UnexpectedCharacters as error:
        foreign_sign(scalar, error.pos_in_stream or 0, report)
        return None
    except UnexpectedToken as error:
        unexpected(scalar, error, kind, known, _spelling, lambda other: fits(other, kind), report)
        return None
    depth, tokens = _measured(shape)
    if (place := _glued(text, tokens)) is not None:
        glued(scalar, place, kind, known, lambda other: fits(other, kind), report)
        return None
    if depth > DEEPEST_TREE:
        report.error("E302", f"this text nests deeper than {DEEPEST_TREE} levels", scalar.part(0, min(60, len(text))), "too deep",
                     help="give parts of it names under `define`")  # fmt: skip
        return None
    return _Builder(scalar).transform(shape)


def _shape(text: str, kind: str) -> Any:
    return _short_shape(text, kind) if len(text) <= SHORT else grammar().parse(text, start=kind)


@lru_cache(maxsize=1024)  # whoever types changes one text, and the others are read again with every key
def _short_shape(text: str, kind: str) -> Any:
    return grammar().parse(text, start=kind)


def fits(text: str, kind: str) -> bool:
    """Whether a text is one of a kind."""
    try:
        shape = _shape(text, kind)
    except (UnexpectedCharacters, UnexpectedToken):
        return False
    return _glued(text, _measured(shape)[1]) is None


def _glued(text: str, tokens: list[Token]) -> int | None:
    """Where a word stands that the lexer took for two: it reads `isnot` as `is not`, and `ing` as `in g`."""
    runs = {found.start(): found.group() for found in RUN.finditer(text)}
    for token in tokens:
        start = token.start_pos or 0
        if runs.get(start) == token:
            del runs[start]
        else:  # several words that belong together, or a part of one
            for found in RUN.finditer(token):
                if runs.get(start + found.start()) == found.group():
                    del runs[start + found.start()]
    return next((start for start, word in runs.items() if word not in WORDS), None)


def _spelling(terminal: str) -> str:
    return str(grammar().get_terminal(terminal).pattern.value)


def _measured(shape: Any) -> tuple[int, list[Token]]:
    """How deep a tree is, and the words and numbers that it keeps, in no order; Python could not recurse that deep."""
    deepest, tokens, todo = 0, list[Token](), [(shape, 1)]
    while todo:
        node, depth = todo.pop()
        deepest = max(deepest, depth)
        if isinstance(node, Tree):
            todo.extend((child, depth + 1) for child in node.children)
        elif isinstance(node, Token):
            tokens.append(node)
    return deepest, tokens


def _camel(rule: str) -> str:
    return "".join(part.capitalize() for part in rule.split("_"))


class _Builder(Transformer_NonRecursive[Any, Any]):
    """Builds `dsl.tree` nodes; a rule without a method of its own builds the class of its name."""

    def __init__(self, scalar: Scalar) -> None:
        super().__init__(visit_tokens=True)
        self.scalar = scalar

    def _call_userfunc(self, shape: Any, new_children: list[Any] | None = None) -> Any:
        children = shape.children if new_children is None else new_children
        span = self.scalar.part(shape.meta.start_pos, shape.meta.end_pos)
        special: Callable[[Span, list[Any]], Any] | None = SPECIAL.get(shape.data)
        if special is not None:
            return special(span, children)
        return getattr(tree, _camel(shape.data))(span, *children)

    def _call_userfunc_token(self, token: Token) -> Any:
        start = token.start_pos or 0
        return tree.Word(str(token), self.scalar.part(start, token.end_pos or start))


def _text(word: tree.Word | None, default: str) -> str:
    return default if word is None else " ".join(word.text.split())


SPECIAL: dict[str, Callable[[Span, list[Any]], Any]] = {
    "none": lambda span, c: tree.None_(span),
    "call": lambda span, c: tree.Call(span, c[0], tuple(x for x in c[1:] if x is not None)),
    "minus": lambda span, c: tree.Minus(span, c[1]),
    "target_pair": lambda span, c: tree.Target(span, c[0], c[1], c[2]),
    "total": lambda span, c: tree.Total(span, c[1], c[2], c[0]),
    "cards": lambda span, c: tree.Cards(span, tuple(c)),
    "order": lambda span, c: tree.Order(span, tuple(c)),
    "bids": lambda span, c: tree.Bids(span, tuple(c[::2]), tuple(c[1::2])),
    "deal": lambda span, c: tree.Deal(span, c[0], None, c[1], c[2]),
    "deal_to": lambda span, c: tree.Deal(span, c[0], c[1], c[2], c[3]),
    "move_top": lambda span, c: tree.MoveTop(span, *([None, *c] if len(c) == 2 else c)),
    "show": lambda span, c: tree.Show(span, c[0], c[1] if len(c) > 1 else None),
    "pay_all": lambda span, c: tree.Pay(span, c[0], None, c[1], "no"),
    "pay": lambda span, c: tree.Pay(span, c[0], c[1], c[2], "no"),
    "pay_each": lambda span, c: tree.Pay(span, c[0], c[1], c[2], "payer"),
    "pay_to_each": lambda span, c: tree.Pay(span, c[0], c[1], c[2], "payee"),
    "score": lambda span, c: tree.Score(span, c[0], c[1], False),
    "score_each": lambda span, c: tree.Score(span, c[0], c[1], True),
    "announce": lambda span, c: tree.Announce(span, c[0], c[1] if len(c) > 1 else None),
    "each": lambda span, c: tree.Each(span, *c),
    "repeat_times": lambda span, c: tree.Repeat(span, c[0], None, ()),
    "repeat_while": lambda span, c: tree.Repeat(span, c[1], c[0], ()),
    "repeat_most": lambda span, c: tree.Repeat(span, c[0], None, (), True),
    "offer_word": lambda span, c: tree.Offer(span, c[0], None, None, None, None, ()),
    "offer_each": lambda span, c: tree.Offer(span, c[0], c[1], c[2], None, None, ()),
    "offer_plain": lambda span, c: tree.Offer(span, None, c[0], c[1], None, None, ()),
    "variable": lambda span, c: tree.Variable(
        span, c[0], c[1] is not None, _text(c[2], "").removeprefix("per ").partition(" ")[0], c[3] is not None, _text(c[4], "all"), c[5]
    ),
    "pile": lambda span, c: tree.Pile(span, c[0] is not None, c[1] is not None, _text(c[2], "nobody")),
    "definition": lambda span, c: tree.Definition(span, c[0], tuple(x for x in c[1:] if x is not None)),
}


def children(node: Any) -> list[Any]:
    """The nodes directly below a node, in the order they were written."""
    found: list[Any] = []
    if is_dataclass(node):
        for item in fields(node):
            value = getattr(node, item.name)
            if isinstance(value, tree.Node):
                found.append(value)
            elif isinstance(value, tuple):
                found.extend(x for x in value if isinstance(x, tree.Node))
    return found
