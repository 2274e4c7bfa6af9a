"""A review of a deal as it is told: all hands open, then every card with what it cost, then what each seat lost."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from textwrap import wrap

from interpreter.state import State
from spadille.solver.review import Remark, Review
from spadille.table.narration import Narrator, number
from spadille.table.screen import WIDTH, Screen, laid_out

UNITS = {"tricks": ("trick", "tricks"), "points": ("card point", "card points")}
MOST_LISTED = 4
MOST_IN_ROW = 20
NO_UNIT = "gain"


def told(review: Review, teller: Narrator) -> list[str]:
    """The review in lines."""
    heading = Screen(teller).heading(review.first.view(0))
    lines = [heading, "the cards of all, before the first trick:", *hands(review.first, teller), "", *introduction(review, teller), ""]
    found = next((number for number, remark in enumerate(review.remarks) if remark.best is not None), len(review.remarks))
    rows = [("", "", "", "best", "cost", "")]
    trick: int | None = None
    for remark in review.remarks[found:]:
        rows.append((f"trick {remark.trick}" if remark.trick != trick else "", *row(remark, teller)))
        trick = remark.trick
    if found:
        lines += [skipped(review.remarks[:found], review), ""]
    if rows[1:]:
        lines += [f"  {line}" for line in laid_out(rows, right=(3, 4))]
        lines += ["", *sums(review, teller)]
    return lines


def introduction(review: Review, teller: Narrator) -> list[str]:
    """What the numbers mean."""
    what = unit(review.what, teller)
    if review.side is None:
        best = f"best: the {what} of who plays the card, if it is the best one and best play follows, all others against him"
    else:
        best = f"best: the {what} of {teller.seats(review.side)}, if the best card is played and best play follows on both sides"
    return [*wrap(best, WIDTH), *wrap(f"cost: how much worse for its side the card was that was played, in {what}", WIDTH)]


def row(remark: Remark, teller: Narrator) -> tuple[str, str, str, str, str]:
    """Seat, card, best value, cost and the cards that keep the best value."""
    card = "" if remark.action.card is None else teller.names.card(remark.action.card)
    head = (teller.seat(remark.seat), card)
    if remark.choices == 1:
        return (*head, "" if remark.best is None else plain(remark.best), "fine", "no other card allowed")
    if remark.loss is None:
        return (*head, "", "?", f"not judged: {remark.reason}")
    cards = [action.card for action in remark.good if action.card is not None and action != remark.action]
    listed = teller.names.cards(cards[:MOST_LISTED]) + (f" and {len(cards) - MOST_LISTED} more" if len(cards) > MOST_LISTED else "")
    if not remark.loss:
        every = len(cards) == remark.choices - 1
        note = "as good: any other card" if every else f"as good: {listed}" if cards else "no other was as good"
        return (*head, plain(remark.best), "fine", note)
    return (*head, plain(remark.best), plain(remark.loss), f"better: {listed}")


def sums(review: Review, teller: Narrator) -> list[str]:
    """What every seat lost, and where most."""
    rows = []
    for seat, loss in enumerate(review.losses):
        mine = [remark for remark in review.remarks if remark.seat == seat]
        if not mine:
            continue
        costly = sorted((remark for remark in mine if remark.loss), key=lambda remark: (-Fraction(remark.loss or 0), remark.number))
        missing = sum(remark.loss is None for remark in mine)
        if missing == len(mine):
            rows.append((teller.seat(seat), "not judged", ""))
            continue
        judged = f"{len(mine) - missing} of {len(mine)} cards judged" if missing else ""
        if not costly:
            rows.append((teller.seat(seat), "nothing", judged))
            continue
        where = ", ".join(f"{teller.names.card(one.action.card or 0)} in trick {one.trick} ({plain(one.loss)})" for one in costly[:3])
        where += f" and {len(costly) - 3} more" if len(costly) > 3 else ""
        rows.append((teller.seat(seat), amount(review.what, loss, teller), where + (f"; {judged}" if judged else "")))
    return ["lost in all:", *(f"  {line}" for line in laid_out(rows))]


def skipped(remarks: Sequence[Remark], review: Review) -> str:
    """Which cards have no verdict, and why."""
    reasons = sorted({remark.reason for remark in remarks if remark.reason})
    if len(remarks) == len(review.remarks):
        return f"no card was judged: {'; '.join(reasons)}"
    last = remarks[-1]
    whole = next((one for one in review.remarks if one.number > last.number), last).trick > last.trick
    ends = f"to the {'end' if whole else 'middle'} of trick {last.trick}"
    first = "the first card was" if len(remarks) == 1 else f"the first {len(remarks)} cards, {ends}, were"
    return f"{first} not judged: {'; '.join(reasons)}"


def hands(state: State, teller: Narrator) -> list[str]:
    """What everybody held, and what lay unseen."""
    program = state.game.program
    pile, contract = program.pile("hand"), state.world.named("contract")
    way = program.contracts[contract].way if contract is not None and program.contracts else 0
    trump = state.world.named("trump")
    ranked = program.rankings.get(way, trump) or program.rankings.get(way, None)
    rows = [(teller.seat(seat), teller.names.row(state.world.cards(pile, seat), ranked)) for seat in range(state.game.players)]
    for other in program.piles:
        if other.per_seat or other.name == "trick":
            continue
        cards = tuple(reversed(state.world.row(other, None))) if other.ordered else tuple(sorted(state.world.cards(other, None)))
        for at in range(0, len(cards), MOST_IN_ROW):
            rows.append(("" if at else other.name.replace("_", " "), teller.names.cards(cards[at : at + MOST_IN_ROW])))
    return [f"  {line}" for line in laid_out([one for one in rows if one[1]])]


def unit(what: str, teller: Narrator) -> str:
    """What is counted, in many."""
    return UNITS[what][1] if what in UNITS else teller.unit or NO_UNIT


def amount(what: str, value: int | Fraction, teller: Narrator) -> str:
    """A value with its unit."""
    if what in UNITS:
        return f"{plain(value)} {UNITS[what][value != 1]}"
    return teller.amount(Fraction(value))


def plain(value: int | Fraction | None) -> str:
    """A number as it is read."""
    return number(value)
