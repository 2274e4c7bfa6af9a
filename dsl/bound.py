"""Bound names of a loop, a choice, a definition or a `some … in …`: those that nobody reads, those written almost alike."""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from typing import Any

from dsl import core, tree
from dsl.diagnostics import Label, Report
from dsl.names import Scope
from dsl.source import Span


class Bound:
    """The places where names are bound, each looked at once, and the names that nothing in their reach reads."""

    def __init__(self) -> None:
        self.seen: dict[int, tree.Word] = {}
        self.unread: list[tree.Word] = []
        self.alike: dict[Span, tuple[str, str]] = {}

    def look(self, name: tree.Word, *reach: Any) -> None:
        """Notes whether anything in the reach of a name reads it."""
        if id(name) in self.seen:
            return
        self.seen[id(name)] = name
        if not any(mentions(part, name.text) for part in reach):
            self.unread.append(name)

    def misspelt(self, name: str, scope: Scope) -> tree.Word | None:
        """Where a name with capitals was bound, and nothing reads it, that is an unknown one but for them: the slip is there."""
        alike = (word for word in self.unread if word.text in scope.locals and word.text.casefold() == name.casefold())
        return next((word for word in alike if word.text != word.text.casefold()), None)

    def twin(self, node: tree.Expr, found: core.Expr, scope: Scope) -> str | None:
        """The bound name that a word may stand for which is written alike but for its case: `S` is a rank, `s` a seat."""
        if not scope.locals or not isinstance(node, tree.Name) or not isinstance(found, core.Const):
            return None
        name = node.word.text
        for other, value in scope.locals.items():
            if other != name and other.casefold() == name.casefold():
                if isinstance(value, core.Expr) and (value.type.kind == found.type.kind or value.type.kind in ("card", "cards")):
                    self.alike[node.span] = name, other
                return f"did you mean `{other}`?"
        return None

    def tell(self, report: Report) -> None:
        """Warns of the names that nothing reads, and of words that are not the bound name beside them."""
        for word in self.unread:
            report.warning("W705", f"nothing reads `{word.text}`", word.span, "bound here, and not used",
                           help=f"was `{word.text}` meant where another name stands?")  # fmt: skip
        for span, (name, other) in self.alike.items():
            report.warning("W706", f"`{name}` is not the `{other}` that is bound here", span, "another meaning",
                           help=f"did you mean `{other}`? if not, bind another name")  # fmt: skip


def mentions(node: Any, name: str) -> bool:
    """Whether a word stands anywhere in a tree."""
    todo = [node]
    while todo:
        part = todo.pop()
        if isinstance(part, tree.Word):
            if part.text == name:
                return True
        elif isinstance(part, tuple):
            todo.extend(part)
        elif is_dataclass(part) and not isinstance(part, Span):
            todo.extend(getattr(part, field.name) for field in fields(part))
    return False


def used_here(span: Span, name: str) -> tuple[Label, ...]:
    """A second label: where a name is used that the first place spells otherwise."""
    return (Label(span, f"`{name}` is used here"),)
