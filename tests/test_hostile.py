"""No input makes a traceback: broken rulesets get diagnostics with a place, in time and in little memory.

A broken ruleset that still checks is compiled and played; there GameFault alone may be raised.
`SPADILLE_FUZZ=5000` tries more, with new random numbers.
"""

from __future__ import annotations

import json
import os
import random
import re
import subprocess
import sys
from collections import defaultdict
from functools import cache
from pathlib import Path

import pytest
from hostile_cases import CASES, MEGABYTES, SECONDS
from hypothesis import HealthCheck, event, given, settings
from hypothesis import strategies as st

from dsl.diagnostics import Report, render_json, render_text
from dsl.load import load
from dsl.schema import walk_dsl
from dsl.source import Scalar, Source
from dsl.yamltext import decode, read
from fuzz.target import one_input
from interpreter.action import GameFault
from interpreter.game import Game
from spadille.loading import parents, ruleset_ids

ROOT = Path(__file__).resolve().parent.parent
MORE = int(os.environ.get("SPADILLE_FUZZ", "0"))
TEXTS = {id: (ROOT / "rulesets" / f"{id}.yaml").read_text(encoding="utf-8") for id in ruleset_ids()}
TOKEN = re.compile(r"\w+|[^\w\s]")
LONGEST_DEAL = 400


def examples(number: int) -> settings:
    """The same examples every time, or more of them and new ones."""
    checks = [HealthCheck.too_slow, HealthCheck.data_too_large]
    return settings(max_examples=MORE or number, deadline=None, derandomize=not MORE, database=None, suppress_health_check=checks)


def survives(source: Source) -> None:
    """Reads a source; if nothing is wrong with it, plays three deals at random."""
    loaded = load(source, parents(None), ruleset_ids())
    report = loaded.report
    for found in report.diagnostics:
        assert found.span.line >= 1 and found.span.column >= 1 and found.message
        render_text(found)
        event(found.code)
    json.dumps(render_json(report))
    assert report.ok is (loaded.program is not None)
    if loaded.program is None or loaded.variant is None:
        return
    event("sound")
    chance = random.Random(7)
    try:
        game = Game(loaded.program)
        for seed in range(3):
            state = game.start(seed=seed)
            for _ in range(LONGEST_DEAL):
                if state.over:
                    break
                state = state.apply(chance.choice(state.legal()))
            assert len(state.payoffs) == game.players
    except GameFault as fault:
        event(f"fault: {str(fault).partition(':')[2][:60]}")


# ------------------------------------------------------------- broken as text


@cache
def words() -> list[str]:
    """What stands in the shipped rulesets, and signs that mean something to YAML."""
    signs = [
        "&a",
        "*a",
        "!x",
        "<<",
        "---",
        "|",
        ">",
        "'",
        '"',
        "{",
        "[",
        "- ",
        ": ",
        "\t",
        "\ufeff",
        "\0",
        "\u202e",
        "é",
        "0x10",
        "1e9",
        "~",
    ]
    return sorted({word for text in TEXTS.values() for word in TOKEN.findall(text)}) + signs


@cache
def lines() -> list[str]:
    return sorted({line for text in TEXTS.values() for line in text.splitlines()})


def broken(text: str, how: str, a: int, b: int) -> str:
    """A text with one thing wrong at the places that two numbers choose."""
    rows = text.split("\n")
    i, j = a % len(rows), b % len(rows)
    match how:
        case "cut":
            return text[: a % (len(text) + 1)]
        case "delete line":
            del rows[i]
        case "delete lines":
            del rows[i : i + b % 12]
        case "duplicate line":
            rows.insert(i, rows[i])
        case "swap lines":
            rows[i], rows[j] = rows[j], rows[i]
        case "foreign line":
            rows.insert(i, lines()[b % len(lines())])
        case "indent":
            rows[i] = " " * (b % 5) + rows[i]
        case "outdent":
            rows[i] = rows[i][b % 5 :]
        case _:
            return broken_word(text, how, a, b)
    return "\n".join(rows)


