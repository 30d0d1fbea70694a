"""Write ``vision/RESULTS.md`` with its charts: ``python -m vision.training results``.

The drawn tables show typefaces and decks that training never saw; the photographs are those in the
folder named by ``MAZZIERE_PHOTOS``, if it is set.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from math import exp, log
from pathlib import Path

import numpy as np

from rules.cards import BACK, RANKS, SUITS
from vision.measure import Score, faces_only, folders, labelled, scored
from vision.network import weights_mark
from vision.picture.photos import read_photo
from vision.reader import CardReader
from vision.scene.light import Light
from vision.training import charts
from vision.training.shelf import Shelf
from vision.training.trials import READABLE, Setting, Trial, trials

PAGE = Path(__file__).parent.parent / "RESULTS.md"
CHARTS = PAGE.parent / "results"
HEIGHTS = (8.0, 10.0, 12.0, 14.0, 17.0, 21.0, 26.0, 34.0)
BLURS = (0.02, 0.04, 0.06, 0.075, 0.09, 0.105, 0.12, 0.14)
LIGHTS = (0.04, 0.06, 0.08, 0.11, 0.16, 0.3, 0.6, 0.95)
BINS = ((0.4, 0.5), (0.5, 0.6), (0.6, 0.7), (0.7, 0.8), (0.8, 0.9), (0.9, 0.97), (0.97, 1.01))
COVERS = ((0.0, 0.2), (0.2, 0.4), (0.4, 0.6), (0.6, 0.75), (0.75, 0.9), (0.9, 1.01))
SEED = 2024


@dataclass
class Bench:
    """The reader, the decks it is tried on, and the page being written."""

    reader: CardReader
    shelf: Shelf
    tables: int
    pages: list[str] = field(default_factory=list)

    def run(self, setting: Setting, arranged: str = "apart", count: int = 0) -> list[Trial]:
        """All trials of some tables; the same tables each time."""
        return [trial for table in self.run_tables(setting, arranged, count) for trial in table]

    def run_tables(self, setting: Setting, arranged: str, count: int) -> list[list[Trial]]:
        """The same, with one list per table."""
        rng = np.random.default_rng(SEED)
        tables = range(count or self.tables)
        return [trials(self.reader, self.shelf, rng, setting, arranged) for _ in tables]

    def say(self, *parts: str) -> None:
        """Add paragraphs to the page."""
        self.pages += [*parts, ""]

    def chart(self, name: str, svg: str) -> None:
        """Store a chart next to the page and show it there."""
        CHARTS.mkdir(exist_ok=True)
        (CHARTS / f"{name}.svg").write_text(svg, encoding="utf-8")
        self.say(f"![{name}](results/{name}.svg)")


def write(tables: int) -> Path:
    """Measure everything and write the page; `tables` are drawn for each point of a chart."""
    shelf = Shelf.open(validation=True)
    bench = Bench(CardReader(), shelf, tables)
    bench.say("# How well cards are read", _INTRODUCTION)
    _photographs(bench)
    _arrangements(bench)
    _swept(bench)
    _mixed(bench)
    _dealt(bench)
    bench.say(_REST)
    PAGE.write_text("\n".join(bench.pages).strip() + "\n", encoding="utf-8")
    return PAGE


def _photographs(bench: Bench) -> None:
    named = os.environ.get("MAZZIERE_PHOTOS")
    bench.say("## Photographs of other people's decks")
    if not named:
        bench.say("Not measured: `MAZZIERE_PHOTOS` is not set.")
        return
    reader = CardReader()
    bench.say(
        "| set | cards | right | wrong | asked | missed | false backs |",
        "|---|---|---|---|---|---|---|",
    )
    bench.pages.pop()
    total = Score()
    for folder in folders([Path(named)]):
        score, backs = _without_backs(folder, reader)
        total += score
        bench.pages.append(_row(folder.name.partition("_")[0], score, backs))
    bench.pages.append(_row("all", total, None))
    bench.say("", _PHOTOGRAPHS)


def _without_backs(folder: Path, reader: CardReader) -> tuple[Score, int]:
    """A set's score and the number of backs seen, although none of the sets has any."""
    score, backs = Score(), 0
    for photo in labelled(folder):
        reading = reader.read(read_photo(photo.path))
        score += scored(photo.cards, faces_only(reading))
        backs += reading.cards.count(BACK)
    return score, backs


