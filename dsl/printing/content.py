"""What a content hash is made of: a ruleset as plain data, blind to comments and layout, in YAML and inside DSL text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from dsl.document import resolve
from dsl.printing.kinds import canonical_text, dsl_scalars
from dsl.ruleset import PhraseRow
from dsl.shapes import Schema, branch, child
from dsl.source import Mapping, Node, Scalar
from dsl.source import Sequence as Items

# Where a ruleset comes from is no part of what it says.
ORIGIN = ("extends", "override")


def content(document: Mapping, phrases: Sequence[PhraseRow]) -> dict[str, Any]:
    """A merged document as data: each DSL text in its canonical form, other texts with even spaces, fixed keys in one order.

    The defaults of options are left out, for the values that hold are named beside the content.
    """
    texts = {id(scalar): canonical_text(scalar, kind, phrases) for scalar, kind in dsl_scalars(document)}

    def data(node: Node, wanted: Schema | None, file: str) -> Any:
        shaped = None if wanted is None else branch(node, wanted, file)
        shape, file = shaped if shaped is not None else ({}, file)
        if isinstance(node, Scalar):
            value = texts.get(id(node))
            if value is None:
                value = resolve(node)  # type: ignore[assignment]
            return " ".join(value.split()) if isinstance(value, str) else value
        if isinstance(node, Items):
            return [data(item, shape.get("items"), file) for item in node.items]
        # Keys that an author names (obligations, outcomes, options …) stay as they stand: their order may be a rule.
        entries = sorted(node.entries, key=lambda entry: entry.key.value) if "properties" in shape else node.entries
        return {texts.get(id(e.key), e.key.value): data(e.value, child(shape, e.key.value), file) for e in entries}

    found: dict[str, Any] = {key: value for key, value in data(document, {"$ref": "#"}, "ruleset").items() if key not in ORIGIN}
    for option in found.get("options", {}).values():
        option.pop("default", None)
    return found
