"""Reports, comparisons and balances as one HTML page each, which needs nothing else: tables, and plots as SVG in the page itself."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from math import isfinite
from pathlib import Path
from typing import Any

from spadille.lab.balance import Balance
from spadille.lab.compare import Comparison, unchanged
from spadille.lab.observation import ALL
from spadille.lab.plots import COLOURS, MOST_LINES, Series, chart, histogram
from spadille.lab.statistics import Estimate
from spadille.lab.summary import Part, Summary

STYLE = Path(__file__).with_name("page.css")
NOTE = "Intervals are 95 % confidence intervals; all plays of a board count as one observation."


@dataclass(frozen=True, slots=True)
class Section:
    """A part of a page."""

    id: str
    title: str
    about: str
    body: str


@dataclass(frozen=True, slots=True)
class Shown:
    """A table with a value for each name: an estimate under the first, and under the others with its change."""

    id: str
    title: str
    about: str
    head: str
    share: bool
    lines: tuple[tuple[str, tuple[Estimate | None, ...], tuple[Estimate | None, ...]], ...]


# -------------------------------------------------------------------- a report


def summary_page(summary: Summary) -> str:
    """The page of a report, the same to the last byte for the same rows; raises LabError without matplotlib."""
    sections = [Section(part.id, part.title, part.about, plot(part) + table(part)) for part in summary.parts]
    if summary.spreads:
        body = "".join(f"<figure><figcaption>{escape(one.title)}</figcaption>{histogram(one)}</figure>" for one in summary.spreads)
        sections.append(Section("spreads", "How figures are spread", "How often each value was there, in hundredths.", body))
    return document(summary.experiment, [summary.played], tiles(summary), sections, NOTE)


def plot(part: Part) -> str:
    """The plot of a table; none for a single figure."""
    if len(part.lines) < 2:
        return ""
    fields = [
        Series(head, share, tuple((line.cells[column],) for line in part.lines))
        for column, (head, share) in enumerate(zip(part.heads, part.shares, strict=True))
    ]
    return f"<figure>{chart([line.name for line in part.lines], fields)}{cut(len(part.lines))}</figure>"


def cut(lines: int) -> str:
    """Says that a plot has not all lines of its table."""
    return f"<figcaption>the first {MOST_LINES} of {lines}</figcaption>" if lines > MOST_LINES else ""


def table(part: Part) -> str:
    """A table with an interval beside each figure."""
    heads = "".join(f'<th colspan="2">{escape(head)}</th>' for head in part.heads)
    lines = []
    for line in part.lines:
        cells = "".join(
            f"<td>{figure(cell, share)}</td><td class=i>{reach(cell, share)}</td>"
            for cell, share in zip(line.cells, part.shares, strict=True)
        )
        lines.append(f"<tr><th>{escape(line.name)}</th>{cells}</tr>")
    return f"<div class=t><table><thead><tr><th></th>{heads}</tr></thead><tbody>\n" + "\n".join(lines) + "</tbody></table></div>"


def tiles(summary: Summary) -> list[tuple[str, str, str]]:
    """The figures an author looks for first: what, how much, and how sure."""
    found: list[tuple[str, str, str]] = []

    def add(what: str, id: str, name: str, column: int) -> None:
        part = summary.part(id)
        line = next((line for line in part.lines if line.name == name), None) if part is not None else None
        if part is not None and line is not None and line.cells[column].of:
            cell, share = line.cells[column], part.shares[column]
            found.append((what, figure(cell, share), reach(cell, share)))

    add("thrown in", "outcomes", "thrown in", 0)
    add("declarer gains", "declarer", ALL, 0)
    add("deals a match", "matches", "deals a match", 0)
    add("decisions a deal", "decisions", ALL, 0)
    add("choices a decision", "decisions", ALL, 1)
    add("forced decisions", "decisions", ALL, 2)
    if summary.unfair is not None and summary.boards > 1 and (seats := summary.part("seats")) is not None:
        far = max(seats.lines, key=lambda line: abs(line.cells[1].value))
        fair = "no" if summary.unfair else "it may be"
        found.append(("fair by seat", fair, f"{far.name} {far.cells[1].value:+.2f} from the mean"))
    return found


# ------------------------------------------------------- comparisons, balances


def comparison_page(found: Comparison) -> str:
    """The page of two experiments side by side."""
    facts = [f"{name}: {one.played}" for name, one in zip(found.names, (found.first, found.second), strict=True)]
    shown = [
        Shown(
            part.id,
            part.title,
            part.about,
            head,
            part.shares[k],
            tuple((line.name, line.cells[k][:2], line.cells[k][2:]) for line in part.lines),
        )
        for part in found.parts
        for k, head in enumerate(part.heads)
    ]
    return shifted_page(found.first.experiment, [*facts, found.how], found.names, shown)


def balance_page(found: Balance) -> str:
    """The page of an option's values."""
    others = list(found.others.values())
    shown = []
    for part in found.first.parts:
        theirs = [{line.name: line.cells for line in shared.lines} if (shared := one.part(part.id)) else {} for one in others]
        for k, head in enumerate(part.heads):
            lines = []
            for line in part.lines:
                cells = [of[line.name][k] if line.name in of else (None, None, None) for of in theirs]
                lines.append((line.name, (line.cells[k], *(cell[1] for cell in cells)), tuple(cell[2] for cell in cells)))
            shown.append(Shown(part.id, part.title, part.about, head, part.shares[k], tuple(lines)))
    names = [found.value, *found.others]
    facts = [f"the same {found.first.played}, under each value of {found.option}"]
    return shifted_page(found.first.experiment, facts, names, shown, found.option)


