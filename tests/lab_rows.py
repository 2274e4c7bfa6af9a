"""Experiments and their rows, which the tests of the laboratory share."""

from __future__ import annotations

import json
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any

from click.testing import CliRunner, Result

from spadille.cli import main
from spadille.lab import Experiment, Row, rows
from spadille.lab.experiment import experiment

ROOT = Path(__file__).resolve().parent.parent
DEALS = 6
BOTS = ("greedy", "random", "random")
LENGTH = 6  # deals of a match


@cache
def one_experiment() -> Experiment:
    """Deals, each played with the good bot in each seat."""
    return experiment("tresillo", {"stake": "4"}, BOTS, duplicate=True, seed=11)


@cache
def plain_rows() -> list[Row]:
    """The rows of some deals, played in this process one after another."""
    return flat(rows(one_experiment(), DEALS))


@cache
def match_rows() -> tuple[Experiment, list[Row]]:
    """Whole matches with a pot that is carried on, each played with the good bot in each seat."""
    one = experiment("tresillo", {"deals": str(LENGTH)}, BOTS, duplicate=True, seed=4, matches=True)
    return one, flat(rows(one, 2))


def flat(chunks: Iterable[list[Row]]) -> list[Row]:
    """The rows of jobs."""
    return [row for chunk in chunks for row in chunk]


def spadille_says(*arguments: object) -> Result:
    """What a command prints."""
    return CliRunner().invoke(main, [str(argument) for argument in arguments])


def head_of(line: bytes) -> dict[str, Any]:
    """The experiment that a first line names."""
    head: dict[str, Any] = json.loads(line)["experiment"]
    return head
