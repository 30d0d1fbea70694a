"""Mille: melds of one rank, twos wild, the pile taken with two naturals, 1,200 points.

Two players with two packs and fifteen cards each; a card is turned up. A player draws from the
stock, or melds the upcard with two or more cards of its rank from the hand and takes the rest of
the pile. Melds are three or more cards of a rank, which may include twos; all cards of a rank that
one player lays form one meld. The turn ends with a discard, and the hand when somebody has no
cards. Melded cards count for their player, cards in the hand against. A meld of all eight cards of
a rank without twos counts double, and so does everything of a player who melded no twos except with
other twos; both together count four times. Each is a natural. A hand below zero is a chapeau.
Whoever reaches 1,200 wins (the higher one if both do; after a tie they play on), and is paid: the
greater stake for the game, for each of the own naturals and for each chapeau of the loser, and the
lesser stake, a third of it, for every hundred points of difference, with scores rounded to the
nearest hundred. Below 600 the loser is skunked and pays double; a loser whose last hand is below
zero pays three times. If the stock is out and there is nothing to shuffle, the hand ends unless the
next player takes the pile. If it is out again and nothing was melded since the last shuffle, for
three rounds at least, the hand ends too: with few cards left both would draw their own discards for
ever.

The beginning of a hand's record (the dealer at seat 1)::

    [Game "mille"]
    [Seats "2"]
    [Dealer "1"]

    deal 2 ?? ?? ?? ?? ?? ?? ?? ?? ?? ?? ?? ?? ?? ?? ??
    deal 1 ?? ?? ?? ?? ?? ?? ?? ?? ?? ?? ?? ?? ?? ?? ??
    deal discards 9H
    2 meld 9H 9S 9D
    2 meld KC KD 2H
    2 discard 4C
    1 draw stock ??
    1 discard QS

Verbs: ``deal``, ``draw stock CARD``, ``meld CARD…`` (before the draw: with the upcard, taking the
pile), ``lay SPOT CARD``, ``discard CARD``, ``show CARD…`` (the hand at the end), ``shuffle``,
``end`` (nothing is left to draw), ``clear``. The lesser stake is the lower limit, or one chip, and
the greater one three times as much, as in the document; the upper limit has no part in it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import ClassVar

from rules.acts import Act, Verb
from rules.cards import RANKS, Card, Deck, Rank
from rules.errors import StartError
from rules.frozen import replace
from rules.game import house_rule
from rules.melds.arranging import ORDER, MeldRules, unlinked
from rules.melds.laying import LayingGame, LayingState, meld_spots
from rules.scoring import champion, fresh_sheet, pay_counters, totals
from rules.spots import Spot
from rules.start import Start, pairs
from rules.stock import known, packs, stock_spots, unmelded
from rules.turn import Awaited

HAND = 15
DECK = packs(2)
GAME, SKUNK = 1200, 600
VALUES = {Card.parse("QS"): 100, Card.parse("JD"): 50}
EIGHT = 8
"""Cards of each rank."""
GREATER = 3
"""The greater stake, in lesser ones."""
SHEETS = MeldRules(order="", wild=Rank.TWO)
STRICT = MeldRules(order="", wild=Rank.TWO, naturals=2)
LINKS = MeldRules(wild=Rank.TWO)
TWOS = ("2",)
NATURALS, CHAPEAUX = "naturals", "chapeaux"
"""Keys of the notes that keep each player's count on the score sheet, as ``1:2 2:0``."""
_COUNTED = re.compile(r"\d{1,2}:\d{1,4}", re.ASCII)
RANKS_MELDED = tuple(ORDER.lower().replace("2", ""))
ROOM = EIGHT + 1
"""Cards that there is room for at each rank on the table: all of the rank and a two."""
WHOLE = 2 * EIGHT
"""Most cards of a meld: all of a rank and all twos; more than `ROOM` are laid closer together."""


@dataclass(frozen=True, kw_only=True)
class MilleState(LayingState):
    """State of a hand of Mille."""

    marks: tuple[tuple[int, str], ...] = ()
    """The naturals and chapeaux of this hand, each with its seat."""

    def marked(self, kind: str, seat: int) -> int:
        """How many naturals or chapeaux `seat` has in this match, including this hand."""
        return tally(self.start, kind).get(seat, 0) + self.marks.count((seat, kind))


