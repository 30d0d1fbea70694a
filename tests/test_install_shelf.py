"""Versions on a device: signed, all or nothing, on trial, and never during a hand."""

from __future__ import annotations

import atexit
import json
import os
import re
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path
from random import Random
from tempfile import mkdtemp

import pytest

from firmware.install.packing import LOCK, pack, parts_of
from firmware.install.shelf import (
    IN_PLAY,
    PARTS,
    SIGNATURE,
    SUMS,
    TRIALS,
    Shelf,
    UpdateError,
    checked,
    main,
    signed,
)  # fmt: skip
from firmware.install.updating import main as asked
from firmware.settings.settings import Settings
from firmware.store.journal import Journal
from firmware.store.ledger import PANEL, Ledger, Step
from rules.acts import Act
from rules.match import Match
from tests.cut_short import PowerCutError, failing


class Device:
    """A stand-in for the commands that an update runs."""

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


KEYS: dict[str, Path] = {}
NEEDS_KEYS = pytest.mark.skipif(not shutil.which("ssh-keygen"), reason="ssh-keygen is missing")
pytestmark = NEEDS_KEYS


def key(name: str = "ours") -> Path:
    """A signing key for `name`, cached; making one takes some milliseconds."""
    if name not in KEYS:
        KEYS[name] = Path(mkdtemp(prefix="mazziere-keys-")) / name
        command = ["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", name, "-f", str(KEYS[name])]
        subprocess.run(command, check=True)
        atexit.register(shutil.rmtree, KEYS[name].parent, ignore_errors=True)
    return KEYS[name]


def public(name: str = "ours") -> Path:
    return key(name).with_suffix(".pub")


def wheels(folder: Path, version: str) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(folder / f"mazziere-{version}-py3-none-any.whl", "w") as wheel:
        wheel.writestr("firmware/a.py", version * 1000)
        wheel.writestr("vision/weights/finder.onnx", "a network")
    (folder / "segno-1.6.6-py3-none-any.whl").write_bytes(b"qr")
    return folder


def update(tmp_path: Path, version: str, by: Path | None = None) -> Path:
    file = tmp_path / f"{version}.update"
    folder = wheels(tmp_path / f"wheels-{version}", version)
    assert pack(folder, file, by or key()) == version
    return file


def begun(root: Path, device: Device, version: str = "1.0") -> Shelf:
    """A device with a version on it, which trusts our key."""
    shelf = Shelf(root, device)
    (shelf.folder(version) / "venv").mkdir(parents=True)
    shelf.adopt(version)
    shelf.trust(public())
    return shelf


@pytest.fixture
def device() -> Device:
    return Device()


@pytest.fixture
def shelf(tmp_path: Path, device: Device) -> Shelf:
    return begun(tmp_path / "opt", device)


def test_the_first_version_is_not_on_trial(shelf: Shelf) -> None:
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


def test_a_version_that_never_gets_ready_is_rolled_back(shelf: Shelf, tmp_path: Path) -> None:
    shelf.take(update(tmp_path, "1.1"), tmp_path / "none.toml")
    assert [shelf.check() for _ in range(TRIALS)] == [None] * TRIALS
    assert shelf.current == "1.1"
    assert shelf.check() == "version 1.1 was abandoned; 1.0 is in use again"
    assert (shelf.current, shelf.trial) == ("1.0", None)
    assert shelf.check() is None


@pytest.mark.parametrize(
    ("fault", "said"),
    [("in_play", "a hand is being played"), ("starts", "does not start"), ("fits", "does not fit")],
)
def test_an_impossible_update_changes_nothing(
    shelf: Shelf, device: Device, tmp_path: Path, fault: str, said: str
) -> None:
    setattr(device, fault, fault == "in_play")
    with pytest.raises(UpdateError, match=said):
        shelf.take(update(tmp_path, "1.1"), tmp_path / "none.toml")
    assert (shelf.current, shelf.versions, shelf.trial) == ("1.0", ["1.0"], None)
    assert [path.name for path in shelf.folder("1.0").parent.iterdir()] == ["1.0"]


def test_a_file_without_end_is_not_an_update(shelf: Shelf, tmp_path: Path) -> None:
    with pytest.raises(UpdateError, match="expected an update file"):
        shelf.take(Path("/dev/zero"), tmp_path / "none.toml")
    assert not (shelf.root / ".incoming").exists()


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
        else:  # a byte of a date or of an attribute: what is unpacked is intact all the same
            assert version == "1.1"
            own = "mazziere-1.1-py3-none-any.whl"
            with zipfile.ZipFile(file) as one:
                assert one.read(own) == (tmp_path / "wheels-1.1" / own).read_bytes()
    assert noticed > 150


@pytest.mark.parametrize("name", ["../evil.whl", "/etc/passwd", "a/b.whl", "run.sh"])
def test_an_update_holds_wheels_and_nothing_else(tmp_path: Path, name: str) -> None:
    file = update(tmp_path, "1.1")
    with zipfile.ZipFile(file, "a") as bundle:
        bundle.writestr(name, "evil")
    with pytest.raises(UpdateError, match="expected wheels and SHA256SUMS"):
        checked(file)


