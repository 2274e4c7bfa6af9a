"""Which scalars of a file are DSL text, and of what kind; under `override` the path says it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from dsl import tree
from dsl.diagnostics import Report
from dsl.parse import parse
from dsl.phrases import match_phrase
from dsl.printing.layout import Layout, one_line
from dsl.printing.texts import layout, print_text
from dsl.ruleset import PhraseRow
from dsl.shapes import Schema, child, expand, shapes, walk_dsl, walk_shape
from dsl.source import Entry, Mapping, Scalar

FILES = {"ruleset": "ruleset", "for": "cases", "library": "library"}
LONGEST_PATH = 60


def file_kind(root: Mapping) -> str | None:
    """What a file is, by its keys: `ruleset`, `cases` or `library`."""
    return next((kind for key, kind in FILES.items() if key in root), None)


def dsl_scalars(root: Mapping) -> Iterator[tuple[Scalar, str]]:
    """Every key and value that is DSL text, with its kind."""
    name = file_kind(root)
    if name is None:
        return
    yield from ((scalar, kind) for _, scalar, kind in walk_dsl(root, name))
    override = root.get("override")
    if name == "ruleset" and isinstance(override, Mapping):
        for entry in override.entries:
            yield from _overriding(entry)


def _overriding(entry: Entry) -> Iterator[tuple[Scalar, str]]:
    parts = entry.key.value.split(".")
    found: list[Schema] = [{"$ref": "#"}]
    for part in parts[:LONGEST_PATH]:
        inner: list[Schema] = []
        for shape in (one for wanted in found for one, _ in shapes(*expand(wanted, "ruleset"))):
            below = shape.get("items") if part.isdigit() and "items" in shape else child(shape, part)
            if isinstance(below, dict) and below not in inner:
                inner.append(below)
        found = inner
    if found:
        wanted: Schema = found[0] if len(found) == 1 else {"anyOf": found}
        yield from ((scalar, kind) for _, scalar, kind in walk_shape(entry.value, wanted, "ruleset"))


def understood(scalar: Scalar, kind: str, phrases: Sequence[PhraseRow] | None) -> tree.Node | None:
    """The tree of a text; None if it has faults, or might be a phrase that is not known (`phrases` is None)."""
    if kind == "step":
        if phrases is None:
            return None
        phrase = match_phrase(scalar, phrases, report := Report())
        if phrase is not None:
            return phrase if report.ok else None
    found: tree.Node | None = parse(scalar, kind, Report())
    return found


def canonical(scalar: Scalar, kind: str, phrases: Sequence[PhraseRow] | None) -> Layout | None:
    """The canonical layout of a text; None if it must stay as it is."""
    node = understood(scalar, kind, phrases)
    if node is None:
        return None
    found = layout(node)
    text = one_line(found)
    again = understood(Scalar(text, range(len(text) + 1), scalar.span), kind, phrases)
    return found if again == node else None


def canonical_text(scalar: Scalar, kind: str, phrases: Sequence[PhraseRow]) -> str:
    """The canonical text in one line, which depends on the tree alone; of what has faults, the text with its spaces made even."""
    node = understood(scalar, kind, phrases)
    return " ".join(scalar.value.split()) if node is None else print_text(node)


def layouts(root: Mapping, phrases: Sequence[PhraseRow] | None) -> dict[int, Layout]:
    """The canonical layout of every DSL text of a file, by the identity of its scalar."""
    found: dict[int, Layout] = {}
    for scalar, kind in dsl_scalars(root):
        one = canonical(scalar, kind, phrases)
        if one is not None:
            found[id(scalar)] = one
    return found
