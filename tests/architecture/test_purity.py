"""core, geo and systems are pure: no files, clocks, chance or network, and hardly any third party."""

import pytest

from tests.architecture.checkout import PACKAGE, python_files
from tests.architecture.purity import impurities, third_party

PURE_LAYERS = ("core", "geo", "systems")


ALLOWED = {
    # What msgspec learns of a type it learns once, for all threads.
    "core/codec.py": frozenset({"threading"}),
    "core/dice.py": frozenset({"random"}),
    # A lock: what all games of a scenario learn about its ground is learnt by one thread at a time.
    "systems/aslsk/terrain/sight_batch.py": frozenset({"threading"}),
}


def allowed_impurities(module: str) -> frozenset[str]:
    return ALLOWED.get(module, frozenset())


YAML_READER = "core/content/yaml_text.py"
"""The one place that reads YAML: it counts depth and size, which the package that it uses does not."""


def allowed_third_party(module: str) -> set[str]:
    return {"msgspec", "yaml"} if module == YAML_READER else {"msgspec"}


@pytest.mark.parametrize("layer", PURE_LAYERS)
def test_layer_reaches_nothing_outside(layer: str) -> None:
    found = [
        f"{name}: {impurity}"
        for path in python_files(PACKAGE / layer)
        for name in [path.relative_to(PACKAGE).as_posix()]
        for impurity in impurities(path.read_text(encoding="utf-8"), allowed_impurities(name))
    ]
    assert not found, "\n".join(found)


@pytest.mark.parametrize("layer", PURE_LAYERS)
def test_layer_needs_no_third_party_but_msgspec(layer: str) -> None:
    found = [
        f"{name} imports {package}"
        for path in python_files(PACKAGE / layer)
        for name in [path.relative_to(PACKAGE).as_posix()]
        for package in sorted(third_party(path.read_text(encoding="utf-8")) - allowed_third_party(name))
    ]
    assert not found, "\n".join(found)


def test_yaml_is_read_in_one_place() -> None:
    users = {
        path.relative_to(PACKAGE).as_posix()
        for path in python_files(PACKAGE)
        if "yaml" in third_party(path.read_text(encoding="utf-8"))
    }
    assert users == {YAML_READER}


@pytest.mark.parametrize(
    "source",
    [
        "import random",
        "import os.path",
        "from datetime import datetime",
        "from importlib import resources",
        "def f():\n    from pathlib import Path",
        "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import socket",
        "if TYPE_CHECKING:\n    pass\nelse:\n    import random",
        "def f():\n    return open('x')",
        "print(1)",
    ],
)
def test_the_reader_finds_what_reaches_outside(source: str) -> None:
    assert len(impurities(source)) == 1


@pytest.mark.parametrize(
    "source",
    [
        "from collections.abc import Iterator\nimport math, hashlib",
        "from sandtable.core.dice import random_dice",
        "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from random import Random",
        "import importlib",
        "path.open()",
    ],
)
def test_the_reader_lets_pure_code_pass(source: str) -> None:
    assert impurities(source) == []


def test_the_reader_knows_third_parties() -> None:
    assert third_party("import rich.table, math\nfrom sandtable.core import codec\nimport msgspec") == {
        "msgspec",
        "rich",
    }
