"""Bots alone at the table: a transcript with all hands open."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from interpreter.event import Event
from interpreter.state import State
from spadille.table.narration import PLAY, Narrator, Story, ended_result
from spadille.table.session import Session


def play_out(session: Session, teller: Narrator, say: Callable[[str], None]) -> None:
    """Plays the session out with the bot in every seat and tells everything."""
    opening(session.state, session.state.news, teller, say)
    line = Line(teller, say)
    while not session.over:
        before = session.match
        action = session.bot_action()
        ended = before.state.apply(action)
        session.answer(action)
        line.tell(ended.news)
        if dealt(ended.news):
            line.flush()
            hands(ended, teller, say)
        if not ended.over:
            continue
        line.flush()
        for text in teller.result(ended_result(ended)):
            say(text)
        if session.match.over:
            line.tell(session.state.events[len(ended.events) :])
            line.flush()
        say(f"  {teller.totals(session.match)}".rstrip())
        if not session.over:
            opening(session.state, session.state.news, teller, say)
            line = Line(teller, say)
    say("")
    if session.match.over:
        say(teller.verdict(session.match))
    else:
        say(f"played: {session.deals} deal{'s' * (session.deals > 1)} of the match")


def opening(state: State, news: Sequence[Event], teller: Narrator, say: Callable[[str], None]) -> None:
    """The heading of a deal, and the hands."""
    say("")
    say(f"deal {state.world.named('deal_number')} · dealer {teller.seat(state.world.named('dealer'))}")
    hands(state, teller, say)
    story = Story(teller)
    for text in [*story.add(news), *story.flush()]:
        say(f"  {text}")


def hands(state: State, teller: Narrator, say: Callable[[str], None]) -> None:
    """All hands, and the other piles in which cards lie."""
    pile = state.game.program.pile("hand")
    ranked = state.game.program.rankings.get(0, state.world.named("trump"))
    for seat in range(state.game.players):
        say(f"  {teller.seat(seat)}  {teller.names.row(state.world.cards(pile, seat), ranked)}")
    for other in state.game.program.piles:
        if other.per_seat or other.name == "deck":
            continue
        cards = reversed(state.world.row(other, None)) if other.ordered else sorted(state.world.cards(other, None))
        text = teller.names.cards(cards)
        if text:
            say(f"  {other.name}  {text}")


def dealt(news: Sequence[Event]) -> bool:
    """Whether cards were dealt anew."""
    return any(event.kind == "move" and event.source == ("deck", None) for event in news)


class Line:
    """Gathers the cards of a trick into one line and tells everything else as it comes."""

    def __init__(self, teller: Narrator, say: Callable[[str], None]) -> None:
        self.teller = teller
        self.story = Story(teller)
        self.say = say
        self.plays: list[tuple[int, int]] = []
        self.number = 0

    def tell(self, news: Sequence[Event]) -> None:
        for event in news:
            if event.kind == "say" and event.word == PLAY and event.cards and event.seat is not None:
                self.plays.append((event.seat, event.cards[0]))
            elif event.kind == "trick":
                self.flush()
                self.number += 1
                cards = self.teller.names.cards(card for _, card in self.plays)
                leader = self.plays[0][0] if self.plays else event.seat
                self.say(f"  trick {self.number}: {self.teller.seat(leader)} leads {cards} → {self.teller.seat(event.seat)}")
                self.plays = []
            elif event.kind != "move" or event.target != ("trick", None):
                self.lines(self.story.add([event]))

    def flush(self) -> None:
        """Tells what is still being gathered."""
        self.lines(self.story.flush())

    def lines(self, lines: list[str]) -> None:
        for text in lines:
            self.say(f"  {text}")
