"""Eleusis: only the dealer knows which cards may be played, and the others try to find out.

The dealer takes no cards. The others get fourteen each, and a starter is turned up. In turn from
the dealer's left a player lays a card, or several as a string, and the dealer calls the whole right
or wrong: right cards go on the mainline, wrong ones to the sideline, and two cards for each wrong
one are dealt to the player. A player who thinks that no card fits shows the hand: if that is so, it
is exchanged for one four cards shorter (with four or fewer the hand ends); otherwise the dealer
plays a card from it and deals five. After their own turn a player may become prophet, once a hand,
while two others are in: the prophet makes the calls, and the dealer says whether each is correct. A
false prophet takes five cards and plays on, and the player whose cards exposed the prophet goes
unpunished. Wrong plays expel from the fortieth card of the mainline on or, while a prophet serves,
from the thirtieth card after the marker. The hand ends when somebody has no cards, or all but the
prophet are expelled. Each scores the difference to the longest hand; the prophet also a point for
each right card after the marker and two for each wrong one; the dealer as much as the best or, with
a prophet, twice the number of cards before the marker if that is less. Everybody deals once.

The dealer may give the device the rule beforehand; the record holds its seal, and the rule is
revealed at the end. Or the dealer keeps it (``declare own``) and judges alone. The variant Eleusis
Express has twelve cards, no strings, prophets or expulsions, one card less after no-play, and two
cards for a wrong one; whoever guesses the rule after a right card ends the hand: twelve points less
one for each card left, three for an empty hand and six for the guess.

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

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import ClassVar

from rules.acts import Act, Verb
from rules.cards import Deck
from rules.dealing import Batch, dealing, next_batch, rounds
from rules.frozen import replace
from rules.game import house_rule
from rules.judging.guessing import answered, guessing, may_guess
from rules.judging.judgedgame import JudgedGame, announced, brought_to_light
from rules.judging.lines import (
    ALL,
    FALSE,
    GUESS,
    MAIN,
    NO_PLAY,
    OWN,
    PLAYED,
    PROPHET,
    RIGHT,
    STRING,
    WRONG,
    JudgedState,
    choosing,
    decided,
    is_right,
    judging,
    line_spots,
    misplayed,
    misplaying,
    owing,
    penalties,
    plays,
    revealing,
    word_of,
)
from rules.judging.reckoning import Reckoning
from rules.judging.rounds import ROUND, recounted, rounds_dealt
from rules.phrases import Phrase
from rules.scoring import fresh_sheet, leaders, totals
from rules.secret import OPEN_SEALS, REVEAL, SEAL
from rules.spots import Spot
from rules.start import Start
from rules.state import CLEARING
from rules.stock import known, packs
from rules.turn import Awaited, Turn

LATE_MAIN, LATE_MARKER = 40, 30
"""Numbers of cards, on the mainline or after a prophet's marker, from which a wrong play expels."""
PACK = 52
FALSE_PROPHET = 5
EXPRESS_POINTS, EXPRESS_OUT = 12, 3
"""In Eleusis Express: the points of an empty hand, one less for each card left, and its bonus."""
FEW = 5
"""Hand size above which a player who has not found the rule would rather play a card."""


