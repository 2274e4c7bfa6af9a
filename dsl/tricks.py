"""The play of a ruleset as statements of the core: turns, tricks, the question for a card and its obligations."""

from __future__ import annotations

from collections.abc import Iterator

from dsl import core
from dsl import types as t
from dsl.diagnostics import Label
from dsl.meanings import Wrong
from dsl.names import Scope
from dsl.presence import true_facts
from dsl.ruleset import Rung
from dsl.sectionparts import Parts
from dsl.source import Span
from dsl.statements import Stmts, never

MOST_SAYINGS = 16


class Tricks(Parts):
    """Lowers the play."""

    def play(self) -> Stmts:
        play = self.rules.play
        if play is None:
            return ()
        span = play.key.span
        seat = self.names.table["eldest"].thing if play.leads is None else self.expr(play.leads, t.SEAT)
        if not isinstance(seat, core.Expr):
            return ()
        quiet = Scope(in_play=True)
        led = Scope(in_play=True, present=frozenset({"lead"}))
        player = self.get("player")
        hand_left = self.prim("size", t.NUMBER, core.CardsIn(t.CARDS, span, self.pile("hand"), self.get("leader")))
        going: core.Expr = core.Prim(t.TRUTH, span, "<", (self.number(0), hand_left))
        if self.names.playing is not None:  # if the last player drops out there are no more tricks
            somebody = core.Prim(t.TRUTH, span, "<", (self.number(0), core.Prim(t.NUMBER, span, "size", (self.get("players"),))))
            going = core.Prim(t.TRUTH, span, "and", (going, somebody))
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
            *self.note_ahead(),
            *self.steps(play.played, led),
        )
        seats = self.names.table["seats"].thing if self.names.playing is None else self.get("trick players")
        assert isinstance(seats, core.Expr)
        trick, won = core.PilePlace(self.pile("trick"), None), core.PilePlace(self.pile("won"), self.get("winner"))
        next_leader = self.get("winner") if play.next_leads is None else self.expr(play.next_leads, t.SEAT)
        one_trick = (
            self.plus_one("trick_number"),
            *self.opening(),
            core.For(span, local, seats, self.get("leader"), turn),
            self.set("winner", self.trick_winner()),
            core.Say(span, "trick", self.get("winner")),
            core.MoveCards(span, None, trick, won),
            self.set("lead", core.Const(t.NONE, span, None)),
            self.plus_one("tricks", self.get("winner")),
            self.set("last_won", self.get("trick_number"), self.get("winner")),
            *self.steps(play.trick, quiet),
            self.set("leader", self.in_turn(next_leader or self.get("winner"))),
        )
        body = (
            *self.place_dummy(),
            self.set("leader", seat),
            *self.steps(play.before, quiet),
            *(() if self.names.playing is None else (self.set("leader", self.in_turn(self.get("leader"))),)),
            core.While(span, most, going, one_trick),
            *self.steps(play.after, quiet),
        )
        block = core.Block(span, "play", body)
        return self.when(play.when, lambda scope: (block,), Scope())

    # --------------------------------------------------------- who has a turn

    def place_dummy(self) -> Stmts:
        """Where the turn of a dummy comes in this deal."""
        if self.rules.dummy is None:
            return ()
        after = self.expr(self.rules.dummy.after, t.SEAT)
        # Some seat that is not the dummy's own, whatever is said.
        return () if after is None else (self.set("dummy after", core.Prim(t.SEAT, self.span, "after", (after, self.number(0)))),)

    def in_turn(self, seat: core.Expr, place: core.Expr | None = None, players: str = "players") -> core.Expr:
        """The seat itself, or the next that plays if it sits out; with a place, so many turns after it."""
        if self.names.playing is None:
            return seat
        return core.Prim(t.SEAT, seat.span, "in_turn", (self.get(players), seat, place or self.number(0)))

    def trick_winner(self) -> core.Expr:
        """The seat that played the best card; of a card that nobody led, as `note_ahead` has kept count."""
        span, leader = self.span, self.get("leader")
        if self.names.playing is None:
            return core.Prim(t.SEAT, span, "trick_winner", (leader,))
        best = self.in_turn(leader, core.Prim(t.NUMBER, span, "trick_place", ()), "trick players")
        return core.Cond(t.SEAT, span, self.get("trick opened"), self.get("seat ahead"), best) if self.opens else best

    # ------------------------------------------------- a card that nobody led

    @property
    def opens(self) -> bool:
        """Whether a card may open a trick that no seat leads."""
        return self.rules.play is not None and bool(self.rules.play.opens)

    def opening(self) -> Stmts:
        """Who plays to this trick, and the card that opens it, if there is one."""
        if self.names.playing is None:
            return ()
        span, play = self.span, self.rules.play
        first = self.set("trick players", self.get("players"))
        if play is None or not play.opens:
            return (first,)
        trick = core.CardsIn(t.CARDS, span, self.pile("trick"), None)
        there = core.Prim(t.TRUTH, span, "<", (self.number(0), core.Prim(t.NUMBER, span, "size", (trick,))))
        known = frozenset({"lead"})
        found: list[core.Stmt] = [
            self.set("trick opened", core.Const(t.TRUTH, span, True)),
            self.set("lead", core.Prim(t.CARD, span, "top", (trick,))),
            self.set("seat ahead", self.get("leader")),
            self.set("card ahead", core.Const(t.NONE, span, None)),
        ]
        opener = None if play.opener is None else self.expr(play.opener, t.SEAT.or_none, Scope(in_play=True, present=known))
        if opener is not None and not (isinstance(opener, core.Const) and opener.value is None):
            mine = (self.set("seat ahead", opener), self.set("card ahead", self.lead_card()))
            sure = not opener.type.optional
            found += mine if sure else [core.If(span, core.Prim(t.TRUTH, span, "exists", (opener,)), mine, ())]
        return (
            first,
            self.set("trick opened", core.Const(t.TRUTH, span, False)),
            *self.steps(play.opens, Scope(in_play=True)),
            core.If(span, there, tuple(found), ()),
        )

    def lead_card(self) -> core.Expr:
        return core.Get(t.CARD, self.span, self.variable("lead"), None)

    def note_ahead(self) -> Stmts:
        """Keeps the best card of a trick that was opened by a card that does not win, and who played it."""
        if not self.opens:
            return ()
        span = self.span
        card = core.Prim(t.CARD, span, "top", (core.CardsIn(t.CARDS, span, self.pile("trick"), None),))
        best = core.Get(t.CARD, span, self.variable("card ahead"), None)
        trumps = core.Prim(t.CARDS, span, "trumps", ())

        def test(name: str, *args: core.Expr) -> core.Expr:
            return core.Prim(t.TRUTH, span, name, args)

        better = test("or", test("stronger", card, best), test("and", test("in", card, trumps), test("not", test("in", best, trumps))))
        first = test("or", test("follows", card, self.lead_card()), test("in", card, trumps))
        ahead = core.Cond(t.TRUTH, span, test("exists", self.get("card ahead")), better, first)
        note = (self.set("seat ahead", self.get("player")), self.set("card ahead", card))
        return (core.If(span, self.get("trick opened"), (core.If(span, ahead, note, ()),), ()),)

    # ------------------------------------------------------------- questions

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
        before, who = self.chooser(player, scope)
        if not others:
            return (*settled, *before, core.Ask(span, who, "play", (core.Offer("play", card, domain, None, "", lay, span),)))
        done = core.Jump(span, "loop")
        ask = core.Ask(span, who, "play", (core.Offer("play", card, domain, None, "", (*lay, done), span), *others))
        return (core.While(span, self.number(MOST_SAYINGS), None, (*settled, *before, ask)),)

    def chooser(self, player: core.Expr, scope: Scope) -> tuple[Stmts, core.Expr]:
        """Who chooses the card of a seat; whoever chooses for another is shown the hand that he chooses from."""
        play = self.rules.play
        assert play is not None
        who = None if play.chooses is None else self.expr(play.chooses, t.SEAT, scope)
        if who is None:
            if self.rules.dummy is not None and play.chooses is None and self.report.ok:
                self.report.error("E521", f"nobody chooses the cards of `{self.rules.dummy.name.value}`", self.rules.dummy.name.span,
                                  help="say who under `chooses` of `play`")  # fmt: skip
            return (), player
        span = who.span
        hand = core.CardsIn(t.CARDS, span, self.pile("hand"), player)
        new = core.Prim(t.CARDS, span, "without", (hand, core.Prim(t.CARDS, span, "known", (who,))))
        shown = core.Show(span, new, core.Prim(t.SEATS, span, "one", (who,)))
        return (core.If(span, core.Prim(t.TRUTH, span, "is", (who, player)), (), (shown,)),), who

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
            hands = [place for place in taken_from(must) if place.pile.name == "hand"]
            if hands and all(place.index != self.get("player") for place in hands):
                self.report.error("E523", f"the obligation `{rung.key.value}` takes cards from another hand", hands[0].span,
                                  "not the hand of the player", help="a player plays from `hand of player`")  # fmt: skip
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


def taken_from(cards: core.Expr) -> Iterator[core.CardsIn]:
    """The piles that the cards of a set may come from."""
    match cards:
        case core.CardsIn():
            yield cards
        case core.Quant(domain=domain):
            yield from taken_from(domain)
        case core.Cond(then=then, other=other):
            yield from (*taken_from(then), *taken_from(other))
        case core.Prim(name="union" | "meet", args=args):
            yield from (place for part in args for place in taken_from(part))
        case core.Prim(name="without", args=(whole, _)):
            yield from taken_from(whole)
