"""A whole rehearsal, picture by picture and hand by hand."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path

import numpy as np

from firmware.appliance import Booth
from firmware.display.snapshot import Snapshot
from firmware.eye import Chips as ChipsRead
from firmware.follow.loop import Loop
from firmware.rehearsal.attention import Counts
from firmware.rehearsal.chip_eyes import TruthfulChips
from firmware.rehearsal.chip_set import styles_of
from firmware.rehearsal.chips import Chips
from firmware.rehearsal.clutter import clutter
from firmware.rehearsal.dealer import SimulatedDealer
from firmware.rehearsal.deck import deck_of
from firmware.rehearsal.handling import Manner
from firmware.rehearsal.judge import Judge
from firmware.rehearsal.plan import CameraWatcher, Plan, Watcher, Watches
from firmware.rehearsal.policy import Policy
from firmware.rehearsal.report import HandReport
from firmware.rehearsal.secret import Salts
from firmware.rehearsal.setting import AREA, SIZE, Setting, filmed, setting
from firmware.rehearsal.slips import SLIPS
from firmware.rehearsal.staking import CHIP_SLIPS
from firmware.rehearsal.tabletop import Tabletop
from firmware.rehearsal.world import World
from firmware.store.journal import Journal
from firmware.store.ledger import Ledger
from firmware.store.safe import Safe
from firmware.table.known_decks import names_in
from firmware.table.optics import Optics
from firmware.texts import Texts
from hardware.lamps import Lamp, Pattern
from hardware.press import Button
from hardware.rig import ManualClock, PanelRig
from rules.match import Match
from vision.picture.plane import Plane
from vision.reader import KnownDeck
from vision.scene.sensor_camera import SimulatedCamera

PANEL_S = 0.025
"""Interval between polls of the panel between two pictures, while somebody presses a button."""
HAND_MOST_S = 900.0
"""Duration after which a hand counts as stuck: the longest lawful ones take a few minutes."""
UNHEEDED_MOST = 3
"""Number of acts that the appliance did not follow after which the dealer gives up the hand."""


def _chance(plan: Plan, stream: int) -> np.random.Generator:
    """A random stream for one part of the rehearsal."""
    return np.random.default_rng((plan.seed, stream))


def _furnished(plan: Plan) -> tuple[Setting, KnownDeck | None]:
    """The table with its deck, and what is known of it if it is no English one."""
    around, known = setting(plan.seed), None
    if plan.deck is not None:
        art, known = deck_of(plan.deck, around.deck, plan.seed)
        around = replace(around, deck=art)
    return filmed(around, plan.sensor), known


class Rehearsal:
    """A table, an appliance and a dealer, stepped in one thread; the same seed plays the same.

    `watches` makes what looks at the `table`; by default it is the real reader, at a table made by
    the plan.
    """

    def __init__(
        self,
        plan: Plan,
        *,
        watches: Watches | None = None,
        journal: Journal | None = None,
        pictures: Path | None = None,
        table: Tabletop | None = None,
    ) -> None:
        self.plan = plan
        self.clock = ManualClock()
        self.rig = PanelRig(clock=self.clock)
        place, known = _furnished(plan)
        self.table = table or Tabletop(place, seed=plan.seed)
        self._places = plan.places(Plane(self.table.matrix))
        dealt, followed = Match(plan.game, plan.start), Match(plan.game, plan.start)
        self.world = self._dealt_table(dealt)
        self.chips = self._laid_chips(truthful=watches is not None) if plan.chips else None
        self.texts = Texts.load(plan.settings.language).called(names_in(known))
        safe = Safe(salts=Salts(plan.seed))
        self.loop = Loop(Ledger(followed, journal, now=self.clock, safe=safe), self.texts)
        self.booth = Booth(self.loop, self.rig.panel)
        self.judge = Judge(dealt, followed, self.world.put_back, self.world.misplaced)
        self._outlines = self._places.outlines(self.loop.state)
        if watches:
            deck = plan.game.deck(plan.start)
            self._watcher: Watcher = watches(self.table, self._outlines, deck)
        else:
            self._watcher = self._camera(pictures, known)
        self._chip_eyes = self._eyes_for_chips()
        self._screen: Snapshot | None = None
        self._pressing = 0.0
        self.dealer = self._seated_dealer()

    def _dealt_table(self, dealt: Match) -> World:
        """The table as it really is, with these people's habits and clutter."""
        plan = self.plan
        manner = Manner.of(plan.handling, plan.seed, without=plan.without)
        world = World(dealt, self.table, self._places.layout, _chance(plan, 3), manner)
        if manner.does("clutter"):
            middle = (AREA[0] / 2, AREA[1] / 2)
            self.table.clutter = clutter(world.free_points, manner.rng("clutter"), middle=middle)
        return world

    def _laid_chips(self, *, truthful: bool) -> Chips:
        """The chips on the table.

        If the eyes know the truth, they know whose chips are next to a card by their colours, which
        a reader could not distinguish.
        """
        plan = self.plan
        beside = any(place.beside for place in plan.game.betting_places(plan.start))
        styles = styles_of(plan.settings.chips)
        own = beside and truthful
        return Chips(self.world, self.table, _chance(plan, 5), own=own, styles=styles)

    def _camera(self, pictures: Path | None, known: KnownDeck | None) -> CameraWatcher:
        """The real reader behind a simulated camera."""
        plan = self.plan
        return CameraWatcher(
            self.table,
            self._outlines,
            plan.game.deck(plan.start),
            camera=SimulatedCamera(plan.sensor, plan.seed),
            pictures=pictures,
            known=known,
            chips=self._set_of_chips(),
        )

    def _seated_dealer(self) -> SimulatedDealer:
        """The dealer, who sees and hears only what the appliance shows and says."""
        return SimulatedDealer(
            world=self.world,
            policy=Policy(_chance(self.plan, 4)),
            hands=self,
            eyes=self,
            texts=self.texts,
            slips=[name for name in self.plan.slips if name in SLIPS],
            chip_slips=[name for name in self.plan.slips if name in CHIP_SLIPS],
            chips=self.chips,
        )

    @property
    def optics(self) -> Optics | None:
        """The simulated camera's view; a truthful watcher needs none."""
        return self._watcher.optics if isinstance(self._watcher, CameraWatcher) else None

    # The dealer's means.

    def lamps(self) -> dict[Lamp, Pattern]:
        """What each lamp is doing, as somebody at the table sees it."""
        return self.rig.lamps()

    def screen(self) -> Snapshot:
        """What the screen shows; drawn on demand."""
        if self._screen is None:
            self._screen = self.loop.snapshot()
        return self._screen

    def press(self, button: Button, seconds: float) -> None:
        """Put a finger on a button."""
        self._pressing = self.clock.now + seconds + 1.0
        self.rig.press(button, seconds)

    def type(self, line: str) -> None:
        """Type an act line; the simulated people mean what they type."""
        self.loop.type(line, sure=True)

    def keep(self, rule: str) -> None:
        """Give the appliance a secret rule, unseen by the table."""
        self.loop.keep(rule)

    # Time.

    def step(self) -> None:
        """Do everything between one picture and the next."""
        span = 1.0 / self.plan.rate_hz
        pressed = self.clock.now < self._pressing
        steps = max(1, round(span / PANEL_S)) if pressed else 1
        for number in range(steps):
            self.clock.now += span / steps
            self.rig.tick()
            if number < steps - 1:
                self.booth.step()
        if self.chips is not None:
            self.chips.advance(self.clock.now)
        seen, crop = self._watcher.look(self.clock.now)
        if self._chip_eyes is not None:
            seen = replace(seen, chips=self._chip_eyes.look(self.clock.now))
        self.booth.step(seen, crop)
        self._look_at_the_spots()
        self.judge.watch()
        self._screen = None
        self.dealer.step(self.clock.now)

    def _look_at_the_spots(self) -> None:
        """Have the camera's pictures read at the spots of the hand being followed."""
        state, chips = self.loop.state, self.loop.chips
        if chips.counted and isinstance(self._watcher, CameraWatcher):
            self._watcher.count(chips.counted)
        chips.counted = []
        outlines = self._places.outlines(state)
        if outlines is not self._outlines:
            self._outlines = outlines
            self._watcher.watch(outlines, state.game.deck(state.start))
            if self.chips is not None:
                eyes = self._chip_eyes or self._watcher
                if isinstance(eyes, TruthfulChips):
                    eyes.watch(self._places.bets(state))
                elif isinstance(eyes, CameraWatcher):
                    eyes.watch_bets(self._places.bets(state))
                chips.seats = self._places.seats(state)

    def _set_of_chips(self) -> ChipsRead | None:
        """What the camera looks for if chips are in play; None if they are not."""
        if self.chips is None:
            return None
        # Nothing is loaded unless the table plays with chips.
        from firmware.rehearsal.chip_set import taught_here  # noqa: PLC0415
        from firmware.table.chips_watched import ChipsWatched  # noqa: PLC0415
        from vision.chips.standpoint import Standpoint  # noqa: PLC0415

        places, plane = self._places.bets(self.loop.state), Plane(self.table.matrix)
        place = setting(self.plan.seed)
        # As somebody with a tape measure would report it.
        measured = 10.0 * round(place.view.height_mm / 10)
        camera = Standpoint.of(plane, SIZE, height_mm=measured)
        chips, gauge = taught_here(place, camera, self.chips.styles)
        return ChipsWatched(chips, places, plane, SIZE, measured, gauge)

    def _eyes_for_chips(self) -> TruthfulChips | None:
        """Eyes that know the chips, next to others that know the cards."""
        if self.chips is None:
            return None
        state = self.loop.state
        self.loop.chips.seats = self._places.seats(state)
        if isinstance(self._watcher, CameraWatcher):
            return None
        return TruthfulChips(
            self.chips,
            self.table,
            self._places.bets(state),
            unsure=self.plan.unsure,
            seed=self.plan.seed,
        )

    def play(self, hands: int, pause: Callable[[], None] = lambda: None) -> Iterator[HandReport]:
        """Play `hands` hands, and report each once both sides have reached its end.

        A hand that its dealer gave up is the last. `pause` is called before each picture.
        """
        for number in range(1, hands + 1):
            began, before = self.clock.now, self.dealer.counts.copy()
            marks = len(self.judge.wrong), len(self.dealer.told)
            habits = Counter(self.world.manner.done)
            while self._hand_is_open(number) and not self._hopeless(began, before):
                pause()
                self.step()
            handled = self.world.manner.done - habits
            yield self._report(number, before, marks, handled, self.clock.now - began)
            if self.world.state.start.hand <= number:
                return

    def _hand_is_open(self, number: int) -> bool:
        """Whether the hand goes on, at the table or in a loop that may still catch up."""
        if self.world.state.start.hand <= number:
            return True
        return self.loop.state.start.hand <= number and not self.world.state.acts

    def _hopeless(self, began: float, before: Counts) -> bool:
        unheeded = self.dealer.counts.unheeded - before.unheeded
        return self.clock.now - began > HAND_MOST_S or unheeded > UNHEEDED_MOST

    def _report(
        self,
        number: int,
        before: Counts,
        marks: tuple[int, int],
        handled: Mapping[str, int],
        seconds: float,
    ) -> HandReport:
        hand = next(h for h in self.world.match.hands if h.start.hand == number)
        wrong, told = marks
        return HandReport(
            hand=hand,
            counts=self.dealer.counts - before,
            implied=frozenset(self.dealer.implied.get(number, ())),
            wrong=tuple(self.judge.wrong[wrong:]),
            differences=tuple(self.judge.differences(number)),
            slips=tuple(self.dealer.told[told:]),
            settled=self.judge.settled(number),
            invented=tuple(self.judge.invented(number)),
            handled=handled,
            seconds=seconds,
        )

    def close(self) -> None:
        """Release the pins."""
        self.rig.close()
