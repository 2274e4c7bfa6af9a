"""Given deals: where each card of the pack goes under a ruleset's deal, and the order of the pack that brings it there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from dsl.deck import Deck
from interpreter.action import InvalidDeal
from interpreter.kernel import run
from interpreter.opcodes import CHANCE, LOG_CAPACITY, LOG_CURSOR, LOG_MOVE, LOG_START, LOG_WIDTH, SLOT_PC, SLOT_RNG, WIDTH
from interpreter.rng import below, sow

if TYPE_CHECKING:
    from interpreter.game import Game

MOST_TRIALS = 50
MOST_SHUFFLES = 400
LOG_ROOM = 5_000

Spot = tuple[str, int | None]
Cards = Sequence[str] | str
Deal = Mapping[str, Any]


def pack_order(game: Game, memory: Sequence[int], deal: Deal, seed: int) -> list[int]:
    """The order of the pack (bottom first) that deals the given cards; cards not given are shuffled by the seed.

    `deal` has `hands`, a list with the cards of each seat, and piles by name, top card first.
    Raises InvalidDeal when the cards do not fit.
    """
    rng = [0, 0]
    sow(rng, 0, seed)
    order = mixed(len(game.program.deck), rng)
    problem: InvalidDeal | None = None
    # Where a place of the pack goes may depend on the cards (some are laid aside), so the deal is tried again.
    for trial in range(MOST_TRIALS):
        if trial % 5 == 4:
            order = mixed(len(order), rng)
        try:
            wanted = place_given(game, dry_run(game, memory, order), deal, order)
        except InvalidDeal as error:
            problem = problem or error
            order = mixed(len(order), rng)
            continue
        if all(order[place] == card for place, card in wanted.items()):
            return order
        left = [card for card in order if card not in wanted.values()]
        # Cards that are not given stay where they lie if they can.
        staying = {place: card for place, card in enumerate(order) if place not in wanted and card in left}
        moving = iter([card for card in left if card not in staying.values()])
        order = [wanted[place] if place in wanted else staying[place] if place in staying else next(moving) for place in range(len(order))]
    raise problem or InvalidDeal("this game does not deal the cards given")


def mixed(count: int, rng: list[int]) -> list[int]:
    """A shuffled pack."""
    order = list(range(count))
    for i in range(count - 1, 0, -1):
        j = below(rng, 0, i + 1)
        order[i], order[j] = order[j], order[i]
    return order


def place_given(game: Game, dealt: Mapping[Spot, list[int]], deal: Deal, order: Sequence[int]) -> dict[int, int]:
    """Which place of the pack must hold which card, by where the cards of an order go."""
    at = {card: place for place, card in enumerate(order)}
    wanted: dict[int, int] = {}
    used: dict[int, str] = {}
    for name, cards in deal.items():
        for owner, given in _piles(game, name, cards):
            there = _cards_at(game, dealt, name, owner)
            numbers = read_cards(game.program.deck, given)
            whose = f"{name} of seat {owner}" if owner is not None else name
            if len(numbers) != len(there):
                raise InvalidDeal(f"{whose}: {len(there)} cards are due, {len(numbers)} are given")
            if not (name != "hands" and game.program.pile(name).ordered):
                # Which of a hand's places a card has is all one: those that are there already stay.
                there = sorted(there, key=lambda card: (card not in numbers, at[card]))
                numbers = [*(card for card in there if card in numbers), *(card for card in numbers if card not in there)]
            for card, due in zip(there, numbers, strict=True):
                if due in used:
                    raise InvalidDeal(f"`{game.program.deck.text(due)}` is given twice: {used[due]}, {whose}")
                used[due] = whose
                wanted[at[card]] = due
    return wanted


def read_cards(deck: Deck, given: Cards) -> list[int]:
    """Card numbers of a text like `7h As` or of a list of such texts."""
    words = given.split() if isinstance(given, str) else [word for item in given for word in str(item).split()]
    unknown = [word for word in words if word not in deck.by_text]
    if unknown:
        raise InvalidDeal(f"`{unknown[0]}` is not a card of deck `{deck.id}`")
    return [deck.by_text[word] for word in words]


def lay_pack(game: Game, memory: list[int], order: Sequence[int]) -> list[list[int]]:
    """Brings a memory to where the pack is dealt, the cards in an order; gives the logs of what happened before.

    A game may shuffle the whole pack more than once before it deals; the order is that of the last time.
    """
    memory[SLOT_RNG] = memory[SLOT_RNG + 1] = 0
    logs: list[list[int]] = []
    for _ in range(MOST_SHUFFLES):
        trial, log = list(memory), new_log()
        status = run(game.image.code, game.image.tab, trial, log)
        if status != CHANCE or (logs and LOG_MOVE in log[LOG_START : log[LOG_CURSOR] : LOG_WIDTH]):
            break
        memory[:] = trial
        logs.append(log)
        pile = game.image.shuffles[memory[SLOT_PC] - WIDTH]
        at = game.image.piles[pile] + game.image.words + 1
        memory[at : at + len(order)] = order
    if not logs:
        raise InvalidDeal("this game deals no cards")
    return logs


def new_log() -> list[int]:
    """An empty log with room."""
    log = [0] * LOG_ROOM
    log[LOG_CURSOR], log[LOG_CAPACITY] = LOG_START, LOG_ROOM
    return log


def dry_run(game: Game, memory: Sequence[int], order: Sequence[int]) -> dict[Spot, list[int]]:
    """Where the cards of a pack lie at the first stop, bottom first; if they are dealt again, where they lay before."""
    trial, log = list(memory), new_log()
    lay_pack(game, trial, order)
    # Random numbers are drawn for nobody's cards here; another shuffle ends the trial.
    run(game.image.code, game.image.tab, trial, log)
    pile = game.program.pile("deck")
    places: dict[Spot, list[int]] = {(pile.name, None): list(order)}
    for entry in range(LOG_START, log[LOG_CURSOR], LOG_WIDTH):
        if log[entry] == LOG_MOVE:
            card, source, target = log[entry + 1 : entry + 4]
            (giver, owner), (taker, to) = game.places.piles[source], game.places.piles[target]
            places[giver.name, owner].remove(card)
            places.setdefault((taker.name, to), []).append(card)
    return places


def _piles(game: Game, name: str, cards: Any) -> list[tuple[int | None, Cards]]:
    if name == "hands":
        if isinstance(cards, str) or len(cards) != game.players:
            raise InvalidDeal(f"hands: {game.players} hands are due")
        return list(enumerate(cards))
    if all(pile.name != name or pile.per_seat for pile in game.program.piles):
        raise InvalidDeal(f"`{name}` is no pile of this game that cards are dealt to")
    return [(None, cards)]


def _cards_at(game: Game, dealt: Mapping[Spot, list[int]], name: str, owner: int | None) -> list[int]:
    """The cards dealt to a pile, the top one first; to the closed piles of a seat for a hand."""
    if name != "hands":
        return list(reversed(dealt.get((name, None), [])))
    closed = [pile for pile in game.program.piles if pile.per_seat and pile.name != "won"]
    return [card for pile in closed for card in dealt.get((pile.name, owner), [])]
