"""`mazziere check-deck` from the command line and under a camera."""

from __future__ import annotations

import json
from itertools import chain
from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from firmware.commands.cli import main
from firmware.table.deck_check import dealt_through
from hardware.camera import CallableCamera
from hardware.errors import EndOfPicturesError
from rules.cards import Card, Deck, parse_cards
from vision.reader import CardReader
from vision.scene.faces import DrawnDeck, drawn_styles
from vision.scene.items import CardItem, Pose
from vision.scene.light import Lens, Light, Surface
from vision.scene.render import render
from vision.scene.view import View

ART = DrawnDeck(drawn_styles()[0])


def table(*cards: tuple[str, float], seed: int = 0) -> NDArray[np.uint8]:
    view = View.above((960, 540), px_per_mm=1.8)
    items = [CardItem(ART, Card.parse(card), Pose(x, 0.0, 4.0)) for card, x in cards]
    rng = np.random.default_rng(seed)
    picture = render(items, Surface(), view, Light(), Lens(), rng=rng)
    return np.asarray(picture, np.uint8)


def test_photographs_of_parts_of_a_deck_are_counted_together(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    kings = (("KC", -150.0), ("KD", -50.0), ("KH", 50.0), ("KS", 150.0))
    cv2.imwrite(str(tmp_path / "1.png"), table(*kings))
    cv2.imwrite(str(tmp_path / "2.png"), table(("QC", -60.0), ("QC", 60.0)))
    status = main(["check-deck", str(tmp_path), "--json"])
    found = json.loads(capsys.readouterr().out)
    assert status == 1
    assert found["seen"] == 6
    assert found["double"] == ["QC"]
    assert len(found["missing"]) == 47
    assert "KS" not in found["missing"]


def test_photographs_of_the_same_cards_count_once(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    paths = [str(tmp_path / f"{number}.png") for number in range(2)]
    for number, path in enumerate(paths):
        cv2.imwrite(path, table(("QC", -60.0), ("7H", 60.0), seed=number))
    main(["check-deck", *paths, "--again", "--json"])
    assert json.loads(capsys.readouterr().out)["seen"] == 2


def test_either_photographs_or_a_camera(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check-deck"]) == 2
    assert "--live" in capsys.readouterr().err


def test_a_deck_is_dealt_through_under_a_camera() -> None:
    shows = [(), (("7C", 0.0),), (("7C", 0.0), ("KD", 3.0)), (("7C", 0.0), ("AS", -4.0))]
    frames = [[table(*cards, seed=number)] * 8 for number, cards in enumerate(shows)]
    queue = chain.from_iterable(frames)

    def take() -> NDArray[np.uint8]:
        try:
            return next(queue)
        except StopIteration:
            raise EndOfPicturesError("the last card is dealt") from None

    told: list[str] = []
    camera = CallableCamera(take)
    dealt = dealt_through(
        camera,
        Deck.standard(),
        lambda fresh, _: told.extend(str(one.card) for one in fresh),
        CardReader(index_height=17 * 1.8),
    )
    assert told == ["7C", "KD", "AS"]
    assert dealt.against(Deck(parse_cards("7C KD AS"))).whole
