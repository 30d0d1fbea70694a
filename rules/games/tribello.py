"""Tribello: three players, four phases of three deals, a contract of tricks for each.

The dealer's contract is six tricks, the left player's four, the right player's three. In the first
phase a card cut before the deal fixes trumps; in the second the dealer names them; the third and
fourth have none, and in the fourth, with contracts of three, four and six, tricks count against
their winner. A fourth hand, the widow, is dealt face down: dealer, left and right may each exchange
as many cards as it still has. The dealer leads; following suit is the only obligation. Scores sum
to zero in every deal; the highest after twelve deals wins, and a tie is shared.

A hand's record (the first deal, cut to a heart; the dealer at seat 1 exchanges one card)::

    [Game "tribello"]
    [Seats "3"]
    [Dealer "1"]

    deal cut 7H
    shuffle
    deal 2 ?? ?? ?? ?? ?? ?? ?? ?? ?? ?? ?? ?? ??
    deal 3 ?? ?? ?? ?? ?? ?? ?? ?? ?? ?? ?? ?? ??
    deal 1 ?? ?? ?? ?? ?? ?? ?? ?? ?? ?? ?? ?? ??
    deal widow ?? ?? ?? ?? ?? ?? ?? ?? ?? ?? ?? ?? ??
    1 discard ??
    1 draw widow ??
    2 pass
    3 pass
    1 play AS
    2 play 4S
    3 play 9S
    gather

Verbs: ``deal cut CARD`` (the card cut; then ``shuffle``), ``deal``, ``declare SUIT`` (the dealer's
trumps: clubs, diamonds, hearts or spades), ``discard`` and ``draw widow`` (as many as were
discarded), ``pass`` (no exchange, or no more), ``play CARD``, ``gather`` (a full trick), ``clear``.
The header's note ``deal`` counts the deals of a match, from 1 to 12.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from rules.acts import Act, Verb
from rules.cards import SUITS, Deck
from rules.dealing import Batch, dealing, next_batch, rounds
from rules.errors import ActError
from rules.frozen import replace
from rules.game import house_rule
from rules.phrases import Phrase
from rules.scoring import fresh_sheet, leaders, totals
from rules.spots import Face, Shape, Spot
from rules.start import Start
from rules.tricks.auctions import SUIT_WORDS
from rules.tricks.play import TrickGame, TrickState, trick_spots
from rules.tricks.trick import Duties
from rules.turn import Awaited, Turn

DECK = Deck.standard()
HAND = 13
CUT, WIDOW = "cut", "widow"
DEALS, DEALS_A_PHASE = 12, 3
CONTRACTS, AVOIDING = (6, 4, 3), (3, 4, 6)
"""For the dealer, the player at the left and the one at the right; the second for phase four."""
CUT_PHASE, NAMED_PHASE, AVOIDING_PHASE = 1, 2, 4
DEAL = "deal"


@dataclass(frozen=True, kw_only=True)
class TribelloState(TrickState):
    """State of a hand of Tribello."""

    exchanged: tuple[int, ...] = ()
    """The seats that have finished exchanging."""
    drawing: bool = False
    """Whether the exchanging player has begun to draw, and may discard no more."""

    @property
    def deal(self) -> int:
        """The number of the deal in the match, from 1."""
        return self.start.number(DEAL, 1, least=1, most=DEALS)

    @property
    def part(self) -> int:
        """The phase of the match, from 1 to 4."""
        return (self.deal - 1) // DEALS_A_PHASE + 1

    @property
    def order(self) -> tuple[int, ...]:
        """The dealer, the left player and the right one."""
        return (self.dealer, *self.start.following(self.dealer))

    @property
    def exchanging(self) -> int | None:
        """The seat that may exchange cards now; None once the widow is used up."""
        waiting = (seat for seat in self.order if seat not in self.exchanged)
        return next(waiting, None) if self.table.at(WIDOW) else None


@dataclass(frozen=True)
class Tribello(TrickGame[TribelloState]):
    """Tribello with its house rule.

    >>> Tribello(name_trump="after").house_rules()[0].text
    'after'
    """

    name: ClassVar[str] = "tribello"
    players: ClassVar[range] = range(3, 4)
    dealt: ClassVar[bool] = True
    vocabulary: ClassVar[frozenset[Verb]] = frozenset(
        {Verb.DEAL, Verb.SHUFFLE, Verb.DECLARE, Verb.DISCARD, Verb.DRAW, Verb.PASS}
        | {Verb.PLAY, Verb.GATHER}
    )
    duties: ClassVar[Duties] = Duties()

    name_trump: str = house_rule(
        "before",
        "In the second phase the dealer names trumps before or after the exchange.",
        choices=("before", "after"),
    )

    def deal_of(self, state: TribelloState) -> tuple[int, int]:
        """The number of this deal: three in each of the four phases."""
        return state.deal, DEALS

    def deck(self, start: Start) -> Deck:
        """A whole pack."""
        return DECK

    def spots(self, start: Start) -> tuple[Spot, ...]:
        """Hands, tricks and piles of tricks; the widow, and the card cut."""
        return (
            *trick_spots(start.seats, HAND, piles=start.seats),
            Spot(WIDOW, capacity=HAND, shape=Shape.PILE, face=Face.DOWN),
            Spot(CUT, shape=Shape.SINGLE),
        )

    def open(self, start: Start) -> TribelloState:
        """Start before the cut, or before the deal if nothing is cut."""
        self.check_start(start)
        start.number(DEAL, 1, least=1, most=DEALS)
        return TribelloState(game=self, start=start, limits=start.limits)

    def opener(self, state: TribelloState) -> int:
        """The dealer leads."""
        return state.dealer

    def phase(self, state: TribelloState) -> str:
        """Cutting, shuffling, dealing, naming, exchange, playing, gathering or scored."""
        if state.settled:
            return "scored"
        if not state.dealt:
            if state.table.at(CUT) and state.trump:
                return "shuffling"
            return "cutting" if state.part == CUT_PHASE and not state.trump else "dealing"
        unnamed = state.part == NAMED_PHASE and state.trump is None
        if unnamed and self.name_trump == "before":
            return "naming"
        if state.exchanging is not None:
            return "exchange"
        if unnamed:
            return "naming"
        return "gathering" if state.lying else "playing"

    def turn(self, state: TribelloState) -> Turn:
        """What is awaited in each phase."""
        match self.phase(state):
            case "scored":
                return self.ending(state)
            case "cutting":
                says = Phrase.of("tribello.turn.cut", seat=state.order[1])
                return Turn((Awaited(Verb.DEAL, says, spots=(CUT,), pick=1),))
            case "shuffling":
                return Turn((Awaited(Verb.SHUFFLE, Phrase("turn.shuffle")),))
            case "dealing":
                return dealing(state, _batches(state))
            case "naming":
                says = Phrase.of("tribello.turn.name", seat=state.dealer)
                words = tuple((name,) for name in SUIT_WORDS)
                return Turn((Awaited(Verb.DECLARE, says, (state.dealer,), words=words),))
            case "exchange":
                assert state.exchanging is not None
                return Turn(tuple(_exchange(state, state.exchanging)))
        return self.playing(state)

    def verify(self, state: TribelloState, act: Act) -> None:
        """A card cut must show its suit; trumps are named by suit."""
        super().verify(state, act)
        if act.verb is Verb.DEAL and act.spot == CUT and not act.down:
            for card in act.cards:
                if card.suit not in SUITS:
                    raise ActError(
                        f"'{act}': the suit counts; expected one that shows it, such as QS"
                    )
        if act.verb is Verb.DECLARE and (len(act.words) != 1 or act.words[0] not in SUIT_WORDS):
            raise ActError(f"'{act}': expected one of {', '.join(SUIT_WORDS)} as trumps")

    def effect(self, state: TribelloState, act: Act) -> TribelloState:
        """Apply the act's consequences."""
        after = self.when_full(self._done(state, act))
        if not after.dealt and (after.trump or after.part != CUT_PHASE):
            after = replace(after, dealt=next_batch(after, _batches(after)) is None)
        over = self.phase(after) in ("playing", "gathering") and self.played_out(after)
        return _scored(after) if over and not after.settled else after

    def _done(self, state: TribelloState, act: Act) -> TribelloState:
        match act.verb:
            case Verb.DEAL if act.spot == CUT and not act.down and not state.trump:
                return replace(state, trump=act.card.suit)
            case Verb.SHUFFLE:
                return _afresh(state)
            case Verb.DECLARE if state.part == NAMED_PHASE and state.trump is None:
                dealers = act.seat == state.dealer
                return replace(state, trump=SUIT_WORDS[act.words[0]]) if dealers else state
            case Verb.DRAW if act.seat and len(state.hand(act.seat)) < HAND and state.exchanging:
                return replace(state, drawing=state.drawing or act.seat == state.exchanging)
            case Verb.DRAW | Verb.PASS if act.seat is not None and act.seat == state.exchanging:
                return replace(state, exchanged=(*state.exchanged, act.seat), drawing=False)
            case Verb.DRAW if not state.table.at(WIDOW) and act.seat is not None:
                return replace(state, exchanged=(*state.exchanged, act.seat), drawing=False)
        return self.took_place(state, act)

    def follow(self, state: TribelloState) -> Start:
        """Pass the deal to the left; after twelve deals a new match begins."""
        start = super().follow(state)
        if state.void:
            return start
        after = replace(start, dealer=start.after(state.dealer)).noting(deal=str(state.deal + 1))
        return after if state.deal < DEALS else fresh_sheet(after).noting(deal="1")


