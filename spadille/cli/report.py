"""`spadille report`: what deals played by bots say of a ruleset, or how far two runs are apart."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from spadille.cli.common import json_option, read_settings, set_option
from spadille.cli.laboratory import bot_options, how_many, names_of, pool_of, progress, set_up, told, write_page
from spadille.loading import ruleset_ids

if TYPE_CHECKING:
    from spadille.lab.compare import Comparison
    from spadille.lab.experiment import Experiment, Row
    from spadille.lab.run import Pool
    from spadille.lab.summary import Summary

DEALS = 200


@click.command("report")
@click.argument("name", metavar="RULESET|FILE")
@click.argument("other", metavar="[FILE]", required=False)
@click.option("--deals", type=click.IntRange(min=1), default=None, help=f"How many deals are played for a ruleset, {DEALS} by default.")
@click.option("--seed", type=int, default=None, help="The same seed gives the same numbers, on any number of cores.")
@click.option("--workers", type=click.IntRange(min=1), default=None, help="Processes; one per core if not given.")
@click.option("--html", type=click.Path(dir_okay=False, path_type=Path), default=None, metavar="FILE", help="Writes a page with plots too.")
@click.option("--against", multiple=True, metavar="OPTION=VALUE", help="Compares with the same deals under another setting.")
@bot_options
@set_option
@json_option
def command(name: str, other: str | None, deals: int | None, seed: int | None, workers: int | None, html: Path | None,
            against: tuple[str, ...], matches: int | None, bots: str | None, duplicate: bool, address: str | None,
            settings: tuple[str, ...], as_json: bool) -> None:  # fmt: skip
    """Tell how often things happen, what each seat is worth and how declarers fare.

    A ruleset is played by bots, greedy ones if nothing is said; a file has the rows of `spadille simulate --out`. Two files
    are compared: how far the second is from the first.
    """
    with told():
        files = [Path(one) for one in (name, other) if one is not None and is_file(one)]
        if other is not None and len(files) < 2:
            raise click.UsageError("two files of rows are compared; a ruleset is compared with itself by `--against OPTION=VALUE`")
        if files and any((deals, seed is not None, workers, bots is not None, duplicate, address is not None, settings, matches, against)):
            raise click.UsageError("a file of rows was played already; only `--json` and `--html` go with it")
        found: Summary | Comparison
        if files:
            found = read(*files)
        else:
            boards = how_many(deals, matches, DEALS)
            one = set_up(name, settings, bots, duplicate, seed or 0, matches is not None)
            pool = pool_of(workers, address, one, boards)
            found = shifted(one, name, settings, against, bots, boards, pool) if against else summary(one, boards, pool)
        if html is not None:
            write_page(html, lambda: page(found))
    if as_json:
        import json

        click.echo(json.dumps(found.as_json(), ensure_ascii=False, indent=2))
        return
    draw(found)


def is_file(name: str) -> bool:
    """Whether a file of rows is meant."""
    from spadille.lab.store import SUFFIXES

    return name not in ruleset_ids() and Path(name).suffix in SUFFIXES


def read(path: Path, other: Path | None = None) -> Summary | Comparison:
    """What is said by one file of rows, or by two."""
    from spadille.lab.compare import compare
    from spadille.lab.store import open_rows
    from spadille.lab.summary import summarize

    head, rows = open_rows(path)
    if other is None:
        return summarize(head["experiment"], rows)
    second, others = open_rows(other)
    return compare((head["experiment"], rows), (second["experiment"], others))


def summary(one: Experiment, boards: int, pool: Pool) -> Summary:
    """What an experiment says, played here and now."""
    from spadille.lab.run import rows
    from spadille.lab.summary import summarize

    with progress(one.title, boards, one.boards) as tick:
        return summarize(one.as_json(), counted(rows(one, boards, pool), tick))


def counted(chunks: Iterator[list[Row]], tick: Callable[[int], None]) -> Iterator[Row]:
    """The rows of jobs one by one, their boards told as they are done."""
    for chunk in chunks:
        yield from chunk
        tick(chunk[-1]["board"] + 1)


def shifted(
    one: Experiment, name: str, settings: tuple[str, ...], against: tuple[str, ...], bots: str | None, boards: int, pool: Pool
) -> Comparison:
    """An experiment beside the same with other settings."""
    from spadille.lab.balance import side_by_side
    from spadille.lab.compare import names_of as told_apart
    from spadille.lab.experiment import LabError, experiment

    given = read_settings(settings) | read_settings(against, "--against")
    other = experiment(name, given, names_of(bots), one.duplicate, one.seed, one.matches)
    if other.hash == one.hash:
        raise LabError(f"`--against {' '.join(against)}` is how it is played anyway: name another value")
    with progress(one.title, 2 * boards, one.boards) as tick:
        names = told_apart(one.as_json(), other.as_json())
        return side_by_side((one, other), names, boards, pool, lambda done, _: tick(done))[0]


def page(found: Summary | Comparison) -> str:
    """What was found as a page."""
    from spadille.lab import page
    from spadille.lab.summary import Summary

    return page.summary_page(found) if isinstance(found, Summary) else page.comparison_page(found)


def draw(found: Summary | Comparison) -> None:
    """What was found as tables."""
    from spadille.cli.tables import draw_comparison, draw_summary
    from spadille.lab.summary import Summary

    if isinstance(found, Summary):
        draw_summary(found)
    else:
        draw_comparison(found)
