"""The course of a deal as a case tells it: answers given when their seat is asked, silent ones in between."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from dsl import tree
from dsl.ruleset import Steps, walk_steps
from dsl.source import Node, Scalar, Sequence, Span
from interpreter.action import Action, InvalidDeal, UnknownAction
from interpreter.game import Game
from interpreter.state import State
from spadille.casefile.result import Checks, WrongCase
from spadille.casefile.words import card_text, cards, seat, split

SAYING = re.compile(r"\s*(\d+)\s*:")
PLAY = "play"
PART = re.compile(r"[^,\s](?:[^,]*[^,\s])?")
MOST_SILENT = 400


@dataclass(frozen=True, slots=True)
class Saying:
    """What a seat is to answer."""

    seat: int
    action: Action
    span: Span

    def __str__(self) -> str:
        return f"{self.seat}: {self.action}"


def begin(game: Game, dealer: int | None, hands: Node | None, talon: Node | None, before: Mapping[str, Any], seed: int = 0) -> State:
    """The first decision of a deal with the given cards, or of one from the seed; raises WrongCase where they do not fit."""
    given: dict[str, Any] = {}
    place: Span | None = None
    if isinstance(hands, Sequence):
        rows = [row for row in hands if isinstance(row, Scalar)]
        given["hands"] = [[game.card(number) for number in cards(game.program.deck, row)] for row in rows]
        place = rows[0].span
    if isinstance(talon, Scalar):
        given["talon"] = [game.card(number) for number in cards(game.program.deck, talon)]
        place = place or talon.span
    try:
        return game.start(seed, given or None, game.persons - 1 if dealer is None else dealer, before)
    except InvalidDeal as fault:
        if place is None:
            raise
        raise WrongCase("E803", str(fault), place) from fault


def read_seat(game: Game, text: Scalar) -> tuple[int, int]:
    """The seat before the colon, and where the rest of the text begins."""
    found = SAYING.match(text.value)
    if found is None:
        raise WrongCase("E803", "a seat and a colon are due", text.span, "such as `0: pass`")
    return seat(game.program, found.group(1), text.part(*found.span(1))), found.end()


def read_sayings(game: Game, text: Scalar) -> list[Saying]:
    """The answers in a text like `0: discard 4c Jd, done`; a verb with several cards is said once for each."""
    who, start = read_seat(game, text)
    found: list[Saying] = []
    for part in PART.finditer(text.value, start):
        words = split(text, *part.span())
        if not words:
            continue
        plain = [word for word, _ in words]
        first_card = next((n for n, word in enumerate(plain) if word in game.program.deck.by_text), len(words))
        verb = " ".join(plain[:first_card]) or "play"
        answers = [f"{verb} {word}" for word in plain[first_card:]] if first_card < len(words) else [verb]
        spans = [span for _, span in words[first_card:]] if first_card < len(words) else [text.part(*part.span())]
        for answer, span in zip(answers, spans, strict=True):
            found.append(Saying(who, parsed(game, answer, span), span))
    if not found:
        raise WrongCase("E803", "nothing is said here", text.span)
    return found


def parsed(game: Game, text: str, span: Span) -> Action:
    """An answer of the game; raises WrongCase for an unknown one, with the nearest.

    An answer to a question that the options leave out is one that nobody can ever give.
    """
    try:
        return game.parse(text)
    except UnknownAction as fault:
        if text in left_out(game):
            return Action(text, -1)
        message, _, near = str(fault).partition("; ")
        raise WrongCase("E803", message, span, help=near or None) from fault


def left_out(game: Game) -> frozenset[str]:
    """The words of all choices in a ruleset, those among them that the options leave out."""
    rules = game.program.rules
    lists: list[Steps] = [rules.deal, rules.opening, rules.finish, *(phrase.steps for phrase in rules.phrases)]
    lists += [contract.prepare for contract in rules.contracts] + [form.steps for form in rules.forms]
    offers: list[tree.Offer] = []
    if rules.auction is not None:
        lists += [rules.auction.won, rules.auction.passed_out]
    if rules.play is not None:
        play = rules.play
        lists += [play.before, play.turn, play.played, play.trick, play.after]
        offers += play.also
    for steps in lists:
        for step in walk_steps(steps):
            if isinstance(step, tree.Ask):
                offers += step.offers
    return frozenset(offer.verb.text for offer in offers if offer.verb is not None)


class Course:
    """A deal on its way. `pending` are answers that wait until their seat is asked and may give them."""

    def __init__(self, game: Game, state: State, silent: Iterable[Action], checks: Checks) -> None:
        self.game = game
        self.state = state
        self.silent = tuple(silent)
        self.checks = checks
        self.pending: list[Saying] = []

    # ----------------------------------------------------------------- answers

    def turn(self) -> int | None:
        """Whose card is due, which another seat may choose; else who is asked."""
        state = self.state
        return state.world.turn() if state.seat is not None and state.question.about == PLAY else state.seat

    def apply(self, action: Action) -> None:
        self.state = self.state.apply(action)

    def give_pending(self) -> bool:
        """Gives the first answer that waits for this seat, if it is allowed now."""
        waiting = next((one for one in self.pending if one.seat == self.state.seat), None)
        if waiting is None or waiting.action not in self.state.legal():
            return False
        self.pending.remove(waiting)
        self.apply(waiting.action)
        return True

    def silent_answer(self) -> Action | None:
        """The answer that is taken where nothing is listed."""
        legal = self.state.legal()
        return next((action for action in self.silent if action in legal), None)

    def say(self, saying: Saying) -> None:
        """Gives an answer as soon as its seat is asked and may give it; raises Stuck if it never is."""
        for _ in range(MOST_SILENT):
            if self.state.seat == saying.seat and saying.action in self.state.legal():
                self.apply(saying.action)
                return
            if self.state.over or not self.go_on():
                break
        raise self.checks.stop(saying.span, "answer", f"seat {saying.seat} says `{saying.action}`", self.why_not(saying))

    def go_on(self) -> bool:
        """One answer that needs no line of the case; whether there was one."""
        if self.give_pending():
            return True
        action = self.silent_answer()
        if action is None:
            return False
        self.apply(action)
        return True

    def why_not(self, saying: Saying) -> str:
        """Why an answer cannot be given here."""
        if self.state.over:
            return "the deal is over"
        if self.state.seat != saying.seat:
            return self.asked()
        return str(self.state.refusal(saying.action))

    def asked(self) -> str:
        """Who is asked what."""
        if self.state.over:
            return "the deal is over"
        answers = [str(action) for action in self.state.legal()]
        listed = ", ".join(answers[:6]) + (", …" if len(answers) > 6 else "")
        return f"seat {self.state.seat} is asked about {self.state.question.about} ({listed})"

    # ------------------------------------------------------------------ checks

    def refuse(self, saying: Saying, coming: Iterable[Saying]) -> None:
        """Checks that an answer is not allowed where its seat is asked next, or at least not asked for.

        Questions that do not know the answer at all are passed over in silence, unless one of those `coming` answers them.
        """
        wanted = [one.action for one in coming if one.seat == saying.seat]
        for _ in range(MOST_SILENT):
            if self.give_pending():
                continue
            if self.state.over or (self.state.seat == saying.seat and self.state.offers_of(saying.action)):
                break
            action = self.silent_answer()
            if action is None or (self.state.seat == saying.seat and any(one in self.state.legal() for one in wanted)):
                break
            self.apply(action)
        if self.state.seat == saying.seat and saying.action in self.state.legal():
            self.checks.fail(saying.span, "answer", f"seat {saying.seat} may not say `{saying.action}`", "it is allowed")

    def may_play(self, who: int, wanted: Scalar, start: int) -> None:
        """Checks which cards a seat may choose where it is asked for one next."""
        for _ in range(MOST_SILENT):
            if self.give_pending():
                continue
            if self.state.over or (self.turn() == who and any(action.card is not None for action in self.state.legal())):
                break
            action = self.silent_answer()
            if action is None:
                break
            self.apply(action)
        rest = wanted.value[start:].strip()
        if self.turn() != who:
            raise self.checks.stop(wanted.span, "cards that may be played", f"seat {who} is asked", self.asked())
        deck = self.game.program.deck
        allowed = [action.card for action in self.state.legal() if action.card is not None]
        if rest == "all":
            hand = self.state.world.cards(self.game.program.pile("hand"), who)
            expected, found = card_text(deck, sorted(hand)), card_text(deck, sorted(allowed))
        else:
            part = Scalar(rest, wanted.offsets[wanted.value.index(rest, start) :], wanted.part(start, len(wanted.value)))
            listed = cards(deck, part)
            left = set(allowed)
            expected = card_text(deck, listed)
            found = card_text(deck, [c for c in listed if c in left] + sorted(left - set(listed)))
        self.checks.equal(wanted.span, f"cards that seat {who} may play", expected, found)

    def knows(self, who: int, wanted: Scalar, start: int, known: bool) -> None:
        """Checks of cards whether a seat knows where they lie, in its hand or elsewhere."""
        deck = self.game.program.deck
        part = Scalar(wanted.value[start:], wanted.offsets[start:], wanted.part(start, len(wanted.value)))
        seen = frozenset[int]().union(*(pile.cards for pile in self.state.view(who).piles))
        wrong = [number for number in cards(deck, part) if (number in seen) is not known]
        if wrong:
            told = (f"seat {who} knows", f"seat {who} does not know")
            self.checks.fail(wanted.span, "known cards", f"{told[not known]} {card_text(deck, wrong)}", f"{told[known]} them")

    def finish(self, to_the_end: bool) -> None:
        """Gives the answers that still wait; raises Stuck if one is never asked for."""
        for _ in range(MOST_SILENT):
            if self.state.over or not (self.pending or to_the_end) or not self.go_on():
                break
        for one in self.pending:
            raise self.checks.stop(one.span, "answer", f"seat {one.seat} says `{one.action}`", self.why_not(one))
