"""Where the cards of a pile were seen, and which of them one that is seen now is.

A card that lies where one lay before is that card, uncovered again or pushed a little. Packs
shuffled together hold equal cards, one of which may have been laid there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from firmware.follow.outlines import (
    BARED,
    GUESSED,
    HIDES,
    NUDGED,
    PEEPING,
    Jitter,
    alike,
    among,
    cards_of,
    index_jump,
    jump,
    near,
    pushed_from,
)
from firmware.follow.tops import Cards
from rules.cards import Card
from vision.picture.geometry import Outline, corners_apart
from vision.sightings import Lying
from vision.track.as_before import PLAIN

BARED_MOST = 3
"""Largest number of cards that may have been taken off a pile between two looks: any of the many
below may look like a new one and lie in its place. The same number of looks is remembered. A
choice; `python -m tests.soak` judges it.
"""

OVERLAPS = 0.9
"""Distance between two cards, in shorter sides, below which they overlap so much that one laid on
the lower covers print of the upper one. A choice; `python -m tests.soak --pictures` judges it.
"""


def _is_guessed(one: Lying) -> bool:
    """Whether too little of a card is in view to tell its rank and suit."""
    return not one.whole and one.confidence < PLAIN and not one.card.hidden


def _reads_like(old: Card, read: Card) -> bool:
    """Whether half of a card's index may have been read as this card."""
    return old.known and (old.rank == read.rank or old.suit == read.suit)


def _may_peep(old: Lying, one: Lying) -> bool:
    """Whether an index that peeps out may be that of a card that was there."""
    away = jump(old, one)
    return away <= PEEPING or (away <= GUESSED and index_jump(old, one) <= BARED)


