"""The laboratory's rows: true to the engine, the same on any workers, also when they die."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import Counter
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from dataclasses import replace
from fractions import Fraction
from importlib import import_module
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import pytest
from lab_rows import BOTS, DEALS, LENGTH, ROOT, flat, match_rows, one_experiment, plain_rows, spadille_says

import spadille
from interpreter.match import Match
from spadille.bots import make_bot
from spadille.bots.bot import chance
from spadille.lab import Experiment, LabError, LabFailure, Row, rows
from spadille.lab.experiment import experiment
from spadille.lab.run import cluster
from spadille.lab.store import Store
from spadille.lab.summary import summarize

SMALL = """
ruleset: lab-game
language: 1
extends: hearts
title: A game for the laboratory
override:
  options.target.default: 50
"""


@pytest.fixture
def one() -> Experiment:
    return one_experiment()


@pytest.fixture
def plain() -> list[Row]:
    return plain_rows()


@pytest.fixture
def matches() -> tuple[Experiment, list[Row]]:
    return match_rows()


# ---------------------------------------------------------------------- rows


def test_a_row_says_how_its_deal_went(one: Experiment, plain: list[Row]) -> None:
    game = spadille.load("tresillo", stake=4)
    assert [(row["board"], row["rotation"]) for row in plain] == [divmod(number, 3) for number in range(3 * DEALS)]
    assert {(row["deal"], row["last"], row["winners"], row["dealer"]) for row in plain} == {(0, True, None, 2)}
    assert json.loads(json.dumps(plain)) == plain
    for row in plain[:6]:
        bots = {name: make_bot(name, game) for name in BOTS}
        state, number, words = game.start(seed=row["seed"], dealer=2), 0, []
        decisions, forced, branching = Counter[str](), Counter[str](), Counter[str]()
        while (seat := state.seat) is not None:
            view = state.view(seat)
            action = bots[row["bots"][seat]].choose(view, chance(row["seed"], seat, number))
            about = str(view.question)
            number, branching[about] = number + 1, branching[about] + len(view.legal)
            decisions[about] += 1
            forced.update([about] if len(view.legal) == 1 else [])
            words += [f"{about}: {action}"] if action.card is None else []
            state = state.apply(action)
        assert (row["contract"], row["outcome"], row["payoffs"]) == (state.contract, state.outcome, [str(gain) for gain in state.payoffs])
        assert (row["decisions"], row["forced"], row["branching"]) == (decisions, forced, branching)
        assert row["answers"] == {word: words.count(word) for word in words}
        assert row["declarer"] == (state.view(0).variable("hombre") if state.contract else None)
        # This game's result rows and its payments bear the same names.
        assert (row["outcome"] is None) or row["outcome"] in row["payments"]


def test_each_bot_sits_in_each_seat_of_the_same_deal(plain: list[Row]) -> None:
    for start in range(0, len(plain), 3):
        group = plain[start : start + 3]
        assert len({row["seed"] for row in group}) == 1
        assert [row["bots"].index("greedy") for row in group] == [0, 1, 2]
    assert len({row["seed"] for row in plain}) == DEALS


def test_a_deal_is_played_until_the_same_bots_would_sit_in_the_same_seats_again() -> None:
    for bots, rotations in ((("random",), 1), (("greedy", "random") * 2, 2), (("greedy", "random", "random", "random"), 4)):
        one = experiment("tressette", bots=bots, duplicate=True, seed=2)
        found = flat(rows(one, 1))
        assert [row["rotation"] for row in found] == list(range(rotations)) and one.rotations == rotations
        assert len({tuple(row["bots"]) for row in found}) == rotations and len({row["seed"] for row in found}) == 1
        assert summarize(one.as_json(), found).boards == 1


def test_a_match_carries_on_from_deal_to_deal(matches: tuple[Experiment, list[Row]]) -> None:
    game = spadille.load("tresillo", deals=LENGTH)
    groups = played_once(matches[1])
    assert list(groups) == [(board, rotation) for board in (0, 1) for rotation in (0, 1, 2)]
    for found in list(groups.values())[:3]:
        assert [row["deal"] for row in found] == list(range(len(found))) and [row["last"] for row in found].index(True) == len(found) - 1
        assert [row["dealer"] for row in found] == [(2 + deal) % 3 for deal in range(len(found))]
        # The same played by the engine's own match, its random numbers set before each deal.
        state, totals = game.start(seed=found[0]["seed"], dealer=2), [Fraction(0)] * 3
        for row, after in zip(found, [*found[1:], found[-1]], strict=True):
            assert not state.match_over
            bots, made = {name: make_bot(name, game) for name in BOTS}, 0
            while (seat := state.seat) is not None:
                state = state.apply(bots[row["bots"][seat]].choose(state.view(seat), chance(row["seed"], seat, made)))
                made += 1
            assert (state.contract, state.outcome) == (row["contract"], row["outcome"])
            totals = [total + Fraction(gain) for total, gain in zip(totals, row["payoffs"], strict=True)]
            state = Match.next_deal(state, after["seed"])
        assert state.match_over and row["winners"] == sorted(state.winners)
        assert totals == [state.world.balance(game.program.accounts[0], seat) for seat in range(3)]
        assert row["winners"] == [seat for seat in range(3) if totals[seat] == max(totals)]


def played_once(found: list[Row]) -> dict[tuple[int, int], list[Row]]:
    """The rows of each match in each rotation."""
    groups: dict[tuple[int, int], list[Row]] = {}
    for row in found:
        groups.setdefault((row["board"], row["rotation"]), []).append(row)
    return groups


def test_each_deal_of_a_match_is_the_same_in_every_rotation(matches: tuple[Experiment, list[Row]]) -> None:
    game, groups = spadille.load("tresillo", deals=LENGTH), played_once(matches[1])
    for board in (0, 1):
        seeds = [[row["seed"] for row in groups[board, rotation]][:LENGTH] for rotation in range(3)]
        assert seeds[0] == seeds[1] == seeds[2] and len({*seeds[0]}) == LENGTH
    # Whatever was played before: the hands of the second deal are those that its seed deals.
    before, row = groups[0, 0][:2]
    first = game.start(seed=row["seed"], dealer=row["dealer"])
    ends = []
    for choice in (0, -1):
        state = game.start(seed=before["seed"], dealer=2)
        while state.seat is not None:
            state = state.apply(state.legal()[choice])
        ends.append(state)
        after = Match.next_deal(state, row["seed"])
        assert [after.view(seat).hand for seat in range(3)] == [first.view(seat).hand for seat in range(3)]
    assert ends[0] != ends[1]


def test_what_matches_say(matches: tuple[Experiment, list[Row]]) -> None:
    one, found = matches
    summary = summarize(one.as_json(), found)
    assert (summary.boards, summary.deals) == (2, len(found))
    length, winners, bots, seats = (summary.part(id) for id in ("matches", "winners", "bot_matches", "seats"))
    assert length is not None and winners is not None and bots is not None and seats is not None and summary.part("unfinished") is None
    assert length.lines[0].cells[0].value == len(found) / 6
    ends = [row for row in found if row["last"]]
    assert [line.cells[0].value for line in winners.lines] == [sum(seat in row["winners"] for row in ends) / 6 for seat in range(3)]
    greedy = sum(row["bots"].index("greedy") in row["winners"] for row in ends) / 6
    total = sum(Fraction(row["payoffs"][row["bots"].index("greedy")]) for row in found) / 6
    assert bots.lines[0].name == "greedy" and [cell.value for cell in bots.lines[0].cells] == [greedy, float(total)]
    # A seat's place counts from the dealer, who moves on.
    eldest = sum(Fraction(row["payoffs"][(row["dealer"] + 1) % 3]) for row in found) / len(found)
    assert seats.lines[0].cells[0].value == float(eldest)


def test_a_match_without_an_end_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("spadille.lab.job.MOST_DEALS", 2)
    one = experiment("tressette-in-tre", bots=("random",), seed=1, matches=True)
    found = flat(rows(one, 2))
    assert [(row["deal"], row["last"], row["winners"]) for row in found] == [(0, False, None), (1, True, None)] * 2
    part = summarize(one.as_json(), found).part("unfinished")
    assert part is not None and part.lines[0].cells[0].value == 1


@pytest.mark.parametrize("workers, size", [(2, 1), (1, 4)])
def test_rows_do_not_depend_on_workers_or_jobs(one: Experiment, plain: list[Row], workers: int, size: int) -> None:
    assert flat(rows(one, DEALS, lambda: ThreadPoolExecutor(workers), size=size)) == plain


def test_a_ruleset_from_a_file_can_be_sent_elsewhere(tmp_path: Path) -> None:
    path = tmp_path / "lab-game.yaml"
    path.write_text(SMALL, encoding="utf-8")
    sent = experiment(str(path), bots=("random",), seed=1)
    path.unlink()
    assert len(flat(rows(sent, 1))) == 1
    with pytest.raises(LabError, match="are others here than in the experiment"):
        flat(rows(replace(sent, rules="0" * 16), 1))


# -------------------------------------------------------------------- workers


class Doomed(ProcessPoolExecutor):
    """A pool of which a worker dies after some jobs, as often as its class may."""

    lives = 1
    made = 0

    def __init__(self) -> None:
        type(self).made += 1
        super().__init__(1, mp_context=get_context("spawn"))
        self.jobs = 0

    def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
        self.jobs += 1
        if self.jobs == 2 and type(self).lives:
            type(self).lives -= 1
            super().submit(os._exit, 3)
        return super().submit(fn, *args, **kwargs)


def test_a_job_whose_worker_died_is_sent_again(one: Experiment, plain: list[Row]) -> None:
    assert flat(rows(one, DEALS, Doomed, size=2)) == plain
    assert (Doomed.lives, Doomed.made) == (0, 2)


PARENT = """
import os
from spadille.lab.run import processes

