"""What differs at the table: deals played at random in two games at once, until they do not say the same."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from interpreter.game import Game
from interpreter.state import State

LONGEST_DEAL = 2_000


@dataclass(frozen=True, slots=True)
class Clash:
    """The moment at which two games part: the deal, the answers up to there, and what each says.

    `kind` is "table" (seats or cards are not the same), "deal" (the same pack is dealt in another way), "question", "legal",
    "outcome" or "payments". `left` and `right` are lists of texts: hands, who is asked what, answers, outcome, amounts.
    """

    kind: str
    left: tuple[str, ...]
    right: tuple[str, ...]
    seed: int | None = None
    dealer: int | None = None
    hands: tuple[str, ...] = ()
    answers: tuple[tuple[int, str], ...] = ()
    seat: int | None = None
    about: str = ""
    hand: str = ""


def smallest_clash(left: Game, right: Game, deals: int, seed: int) -> Clash | None:
    """Of the clashes in a number of random deals the one after the fewest answers; None if no deal has one."""
    tables = tuple((f"{game.players} seats", *pack(game)) for game in (left, right))
    if tables[0] != tables[1]:
        seats, packs = zip(*((table[0], f"{len(table) - 1} cards: {' '.join(table[1:])}") for table in tables), strict=True)
        shown = seats if seats[0] != seats[1] else packs
        return Clash("table", (shown[0],), (shown[1],))
    best: Clash | None = None
    for number in range(seed, seed + deals):
        room = LONGEST_DEAL if best is None else len(best.answers)
        if room == 0:
            break
        best = play(left.start(seed=number), right.start(seed=number), number, room) or best
    return best


def pack(game: Game) -> tuple[str, ...]:
    """The cards of a game, in the order of the deck."""
    return tuple(game.card(card) for card in range(len(game.program.deck)))


def play(left: State, right: State, seed: int, room: int) -> Clash | None:
    """Plays one deal in both games with the same answers; the clash that comes within fewer answers than `room`."""
    chance = random.Random(seed)
    hands, dealer = hands_of(left), left.world.variable(left.game.program.variable("dealer"), None)
    answers: list[tuple[int, str]] = []

    def clash(kind: str, ours: Iterator[str] | list[str], theirs: Iterator[str] | list[str]) -> Clash:
        hand = hands_of(left)[left.seat] if left.seat is not None else ""
        about = left.question.about if left.seat is not None else ""
        return Clash(kind, tuple(ours), tuple(theirs), seed, dealer, hands, tuple(answers), left.seat, about, hand)

    if hands != hands_of(right):
        return clash("deal", list(hands), list(hands_of(right)))
    while len(answers) < room:
        if (left.seat, asked(left)) != (right.seat, asked(right)):
            return clash("question", [asked(left)], [asked(right)])
        if left.seat is None:
            if left.outcome != right.outcome:
                return clash("outcome", [left.outcome or "none"], [right.outcome or "none"])
            ours, theirs = amounts(left), amounts(right)
            return None if ours == theirs else clash("payments", ours, theirs)
        ours, theirs = [str(action) for action in left.legal()], [str(action) for action in right.legal()]
        if set(ours) != set(theirs):
            return clash("legal", ours, theirs)
        answer = chance.choice(ours)
        answers.append((left.seat, answer))
        left, right = left.apply(answer), right.apply(answer)
    return None


def asked(state: State) -> str:
    """Who is asked what, in words."""
    return "the deal is over" if state.seat is None else f"seat {state.seat} is asked: {state.question.about}"


def hands_of(state: State) -> tuple[str, ...]:
    """The cards of each seat, as they stand in the deck."""
    pile = state.game.program.pile("hand")
    return tuple(" ".join(state.game.card(card) for card in sorted(state.world.cards(pile, seat))) for seat in range(state.game.players))


def amounts(state: State) -> list[str]:
    """What each seat gained, and what stands in each account."""
    found = [f"seat {seat}: {amount:+}" if amount else f"seat {seat}: 0" for seat, amount in enumerate(state.payoffs)]
    accounts: Any = state.view(0).accounts
    return found + [f"{name}: {' '.join(str(one) for one in held)}" for name, held in accounts]
