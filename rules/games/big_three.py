"""Big Three: one against two, racing to play all their cards; the three is the highest card.

Three players draw sixteen of fifty-two cards each; the other four are the widow. Whoever holds the
four of hearts, or the lowest heart, opens with a bid of one to three; in turn others bid more or
drop out, until someone bids three or two have dropped out. The highest bidder plays alone and takes
the widow. The opener leads any combination: a card, a pair, three or four of a kind, a straight of
three or more, or a run of three or more pairs, trips or quads; aces, twos and threes are in no run.
The others play a higher one of the same kind and length or pass, which is not final. After two
passes in a row the third player leads anything. The hand ends as soon as one player has no cards
left: the lone player gets the bid from both, or pays it to both.

A hand's record (the dealer at seat 1; seat 2 opens, seat 3 plays alone)::

    [Game "big-three"]
    [Seats "3"]
    [Dealer "1"]

    deal 1 ?? ?? ?? ?? ?? ?? ?? ?? ?? ?? ?? ?? ?? ?? ?? ??
    deal 2 ?? ?? ?? ?? ?? ?? ?? ?? ?? ?? ?? ?? ?? ?? ?? ??
    deal 3 ?? ?? ?? ?? ?? ?? ?? ?? ?? ?? ?? ?? ?? ?? ?? ??
    deal widow ?? ?? ?? ??
    2 bid 1
    3 bid 2
    1 pass
    2 pass
    3 draw widow ?? ?? ?? ??
    2 play 4H 5S 6D
    3 play TH JS QD
    1 pass
    2 pass
    gather
    3 play 5H 5D

Verbs: ``deal``, ``bid NUMBER``, ``pass``, ``draw widow``, ``play CARD…``, ``gather`` (the cards
played are set aside before a fresh lead), ``clear``.
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
from rules.game import Game, house_rule
from rules.phrases import Phrase
from rules.scoring import pay_counters
from rules.spots import GONE, Face, Move, Shape, Spot, Trace
from rules.start import Direction, Start
from rules.state import CLEARING, State
from rules.tricks.climbing import RANKS, Combination, combination, plays
from rules.tricks.play import hand_spot, verify_play
from rules.turn import Awaited, Turn
from rules.verifying import need_cards, need_seat

DECK = Deck.standard()
HAND, WIDOW_CARDS = 16, 4
WIDOW, PLAYED = "widow", "played"
BID_MOST = 3
DIG_THREES = 3
"""Number of threes that forbids dropping out, if the house rules say so."""
PASSED = 0
"""In place of a bid: dropped out."""
OPENING, DIG = "big.opening", "big.must-bid"


@dataclass(frozen=True, kw_only=True)
class BigThreeState(State):
    """State of a hand of Big Three."""

    dealt: bool = False
    bids: tuple[tuple[int, int, int], ...] = ()
    """Seat, bid (or `PASSED`) and act, in order."""
    played: tuple[tuple[int, Card], ...] = ()
    """Every card played, with the seat that played it."""
    speaker: int | None = None
    """The seat that played or passed last."""
    best: Combination | None = None
    """The combination to beat; None before a lead."""
    leading: int | None = None
    """The seat that played `best`."""
    passes: int = 0
    """Passes in a row."""
    winner: int | None = None

    @property
    def way(self) -> Direction:
        """The direction of play."""
        return self.game.direction

    @property
    def opener(self) -> int | None:
        """The seat that bid first, and leads first."""
        return next((seat for seat, bid, _ in self.bids if bid != PASSED), None)

    @property
    def bid(self) -> int:
        """The highest bid so far."""
        return max((bid for _, bid, _ in self.bids), default=PASSED)

    @property
    def out(self) -> frozenset[int]:
        """The seats that have dropped out of the bidding."""
        return frozenset(seat for seat, bid, _ in self.bids if bid == PASSED)

    @property
    def bidding_over(self) -> bool:
        """Whether somebody plays alone, or nobody can any more."""
        return (
            self.bid >= BID_MOST
            or (self.opener is not None and len(self.out) >= 2)
            or (len(self.out) == len(self.start.seats))
        )

    @property
    def solo(self) -> int | None:
        """The seat that plays alone."""
        high = (seat for seat, bid, _ in self.bids if bid == self.bid != PASSED)
        return next(high, None) if self.bidding_over else None

    @property
    def bidder(self) -> int | None:
        """The seat that bids next; None before the opening bid, which the low heart decides."""
        if self.opener is None:
            return None
        ring = self.start.following(self.bids[-1][0], self.way)
        return next((seat for seat in ring if seat not in self.out), None)

    @property
    def player(self) -> int:
        """The seat that plays or passes next."""
        if self.speaker is None:
            return self.opener or self.dealer
        return self.start.after(self.speaker, self.way)

    @property
    def lying(self) -> bool:
        """Whether played cards are still on the table."""
        return any(self.table.at(f"{seat}.{PLAYED}") for seat in self.start.seats)


@dataclass(frozen=True)
class BigThree(Game[BigThreeState]):
    """Big Three with its house rules.

    >>> BigThree(direction="right").direction.name
    'RIGHT'
    """

    name: ClassVar[str] = "big-three"
    also: ClassVar[tuple[str, ...]] = ("dig-a-hole",)
    players: ClassVar[range] = range(3, 4)
    dealt: ClassVar[bool] = True
    vocabulary: ClassVar[frozenset[Verb]] = frozenset(
        {Verb.DEAL, Verb.BID, Verb.PASS, Verb.DRAW, Verb.PLAY, Verb.GATHER}
    )

    direction: Direction = house_rule(  # type: ignore[misc]  # noqa: RUF009
        Direction.LEFT, "Bids and play go to the left, or to the right.", choices=tuple(Direction)
    )
    open_widow: bool = house_rule(False, "The lone player shows the widow before taking it.")
    must_bid: bool = house_rule(False, "A player with three or four threes may not drop out.")

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "direction", Direction(self.direction))

    def deck(self, start: Start) -> Deck:
        """A whole pack."""
        return DECK

    def spots(self, start: Start) -> tuple[Spot, ...]:
        """Hands, each player's played cards, and the widow."""
        count = HAND + WIDOW_CARDS
        hands = (hand_spot(seat, count) for seat in start.seats)
        played = (Spot(PLAYED, owner=s, capacity=count, shape=Shape.FAN) for s in start.seats)
        widow = Spot(WIDOW, capacity=WIDOW_CARDS, shape=Shape.PILE, face=Face.DOWN)
        return (*hands, *played, widow)

    def open(self, start: Start) -> BigThreeState:
        """Start before anybody has drawn cards."""
        self.check_start(start)
        return BigThreeState(game=self, start=start, limits=start.limits)

    def phase(self, state: BigThreeState) -> str:
        """Dealing, bidding, widow, playing or paid."""
        if state.winner is not None or (state.bidding_over and state.solo is None):
            return "paid"
        if not state.dealt:
            return "dealing"
        if not state.bidding_over:
            return "bidding"
        return "widow" if state.table.at(WIDOW) else "playing"

    def turn(self, state: BigThreeState) -> Turn:
        """What is awaited in each phase."""
        match self.phase(state):
            case "paid":
                return Turn((CLEARING,))
            case "dealing":
                return dealing(state, _batches(state))
            case "bidding":
                return Turn(tuple(_bidding(state)))
            case "widow":
                return Turn((_widow(state, down=not self.open_widow),))
        return Turn(tuple(_playing(state)))

    def facts(self, state: BigThreeState) -> Iterator[Phrase]:
        """The highest bid, and who plays alone."""
        yield from super().facts(state)
        if state.solo is not None:
            yield Phrase.of("facts.alone", seat=state.solo, count=state.bid)
        elif state.bid:
            seat = next(seat for seat, bid, _ in state.bids if bid == state.bid)
            yield Phrase.of("facts.bid", seat=seat, bid=str(state.bid))

    def verify(self, state: BigThreeState, act: Act) -> None:
        """Cards are played face up; bids, passes and the widow have a seat."""
        need_seat(act, Verb.BID, Verb.PASS, Verb.DRAW)
        need_cards(act, Verb.DRAW)
        if act.verb is Verb.PLAY:
            verify_play(act)
        elif act.verb is Verb.BID and (len(act.numbers) != 1 or act.words):
            raise ActError(f"'{act}': expected one number as a bid")
        elif act.verb is Verb.GATHER and not state.lying:
            raise ActError(f"'{act}': no played cards are on the table")

    def route(self, state: BigThreeState, act: Act) -> tuple[str, str]:
        """Played cards go in front of the player, the widow to the lone player's hand."""
        if act.verb is Verb.PLAY:
            return str(act.seat), f"{act.seat}.{PLAYED}"
        if act.verb is Verb.DRAW and act.spot is not None:
            return act.spot, str(act.seat)
        return super().route(state, act)

    def trace(self, state: BigThreeState, act: Act) -> Trace:
        """Played cards are set aside before a fresh lead."""
        if act.verb is not Verb.GATHER:
            return super().trace(state, act)
        spots = (f"{seat}.{PLAYED}" for seat in state.start.seats)
        return tuple(Move(c, spot, GONE) for spot in spots for c in state.table.cards(spot))

    def effect(self, state: BigThreeState, act: Act) -> BigThreeState:
        """Apply the act's consequences."""
        after = self._done(state, act)
        if not after.dealt:
            after = replace(after, dealt=next_batch(after, _batches(after)) is None)
        return after

    def concluded(self, state: BigThreeState) -> BigThreeState:
        """Settle as soon as a player is out of cards."""
        out = next((seat for seat in state.start.seats if not state.hand(seat)), None)
        if not state.dealt or state.solo is None or state.winner is not None or out is None:
            return state
        return _settled(replace(state, winner=out), state.solo)

    def _done(self, state: BigThreeState, act: Act) -> BigThreeState:
        match act.verb:
            case Verb.BID if act.seat is not None:
                return _bid(state, act.seat, act.numbers[0])
            case Verb.PASS if act.seat is not None and not state.bidding_over:
                return _bid(state, act.seat, PASSED)
            case Verb.PASS if act.seat is not None:
                return _passed(state, act.seat) if act.seat == state.player else state
            case Verb.PLAY if act.seat is not None:
                return self._exposed(_played(state, act.seat, act.cards), act.seat)
        return state

    def conceals(self, state: BigThreeState, act: Act) -> str | None:
        """Whether others hold a lower heart out of sight, or the player too many threes to pass."""
        if state.bidding_over or act.seat is None:
            return None
        if act.verb is Verb.BID and state.opener is None:
            hearts = {seat: _lowest_heart(state.hand(seat)) for seat in state.start.seats}
            return OPENING if hearts[act.seat] != min(hearts.values()) else None
        threes = sum(card.rank is Rank.THREE for card in state.hand(act.seat))
        forced = self.must_bid and act.verb is Verb.PASS and threes >= DIG_THREES
        return DIG if forced else None

    def _exposed(self, state: BigThreeState, seat: int) -> BigThreeState:
        """Flag what the cards played by `seat` prove about the bidding, the widow's cards aside."""
        if seat == state.solo or state.opener is None:
            return state
        accused = {violation.rule for violation in state.violations}
        own = [card for other, card in state.played if other == seat]
        lower = _lower_hearts(state, own)
        if OPENING not in accused and seat != state.opener and lower is not None and not lower:
            heart = min((card for card in own if card.suit is Suit.HEARTS), key=_place)
            opening = next(act for _, bid, act in state.bids if bid != PASSED)
            state = state.flag(OPENING, since=opening, seat=state.opener, cards=(heart,))
        threes = tuple(card for card in own if card.rank is Rank.THREE)
        dropped = next((act for s, bid, act in state.bids if s == seat and bid == PASSED), None)
        if self.must_bid and dropped and len(threes) == DIG_THREES and DIG not in accused:
            state = state.flag(DIG, since=dropped, seat=seat, cards=threes)
        return state

    def follow(self, state: BigThreeState) -> Start:
        """Let the winner of the hand deal the next."""
        start = super().follow(state)
        return start if state.void or state.winner is None else replace(start, dealer=state.winner)


