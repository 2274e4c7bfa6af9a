"""A ruleset with all that it inherits: `extends` followed, `override` applied, every node with its origin."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from typing import Any

from dsl.diagnostics import Label, Report, quote
from dsl.document import Path, dotted, is_null
from dsl.kept import read_document
from dsl.paths import find_path
from dsl.schema import validate
from dsl.shapes import branch, child
from dsl.source import Entry, Mapping, Node, Scalar, Sequence, Source, Span
from dsl.suggest import nearest

DEEPEST_CHAIN = 8
# What a ruleset says of itself; of these only a title and a summary are lent by the parent.
IDENTITY = ("ruleset", "language", "extends", "title", "summary", "status")
LENT = ("title", "summary")
# Lists to which a variant adds.
JOINED = ("use", "notes")
LAST_OUTCOME = "otherwise"

Find = Callable[[str], Source | None]


@dataclass(frozen=True, slots=True)
class Variant:
    """The merged document, the rulesets it comes from (its own first), old and new place of each override."""

    document: Mapping
    chain: tuple[tuple[str, Source], ...]
    overridden: dict[Path, tuple[Span, Span]] = field(default_factory=dict)


def resolve(document: Mapping, find: Find, report: Report, known: Iterable[str] = ()) -> Variant | None:
    """The variant a valid document describes, or None after an error; `find` gives a parent's text by id."""
    family = _family(document, find, report, tuple(known))
    if family is None:
        return None
    chain = tuple((_id(one), one.span.source) for one in family)
    override = document.entry("override")
    if len(family) == 1:
        if override is not None:
            report.error(
                "E606",
                "`override` stands in a ruleset that extends none",
                override.key.span,
                "nothing is inherited here",
                help="name the parent: `extends: its-id`",
            )
            return None
        return Variant(document, chain)
    before = len(report.errors)
    merged = family[-1]
    overridden: dict[Path, tuple[Span, Span]] = {}
    for heir in reversed(family[:-1]):
        merged = _Heir(heir, merged, report, overridden).merged()
    if len(report.errors) > before or not validate(merged, "ruleset", report, whole=True):
        return None
    return Variant(merged, chain, overridden)


def _id(document: Mapping) -> str:
    found = document.get("ruleset")
    return found.value if isinstance(found, Scalar) else ""


def _family(document: Mapping, find: Find, report: Report, known: tuple[str, ...]) -> list[Mapping] | None:
    """The document, its parent, its parent's parent …, all of them valid; None after an error."""
    family, names = [document], [_id(document)]
    first = document.get("extends")
    while True:
        extends = family[-1].get("extends")
        if extends is None:
            return family
        if not isinstance(extends, Scalar) or not isinstance(first, Scalar):
            return None
        name = extends.value
        if name in names:
            circle = [*names[names.index(name) :], name]
            words = " extends ".join(quote(one) for one in circle[:2]) + "".join(f", which extends {quote(one)}" for one in circle[2:])
            report.error(
                "E602",
                f"these rulesets extend each other in a circle: {words}",
                first.span,
                "no parent to begin with",
            )
            return None
        if len(family) >= DEEPEST_CHAIN:
            report.error(
                "E603",
                f"{quote(names[0])} has more than {DEEPEST_CHAIN - 1} parents in a row",
                first.span,
                notes=["expected: " + " < ".join(names)],
            )
            return None
        source = find(name)
        if source is None:
            near = nearest(name, known)
            report.error(
                "E601",
                f"there is no ruleset {quote(name)}",
                extends.span,
                "not found",
                help=f"did you mean `{near}`?" if near else None,
            )
            return None
        parent = read_document(source, "ruleset", report)
        if parent is None:
            return None
        family.append(parent)
        names.append(name)


