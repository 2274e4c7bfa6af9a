"""A document judged by its JSON Schema: every fault is placed, in an author's words, root causes only.

One walk over the nodes takes milliseconds. The general validator of the `jsonschema` package takes longer to
import than that and cannot tell which of several shapes was meant; a test holds the two to the same verdict.
"""

from __future__ import annotations

import json
import re
from typing import Any

from dsl.diagnostics import Report, quote
from dsl.document import is_null, plain, resolve
from dsl.shapes import Schema, branch, child, expand, shapes, types_of, walk_dsl
from dsl.source import Entry, Mapping, Node, Scalar, Sequence, Span
from dsl.suggest import nearest

__all__ = ["validate", "walk_dsl"]

TYPE_WORDS = {
    "object": "keys with values",
    "array": "a list",
    "string": "text",
    "integer": "a whole number",
    "number": "a number",
    "boolean": "`true` or `false`",
}
MOST_LISTED = 14


def validate(document: Mapping, name: str, report: Report, whole: bool | None = None, meant: dict[int, str] | None = None) -> bool:
    """Judges a document by a schema; true if it adds no error to the report.

    A document that is not whole, by default one with `extends`, may leave to its parent what a section needs. `meant`
    takes the keys that misspelt ones stand for, by their place.
    """
    judge = _Judge(name, report, "extends" not in document if whole is None else whole)
    judge.meant = {} if meant is None else meant
    judge.value(document, {"$ref": "#"}, "the file")
    return judge.sound


# -------------------------------------------------------------------- judging


