"""A bot that thinks of worlds: it lays out the hidden cards in many ways that fit what it saw, and searches them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from interpreter.action import Action
from interpreter.game import Game
from interpreter.view import View
from spadille.bots.greedy import GreedyBot
from spadille.bots.tree import Table, Tree
from spadille.worlds import Sampler

WORLDS = 40
DESCENTS = 8000
OFTEN = 0.25  # as a share of the looks at the answer looked at most


@dataclass(frozen=True, slots=True)
class Estimate:
    """What the bot thinks of an answer: the mean gain of its seat after it, and how often it looked."""

    action: Action
    gain: float
    looks: int


class StrongBot:
    """Searches worlds that fit its view; where none is found, it plays by rules of thumb."""

    def __init__(self, game: Game, worlds: int = WORLDS, descents: int = DESCENTS) -> None:
        self.game = game
        self.worlds, self.descents = worlds, descents
        self.table = Table(game)
        self.greedy = GreedyBot(game)

    def choose(self, view: View, random: Random) -> Action:
        """The best answer of those that were looked at often."""
        if len(view.legal) == 1:
            return view.legal[0]
        estimates = self.estimates(view, random)
        if not estimates:
            return self.greedy.choose(view, random)
        return best_of(estimates, self.table.sign > 0).action

    def estimates(self, view: View, random: Random) -> list[Estimate]:
        """What it thinks of every answer; nothing where no world was found."""
        if view.opening is None:
            return []
        worlds = Sampler(self.game, view).worlds(self.worlds, random)
        if not worlds:
            return []
        tree = Tree(self.table, [(world.state.memory, world.weight) for world in worlds], random)
        found = tree.search(self.descents)
        sign = self.table.sign
        return [Estimate(a, sign * found[a.id].mean, found[a.id].visits) for a in view.legal if a.id in found]


def best_of(estimates: Sequence[Estimate], high: bool) -> Estimate:
    """The best of the answers that were looked at often; `high` says whether a high score wins."""
    often = OFTEN * max(estimate.looks for estimate in estimates)
    return max((one for one in estimates if one.looks >= often), key=lambda one: (one.gain if high else -one.gain, one.looks))