def _row(name: str, score: Score, backs: int | None) -> str:
    told = "" if backs is None else str(backs)
    cells = (name, score.cards, score.right, score.wrong, score.asked, score.missed, told)
    return f"| {' | '.join(map(str, cells))} |"


def _arrangements(bench: Bench) -> None:
    bench.say("## Drawn tables, held-out typefaces", _ARRANGEMENTS)
    bench.say(
        "| arranged | cards | read | wrong | asked | needless questions | backs counted right "
        "| tables with all backs counted right |",
        "|---|---|---|---|---|---|---|---|",
    )
    bench.pages.pop()
    for arranged, what in (("apart", "apart, any way round"), ("fan", "in ordinary fans"),
                           ("ribbon", "in ribbon spreads")):  # fmt: skip
        found = bench.run_tables(Setting(), arranged, 8 * bench.tables)
        for strange, name in ((False, what), (True, f"{what}, letters of no country")):
            some = [one for one in found if any(trial.strange for trial in one) is strange]
            bench.pages.append(_summary(name, some))
    bench.say("")


def _summary(what: str, tables: Sequence[Sequence[Trial]]) -> str:
    found = [trial for table in tables for trial in table]
    cards = [t for t in found if t.card not in (None, BACK) and t.visible >= READABLE]
    backs = [t for t in found if t.card == BACK and t.visible >= READABLE]
    right = sum(t.right for t in cards)
    wrong = sum(t.wrong for t in found if BACK not in (t.card, t.answer))
    asked = sum(t.answer is not None and not t.sure for t in cards)
    vain = sum(t.card is None and not t.sure for t in found)
    share = f"{sum(t.right for t in backs)} of {len(backs)}" if backs else ""
    read = f"{right / max(len(cards), 1):.2%}"
    counted = f"{sum(map(_backs_right, tables))} of {len(tables)}"
    cells = (what, len(cards), read, wrong, asked, vain, share, counted)
    return f"| {' | '.join(map(str, cells))} |"


def _backs_right(table: Sequence[Trial]) -> bool:
    """Whether every visible back is counted, and nothing else is counted as one."""
    return not any(
        trial.wrong if trial.card != BACK else trial.visible >= READABLE and not trial.right
        for trial in table
        if BACK in (trial.card, trial.answer)
    )


Series = dict[str, list[tuple[float, float]]]


def _swept(bench: Bench) -> None:
    """Charts of what is read, asked and wrong as one thing changes at a time."""
    bench.say("## What makes cards hard to read", _SWEPT)
    sweeps: tuple[tuple[str, str, Sequence[float], Callable[[float], Setting]], ...] = (
        ("height", "index height, px", HEIGHTS, lambda v: Setting(height=v, blur=0.02)),
        ("blur", "spread of an edge, index heights", BLURS, lambda v: Setting(blur=v)),
        ("light", "brightness, 1 leaves white paper at 252", LIGHTS,
         lambda v: Setting(light=Light(brightness=v), noise=5.0)),
    )  # fmt: skip
    for name, across, values, setting in sweeps:
        series: Series = {"read": [], "asked": [], "wrong": []}
        for value in values:
            _add(series, log(value) if name == "light" else value, bench.run(setting(value)))
        if name == "light":
            series = _unlogged(series)
        bench.chart(name, charts.lines(f"cards by {name}", across, series))
    found = bench.run(Setting(), "covered", 4 * bench.tables)
    series = {"read": [], "asked": [], "wrong": []}
    for low, high in COVERS:
        inside = [t for t in found if t.card is not None and low <= t.visible < high]
        if inside:
            _add(series, (low + min(high, 1.0)) / 2, inside)
    bench.chart("cover", charts.lines("cards by visible part of the index", "visible part", series))


