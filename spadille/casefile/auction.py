"""Cases of auctions: what is said, and who ends up with which contract."""

from __future__ import annotations

from dsl.source import Mapping, Scalar, Sequence
from interpreter.game import Game
from spadille.casefile.course import Course, begin, read_sayings
from spadille.casefile.result import Checks, WrongCase
from spadille.casefile.words import seat, value


def dealer_of(game: Game, body: Mapping) -> int | None:
    """The dealer that a case names."""
    node = body.get("dealer")
    return seat(game.program, node.value, node.span) if isinstance(node, Scalar) else None


def run_auction(game: Game, body: Mapping, checks: Checks) -> None:
    """Says what is listed; each must be allowed, the refused one must not, and the auction must end as expected."""
    program = game.program
    dealt, says = body.get("deal"), body.get("says")
    hands, talon = (dealt.get("hands"), dealt.get("talon")) if isinstance(dealt, Mapping) else (None, None)
    assert isinstance(says, Sequence)
    course = Course(game, begin(game, dealer_of(game, body), hands, talon, {}), (), checks)
    for line in says:
        assert isinstance(line, Scalar)
        for saying in read_sayings(game, line):
            course.say(saying)
    refused = body.get("refused")
    if isinstance(refused, Scalar):
        for saying in read_sayings(game, refused):
            if course.state.seat != saying.seat:
                checks.fail(saying.span, "answer", f"seat {saying.seat} is asked, and `{saying.action}` refused", course.asked())
            elif saying.action in course.state.legal():
                checks.fail(saying.span, "answer", f"`{saying.action}` is refused", "it is allowed")
    state = course.state
    contract = body.get("contract")
    if isinstance(contract, Scalar):
        value(program, program.variable("contract").type, contract)
        checks.equal(contract.span, "contract", contract.value, state.contract or "none")
    declarer = body.get("declarer")
    if isinstance(declarer, Scalar):
        rules = program.rules.auction
        if rules is None or rules.declarer is None:
            raise WrongCase("E803", "this game has no declarer", declarer.span)
        expected = seat(program, declarer.value, declarer.span)
        # Where the deal goes on after the auction is known by the contract, in a game without contracts by the bid.
        settled = state.contract is not None if program.contracts else state.world.named("high_bidder") is not None
        found = state.world.named(rules.declarer.value) if settled else "nobody"
        checks.equal(declarer.span, rules.declarer.value, str(expected), str(found))
    thrown_in = body.get("thrown_in")
    if isinstance(thrown_in, Scalar):
        # Cards dealt anew by the same dealer are thrown in just as a deal without a result.
        thrown = (state.over and state.outcome is None) or state.world.named("redeals") > 0
        checks.equal(thrown_in.span, "thrown in", thrown_in.value, "true" if thrown else "false")
