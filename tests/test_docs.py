"""The documentation says what is true: its rulesets check and play, its commands print what it shows, its reference is whole."""

from __future__ import annotations

import importlib.util
import json
import os
import random
import re
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest
import yaml

import spadille
from dsl.parse import grammar
from dsl.primitives import TABLE

ROOT = Path(__file__).resolve().parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
FENCE = re.compile(r"^```(\w+)(?: title=\"([^\"]+)\")?\n(.*?)^```$", re.MULTILINE | re.DOTALL)
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(ROOT), "COLUMNS": "110", "NO_COLOR": "1", "PYTHONIOENCODING": "utf-8"}
# Pages whose YAML without a title is cut from a shipped ruleset.
EXCERPTS = [ROOT / "docs" / "language.md"]


def blocks(page: Path, *kinds: str) -> list[tuple[str, str, str]]:
    """The fenced blocks of some kinds: kind, title, body."""
    found = FENCE.findall(page.read_text(encoding="utf-8"))
    return [(kind, title, body) for kind, title, body in found if kind in kinds]


def name(page: Path) -> str:
    return page.name


@pytest.fixture(scope="module")
def generate() -> ModuleType:
    spec = importlib.util.spec_from_file_location("docs_generate", ROOT / "docs" / "generate.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def reference(generate: ModuleType) -> dict[str, str]:
    pages: dict[str, str] = generate.pages()
    return pages


# ------------------------------------------------------------ rulesets, commands


def test_the_ruleset_of_the_readme_has_twenty_lines_checks_and_plays() -> None:
    (_, title, text), *_ = blocks(ROOT / "README.md", "yaml")
    assert title == "short-whist.yaml"
    assert len(text.splitlines()) == 20
    game = spadille.load(text)
    chance = random.Random(1)
    match = game.match(seed=1)
    while not match.over:
        match = match.apply(chance.choice(match.state.legal()))
    assert max(match.totals) >= 5
    assert all(sum(result.payoffs) > 0 for result in match.results)


def lines_match(shown: list[str], printed: list[str]) -> bool:
    """Whether output is as shown; a line `…` stands for any lines, `…` in a line for any text."""
    if not shown:
        return not printed
    if shown[0].strip() == "…":
        return any(lines_match(shown[1:], printed[start:]) for start in range(len(printed) + 1))
    pattern = ".*".join(re.escape(part) for part in shown[0].rstrip().split("…"))
    return bool(printed) and re.fullmatch(pattern, printed[0].rstrip()) is not None and lines_match(shown[1:], printed[1:])


def sessions(body: str) -> Iterator[tuple[str, list[str]]]:
    """The commands of a console block, each with the lines shown below it."""
    for part in re.split(r"^\$ ", body, flags=re.MULTILINE)[1:]:
        command, *lines = part.rstrip("\n").split("\n")
        yield command, [] if lines == [""] else lines


def run(folder: Path, *arguments: str, typed: str = "") -> tuple[str, int]:
    """What `spadille` prints, and its exit code."""
    done = subprocess.run([sys.executable, "-m", "spadille", *arguments], cwd=folder, env=ENVIRONMENT, input=typed,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8", timeout=300, check=False)  # fmt: skip
    return done.stdout, done.returncode


@pytest.mark.parametrize("page", [page for page in PAGES if blocks(page, "console")], ids=name)
def test_commands_print_what_a_page_shows(page: Path, tmp_path: Path) -> None:
    wrong = []
    for kind, title, body in blocks(page, "yaml", "console"):
        if kind == "yaml" and title:
            (tmp_path / title).write_text(body, encoding="utf-8")
        for command, shown in sessions(body) if kind == "console" else ():
            program, *arguments = command.split()
            assert program == "spadille"
            # What is typed at a prompt is echoed where it is read from a pipe.
            output, _ = run(tmp_path, *arguments, typed="".join(f"{line[2:]}\n" for line in shown if line.startswith("> ")))
            printed = [line for line in output.rstrip("\n").split("\n") if not line.startswith("compiling the engine")]
            if not lines_match(shown, [] if printed == [""] else printed):
                wrong.append(f"$ {command}\n{output}")
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("page", [page for page in PAGES if any(title for _, title, _ in blocks(page, "yaml"))], ids=name)
def test_complete_files_end_up_sound(page: Path, tmp_path: Path) -> None:
    files = {title: body for _, title, body in blocks(page, "yaml") if title and not title.startswith("wrong")}
    for title, body in files.items():
        (tmp_path / title).write_text(body, encoding="utf-8")
    for title in files:
        command = "test" if title.endswith(".cases.yaml") else "check"
        output, exit_code = run(tmp_path, command, title)
        assert exit_code == 0, f"{title}\n{output}"


@pytest.mark.parametrize("page", [page for page in PAGES if blocks(page, "python")], ids=name)
def test_python_of_a_page_runs(page: Path) -> None:
    for _, _, body in blocks(page, "python"):
        exec(compile(body, page.name, "exec"), {"__name__": "page"})


def test_commands_of_the_readme_exist() -> None:
    from spadille.cli import main

    text = (ROOT / "README.md").read_text(encoding="utf-8")
    named = set(re.findall(r"(?<![\w/-])spadille ([a-z]+)\b", "\n".join(re.findall(r"`([^`\n]+)`", text))))
    named |= set(re.findall(r"bin/spadille ([a-z]+)", text))
    assert named, "the README names no command"
    assert named <= set(main.list_commands(None))
    for path in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", text):
        assert (ROOT / path).exists(), path


# ----------------------------------------------------------------- excerpts


def dedented(lines: list[str]) -> str:
    return textwrap.dedent("\n".join(line.rstrip() for line in lines))


@pytest.mark.parametrize("page", EXCERPTS, ids=name)
def test_excerpts_are_lines_of_shipped_rulesets(page: Path) -> None:
    shipped = [path.read_text(encoding="utf-8").splitlines() for path in sorted((ROOT / "rulesets").glob("*.yaml"))]
    for _, title, body in blocks(page, "yaml"):
        lines = body.splitlines()
        first, wanted = lines[0].strip(), dedented(lines)
        places = ((text, start) for text in shipped for start, line in enumerate(text) if line.strip() == first)
        assert title or any(dedented(text[start : start + len(lines)]) == wanted for text, start in places), body


# ---------------------------------------------------------------- reference


@pytest.mark.parametrize("file", ["ruleset", "cases"])
def test_the_reference_has_every_key(file: str, reference: dict[str, str]) -> None:
    schema = json.loads((ROOT / "dsl" / f"{file}.schema.json").read_text(encoding="utf-8"))
    page = reference["reference/keys.md" if file == "ruleset" else "reference/cases.md"]
    unused = {"form"}  # of a library module, which has its own page
    shapes = {"top": schema, **{id: shape for id, shape in schema["$defs"].items() if "properties" in shape and id not in unused}}
    for id, shape in shapes.items():
        section = page.partition(f"{{#{id}}}")[2].partition("\n## ")[0]
        assert section, f"no section {id}"
        for key, value in shape["properties"].items():
            assert f"| `{key}` | " in section, f"{id}.{key}"
            about = value.get("description") or schema["$defs"][value["$ref"].rpartition("/")[2]]["description"]
            assert about[1:].rstrip(".").replace("|", "\\|") in section, f"{id}.{key}"


def test_the_reference_has_every_function_name_and_code(reference: dict[str, str]) -> None:
    from dsl.codes import CODES
    from dsl.names import ABOUT_BUILT_IN

    names = reference["reference/names.md"]
    assert [row for row in TABLE if f"| `{row}(" not in names] == []
    assert [row for row in ABOUT_BUILT_IN if f"| `{row}` |" not in names] == []
    assert [id for id in CODES if f"[{id}](errors/{id.lower()}.md)" not in reference["reference/errors.md"]] == []
    assert [id for id, row in CODES.items() if row.why not in reference[f"reference/errors/{id.lower()}.md"]] == []


def test_the_reference_has_every_command_game_and_library_row(reference: dict[str, str]) -> None:
    from spadille.cli import main

    assert [c for c in main.list_commands(None) if f"## spadille {c} " not in reference["reference/commands.md"]] == []
    assert [id for id in spadille.ruleset_ids() if f"{{#{id}}}" not in reference["reference/games.md"]] == []
    for path in (ROOT / "dsl" / "library").glob("*.yaml"):
        module = yaml.safe_load(path.read_text(encoding="utf-8"))
        rows = [*module.get("forms", ()), *module.get("phrases", ()), *module.get("decks", ())]
        assert rows and all(f"`{row}`" in reference["reference/library.md"] for row in rows), path


def test_every_game_has_a_page_with_its_cards_and_options(reference: dict[str, str]) -> None:
    overview = reference["games/index.md"]
    for id in spadille.ruleset_ids():
        page, program = reference[f"games/{id}.md"], spadille.load(id).program
        shown = set(re.findall(r'aria-label="(\w+)"', page))
        # The picture of a card has its rank and its suit's letter on it.
        assert {program.deck.text(card) for card in range(len(program.deck))} <= shown, id
        assert all(f"| `{option}` |" in page for option in program.options), id
        assert f'<a href="{id}/">' in overview and all(source in page for source in program.rules.sources), id
        parent = yaml.safe_load((ROOT / "rulesets" / f"{id}.yaml").read_text(encoding="utf-8")).get("extends")
        assert (f"## What differs from {parent}" in page) is (parent is not None), id
    for feature in ("an auction", "something seen by nobody", "exchanges"):
        assert f"| {feature} | [" in overview


def test_every_form_of_the_grammar_has_a_row_whose_example_is_one(generate: ModuleType) -> None:
    explained = set()
    for kind in generate.WORDS["kinds"]:
        for form in kind["forms"]:
            shape = grammar().parse(str(form["example"]), start=kind["kind"])
            assert form["form"] in {str(part.data) for part in shape.iter_subtrees()}, form
            explained.add(form["form"])
    plumbing = generate.EXPRESSION_PARTS | {"item", "step", "payment", "pile_of", "target", "repeat", "offer", "parameter"}
    assert set(generate.grammar_forms()) - plumbing == explained
