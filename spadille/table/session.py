"""A match at the table: its positions so far, the bots' answers, undo, and what the person saw of each step."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import cast

from interpreter.action import Action
from interpreter.event import Event
from interpreter.game import Game
from interpreter.match import Match
from interpreter.record import Record
from interpreter.state import State
from spadille.bots.bot import chance
from spadille.table.company import Company


@dataclass(frozen=True, slots=True)
class Step:
    """What one answer brought: events as the person saw them, the end of a deal if it came, events of the next or of the match's end."""

    seen: tuple[Event, ...]
    ended: State | None = None
    next_seen: tuple[Event, ...] = ()


@dataclass(slots=True)
class Session:
    """A match being played; `you` is the person's seat, `deals` how many deals to play (0: the match)."""

    game: Game
    company: Company
    record: Record
    you: int
    deals: int = 0
    positions: list[Match] = field(default_factory=list)

    @classmethod
    def begin(cls, company: Company, record: Record, you: int, deals: int = 0) -> Session:
        """A session that stands where the record leads to; raises RecordError."""
        record = replace(record, match=True)
        positions = [cast(Match, position) for position in record.positions(company.game)]
        return cls(company.game, company, record, you, deals, positions)

    @property
    def match(self) -> Match:
        return self.positions[-1]

    @property
    def state(self) -> State:
        return self.match.state

    @property
    def over(self) -> bool:
        """Whether the match, or the number of deals asked for, is played."""
        return self.match.over or bool(self.deals and len(self.match.results) >= self.deals)

    @property
    def your_turn(self) -> bool:
        return self.state.seat == self.you

    @property
    def begun(self) -> bool:
        """Whether the person has answered anything yet."""
        return any(position.state.seat == self.you for position in self.positions[:-1])

    def bot_action(self) -> Action:
        """What the bot answers in the seat that decides."""
        seat = self.state.seat
        assert seat is not None
        return self.company.bot(seat).choose(self.state.view(seat), chance(self.record.seed, seat, len(self.record.actions)))

    def answer(self, action: Action | str) -> Step:
        """Applies an answer; raises IllegalAction or UnknownAction and changes nothing then."""
        before = self.match
        ended = before.state.apply(action)
        after = before.apply(action)
        self.positions.append(after)
        self.record = self.record.then(action)
        known = len(before.state.events)
        seen = ended.view(self.you).events[known:]
        if not ended.over:
            return Step(seen)
        told = len(ended.events) if after.over else 0
        return Step(seen, ended, after.state.view(self.you).events[told:])

    def undo(self) -> bool:
        """Back to the person's previous decision; False if there is none."""
        for back in range(1, len(self.positions)):
            if self.positions[-1 - back].state.seat == self.you:
                del self.positions[-back:]
                self.record = self.record.back(back)
                return True
        return False

    def played(self, deal: int) -> tuple[list[State], list[str]]:
        """The states of a deal, counted from 0, and the answers given in them; a deal that is over ends with its last state."""
        at = [number for number, position in enumerate(self.positions[:-1]) if len(position.results) == deal]
        states, answers = [self.positions[number].state for number in at], [self.record.actions[number] for number in at]
        return [*states, states[-1].apply(answers[-1])] if states else [], answers

    def cards_played(self, deal: int) -> bool:
        """Whether a card was played in a deal that is over."""
        return any(event.kind == "trick" for event in self.played(deal)[0][-1].events) if deal >= 0 else False

    def last_trick(self) -> tuple[list[tuple[int, int]], int] | None:
        """Seats and cards of the last complete trick of this deal, and who won it."""
        events = self.state.view(self.you).events
        ends = [number for number, event in enumerate(events) if event.kind == "trick"]
        if not ends:
            return None
        start = ends[-2] if len(ends) > 1 else 0
        plays = [e for e in events[start : ends[-1]] if e.kind == "move" and e.target == ("trick", None)]
        return [(e.source[1] or 0, e.cards[0]) for e in plays if e.source is not None and e.cards], events[ends[-1]].seat or 0
