"""What is sound in a document that its schema refuses: misspelt keys set right, anything else that is faulted left out."""

from __future__ import annotations

from dataclasses import dataclass, replace

from dsl.diagnostics import Diagnostic, Report
from dsl.document import Path
from dsl.schema import validate
from dsl.source import Mapping, Node, Scalar, Sequence

# Each round judges the document anew; who has made more slips than this will look again anyway.
MOST_SLIPS = 8
# Without these nobody knows how the rest is to be read.
NEEDED = ("language", "extends", "override", "use", "phrases", "forms")


@dataclass(frozen=True, slots=True)
class Mended:
    """A document that can be read on; it is `sure` where nothing was left out."""

    document: Mapping
    sure: bool


def mend(document: Mapping, name: str) -> Mended | None:
    """A document without its faults, as far as they can be told from the rest; None where they cannot."""
    sure = True
    for _ in range(MOST_SLIPS):
        trial, meant = Report(), dict[int, str]()
        if validate(document, name, trial, meant=meant):
            return Mended(document, sure)
        # A key that is missing at the top cannot be put in, and what is there can be read all the same.
        faults = [(fault, way) for fault in trial.errors if (way := _way(document, fault))]
        if not faults:
            return Mended(document, False)
        fault, way = faults[-1]
        key = meant.get(fault.span.start)
        if key is None and way[0] in NEEDED:
            return None
        sure = sure and key is not None
        changed = _changed(document, way, key)
        assert isinstance(changed, Mapping)
        document = changed
    return None


def _way(document: Mapping, fault: Diagnostic) -> Path:
    """The path of the smallest row or item that holds a fault; of the mapping itself for a key that is missing in it."""
    place = fault.span.start
    way: list[str | int] = []
    node: Node = document
    while not isinstance(node, Scalar) and len(node):
        if isinstance(node, Mapping):
            entry = [one for one in node.entries if one.key.span.start <= place or one is node.entries[0]][-1]
            way.append(entry.key.value)
            if place < entry.key.span.end:
                break
            node = entry.value
        else:
            number = max((at for at, item in enumerate(node.items) if _start(item) <= place), default=0)
            way.append(number)
            node = node.items[number]
    return tuple(way[:-1] if fault.code == "E121" else way)


def _start(node: Node) -> int:
    return node.entries[0].key.span.start if isinstance(node, Mapping) and node.entries else node.span.start


def _changed(node: Node, way: Path, key: str | None) -> Node:
    """A node in which the row at the end of a path has another key, or is left out."""
    first, rest = way[0], way[1:]
    if isinstance(node, Mapping):
        entries = []
        for entry in node.entries:
            if entry.key.value != first:
                entries.append(entry)
            elif rest:
                entries.append(replace(entry, value=_changed(entry.value, rest, key)))
            elif key is not None:
                entries.append(replace(entry, key=replace(entry.key, value=key)))
        return Mapping(tuple(entries), node.span)
    assert isinstance(node, Sequence)
    items = [_changed(item, rest, key) if rest and at == first else item for at, item in enumerate(node.items)]
    return Sequence(tuple(item for at, item in enumerate(items) if rest or at != first), node.span)
