"""Pads: what may be said now, as buttons, derived from what the state awaits.

A `Key` is one button. It says an act at once, opens further keys, or asks for an amount. What the
camera sees (cards dealt, played, gathered) needs no key; what is not legal now is not offered, only
reached through `others`. The likeliest keys come first: what the rules require, then what they
allow.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

from firmware.display.prompts import Speaks
from rules.acts import Act, Verb
from rules.cards import RANKS, Card, Rank
from rules.errors import ActError
from rules.phrases import Phrase
from rules.start import LIMIT_MOST, Level
from rules.state import State
from rules.turn import Awaited

SAID = frozenset(
    {
        Verb.ANTE, Verb.BET, Verb.BID, Verb.CALL, Verb.CHECK, Verb.CLOSE, Verb.DECLARE, Verb.END,
        Verb.FOLD, Verb.HIT, Verb.JUDGE, Verb.LIMITS, Verb.PASS, Verb.PAY, Verb.RAISE, Verb.STAND,
    }
)  # fmt: skip
"""The verbs that people say at a table. Everything else is done with cards, which the camera
sees.
"""
LATE = frozenset({Verb.FOLD, Verb.PASS, Verb.CHECK, Verb.CALL, Verb.STAND, Verb.HIT, Verb.CLOSE})
"""What may be said out of turn in one word; found under *other*."""
KEYS_MOST = 9
"""A choice: the number keys of a terminal; longer lists are grouped by seat, word or suit."""
AMOUNTS_MOST = 7
"""A choice: as many amounts as fit in two rows on a telephone, next to the small keypad."""
STEPS = (1, 2, 3, 5, 10, 20, 50, 100)
"""The amounts offered, as multiples of the smallest: the way people count out chips. A choice."""
LIMITS = ((1, 2), (2, 4), (5, 10), (1, 10), (1, 20), (5, 50), (5, 100))
"""The limits offered if none are set: those of home games, in the smallest chips. A choice."""
NO_LIMITS = (1, LIMIT_MOST)
"""How a table without limits is written. Follows from `LIMIT_MOST`."""
UNBOUNDED = 100_000
"""A maximum that limits no table in practice, so it is not offered as one. A choice."""
_MARK = 987_654_321  # an amount that no table knows, to be found again in a line
"""An amount that no table knows, so that it can be found again in a line. A choice."""


@dataclass(frozen=True)
class Amounts:
    """An amount still to be chosen, from `least` to `most` chips."""

    least: int
    most: int
    offered: tuple[int, ...]
    """The likeliest amounts, in ascending order; any other is typed on a keypad."""
    line: str
    """The act line with ``{amount}`` in its place."""


@dataclass(frozen=True)
class Key:
    """One button of a pad: exactly one of `line`, `keys` and `amounts` is set.

    `sure` says that the act ends the hand or comes out of turn, so that it takes two touches.
    """

    label: str
    line: str = ""
    keys: tuple[Key, ...] = ()
    amounts: Amounts | None = None
    sure: bool = False
    seat: int | None = None
    """Who says it; None for the dealer."""


@dataclass(frozen=True)
class Pad:
    """The keys of one moment: what may be said now and, under *other*, what may not."""

    keys: tuple[Key, ...] = ()
    others: tuple[Key, ...] = ()


def offers(keys: Sequence[Key], seat: int, line: str) -> bool:
    """Whether one of a seat's keys says that line, with any amount within its bounds."""
    return any(
        offers(key.keys, seat, line)
        or (key.seat == seat and (key.line == line or _is_amount(key.amounts, line)))
        for key in keys
    )


def _is_amount(amounts: Amounts | None, line: str) -> bool:
    if amounts is None:
        return False
    before, _, after = amounts.line.partition("{amount}")
    if not (line.startswith(before) and line.endswith(after)):
        return False
    number = line[len(before) : len(line) - len(after)]
    return number.isdecimal() and amounts.least <= int(number[:9]) <= amounts.most


