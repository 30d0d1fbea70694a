"""Playing tricks at the table: hidden hands, a card in front of each seat, piles of tricks.

A trick-taking game defines who takes part, who leads first and which duties a play has; the rest is
here. Each card lies face up at its player's trick spot. A full trick is decided at once; then the
winner gathers it, face down and crosswise, and leads to the next.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar, Generic, TypeVar

from rules.acts import Act, Verb
from rules.cards import Card, Suit
from rules.errors import ActError
from rules.frozen import replace
from rules.game import Game
from rules.phrases import Phrase
from rules.spots import GONE, Face, Move, Shape, Spot, Trace
from rules.state import CLEARING, State
from rules.tricks.revokes import proven
from rules.tricks.trick import Duties, Neglected, Played, Trick
from rules.turn import Awaited, Turn
from rules.verifying import need_cards, need_seat

TRICK, WON = "trick", "won"
"""The roles of the two spots in front of each seat: the card played, the tricks won."""
NEGLECTED = "tricks."
"""The prefix of duties in the names of rules that violations cite."""


def hand_spot(seat: int, count: int) -> Spot:
    """The cards that a player holds."""
    return Spot("cards", owner=seat, capacity=count, shape=Shape.FAN, face=Face.EITHER, held=True)


def trick_spots(
    seats: Iterable[int], count: int, *, piles: Iterable[int] = (), limit: int = 0
) -> Iterator[Spot]:
    """The spots for hands of `count` cards, the tricks played and, at `piles`, the tricks won.

    A hand may temporarily hold up to `limit` cards.
    """
    players = tuple(seats)
    for seat in players:
        yield replace(hand_spot(seat, count), limit=limit)
        yield Spot(TRICK, owner=seat, shape=Shape.SINGLE, face=Face.EITHER)
    for seat in piles:
        yield Spot(WON, owner=seat, capacity=len(players) * count, shape=Shape.PILE, face=Face.DOWN)


def trick_spot(seat: int) -> str:
    """The name of the spot that a seat plays to."""
    return f"{seat}.{TRICK}"


@dataclass(frozen=True, kw_only=True)
class TrickState(State):
    """State common to all trick-taking games."""

    dealt: bool = False
    """Whether the hands are complete; from then on their sizes say nothing about the deal."""
    trump: Suit | None = None
    tricks: tuple[Trick, ...] = ()
    """The decided tricks, gathered or not."""
    trick: Trick = ()
    """The trick in play."""
    winners: tuple[int, ...] = ()
    """The winner of each of `tricks`."""
    settled: bool = False
    """Whether the hand has been scored or paid."""

    def won(self, *seats: int) -> int:
        """The number of tricks that `seats` have won."""
        return sum(winner in seats for winner in self.winners)

    @property
    def lying(self) -> bool:
        """Whether cards of a decided trick are still there."""
        return not self.trick and any(self.table.at(trick_spot(seat)) for seat in self.start.seats)


T = TypeVar("T", bound=TrickState)


@dataclass(frozen=True)
class TrickGame(Game[T], Generic[T]):
    """A trick-taking game in which one card is played after another."""

    duties: ClassVar[Duties]
    """The duties of a play to a trick."""
    discarding: ClassVar[str] = GONE
    """Where cards go that a player discards."""

    # What a game must define.

    @abstractmethod
    def opener(self, state: T) -> int:
        """The seat that leads to the first trick."""

    # What a game may override.

    def taking_part(self, state: T) -> tuple[int, ...]:
        """The seats that play this hand."""
        return state.start.seats

    def facts(self, state: T) -> Iterator[Phrase]:
        """Trumps, and the number of tricks won by each seat."""
        yield from super().facts(state)
        if state.trump is not None:
            yield Phrase.of("facts.trump", suit=state.trump)
        if not state.settled:
            for seat in state.start.seats:
                if won := state.won(seat):
                    yield Phrase.of("facts.tricks", seat=seat, count=won)

    def friendly(self, state: T, seat: int, trick: Trick) -> bool:
        """Whether the side of `seat` is winning `trick`, which frees it of some duties."""
        return False

    def pile(self, state: T, winner: int) -> str:
        """The place where the winner's tricks go."""
        name = f"{winner}.{WON}"
        return name if name in state.spots else GONE

    # Whose turn it is.

    def player(self, state: T) -> int | None:
        """The seat that plays to the trick now; None if it is full or nobody has a card left."""
        leader = state.trick[0].seat if state.trick else self.leader(state)
        played = {play.seat for play in state.trick}
        active = self.taking_part(state)
        ring = (leader, *state.start.following(leader, self.direction))
        waiting = (s for s in ring if s in active and s not in played and state.hand(s))
        return next(waiting, None)

    def leader(self, state: T) -> int:
        """The seat that leads to the next trick."""
        return state.winners[-1] if state.winners else self.opener(state)

    def playing(self, state: T) -> Turn:
        """The next card to the trick, or the gathering of a full one."""
        if state.lying:
            return Turn((self._gathering(state),))
        seat = self.player(state)
        if seat is None:  # tricks are decided at once, but a resumed table may lack cards
            return Turn((CLEARING,))
        lead = "turn.play" if state.trick else "turn.lead"
        hand = state.hand(seat)
        return Turn((Awaited(Verb.PLAY, Phrase.of(lead, seat=seat), (seat,), pick=1, among=hand),))

    def _gathering(self, state: T) -> Awaited:
        return Awaited(Verb.GATHER, Phrase.of("turn.gather", seat=self.leader(state)))

    def ending(self, state: T) -> Turn:
        """The end of the hand: all cards leave, the last trick perhaps by way of its winner."""
        gather = replace(self._gathering(state), required=False)
        return Turn((CLEARING, gather) if state.lying else (CLEARING,))

    def played_out(self, state: T) -> bool:
        """Whether no card is left to play."""
        return not state.trick and self.player(state) is None

    # What the acts mean and do.

    def verify(self, state: T, act: Act) -> None:
        """Cards are played face up, drawn and discarded by a seat; gathering needs some to lie."""
        match act.verb:
            case Verb.PLAY:
                verify_play(act)
            case Verb.DRAW | Verb.DISCARD:
                need_seat(act, act.verb)
                need_cards(act, act.verb)
            case Verb.GATHER if not any(self._lying(state)):
                raise ActError(f"'{act}': no card lies at any trick spot")

    def route(self, state: T, act: Act) -> tuple[str, str]:
        """Cards go from the hand to the trick spot in front of it, or are drawn or discarded."""
        if act.verb is Verb.DISCARD:
            return str(act.seat), self.discarding
        if act.verb is Verb.DRAW and act.spot is not None:
            return act.spot, str(act.seat)
        if act.verb is not Verb.PLAY:
            return super().route(state, act)
        assert act.seat is not None
        return str(act.seat), trick_spot(act.seat)

    def trace(self, state: T, act: Act) -> Trace:
        """A gathered trick goes to its winner's pile."""
        if act.verb is not Verb.GATHER:
            return super().trace(state, act)
        pile = self.pile(state, self._gatherer(state))
        return tuple(Move(card, spot, pile, up=pile == GONE) for spot, card in self._lying(state))

    def _gatherer(self, state: T) -> int:
        if state.trick:
            return self.duties.order.winner(state.trick, state.trump)
        return self.leader(state)

    def _lying(self, state: T) -> Iterator[tuple[str, Card]]:
        for seat in state.start.seats:
            spot = trick_spot(seat)
            yield from ((spot, card) for card in state.table.cards(spot))

    def took_place(self, state: T, act: Act) -> T:
        """Apply playing, showing and gathering; hands are judged with each card."""
        if act.verb is Verb.PLAY and act.seat is not None:
            plays = tuple(Played(act.seat, card, len(state.acts)) for card in act.cards)
            return self.judged(replace(state, trick=(*state.trick, *plays)), act.seat)
        if act.verb in (Verb.SHOW, Verb.TURN):
            for seat in state.start.seats:
                state = self.judged(state, seat)
        return self.decided(state) if act.verb is Verb.GATHER else state

    def decided(self, state: T) -> T:
        """The state with the trick in play won by its best card."""
        if not state.trick:
            return state
        winner = self.duties.order.winner(state.trick, state.trump)
        after = replace(
            state,
            tricks=(*state.tricks, state.trick),
            winners=(*state.winners, winner),
            trick=(),
        )
        return after.call("tricks.won", seat=winner)

    def when_full(self, state: T) -> T:
        """The state with the trick in play decided, if nobody has to play to it any more."""
        return self.decided(state) if state.trick and self.player(state) is None else state

    def resumed(self, state: T, seat: int | None) -> T:
        """The current trick is what is on the table; it shows who led, and so whose turn it is."""
        lying = {s: card for s in state.start.seats for card in self._open_at(state, s)}
        known = {play.seat: play.card for play in state.trick}
        last = {play.seat: play.card for play in state.tricks[-1]} if state.tricks else {}
        if not state.dealt or state.settled or lying in (known, last):
            return state
        if not lying:
            return replace(state, trick=())
        ring = self._from_the_leader(state, tuple(lying))
        trick = tuple(Played(one, lying[one], len(state.acts)) for one in ring)
        return self.when_full(replace(state, trick=trick))

    def _open_at(self, state: T, seat: int) -> tuple[Card, ...]:
        view = state.table.view(trick_spot(seat))
        return tuple(card for card in view if card.known)[:1]

    def _from_the_leader(self, state: T, played: tuple[int, ...]) -> tuple[int, ...]:
        """The seats that have played, in order; the leader comes after one that has not played."""
        active = self.taking_part(state)
        first = state.trick[0].seat if state.trick else self.leader(state)
        round_ = (first, *state.start.following(first, self.direction))
        ring = tuple(seat for seat in round_ if seat in active)
        late = [place for place, seat in enumerate(ring) if seat not in played]
        if ring and ring[0] not in played and late:
            gap = next((p for p in reversed(late) if ring[(p + 1) % len(ring)] in played), late[-1])
            ring = (*ring[gap + 1 :], *ring[: gap + 1])
        others = tuple(seat for seat in played if seat not in active)
        return (*(seat for seat in ring if seat in played), *others)

    # Duties.

    def neglected(
        self, state: T, seat: int, card: Card, held: Sequence[Card], trick: Trick
    ) -> Neglected | None:
        """The duty that `card` of `seat` would neglect, for a hand that also holds `held`."""
        friendly = bool(trick) and self.friendly(state, seat, trick)
        return self.duties.neglected(card, held, trick, state.trump, friendly=friendly)

    def conceals(self, state: T, act: Act) -> str | None:
        """The duty, if any, that a card neglects although the hand could meet it, out of sight."""
        if act.verb is not Verb.PLAY or act.seat is None:
            return None
        hand = state.hand(act.seat)
        found = self.neglected(state, act.seat, act.card, hand, state.trick)
        return f"{NEGLECTED}{found.duty}" if found else None

    def judged(self, state: T, seat: int) -> T:
        """The state with a violation for each play of `seat` that is only now proven wrong."""

        def judge(trick: Trick, play: Played, held: Sequence[Card]) -> Neglected | None:
            return self.neglected(state, seat, play.card, held, trick)

        accused = {v.since for v in state.violations if v.rule.startswith(NEGLECTED)}
        tricks, known = (*state.tricks, state.trick), self.held(state, seat)
        for one in proven(tricks, seat, judge, known):
            if one.play.act not in accused:
                state = state.flag(
                    f"{NEGLECTED}{one.duty}",
                    since=one.play.act,
                    seat=seat,
                    cards=(one.play.card, one.card),
                    trick=one.trick,
                    shown=len(tricks),
                )
        return state

    def held(self, state: T, seat: int) -> tuple[Card, ...]:
        """The cards that `seat` is known to hold, and to have held since the first trick."""
        return state.showing(seat)


def verify_play(act: Act, *, down: bool = False) -> None:
    """Raise `ActError` unless a seat plays cards with rank and suit, face up or all face down."""
    if act.seat is None:
        raise ActError(f"'{act}': expected the seat that plays before the verb")
    if not act.cards:
        raise ActError(f"'{act}': expected a card, got none")
    if act.down and not down:
        raise ActError(f"'{act}': cards are played face up; expected one such as QS")
    if not act.down and any(not card.known for card in act.cards):
        raise ActError(f"'{act}': a played card counts by rank and suit; expected one such as QS")
