"""``sandtable pack check DIR``: reads a pack whole and names every fault."""

from __future__ import annotations

from itertools import takewhile
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sandtable.cli.output import BAD_INPUT, Json, say

if TYPE_CHECKING:
    from sandtable.core.content.pack import Pack
    from sandtable.core.errors import Faults

__all__ = ["pack"]

pack = typer.Typer(
    name="pack", no_args_is_help=True, add_completion=False, rich_markup_mode=None, pretty_exceptions_enable=False
)


@pack.callback()
def own_packs() -> None:
    """Packs of your own."""


@pack.command("check")
def check(
    folder: Annotated[Path, typer.Argument(help="The pack's folder.", metavar="DIR")],
    json: Json = False,
) -> None:
    """Read a pack whole, together with the shipped one that it goes with, and name every fault."""
    from sandtable import catalog, packs
    from sandtable.cli.output import emit
    from sandtable.core.content.pack import Library
    from sandtable.core.errors import BadInput, Faults

    faults = Faults()
    found = _read(folder, faults)
    if found is not None:
        manifest = found.manifest
        with faults.gathering():
            system = catalog.system(manifest.edition, f"{found.where}/manifest.yaml: edition")
            if manifest.id in (system.card.pack, *packs.shipped_ids()):
                known = catalog.library(manifest.edition).packs
                below = takewhile(lambda pack: pack.manifest.id != manifest.id, known)
                library = Library([*below, found])
            else:
                library = catalog.library(manifest.edition, [found])
            system.check_pack(library)
        for name in packs.unread(folder):
            if name.endswith((".yml", ".json")) and name != "evidence.json":
                faults.add(f"{found.where}/{name}", "is no part of the pack", "a name that ends in .yaml")
    listed = list(faults)
    if json:
        emit(
            {
                "pack": found.manifest.id if found is not None else None,
                "system": found.manifest.edition if found is not None else None,
                "digest": found.digest if found is not None else None,
                "files": len(found.files) if found is not None else 0,
                "faults": [{"where": f.where, "wrong": f.wrong, "right": f.right} for f in listed],
            }
        )
        if listed:
            raise typer.Exit(BAD_INPUT)
        return
    if listed:
        raise BadInput(listed)
    assert found is not None  # noqa: S101 - else there is a fault
    say(f"{found.where}: {found.manifest.title}, {len(found.files)} files, digest {found.digest}: no faults")


def _read(folder: Path, faults: Faults) -> Pack | None:
    from sandtable import packs
    from sandtable.core.errors import BadInput

    try:
        return packs.read_folder(folder)
    except BadInput as bad:
        for fault in bad.faults:
            faults.add(fault.where, fault.wrong, fault.right)
        return None
