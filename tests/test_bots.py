"""Bots: always a legal answer, from the view alone, the same again with the same numbers, and better than chance."""

from __future__ import annotations

import ast
from dataclasses import replace
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pytest

import spadille
import spadille.bots
from interpreter import descent
from interpreter.game import Game
from interpreter.state import State
from spadille.bots import make_bot
from spadille.bots.bot import chance
from spadille.bots.knowledge import high_is_good
from spadille.bots.strong import StrongBot
from spadille.bots.tree import Table, Tree
from spadille.worlds import Sampler

GAMES = ("tresillo", "tresillo-sin-ver", "tressette", "tressette-accusa", "hearts")


@cache
def game(name: str, **options: str) -> Game:
    found = spadille.load(name, **options)
    assert isinstance(found, Game)
    return found


def play(game: Game, seats: dict[int, str], seed: int) -> State:
    """A deal played with the greedy bot where nothing else is said."""
    bots = {name: make_bot(name, game) for name in ("greedy", *seats.values())}
    state, decisions = game.start(seed=seed), 0
    while not state.over:
        seat = state.seat
        assert seat is not None
        view = state.view(seat)
        action = bots[seats.get(seat, "greedy")].choose(view, chance(seed, seat, decisions))
        assert action in view.legal
        state = state.apply(action)
        decisions += 1
    return state


@pytest.mark.parametrize("bot", ["greedy", "random"])
@pytest.mark.parametrize("name", GAMES)
def test_a_deal_comes_to_its_end(name: str, bot: str) -> None:
    for seed in range(4):
        one = play(game(name), dict.fromkeys(range(4), bot), seed)
        assert one == play(game(name), dict.fromkeys(range(4), bot), seed)


@pytest.mark.parametrize(
    "name, options",
    [
        ("tresillo", {"rounds": "continuous_hold", "all_pass": "penetro"}),
        ("tresillo", {"claim_continuing": "undertakes_vole", "exchange_minimum": "1"}),
        ("tresillo-sin-ver", {"sin_ver": "blind_hand"}),
        ("tressette-accusa", {"signals": "verbal", "match_end": "call_out", "window": "tricks_1_3"}),
        ("tressette-accusa", {"signals": "gestures", "false_claim": "forfeit_hand_points", "window": "before_first_lead"}),
        ("hearts", {"jd_bonus": "yes", "pass_direction": "keep"}),
    ],
)
def test_options_do_not_confuse_them(name: str, options: dict[str, str]) -> None:
    for seed in range(3):
        play(game(name, **options), {}, seed)


def test_what_is_sought() -> None:
    assert [high_is_good(game(name)) for name in ("tresillo", "tressette", "hearts")] == [True, True, False]


@pytest.mark.parametrize("name, mine", [("tresillo", (0,)), ("tressette", (0, 2)), ("hearts", (0,))])
def test_greedy_beats_random(name: str, mine: tuple[int, ...]) -> None:
    one = game(name)
    seats = {seat: "random" for seat in range(one.players) if seat not in mine}
    totals = [0.0] * one.players
    for seed in range(40):
        for seat, gain in enumerate(play(one, seats, seed).payoffs):
            totals[seat] += float(gain)
    others = [total for seat, total in enumerate(totals) if seat not in mine]
    if high_is_good(one):
        assert min(totals[seat] for seat in mine) > max(others)
    else:
        assert max(totals[seat] for seat in mine) < min(others)


def test_they_read_only_views() -> None:
    """No bot imports the state or a match; its choice is a function of view and random numbers."""
    for path in Path(spadille.bots.__file__).parent.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom):
                assert node.module not in ("interpreter.state", "interpreter.match"), path
    one = game("tresillo")
    state = one.start(seed=3)
    bot = make_bot("greedy", one)
    for decision in range(30):
        if state.over:
            break
        seat = state.seat
        assert seat is not None
        view = state.view(seat)
        action = bot.choose(view, chance(1, seat, decision))
        assert bot.choose(view, chance(1, seat, decision)) == action
        state = state.apply(action)


