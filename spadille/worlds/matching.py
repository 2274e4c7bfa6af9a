"""Cards laid on places at random, every way that is allowed equally likely."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from math import comb, factorial, prod
from random import Random

MOST_STEPS = 20_000  # splits looked at in counting
SWAPS = 12  # times the number of cards, where there are too many ways to count


class Matching:
    """All ways to lay `cards` on groups of places; `allowed[card]` are the numbers of the groups that may hold it.

    Ways are counted exactly, cards of the same kind together; where that would take too many steps, a way that fits
    is mixed by random exchanges instead. `possible` is False when no way fits.
    """

    def __init__(self, allowed: Mapping[int, frozenset[int]], sizes: Sequence[int]) -> None:
        self.sizes = tuple(sizes)
        self.allowed = dict(allowed)
        ordered = sorted(allowed.items(), key=lambda item: (len(item[1]), sorted(item[1]), item[0]))
        self.kinds = [(kind, [card for card, _ in group]) for kind, group in groupby(ordered, key=lambda item: item[1])]
        self.ways: dict[tuple[int, tuple[int, ...]], int] = {}
        self.first: dict[int, int] | None = None
        self.exact = True
        self.steps = 0
        try:
            self.possible = self.count(0, self.sizes) > 0
        except OverflowError:
            self.exact = False
            self.first = self.fit()
            self.possible = self.first is not None

    @property
    def all_ways(self) -> int:
        """The number of ways, places told apart; 1 where they were too many to count."""
        return self.count(0, self.sizes) * prod(factorial(size) for size in self.sizes) if self.exact and self.possible else 1

    def count(self, kind: int, room: tuple[int, ...]) -> int:
        """In how many ways the cards from a kind on go on the places that are left."""
        if kind == len(self.kinds):
            return int(not any(room))
        key = (kind, room)
        if key not in self.ways:
            total = 0
            for ways, rest, _ in self.splits(kind, room):
                self.steps += 1
                if self.steps > MOST_STEPS:
                    raise OverflowError
                total += ways * self.count(kind + 1, rest)
            self.ways[key] = total
        return self.ways[key]

    def splits(self, kind: int, room: tuple[int, ...]) -> Iterator[tuple[int, tuple[int, ...], tuple[tuple[int, int], ...]]]:
        """How a kind's cards may be shared among groups: the ways to pick them, the room left, the shares.

        In what order a group's places are filled is the same number of ways always, and left out.
        """
        groups, cards = self.kinds[kind]
        allowed = [group for group in sorted(groups) if room[group]]

        def share(place: int, left: int) -> Iterator[tuple[tuple[int, int], ...]]:
            if place == len(allowed):
                if not left:
                    yield ()
                return
            later = sum(room[group] for group in allowed[place + 1 :])
            for number in range(max(0, left - later), min(left, room[allowed[place]]) + 1):
                for more in share(place + 1, left - number):
                    yield ((allowed[place], number), *more)

        for shares in share(0, len(cards)):
            ways, left, rest = 1, len(cards), list(room)
            for group, number in shares:
                ways *= comb(left, number)
                left -= number
                rest[group] -= number
            yield ways, tuple(rest), shares

    def draw(self, random: Random) -> dict[int, int]:
        """The group of each card, in one of the ways."""
        if not self.exact:
            return self.mixed(random)
        found: dict[int, int] = {}
        room = self.sizes
        for kind, (_, cards) in enumerate(self.kinds):
            pick = random.randrange(self.count(kind, room))
            for ways, rest, shares in self.splits(kind, room):  # noqa: B007 (used after the loop)
                pick -= ways * self.count(kind + 1, rest)
                if pick < 0:
                    break
            mixed = random.sample(cards, len(cards))
            for group, number in shares:
                found.update(dict.fromkeys(mixed[:number], group))
                del mixed[:number]
            room = rest
        return found

    # ------------------------------------------------------- too many to count

    def fit(self) -> dict[int, int] | None:
        """One way that fits, by augmenting paths."""
        held: list[list[int]] = [[] for _ in self.sizes]

        def place(card: int, groups: frozenset[int], tried: set[int]) -> bool:
            for group in sorted(groups - tried):
                tried.add(group)
                if len(held[group]) < self.sizes[group]:
                    held[group].append(card)
                    return True
                for other in held[group]:
                    if place(other, allowed[other], tried):
                        held[group].remove(other)
                        held[group].append(card)
                        return True
            return False

        allowed = self.allowed
        if not all(place(card, groups, set()) for card, groups in allowed.items()):
            return None
        return {card: group for group, cards in enumerate(held) for card in cards}

    def mixed(self, random: Random) -> dict[int, int]:
        """A way that fits after many random exchanges of two cards."""
        assert self.first is not None
        found = dict(self.first)
        allowed = self.allowed
        cards = list(found)
        for _ in range(SWAPS * len(cards)):
            one, two = random.choice(cards), random.choice(cards)
            if found[two] in allowed[one] and found[one] in allowed[two]:
                found[one], found[two] = found[two], found[one]
        return found
