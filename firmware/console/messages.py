"""What a page may send: small JSON objects, one for each thing that a person does at the table."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass

from firmware.display.snapshot import Correction, Counter
from firmware.errors import MessageError
from firmware.texts.typed import understood

TEXT_MOST = 400
"""Longest line or option, in characters: longer than any act. Measured by `python -m
tests.thresholds`.
"""
NUMBER_MOST = 10**9
"""Largest number in a message. A choice: above any stake or entry."""
PRESS_S, HOLD_S = 0.1, 2.2
"""Duration of a press, in seconds: a tap, or just over the panel's hold time. A choice."""
BUTTONS = ("ok", "fix", "hold")
Deed = Callable[[Counter], None]


def deed(text: str) -> Deed:
    """The action at the desk that a message asks for; raises `MessageError` if it makes no sense.

    >>> deed('{"do": "press", "button": "off"}')
    Traceback (most recent call last):
    firmware.errors.MessageError: button: expected one of ok, fix, hold, got 'off'
    """
    message = _object(text)
    kind = message.get("do")
    if not isinstance(kind, str) or kind not in _DEEDS:
        raise MessageError(f"do: expected one of {', '.join(_DEEDS)}, got {_short(kind)}")
    return _DEEDS[kind](message)


def moment_seen(text_: str) -> str:
    """What a page was showing when somebody pressed; empty if it does not say.

    >>> moment_seen('{"do": "undo", "seen": "1 12"}'), moment_seen('{"do": "undo"}')
    ('1 12', '')
    """
    message = _object(text_)
    return text(message, "seen") if "seen" in message else ""


def _press(message: dict[str, object]) -> Deed:
    button, held = message.get("button"), message.get("held", False)
    if not isinstance(button, str) or button not in BUTTONS:
        raise MessageError(f"button: expected one of {', '.join(BUTTONS)}, got {_short(button)}")
    if not isinstance(held, bool):
        raise MessageError(f"held: expected true or false, got {_short(held)}")
    return lambda desk: desk.press(button, HOLD_S if held else PRESS_S)


def _type(message: dict[str, object]) -> Deed:
    line, sure = text(message, "line"), message.get("sure", False)
    if not isinstance(sure, bool):
        raise MessageError(f"sure: expected true or false, got {_short(sure)}")
    said = understood(line)
    return lambda desk: desk.type(said, sure=sure)


def _undo(_: dict[str, object]) -> Deed:
    return lambda desk: desk.undo()


def _choose(message: dict[str, object]) -> Deed:
    option = text(message, "option")
    return lambda desk: desk.choose(option)


def _correct(message: dict[str, object]) -> Deed:
    change = Correction(
        hand=number(message, "hand"),
        number=number(message, "number"),
        was=text(message, "was"),
        line=text(message, "line"),
    )
    return lambda desk: desk.correct(change)


_DEEDS: dict[str, Callable[[dict[str, object]], Deed]] = {
    "press": _press,
    "type": _type,
    "undo": _undo,
    "choose": _choose,
    "correct": _correct,
}


@dataclass(frozen=True)
class Said:
    """What a player says: an act line, and the snapshot it answers."""

    line: str
    hand: int
    count: int


def said(text_: str) -> Said:
    """What a player's message says; raises `MessageError` if it makes no sense."""
    message = _object(text_)
    if message.get("do") != "say":
        raise MessageError(f"do: expected say, got {_short(message.get('do'))}")
    return Said(text(message, "line"), number(message, "hand"), number(message, "count"))


def _object(text_: str) -> dict[str, object]:
    try:
        message = json.loads(text_)
    except (ValueError, RecursionError) as error:
        raise MessageError("expected a message as JSON") from error
    if not isinstance(message, dict):
        raise MessageError(f"expected a JSON object, got {type(message).__name__}")
    return message


def text(message: dict[str, object], name: str) -> str:
    """The text with that name in a message; raises `MessageError` if it is missing."""
    value = message.get(name)
    if not isinstance(value, str) or not value.strip() or len(value) > TEXT_MOST:
        raise MessageError(f"{name}: expected a text of up to {TEXT_MOST}, got {_short(value)}")
    if not value.isprintable():
        raise MessageError(f"{name}: expected one line of text, got {_short(value)}")
    return value.strip()


def number(message: dict[str, object], name: str) -> int:
    """The whole number with that name in a message; raises `MessageError` if it is missing."""
    value = message.get(name)
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= NUMBER_MOST:
        raise MessageError(f"{name}: expected a whole number from 0 on, got {_short(value)}")
    return value


def _short(value: object) -> str:
    shown = repr(value)
    return shown if len(shown) <= 40 else f"{shown[:37]}..."
