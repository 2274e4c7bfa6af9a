"""`spadille diff`: what differs between two rulesets, in the text and at the table."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from spadille.cli.common import Failed, counted, json_option, open_game, open_sound, set_option

if TYPE_CHECKING:
    from spadille.compare.paths import Change
    from spadille.compare.play import Clash

SHOWN = 100


@click.command("diff")
@click.argument("left", metavar="RULESET")
@click.argument("right", metavar="RULESET")
@set_option
@click.option("--left", "ours", multiple=True, metavar="OPTION=VALUE", help="Gives an option a value in the first ruleset only.")
@click.option("--right", "theirs", multiple=True, metavar="OPTION=VALUE", help="The same for the second.")
@click.option("--deals", type=click.IntRange(0, 100_000), default=300, show_default=True, help="How many deals are played at random.")
@click.option("--seed", type=int, default=1, show_default=True, help="The seed of the first deal; the next has the next number.")
@click.option("--words", is_flag=True, help="Shows titles, descriptions and sources too.")
@json_option
def command(
    left: str, right: str, settings: tuple[str, ...], ours: tuple[str, ...], theirs: tuple[str, ...], deals: int, seed: int, words: bool,
    as_json: bool,
) -> None:  # fmt: skip
    """Show what differs between two rulesets.

    By path, with files and lines; and by play: of random deals the smallest in which answers, outcome or payments differ.

    \b
    Example: spadille diff tresillo tresillo-sin-ver
             spadille diff tresillo tresillo --right privilege=none
    """
    from spadille.compare.paths import changes
    from spadille.compare.resolved import resolved

    (variant, program), (other, second) = open_sound(left, (*settings, *ours)), open_sound(right, (*settings, *theirs))
    every = changes(resolved(variant, program), program.rules.phrases, resolved(other, second), second.rules.phrases)
    found = [one for one in every if words or not one.words]
    clash = played(left, right, (*settings, *ours), (*settings, *theirs), deals, seed) if deals else None
    if as_json:
        import json

        answer = {"paths": [asdict(one) for one in found], "deals": deals, "play": None if clash is None else asdict(clash)}
        click.echo(json.dumps(answer, ensure_ascii=False, indent=2))
        return
    names = (left, right) if left != right else ("the first", "the second")
    for line in (*path_lines(found), "", *play_lines(clash, names, deals)):
        click.echo(line)


def played(left: str, right: str, ours: tuple[str, ...], theirs: tuple[str, ...], deals: int, seed: int) -> Clash | None:
    """The smallest clash of two games."""
    from interpreter.action import GameFault
    from spadille.compare.play import smallest_clash

    try:
        return smallest_clash(open_game(left, ours), open_game(right, theirs), deals, seed)
    except GameFault as fault:
        raise Failed(str(fault)) from None


def path_lines(found: list[Change]) -> list[str]:
    """The changes, each with what stands in either ruleset and where."""
    lines = [f"by path: {counted(len(found), 'difference')}" if found else "by path: no difference"]
    for one in found:
        lines.append(f"  {click.style(one.path, bold=True)}")
        for sign, text, place, colour in (("-", one.left, one.left_place, "red"), ("+", one.right, one.right_place, "green")):
            if text is not None:
                short = text if len(text) <= SHOWN else text[: SHOWN - 1] + "…"
                lines.append(f"    {click.style(f'{sign} {short}', fg=colour)}  {click.style(f'# {place}', dim=True)}")
    return lines


def play_lines(clash: Clash | None, names: tuple[str, str], deals: int) -> list[str]:
    """The deal in which two games part, for a reader."""
    if clash is None:
        return [f"by play: no difference in {counted(deals, 'random deal')}" if deals else "by play: not tried"]
    if clash.kind == "table":
        return ["by play: not at the same table", *sides(clash, names)]
    lines = [f"by play: deal {clash.seed}, dealt by seat {clash.dealer}, after {counted(len(clash.answers), 'answer')}"]
    if clash.kind == "deal":
        return [*lines, "  the cards are dealt in another way", *sides(clash, names)]
    lines += [f"  seat {seat} holds {hand}" for seat, hand in enumerate(clash.hands)]
    if clash.answers:
        told = ", ".join(f"{seat}: {answer}" for seat, answer in clash.answers)
        lines += click.wrap_text(told, SHOWN, "  ", "  ").splitlines()
    if clash.kind != "legal":
        what = {"question": "what comes next", "outcome": "the outcome", "payments": "the payments"}[clash.kind]
        return [*lines, f"  {what} is not the same" if clash.kind != "payments" else f"  {what} are not the same", *sides(clash, names)]
    lines.append(f"  seat {clash.seat} is asked: {clash.about}" + (f", holding {clash.hand}" if clash.hand else ""))
    both = [answer for answer in clash.left if answer in clash.right]
    only = [(names[0], [x for x in clash.left if x not in both]), (names[1], [x for x in clash.right if x not in both])]
    for who, answers in (("both", both), *((f"only {name}", answers) for name, answers in only)):
        if answers:
            lines += click.wrap_text(f"{who}: {', '.join(answers)}", SHOWN, "    ", "      ").splitlines()
    return lines


def sides(clash: Clash, names: tuple[str, str]) -> list[str]:
    """What each game says, in a line each where it is short."""
    lines: list[str] = []
    for name, says in zip(names, (clash.left, clash.right), strict=True):
        lines += click.wrap_text(f"{name}: {'; '.join(says)}", SHOWN, "    ", "      ").splitlines()
    return lines
