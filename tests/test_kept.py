"""Texts are read once: other options do not read them again, an edited file is, and faults are told every time."""

from __future__ import annotations

from pathlib import Path

import pytest

import dsl.reading
import spadille
from dsl.diagnostics import render_text
from dsl.kept import Shelf
from spadille.loading import read

PARENT = (Path(spadille.__file__).parent.parent / "rulesets" / "tresillo.yaml").read_text(encoding="utf-8")


def said(name: str, options: dict[str, str] | None = None) -> list[str]:
    return [render_text(one) for one in read(name, options).report.diagnostics]


def test_other_options_read_no_text_again(monkeypatch: pytest.MonkeyPatch) -> None:
    first = spadille.load("tresillo")

    def again(*_: object) -> None:
        raise AssertionError("a text was read again")

    monkeypatch.setattr(dsl.reading, "parse", again)
    second = spadille.load("tresillo", stake=4, privilege="none")
    assert (second.options["stake"], second.options["privilege"]) == ("4", "none")
    assert first.options["stake"] == "2" == spadille.load("tresillo").options["stake"]


def test_an_edited_file_or_parent_is_read_again(tmp_path: Path) -> None:
    parent, child = tmp_path / "above.yaml", tmp_path / "below.yaml"
    parent.write_text(PARENT.replace("ruleset: tresillo", "ruleset: above"), encoding="utf-8")
    child.write_text("ruleset: below\nlanguage: 1\nextends: above\ntitle: Below\noverride: {options.stake.default: 3}\n", encoding="utf-8")
    game = spadille.load(str(child))
    assert (game.options["stake"], game.options["privilege"]) == ("3", "any_matador_led")
    assert spadille.load(str(child)).hash == game.hash
    parent.write_text(parent.read_text(encoding="utf-8").replace("default: any_matador_led", "default: superior_only"), encoding="utf-8")
    assert spadille.load(str(child)).options["privilege"] == "superior_only"
    child.write_text(child.read_text(encoding="utf-8").replace("stake.default: 3", "stake.default: 5"), encoding="utf-8")
    assert spadille.load(str(child)).options["stake"] == "5"


@pytest.mark.parametrize(
    ("old", "new", "code"),
    [
        ("", "", None),
        ("each seat from eldest, 3 times", "each seat from eldest, 9 times", "E"),
        ("deck: spanish-40", "deck: spanish-41", "E201"),
        ("options:\n", "options:\n  unread: {type: integer, default: 1, about: nothing reads this}\n", "W"),
    ],
)
def test_the_same_is_said_every_time(old: str, new: str, code: str | None) -> None:
    text = PARENT.replace(old, new)
    first = said(text)
    assert first == said(text) == said(text)
    assert (code is None and not first) or any(code is not None and f"[{code}" in one for one in first)


def test_a_shelf_keeps_what_was_asked_for_last() -> None:
    shelf: Shelf[str, int] = Shelf(2)
    shelf.put("a", 1)
    shelf.put("b", 2)
    assert shelf.get("a") == 1
    shelf.put("c", 3)
    assert (shelf.get("a"), shelf.get("b"), shelf.get("c")) == (1, None, 3)
