"""No folder is so full that it cannot be taken in at a glance."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from tests.architecture.checkout import PACKAGE, ROOT

MOST = 25


def test_no_folder_holds_too_many_modules() -> None:
    sizes = Counter(path.parent for path in PACKAGE.rglob("*.py") if path.name != "__init__.py")
    assert len(sizes) > 20
    assert {str(folder.relative_to(PACKAGE)): size for folder, size in sizes.items() if size > MOST} == {}


def test_no_folder_of_tests_holds_too_many_either() -> None:
    sizes = Counter(path.parent for path in (ROOT / "tests").rglob("*.py"))
    assert len(sizes) > 40
    assert {str(folder.relative_to(ROOT)): size for folder, size in sizes.items() if size > MOST} == {}


def test_every_room_says_what_it_holds() -> None:
    rooms = sorted(PACKAGE.rglob("__init__.py"))
    assert [
        str(room.relative_to(PACKAGE)) for room in rooms if not room.read_text(encoding="utf-8").startswith('"""')
    ] == []


def test_what_needs_no_place_in_panzer_names_no_hex() -> None:
    family = PACKAGE / "systems" / "panzer"
    placeless = [path for path in family.rglob("*.py") if path.relative_to(family).parts[0] not in ("hex", "mini")]
    assert {"unit.py", "orders.py", "ap_fire.py"} <= {path.name for path in placeless}
    spaces = ("sandtable.geo", "sandtable.systems.panzer.hex", "sandtable.systems.panzer.mini")
    found = {
        path.name: [name for name in _named(path) if name == "Hex" or name.startswith(spaces)] for path in placeless
    }
    assert {name: named for name, named in found.items() if named} == {}
    assert "Hex" in _named(family / "hex" / "state.py")


def _named(path: Path) -> Iterator[str]:
    """Every name that a module uses, and every module that it imports from."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Name):
            yield node.id
        elif isinstance(node, ast.Attribute):
            yield node.attr
        elif isinstance(node, ast.alias):
            yield node.name
        elif isinstance(node, ast.ImportFrom) and node.module is not None:
            yield node.module
