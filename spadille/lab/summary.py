"""What the rows of an experiment say: how often things happen, what seats and bots gain, how long deals are."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby
from typing import Any, Protocol

from spadille.lab.experiment import LabError, Row, turns
from spadille.lab.observation import ALL, observed
from spadille.lab.spread import Spread, Spreads
from spadille.lab.statistics import DOUBT, Estimate, Ratios, student


@dataclass(frozen=True, slots=True)
class Line:
    """A row of a table: what it is of, and estimates by the heads of the table."""

    name: str
    cells: tuple[Estimate, ...]


@dataclass(frozen=True, slots=True)
class Part:
    """A table: `about` says what its figures are, `shares` of each column whether it is a share (else a mean)."""

    id: str
    title: str
    about: str
    heads: tuple[str, ...]
    shares: tuple[bool, ...]
    lines: tuple[Line, ...]


@dataclass(frozen=True, slots=True)
class Summary:
    """All that a report shows. `deals` counts deals as often as they were played.

    `unfair` are the seats, counted from the eldest hand, whose gains differ from the mean by more than luck explains;
    None where bots of different skill always sat in the same seats, so that nothing can be said.
    """

    experiment: dict[str, Any]
    boards: int
    deals: int
    parts: tuple[Part, ...]
    spreads: tuple[Spread, ...]
    unfair: tuple[int, ...] | None

    def part(self, id: str) -> Part | None:
        """A table by its id; None where there is nothing to show."""
        return next((part for part in self.parts if part.id == id), None)

    @property
    def played(self) -> str:
        """How much was played, by whom, in a line."""
        head = self.experiment
        boards = counted(self.boards, "match" if head.get("matches") else "deal", "matches" if head.get("matches") else "deals")
        times = turns(head["bots"]) if head.get("duplicate") else 1
        each = f", each played {times} times" if times > 1 else ""
        deals = f", {counted(self.deals, 'deal', 'deals')} in all" if self.deals != self.boards * times else ""
        return f"{boards} with seed {head.get('seed')}{each}{deals}, by {who(head['bots'])}"

    def as_json(self) -> dict[str, Any]:
        """Plain data for `json.dumps`."""
        parts = {
            part.id: {line.name: {head: cell.as_json() for head, cell in zip(part.heads, line.cells, strict=True)} for line in part.lines}
            for part in self.parts
        }
        unfair = None if self.unfair is None else list(self.unfair)
        spreads = {spread.id: spread.as_json() for spread in self.spreads}
        return {
            "experiment": self.experiment,
            "boards": self.boards,
            "deals": self.deals,
            **parts,
            "spreads": spreads,
            "unfair_seats": unfair,
        }


def who(bots: list[str]) -> str:
    """The bots by seat; one name where all are alike."""
    return str(bots[0]) if len({*bots}) == 1 else ", ".join(map(str, bots))


def counted(number: int, one: str, many: str) -> str:
    """A number with its word."""
    return f"{number:,} {one if number == 1 else many}"


def summarize(head: dict[str, Any], rows: Iterable[Row]) -> Summary:
    """The summary of rows in their order; `head` is the experiment as plain data. Raises LabError when there are none."""
    ratios, spreads = Ratios(), Spreads(head)
    for together in boards_of(rows, head):
        ratios.add(*observed(together, head))
        spreads.add(together)
    return summary_of(head, ratios, spreads.found())


def boards_of(rows: Iterable[Row], head: dict[str, Any]) -> Iterator[list[Row]]:
    """The rows board by board; one that was not played to its end, in every rotation, is left out. Raises LabError."""
    seats, rotations = len(head["bots"]), turns(head["bots"]) if head.get("duplicate") else 1
    for board, group in groupby(rows, key=lambda row: row["board"]):
        together = list(group)
        if any(len(row["bots"]) != seats for row in together):
            raise LabError(f"board {board}: there are other bots than {seats}")
        if sum(row["last"] for row in together) == rotations:
            yield together


def summary_of(head: dict[str, Any], ratios: Ratios, spreads: tuple[Spread, ...]) -> Summary:
    """The summary of what was counted; raises LabError when that is nothing."""
    deals = int(ratios.bases["deal"].x) if "deal" in ratios.bases else 0
    if not deals:
        raise LabError("there are no rows to report on")
    parts = tables(ratios, [str(bot) for bot in head["bots"]], str(head.get("unit", "")))
    fair = next((part for part in parts if part.id == "seats"), None)
    # So many seats are looked at: each with less doubt, that all together have no more than 5 %.
    seats = fair.lines if fair is not None else ()
    reach = student(ratios.boards - 1, DOUBT / max(1, len(seats)))
    unfair = tuple(seat for seat, line in enumerate(seats) if abs(line.cells[1].value) > reach * line.cells[1].error)
    told = head.get("duplicate") or len({*head["bots"]}) == 1
    return Summary(head, ratios.boards, deals, parts, spreads, unfair if told else None)


class Source(Protocol):
    """What tables are made of: ratios, or how ratios shifted."""

    def names(self, base: Hashable) -> list[Hashable]:
        """What was counted on a base."""

    def known(self) -> list[Hashable]:
        """All bases."""

    def mean(self, base: Hashable, name: Hashable, least: float = ...) -> Estimate:
        """A mean."""

    def share(self, base: Hashable, name: Hashable) -> Estimate:
        """A share."""


def tables(source: Source, bots: list[str], unit: str, others: Iterable[str] = ()) -> tuple[Part, ...]:
    """The tables of a report, with the bots by seat, and others to be told of too; those are left out that would be empty."""
    return tuple(part for part in made(source, bots, unit, list(dict.fromkeys((*bots, *others)))) if part.lines)


def made(source: Source, bots: list[str], unit: str, differ: list[str]) -> Iterator[Part]:
    """All tables."""
    gain = f"{unit} a deal".strip()
    yield shares(source, "contracts", "Contracts", "How deals are played, of all deals.", "contract", "thrown in")
    yield shares(source, "outcomes", "Outcomes", "How deals end, of all deals.", "outcome", "thrown in")
    lines = [
        Line(str(word), (source.share("deal", ("answer", word)), source.mean("deal", ("times", word), 0)))
        for word in sorted(str(name[1]) for name in named(source, "deal", "answer"))
    ]
    yield Part("answers", "Answers in words", "Bids and all else that is said: what is asked, and what is answered.",
               ("deals with it", "times a deal"), (True, False), by_question(lines))  # fmt: skip
    yield shares(source, "payments", "Payments", "Which payments are made, of all deals.", "payment", "")
    yield Part("declarer", "Declarer", "How often he gains something, and how much, by contract.",
               ("gains", gain), (True, False), declared(source))  # fmt: skip
    places = range(len(bots))
    declares = any(name[1] is not None for name in named(source, "deal", "declares"))
    lines = [
        Line(
            seat_name(place, len(bots)),
            (
                source.mean("deal", ("gain", place)),
                source.mean("deal", ("ahead", place)),
                *([source.share("deal", ("declares", place))] if declares else []),
            ),
        )
        for place in places
    ]
    yield Part("seats", "Seats", "What each is worth, counted from the dealer's neighbour, who plays first.",
               (gain, "above the mean", *(["declares"] if declares else [])), (False, False, *([True] if declares else [])),
               tuple(lines))  # fmt: skip
    lines = [Line(b, (source.mean(("bot", b), "gain"), source.mean(("bot", b), "ahead"))) for b in differ if len(differ) > 1]
    yield Part("bots", "Bots", "What each gains, whatever its seat.", (gain, "above the mean"), (False, False), tuple(lines))
    yield from of_matches(source, bots, differ, f"{unit} a match".strip())
    asked = [base[1] for base in source.known() if isinstance(base, tuple) and base[0] == "asked"]
    questions = [ALL, *sorted(str(one) for one in asked if one != ALL)]
    lines = [
        Line(
            question,
            (
                source.mean("deal", ("asked", question), 0),
                source.mean(("asked", question), "branching", 0),
                source.share(("asked", question), "forced"),
            ),
        )
        for question in questions
        if ("asked", question) in source.known()
    ]
    yield Part("decisions", "Decisions", "How many there are, how many answers are allowed on average, how often only one is.",
               ("in a deal", "choices", "forced"), (False, False, True), tuple(lines))  # fmt: skip


def of_matches(source: Source, bots: list[str], differ: list[str], unit: str) -> Iterator[Part]:
    """The tables about whole matches."""
    if "match" not in source.known():
        return
    lines = [Line("deals a match", (source.mean("match", "deals", 0),))]
    yield Part("matches", "Matches", "How long they are.", ("mean",), (False,), tuple(lines))
    if source.names("match").count("unfinished"):
        lines = [Line("given up unfinished", (source.share("match", "unfinished"),))]
        yield Part(
            "unfinished",
            "Matches without an end",
            "They are given up after a thousand deals.",
            ("share of matches",),
            (True,),
            tuple(lines),
        )
    lines = [Line(f"seat {s}", (source.share("match", ("won", s)), source.mean("match", ("total", s)))) for s in range(len(bots))]
    yield Part("winners", "Matches won, by seat", "Alone or with others; the last seat deals first.",
               ("wins", unit), (True, False), tuple(lines))  # fmt: skip
    lines = [Line(b, (source.share(("bot match", b), "won"), source.mean(("bot match", b), "total"))) for b in differ if len(differ) > 1]
    yield Part("bot_matches", "Matches won, by bot", "Alone or with others.", ("wins", unit), (True, False), tuple(lines))


def seat_name(place: int, seats: int) -> str:
    """A seat by its number; the first and the last have a name at every table."""
    return f"seat {place}" + (" (eldest)" if place == 0 else " (dealer)" if place == seats - 1 else "")


def named(source: Source, base: Hashable, kind: str) -> list[tuple[str, Any]]:
    """What was counted of a kind."""
    return [name for name in source.names(base) if isinstance(name, tuple) and name[0] == kind]


def shares(source: Source, id: str, title: str, about: str, kind: str, nothing: str) -> Part:
    """A table of shares of all deals played."""
    lines = [Line(nothing if name[1] is None else str(name[1]), (source.share("deal", name),)) for name in named(source, "deal", kind)]
    # A game without contracts has one row that says nothing.
    empty = kind == "contract" and [line.name for line in lines] == [nothing]
    return Part(id, title, about, ("share of deals",), (True,), () if empty else by_share(lines))


def by_share(lines: list[Line]) -> tuple[Line, ...]:
    """The commonest first."""
    return tuple(sorted(lines, key=lambda line: (-line.cells[0].value, line.name)))


def by_question(lines: list[Line]) -> tuple[Line, ...]:
    """Answers to the same question together, the question that is asked in the most deals first, the commonest answer first."""
    often: dict[str, float] = {}
    for line in lines:
        question = line.name.partition(": ")[0]
        often[question] = max(often.get(question, 0.0), line.cells[0].value)

    def place(line: Line) -> tuple[float, str, float, str]:
        question = line.name.partition(": ")[0]
        return -often[question], question, -line.cells[0].value, line.name

    return tuple(sorted(lines, key=place))


def declared(source: Source) -> tuple[Line, ...]:
    """How declarers fare, in all and by contract."""
    bases = [base for base in source.known() if isinstance(base, tuple) and base[0] == "declared"]
    lines = [Line(str(base[1]), (source.share(base, "won"), source.mean(base, "gain"))) for base in bases]
    first = [line for line in lines if line.name == ALL]
    return (*first, *sorted((line for line in lines if line.name != ALL), key=lambda line: (-line.cells[0].of, line.name)))
