"""Boards: a grid and the features drawn on it.

A board file is YAML: id, title, size, grid and features; :class:`BoardDraft` is its shape before labels are
looked up, :class:`Board` is the checked thing. A board knows nothing of play: which terrain words exist and
what they do is for the system's terrain table.

**Edges.** The default grid is geomorphic (see :mod:`sandtable.geo.grid`): straight edges that cut hexes in
half at the same places on every board of the same size. Where two boards meet, two halves make one hex. It
has one identity and both labels: it belongs to the board that prints an identifier in its half, which by
default the top and left edges do and the bottom and right edges do not; where both print one, or neither,
to the board placed first. Terrain given by hexes comes from the board that the hex belongs to; outlines,
roads and hexsides come from both boards, each drawing its own half. On a single board every half hex is a
hex like any other. Numeric labels must be quoted in YAML, which otherwise reads 0314 as an octal number.
"""

from __future__ import annotations

from functools import lru_cache

import msgspec

from sandtable.core.codec import digest
from sandtable.core.content.reading import convert
from sandtable.core.content.yaml_text import parse_yaml
from sandtable.core.errors import BadInput, Fault, Faults
from sandtable.geo.feature import Feature, FeatureDraft, read_feature
from sandtable.geo.grid import FirstRows, Grid, Layout
from sandtable.geo.hex import Hex
from sandtable.geo.outlining import outlined, pictured_features
from sandtable.geo.plane.table import is_table
from sandtable.geo.shapes.hulls import Hulls, check_hulls, read_hulls
from sandtable.geo.shapes.picture import Picture, PictureDraft, read_picture

__all__ = ["MOST_HEXES", "Board", "BoardDraft", "read_board"]

MOST_HEXES = 6000
"""Hexes of a map; the largest that is shipped has 660."""
MOST_SCALE = 10_000
_MOST_KEPT = 128 * 1024
"""Characters of a file whose board is kept; the largest of the shipped packs has 23,000."""


class BoardDraft(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A board file as it was written."""

    id: str
    columns: int
    rows: int
    """Whole hexes in a column that is not shifted."""
    title: str = ""
    prefix: str = ""
    """What stands before a label when several boards are in play, such as the 2 of 2K12; left out, the id."""
    grid: Grid = Grid()
    scale: int = 1
    """Subdivisions of a lattice unit in which outlines are given."""
    features: tuple[FeatureDraft, ...] = ()
    picture: PictureDraft | None = None
    """The board as a picture grid, if it was drawn as one; its corner is the board's top left corner."""
    status: str = ""
    source: str = ""
    note: str = ""


class Board(msgspec.Struct, frozen=True):
    """A board that has been checked; hexes are in its own coordinates."""

    id: str
    title: str
    prefix: str
    layout: Layout
    features: tuple[Feature, ...]
    scale: int
    """Subdivisions of a lattice unit in the points of its features."""
    digest: str
    picture: Picture | None = None
    """In units of which a lattice unit has half as many as it has in the points of features."""
    hulls: Hulls = {}
    """What its hexes show of some looks, as far as the file has that ready."""

    @classmethod
    def from_draft(cls, draft: BoardDraft, where: str = "") -> Board:
        """Check a draft; :class:`~sandtable.core.errors.BadInput` with all its faults."""
        faults = Faults(where or f"board {draft.id}")
        if not draft.id.strip():
            faults.add("id", "is empty")
        for name in ("columns", "rows", "scale"):
            if getattr(draft, name) < 1:
                faults.add(name, f"is {getattr(draft, name)}", "at least 1")
        if draft.columns * draft.rows > MOST_HEXES:
            faults.add("columns, rows", f"{draft.columns} by {draft.rows}", f"at most {MOST_HEXES} hexes")
        first = draft.grid.first_rows or FirstRows(1, 1)
        if not all(abs(number) <= MOST_HEXES for number in (draft.grid.first_column, first.straight, first.shifted)):
            faults.add("grid", "begins far off", f"a column and row up to {MOST_HEXES}")
        if draft.scale > MOST_SCALE:
            faults.add("scale", str(draft.scale), f"at most {MOST_SCALE}")
        faults.check()
        layout = Layout.of(draft.grid, draft.columns, draft.rows)
        features = [
            read_feature(feature, layout, draft.scale, faults, f"features[{index}]")
            for index, feature in enumerate(draft.features)
        ]
        picture = None
        hulls: Hulls = {}
        if draft.picture is not None:
            picture = read_picture(draft.picture, faults, "picture")
            features += pictured_features(draft.picture, picture, layout, faults)
            if draft.picture.hulls:
                hulls = read_hulls(draft.picture.hulls, layout, draft.scale, faults, "picture.hulls")
        faults.check()
        return cls(
            id=draft.id,
            title=draft.title or draft.id,
            prefix=draft.prefix or draft.id,
            layout=layout,
            features=tuple(feature for feature in features if feature is not None),
            scale=2 * draft.scale,
            digest=digest(draft),
            picture=picture,
            hulls=hulls,
        )

    def check_hulls(self, where: str, faults: Faults) -> None:
        """Compare what the file has ready with what its cells show."""
        if self.picture is not None:
            check_hulls(self.picture, self.hulls, self.layout, self.scale // 2, faults, where=f"{where}: picture.hulls")

    def drawn(self) -> tuple[Feature, ...]:
        """Its features as they are to be drawn: those of a picture with their outlines, worked out at every call."""
        picture = self.picture
        if picture is None:
            return self.features
        return tuple(
            shape
            for feature in self.features
            for shape in (
                outlined(feature, picture, self.layout, self.scale)
                if feature.hexes and not (feature.line or feature.outline or feature.sides)
                else (feature,)
            )
        )

    def hex(self, label: str, where: str = "label") -> Hex:
        """The hex of a label, in the board's own coordinates."""
        return self.layout.hex(label, where)

    def label(self, hex: Hex) -> str:
        """The label of a hex of the board."""
        return self.layout.label(hex)


def read_board(data: bytes | str, where: str) -> Board:
    """Read a board file's contents; :class:`~sandtable.core.errors.BadInput` with all its faults."""
    return _kept(data, where) if len(data) <= _MOST_KEPT else _read(data, where)


@lru_cache(maxsize=64)
def _kept(data: bytes | str, where: str) -> Board:
    """Packs are read for every game, and a board takes longer than all the rest of them."""
    return _read(data, where)


def _read(data: bytes | str, where: str) -> Board:
    plain = parse_yaml(data, where)
    if is_table(plain):
        raise BadInput([Fault(f"{where}: table", "a table without hexes", "a board with columns and rows")])
    return Board.from_draft(convert(plain, BoardDraft, where), where)
