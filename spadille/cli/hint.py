"""`spadille hint`: what a strong bot that sees only what the seat saw thinks of the answers at one point of a saved game."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from spadille.cli.common import Failed, coloured, counted, json_option
from spadille.cli.saved import open_saved, positions_of


@click.command("hint")
@click.argument("path", metavar="RECORD", type=click.Path(path_type=Path))
@click.option("--step", type=click.IntRange(min=1), default=None, metavar="N",
              help="Asks before the answer of this number, counted from 1; if not given, for the answer that is due.")  # fmt: skip
@click.option("--seconds", type=click.FloatRange(min=0.1, max=600), default=60.0, show_default=True, help="How long the bot may think.")
@json_option
def command(path: Path, step: int | None, seconds: float, as_json: bool) -> None:
    """Give advice at one point of a saved game, from what the seat that is asked may know.

    Every answer is shown with the gain that the bot expects of it and how often it was tried.
    """
    from interpreter.match import Match
    from spadille.table.cards import CardNames
    from spadille.table.hint import plain, think, told
    from spadille.table.narration import Narrator
    from spadille.table.screen import Screen

    saved, game = open_saved(path)
    positions = positions_of(saved, game, path)
    count = len(saved.record.actions)
    if step is not None and step > count + 1:
        raise click.UsageError(f"the record has only {counted(count, 'answer')}")
    decision = count if step is None else step - 1
    position = positions[decision]
    state = position.state if isinstance(position, Match) else position
    if state.seat is None:
        raise Failed("nothing is asked at the end of this record; name an answer with `--step N`")
    view = state.view(state.seat)
    hint = think(game, view, saved.record.seed, decision, seconds)
    given = saved.record.actions[decision] if decision < count else None
    teller = Narrator(game, CardNames(game.program, None, coloured(sys.stdout)))
    if as_json:
        import json

        click.echo(json.dumps(plain(hint, teller.unit) | {"answered": given}, ensure_ascii=False, indent=2))
        return
    lines = [line for line in Screen(teller).question(view) if line] + told(hint, teller, view)
    for line in lines if given is None else [*lines, f"answered: {given}"]:
        click.echo(line, color=coloured(sys.stdout))
