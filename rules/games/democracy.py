"""Democracy: islands of four tribes, won card by card in simultaneous votes.

Two to six players and a voting pool get eight, six, five, four or three cards a day, two days an
island. For each trick the dealer turns up a card of the pool: its suit is trumps. Everybody plays
any card face down, and all are turned up together. Cards rank 5 4 3 A K Q J 10 9 8 7 6. The highest
trump wins, but the six of trumps beats the five if both are played; without a trump, the highest
card of any suit wins. In a tie all keep their own cards and the turned one is discarded. Jokers
count as plain fives and score nothing. Fives score five, fours four, threes and aces three, court
cards two, sixes nothing, the rest one: 25 points a suit, of which 13 win the tribe. The first with
five tribes wins.

The beginning of a hand's record (the dealer at seat 1; the seven of hearts makes hearts trumps)::

    [Game "democracy"]
    [Seats "3"]
    [Dealer "1"]

    deal 2 ?? ?? ?? ?? ?? ??
    deal 3 ?? ?? ?? ?? ?? ??
    deal 1 ?? ?? ?? ?? ?? ??
    deal pool ?? ?? ?? ?? ?? ??
    turn pool 7H
    2 play ??
    1 play ??
    3 play ??
    turn 1.trick 5C
    turn 2.trick 6H
    turn 3.trick AS
    gather

Verbs: ``deal``, ``turn pool CARD``, ``play`` (face down), ``turn SEAT.trick CARD``, ``gather`` (the
trick, or everybody's own cards), ``clear``. A hand is an island, both days.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import ClassVar

from rules.acts import Act, Verb
from rules.cards import BACK, JOKER, Card, Deck, Rank, Suit
from rules.dealing import Batch, dealing, next_batch, rounds
from rules.errors import ActError
from rules.frozen import replace
from rules.game import Game, house_rule
from rules.phrases import Phrase
from rules.scoring import fresh_sheet, leaders, totals
from rules.spots import GONE, Face, Move, Shape, Spot, Trace
from rules.start import Start
from rules.state import CLEARING, State
from rules.tricks.play import WON, trick_spot, trick_spots, verify_play
from rules.turn import Awaited, Turn

RANKS = "543AKQJT9876"
"""The ranks, highest first."""
CARDS_A_DAY = {2: 8, 3: 6, 4: 5, 5: 4, 6: 3}
DECK = Deck.of("3456789TJQKA")
JOKERS = {4: 2, 6: 1}
"""Jokers needed to deal the cards out evenly, by number of players."""
DAYS = 2
POINTS = {"5": 5, "4": 4, "3": 3, "A": 3, "K": 2, "Q": 2, "J": 2, "6": 0}
PLAIN_POINTS = 1
MAJORITY = 13
TRIBES = 5
POOL = "pool"
TRIBE_REASONS = {
    Suit.CLUBS: "democracy.clubs",
    Suit.DIAMONDS: "democracy.diamonds",
    Suit.HEARTS: "democracy.hearts",
    Suit.SPADES: "democracy.spades",
}
NOBODY = 0
"""In place of a seat: the card is discarded."""

Captured = tuple[tuple[int, Card], ...]
"""Cards, each with the seat that it went to."""


@dataclass(frozen=True, kw_only=True)
class DemocracyState(State):
    """State of a hand of Democracy."""

    day: int = 1
    dealt: bool = False
    """Whether the day's cards have been dealt."""
    turned: Card = BACK
    """The card of the pool turned up last."""
    result: Captured = ()
    """Where the face-up cards on the table will go."""
    captured: Captured = ()
    settled: bool = False

    @property
    def upcards(self) -> tuple[Card, ...]:
        """The face-up cards of the pool."""
        return tuple(laid.card for laid in self.table.at(POOL) if laid.up)

    @property
    def trump(self) -> Suit | None:
        """The suit of the card turned up last; None for a joker."""
        return self.turned.suit if self.turned in self.upcards and self.turned != JOKER else None

    @property
    def pool(self) -> tuple[Card, ...]:
        """The cards of the pool still to be turned up, next one last."""
        return tuple(laid.card for laid in self.table.at(POOL) if not laid.up)

    def votes(self) -> dict[int, Card]:
        """The card that each seat has played and that is still on the table."""
        laid = {seat: self.table.cards(trick_spot(seat)) for seat in self.start.seats}
        return {seat: cards[-1] for seat, cards in laid.items() if cards}

    def covered(self, seat: int) -> tuple[Card, ...]:
        """The cards that `seat` has played and not turned up."""
        return tuple(c.card for c in self.table.at(trick_spot(seat)) if not c.up)

    @property
    def voting(self) -> tuple[int, ...]:
        """The seats that have to play a card."""
        votes = self.votes()
        return tuple(s for s in self.order if s not in votes and self.table.at(str(s)))


