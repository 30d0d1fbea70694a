"""Stock and discard pile: drawing from one or the other, discarding, and the stock running out.

Rummy games differ in what a player may do between the draw and the discard. Whose turn it is, what
has been drawn, where cards go and what happens when the stock runs out are handled here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import ClassVar, Generic, TypeVar

from rules.acts import Act, Verb
from rules.cards import Card, Deck, Rank
from rules.dealing import Batch, dealing, next_batch, rounds
from rules.errors import ActError
from rules.frozen import replace
from rules.game import Game
from rules.phrases import Phrase
from rules.resume import discarded_unseen
from rules.spots import DECK, Face, Move, Shape, Spot, Trace
from rules.start import Start
from rules.state import CLEARING, State
from rules.turn import Awaited, Turn
from rules.verifying import need_cards, need_seat

STOCK, DISCARDS = "stock", "discards"
OUT = ("out",)
SHOWN_MOST = 16
"""The largest hand that can be laid face up in front of its owner; larger hands are keyed."""
RUMMY_VERBS = frozenset({Verb.DEAL, Verb.DRAW, Verb.DISCARD, Verb.SHUFFLE, Verb.SHOW})


@dataclass(frozen=True, kw_only=True)
class StockState(State):
    """State common to all games with a stock and a discard pile."""

    dealt: bool = False
    actor: int | None = None
    """The seat whose turn it is."""
    drawn: bool = False
    """Whether the actor has drawn."""
    discarder: int | None = None
    """The seat that discarded last, until the next player has drawn."""
    ended: bool = False
    """Whether play is over; hands may still have to be shown."""
    settled: bool = False

    def after(self, seat: int) -> int:
        """The seat that plays after `seat`."""
        return self.start.after(seat, self.game.direction)

    @property
    def pile(self) -> tuple[Card, ...]:
        """The discard pile, upcard last."""
        return self.table.cards(DISCARDS)

    @property
    def upcards(self) -> tuple[Card, ...]:
        """The upcard, if there is one."""
        return tuple(laid.card for laid in self.table.at(DISCARDS)[-1:])


S = TypeVar("S", bound=StockState)


@dataclass(frozen=True)
class StockGame(Game[S], Generic[S]):
    """A game with a stock and a discard pile."""

    vocabulary: ClassVar[frozenset[Verb]] = RUMMY_VERBS
    carries: ClassVar[frozenset[Verb]] = frozenset({Verb.SHUFFLE})
    dealt: ClassVar[bool] = True
    keeps_upcard: ClassVar[bool] = True
    """Whether the upcard stays when the discard pile becomes the stock."""
    turns_upcard: ClassVar[bool] = True
    """Whether the first card of the stock is turned up."""
    renewal: ClassVar[str] = "turn.reshuffle"
    """What to say when the discards become the stock."""
    busy: ClassVar[str] = "discarding"
    """The phase between draw and discard."""

    def hand_size(self, start: Start) -> int:
        """The number of cards that each player is dealt."""
        raise NotImplementedError

    def batches(self, state: S) -> tuple[Batch, ...]:
        """How the cards are dealt."""
        hands = rounds(state.order, self.hand_size(state.start))
        upcard = Batch(DISCARDS, 1, down=False, says=Phrase("turn.upcard"))
        return (*hands, upcard) if self.turns_upcard else hands

    def phase(self, state: S) -> str:
        """Dealing, drawing, what comes before the discard, showing or scored."""
        if state.settled:
            return "scored"
        if not state.dealt:
            return "dealing"
        if state.ended:
            return "showing"
        return self.busy if state.drawn else "drawing"

    def playing(self, state: S) -> Iterator[Awaited]:
        """What the actor may do in the current turn."""
        raise NotImplementedError

    def turn(self, state: S) -> Turn:
        """The deal, the actor's turn, the showing of hands, and the clearing of the table."""
        if state.settled:
            return Turn((CLEARING,))
        if not state.dealt:
            return dealing(state, self.batches(state))
        if state.ended:
            return Turn(tuple(self.showing(state)) or (CLEARING,), together=True)
        return Turn(tuple(self.playing(state)) or (CLEARING,))

    def showing(self, state: S) -> Iterator[Awaited]:
        """The hands still to be shown."""
        for seat in state.order:
            cards = state.covered(seat)
            if cards:
                shown = (self.arranged(state, cards),) if known(cards) else ()
                yield Awaited(
                    Verb.SHOW,
                    Phrase.of("turn.show", seat=seat),
                    (seat,),
                    pick=len(cards),
                    among=cards,
                    handfuls=shown,
                )

    def arranged(self, state: S, cards: tuple[Card, ...]) -> tuple[Card, ...]:
        """The order in which a player shows a hand."""
        return cards

    def drawing(self, state: S, pile: Sequence[Card] | None = None) -> Iterator[Awaited]:
        """A card from the stock or the upcard; `pile` holds the upcards worth listing.

        If the game shuffles, an empty stock is renewed before anybody draws from it; the upcard may
        be taken first.
        """
        assert state.actor is not None
        who = (state.actor,)
        renewed = Verb.SHUFFLE in self.vocabulary and needs_shuffle(state, self.keeps_upcard)
        if renewed:
            yield Awaited(Verb.SHUFFLE, Phrase(self.renewal))
        elif state.remaining:
            says = Phrase.of("turn.draw", seat=state.actor)
            yield Awaited(Verb.DRAW, says, who, spots=(STOCK,), pick=1, down=True, from_deck=True)
        if state.upcards and pile is not None:
            yield Awaited(
                Verb.DRAW,
                Phrase.of("turn.draw-upcard", seat=state.actor, cards=state.upcards),
                who,
                spots=(DISCARDS,),
                pick=1,
                among=state.upcards,
                handfuls=singles(pile),
                required=not state.remaining and not renewed,
            )

    def going_out(
        self, state: S, seat: int, says: Phrase, size: int, shown: Iterable[tuple[Card, ...]]
    ) -> Iterator[Awaited]:
        """Declaring out, or showing the hand of `size` cards, which amounts to the same."""
        cards = state.covered(seat)
        yield Awaited(Verb.DECLARE, says, (seat,), words=(OUT,), required=False)
        if len(cards) >= size:
            open_ = Phrase.of("turn.show", seat=seat)
            yield Awaited(Verb.SHOW, open_, (seat,), pick=size, among=cards,
                          handfuls=tuple(shown), required=False)  # fmt: skip

    def discarding(self, state: S, worth: Iterable[Card], rule: str = "") -> Awaited:
        """A card from the hand; `worth` are those worth listing."""
        assert state.actor is not None
        return Awaited(
            Verb.DISCARD,
            Phrase.of("turn.discard-card", seat=state.actor),
            (state.actor,),
            pick=1,
            among=state.hand(state.actor),
            handfuls=singles(worth),
            rule=rule,
        )

    def verify(self, state: S, act: Act) -> None:
        """Drawing, discarding and showing need a seat and cards."""
        need_seat(act, Verb.DRAW, Verb.DISCARD, Verb.SHOW)
        need_cards(act, Verb.DRAW, Verb.DISCARD, Verb.SHOW)
        if act.verb is Verb.DRAW and act.spot not in (STOCK, DISCARDS):
            raise ActError(f"'{act}': expected {STOCK} or {DISCARDS}, got {act.spot}")
        if act.verb is Verb.DRAW and act.spot == STOCK and len(act.cards) > state.remaining:
            raise ActError(f"'{act}': the stock holds {state.remaining}, got {len(act.cards)}")

    def route(self, state: S, act: Act) -> tuple[str, str]:
        """Draws go to the hand, discards to the pile."""
        if act.verb is Verb.DRAW and act.spot is not None:
            return (DECK if act.spot == STOCK else act.spot), str(act.seat)
        if act.verb is Verb.DISCARD:
            return str(act.seat), DISCARDS
        return super().route(state, act)

    def trace(self, state: S, act: Act) -> Trace:
        """Drawn cards are held, and discards come from them; a shuffle renews the stock."""
        if act.verb is Verb.SHUFFLE:
            kept = len(state.upcards) if self.keeps_upcard else 0
            turned = state.table.at(DISCARDS)[: len(state.pile) - kept]
            return tuple(Move(laid.card, DISCARDS, DECK, laid.up) for laid in turned)
        trace = super().trace(state, act)
        if act.verb is Verb.DRAW:
            return tuple(replace(move, up=False) for move in trace)
        if act.verb is Verb.DISCARD and _held_beside_shown(state, act):
            # After showing a hand, a player discards a card not shown, even if its twin was.
            return tuple(replace(move, lay_up=False) for move in trace)
        return trace

    def effect(self, state: S, act: Act) -> S:
        """Handle the deal, the draw and the discard, common to all these games."""
        after = state
        if not after.dealt:
            if next_batch(after, self.batches(after)) is None:
                after = self.begin(replace(after, dealt=True))
            return after
        if act.seat != after.actor or after.ended:
            return after
        if act.verb is Verb.DRAW and not after.drawn:
            return replace(after, drawn=True, discarder=None)
        if act.verb is Verb.DISCARD:
            return replace(self.passes(after), discarder=act.seat)
        return after

    def resumed(self, state: S, seat: int | None) -> S:
        """Cards on the table show that the hands were dealt; the next player may be named."""
        after = state
        if not after.dealt and next_batch(after, self.batches(after)) is None:
            after = self.begin(replace(after, dealt=True))
        if seat is None or not after.dealt or after.ended:
            return after
        if after.drawn and seat != after.actor:
            after = replace(after, table=discarded_unseen(after.table, after.actor))
        return replace(after, actor=seat, drawn=False)

    def begin(self, state: S) -> S:
        """Begin the first turn."""
        return replace(state, actor=state.order[0], drawn=False)

    def passes(self, state: S) -> S:
        """Pass the turn to the next player."""
        assert state.actor is not None
        return replace(state, actor=state.after(state.actor), drawn=False)

    def follow(self, state: S) -> Start:
        """Pass the deal in the direction of play."""
        start = super().follow(state)
        if state.void:
            return start
        return replace(start, dealer=start.after(state.dealer, self.direction))


