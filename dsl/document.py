"""Plain data in a document's nodes, and paths into it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, TypeAlias

from dsl.source import Mapping, Node, Scalar, Sequence

Path: TypeAlias = tuple[str | int, ...]

# The core schema of YAML 1.2: what an unquoted scalar means as data.
WORDS: dict[str, bool | None] = {
    "": None, "~": None, "null": None, "Null": None, "NULL": None,
    "true": True, "True": True, "TRUE": True, "false": False, "False": False, "FALSE": False,
}  # fmt: skip
INTEGER = re.compile(r"[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+")
DECIMAL = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?")
# A longer row of digits is text: nobody means it as a number, and Python refuses to read the longest.
MOST_DIGITS = 300


def resolve(scalar: Scalar) -> str | int | float | bool | None:
    """What a scalar is as data: text, number, truth or nothing; quoted it is always text."""
    text = scalar.value
    if not scalar.plain:
        return text
    if text in WORDS:
        return WORDS[text]
    if text[0] not in "+-.0123456789" or len(text) > MOST_DIGITS:
        return text
    if INTEGER.fullmatch(text):
        return int(text, {"0o": 8, "0x": 16}.get(text[:2], 10))
    return float(text) if DECIMAL.fullmatch(text) else text


def is_null(node: Node | None) -> bool:
    """True for a value that is not written, `~` or `null`."""
    return isinstance(node, Scalar) and resolve(node) is None


def plain(node: Node) -> Any:
    """The node as dicts, lists, text, numbers, truths and None."""
    if isinstance(node, Scalar):
        return resolve(node)
    if isinstance(node, Sequence):
        return [plain(item) for item in node.items]
    return {entry.key.value: plain(entry.value) for entry in node.entries}


def at(node: Node, path: Path) -> Node | None:
    """The node at a path, None if there is none."""
    found: Node | None = node
    for part in path:
        if isinstance(found, Mapping):
            found = found.get(str(part))
        elif isinstance(found, Sequence) and isinstance(part, int) and 0 <= part < len(found.items):
            found = found.items[part]
        else:
            return None
    return found


def scalars(node: Node, path: Path = ()) -> Iterator[tuple[Path, Scalar]]:
    """Every value that is a scalar, with its path, in the order of the file."""
    if isinstance(node, Scalar):
        yield path, node
    elif isinstance(node, Mapping):
        for entry in node.entries:
            yield from scalars(entry.value, (*path, entry.key.value))
    else:
        for number, item in enumerate(node.items):
            yield from scalars(item, (*path, number))


def dotted(path: Path) -> str:
    """A path as an author writes it under `override`: `options.stake.default`, `deal.1` for the first item."""
    return ".".join(str(part + 1) if isinstance(part, int) else part for part in path)
