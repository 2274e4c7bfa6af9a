"""`spadille report`: what deals played by bots say of a ruleset."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from spadille.cli.common import Failed, json_option, set_option
from spadille.cli.laboratory import bot_options, draw, pool_of, progress, set_up, told
from spadille.loading import ruleset_ids

if TYPE_CHECKING:
    from spadille.lab.experiment import Row
    from spadille.lab.summary import Summary

DEALS = 200


@click.command("report")
@click.argument("name", metavar="RULESET|FILE")
@click.option("--deals", type=click.IntRange(min=1), default=None, help=f"How many deals are played for a ruleset, {DEALS} by default.")
@click.option("--seed", type=int, default=None, help="The same seed gives the same numbers, on any number of cores.")
@click.option("--workers", type=click.IntRange(min=1), default=None, help="Processes; one per core if not given.")
@click.option("--html", type=click.Path(dir_okay=False, path_type=Path), default=None, metavar="FILE", help="Writes a page with plots too.")
@bot_options
@set_option
@json_option
def command(name: str, deals: int | None, seed: int | None, workers: int | None, html: Path | None, bots: str | None, duplicate: bool,
            address: str | None, settings: tuple[str, ...], as_json: bool) -> None:  # fmt: skip
    """Tell how often things happen, what each seat is worth and how declarers fare.

    A ruleset is played by bots, greedy ones if nothing is said; a file has the rows of `spadille simulate --out`.
    """
    with told():
        from spadille.lab.run import rows
        from spadille.lab.store import SUFFIXES, open_rows
        from spadille.lab.summary import summarize

        if name not in ruleset_ids() and Path(name).suffix in SUFFIXES:
            if deals or seed is not None or workers or bots or duplicate or address or settings:
                raise click.UsageError("a file of rows was played already; only `--json` and `--html` go with it")
            head, found = open_rows(Path(name))
            summary = summarize(head["experiment"], found)
        else:
            one, count = set_up(name, settings, bots, duplicate, seed or 0), deals or DEALS
            with progress(one.title, count) as tick:
                chunks = rows(one, count, pool_of(workers, address, count * one.rotations, bots))
                summary = summarize(one.as_json(), counted(chunks, tick))
        if html is not None:
            write_page(html, summary)
    if as_json:
        import json

        click.echo(json.dumps(summary.as_json(), ensure_ascii=False, indent=2))
        return
    draw(summary)


def counted(chunks: Iterator[list[Row]], tick: Callable[[int], None]) -> Iterator[Row]:
    """The rows of jobs one by one, their deals told as they are done."""
    for chunk in chunks:
        yield from chunk
        tick(chunk[-1]["deal"] + 1)


def write_page(path: Path, summary: Summary) -> None:
    """Writes the page of a summary."""
    from spadille.lab.page import page

    text = page(summary)
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as problem:
        raise Failed(f"`{path}` cannot be written: {(problem.strerror or str(problem)).lower()}") from None
