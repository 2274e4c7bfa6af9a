"""Games for the tests of the engine: every shipped ruleset under option sets that use every value of every option."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from random import Random

import spadille
from dsl.options import Option, as_number
from interpreter.game import Game
from interpreter.match import Match
from interpreter.state import State

IDLE = re.compile("option `(.+?)` counts only where")
RULESETS = spadille.ruleset_ids()


def values(option: Option) -> list[str]:
    """The values of an option that are tried: all choices, or the default and its neighbour."""
    if option.choices:
        return list(option.words)
    if option.kind == "truth":
        return ["no", "yes"]
    number = as_number(option.default.value)
    assert number is not None
    near = [text for text in (str(number + 1), str(number - 1)) if option.problem(text) is None]
    return [option.default.value, *near[:1]]


@cache
def option_sets(ruleset: str) -> tuple[tuple[tuple[str, str], ...], ...]:
    """The defaults, then sets in which every value of every option occurs."""
    options = [option for option in load(ruleset).program.options.values() if option.id != "target"]
    tried = [values(option) for option in options]
    return (
        (),
        *(
            tuple((option.id, tried[place][(row + place) % len(tried[place])]) for place, option in enumerate(options))
            for row in range(max(map(len, tried), default=0))
        ),
    )


@cache
def load(ruleset: str, options: tuple[tuple[str, str], ...] = ()) -> Game:
    """A game, loaded once; options that do not count beside the others keep their defaults."""
    kept = dict(options)
    while True:
        try:
            return spadille.load(ruleset, **kept)
        except spadille.RulesetError as error:
            named = {match[1] for found in error.diagnostics if (match := IDLE.match(found.message))}
            if not named & kept.keys():
                raise
            kept = {name: value for name, value in kept.items() if name not in named}


def variants() -> list[tuple[str, int]]:
    """Every ruleset with the number of each of its option sets: parameters for a test."""
    return [(ruleset, number) for ruleset in RULESETS for number in range(len(option_sets(ruleset)))]


def variant(ruleset: str, number: int) -> Game:
    """A ruleset under its option set of a number."""
    return load(ruleset, option_sets(ruleset)[number])


def walk(game: Game, seed: int) -> Iterator[State]:
    """A deal played at random, from its first decision to its end."""
    random = Random(seed)
    state = game.start(seed)
    yield state
    while not state.over:
        state = state.apply(random.choice(state.legal()))
        yield state


def walk_match(game: Game, seed: int, most: int) -> Iterator[Match]:
    """A match played at random, to its end or a number of answers."""
    random = Random(seed)
    match = game.match(seed)
    yield match
    while not match.over and most > 0:
        match = match.apply(random.choice(match.state.legal()))
        most -= 1
        yield match


def dealt(state: State) -> dict[str, list[list[str]] | list[str]]:
    """The cards of a state as a deal that is given."""
    game = state.game
    # Where hands are dealt unseen they lie in a pile of their own first.
    held = [pile for pile in game.program.piles if pile.per_seat and pile.name != "won"]
    deal: dict[str, list[list[str]] | list[str]] = {
        "hands": [[game.card(card) for pile in held for card in sorted(state.world.cards(pile, seat))] for seat in range(game.players)]
    }
    for pile in game.program.piles:
        if not pile.per_seat and (cards := state.world.cards(pile, None)):
            deal[pile.name] = [game.card(card) for card in (reversed(state.world.row(pile, None)) if pile.ordered else sorted(cards))]
    return deal
