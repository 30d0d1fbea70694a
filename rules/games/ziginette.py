"""Ziginette: cards against the banker's card, with no edge for either side.

Two cards are dealt to the board and one to the banker; a pair among them is a *playette*, and all
cards are shuffled and dealt again. Players bet on board cards. Each further card either joins the
board, or matches a board card (the banker collects the bets on it, and both cards leave), or is
dead (its rank was matched before), or matches the banker's card: then every standing bet is paid
even money and the bank passes to the right. With the board empty, or with no bets and none wanted,
the hand ends and the banker deals again or passes the bank. In half of Italy the game is called
*zecchinetta*.

A hand's record (amounts tracked, the banker at seat 1; `take` removes a matched pair)::

    [Game "ziginette"]
    [Seats "3"]
    [Banker "1"]
    [Limits "1 20"]

    deal board QS
    deal board 5D
    deal banker 7C
    2 bet 5 QS
    3 bet 10 5D
    close
    deal board QD
    take board QS QD
    close
    deal board 7H
    clear

Verbs: ``limits``, ``deal``, ``bet AMOUNT CARD``, ``close`` (no more bets), ``take``, ``shuffle``
(after a playette), ``declare first CARD`` (which of several cards dealt together counts first, if
bets depend on it), ``put`` and ``move`` (put a misplaced card back), ``end`` (no bets and none
wanted), ``pass`` (the banker gives up the bank), ``clear``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

from rules.acts import Act, Verb
from rules.banks.bankgame import BANKING, BankGame
from rules.banks.banking import CLOSE, LIMITS, BetRule, limits_wanted, lying, verify_bet
from rules.banks.matching import (
    BANKER,
    BOARD,
    BOARD_AT_FIRST,
    REMOVE,
    BoardState,
    home,
    opening,
    pair,
    playette,
    removing,
    returning,
)
from rules.cards import Card, Deck, Rank
from rules.chips import BettingPlace, Stake
from rules.errors import ActError
from rules.frozen import replace
from rules.game import house_rule
from rules.phrases import Phrase
from rules.settlement import POT
from rules.spots import Shape, Spot
from rules.start import SEATS_MOST, Direction, Level, Start
from rules.state import CLEARING
from rules.turn import Awaited, Turn

DECK = Deck.italian()
OF_RANK = {rank: tuple(card for card in DECK if card.rank is rank) for rank in Rank}
FIRST = ("first",)
LIVE, OLD = "ziginette.live", "ziginette.old-card"


@dataclass(frozen=True, kw_only=True)
class ZiginetteState(BoardState):
    """State of a hand of Ziginette."""

    undecided: tuple[Card, ...] = ()
    """Cards dealt together whose order has yet to be stated."""
    fresh: tuple[Card, ...] = ()
    """The board cards that could not be bet on before."""
    share: int = 0
    """The house's share of what the banker has collected, rounded down in each collection."""
    cut: Fraction = Fraction(0)
    """What part of the collected bets goes to the house, if nobody counts how much they were."""
    ended: str = ""
    """How the hand ended: match, board or end; empty while it goes on."""
    passed: bool = False


