"""What the documents of the banking games leave open."""

from __future__ import annotations

import random
from collections.abc import Sequence

from rules.cards import Card
from rules.games.ace_deuce_jack import AceDeuceJackState
from rules.games.pai_gow_poker import PaiGowPoker, PaiGowState
from rules.games.seven_and_a_half import SevenState
from rules.games.ziginette import Ziginette, ZiginetteState
from rules.start import Level
from rules.state import State
from tests.liberties.acts import Acts, act
from tests.liberties.tricks import some


def ziginette(state: State, deck: Sequence[Card], dice: random.Random) -> Acts:
    """Bets on both cards, on one, repeatedly on the same; pairs leave the board one by one."""
    assert isinstance(state, ZiginetteState)
    if state.phase == "dealing" and not state.board:
        yield act("deal board", deck[: dice.randint(1, 2)])
    if state.phase == "removing":
        cards = state.removable
        yield act("take board", some(cards, len(cards), dice))
    assert isinstance(state.game, Ziginette)
    if state.phase == "betting" and state.start.level is Level.AMOUNTS:
        least, greatest = state.limits or (1, 20)
        player = dice.choice([s for s in state.start.seats if s != state.start.banker])
        once = state.game.limits_per == "bet"
        if once and state.game.late_bets and len(state.bets) < 12:
            for card in state.open_cards:
                yield act(f"{player} bet {dice.randint(least, greatest)}", [card])


def seven(state: State, deck: Sequence[Card], dice: random.Random) -> Acts:
    """A bust hand is cleared away card by card."""
    assert isinstance(state, SevenState)
    if state.phase == "removing":
        cards = state.showing(state.removable[0])
        if cards:
            yield act(f"take {state.removable[0]}", some(cards, len(cards), dice))


def ace_deuce_jack(state: State, deck: Sequence[Card], dice: random.Random) -> Acts:
    """The piles are laid and turned over in any order."""
    assert isinstance(state, AceDeuceJackState)
    if state.phase == "cutting":
        for spot in state.spots:
            if not state.table.at(spot):
                yield act(f"deal {spot}", deck[:1], down=True)
    if state.phase == "turning":
        for pile in state.unturned:
            yield act(f"turn {pile}", state.table.cards(pile))


def pai_gow(state: State, deck: Sequence[Card], dice: random.Random) -> Acts:
    """Hands are dealt, picked up and set in any order, and opened likewise."""
    assert isinstance(state, PaiGowState)
    assert isinstance(state.game, PaiGowPoker)
    seats = (*state.players, state.banker)
    match state.phase:
        case "dealing" if not state.game.formal_deal:
            for seat in seats:
                missing = 7 - len(state.table.at(str(seat)))
                if missing > 0:
                    yield act(f"deal {seat}", deck[: dice.randint(1, missing)], down=True)
        case "taking":
            for hand, seat in state.untaken:
                cards = state.table.cards(hand)
                yield act(f"move {hand} {seat}", some(cards, len(cards), dice), down=True)
        case "reveal":
            for seat in state.players:
                for name in ("five", "two"):
                    hidden = [c.card for c in state.table.at(f"{seat}.{name}") if not c.up]
                    if hidden:
                        yield act(f"turn {seat}.{name}", some(hidden, len(hidden), dice))
