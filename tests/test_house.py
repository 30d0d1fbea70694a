"""The house: who may import whom, where games may be named, what a wheel holds."""

from __future__ import annotations

import ast
import os
import re
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

from rules.games import GAMES

ROOT = Path(__file__).parent.parent
PACKAGES = ("rules", "vision", "hardware", "firmware")
PAGE = ROOT / "firmware" / "console" / "page"
OURS: dict[str, frozenset[str]] = {
    "rules": frozenset(),
    "vision": frozenset({"rules.cards"}),
    "hardware": frozenset(),
    "firmware": frozenset({"rules", "vision", "hardware"}),
}
FOREIGN: dict[str, frozenset[str]] = {
    "rules": frozenset(),
    "vision": frozenset({"numpy", "cv2", "onnxruntime"}),
    "hardware": frozenset({"numpy", "cv2", "gpiozero"}),
    "firmware": frozenset({"numpy", "cv2", "textual", "rich", "aiohttp", "segno"}),
}
ROOMS: dict[str, tuple[str, ...]] = {
    "rules": (
        "errors", "frozen", "cards", "acts", "phrases", "settlement", "spots", "start", "wording",
        "turn", "violations", "counting", "resume", "traces", "chips", "units", "secret",
        "verifying", "announced", "game", "state", "match", "dealing", "scoring", "stock",
        "showing", "banks", "poker", "tricks", "melds", "judging", "games", "records",
    ),
    "vision": (
        "errors", "picture", "sightings", "network", "find", "chips", "draw", "read", "join",
        "backs", "decide", "reader", "track", "measure", "scene",
    ),
    "firmware": (
        "errors", "files", "texts", "settings", "notify", "store", "table", "display", "follow",
        "eye", "appliance", "assembling", "lobby", "console", "floor", "console_link", "rehearsal",
        "service", "install", "commands",
    ),
}  # fmt: skip
"""The folders and single files of each package; each imports only from those before it."""
KINDS = ("banks", "poker", "tricks", "melds", "judging")
"""The kinds of games; none knows another, so that a game takes what it needs from each."""
LATE = frozenset({"picamera2", "libcamera", "lgpio"})
"""Packages that only a Pi has: imported inside a function, when a device is opened."""
ON_DEMAND = {"firmware": frozenset({"paho"})}
"""Packages that may be missing: imported inside a function, when the feature is switched on."""
TOP_LEVEL = frozenset(
    {"pyproject.toml", "README.md", "LICENSE", "constraints.txt", "tests", *PACKAGES}
)


@cache
def parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text("utf-8"))


@cache
def nodes(path: Path) -> tuple[ast.AST, ...]:
    """All nodes of a file, cached: walking takes longer than parsing, and several tests do it."""
    return tuple(ast.walk(parsed(path)))


def modules(package: str) -> Iterator[Path]:
    for path in sorted((ROOT / package).rglob("*.py")):
        if "training" not in path.relative_to(ROOT).parts:
            yield path