@dataclass(frozen=True)
class Ziginette(BankGame[ZiginetteState]):
    """Ziginette with its house rules.

    >>> Ziginette(cut=10).house_rules()[-1].text
    '10'
    """

    name: ClassVar[str] = "ziginette"
    also: ClassVar[tuple[str, ...]] = ("zecchinetta",)
    players: ClassVar[range] = range(2, SEATS_MOST + 1)
    direction: ClassVar[Direction] = Direction.RIGHT
    vocabulary: ClassVar[frozenset[Verb]] = BANKING | {
        Verb.DEAL,
        Verb.SHUFFLE,
        Verb.DECLARE,
        Verb.END,
        Verb.PASS,
    }

    late_bets: bool = house_rule(True, "Bets may be placed between draws on older board cards too.")
    limits_per: str = house_rule(
        "bet", "What the limits apply to.", choices=("bet", "card", "player")
    )
    shoe: bool = house_rule(
        False, "Hands follow each other without a shuffle, until one is announced."
    )
    cut: int = house_rule(
        0,
        "The house's share of what the banker collects, in per cent, rounded down each time.",
        choices=range(101),
    )

    def deck(self, start: Start) -> Deck:
        """Forty cards, without eights, nines and tens."""
        return DECK

    def spots(self, start: Start) -> tuple[Spot, ...]:
        """The board holds one card of each other rank, and the one that matches."""
        return (Spot(BOARD, capacity=11, shape=Shape.AREA), Spot(BANKER, capacity=2))

    def betting_places(self, start: Start) -> tuple[BettingPlace, ...]:
        """Bets are placed next to the cards of the board."""
        return (BettingPlace(beside=BOARD),)

    def stakes_lying(self, state: ZiginetteState) -> Iterator[Stake]:
        """The bets that no card has collected; all are paid once the banker's card is matched."""
        for one in lying(state.bets, beside=BOARD, due={}):
            yield replace(one, due=one.amount or 0) if state.ended == "match" else one

    @property
    def bet_rule(self) -> BetRule:
        """Any number of bets, with limits that apply to what the house rule says."""
        return BetRule(self.limits_per)

    def open(self, start: Start) -> ZiginetteState:
        """Start with an empty table."""
        self.check_start(start)
        return ZiginetteState(game=self, start=start, limits=start.limits)

    def phase(self, state: ZiginetteState) -> str:
        """Limits, dealing, playette, betting, drawing, ordering, removing, deck-out or paying."""
        if limits_wanted(state) and not state.table.spots:
            return "limits"
        if state.ended:
            return "paying"
        if not state.opened and pair(state):
            return "playette"
        if not state.opened:
            return "dealing" if state.remaining else "deck-out"
        if state.undecided:
            return "ordering"
        if state.removable or state.strayed:
            return "removing"
        if not state.remaining:
            return "deck-out"
        return "drawing" if state.closed else "betting"

    def facts(self, state: ZiginetteState) -> Iterator[Phrase]:
        """What the house has taken; there is no pot."""
        if taken := self.settlement(state).net.get(POT, 0):
            yield Phrase.of("facts.house", amount=taken)

    def turn(self, state: ZiginetteState) -> Turn:
        """What is awaited in each phase."""
        match self.phase(state):
            case "limits":
                return Turn((LIMITS,))
            case "dealing":
                return Turn((opening(state),))
            case "playette":
                return Turn(tuple(playette(state)))
            case "paying":
                return Turn((CLEARING, *_passing(state)))
            case "ordering":
                return Turn((_ordering(state),))
            case "removing":
                return Turn((*removing(state), *returning(state)))
            case "deck-out":
                return Turn((Awaited(Verb.END, Phrase("ziginette.turn.deck-out")),))
            case "drawing":
                return Turn(tuple(_drawing(state)), tuple(_ending(state)))
            case _:
                on = self._bettable(state)
                bets, more = self.placeable(state, on), tuple(self.addable(state, on))
                return Turn((*bets, CLOSE), tuple(_ending(state)), together=True, also=more)

    def _bettable(self, state: ZiginetteState) -> tuple[Card, ...]:
        return state.open_cards if self.late_bets else state.fresh

    def verify(self, state: ZiginetteState, act: Act) -> None:
        """A bet is on one card of the board; a dealt card must show its rank."""
        if act.verb is Verb.DECLARE and (
            act.words != FIRST or len(act.cards) != 1 or act.card not in state.undecided
        ):
            dealt = " ".join(map(str, state.undecided)) or "nothing"
            raise ActError(f"'{act}': expected 'first' and one of the cards dealt at once, {dealt}")
        if act.verb is Verb.BET:
            verify_bet(state, act, on_card=True)
            if len(act.cards) != 1 or state.on_board(act.card) is None:
                board = " ".join(map(str, state.board)) or "empty"
                raise ActError(f"'{act}': expected a bet on one board card; the board is {board}")
        if act.verb is Verb.DEAL and any(card.rank is Rank.UNKNOWN for card in act.cards):
            raise ActError(
                f"'{act}': the rank counts; expected one that shows it, such as QS or Q?"
            )

    def resumed(self, state: ZiginetteState, seat: int | None) -> ZiginetteState:
        """The board as it is: pairs are to be removed, all other cards may be matched.

        A pair that nobody saw dealt, or a card with bets that has left the board, was matched; a
        second card of the banker's rank has ended the hand.
        """
        count, banker = Counter(card.rank for card in state.board), state.table.cards(BANKER)
        opened = bool(banker) and (state.opened or len(state.board) >= BOARD_AT_FIRST)
        pairs = frozenset(rank for rank, number in count.items() if number > 1)
        after = replace(
            state,
            opened=opened,
            banker_card=banker[0] if opened else None,
            live=tuple(card for card in state.board if opened and card.rank not in pairs),
            undecided=(),
            fresh=(),
            matched=(state.matched - frozenset(count)) | (pairs & state.matched),
        )
        return self._matched_unseen(after, pairs) if opened and not state.ended else after

    def _matched_unseen(self, state: ZiginetteState, pairs: frozenset[Rank]) -> ZiginetteState:
        """Settle what was matched while nobody saw it, as the cards on the table show."""
        own, lying = state.own, {card.rank: card for card in state.board}
        lost = {bet.card.rank: bet.card for bet in state.bets if bet.card.rank not in lying}
        lost |= {rank: lying[rank] for rank in pairs - state.matched - {own}}
        for rank in sorted(lost):
            state = self._matched(state, lost[rank])
        ended = own in lying or len(state.table.cards(BANKER)) > 1
        return self._banker_matched(state) if ended else state

    def effect(self, state: ZiginetteState, act: Act) -> ZiginetteState:
        """Apply the act's consequences."""
        match act.verb:
            case Verb.BET:
                return self.betting(state, act.with_cards([state.on_board(act.card) or act.card]))
            case Verb.CLOSE:
                return replace(state, closed=True, fresh=())
            case Verb.SHUFFLE:
                return _afresh(state)
            case Verb.DEAL | Verb.MOVE | Verb.TAKE | Verb.PUT if not state.opened:
                return _opened(state)
            case Verb.DEAL if not state.ended:
                return self._drawn_in_order(state, act.cards)
            case Verb.DECLARE:
                later = tuple(card for card in state.undecided if card != act.card)
                return self._drawn_in_order(self._drawn(state, act.card), later)
            case Verb.TAKE | Verb.PUT | Verb.MOVE if not state.ended:
                return _swept(state)
            case Verb.END:
                return _ended(state, "end")
            case Verb.PASS:
                return replace(state, passed=state.passed or act.seat == state.banker)
        return self.betting(state, act)

    def _drawn_in_order(self, state: ZiginetteState, cards: tuple[Card, ...]) -> ZiginetteState:
        """Count cards dealt together one after another, in any order if it makes no difference."""
        if not state.ended and _order_matters(state, cards):
            return replace(state, undecided=cards)
        for card in sorted(cards, key=lambda one: one.rank is state.own):
            if not state.ended:
                state = self._drawn(state, card)
        return replace(state, undecided=())

    def _drawn(self, state: ZiginetteState, card: Card) -> ZiginetteState:
        if card.rank is state.own:
            return self._banker_matched(state)
        if card.rank in state.matched:
            return self._reopened(state).call("ziginette.dead", cards=(card,))
        if any(other.rank is card.rank for other in state.live):
            return self._reopened(self._matched(state, card))
        joined = replace(state, fresh=(*state.fresh, card), live=(*state.live, card))
        return self._reopened(joined).call("ziginette.joins", cards=(card,))

    def slip(self, state: ZiginetteState, act: Act, fault: str) -> str:
        """A card taken off the board too early is live; matched and misplaced cards come first."""
        phase = self.phase(state)
        if act.verb in (Verb.PUT, Verb.MOVE) and any(one.admits(act) for one in home(state)):
            return ""
        if act.verb in (Verb.TAKE, Verb.MOVE) and state.opened and not state.ended:
            live = {state.own, *(card.rank for card in state.open_cards)}
            return LIVE if live & {card.rank for card in act.cards} else fault
        if phase == "removing" and act.verb in (Verb.DEAL, Verb.CLOSE, Verb.BET):
            return REMOVE if state.removable else LIVE
        if act.verb is Verb.END and state.bets and not state.ended:
            return "ziginette.bets-stand"
        if act.verb is Verb.BET and phase == "betting":
            bettable = {card.rank: card for card in self._bettable(state)}
            meant = bettable.get(act.card.rank)
            if meant is None:
                return OLD
            if not meant.covers(act.card):
                return "wrong-card"  # a card of that rank lies there, but not this one
        return self.bet_slip(state, act, fault)

    def _reopened(self, state: ZiginetteState) -> ZiginetteState:
        """After a card, take bets again: on every open card, or on the new ones only."""
        return replace(state, closed=not (self.late_bets or state.fresh))

    def _matched(self, state: ZiginetteState, card: Card) -> ZiginetteState:
        """Let the banker collect the bets on this rank."""
        banker, level = state.start.banker, state.start.level
        lost = [bet for bet in state.bets if bet.card.rank == card.rank]
        kept = tuple(bet for bet in state.bets if bet not in lost)
        after = replace(
            state,
            bets=kept,
            matched=state.matched | {card.rank},
            live=tuple(other for other in state.live if other.rank is not card.rank),
            share=state.share + sum(bet.amount or 0 for bet in lost) * self.cut // 100,
        ).call("ziginette.match", cards=(card,))
        for bet in lost:
            after = after.pay(bet.seat, banker, bet.amount, "ziginette.collect", cards=(bet.card,))
        if level is Level.NONE:
            after = after.pay(None, banker, None, "ziginette.collect", cards=(card,))
        if level is Level.NONE or (level is Level.WHO and lost):
            after = replace(after, cut=Fraction(self.cut, 100))
        return after

    def _banker_matched(self, state: ZiginetteState) -> ZiginetteState:
        """Pay every standing bet even money."""
        banker, after = state.start.banker, state
        for bet in state.bets:
            after = after.pay(banker, bet.seat, bet.amount, "ziginette.paid", cards=(bet.card,))
        if state.start.level is Level.NONE:
            open_cards = tuple(card for card in state.open_cards if card.rank != state.own)
            after = after.pay(banker, None, None, "ziginette.paid", cards=open_cards)
        return _ended(after, "match").call("ziginette.banker-match")

    def shuffled(self, state: ZiginetteState) -> bool:
        """Each hand is dealt from a shuffled deck, unless the house plays on from the shoe."""
        return not self.shoe

    def follow(self, state: ZiginetteState) -> Start:
        """Pass the bank to the right after a loss, or when the banker gives it up.

        When the shoe holds no three cards of different ranks any more, all cards are shuffled: it
        would give one playette after another.
        """
        start = super().follow(state)
        gone = Counter(sighted.card.rank for sighted in start.shoe)
        if sum(gone[rank] < len(cards) for rank, cards in OF_RANK.items()) <= BOARD_AT_FIRST:
            start = start.having(shoe=())
        assert start.banker is not None
        if state.void or not (state.ended == "match" or state.passed):
            return start
        return start.having(banker=start.after(start.banker, Direction.RIGHT))


