"""Photographs without cards become scenes in which nothing is to be found."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

pytest.importorskip("PIL", reason="drawing training pictures needs Pillow, of the training extra")

from vision.errors import ArtworkError
from vision.training.scenes import SIDE
from vision.training.wild import LEAST, MOST, photographs, wild_scene


def store(folder: Path, name: str, wide: int, high: int) -> None:
    shades = np.random.default_rng(0).integers(0, 255, (high, wide, 3), np.uint8)
    (folder / "below").mkdir(exist_ok=True)
    cv2.imwrite(str(folder / "below" / name), shades)


def test_photographs_are_those_that_are_neither_small_nor_of_cards(tmp_path: Path) -> None:
    store(tmp_path, "room.png", 2 * MOST, 3 * MOST)
    store(tmp_path, "logo.png", LEAST - 1, 400)
    store(tmp_path, "cards.png", 400, 400)
    (tmp_path / "below" / "notes.txt").write_text("none")
    (picture,) = photographs([tmp_path])
    assert picture.shape == (MOST * 3 // 2, MOST, 3)


def test_a_folder_without_photographs_is_reported(tmp_path: Path) -> None:
    with pytest.raises(ArtworkError, match="found none"):
        photographs([tmp_path / "nowhere"])


@pytest.mark.parametrize("size", [(LEAST, 900), (900, LEAST), (1200, 1500)])
def test_a_part_of_a_photograph_has_no_index_and_no_card(size: tuple[int, int]) -> None:
    rng = np.random.default_rng(1)
    picture = rng.integers(0, 255, (*size, 3), np.uint8)
    for _ in range(5):
        scene = wild_scene([picture], rng, 1.0)
        assert scene.picture.shape == (SIDE, SIDE, 3)
        assert not len(scene.marks)
        assert not scene.cover.any()
