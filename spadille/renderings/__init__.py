"""Diagnostics for other programs: plain JSON, SARIF 2.1.0, GitHub's annotations; each a text that ends in a line break."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence

from dsl.diagnostics import Diagnostic, json_rows
from spadille.renderings.github import github
from spadille.renderings.sarif import sarif

__all__ = ["RENDERINGS", "github", "plain", "sarif"]


def plain(found: Sequence[Diagnostic], unplaced: Sequence[str] = ()) -> str:
    """A JSON list, one object per diagnostic; what has no place has no code either."""
    rows = json_rows(found) + [{"code": None, "severity": "error", "message": message} for message in unplaced]
    return json.dumps(rows, ensure_ascii=False, indent=2) + "\n"


RENDERINGS: dict[str, Callable[[Sequence[Diagnostic], Sequence[str]], str]] = {"json": plain, "sarif": sarif, "github": github}
