"""Three Thirteen: eleven hands of three to thirteen cards, each with another wild rank.

One pack is shuffled in for every two players. The first hand has three cards, and threes are wild;
the last has thirteen, and kings are wild. A player draws the upcard or a card from the stock, and
discards. A player who can arrange all cards into melds (three or more of a rank, or of a suit in
sequence, the ace low) says so or shows them with the discard, before the next player draws; every
opponent has one more turn, and may go out too. Then all show. Cards in no meld count against their
player: aces one, court cards ten, others their pips. The lowest score after eleven hands wins; a
tie is shared.

The beginning of a hand's record (the dealer at seat 1; threes are wild)::

    [Game "three-thirteen"]
    [Seats "2"]
    [Dealer "1"]

    deal 2 ?? ?? ??
    deal 1 ?? ?? ??
    deal discards 9H
    2 draw discards 9H
    2 discard KC
    1 draw stock ??
    1 declare out
    1 discard QS
    2 draw stock ??
    2 discard 8D
    2 show 9H 9S 2C
    1 show 4C 5C 3D

Verbs: ``deal``, ``draw stock CARD``, ``draw discards CARD``, ``declare out``, ``discard CARD``,
``shuffle`` (the discards but the upcard become the stock), ``show CARD…`` (the whole hand, melds
together), ``clear``.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from typing import ClassVar, TypeAlias

from rules.acts import Act, Verb
from rules.cards import RANKS, Card, Deck
from rules.errors import ActError
from rules.frozen import replace
from rules.game import house_rule
from rules.melds.arranging import Arrangement, MeldRules, arrange, pips, without
from rules.phrases import Phrase
from rules.resume import evened
from rules.scoring import fresh_sheet, totals
from rules.spots import Spot
from rules.start import SEATS_MOST, Start
from rules.stock import OUT, RUMMY_VERBS, StockGame, StockState, known, packs, stock_spots
from rules.turn import Awaited, Turn

Row: TypeAlias = tuple[int, tuple[Card, ...]]
"""A seat, and cards of its hand in the order in which they were shown together."""
FEWEST, MOST = 3, 13
"""Cards in the first hand and in the last."""
PIPS_MOST = 10
"""The most that a card counts."""
CARDS = "cards"
"""Key of the note with the number of cards each player gets in this hand."""


@dataclass(frozen=True, kw_only=True)
class ThreeThirteenState(StockState):
    """State of a hand of Three Thirteen."""

    out: tuple[tuple[int, int], ...] = ()
    """The seats that declared out, each with the number of that act."""
    rows: tuple[Row, ...] = ()
    """The hands shown, as their players laid them."""

    def shown(self, seat: int) -> tuple[Card, ...]:
        """The cards that `seat` has shown so far, in the order in which they were laid."""
        return tuple(card for one, cards in self.rows for card in cards if one == seat)

    @property
    def size(self) -> int:
        """The number of cards each player holds in this hand."""
        return hand_size(self.start)

    @cached_property
    def rules(self) -> MeldRules:
        """What makes a meld in this hand."""
        return meld_rules(self.size)

    def is_out(self, seat: int) -> bool:
        """Whether `seat` has declared out."""
        return seat in dict(self.out)

    def best(self, cards: tuple[Card, ...]) -> Arrangement:
        """The arrangement of `cards` with the least deadwood."""
        return arrange(cards, self.rules, pips)

    def finishing(self, hand: tuple[Card, ...]) -> tuple[Card, ...]:
        """The cards of `hand` that leave all others in melds when discarded.

        The least deadwood may be two aces, and yet the hand may be out by discarding the eight
        alone: any card that counts at least as much as the least deadwood is tried.
        """
        if not known(hand):
            return ()
        least = self.best(hand).points
        if least > PIPS_MOST:
            return ()
        return tuple(
            card
            for card in dict.fromkeys(hand)
            if pips(card) >= least and not self.best(without(hand, card)).points
        )


@dataclass(frozen=True)
class ThreeThirteen(StockGame[ThreeThirteenState]):
    """Three Thirteen with its house rules.

    >>> [rule.text for rule in ThreeThirteen().house_rules()]
    ['lowest']
    """

    name: ClassVar[str] = "three-thirteen"
    players: ClassVar[range] = range(2, SEATS_MOST + 1)
    vocabulary: ClassVar[frozenset[Verb]] = RUMMY_VERBS | {Verb.DECLARE}

    deadwood: str = house_rule(
        "lowest",
        "Deadwood is the least that any arrangement leaves, or what the shown one leaves.",
        choices=("lowest", "shown"),
    )

    def deal_of(self, state: ThreeThirteenState) -> tuple[int, int]:
        """The number of the deal, from three cards to thirteen."""
        return state.size - FEWEST + 1, MOST - FEWEST + 1

    def deck(self, start: Start) -> Deck:
        """A pack for every two players."""
        return packs((len(start.seats) + 1) // 2)

    def hand_size(self, start: Start) -> int:
        """One more card in every hand."""
        return hand_size(start)

    def spots(self, start: Start) -> tuple[Spot, ...]:
        """Hands, stock and discard pile."""
        return stock_spots(start.seats, MOST + 1, len(self.deck(start)))

    def resumed(self, state: ThreeThirteenState, seat: int | None) -> ThreeThirteenState:
        """Go on with as many cards in every hand as in each deal."""
        after = super().resumed(state, seat)
        if not after.dealt or after.ended:
            return after
        sizes = {one: after.size + (after.drawn and one == after.actor) for one in after.order}
        return replace(after, table=evened(after.table, sizes))

    def open(self, start: Start) -> ThreeThirteenState:
        """Start before the deal."""
        self.check_start(start)
        hand_size(start)
        return ThreeThirteenState(game=self, start=start, limits=start.limits)

    def turn(self, state: ThreeThirteenState) -> Turn:
        """A player who has discarded may still declare out, until the next player draws."""
        turn, seat = super().turn(state), state.discarder
        if seat is None or state.drawn or state.settled:
            return turn
        hand = state.hand(seat)
        best = state.best(hand) if known(hand) else None
        shown = (best.cards,) if best and not best.points else ()
        out = tuple(self._going_out(state, seat, shown))
        return Turn(turn.awaited, out, together=turn.together)

    def playing(self, state: ThreeThirteenState) -> Iterator[Awaited]:
        """Draw; then declare out or not, and discard."""
        assert state.actor is not None
        hand = state.hand(state.actor)
        if not state.drawn:
            yield from self.drawing(state, self._wanted(state, hand))
            return
        finishing = state.finishing(hand)
        covered = state.covered(state.actor)
        if len(covered) < len(hand):
            finishing = tuple(card for card in finishing if card in covered)
        shown = tuple(state.best(without(hand, card)).cards for card in finishing)
        yield from self._going_out(state, state.actor, shown)
        yield self.discarding(state, finishing or self._loose(state, hand))

    def _going_out(
        self, state: ThreeThirteenState, seat: int, shown: tuple[tuple[Card, ...], ...]
    ) -> Iterator[Awaited]:
        """Declare out or show the hand, or both; when all show anyway, only declare."""
        says, size = Phrase.of("three.turn.out", seat=seat), state.size
        for one in self.going_out(state, seat, says, size, shown):
            if not (state.is_out(seat) if one.verb is Verb.DECLARE else state.ended):
                yield one

    def _wanted(self, state: ThreeThirteenState, hand: tuple[Card, ...]) -> tuple[Card, ...]:
        """The upcard, if it lowers the deadwood of a known hand."""
        if not known((*hand, *state.upcards)):
            return state.upcards
        now = state.best(hand).points
        return tuple(
            card
            for card in state.upcards
            if not state.remaining or state.best((*hand, card)).points < now
        )

    def _loose(self, state: ThreeThirteenState, hand: tuple[Card, ...]) -> tuple[Card, ...]:
        """The deadwood that counts most; if there is none, any card."""
        dead = state.best(hand).deadwood if known(hand) else ()
        most = max(map(pips, dead), default=0)
        return tuple(card for card in dead if pips(card) == most) or hand

    def arranged(self, state: ThreeThirteenState, cards: tuple[Card, ...]) -> tuple[Card, ...]:
        """Melds side by side, the deadwood last."""
        return state.best(cards).cards if known(cards) else cards

    def conceals(self, state: ThreeThirteenState, act: Act) -> str | None:
        """Whether a player declares out without being out."""
        if act.seat is None or not known(state.hand(act.seat)):
            return None
        hand = state.hand(act.seat)
        finishing = state.finishing(hand)
        out = finishing if len(hand) > state.size else not state.best(hand).points
        if act.verb is Verb.DECLARE and not out:
            return "three.not-out"
        if act.verb is Verb.SHOW and not state.ended and state.best(act.cards).points:
            return "three.not-out"
        wrong = act.verb is Verb.DISCARD and state.is_out(act.seat) and act.card not in finishing
        return "three.not-out" if wrong else None

    def facts(self, state: ThreeThirteenState) -> Iterator[Phrase]:
        """The number of cards dealt in this hand, and the wild rank."""
        yield from super().facts(state)
        yield Phrase.of("facts.wild", count=state.size, rank=RANKS[state.size - 1])

    def verify(self, state: ThreeThirteenState, act: Act) -> None:
        """The only declaration is out."""
        super().verify(state, act)
        if act.verb is Verb.DECLARE and (act.seat is None or act.words != OUT or act.cards):
            raise ActError(f"'{act}': expected a seat and the word out")

    def effect(self, state: ThreeThirteenState, act: Act) -> ThreeThirteenState:
        """Handle going out, and score when all have shown."""
        after, ended = state, state.ended
        says = act.verb is Verb.DECLARE or (act.verb is Verb.SHOW and not ended)
        if says and act.seat == (state.actor if state.drawn else state.discarder):
            after = _gone_out(after, act.seat)
        after = super().effect(after, act)
        if act.verb is Verb.SHOW and act.seat is not None:
            rows = tuple(sorted((*after.rows, (act.seat, act.cards)), key=lambda row: row[0]))
            after = self._judged(replace(after, rows=rows), act.seat)
        if after.rows and act.verb is Verb.DISCARD and act.seat is not None:
            after = replace(after, rows=_less(after, act.seat, act.card))
        for seat, _ in after.out if after.ended and not ended else ():
            after = self._judged(after, seat)
        if after.ended and not after.settled and not any(map(after.covered, after.order)):
            after = self._scored(after)
        return after

    def passes(self, state: ThreeThirteenState) -> ThreeThirteenState:
        """End play when the turn reaches the player who went out first."""
        after = super().passes(state)
        return replace(after, ended=True) if after.out and after.out[0][0] == after.actor else after

    def _judged(self, state: ThreeThirteenState, seat: int) -> ThreeThirteenState:
        """Flag a player who declared out but shows deadwood."""
        said, hand = dict(state.out).get(seat), state.shown(seat)
        if said is None or not state.ended or state.covered(seat) or not known(hand):
            return state
        dead = self.counted(state, hand).deadwood
        return state.flag("three.not-out", since=said, seat=seat, cards=dead) if dead else state

    def _scored(self, state: ThreeThirteenState) -> ThreeThirteenState:
        after = state
        for seat in state.order:
            hand = state.shown(seat)
            best = self.counted(state, hand) if known(hand) else None
            if best is not None:
                after = after.score(seat, best.points, "three.deadwood", cards=best.deadwood)
        after = replace(after, settled=True)
        if state.size < MOST:
            return after
        scores = totals(after)
        lowest = min(scores[seat] for seat in state.start.seats)
        best_seats = tuple(seat for seat in state.start.seats if scores[seat] == lowest)
        return after.call("three.match", seats=best_seats)

    def counted(self, state: ThreeThirteenState, hand: tuple[Card, ...]) -> Arrangement:
        """The arrangement that counts for a shown hand."""
        return state.best(hand) if self.deadwood == "lowest" else as_shown(hand, state.rules)

    def follow(self, state: ThreeThirteenState) -> Start:
        """Deal one card more; after the last hand a new match begins."""
        start = super().follow(state)
        if state.void:
            return start
        if state.size < MOST:
            return start.noting(**{CARDS: str(state.size + 1)})
        return fresh_sheet(start.noting(**{CARDS: str(FEWEST)}))


def hand_size(start: Start) -> int:
    """The number of cards that each player gets."""
    return start.number(CARDS, FEWEST, least=FEWEST, most=MOST)


@cache
def meld_rules(size: int) -> MeldRules:
    """Sets and runs, with the rank of the hand's size wild.

    >>> meld_rules(11).wild.name
    'JACK'
    """
    return MeldRules(wild=RANKS[size - 1])


def as_shown(hand: tuple[Card, ...], rules: MeldRules) -> Arrangement:
    """The cards as laid, cut into melds of adjacent cards that leave the least deadwood."""
    best = [Arrangement((), (), 0)]
    for end in range(1, len(hand) + 1):
        last = hand[end - 1]
        left = best[end - 1]
        found = Arrangement(left.melds, (*left.deadwood, last), left.points + pips(last))
        for start in range(end - rules.least + 1):
            if best[start].points < found.points and rules.allows(hand[start:end]):
                before = best[start]
                melds = (*before.melds, hand[start:end])
                found = Arrangement(melds, before.deadwood, before.points)
        best.append(found)
    return best[-1]


def _less(state: ThreeThirteenState, seat: int, card: Card) -> tuple[Row, ...]:
    """The rows shown, without the `card` that `seat` has discarded if it was among them."""
    up = [laid.card for laid in state.table.at(str(seat)) if laid.up]
    return tuple(
        (one, without(cards, card) if one == seat and cards.count(card) > up.count(card) else cards)
        for one, cards in state.rows
    )


def _gone_out(state: ThreeThirteenState, seat: int | None) -> ThreeThirteenState:
    if seat is None or state.is_out(seat):
        return state
    after = replace(state, out=(*state.out, (seat, len(state.acts))))
    return after.call("three.out", seat=seat)
