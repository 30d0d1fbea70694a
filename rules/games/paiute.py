"""Paiute: improve a hand of five by drawing, call, and everybody after you has one more turn.

All ante. Everybody gets five cards; one card is turned up, and all cards of its rank are wild; one
more starts the discards. In turn each draws from the stock or takes the top discard, and discards a
card other than the one just taken. A satisfied player calls, before or after the discard, and lays
the hand face up, with the sixth card if needed: five alike, a royal flush, a straight flush, four
and two, three and three, or (in the player's first turn only) three pairs. The seats up to the
dealer have one more turn, and may not call less. The best hand called wins the pot.

A hand's record (its beginning)::

    [Game "paiute"]
    [Seats "2"]
    [Dealer "2"]

    ante
    deal 1 (9C) (9D) (9H) (KD) (4S)
    deal 2 (QS) (JS) (7D) (6C) (3H)
    deal wild 2H
    deal discards KC
    1 draw discards KC
    1 discard 4S
    2 draw stock (QD)
    2 discard 3H
    1 draw stock (2C)
    1 call
    1 lay 1.called 9C 9D 9H KD KC 2C
    2 draw discards 3H
    2 discard 7D
    clear

Verbs: ``ante``, ``deal``, ``draw stock|discards CARD``, ``discard``, ``call``, ``lay SEAT.called
CARDS``, ``move SEAT.called SEAT`` (after a false call the cards go back), ``shuffle`` (all discards
but the top one become the new stock), ``end`` (all agree to stop: the best hand called has the pot,
which otherwise stays), ``clear``.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

from rules.acts import Act, Verb
from rules.cards import Card, Deck
from rules.dealing import lacking
from rules.errors import ActError
from rules.frozen import replace
from rules.game import Game, house_rule
from rules.phrases import Phrase
from rules.poker.calling import CALLED, WILD, CallingState, Calls, called_spot
from rules.poker.pots import split
from rules.poker.rows import hand_spot
from rules.poker.sixes import SIX
from rules.resume import discarded_unseen, evened
from rules.scoring import ante_all
from rules.settlement import POT
from rules.spots import DECK, Move, Shape, Spot, Trace
from rules.start import Level, Start
from rules.state import CLEARING
from rules.turn import Awaited, Turn, anteing
from rules.verifying import need_cards, need_place, need_seat, need_whole_cards

PACK = Deck.standard()
FIVE = 5
DISCARDS, STOCK = "discards", "stock"
DISCARDED_MOST = 45
"""Most discards: more than there ever are, even with the fewest players."""
POT_WON = "paiute.pot"
AFTER_DRAWING = frozenset({Verb.DISCARD, Verb.CALL, Verb.LAY})
"""The verbs that follow a draw in a turn."""
HIDDEN = frozenset({Verb.DRAW})
"""The verbs whose cards go into a hand, seen or not."""


@dataclass(frozen=True, kw_only=True)
class PaiuteState(CallingState):
    """State of a hand of Paiute."""

    anted: bool = False
    dealt: bool = False
    begun: bool = False
    """Whether the first discard has been turned up."""
    drew: bool = False
    taken: Card | None = None
    """The discard taken in this turn."""
    settled: bool = False


@dataclass(frozen=True)
class Paiute(Game[PaiuteState]):
    """Paiute with its house rules.

    >>> [rule.name for rule in Paiute().house_rules()]
    ['ante_chips', 'later_call', 'three_pairs', 'five_alike', 'low_aces', 'false_call']
    """

    name: ClassVar[str] = "paiute"
    players: ClassVar[range] = range(2, 6)
    vocabulary: ClassVar[frozenset[Verb]] = frozenset(
        {Verb.ANTE, Verb.DEAL, Verb.DRAW, Verb.DISCARD, Verb.CALL, Verb.LAY, Verb.SHUFFLE, Verb.END}
    )
    carries: ClassVar[frozenset[Verb]] = frozenset({Verb.SHUFFLE})

    ante_chips: int = house_rule(
        1, "What each puts in before the deal; 0 to play for fun.", least=0
    )
    later_call: str = house_rule(
        "equal",
        "A later call must be at least as good as the one before it, or better.",
        choices=("equal", "better"),
    )
    three_pairs: str = house_rule(
        "first-turn",
        "Three pairs may be called in the first turn only, or also in reply to a call.",
        choices=("first-turn", "reply"),
    )
    five_alike: str = house_rule(
        "four",
        "Five alike are four and a wild card, or any and wild ones.",
        choices=("four", "any"),
    )
    low_aces: bool = house_rule(False, "Ace to five of a suit is a straight flush.")
    false_call: str = house_rule(
        "refused", "A false call is refused, or loses the hand.", choices=("refused", "forfeits")
    )

    def deck(self, start: Start) -> Deck:
        """Fifty-two cards."""
        return PACK

    def spots(self, start: Start) -> tuple[Spot, ...]:
        """The wild card, the discards, the stock, and each seat's hand and call."""
        own = (
            spot
            for seat in start.seats
            for spot in (hand_spot(seat, SIX), Spot(CALLED, owner=seat, capacity=SIX))
        )
        discards = Spot(DISCARDS, capacity=DISCARDED_MOST, shape=Shape.PILE)
        return (Spot(WILD), discards, Spot(STOCK, shape=Shape.PILE, held=True), *own)

    def open(self, start: Start) -> PaiuteState:
        """Start with nothing dealt."""
        self.check_start(start)
        state = PaiuteState(game=self, start=start, limits=start.limits)
        free = start.level is not Level.AMOUNTS or not self.ante_chips
        return replace(state, anted=free, acting=state.order[0], first=frozenset(start.seats))

    def phase(self, state: PaiuteState) -> str:
        """Posting, dealing, wild, upcard, drawing, discarding, calling, returning or paying."""
        if state.settled:
            return "paying"
        if not state.anted:
            return "posting"
        if not state.dealt:
            return "dealing"
        if not state.table.at(WILD):
            return "wild"
        if not state.begun:
            return "upcard"
        if state.refused:
            return "returning"
        if state.called_by:
            return "calling"
        return "discarding" if state.drew else "drawing"

    def turn(self, state: PaiuteState) -> Turn:
        """What is awaited in each phase."""
        phase = self.phase(state)
        if phase == "paying":
            return Turn((CLEARING,), tuple(_late(state)))
        if phase == "posting":
            return anteing(self.ante_chips, Phrase("turn.ante"))
        late = tuple(_late(state)) if phase == "drawing" else ()
        return Turn(tuple(_TURNS[phase](state)), late)

    def verify(self, state: PaiuteState, act: Act) -> None:
        """Drawing, calling, laying and discarding need a seat; face-up cards are known."""
        need_place(act, Verb.LAY)
        need_seat(act, Verb.DRAW, Verb.DISCARD, Verb.CALL)
        need_cards(act, Verb.DRAW, Verb.DISCARD, Verb.LAY)
        if act.verb is Verb.DRAW and act.spot not in (STOCK, DISCARDS):
            raise ActError(f"'{act}': expected {STOCK} or {DISCARDS}, got {act.spot}")
        need_whole_cards(act)

    def route(self, state: PaiuteState, act: Act) -> tuple[str, str]:
        """Cards are drawn into the hand, and leave it for the discards or a call."""
        if act.verb is Verb.DRAW:
            return DECK if act.spot == STOCK else DISCARDS, str(act.seat)
        return str(act.seat), DISCARDS if act.verb is Verb.DISCARD else act.spot or ""

    def trace(self, state: PaiuteState, act: Act) -> Trace:
        """A drawn card goes into the hand unseen; a shuffle takes all discards but the top one."""
        if act.verb is Verb.SHUFFLE:
            under = state.table.cards(DISCARDS)[:-1]
            return tuple(Move(card, DISCARDS, DECK) for card in under)
        moves = super().trace(state, act)
        return tuple(replace(m, up=False) for m in moves) if act.verb in HIDDEN else moves

    def effect(self, state: PaiuteState, act: Act) -> PaiuteState:
        """Apply the act's consequences."""
        if act.verb is Verb.CALL and act.seat == state.late:
            return _called_late(state)
        if state.settled:
            return state
        if not (state.dealt and state.begun):
            dealt, begun = state.dealt or not _lacking(state), bool(state.table.at(DISCARDS))
            state = replace(state, dealt=dealt, begun=begun)
        match act.verb:
            case Verb.DEAL if act.spot == WILD:
                return state.call("paiute.wild", cards=act.cards)
            case Verb.ANTE if not state.anted:
                return ante_all(replace(state, anted=True), self.ante_chips, "paiute.ante")
            case Verb.END if state.callers:
                return self._settled(state)
            case Verb.END if state.dealt:
                return replace(state, settled=True).call("paiute.ended")
        return self._played(state, act) if act.seat in (state.acting, None) else state

    def _played(self, state: PaiuteState, act: Act) -> PaiuteState:
        """Handle an act by the player whose turn it is, or by the dealer for them."""
        match act.verb:
            case Verb.DRAW:
                taken = act.card if act.spot == DISCARDS else None
                return replace(state, drew=True, taken=taken, late=0)
            case Verb.DISCARD if state.drew:
                return self._discarded(state, act)
            case Verb.CALL if not state.called_by and state.drew:
                after = replace(state, called_by=len(state.acts))
                return after.call("paiute.calls", seat=state.acting)
            case Verb.LAY if state.called_by and not state.hand(state.acting):
                return self._judged(state)
            case Verb.MOVE if state.refused and not state.called(state.acting):
                kept = replace(state, refused=False, called_by=0)
                return kept if len(state.hand(state.acting)) > FIVE else self._next(kept)
        return state

    def _discarded(self, state: PaiuteState, act: Act) -> PaiuteState:
        if state.taken in act.cards:
            state = state.flag("paiute.same-card", seat=act.seat, cards=act.cards)
        if state.called_by:
            return state
        first = state.acting in state.first
        return replace(self._next(state), late=state.acting, late_first=first)

    def resumed(self, state: PaiuteState, seat: int | None) -> PaiuteState:
        """The cards show how far the deal has come; the next player may be named."""
        begun = state.begun or bool(state.table.at(DISCARDS))
        after = replace(state, dealt=begun or not _lacking(state), begun=begun)
        if not begun or after.settled:
            return after
        if seat is not None and seat not in after.out:
            table = discarded_unseen(after.table, after.acting) if after.drew else after.table
            after = replace(after, table=table, acting=seat, drew=False, taken=None, called_by=0,
                            refused=False, late=0)  # fmt: skip
        return replace(after, table=evened(after.table, dict(_held(after))))

    def slip(self, state: PaiuteState, act: Act, fault: str) -> str:
        """A player who has not drawn or has already drawn, or who calls after the next draw."""
        phase = self.phase(state)
        if act.seat == state.acting and phase == "drawing" and act.verb in AFTER_DRAWING:
            return "paiute.draw-first"
        if act.seat == state.acting and phase == "discarding" and act.verb is Verb.DRAW:
            return "paiute.drawn"
        others = state.dealt and act.seat not in (state.acting, *state.first)
        return "paiute.late-call" if act.verb is Verb.CALL and others else fault

    def conceals(self, state: PaiuteState, act: Act) -> str | None:
        """Whether the card just taken is discarded, or a call is false with any discard."""
        if act.verb is Verb.DISCARD and state.taken in act.cards:
            return "paiute.same-card"
        if act.verb is Verb.CALL or (act.verb is Verb.DISCARD and state.called_by):
            seat = act.seat or state.acting
            hand = tuple(card for card in state.hand(seat) if card not in act.cards)
            return None if self.calls.best(state, hand, seat) else "paiute.false-call"
        return None

    # Calls.

    @property
    def calls(self) -> Calls:
        """What may be called by these house rules."""
        return Calls(
            any_five=self.five_alike == "any",
            low_aces=self.low_aces,
            in_reply=self.three_pairs == "reply",
            equal=self.later_call == "equal",
        )

    def _judged(self, state: PaiuteState) -> PaiuteState:
        """Judge a hand called, once it is face up: it counts, or the call is refused."""
        seat, cards = state.acting, state.called(state.acting)
        made = self.calls.best(state, cards, seat)
        if made is not None:
            after = state.call(f"paiute.{made.kind.slug}", seat=seat, cards=cards)
            return self._next(replace(after, callers=(*state.callers, (seat, made))))
        after = state.flag("paiute.false-call", since=state.called_by, seat=seat, cards=cards)
        if self.false_call == "forfeits":
            return self._next(replace(after, out=state.out | {seat}))
        return replace(after, refused=True)

    # Turns.

    def _next(self, state: PaiuteState) -> PaiuteState:
        """Pass the turn on; after a call the dealer's turn is the last."""
        state = replace(
            state, drew=False, taken=None, called_by=0, first=state.first - {state.acting}
        )
        place = state.order.index(state.acting)
        behind = [seat for seat in state.order[place + 1 :] if seat not in state.out]
        if not behind and state.callers:
            return self._settled(state)
        ring = behind or [seat for seat in state.order if seat not in state.out]
        if len(state.out) >= len(state.order) - 1 and not state.callers:
            return self._won(state, tuple(ring))
        return replace(state, acting=ring[0])

    def _settled(self, state: PaiuteState) -> PaiuteState:
        best = max(made for _, made in state.callers)
        winners = {seat for seat, made in state.callers if made == best}
        return self._won(state, tuple(seat for seat in state.order if seat in winners))

    def _won(self, state: PaiuteState, winners: tuple[int, ...]) -> PaiuteState:
        """Give the pot to the winners, odd chips to the first from the dealer's left."""
        parts: dict[int, int | None] = dict.fromkeys(winners)
        if state.start.level is Level.AMOUNTS and winners:
            parts = dict(split(self.pot(state), winners))
        after = replace(state, settled=True)
        for seat, part in parts.items():
            if part != 0:
                rate = Fraction(1, len(winners))
                after = after.pay(POT, seat, part, POT_WON, rate=rate, cards=state.called(seat))
        return after.call("paiute.wins", seats=winners) if winners else after

    def follow(self, state: PaiuteState) -> Start:
        """Pass the deal to the left."""
        start = super().follow(state)
        if state.void:
            return start
        return replace(start, dealer=start.after(start.dealing_seat))


