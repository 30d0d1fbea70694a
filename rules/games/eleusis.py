"""Eleusis: the dealer alone knows which cards may be played, and the others find it out.

The dealer takes no cards. The others get fourteen each, and a starter is turned up. In turn from
the dealer's left a player lays a card, or several as a string, and the dealer calls the whole right
or wrong: right cards go on the mainline, wrong ones to the sideline, and two cards for each wrong
one are dealt to the player. Who believes to have no card shows the hand: with reason it is changed
for one of four cards less (with four or fewer the hand ends), otherwise the dealer plays a card
from it and deals five. Behind their own turn a player may become prophet, once a hand, while two
others are in: the prophet calls, and the dealer says whether that was correct. A false prophet
takes five cards and plays on, and the player on whose cards it fell is not punished. Wrong plays
expel from the fortieth card of the mainline on, or while a prophet serves from the thirtieth card
behind the marker. The hand ends when one has no cards, or all but the prophet are expelled. Each
scores what the longest hand has more; the prophet a point for each right card behind the marker and
two for each wrong one; the dealer as much as the best, or if there is a prophet twice the cards
before the marker, if that is less. Everybody deals once.

The dealer may tell the device the rule beforehand; the record holds its seal, and the rule follows
at the end. Or the dealer keeps it (``declare own``) and judges alone. As a variant Eleusis Express:
twelve cards, no strings, prophets and expulsions, one card less after no-play, two cards for a
wrong one, and whoever guesses the rule after a right card ends the hand: twelve points less one for
each card left, three for an empty hand and six for the guess.

The beginning of a hand's record (the dealer at seat 3)::

    [Game "eleusis"]
    [Seats "3"]
    [Dealer "3"]

    declare seal gkkngfaapgnkbcpfkeijphjdebmkgahkceidbmgglcednnnbhnmjplbbdcfmbfgb
    deal 1 ?? ?? ?? ?? ?? ?? ?? ?? ?? ?? ?? ?? ?? ??
    deal 2 ?? ?? ?? ?? ?? ?? ?? ?? ?? ?? ?? ?? ?? ??
    deal main 5H
    1 play 6S
    judge right
    2 play 7C
    judge wrong
    deal 2 ?? ??

Verbs: ``declare seal LETTERS``, ``declare own``, ``deal``, ``play CARD…`` (in order), ``judge
right|wrong`` (by the dealer, or a prophet's seat), ``judge correct|false`` (of the prophet's call),
``declare no-play``, ``show CARD…`` (the hand without a card to play), ``move SEAT main CARD`` (the
dealer plays one of it), ``declare prophet``, ``declare guess``, ``declare reveal SALT RULE``,
``clear``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import combinations
from typing import Any, ClassVar

from rules.acts import Act, Verb
from rules.cards import Card, Deck
from rules.dealing import Batch, check_dealer, next_batch, rounds
from rules.errors import ActError, SecretError
from rules.frozen import replace
from rules.game import Game, house_rule
from rules.phrases import Phrase
from rules.scoring import fresh_sheet, leaders, totals
from rules.secret import OPEN, OPEN_SEALS, Secret, opened, seal
from rules.spots import DECK, Face, Move, Shape, Spot, Trace
from rules.start import Start
from rules.state import CLEARING, State
from rules.stock import known, packs, singles
from rules.turn import Awaited, Turn

MAIN, SIDE, PLAYED = "main", "side", "played"
NO_PLAY, PROPHET, GUESS, OWN = ("no-play",), ("prophet",), ("guess",), ("own",)
RIGHT, WRONG, CORRECT, FALSE = ("right",), ("wrong",), ("correct",), ("false",)
SEAL, REVEAL = "seal", "reveal"
STRINGS = 3
"""The longest strings that are listed; longer ones are admitted."""
LATE_MAIN, LATE_MARKER = 40, 30
"""From so many cards on a wrong play expels: on the mainline, or behind a prophet's marker."""
FALSE_PROPHET = 5
FEW = 5
"""With more cards a player who has not found the rule would rather play one."""
LINE, SIDELINE, STRING = 100, 90, 14
SEALED = re.compile("[a-p]{64}")
ROUND = "dealt"
"""The note that says how many have dealt before."""


