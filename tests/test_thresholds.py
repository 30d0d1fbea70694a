"""Each deciding constant says where its value comes from, and what measures it still does."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from pathlib import Path

import pytest

import tests.thresholds.appliance
import tests.thresholds.pictures  # noqa: F401
from tests.thresholds import __main__ as command
from tests.thresholds.claims import MEASUREMENTS, Claim, Measure

ROOT = Path(__file__).parent.parent
DRAWN = frozenset({"scene", "draw.py", "rehearsal", "training", "examples", "texts"})
"""Packages that draw pictures and people for training and simulation; they decide nothing at a
table."""
GROUND = re.compile(r"`python -m [\w. -]+`|\ba choice\b|\bfollows? from\b", re.IGNORECASE)
PLAIN = frozenset({0.0, 0.5, 1.0, 2.0, 90.0, 180.0, 270.0})
"""Decimals that decide nothing in themselves: halves, wholes and right angles."""
CODES = frozenset({"firmware.console.door", "firmware.display.terminal.BINDINGS"})
"""Modules and names whose capitals stand for an order or for keys."""


@dataclass(frozen=True)
class Constant:
    """Names assigned together to numbers, and the docstring under them."""

    file: str
    names: tuple[str, ...]
    says: str

    @property
    def dotted(self) -> tuple[str, ...]:
        module = self.file.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
        return tuple(f"{module}.{name}" for name in self.names)


@cache
def nodes(path: Path) -> tuple[ast.AST, ...]:
    """All nodes of a file, cached for the two tests that look through them."""
    return tuple(ast.walk(ast.parse(path.read_text("utf-8"))))


def deciding() -> Iterator[Path]:
    for package in ("vision", "firmware"):
        for path in sorted((ROOT / package).rglob("*.py")):
            if not DRAWN & set(path.relative_to(ROOT).parts):
                yield path


def numbers(node: ast.AST) -> list[int | float]:
    places = {id(one.slice) for one in ast.walk(node) if isinstance(one, ast.Subscript)}
    found = (
        one.value
        for one in ast.walk(node)
        if isinstance(one, ast.Constant) and id(one) not in places
    )
    return [one for one in found if isinstance(one, int | float) and not isinstance(one, bool)]


def names_of(node: ast.Assign | ast.AnnAssign) -> tuple[str, ...]:
    targets = node.targets if isinstance(node, ast.Assign) else [node.target]
    return tuple(
        one.id for target in targets for one in ast.walk(target) if isinstance(one, ast.Name)
    )


def found() -> Iterator[Constant]:
    for path in deciding():
        owners = [node for node in nodes(path) if isinstance(node, ast.Module | ast.ClassDef)]
        for body in (owner.body for owner in owners):
            for node, below in zip(body, [*body[1:], None], strict=True):
                if not isinstance(node, ast.Assign | ast.AnnAssign) or node.value is None:
                    continue
                names = names_of(node)
                if names and all(name.isupper() for name in names) and numbers(node.value):
                    yield Constant(str(path.relative_to(ROOT)), names, docstring(below))


def docstring(node: ast.stmt | None) -> str:
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
        return " ".join(str(node.value.value).split())
    return ""


@cache
def constants() -> tuple[Constant, ...]:
    """All deciding constants, found only when a test asks: every worker imports every test."""
    return tuple(
        one for one in found() if not CODES & {*one.dotted, one.dotted[0].rpartition(".")[0]}
    )


def test_each_deciding_constant_says_where_its_value_comes_from() -> None:
    silent = [f"{one.file}: {one.names}" for one in constants() if not GROUND.search(one.says)]
    assert len(constants()) > 400
    remedy = 'say below it "Measured by `python -m …`.", "Follows from …" or "A choice: why"'
    assert not silent, f"{remedy}: {silent}"


def test_the_commands_that_constants_name_can_be_run() -> None:
    named = {match for one in constants() for match in re.findall(r"`python -m ([\w.]+)", one.says)}
    assert [module for module in sorted(named) if find_spec(module) is None] == []


def test_whatever_claims_to_be_measured_is_measured_and_nothing_else() -> None:
    says = {
        name
        for one in constants()
        if "`python -m tests.thresholds`" in one.says
        for name in one.dotted
    }
    assert says == set(MEASUREMENTS)


def bare(function: ast.FunctionDef | ast.AsyncFunctionDef) -> Iterator[float]:
    """Decimals in a function's body, except those that guard or convert: powers of ten."""
    for statement in function.body:
        for value in numbers(statement):
            shifted = f"{abs(value):e}".split("e")[0]
            guards = float(shifted) == 1 and not 0.001 < abs(value) < 1000
            if isinstance(value, float) and value not in PLAIN and not guards:
                yield value


def test_no_decimal_decides_without_a_name() -> None:
    found = [
        f"{path.relative_to(ROOT)}:{node.lineno} {node.name}: {value}"
        for path in deciding()
        for node in nodes(path)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        for value in bare(node)
    ]
    assert found == []


def test_a_claim_says_what_no_longer_holds() -> None:
    assert str(Claim("cards read", 0.97, least=0.95)) == "cards read: 0.97 (at least 0.95)"
    gone = Claim("levels of noise", 16, most=12)
    assert not gone.holds
    assert str(gone) == "NO LONGER: levels of noise: 16 (at most 12)"


def test_a_measurement_is_run_once_for_the_same_code(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    runs: list[str] = []

    def measure() -> Iterator[Claim]:
        runs.append("run")
        yield Claim("figure", 3, most=2)

    table: dict[str, Measure] = {"vision.a.LIMIT": measure, "firmware.b.OTHER": lambda: iter(())}
    monkeypatch.setattr(command, "MEASUREMENTS", table)
    for _ in range(2):
        assert command.main(["vision", "--log", str(tmp_path / "log")]) == 1
        assert "0 of 1 hold vision.a.LIMIT" in capsys.readouterr().out
    assert runs == ["run"]


@pytest.mark.parametrize(
    "constant", ["vision.backs.edges.STEP", "firmware.table.markers.STEPS_MOST"]
)
def test_the_quick_measurements_hold(constant: str) -> None:
    assert [str(claim) for claim in MEASUREMENTS[constant]() if not claim.holds] == []
