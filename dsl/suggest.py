"""The nearest known word to a misspelt one."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

LONGEST_WORD = 60


def nearest(word: str, candidates: Iterable[str]) -> str | None:
    """The candidate at the smallest distance (at most 2, or 1 below four letters), another case first.

    Of several at one distance: one with the same letters, in another order or one of them doubled, then one that begins
    alike, for a slip is seldom in the first.
    """
    if len(word) > LONGEST_WORD:
        return None
    limit = slips_allowed(word)
    best: tuple[tuple[int, bool, bool], str] | None = None
    for candidate in candidates:
        if candidate == word or abs(len(candidate) - len(word)) > limit:
            continue
        if candidate.casefold() == word.casefold():
            return candidate
        found = distance(word.casefold(), candidate.casefold(), limit)
        # A word of one or two letters that shares none with the candidate is no slip of the pen.
        if found <= limit and found < len(word):
            score = (found, not same_letters(word, candidate), candidate[:1].casefold() != word[:1].casefold())
            if best is None or score < best[0]:
                best = (score, candidate)
    return None if best is None else best[1]


def same_letters(word: str, candidate: str) -> bool:
    """Whether a word has the letters of a candidate, in another order or one of them twice running."""
    word, candidate = word.casefold(), candidate.casefold()
    if len(word) == len(candidate) + 1:
        return any(word[at] == word[at + 1] and word[:at] + word[at + 1 :] == candidate for at in range(len(candidate)))
    return sorted(word) == sorted(candidate)


def slips_allowed(word: str) -> int:
    """How many slips of the pen a word may have and still be known: short ones are too near to one another."""
    return 2 if len(word) >= 4 else 1


@lru_cache(maxsize=4096)  # one wrong name may stand in thousands of places
def distance(a: str, b: str, limit: int) -> int:
    """Damerau-Levenshtein distance (a swap of neighbours is one); any number over `limit` beyond it."""
    before: list[int] = []
    previous = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        row = [i]
        for j, y in enumerate(b, 1):
            cost = min(previous[j] + 1, row[j - 1] + 1, previous[j - 1] + (x != y))
            if i > 1 and j > 1 and x == b[j - 2] and a[i - 2] == y:
                cost = min(cost, before[j - 2] + 1)
            row.append(cost)
        if min(row) > limit:
            return limit + 1
        before, previous = previous, row
    return previous[-1]
