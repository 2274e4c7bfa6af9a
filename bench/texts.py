"""The page that a run of the benchmark writes."""

from __future__ import annotations

PAGE = """\
# Speed

Measured by `python -m bench` (needs `pip install -e '.[test]'`), which writes this page. One run, one machine:
{machine}.

| what | measured | wanted |
|---|---|---|
{rows}

Rates count all decisions (bids, discards and passes too) per second of processor time on one core, the median of
five runs, with shuffling, dealing, scoring and matches included. The OpenSpiel row is measured in the same run; its
`evaluate_bots` counts likewise. `python -m bench.kernel_bench` takes the bare kernel apart on a toy game.
"""


def page(machine: str, rows: list[tuple[str, str, str]]) -> str:
    """The text of `bench/README.md`."""
    return PAGE.format(machine=machine, rows="\n".join(f"| {' | '.join(row)} |" for row in rows))
