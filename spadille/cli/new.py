"""`spadille new`: starts a variant of a ruleset."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import click

from spadille.cli.common import Failed, open_sound, set_option
from spadille.loading import LONGEST_ID, folder_of, parents, ruleset_ids

ID = re.compile(r"[a-z][a-z0-9-]*")
LONGEST_TITLE = 200


@click.command("new")
@click.argument("id", required=False)
@click.option("--from", "parent", metavar="RULESET", help="The ruleset of which the new one is a variant.")
@click.option("--title", help="The name of the game; by default made from the id.")
@click.option("--summary", help="The game in one sentence.")
@click.option("--folder", type=click.Path(path_type=Path, file_okay=False), default=Path(), help="Where the files go; by default here.")
@set_option
def command(id: str | None, parent: str | None, title: str | None, summary: str | None, folder: Path, settings: tuple[str, ...]) -> None:
    """Start a variant: a ruleset that checks clean and a case that passes, with comments that teach.

    Asks for what is not given, if there is someone to ask. Never overwrites a file. `--set` changes defaults of options.

    \b
    Example: spadille new our-tresillo --from tresillo --title "Tresillo at our table"
    """
    asking = someone_is_there()
    id = sound_id(id or ask("id (small letters, digits and `-`)", asking, "an id: `spadille new my-game --from tresillo`"))
    parent = parent or ask("variant of (see `spadille list`)", asking, "the parent: `--from tresillo`")
    variant, program = open_sound(parent, settings)
    default = id.replace("-", " ").capitalize()
    title = sound_text(title or (click.prompt("title", default) if asking else default), "title")
    summary = sound_text(summary or f"A variant of {program.rules.title}.", "summary")
    near = folder_of(parent)
    if near is not None and near.resolve() != folder.resolve():
        raise click.UsageError(f"a variant lies in the folder of its parent: `--folder {near}`")
    if near is not None and Path(parent).stem != program.rules.id:
        raise click.UsageError(f"`{parent}` is not named like its ruleset, `{program.rules.id}`, and so cannot be extended")
    from spadille.author.starter import starter

    given = {name: option.value for name, option in program.options.items() if option.given}
    ruleset, cases = starter(id, title, summary, variant, program, given, parents(near))
    paths = (folder / f"{id}.yaml", folder / f"{id}.cases.yaml")
    write(dict(zip(paths, (ruleset, cases), strict=True)))
    click.echo(f"wrote {paths[0]} and {paths[1]}")


def someone_is_there() -> bool:
    """Whether questions can be answered."""
    return sys.stdin.isatty()


def ask(what: str, asking: bool, missing: str) -> str:
    """An answer of the author; wrong usage if nobody is there to be asked."""
    if not asking:
        raise click.UsageError(f"give {missing}")
    return str(click.prompt(what)).strip()


def sound_id(id: str) -> str:
    """The id, if a new ruleset may have it."""
    if not ID.fullmatch(id) or len(id) > LONGEST_ID:
        near = re.sub(r"[^a-z0-9]+", "-", id.lower()).strip("-")
        hint = f"; did you mean `{near}`?" if ID.fullmatch(near) and len(near) <= LONGEST_ID and near != id else ""
        raise click.UsageError(f"`{id[:LONGEST_ID]}` is no id: small letters, digits and `-`, a letter first{hint}")
    if id in ruleset_ids():
        raise click.UsageError(f"`{id}` comes with Spadille; choose another id")
    return id


def sound_text(text: str, what: str) -> str:
    """A line of words for the reader."""
    text = " ".join(text.split())
    if not text or len(text) > LONGEST_TITLE or not text.isprintable():
        raise click.UsageError(f"the {what} must be a line of at most {LONGEST_TITLE} characters")
    return text


def write(texts: dict[Path, str]) -> None:
    """Writes new files, all or none."""
    for path in texts:
        if path.exists() or path.is_symlink():
            raise Failed(f"`{path}` is there already, and is not overwritten")
    done: list[Path] = []
    try:
        for path, text in texts.items():
            path.parent.mkdir(parents=True, exist_ok=True)
            with path.open("x", encoding="utf-8", newline="\n") as file:
                done.append(path)
                file.write(text)
    except OSError as fault:
        for path in done:
            path.unlink(missing_ok=True)
        raise Failed(f"`{path}` cannot be written: {str(fault.strerror).lower()}") from None
