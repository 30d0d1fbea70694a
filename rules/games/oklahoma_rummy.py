"""Oklahoma Rummy (Arlington): melds of three or four, twos wild, and the pile taken whole.

Two packs; thirteen cards each and one turned up. A player draws from the stock, or at once melds
the upcard with two or more cards from the hand and takes the rest of the pile. Then melds may be
laid down (three or four of a rank, or of a suit in sequence, the ace low or high), and the player's
own melds lengthened to four; a discard ends the turn, but never the queen of spades. The hand ends
when a player is out of cards. Melded cards count for their player (the queen of spades 50, aces 20,
kings to eights 10, sevens to threes 5, a two as the card it stands for, 25 among twos alone), cards
left in the hand against (the queen of spades 100, twos 20), and going out scores 100. Once somebody
has 1,000, the highest score wins; after a tie they play on. A two that may stand for several cards
stands for the highest, unless its player names another when it is laid. A player who holds nothing
but queens of spades shows them and does not discard. Melds of four and a last card may leave nobody
able to go out: if the stock is out again and nothing was melded since it was shuffled, for three
rounds at least, the hand ends. With nothing left to shuffle either, it ends unless the next player
takes the pile.

The beginning of a hand's record (the dealer at seat 1)::

    [Game "oklahoma-rummy"]
    [Seats "2"]
    [Dealer "1"]

    deal 2 ?? ?? ?? ?? ?? ?? ?? ?? ?? ?? ?? ?? ??
    deal 1 ?? ?? ?? ?? ?? ?? ?? ?? ?? ?? ?? ?? ??
    deal discards 9H
    2 meld 9H 9S 9D
    2 discard KC
    1 draw stock ??
    1 meld 4C 5C 2D
    1 lay 1.meld-1 7C
    1 discard KD

Verbs: ``deal``, ``draw stock CARD``, ``meld CARD…`` (before the draw: with the upcard, taking the
pile), ``lay SPOT CARD``, ``discard CARD``, ``show CARD…`` (queens of spades that cannot be
discarded; the hand at the end), ``pass`` (only queens shown earlier are left), ``declare as CARD…``
(what the twos just laid stand for), ``shuffle``, ``end`` (nothing is left to draw), ``clear``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import combinations_with_replacement
from typing import ClassVar

from rules.acts import Act, Verb
from rules.cards import RANKS, SUITS, Card, Deck, Rank
from rules.errors import ActError, StartError
from rules.frozen import replace
from rules.game import house_rule
from rules.melds.arranging import MeldRules, unlinked
from rules.melds.laying import LayingGame, LayingState, free_spot, meld_spots, pairs_with, threes
from rules.phrases import Phrase
from rules.scoring import champion, fresh_sheet
from rules.spots import Spot
from rules.start import Start
from rules.stock import known, packs, stock_spots, unmelded
from rules.turn import Awaited

HAND = 13
QUEEN = Card.parse("QS")
GAME = 1000
OUT = 100
IN_HAND = {QUEEN: 100}
TWO_IN_HAND, TWOS_MELDED = 20, 25
PLACES = tuple(map(str, range(1, 17)))
"""Places for the most melds that one player can make from a pile of forty or more cards."""
MOST = 4
AS = ("as",)
STANDS = "oklahoma.stands-for"


@dataclass(frozen=True, kw_only=True)
class OklahomaState(LayingState):
    """State of a hand of Oklahoma Rummy."""

    newest: str = ""
    """The place where the actor last laid cards in this turn."""
    named: tuple[tuple[str, tuple[Card, ...]], ...] = ()
    """The cards that a meld's twos were said to stand for, by its place."""


