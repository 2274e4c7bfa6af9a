"""What a content hash is made of: a ruleset as plain data, blind to comments and layout, in YAML and inside DSL text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from dsl.document import resolve
from dsl.printing.kinds import canonical_text, dsl_scalars
from dsl.ruleset import PhraseRow
from dsl.source import Mapping, Node, Scalar
from dsl.source import Sequence as Items

# Where a ruleset comes from is no part of what it says.
ORIGIN = ("extends", "override")


def content(document: Mapping, phrases: Sequence[PhraseRow]) -> dict[str, Any]:
    """A merged document as data: each DSL text in its canonical form, other texts with even spaces.

    The defaults of options are left out, for the values that hold are named beside the content.
    """
    texts = {id(scalar): canonical_text(scalar, kind, phrases) for scalar, kind in dsl_scalars(document)}

    def data(node: Node) -> Any:
        if isinstance(node, Scalar):
            value = texts.get(id(node))
            if value is None:
                value = resolve(node)  # type: ignore[assignment]
            return " ".join(value.split()) if isinstance(value, str) else value
        if isinstance(node, Items):
            return [data(item) for item in node.items]
        return {texts.get(id(e.key), e.key.value): data(e.value) for e in node.entries}

    found: dict[str, Any] = {key: value for key, value in data(document).items() if key not in ORIGIN}
    for option in found.get("options", {}).values():
        option.pop("default", None)
    return found
