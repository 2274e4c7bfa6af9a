"""Records replay bit for bit, and refuse to be replayed by other rules."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import spadille
from interpreter.record import Record, RecordError
from tests.test_engine_properties import FOUNDATION, game


@settings(max_examples=30, deadline=None)
@given(name=st.sampled_from(FOUNDATION), seed=st.integers(0, 2**40), whole=st.booleans())
def test_a_record_replays_to_the_same_memory(name: str, seed: int, whole: bool) -> None:
    chance = random.Random(seed)
    now = game(name).match(seed) if whole else game(name).start(seed)
    record = Record.of(game(name), seed=seed, match=whole)
    while not now.over and len(record.actions) < 120:
        state = now.state if whole else now
        action = chance.choice(state.legal())
        now, record = now.apply(action), record.then(action)
    again = Record.from_json(record.to_json()).replay(game(name))
    one, other = (now.state, again.state) if whole else (now, again)
    assert one.memory == other.memory
    assert one.events == other.events


def test_a_record_of_other_rules_is_refused() -> None:
    record = Record.of(game("tresillo"), seed=1)
    with pytest.raises(RecordError, match="option `stake` is 2 in the record and 5 here"):
        record.replay(spadille.load("tresillo", stake=5))
    with pytest.raises(RecordError, match="the record is of `tresillo`"):
        record.replay(game("hearts"))


@pytest.mark.parametrize("text", ["", "{", "[]", "{}", '{"record": 1}', '{"record": 99, "language": 1}', "[" * 5000, "\x00"])
def test_a_text_that_is_no_record_is_one_clear_error(text: str) -> None:
    with pytest.raises(RecordError):
        Record.from_json(text)


def test_a_damaged_answer_is_named_by_its_number() -> None:
    record = Record.of(game("tresillo"), seed=1, actions=["pass", "play As"])
    with pytest.raises(RecordError, match="answer 2 of the record"):
        record.replay(game("tresillo"))
