"""Option values that change nothing: each is tried alone, and its program compared with the default's."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from dsl.diagnostics import Report
from dsl.load import load
from dsl.options import Option
from dsl.program import Program
from dsl.source import Scalar, Source
from dsl.variant import Find

# `option is value`, `option is not value`, `option`, `not option`.
TERM = re.compile(r"(not )?([^\W\d]\w*)(?: is (not )?([\w/]+))?")


def warn_of_idle_values(source: Source, find: Find, report: Report) -> None:
    """Adds a warning for each choice of an option that makes the same game as the default; takes a load per value."""
    usual = load(source, find)
    if usual.program is None:
        return
    same = signature(usual.program)
    for option in usual.program.options.values():
        around = needed(option, usual.program.options)
        base = same
        if around:
            lent = load(source, find, options=around)
            base = same if lent.program is None else signature(lent.program)
        for text, scalar in other_values(option):
            tried = load(source, find, options={**around, option.id: text})
            if tried.program is not None and signature(tried.program) == base:
                report.warning("W703", f"the value `{text}` of option `{option.id}` changes nothing", scalar.span,
                               f"the same game as with `{option.default.value}`")  # fmt: skip


def needed(option: Option, options: Mapping[str, Option]) -> dict[str, str]:
    """The values of other options under which this one counts, as its `requires` says; those that hold by default are left out."""
    found: dict[str, str] = {}
    for term in TERM.finditer(option.requires.value if option.requires is not None else ""):
        negated, name, differs, value = term.groups()
        other = options.get(name)
        if other is None:
            continue
        if value is None:
            found[name] = "no" if negated else "yes"
        elif not differs:
            found[name] = value
        elif other.default.value == value:
            found[name] = next((text for text, _ in other_values(other)), value)
    return {name: value for name, value in found.items() if value != options[name].default.value}


def other_values(option: Option) -> Iterator[tuple[str, Scalar]]:
    """The values to try: all other choices, or one other value of a range."""
    if option.choices:
        yield from ((choice.value, choice) for choice in option.choices if choice.value != option.default.value)
    elif option.kind == "truth":
        yield ("no" if option.constant else "yes"), option.default
    else:
        for step in (1, -1):
            text = str(int(option.constant) + step)
            if option.problem(text) is None:
                yield text, option.default
                return


def signature(program: Program) -> str:
    """All of a program that play depends on, as text: bound names by their names, places left out of account."""
    return repr((program.body, program.winners, program.rankings.ranked, program.worth, program.contracts, program.bid_heights))
