"""What sensors, lamps and hands do to a table at rest, and what is still seen of it.

The cameras are the simulated ones; a reader that knows the scene stands in for the real one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from copy import deepcopy
from functools import cache

import cv2
import numpy as np
import pytest

from tests.draws import NIGHTLY, mostly_nightly
from tests.knowing import LEFT, SPOTS, VIEW, KnowingReader, card, names
from tests.stillness import moving, simulated
from vision import Polygon, Seen, Tracker
from vision.picture.geometry import Frame
from vision.scene.items import Item, Pose, chip_item, hand_item
from vision.scene.light import Lens, Light, Surface
from vision.scene.render import Canvas
from vision.scene.sensor import SENSORS
from vision.scene.sensor_camera import SimulatedCamera
from vision.track.light import Noise
from vision.track.motion import CHANGED, NOISE, beyond, shrunken, unlike
from vision.track.sway import Sway
from vision.track.tracker import UNSETTLED_S

RATE_HZ = 15.0
BOARD = {"board": Polygon.rectangle(100, 60, 760, 420)}


class Filmed:
    """A table under a simulated camera at fifteen frames per second, and its tracker's reports."""

    def __init__(self, sensor: str = "webcam", spots: dict[str, Polygon] | None = None) -> None:
        self.canvas = Canvas(VIEW, Surface(), Light(brightness=0.75), Lens(noise=0), seed=3)
        self.camera = SimulatedCamera(SENSORS[sensor], seed=2)
        self.reader = KnowingReader()
        self.tracker = Tracker(self.reader, spots or SPOTS)
        self.time = 0.0
        self.told: list[Seen] = []
        while self.camera.lock() is None:
            self._frame(())

    def _frame(self, moving: Sequence[Item]) -> Frame:
        self.time += 1 / RATE_HZ
        scene = np.asarray(self.canvas.frame(moving), np.uint8)
        return self.camera.shoot(lambda _: scene, self.time, still=True)

    def show(
        self,
        still: Sequence[Item],
        moving: Sequence[Item] = (),
        seconds: float = 1 / RATE_HZ,
        change: Callable[[Frame], Frame] = lambda frame: frame,
    ) -> Seen:
        """Show a picture at rest for some time, or with a thing held over it."""
        self.canvas.settle(still)
        self.reader.items = [*still, *moving]
        for _ in range(max(1, round(seconds * RATE_HZ))):
            self.told.append(self.tracker.update(change(self._frame(moving)), self.time))
        return self.told[-1]

    def ever(self, spot: str) -> set[tuple[str, ...]]:
        """Everything ever reported for a spot while it was not busy."""
        return {tuple(names(seen, spot)) for seen in self.told if spot not in seen.busy}


@cache
def _looked_at(sensor: str, *, board: bool) -> Filmed:
    """A table that has been looked at for a second, with its camera locked."""
    table = Filmed(sensor, BOARD if board else None)
    table.show([], seconds=1)
    return table


@pytest.fixture(params=mostly_nightly(["webcam", "evening"], "webcam"))
def filmed(request: pytest.FixtureRequest) -> Filmed:
    return deepcopy(_looked_at(request.param, board=False))


@pytest.fixture
def board() -> Filmed:
    return deepcopy(_looked_at("webcam", board=True))


@pytest.mark.parametrize("sensor", mostly_nightly(["pi", "webcam", "evening", "phone"], "evening"))
def test_a_table_at_rest_does_not_move(sensor: str) -> None:
    _, _, moved = moving(simulated(sensor, seed=4, frames=45))
    assert moved <= 0.02


def test_a_card_at_rest_settles_within_a_fifth_of_a_second(filmed: Filmed) -> None:
    seven = card("7D", LEFT)
    for x in (-400, -350, -300, -250, -200):
        filmed.show([], [seven.moved(x, 0, 0, 20)])
    assert names(filmed.show([seven], seconds=0.27), "left") == ["7D"]
    assert not filmed.show([seven]).busy
    assert filmed.ever("left") == {(), ("7D",)}


def test_a_card_is_reported_on_the_second_picture_in_which_nothing_moves(filmed: Filmed) -> None:
    """It lay in the picture before the first of them too, in which it is read as well."""
    seven = card("7D", LEFT)
    for x in (-400, -350, -300, -250, -200):
        filmed.show([], [seven.moved(x, 0, 0, 20)])
    read = filmed.reader.reads
    filmed.show([seven])
    assert "left" in filmed.show([seven]).busy
    seen = filmed.show([seven])
    assert "left" not in seen.busy
    assert names(seen, "left") == ["7D"]
    assert filmed.reader.reads - read == 3


