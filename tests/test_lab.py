"""The laboratory: the same rows on any workers, also when they die; runs that go on; figures that are true."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

import spadille
from spadille.bots import make_bot
from spadille.bots.bot import chance
from spadille.cli import main
from spadille.lab import Experiment, LabError, Row, rows
from spadille.lab.balance import balance
from spadille.lab.experiment import experiment
from spadille.lab.page import page
from spadille.lab.run import cluster
from spadille.lab.statistics import Estimate, Ratios, student
from spadille.lab.summary import Line, Part, Summary, summarize

ROOT = Path(__file__).resolve().parent.parent
SMALL = """
ruleset: lab-game
language: 1
extends: hearts
title: A game for the laboratory
override:
  options.target.default: 50
"""
DEALS = 6
BOTS = ("greedy", "random", "random")


@pytest.fixture(scope="module")
def one() -> Experiment:
    return experiment("tresillo", {"stake": "4"}, BOTS, duplicate=True, seed=11)


@pytest.fixture(scope="module")
def plain(one: Experiment) -> list[Row]:
    """The rows of some deals, played in this process one after another."""
    return flat(rows(one, DEALS))


def flat(chunks: Any) -> list[Row]:
    return [row for chunk in chunks for row in chunk]


def spadille_says(*arguments: object) -> Result:
    return CliRunner().invoke(main, [str(argument) for argument in arguments])


# ---------------------------------------------------------------------- rows


def test_a_row_says_how_its_deal_went(one: Experiment, plain: list[Row]) -> None:
    game = spadille.load("tresillo", stake=4)
    assert [(row["deal"], row["rotation"]) for row in plain] == [divmod(number, 3) for number in range(3 * DEALS)]
    assert json.loads(json.dumps(plain)) == plain
    for row in plain[:6]:
        bots = {name: make_bot(name, game) for name in BOTS}
        state, number, forced, branching, words = game.start(seed=row["seed"], dealer=2), 0, 0, 0, []
        while (seat := state.seat) is not None:
            view = state.view(seat)
            action = bots[row["bots"][seat]].choose(view, chance(row["seed"], seat, number))
            number, forced, branching = number + 1, forced + (len(view.legal) == 1), branching + len(view.legal)
            words += [str(action)] if action.card is None else []
            state = state.apply(action)
        assert (row["contract"], row["outcome"], row["payoffs"]) == (state.contract, state.outcome, [str(gain) for gain in state.payoffs])
        assert (row["decisions"], row["forced"], row["branching"]) == (number, forced, branching)
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


def test_a_bot_alone_plays_every_rotation_alike() -> None:
    same = experiment("tressette", bots=("random",), duplicate=True, seed=2)
    for row, other in pairwise(flat(rows(same, 1))):
        assert row | {"rotation": other["rotation"]} == other


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
    with pytest.raises(LabError, match=r"job 0 \(deals 0 to 2\) was lost with its worker 3 times"):
        flat(rows(one, 9, Hopeless, size=3))


def test_a_cluster_gives_the_same_rows_though_a_worker_is_killed(one: Experiment, plain: list[Row]) -> None:
    distributed = pytest.importorskip("distributed")
    settings = {"n_workers": 2, "threads_per_worker": 1, "dashboard_address": None, "silence_logs": 50}
    with distributed.LocalCluster(**settings) as local, distributed.Client(local) as client:
        found: list[Row] = []
        for chunk in rows(one, DEALS, cluster(), size=1):
            if not found:
                os.kill(next(iter(client.run(os.getpid).values())), 9)
            found += chunk
    assert found == plain


# ---------------------------------------------------------------------- files


@pytest.mark.parametrize("ending", ["jsonl", "parquet"])
def test_a_killed_run_goes_on(ending: str, plain: list[Row], tmp_path: Path) -> None:
    if ending == "parquet":
        pytest.importorskip("pyarrow")
    command = ("simulate", "tresillo", "--set", "stake=4", "--bots", ",".join(BOTS), "--duplicate", "--seed", 11, "--workers", 1)
    whole, cut = tmp_path / f"whole.{ending}", tmp_path / f"cut.{ending}"
    assert spadille_says(*command, "--deals", 2, "--out", whole).exit_code == 0
    journal = whole
    if ending == "parquet":
        # What a run that was killed leaves is the journal, made here of a run of the same experiment.
        journal = tmp_path / "journal.jsonl"
        assert spadille_says(*command, "--deals", 2, "--out", journal).exit_code == 0
    lines = journal.read_bytes().splitlines(keepends=True)
    assert [json.loads(line) for line in lines[1:]] == plain[:6]
    left = cut if ending == "jsonl" else tmp_path / "cut.parquet.part.jsonl"
    for kept in (b"".join(lines[:5]) + lines[5][:40], lines[0][:20], b""):
        left.write_bytes(kept)
        assert spadille_says(*command, "--deals", 2, "--out", cut).output.startswith(f"error: `{left}` is there already; `--resume`")
        done = spadille_says(*command, "--deals", 2, "--out", cut, "--resume")
        assert done.exit_code == 0, done.output
        assert ("1 of them before" in done.output) is (len(kept) > 100)
        assert cut.read_bytes() == whole.read_bytes()
        if ending == "parquet":
            assert not left.exists()
            cut.unlink()
    # A run that is whole is made longer.
    assert "3 deals, 2 of them before" in spadille_says(*command, "--deals", 3, "--out", whole, "--resume").output
    report = spadille_says("report", whole, "--json")
    assert json.loads(report.output) == json.loads(json.dumps(summarize(head_of(lines[0]), plain[:9]).as_json()))


def head_of(line: bytes) -> dict[str, Any]:
    head: dict[str, Any] = json.loads(line)["experiment"]
    return head


@pytest.mark.parametrize(
    "change, message",
    [
        (("--seed", 5), "has rows of another experiment: other seed"),
        (("--seed", 4, "--duplicate"), "has rows of another experiment: other duplicate"),
        (("--seed", 4, "--bots", "greedy"), "has rows of another experiment: other bots"),
        (("--seed", 4, "--set", "stake=4"), "has rows of another experiment: other rules, options"),
    ],
)
def test_rows_of_another_experiment_are_refused(change: tuple[object, ...], message: str, tmp_path: Path) -> None:
    out = tmp_path / "rows.jsonl"
    assert spadille_says("simulate", "tresillo", "--deals", 1, "--seed", 4, "--out", out).exit_code == 0
    before = out.read_bytes()
    done = spadille_says("simulate", "tresillo", "--deals", 2, "--out", out, "--resume", *change)
    assert (done.exit_code, message in done.output) == (1, True), done.output
    assert out.read_bytes() == before


@pytest.mark.parametrize(
    "text, message",
    [
        (b"", "is no file of rows"),
        (b'{"record": 1}\n', "is no file of rows"),
        (b"[" * 100_000, "is no file of rows"),
        (b'{"spadille":"rows","format":99,"experiment":{}}\n', "has rows of format 99, and only 1 is known here"),
        (b'{"spadille":"rows","format":1,"experiment":{}}\n', "there are no rows to report on"),
        (b'{"spadille":"rows","format":1,"experiment":{}}\n{"deal": 0}\n', "line 2: this is no row"),
        (b'{"spadille":"rows","format":1,"experiment":{}}\nnonsense\n', "line 2: this is no row"),
    ],
)
def test_files_that_are_none(text: bytes, message: str, tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    path.write_bytes(text)
    done = spadille_says("report", path)
    assert (done.exit_code, done.output.count("\n"), message in done.output) == (1, 1, True), done.output


@pytest.mark.parametrize(
    "arguments, message",
    [
        (("simulate", "tresillo", "--bots", "gredy", "--out", "x.jsonl"), "unknown bot `gredy`; did you mean `greedy`?"),
        (("simulate", "tresillo", "--bots", "greedy,random", "--out", "x.jsonl"), "`tresillo` has 3 seats, and 2 bots are given"),
        (("simulate", "tresillo", "--bots", "greedy"), "`--bots` needs `--out FILE`"),
        (("simulate", "tresillo", "--out", "x.csv"), "a file that ends in .jsonl or .parquet"),
        (("report", "tresilo"), "unknown ruleset `tresilo`; did you mean `tresillo`?"),
        (("report", "x.jsonl"), "`x.jsonl` cannot be read"),
        (("report", "x.jsonl", "--deals", "3"), "only `--json` and `--html` go with it"),
        (("balance", "tresillo", "--vary", "stak"), "unknown option `stak`; did you mean `stake`?"),
        (("balance", "tresillo", "--vary", "stake"), "`stake` is a number: name the values to try"),
        (("balance", "tresillo", "--vary", "privilege", "--values", "none,all"), "`all` is not a value of option `privilege`"),
        (("balance", "tresillo", "--vary", "privilege", "--set", "privilege=none"), "cannot be varied and set at once"),
    ],
)
def test_wrong_usage_is_told(arguments: tuple[str, ...], message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    done = spadille_says(*arguments)
    assert not list(tmp_path.iterdir())
    assert done.exit_code in (1, 2) and message in done.output and done.output.startswith("error: "), done.output


# -------------------------------------------------------------------- figures


def test_the_error_of_a_ratio_is_the_spread_of_its_estimates() -> None:
    # Many samples of a known population: deals of two plays that hang together.
    chance, estimates = random.Random(1), []
    for _ in range(300):
        ratios = Ratios()
        for _ in range(60):
            luck = chance.random()
            ratios.add({"play": 2}, {("play", "won"): sum(chance.random() < luck for _ in range(2))})
        estimates.append(ratios.share("play", "won"))
    mean = sum(one.value for one in estimates) / len(estimates)
    spread = (sum((one.value - mean) ** 2 for one in estimates) / (len(estimates) - 1)) ** 0.5
    claimed = sum(one.error for one in estimates) / len(estimates)
    assert abs(mean - 0.5) < 0.01 and abs(claimed / spread - 1) < 0.12
    # Single plays would have claimed less.
    assert claimed > 1.1 * (0.25 / 120) ** 0.5
    covered = sum(one.low <= 0.5 <= one.high for one in estimates) / len(estimates)
    assert 0.91 <= covered <= 0.99


def test_the_reach_of_intervals() -> None:
    # From published tables of Student's distribution.
    for freedom, reach in ((1, 12.706), (2, 4.303), (3, 3.182), (5, 2.571), (10, 2.228), (30, 2.042), (1000, 1.962)):
        assert student(freedom) == pytest.approx(reach, abs=0.01 if freedom == 3 else 0.001)


def test_nothing_is_claimed_after_one_deal(one: Experiment, plain: list[Row]) -> None:
    summary = summarize(one.as_json(), plain[:3])
    found = json.loads(json.dumps(summary.as_json(), allow_nan=False))
    assert found["seats"]["seat 0"]["above the mean of all seats"]["standard_error"] is None and summary.unfair == ()
    assert all(cell["share of deals"]["high"] > 0.5 for cell in found["outcomes"].values())


def test_a_share_never_seen_may_still_be() -> None:
    ratios = Ratios()
    for _ in range(100):
        ratios.add({"play": 1}, {("play", "always"): 1})
    never, always = ratios.share("play", "never"), ratios.share("play", "always")
    assert (never.value, never.low, always.value, always.high) == (0, 0, 1, 1)
    assert 0.02 < never.high < 0.06 and 0.94 < always.low < 0.98


def test_a_summary_adds_up(one: Experiment, plain: list[Row]) -> None:
    summary = summarize(one.as_json(), plain)
    assert (summary.deals, summary.plays) == (DEALS, 3 * DEALS)
    for id in ("contracts", "outcomes"):
        part = summary.part(id)
        assert part is not None and abs(sum(line.cells[0].value for line in part.lines) - 1) < 1e-9
    seats, bots, declarer = (summary.part(id) for id in ("seats", "bots", "declarer"))
    assert seats is not None and bots is not None and declarer is not None
    gains = [[Fraction(text) for text in row["payoffs"]] for row in plain]
    assert [line.cells[0].value for line in seats.lines] == [float(sum(g[s] for g in gains) / (3 * DEALS)) for s in range(3)]
    assert abs(sum(line.cells[1].value for line in seats.lines)) < 1e-9
    greedy = sum(g[row["bots"].index("greedy")] for row, g in zip(plain, gains, strict=True)) / (3 * DEALS)
    assert [line.name for line in bots.lines] == ["greedy", "random"] and bots.lines[0].cells[0].value == float(greedy)
    played = [(row, g[row["declarer"]]) for row, g in zip(plain, gains, strict=True) if row["declarer"] is not None]
    assert declarer.lines[0].cells[0].value == pytest.approx(sum(gain > 0 for _, gain in played) / len(played))
    assert sum(line.cells[0].of for line in declarer.lines[1:]) == declarer.lines[0].cells[0].of == len(played)


def test_a_report_is_a_page_with_plots(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    path = tmp_path / "report.html"
    done = spadille_says("report", "tresillo", "--deals", 3, "--workers", 1, "--html", path)
    assert done.exit_code == 0 and "Outcomes" in done.output
    text = path.read_text(encoding="utf-8")
    assert text.count("<svg") == text.count("</svg>") >= 4 and "<script" not in text and "http-equiv" not in text


def test_a_page_is_the_same_again_and_shows_names_as_they_are(one: Experiment) -> None:
    pytest.importorskip("matplotlib")
    cell = Estimate(0.5, 0.1, 0.3, 0.7, 20)
    part = Part("answers", "<b>&", ("share",), (True,), (Line("$x^2$ <i>", (cell,)), Line("pass", (cell,))))
    summary = Summary(one.as_json(), 20, 60, (part,), ())
    text = page(summary)
    assert text == page(summary)
    assert text.count("$x^2$ &lt;i&gt;") >= 2 and "<i>" not in text and "&lt;b&gt;&amp;" in text


def test_an_option_that_pays_double_doubles_the_gains_alone() -> None:
    found = balance("tresillo", "stake", 6, ("2", "4"), bots=("random",), seed=3)
    two, four = ({effect.measure: effect for effect in found.values[value]} for value in ("2", "4"))
    assert all(effect.change is None for effect in two.values())
    for measure, effect in four.items():
        assert effect.change is not None
        assert effect.change.value == pytest.approx(effect.mean.value - two[measure].mean.value)
        if not measure.startswith("gain"):
            assert (effect.change.value, effect.change.error) == (0, 0), measure
    assert any(effect.change is not None and effect.change.value for effect in four.values())


def test_the_values_of_an_option_are_all_tried_the_default_first() -> None:
    done = spadille_says("balance", "tresillo", "--vary", "privilege", "--deals", 1, "--workers", 1, "--json")
    assert list(json.loads(done.output)["values"]) == ["any_matador_led", "superior_only", "none"]
