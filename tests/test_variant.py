"""Variants: what is inherited, added, changed under `override`, and where every value comes from."""

from __future__ import annotations

import pytest

from dsl.diagnostics import Report, render_text
from dsl.document import at, plain, scalars
from dsl.source import Scalar, Source
from dsl.variant import Variant, resolve
from dsl.yamltext import read

PARENT = """\
ruleset: parent
language: 1
title: Parent
status: abstract
sources: {seed: A book.}
use: [auctions]
players: 3
options:
  stake: {type: integer, min: 1, default: 2, about: Chips.}
ranking:
  trump red: A K Q
define:
  "exempt(c: card)": c in trumps
deal:
  - redeal
  - throw in
contracts:
  solo: {multiplier: 2}
play:
  leads: eldest
  obligations:
    follow: {must: hand}
    free: {must: hand}
outcomes:
  won: tricks of declarer > 4
  lost: otherwise
"""

CHILD = "ruleset: child\nlanguage: 1\nextends: parent\n"


def resolved(text: str, **others: str) -> tuple[Variant | None, Report]:
    """The variant in a text; other rulesets are found by id, `_` for `-`."""
    texts = {"parent": PARENT} | {name.replace("_", "-"): other for name, other in others.items()}
    report = Report()
    document = read(Source("child.yaml", text), report)
    assert document is not None, [str(found) for found in report.diagnostics]

    def find(name: str) -> Source | None:
        return Source(f"{name}.yaml", texts[name]) if name in texts else None

    return resolve(document, find, report, texts), report


def sound(text: str, **others: str) -> Variant:
    variant, report = resolved(text, **others)
    assert variant is not None, [render_text(found) for found in report.diagnostics]
    assert report.ok
    return variant


def test_a_ruleset_without_parent_is_itself() -> None:
    variant = sound(PARENT)
    assert [name for name, _ in variant.chain] == ["parent"] and variant.overridden == {}
    assert variant.document == read(Source("x", PARENT), Report())


def test_what_is_not_said_is_inherited_and_knows_its_file() -> None:
    variant = sound(CHILD + "summary: Short.\nsources: {other: A page.}\nuse: [exchanges, auctions]\n")
    data = plain(variant.document)
    own = {key: data.pop(key) for key in ("ruleset", "title", "summary", "extends", "sources", "use")}
    assert own == {
        "ruleset": "child",
        "title": "Parent",
        "summary": "Short.",
        "extends": "parent",
        "sources": {"seed": "A book.", "other": "A page."},
        "use": ["auctions", "exchanges"],
    }
    assert "status" not in data and data["players"] == 3
    origins = {path[0]: scalar.span.source.name for path, scalar in scalars(variant.document)}
    assert origins["ruleset"] == "child.yaml" and origins["players"] == "parent.yaml"
    assert [(name, source.name) for name, source in variant.chain] == [
        ("child", "child.yaml"),
        ("parent", "parent.yaml"),
    ]


def test_new_ids_and_new_keys_of_a_section_are_added() -> None:
    variant = sound(
        CHILD
        + "contracts:\n  grand: {multiplier: 3}\nplay:\n  trick: [redeal]\n"
        + "  obligations:\n    ruff: {must: trumps, before: free}\n"
        "outcomes:\n  vole: tricks of declarer is 9\nfinish: [redeal]\n"
    )
    data = plain(variant.document)
    assert list(data["contracts"]) == ["solo", "grand"]
    assert list(data["play"]) == ["leads", "obligations", "trick"]
    assert list(data["play"]["obligations"]) == ["follow", "ruff", "free"]
    assert list(data["outcomes"]) == ["won", "vole", "lost"]
    assert data["finish"] == ["redeal"]


def test_override_changes_by_path() -> None:
    variant = sound(
        CHILD + "override:\n  options.stake.default: 4\n  ranking.trump red: K A Q\n  deal.2: redeal\n  deal.1: ~\n"
        "  define.exempt: c in hand\n  contracts.solo: {multiplier: 3}\n  play.obligations.follow: ~\n"
    )
    data = plain(variant.document)
    assert data["options"]["stake"]["default"] == 4 and data["options"]["stake"]["min"] == 1
    assert data["ranking"] == {"trump red": "K A Q"} and data["deal"] == ["redeal"]
    assert data["define"] == {"exempt(c: card)": "c in hand"}
    assert data["contracts"] == {"solo": {"multiplier": 3}} and list(data["play"]["obligations"]) == ["free"]
    old, new = variant.overridden[("options", "stake", "default")]
    assert (str(old), str(new)) == ("parent.yaml:9:43", "child.yaml:5:26")
    found = at(variant.document, ("options", "stake", "default"))
    assert isinstance(found, Scalar) and found.span.source.name == "child.yaml"
    assert "override" not in data


def test_what_is_taken_away_may_be_given_anew() -> None:
    variant = sound(CHILD + "override: {play.leads: ~}\nplay: {leads: dealer}\n")
    assert plain(variant.document)["play"]["leads"] == "dealer"


def test_a_chain_of_variants() -> None:
    middle = CHILD.replace("child", "middle") + "override: {options.stake.default: 3}\ncontracts: {grand: {multiplier: 3}}\n"
    variant = sound(
        CHILD.replace("parent", "middle") + "override: {options.stake.default: 5, contracts.grand.multiplier: 4}\n",
        middle=middle,
    )
    data = plain(variant.document)
    assert data["options"]["stake"]["default"] == 5 and data["contracts"]["grand"] == {"multiplier": 4}
    assert [name for name, _ in variant.chain] == ["child", "middle", "parent"]
    assert str(variant.overridden[("options", "stake", "default")][0]) == "middle.yaml:4:35"


