"""Which card lies on top of each pile, judged by where the cards lie and not by which they are.

Of a pile more than the topmost card may be in sight: one was laid beside the last, or peeps out
below it. Packs shuffled together hold equal cards, so that a new one may look like one that lies
further down. No two cards lie just alike, though: what lies where nothing lay before is new, and
what is new lies on top.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from firmware.follow.outlines import (
    BARED,
    HIDES,
    NUDGED,
    PEEPING,
    SQUARED,
    Jitter,
    alike,
    all_among,
    among,
    cards_of,
    jump,
    near,
    outlined,
    pushed_from,
)
from firmware.follow.told import Told
from firmware.follow.tops import Cards, Top
from rules.cards import Card
from vision.sightings import Lying

BARED_MOST = 3
"""The most cards that may have been taken off a pile between two looks: of the many below, one may
look like a new one and lie in its place. As many of its looks are remembered. A choice;
`python -m tests.soak` judges it."""


AT_ONCE = 2
"""The most cards that come to a pile between two looks and of which either may be the last. A
choice: of three there are six orders, more than can be explained side by side."""

HIDDEN_S = 3.0
"""How long a hand may be over a pile to lay one card there. A choice: twice as long as the longest
simulated gesture with the time that its reading takes, 1.6 s. In more time the topmost card may
have been taken before another one was laid."""


@dataclass
class Pile:
    """The cards that were seen to come onto one pile, as they lay.

    >>> from rules.cards import Card
    >>> def at(text, x):
    ...     corners = ((x, 0.0), (x + 60, 0.0), (x + 60, 90.0), (x, 90.0))
    ...     return Lying(Card.parse(text), 0.99, (), corners)
    >>> pile, queen, jack = Pile(), at("QD", 0.0), at("JD", 3.0)
    >>> beside = at("QD", 40.0)
    >>> for lying in ([queen], [jack], [jack, beside]):
    ...     pile.see(lying)
    >>> pile.tops == (beside,)  # though a queen of diamonds lies at the bottom, too
    True
    >>> pile.see([jack])
    >>> pile.tops == (jack,), pile.bared
    (True, True)
    """

    jitter: Jitter = field(default_factory=Jitter)
    known: list[Lying] = field(default_factory=list)
    """The lowest first."""
    shown: tuple[Lying, ...] = ()
    """What was in sight last."""
    tops: tuple[Lying, ...] = ()
    """Its top card; several if nobody knows which came last."""
    since: list[Top] = field(default_factory=list)
    """What has been on top since the pile last agreed with the state, the newest last."""
    held: Cards = ()
    """What the state held of it then."""
    _hidden: float | None = None
    """Since when a hand has been over it, in seconds."""
    _long: bool = False
    """Whether one was over it for long before this look."""
    _told: Told = field(default_factory=Told)
    """What is said of its topmost card and its like, and has not been seen yet."""
    _lately: tuple[tuple[Lying, ...], ...] = ()
    """What was in sight before, the last few times: it comes to light again where cards go."""
    _pushed: tuple[Lying, ...] = ()
    """What of it was pushed at the last look, or covered by its like."""
    _base: Lying | None = None
    """The first card that came, where it lay then: piles are squared up there."""
    _lost: tuple[list[Lying], tuple[Lying, ...]] = ([], ())
    """What was known of it, and on top, when suddenly nothing of it was to be seen."""
    _stayed: bool = False
    """Whether the topmost card was in sight already while another one was on top."""
    _loosely: tuple[Lying, ...] = ()
    """What was taken for a known card at the last look, though it lies a little beside it."""
    off: float = 0.0
    """How far from the card under the topmost one, in shorter sides, its like came to be seen."""
    again: float | None = None
    """How far the topmost card lies from just where it lay before it counted as gone, in shorter
    sides; None where it did not, or lies elsewhere."""
    _gone: tuple[Lying, ...] = ()
    """What counted as gone last, before others were laid in its place."""
    _alone: dict[Card, Lying] = field(default_factory=dict)
    """Each card as it lay when nothing else of the pile was in sight, since it was squared up."""

    def hide(self, now: float) -> None:
        """A hand is over the pile."""
        if self._hidden is None:
            self._hidden = now

    def bare(self, now: float) -> None:
        """No hand is over it any more."""
        self._long = self._hidden is not None and now - self._hidden > HIDDEN_S
        self._hidden = None

    def see(
        self, lying: Sequence[Lying], sole: Callable[[Card], bool] = lambda card: False
    ) -> None:
        """Take in what of the pile is in sight, with no hand in the way.

        `sole` says of which cards the deck holds only one: what lies in the pile cannot come.
        """
        self._in_sight_again(lying)
        if (under := self._below) is not None:
            likes = (jump(under, one) for one in lying if one.card == under.card)
            self.off = min(likes, default=self.off)
        self._lain_again(lying, sole)
        before, lower, shown = self.tops, self._below, self.shown
        gone = (*self._gone, *self.known[self._place + 1 :]) if len(before) == 1 else self._gone
        if before and self._pushed_under(lying):
            self._square(before[-1])
        self._see(lying)
        if not all_among(self.tops, before):
            back = [jump(old, self.tops[0]) for old in gone if alike(old, self.tops[0])]
            self.again = min(back, default=None) if len(self.tops) == 1 else None
        if len(self.tops) > 1:
            if self.tops != before and len(self.tops) == AT_ONCE and len(self.shown) >= AT_ONCE:
                cards = tuple(one.card for one in self.tops)
                self.since.append(Top(cards[-1], came=True, among=cards))
            return
        if not self.tops:
            if before:
                self.since.append(Top(None))
        elif not before or self.tops[0] in self._pushed or not alike(self.tops[0], before[-1]):
            pushed = self.tops[0] in self._pushed
            self._stayed = among(self.tops[0], shown)
            squared = pushed and self._squared(self.tops[0], lying)
            if squared:
                self._square(self.tops[0])
            if squared:
                self._told.forget()
            elif not self._told.is_seen(self.tops[0].card, self.held, came=not self.bared):
                self.since.extend(self._come_about(before, lower, lying))
        elif self._pushed and not self._squared(self._pushed[-1], lying):
            self.since.append(Top(self._pushed[-1].card, came=True, perhaps=True))
        elif self._lain_bare_again(shown, lying):
            self.since.append(Top(self.tops[0].card, came=False))
        if len(lying) == 1:
            self._alone[lying[0].card] = lying[0]

    def _lain_bare_again(self, shown: Sequence[Lying], lying: Sequence[Lying]) -> bool:
        """Whether a card below the topmost one lies where it lay before it seemed to be pushed.

        Nobody pushes it back just there: its like lay over it and the topmost one, and is gone.
        """
        last = self.since[-1] if self.since else None
        if last is None or not (last.came and last.perhaps):
            return False
        likes = [old for old in shown if old.card == last.card and not among(old, lying)]
        back = [one for one in lying if one.card == last.card and not among(one, shown)]
        steady = self.jitter.within(PEEPING)
        return any(
            self._knows(one) and pushed_from(old, one) and not alike(old, one, steady)
            for one in back
            for old in likes
        )

    def _come_about(
        self, before: Sequence[Lying], lower: Lying | None, lying: Sequence[Lying]
    ) -> Iterator[Top]:
        """What has been on top since `before` lay there, and on what it now shows.

        `lower` lay under it.
        """
        pushed = self.tops[0] in self._pushed
        gone = bool(before) and not among(before[-1], lying)
        if self._long and gone:
            self._long = False
            yield Top(lower.card if lower else None, came=False, perhaps=True)
        # One card gone and another one pushed, or the like of that one laid over both.
        either = near = False
        if gone and not self.bared and lower is not None:
            either = pushed_from(lower, self.tops[0])
            near = either and self._is_near(lower, lying)
        yield Top(
            self.tops[0].card,
            came=not self.bared,
            perhaps=pushed or self._under_its_like(before),
            either=either,
            chance=self.chance,
            near=near or (pushed and self.bared and gone),
            instead=self._pushed[0].card
            if self._pushed and gone and self.bared and not pushed
            else None,
        )

    def _in_sight_again(self, lying: Sequence[Lying]) -> None:
        """Where what lay in a pile of which nothing was to be seen lies there still.

        Then it was not taken up; its topmost card may have been.
        """
        known, tops = self._lost
        within = self.jitter.within(PEEPING)
        there = [old for old in known if any(alike(one, old, within) for one in lying)]
        if self.known or not there:
            return
        self.known, self.tops, self.shown = known, tops, tops
        self._base, self._lost = known[0], ([], ())
        self.since = [top for top in self.since if top.card is not None]
        if len(tops) == 1 and tops[0] not in there and self._below is not None:
            self.since.append(Top(self._below.card, came=False, perhaps=True))

    def _is_near(self, lower: Lying, lying: Sequence[Lying]) -> bool:
        """Whether the topmost card lies so that it may be the `lower` one, read a little off.

        A card that is alone in sight is read at the same place again, as its whole edge shows.
        """
        before = self._alone.get(lower.card)
        if len(lying) == 1 and before is not None and alike(before, lower, PEEPING):
            return alike(before, self.tops[0], self.jitter.perhaps_within(BARED))
        return alike(lower, self.tops[0], self.jitter.perhaps_within(PEEPING))

    def _squared(self, top: Lying, lying: Sequence[Lying]) -> bool:
        """Whether a card that was pushed lies square on the lowest, as where a pile is squared up.

        Of all cards of a high pile some would lie so by chance; and nothing is left beside it.
        """
        return (
            self._base is not None
            and len(lying) == 1
            and outlined(top, self._base, self.jitter.within(SQUARED))
        )

    def _pushed_under(self, lying: Sequence[Lying]) -> bool:
        """Whether what lay beside the topmost card is gone, and that alone is still there."""
        if len(self.tops) != 1 or len(self.shown) < 2 or len(lying) != 1:
            return False
        return alike(self.tops[0], lying[0])

    def _square(self, top: Lying) -> None:
        """Nobody sees it, but the cards below have been pushed with it."""
        self.known = [replace(one, outline=top.outline) for one in self.known]
        self._base = top
        self._alone.clear()

    def _under_its_like(self, before: Sequence[Lying]) -> bool:
        """Whether what came to light may lie under its like, pushed onto it as in squaring up."""
        like = bool(before) and before[-1].card == self.tops[0].card
        return like and self.bared and self._squared(self.tops[0], self.shown)

    def settle(self, held: Cards) -> None:
        """The state holds the pile as it is seen."""
        self._told.note(self.held, held, self.since)
        if self.bared and held[:-1] == self.held and (self.tops[0].card,) == held[-1:]:
            self.known.append(self.tops[0])  # it was laid, and only lies like one further down
        self.since, self.held, self._lost = [], held, ([], ())
        if all(card.known for card in held):
            # What was drawn without anybody seeing it go no longer lies there.
            there = [one for one in self.known if one.card in held or one in self.shown]
            self._put_away(one for one in self.known if one not in there)
            self.known = there
        atop = [one for one in self.shown if (one.card,) == held[-1:]]
        named = len(self.tops) > 1 or all((top.card,) != held[-1:] for top in self.tops)
        if self.tops and len(atop) == 1 and named:
            self.known = [*(one for one in self.known if one is not atop[0]), atop[0]]
            self.tops = (atop[0],)

    def tells(self, held: Cards) -> bool:
        """Whether what was on top says more than what is there now, where the state holds this."""
        again = any(top.open or (top.card,) == held[-1:] for top in self.since)
        return self.held == held and (len(self.since) > 1 or again)

    def _see(self, lying: Sequence[Lying]) -> None:
        self._pushed = ()
        if not lying:
            self._lost = (self.known, self.tops) if self.tops else self._lost
            self.known, self.tops, self.shown = [], (), ()  # with everything that lay below
            self._lately, self._base, self._gone = (), None, ()
            return
        new = self._new(lying)
        if new:
            kept = self.known if len(self.tops) != 1 else self.known[: self._place + 1]
            self._put_away(self.known[len(kept) :])
            self.known, self.tops = [*kept, *new], new
        elif len(self.tops) < 2 or not all(among(t, lying) for t in self.tops):
            self.tops = (max(lying, key=self._rank),)
        if tuple(lying) != self.shown:
            self._lately = (*self._lately, self.shown)[-BARED_MOST:]
        self.shown = tuple(lying)
        self._base = self._base or self.known[0]

    def _put_away(self, cards: Iterable[Lying]) -> None:
        """Remember where cards lay that count as gone."""
        self._gone = (*self._gone, *cards)[-BARED_MOST:]

    def _lain_again(self, lying: Sequence[Lying], sole: Callable[[Card], bool]) -> None:
        """Where cards that lay there already are told to lie now that others have come or gone.

        By another part of it in sight a card is told to lie a little beside where it was.
        """
        self._loosely = ()
        if cards_of(lying) == cards_of(self.shown):
            return  # whatever lies otherwise was moved
        for one in lying:
            place = None if self._knows(one) else self._place_again(one, lying, sole)
            if place is not None:
                self._lies_now(place, one)
                self._loosely += (one,)

    def _place_again(
        self, one: Lying, lying: Sequence[Lying], sole: Callable[[Card], bool]
    ) -> int | None:
        """Which of the known cards it is, as far as that can be told."""
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
        within = self.jitter.within(PEEPING if peeps or peeped else BARED)
        if not self._knows(one, within) or not self._may_show(one, others):
            return None
        return max((p for p in places if alike(one, self.known[p], within)), default=None)

    def _may_show(self, one: Lying, others: Sequence[Lying]) -> bool:
        """Whether it was in sight last, or what came or went may have brought it to light."""
        within = self.jitter.within(PEEPING)
        if among(one, self.shown, within):
            return True
        gone = any(not among(old, others, within) for old in self.shown)
        return gone or any(not self._knows(other, within) for other in others)

    def _is_above(self, one: Lying, place: int) -> bool:
        """Whether a card lies higher than the one at a `place`, or has only now come."""
        within = self.jitter.within(PEEPING)
        if not self._knows(one, within):
            return True
        ranks = (rank for rank, old in enumerate(self.known) if alike(one, old, within))
        return max(ranks) > place

    def _lies_now(self, place: int, one: Lying) -> None:
        """A known card lies as it is seen now."""
        old, self.known[place] = self.known[place], one
        self.tops = tuple(one if alike(top, old) else top for top in self.tops)
        self.shown = tuple(one if alike(other, old) else other for other in self.shown)
        self._lately = (*self._lately, (one,))[-BARED_MOST:]

    def _new(self, lying: Sequence[Lying]) -> tuple[Lying, ...]:
        """What was not there before; a card that was pushed a little counts as the same."""
        gone = [old for old in self.shown if not among(old, lying)]
        new = []
        for one in lying:
            if self._knows(one) and not self._lies_over(one, lying):
                continue
            pushed = next((old for old in gone if self._is_pushed(old, one, lying)), None)
            if pushed is None:
                new.append(one)
                continue
            gone.remove(pushed)
            self._pushed += (one,)
            # Where it lay its like may lie, and come to light again.
            self.known.insert(1 + max(self._ranks(pushed)), one)
            self.tops = tuple(one if alike(top, pushed) else top for top in self.tops)
        return tuple(new)

    def _is_pushed(self, old: Lying, one: Lying, lying: Sequence[Lying]) -> bool:
        """Whether `one` is `old`, pushed a little, or squared up with all that lay beside it."""
        squared = old in self.tops and old.card == one.card and self._squared(one, lying)
        return squared or pushed_from(old, one)

    def _knows(self, one: Lying, within: float = NUDGED) -> bool:
        """Whether it was in sight last, or lay not far below: it comes to light again."""
        least = self._place if len(self.tops) == 1 else len(self.known)
        below = self.known[max(0, least - BARED_MOST) :]
        beside = (old for shown in self._lately for old in shown)
        lies = among(one, self.known, within)
        return lies and any(alike(one, old, within) for old in (*self.shown, *below, *beside))

    def _lies_over(self, one: Lying, lying: Sequence[Lying]) -> bool:
        """Whether it has come, although it lies like one further down.

        To bring that one to light two cards that hid it had to go, or one from under another, and
        one above it was left.
        """
        if among(one, self.shown):
            return False
        above = self.known[self._rank(one) + 1 :]
        left = [old for old in above if among(old, lying)]
        gone = [old for old in above if old not in left and old.card != one.card]
        hid = [old for old in gone if near(old, one, HIDES)]
        last = max((self._rank(old) for old in left if old in self.shown), default=-1)
        return last >= 0 and (len(hid) > 1 or any(self._rank(old) < last for old in hid))

    @property
    def bared(self) -> bool:
        """Whether the topmost card lay there below others, and has come to light."""
        return len(self.tops) == 1 and self._place < len(self.known) - 1

    @property
    def chance(self) -> bool:
        """Whether what counts as bared may be a new card that lies like one further down.

        Whoever bares the card under the topmost one takes one card. What lay further down comes to
        light less often than two of the few hundred cards of several packs happen to lie alike;
        and one that lies a little off its like may have been laid over it.
        """
        if not self.bared or self._stayed:
            return False
        taken = len(self.known) - 1 - self._place
        return taken > 1 or self.tops[0] in (*self._pushed, *self._loosely)

    @property
    def fresh(self) -> bool:
        """Whether the topmost card has come to lie there, and looks like one further down."""
        if len(self.tops) != 1 or self.bared:
            return False
        return any(below.card == self.tops[0].card for below in self.known[:-1])

    @property
    def _below(self) -> Lying | None:
        """The card under the topmost one."""
        place = self._place if len(self.tops) == 1 else 0
        return self.known[place - 1] if place else None

    @property
    def _place(self) -> int:
        return self._rank(self.tops[0])

    def _rank(self, one: Lying) -> int:
        """How far up in the pile a known card lies."""
        return max(self._ranks(one))

    def _ranks(self, one: Lying) -> Iterator[int]:
        return (place for place, old in enumerate(self.known) if alike(one, old))
