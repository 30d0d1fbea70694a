"""What differs from the state, and what an act would change, both in terms of what can be seen."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from rules.acts import Act, Verb
from rules.cards import BACK, Card
from rules.errors import ActError
from rules.spots import DECK, GONE, Shape, Spot, Table, Trace
from rules.state import State

Cards = tuple[Card, ...]


@dataclass(frozen=True)
class Difference:
    """By spot, the cards there that should not be (`came`), and the missing ones (`left`)."""

    came: Mapping[str, Cards]
    left: Mapping[str, Cards]

    def __bool__(self) -> bool:
        return bool(self.came or self.left)

    @property
    def size(self) -> int:
        """Number of cards that are wrong."""
        return sum(map(len, self.came.values())) + sum(map(len, self.left.values()))

    def within(self, other: Difference) -> bool:
        """Whether each of these changes is among `other`'s too."""
        return _within(self.came, other.came) and _within(self.left, other.left)


def difference(state: State, seen: Mapping[str, Cards], watched: Collection[str]) -> Difference:
    """What differs at the `watched` spots from what `state` holds.

    A card seen in part (``6?``) agrees with any that it may be; a back only with a back.
    """
    came: dict[str, Cards] = {}
    left: dict[str, Cards] = {}
    table = state.table
    for name, spot in state.spots.items():  # in the same order in every run
        if name not in watched:
            continue
        expected = spot.shows(table)
        there = uncovered(table, spot, seen.get(name, ()))
        if expected == there:
            continue
        missing, more = unmatched(expected, there)
        if more:
            came[name] = more
        if missing:
            left[name] = missing
    return Difference(came, left)


def uncovered(table: Table, spot: Spot, there: Cards) -> Cards:
    """`there` without cards that peep out under the top of a pile, or that need not be shown.

    Whatever is new on a pile is on top.
    """
    if spot.held:  # a hand put down for a moment
        return tuple(card for card in there if not card.hidden)
    if spot.shape is not Shape.PILE or len(there) < 2:
        return there
    known = table.view(spot.name)
    new = tuple(card for card in there if card not in known)
    top = tuple(card for card in there if card in known[-1:])[:1]  # an equal one may show
    return new or top or there


def irregular(state: State, change: Difference) -> Iterator[Act]:
    """The simplest acts that turn the table into what is seen, whatever the rules say about them.

    A card on a pile covers the one that was on top, which therefore need not have gone; the card
    below that one is uncovered once it has.
    """
    left = {spot: list(cards) for spot, cards in change.left.items()}
    for spot, cards in change.came.items():
        for card in () if _bares(state, spot, change) else cards:
            yield _arrival(state, spot, card, left)
    for spot, rest in left.items():
        covered = state.spots[spot].shape is Shape.PILE and spot in change.came
        for card in () if covered and not _bares(state, spot, change) else rest:
            yield Act(Verb.TAKE, spot=spot, cards=(card,), down=card.hidden)


def _bares(state: State, spot: str, change: Difference) -> bool:
    """Whether the second card of a pile is all that shows in place of the first."""
    if state.spots[spot].shape is not Shape.PILE:
        return False
    below = state.table.view(spot)[-2:-1]
    return bool(below) and change.came.get(spot) == below and spot in change.left


def _arrival(state: State, spot: str, card: Card, left: dict[str, list[Card]]) -> Act:
    """How `card` may have come to `spot`: from another, turned up, or from those out of play."""
    if not card.hidden and BACK in left.get(spot, ()) and not _elsewhere(card, spot, left):
        left[spot].remove(BACK)
        return Act(Verb.TURN, spot=spot, cards=(card,))
    source = _elsewhere(card, spot, left)
    if source is not None:
        left[source].remove(card)
        return Act(Verb.MOVE, spot=source, to=spot, cards=(card,), down=card.hidden)
    back_again = not card.hidden and card in state.table.cards(GONE)
    verb = Verb.PUT if back_again else Verb.DEAL
    return Act(verb, spot=spot, cards=(card,), down=card.hidden)


