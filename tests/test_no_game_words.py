"""A game is data: no word of any shipped ruleset stands in the code of the language or of the engine."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from spadille.loading import read, ruleset_ids

ROOT = Path(__file__).resolve().parent.parent
CODE = [path for folder in ("dsl", "interpreter") for path in sorted((ROOT / folder).rglob("*.py"))] + [ROOT / "dsl" / "grammar.lark"]
# Words of rulesets that are plain English of the card table, or the name of this project.
ENGLISH = frozenset(
    "called counted deals dealt declarer drawn following lost made opened partner result scoring spadille stake target turned".split()
)
SHORTEST = 4


def words(id: str) -> set[str]:
    """The names that a ruleset gives: of itself, bids, contracts, outcomes, cards, variables and options."""
    program = read(id).program
    assert program is not None, id
    rules = program.rules
    named = {*program.bids, *(contract.id for contract in program.contracts), *program.outcomes, *rules.options}
    named |= {key.value for key, _ in (*rules.cards, *rules.variables)}
    return {word for word in named | set(id.split("-")) if len(word) >= SHORTEST and word not in ENGLISH}


@pytest.mark.parametrize("id", ruleset_ids())
def test_no_word_of_a_game_stands_in_the_code(id: str) -> None:
    pattern = re.compile(r"(?<![^\W_])(?:" + "|".join(sorted(words(id))) + r")(?![^\W_])")
    found = [f"{path.relative_to(ROOT)}: {match.group()}" for path in CODE for match in pattern.finditer(path.read_text(encoding="utf-8"))]
    assert found == []
