"""The compiled form of a game: code, tables, the first memory, and where each named thing lies in it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from dsl import core
from dsl.program import Program
from interpreter.opcodes import CHANCE, SHUFFLE, STOP, WIDTH


@dataclass(frozen=True, slots=True)
class OfferImage:
    """One kind of answer to a question: its action ids, and the offer it comes from."""

    verb: str
    first: int
    count: int
    cards: bool
    offer: core.Offer


@dataclass(frozen=True, slots=True)
class Question:
    """A place where a seat is asked; locals in scope and their slots let the evaluator explain it."""

    about: str
    offers: tuple[OfferImage, ...]
    ask: core.Ask
    locals: tuple[tuple[core.Local, int], ...]
    entry: int  # where the code begins that works out what may be answered


@dataclass(frozen=True, slots=True)
class ProbeImage:
    """A place that a traced game notes: its instruction, the probe, and the locals in scope with their slots."""

    place: int
    probe: core.Probe
    locals: tuple[tuple[core.Local, int], ...]


@dataclass(frozen=True)
class Image:
    """A game for the kernel. `mem` is the first memory: state, scratch and constants; the state is its first `n_state` slots."""

    program: Program
    code: tuple[int, ...]
    tab: tuple[int, ...]
    mem: tuple[int, ...]
    n_state: int
    words: int
    legal_words: int
    alphabet: tuple[str, ...]
    questions: tuple[Question, ...]
    variables: dict[core.Variable, int]
    piles: dict[core.Pile, int]
    pile_strides: dict[core.Pile, int]
    accounts: dict[core.Account, int]
    known: int
    gains: int
    start: int  # the accounts before the deal, from which the gains are counted
    ranked: tuple[tuple[int, int, int], ...]  # per table by ranking: its slot, the place of ranking 0, the size of one
    strengths: int  # the slot of the table that decides tricks
    scale: int
    sayings: tuple[str, ...]
    entries: dict[str, int]
    shuffles: dict[int, core.Pile]
    probes: tuple[ProbeImage, ...] = ()  # the last slots of memory say in their order which were passed

    @cached_property
    def unshuffled(self) -> tuple[int, ...]:
        """The code with every shuffle a stop, as if there were no random numbers."""
        code = list(self.code)
        for place in range(0, len(code), WIDTH):
            if code[place] == SHUFFLE:
                code[place : place + 2] = STOP, CHANCE
        return tuple(code)
