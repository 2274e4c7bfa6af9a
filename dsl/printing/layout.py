"""Text with places where a line may break: laid out in one line where it fits, broken from the outside in where not."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

STEP = 2


@dataclass(frozen=True, slots=True)
class Line:
    """A place where a line may break; in one line it is `flat`."""

    flat: str = " "


@dataclass(frozen=True, slots=True)
class Nest:
    """Lines that begin inside stand further in."""

    inner: Layout


@dataclass(frozen=True, slots=True)
class Group:
    """All places to break directly inside are broken, or none; `open` if an author may want them broken in any case."""

    inner: Layout
    open: bool = False


@dataclass(frozen=True, slots=True)
class Fill:
    """Places to break that are broken one by one, where a line is full."""

    inner: Layout


Layout: TypeAlias = "str | Line | Nest | Group | Fill | tuple[Layout, ...]"


def one_line(layout: Layout) -> str:
    """The text without a break."""
    done: list[str] = []
    todo: list[Layout] = [layout]
    while todo:
        match todo.pop():
            case str(text):
                done.append(text)
            case Line(flat):
                done.append(flat)
            case Nest(inner) | Group(inner=inner) | Fill(inner):
                todo.append(inner)
            case parts:
                todo.extend(reversed(parts))
    return "".join(done)


def lines_of(layout: Layout, width: int, spread: bool) -> list[str]:
    """The lines of a text no wider than `width` where that can be; if `spread`, an open group outermost is broken in any case."""
    lines = [""]
    first = layout.inner if spread and isinstance(layout, Group) and layout.open else layout
    todo: list[tuple[int, bool, Layout]] = [(0, True, first)]
    while todo:
        indent, breaks, found = todo.pop()
        match found:
            case str(text):
                lines[-1] += text
            case Line(flat) if not breaks:
                lines[-1] += flat
            case Line():
                lines[-1] = lines[-1].rstrip()
                lines.append(" " * indent)
            case Nest(inner):
                todo.append((indent + STEP, breaks, inner))
            case Group(inner=inner) | Fill(inner):
                todo.append((indent, not _fits(width - len(lines[-1]), inner, todo), inner))
            case parts:
                todo.extend((indent, breaks, part) for part in reversed(parts))
    return lines


def _fits(room: int, layout: Layout, after: list[tuple[int, bool, Layout]]) -> bool:
    """Whether a layout in one line, and what follows it up to the next break, has room."""
    todo: list[tuple[bool, Layout]] = [(False, layout)]
    rest = len(after)
    while room >= 0:
        if not todo:
            if not rest:
                return True
            rest -= 1
            todo.append(after[rest][1:])
        breaks, found = todo.pop()
        match found:
            case str(text):
                room -= len(text)
            case Line(flat):
                if breaks:
                    return True
                room -= len(flat)
            case Nest(inner):
                todo.append((breaks, inner))
            case Fill() if breaks:
                return True
            case Group(inner=inner) | Fill(inner):
                todo.append((False, inner))
            case parts:
                todo.extend((breaks, part) for part in reversed(parts))
    return False
