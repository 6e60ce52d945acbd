"""Nobody but the handlers asks what kind a frame is: whoever adds a question writes a handler and no case elsewhere.

A bot knows the questions of its system, in one module.
"""

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from sandtable.core.frames import FrameHandler, FrameRules
from sandtable.systems.aslsk.rules import AslskRules
from sandtable.systems.goss.rules import GossRules
from sandtable.systems.panzer.hex.rules import PanzerRules
from sandtable.systems.panzer.mini.rules import MiniRules
from tests.architecture.checkout import ROOT

SYSTEMS: dict[str, tuple[type[FrameRules[Any, Any, Any, Any]], ...]] = {
    "aslsk": (AslskRules,),
    "goss": (GossRules,),
    "panzer": (PanzerRules, MiniRules),
}


def named(node: ast.expr) -> Iterator[str]:
    """The classes in the second argument of isinstance."""
    if isinstance(node, ast.Name):
        yield node.id
    elif isinstance(node, ast.Attribute):
        yield node.attr
    else:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.expr):
                yield from named(child)


def asked(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Every class that decides how the code goes on; what is asserted decides nothing."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.Assert):
            continue
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "isinstance":
            yield from ((node.lineno, name) for name in named(node.args[1]))
        elif isinstance(node, ast.MatchClass):
            yield from ((node.lineno, name) for name in named(node.cls))
        elif isinstance(node, ast.Compare) and isinstance(node.left, ast.Call) and named_type(node.left):
            yield from ((node.lineno, name) for other in node.comparators for name in named(other))
        elif isinstance(node, ast.Dict):
            yield from ((node.lineno, name) for key in node.keys if key is not None for name in named(key))
        yield from asked(node)


def named_type(call: ast.Call) -> bool:
    return isinstance(call.func, ast.Name) and call.func.id == "type"


def found(text: str, frames: set[str]) -> list[tuple[int, str]]:
    return [(line, name) for line, name in asked(ast.parse(text)) if name in frames]


def handlers_of(system: str) -> list[type[FrameHandler[Any, Any, Any, Any, Any]]]:
    return [handler for rules in SYSTEMS[system] for handler in rules.handlers]


def frames_of(system: str) -> set[str]:
    return {handler.frame.__name__ for handler in handlers_of(system)}


def wrong(paths: Iterator[Path], frames: set[str]) -> list[str]:
    return [
        f"{path.relative_to(ROOT)}:{line} asks for {name}"
        for path in paths
        for line, name in found(path.read_text(), frames)
    ]


@pytest.mark.parametrize("system", SYSTEMS)
def test_only_handlers_know_what_kind_a_frame_is(system: str) -> None:
    own = {ROOT / "src" / Path(*handler.__module__.split(".")).with_suffix(".py") for handler in handlers_of(system)}
    modules = set((ROOT / "src/sandtable/systems" / system).rglob("*.py"))
    assert own < modules
    assert wrong(iter(modules - own), frames_of(system)) == []


@pytest.mark.parametrize("system", SYSTEMS)
def test_a_doctrine_knows_questions_in_one_module(system: str) -> None:
    modules = {*(ROOT / "src/sandtable/bots" / system).rglob("*.py")}
    commanders = {path for path in modules if path.name == "commander.py"}
    assert all(wrong(iter([commander]), frames_of(system)) for commander in commanders)
    assert wrong(iter(modules - commanders), frames_of(system)) == []


@pytest.mark.parametrize(
    "text",
    [
        "if isinstance(frame, Moving | Routing): pass",
        "if isinstance(frame, (Other, st.Moving)): pass",
        "match frame:\n    case Moving(plan=plan): pass",
        "match frame, action:\n    case st.Moving(), Done(): pass",
        "if type(frame) is Moving: pass",
        "TITLES = {Moving: 'go on'}",
    ],
)
def test_whoever_asks_is_found(text: str) -> None:
    assert [name for _, name in found(text, {"Moving"})] == ["Moving"]


@pytest.mark.parametrize("text", ["assert isinstance(frame, Moving)", "Moving(plan)", "isinstance(action, Move)"])
def test_whoever_does_not_ask_is_left_alone(text: str) -> None:
    assert found(text, {"Moving"}) == []
