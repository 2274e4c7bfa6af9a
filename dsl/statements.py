"""Steps to core statements: types checked, phrases written out, each place known."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NoReturn

from dsl import core, tree
from dsl import types as t
from dsl.diagnostics import Report
from dsl.effort import MOST_STEPS, steps_of
from dsl.expressions import Expressions
from dsl.meanings import Wrong
from dsl.names import HIDDEN, Names, Scope
from dsl.presence import false_facts, true_facts
from dsl.ruleset import PhraseRow, Steps
from dsl.source import Span
from dsl.suggest import nearest

MOST_STATEMENTS = 10_000
DEEPEST_STEPS = 30
MOST_TIMES = 10_000
READ_ONLY = frozenset("dealer deal_number deals_played players leader player winner lead trick_number tricks last_won outcome".split())

Stmts = tuple[core.Stmt, ...]


class Statements:
    """Checks steps; errors go to the report and the faulty step is left out."""

    def __init__(self, names: Names, expressions: Expressions, balanced: bool, report: Report, probes: bool = False) -> None:
        self.names = names
        self.expressions = expressions
        self.balanced = balanced
        self.report = report
        self.probes = probes
        self.expanding: list[str] = []
        self.lets: set[core.Local] = set()
        self.scoreless = False
        self.made = 0
        self.depth = 0

    def steps(self, steps: Steps, scope: Scope) -> Stmts:
        """The statements of steps in order; a `let` is known to the steps after it."""
        scope = scope.copy()
        found: list[core.Stmt] = []
        for step in steps:
            try:
                found.extend(self.step(step, scope))
            except Wrong:
                if isinstance(step, tree.Let):  # the steps after it would all complain of the missing name
                    break
        return tuple(found)

    def step(self, step: tree.Step, scope: Scope) -> list[core.Stmt]:
        known = self.made > MOST_STATEMENTS
        self.made += 1
        if known:
            raise Wrong
        if self.made > MOST_STATEMENTS:
            self.expressions.wrong("E408", "this ruleset becomes too long when its phrases are written out", step.span)
        if self.depth >= DEEPEST_STEPS:
            self.expressions.wrong("E408", f"with phrases written out steps lie in one another more than {DEEPEST_STEPS} deep", step.span)
        method = getattr(self, "_" + type(step).__name__.lower())
        self.depth += 1
        try:
            found: list[core.Stmt] = method(step, scope)
        finally:
            self.depth -= 1
        return found

    def probe(self, span: Span, what: str, subject: core.Expr | core.Transfer | None = None) -> Stmts:
        """A probe, in a program that is to be traced."""
        return (core.Probe(span, what, subject),) if self.probes else ()

    def paid(self, payment: core.Transfer) -> Stmts:
        """A payment, seen by a probe before it is made."""
        return (*self.probe(payment.span, "pays", payment), payment)

    # ----------------------------------------------------------------- values

    def _set(self, step: tree.Set, scope: Scope) -> list[core.Stmt]:
        bound = scope.locals.get(step.target.name.text)
        if isinstance(bound, core.Bound) and step.target.owner is None and bound.local in self.lets:
            return [core.Bind(step.span, bound.local, self.expressions.check(step.value, scope, bound.local.type))]
        variable, index = self.target(step.target, scope)
        value = self.expressions.check(step.value, scope, variable.type)
        if variable.type.optional and step.target.owner is None:
            name = step.target.name.text
            known = not value.type.optional
            scope.present = scope.present | {name} if known else scope.present - {name}
        return [core.Assign(step.span, variable, index, value)]

    def _add(self, step: tree.Add, scope: Scope) -> list[core.Stmt]:
        value = self.expressions.check(step.value, scope, t.NUMBER)
        name = step.target.name.text
        bound = scope.locals.get(name)
        if isinstance(bound, core.Bound) and step.target.owner is None and bound.local in self.lets and bound.type.kind == "number":
            total = core.Prim(t.NUMBER, step.span, "+", (bound, value))
            return [core.Bind(step.span, bound.local, total)]
        variable, index = self.target(step.target, scope)
        if variable.type.kind != "number":
            self.expressions.wrong("E402", f"`{name}` is no number", step.target.span)
        now = core.Get(variable.type, step.target.span, variable, index)
        return [core.Assign(step.span, variable, index, core.Prim(t.NUMBER, step.span, "+", (now, value)))]

    def target(self, target: tree.Target, scope: Scope) -> tuple[core.Variable, core.Expr | None]:
        """The variable that a step changes, and whose."""
        name = target.name.text
        meaning = self.names.table.get(name)
        variable = None if meaning is None else meaning.thing
        if not isinstance(variable, core.Variable) or name in HIDDEN:
            if name in self.names.faulty:
                raise Wrong
            if name in scope.locals or meaning is not None:
                self.expressions.wrong("E213", f"`{name}` cannot be set: it is not a variable", target.name.span,
                                       about="" if name in scope.locals else name)  # fmt: skip
            options = [n for n, m in self.names.table.items() if isinstance(m.thing, core.Variable) and n not in HIDDEN]
            near = nearest(name, options)
            self.expressions.wrong("E210", f"unknown variable `{name}`", target.name.span, "declare it under `variables`",
                                   help=f"did you mean `{near}`?" if near else None)  # fmt: skip
        if name in READ_ONLY:
            self.expressions.wrong("E213", f"`{name}` is kept by the engine and cannot be set", target.name.span)
        if variable.per == "pair" or target.on is not None:
            return variable, self.expressions.pair(variable, target.owner, target.on, scope, target.span)
        if variable.per and target.owner is None:
            self.expressions.wrong("E211", f"`{name}` is kept per {variable.per}: say whose", target.span, help=f"write `{name} of …`",
                                   about=name)  # fmt: skip
        if not variable.per and target.owner is not None:
            self.expressions.wrong("E212", f"`{name}` is not kept per seat or side", target.span, "there is only one", about=name)
        if target.owner is None:
            return variable, None
        return variable, self.expressions.check(target.owner, scope, t.SEAT if variable.per == "seat" else t.SIDE)

    def _let(self, step: tree.Let, scope: Scope) -> list[core.Stmt]:
        name = step.name.text
        bound = scope.locals.get(name)
        value = self.expressions.infer(step.value, scope)
        if isinstance(bound, core.Bound):
            value = self.expressions.coerce(value, bound.local.type, step.value.span)
            return [core.Bind(step.span, bound.local, value)]
        self.expressions.shadow(step.name, scope)
        if value.type.kind == "none":
            self.expressions.wrong("E402", "a name cannot be bound to `none`", step.value.span)
        local = core.Local(name, value.type)
        self.lets.add(local)
        scope.locals[name] = core.Bound(value.type, step.name.span, local)
        return [core.Bind(step.span, local, value)]

    # ------------------------------------------------------------------ cards

    def pile(self, place: tree.PileOf, scope: Scope) -> core.PilePlace:
        """The pile that a step names."""
        name = place.name.text
        bound = scope.locals.get(name)
        if isinstance(bound, core.PilePlace) and place.owner is None:
            return bound
        meaning = self.names.table.get(name)
        pile = None if meaning is None else meaning.thing
        if not isinstance(pile, core.Pile):
            if name in self.names.faulty:
                raise Wrong
            piles = [n for n, m in self.names.table.items() if isinstance(m.thing, core.Pile)]
            near = nearest(name, piles)
            self.expressions.wrong("E214", f"unknown pile `{name}`", place.name.span, f"the piles are {', '.join(sorted(piles))}",
                                   help=f"did you mean `{near}`?" if near else None)  # fmt: skip
        if pile.per_seat and place.owner is None:
            self.expressions.wrong("E211", f"there is a `{name}` for each seat: say whose", place.span, help=f"write `{name} of …`",
                                   about=name)  # fmt: skip
        if not pile.per_seat and place.owner is not None:
            self.expressions.wrong("E212", f"there is only one `{name}`", place.span, "not kept per seat", about=name)
        index = None if place.owner is None else self.expressions.check(place.owner, scope, t.SEAT)
        return core.PilePlace(pile, index)

    def row(self, place: tree.PileOf, scope: Scope) -> core.PilePlace:
        found = self.pile(place, scope)
        if not found.pile.ordered:
            self.expressions.wrong("E215", f"`{found.pile.name}` keeps no order and has no top", place.span,
                                   help="declare the pile with `in order`", about=found.pile.name)  # fmt: skip
        return found

    def _deal(self, step: tree.Deal, scope: Scope) -> list[core.Stmt]:
        count = self.expressions.check(step.count, scope, t.NUMBER)
        start = self.expressions.check(step.start, scope, t.SEAT)
        times = None if step.times is None else self.expressions.check(step.times, scope, t.NUMBER)
        name = tree.Word("hand", step.span) if step.pile is None else step.pile.name
        meaning = self.names.table.get(name.text)
        pile = None if meaning is None else meaning.thing
        if name.text in self.names.faulty:
            raise Wrong
        if not isinstance(pile, core.Pile) or not pile.per_seat:
            self.expressions.wrong("E214", f"`{name.text}` is not a pile of each seat", name.span, about=name.text)
        deck = self.names.table["deck"].thing
        assert isinstance(deck, core.Pile)
        seat = core.Local("seat", t.SEAT)
        target = core.PilePlace(pile, core.Bound(t.SEAT, step.span, seat))
        one = core.MoveTop(step.span, count, core.PilePlace(deck, None), target)
        seats = self.names.playing or self.names.table["seats"].thing
        assert isinstance(seats, core.Expr)
        packet = core.For(step.span, seat, seats, start, (one,))
        return [packet] if times is None else [core.While(step.span, self.bound(times), None, (packet,))]

    def _movetop(self, step: tree.MoveTop, scope: Scope) -> list[core.Stmt]:
        count = None if step.count is None else self.expressions.check(step.count, scope, t.NUMBER)
        one = core.Const(t.NUMBER, step.span, 1)
        return [core.MoveTop(step.span, count or one, self.row(step.source, scope), self.pile(step.target, scope))]

    def _moveall(self, step: tree.MoveAll, scope: Scope) -> list[core.Stmt]:
        source, target = self.pile(step.source, scope), self.pile(step.target, scope)
        if source.pile.ordered and target.pile.ordered:
            size = core.Prim(t.NUMBER, step.span, "size", (core.CardsIn(t.CARDS, step.span, source.pile, source.index),))
            return [core.MoveTop(step.span, size, source, target)]
        return [core.MoveCards(step.span, None, source, target)]

    def _move(self, step: tree.Move, scope: Scope) -> list[core.Stmt]:
        cards = self.expressions.infer(step.cards, scope, t.CARDS)
        if cards.type.kind != "card" or cards.type.optional:
            cards = self.expressions.coerce(cards, t.CARDS, step.cards.span)
        return [core.MoveCards(step.span, cards, self.pile(step.source, scope), self.pile(step.target, scope))]

    def _shuffle(self, step: tree.Shuffle, scope: Scope) -> list[core.Stmt]:
        return [core.Shuffle(step.span, self.row(step.pile, scope), fresh=False)]

    def _show(self, step: tree.Show, scope: Scope) -> list[core.Stmt]:
        cards = self.expressions.check(step.cards, scope, t.CARDS)
        seats = None if step.seats is None else self.expressions.check(step.seats, scope, t.SEATS)
        return [core.Show(step.span, cards, seats)]

    # --------------------------------------------------------------- payments

    def account(self, node: tree.Expr, scope: Scope) -> core.AccountPlace:
        """Where an amount comes from or goes: a pot, or the account of a seat or side."""
        if isinstance(node, tree.Name):
            meaning = self.names.table.get(node.word.text)
            if meaning is not None and isinstance(meaning.thing, core.Account) and not meaning.thing.per:
                return core.AccountPlace(meaning.thing, None)
        unit = next((m.thing for m in self.names.table.values() if isinstance(m.thing, core.Account) and m.thing.per), None)
        if unit is None:
            self.no_score(node.span)
        want = t.SEAT if unit.per == "seat" else t.SIDE
        found = self.expressions.infer(node, scope)
        if unit.per == "side" and found.type.kind == "seat" and not found.type.optional:
            return core.AccountPlace(unit, self.expressions.prim("side", (found,), t.SIDE, node.span))
        if found.type.kind in ("seats", "sides") and want.kind == found.type.element.kind:
            self.expressions.wrong("E402", f"one {want.kind} is due, and these are several", node.span,
                                   help=f"write `each of {node.span.text}`")  # fmt: skip
        return core.AccountPlace(unit, self.expressions.coerce(found, want, node.span))

    def no_score(self, span: Span) -> NoReturn:
        """A payment in a ruleset without a score; the first is told."""
        if self.scoreless:
            raise Wrong
        self.scoreless = True
        self.expressions.wrong("E507", "payments need a `score` section", span,
                               help="write `score: {unit: points}`, and who it is kept for")  # fmt: skip

    def _pay(self, step: tree.Pay, scope: Scope) -> list[core.Stmt]:
        if step.amount is None:
            payer = self.account(step.payer, scope)
            amount: core.Expr = core.Balance(t.FRACTION, step.span, payer.account, payer.index)
            return list(self.paid(core.Transfer(step.span, payer, amount, self.account(step.payee, scope))))
        if step.each == "no":
            payer, payee = self.account(step.payer, scope), self.account(step.payee, scope)
            return list(self.paid(core.Transfer(step.span, payer, self.expressions.check(step.amount, scope, t.FRACTION), payee)))
        several = step.payer if step.each == "payer" else step.payee
        loop, inner, one = self.each_of(several, scope)
        if step.each == "payer":
            payer, payee = one, self.account(step.payee, scope)
        else:
            payer, payee = self.account(step.payer, scope), one
        before, amount = self.once(self.expressions.check(step.amount, inner, t.FRACTION))
        return [*before, core.For(step.span, loop[0], loop[1], None, self.paid(core.Transfer(step.span, payer, amount, payee)))]

    def _score(self, step: tree.Score, scope: Scope) -> list[core.Stmt]:
        if self.balanced:
            self.expressions.wrong("E506", "chips come from nowhere here, and the score is declared balanced", step.span,
                                   "no one pays this", help="write who pays, or set `balanced: false` under `score`")  # fmt: skip
        if not step.each:
            place = self.account(step.who, scope)
            return list(self.paid(core.Transfer(step.span, None, self.expressions.check(step.amount, scope, t.FRACTION), place)))
        loop, inner, one = self.each_of(step.who, scope)
        before, amount = self.once(self.expressions.check(step.amount, inner, t.FRACTION))
        return [*before, core.For(step.span, loop[0], loop[1], None, self.paid(core.Transfer(step.span, None, amount, one)))]

    @staticmethod
    def once(amount: core.Expr) -> tuple[list[core.Stmt], core.Expr]:
        """An amount paid several times is worked out before the first payment changes what it depends on."""
        if isinstance(amount, core.Const):
            return [], amount
        local = core.Local("amount", amount.type)
        return [core.Bind(amount.span, local, amount)], core.Bound(amount.type, amount.span, local)

    def each_of(self, node: tree.Expr, scope: Scope) -> tuple[tuple[core.Local, core.Expr], Scope, core.AccountPlace]:
        """A loop over seats or sides that each pay, are paid or score."""
        domain = self.expressions.domain(node, scope)
        if domain.type.kind not in ("seats", "sides"):
            self.expressions.wrong("E402", f"seats or sides are due, and these are {domain.type}", node.span)
        if isinstance(domain, core.Prim) and domain.name == "one":
            self.report.warning("W708", f"`each of {node.span.text}` is one seat", node.span, "not several")
        element = domain.type.element
        local = core.Local("each", element)
        unit = next((m.thing for m in self.names.table.values() if isinstance(m.thing, core.Account) and m.thing.per), None)
        if unit is None:
            self.no_score(node.span)
        if unit.per != element.kind:
            self.expressions.wrong("E402", f"{unit.name} are kept per {unit.per}, and these are {domain.type}", node.span)
        place = core.AccountPlace(unit, core.Bound(element, node.span, local))
        return (local, domain), scope, place

    def _announce(self, step: tree.Announce, scope: Scope) -> list[core.Stmt]:
        value = None if step.value is None else self.expressions.check(step.value, scope, t.NUMBER)
        return [core.Say(step.span, step.word.text, value)]

    # ---------------------------------------------------------------- control

    def _sitout(self, step: tree.SitOut, scope: Scope) -> list[core.Stmt]:
        who = self.expressions.check(step.who, scope, t.SEATS)
        playing = self.names.playing
        assert isinstance(playing, core.Get)
        rest = core.Prim(t.SEATS, step.span, "without", (playing, who))
        return [core.Assign(step.span, playing.variable, None, rest)]

    def _leave(self, step: tree.Leave, scope: Scope) -> list[core.Stmt]:
        if not scope.loops:
            self.expressions.wrong("E508", "there is no loop to leave here", step.span)
        return [core.Jump(step.span, "loop")]

    def _endplay(self, step: tree.EndPlay, scope: Scope) -> list[core.Stmt]:
        if not scope.in_play:
            self.expressions.wrong("E508", "play can only be ended from the steps under `play`", step.span)
        return [core.Jump(step.span, "play")]

    def _throwin(self, step: tree.ThrowIn, scope: Scope) -> list[core.Stmt]:
        return [core.Jump(step.span, "deal")]

    def _redeal(self, step: tree.Redeal, scope: Scope) -> list[core.Stmt]:
        return [core.Jump(step.span, "deal", again=True)]

    def _when(self, step: tree.When, scope: Scope) -> list[core.Stmt]:
        condition = self.expressions.check(step.condition, scope, t.TRUTH)
        then = self.steps(step.then, scope.knowing(true_facts(step.condition)))
        other = self.steps(step.other, scope.knowing(false_facts(step.condition)))
        then = (*self.probe(step.condition.span, "holds", condition), *then)
        other = (*self.probe(step.condition.span, "fails", condition), *other)
        if isinstance(condition, core.Const):
            return list(then if condition.value else other)
        if then and isinstance(then[-1], core.Jump) and not step.other:
            scope.present = scope.present | false_facts(step.condition)
        return [core.If(step.span, condition, then, other)]

    def head(self, head: tree.Each, scope: Scope) -> tuple[core.Local, core.Expr, core.Expr | None, Scope]:
        """A loop's name, domain and start, and the scope of its body."""
        domain = self.expressions.domain(head.domain, scope)
        self.expressions.shadow(head.name, scope)
        start = None
        if head.start is not None:
            if domain.type.kind != "seats":
                self.expressions.wrong("E402", "only seats have a turn to begin from", head.start.span)
            start = self.expressions.check(head.start, scope, t.SEAT)
        local = core.Local(head.name.text, domain.type.element)
        inner = scope.in_loop().with_local(head.name.text, core.Bound(local.type, head.name.span, local))
        inner.loops = scope.loops + 1
        return local, domain, start, inner

    def _loop(self, step: tree.Loop, scope: Scope) -> list[core.Stmt]:
        local, domain, start, inner = self.head(step.head, scope)
        self.expressions.bound.look(step.head.name, step.body)
        return [core.For(step.span, local, domain, start, self.steps(step.body, inner))]

    def bound(self, most: core.Expr) -> core.Expr:
        """The number of times of a loop, which must be known before play."""
        if not isinstance(most, core.Const) or not isinstance(most.value, int):
            self.expressions.wrong("E407", "how often at most must be known before play", most.span, "not known",
                                   help="give a plain number here and leave the loop earlier with `leave`")  # fmt: skip
        if not 0 <= most.value <= MOST_TIMES:
            self.expressions.wrong("E407", f"a loop runs 0 to {MOST_TIMES} times", most.span)
        return most

    def _repeat(self, step: tree.Repeat, scope: Scope) -> list[core.Stmt]:
        most = self.bound(self.expressions.check(step.most, scope, t.NUMBER))
        inner = scope.in_loop()
        condition = None
        if step.condition is not None:
            condition = self.expressions.check(step.condition, scope, t.TRUTH)
            inner = inner.knowing(true_facts(step.condition))
        loop = core.While(step.span, most, condition, self.steps(step.body, inner))
        if steps_of((loop,), self.expressions.world.players, self.expressions.deck) > MOST_STEPS:
            self.expressions.wrong("E408", f"this loop may carry out more than {MOST_STEPS:,} steps".replace(",", " "), step.span,
                                   help="give it, or the loops inside it, a smaller number")  # fmt: skip
        return [loop]

    def _ask(self, step: tree.Ask, scope: Scope) -> list[core.Stmt]:
        who = self.expressions.check(step.who, scope, t.SEAT)
        offers = tuple(self.offer(offer, scope) for offer in step.offers)
        settled = self.settled(offers)
        offers = tuple(offer for offer in offers if not never(offer)) or offers
        verbs = [offer for offer in offers if offer.domain is not None and offer.domain.type.kind == "cards"]
        if len(verbs) > 1:
            self.expressions.wrong("E509", "a question offers cards for one verb only", verbs[1].span, "the second verb")
        return [*settled, core.Ask(step.span, who, step.about, offers)]

    def settled(self, offers: Iterable[core.Offer]) -> Stmts:
        """Probes for the conditions of choices that the options settle, passed when the question is asked."""
        known = [(offer, offer.when.value) for offer in offers if isinstance(offer.when, core.Const)]
        return tuple(probe for offer, holds in known for probe in self.probe(offer.span, "holds" if holds else "fails"))

    def offer(self, offer: tree.Offer, scope: Scope) -> core.Offer:
        """One choice of a question."""
        if offer.name is None or offer.domain is None:
            verb = offer.verb.text if offer.verb is not None else ""
            when = None if offer.when is None else self.expressions.check(offer.when, scope, t.TRUTH)
            inner = scope if offer.when is None else scope.knowing(true_facts(offer.when))
            chosen = (*self.probe(offer.span, "chosen"), *self.steps(offer.body, inner))
            return core.Offer(verb, None, None, when, offer.because or "", chosen, offer.span)
        domain = self.expressions.domain(offer.domain, scope)
        if domain.type.kind in ("seats", "sides"):
            self.expressions.wrong("E402", "a question offers cards, suits, ranks, bids or words, and these are seats", offer.domain.span)
        self.expressions.shadow(offer.name, scope)
        local = core.Local(offer.name.text, domain.type.element)
        inner = scope.with_local(offer.name.text, core.Bound(local.type, offer.name.span, local))
        self.expressions.bound.look(offer.name, offer.when, offer.body)
        when = None if offer.when is None else self.expressions.check(offer.when, inner, t.TRUTH)
        body = (*self.probe(offer.span, "chosen"), *self.steps(offer.body, inner))
        return core.Offer(offer.verb.text if offer.verb else "", local, domain, when, offer.because or "", body, offer.span)

    # ---------------------------------------------------------------- phrases

    def _phrase(self, step: tree.Phrase, scope: Scope) -> list[core.Stmt]:
        row = self.names.phrases[step.pattern]
        if len(step.args) != len(row.parameters):
            raise Wrong  # an argument did not parse, and that is reported
        if step.pattern in self.expanding:
            self.expressions.wrong("E405", "this phrase uses itself", step.span, " → ".join([*self.expanding, step.pattern]))
        inner = Scope(loops=0, in_play=scope.in_play)
        before: list[core.Stmt] = []
        for (name, type_word, span), arg in zip(row.parameters, step.args, strict=True):
            inner.locals[name] = self.argument(name, type_word, span, arg, scope, before)
        self.expanding.append(step.pattern)
        try:
            return before + list(self.steps(row.steps, inner))
        finally:
            self.expanding.pop()

    def argument(self, name: str, type_word: str, span: Span, arg: tree.Expr | tree.PileOf, scope: Scope,
                 before: list[core.Stmt]) -> core.Expr | core.PilePlace:  # fmt: skip
        """What a hole of a phrase stands for: evaluated once, before its steps."""
        if type_word == "pile":
            return self.pile(as_pile(arg), scope)
        want = t.BY_NAME.get(type_word)
        if want is None or not isinstance(arg, tree.Expr):
            raise Wrong  # the type is unknown, and that is reported where the phrase is checked
        value = self.expressions.check(arg, scope, want)
        if isinstance(value, core.Const | core.Bound):
            return value
        local = core.Local(name, value.type)
        before.append(core.Bind(arg.span, local, value))
        return core.Bound(value.type, arg.span, local)


