"""Random play of many deals: cut into chunks, played on all cores, gathered in a report.

A chunk is a fixed number of deals that begins a new match, with random numbers that follow from the seed and the
chunk's number alone: the report is the same to the last bit on one core or on many, compiled or interpreted.
The compiled kernel lets go of Python's lock, so threads use all cores and share one copy of the tables.
"""

from __future__ import annotations

import os
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from interpreter import playout, rng
from interpreter.action import GameFault
from interpreter.lowering.image import Image
from interpreter.opcodes import DEAL_OVER, LOG_START, MATCH_OVER, SLOT_PROMPT, SLOT_SEAT, STUCK
from interpreter.report import Report, make_report

if TYPE_CHECKING:
    from interpreter.game import Game

CHUNK = 2_000  # deals; part of what a seed means, so a change of it changes every report
STEP = 100  # deals that Python plays between two words of progress
EXTREME = 1 << 62  # above every payoff

Mode: TypeAlias = Literal["compiled", "interpreted"]
Progress: TypeAlias = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class Plan:
    """All that a chunk needs, as vectors for one way of running."""

    play: Callable[..., int]
    vector: Callable[[Sequence[int]], Any]
    floats: Callable[[Sequence[float]], Any]
    code: Any
    tab: Any
    init: Any
    n_state: int
    legal_words: int
    payoffs: Any
    accounts: Any
    contract: int
    outcome: int
    outcomes: int
    cells: int
    step: int


@dataclass(slots=True)
class Tally:
    """What the deals of one chunk, or of several, add up to; payoffs are in units of `Image.scale`."""

    counts: list[int]
    sums: list[int]
    squares: list[float]
    low: list[int]
    high: list[int]
    cells: list[int]

    @classmethod
    def empty(cls, players: int, cells: int) -> Tally:
        return cls([0] * playout.COUNTS, [0] * players, [0.0] * players, [EXTREME] * players, [-EXTREME] * players, [0] * cells)

    def add(self, other: Tally) -> None:
        """Takes in the deals of another tally."""
        longest = max(self.counts[playout.LONGEST], other.counts[playout.LONGEST])
        self.counts = [a + b for a, b in zip(self.counts, other.counts, strict=True)]
        self.counts[playout.LONGEST] = longest
        self.sums = [a + b for a, b in zip(self.sums, other.sums, strict=True)]
        self.squares = [a + b for a, b in zip(self.squares, other.squares, strict=True)]
        self.low = [min(pair) for pair in zip(self.low, other.low, strict=True)]
        self.high = [max(pair) for pair in zip(self.high, other.high, strict=True)]
        self.cells = [a + b for a, b in zip(self.cells, other.cells, strict=True)]


