"""A position of the play as the vectors of the trick search: cards as bits, equals found, keys laid out."""

from __future__ import annotations

from dataclasses import dataclass
from math import lcm
from weakref import WeakKeyDictionary

from interpreter.game import Game
from interpreter.search import places as at
from interpreter.search.obligations import Reader
from interpreter.search.playform import PlayForm, Unfit, play_form
from interpreter.state import State

KEY_ROOM = 1 << 61
MOST_CARDS = 62

_forms: WeakKeyDictionary[Game, PlayForm | Unfit] = WeakKeyDictionary()


def form_of(game: Game) -> PlayForm:
    """The form of a game's play, worked out once; raises Unfit."""
    if game not in _forms:
        try:
            _forms[game] = play_form(game)
        except Unfit as reason:
            _forms[game] = reason
    found = _forms[game]
    if isinstance(found, Unfit):
        raise found
    return found


@dataclass(frozen=True, slots=True)
class Layout:
    """The vectors that describe a position, as lists; `cards[bit]` is the card of a bit, `seats[n]` the seat of place n."""

    cards: tuple[int, ...]
    seats: tuple[int, ...]
    parameters: list[int]
    table: list[int]
    segments: list[int]
    hands: list[int]
    ply: list[int]
    scale: int  # what is counted is whole numbers of 1/scale

    @property
    def rest(self) -> int:
        """All that is still to be won."""
        return self.ply[at.REST]


def lay_out(state: State, ours: frozenset[int], points: bool, shunned: bool) -> Layout:
    """The position of a state for the gain of some seats, in tricks or card points; raises Unfit.

    The seats seek a high gain, or where it is `shunned` a low one while all others seek to give it to them.
    """
    form = form_of(state.game)
    if state.seat is None or state.question.ask is not form.ask:
        raise Unfit("the question is not which card to play")
    if points and form.moves_after:
        raise Unfit("cards change hands after the last trick")
    seats, hands, table, leader = _on_table(state, form)
    obligations = Reader(state, form).read()
    game, ranked = state.game, state.world.ranked
    inside = sorted({*table, *(card for hand in hands for card in hand)}, key=lambda c: (ranked.suit[c], -ranked.place[c]))
    if len(inside) > MOST_CARDS or any(ranked.suit[card] < 0 for card in inside):
        raise Unfit("there are too many cards, or some without a suit")
    scale = lcm(*(value.denominator for value in game.program.worth)) if points else 1
    worth = [int(game.program.worth[card] * scale) if points else 0 for card in inside]
    if min(worth, default=0) < 0:
        raise Unfit("a card counts less than nothing")
    bit = {card: number for number, card in enumerate(inside)}

    def mask(cards: frozenset[int] | set[int]) -> int:
        return sum(1 << bit[card] for card in cards if card in bit)

    suits = [mask({c for c in inside if ranked.suit[c] == ranked.suit[card]}) for card in inside]
    following = [[(mask(some), mask(must)) for some, must in (rung[card] for card in inside)] for rung in obligations.following]
    leading = [(mask(some), mask(must)) for (some, must), *_ in obligations.leading]
    kinds = _kinds(following, leading, worth, suits)
    blocks = [sum(1 << d for d in range(len(inside)) if kinds[d] == kinds[c] and suits[c] >> d & 1) for c in range(len(inside))]
    trump = 0 if ranked.trump < 0 else mask({c for c in inside if ranked.suit[c] == ranked.trump})
    rows: list[list[int]] = [suits, [suits[c] & ~((2 << c) - 1) for c in range(len(inside))], worth, blocks]
    for rung in following:
        rows += [[some for some, _ in rung], [must for _, must in rung]]
    everything = (1 << len(inside)) - 1
    segments = _segments(kinds, suits, len(seats))
    left = form.most - state.world.named("trick_number") + 1
    per_hand = max(len(hand) for hand in hands)
    tricks = min(left, per_hand)
    strict = sum(1 << c for c in range(len(inside)) if _strict(following, c, suits[c], everything))
    parameters = [0] * at.PARAMETERS
    parameters[at.SEATS], parameters[at.CARDS] = len(seats), len(inside)
    parameters[at.OURS] = sum(1 << n for n, seat in enumerate(seats) if seat in ours)
    parameters[at.SEEK] = sum(1 << n for n, seat in enumerate(seats) if (seat in ours) != shunned)
    parameters[at.TRUMP], parameters[at.TRICK] = trump, int(not points)
    parameters[at.FOLLOWING], parameters[at.LEADING], parameters[at.SEGMENTS] = len(following), len(leading), len(segments) // at.SEGMENT
    parameters[at.STRICT] = strict
    parameters[at.FREE] = int(leading == [(everything, everything)] and not shunned)
    parameters[at.TAIL] = per_hand - tricks
    if points and parameters[at.TAIL]:
        raise Unfit("some cards are never won")
    ply = [0] * at.PLY
    order = {seat: n for n, seat in enumerate(seats)}
    ply[at.SEAT], ply[at.TABLE] = order[state.seat], len(table)
    ply[at.REST] = sum(worth) if points else tricks
    if ply[at.REST] >= at.HALF - 1:
        raise Unfit("the cards count too much")
    ply[at.PRESENT] = everything
    if table:
        best = max(range(len(table)), key=lambda k: (ranked.strength(table[k], table[0]), -k))
        ply[at.LED], ply[at.BEST_CARD] = bit[table[0]], bit[table[best]]
        ply[at.BEST_SEAT] = (order[leader] + best) % len(seats)
        ply[at.POT] = sum(worth[bit[card]] for card in table)
    table_rows = [value for row in rows for value in row] + [value for pair in leading for value in pair]
    return Layout(tuple(inside), seats, parameters, table_rows, segments, [mask(hand) for hand in hands], ply, scale)


