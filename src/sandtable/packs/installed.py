"""What other distributions bring, by Python's entry points.

A distribution declares a system under ``sandtable.systems`` and a pack under ``sandtable.packs``; being installed is
enough, in every process that Sandtable starts.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

__all__ = ["declared"]

_MARK = b"[sandtable."
"""How a group of ours begins in a distribution's records."""


@cache
def declared(group: str) -> Mapping[str, EntryPoint]:
    """The entry points of ``sandtable.GROUP`` by their names; of two with one name the first on the path."""
    if not _is_any():
        return {}
    from importlib.metadata import entry_points

    found: dict[str, EntryPoint] = {}
    for one in entry_points(group=f"sandtable.{group}"):
        found.setdefault(one.name, one)
    return found


@cache
def _is_any() -> bool:
    """Whether any distribution declares something. Python's own reader takes longer to load than most commands run."""
    return any(_mentions(Path(folder or ".")) for folder in sys.path)


def _mentions(folder: Path) -> bool:
    if folder.is_file():
        return True  # an archive, which the reader looks into
    records = (record for kind in ("dist", "egg") for record in folder.glob(f"*.{kind}-info/entry_points.txt"))
    return any(_MARK in record.read_bytes() for record in records)
