"""Acts: everything that a dealer or a player does, each as one record and one line of text.

The line is ``[seat] verb [arguments]``; the dealer's acts have no seat. One table of verbs serves
all games. A card dealt face down is written in brackets, ``(KD)``, or ``??`` when nobody knows it.

    >>> Act.parse("2 bet 5 QS").amount
    5
    >>> str(Act.parse("deal 2 (KD)"))
    'deal 2 (KD)'
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from enum import StrEnum

from rules.cards import BACK, Card
from rules.errors import ActError, CardError
from rules.frozen import quick


class Verb(StrEnum):
    """What can be done at a card table; each comment shows the arguments."""

    DEAL = "deal"  # SPOT CARD…: from the deck
    TAKE = "take"  # SPOT CARD…: out of play
    PUT = "put"  # SPOT CARD…: back from those out of play
    MOVE = "move"  # SPOT SPOT CARD…
    SHOW = "show"  # CARD…: turn up one's own
    TURN = "turn"  # SPOT CARD…: turned up by the dealer
    BURN = "burn"  # CARD: off the deck, unseen
    PLAY = "play"  # CARD…
    DISCARD = "discard"  # CARD…
    DRAW = "draw"  # SPOT [CARD…]
    MELD = "meld"  # CARD…
    LAY = "lay"  # SPOT CARD…: add to a meld
    PASS_CARDS = "pass-cards"  # SPOT CARD…: to another seat
    GATHER = "gather"  # a trick
    CLEAR = "clear"  # all cards leave the table, the hand is over
    SHUFFLE = "shuffle"  # all cards go back to the deck
    CUT = "cut"  # [CARD]
    LIMITS = "limits"  # MINIMUM MAXIMUM
    ANTE = "ante"  # [AMOUNT]
    BET = "bet"  # [AMOUNT] [CARD]
    CHECK = "check"
    CALL = "call"
    RAISE = "raise"  # AMOUNT
    FOLD = "fold"
    CLOSE = "close"  # no more bets
    HIT = "hit"
    STAND = "stand"
    PASS = "pass"
    BID = "bid"  # [AMOUNT] [WORD…]
    DECLARE = "declare"  # WORD… [CARD…]
    JUDGE = "judge"  # WORD: right, wrong
    PAY = "pay"  # SEAT AMOUNT
    WITHDRAW = "withdraw"  # [AMOUNT] [CARD]: take chips of a bet back
    END = "end"
    # What happens between hands.
    JOIN = "join"  # SEAT [CHIPS]
    LEAVE = "leave"  # SEAT
    SIT_OUT = "sit-out"  # SEAT
    CHIPS = "chips"  # SEAT AMOUNT
    NEW_DECK = "new-deck"
    BANKER = "banker"  # SEAT
    DEALER = "dealer"  # SEAT
    UNIT = "unit"  # SEAT SEAT CHIPS: the unit that two players settle in
    # The dealer's ruling on a violation.
    RULE = "rule"  # NUMBER stand | misdeal | correct [ACT]
    MISDEAL = "misdeal"
    # The dealer resumes a lost hand from the table as it is, and counts the pot.
    RESUME = "resume"  # NUMBER [SPOT CARD…]…: everything else as after that many acts
    POT = "pot"  # AMOUNT: all chips that are played for


class Part(StrEnum):
    """One kind of argument."""

    SPOT = "a spot"
    CARDS = "cards"
    NUMBERS = "numbers"
    WORDS = "words"
    ACT = "an act"
    LAYOUT = "spots, each with its cards"


_SPOT_CARDS = (Part.SPOT, Part.CARDS)
SYNTAX: dict[Verb, tuple[Part, ...]] = {
    Verb.DEAL: _SPOT_CARDS,
    Verb.TAKE: _SPOT_CARDS,
    Verb.PUT: _SPOT_CARDS,
    Verb.MOVE: (Part.SPOT, Part.SPOT, Part.CARDS),
    Verb.SHOW: (Part.CARDS,),
    Verb.TURN: _SPOT_CARDS,
    Verb.BURN: (Part.CARDS,),
    Verb.PLAY: (Part.CARDS,),
    Verb.DISCARD: (Part.CARDS,),
    Verb.DRAW: _SPOT_CARDS,
    Verb.MELD: (Part.CARDS,),
    Verb.LAY: _SPOT_CARDS,
    Verb.PASS_CARDS: _SPOT_CARDS,
    Verb.CUT: (Part.CARDS,),
    Verb.LIMITS: (Part.NUMBERS,),
    Verb.ANTE: (Part.NUMBERS,),
    Verb.BET: (Part.NUMBERS, Part.CARDS),
    Verb.RAISE: (Part.NUMBERS,),
    Verb.BID: (Part.NUMBERS, Part.WORDS),
    Verb.DECLARE: (Part.WORDS, Part.CARDS),
    Verb.JUDGE: (Part.WORDS,),
    Verb.PAY: (Part.NUMBERS,),
    Verb.WITHDRAW: (Part.NUMBERS, Part.CARDS),
    Verb.JOIN: (Part.NUMBERS,),
    Verb.LEAVE: (Part.NUMBERS,),
    Verb.SIT_OUT: (Part.NUMBERS,),
    Verb.CHIPS: (Part.NUMBERS,),
    Verb.BANKER: (Part.NUMBERS,),
    Verb.DEALER: (Part.NUMBERS,),
    Verb.UNIT: (Part.NUMBERS,),
    Verb.RULE: (Part.NUMBERS, Part.WORDS, Part.ACT),
    Verb.RESUME: (Part.LAYOUT,),
    Verb.POT: (Part.NUMBERS,),
}
"""The arguments of each verb, in order; verbs not listed take none."""

_CARD = re.compile(r"\(?(?:[A2-9TJQK?][CDHS?]|JOKER)\)?")
_NUMBER = re.compile(r"\d{1,9}")
_WORD = re.compile(r"[a-z][a-z-]*")
_SPOT = re.compile(r"\d{1,3}(\.[a-z][a-z0-9-]*)?|[a-z][a-z0-9-]*")
_SEAL = re.compile(r"seal [a-p]{64}")
RULINGS = ("stand", "misdeal", "correct")
Layout = tuple[tuple[str, tuple[Card, ...]], ...]
"""What lies where: spots, each with the cards that can be seen there, face-down ones as ``??``."""


LINE_MOST, DIGITS_MOST, WITHIN_MOST = 4000, 12, 8
"""Limits of a line: characters (a whole double deck takes a tenth), digits of a number, and nested
corrections."""


def _words(line: str) -> list[str]:
    """Split a line into words; raises `ActError` if it is longer than any act can be."""
    if len(line) > LINE_MOST:
        raise ActError(f"expected an act of up to {LINE_MOST} characters, got {len(line)}")
    words = line.split()
    long = next((word for word in words if word.isdecimal() and len(word) > DIGITS_MOST), None)
    if long is not None:
        raise ActError(f"expected a number of up to {DIGITS_MOST} digits, got {len(long)} digits")
    if words.count("correct") > WITHIN_MOST:
        raise ActError(f"expected at most {WITHIN_MOST} nested corrections")
    return words


@quick(frozen=True, slots=True)
class Act:
    """One thing done at the table.

    >>> Act.parse("take board QS QD") == Act(Verb.TAKE, spot="board",
    ...     cards=(Card.parse("QS"), Card.parse("QD")))
    True
    >>> Act.parse("2 jump")
    Traceback (most recent call last):
    rules.errors.ActError: '2 jump': 'jump' is not a verb
    """

    verb: Verb
    seat: int | None = None
    spot: str | None = None
    to: str | None = None
    cards: tuple[Card, ...] = ()
    down: bool = False
    numbers: tuple[int, ...] = ()
    words: tuple[str, ...] = ()
    then: Act | None = None
    layout: Layout = ()

    @classmethod
    def parse(cls, line: str) -> Act:
        """Parse a line of text; raises `ActError` naming the word that does not fit."""
        words = _words(line)
        seat = int(words.pop(0)) if words and _NUMBER.fullmatch(words[0]) else None
        name = words.pop(0) if words else ""
        if name == Verb.DECLARE and words[:1] == ["seal"] and not _SEAL.fullmatch(" ".join(words)):
            # What was meant to be a secret is not repeated.
            raise ActError("'declare seal …': expected a seal of sixty-four letters from a to p")
        try:
            verb = Verb(name)
        except ValueError:
            raise ActError(f"{line!r}: {name!r} is not a verb") from None
        act = cls(verb, seat)
        for part in SYNTAX.get(verb, ()):
            act, words = _READERS[part](act, words)
        if words:
            expected = ", ".join(SYNTAX.get(verb, ())) or "nothing more"
            raise ActError(f"{line!r}: {words[0]!r} does not fit; {verb} takes {expected}")
        return act

    def __str__(self) -> str:
        parts = [] if self.seat is None else [str(self.seat)]
        parts.append(str(self.verb))
        parts += (spot for spot in (self.spot, self.to) if spot is not None)
        if SYNTAX.get(self.verb, ())[:1] == (Part.WORDS,):
            parts += [*self.words, *self._card_words()]
        else:
            parts += [*map(str, self.numbers), *self.words, *self._card_words()]
        if self.then is not None:
            parts.append(str(self.then))
        for spot, cards in self.layout:
            parts += [spot, *map(str, cards)]
        return " ".join(parts)

    def _card_words(self) -> list[str]:
        return [f"({card})" if self.down and not card.hidden else str(card) for card in self.cards]

    @property
    def quoted(self) -> str:
        """The line as a refusal repeats it, without the words of a secret rule.

        >>> Act.parse("declare reveal quill two from last").quoted
        'declare reveal …'
        """
        if self.verb is Verb.DECLARE and self.words[:1] in (("seal",), ("reveal",)):
            return f"{self.verb} {self.words[0]} …"
        return str(self)

    @property
    def amount(self) -> int | None:
        """The first number, if there is one."""
        return self.numbers[0] if self.numbers else None

    @property
    def card(self) -> Card:
        """The first card."""
        return self.cards[0]

    def with_cards(self, cards: Sequence[Card]) -> Act:
        """The same act with other cards."""
        return replace(self, cards=tuple(cards))

    def observed(self) -> Act:
        """The act as the table shows it: face-down cards are unknown."""
        return self.with_cards([BACK] * len(self.cards)) if self.down else self


def _read_spot(act: Act, words: list[str]) -> tuple[Act, list[str]]:
    if not words or not _SPOT.fullmatch(words[0]):
        got = repr(words[0]) if words else "nothing"
        raise ActError(f"{act.verb} expects a spot (such as board, 2 or 2.front), got {got}")
    if act.spot is None:
        return replace(act, spot=words[0]), words[1:]
    return replace(act, to=words[0]), words[1:]


def _read_cards(act: Act, words: list[str]) -> tuple[Act, list[str]]:
    count = 0
    while count < len(words) and _CARD.fullmatch(words[count]):
        count += 1
    texts = words[:count]
    try:
        cards = tuple(Card.parse(text.strip("()")) for text in texts)
    except CardError as error:  # pragma: no cover - the pattern admits cards only
        raise ActError(str(error)) from error
    down = [text.startswith("(") or card.hidden for text, card in zip(texts, cards, strict=True)]
    if any(down) and not all(down):
        raise ActError(
            f"{' '.join(texts)!r}: the cards of one act must be all face up or all face down"
        )
    return replace(act, cards=cards, down=any(down)), words[count:]


def _read_numbers(act: Act, words: list[str]) -> tuple[Act, list[str]]:
    count = 0
    while count < len(words) and _NUMBER.fullmatch(words[count]):
        count += 1
    return replace(act, numbers=tuple(map(int, words[:count]))), words[count:]


def _read_words(act: Act, words: list[str]) -> tuple[Act, list[str]]:
    if act.verb is Verb.RULE:
        if not words or words[0] not in RULINGS:
            got = repr(words[0]) if words else "nothing"
            raise ActError(f"rule expects {' or '.join(RULINGS)}, got {got}")
        return replace(act, words=(words[0],)), words[1:]
    count = 0
    while count < len(words) and _WORD.fullmatch(words[count]):
        count += 1
    return replace(act, words=tuple(words[:count])), words[count:]


def _read_act(act: Act, words: list[str]) -> tuple[Act, list[str]]:
    return (replace(act, then=Act.parse(" ".join(words))), []) if words else (act, words)


def _read_layout(act: Act, words: list[str]) -> tuple[Act, list[str]]:
    """Read the number of acts that stand, which is never a spot here, and spots with cards."""
    if not words or not _NUMBER.fullmatch(words[0]):
        got = repr(words[0]) if words else "nothing"
        raise ActError(f"{act.verb} expects the number of earlier acts that stand, got {got}")
    number, words = int(words[0]), words[1:]
    layout: list[tuple[str, tuple[Card, ...]]] = []
    while words and _SPOT.fullmatch(words[0]):
        lying = _read_lying(words[1:])
        layout.append((words[0], lying))
        words = words[1 + len(lying) :]
    return replace(act, numbers=(number,), layout=tuple(layout)), words


def _read_lying(words: list[str]) -> tuple[Card, ...]:
    cards: list[Card] = []
    for text in words:
        if not _CARD.fullmatch(text) or text.startswith("("):
            break
        cards.append(Card.parse(text))
    return tuple(cards)


_READERS = {
    Part.SPOT: _read_spot,
    Part.CARDS: _read_cards,
    Part.NUMBERS: _read_numbers,
    Part.WORDS: _read_words,
    Part.ACT: _read_act,
    Part.LAYOUT: _read_layout,
}
