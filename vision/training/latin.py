"""Trains the network that reads the rank of Latin cards from their signs, on whole faces.

It started from the third network's weights and is larger: both count what is printed on a card.
It was grown twice (`vision.training.growth`), the second time to see faces of 96 by 144 pixels
instead of 64 by 96, and then deepened by two blocks: it read the faces it was trained on no better
than others, so that it was too small. Most of its samples are decks of no pattern
(`vision.scene.latin`), the rest are the regional ones available as pictures, in any colours, and
French faces and backs, which show no signs::

    export MAZZIERE_TRAINING=~/mazziere-training
    python -m vision.training.latin --prepare FOLDER --seed 71 --first-maker 200000
    python -m vision.training.latin --minutes 44 --rate 2e-3 --seed 72   # stopped at step 3,500
    python -m vision.training.latin --minutes 27 --rate 1.8e-3 --seed 73
    python -m vision.training.latin --minutes 17 --rate 1.5e-3 --seed 74
    cp $MAZZIERE_TRAINING/decks/latin.pt older.pt
    python -m vision.training.latin --minutes 22 --rate 1.5e-3 --seed 75   # stopped at step 25,000
    python -m vision.training.latin --prepare FOLDER --seed 76 --first-maker 300000
    python -m vision.training.latin --minutes 24 --rate 1.4e-3 --seed 77   # stopped at step 29,500
    python -m vision.training.latin --minutes 9.5 --rate 8e-4 --seed 78
    python -m vision.training average decks/latin older.pt --share 0.75
    cp $MAZZIERE_TRAINING/decks/latin.pt older.pt
    python -m vision.training.latin --deepen older.pt --seed 81
    cp $MAZZIERE_TRAINING/decks/latin.pt older.pt
    python -m vision.training.latin --minutes 55 --rate 1.5e-3 --seed 82
    python -m vision.training average decks/latin older.pt --share 0.75
    python -m vision.training export decks/latin

Half as many channels again, of which the new ones were ignored at first, and 4,357 steps on the
last faces, of which those read badly were drawn more often, lowered the loss on these faces from
0.11 to 0.08, and read no more cards of other makers (2,207 and 2,205 of 2,400): a larger network
needs more makers, not the same ones more often.

FOLDER has napoletane, … in it; `--without neapolitan` prepares faces without that deck, to see how
the network then reads it.
"""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import count
from pathlib import Path
from typing import TypeAlias

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from rules.cards import BACK, RANKS, SUITS, Card, Rank, Suit
from vision.decide.latin import FINE
from vision.decide.patterns import PATTERNS
from vision.network import WEIGHTS
from vision.read.fingerprint import HEIGHT, WIDTH
from vision.scene.courts import Colour, Picture
from vision.scene.faces import DrawnDeck, drawn_styles
from vision.scene.latin import SIGNS, VALUES, drawn, maker
from vision.scene.regional import forty
from vision.scene.stands import LONG
from vision.training.cuttings import cuttings, signs_of
from vision.training.growth import deepen, grow
from vision.training.networks import FaceNet, LatinNet
from vision.training.patterns import FOLDERS, PrintedDeck
from vision.training.restore import RestoreError, restore
from vision.training.scenes import classes
from vision.training.sources import WORK
from vision.training.train import Recipe, Run, note, reader_loss

