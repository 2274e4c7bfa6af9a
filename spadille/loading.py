"""Finding rulesets by id, path or text, and loading them with options."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import rulesets
from dsl.diagnostics import Diagnostic, Report, render_text
from dsl.load import Loaded
from dsl.load import load as load_source
from dsl.options import Option
from dsl.source import Source
from dsl.suggest import nearest
from dsl.yamltext import load as read_file

if TYPE_CHECKING:
    from dsl.program import Program
    from dsl.variant import Variant
    from interpreter.game import Game

LONGEST_ID = 100
FOLDER = Path(rulesets.__file__).parent


class RulesetError(ValueError):
    """A ruleset that cannot be played; `diagnostics` says all that is wrong and where."""

    def __init__(self, diagnostics: tuple[Diagnostic, ...]) -> None:
        self.diagnostics = diagnostics
        super().__init__("\n".join(render_text(diagnostic) for diagnostic in diagnostics))


class UnknownRuleset(RulesetError):
    """No ruleset has this id or path."""

    def __init__(self, name: str) -> None:
        near = nearest(name, ruleset_ids())
        self.diagnostics = ()
        ValueError.__init__(self, f"unknown ruleset `{name}`" + (f"; did you mean `{near}`?" if near else ""))


class OptionError(ValueError):
    """An option that does not exist, or a value it cannot have."""


@cache
def ruleset_ids() -> tuple[str, ...]:
    """The ids of the rulesets that come with Spadille."""
    return tuple(sorted(path.stem for path in FOLDER.glob("*.yaml") if ".cases" not in path.name))


def find_source(name: str, report: Report) -> Source | None:
    """The text of a ruleset by id, by path, or given as YAML; None after an error in the report."""
    if "\n" in name:
        return Source("<text>", name)
    if name in ruleset_ids():
        return read_file(FOLDER / f"{name}.yaml", f"rulesets/{name}.yaml", report)
    path = Path(name)
    if path.suffix in (".yaml", ".yml"):
        return read_file(path, name, report)
    raise UnknownRuleset(name)


def parents(near: Path | None) -> Callable[[str], Source | None]:
    """Finds parents by id: beside the file first, then among the shipped rulesets."""

    def find(id: str) -> Source | None:
        if len(id) > LONGEST_ID:
            return None
        for folder, shown in ((near, "" if near in (None, Path()) else f"{near}/"), (FOLDER, "rulesets/")):
            if folder is not None and (folder / f"{id}.yaml").is_file():
                return read_file(folder / f"{id}.yaml", f"{shown}{id}.yaml", Report())
        return None

    return find


def folder_of(name: str) -> Path | None:
    """Where the parents of a file are looked for first; None for shipped rulesets and for text."""
    return Path(name).parent if "\n" not in name and name not in ruleset_ids() else None


def read(name: str, options: Mapping[str, str] | None = None, change: Any = None, probes: bool = False) -> Loaded:
    """A ruleset checked, with everything that is wrong in the report; `change` edits its document, `probes` make it traceable."""
    report = Report()
    source = find_source(name, report)
    if source is None:
        return Loaded(None, None, report)
    return load_source(source, parents(folder_of(name)), ruleset_ids(), options, change, name in ruleset_ids(), probes)


def load(name: str, **options: Any) -> Game:
    """A game by the id, the path or the YAML text of its ruleset, options as keywords.

    Raises RulesetError with all diagnostics, and OptionError for an unknown option or value.
    """
    preset = options.pop("preset", None)
    texts = {key: option_text(value) for key, value in options.items()}
    loaded = read(name, texts)
    if loaded.program is None or loaded.variant is None:
        if loaded.report.ok:
            raise UnknownRuleset(name)
        raise RulesetError(loaded.report.errors)
    if preset is not None:
        presets = loaded.program.rules.presets
        if preset not in presets:
            near = nearest(preset, presets)
            raise OptionError(f"unknown preset `{preset}`" + (f"; did you mean `{near}`?" if near else ""))
        return load(name, **{**presets[preset], **options})
    check_options(loaded.program.options, texts)
    return game_of(loaded.variant, loaded.program)


def load_traced(name: str, options: Mapping[str, str]) -> Game:
    """The same game with probes, for coverage and explanations; raises as `load` does."""
    loaded = read(name, options, probes=True)
    if loaded.program is None or loaded.variant is None:
        raise RulesetError(loaded.report.errors)
    check_options(loaded.program.options, options)
    return game_of(loaded.variant, loaded.program)


def game_of(variant: Variant, program: Program) -> Game:
    """The game of a checked ruleset, known by its content and options."""
    # Checking a ruleset needs no engine; playing it does.
    from interpreter.game import Game

    return Game(program, partial(rules_of, variant, program))


def rules_of(variant: Variant, program: Program) -> list[Any]:
    """The rules and the values of their options as plain data, blind to comments and layout: what the content hash is made of."""
    from dsl.load import libraries
    from dsl.printing import content, library_parts

    taken = library_parts(variant.document, libraries(variant.document, Report()))
    return [content(variant.document, program.rules.phrases), taken, sorted((o.id, o.value) for o in program.options.values())]


def option_text(value: Any) -> str:
    """An option's value as it is written."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)


def check_options(known: Mapping[str, Option], given: Mapping[str, str]) -> None:
    """Raises OptionError unless every option exists and has one of its values."""
    for name, value in given.items():
        if name not in known:
            near = nearest(name, known)
            raise OptionError(f"unknown option `{name}`" + (f"; did you mean `{near}`?" if near else ""))
        problem = known[name].problem(value)
        if problem:
            raise OptionError(f"`{value}` is not a value of option `{name}`: {problem}")
