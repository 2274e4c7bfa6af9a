"""Formatting: one text for one tree, comments and meaning kept, the same again when it is done twice."""

from __future__ import annotations

import random
import re
from pathlib import Path
from typing import Any

import pytest
import yaml
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

import spadille
from dsl import tree
from dsl.diagnostics import Report
from dsl.mistakes import KEYWORDS, KIND_WORDS
from dsl.parse import parse
from dsl.printing import format_source, print_text
from dsl.printing.kinds import dsl_scalars
from dsl.printing.layout import lines_of
from dsl.printing.texts import layout
from dsl.source import Scalar, Source, Span
from dsl.yamltext import CASES, read
from spadille.cli import main
from spadille.loading import FOLDER, parents

FILES = sorted([*FOLDER.glob("*.yaml"), *(FOLDER.parent / "dsl" / "library").glob("*.yaml")])
LOADER: Any = type("Loader", (getattr(yaml, "CBaseLoader", yaml.BaseLoader),), {})  # every scalar as its text
NOWHERE = Span(Source("", ""), 0, 0)


def formatted(text: str, name: str = "x.yaml") -> str:
    report = Report()
    done = format_source(Source(name, text), report, parents(FOLDER))
    assert done is not None, report.diagnostics
    return done


def read_text(text: str, kind: str) -> Any:
    report = Report()
    found = parse(Scalar(text, range(len(text) + 1), Span(Source("x", text), 0, len(text))), kind, report)
    assert found is not None, (text, [diagnostic.message for diagnostic in report.diagnostics])
    return found


# ---------------------------------------------------------------- random trees

# Words of declarations may be names elsewhere, but not everywhere.
names = st.from_regex(r"[a-z]{1,3}[0-9]?", fullmatch=True).filter(lambda n: n not in KEYWORDS and n not in ("per", "owner", "nobody"))
words = names.map(lambda name: tree.Word(name, NOWHERE))


def word(*choices: str) -> st.SearchStrategy[tree.Word]:
    return st.sampled_from(choices).map(lambda text: tree.Word(text, NOWHERE))