def test_what_lies_there_is_read_once_whatever_flickers(filmed: Filmed) -> None:
    lying = [card("7D", LEFT)]
    filmed.show(lying, seconds=1)
    read = filmed.reader.reads
    seen = filmed.show(lying, seconds=6 if NIGHTLY else 3)
    assert names(seen, "left") == ["7D"]
    assert filmed.reader.reads == read


def test_two_cards_laid_at_once_both_settle(board: Filmed) -> None:
    two = [card("7D", Pose(-120, 0)), card("QS", Pose(60, 10, 12))]
    for x in (-300, -200, -100):
        board.show([], [one.moved(x + 90 * n, 60, 0, 20) for n, one in enumerate(two)])
    assert names(board.show(two, seconds=0.4), "board") == ["7D", "QS"]
    assert board.ever("board") <= {(), ("7D",), ("QS",), ("7D", "QS")}


def test_a_card_laid_on_the_wrong_spot_and_slid_is_reported_at_its_new_one() -> None:
    table = deepcopy(_looked_at("webcam", board=False))
    seven = card("7D", LEFT)
    table.show([seven], seconds=0.4)
    for x in range(-180, 161, 34):
        table.show([], [seven.moved(x, 0, 0, 0), hand_item(x, 90)])
    seen = table.show([card("7D", Pose(160, 0))], seconds=0.5)
    assert (names(seen, "left"), names(seen, "right")) == ([], ["7D"])


def test_a_card_slid_within_its_spot_is_never_two(board: Filmed) -> None:
    board.show([card("7D", Pose(-200, 0))], seconds=1)
    for x in range(-200, 101, 25):
        board.show([], [card("7D", Pose(x, 0)), hand_item(x, 80)])
    lies = [card("7D", Pose(100, 0))]
    for step in range(8):
        board.show(lies, [hand_item(100 + 10 * step, 80 + 40 * step)])
    assert names(board.show(lies, seconds=1), "board") == ["7D"]
    assert board.ever("board") <= {(), ("7D",)}


def test_cards_squared_up_stay_what_they_are(board: Filmed) -> None:
    askew = [card("7D", Pose(-120, 6, 9)), card("QS", Pose(0, -8, -14))]
    board.show(askew, seconds=1)
    square = [card("7D", Pose(-110, 0, 0)), card("QS", Pose(-20, 0, 0))]
    for step in range(10):
        part = step / 9
        between = [
            card("7D", Pose(-120 + 10 * part, 6 - 6 * part, 9 - 9 * part)),
            card("QS", Pose(-20 * part, -8 + 8 * part, -14 + 14 * part)),
        ]
        board.show([], [*between, hand_item(-60, 70 + step % 3)])
    assert names(board.show(square, seconds=1), "board") == ["7D", "QS"]
    assert board.ever("board") <= {(), ("7D",), ("QS",), ("7D", "QS")}


def test_a_restless_corner_does_not_hold_up_the_other_cards(board: Filmed) -> None:
    """A hand plays with chips at one end while a card is laid at the other."""

    def restless(step: int) -> Item:
        return hand_item(200 + 9 * (step % 2), 60)

    for step in range(20):
        board.show([], [restless(step)])
    seven = card("7D", Pose(-220, 0))
    for step in range(8):
        seen = board.show([seven], [restless(step)])
    assert names(seen, "board") == ["7D"]
    assert "board" not in seen.busy


def test_what_cannot_settle_is_reported_in_time_with_its_place(filmed: Filmed) -> None:
    """A trouble is reported once it lasts two seconds more: five in all."""
    lying = [card("7D", LEFT)]
    filmed.show(lying, seconds=1)
    began, heard = filmed.time, None
    for step in range(80 if NIGHTLY else 48):
        seen = filmed.show(lying, [hand_item(-170 + 12 * (step % 2), -75)])
        if "moving" in seen.trouble and heard is None:
            heard = filmed.time - began
    assert heard is not None
    assert heard <= 3.0
    assert seen.places["moving"] == "left"
    assert UNSETTLED_S + 2.0 < 5.0
    assert "moving" not in filmed.show(lying, seconds=0.5).trouble


