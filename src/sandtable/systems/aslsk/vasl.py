"""VASL board files: the picture grid inside one, and the board that it makes.

A board file is a zip; its ``LOSData`` is gzip over a Java object stream that holds block data only: four sizes, then
for every pixel, column by column, a byte of elevation and one of terrain. Pixels become the cells of a picture grid
exactly as they are. Which hexes count as what is read off the same pixels, as 1.1.1 asks: a building if a building
shows in it, else the terrain of the centre dot. Unzipping and writing files is the command line's work.
"""

from __future__ import annotations

import re
import zlib
from collections import Counter
from collections.abc import Iterator, Mapping
from struct import unpack_from
from typing import NamedTuple

import msgspec

from sandtable.core.errors import BadInput, Fault
from sandtable.core.reading import read_yaml
from sandtable.core.rule import rule
from sandtable.geo.board import BoardDraft
from sandtable.geo.grid import Grid, Layout
from sandtable.geo.hex import Hex, centre
from sandtable.geo.picture import LevelHexes, Picture, PictureDraft, Shown, pack_cells
from sandtable.geo.pieces import HexWindow
from sandtable.systems.aslsk.roads import road_features, roads_of
from sandtable.systems.aslsk.terrain import Role, TerrainRow

__all__ = ["LosData", "Pictured", "VaslCodes", "board_name", "picture_board", "read_codes", "read_los_data"]

SCALE = 3225
"""Subdivisions of a lattice unit: the least in which pixels have whole corners."""
CELL = (172, 100)
"""Width and height of a pixel: 56.25 pixels are a column of hexes, 64.5 a row."""
_LARGEST = 200_000_000
_MAGIC = b"\xac\xed\x00\x05"
_NAME = re.compile(r"<boardMetadata\b[^>]*\bname\s*=\s*\"([^\"]*)\"")
_DOT = 5
"""Pixels about the centre of a hex that decide what it is."""
_BUILDING_PERCENT = 12
"""A building that fills less of a hex only overlaps from the next one."""
_ROADSIDE_PERCENT = 12
"""Woods or orchard beside a road's centre dot that fill less of the hex are a neighbour's."""