def _place(card: Card) -> int:
    return RANKS.find(str(card.rank))


def _lowest_heart(cards: tuple[Card, ...]) -> int:
    """The place of the lowest heart; beyond all ranks if there is none."""
    return min((_place(card) for card in cards if card.suit is Suit.HEARTS), default=len(RANKS))


def _lower_hearts(state: BigThreeState, own: list[Card]) -> list[int] | None:
    """Where the opener may hold hearts below the lowest of `own`; None if `own` has no heart."""
    lowest = _lowest_heart(tuple(own))
    if lowest == len(RANKS):
        return None
    others = {c for seat, c in state.played if seat != state.opener and c.suit is Suit.HEARTS}
    taken = {_place(card) for card in others}
    return [place for place in range(lowest) if place not in taken]


def _batches(state: BigThreeState) -> tuple[Batch, ...]:
    order = (state.dealer, *state.start.following(state.dealer, state.way))
    return (
        *rounds(order, HAND),
        Batch(WIDOW, WIDOW_CARDS, says=Phrase("big.turn.widow"), last=True),
    )


def _bidding(state: BigThreeState) -> Iterator[Awaited]:
    """The opening belongs to the lowest heart, whoever holds it; then all bid in turn."""
    if state.bidder is None:
        says = Phrase("big.turn.open")
        yield Awaited(Verb.BID, says, state.start.seats, numbers=(1, BID_MOST))
        return
    seat = state.bidder
    says = Phrase.of("big.turn.bid", seat=seat)
    yield Awaited(Verb.PASS, says, (seat,))
    yield Awaited(Verb.BID, says, (seat,), numbers=(state.bid + 1, BID_MOST), required=False)


