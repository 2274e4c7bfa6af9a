"""Cases of whole deals: given cards, what the seats answer, trick by trick who leads and wins, and the result."""

from __future__ import annotations

import re
from fractions import Fraction

from dsl.options import as_number
from dsl.source import Mapping, Node, Scalar, Sequence, Span
from interpreter.action import Action
from interpreter.game import Game
from spadille.casefile.auction import dealer_of
from spadille.casefile.course import Course, Saying, begin, parsed, read_sayings, read_seat
from spadille.casefile.expectations import check_expected
from spadille.casefile.position import start_values
from spadille.casefile.result import Checks, WrongCase
from spadille.casefile.words import card, cards, seat, split

END = re.compile(r"->\s*(\S+)\s*(?:\[([^\]]*)\])?\s*$")
PLAY = "play"
MOST_CARDS = 2_000


def run_deal(game: Game, body: Mapping, checks: Checks) -> None:
    """Plays a deal as the case tells it and holds the end against what it expects."""
    hands, before = body.get("hands"), start_values(game, body.get("start"))
    state = begin(game, dealer_of(game, body), hands, body.get("talon"), before)
    silent = [parsed(game, node.value, node.span) for node in _items(body.get("unless_listed")) if isinstance(node, Scalar)]
    play = _Play(Course(game, state, silent, checks), _listed(game, hands) if "policy" in body else None)
    moments = [*_items(body.get("actions")), *_items(body.get("tricks"))]
    before_play = len(_items(body.get("actions")))
    for number, moment in enumerate(moments):
        if isinstance(moment, Mapping):
            play.check(moment, moments[number + 1 :])
        elif isinstance(moment, Scalar) and number < before_play:
            for saying in read_sayings(game, moment):
                play.course.say(saying)
        elif isinstance(moment, Scalar):
            play.line(moment)
    expected = body.get("expect")
    over = expected.get("over") if isinstance(expected, Mapping) else None
    to_the_end = isinstance(over, Scalar) and over.value == "true"
    play.finish(to_the_end)
    check_expected(play.course.state, expected, checks)


def _items(node: Node | None) -> list[Node]:
    return list(node) if isinstance(node, Sequence) else []


def _listed(game: Game, hands: Node | None) -> list[list[int]]:
    return [cards(game.program.deck, row) for row in _items(hands) if isinstance(row, Scalar)]


class _Play:
    """The tricks of a deal; `order` lists the hands when every seat plays its first card that is allowed."""

    def __init__(self, course: Course, order: list[list[int]] | None) -> None:
        self.course = course
        self.game = course.game
        self.checks = course.checks
        self.order = order
        self.table: list[int] = []
        self.won: list[int] = []
        self.last_trick: list[int] = []

    # ----------------------------------------------------------------- moments

    def check(self, moment: Mapping, later: list[Node]) -> None:
        """Something to do or to check between cards."""
        kind, node = moment.entries[0].key.value, moment.entries[0].value
        assert isinstance(node, Scalar)
        if kind == "say":
            self.course.pending += read_sayings(self.game, node)
        elif kind == "legal":
            self.course.may_play(*self._who(node))
        elif kind in ("knows", "does_not_know"):
            self.course.knows(*self._who(node), kind == "knows")
        else:
            for saying in read_sayings(self.game, node):
                self.course.refuse(saying, self._coming(later))

    def _who(self, node: Scalar) -> tuple[int, Scalar, int]:
        who, start = read_seat(self.game, node)
        return who, node, start

    def _coming(self, later: list[Node]) -> list[Saying]:
        """What is said before the next cards."""
        found: list[Saying] = []
        for moment in later:
            if isinstance(moment, Scalar):
                break
            node = moment.get("say") if isinstance(moment, Mapping) else None
            if isinstance(node, Scalar):
                found += read_sayings(self.game, node)
        return found

    def line(self, text: Scalar) -> None:
        """A trick or a part of one: who plays the first of these cards, the cards, and who wins when it is complete."""
        game, deck = self.game, self.game.program.deck
        who, start = read_seat(game, text)
        end = END.search(text.value, start)
        words = split(text, start, end.start() if end is not None else len(text.value))
        if not words:
            raise WrongCase("E803", "no card is played here", text.span)
        tricks = len(self.won)
        for word, span in words:
            if len(self.won) > tricks:
                raise self.checks.stop(span, "cards of the trick", f"{word} is played", "the trick is complete")
            self.play(who, card(deck, word, span), span)
            who = self.course.state.world.next_to_play(who)
        if end is None:
            return
        winner = seat(game.program, end.group(1), text.part(*end.span(1)))
        if len(self.won) == tricks:
            raise self.checks.stop(text.part(*end.span(1)), "winner of the trick", f"seat {winner}", "the trick is not complete")
        self.checks.equal(text.part(*end.span(1)), "winner of the trick", f"seat {winner}", f"seat {self.won[-1]}")
        if end.group(2) is not None:
            span = text.part(*end.span(2))
            expected = as_number(end.group(2).strip())
            if expected is None:
                raise WrongCase("E803", f"a number is due, not `{end.group(2)}`", span)
            found = sum((game.program.worth[one] for one in self.last_trick), Fraction(0))
            self.checks.equal(span, "value of the trick", str(expected), str(found))

    # ------------------------------------------------------------------- cards

    def play(self, who: int, number: int, span: Span) -> None:
        """Plays a card when its seat is asked for one; answers that wait or are silent come before it."""
        course, text = self.course, self.game.card(number)
        action = self._action(number, span)
        for _ in range(MOST_CARDS):
            if course.give_pending():
                continue
            state = course.state
            if self.course.turn() == who and action in state.legal():
                self._policy(who, action, span)
                self._lay(action, number)
                return
            if state.over or state.question.about == PLAY or not course.go_on():
                break
        saying = Saying(who, action, span)
        raise self.checks.stop(span, "card", f"seat {who} plays {text}", course.why_not(saying))

    def _action(self, number: int, span: Span) -> Action:
        return parsed(self.game, f"{PLAY} {self.game.card(number)}", span)

    def _lay(self, action: Action, number: int) -> None:
        self.table.append(number)
        self.course.apply(action)
        won = [event.seat for event in self.course.state.events if event.kind == "trick" and event.seat is not None]
        if len(won) > len(self.won):
            self.won, self.last_trick, self.table = won, self.table, []

    def _policy(self, who: int, action: Action, span: Span) -> None:
        """Under the policy a seat plays the first card in the order of its hand that it may play."""
        chosen = self.chosen(who)
        if chosen is not None and action.card != chosen:
            raise self.checks.stop(span, f"first card that seat {who} may play", self.game.card(action.card or 0), self.game.card(chosen))

    def chosen(self, who: int) -> int | None:
        """The card that the policy plays, None without a policy."""
        if self.order is None:
            return None
        allowed = [action.card for action in self.course.state.legal() if action.card is not None]
        return next((one for one in (*self.order[who], *allowed) if one in allowed), None)

    def finish(self, to_the_end: bool) -> None:
        """Plays on by the policy, if there is one, and gives the answers that still wait."""
        course = self.course
        for _ in range(MOST_CARDS if self.order is not None and to_the_end else 0):
            state = course.state
            if state.over:
                break
            if course.give_pending():
                continue
            turn = course.turn()
            card = self.chosen(turn) if turn is not None and state.question.about == PLAY else None
            if card is not None:
                course.apply(parsed(self.game, f"{PLAY} {self.game.card(card)}", self.checks_span))
            elif not course.go_on():
                break
        course.finish(to_the_end)

    @property
    def checks_span(self) -> Span:
        return self.game.program.rules.span
