"""Hidden roles: until it comes out who has one, nothing that another seat sees, hears, may do or is told depends on it.

A deal is played twice, the second time with two cards exchanged between two other seats so that the role falls to the other
of them. Until one of the two cards comes out, the seats without a part in it must not notice: the same seats
are asked the same questions, every view with all its events is equal, and so are the answers allowed and the reasons of refusals.
The games are found by what they declare: a seat, or seats, that nobody sees. About 10 seconds.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest
from play import RULESETS, dealt, load
from proofs import Setting, whole

from dsl import core
from interpreter.action import Action, GameError
from interpreter.game import Game
from interpreter.state import State

DEALS, ENOUGH = 200, 5
TABLE = ("trick", None)


def hidden_roles(game: Game) -> list[core.Variable]:
    # What is remembered for the match is no role: nobody's place in the deal hangs on it.
    return [v for v in game.program.variables if v.type.kind in ("seat", "seats") and not v.per and v.seen == "nobody" and not v.match]


def given_in_play(game: Game, role: core.Variable) -> bool:
    """Whether a role is only ever given while cards are played."""
    for seed in range(60):
        state, random = game.start(seed, dealer=0), Random(seed)
        while not state.over and not any(event.target == TABLE for event in state.events):
            if role.type.optional and state.world.variable(role, None) is not None:
                return False
            state = state.apply(choose(state, random, seed % 4))
    return role.type.optional


SETTINGS = [setting for ruleset in RULESETS if hidden_roles(load(ruleset)) for setting in whole(ruleset)]


def asked(state: State) -> tuple[int | None, str]:
    return state.seat, "" if state.over else state.question.about


def refusals(state: State, random: Random) -> list[str]:
    """What the deciding seat is told of cards that it may not play."""
    offered = {action.id for action in state.legal()}
    verb = next((offer.verb for offer in state.question.offers if offer.cards), None)
    if verb is None:
        return []
    others = [card for card in range(len(state.game.program.deck)) if card not in offered]
    said = []
    for card in random.sample(others, min(3, len(others))):
        try:
            state.apply(f"{verb} {state.game.card(card)}".strip())
        except GameError as error:
            said.append(str(error))
    return said


def course(game: Game, deal: object, answers: list[Action]) -> Iterator[State]:
    """The states of a deal under some answers, up to one that is not allowed."""
    state = game.start(deal=deal, dealer=0)  # type: ignore[arg-type]
    yield state
    for answer in answers:
        try:
            state = state.apply(str(answer))
        except GameError:
            return
        yield state


def out(states: list[State], cards: set[int]) -> int:
    """The number of the first state, after the deal, before which one of the cards was moved or shown."""
    for number, state in enumerate(states[1:], 1):
        if any(event.kind in ("move", "show") and cards & set(event.cards) for event in state.news):
            return number
    return len(states)


def compare(here: list[State], there: list[State], watchers: list[int]) -> int:
    """Holds the two courses against each other for the seats that must not notice; gives how many states were compared."""
    compared = 0
    for number, (one, other) in enumerate(zip(here, there, strict=False)):
        assert asked(one) == asked(other)
        for seat in watchers:
            assert one.view(seat) == other.view(seat), (seat, number)
        if one.seat in watchers:
            assert refusals(one, Random(number)) == refusals(other, Random(number))
        compared += 1
    return compared


def exchanged(deal: dict[str, list[list[str]] | list[str]], one: str, two: str) -> dict[str, object]:
    swap = {one: two, two: one}
    return {pile: [[swap.get(c, c) for c in part] if isinstance(part, list) else swap.get(part, part) for part in cards]
            for pile, cards in deal.items()}  # fmt: skip


def seats_of(value: object) -> set[int]:
    """The seats that a role names: one, several or none."""
    return set(value) if isinstance(value, frozenset) else {value} if isinstance(value, int) else set()


def choose(state: State, random: Random, manner: int) -> Action:
    """A random answer; by words, in two manners of four always the first or the last, for high bids often leave no partner."""
    legal = state.legal()
    if manner < 2 or any(action.card is not None for action in legal):
        return random.choice(legal)
    return legal[0] if manner == 2 else legal[-1]


def trial(game: Game, role: core.Variable, seed: int) -> int:
    """One random deal compared with another that gives a hidden role to another seat; how many states, 0 if none was found."""
    random = Random(seed)
    deal = dealt(game.start(seed, dealer=0))
    here, answers = [game.start(deal=deal, dealer=0)], []
    while not here[-1].over:
        answers.append(choose(here[-1], random, seed % 4))
        here.append(here[-1].apply(answers[-1]))
    pile, hands = game.program.pile("hand"), here[0].world
    last = here[-2].world.variable(role, None)
    for holder in sorted(seats_of(last)):
        for one in random.sample(sorted(hands.cards(pile, holder)), len(hands.cards(pile, holder))):
            rival = random.choice([seat for seat in range(game.players) if seat != holder])
            if not (theirs := sorted(hands.cards(pile, rival))):
                continue
            two = random.choice(theirs)
            # Once one of the two has come out, or been put away, there is nothing to compare.
            end = min(out(here, {one, two}), len(here) - 1)
            there = list(course(game, exchanged(deal, game.card(one), game.card(two)), answers[: end - 1]))
            differ = [(a, b, x) for x, y in zip(here, there, strict=False)
                      if (a := seats_of(x.world.variable(role, None))) != (b := seats_of(y.world.variable(role, None)))]  # fmt: skip
            # A role that is given while cards are played (by a card forced out, say) comes of what all see.
            if differ and not any(event.target == TABLE for event in differ[0][2].events):
                parties = {holder, rival}.union(*(a | b for a, b, _ in differ))
                watchers = [seat for seat in range(game.players) if seat not in parties]
                return compare(here, there, watchers) if watchers else 0
    return 0


@pytest.mark.parametrize("setting", SETTINGS, ids=str)
def test_nobody_notices_who_has_a_hidden_role(setting: Setting) -> None:
    game = setting.game
    for role in hidden_roles(game):
        if given_in_play(game, role):
            continue
        trials = 0
        for seed in range(DEALS):
            trials += bool(trial(game, role, seed))
            if trials >= ENOUGH:
                break
        assert trials, f"in none of {DEALS} deals does `{role.name}` fall to another seat"


def test_the_games_with_a_hidden_partner_are_found() -> None:
    assert len({setting.ruleset for setting in SETTINGS}) >= 4
