"""The kernel against a naive model, interpreted against compiled, the random numbers, a game by hand."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from random import Random
from typing import Any

import kernel_model
import numpy as np
import pytest
from hypothesis import given, reject, settings
from hypothesis import strategies as st
from kernel_toy import Assembler, Toy, hearts

from interpreter import bits, compiled, kernel, opcodes, playout, rng
from interpreter import opcodes as op
from interpreter.opcodes import OPERATIONS, WIDTH

ROOT = Path(__file__).resolve().parent.parent
BIG = 1 << 60


def vector(values: Any) -> Any:
    return np.array(values, dtype=np.int64)


# -- every operation, in random programs ---------------------------------------------------------------------

SEATS = 3
EDGES = [-1, 0, 62, 63, 64, 125, 126, 127, 1 << 31, -(1 << 31), (1 << 31) - 1, (1 << 62) - 1]
STRAIGHT = [number for number in OPERATIONS if number not in (op.STOP, op.ASK)]


def number(random: Random) -> int:
    """Draw a small number, one at an edge, or any."""
    some = [random.randint(-3, 5), random.choice(EDGES), random.randint(-(1 << 62) + 1, (1 << 62) - 1)]
    return some[min(random.randrange(5), 2) if random.random() < 0.5 else 0]


class Layout:
    """A memory that holds something of every kind, for W words and n cards."""

    def __init__(self, words: int, cards: int) -> None:
        a = Assembler()
        self.words, self.cards = words, cards
        self.numbers = a.slot(6)
        self.money = a.slot(3)
        self.seats = a.slot(1)
        self.index = a.slot(3)  # 0..2
        self.card = a.slot(3)  # -1 or a card
        self.led = a.slot(3)  # a card
        self.sets = a.slot(3 * words + 3)
        self.known = a.slot(SEATS * words)
        self.set_piles = [a.slot(words) for _ in range(2)]
        self.row_piles = [a.slot(words + 1 + cards) for _ in range(2)]
        a.slot(4)  # so that a card set may be read as three words
        self.addresses = {at: a.const(at) for at in (*self.set_piles, *self.row_piles)}
        self.money_addresses = [a.const(self.money + k) for k in range(3)]
        self.ranking = a.const(7)
        self.a = a


def program(words: int, cards: int, operations: list[int], seed: int) -> tuple[list[int], list[int], list[int]]:
    """Make code, table and memory; every jump goes forward."""
    random = Random(seed)
    lay = Layout(words, cards)
    a = lay.a
    mem = a.init
    machine = kernel_model.Machine(mem, [], [])
    for k in range(6):
        mem[lay.numbers + k] = number(random)
    for k in range(3):
        mem[lay.money + k] = random.randint(-100, 100)
        mem[lay.index + k] = random.randint(0, 2)
        mem[lay.card + k] = random.randint(-1, cards - 1)
        mem[lay.led + k] = random.randint(0, cards - 1)
        machine.put_set(lay.sets + k * words, words, {c for c in range(cards) if random.random() < 0.5})
    mem[lay.seats] = random.randrange(1 << SEATS)
    mem[1] = random.randint(-1, SEATS - 1)
    mem[4], mem[5] = rng.seed(random.getrandbits(63))
    for k in range(SEATS * words):
        mem[lay.known + k] = random.getrandbits(63)
    piles: list[list[int]] = [[], [], [], [], []]
    everything = list(range(cards))
    random.shuffle(everything)
    for card in everything:
        piles[random.randrange(5)].append(card)
    for at, held in zip(lay.set_piles, piles, strict=False):
        machine.put_pile(at, words, 0, held)
    for at, held in zip(lay.row_piles, piles[2:], strict=False):
        machine.put_pile(at, words, 1, held)
    a.table([random.randrange(-1, 20) for _ in range(7 + cards * cards + 200)])

    def pick(kind: str, name: str) -> int:
        if kind in ("base", "s") and name in ("LDX", "STX", "ADX"):
            return lay.numbers if name == "LDX" else random.choice([lay.numbers, lay.money])
        if kind == "d":
            return lay.sets if name == "CSET" else lay.numbers + random.randint(0, 5)
        if kind == "i":
            if name in ("LOOP",):
                return lay.numbers
            if name in ("MOVE1", "HAS", "HASP", "CSET", "BIT", "NEXT"):
                return lay.card + random.randint(0, 2)
            return lay.index + random.randint(0, 2)
        if kind == "j":
            return lay.led + random.randint(0, 2)
        if kind == "n":
            return lay.index + random.randint(0, 2)
        if kind in ("a", "b"):
            if name in ("PAY", "GAIN"):
                return lay.numbers + random.randint(0, 5)
            places = [lay.numbers + random.randint(0, 5), lay.index, lay.card, lay.sets]
            if name in ("MUL", "MOD", "FDIV", "ADD", "SUB", "ADX", "RANDOM", "NEG"):
                del places[3]
            return random.choice(places)
        if kind == "m":
            return lay.seats if name != "ADDM" else lay.index + random.randint(0, 2)
        if kind in ("x", "y", "z"):
            return lay.card + random.randint(0, 2)
        if kind == "s":
            return lay.sets + words * random.randint(0, 2)
        if kind == "base":
            return lay.known
        simple = {"W": words, "r": lay.ranking, "row": 3, "count": cards, "k": 0, "kind": 9, "prompt": 4}
        simple |= {"status": 3, "stride": cards}
        return simple[kind]

    size = len(operations)
    for line, operation in enumerate(operations):
        name, operands = OPERATIONS[operation]
        kinds = words << 2
        values: list[int] = []
        source = target = -1
        if "kinds" in operands.split() or name == "HASP":
            source, target = random.sample([*lay.set_piles, *lay.row_piles], 2)
            if name == "SHUFFLE":
                source = random.choice(lay.row_piles)
            if name == "FILL":
                kinds |= 2 if source in lay.row_piles else 0
            else:
                kinds |= (source in lay.row_piles) + 2 * (target in lay.row_piles)
        for kind in operands.split():
            if kind == "t":
                values.append(WIDTH * random.randint(line + 1, size))
            elif kind == "kinds":
                values.append(kinds)
            elif kind == "allowed":
                values.append(random.choice([-1, lay.sets]))
            elif kind in ("p", "q") and name in ("PAY", "GAIN"):
                values.append(random.choice(lay.money_addresses))
            elif kind in ("p", "q") and name == "WIN":
                values.append(lay.addresses[random.choice(lay.row_piles)])
            elif name == "STP" and kind == "p":
                values.append(random.choice(lay.money_addresses))
            elif kind == "p":
                at = source if source >= 0 else random.choice(lay.set_piles)
                values.append(lay.addresses[at])
            elif kind == "q":
                values.append(lay.addresses[target])
            else:
                values.append(pick(kind, name))
        a.emit(operation, *values)
    a.emit(*random.choice([(op.STOP, 3), (op.ASK, lay.index, 5)]))
    return a.code, a.tab, mem


@settings(max_examples=600, deadline=None)
@given(
    st.sampled_from([(1, 8), (1, 63), (2, 70), (3, 128)]),
    st.lists(st.sampled_from(STRAIGHT), min_size=1, max_size=12),
    st.integers(0, 1 << 32),
    st.booleans(),
)
def test_random_programs(shape: tuple[int, int], operations: list[int], seed: int, logging: bool) -> None:
    code, tab, mem = program(*shape, operations, seed)
    expected = list(mem)
    try:
        log = kernel_model.run(code, tab, expected)
    except kernel_model.Twice:
        reject()
    room = 5000 if logging else 2
    plain, plain_log = list(mem), [2, room if logging else 0, *[0] * (room - 2)]
    status = kernel.run(code, tab, plain, plain_log)
    assert plain == expected, opcodes.listing(code)
    assert status == plain[opcodes.SLOT_STATUS]
    fast, fast_log = vector(mem), vector([2, room if logging else 0, *[0] * (room - 2)])
    assert compiled.run()(vector(code), vector(tab), fast, fast_log) == status
    assert fast.tolist() == expected, opcodes.listing(code)
    assert fast_log.tolist() == plain_log
    if logging:
        flat = [x for entry in log for x in entry]
        assert plain_log[2 : plain_log[0]] == flat


def test_table_of_operations() -> None:
    assert sorted(OPERATIONS) == list(range(len(OPERATIONS)))
    for number, (name, operands) in OPERATIONS.items():
        assert getattr(opcodes, name) == number
        assert len(operands.split()) < WIDTH


# -- faults, chance, fuel -------------------------------------------------------------------------------------


def both(code: list[int], mem: list[int], log: list[int] | None = None) -> tuple[int, list[int]]:
    """Run both ways, demand the same, give status and memory."""
    slow = list(mem)
    status = kernel.run(code, [0], slow, list(log or [2, 0]))
    fast = vector(mem)
    assert compiled.run()(vector(code), vector([0]), fast, vector(log or [2, 0])) == status
    assert fast.tolist() == slow
    return status, slow


def test_endless_loop_is_a_fault() -> None:
    a = Assembler()
    a.emit(op.MOV, a.slot(), a.const(1))
    a.label("here")
    a.emit(op.JMP, "here")
    a.finish()
    status, mem = both(a.code, a.init)
    assert (status, mem[0]) == (opcodes.FAULT, WIDTH)


@pytest.mark.parametrize("number", [op.JZ, op.JNZ, op.JEQ, op.JNE, op.JLT, op.JGE, op.ANDJ, op.LOOP])
def test_every_jump_uses_fuel(number: int) -> None:
    a = Assembler()
    zero, one, low, d = a.slot(), a.slot(1, 1), a.slot(1, -(1 << 40)), a.slot()
    operands: dict[int, list[int | str]] = {
        op.JZ: [zero, "here"],
        op.JNZ: [one, "here"],
        op.JEQ: [one, one, "here"],
        op.JNE: [zero, one, "here"],
        op.JLT: [zero, one, "here"],
        op.JGE: [one, zero, "here"],
        op.ANDJ: [d, one, one, "here"],
        op.LOOP: [low, one, "here"],
    }
    a.label("here")
    a.emit(number, *operands[number])
    a.emit(op.STOP, opcodes.MATCH_OVER)
    a.finish()
    assert both(a.code, a.init)[0] == opcodes.FAULT


@pytest.mark.parametrize(
    ("number", "x", "y"),
    [(op.ADD, (1 << 62) - 1, 1), (op.SUB, -(1 << 62) + 1, 1), (op.MUL, 1 << 31, 1), (op.MUL, 2, -(1 << 31))],
)
def test_numbers_out_of_range_are_faults(number: int, x: int, y: int) -> None:
    a = Assembler()
    d, left, right = a.slot(), a.slot(1, x), a.slot(1, y)
    a.emit(number, d, left, right)
    a.emit(op.STOP, opcodes.DEAL_OVER)
    status, mem = both(a.code, a.init)
    assert (status, mem[0], mem[d]) == (opcodes.FAULT, 0, 0)


def test_shuffle_without_a_seed_is_chance() -> None:
    a = Assembler()
    pile = a.slot(7)
    a.emit(op.FILL, a.const(pile), 5, 1 << 2 | 2, -1)
    a.emit(op.SHUFFLE, a.const(pile), 1 << 2)
    a.emit(op.STOP, opcodes.DEAL_OVER)
    status, mem = both(a.code, a.init)
    assert (status, mem[0]) == (opcodes.CHANCE, 2 * WIDTH)
    assert mem[pile : pile + 7] == [31, 5, 0, 1, 2, 3, 4]
    assert both(a.code, mem)[0] == opcodes.DEAL_OVER
    assert playout.play_deal(a.code, [0], mem, [2, 0], 1, [1, 2]) == 0  # a driver has dealt
    mem = list(a.init)
    playout.play_deal(a.code, [0], mem, [2, 0], 1, [1, 2])
    assert mem[opcodes.SLOT_STATUS] == opcodes.DEAL_OVER
    assert sorted(mem[pile + 2 : pile + 7]) == [0, 1, 2, 3, 4]
    assert (mem[4], mem[5]) != (0, 0)


def test_no_legal_action_is_stuck() -> None:
    a = Assembler()
    a.emit(op.ASK, a.const(0), 1)
    mem = list(a.init)
    assert playout.play_deal(a.code, [0], mem, [2, 0], 1, [1, 2]) == 0
    assert mem[opcodes.SLOT_STATUS] == opcodes.STUCK
    fast = vector(a.init)
    assert compiled.play_deal()(vector(a.code), vector([0]), fast, vector([2, 0]), 1, vector([1, 2])) == 0
    assert fast.tolist() == mem


def test_full_log_drops_entries() -> None:
    a = Assembler()
    for _ in range(3):
        a.emit(op.LOG, 7, a.const(1), a.const(2), a.const(3))
    a.emit(op.STOP, opcodes.DEAL_OVER)
    log = [2, 12, *[0] * 10]
    kernel.run(a.code, [], list(a.init), log)
    assert log == [12, 12, 7, 1, 2, 3, 0, 7, 1, 2, 3, 0]


# -- random numbers and bits ----------------------------------------------------------------------------------


def test_generator_is_xoroshiro64_star_star() -> None:
    state = [1, 2]
    drawn = [rng.draw(state, 0) for _ in range(10)]
    assert drawn == [
        3802928447, 813792938, 1618621494, 2955957307, 3252880261,
        1129983909, 2539651700, 1327610908, 1757650787, 2763843748,
    ]  # fmt: skip


def test_seeds_differ() -> None:
    seeds = {rng.seed(k) for k in range(-20_000, 20_000)} | {rng.seed(k << 32) for k in range(1, 20_000)}
    assert len(seeds) == 59_999
    assert (0, 0) not in seeds


@pytest.mark.parametrize("n", [3 << 29, (1 << 31) - 1, (1 << 30) + 1])
def test_below_rejects_what_would_be_uneven(n: int) -> None:
    a = Assembler()
    drawn, bound = a.slot(200), a.slot(1, n)
    for k in range(200):
        a.emit(op.RANDOM, drawn + k, bound)
    a.emit(op.STOP, opcodes.DEAL_OVER)
    mem = list(a.init)
    mem[4], mem[5] = rng.seed(n)
    expected = list(mem)
    kernel_model.run(a.code, [], expected)
    assert both(a.code, mem)[1] == expected


def test_below_is_uniform() -> None:
    state = list(rng.seed(5))
    for n in (2, 3, 7, 52):
        counts = [0] * n
        for _ in range(400 * n):
            counts[rng.below(state, 0, n)] += 1
        chi = sum((c - 400) ** 2 / 400 for c in counts)
        assert chi < n - 1 + 5 * (2 * n) ** 0.5


@given(st.integers(0, (1 << 63) - 1))
def test_bits(x: int) -> None:
    ones = [k for k in range(63) if x >> k & 1]
    assert bits.popcount(x) == len(ones)
    assert bits.lowest(x) == (ones[0] if ones else -1)
    for n, place in enumerate(ones):
        assert bits.nth(x, n) == place


@given(st.lists(st.integers(0, (1 << 63) - 1), min_size=1, max_size=3), st.integers(0, 1 << 62))
def test_choice_is_legal(legal: list[int], number: int) -> None:
    mem = [0] * opcodes.SLOT_LEGAL + legal
    action = playout.choose(mem, len(legal), list(rng.seed(number)))
    if any(legal):
        assert legal[action // 63] >> action % 63 & 1
    else:
        assert action == -1


def test_choice_is_uniform() -> None:
    mem = [0] * opcodes.SLOT_LEGAL + [1 << 62 | 1 << 5, 0, 1 << 3]
    state = list(rng.seed(9))
    counts = {5: 0, 62: 0, 129: 0}
    for _ in range(3000):
        counts[playout.choose(mem, 3, state)] += 1
    assert all(900 < count < 1100 for count in counts.values())


# -- a game by hand -------------------------------------------------------------------------------------------

TOYS = {"one word": (4, 13, 4), "two words": (4, 20, 4), "three words": (4, 32, 8)}


def cards_in_piles(toy: Toy, mem: list[int]) -> list[int]:
    machine = kernel_model.Machine(mem, [], [])
    cards: list[int] = []
    for at, row in toy.piles:
        held = machine.get_pile(at, toy.words, int(row))
        assert set(held) == machine.get_set(at, toy.words)
        cards += held
    return sorted(cards)


def given_vectors(toy: Toy, deals: int, seed: int, make: Any, floats: Any) -> list[Any]:
    seats = len(toy.payoffs)
    return [
        *(make(v) for v in (toy.code, toy.tab, toy.init, toy.init, [2, 0])),
        toy.n_state,
        toy.wa,
        deals,
        make(list(rng.seed(seed))),
        make(toy.payoffs),
        make(toy.payoffs[:1]),
        -1,
        toy.moon,
        seats,
        make([0] * playout.COUNTS),
        make([0] * seats),
        floats([0.0] * seats),
        make([BIG] * seats),
        make([-BIG] * seats),
        make([0] * (seats + 1)),
    ]


def plain(values: list[Any]) -> list[Any]:
    return [v.tolist() if hasattr(v, "tolist") else v for v in values]


@pytest.mark.parametrize("shape", TOYS.values(), ids=TOYS)
@pytest.mark.parametrize("seed", [1, 2])
def test_simulation_runs_alike(shape: tuple[int, int, int], seed: int) -> None:
    toy = hearts(*shape, deals=5)
    slow = given_vectors(toy, 30, seed, list, list)
    fast = given_vectors(toy, 30, seed, vector, np.array)
    assert playout.simulate(*slow) == opcodes.DEAL_OVER
    assert compiled.simulate()(*fast) == opcodes.DEAL_OVER
    assert plain(fast) == slow
    counts = slow[14]
    assert counts[playout.DEALS] == 30
    assert counts[playout.MATCHES] == 5
    assert counts[playout.DECISIONS] == 30 * shape[0] * shape[1]
    assert sum(slow[15]) == 30 * (2 * shape[1]) * (shape[2] - 1)
    assert sum(slow[19]) == 30


def test_simulation_goes_on() -> None:
    toy = hearts()
    whole = given_vectors(toy, 40, 3, list, list)
    parts = given_vectors(toy, 10, 3, list, list)
    playout.simulate(*whole)
    for _ in range(4):
        playout.simulate(*parts)
    assert whole[:7] + whole[8:] == parts[:7] + parts[8:]


@pytest.mark.parametrize("shape", TOYS.values(), ids=TOYS)
def test_game_step_by_step(shape: tuple[int, int, int]) -> None:
    toy = hearts(*shape, deals=2)
    mem, log = list(toy.init), [2, 20_000, *[0] * 20_000]
    mem[4], mem[5] = rng.seed(11)
    fast, fast_log = vector(mem), vector(log)
    code, tab = vector(toy.code), vector(toy.tab)
    player = list(rng.seed(12))
    status = -1
    while status != opcodes.MATCH_OVER:
        status = kernel.run(toy.code, toy.tab, mem, log)
        assert compiled.run()(code, tab, fast, fast_log) == status
        assert fast.tolist() == mem
        assert cards_in_piles(toy, mem) == list(range(shape[0] * shape[1]))
        if status == opcodes.DECISION:
            fast[opcodes.SLOT_ACTION] = mem[opcodes.SLOT_ACTION] = playout.choose(mem, toy.wa, player)
    assert fast_log.tolist() == log
    moves = [log[k : k + 5] for k in range(2, log[0], 5)]
    # every card is dealt, played and won once in each of two deals
    assert len(moves) == 3 * 2 * shape[0] * shape[1]
    assert {entry[0] for entry in moves} == {opcodes.LOG_MOVE}


# -- the way it is loaded -------------------------------------------------------------------------------------


def python(text: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", text],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "PYTHONPATH": str(ROOT), **environment},
    )


def test_python_needs_no_numba() -> None:
    text = "import sys, interpreter.playout, interpreter.compiled; print({'numba', 'numpy'} & set(sys.modules))"
    assert python(text).stdout == "set()\n"


def test_machine_code_is_cached_across_processes(tmp_path: Path) -> None:
    text = "from interpreter import compiled; print(sum(compiled.run().stats.cache_hits.values()))"
    first = python(text, SPADILLE_CACHE=str(tmp_path))
    second = python(text, SPADILLE_CACHE=str(tmp_path))
    assert "compiling the engine" in first.stderr
    assert second.stderr == ""
    assert (first.stdout, second.stdout) == ("0\n", "1\n")


def test_cache_folder_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    text = "from interpreter import compiled; print(compiled.can_write(compiled.cache_folder()))"
    assert python(text, SPADILLE_CACHE=str(tmp_path / "file")).stdout == "False\n"
