"""A simulation is the same to the last bit on any number of cores, compiled or interpreted."""

from __future__ import annotations

import pytest

import spadille
from interpreter.simulation import simulate


@pytest.mark.parametrize("name", ["hearts", "tresillo", "tressette"])
def test_cores_and_ways_of_running_make_no_difference(name: str) -> None:
    game = spadille.load(name)
    one = simulate(game, 4_500, seed=3, workers=1)
    assert one == simulate(game, 4_500, seed=3, workers=2)
    assert simulate(game, 150, seed=3, mode="interpreted") == simulate(game, 150, seed=3)
    assert one != simulate(game, 4_500, seed=4, workers=1)


def test_a_report_says_what_happened() -> None:
    report = spadille.load("tresillo").simulate(5_000, seed=2)
    assert report.deals == 5_000
    assert sum(ending.deals for ending in report.endings) == 5_000
    assert {gain.seat for gain in report.gains} == {0, 1, 2}
    assert report.as_json()["deals"] == 5_000