class _Heir:
    """One ruleset on top of its parent's merged document."""

    def __init__(self, own: Mapping, parent: Mapping, report: Report, overridden: dict[Path, tuple[Span, Span]]) -> None:
        self.own, self.parent, self.report, self.overridden = own, parent, report, overridden

    def merged(self) -> Mapping:
        inherited = self.override()
        entries = [entry for entry in self.own.entries if entry.key.value in IDENTITY]
        given = {entry.key.value for entry in entries}
        entries += [e for e in inherited.entries if e.key.value in LENT and e.key.value not in given]
        rest = Mapping(tuple(e for e in inherited.entries if e.key.value not in (*IDENTITY, "override")), inherited.span)
        added = Mapping(tuple(e for e in self.own.entries if e.key.value not in (*IDENTITY, "override")), self.own.span)
        joined = self.join(rest, added, {"$ref": "#"}, "ruleset", ())
        return Mapping((*entries, *joined.entries), self.own.span)

    # ---------------------------------------------------------------- override

    def override(self) -> Mapping:
        """The parent with the overridden values in place."""
        changes: dict[Path, tuple[Scalar, Node]] = {}
        override = self.own.get("override")
        for entry in override.entries if isinstance(override, Mapping) else ():
            path = self.path(entry.key)
            if path is None:
                continue
            for other, (key, _) in changes.items():
                if path[: len(other)] == other or other[: len(path)] == path:
                    self.report.error(
                        "E608",
                        f"{quote(entry.key.value)} and {quote(key.value)} change the same thing",
                        entry.key.span,
                        "",
                        (Label(key.span, "one contains the other"),),
                    )
                    break
            else:
                changes[path] = (entry.key, entry.value)
        changed = self.change(self.parent, (), changes)
        assert isinstance(changed, Mapping)
        return changed

    def path(self, key: Scalar) -> Path | None:
        """The path that a key of `override` names, or None after an error."""
        found = find_path(self.parent, key.value)
        if found.path is not None:
            if found.path[0] in (*IDENTITY, "override"):
                self.report.error(
                    "E607",
                    f"`{found.path[0]}` is a ruleset's own and is not overridden",
                    key.span,
                    "",
                    help=f"write `{found.path[0]}: …` at the start of the file",
                )
                return None
            return found.path
        self.missing(key, found.start, found.end, found.known)
        return None

    def missing(self, key: Scalar, start: int, end: int, known: tuple[str, ...]) -> None:
        word, parent = key.value[start:end], self.own.get("extends")
        name = parent.value if isinstance(parent, Scalar) else "the parent"
        where = f"`{key.value[: start - 1]}` of {quote(name)}" if start else quote(name)
        near = nearest(word, known)
        own = find_path(self.own, key.value).path is not None
        if near is not None:
            help_ = f"did you mean `{near}`?"
        elif own:
            help_ = "it is new in this ruleset: write the value there"
        else:
            help_ = "what is new is added in its own section, without `override`"
        self.report.error(
            "E605",
            f"there is no {quote(word)} in {where} to override",
            key.part(start, end),
            "not inherited",
            help=help_,
        )

    def change(self, node: Node, path: Path, changes: dict[Path, tuple[Scalar, Node]]) -> Node | None:
        """A node with the changes below it made; None if it is taken away."""
        if path in changes:
            key, value = changes[path]
            if value == node:
                self.report.warning(
                    "W701",
                    f"overriding {quote(dotted(path))} changes nothing",
                    key.span,
                    "the parent says the same",
                    (Label(_first(node), "here"),),
                )
            self.overridden[path] = (_first(node), _first(value))
            return None if is_null(value) else value
        if not any(one[: len(path)] == path for one in changes):
            return node
        if isinstance(node, Mapping):
            entries = []
            for entry in node.entries:
                value_ = self.change(entry.value, (*path, entry.key.value), changes)
                if value_ is not None:
                    entries.append(replace(entry, value=value_))
            return Mapping(tuple(entries), node.span)
        if isinstance(node, Sequence):
            items = (self.change(item, (*path, number), changes) for number, item in enumerate(node.items))
            return Sequence(tuple(item for item in items if item is not None), node.span)
        return node

    # --------------------------------------------------------------- additions

    def join(self, inherited: Mapping, added: Mapping, wanted: dict[str, Any], file: str, path: Path) -> Mapping:
        """Both mappings in one: sections are joined key by key, what the parent has must not come again."""
        entries = list(inherited.entries)
        found = branch(inherited, wanted, file)
        shape, file = found if found is not None else ({}, file)
        for entry in added.entries:
            key = entry.key.value
            old = inherited.entry(key)
            if old is None:
                self.insert(entries, entry)
                continue
            inner = child(shape, key)
            section = "properties" in shape
            if section and inner is not None and isinstance(old.value, Mapping) and isinstance(entry.value, Mapping):
                value: Node = self.join(old.value, entry.value, inner, file, (*path, key))
            elif not path and key in JOINED and isinstance(old.value, Sequence) and isinstance(entry.value, Sequence):
                value = Sequence(
                    (*old.value.items, *(x for x in entry.value.items if x not in old.value.items)),
                    entry.value.span,
                )
            else:
                whole = dotted((*path, key))
                self.report.error(
                    "E604",
                    f"{quote(whole)} is inherited and changes only under `override`",
                    entry.key.span,
                    "given again here",
                    (Label(old.key.span, "inherited from here"),),
                    help=f"write `{whole}: …` under `override`",
                )
                continue
            entries[entries.index(old)] = replace(old, value=value)
        return Mapping(tuple(entries), inherited.span)

    def insert(self, entries: list[Entry], entry: Entry) -> None:
        """Adds a new entry: where it says `before`, ahead of the last outcome, or at the end."""
        keys = [one.key.value for one in entries]
        before = entry.value.get("before") if isinstance(entry.value, Mapping) else None
        if isinstance(before, Scalar):
            if before.value in keys:
                entries.insert(keys.index(before.value), entry)
                return
            near = nearest(before.value, keys)
            self.report.error(
                "E609",
                f"there is no {quote(before.value)} before which {quote(entry.key.value)} could stand",
                before.span,
                "",
                help=f"did you mean `{near}`?" if near else None,
            )
        last = entries[-1].value if entries else None
        if isinstance(last, Scalar) and isinstance(entry.value, Scalar) and last.value.strip() == LAST_OUTCOME:
            entries.insert(len(entries) - 1, entry)
        else:
            entries.append(entry)


def _first(node: Node) -> Span:
    """The place to show for a value: all of a line of text, the first key or item of anything longer."""
    if isinstance(node, Mapping) and node.entries:
        return node.entries[0].key.span
    if isinstance(node, Sequence) and node.items:
        return _first(node.items[0])
    return node.span
