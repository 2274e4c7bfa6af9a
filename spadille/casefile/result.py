"""What came of a case: passed, or each expectation that failed, with its place, expected and found."""

from __future__ import annotations

from dataclasses import dataclass, field

from dsl.diagnostics import Diagnostic, Label, render_text
from dsl.source import Span


@dataclass(frozen=True, slots=True)
class Failure:
    """An expectation that did not hold. `diagnostic` is set where the case itself is wrong and was not run to its end."""

    span: Span
    what: str
    expected: str = ""
    found: str = ""
    diagnostic: Diagnostic | None = None

    @property
    def place(self) -> str:
        """File and line, as in `rulesets/tresillo.cases.yaml:12`."""
        return f"{self.span.source.name}:{self.span.line}"

    def __str__(self) -> str:
        if self.diagnostic is not None:
            return str(self.diagnostic)
        text = f"{self.place}: {self.what}"
        if self.expected or self.found:
            text += f": expected {self.expected or 'nothing'}, found {self.found or 'nothing'}"
        return text


@dataclass(frozen=True, slots=True)
class CaseResult:
    """A case that was run: its name, its kind and what failed, nothing if it passed."""

    name: str
    kind: str
    span: Span = field(repr=False)
    failures: tuple[Failure, ...] = ()

    @property
    def passed(self) -> bool:
        return not self.failures

    @property
    def place(self) -> str:
        """File and line of the case."""
        return f"{self.span.source.name}:{self.span.line}"

    def __str__(self) -> str:
        return f"{self.place}: {self.kind} case {'passed' if self.passed else 'failed'}: {self.name}"


def report_text(result: CaseResult, colour: bool = False) -> str:
    """A result with its failures, each with the line of the file, for people."""
    lines = [str(result)]
    for failure in result.failures:
        if failure.diagnostic is not None:
            lines.append(render_text(failure.diagnostic, colour))
            continue
        lines.append(f"  {failure}")
    return "\n".join(lines)


class WrongCase(Exception):
    """A case that says something impossible, such as a card that the deck does not have."""

    def __init__(self, code: str, message: str, span: Span, label: str = "", help: str | None = None) -> None:
        self.diagnostic = Diagnostic(code, message, Label(span, label), help=help)
        super().__init__(str(self.diagnostic))

    @property
    def failure(self) -> Failure:
        return Failure(self.diagnostic.span, self.diagnostic.message, diagnostic=self.diagnostic)


class Stuck(Exception):
    """A case that cannot go on: what follows depends on what just failed."""


class Checks:
    """Collects the failures of one case."""

    def __init__(self) -> None:
        self.failures: list[Failure] = []

    def equal(self, span: Span, what: str, expected: str, found: str) -> None:
        """Notes a failure unless the two texts are the same."""
        if expected != found:
            self.failures.append(Failure(span, what, expected, found))

    def fail(self, span: Span, what: str, expected: str = "", found: str = "") -> None:
        self.failures.append(Failure(span, what, expected, found))

    def stop(self, span: Span, what: str, expected: str = "", found: str = "") -> Stuck:
        """Notes a failure after which the case cannot go on; to be raised."""
        self.fail(span, what, expected, found)
        return Stuck()
