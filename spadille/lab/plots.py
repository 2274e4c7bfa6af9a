"""Plots of reports as SVG: bars for shares, points for means, both with their intervals."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from io import StringIO
from math import isfinite
from typing import Any

from spadille.lab.experiment import LabFailure
from spadille.lab.spread import Spread
from spadille.lab.statistics import Estimate

MOST_LINES = 30
LONGEST = 36  # characters of a name beside a plot; its table has the whole
MOST_BARS = 60  # of a spread; more values are put together
COLOURS = ("#1f7a55", "#c8562b", "#3568a8", "#8a5ba6", "#a8801c", "#4b6472", "#b03a62", "#5d8a2e")
INK, SOFT, PALE = "#26312c", "#8b958f", "#dfe4df"
WIDTH = 9.4  # inches
STYLE = {
    "svg.hashsalt": "spadille", "svg.fonttype": "none", "font.family": "sans-serif", "font.size": 10.5, "text.color": INK,
    "axes.edgecolor": PALE, "axes.labelcolor": SOFT, "axes.labelsize": 9.5, "axes.spines.top": False, "axes.spines.right": False,
    "axes.spines.left": False, "axes.axisbelow": True, "axes.grid": True, "axes.grid.axis": "x", "grid.color": PALE, "grid.linewidth": 0.8,
    "xtick.color": SOFT, "xtick.labelsize": 9, "ytick.color": INK, "xtick.major.size": 0, "ytick.major.size": 0, "figure.facecolor": "none",
    "axes.facecolor": "none",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Series:
    """What is drawn in one field: a head, whether it is of shares, and for each line an estimate for each colour; None leaves one out.

    A series of changes has a line at 0, and pales where the interval holds 0.
    """

    head: str
    share: bool
    lines: tuple[tuple[Estimate | None, ...], ...]
    colours: tuple[str, ...] = COLOURS
    change: bool = False


def chart(names: Sequence[str], fields: Sequence[Series]) -> str:
    """Fields side by side that have their lines in common; at most so many lines as can be read."""
    names = [plain(name if len(name) <= LONGEST else name[: LONGEST - 1] + "…") for name in names[:MOST_LINES]]
    each = max((len(line) for field in fields for line in field.lines), default=1)
    with figure(1.0 + len(names) * (0.2 + 0.17 * each), len(fields)) as (axes, out):
        for axis, field in zip(axes, fields, strict=True):
            if field.share and not field.change and each == 1:
                bars(axis, field)
            else:
                points(axis, field)
            axis.set_xlabel(plain(field.head) + (", %" if field.share and not field.change else ", points" if field.share else ""))
            axis.set_yticks(range(len(names)), names)
        # Room above the first line and below the last.
        axes[0].set_ylim(len(names) - 0.4, -0.6)
    return "".join(out)


def bars(axis: Any, field: Series) -> None:
    """Shares of a hundred, each with its figure beside it."""
    cells = [line[0] for line in field.lines[:MOST_LINES]]
    known = [(place, cell) for place, cell in enumerate(cells) if cell is not None and cell.of]
    places, values = [place for place, _ in known], [100 * cell.value for _, cell in known]
    axis.barh(places, values, height=0.62, color=field.colours[0], alpha=0.22)
    for place, cell in known:
        whisker(axis, place, cell, 100, field.colours[0])
        axis.annotate(f"{100 * cell.value:.1f}", (100 * ends(cell)[1], place), xytext=(7, 0), textcoords="offset points",
                      va="center", fontsize=9, color=INK)  # fmt: skip
    axis.set_xlim(0, min(112, 1.16 * max((100 * ends(cell)[1] for _, cell in known), default=1.0) + 1))


def points(axis: Any, field: Series) -> None:
    """Means, or several estimates on a line, one below another."""
    scale = 100 if field.share else 1
    for place, cells in enumerate(field.lines[:MOST_LINES]):
        for number, cell in enumerate(cells):
            if cell is None or not cell.of:
                continue
            sure = not field.change or cell.low > 0 or cell.high < 0
            at = place + 0.24 * (number - (len(cells) - 1) / 2)
            whisker(axis, at, cell, scale, field.colours[number % len(field.colours)], sure)
    if field.change or any(cell is not None and cell.low < 0 for cells in field.lines for cell in cells if cell is not None and cell.of):
        axis.axvline(0, color=SOFT, linewidth=1, zorder=1)
    axis.margins(x=0.12)


def whisker(axis: Any, place: float, cell: Estimate, scale: float, colour: str, sure: bool = True) -> None:
    """An estimate as a point, its interval as a line; hollow if it may be nothing."""
    low, high = ends(cell)
    axis.plot([scale * low, scale * high], [place, place], color=colour, linewidth=1.8 if sure else 1.2, alpha=1 if sure else 0.55,
              solid_capstyle="round", zorder=3)  # fmt: skip
    axis.plot([scale * cell.value], [place], "o", markersize=6, markerfacecolor=colour if sure else "white", markeredgecolor=colour,
              markeredgewidth=1.3, zorder=4)  # fmt: skip


def ends(cell: Estimate) -> tuple[float, float]:
    """The ends of an interval; none after one board, of which nothing is known."""
    return (cell.low, cell.high) if isfinite(cell.low) and isfinite(cell.high) else (cell.value, cell.value)


def histogram(spread: Spread) -> str:
    """How often each value was there."""
    low, high = spread.counts[0][0], spread.counts[-1][0]
    step = min((b - a for (a, _), (b, _) in zip(spread.counts, spread.counts[1:], strict=False)), default=1.0)
    # A whole multiple of the least step, so that no bar has more values in it than another.
    size = step * max(1, -(-int((high - low) / step + 1) // MOST_BARS))
    found: dict[int, int] = {}
    for value, count in spread.counts:
        place = int((value - low) / size + 1e-9)
        found[place] = found.get(place, 0) + count
    middle = low + (size - step) / 2
    with figure(2.3, 1) as ((axis,), out):
        axis.bar([middle + size * place for place in found], [100 * count / spread.of for count in found.values()],
                 width=0.86 * size, color=COLOURS[0], alpha=0.75)  # fmt: skip
        axis.grid(axis="y")
        axis.grid(visible=False, axis="x")
        axis.tick_params(axis="y", labelcolor=SOFT, labelsize=9)
        axis.axvline(spread.quantile(0.5), color=INK, linewidth=1, linestyle=(0, (4, 3)))
        axis.set_xlabel(
            plain(spread.unit) + ("; the broken line parts them in half" if spread.unit else "the broken line parts them in half")
        )
        axis.set_ylabel("%")
        if high - low < 12 and float(low).is_integer() and step >= 1:
            axis.set_xticks([low + k for k in range(int(high - low) + 1)])
    return "".join(out)


@contextmanager
def figure(height: float, fields: int) -> Iterator[tuple[list[Any], list[str]]]:
    """Empty fields side by side, with a list that gets the SVG; the same plot gives the same text."""
    matplotlib = library()
    from matplotlib.figure import Figure

    with matplotlib.rc_context(STYLE):
        one = Figure(figsize=(WIDTH, height), layout="constrained")
        axes = list(one.subplots(1, fields, sharey=True, squeeze=False)[0])
        out: list[str] = []
        yield axes, out
        text = StringIO()
        one.savefig(text, format="svg", metadata={"Date": None, "Creator": None})
    found = text.getvalue()
    out.append(found[found.index("<svg") :].strip())


def plain(text: str) -> str:
    """A text that is no formula: names come from rulesets, and `$` would begin one."""
    return text.replace("$", r"\$")


def library() -> Any:
    """The library of plots; raises LabError where it is not installed."""
    try:
        import matplotlib
    except ImportError:
        raise LabFailure("plots need matplotlib: install `spadille[lab]`, or leave out `--html`") from None
    return matplotlib
