"""The reference pages, written from what the program itself reads: schemas, grammar, tables, library, commands.

MkDocs runs `on_files` as a hook at every build, so that nothing is kept twice and nothing can be out of date.
`python docs/generate.py FOLDER` writes the same pages to a folder.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterable, Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import yaml

ROOT = Path(__file__).resolve().parent.parent
for folder in (ROOT, ROOT / "docs"):
    if str(folder) not in sys.path:
        sys.path.insert(0, str(folder))

# Imported here and not on need: MkDocs lends a hook its folder only while it is loaded.
GAMES = import_module("game_pages")
Shape = dict[str, Any]
WORDS: dict[str, Any] = yaml.safe_load((ROOT / "docs" / "reference.yaml").read_text(encoding="utf-8"))
GENERATED = "*This page is generated from `{}` at every build.*"


# ------------------------------------------------------------------- Markdown


def cell(text: str) -> str:
    """Text that can stand in a cell of a table."""
    return " ".join(text.split()).replace("|", "\\|")


def table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """A table; cells are Markdown."""
    heads = list(head)
    lines = [heads, ["---"] * len(heads), *([cell(one) for one in row] for row in rows)]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def code(value: Any) -> str:
    """A value as inline code, as it is written in YAML."""
    if isinstance(value, dict | list):
        value = yaml.safe_dump(value, default_flow_style=True, sort_keys=False, allow_unicode=True, width=1000).strip()
    elif isinstance(value, bool):
        value = "true" if value else "false"
    return f"`{value}`"


def intro(name: str) -> str:
    """The words at the head of a page or a section."""
    return " ".join(WORDS["pages"][name].split())


def page(title: str, source: str, *parts: str) -> str:
    return "\n\n".join([f"# {title}", GENERATED.format(source), *parts]) + "\n"


def front(text: str) -> str:
    """The text with a capital at the front and a full stop at the end."""
    text = " ".join(text.split())
    text = text[:1].upper() + text[1:]
    return text if text.endswith((".", "…", "?", "!")) else text + "."


# -------------------------------------------------------------------- schemas


class SchemaPage:
    """A JSON Schema as tables: one for the root, one for every mapping that it refers to, in order of mention."""

    def __init__(self, path: Path, texts: str) -> None:
        self.schema: Shape = json.loads(path.read_text(encoding="utf-8"))
        self.defs: dict[str, Shape] = self.schema["$defs"]
        self.texts = texts
        self.waiting: list[str] = []

    def resolve(self, shape: Shape) -> Shape:
        """The shape with its reference followed; what stands beside the reference wins."""
        if "$ref" not in shape:
            return shape
        return {**self.defs[shape["$ref"].rpartition("/")[2]], **shape}

    def due(self, shape: Shape, depth: int = 0) -> str:
        """What a value must be, in a few words with links."""
        whole = self.resolve(shape)
        id = shape.get("$ref", "").rpartition("/")[2]
        if "x-kind" in whole:
            return self.text(whole["x-kind"])
        if "const" in whole:
            return code(whole["const"])
        if "enum" in whole:
            return " or ".join(code(one) for one in whole["enum"])
        if "properties" in whole and id:
            if id not in self.waiting:
                self.waiting.append(id)
            return f"[{whole.get('title', id)}](#{id})"
        for several in ("anyOf", "oneOf"):
            if several in whole:
                return " or ".join(dict.fromkeys(self.due(one, depth) for one in whole[several]))
        kind = whole.get("type")
        if kind == "array":
            items = self.resolve(whole["items"])
            if "anyOf" in items and id == "steps":
                self.due(items, depth)  # puts the kinds of steps on the list of what follows
                return "[steps](#steps)"
            return "a list: " + self.due(whole["items"], depth)
        if kind == "object":
            inner = whole.get("additionalProperties")
            value = "any value" if not isinstance(inner, dict) or depth > 2 else self.due(inner, depth + 1)
            key_kind = whole.get("x-key-kind")
            key = self.text(key_kind) if key_kind else self.due(whole.get("propertyNames", {}), depth) or "text"
            return f"{key} → {value}"
        return self.plain(whole)

    def text(self, kind: str) -> str:
        """A link to a kind of text."""
        return f"[{'expression' if kind == 'expr' else kind}]({self.texts}#{kind})"

    @staticmethod
    def plain(shape: Shape) -> str:
        if "x-words" in shape:
            words: str = shape["x-words"]
            return words.partition(" (")[0]
        kind = shape.get("type")
        if kind == "integer":
            bounds = [str(shape[key]) for key in ("minimum", "maximum") if key in shape]
            return "a whole number" + (f", {' to '.join(bounds)}" if bounds else "")
        if kind == "boolean":
            return "`true` or `false`"
        return "text" if kind else ""

    def rows(self, shape: Shape) -> Iterator[tuple[str, str, str]]:
        for key, value in shape.get("properties", {}).items():
            whole = self.resolve(value)
            needed = " **Required.**" if key in shape.get("required", ()) else ""
            own = value.get("examples", whole.get("examples") if "$ref" not in value else None)
            example = f" For example {', '.join(code(one) for one in own)}." if own else ""
            yield f"`{key}`", front(whole.get("description", "")) + needed + example, self.due(value)

    def section(self, title: str, anchor: str, shape: Shape) -> str:
        parts = [f"## {title} {{#{anchor}}}", front(shape.get("description", ""))]
        parts += ["For example " + ", ".join(code(one) for one in shape["examples"]) + "."] if "examples" in shape else []
        return "\n\n".join([*parts, table(("key", "what it says", "value"), self.rows(shape))])

    def sections(self, title: str) -> str:
        found = [self.section(title, "top", self.schema)]
        if "steps" in self.defs:
            found.append(self.steps())
        for id in self.waiting:  # grows while it is read
            found.append(self.section(front(self.defs[id].get("title", id))[:-1], id, self.defs[id]))
        return "\n\n".join(found)

    def steps(self) -> str:
        kinds = self.due(self.defs["one_step"])
        return f"## Steps {{#steps}}\n\n{front(self.defs['steps']['description'])} A step is {kinds}."


def keys_page() -> str:
    schema = SchemaPage(ROOT / "dsl" / "ruleset.schema.json", "text.md")
    return page("Keys of a ruleset", "dsl/ruleset.schema.json", intro("keys"), schema.sections("At the top"))


def cases_page() -> str:
    schema = SchemaPage(ROOT / "dsl" / "cases.schema.json", "text.md")
    return page("Keys of a case file", "dsl/cases.schema.json", intro("cases"), schema.sections("At the top"))


# -------------------------------------------------------------------- grammar

# What a part of the grammar is called where it stands inside a form.
PARTS = {
    "NAME": "name", "NUMBER": "number", "COMPARE": "< <= > >=", "BELOW": "<", "PLUS": "+", "MINUS": "-", "WITHOUT": "without",
    "TIMES": "*", "OVER": "/", "MOD": "mod", "MEET": "&", "_CARDS": "cards", "_PAYS": "pays", "_SCORES": "scores", "PER": "per seat",
    "ORDERED": "in order", "OR_NONE": ", or none", "FOR_MATCH": ", for the match", "SEEN": "all / owner / nobody",
    "pile_of": "pile", "target": "variable", "item": "card",
}  # fmt: skip
EXPRESSION_PARTS = frozenset("expr choice disjunction conjunction negation comparison sum term factor owned atom quantified".split())
LEAF = re.compile(r'"([^"]*)"|\w+[*+]?|\)[*+]?|[\[\](|]')


def grammar_forms() -> dict[str, list[str]]:
    """The forms of the grammar as a reader sees them: by alias or rule, each alternative in one line."""
    text = (ROOT / "dsl" / "grammar.lark").read_text(encoding="utf-8")
    found: dict[str, list[str]] = {}
    rule = ""
    for line in text.splitlines():
        line = line.partition("//")[0].rstrip()
        head = re.match(r"\??([a-z_]+):\s*(.*)", line)
        if head:
            rule, body = head.groups()
        elif line.strip().startswith("|"):
            body = line.strip()[1:]
        else:
            continue
        body, _, alias = body.partition("->")
        found.setdefault(alias.strip() or rule, []).append(readable(body))
    return found


def readable(body: str) -> str:
    """An alternative of the grammar without its quotes: words as they are written, parts by their names."""
    words = []
    for leaf in LEAF.finditer(body):
        literal, word = leaf.group(1), leaf.group(0)
        if literal is not None:
            words.append(literal)
        elif word in EXPRESSION_PARTS:
            words.append("…")
        else:
            words.append(PARTS.get(word.rstrip("*+"), word.rstrip("*+")) + word[len(word.rstrip("*+")) :])
    line = re.sub(r"\s+([,)\]])", r"\1", " ".join(words))
    return re.sub(r"([(\[])\s+", r"\1", line).replace(" (…", "(…").replace("[(…", "[ (…")


def text_page() -> str:
    shapes = grammar_forms()
    parts = []
    for kind in WORDS["kinds"]:
        rows = []
        for form in kind["forms"]:
            shown = " or ".join(f"`{one}`" for one in dict.fromkeys(shapes[form["form"]]))
            rows.append((shown, form["means"], f"`{form['example']}`"))
        head = f"## {kind['title']} {{#{kind['kind']}}}\n\n{kind['about']}"
        parts.append(f"{head}\n\n{table(('form', 'means', 'example'), rows)}")
    parts.append(f"## What binds tighter {{#precedence}}\n\n{intro('precedence')}")
    grammar = (ROOT / "dsl" / "grammar.lark").read_text(encoding="utf-8").strip()
    parts.append(f"## The grammar {{#grammar}}\n\nThe whole of it, LALR(1), as the parser reads it.\n\n```text\n{grammar}\n```")
    return page("Text of the language", "dsl/grammar.lark` and `docs/reference.yaml", intro("text"), *parts)


# --------------------------------------------------- names, functions, library


def names_page() -> str:
    from dsl.names import ABOUT_BUILT_IN, BUILT_IN, HIDDEN, PILES
    from dsl.primitives import TABLE
    from dsl.types import BY_NAME

    kinds = {variable.name: f"{variable.type}{f', per {variable.per}' if variable.per else ''}" for variable in BUILT_IN}
    for pile in PILES:
        kinds[pile.name] = f"a pile{', one per seat' if pile.per_seat else ''}{', in order' if pile.ordered else ''}, seen by {pile.seen}"
    kinds |= {"eldest": "a seat", "multiplier": "a number", "target": "a number", "trumps": "cards", "otherwise": "yes or no"}
    kinds |= dict.fromkeys(("seats", "suits", "ranks", "sides", "bids", "cards"), "a set")
    names = [(f"`{name}`", kinds.get(name, ""), front(about)) for name, about in ABOUT_BUILT_IN.items() if name not in HIDDEN]
    functions = []
    for row in TABLE.values():
        parameters = ", ".join(str(parameter).removeprefix("a ") for parameter in row.parameters)
        functions.append((f"`{row.name}({parameters})`", str(row.result), front(row.about)))
    types = [(f"`{name}`", str(type_)) for name, type_ in BY_NAME.items()]
    return page(
        "Names, functions and types",
        "dsl/names.py`, `dsl/primitives.py` and `dsl/types.py",
        f"## Names {{#names}}\n\n{intro('names')}\n\n{table(('name', 'is', 'means'), names)}",
        f"## Functions {{#functions}}\n\n{intro('functions')}\n\n{table(('function', 'gives', 'means'), functions)}",
        f"## Types {{#types}}\n\n{intro('types')}\n\n{table(('word', 'an expression of this type is'), types)}",
    )


def library_page() -> str:
    parts = []
    for path in sorted((ROOT / "dsl" / "library").glob("*.yaml")):
        module = yaml.safe_load(path.read_text(encoding="utf-8"))
        shown = [f"## {module['library']} {{#{module['library']}}}", front(module["about"])]
        if module.get("decks"):
            rows = []
            for id, deck in module["decks"].items():
                suits = ", ".join(f"{name} (`{suit['letter']}`)" for name, suit in deck["suits"].items())
                rows.append((f"`{id}`", front(deck["about"]), suits, f"`{' '.join(str(rank) for rank in deck['ranks'])}`"))
            shown.append(table(("deck", "", "suits", "ranks"), rows))
        for word, kind in (("form", "forms"), ("phrase", "phrases")):
            for name, row in module.get(kind, {}).items():
                body = yaml.safe_dump(row["steps"], sort_keys=False, allow_unicode=True, width=110).rstrip()
                parameters = ", ".join(f"`{p}` is a {type_}" for p, type_ in row.get("parameters", {}).items())
                about = front(row.get("about", "")) + (f" Here {parameters}." if parameters else "")
                shown.append(f"### {word} `{name}`\n\n{about}\n\n```yaml\n{body}\n```")
        parts.append("\n\n".join(shown))
    return page("Library", "dsl/library/", intro("library"), *parts)


# --------------------------------------------------- codes, commands, rulesets


def codes_page() -> str:
    from dsl.codes import CODES, FAMILIES

    parts: list[str] = []
    for family, (_, heading) in FAMILIES.items():
        rows = [(f"[{id}](errors/{id.lower()}.md)", row.title, row.what) for id, row in CODES.items() if id.startswith(family)]
        parts.append(f"## {heading} ({family}xx)\n\n{table(('code', 'title', 'what is wrong'), rows)}")
    return page("Errors and warnings", "dsl/explanations/", intro("errors"), *parts)


def code_pages() -> dict[str, str]:
    """A page for every code."""
    from dsl.codes import CODES
    from spadille.explanation import markdown

    return {f"reference/errors/{id.lower()}.md": markdown(row) for id, row in CODES.items()}


def commands_page() -> str:
    import click

    from spadille.cli import main

    root = click.Context(main, info_name="spadille", terminal_width=96)
    parts = [f"```text\n{main.get_help(root).rstrip()}\n```"]
    for name in main.list_commands(root):
        command = main.get_command(root, name)
        if command is None or command.hidden:
            continue
        own = click.Context(command, info_name=name, parent=root, terminal_width=96)
        parts.append(f"## spadille {name} {{#{name}}}\n\n```text\n{command.get_help(own).rstrip()}\n```")
    return page("Commands", "spadille --help", intro("commands"), *parts)


def games_page() -> str:
    from spadille.loading import read, ruleset_ids

    parts = []
    for id in ruleset_ids():
        loaded = read(id)
        if loaded.program is None:
            raise ValueError(f"ruleset {id} does not check: {[str(d.message) for d in loaded.report.errors]}")
        rules = loaded.program.rules
        about = f"{rules.summary} {rules.players} players, deck `{loaded.program.deck.id}`."
        parent = raw_key(id, "extends")
        if parent:
            about += f" A variant of [{parent}](#{parent})."
        rows = []
        for option in loaded.program.options.values():
            values = ", ".join(f"`{word}`" for word in option.words) or (
                "`yes`, `no`" if option.kind == "truth" else f"{option.kind} from {option.least} to {option.most}"
            )
            rows.append((f"`{option.id}`", f"`{option.default.value}`", values, front(option.about), option.source))
        sources = "\n".join(f"- *{name}*: {text}" for name, text in rules.sources.items())
        options = table(("option", "default", "values", "decides", "source"), rows)
        parts.append(f"## {rules.title} {{#{id}}}\n\n{about}\n\n{options}\n\n{sources}")
    return page("Games and their options", "rulesets/", intro("games"), *parts)


def raw_key(id: str, key: str) -> str | None:
    """A key of a shipped ruleset as it stands in the file."""
    value = yaml.safe_load((ROOT / "rulesets" / f"{id}.yaml").read_text(encoding="utf-8")).get(key)
    return None if value is None else str(value)


def readme_page() -> str:
    """The README with its links to pages of this site made local; other files of the repository are only named."""

    def link(found: re.Match[str]) -> str:
        words, target = found.groups()
        if target == "bench/README.md":
            return f"[{words}](speed.md)"
        return f"[{words}]({target.removeprefix('docs/')})" if target.startswith(("docs/", "http")) else words

    return re.sub(r"(?<!!)\[([^\]]+)\]\(([^)]+)\)", link, (ROOT / "README.md").read_text(encoding="utf-8"))


def pages() -> dict[str, str]:
    """All generated pages: path below docs/, and Markdown."""
    return {
        "readme.md": readme_page(),
        "speed.md": (ROOT / "bench" / "README.md").read_text(encoding="utf-8"),
        "reference/keys.md": keys_page(),
        "reference/text.md": text_page(),
        "reference/names.md": names_page(),
        "reference/library.md": library_page(),
        "reference/games.md": games_page(),
        "reference/cases.md": cases_page(),
        "reference/errors.md": codes_page(),
        **code_pages(),
        "reference/commands.md": commands_page(),
        **GAMES.pages(table),
    }


def on_files(files: Any, config: Any) -> Any:
    """MkDocs' hook: adds the generated pages to the site."""
    from mkdocs.structure.files import File

    for path, text in pages().items():
        files.append(File.generated(config, path, content=text))
    return files


if __name__ == "__main__":
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else Path("site-reference")
    for path, text in pages().items():
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")
        print(target)