@dataclass(frozen=True, slots=True)
class Judged:
    """A judgement: of what was played or of a hand without a play, behind how long a line."""

    act: int
    line: int
    cards: tuple[Card, ...]
    play: bool
    right: bool
    known: bool
    """Whether the device knew the rule when it was given."""


@dataclass(frozen=True, kw_only=True)
class EleusisState(State):
    """What Eleusis keeps track of."""

    sealed: str = ""
    own: bool = False
    """Whether the dealer keeps the rule and judges alone."""
    actor: int | None = None
    player: int | None = None
    """Whose cards are to be judged."""
    pending: tuple[Card, ...] = ()
    """Those cards: what was played, or a hand that was shown."""
    at: int = 0
    """How long the mainline was before them."""
    exposed: int | None = None
    """How many cards a hand without a play had, until it is judged."""
    misplayed: int | None = None
    """The penalty for a hand that had a play, until the dealer has played from it."""
    last: int | None = None
    """Who has just finished a turn, and may become prophet or guess."""
    just_right: bool = False
    guessing: int | None = None
    guessed: int | None = None
    said: str = ""
    """What the prophet called, until the dealer confirms it."""
    owing: tuple[tuple[int, int], ...] = ()
    """Cards to be dealt: to whom and how many."""
    prophet: int | None = None
    marker: tuple[int, int] = (0, 0)
    """How many cards the mainline and the sideline had when the prophet was declared."""
    served: frozenset[int] = frozenset()
    expelled: frozenset[int] = frozenset()
    judged: tuple[Judged, ...] = ()
    out: int | None = None
    """Who has played the last card of a hand."""
    dealt: bool = False
    ended: bool = False
    settled: bool = False

    @property
    def players(self) -> tuple[int, ...]:
        """Everybody but the dealer, from the dealer's left on."""
        return self.start.following(self.dealer)

    @property
    def active(self) -> tuple[int, ...]:
        """Who takes turns."""
        return tuple(s for s in self.players if s not in self.expelled and s != self.prophet)

    def hand(self, seat: int) -> tuple[Card, ...]:
        """The cards of `seat`, as far as they are known."""
        return self.table.cards(str(seat))

    def covered(self, seat: int) -> tuple[Card, ...]:
        """Those that have not been shown."""
        return tuple(laid.card for laid in self.table.at(str(seat)) if not laid.up)

    @property
    def line(self) -> tuple[Card, ...]:
        """The mainline, the starter first."""
        return self.table.cards(MAIN)

    @property
    def lying(self) -> tuple[int, int]:
        """How many cards the mainline and the sideline have."""
        return len(self.line), len(self.table.at(SIDE))

    @property
    def rule(self) -> Secret | None:
        """The rule, if this device was told it."""
        return opened(self.sealed)

    @property
    def truth(self) -> bool | None:
        """Whether what is to be judged is right; None where the device cannot know."""
        line = self.line[: self.at]
        if self.rule is None or not self.pending or not known((*line, *self.pending)):
            return None
        return is_right(self.rule, line, self.pending, play=self.exposed is None)

    def after(self, seat: int) -> int | None:
        """Who plays behind `seat`."""
        return next((s for s in self.start.following(seat) if s in self.active), None)


