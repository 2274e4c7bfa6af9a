"""Expressions as text: brackets only where the grammar needs them, places to break at `or`, `and`, `else`, inside brackets."""

from __future__ import annotations

from collections.abc import Iterable

from dsl import tree
from dsl.printing.layout import Group, Layout, Line, Nest

# How tightly a form binds, by the rules of the grammar.
CHOICE, OR, AND, NOT, COMPARISON, SUM, TERM, FACTOR, OWNED, ATOM = range(10)
TERMS = ("*", "/", "mod", "&")
LEVELS: dict[type[tree.Expr], int] = {
    tree.Conditional: CHOICE,
    tree.Either: OR,
    tree.Both: AND,
    tree.Negate: NOT,
    tree.Compare: COMPARISON,
    tree.Equal: COMPARISON,
    tree.Unequal: COMPARISON,
    tree.Member: COMPARISON,
    tree.Nonmember: COMPARISON,
    tree.Exists: COMPARISON,
    tree.Minus: FACTOR,
    tree.Of: OWNED,
    tree.OfPair: OWNED,
}
SIGNS: dict[type[tree.Expr], str] = {tree.Equal: "is", tree.Unequal: "is not", tree.Member: "in", tree.Nonmember: "not in"}
# The word before the body, and before the name.
BINDERS: dict[type[tree.Expr], tuple[str, str]] = {
    tree.Some: ("some", "has"),
    tree.Every: ("every", "has"),
    tree.Count: ("count", "with"),
    tree.Those: ("those", "with"),
    tree.First: ("first", "with"),
    tree.Highest: ("highest", "by"),
    tree.Lowest: ("lowest", "by"),
}


def expression(node: tree.Expr, least: int = CHOICE) -> Layout:
    """The layout of an expression where one that binds as `least` is due."""
    if level(node) < least:
        return Group(("(", Nest((Line(""), _bare(node))), Line(""), ")"))
    return _bare(node)


def level(node: tree.Expr) -> int:
    """How tightly a node binds."""
    if isinstance(node, tree.Quantified):
        return CHOICE  # the grammar asks for less, but its text goes on as far as it can, and a reader should see how far
    if isinstance(node, tree.Binary):
        return TERM if node.op.text in TERMS else SUM
    return LEVELS.get(type(node), ATOM)


def _bare(node: tree.Expr) -> Layout:
    match node:
        case tree.Number(digits=word) | tree.Name(word=word):
            return word.text
        case tree.None_():
            return "none"
        case tree.Call(name=name, args=args):
            return Group((name.text, "(", Nest((Line(""), listed(args))), Line(""), ")")) if args else f"{name.text}()"
        case tree.Of(head=head, owner=owner):
            return (expression(head, ATOM), " of ", expression(owner, OWNED))
        case tree.OfPair(head=head, owner=owner, on=on):
            return (expression(head, ATOM), " of ", expression(owner, ATOM), " on ", expression(on, ATOM))
        case tree.Minus(value=value):
            return ("-", expression(value, FACTOR))
        case tree.Exists(value=value):
            return (expression(value, SUM), " exists")
        case tree.Compare(left=left, op=op, right=right):
            return (expression(left, SUM), f" {op.text} ", expression(right, SUM))
        case tree.Equal(left=left, right=right) | tree.Unequal(left=left, right=right):
            return (expression(left, SUM), f" {SIGNS[type(node)]} ", expression(right, SUM))
        case tree.Member(left=left, right=right) | tree.Nonmember(left=left, right=right):
            return (expression(left, SUM), f" {SIGNS[type(node)]} ", expression(right, SUM))
        case tree.Negate(value=value):
            return ("not ", expression(value, NOT))
        case tree.Conditional():
            return _conditional(node)
        case tree.Quantified():
            return _quantified(node)
    return _chain(node)


def listed(nodes: Iterable[tree.Expr]) -> Layout:
    """Expressions with commas between them."""
    parts: list[Layout] = []
    for node in nodes:
        parts += [",", Line(), expression(node)] if parts else [expression(node)]
    return tuple(parts)


def _chain(node: tree.Expr) -> Layout:
    """Operands and the signs between them: those of one level stand side by side, the grammar groups them from the left."""
    if isinstance(node, tree.Binary) and _is_fraction(node):
        return f"{_bare(node.left)}/{_bare(node.right)}"
    own = level(node)
    tail: list[tuple[str, tree.Expr]] = []
    while level(node) == own and isinstance(node, tree.Either | tree.Both | tree.Binary) and not _is_fraction(node):
        tail.append((_sign(node), node.right))
        node = node.left
    parts: list[Layout] = [expression(node, own)]
    for sign, operand in reversed(tail):
        parts += [Line(), f"{sign} ", expression(operand, own + 1)]
    return Group(tuple(parts), open=True) if own <= AND else Group(Nest(tuple(parts)))


def _is_fraction(node: tree.Expr) -> bool:
    """Whether an expression is a number like `1/3`, which is written without spaces."""
    if not isinstance(node, tree.Binary) or node.op.text != "/":
        return False
    return isinstance(node.left, tree.Number) and isinstance(node.right, tree.Number)


def _sign(node: tree.Either | tree.Both | tree.Binary) -> str:
    if isinstance(node, tree.Binary):
        return node.op.text
    return "or" if isinstance(node, tree.Either) else "and"


def _conditional(node: tree.Conditional) -> Layout:
    parts: list[Layout] = []
    other: tree.Expr = node
    while isinstance(other, tree.Conditional):
        parts += [expression(other.then, OR), " if ", expression(other.when, OR), Line(), "else "]
        other = other.other
    return Group((*parts, expression(other, CHOICE)), open=True)


def _quantified(node: tree.Quantified) -> Layout:
    if isinstance(node, tree.Total):
        which: Layout = (f"for {node.name.text} in ", expression(node.domain, SUM))
        return Group(("sum of", Nest((Line(), expression(node.body, SUM))), Line(), which))
    first, word = BINDERS[type(node)]
    head: Layout = (f"{first} {node.name.text} in ", expression(node.domain, SUM), f" {word}")
    return Group((head, Nest((Line(), expression(node.body, CHOICE)))))


def inside(node: tree.Expr) -> Layout:
    """An expression in the middle of a step: what is longer than a sum stands in brackets, so that a reader sees where it ends."""
    return expression(node, SUM)
