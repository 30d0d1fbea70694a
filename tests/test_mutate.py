"""Bad input gets one line: some of each format; ``python -m tests.mutate`` tries 100,000."""

from __future__ import annotations

import os
import struct
import subprocess
import sys
import zlib
from contextlib import suppress
from io import BytesIO
from pathlib import Path
from threading import Thread
from zipfile import ZipFile

import cv2
import numpy as np
import pytest

from firmware.commands.cli import main
from firmware.commands.reports import read_record
from rules.errors import RecordError
from rules.records import RECORD_MOST
from tests.mutate import FORMATS, Format, _answer, happen
from vision.errors import PhotoError
from vision.picture.photos import read_photo

HEAD = '[Game "ziginette"]\n[Seats "3"]\n[Banker "1"]\n'


@pytest.mark.parametrize("kind", FORMATS, ids=lambda kind: kind.name)
def test_whatever_comes_is_answered_with_a_value_or_one_line(kind: Format) -> None:
    assert happen(kind, 0, 120)["harm"] == []


RECORDS = {
    "nested corrections": f"{HEAD}\n{'rule 1 correct ' * 200}deal board QS\n",
    "three thousand corrections": f"{HEAD}\ndeal board QS\n"
    + "rule 1 correct deal board 5D\nrule 1 correct deal board QS\n" * 1500,
    "a long number": f'{HEAD}[Hand "{"9" * 5000}"]\n\ndeal board QS\n',
    "a long line": f"{HEAD}\ndeal board {'QS ' * 5000}\n",
    "a note that no game wrote": '[Game "mille"]\n[Seats "2"]\n[Dealer "1"]\n'
    '[Note "chapeaux 1:1 2:f0"]\n\ndeal 2 ??\n',
}


@pytest.mark.parametrize("kind", RECORDS)
def test_a_garbage_record_is_reported_in_one_line(
    kind: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "record"
    path.write_text(RECORDS[kind])
    assert main(["replay", str(path)]) in (0, 2)
    assert capsys.readouterr().err.count("\n") <= 1


@pytest.mark.parametrize("name", ["profiles", "sets of chips"])
def test_an_array_with_a_truncated_header_is_reported_in_one_line(
    name: str, tmp_path: Path
) -> None:
    """Numpy reads the header as Python tokens."""
    kind = next(kind for kind in FORMATS if kind.name == name)
    with ZipFile(BytesIO(kind.examples(tmp_path)[0])) as good:
        parts = {one: good.read(one) for one in good.namelist()}
    path = tmp_path / "input.copy"
    for one, data in parts.items():
        with ZipFile(path, "w") as bad:
            for other, whole in parts.items():
                bad.writestr(other, whole if other != one else data.replace(b"(", b"((", 1))
        assert _answer(kind, path) == ""


@pytest.mark.parametrize("kind", FORMATS, ids=lambda kind: kind.name)
def test_nested_brackets_are_reported_in_one_line(kind: Format, tmp_path: Path) -> None:
    path = tmp_path / "input.copy"
    for text in (b"[" * 100_000, b'{"a":' * 100_000, b"(" * 100_000):
        path.write_bytes(text)
        assert _answer(kind, path) == ""


def test_a_record_without_end_is_not_read_for_ever(tmp_path: Path) -> None:
    """No more is read than the longest possible record, plus what a pipe holds."""
    path, part = tmp_path / "record", bytes(1 << 16)
    os.mkfifo(path)
    written = 0

    def write() -> None:
        nonlocal written
        with suppress(BrokenPipeError), path.open("wb", buffering=0) as pipe:
            while True:
                written += pipe.write(part)

    writer = Thread(target=write, daemon=True)
    writer.start()
    with pytest.raises(RecordError):
        read_record(path)
    writer.join(60.0)
    assert RECORD_MOST < written < RECORD_MOST + (1 << 20)


@pytest.mark.slow
def test_a_small_picture_that_unpacks_to_gigabytes_is_refused(tmp_path: Path) -> None:
    def part(name: bytes, data: bytes) -> bytes:
        crc = struct.pack(">I", zlib.crc32(name + data))
        return struct.pack(">I", len(data)) + name + data + crc

    side = 30_000
    rows = zlib.compressobj(9)
    data = b"".join(rows.compress(bytes(1 + side // 8)) for _ in range(side)) + rows.flush()
    head = struct.pack(">IIBBBBB", side, side, 1, 0, 0, 0, 0)
    bomb = b"\x89PNG\r\n\x1a\n" + part(b"IHDR", head) + part(b"IDAT", data) + part(b"IEND", b"")
    assert len(bomb) < 200_000
    (tmp_path / "bomb.png").write_bytes(bomb)
    # In a separate process: the limit is read when OpenCV is loaded.
    told = subprocess.run(
        [sys.executable, "-m", "firmware", "read", str(tmp_path / "bomb.png")],
        cwd=Path(__file__).parent.parent, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert told.returncode == 2
    assert "expected a photograph" in told.stderr


@pytest.mark.parametrize("claimed", [1 << 30, 0xFFFFFFFF])
def test_a_picture_that_claims_more_than_its_file_holds_is_refused(
    claimed: int, tmp_path: Path
) -> None:
    """OpenCV would allocate all that memory first."""
    picture = cv2.imencode(".png", np.full((40, 60, 3), 9, np.uint8))[1].tobytes()
    path, place = tmp_path / "p.png", picture.index(b"IDAT")
    path.write_bytes(picture + b"what a telephone adds")
    assert read_photo(path).shape == (40, 60, 3)
    path.write_bytes(picture[: place - 4] + struct.pack(">I", claimed) + picture[place:])
    with pytest.raises(PhotoError, match="cut off or damaged"):
        read_photo(path)
