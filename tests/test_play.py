"""Playing in the terminal: what is shown and never shown, what may be typed, undo, saving and going on."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pytest
from click.testing import CliRunner, Result

import spadille
from interpreter.game import Game
from interpreter.record import Record
from interpreter.state import State
from spadille.bots import make_bot
from spadille.bots.bot import chance
from spadille.cli import main
from spadille.solver.review import Judging
from spadille.table.cards import CardNames
from spadille.table.company import Company
from spadille.table.hint import think, told
from spadille.table.narration import Narrator
from spadille.table.saved import Saved
from spadille.table.screen import Screen
from spadille.table.session import Session
from spadille.table.talk import Talk
from spadille.worlds import Sampler

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
    return Session.begin(Company(one, ("greedy",)), Record.of(one, seed, match=True), you, 1)


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


def test_numbers_and_cards_in_one_line() -> None:
    text = play("hearts", "--seed", "11", typed=lines("pass 11 as,9", "1")).stdout
    assert "seat 0 (you): pass Ks As 2h" in text


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
    asked = ["hint", "last", "score", "table", "1", "1", "2", "3"][name != "tresillo" :]

    def read(prompt: str) -> str:
        learn()
        number = next(script)
        return "" if session.over else asked[number % len(asked)]

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


# --------------------------------------------------------------- who sits where


def test_bots_by_seat_are_kept(own_folder: Path) -> None:
    first = play("tresillo", "--seed", "5", "--seat", "1", "--bots", "random,greedy", typed=lines("1", "1", "quit mine.json")).stdout
    assert "you are seat 1 of 3; seat 0 is a random bot, seat 2 a greedy one" in first
    body = json.loads((own_folder / "mine.json").read_text())
    assert [body["bots"][0], body["bots"][2]] == ["random", "greedy"]
    assert "seat 0 is a random bot, seat 2 a greedy one" in play("--resume", "mine.json").stdout
    assert "the others are random bots" in play("--resume", "mine.json", "--bots", "random").stdout
    body["bots"] = ["gredy"]
    (own_folder / "mine.json").write_text(json.dumps(body))
    result = play("--resume", "mine.json")
    assert result.exit_code == 1 and "unknown bot `gredy`; did you mean `greedy`?" in result.stderr


def test_a_game_saved_when_all_bots_were_alike_is_resumed(own_folder: Path) -> None:
    play("hearts", "--seed", "11", typed=lines("1", "quit old.json"))
    body = json.loads((own_folder / "old.json").read_text())
    del body["bots"]
    body |= {"table": 1, "opponents": "random"}
    (own_folder / "old.json").write_text(json.dumps(body))
    assert "the others are random bots" in play("--resume", "old.json").stdout


def test_bots_that_do_not_fit_the_table() -> None:
    assert "3 bots sit at this table, and 2 are named" in play("hearts", "--bots", "greedy,random").stderr
    assert "one bot sits at this table, and 3 are named" in play("briscola", "--bots", "greedy,random,greedy").stderr
    assert "unknown bot `strng`; did you mean `strong`?" in play("hearts", "--bots", "greedy,strng,random").stderr
    one = game("tresillo")
    assert Company.around(one, "random,greedy,strong", 0).names == ("random", "greedy", "strong")
    assert Company.around(one, None, 2).told(2) == "the others are greedy bots"
    assert Company.around(game("briscola"), "strong", 1).told(1) == "the other is a strong bot"
    assert "you are seat 0 of 4, with seat 2; the others" in play("tressette", "--seed", "1").stdout


# ---------------------------------------------------------------------- hints


def position(name: str, seed: int, *answers: str) -> State:
    state = game(name).start(seed=seed, dealer=game(name).persons - 1)
    for answer in answers:
        state = state.apply(answer)
    return state


PLAYED = ("entrada", "pass", "pass", "espadas", "done", "done", "done")
HINTED = {
    "bids": ("tresillo", 7),
    "exchange": ("tresillo", 7, *PLAYED[:4]),
    "play": ("tresillo", 7, *PLAYED),
    "cards passed": ("hearts", 2),
}


@pytest.mark.parametrize("asked", HINTED.values(), ids=HINTED.keys())
def test_a_hint_knows_only_what_the_seat_knows(asked: tuple[Any, ...]) -> None:
    """Worlds that look alike to the seat get the same hint, to the letter; it has every answer, with the number it has at the prompt."""
    state = position(*asked)
    assert state.seat is not None
    view = state.view(state.seat)
    found = [world.state for world in Sampler(state.game, view).worlds(2, Random(5))]
    worlds = [State(one.game, one.memory, one.events, one.news, state.opening) for one in found]
    assert len({world.memory for world in worlds} | {state.memory}) == 3
    teller = Narrator(state.game, CardNames(state.game.program), state.seat)
    hints = [think(state.game, one.view(state.seat), 4, 9, 600) for one in (state, *worlds)]
    texts = ["\n".join(told(hint, teller, one.view(state.seat))) for hint, one in zip(hints, (state, *worlds), strict=True)]
    assert len(set(texts)) == 1 and all(hint == hints[0] for hint in hints)
    assert {one.action for one in hints[0].prospects} == set(view.legal)
    assert sum(one.share for one in hints[0].prospects) == pytest.approx(1)
    assert hints[0].best == make_bot("strong", state.game).choose(view, chance(4, state.seat, 9))
    for number, action in enumerate(Screen(teller).ordered(view), 1):
        name = teller.word(str(action)) if action.card is None else str(action)
        assert re.search(rf"(^| ){number}\)  {re.escape(name)} ", texts[0], re.MULTILINE), name
    assert texts[0].count("best") == 1 and teller.unit in texts[0]


def test_where_the_bot_finds_nothing_rules_of_thumb_advise() -> None:
    state = position("tresillo", 7, *PLAYED)
    assert state.seat is not None
    view, teller = state.view(state.seat), Narrator(state.game, CardNames(state.game.program))
    # A position that was set up says nothing of how the cards came to lie.
    lost = think(state.game, replace(view, opening=None), 1, 1)
    late = think(state.game, view, 1, 1, seconds=0)
    for hint, why in ((lost, "could think of no way the unseen cards may lie"), (late, "came to no end within 0 seconds")):
        assert hint.best in view.legal and not hint.prospects and why in hint.why
        assert told(hint, teller, view)[1] == f"by rules of thumb: {hint.best}"


def test_hint_at_the_prompt() -> None:
    text = play("tresillo", "--seed", "5", typed=lines("hnt", "hint", "hint 3", "abandon")).stdout
    assert "`hnt` is no answer here; did you mean `hint`?" in text and "`hint` is typed alone" in text
    assert re.search(
        r"to gain in this deal, in chips;\n.* ways to go on.*:\n( +\d\)  \w+ +[+-]\d+\.\d\d  tried +<?\d+%(  best)?\n){4}", text
    )


def test_an_interrupt_ends_the_thinking_and_not_the_game(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("spadille.table.talk.think", interrupted)
    text = play("tresillo", "--seed", "5", typed=lines("hint", "entrada", "abandon")).stdout
    assert "no hint: interrupted" in text and "seat 0 (you): entrada" in text


def test_hints_from_the_shell(own_folder: Path) -> None:
    play("tresillo", "--seed", "5", typed=lines("entrada", "copas", "quit game.json"))
    run = CliRunner().invoke
    shown = run(main, ["hint", "game.json"])
    assert shown.exit_code == 0 and "discard: 1) " in shown.stdout and "  best\n" in shown.stdout
    step = json.loads((own_folder / "game.json").read_text())["record"]["actions"].index("copas") + 1
    data = json.loads(run(main, ["hint", "game.json", "--step", str(step), "--json"]).stdout)
    assert (data["seat"], data["question"], data["answered"], data["unit"]) == (0, "trump", "copas", "chips")
    shares = [round(one["share"], 2) for one in data["answers"]]
    assert shares == sorted(shares, reverse=True) and data["answers"][0]["answer"] == data["best"]
    assert {one["answer"] for one in data["answers"]} == {"espadas", "bastos", "copas", "oros"}
    wrong = run(main, ["hint", "game.json", "--step", "99"])
    assert wrong.exit_code == 2 and "the record has only" in wrong.stderr
    play("tresillo", "--seed", "5", "--watch", "--deal", "--save", "over.json")
    body = json.loads((own_folder / "over.json").read_text())
    body["record"]["match"] = False
    (own_folder / "over.json").write_text(json.dumps(body["record"]))
    wrong = run(main, ["hint", "over.json"])
    assert wrong.exit_code == 1 and "nothing is asked at the end of this record" in wrong.stderr


# --------------------------------------------------------------------- reviews


def test_a_review_after_the_deal_opens_all_cards() -> None:
    typed = lines("review", "entrada", "copas", "done", *["1"] * 9, "reveiw", "review trics", "review", "7h", "", "abandon")
    text = play("tresillo", "--seed", "5", typed=typed).stdout
    assert "no deal is over yet: a review opens all cards" in text
    assert "nothing is asked now, so `reveiw` is no answer; did you mean `review`?" in text
    assert "a review counts payoff, tricks, points, not `trics`; did you mean `tricks`?" in text
    assert "nothing is asked now, so `7h` is no answer; Enter deals the next cards" in text
    told = text.partition("this may take some seconds …")[2].partition("> 7h")[0]
    deck = game("tresillo").program.deck
    hands, table, sums = re.split(r"\n\nbest: |\n\nlost in all:\n", told)
    cards = [word for word in hands.split() if word in deck.by_text]
    assert len(cards) == len(set(cards)) == len(deck)
    rows = re.findall(r"seat \d(?: \(you\))? +(\w+) +(\d+) +(fine|\d+)  (\w+)", table)
    assert len(rows) == 27 and len({card for card, *_ in rows}) == 27
    assert all((word == "better") == (cost != "fine") for _, _, cost, word in rows)
    assert sum(int(cost) for _, _, cost, _ in rows if cost != "fine") == sum(map(int, re.findall(r"(\d+) tricks?\b(?! \d)", sums)))
    assert "deal 2" in text.partition("> 7h")[2]


def test_a_review_that_is_interrupted_tells_what_was_found(monkeypatch: pytest.MonkeyPatch) -> None:
    judged, calls = Judging.judged, iter(range(100))

    def impatient(self: Judging, *one: Any) -> Any:
        if next(calls) == 5:
            raise KeyboardInterrupt
        return judged(self, *one)

    monkeypatch.setattr(Judging, "judged", impatient)
    text = play("tresillo", "--seed", "5", "--deal", typed=lines("entrada", "copas", "done", *["1"] * 9, "review")).stdout
    assert "interrupted: this is what was found so far" in text
    assert "the first 22 cards, to the middle of trick 8, were not judged: it was not looked at" in text
    assert text.count("trick 9  ") == 1 and "trick 7  " not in text


def test_after_the_last_deal_there_is_time_for_a_review_and_for_undo() -> None:
    result = play("tresillo", "--seed", "5", "--deal", typed=lines("entrada", "copas", "done", *["1"] * 9, "undo", "1", "quit"))
    assert result.exit_code == 0 and "back to your previous decision" in result.stdout
    assert result.stdout.count("played: 1 deal of the match") == 2 and result.stdout.count("Enter leaves the table") == 2


def test_a_deal_without_cards_is_passed_over() -> None:
    text = play("tresillo", "--seed", "5", typed=lines("pass", "abandon")).stdout
    assert "thrown in" in text and "deal 2" in text and "review" not in text.partition("thrown in")[2]


# ------------------------------------------------------------------ transcript


@pytest.mark.parametrize("name", GAMES)
def test_a_transcript_shows_all_hands(name: str) -> None:
    result = play(name, "--watch", "--bots", "greedy", "--deals", "1", "--seed", "3")
    assert result.exit_code == 0
    assert result.stdout == play(name, "--watch", "--bots", "greedy", "--deals", "1", "--seed", "3").stdout
    deck = game(name).program.deck
    text = result.stdout.split("deal 1")[1].split("\n  seat 0: ")[0]
    shown = [line for line in text.splitlines() if re.match(r"  (seat \d|talon)  ", line)]
    cards = [word for line in shown for word in line.split() if word in deck.by_text]
    assert len(cards) == len(set(cards)) == len(deck)
    assert "(you)" not in result.stdout and "trick 1: seat" in result.stdout and "gained:" in result.stdout


def test_a_whole_match_of_bots() -> None:
    result = play("tressette", "--watch", "--bots", "greedy", "--seed", "1")
    assert result.exit_code == 0
    assert re.search(r"match over: seat \d and seat \d win", result.stdout)
    assert result.stdout.count("deal over") > 1
