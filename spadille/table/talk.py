"""A person at the table: reads what is typed, answers, explains refusals, advises, undoes, saves."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from shlex import quote

from dsl.suggest import nearest
from interpreter.action import GameError, IllegalAction
from interpreter.view import View
from spadille.table.hint import SECONDS, think
from spadille.table.hint import told as hint_told
from spadille.table.narration import Narrator, Story, ended_result
from spadille.table.saved import Saved, SaveError, free_path
from spadille.table.screen import Screen
from spadille.table.session import Session
from spadille.table.typed import meant, unknown

HELP = """\
answer    with the number before it, with its text (`pass`, `play 7h`), or with just a card (`7h`); cards are written
          rank, then the letter of the suit; several cards may be given at once where several are due
hint      what a strong bot that sees only what you see expects of every answer
undo      goes back to your previous decision
last      shows the last trick
table     shows the table and your hand again
score     shows the score of the match, and the tricks of the deal
review    after a deal: what each card played in it cost, with all cards open; `review tricks`, `review points`
          or `review payoff` (what is gained; slow) say what is counted
save FILE puts the game away and plays on; `quit` puts it away and leaves, `abandon` leaves without that
help      this"""
COMMANDS = ("hint", "undo", "last", "table", "score", "review", "save", "quit", "abandon", "help")
WITH_MORE = ("save", "quit", "review")
BETWEEN = ("review", "undo", "score", "save", "quit", "abandon", "help")
INTERRUPTED = 130
SHORT = {"u": "undo", "q": "quit", "?": "help", "h": "help", "exit": "quit", "l": "last", "r": "review"}

Say = Callable[[str], None]


class Left(Exception):
    """The person leaves; `status` is the exit code."""

    def __init__(self, status: int = 0) -> None:
        super().__init__()
        self.status = status


@dataclass(slots=True)
class Talk:
    """The conversation; `read` gives a typed line or raises EOFError."""

    session: Session
    teller: Narrator
    saved: Saved
    say: Say
    read: Callable[[str], str]
    path: Path | None = None
    seconds: float = SECONDS
    waiting: list[str] = field(default_factory=list)
    due: int = 0
    story: Story = field(init=False)

    def __post_init__(self) -> None:
        self.story = Story(self.teller)

    @property
    def screen(self) -> Screen:
        return Screen(self.teller)

    # -------------------------------------------------------------------- play

    def run(self) -> int:
        """Plays to the end, or until the person leaves; gives the exit code."""
        session = self.session
        self.lines(self.story.add(session.state.view(session.you).events))
        try:
            again = True
            while again:
                while not session.over:
                    if session.your_turn:
                        self.person()
                    else:
                        self.step(str(session.bot_action()))
                self.farewell()
                again = self.after_last()
        except Left as left:
            return left.status
        except EOFError:
            self.say("")
            return self.leave("the input ended")
        except KeyboardInterrupt:
            self.say("")
            self.leave("interrupted")
            return INTERRUPTED
        return 0

    def farewell(self) -> None:
        """How the match stands when no deal is left."""
        session = self.session
        self.say("")
        deals = f"{session.deals} deal{'s' * (session.deals > 1)}"
        self.say(self.teller.verdict(session.match) if session.match.over else f"played: {deals} of the match")
        totals = self.teller.totals(session.match)
        if totals:
            self.say(totals)

    def lines(self, lines: list[str]) -> None:
        for line in lines:
            self.say(line)

    def step(self, action: str) -> None:
        """Applies an answer and tells what it brought."""
        step = self.session.answer(action)
        self.lines(self.story.add(step.seen))
        if step.ended is None:
            return
        self.lines([*self.story.flush(), "", *self.teller.result(ended_result(step.ended))])
        if self.session.match.over:
            self.lines([*self.story.add(step.next_seen), *self.story.flush()])
        elif not self.session.over:
            totals = self.teller.totals(self.session.match)
            self.lines([f"  {totals}" if totals else ""])
            if not self.between():
                self.say("")
                self.lines(self.story.add(step.next_seen))

    def person(self) -> None:
        """One decision of the person; commands are obeyed until an answer is accepted or the position changes."""
        view = self.session.state.view(self.session.you)
        if self.advance(view):
            return
        self.lines([*self.story.flush(), *self.screen.question(view)])
        while True:
            typed = " ".join(self.read("> ").split())
            if not typed:
                continue
            answers = meant(self.screen, self.session.state, view, typed)
            if not answers:
                command, rest = command_of(typed)
                if command in COMMANDS and (not rest or command in WITH_MORE):
                    if self.obey(command, rest, view):
                        return
                    continue
            # Several answers: the others wait for the questions that follow at once.
            self.waiting, self.due = answers[1:], len(self.session.record.actions) + 1
            try:
                self.step(answers[0] if answers else typed)
            except GameError as refused:
                self.waiting.clear()
                known = isinstance(refused, IllegalAction)
                self.say(self.refusal(refused, view, answers[:1]) if known else unknown(view, COMMANDS, typed, str(refused)))
                continue
            return

    def advance(self, view: View) -> bool:
        """Gives an answer that was typed in advance; they hold only while nobody else has answered."""
        if not self.waiting or self.due != len(self.session.record.actions):
            self.waiting.clear()
            return False
        self.due += 1
        answer = self.waiting.pop(0)
        try:
            self.step(answer)
        except GameError as refused:
            self.waiting.clear()
            self.say(self.refusal(refused, view, [answer]))
            return False
        return True

    def refusal(self, refused: GameError, view: View, answers: list[str]) -> str:
        """Why an answer is refused, with the obligation that forbids it."""
        card = self.session.game.program.deck.by_text.get(answers[0].rpartition(" ")[2]) if answers else None
        if card is not None and card not in view.hand:
            return f"`{self.session.game.card(card)}` is not in your hand"
        rung = refused.rung if isinstance(refused, IllegalAction) else None
        return f"{refused}" + (f" (obligation `{rung}`)" if rung else "")

    # ----------------------------------------------------------- between deals

    def between(self) -> bool:
        """Waits before the next deal; True if the person took an answer back."""
        return self.offer("Enter deals the next cards; `review` tells what each card cost")

    def after_last(self) -> bool:
        """Waits before leaving; True if the person took an answer back."""
        try:
            return self.offer("Enter leaves the table; `review` tells what each card cost")
        except (EOFError, KeyboardInterrupt):
            # Nothing is lost that is not told already.
            self.say("")
            return False

    @property
    def over_deals(self) -> int:
        """How many deals are over."""
        return len(self.session.match.results)

    def offer(self, title: str) -> bool:
        """Obeys what may be asked between deals; True if the position changed. A deal without a card played is passed over."""
        if not self.session.cards_played(self.over_deals - 1):
            return False
        self.waiting.clear()
        self.say("")
        self.say(f"— {title}")
        while True:
            typed = " ".join(self.read("> ").split())
            if not typed:
                return False
            command, rest = command_of(typed)
            if command in BETWEEN and (not rest or command in WITH_MORE):
                if self.obey(command, rest, self.session.state.view(self.session.you)):
                    return True
                continue
            near = nearest(command, BETWEEN)
            self.say(f"nothing is asked now, so `{typed}` is no answer; " + (f"did you mean `{near}`?" if near else title))

    # ---------------------------------------------------------------- commands

    def obey(self, command: str, rest: str, view: View) -> bool:
        """Carries out a command; True if the position changed."""
        session = self.session
        match command:
            case "undo":
                if session.undo():
                    self.waiting.clear()
                    self.story = Story(self.teller)
                    self.say("back to your previous decision")
                    return True
                self.say("there is nothing to take back")
            case "hint":
                self.hint(view)
            case "last":
                self.last()
            case "table":
                self.lines(self.screen.question(view))
            case "score":
                self.lines(self.screen.scores(session.match, view))
            case "review":
                self.review(rest)
            case "help":
                self.say(HELP)
            case "save":
                self.save(Path(rest).expanduser() if rest else None)
            case "quit":
                raise Left(self.leave("", Path(rest).expanduser() if rest else None))
            case "abandon":
                raise Left
        return False

    def hint(self, view: View) -> None:
        """What the strong bot thinks; an interrupt ends the thinking, not the game."""
        record = self.session.record
        try:
            found = think(self.session.game, view, record.seed, len(record.actions), self.seconds)
        except KeyboardInterrupt:
            self.say("no hint: interrupted")
            return
        self.lines(hint_told(found, self.teller, view))

    def review(self, value: str) -> None:
        """What the cards of the last deal that is over cost; an interrupt ends the search, and what was found is told."""
        deal = self.over_deals - 1
        while deal >= 0 and not self.session.cards_played(deal):
            deal -= 1
        if deal < 0:
            self.say("no deal is over yet: a review opens all cards")
            return
        # The solver is not needed before, and takes time to load.
        from spadille.solver.review import Judging
        from spadille.solver.solve import VALUES
        from spadille.table.judged import told

        if value and value not in VALUES:
            near = nearest(value, VALUES)
            self.say(f"a review counts {', '.join(VALUES)}, not `{value}`" + (f"; did you mean `{near}`?" if near else ""))
            return
        self.say("the solver looks at every card, from the last to the first; this may take some seconds …")
        try:
            judging = Judging(*self.session.played(deal), value or None)
            try:
                judging.run()
            except KeyboardInterrupt:
                self.say("interrupted: this is what was found so far")
        except KeyboardInterrupt:
            self.say("no review: interrupted")
            return
        self.lines(told(judging.review, self.teller))

    def last(self) -> None:
        found = self.session.last_trick()
        if found is None:
            self.say("no trick is complete in this deal yet")
            return
        plays, winner = found
        cards = "   ".join(f"{self.teller.seat(seat)} {self.teller.names.card(card)}" for seat, card in plays)
        self.say(f"last trick: {cards}   won by {self.teller.seat(winner)}")

    def save(self, path: Path | None = None) -> bool:
        """Puts the game away; False if that failed."""
        record = self.session.record
        path = path or self.path or free_path(self.session.game.id, record.seed)
        saved = Saved(record, self.saved.name, self.saved.seat, self.saved.bots, self.saved.deals)
        try:
            saved.write(path)
        except SaveError as problem:
            self.say(f"not saved: {problem}")
            return False
        self.path = path
        self.say(f"saved; go on with: spadille play --resume {quote(str(path))}")
        return True

    def leave(self, why: str, path: Path | None = None) -> int:
        """Puts the game away where there is something to keep; gives the exit code."""
        if why:
            self.say(why)
        if self.session.over and path is None:
            return 0
        if not self.session.begun and path is None:
            self.say(f"you have played nothing yet; the same cards are dealt by: --seed {self.session.record.seed}")
            return 0
        if self.save(path):
            return 0
        self.say("this is the record of the game; put into a file it can be resumed:")
        self.say(json.dumps(json.loads(self.session.record.to_json()), ensure_ascii=False))
        return 1


def command_of(typed: str) -> tuple[str, str]:
    """The command that something typed begins with, and the rest."""
    word, _, rest = typed.partition(" ")
    return SHORT.get(word.casefold(), word.casefold()), rest


def reader(say: Say) -> Callable[[str], str]:
    """Reads lines from the terminal with editing, or from a pipe, echoing them so that the output can be read."""
    if sys.stdin.isatty() and sys.stdout.isatty():
        # Gives input() editing and history, where the system has it.
        with suppress(ImportError):
            import_module("readline")
        return input

    def read(prompt: str) -> str:
        line = sys.stdin.readline()
        if not line:
            raise EOFError
        say(f"{prompt}{line.rstrip()}")
        return line

    return read
