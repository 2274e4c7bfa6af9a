"""A page for every game, written from its ruleset: rules, cards as pictures, options, sources, what differs from its parent.

Beside them the family tree of all games, and which game uses which part of the language.
"""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Iterable
from html import escape
from pathlib import Path
from typing import Any

import yaml
from cards_svg import picture, shapes

ROOT = Path(__file__).resolve().parent.parent
Table = Callable[[Iterable[str], Iterable[Iterable[str]]], str]
# What a game may use of the language: the key it is seen by, and its name in the table.
FEATURES = {
    "auction": "an auction", "contracts": "contracts", "dummy": "a dummy's hand",
    "sides": "fixed sides", "worth": "values of cards", "define": "definitions",
    "phrases": "phrases of its own", "opening": "steps before the auction", "finish": "steps after the payments", "match": "a match",
    "forms": "an auction form of its own", "piles": "piles of its own", "variables": "variables", "presets": "presets",
}  # fmt: skip
STEPS = {
    "exchanges": r"\bexchanges?\b", "a talon": r"\btalon\b", "cards shown": r"^\s*- show ", "questions": r"\bask:",
    "payments to or from a pot": r"\bpots:", "announced words": r"\bannounce\b", "a trump named": r"names trump",
    "seats that sit out": r"\bsits? out\b", "cards that another seat chooses": r"^\s+chooses:",
    "a card that nobody leads": r"^\s+opens:",
    "something seen by nobody": r"seen by nobody", "something seen by its owner": r"seen by owner",
    "an obligation with an exemption": r"\bexempt\b", "answers beside the card": r"\balso:", "several rankings": r"\branking: \w+",
    "amounts per pair of seats": r"\bper pair\b",
}  # fmt: skip


def raw(id: str) -> dict[str, Any]:
    """A shipped ruleset as it stands in its file."""
    found: dict[str, Any] = yaml.safe_load((ROOT / "rulesets" / f"{id}.yaml").read_text(encoding="utf-8"))
    return found


def pages(table: Table) -> dict[str, str]:
    """The pages of all games and the page about them, below docs/."""
    from spadille.loading import ruleset_ids

    ids = ruleset_ids()
    parents = {id: raw(id).get("extends") for id in ids}
    found = {f"games/{id}.md": game_page(id, parents, table) for id in ids}
    found["games/index.md"] = overview(parents, table)
    return found


def game_page(id: str, parents: dict[str, str | None], table: Table) -> str:
    from spadille.loading import read
    from spadille.sheet import make_sheet

    loaded = read(id)
    if loaded.program is None or loaded.variant is None:
        raise ValueError(f"ruleset {id} does not check")
    sheet = make_sheet(loaded.variant, loaded.program)
    rules = loaded.program.rules
    parts = [f"# {rules.title}", f"*This page is generated from `rulesets/{id}.yaml` at every build.*", rules.summary, shapes()]
    children = [child for child, parent in parents.items() if parent == id]
    family = [f"A variant of [{parents[id]}]({parents[id]}.md)."] if parents[id] else []
    family += ["Variants of it: " + ", ".join(f"[{child}]({child}.md)" for child in children) + "."] if children else []
    facts = f"{rules.players} players, {rules.direction}, deck `{loaded.program.deck.id}`."
    parts.append(" ".join([facts, *family, f"[Its options](../reference/games.md#{id}) are on one page with those of the others."]))
    parts.append("## Cards from high to low\n\n" + "\n\n".join(orders(sheet, loaded.program.deck)))
    parts.append(f"## Rules\n\n```text\n{sheet_text(sheet)}\n```")
    options = []
    for row in sheet["options"]:
        values = ", ".join(f"`{choice}`" for choice in row["choices"]) or row["kind"]
        options.append((f"`{row['id']}`", f"`{row['default']}`", values, row["about"], row["source"] or ""))
    if options:
        parts.append("## Options\n\n" + table(("option", "default", "values", "decides", "source"), options))
    if parents[id]:
        parts.append(f"## What differs from {parents[id]}\n\n" + table(("place", "here"), differences(raw(id))))
    parts.append("## Sources\n\n" + "\n".join(f"- *{name}*: {text}" for name, text in sheet["sources"].items()))
    if sheet["notes"]:
        parts.append("## Notes\n\n" + "\n".join(f"- {note}" for note in sheet["notes"]))
    return "\n\n".join(parts) + "\n"


