"""Hearts against OpenSpiel's hearts: equal deals and choices give equal legal sets, winners and scores.

OpenSpiel plays a game first and leaves a `Record`; the engine then follows it decision by decision. All
that is particular to OpenSpiel (card numbers, players, pass directions, returns) is translated here. The
tests of the first half hold those translations, and that rare rules are reached, against OpenSpiel alone.
"""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass
from functools import cache
from itertools import product
from typing import Any

import pytest

pyspiel: Any = pytest.importorskip("pyspiel")

GAMES = 300
SEATS = 4
TRICKS = 13

# OpenSpiel: number = 4 * rank + suit. Suits are letters of the deck `french-52`, ranks are low to high.
SUITS = "cdhs"
RANKS = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A")
DECK = range(len(SUITS) * len(RANKS))

# The options have OpenSpiel's names and defaults.
DEFAULTS = {
    "pass_cards": True,
    "no_pts_on_first_trick": True,
    "can_lead_any_club": False,
    "jd_bonus": False,
    "avoid_all_tricks_bonus": False,
    "must_break_hearts": True,
    "qs_breaks_hearts": True,
    "can_lead_hearts_instead_of_qs": False,
}
COMBINATIONS = [dict(zip(DEFAULTS, values, strict=True)) for values in product((True, False), repeat=len(DEFAULTS))]

# OpenSpiel's first chance outcome is also the number of places that passed cards move to the left.
KEEP, LEFT, ACROSS, RIGHT = range(4)
DIRECTIONS = ("keep", "left", "across", "right")


