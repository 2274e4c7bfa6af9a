"""Golden transcripts: for each ruleset a random match as everybody at the table hears it, kept as text.

`python -m tests.golden [RULESET …]` writes them anew, all or some; the difference then shows what a change did to a game.
"""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from random import Random

import spadille
from interpreter.event import Event
from interpreter.match import Match
from spadille.table.cards import CardNames
from spadille.table.narration import Narrator, Story, number
from spadille.table.transcript import Line

FOLDER = Path(__file__).resolve().parent / "golden"
SEED = 1729
TOLD = 2  # deals that are told answer by answer; of the others only how they end
MOST = 2_500  # answers, at which a long match is left


def path(ruleset: str) -> Path:
    return FOLDER / f"{ruleset}.txt"


def public(event: Event, players: int) -> Event:
    """An event as someone hears it who has no cards: those that all saw, and how many the others are."""
    everybody = len(event.seen) == players
    return replace(event, cards=event.cards if everybody else ())


def transcript(ruleset: str) -> str:
    """The transcript of a ruleset under its defaults."""
    game = spadille.load(ruleset)
    teller = Narrator(game, CardNames(game.program))
    lines: list[str] = [f"{game.id}: {game.title}", f"seed {SEED}, every answer at random"]
    random, match, answers = Random(SEED), game.match(SEED), 0
    line = Line(teller, lines.append)
    begin(match, teller, lines)
    while not match.over and answers < MOST:
        state = match.state
        # Not `choice`, whose use of the random numbers is not promised.
        legal = state.legal()
        answer = legal[int(random.random() * len(legal))]
        after, ended, answers = match.apply(answer), state.apply(answer), answers + 1
        if len(match.results) < TOLD:
            line.tell([public(event, game.players) for event in ended.news])
        if ended.over:
            line.flush()
            lines += results(after, len(match.results), teller)
            if after.over:
                line.tell([public(event, game.players) for event in after.state.events[len(ended.events) :]])
                line.flush()
            elif len(after.results) < TOLD:
                line = Line(teller, lines.append)
                begin(after, teller, lines)
        match = after
    lines.append("")
    lines.append(teller.verdict(match) if match.over else f"left after {answers} answers")
    lines.append(teller.totals(match))
    return "\n".join(text.rstrip() for text in lines).rstrip() + "\n"


def begin(match: Match, teller: Narrator, lines: list[str]) -> None:
    """The heading of a deal, and what all hear before the first answer."""
    state = match.state
    lines += ["", f"deal {state.world.named('deal_number')}, dealer {teller.seat(state.world.named('dealer'))}"]
    story = Story(teller)
    told = [*story.add(public(event, match.game.players) for event in state.news), *story.flush()]
    lines += [f"  {text}" for text in told]


def results(match: Match, first: int, teller: Narrator) -> list[str]:
    """How the deals ended that came to an end: more than one where a deal ends without an answer."""
    found = []
    for place, result in enumerate(match.results[first:], first + 1):
        what = ", ".join(word.replace("_", " ") for word in (result.contract, result.outcome) if word) or "thrown in"
        found.append(f"  {place}: {what}: {' '.join(number(gain, True) for gain in result.payoffs)}")
    return found


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    chosen = sys.argv[1:] or spadille.ruleset_ids()
    for old in FOLDER.glob("*.txt"):
        if old.stem not in spadille.ruleset_ids():
            old.unlink()
    for one in chosen:
        path(one).write_text(transcript(one), encoding="utf-8")
        print(path(one).relative_to(FOLDER.parent.parent))