if __name__ == "__main__":
    print(processes(2)().submit(os.getpid).result(), flush=True)
    input()
"""


def test_workers_do_not_outlive_a_killed_run(tmp_path: Path) -> None:
    script = tmp_path / "parent.py"
    script.write_text(PARENT)
    run = subprocess.Popen([sys.executable, script], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
                           env={**os.environ, "PYTHONPATH": str(ROOT)})  # fmt: skip
    assert run.stdout is not None and int(run.stdout.readline()) != run.pid
    run.kill()
    # The workers hold the pipe too: it ends when the last of them has.
    assert run.communicate(timeout=60)[0] == ""


class Hopeless(Executor):
    """Workers that die of every job."""

    def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
        from concurrent.futures.process import BrokenProcessPool

        future: Future[Any] = Future()
        future.set_exception(BrokenProcessPool())
        return future


def test_a_job_that_kills_every_worker_is_given_up(one: Experiment) -> None:
    with pytest.raises(LabFailure, match=r"job 0 \(boards 0 to 2\) was lost with its worker 3 times"):
        flat(rows(one, 9, Hopeless, size=3))


def test_a_cluster_writes_the_same_file_though_its_workers_are_killed(one: Experiment, plain: list[Row], tmp_path: Path) -> None:
    distributed = pytest.importorskip("distributed")
    settings = {"n_workers": 2, "threads_per_worker": 1, "dashboard_address": None, "silence_logs": 50}
    store, killed = Store(tmp_path / "rows.jsonl", one), set[int]()
    assert store.open(False) == 0
    with distributed.LocalCluster(**settings) as local, distributed.Client(local) as client:
        # Two jobs are out at a time, so that most are yet to come when the workers die.
        for chunk in rows(one, DEALS, cluster(), size=1, ahead=2):
            if not killed:
                # Both at once, so that what they are at is lost whoever has it; their nannies start others.
                killed = set(client.run(os.getpid).values())
                for worker in killed:
                    os.kill(worker, 9)
            store.add(chunk)
        assert len(killed) == 2
        # The command finds the cluster by its address.
        done = spadille_says("report", "hearts", "--deals", 2, "--seed", 3, "--cluster", local.scheduler_address, "--json")
    store.close(True)
    assert [json.loads(line) for line in (tmp_path / "rows.jsonl").read_bytes().splitlines()[1:]] == plain
    assert done.stdout == spadille_says("report", "hearts", "--deals", 2, "--seed", 3, "--workers", 1, "--json").stdout


def test_what_fails_on_a_worker_is_told(one: Experiment) -> None:
    class Broken(ThreadPoolExecutor):
        def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
            return super().submit(import_module, "no_such_module")

    with pytest.raises(LabFailure, match=r"a worker failed at job 0: ModuleNotFoundError: No module named 'no_such_module'"):
        flat(rows(one, 1, Broken))
