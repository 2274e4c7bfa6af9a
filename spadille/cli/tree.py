"""`spadille tree`: families of rulesets."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from dsl.diagnostics import Report
from dsl.kept import read_document
from dsl.source import Mapping
from spadille.cli.common import Failed, counted, json_option, print_diagnostics
from spadille.loading import UnknownRuleset, find_source, folder_of, parents, ruleset_ids

if TYPE_CHECKING:
    from spadille.compare.family import Member

WIDTH = 96


@click.command("tree")
@click.argument("name", metavar="[RULESET]", required=False)
@json_option
def command(name: str | None, as_json: bool) -> None:
    """Show which rulesets extend which.

    With a ruleset: its parents and its variants, and what each overrides, takes away and adds, by path.

    \b
    Example: spadille tree tresillo
    """
    from spadille.compare.family import branches, member

    find = parents(None if name is None else folder_of(name))
    documents = {id: open_document(id) for id in ruleset_ids()}
    if name is not None and name not in documents:
        own = open_document(name)
        documents[str(plain_text(own, "ruleset"))] = own
        name = str(plain_text(own, "ruleset"))
    if name is not None:
        wanted = related(name, {id: plain_text(document, "extends") for id, document in documents.items()})
        documents = {id: document for id, document in documents.items() if id in wanted}
    members = [member(document, find) for document in documents.values()]
    if as_json:
        import json

        click.echo(json.dumps([asdict(one) for one in members], ensure_ascii=False, indent=2))
        return
    below = branches(members)
    for root in below.get(None, []):
        for line in lines(root, below, "", "", detailed=name is not None):
            click.echo(line)


def open_document(name: str) -> Mapping:
    """A ruleset read but not checked; the command fails if it cannot be read."""
    report = Report()
    try:
        source = find_source(name, report)
    except UnknownRuleset as problem:
        raise click.UsageError(str(problem)) from None
    document = None if source is None else read_document(source, "ruleset", report)
    if document is None:
        print_diagnostics(report.errors, sys.stderr)
        raise Failed(f"`{name}` cannot be read")
    return document


def plain_text(document: Mapping, key: str) -> str | None:
    """The text of a key, None if it is not there."""
    from dsl.source import Scalar

    found = document.get(key)
    return found.value if isinstance(found, Scalar) else None


def related(name: str, extends: dict[str, str | None]) -> set[str]:
    """A ruleset, its parents, and all that descend from it."""
    found = {name}
    above = extends.get(name)
    while above is not None and above not in found:
        found.add(above)
        above = extends.get(above)
    below = {name}
    while below:
        below = {id for id, parent in extends.items() if parent in below} - found
        found |= below
    return found


def lines(one: Member, below: dict[str | None, list[Member]], first: str, rest: str, detailed: bool) -> Iterator[str]:
    """A member and its variants, indented."""
    heirs = below.get(one.id, [])
    facts = [(one.overrides, "overrides"), (one.removes, "takes away"), (one.adds, "adds")]
    counts = ", ".join(f"{word} {counted(len(paths), 'thing')}" for paths, word in facts if paths)
    yield f"{first}{click.style(one.id, bold=True)}  {one.title}" + (f"  ({counts})" if counts and not detailed else "")
    stem = rest + ("│  " if heirs else "   ")
    for paths, word in facts if detailed else ():
        if paths:
            text = click.wrap_text(f"{word} {', '.join(paths)}", WIDTH, stem, stem + "  ")
            yield from text.splitlines()
    for number, heir in enumerate(heirs):
        last = number == len(heirs) - 1
        yield from lines(heir, below, rest + ("└─ " if last else "├─ "), rest + ("   " if last else "│  "), detailed)
