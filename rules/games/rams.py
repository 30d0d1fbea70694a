"""Rams: a player must win one of five tricks, and may sit out instead if the pot is worth it.

Every dealer antes five counters. Each player and a widow get five cards of thirty-two, and the next
card is turned up for trumps. In turn each plays, exchanges the whole hand for the widow unseen (one
player only), sits out (only if more than five are in the pot), or declares Rams: all five tricks,
against everybody: then nobody sits out, and a pass only leaves the widow. Suit must be followed and
headed if possible; those who cannot follow must trump, and overtrump if possible. Each trick takes
a fifth of the pot; a player without tricks pays five into it. Rams won takes the pot and five from
everybody; the first trick lost ends it, doubles the pot and pays five to everybody. If all sit out
before the dealer, the player at the dealer's right pays the dealer five; if one is left, the dealer
must play and may exchange a card for the turn-up.

A hand's record (the dealer at seat 1; seat 3 takes the widow)::

    [Game "rams"]
    [Seats "3"]
    [Dealer "1"]

    1 ante
    deal 2 ?? ?? ?? ?? ??
    deal 3 ?? ?? ?? ?? ??
    deal 1 ?? ?? ?? ?? ??
    deal widow ?? ?? ?? ?? ??
    deal board 9H
    2 bid play
    3 draw widow ?? ?? ?? ?? ??
    1 bid play
    2 play AS
    3 play TS
    1 play 7H
    gather

Verbs: ``ante``, ``deal``, ``bid play``, ``bid rams``, ``draw widow`` (the old hand leaves the
play), ``pass`` (sit out; for the dealer also: leave the turn-up), ``discard`` and ``draw board``
(the dealer's exchange), ``play CARD``, ``gather``, ``clear``.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

from rules.acts import Act, Verb
from rules.cards import Deck, Suit
from rules.dealing import Batch, dealing, next_batch, rounds
from rules.errors import ActError
from rules.frozen import replace
from rules.game import house_rule
from rules.phrases import Phrase
from rules.scoring import pay_counters
from rules.settlement import POT
from rules.spots import GONE, Face, Move, Shape, Spot, Trace
from rules.start import Level, Start
from rules.tricks.play import TrickGame, TrickState, trick_spots
from rules.tricks.trick import Duties, Order
from rules.turn import Awaited, Turn, anteing
from rules.verifying import need_seat

DECK = Deck.short("7")
HAND = TRICKS = 5
WIDOW, BOARD = "widow", "board"
UNIT = 5
"""Counters for the ante, for no trick, and from or to each opponent in Rams."""
PLAY, RAMS, OUT = "play", "rams", "out"


@dataclass(frozen=True, kw_only=True)
class RamsState(TrickState):
    """State of a hand of Rams."""

    anted: bool = False
    bids: tuple[tuple[int, str], ...] = ()
    """Who plays, declared Rams or sits out, in the order in which they said so."""
    exchanged: bool = False
    """Whether the dealer has finished with the turn-up."""

    @property
    def pot(self) -> int | None:
        """The chips in the pot now; None if amounts are not tracked."""
        if self.start.level is not Level.AMOUNTS:
            return None
        paid = sum(p.amount or 0 for p in self.payments if p.payee == POT)
        taken = sum(p.amount or 0 for p in self.payments if p.payer == POT)
        return self.carried + paid - taken

    def bid(self, seat: int) -> str | None:
        """What `seat` has bid."""
        return dict(self.bids).get(seat)

    @property
    def declarer(self) -> int | None:
        """The seat that has declared Rams."""
        return next((seat for seat, word in self.bids if word == RAMS), None)

    @property
    def staying(self) -> tuple[int, ...]:
        """Who plays this hand, as far as it is known; with Rams, everybody."""
        if self.declarer is not None:
            return self.order
        return tuple(seat for seat in self.order if self.bid(seat) == PLAY)

    @property
    def lone(self) -> bool:
        """Whether all players before the dealer sit out."""
        return all(self.bid(seat) == OUT for seat in self.order[:-1])


@dataclass(frozen=True)
class Rams(TrickGame[RamsState]):
    """Rams with its house rules.

    >>> [rule.text for rule in Rams().house_rules()]
    ['no', 'one', 'yes', 'left']
    """

    name: ClassVar[str] = "rams"
    players: ClassVar[range] = range(3, 6)
    dealt: ClassVar[bool] = True
    vocabulary: ClassVar[frozenset[Verb]] = frozenset(
        {Verb.ANTE, Verb.DEAL, Verb.BID, Verb.PASS, Verb.DRAW, Verb.DISCARD}
        | {Verb.PLAY, Verb.GATHER}
    )
    duties: ClassVar[Duties] = Duties(Order("AKQJT987"), heads=True, heads_trumps=True, trumps=True)

    first_dealer_only: bool = house_rule(
        False, "Only the first dealer antes, and any dealer who finds the pot empty."
    )
    turn_up: str = house_rule(
        "one",
        "The dealer may take the turn-up if only one other plays, or always.",
        choices=("one", "always"),
    )
    widow_after_rams: bool = house_rule(True, "The widow may still be taken after Rams.")
    rams_leads: str = house_rule(
        "left",
        "In Rams, the player at the dealer's left leads, or the declarer.",
        choices=("left", "declarer"),
    )

    def deck(self, start: Start) -> Deck:
        """Thirty-two cards, from sevens to aces."""
        return DECK

    def spots(self, start: Start) -> tuple[Spot, ...]:
        """Hands, tricks and piles of tricks; the widow and the turn-up."""
        return (
            *trick_spots(start.seats, HAND, piles=start.seats, limit=HAND + 1),
            Spot(WIDOW, capacity=HAND, shape=Shape.PILE, face=Face.DOWN),
            Spot(BOARD, shape=Shape.SINGLE),
        )

    def open(self, start: Start) -> RamsState:
        """Start before the ante, or before the deal if none is due."""
        self.check_start(start)
        anted = self.first_dealer_only and start.pot > 0
        return RamsState(game=self, start=start, limits=start.limits, anted=anted)

    def opener(self, state: RamsState) -> int:
        """The first player at the dealer's left, or the one who declared Rams."""
        if self.rams_leads == "declarer" and state.declarer is not None:
            return state.declarer
        return next(iter(state.staying), state.dealer)

    def taking_part(self, state: RamsState) -> tuple[int, ...]:
        """Everybody who did not sit out."""
        return state.staying

    def bidder(self, state: RamsState) -> int | None:
        """The seat that is to bid; after Rams only while the widow may still be taken."""
        led = state.declarer is not None and (state.trick or state.tricks)
        if state.lone or led:
            return None
        seat = next((seat for seat in state.order if state.bid(seat) is None), None)
        widow = self.widow_after_rams and bool(state.table.at(WIDOW))
        return seat if state.declarer is None or widow else None

    def phase(self, state: RamsState) -> str:
        """Ante, dealing, bidding, turn-up, playing, gathering or paid."""
        if state.settled:
            return "paid"
        if not state.anted and not self._pot_unknown(state):
            return "ante"
        if not state.dealt:
            return "dealing"
        if self.bidder(state) is not None:
            return "bidding"
        if self._may_exchange(state):
            return "turn-up"
        return "gathering" if state.lying else "playing"

    def turn(self, state: RamsState) -> Turn:
        """What is awaited in each phase."""
        match self.phase(state):
            case "paid":
                return self.ending(state)
            case "ante":
                return _anteing(state)
            case "dealing":
                turn = dealing(state, _batches(state))
                return (
                    turn
                    if state.anted
                    else replace(turn, also=(*turn.also, *_anteing(state).awaited))
                )
            case "bidding":
                seat = self.bidder(state)
                assert seat is not None
                return Turn(tuple(_bidding(state, seat)), tuple(self._led(state)))
            case "turn-up":
                return Turn(tuple(_exchange(state)))
        return self.playing(state)

    def _pot_unknown(self, state: RamsState) -> bool:
        """Whether only the table can tell if this dealer owes an ante to an empty pot."""
        return self.first_dealer_only and state.pot is None and state.start.hand > 1

    def _led(self, state: RamsState) -> Iterator[Awaited]:
        """After Rams the first card may be led before anybody has asked for the widow."""
        if state.declarer is not None:
            yield from (replace(one, required=False) for one in self.playing(state))

    def _may_exchange(self, state: RamsState) -> bool:
        """Whether the dealer may take the turn-up, or has discarded for it."""
        if state.exchanged or state.dealer not in state.staying:
            return False
        if len(state.hand(state.dealer)) > HAND:
            return True
        if not state.table.at(BOARD) or state.trick or state.tricks:
            return False
        two = state.declarer is None and len(state.staying) == 2
        return self.turn_up == "always" or two

    def verify(self, state: RamsState, act: Act) -> None:
        """The turn-up shows its suit; a bid is play or Rams."""
        super().verify(state, act)
        turned_up = act.verb is Verb.DEAL and act.spot == BOARD and not act.down
        if turned_up and not all(card.known for card in act.cards):
            raise ActError(f"'{act}': the turn-up fixes trumps; expected a card such as QS")
        need_seat(act, Verb.BID, Verb.ANTE)
        if act.verb is Verb.BID and act.words not in ((PLAY,), (RAMS,)):
            raise ActError(f"'{act}': expected {PLAY} or {RAMS} as a bid")

    def anteing(self, state: RamsState) -> tuple[int, ...]:
        """Nobody: only the dealer antes, and is asked to."""
        return ()

    def trace(self, state: RamsState, act: Act) -> Trace:
        """Taking the widow sets the old hand aside unseen; the turn-up goes into the hand."""
        trace = super().trace(state, act)
        if act.verb is not Verb.DRAW or act.seat is None:
            return trace
        if act.spot == BOARD:  # everybody has seen it, but nobody sees it in the hand
            return tuple(replace(move, up=False) for move in trace)
        old = (Move(card, str(act.seat), GONE, False) for card in state.hand(act.seat))
        return (*old, *trace)

    def effect(self, state: RamsState, act: Act) -> RamsState:
        """Apply the act's consequences."""
        after = self.when_full(self._done(state, act))
        if not after.dealt:
            after = replace(after, dealt=next_batch(after, _batches(after)) is None)
        return after

    def _done(self, state: RamsState, act: Act) -> RamsState:
        match act.verb:
            case Verb.ANTE if not state.anted and act.seat is not None:
                amount = act.amount or UNIT
                return replace(pay_counters(state, act.seat, POT, amount, "rams.ante"), anted=True)
            case Verb.DEAL if act.spot == BOARD and not act.down and state.trump is None:
                return replace(state, trump=Suit(act.card.suit))
            case Verb.BID if act.seat is not None:
                return _said(state, act.seat, act.words[0])
            case Verb.DRAW if act.spot == WIDOW and act.seat is not None:
                return _said(state, act.seat, PLAY)
            case Verb.DRAW | Verb.DISCARD if state.dealt and not state.table.at(BOARD):
                return replace(state, exchanged=len(state.hand(state.dealer)) <= HAND)
            case Verb.PASS if state.dealt and self.bidder(state) is None:
                return replace(state, exchanged=state.exchanged or act.seat == state.dealer)
            case Verb.PASS if act.seat is not None:
                return _said(state, act.seat, OUT if state.declarer is None else PLAY)
        return self.took_place(state, act)

    def concluded(self, state: RamsState) -> RamsState:
        """Settle as soon as the outcome is known."""
        if state.settled or not state.dealt:
            return state
        if state.lone:
            right = state.order[-2]
            lone = pay_counters(state, right, state.dealer, UNIT, "rams.lone")
            return replace(lone.call("rams.lone", seat=right), settled=True)
        if self.phase(state) not in ("playing", "gathering"):
            return state
        if state.declarer is None:
            return _shared(state) if self.played_out(state) else state
        lost = any(winner != state.declarer for winner in state.winners)
        return _rams(state, state.declarer, lost) if lost or self.played_out(state) else state

    def follow(self, state: RamsState) -> Start:
        """Pass the deal to the left."""
        start = super().follow(state)
        if state.void:
            return start
        return replace(start, dealer=start.after(state.dealer))


