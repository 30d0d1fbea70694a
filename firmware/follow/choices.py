"""When a person can only answer in words: menus of them, stepped through with the buttons.

A menu has the keys of the pad as its options. OK acts at once only if nothing is left to choose.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from firmware.display.pads import SAID, UNBOUNDED, Amounts, Key, Pad
from firmware.display.prompts import Option, Question, act_phrase, turn_phrase
from rules.acts import Act
from rules.phrases import Phrase
from rules.state import State

STEPS_MOST = 9
"""A choice: ranges of an amount offered together; any amount up to 729 is three steps away."""
RANGE_MOST = 1000
"""Upper end of an unbounded amount on offer, as a multiple of the smallest. A choice."""

_MARK = 10**9
"""Stands for an amount in a line. Follows from no bet being as high."""


def certain(state: State) -> Act | None:
    """The act that OK performs at once: the one due, unless the same person might say another."""
    due = state.turn.due
    if due is None or due.seat is None:
        return due
    own = [one for one in state.turn if one.verb in SAID and due.seat in one.seats]
    return due if all(one.verb is due.verb and len(one.words) <= 1 for one in own) else None


def asks(state: State) -> bool:
    """Whether somebody has to say something before the hand goes on."""
    return any(one.required and one.verb in SAID for one in state.turn.awaited)


def menu(state: State, pad: Pad) -> Question | None:
    """What may be said now; *nothing* comes first if nobody has to say anything."""
    if not pad.keys:
        return None
    nothing = () if asks(state) else (Option(Phrase("option.nothing-said")),)
    return _question(state, turn_phrase(state.turn), (*nothing, *_all(state, pad)))


def all_of(state: State, pad: Pad) -> Question | None:
    """Everything that may be said, including out of turn; None if there is nothing."""
    options = _all(state, pad)
    return _question(state, turn_phrase(state.turn), options) if options else None


def _question(state: State, phrase: Phrase, options: Sequence[Option]) -> Question:
    return Question(phrase, tuple(options), ("choice", len(state.acts)), by_hand=True)


def _all(state: State, pad: Pad) -> tuple[Option, ...]:
    if not pad.others:
        return options_of(state, pad.keys)
    other = Phrase("option.other")
    more = _opening(other, state, lambda: options_of(state, pad.others))
    return (*options_of(state, pad.keys), more)


def options_of(state: State, keys: Sequence[Key]) -> tuple[Option, ...]:
    """Keys of a pad as options of a menu."""
    return tuple(_option(state, key) for key in keys)


def _option(state: State, key: Key) -> Option:
    more = Phrase.of("option.more", text=key.label)
    if key.keys:
        return _opening(more, state, lambda: options_of(state, key.keys))
    amounts = key.amounts
    if amounts is not None:
        return _opening(more, state, lambda: tuple(_amounts(state, amounts)))
    act = Act.parse(key.line)
    return Option(act_phrase((act,)), (act,))


def _opening(phrase: Phrase, state: State, options: Callable[[], tuple[Option, ...]]) -> Option:
    return Option(phrase, opens=lambda: _question(state, phrase, options()))


def _amounts(state: State, amounts: Amounts) -> Iterator[Option]:
    """The likeliest amounts, then ranges, which narrow down to a single amount."""
    for amount in amounts.offered:
        act = Act.parse(amounts.line.format(amount=amount))
        yield Option(act_phrase((act,)), (act,))
    most = amounts.most
    if most >= UNBOUNDED:
        most = max(amounts.least, 1) * RANGE_MOST
    if most - amounts.least >= len(amounts.offered):
        other = Phrase("option.amount")
        yield _opening(
            other, state, lambda: tuple(_ranges(state, amounts.line, amounts.least, most))
        )


def other_amount(state: State, act: Act, most: int) -> Option:
    """Any amount of an act from one to `most`, in narrowing ranges."""
    line = str(replace(act, numbers=(_MARK,))).replace(str(_MARK), "{amount}")
    return _opening(Phrase("option.amount"), state, lambda: tuple(_ranges(state, line, 1, most)))


def _ranges(state: State, line: str, least: int, most: int) -> Iterator[Option]:
    step = -(-(most - least + 1) // STEPS_MOST)
    for low in range(least, most + 1, step):
        high = min(low + step - 1, most)
        if low == high:
            act = Act.parse(line.format(amount=low))
            yield Option(act_phrase((act,)), (act,))
        else:
            yield _range(state, line, low, high)


def _range(state: State, line: str, low: int, high: int) -> Option:
    phrase = Phrase.of("option.range", least=low, greatest=high)
    return _opening(phrase, state, lambda: tuple(_ranges(state, line, low, high)))


def insisted(state: State, told: Sequence[Sequence[Act]]) -> Question | None:
    """Ask whether acts that break a rule were intended; None if they break none."""
    acts, known = tuple(act for some in told for act in some), len(state.violations)
    after = state
    for act in acts:
        after = after.play(act)
    broken = [one for one in after.violations[known:] if one.open]
    if not broken:
        return None
    options = (Option(act_phrase(acts), acts), Option(Phrase("option.nothing-said")))
    return Question(broken[0].phrase, options, ("meant", acts, len(state.acts)), by_hand=True)
