"""The console alongside the commands: the live rehearsal, a run at a real table, and new PINs."""

from __future__ import annotations

import itertools
import json
import re
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from dataclasses import replace
from http.cookiejar import CookieJar
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from firmware import assembling, service
from firmware.commands.cli import main
from firmware.console import setup
from firmware.console.access import Access
from firmware.console_link import ConsoleLink
from firmware.errors import SettingsError
from firmware.rehearsal.desk import LiveDesk
from firmware.rehearsal.plan import Plan
from firmware.rehearsal.rehearsal import Rehearsal
from firmware.settings.settings import Settings
from firmware.store.journal import Journal
from firmware.table import markers, taught_chips
from hardware.camera import CallableCamera
from tests.console_desk import PATIENCE_S, FeltDesk, settings_for
from tests.rehearsing import TruthfulWatcher
from tests.test_install_markers import laid
from tests.test_install_markers import table as drawn_table
from vision.picture.geometry import Outline
from vision.scene.regional import Kind
from vision.scene.view import View
from vision.sightings import Seen

HERE = "127.0.0.1:0"


class Client:
    """A browser without a page."""

    def __init__(self, url: str) -> None:
        self.url = url
        self._opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(CookieJar()))

    def ask(self, path: str, value: Any = None) -> Any:
        data = None if value is None else json.dumps(value).encode()
        headers = {"Origin": self.url.rstrip("/"), "Content-Type": "application/json"}
        request = urllib.request.Request(f"{self.url}api/{path}", data, headers)
        with self._opener.open(request, timeout=PATIENCE_S) as answer:
            return json.loads(answer.read())


def until(wanted: Callable[[], Any]) -> Any:
    end = time.monotonic() + PATIENCE_S
    while not (found := wanted()):
        assert time.monotonic() < end, "it did not come"
        time.sleep(0.01)
    return found


def noted(note: str) -> tuple[Client, str]:
    """The console named in a note, and the dealer's PIN."""
    found = re.fullmatch(r"Console: (http://\S+)\nPIN ([\d ]{12}), for guests [\d ]{9}", note)
    assert found, note
    return Client(found[1]), found[2]


def table(game: str | None = None, **console: Any) -> Settings:
    console = {"listen": HERE, **console}
    named = {"game": game} if game else {}
    return Settings.from_mapping({"table": {**named, "limits": [1, 20]}, "console": console})


# The live rehearsal.


def test_a_live_rehearsal_is_followed_and_set_up_from_the_page(tmp_path: Path) -> None:
    settings = table("ziginette")
    journal = Journal(tmp_path / "demo.journal")
    plan = Plan.of(settings, seed=4)
    rehearsal = Rehearsal(plan, watches=TruthfulWatcher, journal=journal)
    hurry = itertools.count()
    desk = LiveDesk(rehearsal, 1, now=lambda: 10.0 * next(hurry))
    with ConsoleLink(Access()) as link:
        link.stand_beside(desk, settings, tmp_path / "demo.journal", desk.end)
        client, pin = noted(link.note)
        client.ask("login", {"pin": pin})
        desk.start()
        hand = until(lambda: next((h for h in client.ask("hands") if h["over"]), None))
        assert hand["hand"] == 1
        until(lambda: not desk.running)
        desk.stop()
        assert [report.faithful for report in desk.reports] == [True]
        assert sum(amount for _, amount in hand["net"]) == 0
        form = client.ask("setup")["now"]
        client.ask("setup", {**form, "language": "it", "break_off": True})
        chosen = link.chosen
        assert chosen is not None
        assert (chosen.language, chosen.listen) == ("it", HERE)
    rehearsal.close()
    journal.close()


