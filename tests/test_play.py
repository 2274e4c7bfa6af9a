"""Playing in the terminal: what is shown and never shown, what may be typed, undo, saving and going on."""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import spadille
from interpreter.game import Game
from interpreter.record import Record
from spadille.bots import make_bot
from spadille.cli import main
from spadille.table.cards import CardNames
from spadille.table.narration import Narrator
from spadille.table.saved import Saved
from spadille.table.session import Session
from spadille.table.talk import Talk

GAMES = ("tresillo", "tressette-accusa", "hearts")
CARD = re.compile(r"\b(?:10|[AKQJCSFR2-9])[a-z]\b")


@cache
def game(name: str) -> Game:
    found = spadille.load(name)
    assert isinstance(found, Game)
    return found


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def play(*args: str, typed: str = "") -> Result:
    result = CliRunner().invoke(main, ["play", *args], input=typed)
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


def lines(*typed: str) -> str:
    return "".join(f"{line}\n" for line in typed)


def plain_session(name: str, seed: int, you: int = 0) -> Session:
    one = game(name)
    return Session.begin(one, make_bot("greedy", one), Record.of(one, seed, match=True), you, 1)


# -------------------------------------------------------------------- one deal


@pytest.mark.parametrize("name", GAMES)
def test_a_deal_by_numbers(name: str) -> None:
    result = play(name, "--seed", "4", "--deal", typed="1\n" * 80)
    assert result.exit_code == 0, result.output
    assert "deal over" in result.stdout and "played: 1 deal of the match" in result.stdout
    assert "\x1b" not in result.stdout and result.stderr == ""
    assert play(name, "--seed", "4", "--deal", typed="1\n" * 80).stdout == result.stdout


def test_the_hand_stands_in_the_rulesets_order() -> None:
    result = play("tresillo", "--seed", "5", typed=lines("entrada", "copas"))
    assert "♠ s espadas  5s 4s\n  ♣ c bastos   Kc 7c 5c\n  ♥ h copas    Kh 6h\n  ♦ d oros     Kd Cd" in result.stdout
    # Once trumps are named they come first.
    assert "♥ h copas (trumps)  Kh 6h\n  ♠ s espadas         5s 4s" in result.stdout
    assert "contract entrada (hombre: seat 0 (you)) · trumps ♥ h copas" in result.stdout
    assert "bid: 1) pass  2) entrada  3) vuelta  4) solo" in result.stdout


def test_names_in_other_languages() -> None:
    french = play("tresillo", "--seed", "5", "--names", "french").stdout
    assert "♦ d diamonds  Kd Qd" in french and "oros" not in french
    assert "♦ d oros     Kd Cd" in play("tresillo", "--seed", "5", "--names", "spanish").stdout


def test_answers_by_text_number_and_card() -> None:
    text = play("hearts", "--seed", "11", typed=lines("10 11,9", "4s", "5s", "AC", "last", "PLAY 2D", "score")).stdout
    assert "seat 0 (you): pass As Ks 2h" in text
    assert "`play 4s` is not allowed: you must follow the suit led (obligation `follow`)" in text
    assert "`5s` is not in your hand" in text
    assert "seat 0 (you) plays Ac" in text and "seat 0 (you) plays 2d" in text
    assert re.search(r"last trick: seat \d.*seat 0 \(you\) Ac.*won by seat", text)
    assert "points: seat 0 (you) 0" in text


def test_several_cards_hold_only_while_nobody_else_answers() -> None:
    text = play("hearts", "--seed", "11", typed=lines("10 11,9", "Ac 2d")).stdout
    assert "seat 0 (you) plays Ac" in text and "seat 0 (you) plays 2d" not in text


def test_what_is_no_answer() -> None:
    text = play("tresillo", "--seed", "5", typed=lines("entrda", "99", "7", "flub", "undo", "last", "helo", "?", "solo", "copas")).stdout
    assert "`entrda` is no answer here; did you mean `entrada`?" in text
    assert "there is no answer 99; the answers are numbered 1 to 4" in text
    assert "`flub` is no answer in this game; `help` lists what can be typed" in text
    assert "there is nothing to take back" in text
    assert "no trick is complete in this deal yet" in text
    assert "`helo` is no answer here; did you mean `help`?" in text
    assert "goes back to your previous decision" in text
    assert "seat 0 (you): ♥ h copas" in text


