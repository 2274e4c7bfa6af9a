"""The language server, driven as an editor does it: messages over standard input and output."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from editor_client import Editor

from dsl.codes import FOLDER
from spadille.cli import main
from spadille.loading import ruleset_ids
from spadille.lsp import answers
from spadille.lsp.workspace import Workspace

pygls = pytest.importorskip("pygls")
ROOT = Path(__file__).resolve().parent.parent
BASE = (FOLDER / "base.yaml").read_text(encoding="utf-8")
COMMAND = [sys.executable, "-c", f"import sys; sys.path.insert(0, {str(ROOT)!r}); from spadille.cli import main; main(['lsp'])"]
CHILD = "ruleset: child\nlanguage: 1\nextends: base\noverride:\n  outcomes.won: tricks of boss > 1 and stake > 2\n"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Editor]:
    folder = tmp_path_factory.mktemp("games")
    (folder / "base.yaml").write_text(BASE, encoding="utf-8")
    client = Editor(folder, COMMAND)
    yield client
    client.close()


@pytest.fixture
def editor(server: Editor) -> Editor:
    """The editor with the base open as it was, whatever a test before has done to it."""
    server.open("base.yaml", BASE)
    return server


def test_the_server_says_what_it_can_do(editor: Editor) -> None:
    for wanted in ("completionProvider", "hoverProvider", "definitionProvider", "renameProvider", "documentFormattingProvider"):
        assert editor.capabilities.get(wanted) not in (None, False), wanted


def test_errors_come_as_one_types_and_go_when_they_are_gone(editor: Editor) -> None:
    assert editor.open("base.yaml", BASE) == []
    (found,) = editor.change("base.yaml", BASE.replace("trump: best A K Q", "trump: best A k Q"))
    assert (found["code"], found["severity"], found["source"]) == ("E203", 1, "spadille")
    assert found["range"] == {"start": {"line": 21, "character": 16}, "end": {"line": 21, "character": 17}}
    assert "did you mean `K`?" in found["message"]
    (found,) = editor.change("base.yaml", BASE + "what is this\n")
    assert found["code"] == "E101"
    assert editor.change("base.yaml", BASE) == []


def test_characters_are_counted_as_the_protocol_does(editor: Editor) -> None:
    # A character outside the first plane counts two.
    (found,) = editor.open("wide.yaml", BASE.replace("about: Chips a trick is worth.", "about: 🂡🂡, requires: ordr is low"))
    assert found["range"]["start"]["character"] == len("  stake: {type: integer, min: 1, max: 9, default: 2, about: , requires: ") + 4


def test_a_fault_shows_its_second_places(editor: Editor) -> None:
    (found,) = editor.open("child.yaml", CHILD.replace("> 2", "> two"))
    (related,) = found["relatedInformation"]
    assert found["range"]["start"]["line"] == 4
    assert related["location"]["uri"] == editor.uri("base.yaml") and related["message"] == "this is overridden"


def test_an_open_parent_counts_as_it_is_typed(editor: Editor) -> None:
    editor.change("base.yaml", BASE.replace("stake", "wager"))
    assert [found["code"] for found in editor.open("child.yaml", CHILD)] == ["E210"]
    editor.change("base.yaml", BASE)
    assert editor.open("child.yaml", CHILD) == []


def test_completion_offers_the_names_in_scope(editor: Editor) -> None:
    editor.change("base.yaml", BASE)
    result = editor.request("textDocument/completion", editor.at("base.yaml", BASE, "c in hand of player with follows(c, lead)", 30))
    items = {item["label"]: item for item in result["items"]}
    # Bound here, of the ruleset, of its options, functions, and words of the language.
    for name in ("c", "boss", "stake", "high", "follows", "lead", "hand", "with", "best"):
        assert name in items, name
    assert items["stake"]["documentation"] == "Chips a trick is worth." and items["stake"]["detail"] == "an option"


def test_hover_says_what_a_name_is(editor: Editor) -> None:
    def said(word: str, inside: int = 0) -> str:
        found = editor.request("textDocument/hover", editor.at("base.yaml", BASE, word, inside))
        return "" if found is None else str(found["contents"]["value"])

    assert "an option" in said("stake * multiplier") and "Chips a trick is worth." in said("stake * multiplier")
    assert "beats(card c, card d): stronger(c, d)" in said("beats(card")
    assert "follows(card, card): truth" in said("follows(c, lead)") or "follows(" in said("follows(c, lead)")
    assert "seat" in said("boss > 1")
    assert said("  - deal 1", 0) == ""


def test_definition_goes_across_extends(editor: Editor) -> None:
    editor.open("child.yaml", CHILD)
    found = editor.request("textDocument/definition", editor.at("child.yaml", CHILD, "stake > 2"))
    assert found["uri"] == editor.uri("base.yaml") and found["range"]["start"] == {"line": 13, "character": 2}
    found = editor.request("textDocument/definition", editor.at("child.yaml", CHILD, "extends: base", 10))
    assert found["uri"] == editor.uri("base.yaml")


def test_rename_changes_a_name_everywhere(editor: Editor) -> None:
    for word, new in (
        ("stake", "wager"),
        ("others", "rest_of_us"),
        ("boss", "chief"),
        ("beats", "tops"),
        ("won", "made"),
        ("best", "top_card"),
    ):
        place = editor.at("base.yaml", BASE, {"won": "won: tricks", "best": "best: J"}.get(word, f"{word}"))
        edits = editor.request("textDocument/rename", {**place, "newName": new})["changes"][editor.uri("base.yaml")]
        lines = BASE.split("\n")
        for edit in sorted(edits, key=lambda edit: (-edit["range"]["start"]["line"], -edit["range"]["start"]["character"])):
            start, end = edit["range"]["start"], edit["range"]["end"]
            row = lines[start["line"]]
            assert row[start["character"] : end["character"]] == word
            lines[start["line"]] = row[: start["character"]] + new + row[end["character"] :]
        assert editor.open("renamed.yaml", "\n".join(lines)) == [], word
        assert f"{word}:" not in "\n".join(lines)


@pytest.mark.parametrize(("word", "new", "why"), [("stake", "boss", "already a variable"), ("stake", "not", "cannot be a name"),
                                                  ("hand of", "fist", "not a name of this ruleset")])  # fmt: skip
def test_a_rename_that_cannot_be_is_refused(editor: Editor, word: str, new: str, why: str) -> None:
    with pytest.raises(RuntimeError, match=why):
        editor.request("textDocument/rename", {**editor.at("base.yaml", BASE, word), "newName": new})


def test_an_inherited_name_is_renamed_where_it_is_declared(editor: Editor) -> None:
    editor.open("child.yaml", CHILD)
    with pytest.raises(RuntimeError, match=r"is declared in .*base\.yaml: rename it there"):
        editor.request("textDocument/rename", {**editor.at("child.yaml", CHILD, "stake > 2"), "newName": "wager"})


def test_formatting_gives_the_canonical_text(editor: Editor) -> None:
    text = BASE.replace("trump: best A K Q", "trump: best   A  K Q")
    editor.change("base.yaml", text)
    options = {"tabSize": 2, "insertSpaces": True}
    (edit,) = editor.request("textDocument/formatting", {"textDocument": {"uri": editor.uri("base.yaml")}, "options": options})
    assert "trump: best A K Q" in edit["newText"]
    assert editor.change("base.yaml", edit["newText"]) == []
    assert editor.request("textDocument/formatting", {"textDocument": {"uri": editor.uri("base.yaml")}, "options": options}) == []


def test_a_broken_file_breaks_nothing(editor: Editor) -> None:
    for text in ("", "\0", "ruleset: [", "a: 1\n- b", BASE[:400], BASE.replace("base", "child")):
        editor.change("base.yaml", text)
        place = {"textDocument": {"uri": editor.uri("base.yaml")}, "position": {"line": 3, "character": 99}}
        editor.request("textDocument/completion", place)
        assert editor.request("textDocument/hover", {**place, "position": {"line": 999, "character": 0}}) is None
    assert editor.change("base.yaml", BASE) == []


def test_each_key_pressed_in_the_longest_ruleset_is_checked_anew() -> None:
    """How long that takes is measured by `python -m bench --only start`."""
    workspace = Workspace()
    id = max(ruleset_ids(), key=lambda one: (ROOT / "rulesets" / f"{one}.yaml").stat().st_size)
    path = ROOT / "rulesets" / f"{id}.yaml"
    text = path.read_text(encoding="utf-8")
    for number in range(3):
        assert answers.diagnostics(workspace, workspace.put(path.as_uri(), f"{text}# {number}\n")) == []
        broken = workspace.put(path.as_uri(), f"{text}# {number}\nsumary: twice\n")
        assert [found.code for _, found in answers.diagnostics(workspace, broken)][:1] == ["E120"]


def test_without_pygls_the_command_says_what_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    from click.testing import CliRunner

    for name in [name for name in sys.modules if name.startswith(("pygls", "spadille.lsp.server"))]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "pygls", None)
    done = CliRunner().invoke(main, ["lsp"])
    assert done.exit_code == 1 and "pip install 'spadille[lsp]'" in done.output