def test_a_live_rehearsal_calls_drawn_cards_by_their_names_on_the_page() -> None:
    plan = Plan.of(replace(table("ziginette"), deck="italian"), deck=Kind.ITALIAN)
    rehearsal = Rehearsal(plan, watches=TruthfulWatcher)
    desk = LiveDesk(rehearsal, 1)
    with ConsoleLink(Access()) as link:
        link.stand_beside(desk, plan.settings, None, desk.end, texts=rehearsal.texts)
        assert link.console is not None
        assert link.console.site.artist.card("KD")["label"] == "Re di denari"
    rehearsal.close()


def test_a_console_that_cannot_listen_keeps_nobody_from_playing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    desk = FeltDesk(settings_for("ziginette"))
    with ConsoleLink(Access()) as first, ConsoleLink(Access()) as second:
        first.stand_beside(desk, table(), None, desk.stop)
        taken = first.console
        assert taken is not None
        settings = table(listen=f"127.0.0.1:{taken.port}")
        second.stand_beside(desk, settings, None, desk.stop)
        assert second.console is None
        assert f"cannot listen at 127.0.0.1:{taken.port}" in second.note
        client, pin = noted(first.note)
        client.ask("login", {"pin": pin})
        with pytest.raises(urllib.error.HTTPError, match="400"):
            client.ask("hands")  # this table keeps no journal
        assert "none is kept" in str(client.ask("health"))
    assert capsys.readouterr().err.count("Console: ") == 1
    desk.stop()


def test_a_console_that_is_switched_off_is_not_there() -> None:
    desk = FeltDesk(settings_for("ziginette"))
    with ConsoleLink(Access()) as link:
        link.stand_beside(desk, table(on=False), None, desk.stop)
        assert (link.console, link.note) == (None, "")
    desk.stop()


# At a real table.


class BareTracker:
    """A tracker that always sees an empty table."""

    def update(self, _: Any, time_s: float) -> Seen:
        return Seen({}, frozenset(), (), time_s)

    def cards(self, _: Any) -> tuple[Outline, ...]:
        return ()


