"""The schema files and their judge: faults with places, and the verdict of an independent validator."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from referencing import Registry, Resource

from dsl import schema as judge
from dsl.diagnostics import Diagnostic, Report, render_text
from dsl.document import plain
from dsl.schema import validate, walk_dsl
from dsl.shapes import KEYWORDS, NOTES, schema
from dsl.source import Mapping, Source
from dsl.yamltext import CASES, RULESET, read

NAMES = ("ruleset", "library", "cases")
ROOT = Path(judge.__file__).parent
FILES = sorted((*ROOT.glob("library/*.yaml"), *ROOT.parent.glob("rulesets/*.yaml")))

HEAD = "ruleset: some\nlanguage: 1\n"


def judged(text: str, name: str = "ruleset") -> tuple[Mapping, Report]:
    report = Report()
    document = read(Source("t.yaml", text), report)
    assert document is not None, [str(found) for found in report.diagnostics]
    validate(document, name, report)
    return document, report


# ----------------------------------------------------------------------- files


def parts(node: Any) -> Iterator[dict[str, Any]]:
    """Every schema in a schema."""
    yield node
    for word in ("properties", "$defs"):
        for inner in node.get(word, {}).values():
            yield from parts(inner)
    for word in ("items", "additionalProperties", "propertyNames"):
        if isinstance(node.get(word), dict):
            yield from parts(node[word])
    for inner in node.get("anyOf", ()):
        yield from parts(inner)


@pytest.mark.parametrize("name", NAMES)
def test_a_schema_file_is_valid_closed_and_described(name: str) -> None:
    whole = schema(name)
    Draft202012Validator.check_schema(whole)
    for part in parts(whole):
        assert set(part) <= KEYWORDS | NOTES, part
        if part.get("type") == "object":
            assert "additionalProperties" in part and "title" in part, part
        assert "description" in part or "$ref" in part or "anyOf" in part, part
        for key, inner in part.get("properties", {}).items():
            target = whole if "$ref" not in inner else schema("ruleset" if inner["$ref"].startswith("ruleset") else name)
            for step in inner.get("$ref", "#").split("#")[1].split("/")[1:]:
                target = target[step]
            assert "description" in inner or "description" in target, key


# ---------------------------------------------------------------------- faults

FAULTS = [
    # text after the head, code, line, column, underlined, a piece of the message or help
    ("auctoin: {}", "E120", 3, 1, "auctoin", "did you mean `auction`?"),
    ("play:\n  trik: []", "E120", 4, 3, "trik", "unknown key `trik` in the play"),
    (
        "auction: {form: a, bids: b, passed out: []}",
        "E120",
        3,
        29,
        "passed out",
        "did you mean `passed_out`?",
    ),
    (
        "options:\n  x: {default: 1, about: First, then second.}",
        "E120",
        4,
        33,
        "then second.",
        "put text that has one in quotes",
    ),
    ("options:\n  stake: {about: Chips.}", "E121", 4, 11, "about", "an option needs the key `default`"),
    ("options:\n  stake: {}", "E121", 4, 10, "{}", "needs the keys `default` and `about`"),
    ("deal:\n  - whne: yes\n    do: []", "E120", 4, 5, "whne", "did you mean `when`?"),
    ("deal:\n  - announce points: 3", "E121", 4, 5, "announce points", "put it in quotes"),
    (
        "deal:\n  - ask: eldest\n    choices:\n      pass: nothing",
        "E122",
        6,
        13,
        "nothing",
        "`pass` must be a list of steps or keys with values, not text",
    ),
    ("deal: throw in", "E122", 3, 7, "throw in", "`deal` must be a list of steps, not text"),
    ("deal:\nplay: {}", "E122", 3, 6, "", "nothing is written for `deal`"),
    ("title: [a, b]", "E122", 3, 8, "[", "must be text, not a list"),
    ("title: {a b}", "E122", 3, 8, "{", "put text that begins with `{` in quotes"),
    ("players: four", "E122", 3, 10, "four", "must be a whole number, not text"),
    ("players: '4'", "E122", 3, 10, "'4'", "write it without quotes"),
    ("score: {balanced: no}", "E122", 3, 19, "no", "`true` or `false`"),
    ("options: {x: [1]}", "E122", 3, 14, "[", "`x` must be keys with values, not a list"),
    ("direction: clockwize", "E123", 3, 12, "clockwize", "did you mean `clockwise`?"),
    ("status: 3", "E123", 3, 9, "3", "one of the choices"),
    ("players: 1", "E124", 3, 10, "1", "between 2 and 8"),
    ("sides: {a: []}", "E124", 3, 12, "[", "at least 1 item"),
    ("override: {}", "E124", 3, 11, "{}", "at least 1 entry"),
    ("extends: My Game", "E125", 3, 10, "My Game", "is not an id"),
    ("cards: {the queen: Qs}", "E125", 3, 9, "the queen", "is not a name"),
    ("use: [a, b, a]", "E126", 3, 13, "a", "given twice"),
]


@pytest.mark.parametrize(("text", "code", "line", "column", "underlined", "words"), FAULTS)
def test_a_fault_has_a_code_a_place_and_words(text: str, code: str, line: int, column: int, underlined: str, words: str) -> None:
    _, report = judged(HEAD + text)
    assert len(report.errors) == 1, [str(found) for found in report.errors]
    (found,) = report.errors
    assert (found.code, found.span.line, found.span.column, found.span.text) == (
        code,
        line,
        column,
        underlined,
    )
    assert words in render_text(found)


def test_a_variant_may_leave_to_its_parent_what_a_section_needs() -> None:
    (found,) = judged(HEAD + "auction: {declarer: taker}")[1].errors
    assert (found.code, found.message) == ("E121", "the auction needs the keys `form` and `bids`")
    assert judged(HEAD + "extends: other\nauction: {declarer: taker}")[1].ok


def test_steps_are_not_nested_too_deep() -> None:
    def nested(deep: int) -> str:
        return "deal: " + "[{when: x, do: " * (deep - 1) + "[redeal]" + "}]" * (deep - 1)

    assert judged(HEAD + nested(12))[1].ok
    (found,) = judged(HEAD + nested(13))[1].errors
    assert (found.code, found.span.column, found.span.text) == ("E112", 187, "[")


def test_a_version_of_the_language_and_an_id_are_due() -> None:
    faults = judged("title: x")[1].errors
    assert [found.message for found in faults] == ["a ruleset needs the keys `ruleset` and `language`"]
    (fault,) = judged("ruleset: x\nlanguage: 2")[1].errors
    assert (fault.code, fault.message) == ("E128", "version `2` of the language is not known")
    assert judged("rulest: x\nlanguage: 1")[1].errors[0].help == "did you mean `ruleset`?"


def test_faults_of_library_and_cases() -> None:
    (found,) = judged("library: x\nlanguage: 1\nphrases:\n  swap all cards: {steps: redeal}", "library")[1].errors
    assert (found.code, found.span.text) == ("E122", "redeal")
    text = "for: x\ncases:\n  - {name: n, legl: {}}\n  - {name: m, order: {of: a, is: A}}\n  - {name: o}\n"
    faults = judged(text, "cases")[1].errors
    assert [(found.code, found.span.text) for found in faults] == [("E120", "legl"), ("E121", "name")]


# ------------------------------------------------------------------------- dsl


def test_texts_of_the_language_are_found_with_their_kind() -> None:
    document, report = judged(
        HEAD
        + """
