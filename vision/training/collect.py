"""Fetch the packages from npm and PyPI, and cut all artwork into cards."""

from __future__ import annotations

import sys
import tarfile
import zipfile
from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np

from vision.errors import ToolError
from vision.training.artwork import Pack, cut_files, cut_grid, cut_ids, plain_names
from vision.training.sources import WORK
from vision.training.tools import run

_NPM = (
    "@heruka_urgyen/react-playing-cards@0.5.0",
    "svg-cards@4.0.2",
    "cardsJS@1.1.1",
    "react-casino@0.2.6",
    *(f"@fontsource/{name}@5" for name in (
        "oswald", "antonio", "league-gothic", "fjalla-one", "bodoni-moda", "abril-fatface",
        "rokkitt", "roboto-condensed", "playfair-display", "prata", "rozha-one", "vidaloka",
        "archivo-narrow", "barlow-condensed", "saira-extra-condensed", "teko",
    )),
)  # fmt: skip


def fetch() -> None:
    """Unpack the npm and PyPI packages, and texlive-games without installing it."""
    art = WORK / "art"
    art.mkdir(parents=True, exist_ok=True)
    for package in _NPM:
        run(["npm", "pack", "--silent", package], folder=art)
    for archive in art.glob("*.tgz"):
        with tarfile.open(archive) as file:
            file.extractall(art / archive.stem, filter="data")
    run([sys.executable, "-m", "pip", "download", "--no-deps", "arcade==3.3.3"], folder=art)
    for wheel in art.glob("arcade-*.whl"):
        with zipfile.ZipFile(wheel) as file:
            file.extractall(art / "arcade")
    run(["apt-get", "download", "texlive-games"], folder=art)
    for package_file in art.glob("texlive-games*.deb"):
        run(["dpkg", "-x", package_file, art / "texlive"])


_NAMES = "A 2 3 4 5 6 7 8 9 10 J Q K"


def _tasks() -> dict[str, Callable[[], Pack]]:
    """How to cut each deck."""
    art, system = WORK / "art", Path("/usr/share")
    tasks: dict[str, Callable[[], Pack]] = {}
    for sheet in (system / "aisleriot/cards").glob("*.svgz"):
        name = sheet.stem if sheet.stem.isascii() else "atlasnye2"
        tasks[f"gnome-{name}"] = partial(cut_grid, sheet)
    for sheet in (system / "carddecks").glob("*/*.svgz"):
        name = sheet.parent.name.removeprefix("svg-")
        tasks[f"kde-{name}"] = partial(cut_ids, sheet)
    heruka = art / "heruka_urgyen-react-playing-cards-0.5.0/package/src/images"
    for kind in ("2color", "4color", "2color-bf", "4color-bf"):
        names = plain_names("{rank}{suit}.svg") | {"JOKER": "2J.svg"}
        tasks[f"heruka-{kind}"] = partial(cut_files, heruka / kind, names)
    for version, back in (("1", "1-Dos"), ("2", "2-DosBleu"), ("3", "3-DosRouge")):
        tasks[f"jeux-v{version}"] = partial(_jeux, version, back)
    tasks["svgcards"] = partial(
        cut_files,
        art / "svg-cards-4.0.2/package/png/2x",
        plain_names(
            "{suit}_{rank}.png", "1 2 3 4 5 6 7 8 9 10 jack queen king", "club diamond heart spade"
        )
        | {"JOKER": "joker_black.png", "BACK": "back-navy.png"},
    )
    tasks["kenney"] = partial(
        cut_files,
        art / "arcade/arcade/resources/assets/images/cards",
        plain_names("card{suit}{rank}.png", _NAMES, "Clubs Diamonds Hearts Spades")
        | {"JOKER": "cardJoker.png", "BACK": "cardBack_red2.png"},
    )
    tasks["val-cardsjs"] = partial(
        cut_files,
        art / "cardsJS-1.1.1/package/cards",
        plain_names("{rank}{suit}.svg", _NAMES) | {"BACK": "Blue_Back.svg"},
    )
    tasks["val-casino"] = partial(
        cut_files,
        art / "react-casino-0.2.6/package/src/assets/png/cards",
        plain_names("{rank}{suit}.png") | {"BACK": "BACK.png"},
    )
    return tasks


def _jeux(version: str, back: str) -> Pack:
    """A French deck: V, D, R are jack, queen, king; T, K, C, P are clubs to spades."""
    folder = WORK / "art/texlive/usr/share/texlive/texmf-dist/tex/latex/jeuxcartes"
    start = f"CaJ-PokeRv{version}-"
    names = plain_names(
        start + "{rank}{suit}.pdf", "A 2 3 4 5 6 7 8 9 10 V D R", "T K C P"
    ) | {"JOKER": f"{start}JN.pdf", "BACK": f"CaJ-PokeRv{back}.pdf"}  # fmt: skip
    return cut_files(folder, names)


def cut() -> None:
    """Cut every deck that is available and not yet cut."""
    folder = WORK / "packs"
    folder.mkdir(parents=True, exist_ok=True)
    for name, task in sorted(_tasks().items()):
        target = folder / f"{name}.npz"
        if target.exists():
            continue
        try:
            pack = task()
        except ToolError as error:
            print(f"{name}: not cut ({error})", flush=True)
            continue
        if pack:
            np.savez(target, **pack)  # type: ignore[arg-type]
            print(f"{name}: {len(pack)} pictures", flush=True)
