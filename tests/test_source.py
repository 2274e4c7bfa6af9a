"""Reading YAML: exact places for every character, a code and place for every fault, nothing slow."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
import yaml
from hypothesis import example, given
from hypothesis import strategies as st

from dsl.codes import CODES
from dsl.diagnostics import Label, Report, quote, render_json, render_text
from dsl.document import at, plain, resolve, scalars
from dsl.source import Mapping, Scalar, Sequence, Source, Span
from dsl.suggest import distance, nearest
from dsl.yamltext import MOST_BYTES, decode, load, read


def reading(text: str) -> tuple[Mapping | None, Report]:
    report = Report()
    return read(Source("t.yaml", text), report), report


def one(text: str) -> Scalar:
    """The scalar under the key `a`."""
    document, report = reading(text)
    assert document is not None, [str(found) for found in report.diagnostics]
    found = document.get("a")
    assert isinstance(found, Scalar)
    return found


# ---------------------------------------------------------------------- places


def test_places_count_from_one_and_know_all_line_breaks() -> None:
    source = Source("x", "ab\ncd\r\ne\rf")
    assert [source.place(offset) for offset in (0, 2, 3, 7, 9)] == [(1, 1), (1, 3), (2, 1), (3, 1), (4, 1)]
    assert [source.line(number) for number in range(6)] == ["", "ab", "cd", "e", "f", ""]
    assert source.place(-4) == (1, 1) and source.place(99) == (4, 2)
    assert Source("x", "").place(0) == (1, 1)


STYLES = [
    # text of the file, value, and of each character of the value what stands in the file there
    ("a: K C S", "K C S", "K C S"),
    ("a: 'it''s'", "it's", "it's"),
    ('a: "x\\ty\\u00e9\\"z"', 'x\tyé"z', "x\\y\\\\z"),
    ("a: one\n  two\n\n  three", "one two\nthree", "one\ntwo\nthree"),
    ("a: 'one  \n\n   two'", "one\ntwo", "one\ntwo"),
    ('a: "one \\\n   two"', "one two", "one two"),
    ("a: |\n  one\n   two\n\n  three\n", "one\n two\n\nthree\n", "one\n two\n\nthree\n"),
    ("a: |-\n  one\n  two\n\n", "one\ntwo", "one\ntwo"),
    ("a: |+\n  one\n\n", "one\n\n", "one\n\n"),
    ("a: |2\n    one\n", "  one\n", "  one\n"),
    (
        "a: >\n  one\n  two\n\n  three\n    four\n  five\n",
        "one two\nthree\n  four\nfive\n",
        "one\ntwo\nthree\n  four\nfive\n",
    ),
    ("a: > # why\n  one\r\n  two\r\n", "one two\n", "one\rtwo\r"),
    ("a: 𝄞é x", "𝄞é x", "𝄞é x"),
    ("a:\n  - 1", None, ""),
]


@pytest.mark.parametrize(("text", "value", "stands"), STYLES[:-1])
def test_each_character_of_a_value_knows_its_place(text: str, value: str, stands: str) -> None:
    found = one(text)
    assert found.value == value
    assert len(found.offsets) == len(value) + 1
    assert "".join(text[offset] for offset in found.offsets[:-1]) == stands
    assert list(found.offsets) == sorted(found.offsets)


def test_a_part_is_underlined_on_its_own_line() -> None:
    folded = one("a: one\n   two")
    assert [folded.part(0, 3).text, folded.part(4, 7).text, folded.part(0, 7).text] == [
        "one",
        "two",
        "one\n   two",
    ]
    assert (folded.part(4, 7).line, folded.part(4, 7).column) == (2, 4)
    assert folded.part(-5, 90) == folded.part(0, 7)
    broken = one('a: "one\\\n   two"')
    assert broken.value == "onetwo" and broken.part(0, 3).text == "one" and broken.part(3, 6).text == "two"
    assert one("a: |\n  first\n  second").part(6, 12).text == "second"


words = st.text(
    st.characters(codec="utf-8", exclude_categories=("Cc", "Cs", "Zl", "Zp", "Cf", "Cn", "Co")) | st.sampled_from("\n '\"#:-"),
    max_size=60,
)


@given(words, st.sampled_from([None, "'", '"', "|", ">"]), st.booleans(), st.integers(10, 200), st.integers(2, 6))
@example("one two three four", ">", False, 10, 2)
@example("a'b\n\n c", "'", True, 10, 2)
def test_offsets_lead_back_to_the_characters(value: str, style: str | None, nested: bool, width: int, indent: int) -> None:
    data = {"b": {"a": value}, "c": ["x"]} if nested else {"a": value, "c": "x"}
    text = yaml.dump(data, default_style=style, allow_unicode=True, width=width, indent=indent)
    document, _ = reading(text)
    if document is None:
        return  # a tag or an escape that rulesets do without
    for path, scalar in scalars(document):
        assert len(scalar.offsets) == len(scalar.value) + 1
        if path[-1] != "a" or scalar.value != value:
            continue
        assert list(scalar.offsets) == sorted(scalar.offsets) and len(set(scalar.offsets[:-1])) == len(value)
        for number, character in enumerate(value):
            there = text[scalar.offsets[number]]
            if there != "\\" and character not in " \n":
                assert there == character


def test_an_empty_value_stands_after_its_colon() -> None:
    document, _ = reading("a:\nb: {c: , d: 1}\ne:\n  - \n  - f\n")
    assert document is not None
    places = {path: (scalar.span.line, scalar.span.column) for path, scalar in scalars(document) if not scalar.value}
    assert places == {("a",): (1, 3), ("b", "c"): (2, 7), ("e", 0): (4, 4)}


def test_equality_ignores_places_and_spans_end_with_the_text() -> None:
    first, _ = reading("a: [1, {b: c}]\nd: x\n\n\n")
    second, _ = reading("a:\n  - 1\n  - b: c\n\nd:   x")
    assert first == second and first is not None and second is not None
    assert first.span.text == "a: [1, {b: c}]\nd: x"
    found = at(second, ("a", 1))
    assert isinstance(found, Mapping) and found.span.text == "b: c"
    assert at(second, ("a", 7)) is None and at(second, ("d", "x")) is None
    assert "a" in first and [entry.key.value for entry in first] == ["a", "d"] and len(first) == 2
    assert isinstance(first.get("a"), Sequence)


def test_plain_text_is_data_by_the_core_schema() -> None:
    document, _ = reading("a: [10, 1:30, no, true, ~, 3/2, -4, 0x1F, 1.5, '10', 1e3, null, .5, 010, +]")
    assert document is not None
    assert plain(document) == {"a": [10, "1:30", "no", True, None, "3/2", -4, 31, 1.5, "10", 1000.0, None, 0.5, 10, "+"]}
    assert resolve(one(f"a: {'9' * 5000}")) == "9" * 5000


# ---------------------------------------------------------------------- faults

FAULTS = [
    # text, code, line, column, underlined
    ("a: [1, 2\nb: 3", "E101", 1, 4, "["),
    ("a: b: c", "E101", 1, 5, ":"),
    ("a:\n\t- b", "E101", 2, 1, "\t"),
    ("a: {K C} 7", "E101", 1, 10, "7"),
    ('b: 1\na: "open', "E101", 2, 4, '"open'),
    ("a: b\nloose line\nc: d", "E101", 2, 1, "loose"),
    ("a: @x", "E101", 1, 4, "@x"),
    ("a: `x`", "E101", 1, 4, "`x`"),
    ("a:\n  - b\n c", "E101", 3, 2, "c"),
    ("a: 1\nb: 2\na: 3", "E102", 3, 1, "a"),
    ("a: {b: 1, 'b': 2}", "E102", 1, 11, "'b'"),
    ("a: &top 1", "E103", 1, 4, "&top"),
    ("a: 1\nb: *top", "E103", 2, 4, "*top"),
    ("&key a: 1", "E103", 1, 1, "&key"),
    ("a:\n  <<: {b: 1}", "E104", 2, 3, "<<"),
    ("a: !!str 3", "E105", 1, 4, "!!str"),
    ("a: ! 3", "E105", 1, 4, "!"),
    ("a: 1\n---\nb: 2", "E106", 2, 1, "---"),
    ("a: 1\n[b, c]: 2", "E107", 2, 1, "[b, c]"),
    ("# nothing\n", "E108", 1, 1, ""),
    ("", "E108", 1, 1, ""),
    ("a: x\x07y", "E110", 1, 5, "\x07"),
    ("a: x\u202ey", "E110", 1, 5, "\u202e"),
    ('a: "x\\0"', "E110", 1, 6, "\\0"),
    ("a: \ud800", "E110", 1, 4, "\ud800"),
    ("a: " + "[" * 60, "E112", 1, 43, "["),
    ("a: " + "[" * 5000, "E112", 1, 1003, "["),
    ("a: [" + "1, " * 6_000 + "]", "E113", 1, 15_002, "1"),
    ("a: " + "x" * 30_000, "E115", 1, 4, "x"),
    ("- a\n- b", "E122", 1, 1, "-"),
    ("just text", "E122", 1, 1, "j"),
]


@pytest.mark.parametrize(("text", "code", "line", "column", "underlined"), FAULTS)
def test_a_fault_has_a_code_and_a_place(text: str, code: str, line: int, column: int, underlined: str) -> None:
    document, report = reading(text)
    assert document is None and not report.ok
    first = report.errors[0]
    assert (first.code, first.span.line, first.span.column, first.span.text) == (
        code,
        line,
        column,
        underlined,
    )
    assert first.message == first.message.strip().rstrip(".") and not first.message[0].isupper()
    render_text(first)


def test_all_faults_that_can_be_told_apart_are_told() -> None:
    _, report = reading("a: &x 1\na: *x\n<<: {b: !t 1}\n")
    assert [found.code for found in report.errors] == ["E103", "E102", "E103", "E104", "E105"]


def test_every_code_used_is_explained() -> None:
    assert {code for _, code, *_ in FAULTS} <= set(CODES)
    assert all(entry.title and entry.what.endswith(".") for entry in CODES.values())


def test_bytes_that_are_no_text(tmp_path: Path) -> None:
    report = Report()
    assert decode("t.yaml", "a: é".encode("latin-1"), report) is None
    assert (report.errors[0].code, str(report.errors[0].span)) == ("E109", "t.yaml:1:4")
    assert decode("t.yaml", b"\xef\xbb\xbfa: 1", Report()) == Source("t.yaml", "a: 1")
    report = Report()
    assert load(tmp_path / "none.yaml", "none.yaml", report) is None and load(tmp_path, "folder", report) is None
    assert [found.code for found in report.errors] == ["E114", "E114"]
    report = Report()
    assert decode("t.yaml", b"x" * (MOST_BYTES + 1), report) is None
    assert report.errors[0].code == "E111"
    report = Report()
    assert read(Source("t.yaml", "x" * 10_000_000), report) is None
    assert report.errors[0].code == "E111"


@pytest.mark.parametrize(
    "unit",
    [
        "[",
        "{",
        "- ",
        "? ",
        "{a: ",
        "[? ",
        "&a ",
        "*a\n",
        ":",
        "a:\n",
        "\n",
        "-\n",
        '"',
        "|\n",
        "a: 'b'\n",
        "\r",
        "#\n",
    ],
)
def test_nothing_is_slow(unit: str) -> None:
    start = time.process_time()
    reading(unit * (900_000 // len(unit)))
    assert time.process_time() - start < 2


@given(st.text(st.sampled_from("ab \n:-[]{}'\"|>&*!#?,%@`\\\t<~0\r")) | st.text())
def test_any_text_is_read_or_refused(text: str) -> None:
    document, report = reading(text)
    assert (document is None) == (not report.ok)
    for found in report.diagnostics:
        assert 0 <= found.span.start <= found.span.end <= len(text)
        render_text(found)
    for _, scalar in scalars(document) if document is not None else ():
        assert len(scalar.offsets) == len(scalar.value) + 1


@given(st.binary())
def test_any_bytes_are_read_or_refused(data: bytes) -> None:
    report = Report()
    source = decode("t.yaml", data, report)
    document = read(source, report) if source is not None else None
    assert (document is None) == (not report.ok)


# ----------------------------------------------------------------- diagnostics


def test_a_diagnostic_is_shown_with_its_line() -> None:
    source = Source("rulesets/some.yaml", "\n" * 40 + "  trump red: top A X K\n")
    parent = Source("rulesets/family.yaml", "deck: spanish-40")
    at_x = source.text.index("X")
    report = Report()
    report.error(
        "E203",
        "unknown rank `X` in the order of red trumps",
        Span(source, at_x, at_x + 1),
        "not a rank of the deck",
        (Label(Span(parent, 6, 16), "set here"),),
        ["inherited: the deck is set in family.yaml:1", "13 are listed"],
        "did you mean `K`?",
    )
    assert render_text(report.errors[0]).splitlines() == [
        "rulesets/some.yaml:41:20: error[E203]: unknown rank `X` in the order of red trumps",
        "   |",
        "41 |   trump red: top A X K",
        "   |                    ^ not a rank of the deck",
        "   : rulesets/family.yaml:1:7",
        "   |",
        " 1 | deck: spanish-40",
        "   |       ---------- set here",
        "   = inherited: the deck is set in family.yaml:1",
        "   = note: 13 are listed",
        "   = help: did you mean `K`?",
        "   = see: spadille explain E203",
    ]
    assert "\x1b[1;31m" in render_text(report.errors[0], colour=True)
    (data,) = render_json(report)
    assert (data["file"], data["line"], data["column"], data["end_line"], data["end_column"]) == (
        "rulesets/some.yaml",
        41,
        20,
        41,
        21,
    )


def test_long_lines_are_cut_and_odd_characters_do_not_shift_the_mark() -> None:
    source = Source("x", "a" * 500 + "BAD" + "c" * 500 + "\n\t漢字 BAD\x1b[31m\n")
    report = Report()
    for place in (500, source.text.rindex("BAD")):
        report.error("E101", "bad", Span(source, place, place + 3))
    for found in report.errors:
        _, _, line, mark, *_ = render_text(found).splitlines()
        assert len(line) < 220 and "\x1b" not in line and "\t" not in line
        wide = line.count("漢") + line.count("字")
        assert line.index("BAD") + wide == mark.index("^^^")


def test_a_report_keeps_each_fault_once_in_order_and_not_too_many() -> None:
    first, second = Source("first", "abc"), Source("second", "abc")
    report = Report()
    report.warning("W701", "late", Span(first, 2, 3))
    assert report.ok
    report.error("E101", "b", Span(second, 0, 1))
    report.error("E101", "a", Span(first, 1, 2))
    report.error("E101", "a", Span(first, 1, 2), "again")
    assert [found.message for found in report.diagnostics] == ["a", "late", "b"]
    assert [len(report.errors), len(report.warnings), report.ok] == [2, 1, False]
    for number in range(300):
        report.error("E101", str(number), Span(first, 0, 1))
    assert len(report.diagnostics) == 200 and report.dropped == 103


def test_texts_of_authors_are_cut_and_kept_on_a_line() -> None:
    assert quote("a\nb") == "`a b`" and len(quote("x" * 900)) == 42


# ----------------------------------------------------------------- suggestions


@pytest.mark.parametrize(
    ("word", "found"),
    [
        ("spadile", "spadille"),
        ("SPADILLE", "spadille"),
        ("tirck", "trick"),
        ("trump", None),
        ("ab", None),
        ("paly", "play"),
        ("qqqq", None),
    ],
)
def test_the_nearest_word(word: str, found: str | None) -> None:
    assert nearest(word, ["spadille", "trick", "trump", "play", "xy"]) == found


@given(st.text("abc", max_size=5), st.text("abc", max_size=5))
def test_distance_is_symmetric_and_bounded(a: str, b: str) -> None:
    assert distance(a, b, 9) == distance(b, a, 9) <= max(len(a), len(b))
    assert (distance(a, b, 9) == 0) == (a == b)
