"""Fipsen: bid for a number of five tricks, two bidders at a time, with many ways to double.

Twenty-five cards: sevens to aces, but of diamonds only the seven. Each of four players gets five,
two form the skat, and three are left over. A bid is a number of tricks, from two to five, doubled
by each of Hand (without the skat), Ruten (diamonds are trumps) and Durch (all tricks; five always
is). The first two bid until one passes, then the third comes in, then the dealer; the earlier
player may hold a bid, the later must raise it. Kieker, for a hand without face cards, bids 4½ and
counts as Five Durch. Without Hand the declarer exchanges with the skat, in a Kieker also with the
three left over, and names trumps; diamonds double even then. The player at the dealer's left leads,
players must follow suit, and trumps win. The declarer of a made contract ends the hand, or plays on
for all remaining tricks at double the value. A contract made scores its value, a failed one loses
twice that; a Kieker may be given up for five before play. If all pass, the same dealer deals again.

A hand's record (the dealer at seat 4; seat 2 bids three, seat 1 holds, seat 2 passes)::

    [Game "fipsen"]
    [Seats "4"]
    [Dealer "4"]

    deal 1 ?? ?? ??
    deal 2 ?? ?? ??
    deal 3 ?? ?? ??
    deal 4 ?? ?? ??
    deal skat ?? ??
    deal 1 ?? ??
    deal 2 ?? ??
    deal 3 ?? ??
    deal 4 ?? ??
    deal rest ?? ?? ??
    1 bid 2
    2 bid 3
    1 bid 3
    2 pass
    3 pass
    4 pass
    1 draw skat ?? ??
    1 discard ?? ??
    1 declare hearts
    1 play AH
    2 play 7H
    3 play KC
    4 play 8H
    gather

Verbs: ``deal``, ``bid NUMBER [hand] [ruten] [durch]`` or ``bid kieker``, ``pass``, ``draw skat``,
``draw rest``, ``discard``, ``declare SUIT`` (trumps), ``fold`` (gives a Kieker up), ``play CARD``,
``gather``, ``stand`` (ends a made hand) or ``declare durch`` (plays on), ``clear``. The header's
note ``deal`` counts the deals of a match.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from rules.acts import Act, Verb
from rules.cards import Card, Deck, Rank, Suit
from rules.dealing import Batch, dealing, next_batch, rounds
from rules.errors import ActError
from rules.frozen import replace
from rules.game import house_rule
from rules.phrases import Phrase
from rules.scoring import fresh_sheet, leaders, totals
from rules.spots import Face, Shape, Spot, Trace
from rules.start import Start
from rules.tricks.auctions import SUIT_WORDS, Duel
from rules.tricks.doubling import (
    DURCH,
    DURCH_NUMBER,
    HAND_BID,
    KIEKER,
    LEAST,
    MODIFIERS,
    RUTEN,
    ContractState,
    bid_of,
    biddable,
    reordered,
)
from rules.tricks.play import TrickGame, trick_spots
from rules.tricks.trick import Duties, Order
from rules.turn import Awaited, Turn
from rules.verifying import need_seat

SEVEN_OF_DIAMONDS = Card.parse("7D")
DECK = Deck(
    tuple(c for c in Deck.short("7") if c.suit is not Suit.DIAMONDS or c == SEVEN_OF_DIAMONDS)
)
HAND = 5
SKAT, REST = "skat", "rest"
SKAT_CARDS, REST_CARDS = 2, 3
DIAMONDS = "diamonds"
GIVEN_UP = 5
DEAL = "deal"
FALSE = "fipsen.false-kieker"


@dataclass(frozen=True, kw_only=True)
class FipsenState(ContractState):
    """State of a hand of Fipsen."""

    drawn: int = 0
    """The number of cards that the declarer has taken up."""
    ready: bool = False
    """Whether the declarer has five cards again."""

    @property
    def deal(self) -> int:
        """The number of the deal in the match, from 1."""
        return self.start.number(DEAL, 1, least=1)


@dataclass(frozen=True)
class Fipsen(TrickGame[FipsenState]):
    """Fipsen with its house rules.

    >>> [rule.text for rule in Fipsen().house_rules()]
    ['no', 'no', '8']
    """

    name: ClassVar[str] = "fipsen"
    players: ClassVar[range] = range(4, 5)
    dealt: ClassVar[bool] = True
    vocabulary: ClassVar[frozenset[Verb]] = frozenset(
        {Verb.DEAL, Verb.BID, Verb.PASS, Verb.DRAW, Verb.DISCARD, Verb.DECLARE, Verb.FOLD}
        | {Verb.PLAY, Verb.GATHER, Verb.STAND}
    )
    duties: ClassVar[Duties] = Duties(Order("AKQJT987"))
    discarding: ClassVar[str] = SKAT

    ace_is_face: bool = house_rule(False, "An ace rules out a Kieker, as face cards do.")
    kieker_ruten: bool = house_rule(False, "Diamonds as trumps double a Kieker too.")
    deals: int = house_rule(8, "How many deals a match has.", choices=range(1, 101))

    def deal_of(self, state: FipsenState) -> tuple[int, int]:
        """The number of deals set by the house rule."""
        return state.deal, self.deals

    def deck(self, start: Start) -> Deck:
        """Twenty-five cards."""
        return DECK

    def spots(self, start: Start) -> tuple[Spot, ...]:
        """Hands and tricks; the skat, which takes the discards, and the cards left over."""
        return (
            *trick_spots(start.seats, HAND + SKAT_CARDS + REST_CARDS),
            Spot(SKAT, capacity=HAND, shape=Shape.PILE, face=Face.DOWN),
            Spot(REST, capacity=REST_CARDS, shape=Shape.PILE, face=Face.DOWN),
        )

    def open(self, start: Start) -> FipsenState:
        """Start before the deal, with the first two bidders known."""
        self.check_start(start)
        start.number(DEAL, 1, least=1)
        assert start.dealer is not None
        order = (*start.following(start.dealer), start.dealer)
        return FipsenState(game=self, start=start, limits=start.limits, auction=Duel.among(order))

    def opener(self, state: FipsenState) -> int:
        """The player at the dealer's left leads."""
        return state.order[0]

    def phase(self, state: FipsenState) -> str:
        """Dealing, bidding, drawing, discarding, naming, playing, gathering, deciding, scored."""
        if state.settled:
            return "scored"
        if not state.dealt:
            return "dealing"
        if state.declarer is None:
            return "bidding"
        if not state.ready:
            return "drawing" if _stock(state) else "discarding"
        if state.trump is None:
            return "naming"
        if state.lying:
            return "gathering"
        return "deciding" if state.decides else "playing"

    def turn(self, state: FipsenState) -> Turn:
        """What is awaited in each phase."""
        match self.phase(state):
            case "scored":
                return self.ending(state)
            case "dealing":
                return dealing(state, _batches(state))
            case "bidding":
                bids = tuple(self._bidding(state))
                return Turn(bids, also=tuple(reordered(bids)))
            case "drawing":
                return Turn(tuple(_drawing(state)))
            case "discarding":
                return Turn((_discarding(state), *_giving_up(state)))
            case "naming":
                return Turn((_naming(state), *_giving_up(state)))
            case "deciding":
                return Turn(tuple(_deciding(state)))
        playing = self.playing(state)
        give_up = () if state.begun else tuple(_giving_up(state))
        return Turn(playing.awaited, give_up, also=tuple(_besides(state)))

    def _bidding(self, state: FipsenState) -> Iterator[Awaited]:
        seat = state.auction.bidder
        assert seat is not None
        says = Phrase.of("fipsen.turn.bid", seat=seat)
        yield Awaited(Verb.PASS, says, (seat,))
        yield from biddable(state.auction, seat, says)

    def facts(self, state: FipsenState) -> Iterator[Phrase]:
        """Trumps and tricks, and the contract with its player."""
        yield from super().facts(state)
        if state.bids:
            seat, bid, _ = state.bids[-1]
            words = (str(bid.number), *bid.modifiers, *((KIEKER,) if bid.kieker else ()))
            yield Phrase.of("facts.bid", seat=seat, bid=" ".join(words))

    def verify(self, state: FipsenState, act: Act) -> None:
        """A bid is a number with modifiers or a Kieker; a declaration names trumps or plays on."""
        super().verify(state, act)
        need_seat(act, Verb.BID, Verb.PASS, Verb.DECLARE, Verb.FOLD, Verb.STAND)
        if act.verb is Verb.BID and bid_of(act) is None:
            raise ActError(
                f"'{act}': expected a number from {LEAST} to {DURCH_NUMBER} with "
                f"{', '.join(MODIFIERS)} each at most once, or {KIEKER} as a bid"
            )
        if act.verb is Verb.DECLARE and act.words not in _DECLARED:
            raise ActError(f"'{act}': expected {', '.join(SUIT_WORDS)} or {DURCH}")

    def trace(self, state: FipsenState, act: Act) -> Trace:
        """Giving up a Kieker moves no cards."""
        return () if act.verb is Verb.FOLD else super().trace(state, act)

    def effect(self, state: FipsenState, act: Act) -> FipsenState:
        """Apply the act's consequences."""
        after = self.when_full(self._done(state, act))
        if not after.dealt:
            after = replace(after, dealt=next_batch(after, _batches(after)) is None)
        if after.settled:
            return after
        if after.auction.over and after.declarer is None:
            return replace(after.call("fipsen.all-passed"), settled=True)
        after = _made_ready(after)
        if act.verb is Verb.PLAY and act.seat is not None:
            after = self._exposed(after, act.seat)
        return self._ended(after)

    def _done(self, state: FipsenState, act: Act) -> FipsenState:
        match act.verb:
            case Verb.BID if act.seat and act.seat == state.auction.bidder and state.dealt:
                after = state.raised(act)
                if act.words != (KIEKER,):
                    return after
                return after.call(
                    "fipsen.kieker", seat=act.seat, seats=(state.start.after(act.seat),)
                )
            case Verb.PASS if act.seat == state.auction.bidder and state.dealt:
                return replace(state, auction=state.auction.passed())
            case Verb.DRAW if act.seat == state.declarer:
                return replace(state, drawn=state.drawn + len(act.cards))
            case Verb.DECLARE | Verb.STAND | Verb.FOLD:
                return self._said(state, act) if act.seat == state.declarer else state
        return self.took_place(state, act)

    def _said(self, state: FipsenState, act: Act) -> FipsenState:
        """What the declarer says; from anybody else these words are void."""
        assert act.seat is not None
        match act.verb:
            case Verb.DECLARE if act.words == (DURCH,):
                return replace(state, playing_on=_may_decide(state) or state.playing_on)
            case Verb.DECLARE if state.trump is None:
                return replace(state, trump=SUIT_WORDS[act.words[0]])
            case Verb.STAND if _may_decide(state):
                return _scored(self, state)
            case Verb.FOLD if state.contract.kieker and not state.begun and not state.settled:
                return _concluded(self, state.score(act.seat, -GIVEN_UP, "fipsen.given-up"))
        return state

    def _ended(self, state: FipsenState) -> FipsenState:
        """Score the hand as soon as the contract is lost, or nothing is left to play."""
        if self.phase(state) not in ("playing", "gathering", "deciding"):
            return state
        return _scored(self, state) if state.beaten or self.played_out(state) else state

    def conceals(self, state: FipsenState, act: Act) -> str | None:
        """Whether a Kieker is bid on a hand that has face cards out of sight."""
        if act.verb is not Verb.BID or act.words != (KIEKER,) or act.seat is None:
            return super().conceals(state, act)
        return FALSE if any(map(self._is_face, state.hand(act.seat))) else None

    def _is_face(self, card: Card) -> bool:
        return card.rank.court or (self.ace_is_face and card.rank is Rank.ACE)

    def _exposed(self, state: FipsenState, seat: int) -> FipsenState:
        """Flag a Kieker once its hand plays more face cards than were taken up later."""
        act = next((act for s, bid, act in state.bids if s == seat and bid.kieker), None)
        if act is None or any(v.rule == FALSE and v.since == act for v in state.violations):
            return state
        played = (p for trick in (*state.tricks, state.trick) for p in trick if p.seat == seat)
        faces = tuple(play.card for play in played if self._is_face(play.card))
        later = state.drawn if seat == state.declarer else 0
        if len(faces) <= later:
            return state
        return state.flag(FALSE, since=act, seat=seat, cards=faces)

    def follow(self, state: FipsenState) -> Start:
        """Pass the deal to the left unless all passed; after its number of deals the match ends."""
        start = super().follow(state)
        if state.void or state.declarer is None:
            return start
        after = replace(start, dealer=start.after(state.dealer)).noting(deal=str(state.deal + 1))
        return after if state.deal < self.deals else fresh_sheet(after).noting(deal="1")


