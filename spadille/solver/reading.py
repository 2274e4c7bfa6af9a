"""Positions from outside: a record in a file, a deal written as text, answers in a row."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from interpreter.action import GameError
from interpreter.game import Game
from interpreter.match import Match
from interpreter.record import Record, RecordError
from interpreter.state import State

MOST_BYTES = 4_000_000
MOST_WORDS = 2_000


class WrongPosition(ValueError):
    """What was given is no position; the message says why."""


def read_record(path: Path) -> Record:
    """The record in a file, a saved game's too. Raises WrongPosition."""
    try:
        if path.stat().st_size > MOST_BYTES:
            raise WrongPosition(f"`{path}` is too long for a record")
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as problem:
        reason = getattr(problem, "strerror", None) or "it is no text"
        raise WrongPosition(f"`{path}` cannot be read: {str(reason).lower()}") from None
    try:
        data = json.loads(text)
        if isinstance(data, dict) and "table" in data and isinstance(data.get("record"), dict):
            text = json.dumps(data["record"])
        return Record.from_json(text)
    except RecordError as problem:
        raise WrongPosition(f"`{path}`: {problem}") from None
    except (ValueError, RecursionError):
        raise WrongPosition(f"`{path}` is no record") from None


def states_of(record: Record, game: Game) -> list[State]:
    """The states that a record goes through, the last one over or not. Raises WrongPosition."""
    try:
        return [found.state if isinstance(found, Match) else found for found in record.positions(game)]
    except RecordError as problem:
        raise WrongPosition(str(problem)) from None


def read_deal(text: str) -> dict[str, Any]:
    """A deal like `As 7h … / 2c … / Kd …; talon: 3s …`: the hands of seats 0, 1, …, and piles by name, top card first.

    Commas may stand for spaces. Raises WrongPosition.
    """
    if len(text.split()) > MOST_WORDS:
        raise WrongPosition("the deal is too long")
    first, *others = text.replace(",", " ").split(";")
    deal: dict[str, Any] = {"hands": [hand.split() for hand in first.split("/")]}
    for other in others:
        name, colon, cards = other.partition(":")
        if not colon or not name.strip():
            raise WrongPosition(f"`{other.strip()}` is no pile; write `; talon: 3s 4s`")
        if name.strip() in deal:
            raise WrongPosition(f"`{name.strip()}` is given twice")
        deal[name.strip()] = cards.split()
    return deal


def read_answers(game: Game, text: str) -> Iterator[str]:
    """The answers of a text like `entrada, pass, discard 4c Jd, done`; a verb with several cards is said once for each."""
    for part in text.split(","):
        words = part.split()
        if not words:
            raise WrongPosition("an answer is missing between commas")
        first = next((n for n, word in enumerate(words) if word in game.program.deck.by_text), len(words))
        if first == len(words):
            yield " ".join(words)
            continue
        verb = " ".join(words[:first]) or "play"
        for card in words[first:]:
            yield f"{verb} {card}"


def begin(game: Game, seed: int, deal: str | None, dealer: int | None, said: str | None) -> State:
    """The position after answers to the questions of a deal, each given by the seat that is asked. Raises WrongPosition."""
    try:
        state = game.start(seed, None if deal is None else read_deal(deal), dealer)
    except GameError as problem:
        raise WrongPosition(str(problem)) from None
    for number, answer in enumerate(read_answers(game, said) if said else (), 1):
        try:
            state = state.apply(answer)
        except GameError as problem:
            raise WrongPosition(f"answer {number}: {problem}") from None
    return state
