"""The author's own text for people: steps as lines, and conditions on options settled by the options' values."""

from __future__ import annotations

import re
from collections.abc import Mapping as Given
from dataclasses import dataclass

from dsl.options import Option
from dsl.source import Mapping, Node, Scalar, Sequence

INDENT = "  "
IS = re.compile(r"(\w+) (is not|is) ([\w/.-]+)")
CHOICE = re.compile(r"\(([^(){}]+ if [^(){}]+ else [^(){}]+)\)")
WORD = re.compile(r"[\w/.-]+")


@dataclass(frozen=True, slots=True)
class Words:
    """Texts of a ruleset as they read with the options' values."""

    options: Given[str, Option]

    def text(self, node: Node | None) -> str:
        """A scalar in one line; empty for anything else."""
        return self.settled(" ".join(node.value.split())) if isinstance(node, Scalar) else ""

    # ----------------------------------------------------------------- options

    def truth(self, condition: str) -> bool | None:
        """Whether a condition on options alone holds; None if it asks for more than that."""
        found = self.simplified(condition)
        return found if isinstance(found, bool) else None

    def simplified(self, condition: str) -> bool | str:
        """A condition without what the options settle; a truth if nothing is left of it."""
        for word, ends in ((" or ", True), (" and ", False)):
            parts = split(condition, word)
            if len(parts) == 1:
                continue
            left: list[str] = []
            for part in parts:
                found = self.simplified(part)
                if found is ends:
                    return ends
                if isinstance(found, str):
                    left.append(found)
            return word.join(left) if left else not ends
        bare = condition.strip()
        if bare.startswith("(") and bare.endswith(")") and split(bare[1:-1], ")") == [bare[1:-1]]:
            inner = self.simplified(bare[1:-1])
            return inner if isinstance(inner, bool) else f"({inner})" if len(split(inner, " ")) > 1 else inner
        if bare.startswith("not "):
            inner = self.simplified(bare[4:])
            return not inner if isinstance(inner, bool) else condition
        known = self.fact(bare)
        return condition if known is None else known

    def fact(self, condition: str) -> bool | None:
        """Whether a single condition on one option holds."""
        option = self.options.get(condition)
        if option is not None and option.kind == "truth":
            return bool(option.constant)
        found = IS.fullmatch(condition)
        option = None if found is None else self.options.get(found[1])
        if found is None or option is None or option.problem(found[3]) is not None:
            return None
        return (option.value == found[3]) is (found[2] == "is")

    def settled(self, text: str) -> str:
        """A text with its choices between options made: `a if option is x else b` becomes `a`."""
        inner = CHOICE.search(text)
        while inner is not None:
            chosen = self.chosen(inner[1])
            if chosen == inner[1]:
                break
            text = text[: inner.start()] + (chosen if WORD.fullmatch(chosen) else f"({chosen})") + text[inner.end() :]
            inner = CHOICE.search(text)
        return self.chosen(text)

    def chosen(self, text: str) -> str:
        """The same for a choice that is the whole text; left alone where it is not plain which part belongs where."""
        while " if " in text and " else " in text:
            first, _, rest = text.partition(" if ")
            condition, _, other = rest.partition(" else ")
            holds = self.truth(condition)
            if holds is None or any(part.count("(") != part.count(")") for part in (first, other)):
                return text
            text = first if holds else other
        return text

    # ------------------------------------------------------------------- steps

    def lines(self, node: Node | None) -> list[str]:
        """Steps as indented lines; those that the options rule out are left out."""
        if node is None:
            return []
        if isinstance(node, Scalar):
            text = self.text(node)
            return [text] if text else []
        if isinstance(node, Sequence):
            return [line for item in node for line in self.lines(item)]
        if "ask" in node:
            return self.ask(node)
        if "each" in node:
            return self.under(f"for each {self.text(node.get('each'))}", self.lines(node.get("do")))
        if "repeat" in node:
            return self.under(f"repeat {self.text(node.get('repeat'))}", self.lines(node.get("do")))
        if "when" in node:
            return self.when(node)
        return [line for entry in node for line in self.under(entry.key.value, self.lines(entry.value))]

    def when(self, node: Mapping) -> list[str]:
        condition = self.text(node.get("when"))
        then, other = self.lines(node.get("do")), self.lines(node.get("else"))
        rest = self.simplified(condition)
        if isinstance(rest, bool):
            return then if rest else other
        found = self.under(f"if {rest}", then) if then else []
        return found + (self.under("otherwise", other) if other else [])

    def ask(self, node: Mapping) -> list[str]:
        who, about = self.text(node.get("ask")), self.text(node.get("about"))
        lines = [f"{who} answers{f' ({about})' if about else ''}:"]
        return lines + [INDENT + line for line in self.offers(node.get("choices"))]

    def offers(self, node: Node | None) -> list[str]:
        """Answers that may be given, with the condition of each and what it does."""
        found: list[str] = []
        for entry in node if isinstance(node, Mapping) else ():
            value = entry.value
            rest = self.simplified(self.text(value.get("when"))) if isinstance(value, Mapping) and "when" in value else True
            if rest is False:
                continue
            head = f"`{entry.key.value}`" + (f" if {rest}" if isinstance(rest, str) else "")
            body = value.get("do") if isinstance(value, Mapping) else value
            found += self.under(head, self.lines(body))
        return found

    @staticmethod
    def under(head: str, lines: list[str]) -> list[str]:
        """Lines below a head; a single one stands beside it."""
        if not lines:
            return [head]
        if len(lines) == 1 and len(head) + len(lines[0]) < 100:
            return [f"{head}: {lines[0]}"]
        return [f"{head}:", *(INDENT + line for line in lines)]


def split(text: str, word: str) -> list[str]:
    """A text cut at a word outside brackets, before any quantifier or choice that would reach over it."""
    parts, depth, start = [], 0, 0
    for at, sign in enumerate(text):
        if depth == 0 and text.startswith(word, at) and at >= start:
            parts.append(text[start:at])
            start = at + len(word)
        if depth == 0 and (text.startswith(" has ", at) or text.startswith(" if ", at)):
            break
        depth += (sign in "([{") - (sign in ")]}")
    return [*parts, text[start:]]
