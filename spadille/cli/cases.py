"""`spadille test`: runs the cases that stand beside rulesets."""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING, Any

import click

from spadille.cli.common import Failed, coloured, counted, json_option, print_diagnostics
from spadille.loading import UnknownRuleset, ruleset_ids

if TYPE_CHECKING:
    from spadille.casefile import CaseResult


@click.command("test")
@click.argument("names", nargs=-1, metavar="[RULESET]...")
@click.option("--only", default=None, metavar="WORD", help="Only cases of this kind, or with this in their names.")
@click.option("-v", "--verbose", is_flag=True, help="Names the cases that pass too.")
@json_option
def command(names: tuple[str, ...], only: str | None, verbose: bool, as_json: bool) -> None:
    """Run the case files beside rulesets, those that come with Spadille if none is named.

    Says for each case that fails which line failed, what was expected and what was found; exits 1 then.
    """
    from spadille.casefile import CaseFileError, report_text
    from spadille.casefile.reading import case_file_of

    results: list[CaseResult] = []
    wrong = False
    began = time.perf_counter()
    for name in names or with_cases():
        try:
            if not case_file_of(name)[0].is_file():
                click.echo(f"error: `{name}` has no cases: there is no `{case_file_of(name)[1]}`", err=True)
                wrong = True
                continue
            found = run(name, only)
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
    if as_json:
        import json

        click.echo(json.dumps([plain(result) for result in results], ensure_ascii=False, indent=2))
    else:
        spent = time.perf_counter() - began
        click.echo(f"{counted(len(results), 'case')}: {len(results) - failed} passed, {failed} failed ({spent:.1f} s)")
    if only is not None and not results and not wrong:
        raise Failed(f"no case is of kind `{only}` or has `{only}` in its name")
    if failed or wrong:
        click.get_current_context().exit(1)


def run(name: str, only: str | None) -> list[CaseResult]:
    """The results of one file's cases, counted on the terminal while they run."""
    from spadille.casefile import KINDS, read_cases, run_case

    file = read_cases(name)
    chosen = [case for case in file.cases if only is None or case.kind == only or (only not in KINDS and only in case.name)]
    if not sys.stderr.isatty():
        return [run_case(file.ruleset, case) for case in chosen]
    results = []
    for number, case in enumerate(chosen):
        click.echo(f"\r{name}: {number} of {len(chosen)} cases", err=True, nl=False)
        results.append(run_case(file.ruleset, case))
    click.echo("\r\x1b[2K", err=True, nl=False)
    return results


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
