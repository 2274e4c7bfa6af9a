"""A deal played again with the pack in a given order: the same answers, and cards put down unseen chosen anew."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from interpreter.action import action_of
from interpreter.event import Event, read_log
from interpreter.game import Game
from interpreter.opcodes import (
    CHANCE,
    DECISION,
    LOG_CAPACITY,
    LOG_CURSOR,
    LOG_START,
    SLOT_ACTION,
    SLOT_LEGAL,
    SLOT_PC,
    SLOT_PROMPT,
    SLOT_RNG,
    SLOT_SEAT,
    WIDTH,
    WORD,
)
from interpreter.rng import sow
from interpreter.state import said
from spadille.worlds.evidence import Answer, Evidence
from spadille.worlds.machine import machine_of, vector

LOG_ROOM = 5_000

# Called before an answer with a card: the memory, the answer, the numbers that may be answered.
Watch = Callable[[Any, Answer], None]


@dataclass(frozen=True, slots=True)
class Course:
    """A deal played again: its memory, its events, and in how many ways the unseen choices could be made."""

    memory: list[int]
    events: tuple[Event, ...]
    weight: float


class Replay:
    """Plays the answers of a view again in other worlds."""

    def __init__(self, game: Game, evidence: Evidence, opening: Sequence[int], seat: int) -> None:
        self.game = game
        self.seat = seat
        self.evidence = evidence
        self.image = game.image
        self.actions = [self.numbers(answer) for answer in evidence.answers]
        self.machine = machine_of(game)
        self.opened, self.log = vector((*opening, *game.rest)), vector([0] * (LOG_START + LOG_ROOM))
        self.reached = 0

    def numbers(self, answer: Answer) -> frozenset[int]:
        """The actions that an answer heard may have been."""
        if answer.card is not None:
            return frozenset((answer.card,))
        if answer.hidden:
            return frozenset(range(len(self.game.program.deck)))
        words = self.image.alphabet[len(self.game.program.deck) :]
        return frozenset(len(self.game.program.deck) + place for place, word in enumerate(words) if word == answer.word)

    def run(self, memory: Any, random: Random) -> int:
        """Runs to the next decision or the end; a pile mixed in the middle of the deal is mixed by chance."""
        status = self.machine.run(memory, self.log)
        while status == CHANCE:
            sow(memory, SLOT_RNG, random.getrandbits(32))
            memory[SLOT_PC] -= WIDTH
            status = self.machine.run(memory, self.log)
            memory[SLOT_RNG] = memory[SLOT_RNG + 1] = 0
        return status

    def play(self, order: Sequence[int], given: Mapping[int, int], random: Random, watch: Watch | None = None) -> Course | None:
        """The deal with the pack in an order, bottom first, and the cards put down unseen by the time of the answer.

        None as soon as an answer is not allowed or something else is seen than was; `reached` is then how many events
        agreed. A card chosen unseen of which nothing is given is any that may be chosen. With `watch` nothing is
        refused: a card that is answered and not in the hand is exchanged into it.
        """
        memory = self.opened.copy()
        pile = self.image.shuffles[int(memory[SLOT_PC]) - WIDTH]
        first = self.image.piles[pile] + self.image.words + 1
        memory[first : first + len(order)] = order
        weight = 1.0
        events: list[Event] = []
        self.reached = 0
        status = self.step(memory, random, events)
        for answer, actions in zip(self.evidence.answers, self.actions, strict=True):
            if status != DECISION or memory[SLOT_SEAT] != answer.seat or (watch is None and not self.agrees(events)):
                return None
            if watch is not None and answer.card is not None:
                watch(memory, answer)
            legal = sorted(action for action in actions if int(memory[SLOT_LEGAL + action // WORD]) >> action % WORD & 1)
            if answer.at in given:
                legal = [card for card in legal if card == given[answer.at]]
            elif answer.hidden:
                weight *= len(legal)
            if not legal:
                if watch is None or not actions:
                    return None
                legal = sorted(actions)
            memory[SLOT_ACTION] = legal[0] if len(legal) == 1 else random.choice(legal)
            status = self.step(memory, random, events, answer.seat)
            memory[SLOT_ACTION] = 0
        if watch is None and (not self.agrees(events) or len(events) != self.evidence.end):
            return None
        return Course(memory[: self.image.n_state].tolist(), tuple(events), weight)

    def step(self, memory: Any, random: Random, events: list[Event], seat: int | None = None) -> int:
        """Runs to the next decision and adds what happened to the events, an answer first."""
        log = self.log
        log[LOG_CURSOR], log[LOG_CAPACITY] = LOG_START, len(log)
        asked, action = self.image.questions[memory[SLOT_PROMPT]], int(memory[SLOT_ACTION])
        status = self.run(memory, random)
        news = read_log(self.image, self.game.places, log[: log[LOG_CURSOR]].tolist(), memory)
        if seat is not None:
            events.append(said(self.game, seat, action_of(self.image, asked, action), news))
        events.extend(news)
        return status

    def agrees(self, events: Sequence[Event]) -> bool:
        """Whether the seat would have seen what it saw, as far as the events go."""
        seen = self.evidence.events
        while self.reached < len(events):
            if self.reached >= len(seen) or events[self.reached].for_seat(self.seat) != seen[self.reached]:
                return False
            self.reached += 1
        return True
