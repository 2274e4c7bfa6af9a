"""The verdict of the `jsonschema` library on a file that did not come with Spadille.

`dsl.schema` walks the same schema and explains faults in an author's words; this is the authority behind
it: whatever the library refuses is an error, even where the walk found nothing to say.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from dsl.diagnostics import Report
from dsl.document import at, plain
from dsl.shapes import schema
from dsl.source import Mapping


@cache
def _validator(name: str) -> Any:
    # Imported here: it takes longer than everything else that checks a shipped ruleset.
    from jsonschema import Draft202012Validator

    return Draft202012Validator(schema(name))


def judge(document: Mapping, name: str, report: Report) -> bool:
    """Whether the schema accepts a document; a fault that nobody reported yet is placed as well as the library can."""
    if not report.ok:
        return False
    for error in _validator(name).iter_errors(plain(document)):
        node = at(document, tuple(error.absolute_path)) or document
        report.error("E127", "this does not fit the schema of rulesets", node.span, " ".join(error.message.split())[:200])
    return report.ok
