"""Bridge-like play as a ruleset of its own, and the published double-dummy results to hold the solver against."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path

import spadille
from interpreter.game import Game
from interpreter.state import State

DATA = Path("/work/shared/data/dds_list100.txt")  # read where it lies: it is not ours to copy
STRAINS = ("spades", "hearts", "diamonds", "clubs", "none")
RULES = """
ruleset: whist-play
language: 1
players: 4
deck: french-52
sides: {even: [0, 2], odd: [1, 3]}
ranking:
  plain: A K Q J 10 9 8 7 6 5 4 3 2
TRUMPS
score: {unit: tricks_taken, by: side}
deal:
  - deal 13 cards to each seat from eldest
NAMED
play:
  obligations:
    follow: {must: "those c in hand of player with follows(c, lead)", because: you must follow the suit led}
    free: {must: hand of player}
payments:
  taken: {for: x in sides, pay: x scores tricks of x}
"""


@cache
def whist(strain: str) -> Game:
    """Thirteen tricks of two against two with a trump suit, or none."""
    trumps = "" if strain == "none" else "  trump: A K Q J 10 9 8 7 6 5 4 3 2"
    named = "" if strain == "none" else f"  - set trump to {strain}"
    return spadille.load(RULES.replace("TRUMPS", trumps).replace("NAMED", named))


@dataclass(frozen=True, slots=True)
class Published:
    """A deal with its results; seats N E S W are 0 to 3."""

    strain: str
    first: int
    hands: tuple[tuple[str, ...], ...]
    played: tuple[str, ...]
    trace: tuple[int, ...]  # declarer's tricks before the first card and after each
    table: tuple[int, ...]

    @property
    def declarer(self) -> int:
        return (self.first - 1) % 4

    def start(self, strain: str | None = None, first: int | None = None) -> State:
        """The deal before the first card."""
        lead = self.first if first is None else first
        return whist(strain or self.strain).start(deal={"hands": [list(hand) for hand in self.hands]}, dealer=(lead - 1) % 4)

    def positions(self, most: int) -> list[tuple[State, int]]:
        """Positions of the play with so many tricks or fewer to come, each with the tricks that declarer ends up with."""
        found = []
        state = self.start()
        for number, card in enumerate((*self.played, "")):
            hand = state.game.program.pile("hand")
            if not state.over and max(len(state.world.cards(hand, seat)) for seat in range(4)) <= most:
                found.append((state, self.trace[number]))
            if state.over or not card or number + 1 == len(self.trace):
                break
            state = state.apply(f"play {card}")
        return found


def published(path: Path = DATA) -> list[Published]:
    """The deals of a file in the format described beside it."""
    found = []
    head: list[str] = []
    rows: dict[str, list[int]] = {}
    played: tuple[str, ...] = ()
    for line in path.read_text().splitlines():
        word, _, rest = line.partition(" ")
        if word == "PBN":
            head = rest.replace('"', " ").split()
        elif word == "PLAY":
            text = rest.partition('"')[2].strip().strip('"')
            played = tuple(card(text[k], text[k + 1]) for k in range(0, len(text), 2))
        elif word in ("TABLE", "TRACE"):
            rows[word] = [int(number) for number in rest.split()]
        if word == "TRACE":
            found.append(deal(head, played, rows))
    return found


def deal(head: list[str], played: tuple[str, ...], rows: dict[str, list[int]]) -> Published:
    """A deal of its head (dealer, vulnerability, trump, first, hands), cards played, and numbers."""
    hands: list[tuple[str, ...]] = [()] * 4
    start = "NESW".index(head[4][0])
    for number, hand in enumerate([head[4][2:], *head[5:8]]):
        suits = zip("SHDC", hand.split("."), strict=True)
        hands[(start + number) % 4] = tuple(card(suit, rank) for suit, ranks in suits for rank in ranks)
    return Published(STRAINS[int(head[2])], int(head[3]), tuple(hands), played, tuple(rows["TRACE"][1:]), tuple(rows["TABLE"]))


def card(suit: str, rank: str) -> str:
    """A card as the deck writes it."""
    return f"{'10' if rank == 'T' else rank}{suit.lower()}"
