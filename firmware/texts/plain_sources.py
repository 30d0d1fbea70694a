"""Which plain English sentences commands and checks say, found in their own source.

A text of two words or more counts, and the help of each option; documentation, most exceptions and
the values of settings do not. A template has ``{}`` for each value.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from firmware.texts.identifiers import ROOT

SOURCES = (
    "firmware/commands/cli.py",
    "firmware/commands/arguments.py",
    "firmware/commands/choosing.py",
    "firmware/commands/parser.py",
    "firmware/commands/commands.py",
    "firmware/commands/ending.py",
    "firmware/commands/evening.py",
    "firmware/commands/reports.py",
    "firmware/commands/secret.py",
    "firmware/store/chain.py",
    "firmware/table/calibration.py",
    "firmware/table/deck_check.py",
    "firmware/table/known_decks.py",
    "firmware/table/taught_chips.py",
    "firmware/table/taught_decks.py",
    "firmware/rehearsal/report.py",
    "hardware/selftest.py",
    "hardware/voice.py",
)
"""The modules whose sentences people read as they are."""
RAISING = (
    "hardware/camera.py",
    "hardware/capture.py",
    "hardware/films.py",
    "hardware/panel.py",
    "hardware/picamera.py",
    "hardware/pins.py",
)
"""The modules whose exceptions people also read: the Health page and the self-test show what is
wrong with a camera or the pins, and its remedy.
"""
READ = frozenset({"help", "description"})
"""Arguments that are read whatever their length."""
NO_TEXT = frozenset({"metavar", "default", "choices", "dest", "action"})
"""Arguments that are names, not sentences."""
EXAMPLE = "example"
"""Holds what may be typed after a command."""
MARKUP = re.compile(r"<|\w+\{")
"""How a page or its style begins."""
SENTENCE = re.compile(r"[A-Za-z]{2,}[,:;]? (\{\}|[a-z]{2,})|(\{\}|[a-z]{2,}) [A-Za-z]{2,}")


def sentences(root: Path = ROOT) -> dict[str, str]:
    """Every template, with the place where it is said."""
    return {
        template: f"{name}:{line}"
        for name in (*SOURCES, *RAISING)
        for template, line in said_in((root / name).read_text("utf-8"), raised=name in RAISING)
    }


def said_in(source: str, *, raised: bool = False) -> Iterator[tuple[str, int]]:
    """The templates of a module and their lines, including those of its exceptions if `raised`.

    >>> list(said_in('print(f"{count} cards seen"); x = "a-key"; raise E("never mind")'))
    [('{} cards seen', 1)]
    """
    tree = ast.parse(source)
    yield from _texts(tree, read=False)
    for node in ast.walk(tree) if raised else ():
        if isinstance(node, ast.Raise) and node.exc is not None:
            yield from _texts(node.exc, read=False)


def _texts(node: ast.AST, *, read: bool) -> Iterator[tuple[str, int]]:
    if isinstance(node, ast.Raise | ast.Import | ast.ImportFrom) or _is_note(node):
        return
    if isinstance(node, ast.keyword) and node.arg in NO_TEXT:
        return
    if isinstance(node, ast.Assign) and EXAMPLE in map(ast.unparse, node.targets):
        return
    template = _template(node)
    if template is not None:
        text = template.strip()
        if MARKUP.match(text):
            return
        if SENTENCE.search(text) or (read and re.search("[a-z]{2,}", text)):
            yield text, getattr(node, "lineno", 0)
    read = isinstance(node, ast.keyword) and node.arg in READ
    for child in ast.iter_child_nodes(node):
        whole = isinstance(node, ast.JoinedStr) and isinstance(child, ast.Constant)
        if not whole and not _is_example(node, child):
            yield from _texts(child, read=read)


def _is_example(node: ast.AST, child: ast.AST) -> bool:
    """Whether it is the example of what may be typed, the last argument of `_command`."""
    named = isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
    return named and node.func.id == "_command" and child is node.args[-1]  # type: ignore[attr-defined]


def _is_note(node: ast.AST) -> bool:
    """Whether it is documentation: a text that stands alone."""
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _template(node: ast.AST) -> str | None:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.JoinedStr):
        parts = (str(one.value) if isinstance(one, ast.Constant) else "{}" for one in node.values)
        return "".join(parts)
    return None
