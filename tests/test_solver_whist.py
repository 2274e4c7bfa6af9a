"""The solver on bridge-like play, against results that another solver published."""

from __future__ import annotations

import pytest
from whist import DATA, STRAINS, published, whist

from spadille.solver.solve import solve

needs_data = pytest.mark.skipif(not DATA.exists(), reason="the published results are not on this machine")
IN_SUITE = 10  # deals; a bench does all hundred


@needs_data
def test_late_positions_of_published_plays_have_the_published_values() -> None:
    compared = 0
    for deal in published()[:IN_SUITE]:
        for state, tricks in deal.positions(8)[::3]:
            assert solve(state, "tricks", side=deal.declarer, line=False, by="cards").value == tricks
            compared += 1
    assert compared > 60


@needs_data
def test_the_file_is_read_as_it_is_meant() -> None:
    deals = published()
    assert len(deals) == 100
    for deal in deals:
        assert (
            sorted(card for hand in deal.hands for card in hand) == sorted(set().union(*deal.hands)) and len(set().union(*deal.hands)) == 52
        )
        assert deal.trace[0] == deal.table[STRAINS.index(deal.strain) * 4 + deal.declarer]


@pytest.mark.parametrize("strain", STRAINS)
def test_the_line_wins_what_it_says_and_each_of_its_cards_keeps_the_value(strain: str) -> None:
    state = whist(strain).start(seed=5)
    for _ in range(24):
        state = state.apply(state.legal()[0])
    solution = solve(state, "tricks", side=0)
    for step in solution.line:
        here = solve(state, "tricks", side=0, line=False)
        assert here.value == solution.value and step.action in here.best
        state = state.apply(step.action)
    assert state.over and state.payoffs[0] == solution.value
