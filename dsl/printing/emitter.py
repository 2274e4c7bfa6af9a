"""Nodes as YAML in the canonical layout, with the comments and empty lines of the file they came from."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable
from collections.abc import Mapping as Given

from dsl.printing.layout import STEP, Layout, lines_of, one_line
from dsl.printing.remarks import Remark, leaves
from dsl.printing.scalars import WIDTH, can_be_folded, folded, inline
from dsl.source import Mapping, Node, Scalar, Sequence

END = 1 << 60
ALIGNED = 80  # comments of neighbouring lines stand below each other, but for those of longer lines


def emit(root: Mapping, layouts: Given[int, Layout], remarks: list[Remark], note: Callable[[Node], str] | None = None) -> str:
    """The text of a document; `note` gives each value a comment and a line of its own, but where one comment does for several."""
    emitter = _Emitter(layouts, remarks, note)
    emitter.block(root, 0, "", END)
    emitter.flush(END, 0)
    return emitter.text()


def flow_text(node: Node, layouts: Given[int, Layout]) -> str:
    """A value in one line, however long."""
    return _Emitter(layouts, [], None).flow(node)


class _Emitter:
    def __init__(self, layouts: Given[int, Layout], remarks: list[Remark], note: Callable[[Node], str] | None) -> None:
        self.layouts, self.remarks, self.note = layouts, remarks, note
        self.at = 0
        self.comments = [remark.offset for remark in remarks if remark.text]
        self.lines: list[tuple[str, str]] = []  # each with the comment at its end

    # ------------------------------------------------------------------ blocks

    def block(self, node: Mapping | Sequence, indent: int, lead: str, limit: int, floor: int = 0) -> None:
        """A list or mapping, an item to a line. The first line begins with `lead`, which has been indented already.

        `limit` is the offset where what follows begins; comments before it from column `floor` on belong to the node.
        """
        items: tuple[tuple[Scalar | None, Node], ...]
        if isinstance(node, Mapping):
            items = tuple((entry.key, entry.value) for entry in node.entries)
        else:
            items = tuple((None, item) for item in node.items)
        starts = [(value if key is None else key).span.start for key, value in items]
        for number, (key, value) in enumerate(items):
            if number or not lead:
                self.flush(starts[number], indent)
            end = starts[number + 1] if number + 1 < len(items) else limit
            head = lead if lead and not number else " " * indent
            if key is None:
                self.value(f"{head}-", value, indent, end, in_list=True)
            else:
                self.value(f"{head}{self.inline(key, False, key=True)}:", value, indent, end, in_list=False)
        self.tail(limit, indent, max(floor, _column(node)))

    def value(self, head: str, node: Node, indent: int, limit: int, in_list: bool) -> None:
        """What stands behind a dash or a key."""
        if isinstance(node, Scalar):
            self.scalar(head, node, indent, limit)
            return
        if not len(node) or (_is_flow(node) and not self.remarked(node) and self.of_one_place(node)):
            line = f"{head} {self.flow(node)}"
            if len(line) <= WIDTH or not len(node):
                self.line(line, limit, node)
                return
        inner = indent + STEP
        if in_list:
            self.block(node, inner, f"{head} ", limit)
            return
        self.line(head, node.span.start, None)
        # A list may stand right below its key: comments there belong to the next key.
        floor = _column(node) + 1 if isinstance(node, Sequence) and _column(node) == indent_of(node) else 0
        self.block(node, inner, "", limit, floor)

    def scalar(self, head: str, node: Scalar, indent: int, limit: int) -> None:
        """Text: in the line of its head, or as a block below it."""
        style = node.span.source.text[node.span.start : node.span.start + 1] if not node.plain else ""
        line = f"{head} {self.inline(node, False)}".rstrip(" ") if node.value or not node.plain else head
        room = WIDTH - indent - STEP
        sign, lines = "|", [line]
        found = self.layouts.get(id(node))
        if found is not None:
            if style in ("|", ">") or len(line) > WIDTH:
                lines = lines_of(found, room, spread=True)
        elif style == "|" and not node.value.startswith((" ", "\n")) and node.value.strip():
            lines, sign = [one.rstrip() for one in node.value.rstrip("\n").split("\n")], "|" if node.value.endswith("\n") else "|-"
            self.below(f"{head} {sign}", lines, indent, limit, node)
            return
        elif (len(line) > WIDTH or "\n" in node.value.strip("\n")) and can_be_folded(node.value) and node.value.strip():
            lines, sign = folded(node.value, room), ">" if node.value.endswith("\n") else ">-"
        if len(lines) > 1 or (lines != [line] and len(line) > WIDTH):
            self.below(f"{head} {sign}", lines, indent, limit, node)
        else:
            self.line(line, limit, node)

    def below(self, head: str, lines: list[str], indent: int, limit: int, node: Scalar) -> None:
        self.line(head, limit, node)
        self.lines += [((" " * (indent + STEP) + line).rstrip(), "") for line in lines]

    # -------------------------------------------------------------------- text

    def inline(self, node: Scalar, braces: bool, key: bool = False) -> str:
        found = self.layouts.get(id(node))
        if found is not None:
            return inline(node, one_line(found), braces, free=not key)
        text = node.value
        if node.span.source.text[node.span.start : node.span.start + 1] == ">" and not node.plain:
            text = text.rstrip("\n")
        return inline(node, text, braces, free=False)

    def flow(self, node: Node) -> str:
        """A value in one line, in brackets or braces."""
        if isinstance(node, Scalar):
            return self.inline(node, True)
        if isinstance(node, Sequence):
            return f"[{', '.join(self.flow(item) for item in node.items)}]"
        return "{" + ", ".join(f"{self.inline(e.key, True, key=True)}: {self.flow(e.value)}" for e in node.entries) + "}"

    # ----------------------------------------------------------------- remarks

    def remarked(self, node: Mapping | Sequence) -> bool:
        """Whether a comment stands inside a node."""
        found = bisect_right(self.comments, node.span.start)
        return found < len(self.comments) and self.comments[found] < node.span.end

    def of_one_place(self, node: Node) -> bool:
        """Whether one note does for all values in a node."""
        return self.note is None or len({self.note(leaf) for leaf in leaves(node)}) == 1

    def line(self, text: str, limit: int, node: Node | None) -> None:
        """A line, with the comment that stood behind it."""
        comment = "" if self.note is None or node is None else f"# {self.note(node)}"
        while self.at < len(self.remarks) and self.remarks[self.at].offset < limit and not self.remarks[self.at].text:
            if self.at + 1 < len(self.remarks) and not self.remarks[self.at + 1].alone and self.remarks[self.at + 1].offset < limit:
                self.at += 1  # an empty line inside what is now one line
            else:
                break
        if self.at < len(self.remarks):
            remark = self.remarks[self.at]
            if remark.offset < limit and not remark.alone:
                comment = remark.text
                self.at += 1
        self.lines.append((text, comment))

    def flush(self, offset: int, indent: int) -> None:
        """The comments and empty lines before an offset, in lines of their own."""
        while self.at < len(self.remarks) and self.remarks[self.at].offset < offset:
            remark = self.remarks[self.at]
            self.at += 1
            if remark.text:
                self.lines.append((" " * indent + remark.text, ""))
            elif self.lines and self.lines[-1] != ("", ""):
                self.lines.append(("", ""))

    def tail(self, limit: int, indent: int, floor: int) -> None:
        """The comments behind the last item that stand as far in as the items."""
        while True:
            at = self.at
            while at < len(self.remarks) and not self.remarks[at].text:
                at += 1
            if at == len(self.remarks) or self.remarks[at].offset >= limit:
                return
            if self.remarks[at].alone and self.remarks[at].column < floor:
                return
            self.flush(self.remarks[at].offset + 1, indent)

    def text(self) -> str:
        """All lines, comments of neighbouring lines below each other."""
        while self.lines and self.lines[-1] == ("", ""):
            self.lines.pop()
        done: list[str] = []
        start = 0
        while start < len(self.lines):
            end = start
            while end < len(self.lines) and self.lines[end][1]:
                end += 1
            column = max((len(text) for text, _ in self.lines[start:end] if len(text) <= ALIGNED), default=0)
            done += [f"{text.ljust(column)}  {comment}" for text, comment in self.lines[start:end]]
            if end == start:
                done.append(self.lines[start][0])
                end += 1
            start = end
        return "\n".join(done) + "\n"


def _is_flow(node: Mapping | Sequence) -> bool:
    return node.span.source.text[node.span.start : node.span.start + 1] in ("{", "[")


def _column(node: Node) -> int:
    return node.span.source.place(node.span.start)[1] - 1


def indent_of(node: Node) -> int:
    """The column of the first sign on the line above a block: where the key of the block stands."""
    source = node.span.source
    number = source.place(node.span.start)[0] - 1
    while number > 0:
        line = source.line(number)
        stripped = line.lstrip(" -")
        if stripped and not stripped.startswith("#"):
            return len(line) - len(stripped)
        number -= 1
    return -1
