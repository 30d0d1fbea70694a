"""Lines of cards that a dealer judges by a secret rule: right cards go on, wrong ones go aside.

A play waits at its own spot until it is judged, by the dealer or by a prophet whose call the dealer
confirms. The rule may be sealed until the first card is played; the dealer keeps a rule that is not
sealed, and judges alone. If the device was told the rule, it calls what it knows about a play;
judgements that nobody could check are checked when the rule is revealed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import combinations

from rules.acts import Act, Verb
from rules.cards import Card
from rules.errors import ActError, SecretError
from rules.frozen import replace
from rules.phrases import Phrase
from rules.secret import OPEN, OPEN_SEALS, REVEAL, SEAL
from rules.spots import DECK, Face, Move, Shape, Spot, Trace
from rules.state import State
from rules.stock import known, singles
from rules.turn import Awaited, Turn
from rules.violations import Ruling
from rules.wording import Secret

MAIN, SIDE, PLAYED = "main", "side", "played"
NO_PLAY, PROPHET, GUESS, OWN = ("no-play",), ("prophet",), ("guess",), ("own",)
RIGHT, WRONG, CORRECT, FALSE = ("right",), ("wrong",), ("correct",), ("false",)
STRINGS = 3
"""Size of the longest strings that are listed; longer ones are still accepted."""
LINE, SIDELINE, STRING = 100, 90, 14
"""Capacities of the spots for the line, for cards set aside and for a play."""
ALL = 4 * 52
"""Most cards that may lie there: the rules set no limit, but no more cards are available."""
SEALED = re.compile("[a-p]{64}")


@dataclass(frozen=True, slots=True)
class Judged:
    """A judgement of a play, or of a hand without one, with the length of the line then."""

    act: int
    seat: int
    line: int
    cards: tuple[Card, ...]
    play: bool
    right: bool
    known: bool
    """Whether the device knew the rule when the judgement was given."""


@dataclass(frozen=True, kw_only=True)
class JudgedState(State):
    """A hand with a line of cards judged by a secret rule."""

    sealed: str = ""
    own: bool = False
    """Whether the dealer has chosen to keep the rule private and judge alone."""
    told: bool | None = None
    """What the device called about the waiting cards, if this state no longer knows the rule."""
    actor: int | None = None
    last: int | None = None
    """The seat that has just finished a turn, and may become prophet or guess."""
    just_right: bool = False
    """Whether the last play was right and the next has not been laid yet."""
    guessers: frozenset[int] = frozenset()
    """The seats that have guessed since then."""
    player: int | None = None
    """The seat whose cards are being judged."""
    pending: tuple[Card, ...] = ()
    """Those cards: a play, or a hand that was shown."""
    at: int = 0
    """The length of the line before them."""
    exposed: int | None = None
    """The number of cards in a no-play hand, until it is judged."""
    misplayed: int | None = None
    """The penalty for a hand that did have a play, until the dealer has played from it."""
    guessing: int | None = None
    """The seat that has guessed the rule, until the dealer has answered."""
    guessed: int | None = None
    prophet: int | None = None
    said: str = ""
    """The prophet's call, until the dealer confirms it."""
    marker: tuple[int, int] = (0, 0)
    """The numbers of cards on the line and aside when the prophet was declared."""
    served: frozenset[int] = frozenset()
    """The seats that have been prophet in this hand."""
    expelled: frozenset[int] = frozenset()
    owing: tuple[tuple[int, int], ...] = ()
    """Cards owed, as seats and numbers."""
    judged: tuple[Judged, ...] = ()
    out: int | None = None
    """The seat that has played the last card of its hand."""
    dealt: bool = False
    ended: bool = False
    settled: bool = False

    @property
    def players(self) -> tuple[int, ...]:
        """Everybody but the dealer, starting at the dealer's left."""
        return self.start.following(self.dealer)

    @property
    def active(self) -> tuple[int, ...]:
        """The seats that take turns."""
        return tuple(s for s in self.players if s not in self.expelled and s != self.prophet)

    def after(self, seat: int) -> int | None:
        """The seat that plays after `seat`, who may be the only one left; None if nobody is."""
        ring = (*self.start.following(seat), seat)
        return next((other for other in ring if other in self.active), None)

    def may_prophesy(self, seat: int) -> bool:
        """Whether `seat` may become prophet: one at a time, once a hand, and with two others in."""
        alone = self.prophet is None and seat not in self.served
        return alone and seat in self.active and len(self.active) >= 3

    @property
    def unplayed(self) -> bool:
        """Whether no card has been played yet: until then a rule may be sealed."""
        return not self.judged and self.player is None and not self.ended

    @property
    def owes(self) -> bool:
        """Whether the dealer owes cards."""
        return bool(self.owing and self.remaining)

    @property
    def line(self) -> tuple[Card, ...]:
        """The line, starter first."""
        return self.table.cards(MAIN)

    @property
    def lying(self) -> tuple[int, int]:
        """The numbers of cards on the line and aside."""
        return len(self.line), len(self.table.at(SIDE))

    @property
    def rule(self) -> Secret | None:
        """The rule, if this device knows it."""
        return self.secrets.opened(self.sealed)

    @property
    def truth(self) -> bool | None:
        """Whether the waiting cards are right; None if the device cannot know."""
        if self.told is not None:
            return self.told
        line = self.line[: self.at]
        if self.rule is None or not self.pending or not known((*line, *self.pending)):
            return None
        return is_right(self.rule, line, self.pending, play=self.exposed is None)

    @property
    def verdict(self) -> bool | None:
        """What the device calls: whether the cards are right or, with a prophet, the call.

        None before a prophet has called, and if the device cannot know.
        """
        truth = self.truth
        if truth is None or self.prophet is None:
            return truth
        return (self.said == RIGHT[0]) is truth if self.said else None


