"""The laboratory's figures: true, with errors that are as large as they say; tables and pages of them."""

from __future__ import annotations

import json
import random
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest
from lab_rows import BOTS, DEALS, flat, match_rows, one_experiment, plain_rows, spadille_says

from spadille.lab import Experiment, LabError, Row, rows
from spadille.lab.balance import balance
from spadille.lab.compare import Shift, compare
from spadille.lab.experiment import experiment
from spadille.lab.page import balance_page, comparison_page, summary_page
from spadille.lab.statistics import Estimate, Ratios, student
from spadille.lab.store import Store
from spadille.lab.summary import Line, Part, Summary, summarize


@pytest.fixture
def one() -> Experiment:
    return one_experiment()


@pytest.fixture
def plain() -> list[Row]:
    return plain_rows()


@pytest.fixture
def matches() -> tuple[Experiment, list[Row]]:
    return match_rows()


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


def test_the_error_of_a_change_is_the_spread_of_its_estimates() -> None:
    # Two experiments with the same cards: luck makes both win; the second wins a little more often.
    chance, estimates, apart = random.Random(2), [], []
    for _ in range(300):
        first, second = Ratios(), Ratios()
        paired, unpaired = Shift(first, second, True), Shift(first, second, False)
        for _ in range(80):
            luck, plays = chance.random(), chance.choice((1, 2))
            boards = [({"play": plays}, {("play", "won"): int(luck > bar) * plays}) for bar in (0.5, 0.4)]
            first.add(*boards[0])
            second.add(*boards[1])
            paired.add(*boards)
        estimates.append(paired.share("play", "won"))
        apart.append(unpaired.share("play", "won").error)
    mean = sum(one.value for one in estimates) / len(estimates)
    spread = (sum((one.value - mean) ** 2 for one in estimates) / (len(estimates) - 1)) ** 0.5
    claimed = sum(one.error for one in estimates) / len(estimates)
    assert abs(mean - 0.1) < 0.01 and abs(claimed / spread - 1) < 0.12
    # By other cards in each, much more would be claimed to be luck.
    assert claimed < 0.6 * sum(apart) / len(apart)
    assert 0.9 <= sum(one.low <= 0.1 <= one.high for one in estimates) / len(estimates) <= 0.99


def test_a_share_that_never_changed_may_still_do_so() -> None:
    first = Ratios()
    shift = Shift(first, first, True)
    for _ in range(100):
        board = ({"play": 1}, {("play", "won"): 1})
        first.add(*board)
        shift.add(board, board)
    change = shift.share("play", "won")
    assert (change.value, change.error) == (0, 0) and 0.02 < change.high < 0.06 and change.low == -change.high
    assert shift.share("play", "lost").value == 0 and shift.share("match", "won").of == 0


def test_nothing_is_claimed_after_one_deal(one: Experiment, plain: list[Row]) -> None:
    summary = summarize(one.as_json(), plain[:3])
    found = json.loads(json.dumps(summary.as_json(), allow_nan=False))
    assert found["seats"]["seat 0 (eldest)"]["above the mean"]["standard_error"] is None and summary.unfair == ()
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
    assert (summary.boards, summary.deals) == (DEALS, 3 * DEALS)
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
    # The questions add up to all decisions, and answers to how often each was given.
    decisions, answers = summary.part("decisions"), summary.part("answers")
    assert decisions is not None and answers is not None
    asked = {question: sum(row["decisions"].get(question, 0) for row in plain) / (3 * DEALS) for question in ("bid", "play")}
    found = {line.name: line.cells for line in decisions.lines}
    assert found["bid"][0].value == asked["bid"] and found["play"][0].value == asked["play"]
    assert found["any"][0].value == pytest.approx(sum(cells[0].value for name, cells in found.items() if name != "any"))
    forced = sum(row["forced"].get("play", 0) for row in plain) / sum(row["decisions"].get("play", 0) for row in plain)
    assert found["play"][2].value == pytest.approx(forced)
    passes = sum(row["answers"].get("bid: pass", 0) for row in plain) / (3 * DEALS)
    assert next(line.cells[1].value for line in answers.lines if line.name == "bid: pass") == passes
    length = next(spread for spread in summary.spreads if spread.id == "length")
    lengths = sorted(sum(row["decisions"].values()) for row in plain)
    assert (length.of, length.quantile(0), length.quantile(0.5), length.quantile(1)) == (18, lengths[0], lengths[8], lengths[17])


