"""What pyproject.toml says that each part of the package needs, and a Python that has nothing else."""

import subprocess
import sys
import tomllib
from itertools import chain

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.architecture.checkout import ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
EXTRAS = {
    name: [Requirement(one) for one in wanted] for name, wanted in PROJECT["project"]["optional-dependencies"].items()
}
BASE = [Requirement(one) for one in PROJECT["project"]["dependencies"]]
GROUPS = {
    name: [Requirement(one) for one in wanted if isinstance(one, str)]
    for name, wanted in PROJECT["dependency-groups"].items()
}
IMPORTED_AS = {"argon2-cffi": "argon2", "pyyaml": "yaml"}
"""Packages that are imported under another name."""


def names(wanted: list[Requirement]) -> set[str]:
    """The packages that are asked for, those of an extra that stands for others included."""
    found: set[str] = set()
    for one in wanted:
        if one.name == PROJECT["project"]["name"]:
            found |= set(chain.from_iterable(names(EXTRAS[extra]) for extra in one.extras))
        else:
            found.add(canonicalize_name(one.name))
    return found


def absent(*extras: str) -> list[str]:
    """What cannot be imported where Sandtable is installed with these extras and nothing else is."""
    everything = names(list(chain(BASE, *EXTRAS.values(), *GROUPS.values())))
    there = names(list(chain(BASE, *(EXTRAS[extra] for extra in extras))))
    return sorted(IMPORTED_AS.get(name, name.replace("-", "_")) for name in everything - there)


def run_with(extras: tuple[str, ...], code: str, *words: object) -> subprocess.CompletedProcess[str]:
    """Run a program with these words as if only these extras were installed."""
    prelude = f"import sys\nsys.modules.update(dict.fromkeys({absent(*extras)!r}))\n"
    return subprocess.run(
        [sys.executable, "-c", prelude + code, *map(str, words)], capture_output=True, text=True, check=False
    )