def test_no_trump_card_no_question() -> None:
    text = play("tresillo", "--seed", "5", typed=lines("Kc", "entrada", "copas", "kz")).stdout
    assert "`Kc` is no answer in this game" in text and "`kz` is no answer in this game" in text


# ------------------------------------------------------------- what is unknown


@pytest.mark.parametrize("name, seed", [("tresillo", 3), ("tresillo", 8), ("tressette-accusa", 2), ("hearts", 6)])
def test_hidden_cards_are_never_shown(name: str, seed: int) -> None:
    """Every card in what is printed lies, or lay, where the person saw it."""
    session = plain_session(name, seed)
    names = CardNames(session.game.program)
    deck = session.game.program.deck
    known: set[str] = set()
    told: set[str] = set()

    def learn() -> None:
        view = session.state.view(0)
        known.update(deck.text(card) for pile in view.piles for card in pile.cards)
        known.update(deck.text(card) for event in view.events for card in event.cards)

    def say(line: str) -> None:
        learn()
        # Once the last card is played the session stands at the next deal.
        if not session.over:
            told.update(set(CARD.findall(line)) & set(deck.by_text))
            assert told <= known, line

    script = iter(range(10_000))

    def read(prompt: str) -> str:
        learn()
        number = next(script)
        return ["last", "score", "table", "1", "1", "2", "3"][number % 7]

    saved = Saved(session.record, name)
    assert Talk(session, Narrator(session.game, names, 0), saved, say, read).run() == 0
    assert len(told) >= 9


def test_cards_put_face_down_by_others_are_counted() -> None:
    text = play("tresillo", "--seed", "5", typed=lines("entrada", "copas", "5s 4s", "done")).stdout
    assert re.search(r"seat 1: discard \d+ cards? face down", text)
    assert re.search(r"seat 1 takes \d+ cards? from the talon", text)
    assert re.search(r"seat 0 \(you\) takes \w\w \w\w from the talon", text)


# ------------------------------------------------------------ undo, save, quit


def test_undo_goes_back_to_the_persons_previous_decision() -> None:
    text = play("tresillo", "--seed", "5", typed=lines("entrada", "copas", "undo", "oros", "undo", "undo", "pass")).stdout
    assert text.count("back to your previous decision") == 3
    assert "seat 0 (you): ♦ d oros" in text and "deal over: thrown in" in text


def test_undo_is_exact() -> None:
    session = plain_session("hearts", 6)
    seen = []
    for _ in range(60):
        if session.over:
            break
        if session.your_turn:
            seen.append((len(session.record.actions), session.state))
            session.answer(session.state.legal()[0])
        else:
            session.answer(session.bot_action())
    while seen:
        count, state = seen.pop()
        if count < len(session.record.actions):
            assert session.undo()
        assert session.state == state and len(session.record.actions) == count
    assert not session.undo()


def test_quit_saves_and_resume_goes_on(own_folder: Path) -> None:
    first = play("tresillo", "--seed", "5", typed=lines("entrada", "copas", "5s", "quit"))
    assert first.exit_code == 0
    assert "saved; go on with: spadille play --resume tresillo-5.save.json" in first.stdout
    rest = lines("4s", "done", *["1"] * 400)
    resumed = play("--resume", "tresillo-5.save.json", "--deal", typed=rest)
    assert resumed.exit_code == 0 and "deal over" in resumed.stdout
    straight = play("tresillo", "--seed", "5", "--deal", typed=lines("entrada", "copas", "5s") + rest)
    assert resumed.stdout.split("> done\n", 1)[1] == straight.stdout.split("> done\n", 1)[1]


def test_the_end_of_input_loses_nothing(own_folder: Path) -> None:
    result = play("hearts", "--seed", "11", "--seat", "2", "--set", "target=40", typed=lines("1"))
    assert result.exit_code == 0
    assert "the input ended" in result.stdout and "--resume hearts-11.save.json" in result.stdout
    saved = json.loads((own_folder / "hearts-11.save.json").read_text())
    assert saved["seat"] == 2 and saved["record"]["options"]["target"] == "40"
    again = play("--resume", "hearts-11.save.json", typed="")
    assert "you are seat 2 of 4" in again.stdout and "target=40" in again.stdout
    # A second game with the same seed does not overwrite the first.
    play("hearts", "--seed", "11", typed=lines("1"))
    assert (own_folder / "hearts-11-2.save.json").exists()


