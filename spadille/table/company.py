"""Who sits at the table with a person: a bot for every seat, each made when it is first asked."""

from __future__ import annotations

from collections.abc import Sequence

from interpreter.game import Game
from spadille.bots.bot import BOTS, Bot, make_bot

# The first prompt should not wait for the compiled machine, which the strong bot needs.
DEFAULT = "greedy"


class WrongBots(ValueError):
    """Names that seat nobody, or not everybody; the message is for the player."""


class Company:
    """The bots of a game by seat; `names` has one name for all seats, or one for each."""

    def __init__(self, game: Game, names: Sequence[str] = (DEFAULT,)) -> None:
        self.game = game
        if len(names) not in (1, game.persons):
            raise WrongBots(f"`{game.id}` has {game.persons} seats, and {len(names)} bots are named")
        self.names = tuple(names) * game.persons if len(names) == 1 else tuple(names)
        self.bots: dict[str, Bot] = {}
        for name in self.names:
            if name not in BOTS:
                try:
                    make_bot(name, game)
                except ValueError as problem:
                    raise WrongBots(str(problem)) from None

    @classmethod
    def around(cls, game: Game, text: str | None, you: int | None) -> Company:
        """The company that a text means: `strong` for all seats, or one name for each seat, or for each but yours."""
        names = (DEFAULT,) if text is None else tuple(name.strip() for name in text.split(","))
        others = game.persons - (you is not None)
        if len(names) not in (1, others, game.persons):
            sit = "one bot sits" if others == 1 else f"{others} bots sit"
            raise WrongBots(f"{sit} at this table, and {len(names)} are named; name one for all, or one for each")
        if you is not None and len(names) == others > 1:
            # Whoever goes on from another seat finds this one taken too.
            names = (*names[:you], DEFAULT, *names[you:])
        return cls(game, names)

    def bot(self, seat: int) -> Bot:
        """The bot of a seat. One that searches is slow to make."""
        name = self.names[seat]
        if name not in self.bots:
            self.bots[name] = make_bot(name, self.game)
        return self.bots[name]

    def told(self, you: int | None) -> str:
        """Who sits around a seat: `the others are strong bots`, `seat 1 is a strong bot, seat 2 a greedy one`."""
        others = [(seat, name) for seat, name in enumerate(self.names) if seat != you]
        first = others[0][1]
        if len(others) == 1:
            return f"the other is a {first} bot"
        if all(name == first for _, name in others):
            return f"{'all' if you is None else 'the others'} are {first} bots"
        return f"seat {others[0][0]} is a {first} bot, " + ", ".join(f"seat {seat} a {name} one" for seat, name in others[1:])