@dataclass
class Layers:
    """The cards of a pile, as they were seen to be laid on top of each other.

    >>> from rules.cards import Card
    >>> def at(text, x):
    ...     corners = ((x, 0.0), (x + 60, 0.0), (x + 60, 90.0), (x, 90.0))
    ...     return Lying(Card.parse(text), 0.99, (), corners)
    >>> queen, jack = at("QD", 0.0), at("JD", 3.0)
    >>> Layers(known=[queen, jack], shown=(queen,), tops=(queen,)).bared
    True
    """

    jitter: Jitter = field(default_factory=Jitter)
    known: list[Lying] = field(default_factory=list)
    """The known cards, lowest first."""
    shown: tuple[Lying, ...] = ()
    """What was visible last."""
    tops: tuple[Lying, ...] = ()
    """Its top card; several if nobody knows which came last."""
    held: Cards = ()
    """What the state held of it when the pile last agreed with it."""
    _lately: tuple[tuple[Lying, ...], ...] = ()
    """What was visible at the last few looks before: it is uncovered again when cards go."""
    _pushed: tuple[Lying, ...] = ()
    """The cards that were pushed at the last look, or covered by equal ones."""
    _base: Lying | None = None
    """The first card that came, where it was then: piles are squared up there."""
    _loosely: tuple[Lying, ...] = ()
    """What counted as a known card at the last look, though slightly displaced from it."""
    _places: dict[Outline, Outline] = field(default_factory=dict)
    """For each outline of a card that peeped out, as it was read, the one that was measured by its
    picture while it was in full view."""

    @property
    def bared(self) -> bool:
        """Whether the topmost card was below others before, and has been uncovered."""
        return len(self.tops) == 1 and self._place < len(self.known) - 1

    def _without_like_below(self, lying: Sequence[Lying]) -> list[Lying]:
        """What is visible, without a card that lies like the topmost one but is not that one.

        What lay under that card in full view lies over this one: so that one was taken, and this
        one is an equal card further down.
        """
        least = self._place if len(self.tops) == 1 else len(self.known)
        above = [old for old in self.known[least:] if old.whole]
        return [one for one in lying if not any(self._is_below(one, old, lying) for old in above)]

    def _is_below(self, one: Lying, top: Lying, lying: Sequence[Lying]) -> bool:
        """Whether what seems to be a card that was on top lies under one that lay under that.

        One that was in full view beneath it tells nothing now: they hardly touch. What is seen must
        lie where an equal card further down lies, or at least as near to it as to the one on top.
        """
        if one.whole or one.card != top.card or not near(one, top, OVERLAPS):
            return False
        lower = self.known[: self._rank(top)]
        beside = [old for old in self.shown if old.whole]
        aside = beside if among(top, beside) else []
        over = [
            place
            for place, old in enumerate(lower)
            for other in lying
            if other.whole
            and alike(other, old)
            and near(other, one, OVERLAPS)
            and not among(other, aside)
        ]
        far = max(jump(top, one), PEEPING) + BARED
        further_down = lower[: max(over, default=0)]
        return any(old.card == one.card and jump(old, one) <= far for old in further_down)

    def _lain_again(
        self, lying: Sequence[Lying], sole: Callable[[Card], bool]
    ) -> tuple[Lying, ...]:
        """Update the outlines of known cards that read differently after others have come or gone.

        With another part of it visible, a card is read slightly displaced from where it was. Where
        that was measured, it counts: what is visible is returned with it.
        """
        self._loosely = ()
        if cards_of(lying) == cards_of(self.shown):
            return tuple(lying)  # whatever lies differently was moved
        told = []
        for one in lying:
            place = None if self._knows(one) else self._place_again(one, lying, sole)
            there = one if place is None else self._lies_now(place, one)
            if place is not None:
                self._loosely += (there,)
            told.append(there)
        return tuple(told)

    def _placed(self, one: Lying) -> Lying:
        """A card where it was measured, if it has been read elsewhere since.

        What peeps out reads a little differently each time.
        """
        place = self._places.get(one.outline)
        if place is None and not (one.whole or one.measured):
            told = (
                (corners_apart(read, one.outline), there)
                for read, there in self._places.items()
                if any(old.card == one.card and old.outline == there for old in self.known)
            )
            away, near_by = min(told, default=(PEEPING, None))
            place = near_by if away < PEEPING else None
        return one if place is None else replace(one, outline=place, measured=True)

    def _as_lain(self, lying: Sequence[Lying]) -> tuple[Lying, ...]:
        """What is visible, with what peeps out read as the known card that lies there.

        Of a card under others, a part of an index may be visible, whose rank or suit is a guess.
        Only what lies above everything else is new, and nothing covers that.
        """
        placed = [self._placed(one) for one in lying]
        return tuple(self._lain(one, placed) for one in placed)

    def _lain(self, one: Lying, lying: Sequence[Lying]) -> Lying:
        """What a card is, if it is a known one that is read in part from under another."""
        others = [other for other in lying if other is not one]
        under = any(other.whole and near(other, one, OVERLAPS) for other in others)
        recent = (*self._near_top(), *self._beside())
        if not under or not _is_guessed(one) or among(one, recent, PEEPING):
            return one
        fits = [
            (jump(old, one), self._rank(old))
            for old in recent
            if _reads_like(old.card, one.card)
            and among(old, self.known)
            and not among(old, others, PEEPING)
            and _may_peep(old, one)
        ]
        if not fits:
            return one
        _, place = min(fits)
        return self._lies_now(place, replace(one, card=self.known[place].card))

    def _place_again(
        self, one: Lying, lying: Sequence[Lying], sole: Callable[[Card], bool]
    ) -> int | None:
        """Which of the known cards it is, as far as that can be determined."""
        others = [other for other in lying if other is not one]
        places = [
            place
            for place, old in enumerate(self.known)
            if old.card == one.card and not among(old, others)
        ]
        if one.card in self.held[:-1] and one.card != self.held[-1] and sole(one.card):
            return max(places, default=None)
        peeps = any(self._is_above(other, max(places, default=0)) for other in others)
        peeped = any(old.card == one.card for old in self.shown if old not in self.tops)
        # Even a steady camera works the outline of a half-covered card out from what it sees of it.
        jitter = self.jitter
        within = jitter.perhaps_within(PEEPING) if peeps or peeped else jitter.within(BARED)
        # Nothing new lies under what was laid over the top, nor under what lay there before.
        under = self._is_under_known(one, others)
        lay = self._one_came(others) or under
        if lay and not one.measured:
            within = max(within, BARED if one.whole else GUESSED)
        known = self._knows(one, within) or lay
        if not known or not (under or self._may_show(one, others)):
            return None
        return max((p for p in places if alike(one, self.known[p], within)), default=None)

    def _is_under_known(self, one: Lying, others: Sequence[Lying]) -> bool:
        """Whether it peeps out from under a card in full view that lay there: then it lay there.

        However deep it lies, and whatever is between: nobody lays a card under others. Nor need
        anything have come or gone just now: what is left of an index may be missed for a look.
        """
        return bool(self._known_over(one, others))

    def _known_over(self, one: Lying, lying: Sequence[Lying]) -> list[Lying]:
        """The known cards in full view among those `lying` there from under which it peeps out."""
        over = (other for other in lying if other.whole and near(other, one, OVERLAPS))
        return [] if one.whole else [other for other in over if self._knows(other)]

    def _one_came(self, others: Sequence[Lying]) -> bool:
        """Whether one of the others was laid over the top, which alone explains what is visible.

        Anything else in view was there before, and was missed for a few looks.
        """
        if len(self.tops) != 1 or among(self.tops[0], others):
            return False
        return any(near(self.tops[0], one, HIDES) and not self._knows(one) for one in others)

    def _may_show(self, one: Lying, others: Sequence[Lying]) -> bool:
        """Whether it was visible last, or may have been uncovered by what came or went."""
        within = self.jitter.within(PEEPING)
        if among(one, self.shown, within):
            return True
        gone = any(not among(old, others, within) for old in self.shown)
        return gone or any(not self._knows(other, within) for other in others)

    def _is_above(self, one: Lying, place: int) -> bool:
        """Whether a card is above the one at a `place`, or has only just come."""
        within = self.jitter.within(PEEPING)
        if not self._knows(one, within):
            return True
        ranks = (rank for rank, old in enumerate(self.known) if alike(one, old, within))
        return max(ranks, default=0) > place

    def _place_below(self, rank: int, one: Lying) -> int:
        """The `rank` of a known card, or if that counts as taken, of the equal one below it that is
        still in sight in its place."""
        if rank <= self._place:
            return rank
        lower = enumerate(self.known[: self._place + 1])
        likes = (n for n, old in lower if old.card == one.card and jump(old, one) < GUESSED)
        return max(likes, default=rank)

    def _lies_now(self, place: int, one: Lying) -> Lying:
        """Replace the outline of a known card with the one seen now, and return it.

        One that was measured stays: of what peeps out, the place is worked out from one index.
        """
        if self.known[place].measured and not one.measured:
            self._places[one.outline] = self.known[place].outline
            one = self._placed(one)
        old, self.known[place] = self.known[place], one
        self.tops = tuple(one if alike(top, old) else top for top in self.tops)
        self.shown = tuple(one if alike(other, old) else other for other in self.shown)
        lately = (tuple(one if alike(o, old) else o for o in look) for look in self._lately)
        self._lately = (*lately, (one,))[-BARED_MOST:]
        return one

    def _new(self, lying: Sequence[Lying], sole: Callable[[Card], bool]) -> tuple[Lying, ...]:
        """The cards that were not there before; a card that was pushed a little is not new, nor is
        the `sole` one of the deck if the pile holds it."""
        gone = [old for old in self.shown if not among(old, lying)]
        new = []
        for one in lying:
            known = self._knows(one)
            if known and (self._holds(one.card, sole) or not self._lies_over(one, lying)):
                continue
            if self._comes_to_light(one, lying):
                self.known.insert(self._place, one)
                continue
            if self.tops and _is_guessed(one) and self._lay_under(one, lying):
                continue
            pushed = next((old for old in gone if self._is_pushed(old, one, lying)), None)
            if pushed is None and one.displaced:
                # Whoever drew the one above it may have dragged it along.
                pushed = next((old for old in self._near_top()[::-1] if old.card == one.card), None)
            if pushed is None:
                new.append(one)
                continue
            gone = [old for old in gone if old is not pushed]
            self._pushed += (one,)
            place = self._rank(pushed)
            if one.displaced or self._squared(one, lying):
                self.known[place] = one
            else:  # an equal card may lie where it was, and be uncovered again
                self.known.insert(1 + place, one)
            self.tops = tuple(one if alike(top, pushed) else top for top in self.tops)
        return tuple(new)

    def _holds(self, card: Card, sole: Callable[[Card], bool]) -> bool:
        """Whether the pile holds the `sole` card of its kind, which then cannot have come."""
        return card in self.held and sole(card)

    def _lay_under(self, one: Lying, lying: Sequence[Lying]) -> bool:
        """Put what peeps out from under a card in full view below that, if it does.

        Of a pile that is not square, many a card was never seen where it lies. One that lies over
        it now and was just laid on the topmost card left what was known above it.
        """
        if over := self._known_over(one, lying):
            self.known.insert(min(self._rank(other) for other in over), one)
            return True
        if len(self.tops) != 1 or one.whole:
            return False
        laid = any(
            other.whole and near(other, one, OVERLAPS) and near(other, self.tops[0], OVERLAPS)
            for other in lying
        )
        if laid:
            self.known.insert(self._place, one)
        return laid

    def _comes_to_light(self, one: Lying, lying: Sequence[Lying]) -> bool:
        """Whether it is a card that the state holds under the topmost one, which has gone, though
        it was never seen to lie where it does.

        It may have been laid on an equal one so exactly that only its way there told: then the pile
        holds more of them than there are places known.
        """
        if len(self.tops) != 1 or among(self.tops[0], lying):
            return False
        told = (self.tops[0].card,) == self.held[-1:] and (one.card,) == self.held[-2:-1]
        seen = sum(old.card == one.card for old in self.known)
        return told and seen < self.held.count(one.card)

    def _is_pushed(self, old: Lying, one: Lying, lying: Sequence[Lying]) -> bool:
        """Whether `one` is `old`, pushed a little, or squared up with everything around it."""
        like = old.card == one.card
        squared = old in self.tops and like and self._squared(one, lying)
        return squared or (like and one.displaced) or pushed_from(old, one)

    def _knows(self, one: Lying, within: float = NUDGED) -> bool:
        """Whether it was visible last, or not far below, so that it was uncovered again."""
        lies = among(one, self.known, within)
        recent = (*self.shown, *self._near_top(), *self._beside())
        return lies and any(alike(one, old, within) for old in recent)

    def _near_top(self) -> Sequence[Lying]:
        """The known cards that are not far below the topmost one."""
        least = self._place if len(self.tops) == 1 else len(self.known)
        return self.known[max(0, least - BARED_MOST) :]

    def _beside(self) -> Iterator[Lying]:
        """What was visible at the last few looks before."""
        return (old for shown in self._lately for old in shown)

    def _lies_over(self, one: Lying, lying: Sequence[Lying]) -> bool:
        """Whether it is new, although it lies like one further down.

        To uncover that one, two cards that hid it would have had to go, or one from under another,
        with one above it left behind. A card that was visible together with it did not hide it.
        """
        others = [other for other in lying if other is not one]
        if among(one, self.shown) or self._is_under_known(one, others):
            return False
        above = self.known[max(self._rank(one), self._rank_beside(one)) + 1 :]
        left = [old for old in self.known[self._rank(one) + 1 :] if among(old, lying)]
        gone = [old for old in above if old not in left and old.card != one.card]
        hid = [old for old in gone if near(old, one, HIDES)]
        last = max((self._rank(old) for old in left if old in self.shown), default=-1)
        return last >= 0 and (len(hid) > 1 or any(self._rank(old) < last for old in hid))

    def _rank_beside(self, one: Lying) -> int:
        """The position of the highest card that was recently visible together with this one."""
        beside = (old for shown in self._lately if among(one, shown) for old in shown)
        return max((rank for old in beside for rank in self._ranks(old)), default=-1)

    def _squared(self, top: Lying, lying: Sequence[Lying]) -> bool:
        """Whether a pushed card is aligned with the lowest one, as when a pile is squared up.

        In a high pile some cards would be aligned by chance; and nothing may be left next to it.
        """
        return self._base is not None and len(lying) == 1 and self.jitter.squared(top, self._base)

    @property
    def _below(self) -> Lying | None:
        """The card under the topmost one."""
        place = self._place if len(self.tops) == 1 else 0
        return self.known[place - 1] if place else None

    @property
    def _place(self) -> int:
        return self._rank(self.tops[0])

    def _rank(self, one: Lying) -> int:
        """The position of a known card in the pile, from the bottom.

        If it is read too far from where it was known, it is the nearest equal one, or the lowest.
        """
        places = list(self._ranks(one))
        if places:
            return max(places)
        equal = [(jump(old, one), n) for n, old in enumerate(self.known) if old.card == one.card]
        return min(equal, default=(0.0, 0))[1]

    def _ranks(self, one: Lying) -> Iterator[int]:
        return (place for place, old in enumerate(self.known) if alike(one, old))


def overlapped(reread: Sequence[Lying], top: Lying) -> Cards:
    """The cards just read again that one seems pushed over: an equal one may lie on them."""
    under = (one for one in reread if one.card != top.card and near(one, top, OVERLAPS))
    return tuple(dict.fromkeys(one.card for one in under))
