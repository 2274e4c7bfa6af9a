"""What the rows of an experiment say: how often things happen, what seats and bots gain, how long deals are."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby
from typing import Any

from spadille.lab.experiment import LabError, Row
from spadille.lab.statistics import DOUBT, Estimate, Ratios, student

ALL = "any"  # no contract is called so in a table of its own: it is the first row


@dataclass(frozen=True, slots=True)
class Line:
    """A row of a table: what it is of, and estimates by the heads of the table."""

    name: str
    cells: tuple[Estimate, ...]


@dataclass(frozen=True, slots=True)
class Part:
    """A table: `shares` says of each column whether it is a share (else a mean)."""

    id: str
    title: str
    heads: tuple[str, ...]
    shares: tuple[bool, ...]
    lines: tuple[Line, ...]


@dataclass(frozen=True, slots=True)
class Summary:
    """All that a report shows. `plays` counts deals as often as they were played."""

    experiment: dict[str, Any]
    deals: int
    plays: int
    parts: tuple[Part, ...]
    unfair: tuple[int, ...]

    def part(self, id: str) -> Part | None:
        """A table by its id; None where there is nothing to show."""
        return next((part for part in self.parts if part.id == id), None)

    def as_json(self) -> dict[str, Any]:
        """Plain data for `json.dumps`."""
        parts = {
            part.id: {line.name: {head: cell.as_json() for head, cell in zip(part.heads, line.cells, strict=True)} for line in part.lines}
            for part in self.parts
        }
        return {"experiment": self.experiment, "deals": self.deals, "plays": self.plays, **parts, "unfair_seats": list(self.unfair)}


def summarize(head: dict[str, Any], rows: Iterable[Row]) -> Summary:
    """The summary of rows in their order; `head` is the experiment as plain data. Raises LabError when there are none."""
    high = bool(head.get("high", True))
    ratios, plays, seats = Ratios(), 0, 0
    for _, group in groupby(rows, key=lambda row: row["deal"]):
        together = list(group)
        plays += len(together)
        seats = max(seats, *(min(len(row["payoffs"]), len(row["bots"])) for row in together))
        ratios.add(*observed(together, high))
    if not plays:
        raise LabError("there are no rows to report on")
    parts = tuple(part for part in tables(ratios, head, seats) if part.lines)
    fair = next((part for part in parts if part.id == "seats"), None)
    # So many seats are looked at: each with less doubt, that all together have no more than 5 %.
    reach = student(ratios.deals - 1, DOUBT / max(1, seats))
    unfair = tuple(seat for seat, line in enumerate(fair.lines if fair else ()) if abs(line.cells[1].value) > reach * line.cells[1].error)
    return Summary(head, ratios.deals, plays, parts, unfair)


def observed(rows: list[Row], high: bool) -> tuple[dict[Hashable, int], dict[tuple[Hashable, Hashable], Fraction | int]]:
    """What one deal, played once or more, adds to the sums."""
    bases: Counter[Hashable] = Counter()
    values: defaultdict[tuple[Hashable, Hashable], Fraction | int] = defaultdict(int)
    for row in rows:
        gains = exact(row)
        mean = sum(gains, Fraction(0)) / max(1, len(gains))
        bases["play"] += 1
        bases["decision"] += row["decisions"]
        values["play", ("contract", row["contract"])] += 1
        values["play", ("outcome", row["outcome"])] += 1
        values["play", "decisions"] += row["decisions"]
        values["decision", "branching"] += row["branching"]
        values["decision", "forced"] += row["forced"]
        for name in row["payments"]:
            values["play", ("payment", name)] += 1
        for name, times in row["answers"].items():
            values["play", ("answer", name)] += 1
            values["play", ("times", name)] += times
        for seat, gain in enumerate(gains):
            values["play", ("gain", seat)] += gain
            values["play", ("ahead", seat)] += gain - mean
        for bot, gain in zip(row["bots"], gains, strict=False):
            bases["bot", bot] += 1
            values[("bot", bot), "gain"] += gain
            values[("bot", bot), "ahead"] += gain - mean
        if row["declarer"] is not None and 0 <= row["declarer"] < len(gains):
            gain = gains[row["declarer"]]
            for contract in (ALL,) if row["contract"] is None else (ALL, row["contract"]):
                bases["declared", contract] += 1
                values[("declared", contract), "won"] += int(gain > 0 if high else gain < 0)
                values[("declared", contract), "gain"] += gain
    return dict(bases), dict(values)


def exact(row: Row) -> list[Fraction]:
    """What the persons of a row gained, a dummy left out, as numbers; raises LabError."""
    try:
        return [Fraction(text) for text in row["payoffs"][: len(row["bots"])]]
    except (ValueError, TypeError, ZeroDivisionError):
        raise LabError(f"deal {row['deal']}: `payoffs` are no numbers") from None


def tables(ratios: Ratios, head: dict[str, Any], seats: int) -> Iterator[Part]:
    """The tables of a report."""
    unit = f"{head.get('unit', '')} a deal".strip()
    yield counted(ratios, "contracts", "Contracts", "contract", "thrown in")
    yield counted(ratios, "outcomes", "Outcomes", "outcome", "thrown in")
    answers = sorted({name[1] for name in named(ratios, "answer")})
    lines = [Line(word, (ratios.share("play", ("answer", word)), ratios.mean("play", ("times", word), 0))) for word in answers]
    yield Part("answers", "Bids and other answers in words", ("deals with it", "times a deal"), (True, False), by_share(lines))
    yield counted(ratios, "payments", "Payments", "payment", "")
    yield Part("declarer", "The declarer", ("gains", unit), (True, False), declared(ratios))
    lines = [Line(f"seat {s}", (ratios.mean("play", ("gain", s)), ratios.mean("play", ("ahead", s)))) for s in range(seats)]
    yield Part("seats", "What each seat is worth", (unit, "above the mean of all seats"), (False, False), tuple(lines))
    bots = list(dict.fromkeys(str(bot) for bot in head.get("bots", ())))
    lines = [Line(b, (ratios.mean(("bot", b), "gain"), ratios.mean(("bot", b), "ahead"))) for b in bots if len(bots) > 1]
    yield Part("bots", "What each bot gains", (unit, "above the mean of all seats"), (False, False), tuple(lines))
    length = Line("decisions a deal", (ratios.mean("play", "decisions", 0),))
    branching = Line("answers to choose from", (ratios.mean("decision", "branching", 0),))
    yield Part("length", "Length", ("mean",), (False,), (length, branching))
    forced = Line("decisions with one answer only", (ratios.share("decision", "forced"),))
    yield Part("forced", "Forced moves", ("share",), (True,), (forced,))


def named(ratios: Ratios, kind: str) -> list[tuple[str, Any]]:
    """What was counted of a kind."""
    return [name for name in ratios.names("play") if isinstance(name, tuple) and name[0] == kind]


def counted(ratios: Ratios, id: str, title: str, kind: str, nothing: str) -> Part:
    """A table of shares of all deals played."""
    lines = [Line(nothing if name[1] is None else str(name[1]), (ratios.share("play", name),)) for name in named(ratios, kind)]
    # A game without contracts has one row that says nothing.
    empty = kind == "contract" and [line.name for line in lines] == [nothing]
    return Part(id, title, ("share of deals",), (True,), () if empty else by_share(lines))


def by_share(lines: list[Line]) -> tuple[Line, ...]:
    """The commonest first."""
    return tuple(sorted(lines, key=lambda line: (-line.cells[0].value, line.name)))


def declared(ratios: Ratios) -> tuple[Line, ...]:
    """How declarers fare, in all and by contract."""
    bases = [base for base in ratios.bases if isinstance(base, tuple) and base[0] == "declared"]
    lines = [Line(str(base[1]), (ratios.share(base, "won"), ratios.mean(base, "gain"))) for base in bases]
    first = [line for line in lines if line.name == ALL]
    return (*first, *sorted((line for line in lines if line.name != ALL), key=lambda line: (-line.cells[0].of, line.name)))
