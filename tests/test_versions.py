"""Versions: every file says its language; the hash of the rules is blind to comments and layout and sees every rule; old
records replay.

`tests/frozen/` holds rulesets as they once were, with records and what came of them. They must replay to the same events,
payoffs and totals for ever; `tests/freeze.py` adds to them and never rewrites one.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml
from freeze import FROZEN, outcome

import spadille
from dsl.codes import FOLDER
from dsl.diagnostics import Report
from dsl.load import load
from dsl.printing import content, library_parts
from dsl.schema import walk_dsl
from dsl.source import Mapping, Source
from dsl.yamltext import read
from interpreter.record import ForeignRecord, Record
from spadille.explanation import told
from spadille.loading import parents, rules_of, ruleset_ids

ROOT = Path(__file__).resolve().parent.parent
BASE = (FOLDER / "base.yaml").read_text(encoding="utf-8")


# --------------------------------------------------------------------- language


@pytest.mark.parametrize(
    "line", ["language: 2\n", "language: one\n", "language: 1.5\n", "language: yes\n", 'language: "1"\n', "language: 0\n"]
)
def test_another_version_of_the_language_is_refused(line: str) -> None:
    report = load(Source("a.yaml", BASE.replace("language: 1\n", line)), parents(None)).report
    (found,) = report.errors
    assert (found.code, found.span.line) == ("E128", 2) and found.help is not None
    child = f"ruleset: child\n{line}extends: hearts\n"
    (found,) = load(Source("a.yaml", child), parents(None)).report.errors
    assert (found.code, found.span.line) == ("E128", 2)


def test_every_file_says_its_language() -> None:
    for text in (BASE.replace("language: 1\n", ""), "ruleset: child\nextends: hearts\n"):
        (found,) = load(Source("a.yaml", text), parents(None)).report.errors
        assert found.code == "E121" and "`language`" in found.message
    assert [found.code for found in told("E128", right=False)] == ["E128"]
    for id in ruleset_ids():
        assert yaml.safe_load((ROOT / "rulesets" / f"{id}.yaml").read_text(encoding="utf-8"))["language"] == 1


# ------------------------------------------------------------------------- hash


def rules(text: str, **options: str) -> str:
    loaded = load(Source("a.yaml", text), parents(None), options=options)
    assert loaded.variant is not None and loaded.program is not None, loaded.report.errors
    return json.dumps(rules_of(loaded.variant, loaded.program))  # as text: mappings are equal in any order


def hash_of(text: str, **options: str) -> str:
    return spadille.load(text, **options).hash


LAYOUT = [
    ("title: Base", "title: Base # what it is called"),
    ("options:\n", "\n\n# what may be agreed\noptions:\n"),
    ("trump: best A K Q", 'trump: "best   A K Q"'),
    ("trump: best A K Q", "trump: |\n    best A\n    K Q"),
    ("beats(card c, card d): stronger(c, d)", "beats( card c,card d ): stronger( c,d )"),
    ("others: seats without boss", "others: >-\n    seats\n    without boss"),
    ("language: 1\ntitle: Base\n", "title: Base\nlanguage: 1\n"),
    ("stake: {type: integer, min: 1, max: 9, default: 2,", "stake: {default: 2, max: 9, min: 1, type: integer,"),
    ("great: {multiplier: 2, prepare: [set trump to spades]}", "great:\n    prepare:\n    - set trump to spades\n    multiplier: 2"),
    ("score: {unit: chips, by: seat, pots: [pot], balanced: true}", "score: {balanced: true,\n  pots: [\n  pot ], by: seat, unit: chips}"),
]  # fmt: skip


@pytest.mark.parametrize(("old", "new"), LAYOUT)
def test_the_hash_is_blind_to_comments_and_layout(old: str, new: str) -> None:
    assert BASE.count(old) == 1
    assert rules(BASE.replace(old, new)) == rules(BASE) and hash_of(BASE.replace(old, new)) == hash_of(BASE)


def test_a_section_may_stand_anywhere() -> None:
    parts = BASE.split("\n\n")
    moved = "\n\n".join([parts[0], *reversed(parts[1:])])
    assert moved != BASE and hash_of(moved) == hash_of(BASE)


RULES = [
    ("players: 3", "players: 4"),
    ("default: 2, about", "default: 3, about"),
    ("max: 9", "max: 8"),
    ("choices: [high, low]", "choices: [low, high]"),
    ("best: J of trump", "best: A of trump"),
    ("A K Q J if order is high else K Q J A", "A K Q J if order is low else K Q J A"),
    ("stock: in order, seen by nobody", "stock: in order, seen by all"),
    ("helper: seat, or none", "helper: seat, or none, for the match"),
    ("beats(card c, card d): stronger(c, d)", "beats(card c, card d): stronger(d, c)"),
    ("from eldest, 3 times", "from dealer, 3 times"),
    ("form: once_round", "form: hold"),
    ("passed_out: [throw in]", "passed_out: [redeal]"),
    ("multiplier: 2", "multiplier: 5/2"),
    ("    follow:\n", "    first: {must: hand of player & trumps}\n    follow:\n"),
    ("won: tricks of boss > 1", "won: tricks of boss >= 1"),
    ("boss pays stake * multiplier to pot", "boss pays stake to pot"),
    ("ends: deals_played >= 3", "ends: deals_played >= 4"),
]


@pytest.mark.parametrize(("old", "new"), RULES)
def test_the_hash_sees_every_rule(old: str, new: str) -> None:
    assert BASE.count(old) == 1
    text = BASE.replace(old, new)
    if load(Source("a.yaml", text), parents(None)).report.ok:
        assert hash_of(text) != hash_of(BASE)
    else:
        assert said(text) != said(BASE)


def said(text: str) -> str:
    """What the hash would be made of, whether or not the ruleset is sound."""
    document = read(Source("a.yaml", text), Report())
    return "" if document is None else json.dumps(content(document, ()), ensure_ascii=False)


def test_the_order_of_what_is_tried_in_turn_is_a_rule() -> None:
    text = BASE.replace("    free: {must", "    high: {must: hand of player & trumps}\n    free: {must")
    other = BASE.replace("    follow:\n", "    high: {must: hand of player & trumps}\n    follow:\n")
    assert rules(text) != rules(other)


def test_options_and_parents_are_in_the_hash() -> None:
    assert hash_of(BASE, stake="3") != hash_of(BASE)
    child = "ruleset: child\nlanguage: 1\nextends: hearts\noverride: {options.target.default: 50}\n"
    assert hash_of(child) != hash_of(child.replace("50", "51"))


@pytest.mark.parametrize("id", ruleset_ids()[::4])
def test_every_text_of_a_shipped_ruleset_is_in_the_hash(id: str) -> None:
    source = Source(f"{id}.yaml", (ROOT / "rulesets" / f"{id}.yaml").read_text(encoding="utf-8"))
    document = read(source, Report())
    assert document is not None
    now = said(source.text)
    for path, scalar, _ in walk_dsl(document, "ruleset"):
        if path[0] not in ("extends", "override"):
            text = source.text[: scalar.span.start] + '"changed"' + source.text[scalar.span.end :]
            assert said(text) != now, scalar.value


def test_the_hash_has_what_is_taken_from_the_library_and_no_more() -> None:
    document = read(Source("a.yaml", BASE), Report())
    auctions = read(Source("auctions", (ROOT / "dsl" / "library" / "auctions.yaml").read_text(encoding="utf-8")), Report())
    assert document is not None and isinstance(auctions, Mapping)
    assert list(library_parts(document, [auctions])) == ["forms once_round"]
    changed = read(Source("auctions", auctions.span.source.text.replace("eldest", "dealer")), Report())
    assert isinstance(changed, Mapping)
    assert library_parts(document, [changed]) != library_parts(document, [auctions])


# ------------------------------------------------------------------ frozen corpus

CORPUS = sorted(path.name for path in FROZEN.iterdir() if path.is_dir())


@cache
def frozen(name: str) -> tuple[spadille.Game, list[dict[str, Any]]]:
    data = json.loads((FROZEN / name / "records.json").read_text(encoding="utf-8"))
    return spadille.load(str(FROZEN / name / f"{data['ruleset']}.yaml"), **data["options"]), data["records"]


def test_the_corpus_is_there() -> None:
    assert len(CORPUS) >= 9


@pytest.mark.parametrize("name", CORPUS)
def test_a_frozen_record_replays_to_the_same_events_and_payoffs(name: str) -> None:
    game, rows = frozen(name)
    assert len(rows) == 3
    for row in rows:
        record = Record.from_json(json.dumps(row["record"]))
        assert record.hash == game.hash
        assert outcome(record.replay(game)) == row["outcome"]


def test_a_record_of_changed_rules_is_refused(tmp_path: Path) -> None:
    _, rows = frozen("hearts")
    text = (FROZEN / "hearts" / "hearts.yaml").read_text(encoding="utf-8")
    (tmp_path / "hearts.yaml").write_text(text.replace("must: hand of player without hearts", "must: hand of player"), encoding="utf-8")
    record = Record.from_json(json.dumps(rows[0]["record"]))
    with pytest.raises(ForeignRecord, match="the rules of `hearts` are not those of the record"):
        record.replay(spadille.load(str(tmp_path / "hearts.yaml")))
