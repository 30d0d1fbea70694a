"""Pif Paf (Cacheta): a round of bets, then a race to have all nine cards in melds.

Two packs. All ante; nine cards each, and a round of betting from the dealer's left in which nobody
puts in more than the ante times the number of players. A player left alone wins the pot. Otherwise
each in turn draws from the stock, or takes the last discard, and discards; the first player finds
no discard. Melds stay in the hand: sequences of a suit, the ace low, and groups of a rank with
exactly three suits. When the stock is out, all the discards are turned over, unshuffled, to make a
new one. A player who can go out with the card just discarded may claim it out of turn; of several,
the next one in turn has it, and the one after if that hand was not out. A player who is out
discards and shows nine cards, all in melds, before the next player draws, takes the pot and deals
the next hand. A hand that was not out is dead, and play goes on.

The beginning of a hand's record (the dealer at seat 3; the ante is the lower limit)::

    [Game "pif-paf"]
    [Seats "3"]
    [Dealer "3"]
    [Limits "5 20"]

    ante
    deal 1 ?? ?? ?? ?? ?? ?? ?? ?? ??
    deal 2 ?? ?? ?? ?? ?? ?? ?? ?? ??
    deal 3 ?? ?? ?? ?? ?? ?? ?? ?? ??
    1 bet 5
    2 call
    3 fold
    1 draw stock ??
    1 discard QD
    2 declare claim
    2 draw discards QD
    2 discard KC
    2 show 4S 5S 6S QS QH QD 7C 8C 9C
    clear

Verbs: ``ante`` (all antes are in), ``deal``, ``check``, ``bet``, ``call``, ``raise``, ``fold``,
``close`` (if bets are not tracked), ``draw stock CARD``, ``draw discards CARD``, ``declare claim``,
``declare out`` (before the discard or after it), ``discard CARD``, ``shuffle`` (the discards are
turned over), ``show CARD…`` (the whole hand), ``move SEAT SEAT CARD`` (the claimed card goes on to
the next claim), ``clear``.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any, ClassVar

from rules.acts import Act, Verb
from rules.cards import Card, Deck
from rules.errors import ActError
from rules.frozen import replace
from rules.game import Game, house_rule
from rules.melds.arranging import MeldRules, Suits, arrange, unlinked, without
from rules.phrases import Phrase
from rules.poker.betting import Stakes
from rules.poker.pokergame import POKER, Contest, PokerGame, verify_known
from rules.poker.streets import Betting, DealOut, PokerState, Posting, Step
from rules.resume import discarded_unseen, evened
from rules.spots import Spot, Trace
from rules.start import Start
from rules.state import CLEARING
from rules.stock import (
    DISCARDS,
    OUT,
    RUMMY_VERBS,
    StockGame,
    StockState,
    known,
    packs,
    stock_spots,
)
from rules.traces import TRACES
from rules.turn import Awaited, Turn

HAND = 9
CLAIM = ("claim",)


@dataclass(frozen=True, kw_only=True)
class PifPafState(PokerState, StockState):
    """State of a hand of Pif Paf."""

    claims: tuple[int, ...] = ()
    """The seats that claim the last discard and have not had it, next in turn first."""
    claimed: Card | None = None
    """The card that somebody took out of turn."""
    holder: int | None = None
    """The seat whose dead hand holds the claimed card, while another claim to it is open."""
    out: int | None = None
    """The seat that has declared itself out and has to show."""
    said: int = 0
    """The number of that act."""
    resume: int | None = None
    """The seat whose turn it is if the player turns out not to be out."""
    winner: int | None = None

    def after_live(self, seat: int) -> int:
        """The next player after `seat` who is still in."""
        ring = self.start.following(seat, self.game.direction)
        return next((other for other in ring if other in self.live), seat)

    def finishing(self, hand: tuple[Card, ...]) -> tuple[Card, ...]:
        """The cards of a known hand that leave all others in melds when discarded."""
        if not known(hand) or len(hand) != HAND + 1:
            return ()
        if len(arrange(hand, self.rules, _one).deadwood) > 1:
            return ()
        return tuple(card for card in dict.fromkeys(hand) if self.melds(without(hand, card)))

    def arranged(self, hand: tuple[Card, ...]) -> tuple[Card, ...]:
        """A known hand in the order in which a player shows it."""
        return arrange(hand, self.rules, _one).cards

    def melds(self, hand: tuple[Card, ...]) -> bool:
        """Whether all cards of a known hand are in melds."""
        return not arrange(hand, self.rules, _one).deadwood

    @property
    def rules(self) -> MeldRules:
        """What makes a meld in this game."""
        game = self.game
        return meld_rules(isinstance(game, PifPaf) and game.high_ace)


@dataclass(frozen=True)
class Melding(Step):
    """Drawing and discarding, until somebody is out."""

    phase: ClassVar[str] = "melding"

    def begin(self, state: Any) -> Any:
        """Start with the first player at the dealer's left who is still in."""
        return replace(state, actor=state.live[0], dealt=True)

    def done(self, state: PokerState) -> bool:
        """Whether a hand in melds has been shown."""
        return isinstance(state, PifPafState) and state.winner is not None

    def turn(self, state: PokerState) -> Turn:
        """The actor's turn, a claim, or showing the hand of a player who is out."""
        assert isinstance(state, PifPafState)
        assert isinstance(state.game, PifPaf)
        return state.game.melding(state)


