"""Records: what is needed to play a deal or a match again to the last bit, as JSON.

A record names the rules (id, content hash, options), the start (seed, or the cards given; dealer; what stood before) and
the answers as text. It holds no positions: a replay makes them, and finds out if the record does not fit.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any, ClassVar

from interpreter.action import Action, GameError

if TYPE_CHECKING:
    from interpreter.game import Game
    from interpreter.match import Match
    from interpreter.state import State

FORMAT = 1
FAILURES = (GameError, ValueError, TypeError, LookupError, ArithmeticError)  # a start made up by hand may break anything
LANGUAGE = 1  # the version of the rules language that the hash was made under


class RecordError(GameError, ValueError):
    """A record that cannot be used; `code` says why."""

    code: ClassVar[str] = "R000"

    def __str__(self) -> str:
        return f"{self.code}: {super().__str__()}"


class UnreadableRecord(RecordError):
    """The text is not JSON, or was written by a version that is not known here."""

    code = "R101"


class InvalidRecord(RecordError):
    """JSON, but not a record: something is missing, unknown or of the wrong kind."""

    code = "R102"


class ForeignRecord(RecordError):
    """The record belongs to other rules or other options."""

    code = "R201"


class BrokenRecord(RecordError):
    """The start or an answer does not fit the rules. `number` is the place of the answer, None for the start."""

    code = "R202"

    def __init__(self, message: str, number: int | None = None) -> None:
        super().__init__(message)
        self.number = number


@dataclass(frozen=True, slots=True)
class Record:
    """A deal or a match as it was played. `deal` has the cards as `Game.start` takes them; `before` likewise."""

    ruleset: str
    hash: str
    options: dict[str, str]
    seed: int = 0
    deal: dict[str, Any] | None = None
    dealer: int | None = None
    before: dict[str, Any] = field(default_factory=dict)
    match: bool = False
    actions: tuple[str, ...] = ()

    @classmethod
    def of(
        cls,
        game: Game,
        seed: int = 0,
        deal: Mapping[str, Any] | None = None,
        dealer: int | None = None,
        before: Mapping[str, Any] | None = None,
        match: bool = False,
        actions: Iterable[Action | str] = (),
    ) -> Record:
        """The record of a game begun with these arguments of `Game.start`, or of `Game.match` if it is a match."""
        return cls(
            ruleset=game.id,
            hash=game.hash,
            options={name: str(value) for name, value in game.options.items()},
            seed=seed,
            deal=None if deal is None else plain(deal),
            dealer=dealer,
            before=plain(before or {}),
            match=match,
            actions=tuple(str(action) for action in actions),
        )

    def then(self, action: Action | str) -> Record:
        """The record with one more answer."""
        return replace(self, actions=(*self.actions, str(action)))

    def back(self, count: int = 1) -> Record:
        """The record without its last answers."""
        return replace(self, actions=self.actions[: max(0, len(self.actions) - count)])

    # -------------------------------------------------------------------- text

    def to_json(self) -> str:
        """The record as a text that `from_json` reads."""
        head = {"record": FORMAT, "language": LANGUAGE}
        body = {name: getattr(self, name) for name in self.__dataclass_fields__}
        return json.dumps(head | body, ensure_ascii=False, indent=1) + "\n"

    @classmethod
    def from_json(cls, text: str | bytes) -> Record:
        """Reads a record; raises UnreadableRecord or InvalidRecord."""
        try:
            data = json.loads(text, parse_constant=_no_constant)
        except (ValueError, RecursionError) as error:
            reason = "nested too deep" if isinstance(error, RecursionError) else str(error).partition(";")[0]
            raise UnreadableRecord(f"this is not JSON: {reason}") from None
        if not isinstance(data, dict) or "record" not in data:
            raise InvalidRecord("this is not a record: an object with a key `record` is due")
        for key, known in (("record", FORMAT), ("language", LANGUAGE)):
            if data.get(key) != known or isinstance(data[key], bool):
                raise UnreadableRecord(f"`{key}` is {json.dumps(data.get(key))[:40]}, and only {known} is known here")
        del data["record"], data["language"]
        for key in data:
            if key not in cls.__dataclass_fields__:
                raise InvalidRecord(f"unknown key `{key[:40]}`")
        for key, (wanted, fits) in SHAPES.items():
            if key not in data:
                raise InvalidRecord(f"the key `{key}` is missing")
            if not fits(data[key]):
                raise InvalidRecord(f"`{key}` must be {wanted}")
        return cls(**{**data, "actions": tuple(data["actions"])})

    # ------------------------------------------------------------------ replay

    def check(self, game: Game) -> None:
        """Raises ForeignRecord unless the game has the record's rules and options."""
        if self.ruleset != game.id:
            raise ForeignRecord(f"the record is of `{self.ruleset}`, not of `{game.id}`")
        options = {name: str(value) for name, value in game.options.items()}
        for name in sorted(options.keys() | self.options.keys()):
            here, there = options.get(name, "unknown"), self.options.get(name, "unknown")
            if here != there:
                raise ForeignRecord(f"the option `{name}` is {there} in the record and {here} here")
        if self.hash != game.hash:
            raise ForeignRecord(f"the rules of `{game.id}` are not those of the record ({self.hash}, here {game.hash})")

    def positions(self, game: Game) -> Iterator[State | Match]:
        """The start and what follows each answer: matches if it is one, else states. Raises RecordError."""
        self.check(game)
        begin = game.match if self.match else game.start
        try:
            now: State | Match = begin(self.seed, deal=self.deal, dealer=self.dealer, before=self.before)
        except FAILURES as error:
            raise BrokenRecord(f"the start of the record does not fit the game: {error}") from None
        yield now
        for number, action in enumerate(self.actions):
            try:
                now = now.apply(action)
            except FAILURES as error:
                raise BrokenRecord(f"answer {number + 1} of the record: {error}", number) from None
            yield now

    def replay(self, game: Game) -> State | Match:
        """What the record leads to: a match if it is one, else a state. Raises RecordError."""
        last = None
        for last in self.positions(game):  # noqa: B007 - the last one is wanted
            pass
        assert last is not None
        return last


