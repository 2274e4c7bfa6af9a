"""A whole file in its canonical form; what comes out is read again and held against what went in."""

from __future__ import annotations

import re
from collections.abc import Callable
from collections.abc import Mapping as Given

from dsl.diagnostics import Report
from dsl.document import resolve
from dsl.printing.emitter import emit
from dsl.printing.kinds import dsl_scalars, file_kind, layouts
from dsl.printing.layout import Layout, one_line
from dsl.printing.reach import phrases_in_reach
from dsl.printing.remarks import leaves, remarks_of
from dsl.source import Mapping, Node, Scalar, Source
from dsl.source import Sequence as Items
from dsl.yamltext import CASES, MARK, RULESET, Limits, read

FIRST_KEY = re.compile(r"(?:[ \t]*(?:#.*|---.*)?(?:\r\n|\n|\r))*( *)")


class Unfaithful(ValueError):
    """The formatted text would not mean the same; nothing may be written."""


def format_source(source: Source, report: Report, find: Callable[[str], Source | None]) -> str | None:
    """The canonical text of a ruleset, a case file or a library module; None after an error in the report.

    `find` gives a parent's text by id, for the phrases it has; where a parent is missing, steps keep their words. DSL text with
    faults stays as it is. Raises Unfaithful.
    """
    limits = limits_of(source.text)
    root = read(source, report, limits)
    if root is None:
        return None
    texts = layouts(root, phrases_in_reach(root, find))
    text = emit(root, texts, remarks_of(source, root))
    again = read(Source(source.name, text), Report(), limits)
    if again is None or not _same(root, again, texts):
        raise Unfaithful(source.name)
    return text


def limits_of(text: str) -> Limits:
    """How large a file may be: more if its outermost keys say that it holds cases."""
    text = text.removeprefix(MARK)
    first = FIRST_KEY.match(text)
    indent = first.group(1) if first is not None else ""
    return CASES if re.search(rf"^{indent}[\"']?for[\"']?\s*:", text, re.MULTILINE) else RULESET


def _same(old: Mapping, new: Mapping, texts: Given[int, Layout]) -> bool:
    """Whether two documents have the same keys and lists, and texts of the same meaning."""
    if file_kind(old) != file_kind(new) or _shape(old) != _shape(new):
        return False
    kinds = {id(scalar) for scalar, _ in dsl_scalars(old)}
    return all(_equal(one, other, texts.get(id(one)), id(one) in kinds) for one, other in zip(leaves(old), leaves(new), strict=True))


def _equal(one: Scalar, other: Scalar, layout: Layout | None, dsl: bool) -> bool:
    if layout is not None:
        # Its one line has been read back as the same tree; where it is broken there are only more blanks.
        return "".join(one_line(layout).split()) == "".join(other.value.split())
    even = one.value.split() == other.value.split()
    return even and (dsl or type(resolve(one)) is type(resolve(other)))


def _shape(node: Node) -> object:
    if isinstance(node, Scalar):
        return 0
    if isinstance(node, Items):
        return tuple(_shape(item) for item in node.items)
    return [_shape(entry.value) for entry in node.entries]
