from __future__ import annotations

import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from firmware.errors import SettingsError
from firmware.files import write_whole
from firmware.settings import settings as module
from firmware.settings.settings import Settings
from rules.games import GAMES
from rules.start import Level


def faults(table: dict[str, Any]) -> str:
    with pytest.raises(SettingsError) as caught:
        Settings.from_mapping(table, "my.toml")
    message = str(caught.value)
    assert message.startswith("my.toml: ")
    assert "\n" not in message
    return message


def test_an_empty_file_is_a_table_with_nothing_chosen(tmp_path: Path) -> None:
    (tmp_path / "s.toml").write_text("")
    settings = Settings.load(tmp_path / "s.toml")
    assert settings == Settings()
    assert settings.text() == ""


def test_the_example_in_the_documentation_is_read() -> None:
    assert module.__doc__ is not None
    example = module.__doc__.split("::\n", 1)[1].replace("GAME", "ziginette")
    settings = Settings.from_mapping(tomllib.loads(example))
    assert settings.language == "it"
    assert settings.seats == (1, 2, 4)
    assert settings.limits == (1, 20)
    assert settings.level is Level.AMOUNTS
    assert settings.stacks == {1: 100}
    assert settings.rules().house_rules()[0].value is False
    assert settings.corners[2] == (1908.0, 1070.0)
    assert settings.wiring == {"buttons": {"ok": 5}}
    assert settings.start.banker == 4


@pytest.mark.parametrize(
    ("table", "said"),
    [
        ({"table": {"seats": 900}}, "table.seats: expected seats from 1 to 22, got 900"),
        ({"table": {"seats": []}}, "table.seats: expected each seat once"),
        ({"table": {"seats": [1, 1]}}, "table.seats: expected each seat once"),
        ({"table": {"seats": True}}, "table.seats: expected seats from 1 to 22, got True"),
        ({"table": {"limits": [0, 5]}}, "table.limits: limits want a minimum of at least 1"),
        ({"table": {"limits": 0}}, "table.limits: limits want a minimum of at least 1"),
        ({"table": {"limits": [20, 1]}}, "table.limits: limits want"),
        ({"table": {"limits": ["a", 1]}}, "table.limits: expected two whole numbers"),
        ({"table": {"game": "zigginette"}}, "did you mean ziginette?"),
        ({"table": {"level": "some"}}, "table.level: expected none, who or amounts, got 'some'"),
        ({"table": {"seats": 3, "banker": 4}}, "the banker must sit at one of the seats"),
        ({"table": {"seats": 4, "around": 3}}, "table.around: expected at least 4 chairs"),
        ({"table": {"dealer_at": 9}}, "table.dealer_at: the table has no chair 9"),
        ({"table": "x"}, "table: expected a table, got 'x'"),
        ({"language": "xx"}, "language: expected one of en, it, got 'xx'"),
        ({"stacks": {"1": -5}}, "stacks.1: expected chips from 0"),
        ({"stacks": {"one": 5}}, "stacks.one: "),
        ({"camera": {"corners": [[0, 0]]}}, "camera.corners: expected four corners"),
        (
            {"camera": {"corners": [[0, 0], [1, 0], [1, "x"], [0, 1]]}},
            "camera.corners: expected numbers",
        ),
        (
            {"camera": {"size_mm": [5, 5]}},
            "camera.size_mm: expected width and height from 100 to 5000 mm",
        ),
        ({"camera": {"height_mm": 82}}, "camera.height_mm: expected millimetres from 200 to 5000"),
        ({"camera": {"sauce": 1}}, "camera.sauce: no such setting"),
        ({"colour": "red"}, "colour: no such setting"),
        ({"wiring": {"buttons": {"ok": 99}}}, "wiring: "),
        ({"house_rules": {"cut": [1]}}, "house_rules.cut: "),
        (
            {"table": {"game": "ziginette"}, "house_rules": {"cat": 1}},
            "ziginette has no house rule 'cat'",
        ),
        (
            {"table": {"game": "ziginette"}, "house_rules": {"cut": 200}},
            "house rule cut is one of 0 to 100, got 200",
        ),
    ],
)
def test_each_fault_is_named_with_its_key(table: dict[str, Any], said: str) -> None:
    assert said in faults(table)