def plain(value: Any) -> Any:
    """A value as JSON has it: fractions as text, tuples as lists."""
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [plain(item) for item in value]
    if isinstance(value, Fraction):
        return int(value) if value.denominator == 1 else str(value)
    return value


def _no_constant(name: str) -> None:
    raise ValueError(f"`{name}` is no number")


def _whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _texts(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(item, str) for item in value)


def _cards(value: Any) -> bool:
    return isinstance(value, str) or _texts(value)


def _deal(value: Any) -> bool:
    return value is None or (
        isinstance(value, dict)
        and all(_cards(cards) or (name == "hands" and isinstance(cards, list) and all(map(_cards, cards))) for name, cards in value.items())
    )


def _start_value(value: Any) -> bool:
    simple = value is None or isinstance(value, str | int)
    if isinstance(value, dict):
        return all(isinstance(item, str | int) for item in value.values())
    return simple or (isinstance(value, list) and all(item is None or isinstance(item, str | int) or _texts(item) for item in value))


SHAPES: dict[str, tuple[str, Callable[[Any], bool]]] = {
    "ruleset": ("a text", lambda value: isinstance(value, str)),
    "hash": ("a text", lambda value: isinstance(value, str)),
    "options": ("names with texts", lambda value: isinstance(value, dict) and _texts(list(value.values()))),
    "seed": ("a whole number", _whole),
    "deal": ("cards by pile, or null", _deal),
    "dealer": ("a seat, or null", lambda value: value is None or _whole(value)),
    "before": ("values by name", lambda value: isinstance(value, dict) and all(map(_start_value, value.values()))),
    "match": ("true or false", lambda value: isinstance(value, bool)),
    "actions": ("a list of texts", _texts),
}
