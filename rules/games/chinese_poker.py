"""Chinese Poker: thirteen cards set in three hands, compared with every opponent's.

Everybody sets thirteen cards face down: three in front, five in the middle, five at the back, each
row at least as strong as the one in front of it. Certain hands (naturals) may be declared and shown
instead: a dragon is paid thirteen units by everybody; three flushes, three straights and six pairs
three. Then anybody may surrender, for two units to each opponent. The others show; each row won is
worth a unit, rare hands in their row more, and all three rows three units more. A foul setting
loses to all that are not foul.

A hand's record (two players; `lay` sets a row face down)::

    [Game "chinese-poker"]
    [Seats "2"]
    [Dealer "1"]

    deal 2 (AS) (AD) (KC) (KD) (KH) (9S) (9D) (5C) (5D) (5H) (7S) (8C) (2D)
    deal 1 (AC) (QS) (QD) (QH) (JC) (TS) (9C) (8S) (7D) (4C) (4D) (3H) (2S)
    2 lay 2.back (KC) (KD) (KH) (9S) (9D)
    2 lay 2.middle (5C) (5D) (5H) (7S) (8C)
    2 lay 2.front (AS) (AD) (2D)
    1 lay 1.back (JC) (TS) (9C) (8S) (7D)
    1 lay 1.middle (QS) (QD) (QH) (3H) (2S)
    1 lay 1.front (AC) (4C) (4D)
    close
    1 declare surrender
    close
    clear

Verbs: ``deal``, ``lay ROW CARDS``, ``declare dragon|three-flushes|three-straights|six-pair``,
``show`` (a dragon or six pairs, out of the hand), ``close`` (no more naturals; nobody else
surrenders), ``declare surrender``, ``turn ROW CARDS``, ``clear``. Two players may agree on a unit
of their own between hands: ``unit 1 2 5``; it is kept in the header: ``[Note "units 1-2:5"]``.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from rules.acts import Act, Verb
from rules.cards import Card, Deck
from rules.dealing import lacking
from rules.errors import ActError
from rules.frozen import replace
from rules.game import Game, house_rule
from rules.phrases import Phrase
from rules.poker.hands import Kind, Strength
from rules.poker.naturals import NATURALS, UNSET, Natural, ranked
from rules.poker.rows import (
    ALL,
    SWEEP,
    Rows,
    face_down,
    hand_spot,
    is_set,
    last_act,
    owed,
    paired,
    row_spots,
    setting,
    turning,
)
from rules.showing import willing
from rules.spots import Spot
from rules.start import Start
from rules.state import CLEARING, State
from rules.turn import Awaited, Turn
from rules.units import check_units, without_absent
from rules.verifying import need_place, need_seat

DECK = Deck.standard()
SURRENDER, SURRENDERED = "surrender", 2
FOUL_FLAT = 6


@dataclass(frozen=True, kw_only=True)
class ChineseState(State):
    """State of a hand of Chinese Poker."""

    dealt: bool = False
    declared: tuple[tuple[int, str], ...] = ()
    """The natural that each seat has declared."""
    surrendered: frozenset[int] = frozenset()
    closes: int = 0
    """How many rounds of declaring are closed: that of naturals, then that of surrender."""
    judged: frozenset[int] = frozenset()
    """The seats whose natural has been checked."""
    settled: bool = False

    def natural(self, seat: int) -> str:
        """The natural that `seat` has declared; empty if none."""
        return dict(self.declared).get(seat, "")

    def laid(self, seat: int) -> bool:
        """Whether `seat` has laid all the cards that there is room for."""
        return is_set(self, seat)

    @property
    def players(self) -> tuple[int, ...]:
        """The seats that show three rows at the end."""
        return tuple(s for s in self.order if not self.natural(s) and s not in self.surrendered)

    @property
    def comparing(self) -> tuple[int, ...]:
        """The seats that turn their rows up; a single player left need not."""
        return self.players if len(self.players) > 1 else ()


@dataclass(frozen=True)
class ChinesePoker(Game[ChineseState]):
    """Chinese Poker with its house rules.

    >>> ChinesePoker().house_rules()[0].name
    'unit'
    """

    name: ClassVar[str] = "chinese-poker"
    also: ClassVar[tuple[str, ...]] = ("pusoy",)
    players: ClassVar[range] = range(2, 5)
    vocabulary: ClassVar[frozenset[Verb]] = frozenset(
        {Verb.DEAL, Verb.LAY, Verb.DECLARE, Verb.SHOW, Verb.CLOSE, Verb.UNIT}
    )

    unit: int = house_rule(1, "The chips of a unit, unless two players agree on another.", least=1)
    rates: str = house_rule(
        "replace",
        "The pay for rare hands replaces the row's unit, or comes on top.",
        choices=("replace", "add"),
    )
    foul: str = house_rule(
        "rows",
        "A foul setting loses all three rows at their value, or six units.",
        choices=("rows", "six"),
    )
    surrender_to_naturals: bool = house_rule(
        True, "Players who surrender pay two units to holders of naturals too."
    )
    six_pair: str = house_rule(
        "quads",
        "Four alike count as two pairs, or pairs must differ, or any odd card will do.",
        choices=("quads", "distinct", "any"),
    )
    low_aces: bool = house_rule(True, "Three straights may include ace-two-three and ace to five.")
    strict_order: bool = house_rule(False, "Equal rows are a foul too.")

    def deck(self, start: Start) -> Deck:
        """Fifty-two cards."""
        return DECK

    def spots(self, start: Start) -> tuple[Spot, ...]:
        """A hand and three rows for each seat."""
        return tuple(spot for seat in start.seats for spot in (hand_spot(seat), *row_spots(seat)))

    def open(self, start: Start) -> ChineseState:
        """Start with nothing dealt."""
        self.check_start(start)
        check_units(start)
        return ChineseState(game=self, start=start, limits=start.limits)

    def phase(self, state: ChineseState) -> str:
        """Dealing, setting, naturals, proving, surrender, showdown or paying."""
        if state.settled:
            return "paying"
        if not state.dealt:
            return "dealing"
        if any(not state.natural(s) and not state.laid(s) for s in state.order):
            return "setting"
        if state.closes == 0:
            return "naturals"
        if any(True for _ in _proofs(state)):
            return "proving"
        return "surrender" if state.closes == 1 and state.players else "showdown"

    def turn(self, state: ChineseState) -> Turn:
        """What is awaited in each phase."""
        match self.phase(state):
            case "dealing":
                return Turn(tuple(_dealing(state)))
            case "setting":
                also = (*_proofs(state), *_meanwhile(state))
                return Turn(tuple(_setting(state)), together=True, also=also)
            case "naturals":
                close = Awaited(Verb.CLOSE, Phrase("chinese.turn.naturals"))
                set_ = _declaring(state, ("three-flushes", "three-straights"))
                folds = () if state.declared else _declaring(state, (SURRENDER,))
                also = (*_declaring(state, UNSET), *_proofs(state), *folds)
                return Turn((close, *set_), also=also)
            case "proving":
                return Turn(tuple(_proofs(state)), together=True)
            case "surrender":
                close = Awaited(Verb.CLOSE, Phrase("chinese.turn.surrender"))
                return Turn((close, *_declaring(state, (SURRENDER,))))
            case "showdown":
                each = (one for s in state.comparing for one in turning(state, s))
                return Turn(tuple(each), together=True)
        return Turn((CLEARING,), tuple(willing(state)))

    def verify(self, state: ChineseState, act: Act) -> None:
        """Laying and declaring need a seat; cards that are shown are known."""
        need_place(act, Verb.LAY)
        need_seat(act, Verb.DECLARE)
        if act.verb is Verb.DECLARE and act.words not in [(w,) for w in (*NATURALS, SURRENDER)]:
            raise ActError(f"'{act}': expected {', '.join(NATURALS)} or {SURRENDER}")
        if act.verb in (Verb.SHOW, Verb.TURN) and any(not card.known for card in act.cards):
            raise ActError(f"'{act}': rank and suit count; expected whole cards, such as QS")

    def route(self, state: ChineseState, act: Act) -> tuple[str, str]:
        """Rows are laid from the hand."""
        return str(act.seat), act.spot or ""

    def effect(self, state: ChineseState, act: Act) -> ChineseState:
        """Apply the act's consequences."""
        return state if state.settled else self._done(_served(state), act)

    def concluded(self, state: ChineseState) -> ChineseState:
        """Compare the hands, once all that must be face up is."""
        if state.settled:
            return state
        after = self._proven(_served(state))
        if self.phase(after) != "showdown" or any(
            True for seat in after.comparing for _ in turning(after, seat)
        ):
            return after
        return self._settled(after)

    def _done(self, state: ChineseState, act: Act) -> ChineseState:
        match act.verb:
            case Verb.CLOSE:
                return replace(state, closes=state.closes + 1)
            case Verb.DECLARE if act.words == (SURRENDER,) and act.seat is not None:
                return replace(state, surrendered=state.surrendered | {act.seat})
            case Verb.DECLARE if act.seat is not None and not state.natural(act.seat):
                said = tuple(sorted((*state.declared, (act.seat, act.words[0]))))
                return replace(state, declared=said)
        return state

    def _proven(self, state: ChineseState) -> ChineseState:
        """Check what was declared once it is face up; a false natural does not count."""
        for seat, word in state.declared:
            if seat in state.judged or _unproven(state, seat):
                continue
            state = replace(state, judged=state.judged | {seat})
            if self.natural(state, seat, word) is None:
                since = last_act(state, Verb.DECLARE, seat)
                kept = tuple(entry for entry in state.declared if entry[0] != seat)
                cards = _own(state, seat)
                state = replace(state, declared=kept)
                state = state.flag("chinese.false-natural", since=since, seat=seat, cards=cards)
            else:
                state = state.call(f"chinese.{word}", seat=seat)
        return state

    def conceals(self, state: ChineseState, act: Act) -> str | None:
        """Whether a declared natural is false."""
        if act.verb is not Verb.DECLARE or act.seat is None or act.words == (SURRENDER,):
            return None
        if self.natural(state, act.seat, act.words[0]) is None:
            return "chinese.false-natural"
        return None

    def natural(self, state: ChineseState, seat: int, name: str) -> Natural | None:
        """The rank of `seat`'s natural called `name`, or None if these cards do not make it."""
        rows, how = Rows.of(state, seat), self.six_pair
        return ranked(name, _own(state, seat), rows, six_pair=how, low_aces=self.low_aces)

    # Who pays whom.

    def _settled(self, state: ChineseState) -> ChineseState:
        after = replace(state, settled=True)
        fouls = [s for s in state.comparing if Rows.of(state, s).fouled(strict=self.strict_order)]
        for seat in fouls:
            after = after.call("rows.foul", seat=seat)
        for one, other in paired(state):
            pair = one, other
            after = owed(after, pair, self._naturals(state, one, other), self.unit, "natural")
            after = owed(after, pair, self._surrender(state, one, other), self.unit, SURRENDER)
            if one in state.players and other in state.players:
                points = self._points(state, one, other, fouls)
                after = owed(after, pair, points, self.unit, "compared")
        return after

    def _naturals(self, state: ChineseState, one: int, other: int) -> int:
        mine, theirs = (self.natural(state, s, state.natural(s)) for s in (one, other))
        if mine == theirs:
            return 0
        first = theirs is None or (mine is not None and mine > theirs)
        won = NATURALS[state.natural(one if first else other)]
        return won if first else -won

    def _surrender(self, state: ChineseState, one: int, other: int) -> int:
        """Two units to each opponent; two who surrender cancel out."""
        paid = 0
        for sign, payer, payee in ((1, other, one), (-1, one, other)):
            spared = not self.surrender_to_naturals and state.natural(payee)
            if payer in state.surrendered and not spared:
                paid += sign * SURRENDERED
        return paid

    def _points(self, state: ChineseState, one: int, other: int, fouls: list[int]) -> int:
        mine, theirs = Rows.of(state, one), Rows.of(state, other)
        if one in fouls and other in fouls:
            return 0
        if one in fouls or other in fouls:
            winner, sign = (theirs, -1) if one in fouls else (mine, 1)
            return sign * (FOUL_FLAT if self.foul == "six" else self._won(winner, (1, 1, 1)))
        results = mine.against(theirs)
        lost = tuple(-result for result in results)
        return self._won(mine, results) - self._won(theirs, lost)

    def _won(self, rows: Rows, results: tuple[int, ...]) -> int:
        """The pay for the rows won, with the scoop."""
        points = sum(
            self._rate(place, worth)
            for place, (worth, result) in enumerate(zip(rows.worths, results, strict=True))
            if result > 0
        )
        return points + (SWEEP if min(results) > 0 else 0)

    def _rate(self, place: int, worth: Strength) -> int:
        """The pay for one row won; more for rare hands."""
        rare = 0
        if place == 0:
            rare = 3 if worth.kind is Kind.TRIPS else 0
        elif worth.kind >= Kind.STRAIGHT_FLUSH:
            rare = 5
        elif worth.kind is Kind.QUADS:
            rare = 4
        elif worth.kind is Kind.FULL_HOUSE and place == 1:
            rare = 2
        return (rare or 1) if self.rates == "replace" else 1 + rare

    def adjusted(self, start: Start, before: Start) -> Start:
        """Drop the agreed units of players who have left."""
        return without_absent(start)

    def follow(self, state: ChineseState) -> Start:
        """Pass the deal to the left."""
        start = super().follow(state)
        return start if state.void else replace(start, dealer=start.after(start.dealing_seat))


