"""Card orders to facts: under every trump each card has exactly one place, or the author is told which has not."""

from __future__ import annotations

import re
from dataclasses import dataclass

from dsl import core, tree
from dsl import types as t
from dsl.diagnostics import Label, Report
from dsl.evaluate import evaluate
from dsl.expressions import Expressions
from dsl.facts import Ranked, Rankings
from dsl.meanings import Wrong
from dsl.names import Scope
from dsl.source import Scalar, Span
from dsl.static import StaticWorld
from dsl.suggest import nearest, same_letters
from dsl.walk import parts

ROLES = ("plain", "trump", "trumps")  # `trumps`: those that are no suit, in one order of cards
MOST_WAYS = 12
MOST_EFFORT = 20_000
Rows = tuple[tuple[Scalar, tree.Order], ...]


@dataclass(frozen=True, slots=True)
class _Item:
    """A rank, or a card that may depend on the trump, in an order."""

    span: Span
    rank: int | None
    card: core.Expr | None


@dataclass(frozen=True, slots=True)
class _Row:
    key: Scalar
    way: str
    role: str
    suits: frozenset[int]
    items: tuple[_Item, ...]
    breadth: int


def effort(expr: core.Expr, cards: int) -> int:
    """About how many steps it takes to evaluate an expression."""
    many = cards if isinstance(expr, core.Quant) else 1
    return 1 + many * sum(effort(part, cards) for part in parts(expr))


