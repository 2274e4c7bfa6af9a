"""`solve`: the exact value of a position with all cards open, of every answer in it, and a line of best play."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from dsl.suggest import nearest
from interpreter.action import Action
from interpreter.record import Record
from interpreter.search.cards import CardSearch
from interpreter.search.layout import form_of, lay_out
from interpreter.search.playform import Unfit
from interpreter.search.solved import Unsolved
from interpreter.search.states import search_states
from interpreter.state import State
from spadille.solver.sides import Party, WrongSides, more_is_better, parties_of, plain

Number = int | Fraction
VALUES = ("payoff", "tricks", "points")
METHODS = ("paranoid", "maxn")
NODES = 20_000_000
MOST_STEPS = 1_000
__all__ = ["METHODS", "NODES", "VALUES", "Solution", "Unsolved", "WrongSides", "solve"]


@dataclass(frozen=True, slots=True)
class Step:
    """One answer of a line of best play."""

    seat: int
    action: Action


@dataclass(frozen=True, slots=True)
class Solution:
    """The value of a position to `side` under best play of all, and of every answer of the seat that decides.

    `value` and `values` are in units of `what`: the payoff of the side, its tricks or its card points at the end of
    the deal. With `maxn` each side seeks its own payoff and `sides_values` has the value of every one; otherwise the rest
    play against `side`. `by` tells which search found it: `cards` or `states`.
    """

    what: str
    method: str
    side: Party
    sides: tuple[Party, ...]
    seat: int
    value: Number
    values: tuple[tuple[Action, Number], ...]
    sides_values: tuple[Number, ...]
    line: tuple[Step, ...]
    payoffs: tuple[Number, ...] | None
    nodes: int
    by: str

    @property
    def best(self) -> tuple[Action, ...]:
        """The answers that keep the value."""
        return tuple(action for action, value in self.values if value == self.value)

    def of(self, action: Action | str) -> Number:
        """The value of an answer; raises KeyError for one that is not listed."""
        return {str(one): value for one, value in self.values}[str(action)]


def solve(position: State | Record, value: str = "payoff", side: int | Iterable[int] | None = None,
          sides: Iterable[Iterable[int]] | None = None, method: str = "paranoid", nodes: int = NODES, line: bool = True,
          every: bool = True, mode: Literal["compiled", "interpreted"] = "compiled", by: str | None = None) -> Solution:  # fmt: skip
    """Solve a position with all cards open.

    `value` is what is sought: `payoff`, `tricks` or `points` (card points). `side` names whose value it is by one of its
    seats: the declarer's if there is one, else that of the seat that decides. `sides` replaces the game's sides.
    `method`: with `paranoid` all others play against the side, with `maxn` every side for itself; of equal answers the
    one listed first is taken. `by` demands one of the searches, `cards` or `states`. Raises Unsolved after `nodes`
    positions or where chance decides, WrongSides, ValueError. Without `line` no line is sought; without `every` the search
    of the cards finds the value alone and `values` is empty, which is quicker.
    """
    state = _position(position)
    _known("value", value, VALUES)
    _known("method", method, METHODS)
    if state.seat is None:
        raise Unsolved("the deal is over: there is nothing to solve")
    parties = parties_of(state, sides)
    own = _own(state, parties, side, sides is None)
    signs = [1 if more_is_better(state.game) else -1] * len(parties)
    task = _Task(state, value, own, parties, signs[0], method, nodes, mode == "interpreted")
    if by != "states" and method == "paranoid" and value != "payoff":
        try:
            return task.by_cards(line, every)
        except Unfit as reason:
            if by == "cards":
                raise Unsolved(f"the cards alone do not decide: {reason}") from None
    elif by == "cards":
        raise Unsolved("the cards alone decide only tricks and points of one side against the rest")
    return task.by_states(line)


def _position(position: State | Record) -> State:
    if isinstance(position, State):
        return position
    import spadille
    from interpreter.match import Match

    game = spadille.load(position.ruleset, **position.options)
    found = position.replay(game)
    return found.state if isinstance(found, Match) else found


def _known(what: str, given: str, known: tuple[str, ...]) -> None:
    if given not in known:
        near = nearest(given, known)
        raise ValueError(f"unknown {what} `{given}`" + (f"; did you mean `{near}`?" if near else f": {', '.join(known)}"))


def _own(state: State, parties: tuple[Party, ...], side: int | Iterable[int] | None, derived: bool) -> Party:
    """The party whose value is sought."""
    if side is None:
        declared = derived and len(parties) == 2 and not state.game.program.rules.sides and state.game.program.rules.auction is not None
        return parties[0] if declared else next(party for party in parties if state.seat in party)
    seats = {side} if isinstance(side, int) else set(side)
    found = next((party for party in parties if seats and seats <= party), None)
    if found is None:
        raise WrongSides(f"no side holds {' and '.join(f'seat {seat}' for seat in sorted(seats)) or 'nobody'}")
    return found


@dataclass(frozen=True, slots=True)
class _Task:
    """A position and what is asked of it; `sign` is -1 where a low value is sought."""

    state: State
    value: str
    own: Party
    parties: tuple[Party, ...]
    sign: int
    method: str
    nodes: int
    interpreted: bool

    def by_cards(self, line: bool, every: bool) -> Solution:
        """The trick search; raises Unfit where the cards alone do not decide."""
        state = self.state
        layout = lay_out(state, self.own, self.value == "points", self.sign < 0)
        search = CardSearch(layout, self.nodes, self.interpreted)
        if every:
            gains = search.gains()
            seeks = (state.seat in self.own) == (self.sign > 0)
            best = max(gains.values()) if seeks else min(gains.values())
        else:
            best = search.gain()
            gains = {}
        shown = search.line(best) if line else []
        before = self._before(layout.scale)

        def total(gain: int) -> Number:
            return plain(before + gain, layout.scale)

        order = {card: bit for bit, card in enumerate(layout.cards)}
        values = []
        for action in state.legal():
            if every and action.card is not None and action.card in order:
                # The next higher card that was tried stands for its equals.
                tried = min((c for c in gains if order[c] >= order[action.card]), key=lambda c: order[c])
                values.append((action, total(gains[tried])))
        steps, payoffs = self._walk(shown) if line else ((), None)
        return Solution(self.value, self.method, self.own, self.parties, state.seat or 0, total(best), tuple(values), (total(best),),
                        steps, payoffs, search.nodes, "cards")  # fmt: skip

    def _before(self, scale: int) -> int:
        """What the side has won already."""
        world, program = self.state.world, self.state.game.program
        if self.value == "tricks":
            return sum(int(world.named("tricks", seat)) for seat in self.own)
        won = program.pile("won")
        return int(sum(program.worth[card] for seat in self.own for card in world.cards(won, seat)) * scale)

    def _walk(self, cards: list[int]) -> tuple[tuple[Step, ...], tuple[Number, ...] | None]:
        """The answers of a line of cards; other questions get the first answer that lets the play go on."""
        state = self.state
        steps: list[Step] = []
        ask = form_of(state.game).ask
        left = list(cards)
        while not state.over and len(steps) < MOST_STEPS:
            legal = state.legal()
            if state.question.ask is ask and left:
                action = next(one for one in legal if one.card == left[0])
                left.pop(0)
            elif left:
                action = next((one for one in legal if not state.apply(one).over), legal[0])
            else:
                break
            assert state.seat is not None
            steps.append(Step(state.seat, action))
            state = state.apply(action)
        return tuple(steps), state.payoffs if state.over else None

    def by_states(self, line: bool) -> Solution:
        """The search of whole states."""
        state = self.state
        alone = self.method == "maxn"
        # The party in question comes first.
        parties = (self.own, *(party for party in self.parties if party != self.own))
        if not alone:
            parties = tuple(party for party in (self.own, frozenset(range(state.game.players)) - self.own) if party)
        answers, best, scale, nodes = self._answers(state, parties, alone)
        steps: list[Step] = []
        now, chosen = state, best
        while line and len(steps) < MOST_STEPS:
            action = next(one for one in now.legal() if one.id == chosen)
            assert now.seat is not None
            steps.append(Step(now.seat, action))
            now = now.apply(action)
            if now.over:
                break
            _, chosen, _, more = self._answers(now, parties, alone)
            nodes += more
        values = tuple((one, plain(answers[one.id][0], scale)) for one in state.legal() if one.id in answers)
        every = tuple(plain(number, scale) for number in answers[best])
        return Solution(self.value, self.method, self.own, parties if alone else self.parties, state.seat or 0, every[0], values, every,
                        tuple(steps), now.payoffs if now.over else None, nodes, "states")  # fmt: skip

    def _answers(self, state: State, parties: tuple[Party, ...], alone: bool) -> tuple[dict[int, tuple[int, ...]], int, int, int]:
        """What every answer is worth, the best one, the scale and the nodes."""
        found = search_states(state, parties, self.value, [self.sign] * len(parties), alone, self.nodes, self.interpreted)
        mover = next(n for n, party in enumerate(parties) if state.seat in party)
        if alone:
            best = max(found.values, key=lambda id: (self.sign * found.values[id][mover], -id))
        else:
            aim = self.sign if mover == 0 else -self.sign
            best = max(found.values, key=lambda id: (aim * found.values[id][0], -id))
        return found.values, best, found.scale, found.nodes
