"""``sandtable import-board``: a VASL board file becomes a pack with that board."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sandtable.cli.output import Json, PackFolders, say

if TYPE_CHECKING:
    from sandtable.core.content.pack import Library
    from sandtable.geo.board import BoardDraft
    from sandtable.systems.aslsk.terrain.vasl import Pictured

__all__ = ["import_board"]

SYSTEM = "aslsk3"
METADATA, GRID = "BoardMetadata.xml", "LOSData"
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]*")


def import_board(
    file: Annotated[Path, typer.Argument(help="A VASL board file, such as bdt.")],
    out: Annotated[Path, typer.Option("--out", metavar="DIR", help="The pack folder to write; made if need be.")],
    *,
    name: Annotated[str | None, typer.Option("--name", help="Id of the board; left out, the file's own.")] = None,
    json: Json = False,
    pack: PackFolders = None,
) -> None:
    """Turn a VASL board file into a pack; a board of the same id replaces the shipped one in games with the pack."""
    from sandtable import catalog
    from sandtable.cli.output import emit, the_packs

    library = catalog.library(SYSTEM, the_packs(pack))
    found = _read(file, name, library)
    target = _write(found.board, out)
    if json:
        emit(
            {
                "board": found.board.id,
                "system": SYSTEM,
                "columns": found.board.columns,
                "rows": found.board.rows,
                "pack": str(out),
                "file": str(target),
                "lacking": [one._asdict() for one in found.lacking],
                "unknown": {str(code): pixels for code, pixels in found.unknown.items()},
            }
        )
    else:
        print(f"board {found.board.id}, {found.board.columns} by {found.board.rows} hexes: {target}")
    if found.lacking:
        stand_ins = ", ".join(f"{one.name} as {_plain(one.word)}" for one in found.lacking)
        say(f"{file}: terrain that {SYSTEM} does not have counts as the nearest that it has: {stand_ins}")
    if found.unknown:
        unknown = ", ".join(f"{code} ({pixels} pixels)" for code, pixels in found.unknown.items())
        say(f"{file}: terrain codes that nobody has explained count as open ground: {unknown}")


def _plain(word: str) -> str:
    return word.replace("_", " ") or "open ground"


def _read(file: Path, name: str | None, library: Library) -> Pictured:
    """The board in a file."""
    from sandtable.cli.zip_members import read_members
    from sandtable.core.errors import BadInput, Fault
    from sandtable.systems.aslsk.terrain.kinds import read_terrain
    from sandtable.systems.aslsk.terrain.vasl import board_name, picture_board, read_los_data
    from sandtable.systems.aslsk.terrain.vasl_terrain import read_codes

    metadata, grid = read_members(file, (METADATA, GRID), "a VASL board file")
    board = name or board_name(metadata.decode(errors="replace")) or file.name.removeprefix("bd")
    if not _NAME.fullmatch(board):
        raise BadInput([Fault(str(file), f"{board!r} is no id", "--name with letters, digits and dashes")])
    codes = read_codes(*library.file("vasl.yaml"))
    terrain = read_terrain({where: data for data, where in [library.file("terrain.yaml")]})
    return picture_board(read_los_data(grid, f"{file}: {GRID}"), board, codes, terrain, str(file))


def _write(board: BoardDraft, out: Path) -> Path:
    """Write a pack with the board, or add the board to a pack that is there."""
    from sandtable import catalog, packs
    from sandtable.core.errors import BadInput, Fault

    manifest = out / packs.MANIFEST
    if manifest.exists():
        edition = packs.read_folder(out).manifest.edition
        if edition != SYSTEM:
            raise BadInput([Fault(str(out), f"is a pack of {edition}", f"a new folder, or a pack of {SYSTEM}")])
    elif out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise BadInput([Fault(str(out), "is there and is no pack", "a new folder")])
    target = out / "boards" / f"{board.id}.yaml"
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        if not manifest.exists():
            system = catalog.library(SYSTEM).packs[0].manifest.system
            manifest.write_text(_manifest(board.id, system), encoding="utf-8")
        target.write_text(_board(board), encoding="utf-8")
    except OSError as error:
        raise BadInput([Fault(str(target), f"cannot be written: {error.strerror}")]) from None
    return target


def _manifest(board: str, system: str) -> str:
    from sandtable.core.content.yaml_text import dump_yaml

    content = {
        "id": f"vasl-{board}",
        "title": f"Board {board} from a VASL file",
        "system": system,
        "edition": SYSTEM,
        "version": 1,
        "extends": SYSTEM,
        "note": "Made by sandtable import-board from a file of the user's own.",
    }
    return dump_yaml(content)


def _board(board: BoardDraft) -> str:
    """A board as a file; what is packed stands last, as it is."""
    import msgspec

    from sandtable.core.content.yaml_text import dump_yaml

    plain = msgspec.to_builtins(board)
    picture = plain.pop("picture")
    packed = {name: picture.pop(name) for name in ("hulls", "cells")}
    content = {key: value for key, value in plain.items() if value not in ("", [], {}, None)}
    content["grid"] = {"shifted": board.grid.shifted}
    content["features"] = [{"kind": one.kind, "line": list(one.line)} for one in board.features]
    content["picture"] = picture
    return dump_yaml(content, flow=None) + "".join(
        f"  {name}: |\n" + "".join(f"    {line}\n" for line in text.splitlines()) for name, text in packed.items()
    )
