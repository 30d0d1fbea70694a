"""Acts that nothing on the table shows: cards dealt into hands, drawn from a pile, passed on.

What follows shows that they were done: a card played, a line typed, a press of OK.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from rules.acts import Act
from rules.cards import BACK, Card
from rules.errors import ActError
from rules.spots import Table
from rules.state import State
from rules.turn import FROM_DECK, Awaited

DEALT_MOST = 60
"""Largest number of acts in a row that may go unseen: four rounds of cards into the hands of
fifteen players. A choice; `python -m tests.soak` judges it.
"""


Bag = frozenset[tuple[str, int]]
"""Acts in no order: each one's line, and how often it comes."""


def unseen_acts(state: State) -> Iterator[Act]:
    """The acts with cards that may come now and change nothing visible."""
    for one in state.turn:
        for act in blind(one):
            after = _without_trace(state, act)
            if after is not None:
                yield act


def blind(one: Awaited) -> Iterator[Act]:
    """The acts of this kind that are certain without seeing them."""
    cards = _certain_cards(one)
    if cards is None or one.numbers is not None or len(one.words) > 1:
        return
    for seat in one.seats or (None,):
        for spot in one.spots or (None,):
            yield one.fill(cards, seat=seat, spot=spot)


def _certain_cards(one: Awaited) -> tuple[Card, ...] | None:
    if not one.pick:
        return None
    if one.down:
        return (BACK,) * one.pick
    told = one.among is not None and len(one.among) == one.pick
    return one.among if told and not any(card.hidden for card in one.among or ()) else None


def _without_trace(state: State, act: Act) -> Table | None:
    """The table after `act` if it looks as before although cards have moved."""
    try:
        trace = state.trace(act)
        after = state.table.moved(trace)
    except ActError:
        return None
    alike = all(spot.shows(after) == spot.shows(state.table) for spot in state.spots.values())
    return after if trace and alike else None


def forced(state: State) -> Act | None:
    """The one act that has to come now, if nobody sees it come.

    If the hands may be dealt in any order, the first of them.
    """
    if len(state.turn.awaited) != 1 or not state.turn.awaited[0].required:
        return None
    acts = list(unseen_acts(state))
    dealing = state.turn.awaited[0].verb in FROM_DECK
    return acts[0] if len(acts) == 1 or (acts and dealing) else None


def forced_run(state: State) -> tuple[tuple[Act, ...], State]:
    """All unseen acts that have to come now one after another, and the state after them."""
    acts: list[Act] = []
    while len(acts) < DEALT_MOST and (act := forced(state)) is not None:
        acts.append(act)
        state = state.play(act)
    return tuple(acts), state


def leading_to(state: State, act: Act) -> tuple[tuple[Act, ...], ...]:
    """The shortest sequences of unseen acts that may have come before `act`.

    An empty one if it can come now; none if it never can. Those after which it breaks no rule come
    before all others: nobody sees a card drawn from the stock, but it is drawn before a meld.
    """
    ways: list[tuple[tuple[Act, ...], State]] = [((), state)]
    first: list[tuple[Act, ...]] = []
    for _ in range(DEALT_MOST):
        fits = [(acts, now) for acts, now in ways if now.turn.admits(act)]
        lawful = [acts for acts, now in fits if _is_lawful(now, act)]
        if lawful:
            return tuple(lawful)
        first = first or [acts for acts, _ in fits]
        # It does not matter whose hand is dealt first if the rules leave that open.
        more: dict[Bag, tuple[tuple[Act, ...], State]] = {}
        for acts, now in ways:
            for one in unseen_acts(now):
                more.setdefault(bag((*acts, one)), ((*acts, one), now.play(one)))
        ways = list(more.values())
    return tuple(first)


def _is_lawful(state: State, act: Act) -> bool:
    """Whether an act can come now, and breaks no rule."""
    try:
        return len(state.play(act).violations) <= len(state.violations)
    except ActError:
        return False


def closed_by(state: State, act: Act) -> tuple[tuple[Act, ...], ...]:
    """What nobody says for themselves and has to come now, if `act` can come only after it."""
    said = None if state.turn.admits(act) else closing(state)
    return () if said is None or not state.play(said).turn.admits(act) else ((said,),)


def closing(state: State) -> Act | None:
    """The one act that has to come now, if nobody says it for themselves: "no more bets"."""
    due = [one for one in state.turn.awaited if one.required]
    if len(due) != 1:
        return None
    (one,) = due
    if not one.spoken or one.seats or one.pick or one.words or one.numbers is not None:
        return None
    return one.fill()


def contained(state: State, act: Act) -> Act | None:
    """The act that `act` contains, if both one after the other lead to the same as `act` alone."""
    first = state.game.contained(state, act)
    if first is None or not state.turn.admits(first):
        return None
    try:
        between, alone = state.play(first), state.play(act)
        both = between.play(act) if between.turn.admits(act) else None
    except ActError:
        return None
    return first if both is not None and _come_to(both) == _come_to(alone) else None


def _come_to(state: State) -> tuple[object, ...]:
    return state.table, state.turn, state.payments, state.points, len(state.violations)


def bag(acts: Iterable[Act]) -> Bag:
    """The acts regardless of order, to distinguish sequences that differ in more than order.

    >>> one, two = Act.parse("1 pass"), Act.parse("2 pass")
    >>> bag([one, two]) == bag([two, one]), bag([one]) == bag([one, one])
    (True, False)
    """
    return frozenset(Counter(map(str, acts)).items())
