"""Ace-Deuce-Jack: three cards from a cut deck; the bank wins if one is an ace, a 2 or a jack.

The banker cuts the deck twice, which makes three piles. Everybody bets on their own hand; then the
piles are turned over. An ace, a two or a jack at the bottom of any pile collects all bets;
otherwise each is paid even money: a player wins 38 times in 85. The bank passes to the left after
an agreed number of hands.

A hand's record (the banker at seat 1; a pile not turned yet is ``??``)::

    [Game "ace-deuce-jack"]
    [Seats "3"]
    [Banker "1"]
    [Limits "1 20"]

    deal left ??
    deal middle ??
    deal right ??
    2 bet 5
    3 bet 10
    close
    turn left 9H
    turn middle JC
    turn right 4D
    clear

Verbs: ``limits``, ``deal PILE ??`` (a pile is cut off), ``bet AMOUNT``, ``close`` (no more bets),
``turn PILE CARD``, ``clear``. Only ranks count, so ``9?`` will do.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from rules.acts import Act, Verb
from rules.banks.bankgame import BANKING, BankGame, BankState
from rules.banks.banking import CLOSE, LIMITS, limits_wanted, verify_bet
from rules.cards import Card, Deck, Rank
from rules.errors import ActError
from rules.frozen import replace
from rules.game import house_rule
from rules.phrases import Phrase
from rules.spots import Face, Spot
from rules.start import Level, Start
from rules.state import CLEARING
from rules.turn import Awaited, Turn

PILES = ("left", "middle", "right")
LOSING = frozenset({Rank.ACE, Rank.TWO, Rank.JACK})
"""The ranks that win for the bank."""
DECK = Deck.standard()
HELD = "hands-held"
"""Key of the note that counts the hands for which the banker has held the bank."""


@dataclass(frozen=True, kw_only=True)
class AceDeuceJackState(BankState):
    """State of a hand of Ace-Deuce-Jack."""

    settled: bool = False

    @property
    def cut(self) -> bool:
        """Whether all three piles have been cut."""
        return all(self.table.at(pile) for pile in PILES)

    @property
    def turned(self) -> tuple[Card, ...]:
        """The bottom cards that are face up."""
        return tuple(laid.card for pile in PILES for laid in self.table.at(pile) if laid.up)

    @property
    def unturned(self) -> tuple[str, ...]:
        """The piles that are face down."""
        return tuple(p for p in PILES if any(not laid.up for laid in self.table.at(p)))


@dataclass(frozen=True)
class AceDeuceJack(BankGame[AceDeuceJackState]):
    """Ace-Deuce-Jack with its house rule.

    >>> AceDeuceJack().house_rules()[0].name
    'hands_a_bank'
    """

    name: ClassVar[str] = "ace-deuce-jack"
    players: ClassVar[range] = range(2, 23)
    vocabulary: ClassVar[frozenset[Verb]] = BANKING | {Verb.DEAL, Verb.TURN}

    hands_a_bank: int = house_rule(
        1, "After this many hands the bank passes to the left.", choices=range(1, 101)
    )

    def deck(self, start: Start) -> Deck:
        """Fifty-two cards."""
        return DECK

    def spots(self, start: Start) -> tuple[Spot, ...]:
        """Three piles, each represented by one card."""
        return tuple(Spot(pile, face=Face.EITHER) for pile in PILES)

    def open(self, start: Start) -> AceDeuceJackState:
        """Start with an empty table."""
        self.check_start(start)
        start.number(HELD, 0)
        closed = start.level is Level.NONE
        return AceDeuceJackState(game=self, start=start, limits=start.limits, closed=closed)

    def phase(self, state: AceDeuceJackState) -> str:
        """Limits, cutting, betting, turning or paying."""
        if state.settled:
            return "paying"
        if limits_wanted(state):
            return "limits"
        if not state.cut:
            return "cutting"
        return "turning" if state.closed else "betting"

    def turn(self, state: AceDeuceJackState) -> Turn:
        """What is awaited in each phase."""
        match self.phase(state):
            case "limits":
                return Turn((LIMITS,))
            case "cutting":
                return Turn((_cutting(state),))
            case "betting":
                return Turn((*self.placeable(state), CLOSE), together=True)
            case "turning":
                return Turn(tuple(_turning(state)))
        return Turn((CLEARING,))

    def verify(self, state: AceDeuceJackState, act: Act) -> None:
        """A bet names no card; a card turned up must show its rank."""
        if act.verb is Verb.BET:
            verify_bet(state, act)
        if act.verb in (Verb.DEAL, Verb.TURN) and not act.down:
            for card in act.cards:
                if card.rank in (Rank.UNKNOWN, Rank.JOKER):
                    raise ActError(f"'{act}': the rank counts; expected one, such as 9H or 9?")

    def effect(self, state: AceDeuceJackState, act: Act) -> AceDeuceJackState:
        """Apply limits and bets."""
        return state if state.settled else self.betting(state, act)

    def concluded(self, state: AceDeuceJackState) -> AceDeuceJackState:
        """Judge the piles."""
        return state if state.settled else _judged(state)

    def slip(self, state: AceDeuceJackState, act: Act, fault: str) -> str:
        """A bet that comes too early, too late or twice."""
        return self.bet_slip(state, act, fault)

    def follow(self, state: AceDeuceJackState) -> Start:
        """Pass the bank to the left after the agreed number of hands."""
        start = super().follow(state)
        if state.void or start.banker is None:
            return start
        held = start.number(HELD, 0) + 1
        if held < self.hands_a_bank:
            return start.noting(**{HELD: str(held)})
        notes = tuple((name, note) for name, note in start.notes if name != HELD)
        return replace(start, banker=start.after(start.banker), notes=notes)

    def adjusted(self, start: Start, before: Start) -> Start:
        """Start counting anew with a new banker."""
        if start.banker == before.banker:
            return start
        return replace(start, notes=tuple(entry for entry in start.notes if entry[0] != HELD))


def _cutting(state: AceDeuceJackState) -> Awaited:
    piles = tuple(pile for pile in PILES if not state.table.at(pile))
    says = Phrase.of("ace-deuce-jack.turn.cut", piles=len(piles))
    return Awaited(Verb.DEAL, says, spots=piles, pick=1, down=True)


def _turning(state: AceDeuceJackState) -> Iterator[Awaited]:
    for pile in state.unturned:
        cards = tuple(laid.card for laid in state.table.at(pile) if not laid.up)
        says = Phrase("ace-deuce-jack.turn.turn")
        yield Awaited(Verb.TURN, says, spots=(pile,), pick=1, among=cards)


def _judged(state: AceDeuceJackState) -> AceDeuceJackState:
    """Once all piles are turned over, the bank collects or pays."""
    if not (state.closed and state.cut) or state.unturned:
        return state
    banker = state.start.banker
    losing = tuple(card for card in state.turned if card.rank in LOSING)
    winner, cards = ("bank", losing) if losing else ("players", state.turned)
    after = replace(state, settled=True).call(f"ace-deuce-jack.{winner}", cards=cards)
    for seat, amount in _stakes(state):
        payer, payee = (seat, banker) if losing else (banker, seat)
        after = after.pay(payer, payee, amount, f"ace-deuce-jack.{winner}", cards=cards)
    return after


def _stakes(state: AceDeuceJackState) -> list[tuple[int | None, int | None]]:
    """Who has bet how much; one unknown bettor if bets are unknown."""
    if state.start.level is Level.NONE:
        return [(None, None)]
    return [(bet.seat, bet.amount) for bet in state.bets]
