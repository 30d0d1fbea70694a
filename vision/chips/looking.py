"""Finds and counts the chips in one picture of a known scale."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.chips.believing import believed, chip_sized
from vision.chips.chip_set import ChipSet
from vision.chips.circles import Circles
from vision.chips.found import Found
from vision.chips.gauge import Gauge
from vision.chips.heights import Height, Stacks
from vision.chips.inlays import inlays, tops
from vision.chips.layers import LIKELY, Feet, Heaps
from vision.chips.lighting import Light, light
from vision.chips.matching import Match, Matcher, Prints
from vision.chips.plaque_layers import sampled
from vision.chips.plaque_reading import LaidPlaque, PlaqueReading
from vision.chips.plaques import Plaques
from vision.chips.prints import PAPER, Surroundings, logs
from vision.chips.rounds import Rounds
from vision.chips.shaded_rims import own_rims
from vision.chips.sight import Sight, distinct, upper
from vision.chips.silhouettes import Paper
from vision.chips.sizes import Faces
from vision.chips.standpoint import Standpoint
from vision.chips.things import Things
from vision.picture.geometry import Floats, Frame, Outline

TALL = 6
"""Maximum height of a stack of which only the foot may be found, and the top from there, in chips.
A choice."""
WHITE = np.full(3, PAPER, np.float32)
"""Colour of a card's paper if the light is unknown. Follows from that of the prints."""
TURNS = 2
"""How often plaques and chips take turns. A choice: a chip under a plaque that lies under a chip is
rare already."""
MOST_FEET = 60
"""Maximum number of circles whose tops are searched for. A choice: more than there are stacks on
any table."""


@dataclass(frozen=True, slots=True)
class Standing:
    """Where a picture was taken from: its `camera`, unless nothing is known of it.

    Nobody calibrated a `presumed` one. For another one, the `gauge` says how large single chips
    appear.
    """

    camera: Standpoint | None
    presumed: bool
    gauge: Gauge

    def over(self, frame: Frame, px_per_mm: float) -> Standpoint:
        """The camera; if it is unknown, one over the middle of the picture (H, W, 3)."""
        return self.camera or Standpoint.over((frame.shape[1], frame.shape[0]), px_per_mm)


