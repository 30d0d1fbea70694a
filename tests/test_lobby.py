"""Before the first hand everything missing is asked for, and a touch answers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pytest

from firmware.lobby.lobby import Lobby
from firmware.lobby.questions import Answer, Asked, which_table
from firmware.lobby.tending import Tending
from firmware.settings.settings import Settings
from firmware.texts import languages
from firmware.texts.words import Words
from hardware.finding import FoundCamera
from hardware.press import Button
from hardware.rig import PanelRig
from rules.games import GAMES

WEBCAM = FoundCamera("/dev/video2", "Integrated Camera")
OTHER = FoundCamera("/dev/video4", "HD Pro Webcam C920")
RIBBON = FoundCamera("pi", "imx708_wide")
PLAYING = Settings.from_mapping({"table": {"game": "belote"}})


def cameras(*found: FoundCamera) -> Lobby:
    return Lobby(PLAYING, lambda: found)


# The game and its table.


def test_a_known_table_with_its_camera_is_asked_nothing() -> None:
    lobby = cameras(RIBBON)
    assert lobby.answered == PLAYING
    assert not lobby.running
    assert Lobby(PLAYING).answered == PLAYING


@pytest.mark.parametrize("name", GAMES)
def test_two_touches_choose_a_game_and_begin(name: str) -> None:
    lobby = Lobby(Settings())
    lobby.choose(Words.load().title(name))
    assert lobby.running
    lobby.choose("Begin")
    answered = lobby.answered
    assert answered is not None
    assert answered == Settings.from_mapping({"table": {"game": name}})
    answered.rules().open(answered.start)


def leaves(asked: Asked) -> Iterator[Answer]:
    for answer in asked.answers:
        if answer.opens is not None:
            yield from leaves(answer.opens)
        else:
            yield answer


def questions(asked: Asked) -> Iterator[Asked]:
    yield asked
    for answer in asked.answers:
        if answer.opens is not None:
            yield from questions(answer.opens)


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("name", GAMES)
def test_every_answer_gives_a_playable_table(name: str, language: str) -> None:
    settings = Settings.from_mapping({"language": language, "table": {"game": name}})
    asked = which_table(settings, Words.load(language))
    for leaf in leaves(asked):
        assert leaf.settings is not None
        Settings.from_mapping(_table(leaf.settings))  # as it is kept in a file
        leaf.settings.rules().open(leaf.settings.start)
    for one in questions(asked):
        assert one.answers, one.sentence
        assert len(set(one.options)) == len(one.options), "two answers with the same words"


def _table(settings: Settings) -> dict[str, object]:
    import tomllib  # noqa: PLC0415

    return tomllib.loads(settings.text())


@pytest.mark.parametrize("name", GAMES)
def test_every_house_rule_can_be_changed(name: str) -> None:
    settings = Settings.from_mapping({"table": {"game": name}})
    changed = {
        rule
        for leaf in leaves(which_table(settings, Words.load()))
        if leaf.settings is not None
        for rule in leaf.settings.house_rules
    }
    assert changed == {rule.name for rule in settings.rules().house_rules()}


def test_limits_seats_and_levels_can_be_touched_and_none_of_them_is_needed() -> None:
    lobby = Lobby(Settings())
    for words in ("Ziginette", "Limits: asked later", "1\N{EN DASH}20", "Seats taken: 4", "6",
                  "What is recorded of bets: every amount", "who bets", "Begin"):  # fmt: skip
        assert words in lobby.snapshot().options, (words, lobby.snapshot().options)
        lobby.choose(words)
    answered = lobby.answered
    assert answered is not None
    assert (answered.limits, answered.seats, str(answered.level)) == (
        (1, 20), (1, 2, 3, 4, 5, 6), "who",
    )  # fmt: skip


def test_choosing_another_language_ends_it_to_be_asked_again() -> None:
    lobby = Lobby(Settings())
    lobby.choose("Italiano")
    assert (lobby.running, lobby.answered, lobby.settings.language) == (False, None, "it")
    assert Lobby(lobby.settings).snapshot().sentence == "A che cosa si gioca?"


def test_steps_back_lead_through_all_questions_to_the_first() -> None:
    lobby = Lobby(Settings())
    first = lobby.snapshot()
    lobby.choose("Guts")
    table = lobby.snapshot().options
    lobby.choose(table[1])
    lobby.undo()
    assert lobby.snapshot().options == table
    lobby.undo()
    assert lobby.snapshot().options == first.options
    lobby.undo()
    assert lobby.snapshot().options == first.options


def test_an_invalid_answer_changes_nothing() -> None:
    lobby = Lobby(Settings())
    lobby.choose("Chess")
    lobby.type("2 bet 5")
    assert lobby.snapshot().sentence == "What is played?"
    assert lobby.running


# The camera.


@pytest.mark.parametrize(
    ("found", "source"), [([RIBBON], "pi"), ([RIBBON, WEBCAM], "pi"), ([WEBCAM], "/dev/video2")]
)
def test_a_single_camera_or_one_on_the_ribbon_is_chosen(
    found: Sequence[FoundCamera], source: str
) -> None:
    answered = cameras(*found).answered
    assert answered is not None
    assert answered.camera == source


def test_of_several_webcams_one_is_chosen() -> None:
    lobby = cameras(WEBCAM, OTHER)
    shown = lobby.snapshot()
    assert shown.sentence == "Which camera looks at the table?"
    assert shown.options == ("Integrated Camera", "HD Pro Webcam C920", "Look again")
    lobby.choose("HD Pro Webcam C920")
    assert lobby.answered is not None
    assert lobby.answered.camera == "/dev/video4"


def test_two_webcams_of_one_make_are_distinguished() -> None:
    lobby = cameras(WEBCAM, FoundCamera("/dev/video4", WEBCAM.name))
    assert lobby.snapshot().options[:2] == (
        "Integrated Camera (/dev/video2)", "Integrated Camera (/dev/video4)",
    )  # fmt: skip


def test_a_camera_connected_while_it_is_waited_for_is_used() -> None:
    found: list[FoundCamera] = []
    lobby = Lobby(PLAYING, lambda: found)
    assert lobby.snapshot().sentence.startswith("No camera found.")
    lobby.look()
    assert lobby.running
    found.append(WEBCAM)
    lobby.choose("Look again")
    assert lobby.answered is not None
    assert lobby.answered.camera == "/dev/video2"


def test_the_option_in_view_stays_while_cameras_are_looked_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    lobby = cameras(WEBCAM, OTHER)
    lobby.press("fix")
    monkeypatch.setattr("firmware.lobby.lobby.LOOKS_S", 0.0)
    lobby.look()
    assert lobby.snapshot().ok == "HD Pro Webcam C920"


# The panel.


def test_ok_takes_what_is_shown_fix_goes_on_and_holding_it_goes_back() -> None:
    lobby = Lobby(Settings())
    options = lobby.snapshot().options
    lobby.press("fix")
    assert lobby.snapshot().ok == options[1]
    lobby.press("ok")
    assert lobby.settings.game == "seven-and-a-half"
    lobby.press("fix", 2.2)
    assert lobby.settings.game is None


def pressed(rig: PanelRig, button: Button, tending: Tending) -> None:
    """A short press, with the panel polled throughout."""
    rig.press(button, 0.15)
    for _ in range(60):
        rig.tick()
        rig.clock.now += 0.01  # type: ignore[attr-defined]
        tending()


def test_the_panel_and_the_voice_follow_the_questions() -> None:
    said: list[str] = []
    with PanelRig() as rig:
        lobby = Lobby(Settings())
        tending = Tending(lobby, rig.panel, said.append)
        tending()
        assert said == ["What is played? Ziginette"]
        tending()
        assert len(said) == 1
        pressed(rig, Button.FIX, tending)
        assert said[-1] == "Seven and a Half"
        pressed(rig, Button.OK, tending)
        assert lobby.settings.game == "seven-and-a-half"
        assert said[-1].endswith("Begin")
