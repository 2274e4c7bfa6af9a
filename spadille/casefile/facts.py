"""Cases of ranking and of single decisions: `order`, `trick`, `legal`, each by the evaluator and by the kernel."""

from __future__ import annotations

from itertools import pairwise

from dsl.evaluate import evaluate
from dsl.facts import Ranked
from dsl.source import Mapping, Scalar, Span
from interpreter.action import IllegalAction
from interpreter.game import Game
from interpreter.lowering.image import Question
from interpreter.opcodes import DECISION, SLOT_STATUS
from interpreter.state import State
from spadille.casefile.position import Position
from spadille.casefile.result import Checks, WrongCase
from spadille.casefile.words import card, card_text, cards, same_cards, value
from spadille.casefile.words import hint as suggestion

PLAY = "play"


def text_of(body: Mapping, key: str) -> Scalar:
    """The text under a key that the schema requires."""
    node = body.get(key)
    assert isinstance(node, Scalar)
    return node


def position(game: Game, body: Mapping) -> Position:
    """A position with the trump, the contract and whatever else the case gives."""
    found = Position(game)
    for name in ("trump", "contract"):
        node = body.get(name)
        if isinstance(node, Scalar):
            found.put(name, value(game.program, game.program.variable(name).type, node))
    found.give(body.get("given"))
    return found


def ranked(found: Position, span: Span) -> Ranked:
    """The ranking of a position; raises WrongCase where the ruleset has none."""
    program = found.program
    way, trump = (found.memory[found.image.variables[program.variable(name)]] for name in ("way", "trump"))
    facts = program.rankings.get(way, None if trump < 0 else trump)
    if facts is None:
        raise WrongCase("E804", "no ranking is known here", span, "say `trump`" if trump < 0 else "")
    return facts


# ----------------------------------------------------------------------- order


def run_order(game: Game, body: Mapping, checks: Checks) -> None:
    """The cards of a suit, or of `trumps`, from high to low; each must also beat the next by the kernel's table, whichever is led."""
    deck = game.program.deck
    here = position(game, body)
    of, wanted = text_of(body, "of"), text_of(body, "is")
    facts = ranked(here, of.span)
    no_suit = of.value.strip() == "trumps" and facts.trump == len(deck.suits)
    suit = facts.trump if no_suit else value(game.program, game.program.variable("trump").type, of)
    listed = cards(deck, wanted)
    found = facts.order(suit)
    checks.equal(wanted.span, f"order of {of.value}", card_text(deck, listed), card_text(deck, found))
    for high, low in pairwise(found):
        for trick in ([high, low], [low, high]):
            here.put_trick(trick)
            winner = trick[here.kernel_winner()]
            if winner != high:
                checks.fail(wanted.span, f"winner of {card_text(deck, trick)} by the compiled table", deck.text(high), deck.text(winner))


def run_trick(game: Game, body: Mapping, checks: Checks) -> None:
    """The card that wins a trick."""
    deck = game.program.deck
    here = position(game, body)
    played, wanted = text_of(body, "cards"), text_of(body, "wins")
    trick = cards(deck, played)
    if not 0 < len(trick) <= game.players:
        raise WrongCase("E803", f"a trick has 1 to {game.players} cards, not {len(trick)}", played.span)
    expected = card(deck, wanted.value.strip(), wanted.span)
    if expected not in trick:
        raise WrongCase("E803", f"`{wanted.value}` is not in the trick", wanted.span)
    facts = ranked(here, played.span)
    best = max(trick, key=lambda one: (facts.strength(one, trick[0]), -trick.index(one)))
    checks.equal(wanted.span, "winning card", deck.text(expected), deck.text(best))
    here.put_trick(trick)
    winner = trick[here.kernel_winner()]
    if winner != best:
        checks.fail(wanted.span, "winning card by the compiled table", deck.text(best), deck.text(winner))