cards: {top: As}
options: {x: {default: 1, about: None., requires: y is 2}}
define: {"best(s: seat)": 10, second: }
deal:
  - redeal
  - ask: eldest
    choices:
      pass: []
      c in hand: {when: 1, do: [throw in]}
payments: {a: s pays 1 to t, b: [s pays 2 to t], c: {for: x in sides, pay: x scores 3}}
"""
    )
    assert [str(found) for found in report.errors] == [str(report.errors[0])] and report.errors[0].span.column == 38
    assert [(".".join(map(str, path)), scalar.value, kind) for path, scalar, kind in walk_dsl(document, "ruleset")] == [
        ("cards.top", "As", "cards"),
        ("options.x.requires", "y is 2", "expr"),
        ("define.best(s: seat)", "best(s: seat)", "definition"),
        ("define.best(s: seat)", "10", "expr"),
        ("define.second", "second", "definition"),
        ("deal.0", "redeal", "step"),
        ("deal.1.ask", "eldest", "expr"),
        ("deal.1.choices.pass", "pass", "offer"),
        ("deal.1.choices.c in hand", "c in hand", "offer"),
        ("deal.1.choices.c in hand.when", "1", "expr"),
        ("deal.1.choices.c in hand.do.0", "throw in", "step"),
        ("payments.a", "s pays 1 to t", "step"),
        ("payments.b.0", "s pays 2 to t", "step"),
        ("payments.c.for", "x in sides", "each"),
        ("payments.c.pay", "x scores 3", "step"),
    ]


# --------------------------------------------------------- independent verdict


def validator(name: str) -> Draft202012Validator:
    resources = [(schema(one)["$id"], Resource.from_contents(schema(one))) for one in NAMES]
    registry: Registry[Any] = Registry().with_resources(resources)
    return Draft202012Validator(schema(name), registry=registry)


def kind_of(path: Path) -> str:
    return "library" if path.parent.name == "library" else "cases" if ".cases" in path.name else "ruleset"


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_both_validators_agree_on_our_files_and_their_mutations(path: Path) -> None:
    name = kind_of(path)
    check = validator(name)
    text = path.read_text(encoding="utf-8")
    chance = random.Random(path.name)
    lines = text.splitlines()
    read_whole = 0
    for number in range(60 if len(lines) < 500 else 4):
        mutated = "\n".join(lines) if number == 0 else mutation(lines, chance)
        report = Report()
        document = read(Source(path.name, mutated), report, CASES if name == "cases" else RULESET)
        if document is None:
            continue
        read_whole += 1
        validate(document, name, report, whole=False)
        deep = any(found.code == "E112" for found in report.errors)
        faults = list(check.iter_errors(json.loads(json.dumps(plain(document)))))
        assert deep or report.ok == (not faults), (faults[:1], [str(found) for found in report.errors][:3])
    assert read_whole


def mutation(lines: list[str], chance: random.Random) -> str:
    """A file with one line lost, doubled, moved, indented or misspelt, or a word of it replaced."""
    lines = list(lines)
    at, other = chance.randrange(len(lines)), chance.randrange(len(lines))
    match chance.randrange(7):
        case 0:
            del lines[at]
        case 1:
            lines[at], lines[other] = lines[other], lines[at]
        case 2:
            lines[at] = "  " + lines[at]
        case 3:
            lines[at] = lines[at].removeprefix("  ")
        case 4:
            words = lines[at].split(" ")
            words[chance.randrange(len(words))] = chance.choice(["x", "~", "3", "[]", "{}", "true", "-", "a: b", "'q'"])
            lines[at] = " ".join(words)
        case 5:
            lines[at] = lines[at].split(":")[0] + ": " + chance.choice(["1", "x y", "[a]", "{b: c}", "", "2.0", "[1, 1]", "null"])
        case _:
            place = chance.randrange(len(lines[at]) + 1)
            lines[at] = lines[at][:place] + chance.choice("ab_ ") + lines[at][place + 1 :]
    return "\n".join(lines)


def test_root_causes_only() -> None:
    _, report = judged(HEAD + "play:\n  obligatoins:\n    follow: {muts: hand}\n")
    assert [found.span.text for found in report.errors] == ["obligatoins"]
    _, report = judged(HEAD + "play:\n  obligations:\n    follow: {muts: hand}\n")
    only: tuple[Diagnostic, ...] = report.errors
    assert [found.span.text for found in only] == ["muts"]
