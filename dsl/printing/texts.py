"""Every kind of DSL text that is not an expression: orders, bids, steps, heads, declarations. One text for one tree."""

from __future__ import annotations

from dsl import tree
from dsl.printing.expressions import ATOM, OWNED, expression, inside
from dsl.printing.layout import Fill, Group, Layout, Line, Nest, one_line

PER = {"pair": "pair of seats"}


def print_text(node: tree.Node) -> str:
    """The canonical text of a node that is one piece of text, in one line; it parses back to an equal node.

    Steps of several lines (`when`, `each`, `repeat`, `ask`) give the text of their heads.
    """
    return one_line(layout(node))


def layout(node: tree.Node) -> Layout:
    """The canonical text of a node with the places where a long one is broken."""
    match node:
        case tree.Expr():
            return expression(node)
        case tree.Step():
            return _step(node)
        case tree.Cards(items=items):
            return (layout(items[0]), *(part for item in items[1:] for part in (",", Fill((Line(), layout(item))))))
        case tree.Order():
            return _order(node)
        case tree.Bids(names=names, signs=signs):
            rest = (Fill((Line(), f"{sign.text} {name.text}")) for sign, name in zip(signs, names[1:], strict=True))
            return (names[0].text, *rest)
        case tree.Each(name=name, domain=domain, start=start):
            head = f"{name.text} in "
            return (head, expression(domain)) if start is None else (head, inside(domain), " from ", expression(start))
        case tree.Offer():
            return _offer(node)
        case tree.Variable():
            return _variable(node)
        case tree.Pile(per_seat=per_seat, ordered=ordered, seen=seen):
            return f"{'per seat, ' if per_seat else ''}{'in order, ' if ordered else ''}seen by {seen}"
        case tree.Definition(name=name, parameters=parameters):
            inner = ", ".join(f"{one.type.text} {one.name.text}" for one in parameters)
            return f"{name.text}({inner})" if parameters else name.text
        case tree.Target(name=name, owner=tree.Expr() as owner, on=tree.Expr() as on):
            return (f"{name.text} of ", expression(owner, ATOM), " on ", expression(on, ATOM))
        case tree.PileOf(name=name, owner=owner) | tree.Target(name=name, owner=owner):
            return name.text if owner is None else (f"{name.text} of ", expression(owner, OWNED))
        case tree.Ranked(word=word):
            return word.text
        case tree.OrderedIf():
            return _ordered_if(node)
        case tree.Parameter(type=type_, name=name):
            return f"{type_.text} {name.text}"
    raise TypeError(node)


# --------------------------------------------------------------------- orders


def _order(node: tree.Order) -> Layout:
    """Cards side by side; a long order is broken before and after its braces."""
    parts: list[Layout] = []
    for number, item in enumerate(node.items):
        if number:
            apart = isinstance(item, tree.OrderedIf) or isinstance(node.items[number - 1], tree.OrderedIf)
            parts += [Line(), layout(item)] if apart else [Fill((Line(), layout(item)))]
        else:
            parts.append(layout(item))
    return Group(tuple(parts), open=True)


def _ordered_if(node: tree.OrderedIf) -> Layout:
    return Group(("{", layout(node.then), " if ", expression(node.when), Nest((Line(), "else ")), layout(node.other), "}"))


# ---------------------------------------------------------------------- steps


