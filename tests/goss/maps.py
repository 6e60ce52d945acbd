"""Maps for tests of GOSS: drawn as text, or the shipped boards."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import sandtable
from sandtable.core.content.reading import convert
from sandtable.geo.board import read_board
from sandtable.geo.draw import DrawingDraft, read_drawing
from sandtable.geo.map import GameMap
from sandtable.systems.goss.ground.ground import Ground, read_ground

SEATS = ("allied", "axis")
PACK = Path(sandtable.__file__).parent / "packs" / "goss"

LEGEND = {
    "w": "woods",
    "f": "forest",
    "r": "rough",
    "h": "hedgerow",
    "b": "bocage",
    "m": "marsh",
    "t": "town",
    "c": "city",
    "v": "village",
    "l": "location",
    "V": "vantage_point",
    "H": "high_vantage_point",
    "k": "constricted",
    "e": "rr_embankment",
}


def drawn(cells: str, *features: dict[str, Any], legend: dict[str, Any] | None = None) -> GameMap:
    """A map of text; its hexes are 0101, 0201 and so on."""
    draft = {"cells": cells, "legend": LEGEND | (legend or {}), "features": list(features), "labels": "numbers"}
    return read_drawing(convert(draft, DrawingDraft, "test"))


def ground_of(game_map: GameMap) -> Ground:
    """The map as the rules read it."""
    return read_ground(game_map, SEATS, "test")


@cache
def board(name: str) -> GameMap:
    """A shipped board."""
    return GameMap.of_board(read_board((PACK / "boards" / f"{name}.yaml").read_bytes(), name))
