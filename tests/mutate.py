"""Feed bad input to every reader: ``python -m tests.mutate --inputs 100000 --log FILE``.

Each input is a good one with parts cut, doubled, swapped, flipped or inflated, as decided by its
number. Every reader must answer with its typed error, in one line, within `SECONDS` and `MEMORY`.
The log has one line per thousand inputs of a format, and the command resumes after its last line.
"""

from __future__ import annotations

import argparse
import json
import math
import resource
import sys
import time
import zipfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

from tests.logs import resumed

import vision  # noqa: F401  # isort: skip  # before OpenCV, which reads its limit once

import cv2
import numpy as np

from firmware.commands.commands import is_ours
from firmware.commands.reports import read_record
from firmware.console.access import Access
from firmware.console.messages import deed
from firmware.errors import FirmwareError
from firmware.floor.tables import clean
from firmware.install.packing import pack
from firmware.install.shelf import UpdateError, checked
from firmware.settings.settings import Settings
from firmware.store.chain import Entry
from firmware.store.ledger import CHANGES, Ledger
from firmware.store.safe import read
from firmware.store.spare import Spare
from hardware.errors import EndOfPicturesError
from hardware.films import TIMES, FilmSource, told_times
from rules.acts import Act
from rules.cards import Card
from rules.wording import Secret
from vision.chips.chip_set import ChipSet
from vision.chips.circles import ANGLES
from vision.chips.prints import RINGS
from vision.decide.profiles import Profile
from vision.picture.photos import read_photo

ROOT = Path(__file__).parent.parent
SECONDS = 2.0
MEMORY = 500_000_000
BATCH = 1000
MEMORY_DISK = Path("/dev/shm")
"""Where inputs are written if the machine has it: on a real disk, half the time goes into
writing."""
WORDS = (
    "99999999999999999999", "9" * 5000, "-1", "[" * 3000, "{" * 3000, "\0", "é", '"', "\ud800",
    "rule 1 correct " * 300, "QS " * 999, "\n\n", "NaN", "1e999", "2:f0", "..", "=",
)  # fmt: skip


@dataclass(frozen=True)
class Format:
    """A format: good examples of it, and a function that reads it from a file."""

    name: str
    examples: Callable[[Path], list[bytes]]
    read: Callable[[Path], object]


def mutated(data: bytes, dice: Random) -> bytes:
    """The data with one or several random alterations."""
    for _ in range(dice.choice((1, 1, 2, 5))):
        size = len(data)
        start = dice.randrange(size + 1)
        end = min(size, start + dice.choice((1, 4, 40, 400)))
        how = dice.randrange(6)
        if how == 0:
            data = data[:start] + data[end:]
        elif how == 1:
            data = data[:end] + data[start:end] * dice.choice((1, 3, 50)) + data[end:]
        elif how == 2:
            data = data[:start]
        elif how == 3:
            noise = bytes(byte ^ (1 << dice.randrange(8)) for byte in data[start:end])
            data = data[:start] + noise + data[end:]
        elif how == 4:
            word = dice.choice(WORDS).encode("utf-8", "surrogatepass")
            data = data[:start] + word + data[end:]
        else:
            other = dice.randrange(size + 1)
            data = data[:start] + data[other : other + end - start] + data[end:]
    return data


def _texts(pattern: str, most: int = 40) -> list[bytes]:
    return [path.read_bytes() for path in sorted(ROOT.glob(pattern))[::7][:most]]


def _pictures(_: Path) -> list[bytes]:
    picture = np.random.default_rng(1).integers(0, 255, (40, 60, 3)).astype(np.uint8)
    return [bytes(cv2.imencode(end, picture)[1]) for end in (".png", ".jpg", ".webp", ".bmp")]


def _profiles(folder: Path) -> list[bytes]:
    cards = (Card.parse("QS"), Card.parse("5D"))
    prints, owners = np.zeros((4, 16), np.float32), np.array([0, 0, 1, 1], np.intp)
    profile = Profile("mine", cards, ("queen", "five"), prints, owners)
    profile.save(folder / "mine.npz")
    return [(folder / "mine.npz").read_bytes()]


