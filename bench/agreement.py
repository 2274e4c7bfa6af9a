"""A thousand random matches of each game, compiled and interpreted, compared after every decision: `python -m bench.agreement`."""

from __future__ import annotations

import sys

import spadille
from tests.twins import Twins

GAMES = ("hearts", "tresillo", "tresillo-sin-ver", "tressette", "tressette-accusa")
MATCHES = 1_000

if __name__ == "__main__":
    for name in sys.argv[1:] or GAMES:
        twins = Twins(spadille.load(name))
        for seed in range(MATCHES):
            twins.match(seed)
        print(f"{name}: {MATCHES} matches, {twins.decisions} decisions, the same state after each", flush=True)
