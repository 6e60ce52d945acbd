"""``sandtable import-board``: a VASL board file becomes a pack with that board."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sandtable.cli.output import Json, PackFolders, say

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sandtable.core.content.pack import Library, Manifest, Pack
    from sandtable.geo.board import BoardDraft
    from sandtable.geo.board_file import ImportedBoard, ImportsBoards

__all__ = ["import_board"]

METADATA, GRID = "BoardMetadata.xml", "LOSData"


def import_board(
    file: Annotated[Path, typer.Argument(help="A VASL board file, such as bdt.")],
    out: Annotated[Path, typer.Option("--out", metavar="DIR", help="The pack folder to write; made if need be.")],
    *,
    name: Annotated[str | None, typer.Option("--name", help="Id of the board; left out, the file's own.")] = None,
    json: Json = False,
    pack: PackFolders = None,
) -> None:
    """Turn a VASL board file into a pack; a board of the same id replaces the shipped one in games with the pack."""
    from sandtable.cli.output import emit, the_packs

    importer, library, system = _importer(the_packs(pack))
    found = _read(file, name, importer, library)
    target = _write(found.board, out, library, system)
    if json:
        emit(
            {
                "board": found.board.id,
                "system": system,
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
        say(f"{file}: terrain that {system} does not have counts as the nearest that it has: {stand_ins}")
    if found.unknown:
        unknown = ", ".join(f"{code} ({pixels} pixels)" for code, pixels in found.unknown.items())
        say(f"{file}: terrain codes that nobody has explained count as open ground: {unknown}")


def _plain(word: str) -> str:
    return word.replace("_", " ") or "open ground"


def _importer(extra: Sequence[Pack]) -> tuple[ImportsBoards, Library, str]:
    """The first system that reads such files, its packs and its id."""
    from sandtable import catalog
    from sandtable.core.errors import BadInput, Fault
    from sandtable.geo.board_file import ImportsBoards

    for key in catalog.system_ids():
        system = catalog.system(key)
        if isinstance(system, ImportsBoards):
            return system, catalog.library(key, extra), key
    raise BadInput([Fault("import-board", "no system here reads board files")])


def _read(file: Path, name: str | None, importer: ImportsBoards, library: Library) -> ImportedBoard:
    """The board in a file."""
    from sandtable.cli.zip_members import read_members
    from sandtable.geo.board_file import BoardFile

    metadata, grid = read_members(file, (METADATA, GRID), "a VASL board file")
    stem = file.name.removeprefix("bd")
    given = BoardFile(metadata.decode(errors="replace"), grid, name or "", stem, str(file))
    return importer.import_board(given, library)


def _write(board: BoardDraft, out: Path, library: Library, system: str) -> Path:
    """Write a pack with the board, or add the board to a pack that is there."""
    from sandtable import packs
    from sandtable.core.errors import BadInput, Fault

    manifest = out / packs.MANIFEST
    if manifest.exists():
        edition = packs.read_folder(out).manifest.edition
        if edition != system:
            raise BadInput([Fault(str(out), f"is a pack of {edition}", f"a new folder, or a pack of {system}")])
    elif out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise BadInput([Fault(str(out), "is there and is no pack", "a new folder")])
    target = out / "boards" / f"{board.id}.yaml"
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        if not manifest.exists():
            manifest.write_text(_manifest(board.id, library.packs[0].manifest), encoding="utf-8")
        target.write_text(_board(board), encoding="utf-8")
    except OSError as error:
        raise BadInput([Fault(str(target), f"cannot be written: {error.strerror}")]) from None
    return target


def _manifest(board: str, own: Manifest) -> str:
    from sandtable.core.content.yaml_text import dump_yaml

    content = {
        "id": f"vasl-{board}",
        "title": f"Board {board} from a VASL file",
        "system": own.system,
        "edition": own.edition,
        "version": 1,
        "extends": own.id,
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
