"""Measure how well the reader reads labelled photographs: ``python -m vision.measure FOLDER…``.

A labelled folder holds photographs and ``labels.csv`` with the columns ``file`` and ``cards``: the
readable cards of each photograph, in any order (``QS TD BACK``). A folder of such folders also
works. Physical cards are counted, so two equal cards must both be read.
"""

from __future__ import annotations

import csv
import sys
from argparse import ArgumentParser
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from rules.cards import BACK, Card
from vision.errors import LabelError, VisionError
from vision.picture.photos import read_photo
from vision.reader import CardReader
from vision.sightings import Reading


@dataclass(frozen=True, slots=True)
class Labelled:
    """A photograph and the cards a person read in it."""

    path: Path
    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class Score:
    """How the cards of one or more photographs were read.

    Every labelled card is `right`, `asked` (a candidate of a doubtful card) or `missed`. `wrong`
    counts the answers that match no label, `vain` the questions that match none.

    >>> Score(cards=10, right=9, asked=1) + Score(cards=2, right=0, missed=2, wrong=1)
    Score(cards=12, right=9, asked=1, missed=2, wrong=1, vain=0)
    """

    cards: int = 0
    right: int = 0
    asked: int = 0
    missed: int = 0
    wrong: int = 0
    vain: int = 0

    def __add__(self, other: Score) -> Score:
        return Score(
            self.cards + other.cards,
            self.right + other.right,
            self.asked + other.asked,
            self.missed + other.missed,
            self.wrong + other.wrong,
            self.vain + other.vain,
        )

    @property
    def recall(self) -> float:
        """Share of the cards that were read correctly."""
        return self.right / self.cards if self.cards else 1.0

    @property
    def precision(self) -> float:
        """Share of the answers that were correct."""
        return self.right / (self.right + self.wrong) if self.right + self.wrong else 1.0


def name(card: Card) -> str:
    """A card as the labels write it; a back is ``BACK``.

    >>> name(BACK), name(Card.parse("6?"))
    ('BACK', '6?')
    """
    return "BACK" if card == BACK else str(card)


def labelled(folder: Path) -> tuple[Labelled, ...]:
    """The photographs of a labelled folder; raises `LabelError` if its labels cannot be used."""
    path = folder / "labels.csv"
    try:
        with path.open(newline="", encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
        return tuple(_labelled(folder, row) for row in rows)
    except OSError as error:
        raise LabelError(f"{path}: expected labels: {error.strerror or error}") from error
    except (KeyError, ValueError) as error:
        raise LabelError(f"{path}: expected the columns file and cards: {error}") from error


def _labelled(folder: Path, row: dict[str, str]) -> Labelled:
    words = row["cards"].split()
    cards = tuple(BACK if word == "BACK" else Card.parse(word) for word in words)
    return Labelled(folder / row["file"], cards)


def scored(cards: Iterable[Card], reading: Reading) -> Score:
    """Score `reading` against the `cards` in the picture."""
    labels = Counter(cards)
    answers = Counter(reading.cards)
    rest = labels - answers
    asked = 0
    for candidates in reading.doubtful:
        meant = next((card for card in candidates if rest[card]), None)
        if meant is not None:
            rest[meant] -= 1
            asked += 1
    return Score(
        cards=labels.total(),
        right=(labels & answers).total(),
        asked=asked,
        missed=rest.total(),
        wrong=(answers - labels).total(),
        vain=len(reading.doubtful) - asked,
    )


def folders(paths: Sequence[Path]) -> Iterator[Path]:
    """The labelled folders among `paths`, and those directly inside the other paths."""
    for path in paths:
        if (path / "labels.csv").is_file():
            yield path
        else:
            inside = sorted(labels.parent for labels in path.glob("*/labels.csv"))
            if not inside:
                raise LabelError(f"{path}: expected labels.csv here or one folder below")
            yield from inside


def faults(cards: Iterable[Card], reading: Reading) -> str:
    """Describe the faults of a reading in one line."""
    labels, answers = Counter(cards), Counter(reading.cards)
    parts = (
        ("wrong", " ".join(sorted(map(name, (answers - labels).elements())))),
        ("not read", " ".join(sorted(map(name, (labels - answers).elements())))),
        ("asked", " ".join("/".join(map(name, cards[:3])) for cards in reading.doubtful)),
        ("trouble", " ".join(reading.trouble)),
    )
    return "; ".join(f"{what}: {which}" for what, which in parts if which)


def line(title: str, score: Score, milliseconds: float) -> str:
    """A row of the table."""
    return (
        f"{title:26} {score.cards:5} {score.right:5} {score.wrong:5} {score.asked:5} "
        f"{score.missed:6} {score.vain:4}  {score.recall:6.1%}  {score.precision:6.1%} "
        f"{milliseconds:6.0f}"
    )


def faces_only(reading: Reading) -> Reading:
    """`reading` without the cards that are, or may be, face down."""
    faces = tuple(seen for seen in reading.sightings if seen.candidates[0][0] != BACK)
    return replace(reading, sightings=faces)


def measure(folder: Path, reader: CardReader, *, worst: bool) -> tuple[Score, float]:
    """Score a labelled folder and give the mean time per picture in milliseconds."""
    total = Score()
    times: list[float] = []
    for photo in labelled(folder):
        reading = reader.read(read_photo(photo.path))
        score = scored(photo.cards, reading)
        total += score
        times.append(reading.milliseconds)
        if worst and (score.right < score.cards or score.wrong or score.vain):
            print(f"  {photo.path.name}: {faults(photo.cards, reading)}")
    return total, sum(times) / max(len(times), 1)


def main(arguments: Sequence[str] | None = None) -> int:
    """Print how well labelled folders are read; exit status 2 if one is unusable."""
    parser = ArgumentParser(prog="python -m vision.measure", description=__doc__)
    parser.add_argument("folders", nargs="+", type=Path, metavar="FOLDER")
    parser.add_argument("--worst", action="store_true", help="list each picture read with a fault")
    parser.add_argument("--threads", type=int, default=1, help="threads of the networks")
    options = parser.parse_args(arguments)
    print("set                        cards right wrong asked missed vain  recall   right     ms")
    try:
        reader = CardReader(threads=options.threads)
        total = Score()
        for folder in folders(options.folders):
            score, milliseconds = measure(folder, reader, worst=options.worst)
            total += score
            print(line(folder.name, score, milliseconds), flush=True)
    except VisionError as error:
        print(f"vision.measure: {error}", file=sys.stderr)
        return 2
    print(line("all", total, 0.0))
    return 0


if __name__ == "__main__":
    sys.exit(main())
