"""1.1 Mapboard: the boards of a game's packs, each read when it is first asked for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from sandtable.core.errors import Faults
from sandtable.core.pack import Library
from sandtable.geo.board import Board, read_board

__all__ = ["Boards"]


class Boards(Mapping[str, Board]):
    """Boards by id; a later pack's replaces an earlier one's. A board's file has the name of its id."""

    def __init__(self, library: Library) -> None:
        self._files = {name: (data, where) for name, data, where in library.section("boards")}
        self._read: dict[str, Board] = {}

    def __getitem__(self, name: str) -> Board:
        board = self._read.get(name)
        if board is None:
            board = self._read[name] = read_board(*self._files[name])
        return board

    def __iter__(self) -> Iterator[str]:
        return iter(self._files)

    def __len__(self) -> int:
        return len(self._files)

    def __contains__(self, name: object) -> bool:
        return name in self._files

    def check(self) -> None:
        """Read all; raise ``BadInput`` with every fault, an id that is not the file's name among them."""
        faults = Faults()
        for name, (_, where) in self._files.items():
            with faults.gathering():
                if self[name].id != name:
                    faults.add(f"{where}: id", repr(self[name].id), f"{name}, the name of its file")
        faults.check()
