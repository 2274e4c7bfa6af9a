"""Tables of the kernel: strengths, suits and masks of cards under each ranking, worked out by the evaluator."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from dsl import core
from dsl.evaluate import evaluate
from dsl.facts import Ranked
from dsl.program import Program
from dsl.static import StaticWorld
from dsl.types import CARD
from dsl.walk import all_parts
from interpreter.lowering.emitter import Emitter
from interpreter.lowering.layout import mask_words

RANKED_PRIMITIVES = frozenset({"follows", "stronger", "trumps"})
STATIC_PRIMITIVES = frozenset(
    "suit rank follows stronger worth size next previous side seats_of other_side min max floor ceiling round "
    "+ - * / mod minus < <= is not in within union meet without one suit_cards rank_cards card trumps height "
    "same_number number and or".split()
)


# Under each ranking the masks of a predicate, or the strengths (None).
Worked = dict[core.Expr | None, dict[Ranked | None, list[int]]]


class Tables:
    """Rows by need. A row that depends on the ranking is read through a slot of its own, set whenever a trump is.

    `worked` are rows that were worked out when the same program was lowered before.
    """

    def __init__(self, program: Program, emitter: Emitter, words: int, slot: Callable[[], int], worked: Worked) -> None:
        self.program = program
        self.worked = worked
        self.emitter = emitter
        self.words = words
        self.slot = slot
        self.cards = len(program.deck)
        self.world = StaticWorld(program.deck, program.players, program.sides, (), program.worth, program.bid_heights)
        self.world.bid_numbers = program.bid_numbers
        self.world.persons = program.persons
        self.world.side_of = tuple(next(i for i, x in enumerate(program.sides) if s in x) for s in range(program.players))
        self.masks: dict[core.Expr, Mask] = {}
        self.by_ranking: list[tuple[int, int, int]] = []  # slot, place of ranking 0, size of one ranking
        self.strength_slot = -1

    # ---------------------------------------------------------------- rankings

    def per_ranking(self, rows: Callable[[Ranked], list[int]], size: int, offset: int) -> int:
        """A slot that holds the place of the current ranking's rows, plus an offset."""
        rankings = self.program.rankings.ranked
        place = self.emitter.row([])
        for ranked in rankings:
            values = [0] * size if ranked is None else rows(ranked)
            self.emitter.row(values)
        slot = self.slot()
        self.by_ranking.append((slot, place + offset, size))
        return slot

    def strengths(self) -> int:
        """The slot for `WIN`: strength of each card under each card led."""
        if self.strength_slot < 0:
            kept = self.worked.setdefault(None, {})

            def rows(ranked: Ranked) -> list[int]:
                if ranked not in kept:
                    kept[ranked] = ranked.strengths()
                return kept[ranked]

            self.strength_slot = self.per_ranking(rows, self.cards * self.cards, 0)
        return self.strength_slot

    # ------------------------------------------------------------------- masks

    def needs(self, expr: core.Expr, bound: core.Local) -> frozenset[str] | None:
        """What of the deal an expression about one card depends on: `ranking`, `lead`; None if on more."""
        match expr:
            case core.Const():
                return frozenset()
            case core.Bound(local=local):
                return frozenset() if local is bound else None
            case core.Get(variable=variable, index=None) if variable.name == "trump":
                return frozenset({"ranking"})
            case core.Get(variable=variable, index=None) if variable.name == "lead":
                return frozenset({"lead"})
            case core.Cond(condition=condition, then=then, other=other):
                return self._all((condition, then, other), bound)
            case core.Prim(name=name, args=args) if name in STATIC_PRIMITIVES:
                own = frozenset({"ranking"}) if name in RANKED_PRIMITIVES else frozenset()
                rest = self._all(args, bound)
                return None if rest is None else rest | own
        return None

    def _all(self, parts: tuple[core.Expr, ...], bound: core.Local) -> frozenset[str] | None:
        found: frozenset[str] = frozenset()
        for part in parts:
            more = self.needs(part, bound)
            if more is None:
                return None
            found |= more
        return found

    def mask(self, predicate: core.Expr, bound: core.Local) -> Mask | None:
        """The table of the cards for which a predicate holds, or None if it depends on the deal."""
        needs = self.needs(predicate, bound)
        if needs is None:
            return None
        # Two loops with different names but the same predicate share their table.
        key = rename(predicate, bound)
        found = self.masks.get(key)
        if found is None:
            found = self.masks[key] = self.build(predicate, bound, needs, self.worked.setdefault(key, {}))
        return found

    def build(self, predicate: core.Expr, bound: core.Local, needs: frozenset[str], kept: dict[Ranked | None, list[int]]) -> Mask:
        leads: list[int | None] = list(range(-1, self.cards)) if "lead" in needs else [None]

        finder = Finder(self, bound)

        def rows(ranked: Ranked | None) -> list[int]:
            if ranked in kept:
                return kept[ranked]
            finder.under(ranked)
            values: list[int] = []
            for lead in leads:
                self.world.lead = lead
                values += mask_words(frozenset() if lead == -1 else finder.cards(predicate), self.words)
            self.world.ranking = None
            kept[ranked] = values
            return values

        offset = self.words if "lead" in needs else 0
        if "ranking" in needs:
            return Mask(self.per_ranking(rows, len(leads) * self.words, offset), True, "lead" in needs)
        if "lead" in needs:
            return Mask(self.emitter.row(rows(None)) + offset, False, True)
        return Mask(self.emitter.constant(*rows(None)), False, False)


