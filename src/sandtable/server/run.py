"""Running the application with uvicorn."""

from __future__ import annotations

import logging
import socket
import sys
from collections.abc import Callable, Sequence

import uvicorn

from sandtable.core.content.pack import Pack
from sandtable.core.errors import BadInput, Fault
from sandtable.server.addresses import Hosts, Proxies
from sandtable.server.app import create_app
from sandtable.server.door import MOST, door, raise_file_limit
from sandtable.server.messages import MAX_MESSAGE
from sandtable.server.quiet import LOGGING
from sandtable.session.store import open_store
from sandtable.session.thinking.crew import cores

__all__ = ["listen", "run"]

_log = logging.getLogger(__name__)

_PACE = 0.15
"""Seconds between the actions of a bot."""
_SWITCH = 0.001
"""Seconds for which a thread that works rules out keeps the others waiting."""


def run(
    host: str,
    port: int,
    database: str,
    packs: Sequence[Pack] = (),
    *,
    origins: tuple[str, ...] = (),
    hosts: tuple[str, ...] = (),
    proxies: tuple[str, ...] = (),
    pace: float = _PACE,
    limits: float = 1.0,
    ready: Callable[[str], None] = lambda address: None,  # noqa: ARG005
) -> None:
    """Serve until interrupted; ``ready`` is told the address once the port is ours.

    ``hosts`` are names that it answers to beside its own, ``proxies`` the machines whose word is taken on where a
    request comes from.
    """
    trusted = Proxies(proxies)
    # Opened once before, so that a database that cannot be used is said at once and in plain words.
    store = open_store(database, alone=True)
    for part in store.damage():
        _log.error("%s is damaged: %s; what can be read is served", database, part)
    store.close()
    listening = listen(host, port)
    raise_file_limit()
    sys.setswitchinterval(_SWITCH)
    app = create_app(
        database,
        packs,
        origins=origins,
        hosts=Hosts(host, hosts, origins),
        pace=pace,
        limits=limits,
        workers=_workers(),
    )
    config = uvicorn.Config(
        app,
        http=door(trusted, MOST * limits),
        ws="websockets-sansio",
        proxy_headers=bool(proxies),
        forwarded_allow_ips=list(proxies),
        # Ours is the limit that is explained; this one only keeps floods out of memory.
        ws_max_size=4 * MAX_MESSAGE,
        log_config=LOGGING,
        # Addresses may hold invitations.
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=3,
    )
    ready(f"http://{_shown(host)}:{listening.getsockname()[1]}/")
    uvicorn.Server(config).run([listening])


def _workers() -> int:
    """Processes for bots: one for each core, but not all of a large machine. All tables share them."""
    return cores()


def listen(host: str, port: int) -> socket.socket:
    """A port of ours; raise :class:`BadInput` if it cannot be had."""
    try:
        kind = socket.AF_INET6 if ":" in host else socket.AF_INET
        # asyncio turns off Nagle's delay only where the protocol is named.
        listening = socket.socket(kind, socket.SOCK_STREAM, socket.IPPROTO_TCP)
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((host, port))
        listening.listen(1024)
    except OSError as error:
        raise BadInput([Fault("port", f"{host}:{port} cannot be used: {error.strerror}", "another --port")]) from None
    return listening


def _shown(host: str) -> str:
    if host in ("0.0.0.0", "::"):  # noqa: S104 - what was asked for, as a browser here can reach it
        return "127.0.0.1"
    return f"[{host}]" if ":" in host else host
