"""Cases against mutants: each is killed by its first failing case, survives them all, plays the same game, or is none."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from typing import Any

from dsl.idle import needed, other_values
from dsl.load import Loaded
from dsl.source import Mapping as Document
from interpreter.game import Game
from interpreter.lowering.image import Image
from spadille.casefile import Case, CaseFile, run_case
from spadille.casefile.games import BrokenRuleset, Games, OptionTexts
from spadille.casefile.result import WrongCase
from spadille.loading import RulesetError, read
from spadille.mutation.edits import edited
from spadille.mutation.mutants import Mutant, mutants_of

KILLED, SURVIVED, EQUIVALENT, INVALID = "killed", "survived", "equivalent", "invalid"
# What a case of a kind costs, about.
COSTS = {"order": 1, "trick": 1, "value": 1, "score": 1, "legal": 1, "auction": 3, "deal": 9, "invalid": 20}


class MutantGames(Games):
    """The games of a changed ruleset."""

    def __init__(self, ruleset: str, mutant: Mutant) -> None:
        super().__init__(ruleset)
        self.mutant = mutant

    def open(self, options: Mapping[str, str]) -> Game:
        loaded = self.read(options, lambda document: document)
        if loaded.program is None:
            raise RulesetError(loaded.report.errors)
        return Game(loaded.program)

    def read(self, options: Mapping[str, str], change: Any) -> Loaded:
        def both(document: Document) -> Any:
            return change(edited(document, self.mutant.edits))

        return read(self.ruleset, options, both)


class Hunt:
    """The cases of a file and the mutants of its ruleset; which cases killed before is remembered, and they go first."""

    def __init__(self, file: CaseFile) -> None:
        self.file = file
        loaded = read(file.ruleset)
        if loaded.program is None or loaded.variant is None:
            raise BrokenRuleset(loaded.report.errors)
        self.program = loaded.program
        document = loaded.variant.document
        made = mutants_of(self.program.rules, loaded.variant.chain[0][1])
        # A step that stands alone under its key is no item of a list, and is not left out.
        self.mutants = tuple(mutant for mutant in made if edited(document, mutant.edits) != document)
        self.games = Games(file.ruleset)
        self.prints: dict[OptionTexts, Any] = {}
        self.kills: dict[str, dict[str, int]] = defaultdict(lambda: defaultdict(int))
        self.options = {case.name: self._options(case) for case in file.cases}

    def _options(self, case: Case) -> OptionTexts | None:
        try:
            return self.games.options_of(case)
        except WrongCase:
            return None

    def verdict(self, mutant: Mutant) -> str:
        """What becomes of a mutant."""
        games = MutantGames(self.file.ruleset, mutant)
        prints: dict[OptionTexts, Any] = {}
        try:
            changed = self.differs(games, (), prints)
            for case in self.order(mutant.section):
                options = self.options[case.name]
                if options is None or not (self.differs(games, options, prints) or case.kind in ("invalid", "value")):
                    continue
                if self.fails(case, games):
                    self.kills[mutant.section][case.name] += 1
                    return KILLED
            changed = changed or any(self.differs(games, options, prints) for options in self.all_options())
        except BrokenRuleset:
            return INVALID
        return SURVIVED if changed else EQUIVALENT

    def fails(self, case: Case, games: Games) -> bool:
        try:
            return not run_case(self.file.ruleset, case, games).passed
        except (LookupError, ArithmeticError, TypeError, AssertionError):  # a case that the changed game throws off its course
            return True

    def order(self, section: str) -> list[Case]:
        """The cases, those first that killed mutants of the section, then those that cost little."""
        kills = self.kills[section]

        def rank(case: Case) -> tuple[int, int, bool]:
            return -kills[case.name], COSTS[case.kind], bool(self.options[case.name])

        return sorted(self.file.cases, key=rank)

    # ------------------------------------------------------------- equivalence

    def differs(self, games: Games, options: OptionTexts, prints: dict[OptionTexts, Any]) -> bool:
        """Whether a changed ruleset makes another game under options; raises BrokenRuleset if it makes none."""
        if options not in prints:
            prints[options] = fingerprint(games.game(options).image)
        if options not in self.prints:
            self.prints[options] = fingerprint(self.games.game(options).image)
        return bool(prints[options] != self.prints[options])

    def all_options(self) -> list[OptionTexts]:
        """Each value of each option alone, with what it requires."""
        return [
            tuple(sorted({**needed(option, self.program.options), option.id: text}.items()))
            for option in self.program.options.values()
            for text, _ in other_values(option)
        ]


def fingerprint(image: Image) -> int:
    """A number that is the same for images of the same game."""
    program = image.program
    questions = tuple((question.about, tuple(offer.verb for offer in question.offers)) for question in image.questions)
    rungs = tuple(rung.id for rung in program.rungs)
    return hash((image.code, image.tab, image.mem, image.alphabet, image.sayings, image.scale, questions, rungs, repr(program.winners)))
