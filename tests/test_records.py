"""Records: they replay to the last bit, and what cannot be replayed is refused with a code."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from play import RULESETS, dealt, load, option_sets, variant

from interpreter.action import GameError
from interpreter.match import Match
from interpreter.record import BrokenRecord, ForeignRecord, InvalidRecord, Record, RecordError, UnreadableRecord
from interpreter.state import State


def play(record: Record, ruleset: str, number: int, seed: int, most: int) -> tuple[Record, State | Match]:
    """A record with random answers, and what it leads to."""
    game = variant(ruleset, number)
    now: State | Match = record.replay(game)
    random = Random(seed)
    while not now.over and len(record.actions) < most:
        answer = random.choice((now.state if isinstance(now, Match) else now).legal())
        now, record = now.apply(answer), record.then(answer)
    return record, now


@pytest.mark.parametrize("ruleset", RULESETS)
@settings(max_examples=4, deadline=None)
@given(seed=st.integers(-(2**70), 2**70), number=st.integers(0, 99), kind=st.sampled_from(["deal", "match", "given", "given match"]))
def test_a_record_replays_to_the_last_bit(ruleset: str, seed: int, number: int, kind: str) -> None:
    number %= len(option_sets(ruleset))
    game = variant(ruleset, number)
    deal = dealt(game.start(seed, dealer=1)) if "given" in kind else None
    record, end = play(Record.of(game, seed, deal=deal, dealer=1, match="match" in kind), ruleset, number, seed, 120)
    again = Record.from_json(record.to_json())
    assert again == record
    there = again.replay(game)
    assert type(there) is type(end)
    one, other = (end.state, there.state) if isinstance(end, Match) and isinstance(there, Match) else (end, there)
    assert isinstance(one, State) and isinstance(other, State)
    assert one.memory == other.memory and one.events == other.events and one.news == other.news
    if isinstance(end, Match) and isinstance(there, Match):
        assert (end.results, end.totals) == (there.results, there.totals)


def test_positions_and_taking_back() -> None:
    game = load("hearts")
    record, _ = play(Record.of(game, 3), "hearts", 0, 3, 10)
    states = [*record.positions(game)]
    assert len(states) == 11
    assert record.back().replay(game) == states[-2]
    assert record.back(99).actions == ()


def test_what_stood_before_is_kept() -> None:
    game = load("tresillo")
    record = Record.of(game, 1, dealer=0, before={"pot": 6, "deal_number": 3})
    state = Record.from_json(record.to_json()).replay(game)
    assert isinstance(state, State)
    assert state.view(0).accounts[1] == ("pot", (6,)) and state.world.named("deal_number") == 4


def test_another_game_or_option_is_refused() -> None:
    record = Record.of(load("tresillo"), 1)
    with pytest.raises(ForeignRecord, match="R201: the record is of `tresillo`, not of `hearts`"):
        record.replay(load("hearts"))
    with pytest.raises(ForeignRecord, match="the option `stake` is 2 in the record and 4 here"):
        record.replay(load("tresillo", (("stake", "4"),)))
    other = Record.from_json(record.to_json().replace(record.hash, "0" * 16))
    with pytest.raises(ForeignRecord, match="the rules of `tresillo` are not those of the record"):
        other.replay(load("tresillo"))


def test_an_answer_that_does_not_fit_is_refused_with_its_number() -> None:
    game = load("tresillo")
    record, _ = play(Record.of(game, 3), "tresillo", 0, 3, 2)
    for answer in ("play As", "sing", "", "discard"):
        with pytest.raises(BrokenRecord, match=r"R202: answer 3 of the record: ") as caught:
            record.then(answer).then("pass").replay(game)
        assert caught.value.number == 2


@pytest.mark.parametrize(
    "start",
    [
        {"deal": {"hands": [["As"], [], []]}},
        {"deal": {"hands": ["As As", "", ""]}},
        {"deal": {"hands": []}},
        {"deal": {"pocket": "As"}},
        {"deal": {"talon": "Xx"}},
        {"dealer": 7},
        {"dealer": -1},
        {"before": {"nothing": 1}},
        {"before": {"pot": "much"}},
        {"before": {"pot": [1, 2, 3]}},
        {"before": {"pot": "1/7"}},
        {"before": {"chips": [1, 2, 3, 4, 5]}},
        {"before": {"dealer": "me"}},
        {"before": {"deal_number": 10**30}},
    ],
)
def test_a_start_that_does_not_fit_is_refused(start: dict[str, Any]) -> None:
    game = load("tresillo")
    record = Record.from_json(json.dumps(json.loads(Record.of(game, 1).to_json()) | start))
    with pytest.raises(BrokenRecord, match="R202: the start of the record does not fit the game: ") as caught:
        record.replay(game)
    assert caught.value.number is None


@pytest.mark.parametrize(
    ("text", "kind", "message"),
    [
        ("", UnreadableRecord, "R101: this is not JSON"),
        ("{", UnreadableRecord, "R101: this is not JSON"),
        (b"\xff\xfe\xfa", UnreadableRecord, "R101: this is not JSON"),
        ("[" * 100_000, UnreadableRecord, "nested too deep"),
        ('{"record": NaN}', UnreadableRecord, "`NaN` is no number"),
        ("9" * 5_000, UnreadableRecord, "R101: this is not JSON"),
        ("[]", InvalidRecord, "R102: this is not a record"),
        ("{}", InvalidRecord, "R102: this is not a record"),
        ('{"record": 2, "language": 1}', UnreadableRecord, "`record` is 2, and only 1 is known here"),
        ('{"record": true, "language": 1}', UnreadableRecord, "`record` is true"),
        ('{"record": 1}', UnreadableRecord, "`language` is null"),
        ('{"record": 1, "language": 1}', InvalidRecord, "the key `ruleset` is missing"),
        ('{"record": 1, "language": 1, "colour": 1}', InvalidRecord, "unknown key `colour`"),
    ],
)
def test_bad_texts_have_a_code(text: str | bytes, kind: type[RecordError], message: str) -> None:
    with pytest.raises(kind) as caught:
        Record.from_json(text)
    assert message in str(caught.value) and isinstance(caught.value, ValueError)


@settings(max_examples=150, deadline=None)
@given(data=st.data())
def test_a_damaged_record_is_an_error_or_a_record(data: st.DataObject) -> None:
    game = load("tresillo")
    record, _ = play(Record.of(game, 3, before={"pot": 2}), "tresillo", 0, 3, 6)
    plain = json.loads(record.to_json())
    simple = st.none() | st.booleans() | st.integers(-(2**70), 2**70) | st.floats(allow_nan=False) | st.text(max_size=5)
    anything = st.recursive(simple, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3))
    key = data.draw(st.sampled_from(sorted(plain)))
    plain[key] = data.draw(anything)
    text = json.dumps(plain)
    cut = data.draw(st.integers(0, len(text)) | st.just(len(text)))
    try:
        Record.from_json(text[:cut]).replay(game)
    except RecordError as error:
        assert isinstance(error, GameError) and str(error)[0] == "R"