def _bundles(folder: Path) -> list[bytes]:
    wheels = folder / "wheels"
    wheels.mkdir()
    for name in ("mazziere-1.1-py3-none-any.whl", "segno-1.6.6-py3-none-any.whl"):
        with zipfile.ZipFile(wheels / name, "w") as wheel:
            wheel.writestr("a", "b" * 50)
    pack(wheels, folder / "u")
    return [(folder / "u").read_bytes()]


def _chips(folder: Path) -> list[bytes]:
    prints = np.full((2, len(RINGS), ANGLES, 3), 200.0, np.float32)
    chips = ChipSet("mine", ("5", "25"), np.full((2, 2), 39.0, np.float32), prints)
    chips.save(folder / "mine.npz")
    return [(folder / "mine.npz").read_bytes()]


def _films(folder: Path) -> list[bytes]:
    """The same few pictures as films of two kinds."""
    pictures = np.random.default_rng(1).integers(0, 255, (4, 24, 32, 3)).astype(np.uint8)
    made = list[bytes]()
    for name, codec in (("film.avi", "MJPG"), ("film.mp4", "mp4v")):
        writer = cv2.VideoWriter(str(folder / name), cv2.VideoWriter.fourcc(*codec), 10.0, (32, 24))
        for picture in pictures:
            writer.write(picture)
        writer.release()
        made.append((folder / name).read_bytes())
    return made


def _watched(path: Path) -> None:
    """Read the first pictures of a film, with their times."""
    film = FilmSource(path)
    try:
        film.open()
        for _ in range(6):
            if not math.isfinite(film.read().time_s):
                raise ValueError("a time that is not a number")
    except EndOfPicturesError:
        return
    finally:
        film.close()


def _timed(path: Path) -> None:
    """Read the times of a folder of pictures, stored in a file next to them."""
    pictures = [path.with_name(f"{number}.png") for number in range(3)]
    with TemporaryDirectory(dir=path.parent) as place:
        (Path(place) / TIMES).write_bytes(path.read_bytes())
        told = told_times(Path(place), pictures) or {}
    if not all(map(math.isfinite, told.values())):
        raise ValueError(f"{told}: a time that is not a number")


def _settings(_: Path) -> list[bytes]:
    return [b'language = "it"\n[table]\ngame = "ziginette"\nseats = [1, 2]\nlimits = [1, 20]\n'
            b'chips = "house"\n[stacks]\n1 = 100\n[house_rules]\nlate_bets = false\n'
            b'[mqtt]\non = false\n[spots.ziginette]\nboard = [0, -40]\n"bet 1" = [5, 0]\n'
            b'[wiring.buttons]\nok = 5\n']  # fmt: skip


def _lines(_: Path) -> list[bytes]:
    lines = (line for text in _texts("tests/records/*/*.txt") for line in text.splitlines())
    return sorted({line for line in lines if line and not line.startswith((b"[", b"#"))})


def _text(path: Path) -> str:
    return path.read_bytes().decode("utf-8", "surrogateescape")


def _repeated(path: Path) -> None:
    """Read a journal entry: its kind and contents."""
    payload = json.loads(path.read_bytes().decode("utf-8", "replace"))
    if not isinstance(payload, dict):
        raise ValueError
    base = {"record": '[Game "ziginette"]\n[Seats "3"]\n[Banker "1"]\n[Limits "1 20"]\n'}
    ledger = Ledger.begun_by(Entry(1, 0.0, "match", base, (), ""), now=lambda: 0.0)
    for kind in (*CHANGES, "stands", "match"):
        try:
            if kind == "match":
                Ledger.begun_by(Entry(1, 0.0, kind, payload, (), ""), now=lambda: 0.0)
            else:
                ledger.repeat(Entry(2, 0.0, kind, payload, (), ""))
        except FirmwareError:
            continue


