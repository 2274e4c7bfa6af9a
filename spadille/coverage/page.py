"""Coverage as one page of HTML that needs no other file: the lines of each ruleset, marked."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from dsl.source import Source
from spadille.coverage.items import Item
from spadille.coverage.measure import Coverage
from spadille.coverage.report import share

STYLE = """
:root { color-scheme: light dark; --all: #2e9d4f; --some: #d29922; --none: #d1242f; --dim: #8888; }
body { font: 15px/1.5 system-ui, sans-serif; max-width: 110rem; margin: 2rem auto; padding: 0 1rem; }
table.files { border-collapse: collapse; } table.files td, table.files th { padding: .15rem .8rem; text-align: right; }
table.files td:first-child, table.files th:first-child { text-align: left; }
table.files tr { border-bottom: 1px solid var(--dim); }
pre { font: 13px/1.45 ui-monospace, monospace; margin: 0; overflow-x: auto; }
pre div { display: flex; min-width: max-content; border-left: .35rem solid transparent; }
pre .n { color: var(--dim); width: 3.5rem; text-align: right; padding-right: 1rem; user-select: none; flex: none; }
pre .note { color: var(--none); padding-left: 2rem; font-style: italic; }
.all { border-color: var(--all) !important; }
.some { border-color: var(--some) !important; background: color-mix(in srgb, var(--some) 14%, transparent); }
.none { border-color: var(--none) !important; background: color-mix(in srgb, var(--none) 14%, transparent); }
summary { cursor: pointer; margin: .6rem 0; }
"""
LEGEND = (
    "A line is green where all that stands on it was reached by a case, yellow where a part of it was, red where nothing was; "
    "lines without a mark hold nothing that is counted. Inherited lines are shown and not counted: they count where they stand."
)


def page(found: Sequence[Coverage]) -> str:
    """The whole page."""
    rows = "".join(
        f'<tr><td><a href="#{escape(one.ruleset)}">{escape(one.ruleset)}</a></td><td>{one.hits(one.own)} of {len(one.own)}</td>'
        f"<td>{share(one.percent)}</td></tr>"
        for one in found
    )
    body = "".join(_ruleset(one) for one in found)
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<title>Coverage of the cases</title>\n'
        f"<style>{STYLE}</style>\n</head>\n<body>\n<h1>Coverage of the cases</h1>\n<p>{LEGEND}</p>\n"
        f'<table class="files"><tr><th>ruleset</th><th>reached</th><th>share</th></tr>{rows}</table>\n{body}</body>\n</html>\n'
    )


def _ruleset(one: Coverage) -> str:
    parts = [f'<h2 id="{escape(one.ruleset)}">{escape(one.ruleset)} <small>{share(one.percent)}</small></h2>\n']
    for number, source in enumerate(one.chain):
        lines = _lines(one, source)
        items = one.in_file(source)
        said = f"{escape(source.name)}: {one.hits(items)} of {len(items)} reached" + (" (inherited)" if number else "")
        parts.append(f"<details{'' if number else ' open'}><summary>{said}</summary>\n{lines}</details>\n")
    return "".join(parts)


def _lines(one: Coverage, source: Source) -> str:
    by_line: dict[int, list[Item]] = {}
    for item in one.in_file(source):
        by_line.setdefault(item.span.line, []).append(item)
    rows = []
    for number in range(1, len(source.starts) + 1):
        here = by_line.get(number, [])
        missed = [item for item in here if item.key not in one.reached]
        mark = "" if not here else ' class="all"' if not missed else ' class="none"' if len(missed) == len(here) else ' class="some"'
        note = f'<span class="note">never: {escape("; ".join(item.said for item in missed))}</span>' if missed else ""
        rows.append(f'<div{mark}><span class="n">{number}</span><code>{escape(source.line(number)) or " "}</code>{note}</div>')
    return f"<pre>{''.join(rows)}</pre>\n"
