"""Why a deal ended as it did: the outcome's row, and each payment with the row and the values it came from."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from dsl import core
from dsl.evaluate import evaluate
from dsl.program import Program
from dsl.ruleset import Payment
from spadille.casefile.words import shown
from spadille.reasons.facts import Facts, Line, flat
from spadille.reasons.stops import Stop


def why_outcome(program: Program, stops: Iterable[Stop], seat: int | None) -> Iterator[Line]:
    """The outcomes down to the one that holds, each with what decided."""
    for stop in stops:
        if stop.probe.what not in ("row", "not"):
            continue
        name = stop.probe.span.text
        yield Line(f"the outcome is {'not ' * (stop.probe.what == 'not')}`{name}`", 0, stop.probe.span)
        if isinstance(stop.probe.subject, core.Expr):
            constant = isinstance(stop.probe.subject, core.Const)
            facts = Facts(program, stop.world, seat)
            yield from (Line("nothing before it holds", 1),) if constant else facts.decided(stop.probe.subject, stop.env, 1)


def why_payments(program: Program, stops: Iterable[Stop], seat: int | None) -> Iterator[Line]:
    """Payments in their order: rows that apply or not, what their conditions saw, and who pays what to whom."""
    rows = {row.when.span.start: row.key for row in payment_rows(program) if row.when is not None}
    scoring, waiting = False, list[Line]()
    for stop in stops:
        probe, facts = stop.probe, Facts(program, stop.world, seat)
        scoring = scoring or probe.what == "row"
        match probe.what:
            case "applies":
                yield Line(f"payment `{flat(probe.span.text)}` applies", 0, probe.span)
                yield from waiting
                waiting = []
            case "holds" | "fails" if isinstance(probe.subject, core.Expr) and scoring:
                row = rows.get(probe.span.start)
                settled = isinstance(probe.subject, core.Const)
                if row is None:
                    said = " by the options" * settled
                    yield Line(f"when {flat(probe.span.text)} {probe.what}{said}", 1, probe.span)
                    yield from () if settled else facts.decided(probe.subject, stop.env, 2)
                    continue
                why = list(facts.decided(probe.subject, stop.env, 1))
                if probe.what == "holds":
                    waiting = why
                else:
                    yield Line(f"payment `{row.value}` does not apply", 0, row.span)
                    yield from why
            case "pays" if isinstance(probe.subject, core.Transfer):
                yield from _paid(program, probe.subject, stop)


def payment_rows(program: Program) -> Iterator[Payment]:
    """The payment rows of the ruleset and of its contracts."""
    yield from program.rules.payments
    for contract in program.rules.contracts:
        yield from contract.payments or ()


def _paid(program: Program, payment: core.Transfer, stop: Stop) -> Iterator[Line]:
    amount = evaluate(payment.amount, stop.world, stop.env)
    if not amount:
        return
    payer = "" if payment.payer is None else holder(program, payment.payer, stop)
    payee = holder(program, payment.payee, stop)
    said = f"{payee} scores {amount}" if not payer else f"{payer} pays {amount} to {payee}"
    yield Line(f"{flat(payment.span.text)}: {said}", 1, payment.span)


def holder(program: Program, place: core.AccountPlace, stop: Stop) -> str:
    """Whose account it is."""
    if place.index is None:
        return place.account.name
    index = evaluate(place.index, stop.world, stop.env)
    return f"seat {index}" if place.account.per == "seat" else shown(program, place.index.type, index)
