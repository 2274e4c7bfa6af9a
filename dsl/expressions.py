"""Types and meanings of expressions: from the tree of the DSL to core expressions, folded where all is known."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import NoReturn

from dsl import core, tree
from dsl import types as t
from dsl.deck import Deck
from dsl.diagnostics import Label, Report
from dsl.evaluate import evaluate
from dsl.mistakes import RESERVED
from dsl.names import Meaning, Names, Scope, option_meaning
from dsl.options import Option
from dsl.primitives import IMPURE_OPERATORS, OPERATORS, TABLE
from dsl.ruleset import Definition
from dsl.source import Span
from dsl.static import StaticWorld
from dsl.suggest import nearest
from dsl.types import Type
from dsl.walk import parts

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
}


class Wrong(Exception):
    """An expression with an error that the report already holds."""


class Expressions:
    """Checks expressions against the names of a ruleset."""

    def __init__(self, names: Names, deck: Deck, world: StaticWorld, report: Report) -> None:
        self.names = names
        self.deck = deck
        self.world = world
        self.report = report
        self.inlining: list[str] = []
        self.circles: set[frozenset[str]] = set()
        self.made = 0
        self.depth = 0
        self.seat_numbers = False  # whether a number may stand for a seat, as in cases

    # ------------------------------------------------------------------ doors

    def check(self, node: tree.Expr, scope: Scope, want: Type) -> core.Expr:
        """The expression as a value of a type; raises Wrong after reporting."""
        return self.coerce(self.infer(node, scope, want), want, node.span)

    def infer(self, node: tree.Expr, scope: Scope, hint: Type | None = None) -> core.Expr:
        """The expression with the type it has; the hint only decides words of several meanings."""
        self.grow(1, 0, node.span)
        method = getattr(self, "_" + type(node).__name__.lower().rstrip("_"))
        self.depth += 1
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
              others: tuple[Label, ...] = ()) -> NoReturn:  # fmt: skip
        self.report.error(code, message, span, label, help=help, others=others)
        raise Wrong

    def coerce(self, expr: core.Expr, want: Type, span: Span) -> core.Expr:
        """The expression as another type where that is plain: a card as a set of one, a side as its seats."""
        have = expr.type
        if have.kind == "none":
            if want.optional:
                return core.Const(want, span, None)
            self.wrong("E402", f"{want} is due, and `none` is not one", span)
        if have.optional and not want.optional:
            self.wrong("E403", f"`{span.text}` may be none here, and {want} is due", span, "may be none",
                       help=f"ask first whether `{span.text}` exists")  # fmt: skip
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
        self.wrong("E402", f"{want} is due, and this is {have}", span, f"this is {have}")

    def prim(self, name: str, args: tuple[core.Expr, ...], result: Type, span: Span) -> core.Expr:
        """An operation, carried out at once when its arguments are known."""
        expr = core.Prim(result, span, name, args)
        pure = name not in IMPURE_OPERATORS if name in OPERATORS else name in TABLE and TABLE[name].pure
        if pure and all(isinstance(arg, core.Const) and arg.value is not None for arg in args):
            value = evaluate(expr, self.world)
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
            self.wrong("E206", f"`{name}` is not a choice of option `{hint.of}`", node.span, f"the choices are {', '.join(words)}",
                       help=f"did you mean `{near}`?" if near else None)  # fmt: skip
        if name in RESERVED:
            self.wrong("E304", f"`{name}` does not fit here", node.span, "a name or a value is due")
        if hint is not None and hint.kind in ("rank", "ranks") and len(name) <= 2:
            self._unknown_rank(node.word)
        if hint is not None and hint.kind == "bid" and "bids" in self.names.unread:
            raise Wrong
        bound = ", ".join(f"`{local}`" for local in scope.locals)
        help_ = self.names.suggestion(name, hint, scope) or (f"what is bound here is {bound}" if bound else None)
        self.wrong("E210", f"unknown name `{name}`", node.span, "nothing has this name", help=help_)

    def _known(self, expr: core.Expr, name: str, scope: Scope) -> core.Expr:
        return replace(expr, type=expr.type.present) if expr.type.optional and name in scope.present else expr

    def _meaning(self, meaning: Meaning, node: tree.Name, scope: Scope) -> core.Expr:
        name, span = node.word.text, node.span
        match meaning.thing:
            case core.Variable() as variable:
                if variable.per:
                    self.wrong("E211", f"`{name}` is kept per {variable.per}: say whose", span, help=f"write `{name} of …`")
                return self._known(core.Get(variable.type, span, variable, None), name, scope)
            case core.Pile() as pile:
                if pile.per_seat:
                    self.wrong("E211", f"there is a `{name}` for each seat: say whose", span, help=f"write `{name} of …`")
                return core.CardsIn(t.CARDS, span, pile, None)
            case core.Account() as account:
                if account.per:
                    self.wrong("E211", f"`{name}` are kept per {account.per}: say whose", span, help=f"write `{name} of …`")
                return core.Balance(t.FRACTION, span, account, None)
            case Option() as option:
                self.names.options_read.add(option.id)
                type_, value = option_meaning(option)
                return core.Const(type_, span, value)
            case Definition() as definition:
                if definition.head.parameters:
                    self.wrong("E207", f"`{name}` wants {_arguments(len(definition.head.parameters))} in brackets", span)
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

    def _inline(self, definition: Definition, args: tuple[core.Expr, ...], scope: Scope, span: Span) -> core.Expr:
        self._enter(definition.head.name.text, span)
        try:
            names = {p.name.text: arg for p, arg in zip(definition.head.parameters, args, strict=True)}
            # A definition reads the names of the ruleset and its own parameters, never the caller's locals.
            return self.infer(definition.body, Scope(dict(names), scope.present - names.keys(), in_play=scope.in_play))
        finally:
            self.inlining.pop()

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
            self.wrong("E207", f"`{node.name.text}` wants {_arguments(len(types))}, and {_given(len(node.args))}", node.span)
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
            self.wrong("E212", f"`{word.text}` is not kept per seat or side", node.head.span, "there is only one")
        return self._card_of(word, node, scope)

    def _card_of(self, word: tree.Word, node: tree.Of, scope: Scope) -> core.Expr:
        rank = self.deck.rank_number.get(word.text)
        if rank is None and word.text in self.names.faulty:
            raise Wrong
        if rank is None:
            near = self.names.suggestion(word.text, t.RANK, scope)
            if len(word.text) > 2:
                self.wrong("E210", f"unknown name `{word.text}`", word.span, "nothing has this name", help=near)
            self._unknown_rank(word)
        suit = self.check(node.owner, scope, t.SUIT)
        return self.prim("card", (suit, core.Const(t.RANK, word.span, rank)), t.CARD, node.span)

    def owner(self, node: tree.Expr, scope: Scope, per: str) -> core.Expr:
        """Whose: a seat or a side; several seats are allowed, where their cards or numbers are taken together."""
        found = self.infer(node, scope)
        if per == "seat" and found.type.kind in ("side", "seats") and not found.type.optional:
            return self.coerce(found, t.SEATS, node.span)
        return self.coerce(found, t.SEAT if per == "seat" else t.SIDE, node.span)

    # -------------------------------------------------------------- arithmetic

    def _minus(self, node: tree.Minus, scope: Scope, hint: Type | None) -> core.Expr:
        value = self.check(node.value, scope, t.FRACTION)
        return self.prim("minus", (value,), value.type, node.span)

    def _binary(self, node: tree.Binary, scope: Scope, hint: Type | None) -> core.Expr:
        op = node.op.text
        left = self.infer(node.left, scope, t.CARDS if op in ("without", "&") else hint)
        if left.type.kind == "number" and op in ("+", "-", "*", "/", "mod"):
            return self._arithmetic(node, op, left, self.check(node.right, scope, t.FRACTION))
        if op in ("+", "without", "&", "-"):
            return self._set_operation(node, op, left, scope)
        self.wrong("E402", f"`{op}` works on numbers, and this is {left.type}", node.left.span)

    def _arithmetic(self, node: tree.Binary, op: str, left: core.Expr, right: core.Expr) -> core.Expr:
        whole = left.type.whole and right.type.whole
        if op in ("/", "mod"):
            if not isinstance(right, core.Const):
                if op == "/" :
                    self.wrong("E410", "the divisor must be known before play", node.right.span, "not known")
            elif right.value == 0:
                self.wrong("E410", "nothing can be divided by zero", node.right.span)
            whole = whole and op == "mod"
        expr = self.prim(op, (left, right), Type("number", whole=whole), node.span)
        if isinstance(expr, core.Const) and isinstance(expr.value, Fraction) and expr.value.denominator == 1:
            return core.Const(t.NUMBER, node.span, int(expr.value))
        return expr

    def _set_operation(self, node: tree.Binary, op: str, left: core.Expr, scope: Scope) -> core.Expr:
        if op == "-":
            self.wrong("E402", f"`-` works on numbers, and this is {left.type}", node.left.span, help="for cards and seats write `without`")
        right = self.infer(node.right, scope, left.type)
        kinds = {left.type.kind, right.type.kind}
        want = next((Type(k) for k in ("cards", "seats", "suits", "ranks", "sides") if k in kinds), None)
        if want is None:
            want = t.SEATS if kinds <= {"seat", "side"} else t.CARDS
        name = {"+": "union", "without": "without", "&": "meet"}[op]
        return self.prim(name, (self.coerce(left, want, node.left.span), self.coerce(right, want, node.right.span)), want, node.span)

    # -------------------------------------------------------------- comparison

    def _pair(self, left: tree.Expr, right: tree.Expr, scope: Scope) -> tuple[core.Expr, core.Expr]:
        """Both sides of a comparison; the one that has a meaning of its own tells what the other one is."""
        loose = isinstance(left, tree.Name | tree.Number) and not self._standalone(left, scope)
        if loose and not (isinstance(right, tree.Name | tree.Number) and not self._standalone(right, scope)):
            second = self.infer(right, scope)
            return self.infer(left, scope, second.type.present), second
        first = self.infer(left, scope)
        return first, self.infer(right, scope, first.type.present)

    def _standalone(self, node: tree.Expr, scope: Scope) -> bool:
        if isinstance(node, tree.Name):
            return node.word.text in scope.locals or node.word.text in self.names.table
        return not isinstance(node, tree.Number)

    def _compare(self, node: tree.Compare, scope: Scope, hint: Type | None) -> core.Expr:
        left, right = self._pair(node.left, node.right, scope)
        if left.type.kind == "bid":
            left = self.prim("height", (self.coerce(left, t.BID, node.left.span),), t.NUMBER, node.left.span)
            right = self.prim("height", (self.coerce(right, t.BID, node.right.span),), t.NUMBER, node.right.span)
        left = self.coerce(left, t.FRACTION, node.left.span)
        right = self.coerce(right, t.FRACTION, node.right.span)
        op = node.op.text
        if op in (">", ">="):
            left, right, op = right, left, {">": "<", ">=": "<="}[op]
        return self.prim(op, (left, right), t.TRUTH, node.span)

    def _equal(self, node: tree.Equal | tree.Unequal, scope: Scope, hint: Type | None) -> core.Expr:
        left, right = self._pair(node.left, node.right, scope)
        if left.type.kind == "none" or right.type.kind == "none":
            self.wrong("E402", "say `exists` to ask whether something is there", node.span, help="write `… exists` or `not … exists`")
        if left.type.kind != right.type.kind or left.type.of != right.type.of:
            words = [type_ for type_ in (left.type, right.type) if type_.kind == "word"]
            choices = ", ".join(self.names.contextual.get(f"word {words[0].of}", {})) if words else ""
            self.wrong("E411", f"{left.type} and {right.type} are never the same", node.span, f"the choices are {choices}" if choices else "")
        return self.prim("is", (left, right), t.TRUTH, node.span)

    def _unequal(self, node: tree.Unequal, scope: Scope, hint: Type | None) -> core.Expr:
        return self.prim("not", (self._equal(node, scope, hint),), t.TRUTH, node.span)

    def _member(self, node: tree.Member | tree.Nonmember, scope: Scope, hint: Type | None) -> core.Expr:
        whole = self.infer(node.right, scope, t.CARDS)
        if whole.type.kind in ("suit", "rank", "card") or (whole.type.kind == "suits" and not self._is_suit(node.left, scope)):
            whole = self.coerce(whole, t.CARDS, node.right.span)
        elif whole.type.kind == "side":
            whole = self.coerce(whole, t.SEATS, node.right.span)
        if not whole.type.is_set:
            self.wrong("E402", f"after `in` a set is due, and this is {whole.type}", node.right.span)
        part = self.infer(node.left, scope, whole.type.element)
        if part.type.kind == whole.type.element.kind:
            return self.prim("in", (self.coerce(part, whole.type.element, node.left.span), whole), t.TRUTH, node.span)
        return self.prim("within", (self.coerce(part, whole.type, node.left.span), whole), t.TRUTH, node.span)

    def _is_suit(self, node: tree.Expr, scope: Scope) -> bool:
        return self.infer(node, scope, t.SUIT).type.kind in ("suit", "suits")

    def _nonmember(self, node: tree.Nonmember, scope: Scope, hint: Type | None) -> core.Expr:
        return self.prim("not", (self._member(node, scope, hint),), t.TRUTH, node.span)

    def _exists(self, node: tree.Exists, scope: Scope, hint: Type | None) -> core.Expr:
        value = self.infer(node.value, scope)
        if not value.type.optional:
            name = node.value.span.text
            if isinstance(node.value, tree.Name) and name in scope.present:
                return core.Const(t.TRUTH, node.span, True)
            self.wrong("E412", f"`{name}` always exists", node.value.span)
        return self.prim("exists", (value,), t.TRUTH, node.span)

    # ------------------------------------------------------------------- logic

    def _negate(self, node: tree.Negate, scope: Scope, hint: Type | None) -> core.Expr:
        return self.prim("not", (self.check(node.value, scope, t.TRUTH),), t.TRUTH, node.span)

    def _both(self, node: tree.Both, scope: Scope, hint: Type | None) -> core.Expr:
        left = self.check(node.left, scope, t.TRUTH)
        right = self.check(node.right, scope.knowing(true_facts(node.left)), t.TRUTH)
        return self.logic("and", left, right, node.span)

    def _either(self, node: tree.Either, scope: Scope, hint: Type | None) -> core.Expr:
        left = self.check(node.left, scope, t.TRUTH)
        right = self.check(node.right, scope.knowing(false_facts(node.left)), t.TRUTH)
        return self.logic("or", left, right, node.span)

    def logic(self, name: str, left: core.Expr, right: core.Expr, span: Span) -> core.Expr:
        """`and` or `or`, shortened when one side is known."""
        neutral = name == "and"
        for one, other in ((left, right), (right, left)):
            if isinstance(one, core.Const):
                return other if one.value is neutral else core.Const(t.TRUTH, span, not neutral)
        return core.Prim(t.TRUTH, span, name, (left, right))

    def _conditional(self, node: tree.Conditional, scope: Scope, hint: Type | None) -> core.Expr:
        condition = self.check(node.when, scope, t.TRUTH)
        then = self.infer(node.then, scope.knowing(true_facts(node.when)), hint)
        other = self.infer(node.other, scope.knowing(false_facts(node.when)), hint or then.type)
        if then.type.kind == "none":
            then = core.Const(other.type.or_none, then.span, None)
        if other.type.kind == "none":
            other = core.Const(then.type.or_none, other.span, None)
        if then.type.kind != other.type.kind:
            for want in (then.type, other.type, t.CARDS):
                if all(x.type.kind == want.kind or (x.type.kind, want.kind) in COERCIONS for x in (then, other)):
                    then, other = self.coerce(then, want, node.then.span), self.coerce(other, want, node.other.span)
                    break
            else:
                self.wrong("E411", f"one way gives {then.type}, the other {other.type}", node.span)
        type_ = Type(then.type.kind, then.type.of, then.type.optional or other.type.optional, then.type.whole and other.type.whole)
        if isinstance(condition, core.Const):
            return then if condition.value else other
        return core.Cond(type_, node.span, condition, then, other)

    # ------------------------------------------------------------- quantifiers

    def domain(self, node: tree.Expr, scope: Scope) -> core.Expr:
        """What a loop or a quantifier runs over: a set."""
        found = self.infer(node, scope, t.CARDS)
        if found.type.kind in ("suit", "rank", "card"):
            found = self.coerce(found, t.CARDS, node.span)
        elif found.type.kind in ("side", "seat"):
            found = self.coerce(found, t.SEATS, node.span)
        if not found.type.is_set:
            self.wrong("E402", f"a set is due to choose from, and this is {found.type}", node.span)
        return found

    def _quantified(self, node: tree.Quantified, scope: Scope, kind: str) -> core.Expr:
        domain = self.domain(node.domain, scope)
        name = node.name.text
        element = domain.type.element
        self.shadow(node.name, scope)
        want = t.FRACTION if kind in ("total", "highest", "lowest") else t.TRUTH
        if isinstance(domain, core.Const) and isinstance(domain.value, frozenset) and element.kind not in ("card", "seat"):
            members = [core.Const(element, node.name.span, item) for item in sorted(domain.value)]
            bodies = [self.check(node.body, scope.with_local(name, member), want) for member in members]
            if kind in ("some", "every", "count", "total"):
                return self._unrolled(kind, bodies, node.span)
        local = core.Local(name, element)
        body = self.check(node.body, scope.with_local(name, core.Bound(element, node.name.span, local)), want)
        result = {"some": t.TRUTH, "every": t.TRUTH, "count": t.NUMBER, "those": domain.type, "first": element.or_none,
                  "total": body.type, "highest": element, "lowest": element}[kind]  # fmt: skip
        return core.Quant(result, node.span, kind, local, domain, body)

    def _unrolled(self, kind: str, bodies: list[core.Expr], span: Span) -> core.Expr:
        if len(bodies) > MOST_IN_A_ROW:  # halves keep the whole shallow
            half = len(bodies) // 2
            left, right = self._unrolled(kind, bodies[:half], span), self._unrolled(kind, bodies[half:], span)
            if kind in ("some", "every"):
                return self.logic("and" if kind == "every" else "or", left, right, span)
            return self.prim("+", (left, right), Type("number", whole=left.type.whole and right.type.whole), span)
        if kind in ("some", "every"):
            whole: core.Expr = core.Const(t.TRUTH, span, kind == "every")
            for body in bodies:
                whole = self.logic("and" if kind == "every" else "or", whole, body, span)
            return whole
        number: core.Expr = core.Const(t.NUMBER, span, 0)
        for body in bodies:
            if kind == "count":
                one, none = core.Const(t.NUMBER, span, 1), core.Const(t.NUMBER, span, 0)
                term: core.Expr = (one if body.value else none) if isinstance(body, core.Const) else core.Cond(t.NUMBER, span, body, one, none)
            else:
                term = body
            if isinstance(number, core.Const) and number.value == 0:
                number = term
            elif not (isinstance(term, core.Const) and term.value == 0):
                number = self.prim("+", (number, term), Type("number", whole=number.type.whole and term.type.whole), span)
        return number

    def shadow(self, word: tree.Word, scope: Scope) -> None:
        """A bound name must be new: a second meaning would be read wrongly."""
        name = word.text
        if name in RESERVED:
            self.wrong("E305", f"`{name}` is a word of the language and cannot be a name", word.span, "choose another name")
        meaning = self.names.table.get(name)
        if meaning is not None or name in TABLE or name in scope.locals:
            what = "already bound here" if name in scope.locals else "already a name of the ruleset or the language"
            self.wrong("E209", f"`{name}` is {what}", word.span, "choose another name")

    def _some(self, node: tree.Some, scope: Scope, hint: Type | None) -> core.Expr:
        return self._quantified(node, scope, "some")

    def _every(self, node: tree.Every, scope: Scope, hint: Type | None) -> core.Expr:
        return self._quantified(node, scope, "every")

    def _count(self, node: tree.Count, scope: Scope, hint: Type | None) -> core.Expr:
        return self._quantified(node, scope, "count")

    def _those(self, node: tree.Those, scope: Scope, hint: Type | None) -> core.Expr:
        return self._quantified(node, scope, "those")

    def _first(self, node: tree.First, scope: Scope, hint: Type | None) -> core.Expr:
        return self._quantified(node, scope, "first")

    def _total(self, node: tree.Total, scope: Scope, hint: Type | None) -> core.Expr:
        return self._quantified(node, scope, "total")

    def _highest(self, node: tree.Highest, scope: Scope, hint: Type | None) -> core.Expr:
        return self._quantified(node, scope, "highest")

    def _lowest(self, node: tree.Lowest, scope: Scope, hint: Type | None) -> core.Expr:
        return self._quantified(node, scope, "lowest")


# ----------------------------------------------------------- what is known to exist


def true_facts(node: tree.Expr) -> frozenset[str]:
    """The names that exist wherever the condition holds."""
    match node:
        case tree.Exists(value=tree.Name(word=word)):
            return frozenset((word.text,))
        case tree.Both(left=left, right=right):
            return true_facts(left) | true_facts(right)
        case tree.Negate(value=value):
            return false_facts(value)
    return frozenset()


def false_facts(node: tree.Expr) -> frozenset[str]:
    """The names that exist wherever the condition fails."""
    match node:
        case tree.Either(left=left, right=right):
            return false_facts(left) | false_facts(right)
        case tree.Negate(value=value):
            return true_facts(value)
    return frozenset()


def size_and_depth(expr: core.Expr, most: int) -> tuple[int, int]:
    """How many nodes an expression has and how deep it is; counting ends a little after `most`."""
    size, deepest = 0, 0
    todo = [(expr, 1)]
    while todo and size <= most:
        node, depth = todo.pop()
        size += 1
        deepest = max(deepest, depth)
        todo.extend((part, depth + 1) for part in parts(node))
    return size, deepest


def _given(count: int) -> str:
    return "none is given" if count == 0 else "1 is given" if count == 1 else f"{count} are given"


def _arguments(count: int) -> str:
    return "1 argument" if count == 1 else f"{count} arguments"
