"""Who plays with whom, read from a game: its sides, the party that its rules give the declarer, or everybody alone."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction

from dsl import core
from dsl.diagnostics import Report
from dsl.source import Scalar
from dsl.walk import all_parts, expressions, statements
from interpreter.game import Game
from interpreter.state import State
from interpreter.world import StateWorld

Party = frozenset[int]
ALOFT = 1_000_000


class WrongSides(ValueError):
    """The sides given are none of this game."""


def parties_of(state: State, given: Iterable[Iterable[int]] | None = None) -> tuple[Party, ...]:
    """The parties of a position, each a set of seats; those given must hold every seat once. Raises WrongSides."""
    game = state.game
    if given is not None:
        found = tuple(frozenset(party) for party in given)
        if sorted(seat for party in found for seat in party) != list(range(game.players)) or not all(found):
            raise WrongSides(f"the sides must hold each of the seats 0 to {game.players - 1} once")
        return found
    if game.program.rules.sides:
        return game.program.sides
    party = declarers(state)
    if party is not None:
        return party, frozenset(range(game.players)) - party
    parted = _parted(state)
    if parted:
        return parted
    return tuple(frozenset((seat,)) for seat in range(game.players))


def declarers(state: State) -> Party | None:
    """The declarer with those that the ruleset's own definitions put beside him; None where nobody plays against the rest."""
    game = state.game
    auction = game.program.rules.auction
    if auction is None or auction.declarer is None:
        return None
    role = game.program.variable(auction.declarer.value)
    # Nobody has won the auction yet, or the deal is not counted by who did.
    if not auction_over(state) or not _counts(state, role):
        return None
    declarer = state.world.variable(role, None)
    if declarer is None:
        return None
    everybody = frozenset(range(game.players))
    found = []
    for definition in game.program.rules.define:
        if definition.head.parameters:
            continue
        seats = _seats(state, definition.head.name.text)
        if seats is None or seats in (frozenset(), everybody):
            continue
        found.append(seats if declarer in seats else everybody - seats)
    # Where rules know a party and its opponents, both give the same; the widest that leaves somebody is the party.
    return max(found, key=lambda seats: (found.count(seats), len(seats)), default=frozenset((declarer,)))


def _parted(state: State) -> tuple[Party, ...]:
    """The two parties that a definition of a seat gives, as `party(seat s)` does: the dealer's and the other one."""
    for definition in state.game.program.rules.define:
        if len(definition.head.parameters) == 1:
            name = definition.head.name.text
            one, other = (_seats(state, f"{name}({seat})") for seat in ("dealer", "eldest"))
            everybody = set(range(state.game.players))
            if one and other and not one & other and one | other == everybody and state.world.named("dealer") in one:
                return tuple(sorted((one, other), key=min))
    return ()


def auction_over(state: State) -> bool:
    """Whether a contract is settled."""
    return state.contract is not None if state.game.program.contracts else state.world.named("high_bidder") is not None


def _seats(state: State, name: str) -> Party | None:
    """The value of a definition that gives seats and depends on nothing that play changes; None for another one."""
    span = state.game.program.rules.span
    expr = state.game.program.check(Scalar(name, range(len(name) + 1), span), Report())
    if expr is None or expr.type.kind != "seats" or _looks(expr):
        return None
    try:
        value = state.world.value(expr)
    except (LookupError, TypeError, ValueError):
        return None
    return frozenset(value)


def _looks(expr: core.Expr) -> bool:
    changing = ("tricks", "last_won", "winner", "leader", "player", "trick_number", "lead")
    for part in all_parts(expr):
        if isinstance(part, core.Get) and part.variable.name in changing:
            return True
        if isinstance(part, core.CardsIn | core.Balance):
            return True
    return False


def _counts(state: State, role: core.Variable) -> bool:
    """Whether outcome or payments of this contract read who the declarer is."""
    reached = False
    for part in _scoring(state, state.game.program.body):
        if isinstance(part, core.Mark) and part.name == "score":
            reached = True
        if reached and any(isinstance(x, core.Get) and x.variable is role for expr in expressions(part) for x in all_parts(expr)):
            return True
    return False


def _scoring(state: State, body: Sequence[core.Stmt]) -> Iterable[core.Stmt]:
    """The statements from the score on, without the ways of other contracts."""
    for whole in statements(body):
        if isinstance(whole, core.Block) and whole.name == "deal":
            at = next((n for n, part in enumerate(whole.body) if isinstance(part, core.Mark)), len(whole.body))
            yield from _reached(state, whole.body[at:])


def _reached(state: State, body: Iterable[core.Stmt]) -> Iterable[core.Stmt]:
    for part in body:
        if isinstance(part, core.If) and _about_contract(part.condition):
            yield from _reached(state, part.then if state.world.value(part.condition) else part.other)
        else:
            yield part
            yield from statements(inner for inner in _inside(part))


def _inside(part: core.Stmt) -> Iterable[core.Stmt]:
    if isinstance(part, core.If):
        return (*part.then, *part.other)
    if isinstance(part, core.For | core.While | core.Block):
        return part.body
    return ()


def _about_contract(condition: core.Expr) -> bool:
    reads = [part.variable.name for part in all_parts(condition) if isinstance(part, core.Get)]
    return reads == ["contract"] and not any(isinstance(part, core.CardsIn) for part in all_parts(condition))


def more_is_better(game: Game) -> bool:
    """Whether a high score wins, asked of the ruleset's own rule for who is ahead."""
    expr = game.program.winners
    account = next((account for account in game.program.accounts if account.per), None)
    if expr is None or account is None:
        return True
    memory = list(game.image.mem)
    memory[game.image.accounts[account]] += ALOFT * game.image.scale
    try:
        ahead = StateWorld(game.image, memory).value(expr)
    except (LookupError, TypeError, ValueError):
        return True
    return 0 in ahead


def plain(number: int, scale: int) -> int | Fraction:
    """A whole number of 1/scale as an exact number."""
    value = Fraction(number, scale)
    return int(value) if value.denominator == 1 else value
