"""How long the first answer takes from the shell, and how much memory a simulation wants."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

from bench.row import Row, at_most, megabytes, seconds

ROOT = Path(__file__).resolve().parent.parent
SPADILLE = [sys.executable, "-m", "spadille"]
ROUNDS = 5
PATIENCE = 120  # seconds


def wall(arguments: list[str], cache: str | None = None) -> tuple[float, str]:
    """Wall time of a command, and what it said on the error channel."""
    env = os.environ | ({} if cache is None else {"SPADILLE_CACHE": cache})
    began = time.perf_counter()
    done = subprocess.run([*SPADILLE, *arguments], cwd=ROOT, env=env, capture_output=True, text=True, check=True)
    return time.perf_counter() - began, done.stderr


def imported_by(arguments: list[str]) -> list[str]:
    """Which of numba and numpy a command imports."""
    command = [sys.executable, "-X", "importtime", "-m", "spadille", *arguments]
    lines = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stderr.splitlines()
    names = {line.rpartition("|")[2].strip() for line in lines}
    return sorted({"numba", "numpy"} & names)


def first_prompt() -> float:
    """Wall time until `play` asks for the first time, on a terminal."""
    began = time.perf_counter()
    child, terminal = pty.fork()
    if child == 0:
        os.chdir(ROOT)
        os.execv(sys.executable, [*SPADILLE, "play", "tresillo", "--seed", "7"])
    text = b""
    try:
        while b"> " not in text and time.perf_counter() - began < PATIENCE:
            text += os.read(terminal, 4096)
        return time.perf_counter() - began
    finally:
        os.close(terminal)  # the child reads the end of its input, or is hung up on
        os.waitpid(child, 0)


def peak(deals: int) -> float:
    """Greatest resident memory of a simulation, in MB."""
    process = subprocess.Popen([*SPADILLE, "simulate", "tresillo", "--deals", str(deals)], cwd=ROOT, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0
    return usage.ru_maxrss / (1024 if sys.platform != "darwin" else 1024**2)


def typed() -> tuple[float, str]:
    """Processor time until the language server has checked a key pressed in the ruleset where that takes longest, and which that is."""
    from spadille.loading import FOLDER, ruleset_ids
    from spadille.lsp import answers
    from spadille.lsp.workspace import Workspace

    found = []
    for id in ruleset_ids():
        path, workspace, spent = FOLDER / f"{id}.yaml", Workspace(), []
        text = path.read_text(encoding="utf-8")
        for number in range(ROUNDS + 1):
            began = time.process_time()
            answers.diagnostics(workspace, workspace.put(path.as_uri(), f"{text}# {number}\n"))
            spent.append(time.process_time() - began)
        found.append((median(spent[1:]), id))
    return max(found)


def measure() -> list[Row]:
    """All of it; one command of each kind is run first to fill the disk's cache."""
    rows = []
    check = ["check", "tresillo"]
    wall(check)
    imported = imported_by(check)
    rows.append(at_most("`spadille check tresillo`", median(wall(check)[0] for _ in range(ROUNDS)), 0.6, seconds))
    rows.append(Row("`spadille check` imports of numba and numpy", ", ".join(imported) or "none", "none", not imported))
    rows.append(at_most("`spadille play tresillo`, first prompt", median(first_prompt() for _ in range(ROUNDS)), 1, seconds))
    slowest, which = typed()
    rows.append(at_most(f"a key pressed in the editor, in {which}, the slowest ruleset to check", slowest, 0.2, seconds))
    with tempfile.TemporaryDirectory() as cache:
        one = ["simulate", "hearts", "--deals", "1"]
        cold, said = wall(one, cache)
        rows.append(at_most("first compiled run in an empty cache", cold, 30, seconds))
        rows.append(Row("… says what takes long", said.strip().partition("\n")[0] or "nothing", "a line", "compil" in said))
        warm = median(wall(one, cache)[0] for _ in range(ROUNDS))
        rows.append(at_most("later runs, to the first simulated deal", warm, 2, seconds))
    small, large = peak(10_000), peak(100_000)
    rows.append(at_most("peak memory of 100,000 deals", large, 400, megabytes))
    rows.append(at_most("… more than for 10,000 deals", large - small, 10, megabytes))
    return rows
