"""Inputs made to hurt: each is read in a process of its own, which reports how long it took and how much memory.

`python tests/hostile_cases.py` prints one JSON object per case: name, ok, codes, places, seconds, megabytes, problem.
"""

from __future__ import annotations

import json
import os
import resource
import sys
import time
import traceback
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

SECONDS = 2.0
MEGABYTES = 300.0

BASE = (ROOT / "dsl" / "explanations" / "base.yaml").read_text(encoding="utf-8")


def base(old: str = "", new: str = "", more: str = "") -> bytes:
    """The small ruleset with one change, and more text at its end."""
    assert not old or BASE.count(old) == 1, old
    return ((BASE.replace(old, new) if old else BASE) + more).encode()


def define(*rows: tuple[str, str], use: str = "") -> bytes:
    """The small ruleset with definitions, and one that is used to decide who won."""
    text = base("define:\n", "define:\n" + "".join(f"  {json.dumps(head)}: {json.dumps(body)}\n" for head, body in rows))
    return text.replace(b"won: tricks of boss > 1", f"won: {json.dumps(use)}".encode()) if use else text


def expr(text: str, use: str = "boom > 1") -> bytes:
    return define(("boom", text), use=use)


def steps(lines: str) -> bytes:
    """The small ruleset with steps before play."""
    return base("opening:\n", "opening:\n" + lines)


def phrases(rows: dict[str, list[str]], first: str) -> bytes:
    body = "".join(f"  {json.dumps(head)}: {{steps: {json.dumps(lines)}}}\n" for head, lines in rows.items())
    return base("opening:\n", f"phrases:\n{body}opening:\n  - {json.dumps(first)}\n")


def nested_steps(depth: int, inner: str = "set taken of eldest to 1") -> str:
    """Steps inside one another in flow style."""
    text = json.dumps([inner])
    for _ in range(depth):
        text = '[{"when": "deal_number > 1", "do": ' + text + "}]"
    return text


HARD = "size(hand of player) > trick_number"