def is_right(rule: Secret, line: tuple[Card, ...], cards: tuple[Card, ...], *, play: bool) -> bool:
    """Whether a play fits the line, or a hand holds no card that would."""
    if play:
        return rule.allows_all(line, cards)
    return not any(rule.allows(line, card) for card in cards)


def word_of(state: JudgedState, act: Act) -> bool | None:
    """Whether the dealer judges the waiting cards right; None if the act does not judge them."""
    if not state.pending or act.seat is not None or state.guessing is not None:
        return None
    if state.prophet is None:
        return act.words == RIGHT if act.words in (RIGHT, WRONG) else None
    if not state.said or act.words not in (CORRECT, FALSE):
        return None
    return (state.said == RIGHT[0]) is (act.words == CORRECT)


def decided(state: JudgedState, right: bool) -> JudgedState:
    """The state after the dealer has judged the cards that were waiting by the last act."""
    told, play = state.truth is not None, state.exposed is None
    seat = state.player or 0
    done = Judged(len(state.acts), seat, state.at, state.pending, play, right, told)
    rested = replace(state, pending=(), player=None, exposed=None, said="", guessers=frozenset())
    return replace(rested, just_right=right and play, judged=(*rested.judged, done))


def misplayed(state: JudgedState, act: Act) -> JudgedState:
    """The state after the dealer has played a card from a hand declared to have none that fits."""
    assert state.player is not None
    line, rule = state.line[:-1], state.rule
    told = rule is not None and known(state.line)
    done = Judged(len(state.acts), state.player, len(line), act.cards, True, True, told)
    after = replace(state, misplayed=None, player=None, just_right=False)
    after = replace(after, judged=(*after.judged, done))
    if rule and told and not is_right(rule, line, act.cards, play=True):
        return after.flag("eleusis.judgement", cards=act.cards)
    return after


def found_wrong(state: JudgedState, rule: Secret) -> Iterator[Judged]:
    """The wrong judgements that nobody could check when they were given."""
    for one in state.judged:
        line = state.line[: one.line]
        if one.known or not known((*line, *one.cards)):
            continue
        if is_right(rule, line, one.cards, play=one.play) is not one.right:
            yield one


