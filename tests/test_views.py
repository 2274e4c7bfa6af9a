"""What a seat is shown: nothing that it cannot know, by a second account of knowledge and by swapping unknown cards."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from knowledge import Ledger, swap_of, swapped, unknown
from play import RULESETS, dealt, load, option_sets, variant, walk

from interpreter.action import IllegalAction
from interpreter.state import State

seeds = st.integers(0, 2**32)


def course(state: State) -> tuple[object, ...]:
    """What everybody hears of a state, whatever is hidden: who decides, and every public word and payment."""
    public = tuple((e.kind, e.seat, e.word, e.source, e.target, e.count, e.amount, e.value) for e in state.events)
    return state.seat, state.over, public


@pytest.mark.parametrize("ruleset", RULESETS)
@settings(max_examples=5, deadline=None)
@given(seed=seeds, number=st.integers(0, 99))
def test_a_view_places_only_cards_that_the_seat_saw_go_there(ruleset: str, seed: int, number: int) -> None:
    game = variant(ruleset, number % len(option_sets(ruleset)))
    ledger, random = Ledger(game), Random(seed)
    for state in walk(game, seed):
        for event in state.news:
            ledger.take(event)
        if random.randrange(3):
            continue
        for seat in range(game.players):
            for pile in state.view(seat).piles:
                spot = (pile.name, pile.owner)
                if pile.count != len(pile.cards):
                    assert pile.cards <= {card for card, place in ledger.where[seat].items() if place == spot}, (seat, spot)
                    assert pile.order == ()
    assert state.over


@pytest.mark.parametrize("ruleset", RULESETS)
@settings(max_examples=5, deadline=None)
@given(seed=seeds, number=st.integers(0, 99))
def test_a_view_does_not_change_when_unknown_cards_are_swapped(ruleset: str, seed: int, number: int) -> None:
    game = variant(ruleset, number % len(option_sets(ruleset)))
    ledger, random = Ledger(game), Random(seed)
    for state in walk(game, seed):
        for event in state.news:
            ledger.take(event)
        if random.randrange(3):
            continue
        for seat in range(game.players):
            swap = swap_of(unknown(ledger, state, seat), random.shuffle)
            other = swapped(state, seat, swap)
            assert other.view(seat) == state.view(seat)
            if any(a != b for a, b in swap.items()):
                assert other != state or not differ(state, swap)


def differ(state: State, swap: dict[int, int]) -> bool:
    """Whether a swap brings a card to another pile."""
    place = {
        card: (pile, owner)
        for pile in state.game.program.piles
        for owner in (range(state.game.players) if pile.per_seat else (None,))
        for card in state.world.cards(pile, owner)
    }
    return any(place[a] != place[b] for a, b in swap.items())


@pytest.mark.parametrize("ruleset", RULESETS)
@settings(max_examples=5, deadline=None)
@given(seed=seeds, number=st.integers(0, 99))
def test_a_game_with_other_unknown_cards_looks_the_same(ruleset: str, seed: int, number: int) -> None:
    """The whole deal again, with cards a seat never saw dealt elsewhere: while all hear the same, it sees the same."""
    game = variant(ruleset, number % len(option_sets(ruleset)))
    first = dealt(game.start(seed, dealer=0))
    answers = []
    ledger, random = Ledger(game), Random(seed)
    state = start = game.start(deal=first, dealer=0)
    stop = random.randrange(60)
    while True:
        for event in state.news:
            ledger.take(event)
        if state.over or len(answers) >= stop:
            break
        answers.append(random.choice(state.legal()))
        state = state.apply(answers[-1])
    assume(not state.over)
    for seat in range(game.players):
        cards = unknown(ledger, state, seat, ever=True)
        if len(cards) < 2:
            continue
        one, two = random.sample(cards, 2)
        swap = {one: two, two: one}
        names = {game.card(a): game.card(b) for a, b in swap.items()}
        deal = {pile: [[names.get(c, c) for c in cards] for cards in hands] if pile == "hands" else [names.get(c, c) for c in hands]
                for pile, hands in first.items()}  # fmt: skip
        here, there = start, game.start(deal=deal, dealer=0)
        for answer in answers:
            # A pack gathered and mixed again is dealt by chance, to the seat as well.
            if course(here) != course(there) or any(event.target == ("deck", None) for event in here.events):
                break
            assert here.view(seat) == there.view(seat)
            text = str(answer)
            verb, _, last = text.rpartition(" ")
            here = here.apply(answer)
            try:
                there = there.apply(f"{verb} {names[last]}" if last in names else text)
            except IllegalAction:
                break


def test_the_question_is_shown_to_the_seat_that_is_asked_alone() -> None:
    game = load(RULESETS[0])
    state = game.start(1)
    assert state.seat is not None
    for seat in range(game.players):
        view = state.view(seat)
        assert (view.legal == state.legal(), view.question is not None) == ((True, True) if seat == state.seat else (False, False))


OPEN_ROW = """\
ruleset: open-row
language: 1
title: Open row
summary: Two of four cards that all see are laid into a bag.
sources: {ours: ours}
players: 2
direction: clockwise
deck: french-52
ranking: {plain: A K Q J 10 9 8 7 6 5 4 3 2}
piles:
  row: in order, seen by all
  bag: seen by nobody
score: {unit: points, by: seat, balanced: false}
deal:
  - deal 2 cards to each seat from eldest
  - move top 4 cards of deck to row
  - move top 2 cards of row to bag
  - move all of deck to bag
play: {leads: eldest, obligations: {free: {must: hand of player}}}
outcomes: {done: otherwise}
payments:
  done: [each of seats scores 1]
"""


def test_cards_drawn_from_an_open_row_are_known_where_they_go() -> None:
    state = load(OPEN_ROW).start(1)
    moved = next(event for event in state.events if event.kind == "move" and event.source == ("row", None))
    for seat in range(2):
        bag = state.view(seat).pile("bag")
        assert bag.count == 46 and bag.cards == frozenset(moved.cards) and len(moved.cards) == 2


def test_a_card_put_face_down_is_told_to_nobody_else() -> None:
    state = load("hearts").start(3, dealer=3)
    card = state.legal()[0]
    after = state.apply(card)
    for seat in range(4):
        said = next(event for event in after.view(seat).events if event.kind == "say")
        assert said.cards == ((card.card,) if seat == state.seat else ()) and said.count == 1
