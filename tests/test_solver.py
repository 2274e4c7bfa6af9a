"""The solver against plain minimax over `State.apply`, on endings of every shipped ruleset."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from math import factorial, prod

import pytest
from play import RULESETS, load, walk

from interpreter.action import Action
from interpreter.state import State
from spadille.solver.sides import Party, more_is_better, parties_of
from spadille.solver.solve import Number, Solution, Unsolved, solve

MOST_WAYS = 30  # ways in which a deal can go on from an ending, roughly: the answers there were, multiplied
MOST_ORDERS = 1_500  # and the orders in which the hands could be played: some answers end a deal early
WANTED = 1  # endings of each ruleset


def hands(state: State) -> list[frozenset[int]]:
    hand = state.game.program.pile("hand")
    return [state.world.cards(hand, seat) for seat in range(state.game.players)]


@cache
def endings(ruleset: str) -> list[State]:
    """A position near the end of each of some random deals, as early as the ways to go on from it remain few."""
    found = []
    for seed in range(20):
        ways, early = 1, None
        for state in reversed(list(walk(load(ruleset), seed))):
            ways *= max(1, len(state.legal()))
            if ways > MOST_WAYS:
                break
            if len(state.legal()) > 1 and prod(factorial(len(hand)) for hand in hands(state)) <= MOST_ORDERS:
                early = state
        if early is not None and any(hands(early)):
            found.append(early)
        if len(found) == WANTED:
            break
    return found


class Minimax:
    """Values of positions by nothing but the rules, remembered by the whole memory."""

    def __init__(self, state: State, value: str, parties: tuple[Party, ...], alone: bool) -> None:
        self.value = value
        self.parties = parties
        self.alone = alone
        self.sign = 1 if more_is_better(state.game) else -1
        self.known: dict[State, tuple[Fraction, ...]] = {}

    def end(self, state: State) -> tuple[Fraction, ...]:
        program, world = state.game.program, state.world
        totals = []
        for party in self.parties:
            if self.value == "tricks":
                total = Fraction(sum(world.named("tricks", seat) for seat in party))
            elif self.value == "points":
                total = Fraction(sum(program.worth[c] for seat in party for c in world.cards(program.pile("won"), seat)))
            elif any(account.per == "side" for account in program.accounts):
                total = Fraction(sum(state.payoffs[min(party & side)] for side in program.sides if party & side))
            else:
                total = Fraction(sum(state.payoffs[seat] for seat in party))
            totals.append(total)
        return tuple(totals)

    def of(self, state: State) -> tuple[Fraction, ...]:
        if state.over:
            return self.end(state)
        if state not in self.known:
            values = self.answers(state)
            mover = next(n for n, party in enumerate(self.parties) if state.seat in party)
            if self.alone:
                self.known[state] = max(values.values(), key=lambda found: self.sign * found[mover])
            else:
                aim = self.sign if mover == 0 else -self.sign
                self.known[state] = max(values.values(), key=lambda found: aim * found[0])
        return self.known[state]

    def answers(self, state: State) -> dict[Action, tuple[Fraction, ...]]:
        after = {action: state.apply(action) for action in state.legal()}
        if self.value != "payoff":
            # An answer that ends the play early is left out where there is another.
            whole = {a: s for a, s in after.items() if a.card is not None or not s.over or not any(hands(s))}
            after = whole or after
        return {action: self.of(then) for action, then in after.items()}


def expected(state: State, value: str, solution: Solution, alone: bool = False) -> dict[str, Number]:
    parties = solution.sides
    if not alone:
        parties = tuple(party for party in (solution.side, frozenset(range(state.game.players)) - solution.side) if party)
    found = Minimax(state, value, parties, alone).answers(state)
    return {str(action): values[0] for action, values in found.items()}


@pytest.mark.parametrize("ruleset", RULESETS)
def test_the_values_of_small_endings_are_those_of_plain_minimax(ruleset: str) -> None:
    positions = endings(ruleset)
    assert positions, "no ending was reached"
    for state in positions:
        for value in ("payoff", "tricks", "points"):
            solution = solve(state, value, mode="interpreted", by="states")
            right = expected(state, value, solution)
            assert {str(a): v for a, v in solution.values} == right, (value, state.seat)
            assert solution.value == solution.of(solution.line[0].action)
            try:
                cards = solve(state, value, mode="interpreted", by="cards")
            except Unsolved:
                continue
            assert {str(a): v for a, v in cards.values} == {text: v for text, v in right.items() if text.startswith("play ")}, value
            assert cards.value == solution.value


@pytest.mark.parametrize("ruleset", RULESETS)
def test_each_alone_is_as_in_plain_max_n(ruleset: str) -> None:
    state = endings(ruleset)[0]
    alone = [[seat] for seat in range(state.game.players)]
    solution = solve(state, sides=alone, method="maxn", mode="interpreted")
    assert {str(a): v for a, v in solution.values} == expected(state, "payoff", solution, alone=True)
    assert parties_of(state, alone) == tuple(frozenset(p) for p in alone)