def test_seats_are_not_compared_where_other_bots_sit_in_them(plain: list[Row]) -> None:
    apart = experiment("tresillo", {"stake": "4"}, BOTS, seed=11)
    summary = summarize(apart.as_json(), [row for row in plain if row["rotation"] == 0])
    assert summary.unfair is None
    done = spadille_says("simulate", "tresillo", "--bots", ",".join(BOTS), "--deals", 2)
    assert "no word on fairness: other bots sit in other seats" in done.output


def test_an_unfair_seat_is_named(one: Experiment, plain: list[Row]) -> None:
    gains = [["5", "-2", "-3"], ["4", "-2", "-2"], ["5", "-3", "-2"], ["6", "-3", "-3"]]
    unfair = [row | {"board": board, "rotation": 0, "payoffs": gain} for board, (row, gain) in enumerate(zip(plain, gains, strict=False))]
    alike = replace(one, duplicate=False, bots=("random",) * 3)
    assert 0 in (summarize(alike.as_json(), unfair).unfair or ())


def test_two_runs_are_compared(one: Experiment, plain: list[Row], tmp_path: Path) -> None:
    other = experiment("tresillo", {"stake": "8"}, BOTS, duplicate=True, seed=11)
    found = compare((one.as_json(), plain), (other.as_json(), flat(rows(other, DEALS - 1))))
    assert (found.names, found.paired, found.first.boards) == (("stake=4", "stake=8"), True, DEALS - 1)
    contracts, seats = found.part("contracts"), found.part("seats")
    assert contracts is not None and seats is not None
    assert all((change.value, change.error) == (0, 0) for line in contracts.lines for _, _, change in line.cells)
    for line in seats.lines:
        first, second, change = line.cells[0]
        assert second.value == pytest.approx(2 * first.value) and change.value == pytest.approx(first.value)
        # Twice as much with the same cards: as sure as the first figure itself.
        assert change.error == pytest.approx(first.error)
    # From files, and with other cards in each.
    for path, run in (("a.jsonl", one), ("b.jsonl", replace(other, seed=12))):
        store = Store(tmp_path / path, run)
        store.open(False)
        store.add(plain[:9])
        store.close(True)
    done = spadille_says("report", tmp_path / "a.jsonl", tmp_path / "b.jsonl")
    assert done.exit_code == 0 and "stake=4 seed 11: " in done.output and "other cards in each; changes" in done.output


def test_a_ruleset_is_compared_with_itself_under_another_setting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "120")
    command = ("report", "hearts", "--deals", 2, "--seed", 5, "--workers", 1)
    found = json.loads(spadille_says(*command, "--against", "pass_direction=keep", "--json").output)
    assert found["names"] == ["pass_direction=by_deal_number", "pass_direction=keep"] and found["paired"] is True
    assert found["first"] == json.loads(spadille_says(*command, "--json").output)
    assert found["second"]["decisions"] == json.loads(spadille_says(*command, "--set", "pass_direction=keep", "--json").output)[
        "decisions"
    ] | {"pass": found["second"]["decisions"]["pass"]}
    assert found["changes"]["decisions"]["any"]["in a deal"]["change"]["value"] == -12
    shown = spadille_says(*command, "--against", "pass_direction=keep").output
    assert "not one board differs in: Outcomes: share of deals" in shown and "Decisions: in a deal" in shown