@dataclass(frozen=True)
class Democracy(Game[DemocracyState]):
    """Democracy with its house rules.

    >>> [rule.name for rule in Democracy().house_rules()]
    ['tie_keeps', 'upcard_five', 'joker_upcard']
    """

    name: ClassVar[str] = "democracy"
    players: ClassVar[range] = range(2, 7)
    dealt: ClassVar[bool] = True
    vocabulary: ClassVar[frozenset[Verb]] = frozenset({Verb.DEAL, Verb.PLAY, Verb.GATHER})

    tie_keeps: str = house_rule(
        "all",
        "In a tie everybody keeps their own card, or only those who tie.",
        choices=("all", "tied"),
    )
    upcard_five: bool = house_rule(
        False, "The six of trumps also wins if the five of trumps is the turned card."
    )
    joker_upcard: str = house_rule(
        "none",
        "A joker turned up makes no trumps, or the next card of the pool is turned.",
        choices=("none", "next"),
    )

    def deck(self, start: Start) -> Deck:
        """Threes to aces, with the jokers needed for this number of players."""
        jokers = JOKERS.get(len(start.seats), 0)
        return DECK if not jokers else _with_jokers(jokers)

    def spots(self, start: Start) -> tuple[Spot, ...]:
        """Hands, cards played and won, and the voting pool."""
        count = CARDS_A_DAY.get(len(start.seats), 0)
        won = (
            Spot(WON, owner=seat, capacity=len(self.deck(start)), shape=Shape.PILE, face=Face.DOWN)
            for seat in start.seats
        )
        pool = Spot(POOL, capacity=count, face=Face.EITHER)
        return (*trick_spots(start.seats, count), *won, pool)

    def open(self, start: Start) -> DemocracyState:
        """Start before the first day."""
        self.check_start(start)
        return DemocracyState(game=self, start=start, limits=start.limits)

    def phase(self, state: DemocracyState) -> str:
        """Dealing, turning, voting, revealing, gathering or scored."""
        if state.settled:
            return "scored"
        if not state.dealt:
            return "dealing"
        again = self.joker_upcard == "next" and state.trump is None
        if state.pool and (not state.upcards or again):
            return "turning"
        if state.voting:
            return "voting"
        return "revealing" if any(map(state.covered, state.order)) else "gathering"

    def turn(self, state: DemocracyState) -> Turn:
        """What is awaited in each phase."""
        match self.phase(state):
            case "scored":
                return Turn((CLEARING,))
            case "dealing":
                return dealing(state, _batches(state))
            case "turning":
                says, among = Phrase("democracy.turn.upcard"), state.pool[-1:]
                return Turn((Awaited(Verb.TURN, says, spots=(POOL,), pick=1, among=among),))
            case "voting":
                return Turn(tuple(_vote(state, seat) for seat in state.voting), together=True)
            case "revealing":
                return Turn(tuple(_reveals(state)), together=True)
        return Turn((Awaited(Verb.GATHER, Phrase("democracy.turn.gather")),))

    def verify(self, state: DemocracyState, act: Act) -> None:
        """Cards turned up must be readable; gathering needs a trick."""
        if act.verb is Verb.PLAY:
            verify_play(act, down=True)
        elif act.verb is Verb.TURN and not act.down and not all(card.known for card in act.cards):
            raise ActError(f"'{act}': rank and suit count; expected a card with both, such as QS")
        elif act.verb is Verb.GATHER and not state.votes():
            raise ActError(f"'{act}': no card lies at any trick spot")

    def route(self, state: DemocracyState, act: Act) -> tuple[str, str]:
        """A vote goes from the hand to the spot in front of it."""
        if act.verb is not Verb.PLAY or act.seat is None:
            return super().route(state, act)
        return str(act.seat), trick_spot(act.seat)

    def trace(self, state: DemocracyState, act: Act) -> Trace:
        """A trick goes to its winner, or every card to whoever played it."""
        if act.verb is not Verb.GATHER:
            return super().trace(state, act)
        best = self._best(state)
        return tuple(_gathered(state, best, self._keepers(state, best)))

    def effect(self, state: DemocracyState, act: Act) -> DemocracyState:
        """Apply the act's consequences."""
        after = state
        if act.verb is Verb.GATHER:
            after = replace(after, captured=(*after.captured, *after.result), result=())
        elif act.verb is Verb.TURN and act.spot == POOL and not act.down:
            after = replace(after, turned=act.card)
        if not after.dealt:
            after = replace(after, dealt=next_batch(after, _batches(after)) is None)
        if after.dealt and not after.settled and self.phase(after) == "gathering":
            after = self._counted(after)
        return after

    def _counted(self, state: DemocracyState) -> DemocracyState:
        """Count the votes; without any, the day is over, and after two days the island."""
        if state.votes():
            return _told(replace(state, result=self.result(state)), state.result)
        if state.day < DAYS:
            return replace(state, day=state.day + 1, dealt=False).call("democracy.second-day")
        return _scored(state)

    def result(self, state: DemocracyState) -> Captured:
        """Where the cards on the table go: all to one seat, or each to whoever played it."""
        votes, best = state.votes(), self._best(state)
        if len(best) == 1:
            cards = [votes[seat] for seat in sorted(votes)]
            return tuple((best[0], card) for card in (*cards, *state.upcards))
        keep = self._keepers(state, best)
        kept = tuple((seat if seat in keep else NOBODY, votes[seat]) for seat in sorted(votes))
        return (*kept, *((NOBODY, card) for card in state.upcards))

    def _best(self, state: DemocracyState) -> tuple[int, ...]:
        turned = (state.turned,) if self.upcard_five and state.trump else ()
        return winners(state.votes(), state.trump, turned)

    def _keepers(self, state: DemocracyState, best: tuple[int, ...]) -> tuple[int, ...]:
        """The seats that keep their own card in a tie."""
        return best if self.tie_keeps == "tied" else tuple(state.votes())

    def follow(self, state: DemocracyState) -> Start:
        """Pass the deal to the left; with five tribes a new match begins."""
        start = super().follow(state)
        if state.void:
            return start
        after = replace(start, dealer=start.after(state.dealer))
        return fresh_sheet(after) if match_winner(state) else after