class Pads:
    """Builds the pad of a state once, however often it is shown."""

    def __init__(self) -> None:
        self._of: tuple[State | None, Speaks | None] = (None, None)
        self._pad = Pad()

    def of(self, state: State, says: Speaks) -> Pad:
        """The pad of `state`, built only from what the table shows."""
        if self._of[0] is not state or self._of[1] is not says:
            public = state.public()
            self._of = (state, says)
            self._pad = Pad(pads(public, says), others(public, says))
        return self._pad


@dataclass(frozen=True)
class _Choice:
    """An act that may be said, its amount not chosen yet."""

    act: Act
    amounts: tuple[int, int] | None
    required: bool


def pads(state: State, says: Speaks) -> tuple[Key, ...]:
    """The keys for what may be said now; none while the table waits only for cards."""
    choices = sorted(_choices(state), key=lambda choice: not choice.required)
    return _split(state, tuple(choices), says, (_by_seat, _by_word, _by_suit))


def others(state: State, says: Speaks) -> tuple[Key, ...]:
    """What may be said out of turn, with two touches, what two may agree on, and the pot."""
    return (*_out_of_turn(state, says), *_units(state, says), *_pot(state, says))


def _pot(state: State, says: Speaks) -> Iterator[Key]:
    """In a resumed hand and between two hands, the key for what the dealer counts in the pot."""
    if not state.game.potted or state.start.level is not Level.AMOUNTS:
        return
    chips = state.game.pot(state)
    if state.acts and not _means_something(state, Act(Verb.POT, numbers=(chips,))):
        return
    least = chips - state.carried
    amounts = Amounts(least, UNBOUNDED, tuple(dict.fromkeys((chips, least))), "pot {amount}")
    yield Key(says.say(Phrase("option.pot")), amounts=amounts)


def _units(state: State, says: Speaks) -> Iterator[Key]:
    """In games that count in units, keys for two players to agree on their own unit."""
    if state.acts or Verb.UNIT not in state.game.vocabulary:
        return
    keys = []
    for one, other in combinations(state.start.seats, 2):
        label = says.say(Phrase.of("option.unit-of", seats=(one, other)))
        amounts = _amounts(Act(Verb.UNIT, numbers=(one, other, 0)), 1, UNBOUNDED)
        keys.append(Key(label, amounts=amounts))
    yield Key(says.say(Phrase("option.unit")), keys=tuple(keys))


def _out_of_turn(state: State, says: Speaks) -> Iterator[Key]:
    verbs = sorted(LATE & state.game.vocabulary)
    awaited = {(one.act.verb, one.act.seat) for one in _choices(state)}
    for seat in state.start.seats:
        late = [Act(verb, seat) for verb in verbs if verb is not Verb.CLOSE]
        acts = [act for act in late if (act.verb, seat) not in awaited]
        inner = tuple(_leaf(_Choice(act, None, False), says, sure=True) for act in acts)
        if inner:
            yield Key(says.seat(seat), keys=inner, seat=seat)


def _choices(state: State) -> Iterator[_Choice]:
    due = state.turn.due
    for one in state.turn:
        if one.verb not in SAID:
            continue
        if one.verb is Verb.LIMITS:
            for pair in (*LIMITS, NO_LIMITS):
                yield _Choice(replace(one.fill(), numbers=pair), None, one.required)
        for act in _acts(state, one):
            if act != due or act.seat is not None:  # the dealer's next act is on OK
                typed = one.verb is Verb.LIMITS  # limits other than those offered
                yield _Choice(act, one.numbers, one.required and not typed)


def _acts(state: State, one: Awaited) -> Iterator[Act]:
    """The acts that `one` stands for, each with its smallest amount."""
    for seat in one.seats or (None,):
        for cards in _cards(state, one):
            for words in one.words or ((),):
                act = one.fill(cards, seat=seat, words=words)
                if _means_something(state, act):
                    yield act


