"""The built client: its page, and what that page fetches.

Everything under ``assets`` carries a digest of its content in its name and may be kept for ever; the page itself is
asked for anew each time, so that a new version is seen at once.
"""

from __future__ import annotations

import mimetypes
from pathlib import Path

from litestar.datastructures import CacheControlHeader
from litestar.router import Router
from litestar.static_files import create_static_files_router

__all__ = ["STATIC", "client_routers", "has_client"]

STATIC = Path(__file__).parent / "static"
"""The built client."""

_A_YEAR = 365 * 24 * 3600

# Not every Python and not every machine knows the type of fonts. Licences are there to be read: browsers show plain
# text and would put Markdown away as a download.
mimetypes.add_type("font/woff2", ".woff2")
mimetypes.add_type("text/plain", ".md")


def has_client(static: Path) -> bool:
    """Whether a client was built there."""
    return (static / "index.html").is_file()


def client_routers(static: Path) -> list[Router]:
    """What hands out the client that was built there."""
    page = create_static_files_router(
        path="/",
        directories=[static],
        html_mode=True,
        include_in_schema=False,
        name="client",
        cache_control=CacheControlHeader(no_cache=True),
    )
    if not (static / "assets").is_dir():
        return [page]
    assets = create_static_files_router(
        path="/assets",
        directories=[static / "assets"],
        include_in_schema=False,
        name="assets",
        cache_control=CacheControlHeader(public=True, max_age=_A_YEAR, immutable=True),
    )
    return [assets, page]
