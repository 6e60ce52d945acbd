"""Hulls of a picture worked out beforehand: for some looks, what each hex of the board shows of them.

Whoever makes a picture board knows which looks its system will ask for. Working out their pieces takes longer than
many lines of sight, so the board file may hold them: for each look, by label, the share of the hex that is filled and
the hulls of the pieces, packed like the cells. Hexes that are not listed show nothing. They follow from the cells; the
check of a pack works them out again and compares.
"""

from __future__ import annotations

import zlib
from base64 import b64decode, b64encode
from binascii import Error as NotBase64
from collections.abc import Iterable, Mapping
from fractions import Fraction

import msgspec

from sandtable.core.codec import decode
from sandtable.core.errors import Faults
from sandtable.geo.grid import Layout
from sandtable.geo.hex import Hex, centre
from sandtable.geo.shapes.picture import Picture
from sandtable.geo.shapes.pieces import NOTHING, HexWindow, Piece, Pieces
from sandtable.geo.shapes.polygon import Point, doubled_area
from sandtable.geo.terrain_query import TerrainQuery

__all__ = ["Hulls", "check_hulls", "pack_hulls", "picture_centre", "picture_hulls", "read_hulls"]

Hulls = Mapping[TerrainQuery, Mapping[Hex, Pieces]]
"""By look, the hexes that show some of it."""

_LARGEST = 16_000_000
"""Bytes of the largest hulls that are read, unpacked."""
_Hull = tuple[int, ...]
"""x and y of corner after corner."""


class _LookHulls(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    kinds: tuple[str, ...]
    others: bool
    above: int | None
    hexes: dict[str, tuple[int, int, tuple[_Hull, ...]]]
    """By label: numerator and denominator of the share, and the hulls."""


def picture_centre(layout: Layout, hex: Hex, scale: int) -> Point:
    """The centre of a board's hex in the units of its picture."""
    x, y = centre(hex)
    return x * scale, (y - layout.top) * scale


def picture_hulls(picture: Picture, layout: Layout, scale: int, looks: Iterable[TerrainQuery]) -> Hulls:
    """What every hex of a board shows of some looks; a lattice unit is ``scale`` of the picture's units."""
    windows = {hex: HexWindow(picture, picture_centre(layout, hex, scale), scale) for hex in layout.hexes()}
    found: dict[TerrainQuery, dict[Hex, Pieces]] = {}
    for look in looks:
        table = picture.table(look)
        seen = ((hex, window.pieces(table)) for hex, window in windows.items())
        found[look] = {hex: pieces for hex, pieces in seen if pieces.pieces}
    return found


def pack_hulls(hulls: Hulls, layout: Layout) -> str:
    """The text of hulls, as a board file has it."""
    plain = [
        _LookHulls(
            tuple(sorted(look.kinds)),
            look.others,
            look.above,
            {
                layout.label(hex): (
                    pieces.share.numerator,
                    pieces.share.denominator,
                    tuple(tuple(value for corner in piece.hull for value in corner) for piece in pieces.pieces),
                )
                for hex, pieces in sorted(hexes.items())
            },
        )
        for look, hexes in hulls.items()
    ]
    text = b64encode(zlib.compress(msgspec.json.encode(plain), 9)).decode()
    return "\n".join(text[start : start + 100] for start in range(0, len(text), 100))


def read_hulls(text: str, layout: Layout, scale: int, faults: Faults, where: str) -> Hulls:
    """Hulls from their text; faults are added to ``faults``."""
    try:
        unpacker = zlib.decompressobj()
        plain = unpacker.decompress(b64decode("".join(text.split()), validate=True), _LARGEST)
        if unpacker.unconsumed_tail:
            faults.add(where, f"unpack to more than {_LARGEST} bytes")
            return {}
        drafts = decode(plain, tuple[_LookHulls, ...])
    except (NotBase64, zlib.error, ValueError, msgspec.DecodeError) as error:
        faults.add(where, f"cannot be unpacked: {error}", "hulls packed with zlib, in base64")
        return {}
    by_label = {layout.label(hex): hex for hex in layout.hexes()}
    found: dict[TerrainQuery, dict[Hex, Pieces]] = {}
    for draft in drafts:
        look = TerrainQuery(frozenset(draft.kinds), draft.others, draft.above)
        found[look] = {}
        for label, (part, whole, hulls) in draft.hexes.items():
            hex = by_label.get(label)
            if hex is None or not 0 < part <= whole or not hulls or not all(_is_hull(hull, scale) for hull in hulls):
                faults.add(where, f"hex {label} has no such outline", "what sandtable import-board writes")
                return {}
            pieces = tuple(Piece(tuple(zip(hull[::2], hull[1::2], strict=True)), scale) for hull in hulls)
            found[look][hex] = Pieces(pieces, Fraction(part, whole))
    return found


def _is_hull(hull: _Hull, scale: int) -> bool:
    """Whether numbers may be the corners of a figure inside a hex."""
    if len(hull) < 6 or len(hull) % 2 or any(abs(value) > 2 * scale for value in hull):
        return False
    return doubled_area(tuple(zip(hull[::2], hull[1::2], strict=True))) > 0


def check_hulls(picture: Picture, hulls: Hulls, layout: Layout, scale: int, faults: Faults, *, where: str) -> None:
    """Work the hulls out again; a fault that names the hexes that the cells show differently."""
    for look, hexes in picture_hulls(picture, layout, scale, hulls).items():
        wrong = [hex for hex in layout.hexes() if hexes.get(hex, NOTHING) != hulls[look].get(hex, NOTHING)]
        if wrong:
            labels = ", ".join(map(layout.label, wrong))
            faults.add(where, f"{labels}: not what the cells show", "what sandtable import-board writes")