def _widow(state: BigThreeState, *, down: bool) -> Awaited:
    assert state.solo is not None
    cards = state.table.cards(WIDOW)
    says, counts = Phrase.of("big.turn.take", seat=state.solo), (1, len(cards))
    return Awaited(Verb.DRAW, says, (state.solo,), spots=(WIDOW,), pick=len(cards), counts=counts,
                   among=cards, down=down)  # fmt: skip


def _playing(state: BigThreeState) -> Iterator[Awaited]:
    """Any combination when leading; otherwise one of the same size, or a pass."""
    seat = state.player
    hand = state.hand(seat)
    if not hand:  # cards left it some other way, and the hand cannot go on
        yield CLEARING
        return
    known = all(card.known for card in hand)
    listed = tuple(plays(hand, state.best)) if known else ()
    if state.best is not None:
        yield Awaited(Verb.PASS, Phrase.of("big.turn.beat", seat=seat), (seat,))
    says = Phrase.of("big.turn.beat" if state.best else "big.turn.lead", seat=seat)
    sizes = (state.best.size,) if state.best else range(1, len(hand) + 1)
    for size in sizes:
        handfuls = tuple(cards for cards in listed if len(cards) == size) if known else None
        yield Awaited(
            Verb.PLAY,
            says,
            (seat,),
            pick=size,
            among=hand,
            handfuls=handfuls,
            required=state.best is None,
        )
    if state.lying and state.best is None:
        yield Awaited(Verb.GATHER, Phrase("big.turn.gather"), required=False)


