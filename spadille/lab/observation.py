"""What one board adds to the sums: the rows of a deal or match, played once or more, as numbers."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Hashable
from fractions import Fraction
from typing import Any

from spadille.lab.experiment import LabError, Row
from spadille.lab.statistics import Bases, Values

ALL = "any"  # no contract or question is called so in a table of its own: it is the first row


def observed(rows: list[Row], head: dict[str, Any]) -> tuple[Bases, Values]:
    """The sums of a board; `head` is the experiment as plain data. Raises LabError for rows that do not fit it."""
    high, matches = bool(head.get("high", True)), bool(head.get("matches"))
    bases: Counter[Hashable] = Counter()
    values: defaultdict[tuple[Hashable, Hashable], Fraction | int] = defaultdict(int)
    totals: list[Fraction | int] = []
    for row in rows:
        gains = exact(row)
        persons = len(gains)
        of_deal(row, gains, high, bases, values)
        if not matches:
            continue
        totals = [a + b for a, b in zip(totals or [0] * persons, gains, strict=True)]
        values["match", "deals"] += 1
        if not row["last"]:
            continue
        bases["match"] += 1
        if row["winners"] is None:
            values["match", "unfinished"] += 1
        for seat, total in enumerate(totals):
            bot, won = row["bots"][seat], int(seat in (row["winners"] or ()))
            bases["bot match", bot] += 1
            values["match", ("won", seat)] += won
            values["match", ("total", seat)] += total
            values[("bot match", bot), "won"] += won
            values[("bot match", bot), "total"] += total
        totals = []
    return dict(bases), dict(values)


def of_deal(
    row: Row,
    gains: list[Fraction | int],
    high: bool,
    bases: Counter[Hashable],
    values: defaultdict[tuple[Hashable, Hashable], Fraction | int],
) -> None:
    """Adds a deal to the sums of its board."""
    persons, declarer = len(gains), row["declarer"]
    mean = Fraction(sum(gains)) / max(1, persons)
    bases["deal"] += 1
    values["deal", ("contract", row["contract"])] += 1
    values["deal", ("outcome", row["outcome"])] += 1
    for name in row["payments"]:
        values["deal", ("payment", name)] += 1
    for name, times in row["answers"].items():
        values["deal", ("answer", name)] += 1
        values["deal", ("times", name)] += times
    for question, times in row["decisions"].items():
        for one in (question, ALL):
            bases["asked", one] += times
            values["deal", ("asked", one)] += times
            values[("asked", one), "branching"] += row["branching"].get(question, 0)
            values[("asked", one), "forced"] += row["forced"].get(question, 0)
    first = (row["dealer"] if row["dealer"] is not None else -1) + 1
    for seat, (bot, gain) in enumerate(zip(row["bots"], gains, strict=True)):
        place = (seat - first) % persons
        values["deal", ("gain", place)] += gain
        values["deal", ("ahead", place)] += gain - mean
        bases["bot", bot] += 1
        values[("bot", bot), "gain"] += gain
        values[("bot", bot), "ahead"] += gain - mean
    if declarer is None or not 0 <= declarer < persons:
        return
    values["deal", ("declares", (declarer - first) % persons)] += 1
    gain = gains[declarer]
    for contract in (ALL,) if row["contract"] is None else (ALL, row["contract"]):
        bases["declared", contract] += 1
        values[("declared", contract), "won"] += int(gain > 0 if high else gain < 0)
        values[("declared", contract), "gain"] += gain


def exact(row: Row) -> list[Fraction | int]:
    """What the persons of a row gained, a dummy left out, as numbers; raises LabError."""
    persons = len(row["bots"])
    try:
        gains = [number(text) for text in row["payoffs"][:persons]]
    except (ValueError, TypeError, ZeroDivisionError):
        raise LabError(f"board {row['board']}: `payoffs` are no numbers") from None
    if len(gains) != persons or not persons:
        raise LabError(f"board {row['board']}: there are {persons} bots and {len(gains)} payoffs")
    return gains


def number(text: str) -> Fraction | int:
    """An exact number; whole ones are read faster."""
    return int(text) if text.lstrip("-").isdigit() else Fraction(text)
