"""A state of a game: immutable, with what may be answered, what follows, and what each seat may know."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from dsl import core
from dsl.evaluate import deciding_rung, evaluate
from interpreter.action import Action, GameFault, IllegalAction, action_of, parse_action
from interpreter.event import Event
from interpreter.kernel import run
from interpreter.lowering.image import OfferImage, Question
from interpreter.opcodes import (
    DEAL_OVER,
    DECISION,
    FAULT,
    LOG_START,
    MATCH_OVER,
    SLOT_ACTION,
    SLOT_LEGAL,
    SLOT_PROMPT,
    SLOT_SEAT,
    SLOT_STATUS,
)
from interpreter.opening import Opening
from interpreter.view import View, make_view
from interpreter.world import StateWorld

if TYPE_CHECKING:
    from interpreter.game import Game

LOG_ROOM = 20_000


class State:
    """One moment of a deal. `events` are those of the deal so far, `news` those since the last answer.

    Equality and hash are of the memory alone, so two ways to the same position are equal.
    """

    __slots__ = ("events", "game", "memory", "news", "opening", "world")

    def __init__(self, game: Game, memory: tuple[int, ...], events: tuple[Event, ...], news: tuple[Event, ...],
                 opening: Opening | None = None) -> None:  # fmt: skip
        self.game = game
        self.memory = memory
        self.events = events
        self.news = news
        self.opening = opening
        self.world = StateWorld(game.image, memory)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, State) and self.memory == other.memory

    def __hash__(self) -> int:
        return hash(self.memory)

    def __repr__(self) -> str:
        what = "over" if self.over else f"seat {self.seat} to {self.question.about}"
        return f"<State of {self.game.id}: {what}>"

    # ------------------------------------------------------------------ status

    @property
    def over(self) -> bool:
        """Whether the deal is over."""
        return self.memory[SLOT_STATUS] in (DEAL_OVER, MATCH_OVER)

    @property
    def match_over(self) -> bool:
        """Whether the match ends with this deal."""
        return self.memory[SLOT_STATUS] == MATCH_OVER

    @property
    def seat(self) -> int | None:
        """The seat that decides now, 0-based in playing order; None when the deal is over."""
        return self.memory[SLOT_SEAT] if self.memory[SLOT_STATUS] == DECISION else None

    @property
    def question(self) -> Question:
        """What the deciding seat is asked."""
        return self.game.image.questions[self.memory[SLOT_PROMPT]]

    @property
    def payoffs(self) -> tuple[int | Fraction, ...]:
        """What each seat has gained in this deal (in units of the score), exact."""
        gains = self.game.image.gains
        if not self.over:
            return (0,) * self.game.players
        return tuple(plain(Fraction(x, self.game.image.scale)) for x in self.memory[gains : gains + self.game.players])

    @property
    def outcome(self) -> str | None:
        """The outcome of the deal; None before it, and for a deal thrown in."""
        number = self.world.named("outcome")
        return None if number is None else self.game.program.outcomes[number]

    @property
    def contract(self) -> str | None:
        """The contract being played."""
        number = self.world.named("contract")
        return None if number is None else self.game.program.contracts[number].id

    @property
    def winners(self) -> frozenset[int]:
        """The seats that are ahead by the match's rule; those that won it, when the match is over."""
        expr = self.game.program.winners
        return frozenset() if expr is None else evaluate(expr, self.world)

    # ----------------------------------------------------------------- answers

    def legal(self) -> tuple[Action, ...]:
        """All answers that are allowed now."""
        if self.seat is None:
            return ()
        image, question = self.game.image, self.question
        return tuple(action_of(image, question, id) for id in sorted(self.world.set_at(SLOT_LEGAL, image.legal_words)))

    def apply(self, action: Action | str) -> State:
        """The state after an answer; raises IllegalAction with the reason, or UnknownAction."""
        if isinstance(action, str):
            action = parse_action(self.game.image, action)
        if self.over:
            raise IllegalAction(f"`{action}` comes too late: the deal is over")
        if action not in self.legal():
            raise self.refusal(action)
        memory = [*self.memory, *self.game.rest]
        memory[SLOT_ACTION] = action.id
        return self.game.proceed(memory, self, action)

    def offers_of(self, action: Action) -> list[OfferImage]:
        """The offers of the question that an action answers."""
        return [
            offer
            for offer in self.question.offers
            if (offer.cards and action.card is not None and str(action).rpartition(" ")[0] == offer.verb)
            or (not offer.cards and offer.first <= action.id < offer.first + offer.count)
        ]

    def locals(self) -> dict[core.Local, Any]:
        """The names bound where the question stands, with their values."""
        return {local: self.world.decode(local.type, slot) for local, slot in self.question.locals}

    def refusal(self, action: Action) -> IllegalAction:
        """Why an answer is not allowed: the obligation, the offer's reason, or that nobody asked."""
        offers = self.offers_of(action)
        if not offers:
            answers = [str(answer) for answer in self.legal()]
            listed = ", ".join(answers[:8]) + (", …" if len(answers) > 8 else "")
            return IllegalAction(f"`{action}` is no answer to this question ({self.question.about}): {listed}")
        offer = offers[0].offer
        env = self.locals()
        if action.card is not None and offer.domain is not None:
            ladder = self._ladder(offer.domain, env)
            if ladder is not None:
                rung, _ = deciding_rung(ladder.rungs, self.world, env)
                hand = self.world.cards(self.game.program.pile("hand"), self.world.turn())
                if action.card not in hand:
                    return IllegalAction(f"`{action}` is not allowed: the card is not in the hand")
                if rung is not None:
                    reason = rung.because or f"obligation `{rung.id}`"
                    return IllegalAction(f"`{action}` is not allowed: {reason}", rung.id, rung.because)
        reason = offer.because or "it is not allowed now"
        return IllegalAction(f"`{action}` is not allowed: {reason}", None, offer.because)

    def _ladder(self, expr: core.Expr, env: dict[core.Local, Any]) -> core.Ladder | None:
        while isinstance(expr, core.Cond):
            expr = expr.then if evaluate(expr.condition, self.world, env) else expr.other
        return expr if isinstance(expr, core.Ladder) else None

    def rung(self) -> str | None:
        """The obligation that decides what may be played now, by its id."""
        for offer in self.question.offers if self.seat is not None else ():
            if offer.cards and offer.offer.domain is not None:
                ladder = self._ladder(offer.offer.domain, self.locals())
                if ladder is not None:
                    rung, _ = deciding_rung(ladder.rungs, self.world, self.locals())
                    return None if rung is None else rung.id
        return None

    # -------------------------------------------------------------------- view

    def view(self, seat: int) -> View:
        """What a seat may know of this state."""
        if not 0 <= seat < self.game.players:
            raise ValueError(f"there is no seat {seat}: seats are 0 to {self.game.players - 1}")
        about = self.question.about if self.seat is not None else None
        opening = None if self.opening is None else self.opening.public()
        return make_view(self.world, seat, self.over, self.seat, about, self.legal, self.events, opening)


def plain(number: Fraction) -> int | Fraction:
    """A whole number as int."""
    return int(number) if number.denominator == 1 else number


def said(game: Game, seat: int, action: Action, news: Sequence[Event]) -> Event:
    """The event of an answer: a card put face down is seen by those who see the move, other answers by all."""
    everybody = frozenset(range(game.players))
    if action.card is None:
        return Event("say", seat, str(action), seen=everybody)
    verb = str(action).rpartition(" ")[0]
    moved = next((event for event in news if event.kind == "move" and action.card in event.cards), None)
    seen = everybody if moved is None else moved.seen | {seat}
    return Event("say", seat, verb, cards=(action.card,), count=1, seen=seen)


def step(game: Game, memory: list[int], log_room: int = LOG_ROOM) -> tuple[int, list[int]]:
    """Runs the kernel to the next stop; gives the status and the log."""
    log = [0] * (LOG_START + log_room)
    log[0], log[1] = LOG_START, LOG_START + log_room
    status = run(game.image.code, game.image.tab, memory, log)
    if status == FAULT:
        raise GameFault(f"{game.id}: the ruleset ran into a fault (too many steps, or a number too large)")
    if game.watch is not None:
        game.watch(memory)
    return status, log
