"""A report as one HTML page: its tables, and a plot of each as SVG in the page itself."""

from __future__ import annotations

from dataclasses import replace
from html import escape
from io import StringIO
from math import isfinite
from typing import Any

from spadille.lab.experiment import LabError
from spadille.lab.statistics import Estimate
from spadille.lab.summary import Part, Summary

MOST_BARS = 30
STYLE = """body{font:16px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:60rem;padding:0 1rem;color:#222;background:#fff}
table{border-collapse:collapse;margin:.5rem 0 1rem}th,td{padding:.15rem .8rem .15rem 0;text-align:right;border-bottom:1px solid #ddd}
th:first-child,td:first-child{text-align:left}svg{max-width:100%;height:auto}small{color:#666}"""


def page(summary: Summary) -> str:
    """The page, the same to the last byte for the same rows; raises LabError without matplotlib."""
    head = summary.experiment
    title = escape(str(head.get("title") or head.get("ruleset")))
    facts = [
        f"{summary.deals:,} deals",
        f"{summary.plays:,} times played",
        f"seed {head.get('seed')}",
        "bots " + ", ".join(map(str, head.get("bots", ()))),
    ]
    options = ", ".join(f"{key}={value}" for key, value in dict(head.get("options", {})).items())
    body = [f"<h1>{title}</h1>", f"<p>{escape(' · '.join(facts))}</p>", f"<p><small>{escape(options)}</small></p>" if options else ""]
    for part in summary.parts:
        body += [f"<h2>{escape(part.title)}</h2>", table(part)]
        if len(part.lines) > 1:
            body.append(plot(part))
    body.append("<p><small>In brackets: 95 % confidence intervals. The plays of one deal count as one observation.</small></p>")
    return (f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>{title}</title><style>{STYLE}</style></head>\n<body>\n'
            + "\n".join(filter(None, body)) + "\n</body></html>\n")  # fmt: skip


def shown(cell: Estimate, share: bool) -> str:
    """An estimate with its interval, for people."""
    if share:
        return f"{100 * cell.value:.1f} % [{100 * cell.low:.1f}, {100 * cell.high:.1f}]"
    if not isfinite(cell.high):
        return f"{cell.value:.2f}"
    return f"{cell.value:.2f} [{cell.low:.2f}, {cell.high:.2f}]"


def table(part: Part) -> str:
    """A table of HTML."""
    heads = "".join(f"<th>{escape(head)}</th>" for head in ("", *part.heads))
    lines = []
    for line in part.lines:
        cells = "".join(f"<td>{shown(cell, share)}</td>" for cell, share in zip(line.cells, part.shares, strict=True))
        lines.append(f"<tr><td>{escape(line.name)}</td>{cells}</tr>")
    return f"<table><tr>{heads}</tr>\n" + "\n".join(lines) + "</table>"


def plot(part: Part) -> str:
    """Bars with their intervals, one field for each column."""
    matplotlib = library()
    from matplotlib.figure import Figure

    lines = part.lines[:MOST_BARS]
    # Names come from rulesets: `$` would begin a formula.
    names = [line.name.replace("$", r"\$") for line in lines]
    places = list(range(len(lines)))
    with matplotlib.rc_context({"svg.hashsalt": "spadille", "svg.fonttype": "none", "font.size": 10}):
        figure = Figure(figsize=(9, 0.8 + 0.32 * len(lines)), layout="constrained")
        fields = figure.subplots(1, len(part.heads), sharey=True, squeeze=False)[0]
        for column, (field, head, share) in enumerate(zip(fields, part.heads, part.shares, strict=True)):
            scale = 100 if share else 1
            cells = [line.cells[column] for line in lines]
            values = [scale * cell.value for cell in cells]
            known = [cell if isfinite(cell.high) else replace(cell, low=cell.value, high=cell.value) for cell in cells]
            reach = [[scale * (cell.value - cell.low) for cell in known], [scale * (cell.high - cell.value) for cell in known]]
            field.barh(places, values, xerr=reach, color="#4c9f70", ecolor="#333", capsize=3)
            field.axvline(0, color="#333", linewidth=0.8)
            field.set_xlabel(head + (", %" if share else ""))
            field.set_yticks(places, names)
        fields[0].invert_yaxis()
        out = StringIO()
        figure.savefig(out, format="svg", metadata={"Date": None, "Creator": None})
    text = out.getvalue()
    return text[text.index("<svg") :].strip()


def library() -> Any:
    """The library of plots; raises LabError where it is not installed."""
    try:
        import matplotlib
    except ImportError:
        raise LabError("plots need matplotlib: install `spadille[lab]`") from None
    return matplotlib