def _step(node: tree.Step) -> Layout:
    match node:
        case tree.Set(target=target, value=value):
            return _last(("set ", layout(target), " to"), value)
        case tree.Add(value=value, target=target):
            return ("add ", inside(value), " to ", layout(target))
        case tree.Let(name=name, value=value):
            return _last(f"let {name.text} be", value)
        case tree.Deal():
            return _deal(node)
        case tree.MoveTop(count=None, source=source, target=target):
            return ("move top of ", layout(source), " to ", layout(target))
        case tree.MoveTop(count=tree.Expr() as count, source=source, target=target):
            return ("move top ", inside(count), _cards(count), "of ", layout(source), " to ", layout(target))
        case tree.MoveAll(source=source, target=target):
            return ("move all of ", layout(source), " to ", layout(target))
        case tree.Move(cards=cards, source=source, target=target):
            return ("move ", inside(cards), " from ", layout(source), " to ", layout(target))
        case tree.Shuffle(pile=pile):
            return ("shuffle ", layout(pile))
        case tree.Show(cards=cards, seats=None):
            return _last("show", cards)
        case tree.Show(cards=cards, seats=tree.Expr() as seats):
            return ("show ", inside(cards), " to ", inside(seats))
        case tree.Pay():
            return _pay(node)
        case tree.Score(who=who, amount=amount, each=each):
            return _last(("each of " if each else "", inside(who), " scores"), amount)
        case tree.Announce(word=word, value=value):
            return f"announce {word.text}" if value is None else _last(f"announce {word.text} with", value)
        case tree.SitOut(who=who):
            return (inside(who), " sits out")
        case tree.Leave():
            return "leave"
        case tree.EndPlay():
            return "end play"
        case tree.ThrowIn():
            return "throw in"
        case tree.Redeal():
            return "redeal"
    return _head(node)


def _head(node: tree.Step) -> Layout:
    match node:
        case tree.Repeat(most=most, condition=None, early=early):
            return ("at most " if early else "", inside(most), " times")
        case tree.Repeat(most=most, condition=tree.Expr() as condition):
            return Group(("while ", expression(condition), ",", Line(), "at most ", inside(most), " times"))
        case tree.When(condition=condition):
            return expression(condition)
        case tree.Loop(head=head):
            return layout(head)
        case tree.Ask(who=who):
            return expression(who)
        case tree.Phrase(pattern=pattern, args=args):
            return _phrase(pattern, args)
    raise TypeError(node)


def _last(head: Layout, value: tree.Expr) -> Layout:
    """A step that ends in an expression."""
    return Group((head, Nest((Line(), expression(value)))))


def _cards(count: tree.Expr) -> str:
    return " card " if isinstance(count, tree.Number) and count.digits.text == "1" else " cards "


def _deal(node: tree.Deal) -> Layout:
    whom: Layout = "each seat" if node.pile is None else (layout(node.pile), " for each seat")
    head: Layout = ("deal ", inside(node.count), _cards(node.count), "to ", whom, " from ")
    if node.times is None:
        return (head, inside(node.start))
    return (head, inside(node.start), ", ", inside(node.times), " times")


def _pay(node: tree.Pay) -> Layout:
    payer: Layout = ("each of " if node.each == "payer" else "", inside(node.payer))
    amount: Layout = "all" if node.amount is None else inside(node.amount)
    return (payer, " pays ", amount, " to ", "each of " if node.each == "payee" else "", inside(node.payee))


def _phrase(pattern: str, args: tuple[tree.Expr | tree.PileOf, ...]) -> Layout:
    left = list(args)
    parts: list[Layout] = []
    for word in pattern.split():
        if word.startswith("{") and left:
            arg = left.pop(0)
            piece = inside(arg) if isinstance(arg, tree.Expr) else layout(arg)
        else:
            piece = word
        parts += [piece] if not parts or word == "," else [" ", piece]
    return tuple(parts)


# --------------------------------------------------------------- declarations


def _offer(node: tree.Offer) -> Layout:
    if node.domain is None or node.name is None:
        return "" if node.verb is None else node.verb.text
    return ("" if node.verb is None else f"{node.verb.text} ", f"{node.name.text} in ", expression(node.domain))


def _variable(node: tree.Variable) -> Layout:
    text = node.type.text + (", or none" if node.optional else "") + (f" per {PER.get(node.per, node.per)}" if node.per else "")
    text += ", for the match" if node.match else ""
    text += "" if node.seen == "all" else f", seen by {node.seen}"
    return text if node.start is None else (f"{text}, starts at ", expression(node.start))
