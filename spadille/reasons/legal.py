"""Why an answer was allowed or not: the obligation or the condition of the choice, and the cards and values that decided."""

from __future__ import annotations

from collections.abc import Iterator

from dsl import core
from dsl.evaluate import deciding_rung, evaluate
from interpreter.action import Action
from interpreter.lowering.image import OfferImage
from interpreter.state import State
from spadille.casefile.words import card_text
from spadille.reasons.facts import Env, Facts, Line, flat


def why_answer(state: State, action: Action, seat: int | None = None) -> tuple[Line, ...]:
    """Why an answer is or is not allowed now; `seat` is told only what it may know, and nothing of another seat's choice."""
    if seat is not None and seat != state.seat:
        return (Line(f"what seat {state.seat} might have answered is for that seat alone to know"),)
    return tuple(_lines(state, action, Facts(state.game.program, state.world, seat)))


def _lines(state: State, action: Action, facts: Facts) -> Iterator[Line]:
    legal = state.legal()
    allowed = action in legal
    yield Line(f"`{action}` was {'allowed' if allowed else 'not allowed'}")
    offers = state.offers_of(action)
    if not offers:
        yield Line(f"it is no answer to this question ({state.question.about})", 1)
        return
    for image in offers[:1]:
        yield from _ladder(state, action, image, facts) if image.cards else ()
        yield from _condition(state, action, image, facts)
    others = [str(one) for one in legal if one != action]
    yield Line(f"{'also allowed' if allowed else 'allowed were'}: {', '.join(others) or 'nothing else'}")


def _ladder(state: State, action: Action, image: OfferImage, facts: Facts) -> Iterator[Line]:
    """The rungs down to the one that decides, and the cards it leaves."""
    domain, env, deck = image.offer.domain, state.locals(), state.game.program.deck
    while isinstance(domain, core.Cond):
        domain = domain.then if evaluate(domain.condition, state.world, env) else domain.other
    if domain is None or action.card is None:
        return
    if not isinstance(domain, core.Ladder):
        if isinstance(domain, core.CardsIn):
            yield Line(f"no obligation: any card of {domain.pile.name} may be chosen", 1, domain.span)
        else:
            yield Line(f"to be chosen from {flat(domain.span.text)}: {facts.value(domain, env)}", 1, domain.span)
        return
    rung, cards = deciding_rung(domain.rungs, state.world, env)
    hand = state.world.cards(state.game.program.pile("hand"), state.seat)
    if action.card not in hand:
        yield Line("the card was not in the hand", 1)
    for one in domain.rungs:
        if one is rung:
            break
        yield Line(f"obligation `{one.id}` does not decide", 1, one.span)
        if one.condition is not None and not evaluate(one.condition, state.world, env):
            yield from facts.decided(one.condition, env, 2)
        else:
            yield Line(f"{flat(one.must.span.text)}: no cards", 2, one.must.span)
    if rung is None:
        return
    yield Line(f"obligation `{rung.id}` decides" + (f": {rung.because}" if rung.because else ""), 1, rung.span)
    if rung.condition is not None:
        yield from facts.decided(rung.condition, env, 2)
    yield Line(f"{flat(rung.must.span.text)}: {card_text(deck, sorted(cards))}", 2, rung.must.span)
    refused = sorted(hand - cards)
    if refused:
        yield Line(f"refused: {card_text(deck, refused)}", 2)


def _condition(state: State, action: Action, image: OfferImage, facts: Facts) -> Iterator[Line]:
    """The condition of the choice, for the element that was chosen."""
    offer = image.offer
    env: Env = state.locals()
    if offer.local is not None:
        env = {**env, offer.local: action.card if image.cards else action.id - image.first}
    if offer.domain is not None and not image.cards and env[offer.local] not in evaluate(offer.domain, state.world, env):  # type: ignore[index]
        yield Line(f"it is not among the choices {flat(offer.domain.span.text)}: {facts.value(offer.domain, env)}", 1, offer.span)
        return
    if offer.when is None:
        if not image.cards:
            yield Line(f"the choice `{flat(offer.span.text)}` has no condition", 1, offer.span)
        return
    held = bool(evaluate(offer.when, state.world, env))
    said = "the condition of the choice holds" if held else "the condition of the choice fails"
    yield Line(said + (f": {offer.because}" if offer.because and not held else ""), 1, offer.span)
    yield from facts.decided(offer.when, env, 2)
