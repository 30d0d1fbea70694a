"""Sentences: what the rules and the appliance say by identifier, in a dealer's words.

The TOML files of a language (``en.toml``, and ``en.*.toml`` for the games) hold a template for each
identifier. In a template, ``{name}`` stands for a value: cards, seats and lists are written out in
the language. A colon is followed by how to write it: ``{cards:rank}`` only the ranks,
``{cards:ranks}`` several of that rank, ``{cards:first}`` and ``{cards:last}`` one of them,
``{winner:seat}`` a number as a seat, ``{spot:place}`` a place on the table, ``{count:card|cards}``
a number with the noun that fits it, ``{rate:odds}``, ``{line:acts}`` act lines in words, and
``{rule:said}`` a secret rule as a sentence. A part in square brackets is left out when a value in
it is missing or empty.

>>> texts = Texts.load("en")
>>> texts.card(Card.parse("QS")), texts.card(Card.parse("6?"))
('queen of spades', 'six')
>>> Texts.load("it").cards([Card.parse("QD"), Card.parse("5C"), BACK])
'donna di quadri, cinque di fiori e carta coperta'
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cache
from pathlib import Path

from firmware.errors import TextsError
from rules.acts import Act, Verb
from rules.cards import BACK, Card, Rank, Suit
from rules.errors import SecretError
from rules.phrases import Phrase
from rules.settlement import POT, Payment, Points
from rules.start import LIMIT_MOST
from rules.violations import Violation
from rules.wording import Secret
from rules.wording.saying import sentence

FOLDER = Path(__file__).parent
DEFAULT = "en"
WORDS = "words"
"""The table, in a language's file, of the parts that sentences are made of."""
SEAL_SHOWN = 8
"""Letters of a seal that are shown: enough to compare by eye; the record has all of it."""
OF_CARDS = ("rank", "ranks", "suit", "of-suit")
"""The tables of words that differ for a deck with other ranks and suits."""
PAY = "pay."
"""The prefix of payment reasons: their sentences are framed by who pays whom."""
SCORE = "score."
"""The prefix of point reasons, likewise."""
SEAT_NAMES = frozenset({"seat", "seats", "payer", "payee"})
"""The values that are always seats, even if the template does not say so."""
PAYING = frozenset({"payer", "payee"})
ONE_OF = {"first": 0, "last": -1}
"""How to write one of several, with its index among them."""
_PART = re.compile(r"\[([^\[\]]*)\]")
_VALUE = re.compile(r"\{([a-z_]+)(?::([^{}]*))?\}")
Words = Mapping[str, Mapping[str, str]]
SAID_MOST = 1000
"""Number of sentences that are kept: a prompt is said several times a second in the same words. A
choice.
"""


class _MissingError(Exception):
    """A value that the template names and the phrase does not have."""


