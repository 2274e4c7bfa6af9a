"""Decisions per second of CPU time on one core: compiled, interpreted, and OpenSpiel's hearts beside ours."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median

from bench.row import Row, at_least, rate, times

ROOT = Path(__file__).resolve().parent.parent
ROUNDS = 15
DEALS = 20_000
SPIEL_GAMES = 3_000
SPIEL_DECISIONS = 52 + 12 * 3 / 4  # cards played, and three passed by each of four in three deals of four
RATIO = 4
INTERPRETED = 25_000
COMPARED = ("tresillo", "tressette-accusa", "tressette")

PLAIN = """
import json, sys, time
import spadille
from interpreter.simulation import simulate
game = spadille.load(sys.argv[1])
rates = []
for seed in range(5):
    began = time.process_time()
    report = simulate(game, 300, seed, mode="interpreted")
    rates.append(report.decisions / (time.process_time() - began))
print(json.dumps([sorted(rates)[2], sorted({"numba", "numpy"} & sys.modules.keys())]))
"""


def compiled_round(ruleset: str) -> Callable[[int], float]:
    """Measures one round of compiled play; the seed is the round's number."""
    import spadille
    from interpreter.simulation import make_plan, play_chunk

    game = spadille.load(ruleset)
    plan = make_plan(game, "compiled")

    def measure(number: int) -> float:
        began = time.process_time()
        decisions = 0
        for chunk in range(DEALS // 2_000):
            decisions += play_chunk(game, plan, number, chunk).counts[2]
        return decisions / (time.process_time() - began)

    return measure


def spiel_round() -> Callable[[int], float]:
    """Measures one round of OpenSpiel's hearts with its uniform random C++ bots."""
    import pyspiel  # type: ignore[import-not-found, unused-ignore]

    game = pyspiel.load_game("hearts")

    def measure(number: int) -> float:
        bots = [pyspiel.make_uniform_random_bot(seat, number * 4 + seat) for seat in range(4)]
        began = time.process_time()
        for k in range(SPIEL_GAMES):
            pyspiel.evaluate_bots(game.new_initial_state(), bots, number * SPIEL_GAMES + k)
        return SPIEL_DECISIONS * SPIEL_GAMES / (time.process_time() - began)

    return measure


def plain_rate(ruleset: str) -> tuple[float, list[str]]:
    """The median rate of plain Python, in a process of its own, and which of numba and numpy were imported."""
    done = subprocess.run([sys.executable, "-c", PLAIN, ruleset], cwd=ROOT, capture_output=True, text=True, check=True)
    value, imported = json.loads(done.stdout)
    return value, imported


def measure() -> list[Row]:
    """All rates. Rounds of all games take turns, so that a busy machine slows them alike."""
    rounds = {name: compiled_round(name) for name in ("hearts", *COMPARED)}
    try:
        rounds["OpenSpiel"] = spiel_round()
    except ImportError:
        print("OpenSpiel is not installed: nothing to compare with", file=sys.stderr)
    rates: dict[str, list[float]] = {name: [] for name in rounds}
    for number in range(ROUNDS):
        for name, one in rounds.items():
            rates[name].append(one(number))
    rows = []
    theirs = rates.pop("OpenSpiel", [])
    if theirs:
        rows.append(Row("OpenSpiel hearts, `evaluate_bots`, uniform random C++ bots", rate(median(theirs))))
    for name, ours in rates.items():
        rows.append(Row(f"{name} compiled", rate(median(ours))))
        if theirs:
            ratios = sorted(a / b for a, b in zip(ours, theirs, strict=True))
            what = f"… against OpenSpiel's hearts in the same round, {ratios[0]:.1f}x to {ratios[-1]:.1f}x"
            rows.append(at_least(what, median(ratios), RATIO, times))
    for name in ("hearts", *COMPARED[:2]):
        value, imported = plain_rate(name)
        loaded = f", {' and '.join(imported)} imported" if imported else ", without numba and numpy"
        rows.append(at_least(f"{name} interpreted{loaded}", value, INTERPRETED if name == "hearts" else 0, rate))
    return rows
