"""The language and the engine know no game: no word of a shipped ruleset stands in their code."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest
from play import RULESETS, load

from dsl.names import BUILT_IN, SEATING
from dsl.primitives import TABLE

ROOT = Path(__file__).resolve().parent.parent
# Examples in the schema's descriptions, and the suits of decks, may be words that games have too.
FILES = sorted(
    path
    for folder in ("dsl", "interpreter")
    for path in (ROOT / folder).rglob("*.*")
    if path.suffix in (".py", ".lark", ".yaml") and path.name != "decks.yaml"
)
# Words of rulesets that are plain English or words of every card game; `spadille` is the name of the project.
ORDINARY = frozenset("counted declarer drawn even joined lost made odd partner spadille won".split())


@cache
def words_of_rulesets() -> dict[str, str]:
    """Each word that belongs to a game, with the ruleset: ids, bids, contracts, outcomes, roles, sides, names of cards.

    A single letter, such as a bid that is a rank, is no word.
    """
    found: dict[str, str] = {}
    own = {variable.name for variable in BUILT_IN} | set(SEATING) | set(TABLE)
    for ruleset in RULESETS:
        program = load(ruleset).program
        words = [ruleset, *program.bids, *(row.id for row in program.contracts), *program.outcomes]
        words += [variable.name for variable in program.variables if variable.type.kind in ("seat", "seats", "side")]
        words += [key.value for key, _ in program.rules.cards] + [key.value for key, _ in program.rules.sides]
        found |= {word: ruleset for word in words if len(word) > 1 and word not in own | ORDINARY}
    return found


def words_of(path: Path) -> set[str]:
    """The words of a file: names, texts, comments."""
    return set(re.findall(r"[^\W\d][\w-]*", path.read_text()))


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_no_word_of_a_game_stands_in_the_code(path: Path) -> None:
    found = words_of(path) & words_of_rulesets().keys()
    assert not found, f"{sorted(found)} from {sorted({words_of_rulesets()[word] for word in found})}"
