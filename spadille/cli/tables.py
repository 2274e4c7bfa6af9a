"""Reports, comparisons and balances as tables for the terminal."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from math import isfinite
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from spadille.lab.balance import Balance
    from spadille.lab.compare import Comparison
    from spadille.lab.spread import Spread
    from spadille.lab.statistics import Estimate
    from spadille.lab.summary import Part, Summary

WIDE = 160  # where no terminal says how wide it is
NAMES, COLUMN = 40, 34  # characters for the names of lines with the first figure, and for a change
# What `balance` shows of a report: the rest is in its page and its JSON.
BALANCED = ("contracts", "outcomes", "declarer", "seats", "bots", "winners", "bot_matches", "matches", "unfinished", "decisions")


def console() -> Any:
    """Where tables are written; names of rulesets are shown as they are."""
    from rich.console import Console

    wide = None if sys.stdout.isatty() or os.environ.get("COLUMNS") else WIDE
    return Console(highlight=False, markup=False, emoji=False, width=wide)


def new_table(title: str, heads: Sequence[str]) -> Any:
    """A table with its title above the names of its lines."""
    from rich.box import SIMPLE_HEAD
    from rich.table import Table

    table = Table(box=SIMPLE_HEAD, show_edge=False)
    table.add_column(title, overflow="fold")
    for head in heads:
        table.add_column(head, justify="right", overflow="fold")
    return table


# -------------------------------------------------------------------- a report


def draw_summary(summary: Summary, only: Sequence[str] = ()) -> None:
    """A report, or some of its tables."""
    out = console()
    out.print(f"{summary.experiment['title']}: {summary.played}; 95 % confidence intervals", soft_wrap=True)
    for part in summary.parts:
        if not only or part.id in only:
            out.print()
            draw_part(out, part)
    if summary.spreads and not only:
        out.print()
        draw_spreads(out, summary.spreads)
    if fairness := fair(summary):
        out.print(f"\n{fairness}", soft_wrap=True)


def fair(summary: Summary) -> str:
    """What can be said of the seats' shares, if they can be compared."""
    seats = summary.part("seats")
    if seats is None or summary.boards < 2:
        return ""
    if summary.unfair is None:
        return "no word on fairness: other bots sit in other seats; `--duplicate` has each of them sit in all"
    these = f"by these {summary.boards:,} {'matches' if summary.experiment.get('matches') else 'deals'}"
    if summary.unfair:
        return f"no fair share, {these}: {', '.join(seats.lines[seat].name for seat in summary.unfair)}"
    return f"{these} every seat may have its fair share"


def draw_part(out: Any, part: Part) -> None:
    """One table of a report."""
    table = new_table(part.title, [head for column in part.heads for head in (column, "")])
    for line in part.lines:
        cells = [text for cell, share in zip(line.cells, part.shares, strict=True) for text in interval(cell, share)]
        table.add_row(line.name, *cells)
    out.print(table)


def draw_spreads(out: Any, spreads: Sequence[Spread]) -> None:
    """How figures are spread."""
    from spadille.lab.spread import QUANTILES

    table = new_table("How they are spread", tuple(QUANTILES))
    for spread in spreads:
        name = spread.title + (f", {spread.unit}" if spread.unit and spread.unit not in spread.title.lower() else "")
        table.add_row(name, *(f"{spread.quantile(share):g}" for share in QUANTILES.values()))
    out.print(table)


def interval(cell: Estimate, share: bool) -> tuple[str, str]:
    """An estimate and its interval; nothing can be said of the latter after one board."""
    if not cell.of:
        return "–", ""
    return figure(cell.value, share), reach(cell, share)


def figure(value: float, share: bool) -> str:
    """A share or a mean."""
    return f"{100 * value:.1f} %" if share else f"{value:.2f}"


def reach(cell: Estimate, share: bool, sign: str = "") -> str:
    """The interval of an estimate."""
    scale, digits = (100, 1) if share else (1, 2)
    if not isfinite(cell.high):
        return "unknown"
    return f"{scale * cell.low:{sign}.{digits}f} to {scale * cell.high:{sign}.{digits}f}"


