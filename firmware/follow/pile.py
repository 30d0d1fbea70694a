"""Which card is on top of each pile, judged by where the cards are and not by which they are.

More of a pile than the topmost card may be visible: one was laid next to the last, or peeps out
below it. Packs shuffled together hold equal cards, so a new one may look like one further down. No
two cards lie in exactly the same place, though: a card where none was before is new, and what is
new is on top.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from firmware.follow.hiding import Hiding
from firmware.follow.layers import BARED_MOST, OVERLAPS, Layers, overlapped
from firmware.follow.outlines import (
    BARED,
    PEEPING,
    PUSHED,
    alike,
    all_among,
    among,
    jump,
    near,
    pushed_from,
    shows_index,
)
from firmware.follow.told import Told
from firmware.follow.tops import Cards, Top
from rules.cards import Card
from vision.sightings import Lying
from vision.track.as_before import PLAIN

AT_ONCE = 2
"""Largest number of cards that come to a pile between two looks in either order. A choice: of three
there are six orders, more than can be explained side by side.
"""

HIDDEN_S = 3.0
"""How long a hand may move over a pile to lay one card there. A choice: twice as long as the
longest simulated gesture including the time to read it, 1.6 s. In more time, the topmost card may
have been taken before another was laid.
"""


@dataclass
class Pile(Layers):
    """The cards that were seen to come onto one pile, as they lie.

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

    since: list[Top] = field(default_factory=list)
    """What has been on top since the pile last agreed with the state, newest last."""
    _hand: Hiding | None = None
    """The hand that is over it."""
    _long: bool = False
    """Whether a hand moved over it for long before this look."""
    _covered: bool = False
    """Whether a hand was over it just before this look."""
    _handled: bool = False
    """Whether a hand was over it since its topmost card came, and left that card there."""
    _told: Told = field(default_factory=Told)
    """What was said about its topmost card and an equal one, and has not been seen yet."""
    _lost: tuple[list[Lying], tuple[Lying, ...]] = ([], ())
    """The known cards and the tops at the moment when suddenly nothing of it was visible."""
    _stayed: bool = False
    """Whether the topmost card was visible already while another was on top."""
    off: float = 0.0
    """Distance of an equal card from the card under the topmost one, in shorter sides."""
    again: float | None = None
    """Distance of the topmost card from where it was before it counted as gone, in shorter sides;
    None if it did not count as gone, or is elsewhere."""
    _gone: tuple[Lying, ...] = ()
    """What counted as gone last, before others were laid in its place."""
    _alone: dict[Card, Lying] = field(default_factory=dict)
    """Each card's outline when it alone of the pile was visible, since the pile was squared up."""

    def hide(self, now: float, *, still: bool = False) -> None:
        """Note a hand over the pile, which moves there unless it is `still`."""
        self._hand = self._hand or Hiding()
        self._hand.see(now, still=still)

    def bare(self, now: float) -> None:
        """Note that no hand is over it any more."""
        self._covered = self._hand is not None
        hand, self._hand = self._hand or Hiding(), None
        hand.see(now, still=False)
        self._long = hand.moved_s > HIDDEN_S

    def is_laid_on(self, lying: Sequence[Lying]) -> bool:
        """Whether a card lies over the topmost one, in full view and read with confidence, though
        hands are about.

        The next player may come for it, or cover it, before they have left the pile alone.
        """
        if len(self.tops) != 1:
            return False
        (top,) = self.tops
        new = [one for one in lying if not among(one, (*self.shown, *self.known), PUSHED)]
        over = [one for one in new if near(one, top, OVERLAPS)]
        return len(over) == len(new) == 1 and over[0].whole and over[0].confidence >= PLAIN

    def is_atop(self, one: Lying) -> bool:
        """Whether a card, as it was read at the last look, is on top."""
        return one in self.tops or self._placed(one) in self.tops

    def see(
        self, lying: Sequence[Lying], sole: Callable[[Card], bool] = lambda card: False
    ) -> None:
        """Update from what is visible of the pile, with no hand in the way.

        `sole` says for a card whether the deck holds only one: one that is in the pile cannot come.
        """
        lying = self._as_lain(self._without_like_below(lying))
        if rest := self._left_by_one_taken(lying):
            self.see(rest, sole)
        self._in_sight_again(lying)
        over = self._laid_over(lying)
        if over is not None and not self._holds(over.card, sole):
            self._lay_over(over, lying)
            return
        old = {one.outline for one in self.shown}
        reread = [one for one in lying if one.outline not in old and not sole(one.card)]
        if (under := self._below) is not None:
            likes = (jump(under, one) for one in lying if one.card == under.card)
            self.off = min(likes, default=self.off)
        lying = self._lain_again(lying, sole)
        before, lower, shown = self.tops, self._below, self.shown
        gone = (*self._gone, *self.known[self._place + 1 :]) if len(before) == 1 else self._gone
        if before and (self._pushed_under(lying) or self._squared_under(lying)):
            self._square(before[-1])
        self._see(lying, sole)
        left = bool(before) and all_among(self.tops, before)
        self._handled = left and (self._handled or self._covered)
        if self.bared and not among(self.tops[0], before):
            # As was said, an equal card was laid, exactly where one further down is.
            self.known += (one for one in self.tops if self._told.comes(one.card, self.held))
        if not all_among(self.tops, before):
            back = [jump(old, self.tops[0]) for old in gone if alike(old, self.tops[0])]
            self.again = min(back, default=None) if len(self.tops) == 1 else None
        if len(self.tops) > 1:
            if self.tops != before and len(self.tops) == AT_ONCE and len(self.shown) >= AT_ONCE:
                cards = tuple(one.card for one in self.tops)
                self.since.append(Top(cards[-1], came=True, among=cards))
            return
        self._note_top(before, lower, shown, lying, reread)
        if len(lying) == 1:
            self._alone[lying[0].card] = lying[0]

    def _note_top(
        self,
        before: Sequence[Lying],
        lower: Lying | None,
        shown: Sequence[Lying],
        lying: Sequence[Lying],
        reread: Sequence[Lying],
    ) -> None:
        """Note what has been on top since `before`, with the card `lower` under that.

        Of what is `lying` there now, some was `shown` before, and some was `reread`.
        """
        if not self.tops:
            if before:
                self.since.append(Top(None))
        elif not before or self.tops[0] in self._pushed or not alike(self.tops[0], before[-1]):
            pushed = self.tops[0] in self._pushed
            self._stayed = among(self.tops[0], shown)
            aside = len(shown) > 1 and len(lying) == 1
            squared = pushed and self._squared(self.tops[0], lying)
            if squared or (pushed and self.tops[0].displaced and aside):
                self._square(self.tops[0])
            if squared or (pushed and self.tops[0].displaced and not self.bared):
                self._told.forget()
            elif not self._told.is_seen(self.tops[0].card, self.held, came=not self.bared):
                for top in self._come_about(before, lower, lying):
                    others = overlapped(reread, self.tops[0]) if top.perhaps else ()
                    self.since.append(replace(top, others=others))
        elif (
            self._pushed
            and not self._pushed[-1].displaced
            and not self._squared(self._pushed[-1], lying)
        ):
            others = overlapped(reread, self._pushed[-1])
            top = Top(self._pushed[-1].card, came=True, perhaps=True, others=others)
            self.since.append(top)
        elif self._lain_bare_again(shown, lying):
            self.since.append(Top(self.tops[0].card, came=False))

    def _left_by_one_taken(self, lying: Sequence[Lying]) -> list[Lying]:
        """What was under the topmost card, if that was taken before others came.

        Of one that was in full view, they leave an index beside them, which would be read.
        """
        if len(self.tops) != 1 or not self.tops[0].whole or self.tops[0].doubtful:
            return []
        (top,) = self.tops
        rest = [one for one in lying if among(one, self.shown, PEEPING)]
        came = [one for one in lying if not any(one is other for other in rest)]
        if not came or any(pushed_from(top, one) for one in lying) or not shows_index(top, came):
            return []
        return rest

    def _laid_over(self, lying: Sequence[Lying]) -> Lying | None:
        """The card that lies over all others now, though it may look like one further down.

        Nothing lies over the topmost card of a pile. So if both ends of a single card are in view,
        and were not before, it was laid over those that seem to lie above it, however the outlines
        jump; unless another has come, too.
        """
        whole = [one for one in lying if one.whole]
        others = [self._likeliest_in_sight(one) for one in lying if not one.whole]
        if len(self.tops) != 1 or len(whole) != 1 or not others or min(others) < 0:
            return None
        (over,) = whole
        rest = [one for one in lying if one is not over]
        was_over = any(
            old.whole and pushed_from(old, over) and not among(old, rest) for old in self.shown
        )
        return over if max(others) > self._likeliest(over) and not was_over else None

    def _likeliest(self, one: Lying) -> int:
        """The position in the pile of the known card that it most likely is; -1 if it is new."""
        likes = [(jump(old, one), -n) for n, old in enumerate(self.known) if pushed_from(old, one)]
        return -min(likes)[1] if likes else -1

    def _likeliest_in_sight(self, one: Lying) -> int:
        """The same; -1 also for one deep down, out of sight lately, that does not peep out just
        where it lay: of several packs, some card that is alike lies nearby."""
        recent = (*self.shown, *self._near_top(), *self._beside())
        seen = any(pushed_from(old, one) for old in recent) or among(one, self.known, PEEPING)
        return self._likeliest(one) if seen else -1

    def _lay_over(self, over: Lying, lying: Sequence[Lying]) -> None:
        """Take a card for the topmost one that may look like one further down."""
        self._pushed, self._handled, self.again = (), False, None
        for one in lying:
            likes = [old for old in self.shown if one is not over and pushed_from(old, one)]
            if likes and self._knows(old := min(likes, key=lambda like: jump(like, one))):
                self._lies_now(self._place_below(self._rank(old), one), one)
            elif not likes and one is not over:  # it peeps out again
                self._lies_now(self._place_below(self._likeliest(one), one), one)
        self._put_away(self.known[self._place + 1 :])
        self.known = [*self.known[: self._place + 1], over]
        self.tops = (over,)
        self._lately = (*self._lately, self.shown)[-BARED_MOST:]
        self.shown = tuple(self._placed(one) for one in lying)
        if not self._told.is_seen(over.card, self.held, came=True):
            self.since.append(Top(over.card, came=True))

    def _lain_bare_again(self, shown: Sequence[Lying], lying: Sequence[Lying]) -> bool:
        """Whether a card below the topmost one is where it was before it seemed to be pushed.

        Nobody pushes it back exactly there: an equal card lay over it and the topmost one, and is
        gone.
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
        """What has been on top between `before` and what the pile now shows.

        `lower` is the card under `before`.
        """
        moved = self.tops[0] in self._pushed
        pushed = moved and not self.tops[0].displaced
        gone = bool(before) and not among(before[-1], lying)
        if self._long and gone:
            self._long = False
            yield Top(lower.card if lower else None, came=False, perhaps=True)
        # One card gone and another pushed, or a card equal to the other laid over both.
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
            if self._pushed and gone and self.bared and not moved
            else None,
        )

    def _in_sight_again(self, lying: Sequence[Lying]) -> None:
        """Restore the known cards if what was in a pile that vanished from view is still there.

        Then it was not picked up; its topmost card may have been.
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
        """Whether the topmost card is where it may be the `lower` one, read slightly off.

        A card that alone is visible reads at the same place again, as its whole edge shows.
        """
        before = self._alone.get(lower.card)
        if len(lying) == 1 and before is not None and alike(before, lower, PEEPING):
            return alike(before, self.tops[0], self.jitter.perhaps_within(BARED))
        return alike(lower, self.tops[0], self.jitter.perhaps_within(PEEPING))

    def _pushed_under(self, lying: Sequence[Lying]) -> bool:
        """Whether what was next to the topmost card is gone, and only that one is still there."""
        if len(self.tops) != 1 or len(self.shown) < 2 or len(lying) != 1:
            return False
        return alike(self.tops[0], lying[0])

    def _squared_under(self, lying: Sequence[Lying]) -> bool:
        """Whether the card below has come to light exactly where a hand had left the topmost one.

        Whoever squares up a pile of which only the topmost card is visible pushes the others, which
        nobody sees. An equal card would be laid there by chance.
        """
        lower = self._below
        if not self._handled or lower is None or len(self.tops) != 1 or len(lying) != 1:
            return False
        if among(self.tops[0], lying) or lying[0].card != lower.card:
            return False
        return self.jitter.squared(self.tops[0], lying[0])

    def _square(self, top: Lying) -> None:
        """Assume that the cards below, unseen, have been pushed along with it, more or less."""
        self.known = [
            one if one is top else replace(one, outline=top.outline, measured=False)
            for one in self.known
        ]
        self._base = top
        self._alone.clear()
        self._places.clear()

    def _under_its_like(self, before: Sequence[Lying]) -> bool:
        """Whether the uncovered card may be under an equal one, pushed onto it when squaring up."""
        like = bool(before) and before[-1].card == self.tops[0].card
        return like and self.bared and self._squared(self.tops[0], self.shown)

    def settle(self, held: Cards) -> None:
        """Note that the state holds the pile as it is seen."""
        self._told.note(self.held, held, self.since)
        if self.bared and held[:-1] == self.held and (self.tops[0].card,) == held[-1:]:
            self.known.append(self.tops[0])  # it was laid, and only lies like one further down
        self.since, self.held, self._lost = [], held, ([], ())
        if all(card.known for card in held):
            # A card that was drawn without anybody seeing it go is no longer there.
            seen = (*self.shown, *self.tops)
            there = [one for one in self.known if one.card in held or among(one, seen)]
            self._put_away(one for one in self.known if one not in there)
            self.known = there
        atop = [one for one in self.shown if (one.card,) == held[-1:]]
        named = len(self.tops) > 1 or all((top.card,) != held[-1:] for top in self.tops)
        if self.tops and len(atop) == 1 and named:
            self.known = [*(one for one in self.known if one is not atop[0]), atop[0]]
            self.tops = (atop[0],)

    def tells(self, held: Cards) -> bool:
        """Whether what was on top says more than what is there now, given what the state holds."""
        again = any(top.open or (top.card,) == held[-1:] for top in self.since)
        return self.held == held and (len(self.since) > 1 or again)

    def _see(self, lying: Sequence[Lying], sole: Callable[[Card], bool]) -> None:
        self._pushed = ()
        if not lying:
            self._lost = (self.known, self.tops) if self.tops else self._lost
            self.known, self.tops, self.shown = [], (), ()  # including everything below
            self._lately, self._base, self._gone = (), None, ()
            self._places.clear()
            return
        told, new = self._told.apart(self._new(lying, sole), self.held)
        if new:
            kept = self.known if len(self.tops) != 1 else self.known[: self._place + 1]
            self._put_away(self.known[len(kept) :])
            self.known, self.tops = [*kept, *told, *new], new
        elif len(self.tops) < 2 or not all(among(t, lying) for t in self.tops):
            self._raise_told(lying)
            self.tops = (max(lying, key=self._rank),)
        if tuple(lying) != self.shown:
            self._lately = (*self._lately, self.shown)[-BARED_MOST:]
        self.shown = tuple(lying)
        self._base = self._base or self.known[0]

    def _raise_told(self, lying: Sequence[Lying]) -> None:
        """If the topmost card is gone, put the one that the state holds under it on top."""
        if (
            len(self.tops) != 1
            or among(self.tops[0], lying)
            or (self.tops[0].card,) != self.held[-1:]
        ):
            return
        under = [one for one in lying if (one.card,) == self.held[-2:-1] and self._knows(one)]
        if len(under) == 1:
            told = self.known.pop(self._rank(under[0]))
            self.known.insert(self._place, told)

    def _put_away(self, cards: Iterable[Lying]) -> None:
        """Remember where cards were that count as gone."""
        self._gone = (*self._gone, *cards)[-BARED_MOST:]

    @property
    def chance(self) -> bool:
        """Whether a card that counts as uncovered may be a new one that lies like one further down.

        Uncovering the card under the topmost one takes one card. A card further down is uncovered
        less often than two of the few hundred cards of several packs happen to lie alike; and one
        slightly displaced from an equal card may have been laid over it.
        """
        if not self.bared or self._stayed:
            return False
        taken = len(self.known) - 1 - self._place
        return taken > 1 or self.tops[0] in (*self._pushed, *self._loosely)

    @property
    def fresh(self) -> bool:
        """Whether the topmost card was laid there, and looks like one further down."""
        if len(self.tops) != 1 or self.bared:
            return False
        return any(below.card == self.tops[0].card for below in self.known[:-1])
