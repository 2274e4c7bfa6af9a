"""Slips of an author in shipped rulesets: a seeded sample of what `python -m bench.mistakes` measures in full."""

from __future__ import annotations

import pytest

from bench.mistakes import KINDS, MISSPELLINGS, Told, mistakes, tell, text_of, tokens
from dsl.diagnostics import Report
from dsl.source import Source
from fuzz.target import one_input
from spadille.loading import ruleset_ids

SAMPLE = [id for id in ruleset_ids() if len(tokens(id)) > 250][::2]


@pytest.fixture(scope="module")
def told() -> list[Told]:
    return [tell(mistake) for id in SAMPLE for mistake in mistakes(id, 10, 1)]


def test_the_first_error_is_on_the_line_of_the_mistake(told: list[Told]) -> None:
    errors = [one for one in told if one.code is not None]
    assert len(SAMPLE) >= 5 and len(errors) > 0.85 * len(told)
    wrong = [str(one.mistake) for one in errors if not one.placed]
    assert len(wrong) <= 0.05 * len(errors), wrong


def test_a_misspelt_word_is_suggested_as_it_was(told: list[Told]) -> None:
    spelling = [one for one in told if one.mistake.kind in MISSPELLINGS]
    missed = [f"{one.mistake}: {one.said}" for one in spelling if not one.suggested]
    assert len(missed) <= 0.2 * len(spelling), missed


def test_no_mistake_passes_in_silence_but_one_that_is_another_rule(told: list[Told]) -> None:
    # A number for a number, a seat for a seat: no checker can know; the bench lists them.
    silent = [str(one.mistake) for one in told if one.silent]
    assert [text for text in silent if not any(f": {kind}:" in text for kind in ("number for a word", "wrong owner"))] == []


def test_the_mistakes_are_seeded_and_single() -> None:
    made = mistakes(SAMPLE[0], 40, 7)
    assert made == mistakes(SAMPLE[0], 40, 7) != mistakes(SAMPLE[0], 40, 8)
    assert {mistake.kind for mistake in made} == set(KINDS)
    for mistake in made:
        assert text_of(mistake.ruleset)[mistake.start :].startswith(mistake.old) and mistake.old != mistake.new
        source = Source("x", mistake.text)
        assert mistake.line == source.place(mistake.start)[0] and Report().ok


@pytest.mark.parametrize("data", [b"", b"\xff\xfe", b"a: [", b"ruleset: a\nlanguage: 1\nextends: hearts\n", b"ruleset: a\nlanguage: 9\n"])
def test_the_fuzz_target_takes_any_bytes(data: bytes) -> None:
    one_input(data)
