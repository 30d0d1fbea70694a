"""The shipped weights: what they promise, tested on a table that was never trained on."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import numpy as np
import onnxruntime  # type: ignore[import-untyped]
import pytest

import vision
from rules.cards import RANKS, SUITS, Card
from vision.read.alphabets import LETTERS
from vision.read.index_prints import OF_FACES
from vision.scene.faces import DeckStyle, DrawnDeck
from vision.scene.items import CardItem, Pose
from vision.scene.light import Lens, Light, Surface
from vision.scene.render import SeenCard, render, truth
from vision.scene.view import View

WEIGHTS = Path(vision.__file__).parent / "weights"
NAMES = ("finder", "reader", "face")
ALL = (*NAMES, "decks/latin")
CARDS = ("AS", "7D", "TC", "QH", "9S", "4D")


def session(name: str) -> onnxruntime.InferenceSession:
    path = str(WEIGHTS / f"{name}.onnx")
    return onnxruntime.InferenceSession(path, providers=["CPUExecutionProvider"])


def table() -> tuple[np.ndarray, list[SeenCard]]:
    """Six cards under a 25 px index, 640 by 448 pixels."""
    view = View.above((640, 448), px_per_mm=1.5, roll_deg=14)
    deck = DrawnDeck(DeckStyle())
    items = [
        CardItem(deck, Card.parse(name), Pose(-120 + 120 * (n % 3), -70 + 130 * (n // 3), 70.0 * n))
        for n, name in enumerate(CARDS)
    ]
    picture = render(items, Surface(), view, Light(), Lens(), rng=np.random.default_rng(3))
    return picture, truth(items, view)


@pytest.mark.parametrize("name", ALL)
def test_the_recipe_belongs_to_the_weights(name: str) -> None:
    recipe = json.loads((WEIGHTS / "recipe.json").read_text(encoding="utf-8"))
    data = (WEIGHTS / f"{name}.onnx").read_bytes()
    assert hashlib.sha256(data).hexdigest() == recipe["sha256"][name]
    assert any(run["network"] == name and "seed" in run for run in recipe["runs"])


def test_all_fit_in_five_megabytes() -> None:
    assert sum((WEIGHTS / f"{name}.onnx").stat().st_size for name in NAMES) < 5_000_000


def test_the_finder_answers_where_the_indices_are() -> None:
    picture, seen = table()
    (maps,) = session("finder").run(["maps"], {"frame": picture[None]})
    assert maps.shape == (1, 8, 448 // 4, 640 // 4)
    heat, face, back = maps[0, 0], maps[0, 6], maps[0, 7]
    for card in seen:
        for index in card.indices:
            row, column = int(index.y // 4), int(index.x // 4)
            near = heat[row - 1 : row + 2, column - 1 : column + 2]
            assert near.max() > 0.3
            assert maps[0, 3:5, row, column] == pytest.approx(index.up, abs=0.25)
            assert 16 * 2 ** maps[0, 5, row, column] == pytest.approx(index.height, rel=0.2)
        x, y = np.mean(card.outline, axis=0)
        assert face[int(y // 4), int(x // 4)] > 0.7
        assert back[int(y // 4), int(x // 4)] < 0.3
    assert face[2, 2] < 0.3


def test_the_reader_reads_what_is_printed() -> None:
    pytest.importorskip("PIL", reason="cutting training patches needs Pillow")
    samples = pytest.importorskip("vision.training.samples")
    picture, seen = table()
    cut, wanted = [], []
    for card in seen:
        for index in card.indices:
            up = np.array(index.up)
            cut.append(samples.cut_patch(picture, index.x, index.y, index.height, up))
            wanted.append(card.card)
    ranks, suits = session("reader").run(["rank", "suit"], {"patches": np.stack(cut)})
    assert ranks.shape == (len(cut), 15)
    assert suits.shape == (len(cut), 5)
    found = [
        Card(RANKS[r], SUITS[s]) for r, s in zip(ranks.argmax(1), suits.argmax(1), strict=True)
    ]
    assert found == wanted


def test_the_reader_s_letters_are_separated_from_its_ranks() -> None:
    felt = Surface().draw((480, 64), 1.5).reshape(64, 10, 48, 3).transpose(1, 0, 2, 3)
    patches = {"patches": np.ascontiguousarray(felt)}
    (spelled,) = session("reader").run(["letters"], patches)
    assert spelled.shape == (10, OF_FACES + len(LETTERS))
    assert (spelled.argmax(1) == 14).all()


def test_the_reader_finds_nothing_on_bare_felt() -> None:
    felt = Surface().draw((480, 64), 1.5).reshape(64, 10, 48, 3).transpose(1, 0, 2, 3)
    ranks, _ = session("reader").run(["rank", "suit"], {"patches": np.ascontiguousarray(felt)})
    assert (ranks.argmax(1) == 14).all()