def card_text(number: int) -> str:
    """The card as Spadille writes it."""
    return RANKS[number // len(SUITS)] + SUITS[number % len(SUITS)]


def card_number(text: str) -> int:
    """The card as OpenSpiel numbers it."""
    return RANKS.index(text[:-1]) * len(SUITS) + SUITS.index(text[-1])


QS, JD, TWO_OF_CLUBS = card_number("Qs"), card_number("Jd"), card_number("2c")
HEARTS = frozenset(c for c in DECK if card_text(c).endswith("h"))
PENALTY = HEARTS | {QS}


def suit(number: int) -> int:
    return number % len(SUITS)


def rank(number: int) -> int:
    return number // len(SUITS)


def trick_winner(leader: int, cards: list[int]) -> int:
    """The player whose card is the highest of the suit led."""
    best = max((c for c in cards if suit(c) == suit(cards[0])), key=rank)
    return (leader + cards.index(best)) % SEATS


# ------------------------------------------------------------------ the games


@dataclass(frozen=True, slots=True)
class Setup:
    """One game before its first decision; hands are by OpenSpiel player p, in our seat p + turn."""

    options: dict[str, bool]
    direction: int
    hands: tuple[tuple[int, ...], ...]
    turn: int
    habits: tuple[str, ...]
    rng: random.Random

    def seat(self, player: int) -> int:
        return (player + self.turn) % SEATS

    @property
    def dealer(self) -> int:
        """Our dealer: the eldest seat is OpenSpiel's player 0, who passes first."""
        return (self.turn - 1) % SEATS

    def our_hands(self) -> list[list[str]]:
        """The hands as texts, by our seats."""
        return [[card_text(c) for c in self.hands[(seat - self.turn) % SEATS]] for seat in range(SEATS)]

    def our_options(self) -> dict[str, bool | str]:
        """Options for `spadille.load`; `pass_cards: no` must do without a direction."""
        named = {"pass_direction": DIRECTIONS[self.direction]} if self.options["pass_cards"] else {}
        return {**self.options, **named}


def setup(number: int) -> Setup:
    """The game of that number: every combination of options once, then some again."""
    rng = random.Random(number)
    order = random.Random("combinations").sample(COMBINATIONS, len(COMBINATIONS))
    options = order[number % len(order)]
    direction = number % 4 if options["pass_cards"] else KEEP
    hero = rng.randrange(SEATS)
    style = rng.choice(("fair", "fair", "long suits", "strong hand", "strong hand", "points in one hand"))
    habits = [rng.choice(("any", "high", "low", "hoard")) for _ in range(SEATS)]
    # Rare events need a plan: whoever has all the points keeps them, whoever has the high cards plays them.
    if style == "strong hand":
        habits = ["high" if player == hero else "low" for player in range(SEATS)]
    elif style == "points in one hand":
        habits = ["hoard" if player == hero else "low" for player in range(SEATS)]
    return Setup(options, direction, _hands(style, hero, rng), rng.randrange(SEATS), tuple(habits), rng)


def _hands(style: str, hero: int, rng: random.Random) -> tuple[tuple[int, ...], ...]:
    cards = list(DECK)
    rng.shuffle(cards)
    share = rng.choice((0.5, 0.8, 0.95))  # of the hero's points; the greatest leaves a strong hand no high diamonds
    hands: list[list[int]] = [[] for _ in range(SEATS)]
    for card in sorted(cards, key=lambda c: c not in PENALTY):
        open_to = [player for player in range(SEATS) if len(hands[player]) < TRICKS]
        to = hero
        if style == "long suits":
            to, chosen = (hero + suit(card)) % SEATS, rng.random() < 0.8
        elif style == "strong hand":
            chosen = rank(card) >= 8 and (suit(card) != suit(JD) or share < 0.9)
        elif style == "points in one hand":
            chosen = rng.random() < share if card in PENALTY else rank(card) >= 11
        else:
            chosen = False
        hands[to if chosen and to in open_to else rng.choice(open_to)].append(card)
    return tuple(tuple(sorted(hand)) for hand in hands)


def _choice(habit: str, legal: list[int], passing: bool, rng: random.Random) -> int:
    """A card to pass or play: mostly the one the habit likes to part with, and sometimes any."""
    if habit == "any" or rng.random() < 0.1:
        return rng.choice(legal)
    high = (habit != "low") is not passing
    liked = [c for c in legal if c not in PENALTY] if habit == "hoard" else legal
    return (max if high else min)(liked or legal, key=lambda c: (rank(c), rng.random()))


# --------------------------------------------------------------- OpenSpiel's side


@dataclass(frozen=True, slots=True)
class Decision:
    """One choice, with the hand, the cards on the table, and all cards played, as they were before it."""

    player: int
    passing: bool
    legal: frozenset[int]
    card: int
    hand: frozenset[int]
    trick: tuple[int, ...]
    played: frozenset[int]
    broken: bool

    @property
    def leads(self) -> bool:
        return not self.passing and not self.trick

    @property
    def first_trick(self) -> bool:
        return not self.passing and len(self.played) < SEATS

    @property
    def void(self) -> bool:
        return bool(self.trick) and all(suit(card) != suit(self.trick[0]) for card in self.hand)


@dataclass(frozen=True, slots=True)
class Record:
    """A whole game as OpenSpiel played it, by OpenSpiel's players."""

    setup: Setup
    decisions: tuple[Decision, ...]
    winners: tuple[int, ...]
    returns: tuple[float, ...]
    points: tuple[float, ...]

    @property
    def taken(self) -> list[set[int]]:
        """The cards that each player won."""
        played = [d.card for d in self.decisions if not d.passing]
        won: list[set[int]] = [set() for _ in range(SEATS)]
        for trick, winner in enumerate(self.winners):
            won[winner] |= set(played[trick * SEATS : (trick + 1) * SEATS])
        return won


def deal(setup: Setup) -> Any:
    """OpenSpiel's state with the setup's direction and hands; cards go one by one to players 0, 1, 2, 3."""
    state = pyspiel.load_game("hearts", setup.options).new_initial_state()
    state.apply_action(setup.direction)
    for row in zip(*setup.hands, strict=True):
        for card in row:
            state.apply_action(card)
    return state


def held(state: Any, player: int) -> frozenset[int]:
    """The cards in a player's hand; OpenSpiel writes them as `TS`."""
    return frozenset(card_number(text[:-1].replace("T", "10") + text[-1].lower()) for text in state.to_struct().hands[player])


@cache
def record(number: int) -> Record:
    """OpenSpiel's play of the game of that number."""
    game = setup(number)
    state = deal(game)
    passes_left = 0 if game.direction == KEEP else 3 * SEATS
    decisions: list[Decision] = []
    winners: list[int] = []
    trick: list[int] = []
    played: list[int] = []
    leader = -1
    while not state.is_terminal():
        player, legal, passing = state.current_player(), state.legal_actions(), passes_left > 0
        card = _choice(game.habits[player], legal, passing, game.rng)
        decisions.append(Decision(player, passing, frozenset(legal), card, held(state, player), tuple(trick),
                                  frozenset(played), state.hearts_broken()))  # fmt: skip
        state.apply_action(card)
        if passing:
            passes_left -= 1
            continue
        leader = leader if trick else player
        trick.append(card)
        played.append(card)
        if len(trick) == SEATS:
            winners.append(trick_winner(leader, trick))
            trick = []
    return Record(game, tuple(decisions), tuple(winners), tuple(state.returns()), tuple(state.to_struct().points))


def every_record() -> list[Record]:
    return [record(number) for number in range(GAMES)]


def test_options_are_openspiels_parameters() -> None:
    assert pyspiel.load_game("hearts").get_type().parameter_specification == DEFAULTS


def test_card_numbers() -> None:
    state = deal(setup(0))
    for number in DECK:
        text = card_text(number)
        assert card_number(text) == number
        assert text.replace("10", "T").upper() == state.action_to_string(0, number)


def test_games_cover_all_options_and_directions() -> None:
    setups = [setup(number) for number in range(GAMES)]
    assert {tuple(game.options.values()) for game in setups} == {tuple(row.values()) for row in COMBINATIONS}
    assert {game.direction for game in setups if game.options["pass_cards"]} == {KEEP, LEFT, ACROSS, RIGHT}
    assert {game.turn for game in setups} == set(range(SEATS))


def test_deals_are_whole_and_dealt_as_given() -> None:
    for number in range(GAMES):
        game = setup(number)
        state = deal(game)
        assert sorted(card for hand in game.hands for card in hand) == list(DECK)
        assert [held(state, player) for player in range(SEATS)] == [frozenset(hand) for hand in game.hands]


def test_seats() -> None:
    for number in range(GAMES):
        game = setup(number)
        assert (game.dealer + 1) % SEATS == game.seat(0)
        for player in range(SEATS):
            assert game.our_hands()[game.seat(player)] == [card_text(card) for card in game.hands[player]]
            assert game.seat((player + 1) % SEATS) == (game.seat(player) + 1) % SEATS


def test_directions() -> None:
    words = [pyspiel.load_game("hearts").new_initial_state().action_to_string(-1, direction) for direction in range(4)]
    assert [word.lower() for word in words] == ["no pass", *DIRECTIONS[1:]]
    for game in every_record():
        passed = [d for d in game.decisions if d.passing]
        assert [d.player for d in passed] == ([] if game.setup.direction == KEEP else [0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3])
        hands = [set(hand) for hand in game.setup.hands]
        for d in passed:
            hands[d.player].remove(d.card)
            hands[(d.player + game.setup.direction) % SEATS].add(d.card)
        for player, hand in enumerate(hands):
            assert hand == {d.card for d in game.decisions if not d.passing and d.player == player}


def test_winner_leads_next() -> None:
    for game in every_record():
        leaders = [d.player for d in game.decisions if d.leads]
        first = next(d for d in game.decisions if d.leads)
        assert TWO_OF_CLUBS in first.hand
        assert leaders[1:] == list(game.winners[:-1])
        assert len(game.winners) == TRICKS


def test_returns_are_26_less_the_points() -> None:
    for game in every_record():
        assert list(game.returns) == [26 - points for points in game.points]
        bonus = game.setup.options["jd_bonus"]
        worth = [len(won & HEARTS) + 13 * (QS in won) - 10 * (bonus and JD in won) for won in game.taken]
        shooters = [player for player, won in enumerate(game.taken) if won >= PENALTY]
        for player in range(SEATS):
            if shooters:
                worth[player] += -26 if player in shooters else 26
            elif game.setup.options["avoid_all_tricks_bonus"] and player not in game.winners:
                worth[player] -= 5
        assert list(game.points) == worth


def rare_scores(game: Record) -> list[str]:
    """What is uncommon in a game's score."""
    idle = len(set(game.winners)) < SEATS and game.setup.options["avoid_all_tricks_bonus"]
    shot = [won for won in game.taken if won >= PENALTY]
    if not shot:
        return ["bonus for no trick"] if idle else []
    names = ["moon"] + ["moon, no bonus for no trick"] * idle
    if game.setup.options["jd_bonus"]:
        names.append(f"moon, the jack of diamonds {'with' if JD in shot[0] else 'against'} the shooter")
    return names


def rare_choices(options: dict[str, bool], d: Decision) -> list[str]:
    """What is uncommon about a choice: by name."""
    unbroken_lead = d.leads and not d.first_trick and not d.broken
    queen_or_hearts = unbroken_lead and QS in d.hand and d.hand <= PENALTY and len(d.hand) > 1
    broken_lead = d.leads and d.broken and options["must_break_hearts"]
    cases = {
        "first lead of another club": d.leads and d.first_trick and d.card != TWO_OF_CLUBS,
        "first trick, no points": d.first_trick and d.void and options["no_pts_on_first_trick"] and not d.hand <= PENALTY,
        "first trick, only points": d.first_trick and d.void and options["no_pts_on_first_trick"] and d.hand <= PENALTY,
        "first trick, points allowed": d.first_trick and d.void and not options["no_pts_on_first_trick"],
        "unbroken, only hearts": unbroken_lead and d.hand <= HEARTS,
        "unbroken though the queen was played": unbroken_lead and d.hand & HEARTS and QS in d.played,
        "broken by the queen alone": broken_lead and d.hand & HEARTS and d.played & PENALTY == {QS},
        "queen or hearts, free": queen_or_hearts and options["can_lead_hearts_instead_of_qs"],
        "queen or hearts, must be the queen": queen_or_hearts and not options["can_lead_hearts_instead_of_qs"],
    }
    return [name for name, holds in cases.items() if holds]


def test_games_reach_the_rare_rules() -> None:
    seen = Counter(name for game in every_record() for name in rare_scores(game))
    for game in every_record():
        seen.update(name for d in game.decisions for name in rare_choices(game.setup.options, d))
    assert len(seen) == 14, seen
    assert min(seen.values()) >= 3, seen


# ------------------------------------------------------------------ the engine's side


@cache
def our_game(options: tuple[tuple[str, bool | str], ...]) -> Any:
    import spadille  # here, so that OpenSpiel's half also runs where the engine cannot be imported

    return spadille.load("hearts", **dict(options))


def our_trick_winners(events: list[Any]) -> list[int]:
    """Our seats that won the tricks; the only place that knows the form of an event."""
    return [event.seat for event in events if event.kind == "trick"]


@pytest.mark.parametrize("number", range(GAMES))
def test_engine_agrees(number: int) -> None:
    theirs = record(number)
    game = theirs.setup
    ours = our_game(tuple(game.our_options().items()))
    state = ours.start(deal={"hands": game.our_hands()}, dealer=game.dealer)
    for step, decision in enumerate(theirs.decisions):
        word = "pass" if decision.passing else "play"
        where = f"game {number}, decision {step}, {game.our_options()}"
        assert not state.over, where
        assert state.seat == game.seat(decision.player), where
        actions = {str(action): action for action in state.legal()}
        assert set(actions) == {f"{word} {card_text(card)}" for card in decision.legal}, where
        state = state.apply(actions[f"{word} {card_text(decision.card)}"])
    assert state.over
    assert our_trick_winners(list(state.events)) == [game.seat(winner) for winner in theirs.winners]
    assert [26 - state.payoffs[game.seat(player)] for player in range(SEATS)] == list(theirs.returns)
