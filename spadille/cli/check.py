"""`spadille check`: is a ruleset sound? Silent when it is."""

from __future__ import annotations

import sys
from fractions import Fraction

import click

from dsl import core
from dsl.diagnostics import Diagnostic, Report
from dsl.program import Program
from dsl.walk import expressions, parts, statements
from spadille.cli.common import Failed, counted, open_loaded, print_diagnostics, set_option
from spadille.loading import find_source, folder_of, parents, ruleset_ids

STYLES = ("text", "json", "sarif", "github")
ROUNDING = ("floor", "ceiling", "round")


@click.command("check")
@click.argument("names", nargs=-1, metavar="[RULESET]...")
@click.option("--strict", is_flag=True, help="Warnings fail too.")
@click.option("--format", "style", type=click.Choice(STYLES), default="text", help="How diagnostics are printed.")
@click.option("--thorough", is_flag=True, help="Also try every option value, and warn of those that change nothing.")
@set_option
def command(names: tuple[str, ...], strict: bool, style: str, thorough: bool, settings: tuple[str, ...]) -> None:
    """Check rulesets, those that come with Spadille if none is named.

    Prints nothing when all is well; else every error and warning with its place, and exits 1 after an error.
    """
    found: list[Diagnostic] = []
    dropped = 0
    unbuilt: list[str] = []
    for name in names or ruleset_ids():
        loaded = open_loaded(name, settings)
        if thorough:
            idle_values(name, loaded.report)
        # A parent shared by several rulesets is complained about once.
        found += [diagnostic for diagnostic in loaded.report.diagnostics if str(diagnostic) not in {str(other) for other in found}]
        dropped += loaded.report.dropped
        if loaded.program is not None:
            problem = too_fine(loaded.program)
            unbuilt += [f"`{name}`: {problem}"] if problem else []
    errors = sum(diagnostic.severity == "error" for diagnostic in found)
    warnings = len(found) - errors
    if style != "text":
        from spadille.renderings import RENDERINGS

        click.echo(RENDERINGS[style](found, unbuilt), nl=False)
    else:
        print_diagnostics(found, sys.stdout)
        if found:
            more = f", and {dropped} more not shown" if dropped else ""
            click.echo(f"\n{counted(errors, 'error')}, {counted(warnings, 'warning')}{more}", err=True)
    if unbuilt and style == "text":
        raise Failed("; ".join(unbuilt))
    if errors or unbuilt or (strict and warnings):
        click.get_current_context().exit(1)


def idle_values(name: str, report: Report) -> None:
    """Adds warnings for option values without effect."""
    from dsl.idle import warn_of_idle_values

    source = find_source(name, Report())
    if source is not None:
        warn_of_idle_values(source, parents(folder_of(name)), report)


def too_fine(program: Program) -> str | None:
    """Why the amounts of a program have no common unit, or None; the compiler is asked only where there are fractions."""
    if not any(makes_fractions(expr) for stmt in statements(program.body) for expr in expressions(stmt)):
        return None
    from interpreter.lowering.compile import TooFine, compile_program

    try:
        compile_program(program)
    except TooFine as problem:
        return str(problem)
    return None


def makes_fractions(expr: core.Expr) -> bool:
    """Whether an expression may give a number finer than those it is made of."""
    todo = [expr]
    while todo:
        found = todo.pop()
        inner = parts(found)
        if isinstance(found, core.Const) and isinstance(found.value, Fraction) and found.value.denominator > 1:
            return True
        if isinstance(found, core.Prim):
            if found.name == "/" or (found.name == "*" and not any(part.type.whole for part in inner)):
                return True
            if found.name in ROUNDING:
                inner = tuple(part for quotient in inner for part in parts(quotient))
        todo += inner
    return False
