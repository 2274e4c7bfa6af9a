"""Every shipped ruleset, under every preset and a sample of single option values; `python -m bench --proofs` takes all values.

About 60 seconds of CPU. What is proved of a setting stands in `proofs.py`.
"""

from __future__ import annotations

import pytest
from play import RULESETS
from proofs import Setting, check_deals, check_matches, check_positions, check_twins, sample, single, whole

WHOLE = [setting for ruleset in RULESETS for setting in whole(ruleset)]
SINGLE = [setting for ruleset in RULESETS for setting in single(ruleset)]


@pytest.mark.parametrize("setting", WHOLE, ids=str)
def test_20_000_deals_and_200_matches_under_every_preset(setting: Setting) -> None:
    game = setting.game
    check_deals(game, 20_000, seed=21)
    check_matches(game, 200, seed=22)
    assert check_twins(game, 3, seed=23)
    check_positions(game, seed=24)


@pytest.mark.parametrize("setting", sample(SINGLE, 3), ids=str)
def test_2_000_deals_with_one_option_changed(setting: Setting) -> None:
    game = setting.game
    check_deals(game, 2_000, seed=31)
    assert check_twins(game, 1, seed=32)


@pytest.mark.parametrize("setting", sample(SINGLE, 16), ids=str)
def test_positions_with_one_option_changed(setting: Setting) -> None:
    check_positions(setting.game, seed=33, most=200)


def test_a_sample_is_of_every_part_and_always_the_same() -> None:
    some = sample(SINGLE, 3)
    assert some == sample(SINGLE, 3) and len(SINGLE) / 6 < len(some) < len(SINGLE) / 2
    assert {setting.ruleset for setting in SINGLE} >= {ruleset for ruleset in RULESETS if single(ruleset)}
    assert len(set(map(str, SINGLE))) == len(SINGLE)
