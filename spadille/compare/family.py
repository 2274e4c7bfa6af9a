"""Who extends whom, and what each ruleset changes of its parent and adds to it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from dsl.diagnostics import Report
from dsl.document import Path, dotted, is_null
from dsl.kept import read_document
from dsl.source import Mapping, Scalar, Sequence
from dsl.variant import IDENTITY, Find, resolve


@dataclass(frozen=True, slots=True)
class Member:
    """A ruleset of a family: its parent, and the paths that it overrides, takes away and adds."""

    id: str
    title: str
    extends: str | None
    overrides: tuple[str, ...] = ()
    removes: tuple[str, ...] = ()
    adds: tuple[str, ...] = ()


def member(document: Mapping, find: Find) -> Member:
    """What a valid document says of its parent, which `find` gives by its id."""
    id, title, extends = (_said(document, key) for key in ("ruleset", "title", "extends"))
    override = document.get("override")
    changes = override.entries if isinstance(override, Mapping) else ()
    parent = None if extends is None else _merged(extends, find)
    return Member(
        id=id or "",
        title=title or (None if parent is None else _said(parent, "title")) or id or "",
        extends=extends,
        overrides=tuple(entry.key.value for entry in changes if not is_null(entry.value)),
        removes=tuple(entry.key.value for entry in changes if is_null(entry.value)),
        adds=() if parent is None else tuple(dotted(path) for path in _added(parent, document, ())),
    )


def _said(document: Mapping, key: str) -> str | None:
    found = document.get(key)
    return " ".join(found.value.split()) if isinstance(found, Scalar) else None


def _merged(id: str, find: Find) -> Mapping | None:
    """A parent with all that it inherits; None if it has faults."""
    source = find(id)
    document = None if source is None else read_document(source, "ruleset", Report())
    variant = None if document is None else resolve(document, find, Report())
    return None if variant is None else variant.document


def _added(parent: Mapping, own: Mapping, path: Path) -> Iterator[Path]:
    """The paths that only the heir has, as far up as possible; of a new section, its rows."""
    for entry in own.entries:
        if not path and entry.key.value in (*IDENTITY, "override"):
            continue
        here = (*path, entry.key.value)
        old = parent.get(entry.key.value)
        if isinstance(old, Mapping) and isinstance(entry.value, Mapping):
            yield from _added(old, entry.value, here)
        elif old is None and not path and isinstance(entry.value, Mapping):
            yield from ((*here, row.key.value) for row in entry.value.entries)
        elif old is None or isinstance(entry.value, Sequence):
            yield here


def branches(members: list[Member]) -> dict[str | None, list[Member]]:
    """The children of each parent; those whose parent is not among the members stand under None."""
    ids = {one.id for one in members}
    found: dict[str | None, list[Member]] = {}
    for one in members:
        found.setdefault(one.extends if one.extends in ids else None, []).append(one)
    return found
