"""From the merged document of a variant to a `Ruleset`: every text parsed, every option given its value."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from collections.abc import Mapping as Given
from dataclasses import replace
from typing import Any

from dsl import tree
from dsl.deck import MOST_CARDS, Deck, Rank, Suit
from dsl.diagnostics import Diagnostic, Enough, Label, Report
from dsl.mistakes import RESERVED
from dsl.names import ABOUT_BUILT_IN
from dsl.nodes import child, entries, items, scalar, text, whole
from dsl.options import Option, as_number
from dsl.parse import fits, parse
from dsl.phrases import match_phrase, near_phrase
from dsl.primitives import TABLE
from dsl.ruleset import (
    Auction,
    Contract,
    Definition,
    Dummy,
    Form,
    Match,
    Named,
    Payment,
    PhraseRow,
    Play,
    Ruleset,
    Rung,
    ScoreRow,
    Steps,
    all_steps,
)
from dsl.source import Entry, Mapping, Node, Scalar, Sequence
from dsl.suggest import nearest

NAMING = ("options", "cards", "piles", "variables", "define", "sides", "contracts", "outcomes", "decks")
MOST_PHRASES = 150
MOST_WORDS = 40
MOST_SUITS, MOST_RANKS = 12, 60
LET = re.compile(r"\s*let\s+(\w+)")
MEANT = re.compile(r"did you mean `(.+)`\?")
HOLE = re.compile(r"\{(\w+)\}")


def read_ruleset(document: Mapping, libraries: list[Mapping], report: Report) -> Ruleset:
    """The ruleset of a merged, schema-valid document, with the modules it uses; its options have their defaults."""
    return _Reader(report).ruleset(document, libraries)


def choose(options: Given[str, Option], given: Given[str, str]) -> dict[str, Option]:
    """The options with the values given; one that its option cannot have is told where the ruleset was asked for."""
    found = dict(options)
    for id, option in options.items():
        value = given.get(id)
        if value is not None and option.problem(value) is None:
            found[id] = replace(option, value=canonical(option, value), given=True)
    return found


def canonical(option: Option, value: str) -> str:
    """The choice that a number means, however it is written (`1.5` for `3/2`)."""
    number = as_number(value)
    for word in option.words:
        if number is not None and as_number(word) == number:
            return word
    return value


def phrase_rows(modules: list[Mapping], report: Report) -> list[PhraseRow]:
    """The phrases of modules without what they do, in the order in which a line is held against them."""
    rows = [row for module in modules for row in _Reader(report).phrase_heads(module.get("phrases"))]
    # Longer patterns first, so that the more particular phrase is found.
    return sorted(rows, key=lambda row: -len(row.parts))


class _Reader:
    """Reads sections; each method takes the node of one section."""

    def __init__(self, report: Report) -> None:
        self.report = report
        self.phrases: list[PhraseRow] = []
        self.known: frozenset[str] = frozenset()
        self.faulty: set[str] = set()
        self.unread: set[str] = set()

    def ruleset(self, doc: Mapping, libraries: list[Mapping]) -> Ruleset:
        modules = [*libraries, doc]
        self.known = frozenset(names_in(modules))
        rules = Ruleset(
            id=text(doc.get("ruleset")),
            title=text(doc.get("title")) or text(doc.get("ruleset")),
            summary=text(doc.get("summary")),
            status=text(doc.get("status")) or "complete",
            sources={e.key.value: text(e.value) for e in entries(doc.get("sources"))},
            notes=tuple(text(item) for item in items(doc.get("notes"))),
            span=doc.entries[0].key.span if doc.entries else doc.span,
        )
        rules.players = whole(doc.get("players"))
        rules.dummy = self.dummy(doc.entry("dummy"))
        rules.direction = text(doc.get("direction")) or "clockwise"
        rules.sides = tuple((e.key, tuple(whole(seat) for seat in items(e.value))) for e in entries(doc.get("sides")))
        rules.deck = self.deck(doc.get("deck"), libraries)
        rules.presets = {
            e.key.value: {o.key.value: text(o.value) for o in entries(child(e.value, "options"))} for e in entries(doc.get("presets"))
        }
        rules.options = self.options(doc)
        rules.cards = self.named(doc.get("cards"), "cards")
        rules.ranking = self.named(doc.get("ranking"), "order")
        rules.worth = self.named(doc.get("worth"), "expr")
        rules.piles = tuple(item for m in modules for item in self.named(m.get("piles"), "pile"))
        rules.variables = tuple(item for m in modules for item in self.named(m.get("variables"), "variable"))
        rules.define = tuple(item for m in modules for item in self.definitions(m.get("define")))
        self.phrases = phrase_rows(modules, self.report)
        rules.forms = tuple(item for m in modules for item in self.forms(m.get("forms")))
        rules.phrases = tuple(replace(row, steps=self.steps(child_of(modules, row, "steps"))) for row in self.phrases)
        rules.score = self.score(doc.entry("score"))
        rules.deal = self.steps(doc.get("deal"))
        rules.opening = self.steps(doc.get("opening"))
        rules.auction = self.auction(doc.entry("auction"))
        rules.contracts = tuple(self.contract(e) for e in entries(doc.get("contracts")))
        rules.play = self.play(doc.entry("play"))
        rules.outcomes = self.outcomes(doc.get("outcomes"))
        rules.payments = self.payments(doc.get("payments"))
        rules.finish = self.steps(doc.get("finish"))
        rules.match = self.match(doc.get("match"))
        rules.sitting = next((step.span for step in all_steps(rules) if isinstance(step, tree.SitOut)), None)
        rules.faulty, rules.unread = frozenset(self.faulty), frozenset(self.unread)
        return rules

    def dummy(self, entry: Entry | None) -> Dummy | None:
        if entry is None:
            return None
        name, after = scalar(child(entry.value, "name")), self.expr(child(entry.value, "after"))
        if after is None:
            self.faulty.add(name.value)
            return None
        return Dummy(entry.key, name, after)

    # ------------------------------------------------------------- small parts

    def parse(self, node: Scalar, kind: str) -> Any:
        return parse(node, kind, self.report, self.known)

    def expr(self, node: Node | None) -> Any:
        return None if node is None else self.parse(scalar(node), "expr")

    def named(self, node: Node | None, kind: str) -> tuple[tuple[Scalar, Any], ...]:
        rows = [(e.key, self.parse(scalar(e.value), kind)) for e in entries(node)]
        bad = {key.value for key, value in rows if value is None}
        if bad and kind == "order":
            self.unread.add("ranking")
        elif kind in ("cards", "pile", "variable"):
            self.faulty |= bad
        return tuple((key, value) for key, value in rows if value is not None)

    def definitions(self, node: Node | None) -> list[Definition]:
        rows = [(e.key, self.parse(e.key, "definition"), self.expr(e.value)) for e in entries(node)]
        self.faulty |= {key.value.partition("(")[0].strip() for key, head, body in rows if head is None or body is None}
        return [Definition(head, body) for _, head, body in rows if head is not None and body is not None]

    def phrase_heads(self, node: Node | None) -> list[PhraseRow]:
        found: list[PhraseRow] = []
        for e in entries(node):
            pattern = " ".join(e.key.value.split())
            declared = {p.key.value: (text(p.value), p.value.span) for p in entries(child(e.value, "parameters"))}
            parameters = []
            for name in HOLE.findall(pattern):
                if name not in declared:
                    near = nearest(name, declared)
                    self.report.error("E306", f"the phrase has a hole `{name}` whose type is not given under `parameters`", e.key.span,
                                      help=f"did you mean `{near}`?" if near else None)  # fmt: skip
                parameters.append((name, *declared.pop(name, ("number", e.key.span))))
            if all(part.startswith("{") for part in pattern.split()):
                self.report.error("E306", "a phrase needs a word of its own beside its holes", e.key.span)
                continue
            if len(pattern.split()) > MOST_WORDS:
                self.report.error("E306", f"a phrase has at most {MOST_WORDS} words", e.key.span)
                continue
            if len(found) >= MOST_PHRASES:
                self.report.error("E408", f"a ruleset has at most {MOST_PHRASES} phrases", e.key.span, "one too many")
                raise Enough
            for name, (_, span) in declared.items():
                self.report.error("E306", f"parameter `{name}` has no hole in the phrase", span)
            found.append(PhraseRow(pattern, e.key, tuple(parameters), text(child(e.value, "about")), ()))
        return found

    def forms(self, node: Node | None) -> list[Form]:
        return [Form(e.key, text(child(e.value, "about")), self.steps(child(e.value, "steps"))) for e in entries(node)]

    # ------------------------------------------------------------------- steps

    def steps(self, node: Node | None) -> Steps:
        if node is None:
            return ()
        lines = node.items if isinstance(node, Sequence) else (node,)
        found = (self.step(line) for line in lines)
        return tuple(step for step in found if step is not None)

    def step(self, node: Node) -> tree.Step | None:
        if isinstance(node, Scalar):
            return self.line(node)
        if not isinstance(node, Mapping):
            return None
        span = node.entries[0].key.span if node.entries else node.span
        if "ask" in node:
            who = self.expr(node.get("ask"))
            offers = tuple(offer for e in entries(node.get("choices")) if (offer := self.offer(e)) is not None)
            return None if who is None else tree.Ask(span, who, text(node.get("about")) or "choice", offers)
        if "each" in node:
            head = self.parse(scalar(node.get("each")), "each")
            body = self.steps(node.get("do"))
            return None if head is None else tree.Loop(span, head, body)
        if "repeat" in node:
            head = self.parse(scalar(node.get("repeat")), "repeat")
            body = self.steps(node.get("do"))
            return None if head is None else replace(head, body=body)
        condition = self.expr(node.get("when"))
        then, other = self.steps(node.get("do")), self.steps(node.get("else"))
        return None if condition is None else tree.When(span, condition, then, other)

    def line(self, node: Scalar) -> tree.Step | None:
        phrase = match_phrase(node, self.phrases, self.report, self.known)
        if phrase is not None:
            return phrase
        trial = Report()
        step: tree.Step | None = parse(node, "step", trial, self.known)
        near = near_phrase(node.value, self.phrases) if step is None else None
        if step is None and (let := LET.match(node.value)) is not None:
            self.faulty.add(let.group(1))
        mended = any(self.mends(node, diagnostic) for diagnostic in trial.diagnostics)
        for diagnostic in trial.diagnostics:
            if mended:
                self.report.add(diagnostic)
            elif near is not None and near.word:
                place = node.part(near.start, near.end)
                self.report.error("E304", f"`{place.text}` does not fit here", place, f"the phrase is `{near.pattern}`",
                                  help=f"did you mean `{near.word}`?")  # fmt: skip
            else:
                self.report.add(replace(diagnostic, help=f"did you mean the phrase `{near.pattern}`?") if near else diagnostic)
        return step

    def mends(self, node: Scalar, diagnostic: Diagnostic) -> bool:
        """Whether a line is a step once the word is put in that a diagnostic suggests."""
        word, line = MEANT.fullmatch(diagnostic.help or ""), node.span.source.text
        if word is None:
            return False
        span = diagnostic.span
        start, end = bisect_left(node.offsets, span.start), bisect_left(node.offsets, span.end)
        return fits(node.value[:start] + word.group(1) + node.value[end:], "step") and line[span.start : span.end] == node.value[start:end]

    def offer(self, entry: Entry) -> tree.Offer | None:
        head: tree.Offer | None = self.parse(entry.key, "offer")
        value = entry.value
        if isinstance(value, Mapping):
            when, body, because = self.expr(value.get("when")), self.steps(value.get("do")), text(value.get("because"))
        else:
            when, body, because = None, self.steps(value), ""
        return None if head is None else replace(head, when=when, body=body, because=because or None)

    # ---------------------------------------------------------------- sections

    def deck(self, node: Node | None, libraries: list[Mapping]) -> Deck | None:
        if node is None:
            return None
        remove: Scalar | None = None
        if isinstance(node, Scalar):
            known = {e.key.value: e.value for module in libraries for e in entries(module.get("decks"))}
            found = known.get(node.value)
            if found is None:
                near = nearest(node.value, known)
                self.report.error("E201", f"unknown deck `{node.value}`", node.span, f"the decks are {', '.join(sorted(known))}",
                                  help=f"did you mean `{near}`?" if near else None)  # fmt: skip
                return None
            name, body = node.value, found
        else:
            name, body = "own", node
            remove = scalar(child(node, "remove")) if child(node, "remove") is not None else None
        suits = tuple(
            Suit(
                e.key.value,
                text(child(e.value, "letter")) or e.key.value[0],
                text(child(e.value, "colour")),
                text(child(e.value, "symbol")),
                {n.key.value: text(n.value) for n in entries(child(e.value, "names"))},
            )
            for e in entries(child(body, "suits"))
        )
        ranks = tuple(
            Rank(
                e.key.value,
                tuple(text(x) for x in items(child(e.value, "also"))),
                {n.key.value: text(n.value) for n in entries(child(e.value, "names"))},
            )
            for e in entries(child(body, "ranks"))
        )
        pairs = [(s, r) for s in range(len(suits)) for r in range(len(ranks))]
        letters: dict[str, Scalar] = {}
        for e in entries(child(body, "suits")):
            letter = child(e.value, "letter")
            if not isinstance(letter, Scalar):
                continue
            if letter.value in letters:
                self.report.error("E202", f"two suits have the letter `{letter.value}`", letter.span, "again",
                                  others=(Label(letters[letter.value].span, "here already"),))  # fmt: skip
            letters[letter.value] = letter
        for e in entries(child(body, "suits")):
            colour = child(e.value, "colour")
            if isinstance(colour, Scalar) and (colour.value in ABOUT_BUILT_IN or colour.value in RESERVED):
                self.report.error("E205", f"`{colour.value}` is already a word of the language", colour.span, "choose another colour")
                return None
        if len(suits) > MOST_SUITS or len(ranks) > MOST_RANKS:
            self.report.error("E202", f"a deck has at most {MOST_SUITS} suits and {MOST_RANKS} ranks", node.span)
            return None
        deck = Deck(name, suits, ranks, tuple(pairs))
        if remove is not None:
            gone = set()
            for piece in re.finditer(r"[^\s,]+", remove.value):
                word = piece.group()
                if word not in deck.by_text:
                    near = nearest(word, deck.by_text)
                    self.report.error("E204", f"unknown card `{word}`", remove.part(*piece.span()), "not a card of the deck",
                                      help=f"did you mean `{near}`?" if near else None)  # fmt: skip
                else:
                    gone.add(deck.by_text[word])
            deck = Deck(name, suits, ranks, tuple(pair for i, pair in enumerate(pairs) if i not in gone))
        if not 1 <= len(deck) <= MOST_CARDS:
            where = node.span if isinstance(node, Scalar) else remove.span if remove is not None else node.span
            self.report.error("E202", f"the deck has {len(deck)} cards; the engine plays with 1 to {MOST_CARDS}", where)
            return None
        return deck

    def options(self, doc: Mapping) -> dict[str, Option]:
        found: dict[str, Option] = {}
        for e in entries(doc.get("options")):
            choices = tuple(scalar(x) for x in items(child(e.value, "choices")))
            kind = text(child(e.value, "type")) or ("number" if all(as_number(c.value) is not None for c in choices) else "word")
            default = scalar(child(e.value, "default"))
            least, most = as_number(text(child(e.value, "min"))), as_number(text(child(e.value, "max")))
            option = Option(e.key, kind, choices, least, most, default, text(child(e.value, "about")),
                            text(child(e.value, "source")), default.value,
                            scalar(requires) if (requires := child(e.value, "requires")) is not None else None)  # fmt: skip
            problem = option.problem(default.value)
            if problem:
                self.report.error("E611", f"the default of option `{option.id}` is not one of its values", default.span, problem)
                # The option stays known, so that the lines that read it are not faulted too.
                stand_in = {"truth": "no", "word": ""}.get(kind, str(least or 0))
                option = replace(option, value=choices[0].value if choices else stand_in)
            found[option.id] = option
        for name, preset in ((e.key, e.value) for e in entries(doc.get("presets"))):
            for o in entries(child(preset, "options")):
                option_or_none = found.get(o.key.value)
                if option_or_none is None:
                    near = nearest(o.key.value, found)
                    self.report.error("E612", f"preset `{name.value}` sets an unknown option `{o.key.value}`", o.key.span,
                                      help=f"did you mean `{near}`?" if near else None)  # fmt: skip
                elif problem := option_or_none.problem(text(o.value)):
                    self.report.error("E613", f"`{text(o.value)}` is not a value of option `{o.key.value}`", o.value.span, problem)
        return found

    def score(self, entry: Entry | None) -> ScoreRow | None:
        if entry is None:
            return None
        node = entry.value
        balanced = (text(child(node, "balanced")) or "false").lower() in ("true", "yes")
        pots = tuple(scalar(x) for x in items(child(node, "pots")))
        return ScoreRow(text(child(node, "unit")) or "points", text(child(node, "by")) or "seat", pots, balanced, entry.key.span)

    def auction(self, entry: Entry | None) -> Auction | None:
        if entry is None:
            return None
        node = entry.value
        form, bids = self.expr(child(node, "form")), child(node, "bids")
        parsed = self.parse(scalar(bids), "bids") if bids is not None else None
        if bids is not None and parsed is None:
            # Its words are bids all the same, so that the lines that use them are not faulted too.
            line = scalar(bids)
            words = tuple(tree.Word(word.group(), line.part(*word.span())) for word in re.finditer(r"\w+", line.value))
            parsed = tree.Bids(line.span, words, (tree.Word("<", line.span),) * (len(words) - 1))
            self.unread.add("bids")
        if form is None or parsed is None:
            self.unread.add("bids")
            return None
        declarer, passed = child(node, "declarer"), child(node, "passed_out")
        return Auction(entry.key, form, self.expr(child(node, "when")), parsed, self.expr(child(node, "legal")),
                       None if declarer is None else scalar(declarer), self.steps(child(node, "won")), self.steps(passed),
                       None if passed is None else passed.span)  # fmt: skip

    def contract(self, entry: Entry) -> Contract:
        node = entry.value
        ranking = child(node, "ranking")
        outcomes, payments = child(node, "outcomes"), child(node, "payments")
        must, lead = child(node, "obligations"), child(node, "lead_obligations")
        return Contract(
            entry.key,
            text(child(node, "about")),
            self.steps(child(node, "prepare")),
            None if ranking is None else scalar(ranking),
            self.expr(child(node, "multiplier")),
            self.expr(child(node, "target")),
            None if must is None else self.ladder(must),
            None if lead is None else self.ladder(lead),
            None if outcomes is None else self.outcomes(outcomes),
            None if payments is None else self.payments(payments),
        )

    def ladder(self, node: Node | None) -> tuple[Rung, ...]:
        rungs: list[Rung] = []
        for e in entries(node):
            must = self.expr(child(e.value, "must"))
            if must is None:
                self.unread.add("obligations")
                continue
            rung = Rung(e.key, self.expr(child(e.value, "when")), must, text(child(e.value, "because")))
            before = child(e.value, "before")
            ids = [r.key.value for r in rungs]
            # A variant's rung already stands where it belongs; elsewhere one may name an earlier rung.
            later = [one.key.value for one in entries(node)[entries(node).index(e) + 1 :]]
            if before is None or text(before) in later:
                rungs.append(rung)
            elif text(before) in ids:
                rungs.insert(ids.index(text(before)), rung)
            else:
                near = nearest(text(before), [*ids, *later])
                self.report.error("E505", f"there is no obligation `{text(before)}` to stand before", before.span,
                                  help=f"did you mean `{near}`?" if near else None)  # fmt: skip
        return tuple(rungs)

    def play(self, entry: Entry | None) -> Play | None:
        if entry is None:
            return None
        node = entry.value
        also = tuple(offer for e in entries(child(node, "also")) if (offer := self.offer(e)) is not None)
        told = {key: self.expr(child(node, key)) for key in ("when", "leads", "tricks", "opener", "next_leads", "chooses")}
        steps = {key: self.steps(child(node, key)) for key in ("before", "opens", "turn", "played", "trick", "after")}
        ladders = {key: self.ladder(child(node, key)) for key in ("obligations", "lead_obligations")}
        whole: dict[str, Any] = {**told, **steps, **ladders, "also": also}
        return Play(entry.key, **whole)

    def outcomes(self, node: Node | None) -> tuple[Named, ...]:
        rows = [(e.key, self.expr(e.value)) for e in entries(node)]
        if any(value is None for _, value in rows):
            self.unread.add("outcomes")
        return tuple(Named(key, value) for key, value in rows if value is not None)

    def payments(self, node: Node | None) -> tuple[Payment, ...]:
        found = []
        for e in entries(node):
            if isinstance(e.value, Mapping) and "pay" in e.value:
                loop_node = e.value.get("for")
                loop = None if loop_node is None else self.parse(scalar(loop_node), "each")
                found.append(Payment(e.key, loop, self.expr(e.value.get("when")), self.steps(e.value.get("pay"))))
            else:
                found.append(Payment(e.key, None, None, self.steps(e.value)))
        return tuple(found)

    def match(self, node: Node | None) -> Match:
        if node is None:
            return Match()
        winners = self.expr(child(node, "winners"))
        if winners is None and child(node, "winners") is not None:
            self.faulty.add("winners")
        return Match(self.steps(child(node, "start")), self.expr(child(node, "dealer")), self.expr(child(node, "ends")),
                     winners, self.steps(child(node, "finish")))  # fmt: skip


# ------------------------------------------------------------------ nodes


def names_in(modules: list[Mapping]) -> Iterator[str]:
    """The names that modules declare, and those every ruleset has: what a misspelt word may have been."""
    yield from ABOUT_BUILT_IN
    yield from TABLE
    for module in modules:
        for section in NAMING:
            for entry in entries(module.get(section)):
                yield entry.key.value.partition("(")[0].strip()
        for option in entries(module.get("options")):
            yield from (text(choice) for choice in items(child(option.value, "choices")))
        yield text(child(module.get("score"), "unit"))
        yield from (text(pot) for pot in items(child(module.get("score"), "pots")))


def child_of(modules: list[Mapping], row: PhraseRow, key: str) -> Node | None:
    """The body of a phrase, found again in the module that its key came from."""
    for module in modules:
        for entry in entries(module.get("phrases")):
            if entry.key is row.key:
                return child(entry.value, key)
    return None
