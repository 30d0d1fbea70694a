"""Every identifier that the program can say, found in its own source.

The calls that make phrases are known: `Phrase`, `Phrase.of`, `State.call`, `State.flag`,
`State.pay` and the ``rule`` of what is awaited. A function that passes a parameter on to one of
these makes phrases too, so its own calls are followed in turn. If an identifier is put together at
run time, the fixed part of it is known: ``ended-*``.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path

PACKAGES = ("rules", "firmware")
ROOT = Path(__file__).parents[2]
RULE, PAY, SCORE = "rule.", "pay.", "score."


@dataclass(frozen=True, slots=True)
class Sink:
    """An argument that becomes an identifier: its function, its position and its prefix."""

    function: str
    position: int
    keyword: str
    prefix: str = ""


SINKS = frozenset(
    {
        Sink("Phrase", 0, "id"),
        Sink("Phrase.of", 0, "identifier"),
        Sink("call", 0, "identifier"),
        Sink("flag", 0, "rule", RULE),
        Sink("pay", 3, "reason", PAY),
        Sink("Payment", 3, "reason", PAY),
        Sink("score", 2, "reason", SCORE),
        Sink("Points", 2, "reason", SCORE),
        Sink("Violation", 99, "rule", RULE),
        Sink("Awaited", 99, "rule", RULE),
    }
)
FAULTS = frozenset({"fault", "closeness", "_cards_fault", "slip", "_betting_slip"})
"""The functions that return the rule that an act breaks."""


@cache
def identifiers(root: Path = ROOT) -> frozenset[str]:
    """All identifiers, and patterns with ``*`` for those made at run time."""
    modules = [_module(path) for path in _sources(root)]
    found: set[str] = set()
    sinks = _sinks(modules)
    for module in modules:
        found |= _from_calls(module, sinks)
        found |= _from_faults(module)
    return frozenset(found - {f"{RULE}*", f"{PAY}*", f"{SCORE}*"})


def mentioned(root: Path = ROOT) -> frozenset[str]:
    """Every string anywhere in the source, as itself and with each prefix.

    An identifier that is not among them, and matches no pattern, can never be said.
    """
    texts = {
        node.value
        for path in _sources(root)
        for node in _module(path).nodes
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }
    return frozenset(prefix + text for prefix in ("", RULE, PAY, SCORE) for text in texts)


def fits(identifier: str, wanted: str) -> bool:
    """Whether an identifier is the wanted one or matches the wanted pattern."""
    return fnmatchcase(identifier, wanted)


def _sources(root: Path) -> list[Path]:
    return sorted(path for package in PACKAGES for path in (root / package).rglob("*.py"))


@dataclass(frozen=True, eq=False)
class _Module:
    """The contents of a module, collected once, as walking its tree is the slowest step."""

    nodes: list[ast.AST] = field(default_factory=list)
    """All its nodes, each before those inside it."""
    functions: dict[ast.FunctionDef, list[ast.Call]] = field(default_factory=dict)
    """Its functions, with the calls in each."""
    calls: list[ast.Call] = field(default_factory=list)

    def visit(self, node: ast.AST) -> None:
        """Collect a node and all that is inside it."""
        self.nodes.append(node)
        before = len(self.calls)
        if isinstance(node, ast.Call):
            self.calls.append(node)
        for name in node._fields:
            inside = getattr(node, name, None)
            for one in inside if isinstance(inside, list) else (inside,):
                if isinstance(one, ast.AST) and not isinstance(one, SIGNS):
                    self.visit(one)
        if isinstance(node, ast.FunctionDef):
            self.functions[node] = self.calls[before:]


SIGNS = (ast.expr_context, ast.operator, ast.cmpop, ast.boolop, ast.unaryop)
"""Kinds of nodes that fill a tree and that nobody asks for."""


@cache
def _module(path: Path) -> _Module:
    module = _Module()
    module.visit(ast.parse(path.read_text("utf-8")))
    return module


@cache
def _names_of(sinks: frozenset[Sink]) -> dict[str, list[Sink]]:
    """The sinks by the names of their functions."""
    by_name: dict[str, list[Sink]] = {}
    for sink in sinks:
        by_name.setdefault(sink.function, []).append(sink)
    return by_name


def _sinks(modules: Iterable[_Module]) -> frozenset[Sink]:
    """The known sinks and all functions that pass a parameter on to one."""
    functions = [one for module in modules for one in module.functions.items()]
    sinks = SINKS
    while True:
        more = sinks | {sink for one, calls in functions for sink in _handed_on(one, calls, sinks)}
        if more == sinks:
            return sinks
        sinks = frozenset(more)


def _handed_on(
    function: ast.FunctionDef, calls: Iterable[ast.Call], sinks: frozenset[Sink]
) -> Iterator[Sink]:
    names = [argument.arg for argument in function.args.args]
    bound = names[:1] in (["self"], ["cls"])
    names += [argument.arg for argument in function.args.kwonlyargs]
    for sink, value in _arguments(calls, sinks):
        if isinstance(value, ast.Name) and value.id in names:
            place = names.index(value.id) - bound
            yield Sink(function.name, place, value.id, sink.prefix)


def _arguments(
    calls: Iterable[ast.Call], sinks: frozenset[Sink]
) -> Iterator[tuple[Sink, ast.expr]]:
    """The values given for each sink in any of the calls."""
    by_name = _names_of(sinks)
    for call in calls:
        for sink in by_name.get(_called(call.func), ()):
            value = _argument(call, sink)
            if value is not None:
                yield from ((sink, part) for part in _alternatives(value))


def _called(function: ast.expr) -> str:
    """The function's name, with its class in front if that is named: ``Phrase.of``."""
    if not isinstance(function, ast.Attribute):
        return function.id if isinstance(function, ast.Name) else ""
    owner = function.value.id if isinstance(function.value, ast.Name) else ""
    return f"{owner}.{function.attr}" if owner.istitle() else function.attr


