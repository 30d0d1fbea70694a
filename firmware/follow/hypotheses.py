"""Hypotheses side by side: the ways in which the looks since the last commit may fit together.

A pile shows only its topmost card. What was seen on top of it in between, while a hand hid other
places, shows in which order cards came and went. If a card looks like the one before it (packs
shuffled together hold equal ones), it may have been laid on that one, or that one was pushed: both
hypotheses are kept, each is explained from the committed state, and later looks decide between
them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import product
from math import inf

from firmware.follow.differences import Cards, Difference, difference, in_line, unmatched
from firmware.follow.tops import Top
from rules.cards import Card
from rules.spots import Shape
from rules.state import State

HYPOTHESES_MOST = 4
"""Largest number kept: two cards pushed, or covered by equal ones, since the last commit. A choice;
`python -m tests.soak` judges it.
"""

Tops = Mapping[str, Sequence[Top]]
"""By pile, what was on top since the last commit, newest last."""
Without = Mapping[tuple[str, Card], float]
"""When a spot was last seen without a card that is there now, in seconds."""
Passed = Mapping[str, int]
"""By pile, the number of its tops that some acts explain."""


@dataclass(frozen=True)
class Hypothesis:
    """One hypothesis: what is `seen` at the `watched` spots, and what was on the `tops` of piles.

    On `fresh` piles the topmost card was laid, not uncovered; on `bared` ones it was uncovered, not
    laid. That counts for piles whose tops are not known. A card that a spot was seen `without` came
    there after the tops that the piles had by then.
    """

    seen: Mapping[str, Cards]
    watched: frozenset[str]
    tops: Tops
    fresh: frozenset[str] = frozenset()
    bared: frozenset[str] = frozenset()
    without: Without = field(default_factory=dict)
    passing: bool = False
    """Whether cards may have rested on piles where nobody saw them, and gone on from there."""

    @property
    def begin(self) -> Passed:
        """The start: nothing is explained yet."""
        return dict.fromkeys(self.tops, 0)

    @property
    def idle(self) -> bool:
        """Whether possibly nothing has happened."""
        return all(top.perhaps for tops in self.tops.values() for top in tops)

    def whole(self, passed: Passed) -> bool:
        """Whether everything that was on top of the piles is explained."""
        return all(passed[name] == len(tops) for name, tops in self.tops.items())

    def change(self, state: State, passed: Passed) -> Difference:
        """What still differs; for a pile, the next of the cards that were on top."""
        nexts = {name: self._shown(name, passed[name]) for name in self.tops}
        change = difference(state, {**self.seen, **nexts}, self.watched)
        again = {
            name: nexts[name]
            for name, tops in self.tops.items()
            if passed[name] < len(tops) and nexts[name] == state.spots[name].shows(state.table)
        }
        if not again:
            return change
        return Difference({**change.came, **again}, {**change.left, **again})

    def _shown(self, name: str, number: int) -> Cards:
        """What is on top of a pile after `number` of its tops, as it was last read."""
        tops = self.tops[name]
        last = tops[min(number, len(tops) - 1)]
        there = self.seen[name]
        covered = last.perhaps and last.card not in there
        shown = (last.card,) if last.card else ()
        newest = number >= len(tops) - 1 and not covered and not last.among
        return there if newest else shown

    def onward(
        self, before: State, after: State, passed: Passed, unseen: Collection[str] = ()
    ) -> Passed | None:
        """How many of each pile's tops are explained; None if they do not fit.

        The topmost card of every pile that changed is the one seen, unless it was `unseen` there.
        Taking a card off a pile leaves the next one visible for a moment, so a new card that is
        there at the next look was laid on top of it.
        """
        further, came = dict(passed), list[tuple[str, Card]]()
        for spot in after.spots.values():
            name = spot.name
            if name not in self.watched or name in unseen:
                continue
            was, now = before.table.view(name), after.table.view(name)
            if spot.shape is not Shape.PILE:
                came += [(name, card) for card in unmatched(was, now)[1]] if now != was else []
                continue
            if name in self.tops:
                if now == was or (now[-1:] == was[-1:] and not in_line(was, now)):
                    continue
                number = self._next(name, passed[name], now[-1:], less=len(now) < len(was))
                if number is None:
                    return None
                further[name] = number
            elif now[-1:] != was[-1:] and not self._fits(name, was, now):
                return None
        return None if self._are_early(came, further) else further

    def _are_early(self, came: Sequence[tuple[str, Card]], passed: Passed) -> bool:
        """Whether cards came before a pile showed a top that was seen while they were absent.

        `passed` says how much of the piles is explained by then.
        """
        last = max((self.without.get(one, 0.0) for one in came), default=0.0)
        return any(
            top.at <= last for name, tops in self.tops.items() for top in tops[passed[name] :]
        )

    def _next(self, name: str, number: int, shown: Cards, *, less: bool) -> int | None:
        """How many tops are explained by an act after which a pile shows these cards.

        Taking several cards uncovers one after another.
        """
        for place in range(number, len(self.tops[name])):
            top = self.tops[name][place]
            if top.came is less and not top.either:
                return None
            if self._shown(name, place) == shown:
                return place + 1
            if not less:
                return None
        return None

    def _fits(self, name: str, was: Cards, now: Cards) -> bool:
        """Whether a pile of which only the present top is known may have changed like this."""
        shown, seen = now[-1:], self.seen.get(name, ())
        if bool(shown) != bool(seen) or not set(shown) <= set(seen):
            return False
        return name not in (self.fresh if len(now) < len(was) else self.bared)


def hypotheses(
    seen: Mapping[str, Cards],
    watched: frozenset[str],
    tops: Tops,
    *,
    fresh: Collection[str] = (),
    bared: Collection[str] = (),
    chance: Collection[str] = (),
    without: Without | None = None,
    carried: Tops | None = None,
) -> Iterator[tuple[Hypothesis, ...]]:
    """The hypotheses to be explained, those with more history first.

    The cards that were on top of piles have probably been `carried` to where such cards came. If
    none of a group leads anywhere, the next group counts: so what was `bared` by `chance` counts
    as laid only if nothing explains how it was uncovered, and a card as passing over a pile unseen
    only if nothing else explains where it is.
    """
    known = {name: found for name, found in tops.items() if name in seen and found}
    plain = Hypothesis(seen, watched, {}, frozenset(fresh), frozenset(bared), without or {})
    laid = replace(plain, bared=plain.bared - frozenset(chance))
    if carried:
        yield from _groups({**known, **carried}, plain)
    yield from _groups(known, plain)
    if any(top.chance for found in known.values() for top in found):
        new = {name: [_as_laid(top) for top in found] for name, found in known.items()}
        yield from _groups(new, laid)
    yield (plain,)
    if laid != plain:
        yield (laid,)
    yield (replace(plain, passing=True),)


def _groups(known: Tops, plain: Hypothesis) -> Iterator[tuple[Hypothesis, ...]]:
    """The hypotheses in which some of these tops may be the same card as the one before.

    If all may be, one hypothesis is that nothing has happened to the piles.
    """
    ways = [_ways(found) for found in known.values()] if known else []
    group: list[Hypothesis] = []
    for choice in product(*ways) if ways else ():
        chosen = {name: way for name, way in zip(known, choice, strict=True) if way}
        if len(group) < HYPOTHESES_MOST:
            group.append(replace(plain, tops=chosen))
    if group:
        yield tuple(group)


def _as_laid(top: Top) -> Top:
    """A top that may only look as if it had been uncovered, as a card that was laid there."""
    return replace(top, came=True, chance=False) if top.chance else top


def carried(state: State, change: Difference, tops: Tops, gone: Collection[str]) -> Tops:
    """By pile, what was on top if its topmost card was taken, and another laid there, in one go.

    Nobody saw the card below. But where a pile's topmost card is `gone`, and such a card came
    elsewhere meanwhile, it is likelier that one than another of its kind, while the next came to
    cover this one to the last index.
    """
    return {
        name: found
        for name in change.came.keys() & change.left.keys() & set(gone)
        if (found := _taken_and_laid(state, name, change, tops.get(name, ())))
    }


def _taken_and_laid(
    state: State, name: str, change: Difference, tops: Sequence[Top]
) -> tuple[Top, ...]:
    """What was on top of a pile whose card has gone to where such a card came; empty if none has
    come, or the pile itself tells how it changed."""
    view, came = state.table.view(name), change.came[name]
    elsewhere = (cards for spot, cards in change.came.items() if spot != name)
    moved = view[-1:] == change.left[name] and any(view[-1] in cards for cards in elsewhere)
    plain = not tops or (len(tops) == 1 and tops[0].came and not tops[0].open)
    if state.spots[name].shape is not Shape.PILE or not moved or not plain or len(came) != 1:
        return ()
    laid = tops[0] if tops else Top(came[0], came=True, at=inf)
    below = next(iter(view[-2:-1]), None)
    return () if laid.card in (below, view[-1]) else (Top(below, at=laid.at), laid)


def doubled(state: State, name: str, tops: Sequence[Top]) -> bool:
    """Whether a card equal to the one that a pile shows was laid on it, or may have been.

    If it came and went again, the table is as before: then nothing has happened.
    """
    shown = state.spots[name].shows(state.table)
    came = bool(tops) and tops[-1].came and not tops[-1].perhaps
    return came or all(top.perhaps or (top.card,) == shown for top in tops)


def _ways(tops: Sequence[Top]) -> list[tuple[Top, ...]]:
    """The tops in each order, with and without those that may repeat the card before them."""
    choices = product(*(top.orders for top in tops))
    return [tuple(top for part in way for top in part) for way in choices]