def _unlogged(series: Series) -> Series:
    return {name: [(exp(x), y) for x, y in points] for name, points in series.items()}


def _add(series: Series, value: float, found: Iterable[Trial]) -> None:
    cards = [t for t in found if t.card not in (None, BACK)]
    count = max(len(cards), 1)
    series["read"].append((value, sum(t.right for t in cards) / count))
    series["asked"].append((value, sum(t.answer is not None and not t.sure for t in cards) / count))
    series["wrong"].append((value, sum(t.wrong for t in cards) / count))


def _mixed(bench: Bench) -> None:
    """Confusions and calibration, on tables of every kind in every light."""
    bench.say("## Confusions and calibration", _MIXED)
    rng = np.random.default_rng(SEED)
    found: list[Trial] = []
    for number in range(8 * bench.tables):
        arranged = ("apart", "fan", "ribbon", "apart")[number % 4]
        setting = Setting(
            height=float(rng.uniform(11, 34)), blur=float(rng.uniform(0.02, 0.09)),
            noise=float(rng.uniform(1, 7)), hard=float(rng.uniform(0, 0.9)),
        )  # fmt: skip
        found += trials(bench.reader, bench.shelf, rng, setting, arranged)
    answered = [t for t in found if t.answer is not None and BACK not in (t.answer, t.card)]
    bench.chart("calibration", charts.lines("how sure, and how often right", "confidence",
                {"right": _calibration(answered)}, square=True))  # fmt: skip
    known = [t for t in answered if t.card is not None and t.answer is not None]
    names = [*map(str, RANKS), "joker"]
    ranks = [(names.index(_rank(t.card)), names.index(_rank(t.answer))) for t in known
             if _rank(t.answer) in names]  # fmt: skip
    bench.chart("ranks", charts.matrix("ranks: lay there (down), likeliest (across)", names,
                                       _counted(ranks, len(names))))  # fmt: skip
    signs = list(map(str, SUITS))
    shown = [(str(t.card.suit), str(t.answer.suit)) for t in known if t.card and t.answer]
    suits = [(signs.index(a), signs.index(b)) for a, b in shown if a in signs and b in signs]
    bench.chart("suits", charts.matrix("suits", signs, _counted(suits, len(signs))))
    sure = [t for t in answered if t.sure]
    bench.say(f"{len(found)} cards and answers; of {len(sure)} committed answers "
              f"{sum(t.wrong for t in sure)} were wrong.")  # fmt: skip


def _dealt(bench: Bench) -> None:
    """What the log of cards dealt on the simulated table says about these weights."""
    log, mark = CHARTS / "dealt_table.jsonl", weights_mark()
    lines = log.read_text("utf-8").splitlines() if log.exists() else []
    marks = {mark, *_SAME_ANSWERS.get(mark, ())}
    rows = [row for row in map(json.loads, lines) if row["weights"] in marks]
    bench.say("## Dealt on the simulated table", _DEALT)
    for decks in ("validation", "own"):
        tallies = [row["tally"] for row in rows if row["decks"] == decks]
        cards, right, wrong, asked, missed, false, hands = np.sum([[0] * 7, *tallies], axis=0)
        bench.say(
            f"With {_DECKS[decks]}, {cards} cards in {hands} hands: {right} right, {wrong} wrong, "
            f"{asked} asked about, {missed} not seen, {false} false events."
        )


def _rank(card: object) -> str:
    text = str(card)
    return "joker" if text == "JOKER" else text[0]


