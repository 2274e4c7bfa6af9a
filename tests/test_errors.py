"""What an author is told: a failing sample per code, with its exact place, words and suggestion.

The samples are data in `tests/errors/`. Most are a change to the small ruleset `dsl/explanations/base.yaml`: `change` lists texts
that occur once and what they become, `add` is put at the end; `text` is a whole file instead. `at` is line and column.
In the samples of `author.yaml` the place is marked «so» in a change to a shipped ruleset.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
import yaml
from click.testing import CliRunner

from dsl.codes import CODES
from dsl.codes import FOLDER as EXPLANATIONS
from dsl.diagnostics import Report, render_json, render_text
from dsl.idle import warn_of_idle_values
from dsl.judge import judge
from dsl.load import Loaded, load
from dsl.source import Source
from dsl.yamltext import read
from spadille.cli import main
from spadille.explanation import told

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "tests" / "errors"
BASE = (EXPLANATIONS / "base.yaml").read_text(encoding="utf-8")
KNOWN = ("base", "hearts", "tressette")

Sample = dict[str, Any]


def read_samples() -> list[Sample]:
    """All samples; every scalar is text, so that `yes` and `1` stay what they are."""
    found: list[Sample] = []
    for path in sorted(FOLDER.glob("*.yaml")):
        # BaseLoader makes plain texts of plain data.
        found += yaml.load(path.read_text(encoding="utf-8"), Loader=yaml.BaseLoader)
    return found


SAMPLES = read_samples()


def find(id: str) -> Source | None:
    """Parents: the small ruleset, and a chain of rulesets without end."""
    if id == "base":
        return Source("base.yaml", BASE)
    if id.startswith("chain-"):
        return Source(f"{id}.yaml", f"ruleset: {id}\nlanguage: 1\nextends: chain-{int(id[6:]) + 1}\n")
    return None


def text_of(sample: Sample) -> tuple[str, int, int]:
    """The text of a sample, and the marked place if there is one."""
    text: str = sample.get("text") or BASE
    if "ruleset" in sample:
        text = (ROOT / "rulesets" / f"{sample['ruleset']}.yaml").read_text(encoding="utf-8")
    for old, new in sample.get("change", ()):
        assert text.count(old) == 1, f"{old!r} occurs {text.count(old)} times"
        text = text.replace(old, new)
    text += sample.get("add", "")
    start, end = text.find("«"), text.find("»")
    return (text.replace("«", "").replace("»", ""), start, end - 1) if start >= 0 else (text, -1, -1)


def checked(sample: Sample) -> Loaded:
    return load(Source("sample.yaml", text_of(sample)[0]), find, KNOWN, sample.get("options"))


def title(sample: Sample) -> str:
    return f"{sample['code']} {sample['name']}"


# --------------------------------------------------------------------- samples


def test_the_small_ruleset_is_sound() -> None:
    loaded = load(Source("base.yaml", BASE), find)
    assert loaded.program is not None and loaded.report.diagnostics == ()


@pytest.mark.parametrize("sample", SAMPLES, ids=title)
def test_a_mistake_is_told_once_at_its_place_in_these_words(sample: Sample) -> None:
    loaded = checked(sample)
    # One mistake gives one message: what follows from it is not told.
    assert [str(found) for found in loaded.report.diagnostics if found.code != sample["code"]] == []
    (found,) = loaded.report.diagnostics
    assert (loaded.program is None) is (found.severity == "error")
    start, end = text_of(sample)[1:]
    if start >= 0:
        assert (found.span.start, found.span.end) == (start, end), str(found)
    else:
        assert (f"{found.span.line}:{found.span.column}", found.span.text) == (sample["at"], sample["underlined"])
    assert found.message == sample["message"]
    assert found.label.text == sample.get("label", "")
    assert found.help == sample.get("help")
    assert [f"{other.span.line}:{other.span.column} {other.text}" for other in found.others] == sample.get("others", [])


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        # A misspelt key is read as what it stands for: all else that is wrong is told too, and nothing that is not.
        ([("piles:", "pyles:"), ("tricks of boss > 1", "tricks of bos > 1")], ["24:1 E120", "64:18 E210"]),
        ([("obligations:", "obligatons:"), ("follows(c, lead)", "follows(c, led)")], ["57:3 E120", "59:55 E210"]),
        ([("prepare: [set trump to hounds]", "prepar: [set trump to hounds]"), ("match:\n", "mtch:\n")], ["52:11 E120", "73:1 E120"]),
        (
            [("variables:", "varables:"), ("deal:\n", "dael:\n"), ("deck to stock", "deck to stok")],
            ["27:1 E120", "38:1 E120", "40:25 E214"],
        ),
        # What else the schema refuses is left out: only texts that do not parse are told, for a name may be one left out.
        ([("boss: seat", "boss: [seat]"), ("of boss > 1", "off boss > 1")], ["28:9 E122", "64:15 E304"]),
        ([("boss: seat", "boss: [seat]"), ("of boss > 1", "of bos > 1")], ["28:9 E122"]),
        ([("players: 3", "players: three"), ("with follows(c, lead)", "wiht follows(c, lead)")], ["4:10 E122", "59:39 E304"]),
        ([("ruleset: base\n", ""), ("with follows(c, lead)", "wiht follows(c, lead)")], ["1:1 E121", "58:39 E304"]),
        # Where it is not known how the rest is to be read, it is not.
        ([("use: [auctions]", "use: {auctions}"), ("of boss > 1", "off boss > 1")], ["11:6 E122"]),
        ([("language: 1", "language: 9"), ("of boss > 1", "off boss > 1")], ["2:11 E128"]),
    ],
)
def test_a_fault_of_keys_or_values_does_not_hide_those_of_the_texts(changes: list[tuple[str, str]], told: list[str]) -> None:
    text = BASE
    for old, new in changes:
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    loaded = load(Source("sample.yaml", text), find, KNOWN)
    assert loaded.program is None
    assert [f"{one.span.line}:{one.span.column} {one.code}" for one in loaded.report.diagnostics] == told


@pytest.mark.parametrize("sample", SAMPLES, ids=title)
def test_a_message_is_written_for_a_card_player(sample: Sample) -> None:
    for found in checked(sample).report.diagnostics:
        for text in (found.message, found.label.text, found.help or "", *(other.text for other in found.others)):
            assert text == text.strip() and not text.endswith("."), text
            plain = re.sub(r"`[^`]*`", "", text)
            assert not re.search(r"\b[A-Z][a-z]+[A-Z]\w*|\b(None|True|False|Traceback|int|str|NoneType|Token|tree|core)\b", plain), text
        assert found.message[0] == "`" or not found.message[0].isupper() or found.message[:4] == "YAML"


def test_a_message_is_shown_with_its_line_underlined() -> None:
    (sample,) = (one for one in SAMPLES if one["name"] == "a misspelt rank in an order")
    (found,) = checked(sample).report.diagnostics
    assert render_text(found).splitlines() == [
        "sample.yaml:22:17: error[E203]: unknown rank `X` in the order `trump`",
        "   |",
        "22 |   trump: best A X Q",
        "   |                 ^ not a rank of the deck (A K Q J)",
        "   = help: did you mean `K`?",
        "   = see: spadille explain E203",
    ]
    (plain,) = render_json(checked(sample).report)
    assert (plain["code"], plain["line"], plain["column"], plain["end_column"]) == ("E203", 22, 17, 18)


def test_all_mistakes_of_a_file_are_told_at_once() -> None:
    text = (
        BASE.replace("trump: best A K Q", "trump: best A X Q")
        .replace("tricks of boss > 1", "tricsk of boss > 1")
        .replace("deals_played >= 3", "deals_played >= three")
    )
    loaded = load(Source("sample.yaml", text), find)
    assert [(found.code, found.span.text) for found in loaded.report.diagnostics] == [("E203", "X"), ("E210", "tricsk"), ("E210", "three")]


def test_a_file_of_mistakes_is_given_up_in_time() -> None:
    rows = "".join(f"  d{number}: nothing_{number}\n" for number in range(400))
    loaded = load(Source("sample.yaml", BASE.replace("define:\n", f"define:\n{rows}")), find)
    assert len(loaded.report.diagnostics) == 200 and loaded.program is None


def test_a_value_that_changes_nothing_is_found() -> None:
    report = Report()
    # Both values of the option give the same trump orders once its one reader is gone from the plain ones.
    text = BASE.replace('"{A K Q J if order is high else K Q J A}"', '"{A K Q J if order is high else A K Q J}"')
    warn_of_idle_values(Source("sample.yaml", text), find, report)
    (found,) = report.diagnostics
    assert (found.code, found.severity, f"{found.span.line}:{found.span.column}", found.span.text) == ("W703", "warning", "15:27", "low")


def test_what_only_the_library_refuses_is_told_too() -> None:
    document = read(Source("sample.yaml", BASE + "plays: 3\n"), Report())
    assert document is not None
    report = Report()
    assert not judge(document, "ruleset", report)
    assert [found.code for found in report.errors] == ["E127"]


# ----------------------------------------------------------------------- codes


def codes_in(paths: list[Path]) -> set[str]:
    return {code for path in paths for code in re.findall(r"\b[EW]\d{3}\b", path.read_text(encoding="utf-8"))}


def test_every_code_is_explained_and_every_explanation_is_used() -> None:
    files = [path for folder in ("dsl", "interpreter", "spadille") for path in (ROOT / folder).rglob("*.py") if path.name != "codes.py"]
    assert codes_in(files) == set(CODES)
    for id, code in CODES.items():
        assert code.title[0].islower() or code.title.startswith(("YAML", "UTF")), id
        for text in (code.what, code.why):
            assert text.endswith(".") and len(text) > 20 and "  " not in text, id
        assert code.what != code.why, id


@pytest.mark.parametrize("id", CODES)
def test_the_examples_of_an_explanation_show_what_it_says(id: str) -> None:
    code = CODES[id]
    assert [found.code for found in told(id, right=False)] == [id]
    assert [found.severity for found in told(id, right=False)] == [code.severity]
    assert [str(found) for found in told(id, right=True)] == []
    assert code.file(False) != code.file(True) or code.encoding != "utf-8"


def test_a_code_is_explained_on_the_command_line() -> None:
    done = CliRunner().invoke(main, ["explain", "e203"])
    assert done.exit_code == 0
    # What, why, the wrong lines with what is said of them, the right ones; as on its page.
    for piece in ("E203: unknown rank", "Why: ", "    trump: best A k Q\n", "did you mean `K`?", "    trump: best A K Q\n"):
        assert piece in done.output
    row = json.loads(CliRunner().invoke(main, ["explain", "E203", "--json"]).output)
    assert (row["code"], row["told"][0]["line"], row["right"]) == ("E203", 22, "ranking:\n  …\n  trump: best A K Q")
    done = CliRunner().invoke(main, ["explain", "E230"])
    assert done.exit_code == 1 and "did you mean `E203`?" in done.output


def test_every_code_of_the_language_has_a_failing_sample() -> None:
    assert {id for id in CODES if id[1] in "23456" or id in ("W701", "W702")} - {sample["code"] for sample in SAMPLES} == set()


def test_every_other_code_is_tested_too() -> None:
    tested = codes_in(list((ROOT / "tests").glob("*.py")))
    assert {id for id in CODES if id[1] in "178"} - tested - {sample["code"] for sample in SAMPLES} == set()