_DECLARED = frozenset({*((word,) for word in SUIT_WORDS), (DURCH,)})


def _batches(state: FipsenState) -> tuple[Batch, ...]:
    first, second = rounds(state.order, HAND - SKAT_CARDS), rounds(state.order, SKAT_CARDS)
    skat = Batch(SKAT, SKAT_CARDS, says=Phrase("fipsen.turn.skat"))
    return (*first, skat, *second, Batch(REST, REST_CARDS, says=Phrase("fipsen.turn.rest")))


def _stock(state: FipsenState) -> tuple[str, ...]:
    """The spots from which the declarer still has to take up cards."""
    if state.contract.has(HAND_BID):
        return ()
    left = SKAT_CARDS + REST_CARDS if state.contract.kieker else SKAT_CARDS
    names = (SKAT, REST) if state.contract.kieker else (SKAT,)
    return tuple(name for name in names if state.table.at(name)) if state.drawn < left else ()


def _drawing(state: FipsenState) -> Iterator[Awaited]:
    """The skat, and in a Kieker the cards left over, in any order and portions."""
    seat = state.declarer
    assert seat is not None
    for place, spot in enumerate(_stock(state)):
        cards = state.table.cards(spot)
        says, counts = Phrase.of("fipsen.turn.draw", seat=seat, count=len(cards)), (1, len(cards))
        yield Awaited(Verb.DRAW, says, (seat,), spots=(spot,), pick=len(cards), counts=counts,
                      among=cards, down=True, required=place == 0)  # fmt: skip


