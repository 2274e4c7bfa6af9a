"""How well single slips of an author are told: seeded mistakes of ten kinds in every shipped ruleset.

    python -m bench.mistakes [--each 500] [--seed 1] [--list] [RULESET ...]

For each mistake the ruleset is checked again. Counted are: the first error is on the line of the mistake; a misspelt word
is suggested as it was; and mistakes that pass in silence, which are listed, since each must be a valid other rule.
"""

from __future__ import annotations

import argparse
import random
import re
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import yaml

from dsl.diagnostics import Report
from dsl.load import load
from dsl.mistakes import KEYWORDS
from dsl.primitives import TABLE
from dsl.schema import walk_dsl
from dsl.source import Mapping, Node, Scalar, Sequence, Source
from dsl.yamltext import read
from spadille.loading import parents, ruleset_ids

ROOT = Path(__file__).resolve().parent.parent
TOKEN = re.compile(r"\w+|<=|>=|[^\w\s]")
MOST_TRIES = 20
LETTERS = "abcdefghijklmnopqrstuvwxyz"
KINDS = (
    "missing bracket",
    "misspelt keyword",
    "misspelt pile",
    "misspelt attribute",
    "unbound name",
    "split word",
    "misspelt rank",
    "wrong case",
    "number for a word",
    "wrong owner",
)
MISSPELLINGS = ("misspelt keyword", "misspelt pile", "misspelt attribute", "split word", "misspelt rank", "wrong case")


@dataclass(frozen=True, slots=True)
class Token:
    """A word or a sign of a DSL text, or a key that the schema knows: where it stands in the file, and in what."""

    text: str
    start: int
    before: str
    kind: str
    bound: bool = False


@dataclass(frozen=True, slots=True)
class Mistake:
    """One change of a ruleset: `old` at an offset becomes `new`."""

    kind: str
    ruleset: str
    start: int
    old: str
    new: str
    text: str

    @property
    def line(self) -> int:
        return self.text.count("\n", 0, self.start) + 1

    def __str__(self) -> str:
        line = self.text.split("\n")[self.line - 1].strip()
        return f"{self.ruleset}:{self.line}: {self.kind}: `{self.old}` -> `{self.new}` in: {line[:110]}"


@dataclass(frozen=True, slots=True)
class Told:
    """What an author hears of a mistake: nothing, or the first error."""

    mistake: Mistake
    code: str | None
    placed: bool
    suggested: bool
    warned: bool
    said: str

    @property
    def silent(self) -> bool:
        return self.code is None and not self.warned


# ----------------------------------------------------------------------- tokens


@cache
def text_of(id: str) -> str:
    return (ROOT / "rulesets" / f"{id}.yaml").read_text(encoding="utf-8")


@cache
def tokens(id: str) -> tuple[Token, ...]:
    """All words and signs of the DSL texts of a ruleset, and its keys of the schema."""
    source = Source(f"{id}.yaml", text_of(id))
    document = read(source, Report())
    assert document is not None
    found: list[Token] = []
    for _, scalar, kind in walk_dsl(document, "ruleset"):
        found += tokens_of(scalar, kind)
    return tuple(found)


def tokens_of(scalar: Scalar, kind: str) -> Iterator[Token]:
    """The tokens of one text; a name is bound by a quantifier, a loop or a parameter in the same text."""
    matches = list(TOKEN.finditer(scalar.value))
    words = [match.group() for match in matches]
    heads = ("some", "every", "count", "those", "first", "for", "highest", "lowest")
    bound = {words[i + 1] for i, word in enumerate(words[:-1]) if word in heads and words[i + 2 : i + 3] == ["in"]}
    for number, match in enumerate(matches):
        start = scalar.offsets[match.start()]
        word = match.group()
        if scalar.span.source.text[start : start + len(word)] == word:
            before = words[number - 1] if number else ""
            yield Token(word, start, before, kind, word in bound and before not in heads)


@cache
def brackets(id: str) -> tuple[Token, ...]:
    """The brackets of YAML in a ruleset."""
    signs = (yaml.FlowMappingStartToken, yaml.FlowMappingEndToken, yaml.FlowSequenceStartToken, yaml.FlowSequenceEndToken)
    found = [one.start_mark.index for one in yaml.scan(text_of(id)) if isinstance(one, signs)]
    return tuple(Token(text_of(id)[start], start, "", "yaml") for start in found)


