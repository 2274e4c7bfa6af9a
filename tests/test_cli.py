"""The command line: what each command prints, its exit codes, its errors in one line, and what it imports."""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from spadille.cli import main
from spadille.loading import ruleset_ids

ROOT = Path(__file__).resolve().parent.parent
GAMES = ("tresillo", "tressette-accusa", "hearts")
BAD = """\
ruleset: bad
language: 1
title: Bad
players: 3
deck: spanish-40
ranking:
  plain: K C S 7 6 5 4 3 2 A
  trump: K C Z 7 6 5 4 3 2 A
deal: [deal 3 cards to each seat from eldest]
"""


def run(*args: str, given: str | None = None) -> Result:
    """A command run in this process; a traceback fails the test."""
    result = CliRunner().invoke(main, list(args), input=given)
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


def refused(*args: str, code: int = 2) -> str:
    """The one line on standard error of a command that must fail."""
    result = run(*args)
    assert result.exit_code == code, result.output
    assert result.stdout == ""
    lines = result.stderr.splitlines()
    assert len(lines) == 1 and lines[0].startswith("error: "), result.stderr
    return lines[0].removeprefix("error: ")


def shell(*args: str, options: tuple[str, ...] = (), given: str = "") -> subprocess.CompletedProcess[str]:
    """A command run as from the shell."""
    command = [sys.executable, *options, "-m", "spadille", *args]
    return subprocess.run(command, cwd=ROOT, input=given, capture_output=True, text=True, timeout=60, check=False)


# ----------------------------------------------------------------------- usage


@pytest.mark.parametrize(
    "args, message",
    [
        (("chekc",), "unknown command `chekc`; did you mean `check`?"),
        (("xyzzy",), "unknown command `xyzzy`; the commands are list, check, show, play, simulate, test, bench"),
        (("check", "tresilo"), "unknown ruleset `tresilo`; did you mean `tresillo`?"),
        (("show", "tresilo"), "unknown ruleset `tresilo`; did you mean `tresillo`?"),
        (("play", "heart"), "unknown ruleset `heart`; did you mean `hearts`?"),
        (("simulate", "heart"), "unknown ruleset `heart`; did you mean `hearts`?"),
        (("test", "heart"), "unknown ruleset `heart`; did you mean `hearts`?"),
        (("bench", "heart"), "unknown ruleset `heart`; did you mean `hearts`?"),
        (("check", "tresillo", "--set", "stak=3"), "unknown option `stak`; did you mean `stake`?"),
        (("show", "tresillo", "--set", "stake=0"), "`0` is not a value of option `stake`: the least is 1"),
        (("play", "tresillo", "--set", "all_pass=viod"), "`viod` is not a value of option `all_pass`: choose one of void, "),
        (("check", "tresillo", "--set", "stake"), "`--set stake` is no setting; write `--set option=value`"),
        (("simulate", "hearts", "--deals", "0"), "invalid value for '--deals'"),
        (("simulate", "hearts", "--sed", "3"), "no such option '--sed'"),
        (("play",), "name a ruleset, like `spadille play tresillo`, or `--resume FILE`"),
        (("play", "hearts", "--seat", "4"), "there is no seat 4: seats are 0 to 3"),
        (("play", "hearts", "--bots", "gredy"), "unknown bot `gredy`; did you mean `greedy`?"),
        (("play", "tresillo", "--names", "spansh"), "no spansh names for deck `spanish-40`; did you mean `spanish`?"),
        (("play", "hearts", "--watch", "--seat", "1"), "`--watch` leaves no seat for you; leave out `--seat`"),
        (("play", "hearts", "--deal", "--deals", "3"), "`--deal` and `--deals` do not go together"),
    ],
)
def test_wrong_usage_is_one_line(args: tuple[str, ...], message: str) -> None:
    assert refused(*args).startswith(message)


def test_help_names_all_commands() -> None:
    for args in ((), ("--help",)):
        result = run(*args)
        assert result.exit_code == 0
        for command in ("list", "check", "show", "play", "simulate", "test", "bench"):
            assert f"\n  {command} " in result.stdout
            assert run(command, "--help").exit_code == 0
    assert run("--version").stdout.startswith("spadille ")


# ----------------------------------------------------------------------- check


def test_check_is_silent_on_success() -> None:
    for name in GAMES:
        result = run("check", name)
        assert (result.exit_code, result.output) == (0, "")
    assert json.loads(run("check", "hearts", "--format", "json").stdout) == []


