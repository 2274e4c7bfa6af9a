"""From a case file to its cases; what is wrong with the file as a whole is told at once, with places."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from dsl.diagnostics import Diagnostic, Report, render_text
from dsl.schema import validate
from dsl.source import Mapping, Scalar, Sequence, Span
from dsl.suggest import nearest
from dsl.yamltext import CASES, read
from dsl.yamltext import load as read_file
from spadille.loading import FOLDER, UnknownRuleset, ruleset_ids

SUFFIX = ".cases.yaml"
COMMON = frozenset({"name", "about", "options"})


class CaseFileError(ValueError):
    """A case file that cannot be run; `diagnostics` says all that is wrong and where."""

    def __init__(self, diagnostics: tuple[Diagnostic, ...]) -> None:
        self.diagnostics = diagnostics
        super().__init__("\n".join(render_text(diagnostic) for diagnostic in diagnostics))


@dataclass(frozen=True, slots=True)
class Case:
    """One case: its kind, what the kind says (`body`), and the options that differ from the defaults."""

    name: str
    kind: str
    body: Mapping
    options: tuple[tuple[Scalar, Scalar], ...]
    span: Span


@dataclass(frozen=True, slots=True)
class CaseFile:
    """The cases of a file; `ruleset` is an id or a path that `spadille.load` takes."""

    ruleset: str
    cases: tuple[Case, ...]


def case_files() -> tuple[Path, ...]:
    """The case files that come with Spadille."""
    return tuple(sorted(FOLDER.glob(f"*{SUFFIX}")))


def case_file_of(name: str) -> tuple[Path, str]:
    """The path of the cases of a ruleset (by id or path) or of a case file, and the name to show.

    Raises UnknownRuleset for a name that is neither.
    """
    if name in ruleset_ids():
        return FOLDER / f"{name}{SUFFIX}", f"rulesets/{name}{SUFFIX}"
    path = Path(name)
    if path.suffix not in (".yaml", ".yml"):
        raise UnknownRuleset(name)
    if path.name.endswith(SUFFIX) or path.name.endswith(".cases.yml"):
        shown = f"rulesets/{path.name}" if path.resolve().parent == FOLDER.resolve() else name
        return path, shown
    return path.with_name(f"{path.stem}{SUFFIX}"), str(path.with_name(f"{path.stem}{SUFFIX}"))


def read_cases(name: str) -> CaseFile:
    """The cases of a ruleset or of a case file; raises CaseFileError with everything that is wrong."""
    path, shown = case_file_of(name)
    report = Report()
    source = read_file(path, shown, report, CASES)
    document = None if source is None else read(source, report, CASES)
    if document is None or not validate(document, "cases", report):
        raise CaseFileError(report.errors)
    ruleset = _ruleset(document, path, report)
    shared = _options(document)
    listed = document.get("cases")
    assert isinstance(listed, Sequence)
    cases = tuple(_case(item, shared) for item in listed.items if isinstance(item, Mapping))
    names: dict[str, Span] = {}
    for case in cases:
        if case.name in names:
            report.error("E102", f"two cases have the name `{case.name}`", case.span, "again here",
                         help=f"the other one is in line {names[case.name].line}")  # fmt: skip
        names.setdefault(case.name, case.span)
    if not report.ok:
        raise CaseFileError(report.errors)
    return CaseFile(ruleset, cases)


def _ruleset(document: Mapping, path: Path, report: Report) -> str:
    """The ruleset that the file is for: beside it, or one that comes with Spadille."""
    id = document.get("for")
    assert isinstance(id, Scalar)
    beside = path.with_name(f"{id.value}.yaml")
    if id.value in ruleset_ids() and path.resolve().parent == FOLDER.resolve():
        return id.value
    if beside.is_file():
        return str(beside)
    if id.value not in ruleset_ids():
        near = nearest(id.value, [*ruleset_ids(), *(p.stem for p in path.parent.glob("*.yaml") if ".cases" not in p.name)])
        report.error("E601", f"there is no ruleset `{id.value}`", id.span, "not found", help=f"did you mean `{near}`?" if near else None)
    return id.value


def _options(node: Mapping) -> tuple[tuple[Scalar, Scalar], ...]:
    options = node.get("options")
    if not isinstance(options, Mapping):
        return ()
    return tuple((entry.key, entry.value) for entry in options if isinstance(entry.value, Scalar))


def _case(node: Mapping, shared: tuple[tuple[Scalar, Scalar], ...]) -> Case:
    kind = next(entry.key.value for entry in node if entry.key.value not in COMMON)
    name, body = node.get("name"), node.get(kind)
    assert isinstance(name, Scalar) and isinstance(body, Mapping)
    own = _options(node)
    given = {key.value for key, _ in own}
    options = (*(pair for pair in shared if pair[0].value not in given), *own)
    return Case(name.value, kind, body, options, name.span)
