"""Weighs explanations against each other: when is a question worth asking?

A person is asked only if the answer changes what the game does. A game of ranks never asks for a
suit; nor does the order of two cards matter that were first seen together, unless something depends
on it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise

from firmware.follow.differences import irregular
from firmware.follow.findings import Explanation, Findings
from firmware.follow.reconcile import explain
from firmware.store.ledger import Step
from rules.acts import Verb
from rules.cards import Card
from rules.errors import ActError
from rules.state import State
from rules.turn import FROM_DECK
from rules.violations import Ruling


def awaited(state: State, way: Explanation) -> bool:
    """Whether every act of the explanation that was seen was awaited by the table at its moment."""
    for step in way.steps:
        if not step.implied and not any(one.admits(step.act) for one in state.turn.awaited):
            return False
        state = state.play(step.act)
    return True


def passes_on(state: State, way: Explanation, places: Collection[str]) -> bool:
    """Whether every act of the explanation had to come, and one moves cards away from a place."""
    for act in way.acts:
        if not any(one.required and one.admits(act) for one in state.turn.awaited):
            return False
        state = state.play(act)
    return any(act.verb is Verb.MOVE and act.spot in places for act in way.acts)


def agreed(state: State, explained: Sequence[Explanation], ways: int) -> Explanation | None:
    """What all explanations of the `ways` readings of the table agree on, or None if they differ.

    If they differ only in cards, and that makes no difference to the game, the cards are reduced to
    what they have in common, if `state` accepts them so.
    """
    if not explained or len({outcome(one.state) for one in explained}) > 1:
        return None
    if any(one.guessed for one in explained):
        return None
    if ways == 1:
        return explained[0] if len({_lies(one.state) for one in explained}) == 1 else None
    alike = len({tuple(_bare(step) for step in one.steps) for one in explained}) == 1
    if not alike or len(explained) != ways:
        return None
    common = in_part(explained)
    return common if _is_named(common) and _may_come(state, common) else None


def _is_named(explanation: Explanation) -> bool:
    """Whether something is known of every card that came face up.

    One of which nothing is known would count as face down: what lies there would still differ, and
    be explained by another such card at the next look, and the next.
    """
    acts = explanation.acts
    return not any(card.hidden for act in acts if not act.down for card in act.cards)


def _may_come(state: State, explanation: Explanation) -> bool:
    """Whether the game accepts the acts with the cards named as they are."""
    try:
        for act in explanation.acts:
            state = state.play(act)
    except ActError:
        return False
    return True


def reordered(state: State, way: Explanation) -> list[Explanation]:
    """`way` with two cards that came to one place together swapped, if their order matters.

    Nobody saw which came first; it matters if money, a turn or the end of the hand depends on it.
    """
    dealt = [
        place
        for place, step in enumerate(way.steps)
        if step.act.verb is Verb.DEAL and not step.act.down and len(step.act.cards) == 1
    ]
    found = []
    for one, other in pairwise(dealt):
        first, second = way.acts[one], way.acts[other]
        if first.spot != second.spot or first.card == second.card:
            continue
        acts = [*way.acts]
        acts[one], acts[other] = second, first
        steps = [replace(step, act=act) for step, act in zip(way.steps, acts, strict=True)]
        swapped = _played(state, steps)
        if swapped is not None and _decided(swapped.state) != _decided(way.state):
            found.append(swapped)
    return found


def parted(
    state: State, way: Explanation, seen: Mapping[str, tuple[Card, ...]]
) -> list[Explanation]:
    """`way` with cards that one player laid together laid one by one, some of them by others.

    Nobody saw whose they were; included only if something depends on it.
    """
    found = []
    for place, step in enumerate(way.steps):
        hand = state.spots.get(str(step.act.seat))
        cards = step.act.cards if hand is not None and hand.held and not step.act.down else ()
        for card in cards if len(cards) > 1 else ():
            first = replace(step, act=step.act.with_cards((card,)))
            before = _played(state, [*way.steps[:place], first])
            if before is None or len(before.state.violations) > len(way.state.violations):
                continue
            for rest in explain(before.state, seen, seen.keys()).explanations:
                whole = Explanation((*before.steps, *rest.steps), rest.state, rest.guessed)
                if not rest.guessed and _decided(rest.state) != _decided(way.state):
                    found.append(whole)
        if cards:
            break
    return found


def exchanged(
    state: State, way: Explanation, seen: Mapping[str, tuple[Card, ...]]
) -> list[Explanation]:
    """`way` with the cards of two players, each laid in turn, attributed the other way round.

    If neither card is in a place of its player, nobody saw whose was whose; included only if
    something depends on it.
    """
    laid = [
        (number, step)
        for number, step in enumerate(way.steps)
        if step.act.seat is not None and step.act.cards and not step.implied and not step.act.down
    ]
    found = []
    for (number, one), (_, other) in pairwise(laid):
        if one.act.verb is not other.act.verb or one.act.seat == other.act.seat:
            continue
        first = replace(one, act=one.act.with_cards(other.act.cards))
        before = _played(state, [*way.steps[:number], first])
        if before is None or len(before.state.violations) > len(way.state.violations):
            continue
        for rest in explain(before.state, seen, seen.keys()).explanations:
            if not rest.guessed and _decided(rest.state) != _decided(way.state):
                found.append(Explanation((*before.steps, *rest.steps), rest.state))
    return found


def _played(state: State, steps: Sequence[Step]) -> Explanation | None:
    """The state after acts, whatever the rules say about them; None if one is impossible."""
    try:
        for step in steps:
            state = state.play(step.act)
    except ActError:
        return None
    return Explanation(tuple(steps), state)


def _decided(state: State) -> tuple[object, ...]:
    """What a state has decided: who pays whom, who scores, who is next, or who gets cards next."""
    paid = Counter((one.payer, one.payee, one.amount, one.reason) for one in state.payments)
    dealt_to = {spot for one in state.turn if one.verb in FROM_DECK for spot in one.spots}
    return paid, Counter(state.points), state.over, state.turn.seats, dealt_to


def _bare(step: Step) -> tuple[object, ...]:
    act = step.act
    return (act.verb, act.seat, act.spot, act.to, len(act.cards), step.implied)


def _lies(state: State) -> frozenset[tuple[str, frozenset[tuple[Card, int]]]]:
    """Which cards are where, regardless of order."""
    return frozenset(
        (name, frozenset(Counter(state.table.cards(name)).items())) for name in state.spots
    )


def outcome(state: State) -> tuple[object, ...]:
    """What a state means to the game, whichever cards led to it."""
    return (
        state.phase,
        tuple(call.id for call in state.calls),
        tuple((one.payer, one.payee, one.amount, one.rate) for one in state.payments),
        len(state.violations),
        tuple((one.verb, one.seats, one.spots) for one in state.turn),
        state.over,
    )


def in_part(explained: Sequence[Explanation]) -> Explanation:
    """The explanation with each card reduced to what all explanations agree on."""
    first, *others = explained
    steps = list(first.steps)
    for place, step in enumerate(steps):
        cards = list(step.act.cards)
        for other in others:
            pairs = zip(cards, other.acts[place].cards, strict=True)
            cards = [_common(one, two) for one, two in pairs]
        steps[place] = replace(step, act=step.act.with_cards(cards))
    return Explanation(tuple(steps), first.state)


def _common(one: Card, other: Card) -> Card:
    rank = one.rank if one.rank == other.rank else type(one.rank).UNKNOWN
    suit = one.suit if one.suit == other.suit else type(one.suit).UNKNOWN
    return Card(rank, suit)


def as_it_lies(state: State, findings: Findings) -> Explanation:
    """The simplest acts that turn the table into what is seen, as far as they are possible."""
    steps = []
    for act in irregular(state, findings.difference):
        try:
            state = state.play(act)
        except ActError:
            continue
        steps.append(Step(act))
    return Explanation(tuple(steps), state)


def follows_a_slip(state: State) -> bool:
    """Whether the last act was irregular, and stands.

    A second irregular act shows that the hand is not where it is being followed: the first one did
    not change whose turn it was, and from there on it would be wrong.
    """
    number = len(state.acts)
    while number and state.acts[number - 1].verb is Verb.RULE:
        number -= 1
    return any(
        one.found == number and one.put_right is None and one.ruling in (None, Ruling.STAND)
        for one in state.violations
    )


def instead(state: State, cards: Mapping[str, tuple[Card, ...]], unsure: Card) -> list[Explanation]:
    """The outcomes if the card that the camera is unsure about were any other."""
    spot = next((spot for spot, lying in cards.items() if unsure in lying), None)
    if spot is None:
        return []
    place = cards[spot].index(unsure)
    before, after = cards[spot][:place], cards[spot][place + 1 :]
    found: list[Explanation] = []
    for card in dict.fromkeys(state.game.deck(state.start)):
        read = {**cards, spot: (*before, card, *after)}
        found += explain(state, read, set(cards)).explanations[:1]
    return found
