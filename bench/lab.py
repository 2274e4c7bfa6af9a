"""The laboratory's speed: a million deals at random on one core and on all, and deals by bots in one process and in two."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from pathlib import Path
from statistics import median
from tempfile import TemporaryFile

from bench.row import Row, at_least, at_most, megabytes, seconds

ROOT = Path(__file__).resolve().parent.parent
MILLION = 1_000_000
ROUNDS = 3
SCALING = 1.8  # on two cores, wanted
FLAT = 10  # MB that ten times the deals may take more
BY_BOTS = 200  # deals timed, after as many as the processes need to get going
START = 40


def million(deals: int, workers: int) -> tuple[float, float, float]:
    """Random deals of Tresillo by the command: seconds of play, of the whole command, and greatest resident memory in MB."""
    command = [sys.executable, "-m", "spadille", "simulate", "tresillo", "--deals", str(deals), "--workers", str(workers)]
    with TemporaryFile() as out:
        began = time.perf_counter()
        process = subprocess.Popen(command, cwd=ROOT, stdout=out)
        _, status, usage = os.wait4(process.pid, 0)
        whole = time.perf_counter() - began
        process.returncode = os.waitstatus_to_exitcode(status)
        assert process.returncode == 0
        out.seek(0)
        said = re.search(r"([\d,]+) deals .* in ([\d.]+) s:", out.read().decode())
    assert said is not None and int(said[1].replace(",", "")) == deals
    return float(said[2]), whole, usage.ru_maxrss / (1024 if sys.platform != "darwin" else 1024**2)


def by_bots(workers: int) -> float:
    """Deals of Tresillo a second by greedy bots, a row for each, once all processes are at work."""
    from spadille.lab import here, processes, rows
    from spadille.lab.experiment import experiment

    one = experiment("tresillo", bots=("greedy",), seed=workers)
    began, start = 0.0, START * workers
    for chunk in rows(one, start + BY_BOTS * workers, here if workers == 1 else processes(workers)):
        if chunk[-1]["board"] < start:
            began = time.perf_counter()
    return BY_BOTS * workers / (time.perf_counter() - began)


def twice(value: float) -> str:
    """A ratio finely enough to be held against the one wanted."""
    return f"{value:.2f}x"


def measure() -> list[Row]:
    """All rows, medians of rounds in which one core and two take turns."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    million(2_000, 1)  # compiles the engine if need be
    runs = [(million(MILLION, 1), million(MILLION, 2)) for _ in range(ROUNDS)]
    one, two = (median(run[k][0] for run in runs) for k in (0, 1))
    small, large = million(MILLION // 10, 2)[2], median(run[1][2] for run in runs)
    found = [
        Row("1,000,000 deals of Tresillo at random, one core", f"{MILLION / one / 1e3:.0f} k deals/s"),
        Row("… two cores", f"{MILLION / two / 1e3:.0f} k deals/s"),
        Row("… the whole command, start included, two cores", seconds(median(run[1][1] for run in runs))),
    ]
    ratios = sorted(a[0] / b[0] for a, b in runs)
    what = f"… two cores against one in the same round, {ratios[0]:.2f}x to {ratios[-1]:.2f}x"
    # On fewer cores nothing can be asked.
    ratio = at_least(what, median(ratios), SCALING, twice) if cores > 1 else Row(what, twice(median(ratios)))
    found += [
        ratio,
        Row("… peak memory, two cores", megabytes(large)),
        at_most("… more than for 100,000 deals", large - small, FLAT, megabytes),
    ]
    pairs = [(by_bots(1), by_bots(2)) for _ in range(ROUNDS)]
    alone, both = (median(pair[k] for pair in pairs) for k in (0, 1))
    found += [
        Row("deals of Tresillo by greedy bots, a row for each, one process", f"{alone:.0f} deals/s"),
        Row("… two processes", f"{both:.0f} deals/s"),
        Row("… two against one", twice(median(b / a for a, b in pairs))),
    ]
    return found
