"""The settings that a command plays by: those of a file, with what its options choose instead."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from firmware.errors import UsageError
from firmware.texts.plain import speak, spoken

if TYPE_CHECKING:  # commands load only what they need
    from firmware.settings.settings import Settings

_CAMERA = {"source": "camera", "deck": "deck"}
"""The camera settings that options can change."""
_MQTT = ("broker", "user", "password_file", "topic", "tls", "ca_file")
"""The options that name a broker."""
_MQTT_FILES = frozenset({"password_file", "ca_file"})
NOWHERE = "off"
"""The value of ``--console`` that switches it off."""


def remembered(options: argparse.Namespace) -> Path | None:
    """Where settings changed at the table are kept: the user's own file unless another is named.

    Settings made for a film or photographs apply to those only.
    """
    from firmware.settings.places import state_folder  # noqa: PLC0415

    if options.settings:
        return Path(options.settings)
    own = state_folder() / "settings.toml"
    if own.exists():
        options.settings = str(own)
    filmed = options.camera is not None and Path(options.camera).exists()
    return None if filmed and not Path(options.camera).is_char_device() else own


def connected(settings: Settings, options: argparse.Namespace) -> Settings:
    """The settings without a remembered webcam that is no longer connected."""
    webcam = settings.camera.startswith("/dev/") and not Path(settings.camera).exists()
    return replace(settings, camera="pi") if webcam and not options.camera else settings


def at_hand_with(settings: Settings, options: argparse.Namespace) -> Settings:
    """The settings with whatever camera is connected, if none was named."""
    from firmware.table.cameras import RIBBON, at_hand  # noqa: PLC0415 - loads OpenCV

    named = options.camera or settings.camera != RIBBON
    return settings if named else replace(settings, camera=at_hand())


def settings_of(options: argparse.Namespace, *, new: bool = False) -> Settings:
    """The settings of the named file, if any, overridden by the command line's.

    A `new` file need not exist yet.
    """
    from firmware.settings.places import state_folder  # noqa: PLC0415
    from firmware.settings.settings import Settings, read_table  # noqa: PLC0415

    known = options.settings and not (new and not Path(options.settings).exists())
    table = read_table(options.settings) if known else {}
    where = options.settings or "options"
    table.setdefault("language", spoken())
    settings = Settings.from_mapping(_merged(table, _chosen(options)), where)
    folder = Path(options.settings).parent if options.settings else state_folder()
    speak(settings.language)
    return settings.lying_in(folder)


def _merged(table: Mapping[str, object], chosen: Mapping[str, object]) -> dict[str, object]:
    merged = dict(table)
    for key, value in chosen.items():
        old = merged.get(key)
        merged[key] = (
            {**old, **value} if isinstance(old, dict) and isinstance(value, dict) else value
        )
    return merged


def _chosen(options: argparse.Namespace) -> dict[str, object]:
    """The command line's options in the form of a settings file."""
    given = vars(options)
    names = ("game", "variant", "seats", "limits", "level", "dealer", "banker")
    table = {name: given[name] for name in names if given.get(name) is not None}
    chosen: dict[str, object] = {"table": table} if table else {}
    camera = {key: given[name] for key, name in _CAMERA.items() if given.get(name) is not None}
    if camera:
        chosen["camera"] = camera
    broker = {name: given[name] for name in _MQTT if given.get(name) is not None}
    for name in _MQTT_FILES & broker.keys():  # relative to the folder in which the command is run
        broker[name] = str(Path(broker[name]).absolute())
    if broker:
        chosen["mqtt"] = broker
    if given.get("console") is not None:
        chosen["console"] = _console(given["console"])
    if given.get("language") is not None:
        chosen["language"] = given["language"]
    if given.get("house_rule"):
        chosen["house_rules"] = dict(map(_house_rule, given["house_rule"]))
    return chosen


def _console(text: str) -> dict[str, object]:
    """Where to serve the console, if at all."""
    if text == NOWHERE:
        return {"on": False}
    return {"on": True, "listen": text} if text else {"on": True}


def _house_rule(text: str) -> tuple[str, str]:
    name, sign, value = text.partition("=")
    if not (name and sign and value):
        raise UsageError(f"--house-rule takes NAME=VALUE, got {text!r}")
    return name.strip(), value.strip()
