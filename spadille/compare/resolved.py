"""The whole ruleset after `extends` and options: one file that says what the family of files says."""

from __future__ import annotations

from collections.abc import Mapping as Given
from collections.abc import Sequence

from dsl.document import dotted, resolve, scalars
from dsl.printing.content import ORIGIN
from dsl.printing.emitter import emit
from dsl.printing.kinds import canonical_text, dsl_scalars, layouts
from dsl.program import Program
from dsl.ruleset import PhraseRow
from dsl.source import Entry, Mapping, Node, Scalar, Source, Span
from dsl.variant import Variant

CHOSEN = "--set"


def resolved(variant: Variant, program: Program) -> Mapping:
    """The document without `extends` and `override`, the options given as its defaults."""
    given = {name: option.value for name, option in program.options.items() if option.given}
    entries = (entry for entry in variant.document.entries if entry.key.value not in ORIGIN)
    done = (Entry(entry.key, _chosen(entry.value, given)) if entry.key.value == "options" else entry for entry in entries)
    return Mapping(tuple(done), variant.document.span)


def _chosen(options: Node, given: Given[str, str]) -> Node:
    """The options with other defaults."""
    if not isinstance(options, Mapping):
        return options
    rows = []
    for row in options.entries:
        value = given.get(row.key.value)
        if value is not None and isinstance(row.value, Mapping):
            inner = (Entry(e.key, _text(value)) if e.key.value == "default" else e for e in row.value.entries)
            row = Entry(row.key, Mapping(tuple(inner), row.value.span))
        rows.append(row)
    return Mapping(tuple(rows), options.span)


def _text(value: str) -> Scalar:
    return Scalar(value, range(len(value) + 1), Span(Source(CHOSEN, value), 0, len(value)))


def origin(node: Node) -> str:
    """Where a value was written: file and line; `--set` for an option that was given a value."""
    source = node.span.source
    return source.name if source.name == CHOSEN else f"{source.name}:{node.span.line}"


def as_text(document: Mapping, phrases: Sequence[PhraseRow], origins: bool) -> str:
    """A document in canonical YAML, long sections with an empty line around them; with origins each value has its file and line."""
    texts, note = layouts(document, phrases), origin if origins else None
    groups: list[tuple[bool, list[Entry]]] = []
    for entry in document.entries:
        short = emit(Mapping((entry,), document.span), texts, [], note).count("\n") == 1
        if groups and short and groups[-1][0]:
            groups[-1][1].append(entry)
        else:
            groups.append((short, [entry]))
    return "\n".join(emit(Mapping(tuple(entries), document.span), texts, [], note) for _, entries in groups)


def leaves(document: Mapping, phrases: Sequence[PhraseRow]) -> list[dict[str, object]]:
    """Every value with its path and where it was written."""
    texts = {id(scalar): canonical_text(scalar, kind, phrases) for scalar, kind in dsl_scalars(document)}
    return [
        {
            "path": dotted(path),
            "value": texts.get(id(scalar), resolve(scalar)),
            "file": scalar.span.source.name,
            "line": None if scalar.span.source.name == CHOSEN else scalar.span.line,
        }
        for path, scalar in scalars(document)
    ]