def shifted_page(head: dict[str, Any], facts: list[str], names: Sequence[str], shown: list[Shown], option: str = "") -> str:
    """A page of changes."""
    colours = [COLOURS[number % len(COLOURS)] for number in range(len(names))]
    legend = "".join(f'<span><i style="background:{colour}"></i>{escape(name)}</span>' for colour, name in zip(colours, names, strict=True))
    sections = [Section("surest", "What changes most surely", sure_about(shown), surest(names, shown))]
    same = [one for one in shown if all(unchanged(changes) for _, _, changes in one.lines)]
    for part_id in dict.fromkeys(one.id for one in shown if one not in same):
        group = [one for one in shown if one.id == part_id and one not in same]
        body = "".join(
            f"<h3>{escape(one.head)}</h3><p class=l>{legend}</p>{shifts(one, colours)}{shifts_table(one, names)}" for one in group
        )
        sections.append(Section(part_id, group[0].title, group[0].about, body))
    left = {
        key: value for key, value in dict(head.get("options", {})).items() if key != option and f"{key}={value}" not in names[0].split()
    }
    if same:
        names_of_same = ", ".join(f"{one.title} ({one.head})" for one in same)
        sections.append(Section("same", "What stays the same", f"Not one board differs in these: {names_of_same}.", ""))
    note = f"{NOTE} Hollow points are changes that may be nothing."
    return document(head | {"options": left}, facts, [], sections, note)


def shifts(one: Shown, colours: Sequence[str]) -> str:
    """The figures under each name, and beside them the changes from the first."""
    fields = [
        Series(one.head, one.share, tuple(cells for _, cells, _ in one.lines), tuple(colours)),
        Series("change", one.share, tuple(changes for _, _, changes in one.lines), tuple(colours[1:]), True),
    ]
    return f"<figure>{chart([name for name, _, _ in one.lines], fields)}{cut(len(one.lines))}</figure>"


def shifts_table(one: Shown, names: Sequence[str]) -> str:
    """The same in figures."""
    heads = f"<th>{escape(names[0])}</th>" + "".join(f"<th>{escape(name)}</th><th colspan=2>change</th>" for name in names[1:])
    lines = []
    for name, cells, changes in one.lines:
        text = f"<td>{figure(cells[0], one.share)}</td>"
        for cell, change in zip(cells[1:], changes, strict=True):
            mark = " class=s" if is_sure(change) else ""
            text += f"<td>{figure(cell, one.share)}</td><td{mark}>{shift(change, one.share)}</td>"
            text += f"<td class=i>{reach(change, one.share, '+')}</td>"
        lines.append(f"<tr><th>{escape(name)}</th>{text}</tr>")
    return f"<div class=t><table><thead><tr><th></th>{heads}</tr></thead><tbody>\n" + "\n".join(lines) + "</tbody></table></div>"


MOST_SURE = 12


