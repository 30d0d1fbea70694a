"""Soko, or Canadian Stud: five-card stud in which four to a straight or a flush beat a pair.

All ante. Each gets a card face down and one face up; the player showing the lowest card bets at
least half of the minimum bet (the bring-in). Three more cards come face up, one at a time, each
followed by a round of betting that the lowest hand in sight opens. From the third face-up card on
the limits are doubled, or from the second if anybody shows a pair. The best hand wins: Canadian
flush (four of a suit) and Canadian straight (four in sequence) rank between two pair and one pair.

A hand's record (seat 3 deals; `Limits` are the minimum and the maximum bet)::

    [Game "soko"]
    [Seats "3"]
    [Dealer "3"]
    [Limits "2 10"]

    ante
    deal 1 (AS)
    deal 2 (KC)
    deal 3 (5D)
    deal 1 9H
    deal 2 4C
    deal 3 QD
    2 bet 1
    3 call
    1 raise 10
    2 fold
    3 fold
    clear

Verbs: ``limits``, ``ante``, ``deal``, ``check``, ``bet AMOUNT``, ``call``, ``raise AMOUNT`` (the
amount raised to), ``fold``, ``show``, ``close`` (ends a round of betting if bets are not tracked),
``clear``.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import ClassVar

from rules.acts import Verb
from rules.game import house_rule
from rules.poker.betting import Stakes
from rules.poker.hands import Kind, canadian, high
from rules.poker.pokergame import POKER, Contest, PokerGame
from rules.poker.streets import Betting, DealEach, PokerState, Posting, Showdown, Step
from rules.spots import Face, Spot
from rules.start import Start

HAND = 5
LAST = 3
"""The round, counted from 0, in which each player shows four cards."""
DOUBLED = 2
"""The round, counted from 0, from which limits are doubled in any case."""


@dataclass(frozen=True)
class Soko(PokerGame[PokerState]):
    """Soko with its house rules.

    >>> [rule.name for rule in Soko().house_rules()]
    ['ante_chips', 'first', 'ties', 'raises']
    """

    name: ClassVar[str] = "soko"
    also: ClassVar[tuple[str, ...]] = ("canadian-stud",)
    players: ClassVar[range] = range(2, 9)
    vocabulary: ClassVar[frozenset[Verb]] = POKER

    ante_chips: int = house_rule(1, "What each puts in before the deal.", least=1)
    first: str = house_rule(
        "lowest",
        "Who opens the later rounds: the lowest hand in sight, or the highest.",
        choices=("lowest", "highest"),
    )
    ties: str = house_rule(
        "cards",
        "Equal Canadian hands are decided by all their cards, or by the top card only.",
        choices=("cards", "top-card"),
    )
    raises: int = house_rule(0, "How many raises may follow a bet; 0 for any number.", least=0)

    def spots(self, start: Start) -> tuple[Spot, ...]:
        """A row of five cards for each seat, the first one face down."""
        return tuple(
            Spot("cards", owner=seat, capacity=HAND, face=Face.EITHER) for seat in start.seats
        )

    def course(self) -> tuple[Step, ...]:
        """The steps of a hand."""
        return _course()

    def posts(self, state: PokerState) -> tuple[dict[int, int], dict[int, int]]:
        """All ante."""
        return dict.fromkeys(state.live, self.ante_chips), {}

    def stakes(self, state: PokerState, number: int) -> Stakes:
        """The agreed limits, doubled late or after a pair in sight."""
        stakes = Stakes(*(state.limits or (1, 1)), raises=self.raises + 1 if self.raises else None)
        doubled = number >= DOUBLED or (number == 1 and self._pair(state))
        return stakes.doubled() if doubled else stakes

    def _pair(self, state: PokerState) -> bool:
        return any(high(state.showing(seat)).kind is Kind.PAIR for seat in state.live)

    def action(self, state: PokerState, number: int) -> tuple[int, ...]:
        """The lowest hand in sight opens; of equal ones, the first from the dealer's left.

        Four to a straight or a flush in sight rank as they do in the end.
        """
        pick = max if number and self.first == "highest" else min
        worth = {seat: high(state.showing(seat)) for seat in state.live}
        if number == LAST:
            kickers = self.ties == "cards"
            worth = {s: canadian(state.showing(s), kickers=kickers) for s in state.live}
        opener = pick(state.live, key=worth.__getitem__)
        place = state.live.index(opener)
        return state.live[place:] + state.live[:place]

    def bring_in(self, state: PokerState, number: int) -> int:
        """Half of the minimum bet, in whole chips, to open the first round."""
        if number:
            return 0
        return max(1, state.limits[0] // 2) if state.limits else 1

    def opening(self, state: PokerState, number: int) -> PokerState:
        """Call doubled limits: early after a pair in sight, or from the third face-up card on."""
        if number == 1 and self._pair(state):
            return state.call("soko.pair-doubles")
        return state.call("soko.doubled") if number == DOUBLED else state

    def contests(self, state: PokerState) -> tuple[Contest, ...]:
        """The best five-card hand, including the Canadian ones."""
        kickers = self.ties == "cards"
        worth = {s: canadian(state.hand(s), kickers=kickers) for s in state.live}
        return (Contest("high", worth),)


@cache
def _course() -> tuple[Step, ...]:
    streets: list[Step] = []
    for number in range(4):
        streets += [DealEach(number + 2, down=False), Betting(number)]
    return (Posting(), DealEach(1), *streets, Showdown())
