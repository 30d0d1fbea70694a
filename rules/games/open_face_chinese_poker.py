"""Open-Face Chinese Poker: three hands built card by card, for all to see.

Everybody gets five cards, turns them up in turn and sets them in three rows: three cards in front,
five in the middle, five at the back. Then each in turn takes one card and adds it to a row, until
all have thirteen. Each pair of players compares rows: a point for each row won, three more for all
of them, and royalties for rare hands; the difference is paid. A foul setting (a row stronger than
one behind it) pays six and the other's royalties. A player who sets queens or better in front plays
the next hand in fantasyland, setting thirteen cards at once, face down.

A hand's record (seat 1 deals; its beginning)::

    [Game "open-face-chinese-poker"]
    [Seats "2"]
    [Dealer "1"]

    deal 2 (AS) (AD) (KC) (7D) (2H)
    deal 1 (QS) (QD) (9C) (8D) (3H)
    2 show AS AD KC 7D 2H
    2 lay 2.back AS
    2 lay 2.back AD
    2 lay 2.middle 7D
    2 lay 2.middle 2H
    2 lay 2.front KC
    1 show QS QD 9C 8D 3H
    1 lay 1.front QS
    1 lay 1.front QD
    1 lay 1.middle 9C
    1 lay 1.back 8D
    1 lay 1.back 3H
    deal 2.back AC
    deal 1.middle 9H

Verbs: ``deal`` (the first cards face down, later ones face up to a row), ``show`` (the first five),
``lay ROW CARD`` (in fantasyland a whole row face down), ``turn ROW CARDS`` (a fantasyland hand at
the end), ``clear``. Two players may agree on a unit of their own between hands: ``unit 1 2 5``; it
is kept in the header: ``[Note "units 1-2:5"]``.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from rules.acts import Act, Verb
from rules.cards import Deck
from rules.dealing import lacking
from rules.errors import StartError
from rules.frozen import replace
from rules.game import Game, house_rule
from rules.phrases import Phrase
from rules.poker.hands import ACE_HIGH, Kind, Strength
from rules.poker.rows import (
    ALL,
    ROOM,
    SWEEP,
    Rows,
    face_down,
    hand_spot,
    is_set,
    owed,
    paired,
    row_name,
    row_spots,
    setting,
    turning,
)
from rules.resume import evened
from rules.spots import Face, Shape, Spot
from rules.start import Start
from rules.state import CLEARING, State
from rules.turn import Awaited, Turn
from rules.units import check_units, without_absent
from rules.verifying import need_place, need_whole_cards

DECK = Deck.standard()
FIRST = 5
"""Cards that everybody gets at first."""
FANTASYLAND = "fantasyland"
"""Key of the note with the seats that play the hand in fantasyland."""
FOUL = 6
QUEEN, SIX = 12, 6
BACK_ROYALTIES = {
    Kind.STRAIGHT: 2,
    Kind.FLUSH: 4,
    Kind.FULL_HOUSE: 6,
    Kind.QUADS: 10,
    Kind.STRAIGHT_FLUSH: 15,
    Kind.ROYAL_FLUSH: 25,
}
"""Royalties for a hand at the back; twice as much in the middle."""
FRONT_TRIPS = 20
MIDDLE_TRIPS = 2


@dataclass(frozen=True, kw_only=True)
class OpenFaceState(State):
    """State of a hand of Open-Face Chinese Poker."""

    dealt: bool = False
    """Whether the first cards have been dealt."""
    settled: bool = False
    heading: tuple[int, ...] = ()
    """The seats that play the next hand in fantasyland."""

    @property
    def dreaming(self) -> tuple[int, ...]:
        """The seats that play this hand in fantasyland."""
        return tuple(seat for seat in self.order if seat in fantasyland(self.start))

    @property
    def acting(self) -> int | None:
        """The seat to act: from the dealer's left, the first with the fewest cards placed.

        A player with five cards to set goes on until they are all placed. An extra card, with all
        rows full, is nobody's turn.
        """
        seats = [seat for seat in self.order if seat not in self.dreaming]
        setting_now = [s for s in seats if self.table.at(str(s)) and self.placed(s) < ALL]
        if setting_now:
            return setting_now[0]
        return min(
            (seat for seat in seats if self.placed(seat) < ALL), key=self.placed, default=None
        )

    def placed(self, seat: int) -> int:
        """The number of cards in the rows of `seat`."""
        return sum(len(self.table.at(row_name(seat, row))) for row in ROOM)

    def open_rows(self, seat: int) -> tuple[str, ...]:
        """The rows of `seat` that have room."""
        names = ((row_name(seat, row), room) for row, room in ROOM.items())
        return tuple(name for name, room in names if len(self.table.at(name)) < room)


def fantasyland(start: Start) -> tuple[int, ...]:
    """The seats noted as playing in fantasyland."""
    return tuple(int(word) for word in start.note(FANTASYLAND).split())


@dataclass(frozen=True)
class OpenFaceChinesePoker(Game[OpenFaceState]):
    """Open-Face Chinese Poker with its house rules.

    >>> [rule.name for rule in OpenFaceChinesePoker().house_rules()]
    ['unit', 'trips', 'strict_order']
    """

    name: ClassVar[str] = "open-face-chinese-poker"
    players: ClassVar[range] = range(2, 5)
    vocabulary: ClassVar[frozenset[Verb]] = frozenset({Verb.DEAL, Verb.SHOW, Verb.LAY, Verb.UNIT})

    unit: int = house_rule(
        1, "The chips of a point, unless two players agree on another unit.", least=1
    )
    trips: str = house_rule(
        "flat",
        "Three alike in front are 20 royalties, or 10 for twos up to 22 for aces and 2 in the "
        "middle.",
        choices=("flat", "standard"),
    )
    strict_order: bool = house_rule(False, "Equal rows are a foul too.")

    def deck(self, start: Start) -> Deck:
        """Fifty-two cards."""
        return DECK

    def spots(self, start: Start) -> tuple[Spot, ...]:
        """Three rows for each seat, and a place for cards that are not set yet."""
        dreaming = fantasyland(start)
        five = {
            seat: Spot("cards", owner=seat, capacity=FIRST, shape=Shape.ROW, face=Face.EITHER)
            for seat in start.seats
        }
        return tuple(
            spot
            for seat in start.seats
            for spot in (hand_spot(seat) if seat in dreaming else five[seat], *row_spots(seat))
        )

    def open(self, start: Start) -> OpenFaceState:
        """Start with nothing dealt."""
        self.check_start(start)
        check_units(start)
        words = start.note(FANTASYLAND).split()
        if not all(word.isdecimal() and int(word) in start.seats for word in words):
            raise StartError(f"the note {FANTASYLAND} names seats, got {' '.join(words)!r}")
        return OpenFaceState(game=self, start=start, limits=start.limits)

    def phase(self, state: OpenFaceState) -> str:
        """Dealing, fantasyland, turning-up, setting, drawing, showdown or paying."""
        if state.settled:
            return "paying"
        if not state.dealt:
            return "dealing"
        if not all(is_set(state, seat) for seat in state.dreaming):
            return "fantasyland"
        return _next_open(state)

    def turn(self, state: OpenFaceState) -> Turn:
        """What is awaited in each phase."""
        phase = self.phase(state)
        if phase == "dealing":
            return Turn(tuple(_dealing(state)))
        if phase == "fantasyland":
            each = (one for seat in state.dreaming for one in setting(state, seat))
            return Turn(tuple(each), together=True, also=tuple(_meanwhile(state)))
        if phase == "showdown":
            return Turn(tuple(one for seat in state.dreaming for one in turning(state, seat)))
        if phase == "paying" or state.acting is None:
            return Turn((CLEARING,))
        return _ACTIONS[phase](state, state.acting)

    def verify(self, state: OpenFaceState, act: Act) -> None:
        """Laying needs a seat; face-up cards are known."""
        need_place(act, Verb.LAY)
        need_whole_cards(act)

    def route(self, state: OpenFaceState, act: Act) -> tuple[str, str]:
        """Cards are set from those dealt first."""
        return str(act.seat), act.spot or ""

    def effect(self, state: OpenFaceState, act: Act) -> OpenFaceState:
        """Apply the act's consequences."""
        if state.settled or state.dealt:
            return state
        return replace(state, dealt=not _short(state))

    def concluded(self, state: OpenFaceState) -> OpenFaceState:
        """Compare the hands, once all are set and face up."""
        if state.settled or not state.dealt or self.phase(state) != "showdown":
            return state
        if any(True for seat in state.dreaming for _ in turning(state, seat)):
            return state
        return self._settled(state)

    def resumed(self, state: OpenFaceState, seat: int | None) -> OpenFaceState:
        """The cards show whether the first deal is done: all hold theirs, or some are set.

        Then no player holds more than what is left to set of these cards, except in plain view, and
        fewer only if nothing hidden is seen of them, under which others may lie.
        """
        done = not _short(state) or any(map(state.placed, state.order))
        after = replace(state, dealt=state.dealt or done)
        if not after.dealt:
            return after
        seen = {spot for spot, _ in state.acts[-1].layout}
        sizes: dict[int, int] = {}
        for one in state.order:
            left = max(0, (ALL if one in state.dreaming else FIRST) - state.placed(one))
            hand = after.table.at(str(one))
            if str(one) not in seen:
                sizes[one] = min(left, len(hand))
            elif any(not laid.up for laid in hand):
                sizes[one] = max(left, len(hand))
        return replace(after, table=evened(after.table, sizes))

    # What it is worth.

    def _settled(self, state: OpenFaceState) -> OpenFaceState:
        after = replace(state, settled=True)
        rows = {seat: Rows.of(state, seat) for seat in state.order}
        fouls = {seat for seat in rows if rows[seat].fouled(strict=self.strict_order)}
        for seat in state.order:
            after = after.call("rows.foul", seat=seat) if seat in fouls else after
        royal = {s: 0 if s in fouls else self.royalties(rows[s]) for s in rows}
        for seat in state.order:
            if royal[seat]:
                after = after.call("open-face.royalties", seat=seat, points=royal[seat])
        for one, other in paired(state):
            points = royal[one] - royal[other]
            if one in fouls or other in fouls:
                points += FOUL * ((other in fouls) - (one in fouls))
            else:
                points += _compared(rows[one], rows[other])
            after = owed(after, (one, other), points, self.unit, "compared")
        return _called(replace(after, heading=self._dreamers(after)))

    def royalties(self, rows: Rows) -> int:
        """The royalties for three hands.

        >>> from rules.cards import parse_cards
        >>> hands = ("QS QD 3C", "9H 8C 7S 6D 5C", "AH KH 8H 5H 2H")
        >>> OpenFaceChinesePoker().royalties(Rows(*map(parse_cards, hands)))
        15
        """
        front, middle, back = rows.worths
        points = self._front(front)
        points += 2 * BACK_ROYALTIES.get(middle.kind, 0) + BACK_ROYALTIES.get(back.kind, 0)
        standard = self.trips == "standard" and middle.kind is Kind.TRIPS
        return points + (MIDDLE_TRIPS if standard else 0)

    def _front(self, front: Strength) -> int:
        """Royalties in front: one to nine for pairs from sixes up, more for three alike."""
        if front.kind is Kind.TRIPS:
            return FRONT_TRIPS if self.trips == "flat" else front.ranks[0] + 8
        if front.kind is Kind.PAIR and front.ranks[0] >= SIX:
            return front.ranks[0] - SIX + 1
        return 0

    def _dreamers(self, state: OpenFaceState) -> tuple[int, ...]:
        """The seats that play the next hand in fantasyland."""
        return tuple(
            seat
            for seat in state.start.seats
            if _dreams(Rows.of(state, seat), seat in state.dreaming)
            and not Rows.of(state, seat).fouled(strict=self.strict_order)
        )

    def adjusted(self, start: Start, before: Start) -> Start:
        """Drop players who have left from fantasyland and from the agreed units.

        With nobody left in fantasyland, the deal passes on as after any other hand.
        """
        start, due = without_absent(start), fantasyland(start)
        staying = tuple(seat for seat in due if seat in start.seats)
        if staying == due:
            return start
        notes = tuple((name, note) for name, note in start.notes if name != FANTASYLAND)
        if staying:
            return replace(start, notes=notes).noting(fantasyland=" ".join(map(str, staying)))
        moved = start.dealer is None or start.dealer != before.dealer
        dealer = start.dealer if moved else start.after(start.dealing_seat)
        return replace(start, notes=notes, dealer=dealer)

    def follow(self, state: OpenFaceState) -> Start:
        """Pass the deal to the left; for a hand in fantasyland the dealer stays."""
        start = super().follow(state)
        if state.void:
            return start
        dreamers = state.heading
        notes = tuple((name, note) for name, note in start.notes if name != FANTASYLAND)
        if dreamers:
            stays = replace(start, dealer=start.dealing_seat, notes=notes)
            return stays.noting(**{FANTASYLAND: " ".join(map(str, dreamers))})
        return replace(start, dealer=start.after(start.dealing_seat), notes=notes)