def unmelded(state: StockState, seat: int) -> tuple[Card, ...]:
    """The cards left in `seat`'s hand, as far as known, in a canonical order."""
    return tuple(sorted((card for card in state.hand(seat) if known((card,))), key=str))


def needs_shuffle(state: StockState, keeps_upcard: bool = True) -> bool:
    """Whether the stock is exhausted and the discards can replace it."""
    return not state.remaining and len(state.table.at(DISCARDS)) > keeps_upcard


@cache
def stock_spots(
    seats: tuple[int, ...], held: int, cards: int, *, shown: bool = True
) -> tuple[Spot, ...]:
    """The spots: hands, shown or not, the stock and a discard pile sized for `cards` cards."""
    hands = (
        Spot(
            "cards",
            seat,
            held,
            Shape.FAN,
            Face.EITHER,
            held=True,
            opens=shown and held <= SHOWN_MOST,
        )
        for seat in seats
    )
    stock = Spot(STOCK, capacity=cards, shape=Shape.PILE, face=Face.DOWN, held=True)
    return (*hands, stock, Spot(DISCARDS, capacity=cards, shape=Shape.PILE))


@cache
def packs(count: int) -> Deck:
    """A deck of `count` packs of fifty-two, shuffled together."""
    return Deck.standard(packs=count)


def singles(cards: Iterable[Card]) -> tuple[tuple[Card, ...], ...]:
    """Each known card once, as a selection of one."""
    return tuple((card,) for card in dict.fromkeys(cards) if card.known)


def known(cards: Iterable[Card]) -> bool:
    """Whether all of `cards` are known, without jokers, so that a hand can be judged."""
    return all(card.known and card.rank is not Rank.JOKER for card in cards)


def _held_beside_shown(state: StockState, act: Act) -> bool:
    """Whether a player who has shown some cards holds the card of `act` unshown."""
    lying = state.table.at(str(act.seat))
    if not any(laid.up for laid in lying):
        return False
    return any(not laid.up and laid.card.covers(act.card) for laid in lying)
