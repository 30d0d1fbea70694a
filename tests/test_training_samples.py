"""What the networks are trained on, checked where an error would silently teach the wrong thing."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("PIL", reason="drawing training pictures needs Pillow, of the training extra")
pytest.importorskip("torch", reason="what varies training pictures needs torch")

from rules.cards import BACK, JOKER, RANKS, SUITS, Card
from tests.commands import run
from vision.errors import ArtworkError
from vision.scene.faces import DeckStyle, DrawnDeck
from vision.scene.items import CardItem, Pose, Sprite
from vision.scene.light import Lens, Light, Surface
from vision.scene.render import render, truth
from vision.scene.view import View
from vision.training import samples, sources
from vision.training.decks import find_corner, load_art
from vision.training.scenes import MARK, SIDE, Scene, classes
from vision.training.things import plain_thing

DECK = DrawnDeck(DeckStyle())


def scene(name: str, x: float, y: float, angle: float) -> Scene:
    view = View.above((SIDE, SIDE), px_per_mm=2.0)
    item = CardItem(DECK, Card.parse(name), Pose(x, y, angle))
    still = Lens(blur_px=0.0, noise=0.0)
    rng = np.random.default_rng(0)
    picture = render([item], Surface(), view, Light(), still, rng=rng)
    rows = [
        (index.x, index.y, index.height, *index.up, index.visible, *classes(Card.parse(name)))
        for index in truth([item], view)[0].indices
    ]
    cover = np.zeros((SIDE // 4, SIDE // 4), np.uint8)
    return Scene(picture, np.array(rows, MARK), cover)


def patch(of: Scene, number: int) -> np.ndarray:
    mark = of.marks[number]
    up = np.array([mark["up_x"], mark["up_y"]], np.float64)
    return samples.cut_patch(of.picture, mark["x"], mark["y"], float(mark["height"]), up)


@pytest.mark.parametrize("angle", [0.0, 37.0, 90.0, 200.0, 311.0])
def test_patches_are_upright_whichever_way_the_card_lies(angle: float) -> None:
    upright = patch(scene("7C", 0, 0, 0), 0).astype(int)
    turned = scene("7C", 9, -6, angle)
    for number in (0, 1):
        apart = np.abs(patch(turned, number).astype(int) - upright)[8:56, 14:34]
        assert apart.mean() < 22


def test_the_index_fills_forty_of_sixty_four_pixels() -> None:
    # Further up there is only felt, beyond the card's edge.
    ink = patch(scene("8S", 0, 0, 20), 0)[7:57, 14:34].min(axis=(1, 2)) < 120
    rows = 7 + np.flatnonzero(ink)
    assert rows[0] == pytest.approx(12, abs=1.5)
    assert rows[-1] == pytest.approx(51, abs=1.5)


def test_heat_peaks_at_the_index_and_offsets_lead_back_to_it() -> None:
    shown = scene("QD", 11, 7, 65)
    goal = samples.targets(shown.marks)
    peaks = np.argwhere(goal.heat == 1)
    assert len(peaks) == 2
    for row, column in peaks:
        x = (column + 0.5 + goal.values[0, row, column]) * 4
        y = (row + 0.5 + goal.values[1, row, column]) * 4
        apart = np.hypot(shown.marks["x"] - x, shown.marks["y"] - y)
        nearest = shown.marks[int(apart.argmin())]
        assert apart.min() < 0.01
        assert goal.values[2:4, row, column] == pytest.approx(
            (nearest["up_x"], nearest["up_y"]), abs=1e-5
        )
        assert 16 * 2 ** goal.values[4, row, column] == pytest.approx(nearest["height"], rel=1e-4)


def test_half_covered_indices_are_not_asked_about() -> None:
    shown = scene("QD", 0, 0, 0)
    shown.marks["visible"] = 0.6
    goal = samples.targets(shown.marks)
    assert goal.heat.max() == 0
    assert goal.care.min() == 0
    labels = samples.patches(shown, np.random.default_rng(0))[1]
    assert all(label == samples.NONE for label in labels)


def test_quarter_turns_carry_the_marks_along() -> None:
    shown = scene("6H", 20, -15, 10)
    for turns in range(4):
        turned = samples.quarter_turned(shown, turns)
        for number in (0, 1):
            assert (
                np.abs(patch(turned, number).astype(int) - patch(shown, number).astype(int)).mean()
                < 6
            )
    again = samples.quarter_turned(samples.quarter_turned(shown, 3), 1)
    assert np.allclose(again.marks["x"], shown.marks["x"], atol=1e-3)


def test_classes_follow_the_order_of_the_cards() -> None:
    assert classes(Card.parse("AC")) == (0, 0)
    assert classes(Card.parse("KS")) == (len(RANKS) - 1, len(SUITS) - 1)
    assert classes(JOKER) == (13, 4)


def test_no_index_design_is_both_trained_on_and_scored_on() -> None:
    assert not set(sources.ART) & set(sources.ART_VALIDATION)
    trained = set(sources.index_fonts(validation=False))
    assert not trained & set(sources.index_fonts(validation=True))


def test_every_source_names_its_licence() -> None:
    for source in sources.SOURCES:
        assert source.licence
        assert source.registry in {"Debian", "npm", "PyPI", "GitHub"}


def test_the_index_of_cut_artwork_is_found_where_it_is_printed() -> None:
    style = DeckStyle()
    pack = {
        str(Card(rank, suit)): DrawnDeck(style).face(Card(rank, suit), 4.0)
        for rank in RANKS
        for suit in SUITS
    } | {"BACK": DrawnDeck(style).face(BACK, 4.0)}
    corner = find_corner(pack)
    assert corner is not None
    index = DrawnDeck(style).indices(Card.parse("8C"))[0]
    assert corner.x * style.width == pytest.approx(index.x + style.width / 2, abs=0.5)
    assert (corner.bottom - corner.top) * style.width == pytest.approx(index.height, abs=0.6)


def test_artwork_that_was_not_cut_is_named_with_what_makes_it(tmp_path: Path) -> None:
    with pytest.raises(ArtworkError, match=r"none\.npz: expected a deck .*training fetch"):
        load_art(tmp_path / "none.npz", letters="")


def test_a_command_names_artwork_that_is_not_there_in_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def command() -> int:
        load_art(tmp_path / "none.npz", letters="")
        return 0

    with pytest.raises(SystemExit) as ended:
        run(command)
    told = capsys.readouterr().err
    assert ended.value.code == 2
    assert told.count("\n") == 1
    assert "expected a deck cut into cards" in told


def test_a_plain_thing_among_hidden_cards_is_never_as_large_as_a_card() -> None:
    """Else it would teach that a back of one colour is none."""
    rng = np.random.default_rng(0)
    for _ in range(60):
        thing = plain_thing(Pose(0.0, 0.0, 0.0), rng)
        assert isinstance(thing, Sprite)
        short, long = sorted(thing.size)
        assert not (50 < short < 70 and 80 < long < 100)
        assert thing.picture[..., 3].any()