def _short(state: OpenFaceState) -> list[int]:
    """The seats short of cards in the first deal: five each, then eight more in fantasyland."""
    held = {seat: len(state.table.at(str(seat))) for seat in state.order}
    first = [seat for seat in state.order if held[seat] < FIRST]
    return first or [seat for seat in state.dreaming if held[seat] < ALL]


def _dealing(state: OpenFaceState) -> Iterator[Awaited]:
    seats = _short(state)
    begun = len(state.table.at(str(seats[0]))) >= FIRST
    for spots, missing in lacking(state, map(str, seats), ALL if begun else FIRST):
        says = Phrase.of("turn.deal-each", seat=int(spots[0]), count=missing)
        yield Awaited(Verb.DEAL, says, spots=spots, pick=missing, counts=(1, missing), down=True)


def _turning_up(state: OpenFaceState, seat: int) -> Turn:
    """Turn all cards up and then set them, or turn up each one as it is set."""
    hidden = face_down(state, str(seat))
    says, counts = Phrase.of("turn.show", seat=seat), (1, len(hidden))
    shows = Awaited(Verb.SHOW, says, (seat,), pick=len(hidden), counts=counts, among=hidden)
    return Turn((shows,), tuple(replace(one, required=False) for one in _rows(state, seat)))


def _laying(state: OpenFaceState, seat: int) -> Turn:
    return Turn(tuple(_rows(state, seat)))