def _opened(state: ZiginetteState) -> ZiginetteState:
    """After a card of the opening: call a playette or the open board, or wait for more cards."""
    if pair(state):
        return state.call("ziginette.playette")
    banker = state.table.cards(BANKER)
    if len(state.board) < BOARD_AT_FIRST or not banker:
        return state
    after = replace(
        state, opened=True, banker_card=banker[0], fresh=state.board, live=state.board
    ).put_right("wrong-place", "wrong-count")
    return after.call("ziginette.open", cards=state.board)


def _order_matters(state: ZiginetteState, cards: tuple[Card, ...]) -> bool:
    """Whether the order of `cards`, dealt together, decides which bets are paid or collected."""
    ranks = {card.rank for card in cards}
    if state.own not in ranks:
        return False
    known = state.start.level is not Level.NONE
    at_stake = {bet.card.rank for bet in state.bets} if known else {c.rank for c in state.live}
    return bool(at_stake & ranks)


def _afresh(state: ZiginetteState) -> ZiginetteState:
    """Put everything back into the deck, as after the limits were announced."""
    return replace(state, opened=False, closed=False, fresh=(), bets=(), matched=frozenset())


def _swept(state: ZiginetteState) -> ZiginetteState:
    """After cards were removed or put back, everything is in place; the board may be empty."""
    after = state if state.removable else state.put_right(REMOVE)
    if state.strayed:
        return after
    after = after.put_right(LIVE, "wrong-card", "wrong-place")
    return after if after.live or after.removable else _ended(after, "board")