COURSE = (Posting(), DealOut(HAND), Betting(0), Melding())


@dataclass(frozen=True)
class PifPaf(PokerGame[PifPafState], StockGame[PifPafState]):
    """Pif Paf with its house rules.

    >>> [rule.text for rule in PifPaf().house_rules()]
    ['total', 'no', 'no']
    """

    name: ClassVar[str] = "pif-paf"
    also: ClassVar[tuple[str, ...]] = ("cacheta",)
    players: ClassVar[range] = range(3, 9)
    vocabulary: ClassVar[frozenset[Verb]] = POKER | RUMMY_VERBS | {Verb.DECLARE}
    state_type: ClassVar[type[PifPafState]] = PifPafState
    carries: ClassVar[frozenset[Verb]] = StockGame.carries | {Verb.MOVE}
    keeps_upcard: ClassVar[bool] = False
    renewal: ClassVar[str] = "turn.turn-over"

    bound: str = house_rule(
        "total",
        "The ante times the number of players is the most each may bet in all, or in one raise.",
        choices=("total", "raise"),
    )
    high_ace: bool = house_rule(False, "The ace also ranks above the king.")
    ten_out: bool = house_rule(False, "All ten cards in melds also go out, without a discard.")

    def deck(self, start: Start) -> Deck:
        """A hundred and four cards."""
        return packs(2)

    def spots(self, start: Start) -> tuple[Spot, ...]:
        """Hands, stock and discard pile."""
        return stock_spots(start.seats, HAND + 1, len(self.deck(start)))

    def course(self) -> tuple[Step, ...]:
        """Antes, cards, bets, melds."""
        return COURSE

    def ante(self, state: PifPafState) -> int:
        """The lower limit."""
        return state.limits[0] if state.limits else 1

    def _bound(self, state: PifPafState) -> int:
        return self.ante(state) * len(state.put or state.start.seats)

    def posts(self, state: PifPafState) -> tuple[dict[int, int], dict[int, int]]:
        """All ante."""
        return dict.fromkeys(state.live, self.ante(state)), {}

    def stakes(self, state: PifPafState, number: int) -> Stakes:
        """From the ante up to the bound, which limits each player's total or only each raise."""
        bound = self._bound(state)
        total = bound if self.bound == "total" else None
        return Stakes(self.ante(state), bound, total=total)

    def contests(self, state: PifPafState) -> tuple[Contest, ...]:
        """The pot goes to the player who is out; chips outside that player's share go back."""
        worth = {seat: (int(seat == state.winner),) for seat in state.live}
        return (Contest("out", worth),)

    # Drawing, claiming and discarding.

    def melding(self, state: PifPafState) -> Turn:
        """What the table waits for after the bets."""
        if state.out is not None:
            return Turn(tuple(self._finishing(state, state.out)) or (CLEARING,))
        others = (*self._claims(state), *self._late(state))
        if state.claims:
            return Turn((self._claiming(state),), others)
        return Turn(tuple(self.playing(state)), others)

    def playing(self, state: PifPafState) -> Iterator[Awaited]:
        """Draw; then declare out or not, and discard."""
        assert state.actor is not None
        hand = state.hand(state.actor)
        if not state.drawn:
            yield from self.drawing(state, self._wanted(state, hand) if state.upcards else None)
            return
        won = (without(hand, card) for card in state.finishing(hand))
        says = Phrase.of("pif.turn.out", seat=state.actor)
        yield from self.going_out(state, state.actor, says, HAND, map(state.arranged, won))
        yield self.discarding(state, self._loose(state, hand))

    def _late(self, state: PifPafState) -> Iterator[Awaited]:
        """A player who has discarded may still be out, until the next card is drawn."""
        seat = state.discarder
        if seat is None or seat not in state.live:
            return
        hand = state.hand(seat)
        won = (state.arranged(hand),) if known(hand) and state.melds(hand) else ()
        yield from self.going_out(state, seat, Phrase.of("pif.turn.out", seat=seat), HAND, won)

    def _wanted(self, state: PifPafState, hand: tuple[Card, ...]) -> tuple[Card, ...]:
        """The upcard, if it fits into a meld."""
        if not known((*hand, *state.upcards)):
            return state.upcards
        dead = len(arrange(hand, state.rules, _one).deadwood)
        more = arrange((*hand, *state.upcards), state.rules, _one).deadwood
        return state.upcards if len(more) <= dead - (dead > 0) or not state.remaining else ()

    def _loose(self, state: PifPafState, hand: tuple[Card, ...]) -> tuple[Card, ...]:
        """The deadwood least connected to the rest of the hand."""
        if not known(hand):
            return ()
        dead = arrange(hand, state.rules, _one).deadwood
        return state.finishing(hand) or unlinked(hand, state.rules, dead)

    def _claims(self, state: PifPafState) -> Iterator[Awaited]:
        """Anyone who has not claimed the discard may do so before the next card is drawn."""
        if state.discarder is None or state.drawn or not state.upcards or state.holder:
            return
        seats = tuple(s for s in state.live if s != state.discarder and s not in state.claims)
        if seats:
            says = Phrase.of("pif.turn.claim", cards=state.upcards)
            yield Awaited(Verb.DECLARE, says, tuple(sorted(seats)), words=(CLAIM,), required=False)

    def _claiming(self, state: PifPafState) -> Awaited:
        seat = state.claims[0]
        if state.holder is not None and state.claimed is not None:
            card = (state.claimed,)
            says = Phrase.of("pif.turn.take", seat=seat, cards=card)
            return Awaited(Verb.MOVE, says, spots=(str(state.holder),), to=(str(seat),), pick=1,
                           among=card)  # fmt: skip
        says = Phrase.of("pif.turn.take", seat=seat, cards=state.upcards)
        return Awaited(Verb.DRAW, says, (seat,), spots=(DISCARDS,), pick=1, among=state.upcards)

    def _finishing(self, state: PifPafState, seat: int) -> Iterator[Awaited]:
        """The discard, and showing the hand."""
        held, hand = state.hand(seat), state.covered(seat)
        says, whole = Phrase.of("turn.show", seat=seat), len(held) <= HAND
        if not whole:
            # A player who has shown nine discards the tenth, not a duplicate of it among them.
            worth = state.finishing(held) if len(hand) >= HAND else (hand if known(hand) else ())
            yield self.discarding(replace(state, actor=seat), worth)
            if len(hand) >= HAND:
                shown = tuple(state.arranged(without(held, card)) for card in worth)
                yield Awaited(Verb.SHOW, says, (seat,), pick=HAND, among=hand, handfuls=shown,
                              required=False)  # fmt: skip
        if hand and (whole or self.ten_out):
            best = (state.arranged(hand),) if known(hand) else ()
            shown = best if whole or (best and state.melds(hand)) else ()
            yield Awaited(Verb.SHOW, says, (seat,), pick=len(hand), among=hand, handfuls=shown,
                          required=whole)  # fmt: skip

    def verify(self, state: PifPafState, act: Act) -> None:
        """Bets as in poker, draws as in rummy; a declaration is claim or out."""
        PokerGame.verify(self, state, act)
        StockGame.verify(self, state, act)
        verify_known(act)
        says = act.verb is Verb.DECLARE
        if says and (act.seat is None or act.words not in (CLAIM, OUT) or act.cards):
            raise ActError(f"'{act}': expected a seat and the word claim or out")

    def route(self, state: PifPafState, act: Act) -> tuple[str, str]:
        """Draws go to the hand, discards to the pile."""
        return StockGame.route(self, state, act)

    def trace(self, state: PifPafState, act: Act) -> Trace:
        """A claimed card passed to the next claim goes into the hand, like a drawn one."""
        if act.verb is not Verb.MOVE:
            return super().trace(state, act)
        held = any(act.to == str(seat) for seat in state.claims)
        moves = TRACES[Verb.MOVE](state.table, state.spots, act)
        return tuple(replace(move, up=move.up and not held) for move in moves)

    def conceals(self, state: PifPafState, act: Act) -> str | None:
        """Whether a player declares out without being out."""
        if act.seat is None or act.verb not in (Verb.DECLARE, Verb.DISCARD, Verb.SHOW):
            return None
        hand = state.hand(act.seat)
        if act.verb is Verb.SHOW:
            out = state.out is not None or not known(act.cards) or state.melds(act.cards)
            return None if out else "pif.not-out"
        if act.words == CLAIM:
            hand = (*hand, *state.upcards)
        if not known(hand):
            return None
        ten = self.ten_out and state.melds(hand)
        if act.verb is Verb.DECLARE:
            nine = len(hand) == HAND and state.melds(hand)
            return None if nine or state.finishing(hand) or ten else "pif.not-out"
        wrong = act.seat == state.out and act.card not in state.finishing(hand)
        return "pif.not-out" if wrong else None

    def acted(self, state: PifPafState, act: Act) -> PifPafState:
        """Handle draws, discards, claims, and the hand that is shown."""
        if act.verb is Verb.MOVE and state.holder and act.to == str(state.claims[0]):
            return self._claimant(state, state.claims[0])
        if state.actor is None or act.seat not in state.live:
            return state
        match act.verb:
            case Verb.DECLARE if act.words == CLAIM:
                return self._claimed(state, act.seat)
            case Verb.DECLARE if state.out is None:
                return self._gone_out(state, act.seat)
            case Verb.DRAW:
                return self._drew(state, act)
            case Verb.DISCARD if act.seat == state.actor and state.drawn:
                return self._shown(self._discarded(state, act.seat))
            case Verb.SHOW:
                return self._shown(self._gone_out(state, act.seat))
        return state

    def _gone_out(self, state: PifPafState, seat: int) -> PifPafState:
        """Accept being out between the draw and the discard, or until the next player draws."""
        if state.out is not None:
            return state
        if state.drawn and seat == state.actor:
            return _out(state, seat, state.after_live(seat))
        return _out(state, seat, state.actor) if seat == state.discarder else state

    def _shown(self, state: PifPafState) -> PifPafState:
        """Judge a player who is out once the whole hand is shown."""
        if state.out is None or state.covered(state.out):
            return state
        whole = len(state.hand(state.out)) <= HAND or self.ten_out
        return self._judged(state, state.out) if whole else state

    def resumed(self, state: PifPafState, seat: int | None) -> PifPafState:
        """Go on with the steps as in poker; once cards are drawn the next player may be named."""
        after = super().resumed(self._shown(state), seat)
        if after.actor is None or after.out is not None:
            return after
        if seat in after.live:
            table = discarded_unseen(after.table, after.actor) if after.drawn else after.table
            after = replace(after, table=table, actor=seat, drawn=False, discarder=None, claims=())
        sizes = {one: HAND + (after.drawn and one == after.actor) for one in after.live}
        return replace(after, table=evened(after.table, sizes))

    def _claimed(self, state: PifPafState, seat: int) -> PifPafState:
        open_ = state.discarder not in (None, seat) and not state.drawn and state.upcards
        if not open_ or seat in state.claims or state.out is not None:
            return state
        assert state.discarder is not None
        order = state.start.following(state.discarder, self.direction)
        claims = tuple(s for s in order if s in (*state.claims, seat))
        return replace(state, claims=claims)

    def _drew(self, state: PifPafState, act: Act) -> PifPafState:
        """Note a draw; a player who takes a claimed card is out."""
        if state.drawn or state.out is not None or state.holder is not None:
            return state
        if state.claims and act.seat == state.claims[0] and act.spot == DISCARDS:
            return self._claimant(replace(state, claimed=act.card), act.seat)
        if act.seat != state.actor or state.claims:
            return state
        return replace(state, drawn=True, discarder=None)

    def _claimant(self, state: PifPafState, seat: int) -> PifPafState:
        """Declare the taker of the claimed card out; other claims wait for what that hand shows."""
        others = tuple(other for other in state.claims if other != seat)
        after = replace(state, claims=others, discarder=None, drawn=True, holder=None)
        return replace(_out(after, seat, state.actor), actor=seat)

    def _discarded(self, state: PifPafState, seat: int) -> PifPafState:
        if state.out == seat:
            return replace(state, discarder=seat)
        actor = state.after_live(seat)
        return replace(state, actor=actor, drawn=False, discarder=seat, claims=(), claimed=None)

    def _judged(self, state: PifPafState, seat: int) -> PifPafState:
        """Let a hand in melds win; any other is dead."""
        hand = state.hand(seat)
        right = len(hand) == HAND or (self.ten_out and len(hand) == HAND + 1)
        if right and state.melds(hand):
            return replace(state, winner=seat, out=None)
        dead = arrange(hand, state.rules, _one).deadwood if known(hand) else ()
        after = state.flag("pif.not-out", since=state.said, seat=seat, cards=dead)
        live = tuple(other for other in state.live if other != seat)
        resume = state.resume if state.resume != seat else state.after_live(seat)
        after = replace(after, live=live, out=None, actor=resume, drawn=False)
        held = state.claimed in hand and state.claims
        return replace(after, holder=seat if held else None).call("pif.dead", seat=seat)

    def follow(self, state: PifPafState) -> Start:
        """The winner deals next; if all but one have folded, that player does."""
        start = Game.follow(self, state)
        if state.void:
            return start
        winner = state.winner or (state.live[0] if len(state.live) == 1 else None)
        return replace(start, dealer=winner or start.dealer)


@cache
def meld_rules(high_ace: bool) -> MeldRules:
    """Sequences, and groups of exactly three suits."""
    return MeldRules(suits=Suits.THREE, high_ace=high_ace)


def _one(card: Card) -> int:
    """One: deadwood is counted in cards here."""
    return 1


def _out(state: PifPafState, seat: int, resume: int | None) -> PifPafState:
    after = replace(state, out=seat, said=len(state.acts), resume=resume)
    return after.call("pif.out", seat=seat)
