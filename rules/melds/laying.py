"""Melds on the table: laying them, adding to them, and taking the whole discard pile with one.

Each player has spots for melds from the start. A meld that uses the upcard takes it from the pile,
and the rest of the pile goes into the hand.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import combinations
from typing import ClassVar, Generic, TypeVar

from rules.acts import Act, Verb
from rules.cards import Card
from rules.errors import ActError
from rules.frozen import replace
from rules.melds.arranging import MeldRules
from rules.phrases import Phrase
from rules.resume import evened
from rules.spots import Move, Shape, Spot, Trace
from rules.state import State
from rules.stock import DISCARDS, RUMMY_VERBS, StockGame, StockState, known, needs_shuffle
from rules.turn import Awaited

MELD = "meld-"
LISTED = 40
STALLED = 3
"""Rounds without a meld after which the discards are no longer shuffled again; a choice."""


@dataclass(frozen=True, kw_only=True)
class LayingState(StockState):
    """State common to all games with melds on the table."""

    out: int | None = None
    """The seat that went out."""
    piled: int = 0
    """The number of discards as they were before the last act."""
    idle: int = 0
    """Turns that have ended since a card was melded."""
    renewed: bool = False
    """Whether the discards have become the stock since a card was melded."""
    gained: tuple[int, ...] = ()
    """The seats that have gained a card beyond the one that each turn brings and costs, once for
    each: with the pile, or by a turn without a discard."""

    def melds(self, seat: int) -> dict[str, tuple[Card, ...]]:
        """The melds of `seat`, by the names of their spots."""
        ahead = f"{seat}.{MELD}"
        laid = [name for name in self.table.spots if name.startswith(ahead)]
        if len(laid) > 1:
            laid.sort(key=list(self.spots).index)
        return {name: self.table.cards(name) for name in laid}


L = TypeVar("L", bound=LayingState)


@dataclass(frozen=True)
class LayingGame(StockGame[L], Generic[L]):
    """A game with melds on the table and a discard pile that is taken whole."""

    vocabulary: ClassVar[frozenset[Verb]] = RUMMY_VERBS | {Verb.MELD, Verb.LAY, Verb.END}
    lays_off: ClassVar[bool] = False
    """Whether cards may be added to other players' melds."""

    def makes(self, cards: tuple[Card, ...]) -> bool:
        """Whether `cards` are a meld."""
        raise NotImplementedError

    def no_meld(self, state: L, act: Act) -> L:
        """The state with a violation for cards laid down that are not a meld."""
        raise NotImplementedError

    def fits(self, spot: str, cards: tuple[Card, ...]) -> bool:
        """Whether `cards` are a meld allowed at `spot`."""
        return self.makes(cards)

    def candidates(self, state: L, hand: tuple[Card, ...]) -> Iterator[tuple[Card, ...]]:
        """The melds in `hand` that are worth listing."""
        raise NotImplementedError

    def taking(self, state: L, hand: tuple[Card, ...]) -> Iterator[tuple[Card, ...]]:
        """Melds with the upcard and cards of `hand` that take the pile."""
        raise NotImplementedError

    def spot_for(self, state: L, seat: int, cards: tuple[Card, ...]) -> str | None:
        """The spot for a new meld of `cards`; None if there is no room."""
        raise NotImplementedError

    def home(self, state: L, spot: str, cards: tuple[Card, ...]) -> str:
        """The spot of a new meld, wherever its player lays it."""
        return self.spot_for(state, int(spot.partition(".")[0]), cards) or spot

    def takes(self, state: L, spot: str, cards: tuple[Card, ...]) -> bool:
        """Whether the meld at `spot` may grow to these `cards`."""
        return self.fits(spot, cards)

    def extensible(self, state: L, seat: int) -> dict[str, tuple[Card, ...]]:
        """The melds to which `seat` may add: its own, or all if laying off is allowed."""
        seats = state.start.seats if self.lays_off else (seat,)
        return {spot: cards for one in seats for spot, cards in state.melds(one).items()}

    def taken(self, state: L, act: Act) -> bool:
        """Whether `act` melds the upcard and thereby takes the pile."""
        taker = act.verb is Verb.MELD and act.seat == state.actor and not state.drawn
        return (
            taker
            and state.dealt
            and not state.ended
            and state.upcards[:1] != ()
            and (state.upcards[0] in act.cards)
        )

    def nothing_to_draw(self, state: L) -> bool:
        """Whether there is no card to draw, and none to make a new stock of.

        The upcard can still be melded; a player who does not ends the hand, as the documents let
        nobody skip the draw.
        """
        waiting = state.dealt and not state.ended and not state.drawn
        return waiting and not state.remaining and not needs_shuffle(state, self.keeps_upcard)

    def draws(self, state: L) -> Iterator[Awaited]:
        """The stock, or a meld with the upcard; the end of the hand if there is neither."""
        assert state.actor is not None
        yield from self.drawing(state)
        if self.nothing_to_draw(state):
            yield Awaited(Verb.END, Phrase("turn.stock-out"))
        hand = state.hand(state.actor)
        if state.upcards:
            says = Phrase.of("turn.take-pile", seat=state.actor, cards=state.upcards)
            listed = _some(self.taking(state, hand)) if known((*hand, *state.upcards)) else ()
            yield from self._melding(state, says, (*hand, *state.upcards), listed)

    def lays(self, state: L) -> Iterator[Awaited]:
        """New melds, and cards added to melds on the table."""
        assert state.actor is not None
        seat, hand = state.actor, state.hand(state.actor)
        says = Phrase.of("turn.meld", seat=seat)
        listed = _some(self.candidates(state, hand)) if known(hand) else ()
        yield from self._melding(state, says, hand, listed)
        for spot, cards in self.extensible(state, seat).items():
            fits = [c for c in dict.fromkeys(hand) if self.takes(state, spot, (*cards, c))]
            yield Awaited(
                Verb.LAY,
                Phrase.of("turn.lay", seat=seat),
                (seat,),
                spots=(spot,),
                pick=1,
                counts=(1, len(hand)),
                among=hand,
                handfuls=tuple((card,) for card in fits),
                required=False,
            )

    def _melding(
        self, state: L, says: Phrase, cards: tuple[Card, ...], listed: tuple[tuple[Card, ...], ...]
    ) -> Iterator[Awaited]:
        """One awaited act for each number of cards, as acts of different sizes differ."""
        assert state.actor is not None
        sizes = tuple(self.sizes(len(cards)))
        for size in sizes:
            chosen = tuple(meld for meld in listed if len(meld) == size)
            most = len(cards) if size == sizes[-1] else size
            yield Awaited(
                Verb.MELD, says, (state.actor,), pick=size, counts=(size, most), among=cards,
                handfuls=chosen, required=False,
            )  # fmt: skip

    def sizes(self, cards: int) -> Iterable[int]:
        """Usual sizes of a new meld from `cards` cards; the last also stands for larger ones."""
        return range(3, min(cards, 4) + 1)

    def verify(self, state: L, act: Act) -> None:
        """Melding and laying off need a seat and known cards."""
        super().verify(state, act)
        if act.verb not in (Verb.MELD, Verb.LAY):
            return
        if act.seat is None or not act.cards:
            raise ActError(f"'{act}': expected a seat and cards")
        if act.down or not known(act.cards):
            raise ActError(f"'{act}': expected cards with rank and suit, such as QS")
        if act.verb is Verb.LAY and not is_meld_spot(act.spot or ""):
            raise ActError(f"'{act}': expected a meld's place, such as {act.seat}.{MELD}1")
        if act.verb is Verb.MELD and self.spot_for(state, act.seat, act.cards) is None:
            raise ActError(f"'{act}': no place is left for another meld")

    def route(self, state: L, act: Act) -> tuple[str, str]:
        """Melds go from the hand to their spot."""
        if act.verb is Verb.MELD and act.seat is not None:
            return str(act.seat), self.spot_for(state, act.seat, act.cards) or str(act.seat)
        if act.verb is Verb.LAY and act.spot is not None:
            return str(act.seat), act.spot
        return super().route(state, act)

    def trace(self, state: L, act: Act) -> Trace:
        """Melding the upcard takes it from the pile, and the rest of the pile into the hand."""
        trace = super().trace(state, act)
        if not self.taken(state, act):
            return trace
        upcard, hand = state.upcards[0], str(act.seat)
        place = next(i for i, move in enumerate(trace) if move.card == upcard)
        used = tuple(
            replace(move, source=DISCARDS) if i == place else move for i, move in enumerate(trace)
        )
        rest = (Move(card, DISCARDS, hand, False) for card in state.pile[:-1])
        return (*used, *rest)

    def effect(self, state: L, act: Act) -> L:
        """A player without cards goes out; the cards of an invalid meld stay on the table."""
        if act.verb is Verb.END and self.nothing_to_draw(state):
            return replace(state, ended=True).call("melds.stock-out")
        taker = act.verb is Verb.MELD and act.seat == state.actor and not state.drawn
        after = super().effect(state, act)
        if act.verb is Verb.MELD and act.seat is not None:
            after = self._checked(after, act, self.spot_for(state, act.seat, act.cards) or "")
            if taker and state.dealt and not state.ended:
                after = self._took(after, act)
        if act.verb is Verb.LAY and act.spot is not None:
            if self.lays_off or act.spot.startswith(f"{act.seat}."):
                after = self._checked(after, act, act.spot)
            else:
                after = after.flag("melds.foreign", seat=act.seat, cards=act.cards)
        after = self._out(self._progress(after, act), act)
        if after.dealt and not after.ended and self.stalled(after):
            after = replace(after, ended=True).call("melds.stalled")
        piled = len(after.table.at(DISCARDS))
        return after if piled == after.piled else replace(after, piled=piled)

    def _progress(self, state: L, act: Act) -> L:
        """Note a meld, or a stock that is renewed."""
        if act.verb in (Verb.MELD, Verb.LAY):
            return replace(state, idle=0, renewed=False)
        return replace(state, renewed=True) if act.verb is Verb.SHUFFLE else state

    def passes(self, state: L) -> L:
        """Count one more turn without a meld; a meld resets the count."""
        return replace(super().passes(state), idle=state.idle + 1)

    def stalled(self, state: L) -> bool:
        """Whether the stock is out once more and nothing was melded since it was renewed.

        With few cards left everybody draws the same ones for ever, and no document says how that
        ends.
        """
        out = not state.drawn and not state.remaining and state.renewed
        return out and state.idle >= STALLED * len(state.start.seats)

    def _took(self, state: L, act: Act) -> L:
        """Accept the meld allowed before the draw: with the upcard, taking the whole pile."""
        if state.pile or act.seat is None:
            return state.flag("melds.before-draw", seat=act.seat, cards=act.cards)
        gained = (*state.gained, *[act.seat] * (state.piled - 1))
        return replace(state, drawn=True, discarder=None, gained=gained)

    def resumed(self, state: L, seat: int | None) -> L:
        """Go on with hands of the size that the deal, the pile and the melds leave."""
        after = super().resumed(state, seat)
        after = replace(after, piled=len(after.table.at(DISCARDS)))
        if not after.dealt or after.ended:
            return after
        dealt = self.hand_size(after.start)
        sizes = {
            one: dealt
            + after.gained.count(one)
            + (after.drawn and one == after.actor)
            - sum(map(len, after.melds(one).values()))
            for one in after.order
        }
        # Whoever has melded more than that has taken the pile unseen, and is not out yet.
        least = {one: max(1, size) for one, size in sizes.items()}
        return replace(after, table=evened(after.table, least))

    def _checked(self, state: L, act: Act, spot: str) -> L:
        if self.fits(spot, state.table.cards(spot) or act.cards):
            return state
        return self.no_meld(state, act)

    def _out(self, state: L, act: Act) -> L:
        seat = act.seat
        playing = state.dealt and not state.ended and seat is not None
        if not playing or act.verb not in (Verb.MELD, Verb.LAY, Verb.DISCARD):
            return state
        if seat is None or state.hand(seat):
            return state
        return replace(state, out=seat, ended=True).call("melds.out", seat=seat)


