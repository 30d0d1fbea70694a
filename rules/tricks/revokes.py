"""What comes to light late: a duty neglected in an earlier trick.

The table never shows a hand. A player who does not follow suit is believed until a card proves that
the suit was held. Only the player's own cards count as proof, never an inference from the others'.

    >>> from rules.tricks.trick import Duties
    >>> lines = ((1, "9H", 1), (2, "2C", 2)), ((1, "3C", 3), (2, "4H", 4))
    >>> tricks = [tuple(Played(s, Card.parse(c), act) for s, c, act in line) for line in lines]
    >>> duties = Duties()
    >>> def wrong(trick, play, held):
    ...     return duties.neglected(play.card, held, trick, None)
    >>> [(str(one.duty), one.play.act, one.card, one.trick) for one in proven(tricks, 2, wrong)]
    [('follow', 2, <4H>, 1)]
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from rules.cards import Card
from rules.tricks.trick import Duty, Neglected, Played, Trick

Judge = Callable[[Trick, Played, Sequence[Card]], Neglected | None]
"""The duty neglected by a play to a trick so far, by a player who held these other cards."""


@dataclass(frozen=True, slots=True)
class Proven:
    """A play that broke a duty, and the card of the same player that proves it."""

    duty: Duty
    play: Played
    card: Card
    trick: int
    """The number of the trick that the play belongs to, from 1."""


def proven(
    tricks: Sequence[Trick], seat: int, judge: Judge, known: Sequence[Card] = ()
) -> Iterator[Proven]:
    """Every play of `seat` that the seat's later cards prove wrong, earliest first.

    `known` are cards that the seat is known to hold now, and to have held all along.
    """
    own = [play for trick in tricks for play in trick if play.seat == seat]
    behind = 0
    for number, trick in enumerate(tricks, 1):
        for place, play in enumerate(trick):
            if play.seat != seat:
                continue
            behind += 1
            held = (*(later.card for later in own[behind:]), *known)
            found = judge(trick[:place], play, held)
            if found is not None:
                yield Proven(found.duty, play, found.card, number)