def node(kind: Any, *fields: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.builds(kind, st.just(NOWHERE), *fields)


def tuples(items: st.SearchStrategy[Any], least: int = 1, most: int = 3) -> st.SearchStrategy[tuple[Any, ...]]:
    return st.lists(items, min_size=least, max_size=most).map(tuple)


numbers = node(tree.Number, st.integers(0, 99).map(lambda n: tree.Word(str(n), NOWHERE)))
atoms = numbers | node(tree.Name, words) | node(tree.None_)


QUANTIFIED = (tree.Some, tree.Every, tree.Count, tree.Those, tree.First, tree.Total, tree.Highest, tree.Lowest)


def larger(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    pair = (inner, inner)
    return st.one_of(
        node(tree.Call, words, tuples(inner, 0)),
        node(tree.Of, *pair),
        node(tree.Minus, inner),
        node(tree.Binary, inner, word("+", "-", "*", "/", "without", "mod", "&"), inner),
        node(tree.Compare, inner, word("<", "<=", ">", ">="), inner),
        *(node(kind, *pair) for kind in (tree.Equal, tree.Unequal, tree.Member, tree.Nonmember, tree.Both, tree.Either)),
        node(tree.Exists, inner),
        node(tree.Negate, inner),
        node(tree.Conditional, inner, inner, inner),
        *(node(kind, words, inner, inner) for kind in QUANTIFIED),
    )


expressions = st.recursive(atoms, larger, max_leaves=12)
ranks = node(tree.Ranked, words)
orders: st.SearchStrategy[Any] = st.recursive(
    node(tree.Order, tuples(ranks)),
    lambda inner: node(tree.Order, tuples(ranks | node(tree.OrderedIf, inner, expressions, inner))),
    max_leaves=4,
)
maybe = st.none() | expressions
piles = node(tree.PileOf, words, maybe)
targets = node(tree.Target, words, maybe)
payments = st.builds(
    lambda payer, amount, payee, each: tree.Pay(NOWHERE, payer, amount, payee, each if amount is not None else "no"),
    expressions, maybe, expressions, st.sampled_from(["no", "payer", "payee"]),
) | node(tree.Score, expressions, expressions, st.booleans())  # fmt: skip
TREES: dict[str, st.SearchStrategy[Any]] = {
    "expr": expressions,
    "cards": node(tree.Cards, tuples(expressions)),
    "order": orders,
    "bids": st.lists(st.tuples(words, word("<", "=")), min_size=1, max_size=4).map(
        lambda rows: tree.Bids(NOWHERE, tuple(name for name, _ in rows), tuple(sign for _, sign in rows[1:]))
    ),
    "step": st.one_of(
        node(tree.Set, targets, expressions),
        node(tree.Add, expressions, targets),
        node(tree.Let, words, expressions),
        node(tree.Deal, expressions, st.none() | piles, expressions, maybe),
        node(tree.MoveTop, maybe, piles, piles),
        node(tree.MoveAll, piles, piles),
        node(tree.Move, expressions, piles, piles),
        node(tree.Shuffle, piles),
        node(tree.Show, expressions, maybe),
        node(tree.Announce, words, maybe),
        payments,
        *(node(kind) for kind in (tree.Leave, tree.EndPlay, tree.ThrowIn, tree.Redeal)),
    ),
    "payment": payments,
    "each": node(tree.Each, words, expressions, maybe),
    "repeat": node(tree.Repeat, expressions, st.none(), st.just(()), st.booleans())
    | node(tree.Repeat, expressions, expressions, st.just(())),
    "offer": st.one_of(
        words.map(lambda verb: tree.Offer(NOWHERE, verb, None, None, None, None, ())),
        node(tree.Offer, st.none() | words, words, expressions, st.none(), st.none(), st.just(())),
    ),
    "variable": node(
        tree.Variable, words, st.booleans(), st.sampled_from(["", "seat", "side"]), st.booleans(),
        st.sampled_from(["all", "owner", "nobody"]), maybe,
    ),
    "pile": node(tree.Pile, st.booleans(), st.booleans(), st.sampled_from(["all", "owner", "nobody"])),
    "definition": node(tree.Definition, words, tuples(node(tree.Parameter, words, words), 0)),
}  # fmt: skip


def test_there_are_random_trees_of_every_kind() -> None:
    assert set(TREES) == set(KIND_WORDS)


@pytest.mark.parametrize("kind", TREES)
@settings(max_examples=25, deadline=None)
@given(data=st.data())
def test_a_printed_tree_is_read_back(kind: str, data: st.DataObject) -> None:
    made = data.draw(TREES[kind])
    text = print_text(made)
    again = read_text(text, kind)
    assert again == made
    assert print_text(again) == text
    broken = lines_of(layout(made), data.draw(st.sampled_from([10, 20, 40, 100])), spread=data.draw(st.booleans()))
    assert read_text("\n".join(broken), kind) == made
    assert all(line == line.rstrip() for line in broken)


@settings(max_examples=40, deadline=None)
@given(made=expressions, chance=st.randoms(use_true_random=False))
def test_spaces_and_brackets_of_an_author_do_not_matter(made: tree.Expr, chance: random.Random) -> None:
    text = print_text(made)
    pieces = re.findall(r"\w+|<=|>=|\S", text)
    spaced = "".join(piece + chance.choice([" ", "  ", "\n "]) for piece in pieces)
    assert print_text(read_text(f"(({spaced}))", "expr")) == text


def test_long_lists_fill_their_lines() -> None:
    bids = read_text("18 < 20=22 < 23 < 24 < 27 < 30", "bids")
    assert lines_of(layout(bids), 14, spread=True) == ["18 < 20 = 22", "< 23 < 24 < 27", "< 30"]
    order = read_text("A K Q {J 10 if x else 10 J} 9 8 7 6 5 4", "order")
    assert lines_of(layout(order), 30, spread=False) == ["A K Q", "{J 10 if x else 10 J}", "9 8 7 6 5 4"]
    assert lines_of(layout(order), 60, spread=False) == ["A K Q {J 10 if x else 10 J} 9 8 7 6 5 4"]
    assert lines_of(layout(order), 7, spread=False)[-2:] == ["9 8 7 6", "5 4"]


def test_brackets_stand_where_a_reader_needs_them() -> None:
    for before, after in (
        ("((a and b)) or c", "a and b or c"),
        ("(a or b)and c", "(a or b) and c"),
        ("not some c in x has p or q", "not (some c in x has p or q)"),
        ("a and some c in x has p", "a and (some c in x has p)"),
        ("size( (x&y) )", "size(x & y)"),
        ("a-(b-c)-d", "a - (b - c) - d"),
        ("(1/3)*x/2", "1/3 * x / 2"),
        ("a if b else (c if d else e)", "a if b else c if d else e"),
        ("(a if b else c) if d else e", "(a if b else c) if d else e"),
        ("(hand of s) of t", "(hand of s) of t"),
    ):
        assert print_text(read_text(before, "expr")) == after
    assert print_text(read_text("deal 1 cards to each seat from eldest", "step")) == "deal 1 card to each seat from eldest"
    assert print_text(read_text("x pay (1 if a else 2) to y", "step")) == "x pays (1 if a else 2) to y"


# ---------------------------------------------------------------- whole files


def bare(data: Any) -> Any:
    """Data of YAML with what formatting may change taken out of its texts: spaces, brackets, `pay` for `pays`."""
    if isinstance(data, dict):
        return [(bare(key), bare(value)) for key, value in data.items()]
    if isinstance(data, list):
        return [bare(item) for item in data]
    return re.sub(r"[\s()]|(?<=pay)s\b|(?<=card)s\b", "", data)


def comments(text: str) -> list[str]:
    """The comments of a file whose quoted texts have no ` #` in them."""
    return [found.group().strip() for line in text.splitlines() if (found := re.search(r"(^|\s)#.*", line))]


def untidy(text: str) -> str:
    """A file that stands further in, and its expressions in quotes, with needless brackets and spaces."""
    root = read(Source("x", text), Report(), CASES)
    assert root is not None
    places = [(scalar.span, scalar.value) for scalar, kind in dsl_scalars(root) if kind == "expr" and "\n" not in scalar.span.text]
    for span, value in sorted(places, key=lambda place: -place[0].start):
        spaced = "  ".join(re.findall(r"\w+|<=|>=|\S", value))
        text = text[: span.start] + f'"(({spaced}))"' + text[span.end :]
    return re.sub(r"^(?=.)", "   ", text, flags=re.MULTILINE)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_shipped_file_keeps_its_meaning_and_its_comments(path: Path) -> None:
    before = untidy(path.read_text(encoding="utf-8"))
    after = formatted(before)
    assert formatted(after) == after == formatted(path.read_text(encoding="utf-8"))
    assert bare(yaml.load(before, LOADER)) == bare(yaml.load(after, LOADER))
    assert comments(before) == comments(after)
    assert not re.search(r"[ \t]$|\t|\n\n\n|\n\n\Z", after, re.MULTILINE) and after.endswith("\n")


@pytest.mark.parametrize("id", ["tresillo", "tressette-in-due"])
def test_the_content_hash_is_blind_to_layout(id: str) -> None:
    text = (FOLDER / f"{id}.yaml").read_text(encoding="utf-8")
    wild = untidy(text)
    assert {spadille.load(one).hash for one in (wild, formatted(wild))} == {spadille.load(id).hash}
    other = text.replace(" >= ", " > ")
    assert other != text and spadille.load(other).hash != spadille.load(id).hash


MESSY = """\


# the head
"ruleset":   'messy'   # why
language: 1
title: "A: b"
summary: 'one,
  two'
options:
    # about the stake
    stake: {type: integer, min: 1, max: 9, default: 2,
            about: Chips., source: ours}
    # after the options



    # and more
use: [auctions,   # first
      exchanges]  # second
define:
  f( card c,seat  s ): >
     (c in hand of s) and
     not(tricks of s>=5)
  long: "THEN if WHEN else OTHER if b else e"
  faulty: (a  and
deal:
- deal (3) cards to each seat from (eldest),3 times   # thrice
-   when: "x>1"
    do: [ move all of deck to talon ]
    # in the step
# the play
play:
     trick:
           - {when: yes, do: [redeal]}
override:
   auction.legal: (a)
   deal.1.do: ["leave"]
"""
CLEAN = """\
# the head
ruleset: messy  # why
language: 1
title: "A: b"
summary: one, two
options:
  # about the stake
  stake: {type: integer, min: 1, max: 9, default: 2, about: Chips., source: ours}
  # after the options

  # and more
use:
  - auctions   # first
  - exchanges  # second
define:
  f(card c, seat s): |
    c in hand of s
    and not tricks of s >= 5
  long: |
    THEN if WHEN
    else OTHER if b
    else e
  faulty: (a  and
deal:
  - deal 3 cards to each seat from eldest, 3 times  # thrice
  - when: x > 1
    do: [move all of deck to talon]
    # in the step
# the play
play:
  trick:
    - {when: yes, do: [redeal]}
override:
  auction.legal: a
  deal.1.do: [leave]
"""


def test_the_canonical_form() -> None:
    assert formatted(MESSY) == CLEAN
    assert formatted(MESSY.replace("\n", "\r\n")) == CLEAN
    assert formatted("\ufeff" + MESSY) == CLEAN
    assert formatted(CLEAN) == CLEAN


for name in ("THEN", "WHEN", "OTHER"):
    MESSY, CLEAN = MESSY.replace(name, name * 10), CLEAN.replace(name, name * 10)
texts = st.text(st.sampled_from(list("abz019 -:#,[]{}'\"\\!&*?|>%@`~=.é ")), max_size=12) | st.sampled_from(
    ["no", "yes", "null", "~", "1", "1.5", "0x1f", "1:30", "2001-01-01", "-", "- a", "a: b", "a #b", "...", "---"]
)
keys = texts.filter(bool)
texts |= st.lists(st.sampled_from(["some words", "of", "several lines", "x" * 80]), min_size=2, max_size=4).map("\n".join)
documents = st.dictionaries(
    keys,
    st.recursive(texts, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(keys, inner, max_size=3), max_leaves=12),
    min_size=1,
    max_size=4,
)


class Scribe:
    """Writes data as YAML as an untidy author may, with numbered comments."""

    def __init__(self, chance: random.Random) -> None:
        self.chance, self.count = chance, 0

    def comment(self, often: float = 0.3) -> str:
        if self.chance.random() > often:
            return ""
        self.count += 1
        return f"{self.chance.choice([' ', '   '])}# c{self.count}"

    def between(self, indent: int) -> list[str]:
        lines = [""] * self.chance.choice([0, 0, 0, 1, 3])
        if note := self.comment(0.2):
            lines.append(" " * self.chance.choice([indent, 0, indent + 1]) + note.strip())
        return lines

    def text(self, text: str) -> str:
        single = "\n" not in text and self.chance.random() < 0.5
        return "'" + text.replace("'", "''") + "'" if single else yaml.dump(text, default_style='"', width=9999).strip()

    def lines(self, text: str, indent: int) -> str:
        """Text of several lines as a block, with a comment behind its sign."""
        sign = self.chance.choice(["|", ">", "|-", ">-", "|+", "|2"])
        inner = " " * (indent + (2 if sign == "|2" else self.chance.choice([2, 3])))
        gap = "\n\n" if sign[0] == ">" else "\n"
        return f"{sign}{self.comment()}\n" + gap.join(inner + line for line in text.split("\n")) + "\n" * self.chance.choice([0, 0, 2])

    def flow(self, data: Any) -> str:
        if isinstance(data, str):
            return self.text(data)
        gap = self.chance.choice(["", " ", "\n      "]) if self.chance.random() < 0.8 else f" {self.comment(1).strip()}\n      "
        if isinstance(data, list):
            return f"[{gap}" + ", ".join(self.flow(item) for item in data) + "]"
        return f"{{{gap}" + ", ".join(f"{self.text(key)}: {self.flow(value)}" for key, value in data.items()) + "}"

    def block(self, data: Any, indent: int) -> list[str]:
        lines: list[str] = []
        step = self.chance.choice([1, 2, 5])
        pairs = data.items() if isinstance(data, dict) else ((None, item) for item in data)
        for key, value in pairs:
            lines += self.between(indent)
            head = " " * indent + ("-" if key is None else f"{self.text(key)}:")
            if isinstance(value, str) and re.fullmatch(r"[a-z ]+(\n[a-z ]+)+", value):
                lines.append(f"{head} {self.lines(value, indent)}")
            elif isinstance(value, str) or not value or self.chance.random() < 0.3:
                lines.append(f"{head} {self.flow(value)}{self.comment()}")
            else:
                lines += [head + self.comment(), *self.block(value, indent + step)]
        return lines

    def document(self, data: Any) -> str:
        return "\n".join([*self.between(0), *self.block(data, 0), *self.between(0)]) + "\n"


def trimmed(data: Any) -> Any:
    """Data without line breaks at the ends of its texts."""
    if isinstance(data, dict):
        return {key.strip("\n"): trimmed(value) for key, value in data.items()}
    return [trimmed(item) for item in data] if isinstance(data, list) else data.strip("\n")


@settings(max_examples=80, deadline=None)
@given(data=documents, chance=st.randoms(use_true_random=False))
def test_any_yaml_keeps_its_data_and_comments(data: dict[str, Any], chance: random.Random) -> None:
    scribe = Scribe(chance)
    text = scribe.document(data)
    assert trimmed(yaml.safe_load(text)) == data
    after = formatted(text)
    assert trimmed(yaml.safe_load(after)) == data
    assert re.findall(r"# c\d+\b", after) == [f"# c{number}" for number in range(1, scribe.count + 1)]
    assert formatted(after) == after


# ------------------------------------------------------------ the command line


def run(*arguments: str, text: str | None = None) -> Any:
    return CliRunner().invoke(main, ["fmt", *arguments], input=text)


def test_the_command_writes_checks_and_shows(tmp_path: Path) -> None:
    file = tmp_path / "messy.yaml"
    file.write_text(MESSY, encoding="utf-8")
    file.chmod(0o640)
    found = run("--check", str(file))
    assert (found.exit_code, found.stdout, found.stderr) == (1, f"{file}\n", "error: 1 file would be formatted\n")
    assert file.read_text(encoding="utf-8") == MESSY
    found = run("--diff", str(file))
    assert found.exit_code == 1 and "+ruleset: messy  # why" in found.stdout.splitlines()
    found = run(str(tmp_path))
    assert (found.exit_code, found.output) == (0, "")
    assert file.read_text(encoding="utf-8") == CLEAN
    assert file.stat().st_mode & 0o777 == 0o640
    assert [one.name for one in tmp_path.iterdir()] == ["messy.yaml"]
    assert run("--check", str(file)).exit_code == 0


def test_standard_input_goes_to_standard_output() -> None:
    found = run("-", text=MESSY)
    assert (found.exit_code, found.stdout) == (0, CLEAN), repr(found.exception)
    assert run("-", "--check", text=CLEAN).exit_code == 0
    assert run("-", "--check", text=MESSY).exit_code == 1


def test_what_is_not_yaml_is_told_and_left(tmp_path: Path) -> None:
    wrong, right = tmp_path / "a.yaml", tmp_path / "b.yaml"
    wrong.write_text("a: [1\nb: 2\n", encoding="utf-8")
    right.write_text("a:   1\n", encoding="utf-8")
    found = run(str(wrong), str(right))
    assert found.exit_code == 1
    assert "error[E101]" in found.stderr and "1 file cannot be formatted" in found.stderr
    assert wrong.read_text(encoding="utf-8") == "a: [1\nb: 2\n"
    assert right.read_text(encoding="utf-8") == "a: 1\n"
    assert run("nowhere").exit_code == 2
    assert run().exit_code == 2
    assert "E114" in run(str(tmp_path / "none.yaml")).stderr
