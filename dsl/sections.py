"""The sections of a ruleset as statements of the core: one deal from the shuffle to the payments, and the match."""

from __future__ import annotations

from collections.abc import Callable

from dsl import core, tree
from dsl import types as t
from dsl.dealing import check_deal
from dsl.diagnostics import Label, Report
from dsl.expressions import Expressions
from dsl.meanings import Wrong
from dsl.names import Names, Scope
from dsl.presence import false_facts, true_facts
from dsl.ruleset import Contract, Named, Payment, Ruleset, Rung, Steps
from dsl.source import Span
from dsl.statements import Statements, Stmts, never
from dsl.suggest import nearest

MOST_DEALS = 10_000
MOST_REDEALS = 1_000
MOST_SAYINGS = 16


class Sections:
    """Lowers sections; `rungs` collects the obligations in the order of their numbers."""

    def __init__(self, rules: Ruleset, names: Names, expressions: Expressions, statements: Statements, report: Report) -> None:
        self.rules = rules
        self.names = names
        self.expressions = expressions
        self.statements = statements
        self.report = report
        self.span = rules.span
        self.rungs: list[core.Rung] = []
        self.winners: core.Expr | None = None

    # ------------------------------------------------------------- small words

    def variable(self, name: str) -> core.Variable:
        thing = self.names.table[name].thing
        assert isinstance(thing, core.Variable)
        return thing

    def pile(self, name: str) -> core.Pile:
        thing = self.names.table[name].thing
        assert isinstance(thing, core.Pile)
        return thing

    def get(self, name: str, index: core.Expr | None = None) -> core.Expr:
        variable = self.variable(name)
        return core.Get(variable.type.present, self.span, variable, index)

    def number(self, value: int) -> core.Const:
        return core.Const(t.NUMBER, self.span, value)

    def set(self, name: str, value: core.Expr, index: core.Expr | None = None) -> core.Stmt:
        return core.Assign(self.span, self.variable(name), index, value)

    def prim(self, name: str, result: t.Type, *args: core.Expr) -> core.Expr:
        return self.expressions.prim(name, args, result, self.span)

    def plus_one(self, name: str, index: core.Expr | None = None) -> core.Stmt:
        return self.set(name, self.prim("+", t.NUMBER, self.get(name, index), self.number(1)), index)

    def steps(self, steps: Steps, scope: Scope | None = None) -> Stmts:
        return self.statements.steps(steps, scope or Scope())

    def expr(self, node: tree.Expr, want: t.Type, scope: Scope | None = None) -> core.Expr | None:
        try:
            return self.expressions.check(node, scope or Scope(), want)
        except Wrong:
            return None

    def when(self, node: tree.Expr | None, then: Callable[[Scope], Stmts], scope: Scope) -> Stmts:
        """Statements under a condition, or without one."""
        if node is None:
            return then(scope)
        condition = self.expr(node, t.TRUTH, scope)
        body = then(scope.knowing(true_facts(node)))
        if condition is None:
            return body
        probe = self.statements.probe
        body, other = (*probe(node.span, "holds", condition), *body), probe(node.span, "fails", condition)
        if isinstance(condition, core.Const):
            return body if condition.value else other
        return (core.If(node.span, condition, body, other),)

    # ------------------------------------------------------------------- match

    def match(self) -> Stmts:
        match = self.rules.match
        # A match section is not needed for a single deal; then a match is one deal.
        ends = core.Const(t.TRUTH, self.span, True) if match.ends is None else self.expr(match.ends, t.TRUTH)
        seat = self.get("dealer")
        dealer = self.prim("next", t.SEAT, seat) if match.dealer is None else self.expr(match.dealer, t.SEAT)
        if match.winners is not None:
            self.winners = self.expr(match.winners, t.SEATS)
            if self.winners is None:
                self.names.faulty.add("winners")
            elif "winners" not in self.names.table:
                self.names.declare("winners", "seats", self.winners)
        start, deal = self.steps(match.start), self.deal()
        finish = self.steps(match.finish)
        if ends is None or dealer is None:
            return ()
        after = (core.Stop(self.span, "deal"), core.If(self.span, ends, (core.Jump(self.span, "loop"),), ()), self.set("dealer", dealer))
        deals = core.While(
            self.span, self.number(MOST_DEALS), None, (self.plus_one("deal_number"), self.set("redeals", self.number(0)), *deal, *after)
        )
        drawn = core.Prim(t.SEAT, self.span, "random_seat", ())
        unknown = core.Prim(t.TRUTH, self.span, "exists", (seat,))
        first = core.If(self.span, unknown, (), (self.set("dealer", drawn),))
        return (first, *start, deals, *finish, core.Stop(self.span, "match"))

    def deal(self) -> Stmts:
        rules = self.rules
        deck = core.PilePlace(self.pile("deck"), None)
        body: list[core.Stmt] = [core.Reset(self.span), core.Shuffle(self.span, deck, fresh=True)]
        dealt = self.steps(rules.deal)
        rest: list[core.Stmt] = [*self.steps(rules.opening), *self.auction(), *self.prepare(), *self.play()]
        if self.report.ok:
            check_deal(dealt, rest, len(self.names.deck), rules.players, self.span, self.report)
        body += [*dealt, *rest]
        body.append(core.Mark(self.span, "score"))
        body += self.outcome()
        body += self.payments()
        body += self.steps(rules.finish)
        body.append(self.plus_one("deals_played"))
        return (core.Block(self.span, "deal", tuple(body)),)

    # ----------------------------------------------------------------- auction

    def auction(self) -> Stmts:
        auction = self.rules.auction
        if auction is None:
            return ()
        forms = {form.key.value: form for form in self.rules.forms}
        chosen = self.form(auction.form)
        asking: Stmts = ()
        if chosen is not None:
            asking = self.when(auction.when, lambda scope: self.steps(forms[chosen].steps, scope), Scope())
        high, holder = self.variable("high_bid"), self.variable("high_bidder")
        won: list[core.Stmt] = []
        if auction.declarer is not None:
            meaning = self.names.table.get(auction.declarer.value)
            role = None if meaning is None else meaning.thing
            if auction.declarer.value in self.names.faulty:
                return ()
            if not isinstance(role, core.Variable) or role.type.kind != "seat" or role.per:
                near = nearest(auction.declarer.value, [n for n, m in self.names.table.items() if isinstance(m.thing, core.Variable)])
                self.report.error("E210", f"unknown role `{auction.declarer.value}`", auction.declarer.span,
                                  "declare it under `variables` as a seat", help=f"did you mean `{near}`?" if near else None)  # fmt: skip
                return ()
            won.append(core.Assign(self.span, role, None, core.Get(t.SEAT, self.span, holder, None)))
        won += self.steps(auction.won, Scope(present=frozenset({"high_bid", "high_bidder"}))) if auction.won else self.contract_of_bid(high)
        passed = self.steps(auction.passed_out)
        if not auction.passed_out and won:
            self.report.error("E514", "nothing is said of what happens when everybody passes", auction.key.span,
                              help="write `passed_out: [throw in]`, or the steps that follow")  # fmt: skip
        bid_made = core.Prim(t.TRUTH, self.span, "exists", (core.Get(holder.type, self.span, holder, None),))
        return (*asking, core.If(self.span, bid_made, tuple(won), passed))

    def form(self, node: tree.Expr) -> str | None:
        """The form of auction that an expression chooses; it must be known before play."""
        hint = t.Type("word", of="form")
        try:
            value = self.expressions.infer(node, Scope(), hint)
        except Wrong:
            return None
        forms = [form.key.value for form in self.rules.forms]
        if isinstance(value, core.Const) and value.type == hint and isinstance(value.value, int):
            return forms[value.value]
        self.report.error("E407", "which form the auction has must be known before play", node.span,
                          f"the forms are {', '.join(forms)}")  # fmt: skip
        return None

    def contract_of_bid(self, high: core.Variable) -> Stmts:
        """The contract of the same name as the bid that won."""
        if not self.rules.contracts:
            return ()
        ids = [contract.key.value for contract in self.rules.contracts]
        bids = list(self.names.contextual.get("bid", {}))
        if bids == ids[: len(bids)]:
            same = core.Prim(t.CONTRACT, self.span, "same_number", (core.Get(t.BID, self.span, high, None),))
            return (self.set("contract", same),)
        # Every bid has its contract, or E512 is reported: the last one needs no question.
        chosen: Stmts = ()
        for number, bid in reversed(list(enumerate(bids))):
            if bid not in ids:
                continue
            this = self.set("contract", core.Const(t.CONTRACT, self.span, ids.index(bid)))
            is_it = core.Prim(t.TRUTH, self.span, "is", (core.Get(t.BID, self.span, high, None), core.Const(t.BID, self.span, number)))
            chosen = (core.If(self.span, is_it, (this,), chosen),) if chosen else (this,)
        return chosen

    def by_contract(self, part: Callable[[Contract], Stmts | None], default: Stmts) -> Stmts:
        """Statements that a contract may replace: a choice by contract."""
        chosen = default
        last = len(self.rules.contracts) - 1
        for number, contract in reversed(list(enumerate(self.rules.contracts))):
            own = part(contract)
            if own is not None and number == last and not default:
                chosen = own  # nothing else is left for it to be
            elif own is not None:
                this = core.Const(t.CONTRACT, contract.key.span, number)
                is_it = core.Prim(t.TRUTH, contract.key.span, "is", (self.get("contract"), this))
                chosen = (core.If(contract.key.span, is_it, own, chosen),)
        return chosen

    def prepare(self) -> Stmts:
        return self.by_contract(lambda contract: self.steps(contract.prepare), ())

    # -------------------------------------------------------------------- play

    def play(self) -> Stmts:
        play = self.rules.play
        if play is None:
            return ()
        span = play.key.span
        leads = self.get("dealer") if play.leads is None else self.expr(play.leads, t.SEAT)
        if play.leads is None:
            leads = self.prim("next", t.SEAT, self.get("dealer"))
        if leads is None:
            return ()
        quiet = Scope(in_play=True)
        led = Scope(in_play=True, present=frozenset({"lead"}))
        player = self.get("player")
        hand_left = self.prim("size", t.NUMBER, core.CardsIn(t.CARDS, span, self.pile("hand"), self.get("leader")))
        going: core.Expr = core.Prim(t.TRUTH, span, "<", (self.number(0), hand_left))
        most: core.Expr = self.number(len(self.names.deck))
        if play.tricks is not None:
            count = self.expr(play.tricks, t.NUMBER)
            if isinstance(count, core.Const):
                most = count
            elif count is not None:
                going = self.expressions.logic("and", going, self.prim("<", t.TRUTH, self.get("trick_number"), count), span)
        local = core.Local("player", t.SEAT)
        turn = (
            core.Assign(span, self.variable("player"), None, core.Bound(t.SEAT, span, local)),
            *self.steps(play.turn, quiet),
            *self.question(player, quiet),
            *self.steps(play.played, led),
        )
        seats = self.names.table["seats"].thing
        assert isinstance(seats, core.Expr)
        trick, won = core.PilePlace(self.pile("trick"), None), core.PilePlace(self.pile("won"), self.get("winner"))
        winner = core.Prim(t.SEAT, span, "trick_winner", (self.get("leader"),))
        one_trick = (
            self.plus_one("trick_number"),
            core.For(span, local, seats, self.get("leader"), turn),
            self.set("winner", winner),
            core.Say(span, "trick", self.get("winner")),
            core.MoveCards(span, None, trick, won),
            self.set("lead", core.Const(t.NONE, span, None)),
            self.plus_one("tricks", self.get("winner")),
            self.set("last_won", self.get("trick_number"), self.get("winner")),
            *self.steps(play.trick, quiet),
            self.set("leader", self.get("winner")),
        )
        body = (
            self.set("leader", leads),
            *self.steps(play.before, quiet),
            core.While(span, most, going, one_trick),
            *self.steps(play.after, quiet),
        )
        block = core.Block(span, "play", body)
        return self.when(play.when, lambda scope: (block,), Scope())

    def question(self, player: core.Expr, scope: Scope) -> Stmts:
        """Asks for a card; other answers (`also`) are carried out and the question is asked again."""
        play = self.rules.play
        assert play is not None
        span = play.key.span
        others: list[core.Offer] = []
        for offer in play.also:
            try:
                others.append(self.statements.offer(offer, scope))
            except Wrong:
                continue
        settled = self.statements.settled(others)
        others = [offer for offer in others if not never(offer)]
        card = core.Local("card", t.CARD)
        hand, trick = core.PilePlace(self.pile("hand"), player), core.PilePlace(self.pile("trick"), None)
        played = core.Bound(t.CARD, span, card)
        first = core.Prim(
            t.TRUTH, span, "is", (core.Prim(t.NUMBER, span, "size", (core.CardsIn(t.CARDS, span, trick.pile, None),)), self.number(1))
        )
        lay = (core.MoveCards(span, played, hand, trick), core.If(span, first, (self.set("lead", played),), ()))
        domain = self.obligations(player)
        if domain is None:
            return ()
        if not others:
            return (*settled, core.Ask(span, player, "play", (core.Offer("play", card, domain, None, "", lay, span),)))
        done = core.Jump(span, "loop")
        ask = core.Ask(span, player, "play", (core.Offer("play", card, domain, None, "", (*lay, done), span), *others))
        return (core.While(span, self.number(MOST_SAYINGS), None, (*settled, ask)),)

    def obligations(self, player: core.Expr) -> core.Expr | None:
        """The cards that may be played: a ladder for leading and one for following, by contract where one has its own."""
        play = self.rules.play
        assert play is not None
        hand = core.CardsIn(t.CARDS, play.key.span, self.pile("hand"), player)
        lead = self.ladder(play.lead_obligations, False, play.key.span) if play.lead_obligations else hand
        follow = self.ladder(play.obligations, True, play.key.span) if play.obligations else hand
        if lead is None or follow is None:
            return None
        for number, contract in enumerate(self.rules.contracts):
            this = core.Const(t.CONTRACT, contract.key.span, number)
            is_it = core.Prim(t.TRUTH, contract.key.span, "is", (self.get("contract"), this))
            if contract.obligations is not None:
                own = self.ladder(contract.obligations, True, contract.key.span)
                follow = follow if own is None else core.Cond(t.CARDS, contract.key.span, is_it, own, follow)
            if contract.lead_obligations is not None:
                own = self.ladder(contract.lead_obligations, False, contract.key.span)
                lead = lead if own is None else core.Cond(t.CARDS, contract.key.span, is_it, own, lead)
        on_table = core.Prim(t.NUMBER, self.span, "size", (core.CardsIn(t.CARDS, self.span, self.pile("trick"), None),))
        leading = core.Prim(t.TRUTH, self.span, "is", (on_table, self.number(0)))
        return follow if lead == follow else core.Cond(t.CARDS, self.span, leading, lead, follow)

    def ladder(self, rungs: tuple[Rung, ...], following: bool, span: Span) -> core.Expr | None:
        scope = Scope(in_play=True, present=frozenset({"lead"}) if following else frozenset())
        found: list[core.Rung] = []
        ends = False
        for rung in rungs:
            if ends:
                self.report.error("E503", f"the obligation `{rung.key.value}` is never reached", rung.key.span,
                                  "an earlier one always holds", (Label(found[-1].span, "this one always leaves a card"),))  # fmt: skip
            inner = scope if rung.when is None else scope.knowing(true_facts(rung.when))
            condition = None if rung.when is None else self.expr(rung.when, t.TRUTH, scope)
            must = self.expr(rung.must, t.CARDS, inner)
            if must is None or (rung.when is not None and condition is None):
                return None
            kept = condition
            if isinstance(condition, core.Const):
                if not condition.value:
                    if self.statements.probes:  # a traced game looks at it all the same, and passes it by
                        found.append(core.Rung(rung.key.value, condition, must, rung.because, rung.key.span))
                    continue
                condition = None
            row = core.Rung(rung.key.value, kept if self.statements.probes else condition, must, rung.because, rung.key.span)
            found.append(row)
            self.rungs.append(row)
            whole_hand = isinstance(must, core.CardsIn) and must.pile.name == "hand" and must.index == self.get("player")
            ends = condition is None and whole_hand
        if not ends and "obligations" in self.rules.unread:
            return None
        if not ends:
            last = rungs[-1].key.span if rungs else span
            self.report.error("E504", "these obligations may leave a player without a card to play", last, "this one can be empty",
                              help="end with `free: {must: hand of player}`")  # fmt: skip
            return None
        return core.Ladder(t.CARDS, span, tuple(found))

    # ------------------------------------------------------- outcomes, payments

    def outcome(self) -> Stmts:
        return self.by_contract(
            lambda contract: None if contract.outcomes is None else self.outcome_rows(contract.outcomes),
            self.outcome_rows(self.rules.outcomes),
        )

    def outcome_rows(self, rows: tuple[Named, ...]) -> Stmts:
        chosen: Stmts = ()
        checked: list[tuple[Named, core.Expr]] = []
        for row in rows:
            if checked and isinstance(checked[-1][1], core.Const) and checked[-1][1].value is True:
                self.report.error("E503", f"the outcome `{row.key.value}` is never reached", row.key.span, "an earlier one always holds",
                                  others=(Label(checked[-1][0].key.span, "this one always holds"),))  # fmt: skip
                break
            scope = Scope(present=frozenset().union(*(false_facts(r.value) for r, _ in checked)))
            condition = self.expr(row.value, t.TRUTH, scope)
            if condition is not None:
                checked.append((row, condition))
        whole = "outcomes" not in self.rules.unread and len(checked) == len(rows)
        if rows and checked and whole and not (isinstance(checked[-1][1], core.Const) and checked[-1][1].value):
            self.report.error("E502", "these outcomes do not cover every deal", rows[-1].value.span, "may fail like the others",
                              help="let the last outcome be `otherwise`")  # fmt: skip
        numbers = self.names.contextual.get("outcome", {})
        for row, condition in reversed(checked):
            value = core.Const(t.OUTCOME, row.key.span, numbers[row.key.value])
            probe = self.statements.probe
            then = (*probe(row.key.span, "row", condition), core.Assign(row.key.span, self.variable("outcome"), None, value))
            if isinstance(condition, core.Const) and condition.value:
                chosen = then
            else:
                chosen = (core.If(row.key.span, condition, then, (*probe(row.key.span, "not", condition), *chosen)),)
        return chosen

    def payments(self) -> Stmts:
        return self.by_contract(
            lambda contract: None if contract.payments is None else self.payment_rows(contract.payments, contract.outcomes),
            self.payment_rows(self.rules.payments, None),
        )

    def payment_rows(self, rows: tuple[Payment, ...], own: tuple[Named, ...] | None) -> Stmts:
        numbers = self.names.contextual.get("outcome", {})
        facts = {row.key.value: true_facts(row.value) for row in (own if own is not None else self.rules.outcomes)}
        made: list[core.Stmt] = []
        for row in rows:
            scope = Scope()
            id = row.key.value
            if id in numbers:
                scope = scope.knowing(facts.get(id, frozenset()))
            body = self.payment(row, scope)
            if id in numbers:
                outcome = core.Get(t.OUTCOME, row.key.span, self.variable("outcome"), None)
                is_it = core.Prim(t.TRUTH, row.key.span, "is", (outcome, core.Const(t.OUTCOME, row.key.span, numbers[id])))
                body = (core.If(row.key.span, is_it, body, ()),) if body else ()
            made += body
        return tuple(made)

    def payment(self, row: Payment, scope: Scope) -> Stmts:
        applies = self.statements.probe(row.key.span, "applies")
        if row.loop is None:
            return self.when(row.when, lambda inner: (*applies, *self.steps(row.steps, inner)), scope)
        try:
            local, domain, start, inner = self.statements.head(row.loop, scope)
        except Wrong:
            return ()
        body = self.when(row.when, lambda deeper: (*applies, *self.steps(row.steps, deeper)), inner)
        return (core.For(row.key.span, local, domain, start, body),)
