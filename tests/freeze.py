"""Adds to the corpus that must keep replaying: `python tests/freeze.py NAME RULESET [option=value …]`.

Copies the ruleset and its parents as they are today into `tests/frozen/NAME/`, plays two deals and a match at random, and
writes the records with what came of them. What is there already is never written again: a corpus that changes proves nothing.
"""

from __future__ import annotations

import json
import random
import shutil
import sys
from dataclasses import fields
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
FROZEN = ROOT / "tests" / "frozen"
MOST_ANSWERS = 400
EMPTY = (None, "", (), frozenset())
sys.path.insert(0, str(ROOT))

from interpreter.event import Event  # noqa: E402
from interpreter.match import Match  # noqa: E402
from interpreter.record import Record  # noqa: E402
from interpreter.state import State  # noqa: E402
from spadille.loading import load, read  # noqa: E402


def outcome(end: State | Match) -> dict[str, Any]:
    """What came of a record, as plain data: events and payoffs of its deal, results and totals of its match."""
    state = end.state if isinstance(end, Match) else end
    found: dict[str, Any] = {"events": [written(event) for event in state.events], "over": end.over}
    if state.over:
        found["payoffs"] = [str(amount) for amount in state.payoffs]
    if isinstance(end, Match):
        found["totals"] = [str(total) for total in end.totals]
        found["results"] = [[str(amount) for amount in result.payoffs] for result in end.results]
    return found


def written(event: Event) -> str:
    """An event as text: what is said in it, so that a field that comes to be later changes nothing."""
    said = {field.name: getattr(event, field.name) for field in fields(event) if field.compare}
    if event.kind == "show":
        del said["source"]  # where shown cards lay is told since the first of these were written
    words = [f"{name}={sorted(value) if isinstance(value, frozenset) else value}" for name, value in said.items() if value not in EMPTY]
    return " ".join(words)


def played(record: Record, game: Any, chance: random.Random) -> Record:
    """A record with random answers to the end, or to the most that are kept."""
    now: State | Match = record.replay(game)
    while not now.over and len(record.actions) < MOST_ANSWERS:
        answer = chance.choice((now.state if isinstance(now, Match) else now).legal())
        now, record = now.apply(answer), record.then(answer)
    return record


def main(name: str, ruleset: str, *settings: str) -> None:
    folder = FROZEN / name
    if folder.exists():
        raise SystemExit(f"{folder} is there already and stays as it is")
    loaded = read(ruleset)
    if loaded.variant is None:
        raise SystemExit(f"`{ruleset}` does not check")
    folder.mkdir(parents=True)
    for id, _ in loaded.variant.chain:
        shutil.copy(ROOT / "rulesets" / f"{id}.yaml", folder / f"{id}.yaml")
    options = dict(setting.split("=", 1) for setting in settings)
    game = load(str(folder / f"{ruleset}.yaml"), **options)
    chance = random.Random(name)
    rows = []
    for seed, match in ((1, False), (2, False), (3, True)):
        record = played(Record.of(game, seed, match=match), game, chance)
        rows.append({"record": json.loads(record.to_json()), "outcome": outcome(record.replay(game))})
    text = json.dumps({"ruleset": ruleset, "options": options, "records": rows}, ensure_ascii=False, indent=1)
    (folder / "records.json").write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
