"""Rulesets held against each other: the whole of one, families, what differs in the text and at the table; a variant begun."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import spadille
from dsl.diagnostics import Report
from dsl.printing import format_source
from dsl.source import Source
from spadille.cli import main
from spadille.loading import FOLDER, parents, read

WHIST = """\
ruleset: whist
language: 1
title: Whist
players: 4
deck: french-52
ranking:
  plain: A K Q J 10 9 8 7 6 5 4 3 2
options:
  goal: {choices: [7, 8], default: 7, about: Tricks that win.}
define:
  own: tricks of eldest
deal:
  - deal 1 card to each seat from eldest, 13 times
score: {unit: points, by: seat, balanced: false}
play:
  leads: eldest
  obligations:
    follow:
      when: some c in hand of player has follows(c, lead)
      must: those c in hand of player with follows(c, lead)
      because: you must follow the suit led
    free: {must: hand of player}
outcomes:
  won: own >= goal
  lost: otherwise
payments:
  won: eldest scores own - 6
"""
HEIR = "ruleset: heir\nlanguage: 1\nextends: whist\ntitle: Heir\n"


def run(*arguments: str, code: int = 0) -> Any:
    found = CliRunner().invoke(main, arguments)
    assert found.exit_code == code, found.output + repr(found.exception)
    return found


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "whist.yaml").write_text(WHIST, encoding="utf-8")
    return tmp_path


def heir(folder: Path, text: str) -> str:
    (folder / "heir.yaml").write_text(HEIR + text, encoding="utf-8")
    run("check", "heir.yaml", "--strict")
    return "heir.yaml"


# -------------------------------------------------------------------- resolve


@pytest.mark.parametrize("id", ["tresillo-sin-ver", "quintille-old", "briscola-6", "tressette-in-due"])
@pytest.mark.parametrize("origin", [False, True])
def test_a_resolved_ruleset_is_sound_canonical_and_the_same(id: str, origin: bool) -> None:
    text = run("resolve", id, *["--origin"] * origin).stdout
    assert "extends:" not in text and "\noverride:" not in text
    assert read(text).report.diagnostics == ()
    assert spadille.load(text).hash == spadille.load(id).hash
    assert format_source(Source("x", text), Report(), parents(FOLDER)) == text


def test_options_become_defaults() -> None:
    text = run("resolve", "tresillo", "--set", "stake=4", "--set", "privilege=none").stdout
    game = spadille.load(text)
    assert (game.options["stake"], game.options["privilege"]) == ("4", "none")
    assert game.hash == spadille.load("tresillo", stake=4, privilege="none").hash != spadille.load("tresillo").hash


def test_every_leaf_says_where_it_was_written(folder: Path) -> None:
    name = heir(folder, "override:\n  options.goal.default: 8\n  payments.won: [eldest scores own, throw in]\n")
    lines = run("resolve", name, "--origin").stdout.splitlines()
    wanted = {"    default: 8": "heir.yaml:6", "  won: own >= goal": "whist.yaml:24", "players: 4": "whist.yaml:4"}
    for start, place in wanted.items():
        assert [line.rpartition("# ")[2] for line in lines if line.startswith(start)] == [place]
    rows = json.loads(run("resolve", name, "--origin", "--json", "--set", "goal=7").stdout)
    by_path = {row["path"]: row for row in rows}
    assert by_path["payments.won.2"] == {"path": "payments.won.2", "value": "throw in", "file": "heir.yaml", "line": 7}
    assert by_path["options.goal.default"] == {"path": "options.goal.default", "value": 7, "file": "--set", "line": None}
    for row in rows:
        if row["file"] != "--set":
            line = (folder / row["file"]).read_text(encoding="utf-8").splitlines()[row["line"] - 1]
            assert str(row["value"]).split()[0].lower() in line.lower()
    assert json.loads(run("resolve", name, "--json").stdout)["options"]["goal"]["default"] == 8


def test_a_faulty_ruleset_is_not_resolved(folder: Path) -> None:
    (folder / "heir.yaml").write_text(HEIR + "override:\n  options.gaol.default: 8\n", encoding="utf-8")
    assert "error[E605]" in run("resolve", "heir.yaml", code=1).stderr
    assert run("resolve", "tresilo", code=2).stderr == "error: unknown ruleset `tresilo`; did you mean `tresillo`?\n"


# ----------------------------------------------------------------------- tree


def test_the_tree_says_what_each_changes(folder: Path) -> None:
    name = heir(
        folder,
        "notes: [a word]\npiles:\n  crib: seen by nobody\nplay:\n  obligations:\n    ruff: {before: free, when: no, must: hand of player}\n"
        "override:\n  options.goal.default: 8\n  payments.won: ~\n",
    )
    (found,) = (one for one in json.loads(run("tree", name, "--json").stdout) if one["id"] == "heir")
    assert found == {
        "id": "heir",
        "title": "Heir",
        "extends": "whist",
        "overrides": ["options.goal.default"],
        "removes": ["payments.won"],
        "adds": ["notes", "piles.crib", "play.obligations.ruff"],
    }


def test_the_tree_of_a_ruleset_has_its_family_and_no_other() -> None:
    text = run("tree", "briscola-4").stdout
    assert [line.split()[-3] for line in text.splitlines() if "Briscola in" in line] == ["Briscola", "Briscola"]
    assert "briscola-3" not in text and "tresillo" not in text
    everything = json.loads(run("tree", "--json").stdout)
    assert {one["id"] for one in everything} == set(spadille.ruleset_ids())
    assert {one["id"]: one["extends"] for one in everything}["briscola-6"] == "briscola-4"
    assert "E114" in run("tree", "nowhere.yaml", code=1).stderr


# ----------------------------------------------------------------------- diff


def diff(*arguments: str) -> Any:
    return json.loads(run("diff", *arguments, "--json").stdout)


def test_layout_and_words_are_no_difference(folder: Path) -> None:
    other = WHIST.replace("own >= goal", "(own>=goal)").replace("players", "# four\nplayers").replace("title: Whist", "title: Cards")
    (folder / "other.yaml").write_text(other.replace("ruleset: whist", "ruleset: other"), encoding="utf-8")
    found = diff("whist.yaml", "other.yaml", "--deals", "5")
    assert (found["paths"], found["play"]) == ([], None)
    assert run("diff", "whist.yaml", "other.yaml", "--deals", "5").stdout == (
        "by path: no difference\n\nby play: no difference in 5 random deals\n"
    )
    (title,) = diff("whist.yaml", "other.yaml", "--words", "--deals", "0")["paths"]
    assert (title["path"], title["left"], title["right"]) == ("title", "Whist", "Cards")


def test_paths_and_places_of_a_difference(folder: Path) -> None:
    name = heir(
        folder,
        "play:\n  obligations:\n    heads: {before: follow, when: no, must: hand of player}\n"
        "override:\n  deal.1: deal 13 cards to each seat from eldest\n  payments.won: ~\n",
    )
    found = {one["path"]: one for one in diff("whist.yaml", name, "--deals", "0")["paths"]}
    assert set(found) == {"deal.1", "payments.won", "play.obligations.heads"}
    assert found["deal.1"] == {
        "path": "deal.1",
        "left": "deal 1 card to each seat from eldest, 13 times",
        "right": "deal 13 cards to each seat from eldest",
        "left_place": "whist.yaml:13",
        "right_place": "heir.yaml:9",
        "words": False,
    }
    assert found["payments.won"]["right"] is None and found["play.obligations.heads"]["left"] is None


def test_the_order_of_rungs_is_a_difference(folder: Path) -> None:
    other = WHIST.replace("  won: own >= goal\n", "  nil: own is 0\n  won: own >= goal\n")
    swapped = WHIST.replace("  won: own >= goal\n", "  won: own >= goal\n  nil: own is 0\n")
    for name, text in (("one.yaml", other), ("two.yaml", swapped)):
        (folder / name).write_text(text, encoding="utf-8")
    (found,) = diff("one.yaml", "two.yaml", "--deals", "0")["paths"]
    assert (found["path"], found["left"], found["right"]) == ("outcomes (order)", "nil, won, lost", "won, nil, lost")


SPANISH = """\
override:
  deck: spanish-40
  ranking.plain: A K C S 7 6 5 4 3 2
  deal.1: deal 10 cards to each seat from eldest
