"""Everything about one answer of a record: why it was allowed, what it won, how the deal ended by it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from interpreter.action import Action, UnknownAction
from interpreter.game import Game
from interpreter.match import Match
from interpreter.record import Record
from interpreter.state import State, said
from spadille.reasons.facts import Line
from spadille.reasons.legal import why_answer
from spadille.reasons.result import why_outcome, why_payments
from spadille.reasons.stops import stops_of
from spadille.reasons.tricks import why_won

PLAY = "play"


class NoStep(ValueError):
    """The record has no such answer, or the answer asked about does not exist; the message is for people."""


@dataclass(frozen=True, slots=True)
class Section:
    """A part of an explanation."""

    about: str
    lines: tuple[Line, ...]


@dataclass(frozen=True, slots=True)
class Why:
    """An answer of a record by its number (from 1), who gave it, and the parts of its explanation."""

    number: int
    seat: int
    action: str
    sections: tuple[Section, ...]


def answers_of(record: Record, game: Game, seat: int | None = None) -> Iterator[tuple[int, int, str]]:
    """The answers of a record: number, seat and text, as a seat heard them. Raises RecordError."""
    before: State | None = None
    for number, position in enumerate(record.positions(game)):
        if before is not None:
            yield number, before.seat or 0, heard(before, game.parse(record.actions[number - 1]), seat)
        before = state_of(position)


def heard(before: State, action: Action, seat: int | None) -> str:
    """An answer as a seat heard it: of a card put face down it knows only that there was one."""
    if seat is None or seat == before.seat:
        return str(action)
    event = said(before.game, before.seat or 0, action, before.apply(action).news).for_seat(seat)
    return str(action) if event.cards or not event.count else f"{event.word} a card"


def state_of(position: State | Match) -> State:
    """The state of a deal, alone or in its match."""
    return position.state if isinstance(position, Match) else position


def why_step(record: Record, game: Game, number: int, seat: int | None = None, instead: str | None = None) -> Why:
    """Explains the answer of a number (from 1) to a seat, or to somebody who sees all; `instead` is another answer to ask about.

    `game` is a traced game of the record's ruleset. Raises NoStep and RecordError.
    """
    count = len(record.actions)
    if not 1 <= number <= count:
        raise NoStep(f"there is no answer {number}: the record has {count}" if count else "the record has no answers")
    before = next(state_of(position) for place, position in enumerate(record.positions(game)) if place == number - 1)
    action = game.parse(record.actions[number - 1])
    assert before.seat is not None
    if instead is not None:
        try:
            other = game.parse(instead)
        except UnknownAction as problem:
            raise NoStep(str(problem)) from None
        section = Section("the answer asked about", why_answer(before, other, seat))
        return Why(number, before.seat, heard(before, action, seat), (section,))
    return Why(number, before.seat, heard(before, action, seat), tuple(sections_of(game, before, action, seat)))


def sections_of(game: Game, before: State, action: Action, seat: int | None = None) -> Iterator[Section]:
    """The parts of the explanation of an answer to a state of a traced game."""
    program = game.program
    yield Section("the answer", why_answer(before, action, seat))
    stops, events = stops_of(game, before, action)
    for event in events:
        if event.kind == "trick" and event.seat is not None and action.card is not None and before.question.about == PLAY:
            played = [*before.world.row(program.pile("trick"), None), action.card]
            yield Section(
                "the trick", tuple(why_won(program, before.world, played, [*before.world.trick_seats(), before.world.turn()], event.seat))
            )
    outcome = tuple(why_outcome(program, stops, seat))
    if outcome:
        yield Section("the outcome", outcome)
    payments = tuple(why_payments(program, stops, seat))
    if payments:
        yield Section("the payments", payments)


def plain(why: Why) -> dict[str, Any]:
    """An explanation as plain data."""
    return {
        "answer": why.number,
        "seat": why.seat,
        "action": why.action,
        "sections": [
            {
                "about": section.about,
                "lines": [
                    {"text": line.text, "depth": line.depth, "file": line.span.source.name if line.span else None,
                     "line": line.span.line if line.span else None}
                    for line in section.lines
                ],
            }
            for section in why.sections
        ],
    }  # fmt: skip
