"""Cards laid on a wrong place, taken in there, and then moved to the right one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from firmware.follow.differences import Cards, Difference
from firmware.follow.findings import Explanation
from firmware.follow.reconcile import explain
from rules.acts import Act
from rules.cards import BACK, Card
from rules.state import State


def moved_on(
    state: State, last: int, seen: Mapping[str, Cards], change: Difference
) -> Explanation | None:
    """What the `last` acts come to if their cards were on their way, and lie elsewhere now.

    None unless every card that left its place has come to another, and the rules leave a single
    explanation from before those acts. Of a hidden card only its place tells that it is one that
    was laid last.
    """
    came, left = _counted(change.came.values()), _counted(change.left.values())
    if not last or not left or left - came:
        return None
    before, acts = next(state.history(last)), state.acts[-last:]
    hidden = {spot for spot, cards in change.left.items() if BACK in cards}
    if not hidden <= _laid(before, acts):
        return None
    found = explain(before, seen, set(seen))
    nothing = [Explanation((), before)] if not found.difference else []
    done = _named(acts) + (came - left)
    ways = [one for one in (*found.explanations, *nothing) if _named(one.acts) == done]
    return ways[0] if len(ways) == 1 and not ways[0].guessed else None


def _counted(heaps: Iterable[Cards]) -> Counter[Card]:
    return Counter(card for cards in heaps for card in cards)


def _named(acts: Sequence[Act]) -> Counter[Card]:
    return Counter(card for act in acts for card in act.cards)


def _laid(state: State, acts: Sequence[Act]) -> set[str]:
    """The places to which cards were brought."""
    places = set()
    for act in acts:
        places |= {move.target for move in state.trace(act)}
        state = state.play(act)
    return places
