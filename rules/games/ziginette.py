"""Ziginette: cards against the banker's card, with no edge for either side.

Two cards are dealt to the board and one to the banker; a pair among them is a *playette*, and all
is shuffled and dealt anew. Players bet on board cards. Each further card either joins the board,
or matches a board card (the banker collects what stands on it, and both cards leave), or is dead
(its rank was matched before), or matches the banker's card: then every bet that stands is paid
even money and the bank passes to the right. With the board empty, or with no bets and none
wanted, the hand ends and the banker deals again or passes the bank.

A hand's record (amounts kept, the banker at seat 1; `take` removes a matched pair)::

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
(after a playette), ``end`` (no bets and none wanted), ``pass`` (the banker gives up the bank),
``clear``.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

from rules.acts import Act, Verb
from rules.banking import CLOSE, LIMITS, Bet, BetRule, bet_of, limits_wanted, placing, verify_bet
from rules.cards import Card, Deck, Rank
from rules.errors import ActError
from rules.frozen import replace
from rules.game import Game, house_rule
from rules.phrases import Phrase
from rules.settlement import POT
from rules.spots import Shape, Spot
from rules.start import Direction, Level, Start
from rules.state import CLEARING, State
from rules.turn import Awaited, Turn

BOARD, BANKER = "board", "banker"
BOARD_AT_FIRST, OPENING = 2, 3
"""How many cards are on the board, and out in all, when the first bets are placed."""
DECK = Deck.italian()
OF_RANK = {rank: tuple(card for card in DECK if card.rank is rank) for rank in Rank}


@dataclass(frozen=True, kw_only=True)
class ZiginetteState(State):
    """What Ziginette keeps track of."""

    opened: bool = False
    """Two board cards and the banker's lie there without a pair."""
    closed: bool = False
    """No more bets until the next card."""
    fresh: tuple[Card, ...] = ()
    """The board cards that nobody could bet on before."""
    bets: tuple[Bet, ...] = ()
    matched: frozenset[Rank] = frozenset()
    """The ranks that left the board: what comes of them now is dead."""
    collected: int = 0
    ended: str = ""
    """How the hand ended: match, board or end; empty while it goes on."""
    passed: bool = False

    @cached_property
    def board(self) -> tuple[Card, ...]:
        """The cards on the board, those about to be removed included."""
        return self.table.cards(BOARD)

    @cached_property
    def own(self) -> Rank | None:
        """The rank of the banker's card."""
        cards = self.table.cards(BANKER)
        return cards[0].rank if cards else None

    @cached_property
    def removable(self) -> tuple[Card, ...]:
        """The cards on the board that have to leave it: matched or dead."""
        return tuple(card for card in self.board if card.rank in self.matched)

    @cached_property
    def open_cards(self) -> tuple[Card, ...]:
        """The cards on the board that a bet may stand on."""
        return tuple(card for card in self.board if card.rank not in self.matched)

    def on_board(self, card: Card) -> Card | None:
        """The board card of this rank: rank is all that counts, so ``Q?`` says it too."""
        return next((other for other in self.board if other.rank == card.rank), None)


