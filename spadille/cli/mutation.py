"""The part of `spadille test` that changes rulesets and sees whether their cases notice."""

from __future__ import annotations

import sys
from collections.abc import Iterable

import click

from spadille.mutation.score import Score, Scoring


def scored(names: Iterable[str], limit: int, seed: int, jobs: int) -> list[Score]:
    """The score of each ruleset, with a progress bar if somebody watches."""
    scores = []
    for name in names:
        scoring = Scoring(name, limit, seed)
        if not sys.stderr.isatty():
            for _ in scoring.run(jobs):
                pass
        else:
            from rich.console import Console
            from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

            columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TextColumn("mutants"), TimeRemainingColumn())
            with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
                task = bar.add_task(name, total=len(scoring.numbers))
                for done in scoring.run(jobs):
                    bar.update(task, completed=done)
        scores.append(scoring.score)
    return scores


def told(scores: list[Score], seed: int) -> None:
    """The scores as a table."""
    from rich.console import Console

    from spadille.mutation.report import draw

    click.echo()
    draw(Console(highlight=False, markup=False), scores, seed)