class VaslCodes(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What the terrain codes of a board file are in this system."""

    source: str
    status: str
    codes: dict[int, str]
    """The word for each code; "" is Open Ground."""
    note: str = ""


class LosData(NamedTuple):
    """The grid of a board file."""

    columns: int
    rows: int
    wide: int
    high: int
    terrain: tuple[bytes, ...]
    """Codes, pixel column by pixel column."""
    elevation: tuple[bytes, ...]


class Pictured(NamedTuple):
    """A board made from a file, and what the file shows that this system has no rules for."""

    board: BoardDraft
    unknown: dict[int, int]
    """Pixels by terrain code; they count as Open Ground."""


def read_codes(data: bytes, where: str) -> VaslCodes:
    """The terrain codes that a pack explains."""
    return read_yaml(data, VaslCodes, where)


def board_name(metadata: str) -> str:
    """The name in a board file's metadata, "" if there is none."""
    found = _NAME.search(metadata)
    return found[1].strip() if found else ""


def read_los_data(data: bytes, where: str) -> LosData:
    """The grid in the ``LOSData`` of a board file; raise ``BadInput`` if it is none."""
    try:
        unpacker = zlib.decompressobj(wbits=31)
        stream = unpacker.decompress(data, _LARGEST)
    except zlib.error as error:
        raise BadInput([Fault(where, f"cannot be unpacked: {error}", "gzip")]) from None
    if unpacker.unconsumed_tail:
        raise BadInput([Fault(where, f"unpacks to more than {_LARGEST} bytes")])
    content = b"".join(_blocks(stream, where))
    if len(content) < 16:
        raise BadInput([Fault(where, f"{len(content)} bytes", "four sizes and the pixels")])
    columns, rows, wide, high = unpack_from(">4i", content)
    if min(columns, rows, wide, high) < 1 or len(content) < 16 + 2 * wide * high:
        raise BadInput([Fault(where, f"{len(content)} bytes for {wide} by {high} pixels", "two a pixel")])
    pixels = content[16 : 16 + 2 * wide * high]
    terrain, elevation = pixels[1::2], pixels[::2]
    return LosData(columns, rows, wide, high, _columns(terrain, high), _columns(elevation, high))


def _columns(cells: bytes, high: int) -> tuple[bytes, ...]:
    return tuple(cells[start : start + high] for start in range(0, len(cells), high))


def _blocks(stream: bytes, where: str) -> Iterator[bytes]:
    """The contents of the blocks of a Java object stream that holds nothing else."""
    if not stream.startswith(_MAGIC):
        raise BadInput([Fault(where, "no Java object stream", "AC ED 00 05 at its start")])
    at = len(_MAGIC)
    while at < len(stream):
        kind = stream[at]
        if kind == 0x77 and at + 1 < len(stream):
            length, at = stream[at + 1], at + 2
        elif kind == 0x7A and at + 4 < len(stream):
            length, at = unpack_from(">i", stream, at + 1)[0], at + 5
        else:
            raise BadInput([Fault(where, f"byte {at} is {kind:02X}", "a block of data")])
        if length < 0 or at + length > len(stream):
            raise BadInput([Fault(where, f"breaks off inside a block at byte {at}")])
        yield stream[at : at + length]
        at += length


@rule("1.1", "1.1.1")
def picture_board(los: LosData, name: str, codes: VaslCodes, terrain: Mapping[str, TerrainRow], where: str) -> Pictured:
    """The board that a file's grid makes (1.1, 1.1.1)"""
    _check_size(los, where)
    unknown = Counter(b"".join(los.terrain))
    for code in codes.codes:
        del unknown[code]
    picture = _picture(los, codes)
    grid = Grid(shifted="even")
    layout = Layout.of(grid, los.columns, los.rows)
    facts = _facts(picture, layout, terrain)
    roads = [word for word, row in terrain.items() if row.sight is Role.ROAD]
    draft = BoardDraft(
        id=name,
        title=f"Board {name}",
        columns=los.columns,
        rows=los.rows,
        grid=grid,
        scale=SCALE,
        features=tuple(
            feature
            for word in roads
            for feature in road_features(word, roads_of(picture, layout, SCALE, word), facts.on_road, layout)
        ),
        picture=PictureDraft(
            wide=los.wide,
            high=los.high,
            cell=CELL,
            shows=picture.shows,
            cells=pack_cells(picture.columns),
            hexes={word: tuple(map(layout.label, found)) for word, found in sorted(facts.hexes.items())},
            levels=tuple(
                LevelHexes(level, tuple(map(layout.label, found))) for level, found in sorted(facts.levels.items())
            ),
        ),
        status="published",
        source="a VASL board file",
    )
    return Pictured(draft, {code: count for code, count in sorted(unknown.items()) if count})


def _check_size(los: LosData, where: str) -> None:
    """The pixels must lie to the hexes as they do on every geomorphic board."""
    wide, high = 225 * (los.columns - 1), 129 * los.rows
    if los.wide * 4 != wide or los.high * 2 != high:
        wrong = f"{los.columns} by {los.rows} hexes on {los.wide} by {los.high} pixels"
        raise BadInput([Fault(where, wrong, "56.25 pixels a column of hexes, 64.5 a row")])


def _picture(los: LosData, codes: VaslCodes) -> Picture:
    """Pixels as cells: each combination of terrain and elevation is one thing shown."""
    words = {code: codes.codes.get(code, "") for code in set().union(*map(set, los.terrain))}
    levels = {value: value - 256 if value > 127 else value for value in set().union(*map(set, los.elevation))}
    shows = sorted({Shown(word, level) for word in words.values() for level in levels.values()})
    numbers = {shown: number for number, shown in enumerate(shows)}
    columns = []
    tables = {
        value: bytes(numbers[Shown(words.get(code, ""), level)] for code in range(256))
        for value, level in levels.items()
    }
    for terrain, elevation in zip(los.terrain, los.elevation, strict=True):
        if elevation.count(elevation[0]) == los.high:
            columns.append(terrain.translate(tables[elevation[0]]))
        else:
            columns.append(bytes(tables[height][code] for code, height in zip(terrain, elevation, strict=True)))
    return Picture(los.wide, los.high, CELL, tuple(shows), tuple(columns))


class _Facts(NamedTuple):
    hexes: dict[str, list[Hex]]
    """The hexes that count as each kind of terrain."""
    levels: dict[int, list[Hex]]
    """The hexes on each level but 0."""
    on_road: set[Hex]
    """The hexes at whose centres a road shows."""


def _facts(picture: Picture, layout: Layout, terrain: Mapping[str, TerrainRow]) -> _Facts:
    """What every hex counts as."""
    facts = _Facts({}, {}, set())
    for hex in layout.hexes():
        x, y = centre(hex)
        middle = x * SCALE, (y - layout.top) * SCALE
        dot: Counter[str] = Counter()
        for shown, count in _dot(picture, middle, _DOT).items():
            dot[shown.kind] += count
        at_dot = dot.most_common(1)[0][0]
        if at_dot and terrain[at_dot].sight is Role.ROAD:
            facts.on_road.add(hex)
        word = _dominant(picture, HexWindow(picture, middle, SCALE), at_dot, terrain)
        if word:
            facts.hexes.setdefault(word, []).append(hex)
        level = _dot(picture, middle, 1).most_common(1)[0][0].level
        if level:
            facts.levels.setdefault(level, []).append(hex)
    return facts


@rule("1.1.1")
def _dominant(picture: Picture, window: HexWindow, at_dot: str, terrain: Mapping[str, TerrainRow]) -> str:
    """The terrain that a hex counts as; "" for Open Ground, with or without a road (1.1.1)"""
    counts: Counter[str] = Counter()
    for number, count in Counter(window.cells).items():
        counts[picture.shows[number].kind] += count
    total = counts.total()
    built = Counter({word: n for word, n in counts.items() if word and "building" in terrain[word].kind.value})
    if built.total() * 100 >= _BUILDING_PERCENT * total:
        return built.most_common(1)[0][0]
    if not at_dot or terrain[at_dot].sight is not Role.ROAD:
        return at_dot
    beside = Counter({word: n for word, n in counts.items() if word and terrain[word].sight is not Role.ROAD})
    best = beside.most_common(1)
    return best[0][0] if best and best[0][1] * 100 >= _ROADSIDE_PERCENT * total else ""


def _dot(picture: Picture, middle: tuple[int, int], radius: int) -> Counter[Shown]:
    """What the pixels about the centre of a hex show; at the edge of a board, those that are there."""
    found: Counter[Shown] = Counter()
    wide, high = picture.cell
    # In half pixels, the middles of pixels being odd.
    x, y = 2 * middle[0] / wide, 2 * middle[1] / high
    for column in range(int(x // 2) - radius, int(x // 2) + radius + 1):
        for row in range(int(y // 2) - radius, int(y // 2) + radius + 1):
            near = (2 * column + 1 - x) ** 2 + (2 * row + 1 - y) ** 2 <= (2 * radius) ** 2
            if near and (shown := picture.at(column, row)) is not None:
                found[shown] += 1
    return found
