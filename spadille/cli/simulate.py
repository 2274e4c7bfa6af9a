"""`spadille simulate`: many deals played on all cores, at random and compiled, or by bots with a row for each deal."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from spadille.cli.common import Failed, json_option, open_game, set_option
from spadille.cli.laboratory import bot_options, how_many, pool_of, progress, set_up, told

if TYPE_CHECKING:
    from interpreter.game import Game
    from interpreter.report import Report
    from spadille.lab.experiment import Experiment
    from spadille.lab.run import Pool


DEALS, PLAYED = 10_000, 1_000  # by default, at random and by bots


@click.command("simulate")
@click.argument("name", metavar="RULESET")
@click.option("--deals", type=click.IntRange(min=1), default=None, help=f"How many deals are played: {DEALS:,}, or {PLAYED:,} by bots.")
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
def command(name: str, deals: int | None, seed: int, workers: int | None, interpreted: bool, out: Path | None, resume: bool,
            matches: int | None, bots: str | None, duplicate: bool, address: str | None, settings: tuple[str, ...],
            as_json: bool) -> None:  # fmt: skip
    """Play deals at random and count how they end and what each seat gains.

    With `--bots` bots play. With `--out` what came of each deal is written down, for `spadille report`.
    """
    if resume and out is None:
        raise click.UsageError("`--resume` needs `--out FILE`, the file to go on with")
    if out is not None or bots is not None or duplicate or address is not None or matches is not None:
        if interpreted:
            raise click.UsageError("bots are interpreted anyway: leave out `--interpreted`")
        if out is not None and as_json:
            raise click.UsageError("`--out` writes rows, not JSON of the whole: see `spadille report FILE --json`")
        with told():
            one = set_up(name, settings, "random" if bots is None else bots, duplicate, seed, matches is not None)
            boards = how_many(deals, matches, PLAYED)
            pool = pool_of(workers, address, one, boards)
            if out is not None:
                written(one, boards, pool, out, resume)
            else:
                shown(one, boards, pool, as_json)
        return
    game = open_game(name, settings)
    report = simulated(game, deals or DEALS, seed, workers, interpreted)
    if as_json:
        import json

        click.echo(json.dumps(report.as_json(), ensure_ascii=False, indent=2))
        return
    draw(game, report)


def shown(one: Experiment, boards: int, pool: Pool, as_json: bool) -> None:
    """Runs an experiment and tells how deals end and what seats and bots gain."""
    from spadille.cli.report import summary
    from spadille.cli.tables import draw_summary

    found = summary(one, boards, pool)
    if as_json:
        import json

        click.echo(json.dumps(found.as_json(), ensure_ascii=False, indent=2))
        return
    draw_summary(found, ("contracts", "outcomes", "seats", "bots", "winners", "bot_matches", "matches", "unfinished"))


def written(one: Experiment, boards: int, pool: Pool, out: Path, resume: bool) -> None:
    """Runs an experiment and writes its rows, each board as it is done."""
    from spadille.lab.run import rows
    from spadille.lab.store import Store

    store = Store(out, one)
    finished, deals = False, 0
    done = before = store.open(resume)
    try:
        with progress(one.title, boards, one.boards) as tick:
            for chunk in rows(one, boards, pool, done):
                store.add(chunk)
                done, deals = chunk[-1]["board"] + 1, deals + len(chunk)
                tick(done)
        finished = True
    finally:
        store.close(finished)
        if not finished:
            click.echo(f"{done:,} {one.boards} are in {store.journal}; the same command with `--resume` goes on", err=True)
    earlier = f", {before:,} of them before" if before else ""
    click.echo(f"{one.title}: {done:,} {one.boards}{earlier}, {deals:,} new rows in {out}")


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
