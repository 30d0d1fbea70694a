"""A secret rule in the few plain words of a record.

>>> from rules.wording.reading import read
>>> rule = read("If the last card played was red, play a black card, and vice-versa.")
>>> plainly(rule)
'if last is red then black else if last is black then red'
"""

from __future__ import annotations

from collections.abc import Sequence

from rules.wording.meaning import (
    CARD,
    LAST,
    Alike,
    All,
    Anything,
    Apart,
    Compare,
    Condition,
    Cycle,
    Difference,
    Either,
    If,
    Is,
    Not,
    Number,
    Parity,
    Pattern,
    Remainder,
    Runs,
    Steps,
    Sum,
    Term,
    Value,
)
from rules.wording.words import numeral

PLACES = {CARD: "card", LAST: "last", 2: "second-last", 3: "third-last"}


def place_word(place: int) -> str:
    """A place as records write it."""
    return PLACES.get(place, f"place-{numeral(place)}")


# In the words of a record.


def plainly(rule: Condition) -> str:
    """A rule in words only, which mean the same when they are read again."""
    return _plain(rule, explicit=_mixed(rule))


def _mixed(rule: Condition) -> bool:
    """Whether a chain also mentions other cards, so that each part has to name its subject."""
    match rule:
        case All(parts) | Either(parts):
            return any(_mixed(part) for part in parts)
        case Not(inner):
            return _mixed(inner)
        case Is(place) | Apart(place) | Steps(place) | Alike(place):
            return place != CARD
        case Compare(one):
            return one != Value(CARD)
        case Parity():
            return True
    return False


def _plain(rule: Condition, *, explicit: bool) -> str:
    match rule:
        case Anything():
            return "any"
        case If(condition, then, other):
            parts = f"if {plainly(condition)} then {_branch(then, last=other is None)}"
            return parts if other is None else f"{parts} else {plainly(other)}"
        case Either(parts):
            return " or ".join(_inner(part, explicit, (If, Either)) for part in parts)
        case All(parts):
            return " and ".join(_inner(part, explicit, (If, Either, All)) for part in parts)
        case Not(inner):
            simple = isinstance(inner, Is | Apart | Steps | Alike | Compare | Parity)
            said = _plain(inner, explicit=explicit) if simple else ""
            return f"not {said}" if simple else f"not begin {plainly(inner)} end"
        case Cycle(ring):
            return f"cycle {' '.join(ring)}"
        case Pattern(ring):
            return f"pattern {' '.join(ring)}"
        case Runs(lengths, attribute):
            return f"runs {' '.join(map(numeral, lengths))} of {attribute}"
    return _clause(rule, explicit)


def _branch(then: Condition, *, last: bool) -> str:
    said = plainly(then)
    return f"begin {said} end" if isinstance(then, If) and not last else said


def _inner(part: Condition, explicit: bool, kinds: tuple[type[Condition], ...]) -> str:
    if isinstance(part, kinds):
        return f"begin {plainly(part)} end"
    return _plain(part, explicit=explicit)


def _clause(rule: Condition, explicit: bool) -> str:
    match rule:
        case Is(place, kind):
            subject, said = place_word(place), kind
        case Alike(place, attribute, same, other):
            link = f"same {attribute} as" if same else f"other {attribute} than"
            subject, said = place_word(place), f"{link} {place_word(other)}"
        case Apart(place, steps, other):
            subject, said = place_word(place), f"{_apart(steps)} from {place_word(other)}"
        case Steps(place, steps, other, around):
            subject, said = place_word(place), f"{_steps(steps)} {place_word(other)}"
            said += " around" if around else ""
        case Compare(one, order, two):
            subject, said = _number(one), f"{order} {_number(two)}"
        case Parity(term, kind):
            subject, said = _number(term), kind
        case _:
            raise TypeError(rule)
    return said if subject == "card" and not explicit else f"{subject} is {said}"


def _apart(steps: tuple[int, ...]) -> str:
    if len(steps) > 2 and steps == tuple(range(steps[0], 13)):
        return f"at-least {numeral(steps[0])}"
    if len(steps) > 1 and steps == tuple(range(steps[-1] + 1)):
        return f"at-most {numeral(steps[-1])}"
    return " or ".join(map(numeral, steps))


def _steps(steps: tuple[int, ...]) -> str:
    for sign, way in ((1, "above"), (-1, "below")):
        up = tuple(sign * step for step in steps)
        if len(up) > 2 and up[0] >= 0 and _apart(up).startswith("at-"):
            return f"{_apart(up)} {way}"
    return " or ".join(f"{numeral(abs(s))} {'below' if s < 0 else 'above'}" for s in steps)


def _number(term: Term) -> str:
    match term:
        case Number(worth):
            return numeral(worth)
        case Value(place):
            return place_word(place)
        case Sum(terms, signs) if all(sign > 0 for sign in signs) and _cards(terms):
            return "sum of " + " and ".join(map(_number, terms))
        case Sum(terms, signs):
            parts = [_number(terms[0])]
            for one, sign in zip(terms[1:], signs[1:], strict=True):
                parts += ["plus" if sign > 0 else "minus", _number(one)]
            return " ".join(parts)
        case Difference(one, two):
            return f"difference of {_number(one)} and {_number(two)}"
        case Remainder(inner, by):
            return f"remainder of {_number(inner)} by {numeral(by)}"
    raise TypeError(term)


def _cards(terms: Sequence[Term]) -> bool:
    return all(isinstance(term, Value) for term in terms)
