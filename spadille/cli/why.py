"""`spadille why`: what the rules had to do with an answer of a recorded game."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from spadille.cli.common import Failed, json_option, print_diagnostics
from spadille.loading import OptionError, RulesetError, UnknownRuleset, load_traced

if TYPE_CHECKING:
    from interpreter.game import Game
    from spadille.reasons.step import Why
    from spadille.table.saved import Saved

LEAST_WIDTH, MOST_WIDTH = 60, 120


@click.command("why")
@click.argument("file", metavar="RECORD", type=click.Path(dir_okay=False, path_type=Path))
@click.argument("step", required=False, metavar="[STEP]")
@click.option("--action", "instead", default=None, metavar="ANSWER", help="Asks about another answer to the same question.")
@click.option(
    "--seat", type=click.IntRange(min=0), default=None, help="Tells only what this seat may know; without it all cards are shown."
)
@json_option
def command(file: Path, step: str | None, instead: str | None, seat: int | None, as_json: bool) -> None:
    """Explain an answer of a saved game: why it was allowed, why it won the trick, why the deal ended as it did and what was paid.

    STEP is the number of the answer, counted from 1, or `last`. Without STEP the answers are listed with their numbers.
    """
    from interpreter.record import RecordError
    from spadille.reasons.step import NoStep, answers_of, plain, why_step
    from spadille.table.saved import SaveError, read_saved

    try:
        saved = read_saved(file)
        game = traced(saved)
        if seat is not None and seat >= game.players:
            raise click.UsageError(f"there is no seat {seat}: seats are 0 to {game.players - 1}")
        if step is None:
            listed(list(answers_of(saved.record, game, seat)), as_json)
            return
        why = why_step(saved.record, game, number_of(step, len(saved.record.actions)), seat, instead)
    except NoStep as problem:
        raise click.UsageError(str(problem)) from None
    except (SaveError, RecordError) as problem:
        raise Failed(str(problem)) from None
    if as_json:
        import json

        click.echo(json.dumps(plain(why), ensure_ascii=False, indent=2))
    else:
        draw(why)


def traced(saved: Saved) -> Game:
    """The game of a record, with its options, ready to be traced."""
    try:
        return load_traced(saved.name, saved.record.options)
    except (UnknownRuleset, OptionError) as problem:
        raise Failed(str(problem)) from None
    except RulesetError as problem:
        print_diagnostics(problem.diagnostics, sys.stderr)
        raise Failed(f"`{saved.name}` cannot be played") from None


def number_of(step: str, count: int) -> int:
    """The number of an answer."""
    if step == "last":
        return count
    if not step.isascii() or not step.isdigit() or len(step) > 9:
        raise click.UsageError(f"`{step}` is no answer: give its number, or `last`")
    return int(step)


def listed(answers: list[tuple[int, int, str]], as_json: bool) -> None:
    """The answers with their numbers."""
    if as_json:
        import json

        click.echo(
            json.dumps([{"answer": number, "seat": seat, "action": text} for number, seat, text in answers], ensure_ascii=False, indent=2)
        )
        return
    for number, seat, text in answers:
        click.echo(f"{number:4d}  seat {seat}: {text}")


def draw(why: Why) -> None:
    """The explanation, places at the right where there is room."""
    width = min(max(shutil.get_terminal_size().columns, LEAST_WIDTH), MOST_WIDTH)
    click.echo(click.style(f"answer {why.number}: seat {why.seat}: {why.action}", bold=True))
    for section in why.sections:
        click.echo()
        for line in section.lines:
            text = "  " * line.depth + line.text
            gap = width - len(text) - len(line.place)
            click.echo(text if not line.place else text + " " * gap + line.place if gap > 1 else f"{text}  [{line.place}]")
