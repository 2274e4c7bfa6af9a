"""Simulations: equal on one core and on many, compiled and interpreted; reports that add up; errors that say where."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from pathlib import Path

import pytest
from play import RULESETS, load

from interpreter import simulation
from interpreter.action import GameFault
from interpreter.simulation import CHUNK, chunk_seed, make_plan, play_chunk, simulate

ROOT = Path(__file__).resolve().parent.parent
GAMES = ("hearts", "tresillo", "tressette-accusa")


@pytest.mark.parametrize("ruleset", GAMES)
def test_the_report_does_not_depend_on_the_number_of_cores(ruleset: str) -> None:
    reports = [load(ruleset).simulate(3 * CHUNK + 17, seed=5, workers=workers) for workers in (1, 2, 5, None)]
    assert all(report == reports[0] for report in reports)
    assert load(ruleset).simulate(3 * CHUNK + 17, seed=6) != reports[0]


@pytest.mark.parametrize("ruleset", RULESETS)
def test_interpreted_gives_the_same_report(ruleset: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(simulation, "CHUNK", 40)
    game = load(ruleset)
    assert simulate(game, 130, seed=8, mode="interpreted") == simulate(game, 130, seed=8)


def test_interpreted_imports_neither_numba_nor_numpy() -> None:
    code = (
        "import sys, spadille; spadille.load('hearts').simulate(20, mode='interpreted');"
        "sys.exit(bool({'numba', 'numpy'} & sys.modules.keys()))"
    )
    assert subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=False).returncode == 0


def test_a_plain_script_needs_no_guard(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text("import spadille\nprint(spadille.load('hearts').simulate(5_000, workers=2).deals)\n")
    done = subprocess.run([sys.executable, script], cwd=ROOT, env={"PYTHONPATH": str(ROOT), "PATH": "", "HOME": str(Path.home())},
                          capture_output=True, text=True, check=True)  # fmt: skip
    assert done.stdout == "5000\n"


def test_the_report_adds_up() -> None:
    game = load("tresillo")
    report = game.simulate(4_000, seed=2)
    assert sum(ending.deals for ending in report.endings) == report.deals == 4_000
    assert abs(sum(ending.rate for ending in report.endings) - 1) < 1e-9
    assert {ending.contract for ending in report.endings} <= {None, *(row.id for row in game.program.contracts)}
    assert report.count(None) == sum(e.deals for e in report.endings if e.outcome is None)
    assert report.matches > 0 and report.longest * report.deals >= report.decisions
    for gain in report.gains:
        assert gain.least <= gain.mean <= gain.most and gain.error > 0
    data = report.as_json()
    assert json.loads(json.dumps(data)) == data
    assert (data["ruleset"], data["hash"], data["seed"]) == ("tresillo", game.hash, 2)
    assert Fraction(data["payoffs"][0]["exact"]) == report.gains[0].mean


def test_payoffs_are_those_of_the_deals() -> None:
    """The means and errors of a chunk, worked out again from the deals one by one."""
    game = load("tressette-accusa")
    plan = make_plan(game, "interpreted")
    whole = play_chunk(game, replace(plan, step=1), 4, 0, 30)
    parts = [play_chunk(game, replace(plan, step=1), 4, 0, deals) for deals in range(31)]
    payoffs = [[b.sums[seat] - a.sums[seat] for a, b in pairwise(parts)] for seat in range(4)]
    report = simulate(game, 30, seed=4, mode="interpreted")
    for seat, values in enumerate(payoffs):
        mean = Fraction(sum(values), 30)
        assert report.gains[seat].mean == mean / game.image.scale
        error = (float(sum((value - mean) ** 2 for value in values)) / 29 / 30) ** 0.5 / game.image.scale
        assert abs(report.gains[seat].error - error) < 1e-9
        assert (whole.low[seat], whole.high[seat]) == (min(values), max(values))


def test_progress_goes_to_the_end() -> None:
    for mode, workers in (("compiled", 1), ("compiled", 2), ("interpreted", 1)):
        steps: list[tuple[int, int]] = []
        deals = 2 * CHUNK + 1 if mode == "compiled" else 250
        load("hearts").simulate(deals, mode=mode, workers=workers, progress=lambda done, total, steps=steps: steps.append((done, total)))
        assert steps[-1] == (deals, deals) and steps == sorted(steps) and len(steps) == 3


def test_no_deals_and_no_way() -> None:
    report = load("hearts").simulate(0)
    assert (report.deals, report.decisions, report.gains, report.endings) == (0, 0, (), ())
    with pytest.raises(ValueError, match="`jit` is no way to run"):
        load("hearts").simulate(1, mode="jit")
    with pytest.raises(ValueError, match="-1 deals"):
        load("hearts").simulate(-1)


def test_chunks_have_seeds_of_their_own() -> None:
    assert len({chunk_seed(seed, number) for seed in range(30) for number in range(30)}) == 900


STUCK = """\
ruleset: stuck
language: 1
title: Stuck
summary: Nobody has an answer to the last question.
sources: {ours: ours}
players: 2
direction: clockwise
deck: french-52
ranking: {plain: A K Q J 10 9 8 7 6 5 4 3 2}
score: {unit: points, by: seat, balanced: false}
piles: {rest: seen by nobody}
deal: ["deal 2 cards to each seat from eldest", "move all of deck to rest"]
opening:
  - ask: eldest
    about: bid
    choices:
      pass: {when: "2h in hand of eldest", because: of this, do: []}
      call: {when: "2h not in hand of eldest and 2s not in hand of eldest", because: of that, do: []}
play: {leads: eldest, obligations: {free: {must: hand of player}}}
outcomes: {done: otherwise}
payments:
  done: [each of seats scores 1]
"""


def test_a_seat_without_an_answer_is_an_error_that_says_where() -> None:
    import spadille

    game = spadille.load(STUCK)
    for mode in ("compiled", "interpreted"):
        with pytest.raises(
            GameFault, match=r"stuck: seat [01] is asked \(bid\) and has no answer \(seed 3, chunk 0, after \d+ deals of it\)"
        ):
            game.simulate(1_000, seed=3, mode=mode)


def test_accounts_that_do_not_balance_are_an_error() -> None:
    game = load("hearts")
    plan = make_plan(game, "interpreted")
    loose = replace(plan, accounts=simulation.account_slots(game.image))  # hearts gives points to everybody
    with pytest.raises(GameFault, match="the accounts do not balance after a deal \\(seed 1, chunk 2\\)"):
        play_chunk(game, loose, 1, 2, 10)