FAULTS = [
    # text after the head, code, line, column, underlined, a piece of the message or help
    ("players: 4", "E604", 4, 1, "players", "`players` is inherited and changes only under `override`"),
    ("contracts:\n  solo: {target: 4}", "E604", 5, 3, "solo", "write `contracts.solo: …` under `override`"),
    ("play: {leads: dealer}", "E604", 4, 8, "leads", "`play.leads`"),
    ("deal: [redeal]", "E604", 4, 1, "deal", "inherited from here"),
    ("sources: {seed: Another.}", "E604", 4, 11, "seed", "`sources.seed`"),
    ("override: {options.steak.default: 3}", "E605", 4, 20, "steak", "did you mean `stake`?"),
    ("override: {optoins.stake: 3}", "E605", 4, 12, "optoins", "did you mean `options`?"),
    ("override: {auction.form: x}", "E605", 4, 12, "auction", "what is new is added in its own section"),
    ("override: {deal.3: redeal}", "E605", 4, 17, "3", "there is no `3` in `deal` of `parent` to override"),
    ("override: {'deal.x.y': redeal}", "E605", 4, 18, "x", "there is no `x`"),
    (
        "override: {contracts.new.target: 3}\ncontracts: {new: {target: 2}}",
        "E605",
        4,
        22,
        "new",
        "it is new in this ruleset",
    ),
    ("override: {options.: 3}", "E605", 4, 20, "", "to override"),
    ("override: {title: x}", "E607", 4, 12, "title", "write `title: …` at the start"),
    (
        "override: {options.stake: ~, options.stake.default: 3}",
        "E608",
        4,
        30,
        "options.stake.default",
        "change the same thing",
    ),
    (
        "play:\n  obligations:\n    ruff: {must: trumps, before: fre}",
        "E609",
        6,
        34,
        "fre",
        "did you mean `free`?",
    ),
    ("override: {players: 12}", "E124", 4, 21, "12", "between 2 and 8"),
    ("override: {options.stake.default: ~}", "E121", 9, 11, "type", "needs the key `default`"),
]


@pytest.mark.parametrize(("text", "code", "line", "column", "underlined", "words"), FAULTS)
def test_a_fault_has_a_code_a_place_and_words(text: str, code: str, line: int, column: int, underlined: str, words: str) -> None:
    variant, report = resolved(CHILD + text)
    assert variant is None
    assert len(report.errors) == 1, [str(found) for found in report.errors]
    (found,) = report.errors
    assert (found.code, found.span.line, found.span.column, found.span.text) == (
        code,
        line,
        column,
        underlined,
    )
    assert words in render_text(found)


def test_a_section_must_be_whole_in_the_end() -> None:
    (found,) = resolved(CHILD + "auction: {declarer: taker}")[1].errors
    assert (found.code, str(found.span)) == ("E121", "child.yaml:4:11")
    form = "ruleset: parent\nlanguage: 1\nauction: {form: x, bids: a < b}\n"
    assert plain(sound(CHILD + "auction: {declarer: taker}", parent=form).document)["auction"] == {
        "form": "x",
        "bids": "a < b",
        "declarer": "taker",
    }


def test_parents_must_be_found_and_sound() -> None:
    (found,) = resolved(CHILD.replace("parent", "parnet"))[1].errors
    assert (found.code, str(found.span), found.help) == ("E601", "child.yaml:3:10", "did you mean `parent`?")
    (found,) = resolved("ruleset: alone\nlanguage: 1\noverride: {players: 4}")[1].errors
    assert (found.code, str(found.span)) == ("E606", "child.yaml:3:1")
    (found,) = resolved(CHILD.replace("parent", "bad"), bad="ruleset: bad\nlanguage: 1\nplayers: none\n")[1].errors
    assert (found.code, str(found.span)) == ("E122", "bad.yaml:3:10")
    (found,) = resolved(CHILD.replace("parent", "bad"), bad="a: [")[1].errors
    assert (found.code, str(found.span)) == ("E101", "bad.yaml:1:5")


def test_circles_and_long_rows_of_parents() -> None:
    def extending(name: str, parent: str) -> str:
        return f"ruleset: {name}\nlanguage: 1\nextends: {parent}\n"

    (found,) = resolved(extending("child", "child"))[1].errors
    assert (found.code, str(found.span)) == ("E602", "child.yaml:3:10")
    (found,) = resolved(extending("child", "b"), b=extending("b", "c"), c=extending("c", "b"))[1].errors
    assert found.code == "E602" and found.message.endswith("in a circle: `b` extends `c`, which extends `b`")
    row = {f"r{number}": extending(f"r{number}", f"r{number + 1}") for number in range(20)}
    (found,) = resolved(extending("child", "r0"), **row)[1].errors
    assert (found.code, str(found.span)) == ("E603", "child.yaml:3:10")
    row["r6"] = "ruleset: r6\nlanguage: 1\n"
    assert len(sound(extending("child", "r0"), **row).chain) == 8


def test_an_override_that_changes_nothing_is_a_warning() -> None:
    variant, report = resolved(CHILD + "override: {options.stake.default: 2}")
    assert variant is not None and report.ok
    (found,) = report.warnings
    assert (found.code, found.span.text) == ("W701", "options.stake.default")
