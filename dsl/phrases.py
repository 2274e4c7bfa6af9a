"""Phrases: lines like `declarer names trump`, matched against the patterns of the library and the ruleset."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from dsl import tree
from dsl.diagnostics import Report
from dsl.parse import parse
from dsl.ruleset import PhraseRow
from dsl.source import Scalar
from dsl.suggest import distance

WORD = re.compile(r"[^\s,]+|,")
MOST_ALIGNMENTS = 400
LONGEST_PHRASE = 1_000

Piece = tuple[int, int]


def match_phrase(scalar: Scalar, phrases: Sequence[PhraseRow], report: Report, known: Collection[str] = ()) -> tree.Phrase | None:
    """The phrase that a line is, with its arguments parsed; None if it is none of them."""
    if len(scalar.value) > LONGEST_PHRASE:
        return None
    words = [(found.start(), found.end()) for found in WORD.finditer(scalar.value)]
    spoken = {scalar.value[start:end] for start, end in words}
    for row in phrases:
        if not row.fixed <= spoken:
            continue
        holes = next(_alignments(scalar.value, words, row.parts), None)
        if holes is None:
            continue
        args: list[tree.Expr | tree.PileOf] = []
        for start, end in holes:
            part = Scalar(scalar.value[start:end], scalar.offsets[start : end + 1], scalar.part(start, end), scalar.plain)
            arg = parse(part, "expr", report, known)
            if arg is None:
                return tree.Phrase(scalar.span, row.pattern, ())
            args.append(arg)
        return tree.Phrase(scalar.part(0, len(scalar.value)), row.pattern, tuple(args))
    return None


def _alignments(text: str, words: Sequence[Piece], parts: Sequence[str]) -> Iterator[list[Piece]]:
    """Ways to lay a pattern over a line: the places of its holes; brackets inside a hole must balance."""
    tried = 0

    def lay(part: int, word: int, holes: list[Piece]) -> Iterator[list[Piece]]:
        nonlocal tried
        tried += 1
        if tried > MOST_ALIGNMENTS:
            return
        if part == len(parts):
            if word == len(words):
                yield holes
            return
        if not parts[part].startswith("{"):
            if word < len(words) and text[slice(*words[word])] == parts[part]:
                yield from lay(part + 1, word + 1, holes)
            return
        for last in range(word, len(words)):
            tried += 1
            if tried > MOST_ALIGNMENTS:
                return
            start, end = words[word][0], words[last][1]
            if text.count("(", start, end) == text.count(")", start, end):
                yield from lay(part + 1, last + 1, [*holes, (start, end)])

    return lay(0, 0, [])


@dataclass(frozen=True, slots=True)
class NearPhrase:
    """A pattern that a line comes close to; where its one misspelt word stands in the line, and how it is spelt."""

    pattern: str
    start: int = 0
    end: int = 0
    word: str = ""


def near_phrase(text: str, phrases: Sequence[PhraseRow]) -> NearPhrase | None:
    """The pattern that a line comes close to: all its fixed words but one stand in it, the odd one nearly or in two."""
    places = [found.span() for found in WORD.finditer(text)]
    words = [text[start:end] for start, end in places]
    best: tuple[tuple[int, int], NearPhrase] | None = None
    for row in phrases:
        fixed = [part for part in row.parts if not part.startswith("{")]
        odd = list(range(len(words)))  # the words that are none of the pattern's
        missing = []
        for part in fixed:
            at = next((i for i in odd if words[i] == part), None)
            if at is None:
                missing.append(part)
            else:
                odd.remove(at)
        if len(missing) > 1 or (missing and len(fixed) == 1 and len(missing[0]) < 4):
            continue
        if not missing:
            slips, found = 0, NearPhrase(row.pattern)
        else:
            part = missing[0]
            tries = [(distance(part, words[i].casefold(), 3), places[i], part) for i in odd]
            tries += [(1, (a[0], b[1]), part) for a, b in pairwise(places) if text[a[0] : b[1]].replace(" ", "") == part]
            slips, (start, end), _ = min(tries, default=(9, (0, 0), part))
            parted = text[start:end].replace(" ", "") == part and " " in text[start:end]
            if slips > 2 or (len(fixed) <= 1 and not parted):
                continue
            found = NearPhrase(row.pattern, start, end, part)
        # The pattern that accounts for most of the words, then the one with the fewest slips.
        score = (len(missing) - len(fixed), slips)
        if best is None or score < best[0]:
            best = score, found
    return best[1] if best else None
