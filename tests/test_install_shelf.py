"""Versions on a device: whole or not at all, on trial, and never during a hand."""

from __future__ import annotations

import os
import sys
import zipfile
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random

import pytest

from firmware.install.shelf import IN_PLAY, SUMS, TRIALS, Shelf, UpdateError, checked, main, pack
from firmware.install.updating import main as asked
from firmware.settings.settings import Settings
from firmware.store.journal import Journal
from firmware.store.ledger import PANEL, Ledger, Step
from rules.acts import Act
from rules.match import Match


class Device:
    """What the commands that an update runs would do here."""

    def __init__(self) -> None:
        self.in_play = False
        self.starts = True
        self.fits = True
        self.commands: list[list[str]] = []

    def __call__(self, command: Sequence[str]) -> int:
        self.commands.append(list(command))
        if "pip" in command:
            return int(not self.fits)
        if "--settings" in command:
            return IN_PLAY if self.in_play else 0
        return int(not self.starts)


def wheels(folder: Path, version: str) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"mazziere-{version}-py3-none-any.whl").write_bytes(version.encode() * 1000)
    (folder / "segno-1.6.6-py3-none-any.whl").write_bytes(b"qr")
    return folder


def update(tmp_path: Path, version: str) -> Path:
    file = tmp_path / f"{version}.update"
    assert pack(wheels(tmp_path / f"wheels-{version}", version), file) == version
    return file


@pytest.fixture
def device() -> Device:
    return Device()


@pytest.fixture
def shelf(tmp_path: Path, device: Device) -> Shelf:
    shelf = Shelf(tmp_path / "opt", device)
    (shelf.folder("1.0") / "venv").mkdir(parents=True)
    shelf.adopt("1.0")
    return shelf


def test_the_first_version_is_on_no_trial(shelf: Shelf) -> None:
    assert (shelf.current, shelf.previous, shelf.trial) == ("1.0", None, None)
    assert shelf.check() is None


def test_a_good_version_is_used_and_the_one_before_stays(shelf: Shelf, tmp_path: Path) -> None:
    assert shelf.take(update(tmp_path, "1.1"), tmp_path / "none.toml") == "1.1"
    assert (shelf.current, shelf.previous, shelf.trial) == ("1.1", "1.0", ("1.1", 0))
    assert shelf.check() is None
    assert (shelf.root / "trial").read_text() == "1.1 1\n"
    shelf.keep()
    assert not (shelf.root / "trial").exists()
    shelf.take(update(tmp_path, "1.2"), tmp_path / "none.toml")
    assert shelf.versions == ["1.1", "1.2"]


def test_a_version_that_never_gets_ready_is_left_again(shelf: Shelf, tmp_path: Path) -> None:
    shelf.take(update(tmp_path, "1.1"), tmp_path / "none.toml")
    assert [shelf.check() for _ in range(TRIALS)] == [None] * TRIALS
    assert shelf.current == "1.1"
    assert shelf.check() == "version 1.1 was left; 1.0 is used again"
    assert (shelf.current, shelf.trial) == ("1.0", None)
    assert shelf.check() is None


@pytest.mark.parametrize(
    ("fault", "said"),
    [("in_play", "a hand is being played"), ("starts", "does not start"), ("fits", "does not fit")],
)
def test_an_update_that_cannot_be_changes_nothing(
    shelf: Shelf, device: Device, tmp_path: Path, fault: str, said: str
) -> None:
    setattr(device, fault, fault == "in_play")
    with pytest.raises(UpdateError, match=said):
        shelf.take(update(tmp_path, "1.1"), tmp_path / "none.toml")
    assert (shelf.current, shelf.versions, shelf.trial) == ("1.0", ["1.0"], None)
    assert [path.name for path in shelf.folder("1.0").parent.iterdir()] == ["1.0"]


def test_a_hand_dealt_while_it_is_unpacked_is_not_disturbed(
    shelf: Shelf, device: Device, tmp_path: Path
) -> None:
    def deal(command: Sequence[str]) -> int:
        status = device(command)
        device.in_play |= "pip" in command
        return status

    busy = Shelf(shelf.root, deal)
    with pytest.raises(UpdateError, match="a hand is being played"):
        busy.take(update(tmp_path, "1.1"), tmp_path / "none.toml")
    assert shelf.current == "1.0"


def test_nothing_is_taken_from_anywhere_but_the_file(
    shelf: Shelf, device: Device, tmp_path: Path
) -> None:
    shelf.make(update(tmp_path, "1.1"))
    (pip,) = [command for command in device.commands if "pip" in command]
    assert "--no-index" in pip


