"""A person at the table: reads what is typed, answers, explains refusals, undoes, saves."""

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
from spadille.table.narration import Narrator, Story, ended_result
from spadille.table.saved import Saved, SaveError, free_path
from spadille.table.screen import Screen
from spadille.table.session import Session

HELP = """\
answer    with the number before it, with its text (`pass`, `play 7h`), or with just a card (`7h`); cards are written
          rank, then the letter of the suit; several cards may be given at once where several are due
undo      goes back to your previous decision
last      shows the last trick
table     shows the table and your hand again
score     shows the score of the match, and the tricks of the deal
save FILE puts the game away and plays on; `quit` puts it away and leaves, `abandon` leaves without that
help      this"""
COMMANDS = ("undo", "last", "table", "score", "save", "quit", "abandon", "help")
WITH_FILE = ("save", "quit")
INTERRUPTED = 130
LONG_NUMBER = 6
SHORT = {"u": "undo", "q": "quit", "?": "help", "h": "help", "exit": "quit", "l": "last"}

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
            while not session.over:
                if session.your_turn:
                    self.person()
                else:
                    self.step(str(session.bot_action()))
        except Left as left:
            return left.status
        except EOFError:
            self.say("")
            return self.leave("the input ended")
        except KeyboardInterrupt:
            self.say("")
            self.leave("interrupted")
            return INTERRUPTED
        self.say("")
        deals = f"{session.deals} deal{'s' * (session.deals > 1)}"
        self.say(self.teller.verdict(session.match) if session.match.over else f"played: {deals} of the match")
        totals = self.teller.totals(session.match)
        if totals:
            self.say(totals)
        return 0

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
            self.lines([f"  {totals}" if totals else "", ""])
            self.lines(self.story.add(step.next_seen))

    def person(self) -> None:
        """One decision of the person; commands are obeyed until an answer is accepted or the position changes."""
        view = self.session.state.view(self.session.you)
        if self.advance(view):
            return
        self.lines([*self.story.flush(), *self.screen.question(self.session.match, view)])
        while True:
            typed = " ".join(self.read("> ").split())
            if not typed:
                continue
            meant = self.answer(view, typed)
            if meant is None:
                word, _, rest = typed.partition(" ")
                command = SHORT.get(word.casefold(), word.casefold())
                if command in COMMANDS and (not rest or command in WITH_FILE):
                    if self.obey(command, rest, view):
                        return
                    continue
            try:
                self.step(meant or typed)
            except GameError as refused:
                self.waiting.clear()
                known = isinstance(refused, IllegalAction)
                self.say(self.refusal(refused, view, meant) if known else self.unknown(view, typed, str(refused)))
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
            self.say(self.refusal(refused, view, answer))
            return False
        return True

    def refusal(self, refused: GameError, view: View, meant: str | None) -> str:
        """Why an answer is refused, with the obligation that forbids it."""
        card = self.session.game.program.deck.by_text.get((meant or "").rpartition(" ")[2])
        if card is not None and card not in view.hand:
            return f"`{self.session.game.card(card)}` is not in your hand"
        rung = refused.rung if isinstance(refused, IllegalAction) else None
        return f"{refused}" + (f" (obligation `{rung}`)" if rung else "")

    # ----------------------------------------------------------------- reading

    def answer(self, view: View, typed: str) -> str | None:
        """The text of the answer typed as its own text, its number, or its cards alone."""
        legal = [str(action) for action in view.legal]
        if typed in legal:
            return typed
        loose = typed.casefold().replace("-", "_")
        folded = [text for text in legal if text.casefold() in (loose, loose.replace(" ", "_"))]
        if len(folded) == 1:
            return folded[0]
        words = typed.replace(",", " ").split()
        if all(word.isdecimal() and len(word) < LONG_NUMBER for word in words):
            ordered = self.screen.ordered(view)
            if not all(1 <= int(word) <= len(ordered) for word in words):
                return None
            return self.several([str(ordered[int(word) - 1]) for word in words])
        return self.card_answer(view, typed)

    def several(self, answers: list[str]) -> str:
        """The first of several answers; the others wait for the questions that follow at once."""
        self.waiting = answers[1:]
        self.due = len(self.session.record.actions) + 1
        return answers[0]

    def card_answer(self, view: View, typed: str) -> str | None:
        """An answer given by a card alone, by several, or by the word before it and the card in any case."""
        program = self.session.game.program
        known = {text.casefold(): card for text, card in program.deck.by_text.items()}
        words = typed.replace(",", " ").split()
        offers = [offer.verb for offer in self.session.state.question.offers if offer.cards]
        if len(words) > 1 and words[0].casefold() in [verb.casefold() for verb in offers]:
            words = words[1:]
        cards = [known.get(word.casefold()) for word in words]
        if not cards or None in cards or not offers:
            return None
        return self.several([f"{offers[0]} {program.deck.text(card)}".strip() for card in cards if card is not None])

    def unknown(self, view: View, typed: str, problem: str) -> str:
        """What to say to something that is no answer: the nearest command or answer."""
        if typed.replace(",", " ").replace(" ", "").isdecimal():
            return f"there is no answer {typed}; the answers are numbered 1 to {len(view.legal)}"
        near = nearest(typed.casefold(), [*(str(action) for action in view.legal), *COMMANDS])
        if near:
            return f"`{typed}` is no answer here; did you mean `{near}`?"
        return f"{problem}; `help` lists what can be typed"

    # ---------------------------------------------------------------- commands

    def obey(self, command: str, rest: str, view: View) -> bool:
        """Carries out a command; True if the position changed."""
        session = self.session
        match command:
            case "undo":
                if session.undo():
                    self.waiting.clear()
                    self.say("back to your previous decision")
                    return True
                self.say("there is nothing to take back")
            case "last":
                self.last()
            case "table":
                self.lines(self.screen.question(session.match, view))
            case "score":
                self.lines(self.screen.scores(session.match, view))
            case "help":
                self.say(HELP)
            case "save":
                self.save(Path(rest).expanduser() if rest else None)
            case "quit":
                raise Left(self.leave("", Path(rest).expanduser() if rest else None))
            case "abandon":
                raise Left
        return False

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
        saved = Saved(record, self.saved.name, self.saved.seat, self.saved.opponents, self.saved.deals)
        try:
            saved.write(path)
        except SaveError as problem:
            self.say(f"not saved: {problem}")
            return False
        self.path = path
        self.say(f"saved; go on with: spadille play --resume {quoted(path)}")
        return True

    def leave(self, why: str, path: Path | None = None) -> int:
        """Puts the game away where there is something to keep; gives the exit code."""
        if why:
            self.say(why)
        if not self.session.begun and path is None:
            self.say(f"you have played nothing yet; the same cards are dealt by: --seed {self.session.record.seed}")
            return 0
        if self.save(path):
            return 0
        self.say("this is the record of the game; put into a file it can be resumed:")
        self.say(json.dumps(json.loads(self.session.record.to_json()), ensure_ascii=False))
        return 1


def quoted(path: Path) -> str:
    """A path as a shell takes it."""
    return quote(str(path))


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
