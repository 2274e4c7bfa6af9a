"""The form of a ruleset's play, read from its core program: whether cards alone decide it, and under which obligations."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from dsl import core
from dsl.walk import all_parts, bodies, expressions, statements
from interpreter.game import Game

# What steps around the cards may change without a word in which card may be played and who wins.
QUIET = (core.Assign, core.Bind, core.If, core.For, core.While, core.Ask, core.Say, core.Show, core.Transfer, core.Jump)
FIXED = frozenset({"lead", "leader", "player", "trump", "way", "contract", "winner", "tricks", "trick_number", "dealer"})


class Unfit(Exception):
    """The cards alone do not decide this play; the message says why."""


@dataclass(frozen=True, slots=True)
class PlayForm:
    """The parts of a play that is nothing but tricks: its loop, the question for a card, and what changes meanwhile."""

    ask: core.Ask
    seats: core.Expr
    most: int
    domain: core.Expr
    changing: frozenset[core.Variable]
    read: tuple[core.Variable, ...]  # what the obligations read of all that does not change
    moves_after: bool  # cards change hands after the last trick


def play_form(game: Game) -> PlayForm:
    """The form of a game's play; raises Unfit where more than the cards decides it."""
    program = game.program
    block = next((s for s in statements(program.body) if isinstance(s, core.Block) and s.name == "play"), None)
    if block is None:
        raise Unfit("this game has no `play` section")
    loop = next((s for s in block.body if isinstance(s, core.While)), None)
    turns = None if loop is None else next((s for s in loop.body if isinstance(s, core.For)), None)
    ask = (
        None if turns is None else next((s for s in statements(turns.body) if isinstance(s, core.Ask) and s.offers[0].verb == "play"), None)
    )
    if loop is None or turns is None or ask is None or ask.offers[0].domain is None or ask.offers[0].when is not None:
        raise Unfit("the play is not in tricks of one card from each hand")
    going = loop.condition
    if not (isinstance(going, core.Prim) and going.name == "<" and isinstance(loop.most, core.Const) and isinstance(loop.most.value, int)):
        raise Unfit("how many tricks are played depends on the deal")
    if program.players > program.persons or not (isinstance(ask.who, core.Get) and ask.who.variable.name == "player"):
        raise Unfit("somebody plays the cards of another seat")
    own = _standard(loop, turns)
    for part in own:
        if isinstance(part, core.Assign) and part.variable.name in ("winner", "leader") and not _as_usual(part):
            raise Unfit("the winner of a trick, or who leads to the next, is found in a way of its own")
    for part in statements(loop.body):
        if part not in own and not any(part is x for x in statements(ask.offers[0].body)):
            _quiet(part)
    answered = {id(s) for s in statements(loop.body) if isinstance(s, core.Ask) for offer in s.offers for s in statements(offer.body)}
    for part in statements(loop.body):
        if isinstance(part, core.Jump) and part.block != "loop" and id(part) not in answered:
            raise Unfit("the play may end of itself before the last card")
    changing = {s.variable for s in statements(block.body) if isinstance(s, core.Assign)}
    changing |= {v for v in program.variables if v.name in ("lead", "player", "leader", "winner")}
    moving = (core.MoveCards, core.MoveTop, core.Shuffle)
    moves_after = any(isinstance(s, moving) for s in _behind(program.body, block, loop))
    domain = ask.offers[0].domain
    read = {part.variable for part in all_parts(domain) if isinstance(part, core.Get)} - changing
    in_order = tuple(sorted(read, key=lambda variable: variable.name))
    return PlayForm(ask, turns.domain, loop.most.value, domain, frozenset(changing), in_order, moves_after)


