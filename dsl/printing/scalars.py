"""Text as YAML: bare where that reads back as the same text, else in quotes or as a block of lines."""

from __future__ import annotations

import re
import textwrap
from functools import cache
from typing import Any

import yaml

from dsl.document import resolve
from dsl.source import Scalar

WIDTH = 140
LONGEST_KEY = 1_000  # a longer key would need a `?`
INDICATORS = "-?:,[]{}#&*!|>'\"%@`"
UNFIT = re.compile(r": |:$| #|[\t\r\n]")
UNFIT_IN_BRACES = re.compile(r"[,\[\]{}?]|:$")
TEXT_TAG = "tag:yaml.org,2002:str"
ESCAPES = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\t": "\\t", "\r": "\\r", "\xa0": "\\_"}


def quoted(text: str) -> str:
    """The text in double quotes, or in single ones where that saves escapes."""
    if ('"' in text or "\\" in text) and "'" not in text and not re.search(r"[\n\r\t]", text):
        return f"'{text}'"
    return '"' + "".join(ESCAPES.get(one, one) for one in text) + '"'


def can_be_bare(text: str, braces: bool) -> bool:
    """Whether YAML reads the text back as it is without quotes, inside `{…}` and `[…]` or outside."""
    if not text or text != text.strip() or UNFIT.search(text) or text.startswith(("---", "...")):
        return False
    if text[0] in INDICATORS and not (text[0] in ("-" if braces else "-?:") and text[1:2].strip()):
        return False
    return not (braces and UNFIT_IN_BRACES.search(text))


@cache
def _resolver() -> Any:
    return yaml.resolver.Resolver()


def is_text(text: str) -> bool:
    """Whether YAML of either version takes the bare text for text, and not for a number, a truth, a date or nothing."""
    bare = Scalar(text, (), None, True)  # type: ignore[arg-type]
    return isinstance(resolve(bare), str) and _resolver().resolve(yaml.ScalarNode, text, (True, False)) == TEXT_TAG


def inline(scalar: Scalar, text: str, braces: bool, free: bool) -> str:
    """A scalar in one line, its value now `text`; `free` if its quotes say nothing of its type."""
    if not text and scalar.plain:
        return ""
    bare = can_be_bare(text, braces) and (scalar.plain or is_text(text) or (free and resolve(Scalar(text, (), scalar.span)) is not None))
    return text if bare else quoted(text)


def folded(text: str, width: int) -> list[str]:
    """Words for a `>` block: paragraphs filled up to a width, an empty line between two."""
    lines: list[str] = []
    for number, paragraph in enumerate(text.strip("\n").split("\n")):
        lines += [""] if number else []
        lines += textwrap.wrap(paragraph, max(width, 40), break_long_words=False, break_on_hyphens=False)
    return lines


def can_be_folded(text: str) -> bool:
    """Whether filling the lines anew leaves the text as it is."""
    return all(line == " ".join(line.split(" ")).strip() and "  " not in line and "\t" not in line for line in text.strip("\n").split("\n"))
