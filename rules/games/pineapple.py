"""Pineapple: hold'em with three cards each, one of which is discarded.

Blinds or antes, three cards each, and a round of betting. Then everybody discards one card, unseen;
a card is burnt and three shared ones come (the flop), and after a round of betting each one more
(the turn and the river), each after a burnt card. The best five of a player's two cards and the
five shared ones win. In Crazy Pineapple the third card is discarded after the bets on the flop; in
Crazy Pineapple Hi-Lo the best low hand, eight or better with the ace low, takes half of the pot.

A hand's record (seat 1 deals; `Limits` are the bet before the turn and from it on)::

    [Game "pineapple"]
    [Seats "2"]
    [Dealer "1"]
    [Limits "2 4"]

    ante
    deal 2 (AS)
    deal 1 (KC)
    deal 2 (AD)
    deal 1 (KD)
    deal 2 (7C)
    deal 1 (3H)
    1 call
    2 check
    2 discard (7C)
    1 discard (3H)
    burn ??
    deal board KH 8C 4S
    2 bet 2
    1 raise 4
    2 call
    burn ??
    deal board AC
    2 bet 4
    1 fold
    clear

Verbs: ``limits``, ``ante`` (blinds and antes are in), ``deal``, ``check``, ``bet AMOUNT``,
``call``, ``raise AMOUNT`` (the amount raised to), ``fold``, ``discard``, ``burn``, ``show``,
``close`` (ends a round of betting if bets are not tracked), ``clear``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import ClassVar

from rules.acts import Act, Verb
from rules.cards import SUITS, Card
from rules.frozen import replace
from rules.game import house_rule
from rules.phrases import Phrase
from rules.poker.betting import Stakes
from rules.poker.hands import ACE_HIGH, VALUES, high, low_eight
from rules.poker.pokergame import POKER, Contest, PokerGame, Worth
from rules.poker.streets import (
    BOARD,
    BURN,
    Betting,
    Boarding,
    Burning,
    DealEach,
    Discarding,
    PokerState,
    Posting,
    Showdown,
    Step,
)
from rules.spots import Face, Shape, Spot
from rules.start import Start
from rules.turn import Awaited, Turn

HOLE, KEPT = 3, 2
"""Cards that each player is dealt, and keeps."""
TURN_ROUND = 2
"""The first round with the larger fixed bet."""


@dataclass(frozen=True)
class ThirdCard(Discarding):
    """The third card is discarded; if keeping it kills a hand, the dealer may go on regardless."""

    kills: bool = False

    def turn(self, state: PokerState) -> Turn:
        """The discards, and a burn that does not wait for slow players."""
        turn = super().turn(state)
        if not self.kills or len(self.late(state)) > len(state.live) - 2:
            return turn
        burn = Awaited(Verb.BURN, Phrase("turn.burn"), pick=1, down=True, required=False)
        return replace(turn, interrupts=(burn,))


@dataclass(frozen=True)
class Pineapple(PokerGame[PokerState]):
    """Pineapple with its house rules.

    >>> Pineapple(discard="flop", low=True).house_rules()[1].text
    'yes'
    """

    name: ClassVar[str] = "pineapple"
    players: ClassVar[range] = range(2, 11)
    vocabulary: ClassVar[frozenset[Verb]] = POKER | {Verb.BURN, Verb.DISCARD}
    variants: ClassVar[Mapping[str, Mapping[str, object]]] = {
        "crazy": {"discard": "flop"},
        "crazy-hi-lo": {"discard": "flop", "low": True},
    }

    discard: str = house_rule(
        "deal",
        "The third card is discarded after the bets on the deal, or (crazy) on the flop.",
        choices=("deal", "flop"),
    )
    low: bool = house_rule(False, "The best low hand, eight or better, takes half of the pot.")
    betting: str = house_rule("limit", "Fixed bets, or any amount.", choices=("limit", "no-limit"))
    raises: int = house_rule(3, "How many raises may follow a bet in fixed-limit betting.")
    forced: str = house_rule(
        "blinds",
        "Two players post blinds, or all ante, or both.",
        choices=("blinds", "ante", "blinds-and-ante"),
    )
    small_blind: int = house_rule(0, "The small blind; 0 for half of the big one.", least=0)
    big_blind: int = house_rule(0, "The big blind; 0 for the smaller of the limits.", least=0)
    ante_chips: int = house_rule(1, "The ante, if all ante.")
    odd_chip: str = house_rule(
        "left",
        "An odd chip goes to the first on the dealer's left, or to the highest card by suit.",
        choices=("left", "card"),
    )
    third_card: str = house_rule(
        "stop",
        "While a third card is kept the dealer waits, or may go on, which kills the hand.",
        choices=("stop", "dead"),
    )

    def rule_faults(self) -> Iterator[str]:
        """What is wrong with the house rules taken together."""
        for name in ("raises", "ante_chips"):
            if not 1 <= getattr(self, name) <= 1000:
                yield f"house rule {name} is 1 to 1000, got {getattr(self, name)}"
        if self.small_blind > self.big_blind > 0:
            yield f"house rule small_blind is at most big_blind, got {self.small_blind}"

    def spots(self, start: Start) -> tuple[Spot, ...]:
        """Three cards for each seat, five on the board, three burnt."""
        seats = (Spot("cards", owner=s, capacity=HOLE, face=Face.EITHER) for s in start.seats)
        burnt = Spot(BURN, capacity=3, shape=Shape.FAN, face=Face.DOWN)
        return (Spot(BOARD, capacity=5), burnt, *seats)

    def course(self) -> tuple[Step, ...]:
        """The steps of a hand."""
        return _course(self.discard == "flop", self.third_card == "dead")

    def stakes(self, state: PokerState, number: int) -> Stakes:
        """Fixed bets, doubled from the turn on; the big blind counts as the first bet."""
        least, greatest = state.limits or (1, 1)
        if self.betting == "no-limit":
            return Stakes(self.big_blind or least)
        bets = self.raises + (0 if number == 0 and state.blinds else 1)
        size = greatest if number >= TURN_ROUND else least
        return Stakes(size, size, raises=bets)

    def posts(self, state: PokerState) -> tuple[dict[int, int], dict[int, int]]:
        """Antes, or the blinds on the dealer's left; of two players the dealer posts the small."""
        antes = {} if self.forced == "blinds" else dict.fromkeys(state.live, self.ante_chips)
        if self.forced == "ante":
            return antes, {}
        big = self.big_blind or (state.limits[0] if state.limits else 1)
        small = min(self.small_blind or max(1, big // 2), big)
        seats = state.live[:2] if len(state.live) > 2 else state.live[::-1]
        return antes, dict(zip(seats, (small, big), strict=False))

    def blinds_known(self, state: PokerState) -> bool:
        """Whether the house has fixed the big blind, or the limits say how large it is."""
        return self.big_blind > 0 or super().blinds_known(state)

    def acted(self, state: PokerState, act: Act) -> PokerState:
        """Kill the hands that still have a third card when a card is burnt."""
        step = self.course()[state.step]
        if act.verb is not Verb.BURN or not isinstance(step, ThirdCard) or not step.kills:
            return state
        late = step.late(state)
        live = tuple(seat for seat in state.live if seat not in late)
        return replace(state, live=live).call("pineapple.dead", seats=late) if live else state

    def contests(self, state: PokerState) -> tuple[Contest, ...]:
        """The best five of seven cards, and the low half if it is played."""
        board = state.table.cards(BOARD)
        highs: dict[int, Worth] = {s: high((*state.hand(s), *board)) for s in state.live}
        if not self.low:
            return (Contest("high", highs),)
        lows: dict[int, Worth] = {}
        for seat in state.live:
            worth = low_eight((*state.hand(seat), *board))
            if worth is not None:
                lows[seat] = worth
        return Contest("high-half", highs), Contest("low-half", lows)

    def first_served(self, state: PokerState, winners: tuple[int, ...]) -> tuple[int, ...]:
        """Odd chips by position, or by the highest card held, spades before hearts and so on."""
        if self.odd_chip == "left":
            return winners
        return tuple(sorted(winners, key=lambda s: _highest(state.hand(s)), reverse=True))


def _highest(cards: tuple[Card, ...]) -> tuple[int, int]:
    return max(map(_by_suit, cards), default=(0, 0))


def _by_suit(card: Card) -> tuple[int, int]:
    return VALUES.get(card.rank, ACE_HIGH), SUITS.index(card.suit) if card.suit in SUITS else 0


@cache
def _course(crazy: bool, kills: bool) -> tuple[Step, ...]:
    discard = ThirdCard(KEPT, kills=kills)
    flop = (Burning(1), Boarding(3, "flop"), Betting(1))
    first = (*flop, discard) if crazy else (discard, *flop)
    late = (
        Burning(2), Boarding(4, "turn"), Betting(2), Burning(3), Boarding(5, "river"), Betting(3)
    )  # fmt: skip
    return (Posting(), DealEach(HOLE), Betting(0), *first, *late, Showdown())
