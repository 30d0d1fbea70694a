"""A board next to the banker's card, where cards are matched by rank, leave, stray and return.

Only ranks count. A card matched by a later one has to leave the board, and so does every card of
that rank that comes afterwards; a misplaced card can be put back.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from rules.acts import Verb
from rules.banks.bankgame import BankState
from rules.cards import Card, Rank
from rules.frozen import replace
from rules.phrases import Phrase
from rules.spots import GONE
from rules.turn import Awaited

BOARD, BANKER = "board", "banker"
BOARD_AT_FIRST = 2
"""Cards on the board when the first bets are placed."""
REMOVE = "ziginette.remove"


@dataclass(frozen=True, kw_only=True)
class BoardState(BankState):
    """A hand in which the cards of a board are matched one after another."""

    opened: bool = False
    """Whether two board cards and the banker's have been dealt without a pair."""
    banker_card: Card | None = None
    """The card that ends the hand when it is matched, once the board is open."""
    live: tuple[Card, ...] = ()
    """The board cards that no later card has matched, wherever they are now."""
    matched: frozenset[Rank] = frozenset()
    """The ranks that have left the board: later cards of these ranks are dead."""

    @cached_property
    def board(self) -> tuple[Card, ...]:
        """The cards on the board, including those about to be removed."""
        return self.table.cards(BOARD)

    @property
    def own(self) -> Rank | None:
        """The rank of the banker's card, once the board is open."""
        return self.banker_card.rank if self.banker_card else None

    @cached_property
    def removable(self) -> tuple[Card, ...]:
        """The cards on the board that have to leave it: matched or dead."""
        return tuple(card for card in self.board if card.rank in self.matched)

    @cached_property
    def open_cards(self) -> tuple[Card, ...]:
        """The cards on the board that may be bet on."""
        if self.live == self.board:
            return self.board
        ranks = {card.rank for card in self.live}
        return tuple(card for card in self.board if card.rank in ranks)

    @cached_property
    def strayed(self) -> tuple[tuple[str, Card], ...]:
        """The cards in play that are misplaced, each with the spot where it belongs."""
        banker = self.table.cards(BANKER)
        if self.banker_card is None or (self.live == self.board and banker == (self.banker_card,)):
            return ()
        ranks = {card.rank for card in self.board}
        beside = [card for card in banker if card.rank is not self.own]
        missing = [card for card in self.live if card.rank not in ranks and card not in beside]
        away = tuple((BOARD, card) for card in (*missing, *beside))
        if any(card.rank is self.own for card in banker):
            return away
        return (*away, (BANKER, self.banker_card))

    def on_board(self, card: Card) -> Card | None:
        """The board card of this rank; ``Q?`` is enough, as only ranks count."""
        return next((other for other in self.board if other.rank == card.rank), None)


def pair(state: BoardState) -> bool:
    """Whether two of the opening cards have the same rank."""
    ranks = [card.rank for card in (*state.board, *state.table.cards(BANKER))]
    return len(set(ranks)) < len(ranks)


def playette(state: BoardState) -> Iterator[Awaited]:
    """Shuffle all back; with two equal board cards, the banker's may still be dealt first."""
    yield Awaited(Verb.SHUFFLE, Phrase("ziginette.turn.shuffle"))
    if len(state.board) == BOARD_AT_FIRST and not state.table.at(BANKER):
        yield replace(opening(state), required=False)


def opening(state: BoardState) -> Awaited:
    """The next opening card, or the third one on the board slid to the banker's place."""
    sliding = next(home(state), None)
    if sliding is not None and not state.open_violations:
        return sliding
    if missing := max(0, BOARD_AT_FIRST - len(state.board)):
        says, counts = Phrase("ziginette.turn.board"), (1, missing)
        return Awaited(Verb.DEAL, says, spots=(BOARD,), pick=1, counts=counts)
    return Awaited(Verb.DEAL, Phrase("ziginette.turn.banker"), spots=(BANKER,), pick=1)


def removing(state: BoardState) -> Iterator[Awaited]:
    """The matched and dead cards that must leave, together or one by one."""
    cards = state.removable
    says, counts = Phrase.of("ziginette.turn.remove", cards=cards), (1, len(cards))
    if cards:
        yield Awaited(Verb.TAKE, says, spots=(BOARD,), pick=len(cards), counts=counts, among=cards,
                      rule=REMOVE)  # fmt: skip


def returning(state: BoardState) -> Iterator[Awaited]:
    """The way back for misplaced cards, unless a reported one can be taken as undone instead."""
    return iter(()) if state.open_violations and state.removable else home(state)


def home(state: BoardState) -> Iterator[Awaited]:
    """The move that puts each misplaced card in its place, such as a third board card at first."""
    third = () if state.opened or state.table.at(BANKER) else state.board[BOARD_AT_FIRST:]
    if third:
        says = Phrase.of("ziginette.turn.slide", cards=third)
        yield Awaited(Verb.MOVE, says, spots=(BOARD,), to=(BANKER,), pick=1, among=third)
    for home, card in state.strayed:
        says, away = (
            Phrase.of("ziginette.turn.return", cards=(card,)),
            _whereabouts(state, card, home),
        )
        if away == GONE:
            yield Awaited(Verb.PUT, says, spots=(home,), pick=1, among=(card,))
        else:
            yield Awaited(Verb.MOVE, says, spots=(away,), to=(home,), pick=1, among=(card,))


def _whereabouts(state: BoardState, card: Card, home: str) -> str:
    alike = (spot for spot, laid in state.table if laid.card.rank is card.rank and spot != home)
    return next(alike, GONE)
