"""Trains the network that reads the rank of Latin cards from their signs, on whole faces.

It started from the third network's weights and is larger: both count what is printed on a card.
It was grown three times (`vision.training.growth`): to see faces of 96 by 144 pixels instead of 64
by 96, then by two blocks, then by half as many channels again. Trained on faces that had been drawn
once, the last one knew these by heart, with half the loss that it had on other makers' faces, and
read no more of those. So now one process draws faces for as long as another learns from them, and
of those that are read with certainty it keeps a quarter; and the network also learns to draw where
the signs lie, with layers that are left out when it is exported::

    export MAZZIERE_TRAINING=~/mazziere-training
    python -m vision.training.latin --supply FOLDER --seed 91 --first-maker 1000000 &
    python -m vision.training.latin --enlarge older.pt --seed 92
    python -m vision.training.latin --minutes 77 --rate 1.2e-3 --seed 97
    python -m vision.training export decks/latin

What was done is in `vision/weights/recipe.json`; the runs before step 52,778 used faces drawn once.

FOLDER has napoletane, … in it; `--without neapolitan` draws faces without that deck, to see how
the network then reads it.
"""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from vision.decide.patterns import PATTERNS
from vision.network import WEIGHTS
from vision.read.fingerprint import HEIGHT, WIDTH
from vision.training.decks import FIRST_MAKER
from vision.training.growth import enlarge, grow
from vision.training.latin_faces import Pool
from vision.training.latin_stock import Part, Stock, lit, supply
from vision.training.networks import FaceNet, LatinLearner, LatinNet
from vision.training.restore import RestoreError, restore
from vision.training.sources import WORK
from vision.training.train import DEVICE, Recipe, Run, halves_pay, note

NETWORK = "decks/latin"
"""Where its weights are stored: with the prints of decks, as no card with an index needs it."""
FACES = WORK / "decks" / "latin-faces"
"""Where faces are stored as they are drawn."""
DRAWN_TOO, SPOTS = 10.0, 5.0
"""The weight of the maps of signs next to the answers, and that of a spot next to the empty part of
a map. Choices: the maps are then a third of the loss at first, and less later."""


def loss(net: nn.Module, batch: tuple[Tensor, ...]) -> Tensor:
    """Cross entropy of rank and suit, and how far off the maps of signs are that are known."""
    pictures, labels, maps, known, counts = batch
    assert isinstance(net, LatinLearner)
    rank, suit, drawn = net.learn(pictures)
    wanted = maps.permute(0, 3, 1, 2).float() / 255
    off = ((drawn.float() - wanted) ** 2 * (1 + SPOTS * wanted)).mean(dim=(0, 2, 3, 4))
    total: Tensor = (_off((rank, suit), labels) * counts).mean() + DRAWN_TOO * (
        off * known
    ).sum() / known.sum().clamp(min=1)
    return total


def _off(answers: tuple[Tensor, ...], labels: Tensor) -> Tensor:
    """The cross entropy (N,) of rank and suit together."""
    each = [
        nn.functional.cross_entropy(one.float(), labels[:, number], reduction="none")
        for number, one in enumerate(answers)
    ]
    return each[0] + each[1]


def judge(part: Part) -> NDArray[np.float64]:
    """The probability (N,) of the right answer for each face, as far as the network has learnt."""
    net = LatinLearner()
    if (WORK / f"{NETWORK}.pt").exists():
        net.load_state_dict(torch.load(WORK / f"{NETWORK}.pt", map_location="cpu")["mean"])
    net.eval()
    found = []
    shown, _ = lit(part.faces, part.marks, np.random.default_rng(int(part.faces[:, 9, 9].sum())))
    for start in range(0, len(shown), SETTLING):
        faces, labels = (
            torch.from_numpy(one[start : start + SETTLING]) for one in (shown, part.labels)
        )
        with torch.no_grad(), torch.autocast(DEVICE, torch.bfloat16, enabled=halves_pay()):
            found.append(torch.exp(-_off(net(faces), labels)).double().numpy())
    return np.concatenate(found)


def train(recipe: Recipe, first: Path) -> None:
    """Train on faces as they are drawn, from the weights at `first` if there is no state yet."""
    rng = np.random.default_rng(recipe.seed)
    torch.manual_seed(recipe.seed)
    stock = Stock(FACES)
    stock.refresh()
    stream = stock.batches(recipe.batch, rng)
    net = LatinLearner()
    if not (WORK / f"{NETWORK}.pt").exists():
        _begin(net, first, next(stream)[0])
    run = Run(NETWORK, net, loss, recipe)
    began = run.steps
    run.go(stream, stock)
    note(NETWORK, recipe, (began, run.steps), len(stock.scenes))


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
"""Faces on which the normalisation of new layers is measured, and those judged at a time. A choice:
they fit into memory."""


def enlarged(older: Path, seed: int) -> None:
    """Store a state that computes what an `older` one of a smaller network does, to train it on."""
    torch.manual_seed(seed)
    state = torch.load(older, map_location="cpu")
    net, stock = LatinLearner(), Stock(FACES)
    stock.refresh(1)
    faces, *_ = next(stock.batches(SETTLING, np.random.default_rng(seed)))
    enlarge(state["mean"], net, faces)
    kept = net.state_dict()
    torch.save({"net": kept, "mean": kept, "steps": state["steps"]}, WORK / f"{NETWORK}.pt")


def main() -> None:
    """Draw faces, or train on them for some minutes of processor time."""
    parser = ArgumentParser(prog="python -m vision.training.latin", description=__doc__)
    parser.add_argument("--supply", type=Path, metavar="FOLDER", help="pictures of regional decks")
    parser.add_argument("--enlarge", type=Path, metavar="STATE", help="one of a smaller network")
    parser.add_argument("--without", nargs="*", default=[], choices=sorted(PATTERNS))
    parser.add_argument("--first-maker", type=int, default=FIRST_MAKER, help="of those drawn")
    parser.add_argument("--minutes", type=float, default=14)
    parser.add_argument("--rate", type=float, default=1.5e-3)
    parser.add_argument("--batch", type=int, default=96)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--first", type=Path, default=WEIGHTS / f"{NETWORK}.onnx", help="weights to start from"
    )
    options = parser.parse_args()
    if options.supply:
        decks = [one for one in PATTERNS if one not in options.without]
        rng = np.random.default_rng(options.seed)
        pool = Pool(rng, decks, options.supply, options.first_maker)
        supply(pool.faces(), FACES, judge)
    elif options.enlarge:
        enlarged(options.enlarge, options.seed)
    else:
        recipe = Recipe(options.minutes, options.rate, options.batch, options.seed)
        train(recipe, options.first)


if __name__ == "__main__":
    main()
