"""Which card lies on top of each pile: judged by where the cards lie, not by which they are.

Of a pile more than the topmost card may be in sight: one was laid beside the last, or peeps out
below it. Packs shuffled together hold equal cards, so that a new one may look like one that lies
further down. No two cards lie just alike, though: what lies where nothing lay before is new, and
what is new lies on top.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace
from math import dist

from rules.cards import Card
from rules.spots import Shape
from rules.state import State
from vision.sightings import Lying, Seen

Cards = tuple[Card, ...]

NUDGED = 0.02
"""How far, in shorter sides, the corners of a card jump between two readings of it at most. A
choice; `python -m tests.soak` judges it."""
PUSHED = 0.5
"""Within this many short sides of where a card lay, its like is that card, pushed or squared
up: one laid beside the last lies farther off, as its index is left in sight. A choice;
`python -m tests.soak` judges it."""
HIDES = 0.24
"""A card laid nearer than this to another one, in shorter sides, leaves no index of it in sight. A
choice: an index is at most 15 mm wide, of the 63 mm of a card."""
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


@dataclass(frozen=True)
class Top:
    """What was seen on top of a pile for a while; no card where nothing was left of it."""

    card: Card | None
    came: bool = False
    """Whether it had come to lie there, and did not come to light."""
    perhaps: bool = False
    """Whether it may be the card before it, which was pushed."""
    either: bool = False
    """Whether it may have come to light all the same, as the card below the last that was pushed
    unseen."""
    chance: bool = False
    """Whether it may have come all the same, and only lies like a card that was covered."""
    among: Cards = ()
    """The two cards that came between two looks, in an order that nobody saw; this is either."""

    @property
    def may_be_bared(self) -> bool:
        """Whether it may have come to light, where what lay on it was taken."""
        return not self.came or self.either

    @property
    def orders(self) -> tuple[tuple[Top, ...], ...]:
        """What was on top one after the other, in each way that it may have been."""
        if self.among:
            both = [replace(self, card=card) for card in self.among]
            return (tuple(both), tuple(reversed(both)))
        return ((self,), ()) if self.perhaps else ((self,),)


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

    known: list[Lying] = field(default_factory=list)
    """The lowest first."""
    shown: tuple[Lying, ...] = ()
    """What was in sight last."""
    tops: tuple[Lying, ...] = ()
    """What of it is on top; several where nobody knows which came last."""
    since: list[Top] = field(default_factory=list)
    """What has been on top since the pile was as the state holds it, the newest last."""
    held: Cards = ()
    """What the state held of it then."""
    _hidden: float | None = None
    """Since when a hand has been over it, in seconds."""
    _long: bool = False
    """Whether one was over it for long before this look."""
    _told: bool = False
    """Whether a card was told to come onto its like, and has not been seen to do so yet."""
    _lately: tuple[tuple[Lying, ...], ...] = ()
    """What was in sight before, the last few times: it comes to light again where cards go."""
    _pushed: tuple[Lying, ...] = ()
    """What of it was pushed at the last look, or covered by its like."""

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
        self._lain_again(lying, sole)
        before, lower = self.tops, self._below
        if before and self._pushed_under(lying):
            self._square(before[-1])
        self._see(lying)
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
            squared = pushed and self._squared(self.tops[0])
            if squared:
                self._square(self.tops[0])
            if squared or self._was_told():
                self._told = False
            else:
                perhaps = pushed or self._under_its_like(before)
                gone = bool(before) and not any(alike(before[-1], one) for one in lying)
                if self._long and gone:
                    self._long = False
                    card = lower.card if lower else None
                    self.since.append(Top(card, came=False, perhaps=True))
                came = not self.bared
                either = came and gone and lower is not None and _pushed(lower, self.tops[0])
                self.since.append(Top(self.tops[0].card, came, perhaps, either, self.chance))
        elif self._pushed and not self._squared(self._pushed[-1]):
            self.since.append(Top(self._pushed[-1].card, came=True, perhaps=True))

    def _was_told(self) -> bool:
        """Whether the topmost card is the one that was told to come onto its like."""
        return self._told and not self.bared and (self.tops[0].card,) == self.held[-1:]

    def _squared(self, top: Lying) -> bool:
        """Whether a card that was pushed lies square on the lowest, as where a pile is squared up.

        Of all cards of a high pile some would lie so by chance.
        """
        return outlined(top, self.known[0])

    def _pushed_under(self, lying: Sequence[Lying]) -> bool:
        """Whether what lay beside the topmost card is gone, and that alone is still there."""
        if len(self.tops) != 1 or len(self.shown) < 2 or len(lying) != 1:
            return False
        return alike(self.tops[0], lying[0])

    def _square(self, top: Lying) -> None:
        """Nobody sees it, but the cards below have been pushed with it."""
        self.known = [replace(one, outline=top.outline) for one in self.known]

    def _under_its_like(self, before: Sequence[Lying]) -> bool:
        """Whether what came to light may lie under its like, pushed onto it as in squaring up."""
        like = bool(before) and before[-1].card == self.tops[0].card
        return like and self.bared and self._squared(self.tops[0])

    def settle(self, held: Cards) -> None:
        """The state holds the pile as it is seen."""
        if held != self.held:
            again = self.held == held[:-1] and self.held[-1:] == held[-1:]
            self._told = again and not any((top.card,) == held[-1:] for top in self.since)
        self.since, self.held = [], held
        if all(card.known for card in held):
            # What was drawn before anybody saw it go lies there no more.
            self.known = [one for one in self.known if one.card in held or one in self.shown]
        atop = [one for one in self.shown if (one.card,) == held[-1:]]
        named = len(self.tops) > 1 or all((top.card,) != held[-1:] for top in self.tops)
        if self.tops and len(atop) == 1 and named:
            self.known = [*(one for one in self.known if one is not atop[0]), atop[0]]
            self.tops = (atop[0],)

    def tells(self, held: Cards) -> bool:
        """Whether what was on top says more than what is there now, where the state holds this."""
        again = any(top.perhaps or top.among or (top.card,) == held[-1:] for top in self.since)
        return self.held == held and (len(self.since) > 1 or again)

    def _see(self, lying: Sequence[Lying]) -> None:
        self._pushed = ()
        if not lying:
            self.known, self.tops, self.shown = [], (), ()  # with everything that lay below
            self._lately = ()
            return
        new = self._new(lying)
        if new:
            kept = self.known if len(self.tops) != 1 else self.known[: self._place + 1]
            self.known, self.tops = [*kept, *new], new
        elif len(self.tops) < 2 or not all(any(alike(t, o) for o in lying) for t in self.tops):
            self.tops = (max(lying, key=self._rank),)
        if tuple(lying) != self.shown:
            self._lately = (*self._lately, self.shown)[-BARED_MOST:]
        self.shown = tuple(lying)

    def _lain_again(self, lying: Sequence[Lying], sole: Callable[[Card], bool]) -> None:
        """Where the cards of which a part shows under the topmost one are told to lie now.

        By another part of it in sight a card is told to lie a little beside where it was.
        """
        for one in lying:
            places = [place for place, old in enumerate(self.known) if old.card == one.card]
            below = one.card in self.held[:-1] and one.card != self.held[-1]
            if places and below and not self._knows(one) and sole(one.card):
                self.known[places[-1]] = one
                self._lately = (*self._lately, (one,))[-BARED_MOST:]

    def _new(self, lying: Sequence[Lying]) -> tuple[Lying, ...]:
        """What was not there before; a card pushed a little takes the place of itself."""
        gone = [old for old in self.shown if not any(alike(old, one) for one in lying)]
        new = []
        for one in lying:
            if self._knows(one) and not self._lies_over(one, lying):
                continue
            pushed = next((old for old in gone if self._is_pushed(old, one)), None)
            if pushed is None:
                new.append(one)
                continue
            gone.remove(pushed)
            self._pushed += (one,)
            # Where it lay its like may lie, and come to light again.
            self.known.insert(1 + max(self._ranks(pushed)), one)
            self.tops = tuple(one if alike(top, pushed) else top for top in self.tops)
        return tuple(new)

    def _is_pushed(self, old: Lying, one: Lying) -> bool:
        """Whether `one` is `old`, pushed a little, or squared up with all that lay beside it."""
        squared = old in self.tops and old.card == one.card and self._squared(one)
        return squared or _pushed(old, one)

    def _knows(self, one: Lying) -> bool:
        """Whether it was in sight last, or lay not far below: it comes to light again."""
        least = self._place if len(self.tops) == 1 else len(self.known)
        below = self.known[max(0, least - BARED_MOST) :]
        beside = (old for shown in self._lately for old in shown)
        lies = any(alike(one, old) for old in self.known)
        return lies and any(alike(one, old) for old in (*self.shown, *below, *beside))

    def _lies_over(self, one: Lying, lying: Sequence[Lying]) -> bool:
        """Whether it has come, although it lies like one further down.

        To bring that one to light two cards that hid it had to go, and one above it was left.
        """
        if any(alike(one, old) for old in self.shown):
            return False
        above = self.known[self._rank(one) + 1 :]
        left = [old for old in above if any(alike(old, other) for other in lying)]
        hid = [old for old in above if old not in left and _near(old, one, HIDES)]
        return any(old in self.shown for old in left) and len(hid) > 1

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
        if not self.bared:
            return False
        taken = len(self.known) - 1 - self._place
        return taken > 1 or self.tops[0] in self._pushed

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
        """How far up a card that is known lies."""
        return max(self._ranks(one))

    def _ranks(self, one: Lying) -> Iterator[int]:
        return (place for place, old in enumerate(self.known) if alike(one, old))


@dataclass
class Piles:
    """All piles of a table."""

    _piles: dict[str, Pile] = field(default_factory=dict)

    def see(self, state: State, seen: Seen) -> None:
        """Take in what of the piles is in sight."""
        for name in _names(state):
            if name not in seen.spots:
                continue
            pile = self._piles.setdefault(name, Pile())
            if name in seen.busy:
                pile.hide(seen.time)
            else:
                pile.bare(seen.time)
                pile.see(seen.spots[name], lambda card: _copies(state, card) == 1)

    def tops(self, name: str, lying: tuple[Lying, ...]) -> tuple[Lying, ...]:
        """What of the cards in sight at a spot counts: of a pile those on top."""
        pile = self._piles.get(name)
        if pile is None or not all(top in lying for top in pile.tops):
            return lying
        return pile.tops or lying

    def settle(self, state: State, watched: Collection[str]) -> None:
        """The `watched` piles are seen to lie as `state` holds them."""
        for name in self._piles.keys() & watched & state.spots.keys():
            self._piles[name].settle(state.table.view(name))

    def since(self, state: State) -> dict[str, tuple[Top, ...]]:
        """What was on top of each pile since, where that says more than what lies there now."""
        return {
            name: tuple(pile.since)
            for name, pile in self._piles.items()
            if name in state.spots and pile.tells(state.table.view(name))
        }

    @property
    def fresh(self) -> frozenset[str]:
        """The piles on which a card has come to lie that looks like one further down."""
        return frozenset(name for name, pile in self._piles.items() if pile.fresh)

    @property
    def bared(self) -> frozenset[str]:
        """The piles of which only cards are in sight that lay just there below others."""
        return frozenset(name for name, pile in self._piles.items() if pile.bared)

    @property
    def chance(self) -> frozenset[str]:
        """Those of them on which a new card may lie that looks like the one further down."""
        return frozenset(name for name, pile in self._piles.items() if pile.chance)


def _copies(state: State, card: Card) -> int:
    """How many such cards the deck in play holds."""
    return state.game.deck(state.start).cards.count(card)


def _names(state: State) -> Iterator[str]:
    return (name for name, spot in state.spots.items() if spot.shape is Shape.PILE)


def alike(one: Lying, other: Lying) -> bool:
    """Whether two sightings are of one card lying still."""
    return one is other or (one.card == other.card and outlined(one, other))


def outlined(one: Lying, other: Lying) -> bool:
    """Whether two cards lie just alike."""
    side = min(dist(*one.outline[:2]), dist(*one.outline[1:3]))
    ways = [dist(a, b) for a, b in zip(one.outline, other.outline, strict=True)]
    return sum(ways) / len(ways) <= NUDGED * side


def _pushed(one: Lying, other: Lying) -> bool:
    return one.card == other.card and _near(one, other, PUSHED)


def _near(one: Lying, other: Lying, sides: float) -> bool:
    """Whether two cards lie within this many of their shorter sides of each other."""
    side = min(dist(*one.outline[:2]), dist(*one.outline[1:3]))
    return dist(one.centre, other.centre) < sides * side
