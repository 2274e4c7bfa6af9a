"""A playable game: a compiled ruleset that starts deals and matches and reads actions."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cached_property
from typing import Any

from dsl import core
from dsl.program import Program
from interpreter.action import Action, GameFault, InvalidDeal, parse_action
from interpreter.deal import Deal, lay_pack, pack_order
from interpreter.event import Places, read_log
from interpreter.lowering.compile import compile_program
from interpreter.match import Match
from interpreter.opcodes import DECISION, FACTOR, SLOT_ACTION, SLOT_LEGAL, SLOT_PROMPT, SLOT_RNG, SLOT_SEAT
from interpreter.opening import DECK, Opening
from interpreter.rng import sow
from interpreter.state import State, said, step


class Game:
    """A ruleset with its options chosen, ready to play. `content` gives, when it is asked for, what the hash is made of.

    `watch`, if given, is shown the memory after every run of the kernel: a traced game's probes are read there.
    """

    def __init__(
        self, program: Program, content: Callable[[], Any] | None = None, watch: Callable[[Sequence[int]], None] | None = None
    ) -> None:
        self.program = program
        self.watch = watch
        self.image = compile_program(program)
        self.rest = self.image.mem[self.image.n_state :]
        self.places = Places(self.image)
        self.id = program.rules.id
        self.title = program.rules.title
        self.players = program.players
        self.persons = program.persons
        self.options = {name: option.value for name, option in program.options.items()}
        self.content = content

    def __repr__(self) -> str:
        return f"<Game {self.id}>"

    @cached_property
    def hash(self) -> str:
        """A name for the rules and the values of their options, blind to comments and layout."""
        said_of_it = json.dumps(self.content() if self.content else None, ensure_ascii=False, sort_keys=False, default=str)
        return hashlib.sha256(said_of_it.encode()).hexdigest()[:16]

    # ------------------------------------------------------------------- start

    def memory(self, dealer: int | None = None, before: Mapping[str, Any] | None = None) -> list[int]:
        """The memory before a deal: the dealer, and match variables or accounts given by name."""
        memory = list(self.image.mem)
        given = dict(before or {})
        if dealer is not None:
            if not 0 <= dealer < self.persons:
                raise InvalidDeal(f"there is no seat {dealer} to deal: seats are 0 to {self.persons - 1}")
            given["dealer"] = dealer
        for name, value in given.items():
            self.put(memory, name, value)
        return memory

    def put(self, memory: list[int], name: str, value: Any) -> None:
        """Writes a variable or an account by its name; lists give one value per seat or side."""
        for account, base in self.image.accounts.items():
            if account.name == name:
                values = list(value.values()) if isinstance(value, Mapping) else value if isinstance(value, list | tuple) else [value]
                self.check_count(name, account.per, values)
                for index, one in enumerate(values):
                    memory[base + index] = self.units(name, one)
                return
        variable = next((v for v in self.program.variables if v.name == name), None)
        if variable is None:
            raise InvalidDeal(f"`{name}` is no variable or account of this game")
        base = self.image.variables[variable]
        width = self.image.words if variable.type.kind == "cards" else 1
        values = value if variable.per and isinstance(value, list | tuple) else [value]
        if variable.per == "pair":
            values = [one for row in values for one in (row if isinstance(row, list | tuple) else [row])]
        self.check_count(name, variable.per, values)
        for index, one in enumerate(values):
            for word, number in enumerate(self.encode(variable, one)):
                memory[base + index * width + word] = number

    def check_count(self, name: str, per: str, values: Sequence[Any]) -> None:
        """Raises InvalidDeal when there are more values than seats or sides."""
        room = self.program.count(per)
        if len(values) > room:
            raise InvalidDeal(f"`{name}` has {room} value{'s' * (room != 1)}, and {len(values)} are given")

    def units(self, name: str, value: Any) -> int:
        """An amount in the units of memory; raises InvalidDeal for what is no number, or finer than the game's amounts."""
        try:
            amount = Fraction(str(value)) * self.image.scale
        except (ValueError, ZeroDivisionError):
            raise InvalidDeal(f"`{value}` is no number for `{name}`") from None
        if amount.denominator != 1 or abs(amount) >= FACTOR:
            raise InvalidDeal(f"`{value}` is no amount of this game for `{name}`")
        return int(amount)

    def encode(self, variable: core.Variable, value: Any) -> list[int]:
        """A value as the words it has in memory; names of suits, contracts, … are read."""
        from interpreter.deal import read_cards
        from interpreter.lowering.layout import mask_words

        kind = variable.type.kind
        if value is None:
            return [-1]
        if kind == "cards":
            return list(mask_words(frozenset(read_cards(self.program.deck, value)), self.image.words))
        if kind == "card" and isinstance(value, str):
            return [read_cards(self.program.deck, value)[0]]
        if kind in ("suit", "bid", "contract", "outcome", "side") and isinstance(value, str):
            names = {
                "suit": [suit.name for suit in self.program.deck.suits],
                "bid": list(self.program.bids),
                "contract": [row.id for row in self.program.contracts],
                "outcome": list(self.program.outcomes),
                "side": list(self.program.side_names),
            }[kind]
            if value not in names:
                raise InvalidDeal(f"`{value}` is no {kind} of this game")
            return [names.index(value)]
        if kind == "number" and not variable.type.whole:
            return [self.units(variable.name, value)]
        if variable.type.is_set and isinstance(value, set | frozenset | list | tuple):
            member = replace(variable, type=variable.type.element)
            numbers = {self.encode(member, one)[0] for one in value}
            value = None if -1 in numbers else sum(1 << number for number in numbers)
        room = {"seat": self.players, "card": len(self.program.deck), "suit": len(self.program.deck.suits), "bid": len(self.program.bids),
                "contract": len(self.program.contracts), "outcome": len(self.program.outcomes), "side": len(self.program.sides),
                "rank": len(self.program.deck.ranks), "truth": 2, "number": FACTOR, "seats": 1 << self.players,
                "sides": 1 << len(self.program.sides)}.get(kind, FACTOR)  # fmt: skip
        least = 1 - FACTOR if kind == "number" else -1
        if not isinstance(value, int) or not least <= value < room:
            raise InvalidDeal(f"`{value}` is no {kind} of this game for `{variable.name}`")
        return [int(value)]

    def start(self, seed: int = 0, deal: Deal | None = None, dealer: int | None = None,
              before: Mapping[str, Any] | None = None) -> State:  # fmt: skip
        """The first decision of one deal: from a seed, or with given cards (`{"hands": [[…], …], "talon": […]}`).

        The dealer is drawn by the seed unless given; with given cards it is the last seat, so that seat 0 is the eldest.
        `before` gives match variables and accounts their values before the deal. Raises InvalidDeal.
        """
        return self.begin(self.memory(dealer, before), seed, deal)

    def begin(self, memory: list[int], seed: int, deal: Deal | None) -> State:
        """Runs a memory that stands before a deal to its first decision."""
        if deal is None:
            sow(memory, SLOT_RNG, seed)
            return self.proceed(memory)
        dealer = self.image.variables[self.program.variable("dealer")]
        if memory[dealer] < 0:
            memory[dealer] = self.persons - 1
        opening = Opening.found(self, tuple(memory), 0)
        order = pack_order(self, memory, deal, seed)
        logs = lay_pack(self, memory, order)
        sow(memory, SLOT_RNG, seed)
        before = tuple(event for log in logs for event in read_log(self.image, self.places, log, memory))
        state = self.proceed(memory, State(self, (), before, (), opening))
        return State(self, state.memory, state.events, state.events, state.opening)

    def proceed(self, memory: list[int], state: State | None = None, action: Action | None = None) -> State:
        """Runs to the next decision or the end of the deal, from a state whose seat answered, or from before a deal."""
        given, packs = tuple(memory), self.image.variables[self.program.variable("redeals")]
        status, log = step(self, memory)
        if status == DECISION and not any(memory[SLOT_LEGAL : SLOT_LEGAL + self.image.legal_words]):
            about = self.image.questions[memory[SLOT_PROMPT]].about
            raise GameFault(f"{self.id}: seat {memory[SLOT_SEAT]} is asked ({about}) and has no answer")
        again = memory[packs] != given[packs]
        news = read_log(self.image, self.places, log, None if again else memory)
        if action is not None and state is not None and state.seat is not None:
            news.insert(0, said(self, state.seat, action, news))
        # What was answered is no longer needed, and would tell equal positions apart.
        memory[SLOT_ACTION] = 0
        events = () if state is None else state.events
        opening = None if state is None else state.opening
        if opening is None or again or any(event.target == DECK for event in news):
            opening = Opening.found(self, given, len(events) + (action is not None)) or opening
        return State(self, tuple(memory[: self.image.n_state]), (*events, *news), tuple(news), opening)

    def match(self, seed: int = 0, deal: Deal | None = None, dealer: int | None = None,
              before: Mapping[str, Any] | None = None) -> Match:  # fmt: skip
        """A whole match, begun like `start`: deals follow one another until it ends."""
        return Match.begin(self, seed, deal, dealer, before)

    # ----------------------------------------------------------------- reading

    def parse(self, text: str) -> Action:
        """The action that a text means; raises UnknownAction with a suggestion."""
        return parse_action(self.image, text)

    def card(self, number: int) -> str:
        """A card as it is written."""
        return self.program.deck.text(number)

    def simulate(self, deals: int, seed: int = 0, **options: Any) -> Any:
        """Plays deals at random, compiled, on all cores; see `interpreter.simulation.simulate`."""
        from interpreter.simulation import simulate

        return simulate(self, deals, seed, **options)
