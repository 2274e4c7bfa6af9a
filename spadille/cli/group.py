"""The group of commands: each imported when it is called, near names suggested, every failure one clear line."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib import import_module
from typing import Any, NoReturn

import click

from dsl.suggest import nearest

# Where each command lives, in the order of the help.
COMMANDS = {
    "list": "listing",
    "check": "check",
    "show": "show",
    "play": "play",
    "simulate": "simulate",
    "test": "cases",
    "bench": "bench",
    "explain": "explain",
    "lsp": "lsp",
    "why": "why",
    "fmt": "fmt",
    "solve": "solve",
    "review": "review",
    "hint": "hint",
    "report": "report",
    "balance": "balance",
    "resolve": "resolve",
    "tree": "tree",
    "diff": "diff",
    "new": "new",
}
INTERRUPTED = 130


class Commands(click.Group):
    """Commands by name; anything that goes wrong ends in one line on standard error and an exit code."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        found = import_module(f"spadille.cli.{COMMANDS[cmd_name]}").command
        assert isinstance(found, click.Command)
        return found

    def resolve_command(self, ctx: click.Context, args: list[str]) -> tuple[str | None, click.Command | None, list[str]]:
        name = args[0]
        if name not in COMMANDS and not name.startswith("-"):
            near = nearest(name, COMMANDS)
            hint = f"; did you mean `{near}`?" if near else f"; the commands are {', '.join(COMMANDS)}"
            raise click.UsageError(f"unknown command `{name}`{hint}", ctx)
        return super().resolve_command(ctx, args)

    def main(self, args: Sequence[str] | None = None, prog_name: str | None = None, complete_var: str | None = None,
             standalone_mode: bool = True, windows_expand_args: bool = True, **extra: Any) -> Any:  # fmt: skip
        """Runs and exits: 0 done, 1 failed, 2 wrong usage, 130 interrupted."""
        try:
            result: Any = super().main(args, prog_name, complete_var, False, windows_expand_args=windows_expand_args, **extra)
        except click.ClickException as problem:
            stop(problem)
        except click.Abort:
            click.echo("interrupted", err=True)
            sys.exit(INTERRUPTED)
        sys.exit(result if isinstance(result, int) else 0)


def stop(problem: click.ClickException) -> NoReturn:
    """Says what is wrong in one line and exits."""
    text = problem.format_message().strip().rstrip(".")
    click.echo(f"error: {text[:1].lower()}{text[1:]}", err=True)
    sys.exit(problem.exit_code)


@click.group(cls=Commands, invoke_without_command=True, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(package_name="spadille", message="spadille %(version)s")
@click.pass_context
def main(ctx: click.Context) -> None:
    """The rules of trick-taking card games as data, and one engine that plays them.

    A game is given by its id (see `spadille list`) or by the path of a ruleset file.
    """
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())
