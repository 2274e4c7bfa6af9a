"""Diagnostics as commands of GitHub's workflows, which it shows beside the lines of a pull request."""

from __future__ import annotations

from collections.abc import Sequence

from dsl.diagnostics import Diagnostic


def github(found: Sequence[Diagnostic], unplaced: Sequence[str] = ()) -> str:
    """One line per diagnostic: `::error file=…,line=…,col=…,title=…::message`; lines and columns from 1."""
    lines = [one(diagnostic) for diagnostic in found] + [f"::error::{data(message)}" for message in unplaced]
    return "".join(f"{line}\n" for line in lines)


def one(found: Diagnostic) -> str:
    """One diagnostic; what would be further lines of the message is joined to it."""
    source = found.span.source
    line, column = source.place(found.span.start)
    end_line, end_column = source.place(found.span.end)
    places = {"file": source.name, "line": str(line), "endLine": str(end_line), "col": str(column)}
    # GitHub refuses an end column where the lines differ.
    if line == end_line and end_column > column:
        places["endColumn"] = str(end_column)
    said = [found.message, found.label.text, *(f"{label.span}: {label.text}" for label in found.others), *found.notes]
    said += [] if found.help is None else [f"help: {found.help}"]
    properties = ",".join(f"{key}={value(text)}" for key, text in {**places, "title": found.code}.items())
    return f"::{found.severity} {properties}::{data(chr(10).join(text for text in said if text))}"


def data(text: str) -> str:
    """A message as it may stand at the end of a command."""
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def value(text: str) -> str:
    """The value of a property, in which also `:` and `,` have a meaning."""
    return data(text).replace(":", "%3A").replace(",", "%2C")