def as_ruled(state: JudgedState, number: int) -> JudgedState:
    """The newest violation, with the ruling that the dealer gave before it was known.

    Somebody who knew the rule could rule on a judgement at once; the record has both.
    """
    *others, newest = state.violations
    for act in state.acts:
        if act.verb is Verb.RULE and act.numbers[0] == number and act.words[0] != Ruling.CORRECT:
            newest = newest.ruled(Ruling(act.words[0]))
    return replace(state, violations=(*others, newest))


def owing(state: JudgedState, seat: int, count: int) -> JudgedState:
    """The state owing cards to `seat`; a negative count means cards were dealt."""
    owed = dict(state.owing)
    owed[seat] = owed.get(seat, 0) + count
    return replace(state, owing=tuple((s, n) for s, n in owed.items() if n > 0))


def placed(state: JudgedState, act: Act) -> Trace:
    """The moves after a judgement: right cards to the line, wrong ones aside, a right hand away."""
    right, hand = word_of(state, act), str(state.player)
    if right is None:
        return ()
    if state.exposed is None:
        played = state.table.cards(PLAYED)
        return tuple(Move(card, PLAYED, MAIN if right else SIDE) for card in played)
    laid = state.table.at(hand)
    if right:
        return tuple(Move(one.card, hand, DECK, one.up) for one in laid)
    return tuple(Move(one.card, hand, hand, False) for one in laid if one.up)


@cache
def line_spots(seats: tuple[int, ...]) -> tuple[Spot, ...]:
    """Hands, the two lines, and a place for cards to be judged."""
    hands = (
        Spot("cards", seat, LINE, Shape.FAN, Face.DOWN, held=True, limit=ALL) for seat in seats
    )
    return (
        *hands,
        Spot(MAIN, capacity=LINE, limit=ALL),
        Spot(SIDE, capacity=SIDELINE, shape=Shape.FAN, limit=ALL),
        Spot(PLAYED, capacity=STRING, shape=Shape.FAN, limit=ALL),
    )


# What is awaited.


def choosing(state: JudgedState) -> Iterator[Awaited]:
    """A seal, or the declaration that the dealer judges alone; neither is required."""
    says = Phrase("turn.judged-rule")
    if not state.sealed:
        yield Awaited(Verb.DECLARE, says, required=False)
        if not state.own:
            yield Awaited(Verb.DECLARE, says, words=(OWN,), required=False)


def judging(state: JudgedState, rule: str) -> Awaited:
    """The judgement awaited, only the true one if the device knows it; others break `rule`."""
    if state.guessing is not None:
        says = Phrase.of("turn.judged-guessed", seat=state.guessing)
        return Awaited(Verb.JUDGE, says, words=(RIGHT, WRONG))
    if state.prophet is None:
        words = (RIGHT, WRONG) if state.truth is None else ((RIGHT, WRONG)[not state.truth],)
        return Awaited(Verb.JUDGE, _asked(state), words=words, rule=rule)
    if not state.said:
        says = Phrase.of("turn.judged-call", seat=state.prophet)
        return Awaited(Verb.JUDGE, says, (state.prophet,), words=(RIGHT, WRONG))
    says = Phrase.of("turn.judged-confirm", seat=state.prophet)
    if state.verdict is None:
        return Awaited(Verb.JUDGE, says, words=(CORRECT, FALSE))
    told = "turn.judged-correct" if state.verdict else "turn.judged-false"
    words = (CORRECT if state.verdict else FALSE,)
    return Awaited(Verb.JUDGE, Phrase.of(told, seat=state.prophet), words=words, rule=rule)


def _asked(state: JudgedState) -> Phrase:
    """What the device knows about a play or a no-play hand, or else the question."""
    seat, play = state.player, state.exposed is None
    if state.truth is None:
        asks = "turn.judged-judge" if play else "turn.judged-judge-hand"
        return Phrase.of(asks, seat=seat)
    if play:
        return Phrase.of("turn.judged-right" if state.truth else "turn.judged-wrong", seat=seat)
    none = "turn.judged-hand-right" if state.truth else "turn.judged-hand-wrong"
    return Phrase.of(none, seat=seat)


