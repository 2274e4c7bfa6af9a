"""`spadille test`: runs the cases that stand beside rulesets."""

from __future__ import annotations

import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from spadille.cli.common import Failed, coloured, counted, json_option, print_diagnostics
from spadille.loading import UnknownRuleset, ruleset_ids

if TYPE_CHECKING:
    from spadille.casefile import CaseResult
    from spadille.coverage.measure import Coverage
    from spadille.mutation.score import Score


@click.command("test")
@click.argument("names", nargs=-1, metavar="[RULESET]...")
@click.option("--only", default=None, metavar="WORD", help="Only cases of this kind, or with this in their names.")
@click.option("-v", "--verbose", is_flag=True, help="Names the cases that pass too.")
@click.option("--coverage", is_flag=True, help="Says what of each ruleset no case reached.")
@click.option("--threshold", type=click.FloatRange(0, 100), default=None, metavar="N",
              help="Exits 1 if less than N percent is reached, or with --mutate noticed.")  # fmt: skip
@click.option("--html", "page", type=click.Path(dir_okay=False, path_type=Path), default=None, metavar="FILE",
              help="Writes a page with the lines of the rulesets, marked; implies --coverage.")  # fmt: skip
@click.option("--mutate", is_flag=True, help="Makes small changes of each ruleset and says which of them no case notices.")
@click.option(
    "--limit", type=click.IntRange(min=0), default=100, show_default=True, help="With --mutate: how many changes are tried; 0: all."
)
@click.option("--seed", type=int, default=0, show_default=True, help="With --mutate: draws the changes that are tried.")
@click.option("--jobs", type=click.IntRange(min=1), default=1, show_default=True, help="With --mutate: processes that share the work.")
@json_option
def command(names: tuple[str, ...], only: str | None, verbose: bool, coverage: bool, threshold: float | None, page: Path | None,
            mutate: bool, limit: int, seed: int, jobs: int, as_json: bool) -> None:  # fmt: skip
    """Run the case files beside rulesets, those that come with Spadille if none is named.

    Says for each case that fails which line failed, what was expected and what was found; exits 1 then.
    """
    coverage = coverage or page is not None
    if threshold is not None and not coverage and not mutate:
        raise click.UsageError("`--threshold` goes with `--coverage` or `--mutate`")
    if mutate and only is not None:
        raise click.UsageError("`--mutate` takes all cases of a ruleset: leave out `--only`")
    from spadille.casefile import CaseFileError, report_text
    from spadille.casefile.reading import case_file_of

    results: list[CaseResult] = []
    measured: list[Coverage] = []
    wrong = False
    began = time.perf_counter()
    for name in names or with_cases():
        try:
            if not case_file_of(name)[0].is_file():
                click.echo(f"error: `{name}` has no cases: there is no `{case_file_of(name)[1]}`", err=True)
                wrong = True
                continue
            found = run(name, only, measured if coverage else None)
        except UnknownRuleset as problem:
            raise click.UsageError(str(problem)) from None
        except CaseFileError as problem:
            print_diagnostics(problem.diagnostics, sys.stderr)
            wrong = True
            continue
        results += found
        if not as_json:
            for result in found:
                if verbose or not result.passed:
                    click.echo(report_text(result, coloured(sys.stdout)))
    failed = sum(not result.passed for result in results)
    spent = time.perf_counter() - began
    scores: list[Score] = []
    if mutate and not failed and not wrong:
        from spadille.cli.mutation import scored

        scores = scored(names or with_cases(), limit, seed, jobs)
    if as_json:
        import json

        data: Any = [plain(result) for result in results]
        if coverage:
            from spadille.coverage.report import plain as plain_coverage

            data = {"cases": data, "coverage": [plain_coverage(one) for one in measured]}
        if mutate:
            from spadille.mutation.score import plain as plain_score

            data = {**(data if coverage else {"cases": data}), "mutation": [plain_score(one) for one in scores]}
        click.echo(json.dumps(data, ensure_ascii=False, indent=2))
    else:
        click.echo(f"{counted(len(results), 'case')}: {len(results) - failed} passed, {failed} failed ({spent:.1f} s)")
        if measured:
            told(measured)
        if scores:
            from spadille.cli.mutation import told as told_scores

            told_scores(scores, seed)
    if mutate and (failed or wrong):
        click.echo("error: nothing is changed before all cases pass", err=True)
    if page is not None:
        from spadille.coverage.page import page as written

        write(page, written(measured))
    for one in measured:
        if threshold is not None and one.percent < threshold:
            click.echo(f"error: the cases of `{one.ruleset}` reach {one.percent:.1f} % of it, less than {threshold:g} %", err=True)
            wrong = True
    for score in scores:
        if threshold is not None and score.percent < threshold:
            click.echo(
                f"error: the cases of `{score.ruleset}` notice {score.percent:.1f} % of the changes, less than {threshold:g} %", err=True
            )
            wrong = True
    if only is not None and not results and not wrong:
        raise Failed(f"no case is of kind `{only}` or has `{only}` in its name")
    if failed or wrong:
        click.get_current_context().exit(1)


def run(name: str, only: str | None, measured: list[Coverage] | None = None) -> list[CaseResult]:
    """The results of one file's cases, counted on the terminal while they run; adds what they reached if that is measured."""
    from spadille.casefile import KINDS, read_cases, run_case

    file = read_cases(name)
    chosen = [case for case in file.cases if only is None or case.kind == only or (only not in KINDS and only in case.name)]
    measurement = None
    if measured is not None:
        from spadille.casefile.games import BrokenRuleset
        from spadille.coverage.measure import Measurement

        with suppress(BrokenRuleset):  # every case says what is wrong with it
            measurement = Measurement(file)
    watched = sys.stderr.isatty()
    results = []
    for number, case in enumerate(chosen):
        if watched:
            click.echo(f"\r{name}: {number} of {len(chosen)} cases", err=True, nl=False)
        results.append(run_case(file.ruleset, case) if measurement is None else measurement.run(case))
    if watched:
        click.echo("\r\x1b[2K", err=True, nl=False)
    if measurement is not None and measured is not None:
        measured.append(measurement.coverage)
    return results


def told(measured: list[Coverage]) -> None:
    """The table of coverage."""
    from rich.console import Console

    from spadille.coverage.report import draw

    click.echo()
    draw(Console(highlight=False, markup=False), measured)


def write(path: Path, text: str) -> None:
    """Writes a file, or fails in one line."""
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as problem:
        raise Failed(f"`{path}` cannot be written: {(problem.strerror or str(problem)).lower()}") from None


def with_cases() -> list[str]:
    """The shipped rulesets that have cases."""
    from spadille.casefile.reading import case_file_of

    return [id for id in ruleset_ids() if case_file_of(id)[0].is_file()]


def plain(result: CaseResult) -> dict[str, Any]:
    """A result as plain data."""
    return {
        "name": result.name,
        "kind": result.kind,
        "place": result.place,
        "passed": result.passed,
        "failures": [
            {
                "place": failure.place,
                "what": failure.what,
                "expected": failure.expected,
                "found": failure.found,
                "code": failure.diagnostic.code if failure.diagnostic else None,
            }
            for failure in result.failures
        ],
    }
