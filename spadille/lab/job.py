"""One job: its boards played from the first card to the last, and a row of plain data for each deal."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import lru_cache
from threading import get_ident
from typing import Any

from interpreter.action import GameFault
from interpreter.game import Game
from interpreter.match import Match
from interpreter.opcodes import SLOT_ACTION
from interpreter.simulation import chunk_seed
from interpreter.state import State
from spadille.bots.bot import Bot, chance, make_bot
from spadille.lab.experiment import Experiment, Job, LabError, LabFailure, Row
from spadille.loading import load_traced

SEEDS = 1 << 53  # every number of a row is exact in any reader of JSON
GAMES = 32  # kept ready in a process
MOST_DEALS = 1_000  # of a match: no author waits for more, and some rules can go on for ever


class Table:
    """A game with its bots, ready for many boards."""

    def __init__(self, experiment: Experiment) -> None:
        # The traced game tells which payments were made; its bots get nothing but views, as anywhere.
        self.experiment = experiment
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

    def board(self, board: int, rotation: int) -> Iterator[Row]:
        """The rows of a board played once: a deal of a fresh match, or all deals of one; the last seat deals first."""
        one, deal = self.experiment, 0
        seed = seed_of(one, board, 0)
        try:
            self.paid.clear()
            state = self.game.start(seed=seed, dealer=self.game.persons - 1)
            while True:
                state, row = self.deal(state, one.seated(rotation), seed)
                head: Row = {"board": board, "rotation": rotation, "deal": deal, "last": True, "seed": seed}
                if not one.matches:
                    yield head | row
                    return
                self.paid.clear()
                deal += 1
                # Whatever happened in this deal, the next has the same cards in every rotation.
                seed = seed_of(one, board, deal)
                state = Match.next_deal(state, seed)
                if state.match_over:
                    # What is done at the end of a match belongs to its last deal.
                    paid = sorted({*row["payments"], *self.paid})
                    yield head | row | {"payoffs": texts(state.payoffs), "payments": paid, "winners": sorted(state.winners)}
                    return
                yield head | row | {"last": deal == MOST_DEALS}
                if deal == MOST_DEALS:
                    return
        except GameFault as problem:
            raise LabFailure(f"{problem} (board {board}, rotation {rotation}, deal {deal}, seed {seed})") from None

    def deal(self, state: State, seated: Sequence[str], seed: int) -> tuple[State, Row]:
        """Plays a deal from its first decision; gives its end and what is to be said of it."""
        answers: Counter[str] = Counter()
        decisions: Counter[str] = Counter()
        forced: Counter[str] = Counter()
        branching: Counter[str] = Counter()
        made = 0
        while (seat := state.seat) is not None:
            legal, about = state.legal(), state.question.about
            action = legal[0]
            if len(legal) > 1:
                action = self.bots[seated[seat]].choose(state.view(seat), chance(seed, seat, made))
                if action not in legal:
                    raise state.refusal(action)
            else:
                forced[about] += 1
            made += 1
            decisions[about] += 1
            branching[about] += len(legal)
            if action.card is None:
                answers[f"{about}: {action}"] += 1
            # As `State.apply` goes on with an answer, without asking once more what is allowed.
            memory = [*state.memory, *self.game.rest]
            memory[SLOT_ACTION] = action.id
            state = self.game.proceed(memory, state, action)
        return state, {
            "bots": list(seated),
            "dealer": state.world.named("dealer"),
            "contract": state.contract,
            "outcome": state.outcome,
            "declarer": self.declaring(state),
            "payoffs": texts(state.payoffs),
            "payments": sorted(self.paid),
            "winners": None,
            "answers": dict(sorted(answers.items())),
            "decisions": dict(sorted(decisions.items())),
            "forced": dict(sorted(forced.items())),
            "branching": dict(sorted(branching.items())),
        }

    def declaring(self, state: State) -> int | None:
        """The seat that plays against the others, if there is one."""
        if self.declarer is None or (state.contract is None and state.outcome is None):
            return None
        seat: Any = state.world.variable(self.game.program.variable(self.declarer), None)
        return seat if isinstance(seat, int) else None


def texts(gains: Sequence[int | Fraction]) -> list[str]:
    """Exact numbers as texts."""
    return [str(gain) for gain in gains]


def seed_of(one: Experiment, board: int, deal: int) -> int:
    """What decides the cards of a deal and the chance of its bots."""
    seed = chunk_seed(one.seed, board)
    return (chunk_seed(seed, deal) if one.matches else seed) % SEEDS


@lru_cache(GAMES)
def table(experiment: Experiment, thread: int) -> Table:
    """The table of an experiment, one for each thread of a process: a table plays one deal at a time."""
    return Table(experiment)


def play_job(job: Job) -> list[Row]:
    """Plays the boards of a job, every rotation of one board before the next; raises LabError.

    A row is of one deal. It has `board`, `rotation`, `deal` (which of its match, from 0), `last` (of the board in this
    rotation), `seed` (of `Game.start` with the dealer of the row), `bots` by seat, `dealer`, `contract`, `outcome` (both None
    when thrown in), `declarer`, `payoffs` by seat as exact texts, the `payments` made by name, `winners` of a match that ended
    by its rules with this deal, `answers` in words with how often each was given, and by question the numbers of `decisions`,
    of `forced` ones, and of answers to be had in all (`branching`).
    """
    one = job.experiment
    here = table(one, get_ident())
    boards = range(job.first, job.first + job.boards)
    return [row for board in boards for rotation in range(one.rotations) for row in here.board(board, rotation)]
