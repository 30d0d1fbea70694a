"""Training the network that tells the rank of Latin cards by their signs, on whole faces.

It is of the third network's shape and goes on from its weights: both count what is printed on a
card. Most of what it sees are decks of no pattern (`vision.scene.latin`), the rest the regional
ones of which there are pictures, in any colours, and French faces and backs, which show none::

    export MAZZIERE_TRAINING=~/mazziere-training
    python -m vision.training.latin FOLDER --minutes 14            # with napoletane, … in it
    python -m vision.training.latin FOLDER --without neapolitan    # to judge what it makes of it
    python -m vision.training export decks/latin
"""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeAlias

import cv2
import numpy as np
import torch
from torch import Tensor

from rules.cards import BACK, RANKS, SUITS, Card, Rank
from vision.decide.patterns import PATTERNS
from vision.network import WEIGHTS
from vision.picture.geometry import Floats
from vision.read.fingerprint import HEIGHT, WIDTH
from vision.scene.courts import Colour, Picture
from vision.scene.faces import DrawnDeck, drawn_styles
from vision.scene.latin import VALUES, drawn, maker
from vision.scene.regional import forty
from vision.training.networks import FaceNet
from vision.training.patterns import FOLDERS, PrintedDeck
from vision.training.restore import restore
from vision.training.scenes import classes
from vision.training.sources import WORK
from vision.training.train import Recipe, Run, reader_loss

Rng: TypeAlias = np.random.Generator
Labelled: TypeAlias = tuple[Picture, tuple[int, int]]
NETWORK = "decks/latin"
"""Where its weights are kept: beside the prints of decks, as no card with an index needs it."""
NONE = (14, 4)
MAKERS = 2500
"""Decks of no pattern that are drawn for a run, four cards and a court of each. A choice."""
FIRST_MAKER = 100_000
"""Makers from here on are trained on; those below are for trials."""
STORED = (112, 184)
"""The size in pixels at which faces are kept: twice that of a straightened one."""
SHARES = (0.52, 0.36, 0.12)
"""How many samples are of no pattern, of a regional one, and none. A choice."""


@dataclass
class Pool:
    """The faces that samples are made from."""

    rng: Rng
    decks: Sequence[str]
    art: Path
    makers: int = MAKERS
    scenes: list[Labelled] = field(default_factory=list)
    regional: list[Labelled] = field(default_factory=list)
    others: list[Labelled] = field(default_factory=list)

    def fill(self) -> None:
        """Draw all of them."""
        for number in range(self.makers):
            by = maker(FIRST_MAKER + number)
            for card in self._some():
                self.scenes.append((drawn(by, card, STORED), classes(card)))
        for name in self.decks:
            deck = PrintedDeck(PATTERNS[name], self.art / FOLDERS[name])
            for card in forty():
                self.regional.append((_small(deck.face(card, 3.0)), classes(card)))
        for style in drawn_styles():
            other = DrawnDeck(style)
            cards = [Card(rank, suit) for suit in SUITS for rank in RANKS]
            for card in [*cards, BACK, BACK, BACK]:
                self.others.append((_small(other.face(card, 3.0)), NONE))

    def refresh(self, most: int = 0) -> None:
        """Nothing: what was drawn stays."""

    def _some(self) -> Iterator[Card]:
        for _ in range(4):
            yield Card(Rank(VALUES[int(self.rng.integers(9))]), SUITS[int(self.rng.integers(4))])
        yield Card(Rank("JQK"[int(self.rng.integers(3))]), SUITS[int(self.rng.integers(4))])

    def draw(self) -> Labelled:
        """A sample: a straightened face as a camera may show it, and its classes."""
        source = (self.scenes, self.regional, self.others)[int(self.rng.choice(3, p=SHARES))]
        picture, label = source[int(self.rng.integers(len(source)))]
        return seen(picture, self.rng, odd=source is self.regional), label


def _small(texture: Picture) -> Picture:
    return np.asarray(cv2.resize(texture[..., :3], STORED, interpolation=cv2.INTER_AREA), np.uint8)


def seen(picture: Picture, rng: Rng, *, odd: bool) -> Picture:
    """A face (96, 64, 3) as it is straightened out of a photograph; in `odd` colours or its own."""
    if rng.random() < 0.5:
        picture = picture[:, ::-1]
    if rng.random() < 0.5:
        picture = picture[::-1, ::-1]
    across = round(float(np.exp(rng.uniform(np.log(44), np.log(112)))))
    along = round(across * float(rng.uniform(1.4, 1.9)))
    small = cv2.resize(np.ascontiguousarray(picture), (across, along), interpolation=cv2.INTER_AREA)
    inked = _recoloured(np.asarray(small, np.uint8), rng, odd=odd)
    soft = cv2.GaussianBlur(inked, (0, 0), float(rng.uniform(0.3, 1.2)))
    return _lit(_straightened(np.asarray(soft, np.uint8), rng), rng)