@dataclass(frozen=True)
class Eleusis(Game[EleusisState]):
    """Eleusis with its house rules.

    >>> [rule.text for rule in Eleusis().house_rules()]
    ['no', '4', '0', '0', 'both']
    """

    name: ClassVar[str] = "eleusis"
    players: ClassVar[range] = range(3, 10)
    vocabulary: ClassVar[frozenset[Verb]] = frozenset(
        {Verb.DECLARE, Verb.DEAL, Verb.PLAY, Verb.JUDGE, Verb.SHOW}
    )
    variants: ClassVar[Mapping[str, Mapping[str, Any]]] = {"express": {"express": True}}
    carries: ClassVar[frozenset[Verb]] = frozenset({Verb.JUDGE})

    express: bool = house_rule(False, "Eleusis Express: one card a turn, no prophets, guesses.")
    packs: int = house_rule(4, "The packs that are ready, two of them to begin.", choices=(2, 3, 4))
    string_most: int = house_rule(
        0, "The longest string that may be played; 0 for any.", choices=(0, 4)
    )
    out_bonus: int = house_rule(0, "Points for an empty hand.", choices=(0, 4))
    marker_counts: str = house_rule(
        "both",
        "The cards before the marker are those of both lines, or of the mainline only.",
        choices=("both", "main"),
    )

    def deck(self, start: Start) -> Deck:
        """All packs that are ready."""
        return packs(self.packs)

    def spots(self, start: Start) -> tuple[Spot, ...]:
        """Hands, the two lines, and a place for what is to be judged."""
        return table_spots(start.seats)

    def open(self, start: Start) -> EleusisState:
        """Before the dealer says which rule it is."""
        check_dealer(self, start)
        return EleusisState(game=self, start=start, limits=start.limits)

    def phase(self, state: EleusisState) -> str:
        """Choosing, dealing, playing, judging, revealing or scored."""
        if state.settled:
            return "scored"
        if not state.sealed and not state.own:
            return "choosing"
        if not state.dealt:
            return "dealing"
        if state.ended:
            return "revealing"
        return "judging" if state.pending or state.guessing else "playing"

    def batches(self, state: EleusisState) -> tuple[Batch, ...]:
        """Fourteen cards each, or twelve, and the starter."""
        hands = rounds(state.players, 12 if self.express else 14)
        return (*hands, Batch(MAIN, 1, down=False, says=Phrase("eleusis.turn.starter")))

    def turn(self, state: EleusisState) -> Turn:
        """What comes in each phase."""
        match self.phase(state):
            case "scored":
                return Turn((CLEARING,))
            case "choosing":
                return Turn(tuple(_choosing()))
            case "dealing":
                due = next_batch(state, self.batches(state))
                return Turn((due,) if due else (CLEARING,))
        if state.owing and state.remaining:
            return Turn((_penalty(state),))
        if state.ended:
            return Turn(tuple(_revealing(state)))
        if state.misplayed is not None:
            return Turn((_misplay(state),))
        if state.pending or state.guessing:
            return Turn((_judgement(state),))
        return Turn(tuple(self._playing(state)) or (CLEARING,), tuple(self._liberties(state)))

    def _playing(self, state: EleusisState) -> Iterator[Awaited]:
        if state.actor is None:
            return
        who, hand = (state.actor,), state.hand(state.actor)
        if state.exposed is not None:
            cards = state.covered(state.actor)
            says = Phrase.of("turn.show", seat=state.actor)
            yield Awaited(Verb.SHOW, says, who, pick=len(cards), among=cards)
            return
        says = Phrase.of("eleusis.turn.play", seat=state.actor)
        rule = state.rule if state.sealed in OPEN_SEALS else None
        longest = 1 if self.express else self.string_most or STRING
        for size in range(1, min(len(hand), longest) + 1):
            plays = _plays(rule, state.line, hand, size)
            yield Awaited(Verb.PLAY, says, who, pick=size, among=hand, handfuls=plays,
                          required=size == 1)  # fmt: skip
        yield Awaited(Verb.DECLARE, says, who, words=(NO_PLAY,), required=False)

    def _liberties(self, state: EleusisState) -> Iterator[Awaited]:
        """Becoming prophet, or guessing, behind one's own turn."""
        if state.last is None or state.exposed is not None:
            return
        who = (state.last,)
        if self.express and state.just_right:
            says = Phrase.of("eleusis.turn.guess", seat=state.last)
            yield Awaited(Verb.DECLARE, says, who, words=(GUESS,), required=False)
        if not self.express and self._may_prophesy(state, state.last):
            says = Phrase.of("eleusis.turn.prophet", seat=state.last)
            yield Awaited(Verb.DECLARE, says, who, words=(PROPHET,), required=False)

    def _may_prophesy(self, state: EleusisState, seat: int) -> bool:
        """One at a time, once a hand, and with two others in."""
        alone = state.prophet is None and seat not in state.served
        return alone and seat in state.active and len(state.active) >= 3

    # What acts mean and where cards go.

    def verify(self, state: EleusisState, act: Act) -> None:
        """Words that are known here, cards that can be judged."""
        if act.verb in (Verb.PLAY, Verb.SHOW):
            if act.seat is None or not act.cards:
                raise ActError(f"'{act}': a seat and cards expected")
            if act.down or not all(card.known for card in act.cards):
                raise ActError(f"'{act}': cards that say rank and suit expected, as QS")
        if act.verb is Verb.JUDGE and act.words not in (RIGHT, WRONG, CORRECT, FALSE):
            raise ActError(f"'{act}': right or wrong expected, or correct or false of a prophet")
        if act.verb is Verb.DECLARE:
            _verify_words(act)

    def route(self, state: EleusisState, act: Act) -> tuple[str, str]:
        """What is played waits for its judgement."""
        if act.verb is Verb.PLAY:
            return str(act.seat), PLAYED
        return super().route(state, act)

    def trace(self, state: EleusisState, act: Act) -> Trace:
        """The dealer's word puts cards where they belong."""
        if act.verb is not Verb.JUDGE:
            return super().trace(state, act)
        right, hand = verdict(state, act), str(state.player)
        if right is None:
            return ()
        if state.exposed is None:
            played = state.table.cards(PLAYED)
            return tuple(Move(card, PLAYED, MAIN if right else SIDE) for card in played)
        laid = state.table.at(hand)
        if right:
            return tuple(Move(one.card, hand, DECK, one.up) for one in laid)
        return tuple(Move(one.card, hand, hand, False) for one in laid if one.up)

    def conceals(self, state: EleusisState, act: Act) -> str | None:
        """Nobody says to have no play with many cards, or with one that is known to be right."""
        if act.words != NO_PLAY or act.seat is None:
            return None
        hand = state.hand(act.seat)
        if state.rule is None:
            return "eleusis.no-play" if len(hand) > FEW else None
        if not known((*state.line, *hand)) or is_right(state.rule, state.line, hand, play=False):
            return None
        return "eleusis.no-play"

    def effect(self, state: EleusisState, act: Act) -> EleusisState:
        """What each act brings about; a stock that is out owes nobody anything."""
        after = state if state.settled else self._done(state, act)
        if after.settled or not after.dealt or after.remaining:
            return after
        after = replace(after, owing=())
        stuck = after.actor and after.player is None and not after.hand(after.actor)
        return self._over(replace(after, out=after.actor)) if stuck and not after.ended else after

    def _done(self, state: EleusisState, act: Act) -> EleusisState:
        match act.verb:
            case Verb.DECLARE:
                return self._declared(state, act)
            case Verb.DEAL:
                return self._dealt(state, act)
            case Verb.PLAY if state.player is None and state.dealt and not state.ended:
                cards, at = state.table.cards(PLAYED), len(state.line)
                return _told(replace(state, player=act.seat, pending=cards, at=at, last=None))
            case Verb.SHOW if state.exposed is not None and act.seat == state.player:
                return self._shown(state, act.seat or 0)
            case Verb.JUDGE:
                return self._judgement(state, act)
            case Verb.MOVE if state.misplayed is not None and act.to == MAIN:
                return self._misplay(state, act)
        return state

    def _shown(self, state: EleusisState, seat: int) -> EleusisState:
        if state.covered(seat):
            return state
        return _told(replace(state, pending=state.hand(seat), at=len(state.line)))

    def _dealt(self, state: EleusisState, act: Act) -> EleusisState:
        if not state.dealt:
            if next_batch(state, self.batches(state)) is not None:
                return state
            return replace(state, dealt=True, actor=state.players[0])
        owing = dict(state.owing)
        for seat in state.players:
            if act.spot == str(seat) and seat in owing:
                owing[seat] -= len(act.cards)
        return replace(state, owing=tuple((s, n) for s, n in owing.items() if n > 0))

    def _declared(self, state: EleusisState, act: Act) -> EleusisState:
        if act.words[0] == SEAL or act.words == OWN:
            fresh = not state.sealed and not state.own and not state.dealt
            sealed = act.words[1] if act.words != OWN else ""
            return replace(state, sealed=sealed, own=not sealed) if fresh else state
        if act.words[0] == REVEAL:
            return self._revealed(state, act)
        if act.words == NO_PLAY and act.seat == state.actor and state.player is None:
            hand = len(state.hand(act.seat or 0))
            return replace(state, player=act.seat, exposed=hand, last=None)
        if act.seat is None or act.seat != state.last:
            return state
        if act.words == GUESS and self.express and state.just_right:
            return replace(state, guessing=act.seat, last=None)
        if act.words == PROPHET and not self.express and self._may_prophesy(state, act.seat):
            after = replace(state, prophet=act.seat, marker=state.lying, last=None)
            after = replace(after, served=state.served | {act.seat})
            if after.actor == act.seat:
                after = replace(after, actor=after.after(act.seat))
            return after.call("eleusis.prophet", seat=act.seat)
        return state

    # Judging.

    def _judgement(self, state: EleusisState, act: Act) -> EleusisState:
        """A guess, a prophet's call, or the dealer's word; its cards have moved already."""
        if state.guessing is not None:
            return self._guessed(state, act)
        if act.seat is not None:
            calls = act.seat == state.prophet and not state.said and act.words in (RIGHT, WRONG)
            return replace(state, said=act.words[0]) if calls and state.pending else state
        right = verdict(state, act)
        if right is None or state.player is None:
            return state
        rested = replace(state, pending=(), player=None, exposed=None, said="", just_right=right)
        after = replace(rested, judged=(*state.judged, _entry(state, right)))
        fallen = state.prophet if act.words == FALSE else None
        if fallen is not None:
            after = _owing(after, fallen, FALSE_PROPHET)
            after = replace(after, prophet=None).call("eleusis.false-prophet", seat=fallen)
        if state.exposed is None:
            return self._played(state, after, right, immune=fallen is not None)
        return self._exposed(state, after, right, immune=fallen is not None)

    def _guessed(self, state: EleusisState, act: Act) -> EleusisState:
        if act.seat is not None or act.words not in (RIGHT, WRONG):
            return state
        right = act.words == RIGHT
        after = replace(state, guessing=None, guessed=state.guessing if right else None)
        return self._over(after) if right else after

    def _played(
        self, before: EleusisState, state: EleusisState, right: bool, *, immune: bool
    ) -> EleusisState:
        """A right play goes on the line; a wrong one is punished unless a prophet fell over it."""
        seat = before.player
        assert seat is not None
        if right or immune:
            return self._passed(state, seat)
        after = self._expelling(state, before, seat, len(before.pending))
        return self._passed(_owing(after, seat, 2 * len(before.pending)), seat)

    def _exposed(
        self, before: EleusisState, state: EleusisState, right: bool, *, immune: bool
    ) -> EleusisState:
        """A hand without a play is changed; from another the dealer plays a card."""
        seat, held = before.player, before.exposed or 0
        assert seat is not None
        fewer = 1 if self.express else 4
        if right and held <= fewer:
            return self._over(state)
        if right:
            return self._passed(_owing(state, seat, held - fewer), seat)
        penalty = 0 if immune else 2 if self.express else 5
        after = state if immune else self._expelling(state, before, seat, 0)
        return replace(after, misplayed=penalty, player=seat)

    def _misplay(self, state: EleusisState, act: Act) -> EleusisState:
        """The dealer has played a card of a hand that had one."""
        seat, line = state.player, state.line[:-1]
        assert seat is not None
        after = replace(state, misplayed=None, player=None, just_right=False)
        rule = state.rule
        if rule is not None and known(state.line) and not rule.allows(line, act.card):
            after = after.flag("eleusis.judgement", cards=act.cards)
        return self._passed(_owing(after, seat, state.misplayed or 0), seat)

    def _expelling(
        self, state: EleusisState, before: EleusisState, seat: int, wrong: int
    ) -> EleusisState:
        """Late in the hand a wrong play is the last one."""
        main, side = state.lying
        if before.prophet is not None:
            late = main + side - wrong - sum(state.marker) >= LATE_MARKER
        else:
            late = main >= LATE_MAIN
        if self.express or not late:
            return state
        return replace(state, expelled=state.expelled | {seat}).call("eleusis.expelled", seat=seat)

    def _passed(self, state: EleusisState, seat: int) -> EleusisState:
        """The next player's turn, unless this one has no cards, or nobody is left."""
        served = seat in dict(state.owing) and state.remaining
        if not state.hand(seat) and not served:
            return self._over(replace(state, out=seat))
        after = replace(state, last=seat)
        if seat == state.actor or state.actor not in state.active:
            after = replace(after, actor=after.after(seat))
        return after if after.active else self._over(after)

    # The end.

    def _over(self, state: EleusisState) -> EleusisState:
        after = replace(state, ended=True, actor=None, last=None, misplayed=None)
        return self._scored(after) if state.own else after

    def _revealed(self, state: EleusisState, act: Act) -> EleusisState:
        """The rule comes to light, and with it every judgement that nobody could check."""
        text = " ".join(act.words[2:])
        if not state.ended or not state.sealed:
            return state
        after = state
        if seal(act.words[1], text) != state.sealed:
            after = after.flag("eleusis.seal")
        else:
            rule = Secret.parse(text)
            for one in state.judged:
                line = state.line[: one.line]
                if one.known or not known((*line, *one.cards)):
                    continue
                if is_right(rule, line, one.cards, play=one.play) is not one.right:
                    after = after.flag("eleusis.judgement", since=one.act, cards=one.cards)
        return self._scored(after)

    def _scored(self, state: EleusisState) -> EleusisState:
        held = {seat: len(state.hand(seat)) for seat in state.players}
        after = state
        for seat in state.players:
            points = 12 - held[seat] if self.express else max(held.values()) - held[seat]
            after = after.score(seat, points, "eleusis.hand")
        bonus = 3 if self.express else self.out_bonus
        if state.out is not None and bonus:
            after = after.score(state.out, bonus, "eleusis.out")
        if state.guessed is not None:
            after = after.score(state.guessed, 6, "eleusis.guess")
        if state.prophet is not None:
            main, side = (now - then for now, then in zip(state.lying, state.marker, strict=True))
            after = after.score(state.prophet, main + 2 * side, "eleusis.prophet")
        best = max(after.settlement.scores.get(seat, 0) for seat in state.players)
        after = after.score(state.dealer, self._dealers(state, best), "eleusis.dealer")
        return self._last_round(replace(after, settled=True))

    def _dealers(self, state: EleusisState, best: int) -> int:
        """As much as the best player, if the prophet did not come too early."""
        if state.prophet is None:
            return best
        main, side = state.marker
        before = main - 1 + (side if self.marker_counts == "both" else 0)
        return min(best, 2 * before)

    def _last_round(self, state: EleusisState) -> EleusisState:
        if rounds_dealt(state.start) + 1 < len(state.start.seats):
            return state
        best = leaders(totals(state), state.start.seats)
        return state.call("eleusis.match", seats=best)

    def follow(self, state: EleusisState) -> Start:
        """The next one deals; when everybody has, a new match begins."""
        start = super().follow(state)
        if state.void:
            return start
        start = replace(start, dealer=start.after(state.dealer))
        dealt = rounds_dealt(state.start) + 1
        if dealt < len(start.seats):
            return start.noting(**{ROUND: str(dealt)})
        notes = tuple(note for note in start.notes if note[0] != ROUND)
        return fresh_sheet(replace(start, notes=notes))