def _called_late(state: PaiuteState) -> PaiuteState:
    """Give the turn back to a player who calls after the discard; nothing is settled yet."""
    seat, kept = state.late, tuple(p for p in state.payments if p.reason != POT_WON)
    first = state.first | {seat} if state.late_first else state.first
    after = replace(
        state, acting=seat, drew=True, called_by=len(state.acts), late=0, first=first,
        settled=False, payments=kept,
    )  # fmt: skip
    return after.call("paiute.calls", seat=seat)


def _late(state: PaiuteState) -> Iterator[Awaited]:
    if state.late:
        says = Phrase.of("paiute.turn.call", seat=state.late)
        yield Awaited(Verb.CALL, says, (state.late,), required=False)


def _held(state: PaiuteState) -> Iterator[tuple[int, int]]:
    """How many cards each seat still in the hand holds, of those that nobody sees."""
    for seat in state.order:
        calling = state.called_by and seat == state.acting
        if seat not in state.out and not state.called(seat) and not calling:
            yield seat, FIVE + (state.drew and seat == state.acting)


def _lacking(state: PaiuteState) -> list[int]:
    return [seat for seat in state.order if len(state.hand(seat)) < FIVE]


def _dealing(state: PaiuteState) -> Iterator[Awaited]:
    seats = _lacking(state)
    says = Phrase.of("turn.deal-each", seat=seats[0], count=FIVE)
    for spots, missing in lacking(state, map(str, seats), FIVE):
        yield Awaited(Verb.DEAL, says, spots=spots, pick=missing, counts=(1, missing), down=True)