def _argument(call: ast.Call, sink: Sink) -> ast.expr | None:
    if sink.position < len(call.args):
        return call.args[sink.position]
    return next((word.value for word in call.keywords if word.arg == sink.keyword), None)


def _alternatives(value: ast.expr) -> Iterator[ast.expr]:
    if isinstance(value, ast.IfExp):
        yield from _alternatives(value.body)
        yield from _alternatives(value.orelse)
    elif isinstance(value, ast.BoolOp):
        for part in value.values:
            yield from _alternatives(part)
    else:
        yield value


def _from_calls(module: _Module, sinks: frozenset[Sink]) -> set[str]:
    names = _names(module)
    found = set()
    for sink, value in _arguments(module.calls, sinks):
        name = _looked_up(value)
        texts = names.get(name, set()) if name else {_text(value, names)}
        found |= {sink.prefix + text for text in texts if text.strip("*.")}
    return found


def _looked_up(value: ast.expr) -> str:
    """The variable that a text is taken from: by its name, or from a table by a key."""
    if isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute):
        value = value.func.value if value.func.attr == "get" else value
    elif isinstance(value, ast.Subscript):
        value = value.value
    return value.id if isinstance(value, ast.Name) else ""


@cache
def _names(module: _Module) -> dict[str, set[str]]:
    """The texts assigned to each name of a module; for a table, its values."""
    names: dict[str, set[str]] = {}
    for name, value in _given(module):
        values = value.values if isinstance(value, ast.Dict) else [value]
        texts = {_text(part, {}) for each in values for part in _alternatives(each)} - {""}
        if texts:
            names.setdefault(name, set()).update(texts)
    return names


def _given(module: _Module) -> Iterator[tuple[str, ast.expr]]:
    """Each name that is assigned a value, also if several are assigned in one line."""
    for node in module.nodes:
        if isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None:
            target = node.target if isinstance(node, ast.AnnAssign) else node.targets[0]
            pairs = [(target, node.value)]
            if isinstance(target, ast.Tuple) and isinstance(node.value, ast.Tuple):
                pairs = list(zip(target.elts, node.value.elts, strict=False))
            yield from ((one.id, value) for one, value in pairs if isinstance(one, ast.Name))


def _from_faults(module: _Module) -> set[str]:
    """The rules named in what one of the `FAULTS` returns."""
    methods = (node for node in module.functions if node.name in FAULTS)
    returned = (
        node.value
        for method in methods
        for node in ast.walk(method)
        if isinstance(node, ast.Return) and node.value is not None
    )
    names, values = _names(module), list(returned)
    texts = {_text(part, {}) for value in values for part in ast.walk(value)}
    named = (one for value in values for one in _alternatives(value) if isinstance(one, ast.Name))
    texts |= {text for one in named for text in names.get(one.id, ())}
    return {RULE + text for text in texts if text.strip("*.")}


def _text(value: ast.AST, names: Mapping[str, set[str]]) -> str:
    """The fixed part of a text, with ``*`` for the rest; empty for what is not a text."""
    if isinstance(value, ast.Constant):
        return value.value if isinstance(value.value, str) else ""
    if isinstance(value, ast.JoinedStr):
        return "".join(_piece(part, names) for part in value.values)
    return ""


def _piece(part: ast.expr, names: Mapping[str, set[str]]) -> str:
    """One part of a formatted text."""
    if isinstance(part, ast.Constant):
        return str(part.value)
    inner = part.value if isinstance(part, ast.FormattedValue) else part
    texts = names.get(inner.id, set()) if isinstance(inner, ast.Name) else set()
    return next(iter(texts)) if len(texts) == 1 else "*"
