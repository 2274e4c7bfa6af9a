"""What the server answers, without the protocol: diagnostics, names, places and edits of one open ruleset."""

from __future__ import annotations

import re
from dataclasses import dataclass

from dsl.diagnostics import Diagnostic, Report
from dsl.mistakes import RESERVED
from dsl.source import Mapping, Scalar, Source, Span
from dsl.yamltext import read
from spadille.lsp.names import Name, entries, in_scope, names_of, word_at, words
from spadille.lsp.workspace import Document, Workspace

NAME = re.compile(r"[^\W\d]\w*")
RENAMED = ("options", "cards", "piles", "variables", "define", "sides", "contracts", "outcomes")


class CannotRename(ValueError):
    """A name that cannot be renamed, and why."""


@dataclass(frozen=True, slots=True)
class Edit:
    """New text for a stretch of a file."""

    span: Span
    text: str


def diagnostics(workspace: Workspace, document: Document) -> list[tuple[Span, Diagnostic]]:
    """What is wrong, each with a place in this file; a fault of a parent is shown where the parent is named."""
    found = []
    for diagnostic in workspace.checked(document).report.diagnostics:
        places = [diagnostic.span, *(label.span for label in diagnostic.others), Span(document.source, 0, 0)]
        found.append((next(span for span in places if span.source.name == document.source.name), diagnostic))
    return found


def known(workspace: Workspace, document: Document) -> dict[str, Name]:
    """The names of a file, as far as it can be read."""
    workspace.checked(document)
    return names_of(document.resolved) if document.resolved is not None else {}


def completions(workspace: Workspace, document: Document, offset: int) -> list[Name]:
    """What may be written at an offset, the beginning of the word there taken into account by the editor."""
    return in_scope(document.source.text, offset, known(workspace, document))


def hover(workspace: Workspace, document: Document, offset: int) -> tuple[Name, Span] | None:
    """The name at an offset and its place."""
    word, start = word_at(document.source.text, offset)
    name = known(workspace, document).get(word)
    return None if name is None else (name, Span(document.source, start, start + len(word)))


def definition(workspace: Workspace, document: Document, offset: int) -> Span | None:
    """Where the name at an offset is declared, in this file or a parent's; a parent's id leads to its file."""
    text = document.source.text
    line = document.source.line(document.source.place(offset)[0])
    extends = re.fullmatch(r"extends:\s*['\"]?([\w-]+).*", line)
    if extends:
        parent = workspace.find(document.path, extends.group(1))
        return None if parent is None else Span(parent, 0, 0)
    name = known(workspace, document).get(word_at(text, offset)[0])
    return None if name is None else name.span


def rename(workspace: Workspace, document: Document, offset: int, new: str) -> list[Edit]:
    """The edits that give a name of this file another one everywhere in it; raises CannotRename."""
    word, _ = word_at(document.source.text, offset)
    names = known(workspace, document)
    name, own = names.get(word), read(document.source, Report())
    if name is None or name.span is None or own is None:
        raise CannotRename(f"`{word}` is not a name of this ruleset")
    if name.span.source.name != document.source.name:
        raise CannotRename(f"`{word}` is declared in {name.span.source.name}: rename it there")
    if not NAME.fullmatch(new) or new in RESERVED:
        raise CannotRename(f"`{new}` cannot be a name")
    if new in names:
        raise CannotRename(f"`{new}` is already {names[new].kind}")
    edits = {}
    for text, span, _ in words(own):
        if text == word:
            edits[span.start] = Edit(span, new)
    for section in RENAMED:
        for entry in entries(own.get(section)):
            if entry.key.value.partition("(")[0].strip() == word:
                edits[entry.key.span.start] = Edit(head(entry.key, word), new)
    for key in mentions(own, word):
        edits[key.start] = Edit(key, new)
    return [edits[start] for start in sorted(edits)]


def head(key: Scalar, word: str) -> Span:
    """The name at the front of a key, which may have parameters and quotes."""
    start = key.value.index(word)
    return key.part(start, start + len(word))


def mentions(own: Mapping, word: str) -> list[Span]:
    """Where a name stands outside the texts: payments by outcomes, options of presets, pots, the declarer, `before`."""
    found = []
    payments, presets, score, auction = (own.get(section) for section in ("payments", "presets", "score", "auction"))
    found += [entry.key.span for entry in entries(payments) if entry.key.value == word]
    for preset in entries(presets):
        options = preset.value.get("options") if isinstance(preset.value, Mapping) else None
        found += [entry.key.span for entry in entries(options) if entry.key.value == word]
    for holder, keys in ((score, ("unit",)), (auction, ("declarer",))):
        for key in keys:
            value = holder.get(key) if isinstance(holder, Mapping) else None
            found += [value.span] if isinstance(value, Scalar) and value.value == word else []
    return found


def formatted(workspace: Workspace, source: Source, path: str) -> str | None:
    """The canonical text of a file; None if it cannot be read."""
    from dsl.printing import Unfaithful, format_source

    try:
        return format_source(source, Report(), lambda id: workspace.find(path, id))
    except Unfaithful:
        return None
