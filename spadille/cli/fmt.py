"""`spadille fmt`: files in their one canonical form."""

from __future__ import annotations

import difflib
import os
import sys
import tempfile
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import click

from dsl.diagnostics import Report
from dsl.source import Source
from spadille.cli.common import Failed, counted, print_diagnostics
from spadille.loading import FOLDER, parents, ruleset_ids

SUFFIXES = (".yaml", ".yml")
STDIN = "<stdin>"


@click.command("fmt")
@click.argument("names", nargs=-1, metavar="[FILE|FOLDER|RULESET|-]...")
@click.option("--check", "only_check", is_flag=True, help="Writes nothing; names the files that are not in the form, and exits 1.")
@click.option("--diff", "show_diff", is_flag=True, help="Writes nothing; shows what would change, and exits 1 if anything would.")
def command(names: tuple[str, ...], only_check: bool, show_diff: bool) -> None:
    """Put rulesets and case files into their canonical form.

    Comments, empty lines and the meaning stay; `-` reads standard input and writes standard output. Says nothing when all is well.

    \b
    Example: spadille fmt my-game.yaml my-game.cases.yaml
             spadille fmt --check
    """
    if not names and not (only_check or show_diff):
        raise click.UsageError("name the files to format; without names there is only `--check`")
    paths = sorted({path for name in names if name != "-" for path in files(name)} if names else set(files(str(FOLDER))))
    faulty, changed = 0, 0
    todo: list[tuple[Source | None, Path, Callable[[str], object]]] = []
    if "-" in names:
        todo.append((read_stdin(), Path.cwd(), partial(click.echo, nl=False)))
    todo += [(read_source(path), path.parent, partial(replace_file, path)) for path in paths]
    for source, near, write in todo:
        after = None if source is None else formatted(source, near)
        if source is None or after is None:
            faulty += 1
        else:
            changed += deliver(source, after, only_check, show_diff, write)
    if faulty:
        raise Failed(f"{counted(faulty, 'file')} cannot be formatted")
    if changed and (only_check or show_diff):
        raise Failed(f"{counted(changed, 'file')} would be formatted")


def files(name: str) -> Iterator[Path]:
    """The files that a name stands for: a file, those of a folder, or a shipped ruleset with its cases."""
    path = Path(name)
    if name in ruleset_ids():
        yield from (one for one in (FOLDER / f"{name}.yaml", FOLDER / f"{name}.cases.yaml") if one.is_file())
    elif path.is_dir():
        yield from (one for one in path.iterdir() if one.suffix in SUFFIXES)
    elif path.suffix in SUFFIXES:
        yield path
    else:
        raise click.UsageError(f"`{name}` is no ruleset, no folder and no YAML file")


def read_source(path: Path) -> Source | None:
    """The text of a file; None after an error that has been printed."""
    from dsl.yamltext import CASES, load

    source = load(path, str(path), report := Report(), CASES)
    print_diagnostics(report.errors, sys.stderr)
    return source


def read_stdin() -> Source | None:
    """The text of standard input; None after an error that has been printed."""
    from dsl.yamltext import CASES, decode

    source = decode(STDIN, sys.stdin.buffer.read(CASES.bytes + 1), report := Report(), CASES)
    print_diagnostics(report.errors, sys.stderr)
    return source


def formatted(source: Source, near: Path) -> str | None:
    """The canonical text of a source whose parents lie in a folder; None after an error that has been printed."""
    from dsl.printing import Unfaithful, format_source

    report = Report()
    try:
        text = format_source(source, report, parents(near))
    except Unfaithful:
        click.echo(f"error: `{source.name}` is left as it is: its formatted text would not read the same", err=True)
        return None
    print_diagnostics(report.errors, sys.stderr)
    return text


def deliver(source: Source, after: str, only_check: bool, show_diff: bool, write: Callable[[str], object]) -> bool:
    """Writes, names or shows a change; whether there is one."""
    if show_diff:
        lines = difflib.unified_diff(source.text.splitlines(), after.splitlines(), source.name, f"{source.name} (formatted)", lineterm="")
        for line in lines:
            click.echo(line)
    elif only_check:
        if source.text != after:
            click.echo(source.name)
    elif source.name == STDIN or source.text != after:
        write(after)
    return source.text != after


def replace_file(path: Path, text: str) -> None:
    """Writes a file whole or not at all; its permissions stay."""
    path = path.resolve()
    handle, draft = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with open(handle, "w", encoding="utf-8", newline="\n") as file:
            file.write(text)
        os.chmod(draft, path.stat().st_mode & 0o7777)
        os.replace(draft, path)
    except OSError as fault:
        Path(draft).unlink(missing_ok=True)
        raise Failed(f"`{path}` cannot be written: {str(fault.strerror).lower()}") from None
