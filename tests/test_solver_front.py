"""The solver's front: sides, positions from outside, the command line, reviews."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import pytest
from click.testing import CliRunner, Result
from play import load

import spadille
from interpreter.record import Record
from interpreter.state import State
from spadille.bots import make_bot
from spadille.cli import main
from spadille.solver.review import Judging, review
from spadille.solver.sides import WrongSides, more_is_better, parties_of
from spadille.solver.solve import Unsolved, solve

RULES = """
ruleset: little
language: 1
players: 3
deck: {suits: {swords: {letter: s}, cups: {letter: c}, coins: {letter: o}}, ranks: {A: {}, K: {}, Q: {}}}
ranking:
  plain: A K Q
score: {unit: points, by: seat}
deal:
  - deal 3 cards to each seat from eldest
play:
  obligations:
    follow: {must: "those c in hand of player with follows(c, lead)", because: you must follow the suit led}
    free: {must: hand of player}
payments:
  taken: {for: s in seats, pay: s scores tricks of s}
"""
DEAL = "As,Ac,Qo/Ks,Kc,Ko/Qs,Qc,Ao"


def run(*args: str) -> Result:
    result = CliRunner().invoke(main, list(args))
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


def answered(ruleset: str, seed: int, *answers: str) -> State:
    state = load(ruleset).start(seed=seed, dealer=load(ruleset).players - 1)
    for answer in answers:
        state = state.apply(answer)
    return state


def late(ruleset: str, seed: int, cards: int) -> tuple[list[State], list[str]]:
    """A deal played at random with the states in which few cards are left, and the answers given in them."""
    random, state = Random(seed), load(ruleset).start(seed=seed)
    hand = load(ruleset).program.pile("hand")
    states, answers = [], []
    while not state.over:
        action = random.choice(state.legal())
        if sum(len(state.world.cards(hand, seat)) for seat in range(load(ruleset).players)) <= cards and state.question.about == "play":
            states.append(state)
            answers.append(str(action))
        state = state.apply(action)
    states.append(state)
    return states, answers


def test_the_declarer_plays_against_the_rest_once_there_is_one() -> None:
    assert parties_of(answered("tresillo", 7)) == ({0}, {1}, {2})
    state = answered("tresillo", 7, "entrada", "pass", "pass")
    assert parties_of(state) == ({0}, {1, 2})
    assert parties_of(answered("tressette", 1)) == ({0, 2}, {1, 3})


def test_a_definition_of_a_seat_may_say_who_plays_together() -> None:
    """Where a dummy's hand belongs to who deals, a definition names both."""
    for dealer in range(3):
        state = load("tressette-col-morto").start(seed=3, dealer=dealer)
        assert set(parties_of(state)) == {frozenset({dealer, 3}), frozenset({0, 1, 2}) - {dealer}}


def test_nobody_is_a_declarer_where_the_payments_do_not_read_one() -> None:
    state = spadille.load("tresillo", all_pass="penetro").start(seed=1, dealer=2)
    for _ in range(3):
        state = state.apply("pass")
    assert state.contract == "penetro" and parties_of(state) == ({0}, {1}, {2})


def test_sides_given_must_hold_every_seat_once() -> None:
    state = answered("hearts", 1)
    assert parties_of(state, [[0, 2], [1, 3]]) == ({0, 2}, {1, 3})
    for wrong in ([[0, 1], [2]], [[0, 1], [1, 2, 3]], [[0, 1, 2, 3], []]):
        with pytest.raises(WrongSides):
            parties_of(state, wrong)
    with pytest.raises(WrongSides):
        solve(state, side=7)


def test_low_scores_win_where_the_ruleset_says_so() -> None:
    assert not more_is_better(load("hearts"))
    assert more_is_better(load("tresillo")) and more_is_better(load("tressette"))


def test_a_search_that_gives_up_or_has_nothing_to_do_says_so() -> None:
    with pytest.raises(Unsolved, match="no value after"):
        solve(answered("tressette", 1), nodes=10, mode="interpreted")
    states, _ = late("tressette", 1, 4)
    with pytest.raises(Unsolved, match="over"):
        solve(states[-1])
    with pytest.raises(ValueError, match="did you mean `tricks`"):
        solve(states[0], "trick")


def test_a_deal_given_as_text_is_solved(tmp_path: Path) -> None:
    file = tmp_path / "little.yaml"
    file.write_text(RULES)
    # The eldest takes two tricks with the aces; the third seat gets the ace of coins.
    shown = run("solve", str(file), "--deal", DEAL, "--value", "tricks").stdout
    assert "value: 2 tricks" in shown and "seat 0 against all others" in shown and "cards alone" in shown
    told = json.loads(run("solve", str(file), "--deal", DEAL, "--json").stdout)
    assert told["value"] == 2 and told["by"] == "states" and len(told["line"]) == 9
    assert told["payoffs"] == [2, 0, 1]
    later = json.loads(run("solve", str(file), "--deal", DEAL, "--say", "As, Ks, Qs", "--json", "--method", "maxn").stdout)
    assert later["sides_values"] == [2, 1, 0] or sum(later["sides_values"]) == 3


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["tresillo", "--deal", "As/2c"], "hands: 3 hands are due"),
        (["tresillo", "--say", "entrada,,pass"], "an answer is missing"),
        (["tresillo", "--say", "solo,pas"], "answer 2: `pas` is no answer"),
        (["tresillo", "--deal", "As;talon"], "`talon` is no pile"),
        (["tresillo", "--at", "3"], "`--at` belongs to a record"),
        (["tresillo", "--sides", "0-1"], "is no list of sides"),
        (["tresillo", "--value", "chips"], "unknown value `chips`"),
        (["nothing.json"], "cannot be read"),
    ],
)
def test_what_is_wrong_is_said_in_one_line(arguments: list[str], said: str) -> None:
    result = run("solve", *arguments)
    assert result.exit_code in (1, 2) and result.stdout == ""
    assert len(result.stderr.splitlines()) == 1 and said in result.stderr


