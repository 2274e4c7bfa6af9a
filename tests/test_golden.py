"""Every ruleset plays the match that its golden transcript tells; about 8 seconds."""

from __future__ import annotations

import golden
import pytest
from play import RULESETS

AGAIN = "write it with `python -m tests.golden {}` and look at the difference"


@pytest.mark.parametrize("ruleset", RULESETS)
def test_a_match_goes_as_it_went(ruleset: str) -> None:
    path = golden.path(ruleset)
    assert path.is_file(), f"{ruleset} has no golden transcript: " + AGAIN.format(ruleset)
    assert golden.transcript(ruleset).splitlines() == path.read_text(encoding="utf-8").splitlines(), AGAIN.format(ruleset)


def test_no_transcript_is_left_of_a_ruleset_that_is_gone() -> None:
    assert sorted(path.stem for path in golden.FOLDER.glob("*.txt")) == sorted(RULESETS)
