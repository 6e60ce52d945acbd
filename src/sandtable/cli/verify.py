"""``sandtable verify LOG``: resolves a game's actions again and compares."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from sandtable.cli.output import FAILED, Json, PackFolders, say

__all__ = ["verify"]


def verify(
    log: Annotated[Path, typer.Argument(help="A log, as `play` saves it.")],
    json: Json = False,
    pack: PackFolders = None,
) -> None:
    """Resolve a saved game again and compare.

    Its actions are resolved with its rolls; exits with 1 where the rules of today go another way.
    """
    from sandtable import catalog
    from sandtable.cli.output import emit, the_packs
    from sandtable.core.replay import verify as resolve_again

    found = catalog.open_log(catalog.read_text(log), str(log), the_packs(pack))
    differences = resolve_again(found.ruleset, found.log)
    if json:
        emit({"entries": len(found.log.lines), "differences": differences, "warnings": found.warnings})
    for warning in found.warnings:
        say(warning)
    if not json:
        for difference in differences:
            print(f"{log}: {difference}")
        print(f"{len(found.log.lines)} entries, {len(differences)} differences")
    if differences:
        raise typer.Exit(FAILED)
