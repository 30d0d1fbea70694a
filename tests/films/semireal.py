"""Semi-real films: photographed cards on a photographed cloth, moved by a filmed hand.

The simulated dealer rehearses a hand of a game with an appliance that has truthful eyes, filmed by
a simulated webcam. What the dealer says and presses is stored next to the film, and so are the
times at which visible acts came to rest. Films are made on demand from a seed.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from firmware.follow.taking import Crop
from firmware.rehearsal.judge import alike
from firmware.rehearsal.plan import Plan
from firmware.rehearsal.rehearsal import Rehearsal
from firmware.rehearsal.setting import Setting, filmed, setting
from firmware.rehearsal.tabletop import Tabletop
from firmware.settings.settings import Settings
from hardware.press import Button
from rules.acts import Act
from rules.cards import Card, Deck
from rules.records import parse_record, print_match
from tests.films.cutting import PhotographedCloth, PhotographedDeck, filmed_hand
from tests.rehearsing import TruthfulWatcher
from vision.picture.geometry import Polygon
from vision.scene.sensor import SENSORS, Codec, Sensor
from vision.scene.sensor_camera import SimulatedCamera
from vision.sightings import Seen

RATE_HZ = 12.0
"""Frame rate of a webcam at full size in the evening."""
EMPTY_S, LAST_S = 1.5, 3.0
"""How long the empty table is filmed at the start, and the final table at the end."""
QUALITY = 80
"""Quality of the motion JPEG on OpenCV's scale."""
SETTLED_S = 0.15
"""How long the truthful eyes wait after the hand has left the spot: about half a second after the
card has come to rest, the longest that real ones take."""
NEXT_SEED, SEEDS_MOST = 1000, 20
"""Step to the next seed, and number of seeds tried, if the truthful eyes lose a hand: the dealer
deals on regardless of the lamps, and the film would contain presses that answer the eyes."""
CODECS = {"mjpeg": ("MJPG",), "h264": ("avc1", "mp4v")}
"""Codecs to write a film with, by name; the first one available is used. MPEG-4 Part 2, which also
predicts from the previous picture, stands in for H.264 if that cannot be encoded."""


@dataclass(frozen=True)
class Rest:
    """A visible act, and when the table came to look like it (film seconds)."""

    hand: int
    line: str
    time_s: float


@dataclass(frozen=True)
class Said:
    """Something done next to the table: a line typed, or a button pressed for some seconds."""

    time_s: float
    line: str = ""
    button: str = ""
    seconds: float = 0.0


@dataclass(frozen=True)
class Lay:
    """What lay face up or face down at a spot from some moment on (film seconds), in any order."""

    time_s: float
    spot: str
    cards: tuple[str, ...]


@dataclass(frozen=True)
class SemiReal:
    """A film and everything known about it."""

    path: Path
    game: str
    seed: int
    handling: str
    matrix: tuple[tuple[float, ...], ...]
    record: str
    """The hand as it was dealt."""
    rests: tuple[Rest, ...]
    said: tuple[Said, ...]
    lays: tuple[Lay, ...]
    codec: str = ""
    """The codec with which it was written."""

    def keep(self) -> None:
        """Write everything that is known next to the film."""
        known = {**asdict(self), "path": self.path.name}
        self.path.with_suffix(".json").write_text(json.dumps(known, indent=1))

    def lay(self, spot: str, card: Card, start: float, end: float) -> list[bool]:
        """Whether a card lay at a spot: at `start`, and after each change until `end`."""
        there = [lay for lay in self.lays if lay.spot == spot and lay.time_s <= end]
        before = [lay for lay in there if lay.time_s <= start]
        since = before[-1:] + there[len(before) :]
        cards = [[Card.parse(one) for one in lay.cards] for lay in since]
        answers = [any(_alike(card, one) for one in each) for each in cards]
        return answers if before else [False, *answers]

    @classmethod
    def kept(cls, path: Path) -> SemiReal | None:
        """Load what is known about a film made earlier."""
        beside = path.with_suffix(".json")
        if not (path.is_file() and beside.is_file()):
            return None
        known = json.loads(beside.read_text())
        known |= {
            "path": path,
            "rests": tuple(Rest(**rest) for rest in known["rests"]),
            "said": tuple(Said(**said) for said in known["said"]),
            "lays": tuple(Lay(**{**lay, "cards": tuple(lay["cards"])}) for lay in known["lays"]),
            "matrix": tuple(tuple(row) for row in known["matrix"]),
        }
        return cls(**known)