def _discarding(state: FipsenState) -> Awaited:
    seat = state.declarer
    assert seat is not None
    hand = state.hand(seat)
    count = len(hand) - HAND
    says = Phrase.of("fipsen.turn.discard", seat=seat, count=count)
    return Awaited(Verb.DISCARD, says, (seat,), pick=count, counts=(1, count), among=hand,
                   down=True)  # fmt: skip


def _giving_up(state: FipsenState) -> Iterator[Awaited]:
    if state.contract.kieker and state.declarer is not None:
        says = Phrase.of("fipsen.turn.give-up", seat=state.declarer)
        yield Awaited(Verb.FOLD, says, (state.declarer,), required=False)


def _naming(state: FipsenState) -> Awaited:
    assert state.declarer is not None
    says = Phrase.of("fipsen.turn.name", seat=state.declarer)
    words = tuple((word,) for word in SUIT_WORDS)
    return Awaited(Verb.DECLARE, says, (state.declarer,), words=words)


def _deciding(state: FipsenState) -> Iterator[Awaited]:
    seat = state.declarer
    assert seat is not None
    says = Phrase.of("fipsen.turn.decide", seat=seat)
    yield Awaited(Verb.STAND, says, (seat,))
    yield Awaited(Verb.DECLARE, says, (seat,), words=((DURCH,),), required=False)


