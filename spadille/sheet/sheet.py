"""All that a rule sheet says, as plain data: `spadille show --json` prints it, `sheet.render` draws it."""

from __future__ import annotations

import re
from typing import Any

from dsl.document import at
from dsl.program import Program
from dsl.source import Mapping, Node, Scalar, Sequence
from dsl.variant import Variant
from spadille.sheet.orders import deck_facts, rankings, worth_rows
from spadille.sheet.words import Words

NAME = re.compile(r"\w+")
PLAY_STEPS = ("before", "opens", "turn", "played", "trick", "after")


def make_sheet(variant: Variant, program: Program) -> dict[str, Any]:
    """The sheet of a ruleset with its options; texts are the author's, as they read with the options' values."""
    return _Sheet(variant, program).all()


class _Sheet:
    def __init__(self, variant: Variant, program: Program) -> None:
        self.document = variant.document
        self.parents = [id for id, _ in variant.chain[1:]]
        self.program = program
        self.rules = program.rules
        self.words = Words(program.options)

    def node(self, *path: str) -> Node | None:
        return at(self.document, path)

    def text(self, *path: str) -> str:
        return self.words.text(self.node(*path))

    def condition(self, *path: str) -> str:
        """A condition without what the options settle; empty if it always holds."""
        text = self.text(*path)
        rest = self.words.simplified(text) if text else True
        return rest if isinstance(rest, str) else "" if rest else "never"

    def lines(self, *path: str) -> list[str]:
        return self.words.lines(self.node(*path))

    def all(self) -> dict[str, Any]:
        rules, program = self.rules, self.program
        return {
            "id": rules.id,
            "title": rules.title,
            "summary": " ".join(rules.summary.split()),
            "status": rules.status,
            "parents": self.parents,
            "players": program.persons,
            "dummy": None if rules.dummy is None else {"name": rules.dummy.name.value, "after": self.text("dummy", "after")},
            "direction": rules.direction,
            "sides": {key.value: list(seats) for key, seats in rules.sides},
            "deck": deck_facts(program.deck),
            "cards": self.named("cards"),
            "rankings": rankings(program),
            "worth": worth_rows(program),
            "deal": self.lines("deal"),
            "opening": self.lines("opening"),
            "auction": self.auction(),
            "contracts": [self.contract(row.key.value) for row in rules.contracts],
            "play": self.play(),
            "outcomes": self.outcomes(self.node("outcomes")),
            "payments": self.payments(self.node("payments")),
            "finish": self.lines("finish"),
            "score": self.score(),
            "match": {key: self.lines("match", key) for key in ("start", "dealer", "ends", "winners", "finish")},
            "options": [self.option(name) for name in program.options],
            "presets": {name: dict(values) for name, values in rules.presets.items()},
            "phrases": self.phrases(),
            "definitions": self.named("define"),
            "sources": {name: " ".join(text.split()) for name, text in rules.sources.items()},
            "notes": [" ".join(note.split()) for note in rules.notes],
        }

    def named(self, section: str) -> dict[str, str]:
        node = self.node(section)
        return {entry.key.value: self.words.text(entry.value) for entry in node} if isinstance(node, Mapping) else {}

    # ----------------------------------------------------------------- auction

    def auction(self) -> dict[str, Any] | None:
        if self.rules.auction is None:
            return None
        form = self.text("auction", "form")
        used = set(NAME.findall(form))
        levels: dict[int, list[str]] = {}
        for bid, height in zip(self.program.bids, self.program.bid_heights, strict=True):
            levels.setdefault(height, []).append(bid)
        return {
            "form": form,
            "forms": {one.key.value: " ".join(one.about.split()) for one in self.rules.forms if one.key.value in used},
            "bids": [levels[height] for height in sorted(levels)],
            "when": self.text("auction", "when"),
            "legal": self.condition("auction", "legal"),
            "declarer": self.text("auction", "declarer"),
            "won": self.lines("auction", "won"),
            "passed_out": self.lines("auction", "passed_out"),
        }

    def contract(self, id: str) -> dict[str, Any]:
        row = next(row for row in self.program.contracts if row.id == id)
        here = ("contracts", id)
        return {
            "id": id,
            "about": self.text(*here, "about"),
            "multiplier": str(row.multiplier),
            "target": str(row.target),
            "ranking": self.text(*here, "ranking"),
            "prepare": self.lines(*here, "prepare"),
            "obligations": self.obligations(self.node(*here, "obligations")),
            "lead_obligations": self.obligations(self.node(*here, "lead_obligations")),
            "outcomes": self.outcomes(self.node(*here, "outcomes")),
            "payments": self.payments(self.node(*here, "payments")),
        }

    # -------------------------------------------------------------------- play

    def play(self) -> dict[str, Any] | None:
        if self.rules.play is None:
            return None
        return {
            "when": self.text("play", "when"),
            "leads": self.text("play", "leads"),
            "tricks": self.text("play", "tricks"),
            **{key: self.text("play", key) for key in ("opener", "next_leads", "chooses")},
            "lead_obligations": self.obligations(self.node("play", "lead_obligations")),
            "obligations": self.obligations(self.node("play", "obligations")),
            "also": self.words.offers(self.node("play", "also")),
            **{key: self.lines("play", key) for key in PLAY_STEPS},
        }

    def obligations(self, node: Node | None) -> list[dict[str, str]]:
        found = []
        for entry in node if isinstance(node, Mapping) else ():
            rung = entry.value
            part = {key: self.words.text(rung.get(key) if isinstance(rung, Mapping) else None) for key in ("when", "must", "because")}
            holds = self.words.simplified(part["when"]) if part["when"] else True
            if holds is not False:
                found.append({"id": entry.key.value, **part, "when": holds if isinstance(holds, str) else ""})
        return found

    # ------------------------------------------------------------------ scores

    def outcomes(self, node: Node | None) -> list[dict[str, str]]:
        return [{"id": entry.key.value, "when": self.words.text(entry.value)} for entry in node] if isinstance(node, Mapping) else []

    def payments(self, node: Node | None) -> list[dict[str, Any]]:
        found = []
        for entry in node if isinstance(node, Mapping) else ():
            value = entry.value
            long = isinstance(value, Mapping) and "pay" in value
            rest = value if long and isinstance(value, Mapping) else None
            when = self.words.simplified(self.words.text(rest.get("when"))) if rest is not None and "when" in rest else True
            if when is False:
                continue
            found.append({
                "id": entry.key.value,
                "for": self.words.text(rest.get("for")) if rest is not None else "",
                "when": when if isinstance(when, str) else "",
                "pay": self.words.lines(rest.get("pay") if rest is not None else value),
            })  # fmt: skip
        return found

    def score(self) -> dict[str, Any] | None:
        score = self.rules.score
        if score is None:
            return None
        return {"unit": score.unit, "by": score.by, "pots": [pot.value for pot in score.pots], "balanced": score.balanced}

    # ----------------------------------------------------------------- options

    def option(self, name: str) -> dict[str, Any]:
        option = self.program.options[name]
        return {
            "id": name,
            "kind": option.kind,
            "choices": list(option.words) or (["yes", "no"] if option.kind == "truth" else []),
            "least": None if option.least is None else str(option.least),
            "most": None if option.most is None else str(option.most),
            "default": option.default.value,
            "value": option.value,
            "about": " ".join(option.about.split()),
            "source": option.source,
        }

    def phrases(self) -> list[dict[str, Any]]:
        """The ruleset's own phrases with their steps, and those of the library that it uses, with what they do."""
        own = self.node("phrases")
        mine = {" ".join(entry.key.value.split()): entry.value for entry in own} if isinstance(own, Mapping) else {}
        written = "\n".join(self.texts(self.document))
        found = []
        for row in self.rules.phrases:
            used = all(part in written for part in re.split(r"\{\w+\}", row.pattern))
            body = mine.get(row.pattern)
            if body is not None:
                body = body.get("steps") if isinstance(body, Mapping) else None
                found.append({"phrase": row.pattern, "about": " ".join(row.about.split()), "steps": self.words.lines(body)})
            elif used:
                found.append({"phrase": row.pattern, "about": " ".join(row.about.split()), "steps": []})
        return found

    def texts(self, node: Node) -> list[str]:
        """Every text of a node, spaces made even."""
        if isinstance(node, Scalar):
            return [" ".join(node.value.split())]
        if isinstance(node, Sequence):
            return [text for item in node for text in self.texts(item)]
        return [text for entry in node for text in self.texts(entry.value)]
