"""The laboratory's files: rows that outlive their run, in one run's hands at a time; wrong input told."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from lab_rows import BOTS, DEALS, ROOT, head_of, match_rows, one_experiment, plain_rows, spadille_says

from spadille.lab import Experiment, LabError, Row, rows
from spadille.lab.store import Store, open_rows
from spadille.lab.summary import summarize


@pytest.fixture
def one() -> Experiment:
    return one_experiment()


@pytest.fixture
def plain() -> list[Row]:
    return plain_rows()


@pytest.fixture
def matches() -> tuple[Experiment, list[Row]]:
    return match_rows()


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
    assert head_of(lines[0])["ruleset"] == "tresillo" and [json.loads(line) for line in lines[1:]] == plain[:6]
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


def test_a_killed_run_of_matches_goes_on_with_the_next_match(matches: tuple[Experiment, list[Row]], tmp_path: Path) -> None:
    one, found = matches
    path = tmp_path / "rows.jsonl"
    store = Store(path, one)
    store.open(False)
    store.add(found)
    store.close(True)
    whole = path.read_bytes()
    lines = whole.splitlines(keepends=True)
    # Once the first match has been played in every seat it is kept; whatever there is of the second is played again.
    first = sum(row["board"] == 0 for row in found)
    for kept, done in ((first, 0), (first + 1, 1), (len(lines) - 1, 1), (len(lines), 2)):
        path.write_bytes(b"".join(lines[:kept]))
        again = Store(path, one)
        assert again.open(True) == done
        again.add(found[[0, first, len(found)][done] :])
        again.close(True)
        assert path.read_bytes() == whole
    path.write_bytes(b"".join((*lines[:3], *lines[4:])))
    with pytest.raises(LabError, match="line 4: board 0, rotation 0, deal 2 is due here"):
        Store(path, one).open(True)


def test_parquet_grows_by_groups_and_has_the_rows_of_the_journal(
    one: Experiment, plain: list[Row], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    monkeypatch.setattr("spadille.lab.parquet.GROUP", 5)
    path, journal = tmp_path / "rows.parquet", tmp_path / "rows.parquet.part.jsonl"
    store = Store(path, one)
    store.open(False)
    for start in range(0, 9, 3):
        store.add(plain[start : start + 3])
    assert (tmp_path / "rows.parquet.part").stat().st_size > 4  # a group is there before the end
    store.close(False)
    assert not (tmp_path / "rows.parquet.part").exists() and list(open_rows(journal)[1]) == plain[:9]
    with pytest.raises(LabError, match=r"`rows\.parquet\.part\.jsonl` has what is there"):
        monkeypatch.chdir(tmp_path)
        open_rows(Path("rows.parquet"))
    store = Store(path, one)
    assert store.open(True) == 3
    store.add(plain[9:])
    store.close(True)
    file = parquet.ParquetFile(path)
    assert [file.metadata.row_group(number).num_rows for number in range(file.num_row_groups)] == [5, 5, 5, 3]
    head, found = open_rows(path)
    assert head["hash"] == one.hash and list(found) == plain and not journal.exists()
    # A kill while the journal is filled again from the file loses nothing.
    journal.write_bytes(b"")
    store = Store(path, one)
    assert store.open(True) == DEALS
    store.close(True)
    assert list(open_rows(path)[1]) == plain


@pytest.mark.parametrize("ending", ["jsonl", "parquet"])
def test_a_file_is_written_by_one_run_at_a_time(ending: str, one: Experiment, tmp_path: Path) -> None:
    if ending == "parquet":
        pytest.importorskip("pyarrow")
    path = tmp_path / f"rows.{ending}"
    store = Store(path, one)
    store.open(False)
    for resume in (False, True):
        with pytest.raises(LabError, match=r"is being written by another run; wait for it, or write to another file"):
            Store(path, one).open(resume)
    # Also from another process, which is told so and leaves the file as it is.
    before = store.journal.read_bytes()
    command = [sys.executable, "-m", "spadille", "simulate", "tresillo", "--deals", "1", "--out", str(path), "--resume"]
    done = subprocess.run(command, capture_output=True, text=True, env={**os.environ, "PYTHONPATH": str(ROOT)}, check=False)
    assert done.returncode == 2 and "is being written by another run" in done.stderr and store.journal.read_bytes() == before
    store.close(False)
    again = Store(path, one)
    assert again.open(True) == 0
    again.close(False)


KILLED = """
import os, signal, sys
from pathlib import Path
from typing import Any
from spadille.lab.experiment import experiment
from spadille.lab.run import rows
from spadille.lab.store import Store