@dataclass(frozen=True)
class Mille(LayingGame[MilleState]):
    """Mille with its house rules.

    >>> [rule.text for rule in Mille().house_rules()]
    ['no', '1', 'all', 'hand']
    """

    name: ClassVar[str] = "mille"
    players: ClassVar[range] = range(2, 3)
    goal: ClassVar[int | None] = GAME
    busy: ClassVar[str] = "melding"

    first_two: bool = house_rule(False, "A two turned up at the start may be taken into the hand.")
    naturals: int = house_rule(1, "The fewest natural cards in a meld with twos.", choices=(1, 2))
    no_twos: str = house_rule(
        "all",
        "Melds without twos are a natural for all, or only for the player who goes out.",
        choices=("all", "out"),
    )
    double_skunk: str = house_rule(
        "hand",
        "A double skunk is a last hand below zero or a score below zero.",
        choices=("hand", "score"),
    )

    def deck(self, start: Start) -> Deck:
        """A hundred and four cards."""
        return DECK

    def hand_size(self, start: Start) -> int:
        """Fifteen."""
        return HAND

    def spots(self, start: Start) -> tuple[Spot, ...]:
        """Hands, stock, discard pile and a place for each rank."""
        cards = len(DECK)
        places = (
            *meld_spots(start.seats, RANKS_MELDED, ROOM, WHOLE),
            *meld_spots(start.seats, TWOS, EIGHT),
        )
        return (*stock_spots(start.seats, cards, cards), *places)

    def open(self, start: Start) -> MilleState:
        """Start before the deal."""
        self.check_start(start)
        for kind in (NATURALS, CHAPEAUX):
            tally(start, kind)
        return MilleState(game=self, start=start, limits=start.limits)

    def playing(self, state: MilleState) -> Iterator[Awaited]:
        """Draw or take the pile; then meld, lay off and discard."""
        assert state.actor is not None
        if not state.drawn:
            yield from self.draws(state)
            if self._first_two(state):
                yield from self._upcard(state)
            return
        hand = state.hand(state.actor)
        yield self.discarding(state, unlinked(hand, LINKS) if known(hand) else ())
        yield from self.lays(state)

    def _first_two(self, state: MilleState) -> bool:
        """Whether the first player may take a two that was turned up."""
        first = self.first_two and state.actor == state.order[0] and len(state.pile) == 1
        untouched = len(state.hand(state.order[0])) == HAND == len(state.hand(state.dealer))
        two = bool(state.upcards) and state.upcards[0].rank is Rank.TWO
        return first and two and untouched and not state.melds(state.dealer)

    def _upcard(self, state: MilleState) -> Iterator[Awaited]:
        yield from (one for one in self.drawing(state, state.upcards) if one.spots == ("discards",))

    def sizes(self, cards: int) -> Iterable[int]:
        """Three or more at once; further cards can be laid off."""
        return range(3, min(cards, EIGHT) + 1)

    def no_meld(self, state: MilleState, act: Act) -> MilleState:
        """Flag a meld of no valid kind."""
        return state.flag("mille.no-meld", seat=act.seat, cards=act.cards)

    def makes(self, cards: tuple[Card, ...]) -> bool:
        """Whether the cards are three or more of a rank, twos included."""
        return (STRICT if self.naturals == 2 else SHEETS).allows(cards)

    def fits(self, spot: str, cards: tuple[Card, ...]) -> bool:
        """Whether the cards fit the place: one rank each, and twos only among that rank."""
        ranks = {card.rank.lower() for card in cards}
        return self.makes(cards) and ranks <= {spot[-1], "2"} and spot[-1] in ranks

    def candidates(self, state: MilleState, hand: tuple[Card, ...]) -> Iterator[tuple[Card, ...]]:
        """All cards of a rank, and pairs with a two."""
        twos = tuple(card for card in hand if card.rank is Rank.TWO)
        for rank in dict.fromkeys(card.rank for card in hand):
            same = tuple(card for card in hand if card.rank is rank)
            room = self._room(state, rank)
            if len(same) >= 3 <= room:
                yield same[: min(room, EIGHT)]
            elif len(same) == 2 and twos and rank is not Rank.TWO and room >= 3:
                yield (*same, twos[0])

    def taking(self, state: MilleState, hand: tuple[Card, ...]) -> Iterator[tuple[Card, ...]]:
        """The upcard with all the cards of its rank in the hand."""
        rank = state.upcards[0].rank
        same = tuple(card for card in hand if card.rank is rank)
        room = self._room(state, rank)
        if len(same) >= 2 and rank is not Rank.TWO and room >= 3:
            yield (*state.upcards, *same[: min(room, EIGHT) - 1])

    def _room(self, state: MilleState, rank: Rank) -> int:
        """How many more cards the actor's place for `rank` can hold."""
        place = state.spots[f"{state.actor}.meld-{rank.lower()}"]
        return place.capacity - len(state.table.at(place.name))

    def extensible(self, state: MilleState, seat: int) -> dict[str, tuple[Card, ...]]:
        """The melds with room for their rank or a two; past `ROOM` they are laid closer."""
        melds = ((state.spots[name], cards) for name, cards in state.melds(seat).items())
        return {at.name: cards for at, cards in melds if len(cards) < at.most}

    def spot_for(self, state: MilleState, seat: int, cards: tuple[Card, ...]) -> str | None:
        """The place of the cards' rank."""
        rank = next((card.rank for card in cards if not _two(card)), Rank.TWO)
        return f"{seat}.meld-{rank.lower()}"

    def effect(self, state: MilleState, act: Act) -> MilleState:
        """Check that the pile was taken with two naturals; then go on, or score the hand."""
        taking = act.verb is Verb.MELD and act.seat == state.actor and not state.drawn
        after = super().effect(state, act)
        if taking and state.dealt and not state.ended:
            naturals = [card for card in act.cards if card.rank is not Rank.TWO]
            if len(naturals) < 3:
                after = after.flag("mille.pile", seat=act.seat, cards=act.cards)
        if after.ended and not after.settled and not any(map(after.covered, after.order)):
            after = self._scored(after)
        return after

    def _scored(self, state: MilleState) -> MilleState:
        after = state
        for seat in state.order:
            after = _counted(after, seat, natural=self.no_twos == "all" or seat == state.out)
        after = replace(after, settled=True)
        winner = champion(after, GAME)
        return self._paid(after.call("melds.match", seat=winner), winner) if winner else after

    def _paid(self, state: MilleState, winner: int) -> MilleState:
        """Pay the sum on the rule sheet, each part by itself."""
        loser = state.after(winner)
        scores, last = totals(state), state.settlement.scores.get(loser, 0)
        unit = state.limits[0] if state.limits else 1
        below = last if self.double_skunk == "hand" else scores[loser]
        times = 3 if below < 0 else 2 if scores[loser] < SKUNK else 1
        parts = (
            ("mille.game", GREATER),
            ("mille.naturals", GREATER * state.marked(NATURALS, winner)),
            ("mille.chapeaux", GREATER * state.marked(CHAPEAUX, loser)),
            ("mille.hundreds", hundreds(scores[winner]) - hundreds(scores[loser])),
        )
        after = state
        for reason, lesser in parts:
            if lesser:
                after = pay_counters(after, loser, winner, unit * lesser * times, reason)
        return after

    def follow(self, state: MilleState) -> Start:
        """Write the marks on the score sheet; a won game begins a new one."""
        start = super().follow(state)
        if state.void:
            return start
        if champion(state, GAME):
            return fresh_sheet(start, NATURALS, CHAPEAUX)
        for kind in (NATURALS, CHAPEAUX):
            counts = {seat: state.marked(kind, seat) for seat in start.seats}
            if any(counts.values()):
                written = " ".join(f"{seat}:{count}" for seat, count in pairs(counts))
                start = start.noting(**{kind: written})
        return start


