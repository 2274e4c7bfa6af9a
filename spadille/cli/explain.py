"""`spadille explain`: what a code of a diagnostic means, why it is refused, and an example of each."""

from __future__ import annotations

import click

from spadille.cli.common import Failed, coloured, json_option

WIDTH = 92


@click.command("explain")
@click.argument("code")
@json_option
def command(code: str, as_json: bool) -> None:
    """Explain the code of an error or a warning, like E203.

    Says what is wrong and why it is refused, and shows an example with the fault, what is said of it, and one without.
    """
    import sys

    from dsl.codes import CODES
    from dsl.diagnostics import render_text
    from dsl.suggest import nearest
    from spadille.explanation import both, told

    found = CODES.get(code.upper())
    if found is None:
        near = nearest(code.upper(), CODES)
        raise Failed(f"unknown code `{code}`" + (f"; did you mean `{near}`?" if near else ""))
    lines = dict(zip(("wrong", "right"), both(found), strict=True))
    said = told(found.id, right=False)
    if as_json:
        import json

        from dsl.diagnostics import Report, render_json

        report = Report()
        for one in said:
            report.add(one)
        row = {"code": found.id, "severity": found.severity, "title": found.title, "what": found.what, "why": found.why}
        examples = {side: "\n".join(shown) for side, shown in lines.items()}
        click.echo(json.dumps({**row, **examples, "told": render_json(report)}, ensure_ascii=False, indent=2))
        return
    paint = coloured(sys.stdout)
    click.echo(click.style(f"{found.id}: {found.title}", bold=True), color=paint)
    click.echo()
    click.echo(click.wrap_text(found.what, WIDTH))
    click.echo()
    click.echo(click.wrap_text(f"Why: {found.why}", WIDTH))
    for title, shown in (("Wrong:", lines["wrong"] or ["(there is no such file)"]), ("Right:", lines["right"])):
        click.echo("\n" + click.style(title, bold=True) + "\n", color=paint)
        for line in shown:
            click.echo(f"    {line}".rstrip())
        if title == "Wrong:":
            click.echo()
            for one in said[:1]:
                click.echo("\n".join(f"  {line}" for line in render_text(one, paint).split("\n")), color=paint)
