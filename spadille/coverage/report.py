"""Coverage for people and programs: a table with what was missed, and plain data."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table

from spadille.coverage.items import KINDS, Item
from spadille.coverage.measure import Coverage

PLURALS = {"rung": "rungs", "outcome": "outcomes", "payment": "payments", "contract": "contracts", "value": "values",
           "answer": "answers", "when": "sides of when"}  # fmt: skip


def share(percent: float) -> str:
    """A percentage that says 100 only where nothing is missing."""
    return f"{min(percent, 99.9) if percent < 100 else 100:.1f} %".replace("100.0", "100")


def draw(console: Console, found: Sequence[Coverage]) -> None:
    """The table, a row for each ruleset, and below it what no case reached."""
    table = Table(box=SIMPLE_HEAD, show_edge=False)
    table.add_column("ruleset")
    kinds = [kind for kind in KINDS if any(kind == k for one in found for k, _, _ in one.by_kind())]
    for title in (*(PLURALS[kind] for kind in kinds), "reached", "inherited"):
        table.add_column(title, justify="right")
    for one in found:
        counts = {kind: f"{hits}/{total}" for kind, hits, total in one.by_kind()}
        inherited = f"{one.hits(one.inherited)}/{len(one.inherited)}" if one.inherited else ""
        reached = share(one.percent) if one.own else "nothing of its own"
        table.add_row(one.ruleset, *(counts.get(kind, "") for kind in kinds), reached, inherited)
    console.print(table)
    missed = [item for one in found for item in one.missed]
    if missed:
        console.print("\nreached by no case:")
        for item in missed:
            console.print(f"  {item.place}: {item.said}", soft_wrap=True)


def plain(one: Coverage) -> dict[str, Any]:
    """Coverage as plain data."""

    def told(item: Item) -> dict[str, Any]:
        return {"kind": item.kind, "name": " ".join(item.name.split()), "side": item.side, "file": item.span.source.name,
                "line": item.span.line, "reached": item.key in one.reached}  # fmt: skip

    return {
        "ruleset": one.ruleset,
        "percent": round(one.percent, 2),
        "reached": one.hits(one.own),
        "total": len(one.own),
        "items": [told(item) for item in one.own],
        "inherited": [told(item) for item in one.inherited],
    }
