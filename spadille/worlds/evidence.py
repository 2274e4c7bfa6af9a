"""What a seat's view says of the course of the deal: the answers given, and where each card was seen on its way."""

from __future__ import annotations

from dataclasses import dataclass, field

from interpreter.event import Event
from interpreter.game import Game
from interpreter.view import View

Spot = tuple[str, int | None]


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer that was heard: at which event, by whom; `hidden` if it was a card that was not seen."""

    at: int
    seat: int
    word: str
    card: int | None = None
    hidden: bool = False


@dataclass(frozen=True, slots=True)
class Sighting:
    """A card was in a pile just before an event; `left` if it left the pile with it."""

    at: int
    spot: Spot
    left: bool = False


@dataclass(frozen=True, slots=True)
class Leg:
    """A part of a card's way: the pile it lay in and since when; `chosen` if somebody picked it to go there."""

    spot: Spot
    since: int
    chosen: bool = False


Way = tuple[Leg, ...]


@dataclass(slots=True)
class Evidence:
    """The deal as a seat saw it. Times are numbers of events since the pack was shuffled; `end` is now."""

    events: tuple[Event, ...]
    answers: list[Answer] = field(default_factory=list)
    sightings: dict[int, list[Sighting]] = field(default_factory=dict)
    exclusions: dict[int, list[Sighting]] = field(default_factory=dict)

    @property
    def end(self) -> int:
        """The time after the last event."""
        return len(self.events)

    def unknown_at(self, card: int, now: int) -> bool:
        """Whether a card had not been seen by a time."""
        seen = self.sightings.get(card)
        return not seen or seen[0].at >= now

    def fits(self, card: int, way: Way) -> bool:
        """Whether a card may have gone a way: it was seen nowhere else, and never missed where it lay."""
        until = self.end + 1
        for seen in self.sightings.get(card, ()):
            number = leg_at(way, seen.at)
            if way[number].spot != seen.spot:
                return False
            if seen.left:
                if any(leg.chosen for leg in way[number + 1 :]):
                    return False
                until = seen.at
                break
        return not any(
            missing.at < until and way[leg_at(way, missing.at)].spot == missing.spot for missing in self.exclusions.get(card, ())
        )


def leg_at(way: Way, now: int) -> int:
    """The number of the leg that a way is on at a time."""
    return max(number for number, leg in enumerate(way) if leg.since <= now)


def read_evidence(view: View) -> Evidence:
    """The evidence in a view. Raises ValueError for a position that was set up, of which no course is known."""
    if view.opening is None:
        raise ValueError("a position that was set up has no course to go by")
    evidence = Evidence(view.events[view.opening[1] :])
    for at, event in enumerate(evidence.events):
        if event.kind == "say":
            card = event.cards[0] if event.cards else None
            hidden = bool(event.count) and card is None
            evidence.answers.append(Answer(at, -1 if event.seat is None else event.seat, event.word, card, hidden))
        elif event.source is not None and event.kind in ("move", "show"):
            for card in event.cards:
                evidence.sightings.setdefault(card, []).append(Sighting(at, event.source, event.kind == "move"))
    for pile in view.piles:
        for card in pile.cards:
            evidence.sightings.setdefault(card, []).append(Sighting(evidence.end, (pile.name, pile.owner)))
    return evidence


def rows(game: Game) -> frozenset[str]:
    """The piles that keep their order all through the deal."""
    shuffled = {pile.name for pile in game.image.shuffles.values() if pile.name != "deck"}
    return frozenset(pile.name for pile in game.program.piles if pile.ordered) - shuffled