def simulate(
    game: Game,
    deals: int,
    seed: int = 0,
    *,
    workers: int | None = None,
    progress: Progress | None = None,
    mode: Mode = "compiled",
    tell: Callable[[str], None] | None = None,
) -> Report:
    """Plays deals with players that choose at random.

    `workers` are threads, by default one per core; `progress(done, total)` is called in this thread as deals are done;
    `mode="interpreted"` gives the same report without numba, on one core; `tell` hears that the engine is being
    compiled. Raises GameFault, with the chunk that shows it again, when the rules run into a fault or leave a seat
    without an answer, and when accounts that should balance do not.
    """
    if deals < 0:
        raise ValueError(f"{deals} deals cannot be played")
    plan = make_plan(game, mode, tell)
    began = time.perf_counter()
    total = Tally.empty(game.players, plan.cells)
    count = (workers or cores()) if mode == "compiled" else 1
    chunks = -(-deals // CHUNK)
    jobs = ((number, min(CHUNK, deals - number * CHUNK)) for number in range(chunks))
    done = 0

    def tick(more: int) -> None:
        nonlocal done
        done += more
        if progress is not None:
            progress(done, deals)

    for tally in _chunks(game, plan, seed, jobs, min(count, chunks), tick):
        total.add(tally)
    return make_report(game, seed, deals, total, time.perf_counter() - began)


def _chunks(
    game: Game, plan: Plan, seed: int, jobs: Iterator[tuple[int, int]], workers: int, tick: Callable[[int], None]
) -> Iterator[Tally]:
    """The tallies of all chunks, in the order of their numbers."""
    if workers < 2:
        for number, deals in jobs:
            yield play_chunk(game, plan, seed, number, deals, tick)
        return
    running: deque[tuple[int, Future[Tally]]] = deque()
    with ThreadPoolExecutor(workers) as pool:
        try:
            while True:
                # Few chunks wait at a time, so that memory does not grow with the number of deals.
                for number, deals in islice(jobs, 2 * workers - len(running)):
                    running.append((deals, pool.submit(play_chunk, game, plan, seed, number, deals)))
                if not running:
                    return
                deals, first = running.popleft()
                yield first.result()
                tick(deals)
        finally:
            pool.shutdown(cancel_futures=True)


def play_chunk(game: Game, plan: Plan, seed: int, number: int, deals: int = CHUNK, tick: Callable[[int], None] | None = None) -> Tally:
    """Plays one chunk of the simulation with a seed; raises GameFault."""
    n, vector = game.players, plan.vector
    tally = Tally.empty(n, plan.cells)
    mem, log, random = vector(plan.init), vector((LOG_START, 0)), vector(rng.seed(chunk_seed(seed, number)))
    counts, sums, squares = vector(tally.counts), vector(tally.sums), plan.floats(tally.squares)
    low, high, cells = vector(tally.low), vector(tally.high), vector(tally.cells)
    for first in range(0, deals, plan.step):
        part = min(plan.step, deals - first)
        status = plan.play(
            plan.code, plan.tab, plan.init, mem, log, plan.n_state, plan.legal_words, part, random, plan.payoffs, plan.accounts,
            plan.contract, plan.outcome, plan.outcomes, counts, sums, squares, low, high, cells,
        )  # fmt: skip
        if status not in (DEAL_OVER, MATCH_OVER):
            raise fault(game, mem, status, f"seed {seed}, chunk {number}, after {counts[playout.DEALS]} deals of it")
        if counts[playout.UNBALANCED]:
            raise GameFault(f"{game.id}: the accounts do not balance after a deal (seed {seed}, chunk {number})")
        if tick is not None:
            tick(part)
    return Tally(ints(counts), ints(sums), [float(x) for x in squares], ints(low), ints(high), ints(cells))


def ints(numbers: Sequence[int]) -> list[int]:
    """Plain numbers, whatever vector they come from."""
    return [int(number) for number in numbers]


def fault(game: Game, mem: Sequence[int], status: int, where: str) -> GameFault:
    """The error for a run that ended badly."""
    if status == STUCK:
        about = game.image.questions[mem[SLOT_PROMPT]].about
        return GameFault(f"{game.id}: seat {mem[SLOT_SEAT]} is asked ({about}) and has no answer ({where})")
    return GameFault(f"{game.id}: the ruleset ran into a fault: too many steps, or a number too large ({where})")


def chunk_seed(seed: int, number: int) -> int:
    """The seed of a chunk's own random numbers: far apart for neighbouring seeds."""
    low, high = rng.seed(seed)
    return (high << 32 | low) + number


def make_plan(game: Game, mode: Mode, tell: Callable[[str], None] | None = None) -> Plan:
    """A game's vectors for one way of running; compiles the engine, or loads it, if need be."""
    image, program, players = game.image, game.program, game.players
    named = {variable.name: slot for variable, slot in image.variables.items()}
    outcomes = len(program.outcomes)
    play: Callable[..., int] = playout.simulate
    vector: Callable[[Sequence[int]], Any] = list
    floats: Callable[[Sequence[float]], Any] = list
    if mode == "compiled":
        import numpy as np

        from interpreter import compiled

        play = compiled.simulate() if tell is None else compiled.simulate(tell)

        def vector(values: Sequence[int]) -> Any:
            return np.array(values, dtype=np.int64)

        def floats(values: Sequence[float]) -> Any:
            return np.array(values, dtype=np.float64)

    elif mode != "interpreted":
        raise ValueError(f"`{mode}` is no way to run: choose compiled or interpreted")
    return Plan(
        play=play,
        vector=vector,
        floats=floats,
        code=vector(image.code),
        tab=vector(image.tab),
        init=vector(image.mem),
        n_state=image.n_state,
        legal_words=image.legal_words,
        payoffs=vector(range(image.gains, image.gains + players)),
        accounts=vector(account_slots(image) if program.balanced else ()),
        contract=named["contract"],
        outcome=named["outcome"],
        outcomes=outcomes,
        cells=(len(program.contracts) + 1) * (outcomes + 1),
        step=CHUNK if mode == "compiled" else STEP,
    )


def account_slots(image: Image) -> list[int]:
    """The slots of all accounts; where chips are conserved their sum never changes."""
    return [base + index for account, base in image.accounts.items() for index in range(image.program.count(account.per))]


def cores() -> int:
    """How many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