def _counted(pairs: Iterable[tuple[int, int]], size: int) -> list[list[int]]:
    counts = np.zeros((size, size), np.int64)
    for row, column in pairs:
        counts[row, column] += 1
    return [[int(v) for v in row] for row in counts]


def _calibration(answered: Sequence[Trial]) -> list[tuple[float, float]]:
    points = []
    for low, high in BINS:
        inside = [t for t in answered if low <= t.confidence < high]
        if len(inside) >= 8:
            mean = sum(t.confidence for t in inside) / len(inside)
            covers = sum(t.card is not None and t.answer is not None and t.answer.covers(t.card)
                         for t in inside)  # fmt: skip
            points.append((mean, covers / len(inside)))
    return points


_SAME_ANSWERS = {"024ee7bf6952": ("1278cfa7dfbe",)}
"""Marks of weights, each with those of others that gave the same answers but for rounding: the
finder was only rewritten since (`vision.training.export.convolve_first`)."""
_INTRODUCTION = (
    "Written by `MAZZIERE_PHOTOS=… python -m vision.training results`. *Right* means committed "
    "correctly, *wrong* committed as something else, *asked* left open with candidates; all "
    "counts are of physical cards."
)
_PHOTOGRAPHS = """\
The same settings for all sets, single stills, several scales; thresholds were set on drawn
pictures. No set has a face-down card, so answers of BACK are counted separately.

Disputed labels, with what the crops show:

- stress, `test0`, TS: the upper row goes from the nine of spades to the jack, with no ten of spades
  between them; `check-deck` reports it missing.
- grid, `all_cards`, no joker: two jokers with lettered corners lie at the lower edge, one of them
  almost complete.
- mixed, `main_medium_IMG20201201144906`, no AH: the blurred corner of a red ace, a heart
  rather than a diamond. It is counted as wrong above.

The dealing device's pictures are 128 pixels wide and squeezed to a square; its jokers carry a
maker's sign instead of letters."""
_ARRANGEMENTS = (
    "Indices of 26 px, in focus, plain light. Cards whose index is covered are not counted as "
    "cards to be read, but wrong answers about them count as wrong. Letters of no country are to "
    "be asked about: such decks have rows of their own."
)
_SWEPT = (
    "One thing changes; the rest is as above. Beyond the limits of `vision/decide/trouble.py` "
    "(11 px, 0.09 index heights, white paper at 34 of 255) the reader also says why it cannot see."
)
_MIXED = (
    "Tables of all three kinds with indices of 11 to 34 px, edges spread by 0.02 to 0.09 index "
    "heights, lamps, casts, shadows, glare and compression at random."
)
_DECKS = {"validation": "decks that training never saw", "own": "the table's own decks"}
_DEALT = (
    "Ten cards at a time, one in ten face down, on tables of many heights, cloths, lamps and decks "
    "in four lights, decided over time by the tracker (`python -m tests.dealt_table "
    "--decks validation --log vision/results/dealt_table.jsonl`, which also gives intervals)."
)
_REST = """\
## Elsewhere

- Spreads of whole decks with missing, duplicate or foreign cards: `python -m tests.spreads`.
- Decks without indices, taught and read: `python -m tests.teaching`.
- Overlapping backs, in piles, rows and tricks: `python -m tests.face_down`.
- Equal cards of several packs, in melds, rows and spread piles: `python -m tests.equal_cards`.
- Speed, compared with a network the size of YOLO11n, in both runtimes: `python -m tests.benchmarks
  vision`.

**arm64.** ONNX Runtime, NumPy and OpenCV have wheels for arm64. The networks are float32 without
quantisation, and pictures are resized and cut out by operations that give the same bits
on every processor, so that a Raspberry Pi computes the same except for the order of additions; this
has not been measured on a board. `tests/pi/arm64.sh` compares drawn tables and any pictures given
with the results on a Cortex-A76 emulated by qemu; its output is in `tests/pi/logs`."""
