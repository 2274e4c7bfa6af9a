"""Options of a ruleset: their types, their choices, and the values a user gives them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction

from dsl.source import Scalar

LARGEST = 10**9
# No exponents: `1e99999999` would be a number of a hundred million digits.
NUMBER = re.compile(r"-?[0-9]+(/[0-9]+|\.[0-9]+)?")
TRUTHS = {"yes": True, "no": False, "true": True, "false": False}


@dataclass(frozen=True, slots=True)
class Option:
    """One option; `kind` is word, number, integer, rational or truth; values are texts until they are asked for."""

    key: Scalar
    kind: str
    choices: tuple[Scalar, ...]
    least: Fraction | None
    most: Fraction | None
    default: Scalar
    about: str
    source: str
    value: str
    requires: Scalar | None = None
    given: bool = False

    @property
    def id(self) -> str:
        return self.key.value

    @property
    def words(self) -> tuple[str, ...]:
        return tuple(choice.value for choice in self.choices)

    def problem(self, text: str) -> str | None:
        """Why a text is not a value of this option, or None."""
        if self.choices:
            if self.kind == "word":
                return None if text in self.words else f"choose one of {', '.join(self.words)}"
            number = as_number(text)
            if number is None or number not in [as_number(word) for word in self.words]:
                return f"choose one of {', '.join(self.words)}"
            return None
        if self.kind == "truth":
            return None if text.lower() in TRUTHS else "choose yes or no"
        number = as_number(text)
        if number is None:
            return "a number is due"
        if max(abs(number.numerator), number.denominator) >= LARGEST:
            return "a number has at most nine digits"
        if self.kind == "integer" and number.denominator != 1:
            return "a whole number is due"
        if self.least is not None and number < self.least:
            return f"the least is {self.least}"
        if self.most is not None and number > self.most:
            return f"the most is {self.most}"
        return None

    @property
    def constant(self) -> int | Fraction | bool:
        """The value as the program uses it: a word is its place among the choices."""
        if self.kind == "word":
            return self.words.index(self.value)
        if self.kind == "truth":
            return TRUTHS[self.value.lower()]
        number = as_number(self.value) or Fraction(0)
        return int(number) if number.denominator == 1 else number


def as_number(text: str) -> Fraction | None:
    """The number a text says, like `3`, `3/2` or `-1`, or None."""
    if not text or len(text) > 24:
        return None
    # Not all that `Fraction` reads: `1e999999999` would take it for ever.
    if NUMBER.fullmatch(text) is None:
        return None
    try:
        return Fraction(text)
    except ZeroDivisionError:
        return None
