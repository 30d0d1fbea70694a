"""Cards that are laid together, of which only some have been made out.

A meld, or a hand laid open, comes to its place as a whole: fewer cards than the rules allow there
are some of it, while the others are still being laid or read.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from firmware.follow.differences import Cards, Difference, unmatched
from rules.acts import Act
from rules.errors import ActError
from rules.state import State
from rules.turn import FROM_DECK, Awaited

Effect = Callable[[State, Act], Difference | None]
"""What an act changes visibly after a state, as far as no hand hides it; None if it is impossible.
"""


def are_parts_of_groups(state: State, change: Difference, effect: Effect) -> bool:
    """Whether all that has come are cards of groups that may be laid now, one of them not whole.

    What has left a place must be what these groups may take from there, as an upcard.
    """
    rest, left, partial = dict(change.came), change.left, False
    while rest:
        found = _group(state, rest, left, effect)
        if found is None:
            return False
        act, place, taken = found
        partial |= len(rest.pop(place)) < len(act.cards)
        left = {name: more for name in left if (more := _beyond(left, taken, name))}
        state = state.play(act)
    return partial and not left


def _group(
    state: State, came: Mapping[str, Cards], left: Mapping[str, Cards], effect: Effect
) -> tuple[Act, str, Mapping[str, Cards]] | None:
    """An act that lays a group in one of the places, that place, and what it takes from others."""
    for one in state.turn:
        if _lays_groups(one):
            for place, cards in came.items():
                act = _filled(one, cards, left)
                wanted = _effect(state, act, effect) if act is not None else None
                if act is None or wanted is None or wanted.came.keys() != {place}:
                    continue
                if not unmatched(cards, wanted.came[place])[0]:
                    return act, place, wanted.left
    return None


def _lays_groups(one: Awaited) -> bool:
    """Whether it is an act by which several cards are laid open together."""
    fewest = min(one.counts or (one.pick,))
    return fewest > 1 and not one.down and one.verb not in FROM_DECK and not one.spots


def _filled(one: Awaited, cards: Cards, left: Mapping[str, Cards]) -> Act | None:
    """The act with these cards, and as many others as it needs; None if it is for fewer.

    The others may be any that have left a place; they stand for cards that nobody has seen yet.
    """
    if any(card.hidden for card in cards) or len(cards) > max(one.counts or (one.pick,)):
        return None
    gone = tuple(card for some in left.values() for card in some if not card.hidden)
    others = (*unmatched(cards, gone)[1], *cards * one.pick)
    return one.fill((*cards, *others[: max(0, one.pick - len(cards))]))


def _effect(state: State, act: Act, effect: Effect) -> Difference | None:
    """What such an act changes, if it may be played at all."""
    try:
        state.play(act)
    except ActError:
        return None
    return effect(state, act)


def _beyond(left: Mapping[str, Cards], taken: Mapping[str, Cards], name: str) -> Cards:
    return unmatched(taken.get(name, ()), left[name])[1]
