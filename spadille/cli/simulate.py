"""`spadille simulate`: many deals played at random, on all cores."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from spadille.cli.common import Failed, json_option, open_game, set_option

if TYPE_CHECKING:
    from interpreter.game import Game
    from interpreter.report import Report


@click.command("simulate")
@click.argument("name", metavar="RULESET")
@click.option("--deals", type=click.IntRange(min=1), default=10_000, show_default=True, help="How many deals are played.")
@click.option("--seed", type=int, default=0, show_default=True, help="The same seed gives the same numbers, on any number of cores.")
@click.option("--workers", type=click.IntRange(min=1), default=None, help="Threads; one per core if not given.")
@click.option("--interpreted", is_flag=True, help="Runs in plain Python, without compiling: the same numbers, slower.")
@set_option
@json_option
def command(name: str, deals: int, seed: int, workers: int | None, interpreted: bool, settings: tuple[str, ...], as_json: bool) -> None:
    """Play deals at random and count how they end and what each seat gains."""
    game = open_game(name, settings)
    report = simulated(game, deals, seed, workers, interpreted)
    if as_json:
        import json

        click.echo(json.dumps(report.as_json(), ensure_ascii=False, indent=2))
        return
    draw(game, report)


def simulated(game: Game, deals: int, seed: int, workers: int | None, interpreted: bool) -> Report:
    """Runs the simulation, with a progress bar if somebody watches."""
    from interpreter.action import GameFault
    from interpreter.simulation import simulate

    mode = "interpreted" if interpreted else "compiled"
    try:
        if not sys.stderr.isatty():
            return simulate(game, deals, seed, workers=workers, mode=mode, tell=tell)  # type: ignore[arg-type]
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

        columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TextColumn("deals"), TimeRemainingColumn())
        with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
            task = bar.add_task(game.title, total=deals)
            return simulate(game, deals, seed, workers=workers, mode=mode,  # type: ignore[arg-type]
                            progress=lambda done, total: bar.update(task, completed=done), tell=bar.console.print)  # fmt: skip
    except GameFault as problem:
        raise Failed(str(problem)) from None


def tell(message: str) -> None:
    """A line about what takes long, apart from the results."""
    click.echo(message, err=True)


def draw(game: Game, report: Report) -> None:
    """The report as tables."""
    from rich.box import SIMPLE_HEAD
    from rich.console import Console
    from rich.table import Table

    console = Console(highlight=False, markup=False)
    console.print(f"{game.title}: {report.deals:,} deals with seed {report.seed}, {report.matches:,} whole matches, "
                  f"{report.decisions:,} decisions ({report.decisions_per_deal:.1f} a deal) in {report.seconds:.2f} s: "
                  f"{round(report.speed):,} decisions per second", soft_wrap=True)  # fmt: skip
    endings = Table(box=SIMPLE_HEAD, show_edge=False)
    contracts = bool(game.program.contracts)
    for title in (["contract"] if contracts else []) + ["outcome"]:
        endings.add_column(title)
    for title in ("deals", "share"):
        endings.add_column(title, justify="right")
    for ending in report.endings:
        cells = ([ending.contract or "–"] if contracts else []) + [ending.outcome or "thrown in"]
        endings.add_row(*cells, f"{ending.deals:,}", f"{100 * ending.rate:.2f} %")
    console.print(endings)
    gains = Table(box=SIMPLE_HEAD, show_edge=False)
    gains.add_column("seat")
    for title in (f"{report.unit} a deal".strip(), "standard error", "least", "most"):
        gains.add_column(title, justify="right")
    for gain in report.gains:
        gains.add_row(str(gain.seat), f"{float(gain.mean):+.4f}", f"{gain.error:.4f}", str(gain.least), str(gain.most))
    console.print(gains)
