"""One job: its deals played from the first card to the last, and a row of plain data for each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from threading import get_ident
from typing import Any

from interpreter.action import GameFault
from interpreter.game import Game
from interpreter.simulation import chunk_seed
from interpreter.state import State
from spadille.bots.bot import Bot, chance, make_bot
from spadille.lab.experiment import Experiment, Job, LabError, Row
from spadille.loading import load_traced

SEEDS = 1 << 53  # every number of a row is exact in any reader of JSON
GAMES = 8  # kept ready in a process


class Table:
    """A game with its bots, ready for many deals."""

    def __init__(self, experiment: Experiment) -> None:
        # The traced game tells which payments were made; its bots get nothing but views, as anywhere.
        self.game: Game = load_traced(experiment.source, dict(experiment.options))
        if self.game.hash != experiment.rules:
            raise LabError(
                f"the rules of `{experiment.ruleset}` are others here than in the experiment ({self.game.hash}, {experiment.rules})"
            )
        self.bots: dict[str, Bot] = {name: make_bot(name, self.game) for name in dict.fromkeys(experiment.bots)}
        self.payments = {number: one.probe.span.text for number, one in enumerate(self.game.image.probes) if one.probe.what == "applies"}
        self.probes = len(self.game.image.mem) - len(self.game.image.probes)
        self.paid: set[str] = set()
        self.game.watch = self.look
        auction = self.game.program.rules.auction
        self.declarer = None if auction is None or auction.declarer is None else auction.declarer.value

    def look(self, memory: Sequence[int]) -> None:
        """Notes which payments were made since the last question."""
        for number, name in self.payments.items():
            if memory[self.probes + number]:
                self.paid.add(name)

    def play(self, number: int, rotation: int, seated: Sequence[str], seed: int) -> Row:
        """One deal of a fresh match, dealt by the last seat."""
        self.paid.clear()
        answers: Counter[str] = Counter()
        decisions = forced = branching = 0
        try:
            state = self.game.start(seed=seed, dealer=self.game.persons - 1)
            while (seat := state.seat) is not None:
                legal = state.legal()
                action = legal[0]
                if len(legal) > 1:
                    action = self.bots[seated[seat]].choose(state.view(seat), chance(seed, seat, decisions))
                else:
                    forced += 1
                decisions += 1
                branching += len(legal)
                if action.card is None:
                    answers[str(action)] += 1
                state = state.apply(action)
        except GameFault as problem:
            raise LabError(f"{problem} (deal {number}, rotation {rotation}, seed {seed})") from None
        return {
            "deal": number,
            "rotation": rotation,
            "seed": seed,
            "bots": list(seated),
            "contract": state.contract,
            "outcome": state.outcome,
            "declarer": self.declaring(state),
            "payoffs": [str(gain) for gain in state.payoffs],
            "payments": sorted(self.paid),
            "answers": dict(sorted(answers.items())),
            "decisions": decisions,
            "forced": forced,
            "branching": branching,
        }

    def declaring(self, state: State) -> int | None:
        """The seat that plays against the others, if there is one."""
        if self.declarer is None or (state.contract is None and state.outcome is None):
            return None
        seat: Any = state.world.variable(self.game.program.variable(self.declarer), None)
        return seat if isinstance(seat, int) else None


@lru_cache(GAMES)
def table(experiment: Experiment, thread: int) -> Table:
    """The table of an experiment, one for each thread of a process: a table plays one deal at a time."""
    return Table(experiment)


def play_job(job: Job) -> list[Row]:
    """Plays the deals of a job, every rotation of one deal before the next; raises LabError.

    A row has `deal`, `rotation`, `seed` (of `Game.start` with the last seat as dealer), `bots` by seat, `contract`, `outcome`
    (both None when thrown in), `declarer`, `payoffs` by seat as exact texts, the `payments` made by name, `answers` in words
    with how often each was given, and the numbers of `decisions`, of `forced` ones, and of answers to be had in all (`branching`).
    """
    one = job.experiment
    here = table(one, get_ident())
    return [
        here.play(deal, rotation, one.seated(rotation), chunk_seed(one.seed, deal) % SEEDS)
        for deal in range(job.first, job.first + job.deals)
        for rotation in range(one.rotations)
    ]