@pytest.mark.slow
def test_still_frames_now_and_then_do_not_put_off_a_report(filmed: Filmed) -> None:
    """A hand that pauses for three frames in ten has not let go."""
    lying = [card("7D", LEFT)]
    filmed.show(lying, seconds=1)
    for step in range(50):
        moved = 12 * (step % 2) if step % 10 < 7 else 0
        seen = filmed.show(lying, [hand_item(-170 + moved, -75)])
    assert {"moving", "covered"} & set(seen.trouble)
    assert names(seen, "left") == ["7D"]


def test_a_hand_at_the_edge_and_things_set_down_change_nothing(board: Filmed) -> None:
    lying: list[Item] = [card("7D", Pose(-150, 0)), card("QS", Pose(60, 0))]
    board.show(lying, seconds=1)
    board.show(lying, [hand_item(300, 210)], seconds=4 if NIGHTLY else 2)
    glass = chip_item(220, -90, (200, 190, 160))
    seen = board.show([*lying, glass], seconds=1)
    assert names(seen, "board") == ["7D", "QS"]
    assert not seen.busy
    assert board.ever("board") <= {(), ("7D",), ("QS",), ("7D", "QS")}


def test_a_step_of_exposure_or_of_colour_changes_nothing(filmed: Filmed) -> None:
    lying = [card("7D", LEFT)]
    filmed.show(lying, seconds=1)
    read = filmed.reader.reads
    for gain in ((1.25, 1.25, 1.25), (1.0, 1.0, 1.0), (0.8, 0.8, 0.8), (0.84, 0.8, 0.76)):
        seen = filmed.show(
            lying,
            seconds=1 if NIGHTLY else 0.5,
            change=lambda frame, gain=gain: np.clip(frame * gain, 0, 255).astype(np.uint8),  # type: ignore[misc]
        )
        assert names(seen, "left") == ["7D"]
        assert not seen.busy
    assert filmed.reader.reads == read


def test_a_card_laid_during_a_step_of_exposure_is_read(filmed: Filmed) -> None:
    filmed.show([], seconds=1)
    seen = filmed.show(
        [card("7D", LEFT)],
        seconds=0.6,
        change=lambda frame: np.clip(frame * 1.2, 0, 255).astype(np.uint8),
    )
    assert names(seen, "left") == ["7D"]


def test_a_squared_pile_shows_its_new_card(filmed: Filmed) -> None:
    """Exactly on the last one, of the same suit and with nearly the same print."""
    for name in ("7D", "8D", "6D"):
        lying = [card(name, LEFT)]
        filmed.show(lying, [hand_item(-170, 0)], seconds=0.3)
        assert names(filmed.show(lying, seconds=0.6), "left") == [name]


SEATS = [
    card(name, Pose(x, y, 15 * n))
    for n, (name, x, y) in enumerate(
        [
            ("7D", -300, -130),
            ("QS", 0, -140),
            ("4C", 300, -120),
            ("KH", -290, 130),
            ("9S", 280, 140),
        ]
    )
]


