"""`spadille explain`: what a code of a diagnostic means."""

from __future__ import annotations

import click

from dsl.codes import CODES
from dsl.suggest import nearest
from spadille.cli.common import Failed


@click.command("explain")
@click.argument("code")
def command(code: str) -> None:
    """Explain the code of an error or a warning, like E203."""
    found = CODES.get(code.upper())
    if found is None:
        near = nearest(code.upper(), CODES)
        raise Failed(f"unknown code `{code}`" + (f"; did you mean `{near}`?" if near else ""))
    click.echo(click.style(f"{code.upper()}: {found.title}", bold=True))
    click.echo(click.wrap_text(found.meaning, 92))
