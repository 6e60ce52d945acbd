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
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from operator import ne
from struct import unpack_from
from typing import NamedTuple

from sandtable.core.content.pack import Library
from sandtable.core.content.rule import rule
from sandtable.core.errors import BadInput, Fault
from sandtable.geo.board import BoardDraft
from sandtable.geo.board_file import BoardFile, ImportedBoard, Lacking
from sandtable.geo.grid import Grid, Layout
from sandtable.geo.hex import Hex, centre
from sandtable.geo.shapes.hulls import pack_hulls, picture_hulls
from sandtable.geo.shapes.picture import LevelHexes, Picture, PictureDraft, Shown, pack_cells
from sandtable.geo.shapes.pieces import HexWindow
from sandtable.geo.terrain_query import TerrainQuery
from sandtable.systems.aslsk.terrain.kinds import Role, TerrainRow, read_terrain
from sandtable.systems.aslsk.terrain.roads import road_features, roads_of
from sandtable.systems.aslsk.terrain.vasl_terrain import VaslCodes, read_codes

__all__ = ["LosData", "board_name", "import_board", "picture_board", "read_los_data"]

SCALE = 3225
"""Subdivisions of a lattice unit: the least in which pixels have whole corners."""
CELL = (172, 100)
"""Width and height of a pixel: 56.25 pixels are a column of hexes, 64.5 a row."""
_LARGEST = 16_000_000
"""Bytes of a grid, two a pixel: a map of 2,200 hexes; a board has 330."""
_MOST_EDGES, _MOST_EDGES_EACH = 600_000, 2_000
"""Places where a pixel differs from the next, of a grid and for each hex: they are the work. Board t, with the dots of
its orchards, has 260,000, which is 800 a hex."""
_MOST_LEVELS = 32
_MAGIC = b"\xac\xed\x00\x05"
_TAG = "<boardMetadata"
_LONGEST_TAG = 4096
_NAME = re.compile(r"\bname\s{0,9}=\s{0,9}\"([^\"]{0,200})\"")
_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]*")
_DOT = 5
"""Pixels about the centre of a hex that decide what it is."""
_BUILDING_PERCENT = 12
"""A building that fills less of a hex only overlaps from the next one."""
_ROADSIDE_PERCENT = 12
"""Woods or orchard beside a road's centre dot that fill less of the hex are a neighbour's."""


class LosData(NamedTuple):
    """The grid of a board file."""

    columns: int
    rows: int
    wide: int
    high: int
    terrain: tuple[bytes, ...]
    """Codes, pixel column by pixel column."""
    elevation: tuple[bytes, ...]


def import_board(file: BoardFile, library: Library) -> ImportedBoard:
    """The board in a file, with the terrain words of the packs."""
    name = file.name or board_name(file.metadata) or file.stem
    if not _ID.fullmatch(name):
        raise BadInput([Fault(file.file, f"{name!r} is no id", "--name with letters, digits and dashes")])
    codes = read_codes(*library.file("vasl.yaml"))
    terrain = read_terrain({where: data for data, where in [library.file("terrain.yaml")]})
    return picture_board(read_los_data(file.grid, f"{file.file}: LOSData"), name, codes, terrain, file.file)


def board_name(metadata: str) -> str:
    """The name in a board file's metadata, "" if there is none."""
    # One tag is looked at, and as text: whatever entities a file may define, nobody follows them.
    start = metadata.find(_TAG)
    tag = metadata[start : start + _LONGEST_TAG].partition(">")[0] if start >= 0 else ""
    found = _NAME.search(tag)
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
def picture_board(
    los: LosData, name: str, codes: VaslCodes, terrain: Mapping[str, TerrainRow], where: str
) -> ImportedBoard:
    """The board that a file's grid makes (1.1, 1.1.1)"""
    _check_size(los, where)
    _check_work(los, where)
    pixels = Counter(b"".join(los.terrain))
    grid = Grid(shifted="even")
    layout = Layout.of(grid, los.columns, los.rows)
    picture = _picture(_filled(los, layout, codes, terrain), codes)
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
            hulls=pack_hulls(picture_hulls(picture, layout, SCALE, _looks(picture, terrain)), layout),
            hexes={word: tuple(map(layout.label, found)) for word, found in sorted(facts.hexes.items())},
            levels=tuple(
                LevelHexes(level, tuple(map(layout.label, found))) for level, found in sorted(facts.levels.items())
            ),
        ),
        status="published",
        source="a VASL board file",
    )
    lacking = (
        Lacking(code, of.name, of.word, pixels[code])
        for code, of in sorted(codes.codes.items())
        if of.is_lacking and pixels[code]
    )
    unknown = {code: count for code, count in sorted(pixels.items()) if code not in codes.codes}
    return ImportedBoard(draft, tuple(lacking), unknown)


