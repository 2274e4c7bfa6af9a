"""The examples of a code, run: what the wrong one is told, and the lines in which it and the right one differ."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from dataclasses import replace
from difflib import SequenceMatcher
from functools import cache
from pathlib import Path

from dsl.codes import CODES, FOLDER, Code
from dsl.diagnostics import Diagnostic, Label, Report, render_text
from dsl.source import Source
from dsl.yamltext import decode, read

NAME = "example.yaml"
KNOWN = ("base", "hearts", "tressette")
MOST_LINES = 14
WIDEST = 100


@cache
def told(id: str, right: bool) -> tuple[Diagnostic, ...]:
    """All that is said about the right example of a code, or about the wrong one."""
    code = CODES[id]
    text = code.file(right)
    report = Report()
    if text is None:
        from dsl.yamltext import load as read_file

        read_file(Path(tempfile.gettempdir()) / "no-such-folder" / NAME, NAME, report)
        return report.diagnostics
    source = decode(NAME, text.encode("utf-8" if right else code.encoding), report)
    if source is None:
        return report.diagnostics
    if code.of_cases:
        return cases(source)
    if code.judged:
        from dsl.judge import judge

        document = read(source, report)
        assert document is not None
        judge(document, "ruleset", report)
        return report.diagnostics
    if code.thorough:
        from dsl.idle import warn_of_idle_values

        warn_of_idle_values(source, parents(code), report)
    from dsl.load import load

    return (*report.diagnostics, *load(source, parents(code), KNOWN, code.options or None).report.diagnostics)


def parents(code: Code) -> Callable[[str], Source | None]:
    """Finds the small ruleset, and the parents that an example says it has."""

    def find(id: str) -> Source | None:
        if id == "base":
            return Source("base.yaml", (FOLDER / "base.yaml").read_text(encoding="utf-8"))
        if id in code.parents:
            return Source(f"{id}.yaml", f"ruleset: {id}\nlanguage: 1\nextends: {code.parents[id]}\n")
        return None

    return find


def cases(source: Source) -> tuple[Diagnostic, ...]:
    """What a case file is told, beside the small ruleset."""
    from spadille.casefile import CaseFileError, run_cases

    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "base.yaml").write_text((FOLDER / "base.yaml").read_text(encoding="utf-8"), encoding="utf-8")
        path = Path(folder) / "base.cases.yaml"
        path.write_text(source.text, encoding="utf-8")
        try:
            failures = [failure for result in run_cases(str(path)) for failure in result.failures]
        except CaseFileError as problem:
            return tuple(renamed(found, folder) for found in problem.diagnostics)
    return tuple(renamed(failure.diagnostic, folder) for failure in failures if failure.diagnostic is not None)


def renamed(found: Diagnostic, folder: str) -> Diagnostic:
    """A diagnostic that names its files without the folder in which the example lay for a moment."""

    def short(text: str) -> str:
        return text.replace(f"{folder}/", "")

    span = replace(found.span, source=Source(short(found.span.source.name), found.span.source.text))
    return replace(found, message=short(found.message), label=Label(span, short(found.label.text)))


# ------------------------------------------------------------------------ pages


def both(code: Code) -> tuple[list[str], list[str]]:
    """The lines to show of the wrong and of the right example."""
    wrong, right = code.file(False), code.file(True)
    assert right is not None
    return [] if wrong is None else excerpt(wrong, right), excerpt(right, wrong)


def markdown(code: Code) -> str:
    """The page of a code."""
    wrong, right = both(code)
    parts = [f"# {code.id}: {code.title}", code.what, f"**Why.** {code.why}", "## Wrong"]
    parts += [fenced("yaml", wrong)] if wrong else ["There is no such file."]
    parts += [fenced("text", render_text(found).split("\n")) for found in told(code.id, right=False)[:1]]
    return "\n\n".join([*parts, "## Right", fenced("yaml", right)]) + "\n"


def fenced(kind: str, lines: list[str]) -> str:
    """Lines as a block of Markdown."""
    return "\n".join([f"```{kind}", *(line.rstrip() for line in lines), "```"])


# --------------------------------------------------------------------- excerpts


def excerpt(text: str, other: str | None) -> list[str]:
    """The lines of a text that another one does not have, below the keys they stand under; whole texts if they are short."""
    lines = text.splitlines()
    if len(lines) <= MOST_LINES:
        return cut(lines, range(len(lines)))
    theirs = (other or "").splitlines()
    changed: set[int] = set()
    for kind, start, end, *_ in SequenceMatcher(None, lines, theirs, autojunk=False).get_opcodes():
        if kind != "equal":
            # What is only missing here is shown by the line before it.
            changed.update(range(start, end) if end > start else [max(start - 1, 0)])
    shown = set(changed)
    for number in changed:
        shown.update(enclosing(lines, number))
    return cut(lines, sorted(shown))


def enclosing(lines: list[str], number: int) -> list[int]:
    """The lines whose keys a line stands under."""
    found = []
    depth = indent(lines[number]) if lines[number].strip() else 0
    for before in range(number - 1, -1, -1):
        if lines[before].strip() and indent(lines[before]) < depth:
            depth = indent(lines[before])
            found.append(before)
    return found


def indent(line: str) -> int:
    """How far a line is moved in; the dash of an item counts."""
    return len(line) - len(line.lstrip(" "))


def cut(lines: list[str], numbers: range | list[int]) -> list[str]:
    """Lines by their numbers, `…` where some are left out; long ones are cut."""
    found: list[str] = []
    last = -1
    for number in numbers:
        if number > last + 1 and not (found and found[-1].strip() == "…") and (found or number > 0):
            found.append(" " * indent(lines[number]) + "…")
        found.append(lines[number] if len(lines[number]) <= WIDEST else lines[number][:WIDEST] + "…")
        last = number
    if len(found) > MOST_LINES:
        found = [*found[: MOST_LINES // 2], "…", found[-1]]
    if found and found[0].strip() == "…":
        del found[0]
    return [line for line in found if line.strip() or len(found) < 3]
