"""Option values that change nothing: found where they are, and none among the shipped foundation games."""

from __future__ import annotations

import pytest

from dsl.diagnostics import Report
from dsl.idle import needed, warn_of_idle_values
from dsl.reading import read_ruleset
from dsl.source import Source
from spadille.loading import FOLDER, OptionError, RulesetError, load, parents, read

TINY = """\
ruleset: tiny
language: 1
players: 2
deck: {suits: {reds: {letter: r}}, ranks: {A: {}, K: {}, Q: {}, J: {}}}
ranking: {plain: A K Q J}
options:
  bonus: {choices: [1, 2], default: 1, about: Points for the last trick.}
  court: {choices: [high, low], default: high, about: Read but without effect.}
  extra: {type: integer, default: 3, requires: bonus is 2, about: Counts only with the greater bonus.}
score: {unit: points, by: seat, balanced: false}
deal: [deal 2 cards to each seat from eldest]
play: {leads: eldest}
outcomes: {played: otherwise}
payments:
  last:
    - winner scores bonus
    - when: court is high or court is low
      do: [winner scores (extra if bonus is 2 else 0)]
"""


def test_a_value_without_effect_is_named_where_it_stands() -> None:
    report = Report()
    warn_of_idle_values(Source("tiny.yaml", TINY), lambda id: None, report)
    assert [(d.code, d.span.line, d.span.text) for d in report.diagnostics] == [("W703", 8, "low")]


def test_an_option_is_refused_where_what_it_requires_does_not_hold() -> None:
    with pytest.raises(RulesetError) as caught:
        load(TINY, extra=5)
    assert [(d.code, d.span.text) for d in caught.value.diagnostics] == [("E614", "bonus is 2")]
    assert load(TINY, extra=5, bonus=2).options["extra"] == "5"


@pytest.mark.parametrize(
    ("requires", "around"),
    [
        ("bonus is 2", {"bonus": "2"}),
        ("bonus is not 1", {"bonus": "2"}),
        ("bonus is not 2", {}),
        ("bonus is 1 or court is low", {"court": "low"}),
        ("bonus is 2 and not open", {"bonus": "2", "open": "no"}),
        ("open", {}),
    ],
)
def test_what_an_option_requires_is_found(requires: str, around: dict[str, str]) -> None:
    text = TINY.replace("bonus is 2, about", f"{requires}, about").replace(
        "score:", "  open: {type: truth, default: yes, about: Open.}\nscore:"
    )
    loaded = read(text)
    assert loaded.variant is not None
    options = read_ruleset(loaded.variant.document, [], Report()).options
    assert needed(options["extra"], options) == around


def test_an_unknown_value_is_refused_with_the_choices() -> None:
    with pytest.raises(OptionError, match="choose one of 1, 2"):
        load(TINY, bonus=7)


@pytest.mark.parametrize("name", ["hearts", "tresillo", "tressette-accusa"])
def test_every_value_of_the_foundation_games_changes_the_game(name: str) -> None:
    report = Report()
    path = FOLDER / f"{name}.yaml"
    warn_of_idle_values(Source(path.name, path.read_text(encoding="utf-8")), parents(FOLDER), report)
    assert [str(d) for d in report.diagnostics] == []
