"""What a person sees before answering: the table, the hand in order, the answers that are allowed."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from interpreter.action import Action
from interpreter.match import Match
from interpreter.view import View
from spadille.bots.knowledge import current_ranking
from spadille.table.narration import Narrator

WIDTH = 92
PAINTED = re.compile(r"\x1b\[\d*m")
OF_EVERY_GAME = ("deck", "hand", "trick", "won")


@dataclass(frozen=True, slots=True)
class Screen:
    """Draws from a view alone."""

    teller: Narrator

    def heading(self, view: View) -> str:
        """The deal, its dealer, and what has been fixed in it."""
        program = self.teller.game.program
        parts = [f"deal {view.variable('deal_number')}", f"dealer {self.teller.seat(view.variable('dealer'))}"]
        contract, trump, bid = view.variable("contract"), view.variable("trump"), view.variable("high_bid")
        auction = program.rules.auction
        if contract is not None:
            declarer = None if auction is None or auction.declarer is None else auction.declarer.value
            who = f" ({declarer}: {self.teller.seat(view.variable(declarer))})" if declarer else ""
            parts.append(f"contract {program.contracts[contract].id.replace('_', ' ')}{who}")
        elif bid is not None:
            parts.append(f"highest bid {program.bids[bid]} by {self.teller.seat(view.variable('high_bidder'))}")
        if trump is not None:
            parts.append(f"trumps {self.teller.names.suit(trump)}")
        return " · ".join(parts)

    def scores(self, match: Match, view: View) -> list[str]:
        """Totals of the match, and tricks won in this deal."""
        tricks = view.variable("tricks")
        lines = [self.teller.totals(match)]
        if any(tricks):
            lines.append("tricks: " + "   ".join(f"{self.teller.seat(seat)} {count}" for seat, count in enumerate(tricks)))
        return [line for line in lines if line]

    def trick(self, view: View) -> str:
        """The cards on the table, in order, with who played them."""
        order = view.pile("trick").order
        by = ["" if seat is None else f"{self.teller.seat(seat)} " for seat in view.trick_seats]
        return "   ".join(f"{who}{self.teller.names.card(card)}" for who, card in zip(by, order, strict=True))

    def piles(self, view: View) -> list[str]:
        """The ruleset's own piles that have cards: those that the seat sees, and how many there are."""
        lines = []
        for pile in view.piles:
            if pile.name in OF_EVERY_GAME or not pile.count:
                continue
            owner = "" if pile.owner is None else f" of {self.teller.seat(pile.owner)}"
            seen = self.teller.names.cards(pile.order or sorted(pile.cards))
            count = f"{pile.count} card{'s' * (pile.count > 1)}"
            if len(pile.cards) < pile.count:
                seen = f"{count}, {seen} among them" if seen else count
            lines.append(f"{pile.name.replace('_', ' ')}{owner}: {seen}")
        return lines

    def hand(self, view: View) -> list[str]:
        return self.teller.names.hand(view.hand, current_ranking(self.teller.game.program, view))

    def ordered(self, view: View) -> list[Action]:
        """The legal answers as they are numbered: words as the ruleset has them, cards from high to low."""
        words = [action for action in view.legal if action.card is None]
        cards: dict[int, list[Action]] = {}
        for action in view.legal:
            if action.card is not None:
                cards.setdefault(action.card, []).append(action)
        ranked = current_ranking(self.teller.game.program, view)
        return [action for _, row in self.teller.names.groups(cards, ranked) for card in row for action in cards[card]] + words

    def answers(self, view: View) -> list[str]:
        """The legal answers with their numbers, in lines."""
        actions = self.ordered(view)
        verbs = {str(action).rpartition(" ")[0] for action in actions if action.card is not None}
        lines = [""]
        room = WIDTH
        for number, action in enumerate(actions, 1):
            if action.card is not None:
                text = str(action) if len(verbs) > 1 else self.teller.game.card(action.card)
                shown = self.teller.names.card(action.card)
                shown = f"{str(action).rpartition(' ')[0]} {shown}" if len(verbs) > 1 else shown
            else:
                text = shown = self.teller.word(str(action))
            size = len(f"{number}) {text}  ")
            if room < size and lines[-1]:
                lines.append("")
                room = WIDTH
            room -= size
            lines[-1] += f"{number}) {shown}  "
        return [line.rstrip() for line in lines]

    def question(self, view: View) -> list[str]:
        """Everything before the prompt."""
        lines = ["", f"— {self.heading(view)}"]
        if view.pile("trick").order:
            lines.append(f"trick {view.variable('trick_number')}: {self.trick(view)}")
        elif view.question == "play" and view.variable("trick_number"):
            lines.append(f"trick {view.variable('trick_number')}: you lead")
        lines += self.piles(view)
        lines += [f"  {line}" for line in self.hand(view)]
        verbs = {str(action).rpartition(" ")[0] for action in view.legal if action.card is not None}
        asked = next(iter(verbs)) if len(verbs) == 1 else (view.question or "").replace("_", " ")
        title = f"{asked}: "
        lines += [(title if number == 0 else " " * len(title)) + line for number, line in enumerate(self.answers(view))]
        return lines


def laid_out(rows: Sequence[Sequence[str]], right: Sequence[int] = (), gap: int = 2) -> list[str]:
    """Rows in columns, as wide as their widest text; those of `right` end alike. Colours take no room."""

    widths = [max(map(visible, column)) for column in zip(*rows, strict=True)]
    lines = []
    for row in rows:
        parts = []
        for number, (text, width) in enumerate(zip(row, widths, strict=True)):
            space = " " * (width - visible(text))
            parts.append(space + text if number in right else text + space)
        lines.append((" " * gap).join(parts).rstrip())
    return lines


def visible(text: str) -> int:
    """How wide a text is on the screen."""
    return len(PAINTED.sub("", text))