Rng: TypeAlias = np.random.Generator
Pictures: TypeAlias = NDArray[np.uint8]
Labelled: TypeAlias = tuple[Picture, tuple[int, int]]
NETWORK = "decks/latin"
"""Where its weights are stored: with the prints of decks, as no card with an index needs it."""
NONE = (14, 4)
FIRST_MAKER = 100_000
"""The first maker used for training; those below are for trials."""
DRAWN = (224, 368)
"""Size in which faces are drawn, in pixels: lines are finer than a pixel of a straightened one."""
SHARES = (0.7, 0.2, 0.1)
"""Shares of samples of no pattern, of a regional one, and without signs. A choice."""
PIPS, LONG_ONES, ACES = 8, 0.75, 0.1
"""Cards with signs drawn of a maker, next to one court; share of them that are swords and clubs,
which are harder to count than coins and cups; and share of aces. Choices."""
CROSSED = 0.5
"""Share of makers whose swords and clubs cross each other, which are the hardest to count. A
choice."""
LOOKS = 2
"""How often each drawn card is photographed. A choice."""
OWN_BACKS = 60
"""How often the back of a regional deck is among the faces without signs. A choice: as many as the
faces of a French deck."""
BENT = 0.5
"""Share of faces that are bent as if drawn by another hand. A choice."""
ENGRAVED, FAINT = 0.6, 40
"""Share of drawings shaded as an engraver would, and minimum difference in brightness that counts
as ink. Choices."""
COMPRESSED = 0.3
"""Share of faces that a camera compressed. A choice."""
STOCK = 110_000
"""Number of faces made for a run. A choice: each is used a few times, in different light."""
ACROSS, FAR = (60, 128), (40, 60)
"""Range of widths of a card in the picture, in pixels, and that of the share `FARTHER` of cards.
Choices."""
FARTHER = 0.2


@dataclass
class Pool:
    """The source of a run's faces: makers from the `first` one on, and the decks called `decks`."""

    rng: Rng
    decks: Sequence[str]
    art: Path
    first: int = FIRST_MAKER
    regional: list[Labelled] = field(default_factory=list)
    others: list[Labelled] = field(default_factory=list)

    def faces(self, many: int) -> Iterator[Labelled]:
        """Samples: straightened faces as a camera may show them, and their classes."""
        printed = [PrintedDeck(PATTERNS[name], self.art / FOLDERS[name]) for name in self.decks]
        self._fill(printed)
        scenes = self._scenes(printed)
        for kind in self.rng.choice(3, many, p=SHARES):
            if kind == 0:
                yield next(scenes)
                continue
            source = (self.regional, self.others)[kind - 1]
            page, label = source[int(self.rng.integers(len(source)))]
            yield seen(page, self.rng, odd=kind == 1), label

    def _fill(self, printed: Sequence[PrintedDeck]) -> None:
        """Draw the faces of regional decks and those without signs."""
        for deck in printed:
            for card in forty():
                self.regional.append((_page(deck.face(card, PRINTED)), classes(card)))
            self.others += [(_page(deck.back(PRINTED)), NONE)] * OWN_BACKS
        for style in drawn_styles():
            other = DrawnDeck(style)
            cards = [Card(rank, suit) for suit in SUITS for rank in RANKS]
            for card in [*cards, BACK, BACK, BACK]:
                self.others.append((_page(other.face(card, PRINTED)), NONE))

    def _scenes(self, printed: Sequence[PrintedDeck]) -> Iterator[Labelled]:
        """Endless faces of no pattern, maker by maker."""
        signs = signs_of([cuttings(deck) for deck in printed], SIGNS)
        for number in count(self.first):
            by, own = maker(number, crossed=self.rng.random() < CROSSED), signs(self.rng)
            for card in self._some():
                page = drawn(by, card, DRAWN, own)
                for _ in range(LOOKS):
                    yield seen(page, self.rng, odd=False), classes(card)

    def _some(self) -> Iterator[Card]:
        for _ in range(PIPS):
            suits = LONG if self.rng.random() < LONG_ONES else ROUND
            rank = "A" if self.rng.random() < ACES else VALUES[int(self.rng.integers(1, 9))]
            yield Card(Rank(rank), suits[int(self.rng.integers(2))])
        yield Card(Rank("JQK"[int(self.rng.integers(3))]), SUITS[int(self.rng.integers(4))])


ROUND = (Suit.DIAMONDS, Suit.HEARTS)
"""Coins and cups."""
PRINTED = 4.0
"""Pixels per mm at which printed faces are kept. A choice: about the size of drawn ones."""


def _page(texture: Picture) -> Picture:
    return np.asarray(cv2.resize(texture[..., :3], DRAWN, interpolation=cv2.INTER_AREA), np.uint8)


