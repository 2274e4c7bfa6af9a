"""Coverage of cases: what counts as reached, its renderings, its threshold, and that traced games play like others."""

from __future__ import annotations

import json
import random
from html.parser import HTMLParser
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import spadille
from dsl.source import Source
from interpreter.game import Game
from spadille.casefile import read_cases
from spadille.cli import main
from spadille.coverage.items import KINDS, items_of
from spadille.coverage.measure import Coverage, Measurement
from spadille.loading import read

RULESET = """\
ruleset: tiny
language: 1
title: Tiny
players: 2
deck: spanish-40
options:
  bonus: {choices: [none, last], default: none, about: Whether the last trick counts., source: x}
  stake: {type: integer, min: 1, max: 9, default: 1, about: The stake., source: x}
sources: {x: A source.}
ranking:
  plain: A K C S 7 6 5 4 3 2
score: {unit: points, by: seat, balanced: false}
deal:
  - deal 20 cards to each seat from eldest
play:
  also:
    claim:
      when: trick_number > 19
      because: too early
      do: [end play]
  obligations:
    follow:
      when: some c in hand of player has follows(c, lead)
      must: those c in hand of player with follows(c, lead)
      because: follow suit
    free: {must: hand of player}
outcomes:
  ahead: tricks of eldest > tricks of dealer
  behind: otherwise
payments:
  ahead:
    - eldest scores stake
  bonus:
    when: bonus is last
    pay: winner scores 1
  late:
    when: trick_number is 20
    pay:
      - when: stake > 3
        do: [winner scores 2]
        else: [winner scores 1]
"""


def measured(tmp_path: Path, *cases: str, ruleset: str = RULESET) -> Coverage:
    (tmp_path / "tiny.yaml").write_text(ruleset, encoding="utf-8")
    lines = ["for: tiny", "cases:", *(f"  - {{name: case {n}, {case}}}" for n, case in enumerate(cases))]
    (tmp_path / "tiny.cases.yaml").write_text("\n".join(lines) + "\n", encoding="utf-8")
    file = read_cases(str(tmp_path / "tiny.yaml"))
    measurement = Measurement(file)
    results = [measurement.run(case) for case in file.cases]
    assert all(result.passed for result in results), [result.failures for result in results]
    return measurement.coverage


def reached(coverage: Coverage) -> list[str]:
    return [f"{item.span.line} {item.said}" for item in coverage.own if item.key in coverage.reached]


WON = "score: {given: {tricks: [8, 7], trick_number: 5, winner: 1}, expect: {outcome: ahead, points: [1, 0]}}"
LOST = "score: {given: {tricks: [7, 8], trick_number: 20, winner: 1}, expect: {outcome: behind, points: [0, 1]}}"
OPTIONS = "options: {bonus: last, stake: 4}"
WON_MORE = f"{OPTIONS}, " + "score: {given: {tricks: [8, 7], trick_number: 20, winner: 1}, expect: {points: [4, 3]}}"
DEFAULTS = ["7 value bonus is none", "8 value stake is 1"]


def test_an_outcome_and_its_payment(tmp_path: Path) -> None:
    assert reached(measured(tmp_path, WON)) == [
        *DEFAULTS, "28 outcome ahead", "31 payment ahead", "34 when bonus is last fails", "37 when trick_number is 20 fails",
    ]  # fmt: skip


def test_both_sides_of_a_when_that_options_settle(tmp_path: Path) -> None:
    found = reached(measured(tmp_path, LOST, WON_MORE))
    assert {"34 when bonus is last holds", "34 when bonus is last fails", "39 when stake > 3 holds", "39 when stake > 3 fails"} <= set(
        found
    )
    assert {"7 value bonus is last", "8 value stake is not 1", "33 payment bonus", "36 payment late"} <= set(found)


def test_a_when_inside_a_row_that_does_not_apply_is_not_reached(tmp_path: Path) -> None:
    assert not [line for line in reached(measured(tmp_path, WON)) if "stake > 3" in line]


@pytest.mark.parametrize(
    ("case", "lines"),
    [
        ("legal: {led: As, hand: Ks 2c, is: Ks, rung: follow}",
         ["18 when trick_number > 19 fails", "22 rung follow", "23 when some c in hand of player has follows(c, lead) holds"]),
        ("legal: {led: As, hand: Kd 2c, is: all, rung: free}",
         ["18 when trick_number > 19 fails", "23 when some c in hand of player has follows(c, lead) fails", "26 rung free"]),
        ("legal: {led: As, hand: Kd 2c, is: all, rung: free, given: {trick_number: 20}}",
         ["18 when trick_number > 19 holds", "23 when some c in hand of player has follows(c, lead) fails", "26 rung free"]),
    ],
)  # fmt: skip
def test_the_rung_that_decides_and_the_conditions_of_answers(tmp_path: Path, case: str, lines: list[str]) -> None:
    assert sorted(set(reached(measured(tmp_path, case))) - set(DEFAULTS)) == lines


