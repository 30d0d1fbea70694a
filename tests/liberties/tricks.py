"""What the documents of Tribello, Fipsen, Big Three, Democracy and Belote leave open.

The order in which hands are filled if a document gives only their size, the portions in which cards
are discarded and picked up, and the time at which optional announcements are made.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from itertools import permutations

from rules.cards import Card
from rules.games.belote import BeloteState
from rules.games.big_three import BigThree, BigThreeState
from rules.games.democracy import DemocracyState
from rules.games.fipsen import FipsenState
from rules.games.tribello import TribelloState
from rules.state import State
from tests.liberties.acts import Acts, act

SUITS = ("clubs", "diamonds", "hearts", "spades")


def going_round(
    state: State, deck: Sequence[Card], dice: random.Random, spots: Iterable[str], size: int
) -> Acts:
    """ "Shuffle and deal": a few cards to anyone who lacks some, one by one or in packets."""
    for spot in spots:
        missing = size - len(state.table.at(spot))
        if missing > 0:
            yield act(f"deal {spot}", deck[: dice.randint(1, missing)], down=True)


def some(cards: Sequence[Card], most: int, dice: random.Random) -> list[Card]:
    """One to `most` of the cards."""
    return dice.sample(list(cards), dice.randint(1, min(most, len(cards))))


def tribello(state: State, deck: Sequence[Card], dice: random.Random) -> Acts:
    """Four hands dealt in any order; "any number of cards" at once or bit by bit."""
    assert isinstance(state, TribelloState)
    seat, widow = state.exchanging, state.table.cards("widow")
    match state.phase:
        case "dealing":
            spots = (*map(str, state.start.seats), "widow")
            yield from going_round(state, deck, dice, spots, 13)
        case "exchange" if seat is not None:
            hand = state.hand(seat)
            owed = 13 - len(hand)
            begun = state.acts[-1].verb == "draw" and state.acts[-1].seat == seat
            if owed < len(widow) and not begun:
                thrown = some(hand, len(widow) - owed, dice)
                yield act(f"{seat} discard", thrown, down=True)
            if owed:
                taken = widow[-dice.randint(1, owed) :]
                yield act(f"{seat} draw widow", taken, down=True)


def fipsen(state: State, deck: Sequence[Card], dice: random.Random) -> Acts:
    """Modifiers in any order; cards picked up in any order; giving up until the first card."""
    assert isinstance(state, FipsenState)
    seat = state.declarer
    match state.phase:
        case "bidding":
            bidder = state.auction.bidder
            for words in permutations(("hand", "ruten", "durch"), dice.randint(1, 3)):
                for number in range(2, 6):
                    value = number * 2 ** len({*words, *(("durch",) if number == 5 else ())})
                    if value > state.auction.high:
                        yield act(f"{bidder} bid {number} {' '.join(words)}")
        case "drawing":
            for spot in ("skat", "rest") if state.contract.kieker else ("skat",):
                if cards := state.table.cards(spot):
                    taken = some(cards, len(cards), dice)
                    yield act(f"{seat} draw {spot}", taken, down=True)
        case "discarding" if seat is not None:
            hand = state.hand(seat)
            yield act(f"{seat} discard", some(hand, len(hand) - 5, dice), down=True)
        case "naming":
            yield from (act(f"{seat} declare {suit}") for suit in SUITS)
        case "gathering" | "deciding" if state.made and not state.all_due:
            yield act(f"{seat} stand")
            yield act(f"{seat} declare durch")
    if state.ready and not state.tricks and not state.trick and not state.settled:
        if state.contract.has("ruten"):
            yield act(f"{seat} declare diamonds")
        if state.contract.kieker:
            yield act(f"{seat} fold")


def big_three(state: State, deck: Sequence[Card], dice: random.Random) -> Acts:
    """ "Each player in turn draws one card"; the widow card by card; combinations in any order."""
    assert isinstance(state, BigThreeState)
    assert isinstance(state.game, BigThree)
    match state.phase:
        case "dealing":
            yield from going_round(state, deck, dice, map(str, state.start.seats), 16)
        case "bidding" if state.bidder is not None:
            for bid in range(state.bid + 1, 4):
                yield act(f"{state.bidder} bid {bid}")
        case "widow" if not state.game.open_widow:
            cards = state.table.cards("widow")
            yield act(f"{state.solo} draw widow", some(cards, len(cards), dice), down=True)
        case "playing":
            plays = [one for one in state.options(deck) if one.verb == "play"]
            for one in plays[:20]:
                yield one.with_cards(dice.sample(one.cards, len(one.cards)))


def democracy(state: State, deck: Sequence[Card], dice: random.Random) -> Acts:
    """Hands and pool dealt in any order; votes and reveals in any order, with any card."""
    assert isinstance(state, DemocracyState)
    match state.phase:
        case "dealing":
            size = {2: 8, 3: 6, 4: 5, 5: 4, 6: 3}[len(state.start.seats)]
            spots = (*map(str, state.start.seats), "pool")
            yield from going_round(state, deck, dice, spots, size)
        case "voting":
            seat = dice.choice(state.voting)
            for card in state.table.cards(str(seat)):
                yield act(f"{seat} play", [card], down=True)
        case "revealing":
            for seat in state.order:
                for card in state.covered(seat):
                    yield act(f"turn {seat}.trick", [card])


def belote(state: State, deck: Sequence[Card], dice: random.Random) -> Acts:
    """Three and two cards each, the last three one by one or at once; declarations are shown."""
    assert isinstance(state, BeloteState)
    match state.phase:
        case "filling":
            yield from going_round(state, deck, dice, map(str, state.start.seats), 8)
        case "playing" if state.declared and not state.tricks:
            played = {play.card for play in state.trick}
            for one in state.declared:
                shown = set(one.cards) & set(state.showing(one.seat))
                if played.isdisjoint(one.cards) and not shown:
                    cards = dice.sample(one.cards, len(one.cards))
                    yield act(f"{one.seat} show", cards)
