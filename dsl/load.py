"""The door of the language: from the text of a ruleset to its checked core program."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from collections.abc import Mapping as Given
from dataclasses import dataclass, replace
from pathlib import Path

from dsl.diagnostics import Diagnostic, Enough, Report
from dsl.elaborate import elaborate
from dsl.inheritance import tell_inheritance
from dsl.judge import judge
from dsl.kept import DOCUMENTS, Shelf, read_document
from dsl.mending import mend
from dsl.nodes import items
from dsl.program import Program
from dsl.reading import choose, read_ruleset
from dsl.ruleset import Ruleset
from dsl.schema import validate
from dsl.source import Mapping, Scalar, Source
from dsl.suggest import nearest
from dsl.variant import DEEPEST_CHAIN, Find, Variant, resolve
from dsl.yamltext import read

LIBRARY = Path(__file__).with_name("library")
ALWAYS_USED = ("decks",)
MOST_RULESETS = 64


@dataclass(frozen=True, slots=True)
class Loaded:
    """A variant and its program; without a program the report says why."""

    variant: Variant | None
    program: Program | None
    report: Report


@dataclass(frozen=True, slots=True)
class Prepared:
    """A ruleset with every text parsed and no error, under the defaults of its options; its warnings are said at every load."""

    variant: Variant
    rules: Ruleset
    warnings: tuple[Diagnostic, ...]


# By the texts that a ruleset is made of, its own first, and whether it is a shipped one.
PREPARED: Shelf[tuple[tuple[Source, ...], bool], Prepared] = Shelf(MOST_RULESETS)


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
    texts = _family(source, find) if change is None else None
    ready = None if texts is None else PREPARED.get((texts, shipped))
    if ready is None:
        merged, variant = _merged(source, find, known, change, shipped, report)
        if merged is None or variant is None:
            return _told(variant, None, report)
        ready = Prepared(variant, read_ruleset(merged, libraries(merged, report), report), report.warnings)
        if report.ok and change is None:
            PREPARED.put((tuple(text for _, text in variant.chain), shipped), ready)
    else:
        for warning in ready.warnings:
            report.add(warning)
    # Only from here on do the options matter.
    rules = replace(ready.rules, options=choose(ready.rules.options, options))
    return _told(ready.variant, _program(rules, probes, report), report)


def _told(variant: Variant | None, program: Program | None, report: Report) -> Loaded:
    """What was loaded, with the report saying of each fault what it inherits."""
    if variant is not None:
        tell_inheritance(variant, report)
    return Loaded(variant, program, report)


def _family(source: Source, find: Find) -> tuple[Source, ...] | None:
    """The texts that a ruleset is made of, where all of them have been read before."""
    found = [source]
    while len(found) <= DEEPEST_CHAIN:
        own = DOCUMENTS.get((found[-1], "ruleset"))
        if own is None:
            return None
        extends = own.get("extends")
        if extends is None:
            return tuple(found)
        parent = find(extends.value) if isinstance(extends, Scalar) else None
        if parent is None:
            return None
        found.append(parent)
    return None


def _merged(source: Source, find: Find, known: Iterable[str], change: Callable[[Mapping], Mapping] | None,
            shipped: bool, report: Report) -> tuple[Mapping | None, Variant | None]:  # fmt: skip
    """The document with all that it inherits, changed if need be; None after an error."""
    own = read_document(source, "ruleset", report)
    if own is None:
        _read_on(source, find, known, report)
        return None, None
    variant = resolve(own, find, report, known)
    if variant is None or (not shipped and not judge(variant.document, "ruleset", report)):
        return None, variant
    if change is None:
        return variant.document, variant
    merged = change(variant.document)
    return merged if validate(merged, "ruleset", report) else None, variant


def _read_on(source: Source, find: Find, known: Iterable[str], report: Report) -> None:
    """Tells what else is wrong in a file whose keys or values are: texts that do not parse, and where only keys were misspelt, all."""
    own = read(source, Report())
    mended = None if own is None else mend(own, "ruleset")
    if mended is None:
        return
    later = Report(stops=True)
    try:
        variant = resolve(mended.document, find, later, known)
        if variant is not None:
            rules = read_ruleset(variant.document, libraries(variant.document, later), later)
            if mended.sure and rules.deck is not None and rules.players:
                elaborate(rules, later)
    except Enough:
        pass
    for fault in later.errors:
        # What is left out may be what a name or a section misses; a text that does not parse is a fault of its own.
        if fault.code.startswith("E3" if not mended.sure else "E") and not fault.code.startswith("E1"):
            report.add(fault)


def _program(rules: Ruleset, probes: bool, report: Report) -> Program | None:
    program = None
    if rules.deck is not None and rules.players:
        program = elaborate(rules, report, probes)
    elif report.ok and rules.deck is None:
        report.error("E121", "`deck` is missing here", rules.span, "a ruleset names its deck")
    elif report.ok:
        report.error("E121", "`players` is missing here", rules.span, "a ruleset says how many play")
    return program if report.ok else None


def libraries(document: Mapping, report: Report) -> list[Mapping]:
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
        module = read_document(Source(f"library/{name}.yaml", path.read_text(encoding="utf-8")), "library", report)
        if module is not None and module not in found:
            found.append(module)
    return found