def penalties(state: JudgedState) -> Turn:
    """The cards that are owed, in any portions and any order."""
    first, *others = (_penalty(state, seat, count) for seat, count in state.owing)
    return Turn((first,), also=tuple(others))


def _penalty(state: JudgedState, seat: int, count: int) -> Awaited:
    count = min(count, state.remaining)
    says, counts = Phrase.of("turn.deal", seat=seat, count=count), (1, count)
    return Awaited(Verb.DEAL, says, spots=(str(seat),), pick=count, counts=counts, down=True)


def misplaying(state: JudgedState) -> Awaited:
    """The card that the dealer has to play from a hand declared to have none."""
    assert state.player is not None
    hand, rule = state.hand(state.player), state.rule
    says = Phrase.of("turn.judged-misplay", seat=state.player)
    if rule is not None and known((*state.line, *hand)):
        fits = [card for card in hand if rule.allows(state.line, card)]
    else:
        fits = list(hand)
    place = str(state.player)
    return Awaited(Verb.MOVE, says, spots=(place,), to=(MAIN,), pick=1, among=hand,
                   handfuls=singles(fits))  # fmt: skip


def revealing(sealed: str) -> Iterator[Awaited]:
    """Reveal the rule that the seal stands for; rules that are not secret are simply listed."""
    says, text = Phrase("turn.judged-reveal"), OPEN_SEALS.get(sealed)
    if text is not None:
        yield Awaited(Verb.DECLARE, says, words=((REVEAL, OPEN, *text.split()),))
    else:
        yield Awaited(Verb.DECLARE, says, required=False)


def plays(
    rule: Secret | None, line: tuple[Card, ...], hand: tuple[Card, ...], size: int
) -> tuple[tuple[Card, ...], ...]:
    """Single cards worth listing; for a rule that is not secret also strings and a wrong card."""
    if rule is None or not known((*line, *hand)):
        return singles(hand) if size == 1 else ()
    few = hand[: STRINGS + 1] if 1 < size <= STRINGS else hand if size == 1 else ()
    tried = dict.fromkeys(combinations(few, size))
    right = [cards for cards in tried if rule.allows_all(line, cards)]
    wrong = [cards for cards in tried if cards not in right] if size == 1 else []
    return (*right, *wrong[:1])


# What the words must be.


def verify_said(act: Act) -> None:
    """Raise `ActError` unless an act means something in a game with a secret rule."""
    if act.verb in (Verb.PLAY, Verb.SHOW):
        if act.seat is None or not act.cards:
            raise ActError(f"'{act}': expected a seat and cards")
        if act.down or not all(card.known for card in act.cards):
            raise ActError(f"'{act}': expected cards with rank and suit, such as QS")
    if act.verb is Verb.JUDGE and act.words not in (RIGHT, WRONG, CORRECT, FALSE):
        raise ActError(f"'{act}': expected right or wrong, or correct or false about a prophet")
    if act.verb is Verb.DECLARE:
        _verify_words(act)


def _verify_words(act: Act) -> None:
    first, count = act.words[0] if act.words else "", len(act.words)
    if act.cards or first not in (SEAL, REVEAL, *OWN, *NO_PLAY, *PROPHET, *GUESS):
        raise ActError(f"'{act.quoted}': expected seal, own, no-play, prophet, guess or reveal")
    by_dealer = first in (SEAL, REVEAL, *OWN)
    if by_dealer is not (act.seat is None):
        raise ActError(
            f"'{act.quoted}': expected {'no seat' if by_dealer else 'a seat'} before declare"
        )
    if first not in (SEAL, REVEAL) and count > 1:
        raise ActError(f"'{act.quoted}': expected nothing after {first}")
    if first == SEAL and (count != 2 or not SEALED.fullmatch(act.words[1])):
        raise ActError(f"'{act.quoted}': expected a seal of sixty-four letters from a to p")
    if first == REVEAL and count < 3:
        raise ActError(f"'{act.quoted}': expected the salt and the rule")
    if first == REVEAL:
        try:
            Secret.parse(" ".join(act.words[2:]))
        except SecretError as error:
            raise ActError(f"'{act.quoted}': {error}") from error