def test_all_faults_are_reported_at_once() -> None:
    message = faults({"table": {"seats": 900, "limits": [0, 0]}, "language": 5, "x": 1})
    for key in ("table.seats:", "table.limits:", "language:", "x:"):
        assert key in message


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match=r"none\.toml: cannot be read: No such file"):
        Settings.load(tmp_path / "none.toml")
    (tmp_path / "bad.toml").write_text("[table\nseats = 3")
    with pytest.raises(SettingsError, match=r"bad\.toml: cannot be read: .*line 1"):
        Settings.load(tmp_path / "bad.toml")
    (tmp_path / "latin.toml").write_bytes(b'language = "\xe8"')
    with pytest.raises(SettingsError, match=r"latin\.toml: cannot be read"):
        Settings.load(tmp_path / "latin.toml")


def test_what_is_saved_is_read_back(tmp_path: Path) -> None:
    settings = Settings.from_mapping(
        {
            "language": "it",
            "table": {"game": "ziginette", "seats": [2, 5], "limits": [1, 9], "level": "who"},
            "stacks": {"2": 50},
            "house_rules": {"cut": 5, "late_bets": False},
            "camera": {"source": 'a "quoted" \\ path', "corners": [[0, 1], [2, 3], [4, 5], [6, 7]]},
            "wiring": {"buttons": {"ok": 17, "active": "low"}, "seats": {"pins": [20, 21]}},
        }
    )
    path = tmp_path / "s.toml"
    settings.save(path)
    assert Settings.load(path) == settings
    assert [entry.name for entry in tmp_path.iterdir()] == ["s.toml"]


def test_a_failed_save_leaves_the_old_file(tmp_path: Path) -> None:
    folder = tmp_path / "s.toml"
    folder.mkdir()
    (folder / "inside").touch()
    with pytest.raises(SettingsError, match="cannot be written"):
        Settings().save(folder)
    assert [entry.name for entry in tmp_path.iterdir()] == ["s.toml"]
    with pytest.raises(SettingsError, match="cannot be written"):
        Settings().save(tmp_path / "nowhere" / "s.toml")


def test_an_incomplete_write_leaves_nothing(tmp_path: Path) -> None:
    def parts() -> Iterator[str]:
        yield "half"
        raise OSError(28, "No space left on device")

    with pytest.raises(OSError, match="No space"):
        write_whole(tmp_path / "s.toml", parts())
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", sorted(GAMES))
def test_every_game_can_be_begun_by_its_name_alone(name: str) -> None:
    settings = Settings.from_mapping({"table": {"game": name}})
    state = settings.rules().open(settings.start)
    assert len(state.start.seats) in GAMES[name].players


def test_a_missing_game_is_reported() -> None:
    with pytest.raises(SettingsError, match="no game is chosen"):
        Settings().rules()


def test_a_variant_is_chosen_by_its_name_and_its_house_rules_may_still_change() -> None:
    table = {"game": "pineapple", "variant": "crazy-hi-lo"}
    settings = Settings.from_mapping({"table": table, "house_rules": {"odd_chip": "card"}})
    chosen = {rule.name: rule.value for rule in settings.rules().house_rules()}
    assert (chosen["discard"], chosen["low"], chosen["odd_chip"]) == ("flop", True, "card")
    assert Settings.from_mapping(tomllib.loads(settings.text())) == settings
    with pytest.raises(SettingsError, match="pineapple has no variant 'mad'; it has crazy"):
        Settings.from_mapping({"table": {**table, "variant": "mad"}})


@pytest.mark.parametrize(
    ("game", "variant"), [(game, one) for game in GAMES for one in GAMES[game].variants]
)
def test_every_listed_variant_can_be_chosen(game: str, variant: str) -> None:
    settings = Settings.from_mapping({"table": {"game": game, "variant": variant}})
    assert settings.rules().variant == variant
