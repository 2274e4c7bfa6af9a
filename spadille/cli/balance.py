"""`spadille balance`: what the values of an option change, by the same deals under each."""

from __future__ import annotations

from math import isfinite
from typing import TYPE_CHECKING

import click

from spadille.cli.common import json_option, read_settings, set_option
from spadille.cli.laboratory import bot_options, names_of, pool_of, progress, told

if TYPE_CHECKING:
    from spadille.lab.balance import Balance, Effect

DEALS = 100


@click.command("balance")
@click.argument("name", metavar="RULESET")
@click.option("--vary", "option", required=True, metavar="OPTION", help="The option whose values are tried.")
@click.option("--values", default=None, metavar="VALUE,…", help="The values to try, the first being compared with; all if not given.")
@click.option("--deals", type=click.IntRange(min=1), default=DEALS, show_default=True, help="How many deals are played under each value.")
@click.option("--seed", type=int, default=0, show_default=True, help="The same seed gives the same numbers, on any number of cores.")
@click.option("--workers", type=click.IntRange(min=1), default=None, help="Processes; one per core if not given.")
@bot_options
@set_option
@json_option
def command(name: str, option: str, values: str | None, deals: int, seed: int, workers: int | None, bots: str | None, duplicate: bool,
            address: str | None, settings: tuple[str, ...], as_json: bool) -> None:  # fmt: skip
    """Play the same deals under each value of an option and show what it changes.

    The first value stands with its figures, the others with the change from it, deal by deal.
    """
    wanted = [value.strip() for value in values.split(",")] if values is not None else []
    with told():
        from spadille.lab.balance import balance

        with progress(name, deals) as tick:
            found = balance(name, option, deals, wanted, read_settings(settings), names_of(bots), duplicate, seed,
                            pool_of(workers, address, 2 * deals, bots), lambda done, total: tick(done * deals // total))  # fmt: skip
    if as_json:
        import json

        click.echo(json.dumps(found.as_json(), ensure_ascii=False, indent=2))
        return
    draw(found)


def draw(found: Balance) -> None:
    """The effects as a table, a value in each column; a star marks what chance alone would hardly do."""
    from rich.box import SIMPLE_HEAD
    from rich.console import Console
    from rich.table import Table

    console = Console(highlight=False, markup=False)
    one = found.experiment
    console.print(f"{one.title}: the same {found.deals:,} deals under each value of {found.option}, seed {one.seed}, "
                  f"by {', '.join(one.bots)}; changes with standard errors", soft_wrap=True)  # fmt: skip
    table = Table(box=SIMPLE_HEAD, show_edge=False)
    table.add_column(found.option)
    for value in found.values:
        table.add_column(value, justify="right")
    for effects in zip(*found.values.values(), strict=True):
        table.add_row(effects[0].measure, *map(cell, effects))
    console.print(table)
    console.print("* the 95 % confidence interval of the change leaves out 0")


def cell(effect: Effect) -> str:
    """A figure, or a change with its standard error."""
    change = effect.change
    if change is None:
        return f"{effect.mean.value:.3f}"
    if not isfinite(change.error):
        return f"{change.value:+.3f}"
    star = "*" if change.low > 0 or change.high < 0 else " "
    return f"{change.value:+.3f} ± {change.error:.3f}{star}"
