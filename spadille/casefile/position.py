"""A position put together by hand: variables, piles and the trick written into the memory of a game."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from dsl import core
from dsl import types as t
from dsl.program import Program
from dsl.source import Entry, Mapping, Node, Sequence
from interpreter.game import Game
from interpreter.kernel import run
from interpreter.lowering.layout import mask_words
from interpreter.opcodes import CHANCE, DEAL_OVER, SLOT_PC, STOP, WIN
from interpreter.state import State, step
from interpreter.world import StateWorld
from spadille.casefile.result import WrongCase
from spadille.casefile.words import cards, hint, one_text, value


class Position:
    """The memory of a game with nothing dealt and every variable of the deal at its start, to be filled."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.image = game.image
        self.program = game.program
        # The first stop of a deal without a seed is its shuffle, where everything has its first value.
        self.memory = game.memory(dealer=game.persons - 1)
        status, _ = step(game, self.memory)
        assert status == CHANCE, "a deal begins with a shuffle"
        self.put_pile(self.program.pile("deck"), None, ())

    # ----------------------------------------------------------------- writing

    def put(self, name: str, given: Any) -> None:
        """Writes a variable or an account by its name."""
        self.game.put(self.memory, name, given)

    def put_pile(self, pile: core.Pile, owner: int | None, cards: Iterable[int]) -> None:
        """Makes a pile hold just these cards, bottom first."""
        base, words = self.image.piles[pile] + (owner or 0) * self.image.pile_strides[pile], self.image.words
        numbers = list(cards)
        self.memory[base : base + words] = mask_words(frozenset(numbers), words)
        if pile.ordered:
            self.memory[base + words] = len(numbers)
            self.memory[base + words + 1 : base + words + 1 + len(numbers)] = numbers

    def put_trick(self, numbers: list[int]) -> None:
        """Lays cards on the table, the first of them led."""
        self.put_pile(self.program.pile("trick"), None, numbers)
        if numbers:
            self.put("lead", numbers[0])

    def give(self, given: Node | None) -> None:
        """Writes what a case gives: variables, accounts and piles by name."""
        for entry in given if isinstance(given, Mapping) else ():
            pile = next((p for p in self.program.piles if p.name == entry.key.value), None)
            if pile is None:
                for name, one in start_values(self.game, Mapping((entry,), entry.key.span)).items():
                    self.put(name, one)
                continue
            rows = list(entry.value) if isinstance(entry.value, Sequence) else [entry.value]
            if len(rows) != (self.program.players if pile.per_seat else 1):
                raise WrongCase("E803", f"`{pile.name}` has {len(rows)} lists of cards", entry.key.span,
                                f"one for each of {self.program.players} seats is due" if pile.per_seat else "there is one")  # fmt: skip
            for owner, row in enumerate(rows):
                numbers = cards(self.program.deck, one_text(entry, row))
                self.put_pile(pile, owner, numbers[::-1] if pile.ordered else numbers)
        self.settle()

    def settle(self) -> None:
        """Chooses the ranking that contract and trump ask for, and takes the accounts as those before the deal."""
        contract, trump = (self.memory[self.image.variables[self.program.variable(name)]] for name in ("contract", "trump"))
        way = self.program.contracts[contract].way if 0 <= contract < len(self.program.contracts) else 0
        self.put("way", way)
        number = self.program.rankings.number(way, trump)
        for slot, place, size in self.image.ranked:
            self.memory[slot] = place + number * size
        unit = next((account for account in self.program.accounts if account.per), None)
        if unit is not None:
            count = self.program.players if unit.per == "seat" else len(self.program.sides)
            base = self.image.accounts[unit]
            self.memory[self.image.start : self.image.start + count] = self.memory[base : base + count]

    # ----------------------------------------------------------------- running

    @property
    def world(self) -> StateWorld:
        """What the evaluator reads."""
        return StateWorld(self.image, tuple(self.memory))

    def run_from(self, place: int) -> State:
        """The state at the next stop when the kernel is entered at a place of the code."""
        memory = list(self.memory)
        memory[SLOT_PC] = place
        step(self.game, memory)
        return State(self.game, tuple(memory[: self.image.n_state]), (), ())

    def kernel_winner(self) -> int:
        """Which card of the trick wins by the kernel's own table: its place in the order of play."""
        image = self.image
        answer, address = len(self.memory), len(self.memory) + 1
        memory = [*self.memory, 0, image.piles[self.program.pile("trick")]]
        memory[SLOT_PC] = 0
        code = (WIN, answer, address, image.strengths, len(self.program.deck), image.words, STOP, DEAL_OVER, 0, 0, 0, 0)
        run(code, image.tab, memory, [2, 0])
        return memory[answer]


# --------------------------------------------------------------- given values


def start_values(game: Game, given: Node | None) -> dict[str, Any]:
    """Variables and accounts that a case gives, by name, as `Game.put` takes them; raises WrongCase."""
    return {entry.key.value: _given(game.program, entry) for entry in given} if isinstance(given, Mapping) else {}


def _given(program: Program, entry: Entry) -> Any:
    name = entry.key.value
    account = next((a for a in program.accounts if a.name == name), None)
    variable = next((v for v in program.variables if v.name == name), None)
    if account is not None:
        type_, per = t.FRACTION, account.per
    elif variable is not None:
        type_, per = variable.type, variable.per
    else:
        known = [thing.name for things in (program.accounts, program.variables, program.piles) for thing in things]
        raise WrongCase("E803", f"`{name}` is no variable, account or pile of this game", entry.key.span, "nothing has this name",
                        hint(name, known))  # fmt: skip
    rows = _rows(program, entry, per)
    values = []
    for row in rows:
        one = value(program, type_, one_text(entry, row))
        values.append([program.deck.text(number) for number in sorted(one)] if type_.kind == "cards" else one)
    return values if per else values[0]


def _rows(program: Program, entry: Entry, per: str) -> list[Node]:
    """The values of something kept per seat or side, in the order of seats or sides."""
    name, count = entry.key.value, program.count(per)
    if not isinstance(entry.value, Mapping):
        rows: list[Node] = list(entry.value) if isinstance(entry.value, Sequence) else [entry.value]
        if per == "pair":  # a list for each seat, of what it has on each
            rows = [one for row in rows for one in (row if isinstance(row, Sequence) else (row,))]
        if len(rows) != count:
            raise WrongCase("E803", f"`{name}` is given {len(rows)} values, and {count} are due", entry.key.span)
        return rows
    for one in entry.value:
        if per != "side" or one.key.value not in program.side_names:
            raise WrongCase("E803", f"`{one.key.value}` is no side", one.key.span, f"`{name}` is kept per {per or 'game'}",
                            hint(one.key.value, program.side_names))  # fmt: skip
    found = [entry.value.get(side) for side in program.side_names]
    for side, node in zip(program.side_names, found, strict=True):
        if node is None:
            raise WrongCase("E803", f"no `{name}` is given for `{side}`", entry.key.span)
    return [node for node in found if node is not None]
