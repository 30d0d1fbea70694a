"""The words in which a secret rule may be written, in English and Italian, and what each means.

A text is split into tokens: the longest matching phrase comes first, filler words are dropped, and
an unknown word is kept as it is, so that the parser can point at it.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from rules.wording.meaning import NAMES

UNKNOWN, FILL = "unknown", "fill"
ONES = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven",
    "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
)  # fmt: skip
TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
UNO = (
    "zero", "uno", "due", "tre", "quattro", "cinque", "sei", "sette", "otto", "nove", "dieci",
    "undici", "dodici", "tredici", "quattordici", "quindici", "sedici", "diciassette", "diciotto",
    "diciannove", "venti",
)  # fmt: skip
SYMBOLS = {"♠": "spades", "♣": "clubs", "♦": "diamonds", "♥": "hearts", "≥": ">=", "≤": "<=",
           "\u2212": "-", "\u2019": "'", "\u2013": "-"}  # fmt: skip


GROUPS = frozenset({"last", "previous", "preceding", "ultime", "precedenti"})
"""Words that refer to several cards if followed by a number: the last two."""


def numeral(number: int) -> str:
    """A number from zero to ninety-nine as a word.

    >>> numeral(7), numeral(21)
    ('seven', 'twenty-one')
    """
    if number < len(ONES):
        return ONES[number]
    tens, one = divmod(number, 10)
    return TENS[tens - 2] + (f"-{ONES[one]}" if one else "")


@dataclass(frozen=True, slots=True)
class Token:
    """The meaning of one word or phrase."""

    kind: str
    value: str | int = ""
    text: str = ""
    place: int = 0
    """The number of its first word, from 1."""


Phrases = Mapping[tuple[str, ...], tuple[str, str | int]]


def _phrases(table: Mapping[str, str]) -> Iterator[tuple[tuple[str, ...], tuple[str, str | int]]]:
    """The entries of a table: a token, and the phrases that mean it, separated by bars."""
    for token, said in table.items():
        kind, _, value = token.partition(" ")
        meant: str | int = int(value) if value.lstrip("-").isdecimal() else value
        for phrase in said.split("|"):
            yield tuple(phrase.split()), (kind, meant)


ENGLISH_TABLE = {
    "if": "if|when|whenever",
    "then": "then",
    "play": "play",
    "else": "else|otherwise|or else|if not",
    "and": "and|but",
    "or": "or",
    "not": "not|isn't|never",
    "open": "(|begin",
    "close": ")|end",
    "comma": ",|;",
    "any": "any|anything|any card",
    "is": "is|are|was|were|be|has|have|be of|is of|must be of|must have value of|has value of|"
    "have value of|must have",
    "place 0": "card|next card|this card|new card|next|played card|card played|cards played",
    "place 1": "last|last card|previous|previous card|preceding card|card before|last played card|"
    "last card played|one before|card before it|prior card",
    "place 2": "second last|second last card|second to last|second to last card|next to last|"
    "next to last card|penultimate|penultimate card|card before last|card before last card|"
    "one before last",
    "place 3": "third last|third last card|third to last|third to last card",
    "prop red": "red|reds",
    "prop black": "black|blacks",
    "prop clubs": "clubs|club",
    "prop diamonds": "diamonds|diamond",
    "prop hearts": "hearts|heart",
    "prop spades": "spades|spade",
    "prop odd": "odd",
    "prop even": "even",
    "prop court": "court|face|face card|face cards|court card|court cards|picture|picture card|"
    "picture cards|royal",
    "prop plain": "plain|number card|number cards|numeral|numeral card|spot card|plain card",
    "prop prime": "prime|primes|prime number",
    "above": "above|higher|greater|more|over|bigger|larger|>|higher than|greater than|more than|"
    "bigger than|larger than|higher in value than|higher value|higher number|higher rank|"
    "higher card",
    "below": "below|lower|less|smaller|fewer|under|<|lower than|less than|smaller than|fewer than|"
    "lower value|lower number|lower rank|lower card",
    "orequal": "or equal|or equal to",
    "equalor": "equal or",
    "at-least": "at least|no less than|not less than|>=",
    "at-most": "at most|no more than|not more than|up to|<=",
    "within": "within",
    "differs": "differs|differs by|differ by|different by|apart by",
    "from": "from|away from|apart from",
    "apart": "apart|away",
    "same": "same",
    "other": "other|different|another|opposite",
    "attr suit": "suit|suits",
    "attr color": "color|colour|colors|colours",
    "attr rank": "rank|value|number|ranks|values|denomination",
    "attr parity": "parity",
    "as": "as|than|to",
    "around": "around|wrapping|wrapping around|around corner",
    "cycle": "cycle|cycle through suits in order|cycle through suits|cycle through|"
    "cards cycle through suits in order|cards must cycle through suits in order",
    "pattern": "pattern|repeat|repeating",
    "runs": "runs",
    "alternate": "alternate|alternating",
    "of": "of",
    "sum": "sum|sum of|total|total of",
    "difference": "difference|difference of|difference between",
    "remainder": "remainder|remainder of",
    "by": "by|divided by|modulo|mod|when divided by",
    "leaves": "leaves|leaves remainder|leaves remainder of",
    "plus": "plus|+",
    "minus": "minus|-",
    "between": "between",
    "multiple": "multiple of|divisible by|multiples of",
    "equal": "equal|equals|equal to|=",
    "vice-versa": "vice versa|and vice versa",
    "soon": "and so on|so on",
    "cards": "cards|consecutive cards|in row",
    "fill": "the|a|an|must|should|may|can|each|every|it|that|card of|"
    "must be played|be played|does|do|did|of value|in value|legally|also|both|either",
}
"""The English words; articles are dropped before phrases are matched."""

ITALIAN_TABLE = {
    "if": "se|quando",
    "then": "allora",
    "play": "gioca|giocare|si gioca",
    "else": "altrimenti|se no|senno",
    "and": "e|ed|ma",
    "or": "o|oppure|od",
    "not": "non",
    "open": "(|inizio",
    "close": ")|fine",
    "comma": ",|;",
    "any": "qualsiasi|qualunque|qualsiasi carta|qualunque carta|una qualsiasi",
    "is": "è|sono|era|erano|sia|ha|hanno",
    "place 0": "carta|prossima carta|prossima|nuova carta|carta giocata|questa carta",
    "place 1": "ultima|ultima carta|precedente|carta precedente|ultima carta giocata|"
    "ultima giocata",
    "place 2": "penultima|penultima carta",
    "place 3": "terzultima|terzultima carta",
    "prop red": "rossa|rosso|rosse|rossi",
    "prop black": "nera|nero|nere|neri",
    "prop clubs": "fiori|fiore",
    "prop diamonds": "quadri|quadro|denari",
    "prop hearts": "cuori|cuore",
    "prop spades": "picche|picca",
    "prop odd": "dispari",
    "prop even": "pari",
    "prop court": "figura|figure",
    "prop plain": "liscia|carta numerica|cartina|numerica",
    "prop prime": "prima|primo|numero primo|numeri primi",
    "above": "sopra|piu alta|piu alto|maggiore|superiore|piu alta di|maggiore di|superiore a|>|"
    "piu alta della|piu alta dell|maggiore della|maggiore dell|superiore alla|superiore all|"
    "in piu|in piu di|in piu della|in piu dell|di piu",
    "below": "sotto|piu bassa|piu basso|minore|inferiore|piu bassa di|minore di|inferiore a|<|"
    "piu bassa della|piu bassa dell|minore della|minore dell|inferiore alla|inferiore all|"
    "in meno|in meno di|in meno della|in meno dell|di meno",
    "orequal": "o uguale|o uguale a|o uguale all|o uguale alla",
    "equalor": "uguale o",
    "at-least": "almeno|>=",
    "at-most": "al massimo|al piu|non piu di|<=",
    "within": "entro",
    "differs": "differisce di|diversa di",
    "from": "da|dall|dalla|distante da|distante dall|lontana dall",
    "apart": "distante|distanza",
    "same": "stesso|stessa|uguale",
    "other": "altro|altra|diverso|diversa|opposto",
    "attr suit": "seme|semi",
    "attr color": "colore|colori",
    "attr rank": "valore|numero|valori",
    "attr parity": "parita",
    "as": "di|della|dell|del|che|a|all|alla|come",
    "around": "in tondo|in giro|facendo il giro",
    "cycle": "ciclo|a giro|in ordine",
    "pattern": "schema|sequenza",
    "runs": "serie|gruppi",
    "alternate": "alternare|alternando|alterna|alternate",
    "of": "per",
    "sum": "somma|somma di|somma dell|somma della|somma delle|somma del",
    "difference": "differenza|differenza tra|differenza fra",
    "remainder": "resto|resto di|resto della|resto dell",
    "by": "diviso|divisa|diviso per|divisa per|modulo",
    "leaves": "da resto|lascia|con resto|lascia resto|resta",
    "plus": "piu|+",
    "minus": "meno|-",
    "between": "tra|fra",
    "multiple": "multiplo di|multipla di|divisibile per",
    "equal": "uguale a|=|vale",
    "vice-versa": "viceversa|e viceversa",
    "soon": "e cosi via",
    "cards": "carte|carte di fila",
    "fill": "il|lo|la|i|gli|le|l|un|una|deve|devono|essere|avere|puo|sempre|ogni|si|quella|"
    "quello|in|delle|dei|nel|dello",
}
"""The Italian words, without accents except in the verb `è`; articles are dropped first."""


def _numbers(names: tuple[str, ...], ranks: Mapping[str, int]) -> Iterator[tuple[str, int]]:
    yield from ((name, number) for number, name in enumerate(names))
    yield from ranks.items()


@dataclass(frozen=True)
class Language:
    """The phrases of one language."""

    name: str
    phrases: Phrases
    fills: frozenset[str]
    longest: int
    known: frozenset[str]


def _language(
    name: str,
    table: Mapping[str, str],
    numbers: Mapping[str, int],
    ranks: Mapping[str, int],
    fills: frozenset[str],
) -> Language:
    phrases = dict(_phrases(table))
    phrases |= {(word,): ("number", number) for word, number in numbers.items()}
    phrases |= {(word,): ("rank", number) for word, number in ranks.items()}
    known = frozenset(word for phrase in phrases for word in phrase) | fills | GROUPS
    return Language(name, phrases, fills, max(map(len, phrases)), known)


ENGLISH = _language(
    "en",
    ENGLISH_TABLE,
    {numeral(number): number for number in range(100)},
    {"ace": 1, "aces": 1, "jack": 11, "jacks": 11, "queen": 12, "queens": 12, "king": 13,
     "kings": 13, **{f"{name}s": n for n, name in enumerate(NAMES[1:5], 2)}, "sixes": 6,
     "sevens": 7, "eights": 8, "nines": 9, "tens": 10},
    frozenset({"the", "a", "an"}),
)  # fmt: skip
ITALIAN = _language(
    "it",
    ITALIAN_TABLE,
    {name: number for number, name in enumerate(UNO)},
    {"asso": 1, "assi": 1, "fante": 11, "fanti": 11, "donna": 12, "donne": 12, "regina": 12,
     "regine": 12, "re": 13},
    frozenset({"il", "lo", "la", "i", "gli", "le", "l", "un", "una"}),
)  # fmt: skip
LANGUAGES = (ENGLISH, ITALIAN)
_WORD = re.compile(r">=|<=|[()<>=+,;]|[^\s()<>=+,;]+")


def _plain(word: str) -> str:
    """A word without accents, except the verb `è`, which would otherwise read as `and`."""
    if word in ("è", "e'"):
        return "è"
    bare = unicodedata.normalize("NFD", word)
    return "".join(sign for sign in bare if not unicodedata.combining(sign))


def _words(text: str) -> list[tuple[str, int]]:
    """The words of a text in lower case, each with its number, compounds split."""
    for symbol, word in SYMBOLS.items():
        text = text.replace(symbol, f" {word} " if word.isalpha() else word)
    found: list[tuple[str, int]] = []
    for number, written in enumerate(text.lower().split(), 1):
        for part in _WORD.findall(written.strip('.:!"')):
            found += ((_plain(one), number) for one in _apart(part))
    return found


def _apart(word: str) -> list[str]:
    """A compound split into its parts; numbers stay whole."""
    if word in ("-", "è", "e'", "isn't") or (word,) in ENGLISH.phrases:
        return [word]
    return [part for part in re.split(r"[-']", word) if part] or [word]


def tokens(text: str) -> tuple[Language, list[Token]]:
    """The tokens of a text, in the language that knows most of its words."""
    words = _words(text)
    knows = [
        sum(word in language.known or word.isdecimal() for word, _ in words)
        for language in LANGUAGES
    ]
    language = LANGUAGES[knows.index(max(knows))]
    return language, list(_cut(words, language))


def _cut(words: list[tuple[str, int]], language: Language) -> Iterator[Token]:
    left = [one for one in words if one[0] not in language.fills]
    start, before = 0, UNKNOWN
    while start < len(left):
        token, count = _longest(left, start, language)
        start += count
        described = before in ("prop", "rank", "number") and token.text in NOUNS
        if token.kind == FILL or described:
            continue
        before = token.kind
        yield token


NOUNS = frozenset({"card", "cards", "carta", "carte"})
"""Nouns that add nothing after a property: a black card."""


def _longest(left: list[tuple[str, int]], start: int, language: Language) -> tuple[Token, int]:
    group = _group(left, start, language)
    if group is not None:
        return group
    for count in range(min(language.longest, len(left) - start), 0, -1):
        phrase = tuple(word for word, _ in left[start : start + count])
        meant = language.phrases.get(phrase)
        if meant is not None:
            return Token(meant[0], meant[1], " ".join(phrase), left[start][1]), count
    word, place = left[start]
    if word.isdecimal():
        return Token("number", int(word), word, place), 1
    return Token(UNKNOWN, word, word, place), 1


def _group(left: list[tuple[str, int]], start: int, language: Language) -> tuple[Token, int] | None:
    """The last two, three, four or five."""
    if start + 1 >= len(left):
        return None
    (word, place), (second, _) = left[start], left[start + 1]
    number = language.phrases.get((second,), ("", 0))
    count = int(second) if second.isdecimal() else number[1] if number[0] == "number" else 0
    if word not in GROUPS or not isinstance(count, int) or not 2 <= count <= 5:
        return None
    cards = left[start + 2][0] if start + 2 < len(left) else ""
    return Token("group", count, f"{word} {second}", place), 2 + (cards in NOUNS)