def seen(picture: Picture, rng: Rng, *, odd: bool) -> Picture:
    """A face (144, 96, 3) as straightened out of a photograph, in even light.

    With `odd`, in other colours than its own.
    """
    widths = np.log(FAR if rng.random() < FARTHER else ACROSS)
    across = round(float(np.exp(rng.uniform(*widths))))
    along = round(across * float(rng.uniform(1.4, 1.9)))
    small = cv2.resize(np.ascontiguousarray(picture), (across, along), interpolation=cv2.INTER_AREA)
    inked = _recoloured(np.asarray(small, np.uint8), rng, odd=odd)
    printed = inked if odd or rng.random() > ENGRAVED else _engraved(inked, rng)
    bent = _bent(printed, rng) if rng.random() < BENT else printed
    soft = cv2.GaussianBlur(bent, (0, 0), float(rng.uniform(0.3, 1.2)))
    sent = _compressed(soft, rng) if rng.random() < COMPRESSED else soft
    return _straightened(np.asarray(sent, np.uint8), rng)


def _compressed(picture: cv2.typing.MatLike, rng: Rng) -> cv2.typing.MatLike:
    """As a camera sends it that compresses its pictures."""
    quality = [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(30, 90))]
    _, sent = cv2.imencode(".jpg", picture, quality)
    return np.asarray(cv2.imdecode(sent, cv2.IMREAD_COLOR), np.uint8)


def _bent(picture: Picture, rng: Rng) -> Picture:
    """Bend a face as if drawn by another hand: every part slightly displaced, larger or smaller."""
    high, wide = picture.shape[:2]
    coarse = rng.normal(0, float(rng.uniform(0.005, 0.025)) * wide, (6, 4, 2)).astype(np.float32)
    off = cv2.resize(coarse, (wide, high), interpolation=cv2.INTER_CUBIC)
    across, down = np.meshgrid(np.arange(wide, dtype=np.float32), np.arange(high, dtype=np.float32))
    return np.asarray(
        cv2.remap(picture, across + off[..., 0], down + off[..., 1], cv2.INTER_LINEAR,
                  borderMode=cv2.BORDER_REPLICATE), np.uint8)  # fmt: skip


def _engraved(picture: Picture, rng: Rng) -> Picture:
    """Shade and hatch the ink, as drawings never are."""
    high, wide = picture.shape[:2]
    paper = np.percentile(picture.reshape(-1, 3), 85, axis=0)
    inked = (np.abs(picture - paper).max(axis=2) > FAINT)[..., None]
    tones = np.zeros((high, wide, 1), np.float32)
    for coarse in rng.uniform(0.6, 4.0, 2):
        grain = cv2.GaussianBlur(rng.standard_normal((high, wide), np.float32), (0, 0), coarse)
        strong = float(rng.uniform(0, 0.25)) / max(float(grain.std()), 1e-6)
        tones = tones + np.asarray(grain, np.float32)[..., None] * strong
    shaded = np.clip(picture * np.exp(tones), 0, 255)
    return np.asarray(np.where(inked, shaded, picture), np.uint8)


def _recoloured(picture: Picture, rng: Rng, *, odd: bool) -> Picture:
    """Change the inks in hue, strength and darkness."""
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
    """Cut a face out slightly off its edges, with the table's colour around it."""
    to_wide, to_high = FINE
    high, wide = picture.shape[:2]
    own = np.array([(0, 0), (wide, 0), (wide, high), (0, high)], np.float32) - 0.5
    off = rng.normal(0, 0.012, (4, 2)) + rng.normal(0, 0.015, 2)
    off = off + (own / (wide, high) - 0.5) * rng.normal(0, 0.03, 2)
    target = np.array([(0, 0), (to_wide, 0), FINE, (0, to_high)]) + off * FINE
    onto = cv2.getPerspectiveTransform(own, np.asarray(target - 0.5, np.float32))
    table: Colour = tuple(int(one) for one in rng.integers(10, 160, 3))  # type: ignore[assignment]
    return np.asarray(cv2.warpPerspective(picture, onto, FINE, borderValue=table), np.uint8)


