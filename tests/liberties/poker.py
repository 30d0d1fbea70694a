"""What the documents of the poker games, Guts and Paiute leave open."""

from __future__ import annotations

import random
from collections.abc import Sequence

from rules.cards import Card
from rules.games.chinese_poker import ChinesePoker, ChineseState
from rules.games.guts import Guts, GutsState
from rules.games.open_face_chinese_poker import OpenFaceState
from rules.games.paiute import Paiute, PaiuteState
from rules.poker.naturals import NATURALS
from rules.poker.rows import ROOM
from rules.poker.streets import PokerState
from rules.state import State
from tests.liberties.acts import Acts, act
from tests.liberties.tricks import some


def hidden(state: State, spot: str) -> list[Card]:
    """The cards face down at a spot."""
    return [laid.card for laid in state.table.at(spot) if not laid.up]


def willing(state: State, dice: random.Random) -> Acts:
    """ "They are not required to show": anyone may show once the pot is won."""
    for seat in state.start.seats:
        if cards := hidden(state, str(seat)):
            yield act(f"{seat} show", some(cards, len(cards), dice))


def poker(state: State, deck: Sequence[Card], dice: random.Random) -> Acts:
    """Cards are shown one by one, by anyone first, and without need once the pot is won."""
    assert isinstance(state, PokerState)
    if state.settled:
        yield from willing(state, dice)
    if state.phase == "showdown":
        for seat in state.live:
            if cards := state.covered(seat):
                yield act(f"{seat} show", some(cards, len(cards), dice))
    if state.phase == "discarding" and state.game.name == "pineapple":
        for seat in state.live:
            if len(state.hand(seat)) > 2:
                yield act(f"{seat} discard", [dice.choice(state.hand(seat))], down=True)


def guts(state: State, deck: Sequence[Card], dice: random.Random) -> Acts:
    """ "Declares in or out": said with or without the cards; the winner may show."""
    assert isinstance(state, GutsState)
    assert isinstance(state.game, Guts)
    if state.settled:
        yield from willing(state, dice)
    if state.phase == "declaring":
        seats = state.undecided if state.game.together else state.undecided[:1]
        for seat in seats:
            yield act(f"{seat} declare out")
    if state.phase in ("declaring", "showdown") and state.game.all_out == "stays":
        for seat in state.outside:
            if state.table.at(str(seat)):
                yield act(f"{seat} fold")


def chinese(state: State, deck: Sequence[Card], dice: random.Random) -> Acts:
    """A natural is declared at any time before hands are exposed; rows are set in any portions."""
    assert isinstance(state, ChineseState)
    assert isinstance(state.game, ChinesePoker)
    if state.settled:
        yield from willing(state, dice)
    yield from revealed(state, dice)
    if state.phase == "naturals":
        for seat in state.players:
            for name in NATURALS:
                if state.game.natural(state, seat, name) is not None:
                    yield act(f"{seat} declare {name}")
    if state.phase == "setting":
        seat = next(s for s in state.order if not state.natural(s) and not state.laid(s))
        hand = state.table.cards(str(seat))
        for row, room in ROOM.items():
            if (most := room - len(state.table.at(f"{seat}.{row}"))) > 0 and hand:
                yield act(f"{seat} lay {seat}.{row}", some(hand, most, dice), down=True)


def revealed(state: ChineseState, dice: random.Random) -> Acts:
    """ "A player must declare and reveal the natural": it is shown as soon as it is declared."""
    for seat, _ in state.declared if state.phase in ("setting", "naturals") else ():
        if cards := hidden(state, str(seat)):
            yield act(f"{seat} show", some(cards, len(cards), dice))
        for row in ROOM:
            if cards := hidden(state, f"{seat}.{row}"):
                yield act(f"turn {seat}.{row}", cards)


def open_face(state: State, deck: Sequence[Card], dice: random.Random) -> Acts:
    """Cards are split "any way they wish": all five to one row, or each turned up as it is set.

    While somebody sets thirteen cards, "the other players play out the hand the normal way".
    """
    assert isinstance(state, OpenFaceState)
    if state.phase in ("turning-up", "setting", "fantasyland") and state.acting is not None:
        seat, hand = state.acting, state.table.cards(str(state.acting))
        for row, room in ROOM.items():
            if hand and (most := room - len(state.table.at(f"{seat}.{row}"))) > 0:
                yield act(f"{seat} lay {seat}.{row}", some(hand, most, dice))
    drawing = state.phase in ("drawing", "fantasyland") and state.acting is not None
    if drawing and not state.table.at(str(state.acting)):
        for row in state.open_rows(state.acting or 0):
            yield act(f"deal {row}", deck[:1])


def paiute(state: State, deck: Sequence[Card], dice: random.Random) -> Acts:
    """The upcard may be taken even if the stock is empty; a call comes before or after."""
    assert isinstance(state, PaiuteState)
    assert isinstance(state.game, Paiute)
    seat = state.acting
    if state.phase == "drawing" and (top := state.table.cards("discards")[-1:]):
        yield act(f"{seat} draw discards", top)
    if state.phase == "discarding":
        hand = state.hand(seat)
        if state.game.calls.best(state, hand, seat):
            yield act(f"{seat} call")
        for card in hand:
            if card != state.taken:
                yield act(f"{seat} discard", [card])