def _batches(state: RamsState) -> tuple[Batch, ...]:
    return (
        *rounds(state.order, HAND),
        Batch(WIDOW, HAND, says=Phrase("rams.turn.widow")),
        Batch(BOARD, 1, down=False, says=Phrase("rams.turn.turn-up")),
    )


def _anteing(state: RamsState) -> Turn:
    says = Phrase.of("rams.turn.ante", seat=state.dealer, count=UNIT)
    return anteing(UNIT, says, (state.dealer,))


def _bidding(state: RamsState, seat: int) -> Iterator[Awaited]:
    """What `seat` may bid; a dealer left with one other player may not sit out."""
    says = Phrase.of("rams.turn.bid", seat=seat)
    rams = state.declarer is None
    yield Awaited(Verb.BID, says, (seat,), words=((PLAY,), (RAMS,)) if rams else ((PLAY,),))
    widow = state.table.cards(WIDOW)
    if widow:
        yield Awaited(
            Verb.DRAW,
            Phrase.of("rams.turn.take-widow", seat=seat),
            (seat,),
            spots=(WIDOW,),
            pick=len(widow),
            among=widow,
            down=True,
            required=False,
        )
    worth = state.pot is None or state.pot > UNIT
    bound = seat == state.dealer and len(state.staying) == 1
    if (rams and worth and not bound) or not rams:
        yield Awaited(Verb.PASS, Phrase.of("rams.turn.pass", seat=seat), (seat,), required=False)