def _standard(loop: core.While, turns: core.For) -> list[core.Stmt]:
    """The statements that every play has: whose turn it is, the trick taken by its winner, the count."""
    found: list[core.Stmt] = [turns]
    own = ("trick_number", "winner", "lead", "tricks", "last_won", "leader")
    for part in loop.body:
        counts = isinstance(part, core.Assign) and part.variable.name in own
        takes = isinstance(part, core.MoveCards) and part.source.pile.name == "trick" and part.target.pile.name == "won"
        if counts or takes:
            found.append(part)
    found += [part for part in turns.body if isinstance(part, core.Assign) and part.variable.name == "player"]
    return found


def _as_usual(part: core.Assign) -> bool:
    """Whether the strongest card wins the trick, or its winner leads; seats that sit out are passed over."""
    value = part.value
    if part.variable.name == "winner":
        names = [x.name for x in all_parts(value) if isinstance(x, core.Prim)]
        return (
            isinstance(value, core.Prim)
            and value.name in ("trick_winner", "in_turn")
            and bool({"trick_winner", "trick_place"} & set(names))
        )
    if isinstance(value, core.Prim) and value.name == "in_turn":
        value = value.args[1]
    return isinstance(value, core.Get) and value.variable.name == "winner"


def _quiet(part: core.Stmt) -> None:
    """Raises Unfit for a step that moves cards or what rules them."""
    if not isinstance(part, QUIET):
        raise Unfit("cards change hands during the play")
    if isinstance(part, core.Assign) and part.variable.name in FIXED:
        raise Unfit(f"the play itself sets `{part.variable.name}`")
    if isinstance(part, core.Jump) and part.block == "deal" and part.again:
        raise Unfit("the play may end in a new deal")


def _behind(body: tuple[core.Stmt, ...], block: core.Block, loop: core.While) -> Iterator[core.Stmt]:
    """The statements that follow the last trick, to the end of the deal."""
    for whole in statements(body):
        for inside in (*bodies(whole), ()):
            if any(part is block for part in inside):
                at = next(n for n, part in enumerate(inside) if part is block)
                yield from statements(inside[at + 1 :])
    at = next(n for n, part in enumerate(block.body) if part is loop)
    yield from statements(block.body[at + 1 :])


# ------------------------------------------------------------------------------ what is read


@dataclass(frozen=True, slots=True)
class Reads:
    """What of a state can still matter to a deal's end: live variables, piles read, piles read for their worth alone."""

    variables: frozenset[core.Variable]
    piles: frozenset[core.Pile]
    counted: frozenset[core.Pile]
    counted_by_side: bool


def reads(game: Game) -> Reads:
    """Which variables and piles anything depends on, by a walk through the whole program."""
    live: set[core.Variable] = set()
    piles: set[core.Pile] = set()
    counted: set[core.Pile] = set()
    by_side = True
    assigns: list[tuple[core.Variable, frozenset[core.Variable]]] = []
    for part in statements(game.program.body):
        found: set[core.Variable] = set()
        for expr in expressions(part):
            inside_worth: set[int] = set()
            for one in all_parts(expr):
                if isinstance(one, core.Get):
                    found.add(one.variable)
                elif isinstance(one, core.Prim) and one.name == "worth" and isinstance(one.args[0], core.CardsIn):
                    inside_worth.add(id(one.args[0]))
                    counted.add(one.args[0].pile)
                    owner = one.args[0].index
                    by_side = by_side and isinstance(owner, core.Prim) and owner.name == "seats_of"
                elif isinstance(one, core.CardsIn) and id(one) not in inside_worth:
                    piles.add(one.pile)
        if isinstance(part, core.MoveCards | core.MoveTop) and not (part.source.pile.name == "trick" and part.target.pile.name == "won"):
            piles.add(part.source.pile)
        if isinstance(part, core.Assign):
            at = set() if part.index is None else {x.variable for x in all_parts(part.index) if isinstance(x, core.Get)}
            assigns.append((part.variable, frozenset(found - {part.variable} | at)))
        else:
            live |= found
    while True:
        more = {v for target, used in assigns if target in live for v in used} - live
        if not more:
            break
        live |= more
    return Reads(frozenset(live), frozenset(piles), frozenset(counted - piles), by_side)