def _bid(state: BigThreeState, seat: int, bid: int) -> BigThreeState:
    """Note a bid or a pass; out of turn it is void, as it would skip whose turn it is."""
    if not state.dealt or state.bidding_over or seat in state.out:
        return state
    if state.bidder not in (None, seat):
        return state
    after = replace(state, bids=(*state.bids, (seat, bid, len(state.acts))))
    if after.solo is None:
        return after
    return after.call("big.alone", seat=after.solo, count=after.bid)


def _passed(state: BigThreeState, seat: int) -> BigThreeState:
    """Free the lead after two passes in a row."""
    passes = state.passes + 1
    after = replace(state, speaker=seat, passes=passes)
    if passes < 2 or state.leading is None:
        return after
    leader = state.leading
    before = state.start.following(leader, state.way)[-1]
    return replace(after, best=None, passes=0, speaker=before).call("big.free", seat=leader)


def _played(state: BigThreeState, seat: int, cards: tuple[Card, ...]) -> BigThreeState:
    """What was played is to be beaten from now on, even if it should not have been played."""
    made = combination(cards)
    played = (*state.played, *((seat, card) for card in cards))
    after = replace(state, played=played, speaker=seat, passes=0, leading=seat)
    if made is None:
        after = after.flag("big.no-combination", seat=seat, cards=cards)
    elif state.best is not None and not made.beats(state.best):
        after = after.flag("big.not-higher", seat=seat, cards=cards)
    return replace(after, best=made or state.best)


def _settled(state: BigThreeState, solo: int) -> BigThreeState:
    """Let both pay the lone player the bid, or receive it from them."""
    after = state
    for seat in state.start.seats:
        if seat == solo:
            continue
        if state.winner == solo:
            after = pay_counters(after, seat, solo, state.bid, "big.won")
        else:
            after = pay_counters(after, solo, seat, state.bid, "big.lost")
    return after.call("big.out", seat=state.winner)
