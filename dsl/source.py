"""The text an author wrote, places in it, and the nodes of a YAML document that remember their places."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from collections.abc import Sequence as Row
from dataclasses import dataclass, field
from re import compile as pattern
from typing import TypeAlias

LINE_BREAK = pattern(r"\r\n|\n|\r")


@dataclass(frozen=True, slots=True)
class Source:
    """A file as the user knows it: the name to show and the whole text; offsets count characters from 0."""

    name: str
    text: str = field(repr=False)
    starts: tuple[int, ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        starts = (0, *(found.end() for found in LINE_BREAK.finditer(self.text)))
        object.__setattr__(self, "starts", starts)

    def place(self, offset: int) -> tuple[int, int]:
        """Line and column of an offset, both from 1; an offset outside the text is moved to its edge."""
        offset = min(max(offset, 0), len(self.text))
        line = bisect_right(self.starts, offset)
        return line, offset - self.starts[line - 1] + 1

    def line(self, number: int) -> str:
        """The text of a line (from 1) without its line break; empty outside the file."""
        if not 1 <= number <= len(self.starts):
            return ""
        start = self.starts[number - 1]
        end = self.starts[number] if number < len(self.starts) else len(self.text)
        return self.text[start:end].rstrip("\r\n")


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of a source: offsets, the end exclusive."""

    source: Source
    start: int
    end: int

    @property
    def line(self) -> int:
        return self.source.place(self.start)[0]

    @property
    def column(self) -> int:
        return self.source.place(self.start)[1]

    @property
    def text(self) -> str:
        return self.source.text[self.start : self.end]

    def __str__(self) -> str:
        return "{}:{}:{}".format(self.source.name, *self.source.place(self.start))


@dataclass(frozen=True, slots=True)
class Scalar:
    """A piece of text; `offsets[i]` is where `value[i]` stands in the file, one more gives the end."""

    value: str
    offsets: Row[int] = field(compare=False, repr=False)
    span: Span = field(compare=False, repr=False)
    plain: bool = True

    def part(self, i: int, j: int) -> Span:
        """The place of `value[i:j]` in the file; bounds outside the text are moved to its edge."""
        length = len(self.value)
        i = min(max(i, 0), length)
        j = min(max(j, i), length)
        start, end = self.offsets[i], self.offsets[j]
        if j > i:
            last = self.offsets[j - 1]
            # A folded line break lies between: the part stops at the word, not at the next line.
            if end > last + 1 and self.value[j - 1] == self.span.source.text[last] and "\n" in self.span.source.text[last:end]:
                end = last + 1
        return Span(self.span.source, start, end)


@dataclass(frozen=True, slots=True)
class Entry:
    """One `key: value` of a mapping."""

    key: Scalar
    value: Node


@dataclass(frozen=True, slots=True)
class Mapping:
    """Keys and values in the order they were written; keys are unique."""

    entries: tuple[Entry, ...]
    span: Span = field(compare=False, repr=False)
    index: dict[str, Entry] = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "index", {entry.key.value: entry for entry in self.entries})

    def get(self, key: str) -> Node | None:
        entry = self.index.get(key)
        return None if entry is None else entry.value

    def entry(self, key: str) -> Entry | None:
        return self.index.get(key)

    def keys(self) -> tuple[str, ...]:
        return tuple(self.index)

    def __contains__(self, key: object) -> bool:
        return key in self.index

    def __iter__(self) -> Iterator[Entry]:
        return iter(self.entries)

    def __len__(self) -> int:
        return len(self.entries)


@dataclass(frozen=True, slots=True)
class Sequence:
    """The items of a list."""

    items: tuple[Node, ...]
    span: Span = field(compare=False, repr=False)

    def __iter__(self) -> Iterator[Node]:
        return iter(self.items)

    def __len__(self) -> int:
        return len(self.items)


Node: TypeAlias = Scalar | Mapping | Sequence
