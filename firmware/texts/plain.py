"""What commands and checks say in plain English, put into another language.

``plain.LANGUAGE.toml`` has a translation for each English template, in which ``{}`` stands for a
value; `firmware.texts.plain_sources` finds the templates that are needed. A line that fits no
template stays as it is.
"""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache

from firmware.texts import DEFAULT, FOLDER, languages

LOCALES = ("LC_ALL", "LC_MESSAGES", "LANG")
"""The variables that set the machine's language; the first that is set counts."""
LITERAL_LEAST = 4
"""Fewest letters of its own that a template needs to be looked for inside another. A choice:
shorter ones fit everything.
"""
JOINTS = ("; ", ": ")
"""What joins two sentences in one line. Follows from how the checks put them together."""
_SPEAKING: ContextVar[str] = ContextVar("speaking", default=DEFAULT)


def said(sentence: str, language: str) -> str:
    """A plain English sentence in a language, with its surrounding blanks kept.

    >>> said("12 cards seen, 52 in the deck", "it"), said("an index is 9 px high", "it")
    ('12 carte viste, 52 nel mazzo', 'un indice è alto 9 px')
    >>> said("too dark: mean 12 of 255, 0% at full white", "it")
    'troppo buio: media 12 su 255, 0% in bianco pieno'
    >>> said("/dev/video7: no such device; see 'ls /dev/video*'", "it")
    "/dev/video7: non c'è questo dispositivo; vedi 'ls /dev/video*'"
    """
    text = sentence.strip()
    if language == DEFAULT or not text:
        return sentence
    for pattern, translation, _ in _templates(language):
        if found := pattern.fullmatch(text):
            values = [_part(value, language) for value in found.groups()]
            return sentence.replace(text, translation.format(*values), 1)
    return sentence.replace(text, _joined(text, language), 1)


def _joined(text: str, language: str) -> str:
    """A text joined from two: a fault and its remedy, or a name and what is wrong with it."""
    for joint in JOINTS:
        head, found, tail = text.partition(joint)
        if found and (told := _part(tail, language)) != tail:
            return f"{_part(head, language)}{joint}{told}"
    return text


def _part(value: str, language: str) -> str:
    """A filled-in value, translated too if it is a word or a sentence of its own."""
    if (word := value.strip()) in _read(language):
        return value.replace(word, _read(language)[word])
    fits = (
        said(value, language)
        for pattern, _, literal in _templates(language)
        if literal >= LITERAL_LEAST and pattern.fullmatch(value.strip())
    )
    return next(fits, value)


def templates(language: str) -> Mapping[str, str]:
    """The translations of a language, by their English templates."""
    return _read(language)


@cache
def _read(language: str) -> Mapping[str, str]:
    path = FOLDER / f"plain.{language}.toml"
    return tomllib.loads(path.read_text("utf-8")) if path.exists() else {}


@cache
def _templates(language: str) -> tuple[tuple[re.Pattern[str], str, int], ...]:
    """The patterns of the templates, those with the most letters of their own first."""
    known = sorted(_read(language).items(), key=lambda one: (-_literal(one[0]), -len(one[0])))
    return tuple((_pattern(one), translation, _literal(one)) for one, translation in known)


def _pattern(template: str) -> re.Pattern[str]:
    first, *rest = map(re.escape, template.split("{}"))
    # "12 hands" is a count; a sentence that merely ends in "hand" is not.
    single = rest and not first and _literal(template) <= LITERAL_LEAST
    start = rf"(\S*?){rest.pop(0)}" if single else first
    return re.compile("(.*?)".join((start, *rest)), re.DOTALL)


def _literal(template: str) -> int:
    return sum(map(str.isalpha, template))


# The language spoken at present.


def native(sentence: str) -> str:
    """The sentence in the language spoken at present."""
    return said(sentence, spoken())


def spoken() -> str:
    """The language spoken at present."""
    return _SPEAKING.get()


def speak(language: str) -> None:
    """Speak a language from now on, if it has texts."""
    if language in languages():
        _SPEAKING.set(language)


@contextmanager
def speaking(language: str) -> Iterator[None]:
    """Speak a language while the block runs.

    >>> with speaking("it"):
    ...     native("the deck is complete")
    'il mazzo è completo'
    """
    token = _SPEAKING.set(language if language in languages() else DEFAULT)
    try:
        yield
    finally:
        _SPEAKING.reset(token)


def machine_language(environ: Mapping[str, str] = os.environ) -> str:
    """The language in which a machine speaks to its user.

    >>> machine_language({"LANG": "it_IT.UTF-8"}), machine_language({"LANG": "it", "LC_ALL": "C"})
    ('it', 'en')
    """
    locale = next((environ[name] for name in LOCALES if environ.get(name)), "")
    short = locale[:2].lower()
    return short if short in languages() else DEFAULT
