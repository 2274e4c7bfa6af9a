"""`spadille lsp`: the language server, for editors."""

from __future__ import annotations

import click

from spadille.cli.common import Failed


@click.command("lsp")
def command() -> None:
    """Answer an editor over standard input and output: errors as you type, names, places, renaming, formatting."""
    try:
        from spadille.lsp.server import make
    except ImportError:
        raise Failed("the language server needs pygls, which is not installed: pip install 'spadille[lsp]'") from None
    make().start_io()
