"""Cases of numbers: `score` runs outcomes and payments without the play, `value` evaluates an expression."""

from __future__ import annotations

from dsl.source import Mapping
from interpreter.game import Game
from spadille.casefile.expectations import check_expected, expression, worked_out
from spadille.casefile.facts import text_of
from spadille.casefile.position import Position
from spadille.casefile.result import Checks
from spadille.casefile.words import agree

SCORE = "score"


def run_score(game: Game, body: Mapping, checks: Checks) -> None:
    """Outcome, payments and accounts when the play ended as it is given."""
    here = Position(game)
    here.give(body.get("given"))
    state = here.run_from(game.image.entries[SCORE])
    check_expected(state, body.get("expect"), checks)


def run_value(game: Game, body: Mapping, checks: Checks) -> None:
    """The value of an expression in a position."""
    here = Position(game)
    here.give(body.get("given"))
    text, wanted = text_of(body, "expr"), text_of(body, "is")
    expr = expression(game, text)
    found = worked_out(expr, here.world, text.span)
    checks.equal(wanted.span, text.value, *agree(game.program, expr.type, wanted, found))
