"""Tables where players break the rules out of sight, and a brute-force judge of what proves it.

`may` states the obligations of each game independently, straight from its rule sheet: which cards
of a hand may be played, by elimination, rather than what is wrong with a card.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from rules.acts import Act, Verb
from rules.cards import Card, Suit
from rules.game import AnyGame
from rules.start import Start
from rules.tricks.play import TrickState
from tests.play import Dealer

Laid = tuple[int, Card]
"""A seat and the card it played."""
May = Callable[[Sequence[Card], Sequence[Laid], Suit | None, int], set[Card]]
"""The cards of a hand that may be played to a trick, with these trumps, by this seat of four."""

PLAIN = "AKQJT98765432"
BELOTE_PLAIN, BELOTE_TRUMPS = "ATKQJ987", "J9ATKQ87"


def wins(card: Card, other: Card, trump: Suit | None, plain: str, trumps: str) -> bool:
    """Whether `card`, played later, takes the trick from `other`."""
    if card.suit != other.suit:
        return card.suit == trump
    ranks = trumps if card.suit == trump else plain
    return ranks.index(card.rank) < ranks.index(other.rank)


def takes(card: Card, trick: Sequence[Laid], trump: Suit | None, plain: str, trumps: str) -> bool:
    best = trick[0][1]
    for _, other in trick[1:]:
        if wins(other, best, trump, plain, trumps):
            best = other
    return wins(card, best, trump, plain, trumps)


def winner(trick: Sequence[Laid], trump: Suit | None, plain: str, trumps: str) -> int:
    seat, best = trick[0]
    for other, card in trick[1:]:
        if wins(card, best, trump, plain, trumps):
            seat, best = other, card
    return seat


def may_follow(
    hand: Sequence[Card], trick: Sequence[Laid], trump: Suit | None, seat: int
) -> set[Card]:
    """Tribello and Fipsen: follow suit if able, otherwise anything."""
    if not trick:
        return set(hand)
    return {card for card in hand if card.suit == trick[0][1].suit} or set(hand)


def may_rams(
    hand: Sequence[Card], trick: Sequence[Laid], trump: Suit | None, seat: int
) -> set[Card]:
    """Follow suit, else trump, else anything; and beat the trick if suit or trumps can."""
    if not trick:
        return set(hand)
    suited = {card for card in hand if card.suit == trick[0][1].suit}
    bound = suited or {card for card in hand if card.suit == trump}
    taking = {card for card in bound if takes(card, trick, trump, PLAIN, PLAIN)}
    return taking or bound or set(hand)


def may_belote(
    hand: Sequence[Card], trick: Sequence[Laid], trump: Suit | None, seat: int
) -> set[Card]:
    """Follow suit and beat led trumps if able; otherwise trump, and overtrump if able.

    A player whose partner is winning need neither trump nor overtrump.
    """
    if not trick:
        return set(hand)
    led = trick[0][1].suit
    partner = (winner(trick, trump, BELOTE_PLAIN, BELOTE_TRUMPS) - seat) % 2 == 0
    suited = {card for card in hand if card.suit == led}
    if suited and (led != trump or partner):
        return suited
    if partner:
        return set(hand)
    trumps = {card for card in hand if card.suit == trump}
    higher = {card for card in trumps if takes(card, trick, trump, BELOTE_PLAIN, BELOTE_TRUMPS)}
    return higher or trumps or set(hand)


MAY: dict[str, May] = {
    "tribello": may_follow,
    "fipsen": may_follow,
    "rams": may_rams,
    "belote": may_belote,
}


def crooked_hand(
    game: AnyGame, start: Start, dice: random.Random, cheating: float
) -> tuple[TrickState, ...]:
    """Every state of a hand in which now and then any card may be played."""
    dealer = Dealer(dice)
    dealer.shuffle(game, start)
    state: TrickState = game.open(start)
    states = [state]
    while not state.over:
        act = dealer.choose(state)
        if act.verb is Verb.PLAY and dice.random() < cheating:
            assert act.seat is not None
            act = Act(Verb.PLAY, act.seat, cards=(dice.choice(state.hand(act.seat)),))
        dealer.follow(state, act)
        state = state.play(act)
        states.append(state)
    return tuple(states)


@dataclass(frozen=True)
class Guilt:
    """A play that broke a rule, with the moment and the cards that first prove it."""

    since: int
    found: int
    card: Card
    proofs: frozenset[Card]


def guilty(state: TrickState, may: May) -> Iterator[Guilt]:
    """Compare by brute force each play with each later card of the same seat, in order of acts."""
    open_cards = {(a.seat, a.card) for a in state.acts if a.verb is Verb.DRAW and not a.down}
    plays = [play for trick in (*state.tricks, state.trick) for play in trick]
    for trick in (*state.tricks, state.trick):
        for place, play in enumerate(trick):
            before = [(other.seat, other.card) for other in trick[:place]]
            later = [p for p in plays if p.seat == play.seat and p.act > play.act]
            seen: dict[int, list[Card]] = {}
            for other in later:
                known = (play.seat, other.card) in open_cards
                seen.setdefault(play.act if known else other.act, []).append(other.card)
            for found in sorted(seen):
                pairs = ((card, {play.card, card}) for card in seen[found])
                proofs = frozenset(
                    card
                    for card, two in pairs
                    if play.card not in may(sorted(two, key=str), before, state.trump, play.seat)
                )
                if proofs:
                    yield Guilt(play.act, found, play.card, proofs)
                    break
