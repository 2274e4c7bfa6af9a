"""What the YAML parser stumbles over, in an author's words."""

from __future__ import annotations

from dsl.diagnostics import quote

# What the YAML parser says, and what it means to an author: message, help.
QUOTE = "put the whole text in quotes"
PROBLEMS: tuple[tuple[str, str, str | None], ...] = (
    (
        "mapping values are not allowed",
        "`:` with a space after it cannot stand inside this text",
        f"{QUOTE}; or check the indentation, and the `:` of the line above",
    ),
    (
        "could not find expected ':'",
        "this line has no `:` after its key",
        "a key is followed by `:` and a space",
    ),
    ("did not find expected ',' or ']'", "this list in `[…]` is not closed, or a comma is missing", None),
    (
        "did not find expected ',' or '}'",
        "`{…}` is not closed, or a comma is missing",
        f"if the braces are part of the text, {QUOTE}",
    ),
    (
        "did not find expected '-' indicator",
        "this line is no item of the list above it",
        "check the indentation, and begin the item with `- `",
    ),
    (
        "did not find expected key",
        "no key can stand here",
        f"check the indentation; if a text begins with `{{`, `[` or a quote, {QUOTE}",
    ),
    (
        "did not find expected node content",
        "a value is missing here",
        f"if `,`, `]` or `}}` is part of the text, {QUOTE}",
    ),
    (
        "did not find expected <document start>",
        "text is left over here",
        f"if a text begins with `{{`, `[` or a quote, {QUOTE}",
    ),
    ("found unexpected end of stream", "the file ends inside quotes", "close the quotes that open here"),
    (
        "found unexpected document indicator",
        "`---` or `...` stands inside quotes",
        "close the quotes that open above",
    ),
    (
        "found unknown escape character",
        "this escape is unknown",
        "in double quotes write `\\\\` for `\\`, or use single quotes",
    ),
    ("found invalid Unicode character escape", "this escape is no character", None),
    ("did not find expected hexdecimal number", "this escape is no character", None),
    (
        "block sequence entries are not allowed",
        "no list can begin here",
        "begin the list on a line of its own",
    ),
    (
        "block collections are not allowed",
        "no list or mapping can begin here",
        "begin it on a line of its own",
    ),
    ("block mapping keys are not allowed", "no key can stand here", "begin it on a line of its own"),
    ("found a tab character", "a tab stands where spaces are needed", "indent with spaces"),
)


def explained(problem: str, character: str, deepest: int) -> tuple[str, str, str | None]:
    """Code, message and help for a problem of the parser at a character of the file."""
    if character == "\t":
        return "E101", "a tab stands where spaces are needed", "indent with spaces"
    if problem.startswith("exceeded max"):
        return "E112", f"lists and mappings lie in one another more than {deepest} levels deep", None
    if problem.startswith("found character that cannot start any token"):
        return (
            "E101",
            f"text cannot begin with {'a backtick' if character == '`' else quote(character)}",
            QUOTE,
        )
    for begins, message, help_ in PROBLEMS:
        if problem.startswith(begins):
            return "E101", message, help_
    return "E101", "this is not YAML", None
