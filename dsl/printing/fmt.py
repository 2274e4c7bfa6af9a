"""A whole file in its canonical form; what comes out is read again and held against what went in."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from dsl.diagnostics import Report
from dsl.document import resolve
from dsl.printing.emitter import emit
from dsl.printing.kinds import dsl_scalars, file_kind, layouts, understood
from dsl.printing.reach import phrases_in_reach
from dsl.printing.remarks import leaves, remarks_of
from dsl.ruleset import PhraseRow
from dsl.source import Mapping, Node, Scalar, Source
from dsl.source import Sequence as Items
from dsl.yamltext import CASES, RULESET, read

CASE_FILE = re.compile(r"^[\"']?for[\"']?\s*:", re.MULTILINE)


class Unfaithful(ValueError):
    """The formatted text would not mean the same; nothing may be written."""


def format_source(source: Source, report: Report, find: Callable[[str], Source | None]) -> str | None:
    """The canonical text of a ruleset, a case file or a library module; None after an error in the report.

    `find` gives a parent's text by id, for the phrases it has; where a parent is missing, steps keep their words. DSL text with
    faults stays as it is. Raises Unfaithful.
    """
    limits = CASES if CASE_FILE.search(source.text) else RULESET
    root = read(source, report, limits)
    if root is None:
        return None
    phrases = phrases_in_reach(root, find)
    text = emit(root, layouts(root, phrases), remarks_of(source, root))
    again = read(Source(source.name, text), Report(), limits)
    if again is None or not _same(root, again, phrases):
        raise Unfaithful(source.name)
    return text


def _same(old: Mapping, new: Mapping, phrases: Sequence[PhraseRow] | None) -> bool:
    """Whether two documents have the same keys and lists, and texts of the same meaning."""
    if file_kind(old) != file_kind(new) or _shape(old) != _shape(new):
        return False
    kinds = {id(scalar): kind for scalar, kind in dsl_scalars(old)}
    return all(_equal(one, other, kinds.get(id(one)), phrases) for one, other in zip(leaves(old), leaves(new), strict=True))


def _equal(one: Scalar, other: Scalar, kind: str | None, phrases: Sequence[PhraseRow] | None) -> bool:
    if kind is not None and (meant := understood(one, kind, phrases)) is not None:
        return meant == understood(other, kind, phrases)
    even = one.value.split() == other.value.split()
    return even and (kind is not None or type(resolve(one)) is type(resolve(other)))


def _shape(node: Node) -> object:
    if isinstance(node, Scalar):
        return 0
    if isinstance(node, Items):
        return tuple(_shape(item) for item in node.items)
    return [_shape(entry.value) for entry in node.entries]
