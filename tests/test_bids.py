"""Bids that are numbers, more of them than a word of the machine holds, in a form of auction of the ruleset's own."""

from __future__ import annotations

import pytest
from twins import Twins

import spadille
from interpreter.action import IllegalAction

MOST = 120
RULES = """
ruleset: numbers
language: 1
title: Numbers
players: 3
deck: french-32
ranking: {plain: A K Q J 10 9 8 7}
variables: {boss: seat}
score: {unit: points, by: seat}
deal: [deal 10 cards to each seat from eldest, move all of deck to rest]
piles: {rest: seen by nobody}
forms:
  once_and_rarely:
    steps:
      - each: s in seats from eldest
        do:
          - let above be those b in bids with not high_bid exists or number(b) >= number(high_bid) + 40
          - ask: s
            about: bid
            choices:
              pass: []
              bid in above:
                when: bid is not BAD
                do:
                  - set high_bid to bid
                  - set high_bidder to s
auction: {form: once_and_rarely, bids: BIDS, declarer: boss, passed_out: [throw in]}
play: {obligations: {free: {must: hand of player}}}
outcomes: {done: otherwise}
payments: {done: [boss scores number(high_bid) if high_bid exists else 0]}
"""


def rules(bad: int = 3) -> str:
    return RULES.replace("BIDS", " < ".join(map(str, range(1, MOST + 1)))).replace("BAD", str(bad))


def test_a_bid_of_a_wide_auction_is_offered_refused_and_paid() -> None:
    game = spadille.load(rules())
    state = game.start(seed=1)
    assert [str(action) for action in state.legal()] == ["pass", "1", "2", *map(str, range(4, MOST + 1))]
    state = state.apply(game.parse("70"))
    assert [str(action) for action in state.legal()] == ["pass", *map(str, range(110, MOST + 1))]
    with pytest.raises(IllegalAction):
        state.apply(game.parse("109"))
    state = state.apply(game.parse("110"))
    while not state.over:
        state = state.apply(state.legal()[0])
    assert sorted(state.payoffs) == [0, 0, 110]


def test_a_wide_auction_runs_alike_both_ways() -> None:
    twins = Twins(spadille.load(rules(bad=100)))
    for seed in range(20):
        twins.match(seed)
    assert twins.decisions > 400
