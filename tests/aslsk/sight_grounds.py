"""Grounds for tests of sight: the shipped boards, small boards drawn in a test, and VASL board files made up."""

import gzip
import io
import struct
import zipfile
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any

from sandtable import packs
from sandtable.core.content.reading import convert
from sandtable.core.content.table import read_table
from sandtable.geo.board import Board, BoardDraft, read_board
from sandtable.geo.map import GameMap
from sandtable.geo.placing import PlacementDraft
from sandtable.systems.aslsk.scenario.draft import Conditions
from sandtable.systems.aslsk.terrain.ground import Ground
from sandtable.systems.aslsk.terrain.kinds import TerrainRow, read_terrain
from sandtable.systems.aslsk.terrain.vasl import picture_board, read_los_data
from sandtable.systems.aslsk.terrain.vasl_terrain import VaslCodes, read_codes

SHARED = Path(__file__).parents[2].parent / "shared" / "data"
"""What a checkout may have beside it: facts about the printed boards, and board files of VASL."""
PACK = packs.shipped("aslsk3")
TABLES = {"terrain_effects": read_table(PACK.files["tables/terrain_effects.yaml"], "terrain_effects")}
SUMMER, WINTER = 7, 1
BOARDS = "tuvwxyz"


@cache
def terrain() -> dict[str, TerrainRow]:
    return read_terrain({"terrain.yaml": PACK.files["terrain.yaml"]})


@cache
def codes() -> VaslCodes:
    return read_codes(PACK.files["vasl.yaml"], "vasl.yaml")


@cache
def shipped(name: str) -> Board:
    return read_board(PACK.files[f"boards/{name}.yaml"], name)


def ground_of(game_map: GameMap, month: int = SUMMER, **conditions: Any) -> Ground:
    return Ground(game_map, terrain(), TABLES, Conditions(month=month, **conditions))


@cache
def ground(name: str, month: int = SUMMER) -> Ground:
    """A shipped board by itself."""
    return ground_of(GameMap.of_board(shipped(name)), month)


def placed(boards: Iterable[Board], *drafts: PlacementDraft, month: int = SUMMER) -> Ground:
    return ground_of(GameMap.from_boards({board.id: board for board in boards}, drafts), month)


def drawn(*features: dict[str, Any], columns: int = 9, rows: int = 6, scale: int = 12, month: int = SUMMER) -> Ground:
    """A small board drawn in a test; outlines are from its upper left corner, where A1 has (0, scale)."""
    return ground_of(GameMap.of_board(board_of(*features, columns=columns, rows=rows, scale=scale)), month)


def board_of(*features: dict[str, Any], columns: int = 9, rows: int = 6, scale: int = 12, name: str = "s") -> Board:
    plain = {
        "id": name,
        "columns": columns,
        "rows": rows,
        "scale": scale,
        "grid": {"shifted": "even"},
        "features": list(features),
    }
    return Board.from_draft(convert(plain, BoardDraft, name))


def sees(on: Ground, a: str, b: str) -> bool:
    return on.clear(on.map.hex(a), on.map.hex(b))


def hindered(on: Ground, a: str, b: str) -> list[str]:
    """The hexes that hinder a line that is not blocked."""
    sight = on.sight(on.map.hex(a), on.map.hex(b))
    assert sight.clear, (a, b, sight.reason)
    return sorted(on.map.label(one.at) for one in sight.hindrances)


def blocked_at(on: Ground, a: str, b: str) -> tuple[str, str]:
    """Where a line is blocked first, and by what."""
    sight = on.sight(on.map.hex(a), on.map.hex(b))
    assert sight.blocked, (a, b)
    assert sight.at is not None
    return on.map.label(sight.at), sight.by


# --- VASL board files ---------------------------------------------------------------------------------

GRAIN, BRUSH, STONE, WOOD, WOODS, ORCHARD, DIRT, PAVED = 24, 25, 40, 50, 60, 63, 65, 66


class Grid:
    """The pixels of a board file in the making."""

    def __init__(self, columns: int = 9, rows: int = 4) -> None:
        self.columns, self.rows = columns, rows
        self.wide, self.high = 225 * (columns - 1) // 4, 129 * rows // 2
        self.terrain = [bytearray(self.high) for _ in range(self.wide)]
        self.elevation = [bytearray(self.high) for _ in range(self.wide)]

    def fill(self, code: int, left: int, top: int, right: int, bottom: int) -> "Grid":
        """Paint a rectangle of pixels, right and bottom not included."""
        top, bottom = max(0, top), min(self.high, bottom)
        for x in range(max(0, left), min(self.wide, right)):
            if top < bottom:
                self.terrain[x][top:bottom] = bytes([code]) * (bottom - top)
        return self

    def raise_ground(self, left: int, top: int, right: int, bottom: int) -> "Grid":
        """Lift a rectangle to level 1."""
        top, bottom = max(0, top), min(self.high, bottom)
        for x in range(max(0, left), min(self.wide, right)):
            if top < bottom:
                self.elevation[x][top:bottom] = b"\x01" * (bottom - top)
        return self

    def los_data(self) -> bytes:
        """What stands in the file, packed."""
        content = struct.pack(">4i", self.columns, self.rows, self.wide, self.high)
        pixels = bytearray(2 * self.wide * self.high)
        pixels[::2] = b"".join(self.elevation)
        pixels[1::2] = b"".join(self.terrain)
        content += bytes(pixels) + bytes(self.columns * self.rows)
        stream = b"\xac\xed\x00\x05"
        for start in range(0, len(content), 1000):
            block = content[start : start + 1000]
            head = b"\x77" + bytes([len(block)]) if len(block) < 256 else b"\x7a" + struct.pack(">i", len(block))
            stream += head + block
        return gzip.compress(stream)

    def file(self, name: str = "s") -> bytes:
        """A whole board file."""
        metadata = f'<?xml version="1.0"?>\n<boardMetadata name="{name}" version="6.4" width="9" height="4">'
        whole = io.BytesIO()
        with zipfile.ZipFile(whole, "w") as archive:
            archive.writestr("BoardMetadata.xml", metadata)
            archive.writestr("LOSData", self.los_data())
        return whole.getvalue()

    def board(self, name: str = "s") -> Board:
        made = picture_board(read_los_data(self.los_data(), name), name, codes(), terrain(), name)
        return Board.from_draft(made.board)

    def ground(self, month: int = SUMMER) -> Ground:
        return ground_of(GameMap.of_board(self.board()), month)


@cache
def vasl_board(name: str) -> Board:
    """A board of one of the files beside the checkout."""
    with zipfile.ZipFile(SHARED / "vasl" / f"bd{name}") as archive:
        los = read_los_data(archive.read("LOSData"), name)
    return Board.from_draft(picture_board(los, name, codes(), terrain(), name).board)
