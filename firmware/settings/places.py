"""Where files are kept if the settings do not say: never in the current folder."""

from __future__ import annotations

import os
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

NAME = "mazziere"


def state_folder(environ: Mapping[str, str] = os.environ) -> Path:
    """The folder for journal, PINs and secrets: the service's or the user's, created if necessary.

    Follows systemd's ``StateDirectory`` and the XDG base directories.

    >>> state_folder({"STATE_DIRECTORY": "/tmp/a:/tmp/b"}).as_posix()
    '/tmp/a'
    """
    service = environ.get("STATE_DIRECTORY", "").partition(":")[0]
    data = environ.get("XDG_STATE_HOME", "")
    home = Path(data) if Path(data).is_absolute() else Path.home() / ".local" / "state"
    folder = Path(service) if service else home / NAME
    with suppress(OSError):  # whatever writes there reports the error
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    return folder