def test_an_update_lists_every_wheel_in_its_checksums(tmp_path: Path) -> None:
    file = tmp_path / "u"
    with zipfile.ZipFile(file, "w") as bundle:
        bundle.writestr("mazziere-1.1-py3-none-any.whl", "x")
        bundle.writestr(SUMS, "")
    with pytest.raises(UpdateError, match="is damaged or was changed"):
        checked(file)


# Whose it is.


def test_an_update_that_is_unsigned_or_signed_by_a_stranger_is_refused(
    shelf: Shelf, tmp_path: Path
) -> None:
    nowhere = tmp_path / "none.toml"
    stranger = update(tmp_path, "1.1", key("stranger"))
    with pytest.raises(UpdateError, match="is not signed with a key that this device trusts"):
        shelf.take(stranger, nowhere)
    unsigned = tmp_path / "unsigned"
    pack(tmp_path / "wheels-1.1", unsigned)
    with pytest.raises(UpdateError, match="is not signed"):
        shelf.take(unsigned, nowhere)
    assert (shelf.current, shelf.versions, left_over(shelf)) == ("1.0", ["1.0"], [])
    shelf.trust(public("stranger"))
    assert shelf.take(stranger, nowhere) == "1.1"


def test_without_a_trusted_key_no_update_is_taken(tmp_path: Path, device: Device) -> None:
    shelf = begun(tmp_path / "opt", device)
    shelf.signers.unlink()
    with pytest.raises(UpdateError, match="no key is trusted yet"):
        shelf.take(update(tmp_path, "1.1"), tmp_path / "none.toml")
    assert not [command for command in device.commands if "pip" in command]


def test_another_wheel_under_a_good_signature_is_noticed(shelf: Shelf, tmp_path: Path) -> None:
    good, evil = update(tmp_path, "1.1"), tmp_path / "evil"
    with zipfile.ZipFile(good) as one, zipfile.ZipFile(evil, "w") as other:
        for name in one.namelist():
            other.writestr(name, b"evil" if name.endswith("any.whl") else one.read(name))
    with pytest.raises(UpdateError, match="is damaged or was changed"):
        signed(evil, shelf.signers)
    sums = "".join(  # its own checksums are right, but were not signed
        f"{sha256(b'evil').hexdigest()}  {name}\n" if name.endswith("whl") else ""
        for name in zipfile.ZipFile(good).namelist()
    )
    with zipfile.ZipFile(good) as one, zipfile.ZipFile(evil, "w") as other:
        for name in one.namelist():
            if name not in (SUMS, PARTS):
                other.writestr(name, b"evil" if name.endswith("any.whl") else one.read(name))
        other.writestr(SUMS, sums)
    assert checked(evil) == "1.1"
    with pytest.raises(UpdateError, match="is not signed with a key"):
        signed(evil, shelf.signers)


def test_a_signature_for_something_else_does_not_count(shelf: Shelf, tmp_path: Path) -> None:
    file = update(tmp_path, "1.1")
    with zipfile.ZipFile(file) as one:
        parts = {name: one.read(name) for name in one.namelist()}
    command = ["ssh-keygen", "-q", "-Y", "sign", "-n", "file", "-f", str(key())]
    told = subprocess.run(command, input=parts[SUMS], capture_output=True, check=True)
    with zipfile.ZipFile(file, "w") as other:
        for name, data in {**parts, SIGNATURE: told.stdout}.items():
            other.writestr(name, data)
    with pytest.raises(UpdateError, match="is not signed with a key"):
        signed(file, shelf.signers)


def test_a_stick_that_changes_after_the_check_changes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file, unpacked = update(tmp_path, "1.1"), list[bytes]()

    def swapped(own: Path, signers: Path, called: Path | None = None) -> str:
        name = signed(own, signers, called)
        file.write_bytes(b"another stick")
        return name

    def pip(command: Sequence[str]) -> int:
        unpacked.extend(Path(one).read_bytes() for one in command if "mazziere-1.1-" in one)
        return 0

    monkeypatch.setattr("firmware.install.shelf.signed", swapped)
    begun(tmp_path / "opt", Device())
    Shelf(tmp_path / "opt", pip).take(file, tmp_path / "none.toml")
    own = tmp_path / "wheels-1.1" / "mazziere-1.1-py3-none-any.whl"
    assert unpacked == [own.read_bytes()]


def test_an_older_version_is_accepted_only_on_request(tmp_path: Path, device: Device) -> None:
    new, old = "0.1.0+20261123065915.gf1f7c50", "0.1.0+20250101000000.gabcdef0"
    shelf = begun(tmp_path / "opt", device, new)
    file = update(tmp_path, old)
    with pytest.raises(UpdateError, match="is older than"):
        shelf.take(file, tmp_path / "none.toml")
    assert shelf.take(file, tmp_path / "none.toml", older=True) == old