def _may_decide(state: FipsenState) -> bool:
    return state.declarer is not None and not state.settled and state.decides


def _besides(state: FipsenState) -> Iterator[Awaited]:
    """What may be said while the trick that made the contract is on the table; a repeated Ruten."""
    if state.lying and state.decides:
        yield from _deciding(state)
    if state.contract.has(RUTEN) and not state.begun:
        yield replace(_naming(state), words=((DIAMONDS,),))


def _made_ready(state: FipsenState) -> FipsenState:
    """Ready with five cards and none left to take up; a Ruten bid has named its trumps."""
    if state.declarer is None or state.ready or _stock(state):
        return state
    if len(state.hand(state.declarer)) > HAND:
        return state
    ruten = Suit.DIAMONDS if state.contract.has(RUTEN) else None
    return replace(state, ready=True, trump=state.trump or ruten)


def _scored(game: Fipsen, state: FipsenState) -> FipsenState:
    """Score the value of a contract made, or minus twice the value of a failed one."""
    assert state.declarer is not None
    value = state.worth(kieker_doubled=game.kieker_ruten)
    if state.made and not (state.playing_on and state.beaten):
        after = state.score(state.declarer, value, "fipsen.made")
        return _concluded(game, after.call("fipsen.made", seat=state.declarer))
    after = state.score(state.declarer, -2 * value, "fipsen.failed")
    return _concluded(game, after.call("fipsen.failed", seat=state.declarer))


def _concluded(game: Fipsen, state: FipsenState) -> FipsenState:
    after = replace(state, settled=True)
    if state.deal < game.deals:
        return after
    return after.call("fipsen.match", seats=leaders(totals(after), state.start.seats))
