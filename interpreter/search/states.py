"""The search of whole states on a state: what every answer is worth to every party, by the kernel."""

from __future__ import annotations

from collections.abc import Sequence
from math import lcm
from typing import Any
from weakref import WeakKeyDictionary

from interpreter.game import Game
from interpreter.opcodes import LOG_START, SLOT_LEGAL, SLOT_PC, SLOT_PROMPT, SLOT_SEAT
from interpreter.search import positions as at
from interpreter.search.playform import Reads, reads
from interpreter.search.solved import Found, Unsolved
from interpreter.state import State

DEPTH = 200
BITS, FEW_BITS = 18, 12  # two to the power of this: entries of the table
# Read by the machine itself, as are those of the language's own whose names no ruleset can write.
KEPT = frozenset({"way", "trump", "contract", "redeals", "player", "leader", "lead"})
REASONS = {
    at.CHANCY: "chance decides something further on: play on until nothing is shuffled or drawn any more",
    at.BROKEN: "the ruleset runs into a fault further on",
    at.DEEP: f"more than {DEPTH} answers may follow: play on a little",
}
_reads: WeakKeyDictionary[Game, Reads] = WeakKeyDictionary()


def search_states(state: State, parties: Sequence[frozenset[int]], value: str, signs: Sequence[int], alone: bool,
                  limit: int, interpreted: bool = False) -> Found:  # fmt: skip
    """The value of every legal answer to every party (to the first alone, against the rest, unless `alone`).

    `signs` has 1 for a party that seeks a high value and -1 for a low one. Raises Unsolved.
    """
    game = state.game
    image = game.image
    seats = game.players
    party_of = [next(n for n, party in enumerate(parties) if seat in party) for seat in range(seats)]
    scale, ends = _ends(game, parties, value, signs)
    keep, counted = _kept(game, value)
    hand = game.program.pile("hand")
    par = [0] * at.PARAMETERS
    par[at.STATE], par[at.ANSWERS], par[at.CARDS], par[at.WORDS] = image.n_state, image.legal_words, len(game.program.deck), image.words
    par[at.PARTIES], par[at.ALONE], par[at.WHOLE] = len(parties), int(alone), int(value != "payoff")
    bits = FEW_BITS if interpreted else BITS
    par[at.BUCKETS], par[at.STAMP], par[at.LIMIT] = (1 << bits) - 1, 1, limit
    par[at.HANDS], par[at.STRIDE], par[at.SEATS] = image.piles[hand], image.pile_strides[hand], seats
    par[at.KEEP], par[at.COUNTED], par[at.DEPTH] = len(keep), len(counted), DEPTH
    worth = [int(w * _points_scale(game)) for w in game.program.worth]
    keep += [number for pair in counted for number in pair]
    vector, zeros = (list, _list) if interpreted else (_array, _zeros)
    memory: Any = vector([*state.memory, *game.rest])
    parameters: Any = vector(par)
    found: Any = zeros(1 + at.MOST_CHOICES * (2 + at.MOST_PARTIES) + image.n_state)
    if interpreted:
        run: Any = at.answers
    else:
        from interpreter.search import machine

        run = machine.on_states()
    status = run(
        vector(list(image.code)), vector(list(image.tab)), memory, vector([LOG_START, 0]), parameters, vector(worth), vector(ends),
        vector(keep or [0]), vector(party_of), zeros(image.n_state * (DEPTH + 1)), zeros(at.PLY * (DEPTH + 1)),
        zeros(2 * at.MOST_CHOICES * (DEPTH + 1)), zeros(at.ENTRY << bits), zeros(2 * at.MOST_CHOICES),
        zeros(at.MOST_PARTIES * (2 * DEPTH + 4)), found,
    )  # fmt: skip
    nodes = int(parameters[at.NODES])
    if status == at.GIVEN_UP:
        raise Unsolved(f"no value after {nodes:,} positions: play on a little, or allow more with `nodes`")
    if status != at.FINE:
        raise Unsolved(REASONS[int(status)])
    width = 2 + at.MOST_PARTIES
    shown = len(parties) if alone else 1
    rows = [found[1 + k * width : 1 + (k + 1) * width] for k in range(int(found[0]))]
    whole = [row for row in rows if not row[1] or value == "payoff"] or rows
    values = {int(row[0]): tuple(int(row[2 + n]) * signs[n] for n in range(shown)) for row in whole}
    return Found(values, scale, nodes)


def _points_scale(game: Game) -> int:
    return lcm(*(value.denominator for value in game.program.worth))


def _ends(game: Game, parties: Sequence[frozenset[int]], value: str, signs: Sequence[int]) -> tuple[int, list[int]]:
    """The scale of the values, and what to add up for each party at the end."""
    image = game.image
    rows: list[int] = []
    scale = 1
    for number, party in enumerate(parties):
        sign = signs[number]
        if value == "payoff":
            scale = image.scale
            by_side = any(account.per == "side" for account in game.program.accounts)
            # Seats of a side have one account: it is counted once.
            once = {next(s for s in sorted(side) if s in party) for side in game.program.sides if side & party}
            for seat in sorted(once if by_side else party):
                rows += [number, image.gains + seat, sign, 0]
        elif value == "tricks":
            base = image.variables[game.program.variable("tricks")]
            for seat in sorted(party):
                rows += [number, base + seat, sign, 0]
        else:
            scale = _points_scale(game)
            won = game.program.pile("won")
            for seat in sorted(party):
                rows += [number, image.piles[won] + seat * image.pile_strides[won], sign, 1]
    return scale, [len(rows) // 4, *rows]


def _kept(game: Game, value: str) -> tuple[list[int], list[tuple[int, int]]]:
    """The slots that can still matter, and the piles of which only the worth does (slot, and 1 for the last of a group)."""
    image, program = game.image, game.program
    if game not in _reads:
        _reads[game] = reads(game)
    read = _reads[game]
    dropped: set[int] = set(range(SLOT_LEGAL + image.legal_words)) - {SLOT_PC, SLOT_SEAT, SLOT_PROMPT}
    for variable, slot in image.variables.items():
        if variable not in read.variables and not variable.match and variable.name not in KEPT and " " not in variable.name:
            count = {"": 1, "seat": game.players, "side": len(program.sides)}[variable.per]
            if not (variable.name == "tricks" and value == "tricks"):
                dropped |= set(range(slot, slot + count * (image.words if variable.type.kind == "cards" else 1)))
    counted: list[tuple[int, int]] = []
    for pile, slot in image.piles.items():
        if pile.name in ("hand", "trick", "deck") or pile.ordered:
            continue
        stride, seats = image.pile_strides[pile], game.players if pile.per_seat else 1
        worth_only = pile in read.counted or (pile.name == "won" and value == "points")
        if pile in read.piles:
            continue
        dropped |= set(range(slot, slot + stride * seats))
        if worth_only and pile.per_seat and read.counted_by_side and value != "points":
            for side in program.sides:
                counted += [(slot + stride * seat, int(seat == max(side))) for seat in sorted(side)]
        elif worth_only:
            counted += [(slot + stride * seat, 1) for seat in range(seats)]
    dropped |= set(range(image.known, image.known + game.players * image.words))
    dropped |= set(range(image.gains, image.gains + game.players))
    return [slot for slot in range(image.n_state) if slot not in dropped], counted


def _list(count: int) -> list[int]:
    return [0] * count


def _array(values: Sequence[int]) -> Any:
    import numpy as np

    return np.array(values, dtype=np.int64)


def _zeros(count: int) -> Any:
    import numpy as np

    return np.zeros(count, dtype=np.int64)
