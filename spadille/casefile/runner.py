"""Runs cases: each by its kind, all failures collected, nothing raised for what a case says."""

from __future__ import annotations

from collections.abc import Callable

from dsl.source import Mapping
from interpreter.action import GameError
from interpreter.game import Game
from spadille.casefile.auction import run_auction
from spadille.casefile.deal import run_deal
from spadille.casefile.facts import run_legal, run_order, run_trick
from spadille.casefile.figures import run_score, run_value
from spadille.casefile.games import BrokenRuleset, Games, games_of
from spadille.casefile.invalid import run_invalid
from spadille.casefile.reading import Case, read_cases
from spadille.casefile.result import CaseResult, Checks, Failure, Stuck, WrongCase

Run = Callable[[Game, Mapping, Checks], None]
BY_KIND: dict[str, Run] = {
    "order": run_order,
    "trick": run_trick,
    "legal": run_legal,
    "auction": run_auction,
    "deal": run_deal,
    "score": run_score,
    "value": run_value,
}
KINDS = (*BY_KIND, "invalid")


def run_cases(name: str, only: str | None = None) -> list[CaseResult]:
    """Runs the cases of a ruleset (by id or path) or of a case file; `only` is a kind, or a part of the names.

    Raises CaseFileError, with all that is wrong, for a file that cannot be read as cases.
    """
    file = read_cases(name)
    chosen = [case for case in file.cases if only is None or case.kind == only or (only not in KINDS and only in case.name)]
    return [run_case(file.ruleset, case) for case in chosen]


def run_case(ruleset: str, case: Case, games: Games | None = None) -> CaseResult:
    """Runs one case, on games opened in another way if they are given."""
    games = games or games_of(ruleset)
    checks = Checks()
    last: tuple[Failure, ...] = ()
    try:
        if case.kind == "invalid":
            run_invalid(games, dict(games.options_of(case)), case.body, checks)
        else:
            BY_KIND[case.kind](games.game_of(case), case.body, checks)
    except WrongCase as wrong:
        last = (wrong.failure,)
    except Stuck:
        pass
    except BrokenRuleset as broken:
        last = tuple(Failure(d.span, d.message, diagnostic=d) for d in broken.diagnostics)
    except (GameError, ValueError) as fault:
        last = (Failure(case.span, str(fault)),)
    return CaseResult(case.name, case.kind, case.span, (*checks.failures, *last))
