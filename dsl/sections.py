"""The sections of a ruleset as statements of the core: one deal from the shuffle to the payments, and the match."""

from __future__ import annotations

from collections.abc import Callable

from dsl import core, tree
from dsl import types as t
from dsl.dealing import check_deal
from dsl.diagnostics import Label
from dsl.meanings import Wrong
from dsl.names import Scope
from dsl.presence import false_facts, true_facts
from dsl.ruleset import Contract, Named, Payment
from dsl.statements import Stmts
from dsl.suggest import nearest
from dsl.tricks import Tricks

MOST_DEALS = 10_000
MOST_REDEALS = 1_000


class Sections(Tricks):
    """Lowers sections, the play among them (see `Tricks`)."""

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
            seats = rules.players + (rules.dummy is not None)
            check_deal(dealt, rest, len(self.names.deck), seats, self.span, self.report)
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
        if not auction.passed_out and auction.passed_span is None and won:
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
        self.unpaid_outcomes()
        return self.by_contract(
            lambda contract: None if contract.payments is None else self.payment_rows(contract.payments, contract.outcomes),
            self.payment_rows(self.rules.payments, None),
        )

    def payment_rows(self, rows: tuple[Payment, ...], own: tuple[Named, ...] | None) -> Stmts:
        numbers = self.names.contextual.get("outcome", {})
        facts = {row.key.value: true_facts(row.value) for row in (own if own is not None else self.rules.outcomes)}
        paid = {row.key.value for row in rows}
        unpaid = [outcome for outcome in numbers if outcome not in paid]
        made: list[core.Stmt] = []
        for row in rows:
            scope = Scope()
            id = row.key.value
            if id not in numbers:
                self.misnamed(row, unpaid)
            if id in numbers:
                scope = scope.knowing(facts.get(id, frozenset()))
            body = self.payment(row, scope)
            if id in numbers:
                outcome = core.Get(t.OUTCOME, row.key.span, self.variable("outcome"), None)
                is_it = core.Prim(t.TRUTH, row.key.span, "is", (outcome, core.Const(t.OUTCOME, row.key.span, numbers[id])))
                body = (core.If(row.key.span, is_it, body, ()),) if body else ()
            made += body
        return tuple(made)

    def unpaid_outcomes(self) -> None:
        """Warns of an outcome without a payment that is named almost as another one that has one."""
        rules = self.rules
        rows = [*rules.outcomes, *(row for contract in rules.contracts for row in contract.outcomes or ())]
        payments = [*rules.payments, *(row for contract in rules.contracts for row in contract.payments or ())]
        paid = {row.key.value for row in payments}
        names = {row.key.value for row in rows} & paid
        for row in rows:
            near = None if row.key.value in paid else nearest(row.key.value, names)
            if near is not None:
                self.report.warning("W707", f"nothing is paid for the outcome `{row.key.value}`", row.key.span,
                                    "no payment has this name", help=f"did you mean `{near}`?")  # fmt: skip

    def misnamed(self, row: Payment, unpaid: list[str]) -> None:
        """Warns of a payment named almost as an outcome that has none: it would be paid whatever the outcome."""
        near = nearest(row.key.value, unpaid)
        if near is not None:
            self.report.warning("W704", f"the payment `{row.key.value}` is made whatever the outcome", row.key.span,
                                "no outcome has this name", help=f"did you mean the outcome `{near}`?")  # fmt: skip

    def payment(self, row: Payment, scope: Scope) -> Stmts:
        applies = self.statements.probe(row.key.span, "applies")
        if row.loop is None:
            return self.when(row.when, lambda inner: (*applies, *self.steps(row.steps, inner)), scope)
        try:
            local, domain, start, inner = self.statements.head(row.loop, scope)
        except Wrong:
            return ()
        self.expressions.bound.look(row.loop.name, row.when, row.steps)
        body = self.when(row.when, lambda deeper: (*applies, *self.steps(row.steps, deeper)), inner)
        return (core.For(row.key.span, local, domain, start, body),)
