"""All measurements in one run: `python -m bench`. Writes the table in `bench/README.md`.

python -m bench [--no-write] [--only speed|start|solver|lab|dds]   the table
python -m bench --twins 1000 [RULESET ...]              compiled and interpreted compared state for state
python -m bench --strength 100 [RULESET ...]            bots against each other, by duplicate deals
"""

from __future__ import annotations

import argparse
import os
import platform
import sys
import time
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from bench import lab, proofs, solver, speed, start, strength
from bench.row import Row

HERE = Path(__file__).resolve().parent
BEGIN, END = "<!-- measured -->", "<!-- end -->"
PARTS = {"speed": speed.measure, "start": start.measure, "solver": solver.measure, "lab": lab.measure}
LONG = {"dds": solver.dds}  # on request only


def table(rows: list[Row]) -> str:
    """The rows in Markdown."""
    lines = ["| measured | value | wanted | met |", "|---|---:|---:|---|"]
    return "\n".join(lines + [f"| {row.what} | {row.found} | {row.wanted} | {row.mark} |" for row in rows])


def machine() -> str:
    """What was measured on, in one line."""
    info = Path("/proc/cpuinfo")
    lines = info.read_text().splitlines() if info.exists() else []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    packages = []
    for name in ("numba", "open_spiel"):
        try:
            packages.append(f"{name} {version(name)}")
        except PackageNotFoundError:
            packages.append(f"no {name}")
    cpu = names[0] if names else platform.processor() or platform.machine()
    return f"{cpu}, {os.cpu_count()} cores, Python {platform.python_version()}, {', '.join(packages)}; {time.strftime('%Y-%m-%d')}."


def write(rows: list[Row]) -> None:
    """Puts the table between the marks in the README."""
    path = HERE / "README.md"
    text = path.read_text()
    before, _, rest = text.partition(BEGIN)
    after = rest.partition(END)[2]
    path.write_text(f"{before}{BEGIN}\n{machine()}\n\n{table(rows)}\n{END}{after}")


def twins(matches: int, rulesets: list[str]) -> None:
    """Compares the two ways of running on random matches of each ruleset, with every set of options the tests use."""
    sys.path.insert(0, str(HERE.parent / "tests"))
    from play import RULESETS, option_sets, variant  # type: ignore[import-not-found, unused-ignore]
    from twins import Twins  # type: ignore[import-not-found, unused-ignore]

    for ruleset in rulesets or RULESETS:
        sets = len(option_sets(ruleset))
        decisions = 0
        for number in range(sets):
            pair = Twins(variant(ruleset, number))
            for seed in range(number, matches, sets):
                pair.match(seed)
            decisions += pair.decisions
        print(f"{ruleset:24s} {matches:6d} matches, {decisions:9d} decisions: every state equal", flush=True)


def main() -> None:
    """Reads the arguments and measures; gives 1 to the shell when something is not met."""
    parser = argparse.ArgumentParser(prog="python -m bench", description="Measures the engine.")
    parser.add_argument("--only", choices=[*PARTS, *LONG], help="one part only; nothing is written")
    parser.add_argument("--no-write", action="store_true", help="leaves bench/README.md as it is")
    parser.add_argument("--twins", type=int, metavar="MATCHES", help="compares compiled and interpreted runs instead")
    parser.add_argument("--proofs", action="store_true", help="proves every ruleset under every preset and option value instead")
    parser.add_argument("--strength", type=int, metavar="DEALS", help="plays the bots against each other instead")
    parser.add_argument("rulesets", nargs="*", help="with --twins, --proofs and --strength: which rulesets")
    given = parser.parse_args()
    if given.proofs:
        sys.exit(not proofs.prove(given.rulesets))
    if given.strength:
        sys.exit(not strength.measure(given.strength, given.rulesets))
    if given.twins:
        twins(given.twins, given.rulesets)
        return
    rows: list[Row] = []
    for name, measure in (PARTS | LONG).items():
        if given.only == name or (given.only is None and name in PARTS):
            rows += measure()
    print(table(rows))
    if given.only is None and not given.no_write:
        write(rows)
    sys.exit(any(row.met is False for row in rows))
