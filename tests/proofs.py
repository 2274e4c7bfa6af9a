"""What is proved of a game under one setting of its options, found by listing the rulesets, their presets and option values.

The suite takes every preset and a seeded sample of the single option values; `python -m bench --proofs` takes all of them.
"""

from __future__ import annotations

import zlib
from dataclasses import dataclass
from fractions import Fraction
from random import Random

from knowledge import Ledger, swap_of, swapped, unknown
from twins import Twins

import spadille
from dsl.idle import needed, other_values
from interpreter.game import Game
from interpreter.opcodes import FACTOR
from interpreter.record import Record
from interpreter.state import State

MOST_DECISIONS = 10_000  # of a deal: no game of cards asks more


@dataclass(frozen=True, slots=True)
class Setting:
    """A ruleset with a preset, or with one option that has another value than its default."""

    ruleset: str
    preset: str = ""
    options: tuple[tuple[str, str], ...] = ()

    @property
    def game(self) -> Game:
        given = dict(self.options)
        return spadille.load(self.ruleset, preset=self.preset, **given) if self.preset else spadille.load(self.ruleset, **given)

    def __str__(self) -> str:
        return "-".join((self.ruleset, *filter(None, [self.preset]), *(f"{name}={value}" for name, value in self.options[-1:])))


def whole(ruleset: str) -> list[Setting]:
    """The defaults and every preset."""
    presets = spadille.load(ruleset).program.rules.presets
    return [Setting(ruleset), *(Setting(ruleset, preset) for preset in presets)]


def single(ruleset: str) -> list[Setting]:
    """Every value of every option away from its default, with what it requires; of a range one other value."""
    found = []
    options = spadille.load(ruleset).program.options
    for option in options.values():
        around = needed(option, options)
        for value, _ in other_values(option):
            found.append(Setting(ruleset, options=(*sorted(around.items()), (option.id, value))))
    return found


def sample(settings: list[Setting], one_in: int) -> list[Setting]:
    """One in so many settings, always the same ones; each is chosen by its own name, so that a new one changes no other."""
    return [setting for setting in settings if zlib.crc32(str(setting).encode()) % one_in == 0]


# ------------------------------------------------------------------------------------ compiled


def check_deals(game: Game, deals: int, seed: int) -> None:
    """Compiled random deals, never stuck and without a fault; chips only move where the ruleset says that they balance."""
    report = game.simulate(deals, seed=seed, workers=1)
    assert report.deals == sum(ending.deals for ending in report.endings) == deals
    assert deals <= report.decisions and report.longest <= MOST_DECISIONS
    if game.program.balanced and not any(account.per != "seat" for account in game.program.accounts):
        assert sum((gain.mean for gain in report.gains), Fraction(0)) == 0
    limit = Fraction(FACTOR, game.image.scale)
    assert all(-limit < gain.least <= gain.mean <= gain.most < limit for gain in report.gains)


def check_matches(game: Game, matches: int, seed: int) -> None:
    """Compiled random matches to their ends, at least so many."""
    deals, ended = 2_000, 0
    while ended < matches:
        assert deals <= 2_000_000, f"{game.id}: only {ended} matches ended"
        ended += game.simulate(deals, seed=seed, workers=1).matches
        deals, seed = deals * 4, seed + 1


def check_twins(game: Game, matches: int, seed: int) -> int:
    """Matches compiled and by Python, state for state; gives the number of decisions."""
    pair = Twins(game)
    for number in range(matches):
        pair.match(seed + number)
    return pair.decisions


# --------------------------------------------------------------------------------- every position


def check_cards(state: State) -> None:
    """Every card lies in one pile, and rows say the same as their sets."""
    lying: list[int] = []
    for pile in state.game.program.piles:
        for owner in range(state.game.players) if pile.per_seat else (None,):
            cards = state.world.cards(pile, owner)
            lying += cards
            if pile.ordered:
                row = state.world.row(pile, owner)
                assert len(row) == len(cards) and set(row) == cards
    assert sorted(lying) == list(range(len(state.game.program.deck)))


def total(state: State) -> Fraction:
    """What stands in all accounts together."""
    program = state.game.program
    return sum((state.world.balance(account, i) for account in program.accounts for i in range(program.count(account.per))), Fraction(0))


def check_bounds(state: State) -> None:
    """Every variable has a value of its type, every answer offered is one of the alphabet, and none is offered twice."""
    game, program = state.game, state.game.program
    room = {"seat": program.players, "card": len(program.deck), "suit": len(program.deck.suits), 
            "rank": len(program.deck.ranks), "bid": len(program.bids), "contract": len(program.contracts), "outcome": len(program.outcomes),
            "side": len(program.sides)}  # fmt: skip
    for variable in program.variables:
        for index in range(program.count(variable.per)) if variable.per else (None,):
            value = state.world.variable(variable, index)
            if value is not None and variable.type.kind in room:
                assert 0 <= value < room[variable.type.kind], (variable.name, value)
            if isinstance(value, frozenset):
                most = {"cards": len(program.deck), "seats": program.players, "sides": len(program.sides)}.get(variable.type.kind)
                assert most is None or value <= set(range(most)), (variable.name, value)
    legal = [action.id for action in state.legal()]
    assert len(set(legal)) == len(legal) and (state.over or legal) and all(0 <= id < len(game.image.alphabet) for id in legal)
    assert sum(state.world.named("tricks", seat) for seat in range(game.players)) <= len(program.deck)


def check_view(ledger: Ledger, state: State, random: Random) -> None:
    """No seat's view changes when the cards that it cannot know are dealt round among one another."""
    for seat in range(state.game.players):
        other = swapped(state, seat, swap_of(unknown(ledger, state, seat), random.shuffle))
        assert other.view(seat) == state.view(seat), seat


def check_positions(game: Game, seed: int, most: int = 400) -> None:
    """A match by Python, up to some decisions: every position is sound, views leak nothing, the record replays."""
    random, match = Random(seed), game.match(seed)
    record = Record.of(game, seed, match=True)
    chips = total(match.state)
    ledger = Ledger(game)
    deal = 0
    while not match.over and len(record.actions) < most:
        state = match.state
        if len(match.results) != deal:
            deal, ledger = len(match.results), Ledger(game)
        for event in state.news:
            ledger.take(event)
        check_cards(state)
        check_bounds(state)
        if game.program.balanced:
            assert total(state) == chips
        if not random.randrange(8):
            check_view(ledger, state, random)
        answer = random.choice(state.legal())
        match, record = match.apply(answer), record.then(answer)
    again = Record.from_json(record.to_json()).replay(game)
    assert again.results == match.results
    assert again.state.memory == match.state.memory and again.state.events == match.state.events