def lit(faces: Pictures, rng: Rng) -> Pictures:
    """Faces (N, 144, 96, 3) as a sensor sees them.

    Each is in a light of random colour, brighter on one side, slightly moved, and mirrored or not.
    """
    many = len(faces), 1, 1, 1
    ramp = np.linspace(-1, 1, FINE[1], dtype=np.float32)[:, None, None]
    side = np.linspace(-1, 1, FINE[0], dtype=np.float32)[None, :, None]
    gain = np.exp(rng.normal(-0.35, 0.3, many)) * (1 + rng.normal(0, 0.1, (len(faces), 1, 1, 3)))
    slope = 1 + ramp * _normal(rng, 0.08, many) + side * _normal(rng, 0.06, many)
    haze = (rng.uniform(0, 25, many) * (rng.random(many) < 0.3)).astype(np.float32)
    shown = np.stack([_moved(_mirrored(face, rng), rng) for face in faces]).astype(np.float32)
    shown *= slope
    shown *= gain.astype(np.float32)
    shown += _noise(shown.shape, rng) * rng.gamma(1.5, 2.0, many).astype(np.float32)
    shown += haze
    return np.asarray(np.clip(shown, 0, 255, out=shown), np.uint8)


def _normal(rng: Rng, spread: float, shape: tuple[int, ...]) -> NDArray[np.float32]:
    return np.asarray(rng.normal(0, spread, shape), np.float32)


@cache
def _grains() -> NDArray[np.float32]:
    return np.random.default_rng(0).standard_normal(2**21, np.float32)


def _noise(shape: tuple[int, ...], rng: Rng) -> NDArray[np.float32]:
    """Noise of deviation 1, cut anywhere from the same supply: making it anew takes longer than a
    step of training."""
    each, supply = int(np.prod(shape[1:])), _grains()
    starts = rng.integers(len(supply) - each, size=shape[0])
    return np.stack([supply[start : start + each] for start in starts]).reshape(shape)


def _moved(face: Picture, rng: Rng) -> Picture:
    """Move a face by up to a pixel or two, as the corners found vary from one picture to the next,
    and stretch it as much."""
    stretch, by = rng.normal(1, MOVED, 2), rng.normal(0, MOVED, 2) * FINE
    lean = float(rng.normal(0, MOVED))
    shift = (1 - stretch) * FINE / 2 + by
    onto = np.array([(stretch[0], lean, shift[0]), (-lean, stretch[1], shift[1])])
    return np.asarray(
        cv2.warpAffine(np.ascontiguousarray(face), onto, FINE,
                       borderMode=cv2.BORDER_REPLICATE), np.uint8)  # fmt: skip


MOVED = 0.012
"""Deviation of that movement, as a share of the face. A choice: like `_straightened`."""


def _mirrored(face: Picture, rng: Rng) -> Picture:
    turned = face[:, ::-1] if rng.random() < 0.5 else face
    return turned[::-1] if rng.random() < 0.5 else turned


@dataclass(frozen=True, slots=True, eq=False)
class Stock:
    """Faces (N, 144, 96, 3) in even light with ranks and suits (N, 2), made once for a run."""

    faces: Pictures
    labels: NDArray[np.int64]

    @classmethod
    def load(cls, name: str) -> Stock:
        """Open those stored under a name."""
        faces, labels = _paths(name)
        return cls(np.load(faces, mmap_mode="r"), np.load(labels))

    @property
    def scenes(self) -> NDArray[np.int64]:
        """The labels, one for each face."""
        return self.labels

    def refresh(self, most: int = 0) -> None:
        """Do nothing: the faces stay the same."""

    def batches(self, size: int, rng: Rng) -> Iterator[tuple[Tensor, ...]]:
        """Endless batches: faces, in different light each time, and their ranks and suits."""
        while True:
            places = rng.integers(len(self.labels), size=size)
            yield (
                torch.from_numpy(lit(self.faces[places], rng)),
                torch.from_numpy(self.labels[places]),
            )


