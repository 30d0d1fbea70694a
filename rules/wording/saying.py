"""A secret rule as one plain sentence, so that its maker sees how it was understood.

>>> from rules.wording.reading import read
>>> rule = read("if last is ace or king then red else two from last")
>>> sentence(rule, "en")
'If the last card is an ace or the last card is a king, the card must be red; otherwise the card
must be two away from the last card.'
>>> sentence(rule, "it")
"Se l'ultima carta è un asso o l'ultima carta è un re, la carta dev'essere rossa; altrimenti la
carta dev'essere a due di distanza dall'ultima carta."
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

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
from rules.wording.words import UNO, numeral


@dataclass(frozen=True)
class Manner:
    """How a language expresses a rule: its small words, and a template for each condition."""

    words: Mapping[str, str]
    kinds: Mapping[str, str]
    attributes: Mapping[str, str]
    orders: Mapping[str, str]

    def number(self, number: int) -> str:
        """A number as a word, if this language has one here."""
        if self is ITALIAN:
            return UNO[number] if number < len(UNO) else str(number)
        return numeral(number)


ENGLISH = Manner(
    words={
        "card": "the card", "last": "the last card", "second": "the card before the last",
        "third": "the third last card", "place": "the card {count} before the end",
        "is": "{subject} is {said}", "must": "{subject} must be {said}",
        "is-not": "{subject} is not {said}", "must-not": "{subject} must not be {said}",
        "any": "any card is right", "if": "if {condition}, {then}",
        "if-else": "if {condition}, {then}; otherwise {other}", "not": "it is not true that {said}",
        "and": " and ", "or": " or ", "brackets": "({said})",
        "same": "of the same {attribute} as {other}",
        "other": "of a different {attribute} from {other}",
        "apart": "{count} away from {other}", "above": "{count} above {other}",
        "below": "{count} below {other}", "around": " (past the king comes the ace)",
        "sum": "the sum of {said}", "difference": "the difference between {one} and {two}",
        "remainder": "the remainder of {said} divided by {count}", "plus": " plus ",
        "minus": " minus ", "at-least": "at least {count}", "at-most": "at most {count}",
        "cycle": "the cards follow each other round and round: {said}",
        "pattern": "the cards, the starter first, go round and round: {said}",
        "runs": "{counts} cards in a row have the same {attribute}, then it changes",
        "then": ", then ",
    },
    kinds={
        "red": "red", "black": "black", "clubs": "a club", "diamonds": "a diamond",
        "hearts": "a heart", "spades": "a spade", "odd": "odd", "even": "even",
        "court": "a face card", "plain": "no face card", "prime": "a prime number", "ace": "an ace",
        "two": "a two", "three": "a three", "four": "a four", "five": "a five", "six": "a six",
        "seven": "a seven", "eight": "an eight", "nine": "a nine", "ten": "a ten", "jack": "a jack",
        "queen": "a queen", "king": "a king",
    },
    attributes={"suit": "suit", "color": "color", "rank": "rank", "parity": "parity"},
    orders={
        "above": "higher than {two}", "below": "lower than {two}", "at-least": "{two} or higher",
        "at-most": "{two} or lower", "equal": "equal to {two}",
    },
)  # fmt: skip
ITALIAN = Manner(
    words={
        "card": "la carta", "last": "l'ultima carta", "second": "la penultima carta",
        "third": "la terzultima carta", "place": "la carta {count} posti prima della fine",
        "is": "{subject} è {said}", "must": "{subject} dev'essere {said}",
        "is-not": "{subject} non è {said}", "must-not": "{subject} non dev'essere {said}",
        "any": "va bene qualsiasi carta", "if": "se {condition}, {then}",
        "if-else": "se {condition}, {then}; altrimenti {other}", "not": "non è vero che {said}",
        "and": " e ", "or": " o ", "brackets": "({said})",
        "same": "di {attribute} uguale a {other}", "other": "di {attribute} diverso da {other}",
        "apart": "a {count} di distanza da {other}", "above": "{count} sopra {other}",
        "below": "{count} sotto {other}", "around": " (dopo il re viene l'asso)",
        "sum": "la somma di {said}", "difference": "la differenza tra {one} e {two}",
        "remainder": "il resto di {said} diviso per {count}", "plus": " più ",
        "minus": " meno ", "at-least": "almeno {count}", "at-most": "al massimo {count}",
        "cycle": "le carte si seguono in tondo: {said}",
        "pattern": "le carte, la prima compresa, vanno in tondo: {said}",
        "runs": "{counts} carte di fila hanno {attribute} uguale, poi cambia",
        "then": ", poi ",
    },
    kinds={
        "red": "rossa", "black": "nera", "clubs": "di fiori", "diamonds": "di quadri",
        "hearts": "di cuori", "spades": "di picche", "odd": "dispari", "even": "pari",
        "court": "una figura", "plain": "senza figura", "prime": "un numero primo",
        "ace": "un asso", "two": "un due", "three": "un tre", "four": "un quattro",
        "five": "un cinque", "six": "un sei", "seven": "un sette", "eight": "un otto",
        "nine": "un nove", "ten": "un dieci", "jack": "un fante", "queen": "una donna",
        "king": "un re",
    },
    attributes={"suit": "seme", "color": "colore", "rank": "valore", "parity": "parità"},
    orders={
        "above": "più alta di {two}", "below": "più bassa di {two}", "at-least": "{two} o più",
        "at-most": "{two} o meno", "equal": "uguale a {two}",
    },
)  # fmt: skip
MANNERS = {"en": ENGLISH, "it": ITALIAN}
JOINED = (
    ("di l'", "dell'"), ("a l'", "all'"), ("da l'", "dall'"), ("di la ", "della "),
    ("a la ", "alla "), ("da la ", "dalla "),
)  # fmt: skip
"""Italian prepositions followed by an article, and their contractions."""


def sentence(rule: Condition, language: str) -> str:
    """A rule as a sentence in a language; English if the language is not known."""
    said = _Saying(MANNERS.get(language, ENGLISH)).said(rule, wanted=True)
    if language == "it":
        for apart, together in JOINED:
            said = said.replace(f" {apart}", f" {together}")
    return f"{said[:1].upper()}{said[1:]}."


class _Saying:
    """Puts a rule into words: "must be" for what is `wanted`, "is" for what is asked."""

    def __init__(self, manner: Manner) -> None:
        self.manner = manner
        self.words = manner.words

    def said(self, rule: Condition, *, wanted: bool) -> str:
        match rule:
            case Anything():
                return self.words["any"]
            case If(condition, then, other):
                return self._if(condition, then, other)
            case Either(parts) | All(parts):
                joint = self.words["or" if isinstance(rule, Either) else "and"]
                return joint.join(self._part(part, wanted) for part in parts)
            case Not(inner):
                clause = self._clause(inner)
                if clause is None:
                    return self.words["not"].format(said=self.said(inner, wanted=False))
                return self._whole(*clause, wanted, negated=True)
            case Cycle(ring) | Pattern(ring):
                name = "cycle" if isinstance(rule, Cycle) else "pattern"
                kinds = ", ".join(self.manner.kinds[kind] for kind in ring)
                return self.words[name].format(said=kinds)
            case Runs(lengths, attribute):
                counts = self.words["then"].join(map(self.manner.number, lengths))
                of = self.manner.attributes[attribute]
                return self.words["runs"].format(counts=counts, attribute=of)
        clause = self._clause(rule)
        assert clause is not None
        return self._whole(*clause, wanted, negated=False)

    def _if(self, condition: Condition, then: Condition, other: Condition | None) -> str:
        asked, answer = self.said(condition, wanted=False), self.said(then, wanted=True)
        if isinstance(then, If) and other is not None:
            answer = self.words["brackets"].format(said=answer)
        if other is None:
            return self.words["if"].format(condition=asked, then=answer)
        rest = self.said(other, wanted=True)
        return self.words["if-else"].format(condition=asked, then=answer, other=rest)

    def _part(self, part: Condition, wanted: bool) -> str:
        said = self.said(part, wanted=wanted)
        return self.words["brackets"].format(said=said) if isinstance(part, LONG) else said

    def _whole(self, subject: str, said: str, card: bool, wanted: bool, *, negated: bool) -> str:
        name = ("must" if wanted and card else "is") + ("-not" if negated else "")
        return self.words[name].format(subject=subject, said=said)

    def _clause(self, rule: Condition) -> tuple[str, str, bool] | None:
        """The subject, its predicate, and whether the subject is the card to be played."""
        words = self.words
        match rule:
            case Is(place, kind):
                said = self.manner.kinds[kind]
            case Alike(place, attribute, same, other):
                name, of = "same" if same else "other", self.manner.attributes[attribute]
                said = words[name].format(attribute=of, other=self._place(other))
            case Apart(place, steps, other):
                said = words["apart"].format(count=self._counts(steps), other=self._place(other))
            case Steps(place, steps, other, around):
                said = self._steps(steps, self._place(other))
                said += words["around"] if around else ""
            case Compare(one, order, two):
                said = self.manner.orders[order].format(two=self._number(two))
                return self._number(one), said, one == Value(CARD)
            case Parity(term, kind):
                return self._number(term), self.manner.kinds[kind], False
            case _:
                return None
        return self._place(place), said, place == CARD

    def _place(self, place: int) -> str:
        names = {CARD: "card", LAST: "last", 2: "second", 3: "third"}
        if place in names:
            return self.words[names[place]]
        return self.words["place"].format(count=self.manner.number(place))

    def _counts(self, steps: Sequence[int]) -> str:
        number = self.manner.number
        if len(steps) > 2 and tuple(steps) == tuple(range(steps[0], 13)):
            return self.words["at-least"].format(count=number(steps[0]))
        if len(steps) > 1 and tuple(steps) == tuple(range(steps[-1] + 1)):
            return self.words["at-most"].format(count=number(steps[-1]))
        return self.words["or"].join(map(number, steps))

    def _steps(self, steps: Sequence[int], other: str) -> str:
        parts = []
        for way, sign in (("below", -1), ("above", 1)):
            found = [sign * step for step in steps if sign * step > 0 or (not step and sign > 0)]
            if found:
                parts.append(self.words[way].format(count=self._counts(found), other=other))
        return self.words["or"].join(parts)

    def _number(self, term: Term) -> str:
        words, number = self.words, self.manner.number
        match term:
            case Number(worth):
                return number(worth)
            case Value(place):
                return self._place(place)
            case Difference(one, two):
                one_said, two_said = self._number(one), self._number(two)
                return words["difference"].format(one=one_said, two=two_said)
            case Remainder(inner, by):
                return words["remainder"].format(said=self._number(inner), count=number(by))
            case Sum(terms, signs):
                return self._sum(terms, signs)
        raise TypeError(term)

    def _sum(self, terms: Sequence[Term], signs: Sequence[int]) -> str:
        parts = list(map(self._number, terms))
        if all(sign > 0 for sign in signs):
            return self.words["sum"].format(said=self.words["and"].join(parts))
        said = parts[0]
        for part, sign in zip(parts[1:], signs[1:], strict=True):
            said += self.words["plus" if sign > 0 else "minus"] + part
        return said


LONG = (If, All, Either)
"""The conditions that are put in brackets among others."""
