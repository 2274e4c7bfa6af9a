"""The solver: times on two games, and bridge-like play held against published results (`--only dds`, long)."""

from __future__ import annotations

import sys
import time
from pathlib import Path
from random import Random
from statistics import median

from bench.row import Row, at_most

HERE = Path(__file__).resolve().parent
DEALS = 100
PATIENCE = 60.0  # seconds for one whole deal


def milliseconds(value: float) -> str:
    return f"{value:.1f} ms"


def positions(ruleset: str, tricks: int, count: int) -> list[object]:
    """Positions of random deals with so many whole tricks to play."""
    import spadille

    game = spadille.load(ruleset)
    hand = game.program.pile("hand")
    found: list[object] = []
    seed = 0
    while len(found) < count:
        random = Random(seed)
        state = game.start(seed)
        while not state.over:
            level = {len(state.world.cards(hand, seat)) for seat in range(game.players)}
            if state.question.about == "play" and level == {tricks}:
                found.append(state)
                break
            state = state.apply(random.choice(state.legal()))
        seed += 1
    return found


def timed(ruleset: str, tricks: int, value: str, every: bool) -> list[float]:
    """CPU milliseconds of solving each position, from the state to the answer."""
    from spadille.solver.solve import solve

    found = positions(ruleset, tricks, DEALS)
    solve(found[0], value, line=False, every=every)  # type: ignore[arg-type]
    spent = []
    for state in found:
        began = time.process_time()
        solve(state, value, line=False, every=every)  # type: ignore[arg-type]
        spent.append(1000 * (time.process_time() - began))
    return sorted(spent)


def measure() -> list[Row]:
    """The two times that are promised."""
    rows = []
    for ruleset, tricks, value, every, most in (("tresillo", 9, "tricks", True, 10.0), ("tressette", 8, "points", False, 25.0)):
        spent = timed(ruleset, tricks, value, every)
        sought = "every card exact" if every else "one value"
        what = f"{ruleset}, {tricks} tricks to play, {sought}, median of {DEALS} (slowest {milliseconds(spent[-1])})"
        rows.append(at_most(what, median(spent), most, milliseconds))
    return rows


def dds() -> list[Row]:
    """Late positions and whole deals of the published list; all must be equal."""
    sys.path.insert(0, str(HERE.parent / "tests"))
    from whist import DATA, published  # type: ignore[import-not-found, unused-ignore]

    from spadille.solver.solve import Unsolved, solve

    if not DATA.exists():
        print("the published results are not on this machine", file=sys.stderr)
        return []
    deals = published()
    late = equal = 0
    for deal in deals:
        for state, tricks in deal.positions(8):
            late += 1
            equal += solve(state, "tricks", side=deal.declarer, line=False, every=False, by="cards").value == tricks
    rows = [Row("published positions with eight or fewer tricks to play, equal", f"{equal} of {late}", "all", equal == late)]
    solved = right = 0
    times = []
    for number, deal in enumerate(deals):
        began = time.process_time()
        try:
            value = solve(deal.start(), "tricks", side=deal.declarer, line=False, every=False, by="cards", nodes=600_000_000).value
        except Unsolved:
            value = None
        times.append(time.process_time() - began)
        in_time = value is not None and times[-1] <= PATIENCE
        solved += in_time
        right += value == deal.trace[0]
        print(f"deal {number + 1}: {value}, published {deal.trace[0]}, {times[-1]:.1f} s", file=sys.stderr, flush=True)
    rows.append(Row(f"whole deals solved within {PATIENCE:.0f} s (median {median(times):.1f} s)", f"{solved} of {len(deals)}"))
    rows.append(Row("… with the published value, of all solved", str(right), "all", right >= solved))
    return rows
