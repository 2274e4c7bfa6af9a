"""A tree search over many worlds at once: one tree of answers, every descent in another world that may be the true one.

Information set Monte Carlo tree search (Cowling, Powley and Whitehouse, 2012): an answer is judged among those that
were to be had in the world of the descent, and each seat seeks its own gain.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import log as ln
from math import sqrt
from random import Random
from typing import Any

from interpreter import rollout
from interpreter.game import Game
from interpreter.opcodes import (
    CHANCE,
    DEAL_OVER,
    DECISION,
    LOG_START,
    MATCH_OVER,
    SLOT_ACTION,
    SLOT_LEGAL,
    SLOT_PC,
    SLOT_RNG,
    SLOT_SEAT,
    SLOT_STATUS,
    WIDTH,
    WORD,
)
from interpreter.rng import sow
from spadille.bots.greedy import FIRST_BID, WEAK
from spadille.bots.knowledge import high_is_good, promises

CURIOSITY = 0.6


@dataclass(slots=True)
class Branch:
    """An answer as the tree knows it: how often it was taken and to be had, and what its seat gained after it."""

    visits: int = 0
    offered: int = 0
    total: float = 0.0
    below: dict[int, Branch] = field(default_factory=dict)

    @property
    def mean(self) -> float:
        """The mean gain of the seat that gave the answer."""
        return self.total / self.visits if self.visits else 0.0


class Table:
    """A game's vectors for the compiled machine, and what the rules of thumb of playouts need to know."""

    def __init__(self, game: Game) -> None:
        import numpy as np

        from interpreter import compiled

        self.np: Any = np
        image = game.image
        self.game = game
        self.seats = game.players
        self.words = image.legal_words
        self.deck = len(game.program.deck)
        self.code, self.tab, self.rest, self.log = (self.vector(v) for v in (image.code, image.tab, game.rest, (LOG_START, 0)))
        self.gains = image.gains
        self.sign = 1 if high_is_good(game) else -1
        self.run, self.rollout = compiled.run(), compiled.rollouts()
        trick = next((image.piles[pile] + image.words for pile in image.piles if pile.name == "trick"), 0)
        hand = game.program.pile("hand")
        words = {word: id for id, word in enumerate(image.alphabet)}
        suits = [words.get(suit.name, -1) for suit in game.program.deck.suits]
        in_order = suits == list(range(suits[0], suits[0] + len(suits))) and suits[0] >= 0
        par = {
            rollout.TRICK: trick,
            rollout.STRENGTHS: image.strengths,
            rollout.CARDS: self.deck,
            rollout.SEEK: self.sign,
            rollout.HAND: image.piles[hand],
            rollout.STRIDE: image.pile_strides[hand],
            rollout.TRUMP: image.variables[game.program.variable("trump")],
            rollout.FIRST_SUIT: suits[0] if in_order else -1,
            rollout.SUITS: len(suits),
            rollout.BID: round(100 * FIRST_BID),
            rollout.KEEP: round(100 * WEAK),
            rollout.WORDS: image.words,
        }
        self.par = self.vector([par[place] for place in range(rollout.PAR)])
        self.promise = self.vector(promises(game.program))
        self.sort = self.vector([sort_of(question) for question in image.questions] or [0])
        self.quiet = self.vector([word for question in image.questions for word in self.quiet_words(question)] or [0])

    def vector(self, values: Any) -> Any:
        """Numbers for the compiled machine."""
        return self.np.array(values, dtype=self.np.int64)

    def memory(self, state: Sequence[int]) -> Any:
        """The whole memory for the state in it."""
        return self.np.concatenate((self.vector(state), self.rest))

    def quiet_words(self, question: Any) -> list[int]:
        """The answers to a question that are no bids where others are, as words of a set."""
        program = self.game.program
        words = [id for offer in question.offers if not offer.cards for id in range(offer.first, offer.first + offer.count)]
        bids = {id for id in words if self.game.image.alphabet[id] in program.bids}
        quiet = [id for id in words if id not in bids] if bids else []
        return [sum(1 << id - k * WORD for id in quiet if k * WORD <= id < (k + 1) * WORD) for k in range(self.words)]

    def legal(self, memory: Any) -> list[int]:
        """The answers that are allowed."""
        found = []
        for k in range(self.words):
            left = int(memory[SLOT_LEGAL + k])
            while left:
                bit = left & -left
                found.append(WORD * k + bit.bit_length() - 1)
                left ^= bit
        return found

    def answer(self, memory: Any, action: int, random: Random) -> None:
        """Gives an answer and runs to the next question or the end; packs are mixed by chance."""
        memory[SLOT_ACTION] = action
        status = self.run(self.code, self.tab, memory, self.log)
        while status == CHANCE:
            sow(memory, SLOT_RNG, random.getrandbits(32))
            memory[SLOT_PC] -= WIDTH
            status = self.run(self.code, self.tab, memory, self.log)
            memory[SLOT_RNG] = memory[SLOT_RNG + 1] = 0

    def gain(self, memory: Any, seat: int) -> float:
        """What a seat gained, the more the better."""
        return self.sign * float(memory[self.gains + seat]) / self.game.image.scale


def sort_of(question: Any) -> int:
    """What a question is to the rules of thumb."""
    if not any(offer.cards for offer in question.offers):
        return rollout.OTHER
    return rollout.PLAY if question.about == "play" else rollout.PART


class Tree:
    """The search for one decision. `worlds` are memories with their weights."""

    def __init__(self, table: Table, worlds: list[tuple[Any, float]], random: Random) -> None:
        self.table = table
        self.worlds = [memory for memory, _ in worlds]
        self.weights = [weight for _, weight in worlds]
        self.random = random
        self.root: dict[int, Branch] = {}
        self.low, self.high = float("inf"), float("-inf")
        self.noise = table.vector((random.getrandbits(32) | 1, random.getrandbits(32)))

    def search(self, descents: int) -> dict[int, Branch]:
        """The answers to the question at hand after a number of descents."""
        for _ in range(descents):
            self.descend(self.random.choices(self.worlds, self.weights)[0].copy())
        return self.root

    def descend(self, memory: Any) -> None:
        """One way down the tree in one world, and what came of it for every seat on the way."""
        table, here = self.table, self.root
        taken: list[tuple[Branch, int]] = []
        while memory[SLOT_STATUS] == DECISION:
            legal = table.legal(memory)
            seat = int(memory[SLOT_SEAT])
            new = [action for action in legal if action not in here]
            action = self.random.choice(new) if new else self.pick(here, legal)
            for other in legal:
                if other in here:
                    here[other].offered += 1
            branch = here.setdefault(action, Branch())
            taken.append((branch, seat))
            table.answer(memory, action, self.random)
            here = branch.below
            if new:
                table.rollout(table.code, table.tab, memory, table.log, table.words, self.noise, table.par, table.sort, table.quiet,
                              table.promise)  # fmt: skip
                break
        if memory[SLOT_STATUS] not in (DEAL_OVER, MATCH_OVER):
            return
        for branch, seat in taken:
            gain = table.gain(memory, seat)
            self.low, self.high = min(self.low, gain), max(self.high, gain)
            branch.visits += 1
            branch.total += gain

    def pick(self, here: dict[int, Branch], legal: list[int]) -> int:
        """The answer most worth a look: good so far, or seldom tried."""
        span = (self.high - self.low) or 1.0

        def worth(action: int) -> float:
            branch = here[action]
            if not branch.visits:
                return float("inf")
            return (branch.mean - self.low) / span + CURIOSITY * sqrt(ln(branch.offered + 1) / branch.visits)

        return max(legal, key=worth)