def _batches(state: TribelloState) -> tuple[Batch, ...]:
    hands = rounds((*state.order[1:], state.dealer), HAND)
    return (*hands, Batch(WIDOW, HAND, says=Phrase("tribello.turn.widow")))


def _exchange(state: TribelloState, seat: int) -> Iterator[Awaited]:
    """Discard in any portions, then draw as many, which ends the exchange."""
    hand, widow = state.hand(seat), state.table.cards(WIDOW)
    owed = min(HAND - len(hand), len(widow))
    more = 0 if state.drawing else min(len(widow) - owed, len(hand))
    if more > 0:
        says, counts = Phrase.of("tribello.turn.discard", seat=seat, count=more), (1, more)
        yield Awaited(Verb.DISCARD, says, (seat,), pick=1, counts=counts, among=hand, down=True,
                      required=False)  # fmt: skip
    if owed > 0:
        says, counts = Phrase.of("tribello.turn.draw", seat=seat, count=owed), (1, owed)
        yield Awaited(Verb.DRAW, says, (seat,), spots=(WIDOW,), pick=owed, counts=counts,
                      among=widow[-owed:], down=True)  # fmt: skip
    else:
        yield Awaited(Verb.PASS, Phrase.of("tribello.turn.keep", seat=seat), (seat,))


def _afresh(state: TribelloState) -> TribelloState:
    """Start anew with all cards back in the deck; trumps fixed by a cut remain."""
    trump = state.trump if state.part == CUT_PHASE else None
    return replace(
        TribelloState(game=state.game, start=state.start, limits=state.limits),
        acts=state.acts,
        violations=state.violations,
        table=state.table,
        trump=trump,
    )


def _scored(state: TribelloState) -> TribelloState:
    """Score a point for each trick over the contract or, in the last phase, below it."""
    avoiding = state.part == AVOIDING_PHASE
    after = state
    for seat, contract in zip(state.order, AVOIDING if avoiding else CONTRACTS, strict=True):
        over = state.won(seat) - contract
        after = after.score(seat, -over if avoiding else over, "tribello.contract")
    after = replace(after, settled=True)
    if state.deal < DEALS:
        return after
    best = leaders(totals(after), state.start.seats)
    return after.call("tribello.match", seats=best)