def test_an_unknown_bot() -> None:
    with pytest.raises(ValueError, match="unknown bot `rndom`; did you mean `random`"):
        make_bot("rndom", game("hearts"))


def in_python(*vectors: Any) -> int:
    """The search without a compiler, on lists."""
    lists = [vector.tolist() for vector in vectors]
    ended = descent.search(*lists)
    for vector, values in zip(vectors, lists, strict=True):
        vector[:] = values
    return ended


@pytest.mark.parametrize("name", ["terziglio", "hearts"])
def test_the_search_is_the_same_in_python_and_compiled(name: str) -> None:
    one = game(name)
    state, random = one.start(seed=2), Random(5)
    for _ in range(12):
        state = state.apply(random.choice(state.legal()))
    assert state.seat is not None
    worlds = Sampler(one, state.view(state.seat)).worlds(3, random)
    compiled, plain = Table(one), Table(one)
    plain.search = in_python
    found = [Tree(table, [(w.state.memory, w.weight) for w in worlds], Random(7)).search(60) for table in (compiled, plain)]
    assert found[0] == found[1]
    assert 30 < sum(branch.visits for branch in found[0].values()) <= 60


def test_an_estimate_for_every_answer() -> None:
    """None goes without a look, the two that seem best get most, and the better of them is chosen."""
    one = game("skat")
    bot = StrongBot(one, worlds=8, descents=400)
    state = one.start(seed=4)
    assert state.seat is not None
    view = state.view(state.seat)
    estimates = bot.estimates(view, Random(1))
    assert [estimate.action for estimate in estimates] == list(view.legal)
    looks = sorted((estimate.looks for estimate in estimates), reverse=True)
    assert looks[-1] > 0 and 200 < sum(looks) <= 400
    often = [estimate for estimate in estimates if estimate.looks * 4 >= looks[0]]
    assert bot.choose(view, Random(1)) == max(often, key=lambda estimate: estimate.gain).action


def test_who_searches_wins() -> None:
    """Two deals with each seat searching in turn, a little; `bench --strength` has the numbers that count."""
    one = game("hearts")
    bots = {True: StrongBot(one, worlds=8, descents=500), False: make_bot("greedy", one)}
    searching, others = 0.0, 0.0
    for seed in range(2):
        for mine in range(one.players):
            state, made = one.start(seed=seed), 0
            while (seat := state.seat) is not None:
                state = state.apply(bots[seat == mine].choose(state.view(seat), chance(seed, seat, made)))
                made += 1
            searching += float(state.payoffs[mine])
            others += float(sum(state.payoffs) - state.payoffs[mine]) / (one.players - 1)
    assert searching < others  # a low score wins


@pytest.mark.parametrize("name", ["tresillo", "hearts"])
def test_the_bot_that_searches_answers_alike_where_views_are_alike(name: str) -> None:
    """Worlds that look the same to a seat get the same answer with the same random numbers, and a legal one."""
    one = game(name)
    bot = StrongBot(one, worlds=6, descents=40)
    random = Random(4)
    state = one.start(seed=11)
    for _ in range(14):
        state = state.apply(random.choice(state.legal()))
    assert state.seat is not None
    view = state.view(state.seat)
    answer = bot.choose(view, chance(2, state.seat, 14))
    assert answer in view.legal
    for world in Sampler(one, view).worlds(3, random):
        assert world.state.memory != state.memory
        assert bot.choose(replace(world.state.view(state.seat), opening=view.opening), chance(2, state.seat, 14)) == answer


def test_greedy_chooses_the_contract_its_hand_is_good_for() -> None:
    """Where a word settles the contract, it is chosen by the hand, not by the order of the words."""
    one = game("skat")
    bot, chosen = make_bot("greedy", one), set()
    for seed in range(12):
        state = one.start(seed=seed)
        while state.seat is not None and state.question.about != "play":
            view = state.view(state.seat)
            action = bot.choose(view, Random(seed))
            if state.question.about == "game":
                chosen.add(str(action))
            state = state.apply(action)
    assert "suit_game" in chosen and len(chosen) > 1
