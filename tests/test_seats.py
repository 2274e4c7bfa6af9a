"""Who plays a deal: seats that sit out, a dummy's hand, cards chosen by another seat, cards that nobody leads, ledgers of pairs."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import pytest

import spadille
from dsl.turns import in_turn, next_playing, turn_order
from interpreter.game import Game
from interpreter.lowering.turns import elements, next_rows, order_rows, turn_rows

BASE = """
ruleset: small
language: 1
title: Small
players: 4
deck:
  suits: {{a: {{letter: a}}, b: {{letter: b}}, c: {{letter: c}}, d: {{letter: d}}}}
  ranks: {{A: {{}}, K: {{}}, Q: {{}}, J: {{}}, 9: {{}}, 8: {{}}}}
ranking: {{plain: A K Q J 9 8}}
{top}
piles: {{stock: "in order, seen by nobody"}}
variables:
  everybody: seats, starts at seats
  purse: fraction per seat, for the match, starts at 5/2
  owes: fraction per pair of seats, for the match
score: {{unit: points, by: seat, balanced: false}}
deal:
{deal}
  - move all of deck to stock
play:
{play}
  obligations:
    follow: {{must: "those c in hand of player with follows(c, lead)"}}
    free: {{must: hand of player}}
outcomes: {{done: otherwise}}
payments:
  each: {{for: s in seats, pay: s scores tricks of s}}
{more}
"""


def small(deal: str, play: str = "  leads: eldest", top: str = "", more: str = "", players: int = 4) -> Game:
    text = BASE.format(deal="\n".join(f"  - {step}" for step in deal.split("; ")), play=play, top=top, more=more)
    return spadille.load(text.replace("players: 4", f"players: {players}"))


def plays(game: Game, seed: int, dealer: int = 3) -> list[tuple[list[tuple[int, int]], int]]:
    """The tricks of a random deal: whose card, and which, in order of play, and who won."""
    state, random = game.start(seed, dealer=dealer), Random(seed)
    while not state.over:
        state = state.apply(random.choice(state.legal()))
    tricks: list[tuple[list[tuple[int, int]], int]] = []
    cards: list[tuple[int, int]] = []
    for event in state.events:
        if event.kind == "move" and event.target == ("trick", None):
            assert event.source is not None
            cards.append((-1 if event.source[1] is None else event.source[1], event.cards[0]))
        elif event.kind == "trick":
            assert event.seat is not None
            tricks.append((cards, event.seat))
            cards = []
    return tricks


def best(cards: list[tuple[int, int]], free: int = 0) -> int:
    """Whose card wins: cards are numbered suit by suit from the highest down; the first `free` cannot win."""
    led = cards[0][1] // 6
    return min((card, seat) for seat, card in cards[free:] if card // 6 == led)[1]


# ------------------------------------------------------------------ sitting out


@pytest.mark.parametrize("dealer", range(4))
def test_a_dealer_who_sits_out_has_no_cards_and_no_turn(dealer: int) -> None:
    game = small("dealer sits out; deal 4 cards to each seat from eldest")
    leader = (dealer + 1) % 4
    tricks = plays(game, dealer, dealer)
    assert len(tricks) == 4
    for cards, winner in tricks:
        order = [seat for seat in [(leader + n) % 4 for n in range(4)] if seat != dealer]
        assert [seat for seat, _ in cards] == order
        assert winner == best(cards)
        leader = winner


def test_a_seat_that_drops_out_in_the_middle_plays_its_trick_to_the_end() -> None:
    play = "  leads: eldest\n  played:\n    - {when: trick_number is 2 and size(trick) is 1, do: [eldest sits out]}"
    tricks = plays(small("deal 4 cards to each seat from eldest", play), 5)
    seen = [{seat for seat, _ in cards} for cards, _ in tricks]
    assert seen == [{0, 1, 2, 3}, {0, 1, 2, 3}, {1, 2, 3}, {1, 2, 3}]
    leader = 0
    for cards, winner in tricks:
        assert winner == best(cards)
        assert cards[0][0] == leader or (leader == 0 and cards[0][0] == 1)
        leader = winner


def test_the_next_and_the_previous_seat_are_those_that_play() -> None:
    asked = "finish:\n  - {each: s in seats, do: [set owes of s on next(s) to 1, set owes of s on previous(s) to 2]}"
    game = small("dealer sits out; deal 2 cards to each seat from eldest", "  leads: next(previous(eldest))", more=asked)
    for dealer in range(4):
        state = game.start(1, dealer=dealer)
        assert state.seat == (dealer + 1) % 4
        while not state.over:
            state = state.apply(state.legal()[0])
        owes = state.view(0).variable("owes")
        ring = [(dealer + n) % 4 for n in range(1, 4)]
        for place, seat in enumerate(ring):
            assert owes[seat * 4 + ring[(place + 1) % 3]] == 1
            assert owes[seat * 4 + ring[(place - 1) % 3]] == 2
        assert owes[dealer * 4 + ring[0]] == 1 and owes[dealer * 4 + ring[2]] == 2


# ------------------------------------------------------------------------ dummy

DUMMY = "dummy: {name: still, after: eldest}"


@pytest.mark.parametrize("dealer", range(3))
def test_a_dummy_has_its_turn_where_it_lies_and_leads_what_it_wins(dealer: int) -> None:
    game = small("deal 4 cards to each seat from eldest", "  leads: eldest\n  chooses: dealer if player is still else player",
                 DUMMY, players=3)  # fmt: skip
    first = (dealer + 1) % 3
    ring = [first, 3, (dealer + 2) % 3, dealer]
    leader, led = first, set()
    for seed in range(12):
        leader = first
        for cards, winner in plays(game, seed, dealer):
            at = ring.index(leader)
            assert [seat for seat, _ in cards] == ring[at:] + ring[:at]
            assert winner == best(cards)
            leader = winner
            led.add(leader)
    assert 3 in led


def test_who_chooses_for_another_is_shown_the_hand_and_nobody_else() -> None:
    game = small("deal 4 cards to each seat from eldest", "  leads: eldest\n  chooses: dealer if player is still else player",
                 DUMMY, players=3)  # fmt: skip
    state = game.start(4, dealer=2)
    while state.world.turn() != 3:
        state = state.apply(state.legal()[0])
    hand = state.world.cards(game.program.pile("hand"), 3)
    assert state.seat == 2
    assert {action.card for action in state.legal()} <= hand
    assert state.view(2).pile("hand", 3).cards == hand
    for seat in (0, 1):
        assert not state.view(seat).pile("hand", 3).cards
    with pytest.raises(spadille.IllegalAction, match="not in the hand"):
        state.apply(f"play {game.card(min(state.view(2).hand))}")


# ------------------------------------------------------- a card that nobody led

OPENED = """  leads: eldest
  opens:
    - {when: trick_number <= 2, do: [move top of stock to trick]}
  next_leads: eldest if trick_number <= 2 else winner"""


@pytest.mark.parametrize("opener", [None, "dealer"])
def test_a_card_that_opens_a_trick_is_followed_and_wins_for_its_opener_alone(opener: str | None) -> None:
    game = small("dealer sits out; deal 4 cards to each seat from eldest", OPENED + (f"\n  opener: {opener}" if opener else ""))
    won = set()
    for seed in range(30):
        leader = 0
        for number, (cards, winner) in enumerate(plays(game, seed), 1):
            opened = number <= 2
            assert [seat for seat, _ in cards[opened:]] == [(leader + n) % 3 for n in range(3)]
            others = [(seat, card) for seat, card in cards[opened:] if card // 6 == cards[0][1] // 6]
            if opened and opener is not None:
                expected = best([(3, cards[0][1]), *cards[1:]])
            else:
                expected = best(cards, int(opened)) if others else leader
            assert winner == expected
            won.add(winner)
            leader = 0 if number <= 2 else winner
    assert won == ({0, 1, 2, 3} if opener else {0, 1, 2})


# ------------------------------------------------------------ pairs and starts


def test_what_one_has_on_another_is_kept_for_each_pair() -> None:
    steps = ["set owes of eldest on dealer to 3/2", "set owes of dealer on eldest to owes of eldest on dealer + 1"]
    game = small("deal 2 cards to each seat from eldest", more="finish:\n" + "\n".join(f"  - {step}" for step in steps))
    state, random = game.start(1, dealer=3), Random(1)
    while not state.over:
        state = state.apply(random.choice(state.legal()))
    rows = [[state.view(0).variable("owes")[one * 4 + other] for other in range(4)] for one in range(4)]
    assert rows[0] == [0, 0, 0, Fraction(3, 2)] and rows[3] == [Fraction(5, 2), 0, 0, 0]
    assert not any(rows[1] + rows[2])


def test_sets_and_fractions_have_the_start_that_is_declared() -> None:
    view = small("deal 2 cards to each seat from eldest").start(1).view(0)
    assert view.variable("everybody") == {0, 1, 2, 3}
    assert view.variable("purse") == (Fraction(5, 2),) * 4


# ----------------------------------------------------------------------- turns


@pytest.mark.parametrize(("persons", "dummy"), [(3, False), (4, False), (3, True), (5, True)])
def test_the_tables_of_turns_say_what_the_order_says(persons: int, dummy: bool) -> None:
    chosen = "  leads: eldest\n  chooses: dealer if player is still else player"
    if dummy:
        game = small("deal 1 card to each seat from eldest", chosen, DUMMY, players=persons)
    else:
        game = small("dealer sits out; deal 1 card to each seat from eldest", players=persons)
    program, n = game.program, persons + dummy
    rows, afters = turn_rows(program), range(persons) if dummy else (None,)
    for number, after in enumerate(afters):
        order = turn_order(persons, after)
        assert sorted(order) == list(range(n))
        if dummy:
            assert order[(order.index(after) + 1) % n] == persons
            assert order_rows(program)[number * n : number * n + n] == [order[(order.index(seat) + 1) % n] for seat in range(n)]
        for mask in range(1, 1 << n):
            for seat in range(n):
                for place in range(n):
                    found = rows[((number << n) + mask) * n * n + seat * n + place]
                    assert found == in_turn(order, elements(mask), seat, place)
                    assert found in elements(mask)
    for mask in range(1 << persons):
        for seat in range(persons):
            after = next_rows(program, 1)[mask * n + seat]
            assert after == next_playing(persons, elements(mask), seat, 1)
            if elements(mask) - {seat}:
                assert after in elements(mask)
                assert next_rows(program, -1)[mask * n + after] == seat or seat not in elements(mask)


# ------------------------------------------------------------------ what may go wrong


def test_when_everybody_has_dropped_out_the_play_is_over() -> None:
    play = "  leads: eldest\n  trick:\n    - {when: trick_number is 2, do: [seats sit out]}"
    assert len(plays(small("deal 4 cards to each seat from eldest", play), 1)) == 2


def test_a_loop_over_the_seats_may_begin_from_the_dummy() -> None:
    asked = "finish:\n  - {each: s in seats from still, do: [set owes of s on dealer to 1]}"
    play = "  leads: eldest\n  chooses: dealer if player is still else player"
    game = small("deal 2 cards to each seat from eldest", play, "dummy: {name: still, after: still}", asked, players=3)
    state = game.start(2)
    while not state.over:
        state = state.apply(state.legal()[0])
    assert sum(state.view(0).variable("owes")) == 3
    assert state.view(0).variable("owes")[3 * 4 :] == (0, 0, 0, 0)


def test_a_dummy_counts_among_the_eight_seats() -> None:
    with pytest.raises(spadille.RulesetError, match="at most 8 seats"):
        small("deal 1 card to each seat from eldest", "  leads: eldest\n  chooses: dealer", DUMMY, players=8)
