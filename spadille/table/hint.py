"""A hint: what a bot that searches expects of every answer, from what the seat may know and nothing else."""

from __future__ import annotations

from dataclasses import dataclass
from threading import Thread
from typing import TYPE_CHECKING, Any

from interpreter.action import Action
from interpreter.game import Game
from interpreter.view import View
from spadille.bots.bot import chance, make_bot
from spadille.bots.knowledge import high_is_good
from spadille.table.narration import Narrator
from spadille.table.screen import WIDTH, Screen, laid_out, visible

if TYPE_CHECKING:
    from spadille.bots.strong import Estimate

SECONDS = 10.0
ONLY = "there is only one answer"
NO_WORLD = "the strong bot could think of no way the unseen cards may lie that fits what you have seen"
LITTLE = 0.005
LONG = 20  # rows of a table before a second stands beside it
GAP = 3
TOO_LONG = "the strong bot came to no end within"


@dataclass(frozen=True, slots=True)
class Prospect:
    """An answer: the gain expected in the deal, None where it was not looked at, and which share of the looks it had (0 to 1)."""

    action: Action
    gain: float | None
    share: float


@dataclass(frozen=True, slots=True)
class Hint:
    """What may be answered, the most promising first, and what is advised.

    `why` says why there are no prospects: then `best` is the advice of the rules of thumb. Views that are equal get equal hints.
    """

    seat: int
    question: str
    best: Action
    looks: int
    prospects: tuple[Prospect, ...]
    high_is_good: bool
    why: str = ""


def think(game: Game, view: View, seed: int, decision: int, seconds: float = SECONDS) -> Hint:
    """The hint for the seat that decides in a view; the same numbers give the same hint, unless the time is not enough."""

    def advised(why: str) -> Hint:
        best = make_bot("greedy", game).choose(view, chance(seed, view.seat, decision))
        return Hint(view.seat, view.question or "", best, 0, (), good, why)

    good = high_is_good(game)
    if len(view.legal) == 1:
        return advised(ONLY)
    found = _estimates(game, view, seed, decision, seconds)
    if found is None:
        return advised(f"{TOO_LONG} {seconds:g} seconds")
    if not found:
        return advised(NO_WORLD)
    from spadille.bots.strong import best_of

    looks = max(1, sum(one.looks for one in found))
    by_action = {one.action: one for one in found}
    best = best_of(found, good)
    # Of answers looked at about as often the better stands first.
    sign = 1 if good else -1
    rest = sorted((one for one in found if one is not best), key=lambda one: (-round(100 * one.looks / looks), -sign * one.gain))
    order = [best, *rest]
    prospects = [Prospect(one.action, one.gain, one.looks / looks) for one in order]
    prospects += [Prospect(action, None, 0.0) for action in view.legal if action not in by_action]
    return Hint(view.seat, view.question or "", best.action, looks, tuple(prospects), good)


def _estimates(game: Game, view: View, seed: int, decision: int, seconds: float) -> list[Estimate] | None:
    """What the bot thinks; None where that takes longer."""
    bot: Any = make_bot("strong", game)  # a bot of its own: a search that is given up goes on for a while
    answers: list[list[Estimate]] = []
    failures: list[BaseException] = []

    def search() -> None:
        try:
            answers.append(bot.estimates(view, chance(seed, view.seat, decision)))
        except Exception as problem:
            failures.append(problem)

    thread = Thread(target=search, daemon=True)
    thread.start()
    thread.join(seconds)
    if failures:
        raise failures[0]
    return answers[0] if answers else None


# --------------------------------------------------------------------- telling


def told(hint: Hint, teller: Narrator, view: View) -> list[str]:
    """The hint in lines, answers with the numbers they have at the prompt."""
    if hint.why:
        how = "" if hint.why == ONLY else "by rules of thumb: "
        return [hint.why, f"{how}{answer_text(hint.best, teller)}"]
    numbers = {action: number for number, action in enumerate(Screen(teller).ordered(view), 1)}
    few = "" if hint.high_is_good else "; little is good"
    unit = teller.unit or "what is counted"
    lines = [
        f"what the strong bot expects {teller.seat(hint.seat)} to gain in this deal, in {unit}{few};",
        f"it tried {hint.looks:,} ways to go on, and knows little of answers that it seldom tried:",
    ]
    rows = []
    for one in hint.prospects:
        gain = "not tried" if one.gain is None else f"{round(one.gain, 2) or 0:+.2f}"
        share = "" if one.gain is None else f"tried {f'{one.share:.0%}' if one.share >= LITTLE else '<1%':>4}"
        rows.append((f"{numbers[one.action]})", answer_text(one.action, teller), gain, share, "best" if one.action == hint.best else ""))
    told = laid_out(rows, right=(0, 2))
    # Many answers, as in long auctions, stand side by side.
    columns = max(1, min(WIDTH // (max(map(visible, told)) + GAP), -(-len(told) // LONG)))
    height = -(-len(told) // columns)
    beside = [["", *(told[at] if at < len(told) else "" for at in range(row, height * columns, height))] for row in range(height)]
    return lines + laid_out(beside, gap=GAP)


def answer_text(action: Action, teller: Narrator) -> str:
    """An answer as it is told."""
    if action.card is None:
        return teller.word(str(action))
    verb = str(action).rpartition(" ")[0]
    return f"{verb} {teller.names.card(action.card)}".strip()


def plain(hint: Hint, unit: str) -> dict[str, Any]:
    """The hint as JSON has it."""
    return {
        "seat": hint.seat,
        "question": hint.question,
        "best": str(hint.best),
        "why": hint.why,
        "looks": hint.looks,
        "unit": unit,
        "high_is_good": hint.high_is_good,
        "answers": [{"answer": str(one.action), "gain": one.gain, "share": one.share} for one in hint.prospects],
    }
