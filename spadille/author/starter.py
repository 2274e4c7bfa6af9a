"""The first files of a variant: a ruleset that checks clean and cases that pass, with comments that teach."""

from __future__ import annotations

import json
from collections.abc import Iterator
from collections.abc import Mapping as Given

from dsl.diagnostics import Report
from dsl.load import load
from dsl.options import Option
from dsl.printing import format_source
from dsl.printing.kinds import canonical_text, dsl_scalars
from dsl.program import Program
from dsl.source import Mapping, Node, Scalar, Source
from dsl.variant import Find, Variant

MOST_RULES = 6
LONGEST_RULE = 90
MOST_TRIED = 8
HEAD = """\
# {title}, a variant of {parent_title}. What is not said here is as in `{parent}`.
#
{commands}
ruleset: {id}
language: 1
extends: {parent}
title: {title_text}
summary: {summary_text}
"""
COMMANDS = {
    "check {file}": "says what is wrong, and where; nothing when all is well",
    "test {file}": "runs the cases in {id}.cases.yaml",
    "play {file}": "plays it",
    "diff {parent} {file}": "shows what you have changed",
    "resolve {file}": "prints the whole, with all that is inherited",
    "fmt {file}": "puts it in order",
}
OPTIONS = """
# What is inherited changes under `override`, by its path. Most often that is the default of an option
# (`spadille show {parent}` lists them); a value must be one of the option's choices.{hint}
"""
RULES = """
# Every other rule changes in the same way, in the words of the language. Some rules of `{parent}`, as they stand now:
#
"""
NEW = """
# What is new stands in a section of its own, without `override`: an option, a contract, a payment, a note for the reader.
# To try this one, take away the first `#` of its lines.
"""
CASES = """\
# Cases of {title}: what must come out, and why. Run them with `spadille test {file}`.
# Write one for every rule that you change, and one for the rule beside it that must not change.
for: {id}
cases:
"""


def starter(id: str, title: str, summary: str, parent: Variant, program: Program, given: Given[str, str], find: Find) -> tuple[str, str]:
    """The texts of a variant's ruleset and of its case file; `given` are values for options of the parent, which must be sound."""
    words = {
        "id": id, "file": f"{id}.yaml", "parent": program.rules.id, "title": title, "parent_title": program.rules.title,
        "title_text": json.dumps(title, ensure_ascii=False), "summary_text": json.dumps(summary, ensure_ascii=False),
    }  # fmt: skip
    told = {command.format(**words): what.format(**words) for command, what in COMMANDS.items()}
    width = max(len(command) for command in told)
    words["commands"] = "\n".join(f"#   spadille {command.ljust(width)}   {what}" for command, what in told.items())
    head = HEAD.format(**words)
    words["hint"] = "" if given else " To try this, take away\n# the first `#` of its lines."
    lines = [OPTIONS.format(**words)]
    if given:
        lines.append("override:\n" + "".join(f"  options.{name}.default: {value}\n" for name, value in given.items()))
    else:
        sample = next((s for s in overrides(program) if _is_clean(head + s, find)), "")
        lines.append("".join(f"#{line}\n" for line in sample.splitlines()))
    rules = list(rules_by_path(parent, program))
    if rules:
        lines.append(RULES.format(**words) + "".join(f"#   {path}: {text}\n" for path, text in rules))
    lines.append(NEW.format(**words) + "#notes:\n#  - We have played it like this since 1987.\n")
    text = format_source(Source(words["file"], head + "".join(lines)), Report(), find)
    cases = format_source(Source(f"{id}.cases.yaml", CASES.format(**words) + case(program)), Report(), find)
    assert text is not None and cases is not None
    return text, cases


def overrides(program: Program) -> Iterator[str]:
    """Overrides of one option each, with the values to choose from."""
    for option in list(program.options.values())[:MOST_TRIED]:
        for value in other_values(option):
            choices = f"  # of {', '.join(option.words)}" if option.words else ""
            yield f"override:\n  options.{option.id}.default: {value}{choices}\n"


def other_values(option: Option) -> Iterator[str]:
    """Values that an option may have beside its default."""
    values = option.words or (("yes", "no") if option.kind == "truth" else [str(n) for n in (option.least, option.most) if n is not None])
    yield from (value for value in values if value != option.value)


def _is_clean(text: str, find: Find) -> bool:
    loaded = load(Source("<new>", text), find)
    return loaded.program is not None and not loaded.report.diagnostics


def rules_by_path(parent: Variant, program: Program) -> Iterator[tuple[str, str]]:
    """Some rules of the parent as paths with their texts: how a bid is legal, what must be played, outcomes, the end of a match."""
    kinds = {id(scalar): kind for scalar, kind in dsl_scalars(parent.document)}
    found = 0
    for section, *below in (("auction", "legal"), ("play", "leads"), ("play", "obligations"), ("outcomes",), ("match", "ends")):
        node = parent.document.get(section)
        path = section
        for key in below:
            node = node.get(key) if isinstance(node, Mapping) else None
            path = f"{path}.{key}"
        rows: list[tuple[str, Node | None]] = [(path, node)]
        if isinstance(node, Mapping):
            row = node.entries[0]
            when = row.value.get("when") if isinstance(row.value, Mapping) else row.value
            rows = [(f"{path}.{row.key.value}" + (".when" if isinstance(row.value, Mapping) else ""), when)]
        for where, scalar in rows:
            if not isinstance(scalar, Scalar) or id(scalar) not in kinds or found == MOST_RULES:
                continue
            text = canonical_text(scalar, kinds[id(scalar)], program.rules.phrases)
            found += 1
            yield where, text if len(text) <= LONGEST_RULE else text[: LONGEST_RULE - 1] + "…"


def case(program: Program) -> str:
    """A first case: how the cards of a suit rank, which holds in the parent too."""
    from spadille.sheet.orders import rankings

    row = next((row for row in rankings(program) if row["way"] in ("plain", "trump")), None) or rankings(program)[0]
    suit = row["trump"] or program.deck.suits[0].name
    cards = " ".join(row["orders"].get(suit) or next(iter(row["orders"].values())))
    trump = f"trump: {row['trump']}, " if row["trump"] else ""
    name = f"{suit} from high to low" + (f" when {row['trump']} are trumps" if row["trump"] else "")
    return f"  - name: {name}\n    order: {{{trump}of: {suit}, is: {cards}}}\n"
