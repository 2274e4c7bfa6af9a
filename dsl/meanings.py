"""What names, calls and `of` mean: from the tree of the DSL to core expressions, folded where all is known."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import NoReturn

from dsl import core, tree
from dsl import types as t
from dsl.bound import Bound, used_here
from dsl.deck import Deck
from dsl.diagnostics import Label, Report
from dsl.mistakes import RESERVED
from dsl.names import Meaning, Names, Scope, option_meaning
from dsl.options import Option
from dsl.primitives import IMPURE_OPERATORS, OPERATORS, TABLE
from dsl.ruleset import Definition
from dsl.source import Span
from dsl.static import StaticWorld
from dsl.suggest import nearest
from dsl.types import Type
from dsl.walk import size_and_depth

MOST_NODES = 100_000
DEEPEST_NODES = 120
LARGEST = 10**12
FINEST = 10**6
MOST_IN_A_ROW = 8
DEEPEST_INLINING = 24
COERCIONS = {
    ("card", "cards"): "one",
    ("suit", "cards"): "suit_cards",
    ("rank", "cards"): "rank_cards",
    ("seat", "seats"): "one",
    ("suit", "suits"): "one",
    ("rank", "ranks"): "one",
    ("side", "sides"): "one",
    ("bid", "bids"): "one",
    ("side", "seats"): "seats_of",
    ("bid", "contract"): "contract_of",
}


class Wrong(Exception):
    """An expression with an error that the report already holds."""


@dataclass(frozen=True, slots=True)
class _Written:
    """A definition written out with some arguments, and how much that grew: nodes, levels, definitions in one another."""

    expr: core.Expr
    definition: Definition
    args: tuple[core.Expr, ...]
    nodes: int
    deep: int
    calls: int


# The definition, its arguments, what is known to exist, whether a trick is being played, whether numbers stand for seats.
_Call = tuple[int, tuple[int | tuple[Type, core.Value], ...], frozenset[str], bool, bool]


class Meanings:
    """Checks names, calls and `of` against the names of a ruleset; the operators and quantifiers are added to it."""

    def __init__(self, names: Names, deck: Deck, world: StaticWorld, report: Report) -> None:
        self.names = names
        self.deck = deck
        self.world = world
        self.report = report
        self.inlining: list[str] = []
        self.written: dict[_Call, _Written] = {}
        self.deepest, self.widest = 0, 0  # levels reached since the definition being written out began, and its calls
        self.circles: set[frozenset[str]] = set()
        self.made = 0
        self.depth = 0
        self.bound = Bound()
        self.seat_numbers = False  # whether a number may stand for a seat, as in cases

    # ------------------------------------------------------------------ doors

    def check(self, node: tree.Expr, scope: Scope, want: Type) -> core.Expr:
        """The expression as a value of a type; raises Wrong after reporting."""
        found = self.infer(node, scope, want)
        return self.coerce(found, want, node.span, self.bound.twin(node, found, scope))

    def infer(self, node: tree.Expr, scope: Scope, hint: Type | None = None) -> core.Expr:
        """The expression with the type it has; the hint only decides words of several meanings."""
        self.grow(1, 0, node.span)
        method = getattr(self, "_" + type(node).__name__.lower().rstrip("_"))
        self.depth += 1
        self.deepest = max(self.deepest, self.depth)
        try:
            found: core.Expr = method(node, scope, hint)
        finally:
            self.depth -= 1
        return found

    def grow(self, nodes: int, deep: int, span: Span) -> None:
        """Notes that the ruleset grows by some nodes, `deep` levels below here; too large or too deep is told once."""
        known = self.made > MOST_NODES
        self.made += nodes
        if known:
            raise Wrong
        if self.made > MOST_NODES:
            self.wrong("E408", "this ruleset becomes too large when its definitions are written out", span,
                       help="call fewer definitions inside one another")  # fmt: skip
        self.deepest = max(self.deepest, self.depth + deep)
        if self.depth + deep > DEEPEST_NODES:
            self.made = MOST_NODES + 1
            self.wrong("E408", f"with its definitions written out this is more than {DEEPEST_NODES} levels deep", span,
                       help="call fewer definitions inside one another")  # fmt: skip

    def again(self, expr: core.Expr, span: Span) -> core.Expr:
        """An expression that stands in a second place: all of it counts again."""
        if not isinstance(expr, core.Bound | core.Const):
            self.grow(*size_and_depth(expr, MOST_NODES - self.made), span)
        return expr

    def wrong(self, code: str, message: str, span: Span, label: str = "", help: str | None = None,
              others: tuple[Label, ...] = (), about: str = "") -> NoReturn:  # fmt: skip
        """Reports an error and raises Wrong; `about` is the name whose declaration is shown too."""
        self.report.error(code, message, span, label, help=help, others=(*others, *self.names.declared(about)))
        raise Wrong

    def misnamed(self, name: str, help_: str | None, span: Span) -> None:
        """Puts the fault where it is if a name that nothing else uses was declared, and this one, much like it, is used often."""
        quoted = re.fullmatch(r"did you mean `(\w+)`\?", help_ or "")
        meaning = None if quoted is None else self.names.table.get(quoted.group(1))
        if quoted is None or meaning is None or meaning.span is None or meaning.span.source is not span.source:
            return
        near, text = quoted.group(1), re.sub(r"#.*", "", span.source.text)
        if len(re.findall(rf"\b{re.escape(near)}\b", text)) == 1 and len(re.findall(rf"\b{re.escape(name)}\b", text)) > 1:
            self.wrong("E210", f"`{name}` is used, and `{near}` is what is declared", meaning.span, "nothing uses this name",
                       help=f"did you mean `{name}`?", others=used_here(span, name))  # fmt: skip

    def coerce(self, expr: core.Expr, want: Type, span: Span, help: str | None = None) -> core.Expr:
        """The expression as another type where that is plain: a card as a set of one, a side as its seats."""
        have = expr.type
        if have.kind == "none":
            if want.optional:
                return core.Const(want, span, None)
            self.wrong("E402", f"{want} is due, and `none` is not one", span)
        if have.optional and not want.optional:
            self.wrong("E403", f"`{span.text}` may be none here, and {want} is due", span, "may be none",
                       help=f"ask first whether `{span.text}` exists", about=span.text)  # fmt: skip
        if have.kind == want.kind:
            if have.kind == "word" and have.of != want.of:
                self.wrong("E402", f"{want} is due, and this is {have}", span, str(have))
            if have.kind == "number" and want.whole and not have.whole:
                self.wrong("E404", "a whole number is due, and this may have a fraction", span, "may have a fraction",
                           help="say how it is rounded: `floor(…)`, `ceiling(…)` or `round(…)`")  # fmt: skip
            return expr
        if self.seat_numbers and want.kind == "seat" and isinstance(expr, core.Const) and expr.value in range(self.world.players):
            return core.Const(want, span, expr.value)
        how = COERCIONS.get((have.kind, want.kind))
        if how is not None:
            return self.prim(how, (expr,), want.present, span)
        if have.kind == "suits" and want.kind == "cards" and isinstance(expr, core.Const) and isinstance(expr.value, frozenset):
            cards = frozenset(c for suit in expr.value for c in self.deck.suit_cards(suit))
            return core.Const(t.CARDS, span, cards)
        self.wrong("E402", f"{want} is due, and this is {have}", span, f"this is {have}", help)

    def prim(self, name: str, args: tuple[core.Expr, ...], result: Type, span: Span) -> core.Expr:
        """An operation, carried out at once when its arguments are known."""
        expr = core.Prim(result, span, name, args)
        pure = name not in IMPURE_OPERATORS if name in OPERATORS else name in TABLE and TABLE[name].pure
        if pure and all(isinstance(arg, core.Const) and arg.value is not None for arg in args):
            body = OPERATORS[name] if name in OPERATORS else TABLE[name].body
            value = body(self.world, *(arg.value for arg in args if isinstance(arg, core.Const)))
            if value is None:
                self.wrong("E204", f"`{span.text}` is not a card of this deck", span)
            if result.kind == "number" and (abs(value) >= LARGEST or Fraction(value).denominator > FINEST):
                self.wrong("E409", "this number becomes too large or too fine", span)
            return core.Const(result, span, value)
        return expr

    # ------------------------------------------------------------------ leaves

    def _number(self, node: tree.Number, scope: Scope, hint: Type | None) -> core.Expr:
        digits = node.digits.text
        if hint is not None and hint.kind in ("rank", "ranks", "cards"):
            rank = self.deck.rank_number.get(digits)
            if rank is not None:
                return core.Const(t.RANK, node.span, rank)
            if hint.kind != "cards":
                self._unknown_rank(node.digits)
        bid = self.names.in_context(digits, hint) if hint is not None and hint.kind == "bid" else None
        if bid is not None:
            return core.Const(t.BID, node.span, bid)
        if len(digits) > 9:
            self.wrong("E409", "numbers have at most nine digits", node.span, "too large")
        return core.Const(t.NUMBER, node.span, int(digits))

    def _unknown_rank(self, word: tree.Word) -> NoReturn:
        ranks = " ".join(rank.symbol for rank in self.deck.ranks)
        near = nearest(word.text, self.deck.rank_number)
        self.wrong("E203", f"unknown rank `{word.text}`", word.span, f"not a rank of {self.deck.called} ({ranks})",
                   help=f"did you mean `{near}`?" if near else None)  # fmt: skip

    def _none(self, node: tree.None_, scope: Scope, hint: Type | None) -> core.Expr:
        # `none` may be a choice of an option too.
        choice = self.names.in_context("none", hint) if hint is not None and hint.kind == "word" else None
        if choice is not None and hint is not None:
            return core.Const(hint.present, node.span, choice)
        return core.Const(t.NONE, node.span, None)

    def _name(self, node: tree.Name, scope: Scope, hint: Type | None) -> core.Expr:
        name = node.word.text
        bound = scope.locals.get(name)
        if isinstance(bound, core.PilePlace):
            return core.CardsIn(t.CARDS, node.span, bound.pile, bound.index)
        if bound is not None:
            return self._known(self.again(bound, node.span), name, scope)
        value = self.names.in_context(name, hint)
        if value is not None and hint is not None:
            return core.Const(hint.present, node.span, value)
        meaning = self.names.table.get(name)
        if meaning is not None:
            return self._meaning(meaning, node, scope)
        for kind, type_ in (("suit", t.SUIT), ("rank", t.RANK), ("bid", t.BID), ("contract", t.CONTRACT), ("outcome", t.OUTCOME)):
            value = self.names.contextual.get(kind, {}).get(name)
            if value is not None:
                return core.Const(type_, node.span, value)
        if name in self.deck.by_text:
            return core.Const(t.CARD, node.span, self.deck.by_text[name])
        if name in TABLE:
            self.wrong("E207", f"`{name}` is a function and wants its arguments in brackets", node.span)
        self._unknown(node, hint, scope)

    def _unknown(self, node: tree.Name, hint: Type | None, scope: Scope) -> NoReturn:
        name = node.word.text
        if name in self.names.faulty:
            raise Wrong
        if hint is not None and hint.kind == "word":
            words = list(self.names.contextual.get(f"word {hint.of}", {}))
            near = nearest(name, words)
            other = f"did you mean `{near}`?" if near else self.names.suggestion(name, hint, scope)
            self.wrong("E206", f"`{name}` is not a choice of option `{hint.of}`", node.span, f"the choices are {', '.join(words)}",
                       help=other, about=hint.of)  # fmt: skip
        if name in RESERVED:
            self.wrong("E304", f"`{name}` does not fit here", node.span, "a name or a value is due")
        if hint is not None and hint.kind in ("rank", "ranks") and len(name) <= 2:
            self._unknown_rank(node.word)
        if hint is not None and hint.kind == "bid" and "bids" in self.names.unread:
            raise Wrong
        if (word := self.bound.misspelt(name, scope)) is not None:
            self.wrong("E210", f"`{name}` is used, and `{word.text}` is what is bound", word.span, "nothing uses this name",
                       help=f"did you mean `{name}`?", others=used_here(node.span, name))  # fmt: skip
        bound = ", ".join(f"`{local}`" for local in scope.locals)
        help_ = (
            self.names.parted(node.span)
            or self.names.suggestion(name, hint, scope)
            or (f"what is bound here is {bound}" if bound else None)
        )
        self.misnamed(name, help_, node.span)
        self.wrong("E210", f"unknown name `{name}`", node.span, "nothing has this name", help=help_)

    def _known(self, expr: core.Expr, name: str, scope: Scope) -> core.Expr:
        return replace(expr, type=expr.type.present) if expr.type.optional and name in scope.present else expr

    def _meaning(self, meaning: Meaning, node: tree.Name, scope: Scope) -> core.Expr:
        name, span = node.word.text, node.span
        match meaning.thing:
            case core.Variable() as variable:
                if variable.per == "pair":
                    self.pair(variable, None, None, scope, span)
                if variable.per:
                    self.wrong("E211", f"`{name}` is kept per {variable.per}: say whose", span, help=f"write `{name} of …`", about=name)
                return self._known(core.Get(variable.type, span, variable, None), name, scope)
            case core.Pile() as pile:
                if pile.per_seat:
                    self.wrong("E211", f"there is a `{name}` for each seat: say whose", span, help=f"write `{name} of …`", about=name)
                return core.CardsIn(t.CARDS, span, pile, None)
            case core.Account() as account:
                if account.per:
                    self.wrong("E211", f"`{name}` are kept per {account.per}: say whose", span, help=f"write `{name} of …`", about=name)
                return core.Balance(t.FRACTION, span, account, None)
            case Option() as option:
                self.names.options_read.add(option.id)
                type_, value = option_meaning(option)
                return core.Const(type_, span, value)
            case Definition() as definition:
                if definition.head.parameters:
                    self.wrong("E207", f"`{name}` wants {_arguments(len(definition.head.parameters))} in brackets", span, about=name)
                return self._known(self._inline(definition, (), scope, span), name, scope)
            case tree.Cards() as cards:
                return self._inline_cards(name, cards, span)
            case core.Expr() as expr:
                return self.again(expr, span)
        raise AssertionError(meaning)

    # ------------------------------------------------------------- definitions

    def _enter(self, name: str, span: Span) -> None:
        if name in self.inlining:
            circle = self.inlining[self.inlining.index(name) :]
            if frozenset(circle) in self.circles:
                raise Wrong
            self.circles.add(frozenset(circle))
            self.wrong("E405", f"`{name}` is defined by itself", span, " → ".join([*circle, name]))
        if len(self.inlining) >= DEEPEST_INLINING:
            self.made = MOST_NODES + 1  # once is enough: everything that uses it is too deep
            self.wrong("E408", f"definitions use one another more than {DEEPEST_INLINING} deep", span)
        self.inlining.append(name)
        self.widest = max(self.widest, len(self.inlining))

    def _inline(self, definition: Definition, args: tuple[core.Expr, ...], scope: Scope, span: Span) -> core.Expr:
        names = {p.name.text: arg for p, arg in zip(definition.head.parameters, args, strict=True)}
        present = scope.present.difference(names)
        # What is known is the same wherever it stands; of anything else the place may matter to a later fault.
        same = tuple((arg.type, arg.value) if isinstance(arg, core.Const) else id(arg) for arg in args)
        key = (id(definition), same, present, scope.in_play, self.seat_numbers)
        known = self.written.get(key)
        if known is not None and self._fits(known):
            # Nothing that was found would be found otherwise; it counts as if it were written out again.
            self.grow(known.nodes, known.deep, span)
            self.widest = max(self.widest, len(self.inlining) + known.calls)
            return known.expr
        made, depth, calls, before = self.made, self.depth, len(self.inlining), (self.deepest, self.widest)
        self.deepest, self.widest = depth, calls
        self._enter(definition.head.name.text, span)
        try:
            # A definition reads the names of the ruleset and its own parameters, never the caller's locals.
            found = self.infer(definition.body, Scope(dict(names), present, in_play=scope.in_play))
        finally:
            self.inlining.pop()
            deep, wide = self.deepest - depth, self.widest - calls
            self.deepest, self.widest = max(before[0], self.deepest), max(before[1], self.widest)
        # The arguments are kept with it, so that their identities stay theirs.
        self.written[key] = _Written(found, definition, args, self.made - made, deep, wide)
        return found

    def _fits(self, known: _Written) -> bool:
        """Whether a definition written out again stays within the limits; if not, it is written out for its error."""
        return (
            self.made + known.nodes <= MOST_NODES
            and self.depth + known.deep <= DEEPEST_NODES
            and len(self.inlining) + known.calls <= DEEPEST_INLINING
        )

    def _inline_cards(self, name: str, cards: tree.Cards, span: Span) -> core.Expr:
        self._enter(name, span)
        try:
            return self.cards(cards)
        finally:
            self.inlining.pop()

    def cards(self, cards: tree.Cards) -> core.Expr:
        """A list of cards: one card stays a card, several are a set."""
        found = [self.infer(item, Scope(), t.CARDS) for item in cards.items]
        if len(found) == 1:
            return found[0] if found[0].type.kind in ("card", "cards") else self.coerce(found[0], t.CARDS, cards.items[0].span)
        sets = [self.coerce(expr, t.CARDS, item.span) for expr, item in zip(found, cards.items, strict=True)]
        whole = sets[0]
        for more in sets[1:]:
            whole = self.prim("union", (whole, more), t.CARDS, cards.span)
        return whole

    def _call(self, node: tree.Call, scope: Scope, hint: Type | None) -> core.Expr:
        name = node.name.text
        meaning = self.names.table.get(name)
        if meaning is not None and isinstance(meaning.thing, Definition):
            definition = meaning.thing
            if any(p.type.text not in t.BY_NAME for p in definition.head.parameters):
                raise Wrong  # that is reported where the definition is checked
            types = [t.BY_NAME[p.type.text] for p in definition.head.parameters]
            args = self._arguments(node, types, scope)
            return self._inline(definition, args, scope, node.span)
        row = TABLE.get(name)
        if row is None and name in self.names.faulty:
            raise Wrong
        if row is None:
            functions = [*TABLE, *(n for n, m in self.names.table.items() if m.kind == "definition")]
            near = nearest(name, functions)
            self.misnamed(name, f"did you mean `{near}`?", node.name.span)
            self.wrong("E208", f"unknown function `{name}`", node.name.span, "no function has this name",
                       help=f"did you mean `{near}`?" if near else None)  # fmt: skip
        if name == "top":
            return self._top(node, scope)
        if name in ("floor", "ceiling", "round") and len(node.args) == 1:
            return self._rounded(node, scope)
        if name == "size" and len(node.args) == 1:
            things = self.infer(node.args[0], scope, t.CARDS)
            want = things.type if things.type.is_set else t.SEATS if things.type.kind in ("seat", "side") else t.CARDS
            return self.prim("size", (self.coerce(things, want, node.args[0].span),), t.NUMBER, node.span)
        args = self._arguments(node, list(row.parameters), scope)
        result = row.result
        if name in ("next", "previous") and self.names.playing is not None:
            return core.Prim(t.SEAT, node.span, f"{name}_playing", (self.names.playing, *args))
        if name in ("min", "max") and all(arg.type.whole for arg in args):
            result = t.NUMBER
        return self.prim(name, args, result, node.span)

    def _top(self, node: tree.Call, scope: Scope) -> core.Expr:
        pile = self.infer(node.args[0], scope) if len(node.args) == 1 else None
        if not isinstance(pile, core.CardsIn) or not pile.pile.ordered:
            self.wrong("E402", "a pile that keeps its order is due", node.span, help="declare the pile with `in order`")
        return core.Prim(t.CARD, node.span, "top", (pile,))

    def _rounded(self, node: tree.Call, scope: Scope) -> core.Expr:
        """Rounding; a quotient inside it may have a divisor that play decides (by zero gives zero)."""
        arg = node.args[0]
        if isinstance(arg, tree.Binary) and arg.op.text == "/":
            left, right = self.check(arg.left, scope, t.FRACTION), self.check(arg.right, scope, t.FRACTION)
            quotient = self.prim("/", (left, right), t.FRACTION, arg.span)
        else:
            quotient = self.check(arg, scope, t.FRACTION)
        return self.prim(node.name.text, (quotient,), t.NUMBER, node.span)

    def _arguments(self, node: tree.Call, types: list[Type], scope: Scope) -> tuple[core.Expr, ...]:
        if len(node.args) != len(types):
            self.wrong("E207", f"`{node.name.text}` wants {_arguments(len(types))}, and {_given(len(node.args))}", node.span,
                       about=node.name.text)  # fmt: skip
        return tuple(self.check(arg, scope, want) for arg, want in zip(node.args, types, strict=True))

    # --------------------------------------------------------------------- of

    def _of(self, node: tree.Of, scope: Scope, hint: Type | None) -> core.Expr:
        if isinstance(node.head, tree.Number):
            return self._card_of(node.head.digits, node, scope)
        if not isinstance(node.head, tree.Name):
            self.wrong("E402", "before `of` a rank, a pile or something kept per seat is due", node.head.span)
        word = node.head.word
        bound = scope.locals.get(word.text)
        if isinstance(bound, core.Expr) and bound.type.kind == "rank":
            suit = self.check(node.owner, scope, t.SUIT)
            return self.prim("card", (suit, bound), t.CARD, node.span)
        meaning = self.names.table.get(word.text)
        thing = None if meaning is None else meaning.thing
        if isinstance(thing, core.Pile) and thing.per_seat:
            return core.CardsIn(t.CARDS, node.span, thing, self.owner(node.owner, scope, "seat"))
        if isinstance(thing, core.Variable) and thing.per == "pair":
            self.pair(thing, node.owner, None, scope, node.span)
        if isinstance(thing, core.Variable) and thing.per:
            index = self.owner(node.owner, scope, thing.per)
            if index.type.is_set and thing.type.kind not in ("number", "cards"):
                self.wrong("E402", "one seat is due", node.owner.span)
            return core.Get(thing.type, node.span, thing, index)
        if isinstance(thing, core.Account) and thing.per:
            return core.Balance(t.FRACTION, node.span, thing, self.owner(node.owner, scope, thing.per))
        if (isinstance(thing, Definition) and len(thing.head.parameters) == 1) or word.text in TABLE:
            return self._call(tree.Call(node.span, word, (node.owner,)), scope, hint)
        if thing is not None and not isinstance(thing, Option):
            whole = next((f"did you mean `{name}`?" for name in (f"{word.text}_of",) if name in TABLE or name in self.names.table), None)
            self.wrong("E212", f"`{word.text}` is not kept per seat or side", node.head.span, "there is only one", whole, about=word.text)
        return self._card_of(word, node, scope)

    def _card_of(self, word: tree.Word, node: tree.Of, scope: Scope) -> core.Expr:
        rank = self.deck.rank_number.get(word.text)
        if rank is None and word.text in self.names.faulty:
            raise Wrong
        if rank is None:
            owned = nearest(word.text, self.names.owned())
            near = f"did you mean `{owned}`?" if owned else self.names.suggestion(word.text, t.RANK, scope)
            if len(word.text) > 2 or (near is not None and nearest(word.text, self.deck.rank_number) is None):
                self.wrong("E210", f"unknown name `{word.text}`", word.span, "nothing has this name", help=near)
            self._unknown_rank(word)
        suit = self.check(node.owner, scope, t.SUIT)
        return self.prim("card", (suit, core.Const(t.RANK, word.span, rank)), t.CARD, node.span)

    def _ofpair(self, node: tree.OfPair, scope: Scope, hint: Type | None) -> core.Expr:
        word = node.head.word if isinstance(node.head, tree.Name) else None
        meaning = None if word is None else self.names.table.get(word.text)
        thing = None if meaning is None else meaning.thing
        if word is not None and thing is None and word.text in self.names.faulty:
            raise Wrong
        if not isinstance(thing, core.Variable):
            self.wrong("E402", "before `of … on` something kept per pair of seats is due", node.head.span,
                       help=self.names.paired(node.head.span.text))  # fmt: skip
        return core.Get(thing.type, node.span, thing, self.pair(thing, node.owner, node.on, scope, node.span))

    def pair(self, variable: core.Variable, owner: tree.Expr | None, on: tree.Expr | None, scope: Scope, span: Span) -> core.Expr:
        """Which seat's value on which other seat."""
        if owner is None or on is None:
            self.wrong("E211", f"`{variable.name}` is kept per pair of seats: say whose and on whom", span,
                       help=f"write `{variable.name} of … on …`")  # fmt: skip
        if variable.per != "pair":
            self.wrong("E212", f"`{variable.name}` is not kept per pair of seats", span,
                       help=f"write `{variable.name} of …`" if variable.per else None)  # fmt: skip
        one, other = self.check(owner, scope, t.SEAT), self.check(on, scope, t.SEAT)
        return core.Prim(t.NUMBER, span, "pair", (one, other))

    def owner(self, node: tree.Expr, scope: Scope, per: str) -> core.Expr:
        """Whose: a seat or a side; several seats are allowed, where their cards or numbers are taken together."""
        found = self.infer(node, scope)
        if per == "seat" and found.type.kind in ("side", "seats") and not found.type.optional:
            return self.coerce(found, t.SEATS, node.span)
        return self.coerce(found, t.SEAT if per == "seat" else t.SIDE, node.span)


def _given(count: int) -> str:
    return "none is given" if count == 0 else "1 is given" if count == 1 else f"{count} are given"


def _arguments(count: int) -> str:
    return "1 argument" if count == 1 else f"{count} arguments"