def test_check_shows_diagnostics(tmp_path: Path) -> None:
    path = tmp_path / "bad.yaml"
    path.write_text(BAD)
    result = run("check", str(path), "hearts")
    assert result.exit_code == 1
    assert f"{path}:8:14: error[E203]: unknown rank `Z`" in result.stdout
    assert "\x1b" not in result.stdout
    assert "error" in result.stderr.splitlines()[-1]
    found = json.loads(run("check", str(path), "--format", "json").stdout)
    assert [(one["code"], one["line"], one["column"]) for one in found if one["code"] == "E203"] == [("E203", 8, 14)]


def test_check_warnings_fail_only_when_strict(tmp_path: Path) -> None:
    path = tmp_path / "variant.yaml"
    path.write_text("ruleset: variant\nlanguage: 1\nextends: tresillo\ntitle: V\noverride:\n  options.stake.default: 2\n")
    result = run("check", str(path))
    assert result.exit_code == 0 and "warning[" in result.stdout
    assert run("check", str(path), "--strict").exit_code == 1


def test_a_missing_file_is_a_diagnostic(tmp_path: Path) -> None:
    result = run("check", str(tmp_path / "none.yaml"))
    assert result.exit_code == 1 and "cannot be read" in result.stdout


def test_other_commands_show_the_diagnostics_too(tmp_path: Path) -> None:
    path = tmp_path / "bad.yaml"
    path.write_text(BAD)
    for args in (["show"], ["play", "--watch"], ["simulate"], ["bench"]):
        result = run(*args, str(path))
        assert result.exit_code == 1 and result.stdout == ""
        assert "error[E203]" in result.stderr
        assert result.stderr.splitlines()[-1] == f"error: `{path}` cannot be played"


def test_check_imports_little() -> None:
    result = shell("check", "tresillo", options=("-X", "importtime"))
    assert result.returncode == 0 and result.stdout == ""
    imported = {line.rpartition("|")[2].strip() for line in result.stderr.splitlines()}
    assert "dsl.load" in imported
    assert not {"numpy", "numba", "rich", "jsonschema", "interpreter.game", "spadille.cli.play"} & imported


def test_first_prompt_imports_little() -> None:
    result = shell("play", "tresillo", "--seed", "1", options=("-X", "importtime"))
    imported = {line.rpartition("|")[2].strip() for line in result.stderr.splitlines()}
    assert "interpreter.game" in imported and "you are seat 0" in result.stdout
    assert not {"numpy", "numba", "rich", "jsonschema"} & imported


def test_check_is_quick() -> None:
    """Processor time, the best of three: wall time says more about the machine's other work."""
    times = []
    for _ in range(3):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        assert shell("check", "tresillo").returncode == 0
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        times.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    # Without cached bytecode each run also compiles our source.
    assert min(times) < (1.2 if os.environ.get("PYTHONDONTWRITEBYTECODE") else 0.9)


# ------------------------------------------------------------------ list, show


def test_list() -> None:
    result = run("list")
    assert result.exit_code == 0
    assert all(name in result.stdout for name in ruleset_ids())
    found = {one["id"]: one for one in json.loads(run("list", "--json").stdout)}
    assert set(found) == set(ruleset_ids())
    assert (found["tressette"]["extends"], found["tressette"]["players"]) == ("tressette-accusa", 4)
    assert found["tresillo"]["title"] == "Tresillo" and found["tresillo"]["extends"] is None


@pytest.mark.parametrize("name", GAMES)
def test_show_has_all_parts(name: str) -> None:
    result = run("show", name)
    assert result.exit_code == 0
    for heading in ("Deck", "Ranks, from high to low", "Deal", "Play", "Outcomes", "Payments", "Match", "Options", "Sources"):
        assert f"\n{heading}" in result.stdout
    assert "\x1b" not in result.stdout and max(map(len, result.stdout.splitlines())) <= 110


def test_show_ranks_names_and_contracts() -> None:
    text = run("show", "tresillo").stdout
    assert "As 7h Ac Ah Kh Ch Sh 6h 5h 4h 3h 2h" in text and "Kh Ch Sh Ah 2h 3h 4h 5h 6h 7h" in text
    assert "caballo" in text and "queen" in text
    assert "bids: entrada < vuelta < solo" in text
    assert "you must follow the suit led" in text
    assert "Order of the low red trumps." in text and "descending*" in text


