"""Declaring at the table: who claims to hold what, when it is shown, and what proves it false.

Declarations are made before the first trick, or with a player's first card and shown before the
second. King and queen of trumps have words of their own, which may be said at any time.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import TypeVar

from rules.acts import Act, Verb
from rules.cards import Card, Rank
from rules.frozen import replace
from rules.phrases import Phrase
from rules.tricks.declarations import KINDS, ROYAL, Declaration, highest, overlaps, refuted
from rules.tricks.play import TrickState
from rules.turn import Awaited

ROYAL_RANKS = frozenset("KQ")
FALSE = "belote.false-declaration"


@dataclass(frozen=True, kw_only=True)
class DeclaringState(TrickState):
    """State of a game of two sides that declare combinations."""

    declared: tuple[Declaration, ...] = ()
    spoken: tuple[int, ...] = ()
    """The seats that have nothing more to declare."""
    royal: tuple[Declaration, ...] = ()
    """The belote and rebelote announcements so far."""
    shown: tuple[int, ...] = ()
    """The declarations that everybody has seen in time, by the numbers of their acts."""

    def side(self, seat: int) -> tuple[int, ...]:
        """A seat and the one opposite."""
        return self.start.seats[self.start.seats.index(seat) % 2 :: 2]

    def played(self, seat: int) -> tuple[Card, ...]:
        """The cards that a seat has played."""
        return tuple(p.card for t in (*self.tricks, self.trick) for p in t if p.seat == seat)

    @property
    def belote(self) -> int | None:
        """The seat that has played both king and queen of trumps."""
        holders = [
            play.seat
            for trick in (*self.tricks, self.trick)
            for play in trick
            if play.card.suit is self.trump and play.card.rank in ROYAL_RANKS
        ]
        return holders[0] if len(holders) == 2 and len(set(holders)) == 1 else None


D = TypeVar("D", bound=DeclaringState)


def said_to_hold(state: DeclaringState, seat: int) -> tuple[Card, ...]:
    """The cards that `seat` has declared and not played yet."""
    told = (*state.declared, *state.royal)
    said = {card for one in told if one.seat == seat for card in one.cards}
    return tuple(sorted(said - set(state.played(seat)), key=str))


def before_play(state: DeclaringState, seat: int) -> Iterator[Awaited]:
    """Before the first trick, each player in turn declares or passes."""
    says, hand = Phrase.of("belote.turn.declare", seat=seat), state.hand(seat)
    words = tuple((kind,) for kind in KINDS)
    yield Awaited(Verb.PASS, says, (seat,))
    yield Awaited(Verb.DECLARE, says, (seat,), pick=1, among=hand, words=words, required=False)


@cache
def royal_words(seats: tuple[int, ...]) -> tuple[Awaited, ...]:
    """The words for king and queen of trumps, which anybody may say at any time."""
    says, words = Phrase("belote.turn.royal"), tuple((word,) for word in ROYAL)
    return (Awaited(Verb.DECLARE, says, seats, words=words, required=False),)


def royal_called(state: DeclaringState, act: Act) -> Declaration | None:
    """King and queen of trumps, as declared by saying a word for them."""
    assert act.seat is not None
    if state.trump is None:
        return None
    return Declaration(act.seat, act.words[0], Card(Rank.KING, state.trump), len(state.acts))


def royal_said(state: D, act: Act) -> D:
    """Note a belote: its holder has king and queen of trumps, and says rebelote with the second."""
    one = royal_called(state, act)
    if one is None or any(other.seat == one.seat for other in state.royal):
        return state
    return replace(state, royal=(*state.royal, one))


def on_request(state: DeclaringState) -> Iterator[Awaited]:
    """During the first trick, others may ask to see what was declared."""
    if state.tricks:
        return
    played = {play.card for play in state.trick}
    for one in state.declared:
        if played.isdisjoint(one.cards) and not set(one.cards) <= set(state.showing(one.seat)):
            says = Phrase.of("belote.turn.show", seat=one.seat, cards=one.cards)
            yield Awaited(
                Verb.SHOW,
                says,
                (one.seat,),
                pick=len(one.cards),
                counts=(1, len(one.cards)),
                among=one.cards,
                required=False,
            )


def with_first_card(state: DeclaringState, player: int | None) -> Iterator[Awaited]:
    """Players may declare with their first card, until the second trick is led."""
    if len(state.tricks) > 1 or (state.tricks and state.trick):
        return
    first = state.tricks[0] if state.tricks else state.trick
    due = player if not state.tricks else None
    for seat in (*([due] if due is not None else []), *(play.seat for play in reversed(first))):
        says, cards = Phrase.of("belote.turn.declare", seat=seat), state.played(seat)
        among, words = (*state.hand(seat), *cards), tuple((kind,) for kind in KINDS)
        yield Awaited(Verb.DECLARE, says, (seat,), pick=1, among=among, words=words, required=False)


def before_second_card(state: DeclaringState, player: int | None) -> Iterator[Awaited]:
    """Before their second card, players of the side with the highest declaration show theirs."""
    seat, best = player, highest(state.declared, state.trump)
    if best is None or state.lying or len(state.tricks) != 1 or seat not in state.side(best.seat):
        return
    for one in state.declared:
        cards = unseen(state, one)
        if one.seat == seat and cards:
            says, some = Phrase.of("belote.turn.show-now", seat=seat, cards=cards), (1, len(cards))
            yield Awaited(Verb.SHOW, says, (seat,), pick=len(cards), counts=some, among=cards)


def early(state: DeclaringState) -> Iterator[Awaited]:
    """Declared cards may be shown before they have to be."""
    for one in state.declared:
        cards = unseen(state, one)
        if cards and len(state.played(one.seat)) < 2:
            says = Phrase.of("belote.turn.show", seat=one.seat, cards=cards)
            counts = (1, len(cards))
            yield Awaited(Verb.SHOW, says, (one.seat,), pick=len(cards), counts=counts, among=cards)


def unseen(state: DeclaringState, one: Declaration) -> tuple[Card, ...]:
    """The cards of a declaration that are not face up anywhere."""
    seen = {*state.showing(one.seat), *state.played(one.seat)}
    return tuple(card for card in one.cards if card not in seen)


def seen(state: D) -> D:
    """The state with the declarations noted that all have seen before the second card."""
    new = tuple(
        one.act
        for one in state.declared
        if one.act not in state.shown and len(state.played(one.seat)) < 2 and not unseen(state, one)
    )
    return replace(state, shown=(*state.shown, *new)) if new else state


def declared(state: D, one: Declaration) -> D:
    """The state with a declaration, and a violation if one of its cards was declared already."""
    after = replace(state, declared=(*state.declared, one))
    if overlaps(state.declared, one):
        return after.flag("belote.declared-twice", seat=one.seat, cards=one.cards)
    return after


def exposed(state: D) -> D:
    """The state with a violation for each declaration now proven false."""
    told = (*state.declared, *state.royal)
    if not told:
        return state
    accused = {violation.since for violation in state.violations if violation.rule == FALSE}
    tricks = (*state.tricks, state.trick)
    held = {seat: state.showing(seat) for seat in state.order}
    left = {seat: len(state.hand(seat)) for seat in state.order}
    for one, missing in refuted(told, tricks, held, left):
        if one.act not in accused:
            state = state.flag(FALSE, since=one.act, seat=one.seat, cards=missing)
    return state