class Finder:
    """Finds the cards for which a predicate holds, taking sets apart where that is quicker than card by card.

    What does not look at the lead is found once for a ranking.
    """

    def __init__(self, tables: Tables, bound: core.Local) -> None:
        self.world = tables.world
        self.needs = tables.needs
        self.bound = bound
        self.everything = frozenset(range(tables.cards))
        self.by_lead: dict[int, bool] = {}  # by the identity of an expression
        self.about_card: dict[int, bool] = {}
        self.found: dict[int, frozenset[int]] = {}

    def under(self, ranked: Ranked | None) -> None:
        """Turns to a ranking."""
        self.world.ranking = ranked
        self.found.clear()

    def cards(self, predicate: core.Expr) -> frozenset[int]:
        """The cards for which a predicate holds under the ranking and the lead of the world."""
        at = id(predicate)
        if at in self.found:
            return self.found[at]
        if at not in self.by_lead:
            self.by_lead[at] = "lead" in (self.needs(predicate, self.bound) or ())
        cards = self.search(predicate)
        if not self.by_lead[at]:
            self.found[at] = cards
        return cards

    def mentioned(self, expr: core.Expr) -> bool:
        """Whether an expression is about the card that is looked for."""
        at = id(expr)
        if at not in self.about_card:
            self.about_card[at] = mentions(expr, self.bound)
        return self.about_card[at]

    def search(self, predicate: core.Expr) -> frozenset[int]:
        match predicate:
            case core.Prim(name="and", args=(left, right)):
                first = self.cards(left)
                return first & self.cards(right) if first else first
            case core.Prim(name="or", args=(left, right)):
                first = self.cards(left)
                return first if first == self.everything else first | self.cards(right)
            case core.Prim(name="not", args=(inner,)):
                return self.everything - self.cards(inner)
            case core.Prim(name="in", args=(core.Bound(local=local), whole)) if local is self.bound and not self.mentioned(whole):
                cards = evaluate(whole, self.world)
                assert isinstance(cards, frozenset)
                return cards
            case core.Prim(name="follows" | "stronger" as name, args=(core.Bound(local=local), other)) if (
                local is self.bound and not self.mentioned(other)
            ):
                ranked, card = self.world.ranked, evaluate(other, self.world)
                if card is None:
                    return frozenset()
                return frozenset(ranked.followers(card) if name == "follows" else ranked.above(card))
        if not self.mentioned(predicate):
            return self.everything if evaluate(predicate, self.world) else frozenset()
        return frozenset(c for c in self.everything if evaluate(predicate, self.world, {self.bound: c}))


STANDARD = core.Local("card", CARD)


class Mask:
    """Where a mask is: in a constant, in a row by lead, or in rows by ranking (through a slot) and maybe lead."""

    __slots__ = ("at", "by_lead", "by_ranking")

    def __init__(self, at: int, by_ranking: bool, by_lead: bool) -> None:
        self.at = at
        self.by_ranking = by_ranking
        self.by_lead = by_lead


def mentions(expr: core.Expr, local: core.Local) -> bool:
    """Whether a local occurs in an expression."""
    return any(isinstance(part, core.Bound) and part.local is local for part in all_parts(expr))


def rename(expr: core.Expr, local: core.Local) -> core.Expr:
    """The same expression with the local standing for any card replaced by one common to all tables."""
    match expr:
        case core.Bound(local=found) if found is local:
            return replace(expr, local=STANDARD)
        case core.Prim(args=args):
            return replace(expr, args=tuple(rename(arg, local) for arg in args))
        case core.Cond():
            return replace(expr, condition=rename(expr.condition, local), then=rename(expr.then, local), other=rename(expr.other, local))
    return expr