def _alike(card: Card, other: Card) -> bool:
    return card.hidden is other.hidden and card.covers(other)


def settings_of(game: str) -> Settings:
    """A table of three at which nobody reports bets: only what can be seen is tested."""
    return Settings.from_mapping({"table": {"game": game, "seats": 3, "level": "none"}})


def plan_of(game: str, seed: int, handling: str) -> Plan:
    """The plan for the hand that a film shows."""
    plan = Plan.of(settings_of(game), seed=seed, handling=handling)
    return replace(plan, rate_hz=RATE_HZ, sensor=sensor())


def sensor() -> Sensor:
    """A webcam; its motion JPEG is the film itself."""
    return replace(SENSORS["webcam"], codec=Codec.NONE, dropped=0.0, late=0.0)


def around(seed: int) -> Setting:
    """Photographed cards on a photographed cloth, in the light for `seed`."""
    place = setting(seed)
    return replace(place, surface=PhotographedCloth(), deck=PhotographedDeck())


class Filming(TruthfulWatcher):
    """Films what it looks at, and notes when spots changed."""

    settle_s = SETTLED_S

    def __init__(
        self,
        table: Tabletop,
        spots: Mapping[str, Polygon],
        deck: Deck,
        writer: Writer,
        camera: SimulatedCamera,
    ) -> None:
        super().__init__(table, spots, deck)
        self._camera, self._writer, self._filmed = camera, writer, table
        self.changed: dict[str, list[float]] = {}
        self.lays: list[Lay] = []
        self._lay: frozenset[tuple[str, int, bool]] = frozenset()

    def look(self, now: float) -> tuple[Seen, Crop | None]:
        still = not self._filmed.moving(now)
        self._writer.take(self._camera, self._filmed.frame, now, still=still)
        lies = frozenset((p.spot, p.number, p.up) for p in self._filmed.resting)
        for spot in {spot for spot, _, _ in lies ^ self._lay}:
            self.changed.setdefault(spot, []).append(self._writer.time_s)
            cards = tuple(str(piece.view) for piece in self._filmed.at(spot))
            self.lays.append(Lay(self._writer.time_s, spot, cards))
        self._lay = lies
        return super().look(now)


@dataclass
class Writer:
    """Writes a film, picture by picture."""

    path: Path
    size: tuple[int, int]
    codec: str = ""
    count: int = 0
    _writer: cv2.VideoWriter = field(default_factory=cv2.VideoWriter)

    def open(self, codecs: tuple[str, ...]) -> None:
        for codec in codecs:
            self._writer.open(
                str(self.path),
                cv2.CAP_OPENCV_MJPEG if codec == "MJPG" else cv2.CAP_FFMPEG,
                cv2.VideoWriter.fourcc(*codec),
                RATE_HZ,
                self.size,
            )
            if self._writer.isOpened():
                self._writer.set(cv2.VIDEOWRITER_PROP_QUALITY, QUALITY)
                self.codec = codec
                return
        raise OSError(
            f"{self.path}: expected one of {', '.join(codecs)} to be available for encoding"
        )

    @property
    def time_s(self) -> float:
        """When the last picture was taken, on the film's clock."""
        return (self.count - 1) / RATE_HZ

    def take(
        self,
        camera: SimulatedCamera,
        scene: Callable[[float], NDArray[np.uint8]],
        now: float,
        *,
        still: bool,
    ) -> None:
        """Take one picture."""
        self._writer.write(camera.shoot(scene, now, still=still))
        self.count += 1

    def close(self) -> None:
        self._writer.release()


class NoFilm(Writer):
    """Counts the pictures of a rehearsal without filming it."""

    def take(
        self,
        camera: SimulatedCamera,
        scene: Callable[[float], NDArray[np.uint8]],
        now: float,
        *,
        still: bool,
    ) -> None:
        self.count += 1