def _elsewhere(card: Card, spot: str, left: Mapping[str, Sequence[Card]]) -> str | None:
    """The other spot that such a card has left."""
    return next(
        (source for source, cards in left.items() if card in cards and source != spot), None
    )


def effect(
    state: State,
    act: Act,
    watched: Collection[str],
    *,
    in_part: bool = False,
    keyed: Collection[str] = (),
    least: Collection[str] = (),
) -> Difference | None:
    """What `act` changes visibly, or None if it is impossible or cannot be judged now.

    It cannot be judged while a hand hides all of its places, or one at which something would
    change; `in_part` asks for what it changes at the others. What it does to `keyed` spots, which
    have no place on the table, nobody can see. An act that moves no card to or from each of the
    spots `least` is not asked about: None.
    """
    try:
        trace = state.trace(act)
        if least and not _places(trace).issuperset(least):
            return None
        return change_by(state, trace, watched, in_part=in_part, keyed=keyed)
    except ActError:
        return None


def change_by(
    state: State,
    trace: Trace,
    watched: Collection[str],
    *,
    in_part: bool = False,
    keyed: Collection[str] = (),
    piles: Collection[str] = (),
) -> Difference | None:
    """What an act's `trace` changes visibly: the part of `effect` that the table alone decides.

    A card that comes onto one of the `piles`, or is uncovered there, counts as a visible change
    even if it looks like the one before; if a hand hides the pile, neither shows.

    Raises `ActError` if a card is not where it should leave.
    """
    places = sorted(_places(trace) - {DECK, GONE})
    spots = [state.spots[place] for place in places if place in state.spots]
    in_sight = [spot for spot in spots if spot.in_sight and spot.name not in keyed]
    if not any(spot.name in watched for spot in in_sight):
        return None
    after = state.table.moved(trace)
    came: dict[str, Cards] = {}
    left: dict[str, Cards] = {}
    for spot in in_sight:
        hidden = spot.name not in watched and BACK not in spot.shows(after)
        gone, new = _turnover(state, after, spot, piled=hidden or spot.name in piles)
        if (gone or new) and spot.name not in watched:
            if in_part:
                continue
            return None
        if new:
            came[spot.name] = new
        if gone:
            left[spot.name] = gone
    return Difference(came, left)


def _places(trace: Trace) -> set[str]:
    """The places between which an act moves cards."""
    return {place for move in trace for place in (move.source, move.target)}


def _turnover(state: State, after: Table, spot: Spot, *, piled: bool) -> tuple[Cards, Cards]:
    """Of the cards that show at a spot, those gone from the table `after`, and those new on it."""
    was, now = spot.shows(state.table), spot.shows(after)
    if piled and was == now and in_line(state.table.view(spot.name), after.view(spot.name)):
        return was, now
    return unmatched(was, now)


def in_line(one: Cards, other: Cards) -> bool:
    """Whether cards were laid on top of a pile or taken off it, and none from below."""
    least = min(len(one), len(other))
    return len(one) != len(other) and one[:least] == other[:least]


def unmatched(expected: Sequence[Card], there: Sequence[Card]) -> tuple[Cards, Cards]:
    """The part of `expected` that is not `there`, and the part of `there` that is not expected."""
    missing, more = list(expected), []
    for card in there:
        if card in missing:
            missing.remove(card)
        else:
            more.append(card)
    for card in list(more):
        fit = next((other for other in missing if _in_part(card, other)), None)
        if fit is not None:
            missing.remove(fit)
            more.remove(card)
    return tuple(missing), tuple(more)


def _in_part(one: Card, other: Card) -> bool:
    return not one.hidden and not other.hidden and one.covers(other)


def _within(part: Mapping[str, Cards], whole: Mapping[str, Cards]) -> bool:
    return all(not unmatched(cards, whole.get(spot, ()))[0] for spot, cards in part.items())
