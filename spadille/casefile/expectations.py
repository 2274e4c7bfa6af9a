"""What a case expects in the end: outcome, gains, winners, and any account, variable or definition by its name."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from dsl import core
from dsl import types as t
from dsl.diagnostics import Report
from dsl.evaluate import evaluate
from dsl.ruleset import Definition
from dsl.source import Entry, Mapping, Node, Scalar, Sequence, Span
from dsl.types import Type
from interpreter.game import Game
from interpreter.opcodes import MATCH_OVER, SLOT_STATUS
from interpreter.state import State, step
from interpreter.world import StateWorld
from spadille.casefile.result import Checks, WrongCase
from spadille.casefile.words import agree, hint, one_text, shown_node

OWN = ("outcome", "contract", "over", "match_over", "winners", "gains", "next_dealer")


def at_match_end(state: State) -> State | None:
    """The state after the last steps of the match if it ends with this deal, else None."""
    if not state.over:
        return None
    memory = [*state.memory, *state.game.rest]
    status, _ = step(state.game, memory)
    if status != MATCH_OVER:
        return None
    memory[SLOT_STATUS] = MATCH_OVER
    return State(state.game, tuple(memory[: state.game.image.n_state]), state.events, (), state.opening)


def next_dealer(state: State) -> int | None:
    """Who deals the deal after a finished one; None if none follows."""
    if not state.over:
        return None
    memory = [*state.memory, *state.game.rest]
    status, _ = step(state.game, memory)
    return None if status == MATCH_OVER else StateWorld(state.game.image, memory).named("dealer")


def check_expected(state: State, expected: Node | None, checks: Checks) -> None:
    """Holds a state against `expect`; accounts are looked at after the match if it is expected to be over."""
    if not isinstance(expected, Mapping):
        return
    end = at_match_end(state)
    match_over = expected.get("match_over")
    wants_end = isinstance(match_over, Scalar) and match_over.value == "true"
    last = end if end is not None and wants_end else state
    for entry in expected:
        name = entry.key.value
        if name in OWN:
            _own(name, entry, state, end, checks)
        else:
            _named(entry, last, checks)


def _own(name: str, entry: Entry, state: State, end: State | None, checks: Checks) -> None:
    program = state.game.program
    found: dict[str, tuple[Type, Any]] = {
        "over": (t.TRUTH, state.over),
        "match_over": (t.TRUTH, end is not None),
        "next_dealer": (t.SEAT.or_none, next_dealer(state) if name == "next_dealer" else None),
        "outcome": (t.OUTCOME.or_none, state.world.named("outcome")),
        "contract": (t.CONTRACT.or_none, state.world.named("contract")),
    }
    if name in found:
        type_, value = found[name]
        wanted = one_text(entry)
        checks.equal(wanted.span, name, *agree(program, type_, wanted, value))
    elif name == "winners":
        seats = sorted((end or state).winners)
        checks.equal(_span(entry), "winners", shown_node(entry.value), " ".join(str(seat) for seat in seats) or "nobody")
    elif not state.over:
        checks.fail(_span(entry), name, shown_node(entry.value), "the deal is not over")
    else:
        gains = [Fraction(gain) for gain in state.payoffs]
        rows = list(entry.value) if isinstance(entry.value, Sequence) else [entry.value]
        if len(rows) != program.players:
            raise WrongCase("E803", f"`gains` has {len(rows)} values, and {program.players} are due", entry.key.span)
        for seat, (row, gain) in enumerate(zip(rows, gains, strict=True)):
            wanted = one_text(entry, row)
            checks.equal(wanted.span, f"gain of seat {seat}", *agree(program, t.FRACTION, wanted, gain))


def _span(entry: Entry) -> Span:
    return entry.value.span if isinstance(entry.value, Scalar) else entry.key.span


def _named(entry: Entry, state: State, checks: Checks) -> None:
    """A variable, an account or a definition: its value, or one for each seat or side."""
    game, name = state.game, entry.key.value
    program = game.program
    per = _kept_per(game, entry.key)
    rows: list[tuple[str, Node]]
    if isinstance(entry.value, Mapping):
        rows = [(one.key.value, one.value) for one in entry.value]
    elif isinstance(entry.value, Sequence) and per == "pair":
        lists = [list(row) if isinstance(row, Sequence) else [row] for row in entry.value]
        if [len(row) for row in lists] != [program.players] * program.players:
            count = program.players
            raise WrongCase("E803", f"`{name}` has {count} lists of {count} values, one list for each seat", entry.key.span)
        rows = [(f"{one} on {other}", node) for one, row in enumerate(lists) for other, node in enumerate(row)]
    elif isinstance(entry.value, Sequence):
        owners = program.side_names if per == "side" and program.side_names else tuple(str(seat) for seat in range(program.players))
        if len(owners) != len(entry.value):
            raise WrongCase("E803", f"`{name}` has {len(entry.value)} values, and {len(owners)} are due", entry.key.span)
        rows = list(zip(owners, entry.value, strict=True))
    else:
        rows = [("", entry.value)]
    for owner, node in rows:
        wanted = one_text(entry, node)
        text = name if not owner else f"{name} of {owner}"
        expr = expression(game, Scalar(text, (entry.key.span.start,) * (len(text) + 1), entry.key.span))
        checks.equal(wanted.span, text, *agree(program, expr.type, wanted, worked_out(expr, state.world, entry.key.span)))


def _kept_per(game: Game, key: Scalar) -> str:
    """Whether a name is kept per seat or side; raises WrongCase for an unknown name."""
    program = game.program
    things: list[core.Variable | core.Account] = [*program.variables, *program.accounts]
    for thing in things:
        if thing.name == key.value:
            return thing.per
    definitions = {definition.head.name.text: definition for definition in program.rules.define}
    if key.value not in definitions:
        known = [*OWN, *(thing.name for thing in things), *definitions]
        raise WrongCase("E803", f"`{key.value}` is no variable, account or definition of this game", key.span, "nothing has this name",
                        hint(key.value, known))  # fmt: skip
    return _parameter(definitions[key.value])


def _parameter(definition: Definition) -> str:
    kinds = [parameter.type.text for parameter in definition.head.parameters]
    return kinds[0] if len(kinds) == 1 and kinds[0] in ("seat", "side") else ""


# ---------------------------------------------------------------- expressions


def expression(game: Game, text: Scalar) -> core.Expr:
    """An expression checked against the names of a game; raises WrongCase with the checker's words."""
    report = Report()
    expr = game.program.check(text, report)
    if expr is None:
        first = report.errors[0]
        raise WrongCase(first.code, first.message, first.span, first.label.text, first.help)
    return expr


def worked_out(expr: core.Expr, world: StateWorld, span: Span) -> Any:
    """The value of an expression in a state; raises WrongCase where the state does not give it one."""
    try:
        return evaluate(expr, world)
    except (LookupError, TypeError, ValueError, ArithmeticError) as fault:
        raise WrongCase("E804", f"`{span.text}` has no value here", span, "something it needs is not given") from fault