class Recorded(Rehearsal):
    """A rehearsal that notes what its dealer says and presses, and when acts come to rest."""

    def __init__(self, plan: Plan, writer: Writer) -> None:
        self.writer = writer
        self.said: list[Said] = []
        self.rests: list[Rest] = []
        self._known = 0
        camera = SimulatedCamera(plan.sensor, plan.seed)
        table = Tabletop(filmed(around(plan.seed), plan.sensor), seed=plan.seed, hand=filmed_hand())
        for number in range(round(EMPTY_S * RATE_HZ)):
            writer.take(camera, table.frame, number / RATE_HZ - EMPTY_S, still=True)
        super().__init__(
            plan,
            watches=lambda t, s, d: Filming(t, s, d, writer, camera),
            table=table,
        )

    def press(self, button: Button, seconds: float) -> None:
        self.said.append(Said(self.writer.time_s, button=button.value, seconds=seconds))
        super().press(button, seconds)

    def type(self, line: str) -> None:
        self.said.append(Said(self.writer.time_s, line=line))
        super().type(line)

    def step(self) -> None:
        super().step()
        acts = [(h.start.hand, h, n) for h in self.loop.match.hands for n in range(len(h.acts))]
        for number, hand, place in acts[self._known :]:
            self._note(number, hand, place)
        self._known = len(acts)

    def _note(self, number: int, hand: Any, place: int) -> None:
        """Note an act that was taken in; it had come to rest when its spots last changed."""
        state = hand.game.open(hand.start)
        for act in hand.acts[:place]:
            state = state.play(act)
        act = hand.acts[place]
        touched = {spot for move in state.trace(act) for spot in (move.source, move.target)}
        assert isinstance(self._watcher, Filming)
        changes = [times[-1] for spot in touched if (times := self._watcher.changed.get(spot))]
        if changes:
            self.rests.append(Rest(number, str(act), max(changes)))


def made(
    folder: Path, game: str, *, seed: int, handling: str = "neat", codec: str = "mjpeg"
) -> SemiReal:
    """The film of one hand in `folder`, made unless it is there already."""
    suffix = "avi" if codec == "mjpeg" else "mp4"
    path = folder / f"{game}-{handling}-{seed}.{suffix}"
    known = SemiReal.kept(path)
    if known is not None:
        return known
    seed = followed_from(game, seed, handling)
    writer = Writer(path, around(seed).view.size)
    writer.open(CODECS[codec])
    rehearsal = Recorded(plan_of(game, seed, handling), writer)
    try:
        for _ in rehearsal.play(1):
            pass
        for _ in range(round(LAST_S * RATE_HZ)):
            rehearsal.step()
    finally:
        rehearsal.close()
        writer.close()
    assert isinstance(rehearsal._watcher, Filming)
    record = print_match(rehearsal.world.match)
    film = SemiReal(
        path=path,
        game=game,
        seed=seed,
        handling=handling,
        matrix=tuple(tuple(map(float, row)) for row in rehearsal.table.matrix),
        record=record,
        rests=tuple(_meant(rehearsal.rests, dealt(record))),
        said=tuple(rehearsal.said),
        lays=tuple(rehearsal._watcher.lays),
        codec=writer.codec,
    )
    film.keep()
    return film


def followed_from(game: str, seed: int, handling: str) -> int:
    """The first seed from this one on whose hand truthful eyes follow as dealt."""
    for tried in range(seed, seed + SEEDS_MOST * NEXT_SEED, NEXT_SEED):
        rehearsal = Recorded(plan_of(game, tried, handling), NoFilm(Path(), (0, 0)))
        try:
            if all(one.settled and not one.counts.presses for one in rehearsal.play(1)):
                return tried
        finally:
            rehearsal.close()
    raise LookupError(f"{game}, {handling}: found no hand to film from seed {seed} on")


def _meant(rests: Iterable[Rest], acts: Iterable[tuple[int, Act]]) -> Iterator[Rest]:
    """The rests of acts that were dealt; cards laid in a wrong place are left out."""
    left = list(acts)
    for rest in rests:
        fits = (one for one in left if one[0] == rest.hand and alike(Act.parse(rest.line), one[1]))
        fit = next(fits, None)
        if fit is not None:
            left.remove(fit)
            yield rest


def dealt(record: str) -> Iterator[tuple[int, Act]]:
    """The acts that were dealt, as they can be seen, with the number of their hand."""
    for hand in parse_record(record).match.hands:
        for act in hand.state.acts:
            yield hand.start.hand, act.observed()
