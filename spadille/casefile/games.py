"""Games by ruleset and options, loaded once; option names and values of a case are checked against the ruleset."""

from __future__ import annotations

from functools import lru_cache

from dsl.diagnostics import Diagnostic
from interpreter.game import Game
from spadille.casefile.reading import Case
from spadille.casefile.result import WrongCase
from spadille.casefile.words import hint
from spadille.loading import RulesetError, load

MOST_KEPT = 256


class BrokenRuleset(Exception):
    """The ruleset does not load, so that no case can be run; `diagnostics` says why."""

    def __init__(self, diagnostics: tuple[Diagnostic, ...]) -> None:
        self.diagnostics = diagnostics
        super().__init__("; ".join(str(diagnostic) for diagnostic in diagnostics))


@lru_cache(maxsize=MOST_KEPT)
def game_with(ruleset: str, options: tuple[tuple[str, str], ...]) -> Game:
    """The game of a ruleset under options, the same one for the same options."""
    try:
        return load(ruleset, **dict(options))
    except RulesetError as fault:
        raise BrokenRuleset(fault.diagnostics) from fault


def option_texts(ruleset: str, case: Case) -> tuple[tuple[str, str], ...]:
    """The options of a case, sorted; raises WrongCase at an unknown option or value."""
    if not case.options:
        return ()
    known = game_with(ruleset, ()).program.options
    for key, value in case.options:
        option = known.get(key.value)
        if option is None:
            raise WrongCase("E802", f"unknown option `{key.value}`", key.span, f"not an option of `{ruleset}`", hint(key.value, known))
        problem = option.problem(value.value)
        if problem is not None:
            raise WrongCase("E802", f"`{value.value}` is not a value of option `{key.value}`: {problem}", value.span,
                            help=hint(value.value, option.words))  # fmt: skip
    return tuple(sorted((key.value, value.value) for key, value in case.options))


def game_of(ruleset: str, case: Case) -> Game:
    """The game that a case is about, under its options."""
    return game_with(ruleset, option_texts(ruleset, case))