def broken_word(text: str, how: str, a: int, b: int) -> str:
    tokens = list(TOKEN.finditer(text))
    if not tokens:
        return text
    chosen, other = tokens[a % len(tokens)], tokens[b % len(tokens)].group()
    word = chosen.group()
    at = b % len(word)
    new = {
        "delete word": "",
        "duplicate word": f"{word} {word}",
        "foreign word": words()[b % len(words())],
        "word from elsewhere": other,
        "drop letter": word[:at] + word[at + 1 :],
        "double letter": word[:at] + word[at] * 2 + word[at + 1 :],
        "swap letters": word[:at] + word[at : at + 2][::-1] + word[at + 2 :],
        "change case": word.swapcase(),
        "split word": word[:at] + " " + word[at:],
    }[how]
    return text[: chosen.start()] + new + text[chosen.end() :]


WAYS = (
    "cut,delete line,delete lines,duplicate line,swap lines,foreign line,indent,outdent,delete word,duplicate word,foreign word,"
    "word from elsewhere,drop letter,double letter,swap letters,change case,split word"
).split(",")
PLACE = st.integers(0, 1_000_000)
BREAKS = st.lists(st.tuples(st.sampled_from(WAYS), PLACE, PLACE), min_size=1, max_size=4)


@examples(150)
@given(id=st.sampled_from(sorted(TEXTS)), breaks=BREAKS)
def test_a_ruleset_broken_as_text(id: str, breaks: list[tuple[str, int, int]]) -> None:
    text = TEXTS[id]
    for how, a, b in breaks:
        text = broken(text, how, a, b)
    survives(Source("broken.yaml", text))


@examples(50)
@given(
    id=st.sampled_from(sorted(TEXTS)),
    noise=st.one_of(st.binary(max_size=12), st.text(max_size=12).map(str.encode)),
    at=PLACE,
    gone=st.integers(0, 40),
)
def test_bytes_thrown_into_a_ruleset(id: str, noise: bytes, at: int, gone: int) -> None:
    data = TEXTS[id].encode()
    place = at % (len(data) + 1)
    report = Report()
    source = decode("broken.yaml", data[:place] + noise + data[place + gone :], report)
    if source is None:
        (found,) = report.diagnostics
        assert found.code in ("E109", "E111") and render_text(found)
        return
    survives(source)


@examples(25)
@given(
    id=st.sampled_from(sorted(TEXTS)),
    pieces=st.lists(st.tuples(PLACE, st.integers(1, 400)), min_size=1, max_size=4),
    noise=st.binary(max_size=8),
)
def test_the_fuzz_target_on_pieces_of_rulesets(id: str, pieces: list[tuple[int, int]], noise: bytes) -> None:
    data = TEXTS[id].encode()
    one_input(noise.join(data[place % len(data) :][:length] for place, length in pieces))


# ------------------------------------------------------ broken text by text


@cache
def texts_of(id: str) -> list[tuple[Scalar, str]]:
    """The DSL texts of a ruleset with their kinds."""
    document = read(Source(id, TEXTS[id]), Report())
    assert document is not None
    return [(scalar, kind) for _, scalar, kind in walk_dsl(document, "ruleset")]


@cache
def pool() -> dict[str, list[str]]:
    found: dict[str, set[str]] = defaultdict(set)
    for id in TEXTS:
        for scalar, kind in texts_of(id):
            found[kind].add(scalar.value)
    return {kind: sorted(values) for kind, values in found.items()}


