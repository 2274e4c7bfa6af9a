"""`spadille balance`: what the values of an option change, by the same deals under each."""

from __future__ import annotations

from pathlib import Path

import click

from spadille.cli.common import json_option, read_settings, set_option
from spadille.cli.laboratory import bot_options, how_many, names_of, pool_of, progress, set_up, told, write_page

DEALS = 100


@click.command("balance")
@click.argument("name", metavar="RULESET")
@click.option("--vary", "option", required=True, metavar="OPTION", help="The option whose values are tried.")
@click.option("--values", default=None, metavar="VALUE,…", help="The values to try, the first being compared with; all if not given.")
@click.option("--deals", type=click.IntRange(min=1), default=None, help=f"How many deals under each value, {DEALS} by default.")
@click.option("--seed", type=int, default=0, show_default=True, help="The same seed gives the same numbers, on any number of cores.")
@click.option("--workers", type=click.IntRange(min=1), default=None, help="Processes; one per core if not given.")
@click.option("--html", type=click.Path(dir_okay=False, path_type=Path), default=None, metavar="FILE", help="Writes a page with plots too.")
@bot_options
@set_option
@json_option
def command(name: str, option: str, values: str | None, deals: int | None, seed: int, workers: int | None, html: Path | None,
            matches: int | None, bots: str | None, duplicate: bool, address: str | None, settings: tuple[str, ...],
            as_json: bool) -> None:  # fmt: skip
    """Play the same deals under each value of an option and show what it changes.

    The first value stands with its figures, the others with the change from it, deal by deal.
    """
    wanted = [value.strip() for value in values.split(",")] if values is not None else []
    with told():
        from spadille.lab.balance import balance
        from spadille.lab.page import balance_page

        boards = how_many(deals, matches, DEALS)
        one = set_up(name, settings, bots, duplicate, seed, matches is not None)
        with progress(one.title, boards, one.boards) as tick:
            found = balance(name, option, boards, wanted, read_settings(settings), names_of(bots), duplicate, seed, matches is not None,
                            pool_of(workers, address, one, 2 * boards), lambda done, total: tick(done * boards // total))  # fmt: skip
        if html is not None:
            write_page(html, lambda: balance_page(found))
    if as_json:
        import json

        click.echo(json.dumps(found.as_json(), ensure_ascii=False, indent=2))
        return
    from spadille.cli.tables import draw_balance

    draw_balance(found)
