"""What a fuzzer calls: any bytes, read as a ruleset. They give diagnostics with places, or a game that plays; nothing else."""

from __future__ import annotations

import json

from dsl.diagnostics import Report, render_text
from dsl.load import load
from dsl.yamltext import decode
from interpreter.action import GameFault
from interpreter.game import Game
from spadille.loading import parents, ruleset_ids
from spadille.renderings import github, sarif

LONGEST_DEAL = 60


def one_input(data: bytes) -> None:
    """Reads one input and plays the beginning of a deal; any exception but GameFault is a find."""
    report = Report()
    source = decode("input.yaml", data, report)
    program = None
    if source is not None:
        loaded = load(source, parents(None), ruleset_ids())
        report, program = loaded.report, loaded.program
    for found in report.diagnostics:
        assert found.span.line >= 1 and found.span.column >= 1 and found.message
        render_text(found)
    json.loads(sarif(report.diagnostics))
    assert github(report.diagnostics).count("\n") == len(report.diagnostics)
    assert report.ok is (program is not None)
    if program is None:
        return
    try:
        state = Game(program).start(seed=1)
        for _ in range(LONGEST_DEAL):
            if state.over:
                break
            state = state.apply(state.legal()[0])
    except GameFault:
        pass
