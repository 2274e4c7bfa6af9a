"""A whole match: one deal after another, with dealer, pots and totals carried on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from interpreter.action import Action
from interpreter.deal import Deal
from interpreter.event import read_log
from interpreter.opcodes import MATCH_OVER, SLOT_RNG, SLOT_STATUS
from interpreter.rng import sow
from interpreter.state import State, step

if TYPE_CHECKING:
    from interpreter.game import Game


@dataclass(frozen=True, slots=True)
class DealResult:
    """How a deal ended: contract and outcome (None when thrown in), and each seat's gain."""

    contract: str | None
    outcome: str | None
    payoffs: tuple[int | Fraction, ...]


@dataclass(frozen=True, slots=True)
class Match:
    """A match at one moment: the state of its current deal, and the deals before."""

    state: State
    results: tuple[DealResult, ...] = ()

    @classmethod
    def begin(cls, game: Game, seed: int, deal: Deal | None, dealer: int | None, before: Mapping[str, Any] | None) -> Match:
        """The first decision of a match."""
        return cls(game.start(seed, deal, dealer, before))._settled()

    @property
    def game(self) -> Game:
        return self.state.game

    @property
    def over(self) -> bool:
        """Whether the match has ended."""
        return self.state.match_over

    @property
    def totals(self) -> tuple[Fraction, ...]:
        """What stands in the account of each seat, or of each side."""
        account = next((a for a in self.game.program.accounts if a.per), None)
        if account is None:
            return ()
        count = self.game.players if account.per == "seat" else len(self.game.program.sides)
        return tuple(self.state.world.balance(account, index) for index in range(count))

    @property
    def winners(self) -> frozenset[int]:
        """The seats that won, or lead."""
        return self.state.winners

    def apply(self, action: Action | str) -> Match:
        """The match after an answer; a finished deal is followed by the next."""
        return Match(self.state.apply(action), self.results)._settled()

    def _settled(self) -> Match:
        """The match at its next decision or its end."""
        match = self
        while match.state.over and not match.state.match_over:
            state = match.state
            result = DealResult(state.contract, state.outcome, state.payoffs)
            match = Match(match.next_deal(state), (*match.results, result))
        return match

    @staticmethod
    def next_deal(state: State, seed: int | None = None) -> State:
        """Goes on after a deal: to the first decision of the next, or the end of the match; `seed` decides what cards come then."""
        game = state.game
        memory = [*state.memory, *game.rest]
        if seed is not None:
            sow(memory, SLOT_RNG, seed)
        ended = list(memory)
        status, log = step(game, ended)
        if status == MATCH_OVER:
            # What is done at the end of the match, such as sharing out a pot, still belongs to its last deal.
            news = read_log(game.image, game.places, log, ended)
            ended[SLOT_STATUS] = MATCH_OVER
            return State(game, tuple(ended[: game.image.n_state]), (*state.events, *news), (*state.news, *news))
        return game.proceed(memory)
