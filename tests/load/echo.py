"""The anchor: a bare Litestar application that sends each message to everybody connected, and does nothing else."""

from __future__ import annotations

from typing import Any

import uvicorn
from litestar import Litestar, WebSocket, websocket
from litestar.exceptions import WebSocketDisconnect

from sandtable.server.run import listen

_connected: set[WebSocket[Any, Any, Any]] = set()


@websocket("/echo")
async def echo(socket: WebSocket[Any, Any, Any]) -> None:
    await socket.accept()
    _connected.add(socket)
    try:
        while True:
            text = await socket.receive_text()
            for one in list(_connected):
                await one.send_text(text)
    except WebSocketDisconnect:
        pass
    finally:
        _connected.discard(socket)


def run_echo(port: int) -> None:
    """Serve it, set up as the real server is."""
    config = uvicorn.Config(Litestar([echo]), ws="websockets-sansio", log_level="warning", access_log=False)
    uvicorn.Server(config).run([listen("127.0.0.1", port)])
