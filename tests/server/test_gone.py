"""Somebody who closes his connection in the middle takes his work along: over real sockets."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest
from litestar import Litestar

from sandtable.server.app import create_app
from sandtable.session.files import workshop
from sandtable.session.thinking.workers import Workers
from tests.server.test_door import connect, run, serving, status
from tests.session import jobs
from tests.session.processes import is_running
from tests.session.toy_registry import until

BODY = json.dumps({"name": "a.yaml", "text": "title: a"}).encode()
UPLOAD = b"POST /api/open HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s"
HANG_UP: dict[str, Callable[..., None]] = {
    "closed": lambda writer: writer.close(),
    "reset": lambda writer: writer.transport.abort(),
}


def workers_of(app: Litestar) -> Workers:
    """A process for files, of a server whose files never come to their end."""
    workers = Workers(1)
    app.state.registry.workshop._workers = workers
    return workers


@pytest.mark.usefixtures("toy")
@pytest.mark.parametrize("how", HANG_UP)
def test_a_broken_connection_ends_the_work_on_its_file(how: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workshop, "_open_situation", jobs.read_for_ever)
    app = create_app(":memory:", limits=1e9)

    async def go() -> None:
        async with serving(app=app) as port:
            workers = workers_of(app)
            _, writer = await connect(port)
            writer.write(UPLOAD % (len(BODY), BODY))
            await until(lambda: any(worker.has_begun for worker in workers._all))
            (process,) = workers.processes
            HANG_UP[how](writer)
            await until(lambda: not workers.load)
            await until(lambda: not is_running(process))
            assert await status(port) == 200

    run(go())
