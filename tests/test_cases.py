"""The case files beside the rulesets, and the runner itself: what it says of cases that fail and of files that are wrong."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from dsl.codes import CODES
from spadille.casefile import KINDS, CaseFileError, CaseResult, case_files, read_cases, report_text, run_cases
from spadille.coverage.measure import Coverage, Measurement
from spadille.loading import UnknownRuleset

FILES = [path.name for path in case_files()]


@cache
def measured(file: str) -> tuple[list[CaseResult], Coverage]:
    """The cases of a file, all run on traced games, and what they reached."""
    cases = read_cases(file.removesuffix(".cases.yaml"))
    measurement = Measurement(cases)
    return [measurement.run(case) for case in cases.cases], measurement.coverage


@pytest.mark.parametrize(("file", "kind"), [(file, kind) for file in FILES for kind in KINDS])
def test_cases(file: str, kind: str) -> None:
    """Every case of a kind passes."""
    results, _ = measured(file)
    failed = [report_text(result) for result in results if result.kind == kind and not result.passed]
    assert not failed, "\n".join(failed)


@pytest.mark.parametrize("file", FILES)
def test_cases_reach_their_ruleset(file: str) -> None:
    """Of rungs, outcomes, payments, contracts, values of options, answers and sides of each `when` no more than a tenth is left out."""
    _, coverage = measured(file)
    assert coverage.percent >= 90, "\n".join(f"{item.place}: {item.said}" for item in coverage.missed)


# --------------------------------------------------------------- what is said


def ran(tmp_path: Path, *cases: str, ruleset: str = "tresillo") -> list[CaseResult]:
    """The results of cases written in a file of their own, each on its line from 3 on."""
    path = tmp_path / "some.cases.yaml"
    lines = [f"for: {ruleset}", "cases:", *(f"  - {{name: case {n}, {case}}}" for n, case in enumerate(cases))]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return run_cases(str(path))


HANDS = "hands: [7h Ac Ah 2h 6h 4c Jd 2d 5d, Kh Ks Qs Js 3s Jc 6c Kd 3d, Jh 3h 5s 2s Kc 7c Qd 6d 7d]"
TALON = "talon: Qc 5h 4h 3c 6s 2c As 7s Ad Qh 4s 4d 5c"
SAID = 'actions: ["0: entrada", "1: pass", "2: pass", "0: copas", "0: done", "1: done", "2: done"]'

FAILING = [
    # case, what is said of each failure after its place
    ("order: {trump: copas, of: copas, is: As 7h Ac Kh Ah Ch Sh 6h 5h 4h 3h 2h}",
     ["order of copas: expected As 7h Ac Kh Ah Ch Sh 6h 5h 4h 3h 2h, found As 7h Ac Ah Kh Ch Sh 6h 5h 4h 3h 2h"]),
    ("trick: {trump: copas, cards: Kd 2h 3h, wins: Kd}", ["winning card: expected Kd, found 3h"]),
    ("legal: {trump: copas, led: 4h, hand: As 5h 3d, is: all, rung: free, refused: {3d: free}}",
     ["cards that may be played: expected As 5h 3d, found As 5h", "obligation that decides: expected free, found follow",
      "obligation that refuses 3d: expected free, found follow"]),
    ("legal: {trump: copas, led: 4h, hand: As 5h 3d, is: As 5h, refused: {5h: follow}}",
     ["5h is refused: expected follow, found it may be played"]),
    ('auction: {dealer: 2, says: ["0: vuelta", "1: entrada"], declarer: 0}',
     ["answer: expected seat 1 says `entrada`, found `entrada` is not allowed: a bid must not be lower than the one that stands"]),
    ('auction: {dealer: 2, says: ["0: vuelta"], refused: "1: solo"}', ["answer: expected `solo` is refused, found it is allowed"]),
    ('auction: {dealer: 2, says: ["0: vuelta", "1: pass", "2: pass"], declarer: 1, contract: solo, thrown_in: true}',
     ["contract: expected solo, found vuelta", "hombre: expected 1, found 0", "thrown in: expected true, found false"]),
    ("score: {given: {contract: entrada, tricks: [4, 3, 2], trump: copas}, expect: {outcome: sacada, gains: [-2, 1, 0], pot: 3}}",
     ["outcome: expected sacada, found puesta", "gain of seat 1: expected 1, found 0", "pot: expected 3, found 2"]),
    ("value: {given: {trump: copas}, expr: matadors, is: As 7h Ad}", ["matadors: expected As 7h Ad, found As 7h Ac"]),
    ("value: {given: {trump: copas}, expr: size(trumps), is: 11}", ["size(trumps): expected 11, found 12"]),
    ("invalid: {change: {deck: spanish-40}, code: E201}", ["error: expected E201, found no error"]),
    (f'deal: {{dealer: 2, {HANDS}, {TALON}, {SAID}, tricks: ["0: 7h Kh 3h -> 1"], expect: {{over: true}}}}',
     ["winner of the trick: expected seat 1, found seat 0", "over: expected true, found false"]),
    (f'deal: {{dealer: 2, {HANDS}, {TALON}, {SAID}, tricks: ["0: 7h Ks"]}}',
     ["card: expected seat 1 plays Ks, found `play Ks` is not allowed: you must follow the suit led"]),
    (f'deal: {{dealer: 2, {HANDS}, {TALON}, {SAID}, tricks: [{{knows: "0: 7h Kh"}}, {{does_not_know: "0: 7h Kh"}}]}}',
     ["known cards: expected seat 0 knows Kh, found seat 0 does not know them",
      "known cards: expected seat 0 does not know 7h, found seat 0 knows them"]),
    (f'deal: {{dealer: 2, {HANDS}, {TALON}, {SAID}, expect: {{next_dealer: 1}}}}', ["next_dealer: expected 1, found none"]),
    (f'deal: {{dealer: 2, {HANDS}, {TALON}, {SAID}, tricks: ["1: Kh"]}}',
     ["card: expected seat 1 plays Kh, found seat 0 is asked about play"]),
    (f'deal: {{dealer: 2, {HANDS}, {TALON}, {SAID}, tricks: [{{legal: "0: 7h"}}, {{illegal: "0: play 7h"}}, {{say: "0: claim"}}]}}',
     ["cards that seat 0 may play: expected 7h, found 7h ", "answer: expected seat 0 may not say `play 7h`, found it is allowed",
      "answer: expected seat 0 says `claim`, found `claim` is no answer to this question"]),
]  # fmt: skip


@pytest.mark.parametrize(("case", "said"), FAILING)
def test_a_failure_says_place_expected_and_found(tmp_path: Path, case: str, said: list[str]) -> None:
    (result,) = ran(tmp_path, case)
    assert not result.passed and result.place.endswith("some.cases.yaml:3")
    found = [str(failure) for failure in result.failures]
    assert len(found) == len(said), found
    for text, begin in zip(found, said, strict=True):
        assert text.partition("some.cases.yaml:3: ")[2].startswith(begin), text


def test_an_expectation_is_placed_on_its_own_line(tmp_path: Path) -> None:
    path = tmp_path / "some.cases.yaml"
    path.write_text(
        "for: tresillo\ncases:\n  - name: a\n    score:\n      given: {contract: entrada, hombre: 0, tricks: [4, 3, 2], trump: copas}\n"
        "      expect:\n        outcome: puesta\n        pot: 7\n",
        encoding="utf-8",
    )
    (result,) = run_cases(str(path))
    assert [failure.place.rpartition(":")[2] for failure in result.failures] == ["8"] and result.place.endswith(":3")


# ----------------------------------------------------------------- wrong cases

WRONG = [
    # case, code, underlined, a piece of the message or the help
    ("trick: {trump: copas, cards: Kd kh 3h, wins: Kd}", "E801", "kh", "did you mean `Kh`?"),
    ("trick: {trump: copas, cards: Kd Xh 3h, wins: Kd}", "E801", "Xh", "unknown card `Xh`"),
    ("legal: {trump: copas, hand: Kd Kd, is: all}", "E801", "Kd", "given twice"),
    ("options: {privilge: none}, trick: {cards: Kd, wins: Kd}", "E802", "privilge", "did you mean `privilege`?"),
    ("options: {privilege: nobody}, trick: {cards: Kd, wins: Kd}", "E802", "nobody", "choose one of any_matador_led, superior_only, none"),
    ("order: {trump: copaz, of: copas, is: As}", "E803", "copaz", "did you mean `copas`?"),
    ("order: {of: copas, is: As}", "E804", "copas", "no ranking"),
    ("legal: {trump: copas, led: 4h, hand: 5h, is: all, rung: folow}", "E803", "folow", "did you mean `follow`?"),
    ("score: {given: {tricks: [4, 5]}, expect: {pot: 0}}", "E803", "tricks", "3 are due"),
    ("score: {given: {trikcs: 4}, expect: {pot: 0}}", "E803", "trikcs", "did you mean `tricks`?"),
    ("score: {given: {contract: entrada, hombre: 0}, expect: {poot: 0}}", "E803", "poot", "did you mean `pot`?"),
    ("value: {expr: matador, is: As}", "E210", "matador", "did you mean `matadors`?"),
    ("value: {expr: size(matadors, is: 3}", "E307", "(", "not closed"),
    ("value: {expr: stake +, is: 3}", "E304", "", ""),
    ('auction: {says: ["5: pass"]}', "E803", "5", "seats are 0 to 2"),
    ('auction: {says: ["0: vuelte"]}', "E803", "vuelte", "did you mean `vuelta`?"),
    (f'deal: {{dealer: 2, {HANDS}, unless_listed: [dnoe]}}', "E803", "dnoe", "did you mean `done`?"),
    ("deal: {dealer: 2, hands: [As, Ks, Qs]}", "E803", "As", "9 cards are due"),
    ("invalid: {change: {rankng.plain black: K}, code: E203}", "E605", "rankng", "did you mean `ranking`?"),
]  # fmt: skip


@pytest.mark.parametrize(("case", "code", "underlined", "piece"), WRONG)
def test_a_wrong_case_is_placed(tmp_path: Path, case: str, code: str, underlined: str, piece: str) -> None:
    try:
        (result,) = ran(tmp_path, case)
    except CaseFileError as fault:
        found = fault.diagnostics[0]
    else:
        (failure,) = result.failures
        assert failure.diagnostic is not None, str(failure)
        found = failure.diagnostic
    assert (found.code, found.span.text) == (code, underlined) or (found.code == code and not underlined), str(found)
    assert piece in found.message + found.label.text + (found.help or "")


FAULTY = [
    ("for: tresilo\ncases:\n  - {name: a, trick: {cards: Kd, wins: Kd}}\n", "E601", "tresilo", "did you mean `tresillo`?"),
    ("for: tresillo\ncases:\n  - {name: a, trick: {cards: Kd, win: Kd}}\n", "E120", "win", "did you mean `wins`?"),
    ("for: tresillo\ncases:\n  - {name: a, trik: {cards: Kd, wins: Kd}}\n", "E120", "trik", "did you mean `trick`?"),
    ("for: tresillo\ncases: []\n", "E124", "[", ""),
    ("for: tresillo\ncases:\n" + 2 * "  - {name: a, trick: {cards: Kd, wins: Kd}}\n", "E102", "a", "line 3"),
]


@pytest.mark.parametrize(("text", "code", "underlined", "piece"), FAULTY)
def test_a_wrong_file_is_refused_whole(tmp_path: Path, text: str, code: str, underlined: str, piece: str) -> None:
    path = tmp_path / "some.cases.yaml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(CaseFileError) as caught:
        run_cases(str(path))
    found = caught.value.diagnostics[0]
    assert (found.code, found.span.text) == (code, underlined)
    assert piece in found.message + found.label.text + (found.help or "")


def test_a_ruleset_beside_its_cases_is_found(tmp_path: Path) -> None:
    (tmp_path / "mine.yaml").write_text(
        "ruleset: mine\nlanguage: 1\nextends: tresillo\ntitle: Mine\noverride: {options.stake.default: 3}\n", encoding="utf-8"
    )
    (tmp_path / "mine.cases.yaml").write_text("for: mine\ncases:\n  - {name: a, value: {expr: stake, is: 3}}\n", encoding="utf-8")
    assert [result.passed for result in run_cases(str(tmp_path / "mine.yaml"))] == [True]
    assert [result.passed for result in run_cases(str(tmp_path / "mine.cases.yaml"))] == [True]


def test_only_some_cases_are_run() -> None:
    assert {result.kind for result in run_cases("tresillo", "trick")} == {"trick"}
    assert all("Basto led" in result.name for result in run_cases("tresillo", "Basto led"))
    with pytest.raises(UnknownRuleset, match="did you mean `tresillo`"):
        run_cases("tresilo")


def test_codes_of_cases_are_explained() -> None:
    assert {"E801", "E802", "E803", "E804"} <= set(CODES)
