"""The wheel in an empty environment, with what the package index has for it: it serves, and a game is played."""

import asyncio
import os
import subprocess
import sys
from pathlib import Path
from random import Random

import httpx
import pytest

from tests.server.processes import Client, free_port

SCENARIO = "na-a-patrol-at-tamrad"


@pytest.fixture(scope="session")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of commands of an environment that holds the wheel and what it requires, and nothing else."""
    folder = tmp_path_factory.mktemp("environment")
    subprocess.run([sys.executable, "-m", "venv", folder], check=True)
    python = folder / "bin" / "python"
    subprocess.run([python, "-m", "pip", "install", "-q", "--disable-pip-version-check", wheel], check=True)
    return folder / "bin"


def test_an_installed_wheel_serves_and_plays_a_game(installed: Path, tmp_path: Path) -> None:
    port = free_port()
    words = ["serve", "--port", str(port), "--database", str(tmp_path / "games.db")]
    outside = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    with subprocess.Popen(
        [installed / "sandtable", *words], cwd=tmp_path, env=outside, stderr=subprocess.PIPE, text=True
    ) as server:
        assert server.stderr is not None
        try:
            assert f":{port}" in server.stderr.readline()
            moves = asyncio.run(played(f"http://127.0.0.1:{port}"))
        finally:
            server.kill()
    assert moves > 10


async def played(address: str) -> int:
    """Play both sides until the game is over; the number of orders that it took."""
    rng = Random("installed")
    async with httpx.AsyncClient(base_url=address, timeout=60) as person:
        page = await person.get("/")
        assert "<script" in page.text, "the page is in the wheel"
        made = await person.post("/api/tables", json={"scenario": SCENARIO, "seats": {"british": "me", "german": "me"}})
        assert made.status_code == 201, made.text
        seats = {}
        for seat in ("british", "german"):
            seats[seat] = await Client.connect(address, made.json()["id"], seat, person.cookies["sandtable"])
    moves = 0
    try:
        while not any(client.over for client in seats.values()):
            mover = next((client for client in seats.values() if client.ask is not None), None)
            if mover is None:
                await next(iter(seats.values())).receive()
                continue
            answer = await mover.call("Act", **await mover.choose(rng))
            # Answers that leave no choice are played at once, so that a position may be gone when it is answered.
            assert answer["type"] in ("Done", "Stale"), answer
            moves += answer["type"] == "Done"
            newest = max(answer.get("v", 0), *(client.v for client in seats.values()))
            for client in seats.values():
                while client.v < newest:
                    await client.receive()
    finally:
        for client in seats.values():
            await client.close()
    return moves
