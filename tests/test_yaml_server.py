"""The JSON Schema in yaml-language-server, driven over standard input and output: completion, hover, errors on their lines.

Runs where the server is installed (`npm install -g yaml-language-server`), or where YAML_LANGUAGE_SERVER names it.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from editor_client import Editor

from dsl.codes import FOLDER

ROOT = Path(__file__).resolve().parent.parent
BASE = (FOLDER / "base.yaml").read_text(encoding="utf-8")
SERVER = os.environ.get("YAML_LANGUAGE_SERVER") or shutil.which("yaml-language-server")
SCHEMA = (ROOT / "dsl" / "ruleset.schema.json").as_uri()
HEAD = f"# yaml-language-server: $schema={SCHEMA}\n"

pytestmark = pytest.mark.skipif(SERVER is None, reason="yaml-language-server is not installed")


@pytest.fixture(scope="module")
def editor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Editor]:
    assert SERVER is not None
    settings = {"yaml": {"validate": True, "hover": True, "completion": True, "schemaStore": {"enable": False}}}
    client = Editor(tmp_path_factory.mktemp("games"), [SERVER, "--stdio"], settings)
    yield client
    client.close()


def test_a_sound_ruleset_has_no_errors(editor: Editor) -> None:
    assert editor.open("sound.yaml", HEAD + BASE) == []


def test_shipped_rulesets_have_no_errors(editor: Editor) -> None:
    for id in ("tresillo", "hearts", "tressette-accusa", "quadrille"):
        text = (ROOT / "rulesets" / f"{id}.yaml").read_text(encoding="utf-8")
        lines = [line for line in text.split("\n") if not line.startswith("# yaml-language-server")]
        assert editor.open(f"{id}.yaml", HEAD + "\n".join(lines)) == [], id


@pytest.mark.parametrize(
    ("old", "new", "line"),
    [("players: 3", "players: 30", 5), ("by: seat", "by: sea", 37), ("language: 1", "language: 2", 3), ("form: once", "forn: once", 47)],
)
def test_an_error_is_on_its_line(editor: Editor, old: str, new: str, line: int) -> None:
    found = editor.open(f"wrong-{line}.yaml", HEAD + BASE.replace(old, new))
    assert found and line in {one["range"]["start"]["line"] + 1 for one in found}, found


def test_keys_are_completed(editor: Editor) -> None:
    text = HEAD + "ruleset: a\nlanguage: 1\npla\n"
    editor.open("new.yaml", text)
    result = editor.request("textDocument/completion", editor.at("new.yaml", text, "pla\n", 3))
    labels = {item["label"] for item in (result["items"] if isinstance(result, dict) else result)}
    assert {"players", "play"} <= labels
    text = HEAD + BASE.replace("  leads: eldest\n", "  lea\n")
    editor.open("inner.yaml", text)
    result = editor.request("textDocument/completion", editor.at("inner.yaml", text, "  lea\n", 5))
    labels = {item["label"] for item in (result["items"] if isinstance(result, dict) else result)}
    assert {"leads", "lead_obligations"} <= labels


def test_hover_gives_the_description_of_a_key(editor: Editor) -> None:
    text = HEAD + BASE
    editor.open("sound.yaml", text)
    result = editor.request("textDocument/hover", editor.at("sound.yaml", text, "players: 3", 2))
    assert result is not None
    said = result["contents"]["value"] if isinstance(result["contents"], dict) else str(result["contents"])
    assert "seats" in said.lower() or "play" in said.lower()
