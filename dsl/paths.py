"""Paths as an author writes them under `override`: `options.stake.default`, `ranking.trump red`, `deal.2`."""

from __future__ import annotations

import re
from dataclasses import dataclass

from dsl.document import Path
from dsl.source import Mapping, Node, Sequence

PART = re.compile(r"\w+|[^\w\s]")  # keys that are text of the language may have their spaces elsewhere


@dataclass(frozen=True, slots=True)
class Found:
    """The path if it exists; else the part of the text that has no match, and what could stand there."""

    path: Path | None
    start: int = 0
    end: int = 0
    known: tuple[str, ...] = ()


def find_path(root: Node, text: str) -> Found:
    """Looks up a dotted path; items count from 1, a definition is found without its parameters."""
    path: list[str | int] = []
    node, start = root, 0
    while start <= len(text):
        step = _step(node, text, start)
        if step is None:
            end = text.find(".", start)
            return Found(None, start, len(text) if end < 0 else end, _known(node))
        part, node, end = step
        path.append(part)
        if end >= len(text):
            return Found(tuple(path))
        start = end + 1
    return Found(None, max(0, len(text) - 1), len(text), _known(node))


def _step(node: Node, text: str, start: int) -> tuple[str | int, Node, int] | None:
    """The key or item named from `start` on, what is there, where the name ends; keys may have dots."""
    end = start
    while end < len(text):
        end = text.find(".", end + 1)
        end = len(text) if end < 0 else end
        word = text[start:end]
        if isinstance(node, Mapping):
            entry = node.entry(word)
            if entry is None:
                heads = [one for one in node.entries if one.key.value.partition("(")[0].strip() == word]
                heads = heads or [one for one in node.entries if PART.findall(one.key.value) == PART.findall(word)]
                entry = heads[0] if len(heads) == 1 else None
            if entry is not None:
                return entry.key.value, entry.value, end
        elif isinstance(node, Sequence) and word.isascii() and word.isdigit() and len(word) < 6 and 1 <= int(word) <= len(node.items):
            return int(word) - 1, node.items[int(word) - 1], end
    return None


def _known(node: Node) -> tuple[str, ...]:
    if isinstance(node, Mapping):
        return tuple(key for name in node.index for key in dict.fromkeys((name, name.partition("(")[0])))
    if isinstance(node, Sequence):
        return tuple(str(number) for number in range(1, len(node.items) + 1))
    return ()