CASES: dict[str, Callable[[], bytes]] = {
    # ------------------------------------------------------------------ files
    "10 MB of one key": lambda: b"title: " + b"a" * 10_000_000,
    "10 MB of lines": lambda: BASE.encode() + b"# a comment\n" * 900_000,
    "10 MB of steps": lambda: base(more="finish:\n" + "  - leave\n" * 1_000_000),
    "as many steps as a file may have": lambda: base(more="finish:\n" + "  - set taken of eldest to 1 + 2 * 3\n" * 2_200),
    "as many keys as a file may have": lambda: base(more="sources:\n" + "".join(f"  s{i}: x\n" for i in range(2_300))),
    "10,000 deep, flow lists": lambda: b"deal: " + b"[" * 10_000 + b"]" * 10_000,
    "10,000 deep, flow mappings": lambda: b"deal: " + b"{a: " * 10_000 + b"}" * 10_000,
    "10,000 deep, block lists": lambda: b"deal:\n  " + b"- " * 10_000 + b"x\n",
    "10,000 deep, block mappings": lambda: b"".join(b" " * i + b"a:\n" for i in range(10_000)),
    "600 deep, block mappings": lambda: b"".join(b" " * i + b"a:\n" for i in range(600)),
    "10,000 deep, left open": lambda: b"[{a: " * 10_000,
    "nested to the limit": lambda: base(more="finish: " + nested_steps(11)),
    "nested steps past the limit": lambda: base(more="finish: " + nested_steps(30)),
    "alias bomb": lambda: b"a: &a [x, x]\n" + b"".join(b"b%d: &b%d [*b%d, *b%d]\n" % (i, i, i - 1, i - 1) for i in range(1, 60)),
    "merge keys": lambda: b"a: &a {x: 1}\nb: {<<: *a}\n<<: *a\n",
    "tags": lambda: b"ruleset: !!python/object/apply:os.system [echo]\nplayers: !!int 3\ndeck: !x y\n",
    "two documents": lambda: BASE.encode() + b"---\n" + BASE.encode(),
    "empty": lambda: b"",
    "a byte order mark alone": lambda: b"\xef\xbb\xbf",
    "a byte order mark": lambda: b"\xef\xbb\xbf" + BASE.encode(),
    "NUL": lambda: base("title: Base", "title: Ba\0se"),
    "right to left": lambda: base("title: Base", "title: \u202eesaB\u202c"),
    "lone surrogates": lambda: b"title: \xed\xa0\x80\xed\xb0\x80\n",
    "latin-1": lambda: "title: añejo\n".encode("latin-1"),
    "UTF-16": lambda: BASE.encode("utf-16"),
    "other line breaks": lambda: BASE.replace("\n", "\u2028").encode(),
    "old line breaks": lambda: BASE.replace("\n", "\r").encode(),
    "combining marks": lambda: expr("a" + "\u0301" * 500),
    "names in other scripts": lambda: define(("карты", "1"), ("カード", "карты + 1")),
    "digits in other scripts": lambda: expr("٣ + ３"),
    "random bytes": lambda: bytes((i * 7919 >> 3) % 256 for i in range(50_000)),
    # ---------------------------------------------------------------- numbers
    "huge numbers": lambda: expr("9" * 3_000),
    "a huge product": lambda: expr(" * ".join(["999999999"] * 300)),
    "tiny fractions": lambda: expr(" + ".join(f"1/{99_999 - i}" for i in range(200))),
    "players as a huge number": lambda: base("players: 3", "players: " + "9" * 5_000),
    "players as a power": lambda: base("players: 3", "players: 1e999"),
    "players as a decimal": lambda: base("players: 3", "players: 3.0"),
    "players in hexadecimal": lambda: base("players: 3", "players: 0x3"),
    "seats as decimals": lambda: base(more="sides: {us: [0.0, 1], them: [0x2]}\n"),
    "an option as a power": lambda: base("default: 2, about: Chips", "default: 1e999999999, about: Chips"),
    "an option's bounds as powers": lambda: base("min: 1", "min: -1e99999999"),
    "many times": lambda: steps("  - {repeat: 999999999 times, do: [leave]}\n"),
    "many times, nested": lambda: base(
        "deal:\n",
        "deal:\n  - {repeat: 10000 times, do: [{repeat: 10000 times, do: [{repeat: 10000 times, do: [move top of deck to stock]}]}]}\n",
    ),
    "many times, nothing done": lambda: base(
        "deal:\n", "deal:\n  - {repeat: 10000 times, do: [{repeat: 10000 times, do: [{repeat: 10000 times, do: [set trump to hounds]}]}]}\n"
    ),
    "many times, much done": lambda: steps("  - {repeat: 10000 times, do: [" + "set taken of eldest to 1, " * 60 + "leave]}\n"),
    "many times, over all cards": lambda: steps(
        "  - {repeat: 10000 times, do: [{each: a in cards, do: [{each: b in cards, do: [set taken of eldest to 1]}]}]}\n"
    ),
    "counted for ever": lambda: steps(
        "  - set taken of eldest to "
        + "sum of (" * 8
        + "1 if c0 in hand of eldest else 2"
        + "".join(f") for c{i} in cards" for i in range(8))
        + "\n"
    ),
    "asked for ever": lambda: steps(
        "  - when: "
        + "".join(f"every c{i} in cards has " for i in range(9))
        + "c0 in hand of eldest or c8 in cards\n    do: [set taken of eldest to 1]\n"
    ),
    "as many times as may be": lambda: steps(
        "  - {repeat: 10000 times, do: [" + "set taken of eldest to 1, " * 30 + "add 1 to taken of eldest]}\n"
    ),
    "many cards dealt": lambda: base(
        "deal 1 card to each seat from eldest, 3 times", "deal 999999999 cards to each seat from eldest, 10000 times"
    ),
    # ------------------------------------------------------------ expressions
    "4,000 characters": lambda: expr(("1 + " * 1_000)[:3_999].rstrip("+ ")),
    "20,000 characters": lambda: expr("1 + " * 5_000 + "1"),
    "100,000 characters": lambda: expr("1 + " * 25_000 + "1"),
    "parentheses": lambda: expr("(" * 1_900 + "1" + ")" * 1_900),
    "parentheses left open": lambda: expr("(" * 3_900),
    "not not not": lambda: expr("not " * 950 + "yes", "boom"),
    "- - -": lambda: expr("- " * 1_900 + "1"),
    "if else if else": lambda: expr(" else ".join(f"{i} if {HARD} - {i}" for i in range(60)) + " else 1"),
    "nested conditionals to the limit": lambda: define(
        ("deep", " else ".join(f"{i}/7 if {HARD}" for i in range(48)) + " else 1"), use="deep + 1 > deep"
    ),
    "not to the limit": lambda: expr("not " * 50 + f"({HARD})", "boom"),
    "sums to the limit": lambda: expr(" + ".join(["size(hand of player)"] * 50) + " + 1"),
    "min and max to the limit": lambda: expr("min(max(" * 26 + "size(hand of player)" + ", 3/2), 5/3)" * 26),
    "of of of": lambda: expr("hand of " * 480 + "player", "size(boom) > 1"),
    "calls in calls": lambda: expr("next(" * 600 + "player" + ")" * 600, "boom is eldest"),
    "calls in calls to the limit": lambda: expr("next(" * 50 + "player" + ")" * 50, "boom is eldest"),
    "quantifiers in quantifiers": lambda: expr("".join(f"some c{i} in cards has " for i in range(55)) + "c0 is c1", "boom"),
    "quantifiers over hands": lambda: expr("".join(f"some c{i} in hand of player has " for i in range(50)) + "c0 in hand of boss", "boom"),
    "quantifiers over suits": lambda: expr("".join(f"some s{i} in suits has " for i in range(25)) + "s1 is trump or s2 is trump", "boom"),
    "quantifiers in a card": lambda: base(
        "cards:\n",
        "cards:\n  boom: highest a in cards by sum of (sum of (sum of (sum of 1 for e in cards)"
        " for d in cards) for c in cards) for b in cards\n",
    ).replace(b"trump: best A", b"trump: boom A"),
    # ------------------------------------------------------------ definitions
    "doubling": lambda: define(("d0", "size(hand of player)"), *((f"d{i}", f"d{i - 1} + d{i - 1}") for i in range(1, 60)), use="d59 > 1"),
    "doubling, within the depth": lambda: define(
        ("d0", "size(hand of player)"), *((f"d{i}", f"d{i - 1} + d{i - 1}") for i in range(1, 23)), use="d22 > 1"
    ),
    "doubling, within all limits": lambda: define(
        ("d0", "size(hand of player)"), *((f"d{i}", f"d{i - 1} + d{i - 1}") for i in range(1, 12)), use="d11 > 1"
    ),
    "doubling of arguments": lambda: define(
        ("f(number a)", "a + a"), ("boom", "f(" * 40 + "size(hand of player)" + ")" * 40), use="boom > 1"
    ),
    "doubling of arguments, within all limits": lambda: define(
        ("f(number a)", "a + a"), ("boom", "f(" * 11 + "size(hand of player)" + ")" * 11), use="boom > 1"
    ),
    "doubling of arguments, by definitions": lambda: define(
        ("f0(number a)", "a + a"),
        *((f"f{i}(number a)", f"f{i - 1}(f{i - 1}(a))") for i in range(1, 20)),
        ("boom", "f19(size(hand of player))"),
        use="boom > 1",
    ),
    "long and thin by definitions": lambda: define(
        ("f0(truth a)", "not a"),
        *((f"f{i}(truth a)", f"f{i - 1}(f{i - 1}(a))") for i in range(1, 12)),
        ("boom", f"f11({HARD})"),
        use="boom",
    ),
    "deep by definitions": lambda: define(("d0", HARD), *((f"d{i}", "not " * 40 + f"d{i - 1}") for i in range(1, 24)), use="d23"),
    "deep by definitions, wide": lambda: define(
        ("d0", HARD),
        *((f"d{i}", " or ".join([HARD] * 30) + f" or d{i - 1}") for i in range(1, 24)),
        use="d23",
    ),
    "a long chain of definitions": lambda: define(("d0", "1"), *((f"d{i}", f"d{i - 1} + 1") for i in range(1, 400)), use="d399 > 1"),
    "mutual recursion": lambda: define(("a", "b + 1"), ("b", "c + 1"), ("c", "a + 1")),
    "recursion with arguments": lambda: define(("f(number n)", "f(n - 1) if n > 0 else 1")),
    "cards defined by themselves": lambda: base("cards:\n", "cards:\n  one: two\n  two: one, Kh\n"),
    "thousands of definitions": lambda: define(*((f"d{i}", "1") for i in range(2_000))),
    "thousands of unknown names": lambda: define(*((f"d{i}", f"unknown_thing_{i}") for i in range(2_000))),
    "thousands of options": lambda: base(
        "options:\n", "options:\n" + "".join(f"  option_{i}: {{choices: [a, b], default: a, about: x}}\n" for i in range(500))
    ),
    "thousands of choices": lambda: base(
        "options:\n", f"options:\n  many: {{choices: [{', '.join(f'word_{i}' for i in range(4_000))}], default: word_1, about: x}}\n"
    ),
    "as many rankings as may be": lambda: base("ranking:\n", "ranking:\n" + "".join(f"  way{i} plain: K Q J A\n" for i in range(11))),
    "thousands of rankings": lambda: base("ranking:\n", "ranking:\n" + "".join(f"  way{i} plain: K Q J A\n" for i in range(1_000))),
    "thousands of contracts": lambda: base(
        "contracts:\n", "contracts:\n" + "".join(f"  c{i}: {{multiplier: {i}}}\n" for i in range(1_000))
    ),
    "as many contracts as may be": lambda: base(
        "contracts:\n", "contracts:\n" + "".join(f"  c{i}: {{multiplier: {i}/7, prepare: [set trump to hounds]}}\n" for i in range(58))
    ),
    "as many outcomes as may be": lambda: base(
        "outcomes:\n", "outcomes:\n" + "".join(f"  o{i}: tricks of boss is {i}\n" for i in range(58))
    ),
    "thousands of bids": lambda: base("bids: small < great", "bids: small < great < " + " < ".join(f"b{i}" for i in range(500))),
    "thousands of piles": lambda: base(
        "piles:\n", "piles:\n" + "".join(f"  p{i}: per seat, in order, seen by owner\n" for i in range(1_500))
    ),
    "thousands of payments": lambda: base("payments:\n", "payments:\n" + "".join(f"  p{i}: eldest pays 1 to pot\n" for i in range(2_000))),
    "thousands of obligations": lambda: base(
        "  obligations:\n", "  obligations:\n" + "".join(f"    o{i}: {{must: hand of player & trumps}}\n" for i in range(1_100))
    ),
    # ---------------------------------------------------------------- phrases
    "doubling phrases": lambda: phrases(
        {"do p0": ["leave"], **{f"do p{i}": [f"do p{i - 1}", f"do p{i - 1}"] for i in range(1, 40)}}, "do p39"
    ),
    "doubling phrases, something done": lambda: phrases(
        {"do p0": ["set trump to hounds"], **{f"do p{i}": [f"do p{i - 1}", f"do p{i - 1}"] for i in range(1, 14)}}, "do p13"
    ),
    "doubling phrases, a wrong name": lambda: phrases(
        {"do p0": ["set trump to heards"], **{f"do p{i}": [f"do p{i - 1}", f"do p{i - 1}"] for i in range(1, 14)}}, "do p13"
    ),
    "a long chain of phrases": lambda: phrases(
        {"do p0": ["set trump to hounds"], **{f"do p{i}": [f"do p{i - 1}"] for i in range(1, 400)}}, "do p399"
    ),
    "phrases in one another": lambda: phrases({"do a": ["do b"], "do b": ["do a"]}, "do a"),
    "thousands of phrases": lambda: phrases({f"do p{i}": ["set trump to hounds"] for i in range(1_000)}, "do p7"),
    "phrases of holes alone": lambda: base(
        "opening:\n", "phrases:\n  '{a} {b}': {parameters: {a: seat, b: seat}, steps: []}\nopening:\n  - eldest dealer\n"
    ),
    "a phrase of many holes": lambda: base(
        "opening:\n",
        "phrases:\n  '{a} x {b} x {c} x {d} x {e} y': {parameters: {a: seat, b: seat, c: seat, d: seat, e: seat}, steps: []}\n"
        "opening:\n  - " + "eldest x " * 400 + "z\n",
    ),
    # --------------------------------------------------------------- variants
    "a parent outside": lambda: b"ruleset: a\nlanguage: 1\nextends: ../../etc/passwd\n",
    "a parent with a line break": lambda: b'ruleset: a\nlanguage: 1\nextends: "hearts\\n"\n',
    "a parent with a long name": lambda: b"ruleset: a\nlanguage: 1\nextends: " + b"a" * 5_000 + b"\n",
    "its own parent": lambda: b"ruleset: hearts\nlanguage: 1\nextends: hearts\n",
    "thousands of overrides": lambda: (
        b"ruleset: a\nlanguage: 1\nextends: hearts\noverride:\n" + b"".join(b"  options.nothing%d: 1\n" % i for i in range(2_300))
    ),
    # ------------------------------------------------------------------ decks
    "colours that are words": lambda: base("clubs: {letter: c, colour: black}", "clubs: {letter: c, colour: hand}"),
    "thousands of suits": lambda: base(
        "    hounds:", "".join(f"    s{i}: {{letter: {chr(0x4E00 + i)}}}\n" for i in range(1_000)) + "    hearts:"
    ),
    "thousands of ranks": lambda: base("  ranks: {", "  ranks: {" + "".join(f"{chr(0x4E00 + i)}: {{}}, " for i in range(1_000))),
    "as many cards as may be": lambda: base("  ranks: {", "  ranks: {" + "".join(f"{chr(0x4E00 + i)}: {{}}, " for i in range(36))).replace(
        b"A K Q", ("A K Q " + " ".join(chr(0x4E00 + i) for i in range(36))).encode()
    ),
    "an unknown type of a phrase": lambda: base(
        "opening:\n", "phrases:\n  '{a} waits': {parameters: {a: saet}, steps: []}\nopening:\n  - eldest waits\n"
    ),
    "a phrase of many words": lambda: base("opening:\n", f"phrases:\n  '{'a ' * 400}': {{steps: []}}\nopening:\n  - {'a ' * 400}\n"),
}


