"""What to light, say and show, derived from the state each time."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol

from rules.acts import Act
from rules.cards import Card
from rules.match import Match
from rules.phrases import Phrase
from rules.settlement import Payment
from rules.start import Level
from rules.state import State
from rules.turn import Awaited, Turn

OFF, STEADY, SLOW, FAST = "off", "steady", "slow", "fast"
DARK = {"ok": OFF, "fix": OFF, "hold": OFF}


class Speaks(Protocol):
    """Something that puts phrases into words, as `firmware.texts.Texts` does."""

    def say(self, phrase: Phrase) -> str:
        """The sentence for `phrase`."""

    def payment(self, payment: Payment) -> str:
        """Who pays whom how much, and why."""

    def act(self, act: Act) -> str:
        """An act in words."""

    def seat(self, number: int | None) -> str:
        """A seat in words."""

    def card(self, card: Card) -> str:
        """A card in words."""


@dataclass(frozen=True)
class Prompt:
    """The current prompt: its words and its lamps (see `hardware.lamps`).

    `options` is the menu on offer, beginning with the one that OK takes.
    """

    phrase: Phrase
    sentence: str
    lamps: Mapping[str, str] = field(default_factory=lambda: dict(DARK))
    options: tuple[str, ...] = ()
    ok: str = ""
    """What OK does now, in words; empty if it does nothing."""


@dataclass(frozen=True)
class Option:
    """One answer to a question: its words, and the acts that it stands for.

    With `opens`, it leads to a further question, which is built only when the option is taken.
    """

    phrase: Phrase
    acts: tuple[Act, ...] = ()
    opens: Callable[[], Question] | None = None
    after: int | None = None
    """Number of the hand's acts that stand before these, if the later ones are taken back."""


@dataclass(frozen=True)
class Question:
    """Something only a person can answer; FIX goes through the options, OK takes the one shown.

    `key` identifies the subject, so that the same question is not asked again every frame.
    """

    phrase: Phrase
    options: tuple[Option, ...]
    key: object
    corrects: int = 0
    """The number of the act that the chosen option replaces; 0 if its acts are added."""
    shown: int = 0
    by_hand: bool = False
    """Whether a person asked for it: then the cards on the table do not answer it."""
    back: Question | None = None
    """The question from which this one was opened."""

    @property
    def chosen(self) -> Option:
        """The option that OK takes."""
        return self.options[self.shown]

    @property
    def lasts(self) -> bool:
        """Whether it stays open even though the table is as it should be."""
        return self.by_hand or self.corrects > 0

    def turned(self, by: int) -> Question:
        """The question with another option shown."""
        return replace(self, shown=(self.shown + by) % len(self.options))

    @property
    def ordered(self) -> tuple[Option, ...]:
        """The options, beginning with the one shown."""
        return self.options[self.shown :] + self.options[: self.shown]


def verdict_of(state: State) -> bool | None:
    """The device's verdict on what awaits the dealer's judgement, right or wrong; None without one.

    It has a verdict only if the dealer has given it the secret rule.
    """
    secrecy = state.game.secrecy(state)
    return secrecy.verdict if secrecy is not None else None


def turn_phrase(turn: Turn) -> Phrase:
    """What to say while the table waits: the first thing required, else the first one allowed."""
    required = [one for one in turn.awaited if one.required]
    first = next(iter((*required, *turn.awaited)), None)
    return _filled(first) if first else Phrase("turn.nothing")


def _filled(one: Awaited) -> Phrase:
    values = dict(one.says.values)
    values.setdefault("seat", one.seats[0] if one.seats else None)
    values.setdefault("seats", one.seats)
    if one.numbers:
        values.setdefault("least", one.numbers[0])
        values.setdefault("greatest", one.numbers[1])
    return Phrase.of(one.says.id, **values)


def money(match: Match) -> dict[int, int]:
    """What each seat has won or lost in the finished hands, or its stack if stacks are kept.

    Empty if amounts are not kept.
    """
    state: State = match.state
    if state.start.level is not Level.AMOUNTS:
        return {}
    if state.start.stacks:
        return dict(state.start.stacks)
    sums = dict.fromkeys(state.start.seats, 0)
    for settlement in match.settlements:
        for seat, amount in settlement.net.items():
            sums[seat] = sums.get(seat, 0) + amount
    return {seat: amount for seat, amount in sums.items() if seat}


def act_phrase(acts: Sequence[Act]) -> Phrase:
    """An option that stands for these acts; without any, it says that nothing was done."""
    if not acts:
        return Phrase("option.nothing")
    return Phrase.of("option.acts", line="; ".join(map(str, acts)))
