"""What a running game comes by: probes passed, rungs that decide, conditions of answers, the contract and the options."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from dsl import core
from dsl.evaluate import evaluate
from interpreter.game import Game
from interpreter.lowering.image import OfferImage
from interpreter.opcodes import DECISION, SLOT_STATUS
from interpreter.state import State
from spadille.coverage.items import Key, key, value_key

Env = dict[core.Local, Any]


class Trace:
    """The keys of all that was reached by the games it watches."""

    def __init__(self) -> None:
        self.reached: set[Key] = set()
        self.games: list[Game] = []  # kept, so that what is settled is known by its identity
        self.settled: set[int] = set()  # ladders and offers of which nothing more can be learnt

    def watch(self, game: Game) -> None:
        """Watches a traced game from now on; its options count at its first step."""
        self.games.append(game)
        seen: set[int] = set()
        contract = game.image.variables[game.program.variable("contract")]
        values = {value_key(option) for option in game.program.options.values()}
        probes = [key(one.probe.span, one.probe.what) for one in game.image.probes]
        contracts = [key(row.key.span, "played") for row in game.program.rules.contracts]

        def look(memory: Sequence[int]) -> None:
            self.reached |= values
            if 0 <= memory[contract] < len(contracts):
                self.reached.add(contracts[memory[contract]])
            at = len(game.image.mem) - len(probes)
            for number, name in enumerate(probes):
                if memory[at + number] and number not in seen:
                    seen.add(number)
                    self.reached.add(name)
            if memory[SLOT_STATUS] == DECISION:
                self.question(State(game, tuple(memory[: game.image.n_state]), (), ()))

        game.watch = look

    # --------------------------------------------------------------- questions

    def question(self, state: State) -> None:
        """Notes which obligation decides and which conditions of answers hold and fail."""
        for image in state.question.offers:
            if image.cards and image.offer.domain is not None:
                self.domain(image.offer.domain, state, state.locals())
            if image.offer.when is not None and id(image.offer) not in self.settled:
                self.offer(image, state, state.locals())

    def domain(self, expr: core.Expr, state: State, env: Env) -> None:
        while isinstance(expr, core.Cond):
            expr = expr.then if evaluate(expr.condition, state.world, env) else expr.other
        if isinstance(expr, core.Ladder) and id(expr) not in self.settled:
            self.ladder(expr, state, env)

    def ladder(self, ladder: core.Ladder, state: State, env: Env) -> None:
        for rung in ladder.rungs:
            holds = rung.condition is None or evaluate(rung.condition, state.world, env)
            self.reached.add(key(rung.span, "holds" if holds else "fails"))
            if holds and evaluate(rung.must, state.world, env):
                self.reached.add(key(rung.span, "decides"))
                break
        wanted = {key(rung.span, "decides") for rung in ladder.rungs}
        wanted |= {key(rung.span, side) for rung in ladder.rungs if rung.condition is not None for side in ("holds", "fails")}
        if wanted <= self.reached:
            self.settled.add(id(ladder))

    def offer(self, image: OfferImage, state: State, env: Env) -> None:
        offer = image.offer
        assert offer.when is not None
        for element in sorted(evaluate(offer.domain, state.world, env)) if offer.domain is not None else (None,):
            inner = env if offer.local is None else {**env, offer.local: element}
            self.reached.add(key(offer.span, "holds" if evaluate(offer.when, state.world, inner) else "fails"))
        if {key(offer.span, side) for side in ("holds", "fails")} <= self.reached:
            self.settled.add(id(offer))