def _rows(state: OpenFaceState, seat: int) -> Iterator[Awaited]:
    """Each row with room takes as many of the cards as fit, one by one or together."""
    cards, says = state.table.cards(str(seat)), Phrase.of("turn.set", seat=seat)
    for spot in state.open_rows(seat):
        room = state.spots[spot].capacity - len(state.table.at(spot))
        counts = (1, min(room, len(cards)))
        yield Awaited(Verb.LAY, says, (seat,), spots=(spot,), pick=1, counts=counts, among=cards)


def _drawing(state: OpenFaceState, seat: int) -> Turn:
    says, spots = Phrase.of("open-face.turn.draw", seat=seat), state.open_rows(seat)
    return Turn((Awaited(Verb.DEAL, says, spots=spots, pick=1, rule="open-face.row"),))


def _next_open(state: OpenFaceState) -> str:
    """The next phase for those who set face up; the showdown when all have."""
    seat = state.acting
    if seat is None:
        return "showdown"
    if face_down(state, str(seat)):
        return "turning-up"
    return "setting" if state.table.at(str(seat)) else "drawing"


def _meanwhile(state: OpenFaceState) -> Iterator[Awaited]:
    """What the others may already do while somebody sets thirteen cards."""
    if state.acting is not None:
        yield from _ACTIONS[_next_open(state)](state, state.acting)


_ACTIONS = {"turning-up": _turning_up, "setting": _laying, "drawing": _drawing}


def _compared(one: Rows, other: Rows) -> int:
    """A point for each row won, and three more for all of them."""
    results = one.against(other)
    swept = SWEEP * ((min(results) > 0) - (max(results) < 0))
    return sum(results) + swept


def _dreams(rows: Rows, dreaming: bool) -> bool:
    """Whether these rows lead to fantasyland, or let a player stay there."""
    front, middle, back = rows.worths
    if front.kind is Kind.TRIPS:
        return True
    if dreaming:
        return middle.kind >= Kind.FULL_HOUSE or back.kind >= Kind.QUADS
    return front.kind is Kind.PAIR and QUEEN <= front.ranks[0] <= ACE_HIGH


def _called(state: OpenFaceState) -> OpenFaceState:
    if not state.heading:
        return state
    return state.call("open-face.fantasyland", seats=state.heading)