@cache
def keys(id: str) -> tuple[Token, ...]:
    """The keys of a ruleset that its schema names."""
    source = Source(f"{id}.yaml", text_of(id))
    document = read(source, Report())
    assert document is not None
    found: list[Token] = []
    todo: list[Node] = [document]
    known = schema_words()
    while todo:
        node = todo.pop()
        if isinstance(node, Mapping):
            for entry in node.entries:
                if entry.key.value in known and entry.key.span.text == entry.key.value:
                    found.append(Token(entry.key.value, entry.key.span.start, "", "key"))
                todo.append(entry.value)
        elif isinstance(node, Sequence):
            todo += node.items
    return tuple(sorted(found, key=lambda token: token.start))


@cache
def schema_words() -> frozenset[str]:
    """The names of all properties of the schema."""
    text = (ROOT / "dsl" / "ruleset.schema.json").read_text(encoding="utf-8")
    found: set[str] = set()

    def walk(value: object) -> None:
        if isinstance(value, dict):
            found.update(value.get("properties", {}) if isinstance(value.get("properties"), dict) else ())
            for item in value.values():
                walk(item)
        elif isinstance(value, list):
            for item in value:
                walk(item)

    import json

    walk(json.loads(text))
    return frozenset(found)


@cache
def names(id: str) -> dict[str, frozenset[str]]:
    """The piles and what is kept per seat of a ruleset, inherited ones too, and all its names."""
    loaded = load(Source(f"{id}.yaml", text_of(id)), parents(None), ruleset_ids())
    assert loaded.program is not None
    program = loaded.program
    attributes = {variable.name for variable in program.variables} | {account.name for account in program.accounts}
    attributes |= {definition.head.name.text for definition in program.rules.define} | program.options.keys()
    everything = {variable.name for variable in program.variables} | attributes | {"seats", "cards", "suits", "eldest", "trumps"}
    piles = frozenset(pile.name for pile in program.piles)
    return {"piles": piles, "attributes": frozenset(attributes | TABLE.keys()), "all": frozenset(everything | piles)}


# --------------------------------------------------------------------- mistakes


def misspelt(word: str, chance: random.Random) -> str:
    """A word with one slip: two letters swapped, one left out, doubled or another one."""
    while True:
        at = chance.randrange(len(word))
        way = chance.randrange(4)
        if way == 0 and len(word) > 2:
            new = word[:at] + word[at + 1 :]
        elif way == 1:
            new = word[:at] + word[at] + word[at:]
        elif way == 2 and at + 1 < len(word):
            new = word[:at] + word[at + 1] + word[at] + word[at + 2 :]
        else:
            new = word[:at] + chance.choice(LETTERS) + word[at + 1 :]
        if new != word and new[:1].isalpha():
            return new


Change = Callable[[Token, random.Random, str], str]


def spoilt(kind: str, id: str) -> tuple[list[Token], Change]:
    """The tokens of a ruleset in which a kind of mistake can be made, and how it is made."""
    here, known = tokens(id), names(id)
    word = [token for token in here if token.text[:1].isalpha()]
    match kind:
        case "missing bracket":
            return [*brackets(id), *(token for token in here if token.text in "(){}")], lambda token, chance, id: ""
        case "misspelt keyword":
            chosen = [token for token in word if token.text in KEYWORDS and len(token.text) > 1 and token.kind != "order"]
            return [*chosen, *keys(id)], lambda token, chance, id: misspelt(token.text, chance)
        case "misspelt pile":
            return [token for token in word if token.text in known["piles"]], lambda token, chance, id: misspelt(token.text, chance)
        case "misspelt attribute":
            chosen = [token for token in word if token.text in known["attributes"] and token.text not in KEYWORDS]
            return chosen, lambda token, chance, id: misspelt(token.text, chance)
        case "unbound name":
            return [token for token in word if token.bound], lambda token, chance, id: chance.choice("pqvwz")
        case "split word":
            chosen = [token for token in word if len(token.text) > 4 and token.kind != "order"]
            return chosen, split
        case "misspelt rank":
            chosen = [token for token in word if token.kind == "order" and token.text not in KEYWORDS]
            return chosen, lambda token, chance, id: misspelt(token.text, chance)
        case "wrong case":
            return word, wrong_case
        case "number for a word":
            chosen = [token for token in word if token.text not in KEYWORDS and not token.text.isdigit()]
            return chosen, lambda token, chance, id: str(chance.randrange(2, 30))
    return [token for token in word if token.before == "of" and token.text not in KEYWORDS], wrong_owner


def split(token: Token, chance: random.Random, id: str) -> str:
    """A word in two; a name with `_` at that place."""
    at = token.text.find("_") if "_" in token.text and chance.random() < 0.5 else chance.randrange(2, len(token.text) - 1)
    return token.text[:at] + " " + token.text[at:].removeprefix("_")