class _Judge:
    def __init__(self, name: str, report: Report, whole: bool) -> None:
        self.name, self.report, self.whole = name, report, whole
        self.sound = True
        self.meant: dict[int, str] = {}
        self.depths: dict[str, int] = {}

    def error(self, code: str, message: str, span: Span, label: str = "", help: str | None = None) -> None:
        self.sound = False
        self.report.error(code, message, span, label, help=help)

    def value(self, node: Node, wanted: Schema, subject: str, file: str | None = None) -> None:
        """Judges a node; the subject is how messages name it."""
        file = file or self.name
        found = branch(node, wanted, file)
        if found is None:
            self.no_shape(node, *expand(wanted, file), subject)
            return
        shape, file = found
        if not self.kind(node, shape, subject):
            return
        if isinstance(node, Scalar):
            self.scalar(node, shape, subject)
            return
        deepest = shape.get("x-deepest")
        title = str(shape.get("title"))
        depth = self.depths.get(title, 0) + 1
        if deepest is not None and depth > deepest:
            start = node.span.start
            self.error(
                "E112",
                f"steps lie in one another more than {deepest} deep",
                Span(node.span.source, start, start + 1),
                "one too many",
                "give some of them a name under `phrases`",
            )
            return
        self.depths[title] = depth
        if isinstance(node, Sequence):
            self.list(node, shape, subject, file)
        else:
            self.mapping(node, shape, subject, file)
        self.depths[title] = depth - 1

    def no_shape(self, node: Node, shape: Schema, file: str, subject: str) -> None:
        """A value that may have one of several shapes and has none of them."""
        options = [one for one, _ in shapes(shape, file)]
        marks = sorted({one["required"][0] for one in options if "required" in one})
        if isinstance(node, Mapping) and marks and node.entries:
            title = shape.get("title", subject)
            first = node.entries[0].key
            words = _listed(marks)
            self.error(
                "E121",
                f"{title} of several parts needs {'one of ' if len(marks) > 1 else ''}{words}",
                first.span,
                f"{quote(first.value)} says not what it is",
                "if this is one line of text with a `:` in it, put it in quotes" if len(node) == 1 else None,
            )
            return
        types = {kind for one in options for kind in types_of(one)}
        due = dict.fromkeys(_due(types_of(one), one.get("title")) for one in options)
        self.wrong_kind(node, types, subject, " or ".join(due))

    def kind(self, node: Node, shape: Schema, subject: str) -> bool:
        types = types_of(shape)
        if isinstance(node, Mapping):
            fits = "object" in types
        elif isinstance(node, Sequence):
            fits = "array" in types
        else:
            value = resolve(node)
            if isinstance(value, bool):
                fits = "boolean" in types
            elif isinstance(value, int):
                fits = bool(types & {"integer", "number"})
            elif isinstance(value, float):
                fits = "number" in types or ("integer" in types and value.is_integer())
            else:
                fits = value is not None and "string" in types
            # A wrong word among choices is explained by the choices.
            if value is not None and ("enum" in shape or "const" in shape):
                fits = True
        if not fits:
            self.wrong_kind(node, types, subject, _due(types, shape.get("title")))
        return fits

    def wrong_kind(self, node: Node, types: set[str], subject: str, due: str) -> None:
        if isinstance(node, Scalar):
            if is_null(node):
                self.error("E122", f"nothing is written for {subject}", node.span, f"{due} is due here")
                return
            value = resolve(node)
            found = "text" if isinstance(value, str) else "`true` or `false`" if isinstance(value, bool) else "a number"
            span, help_ = node.span, None
            if isinstance(value, str) and not node.plain and types & {"integer", "number", "boolean"}:
                bare = resolve(Scalar(value, node.offsets, node.span, True))
                help_ = None if isinstance(bare, str) else f"write it without quotes: `{value}`"
            elif "array" in types and "object" not in types:
                help_ = "begin each item on a line of its own with `- `, or write `[…]`"
        else:
            found = "a list" if isinstance(node, Sequence) else "keys with values"
            span, help_ = _opening(node), None
            if isinstance(node, Mapping) and node.entries and types & {"string"}:
                text = node.span.source.text[node.span.start : node.span.start + 1]
                help_ = "put text that begins with `{` in quotes" if text == "{" else "put text with a `: ` in it in quotes"
            elif isinstance(node, Sequence) and types & {"string"} and node.span.text[:1] == "[":
                help_ = "put text that begins with `[` in quotes"
        self.error("E122", f"{subject} must be {due}, not {found}", span, f"{due} is due here", help_)

    def scalar(self, node: Scalar, shape: Schema, subject: str) -> None:
        value = resolve(node)
        if "x-version" in shape and not _same(value, shape["const"]):
            known = shape["const"]
            help_ = (
                f"write it without quotes: `{known}`"
                if node.value == str(known)
                else f"write `language: {known}`, or take a newer Spadille"
            )
            self.error("E128", f"version {quote(node.value)} of the language is not known", node.span, f"only {known} is known here", help_)
        elif "const" in shape and not _same(value, shape["const"]):
            self.error("E123", f"{subject} must be `{shape['const']}`, not {quote(node.value)}", node.span)
        elif "enum" in shape and not any(_same(value, one) for one in shape["enum"]):
            near = nearest(node.value, [str(one) for one in shape["enum"]])
            words = _listed([str(one) for one in shape["enum"]])
            self.error(
                "E123",
                f"{quote(node.value)} is not one of the choices for {subject}",
                node.span,
                f"one of {words} is due",
                f"did you mean `{near}`?" if near else None,
            )
        elif isinstance(value, str) and "pattern" in shape and not re.search(shape["pattern"], value):
            self.error("E125", f"{quote(value)} is not {shape.get('x-words', 'allowed')}", node.span)
        elif isinstance(value, (int, float)) and not isinstance(value, bool):
            low, high = shape.get("minimum", value), shape.get("maximum", value)
            if not low <= value <= high:
                bounds = f"at least {low}" if value < low else f"at most {high}"
                if "minimum" in shape and "maximum" in shape:
                    bounds = f"between {low} and {high}"
                self.error("E124", f"{subject} must be {bounds}, not {quote(node.value)}", node.span)

    def list(self, node: Sequence, shape: Schema, subject: str, file: str) -> None:
        count = len(node.items)
        if count < shape.get("minItems", 0):
            self.error("E124", f"{subject} needs at least {_count(shape['minItems'], 'item')}", _opening(node))
        elif count > shape.get("maxItems", count):
            late = node.items[shape["maxItems"]]
            self.error(
                "E124",
                f"{subject} may have at most {_count(shape['maxItems'], 'item')}",
                _opening(late),
                "one too many",
            )
        if shape.get("uniqueItems"):
            seen: set[str] = set()
            for item in node.items:
                key = json.dumps(plain(item))
                if key in seen:
                    self.error("E126", f"{quote(item.span.text)} is given twice in {subject}", item.span)
                seen.add(key)
        if "items" in shape:
            for item in node.items:
                self.value(item, shape["items"], f"an item of {subject}", file)

    def mapping(self, node: Mapping, shape: Schema, subject: str, file: str) -> None:
        title = shape.get("title", subject)
        if len(node) < shape.get("minProperties", 0):
            self.error("E124", f"{subject} needs at least {_count(shape['minProperties'], 'entry')}", node.span)
        known = shape.get("properties", {})
        closed = shape.get("additionalProperties") is False
        explained: set[str] = set()
        for entry in node.entries:
            key = entry.key.value
            if closed and key not in known:
                explained |= self.unknown_key(entry, node, known, title)
                continue
            if "propertyNames" in shape:
                names, _ = expand(shape["propertyNames"], file)
                if not re.search(names["pattern"], key):
                    self.error(
                        "E125",
                        f"{quote(key)} is not {names.get('x-words', 'allowed')}",
                        entry.key.span,
                        f"a key of {title}",
                    )
            inner = child(shape, key)
            if inner is not None:
                self.value(entry.value, inner, quote(key), file)
        needed = [*shape.get("required", ()), *(shape.get("x-required", ()) if self.whole else ())]
        missing = [key for key in needed if key not in node and key not in explained]
        if missing:
            place = node.entries[0].key.span if node.entries else node.span
            self.error(
                "E121",
                f"{title} needs the key{'s' * (len(missing) > 1)} {_listed(missing)}",
                place,
                f"{_listed(missing)} {'is' if len(missing) == 1 else 'are'} missing here",
            )

    def unknown_key(self, entry: Entry, node: Mapping, known: dict[str, Schema], title: str) -> set[str]:
        """Says what key was meant, and returns it so that it is not called missing too."""
        near = nearest(entry.key.value, [key for key in known if key not in node])
        if near is not None:
            help_: str | None = f"did you mean `{near}`?"
        elif entry.key.value.replace(" ", "_") in known:
            near = entry.key.value.replace(" ", "_")
            help_ = f"write `{near}`"
        elif " " in entry.key.value and isinstance(entry.value, Scalar) and not entry.value.value and entry.value.plain:
            help_ = "a comma parts what stands in `{…}`: put text that has one in quotes"
        else:
            help_ = f"its keys are {_listed(list(known))}" if len(known) <= MOST_LISTED else None
        self.error(
            "E120",
            f"unknown key {quote(entry.key.value)} in {title}",
            entry.key.span,
            "not a key that can stand here",
            help_,
        )
        if near is None:
            return set()
        self.meant[entry.key.span.start] = near
        return {near}


def _same(value: Any, wanted: Any) -> bool:
    return bool(value == wanted) and isinstance(value, bool) == isinstance(wanted, bool)


def _opening(node: Node) -> Span:
    """Where a list or mapping begins: its bracket, its first key, or the dash of its first item."""
    if isinstance(node, Scalar):
        return node.span
    if isinstance(node, Mapping) and node.entries and node.span.start == node.entries[0].key.span.start:
        return node.entries[0].key.span
    return Span(node.span.source, node.span.start, min(node.span.start + 1, max(node.span.end, node.span.start)))


def _due(types: set[str], title: str | None) -> str:
    if {"string", "integer", "number"} <= types:
        types = types - {"integer", "number", "boolean"}
    if title is not None and title.startswith("a list"):
        return title
    words = [text for kind, text in TYPE_WORDS.items() if kind in types]
    return " or ".join(reversed(words))


def _listed(words: list[str]) -> str:
    quoted = [f"`{word}`" for word in words]
    return quoted[0] if len(quoted) == 1 else ", ".join(quoted[:-1]) + " and " + quoted[-1]


def _count(number: int, word: str) -> str:
    plural = f"{word[:-1]}ies" if word.endswith("y") else f"{word}s"
    return f"{number} {word if number == 1 else plural}"
