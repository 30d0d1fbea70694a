"""What was done at the table, beside what the appliance has followed and what it offers."""

from __future__ import annotations

import re
from collections.abc import Sequence

from firmware.rehearsal.judge import alike
from rules.acts import Act, Verb
from rules.cards import Card

SEAT = re.compile(r"\d+")
"""What shows in a sentence whose act it is."""


def straight_on(done: Sequence[Act]) -> list[Act]:
    """What was done, without the unspoken draws of cards that are passed straight on.

    >>> straight = straight_on([Act.parse(line) for line in ("1 draw stock KC", "1 discard KC")])
    >>> [str(act) for act in straight]
    ['1 discard KC']
    """
    onward = [*done[1:], *done[-1:]]
    return [
        act
        for act, following in zip(done, onward, strict=True)
        if act.verb is not Verb.DRAW or act.cards != following.cards or act is following
    ]


def unfollowed(done: Sequence[Act], shown: Sequence[Act]) -> Sequence[Act]:
    """The part of `done` after the last act on the screen; all of it if that act is not in `done`.

    Where nobody cares who was first, it may have been seen in any order.

    >>> acts = [Act.parse(line) for line in ("1 discard KC", "2 discard 5C", "1 discard QH")]
    >>> [str(act) for act in unfollowed(acts, [Act.parse("2 discard 5C"), acts[0]])]
    ['2 discard 5C', '1 discard QH']
    >>> unfollowed(acts, acts[1:2]) == acts
    True
    >>> dealt = [Act.parse(line) for line in ("deal 1 ??", "deal 3 ??")]
    >>> [str(act) for act in unfollowed(dealt, dealt[1:])]
    ['deal 1 ??']
    """
    free = order_is_free(done)
    for number in range(min(len(done) - 1, len(shown)), 0, -1):
        pairs = zip(done[:number], shown[-number:], strict=True)
        if all(alike(one.observed(), other) for one, other in pairs):
            return done[number:]
        if free and (rest := _without(done, shown[-number:])) is not None:
            return rest
    return done


def _without(done: Sequence[Act], shown: Sequence[Act]) -> list[Act] | None:
    """What was `done` besides what is `shown`, in any order; None if that was not all done."""
    rest = list(done)
    for other in shown:
        one = next((act for act in rest if alike(act.observed(), other)), None)
        if one is None:
            return None
        rest.remove(one)
    return rest


def with_unsaid(
    hand: Sequence[tuple[str, bool]], lines: Sequence[str], offered: Sequence[str]
) -> Sequence[str]:
    """The lines with as much of what was left unsaid in the `hand` as an option contains.

    `hand` holds both in order, each with whether it was left unsaid. The first of the unsaid acts
    may have been taken in since.

    >>> hand = [("2 draw", True), ("2 discard", False), ("3 draw", True), ("3 discard", False)]
    >>> lines = ["2 discard", "3 discard"]
    >>> with_unsaid(hand, lines, ["2 draw; 2 discard; 3 draw; 3 discard", "3 discard"])
    ['2 draw', '2 discard', '3 draw', '3 discard']
    >>> with_unsaid(hand, lines, ["2 discard; 3 draw; 3 discard", "2 discard; 3 discard"])
    ['2 discard', '3 draw', '3 discard']
    >>> with_unsaid(hand, lines, ["2 discard; 3 discard"])
    ['2 discard', '3 discard']
    """
    unsaid = [place for place, (_, left) in enumerate(hand) if left]
    for first in range(len(unsaid)):
        whole = [line for place, (line, _) in enumerate(hand) if place not in unsaid[:first]]
        if any(in_order(whole, option) for option in offered):
            return whole
    return lines


def ranks_only(act: Act, card: Card) -> Act:
    """The act with this card known by its rank alone, as by whoever did not see it.

    >>> str(ranks_only(Act.parse("take board 4S 4C"), Card.parse("4C")))
    'take board 4S 4?'
    """
    ranked = Card(card.rank, type(card.suit).UNKNOWN)
    return act.with_cards([ranked if one == card else one for one in act.cards])


def of_another(said: str, hand: Sequence[str]) -> bool:
    """Whether it attributes to one player what another did in the hand.

    >>> of_another("seat 4 discards ten; seat 3 draws", ["seat 1 discards ten", "seat 3 draws"])
    True
    >>> of_another("seat 1 discards ten; seat 3 draws", ["seat 1 discards ten", "seat 3 draws"])
    False

    What somebody did goes without a draw that it contains.

    >>> of_another("seat 1 draws ten; seat 1 discards ten", ["seat 2 draws ten",
    ...                                                      "seat 1 discards ten"])
    False
    """
    done, parts = {SEAT.sub("", line) for line in hand}, said.split("; ")
    return any(
        one not in hand
        and SEAT.sub("", one) in done
        and not (following in hand and SEAT.findall(one)[:1] == SEAT.findall(following)[:1])
        for one, following in zip(parts, [*parts[1:], ""], strict=True)
    )


def in_order(lines: Sequence[str], said: str) -> bool:
    """Whether all of the lines are said in this order."""
    place = 0
    for line in lines:
        found = said.find(line, place)
        if found < 0:
            return False
        place = found + len(line)
    return bool(lines)


def order_is_free(done: Sequence[Act]) -> bool:
    """Whether nobody cares who was first: cards were dealt, or each player did the same.

    >>> order_is_free([Act.parse("4 lay 4.pass ?? ?? ??"), Act.parse("2 lay 2.pass ?? ?? ??")])
    True
    """
    verbs, seats = {act.verb for act in done}, {act.seat for act in done}
    return verbs == {Verb.DEAL} or (len(verbs) == 1 and len(seats) == len(done))


def in_any_order(lines: Sequence[str], said: str) -> bool:
    """Whether all of the lines are said.

    >>> in_any_order(["ten to seat 3", "two to seat 2"], "two to seat 2; ten to seat 3")
    True
    """
    return bool(lines) and all(line in said for line in lines)
