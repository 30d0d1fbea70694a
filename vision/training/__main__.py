"""Command line for training; the package's docstring gives the order of the steps."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, partial
from multiprocessing import get_context
from pathlib import Path
from typing import TypeAlias

import cv2
import numpy as np

from vision.errors import VisionError
from vision.training import collect, samples
from vision.training.scenes import Scene, make_scene, write_shard
from vision.training.shelf import LATIN, Rng, Shelf
from vision.training.sources import WORK
from vision.training.wild import photographs, wild_scene

_Steps: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"


def main() -> None:
    """Parse the arguments and run the step they name."""
    parser = argparse.ArgumentParser(prog="python -m vision.training", description=__doc__)
    steps = parser.add_subparsers(dest="step", required=True)
    steps.add_parser("fetch", help="unpack artwork and type from npm, PyPI and Debian")
    steps.add_parser("cut", help="cut the artwork into cards")
    _scenes_step(steps)
    train = steps.add_parser("train", help="train a network, resuming from saved state if any")
    train.add_argument("network", choices=["reader", "finder", "face"])
    train.add_argument("--minutes", type=float, default=30)
    train.add_argument("--rate", type=float, default=2e-3, help="peak learning rate")
    train.add_argument("--seed", type=int, default=1)
    train.add_argument("--batch", type=int, help="samples in a step, if not the usual number")
    train.add_argument("--workers", type=int, default=0, help="processes that prepare batches")
    train.add_argument("--most", type=int, default=12_000, help="scenes held in memory")
    train.add_argument(
        "--keep", type=float, default=0.0, help="how strongly to hold the finder to what it knew"
    )
    train.add_argument(
        "--published", action="store_true", help="resume from published weights if no state"
    )
    heads = steps.add_parser("heads", help="train the reader's last layers on all scenes")
    heads.add_argument("--epochs", type=float, default=6.0, help="passes over the patches")
    heads.add_argument("--rate", type=float, default=1e-3, help="peak learning rate")
    heads.add_argument("--seed", type=int, default=1)
    mean = steps.add_parser("average", help="mix a network's state with an older one")
    mean.add_argument("network", choices=["reader", "finder", "face", "decks/latin"])
    mean.add_argument("older", type=Path, help="a copy of the state before the last run")
    mean.add_argument("--share", type=float, default=0.5, help="weight of the newer state")
    odds = steps.add_parser("odds", help="correct the finder for scenes with more backs than usual")
    odds.add_argument("--first", type=int, required=True, help="first shard of usual scenes")
    odds.add_argument("--shards", type=int, required=True, help="how many of them")
    exports = steps.add_parser("export", help="write the weights")
    exports.add_argument("networks", nargs="*", help="default: those trained here")
    steps.add_parser("evaluate", help="score the weights and write the recipe")
    results = steps.add_parser("results", help="measure everything and write the results page")
    results.add_argument("--tables", type=int, default=12, help="drawn tables per point")
    tables = steps.add_parser("tables", help="list what is not read on drawn tables")
    tables.add_argument("arranged", choices=["apart", "fan", "ribbon", "covered"])
    tables.add_argument("--first", type=int, default=5000, help="seed of the first table")
    tables.add_argument("--count", type=int, default=100)
    tables.add_argument("--pictures", type=Path, help="folder for pictures of what is not read")
    sheet = steps.add_parser("contact-sheet", help="draw a sample of the training data")
    sheet.add_argument("picture", type=Path)
    sheet.add_argument("--seed", type=int, default=0)
    sheet.add_argument("--hidden", action="store_true", help="of mostly hidden cards")
    options = parser.parse_args()
    try:
        _do(options)
    except VisionError as error:
        parser.exit(2, f"{parser.prog}: {error}\n")


def _scenes_step(steps: _Steps) -> None:
    """What may be said about the scenes to draw."""
    scenes = steps.add_parser("scenes", help="generate scenes")
    scenes.add_argument("--shards", type=int, default=100, help="64 scenes each")
    scenes.add_argument("--first", type=int, default=0, help="first shard number")
    scenes.add_argument("--processes", type=int, default=1, help="how many draw side by side")
    scenes.add_argument("--validation", action="store_true", help="use the held-out typefaces")
    scenes.add_argument(
        "--lettered", action="store_true", help="only courts and aces, most with other letters"
    )
    scenes.add_argument(
        "--hidden", action="store_true", help="mostly cards that lie face down, on like cloths too"
    )
    scenes.add_argument("--wild", action="store_true", help="parts of photographs without a card")


def _do(options: argparse.Namespace) -> None:
    match options.step:
        case "fetch":
            collect.fetch()
        case "cut":
            collect.cut()
        case "scenes":
            numbers = range(options.first, options.first + options.shards)
            kind = _Kind(options.validation, options.lettered, options.hidden, options.wild)
            _scenes(kind, numbers, options.processes)
        case "train":
            _train(options)
        case "heads":
            from vision.training.heads import train as heads  # noqa: PLC0415  torch is slow to load
            from vision.training.train import Recipe  # noqa: PLC0415

            heads(Recipe(0, options.rate, 256, options.seed), options.epochs)
        case "average":
            from vision.training.train import average  # noqa: PLC0415  torch is slow to load

            average(options.network, options.older, options.share)
        case "odds":
            from vision.training.odds import corrected  # noqa: PLC0415  torch is slow to load

            print(corrected(range(options.first, options.first + options.shards)))
        case "export":
            from vision.training.export import export  # noqa: PLC0415  torch is slow to load

            print(export(options.networks))
        case "evaluate":
            _evaluate()
        case "results":
            from vision.training.results import write  # noqa: PLC0415  loads the reader

            print(write(options.tables))
        case "tables":
            from vision.training.tables import tried  # noqa: PLC0415  loads the reader

            seeds = range(options.first, options.first + options.count)
            tried(seeds, options.arranged, options.pictures)
        case _:
            contact_sheet(options.picture, options.seed, _Kind(hidden=options.hidden))


@dataclass(frozen=True)
class _Kind:
    """What kind of scenes: for validation, with courts and aces only, with hidden cards mostly,
    or of photographs without a card."""

    validation: bool = False
    lettered: bool = False
    hidden: bool = False
    wild: bool = False


@cache
def _shelf(kind: _Kind) -> Shelf:
    """The artwork of a kind."""
    return Shelf.open(
        validation=kind.validation,
        lettered=kind.lettered,
        hidden=kind.hidden,
        latin=0.0 if kind.lettered else LATIN,
    )


def _scenes(kind: _Kind, numbers: range, processes: int) -> None:
    """Generate shards, several side by side."""
    folder = WORK / "scenes" / ("validation" if kind.validation else "train")
    folder.mkdir(parents=True, exist_ok=True)
    paths = [folder / f"{number:05d}.npz" for number in numbers]
    wanted = [path for path in paths if not path.exists()]
    _maker(kind)
    with get_context("fork").Pool(processes) as pool:
        for path in pool.imap_unordered(partial(_shard, kind), wanted):
            print(path.name, flush=True)


def _shard(kind: _Kind, path: Path) -> Path:
    """Draw one shard; they get harder over the first eighty, so a short training starts easy."""
    number, validation = int(path.stem), kind.validation
    hardest = 1.0 if validation else min(1.0, 0.5 + number / 80)
    seed = number + (900_000 if validation else 0)
    write_shard(path, _maker(kind), seed, hard=(0.0, hardest))
    return path


@cache
def _maker(kind: _Kind) -> Callable[[Rng, float], Scene]:
    """What makes a scene of a kind. Opened before processes are forked, and so shared by them."""
    return partial(wild_scene, photographs()) if kind.wild else partial(make_scene, _shelf(kind))


def _train(options: argparse.Namespace) -> None:
    from vision.training.train import Recipe, train  # noqa: PLC0415  torch is slow to load

    batch = options.batch or {"reader": 128, "finder": 8, "face": 64}[options.network]
    recipe = Recipe(
        options.minutes, options.rate, batch, options.seed, options.most, options.workers,
        options.keep,
    )  # fmt: skip
    train(options.network, recipe, published=options.published)


def _evaluate() -> None:
    from vision.training.evaluate import score  # noqa: PLC0415  torch is slow to load
    from vision.training.export import write_recipe  # noqa: PLC0415
    from vision.training.train import RUNS  # noqa: PLC0415

    facts = score()
    lines = RUNS.read_text(encoding="utf-8").splitlines() if RUNS.exists() else []
    write_recipe({"scores": facts, "runs": [json.loads(line) for line in lines]})
    print(facts)


def contact_sheet(path: Path, seed: int, kind: _Kind) -> None:
    """Draw twelve scenes with their indices marked, and a few rows of patches beneath them."""
    shelf, rng = _shelf(kind), np.random.default_rng(seed)
    tiles, cut = [], []
    for number in range(12):
        scene = make_scene(shelf, rng, number / 12)
        cut += samples.patches(scene, rng)[0]
        tile = scene.picture.copy()
        for mark in scene.marks:
            if mark["visible"] >= samples.READABLE:
                top = (
                    int(mark["x"] + mark["up_x"] * mark["height"] / 2),
                    int(mark["y"] + mark["up_y"] * mark["height"] / 2),
                )
                cv2.line(tile, (int(mark["x"]), int(mark["y"])), top, (255, 0, 255), 1, cv2.LINE_AA)
        tiles.append(tile)
    rows = [np.hstack(tiles[start : start + 4]) for start in (0, 4, 8)]
    across = rows[0].shape[1] // samples.WIDTH
    cut += [np.zeros_like(cut[0])] * (-len(cut) % across)
    rows += [
        np.hstack(cut[start : start + across]) for start in range(0, min(len(cut), 192), across)
    ]
    cv2.imwrite(str(path), np.vstack(rows))


if __name__ == "__main__":
    main()
