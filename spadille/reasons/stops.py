"""One answer run from probe to probe: what every place that the game came by saw there."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from dsl import core
from interpreter.action import Action
from interpreter.event import Event, read_log
from interpreter.game import Game
from interpreter.kernel import run
from interpreter.opcodes import LOG_START, SLOT_ACTION, STOP, WIDTH
from interpreter.state import LOG_ROOM, State
from interpreter.world import StateWorld

AT_PROBE = 99
MOST_STOPS = 5_000


@dataclass(frozen=True, slots=True)
class Stop:
    """A probe that was passed, what stood in memory then, and the names bound there."""

    probe: core.Probe
    world: StateWorld
    env: dict[core.Local, Any]


def stops_of(game: Game, before: State, action: Action) -> tuple[list[Stop], list[Event]]:
    """The probes passed between an answer and the next question or the end of the deal, in their order, and what happened."""
    code = list(game.image.code)
    by_place = {one.place: one for one in game.image.probes}
    for place in by_place:
        code[place : place + WIDTH] = [STOP, AT_PROBE, *[0] * (WIDTH - 2)]
    memory = [*before.memory, *game.rest]
    memory[SLOT_ACTION] = action.id
    log = [0] * (LOG_START + LOG_ROOM)
    log[0], log[1] = LOG_START, LOG_START + LOG_ROOM
    found: list[Stop] = []
    while run(code, game.image.tab, memory, log) == AT_PROBE:
        one = by_place[memory[0] - WIDTH]
        world = StateWorld(game.image, tuple(memory))
        found.append(Stop(one.probe, world, {local: world.decode(local.type, slot) for local, slot in one.locals}))
        if len(found) >= MOST_STOPS:
            run(game.image.code, game.image.tab, memory, log)
            break
    return found, read_log(game.image, game.places, log, memory)