def test_a_game_is_compared_with_its_variant_and_not_with_one_for_more_seats(one: Experiment, plain: list[Row]) -> None:
    heads = [experiment(name, bots=("random",), seed=11).as_json() for name in ("tresillo", "tresillo-es", "hearts")]
    alike = [row for row in plain if row["rotation"] == 0]
    found = compare((heads[0], alike), (heads[1], alike))
    assert (found.names, found.how) == (("tresillo", "tresillo-es"), "the same seeds, compared board by board")
    with pytest.raises(LabError, match="games for 3 and for 4 cannot be compared"):
        compare((heads[0], alike), (heads[2], alike))


def test_deals_are_not_compared_with_matches(one: Experiment, plain: list[Row], matches: tuple[Experiment, list[Row]]) -> None:
    with pytest.raises(LabError, match="deals and whole matches cannot be compared"):
        compare((one.as_json(), plain), (matches[0].as_json(), matches[1]))


def test_bots_in_their_seats_need_no_file() -> None:
    found = json.loads(spadille_says("simulate", "tresillo", "--bots", "greedy,random,random", "--deals", 3, "--json").output)
    assert found["experiment"]["bots"] == ["greedy", "random", "random"] and set(found["bots"]) == {"greedy", "random"}


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
    part = Part("answers", "<b>&", "about <i>", ("share",), (True,), (Line("$x^2$ <i>", (cell,)), Line("pass", (cell,))))
    summary = Summary(one.as_json(), 20, 60, (part,), (), ())
    text = summary_page(summary)
    assert text == summary_page(summary)
    assert text.count("$x^2$ &lt;i&gt;") >= 2 and "<i>" not in text and "&lt;b&gt;&amp;" in text


def test_pages_of_changes_have_plots_and_say_what_is_sure(one: Experiment, plain: list[Row]) -> None:
    pytest.importorskip("matplotlib")
    dearer = [row | {"payoffs": [str(3 * Fraction(gain) + 90) for gain in row["payoffs"]]} for row in plain]
    text = comparison_page(compare((one.as_json(), plain), (replace(one, options=(("stake", "12"),)).as_json(), dearer)))
    assert text.count("<svg") >= 3 and "What changes most surely" in text and "Seats: seat 0 (eldest), chips a deal" in text
    assert "Not one board differs in these: Contracts (share of deals)" in text
    text = balance_page(balance("tresillo", "stake", 2, ("2", "4", "8"), bots=("random",), seed=3))
    assert text.count("<svg") == text.count("</svg>") >= 3 and "<script" not in text


def test_an_option_that_pays_double_doubles_the_gains_alone() -> None:
    found = balance("tresillo", "stake", 6, ("2", "4"), bots=("random",), seed=3)
    assert (found.value, list(found.others)) == ("2", ["4"])
    money = 0
    for part in found.others["4"].parts:
        for line in part.lines:
            for head, (first, second, change) in zip(part.heads, line.cells, strict=True):
                if head in ("chips a deal", "above the mean"):
                    money += 1
                    assert second.value == pytest.approx(2 * first.value) and change.value == pytest.approx(first.value)
                    assert change.error == pytest.approx(first.error)
                else:
                    assert (first.value, change.value, change.error) == (second.value, 0, 0), (part.id, line.name)
    assert money > 6


def test_a_balance_is_the_same_however_it_is_played() -> None:
    settings = {"bots": ("greedy", "random", "random"), "seed": 3, "matches": True, "options": {"deals": "6"}}
    found = balance("tresillo", "stake", 2, ("2", "4"), **settings)  # type: ignore[arg-type]
    assert found == balance("tresillo", "stake", 2, ("2", "4"), **settings, pool=lambda: ThreadPoolExecutor(2))  # type: ignore[arg-type]
    alone = [experiment("tresillo", {"stake": stake, "deals": "6"}, BOTS, False, 3, True) for stake in ("2", "4")]
    assert found.others["4"] == replace(compare(*((one.as_json(), flat(rows(one, 2))) for one in alone)), names=("2", "4"))


def test_the_values_of_an_option_are_all_tried_the_default_first() -> None:
    done = spadille_says("balance", "tresillo", "--vary", "privilege", "--deals", 1, "--workers", 1, "--json")
    assert list(json.loads(done.output)["values"]) == ["any_matador_led", "superior_only", "none"]
