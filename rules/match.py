"""Matches: consecutive hands, and the acts between them.

>>> from rules.games import find_game
>>> match = Match(find_game("ziginette"), Start(seats=(1, 2, 3), banker=1, limits=(1, 20)))
>>> for line in ("deal board QS", "deal board 5D"):
...     _ = match.play(Act.parse(line))
>>> str(match.undo()), match.state.table.view("board")
('deal board 5D', (<QS>,))
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from rules.acts import Act, Verb
from rules.errors import ActError, NothingToUndoError, RulesError
from rules.frozen import replace
from rules.game import AnyGame
from rules.secret import NOTHING, Secrets
from rules.settlement import Settlement
from rules.start import Direction, Level, Start, limits_faults, pairs
from rules.state import State
from rules.units import agreed


@dataclass
class Hand:
    """One hand: how it started, the acts that stand, and the state that they lead to.

    `between` holds the acts after its end and before the next hand; `secrets` is what the keeper of
    this record was told in private.
    """

    game: AnyGame
    start: Start
    acts: list[Act] = field(default_factory=list)
    between: list[Act] = field(default_factory=list)
    secrets: Secrets = NOTHING
    state: State = field(init=False)

    def __post_init__(self) -> None:
        written, self.acts = self.acts, []
        self.state = self.opening()
        for act in written:
            self.play(act)

    def opening(self) -> State:
        """The state before the first act."""
        first: State = self.game.open(self.start)
        return replace(first, secrets=self.secrets)

    def confide(self, secrets: Secrets) -> None:
        """Replay the hand for somebody who knows these `secrets`."""
        told = Hand(self.game, self.start, list(self.acts), secrets=secrets)
        self.secrets, self.state = secrets, told.state

    def play(self, act: Act) -> State:
        """Play one more act and return the state; raises `ActError` if it means nothing here."""
        self.state = self.state.play(act)
        self.acts.append(act)
        return self.state

    def undo(self) -> Act:
        """Undo the last act by replaying the others; returns it."""
        *kept, last = self.acts
        self.acts, state = kept, self.opening()
        for act in kept:
            state = state.play(act)
        self.state = state
        return last

    def correct(self, number: int, act: Act | None) -> State:
        """Replace act `number` (from 1) by another, or remove it.

        If all later acts still mean something, the wrong act disappears from the record. Otherwise
        it stays, with a ruling that corrects it: whatever no longer fits becomes a violation.
        """
        if not 1 <= number <= len(self.acts):
            raise ActError(f"no act {number} to correct; this hand has {len(self.acts)}")
        acts = [*self.acts[: number - 1], *([act] if act else []), *self.acts[number:]]
        ruled = any(later.verb in (Verb.RULE, Verb.RESUME) for later in self.acts[number:])
        try:
            fixed = None if ruled else Hand(self.game, self.start, acts, secrets=self.secrets)
        except ActError:
            fixed = None
        if fixed is None:
            return self.play(Act(Verb.RULE, numbers=(number,), words=("correct",), then=act))
        self.acts, self.state = fixed.acts, fixed.state
        return self.state

    def next_start(self) -> Start:
        """The start of the next hand, including the acts between the two."""
        start: Start = self.game.follow(self.state)
        for act in self.between:
            start = between(start, act, self.game, self.start)
        return start


class Match:
    """All hands of a session at one table, and the acts between them.

    When a hand is over, the next one opens at once, without acts. Undo replays the hand concerned,
    and reaches back past its start. Acts before the first hand change its header and can be undone
    as well; a record holds the header that they led to.
    """

    def __init__(self, game: AnyGame, start: Start, secrets: Secrets = NOTHING) -> None:
        self.hands: list[Hand] = [Hand(game, start, secrets=secrets)]
        self.secrets = secrets
        self._opening: list[Hand] = []
        """The first hand as it was before each act that changed its header."""
        self._opened: list[Act] = []
        """Those acts."""

    @classmethod
    def of(cls, hands: Iterable[Hand]) -> Match:
        """A match of hands read from a record."""
        match = cls.__new__(cls)
        match.hands = list(hands)
        match._opening, match._opened = [], []
        match.secrets = match.hand.secrets
        match._open_next()
        return match

    def confide(self, secrets: Secrets) -> None:
        """Go on with knowledge of these `secrets`, judging what was played again.

        Raises `ActError`, leaving the match as it was, if a ruling given without them would have
        nothing to rule on.
        """
        if secrets == self.secrets:
            return
        hand = self.hand
        if hand.state.game.secrecy(hand.state) is not None:
            hand.confide(secrets)
        self.secrets = secrets

    @property
    def hand(self) -> Hand:
        """The current hand."""
        return self.hands[-1]

    @property
    def state(self) -> State:
        """The current state."""
        return self.hand.state

    @property
    def last(self) -> Hand | None:
        """The last finished hand."""
        return next((hand for hand in reversed(self.hands[-2:]) if hand.state.over), None)

    @property
    def settlements(self) -> list[Settlement]:
        """The settlement of each finished hand."""
        return [hand.state.settlement for hand in self.hands if hand.state.over]

    def verify(self, act: Act) -> None:
        """Raise `ActError` unless `act` means something now, in the hand or between hands."""
        if self.is_between(act):
            self._fresh(act)
        else:
            self.state.verify(act)

    def play(self, act: Act) -> State:
        """Play `act`, which may also be one between hands, and return the state."""
        if self.is_between(act):
            return self._between(act)
        self.hand.play(act)
        self._open_next()
        return self.state

    def undo(self) -> Act:
        """Undo the last act, even across the start of the hand; returns it."""
        if self.hand.acts:
            return self.hand.undo()
        if len(self.hands) == 1:
            if not self._opened:
                raise NothingToUndoError("nothing to undo: the match has no acts yet")
            self.hands[0] = self._opening.pop()
            return self._opened.pop()
        before = self.hands[-2]
        if before.between:
            act = before.between.pop()
            self._begin(before.game, before.next_start())
            return act
        self.hands.pop()
        return self.hand.undo()

    def correct(self, number: int, act: Act | None) -> State:
        """Replace act `number` of the hand in play by another, or remove it."""
        self.hand.correct(number, act)
        self._open_next()
        return self.state

    def forget(self, hands: int) -> None:
        """Drop this many of the oldest hands; undo cannot reach back beyond the rest."""
        if hands > 0:
            del self.hands[:hands]
            self._opening, self._opened = [], []

    def is_between(self, act: Act) -> bool:
        """Whether `act` would come between two hands rather than within one, which asks for it."""
        if act.verb not in BETWEEN or self.hand.acts:
            return False
        return not any(one.admits(act) for one in self.state.turn)

    def _between(self, act: Act) -> State:
        """Add an act to the previous hand's `between` or, at the very start, to the header."""
        fresh = self._fresh(act)
        if len(self.hands) > 1:
            self.hands[-2].between.append(act)
        else:
            self._opening.append(self.hand)
            self._opened.append(act)
        self.hands[-1] = fresh
        return self.state

    def _fresh(self, act: Act) -> Hand:
        """The hand to come after one more act between hands; raises `ActError` if none can."""
        game, last = self.hand.game, self.hands[-2].start if len(self.hands) > 1 else None
        start = between(self.hand.start, act, game, last)
        try:
            return Hand(game, start, secrets=self.secrets)
        except RulesError as error:
            fixed = len(game.players) == 1 and act.verb in (Verb.LEAVE, Verb.SIT_OUT)
            hint = f"; a substitute takes the seat over by 'join {act.amount}'" if fixed else ""
            raise ActError(f"'{act}': {error}{hint}") from error

    def _open_next(self) -> None:
        if self.state.over:
            start = self.hand.next_start()
            self.hands.append(Hand(self.hand.game, start, secrets=self.secrets))

    def _begin(self, game: AnyGame, start: Start) -> None:
        """Replace a hand without acts by one with another start."""
        self.hands[-1] = Hand(game, start, secrets=self.secrets)


