"""The command line: one module per command, imported only when it is used."""

from spadille.cli.group import main

__all__ = ["main"]
