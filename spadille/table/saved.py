"""A game put away: the engine's record, and who sat where."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from interpreter.record import Record

FORMAT = 2
MOST_BYTES = 4_000_000
OLD = 1  # had one name of a bot for all seats, as `opponents`
KEYS = {"name": str, "seat": int, "bots": list, "deals": int}


class SaveError(ValueError):
    """A file that cannot be read or written as a saved game; the message is for the player."""


@dataclass(frozen=True, slots=True)
class Saved:
    """A record with the name its ruleset was asked for by, the person's seat, the bots, and the deals to play (0: all).

    `bots` has the name of the bot of every seat, or one for all.
    """

    record: Record
    name: str
    seat: int = 0
    bots: tuple[str, ...] = ("greedy",)
    deals: int = 0

    def write(self, path: Path) -> None:
        """Writes the file, in one piece or not at all; raises SaveError."""
        body = {"table": FORMAT, **{key: getattr(self, key) for key in KEYS}, "record": json.loads(self.record.to_json())}
        part = path.with_name(path.name + ".part")
        try:
            part.write_text(json.dumps(body, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
            part.replace(path)
        except OSError as problem:
            raise SaveError(f"`{path}` cannot be written: {(problem.strerror or str(problem)).lower()}") from None


def read_saved(path: Path) -> Saved:
    """A saved game, or a bare record, played on from seat 0; raises SaveError or the record's own errors."""
    try:
        if path.stat().st_size > MOST_BYTES:
            raise SaveError(f"`{path}` is too long for a saved game")
        text = path.read_text(encoding="utf-8")
    except OSError as problem:
        raise SaveError(f"`{path}` cannot be read: {(problem.strerror or str(problem)).lower()}") from None
    except UnicodeDecodeError:
        raise SaveError(f"`{path}` is no saved game: it is not text") from None
    try:
        data: Any = json.loads(text)
    except (ValueError, RecursionError):
        raise SaveError(f"`{path}` is no saved game: it is not JSON") from None
    if not isinstance(data, dict) or "table" not in data:
        record = Record.from_json(text)
        return Saved(record, record.ruleset)
    if data["table"] == OLD:
        data = {**data, "table": FORMAT, "bots": [data.get("opponents")]}
    if data["table"] != FORMAT or any(type(data.get(key)) is not kind for key, kind in KEYS.items()) or "record" not in data:
        raise SaveError(f"`{path}` is no saved game that this version can read")
    if not all(type(bot) is str for bot in data["bots"]):
        raise SaveError(f"`{path}` is no saved game that this version can read")
    return Saved(Record.from_json(json.dumps(data["record"])), data["name"], data["seat"], tuple(data["bots"]), data["deals"])


def free_path(id: str, seed: int, folder: Path | None = None) -> Path:
    """A name for a new saved game in the folder (the current one) that overwrites nothing."""
    folder = folder or Path()
    path = folder / f"{id}-{seed}.save.json"
    number = 2
    while path.exists():
        path = folder / f"{id}-{seed}-{number}.save.json"
        number += 1
    return path
