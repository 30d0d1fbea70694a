"""One moment of a hand, and how an act leads to the next.

`State.play` is the only entrance: it verifies the act (an act without meaning raises), moves its
cards by its trace, lets the game apply the consequences, and leaves a `Violation` if the act was
irregular. States are never changed; undo is replay.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import ClassVar, Self

from rules import chips
from rules.acts import Act, Verb
from rules.announced import announced, incomplete
from rules.cards import Card
from rules.counting import counted
from rules.errors import ActError
from rules.frozen import replace
from rules.game import AnyGame
from rules.phrases import Phrase, Value
from rules.resume import taken_up
from rules.secret import NOTHING, Secrets
from rules.settlement import Payment, Points, Settlement
from rules.spots import Spot, Table, Trace
from rules.start import Start
from rules.traces import TRACES
from rules.turn import Awaited, Turn
from rules.verifying import verify_words
from rules.violations import Ruling, Violation

ANY_TIME = frozenset({Verb.RULE, Verb.MISDEAL, Verb.RESUME, Verb.POT})
"""The dealer's own verbs, which no turn has to await."""
NAMING = frozenset({Verb.BET, Verb.WITHDRAW, Verb.DECLARE, Verb.CUT})
"""The verbs that name cards without moving them."""
CARRYING = frozenset({Verb.GATHER, Verb.FOLD})
"""The verbs that move all cards at a spot without naming them."""
UNNAMED = frozenset(
    {"not-now", "wrong-place", "wrong-card", "wrong-count", "wrong-word", "beyond-limits"}
)
"""Fallback identifiers for violations that the turn cannot name more precisely."""
CLEARING = Awaited(Verb.CLEAR, Phrase("turn.clear"))
GIVEN_UP = replace(CLEARING, required=False)
"""The end of a resumed hand: the players settle whatever is missing."""


