"""Commands, their help and the hardware checks use the user's language throughout."""

from __future__ import annotations

import re
import warnings
from pathlib import Path

import numpy as np
import pytest

from firmware.commands.cli import main
from firmware.console.health import told
from firmware.settings.settings import Settings
from firmware.table.calibration import Calibration, lines
from firmware.texts import DEFAULT, languages
from firmware.texts.plain import said, speaking, templates
from firmware.texts.plain_sources import said_in, sentences
from firmware.texts.words import Words
from hardware.picamera import REMEDY
from hardware.pins import LGPIO_REMEDY
from hardware.selftest import Check, Verdict, check_focus, check_light
from tests.draws import NIGHTLY, mostly_nightly
from tests.screens import english

OTHERS = [one for one in languages() if one != DEFAULT]
NAMES = frozenset({"run", "calibrate", "check", "evening", "none", "off", "it"})
"""Commands and values that a help text refers to by name, and ``en o it``."""
BUILT_IN = frozenset(
    {
        "usage:", "positional arguments", "options", "show this help message and exit",
        "the following arguments are required: {}", "unrecognized arguments: {}",
        "argument {}: invalid choice: {} (choose from {})", "argument {}: expected one argument",
        "argument {}: {}", "markers", "edges", "picture", "hand", "installed",
        "missing: {}", "double: {}", "foreign: {}",
        "{}: cannot be written: {}", "{}: the disk is full: make room, and try again",
        "{}: there is no journal here", "{}: nothing has been played since the last evening",
        "No space left on device", "No such file or directory", "Permission denied",
        "Is a directory", "Read-only file system", "yes", "NO", "implied", "open", "all",
        "a picture of entry {} was changed",
    }
)  # fmt: skip
"""What Python's own parser and the system say, single words that are filled in, and what is wrong
with a file."""


@pytest.mark.parametrize("language", OTHERS)
def test_every_plain_sentence_is_translated(language: str) -> None:
    known = templates(language)
    missing = {text: place for text, place in sentences().items() if text not in known}
    if missing and not NIGHTLY:  # as for every sentence: shown in English until it is translated
        warnings.warn(f"{language}: nothing for {missing}; said in English", stacklevel=1)
    else:
        assert not missing
    left = set(known) - set(sentences()) - BUILT_IN
    assert not (left and NIGHTLY)


def test_a_sentence_without_a_translation_is_found() -> None:
    """The search finds what is printed, yielded and used as help, however it is put together."""
    source = '''
"""A note that nobody reads."""
print("the table has legs")
yield f"{count} legs seen{'' if count else ', which is none'}"
add_argument("--legs", metavar="LEGS ARE MANY", help="legs")
raise UsageError("four legs expected")
'''
    assert {text for text, _ in said_in(source)} == {
        "the table has legs", "{} legs seen{}", ", which is none", "legs",
    }  # fmt: skip
    assert said("the table has legs", "it") == "the table has legs"


@pytest.mark.parametrize("language", OTHERS)
def test_translations_fill_in_the_same_values(language: str) -> None:
    for template, translation in templates(language).items():
        assert translation.count("{}") <= template.count("{}"), template
        words = [f"v{place}" for place in range(template.count("{}"))]
        assert "{" not in said(template.format(*words), language), template


COMMANDS = (
    "", "games", "replay", "read", "check-deck", "teach", "demo", "run", "calibrate", "pins",
    "secret", "floor", "evening", "verify", "selftest", "new-game", "completion",
)  # fmt: skip