def _some(melds: Iterator[tuple[Card, ...]]) -> tuple[tuple[Card, ...], ...]:
    found: dict[tuple[Card, ...], None] = {}
    for meld in melds:
        found[meld] = None
        if len(found) >= LISTED:
            break
    return tuple(found)


def is_meld_spot(name: str) -> bool:
    """Whether a spot of this name holds a meld.

    >>> is_meld_spot("2.meld-1"), is_meld_spot("2")
    (True, False)
    """
    return name.partition(".")[2].startswith(MELD)


@cache
def meld_spots(
    seats: tuple[int, ...], names: tuple[str, ...], capacity: int, limit: int = 0
) -> tuple[Spot, ...]:
    """Meld spots in front of each seat, sized for `capacity` cards; up to `limit` may be there."""
    return tuple(
        Spot(
            MELD + name, owner=seat, capacity=capacity, shape=Shape.FAN, limit=limit, anywhere=True
        )
        for seat in seats
        for name in names
    )


def free_spot(state: State, seat: int, names: Iterable[str]) -> str | None:
    """The first of a seat's meld spots at which nothing lies; None if all are taken."""
    spots = (f"{seat}.{MELD}{name}" for name in names)
    return next((spot for spot in spots if not state.table.at(spot)), None)


@lru_cache(maxsize=4000)
def threes(hand: tuple[Card, ...], rules: MeldRules) -> tuple[tuple[Card, ...], ...]:
    """The melds of three in a known hand that are worth listing."""
    found: dict[tuple[Card, ...], None] = {}
    wild = [card for card in hand if rules.is_wild(card)][:2]
    kinds: list[object] = [*{c.rank: 0 for c in hand}, *{c.suit: 0 for c in hand}]
    for kind in kinds:
        alike = [c for c in hand if kind in (c.rank, c.suit) and not rules.is_wild(c)]
        for three in combinations((*alike, *wild), 3):
            if rules.allows(three):
                found[three] = None
            if len(found) >= LISTED:
                return tuple(found)
    return tuple(found)


@lru_cache(maxsize=4000)
def pairs_with(
    card: Card, hand: tuple[Card, ...], rules: MeldRules
) -> tuple[tuple[Card, ...], ...]:
    """Melds of `card` and two cards of a known hand."""
    near = [c for c in hand if rules.is_wild(c) or c.rank is card.rank or c.suit is card.suit]
    pairs = dict.fromkeys(combinations(near, 2))
    return tuple((card, *two) for two in pairs if rules.allows((card, *two)))[:LISTED]
