"""The JSON Schema files of `dsl/`, and which of several allowed shapes a node is meant to have.

Our schemas keep to few keywords (`KEYWORDS`), and where a value may have one of several shapes its
own keys tell which.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path as File
from typing import Any, TypeAlias

from dsl.document import Path, is_null
from dsl.source import Mapping, Node, Scalar, Sequence
from dsl.suggest import nearest

Schema: TypeAlias = dict[str, Any]

# What this module understands; a test holds the schema files to it.
KEYWORDS = frozenset(
    {
        "type",
        "properties",
        "additionalProperties",
        "propertyNames",
        "required",
        "items",
        "anyOf",
        "$ref",
        "enum",
        "const",
        "pattern",
        "minimum",
        "maximum",
        "minItems",
        "maxItems",
        "uniqueItems",
        "minProperties",
        "x-deepest",
        "x-required",
        "x-version",
    }
)
NOTES = frozenset({"$schema", "$id", "$defs", "title", "description", "examples", "x-kind", "x-key-kind", "x-words"})

SCALARS = frozenset({"string", "integer", "number", "boolean"})
ANY = SCALARS | {"object", "array"}


@cache
def schema(name: str) -> Schema:
    """The schema of a kind of file: `ruleset`, `library` or `cases`."""
    text = File(__file__).with_name(f"{name}.schema.json").read_text(encoding="utf-8")
    found: Schema = json.loads(text)
    return found


def walk_dsl(document: Mapping, name: str) -> Iterator[tuple[Path, Scalar, str]]:
    """Every scalar that is DSL text, in the file's order: path, scalar, kind; a key has its value's path."""
    yield from _walk(document, {"$ref": "#"}, name, ())


def walk_shape(node: Node, wanted: Schema, file: str) -> Iterator[tuple[Path, Scalar, str]]:
    """Like `walk_dsl`, for a part of a document that has a shape of its own."""
    yield from _walk(node, wanted, file, ())


def _walk(node: Node, wanted: Schema, file: str, path: Path) -> Iterator[tuple[Path, Scalar, str]]:
    found = branch(node, wanted, file)
    if found is None:
        return
    shape, file = found
    if isinstance(node, Scalar):
        kind = shape.get("x-kind")
        if kind is not None and not is_null(node):
            yield path, node, kind
    elif isinstance(node, Sequence):
        if "items" in shape:
            for number, item in enumerate(node.items):
                yield from _walk(item, shape["items"], file, (*path, number))
    else:
        key_kind = shape.get("x-key-kind")
        for entry in node.entries:
            below = (*path, entry.key.value)
            if key_kind is not None:
                yield below, entry.key, key_kind
            inner = child(shape, entry.key.value)
            if inner is not None:
                yield from _walk(entry.value, inner, file, below)


@cache
def _referred(reference: str, file: str) -> tuple[Schema, str]:
    other, _, pointer = reference.partition("#")
    if other:
        file = other.removesuffix(".schema.json")
    found: Schema = schema(file)
    for part in pointer.split("/")[1:]:
        found = found[part]
    return expand(found, file)


def expand(wanted: Schema, file: str) -> tuple[Schema, str]:
    """A schema with its reference followed, and the file its own references are in; notes beside it win."""
    if "$ref" not in wanted:
        return wanted, file
    found, file = _referred(wanted["$ref"], file)
    return ({**found, **wanted} if len(wanted) > 1 else found), file


def child(shape: Schema, key: str) -> Schema | None:
    """The schema of the value under a key; None if the key is unknown or anything may stand there."""
    found = shape.get("properties", {}).get(key, shape.get("additionalProperties"))
    return found if isinstance(found, dict) else None


def branch(node: Node, wanted: Schema, file: str) -> tuple[Schema, str] | None:
    """The shape a node is meant to have: of several the one its kind and keys speak for; None if none is."""
    shape, file = expand(wanted, file)
    if "anyOf" not in shape:
        return shape, file
    fitting = [one for one in shapes(shape, file) if _same_kind(node, one[0])]
    if isinstance(node, Mapping) and len(fitting) > 1:
        # Misspelt keys are looked for only where no shape has all the keys that mark it.
        near = not any(all(key in node for key in one["required"]) for one, _ in fitting if "required" in one)
        scores = [(_votes(node, one[0], near), one) for one in fitting]
        best = max(score for score, _ in scores)
        fitting = [one for score, one in scores if score == best] if best[0] else []
    return fitting[0] if fitting else None


def shapes(shape: Schema, file: str) -> list[tuple[Schema, str]]:
    """All shapes that a schema allows, choices inside choices spread out."""
    if "anyOf" not in shape:
        return [(shape, file)]
    return [one for inner in shape["anyOf"] for one in shapes(*expand(inner, file))]


def _same_kind(node: Node, shape: Schema) -> bool:
    types = types_of(shape)
    if isinstance(node, Mapping):
        return "object" in types
    if isinstance(node, Sequence):
        return "array" in types
    return bool(types - {"object", "array"})


def types_of(shape: Schema) -> set[str]:
    """The types a shape allows, by their names in JSON Schema."""
    types = shape.get("type")
    if types is None:
        return set(SCALARS if "enum" in shape or "const" in shape else ANY)
    return {types} if isinstance(types, str) else set(types)


def _votes(node: Mapping, shape: Schema, near: bool) -> tuple[int, int]:
    """How many of the keys that mark a shape a mapping has, misspelt or not, and how many at all."""
    marks = shape.get("required", ())
    marked = sum(key in node or (near and nearest(key, node.keys()) is not None) for key in marks)
    return marked, sum(key in shape.get("properties", ()) for key in node.index)
