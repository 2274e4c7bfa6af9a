"""What a row and an experiment look like as plain data: files come from anywhere, and a report trusts what passes here."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

MOST = 1 << 53  # beyond it numbers of JSON are not exact
LONGEST = 100  # characters of a number, and far fewer than Python refuses to read
MOST_SEATS = 64

# The columns of a row, with the kinds that Parquet has for them.
KINDS: dict[str, Any] = {
    "board": int, "rotation": int, "deal": int, "last": bool, "seed": int, "bots": list, "dealer": int | None,
    "contract": str | None, "outcome": str | None, "declarer": int | None, "payoffs": list, "payments": list, "winners": list | None,
    "answers": dict, "decisions": dict, "forced": dict, "branching": dict,
}  # fmt: skip


def whole(value: object) -> bool:
    """A number as it is counted."""
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < MOST


def named(value: object) -> bool:
    """A name: on a terminal it must do nothing but be read."""
    return isinstance(value, str) and value.isprintable()


def texts(value: object) -> bool:
    """A list of names or other texts."""
    return isinstance(value, list) and all(map(named, value))


def counts(value: object) -> bool:
    """How often each of some things was."""
    return isinstance(value, dict) and all(named(name) and whole(times) for name, times in value.items())


def amounts(value: object) -> bool:
    """Exact numbers as texts; whether they are some is found out when they are read."""
    return texts(value) and all(len(one) <= LONGEST for one in value)  # type: ignore[attr-defined]


def seats(value: object) -> bool:
    """Seats by number."""
    return isinstance(value, list) and all(whole(seat) for seat in value)


def maybe(check: Callable[[object], bool]) -> Callable[[object], bool]:
    """The same, or nothing."""
    return lambda value: value is None or check(value)


CHECKS: dict[str, Callable[[object], bool]] = {
    "board": whole, "rotation": whole, "deal": whole, "last": lambda value: isinstance(value, bool), "seed": whole, "bots": texts,
    "dealer": maybe(whole), "contract": maybe(named), "outcome": maybe(named), "declarer": maybe(whole), "payoffs": amounts,
    "payments": texts, "winners": maybe(seats), "answers": counts, "decisions": counts, "forced": counts, "branching": counts,
}  # fmt: skip


def is_row(row: object) -> bool:
    """Whether data are a row."""
    return isinstance(row, dict) and all(check(row.get(key)) for key, check in CHECKS.items()) and 0 < len(row["bots"]) <= MOST_SEATS


def is_experiment(data: object) -> bool:
    """Whether data say of an experiment what a report cannot do without."""
    if not isinstance(data, dict):
        return False
    bots, options, flags = data.get("bots"), data.get("options", {}), (data.get("duplicate", False), data.get("matches", False))
    names = [data.get(key, "") for key in ("title", "ruleset", "unit", "rules")]
    return (
        texts(bots) and 0 < len(bots) <= MOST_SEATS and all(isinstance(flag, bool) for flag in flags)  # type: ignore[arg-type]
        and isinstance(options, dict) and all(map(named, (*options, *options.values(), *names)))
        and isinstance(data.get("seed", 0), int) and isinstance(data.get("high", True), bool)
    )  # fmt: skip
