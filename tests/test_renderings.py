"""Diagnostics for other programs: SARIF that keeps the rules of its schema, GitHub's commands that read back, JSON.

The schema below states the rules of SARIF 2.1.0 (OASIS) for the objects that are written here, closed, so that a
property that SARIF does not have is found.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest
from click.testing import CliRunner
from jsonschema import Draft7Validator

from dsl.codes import CODES
from dsl.diagnostics import Diagnostic, Label, Report
from dsl.load import load
from dsl.source import Source, Span
from spadille.cli import main
from spadille.explanation import parents, told
from spadille.renderings import github, plain, sarif


def closed(required: str = "", **properties: Any) -> dict[str, Any]:
    return {"type": "object", "required": required.split(), "properties": properties, "additionalProperties": False}


def ref(name: str) -> dict[str, str]:
    return {"$ref": f"#/definitions/{name}"}


TEXT = {"type": "string"}
NUMBER = {"type": "integer", "minimum": 1}
LEVEL = {"enum": ["none", "note", "warning", "error"]}
SARIF = {
    **closed("version runs", **{"$schema": {"type": "string", "format": "uri"}, "version": {"enum": ["2.1.0"]}}),
    "definitions": {
        "run": closed(
            "tool",
            tool=closed("driver", driver=ref("component")),
            columnKind={"enum": ["utf16CodeUnits", "unicodeCodePoints"]},
            results={"type": ["array", "null"], "items": ref("result")},
        ),
        "component": closed("name", name=TEXT, version=TEXT, rules={"type": "array", "uniqueItems": True, "items": ref("rule")}),
        "rule": closed("id", id=TEXT, shortDescription=ref("texts"), fullDescription=ref("texts"), help=ref("texts"),
                       defaultConfiguration=closed(level=LEVEL)),
        "texts": closed("text", text=TEXT, markdown=TEXT),
        "message": {**closed(text=TEXT, id=TEXT), "anyOf": [{"required": ["text"]}, {"required": ["id"]}]},
        "result": closed(
            "message",
            ruleId=TEXT,
            ruleIndex={"type": "integer", "minimum": -1},
            level=LEVEL,
            message=ref("message"),
            locations={"type": "array", "items": ref("location")},
            relatedLocations={"type": "array", "uniqueItems": True, "items": ref("location")},
        ),
        "location": closed(id={"type": "integer", "minimum": -1}, physicalLocation=ref("place"), message=ref("message")),
        "place": closed("artifactLocation", artifactLocation=closed(uri={"type": "string", "pattern": r"^[!-~]+$"}), region=ref("region")),
        "region": closed("startLine", startLine=NUMBER, startColumn=NUMBER, endLine=NUMBER, endColumn=NUMBER),
    },
}  # fmt: skip
SARIF["properties"] |= {"runs": {"type": ["array", "null"], "items": ref("run")}}


def reported(id: str) -> tuple[Diagnostic, ...]:
    return told(id, right=False)


ALL = [found for id in ("E101", "E203", "E210", "E217", "E501", "E604", "E608", "W701", "W702") for found in reported(id)]


def test_the_schema_refuses_what_sarif_does_not_have() -> None:
    check = Draft7Validator(SARIF)
    log = json.loads(sarif(ALL))
    for spoil in ("version", "runs"):
        assert not check.is_valid({key: value for key, value in log.items() if key != spoil})
    log["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["region"]["startLine"] = 0
    assert not check.is_valid(log)


@pytest.mark.parametrize("id", [id for id in CODES if id not in ("E801", "E802", "E803", "E804", "W703")])
def test_sarif_has_the_diagnostic_its_rule_and_its_places(id: str) -> None:
    found = reported(id)
    log = json.loads(sarif(found))
    assert [str(problem.message) for problem in Draft7Validator(SARIF).iter_errors(log)] == []
    (run,) = log["runs"]
    assert [rule["id"] for rule in run["tool"]["driver"]["rules"]] == [id]
    for result, diagnostic in zip(run["results"], found, strict=True):
        assert run["tool"]["driver"]["rules"][result["ruleIndex"]]["id"] == result["ruleId"] == diagnostic.code
        assert result["level"] == diagnostic.severity and result["message"]["text"].startswith(diagnostic.message)
        labels = [diagnostic.label, *diagnostic.others]
        for place, label in zip([*result["locations"], *result.get("relatedLocations", ())], labels, strict=True):
            region = place["physicalLocation"]["region"]
            assert unquote(place["physicalLocation"]["artifactLocation"]["uri"]) == label.span.source.name
            assert (region["startLine"], region["startColumn"]) == label.span.source.place(label.span.start)
            assert (region["endLine"], region["endColumn"]) >= (region["startLine"], region["startColumn"])


def test_files_are_uris_in_sarif() -> None:
    def uri(name: str) -> str:
        found = Diagnostic("E101", "bad", Label(Span(Source(name, "x"), 0, 1)))
        place = json.loads(sarif([found]))["runs"][0]["results"][0]["locations"][0]["physicalLocation"]
        return str(place["artifactLocation"]["uri"])

    assert (uri("my games/añejo.yaml"), uri("/tmp/a b.yaml")) == ("my%20games/a%C3%B1ejo.yaml", "file:///tmp/a%20b.yaml")


COMMAND = re.compile(r"::(error|warning) ([^:]*)::(.*)")


def read_back(text: str) -> str:
    for sign, escaped in (("\n", "%0A"), ("\r", "%0D"), (":", "%3A"), (",", "%2C"), ("%", "%25")):
        text = text.replace(escaped, sign)
    return text


def test_github_gets_one_command_a_diagnostic_that_reads_back() -> None:
    lines = github(ALL).splitlines()
    assert len(lines) == len(ALL) > 8
    for line, found in zip(lines, ALL, strict=True):
        match = COMMAND.fullmatch(line)
        assert match is not None, line
        severity, properties, message = match.groups()
        places = {key: read_back(value) for key, _, value in (pair.partition("=") for pair in properties.split(","))}
        assert severity == found.severity and places["title"] == found.code
        assert (places["file"], int(places["line"]), int(places["col"])) == (found.span.source.name, found.span.line, found.span.column)
        said = read_back(message).split("\n")
        assert said[0] == found.message and all(f"{label.span}: {label.text}" in said for label in found.others)
        assert found.help is None or said[-1] == f"help: {found.help}"


def test_no_text_of_a_file_makes_a_command_of_its_own() -> None:
    source = Source("a,b:c%.yaml", "x\n::error::y")
    line = github([Diagnostic("E101", "one\n::error::two %0A, three", Label(Span(source, 0, 1)))])
    assert line.count("\n") == 1 and line.startswith("::error file=a%2Cb%3Ac%25.yaml,line=1,")
    assert line.endswith("::one%0A::error::two %250A, three\n")


WRONG = "ruleset: child\nlanguage: 1\nextends: hearts\noverride:\n  players: 40\n"


@pytest.mark.parametrize("style", ["json", "sarif", "github"])
def test_check_prints_in_the_format_asked_for(style: str, tmp_path: Path) -> None:
    (tmp_path / "child.yaml").write_text(WRONG, encoding="utf-8")
    done = CliRunner().invoke(main, ["check", str(tmp_path / "child.yaml"), "--format", style])
    assert done.exit_code == 1 and done.stderr == ""
    said = {"json": plain, "sarif": sarif, "github": github}[style]
    report = load(Source(str(tmp_path / "child.yaml"), WRONG), shipped()).report
    assert done.stdout == said(report.diagnostics, ())
    assert "E124" in done.stdout


def shipped() -> Any:
    from spadille.loading import parents

    return parents(None)


@pytest.mark.parametrize("style", ["json", "sarif", "github"])
def test_a_sound_ruleset_has_nothing_to_report(style: str) -> None:
    done = CliRunner().invoke(main, ["check", "hearts", "--format", style])
    assert done.exit_code == 0
    if style == "github":
        assert done.stdout == ""
    else:
        data = json.loads(done.stdout)
        assert (data if style == "json" else data["runs"][0]["results"]) == []


# ------------------------------------------------------------------- second places

CHILD = "ruleset: child\nlanguage: 1\nextends: base\noverride:\n"


@pytest.mark.parametrize(
    ("override", "code", "others", "notes"),
    [
        # The value that an override replaced.
        ("  ranking.trump: best A X Q\n", "E203", ["base.yaml:22:10 this is overridden"], ["inherited: the deck is set in base.yaml:6"]),
        # A fault in what is inherited, brought about by another change.
        ("  deck.ranks: {A: {}, K: {}, J: {}}\n  ranking.plain: A K J\n", "E203", ["child.yaml:3:10 inherited from here"], []),
        # The deck of the heir does not fit the orders of its parent: whose deck it is.
        (
            "  deck: italian-40\n",
            "E218",
            ["child.yaml:3:10 inherited from here"],
            ["inherited: the deck is set in child.yaml:5"],
        ),
    ],
)
def test_a_fault_of_a_variant_shows_what_it_inherits(override: str, code: str, others: list[str], notes: list[str]) -> None:
    report: Report = load(Source("child.yaml", CHILD + override), parents(CODES["E604"])).report
    found = report.errors[0]
    assert found.code == code
    assert [f"{label.span} {label.text}" for label in found.others] == others and list(found.notes) == notes