one = experiment("tresillo", {"stake": "4"}, ("greedy", "random", "random"), True, 11)
store = Store(Path(sys.argv[1]), one)
done = store.open(True)
for chunk in rows(one, 6, done=done):
    store.add(chunk)
    os.kill(os.getpid(), signal.SIGKILL)
"""


def test_a_run_that_is_killed_again_and_again_comes_to_its_end(plain: list[Row], one: Experiment, tmp_path: Path) -> None:
    script, path = tmp_path / "run.py", tmp_path / "rows.jsonl"
    script.write_text(KILLED)
    for done in (1, 2):
        run = subprocess.run([sys.executable, script, path], env={**os.environ, "PYTHONPATH": str(ROOT)}, check=False)
        assert run.returncode == -9 and list(open_rows(path)[1]) == plain[: 3 * done]
    store = Store(path, one)
    for chunk in rows(one, DEALS, done=store.open(True)):
        store.add(chunk)
    store.close(True)
    assert list(open_rows(path)[1]) == plain


@pytest.mark.parametrize(
    "change, message",
    [
        (("--seed", 5), "has rows of another experiment: other seed (4, not 5); give what it was made with, or write to another file"),
        (("--seed", 4, "--duplicate"), "has rows of another experiment: other duplicate (no, not yes);"),
        (("--seed", 4, "--bots", "greedy"), "other bots (random,random,random, not greedy,greedy,greedy);"),
        (("--seed", 4, "--set", "stake=4"), "other options (stake=2, not stake=4);"),
        (("--seed", 4, "--matches", 2), "other matches (no, not yes);"),
    ],
)
def test_rows_of_another_experiment_are_refused(change: tuple[object, ...], message: str, tmp_path: Path) -> None:
    out = tmp_path / "rows.jsonl"
    assert spadille_says("simulate", "tresillo", "--deals", 1, "--seed", 4, "--out", out).exit_code == 0
    before = out.read_bytes()
    done = spadille_says("simulate", "tresillo", "--out", out, "--resume", *change)
    assert (done.exit_code, message in done.output) == (2, True), done.output
    assert out.read_bytes() == before


@pytest.mark.parametrize(
    "text, message",
    [
        (b"", "is no file of rows"),
        (b'{"record": 1}\n', "is no file of rows"),
        (b"[" * 100_000, "is no file of rows"),
        (b'{"spadille":"rows","format":99,"experiment":{"bots":["a"]}}\n', "has rows of format 99, and only 2 is known here"),
        (b'{"spadille":"rows","format":2,"experiment":{"bots":["a"]}}\n', "there are no rows to report on"),
        (b'{"spadille":"rows","format":2,"experiment":{"bots":[]}}\n', "is no file of rows"),
        (b'{"spadille":"rows","format":2,"experiment":{"bots":["a"]}}\n{"deal": 0}\n', "line 2: this is no row"),
        (b'{"spadille":"rows","format":2,"experiment":{"bots":["a"]}}\nnonsense\n', "line 2: this is no row"),
    ],
)
def test_files_that_are_none(text: bytes, message: str, tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    path.write_bytes(text)
    done = spadille_says("report", path)
    assert (done.exit_code, done.output.count("\n"), message in done.output) == (2, 1, True), done.output


BAD: list[tuple[str, Any]] = [
    ("board", -1), ("board", True), ("deal", 1.5), ("last", None), ("bots", []), ("bots", ["greedy"]), ("dealer", "0"), ("contract", 3),
    ("outcome", "\x1b[2J"), ("outcome", "\ud800"), ("declarer", [0]), ("payoffs", [1, 2, 3]), ("payoffs", ["1", "x", "2"]),
    ("payoffs", ["1", "1/0", "2"]), ("payoffs", ["9" * 101, "0", "0"]), ("payoffs", ["1"]), ("payments", {}), ("winners", [None]),
    ("answers", {"bid: pass": None}), ("decisions", {"play": 10**400}), ("forced", {"play": -1}), ("branching", []),
]  # fmt: skip


@pytest.mark.parametrize("key, value", BAD, ids=[f"{key}={str(value)[:12]!r}" for key, value in BAD])
def test_a_row_that_is_none_is_told(key: str, value: Any, one: Experiment, plain: list[Row], tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    store = Store(path, one)
    store.open(False)
    store.add(plain[:6])
    store.close(True)
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join((*lines[:3], json.dumps(plain[2] | {key: value}).encode() + b"\n", *lines[4:])))
    with pytest.raises(LabError, match=r"line 4: this is no row|board 0: "):
        head, found = open_rows(path)
        summarize(head["experiment"], found)


def test_a_board_that_was_not_played_to_its_end_is_not_counted(matches: tuple[Experiment, list[Row]], tmp_path: Path) -> None:
    one, found = matches
    first = sum(row["board"] == 0 for row in found)
    for kept in (first, first + 1, len(found) - 1):
        assert summarize(one.as_json(), found[:kept]) == summarize(one.as_json(), found[:first])
    with pytest.raises(LabError, match="there are no rows to report on"):
        summarize(one.as_json(), found[: first - 1])


@pytest.mark.parametrize(
    "arguments, message",
    [
        (("simulate", "tresillo", "--bots", "gredy", "--out", "x.jsonl"), "unknown bot `gredy`; did you mean `greedy`?"),
        (
            ("simulate", "tresillo", "--bots", "greedy,random"),
            "has 3 seats, and 2 bots are given; name one for all seats, or one for each, like `greedy,random,random`",
        ),
        (("simulate", "tresillo", "--bots", ""), "unknown bot ``; the bots are strong, greedy, random"),
        (("simulate", "tresillo", "--resume"), "`--resume` needs `--out FILE`"),
        (("simulate", "tresillo", "--bots", "greedy", "--interpreted"), "leave out `--interpreted`"),
        (("simulate", "tresillo", "--out", "x.csv"), "a file that ends in .jsonl or .parquet; did you mean `x.jsonl`?"),
        (("simulate", "tresillo", "--out", ""), "rows are written to a file that ends in .jsonl or .parquet"),
        (("simulate", "tresillo", "--out", "no/where.jsonl"), "`no/where.jsonl` cannot be written: no such file or directory"),
        (("simulate", "tresillo", "--deals", "0", "--bots", "greedy"), "0 is not in the range x>=1"),
        (("simulate", "tresillo", "--deals", "2", "--matches", "2"), "`--deals` and `--matches` say two things"),
        (("simulate", "tresillo", "--bots", "greedy", "--set", "stak=4"), "unknown option `stak`; did you mean `stake`?"),
        (("simulate", "tresillo", "--matches", "1", "--set", "stake"), "write `--set option=value`"),
        (("simulate", "tresillo", "--bots", "greedy", "--cluster", "nonsense"), "no cluster answers at `nonsense` (missing port number"),
        (("simulate", "tresillo", "--cluster", "tcp://x:1", "--workers", "2"), "`--workers` is for this machine"),
        (("report", "tresilo"), "unknown ruleset `tresilo`; did you mean `tresillo`?"),
        (("report", "x.jsonl"), "`x.jsonl` cannot be read"),
        (("report", "x.parquet"), "`x.parquet` cannot be read"),
        (("report", "x.jsonl", "--deals", "3"), "only `--json` and `--html` go with it"),
        (("report", "tresillo", "x.jsonl"), "a ruleset is compared with itself by `--against OPTION=VALUE`"),
        (("report", "tresillo", "--against", "stake=2"), "`--against stake=2` is how it is played anyway: name another value"),
        (("report", "tresillo", "--against", "stake"), "write `--against option=value`"),
        (("report", "tresillo", "--against", "stakes=4"), "unknown option `stakes`; did you mean `stake`?"),
        (("report", "tresillo", "--deals", "1", "--html", "no/where.html"), "`no/where.html` cannot be written: no such file or directory"),
        (("balance", "tresillo", "--vary", "stak"), "unknown option `stak`; did you mean `stake`?"),
        (("balance", "tresillo", "--vary", "wind"), "unknown option `wind`; its options are "),
        (("balance", "tresillo", "--vary", "stake"), "`stake` is a number from 1 to 1000: name the values to try, like `--values 2,…`"),
        (("balance", "tresillo", "--vary", "stake", "--values", "2"), "has nothing to be compared with"),
        (("balance", "tresillo", "--vary", "stake", "--values", "2,2"), "is given twice"),
        (("balance", "tresillo", "--vary", "privilege", "--values", "none,all"), "`all` is not a value of option `privilege`"),
        (("balance", "tresillo", "--vary", "privilege", "--set", "privilege=none"), "cannot be varied and set at once"),
    ],
)
def test_wrong_usage_is_told(arguments: tuple[str, ...], message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    done = spadille_says(*arguments)
    assert not list(tmp_path.iterdir())
    assert done.exit_code == 2 and message in done.output and done.output.startswith("error: "), done.output
    assert done.output.count("\n") == 1