@dataclass(frozen=True, slots=True, eq=False)
class Look:
    """A picture of a known `scale` (pixels per unit of the set's sizes), and what is in it.

    `candidates` are the round things that may be chips, `flat` what was found of plaques, `cards`
    those on which chips must meet more.
    """

    chips: ChipSet
    standing: Standing
    frame: Frame
    scale: float
    camera: Standpoint
    rounds: Rounds
    candidates: Circles
    framed: NDArray[np.bool_]
    """Which of the candidates (N,) have edges that are those of rings printed inside them."""
    cards: Sequence[Outline]
    light: Light
    flat: PlaqueReading | None
    stacks: Stacks

    @classmethod
    def of(
        cls, chips: ChipSet, standing: Standing, frame: Frame, scale: float, rounds: Rounds,
        *, white: Floats | None, cards: Sequence[Outline], tone: float = 1.0,
    ) -> Look:  # fmt: skip
        """Find the plaques, and prepare to count what is round.

        `white` (3,) is the colour of the cards' paper, if it is known, and `tone` the exponent of
        the camera's curve.
        """
        outlined, across = distinct(rounds.found), chips.smallest * scale
        cards = [card for card in cards if not chip_sized(card, across)]
        if standing.presumed:
            free = outlined[~rounds.sight.upon(outlined, cards)]
            outlined = Circles.joined([outlined, own_rims(rounds.sight.work, free)])
        # Signs and courts have rings of their own, and the rim of a light chip is lost on paper.
        rings, around = (one[~rounds.sight.upon(one, cards)] for one in (rounds.rings, rounds.rims))
        rims = distinct(Circles.joined([outlined, around]))
        candidates = Circles.joined([rims, rings])
        framed = np.arange(len(candidates)) >= len(rims)
        camera = standing.over(frame, chips.px_per_mm(scale))
        sheets = Paper.of(frame, cards, white if white is not None else WHITE)
        apart = _off(rounds.sight, outlined, cards)
        lit = light_of(chips, rounds.sight, apart, rounds.plaques, tone=tone)
        flat = PlaqueReading.of(
            frame, chips, rounds, lit, cards,
            camera=camera, presumed=standing.presumed, paper=sheets,
        )  # fmt: skip
        if flat is not None:
            cards = flat.without_these(cards)
        hidden = flat.area if flat is not None and flat.bare else None
        stacks = Stacks(
            frame, camera, chips.thickness, presumed=standing.presumed, paper=sheets,
            hidden=hidden, doubt=chips.thick_doubt,
        )  # fmt: skip
        return cls(
            chips, standing, frame, scale, camera, rounds, candidates, framed, cards, lit, flat,
            stacks,
        )  # fmt: skip

    def found(self) -> Found:
        """Find the chips and plaques, and count them."""
        found, matches, stacks = self._explained()
        told = stacks.among(found, [one.number for one in matches]) if matches else []
        beneath = self.flat.heights(told) if self.flat is not None else []
        laid = [one.outline for one in self._laid(beneath)]
        kept = believed(found, matches, told, self.chips.sizes[:, 0], laid)
        chosen = tuple(matches[n] for n in kept)
        if self.camera.leans and chosen:
            heights = self._compared(stacks, found, chosen)
        else:
            if len(kept) < len(matches):
                # What was only taken for a chip hides nobody's side.
                told = stacks.among(found, [one.number for one in chosen]) if chosen else []
            heights, beneath = self._weighed(chosen, told, beneath)
        return Found(found, chosen, tuple(heights), self.scale, self._laid(beneath))

    def _explained(self) -> tuple[Circles, list[Match], Stacks]:
        """The round things of a picture in its pixels, those of them that are chips, and the stacks
        beside all plaques.

        Chips are explained beside the plaques on which nothing lies, other plaques beside both, and
        then what lies under these.
        """
        flat, stacks = self.flat, self.stacks
        if not len(self.candidates):
            return Circles.none(), [], flat.take_rest(stacks) if flat is not None else stacks
        matcher = self._matcher(flat.likely if flat is not None else ())
        found = matcher.found.scaled(1 / self.rounds.sight.factor)
        area = self.rounds.sight.work.shape[:2]
        covered = flat.layers.covered if flat is not None else np.zeros(area, np.uint8)
        heaps = Heaps(matcher, covered, self._feet(found, matcher, stacks))
        heaps.explain()
        if flat is not None:
            stacks = self._in_turn(flat, heaps, found)
        return found, heaps.chosen, stacks

    def _in_turn(self, flat: PlaqueReading, heaps: Heaps, found: Circles) -> Stacks:
        """Let plaques and the round things `found` be explained in turn until nothing is new;
        returns the stacks beside all plaques."""
        stacks = self.stacks
        for _ in range(TURNS):
            before = heaps.covered.copy()
            stacks = flat.take_rest(self.stacks)
            heaps.compare_under(flat.layers.area)
            heaps.feet = self._feet(found, heaps.matcher, stacks)
            if not heaps.explain_under((heaps.covered > 0) & (before == 0)):
                break
        return stacks

    def _feet(self, found: Circles, matcher: Matcher, stacks: Stacks) -> Feet:
        """What tells the feet of stacks of the things `found`, in the pixels that are examined."""

        def lowest(numbers: Sequence[int]) -> Floats:
            likely = [number for number, like in matcher.likeness.items() if like >= LIKELY]
            places = np.stack([one.foot for one in stacks.of(found, numbers, likely)])
            return self.rounds.sight.shrunk(places)

        return lowest

    def _laid(self, beneath: Sequence[Height]) -> tuple[LaidPlaque, ...]:
        """The plaques that lie there, of these heights."""
        return self.flat.laid(beneath) if self.flat is not None else ()

    def _weighed(
        self, matches: Sequence[Match], told: list[Height], beneath: list[Height]
    ) -> tuple[list[Height], list[Height]]:
        """The heights of round stacks and of plaques; under a known camera, their faces say
        something about them too."""
        standing, flat = self.standing, self.flat
        if standing.camera is None or standing.presumed or not len(self.chips.faces):
            return told, beneath
        faces = Faces(self.frame, self.chips, standing.camera, self.scale, standing.gauge)
        below = flat.layers.chosen if flat is not None else []
        overlaps = flat.overlaps(told, beneath) if flat is not None else None
        every = faces.weighed([*matches, *below], [*told, *beneath], overlaps)
        return every[: len(told)], every[len(told) :]

    def _compared(self, stacks: Stacks, found: Circles, chosen: Sequence[Match]) -> list[Height]:
        """The heights of stacks in a photograph, whose signs say more when compared."""
        heights = stacks.together(found, [one.number for one in chosen])
        if not len(self.chips.faces):
            return heights
        leans = self.camera.leans
        gauge = Gauge.unaided(len(self.chips.values), leans, self.chips.thick_doubt)
        faces = Faces(self.frame, self.chips, self.camera, self.scale, gauge)
        return faces.unaided(chosen, heights)

    def _matcher(self, plaques: Sequence[Outline]) -> Matcher:
        """Prepare to compare the round things with the set.

        It includes the tops of those that may be the feet of stacks.
        """
        sight, found = self.rounds.sight, self.candidates
        seen = sight.colours(found)

        def things(some: Circles, colours: Floats, framed: NDArray[np.bool_]) -> Things:
            around = Surroundings.of(sight.work, some.centres, some.radii)
            white = self.light.removed(colours)
            upon, flat = sight.upon(some, self.cards), sight.upon(some, plaques)
            px = self.scale * sight.factor
            return Things.of(
                self.chips, some, white, around, px, strict=upon, printed=flat, framed=framed
            )

        def rimmed(some: Circles) -> Things:
            return things(some, sight.colours(some), np.zeros(len(some), np.bool_))

        matcher = Matcher(things(found, seen, self.framed), Prints.of(self.chips))
        like = matcher.like()
        feet = found[matcher.poor(like)[:MOST_FEET]]
        if not len(feet):
            return matcher
        more = upper(sight.slopes, feet, self._reach(feet))
        usual = self.chips.smallest / 2 * self.scale * sight.factor
        rims = tops(sight.slopes, found[matcher.good(like)], feet, usual, inlays(self.chips))
        if len(rims):
            # Nothing covers the top of a stack, so it must agree as a whole.
            whole = Matcher(rimmed(rims), matcher.prints)
            more = Circles.joined([more, rims[whole.good(whole.like())]])
        return matcher.and_more(rimmed(more)) if len(more) else matcher

    def _reach(self, feet: Circles) -> Floats:
        """How much (N, 2) farther out than its foot the top of a stack of `TALL` chips appears."""
        below = self.rounds.sight.shrunk(np.asarray(self.camera.below, np.float32))
        away = (feet.centres - below) * np.float32(self.chips.thick_mm / self.camera.height_mm)
        return np.asarray(away * TALL, np.float32)


def _off(sight: Sight, found: Circles, cards: Sequence[Outline]) -> Circles:
    """The round things that are on no card, if any are, from which the light's colour is told.

    A court or a back has many, and one chip among them said less than these together.
    """
    apart = found[~sight.upon(found, cards)]
    return apart if len(apart) else found


def light_of(
    chips: ChipSet, sight: Sight, found: Circles, flat: Plaques | None, *, tone: float = 1.0
) -> Light:
    """The light, compared with that in which the set was taught, if the camera's curve has the
    exponent `tone`."""
    seen = sight.colours(found) if len(found) else np.zeros((0, *chips.prints.shape[1:]))
    if flat is not None and len(flat):
        found = Circles.joined([found, flat.as_circles])
        seen = np.concatenate([seen, sight.white_of(sampled(sight.work, flat))])
    told = sight.white is not None
    return light(found, logs(seen), logs(chips.prints), told=told, tone=tone)
