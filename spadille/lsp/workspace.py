"""The rulesets an editor has open: texts as typed, parents from open files, the folder or the shipped games; checked once."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import unquote, urlsplit

from dsl.diagnostics import Report
from dsl.load import Loaded, load
from dsl.source import Mapping, Source
from dsl.variant import resolve
from dsl.yamltext import read
from spadille.loading import parents, ruleset_ids


@dataclass(slots=True)
class Document:
    """One open file: its text, what checking it gave, and the last document that could be resolved, for names."""

    path: str
    source: Source
    loaded: Loaded | None = None
    resolved: Mapping | None = None


@dataclass(slots=True)
class Workspace:
    """All open files by their URI."""

    documents: dict[str, Document] = field(default_factory=dict)

    def put(self, uri: str, text: str) -> Document:
        """A file opened or changed; what is known of its names is kept while it cannot be read."""
        path = path_of(uri)
        old = self.documents.get(uri)
        document = Document(path, Source(path, text), None, None if old is None else old.resolved)
        self.documents[uri] = document
        return document

    def drop(self, uri: str) -> None:
        """A file closed."""
        self.documents.pop(uri, None)

    def find(self, path: str, id: str) -> Source | None:
        """A parent by id: an open file beside this one, else as on the command line."""
        folder = Path(path).parent
        for other in self.documents.values():
            if Path(other.path) == folder / f"{id}.yaml":
                return other.source
        return parents(folder)(id)

    def checked(self, document: Document) -> Loaded:
        """What checking a file gives, worked out once for each text."""
        if document.loaded is None:
            document.loaded = load(document.source, lambda id: self.find(document.path, id), ruleset_ids())
            own = document.loaded.variant
            if own is not None:
                document.resolved = own.document
            elif document.resolved is None:
                document.resolved = self.resolved(document)
        return document.loaded

    def resolved(self, document: Document) -> Mapping | None:
        """A file with all that it inherits as far as it can be read; its own keys alone if a parent is missing."""
        own = read(document.source, Report())
        if own is None:
            return None
        variant = resolve(own, lambda id: self.find(document.path, id), Report(), ruleset_ids())
        return own if variant is None else variant.document


def path_of(uri: str) -> str:
    """The path that a URI names."""
    return unquote(urlsplit(uri).path) if "://" in uri else uri
