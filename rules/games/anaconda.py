"""Anaconda: seven cards, two passes to neighbours, and the pot split between high and low.

All ante and get seven cards. After a round of betting each player passes three cards to the left;
after a second round, three to the second seat on the right; then comes a third round. Now all
declare at once whether they play for the high or the low hand, discard two cards, and turn up four
of their five. After the last bets the fifth card is shown: the best high hand and the best low hand
among those who declared it take half of the pot each; odd chips stay for the next hand.

A hand's record (its beginning; `lay 2.pass` sets cards aside, `move` passes them on)::

    [Game "anaconda"]
    [Seats "3"]
    [Dealer "3"]
    [Limits "1 5"]

    ante
    deal 1 ?? ?? ?? ?? ?? ?? ??
    deal 2 ?? ?? ?? ?? ?? ?? ??
    deal 3 ?? ?? ?? ?? ?? ?? ??
    1 check
    2 bet 2
    3 call
    1 fold
    2 lay 2.pass ?? ?? ??
    3 lay 3.pass ?? ?? ??
    move 2.pass 3 ?? ?? ??
    move 3.pass 2 ?? ?? ??

Verbs: ``limits``, ``ante``, ``deal``, ``check``, ``bet AMOUNT``, ``call``, ``raise AMOUNT`` (the
amount raised to), ``fold``, ``lay SEAT.pass``, ``move SEAT.pass SEAT``, ``declare high|low|both``,
``discard``, ``lay SEAT.shown CARDS`` (four, and at the end the fifth), ``close`` (ends a round of
betting if bets are not tracked), ``clear``.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import ClassVar

from rules.acts import Act, Verb
from rules.cards import Card
from rules.errors import ActError
from rules.frozen import replace
from rules.game import house_rule
from rules.phrases import Phrase
from rules.poker.betting import Stakes
from rules.poker.hands import Scale, high, low
from rules.poker.pokergame import POKER, Contest, PokerGame, Worth
from rules.poker.rows import hand_spot
from rules.poker.streets import Betting, DealEach, Discarding, PokerState, Posting, Step
from rules.spots import GONE, Face, Spot
from rules.start import Start
from rules.turn import Awaited, Turn
from rules.verifying import need_place, need_seat, need_whole_cards

SEVEN, FIVE, PASSED, TURNED_UP = 7, 5, 3, 4
LISTED = 12
"""Ways to pick cards out of seven that an honest dealer considers, at most."""
PASS, SHOWN = "pass", "shown"
HIGH, LOW, BOTH = "high", "low", "both"
SCALES = {
    "ace-to-five": Scale.ACE_TO_FIVE,
    "ace-to-six": Scale.ACE_TO_SIX,
    "deuce-to-seven": Scale.DEUCE_TO_SEVEN,
}


@dataclass(frozen=True, kw_only=True)
class AnacondaState(PokerState):
    """State of a hand of Anaconda."""

    sides: tuple[tuple[int, str], ...] = ()
    """Which half each seat plays for."""

    def side(self, seat: int) -> str:
        """What `seat` has declared; empty if nothing."""
        return dict(self.sides).get(seat, "")

    def neighbour(self, seat: int, places: int) -> int:
        """The seat this many places to the left among those in; to the right if negative.

        It is never the seat itself: of two players, each is the other's neighbour on both sides.
        """
        place = (self.live.index(seat) + places) % len(self.live)
        return self.live[place] if self.live[place] != seat else self.live[place - 1]


@dataclass(frozen=True)
class Passing(Step):
    """Everybody sets three cards aside, and then all pass them `places` seats to the left."""

    phase: ClassVar[str] = "passing"
    places: int

    def done(self, state: PokerState) -> bool:
        """Whether all the cards have been passed on."""
        aside = any(state.table.at(f"{seat}.{PASS}") for seat in state.live)
        return not aside and not any(_passes(state, seat) for seat in state.live)

    def turn(self, state: PokerState) -> Turn:
        """First all choose their cards; then the cards are passed."""
        assert isinstance(state, AnacondaState)
        aside = tuple(_aside(state))
        return Turn(aside or tuple(self._moves(state)), together=True)

    def _moves(self, state: AnacondaState) -> Iterator[Awaited]:
        for seat in state.live:
            cards = state.table.cards(f"{seat}.{PASS}")
            if cards:
                to = state.neighbour(seat, self.places)
                says = Phrase.of("anaconda.turn.pass", seat=seat, to=(to,))
                yield Awaited(
                    Verb.MOVE,
                    says,
                    spots=(f"{seat}.{PASS}",),
                    to=(str(to),),
                    pick=len(cards),
                    counts=(1, len(cards)),
                    among=cards,
                    down=True,
                )


def _passes(state: PokerState, seat: int) -> bool:
    """Whether `seat` still has cards to pass or to choose from."""
    ready = state.table.at(f"{seat}.{PASS}") or len(state.hand(seat)) > SEVEN - PASSED
    return bool(ready) and seat not in state.served


def _aside(state: AnacondaState) -> Iterator[Awaited]:
    for seat in state.live:
        count = PASSED - len(state.table.at(f"{seat}.{PASS}"))
        if _passes(state, seat) and count > 0 and len(state.hand(seat)) > SEVEN - PASSED:
            says = Phrase.of("anaconda.turn.aside", seat=seat, count=count)
            yield _laying(state, seat, PASS, count, says, down=True)


def _laying(
    state: PokerState, seat: int, role: str, count: int, says: Phrase, *, down: bool
) -> Awaited:
    among = state.hand(seat)
    return Awaited(
        Verb.LAY,
        says,
        (seat,),
        spots=(f"{seat}.{role}",),
        pick=count,
        counts=(1, count),
        among=among,
        down=down,
        listed=LISTED,
    )


@dataclass(frozen=True)
class Declaring(Step):
    """All players show at once which half they play for."""

    phase: ClassVar[str] = "declaring"
    words: tuple[str, ...]

    def done(self, state: PokerState) -> bool:
        """Whether all have declared."""
        assert isinstance(state, AnacondaState)
        return all(state.side(seat) for seat in state.live)

    def turn(self, state: PokerState) -> Turn:
        """A declaration from each player still in."""
        assert isinstance(state, AnacondaState)
        words = tuple((word,) for word in self.words)
        return Turn(
            tuple(
                Awaited(
                    Verb.DECLARE,
                    Phrase.of("anaconda.turn.declare", seat=seat),
                    (seat,),
                    words=words,
                )
                for seat in state.live
                if not state.side(seat)
            ),
            together=True,
        )


@dataclass(frozen=True)
class Showing(Step):
    """Everybody turns cards up until each shows `cards` of them."""

    phase: ClassVar[str] = "showing"
    cards: int

    def done(self, state: PokerState) -> bool:
        """Whether everybody shows enough."""
        return not any(True for _ in self._due(state))

    def turn(self, state: PokerState) -> Turn:
        """The cards of each player still in, in any order."""
        return Turn(tuple(self._due(state)), together=True)

    def _due(self, state: PokerState) -> Iterator[Awaited]:
        for seat in state.live:
            count = self.cards - len(state.table.at(f"{seat}.{SHOWN}"))
            if count > 0 and state.hand(seat):
                count = min(count, len(state.hand(seat)))
                says = Phrase.of("anaconda.turn.show", seat=seat, count=count)
                yield _laying(state, seat, SHOWN, count, says, down=False)


@dataclass(frozen=True)
class Anaconda(PokerGame[AnacondaState]):
    """Anaconda with its house rules.

    >>> [rule.name for rule in Anaconda().house_rules()]
    ['ante_chips', 'low', 'both_ways', 'raises']
    """

    name: ClassVar[str] = "anaconda"
    players: ClassVar[range] = range(2, 8)
    vocabulary: ClassVar[frozenset[Verb]] = POKER | {Verb.LAY, Verb.DECLARE, Verb.DISCARD}
    state_type: ClassVar[type[AnacondaState]] = AnacondaState
    odd_chips: ClassVar[str] = "stay"

    ante_chips: int = house_rule(1, "What each puts in before the deal.", least=1)
    low: str = house_rule("ace-to-five", "The scale of low hands.", choices=tuple(SCALES))
    both_ways: bool = house_rule(
        False, "Whoever plays for both halves and does not win both gets neither."
    )
    raises: int = house_rule(3, "How many raises may follow a bet; 0 for any number.", least=0)

    def spots(self, start: Start) -> tuple[Spot, ...]:
        """For each seat, a hand, cards set aside to be passed, and five cards shown."""
        return tuple(
            spot
            for seat in start.seats
            for spot in (
                hand_spot(seat, SEVEN + PASSED),
                Spot(PASS, owner=seat, capacity=PASSED, face=Face.DOWN),
                Spot(SHOWN, owner=seat, capacity=FIVE),
            )
        )

    def course(self) -> tuple[Step, ...]:
        """The steps of a hand."""
        return _course((HIGH, LOW, BOTH) if self.both_ways else (HIGH, LOW))

    def posts(self, state: AnacondaState) -> tuple[dict[int, int], dict[int, int]]:
        """All ante."""
        return dict.fromkeys(state.live, self.ante_chips), {}

    def stakes(self, state: AnacondaState, number: int) -> Stakes:
        """The agreed limits."""
        return Stakes(*(state.limits or (1, 1)), raises=self.raises + 1 if self.raises else None)

    def verify(self, state: AnacondaState, act: Act) -> None:
        """As in any poker game; cards are laid by a seat, and a declaration names a half."""
        need_place(act, Verb.LAY)
        super().verify(state, act)
        need_seat(act, Verb.DECLARE)
        if act.verb is Verb.DECLARE and act.words not in ((HIGH,), (LOW,), (BOTH,)):
            raise ActError(f"'{act}': expected {HIGH}, {LOW} or {BOTH}")
        if act.verb is Verb.LAY:
            need_whole_cards(act)

    def route(self, state: AnacondaState, act: Act) -> tuple[str, str]:
        """Cards laid or discarded come out of the hand."""
        return str(act.seat), GONE if act.verb is Verb.DISCARD else act.spot or ""

    def slip(self, state: AnacondaState, act: Act, fault: str) -> str:
        """As in any poker game; a half is declared only once."""
        if act.verb is Verb.DECLARE and act.seat is not None and state.side(act.seat):
            return "anaconda.declared"
        return super().slip(state, act, fault)

    def acted(self, state: AnacondaState, act: Act) -> AnacondaState:
        """Note the cards passed on and the halves declared."""
        if act.verb is Verb.DECLARE and act.seat is not None and not state.side(act.seat):
            return replace(state, sides=tuple(sorted((*state.sides, (act.seat, act.words[0])))))
        spot = state.spots.get(act.spot or "")
        if act.verb is Verb.MOVE and spot is not None and spot.role == PASS and spot.owner:
            return replace(state, served=state.served | {spot.owner})
        return state

    def contests(self, state: AnacondaState) -> tuple[Contest, ...]:
        """The best high and the best low hand of those who declared it."""
        highs: dict[int, Worth] = {}
        lows: dict[int, Worth] = {}
        for seat in state.live:
            cards = _five(state, seat)
            if state.side(seat) in (HIGH, BOTH):
                highs[seat] = high(cards)
            if state.side(seat) in (LOW, BOTH):
                lows[seat] = low(cards, SCALES[self.low])
        both = [seat for seat in state.live if state.side(seat) == BOTH]
        return _without_losers(Contest("high-half", highs), Contest("low-half", lows), both)


def _five(state: AnacondaState, seat: int) -> tuple[Card, ...]:
    return state.table.cards(f"{seat}.{SHOWN}")[:FIVE]


def _without_losers(one: Contest, other: Contest, both: list[int]) -> tuple[Contest, ...]:
    """Whoever wanted both halves and has not won both alone is out of both.

    All are judged before anybody is out: of two players who win one half each, neither has won
    both.
    """
    best = [contest.winners(tuple(contest.worth)) for contest in (one, other)]
    lost = {seat for seat in both if any(winners != (seat,) for winners in best)}
    return tuple(
        Contest(c.reason, {seat: worth for seat, worth in c.worth.items() if seat not in lost})
        for c in (one, other)
    )


@cache
def _course(words: tuple[str, ...]) -> tuple[Step, ...]:
    return (
        Posting(),
        DealEach(SEVEN, packet=True),
        Betting(0),
        Passing(1),
        Betting(1),
        Passing(-2),
        Betting(2),
        Declaring(words),
        Discarding(FIVE),
        Showing(TURNED_UP),
        Betting(3),
        Showing(FIVE),
    )
