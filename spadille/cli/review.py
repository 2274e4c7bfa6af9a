"""`spadille review`: what the solver says of each card of a deal that was played."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from spadille.cli.common import Failed, coloured, counted, json_option
from spadille.cli.saved import open_saved, positions_of
from spadille.cli.solve import read_sides

if TYPE_CHECKING:
    from spadille.solver.review import Remark, Review


@click.command("review")
@click.argument("path", metavar="RECORD", type=click.Path(path_type=Path))
@click.option("--deal", "number", type=click.IntRange(min=1), default=1, show_default=True, help="Which deal of a match.")
@click.option("--value", default=None, metavar="WHAT",
              help="What is counted: tricks, points (of cards) or payoff; if not given, what the deal is about.")  # fmt: skip
@click.option("--side", type=click.IntRange(min=0), default=None, metavar="SEAT", help="Whose value is shown: the side of this seat.")
@click.option("--sides", default=None, metavar="SEATS", help="Who plays with whom: `0+2 1+3`.")
@click.option(
    "--nodes",
    type=click.IntRange(min=1),
    default=None,
    help="Positions after which the search of one card gives up; four times as many for all.",
)
@json_option
def command(path: Path, number: int, value: str | None, side: int | None, sides: str | None, nodes: int | None, as_json: bool) -> None:
    """Tell what each card of a deal cost, with all cards open.

    Every card is held against the best one under best play of all that follow. Early cards may have too many ways to go on; the
    review says which were not judged, and a bigger `--nodes` looks longer.
    """
    from spadille.solver.review import deals_of, review
    from spadille.solver.solve import Unsolved, WrongSides

    saved, game = open_saved(path)
    deals = deals_of(positions_of(saved, game, path), saved.record.actions)
    if number > len(deals):
        raise click.UsageError(f"the record has only {counted(len(deals), 'deal')}")
    parties = None if sides is None else read_sides(sides)
    try:
        found = review(*deals[number - 1], value, side, parties, nodes)
    except Unsolved as problem:
        raise Failed(str(problem)) from None
    except (WrongSides, ValueError) as problem:
        raise click.UsageError(str(problem)) from None
    if as_json:
        import json

        click.echo(json.dumps(plain(found), ensure_ascii=False, indent=2))
        return
    from spadille.table.cards import CardNames
    from spadille.table.judged import told
    from spadille.table.narration import Narrator

    paint = coloured(sys.stdout)
    click.echo(game.title)
    for line in told(found, Narrator(game, CardNames(game.program, None, paint))):
        click.echo(line, color=paint)


def plain(found: Review) -> dict[str, Any]:
    """The review as JSON has it; numbers that are not whole are texts."""

    def number(value: Any) -> Any:
        return value if value is None or isinstance(value, int) else str(value)

    def row(remark: Remark) -> dict[str, Any]:
        return {
            "number": remark.number,
            "trick": remark.trick,
            "seat": remark.seat,
            "action": str(remark.action),
            "side": sorted(remark.side),
            "choices": remark.choices,
            "value": number(remark.value),
            "best": number(remark.best),
            "loss": number(remark.loss),
            "good": [str(action) for action in remark.good],
            "better": [str(action) for action in remark.better],
            "reason": remark.reason,
        }

    return {
        "what": found.what,
        "side": None if found.side is None else sorted(found.side),
        "sides": [sorted(party) for party in found.sides],
        "judged": found.judged,
        "cards": [row(remark) for remark in found.remarks],
        "losses": [number(loss) for loss in found.losses],
    }