def never(offer: core.Offer) -> bool:
    """Whether the options rule a choice out altogether."""
    return isinstance(offer.when, core.Const) and offer.when.value is False


def as_pile(arg: tree.Expr | tree.PileOf) -> tree.PileOf:
    """An expression that can only be the name of a pile, read as one."""
    if isinstance(arg, tree.Name):
        return tree.PileOf(arg.span, arg.word, None)
    if isinstance(arg, tree.Of) and isinstance(arg.head, tree.Name):
        return tree.PileOf(arg.span, arg.head.word, arg.owner)
    return arg if isinstance(arg, tree.PileOf) else tree.PileOf(arg.span, tree.Word(arg.span.text, arg.span), None)


def check_phrase(row: PhraseRow, statements: Statements) -> None:
    """Checks a phrase on its own, so that one nobody uses is not left unread."""
    scope = Scope(loops=0, in_play=True)
    for name, type_word, span in row.parameters:
        want = t.BY_NAME.get(type_word)
        if type_word == "pile":
            deck = statements.names.table["deck"].thing
            assert isinstance(deck, core.Pile)
            scope.locals[name] = core.PilePlace(deck, None)
        elif want is None:
            near = nearest(type_word, t.BY_NAME)
            statements.report.error("E401", f"unknown type `{type_word}`", span, f"the types are {', '.join(t.BY_NAME)}",
                                    help=f"did you mean `{near}`?" if near else None)  # fmt: skip
            return
        else:
            scope.locals[name] = core.Bound(want, span, core.Local(name, want))
    statements.expanding.append(row.pattern)
    try:
        statements.steps(row.steps, scope)
    except Wrong:
        pass
    finally:
        statements.expanding.pop()