@pytest.fixture
def bare(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A folder to run in, with a camera above an empty table."""

    def picture() -> Any:
        time.sleep(0.02)
        return np.zeros((108, 192, 3), np.uint8)

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(service, "camera_of", lambda _: CallableCamera(picture))
    monkeypatch.setattr(assembling, "tracker_of", lambda *_, **__: BareTracker())
    return tmp_path


@pytest.fixture
def joints(monkeypatch: pytest.MonkeyPatch) -> list[ConsoleLink]:
    """The consoles that are opened, as they are."""
    opened: list[ConsoleLink] = []

    class Kept(ConsoleLink):
        def __enter__(self) -> Kept:
            opened.append(self)
            return self

    monkeypatch.setattr(service, "ConsoleLink", Kept)
    return opened


def test_a_table_is_played_set_up_again_and_remembered(
    bare: Path, joints: list[ConsoleLink], monkeypatch: pytest.MonkeyPatch
) -> None:
    settings, file = table("ziginette"), bare / "mine.toml"
    ended: list[int] = []
    leave, desks = threading.Event(), list[Any]()

    def shown(desk: Any) -> None:
        desks.append(desk)
        while desk.running and not leave.is_set():
            time.sleep(0.01)

    monkeypatch.setattr(service, "plain", shown)
    worker = threading.Thread(
        target=lambda: ended.append(service.run(settings, in_lines=True, file=file))
    )
    worker.start()
    note = until(lambda: joints and joints[0].note)
    client, pin = noted(note)
    client.ask("login", {"pin": pin})
    client.ask("add", {"spot": "board", "card": "QS"})
    until(lambda: desks and desks[-1].snapshot().count)
    until(lambda: client.ask("hands"))
    now = client.ask("setup")["now"]
    now["table"]["limits"] = [3, 30]
    with pytest.raises(urllib.error.HTTPError, match="409"):
        client.ask("setup", now)
    client.ask("setup", {**now, "break_off": True})
    until(lambda: client.ask("sign")["limits"] == [3, 30])
    until(file.exists)
    assert client.ask("hands") == []
    leave.set()
    worker.join(PATIENCE_S)
    assert ended == [1]  # nothing was followed from these bare pictures
    assert Settings.load(file).limits == (3, 30)
    with Journal(bare / "mazziere.journal") as journal:
        kinds = [entry.kind for entry in journal.entries()]
    assert kinds == ["match", "act", "match"]


def test_a_camera_calibrated_from_the_page_sees_the_same_hand_continue(
    bare: Path, joints: list[ConsoleLink], monkeypatch: pytest.MonkeyPatch
) -> None:
    leave = threading.Event()

    def shown(desk: Any) -> None:
        while desk.running and not leave.is_set():
            time.sleep(0.01)

    monkeypatch.setattr(service, "plain", shown)
    monkeypatch.setenv("MAZZIERE_DECKS", str(bare / "decks"))
    file = bare / "mine.toml"
    worker = threading.Thread(
        target=lambda: service.run(table("ziginette"), in_lines=True, file=file)
    )
    worker.start()
    client, pin = noted(until(lambda: joints and joints[0].note))
    client.ask("login", {"pin": pin})
    client.ask("add", {"spot": "board", "card": "QS"})
    until(lambda: client.ask("hands"))
    seen = client.ask("calibrate/look", {})
    assert seen["picture"] == [192, 108]
    assert not seen["good"]
    assert seen["trouble"] or [one for one in seen["checks"] if one["verdict"] != "ok"]
    sent = {"corners": seen["corners"], "size": [1000, 562], "moved": {"board": [0, -20]}}
    sizes = taught_chips.path_of("club").with_suffix(taught_chips.SIZES_ENDING)
    sizes.parent.mkdir(parents=True, exist_ok=True)
    sizes.write_bytes(b"how large chips appeared")
    client.ask("calibrate", sent)
    until(file.exists)
    assert not sizes.exists(), "the camera may have been moved"
    (hand,) = until(lambda: client.ask("hands"))
    assert (hand["hand"], hand["acts"]) == (1, 1)
    leave.set()
    worker.join(PATIENCE_S)
    kept = Settings.load(file)
    assert (kept.size_mm, kept.moved) == ((1000.0, 562.0), {"board": (0.0, -20.0)})
    with Journal(bare / "mazziere.journal") as journal:
        kinds = [entry.kind for entry in journal.entries()]
    assert kinds == ["match", "act"]


def test_a_table_between_markers_is_found_without_being_asked_for(
    bare: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    view = np.array(drawn_table(View.above(px_per_mm=1.6), laid(1100.0, 620.0)))
    rng = np.random.default_rng(1)

    def picture() -> Any:
        time.sleep(0.02)
        return view ^ rng.integers(0, 2, view.shape, np.uint8)

    camera = CallableCamera(picture, live=True)
    monkeypatch.setattr(service, "camera_of", lambda _: camera)
    monkeypatch.setattr(markers, "EVERY_S", 0.0)
    said: list[str] = []
    file, leave = bare / "mine.toml", threading.Event()

    def shown(desk: Any) -> None:
        while desk.running and not leave.is_set():
            said.append(desk.snapshot().sentence)
            time.sleep(0.01)

    monkeypatch.setattr(service, "plain", shown)
    worker = threading.Thread(
        target=lambda: service.run(table("ziginette"), in_lines=True, file=file), daemon=True
    )
    worker.start()
    until(file.exists)
    until(lambda: "The table was found by its markers." in said)
    leave.set()
    worker.join(PATIENCE_S)
    kept = Settings.load(file)
    assert kept.size_mm == pytest.approx((1100, 620), abs=6)
    assert np.mean(kept.corners, axis=0) == pytest.approx((960, 540), abs=3)
    assert kept.markers
    with Journal(bare / "mazziere.journal") as journal:
        assert [entry.kind for entry in journal.entries()] == ["match"]


# PINs.


def test_new_pins_are_shown_once_and_printed_on_a_sheet(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["pins", "--sheet", "sheet.html", "--language", "it"]) == 0
    out = capsys.readouterr().out
    found = re.search(r"PIN ([\d ]{12}), per gli ospiti ([\d ]{9})", out)
    assert found
    sheet = (tmp_path / "sheet.html").read_text()
    for part in (found[1], found[2], "<svg", "http://", ":8080/", "Per il mazziere"):
        assert part in sheet, part
    stored = (tmp_path / "mazziere" / "mazziere.access").read_text()
    assert found[1] not in stored
    assert found[1].replace(" ", "") not in stored
    access = Access(tmp_path / "mazziere" / "mazziere.access")
    assert access.login(found[1].replace(" ", ""), "a")[1] == "dealer"
    assert access.login(found[2].replace(" ", ""), "a")[1] == "viewer"


def test_files_named_by_the_settings_are_found_next_to_them_from_any_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "table").mkdir()
    monkeypatch.chdir(tmp_path)
    file = tmp_path / "table" / "mine.toml"
    file.write_text('[table]\ngame = "ziginette"\n')
    assert main(["pins", "--settings", "table/mine.toml"]) == 0
    assert (tmp_path / "table" / "mazziere.access").exists()
    with Journal(tmp_path / "table" / "mazziere.journal"):
        pass
    assert main(["verify", "--settings", "table/mine.toml"]) == 0
    assert "table/mazziere.journal: " in capsys.readouterr().out
    settings = Settings.load(file)
    again = setup.changed(settings, {"language": "it"})
    assert again.journal_file == settings.journal_file
    assert str(tmp_path) not in again.text()  # the folder may be moved
    assert sorted(path.name for path in tmp_path.iterdir()) == ["table"]


def test_what_the_set_up_page_does_not_offer_stays() -> None:
    """The chips that the camera counts were forgotten with the next game that was set up."""
    table = {"game": "guts", "around": 8, "dealer_at": 8, "chips": "club", "seats": [1, 2]}
    settings = Settings.from_mapping({"table": table, "camera": {"deck": "german"}}, "test")
    sent = {"table": {"game": "ziginette", "seats": [1, 2, 3], "limits": [1, 5]}}
    again = setup.changed(settings, sent)
    assert (again.game, again.around, again.dealer_at) == ("ziginette", 8, 8)
    assert (again.chips, again.deck) == ("club", "german")
    spoken = setup.changed(settings, {**sent, "chips": "", "deck": ""})
    assert (spoken.chips, spoken.deck) == (None, None)
    with pytest.raises(SettingsError, match="table"):
        setup.changed(settings, {"table": "guts", "chips": "club"})
    with pytest.raises(SettingsError, match="no chips of the name 'casino'"):
        setup.changed(settings, {**sent, "chips": "casino"})


def test_new_pins_come_with_a_code_that_a_telephone_reads_from_the_screen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["pins"]) == 0
    assert "\N{FULL BLOCK}" not in capsys.readouterr().out
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    assert main(["pins"]) == 0
    assert "\N{FULL BLOCK}" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["pins", "--sheet", "nowhere/sheet.html"], "nowhere/sheet.html: cannot be written"),
        (["demo", "--console", "here:there"], "console.listen: expected an address such as"),
    ],
)
def test_impossible_requests_are_refused_in_one_line(
    arguments: list[str], said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    monkeypatch.chdir(tmp_path)
    assert main(arguments) == 2
    told = capsys.readouterr().err
    assert said in told
    assert told.count("\n") == 1


def test_damaged_pins_are_reported(tmp_path: Path) -> None:
    path = tmp_path / "access"
    for text in ("", "{}", '{"keys": {"salt": "zz"}}', "[]"):
        path.write_text(text)
        access = Access(path)
        assert "expected the console's PINs, but the file is damaged" in access.fault
        assert not access.ready
