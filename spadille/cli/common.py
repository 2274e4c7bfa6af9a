"""What several commands share: finding a ruleset, `--set`, diagnostics, failures."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, TextIO, TypeVar

import click

from dsl.diagnostics import Diagnostic, render_text
from spadille.loading import OptionError, RulesetError, UnknownRuleset, check_options, read
from spadille.loading import load as load_game

if TYPE_CHECKING:
    from dsl.load import Loaded
    from dsl.program import Program
    from dsl.variant import Variant
    from interpreter.game import Game

F = TypeVar("F", bound=Callable[..., Any])


class Failed(click.ClickException):
    """Something was done and did not succeed: exit code 1."""

    exit_code = 1


def set_option(function: F) -> F:
    """Adds `--set option=value`."""
    about = "Gives an option of the ruleset a value; may be repeated."
    return click.option("--set", "settings", multiple=True, metavar="OPTION=VALUE", help=about)(function)


def json_option(function: F) -> F:
    """Adds `--json`."""
    return click.option("--json", "as_json", is_flag=True, help="Prints the answer as JSON.")(function)


def read_settings(settings: Iterable[str], flag: str = "--set") -> dict[str, str]:
    """Options and values of texts like `stake=4`."""
    found: dict[str, str] = {}
    for text in settings:
        name, equals, value = text.partition("=")
        if not equals or not name.strip():
            raise click.UsageError(f"`{flag} {text}` is no setting; write `{flag} option=value`")
        found[name.strip()] = value.strip()
    return found


def open_loaded(name: str, settings: Iterable[str] = ()) -> Loaded:
    """A ruleset read and checked; an unknown name, option or value is wrong usage."""
    given = read_settings(settings)
    try:
        loaded = read(name, given)
        if loaded.program is not None:
            check_options(loaded.program.options, given)
    except (UnknownRuleset, OptionError) as problem:
        raise click.UsageError(str(problem)) from None
    return loaded


def open_sound(name: str, settings: Iterable[str] = ()) -> tuple[Variant, Program]:
    """A ruleset without errors; its diagnostics are printed and the command fails if it has some."""
    loaded = open_loaded(name, settings)
    if loaded.variant is None or loaded.program is None:
        print_diagnostics(loaded.report.errors, sys.stderr)
        raise Failed(f"`{name}` cannot be played")
    return loaded.variant, loaded.program


def open_game(name: str, settings: Iterable[str] = ()) -> Game:
    """A game ready to play; failures as in `open_loaded`."""
    # Only commands that play need the engine.
    from interpreter.lowering.compile import TooFine

    given = read_settings(settings)
    try:
        return load_game(name, **given)
    except (UnknownRuleset, OptionError) as problem:
        raise click.UsageError(str(problem)) from None
    except TooFine as problem:
        raise Failed(f"`{name}`: {problem}") from None
    except RulesetError as problem:
        print_diagnostics(problem.diagnostics, sys.stderr)
        raise Failed(f"`{name}` cannot be played") from None


def coloured(stream: TextIO) -> bool:
    """Whether colours may be written to a stream."""
    return stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def print_diagnostics(diagnostics: Iterable[Diagnostic], stream: TextIO) -> None:
    """Diagnostics with their lines underlined, an empty line between them."""
    paint = coloured(stream)
    for number, diagnostic in enumerate(diagnostics):
        click.echo(("\n" if number else "") + render_text(diagnostic, paint), file=stream, color=paint)


def counted(number: int, word: str) -> str:
    """A number with its word: `1 error`, `2 errors`."""
    return f"{number} {word}{'' if number == 1 else 's'}"
