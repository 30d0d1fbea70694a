"""What a person may mean by pointing at a card or a place: another card, or one more card."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from firmware.console.book import Book, Step
from firmware.console.history import History
from firmware.console.picture import Artist, Values
from firmware.display.snapshot import Snapshot
from firmware.follow.ambiguity import as_it_lies
from firmware.follow.corrections import UNREAD, others
from firmware.follow.reconcile import explain
from rules.acts import Act
from rules.cards import Card
from rules.errors import ActError
from rules.match import Hand
from rules.state import State


def card_at(book: Book, artist: Artist, snapshot: Snapshot, spot: str, place: int) -> Values | None:
    """The card at a place: why it is there, and what else it may be; None if there is none.

    `place` counts from 0. Each candidate comes with the line that would replace the act.
    """
    hand = _in_play(book)
    if hand is None:
        return None
    view = hand.state.public().table.view(spot)
    if not 0 <= place < len(view):
        return None
    card, again = view[place], view[: place + 1].count(view[place])
    found = _laid(book.steps(hand), spot, card, again)
    if found is None:
        return {"label": artist.card(str(card))["label"], "why": None, "cards": []}
    step, which = found
    cards = list(_changes(artist, hand, snapshot, step, [which]))
    return {
        **_told(book, artist, hand, step),
        "label": artist.card(str(card))["label"],
        "cards": cards,
    }


def cards_of(book: Book, artist: Artist, snapshot: Snapshot, number: int) -> Values | None:
    """An act of the current hand: why it came, and what else each of its cards may be."""
    hand = _in_play(book)
    if hand is None or not 1 <= number <= len(book.steps(hand)):
        return None
    step = book.steps(hand)[number - 1]
    cards = list(_changes(artist, hand, snapshot, step, range(len(step.act.cards))))
    return {**_told(book, artist, hand, step), "label": artist.act(str(step.act)), "cards": cards}


def _told(book: Book, artist: Artist, hand: Hand, step: Step) -> Values:
    """Why the act came, and what identifies it in a correction."""
    return {
        "why": History(book, artist).why(hand, step.number),
        "change": {"hand": hand.start.hand, "number": step.number, "was": str(step.act)},
    }


def _changes(
    artist: Artist, hand: Hand, snapshot: Snapshot, step: Step, places: Iterable[int]
) -> Iterator[Values]:
    """The cards of an act with their candidates; none for face-down or merely named cards."""
    if not step.act.cards or step.act.down or step.act.verb in UNREAD:
        return
    may_be = _may_be(hand, snapshot, step)
    for place in places:
        card = step.act.cards[place]
        others = [other for other in may_be if other != card]
        told = [
            {**artist.card(str(other)), "line": _instead(step.act, place, other)}
            for other in others
        ]
        yield {**artist.card(str(card)), "candidates": told}


def _laid(steps: Sequence[Step], spot: str, card: Card, again: int) -> tuple[Step, int] | None:
    """The act that laid the card, and which of its cards it is; of equal cards, number `again`."""
    found = [
        (step, place)
        for step in steps
        for place, one in enumerate(step.act.cards)
        if one == card and (one, spot) in _moved(step)
    ]
    return found[min(again, len(found)) - 1] if found else None


def _moved(step: Step) -> tuple[tuple[Card, str], ...]:
    try:
        return step.laid
    except ActError:  # an act that no longer fits after a correction moves nothing
        return ()


def _may_be(hand: Hand, snapshot: Snapshot, step: Step) -> list[Card]:
    """The candidates for a card: earlier readings, the camera's candidates, then similar cards.

    Among similar cards, those of the same rank come before those of the same suit.
    """
    before = Act.parse(step.mark.was).cards if step.mark and step.mark.was else ()
    spot = step.act.spot or str(step.act.seat)
    laid = set(map(str, step.act.cards))
    seen = [
        Card.parse(name)
        for place, names in snapshot.candidates
        if place == spot and laid & set(names)
        for name in names
    ]
    kin = others(hand.state.public(), None, step.act)
    ranks = {card.rank for card in step.act.cards}
    return list(
        dict.fromkeys([*before, *seen, *sorted(kin, key=lambda card: card.rank not in ranks)])
    )


def _instead(act: Act, place: int, card: Card) -> str:
    cards = list(act.cards)
    cards[place] = card
    return str(act.with_cards(cards))


def missing(book: Book, artist: Artist, spot: str) -> Values | None:
    """The cards that may have been missed at a spot: the whole deck.

    Which of them are still to come must not be revealed during a hand.
    """
    hand = _in_play(book)
    if hand is None or spot not in hand.state.spots:
        return None
    state = hand.state.public()
    pack = dict.fromkeys(state.game.deck(state.start))
    label = artist.texts.spot(spot)
    return {
        "spot": spot,
        "label": label[:1].upper() + label[1:],
        "cards": [artist.card(str(card)) for card in pack],
    }


def adding(book: Book, spot: str, card: Card) -> str:
    """The act lines that add a card to a spot, as if the camera had seen it there.

    Several lines are separated by semicolons; empty if nothing could add it.
    """
    hand = _in_play(book)
    if hand is None or spot not in hand.state.spots:
        return ""
    state = hand.state
    seen = {spot: (*state.table.view(spot), card)}
    return "; ".join(str(act) for act in _explained(state, seen))


def _explained(state: State, seen: dict[str, tuple[Card, ...]]) -> Iterator[Act]:
    findings = explain(state, seen, set(seen))
    if findings.explanations:
        yield from findings.explanations[0].acts
    else:
        yield from as_it_lies(state, findings).acts


def _in_play(book: Book) -> Hand | None:
    return book.hands[-1] if book.hands else None
