"""What an author may have meant by a text that does not parse: the place, what is due there, the nearest word."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection

from lark import UnexpectedToken

from dsl.diagnostics import Report
from dsl.primitives import TABLE
from dsl.repair import repair
from dsl.source import Scalar
from dsl.suggest import distance, nearest

TOKEN = re.compile(r"\w+|<=|>=|[^\w\s]")

# The operators of expressions, which cannot be names.
RESERVED = frozenset(
    "if else or and not is in exists of none some every count those first sum for highest lowest has with by without mod on".split()
)
KEYWORDS = RESERVED | frozenset(
    "set to add let be deal card cards each seat from times move top all shuffle show pays pay scores score "
    "announce leave end play throw redeal sits sit out while at most seen starts".split()
)

# All words of the grammar, those inside its longer terminals too.
WORDS = KEYWORDS | frozenset("pay score side owner nobody per order all match starts".split())

KIND_WORDS = {
    "expr": "an expression",
    "cards": "a list of cards",
    "order": "an order of cards",
    "bids": "a list of bids",
    "step": "a step",
    "payment": "a payment",
    "each": "a loop",
    "repeat": "a loop",
    "offer": "a choice",
    "variable": "a variable",
    "pile": "a pile",
    "definition": "a definition",
}

# How a terminal is named in a message, where its own spelling is not enough.
TERMINAL_WORDS = {
    "NAME": "a name",
    "NUMBER": "a number",
    "COMPARE": "`<`, `<=`, `>` or `>=`",
    "BELOW": "`<` or `=`",
    "_CARDS": "`cards`",
    "_PAYS": "`pays`",
    "_SCORES": "`scores`",
    "_SITS": "`sits`",
    "PER": "`per seat`, `per side` or `per pair of seats`",
    "ORDERED": "`in order`",
    "OR_NONE": "`, or none`",
    "FOR_MATCH": "`, for the match`",
    "SEEN": "`all`, `owner` or `nobody`",
    "$END": "the end of the text",
}
# What starts an operand, and what may follow one: listing all of it would bury the message.
OPERAND_STARTS = frozenset("NAME NUMBER LPAR NONE MINUS NOT SOME EVERY COUNT THOSE FIRST SUM HIGHEST LOWEST".split())
OPERATORS = frozenset("AND OR COMPARE IS IN NOT EXISTS PLUS MINUS WITHOUT TIMES OVER MOD MEET OF ON IF LPAR".split())
LOOSE = frozenset({"NAME", "NUMBER", "$END", "OR_NONE", "FOR_MATCH", "ORDERED"})
COMMA_BEFORE = frozenset({"or", "for", "in", "seen", "starts"})
CLOSERS = frozenset({"RPAR", "RBRACE", "COMMA"})
CLOSING = {"(": ")", "{": "}"}
MOST_LISTED = 6

# Signs and words of other languages, and what to write instead; longer ones first.
FOREIGN_SIGNS = {
    "==": "write `is`",
    "!=": "write `is not`",
    "<>": "write `is not`",
    "&&": "write `and`",
    "||": "write `or`",
    "=": "write `is`",
    "!": "write `not`",
    "|": "write `or`, or `+` for cards",
    "%": "write `mod`",
    "[": "write `of`, like `hand of player`",
    "]": "write `of`, like `hand of player`",
    ".": "write `of`, like `hand of player`",
    "?": "write `this if condition else that`",
    '"': "names and cards stand without quotes",
    "'": "names and cards stand without quotes",
    "“": "names and cards stand without quotes",
    "”": "names and cards stand without quotes",
    "’": "names and cards stand without quotes",
    ";": "write each step on a line of its own",
    "≥": "write `>=`",
    "≤": "write `<=`",
    "≠": "write `is not`",
    "×": "write `*`",
    "·": "write `*`",
    "÷": "write `/`",
    "−": "write `-`",
    "–": "write `-`",
    "½": "write `1/2`",
}
FOREIGN_WORDS = {
    "equals": "write `is`",
    "are": "write `is`",
    "isnt": "write `is not`",
    "contains": "write `in`: first the part, then the whole",
    "then": "write `this if condition else that`, or a step with `when:` and `do:`",
    "elif": "write `else`, then the next value, `if` and its condition",
    "where": "write `with`",
    "any": "write `some`",
    "plus": "write `+`",
    "minus": "write `-`, or `without` for cards",
    "than": "leave it out: `a > b`",
}
STEP_FORMS = "steps begin with set, add, let, deal, move, shuffle, show or announce, or say who pays or scores what"


def foreign_sign(scalar: Scalar, position: int, report: Report) -> None:
    """Reports a sign that the language does not have."""
    text = scalar.value
    sign = next((s for s in FOREIGN_SIGNS if text.startswith(s, position)), text[position])
    instead = FOREIGN_SIGNS.get(sign)
    if sign == "." and text[position - 1 : position].isdigit() and text[position + 1 : position + 2].isdigit():
        instead = "write fractions like `3/2`"
    report.error(
        "E303", f"`{sign}` has no meaning here", scalar.part(position, position + len(sign)), "not a sign of the language", help=instead
    )


def glued(scalar: Scalar, start: int, kind: str, known: Collection[str], parses: Callable[[str], bool], report: Report) -> None:
    """Reports a word at a place that was read as two, for it begins with a word of the language: `isnot`, `ing`."""
    _Mistake(scalar, start, frozenset(), kind, known, lambda terminal: terminal, parses, report).tell_glued()


def unexpected(
    scalar: Scalar,
    error: UnexpectedToken,
    kind: str,
    known: Collection[str],
    spell: Callable[[str], str],
    parses: Callable[[str], bool],
    report: Report,
) -> None:
    """Reports a word that does not fit, or a text that breaks off.

    `known` are the names of the ruleset, for suggestions; `spell` gives the spelling of a terminal that is a word, and
    `parses` says whether another text would do.
    """
    at = len(scalar.value) if error.token.type == "$END" else int(error.token.start_pos or 0)
    _Mistake(scalar, at, frozenset(error.accepts or ()), kind, known, spell, parses, report).tell()


class _Mistake:
    def __init__(self, scalar: Scalar, at: int, due: frozenset[str], kind: str, known: Collection[str],
                 spell: Callable[[str], str], parses: Callable[[str], bool], report: Report) -> None:  # fmt: skip
        self.scalar, self.kind, self.known, self.spell, self.parses, self.report = scalar, kind, known, spell, parses, report
        self.due = due
        self.tokens = [(found.start(), found.end()) for found in TOKEN.finditer(scalar.value)]
        self.at = next((i for i, (start, _) in enumerate(self.tokens) if start >= at), len(self.tokens))

    def word(self, index: int) -> str:
        """A token of the text; empty before its start and after its end."""
        return self.scalar.value[slice(*self.tokens[index])] if 0 <= index < len(self.tokens) else ""

    def error(self, code: str, message: str, first: int, last: int, label: str = "", help: str | None = None) -> None:
        span = self.scalar.part(self.tokens[first][0], self.tokens[last][1])
        self.report.error(code, message, span, label, help=help)

    def tell(self) -> None:
        ways = (self.brackets, self.repaired, self.breaks_off, self.split_word, self.out_of_place, self.misspelt, self.borrowed)
        if not any(way() for way in ways):
            shown = self.word(self.at)
            help_ = STEP_FORMS if self.kind == "step" and "_PAYS" in self.due else None
            if "TO" in self.due and {"pay", "pays"} & {self.word(index) for index in range(self.at)}:
                help_ = "a payment says who `pays` how much `to` whom"
            self.error("E304", f"`{shown}` does not fit here", self.at, self.at, self.wanted(), help_)

    def tell_glued(self) -> None:
        """A word that begins with a word of the language: two without a space, or a part of one that was split."""
        word = self.word(self.at)
        heads = [head for head in sorted(KEYWORDS, key=len, reverse=True) if word.startswith(head)]
        parted = [f"{head} {word[len(head) :]}" for head in heads if word[len(head) :] in self.known or word[len(head) :] in KEYWORDS]
        if parted:
            self.error("E304", f"`{word}` does not fit here", self.at, self.at, "a space is missing", f"did you mean `{parted[0]}`?")
        elif not self.repaired():
            self.error("E304", f"`{word}` does not fit here", self.at, self.at, "no name and no word of the language")

    # ---------------------------------------------------------------- readings

    def brackets(self) -> bool:
        """A bracket that closes nothing, or one left open where its partner could stand."""
        left_open: list[int] = []
        for index in range(len(self.tokens)):
            sign = self.word(index)
            if sign in CLOSING:
                left_open.append(index)
            elif sign in CLOSING.values():
                if left_open and CLOSING[self.word(left_open[-1])] == sign:
                    left_open.pop()
                elif index == self.at:
                    self.error("E307", f"`{sign}` closes nothing", index, index, f"no `{'(' if sign == ')' else '{'}` is open here")
                    return True
        ended = self.at == len(self.tokens) or self.word(self.at) in RESERVED
        before = [index for index in left_open if index < self.at]
        if before and ended and self.due & {"RPAR", "RBRACE"}:
            sign = self.word(before[-1])
            self.error("E307", f"`{sign}` is not closed", before[-1], before[-1], f"no `{CLOSING[sign]}` closes this")
            return True
        return False

    def repaired(self) -> bool:
        """One word that makes the whole text fit when it is written otherwise."""
        text, file = self.scalar.value, self.scalar.span.source.text
        found = repair(text, self.tokens, self.at, WORDS, self.known, file, self.parses)
        if found is None:
            return False
        shown = text[self.tokens[found.first][0] : self.tokens[found.last][1]]
        if found.first < found.last:
            label = "these are two words"
        else:
            label = self.wanted() if found.first == self.at else "no name and no word of the language"
        self.error("E304", f"`{shown}` does not fit here", found.first, found.last, label, f"did you mean `{found.word}`?")
        return True

    def breaks_off(self) -> bool:
        if self.at < len(self.tokens) or not self.tokens:
            return False
        last = len(self.tokens) - 1
        words = [self.word(index) for index in range(len(self.tokens))]
        if self.kind == "offer" and len(words) == 2:
            help_ = f"write one word, `{''.join(words)}` or `{'_'.join(words)}`, or say what is chosen: `{' '.join(words)} in …`"
            self.error("E304", f"`{' '.join(words)}` does not fit here", 0, last, "these are two words", help_)
            return True
        self.error("E304", f"{KIND_WORDS[self.kind]} breaks off after `{self.word(last)}`", last, last, f"then {self.wanted()}")
        return True

    def split_word(self) -> bool:
        """Two words that are one word of the language or of the ruleset with a space in it."""
        for first in (self.at - 1, self.at):
            left, right = self.word(first), self.word(first + 1)
            for whole in (left + right, f"{left}_{right}"):
                if left and right and (whole in KEYWORDS or whole in self.known):
                    self.error(
                        "E304", f"`{left} {right}` does not fit here", first, first + 1, "these are two words", f"did you mean `{whole}`?"
                    )
                    return True
        return False

    def out_of_place(self) -> bool:
        """A word of the language where a name is due, a function without brackets, a comma left out."""
        here, before = self.word(self.at), self.word(self.at - 1)
        if self.kind in ("variable", "pile") and here in COMMA_BEFORE and "," not in (here, before):
            self.error("E304", f"`{here}` does not fit here", self.at, self.at, "`,` is due", f"put a comma before `{here}`")
            return True
        if not self.due & OPERATORS or here in CLOSING.values():
            return False
        if before in RESERVED and self.at > 1:
            help_ = "write `not in`" if [self.word(self.at - back) for back in (3, 2, 1)] == ["is", "not", "in"] else None
            self.error("E304", f"`{before}` does not fit here", self.at - 1, self.at - 1, "a name or a value is due", help_)
            return True
        if before in TABLE and here[:1].isalnum() and here not in KEYWORDS:
            self.error("E304", f"`{here}` does not fit here", self.at, self.at, "`(` is due", f"write `{before}(…)`")
            return True
        return False

    def misspelt(self) -> bool:
        """A word of the language with a slip of the pen: here, or just before, where it was taken for a name."""
        here, before = self.word(self.at), self.word(self.at - 1)
        due = {word for terminal in self.due - LOOSE for word in re.findall(r"\w+", self.spelt(terminal))}
        near = nearest(here, sorted(due)) if here not in self.known else None
        # A short word is hardly meant when it begins with another letter: `pot` is not `not`.
        if near is not None and (len(near) > 3 or len(due) == 1 or near[0] == here[0].lower()):
            self.error("E304", f"`{here}` does not fit here", self.at, self.at, self.wanted(), f"did you mean `{near}`?")
            return True
        if before[:1].isalpha() and before not in self.known and before not in KEYWORDS:
            near = nearest(before, sorted(KEYWORDS))
            slips = 9 if near is None else distance(before.casefold(), near, 2)
            if near is not None and (len(near) > 4 or slips <= 1) and (len(near) > 3 or near[0] == before[0].lower()):
                self.error("E304", f"`{before}` does not fit here", self.at - 1, self.at - 1, "no name and no word of the language",
                           f"did you mean `{near}`?")  # fmt: skip
                return True
        return False

    def borrowed(self) -> bool:
        """A sign or a word that other languages have."""
        here, before = self.word(self.at), self.word(self.at - 1)
        joined = bool(before) and self.tokens[self.at - 1][1] == self.tokens[self.at][0]
        if joined and before + here in FOREIGN_SIGNS:
            self.error(
                "E303",
                f"`{before}{here}` has no meaning here",
                self.at - 1,
                self.at,
                "not a sign of the language",
                FOREIGN_SIGNS[before + here],
            )
            return True
        after = self.word(self.at + 1)
        if after and self.tokens[self.at][1] == self.tokens[self.at + 1][0] and here + after in FOREIGN_SIGNS:
            self.error(
                "E303",
                f"`{here}{after}` has no meaning here",
                self.at,
                self.at + 1,
                "not a sign of the language",
                FOREIGN_SIGNS[here + after],
            )
            return True
        help_ = FOREIGN_SIGNS.get(here) or FOREIGN_WORDS.get(here.lower())
        if help_ is not None:
            self.error("E304", f"`{here}` does not fit here", self.at, self.at, self.wanted(), help_)
            return True
        if before.lower() in FOREIGN_WORDS and before not in self.known:
            self.error(
                "E304", f"`{before}` does not fit here", self.at - 1, self.at - 1, "no word of the language", FOREIGN_WORDS[before.lower()]
            )
            return True
        return False

    # --------------------------------------------------------------- what is due

    def spelt(self, terminal: str) -> str:
        return TERMINAL_WORDS.get(terminal) or f"`{self.spell(terminal)}`"

    def wanted(self) -> str:
        """What could stand at the place, in a few words."""
        due = set(self.due)
        if not due:
            return "nothing may follow here"
        if self.kind == "variable" and "OR_NONE" in due:
            return "a comma, `per seat` or `per side` is due"
        if self.kind == "order" and due >= {"NAME", "NUMBER", "LBRACE"}:
            first, due = ["a rank or a card"], due - {"NAME", "NUMBER", "LBRACE", "$END"}
        elif due >= {"NAME", "NUMBER", "LPAR"}:
            first, due = ["a name or a value"], due - OPERAND_STARTS
        elif len(due & OPERATORS) >= 3:
            needed = due - OPERATORS - {"$END"}
            first, due = ([] if needed - CLOSERS else ["an operator like `and`, `is` or `+`"]), needed
        else:
            first = []
        words = sorted(self.spelt(terminal) for terminal in due - {"$END"}) + first
        if "$END" in due and not words:
            return "the text could end here"
        words = [*words[: MOST_LISTED - 1], "…"] if len(words) > MOST_LISTED else words
        return (words[0] if len(words) == 1 else ", ".join(words[:-1]) + " or " + words[-1]) + " is due"
