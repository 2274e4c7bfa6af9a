"""All speeds that Spadille promises, measured in one run and written to `bench/README.md`: `python -m bench`.

Rates are of processor time, one core, the median of five; a noisy machine slows all of them together, so the
ratios are what counts. Nothing here is a test: a test that times itself fails on somebody's busy machine.
"""

from __future__ import annotations

import os
import platform
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from statistics import median

import spadille
from bench.texts import page
from interpreter import playout, rng
from interpreter.opcodes import LOG_START, SLOT_RNG
from interpreter.simulation import simulate

HERE = Path(__file__).parent
RUNS = 5
GAMES = ("hearts", "tresillo", "tressette-accusa", "tressette")


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the table."""

    what: str
    measured: str
    wanted: str


def rate(play: Callable[[int], int]) -> float:
    """Decisions per second of processor time: `play(run)` gives the decisions of a run."""
    rates = []
    for run in range(RUNS):
        start = time.process_time()
        decisions = play(run)
        rates.append(decisions / (time.process_time() - start))
    return median(rates)


def openspiel(games: int = 2_000) -> float:
    """Decisions per second of OpenSpiel's C++ hearts played by its C++ random bots, passing counted as decisions."""
    import pyspiel

    game = pyspiel.load_game("hearts")
    bots = [pyspiel.make_uniform_random_bot(seat, seat + 1) for seat in range(4)]
    decisions = 0
    for run in range(200):
        state = game.new_initial_state()
        pyspiel.evaluate_bots(state, bots, run)
        decisions += sum(1 for each in state.full_history() if each.player >= 0)
    each_game = decisions / 200

    def play(run: int) -> int:
        for number in range(games):
            pyspiel.evaluate_bots(game.new_initial_state(), bots, run * games + number)
        return round(games * each_game)

    return rate(play)


def compiled(name: str, deals: int = 40_000) -> float:
    """Decisions per second of random play, compiled, on one core."""
    game = spadille.load(name)
    simulate(game, 100, workers=1)
    return rate(lambda run: simulate(game, deals, seed=run, workers=1).decisions)


def interpreted(name: str, deals: int = 300) -> float:
    """Decisions per second of random play in plain Python."""
    game = spadille.load(name)
    image = game.image

    def play(run: int) -> int:
        memory, log, player = list(image.mem), [LOG_START, 0], [0, 0]
        rng.sow(player, 0, run)
        rng.sow(memory, SLOT_RNG, run)
        decisions = 0
        for _ in range(deals):
            decisions += playout.play_deal(image.code, image.tab, memory, log, image.legal_words, player)
        return decisions

    return rate(play)


def timed(code: list[str], stdin: str = "", **environment: str) -> tuple[float, float]:
    """Wall and processor seconds of a command, the least of three; with one environment setting only once."""
    best = (9e9, 9e9)
    for _ in range(1 if environment else 3):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        start = time.perf_counter()
        subprocess.run([sys.executable, *code], input=stdin, capture_output=True, text=True, check=True, env={**os.environ, **environment})
        wall = time.perf_counter() - start
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        best = min(best, (wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime))
    return best


def peak_memory(deals: int) -> int:
    """Peak resident megabytes of a simulation in a process of its own."""
    script = (
        f"import resource, spadille; spadille.load('tresillo').simulate({deals}, workers=1);"
        "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024)"
    )
    return int(subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout.split()[-1])


def foreign_modules() -> str:
    """Which of numba and numpy a check imports."""
    script = (
        "import sys\nfrom click.testing import CliRunner\nfrom spadille.cli import main\nCliRunner().invoke(main, ['check', 'tresillo'])\n"
        "print(', '.join(name for name in ('numba', 'numpy') if name in sys.modules) or 'neither')"
    )
    return subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout.strip()


def rows() -> list[Row]:
    """Everything, measured now; interpreted play comes first, before numba is imported."""
    plain = interpreted("hearts")
    clean = "numba" not in sys.modules
    base = openspiel()
    found = [Row("Hearts in OpenSpiel (C++, `evaluate_bots`, random C++ bots)", f"{base / 1e6:.2f} M decisions/s", "the base")]
    for name in GAMES:
        speed = compiled(name)
        found.append(Row(f"{name}, compiled", f"{speed / 1e6:.2f} M decisions/s, {speed / base:.1f}x", "4x"))
    found.append(Row(f"hearts, interpreted, numba {'not ' if clean else ''}imported", f"{plain:,.0f} decisions/s", "25,000"))
    check, play = (timed(["-m", "spadille", command, "tresillo"]) for command in ("check", "play"))
    both = "{:.2f} s ({:.2f} s of processor)"
    found.append(Row(f"`spadille check tresillo` (imports {foreign_modules()} of numba and numpy)", both.format(*check), "0.6 s"))
    found.append(Row("`spadille play tresillo` to the first prompt and the end of input", both.format(*play), "1 s"))
    first = ["-m", "spadille", "simulate", "tresillo", "--deals", "1"]
    with tempfile.TemporaryDirectory() as folder:
        wall, _ = timed(first, SPADILLE_CACHE=folder)
        found.append(Row("first compiled run on a fresh machine", f"{wall:.1f} s", "30 s"))
    wall, _ = timed(first)
    found.append(Row("later runs to the first simulated deal", f"{wall:.2f} s", "2 s"))
    small, large = peak_memory(10_000), peak_memory(100_000)
    found.append(Row("peak memory of 10,000 and of 100,000 deals", f"{small} MB, {large} MB", "400 MB"))
    return found


def machine() -> str:
    """What this was measured on."""
    model = next((line.split(":")[1].strip() for line in Path("/proc/cpuinfo").read_text().splitlines() if "model name" in line), "")
    return f"{model or platform.processor()}, {os.cpu_count()} cores, Python {platform.python_version()}"


if __name__ == "__main__":
    measured = rows()
    (HERE / "README.md").write_text(page(machine(), [(row.what, row.measured, row.wanted) for row in measured]), encoding="utf-8")
    for row in measured:
        print(f"{row.what}: {row.measured} (wanted: {row.wanted})")
