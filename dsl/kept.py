"""What was read without a fault, kept by its text and bounded, so that the same text is not read again.

An edited file is another text and is read anew. What has a fault is never kept, so that it says the same again.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable
from typing import Generic, TypeVar

from dsl.diagnostics import Report
from dsl.schema import validate
from dsl.source import Mapping, Source
from dsl.yamltext import read

MOST_DOCUMENTS = 96

Key = TypeVar("Key", bound=Hashable)
Thing = TypeVar("Thing")


class Shelf(Generic[Key, Thing]):
    """The things that were asked for last, at most a number of them."""

    def __init__(self, most: int) -> None:
        self.most = most
        self.rows: OrderedDict[Key, Thing] = OrderedDict()

    def get(self, key: Key) -> Thing | None:
        """What is kept under a key, or None."""
        found = self.rows.pop(key, None)
        if found is not None:
            self.rows[key] = found
        return found

    def put(self, key: Key, thing: Thing) -> None:
        """Keeps a thing; the one that nobody asked for longest makes room."""
        self.rows[key] = thing
        while len(self.rows) > self.most:
            self.rows.popitem(last=False)


DOCUMENTS: Shelf[tuple[Source, str], Mapping] = Shelf(MOST_DOCUMENTS)


def read_document(source: Source, schema: str, report: Report) -> Mapping | None:
    """The document of a source, valid by a schema, or None after an error in the report."""
    found = DOCUMENTS.get((source, schema))
    if found is not None:
        return found
    before = len(report.kept)
    found = read(source, report)
    if found is None or not validate(found, schema, report):
        return None
    if len(report.kept) == before:
        DOCUMENTS.put((source, schema), found)
    return found
