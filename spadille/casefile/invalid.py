"""Cases of mistakes: a change of the ruleset that must be refused with a code, at a place."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from dsl.diagnostics import Diagnostic
from dsl.document import Path, at
from dsl.paths import find_path
from dsl.source import Entry, Mapping, Node, Scalar, Sequence
from spadille.casefile.games import Games
from spadille.casefile.result import Checks, WrongCase
from spadille.casefile.words import hint

Change = Callable[[Mapping], Mapping]


def run_invalid(games: Games, options: dict[str, str], body: Mapping, checks: Checks) -> None:
    """Makes the changes and looks for the error; others beside it are named, since only root causes are to be told."""
    change, code, where = body.get("change"), body.get("code"), body.get("at")
    assert isinstance(change, Mapping) and isinstance(code, Scalar)
    loaded = games.read(options, changing(change))
    found = loaded.report.diagnostics if code.value.startswith("W") else loaded.report.errors
    expected = code.value + (f" at `{where.value}`" if isinstance(where, Scalar) else "")
    fits = [one for one in found if one.code == code.value and (not isinstance(where, Scalar) or one.span.text == where.value)]
    if not fits or (len(found) > 1 and not code.value.startswith("W")):
        checks.fail(code.span, "error", expected, "; ".join(_told(one) for one in found) or "no error")


def _told(found: Diagnostic) -> str:
    return f"{found.code} at `{found.span.text}` ({found.message})"


def changing(changes: Mapping) -> Change:
    """What sets each path of a document to the value given for it."""

    def change(document: Mapping) -> Mapping:
        changed: Node = document
        for entry in changes:
            found = find_path(document, entry.key.value)
            path = found.path
            if path is None:
                # The last name of a path may be a new one.
                parent = find_path(document, entry.key.value[: max(found.start - 1, 0)]) if found.start else None
                inside = document if parent is None else None if parent.path is None else at(document, parent.path)
                new = entry.key.value[found.start : found.end]
                if not isinstance(inside, Mapping) or found.end != len(entry.key.value):
                    raise WrongCase("E605", f"there is nothing at `{entry.key.value}` to change", entry.key.part(found.start, found.end),
                                    "not in the ruleset", hint(new, found.known))  # fmt: skip
                path = (*(parent.path if parent is not None and parent.path is not None else ()), new)
            changed = _set(changed, path, entry)
        assert isinstance(changed, Mapping)
        return changed

    return change


def _set(node: Node, path: Path, entry: Entry) -> Node:
    """The node with another value at a path."""
    if not path:
        return entry.value
    first, rest = path[0], path[1:]
    if isinstance(node, Sequence):
        return Sequence(tuple(_set(item, rest, entry) if number == first else item for number, item in enumerate(node.items)), node.span)
    assert isinstance(node, Mapping)
    if str(first) not in node:
        return Mapping((*node.entries, Entry(replace(entry.key, value=str(first)), entry.value)), node.span)
    return Mapping(
        tuple(replace(old, value=_set(old.value, rest, entry)) if old.key.value == first else old for old in node.entries), node.span
    )