def _paths(name: str) -> tuple[Path, Path]:
    """Where faces and labels are stored, uncompressed: more than fit into memory."""
    return WORK / f"{name}-faces.npy", WORK / f"{name}-labels.npy"


def prepare(pool: Pool, name: str, faces: int) -> None:
    """Make the `faces` for a run in advance, so that training does not wait for them."""
    path, kept = _paths(name)
    path.parent.mkdir(parents=True, exist_ok=True)
    stored = np.lib.format.open_memmap(path, "w+", np.uint8, (faces, *FINE[::-1], 3))
    labels = np.zeros((faces, 2), np.int64)
    for number, (face, label) in enumerate(pool.faces(faces)):
        stored[number], labels[number] = face, label
    stored.flush()
    np.save(kept, labels)


def train(recipe: Recipe, name: str, first: Path) -> None:
    """Train on prepared faces, from the weights at `first` if there is no state yet."""
    rng = np.random.default_rng(recipe.seed)
    torch.manual_seed(recipe.seed)
    stock = Stock.load(name)
    stream = stock.batches(recipe.batch, rng)
    net = LatinNet()
    if not (WORK / f"{name}.pt").exists():
        _begin(net, first, next(stream)[0])
    run = Run(name, net, reader_loss, recipe)
    began = run.steps
    run.go(stream, stock)
    note(name, recipe, (began, run.steps), len(stock.faces))


def _begin(net: LatinNet, first: Path, batch: Tensor) -> None:
    """Start from the weights of a network of this shape, or of the third network's."""
    try:
        restore(first, net, batch)
    except RestoreError:
        small = FaceNet()
        coarse = [cv2.resize(face, (WIDTH, HEIGHT)) for face in batch.numpy()]
        restore(first, small, torch.from_numpy(np.stack(coarse)))
        grow(small, net)


SETTLING = 192
"""Faces on which the normalisation of new layers is measured. A choice."""


def deepened(older: Path, name: str, seed: int) -> None:
    """Store a state that computes what an `older` one of fewer layers does, to train it on."""
    torch.manual_seed(seed)
    state = torch.load(older, map_location="cpu")
    net = LatinNet()
    faces, _ = next(Stock.load(name).batches(SETTLING, np.random.default_rng(seed)))
    deepen(state["mean"], net, faces)
    kept = net.state_dict()
    torch.save({"net": kept, "mean": kept, "steps": state["steps"]}, WORK / f"{name}.pt")


def main() -> None:
    """Prepare faces, or train on them for some minutes of processor time."""
    parser = ArgumentParser(prog="python -m vision.training.latin", description=__doc__)
    parser.add_argument("--prepare", type=Path, metavar="FOLDER", help="pictures of regional decks")
    parser.add_argument("--deepen", type=Path, metavar="STATE", help="one of fewer layers")
    parser.add_argument("--without", nargs="*", default=[], choices=sorted(PATTERNS))
    parser.add_argument("--first-maker", type=int, default=FIRST_MAKER, help="of those drawn")
    parser.add_argument("--faces", type=int, default=STOCK, help="number of faces to prepare")
    parser.add_argument("--minutes", type=float, default=14)
    parser.add_argument("--name", default=NETWORK, help="name of the training state")
    parser.add_argument("--rate", type=float, default=1.5e-3)
    parser.add_argument("--batch", type=int, default=96)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--first", type=Path, default=WEIGHTS / f"{NETWORK}.onnx", help="weights to start from"
    )
    options = parser.parse_args()
    if options.prepare:
        decks = [one for one in PATTERNS if one not in options.without]
        rng = np.random.default_rng(options.seed)
        pool = Pool(rng, decks, options.prepare, options.first_maker)
        prepare(pool, options.name, options.faces)
    elif options.deepen:
        deepened(options.deepen, options.name, options.seed)
    else:
        recipe = Recipe(options.minutes, options.rate, options.batch, options.seed)
        train(recipe, options.name, options.first)


if __name__ == "__main__":
    main()
