"""Explanations of recorded answers: the obligation, the trick, the outcome and the payments with their places; hidden cards stay hidden."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import spadille
from interpreter.game import Game
from interpreter.record import Record
from interpreter.state import State
from spadille.cli import main
from spadille.loading import load_traced
from spadille.reasons import Line, why_answer, why_step
from spadille.reasons.step import sections_of

DEAL = {
    "hands": ["As 7h Ac Ah Kh 2h 4c 2d 5d".split(), "3h 4h 5h Kd Cd Sd Kc Cc Sc".split(), "6h Sh Ch Ks Cs Ss 7c 6c 5c".split()],
    "talon": "2s 3s 4s 5s 6s 7s 2c 3c Ad 3d 4d 6d 7d".split(),
}
ANSWERS = """entrada; pass; pass; copas; done; done; done; play As; play 3h; play 6h; play 7h; play 4h; play Sh; play Ac; play 5h; play Ch;
play Ah; play Sc; play 5c; play Kh; play Sd; play 6c; claim"""


def record(ruleset: str = "tresillo", **options: str) -> Record:
    answers = [" ".join(answer.split()) for answer in ANSWERS.split(";")]
    game = spadille.load(ruleset, **options)
    return Record.of(game, deal=DEAL, dealer=2, before={"pot": 3}, actions=answers)


def told(number: int, seat: int | None = None, instead: str | None = None, **options: str) -> list[str]:
    """The explanation of an answer: its lines, each with its place."""
    one = record(**options)
    why = why_step(one, load_traced("tresillo", one.options), number, seat, instead)
    return [placed(line) for section in why.sections for line in section.lines]


def placed(line: Line) -> str:
    """A line with the number of the line that it speaks of."""
    return f"{line.text} @{line.span.line}" if line.span else line.text


def line_of(text: str) -> int:
    """The line of tresillo.yaml that begins with a text."""
    lines = (Path(spadille.__file__).parent.parent / "rulesets" / "tresillo.yaml").read_text(encoding="utf-8").splitlines()
    return next(number for number, line in enumerate(lines, 1) if line.strip().startswith(text))


FOLLOW = line_of("follow:")


def test_the_obligation_that_decides_and_its_cards() -> None:
    lines = told(9)
    assert lines[0] == "`play 3h` was allowed"
    assert f"obligation `follow` decides: you must follow the suit led @{FOLLOW}" in lines
    assert f"some c in hand of player has follows(c, lead) and not exempt(c, lead): 5h, 4h, 3h @{FOLLOW + 1}" in lines
    assert f"those c in hand of player with follows(c, lead): 5h 4h 3h @{FOLLOW + 2}" in lines
    assert any(line.startswith("refused: ") and "Kd" in line and "3h" not in line for line in lines)


def test_an_answer_that_was_not_given() -> None:
    lines = told(9, instead="play Kd")
    assert lines[0] == "`play Kd` was not allowed"
    assert f"obligation `follow` decides: you must follow the suit led @{FOLLOW}" in lines
    assert lines[-1] == "allowed were: play 5h, play 4h, play 3h"
    assert told(2, instead="solo")[0] == "`solo` was allowed"
    assert told(9, instead="pass")[1] == "it is no answer to this question (play)"


def test_an_exemption_is_told_card_by_card() -> None:
    """Basto alone of the trumps need not be played to an ordinary trump: `follow` says of each card why it does not bind."""
    game = load_traced("tresillo", {})
    deal = {
        "hands": ["Kh 2c 3c 4c 5c 6c 7c 2d 3d".split(), "Ac Kd Cd Sd 4d 5d 6d 7d Ad".split(), "As 7h Ah Ch Sh 6h 5h 4h 3h".split()],
        "talon": "2h Ks Cs Ss 7s 6s 5s 4s 3s 2s Kc Cc Sc".split(),
    }
    state = game.start(deal=deal, dealer=2)
    for answer in ("entrada", "pass", "pass", "copas", "done", "done", "done", "play Kh"):
        state = state.apply(answer)
    lines = [placed(line) for line in why_answer(state, game.parse("play Ac"))]
    exempt = line_of("exempt(card c, card led)")
    assert lines[1] == f"obligation `follow` does not decide @{FOLLOW}"
    assert f"Ac: c in matadors: Ac in As Ac 7h @{exempt + 1}" in lines
    assert f"Kd: follows(c, lead): no @{FOLLOW + 1}" in lines
    assert f"obligation `free` decides @{line_of('free:')}" in lines


def test_why_the_trick_was_won() -> None:
    lines = told(10)
    red = line_of("trump red:")
    assert "seat 0 won the trick" in lines
    assert f"As of seat 0: number 1 of 12 in trump (copas), the highest @{red}" in lines
    assert f"3h of seat 1: number 11 of 12 in trump (copas) @{red}" in lines
    assert any(line.startswith("6c of seat 2: neither a trump nor of the suit of Kh, cannot win") for line in told(22))


def test_why_this_outcome_and_these_payments() -> None:
    lines = told(23)
    assert f"the outcome is `sacada` @{line_of('sacada: tricks')}" in lines
    assert f"tricks of hombre >= 5: 5 >= 5 @{line_of('sacada: tricks')}" in lines
    row = line_of("- each of defenders pays unit to hombre")
    assert f"each of defenders pays unit to hombre: seat 1 pays 2 to seat 0 @{row}" in lines
    assert f"pot pays all to hombre: pot pays 2 to seat 0 @{row + 1}" in lines, "a chip of the pot went as the honour"
    assert f"tricks of hombre is 9: 5 is not 9 @{line_of('when: tricks of hombre is 9')}" in lines
    assert f"payment `vole` does not apply @{line_of('vole:')}" in lines


def test_options_decide_too() -> None:
    lines = told(9, instead="play Kd", privilege="none")
    assert lines[0] == "`play Kd` was not allowed"
    more = told(23, stake="4")
    assert any("each of defenders pays unit to hombre: seat 1 pays 4 to seat 0" in line for line in more)


def test_places_across_extends() -> None:
    """In a variant each reason names the file that it stands in, its own or the parent's."""
    files = set()
    game, _ = games("tresillo-es")
    for seed in range(1, 5):
        for before, action, _ in course(game, seed):
            for section in sections_of(game, before, game.parse(action)):
                files |= {line.span.source.name for line in section.lines if line.span is not None}
    assert {"rulesets/tresillo-es.yaml", "rulesets/tresillo.yaml"} <= files


