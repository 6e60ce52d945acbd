"""Systems keep nothing in their modules: what is derived from a state lives in the memory of the game's context."""

import ast
from collections.abc import Iterator

import pytest

from tests.architecture.checkout import PACKAGE, python_files

CONTAINERS = frozenset(
    {
        "Counter",
        "OrderedDict",
        "WeakKeyDictionary",
        "WeakSet",
        "WeakValueDictionary",
        "bytearray",
        "defaultdict",
        "deque",
        "dict",
        "list",
        "local",
        "set",
    }
)
CHANGES = frozenset(
    {
        "add",
        "append",
        "appendleft",
        "clear",
        "discard",
        "extend",
        "insert",
        "pop",
        "popitem",
        "popleft",
        "remove",
        "setdefault",
        "sort",
        "update",
    }
)
CACHES = frozenset({"cache", "lru_cache"})

STAY = {
    # Lines and steps by how far they go, and hexes in their order: geometry that no state changes.
    "systems/aslsk/phases/rout_steps.py: _barred_ways",
    "systems/aslsk/setup_units.py: _in_order",
    "systems/aslsk/terrain/covered_arc.py: _spines_toward",
    "systems/aslsk/terrain/line_path.py: line_path",
    "systems/panzer/hex/sight/sightline.py: sightline",
    # The cards of the last eight sets of files, by their content.
    "systems/goss/pieces/card_files.py: _shelf_of",
    "systems/panzer/card_files.py: _shelf_of",
    "systems/panzer/mini/cards.py: _cards_of",
}
"""What may be kept by a module; each is worked out from ground, geometry or the files of packs alone."""


def _name(node: ast.expr) -> str:
    """The last name of a call's function, of a decorator or of a subscripted class."""
    match node:
        case ast.Name(name) | ast.Attribute(attr=name):
            return name
        case ast.Call(inner) | ast.Subscript(inner):
            return _name(inner)
        case _:
            return ""


def _is_empty_container(value: ast.expr | None) -> bool:
    match value:
        case ast.Dict(keys=[]) | ast.List(elts=[]):
            return True
        case ast.Call(function, [], []):
            return _name(function) in CONTAINERS
        case _:
            return False


def _bound(tree: ast.Module) -> dict[str, ast.expr | None]:
    """The names that a module binds, and what to."""
    found: dict[str, ast.expr | None] = {}
    for node in tree.body:
        match node:
            case ast.Assign(targets, value):
                found |= {target.id: value for target in targets if isinstance(target, ast.Name)}
            case ast.AnnAssign(ast.Name(name), value=value):
                found[name] = value
            case _:
                pass
    return found


def _changed(tree: ast.AST) -> Iterator[str]:
    """Names whose values are changed, or bound anew from inside a function."""
    for node in ast.walk(tree):
        match node:
            case ast.Global(names):
                yield from names
            case ast.Subscript(ast.Name(name), ctx=ast.Store() | ast.Del()):
                yield name
            case ast.Call(ast.Attribute(ast.Name(name), method)) if method in CHANGES:
                yield name


def keeps(source: str) -> list[str]:
    """What a module keeps: containers that begin empty or are changed, and functions with a cache."""
    tree = ast.parse(source)
    bound = _bound(tree)
    found = {name for name, value in bound.items() if _is_empty_container(value)}
    for function in tree.body:
        if isinstance(function, ast.FunctionDef | ast.ClassDef):
            found |= (set(_changed(function)) & bound.keys()) - _own_names(function)
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and any(_name(one) in CACHES for one in node.decorator_list):
            found.add(node.name)
    return sorted(found)


def _own_names(function: ast.AST) -> set[str]:
    """Names that a function binds for itself."""
    nodes = list(ast.walk(function))
    bound = {node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    bound |= {node.arg for node in nodes if isinstance(node, ast.arg)}
    return bound - {name for node in nodes if isinstance(node, ast.Global) for name in node.names}


def test_systems_keep_nothing_in_their_modules() -> None:
    found = {
        f"{path.relative_to(PACKAGE).as_posix()}: {name}"
        for path in python_files(PACKAGE / "systems")
        for name in keeps(path.read_text(encoding="utf-8"))
    }
    assert not found - STAY


@pytest.mark.parametrize(
    "source",
    [
        "_recent: list[int] = []",
        "_known = dict[str, int]()",
        "_KEPT: WeakKeyDictionary[str, int] = WeakKeyDictionary()",
        "_TABLE = {1: 2}\ndef f(x):\n    _TABLE[x] = 3",
        "_LAST = [None]\ndef f(x):\n    _LAST.insert(0, x)",
        "last = None\ndef f(x):\n    global last\n    last = x",
        "@cache\ndef f(x):\n    return x",
        "@functools.lru_cache(maxsize=8)\ndef f(x):\n    return x",
    ],
)
def test_the_reader_finds_what_is_kept(source: str) -> None:
    assert len(keeps(source)) == 1


@pytest.mark.parametrize(
    "source",
    [
        "SIZES = {1: 2}\ndef f(x):\n    return SIZES[x]",
        "NAMES = frozenset()",
        "PLAIN = Approach()",
        "FOUND = [1]\ndef f(FOUND):\n    FOUND.append(2)",
        "def f():\n    found = []\n    found.append(1)",
    ],
)
def test_the_reader_lets_tables_pass(source: str) -> None:
    assert keeps(source) == []
