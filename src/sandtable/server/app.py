"""The application: handlers, limits and the built client, put together."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from litestar import Litestar, MediaType, Request, Response, get
from litestar.config.compression import CompressionConfig
from litestar.datastructures import State
from litestar.exceptions import HTTPException
from litestar.openapi.config import OpenAPIConfig
from litestar.openapi.plugins import JsonRenderPlugin

from sandtable import __version__
from sandtable.core.content.pack import Pack
from sandtable.core.errors import BadInput, Fault, Refused
from sandtable.server.addresses import Hosts
from sandtable.server.api import HANDLERS
from sandtable.server.client import STATIC, client_routers, has_client
from sandtable.server.limits import Guard, Rates, TooMany
from sandtable.server.messages import MAX_MESSAGE
from sandtable.server.reviews import Reviews
from sandtable.server.socket import table_socket
from sandtable.session.files.workshop import Busy
from sandtable.session.queries import Denied
from sandtable.session.registry import NotFound, Registry
from sandtable.session.store import Damaged, open_store

__all__ = ["STATIC", "create_app"]

_log = logging.getLogger(__name__)
_NO_CLIENT = (
    "<!doctype html><title>Sandtable</title><h1>Sandtable</h1>"
    "<p>The server runs, but the browser client was not built. <code>make play</code> builds it.</p>"
)


def create_app(
    database: str,
    packs: Sequence[Pack] = (),
    *,
    origins: Sequence[str] = (),
    hosts: Hosts | None = None,
    pace: float = 0.0,
    limits: float = 1.0,
    workers: int = 0,
    static: Path = STATIC,
) -> Litestar:
    """The application over a database.

    ``origins`` are pages of other addresses that may use it, ``hosts`` the names that it answers to (without them to
    all); ``limits`` scales the rates of requests and messages.
    Bots think in so many processes of their own; with no ``workers`` in threads.
    """

    @asynccontextmanager
    async def open_registry(app: Litestar) -> AsyncIterator[None]:
        registry = Registry(open_store(database, alone=True), packs, pace=pace, workers=workers)
        app.state.registry = registry
        app.state.reviews = reviews = Reviews(packs)
        await registry.open()
        try:
            yield
        finally:
            await reviews.close()
            await registry.close()

    app = Litestar(
        route_handlers=[*HANDLERS, table_socket, *(client_routers(static) if has_client(static) else [no_client])],
        lifespan=[open_registry],
        state=State({"origins": tuple(origins), "limits": limits, "rates": Rates(limits)}),
        exception_handlers={
            BadInput: _bad_input,
            Denied: _refused(403),
            TooMany: _refused(429),
            Busy: _refused(503),
            Refused: _refused(409),
            NotFound: _not_found,
            Damaged: _damaged,
            HTTPException: _http_error,
            RecursionError: _too_deep,
            Exception: _fault_of_ours,
        },
        request_max_body_size=MAX_MESSAGE,
        # The bundle, maps and logs are text; what is small is not worth it.
        compression_config=CompressionConfig(backend="gzip", minimum_size=1024, gzip_compress_level=6),
        openapi_config=OpenAPIConfig(
            title="Sandtable",
            version=__version__,
            path="/api/schema",
            render_plugins=[JsonRenderPlugin()],
        ),
        logging_config=None,
    )
    # Around everything, not as Litestar's middleware: addresses that nobody answers are guarded too.
    app.asgi_handler = Guard(app.asgi_handler, tuple(origins), limits, hosts)
    return app


@get("/", media_type=MediaType.HTML, include_in_schema=False, sync_to_thread=False)
def no_client() -> str:
    """What is shown where the client was not built."""
    return _NO_CLIENT


# --- errors ---------------------------------------------------------------------------------------------


def _faults(status: int, *faults: Fault) -> Response[Any]:
    return Response({"faults": faults}, status_code=status, media_type=MediaType.JSON)


def _bad_input(_: Request[Any, Any, Any], error: BadInput) -> Response[Any]:
    return _faults(400, *error.faults)


def _damaged(_: Request[Any, Any, Any], error: Damaged) -> Response[Any]:
    _log.error("%s", error)
    return _faults(503, Fault("database", "what you ask for is damaged", "another table, or a backup of this one"))


def _not_found(_: Request[Any, Any, Any], error: NotFound) -> Response[Any]:
    return _faults(404, Fault("address", str(error)))


def _too_deep(_: Request[Any, Any, Any], __: RecursionError) -> Response[Any]:
    return _faults(400, Fault("request", "nested too deeply", "less of it"))


def _refused(status: int) -> Callable[[Request[Any, Any, Any], Refused], Response[Any]]:
    def answer(_: Request[Any, Any, Any], error: Refused) -> Response[Any]:
        return Response({"refusal": error.refusal}, status_code=status, media_type=MediaType.JSON)

    return answer


def _fault_of_ours(request: Request[Any, Any, Any], error: Exception) -> Response[Any]:
    """What went wrong is for the server's log; whoever asked learns only that it was not his fault."""
    _log.error("%s %s failed", request.method, request.scope["path_template"], exc_info=error)
    return _faults(500, Fault("server", "a fault in Sandtable itself"))


def _http_error(_: Request[Any, Any, Any], error: HTTPException) -> Response[Any]:
    extra = error.extra if isinstance(error.extra, list) else []
    found = [
        Fault(str(one.get("key") or "request"), str(one.get("message") or error.detail))
        for one in extra
        if isinstance(one, dict)
    ]
    return _faults(error.status_code, *(found or [Fault("request", error.detail)]))
