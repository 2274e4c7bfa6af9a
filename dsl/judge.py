"""The verdict of the `jsonschema` library on a file that did not come with Spadille.

`dsl.schema` walks the same schema and explains faults in an author's words; this is the authority behind
it: whatever the library refuses is an error, even where the walk found nothing to say.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

from dsl.diagnostics import Report
from dsl.document import at, plain
from dsl.shapes import Schema, schema
from dsl.source import Mapping


@cache
def _validator(name: str) -> Any:
    # Imported here: it takes longer than everything else that checks a shipped ruleset.
    from jsonschema import Draft202012Validator, ValidationError, validators

    extend: Any = validators.extend
    whole = schema(name)

    def any_of(validator: Any, options: list[Schema], instance: Any, _: Schema) -> Iterator[ValidationError]:
        """`anyOf` that leaves out shapes whose required keys are missing: steps in steps would be tried 3 to the depth times."""
        fitting = [one for one in options if not isinstance(instance, dict) or set(required(one)) <= instance.keys()]
        if not any(validator.evolve(schema=one).is_valid(instance) for one in fitting):
            yield ValidationError("it has none of the shapes that can stand here")

    def required(shape: Schema) -> list[str]:
        for part in shape.get("$ref", "#").split("/")[1:]:
            shape = (whole if part == "$defs" else shape)[part]
        found: list[str] = shape.get("required", [])
        return found

    return extend(Draft202012Validator, {"anyOf": any_of})(whole)


def judge(document: Mapping, name: str, report: Report) -> bool:
    """Whether the schema accepts a document; a fault that nobody reported yet is placed as well as the library can."""
    if not report.ok:
        return False
    for error in _validator(name).iter_errors(plain(document)):
        node = at(document, tuple(error.absolute_path)) or document
        report.error("E127", "this does not fit the schema of rulesets", node.span, " ".join(error.message.split())[:200])
    return report.ok