def between(start: Start, act: Act, game: AnyGame, last: Start | None = None) -> Start:
    """The start after one act between hands; raises `ActError` if the act cannot be one.

    `last` is the start of the previous hand: when a seat leaves, its bank or deal passes on in the
    game's direction, but not back to whoever held it then, as long as anybody else is there.
    """
    known = {Verb.UNIT: Verb.UNIT in game.vocabulary, Verb.POT: game.potted}
    if act.verb not in BETWEEN or not known.get(act.verb, True):
        raise ActError(f"'{act}' cannot come between two hands of {game.name}")
    substitute = len(game.players) == 1 and act.verb is Verb.JOIN and act.amount in start.seats
    try:
        change = _taken_over if substitute else BETWEEN[act.verb]
        after = change(start, *act.numbers)
        return game.adjusted(_passed_on(start, after, game.direction, last), start)
    except TypeError:
        wanted = WANTED.get(act.verb, "a seat, with chips if needed,")
        raise ActError(f"'{act}': expected {wanted}") from None
    except RulesError as error:
        raise ActError(f"'{act}': {error}") from error


def _passed_on(start: Start, after: Start, way: Direction, last: Start | None) -> Start:
    """Pass the deal and the bank on if the seat that held them has left."""
    dealer, banker = start.dealer, start.banker
    if dealer is not None and dealer not in after.seats:
        after = replace(after, dealer=_heir(after, dealer, way, last.dealer if last else None))
    if banker is not None and banker not in after.seats:
        after = replace(after, banker=_heir(after, banker, way, last.banker if last else None))
    return after


