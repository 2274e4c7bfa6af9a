"""Small readers of YAML nodes that the schema has already accepted."""

from __future__ import annotations

from dsl.document import resolve
from dsl.source import Entry, Mapping, Node, Scalar, Sequence


def text(node: Node | None) -> str:
    """The text of a scalar; empty when there is none."""
    return node.value if isinstance(node, Scalar) else ""


def whole(node: Node | None) -> int:
    """A whole number, however it is written; the schema has said that it is one."""
    value = resolve(node) if isinstance(node, Scalar) else 0
    return int(value) if isinstance(value, int | float) else 0


def scalar(node: Node | None) -> Scalar:
    """The node as a scalar; the schema has already said so where it matters."""
    if isinstance(node, Scalar):
        return node
    if node is None:
        raise ValueError("no text")
    return Scalar("", (node.span.start,), node.span)


def entries(node: Node | None) -> tuple[Entry, ...]:
    return node.entries if isinstance(node, Mapping) else ()


def items(node: Node | None) -> tuple[Node, ...]:
    return node.items if isinstance(node, Sequence) else ()


def child(node: Node | None, key: str) -> Node | None:
    return node.get(key) if isinstance(node, Mapping) else None