def imports(path: Path) -> Iterator[tuple[str, bool]]:
    """Each imported module and whether the import is at the top of the file."""
    top = set(parsed(path).body)
    for node in nodes(path):
        if isinstance(node, ast.Import):
            yield from ((alias.name, node in top) for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module, node in top


def allowed(package: str, module: str, at_top: bool) -> bool:
    root = module.split(".", maxsplit=1)[0]
    if root == package or root in sys.stdlib_module_names or root in FOREIGN[package]:
        return True
    if root in LATE:
        return package == "hardware" and not at_top
    if root in ON_DEMAND.get(package, ()):
        return not at_top
    return root in OURS[package] or module in OURS[package]


@pytest.mark.parametrize("package", PACKAGES)
def test_imports_go_one_way(package: str) -> None:
    wrong = [
        f"{path.relative_to(ROOT)} imports {module}"
        for path in modules(package)
        for module, at_top in imports(path)
        if not allowed(package, module, at_top)
    ]
    assert wrong == []


def _is_named(node: ast.expr, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name


@cache
def imported_at_run_time(path: Path) -> frozenset[str]:
    """What a file imports other than for its annotations, as dotted names."""
    typing_only = [
        child
        for node in nodes(path)
        if isinstance(node, ast.If) and _is_named(node.test, "TYPE_CHECKING")
        for child in ast.walk(node)
    ]
    froms = {
        f"{node.module}.{alias.name}"
        for node in nodes(path)
        if isinstance(node, ast.ImportFrom) and node.module and node not in typing_only
        for alias in node.names
    }
    return frozenset(froms) | {
        alias.name
        for node in nodes(path)
        if isinstance(node, ast.Import) and node not in typing_only
        for alias in node.names
    }


def room_of(package: str, dotted: str) -> str | None:
    """The room of `package` that contains a dotted name; None if another package does."""
    parts = dotted.split(".")
    return parts[1] if parts[0] == package and len(parts) > 1 else None


@pytest.mark.parametrize("package", ROOMS)
def test_each_room_imports_only_from_the_rooms_before_it(package: str) -> None:
    order = {room: place for place, room in enumerate(ROOMS[package])}
    wrong = [
        f"{path.relative_to(ROOT)} imports {name}"
        for path in modules(package)
        if (here := path.relative_to(ROOT / package).parts[0].removesuffix(".py")) in order
        for name in imported_at_run_time(path)
        if (there := room_of(package, name)) is not None and order[there] > order[here]
    ]
    assert wrong == []


@pytest.mark.parametrize("package", ROOMS)
def test_every_room_has_its_place_in_the_order(package: str) -> None:
    inside = {path.relative_to(ROOT / package).parts[0] for path in modules(package)}
    rooms = {name.removesuffix(".py") for name in inside} - {
        "__init__",
        "__main__",
        "weights",
        "examples",
    }
    assert rooms == set(ROOMS[package])


@pytest.mark.parametrize("package", PACKAGES)
def test_no_modules_import_each_other_in_a_circle(package: str) -> None:
    files = {module_name(path): path for path in modules(package)}
    arrows = {
        name: {
            target
            for dotted in imported_at_run_time(path)
            for target in (dotted, dotted.rpartition(".")[0])
            if target in files and target != name and files[target].name != "__init__.py"
        }
        for name, path in files.items()
    }
    TopologicalSorter(arrows).prepare()  # raises CycleError and names the circle


def module_name(path: Path) -> str:
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


@pytest.mark.parametrize("package", PACKAGES)
def test_each_folder_says_what_lives_there(package: str) -> None:
    for path in modules(package):
        if path.name == "__init__.py":
            assert ast.get_docstring(parsed(path)), path


def test_games_do_not_import_games() -> None:
    for path in (ROOT / "rules" / "games").glob("*.py"):
        if path.name != "__init__.py":
            names = [module for module, _ in imports(path)]
            assert not [name for name in names if name.startswith("rules.games")], path


@pytest.mark.parametrize("kind", KINDS)
def test_no_kind_of_game_knows_another(kind: str) -> None:
    others = {f"rules.{other}" for other in KINDS if other != kind}
    inside = sorted((ROOT / "rules" / kind).glob("*.py"))
    assert len(inside) > 2
    wrong = [
        f"{path.relative_to(ROOT)} imports {name}"
        for path in inside
        for name, _ in imports(path)
        if ".".join(name.split(".")[:2]) in others
    ]
    assert wrong == []


def test_rules_have_no_clock_no_randomness_and_no_files() -> None:
    outside = {"time", "datetime", "random", "secrets", "os", "pathlib", "io"}
    for path in modules("rules"):
        assert outside.isdisjoint(name for name, _ in imports(path)), path


@pytest.mark.parametrize("package", ["vision", "hardware", "firmware"])
def test_no_game_is_named_outside_the_rules_and_the_texts(package: str) -> None:
    names = [re.escape(name).replace(r"\-", "[-_ ]") for name in GAMES]
    pattern = re.compile(rf"\b({'|'.join(names)})\b", re.IGNORECASE)
    named = [
        f"{path.relative_to(ROOT)}: {found[0]}"
        for path in modules(package)
        if "texts" not in path.parts and (found := pattern.search(path.read_text()))
    ]
    assert named == []


def test_the_top_level_is_as_agreed() -> None:
    list_files = ["git", "ls-files"]
    listed = subprocess.run(list_files, cwd=ROOT, capture_output=True, text=True, check=False)
    if listed.returncode:
        pytest.skip("not in a git checkout")
    tops = {line.split("/")[0] for line in listed.stdout.splitlines()}
    assert {top for top in tops if not top.startswith(".")} <= TOP_LEVEL


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    # Built from a copy: the checkout stays unchanged.
    leave = shutil.ignore_patterns(".*", "work", "*.egg-info", "build", "__pycache__")
    shutil.copytree(ROOT, folder / "source", ignore=leave)
    # What pip does with a checkout, without pip: the build backend named by pyproject.toml.
    build = "from setuptools.build_meta import build_wheel; build_wheel('..')"
    command = [sys.executable, "-c", build]
    subprocess.run(command, cwd=folder / "source", capture_output=True, check=True)
    return next(folder.glob("*.whl"))


def test_the_wheel_holds_every_module_but_those_of_training(wheel: Path) -> None:
    left = {"training", "examples"}
    ours = {
        path.relative_to(ROOT).as_posix()
        for package in PACKAGES
        for path in (ROOT / package).rglob("*.py")
        if not left & {*path.relative_to(ROOT).parts}
    }
    held = {name for name in zipfile.ZipFile(wheel).namelist() if name.endswith(".py")}
    assert held == ours
    assert len(ours) > 300


def test_the_wheel_holds_weights_and_texts_but_no_tests(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    page = {f"firmware/console/page/{path.name}" for path in PAGE.iterdir() if path.is_file()}
    assert page <= names
    assert len(page) > 20
    assert {"vision/weights/finder.onnx", "vision/weights/reader.onnx"} <= names
    assert {"firmware/texts/en.toml", "firmware/texts/it.toml"} <= names
    assert not [name for name in names if name.startswith(("tests/", "vision/training/"))]


def test_the_four_names_are_ours_in_an_empty_folder(wheel: Path, tmp_path: Path) -> None:
    site = tmp_path / "site"
    zipfile.ZipFile(wheel).extractall(site)
    code = "import sys; print(*(__import__(name).__file__ for name in sys.argv[1:]))"
    empty = tmp_path / "empty"
    empty.mkdir()
    found = subprocess.run(
        [sys.executable, "-c", code, *PACKAGES],
        cwd=empty,
        env={**os.environ, "PYTHONPATH": str(site)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert found.stdout.split() == [str(site / name / "__init__.py") for name in PACKAGES]


ANY_MOST = 60
"""Maximum number of times `Any` may be used: where a library has no types, or any value will do."""


def test_hardly_anything_is_of_any_type() -> None:
    used = [
        f"{path.relative_to(ROOT)}:{node.lineno}"
        for package in PACKAGES
        for path in modules(package)
        for node in nodes(path)
        if isinstance(node, ast.Name) and node.id == "Any"
    ]
    assert len(used) < ANY_MOST, used


def _mechanism(dotted: str) -> str | None:
    """The module of `rules` that contains a dotted name, or None."""
    parts = dotted.split(".")
    for length in (3, 2):
        if parts[0] == "rules" and (ROOT / "/".join(parts[:length])).with_suffix(".py").exists():
            return parts[length - 1] if len(parts) >= length else None
    return None


def _reached_from(*modules: str) -> set[str]:
    """These modules at the top of `rules` and those that they import, directly or not."""
    found, waiting = set[str](), list(modules)
    while waiting:
        name = waiting.pop()
        path = ROOT / f"rules/{name}.py"
        if name not in found and path.exists():
            found.add(name)
            waiting += filter(None, map(_mechanism, imported_at_run_time(path)))
    return found


def test_the_guide_names_every_mechanism_that_games_share() -> None:
    engine = _reached_from("state", "game", "match", "records") - {"units"}
    used = {
        mechanism
        for path in (ROOT / "rules" / "games").glob("*.py")
        if path.name != "__init__.py"
        for one in imported_at_run_time(path)
        if (mechanism := _mechanism(one)) is not None
    }
    guide = (ROOT / "rules" / "ADDING-A-GAME.md").read_text("utf-8")
    shared = guide.partition("## Shared mechanisms")[2].partition("\n## ")[0]
    mechanisms = used - engine
    assert len(mechanisms) > 25
    assert {name for name in mechanisms if f"`{name}`" not in shared} == set()
