"""What commands share that read a saved game or a bare record."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from spadille.cli.common import Failed, open_game

if TYPE_CHECKING:
    from interpreter.game import Game
    from interpreter.match import Match
    from interpreter.state import State
    from spadille.table.saved import Saved


def open_saved(path: Path, name: str | None = None) -> tuple[Saved, Game]:
    """A saved game and its ruleset, by another name if one is given, with the options it was played with."""
    from interpreter.record import RecordError
    from spadille.table.saved import SaveError, read_saved

    try:
        saved = read_saved(path)
    except (SaveError, RecordError) as problem:
        raise Failed(f"`{path}`: {problem}" if isinstance(problem, RecordError) else str(problem)) from None
    return saved, open_game(name or saved.name, [f"{option}={value}" for option, value in saved.record.options.items()])


def positions_of(saved: Saved, game: Game, path: Path) -> list[State | Match]:
    """The positions that a saved game went through, the start first."""
    from interpreter.record import RecordError

    try:
        return list(saved.record.positions(game))
    except RecordError as problem:
        raise Failed(f"`{path}`: {problem}") from None
