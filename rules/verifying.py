"""Whether an act means anything in a hand: the checks that are common to all games."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rules import chips
from rules.acts import RULINGS, Act, Verb
from rules.errors import ActError
from rules.resume import verify_layout, verify_pot
from rules.start import Level, limits_faults
from rules.violations import Ruling

if TYPE_CHECKING:
    from rules.state import State


COMMON = frozenset(
    {
        Verb.RULE,
        Verb.MISDEAL,
        Verb.RESUME,
        Verb.POT,
        Verb.TAKE,
        Verb.PUT,
        Verb.MOVE,
        Verb.TURN,
        Verb.CLEAR,
    }
)
"""The verbs common to all games: a dealer can do these at any table."""


def verify_words(state: State, act: Act) -> None:
    """Raise `ActError` unless `act` means something, whatever lies where the cards would move."""
    if state.over:
        raise ActError(f"'{act.quoted}': the hand is over")
    of_chips = chips.shared(state, act)
    if act.verb not in COMMON and act.verb not in state.game.vocabulary and not of_chips:
        raise ActError(f"'{act.quoted}': {state.game.name} knows no {act.verb}")
    if act.seat is not None and act.seat not in state.start.seats:
        seats = ", ".join(map(str, state.start.seats))
        raise ActError(f"'{act.quoted}': seat {act.seat} is not in this hand, only {seats}")
    for spot in (act.spot, act.to):
        if spot is not None and spot not in state.spots:
            raise ActError(f"'{act.quoted}': no spot {spot}; there are {', '.join(state.spots)}")
    if not act.down and len({card.hidden for card in act.cards}) > 1:
        # No line of a record could express it.
        raise ActError(f"'{act}': the cards of one act must be all face up or all face down")
    if act.verb is Verb.RESUME:
        verify_layout(state, act)
        return
    if act.verb is Verb.POT:
        verify_pot(state, act)
        return
    _verify_numbers(act, state.start.level)
    if act.verb is Verb.RULE:
        _verify_ruling(state, act)
    elif of_chips:
        chips.verify_chips(state, act)
    else:
        state.game.verify(state, state.meant(act))


def need_seat(act: Act, *verbs: Verb) -> None:
    """Raise `ActError` if an act by one of these verbs says nothing of who does it."""
    if act.verb in verbs and act.seat is None:
        raise ActError(f"'{act}': expected a seat before {act.verb}")


def need_cards(act: Act, *verbs: Verb) -> None:
    """Raise `ActError` if an act by one of these verbs names no card."""
    if act.verb in verbs and not act.cards:
        raise ActError(f"'{act}': expected cards, got none")


def need_place(act: Act, *verbs: Verb) -> None:
    """Raise `ActError` if an act by one of these verbs does not say who lays cards where."""
    if act.verb in verbs and (act.seat is None or act.spot is None):
        raise ActError(f"'{act}': expected a seat before {act.verb} and a spot after it")


def need_whole_cards(act: Act) -> None:
    """Raise `ActError` if an act shows a card without its rank or its suit."""
    if not act.down and any(not card.known for card in act.cards):
        raise ActError(f"'{act}': rank and suit count; expected whole cards, such as QS")


def _verify_numbers(act: Act, level: Level) -> None:
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


def _verify_ruling(state: State, act: Act) -> None:
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
