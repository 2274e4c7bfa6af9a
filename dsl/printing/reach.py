"""The phrases that the steps of a file may use: its own, its parents' and those of the library modules they name."""

from __future__ import annotations

from collections.abc import Callable

from dsl.diagnostics import Enough, Report
from dsl.load import libraries
from dsl.reading import phrase_rows
from dsl.ruleset import PhraseRow
from dsl.source import Mapping, Scalar, Source
from dsl.variant import DEEPEST_CHAIN
from dsl.yamltext import read


def phrases_in_reach(root: Mapping, find: Callable[[str], Source | None]) -> list[PhraseRow] | None:
    """The phrases; None if a parent cannot be read, so that some may be missing. `find` gives a parent's text by id."""
    family = [root]
    while isinstance(extends := family[-1].get("extends"), Scalar):
        source = find(extends.value) if len(family) < DEEPEST_CHAIN else None
        parent = None if source is None else read(source, Report())
        if parent is None:
            return None
        family.append(parent)
    try:
        used = [module for one in family for module in libraries(one, Report())]
        return phrase_rows([*used, *reversed(family)], Report())
    except Enough:
        return None