NAMES = (
    "hand won deck trick seats suits ranks sides bids cards trumps lead player leader winner dealer eldest trump contract high_bid outcome "
    "tricks last_won trick_number multiplier chips points yes no otherwise none As 2c hearts copas red K A 3 7 0 1 x s c nothing"
).split()
CALLS = (
    "suit(%s)",
    "rank(%s)",
    "follows(%s, lead)",
    "stronger(%s, %s)",
    "worth(%s)",
    "size(%s)",
    "top(%s)",
    "holder(%s)",
    "next(%s)",
    "after(%s, %s)",
    "earlier(%s, %s)",
    "side(%s)",
    "seats_of(%s)",
    "min(%s, %s)",
    "max(%s, %s)",
    "floor(%s / %s)",
    "round(%s)",
)
FORMS = (
    "(%s if %s else %s)",
    "(%s or %s)",
    "(%s and %s)",
    "(not %s)",
    "(%s < %s)",
    "(%s >= %s)",
    "(%s is %s)",
    "(%s is not %s)",
    "(%s in %s)",
    "(%s not in %s)",
    "(%s exists)",
    "(%s + %s)",
    "(%s - %s)",
    "(%s without %s)",
    "(%s * %s)",
    "(%s / %s)",
    "(%s mod %s)",
    "(%s & %s)",
    "-%s",
    "hand of %s",
    "won of %s",
    "tricks of %s",
    "chips of %s",
    "A of %s",
    "(some q in %s has %s)",
    "(every q in %s has tricks of q > %s)",
    "(count q in hand of player with follows(q, %s))",
    "(those q in %s with q in %s)",
    "(first q in %s with %s)",
    "(sum of %s for q in %s)",
    "(highest q in seats by %s)",
    "(lowest q in %s by %s)",
    *CALLS,
)
STEPS = (
    "set trump to %s",
    "set tricks of %s to %s",
    "add %s to tricks of eldest",
    "let zz be %s",
    "move %s from hand of player to won of player",
    "move top %s cards of deck to hand of %s",
    "move all of hand of %s to deck",
    "show %s to %s",
    "%s pays %s to %s",
    "each of %s pays %s to %s",
    "%s pays %s to each of %s",
    "%s scores %s",
    "each of %s scores %s",
    "announce word with %s",
    "leave",
    "end play",
    "throw in",
    "redeal",
    "shuffle deck",
    "%s pays all to %s",
    "deal %s cards to each seat from %s",
)


def made(chance: random.Random, depth: int) -> str:
    """An expression of the grammar, seldom one that makes sense."""
    if depth <= 0 or chance.random() < 0.15:
        return chance.choice(NAMES)
    form = chance.choice(FORMS)
    return form % tuple(made(chance, depth - 1) for _ in range(form.count("%s")))


def other_text(old: str, kind: str, chance: random.Random) -> str:
    """Another text of the same kind: from elsewhere, with one word changed, or made up."""
    way = chance.randrange(3)
    if way == 0:
        return chance.choice(pool()[kind])
    if way == 1 and kind in ("expr", "step"):
        form = chance.choice(STEPS) if kind == "step" else "%s"
        return form % tuple(made(chance, chance.randrange(1, 4)) for _ in range(form.count("%s")))
    tokens = list(TOKEN.finditer(old))
    if not tokens:
        return chance.choice(NAMES)
    chosen = chance.choice(tokens)
    return old[: chosen.start()] + made(chance, chance.randrange(3)) + old[chosen.end() :]


@examples(100)
@given(id=st.sampled_from(sorted(TEXTS)), seed=st.integers(0, 10**9), number=st.integers(1, 3))
def test_a_ruleset_with_other_texts(id: str, seed: int, number: int) -> None:
    chance = random.Random(seed)
    text = TEXTS[id]
    chosen = chance.sample(texts_of(id), min(number, len(texts_of(id))))
    for scalar, kind in sorted(chosen, key=lambda pair: -pair[0].span.start):
        text = text[: scalar.span.start] + json.dumps(other_text(scalar.value, kind, chance), ensure_ascii=False) + text[scalar.span.end :]
    survives(Source("broken.yaml", text))


# ------------------------------------------------------------- made to hurt


@cache
def outcomes_of_cases() -> dict[str, dict[str, object]]:
    """Runs all cases, each in a process of its own."""
    command = [sys.executable, str(ROOT / "tests" / "hostile_cases.py")]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=True)
    return {row["name"]: row for row in map(json.loads, done.stdout.splitlines())}


@pytest.mark.parametrize("name", CASES)
def test_an_input_made_to_hurt(name: str) -> None:
    row = outcomes_of_cases()[name]
    assert "problem" not in row, row["problem"]
    assert row["ok"] or row["codes"]
    assert float(str(row["seconds"])) < SECONDS and float(str(row["megabytes"])) < MEGABYTES, row
    # What checks plays its deal in time too, or ends in a fault: the bound is on each answer of the engine.
    assert float(str(row["played"])) < 2 * SECONDS, row
