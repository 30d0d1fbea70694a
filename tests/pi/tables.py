"""Draws pictures of tables, the same in every run, for ``arm64.sh`` to have read."""

from __future__ import annotations

import random
import sys
from pathlib import Path

import cv2
import numpy as np

from rules.cards import Card
from vision.scene.faces import DeckStyle, DrawnDeck
from vision.scene.items import CardItem, Pose
from vision.scene.light import Lens, Light, Surface
from vision.scene.render import render
from vision.scene.view import View

SIZE = (960, 540)
"""A quarter of the camera's picture: even that takes qemu minutes."""
PX_PER_MM = 2.4
CARDS_EACH = 3
PITCH_MM = 120.0
CARDS = [Card.parse(rank + suit) for suit in "CDHS" for rank in "A23456789TJQK"]
DRAWN = 3
"""Default number of pictures."""
LIGHTS = (
    (Light(), Lens()),
    (Light(tint=(0.8, 0.95, 1.05), slope=0.3), Lens()),
    (Light(brightness=0.3), Lens(blur_px=3.5, noise=20.0)),
)
"""Good light, a warm lamp on one side, and a dim room out of focus, in turn."""


def main(folder: Path, count: int = DRAWN) -> None:
    """Write `count` pictures of three turned cards each."""
    for number in range(count):
        light, lens = LIGHTS[number % len(LIGHTS)]
        dice = random.Random(number)
        deck = DrawnDeck(DeckStyle())
        items = [
            CardItem(deck, card, Pose((place - 1) * PITCH_MM, 0.0, dice.uniform(0, 360)))
            for place, card in enumerate(dice.sample(CARDS, CARDS_EACH))
        ]
        view = View.above(SIZE, px_per_mm=PX_PER_MM)
        rng = np.random.default_rng(number)
        picture = render(items, Surface(), view, light, lens, rng=rng)
        cv2.imwrite(str(folder / f"drawn-{number:02}.png"), picture)


if __name__ == "__main__":
    main(Path(sys.argv[1]), *map(int, sys.argv[2:]))
