"""The one word that, written otherwise, makes a text of the language whole: what was probably meant."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from dsl.suggest import distance, slips_allowed

# Trying means parsing: no more than this often for one text.
MOST_TRIES = 30
MOST_FOR_A_WORD = 5
LONGEST_TEXT = 1_000
Place = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Repair:
    """The words from `first` to `last` (numbers of tokens) should be `word`."""

    first: int
    last: int
    word: str


def repair(text: str, places: Sequence[Place], at: int, words: Collection[str], known: Collection[str],
           elsewhere: str, parses: Callable[[str], bool]) -> Repair | None:  # fmt: skip
    """The change of one word at or before token `at` with which the text parses, nearest to `at` first; or None.

    `words` are those of the language, `known` the names of the ruleset, `elsewhere` is the whole file: two words that
    stand there as one were probably parted.
    """
    if len(text) > LONGEST_TEXT:
        return None
    for found in islice(_changes(text, places, at, words, known, elsewhere), MOST_TRIES):
        start, end = places[found.first][0], places[found.last][1]
        if parses(text[:start] + found.word + text[end:]):
            return found
    return None


def _changes(
    text: str, places: Sequence[Place], at: int, words: Collection[str], known: Collection[str], elsewhere: str
) -> Iterator[Repair]:
    for index in range(min(at, len(places) - 1), -1, -1):
        here = text[slice(*places[index])]
        if not here[:1].isalpha():
            continue
        after = text[slice(*places[index + 1])] if index + 1 < len(places) else ""
        if after[:1].isalnum():
            for whole in (here + after, f"{here}_{after}"):
                if whole in words or whole in known or (len(whole) > 4 and _stands(whole, elsewhere)):
                    yield Repair(index, index + 1, whole)
        if len(here) > 1 and here not in words and here not in known:
            limit = slips_allowed(here)
            near = sorted((distance(here.casefold(), word, limit), word[0] != here[0].casefold(), word) for word in words if word != here)
            for slips, _, word in near[:MOST_FOR_A_WORD]:
                if slips <= limit:
                    yield Repair(index, index, word)


def _stands(word: str, text: str) -> bool:
    return re.search(rf"\b{re.escape(word)}\b", text) is not None
