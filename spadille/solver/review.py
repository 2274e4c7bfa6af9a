"""`review`: what the solver says of each card of a deal that was played, with all cards open."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from interpreter.action import Action
from interpreter.game import Game
from interpreter.state import State
from spadille.solver.sides import Party, more_is_better, parties_of
from spadille.solver.solve import NODES, Number, Unsolved, solve

PLAY = "play"


@dataclass(frozen=True, slots=True)
class Remark:
    """One card: `value` is what the side under review ends up with after it, `best` what it could have been for who played.

    `loss` is what the card cost its player's side; both are None where the solver came to no value.
    """

    number: int
    seat: int
    action: Action
    value: Number | None
    best: Number | None
    loss: Number | None
    better: tuple[Action, ...]


@dataclass(frozen=True, slots=True)
class Review:
    """A deal under review; `losses` adds up what each seat's cards cost its side."""

    what: str
    side: Party
    sides: tuple[Party, ...]
    remarks: tuple[Remark, ...]
    losses: tuple[Number, ...]


def usual_value(game: Game) -> str:
    """What a review looks at: card points where cards have a worth, else tricks."""
    return "points" if any(game.program.worth) else "tricks"


def review(states: Sequence[State], answers: Iterable[Action | str], value: str | None = None, side: int | None = None,
           sides: Iterable[Iterable[int]] | None = None, nodes: int = NODES) -> Review:  # fmt: skip
    """Review a deal: its states from the first decision on, and the answer given in each. Raises Unsolved without any card.

    `value`, `side`, `sides` and `nodes` are those of `solve`; without `value` card points or tricks are taken.
    """
    given = None if sides is None else [list(party) for party in sides]
    played = [(n, s, s.game.parse(str(a))) for n, (s, a) in enumerate(zip(states, answers, strict=False), 1) if _asks_card(s)]
    if not played:
        raise Unsolved("no card was played: there is nothing to review")
    first = played[0][1]
    what = value or usual_value(first.game)
    parties = parties_of(first, given)
    own = parties[0] if side is None else next((party for party in parties if side in party), parties[0])
    sign = 1 if more_is_better(first.game) else -1
    remarks = []
    losses: list[Number] = [0] * first.game.players
    for number, state, action in played:
        assert state.seat is not None
        try:
            solution = solve(state, what, side=min(own), sides=given or parties, nodes=nodes, line=False)
            reached = solution.of(action)
        except (Unsolved, KeyError):
            remarks.append(Remark(number, state.seat, action, None, None, None, ()))
            continue
        aim = sign if state.seat in own else -sign
        loss = aim * (solution.value - reached)
        losses[state.seat] += loss
        remarks.append(Remark(number, state.seat, action, reached, solution.value, loss, solution.best if loss else ()))
    return Review(what, own, parties, tuple(remarks), tuple(losses))


def _asks_card(state: State) -> bool:
    return not state.over and state.question.about == PLAY and any(offer.cards and offer.verb == PLAY for offer in state.question.offers)
