"""Files, labels, the table plane and polygons: what surrounds the reading itself."""

from __future__ import annotations

import os
import struct
from pathlib import Path

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules.cards import BACK, Card
from tests.draws import NIGHTLY
from vision import CardReader, GeometryError, LabelError, PhotoError, Plane, Polygon, read_photo
from vision.measure import Score, folders, labelled, main, measure, scored
from vision.network import WEIGHTS
from vision.sightings import Reading, Sighting

SQUARE = ((0.0, 0.0), (9.0, 0.0), (9.0, 9.0), (0.0, 9.0))


def seen(name: str, confidence: float = 0.97, *others: str) -> Sighting:
    candidates = tuple((Card.parse(card), confidence) for card in (name, *others))
    return Sighting(Card.parse(name), confidence, candidates, SQUARE, (4.5, 4.5), 0.0)


def jpeg(path: Path, orientation: int | None = None) -> Path:
    """A picture 60 px wide and 40 high, red on its left, with an EXIF orientation if given."""
    picture = np.zeros((40, 60, 3), np.uint8)
    picture[:, :20, 2] = 255
    data = cv2.imencode(".jpg", picture)[1].tobytes()
    if orientation is not None:
        # TIFF header, one entry: tag 0x0112 (orientation), type 3 (short), one value.
        entry = struct.pack("<HHIHH", 0x0112, 3, 1, orientation, 0)
        tiff = b"II*\x00" + struct.pack("<IH", 8, 1) + entry + struct.pack("<I", 0)
        body = b"Exif\x00\x00" + tiff
        data = data[:2] + b"\xff\xe1" + struct.pack(">H", len(body) + 2) + body + data[2:]
    path.write_bytes(data)
    return path


def test_a_photograph_is_turned_as_its_camera_noted(tmp_path: Path) -> None:
    assert read_photo(jpeg(tmp_path / "plain.jpg")).shape == (40, 60, 3)
    # Orientation 6: the camera was held so that the top is at the picture's right (EXIF 2.32).
    turned = read_photo(jpeg(tmp_path / "turned.jpg", 6))
    assert turned.shape == (60, 40, 3)
    assert turned[5, 20, 2] > 200
    assert turned[55, 20, 2] < 50


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (None, "No such file"),
        (b"", "the file is empty"),
        (b"Dear Sirs, enclosed", "expected a photograph"),
        (b"\xff\xd8\xff\xe0 cut", "expected a photograph"),
    ],
)
def test_what_is_not_a_photograph_is_reported_in_one_line(
    tmp_path: Path, content: bytes | None, message: str
) -> None:
    path = tmp_path / "table.jpg"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(PhotoError, match=message) as error:
        read_photo(path)
    assert "\n" not in str(error.value)
    assert str(path) in str(error.value)


def test_a_misread_as_another_card_that_is_present_is_still_wrong() -> None:
    labels = [Card.parse(name) for name in ("5H", "5H", "9C")]
    reading = Reading((seen("5H"), seen("9C"), seen("9C")))
    assert scored(labels, reading) == Score(cards=3, right=2, missed=1, wrong=1)


def test_a_question_counts_when_the_card_is_among_its_candidates() -> None:
    labels = [Card.parse("6D"), BACK]
    reading = Reading((seen("8D", 0.5, "6D"), seen("AS", 0.4), seen("??", 0.9)))
    assert scored(labels, reading) == Score(cards=2, right=1, asked=1, vain=1)


def test_labels_are_read_and_their_faults_named(tmp_path: Path) -> None:
    (tmp_path / "labels.csv").write_text("file,cards,notes\na.jpg,QS BACK,\nb.jpg,,none\n")
    first, second = labelled(tmp_path)
    assert first.cards == (Card.parse("QS"), BACK)
    assert second.cards == ()
    (tmp_path / "labels.csv").write_text("file,cards\na.jpg,QX\n")
    with pytest.raises(LabelError, match="'QX' is not a card"):
        labelled(tmp_path)
    with pytest.raises(LabelError, match="expected labels"):
        list(folders([tmp_path / "elsewhere"]))