def _means_something(state: State, act: Act) -> bool:
    """Whether the line can be said as it stands; a rule given in private cannot."""
    try:
        return state.allows(act) and Act.parse(str(act)) == act
    except ActError:
        return False


def _cards(state: State, one: Awaited) -> Iterable[tuple[Card, ...]]:
    """The cards that may be named: those to choose from, or any that may be held."""
    if not one.pick:
        return ((),)
    if one.handfuls is not None:
        return [cards for cards in one.handfuls if all(card.known for card in cards)]
    if one.pick > 1:
        return ()
    among = one.among or ()
    if all(card.known for card in among):
        return [(card,) for card in dict.fromkeys(among)]
    shown = {laid.card for _, laid in state.table if laid.up} - set(among)
    held = {card for card in state.game.deck(state.start) if card not in shown}
    return [(card,) for card in sorted(held, key=_place)]


def _place(card: Card) -> tuple[str, int]:
    return str(card.suit), (*RANKS, card.rank).index(card.rank)


Group = Callable[[_Choice], Hashable]


def _by_seat(choice: _Choice) -> Hashable:
    return choice.act.seat


def _by_word(choice: _Choice) -> Hashable:
    return choice.act.verb, choice.act.words


def _by_suit(choice: _Choice) -> Hashable:
    return choice.act.cards[0].suit if choice.act.cards else None


def _split(
    state: State, choices: Sequence[_Choice], says: Speaks, ways: tuple[Group, ...]
) -> tuple[Key, ...]:
    """A key for each choice or, if there are too many, for each group of them."""
    if len(choices) <= KEYS_MOST or not ways:
        return tuple(_leaf(one, says, sure=_ends(state, one.act)) for one in choices)
    way, *rest = ways
    groups: dict[Hashable, list[_Choice]] = {}
    for choice in choices:
        groups.setdefault(way(choice), []).append(choice)
    if len(groups) == 1:
        return _split(state, choices, says, tuple(rest))
    return tuple(
        _leaf(group[0], says, sure=_ends(state, group[0].act))
        if len(group) == 1
        else Key(
            _heading(way, group[0].act, says),
            keys=_split(state, group, says, tuple(rest)),
            seat=group[0].act.seat,
        )
        for group in groups.values()
    )


def _heading(way: Group, act: Act, says: Speaks) -> str:
    """The label of a key that opens others: what they have in common."""
    if way is _by_seat:
        return says.seat(act.seat) if act.seat is not None else says.act(replace(act, cards=()))
    if way is _by_suit and act.cards:
        return says.card(Card(Rank.UNKNOWN, act.cards[0].suit))
    return says.act(replace(act, seat=None, cards=(), numbers=()))


def _leaf(choice: _Choice, says: Speaks, *, sure: bool = False) -> Key:
    """The key of one act, or of one that asks for an amount."""
    act = choice.act
    if choice.amounts is None or choice.amounts[0] == choice.amounts[1]:
        return Key(says.act(act), line=str(act), sure=sure, seat=act.seat)
    label = says.act(replace(act, numbers=()))
    return Key(label, amounts=_amounts(act, *choice.amounts), sure=sure, seat=act.seat)


def _amounts(act: Act, least: int, most: int) -> Amounts:
    steps = [least * step for step in STEPS if least * step < most] if least else []
    bound = [most] if most < UNBOUNDED else []
    offered = tuple(sorted({*steps[: AMOUNTS_MOST - len(bound)], *bound}))
    if most - least < AMOUNTS_MOST:
        offered = tuple(range(least, most + 1))
    several = act.verb in (Verb.LIMITS, Verb.UNIT)
    numbers = (*act.numbers[:-1], _MARK) if several else (_MARK,)
    line = str(replace(act, numbers=numbers)).replace(str(_MARK), "{amount}")
    return Amounts(least, most, offered, line)


def _ends(state: State, act: Act) -> bool:
    """Whether the act ends the hand at once."""
    return act.verb is Verb.END or (not act.cards and state.allows(act) and state.play(act).over)