class Orders:
    """Reads the `ranking` section."""

    def __init__(self, rows: Rows, expressions: Expressions, report: Report) -> None:
        self.expressions = expressions
        self.deck = expressions.deck
        self.report = report
        ways = [""]
        self.written = [words for _, order in rows for words in written(order)]
        self.rows: list[_Row] = []
        self.broken = False  # an order with an error of its own says nothing of places that are missing
        for key, order in rows:
            row = self.row(key, order)
            if len(ways) > MOST_WAYS:
                report.error("E408", f"a ruleset has at most {MOST_WAYS} rankings with names", key.span, "one too many")
                break
            if row is None:
                self.broken = True
            else:
                self.rows.append(row)
                if row.way not in ways:
                    ways.append(row.way)
        self.ways = tuple(ways)
        for way in self.ways:
            self.one_kind_of_trumps(way)

    def row(self, key: Scalar, order: tree.Order) -> _Row | None:
        """One order: its key says way, role and suits."""
        words = key.value.split()
        everywhere = frozenset(range(len(self.deck.suits)))
        suits, breadth = everywhere, 2
        if words and words[-1] in self.deck.suit_number:
            suits, breadth = frozenset((self.deck.suit_number[words.pop()],)), 0
        elif words and words[-1] in self.deck.classes:
            suits, breadth = self.deck.classes[words.pop()], 1
        role = words.pop() if words and words[-1] in ROLES else ""
        if role == "trumps" and len(suits) < len(everywhere):
            self.report.error("E222", "trumps that are no suit stand in one order, for all suits", key.span,
                              help=f"write `{' '.join([*words, 'trumps'])}`, or `trump` for a suit that is named")  # fmt: skip
            return None
        if len(words) > 1 or (words and role == "" and nearest(words[0], [*ROLES]) == words[0]):
            classes = [*self.deck.classes, *self.deck.suit_number]
            near = nearest(words[-1], [*classes, *ROLES])
            self.report.error("E216", f"`{words[-1]}` is neither a suit nor a class of suits", key.span,
                              f"the suits are {', '.join(classes)}", help=f"did you mean `{near}`?" if near else None)  # fmt: skip
            return None
        try:
            items = tuple(self.items(order, key.value, frozenset()))
            if role == "trumps":
                self.only_cards(items)
        except Wrong:
            return None
        return _Row(key, words[0] if words else "", role or "plain", suits, items, breadth)

    def items(self, order: tree.Order, title: str, around: frozenset[str], other_way: tree.Order | None = None) -> list[_Item]:
        """The items of an order; `around` are the words of what it is a part of, `other_way` is the part that may stand instead."""
        found: list[_Item] = []
        for item in order.items:
            if isinstance(item, tree.OrderedIf):
                condition = self.expressions.check(item.when, Scope(), t.TRUTH)
                beside = around | words_of(order, but=item)
                then, other = self.items(item.then, title, beside, item.other), self.items(item.other, title, beside, item.then)
                if not isinstance(condition, core.Const):
                    self.expressions.wrong("E407", "which order holds must be known before play", item.when.span)
                found += then if condition.value else other
                continue
            word = item.word.text
            meaning = self.expressions.names.table.get(word)
            if meaning is not None and isinstance(meaning.thing, tree.Cards):
                card = self.expressions.infer(tree.Name(item.span, item.word), Scope())
                if card.type.kind != "card":
                    self.expressions.wrong("E402", f"one card is due, and `{word}` is several", item.span)
                if effort(card, len(self.deck)) > MOST_EFFORT:
                    self.expressions.wrong("E408", f"it takes too long to find out which card `{word}` is", item.span,
                                           help="use fewer quantifiers inside one another")  # fmt: skip
                found.append(_Item(item.span, None, card))
            elif word in self.deck.rank_number:
                found.append(_Item(item.span, self.deck.rank_number[word], None))
            elif word in self.deck.by_text:
                found.append(_Item(item.span, None, core.Const(t.CARD, item.span, self.deck.by_text[word])))
            else:
                ranks = " ".join(rank.symbol for rank in self.deck.ranks)
                cards = [n for n, m in self.expressions.names.table.items() if isinstance(m.thing, tree.Cards)]
                near = self.absent(item, order, around, other_way)
                listed = (other.word.text for other in order.items if isinstance(other, tree.Ranked))
                if any(one in self.deck.by_text for one in listed) and not (near and same_letters(word, near)):
                    near = self.absent_card(word, order) or near
                if near is None or (len(word) > 1 and nearest(word, [near]) is None):
                    near = nearest(word, [*cards, *self.deck.rank_number]) or near
                self.expressions.wrong("E203", f"unknown rank `{word}` in the order `{title}`", item.span,
                                       f"not a rank of {self.deck.called} ({ranks})",
                                       help=f"did you mean `{near}`?" if near else None)  # fmt: skip
        return found

    def only_cards(self, items: tuple[_Item, ...]) -> None:
        """Trumps that are no suit have no ranks, which would be a card in every suit."""
        for item in items:
            if item.rank is not None:
                cards = " ".join(self.deck.text(card) for card in sorted(self.deck.rank_cards(item.rank)))
                self.expressions.wrong("E222", f"a card is due, and `{item.span.text}` is one in every suit", item.span,
                                       "trumps that are no suit are listed card by card",
                                       help=f"the cards of rank `{item.span.text}` are {cards}")  # fmt: skip

    def one_kind_of_trumps(self, way: str) -> None:
        """Under a way of ranking trumps are the suit that is named, or cards that are no suit."""
        rows = {row.role: row for row in self.rows if row.way == way}
        if "trump" in rows and "trumps" in rows:
            self.broken = True
            self.report.error("E222", "trumps are either a suit that is named or no suit, and here they are both", rows["trumps"].key.span,
                              others=(Label(rows["trump"].key.span, "the order of a trump suit"),),
                              help="give one of them another name, and let a contract choose it with `ranking`")  # fmt: skip

    def absent(self, item: tree.Ranked, order: tree.Order, around: frozenset[str], other_way: tree.Order | None) -> str | None:
        """The rank that the word of an item probably stands for: one that the order lacks, by its neighbours or as the only one."""
        words = around | words_of(order)
        lacking = self.lacking(words | self.inside(words))
        if other_way is not None:
            lacking = [word for word in lacking if word in words_of(other_way)] or lacking
        near = nearest(item.word.text, lacking)
        if near is not None or len(lacking) == 1:
            return near or lacking[0]
        place = order.items.index(item)
        beside = [order.items[at] for at in (place - 1, place + 1) if 0 <= at < len(order.items)]
        for neighbour in beside:
            word = neighbour.word.text if isinstance(neighbour, tree.Ranked) else ""
            step = 1 if neighbour is beside[0] and place > 0 else -1
            for row in self.written:
                for at, other in enumerate(row):
                    if other == word and 0 <= at + step < len(row) and row[at + step] in lacking:
                        return row[at + step]
        return None

    def absent_card(self, word: str, order: tree.Order) -> str | None:
        """The card that a word of an order of cards stands for: one that the order lacks, of a rank of its other cards if it can be."""
        listed = [self.deck.by_text[other] for other in words_of(order) if other in self.deck.by_text]
        ranks = {self.deck.cards[card][1] for card in listed}
        likely = sorted((self.deck.cards[card][1] not in ranks, card) for card in range(len(self.deck)) if card not in listed)
        return nearest(word, [self.deck.text(card) for _, card in likely])

    def lacking(self, words: frozenset[str]) -> list[str]:
        """The ranks of the deck that are not among some words."""
        numbers = self.deck.rank_number
        listed = {numbers[word] for word in words if word in numbers}
        listed |= {self.deck.cards[self.deck.by_text[word]][1] for word in words if word in self.deck.by_text}
        return [rank.symbol for number, rank in enumerate(self.deck.ranks) if number not in listed]

    def inside(self, words: frozenset[str]) -> frozenset[str]:
        """What the names of cards among some words are made of."""
        table = self.expressions.names.table
        named = [table[word].thing for word in words if word in table]
        return frozenset(word for thing in named if isinstance(thing, tree.Cards) for word in re.findall(r"\w+", thing.span.text))

    # ------------------------------------------------------------------ facts

    def has_trumps(self, way: str) -> bool:
        """Whether a way of ranking has an order for the suit named as trump."""
        return any(row.way == way and row.role == "trump" for row in self.rows)

    def rankings(self, trumps_chosen: bool, world: StaticWorld) -> Rankings:
        """Facts for every way and trump; a way with trump orders, or any once a trump is chosen, must be whole."""
        suits = len(self.deck.suits)
        ranked: list[Ranked | None] = []
        for way in self.ways:
            rows = [row for row in self.rows if row.way == way]
            no_suit = any(row.role == "trumps" for row in rows)
            needed = [-1] if no_suit or not (self.has_trumps(way) or (trumps_chosen and not way)) else list(range(suits))
            told = self.broken
            for trump in range(-1, suits):
                told = self.one(way, rows, trump, world, ranked, trump in needed and not told) or told
        return Rankings(self.deck, self.ways, tuple(ranked))

    def one(self, way: str, rows: list[_Row], trump: int, world: StaticWorld, ranked: list[Ranked | None], needed: bool) -> bool:
        """Facts for one suit named as trump; returns whether an error was reported."""
        cards, suits = len(self.deck), len(self.deck.suits)
        suit_of, place = [-1] * cards, [-1] * cards
        where: dict[int, Span] = {}
        of_no_suit = next((row for row in rows if row.role == "trumps"), None)
        highest = trump if of_no_suit is None else suits
        probe = Ranked(highest, tuple(suit_of), tuple(place), trump)
        errors = 0
        for suit in ([highest] if highest >= 0 else []) + [s for s in range(suits) if s != highest]:
            row = of_no_suit if suit == suits else self.best(rows, "trump" if suit == highest else "plain", suit)
            if row is None:
                continue
            world.ranking = probe
            for position, item in enumerate(row.items):
                card = self.card(item, suit, world)
                if card is None:
                    continue
                if card in where:
                    if needed and errors == 0:
                        self.two_places(card, trump, item.span, where[card])
                    errors += 1
                    continue
                suit_of[card], place[card], where[card] = suit, position, item.span
        world.ranking = None
        missing = [c for c in range(cards) if suit_of[c] < 0]
        if missing and needed and errors == 0:
            self.no_place(missing, way, rows, trump)
            errors += 1
        ranked.append(None if missing or errors else Ranked(highest, tuple(suit_of), tuple(place), trump))
        return errors > 0 and needed

    def best(self, rows: list[_Row], role: str, suit: int) -> _Row | None:
        """The most particular order for a suit; a trump suit without one of its own keeps its plain order."""
        fitting = [row for row in rows if row.role == role and suit in row.suits]
        if not fitting and role == "trump":
            fitting = [row for row in rows if row.role == "plain" and suit in row.suits]
        return min(fitting, key=lambda row: row.breadth, default=None)

    def card(self, item: _Item, suit: int, world: StaticWorld) -> int | None:
        if item.rank is not None:
            return self.deck.index.get((suit, item.rank))
        assert item.card is not None
        try:
            card = evaluate(item.card, world)
        except LookupError:
            return None
        return card if isinstance(card, int) else None

    def under(self, trump: int) -> str:
        return f"under trump `{self.deck.suits[trump].name}` " if trump >= 0 else ""

    def two_places(self, card: int, trump: int, span: Span, other: Span) -> None:
        text = self.deck.text(card)
        self.report.error("E217", f"{self.under(trump)}the card `{text}` has two places", span, f"`{text}` again",
                          others=(Label(other, f"`{text}` is placed here already"),))  # fmt: skip

    def no_place(self, missing: list[int], way: str, rows: list[_Row], trump: int) -> None:
        suit = self.deck.cards[missing[0]][0]
        role = "trump" if suit == trump else "plain"
        row = self.best(rows, role, suit)
        texts = "the card" + "s" * (len(missing) > 1) + " "
        texts += ", ".join(f"`{self.deck.text(c)}`" for c in missing[:4]) + (", …" if len(missing) > 4 else "")
        has = "has" if len(missing) == 1 else "have"
        if row is None:
            spans = [r.key.span for r in rows]
            if spans:
                self.report.error("E218", f"{self.under(trump)}{texts} {has} no place: no order is given for {self.deck.suits[suit].name}",
                                  spans[0], f"add an order `{role}` for it")  # fmt: skip
            return
        due = len(self.deck.suit_cards(suit))
        self.report.error("E218", f"{self.under(trump)}{texts} {has} no place", row.key.span,
                          f"{len(row.items)} are listed, and {self.deck.suits[suit].name} has {due} cards",
                          help="every card must stand once in the order of its suit or of trumps")  # fmt: skip


def written(order: tree.Order) -> list[tuple[str, ...]]:
    """The words of an order in their rows: its own, and those of each way of its conditions."""
    found = [tuple(item.word.text for item in order.items if isinstance(item, tree.Ranked))]
    for item in order.items:
        if isinstance(item, tree.OrderedIf):
            found += written(item.then) + written(item.other)
    return found


def words_of(order: tree.Order, but: tree.OrderedIf | None = None) -> frozenset[str]:
    """All words of an order, in both ways of its conditions; without those of one of them."""
    found: set[str] = set()
    for item in order.items:
        if isinstance(item, tree.Ranked):
            found.add(item.word.text)
        elif item is not but:
            found |= words_of(item.then) | words_of(item.other)
    return frozenset(found)
