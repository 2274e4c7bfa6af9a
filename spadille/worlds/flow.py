"""Where each place of the pack may have gone: dealt, drawn from rows in order, or picked unseen from a hand."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from random import Random

from interpreter.event import Event
from spadille.worlds.evidence import Answer, Evidence, Leg, Spot

DECK: Spot = ("deck", None)


@dataclass(slots=True, eq=False)
class Token:
    """A card of the pack, by its place in the pack (None for a card that came out of a closed pile), on its way."""

    place: int | None
    way: list[Leg]
    card: int | None = None


@dataclass(slots=True)
class Flow:
    """One way the pack may have gone.

    `tokens` are the places of the pack in order; `given` are the tokens put down unseen, by the time of the answer.
    """

    tokens: list[Token]
    given: dict[int, Token] = field(default_factory=dict)
    possible: bool = True
    certain: bool = True  # no chance is in it


class Flows:
    """Draws flows for the evidence of a view."""

    def __init__(self, evidence: Evidence, size: int, rows: frozenset[str]) -> None:
        self.evidence = evidence
        self.size = size
        self.rows = rows
        self.answers = {answer.at: answer for answer in evidence.answers if answer.hidden}
        self.only: Flow | None = None  # the flow, if no chance is in it

    def draw(self, random: Random) -> Flow:
        """A flow; where cards were picked unseen from a pile, any that may be they are equally likely."""
        if self.only is not None:
            return self.only
        flow = Flow([Token(place, [Leg(DECK, 0)]) for place in range(self.size)])
        piles: dict[Spot, list[Token]] = {DECK: list(flow.tokens)}
        counts: Counter[Spot] = Counter({DECK: self.size})
        asked: Answer | None = None
        drawn: list[Token] = []
        for at, event in enumerate(self.evidence.events):
            if event.kind == "say":
                asked = self.answers.get(at)
            elif event.kind == "show":
                self.shown(piles, event, drawn)
            elif event.kind == "move":
                drawn = self.moved(flow, piles, counts, event, at, random)
                if asked is not None and len(drawn) == 1 and not event.cards:
                    flow.given[asked.at] = drawn[0]
                    asked = None
        cards = [token.card for token in flow.tokens if token.card is not None]
        flow.possible = flow.possible and len(cards) == len(set(cards))
        if flow.certain:
            self.only = flow
        return flow

    def moved(
        self, flow: Flow, piles: dict[Spot, list[Token]], counts: Counter[Spot], event: Event, at: int, random: Random
    ) -> list[Token]:
        """Moves the tokens of one event; gives those that went."""
        assert event.source is not None and event.target is not None
        source = piles.setdefault(event.source, [])
        counts[event.source] -= event.count
        counts[event.target] += event.count
        chosen = False
        if event.source[0] in self.rows:
            going = from_row(source, event)
        elif event.cards:
            going = [take(source, card) for card in event.cards]
        elif counts[event.source] <= 0:
            going = list(source)
        else:
            going = self.picked(source, event, at, random)
            chosen = True
            flow.certain = False
        leg = Leg(event.target, at + 1, chosen)
        for number, token in enumerate(going):
            if token in source:
                source.remove(token)
            if number < len(event.cards):
                if token.card not in (None, event.cards[number]):
                    flow.possible = False
                token.card = event.cards[number]
            token.way.append(leg)
        piles.setdefault(event.target, []).extend(going)
        return going

    def picked(self, source: list[Token], event: Event, at: int, random: Random) -> list[Token]:
        """Cards picked unseen: those whose next sighting wants it, then any that are not seen here again."""
        assert event.source is not None and event.target is not None
        must, may = [], []
        for token in source:
            seen = None if token.card is None else next((s for s in self.evidence.sightings[token.card] if s.at > at), None)
            if seen is None:
                may.append(token)
            elif seen.spot == event.target and seen.spot != event.source:
                must.append(token)
            elif seen.spot != event.source:
                may.append(token)
        if len(must) >= event.count:
            return random.sample(must, event.count)
        return [*must, *random.sample(may, min(len(may), event.count - len(must)))]

    def shown(self, piles: dict[Spot, list[Token]], event: Event, drawn: list[Token]) -> None:
        """Cards shown are those just drawn, or the top of a row; in other piles nobody knows which they were."""
        if event.source is None or not event.cards:
            return
        source = piles.get(event.source, [])
        if len(drawn) == event.count and all(token in source for token in drawn):
            tokens = drawn
        else:
            tokens = source[-event.count :] if event.source[0] in self.rows else []
        if len(tokens) == event.count and all(token.card is None for token in tokens):
            for token, card in zip(tokens, event.cards, strict=True):
                token.card = card


def from_row(source: list[Token], event: Event) -> list[Token]:
    """The tokens that leave a row: the top ones, or the ones whose card is seen to go."""
    going: list[Token] = []
    for number in range(event.count):
        left = [token for token in source if token not in going]
        if not left:
            break
        card = event.cards[number] if number < len(event.cards) else None
        going.append(next((token for token in left if card is not None and token.card == card), left[-1]))
    return going


def take(source: list[Token], card: int) -> Token:
    """The token of a card seen to leave a closed pile; a new one when it is not known which it was."""
    return next((token for token in source if token.card == card), None) or Token(None, [], card)
