"""What the wheel holds: all of the package, its data and its page included, and the licences of what is in it."""

import json
import re
import zipfile
from email.parser import Parser
from pathlib import Path

import pytest

from tests.architecture.checkout import PACKAGE, ROOT

LICENCES = "sandtable/server/static/licenses.md"
CLIENT = pytest.mark.skipif(
    not (PACKAGE / "server" / "static" / "index.html").is_file(), reason="the client is not built (make web)"
)


def test_the_wheel_holds_the_whole_package(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        packed = set(archive.namelist())
    wanted = {
        path.relative_to(PACKAGE.parent).as_posix()
        for path in PACKAGE.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    assert "sandtable/py.typed" in wanted
    assert wanted <= packed, "\n".join(sorted(wanted - packed))


def test_nothing_under_the_gpl_is_a_dependency_of_the_wheel(wheel: Path) -> None:
    """python-chess is a measure that `bench` runs where somebody has it: no extra of the wheel names it."""
    with zipfile.ZipFile(wheel) as archive:
        (name,) = (name for name in archive.namelist() if name.endswith(".dist-info/METADATA"))
        metadata = Parser().parsestr(archive.read(name).decode())
    required = metadata.get_all("Requires-Dist", [])
    assert any(one.startswith("msgspec") for one in required)
    assert not [one for one in required if one.startswith("chess")]


@CLIENT
def test_the_licences_of_what_the_page_contains_are_shipped(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        told = archive.read(LICENCES).decode()
        packed = [name for name in archive.namelist() if name.startswith("sandtable/server/static/")]
    fonts = [name for name in packed if name.endswith(".woff2")]
    others = [name for name in packed if re.search("licen[cs]e", name) and name != LICENCES]
    assert "## svelte - " in told
    packages = json.loads((ROOT / "web" / "package.json").read_text())
    of_fonts = [name for name in packages["devDependencies"] if "font" in name and name != "subset-font"]
    assert fonts
    # In full, as the packages have it, and nowhere else.
    told_flat = " ".join(told.split())
    for name in of_fonts:
        assert f"## {name} - " in told
        licence = (ROOT / "web" / "node_modules" / name / "LICENSE").read_text()
        assert " ".join(licence.split()) in told_flat
    assert others == []
