"""Who needs what: each part runs with the packages of its extra alone, and the locks follow pyproject.toml."""

from itertools import chain

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

from tests.architecture.checkout import PACKAGE, ROOT, python_files
from tests.architecture.dependencies import BASE, EXTRAS, GROUPS, absent, run_with

RESEARCHERS = ("core", "geo", "systems", "packs", "catalog", "bots", "sim", "testing")
PARTS = {
    **dict.fromkeys(RESEARCHERS, ()),
    "rl/arrays": (),
    "rl/table": (),
    "cli": ("cli",),
    "session": ("postgres",),
    "server": ("server",),
    "rl": ("research",),
}
"""With which extras each part of the package can be imported."""
APART = {"sandtable.cli.bench.anchors.chess_games", "sandtable.session.store.postgres"}
"""What is run or opened only where its package is there."""


def modules(part: str) -> list[str]:
    """The modules of a part."""
    path = PACKAGE / part
    files = python_files(path) if path.is_dir() else [path.with_suffix(".py")]
    found = (".".join(file.relative_to(PACKAGE.parent).with_suffix("").parts) for file in files)
    return [name.removesuffix(".__init__") for name in found]


@pytest.mark.parametrize(("part", "extras"), PARTS.items())
def test_a_part_is_imported_with_what_its_extra_holds(part: str, extras: tuple[str, ...]) -> None:
    wanted = [name for name in modules(part) if name not in APART]
    assert wanted
    done = run_with(
        extras, "from importlib import import_module\nfor name in sys.argv[1:]: import_module(name)", *wanted
    )
    assert done.returncode == 0, done.stderr


def test_what_is_no_part_of_an_extra_is_absent_there() -> None:
    assert {"typer", "litestar", "matplotlib", "gymnasium", "pytest"} <= set(absent())
    assert not {"msgspec", "yaml", "numpy"} & set(absent())
    assert {"typer", "rich"}.isdisjoint(absent("server"))
    assert run_with((), "import typer").returncode == 1


def locked(name: str) -> dict[str, set[Version]]:
    """The versions of a lock; some packages have one for some Pythons and another for others."""
    found: dict[str, set[Version]] = {}
    for line in (ROOT / "requirements" / name).read_text(encoding="utf-8").splitlines():
        if "==" in line and not line.startswith(" "):
            wanted = Requirement(line.removesuffix("\\").strip())
            (pin,) = wanted.specifier
            found.setdefault(canonicalize_name(wanted.name), set()).add(Version(pin.version))
    return found


def direct(*groups: str) -> list[Requirement]:
    """What we ask for ourselves: for the package, its extras and these groups."""
    wanted = chain(BASE, *EXTRAS.values(), *(GROUPS[group] for group in groups))
    return [one for one in wanted if one.name != "sandtable"]


def test_the_lock_holds_what_pyproject_asks_for() -> None:
    versions = locked("dev.txt")
    asked = direct(*GROUPS)
    wrong = [str(one) for one in asked if not any(map(one.specifier.contains, versions[canonicalize_name(one.name)]))]
    assert not wrong, f"make lock: {', '.join(wrong)}"


def test_the_lowest_versions_are_the_bounds() -> None:
    """What `make lowest` tries is what pyproject.toml promises, to the digit."""
    versions = locked("lowest.txt")
    asked = direct("build", "test")
    bounds = {str(one): {Version(pin.version) for pin in one.specifier if pin.operator != "<"} for one in asked}
    found = {str(one): versions[canonicalize_name(one.name)] for one in asked}
    assert found == bounds
