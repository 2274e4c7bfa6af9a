"""Mutants by the hundred: sampled by a seed, shared out among processes, and counted."""

from __future__ import annotations

import multiprocessing
import random
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from spadille.casefile import read_cases
from spadille.mutation.hunt import EQUIVALENT, INVALID, KILLED, SURVIVED, Hunt
from spadille.mutation.mutants import Mutant

MOST_HUNTS = 4


@dataclass(frozen=True, slots=True)
class Score:
    """How a ruleset's cases did: its mutants with what became of each, and how many there were to choose from."""

    ruleset: str
    verdicts: tuple[tuple[Mutant, str], ...]
    of: int

    def count(self, verdict: str) -> int:
        """How many mutants had a verdict."""
        return sum(one == verdict for _, one in self.verdicts)

    @property
    def survivors(self) -> tuple[Mutant, ...]:
        """The mutants that all cases survive."""
        return tuple(mutant for mutant, verdict in self.verdicts if verdict == SURVIVED)

    @property
    def percent(self) -> float:
        """The share of killed mutants among those that are another game; 100 if there are none."""
        counted = self.count(KILLED) + self.count(SURVIVED)
        return 100 * self.count(KILLED) / counted if counted else 100.0


def chosen(mutants: tuple[Mutant, ...], limit: int, seed: int) -> list[int]:
    """The numbers of at most `limit` mutants (0: all), drawn by the seed."""
    numbers = range(len(mutants))
    return list(numbers) if not limit or limit >= len(mutants) else sorted(random.Random(seed).sample(numbers, limit))


class Scoring:
    """One ruleset's mutants on their way through the cases; raises CaseFileError and BrokenRuleset as reading does."""

    def __init__(self, name: str, limit: int = 0, seed: int = 0) -> None:
        self.name = name
        self.hunt = hunt_of(name)
        self.numbers = chosen(self.hunt.mutants, limit, seed)
        self.verdicts: dict[int, str] = {}

    def run(self, jobs: int = 1) -> Iterator[int]:
        """Gives how many are done, each time another one is."""
        for number, verdict in self._verdicts(jobs):
            self.verdicts[number] = verdict
            yield len(self.verdicts)

    def _verdicts(self, jobs: int) -> Iterator[tuple[int, str]]:
        if jobs <= 1 or len(self.numbers) < 2:
            for number in self.numbers:
                yield number, self.hunt.verdict(self.hunt.mutants[number])
            return
        # Every process has its own hunt. A fresh interpreter each: threads of the engine must not be forked.
        with ProcessPoolExecutor(jobs, mp_context=multiprocessing.get_context("spawn")) as pool:
            yield from zip(self.numbers, pool.map(verdict_of, [self.name] * len(self.numbers), self.numbers), strict=True)

    @property
    def score(self) -> Score:
        """The score of what is done."""
        mutants = self.hunt.mutants
        verdicts = tuple((mutants[number], verdict) for number, verdict in sorted(self.verdicts.items()))
        return Score(self.hunt.program.rules.id, verdicts, len(mutants))


@lru_cache(maxsize=MOST_HUNTS)
def hunt_of(name: str) -> Hunt:
    """The hunt for a ruleset's mutants, one in each process."""
    return Hunt(read_cases(name))


def verdict_of(name: str, number: int) -> str:
    """What becomes of a mutant by its number."""
    hunt = hunt_of(name)
    return hunt.verdict(hunt.mutants[number])


def plain(score: Score) -> dict[str, Any]:
    """A score as plain data."""
    return {
        "ruleset": score.ruleset,
        "percent": round(score.percent, 2),
        "mutants": score.of,
        **{verdict: score.count(verdict) for verdict in (KILLED, SURVIVED, EQUIVALENT, INVALID)},
        "survivors": [
            {"file": one.span.source.name, "line": one.span.line, "kind": one.kind, "before": one.before, "after": one.after}
            for one in score.survivors
        ],
    }
