"""The wheel in an empty environment, with what the package index has for it: games are played, alone and served."""

import asyncio
import subprocess
from pathlib import Path
from random import Random

import httpx
import pytest

from tests.server.processes import Client, free_port
from tests.wheel.environment import OUTSIDE, installed, pip, run

pytestmark = pytest.mark.slow
SCENARIO = "na-a-patrol-at-tamrad"
RANDOM_GAMES = """
from random import Random
from sandtable import catalog
from sandtable.core.dice import SeededDice
from sandtable.sim.playout import play_out, start

for system in catalog.system_ids():
    scenario = catalog.scenarios(system)[0].id
    ruleset = catalog.open_scenario(scenario).ruleset
    dice = SeededDice(7)
    end = play_out(ruleset, start(ruleset, dice), dice, Random(7))
    assert end.outcome is not None and end.decisions > 10
    print(system)
"""
ENVIRONMENT = f"""
import warnings
from pettingzoo.test import api_test, seed_test
from sandtable.rl.zoo import env

warnings.simplefilter("ignore")
api_test(env("{SCENARIO}"), num_cycles=400)
seed_test(lambda: env("{SCENARIO}"), num_cycles=100)
"""


def test_the_wheel_alone_plays_a_random_game_of_every_system(wheel: Path, tmp_path: Path) -> None:
    commands = installed(wheel, tmp_path)
    packages = pip(commands, "list", "--format=freeze").split()
    names = {one.partition("==")[0].lower() for one in packages}
    assert names == {"sandtable", "msgspec", "numpy", "pyyaml"}
    played = run(commands, "python", "-c", RANDOM_GAMES).stdout.split()
    assert {"panzer-na", "mbt", "aslsk3", "panzer-mini", "goss"} <= set(played)
    told = run(commands, "sandtable", "version", code=2).stderr
    assert told.count("\n") == 1
    assert "pip install 'sandtable[cli]'" in told


def test_the_wheel_for_research_passes_the_tests_of_pettingzoo(wheel: Path, tmp_path: Path) -> None:
    told = run(installed(wheel, tmp_path, "[research]"), "python", "-c", ENVIRONMENT).stdout
    assert "Passed API test" in told


def test_the_wheel_for_servers_serves_and_plays_a_game(wheel: Path, tmp_path: Path) -> None:
    port = free_port()
    command = installed(wheel, tmp_path, "[server]") / "sandtable"
    words = ["serve", "--port", str(port), "--database", str(tmp_path / "games.db")]
    with subprocess.Popen([command, *words], cwd=tmp_path, env=OUTSIDE, stderr=subprocess.PIPE, text=True) as server:
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
            # Answers that leave no choice are played at once, so that a position may be gone when it is answered, or
            # the game over.
            if answer.get("reason") == "the game is over":
                break
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
