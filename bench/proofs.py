"""What the tests prove of a sample of settings, of all: every ruleset, every preset, every option value away from its default."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any


def prove(rulesets: list[str]) -> bool:
    """Proves each ruleset and says so in a line; what fails is told and the rest goes on. Gives whether all holds."""
    sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))
    import proofs  # type: ignore[import-not-found, unused-ignore]
    from play import RULESETS  # type: ignore[import-not-found, unused-ignore]

    sound = True
    for ruleset in rulesets or RULESETS:
        began, failed, decisions = time.process_time(), 0, 0
        wholes, singles = proofs.whole(ruleset), proofs.single(ruleset)
        for setting in (*wholes, *singles):
            many = setting in wholes

            def work(setting: Any = setting, many: bool = many) -> int:
                game = setting.game
                proofs.check_deals(game, 20_000 if many else 2_000, seed=1)
                if many:
                    proofs.check_matches(game, 200, seed=2)
                for seed in range(5 if many else 1):
                    proofs.check_positions(game, seed=seed, most=2_000 if many else 300)
                return int(proofs.check_twins(game, 40 if many else 2, seed=3))

            done = attempt(work, str(setting))
            failed += done is None
            decisions += done or 0
        print(f"{ruleset:22s} {len(wholes):2d} with presets, {len(singles):3d} single values, {decisions:8d} decisions both ways: "
              f"{f'{failed} FAILED' if failed else 'all holds'} ({time.process_time() - began:.0f} s)", flush=True)  # fmt: skip
        sound = sound and not failed
    return sound


def attempt(work: Callable[[], int], name: str) -> int | None:
    """What a piece of work gives; None when it fails, which is told."""
    try:
        return work()
    except Exception as fault:  # whatever is wrong with one setting, the others are tried too
        print(f"  {name}: {type(fault).__name__}: {str(fault)[:300]}", flush=True)
        return None
