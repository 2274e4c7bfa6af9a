"""The tree search of the compiled machine (`interpreter.descent`), with a game's tables and a decision's worlds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import lcm
from random import Random
from typing import Any

from interpreter import descent, rollout
from interpreter.game import Game
from interpreter.opcodes import LOG_START, WORD
from spadille.bots.greedy import FIRST_BID, HIGHER_BID, WEAK
from spadille.bots.knowledge import high_is_good, promises, worths


@dataclass(frozen=True, slots=True)
class Branch:
    """How often an answer was taken, and what its seat gained after it on average, the more the better."""

    visits: int
    mean: float


class Table:
    """A game's vectors for the compiled machine, and what the rules of thumb of playouts need to know."""

    def __init__(self, game: Game) -> None:
        import numpy as np

        from interpreter import compiled

        self.np: Any = np
        image = game.image
        self.game = game
        self.words = image.legal_words
        self.code, self.tab, self.rest, self.log = (self.vector(v) for v in (image.code, image.tab, game.rest, (LOG_START, 0)))
        self.gains = image.gains
        self.sign = 1 if high_is_good(game) else -1
        self.search = compiled.search()
        self.sayings = game.players * len(image.alphabet)
        self.par = self.vector(parameters(game, self.sign))
        self.promise = self.vector(promises(game.program))
        self.sort = self.vector([sort_of(question) for question in image.questions] or [0])
        self.quiet = self.vector([word for question in image.questions for word in self.quiet_words(question)] or [0])

    def vector(self, values: Any) -> Any:
        """Numbers for the compiled machine."""
        return self.np.array(values, dtype=self.np.int64)

    def quiet_words(self, question: Any) -> list[int]:
        """The answers to a question that are no bids where others are, as words of a set."""
        program = self.game.program
        words = [id for offer in question.offers if not offer.cards for id in range(offer.first, offer.first + offer.count)]
        bids = {id for id in words if self.game.image.alphabet[id] in program.bids}
        quiet = [id for id in words if id not in bids] if bids else []
        return [sum(1 << id - k * WORD for id in quiet if k * WORD <= id < (k + 1) * WORD) for k in range(self.words)]


def parameters(game: Game, sign: int) -> list[int]:
    """The numbers of a game that playouts go by (`interpreter.rollout`)."""
    image, program = game.image, game.program
    slots = {variable.name: slot for variable, slot in image.variables.items()}
    words = {word: id for id, word in enumerate(image.alphabet)}
    suits = [words.get(suit.name, -1) for suit in program.deck.suits]
    in_order = suits == list(range(suits[0], suits[0] + len(suits))) and suits[0] >= 0
    hand, auction = program.pile("hand"), program.rules.auction
    declarer = auction.declarer.value if auction is not None and auction.declarer is not None else ""
    worth = worths(program)
    unit = max(1, lcm(*(one.denominator for one in worth)))
    bids = {bid: number for number, bid in enumerate(program.bids)}
    seats = program.players
    par = {
        rollout.TRICK: next((image.piles[pile] + image.words for pile in image.piles if pile.name == "trick"), 0),
        rollout.STRENGTHS: image.strengths,
        rollout.CARDS: len(program.deck),
        rollout.SEEK: sign,
        rollout.HAND: image.piles[hand],
        rollout.STRIDE: image.pile_strides[hand],
        rollout.TRUMP: slots["trump"],
        rollout.FIRST_SUIT: suits[0] if in_order else -1,
        rollout.SUITS: len(suits),
        rollout.BID: round(100 * FIRST_BID),
        rollout.HIGHER: round(100 * HIGHER_BID),
        rollout.KEEP: round(100 * WEAK),
        rollout.WORDS: image.words,
        rollout.SEATS: seats,
        rollout.LEADER: slots["leader"],
        rollout.PLAYERS: slots.get("trick players", -1),
        rollout.DECLARER: slots.get(declarer, -1) if len(program.sides) == seats else -1,
        rollout.ANSWERS: len(image.alphabet),
        rollout.SIDE: rollout.PAR,
        rollout.WORTH: rollout.PAR + seats,
        rollout.HEIGHT: rollout.PAR + seats + len(program.deck),
    }
    sides = [next((number for number, side in enumerate(program.sides) if seat in side), -1 - seat) for seat in range(seats)]
    return [
        *(par[place] for place in range(rollout.PAR)),
        *sides,
        *(int(one * unit) for one in worth),
        *(bids.get(word, -1) for word in image.alphabet),
    ]


def sort_of(question: Any) -> int:
    """What a question is to the rules of thumb."""
    if not any(offer.cards for offer in question.offers):
        return rollout.OTHER
    return rollout.PLAY if question.about == "play" else rollout.PART


class Tree:
    """The search for one decision. `worlds` are memories with their weights."""

    def __init__(self, table: Table, worlds: list[tuple[Sequence[int], float]], random: Random) -> None:
        np = table.np
        self.table = table
        self.worlds = np.concatenate([part for state, _ in worlds for part in (table.vector(state), table.rest)])
        self.weights = [weight for _, weight in worlds]
        self.random = random
        self.memory = len(self.worlds) // len(worlds)

    def search(self, descents: int) -> dict[int, Branch]:
        """What is thought of each answer to the question at hand after a number of descents."""
        table, np, random = self.table, self.table.np, self.random
        chosen = table.vector(random.choices(range(len(self.weights)), self.weights, k=descents))
        room = 1 << (4 * descents).bit_length()
        sizes = [0] * descent.SIZES
        sizes[descent.MEMORY], sizes[descent.SET] = self.memory, table.words
        sizes[descent.GAINS], sizes[descent.ROOM], sizes[descent.DESCENTS] = table.gains, room, descents
        keys, counts, totals = table.vector([0] * room), table.vector([0] * (2 * room)), np.zeros(room)
        noise = table.vector((random.getrandbits(32) | 1, random.getrandbits(32)))
        table.search(table.code, table.tab, self.worlds, chosen, table.vector(sizes), self.worlds[: self.memory].copy(), table.log, noise,
                     table.par, table.sort, table.quiet, table.promise, keys, counts, totals, np.zeros(3),
                     table.vector([0] * (2 * descent.DEEPEST)), table.vector([0] * table.sayings), np.zeros(table.sayings),
                     table.vector([0] * (rollout.TRAIL + 1)))  # fmt: skip
        found: dict[int, Branch] = {}
        for action in range(table.words * WORD):
            at = descent.find(keys, room, 0, action)
            if counts[2 * at]:
                found[action] = Branch(int(counts[2 * at]), float(totals[at] / counts[2 * at]) / table.game.image.scale)
        return found
