"""Follow a film with the whole appliance, and judge the outcome."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np

from firmware.appliance import Appliance, Booth
from firmware.eye import Eye, tracker_of
from firmware.follow.loop import Loop
from firmware.rehearsal.judge import alike
from firmware.store.ledger import CAMERA, Ledger
from firmware.texts import Texts
from hardware.camera import open_camera
from hardware.press import Button, Held, Pressed, Timing
from hardware.rig import PanelRig
from rules.acts import Act, Verb
from rules.match import Match
from rules.records import print_match
from tests.films.semireal import Said, SemiReal, dealt, plan_of
from vision.picture.plane import Plane


@dataclass(frozen=True)
class Commit:
    """An act that was taken in, even if it was taken back later."""

    hand: int
    act: Act
    by: str
    time_s: float

    def __str__(self) -> str:
        return f"{self.time_s:.1f} s: {self.act}"


LATELY_S = 3.0
"""An act may report what has happened on the table up to this long before it."""


@dataclass
class Following:
    """The outcome of following one film."""

    film: SemiReal
    record: str = ""
    commits: list[Commit] = field(default_factory=list)
    standing: list[tuple[int, Act]] = field(default_factory=list)
    told: dict[str, float] = field(default_factory=dict)
    """When each trouble and question was first reported (seconds)."""

    @property
    def missed(self) -> list[str]:
        """The visible acts of the film that are not in the final record."""
        left = list(self.standing)
        missed = []
        for rest in self.film.rests:
            fit = _taken(left, rest.hand, Act.parse(rest.line))
            if fit is None:
                missed.append(f"{rest.time_s:.1f} s: {rest.line}")
            else:
                left.remove(fit)
        return missed

    @property
    def invented(self) -> list[str]:
        """The camera's acts that were never done, whether they were taken back or not."""
        return [str(commit) for commit in self._beyond if not self._lay_so(commit)]

    @property
    def momentary(self) -> list[str]:
        """The camera's unintended acts: a card did lie there, but was moved at once."""
        return [str(commit) for commit in self._beyond if self._lay_so(commit)]

    @property
    def _beyond(self) -> list[Commit]:
        """The camera's acts that are not among those dealt.

        What no card shows is rather one that was dealt if it was not taken in with a card that was
        moved on.
        """
        shown = [one for one in self.commits if one.act.cards]
        left = list(dealt(self.film.record))
        beyond = _unmatched(shown, left)
        moved = {one.time_s for one in beyond if self._lay_so(one)}
        said = [one for one in self.commits if not one.act.cards]
        beyond += _unmatched(sorted(said, key=lambda one: one.time_s in moved), left)
        return sorted(beyond, key=lambda one: one.time_s)

    def _lay_so(self, commit: Commit) -> bool:
        """Whether each of its cards really came there, or left from there, shortly before; what no
        card shows was implied by one of which that is so."""
        act, (start, end) = commit.act, (commit.time_s - LATELY_S, commit.time_s)
        if not act.cards:
            beside = (one for one in self._beyond if one.time_s == end and one.act.cards)
            return any(map(self._lay_so, beside))
        spot = act.to or act.spot or str(act.seat)
        lay = [self.film.lay(spot, card, start, end) for card in act.cards]
        step = (True, False) if act.verb is Verb.TAKE else (False, True)
        return all(step in pairwise(each) for each in lay)

    @property
    def waits(self) -> list[float]:
        """Seconds from each rest to the act."""
        left, waits = list(self.commits), []
        for rest in self.film.rests:
            act = Act.parse(rest.line)
            fits = (c for c in left if c.hand == rest.hand and alike(act, c.act))
            commit = next(fits, None)
            if commit is not None:
                left.remove(commit)
                waits.append(commit.time_s - rest.time_s)
        return waits


def _unmatched(commits: Sequence[Commit], left: list[tuple[int, Act]]) -> list[Commit]:
    """Those of the `commits` by the camera that are not among the acts `left`.

    The others' acts are taken from these.
    """
    beyond = []
    for commit in commits:
        fit = _taken(left, commit.hand, commit.act)
        if fit is not None:
            left.remove(fit)
        elif commit.by == CAMERA and commit.act.verb is not Verb.RULE:
            beyond.append(commit)
    return beyond


def _taken(acts: Sequence[tuple[int, Act]], hand: int, act: Act) -> tuple[int, Act] | None:
    return next((one for one in acts if one[0] == hand and alike(act, one[1])), None)


class _Beside:
    """Says and presses what was said and pressed during the film, and notes what is taken in."""

    def __init__(self, appliance: Appliance, following: Following) -> None:
        self._appliance, self._following = appliance, following
        self._due = list(following.film.said)
        self._known: list[tuple[int, Act]] = []

    def pulse(self) -> None:
        loop = self._appliance.booth.loop
        while self._due and self._due[0].time_s <= loop.now:
            self._do(self._due.pop(0))
        asked = loop.question.phrase if loop.question is not None else None
        for phrase in (loop.trouble, asked):
            if phrase is not None:
                self._following.told.setdefault(phrase.id, loop.now)
        acts = [(h.start.hand, act) for h in loop.match.hands for act in h.acts]
        same = 0
        while same < min(len(acts), len(self._known)) and acts[same] == self._known[same]:
            same += 1
        by = loop.ledger.taken[-1].by if loop.ledger.taken else ""
        for hand, act in acts[same:]:
            self._following.commits.append(Commit(hand, act, by, loop.now))
        self._known = acts
        self._following.standing = acts

    def _do(self, said: Said) -> None:
        booth = self._appliance.booth
        if said.line:
            booth.loop.type(said.line)
        else:
            kind = Held if said.seconds >= Timing().hold_s else Pressed
            booth.press(kind(Button(said.button), booth.clock()))


def follow(film: SemiReal) -> Following:
    """Follow a film as `mazziere run` does."""
    plan = plan_of(film.game, film.seed, film.handling)
    following = Following(film)
    with open_camera(str(film.path)) as camera, PanelRig() as rig:
        match = Match(plan.game, plan.start)
        loop = Loop(Ledger(match, now=camera.now), Texts.load("en"))
        plane = Plane(np.array(film.matrix))
        places = plan.places(plane)
        outlines = places.outlines(loop.state)
        tracker = tracker_of(outlines, plane, loop.state.game.deck(loop.state.start))
        booth = Booth(loop, rig.panel, clock=camera.now)
        appliance = Appliance(booth, Eye(camera, tracker), places)
        appliance.pulse = _Beside(appliance, following).pulse
        appliance.run()
    following.record = print_match(match)
    return following
