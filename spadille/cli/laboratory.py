"""What the commands of the laboratory share: their options, making an experiment, running it, tables."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from math import isfinite
from typing import TYPE_CHECKING, Any, TypeVar

import click

from spadille.cli.common import Failed, print_diagnostics, read_settings
from spadille.loading import OptionError, RulesetError, UnknownRuleset

if TYPE_CHECKING:
    from spadille.lab.experiment import Experiment
    from spadille.lab.run import Pool
    from spadille.lab.statistics import Estimate
    from spadille.lab.summary import Part, Summary

QUICK = 60  # plays that are done before other processes are ready
F = TypeVar("F", bound=Callable[..., Any])


def bot_options(function: F) -> F:
    """Adds `--bots`, `--duplicate`, `--cluster`."""
    bots = click.option(
        "--bots", default=None, metavar="BOT,…", help="Who plays: one bot for all seats, or one for each: random, greedy, strong."
    )
    twice = click.option("--duplicate", is_flag=True, help="Plays every deal once with each bot in each seat in turn.")
    where = click.option("--cluster", "address", default=None, metavar="ADDRESS", help="Runs on the cluster of a dask scheduler.")
    return bots(twice(where(function)))


@contextmanager
def told() -> Iterator[None]:
    """Errors of an experiment as errors of a command."""
    from interpreter.action import GameFault
    from interpreter.lowering.compile import TooFine
    from spadille.lab.experiment import LabError

    try:
        yield
    except (UnknownRuleset, OptionError) as problem:
        raise click.UsageError(str(problem)) from None
    except RulesetError as problem:
        print_diagnostics(problem.diagnostics, sys.stderr)
        raise Failed("the ruleset cannot be played") from None
    except (LabError, GameFault, TooFine) as problem:
        raise Failed(str(problem)) from None


def set_up(name: str, settings: Sequence[str], bots: str | None, duplicate: bool, seed: int) -> Experiment:
    """An experiment; raises as `told` tells."""
    from spadille.lab.experiment import experiment

    return experiment(name, read_settings(settings), names_of(bots), duplicate, seed)


def names_of(bots: str | None) -> tuple[str, ...]:
    """The bots of a text like `greedy,random`; greedy where nothing is said."""
    return ("greedy",) if bots is None else tuple(bot.strip() for bot in bots.split(","))


def pool_of(workers: int | None, address: str | None, plays: int, bots: str | None) -> Pool:
    """Where jobs run: here if one worker is wanted or too little is to be done for more, in processes, or on a cluster."""
    from interpreter.simulation import cores
    from spadille.lab import run

    if address is not None:
        return run.cluster(address)
    quick = plays <= QUICK and "strong" not in names_of(bots)
    count = workers or (1 if quick else cores())
    return run.here if count == 1 else run.processes(count)


@contextmanager
def progress(title: str, total: int) -> Iterator[Callable[[int], None]]:
    """Counts deals on standard error, if somebody watches."""
    if not sys.stderr.isatty():
        yield lambda done: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TextColumn("deals"), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(title, total=total)
        yield lambda done: bar.update(task, completed=done)


def draw(summary: Summary) -> None:
    """A summary as tables."""
    from rich.console import Console

    head = summary.experiment
    played = f", played {summary.plays:,} times" if summary.plays != summary.deals else ""
    console = Console(highlight=False, markup=False)
    console.print(f"{head['title']}: {summary.deals:,} deals{played} with seed {head['seed']} by {', '.join(head['bots'])}; "
                  "95 % confidence intervals", soft_wrap=True)  # fmt: skip
    for part in summary.parts:
        console.print()
        draw_part(console, part)
    if summary.part("seats") is not None:
        far = [str(seat) for seat in summary.unfair]
        console.print(
            f"\nno fair share, by these deals: seat {', '.join(far)}" if far else "\nby these deals every seat may have its fair share"
        )


def draw_part(console: Any, part: Part) -> None:
    """One table."""
    from rich.box import SIMPLE_HEAD
    from rich.table import Table

    table = Table(box=SIMPLE_HEAD, show_edge=False)
    table.add_column(part.title)
    for head in part.heads:
        table.add_column(head, justify="right")
        table.add_column("", justify="right")
    for line in part.lines:
        cells: list[str] = []
        for cell, share in zip(line.cells, part.shares, strict=True):
            cells += interval(cell, share)
        table.add_row(line.name, *cells)
    console.print(table)


def interval(cell: Estimate, share: bool) -> tuple[str, str]:
    """An estimate and its interval; nothing can be said of the latter after one deal."""
    scale, digits = (100, 1) if share else (1, 2)
    reach = f"{scale * cell.low:.{digits}f} to {scale * cell.high:.{digits}f}" if isfinite(cell.high) else "unknown"
    return f"{scale * cell.value:.{digits}f}{' %' if share else ''}", reach
