"""The door of the language: from the text of a ruleset to its checked core program."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from collections.abc import Mapping as Given
from dataclasses import dataclass
from pathlib import Path

from dsl.diagnostics import Enough, Report
from dsl.elaborate import elaborate
from dsl.inheritance import tell_inheritance
from dsl.judge import judge
from dsl.program import Program
from dsl.reading import items, read_ruleset
from dsl.schema import validate
from dsl.source import Mapping, Scalar, Source
from dsl.suggest import nearest
from dsl.variant import Variant, resolve
from dsl.yamltext import read

LIBRARY = Path(__file__).with_name("library")
ALWAYS_USED = ("decks",)
Find = Callable[[str], Source | None]


@dataclass(frozen=True, slots=True)
class Loaded:
    """A variant and its program; without a program the report says why."""

    variant: Variant | None
    program: Program | None
    report: Report


def library_ids() -> tuple[str, ...]:
    """The modules of the library that `use` can name."""
    return tuple(sorted(path.stem for path in LIBRARY.glob("*.yaml")))


def load(source: Source, find: Find, known: Iterable[str] = (), options: Given[str, str] | None = None,
         change: Callable[[Mapping], Mapping] | None = None, shipped: bool = False, probes: bool = False) -> Loaded:  # fmt: skip
    """Reads, resolves and checks a ruleset; option values are texts, `change` edits the merged document (for cases).

    A shipped ruleset has been judged by `jsonschema` when it was tested; all others are judged now. With `probes` the
    program notes where it comes by, for coverage and explanations.
    """
    report = Report(stops=True)
    try:
        return _load(source, find, known, options or {}, change, shipped, probes, report)
    except Enough:
        return Loaded(None, None, report)


def _load(source: Source, find: Find, known: Iterable[str], options: Given[str, str],
          change: Callable[[Mapping], Mapping] | None, shipped: bool, probes: bool, report: Report) -> Loaded:  # fmt: skip
    document = read(source, report)
    if document is None or not validate(document, "ruleset", report):
        return Loaded(None, None, report)
    variant = resolve(document, find, report, known)
    if variant is None:
        return Loaded(None, None, report)
    loaded = _checked(variant, options, change, shipped, probes, report)
    tell_inheritance(variant, report)
    return loaded


def _checked(variant: Variant, options: Given[str, str], change: Callable[[Mapping], Mapping] | None, shipped: bool, probes: bool,
             report: Report) -> Loaded:  # fmt: skip
    if not shipped and not judge(variant.document, "ruleset", report):
        return Loaded(variant, None, report)
    merged = variant.document if change is None else change(variant.document)
    if change is not None and not validate(merged, "ruleset", report):
        return Loaded(variant, None, report)
    return _program(merged, variant, options, probes, report)


def _program(merged: Mapping, variant: Variant, options: Given[str, str], probes: bool, report: Report) -> Loaded:
    libraries = _libraries(merged, report)
    rules = read_ruleset(merged, libraries, options, report)
    program = None
    if rules.deck is not None and rules.players:
        program = elaborate(rules, report, probes)
    elif report.ok and rules.deck is None:
        report.error("E121", "`deck` is missing here", rules.span, "a ruleset names its deck")
    elif report.ok:
        report.error("E121", "`players` is missing here", rules.span, "a ruleset says how many play")
    return Loaded(variant, program if report.ok else None, report)


def _libraries(document: Mapping, report: Report) -> list[Mapping]:
    """The library modules a ruleset uses."""
    known = library_ids()
    found = []
    wanted: list[Scalar | str] = [*ALWAYS_USED, *(item for item in items(document.get("use")) if isinstance(item, Scalar))]
    for item in wanted:
        name = item if isinstance(item, str) else item.value
        if name not in known:
            near = nearest(name, known)
            assert isinstance(item, Scalar)
            report.error("E221", f"unknown library module `{name}`", item.span, f"the modules are {', '.join(known)}",
                         help=f"did you mean `{near}`?" if near else None)  # fmt: skip
            continue
        path = LIBRARY / f"{name}.yaml"
        module = read(Source(f"library/{name}.yaml", path.read_text(encoding="utf-8")), report)
        if module is not None and validate(module, "library", report) and module not in found:
            found.append(module)
    return found