def _heir(start: Start, seat: int, way: Direction, last: int | None) -> int | None:
    ring = start.following(seat, way)
    return next((other for other in ring if other != last), next(iter(ring), None))


def _join(start: Start, seat: int, chips: int | None = None) -> Start:
    if seat in start.seats:
        raise ActError(f"seat {seat} is taken")
    joined = replace(start, seats=tuple(sorted((*start.seats, seat))))
    return _chips(joined, seat, chips) if chips is not None else joined


def _taken_over(start: Start, seat: int, chips: int | None = None) -> Start:
    """Let a substitute take a seat over, with its points and chips of their own.

    A game for a fixed number of players cannot do without anybody in between.
    """
    stacks = tuple(one for one in start.stacks if one[0] != seat)
    taken = replace(start, stacks=stacks)
    return _chips(taken, seat, chips) if chips is not None else taken


def _leave(start: Start, seat: int) -> Start:
    """Let a player go, with chips and points: whoever takes the seat later begins anew."""
    _seated(start, seat)
    left = tuple(other for other in start.seats if other != seat)
    return replace(
        start,
        seats=left,
        stacks=tuple(one for one in start.stacks if one[0] != seat),
        scores=tuple(one for one in start.scores if one[0] != seat),
        dealer=None if start.dealer == seat else start.dealer,
        banker=None if start.banker == seat else start.banker,
    )


def _sit_out(start: Start, seat: int) -> Start:
    """Let a seat sit out for a while, keeping its chips and its points."""
    return replace(_leave(start, seat), stacks=start.stacks, scores=start.scores)


def _chips(start: Start, seat: int, chips: int) -> Start:
    _seated(start, seat)
    return replace(
        start, stacks=pairs({**dict(start.stacks), seat: (start.stack(seat) or 0) + chips})
    )


def _limits(start: Start, *limits: int) -> Start:
    for fault in limits_faults(limits):
        raise ActError(fault)
    return replace(start, limits=(limits[0], limits[1]))


def _banker(start: Start, seat: int) -> Start:
    return replace(start, banker=seat)


def _dealer(start: Start, seat: int) -> Start:
    return replace(start, dealer=seat)


def _pot(start: Start, chips: int) -> Start:
    """Let the next hand be played for what the dealer has counted in the middle."""
    if start.level is not Level.AMOUNTS:
        raise ActError(f"this match tracks no amounts (its level is {start.level})")
    return replace(start, pot=chips)


def _shuffle(start: Start) -> Start:
    return replace(start, shoe=())


def _seated(start: Start, seat: int) -> None:
    if seat not in start.seats:
        raise ActError(f"nobody sits at seat {seat}; taken: {', '.join(map(str, start.seats))}")


WANTED = {Verb.UNIT: "two seats and the chips of a unit", Verb.POT: "one amount"}
"""What some acts between hands need instead of a seat."""
BETWEEN: dict[Verb, Callable[..., Start]] = {
    Verb.JOIN: _join,
    Verb.LEAVE: _leave,
    Verb.SIT_OUT: _sit_out,
    Verb.CHIPS: _chips,
    Verb.LIMITS: _limits,
    Verb.BANKER: _banker,
    Verb.DEALER: _dealer,
    Verb.SHUFFLE: _shuffle,
    Verb.NEW_DECK: _shuffle,
    Verb.UNIT: agreed,
    Verb.POT: _pot,
}
"""What each act between hands does to the start of the next one."""
