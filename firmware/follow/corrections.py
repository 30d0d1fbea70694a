"""What to offer when a person says that the last thing is wrong: the likeliest mistake first."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from firmware.display.pads import SAID, Key, Pad
from firmware.display.prompts import Option, Question
from firmware.follow.choices import options_of
from firmware.follow.differences import unmatched
from firmware.follow.sight import lying_as
from rules.acts import Act, Verb
from rules.cards import Card
from rules.counting import sightings
from rules.phrases import Phrase
from rules.state import NAMING, State
from vision.sightings import Seen

UNREAD = NAMING | {Verb.RULE}
"""The verbs whose cards no camera has read."""
LIKELY_MOST = 6
"""A choice: candidates before *other*; the most similar cards are three of its rank and its
neighbours in its suit.
"""
RIGHT = Option(Phrase("option.right"))
"""Nothing was wrong: the button was pressed by mistake. It comes first, so that OK after a stray
press changes nothing.
"""

Before = Callable[[int], Pad]
"""The pad as it was before an act, by the act's number."""


def correction(state: State, seen: Seen | None, before: Before) -> Question | None:
    """What may replace the last thing said or read; None if there is nothing.

    The last act is the likeliest to be wrong. A card read before it is probably right.
    """
    cards = _card(state, seen)
    last = len(state.acts)
    if last and state.acts[-1].verb in SAID:
        return _said(state, last, before(last), cards)
    return cards


def _said(state: State, number: int, pad: Pad, cards: Question | None) -> Question | None:
    """Words other than those said last; after them, the card that was read before."""
    said = state.acts[number - 1]
    keys = tuple(_without(pad.keys, str(said.observed())))
    options = [RIGHT, *options_of(state, keys)[:LIKELY_MOST]]
    if cards is not None:
        options.append(Option(cards.phrase, opens=lambda: cards))
    if len(keys) > LIKELY_MOST:
        options.append(_more(state, number, keys[LIKELY_MOST:]))
    if len(options) == 1:
        return None
    phrase = Phrase.of("ask.said", line=str(said.observed()))
    key = ("correct", number, len(state.acts))
    return Question(phrase, tuple(_correcting(options, number)), key, corrects=number)


def _more(state: State, number: int, keys: Sequence[Key]) -> Option:
    phrase = Phrase("option.other")
    key = ("correct", number, len(state.acts), "more")
    return Option(
        phrase, opens=lambda: Question(phrase, options_of(state, keys), key, corrects=number)
    )


def _correcting(options: Sequence[Option], number: int) -> Iterator[Option]:
    """The options; whatever they open corrects the same act."""
    for option in options:
        opens = option.opens
        yield option if opens is None else replace(option, opens=_opening(opens, number))


def _opening(opens: Callable[[], Question], number: int) -> Callable[[], Question]:
    def opened() -> Question:
        question = opens()
        if question.corrects:
            return question
        options = tuple(_correcting(question.options, number))
        return replace(question, options=options, corrects=number, by_hand=False)

    return opened


def _without(keys: Sequence[Key], line: str) -> Iterator[Key]:
    """The keys without the one that says this line."""
    for key in keys:
        inner = tuple(_without(key.keys, line))
        if key.line != line and (inner or not key.keys):
            yield replace(key, keys=inner)


def _card(state: State, seen: Seen | None) -> Question | None:
    """Other cards for the one that was read last; None if none was read."""
    for number in range(len(state.acts), 0, -1):
        act = state.acts[number - 1]
        if act.cards and not act.down and act.verb not in UNREAD:
            return _instead(state, seen, number, act)
    return None


def _instead(state: State, seen: Seen | None, number: int, act: Act) -> Question:
    options = [_as(act, card) for card in others(state, seen, act)]
    likely, rest = options[:LIKELY_MOST], options[LIKELY_MOST:]
    shown = [RIGHT, *likely]
    phrase = Phrase.of("ask.correct", cards=(act.cards[-1],))
    key = ("correct", number, len(state.acts))
    if rest:
        more = Question(phrase, tuple(rest), (*key, "more"), corrects=number)
        shown.append(Option(Phrase("option.other"), opens=lambda: more))
    return Question(phrase, tuple(shown), key, corrects=number)


def _as(act: Act, card: Card) -> Option:
    instead = act.with_cards([*act.cards[:-1], card])
    return Option(Phrase.of("option.card", cards=(card,)), (instead,))


def others(state: State, seen: Seen | None, act: Act) -> list[Card]:
    """What the last card of `act` may be: what lies where it is held to lie and is held nowhere
    there, the camera's other candidates, then similar cards."""
    wrong = act.cards[-1]
    spots = [act.spot or str(act.seat), *_showing(state, wrong)]
    lying = [one for spot in spots if seen and (one := lying_as(seen, spot, wrong))]
    thought = [card for one in lying[:1] for card, _ in one.candidates if card.known]
    unheld = [card for spot in spots if seen for card in _unheld(state, seen, spot)]
    pack = state.game.deck(state.start)
    unseen = [c for c in dict.fromkeys(pack) if dict(sightings(state, c))[c] < pack.count(c)]
    kin = sorted(unseen, key=lambda c: (c.rank != wrong.rank, c.suit != wrong.suit))
    return [card for card in dict.fromkeys([*unheld, *thought, *kin]) if card != wrong]


def _showing(state: State, card: Card) -> Iterator[str]:
    """The places at which the state holds such a card in view."""
    return (name for name, spot in state.spots.items() if card in spot.shows(state.table))


def _unheld(state: State, seen: Seen, spot: str) -> tuple[Card, ...]:
    """The faces read without doubt at a spot of which the state holds none there."""
    faces = [one.card for one in seen.spots.get(spot, ()) if one.card.known and not one.doubtful]
    held = state.table.view(spot) if spot in state.spots else ()
    return unmatched(held, faces)[1]
