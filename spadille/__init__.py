"""Spadille: the rules of trick-taking card games as data, and one engine that plays them.

>>> import spadille
>>> game = spadille.load("tresillo", stake=4)
>>> state = game.start(seed=7)
"""

from spadille.loading import RulesetError, load, ruleset_ids

__all__ = ["RulesetError", "load", "ruleset_ids"]
__version__ = "0.1.0"
