"""Answers to questions: their text, which parses back, and why one is refused."""

from __future__ import annotations

from dataclasses import dataclass, field

from dsl.suggest import nearest
from interpreter.lowering.image import Image, Question


@dataclass(frozen=True, slots=True)
class Action:
    """One answer. `str(action)` is what `Game.parse` reads: `play As`, `pass`, `copas`, `discard 4c`."""

    text: str
    id: int = field(compare=False)
    card: int | None = field(default=None, compare=False)

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"Action({self.text!r})"


class GameError(Exception):
    """Base of all errors of the engine that are the caller's to mend."""


class UnknownAction(GameError, ValueError):
    """The text is no answer in this game."""


class IllegalAction(GameError, ValueError):
    """The answer is not allowed now. `rung` names the obligation that forbids it, where there is one."""

    def __init__(self, message: str, rung: str | None = None, reason: str = "") -> None:
        super().__init__(message)
        self.rung = rung
        self.reason = reason


class InvalidDeal(GameError, ValueError):
    """The cards given are not a deal of this game."""


class GameFault(GameError, RuntimeError):
    """The ruleset led the engine into a state that cannot go on."""


def verbs(image: Image) -> frozenset[str]:
    """The verbs that stand before cards."""
    return frozenset(offer.verb for question in image.questions for offer in question.offers if offer.cards)


def parse_action(image: Image, text: str) -> Action:
    """The action that a text means, whatever the state; raises UnknownAction with the nearest text."""
    words = " ".join(text.split())
    verb, _, last = words.rpartition(" ")
    card = image.program.deck.by_text.get(last)
    if card is not None and verb in verbs(image):
        return Action(f"{verb} {image.program.deck.text(card)}".strip(), card, card)
    if words in image.alphabet[len(image.program.deck) :]:
        return Action(words, image.alphabet.index(words, len(image.program.deck)))
    known = [*image.alphabet[len(image.program.deck) :], *verbs(image)]
    near = nearest(words, known) or nearest(verb, known)
    hint = f"; did you mean `{near}`?" if near else ""
    if card is None and verb in verbs(image):
        hint = f"; `{last}` is not a card of this deck"
    raise UnknownAction(f"`{text}` is no answer in this game{hint}")


def action_of(image: Image, question: Question, id: int) -> Action:
    """The action of a number, as an answer to a question."""
    if id < len(image.program.deck):
        verb = next((offer.verb for offer in question.offers if offer.cards), "")
        return Action(f"{verb} {image.alphabet[id]}".strip(), id, id)
    return Action(image.alphabet[id], id)
