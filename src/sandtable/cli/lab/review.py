"""``sandtable review``: how a game went, where it turned, and whether luck or decisions turned it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from sandtable.cli.output import Json, PackFolders, say

__all__ = ["review"]


def review(
    log: Annotated[Path, typer.Argument(help="A log, as `play` saves it.")],
    *,
    games: Annotated[int, typer.Option("--games", min=2, help="Playouts at each point of the curve.")] = 40,
    seed: Annotated[int, typer.Option("--seed", help="The same seed plays the same playouts.")] = 0,
    bot: Annotated[str, typer.Option("--bots", help="Who plays on, for both sides.")] = "greedy",
    jobs: Annotated[int, typer.Option("--jobs", min=1, help="Processes to share the work.")] = 1,
    html: Annotated[Path | None, typer.Option("--html", help="Write the review as a page with plots.")] = None,
    json: Json = False,
    pack: PackFolders = None,
) -> None:
    """Review a game: the chance to win over time, turning points, luck against decision."""
    from sandtable import catalog
    from sandtable.cli.lab.pages import check_page, write_page
    from sandtable.cli.lab.progress import Progress
    from sandtable.cli.output import emit, the_packs
    from sandtable.sim.review import review_text

    extra = the_packs(pack)
    text = catalog.read_text(log)
    if html is not None:
        check_page(html)
    with Progress("pieces of work") as progress:
        result = review_text(
            text, str(log), extra=extra, games=games, seed=seed, bot=bot, jobs=jobs, tell=progress.tell
        )
    for warning in result.warnings:
        say(warning)
    if html is not None:
        from sandtable.sim.pages.review_page import review_html

        write_page(html, review_html(result))
    if json:
        emit(result)
    else:
        print("\n".join(result.lines()))
