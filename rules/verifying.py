"""The checks of numbers and rulings that are common to all games."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rules.acts import RULINGS, Act, Verb
from rules.errors import ActError
from rules.start import Level, limits_faults
from rules.violations import Ruling

if TYPE_CHECKING:
    from rules.state import State


def verify_numbers(act: Act, level: Level) -> None:
    """Raise `ActError` for amounts or limits that have no meaning at this level."""
    if act.verb is Verb.LIMITS:
        for fault in limits_faults(act.numbers):
            raise ActError(f"'{act}': {fault}")
    elif any(number < 1 for number in act.numbers):
        raise ActError(f"'{act}': expected an amount of at least 1, got {min(act.numbers)}")
    if act.verb not in (Verb.BET, Verb.RAISE, Verb.ANTE):
        return
    if level is Level.AMOUNTS and act.verb is not Verb.ANTE and len(act.numbers) != 1:
        raise ActError(f"'{act}': expected one amount, got {len(act.numbers)}")
    if level is not Level.AMOUNTS and act.numbers:
        raise ActError(f"'{act}': this hand tracks no amounts (its level is {level})")


def verify_ruling(state: State, act: Act) -> None:
    """Raise `ActError` unless the ruling finds something to rule on."""
    if len(act.words) != 1 or act.words[0] not in RULINGS:
        raise ActError(f"'{act}': expected {', '.join(RULINGS)} as a ruling")
    if len(act.numbers) != 1 or not 1 <= act.numbers[0] <= len(state.acts):
        raise ActError(f"'{act}': expected the number of an act from 1 to {len(state.acts)}")
    number = act.numbers[0]
    found = any(v.found == number for v in state.open_violations)
    if act.words[0] != Ruling.CORRECT and not found and not state.game.unjudged(state, number):
        raise ActError(f"'{act}': act {number} leaves no open violation")
    if act.words[0] == Ruling.CORRECT:
        _verify_correction(state, number, act)


def _verify_correction(state: State, number: int, act: Act) -> None:
    said = (Verb.RULE, Verb.RESUME)
    rulings = [one for one in (state.acts[number - 1], act.then) if one and one.verb in said]
    if rulings:
        raise ActError(f"'{act}': '{rulings[0]}' is a ruling, which is undone and not corrected")
    if act.then is not None:
        state.moment(number - 1).verify(act.then)
