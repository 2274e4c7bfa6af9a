"""Mutation scores as a table, and below it the changes that no case noticed."""

from __future__ import annotations

from collections.abc import Sequence

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table

from spadille.mutation.hunt import EQUIVALENT, INVALID, KILLED, SURVIVED
from spadille.mutation.score import Score


def draw(console: Console, scores: Sequence[Score], seed: int) -> None:
    """The table, a row for each ruleset, and the survivors."""
    table = Table(box=SIMPLE_HEAD, show_edge=False)
    table.add_column("ruleset")
    for title in ("mutants", "killed", "survived", "same game", "no ruleset", "score"):
        table.add_column(title, justify="right")
    for one in scores:
        tried = len(one.verdicts)
        counts = (str(one.count(verdict)) for verdict in (KILLED, SURVIVED, EQUIVALENT, INVALID))
        table.add_row(one.ruleset, str(tried) if tried == one.of else f"{tried} of {one.of}", *counts, f"{one.percent:.1f} %")
    console.print(table)
    if any(len(one.verdicts) < one.of for one in scores):
        console.print(f"\nwhere not all were tried they were drawn by seed {seed}")
    survivors = [mutant for one in scores for mutant in one.survivors]
    if survivors:
        console.print("\nnoticed by no case:")
        for mutant in survivors:
            console.print(f"  {mutant.place}: {mutant.said}", soft_wrap=True)