def test_keys_are_shown_with_their_fingerprints(
    shelf: Shelf, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    told = subprocess.run(
        ["ssh-keygen", "-l", "-f", str(public())], capture_output=True, text=True, check=True
    )
    assert main(["signers"], shelf) == 0
    out = capsys.readouterr().out
    assert told.stdout.split()[1] in out
    assert public().read_text().split()[1] in out
    (tmp_path / "no.pub").write_text("ours ssh-ed25519\ncert-authority * x")
    assert main(["trust", str(tmp_path / "no.pub")], shelf) == 2
    assert capsys.readouterr().err.count("\n") == 1


# What it is made of.


def test_the_parts_name_every_package_and_network_with_its_hash(tmp_path: Path) -> None:
    file = update(tmp_path, "1.1")
    told = json.loads(parts_of(tmp_path / "wheels-1.1"))
    assert (told["bomFormat"], told["metadata"]["component"]["version"]) == ("CycloneDX", "1.1")
    locked = re.findall(r"^([a-z0-9-]+)==(\S+)", LOCK.read_text(), re.MULTILINE)
    parts = {(one["name"], one.get("version")): one for one in told["components"]}
    assert set(parts) == {*locked, ("vision/weights/finder.onnx", None)}
    for one in parts.values():
        kept = [*one.get("hashes", ()), *(p for p in one.get("properties", ()) if "file" in str(p))]
        assert kept, one
    assert len({one["bom-ref"] for one in told["components"]}) == len(told["components"])
    with zipfile.ZipFile(file) as bundle:
        assert json.loads(bundle.read(PARTS)) == told


def test_a_device_installs_packages_by_hash_and_from_no_named_place() -> None:
    text = LOCK.read_text()
    root = Path(__file__).parents[1]
    pins = (root / "constraints.txt").read_text()
    for name, version, marker in re.findall(r"^([a-z0-9-]+)==(\S+)(?: ; (.+?))? \\$", text, re.M):
        assert f"{name}=={version}" in pins.lower().replace("_", "-"), name
        assert not marker or marker in pins
    assert "://" not in text
    assert not re.search(r"^-", text, re.MULTILINE)  # no option: no index, no links
    entries = re.split(r"\n(?=[a-z])", text.partition("\n\n")[2])
    assert len(entries) > 25
    assert all("--hash=sha256:" in entry for entry in entries)
    script = (root / "firmware/install/install.sh").read_text().replace("\\\n", " ")
    installs = [line for line in script.splitlines() if re.match(r"\s*\$pip ", line)]
    assert len(installs) == 2
    assert all("--require-hashes" in line or "--no-index" in line for line in installs)
    assert script.count("-m pip") == 1


STEPS = ("symlink_to", "replace", "rename", "unlink")
TOOLS = ("copyfile", "copytree", "rmtree")


def left_over(shelf: Shelf) -> list[str]:
    """Files that nobody needs any more."""
    known = ("versions", "current", "previous", "trial", "signers")
    rest = [path.name for path in shelf.root.iterdir() if path.name not in known]
    return rest + [one.name for one in shelf.folder("").iterdir() if one.name.startswith(".")]


def test_a_power_cut_at_any_step_leaves_a_version_that_works(
    tmp_path: Path, device: Device, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = update(tmp_path, "1.1")
    cuts = 0
    for steps_left in range(40):
        shelf = begun(tmp_path / f"opt{steps_left}", device)
        with monkeypatch.context() as patch:
            left = [steps_left]
            for step in STEPS:
                patch.setattr(Path, step, failing(getattr(Path, step), left))
            for tool in TOOLS:
                patch.setattr(shutil, tool, failing(getattr(shutil, tool), left))
            try:
                shelf.take(file, tmp_path / "none.toml")
            except PowerCutError:
                cuts += 1
        shelf.check()  # as at the next start
        assert shelf.current in ("1.0", "1.1")
        if shelf.current == "1.1":
            assert shelf.previous == "1.0"
            assert shelf.trial == ("1.1", 1)
        else:
            assert shelf.take(file, tmp_path / "none.toml") == "1.1"  # and it can be repeated
            assert (shelf.current, shelf.previous) == ("1.1", "1.0")
        assert left_over(shelf) == []
    assert cuts >= 8


def test_the_commands_report_in_one_line_each(
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
        assert asked(question) == IN_PLAY  # its cards are still on the table
        ledger.take([Step(Act.parse("clear"))], PANEL)
        assert asked(question) == 0


def test_the_keeper_of_versions_needs_nothing_but_python(tmp_path: Path) -> None:
    copy = tmp_path / "update"
    copy.write_bytes((Path(__file__).parents[1] / "firmware/install/shelf.py").read_bytes())
    status = os.spawnv(os.P_WAIT, sys.executable, [sys.executable, "-I", str(copy), "list"])
    assert status == 0
