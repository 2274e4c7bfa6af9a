"""A rule sheet drawn for a terminal or a file: headings, paragraphs, tables."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

WIDEST = 110
BEFORE_CARDS = {
    "when": "played if",
    "leads": "first lead",
    "tricks": "tricks",
    "before": "before the first trick",
    "next_leads": "next lead",
    "opens": "before each trick",
    "opener": "the card put down then is that of",
    "turn": "at each turn",
    "chooses": "the card is chosen by",
}
AFTER_CARDS = {
    "also": "instead of a card",
    "played": "after each card",
    "trick": "after each trick",
    "after": "after the last trick",
}


class Sheet:
    """Draws the data of `make_sheet` on a console."""

    def __init__(self, console: Console, data: dict[str, Any]) -> None:
        self.console = console
        self.data = data

    def draw(self) -> None:
        parts = (self.head, self.deck, self.ranks, self.worth, self.deal, self.auction, self.contracts, self.play)
        for part in (*parts, self.scoring, self.match, self.options, self.glossary, self.sources):
            part()

    # ------------------------------------------------------------------- parts

    def head(self) -> None:
        data = self.data
        self.console.print(Text(data["title"], style="bold underline"))
        self.text(data["summary"])
        dummy = data["dummy"]
        facts = [f"{data['players']} players" + (f" and {dummy['name']}, a hand after {dummy['after']}" if dummy else "")]
        facts += [data["direction"], f"ruleset {data['id']}"]
        facts += [f"from {', '.join(data['parents'])}"] if data["parents"] else []
        facts += [data["status"]] if data["status"] != "complete" else []
        self.text(" · ".join(facts), style="dim")
        for side, seats in data["sides"].items():
            self.text(f"side {side}: seats {' and '.join(map(str, seats))}")

    def deck(self) -> None:
        deck = self.data["deck"]
        self.heading(f"Deck: {deck['id']}, {deck['cards']} cards")
        tongues = list(dict.fromkeys(tongue for part in deck["suits"] + deck["ranks"] for tongue in part["names"]))
        signs = [[suit["name"], suit["letter"], suit["symbol"]] for suit in deck["suits"]]
        words = [[suit["names"].get(tongue, "") for tongue in tongues] for suit in deck["suits"]]
        self.table(["suit", "letter", "", *tongues], [sign + word for sign, word in zip(signs, words, strict=True)])
        named = [rank for rank in deck["ranks"] if rank["names"]]
        self.table(
            ["rank", "also", *tongues],
            [[rank["sign"], " ".join(rank["also"]), *(rank["names"].get(tongue, "") for tongue in tongues)] for rank in named],
        )
        rest = [rank["sign"] for rank in deck["ranks"] if not rank["names"]]
        if rest:
            self.text(f"and {' '.join(rest)}. A card is written rank, then letter: {deck['ranks'][0]['sign']}{deck['suits'][0]['letter']}.")
        if self.data["cards"]:
            self.table(["called", "is"], [[name, text] for name, text in self.data["cards"].items()])

    def ranks(self) -> None:
        for way in dict.fromkeys(row["way"] for row in self.data["rankings"]):
            rows = [row for row in self.data["rankings"] if row["way"] == way]
            self.heading("Ranks, from high to low" + (f": {way}" if way else ""))
            trumps = [row for row in rows if row["trump"]]
            if not trumps:
                self.table(["suit", "high to low"], [[suit, " ".join(cards)] for suit, cards in rows[0]["orders"].items()])
                continue
            body = []
            for suit in rows[0]["orders"]:
                as_trumps = next((" ".join(row["orders"][suit]) for row in trumps if row["trump"] == suit), "")
                plain: dict[str, list[str]] = {}
                for row in rows:
                    if row["trump"] != suit:
                        plain.setdefault(" ".join(row["orders"][suit]), []).append(row["trump"] or "none")
                others = list(plain) if len(plain) == 1 else [f"{cards} (trumps {', '.join(under)})" for cards, under in plain.items()]
                body.append([suit, as_trumps, "\n".join(others)])
            self.table(["suit", "as trumps", "beside other trumps"], body)

    def worth(self) -> None:
        if self.data["worth"]:
            self.heading("Card values")
            self.table(["cards", "each"], [[" ".join(row["cards"]), row["worth"]] for row in self.data["worth"]])

    def deal(self) -> None:
        self.heading("Deal")
        self.lines(self.data["deal"])
        if self.data["opening"]:
            self.heading("Before the play")
            self.lines(self.data["opening"])

    def auction(self) -> None:
        auction = self.data["auction"]
        if auction is None:
            return
        self.heading("Auction")
        self.pair("bids", " < ".join(" = ".join(level) for level in auction["bids"]))
        for form, about in auction["forms"].items():
            self.pair("form", f"{form}. {about}")
        for key, title in (("when", "held if"), ("legal", "a bid is allowed if"), ("declarer", "the winner is called")):
            self.pair(title, auction[key])
        self.pair("the winner then", auction["won"])
        self.pair("if all pass", auction["passed_out"])

    def contracts(self) -> None:
        if self.data["contracts"]:
            self.heading("Contracts")
        for row in self.data["contracts"]:
            numbers = [f"{name} {row[name]}" for name, usual in (("multiplier", "1"), ("target", "0")) if row[name] != usual]
            numbers += [f"ranking {row['ranking']}"] if row["ranking"] else []
            self.text(Text.assemble((row["id"], "bold"), f"  {row['about']}", (f"  [{', '.join(numbers)}]" if numbers else "", "dim")))
            self.lines(row["prepare"], 4)
            self.obligations("to the lead", row["lead_obligations"])
            self.obligations("to a trick", row["obligations"])
            self.outcome_rows(row["outcomes"])
            self.payment_rows(row["payments"])

    def play(self) -> None:
        play = self.data["play"]
        if play is None:
            return
        self.heading("Play")
        for key, title in BEFORE_CARDS.items():
            self.pair(title, play[key])
        self.obligations("leading: the first row that gives a card", play["lead_obligations"])
        self.obligations("following: the first row that gives a card", play["obligations"])
        for key, title in AFTER_CARDS.items():
            self.pair(title, play[key])

    def scoring(self) -> None:
        if self.data["outcomes"]:
            self.heading("Outcomes: the first that holds")
            self.outcome_rows(self.data["outcomes"])
        score = self.data["score"]
        if score is not None or self.data["payments"]:
            self.heading("Payments: all that apply, in this order")
        if score is not None:
            pots = f", pots: {', '.join(score['pots'])}" if score["pots"] else ""
            self.text(f"{score['unit']} by {score['by']}{pots}" + (", what one pays another gets" if score["balanced"] else ""))
        self.payment_rows(self.data["payments"])
        self.pair("at the end of the deal", self.data["finish"])

    def match(self) -> None:
        match = self.data["match"]
        if any(match.values()):
            self.heading("Match")
        titles = {"start": "at the start", "dealer": "next dealer", "ends": "ends if", "winners": "won by", "finish": "at the end"}
        for key, title in titles.items():
            self.pair(title, match[key])

    def options(self) -> None:
        if not self.data["options"]:
            return
        self.heading("Options (* the default; set one with --set option=value)")
        table = self.new_table(["option", "values", "about", "source"])
        for row in self.data["options"]:
            values = Text()
            for word in row["choices"] or [f"{row['least'] or ''} to {row['most'] or ''}".strip(), row["default"]]:
                chosen, default = word == row["value"], word == row["default"]
                mark = "*" if default else " ←" if chosen else ""
                values.append(("\n" if values else "") + word + mark, "bold" if chosen else "")
            if not row["choices"] and row["value"] != row["default"]:
                values.append(f"\n{row['value']} ←", "bold")
            table.add_row(Text(row["id"]), values, Text(row["about"]), Text(row["source"]))
        self.console.print(table)
        for name, values_set in self.data["presets"].items():
            self.pair(f"preset {name}", ", ".join(f"{option}={value}" for option, value in values_set.items()))

    def glossary(self) -> None:
        if self.data["phrases"] or self.data["definitions"]:
            self.heading("Words")
        for row in self.data["phrases"]:
            self.text(Text.assemble((row["phrase"], "bold"), f"  {row['about']}"))
            self.lines(row["steps"], 4)
        for name, text in self.data["definitions"].items():
            self.text(Text.assemble((name, "bold"), f"  {text}"))

    def sources(self) -> None:
        if self.data["sources"]:
            self.heading("Sources")
            for name, text in self.data["sources"].items():
                self.pair(name, text)
        if self.data["notes"]:
            self.heading("Notes")
            for note in self.data["notes"]:
                self.text(note)

    # ------------------------------------------------------------------- pieces

    def heading(self, title: str) -> None:
        self.console.print()
        self.console.print(Text(title, style="bold"))

    def text(self, text: str | Text, indent: int = 2, style: str = "") -> None:
        # The first line hangs out, so that entries stand apart.
        body = Text(text, style=style) if isinstance(text, str) else text
        lines = body.wrap(self.console, max(20, self.console.width - indent - 2))
        for number, line in enumerate(lines):
            self.console.print(Padding(line, (0, 0, 0, indent + (2 if number else 0)), expand=False))

    def lines(self, lines: Iterable[str], indent: int = 2) -> None:
        for line in lines:
            bare = line.lstrip()
            self.text(bare, indent + len(line) - len(bare))

    def pair(self, title: str, value: str | list[str]) -> None:
        """A fact with its title; nothing if there is none."""
        if not value:
            return
        if isinstance(value, str) or len(value) == 1:
            self.text(Text.assemble((f"{title}: ", "italic"), value if isinstance(value, str) else value[0]))
            return
        self.text(Text(f"{title}:", style="italic"))
        self.lines(value, 4)

    def obligations(self, title: str, rows: list[dict[str, str]]) -> None:
        if rows:
            self.text(Text(f"{title}:", style="italic"))
            cells = [[row["id"], row["when"] or "always", row["must"], row["because"]] for row in rows]
            self.table(["", "if", "must play one of", "because"], cells)

    def outcome_rows(self, rows: list[dict[str, str]]) -> None:
        if rows:
            self.table(["outcome", "if"], [[row["id"], row["when"]] for row in rows])

    def payment_rows(self, rows: list[dict[str, Any]]) -> None:
        for row in rows:
            conditions = ", ".join(f"{word} {row[key]}" for key, word in (("for", "for each"), ("when", "if")) if row[key])
            self.pair(row["id"] + (f" ({conditions})" if conditions else ""), row["pay"])

    def table(self, titles: list[str], rows: list[list[str]]) -> None:
        if not rows:
            return
        table = self.new_table(titles)
        for row in rows:
            table.add_row(*(Text(cell) for cell in row))
        self.console.print(table)

    @staticmethod
    def new_table(titles: list[str]) -> Table:
        from rich.box import SIMPLE_HEAD

        table = Table(box=SIMPLE_HEAD, pad_edge=True, show_edge=False, header_style="dim", padding=(0, 1))
        for title in titles:
            table.add_column(title, overflow="fold")
        return table


def draw(data: dict[str, Any], console: Console | None = None) -> None:
    """Draws a sheet on standard output: as wide as the terminal, 110 columns at most and in a file."""
    wide = Console(highlight=False)
    console = console or Console(highlight=False, width=min(wide.width, WIDEST) if wide.is_terminal else WIDEST)
    Sheet(console, data).draw()
