"""What differs between two resolved rulesets, path by path: by meaning, not by layout, and with the places in the files."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher

from dsl.document import Path, dotted
from dsl.printing.emitter import flow_text
from dsl.printing.kinds import layouts
from dsl.printing.layout import Layout, one_line
from dsl.ruleset import PhraseRow
from dsl.source import Mapping, Node, Scalar, Sequence
from spadille.compare.resolved import origin

# What a ruleset calls itself, and words for its readers: no rule depends on them.
IDENTITY = ("ruleset", "language")
WORDS = frozenset({"title", "summary", "status", "sources", "notes", "about", "source", "because"})


@dataclass(frozen=True, slots=True)
class Change:
    """A difference at a path: the texts (None where there is nothing) and where they were written. `words` says that no rule changes."""

    path: str
    left: str | None
    right: str | None
    left_place: str | None
    right_place: str | None
    words: bool


def changes(left: Mapping, left_phrases: tuple[PhraseRow, ...], right: Mapping, right_phrases: tuple[PhraseRow, ...]) -> list[Change]:
    """All differences between two documents, in the order of the left one."""
    comparison = _Comparison({**layouts(left, left_phrases), **layouts(right, right_phrases)})
    return list(comparison.mappings(left, right, ()))


class _Comparison:
    def __init__(self, texts: dict[int, Layout]) -> None:
        self.texts = texts

    def text(self, node: Node) -> str:
        """A value in one line; equal texts mean the same."""
        if isinstance(node, Scalar):
            found = self.texts.get(id(node))
            return " ".join(node.value.split()) if found is None else one_line(found)
        return flow_text(node, self.texts)

    def change(self, path: Path, left: Node | None, right: Node | None) -> Change:
        return Change(
            dotted(path),
            None if left is None else self.text(left),
            None if right is None else self.text(right),
            None if left is None else origin(left),
            None if right is None else origin(right),
            any(part in WORDS for part in path),
        )

    def nodes(self, left: Node, right: Node, path: Path) -> Iterator[Change]:
        if isinstance(left, Mapping) and isinstance(right, Mapping):
            yield from self.mappings(left, right, path)
        elif isinstance(left, Sequence) and isinstance(right, Sequence):
            yield from self.lists(left, right, path)
        elif self.text(left) != self.text(right):
            yield self.change(path, left, right)

    def mappings(self, left: Mapping, right: Mapping, path: Path) -> Iterator[Change]:
        ours = {self.text(entry.key): entry.value for entry in left.entries}
        theirs = {self.text(entry.key): entry.value for entry in right.entries}
        for key, value in ours.items():
            if not path and key in IDENTITY:
                continue
            other = theirs.get(key)
            if other is None:
                yield self.change((*path, key), value, None)
            else:
                yield from self.nodes(value, other, (*path, key))
        for key, value in theirs.items():
            if key not in ours:
                yield self.change((*path, key), None, value)
        # In the outermost mapping, and among the keys of a row, the order says nothing.
        order, other_order = [key for key in ours if key in theirs], [key for key in theirs if key in ours]
        if path and path[-1] in ORDERED and order != other_order:
            words = dotted(path) + " (order)"
            yield Change(words, ", ".join(order), ", ".join(other_order), origin(left), origin(right), False)

    def lists(self, left: Sequence, right: Sequence, path: Path) -> Iterator[Change]:
        ours, theirs = [self.text(item) for item in left.items], [self.text(item) for item in right.items]
        for how, a, b, c, d in SequenceMatcher(None, ours, theirs, autojunk=False).get_opcodes():
            if how == "replace":
                paired = min(b - a, d - c)
                for number in range(paired):
                    yield from self.nodes(left.items[a + number], right.items[c + number], (*path, a + number))
                a, c = a + paired, c + paired
            if how != "equal":
                yield from (self.change((*path, number), left.items[number], None) for number in range(a, b))
                yield from (self.change((*path, number), None, right.items[number]) for number in range(c, d))


# Sections whose rows count in their order.
ORDERED = frozenset({"obligations", "lead_obligations", "outcomes", "payments", "choices", "also"})
