"""The one word that, written otherwise, makes a text of the language whole: what was probably meant."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from dsl.suggest import distance, same_letters, slips_allowed

# Trying means parsing: no more than this often for one text.
MOST_TRIES = 30
MOST_FOR_A_WORD = 7
# Words of two or three letters are near to many others: of those, the one that rulesets say most often.
FREQUENT = "of is to in and set if or not seat cards pays scores sits".split()
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
    """The change of one word about token `at` or before it with which the text parses, nearest to `at` first; or None.

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
    # A text that begins well may be faulted at the first of several words that belong together: `in ordr`.
    places_tried = [at, at - 1, at + 1, at + 2, *range(at - 2, -1, -1)]
    indices = [index for index in places_tried if 0 <= index < len(places) and text[places[index][0]].isalpha()]
    # Two words beside the place that are one elsewhere are a surer guess than any misspelling.
    for index in indices[:3]:
        yield from _joined(text, places, index, words, known, elsewhere)
    for number, index in enumerate(indices):
        here = text[slice(*places[index])]
        if number >= 3:
            yield from _joined(text, places, index, words, known, elsewhere)
        if len(here) > 1 and here not in words and here not in known:
            limit = slips_allowed(here)
            near = sorted((distance(here.casefold(), word, limit), _unlikely(here, word), word) for word in words if word != here)
            for slips, _, word in near[:MOST_FOR_A_WORD]:
                if slips <= limit:
                    yield Repair(index, index, word)


def _joined(
    text: str, places: Sequence[Place], index: int, words: Collection[str], known: Collection[str], elsewhere: str
) -> Iterator[Repair]:
    here = text[slice(*places[index])]
    after = text[slice(*places[index + 1])] if index + 1 < len(places) else ""
    if after[:1].isalnum() or after[:1] == "_":
        for whole in (here + after, f"{here}_{after}"):
            if whole in words or whole in known or (len(whole) > 4 and _stands(whole, elsewhere)):
                yield Repair(index, index + 1, whole)


def _unlikely(here: str, word: str) -> tuple[bool, bool, int]:
    """Of words equally near the likelier one first: with the same letters, beginning alike, often said."""
    common = FREQUENT.index(word) if word in FREQUENT else len(FREQUENT)
    return not same_letters(here, word), word[0] != here[0].casefold(), common


def _stands(word: str, text: str) -> bool:
    return re.search(rf"\b{re.escape(word)}\b", text) is not None
