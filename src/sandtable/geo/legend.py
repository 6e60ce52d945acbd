"""The legend of a map: what each kind of terrain is called, how it is painted, and what the rules make of it.

A pack's ``terrain.yaml`` lists the kinds. What an entry says of the terrain is told as it stands; a system adds what it
has elsewhere, or words it better.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Protocol, runtime_checkable

import msgspec

from sandtable.core.content.pack import Library
from sandtable.core.content.yaml_text import parse_yaml
from sandtable.geo.paint import paint_of

__all__ = ["DescribesTerrain", "TerrainShown", "fact_text", "read_legend"]

FILE = "terrain.yaml"
_ABOUT_ITSELF = {"title", "paint", "status", "source", "verbatim", "note"}
"""What a terrain entry says about itself rather than about the terrain."""
Facts = Mapping[str, str]


class TerrainShown(msgspec.Struct, frozen=True):
    """A kind of terrain for people."""

    title: str
    paint: str
    """How to draw it: a word of :mod:`sandtable.geo.paint`."""
    facts: dict[str, str] = {}
    """Name and text of what the rules make of it: height, cover, costs."""
    status: dict[str, str] = {}
    """Status of a fact that is not ``reconstructed``."""


@runtime_checkable
class DescribesTerrain(Protocol):
    """A system that says what its terrain is: a capability as those of :mod:`sandtable.core.capabilities`."""

    def legend(self, library: Library) -> Mapping[str, TerrainShown]:
        """Every kind of terrain by the word of the boards; clear ground is ``""``."""
        ...


def fact_text(value: Any) -> str:
    """A fact of a file for people."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Mapping):
        return ", ".join(f"{key} {fact_text(one)}" for key, one in value.items())
    if isinstance(value, list):
        return ", ".join(map(fact_text, value))
    return str(value)


def _as_it_stands(entry: Mapping[str, Any]) -> Facts:
    # What a terrain does not give is not said.
    return {name: fact_text(value) for name, value in entry.items() if value not in (None, "None")}


def read_legend(
    library: Library, clear: str, facts: Callable[[Mapping[str, Any]], Facts] = _as_it_stands
) -> dict[str, TerrainShown]:
    """The kinds of a library's packs, ``clear`` being that of clear ground; ``facts`` words an entry."""
    entries: dict[str, Any] = {}
    for pack in library.packs:
        if FILE in pack.files:
            plain = parse_yaml(pack.files[FILE], f"{pack.where}/{FILE}")
            terrain = plain.get("terrain") if isinstance(plain, Mapping) else None
            entries |= terrain if isinstance(terrain, Mapping) else {}
    found = {kind: _shown(kind, entry, facts) for kind, entry in entries.items()}
    return {"": found.get(clear) or TerrainShown("Clear", paint_of(clear)), **found}


def _shown(kind: str, entry: Mapping[str, Any], facts: Callable[[Mapping[str, Any]], Facts]) -> TerrainShown:
    told = facts({str(name): value for name, value in entry.items() if name not in _ABOUT_ITSELF})
    stated = entry.get("verbatim") or {}
    return TerrainShown(
        title=str(entry.get("title") or kind.replace("_", " ").capitalize()),
        paint=str(entry.get("paint") or paint_of(kind)),
        facts=dict(told),
        status={str(name): "verbatim" for name in stated if name not in _ABOUT_ITSELF},
    )
