"""`spadille show`: the rules of a game, for a player to read."""

from __future__ import annotations

import click

from spadille.cli.common import json_option, open_sound, set_option


@click.command("show")
@click.argument("name", metavar="RULESET")
@set_option
@json_option
def command(name: str, settings: tuple[str, ...], as_json: bool) -> None:
    """Show the rules of a game: cards and ranks, auction, contracts, play, payments, options."""
    variant, program = open_sound(name, settings)
    from spadille.sheet import make_sheet

    sheet = make_sheet(variant, program)
    if as_json:
        import json

        click.echo(json.dumps(sheet, ensure_ascii=False, indent=2))
        return
    from spadille.sheet.render import draw

    draw(sheet)