def sheet_text(sheet: dict[str, Any]) -> str:
    """The rule sheet as `spadille show` prints it, without its options, which have a table of their own."""
    from rich.console import Console

    from spadille.sheet.render import draw

    out = io.StringIO()
    draw({**sheet, "options": [], "sources": {}, "notes": []}, Console(file=out, width=110, no_color=True, force_terminal=False))
    return "\n".join(line.rstrip() for line in out.getvalue().splitlines()).strip().replace("```", "'''")


def orders(sheet: dict[str, Any], deck: Any) -> list[str]:
    """Each ranking as rows of pictures."""
    pictures = {}
    for card, text in enumerate(deck.text(number) for number in range(len(deck))):
        suit, rank = deck.cards[card]
        pictures[text] = picture(deck.ranks[rank].symbol, deck.suits[suit].name, deck.suits[suit].letter)
    found = []
    for row in sheet["rankings"]:
        title = f"{row['trump']} are trumps" if row["trump"] else "without trumps"
        title = f"{row['way'].replace('_', ' ')}: {title}" if row["way"] else title
        lines = ""
        for suit, cards in row["orders"].items():
            if cards:
                lines += f"<tr><th>{escape(suit)}</th><td>{''.join(pictures[card] for card in cards)}</td></tr>"
        opened = "" if found else " open"
        found.append(f"<details{opened}><summary>{escape(title)}</summary><table>{lines}</table></details>")
    return found


def differences(own: dict[str, Any]) -> list[tuple[str, str]]:
    """What a variant writes: overrides by their path, and what it adds, section by section."""

    def shown(value: Any) -> str:
        text = value if isinstance(value, str) else yaml.safe_dump(value, default_flow_style=True, allow_unicode=True, width=10_000).strip()
        text = " ".join(text.removesuffix("...").split())
        return "taken away" if value is None else f"`{text[:200].replace('`', '')}{'…' if len(text) > 200 else ''}`"

    rows = [(f"`{path}` changed", shown(value)) for path, value in (own.get("override") or {}).items()]
    for section, value in own.items():
        if section in ("ruleset", "language", "extends", "title", "summary", "status", "override", "sources", "notes"):
            continue
        for key, inner in value.items() if isinstance(value, dict) else [("", value)]:
            rows.append((f"`{section}{f'.{key}' if key else ''}` added", shown(inner)))
    return rows


# ---------------------------------------------------------------- all together


def overview(parents: dict[str, str | None], table: Table) -> str:
    texts = {id: (ROOT / "rulesets" / f"{id}.yaml").read_text(encoding="utf-8") for id in parents}
    rows = []
    for feature, uses in [
        *((name, [id for id in parents if key in raw(id)]) for key, name in FEATURES.items()),
        *((name, [id for id, text in texts.items() if re.search(sign, text, re.MULTILINE)]) for name, sign in STEPS.items()),
    ]:
        if uses:
            rows.append((feature, ", ".join(f"[{id}]({id}.md)" for id in uses)))
    parts = [
        "# Games",
        "*This page is generated from `rulesets/` at every build.*",
        "Every game that comes with Spadille. A game below another extends it and says only what differs.",
        tree(parents),
        "## Who uses what",
        "What a file writes itself; what it inherits stands with its parent.",
        table(("of the language", "games"), rows),
    ]
    return "\n\n".join(parts) + "\n"


def tree(parents: dict[str, str | None]) -> str:
    """The family tree as a picture, each name a link to its page."""
    rows: list[tuple[int, str, int]] = []  # depth, id, the row of its parent

    def add(id: str, depth: int, above: int) -> None:
        rows.append((depth, id, above))
        here = len(rows) - 1
        for child in sorted(one for one, parent in parents.items() if parent == id):
            add(child, depth + 1, here)

    for root in sorted(id for id, parent in parents.items() if parent is None):
        add(root, 0, -1)
    step, indent = 26, 180
    drawn = []
    for number, (depth, id, above) in enumerate(rows):
        x, y = 8 + depth * indent, number * step + 18
        if above >= 0:
            left = 8 + rows[above][0] * indent + 12
            drawn.append(f'<path d="M{left} {above * step + 24}V{y - 4}H{x - 4}" fill="none" stroke="currentColor" opacity=".5"/>')
        drawn.append(f'<a href="{id}/"><text x="{x}" y="{y}" fill="currentColor" font-size="15">{escape(id)}</text></a>')
    width = 8 + (max((depth for depth, _, _ in rows), default=0) + 1) * indent + 40
    box = f'viewBox="0 0 {width} {len(rows) * step + 10}" width="{width}"'
    return f'<svg {box} role="img" aria-label="family tree">{"".join(drawn)}</svg>'