def rounds_dealt(start: Start) -> int:
    """How many have dealt before in this match."""
    written = start.note(ROUND, "0")
    return int(written) if written.isdecimal() else 0


def is_right(rule: Secret, line: tuple[Card, ...], cards: tuple[Card, ...], *, play: bool) -> bool:
    """Whether a play fits behind a line, or a hand holds nothing that does."""
    if play:
        return rule.allows_all(line, cards)
    return not any(rule.allows(line, card) for card in cards)


def verdict(state: EleusisState, act: Act) -> bool | None:
    """What the dealer's word says of the cards that wait for it; None if it says nothing."""
    if not state.pending or act.seat is not None or state.guessing is not None:
        return None
    if state.prophet is None:
        return act.words == RIGHT if act.words in (RIGHT, WRONG) else None
    if not state.said or act.words not in (CORRECT, FALSE):
        return None
    return (state.said == RIGHT[0]) is (act.words == CORRECT)


@cache
def table_spots(seats: tuple[int, ...]) -> tuple[Spot, ...]:
    """Hands and the two lines."""
    hands = (
        Spot("cards", owner=seat, capacity=LINE, shape=Shape.FAN, face=Face.DOWN, held=True)
        for seat in seats
    )
    lines = (Spot(MAIN, capacity=LINE), Spot(SIDE, capacity=SIDELINE, shape=Shape.FAN))
    return (*hands, *lines, Spot(PLAYED, capacity=STRING, shape=Shape.FAN))


