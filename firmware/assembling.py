"""An appliance put together from its settings: where spots lie, what is read and what guards it."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import replace

from firmware.appliance import Appliance, Booth, Pace
from firmware.eye import Chips, Eye, tracker_of
from firmware.follow.loop import Loop
from firmware.settings.settings import Settings
from firmware.table.cameras import FRAME_TIMEOUT_S
from firmware.table.guards import guards
from firmware.table.known_decks import known_deck
from firmware.table.markers import Found as FoundTable
from firmware.table.optics import Optics
from firmware.table.places import Places
from firmware.table.sizing import (
    Size,
    SizeGuard,
    index_height,
    plane_of,
    resized,
    same_size,
    shaped,
)
from hardware.capture import Camera
from rules.phrases import Phrase
from rules.state import State
from vision.picture.geometry import Frame
from vision.picture.plane import Plane
from vision.reader import KnownDeck


def assembled(
    settings: Settings,
    booth: Booth,
    camera: Camera,
    found: Callable[[FoundTable], None],
    pace: Pace,
) -> Appliance:
    """The appliance that follows this table; `found` is told where markers show the table to be."""
    loop, state = booth.loop, booth.loop.state
    picture = camera.peek(FRAME_TIMEOUT_S).image
    settings = shaped(settings, picture)
    plane = plane_of(settings, picture)
    places = _places(settings, plane, loop)
    chips = _chips(settings, places, state, plane, picture)
    tracker = tracker_of(
        places.outlines(state), plane, state.game.deck(state.start), _deck(settings), chips,
        assumed=not settings.corners,
    )  # fmt: skip

    def sized(size_mm: Size) -> None:
        """Continue with the size worked out from cards; called in the eye's thread."""
        wide, high = size_mm
        there = resized(plane, settings.size_mm, size_mm)
        tracker.rescale(index_height(there, size_mm))
        if same_size(size_mm, settings.size_mm):
            return
        fitting = _places(replace(settings, size_mm=size_mm), there, loop)
        appliance.move(fitting, Phrase.of("found.card", wide=round(wide), high=round(high)))

    size = SizeGuard(settings.size_mm, plane, tracker.cards, sized)
    guard = guards(settings, live=camera.live, found=found, size=size)
    if camera.live:
        camera.lock()  # once the light has settled: newly dealt cards must not change the exposure
    optics = Optics(camera)
    eye = Eye(camera, tracker, watching=lambda picture, _: optics.show(picture), guard=guard)
    appliance = Appliance(booth, eye, places, optics, pace)
    return appliance


def _places(settings: Settings, plane: Plane, loop: Loop) -> Places:
    """Where the spots are on that table; reports those that do not fit."""
    places = Places(
        plane,
        settings.size_mm,
        around=settings.around,
        dealer_at=settings.dealer_at,
        moved=settings.moved,
        chips=bool(settings.chips),
    )
    for phrase in places.layout(loop.state).keyed.values():
        print(loop.texts.say(phrase), file=sys.stderr)
    return places


def _chips(
    settings: Settings, places: Places, state: State, plane: Plane, picture: Frame
) -> Chips | None:
    """The taught chips to look for, and where; None if none are configured."""
    if not settings.chips:
        return None
    # Nothing is loaded unless the table plays with chips.
    from firmware.table.chips_watched import ChipsWatched  # noqa: PLC0415
    from firmware.table.taught_chips import Sizes, known_chips  # noqa: PLC0415

    size = picture.shape[1], picture.shape[0]
    chips, height = known_chips(settings.chips), settings.height_mm
    watched = ChipsWatched(chips, places.bets(state), plane, size, height)
    sizes = Sizes.of(settings.chips, chips, watched.camera)
    return replace(watched, gauge=sizes.known(), keep=sizes.keep)


def _deck(settings: Settings) -> KnownDeck | None:
    return known_deck(settings.deck) if settings.deck else None
