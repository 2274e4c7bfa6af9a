"""The codes of diagnostics: what each means, why it is refused, and an example, read from `explanations/`."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeAlias

import yaml

FOLDER = Path(__file__).with_name("explanations")
# Codes by their first two characters, in the order of the documentation: the file and the heading.
FAMILIES = {
    "E1": ("files", "File, YAML and keys"),
    "E2": ("names", "Decks, orders and names"),
    "E3": ("texts", "Single texts"),
    "E4": ("types", "Types and quantities"),
    "E5": ("rules", "The rules as a whole"),
    "E6": ("variants", "Variants and options"),
    "E8": ("cases", "Case files"),
    "W7": ("warnings", "Warnings"),
}

# An old text and the new one in its place; or a text, a line to put behind it and how often.
Edit: TypeAlias = tuple[str, str, int]


@dataclass(frozen=True, slots=True)
class Example:
    """A file as whole text, or as changes to the small ruleset (or case file) that stands beside the explanations."""

    text: str | None = None
    edits: tuple[Edit, ...] = ()


@dataclass(frozen=True, slots=True)
class Code:
    """A title of a few words, what is wrong, why it is refused, and an example with it and without.

    `of_cases` says that the example is a case file, `options` what is chosen, `parents` who extends whom beside it,
    `encoding` how the wrong file is written; without a `wrong` example the file is missing altogether. An example is
    `judged` by the JSON Schema alone or needs a `thorough` check where nothing less finds the fault.
    """

    id: str
    title: str
    what: str
    why: str
    wrong: Example | None
    right: Example
    of_cases: bool = False
    options: dict[str, str] = field(default_factory=dict)
    parents: dict[str, str] = field(default_factory=dict)
    encoding: str = "utf-8"
    judged: bool = False
    thorough: bool = False

    @property
    def severity(self) -> str:
        return "warning" if self.id.startswith("W") else "error"

    def file(self, right: bool) -> str | None:
        """The text of the example that is right, or of the wrong one; None if that is missing."""
        example = self.right if right else self.wrong
        if example is None or example.text is not None:
            return None if example is None else example.text
        text = (FOLDER / ("base.cases.yaml" if self.of_cases else "base.yaml")).read_text(encoding="utf-8")
        for old, new, times in example.edits:
            if text.count(old) != 1:
                raise ValueError(f"the example of {self.id} changes {old!r}, which occurs {text.count(old)} times")
            if times:
                new = old + "".join(new.replace("{n}", str(number)).replace("{m}", str(number - 1)) for number in range(1, times + 1))
            text = text.replace(old, new)
        return text


def _example(data: Any) -> Example:
    if isinstance(data, str):
        return Example(text=data)
    return Example(edits=tuple((row[0], row[1], int(row[2]) if len(row) > 2 else 0) for row in data))


def _code(id: str, row: dict[str, Any]) -> Code:
    return Code(
        id=id,
        title=row["title"],
        what=row["what"],
        why=row["why"],
        wrong=_example(row["wrong"]) if "wrong" in row else None,
        right=_example(row.get("right", ())),
        of_cases=row.get("of") == "cases",
        options=row.get("options", {}),
        parents=row.get("parents", {}),
        encoding=row.get("encoding", "utf-8"),
        judged="judged" in row,
        thorough="thorough" in row,
    )


def read_family(family: str) -> dict[str, Code]:
    """The codes that begin with the two characters of a family."""
    text = (FOLDER / f"{FAMILIES[family][0]}.yaml").read_text(encoding="utf-8")
    # BaseLoader makes plain texts of plain data: `no` and `1` stay what they are.
    return {id: _code(id, row) for id, row in yaml.load(text, Loader=yaml.BaseLoader).items()}


CODES: dict[str, Code] = {id: code for family in FAMILIES for id, code in read_family(family).items()}
