"""The names of a ruleset as an editor shows them: what each is, what it means, where it is declared."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from dsl.diagnostics import Report
from dsl.document import plain
from dsl.load import libraries
from dsl.mistakes import KEYWORDS, TOKEN
from dsl.names import ABOUT_BUILT_IN, BUILT_IN, HIDDEN, PILES
from dsl.primitives import TABLE
from dsl.shapes import walk_dsl
from dsl.source import Entry, Mapping, Node, Scalar, Span

# Sections whose keys are names in texts, and what one of them is called.
SECTIONS = {
    "options": "an option", "cards": "cards", "piles": "a pile", "variables": "a variable", "define": "a definition",
    "sides": "a side", "contracts": "a contract", "outcomes": "an outcome", "phrases": "a phrase",
}  # fmt: skip
BOUND = re.compile(r"\b(?:some|every|count|those|first|highest|lowest|for|let)\s+(\w+)\b")
LONGEST = 300


@dataclass(frozen=True, slots=True)
class Name:
    """A name: its kind in words, its type or text, what is said of it; where it is declared, unless the language has it."""

    text: str
    kind: str
    detail: str = ""
    about: str = ""
    span: Span | None = None

    @property
    def hover(self) -> str:
        """Markdown for a reader: the kind and type, then what it means."""
        lines = [f"**{self.text}**: {self.kind}"]
        lines += [f"```\n{self.detail[:LONGEST]}\n```"] if self.detail else []
        return "\n\n".join([*lines, *([self.about] if self.about else [])])


def names_of(document: Mapping) -> dict[str, Name]:
    """All names of a resolved ruleset, the language's own included; the ruleset's win."""
    found = dict(built_in())
    for module in [*libraries(document, Report()), document]:
        for section, kind in SECTIONS.items():
            for entry in entries(module.get(section)):
                name = declared(entry, kind)
                found[name.text] = name
    for rows in ("obligations", "lead_obligations"):
        play = document.get("play")
        for entry in entries(play.get(rows) if isinstance(play, Mapping) else None):
            found.setdefault(entry.key.value, declared(entry, "an obligation"))
    for option in entries(document.get("options")):
        choices = plain(option.value).get("choices", ()) if isinstance(option.value, Mapping) else ()
        for choice in choices:
            found.setdefault(str(choice), Name(str(choice), f"a choice of option `{option.key.value}`", span=option.key.span))
    return found


def built_in() -> Iterator[tuple[str, Name]]:
    """The names of the language: variables, piles, sets and functions, each with what it means."""
    types = {one.name: f"{one.type}{f', per {one.per}' if one.per else ''}" for one in BUILT_IN}
    types |= {pile.name: f"a pile{', one per seat' if pile.per_seat else ''}, seen by {pile.seen}" for pile in PILES}
    for name, about in ABOUT_BUILT_IN.items():
        if name not in HIDDEN:
            yield name, Name(name, "a word of every game", types.get(name, ""), about)
    for row in TABLE.values():
        parameters = ", ".join(str(one).removeprefix("a ") for one in row.parameters)
        yield row.name, Name(row.name, "a function", f"{row.name}({parameters}): {row.result}", row.about)


def declared(entry: Entry, kind: str) -> Name:
    """The name that a row declares."""
    value = entry.value
    text = entry.key.value.partition("(")[0].strip() if kind == "a definition" else entry.key.value
    about = ""
    if isinstance(value, Mapping):
        data = plain(value)
        about = str(data.get("about", ""))
        if kind == "an option":
            which = " | ".join(map(str, data["choices"])) if "choices" in data else str(data.get("type", ""))
            return Name(text, kind, f"{which}, default {data.get('default')}", about, entry.key.span)
        detail = str(data.get("must", "") or data.get("steps", "") or data.get("prepare", ""))
    else:
        detail = " ".join(value.value.split()) if isinstance(value, Scalar) else ""
    return Name(text, kind, f"{entry.key.value}: {detail}" if detail else "", about, entry.key.span)


def entries(node: Node | None) -> tuple[Entry, ...]:
    """The rows of a section; none if it is not there."""
    return node.entries if isinstance(node, Mapping) else ()


# ------------------------------------------------------------------------ texts


def words(document: Mapping) -> Iterator[tuple[str, Span, Scalar]]:
    """Every word of the texts of one file (not of its parents), with its place and its text."""
    for _, scalar, _ in walk_dsl(document, "ruleset"):
        for found in TOKEN.finditer(scalar.value):
            if found.group()[:1].isalpha():
                yield found.group(), scalar.part(*found.span()), scalar


def word_at(text: str, offset: int) -> tuple[str, int]:
    """The word at an offset of a file and where it begins; empty if there is none."""
    start = end = offset
    while start > 0 and (text[start - 1].isalnum() or text[start - 1] == "_"):
        start -= 1
    while end < len(text) and (text[end].isalnum() or text[end] == "_"):
        end += 1
    return text[start:end], start


def in_scope(text: str, offset: int, known: dict[str, Name]) -> list[Name]:
    """What may be written at a place: the names of the ruleset, those bound in the same text, the language's words."""
    start = text.rfind("\n\n", 0, offset)
    bound = dict.fromkeys(BOUND.findall(text[max(start, offset - LONGEST, 0) : offset]))
    local = [Name(name, "bound here") for name in bound if name not in known]
    return [*local, *known.values(), *(Name(word, "a word of the language") for word in sorted(KEYWORDS - known.keys()))]
