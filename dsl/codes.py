"""The table of diagnostic codes: titles and meanings, for `explain` and the documentation."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Code:
    """A title of a few words, and a paragraph that says what is wrong and what to do."""

    title: str
    meaning: str


CODES: dict[str, Code] = {
    # ------------------------------------------------ E1xx: file, YAML, keys
    "E101": Code(
        "not YAML",
        "The file breaks the rules of YAML, so nothing in it can be read. The usual reasons are a "
        "missing space after `:`, uneven indentation, and text that begins with `{`, `[`, `@` or a "
        "quote without being quoted whole.",
    ),
    "E102": Code(
        "key given twice",
        "A mapping has the same key twice. YAML readers silently keep one of them; here both stand "
        "until one is removed.",
    ),
    "E103": Code(
        "anchor or alias",
        "`&name` and `*name` copy one part of a file to another. A ruleset says such things by a name"
        " under `define` or `phrases`, or by `extends`, so that messages point at the right place.",
    ),
    "E104": Code(
        "merge key",
        "`<<` merges one mapping into another. A variant says so with `extends` and `override`.",
    ),
    "E105": Code(
        "tag",
        "`!tag` gives a YAML value a type of its own. Rulesets have none; text that begins with `!` "
        "stands in quotes.",
    ),
    "E106": Code(
        "second document",
        "`---` begins a second document. One file holds one ruleset.",
    ),
    "E107": Code(
        "key that is no text",
        "A key is itself a list or a mapping. Usually `{…}` or `[…]` before a `:` lacks quotes.",
    ),
    "E108": Code(
        "empty file",
        "The file holds nothing but white space and comments.",
    ),
    "E109": Code(
        "not UTF-8",
        "The file is not text in UTF-8. Save it again with that encoding.",
    ),
    "E110": Code(
        "character that cannot be seen",
        "The text has a control character, written out or by an escape such as `\\0`. They can hide "
        "text from a reader and steer a terminal.",
    ),
    "E111": Code(
        "file too large",
        "A ruleset is at most 100 kB of text, a case file at most 1 MB. What several variants share goes into a parent, which they extend.",
    ),
    "E112": Code(
        "nested too deep",
        "Lists and mappings lie in one another more than 40 levels deep.",
    ),
    "E113": Code(
        "too many values",
        "A ruleset has at most 5 000 keys and values, a case file at most 50 000.",
    ),
    "E114": Code(
        "file not readable",
        "The file cannot be opened.",
    ),
    "E115": Code(
        "text too long",
        "One piece of text has more than 20 000 characters.",
    ),
    "E120": Code(
        "unknown key",
        "A key that has no meaning at this place. Nothing is ignored silently, so that a misspelt "
        "rule cannot be a missing one.",
    ),
    "E121": Code(
        "missing key",
        "A key that this part of a ruleset cannot do without.",
    ),
    "E122": Code(
        "wrong kind of value",
        "For example a list where one line of text is due, or a word where a number is due.",
    ),
    "E123": Code(
        "not one of the choices",
        "The value must be one of a few words.",
    ),
    "E124": Code(
        "out of range",
        "A number is too small or too large, or a list or mapping is too short or too long.",
    ),
    "E125": Code(
        "not a name",
        "A name has letters, digits and `_`, and begins with a letter; the id of a ruleset is written"
        " in small letters, digits and `-`.",
    ),
    "E126": Code(
        "value given twice",
        "A list that may hold every value once holds one twice.",
    ),
    # -------------------------------------------- E6xx: variants and options
    "E601": Code(
        "unknown parent",
        "`extends` names a ruleset that does not exist.",
    ),
    "E602": Code(
        "circle of parents",
        "Rulesets extend each other in a circle, so none of them can be read first.",
    ),
    "E603": Code(
        "too many parents",
        "A ruleset extends one that extends another, and so on, more than 8 deep.",
    ),
    "E604": Code(
        "inherited",
        "A variant gives anew what its parent has already. What is inherited changes only under "
        "`override`, by its path, so that a reader sees every change in one place.",
    ),
    "E605": Code(
        "nothing to override",
        "`override` names a path that the parent does not have. New things are added in their own section.",
    ),
    "E606": Code(
        "override without parent",
        "`override` stands in a ruleset that extends none.",
    ),
    "E607": Code(
        "not to be overridden",
        "What a ruleset is called and where it comes from (`ruleset`, `title`, `extends`, …) is its "
        "own and is simply written; it is not overridden.",
    ),
    "E608": Code(
        "overridden twice",
        "Two paths of `override` change the same thing, one of them as a part of the other.",
    ),
    "E609": Code(
        "no such place",
        "`before` names a rung that the parent does not have.",
    ),
    # ------------------------------------------------------ E8xx: case files
    "E801": Code(
        "unknown card in a case",
        "A case names a card that the deck of its ruleset does not have, or one card twice. Cards are written rank then suit letter, as in `As`.",
    ),
    "E802": Code(
        "unknown option in a case",
        "The `options` of a case name an option that its ruleset does not have, or a value that the option cannot have.",
    ),
    "E803": Code(
        "word that does not fit in a case",
        "A case names a seat, a side, an answer, a variable, an obligation or a number that its ruleset does not have or that cannot stand there, "
        "or gives hands of the wrong size.",
    ),
    "E804": Code(
        "value that is not known in a case",
        "What a case asks for depends on something that it does not give, such as a trump suit; give it under `given`.",
    ),
    # -------------------------------------------------------- W7xx: warnings
    "W701": Code(
        "override that changes nothing",
        "`override` gives a value that the parent has already.",
    ),
}
