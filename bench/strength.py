"""Which bot plays better: duplicate deals, every one played with each side of the better bot in turn.

    python -m bench --strength 100 [RULESET ...]

A deal counts once: the mean over its rotations of what the stronger bot's seats gain on average above the others'. How
long a decision takes is measured by itself, on deals of greedy bots, whose seats ask the strong one too.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby
from math import sqrt
from statistics import mean, stdev

import spadille
from spadille.bots import make_bot
from spadille.bots.bot import chance
from spadille.lab.experiment import Row as Deal
from spadille.lab.experiment import experiment
from spadille.lab.run import here, processes, rows

GAMES = ("tresillo", "ombre", "quadrille", "tressette", "terziglio", "briscola", "hearts", "skat")
PAIRS = (("strong", "greedy", 1), ("greedy", "random", 5))  # the third: how many times as many deals
WANTED = 3.0  # standard errors
CLOCKED = 3  # deals


@dataclass(frozen=True, slots=True)
class Duel:
    """How much one bot gained above another in a deal, with its standard error."""

    gain: float
    error: float
    deals: int

    @property
    def errors(self) -> float:
        """The gain in standard errors."""
        return self.gain / self.error if self.error else 0.0


def seating(ruleset: str, better: str, worse: str) -> list[str]:
    """The better bot on the first side, or the first seat where seats have no sides."""
    program = spadille.load(ruleset).program
    side = next((side for side in program.sides if 0 in side), frozenset({0}))
    return [better if seat in side else worse for seat in range(program.persons)]


def above(deal: Deal, better: str) -> Fraction:
    """What the seats of a bot gained on average above the others."""
    mine = [Fraction(gain) for gain, bot in zip(deal["payoffs"], deal["bots"], strict=False) if bot == better]
    others = [Fraction(gain) for gain, bot in zip(deal["payoffs"], deal["bots"], strict=False) if bot != better]
    return Fraction(sum(mine), len(mine)) - Fraction(sum(others), len(others))


def duel(ruleset: str, better: str, worse: str, deals: int, workers: int = 1) -> Duel:
    """Plays deals with every rotation of the seats."""
    one = experiment(ruleset, bots=seating(ruleset, better, worse), duplicate=True)
    sign = 1 if one.high else -1
    found: list[float] = []
    played = (row for job in rows(one, deals, processes(workers) if workers > 1 else here) for row in job)
    for _, board in groupby(played, key=lambda row: row["board"]):
        found.append(sign * float(mean(above(row, better) for row in board)))
    return Duel(mean(found), stdev(found) / sqrt(len(found)), len(found))


def clock(ruleset: str) -> tuple[float, float]:
    """Seconds of CPU of a decision of the strong bot: the mean and the longest."""
    game = spadille.load(ruleset)
    strong, greedy = make_bot("strong", game), make_bot("greedy", game)
    taken: list[float] = []
    for seed in range(CLOCKED):
        state, made = game.start(seed=seed), 0
        while (seat := state.seat) is not None:
            view = state.view(seat)
            if len(view.legal) > 1:
                began = time.process_time()
                strong.choose(view, chance(seed, seat, made))
                taken.append(time.process_time() - began)
            state = state.apply(greedy.choose(view, chance(seed, seat, made)))
            made += 1
    return mean(taken), max(taken)


def measure(deals: int, rulesets: list[str], workers: int = 1) -> bool:
    """Prints a line for each ruleset and pair of bots as it is found; gives whether each is sure."""
    sure = True
    for ruleset in rulesets or GAMES:
        for better, worse, times in PAIRS:
            found = duel(ruleset, better, worse, deals * times, workers)
            sure = sure and found.errors > WANTED
            print(f"{ruleset:12} {better:6} above {worse:6} {found.gain:+9.3f} ± {found.error:.3f} a deal "
                  f"({found.errors:+.1f} standard errors), {found.deals} deals", flush=True)  # fmt: skip
        usual, longest = clock(ruleset)
        print(f"{ruleset:12} a decision of strong: {usual:.3f} s of CPU, the longest {longest:.3f} s", flush=True)
    return sure
