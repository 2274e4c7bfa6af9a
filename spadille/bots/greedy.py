"""A bot that plays by plain card sense, knowing of a game only its tables and what its seat may see."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from random import Random
from typing import Any

from dsl import core
from dsl.facts import Ranked
from interpreter.action import Action
from interpreter.game import Game
from interpreter.view import View
from spadille.bots.knowledge import allies, current_ranking, high_is_good, masters, promise, strength, unseen, worths

PLAY = "play"
# The least share of the hand's tricks to bid at all, and how much more each higher bid wants.
FIRST_BID = 0.42
HIGHER_BID = 0.13
WEAK = 0.3


class GreedyBot:
    """Wins cheaply what is worth winning, throws away its lowest, discards its weakest, bids what it holds."""

    def __init__(self, game: Game) -> None:
        self.program = game.program
        self.good = high_is_good(game)
        self.worth = worths(game.program)
        self.suits = {suit.name: number for number, suit in enumerate(game.program.deck.suits)}
        self.bids = {bid: number for number, bid in enumerate(game.program.bids)}
        # Answers by word that a seat may give only when a condition holds, and those that do nothing.
        offers = [offer for question in game.image.questions for offer in question.offers if not offer.cards]
        self.privileges = {id for offer in offers if offer.offer.when is not None for id in range(offer.first, offer.first + offer.count)}
        self.idle = {id for offer in offers if not offer.offer.body for id in range(offer.first, offer.first + offer.count)}
        self.contracts = {offer.first: chosen for offer in offers if (chosen := contract_chosen(offer.offer)) is not None}

    def choose(self, view: View, random: Random) -> Action:
        """One of the legal answers; ties are broken by `random`."""
        cards = [action for action in view.legal if action.card is not None]
        words = [action for action in view.legal if action.card is None]
        if len(view.legal) == 1:
            return view.legal[0]
        if any(str(word) in self.bids for word in words):
            return self.bid(view, words)
        if words and all(word.id in self.contracts for word in words):
            return best(words, lambda word: self.contract_strength(view, self.contracts[word.id], self.suits.get(str(word))), random)
        if words and all(str(word) in self.suits for word in words):
            return best(words, lambda word: self.suit_strength(view, self.suits[str(word)]), random)
        if view.question == PLAY:
            privileged = [word for word in words if word.id in self.privileges]
            if privileged:
                return privileged[0]
            if cards:
                return self.play(view, cards, random)
        elif cards:
            return self.part(view, cards, words, random)
        return self.word(words)

    # ------------------------------------------------------------------- words

    def word(self, words: list[Action]) -> Action:
        """A privilege is used, a question that may be let pass is let pass."""
        for wanted in (self.privileges, self.idle):
            for word in words:
                if word.id in wanted:
                    return word
        return words[0]

    def bid(self, view: View, words: list[Action]) -> Action:
        """The highest bid that the hand is good for, else an answer that is no bid, else the lowest bid."""
        bids = [word for word in words if str(word) in self.bids]
        others = [word for word in words if str(word) not in self.bids]
        size = max(1, len(view.hand))
        share = max(self.suit_strength(view, suit) for suit in [*self.suits.values(), None]) / size
        able = [word for word in bids if share >= FIRST_BID + HIGHER_BID * self.bids[str(word)]]
        if able:
            return able[-1]
        return others[0] if others else bids[0]

    def suit_strength(self, view: View, suit: int | None) -> float:
        """What the hand would be good for with a suit as trumps."""
        ranked = current_ranking(self.program, view, suit)
        return 0.0 if ranked is None or ranked.trump != (-1 if suit is None else suit) else strength(ranked, view.hand)

    def contract_strength(self, view: View, contract: int, trump: int | None) -> float:
        """What the hand would be good for in a contract, with the trumps of its name or those that suit it best."""
        rankings, way = self.program.rankings, self.program.contracts[contract].way
        trumps = (None, *self.suits.values()) if trump is None else (trump,)
        found = [ranked for suit in trumps if (ranked := rankings.get(way, suit)) is not None]
        return max((strength(ranked, view.hand) for ranked in found), default=0.0)

    # ------------------------------------------------------------------- cards

    def ranking_in_mind(self, view: View) -> Ranked | None:
        """The ranking of the play, or while it is not settled the one that the hand is best for."""
        settled = current_ranking(self.program, view)
        if settled is not None:
            return settled
        thought = [ranked for suit in self.suits.values() if (ranked := current_ranking(self.program, view, suit)) is not None]
        return max(thought, key=lambda ranked: strength(ranked, view.hand), default=None)

    def part(self, view: View, cards: list[Action], words: list[Action], random: Random) -> Action:
        """Gives away the card least wanted, or stops when what is left is worth keeping."""
        ranked = self.ranking_in_mind(view)
        if ranked is None:
            return words[0] if words else cards[0]

        def keep(action: Action) -> float:
            assert action.card is not None
            chance = promise(ranked, view.hand, action.card)
            return chance if self.good else -chance - float(self.worth[action.card])

        worst = best(cards, lambda action: -keep(action), random)
        return words[0] if words and keep(worst) >= WEAK else worst

    def play(self, view: View, cards: list[Action], random: Random) -> Action:
        """A card to the trick."""
        ranked = current_ranking(self.program, view)
        if ranked is None:
            return cards[random.randrange(len(cards))]
        trick = view.pile("trick").order
        out = unseen(self.program, view)
        choice = self.following(view, ranked, out, trick) if trick else self.leading(view, ranked, out)
        return best(cards, lambda action: choice(action.card or 0), random)

    def leading(self, view: View, ranked: Ranked, out: frozenset[int]) -> Callable[[int], tuple[Any, ...]]:
        """How good a card is to lead: a sure winner, or one that costs little; low where tricks are shunned."""
        held = view.pile("hand", view.variable("player")).cards  # another's, where this seat chooses for it
        sure = masters(ranked, held, out)
        lengths = {suit: sum(1 for card in held if ranked.suit[card] == suit) for suit in set(ranked.suit)}

        def wanted(card: int) -> tuple[Any, ...]:
            suit, worth = ranked.suit[card], self.worth[card]
            return (card in sure, worth if card in sure else -worth, lengths[suit], suit != ranked.trump, ranked.place[card])

        def shunned(card: int) -> tuple[Any, ...]:
            above = sum(1 for other in out if ranked.beats(other, card))
            return (above > 0, -self.worth[card], above, -lengths[ranked.suit[card]])

        return wanted if self.good else shunned

    def following(self, view: View, ranked: Ranked, out: frozenset[int], trick: tuple[int, ...]) -> Callable[[int], tuple[Any, ...]]:
        """How good a card is to follow with."""
        led = trick[0]
        powers = [ranked.strength(card, led) for card in trick]
        high = max(powers)
        winner = view.trick_seats[powers.index(high)]
        last = sum(seat is not None for seat in view.trick_seats) == len(view.trick_players) - 1
        threats = [] if last else [ranked.strength(card, led) for card in out]
        ours = winner in allies(self.program, view) and (last or not any(power > high for power in threats))
        points = sum((self.worth[card] for card in trick), Fraction(0))

        def wanted(card: int) -> tuple[Any, ...]:
            power = ranked.strength(card, led)
            wins = power > high
            if ours:
                return (not wins, self.worth[card], -self.effort(ranked, card))
            safe = wins and not any(other > power for other in threats)
            if safe or (wins and points > 0 and self.worth[card] <= points):
                return (2 if safe else 1, self.worth[card] if last else 0, -power)
            return (0, -self.worth[card], -self.effort(ranked, card), -power)

        def shunned(card: int) -> tuple[Any, ...]:
            power = ranked.strength(card, led)
            if power <= high:
                return (1, self.worth[card], self.effort(ranked, card))
            if last and points <= 0:
                return (0, -self.worth[card], power)
            return (0, -self.worth[card], power if last else -power)

        return wanted if self.good else shunned

    def effort(self, ranked: Ranked, card: int) -> int:
        """How high a card stands, trumps above all others: what throwing it away costs."""
        trump = ranked.suit[card] == ranked.trump >= 0
        return (len(self.worth) if trump else 0) - ranked.place[card]


def contract_chosen(offer: core.Offer) -> int | None:
    """The contract that an answer by word settles, if it always settles the same one."""
    if offer.domain is not None:
        return None
    for step in offer.body:
        if isinstance(step, core.Assign) and step.variable.name == "contract" and isinstance(step.value, core.Const):
            return step.value.value if isinstance(step.value.value, int) else None
    return None


def best(actions: list[Action], value: Callable[[Action], Any], random: Random) -> Action:
    """The action of the highest value, one of them by chance if there are several."""
    values = [value(action) for action in actions]
    top = max(values)
    among = [action for action, found in zip(actions, values, strict=True) if found == top]
    return among[random.randrange(len(among))]