def _wild(state: PaiuteState) -> Iterator[Awaited]:
    yield Awaited(Verb.DEAL, Phrase("paiute.turn.wild"), spots=(WILD,), pick=1)


def _upcard(state: PaiuteState) -> Iterator[Awaited]:
    yield Awaited(Verb.DEAL, Phrase("paiute.turn.upcard"), spots=(DISCARDS,), pick=1)


def _drawing(state: PaiuteState) -> Iterator[Awaited]:
    seat, top = state.acting, state.table.cards(DISCARDS)[-1:]
    says = Phrase.of("paiute.turn.draw", seat=seat)
    if state.remaining:
        yield Awaited(Verb.DRAW, says, (seat,), spots=(STOCK,), pick=1, down=True, from_deck=True)
    else:
        yield Awaited(Verb.SHUFFLE, Phrase("paiute.turn.shuffle"))
    if top:
        yield Awaited(
            Verb.DRAW, says, (seat,), spots=(DISCARDS,), pick=1, among=top, required=False
        )
    yield Awaited(Verb.END, Phrase("paiute.turn.end"), required=False)


def _discarding(state: PaiuteState) -> Iterator[Awaited]:
    seat = state.acting
    says = Phrase.of("paiute.turn.discard", seat=seat)
    yield Awaited(Verb.DISCARD, says, (seat,), pick=1, among=state.hand(seat))
    yield Awaited(Verb.CALL, says, (seat,), required=False)


def _calling(state: PaiuteState) -> Iterator[Awaited]:
    seat, hand = state.acting, state.hand(state.acting)
    says = Phrase.of("paiute.turn.lay", seat=seat)
    yield Awaited(Verb.LAY, says, (seat,), spots=(called_spot(seat),), pick=len(hand),
                  counts=(1, len(hand)), among=hand)  # fmt: skip
    if len(hand) > FIVE:
        yield Awaited(Verb.DISCARD, says, (seat,), pick=1, among=hand, required=False)


def _returning(state: PaiuteState) -> Iterator[Awaited]:
    seat, cards = state.acting, state.called(state.acting)
    says = Phrase.of("paiute.turn.return", seat=seat)
    yield Awaited(Verb.MOVE, says, spots=(called_spot(seat),), to=(str(seat),), pick=len(cards),
                  among=cards, down=True)  # fmt: skip


_TURNS = {
    "dealing": _dealing,
    "wild": _wild,
    "upcard": _upcard,
    "drawing": _drawing,
    "discarding": _discarding,
    "calling": _calling,
    "returning": _returning,
}
