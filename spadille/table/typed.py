"""What a person typed, read as answers: by text, by numbers, by cards alone."""

from __future__ import annotations

from collections.abc import Iterable

from dsl.suggest import nearest
from interpreter.state import State
from interpreter.view import View
from spadille.table.screen import Screen

LONG_NUMBER = 6


def meant(screen: Screen, state: State, view: View, typed: str) -> list[str]:
    """The answers that are meant, several where several numbers or cards were typed; none if it is no answer."""
    legal = [str(action) for action in view.legal]
    if typed in legal:
        return [typed]
    loose = typed.casefold().replace("-", "_")
    folded = [text for text in legal if text.casefold() in (loose, loose.replace(" ", "_"))]
    if len(folded) == 1:
        return folded
    words = typed.replace(",", " ").split()
    verbs = [offer.verb for offer in state.question.offers if offer.cards]
    if len(words) > 1 and words[0].casefold() in [verb.casefold() for verb in verbs]:
        words = words[1:]
    deck = state.game.program.deck
    cards = {text.casefold(): card for text, card in deck.by_text.items()} if verbs else {}
    ordered = [str(action) for action in screen.ordered(view)]
    found = []
    for word in words:
        card = cards.get(word.casefold())
        if card is not None:
            found.append(f"{verbs[0]} {deck.text(card)}".strip())
        elif word.isdecimal() and len(word) < LONG_NUMBER and 1 <= int(word) <= len(ordered):
            found.append(ordered[int(word) - 1])
        else:
            return []
    return found


def unknown(view: View, commands: Iterable[str], typed: str, problem: str) -> str:
    """What to say to something that is no answer: the nearest command or answer."""
    commands = tuple(commands)
    if typed.replace(",", " ").replace(" ", "").isdecimal():
        return f"there is no answer {typed}; the answers are numbered 1 to {len(view.legal)}"
    first = typed.partition(" ")[0].casefold()
    if first in commands:
        return f"`{first}` is typed alone"
    near = nearest(typed.casefold(), [*(str(action) for action in view.legal), *commands])
    if near:
        return f"`{typed}` is no answer here; did you mean `{near}`?"
    return f"{problem}; `help` lists what can be typed"
