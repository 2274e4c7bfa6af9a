"""`review`: what the solver says of each card of a deal that was played, with all cards open."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from random import Random
from statistics import StatisticsError, correlation

from interpreter.action import Action
from interpreter.match import Match
from interpreter.search.layout import lay_out
from interpreter.search.playform import Unfit
from interpreter.state import State
from spadille.solver.sides import Party, more_is_better, parties_of
from spadille.solver.solve import Number, Unsolved, solve

PLAY = "play"
# The search of one card gives up after so many positions, of cards alone or of whole states, which take as long.
QUICK_NODES, CARD_NODES = 6_000_000, 2_000_000
# And that of a deal after the work of so many such searches.
SEARCHES = 4
PLAYOUTS = 48
TOO_MUCH = "too many ways to go on"


@dataclass(frozen=True, slots=True)
class Remark:
    """One card: `value` is what `side` ends up with after it, `best` what that could have been for who played.

    `good` are the cards that keep the best value, `loss` is what the card cost its player's side. A card that was the only one allowed
    costs nothing, whatever its value; of another that was not judged `value`, `best` and `loss` are None and `reason` says why.
    """

    number: int
    trick: int
    seat: int
    action: Action
    side: Party
    choices: int
    value: Number | None = None
    best: Number | None = None
    loss: Number | None = None
    good: tuple[Action, ...] = ()
    reason: str = ""

    @property
    def better(self) -> tuple[Action, ...]:
        """The cards that would have been better."""
        return self.good if self.loss else ()


@dataclass(frozen=True, slots=True)
class Review:
    """A deal under review: `first` is where its first card was due; `losses` adds up what each seat's cards cost its side.

    `side` is whose value is shown; None where it is that of the side that plays the card.
    """

    what: str
    side: Party | None
    sides: tuple[Party, ...]
    first: State
    remarks: tuple[Remark, ...]
    losses: tuple[Number, ...]

    @property
    def judged(self) -> int:
        """How many cards a verdict was found for."""
        return sum(remark.loss is not None for remark in self.remarks)


def deals_of(positions: Sequence[State | Match], answers: Sequence[str]) -> list[tuple[list[State], list[str]]]:
    """The deals of a record that were begun: their states, and the answers given in them; one that is over has its last state too."""
    found: list[tuple[list[State], list[str]]] = []
    number = -1
    for position, answer in zip(positions, answers, strict=False):
        at = len(position.results) if isinstance(position, Match) else 0
        if at != number:
            found.append(([], []))
            number = at
        found[-1][0].append(position.state if isinstance(position, Match) else position)
        found[-1][1].append(answer)
    for states, given in found:
        states.append(states[-1].apply(given[-1]))
    return found


def asks_card(state: State) -> bool:
    """Whether a card to a trick is due."""
    return not state.over and state.question.about == PLAY and any(offer.cards and offer.verb == PLAY for offer in state.question.offers)


def usual_value(states: Sequence[State], answers: Sequence[Action | str], parties: Sequence[Party]) -> str:
    """What a review looks at: card points where cards have a worth, else tricks; the payoff where these are not what the deal is about.

    They are not where more of them does not go with a higher payoff, as when a declarer wants no trick; and where they cannot be sought
    more quickly, and the payoff tells as finely, it is taken. Both are seen from random play of this deal and of others that came to
    the same contract.
    """
    due = [state for state in states if asks_card(state)]
    first = due[0]
    what = "points" if any(first.game.program.worth) else "tricks"
    random, pairs = Random(0), []
    before = answers[: states.index(first)]
    for number in range(PLAYOUTS):
        state = first if number % 2 else _other_deal(states[0], before, random)
        while not state.over:
            state = state.apply(random.choice(state.legal()))
        if state.contract == first.contract:
            for party in parties[:1] if len(parties) == 2 else parties:
                pairs.append((float(counted(state, what, party)), float(sum(state.payoffs[seat] for seat in party))))
    try:
        agrees = correlation(*zip(*pairs, strict=True)) > 0
    except StatisticsError:
        # The gain is the same, whatever is played.
        return "payoff"
    fine = 2 * len({gain for _, gain in pairs}) > len({count for count, _ in pairs})
    return "payoff" if not agrees or (fine and not _quick(due[len(due) // 2], parties[0], what)) else what


def _quick(state: State, party: Party, what: str) -> bool:
    """Whether the cards alone decide, which is searched much more quickly than whole states."""
    try:
        lay_out(state, party, what == "points", not more_is_better(state.game))
    except Unfit:
        return False
    return True


def _other_deal(start: State, answers: Sequence[Action | str], random: Random) -> State:
    """Other cards after the same answers, as far as they are allowed there."""
    state = start.game.start(random.getrandbits(32), dealer=start.world.named("dealer"))
    for answer in answers:
        if state.over or asks_card(state):
            break
        legal = state.legal()
        state = state.apply(next((one for one in legal if str(one) == str(answer)), None) or random.choice(legal))
    return state


def counted(state: State, what: str, party: Party) -> Number:
    """The tricks or card points that a party has won."""
    if what == "tricks":
        return sum(int(state.world.named("tricks", seat)) for seat in party)
    program = state.game.program
    return sum(program.worth[card] for seat in party for card in state.world.cards(program.pile("won"), seat))


def review(states: Sequence[State], answers: Iterable[Action | str], value: str | None = None, side: int | None = None,
           sides: Iterable[Iterable[int]] | None = None, nodes: int | None = None) -> Review:  # fmt: skip
    """Review a deal: its states from the first decision on, and the answer given in each.

    `value` and `sides` are those of `solve`, `nodes` bounds the search of one card; without `value` see `usual_value`. With `side`
    every card is held for or against the side of that seat; without it that is the first of two sides, and of more
    than two the side that plays the card, against all others. Raises Unsolved without any card, WrongSides, ValueError.
    """
    judging = Judging(states, answers, value, side, sides, nodes)
    judging.run()
    return judging.review


class Judging:
    """A review in the making, from the last card to the first: late ones are found quickly, and early ones may never be."""

    def __init__(self, states: Sequence[State], answers: Iterable[Action | str], value: str | None = None, side: int | None = None,
                 sides: Iterable[Iterable[int]] | None = None, nodes: int | None = None) -> None:  # fmt: skip
        given = list(answers)
        numbered = enumerate(zip(states, given, strict=False), 1)
        self.played = [(n, state, state.game.parse(str(answer))) for n, (state, answer) in numbered if asks_card(state)]
        if not self.played:
            raise Unsolved("no card was played: there is nothing to review")
        self.first = self.played[0][1]
        # Who plays with whom may be a secret in the beginning; here all is open.
        self.parties = parties_of(self.played[-1][1], None if sides is None else [list(party) for party in sides])
        self.side = self.parties[0] if side is None and len(self.parties) == 2 else None
        if side is not None:
            self.side = next((party for party in self.parties if side in party), self.parties[0])
        self.what = value or usual_value(states, given, self.parties)
        quick = self.what != "payoff" and _quick(self.played[len(self.played) // 2][1], self.parties[0], self.what)
        self.nodes = nodes or (QUICK_NODES if quick else CARD_NODES)
        self.left = self.nodes * SEARCHES
        self.remarks: list[Remark] = []
        self.sign = 1 if more_is_better(self.first.game) else -1

    def run(self) -> None:
        """Judges every card that can be judged within the bounds."""
        failed = 0
        for number, state, action in reversed(self.played[: len(self.played) - len(self.remarks)]):
            # A whole trick without a verdict: what came before has still more ways to go on.
            hopeless = failed >= self.first.game.players or self.left <= 0
            remark = self.unjudged(number, state, action, TOO_MUCH) if hopeless else self.judged(number, state, action)
            failed = failed + 1 if remark.value is None else 0
            self.remarks.append(remark)

    @property
    def review(self) -> Review:
        """What is judged so far."""
        rest = self.played[: len(self.played) - len(self.remarks)]
        remarks = [*(self.unjudged(*one, "it was not looked at") for one in rest), *reversed(self.remarks)]
        losses: list[Number] = [0] * self.first.game.players
        for remark in remarks:
            losses[remark.seat] += remark.loss or 0
        return Review(self.what, self.side, self.parties, self.first, tuple(remarks), tuple(losses))

    def party(self, state: State) -> Party:
        """Whose value counts for a card."""
        return self.side or next(party for party in self.parties if state.seat in party)

    def unjudged(self, number: int, state: State, action: Action, reason: str) -> Remark:
        """A card without a value; one that had to be played is no mistake all the same."""
        seat, legal, trick = state.seat, len(state.legal()), int(state.world.named("trick_number"))
        assert seat is not None
        if legal == 1:
            return Remark(number, trick, seat, action, self.party(state), legal, loss=0, good=(action,))
        return Remark(number, trick, seat, action, self.party(state), legal, reason=reason)

    def judged(self, number: int, state: State, action: Action) -> Remark:
        """A card against the best one."""
        party = self.party(state)
        try:
            solution = solve(state, self.what, side=party, sides=self.parties, nodes=self.nodes, line=False)
        except Unsolved as problem:
            self.left -= self.nodes
            searched = str(problem).startswith("no value after")
            return self.unjudged(number, state, action, TOO_MUCH if searched else str(problem))
        self.left -= solution.nodes
        try:
            reached = solution.of(action)
        except KeyError:
            return self.unjudged(number, state, action, "it ended the play")
        assert state.seat is not None
        loss = (self.sign if state.seat in party else -self.sign) * (solution.value - reached)
        trick = int(state.world.named("trick_number"))
        return Remark(number, trick, state.seat, action, party, len(state.legal()), reached, solution.value, loss, solution.best)