def test_nothing_played_leaves_no_file(own_folder: Path) -> None:
    """The bots' answers before the person's first are no loss; neither is what is abandoned."""
    result = play("hearts", "--seed", "11", typed="")
    assert result.exit_code == 0 and "the same cards are dealt by: --seed 11" in result.stdout
    assert play("hearts", "--seed", "11", typed=lines("quit")).exit_code == 0
    assert play("hearts", "--seed", "11", typed=lines("1", "abandon")).exit_code == 0
    assert list(own_folder.iterdir()) == []


def test_an_interrupt_saves_too(own_folder: Path) -> None:
    session = plain_session("tresillo", 5)
    typed = iter(["entrada", "copas"])
    told: list[str] = []

    def read(prompt: str) -> str:
        for line in typed:
            return line
        raise KeyboardInterrupt

    teller = Narrator(session.game, CardNames(session.game.program), 0)
    assert Talk(session, teller, Saved(session.record, "tresillo"), told.append, read).run() == 130
    assert told[-2:] == ["interrupted", "saved; go on with: spadille play --resume tresillo-5.save.json"]


def test_save_under_a_name_and_where_it_cannot_be(own_folder: Path) -> None:
    text = play("tresillo", "--seed", "5", typed=lines("entrada", "save mine.json", "save no/such/place.json", "abandon")).stdout
    assert "saved; go on with: spadille play --resume mine.json" in text
    assert "not saved: `no/such/place.json` cannot be written: no such file or directory" in text
    assert [path.name for path in own_folder.iterdir()] == ["mine.json"]


def test_files_that_cannot_be_resumed(own_folder: Path) -> None:
    (own_folder / "text.json").write_text("hello")
    (own_folder / "other.json").write_text('{"a": 1}')
    (own_folder / "binary.json").write_bytes(b"\xff\xfe\x00")
    assert play("tresillo", "--seed", "5", typed=lines("entrada", "quit ok.json")).exit_code == 0
    body = json.loads((own_folder / "ok.json").read_text())
    body["record"]["hash"] = "0" * 16
    (own_folder / "foreign.json").write_text(json.dumps(body))
    body["table"] = 99
    (own_folder / "future.json").write_text(json.dumps(body))
    for name in ("none.json", "text.json", "other.json", "binary.json", "foreign.json", "future.json"):
        result = play("--resume", name)
        assert result.exit_code == 1 and result.stdout == ""
        assert result.stderr.startswith("error: ") and result.stderr.count("\n") == 1, result.stderr
    assert play("--resume", "ok.json", "--seed", "3").exit_code == 2


def test_a_bare_record_is_resumed(own_folder: Path) -> None:
    one = game("hearts")
    (own_folder / "record.json").write_text(Record.of(one, 3, match=True).to_json())
    assert "you are seat 0 of 4" in play("--resume", "record.json", typed="").stdout


# ------------------------------------------------------------------ transcript


@pytest.mark.parametrize("name", GAMES)
def test_a_transcript_shows_all_hands(name: str) -> None:
    result = play(name, "--bots", "--deals", "1", "--seed", "3")
    assert result.exit_code == 0
    assert result.stdout == play(name, "--bots", "--deals", "1", "--seed", "3").stdout
    deck = game(name).program.deck
    text = result.stdout.split("deal 1")[1].split("\n  seat 0: ")[0]
    shown = [line for line in text.splitlines() if re.match(r"  (seat \d|talon)  ", line)]
    cards = [word for line in shown for word in line.split() if word in deck.by_text]
    assert len(cards) == len(set(cards)) == len(deck)
    assert "(you)" not in result.stdout and "trick 1: seat" in result.stdout and "gained:" in result.stdout


def test_a_whole_match_of_bots() -> None:
    result = play("tressette", "--bots", "--seed", "1")
    assert result.exit_code == 0
    assert re.search(r"match over: seat \d and seat \d win", result.stdout)
    assert result.stdout.count("deal over") > 1
