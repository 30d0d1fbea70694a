"""What the documents of the rummy games, Rams and Eleusis leave open."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from itertools import combinations

from rules.cards import Card, Rank
from rules.games.eleusis import Eleusis
from rules.games.mille import Mille, MilleState
from rules.games.oklahoma_rummy import OklahomaRummy, OklahomaState
from rules.games.pif_paf import PifPafState
from rules.games.rams import RamsState
from rules.games.three_thirteen import ThreeThirteenState
from rules.judging.lines import JudgedState
from rules.melds.spreads import RULES, SpreadState, stands
from rules.state import State
from rules.stock import DISCARDS, StockState
from tests.liberties.acts import Acts, act, rules_of
from tests.liberties.tricks import going_round

Melded = Callable[[tuple[Card, ...]], Sequence[Card] | None]
"""A hand laid out in melds, or None if some of its cards fit no meld."""


def going_out(state: StockState, size: int, melded: Melded) -> Acts:
    """Going out, said or shown: before, with or after the discard (until the next draw)."""
    seat = state.actor if state.drawn else state.discarder
    if seat is None or state.ended:
        return
    hand = state.hand(seat)
    if state.covered(seat) != hand:
        return
    if len(hand) == size and not state.drawn and (laid := melded(hand)):
        yield act(f"{seat} declare out")
        yield act(f"{seat} show", laid)
    if len(hand) == size + 1 and state.drawn:
        for place in range(len(hand)):
            rest = (*hand[:place], *hand[place + 1 :])
            if laid := melded(rest):
                yield act(f"{seat} declare out")
                yield act(f"{seat} show", laid)
                return


def upcard(state: StockState) -> Acts:
    """The upcard is taken, even if the stock is empty and not yet replenished."""
    if state.actor is not None and not state.drawn and state.upcards and not state.ended:
        yield act(f"{state.actor} draw {DISCARDS}", state.upcards)


def anyhow(state: State, deck: Sequence[Card], dice: random.Random, size: int) -> Acts:
    """ "Deal nine cards to each player": round by round, or to one player after the other."""
    yield from going_round(state, deck, dice, map(str, state.start.seats), size)


def pif_paf(state: State, deck: Sequence[Card], dice: random.Random) -> Acts:
    """Discard and then reveal, or reveal and then discard."""
    if isinstance(state, PifPafState) and state.phase == "dealing":
        yield from going_round(state, deck, dice, map(str, state.live), 9)
    if isinstance(state, PifPafState) and state.phase == "melding" and state.out is None:
        yield from going_out(state, 9, lambda hand: hand if state.melds(hand) else None)
        if not state.claims:
            yield from upcard(state)


def laid_out(state: ThreeThirteenState, hand: tuple[Card, ...]) -> Sequence[Card] | None:
    """The hand in melds, as its player shows it."""
    best = state.best(hand)
    return None if best.points else best.cards


def three_thirteen(state: State, deck: Sequence[Card], dice: random.Random) -> Acts:
    """Discard as normal, announcing it at the same time."""
    if isinstance(state, ThreeThirteenState) and not state.dealt:
        yield from anyhow(state, deck, dice, state.size)
    if isinstance(state, ThreeThirteenState) and state.dealt and not state.settled:
        seat = state.actor if state.drawn else state.discarder
        if seat is not None and not state.is_out(seat):
            yield from going_out(state, state.size, lambda hand: laid_out(state, hand))
        yield from upcard(state)


def panguingue(state: State, deck: Sequence[Card], dice: random.Random) -> Acts:
    """Cards go straight from the stock or the discards, and several are laid at once."""
    if not isinstance(state, SpreadState) or not state.dealt or state.settled or not state.actor:
        return
    seat, hand = state.actor, state.hand(state.actor)
    if state.drawn or state.begun_meld(seat):
        yield from _several(state, seat, (*hand, *state.turned))
        return
    if state.forced:
        return
    takable = state.fresh or dict(rules_of(state.game))["upcard"] == "any"
    for drawn in (deck[:1], state.upcards if takable else ()):
        for pair in combinations(hand, 2) if drawn else ():
            if RULES.allows((*drawn, *pair)) and drawn[0] not in pair:
                yield act(f"{seat} meld", (*drawn, *pair))
        for spot, laid in state.melds(seat).items() if drawn else ():
            if stands((*laid, *drawn)):
                yield act(f"{seat} lay {spot}", drawn)
    if deck:
        yield act(f"{seat} discard", deck[:1])


def _several(state: SpreadState, seat: int, cards: tuple[Card, ...]) -> Acts:
    """Two or three cards on one meld, including what was taken from the discards."""
    if state.begun_meld(seat) or (state.turned and state.source == DISCARDS):
        return
    for spot, laid in state.melds(seat).items():
        for size in (2, 3):
            for more in combinations(cards, size):
                if stands((*laid, *more)):
                    yield act(f"{seat} lay {spot}", more)
                    break


def mille(state: State, deck: Sequence[Card], dice: random.Random) -> Acts:
    """Melds of three or more, up to all of a rank and all twos, at once or card by card."""
    if isinstance(state, MilleState) and not state.dealt:
        yield from anyhow(state, deck, dice, 15)
    if not isinstance(state, MilleState) or not state.dealt or state.ended or not state.actor:
        return
    seat, hand = state.actor, state.hand(state.actor)
    least = state.game.naturals if isinstance(state.game, Mille) else 1
    twos = [card for card in hand if card.rank is Rank.TWO]
    for rank in dict.fromkeys(card.rank for card in hand if card.rank is not Rank.TWO):
        same = [card for card in hand if card.rank is rank]
        laid = state.table.cards(f"{seat}.meld-{rank.lower()}")
        some = twos[: dice.randint(0, len(twos))]
        if not state.drawn:
            if state.upcards and state.upcards[0].rank is rank and len(same) >= 2:
                yield act(f"{seat} meld", (*state.upcards, *same, *some))
            continue
        if len(same) + len(some) >= 3 and len(same) >= least:
            yield act(f"{seat} meld", (*same, *some))
        if laid:
            yield act(f"{seat} lay {seat}.meld-{rank.lower()}", (*same, *some))


def oklahoma(state: State, deck: Sequence[Card], dice: random.Random) -> Acts:
    """Any three or four cards that form a meld, at once; what a two stands for may be said."""
    if isinstance(state, OklahomaState) and not state.dealt:
        yield from anyhow(state, deck, dice, 13)
    if not isinstance(state, OklahomaState) or not state.dealt or state.ended or not state.actor:
        return
    seat, game = state.actor, state.game
    assert isinstance(game, OklahomaRummy)
    if not state.drawn:
        return
    hand = state.hand(seat)
    few = dice.sample(hand, min(8, len(hand)))
    if len(hand) > 6 and game.spot_for(state, seat, ()):
        for size in (3, 4):
            for meld in combinations(few, size):
                if game.makes(meld):
                    yield act(f"{seat} meld", meld)
    named = list(game.readings(state.table.cards(state.newest))) if state.newest else []
    if named and state.newest not in dict(state.named):
        yield act(f"{seat} declare as", dice.choice(named))


def eleusis(state: State, deck: Sequence[Card], dice: random.Random) -> Acts:
    """Strings of any length, guesses by anyone, a rule sealed late, kept or never mentioned."""
    if not isinstance(state, JudgedState) or not isinstance(state.game, Eleusis):
        return
    if state.unplayed and not state.sealed and not state.own and not state.void:
        yield act("declare own")
    if state.phase == "dealing":
        size = 12 if state.game.express else 14
        yield from going_round(state, deck, dice, map(str, state.players), size)
    free = state.exposed is None and state.misplayed is None and not state.pending
    if state.phase == "playing" and state.actor is not None and free:
        hand = state.hand(state.actor)
        most = 1 if state.game.express else state.game.string_most or len(hand)
        if hand and not state.owes:
            count = dice.randint(1, min(most, len(hand)))
            yield act(f"{state.actor} play", dice.sample(hand, count))
    anybody = state.game.express and state.just_right and state.game.guess == "any"
    if anybody and state.guessing is None and not state.owes and state.guessed is None:
        for seat in set(state.players) - state.guessers:
            yield act(f"{seat} declare guess")


def rams(state: State, deck: Sequence[Card], dice: random.Random) -> Acts:
    """After Rams a pass leaves the widow, or the first card is led; the turn-up comes first."""
    if isinstance(state, RamsState) and state.phase == "dealing":
        spots = (*map(str, state.start.seats), "widow")
        yield from going_round(state, deck, dice, spots, 5)
    if not isinstance(state, RamsState) or not state.dealt or state.settled:
        return
    if state.phase == "bidding" and state.declarer is not None:
        seat = next(s for s in state.order if state.bid(s) is None)
        yield act(f"{seat} pass")
        left = dict(rules_of(state.game))["rams_leads"] == "left"
        leads = state.order[0] if left else state.declarer
        yield act(f"{leads} play", [dice.choice(state.hand(leads))])
    if state.phase == "turn-up" and len(state.hand(state.dealer)) == 5:
        yield act(f"{state.dealer} draw board", state.table.cards("board"))
