"""`spadille play`: a person against bots, or bots alone."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

import click

from spadille.cli.common import Failed, coloured, open_game, set_option

if TYPE_CHECKING:
    from interpreter.game import Game
    from spadille.table.company import Company
    from spadille.table.session import Session

SEEDS = 1_000_000


@click.command("play")
@click.argument("name", required=False, metavar="[RULESET]")
@click.option("--seat", type=click.IntRange(min=0), default=None, help="Your seat, 0 at first; the eldest hand moves with the deal.")
@click.option("--seed", type=int, default=None, help="Makes cards and bots the same again.")
@click.option("--deal", "one_deal", is_flag=True, help="Plays one deal, not a whole match.")
@click.option("--deals", type=click.IntRange(min=1), default=None, help="Plays so many deals of the match.")
@click.option("--bots", default=None, metavar="BOT,…",
              help="Who plays against you: greedy (default), strong or random; one for all, or one for each seat but yours.")  # fmt: skip
@click.option("--watch", is_flag=True, help="Bots take all seats; prints a transcript with all hands.")
@click.option("--names", "language", default=None, help="Names and signs of the cards: spanish, french, italian …")
@click.option("--resume", type=click.Path(path_type=Path), default=None, metavar="FILE", help="Goes on with a saved game.")
@click.option("--save", type=click.Path(dir_okay=False, path_type=Path), default=None, metavar="FILE",
              help="Puts the game away in a file at its end too, for `spadille why` and `spadille review`.")  # fmt: skip
@set_option
def command(name: str | None, seat: int | None, seed: int | None, one_deal: bool, deals: int | None, bots: str | None, watch: bool,
            language: str | None, resume: Path | None, save: Path | None, settings: tuple[str, ...]) -> None:  # fmt: skip
    """Play a game in the terminal against bots.

    Type `help` at the prompt for what can be typed: `hint` asks a strong bot for advice, and after a deal `review` tells what
    each card cost. A game left with `quit` is put away in a file and goes on with `--resume FILE`.
    """
    if name is None and resume is None:
        raise click.UsageError("name a ruleset, like `spadille play tresillo`, or `--resume FILE`")
    if one_deal and deals not in (None, 1):
        raise click.UsageError("`--deal` and `--deals` do not go together")
    if watch and seat is not None:
        raise click.UsageError("`--watch` leaves no seat for you; leave out `--seat`")
    if resume is not None:
        session, name = resumed(resume, name, seat, seed, settings, bots, watch, 1 if one_deal else deals)
    else:
        assert name is not None
        session = fresh(name, seat or 0, seed, settings, bots, watch, 1 if one_deal else deals or 0)
    run(session, name, watch, language, resume, save)


def fresh(name: str, seat: int, seed: int | None, settings: tuple[str, ...], bots: str | None, watch: bool, deals: int) -> Session:
    """A new match."""
    from random import randrange

    from interpreter.record import Record
    from spadille.table.session import Session

    game = open_game(name, settings)
    record = Record.of(game, randrange(SEEDS) if seed is None else seed, match=True)
    return Session.begin(company(game, bots, checked(game, seat), watch), record, seat, deals)


def resumed(path: Path, name: str | None, seat: int | None, seed: int | None, settings: tuple[str, ...], bots: str | None,
            watch: bool, deals: int | None) -> tuple[Session, str]:  # fmt: skip
    """A saved match; its options come from the record, and the bots sit where they sat."""
    from interpreter.record import RecordError
    from spadille.cli.saved import open_saved
    from spadille.table.company import Company, WrongBots
    from spadille.table.session import Session

    if settings or seed is not None:
        raise click.UsageError("a saved game keeps its seed and options; leave out `--set` and `--seed`")
    saved, game = open_saved(path, name)
    seat = checked(game, saved.seat if seat is None else seat)
    try:
        seated = Company(game, saved.bots) if bots is None else company(game, bots, seat, watch)
        session = Session.begin(seated, saved.record, seat, saved.deals if deals is None else deals)
    except (RecordError, WrongBots) as problem:
        raise Failed(f"`{path}`: {problem}") from None
    return session, name or saved.name


def checked(game: Game, seat: int) -> int:
    """A seat of the game."""
    if not 0 <= seat < game.persons:
        raise click.UsageError(f"there is no seat {seat}: seats are 0 to {game.persons - 1}")
    return seat


def company(game: Game, bots: str | None, seat: int, watch: bool) -> Company:
    """The bots around a seat, or in all of them."""
    from spadille.table.company import Company, WrongBots

    try:
        return Company.around(game, bots, None if watch else seat)
    except WrongBots as problem:
        raise click.UsageError(str(problem)) from None


def run(session: Session, name: str, watch: bool, language: str | None, path: Path | None, save: Path | None) -> NoReturn:
    """Plays the session at this terminal, and saves it if that is wanted."""
    from interpreter.action import GameFault
    from spadille.table.cards import CardNames, check_language
    from spadille.table.narration import Narrator
    from spadille.table.saved import Saved
    from spadille.table.talk import Talk, reader
    from spadille.table.transcript import play_out

    game = session.game
    try:
        check_language(game.program.deck, language)
    except ValueError as problem:
        raise click.UsageError(str(problem)) from None
    names = CardNames(game.program, language, coloured(sys.stdout))
    teller = Narrator(game, names, None if watch else session.you)
    options = [f"{option.id}={option.value}" for option in game.program.options.values() if option.value != option.default.value]
    say(" · ".join([game.title, f"seed {session.record.seed}", *options]))
    try:
        if watch:
            say(session.company.told(None))
            play_out(session, teller, say)
            put_away(session, name, save)
            sys.exit(0)
        friends = next((side - {session.you} for side in game.program.sides if session.you in side), frozenset())
        partner = f", with {teller.seats(friends)}" if friends else ""
        say(f"you are seat {session.you} of {game.persons}{partner}; {session.company.told(session.you)}")
        say("`hint` gives advice, `help` lists what can be typed")
        saved = Saved(session.record, name, session.you, session.company.names, session.deals)
        code = Talk(session, teller, saved, say, reader(say), path).run()
        put_away(session, name, save)
        sys.exit(code)
    except GameFault as problem:
        raise Failed(str(problem)) from None


def put_away(session: Session, name: str, path: Path | None) -> None:
    """Writes the game to a file, if one is named."""
    from spadille.table.saved import Saved, SaveError

    if path is None:
        return
    try:
        Saved(session.record, name, session.you, session.company.names, session.deals).write(path)
    except SaveError as problem:
        raise Failed(str(problem)) from None


def say(line: str) -> None:
    """One line of the game."""
    click.echo(line, color=coloured(sys.stdout))