# ----------------------------------------------------------------------- legal


def play_question(game: Game) -> Question:
    """The question for a card of the play."""
    found = next((question for question in game.image.questions if question.about == PLAY), None)
    assert found is not None, "a game of tricks asks for cards"
    return found


def run_legal(game: Game, body: Mapping, checks: Checks) -> None:
    """The cards that may be played, the obligation that decides, and the one that refuses each other card."""
    deck, program = game.program.deck, game.program
    here = position(game, body)
    led, hand_text, wanted = body.get("led"), text_of(body, "hand"), text_of(body, "is")
    table = cards(deck, led) if isinstance(led, Scalar) else []
    hand = cards(deck, hand_text)
    if len(table) >= game.players:
        raise WrongCase("E803", f"{len(table)} cards are led, and only {game.players} play", text_of(body, "led").span)
    for one in hand:
        if one in table:
            raise WrongCase("E801", f"the card `{deck.text(one)}` is in the trick and in the hand", hand_text.span)
    seat = len(table)
    given = body.get("given")
    names = given.keys() if isinstance(given, Mapping) else ()
    for name, one in {"leader": 0, "player": seat, "trick_number": 1}.items():
        if name not in names:
            here.put(name, one)
    here.put_trick(table)
    here.put_pile(program.pile("hand"), seat, hand)
    here.settle()
    state = here.run_from(play_question(game).entry)
    if state.memory[SLOT_STATUS] != DECISION:
        checks.fail(wanted.span, "cards that may be played", wanted.value, "nobody is asked for a card")
        return
    allowed = [action.card for action in state.legal() if action.card is not None]
    expected = hand if wanted.value.strip() == "all" else cards(deck, wanted)
    checks.equal(wanted.span, "cards that may be played", *same_cards(deck, expected, allowed))
    by_evaluator = evaluated(state)
    if by_evaluator != frozenset(allowed):
        checks.fail(wanted.span, "cards by the compiled table", *same_cards(deck, sorted(by_evaluator), allowed))
    rung = body.get("rung")
    if isinstance(rung, Scalar):
        check_rung(game, rung)
        checks.equal(rung.span, "obligation that decides", rung.value, state.rung() or "none")
    refused = body.get("refused")
    for entry in refused if isinstance(refused, Mapping) else ():
        number = card(deck, entry.key.value, entry.key.span)
        assert isinstance(entry.value, Scalar)
        check_rung(game, entry.value)
        if number in allowed:
            checks.fail(entry.key.span, f"{deck.text(number)} is refused", entry.value.value, "it may be played")
            continue
        checks.equal(entry.value.span, f"obligation that refuses {deck.text(number)}", entry.value.value, refusing(state, number) or "none")


def check_rung(game: Game, text: Scalar) -> None:
    """Raises WrongCase unless an obligation has this name."""
    known = list(dict.fromkeys(rung.id for rung in game.program.rungs))
    if text.value not in known:
        raise WrongCase("E803", f"unknown obligation `{text.value}`", text.span, f"the obligations are {', '.join(known)}",
                        suggestion(text.value, known))  # fmt: skip


def refusing(state: State, number: int) -> str | None:
    """The obligation that refuses a card."""
    verb = next(offer.verb for offer in state.question.offers if offer.cards)
    fault: IllegalAction = state.refusal(state.game.parse(f"{verb} {state.game.card(number)}".strip()))
    return fault.rung


def evaluated(state: State) -> frozenset[int]:
    """The cards that may be played as the evaluator works them out."""
    found: frozenset[int] = frozenset()
    for image in state.question.offers:
        if image.cards and image.offer.domain is not None and image.offer.local is not None:
            env = state.locals()
            domain: frozenset[int] = evaluate(image.offer.domain, state.world, env)
            when = image.offer.when
            found |= frozenset(c for c in domain if when is None or evaluate(when, state.world, {**env, image.offer.local: c}))
    return found
