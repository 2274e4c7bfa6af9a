"""Measure the kernel alone: random play of a hearts-like game, shuffle and deal included, CPU time, medians.

Run: python -m bench.kernel_bench [--no-spiel]
"""

from __future__ import annotations

import sys
import time
from statistics import median
from typing import Any

from interpreter import playout, rng
from tests.kernel_toy import Toy, hearts

ROUNDS = 5
BIG = 1 << 60


def arguments(toy: Toy, deals: int, vector: Any, floats: Any) -> list[Any]:
    """Give the arguments of `simulate`, each vector through `vector` (or `floats`)."""
    seats = len(toy.payoffs)
    return [
        vector(toy.code),
        vector(toy.tab),
        vector(toy.init),
        vector(toy.init),
        vector([2, 0]),
        toy.n_state,
        toy.wa,
        deals,
        vector(list(rng.seed(1))),
        vector(toy.payoffs),
        vector([]),
        -1,
        toy.moon,
        seats,
        vector([0] * playout.COUNTS),
        vector([0] * seats),
        floats([0.0] * seats),
        vector([BIG] * seats),
        vector([-BIG] * seats),
        vector([0] * (seats + 1)),
    ]


def rate(simulate: Any, given: list[Any]) -> float:
    """Give the median decisions per second of CPU time."""
    counts = given[14]
    rates = []
    for _ in range(ROUNDS):
        before = int(counts[playout.DECISIONS])
        start = time.process_time()
        simulate(*given)
        rates.append((int(counts[playout.DECISIONS]) - before) / (time.process_time() - start))
    return median(rates)


def spiel_rate(games: int) -> float:
    """Give the same for OpenSpiel's hearts with uniform random C++ bots."""
    import pyspiel  # type: ignore[import-not-found, unused-ignore]

    game = pyspiel.load_game("hearts", {"pass_cards": False})
    rates = []
    for number in range(ROUNDS):
        bots = [pyspiel.make_uniform_random_bot(seat, number * 4 + seat) for seat in range(4)]
        start = time.process_time()
        for k in range(games):
            pyspiel.evaluate_bots(game.new_initial_state(), bots, number * games + k)
        rates.append(52 * games / (time.process_time() - start))
    return median(rates)


def main() -> None:
    """Print a table of rates."""
    for name, toy in (("hearts, 1 word", hearts()), ("80 cards, 2 words", hearts(4, 20, 4))):
        slow = rate(playout.simulate, arguments(toy, 100, list, list))
        print(f"interpreted  {name:20s} {slow / 1e6:8.3f} M decisions/s")
    import numpy as np

    from interpreter import compiled

    start = time.perf_counter()
    simulate = compiled.simulate()
    print(f"compiled: ready after {time.perf_counter() - start:.2f} s")

    def vector(values: list[int]) -> Any:
        return np.array(values, dtype=np.int64)

    for name, toy in (("hearts, 1 word", hearts()), ("80 cards, 2 words", hearts(4, 20, 4))):
        fast = rate(simulate, arguments(toy, 40_000, vector, np.array))
        print(f"compiled     {name:20s} {fast / 1e6:8.3f} M decisions/s")
    if "--no-spiel" not in sys.argv:
        print(f"OpenSpiel    evaluate_bots        {spiel_rate(2_000) / 1e6:8.3f} M decisions/s")


if __name__ == "__main__":
    main()