@dataclass(frozen=True)
class Ziginette(Game[ZiginetteState]):
    """Ziginette with its house rules.

    >>> Ziginette(cut=10).house_rules()[-1].text
    '10'
    """

    name: ClassVar[str] = "ziginette"
    players: ClassVar[range] = range(2, 11)
    direction: ClassVar[Direction] = Direction.RIGHT
    banked: ClassVar[bool] = True
    vocabulary: ClassVar[frozenset[Verb]] = frozenset(
        {Verb.LIMITS, Verb.DEAL, Verb.BET, Verb.CLOSE, Verb.SHUFFLE, Verb.END, Verb.PASS}
    )

    late_bets: bool = house_rule(True, "Bets may be placed between draws on older board cards too.")
    limits_per: str = house_rule(
        "bet", "What the limits hold for.", choices=("bet", "card", "player")
    )
    shoe: bool = house_rule(
        False, "Hands follow each other without a shuffle, until one is announced."
    )
    cut: int = house_rule(
        0, "The house's part of what the banker collects, in per cent.", choices=range(101)
    )

    def deck(self, start: Start) -> Deck:
        """Forty cards, without eights, nines and tens."""
        return DECK

    def spots(self, start: Start) -> tuple[Spot, ...]:
        """The board holds one card of each other rank, and the one that matches."""
        return (Spot(BOARD, capacity=11, shape=Shape.AREA), Spot(BANKER, capacity=2))

    def open(self, start: Start) -> ZiginetteState:
        """Nothing lies on the table yet."""
        self.check_start(start)
        return ZiginetteState(game=self, start=start, limits=start.limits)

    def phase(self, state: ZiginetteState) -> str:
        """Limits, dealing, playette, betting, drawing, removing, deck-out or paying."""
        if limits_wanted(state) and not state.table.spots:
            return "limits"
        if state.ended:
            return "paying"
        if not state.opened and _pair(state):
            return "playette"
        if not state.opened:
            return "dealing" if state.remaining else "deck-out"
        if state.removable:
            return "removing"
        if not state.remaining:
            return "deck-out"
        return "drawing" if state.closed else "betting"

    def turn(self, state: ZiginetteState) -> Turn:
        """What comes in each phase."""
        match self.phase(state):
            case "limits":
                return Turn((LIMITS,))
            case "dealing":
                return Turn((_opening(state),))
            case "playette":
                return Turn((Awaited(Verb.SHUFFLE, Phrase("ziginette.turn.shuffle")),))
            case "paying":
                return Turn((CLEARING, *_passing(state)))
            case "removing":
                return Turn((_removing(state),))
            case "deck-out":
                return Turn((Awaited(Verb.END, Phrase("ziginette.turn.deck-out")),))
            case "drawing":
                return Turn(tuple(_drawing(state)), tuple(_ending(state)))
            case _:
                return Turn((*self._bets(state), CLOSE), tuple(_ending(state)), together=True)

    def _bets(self, state: ZiginetteState) -> Iterator[Awaited]:
        cards = state.open_cards if self.late_bets else state.fresh
        players = [seat for seat in state.start.seats if seat != state.start.banker]
        return BetRule(self.limits_per).awaited(state, state.bets, players, cards)

    def verify(self, state: ZiginetteState, act: Act) -> None:
        """A bet stands on one card of the board; the rank of a card that is dealt is known."""
        if act.verb is Verb.BET:
            verify_bet(state, act)
            if len(act.cards) != 1 or state.on_board(act.card) is None:
                board = " ".join(map(str, state.board)) or "empty"
                raise ActError(f"'{act}': a bet on one board card expected; the board is {board}")
        if act.verb is Verb.DEAL and any(card.rank is Rank.UNKNOWN for card in act.cards):
            raise ActError(f"'{act}': the rank counts; expected a card that says it, as QS or Q?")

    def effect(self, state: ZiginetteState, act: Act) -> ZiginetteState:
        """What each act brings about."""
        match act.verb:
            case Verb.LIMITS:
                return replace(state, limits=(act.numbers[0], act.numbers[1]))
            case Verb.BET:
                on = state.on_board(act.card) or act.card
                return replace(state, bets=placing(state.bets, bet_of(act.with_cards([on]))))
            case Verb.CLOSE:
                return replace(state, closed=True, fresh=())
            case Verb.SHUFFLE:
                return _afresh(state)
            case Verb.DEAL if state.ended:
                return state
            case Verb.DEAL if not state.opened:
                return _opened(state)
            case Verb.DEAL:
                return self._all_drawn(state, act)
            case Verb.TAKE if state.opened and not state.ended and not state.open_cards:
                return _ended(state, "board")
            case Verb.END:
                return _ended(state, "end")
            case Verb.PASS:
                return replace(state, passed=True)
        return state

    def _all_drawn(self, state: ZiginetteState, act: Act) -> ZiginetteState:
        """Several cards at once are against the rules, and count one after the other."""
        new = len(act.cards) if act.spot == BOARD else 0
        before = state.board[: len(state.board) - new]
        for place, card in enumerate(act.cards):
            if not state.ended:
                state = self._drawn(state, card, before + act.cards[:place])
        return state

    def _drawn(self, state: ZiginetteState, card: Card, before: tuple[Card, ...]) -> ZiginetteState:
        if card.rank == state.own:
            return self._banker_matched(state)
        if card.rank in state.matched:
            return self._reopened(state).call("ziginette.dead", cards=(card,))
        if any(other.rank == card.rank for other in before):
            return self._reopened(self._matched(state, card))
        joined = replace(state, fresh=(*state.fresh, card))
        return self._reopened(joined).call("ziginette.joins", cards=(card,))

    def _reopened(self, state: ZiginetteState) -> ZiginetteState:
        """After a card, bets are taken again: on every open card, or on the new ones only."""
        return replace(state, closed=not (self.late_bets or state.fresh))

    def _matched(self, state: ZiginetteState, card: Card) -> ZiginetteState:
        """The banker collects the bets on this rank."""
        banker, level = state.start.banker, state.start.level
        lost = [bet for bet in state.bets if bet.card.rank == card.rank]
        kept = tuple(bet for bet in state.bets if bet not in lost)
        after = replace(
            state,
            bets=kept,
            matched=state.matched | {card.rank},
            collected=state.collected + sum(bet.amount or 0 for bet in lost),
        ).call("ziginette.match", cards=(card,))
        for bet in lost:
            after = after.pay(bet.seat, banker, bet.amount, "ziginette.collect", cards=(bet.card,))
        if level is Level.NONE:
            after = after.pay(None, banker, None, "ziginette.collect", cards=(card,))
        return after

    def _banker_matched(self, state: ZiginetteState) -> ZiginetteState:
        """Every bet that stands is paid even money."""
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
        """The bank passes to the right after a loss, or when the banker gives it up.

        When the shoe has run out all cards are shuffled.
        """
        start = super().follow(state)
        if len(start.shoe) >= len(DECK):
            start = start.having(shoe=())
        assert start.banker is not None
        if state.void or not (state.ended == "match" or state.passed):
            return start
        return start.having(banker=start.after(start.banker, Direction.RIGHT))