def _on_table(state: State, form: PlayForm) -> tuple[tuple[int, ...], list[frozenset[int]], tuple[int, ...], int]:
    """Seats that play, their hands, the cards on the table and who led; raises Unfit if the hands are not level."""
    world, program = state.world, state.game.program
    seats = tuple(sorted(world.value(form.seats)))
    hands = [world.cards(program.pile("hand"), seat) for seat in seats]
    table = world.row(program.pile("trick"), None)
    leader = world.named("leader")
    if not 2 <= len(seats) <= 8 or state.seat not in seats or leader not in seats:
        raise Unfit("who plays is not settled")
    first = seats.index(leader)
    played = {seats[(first + k) % len(seats)] for k in range(len(table))}
    full = {len(hand) + (seat in played) for seat, hand in zip(seats, hands, strict=True)}
    if len(full) != 1 or state.seat != seats[(first + len(table)) % len(seats)]:
        raise Unfit("the hands are not of one size")
    return seats, hands, table, leader


def _kinds(following: list[list[tuple[int, int]]], leading: list[tuple[int, int]], worth: list[int], suits: list[int]) -> list[int]:
    """A number for each card: cards of a suit with the same number differ in height alone."""
    numbers: dict[tuple[object, ...], int] = {}
    found = []
    for card in range(len(worth)):
        inside: tuple[object, ...] = tuple(mask >> card & 1 for rung in following for pair in rung for mask in pair)
        first: tuple[object, ...] = tuple(mask >> card & 1 for pair in leading for mask in pair)
        led: tuple[object, ...] = tuple(rung[card] for rung in following)
        found.append(numbers.setdefault((suits[card], worth[card], inside, first, led), len(numbers)))
    return found


def _segments(kinds: list[int], suits: list[int], seats: int) -> list[int]:
    """Stretches of one kind, shared out over two words of a key; raises Unfit where they are too many."""
    runs: list[list[int]] = []
    for card in range(len(kinds)):
        if runs and kinds[runs[-1][-1]] == kinds[card] and suits[runs[-1][-1]] == suits[card]:
            runs[-1].append(card)
        else:
            runs.append([card])
    room = [seats + 1, 2]
    found: list[int] = []
    for run in sorted(runs, key=len, reverse=True):
        factor = 2 * seats ** len(run)
        word = 0 if room[0] <= room[1] else 1
        room[word] *= factor
        if room[word] >= KEY_ROOM:
            raise Unfit("there are too many cards to tell positions apart")
        found += [sum(1 << card for card in run), word, factor, 0]
    return found


def _strict(following: list[list[tuple[int, int]]], card: int, suit: int, everything: int) -> bool:
    """Whether a lead is always followed in suit where that is possible, and by any card otherwise."""
    if len(following) != 2:
        return False
    some, must = following[0][card]
    return must == suit and some & suit == suit and following[1][card] == (everything, everything)
