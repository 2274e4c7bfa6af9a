"""What names mean: the one table of a ruleset's own names and of the language's, and scopes for bound ones."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from dsl import core
from dsl import types as t
from dsl.deck import Deck
from dsl.diagnostics import Label, Report
from dsl.mistakes import KEYWORDS, RESERVED
from dsl.options import Option
from dsl.primitives import TABLE
from dsl.ruleset import Definition, PhraseRow, Ruleset
from dsl.source import Span
from dsl.suggest import LONGEST_WORD, nearest
from dsl.types import Type

MOST_NAMES = 1_000
# What programmers write, and what it is called here.
ELSEWHERE = {"true": "yes", "false": "no", "True": "yes", "False": "no", "null": "none", "None": "none"}


@dataclass(frozen=True, slots=True)
class Meaning:
    """What a name stands for: its kind, the thing, and where it was declared."""

    kind: str
    thing: object
    span: Span | None = None


# Variables that every game has. `match` ones outlive the deal.
BUILT_IN = (
    core.Variable("dealer", t.SEAT, match=True),
    core.Variable("deal_number", t.NUMBER, match=True),
    core.Variable("deals_played", t.NUMBER, match=True),
    core.Variable("redeals", t.NUMBER),
    core.Variable("contract", t.CONTRACT),
    core.Variable("high_bid", t.BID.or_none),
    core.Variable("high_bidder", t.SEAT.or_none),
    core.Variable("leader", t.SEAT),
    core.Variable("player", t.SEAT),
    core.Variable("winner", t.SEAT),
    core.Variable("lead", t.CARD.or_none),
    core.Variable("trump", t.SUIT),
    core.Variable("way", t.NUMBER),
    core.Variable("trick_number", t.NUMBER),
    core.Variable("tricks", t.NUMBER, per="seat"),
    core.Variable("last_won", t.NUMBER, per="seat"),
    core.Variable("outcome", t.OUTCOME.or_none),
    core.Variable("rung", t.NUMBER.or_none),
)
# Variables of games in which seats sit out, a dummy has a hand, or a card opens the trick that nobody leads.
SEATING = {
    "players": t.SEATS,
    "trick players": t.SEATS,
    "dummy after": t.SEAT,
    "trick opened": t.TRUTH,
    "seat ahead": t.SEAT,
    "card ahead": t.CARD.or_none,
}
HIDDEN = frozenset({"redeals", "way", "rung", *SEATING} - {"players"})
PILES = (
    core.Pile("deck", ordered=True, seen="nobody"),
    core.Pile("hand", per_seat=True, seen="owner"),
    core.Pile("trick", ordered=True, seen="all"),
    core.Pile("won", per_seat=True, seen="all"),
)
ABOUT_BUILT_IN = {
    "dealer": "the seat that deals",
    "eldest": "the seat after the dealer, first in turn",
    "deal_number": "which deal of the match this is, from 1, those thrown in counted",
    "deals_played": "how many deals have been played to a result",
    "contract": "the contract being played",
    "high_bid": "the highest bid so far",
    "high_bidder": "the seat that made it",
    "leader": "the seat that led to the current trick",
    "player": "the seat whose turn it is to play a card",
    "winner": "the seat that won the last trick",
    "lead": "the card that was led",
    "trump": "the trump suit",
    "trumps": "all cards that belong to trumps",
    "trick_number": "which trick of the deal this is, from 1",
    "tricks": "how many tricks a seat, or several together, have won",
    "last_won": "the number of the last trick a seat won, 0 if none",
    "outcome": "the outcome of the deal",
    "multiplier": "the multiplier of the contract",
    "target": "the target of the contract",
    "seats": "all seats",
    "players": "the seats that play in this deal: all, but for those that sit out, and a dummy's",
    "suits": "all suits",
    "ranks": "all ranks",
    "sides": "all sides",
    "bids": "all bids",
    "cards": "all cards of the deck",
    "otherwise": "always, as the last outcome",
    "deck": "the cards not dealt yet",
    "hand": "the cards a seat holds",
    "trick": "the cards on the table, in order",
    "won": "the cards in the tricks that a seat has won",
}


class Names:
    """The global names; two meanings for one name are an error unless they are of the contextual kinds."""

    # A word of these kinds may also be something else: context decides.
    CONTEXTUAL = frozenset({"bid", "contract", "outcome", "rank", "suit", "word"})

    def __init__(self, rules: Ruleset, deck: Deck, report: Report) -> None:
        self.table: dict[str, Meaning] = {}
        self.contextual: dict[str, dict[str, int]] = {}
        self.report = report
        self.deck = deck
        self.phrases: dict[str, PhraseRow] = {row.pattern: row for row in rules.phrases}
        self.options_read: set[str] = set()
        self.faulty: set[str] = set(rules.faulty)
        self.unread = rules.unread
        # The seats that play, where that is not known before a deal.
        self.playing: core.Expr | None = None

    def declare(self, name: str, kind: str, thing: object, span: Span | None = None) -> None:
        if span is not None and name in RESERVED:
            self.report.error("E305", f"`{name}` is a word of the language and cannot be a name", span, "choose another name")
            return
        if span is not None and name in TABLE and kind != "definition":
            self.report.error("E205", f"`{name}` is already a function of the language", span, "choose another name")
            return
        if span is not None and len(self.table) >= MOST_NAMES:
            self.report.error("E408", f"a ruleset has at most {MOST_NAMES} names", span, "one too many")
            return
        old = self.table.get(name)
        if old is not None and span is not None:
            others = () if old.span is None else (Label(old.span, "the other one"),)
            words = "a word of the language" if old.span is None else f"the name of another {old.kind}"
            self.report.error("E205", f"`{name}` is already {words}", span, "choose another name", others=others)
            return
        self.table[name] = Meaning(kind, thing, span)

    def declare_words(self, kind: str, words: Iterable[str]) -> None:
        """Words that are looked up where a value of their kind is due."""
        self.contextual[kind] = {word: number for number, word in enumerate(words)}

    def in_context(self, name: str, hint: Type | None) -> int | None:
        """The value of a word where a type is expected."""
        if hint is None:
            return None
        kind = f"word {hint.of}" if hint.kind == "word" else hint.kind
        return self.contextual.get(kind, {}).get(name)

    def candidates(self, hint: Type | None, scope: Scope | None) -> list[str]:
        found = [*self.table, *TABLE, "yes", "no", *self.deck.by_text]
        if hint is not None:
            found += self.contextual.get(f"word {hint.of}" if hint.kind == "word" else hint.kind, {})
        for kind in ("suit", "rank"):
            found += self.contextual.get(kind, {})
        if scope is not None:
            found += scope.locals
        return [name for name in found if name not in HIDDEN]

    def declared(self, name: str) -> tuple[Label, ...]:
        """Where a name of the ruleset is declared, as a second label; nothing for names of the language."""
        found = self.table.get(name)
        return () if found is None or found.span is None else (Label(found.span, f"`{name}` is declared here"),)

    def owned(self) -> list[str]:
        """The names that stand before `of`."""
        found = []
        for name, meaning in self.table.items():
            thing = meaning.thing
            kept = isinstance(thing, core.Variable | core.Account) and thing.per
            if (
                kept
                or (isinstance(thing, core.Pile) and thing.per_seat)
                or (isinstance(thing, Definition) and len(thing.head.parameters) == 1)
            ):
                found.append(name)
        return [name for name in found if name not in HIDDEN]

    def parted(self, span: Span) -> str | None:
        """What an unknown word makes together with the one after it, if that is a name: `flo or` is `floor`."""
        after = re.match(r" +(\w+)", span.source.text[span.end : span.end + LONGEST_WORD])
        found = (f"{span.text}{between}{after.group(1)}" for between in ("", "_")) if after is not None else ()
        return next((f"did you mean `{whole}`?" for whole in found if whole in self.table or whole in TABLE), None)

    def paired(self, word: str) -> str:
        """What to do about a word before `of … on` that is not kept per pair of seats."""
        near = nearest(word, [n for n, m in self.table.items() if isinstance(m.thing, core.Variable) and m.thing.per == "pair"])
        return f"did you mean `{near}`?" if near else "declare it under `variables` with `per pair of seats`"

    def suggestion(self, name: str, hint: Type | None = None, scope: Scope | None = None) -> str | None:
        # A word of the language is meant where none of the names is as near.
        near = ELSEWHERE.get(name) or nearest(name, [*self.candidates(hint, scope), *sorted(KEYWORDS)])
        return f"did you mean `{near}`?" if near else None


@dataclass(slots=True)
class Scope:
    """Bound names: locals, parameters, and which optional names are known to exist here."""

    locals: dict[str, core.Expr | core.PilePlace] = field(default_factory=dict)
    present: frozenset[str] = frozenset()
    loops: int = 0
    in_play: bool = False

    def with_local(self, name: str, value: core.Expr | core.PilePlace) -> Scope:
        return Scope({**self.locals, name: value}, self.present - {name}, self.loops, self.in_play)

    def knowing(self, names: frozenset[str]) -> Scope:
        return Scope(self.locals, self.present | names, self.loops, self.in_play) if names else self

    def in_loop(self) -> Scope:
        return Scope(dict(self.locals), self.present, self.loops + 1, self.in_play)

    def copy(self) -> Scope:
        return Scope(dict(self.locals), self.present, self.loops, self.in_play)


def option_meaning(option: Option) -> tuple[Type, core.Value]:
    """The type and the value of an option in expressions."""
    if option.kind == "word":
        return Type("word", of=option.id), option.constant
    if option.kind == "truth":
        return t.TRUTH, option.constant
    choices = [option.constant, *(choice for choice in option.choices)]
    whole = option.kind == "integer" or isinstance(choices[0], int)
    return Type("number", whole=whole), option.constant


Definitions = dict[str, Definition]
