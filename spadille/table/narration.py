"""What happened, told in lines: only what the events say, so a player's own events tell nothing hidden."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from interpreter.event import Event, Place
from interpreter.game import Game
from interpreter.match import DealResult, Match
from interpreter.state import State
from spadille.table.cards import CardNames

PLAY = "play"


@dataclass(frozen=True, slots=True)
class Narrator:
    """Finds the words for events; `you` is the seat of the person, None when nobody is."""

    game: Game
    names: CardNames
    you: int | None = None

    def seat(self, seat: int | None) -> str:
        if seat is None:
            return "nobody"
        return f"seat {seat} (you)" if seat == self.you else f"seat {seat}"

    def seats(self, seats: Iterable[int]) -> str:
        return " and ".join(self.seat(seat) for seat in sorted(seats))

    # ------------------------------------------------------------------ events

    def answer(self, event: Event, cards: Sequence[int], count: int) -> str:
        """An answer: a card played, cards put somewhere, or a word."""
        who = self.seat(event.seat)
        if not count:
            return f"{who}: {self.word(event.word)}"
        what = self.names.cards(cards)
        unknown = count - len(cards)
        if unknown:
            what = f"{what} and {unknown} more" if what else f"{unknown} card{'s' * (unknown > 1)} face down"
        return f"{who} plays {what}" if event.word == PLAY else f"{who}: {event.word} {what}"

    def word(self, word: str) -> str:
        """An answer by word; a suit with its letter."""
        suit = self.game.program.deck.suit_number.get(word)
        return word if suit is None else self.names.suit(suit)

    def move(self, event: Event) -> str:
        assert event.source is not None and event.target is not None
        if "deck" in (event.source[0], event.target[0]) or event.target[0] == "won":
            return ""
        cards = self.names.cards(event.cards) if event.cards else f"{event.count} card{'s' * (event.count != 1)}"
        if event.target[0] == "hand":
            return f"{self.seat(event.target[1])} takes {cards} from {self.place(event.source)}"
        return f"{cards} from {self.place(event.source)} to {self.place(event.target)}"

    def place(self, place: Place | None) -> str:
        """A pile or an account, with its owner."""
        if place is None:
            return "nobody"
        name, owner = place
        if owner is None:
            return f"the {name}"
        return f"the {name} of {self.seat(owner)}"

    def payee(self, place: Place | None) -> str:
        """Whose account it is."""
        if place is None:
            return "nobody"
        name, owner = place
        if owner is None:
            return f"the {name}"
        account = next((one for one in self.game.program.accounts if one.name == name), None)
        return self.game.program.side_names[owner] if account is not None and account.per == "side" else self.seat(owner)

    def other(self, event: Event) -> str:
        if event.kind == "trick":
            return f"{self.seat(event.seat)} wins the trick"
        if event.kind == "show":
            return f"shown: {self.names.cards(event.cards)}" if event.cards else f"{event.count} cards are shown, not to you"
        if event.kind == "pay":
            if event.source is None:
                return f"{self.payee(event.target)} scores {self.amount(event.amount)}"
            return f"{self.payee(event.source)} pays {self.amount(event.amount)} to {self.payee(event.target)}"
        value = "" if event.value is None else f" {event.value}"
        return f"{self.seat(event.seat)} announces {event.word.replace('_', ' ')}{value}"

    # ----------------------------------------------------------------- results

    @property
    def unit(self) -> str:
        score = self.game.program.rules.score
        return "" if score is None else score.unit

    def amount(self, amount: Fraction | None) -> str:
        """An amount with its unit, one of which is singular."""
        unit = self.unit
        if amount is not None and abs(amount) == 1 and unit.endswith("s") and not unit.endswith("ss"):
            unit = unit[:-1]
        return f"{number(amount)} {unit}".rstrip()

    def result(self, result: DealResult) -> list[str]:
        """How a deal ended."""
        if result.contract is None and result.outcome is None and not any(result.payoffs):
            return ["deal over: thrown in"]
        what = ", ".join(word.replace("_", " ") for word in (result.contract, result.outcome) if word)
        gains = "   ".join(f"{self.seat(seat)} {number(gain, True)}" for seat, gain in enumerate(result.payoffs))
        return [f"deal over{': ' if what else ''}{what}", f"  gained: {gains}"]

    def totals(self, match: Match) -> str:
        """The score of the match, and what lies in the pots."""
        account = next((one for one in self.game.program.accounts if one.per), None)
        if account is None:
            return ""
        owners = self.game.program.side_names if account.per == "side" else [self.seat(seat) for seat in range(self.game.players)]
        text = "   ".join(f"{owner} {number(total)}" for owner, total in zip(owners, match.totals, strict=False))
        pots = [(one.name, match.state.world.balance(one, None)) for one in self.game.program.accounts if not one.per]
        return f"{account.name}: {text}" + "".join(f"   {name} {number(amount)}" for name, amount in pots)

    def verdict(self, match: Match) -> str:
        """Who won the match."""
        winners = match.winners
        if not winners:
            return "match over"
        return f"match over: {self.seats(winners)} {'win' if len(winners) > 1 or winners == {self.you} else 'wins'}"


class Story:
    """Events as they come, in lines; cards put away one after the other by one seat become one line.

    What an answer already told, the deal and the gathering of tricks are left out.
    """

    def __init__(self, teller: Narrator) -> None:
        self.teller = teller
        self.said: Event | None = None
        self.cards: list[int] = []
        self.count = 0

    def add(self, events: Iterable[Event]) -> list[str]:
        """The lines that are complete after more events."""
        lines: list[str] = []
        for event in events:
            if event.kind == "say":
                lines += self.say(event)
            elif event.kind == "move":
                if self.told(event):
                    continue
                line = self.teller.move(event)
                lines += [*self.flush(), line] if line else []
            else:
                lines += [*self.flush(), self.teller.other(event)]
        return lines

    def say(self, event: Event) -> list[str]:
        lines = []
        if self.said is None or not event.count or event.word == PLAY or (self.said.seat, self.said.word) != (event.seat, event.word):
            lines = self.flush()
        self.said = event
        self.cards += event.cards
        self.count += event.count
        return [*lines, *self.flush()] if not event.count else lines

    def told(self, move: Event) -> bool:
        """Whether the answer just given already told this move."""
        said = self.said
        return said is not None and move.count == 1 and move.source == ("hand", said.seat) and move.cards in ((), said.cards)

    def flush(self) -> list[str]:
        """The line still being gathered."""
        if self.said is None:
            return []
        line = self.teller.answer(self.said, self.cards, self.count)
        self.said, self.cards, self.count = None, [], 0
        return [line]


def ended_result(state: State) -> DealResult:
    """How the deal of a finished state ended."""
    return DealResult(state.contract, state.outcome, state.payoffs)


def number(value: int | Fraction | None, signed: bool = False) -> str:
    """A number as it is read, with its sign if wanted."""
    if value is None:
        return "0"
    return f"+{value}" if signed and value > 0 else str(value)