def _entry(state: EleusisState, right: bool) -> Judged:
    told = state.truth is not None
    play = state.exposed is None
    return Judged(len(state.acts), state.at, state.pending, play, right, told)


def _owing(state: EleusisState, seat: int, count: int) -> EleusisState:
    """The state with cards to be dealt to `seat`."""
    owing = dict(state.owing)
    owing[seat] = owing.get(seat, 0) + count
    return replace(state, owing=tuple((s, n) for s, n in owing.items() if n))


def _told(state: EleusisState) -> EleusisState:
    """What the device calls by itself, unless a prophet serves."""
    truth = state.truth if state.prophet is None else None
    if truth is None:
        return state
    return state.call("eleusis.right" if truth else "eleusis.wrong", seat=state.player)


def _choosing() -> Iterator[Awaited]:
    """A seal, or the word that the dealer judges alone."""
    says = Phrase("eleusis.turn.rule")
    sealed = ((SEAL, one) for one in OPEN_SEALS)
    yield Awaited(Verb.DECLARE, says, words=(*sealed, OWN))
    yield Awaited(Verb.DECLARE, says, required=False)


def _penalty(state: EleusisState) -> Awaited:
    seat, count = state.owing[0]
    count = min(count, state.remaining)
    says = Phrase.of("turn.deal", seat=seat, count=count)
    return Awaited(Verb.DEAL, says, spots=(str(seat),), pick=count, down=True)