@dataclass(frozen=True)
class Eleusis(JudgedGame):
    """Eleusis with its house rules.

    >>> [rule.text for rule in Eleusis().house_rules()]
    ['no', '4', '0', '0', 'both', 'any']
    """

    name: ClassVar[str] = "eleusis"
    players: ClassVar[range] = range(3, 10)
    dealt: ClassVar[bool] = True
    vocabulary: ClassVar[frozenset[Verb]] = frozenset(
        {Verb.DECLARE, Verb.DEAL, Verb.PLAY, Verb.JUDGE, Verb.SHOW}
    )
    variants: ClassVar[Mapping[str, Mapping[str, object]]] = {"express": {"express": True}}
    carries: ClassVar[frozenset[Verb]] = frozenset({Verb.JUDGE})

    express: bool = house_rule(False, "Eleusis Express: one card a turn, no prophets, guesses.")
    packs: int = house_rule(4, "The packs that are ready, two of them to begin.", choices=(2, 3, 4))
    string_most: int = house_rule(
        0, "The longest string that may be played; 0 for any.", choices=(0, 4)
    )
    out_bonus: int = house_rule(0, "Points for an empty hand.", choices=(0, 4))
    marker_counts: str = house_rule(
        "both",
        "The cards before the marker are those of both lines or of the mainline only.",
        choices=("both", "main"),
    )
    guess: str = house_rule(
        "any",
        "After a right card any player may guess the rule, or only the one who played it.",
        choices=("any", "own"),
    )

    def deal_of(self, state: JudgedState) -> tuple[int, int]:
        """Everybody deals once."""
        return rounds_dealt(state.start) + 1, len(state.start.seats)

    def deck(self, start: Start) -> Deck:
        """The packs in play, and as many more as the deal and the starter need."""
        wanted = (len(start.seats) - 1) * self.dealt_each + 1
        return packs(max(self.packs, -(-wanted // PACK)))

    def spots(self, start: Start) -> tuple[Spot, ...]:
        """Hands, the two lines, and a place for cards to be judged."""
        return line_spots(start.seats)

    def open(self, start: Start) -> JudgedState:
        """Start before the dealer has chosen a rule."""
        self.check_start(start)
        start.number(ROUND, 0)
        return JudgedState(game=self, start=start, limits=start.limits)

    def phase(self, state: JudgedState) -> str:
        """Choosing, dealing, playing, judging, revealing or scored."""
        if state.settled:
            return "scored"
        if not state.dealt:
            begun = state.sealed or state.own or any(one.verb is Verb.DEAL for one in state.acts)
            return "dealing" if begun else "choosing"
        if state.ended:
            return "revealing"
        return "judging" if state.pending or state.guessing else "playing"

    @property
    def dealt_each(self) -> int:
        """The number of cards that each player gets."""
        return 12 if self.express else 14

    def batches(self, state: JudgedState) -> tuple[Batch, ...]:
        """Fourteen cards each, or twelve, and the starter."""
        hands = rounds(state.players, self.dealt_each)
        return (*hands, Batch(MAIN, 1, down=False, says=Phrase("eleusis.turn.starter")))

    def turn(self, state: JudgedState) -> Turn:
        """What is awaited in each phase."""
        match self.phase(state):
            case "scored" if state.guessing is None:
                return Turn((CLEARING,), tuple(self._guesses(state)))
            case "choosing" | "dealing":
                return replace(
                    dealing(state, self.batches(state)), interrupts=tuple(choosing(state))
                )
        if state.owes:
            return penalties(state)
        if state.ended and state.guessing is None:
            return Turn(tuple(revealing(state.sealed)), tuple(self._guesses(state)))
        if state.misplayed is not None:
            return Turn((misplaying(state),))
        if state.pending or state.guessing:
            return Turn((judging(state, "eleusis.judgement"),))
        liberties = (*self._liberties(state), *(choosing(state) if state.unplayed else ()))
        return Turn(tuple(self._playing(state)) or (CLEARING,), liberties)

    def _playing(self, state: JudgedState) -> Iterator[Awaited]:
        if state.actor is None:
            return
        who, hand = (state.actor,), state.hand(state.actor)
        if state.exposed is not None:
            cards = state.covered(state.actor)
            says, some = Phrase.of("turn.show", seat=state.actor), (1, len(cards))
            yield Awaited(Verb.SHOW, says, who, pick=len(cards), counts=some, among=cards)
            return
        says = Phrase.of("eleusis.turn.play", seat=state.actor)
        rule = state.rule if state.sealed in OPEN_SEALS else None
        longest = 1 if self.express else self.string_most or STRING
        for size in range(1, min(len(hand), longest) + 1):
            listed = plays(rule, state.line, hand, size)
            counts = (size, ALL) if size == STRING else None
            yield Awaited(Verb.PLAY, says, who, pick=size, counts=counts, among=hand,
                          handfuls=listed, required=size == 1)  # fmt: skip
        yield Awaited(Verb.DECLARE, says, who, words=(NO_PLAY,), required=False)

    def _liberties(self, state: JudgedState) -> Iterator[Awaited]:
        """Become prophet after one's own turn, or guess after any right card."""
        yield from self._guesses(state)
        if state.last is None or state.exposed is not None:
            return
        who = (state.last,)
        if not self.express and state.may_prophesy(state.last):
            says = Phrase.of("eleusis.turn.prophet", seat=state.last)
            yield Awaited(Verb.DECLARE, says, who, words=(PROPHET,), required=False)

    def _guesses(self, state: JudgedState) -> Iterator[Awaited]:
        """A guess, possible until the next play is laid, even after the last card of a hand."""
        yield from guessing(self._guessing(state))

    def _guessing(self, state: JudgedState) -> tuple[int, ...]:
        """The seats that may guess the rule, which only Eleusis Express allows."""
        return may_guess(state, own=self.guess == "own") if self.express else ()

    # What acts mean and where cards go.

    def conceals(self, state: JudgedState, act: Act) -> str | None:
        """Whether no-play is claimed with many cards in hand, or with one known to be right."""
        if act.words != NO_PLAY or act.seat is None:
            return None
        hand = state.hand(act.seat)
        if state.rule is None:
            return "eleusis.no-play" if len(hand) > FEW else None
        if not known((*state.line, *hand)) or is_right(state.rule, state.line, hand, play=False):
            return None
        return "eleusis.no-play"

    def effect(self, state: JudgedState, act: Act) -> JudgedState:
        """Apply the act's consequences; once the stock is out, nobody is owed a card.

        Without a seal nothing has to be revealed: the hand is scored as soon as nobody is owed a
        card.
        """
        after = self._done(state, act)
        if after.settled or not after.dealt:
            return after
        if not after.remaining:
            after = replace(after, owing=())
            stuck = after.actor and after.player is None and not after.hand(after.actor)
            if stuck and not after.ended:
                after = self._over(replace(after, out=after.actor))
        scored = after.ended and not after.sealed and not after.owes
        return self._scored(after) if scored else after

    def _done(self, state: JudgedState, act: Act) -> JudgedState:
        if state.settled and act.words != GUESS and state.guessing is None:
            return state
        match act.verb:
            case Verb.DECLARE:
                return self._declared(state, act)
            case Verb.DEAL:
                return self._dealt(state, act)
            case Verb.PLAY if state.player is None and state.dealt and not state.ended:
                cards, at = state.table.cards(PLAYED), len(state.line)
                laid = replace(state, player=act.seat, pending=cards, at=at, last=None)
                return announced(replace(laid, just_right=False))
            case Verb.SHOW if state.exposed is not None and act.seat == state.player:
                return self._shown(state, act.seat or 0)
            case Verb.JUDGE:
                return self._judgement(state, act)
            case Verb.MOVE if state.misplayed is not None and act.to == MAIN:
                after, seat = misplayed(state, act), state.player or 0
                return self._passed(owing(after, seat, state.misplayed or 0), seat)
        return state

    def _shown(self, state: JudgedState, seat: int) -> JudgedState:
        if state.covered(seat):
            return state
        return announced(replace(state, pending=state.hand(seat), at=len(state.line)))

    def _dealt(self, state: JudgedState, act: Act) -> JudgedState:
        if not state.dealt:
            if next_batch(state, self.batches(state)) is not None:
                return state
            after = replace(state, dealt=True, actor=state.players[0])
            return after if after.sealed or after.own else after.call("eleusis.untold")
        seat = next((seat for seat in state.players if act.spot == str(seat)), None)
        return state if seat is None else owing(state, seat, -len(act.cards))

    def _declared(self, state: JudgedState, act: Act) -> JudgedState:
        if act.words[0] == SEAL or act.words == OWN:
            if state.sealed or not state.unplayed:
                return state
            sealed = act.words[1] if act.words != OWN else ""
            after = replace(state, sealed=sealed, own=not sealed)
            return after.call("eleusis.sealed" if sealed else "eleusis.own")
        if act.words[0] == REVEAL:
            return self._revealed(state, act)
        if act.words == NO_PLAY and act.seat == state.actor and state.player is None:
            hand = len(state.hand(act.seat or 0))
            return replace(state, player=act.seat, exposed=hand, last=None, just_right=False)
        if act.words == GUESS and act.seat in self._guessing(state) and state.guessing is None:
            return replace(state, guessing=act.seat)
        if act.seat is None or act.seat != state.last:
            return state
        if act.words == PROPHET and not self.express and state.may_prophesy(act.seat):
            after = replace(state, prophet=act.seat, marker=state.lying, last=None)
            after = replace(after, served=state.served | {act.seat})
            if after.actor == act.seat:
                after = replace(after, actor=after.after(act.seat))
            return after.call("eleusis.prophet", seat=act.seat)
        return state

    # Judging.

    def _judgement(self, state: JudgedState, act: Act) -> JudgedState:
        """Handle a guess, a prophet's call or the dealer's call; its cards have already moved."""
        if state.guessing is not None:
            return self._guessed(state, act)
        if act.seat is not None:
            calls = act.seat == state.prophet and not state.said and act.words in (RIGHT, WRONG)
            called = calls and state.pending
            return announced(replace(state, said=act.words[0])) if called else state
        right = word_of(state, act)
        if right is None or state.player is None:
            return state
        after = decided(state, right)
        fallen = state.prophet if act.words == FALSE else None
        if fallen is not None:
            after = owing(after, fallen, FALSE_PROPHET)
            after = replace(after, prophet=None).call("eleusis.false-prophet", seat=fallen)
        if state.exposed is None:
            return self._played(state, after, right, immune=fallen is not None)
        return self._exposed(state, after, right, immune=fallen is not None)

    def _guessed(self, state: JudgedState, act: Act) -> JudgedState:
        """Note the answer to a guess; a right one ends the hand, or is scored after its end."""
        after = answered(state, act)
        if after.guessed is None:
            return after
        return self._scored(after) if state.settled else self._over(after)

    def _played(
        self, before: JudgedState, state: JudgedState, right: bool, *, immune: bool
    ) -> JudgedState:
        """Put a right play on the line; punish a wrong one unless it exposed a false prophet."""
        seat = before.player
        assert seat is not None
        if right or immune:
            return self._passed(state, seat)
        after = self._expelling(state, before, seat, len(before.pending))
        return self._passed(owing(after, seat, 2 * len(before.pending)), seat)

    def _exposed(
        self, before: JudgedState, state: JudgedState, right: bool, *, immune: bool
    ) -> JudgedState:
        """Exchange a hand without a play; from any other hand the dealer has to play a card."""
        seat, held = before.player, before.exposed or 0
        assert seat is not None
        fewer = 1 if self.express else 4
        if right and held <= fewer:
            return self._over(replace(state, out=seat) if self.express else state)
        if right:
            return self._passed(owing(state, seat, held - fewer), seat)
        penalty = 0 if immune else 2 if self.express else 5
        after = state if immune else self._expelling(state, before, seat, 0)
        return replace(after, misplayed=penalty, player=seat)

    def _expelling(
        self, state: JudgedState, before: JudgedState, seat: int, wrong: int
    ) -> JudgedState:
        """Late in the hand, expel the player of a wrong card."""
        main, side = state.lying
        if before.prophet is not None:
            late = main + side - wrong - sum(state.marker) >= LATE_MARKER
        else:
            late = main >= LATE_MAIN
        if self.express or not late:
            return state
        return replace(state, expelled=state.expelled | {seat}).call("eleusis.expelled", seat=seat)

    def _passed(self, state: JudgedState, seat: int) -> JudgedState:
        """Pass the turn on, unless this player has no cards or nobody is left."""
        served = seat in dict(state.owing) and state.remaining
        if not state.hand(seat) and not served:
            return self._over(replace(state, out=seat))
        after = replace(state, last=seat)
        if seat == state.actor or state.actor not in state.active:
            after = replace(after, actor=after.after(seat))
        return after if after.active else self._over(after)

    # The end.

    def _over(self, state: JudgedState) -> JudgedState:
        return replace(state, ended=True, actor=None, last=None, misplayed=None)

    def _revealed(self, state: JudgedState, act: Act) -> JudgedState:
        """Reveal the rule, and judge every call that nobody could check."""
        text = " ".join(act.words[2:])
        if not state.ended or not state.sealed:
            return state if state.sealed or not state.unplayed else state.flag("not-now")
        return self._scored(brought_to_light(state, act, text))

    def _scored(self, state: JudgedState) -> JudgedState:
        after = replace(self.reckoning.scored(state), settled=True)
        return self._last_round(after)

    @property
    def reckoning(self) -> Reckoning:
        """How a hand is reckoned up by these house rules."""
        if self.express:
            return Reckoning(full=EXPRESS_POINTS, out=EXPRESS_OUT)
        return Reckoning(out=self.out_bonus, both_lines=self.marker_counts == "both")

    def _last_round(self, state: JudgedState) -> JudgedState:
        if rounds_dealt(state.start) + 1 < len(state.start.seats):
            return state
        best = leaders(totals(state), state.start.seats)
        return state.call("eleusis.match", seats=best)

    def follow(self, state: JudgedState) -> Start:
        """Pass the deal on; when everybody has dealt, a new match begins."""
        start = super().follow(state)
        if state.void:
            return start
        start = replace(start, dealer=start.after(state.dealer))
        dealt = rounds_dealt(state.start) + 1
        if dealt < len(start.seats):
            return start.noting(**{ROUND: str(dealt)})
        return fresh_sheet(start, ROUND)

    def adjusted(self, start: Start, before: Start) -> Start:
        """Count whom the deal has passed among those who are at the table now."""
        return recounted(start, before)
