"""Why: what made an answer legal, won a trick, gave an outcome, cost a payment, each with its line of the ruleset.

>>> import spadille
>>> from spadille.reasons import why_answer
>>> state = spadille.load("tresillo").start(seed=7)
>>> lines = [line.text for line in why_answer(state, state.game.parse("pass"))]
"""

from spadille.reasons.facts import Line
from spadille.reasons.legal import why_answer
from spadille.reasons.step import NoStep, Section, Why, answers_of, why_step

__all__ = ["Line", "NoStep", "Section", "Why", "answers_of", "why_answer", "why_step"]
