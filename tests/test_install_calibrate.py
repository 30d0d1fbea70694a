"""`mazziere calibrate` on drawn tables."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from firmware.commands.cli import main
from firmware.settings.settings import Settings
from firmware.table.calibration import Calibration, calibrate, sign, until_good
from firmware.table.cameras import camera_of
from firmware.table.markers import Picture
from hardware.camera import CallableCamera
from hardware.finding import FoundCamera
from rules.cards import Card
from tests.test_install_markers import laid, table
from vision.scene.faces import DrawnDeck, drawn_styles
from vision.scene.items import CardItem, Pose
from vision.scene.light import Lens, Light, Surface
from vision.scene.render import render
from vision.scene.view import View

AREA = (1100, 620)


@pytest.fixture(scope="module")
def picture() -> Picture:
    return table(View.above(px_per_mm=1.6), laid(*AREA))


def photographed(picture: Picture, folder: Path) -> Path:
    """A folder with one photograph."""
    cv2.imwrite(str(folder / "1.png"), picture)
    return folder


@pytest.fixture(scope="module")
def photo(picture: Picture, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return photographed(picture, tmp_path_factory.mktemp("table"))


def test_the_table_is_found_judged_drawn_and_kept(
    photo: Path, tmp_path: Path, picture: Picture, capsys: pytest.CaptureFixture[str]
) -> None:
    file, drawn = tmp_path / "my.toml", tmp_path / "drawn.png"
    file.write_text('[table]\ngame = "ziginette"\nlimits = [1, 20]\n')
    named = ["--settings", str(file), "--camera", str(photo), "--picture", str(drawn)]
    status = main(["calibrate", *named, "--json"])
    told = json.loads(capsys.readouterr().out)
    assert told["by"] == "markers"
    assert told["size_mm"] == pytest.approx(AREA, abs=6)
    assert told["index_px"] == pytest.approx(17 * 1.6, rel=0.02)
    assert told["locked"].startswith("nothing to lock")
    assert status == (0 if told["good"] else 1)
    kept = Settings.load(file)
    assert kept.markers
    assert kept.limits == (1, 20)
    middle = np.mean(kept.corners, axis=0)
    assert middle == pytest.approx((960, 540), abs=3)
    image = cv2.imread(str(drawn))
    assert image is not None
    changed = np.abs(image.astype(int) - picture).max(axis=2) > 40
    assert 0.005 < changed.mean() < 0.4  # the spots' borders and names


def test_a_dark_table_is_reported_in_words(
    tmp_path: Path, picture: Picture, capsys: pytest.CaptureFixture[str]
) -> None:
    photo = photographed(picture // 12, tmp_path)
    assert main(["calibrate", "ziginette", "--camera", str(photo)]) == 1
    said = capsys.readouterr().out
    assert "too dark" in said
    assert "Too dark to read the cards." in said


def test_a_camera_hung_too_high_is_reported(
    tmp_path: Path, picture: Picture, capsys: pytest.CaptureFixture[str]
) -> None:
    small = cv2.resize(picture, None, fx=0.6, fy=0.6)
    photo = photographed(np.asarray(small, np.uint8), tmp_path)
    main(["calibrate", "ziginette", "--camera", str(photo), "--size", "1100x620", "--json"])
    told = json.loads(capsys.readouterr().out)
    (scale,) = [check for check in told["checks"] if check["name"] == "scale"]
    assert scale["verdict"] == "warn"
    assert "hang the camera lower" in scale["detail"]


def test_markers_and_sign_are_printed_without_a_camera(tmp_path: Path) -> None:
    markers, page = tmp_path / "markers.svg", tmp_path / "sign.html"
    arguments = ["calibrate", "ziginette", "--limits", "2 50", "--print-only", "--language", "it"]
    assert main([*arguments, "--markers", str(markers), "--sign", str(page)]) == 0
    assert markers.read_text().startswith("<svg")
    assert "2" in page.read_text()
    assert "50" in page.read_text()


def test_the_sign_says_what_the_engine_plays_by() -> None:
    usual = Settings.from_mapping({"table": {"game": "seven-and-a-half"}})
    rules = [rule for rule in usual.rules().house_rules() if isinstance(rule.value, bool)]
    other = "no" if rules[0].value else "yes"
    changed = Settings.from_mapping(
        {"table": {"game": "seven-and-a-half"}, "house_rules": {rules[0].name: other}}
    )
    assert sign(usual) != sign(changed)
    assert sign(usual).count("<tr>") == len(usual.rules().house_rules())


def test_an_impossible_size_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(["calibrate", "--size", "wide"])
    assert "such as 1200x675" in capsys.readouterr().err


@pytest.mark.slow
def test_the_settings_file_need_not_exist_yet(
    photo: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "new.toml"
    main(["calibrate", "--settings", str(file), "--camera", str(photo), "--json"])
    told = json.loads(capsys.readouterr().out)
    assert told["by"] == "markers"
    assert Settings.load(file).markers
    nowhere = tmp_path / "nowhere" / "new.toml"
    assert main(["calibrate", "--settings", str(nowhere), "--camera", str(photo)]) == 2
    assert "new.toml" in capsys.readouterr().err
    assert main(["run", "ziginette", "--settings", str(tmp_path / "typo.toml")]) == 2


def scale_of(told: dict[str, list[dict[str, str]]]) -> dict[str, str]:
    return next(check for check in told["checks"] if check["name"] == "scale")


@pytest.mark.parametrize("px_per_mm", [1.0, 1.9])
def test_without_markers_a_card_reveals_the_size(
    px_per_mm: float, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """And without a card the size is said to be assumed, and not the camera to hang too high."""
    view = View.above((960, 540), px_per_mm=px_per_mm)
    art, rng = DrawnDeck(drawn_styles()[0]), np.random.default_rng(0)
    lying = (("7C", -90, 8), ("QH", 60, 80))
    for name, items in (
        ("bare", []),
        ("cards", [CardItem(art, Card.parse(n), Pose(x, 0, a)) for n, x, a in lying]),
    ):
        (tmp_path / name).mkdir()
        drawn = render(items, Surface(), view, Light(brightness=0.9), Lens(), rng=rng)
        cv2.imwrite(str(tmp_path / name / "1.png"), drawn)
        main(["calibrate", "ziginette", "--camera", str(tmp_path / name), "--json"])
        told = json.loads(capsys.readouterr().out)
        assert told["by"] != "markers"
        if name == "bare":
            assert "only assumed" in scale_of(told)["detail"]
        else:
            assert told["index_px"] == pytest.approx(17 * px_per_mm, rel=0.06)
            assert "assumed" not in scale_of(told)["detail"]


@pytest.fixture(scope="module")
def found(photo: Path) -> Calibration:
    with camera_of(Settings(camera=str(photo))) as camera:
        return calibrate(Settings(), camera, (1100.0, 620.0))


def test_it_looks_again_until_all_is_good_and_reports_each_fault_once(found: Calibration) -> None:
    good = replace(found, trouble=(), checks=())
    dark = replace(good, trouble=("dark",))
    looks, told = iter([dark, dark, good]), list[str]()
    assert until_good(lambda: next(looks), asks=True, tell=told.append) is good
    assert [line for line in told if "dark" in line.lower()] == told[-1:]
    assert len(set(told)) == len(told)


def test_interrupting_it_keeps_what_was_found_last(found: Calibration) -> None:
    dark = replace(found, trouble=("dark",))
    looks = iter([dark])

    def look() -> Calibration:
        for one in looks:
            return one
        raise KeyboardInterrupt

    assert until_good(look, asks=True, tell=lambda _: None) is dark
    assert until_good(lambda: dark, asks=False) is dark


@pytest.mark.slow
def test_what_was_found_is_kept_without_naming_a_file(
    photo: Path, picture: Picture, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What a photograph shows is for that photograph; what a camera sees is kept."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    kept = tmp_path / "mazziere" / "settings.toml"
    assert main(["calibrate", "--camera", str(photo), "--json"]) in (0, 1)
    assert not kept.exists()
    monkeypatch.setattr("firmware.table.cameras.find_camera", lambda _: seeing(picture))
    webcams = (FoundCamera("/dev/video0", "Webcam"),)
    monkeypatch.setattr("firmware.table.cameras.found_cameras", lambda: webcams)
    assert main(["calibrate", "--json"]) in (0, 1)
    known = Settings.load(kept)
    assert (known.markers, known.camera, len(known.corners)) == (True, "/dev/video0", 4)


def seeing(picture: Picture) -> CallableCamera:
    return CallableCamera(lambda: picture)
