"""Eleusis followed by a referee who knows the document's sentences, and nothing of the engine."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass, field

import pytest

from rules.acts import Act, Verb
from rules.games.eleusis import Eleusis
from rules.start import Start
from tests.draws import NIGHTLY
from tests.play import play_hand, start_for

RIGHT, WRONG = ("right",), ("wrong",)


@dataclass
class Referee:
    """What the layout and the hands look like after each act, in numbers of cards alone."""

    start: Start
    express: bool
    hands: Counter[int] = field(default_factory=Counter)
    dealt: int = 0
    main: int = 1
    side: int = 0
    turn: int | None = None
    last: int | None = None
    """Who has just had a turn."""
    played: tuple[int, int] | None = None
    """Who has played, and how many cards."""
    exposed: int | None = None
    """Who shows a hand without a play."""
    misplay: tuple[int, int] | None = None
    """Whose hand the dealer plays from, and the penalty."""
    said: tuple[str, ...] = ()
    prophet: int | None = None
    marker: tuple[int, int] = (0, 0)
    expelled: set[int] = field(default_factory=set)
    served: set[int] = field(default_factory=set)
    owed: Counter[int] = field(default_factory=Counter)
    guessing: int | None = None
    guessed: int | None = None
    out: int | None = None

    @property
    def players(self) -> tuple[int, ...]:
        assert self.start.dealer is not None
        return self.start.following(self.start.dealer)

    @property
    def active(self) -> tuple[int, ...]:
        return tuple(s for s in self.players if s not in self.expelled and s != self.prophet)

    def after(self, seat: int) -> int | None:
        """The next active player, who may be the same one."""
        ring = (*self.start.following(seat), seat)
        return next((other for other in ring if other in self.active), None)

    def see(self, act: Act) -> None:
        match act.verb:
            case Verb.DEAL:
                self.dealing(act)
            case Verb.PLAY:
                assert act.seat == self.turn is not None, act
                assert not +self.owed, "penalties are dealt before the next play"
                self.hands[self.turn] -= len(act.cards)
                self.played, self.last = (self.turn, len(act.cards)), None
            case Verb.DECLARE:
                self.declared(act)
            case Verb.JUDGE if act.seat is not None:
                assert act.seat == self.prophet
                self.said = act.words
            case Verb.JUDGE if self.guessing is not None:
                self.guessed = self.guessing if act.words == RIGHT else None
                self.guessing = None
            case Verb.JUDGE:
                self.judged(act.words)
            case Verb.MOVE:
                assert self.misplay is not None
                (seat, penalty), self.misplay = self.misplay, None
                self.main, self.hands[seat] = self.main + 1, self.hands[seat] - 1
                self.done(seat, penalty)

    def dealing(self, act: Act) -> None:
        each = 12 if self.express else 14
        if self.dealt < each * len(self.players) + 1:
            self.dealt += len(act.cards)
            self.hands = Counter(dict.fromkeys(self.players, each))
            self.turn = self.players[0]
            return
        self.hands[int(act.spot or "")] += len(act.cards)
        self.owed[int(act.spot or "")] -= len(act.cards)

    def declared(self, act: Act) -> None:
        match act.words[0]:
            case "no-play":
                assert act.seat == self.turn
                self.exposed = act.seat
            case "guess":
                self.guessing = act.seat
            case "prophet":
                assert act.seat == self.last is not None, "after their turn, before the next"
                assert self.prophet is None
                assert self.last not in self.served, "a player may not serve twice"
                assert len(self.active) >= 3, "two or more active players other than the prophet"
                self.prophet, self.marker = self.last, (self.main, self.side)
                self.served.add(self.last)
                if self.turn == self.last:
                    self.turn = self.after(self.last)
                self.last = None

    def judged(self, words: tuple[str, ...]) -> None:
        """A call by the dealer, or the word on a prophet's call."""
        right, fallen = words == RIGHT, words == ("false",)
        if self.prophet is not None:
            right = (self.said == RIGHT) is not fallen
        late = self.late
        if fallen and self.prophet is not None:
            self.owed[self.prophet] += 5
            self.prophet, self.said = None, ()
        if self.played is not None:
            (seat, count), self.played = self.played, None
            self.main += count if right else 0
            self.side += 0 if right else count
            if not right and not fallen and late:
                self.expelled.add(seat)
            self.done(seat, 0 if right or fallen else 2 * count)
            return
        assert self.exposed is not None
        seat, self.exposed = self.exposed, None
        fewer = 1 if self.express else 4
        if right:
            left, self.hands[seat] = self.hands[seat] - fewer, 0
            if left > 0:
                self.done(seat, left)
            else:
                self.out, self.turn = (seat if self.express else None), None
            return
        if late and not fallen:
            self.expelled.add(seat)
        self.misplay = seat, 0 if fallen else 2 if self.express else 5

    @property
    def late(self) -> bool:
        """Whether players who make an incorrect play are expelled."""
        if self.express:
            return False
        if self.prophet is None:
            return self.main >= 40
        return self.main + self.side - sum(self.marker) >= 30

    def done(self, seat: int, penalty: int) -> None:
        """The end of a turn, with cards owed to its player."""
        self.owed[seat] += penalty
        self.last, self.turn = seat, self.after(seat)
        if not self.hands[seat] and self.owed[seat] <= 0:
            self.out, self.turn = seat, None

    def scores(self) -> dict[int, int]:
        most = max(self.hands.values())
        points = {s: (12 if self.express else most) - self.hands[s] for s in self.players}
        if self.express and self.out is not None:
            points[self.out] += 3
        if self.guessed is not None:
            points[self.guessed] += 6
        if self.prophet is not None:
            main, side = self.marker
            points[self.prophet] += self.main - main + 2 * (self.side - side)
        best = max(points.values())
        easy = 2 * (self.marker[0] - 1 + self.marker[1]) if self.prophet is not None else best
        assert self.start.dealer is not None
        return points | {self.start.dealer: min(best, easy)}


@pytest.mark.parametrize("express", [False, True])
def test_turns_penalties_expulsions_prophets_and_scores_are_the_document_s(express: bool) -> None:
    game, ends = Eleusis(express=express), Counter[str]()
    for seed in range(120 if NIGHTLY else 8):
        start = start_for(game, seats=3 + seed % 4)
        last = play_hand(game, start, random.Random(seed), likings=bool(seed % 2))[-1]
        if not last.remaining:
            continue  # nobody is owed cards that are not there
        referee = Referee(start, express)
        for act in last.acts:
            referee.see(act)
        assert last.settlement.scores == referee.scores(), seed
        ends["expelled" if referee.expelled else "served" if referee.served else "plain"] += 1
    assert express or ends["expelled"]
