"""From the text of a YAML file to nodes with exact places; what rulesets do without is an error.

Only events of the parser are used, one at a time, so that size and depth are bounded before anything
is built.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

from dsl.diagnostics import Label, Report, quote
from dsl.offsets import BadEscape, offsets_of
from dsl.parser_words import explained
from dsl.source import Entry, Mapping, Node, Scalar, Sequence, Source, Span

MOST_BYTES = 100_000
DEEPEST = 40
MOST_NODES = 5_000
MARK = "\ufeff"  # a byte order mark, allowed once at the start
LONGEST = 20_000
ANCHOR = re.compile(r"&[^\s,\[\]{}]*")
TAG = re.compile(r"![^\s,\[\]{}]*")
INDICATOR = re.compile(r"[ \t]*[:?-]?")
WORD = re.compile(r"[^\s,:\[\]{}]+|\t+|\S")
LOADER: Any = getattr(yaml, "CLoader", yaml.Loader)
# Control characters, line breaks of other scripts, characters that reverse text, halves of characters.
UNSEEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff\ufffe\uffff\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class Limits:
    """How large a file may be: its bytes, and its keys and values."""

    bytes: int = MOST_BYTES
    nodes: int = MOST_NODES


RULESET = Limits()
CASES = Limits(1_000_000, 50_000)  # cases are read one by one, so that a long file costs no more than its length


def decode(name: str, data: bytes, report: Report, limits: Limits = RULESET) -> Source | None:
    """The source in a file's bytes, or None after an error; a byte order mark at the start is dropped."""
    if len(data) > limits.bytes:
        start = Source(name, data[:200].decode("utf-8", errors="replace"))
        _too_large(start, len(data), report, limits)
        return None
    try:
        return Source(name, data.decode("utf-8-sig"))
    except UnicodeDecodeError as fault:
        good = len(data[: fault.start].decode("utf-8", errors="replace"))
        source = Source(name, data.decode("utf-8", errors="replace"))
        report.error(
            "E109",
            "this file is not text in UTF-8",
            Span(source, good, good + 1),
            "this byte is no part of a character",
            help="save the file again as UTF-8",
        )
        return None


def load(path: Path, name: str, report: Report, limits: Limits = RULESET) -> Source | None:
    """The source in a file, shown to the user under `name`, or None after an error."""
    try:
        with path.open("rb") as file:
            data = file.read(limits.bytes + 1)
    except (OSError, ValueError) as fault:
        reason = fault.strerror if isinstance(fault, OSError) and fault.strerror else "no file can have this name"
        report.error("E114", f"`{name}` cannot be read: {reason.lower()}", Span(Source(name, ""), 0, 0))
        return None
    return decode(name, data, report, limits)


def read(source: Source, report: Report, limits: Limits = RULESET) -> Mapping | None:
    """The mapping that a source holds, or None after an error; all faults that can be told apart are told."""
    if len(source.text) > limits.bytes:
        _too_large(source, len(source.text), report, limits)
        return None
    unseen = UNSEEN.search(source.text, 1 if source.text.startswith(MARK) else 0)
    if unseen is not None:
        _unseen(Span(source, unseen.start(), unseen.end()), f"U+{ord(unseen.group()):04X}", report)
        return None
    reader = _Reader(source, report, 1 if source.text.startswith(MARK) else 0, limits)
    try:
        root = reader.document()
    except yaml.MarkedYAMLError as fault:
        reader.syntax_error(fault)
        return None
    except (yaml.YAMLError, ValueError):
        report.error("E101", "this file is not YAML", Span(source, 0, 1))
        return None
    if reader.faulty or root is None:
        return None
    if not isinstance(root, Mapping):
        what = "a list" if isinstance(root, Sequence) else "one piece of text"
        start = root.span.start
        report.error(
            "E122",
            f"the file holds {what}, and not keys with values",
            Span(source, start, start + 1),
            help="a ruleset begins with `ruleset: its-id`",
        )
        return None
    return root


def _too_large(source: Source, size: int, report: Report, limits: Limits) -> None:
    report.error(
        "E111",
        f"this file has {size // 1000} kB, more than {limits.bytes // 1000} kB"
        if size > limits.bytes + 1
        else f"this file has more than {limits.bytes // 1000} kB",
        Span(source, 0, 0),
    )


def _unseen(span: Span, name: str, report: Report) -> None:
    report.error(
        "E110",
        f"the character {name} cannot be seen and is not allowed",
        span,
        help="delete it, or type the line again",
    )


