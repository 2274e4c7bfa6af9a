"""`spadille simulate`: many deals played on all cores, at random and compiled, or by bots with a row for each deal."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from spadille.cli.common import Failed, json_option, open_game, set_option
from spadille.cli.laboratory import bot_options, pool_of, progress, set_up, told

if TYPE_CHECKING:
    from interpreter.game import Game
    from interpreter.report import Report


@click.command("simulate")
@click.argument("name", metavar="RULESET")
@click.option("--deals", type=click.IntRange(min=1), default=10_000, show_default=True, help="How many deals are played.")
@click.option("--seed", type=int, default=0, show_default=True, help="The same seed gives the same numbers, on any number of cores.")
@click.option("--workers", type=click.IntRange(min=1), default=None, help="Threads, or processes with bots; one per core if not given.")
@click.option("--interpreted", is_flag=True, help="Runs in plain Python, without compiling: the same numbers, slower.")
@click.option(
    "--out",
    type=click.Path(dir_okay=False, path_type=Path),
    default=None,
    metavar="FILE",
    help="Writes a row for each deal: .jsonl, or .parquet.",
)
@click.option("--resume", is_flag=True, help="Goes on with the file of a run that was stopped, or makes it longer.")
@bot_options
@set_option
@json_option
def command(name: str, deals: int, seed: int, workers: int | None, interpreted: bool, out: Path | None, resume: bool, bots: str | None,
            duplicate: bool, address: str | None, settings: tuple[str, ...], as_json: bool) -> None:  # fmt: skip
    """Play deals at random and count how they end and what each seat gains.

    With `--out` bots play (at random if none are named), and what came of each deal is written down, for `spadille report`.
    """
    if out is not None:
        if interpreted or as_json:
            raise click.UsageError("`--out` goes with neither `--interpreted` nor `--json`")
        written(name, deals, seed, workers, out, resume, bots or "random", duplicate, address, settings)
        return
    if resume or bots or duplicate or address:
        given = "--resume" if resume else "--bots" if bots else "--duplicate" if duplicate else "--cluster"
        raise click.UsageError(f"`{given}` needs `--out FILE`, where the rows of deals are written; see also `spadille report`")
    game = open_game(name, settings)
    report = simulated(game, deals, seed, workers, interpreted)
    if as_json:
        import json

        click.echo(json.dumps(report.as_json(), ensure_ascii=False, indent=2))
        return
    draw(game, report)


def written(name: str, deals: int, seed: int, workers: int | None, out: Path, resume: bool, bots: str, duplicate: bool,
            address: str | None, settings: tuple[str, ...]) -> None:  # fmt: skip
    """Runs an experiment and writes its rows, each deal as it is done."""
    with told():
        from spadille.lab.run import rows
        from spadille.lab.store import Store

        one = set_up(name, settings, bots, duplicate, seed)
        store = Store(out, one)
        finished = False
        done = before = store.open(resume)
        try:
            with progress(one.title, deals) as tick:
                for chunk in rows(one, deals, pool_of(workers, address, (deals - done) * one.rotations, bots), done):
                    store.add(chunk)
                    done = chunk[-1]["deal"] + 1
                    tick(done)
            finished = True
        finally:
            store.close(finished)
    earlier = f", {before:,} of them before" if before else ""
    click.echo(f"{one.title}: {done:,} deals{earlier}, {done * one.rotations:,} rows in {out}")


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