@dataclass(frozen=True)
class Texts:
    """All sentences of one language.

    What has no sentence in this language is said in English, and what has none there by its
    identifier, so that a gap is visible and nothing stops; a `strict` collection raises
    `TextsError` instead.
    """

    language: str
    sentences: Mapping[str, str]
    words: Words
    strict: bool = False
    names: Mapping[Card, str] = field(default_factory=dict)
    """The names of the cards of the deck in play, if they differ from the usual ones."""
    _said: dict[Phrase, str] = field(default_factory=dict, init=False, repr=False, compare=False)

    @classmethod
    def load(cls, language: str = DEFAULT, *, strict: bool = False) -> Texts:
        """The sentences of a language; raises `TextsError` if there are none."""
        if language not in languages():
            raise TextsError(
                f"no texts in the language {language!r}; there are {', '.join(languages())}"
            )
        sentences, words = _read(language)
        if not strict:  # a sentence that is not translated yet is said in English
            sentences = {**_read(DEFAULT)[0], **sentences}
        return cls(language, sentences, words, strict)

    def called(self, names: Mapping[Card, str]) -> Texts:
        """The same sentences with a deck's own names for its cards.

        >>> texts = Texts.load("it").called({Card.parse("KD"): "re di denari"})
        >>> texts.say(Phrase.of("rule.out-of-turn", seat=3, cards=(Card.parse("KD"),)))
        'Posto 3: fuori turno: re di denari.'
        """
        return replace(self, names=dict(names))

    def of_latin_deck(self) -> Texts:
        """The same sentences for decks with coins, cups, swords and clubs.

        >>> texts = Texts.load("en").of_latin_deck()
        >>> texts.cards([Card.parse("KD"), Card.parse("QH"), Card.parse("?S")])
        'king of coins, knight of cups and a sword'
        """
        own = {part: {**self.words[part], **self.words[f"latin-{part}"]} for part in OF_CARDS}
        return replace(self, words={**self.words, **own})

    # Sentences.

    def say(self, phrase: Phrase) -> str:
        """The sentence for a phrase, its values filled in.

        >>> Texts.load("en").say(Phrase.of("rule.out-of-turn", seat=3, cards=(Card.parse("QS"),)))
        'Seat 3 is out of turn: queen of spades.'
        """
        said = self._said.get(phrase)
        if said is None:
            if len(self._said) >= SAID_MOST:
                self._said.clear()
            said = self._said[phrase] = self._put(phrase)
        return said

    def _put(self, phrase: Phrase) -> str:
        """The sentence, composed anew."""
        values = dict(phrase.values)
        text = self._sentence(phrase.id, values)
        if text == phrase.id:
            return text
        if phrase.id.startswith(PAY):
            text = self._paid(phrase.id.removeprefix(PAY), text, values)
        elif phrase.id.startswith(SCORE):
            text = self._filled(self.words["score"]["line"], "score", {**values, "reason": text})
        return capital(self._joined(text))

    def _joined(self, text: str) -> str:
        """The text with the words that the language contracts written as one."""
        joined = self.words.get("joined", {})
        for words, one in joined.items() if joined else ():
            text = re.sub(rf"\b{words}\b", one, text)
        return text

    def payment(self, payment: Payment) -> str:
        """Who pays whom how much, and why.

        >>> Texts.load("en").payment(Payment(1, 2, 5, "ziginette.paid", cards=(BACK,)))
        'Seat 1 pays 5 chips to seat 2: the bet on face-down card wins.'
        """
        values = {name: getattr(payment, name) for name in ("payer", "payee", "amount", "cards")}
        return self.say(Phrase.of(f"{PAY}{payment.reason}", **values, rate=str(payment.rate)))

    def points(self, points: Points) -> str:
        """Who scores how much, and what for."""
        values = {name: getattr(points, name) for name in ("seat", "points", "cards")}
        return self.say(Phrase.of(f"{SCORE}{points.reason}", **values))

    def _paid(self, name: str, reason: str, values: Mapping[str, object]) -> str:
        """The sentence of a payment for that reason; even odds are left unsaid.

        A payment without odds, or not to the pot, has its own frame.
        """
        known = values.get("amount") is not None
        rate = None if known and values.get("rate") == "1" else values.get("rate")
        frame = "amount" if known else "rate"
        kinds = (f"payment-{name}", f"payment-{name.partition('.')[0]}", "payment")
        frames = next(self.words[kind] for kind in kinds if kind in self.words)
        return self._filled(frames[frame], frame, {**values, "rate": rate, "reason": reason})

    def act(self, act: Act) -> str:
        """An act in words.

        >>> Texts.load("en").act(Act.parse("2 bet 5 QS"))
        'seat 2 bets 5 on queen of spades'
        """
        least, greatest = (*act.numbers, None, None)[:2]
        values: dict[str, object] = {
            "seat": act.seat,
            "cards": act.cards,
            "amount": least,
            "greatest": greatest,
            "last": act.numbers[-1] if act.numbers else None,
            "spot": act.spot and self.spot(act.spot),
            "to": act.to and self.spot(act.to),
            "words": tuple(self._plain(word, "") for word in act.words),
            "then": act.then and self.act(act.then),
        }
        name = str(act.verb)
        said = f"{name}-{act.words[0]}" if act.words else name
        if act.verb is Verb.LIMITS and greatest == LIMIT_MOST:
            name = "limits-none"
        elif said in self.words["verb"]:  # this word has a sentence of its own
            name, rest = said, act.words[1:]
            values |= {"short": "".join(rest)[:SEAL_SHOWN], "rest": " ".join(rest[1:])}
        return self._joined(self._filled(self.words["verb"][name], name, values))

    def spot(self, name: str) -> str:
        """A place on the table in words.

        >>> Texts.load("en").spot("2.front")
        'the front hand of seat 2'
        """
        owner, _, role = name.rpartition(".") if "." in name else ("", "", name)
        if role.isdecimal():
            return self.seat(int(role))
        text = self._role(role)
        if not owner:
            return text
        return self.words["word"]["spot-of"].format(spot=text, seat=self.seat(int(owner)))

    def _role(self, role: str) -> str:
        """What a place is for; one of several alike gets its number or rank."""
        words = self.words["spot"]
        alike, _, which = role.rpartition("-")
        if alike in words and (which.isdecimal() or len(which) == 1):
            return f"{words[alike]} {which.upper()}"
        return words.get(role, role.replace("-", " "))

    def violation(self, violation: Violation) -> str:
        """What was done against the rules, and where."""
        return self.say(violation.phrase)

    def knows(self, identifier: str) -> bool:
        """Whether there is a sentence for it."""
        return identifier in self.sentences

    def _sentence(self, identifier: str, values: Mapping[str, object]) -> str:
        template = self.sentences.get(identifier)
        if template is None:
            return self._gap(identifier, "has no text")
        return self._filled(template, identifier, values)

    def _filled(self, template: str, identifier: str, values: Mapping[str, object]) -> str:
        required, optional = _PART.split(template)[::2], _PART.findall(template)
        try:
            parts = [self._fill(part, values) for part in required]
        except _MissingError as missing:
            return self._gap(identifier, f"needs a value {missing}, which is missing")
        extras = [*(self._optional(part, values) for part in optional), ""]
        return "".join(text for pair in zip(parts, extras, strict=True) for text in pair)

    def _gap(self, identifier: str, fault: str) -> str:
        if self.strict:
            raise TextsError(f"{identifier!r} in the language {self.language!r} {fault}")
        return identifier

    def _optional(self, part: str, values: Mapping[str, object]) -> str:
        try:
            return self._fill(part, values)
        except _MissingError:
            return ""

    def _fill(self, template: str, values: Mapping[str, object]) -> str:
        def write(found: re.Match[str]) -> str:
            name, how = found[1], found[2] or ("seat" if found[1] in SEAT_NAMES else "")
            value = values.get(name)
            # Where bets are unknown, nobody in particular pays or is paid; that can be said.
            if value == () or (value is None and (name not in PAYING or name not in values)):
                raise _MissingError(name)
            return self._written(value, how)

        return _VALUE.sub(write, template)

    # Parts of sentences.

    def _written(self, value: object, how: str) -> str:
        if how in ONE_OF and isinstance(value, tuple):
            return self._plain(value[ONE_OF[how]], "")
        if how == "seat":
            return self.seats(value) if isinstance(value, tuple) else self.seat(_number(value))
        if how == "place":
            return self.spot(str(value))
        if how == "acts":
            return "; ".join(self.act(Act.parse(line)) for line in str(value).split("; "))
        if "|" in how:
            one, many = how.split("|", 1)
            return f"{value} {one if str(value) == '1' else many}"
        if how == "said":
            return self._rule(str(value))
        if how == "odds":
            return self._odds(Fraction(str(value)))
        return self._plain(value, how)

    def _plain(self, value: object, how: str) -> str:
        if isinstance(value, Card):
            if how == "ranks":
                return self.words["ranks"].get(str(value.rank), self.rank(value.rank))
            return self.rank(value.rank) if how == "rank" else self.card(value)
        if isinstance(value, tuple):
            backs = [one for one in value if isinstance(one, Card) and one.hidden]
            if len(backs) > 1:
                rest = [self._plain(one, how) for one in value if one not in backs]
                return self.listed([*rest, self._backs(len(backs))])
            return self.listed([self._plain(one, how) for one in value])
        if isinstance(value, Rank):
            return self.words["ranks"][str(value)] if how == "ranks" else self.rank(value)
        if isinstance(value, Suit):
            return self.words["suit"][str(value)]
        return self.words["word"].get(str(value), str(value))

    def _rule(self, text: str) -> str:
        """What a secret rule says, or its text unchanged if that cannot be parsed."""
        try:
            said = sentence(Secret.parse(text).meaning, self.language)
        except SecretError:
            return text
        return f"{said[:1].lower()}{said[1:].removesuffix('.')}"

    def card(self, card: Card) -> str:
        """A card, or what is known of one, in words."""
        if card in self.names:
            return self.names[card]
        if card.hidden or card.rank is Rank.JOKER:
            return self.words["card"]["back" if card.hidden else "joker"]
        if card.suit is Suit.UNKNOWN:
            return self.rank(card.rank)
        if card.rank is Rank.UNKNOWN:
            return self.words["of-suit"][str(card.suit)]
        rank, suit = self.rank(card.rank), self.words["suit"][str(card.suit)]
        return self.words["card"]["whole"].format(rank=rank, suit=suit)

    def cards(self, cards: Iterable[Card]) -> str:
        """Several cards as a list, in which those face down are counted.

        >>> Texts.load("en").cards([BACK, Card.parse("4S"), BACK, BACK])
        'four of spades and 3 face-down cards'
        """
        return self._plain(tuple(cards), "")

    def _backs(self, number: int) -> str:
        return self.words["card"]["backs"].format(number=number)

    def rank(self, rank: Rank) -> str:
        """A rank in words: the deck's own name for it, if its cards of that rank share one."""
        first = {name.split()[0] for card, name in self.names.items() if card.rank is rank}
        if len(first) == 1:
            return first.pop()
        return self.words["rank"][str(rank)]

    def seat(self, number: int | None) -> str:
        """A seat, the pot (`POT`), or *somebody* if the seat is unknown."""
        if number is None or number == POT:
            return self.words["seat"]["anyone" if number is None else "pot"]
        return self.words["seat"]["one"].format(number=number)

    def seats(self, numbers: Sequence[int]) -> str:
        """Several seats as a list.

        >>> Texts.load("it").seats((2, 3, 5))
        'posti 2, 3 e 5'
        """
        if len(numbers) == 1:
            return self.seat(numbers[0])
        return self.words["seat"]["many"].format(numbers=self.listed([str(n) for n in numbers]))

    def listed(self, parts: Sequence[str]) -> str:
        """Things in a list, with the word for *and* before the last."""
        if len(parts) < 2:
            return "".join(parts)
        return f"{', '.join(parts[:-1])} {self.words['word']['and']} {parts[-1]}"

    def _odds(self, rate: Fraction) -> str:
        if rate == 1:
            return self.words["word"]["even-money"]
        return self.words["word"]["odds"].format(
            numerator=rate.numerator, denominator=rate.denominator
        )


def capital(text: str) -> str:
    """The text with its first letter in upper case, and the others as they are."""
    return text[:1].upper() + text[1:]


def languages() -> tuple[str, ...]:
    """The languages that have texts."""
    return tuple(sorted(path.stem for path in FOLDER.glob("??.toml")))


@cache
def _read(language: str) -> tuple[dict[str, str], Words]:
    tables = [
        tomllib.loads(path.read_text("utf-8"))
        for path in (FOLDER / f"{language}.toml", *sorted(FOLDER.glob(f"{language}.*.toml")))
    ]
    words = tables[0].pop(WORDS)
    return dict(pair for table in tables for pair in _flat(table, "")), words


def _number(value: object) -> int | None:
    return value if isinstance(value, int) else None


def _flat(table: Mapping[str, object], prefix: str) -> Iterable[tuple[str, str]]:
    for key, value in table.items():
        if isinstance(value, str):
            yield prefix + key, value
        elif isinstance(value, dict):
            yield from _flat(value, f"{prefix}{key}.")


__all__ = ["BACK", "DEFAULT", "Texts", "languages"]