@dataclass(frozen=True)
class OklahomaRummy(LayingGame[OklahomaState]):
    """Oklahoma Rummy with its house rules.

    >>> [rule.text for rule in OklahomaRummy().house_rules()]
    ['2', 'yes', 'shuffle']
    """

    name: ClassVar[str] = "oklahoma-rummy"
    also: ClassVar[tuple[str, ...]] = ("arlington",)
    players: ClassVar[range] = range(2, 9)
    goal: ClassVar[int | None] = GAME
    vocabulary: ClassVar[frozenset[Verb]] = LayingGame.vocabulary | {Verb.PASS, Verb.DECLARE}
    busy: ClassVar[str] = "melding"

    packs: int = house_rule(2, "How many packs are shuffled together.", choices=(2, 3))
    all_twos: bool = house_rule(True, "Twos alone may be melded.")
    stock_out: str = house_rule(
        "shuffle",
        "When the stock is out the discards are shuffled, or the hand ends.",
        choices=("shuffle", "end"),
    )

    def deck(self, start: Start) -> Deck:
        """Two packs, or three."""
        return packs(self.packs)

    def hand_size(self, start: Start) -> int:
        """Thirteen."""
        return HAND

    def check_start(self, start: Start) -> None:
        """Raise `StartError` for eight players without a third pack."""
        super().check_start(start)
        if len(start.seats) > 7 and self.packs < 3:
            raise StartError(f"{self.name}: eight players need the house rule packs 3")

    def spots(self, start: Start) -> tuple[Spot, ...]:
        """Hands, stock, discard pile and melds."""
        cards = len(self.deck(start))
        return (*stock_spots(start.seats, cards, cards), *meld_spots(start.seats, PLACES, MOST))

    def open(self, start: Start) -> OklahomaState:
        """Start before the deal."""
        self.check_start(start)
        return OklahomaState(game=self, start=start, limits=start.limits)

    def playing(self, state: OklahomaState) -> Iterator[Awaited]:
        """Draw or take the pile; then meld, lay off and discard."""
        if not state.drawn:
            yield from self.draws(state)
            return
        assert state.actor is not None
        hand = state.hand(state.actor)
        rest = tuple(card for card in hand if card != QUEEN)
        worth = unlinked(rest, self.rules) if known(rest) and not self._may_lay(state, hand) else ()
        yield self.discarding(state, worth)
        yield from self.lays(state)
        yield from self._naming(state)
        if hand and not state.covered(state.actor):
            yield Awaited(
                Verb.PASS, Phrase.of("oklahoma.turn.queen", seat=state.actor), (state.actor,)
            )
        elif len(hand) <= self.packs and hand:
            says = Phrase.of("oklahoma.turn.queen", seat=state.actor)
            down = len(state.covered(state.actor))
            held = ((QUEEN,) * down,) if not rest else ()
            yield Awaited(
                Verb.SHOW, says, (state.actor,), pick=down, among=(QUEEN,) * down, handfuls=held,
                required=False,
            )  # fmt: skip

    def takes(self, state: OklahomaState, spot: str, cards: tuple[Card, ...]) -> bool:
        """Whether the cards fit a meld whose named twos stay what they are."""
        named = dict(state.named).get(spot)
        return self.fits(spot, cards) and (named is None or self._stands(cards, named))

    def _naming(self, state: OklahomaState) -> Iterator[Awaited]:
        """The cards that the twos of the last meld may stand for; the highest unless declared."""
        meld = state.table.cards(state.newest)
        readings = tuple(self.readings(meld)) if state.newest else ()
        if state.actor is not None and readings and state.newest not in dict(state.named):
            says = Phrase.of("oklahoma.turn.stands", seat=state.actor)
            yield Awaited(Verb.DECLARE, says, (state.actor,), pick=len(readings[0]), words=(AS,),
                          handfuls=readings, required=False, rule=STANDS)  # fmt: skip

    def _may_lay(self, state: OklahomaState, hand: tuple[Card, ...]) -> bool:
        """Whether a known hand holds a meld, or a card to lay off, which is then best laid down."""
        melds = self.extensible(state, state.actor or 0)
        if len(melds) == 1 and len(hand) == 3:
            return False  # the last card can only go out on an open meld
        fits = any(
            self.takes(state, spot, (*meld, card)) for spot, meld in melds.items() for card in hand
        )
        return fits or any(True for _ in self.candidates(state, hand))

    @property
    def rules(self) -> MeldRules:
        """What makes a meld in this game."""
        return meld_rules(self.all_twos)

    def no_meld(self, state: OklahomaState, act: Act) -> OklahomaState:
        """Flag a meld of no valid kind."""
        return state.flag("oklahoma.no-meld", seat=act.seat, cards=act.cards)

    def makes(self, cards: tuple[Card, ...]) -> bool:
        """Whether the cards are three or four of a kind, or in sequence."""
        return self.rules.allows(cards)

    def readings(self, meld: tuple[Card, ...]) -> Iterator[tuple[Card, ...]]:
        """The cards that the twos of a meld may stand for, each way once.

        >>> from rules.cards import parse_cards
        >>> game = OklahomaRummy()
        >>> [*game.readings(parse_cards("6C 7C 2D"))]
        [(<5C>,), (<8C>,)]
        """
        naturals = [card for card in meld if card.rank is not Rank.TWO]
        twos = len(meld) - len(naturals)
        if not naturals or not twos:
            return
        for run in self.rules.readings(meld):
            yield tuple(card for card in run if card not in naturals)
        if self.rules.is_set(meld):
            alike = [Card(naturals[0].rank, suit) for suit in SUITS]
            yield from combinations_with_replacement(alike, twos)

    def verify(self, state: OklahomaState, act: Act) -> None:
        """A declaration needs a seat and the cards that twos stand for."""
        super().verify(state, act)
        if act.verb is not Verb.DECLARE:
            return
        if act.seat is None or act.words != AS or not act.cards or not known(act.cards):
            raise ActError(f"'{act}': expected a seat, the word as and the card for each two")

    def candidates(
        self, state: OklahomaState, hand: tuple[Card, ...]
    ) -> Iterator[tuple[Card, ...]]:
        """All melds of three; a fourth card can be laid off."""
        if self.spot_for(state, state.actor or 0, ()) is not None:
            yield from threes(hand, self.rules)

    def taking(self, state: OklahomaState, hand: tuple[Card, ...]) -> Iterator[tuple[Card, ...]]:
        """The upcard with two cards from the hand."""
        if self.spot_for(state, state.actor or 0, ()) is not None:
            yield from pairs_with(state.upcards[0], hand, self.rules)

    def spot_for(self, state: OklahomaState, seat: int, cards: tuple[Card, ...]) -> str | None:
        """The next free place."""
        return free_spot(state, seat, PLACES)

    def extensible(self, state: OklahomaState, seat: int) -> dict[str, tuple[Card, ...]]:
        """The melds of three."""
        open_ = super().extensible(state, seat)
        return {name: cards for name, cards in open_.items() if len(cards) < MOST}

    def effect(self, state: OklahomaState, act: Act) -> OklahomaState:
        """Handle turns, the queen that cannot be discarded, and the score."""
        after = self._named(super().effect(state, act), act)
        if act.verb is Verb.DISCARD and act.card == QUEEN:
            after = after.flag("oklahoma.queen", seat=act.seat, cards=act.cards)
        playing = after.dealt and not after.ended and act.seat == after.actor
        kept = act.verb is Verb.SHOW and set(act.cards) == {QUEEN}
        if playing and after.drawn and after.actor and (kept or act.verb is Verb.PASS):
            after = self.passes(replace(after, gained=(*after.gained, after.actor)))
        if after.dealt and not after.ended and self._stuck(after):
            after = replace(after, ended=True)
            after = after.call("melds.stalled" if self.stalled(after) else "melds.stock-out")
        if after.ended and not after.settled and not any(map(after.covered, after.order)):
            after = self._scored(after)
        return after

    def _named(self, state: OklahomaState, act: Act) -> OklahomaState:
        """Note where cards were laid last, and what their twos are said to be."""
        if act.verb in (Verb.MELD, Verb.LAY) and act.seat == state.actor:
            melds = state.melds(act.seat or 0)
            spot = act.spot if act.verb is Verb.LAY else next(
                (name for name in reversed(melds) if melds[name] == act.cards), "")  # fmt: skip
            after = replace(state, newest=spot or "")
            named = dict(state.named).get(after.newest)
            wrong = named is not None and not self._stands(melds.get(after.newest, ()), named)
            return self.no_meld(after, act) if wrong else after
        if act.verb is not Verb.DECLARE or act.seat != state.actor:
            return state
        if not self._stands(state.table.cards(state.newest), act.cards):
            return state.flag(STANDS, seat=act.seat, cards=act.cards)
        return replace(state, named=(*state.named, (state.newest, act.cards)))

    def _stands(self, meld: tuple[Card, ...], named: tuple[Card, ...]) -> bool:
        """Whether the twos of a meld may be these cards, or these and others added later."""
        return any(not Counter(named) - Counter(one) for one in self.readings(meld))

    def passes(self, state: OklahomaState) -> OklahomaState:
        """Pass the turn on; what was laid is named before that."""
        return replace(super().passes(state), newest="")

    def _stuck(self, state: OklahomaState) -> bool:
        """Whether the house ends the hand with the stock, or nobody makes progress."""
        if state.drawn or state.remaining:
            return False
        return self.stock_out == "end" or self.stalled(state)

    def _scored(self, state: OklahomaState) -> OklahomaState:
        after = state
        for seat in state.order:
            named, laid = dict(state.named), state.melds(seat).items()
            melded = sum(self.worth(cards, named.get(spot, ())) for spot, cards in laid)
            left = unmelded(state, seat)
            after = after.score(seat, melded, "oklahoma.melds")
            if seat == state.out:
                after = after.score(seat, OUT, "oklahoma.out")
            if left:
                after = after.score(seat, -sum(map(in_hand, left)), "oklahoma.hand", cards=left)
        after = replace(after, settled=True)
        winner = champion(after, GAME)
        return after.call("melds.match", seat=winner) if winner else after

    def worth(self, meld: tuple[Card, ...], named: tuple[Card, ...] = ()) -> int:
        """The points for a meld, its twos counted as the highest cards possible or as `named`.

        >>> from rules.cards import parse_cards
        >>> game = OklahomaRummy()
        >>> [game.worth(parse_cards(meld)) for meld in ("QS KS 2D", "2C 2D 2H", "QS QD 2C")]
        [80, 75, 110]
        >>> meld = parse_cards("QD QH 2C")
        >>> game.worth(meld), game.worth(meld, parse_cards("QC"))
        (70, 30)
        """
        naturals = [card for card in meld if card.rank is not Rank.TWO]
        if not naturals:
            return TWOS_MELDED * len(meld)
        told = [one for one in self.readings(meld) if not Counter(named) - Counter(one)]
        twos = max((sum(map(melded, one)) for one in told), default=0)
        return sum(map(melded, naturals)) + twos

    def follow(self, state: OklahomaState) -> Start:
        """Begin a new match when one is won."""
        start = super().follow(state)
        return fresh_sheet(start) if not state.void and champion(state, GAME) else start


@cache
def meld_rules(all_twos: bool) -> MeldRules:
    """Sets and runs of three or four with twos wild, except for the queen of spades."""
    return MeldRules(high_ace=True, most=MOST, wild=Rank.TWO, all_wild=all_twos, shy=QUEEN)


def melded(card: Card) -> int:
    """The points for a card in a meld; a two that stands for a two counts five."""
    if card == QUEEN:
        return 50
    if card.rank is Rank.ACE:
        return 20
    high = RANKS.index(Rank.EIGHT)
    return 10 if card.rank in RANKS and RANKS.index(card.rank) >= high else 5


def in_hand(card: Card) -> int:
    """The points for a card counted against its player.

    >>> [in_hand(Card.parse(text)) for text in ("QS", "QD", "2H", "AC", "7D")]
    [100, 10, 20, 20, 5]
    """
    return TWO_IN_HAND if card.rank is Rank.TWO else IN_HAND.get(card, melded(card))
