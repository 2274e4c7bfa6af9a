"""A change of a ruleset's document by place: text put in the stead of other text, or a row or step left out."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from dsl.source import Entry, Mapping, Node, Scalar, Sequence, Span


@dataclass(frozen=True, slots=True)
class Replace:
    """Text at a place becomes other text."""

    span: Span
    text: str


@dataclass(frozen=True, slots=True)
class Drop:
    """The row whose key stands at a place is left out, or the step of a list that begins there."""

    span: Span


Edit = Replace | Drop


def edited(document: Mapping, edits: Iterable[Edit]) -> Mapping:
    """The document with all edits made, the last in the text first so that places stay true."""
    for edit in sorted(edits, key=lambda one: -one.span.start):
        changed = _node(document, edit)
        assert isinstance(changed, Mapping)
        document = changed
    return document


def _node(node: Node, edit: Edit) -> Node:
    if isinstance(node, Scalar):
        return _scalar(node, edit) if isinstance(edit, Replace) else node
    if isinstance(node, Sequence):
        kept = (item for item in node.items if not (isinstance(edit, Drop) and same(first(item), edit.span)))
        return Sequence(tuple(_node(item, edit) for item in kept), node.span)
    rows = []
    for entry in node.entries:
        if isinstance(edit, Drop) and same(entry.key.span, edit.span):
            continue
        key = _node(entry.key, edit)
        assert isinstance(key, Scalar)
        rows.append(Entry(key, _node(entry.value, edit)))
    return Mapping(tuple(rows), node.span)


def _scalar(node: Scalar, edit: Replace) -> Scalar:
    span = edit.span
    if node.span.source.name != span.source.name or not node.value or not node.offsets[0] <= span.start < node.offsets[-1] + 1:
        return node
    start = next((i for i, offset in enumerate(node.offsets) if offset >= span.start), len(node.value))
    end = next((i for i, offset in enumerate(node.offsets) if offset >= span.end), len(node.value))
    value = node.value[:start] + edit.text + node.value[end:]
    offsets = (*node.offsets[:start], *[span.start] * len(edit.text), *node.offsets[end:])
    return replace(node, value=value, offsets=offsets)


def same(one: Span, other: Span) -> bool:
    """Whether two stretches begin at the same place."""
    return one.source.name == other.source.name and one.start == other.start


def first(node: Node) -> Span:
    """Where an item of a list begins, as its step knows it."""
    return node.entries[0].key.span if isinstance(node, Mapping) and node.entries else node.span
