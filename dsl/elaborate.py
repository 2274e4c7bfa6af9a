"""From a ruleset's tree to its core program: names declared, every section lowered to statements."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from dsl import core, tree
from dsl import types as t
from dsl.assigned import Assigned
from dsl.deck import Deck
from dsl.diagnostics import Label, Report
from dsl.expressions import Expressions
from dsl.meanings import Wrong
from dsl.names import BUILT_IN, PILES, SEATING, Names, Scope
from dsl.orders import Orders
from dsl.parse import parse
from dsl.program import ContractRow, Program
from dsl.ruleset import Ruleset, Steps, walk_steps
from dsl.sections import Sections
from dsl.source import Scalar, Span
from dsl.statements import Statements, check_phrase
from dsl.static import StaticWorld
from dsl.suggest import nearest
from dsl.walk import statements

MOST_BIDS = 126
MOST_ROWS = 60
MOST_COMPARED = 16
MOST_SEATS = 8


def elaborate(rules: Ruleset, report: Report, probes: bool = False) -> Program | None:
    """The core program of a ruleset, or None when the report holds an error; with `probes` it notes where it comes by."""
    return _Elaboration(rules, rules.deck, report, probes).program() if rules.deck is not None else None


class _Elaboration:
    """One ruleset on its way; the steps of `program` in their order."""

    def __init__(self, rules: Ruleset, deck: Deck, report: Report, probes: bool) -> None:
        self.rules = rules
        self.deck = deck
        self.report = report
        self.names = Names(rules, deck, report)
        self.world = StaticWorld(deck, rules.players)
        self.expressions = Expressions(self.names, deck, self.world, report)
        score = rules.score
        self.statements = Statements(self.names, self.expressions, bool(score and score.balanced), report, probes)

    def program(self) -> Program | None:
        self.declare()
        orders = Orders(self.rules.ranking, self.expressions, self.report)
        orders.broken = orders.broken or "ranking" in self.rules.unread
        self.world.worth = self.worth()
        self.requirements()
        contracts = self.contracts(orders)
        rankings = orders.rankings(self.chooses_trump(), self.world)
        self.definitions()
        for row in self.rules.phrases:
            check_phrase(row, self.statements)
        sections = Sections(self.rules, self.names, self.expressions, self.statements, self.report)
        body = sections.match()
        if not self.report.ok:
            return None
        Assigned(self.report, self.names.declared).run(body, frozenset())
        self.trumps_named(body, orders)
        if not self.report.ok:
            return None
        self.unread()
        return Program(
            rules=self.rules,
            deck=self.deck,
            rankings=rankings,
            players=self.rules.players + (self.rules.dummy is not None),
            persons=self.rules.players,
            sides=self.world.sides,
            side_names=tuple(key.value for key, _ in self.rules.sides),
            options=self.rules.options,
            variables=self.things(core.Variable),
            piles=self.things(core.Pile),
            accounts=self.things(core.Account),
            balanced=bool(self.rules.score and self.rules.score.balanced),
            worth=self.world.worth,
            bids=tuple(self.names.contextual.get("bid", {})),
            bid_heights=self.world.bid_heights,
            bid_numbers=self.world.bid_numbers,
            contract_of=self.world.contract_of,
            contracts=contracts,
            outcomes=tuple(self.names.contextual.get("outcome", {})),
            rungs=tuple(sections.rungs),
            winners=sections.winners,
            body=body,
            check=self.further,
        )

    def further(self, text: Scalar, report: Report) -> core.Expr | None:
        """An expression from outside the ruleset, or None after an error in the report; numbers stand for seats."""
        node = parse(text, "expr", report)
        if node is None:
            return None
        checked = self.expressions
        checked.report, checked.made, checked.seat_numbers = report, 0, True
        try:
            return checked.infer(node, Scope(in_play=True, present=frozenset({"lead"})))
        except Wrong:
            return None
        finally:
            checked.report, checked.seat_numbers = self.report, False

    def things(self, kind: type[Any]) -> tuple[Any, ...]:
        return tuple(m.thing for m in self.names.table.values() if isinstance(m.thing, kind))

    # ------------------------------------------------------------ declarations

    def declare(self) -> None:
        rules, names, span = self.rules, self.names, self.rules.span
        everything = (
            ("seats", t.SEATS, rules.players),
            ("suits", t.SUITS, len(self.deck.suits)),
            ("ranks", t.RANKS, len(self.deck.ranks)),
            ("cards", t.CARDS, len(self.deck)),
        )
        for name, type_, count in everything:
            names.declare(name, "set", core.Const(type_, span, frozenset(range(count))))
        names.declare("yes", "value", core.Const(t.TRUTH, span, True))
        names.declare("no", "value", core.Const(t.TRUTH, span, False))
        names.declare("otherwise", "value", core.Const(t.TRUTH, span, True))
        names.declare("trumps", "set", core.Prim(t.CARDS, span, "trumps", ()))
        for variable in BUILT_IN:
            names.declare(variable.name, "variable", variable)
        self.declare_players()
        for pile in PILES:
            names.declare(pile.name, "pile", pile)
        names.declare_words("suit", (suit.name for suit in self.deck.suits))
        names.declare_words("rank", self.deck.rank_number)
        names.contextual["rank"] = dict(self.deck.rank_number)
        for colour, suits in self.deck.classes.items():
            names.declare(colour, "class of suits", core.Const(t.SUITS, span, suits))
        self.declare_sides()
        self.declare_words()
        self.declare_own()

    def declare_players(self) -> None:
        """Who plays: all seats, or what a variable holds where seats may sit out or a dummy has a hand."""
        rules, names, span = self.rules, self.names, self.rules.span
        everybody: core.Value = frozenset(range(rules.players + (rules.dummy is not None)))
        dealer = core.Get(t.SEAT, span, BUILT_IN[0], None)
        if rules.dummy is None and rules.sitting is None and not (rules.play and rules.play.opens):
            names.declare("players", "set", core.Const(t.SEATS, span, everybody))
            names.declare("eldest", "seat", core.Prim(t.SEAT, span, "next", (dealer,)))
            return
        for name, type_ in SEATING.items():
            seats = type_ == t.SEATS
            start = everybody if seats else 0 if type_ == t.SEAT else None
            names.declare(name, "variable", core.Variable(name, type_, start=start))
        variable = names.table["players"].thing
        assert isinstance(variable, core.Variable)
        names.playing = core.Get(t.SEATS, span, variable, None)
        names.declare("eldest", "seat", core.Prim(t.SEAT, span, "next_playing", (names.playing, dealer)))
        if rules.dummy is not None:
            word = rules.dummy.name
            if rules.players >= MOST_SEATS:
                self.report.error("E408", f"a game has at most {MOST_SEATS} seats, a dummy's counted", word.span, "one too many")
            names.declare(word.value, "seat", core.Const(t.SEAT, word.span, rules.players), word.span)

    def declare_sides(self) -> None:
        rules, names = self.rules, self.names
        sides = tuple(frozenset(seats) for _, seats in rules.sides)
        taken = sorted(seat for side in sides for seat in side)
        hands = rules.players + (rules.dummy is not None)
        if rules.sides and taken != list(range(hands)):
            self.wrong_sides(taken)
            sides = ()
        if not sides:
            sides = tuple(frozenset((seat,)) for seat in range(hands))
        self.world.sides = sides
        self.world.side_of = tuple(next(i for i, side in enumerate(sides) if s in side) for s in range(hands))
        names.declare("sides", "set", core.Const(t.SIDES, rules.span, frozenset(range(len(sides)))))
        for number, (key, _) in enumerate(rules.sides):
            names.declare(key.value, "side", core.Const(t.SIDE, key.span, number), key.span)

    def wrong_sides(self, taken: list[int]) -> None:
        """Says which seat has no side, or two."""
        sides, players = self.rules.sides, self.rules.players + (self.rules.dummy is not None)
        for key, seats in sides:
            for seat in seats:
                if seat >= players:
                    self.report.error("E510", f"there is no seat {seat}: seats are 0 to {players - 1}", key.span)
                    return
                if taken.count(seat) > 1:
                    others = [Label(other.span, "the other one") for other, its in sides if seat in its and other is not key]
                    self.report.error("E510", f"seat {seat} belongs to two sides", key.span, others=others)
                    return
        missing = next(seat for seat in range(players) if seat not in taken)
        self.report.error("E510", f"seat {missing} belongs to no side", sides[0][0].span, f"seats are 0 to {players - 1}")

    def declare_words(self) -> None:
        rules, names = self.rules, self.names
        for option in rules.options.values():
            if option.kind == "word":
                names.declare_words(f"word {option.id}", option.words)
        bids: list[tree.Word] = []
        heights: list[int] = []
        if rules.auction is not None:
            height = 0
            for number, word in enumerate(rules.auction.bids.names):
                if number and rules.auction.bids.signs[number - 1].text == "<":
                    height += 1
                if word.text in [b.text for b in bids]:
                    self.report.error("E511", f"the bid `{word.text}` is listed twice", word.span,
                                      others=(Label(next(b.span for b in bids if b.text == word.text), "here already"),))  # fmt: skip
                bids.append(word)
                heights.append(height)
        names.declare_words("bid", (word.text for word in bids))
        self.world.bid_heights = tuple(heights)
        self.world.bid_numbers = tuple(int(word.text) if word.text.isdecimal() else 0 for word in bids)
        names.declare("bids", "set", core.Const(t.BIDS, rules.span, frozenset(range(len(bids)))))
        ids = [contract.key.value for contract in rules.contracts]
        names.declare_words("contract", ids)
        if rules.contracts and rules.auction is not None and not rules.auction.won and "bids" not in rules.unread:
            for word in bids:
                if word.text not in ids:
                    near = nearest(word.text, ids)
                    self.report.error("E512", f"there is no contract for the bid `{word.text}`", word.span, "no row under `contracts`",
                                      help=f"did you mean `{near}`?" if near else None)  # fmt: skip
        self.world.contract_of = tuple(ids.index(word.text) if word.text in ids else -1 for word in bids)
        names.declare_words("word form", (form.key.value for form in rules.forms))
        outcomes = dict.fromkeys(row.key.value for row in rules.outcomes)
        for contract in rules.contracts:
            outcomes |= dict.fromkeys(row.key.value for row in contract.outcomes or ())
        names.declare_words("outcome", outcomes)
        counts = (
            ("bids", MOST_BIDS, [word.span for word in bids]),
            ("contracts", MOST_ROWS, [row.key.span for row in rules.contracts]),
            ("outcomes", MOST_ROWS, [row.key.span for row in rules.outcomes]),
            *(("outcomes", MOST_ROWS, [row.key.span for row in contract.outcomes or ()]) for contract in rules.contracts),
        )
        for what, most, spans in counts:
            if len(spans) > most:
                self.report.error("E408", f"a ruleset has at most {most} {what}", spans[most], "one too many")

    def declare_own(self) -> None:
        rules, names = self.rules, self.names
        for option in rules.options.values():
            names.declare(option.id, "option", option, option.key.span)
        score = rules.score
        if score is not None:
            names.declare(score.unit, "account", core.Account(score.unit, score.by), score.span)
            for pot in score.pots:
                names.declare(pot.value, "pot", core.Account(pot.value, ""), pot.span)
        for key, pile in rules.piles:
            names.declare(key.value, "pile", core.Pile(key.value, pile.per_seat, pile.ordered, pile.seen), key.span)
        for key, variable in rules.variables:
            self.declare_variable(key.value, variable, key.span)
        for definition in rules.define:
            names.declare(definition.head.name.text, "definition", definition, definition.head.name.span)
        for key, cards in rules.cards:
            names.declare(key.value, "card", cards, key.span)
        if "may_bid" not in names.table and rules.auction is not None:
            names.declare("may_bid", "definition", sections_may_bid(rules))
        for name in ("multiplier", "target"):
            if name not in names.table:
                names.declare(name, "number", core.Prim(t.FRACTION, rules.span, "same_number", ()))

    def declare_variable(self, name: str, node: tree.Variable, span: Span) -> None:
        self.names.faulty.add(name)  # until it is declared
        type_ = t.BY_NAME.get(node.type.text)
        if type_ is None or type_ is t.PILE:
            near = nearest(node.type.text, t.BY_NAME)
            self.report.error("E401", f"unknown type `{node.type.text}`", node.type.span, f"the types are {', '.join(sorted(t.BY_NAME))}",
                              help=f"did you mean `{near}`?" if near else None)  # fmt: skip
            return
        if type_.kind in ("cards", "seats", "truth", "number") and node.optional:
            self.report.error("E402", f"a variable of {node.type.text} is never none", node.span)
            return
        start: core.Value = None
        if node.start is not None:
            try:
                value = self.expressions.check(node.start, Scope(), type_)
                if not isinstance(value, core.Const):
                    self.expressions.wrong("E407", "a start value must be known before play", node.start.span)
                start = value.value
            except Wrong:
                return
        seen = node.seen
        if seen == "owner" and node.per != "seat":
            self.report.error("E513", f"`{name}` has no owner: it is not kept per seat", node.span)
        self.names.faulty.discard(name)
        whole = type_.or_none if node.optional else type_
        self.names.declare(name, "variable", core.Variable(name, whole, node.per, node.match, seen, start), span)

    def requirements(self) -> None:
        """An option that only counts under another one's value may not be given without it."""
        known = {*self.names.candidates(None, None), *(word for option in self.rules.options.values() for word in option.words)}
        for option in self.rules.options.values():
            if option.requires is None:
                continue
            node = parse(option.requires, "expr", self.report, known)
            if node is None:
                continue
            try:
                held = self.expressions.check(node, Scope(), t.TRUTH)
                if not isinstance(held, core.Const):
                    self.expressions.wrong("E407", "what an option requires must be known before play", option.requires.span)
            except Wrong:
                continue
            if option.given and option.value != option.default.value and not held.value:
                self.report.error("E614", f"option `{option.id}` counts only where {option.requires.value}", option.requires.span,
                                  "this does not hold with the options given")  # fmt: skip

    # ---------------------------------------------------------------- tables

    def worth(self) -> tuple[Fraction, ...]:
        values = [Fraction(0)] * len(self.deck)
        seen: dict[int, Span] = {}
        for key, node in self.rules.worth:
            try:
                value = self.expressions.check(node, Scope(), t.FRACTION)
                if not isinstance(value, core.Const) or not isinstance(value.value, int | Fraction):
                    self.expressions.wrong("E407", "the value of a card must be known before play", node.span)
            except Wrong:
                continue
            for word in key.value.replace(",", " ").split():
                for card in self.cards_called(word, key.span):
                    if card in seen:
                        self.report.error("E219", f"the card `{self.deck.text(card)}` is given two values", key.span,
                                          others=(Label(seen[card], "the other value"),))  # fmt: skip
                        break
                    seen[card] = key.span
                    values[card] = Fraction(value.value)
        return tuple(values)

    def cards_called(self, word: str, span: Span) -> frozenset[int]:
        """The cards that one word of a `worth` key means: a rank, a card, a suit or a name of `cards`."""
        if word in self.deck.rank_number:
            return self.deck.rank_cards(self.deck.rank_number[word])
        if word in self.deck.by_text:
            return frozenset((self.deck.by_text[word],))
        if word in self.deck.suit_number:
            return self.deck.suit_cards(self.deck.suit_number[word])
        near = nearest(word, [*self.deck.rank_number, *self.deck.by_text, *self.deck.suit_number])
        self.report.error("E203", f"unknown rank or card `{word}`", span, f"not in {self.deck.called}",
                          help=f"did you mean `{near}`?" if near else None)  # fmt: skip
        return frozenset()

    def contracts(self, orders: Orders) -> tuple[ContractRow, ...]:
        rows = []
        for contract in self.rules.contracts:
            way = 0
            if contract.ranking is not None:
                if contract.ranking.value in orders.ways[1:]:
                    way = orders.ways.index(contract.ranking.value)
                else:
                    near = nearest(contract.ranking.value, orders.ways[1:])
                    self.report.error("E220", f"unknown ranking `{contract.ranking.value}`", contract.ranking.span,
                                      f"the rankings are {', '.join(orders.ways[1:]) or 'none'}",
                                      help=f"did you mean `{near}`?" if near else None)  # fmt: skip
            rows.append(ContractRow(contract.key.value, way, self.number(contract.multiplier, 1), self.number(contract.target, 0)))
        values = {"multiplier": [row.multiplier for row in rows], "target": [row.target for row in rows]}
        for name, column in values.items():
            meaning = self.names.table.get(name)
            if meaning is None or not isinstance(meaning.thing, core.Prim):
                continue
            span = self.rules.span
            contract_now = core.Get(t.CONTRACT, span, self.builtin("contract"), None)
            whole = all(value.denominator == 1 for value in column)
            type_ = t.NUMBER if whole else t.FRACTION
            expr: core.Expr = core.Const(t.NUMBER, span, 1 if name == "multiplier" else 0)
            for number in range(len(column) - 1, -1, -1):
                value = core.Const(type_, span, int(column[number]) if whole else column[number])
                this = core.Const(t.CONTRACT, span, number)
                if number == len(column) - 1:
                    expr = value
                elif not (isinstance(expr, core.Const) and expr.value == value.value):
                    expr = core.Cond(type_, span, core.Prim(t.TRUTH, span, "is", (contract_now, this)), value, expr)
            if len(column) > MOST_COMPARED:  # one look into a table instead of so many questions
                which = core.Const(t.NUMBER, span, list(values).index(name))
                expr = core.Prim(type_, span, "contract_number", (contract_now, which))
            self.names.table[name] = type(meaning)("number", expr)
        return tuple(rows)

    def builtin(self, name: str) -> core.Variable:
        return next(v for v in BUILT_IN if v.name == name)

    def number(self, node: tree.Expr | None, default: int) -> Fraction:
        if node is None:
            return Fraction(default)
        try:
            value = self.expressions.check(node, Scope(), t.FRACTION)
            if isinstance(value, core.Const) and isinstance(value.value, int | Fraction):
                return Fraction(value.value)
            self.expressions.wrong("E407", "this number must be known before play", node.span)
        except Wrong:
            return Fraction(default)

    def chooses_trump(self) -> bool:
        """Whether any step sets a trump."""
        rules = self.rules
        lists = [rules.deal, rules.opening, self.won(), *(p.steps for p in rules.phrases), *(c.prepare for c in rules.contracts)]
        used = {step.pattern for steps in lists for step in walk_steps(steps) if isinstance(step, tree.Phrase)}
        own = [steps for steps in lists if steps not in [p.steps for p in rules.phrases]]
        reached = own + [p.steps for p in rules.phrases if p.pattern in used]
        return any(isinstance(step, tree.Set) and step.target.name.text == "trump" for steps in reached for step in walk_steps(steps))

    def won(self) -> Steps:
        """What the winner of the auction does."""
        return () if self.rules.auction is None else self.rules.auction.won

    def definitions(self) -> None:
        """Checks every definition on its own, so that one nobody uses is not left unread."""
        for definition in self.rules.define:
            scope = Scope(in_play=True, present=frozenset({"lead"}))
            known = True
            for parameter in definition.head.parameters:
                type_ = t.BY_NAME.get(parameter.type.text)
                if type_ is None:
                    near = nearest(parameter.type.text, t.BY_NAME)
                    self.report.error("E401", f"unknown type `{parameter.type.text}`", parameter.type.span,
                                      f"the types are {', '.join(sorted(t.BY_NAME))}",
                                      help=f"did you mean `{near}`?" if near else None)  # fmt: skip
                    known = False
                    continue
                local = core.Local(parameter.name.text, type_)
                try:
                    self.expressions.shadow(parameter.name, scope)
                except Wrong:
                    known = False
                    continue
                scope.locals[parameter.name.text] = core.Bound(type_, parameter.span, local)
                # One that overrides takes what it is given, needed or not.
                if parameter.span.source is definition.body.span.source:
                    self.expressions.bound.look(parameter.name, definition.body)
            if not known:
                continue
            self.expressions.inlining.append(definition.head.name.text)
            try:
                self.expressions.infer(definition.body, scope)
            except Wrong:
                pass
            finally:
                self.expressions.inlining.pop()
        for key, cards in self.rules.cards:
            try:
                self.expressions.inlining.append(key.value)
                self.expressions.cards(cards)
            except Wrong:
                pass
            finally:
                self.expressions.inlining.pop()

    def trumps_named(self, body: tuple[core.Stmt, ...], orders: Orders) -> None:
        """Where trumps have an order of their own, every contract ranked that way must name a trump before play."""
        trump = self.builtin("trump")
        for way in orders.ways:
            if not orders.has_trumps(way):
                continue
            if not self.rules.contracts:
                if way == "" and not any(isinstance(s, core.Assign) and s.variable is trump for s in statements(body)):
                    self.report.error("E517", "there are trump orders, and no step sets the trump", self.rules.ranking[0][0].span)
                continue
            for contract in self.rules.contracts:
                if (contract.ranking.value if contract.ranking else "") != way:
                    continue
                before = Assigned(Report())
                before.exits = {"deal": []}
                early = [*self.rules.deal, *self.rules.opening, *self.won()]
                known = before.run(self.statements.steps((*early, *contract.prepare), Scope(in_play=True)), frozenset())
                if known is not None and trump not in known:
                    self.report.error("E517", f"the contract `{contract.key.value}` does not name a trump", contract.key.span,
                                      "ranks its cards with trumps",
                                      help="let a step of `prepare` set the trump, or give it a `ranking` without")  # fmt: skip

    def unread(self) -> None:
        self.expressions.bound.tell(self.report)
        for option in self.rules.options.values():
            if option.id not in self.names.options_read:
                self.report.warning("W702", f"nothing reads the option `{option.id}`", option.key.span, "has no effect")


def sections_may_bid(rules: Ruleset) -> Any:
    """`may_bid(bidder, bid)`: the auction's `legal`, which the forms of auction ask."""
    from dsl.ruleset import Definition

    span = rules.span
    assert rules.auction is not None
    word = tree.Word("may_bid", span)
    parameters = tuple(
        tree.Parameter(span, tree.Word(kind, span), tree.Word(name, span)) for name, kind in (("bidder", "seat"), ("bid", "bid"))
    )
    body = rules.auction.legal or tree.Name(span, tree.Word("yes", span))
    return Definition(tree.Definition(span, word, parameters), body)
