"""`spadille review`: what the solver says of each card of a deal that was played."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from spadille.cli.common import Failed, json_option, open_game
from spadille.cli.solve import amount, read_sides, seats_text

if TYPE_CHECKING:
    from interpreter.game import Game
    from interpreter.state import State
    from spadille.solver.review import Remark, Review


@click.command("review")
@click.argument("path", metavar="RECORD", type=click.Path(path_type=Path))
@click.option("--deal", "number", type=click.IntRange(min=1), default=1, show_default=True, help="Which deal of a match.")
@click.option("--value", default=None, metavar="WHAT", help="What is sought: tricks, points or payoff; card points if cards have a worth.")
@click.option("--side", type=click.IntRange(min=0), default=None, metavar="SEAT", help="Whose value is shown: the side of this seat.")
@click.option("--sides", default=None, metavar="SEATS", help="Who plays with whom: `0+2 1+3`.")
@click.option("--nodes", type=click.IntRange(min=1), default=None, help="Positions after which the search of one card gives up.")
@json_option
def command(path: Path, number: int, value: str | None, side: int | None, sides: str | None, nodes: int | None, as_json: bool) -> None:
    """Tell what each card of a deal cost, with all cards open.

    Every card is held against the best one under best play of all that follow.
    """
    from spadille.solver.reading import WrongPosition, read_record, states_of
    from spadille.solver.review import review
    from spadille.solver.solve import NODES, Unsolved, WrongSides

    try:
        record = read_record(path)
        game = open_game(record.ruleset, [f"{option}={text}" for option, text in record.options.items()])
        states, answers = one_deal(states_of(record, game), record.actions, number)
        found = review(states, answers, value, side, None if sides is None else read_sides(sides), NODES if nodes is None else nodes)
    except (WrongPosition, Unsolved) as problem:
        raise Failed(str(problem)) from None
    except (WrongSides, ValueError) as problem:
        raise click.UsageError(str(problem)) from None
    if as_json:
        import json

        click.echo(json.dumps(plain(found), ensure_ascii=False, indent=2))
        return
    for line in told(game, found):
        click.echo(line)


def one_deal(states: list[State], answers: tuple[str, ...], number: int) -> tuple[list[State], list[str]]:
    """The states of one deal of a record, and the answers given in them."""
    deals: list[list[int]] = [[]]
    for at, state in enumerate(states[: len(answers)]):
        counted = state.world.named("deal_number")
        if deals[-1] and counted != states[deals[-1][-1]].world.named("deal_number"):
            deals.append([])
        deals[-1].append(at)
    if number > len(deals):
        raise click.UsageError(f"the record has only {len(deals)} deal{'s' * (len(deals) != 1)}")
    return [states[at] for at in deals[number - 1]], [answers[at] for at in deals[number - 1]]


def told(game: Game, found: Review) -> list[str]:
    """The review in lines."""
    lines = [f"{game.title}: {amount(game, found.what, 0).partition(' ')[2]} of {seats_text(found.side)} under best play after each card"]
    for remark in found.remarks:
        card = f"{remark.number:3d}. seat {remark.seat} {remark.action!s:10}"
        if remark.value is None:
            lines.append(f"{card} no value found")
            continue
        cost = f"  costs {remark.loss}; {' or '.join(str(one).removeprefix('play ') for one in remark.better)}" if remark.loss else ""
        lines.append(f"{card} {remark.value!s:>5}{cost}")
    lines.append("lost in all: " + ", ".join(f"seat {seat} {loss}" for seat, loss in enumerate(found.losses)))
    return lines


def plain(found: Review) -> dict[str, Any]:
    """The review as JSON has it; numbers that are not whole are texts."""

    def number(value: Any) -> Any:
        return value if value is None or isinstance(value, int) else str(value)

    def row(remark: Remark) -> dict[str, Any]:
        return {
            "number": remark.number,
            "seat": remark.seat,
            "action": str(remark.action),
            "value": number(remark.value),
            "best": number(remark.best),
            "loss": number(remark.loss),
            "better": [str(action) for action in remark.better],
        }

    return {
        "what": found.what,
        "side": sorted(found.side),
        "sides": [sorted(party) for party in found.sides],
        "cards": [row(remark) for remark in found.remarks],
        "losses": [number(loss) for loss in found.losses],
    }
