"""What is wrong with a ruleset and where: diagnostics, the report that collects them, two renderers."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias
from unicodedata import category, east_asian_width

from dsl.source import Source, Span

Severity: TypeAlias = Literal["error", "warning"]

MOST_KEPT = 200
WIDEST_LINE = 200
CONTEXT = 60
TAB = 4
COLOURS = {
    "error": "\x1b[1;31m",
    "warning": "\x1b[1;33m",
    "other": "\x1b[1;34m",
    "gutter": "\x1b[34m",
    "bold": "\x1b[1m",
}
PLAIN = "\x1b[0m"
# A note that opens with one of these words stands under that word instead of `note`.
NOTE_WORDS = ("inherited", "overridden", "expected", "found")


@dataclass(frozen=True, slots=True)
class Label:
    """An underlined place and what to say below it."""

    span: Span
    text: str = ""


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One thing wrong: a code of `dsl.codes`, a message in the author's words, the place, what may help."""

    code: str
    message: str
    label: Label
    others: tuple[Label, ...] = ()
    notes: tuple[str, ...] = ()
    help: str | None = None
    severity: Severity = "error"

    @property
    def span(self) -> Span:
        return self.label.span

    def __str__(self) -> str:
        return f"{self.span}: {self.severity}[{self.code}]: {_visible(self.message)}"


class Enough(Exception):
    """A report that stops has as many diagnostics as it keeps."""


@dataclass(slots=True)
class Report:
    """Collects diagnostics; the same fault at the same place is kept once, and at most 200 are kept.

    One that `stops` raises Enough for more, so that nobody looks for the 10,000th fault of a file.
    """

    kept: dict[tuple[str, str, int, int, str], Diagnostic] = field(default_factory=dict)
    failed: bool = False
    dropped: int = 0
    stops: bool = False

    def error(
        self,
        code: str,
        message: str,
        span: Span,
        label: str = "",
        others: Iterable[Label] = (),
        notes: Iterable[str] = (),
        help: str | None = None,
    ) -> None:
        """Note a fault that keeps the ruleset from running."""
        self.add(Diagnostic(code, message, Label(span, label), tuple(others), tuple(notes), help, "error"))

    def warning(
        self,
        code: str,
        message: str,
        span: Span,
        label: str = "",
        others: Iterable[Label] = (),
        notes: Iterable[str] = (),
        help: str | None = None,
    ) -> None:
        """Note something that runs but is hardly meant."""
        self.add(Diagnostic(code, message, Label(span, label), tuple(others), tuple(notes), help, "warning"))

    def add(self, diagnostic: Diagnostic) -> None:
        self.failed = self.failed or diagnostic.severity == "error"
        span = diagnostic.span
        key = (diagnostic.code, span.source.name, span.start, span.end, diagnostic.message)
        if key in self.kept:
            return
        if len(self.kept) >= MOST_KEPT:
            self.dropped += 1
            if self.stops:
                raise Enough
            return
        self.kept[key] = diagnostic

    @property
    def ok(self) -> bool:
        """True as long as there is no error; warnings do not count."""
        return not self.failed

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """All that is kept, by file in the order the files came up, then by place."""
        files: dict[str, int] = {}
        for found in self.kept.values():
            files.setdefault(found.span.source.name, len(files))
        return tuple(
            sorted(
                self.kept.values(),
                key=lambda d: (files[d.span.source.name], d.span.start, d.span.end, d.code),
            )
        )

    @property
    def errors(self) -> tuple[Diagnostic, ...]:
        return tuple(found for found in self.diagnostics if found.severity == "error")

    @property
    def warnings(self) -> tuple[Diagnostic, ...]:
        return tuple(found for found in self.diagnostics if found.severity == "warning")


def quote(text: str, most: int = 40) -> str:
    """An author's text in backticks, on one line and cut when it is long."""
    shown = " ".join(text[: 4 * most].split())
    return f"`{shown[: most - 1]}…`" if len(shown) > most else f"`{shown}`"


# ------------------------------------------------------------------ for people