def _pair(state: ZiginetteState) -> bool:
    """Whether the three cards of the opening lie there and two of them are of a rank."""
    ranks = [card.rank for card in (*state.board, *state.table.cards(BANKER))]
    return len(ranks) >= OPENING and len(set(ranks)) < len(ranks)


def _opening(state: ZiginetteState) -> Awaited:
    if len(state.board) < BOARD_AT_FIRST:
        return Awaited(Verb.DEAL, Phrase("ziginette.turn.board"), spots=(BOARD,), pick=1)
    return Awaited(Verb.DEAL, Phrase("ziginette.turn.banker"), spots=(BANKER,), pick=1)


def _opened(state: ZiginetteState) -> ZiginetteState:
    """After a card of the opening: a playette, the board open for bets, or one more to come."""
    if _pair(state):
        return state.call("ziginette.playette")
    if len(state.board) < BOARD_AT_FIRST or state.own is None:
        return state
    return replace(state, opened=True, fresh=state.board).call("ziginette.open", cards=state.board)


def _afresh(state: ZiginetteState) -> ZiginetteState:
    """As after the limits were said: everything goes back into the deck."""
    return replace(state, opened=False, closed=False, fresh=(), bets=(), matched=frozenset())


def _removing(state: ZiginetteState) -> Awaited:
    cards = state.removable
    says = Phrase.of("ziginette.turn.remove", cards=cards)
    return Awaited(
        Verb.TAKE, says, spots=(BOARD,), pick=len(cards), among=cards, rule="ziginette.remove"
    )


def _drawing(state: ZiginetteState) -> Iterator[Awaited]:
    says = Phrase("ziginette.turn.draw")
    yield Awaited(Verb.DEAL, says, spots=(BOARD,), pick=1)
    if state.own is not None:
        yield Awaited(Verb.DEAL, says, spots=(BANKER,), pick=1, among=OF_RANK[state.own])


def _ending(state: ZiginetteState) -> Iterator[Awaited]:
    """Without bets on the board the hand may end; where bets are unknown, so may it."""
    if state.start.level is Level.NONE or not state.bets:
        yield Awaited(Verb.END, Phrase("ziginette.turn.end"), required=False)


def _passing(state: ZiginetteState) -> Iterator[Awaited]:
    banker = state.start.banker
    if state.ended != "match" and not state.passed and banker is not None:
        yield Awaited(Verb.PASS, Phrase("ziginette.turn.pass"), (banker,), required=False)


def _ended(state: ZiginetteState, how: str) -> ZiginetteState:
    game = state.game
    assert isinstance(game, Ziginette)
    cut = state.collected * game.cut // 100
    after = replace(state, ended=how)
    if how == "board":
        after = after.call("ziginette.ended-board")
    elif how == "end":
        after = after.call("ziginette.ended-end")
    return after.pay(state.start.banker, POT, cut, "ziginette.cut") if cut else after
