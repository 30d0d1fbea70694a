"""When a hand is lost: what cannot be explained, and the ways to resume it.

The table is taken as it lies. What nobody can see may be as it is followed now, or as it was a few
acts ago, if acts were recorded that never happened; and another seat may be next. Each of these
possibilities is an option that says what the table would then wait for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from firmware.display.prompts import Option, Question, act_phrase, turn_phrase
from firmware.follow.differences import Cards, Difference, difference, uncovered
from firmware.follow.verdicts import Rethought
from rules.acts import Act, Layout, Verb
from rules.errors import ActError
from rules.phrases import Phrase
from rules.state import State

MOMENTS_MOST = 8
"""Number of acts to go back in search of a moment that fits the table. A choice: whoever lost track
longer ago is better off with a new deal.
"""
OPTIONS_MOST = 5
"""Number of ways offered: as many as one can step through with a button. A choice."""
LOST = "lost"
"""The prefix of such a question's key."""


def lost(state: State, cards: Mapping[str, Cards], say: Callable[[Phrase], str]) -> Question | None:
    """The question of how to resume `state` from `cards` by spot; None if there is no way."""
    layout = layout_of(state, cards)
    found: dict[Phrase, tuple[bool, int, Act]] = {}
    for place, (act, moment) in enumerate(_ways(state, layout)):
        try:
            then = turn_phrase(state.resumed_from(act, moment).turn)
        except ActError:
            continue
        off = bool(difference(moment, cards, cards.keys()))
        found[then] = min(found.get(then, (off, place, act)), (off, place, act), key=_rank)
    ranked = sorted(found.items(), key=lambda one: _rank(one[1]))[:OPTIONS_MOST]
    options = tuple(as_it_lies(act, then, say) for then, (_, _, act) in ranked)
    if not options:
        return None
    return Question(not_understood(difference(state, cards, cards.keys())), options, (LOST, layout))


def as_it_lies(act: Act, then: Phrase, say: Callable[[Phrase], str]) -> Option:
    """The option to resume by `act`, saying what the table `then` waits for."""
    return Option(Phrase.of("option.as-it-lies", then=say(then)), (act,))


def rather(way: Rethought, say: Callable[[Phrase], str]) -> Option:
    """The option that the hand went differently, saying from where, and what is then awaited."""
    seen = tuple(act for act in way.instead if not (act.cards and act.down))
    acts, then = way.explanation.acts, turn_phrase(way.explanation.state.turn)
    phrase = Phrase.of("option.rather", line=say(act_phrase(seen)), then=say(then))
    return Option(phrase, acts, after=way.number)


def _rank(way: tuple[bool, int, Act]) -> tuple[bool, int]:
    """Sort key for moments to resume from: those with the present table, then the present."""
    return way[:2]


def layout_of(state: State, cards: Mapping[str, Cards]) -> Layout:
    """What is at each spot, in an act's form; spots that are rightly empty are left out."""
    lying = {spot: uncovered(state, spot, cards[spot]) for spot in state.spots if spot in cards}
    shown = {spot: state.spots[spot].shows(state.table) for spot in lying}
    return tuple((spot, there) for spot, there in lying.items() if there or shown[spot])


def _ways(state: State, layout: Layout) -> Iterator[tuple[Act, State]]:
    """The acts with which the hand may be resumed, each with the moment it starts from."""
    now = len(state.acts)
    yield resume(now, layout), state
    for seat in state.start.seats:
        yield resume(now, layout, seat), state
    history = list(state.history(MOMENTS_MOST))
    for back, moment in enumerate(reversed(history), 1):
        yield resume(now - back, layout), moment


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
