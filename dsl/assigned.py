"""Whether every role, trump and chosen card is set before it is read, on every way a deal can go."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from dsl import core
from dsl.diagnostics import Label, Report
from dsl.names import BUILT_IN
from dsl.walk import all_parts, expressions

# Kinds without a natural start: a number starts at 0, a set empty, but which seat is the declarer at first?
UNSET = frozenset({"seat", "card", "suit", "rank", "bid", "side", "contract"})
ALWAYS = frozenset(variable.name for variable in BUILT_IN) - {"contract"}
# Seats that mean something once there is a trick.
OF_TRICKS = frozenset({"leader", "player", "winner"})

Known = frozenset[core.Variable]


class Assigned:
    """One pass over a program; a set of variables surely set is carried along, None where no way leads."""

    def __init__(self, report: Report, declared: Callable[[str], tuple[Label, ...]] = lambda name: ()) -> None:
        self.report, self.declared = report, declared
        self.exits: dict[str, list[Known]] = {}
        self.loops: list[list[Known]] = []
        self.told: set[core.Variable] = set()
        self.led = False  # whether the statements so far came to a first trick

    def run(self, stmts: Iterable[core.Stmt], known: Known | None) -> Known | None:
        """The variables surely set after statements."""
        for stmt in stmts:
            if known is None:
                return None
            for expr in expressions(stmt):
                self.read(expr, known)
            known = self.one(stmt, known)
        return known

    def read(self, expr: core.Expr, known: Known) -> None:
        for part in all_parts(expr):
            if not isinstance(part, core.Get):
                continue
            variable = part.variable
            if variable.name in OF_TRICKS and not self.led:
                self.report.error("E516", f"there is no `{variable.name}` before the first trick", part.span, f"reads `{variable.name}`",
                                  help="before the play, name a seat by its part in the deal: `dealer`")  # fmt: skip
            if needs_setting(variable) and variable not in known and variable not in self.told:
                self.told.add(variable)
                self.report.error("E516", f"`{variable.name}` may not be set yet when this is read", part.span, f"reads `{variable.name}`",
                                  help=f"set `{variable.name}` on every way that leads here, or declare it with `, or none`",
                                  others=self.declared(variable.name))  # fmt: skip

    def one(self, stmt: core.Stmt, known: Known) -> Known | None:
        match stmt:
            case core.Assign(variable=variable, index=None):
                self.led = self.led or variable.name == "leader"
                return known | {variable}
            case core.If(then=then, other=other):
                return meet([self.run(then, known), self.run(other, known)])
            case core.Ask(offers=offers):
                return meet([self.run(offer.body, known) for offer in offers])
            case core.For(domain=domain, body=body):
                # Somebody always plays.
                playing = isinstance(domain, core.Get) and domain.variable.name in ("players", "trick players")
                sure = playing or (isinstance(domain, core.Const) and bool(domain.value))
                return self.loop(body, known, sure)
            case core.While(most=most, condition=condition, body=body):
                sure = condition is None and isinstance(most, core.Const) and bool(most.value)
                return self.loop(body, known, sure)
            case core.Block(name=name, body=body):
                self.exits[name] = []
                after = self.run(body, known)
                return meet([after, *self.exits.pop(name)])
            case core.Jump(block="loop"):
                self.loops[-1].append(known)
                return None
            case core.Jump(block=block, again=again):
                if not again and block in self.exits:
                    self.exits[block].append(known)
                return None
            case core.Reset():
                return frozenset(v for v in known if v.match)
        return known

    def loop(self, body: tuple[core.Stmt, ...], known: Known, sure: bool) -> Known | None:
        """A loop that surely runs once sets what its body sets, unless it is left early."""
        self.loops.append([])
        after = self.run(body, known)
        left = self.loops.pop()
        return meet([after, *left] if sure else [known, after, *left])


def needs_setting(variable: core.Variable) -> bool:
    """Whether a variable has no value of its own at the start of a deal."""
    return (
        variable.type.kind in UNSET
        and not variable.type.optional
        and not variable.per
        and not variable.match
        and variable.start is None
        and variable.name not in ALWAYS
    )


def meet(ways: list[Known | None]) -> Known | None:
    """What is surely set after several ways join; ways that lead nowhere do not count."""
    open_ways = [way for way in ways if way is not None]
    if not open_ways:
        return None
    return frozenset.intersection(*open_ways)
