"""Turns of a game of spreads: one card turned over or taken, then melded at once or discarded.

A drawn card lies face up next to the stock and never goes into the hand unless something else is
discarded; a card may also go straight from its pile to where it is played. Melds grow, and lend
cards to new ones.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from rules.acts import Act, Verb
from rules.cards import Card
from rules.melds.arranging import unlinked
from rules.melds.laying import free_spot, pairs_with, threes
from rules.melds.spreads import (
    FORCED,
    RULES,
    TURNED,
    SpreadState,
    completing,
    fits_table,
    from_hand,
    is_lending,
    lender,
    loans,
    stands,
    usable,
)
from rules.phrases import Phrase
from rules.spots import DECK, Move, Trace
from rules.stock import DISCARDS, STOCK, StockGame, known, needs_shuffle, singles
from rules.turn import Awaited

HAND, MELDED = 10, 11
PLACES = ("1", "2", "3", "4")


@dataclass(frozen=True)
class SpreadGame(StockGame[SpreadState]):
    """A game in which the card drawn is melded or discarded, unless another card is."""

    def takable(self, state: SpreadState) -> bool:
        """Whether the upcard may be taken."""
        return bool(state.upcards)

    def playing(self, state: SpreadState) -> Iterator[Awaited]:
        """Draw; then meld or not; then discard."""
        if not state.drawn:
            yield from self._draws(state)
            return
        assert state.actor is not None
        begun = state.begun_meld(state.actor)
        if begun:
            yield completing(state, begun, "panguingue.meld")
            yield from self._lending(state, begun)
            return
        yield from self._discards(state)
        yield from self._melds(state)

    def _draws(self, state: SpreadState) -> Iterator[Awaited]:
        assert state.actor is not None
        who, forced = (state.actor,), self._bound(state)
        if needs_shuffle(state) and not forced:
            yield Awaited(Verb.SHUFFLE, Phrase(self.renewal))
        elif state.remaining and not forced:
            says = Phrase.of("turn.draw", seat=state.actor)
            yield Awaited(Verb.DRAW, says, who, spots=(STOCK,), pick=1, from_deck=True)
        yield from self._straight(state)
        if self.takable(state):
            yield Awaited(
                Verb.DRAW,
                Phrase.of("turn.draw-upcard", seat=state.actor, cards=state.upcards),
                who,
                spots=(DISCARDS,),
                pick=1,
                among=state.upcards,
                handfuls=singles(() if usable(state, state.upcards[0]) is False else state.upcards),
                required=forced or not (state.remaining or needs_shuffle(state)),
                rule=FORCED if forced else "",
            )

    def _bound(self, state: SpreadState) -> bool:
        """Whether the actor is forced, and can meld the upcard as far as everybody can see."""
        return state.forced and self.takable(state) and fits_table(state, state.upcards[0])

    def _straight(self, state: SpreadState) -> Iterator[Awaited]:
        """A card that goes straight from the stock or the discards to where it is played."""
        assert state.actor is not None
        seat, who, hand = state.actor, (state.actor,), state.hand(state.actor)
        bound, says = self._bound(state), Phrase.of("turn.meld", seat=state.actor)
        if state.remaining:
            yield Awaited(Verb.DISCARD, Phrase.of("turn.discard-card", seat=seat), who, pick=1,
                          among=() if bound else None, from_deck=not bound, required=False,
                          rule=FORCED if bound else "")  # fmt: skip
        taken = pairs_with(state.upcards[0], hand, RULES) if self._pairs(state) else ()
        if self.spot_for(state, seat):
            yield Awaited(
                Verb.MELD, says, who, pick=3, counts=(3, MELDED), handfuls=taken, required=False
            )
        for spot, laid in state.melds(seat).items():
            fits = self.takable(state) and known(state.upcards) and stands((*laid, *state.upcards))
            yield Awaited(Verb.LAY, Phrase.of("turn.lay", seat=seat), who, spots=(spot,), pick=1,
                          counts=(1, MELDED), handfuls=singles(state.upcards if fits else ()),
                          required=False)  # fmt: skip
            yield from self._loans(state, spot, laid, listed=False)

    def _pairs(self, state: SpreadState) -> bool:
        """Whether the upcard may be taken, and hand and upcard are known."""
        assert state.actor is not None
        return self.takable(state) and known((*state.hand(state.actor), *state.upcards))

    def _discards(self, state: SpreadState) -> Iterator[Awaited]:
        """The card turned over or, once it is melded, one from the hand."""
        assert state.actor is not None
        says, who = Phrase.of("turn.discard-card", seat=state.actor), (state.actor,)
        hand, turned = state.hand(state.actor), state.turned
        if turned and state.source == STOCK:
            yield Awaited(Verb.DISCARD, says, who, pick=1, among=turned, rule="panguingue.kept")
        elif turned:
            must = Phrase.of("panguingue.turn.must", seat=state.actor, cards=turned)
            yield Awaited(Verb.DISCARD, must, who, pick=1, among=(), rule="panguingue.upcard")
        if turned and (state.source != STOCK or not self._dangerous(state)):
            return
        if hand:
            worth = unlinked(hand, RULES) if known(hand) else ()
            listed = singles(card for card in worth if card not in turned)
            yield Awaited(Verb.DISCARD, says, who, pick=1, among=hand, handfuls=listed,
                          required=not turned)  # fmt: skip

    def _dangerous(self, state: SpreadState) -> bool:
        """Whether the next player would go out with the card turned over."""
        assert state.actor is not None
        seat = state.next_live(state.actor)
        waiting = state.melded(seat) == HAND and not state.hand(seat)
        return waiting and any(
            stands((*cards, card)) for cards in state.melds(seat).values() for card in state.turned
        )

    def _melds(self, state: SpreadState) -> Iterator[Awaited]:
        """New melds, additions and loans, from the hand and the card turned over."""
        assert state.actor is not None
        seat, turned = state.actor, state.turned
        cards = (*state.hand(seat), *turned)
        must = turned if state.source == DISCARDS else ()
        if self.spot_for(state, seat):
            listed = self._listed(state.hand(seat), turned, bool(must))
            for size in range(3, min(len(cards), MELDED) + 1):
                says = Phrase.of("turn.meld", seat=seat)
                chosen = tuple(meld for meld in listed if len(meld) == size)
                yield Awaited(Verb.MELD, says, (seat,), pick=size, among=cards, handfuls=chosen,
                              required=False)  # fmt: skip
        for spot, laid in state.melds(seat).items():
            says = Phrase.of("turn.lay", seat=seat)
            fits = (c for c in dict.fromkeys(must or cards) if c.known and stands((*laid, c)))
            yield Awaited(Verb.LAY, says, (seat,), spots=(spot,), pick=1, counts=(1, MELDED),
                          among=cards, handfuls=singles(fits), required=False)  # fmt: skip
            yield from self._loans(state, spot, laid)

    def _listed(
        self, hand: tuple[Card, ...], turned: tuple[Card, ...], must: bool
    ) -> tuple[tuple[Card, ...], ...]:
        """Melds of three in known cards, with the card that has to be melded if there is one."""
        if not known((*hand, *turned)):
            return ()
        return pairs_with(turned[0], hand, RULES) if must else threes((*hand, *turned), RULES)

    def _loans(
        self, state: SpreadState, spot: str, laid: tuple[Card, ...], *, listed: bool = True
    ) -> Iterator[Awaited]:
        """The cards that a meld may lend, listing those that make another at once."""
        assert state.actor is not None
        place, hand, turned = (
            self.spot_for(state, state.actor),
            state.hand(state.actor),
            state.turned,
        )
        must = turned if state.source == DISCARDS else ()
        cards = hand if must else (*hand, *turned)
        listed = listed and known((*cards, *must))
        for size in range(1, len(laid) - 2) if place else ():
            says = Phrase.of("panguingue.turn.borrow", seat=state.actor)
            chosen = tuple(loans(laid, size, cards, must)) if listed else ()
            yield Awaited(Verb.MOVE, says, (state.actor,), spots=(spot,), to=(place or "",),
                          pick=size, among=laid, handfuls=chosen, required=False)  # fmt: skip

    def _lending(self, state: SpreadState, place: str) -> Iterator[Awaited]:
        """Further cards from a meld that has just begun to lend some: they may go one by one."""
        spot = lender(state, place) if is_lending(state, place) else None
        if spot is None or state.actor is None:
            return
        laid, waiting = state.table.cards(spot), state.table.cards(place)
        must = state.turned if state.source == DISCARDS else ()
        hand = state.hand(state.actor)
        cards = hand if must else (*hand, *state.turned)
        listed = known((*cards, *must, *laid, *waiting))
        for size in range(1, len(laid) - 2):
            says = Phrase.of("panguingue.turn.borrow", seat=state.actor)
            chosen = tuple(loans(laid, size, cards, must, waiting)) if listed else ()
            yield Awaited(Verb.MOVE, says, (state.actor,), spots=(spot,), to=(place,),
                          pick=size, among=laid, handfuls=chosen, required=False)  # fmt: skip

    def home(self, state: SpreadState, spot: str, cards: tuple[Card, ...]) -> str:
        """The spot of a new meld, wherever its player lays it."""
        return self.spot_for(state, int(spot.partition(".")[0])) or spot

    def spot_for(self, state: SpreadState, seat: int) -> str | None:
        """The next free place for a meld."""
        return free_spot(state, seat, PLACES)

    def trace(self, state: SpreadState, act: Act) -> Trace:
        """The card turned over is melded or discarded first; if kept, it goes into the hand."""
        if act.verb is Verb.DRAW:
            source = DECK if act.spot == STOCK else DISCARDS
            return tuple(Move(card, source, TURNED) for card in act.cards)
        if act.verb not in (Verb.MELD, Verb.LAY, Verb.DISCARD):
            return super().trace(state, act)
        target = self._target(state, act)
        moves = tuple(from_hand(state, act, target, self.takable(state)))
        kept = state.turned if act.verb is Verb.DISCARD and act.seat == state.actor else ()
        if any(move.source == TURNED for move in moves):
            return moves
        return (*moves, *(Move(card, TURNED, str(act.seat), False) for card in kept))

    def _target(self, state: SpreadState, act: Act) -> str:
        if act.verb is Verb.DISCARD:
            return DISCARDS
        place = self.spot_for(state, act.seat or 0) if act.verb is Verb.MELD else act.spot
        return place or str(act.seat)