CLOSING = {"[": "]", "{": "}"}


@dataclass(slots=True)
class _Open:
    """A list or mapping whose end has not been read; in a mapping `nodes` holds key, value, key, value …"""

    start: int
    end: int
    mapping: bool
    flow: bool
    nodes: list[Node] = field(default_factory=list)
    keys: dict[str, Scalar] = field(default_factory=dict)
    skip: bool = False


class _Reader:
    def __init__(self, source: Source, report: Report, shift: int, limits: Limits) -> None:
        self.source, self.report, self.shift, self.limits = source, report, shift, limits
        self.faulty = False
        self.last = 0
        self.open: list[_Open] = []

    def error(self, code: str, message: str, start: int, end: int, label: str = "", help: str | None = None) -> None:
        self.faulty = True
        self.report.error(code, message, Span(self.source, start, end), label, help=help)

    def document(self) -> Node | None:
        """The first document's root; None if there is none or reading stopped at a fault."""
        open_ = self.open
        root: Node | None = None
        count, documents = 0, 0
        text, shift = self.source.text, self.shift
        events: Any = yaml.parse(text, Loader=LOADER)
        for event in events:
            start, end = event.start_mark.index + shift, event.end_mark.index + shift
            node: Node
            if isinstance(event, yaml.ScalarEvent):
                node = self.scalar(event, start, end)
            elif isinstance(event, (yaml.MappingStartEvent, yaml.SequenceStartEvent)):
                self.forbid(event, start, end)
                if len(open_) >= DEEPEST:
                    self.error(
                        "E112",
                        f"lists and mappings lie in one another more than {DEEPEST} levels deep",
                        start,
                        start + 1,
                    )
                    return None
                self.last = start
                open_.append(_Open(start, end, isinstance(event, yaml.MappingStartEvent), bool(event.flow_style)))
                continue
            elif isinstance(event, (yaml.MappingEndEvent, yaml.SequenceEndEvent)):
                node = self.close(open_.pop(), end)
            elif isinstance(event, yaml.AliasEvent):
                self.error(
                    "E103",
                    f"{quote(text[start:end])} copies another part of the file",
                    start,
                    end,
                    "an alias",
                    "name what is shared under `define` or `phrases`",
                )
                node = Scalar("", (start,), Span(self.source, start, end))
            elif isinstance(event, yaml.DocumentStartEvent):
                documents += 1
                if documents > 1:
                    self.error(
                        "E106",
                        "a second document begins here",
                        start,
                        max(end, start + 1),
                        "one file holds one ruleset",
                    )
                    return None
                continue
            else:
                continue
            count += 1
            if count > self.limits.nodes:
                self.error(
                    "E113",
                    f"this file has more than {self.limits.nodes:,} keys and values".replace(",", " "),
                    start,
                    start + 1,
                )
                return None
            if open_:
                self.put(open_[-1], node)
            else:
                root = node
        if self.faulty:
            return None
        if root is None or (isinstance(root, Scalar) and root.plain and not root.value):
            self.error("E108", "this file is empty", 0, 0, help="a ruleset begins with `ruleset: its-id`")
            return None
        return root

    def scalar(self, event: Any, start: int, end: int) -> Scalar:
        text = self.source.text
        value: str = event.value
        if self.forbid(event, start, end) or len(value) > LONGEST:
            if len(value) > LONGEST:
                self.error("E115", f"this text has more than {LONGEST} characters", start, start + 1)
            self.last = end
            return Scalar(value, (start,) * (len(value) + 1), Span(self.source, start, end))
        plain = event.style is None or event.style == ""
        if not value and start == end:
            start = end = self.empty(start)
        try:
            offsets = offsets_of(value, text, start, end, event.style or "")
        except BadEscape as fault:
            self.faulty = True
            _unseen(Span(self.source, fault.start, fault.end), f"U+{fault.character:04X}", self.report)
            offsets = (start,) * (len(value) + 1)
        if event.style in ("|", ">"):
            end = max(offsets[len(value.rstrip())], start + 1)
        self.last = end
        return Scalar(value, offsets, Span(self.source, start, end), plain)

    def empty(self, start: int) -> int:
        """Where a value that is not written would stand: right after its colon or dash."""
        found = INDICATOR.match(self.source.text, self.last)
        return max(found.end(), self.last) if found is not None and found.end() <= start else start

    def forbid(self, event: Any, start: int, end: int) -> bool:
        """Reports an anchor or a tag on a node."""
        text = self.source.text
        bare = event.tag is None and event.anchor is None and text[start : start + 1] == "!" and end > start
        if event.anchor is not None:
            found = ANCHOR.search(text, start)
            a, b = found.span() if found is not None else (start, end)
            self.error(
                "E103",
                f"{quote(text[a:b])} marks a part of the file to be copied",
                a,
                b,
                "an anchor",
                "name what is shared under `define` or `phrases`",
            )
        # A block mapping begins with its first key, which speaks for itself.
        if event.tag is not None or (bare and getattr(event, "flow_style", None) is not False):
            found = TAG.search(text, start)
            a, b = found.span() if found is not None else (start, end)
            self.error(
                "E105",
                f"{quote(text[a:b])} is a tag of YAML",
                a,
                b,
                "rulesets have no tags",
                "put text that begins with `!` in quotes",
            )
            return True
        return event.anchor is not None

    def close(self, done: _Open, end: int) -> Node:
        if not done.flow:
            end = max(done.nodes[-1].span.end if done.nodes else done.start, done.start)
        self.last = end
        span = Span(self.source, done.start, end)
        if not done.mapping:
            return Sequence(tuple(done.nodes), span)
        entries: list[Entry] = []
        for key, value in zip(done.nodes[::2], done.nodes[1::2], strict=True):
            if isinstance(key, Scalar) and done.keys.get(key.value) is key:
                entries.append(Entry(key, value))
        return Mapping(tuple(entries), span)

    def put(self, into: _Open, node: Node) -> None:
        """Adds a node to the list or mapping that is open; a key is checked first."""
        is_key = into.mapping and len(into.nodes) % 2 == 0
        into.nodes.append(node)
        if not is_key:
            return
        span = node.span
        if not isinstance(node, Scalar):
            self.error(
                "E107",
                "a key must be a name or text",
                span.start,
                span.end,
                "a list or a mapping",
                "put a key that has `{`, `[` or `,` in quotes",
            )
        elif node.value == "<<" and node.plain:
            self.error(
                "E104",
                "`<<` merges mappings, which rulesets do not",
                span.start,
                span.end,
                "a merge key",
                "a variant says `extends` and `override`",
            )
        elif node.value in into.keys:
            first = into.keys[node.value]
            self.faulty = True
            self.report.error(
                "E102",
                f"the key {quote(node.value)} is given twice",
                span,
                "again here",
                (Label(first.span, "first here"),),
            )
        else:
            into.keys[node.value] = node

    def syntax_error(self, fault: yaml.MarkedYAMLError) -> None:
        """Says in an author's words what the YAML parser stumbled over."""
        mark = fault.problem_mark or fault.context_mark
        problem = fault.problem or ""
        text = self.source.text
        at = min(mark.index + self.shift, len(text)) if mark is not None else 0
        code, message, help_ = explained(problem, text[at : at + 1], DEEPEST)
        others: tuple[Label, ...] = ()
        opened = fault.context_mark
        if opened is not None and fault.problem_mark is not None:
            begin = min(opened.index + self.shift, len(text))
            if problem.startswith(("found unexpected end of stream", "could not find expected ':'")):
                at = begin
            elif opened.line != fault.problem_mark.line:
                others = (Label(Span(self.source, begin, min(begin + 1, len(text))), "in what begins here"),)
        unclosed = self.unclosed(at)
        if unclosed is not None:
            sign = text[unclosed]
            here = Label(Span(self.source, at, min(at + 1, len(text))), "what comes is read as a part of it until here")
            self.report.error("E101", f"`{sign}` is not closed", Span(self.source, unclosed, unclosed + 1),
                              f"no `{CLOSING[sign]}` closes this", (here,))  # fmt: skip
            return
        word = WORD.match(text, at)
        end = word.end() if word is not None else at
        self.report.error(code, message, Span(self.source, at, end), "", others, help=help_)

    def unclosed(self, at: int) -> int | None:
        """Where a bracket stands that was left open: reading ran on from its line into one that is indented no deeper."""
        line = self.source.place(at)[0]
        depth = self.indent(line)
        for inner in reversed(self.open):
            sign = self.source.text[inner.start : inner.start + 1]
            above = self.source.place(inner.start)[0]
            if inner.flow and sign in CLOSING and above < line and (depth <= self.indent(above) or at >= len(self.source.text.rstrip())):
                return inner.start
        return None

    def indent(self, line: int) -> int:
        """How far a line is moved in; the dash of an item counts as space."""
        text = self.source.line(line)
        return len(text) - len(text.lstrip(" -"))