def winners(
    votes: dict[int, Card], trump: Suit | None, turned: tuple[Card, ...] = ()
) -> tuple[int, ...]:
    """The seats with the highest card; several if they tie. `turned` may call for the six.

    >>> from rules.cards import parse_cards
    >>> votes = dict(enumerate(parse_cards("5H 6H AS"), 1))
    >>> winners(votes, Suit.HEARTS), winners(votes, Suit.SPADES), winners(votes, Suit.CLUBS)
    ((2,), (3,), (1,))
    >>> winners(dict(enumerate(parse_cards("5H JOKER 5D"), 1)), Suit.CLUBS)
    (1, 2, 3)
    """
    trumps = {seat: card for seat, card in votes.items() if card.suit is trump}
    ranks = {card.rank for card in (*trumps.values(), *turned)}
    if trumps and {Rank.FIVE, Rank.SIX} <= ranks:
        six = tuple(seat for seat, card in trumps.items() if card.rank is Rank.SIX)
        if six:
            return six
    rated = {seat: _height(card) for seat, card in (trumps or votes).items()}
    most = max(rated.values(), default=0)
    return tuple(sorted(seat for seat, height in rated.items() if height == most))


def _height(card: Card) -> int:
    """How high a card counts, among plain cards or among trumps."""
    rank = Rank.FIVE if card.rank is Rank.JOKER else card.rank
    return len(RANKS) - RANKS.index(rank) if rank in RANKS else 0