@dataclass(frozen=True, kw_only=True)
class State:
    """One moment of a hand; each game adds what it keeps track of.

    It works with a *world* record, in which every card is known, as well as with a *table* record,
    in which hidden ones are ``??``.
    """

    game: AnyGame
    start: Start
    table: Table = field(default_factory=Table)
    acts: tuple[Act, ...] = ()
    violations: tuple[Violation, ...] = ()
    calls: tuple[Phrase, ...] = ()
    """What a dealer would call after the last act."""
    payments: tuple[Payment, ...] = ()
    points: tuple[Points, ...] = ()
    """The points scored in this hand."""
    limits: tuple[int, int] | None = None
    void: bool = False
    """Whether the hand was misdealt, so that nobody wins or loses."""
    over: bool = False
    anew: bool = False
    """Whether the hand was resumed from the table, so that part of it went unseen."""
    adrift: int = 0
    """The chips in the pot of a resumed hand that no act accounts for, by the dealer's count."""
    secrets: Secrets = NOTHING
    """Secrets known to whoever keeps this record; passed in from outside, never by an act."""
    _spots: dict[str, Spot] = field(default_factory=dict, repr=False, compare=False)
    """Shared by all states of a hand, and filled on first use."""
    _worked_out: ClassVar[tuple[str, ...]] = ("turn",)
    """The cached properties, including those of the game's own state."""

    def __init_subclass__(cls) -> None:
        own = (name for name, value in vars(cls).items() if isinstance(value, cached_property))
        cls._worked_out = (*cls._worked_out, *own)

    # What it is.

    @property
    def spots(self) -> Mapping[str, Spot]:
        """Every spot of this hand, by name."""
        if not self._spots:
            self._spots.update({spot.name: spot for spot in self.game.spots(self.start)})
        return self._spots

    @cached_property
    def turn(self) -> Turn:
        """What the table waits for."""
        if self.over:
            return Turn()
        if self.void:
            return Turn((CLEARING,))
        turn = self.game.turn(self)
        if said := tuple(announced(self, turn)):
            turn = replace(turn, also=(*turn.also, *said))
        if not self.anew:
            return turn
        return turn.with_interrupt(GIVEN_UP) if turn.awaited else Turn((CLEARING,))

    @property
    def phase(self) -> str:
        """The stage of the hand, as the rule sheet calls it."""
        return self.game.phase(self)

    @property
    def settlement(self) -> Settlement:
        """Who owes whom so far; final once the hand is over."""
        return self.game.settlement(self)

    @property
    def carried(self) -> int:
        """The chips in the pot that no act of this hand has put there."""
        return self.start.pot + self.adrift

    @property
    def open_violations(self) -> tuple[Violation, ...]:
        """The violations that the dealer has not ruled on."""
        return tuple(violation for violation in self.violations if violation.open)

    def public(self) -> Self:
        """The state without anything that the table hides."""
        acts = tuple(act.observed() for act in self.acts)
        veiled: Self = self.game.veiled(replace(self, table=self.table.hidden(), acts=acts))
        return replace(veiled, secrets=NOTHING)

    @property
    def remaining(self) -> int:
        """The number of cards left in the deck."""
        out = sum(map(len, self.table.spots.values())) + len(self.start.shoe)
        return max(0, len(self.game.deck(self.start)) - out)

    @property
    def dealer(self) -> int:
        """The seat that deals; only for games with a dealer, as checked when the hand opens."""
        assert self.start.dealer is not None
        return self.start.dealer

    @property
    def order(self) -> tuple[int, ...]:
        """All seats in the order of play, the one that deals last."""
        dealer = self.start.dealing_seat
        return (*self.start.following(dealer, self.game.direction), dealer)

    def hand(self, seat: int) -> tuple[Card, ...]:
        """The cards of `seat`, face up or down, with backs for unknown ones."""
        return self.table.cards(str(seat))

    def covered(self, seat: int) -> tuple[Card, ...]:
        """The cards of `seat` that are not face up."""
        return tuple([laid.card for laid in self.table.at(str(seat)) if not laid.up])

    def showing(self, seat: int) -> tuple[Card, ...]:
        """The cards of `seat` that everybody sees."""
        return tuple([laid.card for laid in self.table.at(str(seat)) if laid.up])

    # What comes next.

    def options(self, deck: Sequence[Card]) -> Iterator[Act]:
        """The acts open to an honest table if all cards are known; `deck` holds the cards to come.

        Long ranges of amounts are sampled.
        """
        for one in self.turn:
            for act in one.acts(deck):
                if self._is_lawful(act) and self.game.conceals(self, act) is None:
                    yield act

    def allows(self, act: Act) -> bool:
        """Whether `act` means something here and breaks no rule by coming now.

        What the act brings to light may still break a rule: see the next state's violations.
        """
        any_time = act.verb in ANY_TIME or chips.shared(self, act)
        return self._is_lawful(act) and (any_time or self.turn.admits(self.meant(act)))

    def _is_lawful(self, act: Act) -> bool:
        """Whether `act`, if it may come now, means something here and moves chips lawfully."""
        try:
            self.verify(act)
        except ActError:
            return False
        return not chips.shared(self, act) or chips.lawful(self, act)

    def verify(self, act: Act) -> None:
        """Raise `ActError` unless `act` means something here, whether legal or not."""
        verify_words(self, act)
        if act.verb not in (Verb.RULE, Verb.RESUME) and (trace := self.trace(act)):
            self.table.moved(trace)

    def meant(self, act: Act) -> Act:
        """What the game takes `act` for: turning up what a player has to show is showing it."""
        if act.verb is not Verb.TURN or act.spot is None or Verb.SHOW in self.game.carries:
            return act
        return self.turn.meant(act, self.spots[act.spot].owner)

    def trace(self, act: Act) -> Trace:
        """What `act` does to the cards on the table; empty for a spoken act."""
        own = act.verb in self.game.carries
        common = None if own else TRACES.get(act.verb)
        if common is not None:
            return tuple(common(self.table, self.spots, act))
        carries = own or act.verb in CARRYING or (act.cards and act.verb not in NAMING)
        return self.game.trace(self, act) if carries else ()

    def play(self, act: Act) -> Self:
        """The state after `act`; raises `ActError` if it means nothing here."""
        verify_words(self, act)
        if act.verb is Verb.RESUME:
            return self._resumed(act, self.moment(act.numbers[0]))
        if act.verb is Verb.POT:
            adrift = self.adrift + act.numbers[0] - self.game.pot(self)
            return replace(self, acts=(*self.acts, act), calls=(), adrift=adrift)
        return self._ruled(act) if act.verb is Verb.RULE else self._done(act)

    def resumed_from(self, act: Act, moment: Self) -> Self:
        """The result of playing an act that resumes the hand, without a replay.

        `moment` is already at hand: the state after the number of acts that it names.
        """
        verify_words(self, act)
        return self._resumed(act, moment)

    def moment(self, number: int) -> Self:
        """The moment after the first `number` acts of the hand."""
        if number == len(self.acts):
            return self
        return self._replayed(number, self._corrections())

    def history(self, most: int) -> Iterator[Self]:
        """The moments of the hand before this one, at most `most` of them, oldest first."""
        state: Self = replace(self.game.open(self.start), secrets=self.secrets)
        corrections = self._corrections()
        for number, act in enumerate(self.acts, 1):
            if number > len(self.acts) - most:
                yield state
            ruling = corrections.get(number)
            state = state._again((ruling.then or ruling) if ruling else act)

    def _resumed(self, act: Act, moment: Self) -> Self:
        """The hand resumed: the table as stated, everything else as at an earlier moment.

        By resuming, the dealer lets everything irregular before it stand.
        """
        violations = tuple(v.ruled(Ruling.STAND) if v.open else v for v in self.violations)
        fresh: Self = replace(
            moment,
            table=taken_up(moment, act),
            acts=(*self.acts, act),
            violations=violations,
            calls=(Phrase("call.resumed"),),
            anew=True,
        )
        resumed = self.game.caught_up(self.game.resumed(fresh, act.seat), moment.table)
        after: Self = self.game.concluded(resumed)
        return after

    def flag(
        self,
        rule: str,
        *,
        since: int | None = None,
        seat: int | None = None,
        cards: tuple[Card, ...] = (),
        **values: int,
    ) -> Self:
        """The state with one more violation, found by the last act."""
        now = len(self.acts)
        violation = Violation(
            rule=rule,
            since=since or now,
            found=now,
            seat=seat,
            cards=cards,
            values=tuple(sorted(values.items())),
        )
        return replace(self, violations=(*self.violations, violation))

    def put_right(self, *rules: str) -> Self:
        """The state with open violations of these rules closed, as the table is right again."""
        if not any(v.open and v.rule in rules for v in self.violations):
            return self
        now = len(self.acts)
        closed = (
            replace(v, put_right=now) if v.open and v.rule in rules else v for v in self.violations
        )
        return replace(self, violations=tuple(closed))

    def call(self, identifier: str, **values: Value) -> Self:
        """The state with one more thing that a dealer would call now."""
        return replace(self, calls=(*self.calls, Phrase.of(identifier, **values)))

    def pay(
        self,
        payer: int | None,
        payee: int | None,
        amount: int | None,
        reason: str,
        *,
        rate: Fraction = Fraction(1),
        cards: tuple[Card, ...] = (),
    ) -> Self:
        """The state with one more payment due."""
        payment = Payment(payer, payee, amount, reason, rate, cards)
        return replace(self, payments=(*self.payments, payment))

    def score(self, seat: int, points: int, reason: str, *, cards: tuple[Card, ...] = ()) -> Self:
        """The state with points written down for `seat`."""
        return replace(self, points=(*self.points, Points(seat, points, reason, cards)))

    def _done(self, act: Act) -> Self:
        trace, meant = self.trace(act), self.meant(act)
        table = self.table.moved(trace) if trace else self.table
        fault = self.turn.fault(meant)
        if act.verb is Verb.MISDEAL:
            return replace(self, acts=(*self.acts, act), void=True, calls=(Phrase("call.misdeal"),))
        moved = replace(self, table=table, acts=(*self.acts, act), calls=())
        if chips.shared(self, act):
            return chips.moved(self, moved, act)
        after: Self = moved
        if not incomplete(self, act):
            after = self.game.concluded(self.game.effect(moved, meant))
        if act.verb is Verb.CLEAR and fault is None:
            after = replace(after, over=True)
        if fault is not None and not (fault in UNNAMED and after._slipped(self)):
            after = after._faulted(fault, act, self)
        return counted(after, self, act, trace)

    def _slipped(self, before: State) -> bool:
        """Whether the game has already named the last act's violation, which counts only once."""
        now = len(self.acts)
        return any(one.since == now for one in self.violations[len(before.violations) :])

    def _faulted(self, fault: str, act: Act, before: State) -> Self:
        """The state with the violation that made `act` untimely; the game may name it."""
        awaited = (one for one in before.turn if one.verb is act.verb)
        meant = max(awaited, key=lambda one: one.closeness(act)[0], default=None)
        bounds = meant.numbers if meant else None
        values = {"least": bounds[0], "greatest": bounds[1]} if bounds else {}
        if meant and fault == "wrong-count":
            values["count"] = meant.pick
        rule, seat = self.game.slip(before, act, fault), act.seat
        if rule in chips.LATE and act.amount:
            values["amount"] = act.amount
        if seat is None and act.spot is not None and fault != "out-of-turn":
            seat = self.spots[act.spot].owner
        return self.flag(rule, seat=seat, cards=act.observed().cards, **values) if rule else self

    # The dealer's ruling.

    def _ruled(self, act: Act) -> Self:
        number, ruling = act.numbers[0], Ruling(act.words[0])
        if ruling is Ruling.CORRECT:
            return self._corrected(number, act)
        ruled = tuple(
            v.ruled(ruling) if v.found == number and v.open else v for v in self.violations
        )
        void = self.void or ruling is Ruling.MISDEAL
        return replace(self, violations=ruled, acts=(*self.acts, act), calls=(), void=void)

    def _corrected(self, number: int, ruling: Act) -> Self:
        """Replay with act `number` replaced or removed."""
        settled = [v for v in self.violations if v.ruling is Ruling.CORRECT or v.found == number]
        corrected = [v.ruled(Ruling.CORRECT) for v in settled]
        state = self._replayed(len(self.acts), {**self._corrections(), number: ruling})
        violations = sorted([*corrected, *state.violations], key=lambda v: v.found)
        acts = (*self.acts, ruling)
        return replace(state, violations=tuple(violations), acts=acts, calls=())

    def _corrections(self) -> dict[int, Act]:
        """The correcting rulings so far, by the number of the act they replace."""
        ruled = [act for act in self.acts if act.verb is Verb.RULE]
        return {act.numbers[0]: act for act in ruled if act.words[0] == Ruling.CORRECT}

    def _replayed(self, count: int, corrections: Mapping[int, Act]) -> Self:
        """The state after the first `count` acts, with corrected ones replaced."""
        state: Self = replace(self.game.open(self.start), secrets=self.secrets)
        for number, act in enumerate(self.acts[:count], 1):
            ruling = corrections.get(number)
            state = state._again((ruling.then or ruling) if ruling else act)
        return state

    def _again(self, act: Act) -> Self:
        """Replay one act; one that no longer fits stays in the record and becomes a violation.

        A correcting ruling has already taken effect; in place of an act, it strikes the act out.
        """
        skipped = replace(self, acts=(*self.acts, act), calls=())
        if act.verb is Verb.RULE:
            return self._ruled(act) if _still_open(self, act) else skipped
        try:
            return self.play(act)
        except ActError:
            return skipped.flag("unfit", seat=act.seat, cards=act.observed().cards)


def _still_open(state: State, ruling: Act) -> bool:
    """Whether a ruling that corrects nothing still finds its violation in a replay."""
    if ruling.words[0] == Ruling.CORRECT:
        return False
    return any(violation.found == ruling.numbers[0] for violation in state.open_violations)
