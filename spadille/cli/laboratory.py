"""What the commands of the laboratory share: their options, making an experiment, where it runs, errors, progress."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from spadille.cli.common import Failed, print_diagnostics, read_settings
from spadille.loading import OptionError, RulesetError, UnknownRuleset

if TYPE_CHECKING:
    from spadille.lab.experiment import Experiment
    from spadille.lab.run import Pool

QUICK = 60  # plays that are done before other processes are ready
MATCH = 12  # deals of a match, for such a guess
F = TypeVar("F", bound=Callable[..., Any])


def bot_options(function: F) -> F:
    """Adds `--matches`, `--bots`, `--duplicate`, `--cluster`."""
    matches = click.option(
        "--matches", type=click.IntRange(min=1), default=None, help="Plays so many whole matches, with all that is carried on, not deals."
    )
    bots = click.option(
        "--bots", default=None, metavar="BOT,…", help="Who plays: one bot for all seats, or one for each: random, greedy, strong."
    )
    twice = click.option("--duplicate", is_flag=True, help="Plays every deal or match once with each bot in each seat in turn.")
    where = click.option("--cluster", "address", default=None, metavar="ADDRESS", help="Runs on the cluster of a dask scheduler.")
    return matches(bots(twice(where(function))))


@contextmanager
def told() -> Iterator[None]:
    """Errors of an experiment as errors of a command: what was asked wrongly is wrong usage, what went wrong a failure."""
    from interpreter.action import GameFault
    from interpreter.lowering.compile import TooFine
    from spadille.lab.experiment import LabError, LabFailure

    try:
        yield
    except RulesetError as problem:
        if isinstance(problem, UnknownRuleset):
            raise click.UsageError(str(problem)) from None
        print_diagnostics(problem.diagnostics, sys.stderr)
        raise Failed("the ruleset cannot be played") from None
    except (LabFailure, GameFault, TooFine) as problem:
        raise Failed(str(problem)) from None
    except (OptionError, LabError) as problem:
        raise click.UsageError(str(problem)) from None


def set_up(name: str, settings: Sequence[str], bots: str | None, duplicate: bool, seed: int, matches: bool) -> Experiment:
    """An experiment; raises as `told` tells."""
    from spadille.lab.experiment import experiment

    return experiment(name, read_settings(settings), names_of(bots), duplicate, seed, matches)


def how_many(deals: int | None, matches: int | None, otherwise: int) -> int:
    """How many boards are played."""
    if deals is not None and matches is not None:
        raise click.UsageError("`--deals` and `--matches` say two things: give one of them")
    return deals or matches or otherwise


def names_of(bots: str | None) -> tuple[str, ...]:
    """The bots of a text like `greedy,random`; greedy where nothing is said."""
    return ("greedy",) if bots is None else tuple(bot.strip() for bot in bots.split(","))


def pool_of(workers: int | None, address: str | None, one: Experiment, boards: int) -> Pool:
    """Where jobs run: here if one worker is wanted or too little is to be done for more, in processes, or on a cluster."""
    from interpreter.simulation import cores
    from spadille.lab import run

    if address is not None:
        if workers is not None:
            raise click.UsageError("`--workers` is for this machine: the workers of a cluster are counted where it was started")
        return run.cluster(address)
    plays = boards * one.rotations * (MATCH if one.matches else 1)
    quick = plays <= QUICK and "strong" not in one.bots
    count = workers or (1 if quick else cores())
    return run.here if count == 1 else run.processes(count)


@contextmanager
def progress(title: str, total: int, what: str = "deals") -> Iterator[Callable[[int], None]]:
    """Counts boards on standard error, if somebody watches."""
    if not sys.stderr.isatty():
        yield lambda done: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TextColumn(what), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(title, total=total)
        yield lambda done: bar.update(task, completed=done)


def write_page(path: Path, text: Callable[[], str]) -> None:
    """Writes a page; where it cannot be, that is told before it is made."""
    try:
        new = not path.exists()
        path.open("a").close()
        try:
            path.write_text(text(), encoding="utf-8")
        except BaseException:
            if new:
                path.unlink()
            raise
    except OSError as problem:
        raise click.UsageError(f"`{path}` cannot be written: {(problem.strerror or str(problem)).lower()}") from None