def is_sure(change: Estimate | None) -> bool:
    """Whether the interval of a change leaves out 0."""
    return change is not None and bool(change.of) and (change.low > 0 or change.high < 0)


def sure_about(shown: list[Shown]) -> str:
    """How many changes are sure, and how many would seem so by luck."""
    changes = [change for one in shown for _, _, found in one.lines for change in found if change is not None and change.of]
    sure = sum(map(is_sure, changes))
    return (f"The intervals of {sure} of {len(changes)} changes leave out 0; "
            f"about {round(len(changes) / 20)} would by luck alone, if nothing changed.")  # fmt: skip


def surest(names: Sequence[str], shown: list[Shown]) -> str:
    """The changes that stand out most from their errors."""
    found = []
    for one in shown:
        for name, cells, changes in one.lines:
            for number, change in enumerate(changes):
                if change is not None and is_sure(change):
                    weight = abs(change.value) / change.error if change.error else float("inf")
                    found.append((-weight, f"{one.title}: {name}, {one.head}", number, one.share, cells[0], cells[number + 1], change))
    lines = [
        f"<tr><th>{escape(text)}</th><td>{escape(names[number + 1])}</td><td>{figure(a, share)}</td><td>{figure(b, share)}</td>"
        f"<td class=s>{shift(change, share)}</td><td class=i>{reach(change, share, '+')}</td></tr>"
        for _, text, number, share, a, b, change in sorted(found, key=lambda one: one[:3])[:MOST_SURE]
    ]
    heads = f"<th></th><th>under</th><th>{escape(names[0])}</th><th>there</th><th colspan=2>change</th>"
    return f"<div class=t><table><thead><tr>{heads}</tr></thead><tbody>\n" + "\n".join(lines) + "</tbody></table></div>" if lines else ""


# ------------------------------------------------------------------- the page


def document(
    head: dict[str, Any], facts: Sequence[str], tiles: Sequence[tuple[str, str, str]], sections: Sequence[Section], note: str
) -> str:
    """A page of sections."""
    title = escape(str(head.get("title") or head.get("ruleset")))
    given = dict(head.get("options", {}))
    options = "".join(f"<span>{escape(str(key))} <b>{escape(str(value))}</b></span>" for key, value in given.items())
    said = "".join(f"<p>{escape(fact)}</p>" for fact in facts)
    boxes = "".join(
        f"<div><b>{escape(value)}</b><span>{escape(what)}</span><small>{escape(how)}</small></div>" for what, value, how in tiles
    )
    links = "".join(f'<a href="#{escape(one.id)}">{escape(one.title)}</a>' for one in sections)
    body = "\n".join(
        f'<section id="{escape(one.id)}"><h2>{escape(one.title)}</h2>' + (f"<p class=a>{escape(one.about)}</p>" if one.about else "")
        + f"{one.body}</section>" for one in sections
    )  # fmt: skip
    folded = f"<details><summary>{len(given)} options</summary><p class=o>{options}</p></details>" if options else ""
    top = f"<header><div><h1>{title}</h1>{said}{folded}</div></header>\n<main>" + (f"<div class=k>{boxes}</div>\n" if boxes else "")
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">'
        f"<title>{title}</title><style>{STYLE.read_text(encoding='utf-8')}</style></head>\n<body>\n{top}<nav>{links}</nav>\n{body}\n"
        f"<footer>{escape(note)} Rules {escape(str(head.get('rules', '')))}.</footer></main>\n</body></html>\n"
    )


def figure(cell: Estimate | None, share: bool) -> str:
    """An estimate, for people."""
    if cell is None or not cell.of:
        return "–"
    return f"{100 * cell.value:.1f} %" if share else f"{cell.value:.2f}"


def shift(cell: Estimate | None, share: bool) -> str:
    """A change: of shares, in points of a hundred."""
    if cell is None or not cell.of:
        return "–"
    return f"{100 * cell.value:+.1f}" if share else f"{cell.value:+.2f}"


def reach(cell: Estimate | None, share: bool, sign: str = "") -> str:
    """The interval of an estimate."""
    if cell is None or not cell.of or not isfinite(cell.high):
        return ""
    scale, digits = (100, 1) if share else (1, 2)
    return f"{scale * cell.low:{sign}.{digits}f} to {scale * cell.high:{sign}.{digits}f}"
