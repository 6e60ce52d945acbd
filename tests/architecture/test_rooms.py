"""No folder is so full that it cannot be taken in at a glance."""

from __future__ import annotations

from collections import Counter

from tests.architecture.checkout import PACKAGE

MOST = 25


def test_no_folder_holds_too_many_modules() -> None:
    sizes = Counter(path.parent for path in PACKAGE.rglob("*.py") if path.name != "__init__.py")
    assert len(sizes) > 20
    assert {str(folder.relative_to(PACKAGE)): size for folder, size in sizes.items() if size > MOST} == {}


def test_every_room_says_what_it_holds() -> None:
    rooms = sorted(PACKAGE.rglob("__init__.py"))
    assert [
        str(room.relative_to(PACKAGE)) for room in rooms if not room.read_text(encoding="utf-8").startswith('"""')
    ] == []
