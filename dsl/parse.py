"""From the text of one scalar to a node of `dsl.tree`: Lark, and errors in the words of the card table."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, is_dataclass
from functools import cache
from pathlib import Path
from typing import Any

from lark import Lark, Token, Transformer_NonRecursive, Tree, UnexpectedCharacters, UnexpectedEOF, UnexpectedToken

from dsl import tree
from dsl.diagnostics import Report
from dsl.source import Scalar, Span
from dsl.suggest import nearest

KINDS = ("expr", "cards", "order", "bids", "step", "payment", "each", "repeat", "offer", "variable", "pile", "definition")
LONGEST_TEXT = 4_000
DEEPEST_TREE = 60

KEYWORDS = frozenset(
    "if else or and not is in exists of none some every count those first sum for highest lowest has with by "
    "without mod set to add let be deal card cards each seat from times move top all shuffle show pays pay scores score "
    "announce leave end play throw redeal while at most seen starts".split()
)

# How a terminal is named in a message, where its own spelling is not enough.
TERMINAL_WORDS = {
    "NAME": "a name",
    "NUMBER": "a number",
    "COMPARE": "`<`, `<=`, `>` or `>=`",
    "BELOW": "`<` or `=`",
    "PLUS": "`+`",
    "MINUS": "`-`",
    "WITHOUT": "`without`",
    "TIMES": "`*`",
    "OVER": "`/`",
    "MOD": "`mod`",
    "MEET": "`&`",
    "_CARDS": "`cards`",
    "_PAYS": "`pays`",
    "_SCORES": "`scores`",
    "PER": "`per seat` or `per side`",
    "ORDERED": "`in order`",
    "OR_NONE": "`, or none`",
    "FOR_MATCH": "`, for the match`",
    "SEEN": "`all`, `owner` or `nobody`",
    "LPAR": "`(`",
    "RPAR": "`)`",
    "LBRACE": "`{`",
    "RBRACE": "`}`",
    "COMMA": "`,`",
    "COLON": "`:`",
    "$END": "the end of the text",
}

# What starts an operand: listing all of it would bury the message.
OPERAND_STARTS = {"NAME", "NUMBER", "LPAR", "NONE", "MINUS", "NOT", "SOME", "EVERY", "COUNT", "THOSE", "FIRST",
                  "SUM", "HIGHEST", "LOWEST"}  # fmt: skip
# Characters of other languages, and what to write instead.
FOREIGN = {"=": "`is`", "!": "`is not` or `not`", "|": "`or`, or `+` for cards", "^": "a named amount", "%": "`mod`",
           "[": "`of`", "&&": "`and`"}  # fmt: skip


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


def parse(scalar: Scalar, kind: str, report: Report) -> Any:
    """The node that a scalar's text means under a kind, or None after an error in the report."""
    text = scalar.value
    if not text.strip():
        report.error("E301", f"nothing is written where {_kind_words(kind)} is due", scalar.span, "empty")
        return None
    if len(text) > LONGEST_TEXT:
        report.error("E302", f"this text has {len(text)} characters, more than {LONGEST_TEXT}", scalar.part(0, 60), "too long",
                     help="give parts of it names under `define`")  # fmt: skip
        return None
    try:
        shape = grammar().parse(text, start=kind)
    except UnexpectedCharacters as error:
        _foreign_character(scalar, error.pos_in_stream, report)
        return None
    except (UnexpectedToken, UnexpectedEOF) as error:
        _unexpected(scalar, error, kind, report)
        return None
    if _depth(shape) > DEEPEST_TREE:
        report.error("E302", f"this text nests deeper than {DEEPEST_TREE} levels", scalar.part(0, min(60, len(text))), "too deep",
                     help="give parts of it names under `define`")  # fmt: skip
        return None
    return _Builder(scalar).transform(shape)


def _kind_words(kind: str) -> str:
    return {"expr": "an expression", "order": "an order of cards", "each": "a loop", "offer": "a choice"}.get(kind, f"a {kind}")


def _depth(shape: Any) -> int:
    deepest, todo = 0, [(shape, 1)]
    while todo:
        node, depth = todo.pop()
        deepest = max(deepest, depth)
        if isinstance(node, Tree):
            todo.extend((child, depth + 1) for child in node.children)
    return deepest


def _foreign_character(scalar: Scalar, position: int, report: Report) -> None:
    character = scalar.value[position]
    instead = FOREIGN.get(character)
    report.error("E303", f"`{character}` has no meaning here", scalar.part(position, position + 1), "not a sign of the language",
                 help=f"write {instead}" if instead else None)  # fmt: skip


def _unexpected(scalar: Scalar, error: UnexpectedToken | UnexpectedEOF, kind: str, report: Report) -> None:
    token = error.token if isinstance(error, UnexpectedToken) else None
    expected = set(error.expected if isinstance(error, UnexpectedEOF) else error.accepts or error.expected)
    wanted = _wanted(expected)
    if token is None or token.type == "$END":
        place = scalar.part(len(scalar.value.rstrip()) - 1, len(scalar.value.rstrip()))
        report.error("E304", f"{_kind_words(kind)} breaks off after `{place.text}`", place, f"then {wanted} is due")
        return
    start, end = token.start_pos or 0, token.end_pos or 0
    keyword = nearest(str(token), [w for w in _keywords_in(expected)]) if token.type == "NAME" else None
    if keyword is None and str(token) == "=":
        keyword = "is"
    if str(token) in KEYWORDS and "NAME" in expected:
        report.error("E305", f"`{token}` is a word of the language and cannot be a name", scalar.part(start, end), "choose another name")
        return
    report.error("E304", f"`{token}` does not fit here", scalar.part(start, end), f"{wanted} is due",
                 help=f"did you mean `{keyword}`?" if keyword else None)  # fmt: skip


def _keywords_in(expected: set[str]) -> list[str]:
    return [terminal.lower().lstrip("_") for terminal in expected if terminal.isupper()]


def _wanted(expected: set[str]) -> str:
    if expected >= {"NAME", "NUMBER", "LPAR"}:
        expected = expected - OPERAND_STARTS
        first = ["a name or a value"]
    else:
        first = []
    words = first + sorted(TERMINAL_WORDS.get(terminal, f"`{terminal.lower().lstrip('_')}`") for terminal in expected)
    if len(words) > 7:
        words = [*words[:6], "…"]
    return words[0] if len(words) == 1 else ", ".join(words[:-1]) + " or " + words[-1]


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
    "repeat_most": lambda span, c: tree.Repeat(span, c[0], None, ()),
    "offer_word": lambda span, c: tree.Offer(span, c[0], None, None, None, None, ()),
    "offer_each": lambda span, c: tree.Offer(span, c[0], c[1], c[2], None, None, ()),
    "offer_plain": lambda span, c: tree.Offer(span, None, c[0], c[1], None, None, ()),
    "variable": lambda span, c: tree.Variable(
        span, c[0], c[1] is not None, _text(c[2], "").removeprefix("per "), c[3] is not None, _text(c[4], "all"), c[5]
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
