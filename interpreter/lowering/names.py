"""The alphabet of a game's answers: cards first, then words, suits, ranks and bids with the verbs they follow."""

from __future__ import annotations

from dsl.program import Program
from interpreter.lowering.layout import words_for


class Alphabet:
    """Numbers for answers; cards have theirs, words get the next free ones as questions name them."""

    def __init__(self, program: Program, answers: int) -> None:
        self.program = program
        self.texts: list[str] = [program.deck.text(card) for card in range(len(program.deck))]
        self.numbers: dict[str, int] = {}
        self.ranges: dict[tuple[str, str], tuple[int, int]] = {}
        self.words = words_for(len(self.texts) + answers)

    def word(self, text: str) -> int:
        """The number of a single word."""
        if text not in self.numbers:
            self.numbers[text] = len(self.texts)
            self.texts.append(text)
        return self.numbers[text]

    def range(self, verb: str, kind: str) -> tuple[int, int]:
        """The first number and the count of a verb with each suit, rank or bid."""
        if (verb, kind) not in self.ranges:
            elements = {
                "suits": [suit.name for suit in self.program.deck.suits],
                "ranks": [rank.symbol for rank in self.program.deck.ranks],
                "bids": list(self.program.bids),
            }[kind]
            first = len(self.texts)
            self.ranges[verb, kind] = (first, len(elements))
            self.texts += [f"{verb} {element}".strip() for element in elements]
        return self.ranges[verb, kind]
