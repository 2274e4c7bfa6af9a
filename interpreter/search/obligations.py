"""The obligations of a play as masks: for each card led, which cards call an obligation into force and which satisfy it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from weakref import WeakKeyDictionary

from dsl import core
from dsl.evaluate import evaluate
from dsl.facts import Ranked
from dsl.walk import all_parts
from interpreter.game import Game
from interpreter.lowering.emitter import Emitter
from interpreter.lowering.tables import Finder, Tables
from interpreter.search.playform import PlayForm, Unfit
from interpreter.state import State

# Functions that look at more of the state than their arguments and the ranking.
LOOKING = frozenset({"holder", "top", "earlier", "trick_winner", "trick_place", "in_turn"})
Masks = tuple[tuple[frozenset[int], frozenset[int]], ...]  # for each card led: what calls it into force, what satisfies it

MOST_KNOWN = 200


@dataclass(frozen=True, slots=True)
class Obligations:
    """The rungs that hold for those who follow and for who leads (then with one pair of masks instead of one a card)."""

    following: tuple[Masks, ...]
    leading: tuple[Masks, ...]


_known: WeakKeyDictionary[Game, dict[tuple[int, ...], Obligations]] = WeakKeyDictionary()


class Reader:
    """Turns the obligations of a play into masks, under the values that are settled when the play begins."""

    def __init__(self, state: State, form: PlayForm) -> None:
        self.state = state
        self.form = form
        self.program = state.game.program
        self.world = state.world
        self.ranked: Ranked = state.world.ranked
        self.tables = Tables(self.program, Emitter(), state.game.image.words, lambda: 0, {})
        self.hand = self.program.pile("hand")
        self.everything = frozenset(range(len(self.program.deck)))

    def read(self) -> Obligations:
        """All obligations; raises Unfit where one looks at more than hand, card led and trumps."""
        key = self._settled_values()
        known = _known.setdefault(self.state.game, {})
        if key not in known:
            if len(known) >= MOST_KNOWN:
                known.clear()
            lead, follow = self._split(self.form.domain)
            known[key] = Obligations(self._rungs(follow, True), self._rungs(lead, False))
        return known[key]

    def _settled_values(self) -> tuple[int, ...]:
        """The ranking, and what the obligations read that no longer changes: with them, the masks are the same."""
        image, memory = self.state.game.image, self.state.memory
        names = ("way", "trump")
        found = [memory[image.variables[self.program.variable(name)]] for name in names]
        for variable in self.form.read:
            width = image.words if variable.type.kind == "cards" else 1
            count = {"": 1, "seat": self.program.players, "side": len(self.program.sides)}[variable.per]
            at = image.variables[variable]
            found += memory[at : at + width * count]
        return tuple(found)

    # ------------------------------------------------------------------ parts

    def _split(self, domain: core.Expr) -> tuple[core.Expr, core.Expr]:
        if isinstance(domain, core.Cond):
            if _is_leading(domain.condition):
                return self._chosen(domain.then), self._chosen(domain.other)
            return self._split(self._chosen(domain))
        return domain, domain

    def _chosen(self, expr: core.Expr) -> core.Expr:
        """One of two ways whose condition is settled."""
        while isinstance(expr, core.Cond):
            if _is_leading(expr.condition):
                raise Unfit("who leads is asked about twice")
            expr = expr.then if self._settled(expr.condition) else expr.other
        return expr

    def _settled(self, expr: core.Expr) -> Any:
        if not self._fixed(expr):
            raise Unfit("which cards may be played depends on more than hand, card led and trumps")
        return evaluate(expr, self.world)

    def _fixed(self, expr: core.Expr) -> bool:
        """Whether an expression keeps its value as long as the play lasts."""
        for part in all_parts(expr):
            if isinstance(part, core.Bound | core.CardsIn | core.Balance | core.Ladder):
                return False
            if isinstance(part, core.Prim) and part.name in LOOKING:
                return False
            if isinstance(part, core.Get) and part.variable in self.form.changing:
                return False
        return True

    def _settle(self, expr: core.Expr) -> core.Expr:
        """The expression with the parts that keep their value replaced by it."""
        if isinstance(expr, core.Const | core.Bound) or (isinstance(expr, core.Get) and expr.variable.name in ("lead", "trump")):
            return expr
        if self._fixed(expr):
            return core.Const(expr.type, expr.span, evaluate(expr, self.world))
        match expr:
            case core.Prim(args=args):
                return core.Prim(expr.type, expr.span, expr.name, tuple(self._settle(x) for x in args))
            case core.Cond(condition=condition, then=then, other=other):
                return core.Cond(expr.type, expr.span, self._settle(condition), self._settle(then), self._settle(other))
        return expr

    def _rungs(self, expr: core.Expr, following: bool) -> tuple[Masks, ...]:
        if self._whole_hand(expr):
            return (self._masks(None, None, following),)
        if not isinstance(expr, core.Ladder):
            raise Unfit("which cards may be played is no ladder of obligations")
        found = []
        for rung in expr.rungs:
            holds = self._condition(rung.condition)
            if holds is not False:
                found.append(self._masks(None if holds is True else holds, self._must(rung.must), following))
        return tuple(found)

    def _condition(self, expr: core.Expr | None) -> bool | tuple[core.Expr, core.Local]:
        """Whether a rung holds: settled, or where some card of the hand fits a predicate."""
        if expr is None:
            return True
        if self._fixed(expr):
            return bool(evaluate(expr, self.world))
        if isinstance(expr, core.Quant) and expr.kind == "some" and self._whole_hand(expr.domain):
            return expr.body, expr.local
        if isinstance(expr, core.Prim) and expr.name == "and":
            first, second = (self._condition(part) for part in expr.args)
            if first is False or second is False:
                return False
            if first is True or second is True:
                return second if first is True else first
        raise Unfit("when an obligation holds depends on more than hand, card led and trumps")

    def _must(self, expr: core.Expr) -> tuple[core.Expr, core.Local] | None:
        """The predicate of the cards that satisfy a rung; None for the whole hand."""
        expr = self._chosen(expr)
        if self._whole_hand(expr):
            return None
        if isinstance(expr, core.Quant) and expr.kind == "those" and self._whole_hand(expr.domain):
            return expr.body, expr.local
        if isinstance(expr, core.Prim) and expr.name in ("without", "meet") and self._whole_hand(expr.args[0]):
            local = core.Local("card", expr.args[0].type.element)
            inside = core.Prim(expr.type, expr.span, "in", (core.Bound(local.type, expr.span, local), expr.args[1]))
            return (inside if expr.name == "meet" else core.Prim(expr.type, expr.span, "not", (inside,))), local
        raise Unfit("what an obligation asks for depends on more than hand, card led and trumps")

    def _whole_hand(self, expr: core.Expr) -> bool:
        return (
            isinstance(expr, core.CardsIn)
            and expr.pile is self.hand
            and isinstance(expr.index, core.Get | core.Bound)
            and (expr.index.variable.name if isinstance(expr.index, core.Get) else expr.index.local.name) == "player"
        )

    # ------------------------------------------------------------------ masks

    def _masks(self, some: tuple[core.Expr, core.Local] | None, must: tuple[core.Expr, core.Local] | None, following: bool) -> Masks:
        calls, cards = self._sets(some, following), self._sets(must, following)
        return tuple(zip(calls, cards, strict=True))

    def _sets(self, predicate: tuple[core.Expr, core.Local] | None, following: bool) -> list[frozenset[int]]:
        leads: list[int | None] = list(range(len(self.program.deck))) if following else [None]
        if predicate is None:
            return [self.everything] * len(leads)
        body, local = self._settle(predicate[0]), predicate[1]
        needs = self.tables.needs(body, local)
        if needs is None or ("lead" in needs and not following):
            raise Unfit("an obligation looks at more than a card, the card led and trumps")
        world, finder = self.tables.world, Finder(self.tables, local)
        finder.under(self.ranked)
        found = []
        for lead in leads:
            world.lead = lead
            if lead == leads[0] or "lead" in needs:
                cards = finder.cards(body)
            found.append(cards)
        world.ranking = world.lead = None
        return found


def _is_leading(expr: core.Expr) -> bool:
    """Whether an expression asks if no card lies on the table."""
    match expr:
        case core.Prim(name="is", args=(core.Prim(name="size", args=(core.CardsIn(pile=pile),)), core.Const(value=0))):
            return pile.name == "trick"
    return False