# ---------------------------------------------------------------- a comparison


def draw_comparison(found: Comparison) -> None:
    """Two reports side by side."""
    out = console()
    for name, summary in zip(found.names, (found.first, found.second), strict=True):
        out.print(f"{name}: {summary.experiment['title']}, {summary.played}", soft_wrap=True)
    out.print(f"{found.how}; changes with 95 % confidence intervals", soft_wrap=True)
    notes = Notes()
    for part in found.parts:
        for column, (head, share) in enumerate(zip(part.heads, part.shares, strict=True)):
            title = f"{part.title}: {head}"
            if not notes.worth(title, [line.cells[column][2] for line in part.lines]):
                continue
            out.print()
            table = new_table(title, (*found.names, "change", ""))
            for line in part.lines:
                first, second, change = line.cells[column]
                table.add_row(line.name, interval(first, share)[0], interval(second, share)[0], *changed(change, share))
            out.print(table)
    notes.say(out)


class Notes:
    """What stands below tables of changes: which were left out, and how many changes luck alone would make seem sure."""

    def __init__(self) -> None:
        self.changes, self.same = 0, list[str]()

    def worth(self, title: str, changes: Sequence[Estimate]) -> bool:
        """Whether a table is shown: something in it changes."""
        from spadille.lab.compare import unchanged

        if unchanged(changes):
            self.same.append(title)
            return False
        self.changes += sum(change.of > 0 for change in changes)
        return True

    def say(self, out: Any) -> None:
        """The notes."""
        if self.same:
            out.print(f"\nnot one board differs in: {', '.join(self.same)}", soft_wrap=True)
        if self.changes:
            luck = round(self.changes / 20)
            out.print(f"\n* the interval leaves out 0; of {self.changes} changes shown about {luck} would by luck alone", soft_wrap=True)


def changed(change: Estimate | None, share: bool, there: Estimate | None = None) -> tuple[str, str]:
    """A change and its interval, with a star for one that luck alone would hardly make; the figure itself where it has none to be from."""
    if change is None or not change.of:
        return ("–", "") if there is None or not there.of else (f"({figure(there.value, share)})", "")
    # Shares change by points of a hundred, not by a share of themselves.
    value = f"{100 * change.value:+.1f}" if share else f"{change.value:+.2f}"
    return value, reach(change, share, "+") + (" *" if change.low > 0 or change.high < 0 else "  ")


# ------------------------------------------------------------------- a balance


def draw_balance(found: Balance) -> None:
    """The effects of an option, a value in each column."""
    out, one = console(), found.experiment
    out.print(f"{one.title}: the same {found.first.played}, under each value of {found.option}; changes with 95 % confidence intervals",
              soft_wrap=True)  # fmt: skip
    notes = Notes()
    for part in found.first.parts:
        if part.id not in BALANCED:
            continue
        for column, head in enumerate(part.heads):
            title, share = f"{part.title}: {head}", part.shares[column]
            theirs = {value: cells_of(other, part.id, column) for value, other in found.others.items()}
            if not notes.worth(title, [change for of in theirs.values() for _, change in of.values()]):
                continue
            for values in batches(list(theirs), max(1, (out.width - NAMES) // COLUMN)):
                out.print()
                table = new_table(title, [found.value, *(head for value in values for head in (value, ""))])
                for line in part.lines:
                    cells = [interval(line.cells[column], share)[0]]
                    for value in values:
                        there, change = theirs[value].get(line.name, (None, None))
                        cells += changed(change, share, there)
                    table.add_row(line.name, *cells)
                out.print(table)
    notes.say(out)


def cells_of(found: Comparison, id: str, column: int) -> dict[str, tuple[Estimate, Estimate]]:
    """By line, the figure under the second and the change to it."""
    part = found.part(id)
    return {} if part is None else {line.name: line.cells[column][1:] for line in part.lines}


def batches(values: list[str], size: int) -> Iterator[list[str]]:
    """Some values at a time, that tables are no wider than the terminal."""
    for start in range(0, len(values), size):
        yield values[start : start + size]