def _served(state: ChineseState) -> ChineseState:
    """The state with the deal done, if everybody has their cards."""
    full = all(len(state.table.at(str(seat))) >= ALL for seat in state.order)
    return replace(state, dealt=state.dealt or full)


def _dealing(state: ChineseState) -> Iterator[Awaited]:
    for spots, missing in lacking(state, map(str, state.order), ALL):
        says = Phrase.of("turn.deal-each", seat=int(spots[0]), count=missing)
        yield Awaited(Verb.DEAL, says, spots=spots, pick=missing, counts=(1, missing), down=True)


def _setting(state: ChineseState) -> Iterator[Awaited]:
    for seat in state.order:
        if not state.natural(seat):
            yield from setting(state, seat)
            if len(state.table.at(str(seat))) == ALL:
                yield _declaration(seat, UNSET)


def _meanwhile(state: ChineseState) -> Iterator[Awaited]:
    """Naturals that players declare when they have laid cards, while others are still setting."""
    for seat in state.players:
        yield _declaration(seat, tuple(NATURALS) if state.laid(seat) else UNSET)


def _declaring(state: ChineseState, words: tuple[str, ...]) -> Iterator[Awaited]:
    return (_declaration(seat, words) for seat in state.players)


def _declaration(seat: int, words: tuple[str, ...]) -> Awaited:
    says = Phrase.of("chinese.turn.declare", seat=seat)
    said = tuple((word,) for word in words)
    return Awaited(Verb.DECLARE, says, (seat,), words=said, required=False)


def _proofs(state: ChineseState) -> Iterator[Awaited]:
    """The cards of naturals that are not face up yet."""
    for seat, _ in state.declared:
        yield from turning(state, seat)
        if hidden := face_down(state, str(seat)):
            says = Phrase.of("turn.show", seat=seat)
            counts = (1, len(hidden))
            yield Awaited(Verb.SHOW, says, (seat,), pick=len(hidden), counts=counts, among=hidden)


def _unproven(state: ChineseState, seat: int) -> bool:
    spots = (name for name, spot in state.spots.items() if spot.owner == seat)
    return any(face_down(state, spot) for spot in spots)


def _own(state: ChineseState, seat: int) -> tuple[Card, ...]:
    rows = Rows.of(state, seat)
    return (*rows.front, *rows.middle, *rows.back, *state.table.cards(str(seat)))