def _revealing(state: EleusisState) -> Iterator[Awaited]:
    """The rule behind the seal; one that was never secret is there to be listed."""
    says, text = Phrase("eleusis.turn.reveal"), OPEN_SEALS.get(state.sealed)
    if text is not None:
        yield Awaited(Verb.DECLARE, says, words=((REVEAL, OPEN, *text.split()),))
    else:
        yield Awaited(Verb.DECLARE, says)


def _misplay(state: EleusisState) -> Awaited:
    assert state.player is not None
    hand, rule = state.hand(state.player), state.rule
    says = Phrase.of("eleusis.turn.misplay", seat=state.player)
    if rule is not None and known((*state.line, *hand)):
        fits = [card for card in hand if rule.allows(state.line, card)]
    else:
        fits = list(hand)
    place = str(state.player)
    return Awaited(Verb.MOVE, says, spots=(place,), to=(MAIN,), pick=1, among=hand,
                   handfuls=singles(fits))  # fmt: skip


def _judgement(state: EleusisState) -> Awaited:
    """Who calls, and where the device knows it, what there is to call."""
    rule = "eleusis.judgement"
    if state.guessing is not None:
        says = Phrase.of("eleusis.turn.guessed", seat=state.guessing)
        return Awaited(Verb.JUDGE, says, words=(RIGHT, WRONG))
    if state.prophet is None:
        says = Phrase.of("eleusis.turn.judge", seat=state.player)
        words = (RIGHT, WRONG) if state.truth is None else ((RIGHT, WRONG)[not state.truth],)
        return Awaited(Verb.JUDGE, says, words=words, rule=rule)
    if not state.said:
        says = Phrase.of("eleusis.turn.call", seat=state.prophet)
        return Awaited(Verb.JUDGE, says, (state.prophet,), words=(RIGHT, WRONG))
    says = Phrase.of("eleusis.turn.confirm", seat=state.prophet)
    if state.truth is None:
        return Awaited(Verb.JUDGE, says, words=(CORRECT, FALSE))
    true = (state.said == RIGHT[0]) is state.truth
    return Awaited(Verb.JUDGE, says, words=(CORRECT if true else FALSE,), rule=rule)