def wrong_case(token: Token, chance: random.Random, id: str) -> str:
    return chance.choice([token.text.swapcase(), token.text[:1].swapcase() + token.text[1:]])


def wrong_owner(token: Token, chance: random.Random, id: str) -> str:
    return chance.choice(sorted(names(id)["all"] - {token.text}))


def mistakes(id: str, count: int, seed: int) -> list[Mistake]:
    """Seeded mistakes in one ruleset, none twice: ten kinds in equal parts.

    What a kind has no place for, the other kinds make in its stead; fewer than `count` come only of a file without places.
    """
    chance = random.Random(f"{id} {seed}")
    text = text_of(id)
    found: dict[tuple[int, str], Mistake] = {}

    def make(kind: str, due: int) -> bool:
        """Makes mistakes of a kind; false where it has no place for so many."""
        chosen, change = spoilt(kind, id)
        for _ in range(due * MOST_TRIES if chosen else 0):
            token = chance.choice(chosen)
            new = change(token, chance, id)
            if new != token.text and (token.start, new) not in found:
                found[token.start, new] = Mistake(kind, id, token.start, token.text, new, text)
                due -= 1
                if not due:
                    return True
        return not due

    ample = [kind for number, kind in enumerate(KINDS) if make(kind, share(count, number, len(KINDS)))]
    while ample and (left := count - len(found)):
        ample = [kind for number, kind in enumerate(ample) if make(kind, share(left, number, len(ample)))]
    return list(found.values())


def share(count: int, number: int, of: int) -> int:
    """The part of `count` that falls to one of several."""
    return count * (number + 1) // of - count * number // of


# ------------------------------------------------------------------ measurement


def tell(mistake: Mistake) -> Told:
    """What is said of a mistake."""
    text = mistake.text[: mistake.start] + mistake.new + mistake.text[mistake.start + len(mistake.old) :]
    loaded = load(Source(f"{mistake.ruleset}.yaml", text), parents(None), ruleset_ids())
    if not loaded.report.errors:
        warned = bool(loaded.report.warnings)
        return Told(mistake, None, False, False, warned, "; ".join(map(str, loaded.report.warnings)))
    first = loaded.report.errors[0]
    placed = first.span.source.name == f"{mistake.ruleset}.yaml" and first.span.line == mistake.line
    return Told(mistake, first.code, placed, f"`{mistake.old}`" in (first.help or ""), False, f"{first} / {first.help}")


def main(arguments: list[str]) -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.mistakes", description=__doc__)
    parser.add_argument("rulesets", nargs="*", metavar="RULESET")
    parser.add_argument("--each", type=int, default=500, help="mistakes in each ruleset")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--list", action="store_true", help="names every mistake that is told badly")
    chosen = parser.parse_args(arguments)
    told: list[Told] = []
    for id in chosen.rulesets or ruleset_ids():
        told += [tell(mistake) for mistake in mistakes(id, chosen.each, chosen.seed)]
    print(f"{'kind':20} {'made':>6} {'error':>6} {'on its line':>12} {'suggested':>10} {'warned':>7} {'silent':>7}")
    for kind in (*KINDS, "all"):
        rows = [one for one in told if kind in ("all", one.mistake.kind)]
        errors = [one for one in rows if one.code is not None]
        spelling = [one for one in rows if one.mistake.kind in MISSPELLINGS]
        suggested = f"{percent(sum(one.suggested for one in spelling), len(spelling)):>10}" if spelling else " " * 10
        placed = percent(sum(one.placed for one in errors), len(errors))
        silent, warned = sum(one.silent for one in rows), sum(one.warned for one in rows)
        print(f"{kind:20} {len(rows):6} {len(errors):6} {placed:>12} {suggested} {warned:7} {silent:7}")
    if chosen.list:
        for title, rows in (
            ("not on its line", [one for one in told if one.code is not None and not one.placed]),
            ("not suggested", [one for one in told if one.mistake.kind in MISSPELLINGS and not one.suggested and one.code]),
            ("warned", [one for one in told if one.warned]),
            ("silent", [one for one in told if one.silent]),
        ):
            print(f"\n{title}: {len(rows)}")
            for one in rows:
                print(f"  {one.mistake}\n      {one.said}")


def percent(part: int, whole: int) -> str:
    return f"{100 * part / whole:.1f} %" if whole else "-"


if __name__ == "__main__":
    main(sys.argv[1:])
