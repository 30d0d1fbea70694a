"""Every document tells the truth about the tree: its links, its paths and the modules it names."""

from __future__ import annotations

import re
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.draws import KEPT

ROOT = Path(__file__).parent.parent
DOCUMENTS = sorted(
    path.relative_to(ROOT).as_posix()
    for where in ("*.md", ".github/*.md", "[a-z]*/**/*.md")
    for path in ROOT.glob(where)
    if not {"build", "work"} & set(path.relative_to(ROOT).parts)
)
EVERY = pytest.mark.parametrize("document", DOCUMENTS)
PATH = re.compile(r"(?<![\w/.…$])(?:rules|vision|hardware|firmware|tests)/[\w./*<>-]*[\w/*>]")
"""A path from the top of the tree; one with capitals, a star or brackets stands for several."""


def text_of(document: str) -> str:
    return (ROOT / document).read_text("utf-8")


def test_the_guides_are_among_the_documents() -> None:
    assert {"README.md", ".github/CONTRIBUTING.md", "rules/ADDING-A-GAME.md"} <= set(DOCUMENTS)


@EVERY
def test_every_link_leads_somewhere(document: str) -> None:
    links = re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", text_of(document))
    lost = [
        link
        for link in links
        if "://" not in link and not (ROOT / document).parent.joinpath(link).exists()
    ]
    assert lost == []


@EVERY
def test_every_path_exists(document: str) -> None:
    named = set(PATH.findall(text_of(document)))
    exact = {path for path in named if path.islower() and not set("*<>") & set(path)}
    lost = [path for path in sorted(exact) if not (ROOT / path).exists()]
    assert [path for path in lost if ROOT / path != KEPT] == []  # made by the first case to fail


@EVERY
def test_every_module_that_is_run_exists(document: str) -> None:
    modules = set(
        re.findall(r"python3? -m ((?:tests|vision|hardware|firmware)[\w.]*)", text_of(document))
    )
    assert [module for module in sorted(modules) if find_spec(module.rstrip(".")) is None] == []


@EVERY
def test_every_package_folder_called_one_exists(document: str) -> None:
    dotted = re.findall(r"`((?:rules|vision|hardware|firmware)(?:\.\w+)+)`", text_of(document))
    lost = [name for name in sorted(set(dotted)) if not _importable(name)]
    assert lost == []


def _importable(name: str) -> bool:
    """Whether a dotted name is a module of ours, or something in one."""
    parts = name.split(".")
    modules = (ROOT.joinpath(*parts[:count]) for count in range(2, len(parts) + 1))
    return ROOT.joinpath(*parts, "__init__.py").exists() or any(
        module.with_suffix(".py").exists() for module in modules
    )
