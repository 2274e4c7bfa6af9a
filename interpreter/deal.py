"""Given deals: where each card of the pack goes under a ruleset's deal, and the order of the pack that brings it there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from dsl import core
from dsl.deck import Deck
from interpreter.action import InvalidDeal
from interpreter.kernel import run
from interpreter.opcodes import CHANCE
from interpreter.rng import below, sow
from interpreter.world import StateWorld

if TYPE_CHECKING:
    from interpreter.game import Game

Cards = Sequence[str] | str
Deal = Mapping[str, Any]


def pack_order(game: Game, memory: Sequence[int], deal: Deal, seed: int) -> list[int]:
    """The order of the pack (bottom first) that deals the given cards; cards not given are shuffled by the seed.

    `deal` has `hands`, a list with the cards of each seat, and piles by name, top card first.
    Raises InvalidDeal when the cards do not fit.
    """
    places = dry_run(game, memory)
    wanted: dict[int, int] = {}
    used: dict[int, str] = {}
    for name, cards in deal.items():
        for owner, given in _piles(game, name, cards):
            spots = _spots(game, places, name, owner)
            numbers = read_cards(game.program.deck, given)
            whose = f"{name} of seat {owner}" if owner is not None else name
            if len(numbers) != len(spots):
                raise InvalidDeal(f"{whose}: {len(spots)} cards are due, {len(numbers)} are given")
            for spot, card in zip(spots, numbers, strict=True):
                if card in used:
                    raise InvalidDeal(f"`{game.program.deck.text(card)}` is given twice: {used[card]}, {whose}")
                used[card] = whose
                wanted[spot] = card
    left = [card for card in range(len(game.program.deck)) if card not in used]
    rng = [0, 0]
    sow(rng, 0, seed)
    for i in range(len(left) - 1, 0, -1):
        j = below(rng, 0, i + 1)
        left[i], left[j] = left[j], left[i]
    return [wanted[spot] if spot in wanted else left.pop() for spot in range(len(game.program.deck))]


def read_cards(deck: Deck, given: Cards) -> list[int]:
    """Card numbers of a text like `7h As` or of a list of such texts."""
    words = given.split() if isinstance(given, str) else [word for item in given for word in str(item).split()]
    unknown = [word for word in words if word not in deck.by_text]
    if unknown:
        raise InvalidDeal(f"`{unknown[0]}` is not a card of deck `{deck.id}`")
    return [deck.by_text[word] for word in words]


def dry_run(game: Game, memory: Sequence[int]) -> StateWorld:
    """The state at the first stop when the pack lies in the order of its numbers: card n shows where place n goes."""
    trial = list(memory)
    trial[4] = trial[5] = 0
    log = [2, 0]
    status = run(game.image.code, game.image.tab, trial, log)
    if status != CHANCE:
        raise InvalidDeal("this game deals no cards")
    run(game.image.code, game.image.tab, trial, log)
    return StateWorld(game.image, tuple(trial))


def _piles(game: Game, name: str, cards: Any) -> list[tuple[int | None, Cards]]:
    if name == "hands":
        if isinstance(cards, str) or len(cards) != game.players:
            raise InvalidDeal(f"hands: {game.players} hands are due")
        return list(enumerate(cards))
    if all(pile.name != name or pile.per_seat for pile in game.program.piles):
        raise InvalidDeal(f"`{name}` is no pile of this game that cards are dealt to")
    return [(None, cards)]


def _spots(game: Game, places: StateWorld, name: str, owner: int | None) -> list[int]:
    """The places in the pack whose cards reach a pile: of a row from its top."""
    if name != "hands":
        pile = game.program.pile(name)
        return list(reversed(places.row(pile, None))) if pile.ordered else sorted(places.cards(pile, None))
    closed: list[core.Pile] = [pile for pile in game.program.piles if pile.per_seat and pile.name != "won"]
    found = [spot for pile in closed for spot in sorted(places.cards(pile, owner))]
    return found