def test_show_settles_options() -> None:
    assert "if all pass: throw in" in run("show", "tresillo").stdout
    text = run("show", "tresillo", "--set", "all_pass=penetro", "--set", "red_trump_pips=ascending").stdout
    assert "set contract to penetro" in text and "if all pass: throw in" not in text
    assert "As 7h Ac Ah Kh Ch Sh 2h 3h 4h 5h 6h" in text
    assert "penetro ←" in text


def test_show_json() -> None:
    sheet = json.loads(run("show", "tresillo", "--json").stdout)
    orders = {row["trump"]: row["orders"] for row in sheet["rankings"] if not row["way"]}
    assert orders["espadas"]["espadas"][:3] == ["As", "2s", "Ac"]
    for suits in orders.values():
        assert sorted(card for cards in suits.values() for card in cards) == sorted({c for cards in suits.values() for c in cards})
        assert sum(map(len, suits.values())) == 40
    assert [option["id"] for option in sheet["options"]][:2] == ["french_mapping", "red_trump_pips"]
    worth = {" ".join(row["cards"]): row["worth"] for row in json.loads(run("show", "tressette", "--json").stdout)["worth"]}
    assert worth["A"] == "1" and set(worth.values()) == {"1", "1/3"}


# ------------------------------------------------------- simulate, test, bench


def test_simulate_interpreted() -> None:
    args = ("simulate", "tresillo", "--deals", "40", "--seed", "5", "--interpreted")
    found = json.loads(run(*args, "--json").stdout)
    assert found["deals"] == 40 and sum(ending["deals"] for ending in found["endings"]) == 40
    assert found == json.loads(run(*args, "--json").stdout)
    text = run(*args).stdout
    assert "40 deals with seed 5" in text and "standard error" in text
    assert all(ending["outcome"] in text for ending in found["endings"] if ending["outcome"])


def test_simulate_compiled_says_the_same() -> None:
    args = ("simulate", "hearts", "--deals", "30", "--seed", "2", "--set", "target=50", "--json")
    assert json.loads(run(*args, "--workers", "2").stdout) == json.loads(run(*args, "--interpreted").stdout)


def test_test_runs_cases() -> None:
    result = run("test", "tresillo", "--only", "trick")
    assert result.exit_code == 0 and "0 failed" in result.stdout
    found = json.loads(run("test", "tresillo", "--only", "trick", "--json").stdout)
    assert found and all(case["passed"] and case["kind"] == "trick" for case in found)
    assert "has `nonsense` in its name" in run("test", "tresillo", "--only", "nonsense").stderr


def test_test_says_which_line_failed(tmp_path: Path) -> None:
    path = tmp_path / "wrong.cases.yaml"
    path.write_text("for: tresillo\ncases:\n  - name: wrong winner\n    trick: {trump: copas, cards: 2h 6h 3h, wins: 3h}\n")
    result = run("test", str(path))
    assert result.exit_code == 1
    assert f"{path}:4" in result.stdout and "wrong winner" in result.stdout
    assert "expected 3h, found 6h" in result.stdout
    failure = json.loads(run("test", str(path), "--json").stdout)[0]["failures"][0]
    assert (failure["expected"], failure["found"]) == ("3h", "6h")


def test_a_broken_case_file_is_told(tmp_path: Path) -> None:
    path = tmp_path / "broken.cases.yaml"
    path.write_text("for: tresillo\ncases:\n  - nme: x\n")
    result = run("test", str(path))
    assert result.exit_code == 1 and f"{path}:3" in result.stderr


def test_bench() -> None:
    rows = json.loads(run("bench", "hearts", "--interpreted", "--seconds", "0.05", "--json").stdout)
    assert [row["ruleset"] for row in rows] == ["hearts"]
    assert rows[0]["interpreted"] > 1000 and rows[0]["compiled"] is None
    assert "decisions per second" in run("bench", "hearts", "--interpreted", "--seconds", "0.05").stdout


# ----------------------------------------------------------------------- shell


def test_from_the_shell() -> None:
    result = shell("list")
    assert result.returncode == 0 and "tresillo" in result.stdout and result.stderr == ""
    result = shell("check", "tresilo")
    assert (result.returncode, result.stderr) == (2, "error: unknown ruleset `tresilo`; did you mean `tresillo`?\n")
