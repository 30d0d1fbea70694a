"""From pixels to cards with networks that read a code instead of print.

An index is painted as two blocks of colour, the upper one coding the rank and the lower one the
suit. That tests the finder's and the reader's positions, directions, scales and crops exactly,
without any training.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from zlib import crc32

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from rules.cards import BACK, RANKS, SUITS, Card
from vision import Box, CardReader, Frame, FrameError, Polygon, WeightsError, annotate
from vision.decide.answers import ranked
from vision.find.finder import (
    AT_ONCE,
    STRIDE,
    Areas,
    Find,
    Finder,
    Indices,
    decode,
    suppressed,
)
from vision.network import Network
from vision.picture.geometry import Floats, averaged
from vision.picture.pyramid import Pyramid
from vision.read.index_classifier import IndexClassifier
from vision.read.patches import cut
from vision.read.scales import best_scaled
from vision.sightings import Sighting

STEP = 18
"""Levels of colour between two ranks or suits."""


@dataclass(frozen=True)
class Printed:
    """An index in a picture: its card, centre, angle and height in pixels."""

    name: str
    x: float
    y: float
    angle: float
    height: float

    @property
    def up(self) -> tuple[float, float]:
        turn = np.radians(self.angle)
        return float(np.sin(turn)), float(-np.cos(turn))

    def paint(self, frame: Frame) -> None:
        card = Card.parse(self.name)
        middle = self.x, self.y
        for half, code in ((1, RANKS.index(card.rank)), (-1, SUITS.index(card.suit))):
            x, y = (c + half * self.height / 4 * u for c, u in zip(middle, self.up, strict=True))
            box = ((x, y), (0.45 * self.height, self.height / 2), self.angle)
            corners = np.round(cv2.boxPoints(box) * 16).astype(np.int32)
            cv2.fillConvexPoly(frame, corners, (250, 250, STEP * (code + 1)), shift=4)


class CodedFinder:
    """Produces the finder's maps from what is known to be printed in a picture of known width."""

    def __init__(
        self, printed: Sequence[Printed], width: int, faces: Sequence[Floats] = ()
    ) -> None:
        self._printed, self._width, self._faces = printed, width, faces
        self.shapes: list[tuple[int, ...]] = []
        self.scale = 1.0

    def __call__(self, pictures: NDArray[np.uint8]) -> tuple[Floats, ...]:
        self.shapes.append(pictures.shape)
        rows, columns = (length // STRIDE for length in pictures.shape[1:3])
        maps = np.zeros((8, rows, columns), np.float32)
        for one in self._printed:
            x, y = ((value + 0.5) * self.scale / STRIDE for value in (one.x, one.y))
            row, column = int(y), int(x)
            if not (0 <= row < rows and 0 <= column < columns):
                continue
            maps[0, row, column] = 0.9
            maps[1:3, row, column] = x - column - 0.5, y - row - 0.5
            maps[3:5, row, column] = one.up
            maps[5, row, column] = np.log2(one.height * self.scale / 16)
        for face in self._faces:
            cells = np.round(face * self.scale / STRIDE).astype(np.int32)
            cv2.fillConvexPoly(maps[6], cells, (1,))
        return (maps[None],)


def coded_reader(patches: NDArray[np.uint8]) -> tuple[Floats, ...]:
    """Reads the colours where rank and suit are on an upright patch."""
    ranks, suits = np.zeros((len(patches), 15)), np.zeros((len(patches), 5))
    for number, patch in enumerate(patches.astype(int)):
        for logits, (x, y) in ((ranks, (24, 22)), (suits, (24, 42))):
            blue, _, red = patch[y, x]
            code, none = round(red / STEP) - 1, logits.shape[1] - 1
            logits[number, code if blue > 200 and code < none else none] = 12.0
    return ranks.astype(np.float32), suits.astype(np.float32)


def painted(printed: Sequence[Printed], width: int = 640, height: int = 480) -> Frame:
    frame = chequered(width, height)
    for one in printed:
        one.paint(frame)
    return frame


def chequered(width: int, height: int) -> Frame:
    """A ground with edges everywhere, so that the finder searches all of it, and a white rim.

    The exposure is judged by the white; the codes of the other colours hold only if it is right.
    """
    rows, columns = np.mgrid[:height, :width] // 16
    levels = np.where((rows + columns) % 2, 40, 70).astype(np.uint8)
    levels[-8:] = 200
    return np.dstack([levels] * 3)


def reader(finder: CodedFinder, *, index_height: float | None = None) -> CardReader:
    return CardReader(
        index_height=index_height, finder=Finder(finder), indices=IndexClassifier(coded_reader)
    )


CARD = Printed("QD", 300, 200, 30, 28)
FACE = np.asarray(cv2.boxPoints(((300, 200), (400, 400), 0)), np.float32)


@pytest.mark.parametrize("angle", [0, 37, 90, 180, 261])
@pytest.mark.parametrize("height", [14.0, 28.0, 90.0])
def test_a_patch_is_upright_centred_and_to_scale(angle: float, height: float) -> None:
    one = Printed("7S", 320.4, 239.7, angle, height)
    indices = Indices(
        *(np.asarray(values, np.float32) for values in ([(one.x, one.y)], [one.up], [height], [1]))
    )
    patch = cut(painted([one]), indices)[0].astype(int)
    assert patch.shape == (64, 48, 3)
    ink = np.nonzero((patch[..., 0] > 150).any(axis=1))[0]
    # One pixel of the picture, which is the precision of painting small blocks.
    allowed = max(2.0, 40 / height + 1)
    assert abs(int(ink[0]) - 12) <= allowed
    assert abs(int(ink[-1]) - 51) <= allowed
    assert patch[22, 24, 2] == pytest.approx(STEP * 7, abs=3)
    assert patch[42, 24, 2] == pytest.approx(STEP * 4, abs=3)


@pytest.mark.parametrize("scale", [0.5, 1.0])
def test_an_index_is_found_where_it_is_at_any_scale(scale: float) -> None:
    finder = CodedFinder([CARD], 640, [FACE])
    finder.scale = scale
    (seen,) = reader(finder).read(painted([CARD]), scales=[scale]).sightings
    assert (str(seen.card), seen.doubtful) == ("QD", False)
    assert seen.angle == pytest.approx(30, abs=1)
    # The index is in the upper left corner of the card that it belongs to.
    assert Polygon(seen.outline).contains((CARD.x, CARD.y))
    nearest = min(range(4), key=lambda k: np.hypot(*(np.array(seen.outline[k]) - (CARD.x, CARD.y))))
    assert nearest == 0


SCATTERED = Box(0, 0, 301, 203)


def scattered() -> Frame:
    numbers = np.arange(301 * 203 * 3, dtype=np.uint64).reshape(203, 301, 3)
    return (numbers * numbers * 2654435761 >> 13).astype(np.uint8)


@pytest.mark.parametrize(
    ("scale", "sum32"), [(1.9, 2265538714), (1.3, 3711080811), (0.7, 4024356030), (0.4, 3639877653)]
)
def test_the_finder_s_input_is_the_same_on_every_processor(scale: float, sum32: int) -> None:
    """The sums were taken on x86-64 and on arm64."""
    assert crc32(Pyramid(scattered()).scaled(SCATTERED, scale).tobytes()) == sum32


@pytest.mark.parametrize(
    ("size", "sum32"), [((200, 135), 3453992203), ((77, 60), 1247291029), ((300, 101), 2049717390)]
)
def test_so_is_a_picture_on_which_light_and_ground_are_judged(
    size: tuple[int, int], sum32: int
) -> None:
    """The sums were taken on x86-64 and on arm64, where faster interpolation gives others."""
    assert crc32(averaged(scattered(), size).tobytes()) == sum32


def test_the_finder_s_input_has_multiples_of_16() -> None:
    finder = CodedFinder([], 500)
    reader(finder).read(chequered(500, 333), scales=[1.0])
    assert finder.shapes == [(1, 336, 512, 3)]


def test_a_calibrated_reader_looks_once_and_at_the_trained_size() -> None:
    finder = CodedFinder([], 1280)
    reader(finder, index_height=28.0).read(chequered(1280, 720))
    ((_, height, width, _),) = finder.shapes
    assert 15 <= 28.0 * width / 1280 <= 32
    assert height % 16 == width % 16 == 0


def test_a_large_picture_is_looked_at_in_parts_and_each_index_found_once() -> None:
    shapes = []

    def spotted(pictures: NDArray[np.uint8]) -> tuple[Floats, ...]:
        """An index at each red spot."""
        shapes.append(pictures.shape[1:3])
        maps = np.zeros((8, *(side // STRIDE for side in pictures.shape[1:3])), np.float32)
        red = (pictures[0] == (0, 0, 255)).all(axis=2).astype(np.uint8)
        for x, y in cv2.connectedComponentsWithStats(red)[3][1:]:
            column, row = int(x) // STRIDE, int(y) // STRIDE
            maps[:6, row, column] = (
                0.9,
                x / STRIDE - column - 0.5,
                y / STRIDE - row - 0.5,
                0,
                -1,
                0,
            )
        return (maps[None],)

    frame, spots = chequered(1920, 1080), {(x, y) for x in range(40, 1900, 80) for y in (90, 540)}
    for x, y in spots:
        frame[y - 2 : y + 3, x - 2 : x + 3] = 0, 0, 255
    found = Finder(spotted).find(Pyramid(frame), Box(0, 0, 1920, 1080), 1.0).indices
    assert {(round(float(x)), round(float(y))) for x, y in found.centres} == spots
    assert len(found) == len(spots)
    assert len(shapes) == 4
    assert all(high * wide < 1.3 * AT_ONCE for high, wide in shapes)


def test_only_the_asked_region_is_looked_at() -> None:
    far = Printed("3C", 560, 420, 0, 28)
    frame = painted([CARD, far])
    finder = CodedFinder([Printed("QD", 300 - 200, 200 - 100, 30, 28)], 640, [FACE - (200, 100)])
    reading = reader(finder).read(frame, regions=[Box(200, 100, 200, 200)], scales=[1.0])
    assert [str(card) for card in reading.cards] == ["QD"]
    assert finder.shapes == [(1, 208, 208, 3)]


def test_a_look_that_cannot_be_read_does_not_hide_one_that_can() -> None:
    class Two(Finder):
        """Finds the print in its place at the first scale, and displaced and larger at the next."""

        def __init__(self) -> None:
            pass

        def find(
            self, pyramid: Pyramid, box: Box, scale: float, discs: Floats | None = None
        ) -> Find:
            off, height, score = (0, 28, 0.8) if scale == 1 else (18, 40, 0.9)
            centre = CARD.x + off * CARD.up[0], CARD.y + off * CARD.up[1]
            fields = ([centre], [CARD.up], [height], [score])
            found = Indices(*(np.asarray(values, np.float32) for values in fields))
            nothing = np.zeros((120, 160), np.float32)
            return Find(found, Areas(nothing + 1, nothing, box, 1 / STRIDE))

    both = CardReader(finder=Two(), indices=IndexClassifier(coded_reader))
    reading = both.read(painted([CARD]), scales=[1.0, 0.5])
    assert [str(card) for card in reading.cards] == ["QD"]


def test_neighbours_in_a_tight_fan_are_kept_and_a_double_find_is_not() -> None:
    def pair(across: float, along: float, *, heights: tuple[float, float] = (30, 30)) -> Indices:
        centres = [(100.0, 100.0), (100 + 30 * across, 100 + 30 * along)]
        fields = (centres, [(0, -1)] * 2, heights, [0.9, 0.8])
        return Indices(*(np.asarray(values, np.float32) for values in fields))

    assert len(suppressed(pair(0.3, 0.0))) == 2
    assert len(suppressed(pair(0.1, 0.0))) == 1
    assert len(suppressed(pair(0.0, 0.4))) == 1
    assert len(suppressed(pair(0.0, 0.4, heights=(160, 30)))) == 2, "a large pip next to an index"


@pytest.mark.parametrize(
    ("height", "sure", "best"), [(88.0, 0.9, 1), (22.0, 0.9, 0), (88.0, 0.5, 0)]
)
def test_areas_are_taken_from_the_scale_that_suits_the_legible_indices(
    height: float, sure: float, best: int
) -> None:
    index = Indices(
        np.full((1, 2), 50, np.float32), np.array([[0, -1]], np.float32),
        np.array([height], np.float32), np.ones(1, np.float32),
    )  # fmt: skip
    finds = []
    for scale, back in ((1.0, 0.9), (0.25, 0.0)):
        field = np.full((8, 8), back, np.float32)
        finds.append(Find(index, Areas(0 * field, field, Box(0, 0, 320, 320), scale / 4)))
    faces = np.zeros((1, 53), np.float32)
    faces[0, 7] = sure
    assert best_scaled(finds, index, faces) is finds[best].areas


def test_maps_without_heat_hold_no_index() -> None:
    assert len(decode(np.zeros((8, 16, 24), np.float32))) == 0


def test_an_index_on_bare_table_is_not_read() -> None:
    assert reader(CodedFinder([CARD], 640)).read(painted([CARD]), scales=[1.0]).cards == ()


def test_an_index_too_small_to_trust_is_a_question() -> None:
    small = Printed("QD", 300, 200, 0, 10)
    (seen,) = (
        reader(CodedFinder([small], 640, [FACE])).read(painted([small]), scales=[1.0]).sightings
    )
    assert seen.doubtful
    assert seen.candidates[0][0] == Card.parse("QD")


@pytest.mark.parametrize(("times", "read"), [(1.94, ["QD"]), (2.4, [])])
def test_large_print_is_read_at_a_known_scale(times: float, read: list[str]) -> None:
    """The largest index is 33 mm high where a standard one has 17."""
    large = Printed("QD", 300, 200, 0, 20 * times)
    looking = reader(CodedFinder([large], 640, [FACE]), index_height=20)
    seen = looking.read(painted([large]), scales=[1.0]).sightings
    assert [str(one.card) for one in seen if not one.doubtful] == read


@pytest.mark.parametrize(("agreed", "told"), [(0.9, ["JOKER"]), (0.3, [])])
def test_a_lone_joker_has_to_look_like_one_from_all_sides(agreed: float, told: list[str]) -> None:
    class Lettered(IndexClassifier):
        """Mistakes every index for a joker's at first sight."""

        def look(
            self, frame: Frame, indices: Indices
        ) -> tuple[NDArray[np.uint8], Floats, NDArray[np.bool_]]:
            patches, faces, strange = super().look(frame, indices)
            return patches, np.where(np.arange(53) == 52, np.float32(0.98), 0 * faces), strange

        def all_round(self, frame: Frame, indices: Indices) -> Floats:
            return np.where(np.arange(53) == 52, np.float32(agreed), np.zeros((len(indices), 53)))

    looking = CardReader(
        finder=Finder(CodedFinder([CARD], 640, [FACE])), indices=Lettered(coded_reader)
    )
    seen = looking.read(painted([CARD]), scales=[1.0]).sightings
    assert [str(one.card) for one in seen] == told
    assert all(one.doubtful for one in seen)


def test_what_is_not_an_index_is_not_a_card() -> None:
    nothing = painted([])
    assert reader(CodedFinder([CARD], 640, [FACE])).read(nothing, scales=[1.0]).sightings == ()


def test_a_doubtful_reading_offers_its_candidates() -> None:
    faces = np.zeros(53, np.float32)
    faces[[20, 21]] = 0.6, 0.3
    assert [(str(card), round(p, 1)) for card, p in ranked(faces)] == [("6C", 0.6), ("6D", 0.3)]


def test_darkness_and_distance_are_reported() -> None:
    small = Printed("QD", 300, 200, 30, 10)
    finder = CodedFinder([small], 640, [FACE])
    trouble = reader(finder).read(painted([small]) // 8, scales=[1.0]).trouble
    assert "dark" in trouble
    assert "dark" not in reader(finder).read(painted([small]) + 120, scales=[1.0]).trouble
    assert "far" in reader(finder).read(painted([small]), scales=[1.0]).trouble


def test_drawing_marks_a_copy_inside_and_at_the_edge() -> None:
    frame = painted([])
    outline = ((600.0, -20.0), (660.0, -20.0), (660.0, 60.0), (600.0, 60.0))
    known = Sighting(Card.parse("TD"), 0.97, ((Card.parse("TD"), 0.97),), outline, (630, 20), 0)
    back = Sighting(
        BACK, 0.9, ((BACK, 0.9),), tuple((x - 300, y + 200) for x, y in outline), (0, 0), 0
    )
    reading = reader(CodedFinder([], 640)).read(frame, scales=[1.0])
    drawn = annotate(frame, type(reading)((known, back), size=(640, 480)))
    assert drawn.shape == frame.shape
    assert (frame == painted([])).all()
    assert (drawn[:, 590:] != 40).any()
    assert (drawn[170:260, 290:370] != 40).any()


def test_what_is_not_a_picture_is_refused() -> None:
    with pytest.raises(FrameError, match="got float64 of shape"):
        reader(CodedFinder([], 640)).read(np.zeros((4, 4, 3)))  # type: ignore[arg-type]


def test_absent_and_damaged_weights_are_named(tmp_path: Path) -> None:
    with pytest.raises(WeightsError, match="no weights at"):
        Network(tmp_path / "finder.onnx", ("maps",))
    (tmp_path / "finder.onnx").write_bytes(b"no network")
    with pytest.raises(WeightsError, match="expected a network in ONNX form"):
        Network(tmp_path / "finder.onnx", ("maps",))