def _looks(picture: Picture, terrain: Mapping[str, TerrainRow]) -> Iterator[TerrainQuery]:
    """What sight will look for on the board: obstacles, together and alone, hindrances, and higher ground."""
    obstacles = [word for word, row in terrain.items() if row.sight is Role.OBSTACLE]
    yield TerrainQuery.at(*obstacles)
    yield from map(TerrainQuery.at, obstacles)
    yield from (TerrainQuery.at(word) for word, row in terrain.items() if row.sight is Role.HINDRANCE)
    levels = [shown.level for shown in picture.shows]
    yield from (TerrainQuery(above=level) for level in range(min(levels), max(levels) + 1))


def _check_size(los: LosData, where: str) -> None:
    """The pixels must lie to the hexes as they do on every geomorphic board."""
    wide, high = 225 * (los.columns - 1), 129 * los.rows
    if los.wide * 4 != wide or los.high * 2 != high:
        wrong = f"{los.columns} by {los.rows} hexes on {los.wide} by {los.high} pixels"
        raise BadInput([Fault(where, wrong, "56.25 pixels a column of hexes, 64.5 a row")])


def _check_work(los: LosData, where: str) -> None:
    """Outlines are drawn around whatever differs: a grid of noise would take for ever."""
    heights = {value - 256 if value > 127 else value for value in set().union(*map(set, los.elevation))}
    if max(heights) - min(heights) >= _MOST_LEVELS:
        raise BadInput([Fault(where, f"levels from {min(heights)} to {max(heights)}", f"at most {_MOST_LEVELS}")])
    most = min(_MOST_EDGES, _MOST_EDGES_EACH * los.columns * los.rows)
    edges = _edges(los.terrain) + _edges(los.elevation)
    if edges > most:
        raise BadInput([Fault(where, f"{edges} pixels that differ from the next", f"at most {most}: areas, no noise")])


def _edges(columns: Sequence[bytes]) -> int:
    """How many pixels differ from the one below, or the one to the right."""
    below = sum(sum(map(ne, column, column[1:])) for column in columns)
    return below + sum(sum(map(ne, one, other)) for one, other in pairwise(columns))


def _filled(los: LosData, layout: Layout, codes: VaslCodes, terrain: Mapping[str, TerrainRow]) -> LosData:
    """The grid with inherent terrain all over its hexes, unless it is inherent in this system as well (1.1.1)"""
    fills = {
        code
        for code, of in codes.codes.items()
        if of.inherent and of.word and terrain[of.word].sight is not Role.INHERENT
    }
    if not fills.intersection(b"".join(los.terrain)):
        return los
    columns = [bytearray(column) for column in los.terrain]
    for hex in layout.hexes():
        x, y = centre(hex)
        # The centre in half pixels; a hex is 75 pixels wide and 64.5 high.
        middle = x * SCALE * 2 // CELL[0], (y - layout.top) * SCALE * 2 // CELL[1]
        at = min(middle[0] // 2, los.wide - 1), min(middle[1] // 2, los.high - 1)
        code = los.terrain[at[0]][at[1]]
        if code not in fills:
            continue
        for column in range(max(0, at[0] - 38), min(los.wide, at[0] + 39)):
            aside = abs(2 * column + 1 - middle[0])
            reach = min(64.5, 64.5 * (75 - aside) / 37.5)
            top = max(0, round((middle[1] - reach) / 2))
            bottom = min(los.high, round((middle[1] + reach) / 2))
            if top < bottom:
                columns[column][top:bottom] = bytes([code]) * (bottom - top)
    return los._replace(terrain=tuple(map(bytes, columns)))


def _picture(los: LosData, codes: VaslCodes) -> Picture:
    """Pixels as cells: each combination of terrain and elevation is one thing shown."""
    words = {code: codes.codes[code].word for code in set().union(*map(set, los.terrain)) if code in codes.codes}
    levels = {value: value - 256 if value > 127 else value for value in set().union(*map(set, los.elevation))}
    shows = sorted({Shown(word, level) for word in {"", *words.values()} for level in levels.values()})
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
