"""When a hand is lost: what cannot be explained, and the ways to resume it.

The table is taken as it lies. What nobody can see may be as it is followed now, one unseen act
later, as in the middle of the turn of a player who has drawn, or as it was a few acts ago, if acts
were recorded that never happened; and another seat may be next. Each of these possibilities is an
option that says what the table would then wait for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from firmware.display.prompts import Option, Question, act_phrase, turn_phrase
from firmware.follow.differences import Cards, Difference, difference, uncovered
from firmware.follow.unseen import unseen_acts
from firmware.follow.verdicts import Rethought
from rules.acts import Act, Layout, Verb
from rules.errors import ActError
from rules.phrases import Phrase
from rules.state import State

MOMENTS_MOST = 8
"""Number of acts to go back in search of a moment that fits the table. A choice: whoever lost track
longer ago is better off with a new deal.
"""
OPTIONS_MOST = 6
"""Number of ways offered: as many as one can step through with a button. A choice."""
LOST = "lost"
"""The prefix of such a question's key."""


def lost(state: State, cards: Mapping[str, Cards], say: Callable[[Phrase], str]) -> Question | None:
    """The question of how to resume `state` from `cards` by spot; None if there is no way."""
    found: dict[Phrase, _Ranked] = {}
    lying = _Lying.of(state, cards)
    for place, way in enumerate(_ways(state, lying)):
        try:
            then = turn_phrase(way.last.resumed_from(way.acts[-1], way.moment).turn)
        except ActError:
            continue
        off = way.ahead or bool(difference(way.moment, cards, cards.keys()))
        ranked = off, place, way.acts
        found[then] = min(found.get(then, ranked), ranked, key=_rank)
    likely = sorted(found.items(), key=lambda one: _rank(one[1]))[:OPTIONS_MOST]
    options = tuple(as_it_lies(acts, then, say) for then, (_, _, acts) in likely)
    if not options:
        return None
    return Question(not_understood(lying.change), options, (LOST, lying.layout))


def as_it_lies(acts: Sequence[Act], then: Phrase, say: Callable[[Phrase], str]) -> Option:
    """The option to resume by these acts, saying what the table `then` waits for."""
    return Option(Phrase.of("option.as-it-lies", then=say(then)), tuple(acts))


def rather(way: Rethought, say: Callable[[Phrase], str]) -> Option:
    """The option that the hand went differently, saying from where, and what is then awaited."""
    seen = tuple(act for act in way.instead if not (act.cards and act.down))
    acts, then = way.explanation.acts, turn_phrase(way.explanation.state.turn)
    phrase = Phrase.of("option.rather", line=say(act_phrase(seen)), then=say(then))
    return Option(phrase, acts, after=way.number)


_Ranked: TypeAlias = tuple[bool, int, tuple[Act, ...]]
"""Whether anything lay differently at its moment, its place among the ways, and its acts."""


def _rank(way: _Ranked) -> tuple[bool, int]:
    """Sort key for ways to resume: those from a moment with the present table, then by place."""
    return way[:2]


def layout_of(state: State, cards: Mapping[str, Cards]) -> Layout:
    """What is at each spot, in an act's form; spots that are rightly empty are left out."""
    lying = {
        name: uncovered(state.table, spot, cards[name])
        for name, spot in state.spots.items()
        if name in cards
    }
    shown = {spot: state.spots[spot].shows(state.table) for spot in lying}
    return tuple((spot, there) for spot, there in lying.items() if there or shown[spot])


@dataclass(frozen=True)
class _Lying:
    """The cards as they lie, by spot, what differs from the record, and the layout to resume by."""

    cards: Mapping[str, Cards]
    change: Difference
    layout: Layout

    @classmethod
    def of(cls, state: State, cards: Mapping[str, Cards]) -> _Lying:
        """These cards, compared with `state`."""
        return cls(cards, difference(state, cards, cards.keys()), layout_of(state, cards))


@dataclass(frozen=True)
class _Way:
    """The acts by which the hand may be resumed, the state that the last of them is applied to, and
    the moment that it resumes from; whether that is `ahead` of how the hand is followed."""

    acts: tuple[Act, ...]
    last: State
    moment: State
    ahead: bool = False


def _ways(state: State, lying: _Lying) -> Iterator[_Way]:
    """The ways to resume, the likeliest first: whoever has laid cards down is still at it."""
    now, layout = len(state.acts), lying.layout
    laying = {state.spots[name].owner for name in lying.change.came}
    for seat in state.start.seats:
        if seat in laying:
            named = () if seat in state.turn.seats else (resume(now, layout, seat),)
            yield from _in_mid_turn(state, named, lying)
    yield _Way((resume(now, layout),), state, state)
    yield from _in_mid_turn(state, (), lying)
    for seat in state.start.seats:
        yield _Way((resume(now, layout, seat),), state, state)
    history = list(state.history(MOMENTS_MOST))
    for back, moment in enumerate(reversed(history), 1):
        # Where something lay at that moment, and nothing does now, is to be said as well.
        whole = dict((*layout, *layout_of(moment, lying.cards)))
        yield _Way((resume(now - back, tuple(whole.items())),), state, moment)


def _in_mid_turn(state: State, before: tuple[Act, ...], lying: _Lying) -> Iterator[_Way]:
    """The ways by which whoever is next, after what has to come `before`, has drawn already."""
    try:
        for act in before:
            state = state.play(act)
        for act in _drawn(state, lying.change):
            later = state.play(act)
            last = resume(len(later.acts), layout_of(later, lying.cards))
            yield _Way((*before, act, last), later, later, ahead=True)
    except ActError:
        return


def _drawn(state: State, change: Difference) -> Iterator[Act]:
    """The acts that may have come before somebody laid down what is seen: unseen ones, and a draw
    of a card that went straight there."""
    yield from unseen_acts(state)
    for one in state.turn.awaited:
        if one.verb is Verb.DRAW and one.from_deck and one.pick == 1 and not one.down:
            seat, spot = one.seats[0], one.spots[0]
            own = [name for name in change.came if state.spots[name].owner == seat]
            known = [card for name in own for card in change.came[name] if card.known]
            act = one.fill(known[:1], seat=seat, spot=spot) if known else None
            if act is not None and one.admits(act):
                yield act


def resume(number: int, layout: Layout, seat: int | None = None) -> Act:
    """The act that resumes a hand as it was after `number` acts; it may name who is next."""
    return Act(Verb.RESUME, seat, numbers=(number,), layout=layout)


def not_understood(change: Difference) -> Phrase:
    """The first spot that differs from the record, with its cards, as a sentence."""
    return next(differences(change), Phrase("lost.somewhere"))


def differences(change: Difference) -> Iterator[Phrase]:
    """The spots that differ from the record, most cards first."""
    spots = dict.fromkeys((*change.came, *change.left))
    for spot in sorted(spots, key=lambda name: -_count(change, name)):
        came, left = change.came.get(spot, ()), change.left.get(spot, ())
        if came and left:
            yield Phrase.of("lost.other", spot=spot, cards=came, missing=left)
        elif came:
            yield Phrase.of("lost.came", spot=spot, cards=came)
        else:
            yield Phrase.of("lost.left", spot=spot, cards=left)


def _count(change: Difference, spot: str) -> int:
    return len(change.came.get(spot, ())) + len(change.left.get(spot, ()))