# ---------------------------------------------------------------- random deals

RULESETS = ["tresillo", "ombre", "quadrille", "tressette-accusa", "briscola-4", "skat"]


@cache
def games(ruleset: str) -> tuple[Game, Game]:
    return load_traced(ruleset, {}), spadille.load(ruleset)


def course(game: Game, seed: int) -> Iterator[tuple[State, str, State]]:
    """A deal at random: each state, the answer, the state after it; passing is rare, so that there is play."""
    chance = random.Random(seed)
    state = game.start(seed=seed)
    while not state.over:
        answers = [str(action) for action in state.legal()]
        speaking = [answer for answer in answers if answer != "pass"]
        action = chance.choice(speaking if speaking and state.question.about == "bid" else answers)
        after = state.apply(action)
        yield state, action, after
        state = after


@pytest.mark.parametrize("ruleset", RULESETS)
def test_the_payments_told_are_those_made(ruleset: str) -> None:
    game, _ = games(ruleset)
    for seed in (1, 2):
        unit = next(account for account in game.program.accounts if account.per)
        owners = [f"seat {seat}" for seat in range(game.players)] if unit.per == "seat" else list(game.program.side_names)
        states = [game.start(seed=seed)]
        gained = dict.fromkeys(owners, Fraction(0))
        for before, action, after in course(game, seed):
            states.append(after)
            for section in sections_of(game, before, game.parse(action)):
                for line in section.lines if section.about == "the payments" else ():
                    paid = re.search(r": (\w+(?: \d)?) (?:pays (\S+) to (\w+(?: \d)?)|scores (\S+))$", line.text)
                    for who, amount in ((paid[1], paid[4] or f"-{paid[2]}"), (paid[3], paid[2])) if paid else ():
                        if who in gained:
                            gained[who] += Fraction(amount)
        first, last = ([state.world.balance(unit, number) for number in range(len(owners))] for state in (states[0], states[-1]))
        assert list(gained.values()) == [two - one for one, two in zip(first, last, strict=True)]


@pytest.mark.parametrize("ruleset", RULESETS)
def test_a_seat_is_told_of_no_card_that_it_cannot_see(ruleset: str) -> None:
    """Every card named to a seat lies where its view shows it, before or after the answer."""
    game, _ = games(ruleset)
    deck = game.program.deck
    card = re.compile(r"(?<![\w])(?:" + "|".join(sorted(map(re.escape, deck.by_text), key=len, reverse=True)) + r")(?![\w])")
    named = 0
    for seed in (1, 2):
        for before, action, after in course(game, seed):
            for seat in range(game.players):
                seen = {c for state in (before, after) for pile in state.view(seat).piles for c in pile.cards}
                seen |= {c for event in after.view(seat).events for c in event.cards}
                for section in sections_of(game, before, game.parse(action), seat):
                    for line in section.lines:
                        text = line.text if line.span is None else line.text.replace(" ".join(line.span.text.split()), "")
                        for word in card.findall(text.partition(" in ")[0]):
                            named += 1
                            assert deck.by_text[word] in seen, f"seat {seat} is told of {word}: {line.text}"
    assert named > 50