def _exchange(state: RamsState) -> Iterator[Awaited]:
    """The dealer discards a card and takes the turn-up, or leaves it."""
    seat, hand, board = state.dealer, state.hand(state.dealer), state.table.cards(BOARD)
    says = Phrase.of("rams.turn.exchange", seat=seat, cards=board)
    draw = Awaited(Verb.DRAW, says, (seat,), spots=(BOARD,), pick=1, among=board, required=False)
    discard = Awaited(Verb.DISCARD, says, (seat,), pick=1, among=hand, down=True, required=False)
    if len(hand) != HAND:
        yield replace(draw if len(hand) < HAND else discard, required=True)
        return
    yield Awaited(Verb.PASS, says, (seat,))
    yield from (discard, draw)


def _said(state: RamsState, seat: int, word: str) -> RamsState:
    """Note a first bid on this hand; a second one changes nothing."""
    if state.bid(seat) is not None or not state.dealt:
        return state
    after = replace(state, bids=(*state.bids, (seat, word)))
    return after.call("rams.declared", seat=seat) if word == RAMS else after


def _shared(state: RamsState) -> RamsState:
    """Pay a fifth of the pot for each trick; players with none pay into the next pot."""
    after, pot = state, state.pot or 0
    for seat in state.staying:
        won = state.won(seat)
        if won:
            share = Fraction(won, TRICKS)
            after = pay_counters(after, POT, seat, pot * won // TRICKS, "rams.tricks", rate=share)
    for seat in state.staying:
        if not state.won(seat):
            after = pay_counters(after, seat, POT, UNIT, "rams.none")
    return replace(after, settled=True)


def _rams(state: RamsState, declarer: int, lost: bool) -> RamsState:
    """The declarer doubles the pot and pays all others, or takes it and is paid by them."""
    after, pot = state, state.pot or 0
    if lost:
        after = pay_counters(after, declarer, POT, pot, "rams.doubled", rate=Fraction(1))
    else:
        after = pay_counters(after, POT, declarer, pot, "rams.pot", rate=Fraction(1))
    for seat in state.order:
        if seat != declarer and lost:
            after = pay_counters(after, declarer, seat, UNIT, "rams.lost")
        elif seat != declarer:
            after = pay_counters(after, seat, declarer, UNIT, "rams.won")
    word = "rams.failed" if lost else "rams.made"
    return replace(after.call(word, seat=declarer), settled=True)
