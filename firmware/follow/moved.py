"""Cards laid in a wrong place, recorded there, and then moved to the right one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from firmware.follow.differences import Cards, Difference
from firmware.follow.findings import Explanation, Findings
from firmware.follow.hypotheses import Tops
from firmware.follow.reconcile import explain
from rules.acts import Act, Verb
from rules.cards import BACK, Card
from rules.spots import Shape
from rules.state import State
from vision.sightings import Lying, Seen

ON_ITS_WAY_S = 1.2
"""How long a card lifted from a wrong place may be on its way to another. A choice: a hand takes
half a second from one seat to the next, and where the card lands it is read 0.6 s later than the
empty place; `python -m tests.soak --pictures` judges it.
"""
NOTICED_S = 1.0
"""Time from recording until a hand comes for a card within which it was being moved on: its dealer
had not yet heard a warning. A choice: simulated dealers reach for it 0.1 to 0.4 s afterwards if it
was on its way, and 1.4 s if they were warned; `tests/test_rehearsal.py` judges it.
"""


@dataclass
class Untouched:
    """Until when, in seconds, each place was last seen with the cards before its latest change.

    That it has changed is read a second later, when the hand has left.
    """

    _lies: dict[str, tuple[Sequence[Lying], float]] = field(default_factory=dict)
    _until: dict[str, float] = field(default_factory=dict)

    def see(self, seen: Seen, now: float) -> None:
        """Note what lies at the places without a hand now."""
        for name in seen.spots.keys() - seen.busy:
            cards = seen.spots[name]
            before, last = self._lies.get(name, (cards, now))
            if cards is not before and _cards(cards) != _cards(before):
                self._until[name] = last
            self._lies[name] = cards, now

    def of(self, places: Iterable[str]) -> float | None:
        """The latest of these moments at some places; None if none of them has changed."""
        return max((self._until[name] for name in places if name in self._until), default=None)


def moved_on(
    state: State,
    last: int,
    seen: Mapping[str, Cards],
    change: Difference,
    tops: Tops | None = None,
    *,
    soon: bool = True,
) -> Explanation | None:
    """What happened if the cards of the `last` acts were on their way, and are elsewhere now.

    None unless every card that left its place, and does not only lie under another, has come to
    another place, or onto an equal card on the `tops` of piles, and the rules leave a single
    explanation from before those acts. A hidden card can be identified as one of those laid last
    only by its place; if others are left there, and it broke no rule, only if it went `soon`: a
    hand that is squared up when the next card is dealt shows one less, too.
    """
    left = _counted(_uncovered(state, change))
    likes = onto_likes(tops or {}, left)
    came = _counted(change.came.values())
    came.update(top.card for found in likes.values() for top in found if top.card)
    if not last or not left or left - came:
        return None
    before, acts = next(state.history(last)), state.acts[-last:]
    hidden = {spot for spot, cards in change.left.items() if BACK in cards}
    if not hidden <= _laid(state, last):
        return None
    squared = not soon and any(BACK in seen[spot] for spot in hidden)
    if squared and len(state.violations) <= len(before.violations):
        return None
    found = explain(before, seen, set(seen), tops=likes)
    nothing = [Explanation((), before)] if not found.difference else []
    done = _named_once(zip(state.history(last), acts, strict=True)) + (came - left)
    ways = (*found.explanations, *nothing)
    ways = tuple(one for one in ways if _named_once(_played(before, one.acts)) == done)
    return ways[0] if len(ways) == 1 and not ways[0].guessed else None


def _uncovered(state: State, change: Difference) -> Iterator[Cards]:
    """The cards missing from places, but for those that another on their pile only covers."""
    for name, cards in change.left.items():
        if state.spots[name].shape is not Shape.PILE or name not in change.came:
            yield cards


def onto_likes(tops: Tops, left: Mapping[Card, int]) -> Tops:
    """The piles onto which nothing came except possibly cards that `left` a place.

    Each landed on an equal card, which therefore seems to have been pushed.
    """
    return {
        name: found
        for name, found in tops.items()
        if all(top.came and top.perhaps and top.card and left.get(top.card) for top in found)
    }


def on_its_way(way: Explanation, findings: Findings, *, lain: float, waited: float) -> bool:
    """Whether a card was lifted from a wrong place and may yet come to another.

    It had `lain` there for that many seconds since it was recorded, and `waited` is how long it has
    been away. Lifting it corrects the slip; once the card is where it was meant to be, there was
    none.
    """
    change, soon = findings.difference, lain < NOTICED_S and waited < ON_ITS_WAY_S
    lifted = bool(change.left) and not change.came
    return soon and lifted and all(one.verb is Verb.RULE for one in way.acts)


def may_be_moved_on(state: State, last: int, way: Explanation, busy: Collection[str]) -> bool:
    """Whether a card of `way` may be one that the `last` acts laid where a hand is now.

    All hidden cards look the same: one is likely moved on only from where it broke a rule.
    """
    if not last or not busy:
        return False
    laid = Counter[Card]()
    for moment, act in zip(state.history(last), state.acts[-last:], strict=True):
        laid.update(move.card for move in moment.trace(act) if move.target in busy)
    before = next(state.history(last))
    slip = len(state.violations) > len(before.violations)
    return any((slip or not card.hidden) and laid[card] for card in _named(way.acts))


def _cards(lying: Sequence[Lying]) -> Counter[Card]:
    return Counter(one.card for one in lying)


def _counted(heaps: Iterable[Cards]) -> Counter[Card]:
    return Counter(card for cards in heaps for card in cards)


def _named(acts: Sequence[Act]) -> Counter[Card]:
    return Counter(card for act in acts for card in act.cards)


def _played(state: State, acts: Sequence[Act]) -> Iterator[tuple[State, Act]]:
    """Each of some acts after `state`, with the state that it is done in."""
    for act in acts:
        yield state, act
        state = state.play(act)


def _named_once(done: Iterable[tuple[State, Act]]) -> Counter[Card]:
    """The cards that these acts name; one that moves on from where another laid it, once.

    What was laid beside the pile may have counted as a discard that the next player drew.
    """
    named, lie = Counter[Card](), Counter[tuple[str, Card]]()
    for state, act in done:
        cards = Counter(act.cards)
        for move in state.trace(act):
            if lie[move.source, move.card] and cards[move.card]:
                lie[move.source, move.card] -= 1
                cards[move.card] -= 1
            lie[move.target, move.card] += 1
        named += cards
    return named


def _laid(state: State, last: int) -> set[str]:
    """The places to which the `last` acts brought cards."""
    pairs = zip(state.history(last), state.acts[-last:], strict=True)
    return {move.target for moment, act in pairs for move in moment.trace(act)}
