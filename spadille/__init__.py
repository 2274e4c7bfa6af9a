"""Spadille: the rules of trick-taking card games as data, and one engine that plays them.

>>> import spadille
>>> game = spadille.load("tresillo", stake=4)
>>> state = game.start(seed=7)
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from spadille.loading import OptionError, RulesetError, UnknownRuleset, load, ruleset_ids

if TYPE_CHECKING:
    from interpreter.action import Action, GameFault, IllegalAction, InvalidDeal, UnknownAction
    from interpreter.game import Game
    from interpreter.match import Match
    from interpreter.record import Record
    from interpreter.state import State
    from interpreter.view import View
    from spadille.solver.solve import Solution, Unsolved, WrongSides, solve

__version__ = "0.1.0"
__all__ = [
    "Action",
    "Game",
    "GameFault",
    "IllegalAction",
    "InvalidDeal",
    "Match",
    "OptionError",
    "Record",
    "RulesetError",
    "Solution",
    "State",
    "UnknownAction",
    "UnknownRuleset",
    "Unsolved",
    "View",
    "WrongSides",
    "load",
    "ruleset_ids",
    "solve",
]

# The engine's names are fetched when they are asked for: checking a ruleset needs none of them.
_ENGINE = {
    "Action": "interpreter.action",
    "Game": "interpreter.game",
    "GameFault": "interpreter.action",
    "IllegalAction": "interpreter.action",
    "InvalidDeal": "interpreter.action",
    "Match": "interpreter.match",
    "Record": "interpreter.record",
    "Solution": "spadille.solver.solve",
    "State": "interpreter.state",
    "UnknownAction": "interpreter.action",
    "Unsolved": "spadille.solver.solve",
    "View": "interpreter.view",
    "WrongSides": "spadille.solver.solve",
    "solve": "spadille.solver.solve",
}


def __getattr__(name: str) -> Any:
    if name not in _ENGINE:
        raise AttributeError(f"module `spadille` has no attribute `{name}`")
    return getattr(import_module(_ENGINE[name]), name)