def render_text(diagnostic: Diagnostic, colour: bool = False) -> str:
    """The diagnostic with its source line underlined, several lines without a final line break."""

    def paint(name: str, text: str) -> str:
        return f"{COLOURS[name]}{text}{PLAIN}" if colour and text else text

    labels = (diagnostic.label, *diagnostic.others)
    gutter = max(len(str(label.span.line)) for label in labels)
    head = paint(diagnostic.severity, f"{diagnostic.severity}[{diagnostic.code}]")
    lines = [f"{_visible(str(diagnostic.span))}: {head}: {paint('bold', _visible(diagnostic.message))}"]
    blank = paint("gutter", " " * gutter + " |")
    for label in labels:
        first = label is diagnostic.label
        if not first:
            lines.append(f"{paint('gutter', ' ' * gutter + ' :')} {_visible(str(label.span))}")
        shown, indent, width = _snippet(label.span)
        mark = paint(
            diagnostic.severity if first else "other",
            f"{('^' if first else '-') * width} {_visible(label.text)}".rstrip(),
        )
        lines.append(blank)
        lines.append(f"{paint('gutter', f'{label.span.line:>{gutter}} |')} {shown}".rstrip())
        lines.append(f"{blank} {' ' * indent}{mark}")
    tail = " " * gutter + " = "
    for note in diagnostic.notes:
        lines.append(tail + (_visible(note) if note.split(":")[0] in NOTE_WORDS else f"note: {_visible(note)}"))
    if diagnostic.help is not None:
        lines.append(f"{tail}help: {_visible(diagnostic.help)}")
    lines.append(f"{tail}see: spadille explain {diagnostic.code}")
    return "\n".join(lines)


def _snippet(span: Span) -> tuple[str, int, int]:
    """The line to show, the cells before the underline, and its width in cells; long lines are cut."""
    line, column = span.source.place(span.start)
    text = span.source.line(line)
    start = min(column - 1, len(text))
    end = max(min(start + span.end - span.start, len(text)), start)
    left, right = "", ""
    if len(text) > WIDEST_LINE:
        cut_from = max(0, start - CONTEXT)
        cut_to = min(len(text), max(start + CONTEXT, min(end + CONTEXT, cut_from + WIDEST_LINE)))
        left, right = "…" if cut_from else "", "…" if cut_to < len(text) else ""
        text, start, end = text[cut_from:cut_to], start - cut_from, min(end, cut_to) - cut_from
    before, marked, after = _cells(text[:start]), _cells(text[start:end]), _cells(text[end:])
    return left + before + marked + after + right, _width(left + before), max(1, _width(marked))


def _cells(text: str) -> str:
    return _visible(text.replace("\t", " " * TAB))


def _visible(text: str) -> str:
    """Text without characters that would steer a terminal or break a line."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(c if c == " " or category(c)[0] not in "CZ" or category(c) == "Zs" else "\ufffd" for c in text)


def _width(text: str) -> int:
    if text.isascii():
        return len(text)
    return sum(0 if category(c) in ("Mn", "Me") else 2 if east_asian_width(c) in "WF" else 1 for c in text)


# ------------------------------------------------------------------ for tools


def render_json(report: Report) -> list[dict[str, Any]]:
    """Plain data for `json.dumps`: one object per diagnostic, lines and columns from 1, ends exclusive."""
    return json_rows(report.diagnostics)


def json_rows(diagnostics: Iterable[Diagnostic]) -> list[dict[str, Any]]:
    """Diagnostics as plain data, as `render_json` has them."""
    return [
        {
            "code": found.code,
            "severity": found.severity,
            "message": found.message,
            **_json_label(found.label),
            "others": [_json_label(label) for label in found.others],
            "notes": list(found.notes),
            "help": found.help,
        }
        for found in diagnostics
    ]


def _json_label(label: Label) -> dict[str, Any]:
    source: Source = label.span.source
    line, column = source.place(label.span.start)
    end_line, end_column = source.place(label.span.end)
    return {
        "file": source.name,
        "line": line,
        "column": column,
        "end_line": end_line,
        "end_column": end_column,
        "label": label.text,
    }