def check(data: bytes) -> dict[str, object]:
    """What reading one input gives; a program is compiled, and plays a deal."""
    from dsl.diagnostics import Report, render_json, render_text
    from dsl.load import load
    from dsl.yamltext import decode
    from interpreter.action import GameFault
    from interpreter.game import Game
    from spadille.loading import parents, ruleset_ids

    start = time.process_time()  # wall time would measure the neighbours too
    report = Report()
    source = decode("hostile.yaml", data, report)
    if source is None:
        found = report
        program = None
    else:
        loaded = load(source, parents(None), ruleset_ids())
        found, program = loaded.report, loaded.program
    for diagnostic in found.diagnostics:
        render_text(diagnostic)
        assert diagnostic.span.line >= 1
    json.dumps(render_json(found))
    assert found.ok is (program is not None)
    read = time.process_time() - start
    if program is not None:
        try:
            state = Game(program).start(seed=1)
            for _ in range(200):
                if state.over:
                    break
                state = state.apply(state.legal()[0])
        except GameFault:
            pass
    return {
        "seconds": round(read, 2),
        "played": round(time.process_time() - start - read, 2),
        "ok": found.ok,
        "codes": sorted({d.code for d in found.diagnostics}),
        "first": str(found.diagnostics[0]) if found.diagnostics else "",
    }


def measured(name: str, make: Callable[[], bytes]) -> dict[str, object]:
    """One case in a forked process."""
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(read)
        # A case out of hand must not take the machine with it.
        resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))
        resource.setrlimit(resource.RLIMIT_CPU, (30, 30))
        data = make()
        # Callers stand on a stack of their own (a test runner, a command line): leave them a third.
        sys.setrecursionlimit(680)
        try:
            answer = check(data)
        except BaseException:
            answer = {"problem": traceback.format_exc()[-1500:]}
        with os.fdopen(write, "w") as out:
            out.write(json.dumps(answer))
        os._exit(0)
    os.close(write)
    with os.fdopen(read) as pipe:
        said = pipe.read()
    _, status, usage = os.wait4(child, 0)
    answer = json.loads(said) if said else {"problem": f"died with status {status}"}
    return {"name": name, "megabytes": round(usage.ru_maxrss / 1024), **answer}


def main(names: list[str]) -> None:
    check(BASE.encode())  # what every run needs is loaded once, before the forks
    for name, make in CASES.items():
        if not names or name in names:
            print(json.dumps(measured(name, make)), flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