def _plays(
    rule: Secret | None, line: tuple[Card, ...], hand: tuple[Card, ...], size: int
) -> tuple[tuple[Card, ...], ...]:
    """Single cards worth listing; of a rule that is no secret also strings, and something wrong."""
    if rule is None or not known((*line, *hand)):
        return singles(hand) if size == 1 else ()
    few = hand[: STRINGS + 1] if 1 < size <= STRINGS else hand if size == 1 else ()
    plays = dict.fromkeys(combinations(few, size))
    right = [cards for cards in plays if rule.allows_all(line, cards)]
    wrong = [cards for cards in plays if cards not in right] if size == 1 else []
    return (*right, *wrong[:1])


def _verify_words(act: Act) -> None:
    first, count = act.words[0] if act.words else "", len(act.words)
    if act.cards or first not in (SEAL, REVEAL, *OWN, *NO_PLAY, *PROPHET, *GUESS):
        raise ActError(f"'{act}': seal, own, no-play, prophet, guess or reveal expected")
    by_dealer = first in (SEAL, REVEAL, *OWN)
    if by_dealer is not (act.seat is None):
        raise ActError(f"'{act}': {'no seat' if by_dealer else 'a seat'} expected before declare")
    if first not in (SEAL, REVEAL) and count > 1:
        raise ActError(f"'{act}': nothing expected behind {first}")
    if first == SEAL and (count != 2 or not SEALED.fullmatch(act.words[1])):
        raise ActError(f"'{act}': a seal of sixty-four letters from a to p expected")
    if first == REVEAL and count < 3:
        raise ActError(f"'{act}': the salt and the rule expected")
    if first == REVEAL:
        try:
            Secret.parse(" ".join(act.words[2:]))
        except SecretError as error:
            raise ActError(f"'{act}': {error}") from error
