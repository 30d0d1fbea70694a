"""Try the reader on drawn tables, and list what it does not read.

``python -m vision.training tables fan --first 5000 --count 100`` shows one deck that training
never saw on each table, as `vision.training.results` does, but each table has a seed of its own and
can be drawn again. A line is printed for each card in sight that is asked about, missed or misread,
and for each question about nothing; ``--pictures FOLDER`` keeps the pictures of those tables.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np

from rules.cards import BACK
from vision.picture.geometry import Frame
from vision.reader import CardReader
from vision.training.decks import FontDeck
from vision.training.shelf import Shelf, Stock
from vision.training.trials import READABLE, Setting, Trial, compared, strangely_lettered, table


@dataclass(frozen=True, slots=True, eq=False)
class Shown:
    """One drawn table: its deck, its picture, and each of its cards with the answer given."""

    stock: Stock
    frame: Frame
    found: Sequence[Trial]

    @property
    def strange(self) -> bool:
        """Whether the deck has letters of no country."""
        return strangely_lettered(self.stock)

    @property
    def deck(self) -> str:
        """What the deck is set in, and the letters it has instead of the English ones."""
        art = self.stock.art
        if not isinstance(art, FontDeck):
            return "artwork"
        letters = "".join(f" {rank}={letter}" for rank, letter in art.letters.items())
        return f"{Path(art.font).stem}{letters}"


def shown(reader: CardReader, shelf: Shelf, seed: int, arranged: str) -> Shown:
    """The table with this seed; its deck is made anew, whatever tables came before."""
    rng, setting = np.random.default_rng(seed), Setting()
    fresh = replace(shelf, _made=[])
    stock = fresh.deck(rng)
    frame, cards = table(fresh, stock, rng, setting, arranged)
    reader.index_height = setting.height
    return Shown(stock, frame, compared(cards, reader.read(frame).sightings))


def verdict(trial: Trial) -> str:
    """What became of a card, or of an answer that fits none: nothing if neither was due."""
    if trial.wrong:
        return "wrong"
    if trial.card is None:
        return "needless"
    if trial.visible < READABLE:
        return ""
    if trial.right:
        return "read"
    return "missed" if trial.answer is None else "asked"


def tried(seeds: range, arranged: str, pictures: Path | None) -> None:
    """Print what is not read on the tables with these seeds, and the totals."""
    reader, shelf = CardReader(), Shelf.open(validation=True)
    totals: dict[bool, Counter[str]] = {False: Counter(), True: Counter()}
    for seed in seeds:
        one = shown(reader, shelf, seed, arranged)
        faces = (trial for trial in one.found if BACK not in (trial.card, trial.answer))
        told = [(verdict(trial), trial) for trial in faces]
        totals[one.strange].update(name for name, _ in told if name)
        amiss = [pair for pair in told if pair[0] not in ("", "read")]
        if one.strange and not any(name == "wrong" for name, _ in amiss):
            continue  # its letters are meant to be asked about
        for name, trial in amiss:
            print(f"{seed}: {name} {trial.card or '-'}, answer {trial.answer or '-'} "
                  f"{trial.confidence:.2f}, {one.deck}", flush=True)  # fmt: skip
        if pictures is not None and amiss:
            pictures.mkdir(parents=True, exist_ok=True)
            cv2.imwrite(str(pictures / f"{arranged}-{seed}.png"), one.frame)
    for strange, counts in totals.items():
        cards = sum(counts[name] for name in ("read", "asked", "missed", "wrong"))
        sort = "letters of no country" if strange else "letters of a country"
        listed = ", ".join(f"{name} {many}" for name, many in counts.most_common())
        print(f"{arranged}, {sort}: {cards} cards, {listed}")
