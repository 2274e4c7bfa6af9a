"""What a bot is, and the bots by name."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Protocol

from dsl.suggest import nearest
from interpreter.action import Action
from interpreter.game import Game
from interpreter.view import View
from spadille.bots.greedy import GreedyBot


class Bot(Protocol):
    """Chooses an answer from what a seat may know; the same view and numbers give the same answer."""

    def choose(self, view: View, random: Random) -> Action:
        """One of `view.legal`."""


class RandomBot:
    """Every legal answer is equally likely."""

    def choose(self, view: View, random: Random) -> Action:
        return view.legal[random.randrange(len(view.legal))]


def strong(game: Game) -> Bot:
    """The bot that searches; it needs the compiled machine, so it is made only when asked for."""
    from spadille.bots.strong import StrongBot

    return StrongBot(game)


BOTS: dict[str, Callable[[Game], Bot]] = {"strong": strong, "greedy": GreedyBot, "random": lambda game: RandomBot()}


def make_bot(name: str, game: Game) -> Bot:
    """A bot by its name; raises ValueError with a suggestion."""
    if name not in BOTS:
        near = nearest(name, BOTS)
        hint = f"did you mean `{near}`?" if near else f"the bots are {', '.join(BOTS)}"
        raise ValueError(f"unknown bot `{name}`; {hint}")
    return BOTS[name](game)


def chance(seed: int, seat: int, decision: int) -> Random:
    """The random numbers for one decision of a match: the same in a resumed match as in one played through."""
    return Random(f"{seed}/{seat}/{decision}")