def value(card: Card) -> int:
    """The points that a card counts.

    >>> sum(map(value, DECK))
    1140
    """
    if card in VALUES:
        return VALUES[card]
    if card.rank is Rank.ACE:
        return 15
    if card.rank is Rank.TWO:
        return 20
    return 10 if RANKS.index(card.rank) >= RANKS.index(Rank.TEN) else 5


def hundreds(score: int) -> int:
    """A score rounded to the nearest hundred, in hundreds; half of one rounds up.

    >>> [hundreds(score) for score in (1249, 1250, -50, -51)]
    [12, 13, 0, -1]
    """
    return (score + 50) // 100


def tally(start: Start, kind: str) -> dict[int, int]:
    """How many naturals or chapeaux are on the score sheet; raises `StartError` if unclear."""
    text = start.note(kind)
    if not all(map(_COUNTED.fullmatch, text.split())):
        raise StartError(f"the note {kind} counts by seat, such as 1:2 2:0, got {text!r}")
    entries = (word.split(":") for word in text.split())
    return {int(seat): int(count) for seat, count in entries}


def _counted(state: MilleState, seat: int, *, natural: bool) -> MilleState:
    """Score the melds, doubled if natural, less the cards left.

    `natural` tells whether melds without twos count as one for this seat.
    """
    melds = state.melds(seat)
    twos = any(_two(card) for name, cards in melds.items() if name[-1] != "2" for card in cards)
    clean = natural and bool(melds) and not twos
    after = state
    for cards in melds.values():
        whole = is_natural(cards)
        times = (2 if whole else 1) * (2 if clean else 1)
        after = after.score(seat, times * sum(map(value, cards)), "mille.meld", cards=cards[:1])
        if whole:
            after = _marked(after, seat, NATURALS)
    if clean:
        after = _marked(after, seat, NATURALS)
    left = unmelded(state, seat)
    if left:
        after = after.score(seat, -sum(map(value, left)), "mille.hand", cards=left)
    if after.settlement.scores.get(seat, 0) < 0:
        after = _marked(after, seat, CHAPEAUX)
    return after


def is_natural(meld: tuple[Card, ...]) -> bool:
    """Whether a meld holds all eight cards of a rank and no wild card."""
    ranks = Counter(card.rank for card in meld)
    return len(ranks) == 1 and len(meld) == EIGHT and not _two(meld[0])


def _two(card: Card) -> bool:
    return card.rank is Rank.TWO


def _marked(state: MilleState, seat: int, kind: str) -> MilleState:
    marked = replace(state, marks=(*state.marks, (seat, kind)))
    return marked.call(f"mille.{kind}", seat=seat)