def test_a_folder_without_labels_ends_with_status_2(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([str(tmp_path)]) == 2
    assert capsys.readouterr().err.startswith("vision.measure: ")


@settings(deadline=None)
@given(x=st.floats(-300, 300), y=st.floats(-200, 200))
def test_the_plane_maps_there_and_back(x: float, y: float) -> None:
    table = ((-400.0, -250.0), (400.0, -250.0), (400.0, 250.0), (-400.0, 250.0))
    picture = ((210.0, 120.0), (1650.0, 90.0), (1800.0, 1000.0), (130.0, 1040.0))
    plane = Plane.from_points(table, picture)
    assert plane.millimetres(plane.pixels((x, y))) == pytest.approx((x, y), abs=1e-3)
    assert plane.outline(table)[2] == pytest.approx(picture[2], abs=1e-3)


def test_a_straight_camera_scales_evenly_and_turns_rectangles_clockwise() -> None:
    square = ((0.0, 0.0), (100.0, 0.0), (100.0, 100.0), (0.0, 100.0))
    plane = Plane.from_points(square, tuple((2 * x + 10, 2 * y + 20) for x, y in square))
    assert plane.scale((50, 50)) == pytest.approx(2)
    spot = plane.rectangle(20, 40, 60, 20, degrees=90)
    # Turned a quarter clockwise, the left end is on top: 60 mm high, 20 mm wide.
    assert spot.points[0] == pytest.approx((2 * 60 + 10, 2 * 20 + 20))
    assert (spot.box.width, spot.box.height) == (40, 120)
    assert spot.axis == pytest.approx((0, 1), abs=1e-6)


def test_points_on_a_line_make_no_plane() -> None:
    line = ((0.0, 0.0), (1.0, 0.0), (2.0, 0.0), (0.0, 1.0))
    with pytest.raises(GeometryError, match="three of the four table points lie on a line"):
        Plane.from_points(line, ((0, 0), (1, 0), (1, 1), (0, 1)))
    with pytest.raises(GeometryError, match="4 points: got 3 and 4"):
        Plane.from_points(line[:3], line)


def test_a_polygon_needs_an_inside() -> None:
    with pytest.raises(GeometryError, match="3 corners or more: got 2"):
        Polygon(((0, 0), (1, 1)))
    with pytest.raises(GeometryError, match="has an inside"):
        Polygon(((0, 0), (1, 1), (2, 2)))


@pytest.mark.parametrize(
    ("width", "height", "axis"), [(90, 30, (1, 0)), (30, 90, (0, 1)), (50, 50, (1, 0))]
)
def test_cards_are_read_along_a_spot_s_longer_side(
    width: float, height: float, axis: tuple[float, float]
) -> None:
    assert Polygon.rectangle(5, 5, width, height).axis == pytest.approx(axis, abs=1e-6)


@pytest.mark.skipif(
    "MAZZIERE_PHOTOS" not in os.environ, reason="MAZZIERE_PHOTOS names no folder of photographs"
)
@pytest.mark.skipif(not WEIGHTS.is_dir(), reason="the weights are not installed")
def test_single_cards_in_photographs_are_read(tmp_path: Path) -> None:
    folder = Path(os.environ["MAZZIERE_PHOTOS"]) / "single_foltysM"
    head, *lines = (folder / "labels.csv").read_text("utf-8").splitlines()
    some = lines if NIGHTLY else lines[::2]
    (tmp_path / "labels.csv").write_text("\n".join([head, *some]), "utf-8")
    for photo in folder.glob("*.jpg"):
        (tmp_path / photo.name).symlink_to(photo)
    score, _ = measure(tmp_path, CardReader(threads=2), worst=False)
    assert score.cards >= len(some) > 10
    assert score.recall >= 0.9
    assert score.precision >= 0.95