def shaken(frame: Frame, step: int, reach: float) -> Frame:
    """The frame as seen by a camera that swings by `reach` pixels, fifteen frames per second."""
    away = np.array([[1, 0, reach * np.sin(step * 1.9)], [0, 1, reach * np.cos(step * 1.3)]])
    size = frame.shape[1], frame.shape[0]
    moved = cv2.warpAffine(frame, away, size, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(moved, np.uint8)


@pytest.mark.parametrize("reach", mostly_nightly([2.0, 9.0], 2.0))
def test_a_camera_that_sways_is_reported_and_invents_nothing(board: Filmed, reach: float) -> None:
    board.show(SEATS, seconds=1)
    known = set(names(board.told[-1], "board"))
    for step in range(60 if NIGHTLY else 40):
        seen = board.show(SEATS, change=lambda frame, step=step: shaken(frame, step, reach))  # type: ignore[misc]
    assert "sways" in seen.trouble
    assert all(set(names(one, "board")) <= known for one in board.told)


def test_a_hand_among_cards_is_not_a_moving_camera(board: Filmed) -> None:
    board.show(SEATS, seconds=1)
    for step in range(0, 60, 1 if NIGHTLY else 2):  # and a hand twice as fast
        seen = board.show(SEATS, [hand_item(-200 + 8 * step, -60 + 5 * (step % 7))])
        assert not {"sways", "moved"} & set(seen.trouble)


def test_hands_that_reach_over_all_cards_again_and_again_are_not_a_swaying_camera() -> None:
    cards = np.random.default_rng(1).integers(0, 2, (180, 320, 1), np.uint8) * np.full(
        3, 255, np.uint8
    )
    stirred, still = np.full((180, 320), 255, np.uint8), np.zeros((180, 320), np.uint8)

    def told(pause: int) -> bool:
        """Whether twelve reaches of a second, with pauses of `pause` frames, are reported."""
        sway, answers = Sway(), []
        for step in range(12 * (15 + pause)):
            shown = stirred if step % (15 + pause) < 15 else still
            sway.see(shown, cv2.countNonZero(shown), cards, step / 15)
            answers.append(sway.told(step / 15))
        return any(answers)

    assert told(pause=3)
    assert not told(pause=8)


def test_a_hand_in_one_place_is_not_a_swaying_camera() -> None:
    """What a shift of a pixel explains is the camera's only if the whole table shifts."""
    lying = np.random.default_rng(1).integers(0, 2, (180, 320, 1), np.uint8) * np.full(
        3, 255, np.uint8
    )
    corner, whole = np.zeros((180, 320), np.uint8), np.full((180, 320), 255, np.uint8)
    corner[100:120, 100:120] = 255
    sway = Sway()
    for step in range(30):
        sway.see(corner, 0, lying, step / 15)
        assert not sway.swaying
    for step in range(30, 36):
        sway.see(whole, 0, lying, step / 15)
    assert sway.swaying
    for step in range(36, 50):
        sway.see(np.zeros_like(whole), 0, lying, step / 15)
    assert not sway.swaying


def test_a_card_on_another_of_its_suit_is_a_change_and_a_fifth_of_a_pixel_is_not(
    board: Filmed,
) -> None:
    """On a reduced card the pips are two pixels wide, with white all around them."""

    def small(name: str, aside: float) -> Frame:
        board.canvas.settle([card(name, Pose(0, 0))])
        frame = np.asarray(board.canvas.frame([]), np.uint8)
        size, away = frame.shape[1::-1], np.array([[1, 0, aside], [0, 1, 0]])
        return shrunken(np.asarray(cv2.warpAffine(frame, away, size), np.uint8))[0][10:-10, 10:-10]

    eight, limits = small("8S", 0.0), Noise().limit(CHANGED, NOISE)
    assert unlike(small("2S", 0.0), eight, limits, sways=False).any()
    shifted = small("8S", 0.2 / shrunken(np.asarray(board.canvas.frame([]), np.uint8))[1])
    assert beyond(shifted, eight, limits).any()
    assert not unlike(shifted, eight, limits, sways=False).any()


def test_a_camera_that_was_pushed_is_reported_for_a_while(board: Filmed) -> None:
    board.show(SEATS, seconds=1)
    assert "moved" not in board.show(SEATS, seconds=1).trouble

    def pushed(frame: Frame) -> Frame:
        return np.asarray(np.roll(frame, (9, 14), (0, 1)), np.uint8)

    told = [board.show(SEATS, change=pushed) for _ in range(45 if NIGHTLY else 20)]
    assert all("moved" in seen.trouble for seen in told[5:])


def test_cards_slid_together_are_not_a_pushed_camera(board: Filmed) -> None:
    def spread(x: float) -> list[Item]:
        return [card(name, Pose(x + 75 * n, 0)) for n, name in enumerate(("7D", "QS", "4C"))]

    board.show(spread(-100), seconds=1)
    for step in range(10):
        board.show([], [*spread(-100 + 4 * step), hand_item(-30, 90)])
    board.show(spread(-60), seconds=1)
    assert not any("moved" in seen.trouble for seen in board.told)


@pytest.mark.parametrize(
    ("places", "swaying"), [([(300, 200)], False), ([(60, 60), (560, 280)], True)]
)
def test_what_moves_where_nothing_else_has_edges_is_not_the_camera(
    places: list[tuple[int, int]], swaying: bool
) -> None:
    """On a bare table with one pile, a hand at that pile moves every edge in sight."""
    table = np.full((360, 640, 3), 60, np.uint8)
    for x, y in places:
        cv2.rectangle(table, (x, y), (x + 33, y + 46), (240, 240, 240), -1)
    rim = cv2.morphologyEx(table[..., 0], cv2.MORPH_GRADIENT, np.ones((3, 3), np.uint8))
    sway = Sway()
    for number in range(8):
        sway.see((rim > 0).astype(np.uint8) * 255, 0, table, number / 10)
    assert sway.swaying is swaying