MESSAGES = [
    b'{"do": "type", "line": "2 bet 5"}',
    b'{"do": "correct", "hand": 1, "number": 2, "was": "a", "line": "b"}',
]
STATES = [b'{"name": "Red", "status": "playing", "hand": 3, "awaited": [2]}']
ACCESS = [b'{"keys": {"salt": "00", "dealer": "a", "viewer": "b", "cost": 4}, "sessions": []}']
SECRETS = [b'{"salt": "abcd", "rule": "two from last"}', b"[" * 3000]
ENTRIES = [
    b'{"line": "deal board QS", "with": false, "by": "typed"}',
    b'{"number": 1, "line": "deal board 5D"}',
    b'{"record": "[Game \\"ziginette\\"]", "hand": 5, "before": 0}',
]
FORMATS = (
    Format("records", lambda _: _texts("tests/records/*/*.txt"), read_record),
    Format("settings", _settings, Settings.load),
    Format("act lines", _lines, lambda path: Act.parse(_text(path))),
    Format("rules", lambda _: [b"if last is red then black else red", b"two from last"],
           lambda path: Secret.parse(_text(path))),
    Format("profiles", _profiles, Profile.load),
    Format("sets of chips", _chips, ChipSet.load),
    Format("photographs", _pictures, read_photo),
    Format("films", _films, _watched),
    Format("times", lambda _: [b"0.png 0\n1.png 0.25 # later\n2.png 1.5\n"], _timed),
    Format("bundles", _bundles, checked),
    Format("messages", lambda _: MESSAGES, lambda path: deed(_text(path))),
    Format("states", lambda _: STATES, lambda path: clean(path.read_bytes())),
    Format("access files", lambda _: ACCESS, Access),
    Format("secrets", lambda _: SECRETS, read),
    Format("entries", lambda _: ENTRIES, _repeated),
    Format("copies", lambda _: [b'[1,0.0,"act","{}","[]","00"]\n' * 3],
           lambda path: list(Spare(str(path).removesuffix(".copy")).rows())),
)  # fmt: skip


def happen(kind: Format, first: int, count: int) -> dict[str, Any]:
    """Try `count` inputs; return which were answered wrongly, and how long the slowest took."""
    slowest, harm = 0.0, list[str]()
    with TemporaryDirectory(dir=MEMORY_DISK if MEMORY_DISK.is_dir() else None) as place:
        folder = Path(place)
        examples = kind.examples(folder)
        for number in range(first, first + count):
            dice = Random(f"{kind.name} {number}")
            path = folder / f"input{number % 7}.copy"
            path.write_bytes(mutated(dice.choice(examples), dice))
            began = time.process_time()
            error = _answer(kind, path)
            took = time.process_time() - began
            slowest = max(slowest, took)
            if error or took > SECONDS:
                harm.append(f"{number}: {error or f'{took:.1f} s'}"[:300])
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    told = {"format": kind.name, "first": first, "count": count, "slowest": round(slowest, 3)}
    return {**told, "megabytes": peak // 10**6, "harm": harm}


def _answer(kind: Format, path: Path) -> str:
    """What is wrong with the answer; empty if it is a value or a one-line error."""
    try:
        kind.read(path)
    except Exception as error:
        ours = is_ours(error) or isinstance(error, UpdateError)
        bare = kind.name == "entries" and isinstance(error, ValueError | RecursionError)
        return "" if ours or bare else f"{type(error).__name__}: {error}"
    return ""


def main(arguments: Sequence[str] | None = None) -> int:
    """Resume the log until it holds the given number of inputs of each format."""
    parser = argparse.ArgumentParser("python -m tests.mutate", description=__doc__)
    parser.add_argument("--inputs", type=int, default=100_000, help="inputs of each format")
    parser.add_argument("--log", type=Path, required=True)
    options = parser.parse_args(arguments)
    done = resumed(options.log)
    batches = [
        (kind, first, min(BATCH, options.inputs - first))
        for first in range(0, options.inputs, BATCH)
        for kind in FORMATS
    ]
    with options.log.open("a") as log:
        for kind, first, count in batches[len(done) :]:
            done.append(happen(kind, first, count))
            log.write(json.dumps(done[-1]) + "\n")
            log.flush()
    harm = [f"{one['format']} {wrong}" for one in done for wrong in one["harm"]]
    for kind in FORMATS:
        own = [one for one in done if one["format"] == kind.name]
        count, slowest = sum(one["count"] for one in own), max(one["slowest"] for one in own)
        print(f"{kind.name}: {count} inputs, the slowest {slowest} s of processor time")
    print(f"at most {max(one['megabytes'] for one in done)} MB; answered wrongly: {len(harm)}")
    for one in harm[:40]:
        print(f"  {one}")
    return int(bool(harm) or any(one["megabytes"] * 10**6 > MEMORY for one in done))


if __name__ == "__main__":
    sys.exit(main())
