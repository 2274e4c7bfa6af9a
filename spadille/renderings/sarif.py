"""Diagnostics in SARIF 2.1.0, the format that code hosts and editors read from checkers."""

from __future__ import annotations

import json
from collections.abc import Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import PurePath
from typing import Any
from urllib.parse import quote

from dsl.diagnostics import Diagnostic, Label
from dsl.source import Span

Row = dict[str, Any]

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
# For what belongs to no code of the table.
UNPLACED = "engine"


def sarif(found: Sequence[Diagnostic], unplaced: Sequence[str] = ()) -> str:
    """A log of one run; the rules are the codes that occur, with their explanations."""
    ids = sorted({diagnostic.code for diagnostic in found})
    driver: Row = {"name": "Spadille", "rules": [rule(id) for id in ids]}
    number = installed()
    if number is not None:
        driver["version"] = number
    results = [result(diagnostic, ids.index(diagnostic.code)) for diagnostic in found]
    results += [{"ruleId": UNPLACED, "level": "error", "message": {"text": message}} for message in unplaced]
    run = {"tool": {"driver": driver}, "columnKind": "unicodeCodePoints", "results": results}
    return json.dumps({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}, ensure_ascii=False, indent=2) + "\n"


def installed() -> str | None:
    """The version of the package, if it is installed."""
    try:
        return version("spadille")
    except PackageNotFoundError:
        return None


def rule(id: str) -> Row:
    """A code with its explanation."""
    from dsl.codes import CODES

    code = CODES[id]
    return {
        "id": id,
        "shortDescription": {"text": code.title},
        "fullDescription": {"text": code.what},
        "help": {"text": f"{code.why} See: spadille explain {id}"},
        "defaultConfiguration": {"level": code.severity},
    }


def result(found: Diagnostic, index: int) -> Row:
    """One diagnostic: its message with label, notes and help, its place, and the second places."""
    said = [found.message, found.label.text, *found.notes, *([] if found.help is None else [found.help])]
    row: Row = {
        "ruleId": found.code,
        "ruleIndex": index,
        "level": found.severity,
        "message": {"text": "; ".join(text for text in said if text)},
        "locations": [{"physicalLocation": place(found.span)}],
    }
    if found.others:
        row["relatedLocations"] = [related(number, label) for number, label in enumerate(found.others, 1)]
    return row


def related(number: int, label: Label) -> Row:
    """A second place and what is said of it."""
    return {"id": number, "physicalLocation": place(label.span), "message": {"text": label.text or "see here"}}


def place(span: Span) -> Row:
    """A stretch of a file; lines and columns from 1, the end column one past the last character."""
    line, column = span.source.place(span.start)
    end_line, end_column = span.source.place(max(span.end, span.start))
    region = {"startLine": line, "startColumn": column, "endLine": end_line, "endColumn": end_column}
    return {"artifactLocation": {"uri": uri(span.source.name)}, "region": region}


def uri(name: str) -> str:
    """A file as a URI: absolute paths with their scheme, others relative to where the command ran."""
    path = PurePath(name)
    return path.as_uri() if path.is_absolute() else quote(path.as_posix())
