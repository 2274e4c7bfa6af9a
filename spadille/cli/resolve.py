"""`spadille resolve`: a variant with all that it inherits, as one file."""

from __future__ import annotations

import click

from spadille.cli.common import json_option, open_sound, set_option


@click.command("resolve")
@click.argument("name", metavar="RULESET")
@click.option("--origin", is_flag=True, help="Says of each value in which file and line it was written.")
@set_option
@json_option
def command(name: str, origin: bool, settings: tuple[str, ...], as_json: bool) -> None:
    """Print the whole of a ruleset: what it inherits, its overrides and options in place.

    The result is a ruleset that plays the same and has the same content hash.

    \b
    Example: spadille resolve tresillo-sin-ver --set stake=4 > mine.yaml
    """
    variant, program = open_sound(name, settings)
    from spadille.compare.resolved import as_text, leaves, resolved

    document, phrases = resolved(variant, program), program.rules.phrases
    if not as_json:
        click.echo(as_text(document, phrases, origin), nl=False)
        return
    import json

    from dsl.document import plain

    answer = leaves(document, phrases) if origin else plain(document)
    click.echo(json.dumps(answer, ensure_ascii=False, indent=2))
