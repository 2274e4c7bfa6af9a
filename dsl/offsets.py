"""Where every character of a YAML scalar stands in the file: each style's folding and escapes.

The value itself comes from the YAML parser; what is worked out here must agree with it, else the
offsets fall back to the scalar's start.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

Pieces: TypeAlias = tuple[list[str], list[int]]

SIMPLE = {
    "0": 0, "a": 7, "b": 8, "t": 9, "\t": 9, "n": 10, "v": 11, "f": 12, "r": 13, "e": 27, " ": 32,
    '"': 34, "'": 39, "/": 47, "\\": 92, "N": 0x85, "_": 0xA0, "L": 0x2028, "P": 0x2029,
}  # fmt: skip
# Control characters except tab and line break, characters that reverse text, halves of characters.
UNSEEN = (
    (0, 8), (11, 31), (0x7F, 0x9F), (0x2028, 0x202E), (0x2066, 0x2069),
    (0xD800, 0xDFFF), (0xFEFF, 0xFEFF), (0xFFFE, 0xFFFF),
)  # fmt: skip
HEXADECIMAL = {"x": 2, "u": 4, "U": 8}
WIDEST_INDENT = 80


class BadEscape(Exception):
    """An escape stands for a character that cannot be seen."""

    def __init__(self, start: int, end: int, character: int) -> None:
        super().__init__(character)
        self.start, self.end, self.character = start, end, character


def offsets_of(value: str, text: str, start: int, end: int, style: str) -> Sequence[int]:
    """One offset for each character of `value`, one for its end; `text[start:end]` is the whole scalar."""
    if style in ("'", '"'):
        begin, stop = start + 1, end - 1
        if text[begin:stop] == value and "\\" not in value:
            return range(begin, stop + 1)
        chars, offsets = _flow(text, begin, stop, style)
        return _checked(value, chars, offsets, start, stop)
    if style in ("|", ">"):
        return _block(value, text, start, end, style == "|")
    if text[start:end] == value:
        return range(start, end + 1)
    chars, offsets = _flow(text, start, end, "")
    return _checked(value, chars, offsets, start, end)


def _checked(value: str, chars: list[str], offsets: list[int], start: int, end: int) -> Sequence[int]:
    if "".join(chars) != value:
        return (start,) * len(value) + (end,)
    offsets.append(end)
    return tuple(offsets)


def _break(text: str, at: int) -> int:
    """The length of the line break at an offset, 0 if there is none."""
    if text.startswith("\r\n", at):
        return 2
    return 1 if text[at : at + 1] in ("\n", "\r") else 0


def _flow(text: str, at: int, end: int, quote: str) -> Pieces:
    """Plain and quoted text: lines are joined by a space, an empty line is a line break."""
    chars: list[str] = []
    offsets: list[int] = []
    while at < end:
        char = text[at]
        if char in " \t\r\n":
            blank = at
            while at < end and text[at] in " \t":
                at += 1
            if at >= end or not _break(text, at):
                chars.extend(text[blank:at])
                offsets.extend(range(blank, at))
                continue
            breaks, at = _breaks(text, at, end)
            if len(breaks) == 1:
                chars.append(" ")
                offsets.append(blank)
            else:
                chars.extend("\n" * (len(breaks) - 1))
                offsets.extend(breaks[1:])
        elif quote == "'" and char == "'":
            chars.append("'")
            offsets.append(at)
            at += 2
        elif quote == '"' and char == "\\":
            at = _escape(text, at, end, chars, offsets)
        else:
            chars.append(char)
            offsets.append(at)
            at += 1
    return chars, offsets


def _breaks(text: str, at: int, end: int) -> tuple[list[int], int]:
    """The offsets of a run of line breaks with blanks around them, and where the run ends."""
    breaks: list[int] = []
    while at < end:
        length = _break(text, at)
        if length:
            breaks.append(at)
            at += length
        elif text[at] in " \t":
            at += 1
        else:
            break
    return breaks, at


def _escape(text: str, at: int, end: int, chars: list[str], offsets: list[int]) -> int:
    """Follows one escape of double quotes and returns where it ends."""
    after = at + 1
    length = _break(text, after)
    if length:
        breaks, stop = _breaks(text, after, end)
        chars.extend("\n" * (len(breaks) - 1))
        offsets.extend(breaks[1:])
        return stop
    name = text[after]
    if name in HEXADECIMAL:
        stop = after + 1 + HEXADECIMAL[name]
        character = int(text[after + 1 : stop], 16)
    else:
        stop = after + 1
        character = SIMPLE.get(name, 0xFFFD)
    if any(low <= character <= high for low, high in UNSEEN):
        raise BadEscape(at, stop, character)
    chars.append(chr(character))
    offsets.append(at)
    return stop


def _block(value: str, text: str, start: int, end: int, literal: bool) -> Sequence[int]:
    """Text after `|` or `>`: the indent is found from the header or the first line that is not blank."""
    at = start
    given = 0
    while at < end and not _break(text, at):
        if text[at] == "#":
            while at < end and not _break(text, at):
                at += 1
            break
        if text[at].isdigit():
            given = int(text[at])
        at += 1
    at += _break(text, at)
    if not value:
        return (start + 1,)
    # An indent given in the header counts from the parent's, which the event does not tell: try them all.
    indents = range(given, WIDEST_INDENT) if given else (_indent(text, at, end),)
    for indent in indents:
        chars, offsets = _folded(text, at, end, indent, literal)
        if "".join(chars[: len(value)]) == value:
            offsets.append(end)
            return tuple(offsets[: len(value) + 1])
    return (start,) * (len(value) + 1)


def _indent(text: str, at: int, end: int) -> int:
    while at < end:
        begin = at
        while at < end and text[at] == " ":
            at += 1
        length = _break(text, at)
        if not length:
            return at - begin
        at += length
    return 0


def _folded(text: str, at: int, end: int, indent: int, literal: bool) -> Pieces:
    """A block's lines, all trailing line breaks kept; lines that begin with a blank are not folded."""
    chars: list[str] = []
    offsets: list[int] = []
    pending: list[int] = []  # line breaks since the last line with text
    was_blank = True
    first = True
    while at < end:
        stop = at
        while stop < end and stop - at < indent and text[stop] == " ":
            stop += 1
        length = _break(text, stop)
        if length:
            pending.append(stop)
            at = stop + length
            continue
        if stop >= end:
            break
        is_blank = text[stop] in " \t"
        if first or literal or was_blank or is_blank:
            chars.extend("\n" * len(pending))
            offsets.extend(pending)
        elif len(pending) == 1:
            chars.append(" ")
            offsets.append(pending[0])
        else:
            chars.extend("\n" * (len(pending) - 1))
            offsets.extend(pending[1:])
        first, was_blank, pending = False, is_blank, []
        at = stop
        while at < end and not _break(text, at):
            chars.append(text[at])
            offsets.append(at)
            at += 1
        length = _break(text, at)
        if length:
            pending.append(at)
            at += length
    chars.extend("\n" * len(pending))
    offsets.extend(pending)
    return chars, offsets