def _recoloured(picture: Picture, rng: Rng, *, odd: bool) -> Picture:
    """Inks of another hue, strength and darkness."""
    if odd and rng.random() < 0.35:
        picture = picture[..., rng.permutation(3)]
    tones = cv2.cvtColor(np.ascontiguousarray(picture), cv2.COLOR_BGR2HSV)
    turn = float(rng.uniform(-90, 90)) if odd and rng.random() < 0.4 else float(rng.normal(0, 6))
    tones[..., 0] = (tones[..., 0].astype(np.int16) + round(turn)) % 180
    tones[..., 1] = np.clip(tones[..., 1] * float(rng.uniform(0.35, 1.3)), 0, 255)
    inked = cv2.cvtColor(tones, cv2.COLOR_HSV2BGR)
    level = np.arange(256) / 255
    curve = np.clip(level ** float(np.exp(rng.normal(0, 0.3))) * 255, 0, 255).astype(np.uint8)
    return np.asarray(cv2.LUT(inked, curve), np.uint8)


def _straightened(picture: Picture, rng: Rng) -> Picture:
    """Cut out a little beside its edges, table colour around it."""
    high, wide = picture.shape[:2]
    own = np.array([(0, 0), (wide, 0), (wide, high), (0, high)], np.float32) - 0.5
    off = rng.normal(0, 0.012, (4, 2)) + rng.normal(0, 0.015, 2)
    off = off + (own / (wide, high) - 0.5) * rng.normal(0, 0.03, 2)
    target = np.array([(0, 0), (WIDTH, 0), (WIDTH, HEIGHT), (0, HEIGHT)]) + off * (WIDTH, HEIGHT)
    onto = cv2.getPerspectiveTransform(own, np.asarray(target - 0.5, np.float32))
    table: Colour = tuple(int(one) for one in rng.integers(10, 160, 3))  # type: ignore[assignment]
    return np.asarray(
        cv2.warpPerspective(picture, onto, (WIDTH, HEIGHT), borderValue=table), np.uint8
    )


def _lit(face: Picture, rng: Rng) -> Picture:
    """In some light of some colour, brighter to one side, as a sensor sees it."""
    ramp: Floats = np.linspace(-1, 1, HEIGHT, dtype=np.float32)[:, None, None]
    side: Floats = np.linspace(-1, 1, WIDTH, dtype=np.float32)[None, :, None]
    gain = np.exp(rng.normal(-0.25, 0.3)) * (1 + rng.normal(0, 0.1, 3))
    slope = 1 + ramp * float(rng.normal(0, 0.08)) + side * float(rng.normal(0, 0.06))
    noise = rng.standard_normal(face.shape, np.float32) * float(rng.gamma(1.5, 2.0))
    haze = float(rng.uniform(0, 25)) if rng.random() < 0.3 else 0.0
    return np.asarray(np.clip(face * gain * slope + noise + haze, 0, 255), np.uint8)


def batches(pool: Pool, size: int) -> Iterator[tuple[Tensor, ...]]:
    """Endless batches: faces (N, 96, 64, 3), and their ranks and suits (N, 2)."""
    while True:
        faces, labels = zip(*(pool.draw() for _ in range(size)), strict=True)
        yield torch.from_numpy(np.stack(faces)), torch.tensor(labels)


def train(art: Path, decks: Sequence[str], recipe: Recipe, name: str, makers: int) -> None:
    """Train it on decks of no pattern and on those named."""
    pool = Pool(np.random.default_rng(recipe.seed), decks, art, makers)
    pool.fill()
    net = FaceNet()
    stream = batches(pool, recipe.batch)
    (WORK / name).parent.mkdir(parents=True, exist_ok=True)
    if not (WORK / f"{name}.pt").exists():
        restore(WEIGHTS / "face.onnx", net, next(stream)[0])
    Run(name, net, reader_loss, recipe).go(stream, pool)


def main() -> None:
    """Train for some minutes of processor time."""
    parser = ArgumentParser(prog="python -m vision.training.latin", description=__doc__)
    parser.add_argument("art", type=Path, help="pictures of regional decks, a folder for each")
    parser.add_argument("--minutes", type=float, default=14)
    parser.add_argument("--without", nargs="*", default=[], choices=sorted(PATTERNS))
    parser.add_argument("--name", default=NETWORK, help="of the training state")
    parser.add_argument("--makers", type=int, default=MAKERS)
    parser.add_argument("--rate", type=float, default=1.5e-3)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    decks = [one for one in PATTERNS if one not in options.without]
    recipe = Recipe(options.minutes, options.rate, 96, options.seed)
    train(options.art, decks, recipe, options.name, options.makers)


if __name__ == "__main__":
    main()
