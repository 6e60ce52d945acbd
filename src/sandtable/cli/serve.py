"""``sandtable serve``: play in the browser, on this machine or for others."""

from __future__ import annotations

import os
from typing import Annotated

import typer

from sandtable.cli.output import PackFolders

__all__ = ["serve"]


def serve(
    *,
    host: Annotated[str, typer.Option("--host", help="Address to listen at.")] = "127.0.0.1",
    port: Annotated[
        int, typer.Option("--port", min=0, max=65535, help="Port to listen at; 0 takes a free one.")
    ] = 8000,
    database: Annotated[
        str | None,
        typer.Option("--database", help="A file, or postgresql://...; else $SANDTABLE_DATABASE, else sandtable.db."),
    ] = None,
    origin: Annotated[
        list[str] | None, typer.Option("--origin", help="Another page that may use the server, as https://HOST.")
    ] = None,
    allow_host: Annotated[
        list[str] | None,
        typer.Option("--allow-host", help="A name that the server is reached under, as games.example.org."),
    ] = None,
    proxy: Annotated[
        list[str] | None,
        typer.Option("--proxy", help="A reverse proxy, whose X-Forwarded-For is believed: its address or network."),
    ] = None,
    limits: Annotated[
        float, typer.Option("--limits", min=0.01, help="Scale of what one address may do; 10 for a club behind one.")
    ] = 1.0,
    ready_game: Annotated[bool, typer.Option("--ready", help="Point at a game that begins at once.")] = False,
    open_browser: Annotated[bool, typer.Option("--open", help="Open the browser.")] = False,
    pack: PackFolders = None,
) -> None:
    """Serve the lobby and the tables; Ctrl-C ends it, and every game is kept."""
    from sandtable.cli.output import say, the_packs
    from sandtable.core.extras import needs_extra

    with needs_extra("server", "serve", "the server"):
        from sandtable.server.run import run

    where = database or os.environ.get("SANDTABLE_DATABASE") or "sandtable.db"

    def ready(address: str) -> None:
        page = f"{address}#/new" if ready_game else address
        say(f"Sandtable is at {address} (Ctrl-C ends it)")
        if ready_game:
            say(f"A game against the computer is ready at {page}")
        if open_browser:
            import webbrowser

            webbrowser.open(page)

    run(
        host,
        port,
        where,
        the_packs(pack),
        origins=tuple(origin or ()),
        hosts=tuple(allow_host or ()),
        proxies=tuple(proxy or ()),
        limits=limits,
        ready=ready,
    )
