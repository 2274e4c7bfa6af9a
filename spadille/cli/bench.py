"""`spadille bench`: how fast this machine plays."""

from __future__ import annotations

import time
from statistics import median
from typing import TYPE_CHECKING, Any, Literal

import click

from spadille.cli.common import Failed, json_option, open_game, set_option
from spadille.cli.simulate import tell
from spadille.loading import ruleset_ids

if TYPE_CHECKING:
    from interpreter.game import Game

ROUNDS = 3
FIRST = {"compiled": 2_000, "interpreted": 20}


@click.command("bench")
@click.argument("names", nargs=-1, metavar="[RULESET]...")
@click.option("--seconds", type=click.FloatRange(min=0.01, max=600), default=1.0, show_default=True, help="CPU time for each measurement.")
@click.option("--interpreted", is_flag=True, help="Measures plain Python alone.")
@set_option
@json_option
def command(names: tuple[str, ...], seconds: float, interpreted: bool, settings: tuple[str, ...], as_json: bool) -> None:
    """Measure random play on one core: decisions per second of CPU time, deal and auction included."""
    # All are loaded first, so that a ruleset in error is told before anything is measured.
    games = [open_game(name, settings) for name in names or ruleset_ids()]
    rows = [measured(game, seconds, interpreted) for game in games]
    if as_json:
        import json

        click.echo(json.dumps(rows, indent=2))
        return
    width = max(len(row["ruleset"]) for row in rows)
    click.echo(f"{'':{width}}  {'compiled':>14}  {'interpreted':>14}   decisions per second, one core, median of {ROUNDS}")
    for row in rows:
        cells = [f"{round(row[mode]):,}" if row[mode] else "–" for mode in ("compiled", "interpreted")]
        click.echo(f"{row['ruleset']:{width}}  {cells[0]:>14}  {cells[1]:>14}")


def measured(game: Game, seconds: float, interpreted: bool) -> dict[str, Any]:
    """The rates of a game; the compiled one is None if it was not asked for."""
    from interpreter.action import GameFault

    try:
        return {
            "ruleset": game.id,
            "hash": game.hash,
            "compiled": None if interpreted else rate(game, "compiled", seconds),
            "interpreted": rate(game, "interpreted", seconds),
        }
    except GameFault as problem:
        raise Failed(str(problem)) from None


def rate(game: Game, mode: Literal["compiled", "interpreted"], seconds: float) -> float:
    """Decisions per second of CPU time, median of three rounds; what is compiled is compiled before."""
    from interpreter.simulation import simulate

    deals = FIRST[mode]
    rates: list[float] = []
    simulate(game, 1, 0, workers=1, mode=mode, tell=tell)
    while len(rates) < ROUNDS:
        began = time.process_time()
        report = simulate(game, deals, len(rates), workers=1, mode=mode)
        spent = time.process_time() - began
        if spent < seconds / ROUNDS / 2 and not rates:
            deals = int(deals * max(2.0, min(50.0, seconds / ROUNDS / max(spent, 1e-4))))
            continue
        rates.append(report.decisions / spent)
    return median(rates)