def test_every_damaged_byte_of_an_update_is_noticed(tmp_path: Path) -> None:
    file = update(tmp_path, "1.1")
    whole, dice, noticed = file.read_bytes(), Random(5), 0
    for place in dice.sample(range(len(whole)), 200):
        cut = dice.random() < 0.3
        changed = bytes([whole[place] ^ (1 << dice.randrange(8))]) + whole[place + 1 :]
        file.write_bytes(whole[:place] + (b"" if cut else changed))
        try:
            version = checked(file)
        except UpdateError:
            noticed += 1
        else:  # a byte of a date or of an attribute: what is unpacked is whole all the same
            assert version == "1.1"
            with zipfile.ZipFile(file) as one:
                assert one.read("mazziere-1.1-py3-none-any.whl") == b"1.1" * 1000
    assert noticed > 150


@pytest.mark.parametrize("name", ["../evil.whl", "/etc/passwd", "a/b.whl", "run.sh"])
def test_an_update_holds_wheels_and_nothing_else(tmp_path: Path, name: str) -> None:
    file = update(tmp_path, "1.1")
    with zipfile.ZipFile(file, "a") as bundle:
        bundle.writestr(name, "evil")
    with pytest.raises(UpdateError, match="wheels and SHA256SUMS expected"):
        checked(file)


def test_an_update_names_every_wheel_in_its_sums(tmp_path: Path) -> None:
    file = tmp_path / "u"
    with zipfile.ZipFile(file, "w") as bundle:
        bundle.writestr("mazziere-1.1-py3-none-any.whl", "x")
        bundle.writestr(SUMS, "")
    with pytest.raises(UpdateError, match="is not as it was packed"):
        checked(file)


class _PowerCutError(Exception):
    """The plug was pulled."""


STEPS = ("symlink_to", "replace", "rename", "unlink")


def test_a_power_cut_at_any_step_leaves_a_version_that_works(
    tmp_path: Path, device: Device, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = update(tmp_path, "1.1")
    cuts = 0
    for steps_left in range(40):
        shelf = Shelf(tmp_path / f"opt{steps_left}", device)
        (shelf.folder("1.0") / "venv").mkdir(parents=True)
        shelf.adopt("1.0")
        with monkeypatch.context() as patch:
            left = [steps_left]
            for step in STEPS:
                patch.setattr(Path, step, _failing(getattr(Path, step), left))
            try:
                shelf.take(file, tmp_path / "none.toml")
            except _PowerCutError:
                cuts += 1
        shelf.check()  # as at the next start
        assert shelf.current in ("1.0", "1.1")
        if shelf.current == "1.1":
            assert shelf.previous == "1.0"
            assert shelf.trial == ("1.1", 1)
    assert cuts >= 6


def _failing(real: Callable[..., object], left: list[int]) -> Callable[..., object]:
    def step(*arguments: object, **named: object) -> object:
        if left[0] == 0:
            raise _PowerCutError
        left[0] -= 1
        return real(*arguments, **named)

    return step


def test_the_commands_say_what_they_did_in_a_line(
    shelf: Shelf, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["back"], shelf) == 2
    assert capsys.readouterr().err == "update: there is no version before this one\n"
    shelf.take(update(tmp_path, "1.1"), tmp_path / "none.toml")
    assert main(["list"], shelf) == 0
    assert capsys.readouterr().out == "1.0\n1.1 (in use)\n"
    assert main(["back"], shelf) == 0
    assert shelf.current == "1.0"


def test_a_hand_counts_from_its_first_act_to_its_end(tmp_path: Path) -> None:
    settings = Settings.from_mapping({"table": {"game": "ziginette", "seats": 3}})
    (tmp_path / "mazziere.toml").write_text(settings.text())
    question = ["--settings", str(tmp_path / "mazziere.toml")]
    assert asked(question) == 0  # no journal yet
    with Journal(tmp_path / "mazziere.journal") as journal:
        ledger = Ledger(Match(settings.rules(), settings.start), journal, now=lambda: 0.0)
        assert asked(question) == 0
        ledger.take([Step(Act.parse("deal board QS"))], PANEL)
        assert asked(question) == IN_PLAY
        ledger.take([Step(Act.parse("misdeal"))], PANEL)
        assert asked(question) == IN_PLAY  # its cards lie there still
        ledger.take([Step(Act.parse("clear"))], PANEL)
        assert asked(question) == 0


def test_the_keeper_of_versions_needs_nothing_but_python(tmp_path: Path) -> None:
    copy = tmp_path / "update"
    copy.write_bytes((Path(__file__).parents[1] / "firmware/install/shelf.py").read_bytes())
    status = os.spawnv(os.P_WAIT, sys.executable, [sys.executable, "-I", str(copy), "list"])
    assert status == 0
