"""Draws worlds: whole states that look to a seat exactly as its view does."""

from __future__ import annotations

from dataclasses import dataclass, replace
from random import Random

from interpreter.game import Game
from interpreter.state import State
from interpreter.view import View
from spadille.worlds.evidence import Way, read_evidence, rows
from spadille.worlds.flow import Flow, Flows
from spadille.worlds.matching import Matching
from spadille.worlds.missing import Missing
from spadille.worlds.replay import Replay

PATIENCE = 25  # attempts for each world found, before worlds are sought by exchanges
BASES = 16
CLIMB = 16_000  # answers replayed on the way to a first world
STRIDE = 6  # exchanges from world to world
MOST_FLOWS = 500


@dataclass(frozen=True, slots=True)
class World:
    """A state that the seat cannot tell from the true one.

    With `weight` as probability, up to a factor, every deal of the pack together with every way to choose the cards
    put down unseen is equally likely. How well the other seats play is not considered.
    """

    state: State
    weight: float


@dataclass(frozen=True, slots=True)
class Layout:
    """Which cards may lie on the places of one flow: groups of places, and the ways to lay the cards on them."""

    groups: tuple[tuple[int, ...], ...]
    matching: Matching


class Sampler:
    """The worlds that fit one view. Raises ValueError for a view of a position that was set up."""

    def __init__(self, game: Game, view: View) -> None:
        self.game, self.view = game, view
        self.evidence = evidence = read_evidence(view)
        assert view.opening is not None
        opening, self.first = view.opening
        # What came before the pack was dealt is known only as the seat saw it.
        self.before = tuple(replace(event, seen=frozenset((view.seat,))) for event in view.events[: self.first])
        self.size = len(game.program.deck)
        self.flows = Flows(evidence, self.size, rows(game))
        self.replay = Replay(game, evidence, opening, view.seat)
        self.cards = frozenset(range(self.size))
        self.fits: dict[Way, frozenset[int]] = {}
        self.only: Layout | None = None  # the layout of the only flow there is
        self.matchings: dict[tuple[tuple[tuple[int, ...], int], ...], Matching] = {}
        self.scale: int | None = None
        self.tried = self.drawn = 0
        # What answers tell of cards that are missing needs the public course of the deal, which any world has that
        # asks the same seats.
        for number in range(BASES if evidence.answers else 0):
            random = Random(number)
            drawn = self.order(random)
            if drawn is None or self.replay.play(*drawn[:2], random, Missing(game, evidence, view.seat)) is not None:
                break
        self.fits.clear()
        self.matchings.clear()
        self.only = None
        self.scale = None

    def layout(self, flow: Flow) -> Layout | None:
        """How cards may be laid on the places of a flow; None where they cannot."""
        if not flow.possible or any(token.card is not None and token.card not in self.fitting(tuple(token.way)) for token in flow.tokens):
            return None
        unknown = self.cards - {token.card for token in flow.tokens}
        groups: dict[tuple[int, ...], list[int]] = {}
        for token in flow.tokens:
            if token.card is None and token.place is not None:
                groups.setdefault(tuple(sorted(self.fitting(tuple(token.way)) & unknown)), []).append(token.place)
        kinds = sorted(groups)
        key = tuple((cards, len(groups[cards])) for cards in kinds)
        if key not in self.matchings:
            if len(self.matchings) >= MOST_FLOWS:
                self.matchings.clear()
            allowed = {card: frozenset(n for n, cards in enumerate(kinds) if card in cards) for card in sorted(unknown)}
            self.matchings[key] = Matching(allowed, [len(groups[cards]) for cards in kinds])
        matching = self.matchings[key]
        return Layout(tuple(tuple(groups[cards]) for cards in kinds), matching) if matching.possible else None

    def fitting(self, way: Way) -> frozenset[int]:
        """The cards that may have gone a way."""
        if way not in self.fits:
            self.fits[way] = frozenset(card for card in self.cards if self.evidence.fits(card, way))
        return self.fits[way]

    def order(self, random: Random) -> tuple[list[int], dict[int, int], float, Layout] | None:
        """The pack in an order that may have been dealt, the cards put down unseen, and the weight of the choice."""
        flow = self.flows.draw(random)
        layout = self.only or self.layout(flow)
        if layout is None:
            return None
        if flow.certain:
            self.only = layout
        order = [-1 if token.card is None else token.card for token in flow.tokens]
        found = layout.matching.draw(random)
        for number, group in enumerate(layout.groups):
            cards = [card for card, at in found.items() if at == number]
            random.shuffle(cards)
            for place, card in zip(group, cards, strict=True):
                order[place] = card
        given = {at: order[token.place] if token.place is not None else token.card for at, token in flow.given.items()}
        if self.scale is None:
            self.scale = layout.matching.all_ways
        return order, {at: card for at, card in given.items() if card is not None}, layout.matching.all_ways / self.scale, layout

    def draw(self, random: Random) -> World | None:
        """One attempt: a world, or None where the cards drawn do not fit after all."""
        self.tried += 1
        drawn = self.order(random)
        if drawn is None:
            return None
        order, given, weight, _ = drawn
        return self.world(order, given, weight, random)

    def world(self, order: list[int], given: dict[int, int], weight: float, random: Random) -> World | None:
        """The world in which the pack lay in an order, if it looks as it should."""
        course = self.replay.play(order, given, random)
        if course is None:
            return None
        state = State(self.game, tuple(course.memory), (*self.before, *course.events), ())
        if state.seat != self.view.decider or state.over != self.view.over:
            return None
        self.drawn += 1
        return World(state, weight * course.weight)

    def worlds(self, count: int, random: Random) -> list[World]:
        """Up to so many worlds; fewer, or none, where they are hard to find."""
        found: list[World] = []
        while len(found) < count:
            world = self.draw(random)
            if world is not None:
                found.append(world)
            elif self.tried >= PATIENCE * (self.drawn + 1):
                return self.walk(count, random)
        return found

    def walk(self, count: int, random: Random) -> list[World]:
        """Worlds found by exchanging cards in one that fits: a Markov chain whose worlds are equally likely in the end."""
        best, spent, world, now = -1, 0, None, None
        while world is None and spent < CLIMB:
            # Uphill first: the more of the answers heard are possible, the better. Now and then from the start again.
            fresh = now is None or random.randrange(100) == 0
            trial = self.order(random) if fresh or now is None else self.exchanged(now, random)
            spent += 4
            if trial is None:
                continue
            self.tried += 1
            world = self.world(*trial[:3], random)
            spent += self.replay.reached
            if world is not None or self.replay.reached >= best:
                best, now = self.replay.reached, trial
        found: list[World] = []
        for step in range(count * STRIDE if world is not None else 0):
            assert world is not None and now is not None
            trial = self.exchanged(now, random) if step % STRIDE else self.order(random)
            if trial is None:
                continue
            other = self.world(*trial[:3], random)
            if other is not None and random.random() * world.weight < other.weight:
                now, world = trial, other
            if step % STRIDE == STRIDE - 1:
                found.append(World(world.state, 1.0))
        return found

    def exchanged(
        self, now: tuple[list[int], dict[int, int], float, Layout], random: Random
    ) -> tuple[list[int], dict[int, int], float, Layout]:
        """The order with two cards exchanged that may lie on each other's places."""
        order, given, weight, layout = now
        at = {place: number for number, group in enumerate(layout.groups) for place in group}
        if len(at) < 2:
            return now
        one, two = random.sample(sorted(at), 2)
        allowed = layout.matching.allowed
        if at[two] not in allowed[order[one]] or at[one] not in allowed[order[two]]:
            return now
        swap = {order[one]: order[two], order[two]: order[one]}
        return [swap.get(card, card) for card in order], {at: swap.get(card, card) for at, card in given.items()}, weight, layout
