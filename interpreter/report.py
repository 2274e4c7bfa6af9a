"""The report of a simulation: how deals ended and what each seat gained, in exact numbers."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from math import sqrt
from typing import TYPE_CHECKING, Any

from interpreter import playout

if TYPE_CHECKING:
    from interpreter.game import Game
    from interpreter.simulation import Tally


@dataclass(frozen=True, slots=True)
class Ending:
    """How often deals ended in one way; no contract and no outcome: thrown in. `rate` is the share of all deals."""

    contract: str | None
    outcome: str | None
    deals: int
    rate: float


@dataclass(frozen=True, slots=True)
class Gain:
    """What a seat gained per deal, in units of the score; `error` is the standard error of the mean."""

    seat: int
    mean: Fraction
    error: float
    least: Fraction
    most: Fraction


@dataclass(frozen=True, slots=True)
class Report:
    """What random play of a ruleset came to. Equal seeds give equal reports; `seconds` is not compared.

    `matches` counts matches that ended; every chunk of deals begins a new one. `longest` is the greatest number of
    decisions in a deal.
    """

    ruleset: str
    hash: str
    options: dict[str, str]
    seed: int
    deals: int
    matches: int
    decisions: int
    longest: int
    endings: tuple[Ending, ...]
    gains: tuple[Gain, ...]
    unit: str
    seconds: float = field(compare=False)

    @property
    def decisions_per_deal(self) -> float:
        """The mean length of a deal."""
        return self.decisions / self.deals if self.deals else 0.0

    @property
    def speed(self) -> float:
        """Decisions per second of wall time, on all cores used."""
        return self.decisions / self.seconds if self.seconds else 0.0

    def count(self, outcome: str | None = None, contract: str | None = None) -> int:
        """How many deals ended with an outcome, under one contract or any."""
        return sum(e.deals for e in self.endings if e.outcome == outcome and contract in (None, e.contract))

    def as_json(self) -> dict[str, Any]:
        """Plain data for `json.dumps`, the same for the same seed; exact numbers as text."""
        return {
            "ruleset": self.ruleset,
            "hash": self.hash,
            "options": dict(self.options),
            "seed": self.seed,
            "deals": self.deals,
            "matches": self.matches,
            "decisions": self.decisions,
            "decisions_per_deal": self.decisions_per_deal,
            "longest": self.longest,
            "unit": self.unit,
            "endings": [{"contract": e.contract, "outcome": e.outcome, "deals": e.deals, "rate": e.rate} for e in self.endings],
            "payoffs": [
                {
                    "seat": gain.seat,
                    "mean": float(gain.mean),
                    "exact": str(gain.mean),
                    "standard_error": gain.error,
                    "min": str(gain.least),
                    "max": str(gain.most),
                }
                for gain in self.gains
            ],
        }


def make_report(game: Game, seed: int, deals: int, tally: Tally, seconds: float) -> Report:
    """Puts names and exact numbers to a tally."""
    program = game.program
    contracts = [None, *(row.id for row in program.contracts)]
    outcomes = [None, *program.outcomes]
    ways = [(contract, outcome) for contract in contracts for outcome in outcomes]
    endings = tuple(
        Ending(contract, outcome, count, count / deals) for (contract, outcome), count in zip(ways, tally.cells, strict=True) if count
    )
    unit = next((account.name for account in program.accounts if account.per), "")
    return Report(
        ruleset=game.id,
        hash=game.hash,
        options=dict(game.options),
        seed=seed,
        deals=deals,
        matches=tally.counts[playout.MATCHES],
        decisions=tally.counts[playout.DECISIONS],
        longest=tally.counts[playout.LONGEST],
        endings=endings,
        gains=tuple(_gain(tally, seat, deals, game.image.scale) for seat in range(game.players)) if deals else (),
        unit=unit,
        seconds=seconds,
    )


def _gain(tally: Tally, seat: int, deals: int, scale: int) -> Gain:
    total, squares = tally.sums[seat], tally.squares[seat]
    error = 0.0
    if deals > 1:
        variance = max(0.0, squares - total * total / deals) / (deals - 1)
        error = sqrt(variance / deals) / scale
    return Gain(seat, Fraction(total, deals * scale), error, Fraction(tally.low[seat], scale), Fraction(tally.high[seat], scale))