def _ordering(state: ZiginetteState) -> Awaited:
    says, cards = Phrase.of("ziginette.turn.first", cards=state.undecided), state.undecided
    return Awaited(Verb.DECLARE, says, pick=1, among=cards, words=(FIRST,))


def _drawing(state: ZiginetteState) -> Iterator[Awaited]:
    says = Phrase("ziginette.turn.draw")
    yield Awaited(Verb.DEAL, says, spots=(BOARD,), pick=1)
    if state.own is not None:
        yield Awaited(Verb.DEAL, says, spots=(BANKER,), pick=1, among=OF_RANK[state.own])


def _ending(state: ZiginetteState) -> Iterator[Awaited]:
    """The hand may end without bets on the board, and always if bets are unknown."""
    if state.start.level is Level.NONE or not state.bets:
        yield Awaited(Verb.END, Phrase("ziginette.turn.end"), required=False)


def _passing(state: ZiginetteState) -> Iterator[Awaited]:
    banker = state.start.banker
    if state.ended != "match" and not state.passed and banker is not None:
        yield Awaited(Verb.PASS, Phrase("ziginette.turn.pass"), (banker,), required=False)


def _ended(state: ZiginetteState, how: str) -> ZiginetteState:
    after, banker = replace(state, ended=how), state.start.banker
    if how == "board":
        after = after.call("ziginette.ended-board")
    elif how == "end":
        after = after.call("ziginette.ended-end")
    if state.cut:
        after = after.pay(banker, POT, None, "ziginette.cut", rate=state.cut)
    return after.pay(banker, POT, state.share, "ziginette.cut") if state.share else after