@cache
def _with_jokers(jokers: int) -> Deck:
    return Deck((*DECK.cards, *(JOKER,) * jokers))


def _batches(state: DemocracyState) -> tuple[Batch, ...]:
    count = CARDS_A_DAY[len(state.start.seats)]
    return (*rounds(state.order, count), Batch(POOL, count, says=Phrase("democracy.turn.pool")))


def _vote(state: DemocracyState, seat: int) -> Awaited:
    says = Phrase.of("democracy.turn.vote", seat=seat)
    hand = state.table.cards(str(seat))
    return Awaited(Verb.PLAY, says, (seat,), pick=1, among=hand, down=True)


def _reveals(state: DemocracyState) -> Iterator[Awaited]:
    says = Phrase("democracy.turn.reveal")
    for seat in state.order:
        for card in state.covered(seat)[-1:]:
            yield Awaited(Verb.TURN, says, spots=(trick_spot(seat),), pick=1, among=(card,))


def _gathered(
    state: DemocracyState, best: tuple[int, ...], keepers: tuple[int, ...]
) -> Iterator[Move]:
    """The cards' moves to one pile or several; the turned card goes only with a winner."""
    winner = best[0] if len(best) == 1 else None
    for seat in state.start.seats:
        to = winner or (seat if seat in keepers else None)
        for card in state.table.cards(trick_spot(seat)):
            yield _away(card, trick_spot(seat), to)
    for card in state.upcards:
        yield _away(card, POOL, winner)


def _away(card: Card, source: str, seat: int | None) -> Move:
    return Move(card, source, f"{seat}.{WON}" if seat else GONE, up=not seat)


def _told(state: DemocracyState, before: Captured) -> DemocracyState:
    """Announce who takes the trick, if that has just become known."""
    if state.result == before:
        return state
    takers = {seat for seat, _ in state.result if seat != NOBODY}
    whole = not any(seat == NOBODY for seat, _ in state.result)
    if whole and len(takers) == 1:
        return state.call("democracy.won", seat=takers.pop())
    return state.call("democracy.tie")


def points(cards: Iterable[Card]) -> Counter[Suit]:
    """The points that cards are worth in each suit.

    >>> sorted(points(Deck.of("3456789TJQKA").cards).values())
    [25, 25, 25, 25]
    """
    sums: Counter[Suit] = Counter()
    for card in cards:
        if card.rank is not Rank.JOKER:
            sums[card.suit] += POINTS.get(str(card.rank), PLAIN_POINTS)
    return sums


def _scored(state: DemocracyState) -> DemocracyState:
    """Score a tribe for more than half of its points."""
    after = state
    for seat in state.start.seats:
        sums = points(card for owner, card in state.captured if owner == seat)
        for suit, reason in TRIBE_REASONS.items():
            if sums[suit] >= MAJORITY:
                after = after.score(seat, 1, reason)
    after = replace(after, settled=True)
    best = match_winner(after)
    return after.call("democracy.match", seat=best) if best else after


def match_winner(state: DemocracyState) -> int | None:
    """Who has won the match with this island: alone the most tribes, and at least five."""
    scores = totals(state)
    best = leaders(scores, state.start.seats)
    return best[0] if len(best) == 1 and scores[best[0]] >= TRIBES else None
