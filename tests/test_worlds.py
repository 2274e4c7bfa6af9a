"""Worlds drawn for a seat: each looks to it exactly as the true one does, and on a tiny pack all are equally likely."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations, permutations
from random import Random

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from play import RULESETS, load, option_sets, variant

from interpreter.event import Event
from interpreter.game import Game
from interpreter.state import State
from spadille.worlds import Sampler, World
from spadille.worlds.matching import Matching

TINY = """\
ruleset: tiny
language: 1
title: Tiny
summary: Three seats lay one card aside unseen, draw another and play two tricks; the suit led must be followed.
sources: {ours: ours}
players: 3
direction: clockwise
deck:
  suits:
    reds: {letter: r, colour: red}
    blacks: {letter: b, colour: black}
  ranks: {A: {}, K: {}, Q: {}, J: {}}
ranking: {plain: A K Q J}
piles:
  talon: in order, seen by nobody
  aside: seen by nobody
score: {unit: points, by: seat, balanced: false}
deal:
  - deal 2 cards to each seat from eldest
  - move all of deck to talon
opening:
  - each: s in seats from eldest
    do:
      - ask: s
        about: lay aside
        choices:
          lay c in hand of s: [move c from hand of s to aside]
          keep: []
      - when: size(hand of s) < 2
        do: [move top 1 cards of talon to hand of s]
play:
  leads: eldest
  obligations:
    follow: {must: 'those c in hand of player with follows(c, lead)'}
    free: {must: hand of player}
outcomes: {done: otherwise}
payments:
  done: [each of seats scores 1]
"""


def course(game: Game, seed: int, number: int, steps: int | None = None) -> State:
    """A state on the way through a deal played at random; the number says how far."""
    random = Random(f"{seed}/{number}")
    state = path = game.start(seed)
    states = [state]
    while not path.over:
        path = path.apply(random.choice(path.legal()))
        states.append(path)
    asked = [one for one in states if not one.over]
    return asked[(number if steps is None else steps) % len(asked)] if asked else states[-1]


@pytest.mark.parametrize("ruleset", RULESETS)
@settings(max_examples=4, deadline=None, derandomize=True, phases=[Phase.explicit, Phase.generate])
@given(seed=st.integers(0, 2**32), number=st.integers(0, 60), options=st.integers(0, 99))
def test_a_world_looks_as_the_true_one_does(ruleset: str, seed: int, number: int, options: int) -> None:
    game = variant(ruleset, options % len(option_sets(ruleset)))
    state = course(game, seed, number)
    if state.seat is None:
        return
    for seat in {state.seat, (state.seat + 1) % game.players}:
        view = state.view(seat)
        worlds = Sampler(game, view).worlds(2, Random(seed))
        # A pack that is mixed again in the middle of a deal is not retraced: there may be none then.
        assert worlds or len(game.image.shuffles) > 1, (seat, number)
        for world in worlds:
            again = world.state.view(seat)
            # The opening is the memory that the world was built on.
            assert (again.piles, again.legal, again.variables, again.accounts, again.events, again.decider, again.question) == (
                view.piles, view.legal, view.variables, view.accounts, view.events, view.decider, view.question)  # fmt: skip


def key(state: State) -> tuple[object, ...]:
    """Where all cards lie."""
    game, world = state.game, state.world
    return tuple(
        tuple(world.row(pile, owner)) if pile.ordered else world.cards(pile, owner)
        for pile in game.program.piles
        for owner in (range(game.players) if pile.per_seat else (None,))
    )


def every_world(true: State, seat: int) -> Iterator[State]:
    """All deals and unseen choices that look to a seat as the true course does, each equally often."""
    game, start = true.game, true.game.start(3, dealer=2)
    cards = range(len(game.program.deck))
    hand = start.world.cards(game.program.pile("hand"), seat)
    wanted = true.view(seat)
    said = [event for event in true.events if event.kind == "say"]
    left = [card for card in cards if card not in hand]
    others = [other for other in range(3) if other != seat]
    for first in combinations(left, 2):
        rest = [card for card in left if card not in first]
        for second in combinations(rest, 2):
            hands = {seat: sorted(hand), others[0]: first, others[1]: second}
            for talon in permutations([card for card in rest if card not in second]):
                deal = {
                    "hands": [[game.card(card) for card in hands[one]] for one in range(3)],
                    "talon": [game.card(card) for card in talon],
                }
                worlds = [game.start(deal=deal, dealer=2)]
                for event in said:
                    words = event.for_seat(seat)
                    answers = [f"{words.word} {game.card(c)}" for c in (words.cards or cards)] if words.count else [words.word]
                    worlds = [
                        world.apply(answer)
                        for world in worlds
                        if world.seat == event.seat
                        for answer in answers
                        if answer in map(str, world.legal())
                    ]
                for world in worlds:
                    if world.view(seat).piles == wanted.piles and heard(world, seat) == heard(true, seat):
                        yield world


def heard(state: State, seat: int) -> list[Event]:
    """The events as a seat saw them, whatever order its cards came in."""
    return [replace(event, cards=tuple(sorted(event.cards))) for event in state.view(seat).events]


@pytest.mark.parametrize("number, steps", [(0, 3), (1, 5), (4, 4)])
def test_every_world_is_equally_likely(number: int, steps: int) -> None:
    """Weighted frequencies against enumeration, at a point before the play and at two in it."""
    game = load(TINY)
    random = Random(number)
    state = game.start(3, dealer=2)
    for _ in range(steps):
        state = state.apply(random.choice(state.legal()))
    seat = state.seat
    assert seat is not None
    wanted = Counter(key(world) for world in every_world(state, seat))
    sampler = Sampler(game, state.view(seat))
    found: Counter[tuple[object, ...]] = Counter()
    total = 0.0
    draws: list[World] = [world for _ in range(6000) if (world := sampler.draw(random)) is not None]
    for world in draws:
        found[key(world.state)] += world.weight  # type: ignore[assignment]
        total += world.weight
    assert found.keys() <= wanted.keys()
    count = sum(wanted.values())
    distance = sum(abs(found[one] / total - number / count) for one, number in wanted.items()) / 2
    # Twice what chance alone gives for so many draws.
    expected = sum((2 * (number / count) / (3.14159 * len(draws))) ** 0.5 for number in wanted.values()) / 2
    assert distance < 2 * expected, (distance, expected, len(wanted), len(draws))


def test_ways_are_counted_and_drawn_evenly() -> None:
    allowed = {0: frozenset({0, 1}), 1: frozenset({0, 1}), 2: frozenset({1}), 3: frozenset({0, 1})}
    matching = Matching(allowed, [2, 2])
    assert matching.possible and matching.count(0, matching.sizes) == 3
    random = Random(1)
    seen = Counter(tuple(sorted(matching.draw(random).items())) for _ in range(3000))
    assert len(seen) == 3 and max(seen.values()) < 1150
    assert not Matching({0: frozenset({0}), 1: frozenset({0})}, [1, 1]).possible


def test_too_many_ways_to_count_are_mixed() -> None:
    """Many groups: the ways are no longer counted, and still every card lies where it may."""
    random = Random(2)
    allowed = {card: frozenset(random.sample(range(12), 7)) for card in range(48)}
    matching = Matching(allowed, [4] * 12)
    assert matching.possible and not matching.exact
    found = matching.draw(random)
    assert Counter(found.values()) == Counter(dict.fromkeys(range(12), 4))
    assert all(group in allowed[card] for card, group in found.items())
