"""`spadille solve`: the exact value of a position with all cards open, of every answer in it, and the line of best play."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from spadille.cli.common import Failed, json_option, open_game, set_option

if TYPE_CHECKING:
    from interpreter.game import Game
    from interpreter.state import State
    from spadille.solver.solve import Number, Solution

UNITS = {"tricks": ("trick", "tricks"), "points": ("card point", "card points")}


@click.command("solve")
@click.argument("name", metavar="RECORD|RULESET")
@click.option("--deal", default=None, metavar="CARDS", help="The hands of seats 0, 1, … between `/`; then piles: `; talon: 3s 4s`.")
@click.option("--seed", type=int, default=0, show_default=True, help="The cards, where none are given.")
@click.option("--dealer", type=click.IntRange(min=0), default=None, help="The seat that deals; the last one where cards are given.")
@click.option("--say", "said", default=None, metavar="ANSWERS", help="Answers up to the position: `entrada, pass, discard 4c 5c`.")
@click.option("--at", "number", type=click.IntRange(min=0), default=None, metavar="N", help="In a record: the position after N answers.")
@click.option("--value", default="payoff", show_default=True, metavar="WHAT", help="What is sought: payoff, tricks or points.")
@click.option("--side", type=click.IntRange(min=0), default=None, metavar="SEAT", help="Whose value: the side of this seat.")
@click.option("--sides", default=None, metavar="SEATS", help="Who plays with whom: `0+2 1+3`.")
@click.option("--method", default="paranoid", show_default=True, help="paranoid: all others against the side; maxn: each side for itself.")
@click.option("--nodes", type=click.IntRange(min=1), default=None, help="Positions after which the search gives up.")
@click.option("--no-line", is_flag=True, help="Leaves out the line of best play.")
@set_option
@json_option
def command(name: str, deal: str | None, seed: int, dealer: int | None, said: str | None, number: int | None, value: str,
            side: int | None, sides: str | None, method: str, nodes: int | None, no_line: bool, settings: tuple[str, ...],
            as_json: bool) -> None:  # fmt: skip
    """Solve a position with all cards open.

    Give a record, or a ruleset with a deal and the answers up to the position. Prints the exact value under best play of
    all, what every answer leads to, and a line of best play.
    """
    from spadille.solver.reading import WrongPosition
    from spadille.solver.solve import NODES, Unsolved, WrongSides, solve

    try:
        game, state = position(name, deal, seed, dealer, said, number, settings)
        parties = None if sides is None else read_sides(sides)
        solution = solve(state, value, side, parties, method, NODES if nodes is None else nodes, line=not no_line)
    except (WrongPosition, Unsolved) as problem:
        raise Failed(str(problem)) from None
    except (WrongSides, ValueError) as problem:
        raise click.UsageError(str(problem)) from None
    if as_json:
        import json

        click.echo(json.dumps(plain(solution), ensure_ascii=False, indent=2))
        return
    for line in told(game, state, solution):
        click.echo(line)


def position(name: str, deal: str | None, seed: int, dealer: int | None, said: str | None, number: int | None,
             settings: tuple[str, ...]) -> tuple[Game, State]:  # fmt: skip
    """The position that the arguments mean."""
    from spadille.solver.reading import WrongPosition, begin, read_record, states_of

    if not is_record(name):
        if number is not None:
            raise click.UsageError("`--at` belongs to a record; give the answers with `--say`")
        game = open_game(name, settings)
        return game, begin(game, seed, deal, dealer, said)
    if deal is not None or dealer is not None or said is not None or settings:
        raise click.UsageError("a record has its own deal, answers and options; leave out `--deal`, `--dealer`, `--say` and `--set`")
    record = read_record(Path(name))
    game = open_game(record.ruleset, [f"{option}={value}" for option, value in record.options.items()])
    states = states_of(record, game)
    if number is not None:
        if number >= len(states):
            raise WrongPosition(f"the record has only {len(states) - 1} answers")
        return game, states[number]
    # Of a deal that is over the play is solved from its first card.
    return game, next((s for s in states if not s.over and s.question.about == "play"), states[0]) if states[-1].over else states[-1]


def is_record(name: str) -> bool:
    """Whether a name is the path of a record rather than a ruleset."""
    return name.endswith(".json")


def read_sides(text: str) -> list[list[int]]:
    """Sides written like `0+2 1+3`."""
    try:
        return [[int(seat) for seat in side.split("+")] for side in text.split()]
    except ValueError:
        raise click.UsageError(f"`{text}` is no list of sides; write `0+2 1+3`") from None


def seats_text(seats: frozenset[int]) -> str:
    """`seat 0`, `seats 0 and 2`."""
    listed = [str(seat) for seat in sorted(seats)]
    if len(listed) == 1:
        return f"seat {listed[0]}"
    return f"seats {', '.join(listed[:-1])} and {listed[-1]}"


def amount(game: Game, what: str, value: Number) -> str:
    """A value with its unit."""
    if what == "payoff":
        score = game.program.rules.score
        return f"{value} {score.unit if score is not None else ''}".strip()
    one, many = UNITS[what]
    return f"{value} {one if value == 1 else many}"


def told(game: Game, state: State, solution: Solution) -> list[str]:
    """The solution in lines."""
    others = [party for party in solution.sides if party != solution.side]
    against = "each for itself" if solution.method == "maxn" else "against all others"
    if solution.method != "maxn" and len(others) == 1:
        against = f"against {seats_text(others[0])}"
    lines = [f"{game.title}: seat {solution.seat} is asked ({state.question.about}); {seats_text(solution.side)} {against}"]
    lines.append(f"value: {amount(game, solution.what, solution.value)}")
    if solution.method == "maxn":
        each = "; ".join(f"{seats_text(party)} {value}" for party, value in zip(solution.sides, solution.sides_values, strict=True))
        lines.append(f"every side: {each}")
    width = max(len(str(action)) for action, _ in solution.values)
    lines += [f"  {action!s:{width}}  {value!s:>4}{'  best' if value == solution.value else ''}" for action, value in solution.values]
    if solution.line:
        lines.append("line:")
        lines += [f"  {text}" for text in line_text(solution)]
    if solution.payoffs is not None:
        lines.append("payoffs after it: " + ", ".join(f"seat {seat} {gain}" for seat, gain in enumerate(solution.payoffs)))
    lines.append(f"{solution.nodes:,} positions searched ({'cards alone' if solution.by == 'cards' else 'whole states'})")
    return lines


def line_text(solution: Solution, width: int = 8) -> list[str]:
    """The line of best play, some answers a row."""
    words = [f"{step.seat}: {str(step.action).removeprefix('play ')}" for step in solution.line]
    return ["  ".join(words[k : k + width]) for k in range(0, len(words), width)]


def plain(solution: Solution) -> dict[str, Any]:
    """The solution as JSON has it; numbers that are not whole are texts."""

    def number(value: Number) -> Any:
        return value if isinstance(value, int) else str(value)

    return {
        "what": solution.what,
        "method": solution.method,
        "side": sorted(solution.side),
        "sides": [sorted(party) for party in solution.sides],
        "seat": solution.seat,
        "value": number(solution.value),
        "values": {str(action): number(value) for action, value in solution.values},
        "sides_values": [number(value) for value in solution.sides_values],
        "line": [{"seat": step.seat, "action": str(step.action)} for step in solution.line],
        "payoffs": None if solution.payoffs is None else [number(value) for value in solution.payoffs],
        "nodes": solution.nodes,
        "by": solution.by,
    }