def test_an_answer_counts_when_it_is_given() -> None:
    """The claim of the first case is given, so the answer counts; nobody says that he goes on."""
    file = read_cases("tresillo")
    claims = Measurement(file)
    for case in file.cases:
        if case.kind == "deal" and "claim" in case.name:
            claims.run(case)
    answers = {item.name: item.key in claims.coverage.reached for item in claims.coverage.own if item.kind == "answer"}
    assert answers["claim"]


def test_inherited_items_are_shown_and_not_counted() -> None:
    file = read_cases("briscola-4")
    coverage = Measurement(file).coverage
    assert {item.span.source.name for item in coverage.own} == {"rulesets/briscola-4.yaml"}
    assert {item.span.source.name for item in coverage.inherited} == {"rulesets/briscola.yaml"}
    whole = read("briscola")
    assert whole.program is not None
    of_parent = {item.key for item in items_of(whole.program.rules)}
    assert {item.key for item in coverage.inherited} <= of_parent, "an inherited item is the parent's own"


def test_every_kind_of_item_is_found() -> None:
    rules = read("tresillo").program
    assert rules is not None
    assert {item.kind for item in items_of(rules.rules)} == set(KINDS)


# ---------------------------------------------------------------- traced games


@pytest.mark.parametrize("ruleset", ["tresillo", "tressette-accusa", "lhombre", "chiamatre"])
def test_a_traced_game_plays_like_any_other(ruleset: str) -> None:
    """Probes change neither what is asked and allowed nor what happens."""
    loaded = read(ruleset, probes=True)
    assert loaded.program is not None
    traced, plain = Game(loaded.program), spadille.load(ruleset)
    assert traced.image.probes and not plain.image.probes
    chance = random.Random(5)
    for seed in range(3):
        one, two = traced.start(seed=seed), plain.start(seed=seed)
        while not two.over:
            assert [str(a) for a in one.legal()] == [str(a) for a in two.legal()] and one.seat == two.seat
            assert one.rung() == two.rung()
            action = str(chance.choice(two.legal()))
            one, two = one.apply(action), two.apply(action)
        assert one.over and one.payoffs == two.payoffs and one.events == two.events


# -------------------------------------------------------------------- commands


def run(*args: str) -> Result:
    result = CliRunner().invoke(main, list(args))
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


class Marks(HTMLParser):
    """The marks of a page's lines, and whether it asks for anything from elsewhere."""

    def __init__(self) -> None:
        super().__init__()
        self.marks: list[str] = []
        self.outside: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if tag == "div":
            self.marks.append(given.get("class") or "")
        self.outside += [value for key, value in attrs if key in ("src", "href") and value and not value.startswith("#")]


def test_the_page_marks_lines_and_needs_nothing_else(tmp_path: Path) -> None:
    measured(tmp_path, WON, "legal: {led: As, hand: Ks 2c, is: Ks, rung: follow}")
    page = tmp_path / "page.html"
    result = run("test", str(tmp_path / "tiny.yaml"), "--html", str(page))
    assert result.exit_code == 0
    seen = Marks()
    seen.feed(page.read_text(encoding="utf-8"))
    assert not seen.outside and len(seen.marks) == len(Source("tiny", RULESET).starts)
    # line 7 holds two values and one is reached; 28 is an outcome that is, 29 one that is not; 1 holds nothing
    assert [seen.marks[line - 1] for line in (7, 28, 29, 1)] == ["some", "all", "none", ""]


def test_a_threshold_is_held(tmp_path: Path) -> None:
    measured(tmp_path, WON)
    path = str(tmp_path / "tiny.yaml")
    assert run("test", path, "--coverage", "--threshold", "20").exit_code == 0
    result = run("test", path, "--coverage", "--threshold", "90")
    assert result.exit_code == 1
    assert result.stderr.startswith("error: the cases of `tiny` reach ") and result.stderr.endswith(" % of it, less than 90 %\n")
    assert "tiny.yaml:26: rung free" in result.stdout
    wrong = run("test", path, "--threshold", "90")
    assert wrong.exit_code == 2 and "`--threshold` goes with `--coverage`" in wrong.stderr


def test_coverage_as_data(tmp_path: Path) -> None:
    coverage = measured(tmp_path, WON)
    data = json.loads(run("test", str(tmp_path / "tiny.yaml"), "--coverage", "--json").stdout)
    assert [case["passed"] for case in data["cases"]] == [True]
    (one,) = data["coverage"]
    assert one["ruleset"] == "tiny" and one["total"] == len(one["items"]) == len(coverage.own)
    assert one["reached"] == sum(item["reached"] for item in one["items"]) == len(reached(coverage))
    ahead = next(item for item in one["items"] if item["kind"] == "outcome" and item["name"] == "ahead")
    assert ahead["line"] == 28 and ahead["reached"]


def test_a_broken_ruleset_is_told_and_nothing_is_measured(tmp_path: Path) -> None:
    measured(tmp_path, WON)
    (tmp_path / "tiny.yaml").write_text(RULESET.replace("A K C S 7", "A K C Z 7"), encoding="utf-8")
    result = run("test", str(tmp_path / "tiny.yaml"), "--coverage")
    assert result.exit_code == 1 and "E203" in result.stdout