"""


@pytest.mark.parametrize(
    ("change", "kind", "answers"),
    [
        ("override:\n  outcomes.won: own >= goal - 1\n", "outcome", 52),
        ("override:\n  payments.won: eldest scores own - 5\n", "payments", 52),
        ("override:\n  play.leads: dealer\n", "question", 0),
        ("override:\n  deal.1: deal 13 cards to each seat from eldest\n", "deal", 0),
        (
            "override:\n  deck: spanish-40\n  ranking.plain: A K C S 7 6 5 4 3 2\n  deal.1: deal 10 cards to each seat from eldest\n",
            "table",
            0,
        ),
        ("override:\n  play.obligations.follow.when: trick_number > 1 and some c in hand of player has follows(c, lead)\n", "legal", 1),
    ],
)
def test_the_smallest_deal_that_differs(folder: Path, change: str, kind: str, answers: int) -> None:
    name = heir(folder, change)
    found = diff("whist.yaml", name, "--deals", "25")["play"]
    assert (found["kind"], len(found["answers"])) == (kind, answers)
    if kind == "table":
        return
    # The clash can be played again: up to the last answer both say the same, and then they part.
    left, right = (spadille.load(one).start(seed=found["seed"]) for one in ("whist.yaml", name))
    for seat, answer in found["answers"]:
        assert left.seat == right.seat == seat and set(left.legal()) == set(right.legal())
        left, right = left.apply(answer), right.apply(answer)
    said = {
        "outcome": lambda state: state.outcome,
        "payments": lambda state: state.payoffs,
        "question": lambda state: state.seat,
        "legal": lambda state: {str(action) for action in state.legal()},
        "deal": lambda state: state.view(0).hand,
    }[kind]
    assert said(left) != said(right)
    assert run("diff", "whist.yaml", name, "--deals", "25").stdout.count("\n") > 5


def test_options_of_either_side() -> None:
    found = diff("tresillo", "tresillo", "--right", "equal_bid=strict", "--deals", "20")
    assert [one["path"] for one in found["paths"]] == ["options.equal_bid.default"]
    assert found["play"]["kind"] == "legal" and set(found["play"]["right"]) < set(found["play"]["left"])
    assert diff("tresillo", "tresillo", "--set", "equal_bid=strict", "--deals", "3")["paths"] == []


# ------------------------------------------------------------------------ new


@pytest.mark.parametrize("parent", ["tresillo", "tressette-in-due", "hearts", "skat"])
def test_a_new_variant_checks_clean_and_its_case_passes(parent: str, tmp_path: Path) -> None:
    run("new", "my-game", "--from", parent, "--folder", str(tmp_path), "--title", "Mine: my own")
    file, cases = tmp_path / "my-game.yaml", tmp_path / "my-game.cases.yaml"
    assert run("check", "--strict", str(file)).output == ""
    assert "1 case: 1 passed" in run("test", str(file)).output
    assert run("fmt", "--check", str(file), str(cases)).output == ""
    assert spadille.load(str(file)).title == "Mine: my own"
    # The lines that a reader may try are right.
    text = file.read_text(encoding="utf-8")
    tried = re.sub(r"^#\w+:\n(#  .*\n)+", lambda block: block.group().replace("\n#", "\n")[1:], text, flags=re.MULTILINE)
    assert tried != text and "\noverride:" in tried and "\nnotes:" in tried
    file.write_text(tried, encoding="utf-8")
    assert run("check", "--strict", str(file)).output == ""
    assert spadille.load(str(file)).options != spadille.load(parent).options


def test_settings_become_overrides(tmp_path: Path) -> None:
    run("new", "dear", "--from", "tresillo", "--folder", str(tmp_path), "--set", "stake=4", "--set", "privilege=none")
    game = spadille.load(str(tmp_path / "dear.yaml"))
    assert (game.options["stake"], game.options["privilege"], game.title) == ("4", "none", "Dear")


def test_nothing_is_overwritten(folder: Path) -> None:
    (folder / "mine.cases.yaml").write_text("precious", encoding="utf-8")
    found = run("new", "mine", "--from", "tresillo", code=1)
    assert found.stderr == "error: `mine.cases.yaml` is there already, and is not overwritten\n"
    assert sorted(one.name for one in folder.iterdir()) == ["mine.cases.yaml", "whist.yaml"]
    assert (folder / "mine.cases.yaml").read_text(encoding="utf-8") == "precious"


def test_a_parent_may_be_a_file_beside_it(folder: Path) -> None:
    run("new", "ours", "--from", "whist.yaml")
    run("check", "--strict", "ours.yaml")
    assert "lies in the folder of its parent" in run("new", "theirs", "--from", "whist.yaml", "--folder", "sub", code=2).stderr


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("My Game", "--from", "tresillo"), "`My Game` is no id: small letters, digits and `-`, a letter first; did you mean `my-game`?"),
        (("../up", "--from", "tresillo"), "`../up` is no id: small letters, digits and `-`, a letter first; did you mean `up`?"),
        (("hearts", "--from", "tresillo"), "`hearts` comes with Spadille; choose another id"),
        (("mine",), "give the parent: `--from tresillo`"),
        ((), "give an id: `spadille new my-game --from tresillo`"),
        (("mine", "--from", "tresilo"), "unknown ruleset `tresilo`; did you mean `tresillo`?"),
        (("mine", "--from", "tresillo", "--set", "stak=4"), "unknown option `stak`; did you mean `stake`?"),
        (("mine", "--from", "tresillo", "--title", " "), "the title must be a line of at most 200 characters"),
    ],
)
def test_wrong_usage_of_new(arguments: tuple[str, ...], message: str, folder: Path) -> None:
    assert run("new", *arguments, code=2).stderr == f"error: {message}\n"
    assert [one.name for one in folder.iterdir()] == ["whist.yaml"]


def test_new_asks_for_what_is_missing(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("spadille.cli.new.someone_is_there", lambda: True)
    found = CliRunner().invoke(main, ["new"], input="mine\nhearts\n\n")
    assert found.exit_code == 0, found.output
    assert spadille.load("mine.yaml").title == "Mine"
