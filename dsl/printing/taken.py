"""What a ruleset takes from the library, as plain data: a part of its rules as much as its own lines."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from dsl.document import plain
from dsl.mistakes import TOKEN
from dsl.source import Entry, Mapping, Node

SECTIONS = ("decks", "forms", "phrases")
# What the library says for readers alone.
PROSE = ("about", "names")


def library_parts(document: Mapping, modules: Sequence[Mapping]) -> dict[str, Any]:
    """The deck, forms and phrases of library modules whose words a document says, by their names; prose is left out."""
    said = _said(plain(document))
    rows = {
        f"{section} {entry.key.value}": (frozenset(word for word in entry.key.value.split() if word[:1] != "{"), entry.value)
        for module in modules
        for section in SECTIONS
        for entry in _entries(module.get(section))
    }
    found: dict[str, Any] = {}
    while True:
        # What a phrase says may be another phrase.
        new = {name: _rules(plain(value)) for name, (words, value) in rows.items() if name not in found and words <= said}
        if not new:
            return dict(sorted(found.items()))
        found |= new
        said |= _said(new)


def _entries(node: Node | None) -> tuple[Entry, ...]:
    return node.entries if isinstance(node, Mapping) else ()


def _said(data: Any) -> set[str]:
    """All words of plain data, names with `-` as one too."""
    if isinstance(data, dict):
        return {word for key, value in data.items() for word in (*key.split(), *_said(value))}
    if isinstance(data, list):
        return {word for item in data for word in _said(item)}
    return {*str(data).split(), *TOKEN.findall(str(data))}


def _rules(data: Any) -> Any:
    """Plain data without what only explains it, with the words of its texts one space apart."""
    if isinstance(data, dict):
        return {" ".join(key.split()): _rules(value) for key, value in data.items() if key not in PROSE}
    if isinstance(data, list):
        return [_rules(item) for item in data]
    return " ".join(TOKEN.findall(data)) if isinstance(data, str) else data
