"""Spreads and ropes: melds from a pack of forty that grow, lend cards, and are paid for.

A spread is three or four of a rank in different suits, or all of one suit; a rope is a sequence of
a suit, the jack after the seven. More melds are valid on the table than may be laid down: later
additions repeat the suits of a mixed spread.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations

from rules.acts import Act, Verb
from rules.cards import Card, Rank, Suit
from rules.frozen import replace
from rules.melds.arranging import MeldRules, Suits
from rules.melds.laying import LayingState, pairs_with
from rules.phrases import Phrase
from rules.spots import DECK, Move, Table
from rules.stock import DISCARDS, STOCK, known
from rules.turn import Awaited

RULES = MeldRules(order="A234567JQK", suits=Suits.APART, free=frozenset({Rank.ACE, Rank.KING}))
TURNED = "turned"
"""The spot of the card that was turned over or taken."""
VALLE = frozenset({Rank.THREE, Rank.FIVE, Rank.SEVEN})
FORCED = "panguingue.forced"
ASIDE = frozenset({Verb.PAY, Verb.RULE})
"""What may come between the cards of a loan that go one by one."""
STRAIGHT = frozenset({Verb.MELD, Verb.LAY, Verb.DISCARD})
"""What may be done with a card straight from the stock or the discards."""
ENDS = (frozenset("A23"), frozenset("JQK"))
"""The ranks of ropes that are conditions."""


def stands(cards: tuple[Card, ...]) -> bool:
    """Whether cards are valid as a meld on the table, where a mixed spread may repeat its suits.

    >>> from rules.cards import parse_cards
    >>> [stands(parse_cards(text)) for text in ("5S 5D 5C 5C", "5S 5S 5D", "2D 3D 5D")]
    [True, False, False]
    """
    if not known(cards):
        return False
    mixed = len({card.rank for card in cards}) == 1 and len({card.suit for card in cards}) >= 3
    return mixed or RULES.allows(cards)


def condition(cards: tuple[Card, ...]) -> int:
    """What each opponent pays for a meld; 0 if it is not a condition.

    >>> from rules.cards import parse_cards
    >>> melds = ("5S 5S 5S", "7H 7C 7D", "AH 2H 3H 4H", "KS KS KH")
    >>> [condition(parse_cards(meld)) for meld in melds]
    [4, 1, 1, 0]
    """
    ranks, suits = {card.rank for card in cards}, {card.suit for card in cards}
    if len(cards) < 3:
        return 0
    spades = 2 if suits == {Suit.SPADES} else 1
    if len(ranks) > 1:
        return spades * sum(end <= ranks for end in ENDS) if len(suits) == 1 else 0
    if len(suits) > 1:
        return int(ranks <= VALLE)
    return spades * (2 if ranks <= VALLE else 1)


def loans(
    laid: tuple[Card, ...],
    size: int,
    cards: tuple[Card, ...],
    must: tuple[Card, ...] = (),
    waiting: tuple[Card, ...] = (),
) -> Iterator[tuple[Card, ...]]:
    """The cards that a meld can lend to a new one, with two cards of the hand or by themselves.

    Others from the same meld may be `waiting` there already.

    With an upcard that `must` be melded they make a meld of three, filled up from the hand.

    >>> from rules.cards import parse_cards
    >>> laid, hand, upcard = map(parse_cards, ("2C 3C 4C 5C", "5D KS", "5H"))
    >>> list(loans(laid, 1, hand, upcard)), list(loans(laid, 1, hand))
    ([(<5C>,)], [])
    """
    for lent in dict.fromkeys(combinations(laid, size)):
        rest = list(laid)
        for card in lent:
            rest.remove(card)
        if stands(tuple(rest)) and _made((*waiting, *lent), cards, must):
            yield lent


def _made(lent: tuple[Card, ...], cards: tuple[Card, ...], must: tuple[Card, ...]) -> bool:
    """Whether cards lent, an upcard that must be melded and others make a new meld."""
    if must:
        lacking = 3 - len(lent) - len(must)
        some = combinations(cards, lacking) if lacking >= 0 else ()
        return any(RULES.allows((*lent, *must, *more)) for more in some)
    return (
        RULES.allows(lent)
        if len(lent) >= 3
        else (len(lent) == 1 and bool(pairs_with(lent[0], cards, RULES)))
    )


@dataclass(frozen=True, slots=True)
class Declined:
    """An upcard that a player did not take, and the cards that have come from that hand since."""

    seat: int
    act: int
    upcard: Card
    shown: tuple[Card, ...] = ()


@dataclass(frozen=True, kw_only=True)
class SpreadState(LayingState):
    """A hand in which spreads and ropes are laid, with one card turned over at a time."""

    anted: bool = False
    dropped: frozenset[int] = frozenset()
    begun: bool = False
    """Whether a card has been drawn, so that nobody may drop out any more."""
    source: str = ""
    """Where the card turned over came from."""
    card: Card | None = None
    """That card."""
    used: bool = False
    """Whether it has been melded."""
    forced: bool = False
    fresh: bool = True
    """Whether the upcard was turned from the stock."""
    top: Card | None = None
    """The upcard as it was before the last act."""
    piled: int = 0
    """The number of discards at that time."""
    declined: tuple[Declined, ...] = ()
    """Upcards that players were forced to take and did not, as far as their hands were unseen."""
    owed: tuple[tuple[int, int, int], ...] = ()
    """The payments for the last condition, as payer, payee and amount."""

    @property
    def live(self) -> tuple[int, ...]:
        """The seats that have not dropped out, in the order of play."""
        return tuple(seat for seat in self.order if seat not in self.dropped)

    @property
    def turned(self) -> tuple[Card, ...]:
        """The card that was turned over or taken, until it is melded or discarded."""
        return self.table.cards(TURNED)

    def next_live(self, seat: int) -> int:
        """The seat that plays after `seat`."""
        ring = self.start.following(seat, self.game.direction)
        return next((other for other in ring if other not in self.dropped), seat)

    def melded(self, seat: int) -> int:
        """The number of cards that `seat` has melded."""
        return sum(map(len, self.melds(seat).values()))

    def conditions(self, seat: int) -> int:
        """The worth of all conditions of `seat`."""
        return conditions(self.melds(seat).values())

    def begun_meld(self, seat: int) -> str | None:
        """The place where a borrowed card waits for the rest of its meld."""
        return next((n for n, cards in self.melds(seat).items() if len(cards) < 3), None)


def usable(state: SpreadState, card: Card) -> bool | None:
    """Whether the actor can meld `card` at once; None if the hand is not known."""
    assert state.actor is not None
    if fits_table(state, card):
        return True
    hand = state.hand(state.actor)
    if not known((*hand, card)):
        return None
    laid = state.melds(state.actor).values()
    lent = (
        loans(cards, size, hand, (card,)) for cards in laid for size in range(1, len(cards) - 2)
    )
    return bool(pairs_with(card, hand, RULES)) or any(True for some in lent for _ in some)


def fits_table(state: SpreadState, card: Card) -> bool:
    """Whether `card` fits a meld in front of the actor, which everybody sees."""
    laid = state.melds(state.actor or 0).values()
    return any(stands((*cards, card)) for cards in laid)


def at_once(state: SpreadState, act: Act) -> bool:
    """Whether `act` plays cards before a draw, so that one of them must have been drawn."""
    playing = state.dealt and not state.ended and not state.drawn
    return playing and act.seat == state.actor and act.verb in STRAIGHT and bool(act.cards)


def straight(state: SpreadState, act: Act, takable: bool) -> tuple[str, Card | None]:
    """The pile that a card is played straight from, without resting anywhere, and that card.

    It is the upcard, if `takable` and among the cards, with all others in the hand; otherwise a
    card of the stock. Empty and None if nothing is played this way.
    """
    if not at_once(state, act):
        return "", None
    lacking = _lacking(state, act)
    upcard = act.verb is not Verb.DISCARD and state.top in (lacking or act.cards)
    if upcard and (takable or not state.remaining):
        return DISCARDS, state.top
    return (STOCK, next(iter(lacking), act.card)) if state.remaining else ("", None)


def _lacking(state: SpreadState, act: Act) -> tuple[Card, ...]:
    """The cards of `act` that are not in the hand, as far as it is known."""
    hand = state.hand(act.seat or 0)
    if not known(hand):
        return ()
    return tuple((Counter(act.cards) - Counter(hand)).elements())


def shown_from_hand(state: SpreadState, act: Act) -> tuple[Card, ...]:
    """The cards that `act` plays from the hand itself, without the card turned over."""
    cards = list(act.cards)
    if state.card in cards and not state.used and act.seat == state.actor:
        cards.remove(state.card)
    return tuple(cards)


def judged(state: SpreadState, act: Act) -> SpreadState:
    """Flag upcards declined earlier if the cards of `act` show that they could have been melded.

    No drawn card goes into a hand, so these cards were already there.
    """
    if not state.declined or act.verb not in STRAIGHT:
        return state
    shown = shown_from_hand(state, act)
    after, kept = state, []
    for one in state.declined:
        if one.seat != act.seat:
            kept.append(one)
            continue
        seen = (*one.shown, *shown)
        if pairs_with(one.upcard, seen, RULES):
            after = after.flag(FORCED, since=one.act, seat=one.seat, cards=(one.upcard,))
        else:
            kept.append(replace(one, shown=seen))
    return replace(after, declined=tuple(kept))


def from_hand(state: SpreadState, act: Act, target: str, takable: bool) -> Iterator[Move]:
    """Move the card turned over first if it is among them, or one straight from its pile."""
    source, drawn = straight(state, act, takable)
    if drawn is not None:
        hand = list(act.cards)
        hand.remove(drawn)
        yield Move(drawn, DECK if source == STOCK else DISCARDS, target)
        yield from (Move(card, str(act.seat), target, not act.down) for card in hand)
        return
    turned = list(state.turned) if act.seat == state.actor else []
    for card in act.cards:
        if card in turned:
            turned.remove(card)
            yield Move(card, TURNED, target)
        else:
            yield Move(card, str(act.seat), target, not act.down)


def place_of(state: SpreadState, act: Act) -> str:
    """Where the cards of a meld, an addition or a loan are now."""
    if act.verb is Verb.LAY:
        return act.spot or ""
    if act.verb is Verb.MOVE:
        return act.to or ""
    laid = state.melds(act.seat or 0)
    named = Counter(act.cards)
    return next((name for name, cards in laid.items() if Counter(cards) == named), str(act.seat))


def lender(state: SpreadState, place: str) -> str | None:
    """The meld that lent cards to the new one at this place, if any did."""
    loans_there = (act for act in reversed(state.acts) if act.verb is Verb.MOVE and act.to == place)
    last = next(loans_there, None)
    return None if last is None else last.spot


def is_lending(state: SpreadState, place: str) -> bool:
    """Whether the last card to come to a place was lent, so that others of its meld may follow."""
    acts = (act for act in reversed(state.acts) if act.verb not in ASIDE)
    last = next(acts, None)
    return last is not None and last.verb is Verb.MOVE and last.to == place


def completing(state: SpreadState, spot: str, rule: str) -> Awaited:
    """The cards that a borrowed card needs; others break `rule`."""
    assert state.actor is not None
    cards = (*state.hand(state.actor), *state.turned)
    laid = state.table.cards(spot)
    lacking = 3 - len(laid)
    must = state.turned if state.source == DISCARDS else ()
    fits = tuple(
        more
        for more in dict.fromkeys(combinations(cards, lacking))
        if known(more) and RULES.allows((*laid, *more)) and set(must) <= set(more)
    )
    says = Phrase.of("turn.lay", seat=state.actor)
    return Awaited(Verb.LAY, says, (state.actor,), spots=(spot,), pick=1, counts=(1, len(cards)),
                   among=cards, handfuls=fits, rule=rule)  # fmt: skip


def parting(lent: tuple[Card, ...], rest: tuple[Card, ...]) -> int:
    """What each opponent pays when a meld lends cards: for the conditions that were not there.

    It makes no difference which half of a split meld is moved, and a condition that merely goes on
    in one of them is not new.

    >>> from rules.cards import parse_cards
    >>> halves = (("5S 5S 5S", "5D 5C 5H"), ("JH JH JH", "JD JS JC"), ("AH 2H 3H", "4H 5H 6H"))
    >>> [parting(parse_cards(one), parse_cards(other)) for one, other in halves]
    [4, 1, 0]
    """
    return max(0, condition(lent) + condition(rest) - condition((*lent, *rest)))


def due(act: Act, cards: tuple[Card, ...]) -> tuple[int, int]:
    """What each opponent pays for what `act` has laid: now, and again for earlier conditions.

    `cards` are the whole meld now. A meld with borrowed cards pays as if all came from the hand;
    what a split meld pays is `parting`.
    """
    now = condition(cards)
    before = cards[: len(cards) - len(act.cards)] if act.verb is Verb.LAY else ()
    old = condition(before)
    return max(0, now - old), min(old, now) * len(act.cards)


def additions(
    melds: Mapping[str, tuple[Card, ...]], before: Table
) -> Iterator[tuple[Act, tuple[Card, ...]]]:
    """The `melds` of a player, by place, that have grown since a table `before`, each with an act
    that would have added to it what is new, in one go.

    >>> from rules.cards import parse_cards
    >>> from rules.spots import Laid
    >>> old, fourth = parse_cards("5S 5S 5S"), parse_cards("5S")
    >>> before = Table({"2.meld-1": tuple(Laid(card) for card in old)})
    >>> [str(act) for act, _ in additions({"2.meld-1": (*fourth, *old)}, before)]
    ['lay 2.meld-1 5S']
    """
    for place, cards in melds.items():
        new = Counter(cards) - Counter(before.cards(place))
        if new and stands(cards):
            kept = tuple((Counter(cards) - new).elements())
            laid = Act(Verb.LAY, spot=place, cards=tuple(new.elements()))
            yield laid, (*kept, *laid.cards)


def conditions(melds: Iterable[tuple[Card, ...]]) -> int:
    """The worth of all conditions among some melds."""
    return sum(condition(cards) for cards in melds if stands(cards))
