"""A position put together by hand: variables, piles and the trick written into the memory of a game."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from dsl import core
from dsl.source import Entry, Mapping, Node, Scalar, Sequence
from interpreter.action import InvalidDeal
from interpreter.game import Game
from interpreter.lowering.layout import mask_words
from interpreter.opcodes import CHANCE, SLOT_PC, WIDTH, WIN
from interpreter.state import State, step
from interpreter.world import StateWorld
from spadille.casefile.result import WrongCase
from spadille.casefile.words import card, cards, hint, value


class Position:
    """The memory of a game with nothing dealt and every variable of the deal at its start, to be filled."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.image = game.image
        self.program = game.program
        # The first stop of a deal without a seed is its shuffle, where everything has its first value.
        self.memory = game.memory()
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
                assert isinstance(row, Scalar)
                numbers = cards(self.program.deck, row)
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

    def kernel_winner(self, count: int) -> int:
        """Which card of the trick wins by the kernel's own table: its place in the order of play."""
        image = self.image
        answer, address = len(self.memory), len(self.memory) + 1
        memory = [*self.memory, 0, image.piles[self.program.pile("trick")]]
        code = (WIN, answer, address, image.strengths, len(self.program.deck), image.words)
        assert len(code) == WIDTH
        memory[SLOT_PC] = 0
        from interpreter.kernel import run
        from interpreter.opcodes import NUMBER_OF_STOP

        run((*code, NUMBER_OF_STOP, 0, 0, 0, 0, 0), image.tab, memory, [2, 0])
        return memory[answer]


# --------------------------------------------------------------- given values


def start_values(game: Game, given: Node | None) -> dict[str, Any]:
    """Variables and accounts that a case gives, by name, as `Game.put` takes them; raises WrongCase."""
    return {entry.key.value: _given(game, entry) for entry in given} if isinstance(given, Mapping) else {}


def _given(game: Game, entry: Entry) -> Any:
    program, name = game.program, entry.key.value
    account = next((a for a in program.accounts if a.name == name), None)
    variable = next((v for v in program.variables if v.name == name), None)
    if account is None and variable is None:
        known = [*(a.name for a in program.accounts), *(v.name for v in program.variables), *(p.name for p in program.piles)]
        raise WrongCase("E803", f"`{name}` is no variable, account or pile of this game", entry.key.span, "nothing has this name", hint(name, known))
    from dsl import types as t

    type_ = t.FRACTION if variable is None else variable.type
    per = account.per if account is not None else variable.per if variable is not None else ""
    count = {"seat": program.players, "side": len(program.sides), "": 1}[per]
    rows: list[Node]
    if isinstance(entry.value, Mapping):
        for one in entry.value:
            if per != "side" or one.key.value not in program.side_names:
                raise WrongCase("E803", f"`{one.key.value}` is no side", one.key.span, f"`{name}` is kept per {per or 'game'}",
                                hint(one.key.value, program.side_names))  # fmt: skip
        found = [entry.value.get(side) for side in program.side_names]
        missing = [side for side, node in zip(program.side_names, found, strict=True) if node is None]
        if missing:
            raise WrongCase("E803", f"no `{name}` is given for `{missing[0]}`", entry.key.span)
        rows = [node for node in found if node is not None]
    else:
        rows = list(entry.value) if isinstance(entry.value, Sequence) else [entry.value]
    if len(rows) != count:
        raise WrongCase("E803", f"`{name}` is given {len(rows)} values, and {count} are due", entry.key.span)
    values = []
    for row in rows:
        assert isinstance(row, Scalar)
        one = value(program, type_, row)
        values.append(one)
    try:
        checked = [_writable(program, type_.kind, one) for one in values]
    except InvalidDeal as fault:
        raise WrongCase("E803", str(fault), entry.key.span) from fault
    return checked if per else checked[0]


def _writable(program: Any, kind: str, one: Any) -> Any:
    return [program.deck.text(c) for c in sorted(one)] if kind == "cards" else one


def card_number(game: Game, scalar: Scalar) -> int:
    """The one card that a text names."""
    return card(game.program.deck, scalar.value.strip(), scalar.span)
