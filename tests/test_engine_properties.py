"""What holds of every shipped ruleset under every value of its options, in random play."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from play import RULESETS, dealt, load, option_sets, variant, variants, walk
from proofs import check_cards, total
from twins import Twins

from dsl.evaluate import evaluate
from interpreter.action import IllegalAction
from interpreter.state import State

# The three games that the engine was made for are compared in full; a bench compares the others (`--twins`).
FULL = ("hearts", "tresillo", "tressette-accusa")
seeds = st.integers(0, 2**32)


# ------------------------------------------------------------------------ compiled and interpreted


@pytest.mark.parametrize("ruleset", RULESETS)
def test_compiled_and_interpreted_agree_state_for_state(ruleset: str) -> None:
    matches = 1_000 if ruleset in FULL else 40
    twins = Twins(load(ruleset))
    for seed in range(matches):
        twins.match(seed)
    assert twins.decisions > matches


@pytest.mark.parametrize(("ruleset", "number"), [pair for pair in variants() if pair[1]])
def test_compiled_and_interpreted_agree_with_other_options(ruleset: str, number: int) -> None:
    twins = Twins(variant(ruleset, number))
    for seed in range(3):
        twins.match(seed)
    assert twins.decisions


# ------------------------------------------------------------------------------------ random deals


@pytest.mark.parametrize(("ruleset", "number"), [pair for pair in variants() if pair[1]])
def test_deals_never_stick_with_other_options(ruleset: str, number: int) -> None:
    assert variant(ruleset, number).simulate(2_000, seed=12).deals == 2_000


# --------------------------------------------------------------------------------- every position


def answers_by_evaluator(state: State) -> set[int]:
    """The legal answers worked out from the question's expressions, without the kernel."""
    found: set[int] = set()
    env: dict[Any, Any] = state.locals()
    for image in state.question.offers:
        offer = image.offer
        if offer.local is None or offer.domain is None:
            if offer.when is None or evaluate(offer.when, state.world, env):
                found.add(image.first)
            continue
        for element in evaluate(offer.domain, state.world, env):
            if offer.when is None or evaluate(offer.when, state.world, {**env, offer.local: element}):
                found.add(image.first + element)
    return found


@pytest.mark.parametrize("ruleset", RULESETS)
@settings(max_examples=6, deadline=None)
@given(seed=seeds, number=st.integers(0, 99))
def test_every_position_is_sound(ruleset: str, seed: int, number: int) -> None:
    game = variant(ruleset, number % len(option_sets(ruleset)))
    chips = None
    for state in walk(game, seed):
        check_cards(state)
        if game.program.balanced:
            chips = total(state) if chips is None else chips
            assert total(state) == chips
        if not state.over:
            assert {action.id for action in state.legal()} == answers_by_evaluator(state)


@pytest.mark.parametrize("ruleset", RULESETS)
@settings(max_examples=2, deadline=None)
@given(seed=seeds, number=st.integers(0, 99))
def test_what_is_offered_is_taken_and_nothing_else(ruleset: str, seed: int, number: int) -> None:
    game = variant(ruleset, number % len(option_sets(ruleset)))
    random = Random(seed)
    for state in walk(game, seed):
        legal = state.legal()
        for action in legal:
            assert game.parse(str(action)) == action
            after = state.apply(str(action))
            assert after.over or after.legal()
        offered = {action.id for action in legal}
        for card in random.sample(range(len(game.program.deck)), 3):
            verb = next((offer.verb for offer in state.question.offers if offer.cards), None) if legal else None
            if verb is not None and card not in offered:
                with pytest.raises(IllegalAction, match="is not allowed"):
                    state.apply(f"{verb} {game.card(card)}".strip())


# ------------------------------------------------------------------------------------ given deals


@pytest.mark.parametrize("ruleset", RULESETS)
@settings(max_examples=4, deadline=None)
@given(seed=seeds, number=st.integers(0, 99))
def test_given_cards_come_out_as_given(ruleset: str, seed: int, number: int) -> None:
    game = variant(ruleset, number % len(option_sets(ruleset)))
    deal = dealt(game.start(seed, dealer=0))
    for part in ([*deal], ["hands"], [name for name in deal if name != "hands"]):
        there = dealt(game.start(seed + 1, deal={name: deal[name] for name in part}, dealer=0))
        for name in part:
            ordered = name != "hands" and game.program.pile(name).ordered
            assert there[name] == deal[name] if ordered or name == "hands" else sorted(there[name]) == sorted(deal[name])
