"""How the commands of this package end when something they need is not there."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import NoReturn

from vision.errors import VisionError


def run(main: Callable[[], int]) -> NoReturn:
    """Run a command and exit with its status.

    If artwork, pictures or weights are missing, say so in one line and exit with status 2.
    """
    try:
        status = main()
    except VisionError as error:
        print(error, file=sys.stderr)
        status = 2
    sys.exit(status)
