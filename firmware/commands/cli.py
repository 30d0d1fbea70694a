"""The command line, from `mazziere games` to `mazziere selftest`.

Any fault in a request is reported on one line on standard error, with exit status 2.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from contextlib import nullcontext

from firmware.commands import commands
from firmware.commands.commands import INTERRUPTED, PROGRAM
from firmware.commands.parser import command_line
from firmware.commands.waiting import waiting
from firmware.texts.plain import machine_language, speaking

# Read once, when OpenCV is loaded: see `vision`, which not every command loads.
os.environ.setdefault("OPENCV_IO_MAX_IMAGE_PIXELS", "100000000")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command line, without the program's name; returns the exit status."""
    told = list(sys.argv[1:] if arguments is None else arguments)
    with speaking(_language(told)):
        return _run(told)


def _language(arguments: Sequence[str]) -> str:
    """The language chosen on the command line, or else the machine's."""
    if "--language" in arguments[:-1]:
        return arguments[arguments.index("--language") + 1]
    return machine_language()


def _run(arguments: Sequence[str]) -> int:
    options = command_line().parse_args(arguments)
    try:
        with waiting(f"{PROGRAM} {options.called}") if not _has_a_view(options) else nullcontext():
            return int(options.command(options))
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        # Whoever reads our output has closed the pipe; nothing more may be written to it at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except Exception as error:
        if not commands.is_ours(error):
            raise
        return commands.fail(error)


def _has_a_view(options: argparse.Namespace) -> bool:
    """Whether the command draws its own screen or asks for input."""
    live = options.called == "demo" and not options.headless
    return live or options.called in ("run", "floor", "secret", "calibrate", "selftest")
