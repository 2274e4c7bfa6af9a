"""What a diagnostic in a variant says of its parents: the value that an override replaced, who inherits a fault, whose deck it is."""

from __future__ import annotations

from dataclasses import replace

from dsl.diagnostics import Diagnostic, Label, Report
from dsl.document import Path
from dsl.source import Mapping, Node, Scalar, Sequence, Span
from dsl.variant import Variant

# Faults that are measured against the deck, wherever it is chosen.
OF_THE_DECK = ("E203", "E204", "E218")


def tell_inheritance(variant: Variant, report: Report) -> None:
    """Adds labels and notes to what is reported of a variant; a ruleset without parent is left as it is."""
    if len(variant.chain) == 1:
        return
    extends = variant.document.get("extends")
    changed = [(span, old) for path, (old, _) in variant.overridden.items() if (span := _span_at(variant.document, path)) is not None]
    for key, found in report.kept.items():
        report.kept[key] = _told(found, variant, extends, changed)


def _told(found: Diagnostic, variant: Variant, extends: Node | None, changed: list[tuple[Span, Span]]) -> Diagnostic:
    """One diagnostic with what it inherits; nothing is said twice."""
    shown = [found.label.span, *(label.span for label in found.others)]
    others, notes = list(found.others), list(found.notes)
    for span, old in changed:
        if _within(found.span, span) and old not in shown:
            others.append(Label(old, "this is overridden"))
    own = variant.chain[0][1].name
    if isinstance(extends, Scalar) and all(span.source.name != own for span in shown):
        others.append(Label(extends.span, "inherited from here"))
    deck = variant.document.get("deck")
    if found.code in OF_THE_DECK and deck is not None and deck.span.source.name != found.span.source.name:
        notes.append(f"inherited: the deck is set in {deck.span.source.name}:{deck.span.line}")
    return replace(found, others=tuple(others), notes=tuple(notes))


def _within(span: Span, whole: Span) -> bool:
    return span.source.name == whole.source.name and whole.start <= span.start and span.end <= whole.end


def _span_at(document: Mapping, path: Path) -> Span | None:
    """Where the value at a path stands; None if it has been taken away."""
    node: Node | None = document
    for step in path:
        if isinstance(node, Mapping) and isinstance(step, str):
            node = node.get(step)
        elif isinstance(node, Sequence) and isinstance(step, int) and step < len(node.items):
            node = node.items[step]
        else:
            return None
    return None if node is None else node.span