@pytest.mark.parametrize("command", mostly_nightly(COMMANDS, *COMMANDS[::3]))
def test_help_is_italian(
    command: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    if set(sentences()) - set(templates("it")) and not NIGHTLY:
        pytest.skip("a sentence is not translated yet: see the warning above")
    monkeypatch.setenv("LC_ALL", "it_IT.UTF-8")
    with pytest.raises(SystemExit):
        main([*command.split(), "--help"])
    shown = capsys.readouterr().out
    assert shown.startswith("uso: ")
    # What is typed stays: options, commands, values and names in capitals.
    prose = re.sub(r"(?s)^uso: .*?\n\n", "", shown)
    prose = re.sub(r"--?[a-z-]+|`[^`]*`|\{[^}]*\}|\b[A-Z]{2,}\b|(?m:^ {4}[a-z-]+ )", " ", prose)
    prose = re.sub(r"esempio: .*", " ", prose)
    assert set(english([prose], "it")) <= NAMES


def test_a_mistyped_command_is_refused_in_italian(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LC_ALL", "it_IT.UTF-8")
    with pytest.raises(SystemExit):
        main(["replay"])
    assert capsys.readouterr().err == (
        "mazziere replay: mancano: RECORD; vedi mazziere replay --help\n"
    )


def test_health_is_italian_on_the_page() -> None:
    words = Words.load("it")
    detail = "no Raspberry Pi (unknown): pins simulated"
    shown = told(Check("board", Verdict.ABSENT, detail), words)
    assert shown["detail"] == "nessun Raspberry Pi (unknown): piedini simulati"


@pytest.mark.parametrize(
    "fault",
    [
        f"the buttons and lamps need lgpio: it is not installed; {LGPIO_REMEDY}",
        f"it cannot be imported (ENOENT); {LGPIO_REMEDY}",
        f"Pi camera 0: {REMEDY} (ENOENT)",
        "/dev/video7: no such device; see 'ls /dev/video*'",
        "/dev/video0: no picture within 3 s (the last one came 4 s ago); open it again",
        "2 pins on simulated pins",
    ],
)
def test_faults_of_pins_and_cameras_are_italian(fault: str) -> None:
    """With its remedy, in which what is typed stays as it is."""
    shown = told(Check("pins", Verdict.FAIL, fault), Words.load("it"))["detail"]
    prose = re.sub(r"'[^']*'|--camera 0|\bpicamera\b", " ", shown)
    assert set(english([prose], "it")) <= NAMES


def test_a_sentence_that_ends_like_a_short_one_is_left_alone() -> None:
    assert said("Rounded points keep the hand", "it") == "Rounded points keep the hand"
    assert said("12 hands", "it") == "mani: 12"


def test_a_machine_speaks_its_own_language_if_none_is_chosen(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LC_ALL", "it_IT.UTF-8")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    assert main(["games", "belote"]) == 0
    assert "Si annuncia con la propria prima carta" in capsys.readouterr().out
    assert main(["secret", "--preset", "suits"]) == 0
    assert capsys.readouterr().out.startswith("Le carte si seguono in tondo")
    settings = tmp_path / "english.toml"
    settings.write_text('language = "en"\n')
    assert main(["secret", "--preset", "suits", "--settings", str(settings)]) == 0
    assert capsys.readouterr().out.startswith("The cards follow each other")


def test_selftest_is_italian(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    picture = Path(__file__).parent.parent / "firmware" / "pictures" / "table.jpg"
    settings = tmp_path / "table.toml"
    settings.write_text('language = "it"\n[table]\ngame = "ziginette"\n')
    main(["selftest", "--settings", str(settings), "--camera", str(picture)])
    shown = capsys.readouterr().out
    assert "piedini simulati" in shown
    assert "GB liberi in" in shown
    assert [line for line in shown.splitlines() if " at " in line or " of " in line] == []


def test_calibrate_is_italian() -> None:
    dark = np.zeros((40, 40, 3), np.uint8)
    settings = Settings.from_mapping({"language": "it", "table": {"game": "ziginette"}})
    checks = (check_light(dark), check_focus(dark))
    found = Calibration(settings, "markers", 20.0, "exposure", checks, (), dark)
    with speaking("it"):
        shown = lines(found)
    assert shown[0].startswith("tavolo: trovato per i segni, ")
    assert any("troppo buio: media 0 su 255" in line for line in shown)
    assert any("fuori fuoco, o tavolo vuoto" in line for line in shown)
