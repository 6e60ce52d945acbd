"""Boards out of the files of other programs: what a system is given, and what it makes of it."""

from __future__ import annotations

from typing import NamedTuple, Protocol, runtime_checkable

from sandtable.core.content.pack import Library
from sandtable.geo.board import BoardDraft

__all__ = ["BoardFile", "ImportedBoard", "ImportsBoards", "Lacking"]


class BoardFile(NamedTuple):
    """A VASL board file, unpacked."""

    metadata: str
    grid: bytes
    """Terrain and elevation, pixel by pixel."""
    name: str
    """Id that the board shall have; "" for the file's own."""
    stem: str
    """What a board without a name is called, after its file."""
    file: str
    """Path of the file, for faults and as the source."""


class Lacking(NamedTuple):
    """Terrain of a file that a system does not have."""

    code: int
    name: str
    word: str
    """The nearest thing that it has, which stands for it; "" is Open Ground."""
    pixels: int


class ImportedBoard(NamedTuple):
    """A board made from a file, and what the file shows that the system does not have."""

    board: BoardDraft
    lacking: tuple[Lacking, ...]
    unknown: dict[int, int]
    """Pixels by terrain code, of codes that nobody has explained; they count as Open Ground."""


@runtime_checkable
class ImportsBoards(Protocol):
    """A system that reads VASL's boards: a capability as those of :mod:`sandtable.core.capabilities`."""

    def import_board(self, file: BoardFile, library: Library) -> ImportedBoard:
        """The board of a file; raise :class:`BadInput` if it is none."""
        ...