def test_what_cards_cost_adds_up_to_the_end() -> None:
    for ruleset in ("tresillo", "tressette"):
        states, answers = late(ruleset, 4, 12)
        found = review(states, answers)
        assert all(remark.loss is not None and remark.loss >= 0 for remark in found.remarks)
        ours = sum(remark.loss for remark in found.remarks if remark.seat in found.side and remark.loss is not None)
        theirs = sum(remark.loss for remark in found.remarks if remark.seat not in found.side and remark.loss is not None)
        assert found.remarks[0].best is not None
        assert found.remarks[-1].value == found.remarks[0].best - ours + theirs
        assert sum(found.losses) == ours + theirs


def test_a_record_is_solved_and_reviewed_from_the_shell(tmp_path: Path) -> None:
    game = load("traversone-8")
    random, state = Random(2), game.start(seed=2)
    record = Record.of(game, seed=2)
    while not state.over:
        action = random.choice(state.legal())
        state, record = state.apply(action), record.then(action)
    saved = tmp_path / "deal.json"
    saved.write_text(record.to_json())
    lines = run("review", str(saved), "--value", "tricks", "--nodes", "20000").stdout.splitlines()
    assert lines[0] == "Traversone in otto" and sum(line.startswith("  seat ") for line in lines[1:11]) == 8
    first = next(n for n, line in enumerate(lines) if "not judged: too many ways to go on" in line)
    assert first < lines.index("lost in all:") == len(lines) - 9
    told = json.loads(run("review", str(saved), "--value", "tricks", "--nodes", "20000", "--json").stdout)
    assert [card["action"] for card in told["cards"]] == [text for text in record.actions if text.startswith("play ")]
    assert told["judged"] == sum(card["loss"] is not None for card in told["cards"]) > 8
    # Each alone: every card is held for the seat that plays it.
    assert told["side"] is None and all(card["side"] == [card["seat"]] for card in told["cards"])
    shown = json.loads(run("solve", str(saved), "--at", str(len(record.actions) - 3), "--value", "tricks", "--json").stdout)
    assert shown["line"][0]["seat"] == shown["seat"] and len(shown["line"]) == 3
    assert run("solve", str(saved), "--at", "999").exit_code == 1
    assert run("review", str(saved), "--deal", "2").exit_code == 2


def played_out(ruleset: str, seed: int, *answers: str) -> tuple[list[State], list[str]]:
    """A deal begun with some answers and gone on with by the greedy bot: its states, and the answers."""
    state, bot = load(ruleset).start(seed=seed, dealer=load(ruleset).persons - 1), make_bot("greedy", load(ruleset))
    states, given = [state], []
    while not state.over:
        assert state.seat is not None
        view = state.view(state.seat)
        answer = answers[len(given)] if len(given) < len(answers) else str(bot.choose(view, Random(len(given))))
        state = state.apply(answer)
        states.append(state)
        given.append(answer)
    return states, given


@pytest.mark.parametrize(
    ("ruleset", "answers", "what"),
    [
        ("tresillo", ("entrada", "pass", "pass"), "tricks"),
        ("tressette", (), "points"),
        # Who wants no trick is not served by tricks.
        ("lhombre", ("nolo_ouvert", "pass", "pass"), "payoff"),
        # Points and payoff are sought alike here, and who takes all of them is paid for it.
        ("hearts", (), "payoff"),
    ],
)
def test_what_a_review_counts(ruleset: str, answers: tuple[str, ...], what: str) -> None:
    states, given = played_out(ruleset, 5, *answers)
    assert Judging(states, given).what == what


def test_the_work_of_a_review_is_bounded() -> None:
    states, given = played_out("hearts", 5)
    found = review(states, given, nodes=3_000)
    late = [remark for remark in found.remarks if remark.loss is not None and remark.choices > 1]
    early = [remark for remark in found.remarks if remark.loss is None]
    assert len(late) > 4 and len(early) > 20
    assert {remark.reason for remark in early} == {"too many ways to go on"} and found.judged + len(early) == 52
    # A card that had to be played is no mistake, however many ways there were to go on.
    assert all(remark.loss == 0 and remark.best is None for remark in found.remarks[:8] if remark.choices == 1)


def test_a_secret_partner_is_known_in_a_review() -> None:
    states, given = played_out("briscola-chiamata", 3)
    begun = next(state for state in states if not state.over and state.question.about == "play")
    parties = Judging(states, given).parties
    assert len(parties) == 2 and len(parties[0]) == 2 and begun.seat is not None
    # What a card costs a side adds up to the difference between the first value and what is reached.
    found = review(states, given, "points", nodes=150_000)
    known = found.remarks[next(n for n, remark in enumerate(found.remarks) if remark.best is not None) :]
    cost = sum((remark.loss or 0) * (-1 if remark.seat in parties[0] else 1) for remark in known)
    assert found.side == parties[0] and known[-1].value == (known[0].best or 0) + cost
