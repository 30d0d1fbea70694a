"""How any command line is read: its help and its errors in the user's language, its values."""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from typing import NoReturn

from firmware.commands.commands import BAD_INPUT
from firmware.texts.plain import native


class _Layout(argparse.HelpFormatter):
    """Help whose fixed words, such as *usage*, are in the user's language."""

    def add_usage(
        self,
        usage: str | None,
        actions: Iterable[argparse.Action],
        groups: Iterable[argparse._MutuallyExclusiveGroup],
        prefix: str | None = None,
    ) -> None:
        """Add the first line, beginning with the word for *usage*."""
        own = f"{native('usage:')} " if prefix is None else prefix
        super().add_usage(usage, actions, groups, own)


class Parser(argparse.ArgumentParser):
    """A parser that reports errors on one line, in the user's language like its help."""

    def __init__(
        self, prog: str | None = None, description: str | None = None, epilog: str | None = None
    ) -> None:
        super().__init__(prog, description=description, epilog=epilog, formatter_class=_Layout)

    def translate(self) -> None:
        """Translate the help of every option into the current language."""
        for group in (self._positionals, self._optionals):
            group.title = native(group.title or "")
        for action in self._actions:
            action.help = action.help and native(action.help)

    def error(self, message: str) -> NoReturn:
        """Say on one line what is wrong, and end the program."""
        told = native(f"{self.prog}: {native(message)}; see {self.prog} --help")
        self.exit(BAD_INPUT, f"{told}\n")


def number(text: str) -> int:
    """A whole number, perhaps below zero."""
    if not text.strip().lstrip("-").isdecimal():
        raise argparse.ArgumentTypeError(f"expected a whole number, got {text!r}")
    return int(text)


def count(text: str) -> int:
    """A whole number from one on."""
    if number(text) < 1:
        raise argparse.ArgumentTypeError(f"expected a number of at least 1, got {text!r}")
    return int(text)


def numbers(text: str) -> list[int]:
    """Whole numbers with spaces or commas between them."""
    return [number(word) for word in text.replace(",", " ").split()]


def size(text: str) -> tuple[float, float]:
    """A width and a height, such as ``1200x675``."""
    wide, _, high = text.lower().partition("x")
    if not (wide.strip().isdecimal() and high.strip().isdecimal()):
        raise argparse.ArgumentTypeError(
            f"expected a width and a height such as 1200x675, got {text!r}"
        )
    return float(wide), float(high)


def seats(text: str) -> int | list[int]:
    """A number of seats, or a list of the seats taken."""
    taken = numbers(text)
    return taken[0] if len(taken) == 1 else taken
