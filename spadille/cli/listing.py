"""`spadille list`: the rulesets that come with Spadille."""

from __future__ import annotations

import json
import shutil
from dataclasses import asdict, dataclass

import click

from dsl.diagnostics import Report
from dsl.source import Mapping, Scalar
from dsl.yamltext import read
from spadille.cli.common import json_option
from spadille.loading import find_source, ruleset_ids

LONGEST_CHAIN = 8


@dataclass(frozen=True, slots=True)
class Entry:
    """What the list says of a ruleset."""

    id: str
    title: str
    players: int | None
    summary: str
    status: str
    extends: str | None


def entry(id: str) -> Entry:
    """A ruleset's entry, read from its head and those of its parents, without checking it."""
    heads: list[Mapping] = []
    name: str | None = id
    while name is not None and len(heads) < LONGEST_CHAIN and name in ruleset_ids():
        source = find_source(name, Report())
        head = None if source is None else read(source, Report())
        if head is None:
            break
        heads.append(head)
        name = said(heads[-1:], "extends")
    status, parent = said(heads[:1], "status"), said(heads[:1], "extends")
    players = said(heads, "players")
    return Entry(
        id=id,
        title=said(heads, "title") or id,
        players=int(players) if players and players.isdigit() else None,
        summary=said(heads, "summary") or "",
        status=status or "complete",
        extends=parent,
    )


def said(heads: list[Mapping], key: str) -> str | None:
    """The first text that a ruleset or a parent gives for a key."""
    for head in heads:
        override = head.get("override")
        node = head.get(key) or (override.get(key) if isinstance(override, Mapping) else None)
        if isinstance(node, Scalar) and node.value:
            return " ".join(node.value.split())
    return None


@click.command("list")
@json_option
def command(as_json: bool) -> None:
    """List the rulesets that come with Spadille."""
    found = [entry(id) for id in ruleset_ids()]
    if as_json:
        click.echo(json.dumps([asdict(one) for one in found], ensure_ascii=False, indent=2))
        return
    width = max((len(one.id) for one in found), default=0)
    room = max(40, min(100, shutil.get_terminal_size((100, 24)).columns) - width - 4)
    for one in found:
        facts = [one.title, f"{one.players} players" if one.players else "", f"from {one.extends}" if one.extends else ""]
        facts += [one.status] if one.status != "complete" else []
        head = " · ".join(fact for fact in facts if fact)
        click.echo(f"{click.style(one.id.ljust(width), bold=True)}  {head}")
        for line in click.wrap_text(one.summary, room).splitlines():
            click.echo(" " * (width + 2) + line)
