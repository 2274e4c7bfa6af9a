"""What stands between the keys and values of a YAML file and is no structure: comments and empty lines."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from dsl.source import LINE_BREAK, Mapping, Node, Scalar, Source

EMPTY = re.compile(r"[ \t]*(?:\r\n|\n|\r)[ \t]*(?=\r|\n)")
COMMENT = re.compile(r"#[^\r\n]*")
HEADER = re.compile(r"[|>][-+0-9]*[ \t]+(#[^\r\n]*)")
DIRECTIVE = re.compile(r"^%[^\r\n]*", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Remark:
    """A comment, or an empty line (no text). `column` counts from 0; `alone` if nothing stands before it on its line."""

    offset: int
    text: str
    column: int = 0
    alone: bool = True


def leaves(node: Node) -> Iterator[Scalar]:
    """Every key and every value that is text, in the order of the file."""
    if isinstance(node, Scalar):
        yield node
    elif isinstance(node, Mapping):
        for entry in node.entries:
            yield entry.key
            yield from leaves(entry.value)
    else:
        for item in node.items:
            yield from leaves(item)


def remarks_of(source: Source, root: Mapping) -> list[Remark]:
    """All comments and empty lines of a file, in order."""
    found: list[Remark] = []
    start = 0
    for leaf in leaves(root):
        found += _between(source, start, leaf.span.start)
        header = HEADER.match(source.text, leaf.span.start, leaf.span.end)
        if header is not None and not leaf.plain:
            found.append(Remark(header.start(1), header.group(1).rstrip(), alone=False))
        start = max(start, leaf.span.end)
    return [*found, *_between(source, start, len(source.text))]


def _between(source: Source, start: int, end: int) -> Iterator[Remark]:
    """The remarks of a stretch that holds no text of keys or values."""
    text = source.text
    at = start
    fresh = not text[:start].strip("\ufeff")  # nothing stands yet on the line that is read
    if fresh and (directive := DIRECTIVE.match(text, at)) is not None:
        at = directive.end()
    empty = fresh
    while at < end:
        comment = COMMENT.match(text, at)
        line_break = LINE_BREAK.match(text, at)
        if comment is not None:
            yield Remark(at, comment.group().rstrip(), source.place(at)[1] - 1, fresh)
            at, fresh, empty = comment.end(), False, False
        elif line_break is not None:
            if empty:
                yield Remark(at, "")
            at, fresh, empty = line_break.end(), True, True
            if (directive := DIRECTIVE.match(text, at)) is not None and directive.end() <= end:
                at = directive.end()
        else:
            if text[at] not in " \t":
                fresh = empty = False
            at += 1