@pytest.mark.parametrize("ruleset", RULESETS)
def test_explanations_agree_with_the_engine(ruleset: str) -> None:
    """What is said to be allowed is allowed, the rung that decides is the engine's, the winner of a trick the one who won it."""
    game, plain = games(ruleset)
    for before, action, after in course(game, 4):
        lines = [line.text for section in sections_of(game, before, game.parse(action)) for line in section.lines]
        assert lines[0] == f"`{action}` was allowed"
        rung = before.rung()
        assert rung is None or any(line.startswith(f"obligation `{rung}` decides") for line in lines)
        won = [event.seat for event in after.news if event.kind == "trick"]
        assert [f"seat {seat} won the trick" for seat in won] == [line for line in lines if line.endswith(" won the trick")]
        if after.over and after.outcome is not None:
            assert f"the outcome is `{after.outcome}`" in lines
    assert plain.hash == game.hash, "a record of the one is a record of the other"


# -------------------------------------------------------------------- commands


def run(*args: str) -> Result:
    result = CliRunner().invoke(main, list(args))
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


@pytest.fixture
def saved(tmp_path: Path) -> str:
    path = tmp_path / "game.json"
    path.write_text(record().to_json(), encoding="utf-8")
    return str(path)


def test_the_answers_are_listed(saved: str) -> None:
    lines = run("why", saved).stdout.splitlines()
    assert lines[0] == "   1  seat 0: entrada" and lines[-1] == "  23  seat 0: claim" and len(lines) == 23
    assert json.loads(run("why", saved, "--json").stdout)[8] == {"answer": 9, "seat": 1, "action": "play 3h"}


def test_what_is_put_face_down_is_hidden_in_the_list(tmp_path: Path) -> None:
    game = spadille.load("tresillo")
    one = Record.of(game, deal=DEAL, dealer=2, actions=["entrada", "pass", "pass", "copas", "discard 2d"])
    path = tmp_path / "game.json"
    path.write_text(one.to_json(), encoding="utf-8")
    assert run("why", str(path), "--seat", "0").stdout.splitlines()[-1] == "   5  seat 0: discard 2d"
    assert run("why", str(path), "--seat", "1").stdout.splitlines()[-1] == "   5  seat 0: discard a card"
    assert "2d" not in run("why", str(path), "5", "--seat", "1").stdout


def test_a_step_as_text_and_as_data(saved: str) -> None:
    text = run("why", saved, "last").stdout
    assert text.startswith("answer 23: seat 0: claim\n") and f"rulesets/tresillo.yaml:{line_of('sacada: tricks')}" in text
    data = json.loads(run("why", saved, "9", "--json").stdout)
    assert (data["answer"], data["seat"], data["action"]) == (9, 1, "play 3h")
    rung = next(line for line in data["sections"][0]["lines"] if line["text"].startswith("obligation `follow`"))
    assert (rung["file"], rung["line"], rung["depth"]) == ("rulesets/tresillo.yaml", FOLLOW, 1)


def test_a_game_played_to_its_end_is_saved_and_explained(tmp_path: Path) -> None:
    path = str(tmp_path / "game.json")
    assert run("play", "briscola", "--watch", "--bots", "greedy", "--deal", "--seed", "2", "--save", path).exit_code == 0
    assert len(run("why", path).stdout.splitlines()) >= 40
    assert "the outcome is `" in run("why", path, "last").stdout
    refused = run(
        "play", "briscola", "--watch", "--bots", "greedy", "--deal", "--seed", "2", "--save", str(tmp_path / "none" / "game.json")
    )
    assert refused.exit_code == 1 and "cannot be written" in refused.stderr


@pytest.mark.parametrize(
    ("args", "code", "said"),
    [
        (("24",), 2, "there is no answer 24: the record has 23"),
        (("0",), 2, "there is no answer 0: the record has 23"),
        (("first",), 2, "`first` is no answer: give its number, or `last`"),
        (("3", "--seat", "3"), 2, "there is no seat 3: seats are 0 to 2"),
        (("9", "--action", "play 3x"), 2, "play 3x"),
    ],
)
def test_wrong_usage(saved: str, args: tuple[str, ...], code: int, said: str) -> None:
    result = run("why", saved, *args)
    assert result.exit_code == code and result.stdout == ""
    assert said in result.stderr and len(result.stderr.splitlines()) == 1


def test_records_that_do_not_fit(tmp_path: Path, saved: str) -> None:
    assert run("why", str(tmp_path / "none.json"), "1").exit_code == 1
    path = Path(saved)
    path.write_text(path.read_text(encoding="utf-8").replace('"hash": "', '"hash": "0'), encoding="utf-8")
    result = run("why", saved, "1")
    assert result.exit_code == 1 and "r201" in result.stderr and len(result.stderr.splitlines()) == 1
