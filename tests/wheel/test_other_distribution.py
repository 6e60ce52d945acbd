"""A system of somebody else's: installing its distribution is all that it takes, in every process of Sandtable."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path
from random import Random
from typing import Any

import httpx
import pytest

from tests.architecture.checkout import ROOT
from tests.server.processes import Client, free_port
from tests.toy_system import PACK

PROJECT = """
[build-system]
requires = ["hatchling"]
build-backend = "hatchling.build"

[project]
name = "patrols"
version = "1.0"

[project.entry-points."sandtable.systems"]
toy = "patrols.brought:PATROLS"

[project.entry-points."sandtable.packs"]
toy = "patrols.pack"
toy-more = "patrols.more"
"""
BROUGHT = '''
"""The toy as its author gives it away, with an eye for the game."""

from msgspec.structs import replace

from sandtable.bots.general import GeneralDoctrine
from patrols import toy, toy_card, toy_system

toy.Patrols.card = replace(toy_card.CARD, doctrine="patrols.brought:Eye")


class Patrols(toy_system.Toy):
    card = toy.Patrols.card


class Eye(GeneralDoctrine):
    def plan(self, question, style):
        return ["reach the far end"]


PATROLS = Patrols()
'''
MORE = {
    "manifest.yaml": b"{id: toy-more, title: More Patrols, system: toy, edition: toy, version: 1, extends: toy}",
    "scenarios/footpath.yaml": PACK["scenarios/crossroads.yaml"]
    .replace(b"id: crossroads", b"id: footpath")
    .replace(b"length: 6", b"length: 4"),
}
RULES = ("toy.py", "toy_card.py", "toy_pieces.py", "toy_story.py", "toy_system.py")


@pytest.fixture(scope="session")
def outside(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The environment of a process in which the distribution is installed."""
    project, place = tmp_path_factory.mktemp("project"), tmp_path_factory.mktemp("installed")
    files = {
        "pyproject.toml": PROJECT.encode(),
        "patrols/__init__.py": b"",
        "patrols/brought.py": BROUGHT.encode(),
        **{f"patrols/{name}": (ROOT / "tests" / name).read_bytes().replace(b"tests", b"patrols") for name in RULES},
        **{f"patrols/pack/{name}": data for name, data in PACK.items()},
        **{f"patrols/more/{name}": data for name, data in MORE.items()},
    }
    for name, data in files.items():
        (project / name).parent.mkdir(parents=True, exist_ok=True)
        (project / name).write_bytes(data)
    build = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", str(project / "dist")]
    subprocess.run(build, cwd=project, capture_output=True, check=True)
    (wheel,) = (project / "dist").glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        # What an installer does with a wheel of pure Python.
        archive.extractall(place)
    return {**os.environ, "PYTHONPATH": str(place)}


def command(outside: dict[str, str], folder: Path, *words: str, text: str = "") -> str:
    line = [sys.executable, "-m", "sandtable.cli", *words]
    run = subprocess.run(line, cwd=folder, env=outside, input=text, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stdout + run.stderr
    return run.stdout


def test_the_command_line_knows_it(outside: dict[str, str], tmp_path: Path) -> None:
    found = {row["id"]: row for row in json.loads(command(outside, tmp_path, "systems", "--json"))}
    assert set(found) == {"panzer-na", "mbt", "aslsk3", "panzer-mini", "goss", "toy"}
    assert found["toy"]["space"] == "points"
    scenarios = json.loads(command(outside, tmp_path, "scenarios", "toy", "--json"))
    assert [row["id"] for row in scenarios] == ["crossroads", "footpath"], "its own pack, and one that extends it"
    assert "2.2" in command(outside, tmp_path, "rules", "toy")


def test_it_is_played_in_the_terminal(outside: dict[str, str], tmp_path: Path) -> None:
    log = tmp_path / "game.jsonl"
    orders = ("all march", "ok", "", "all march", "ok", "", "1", "legs", "2", "1", f"save {log}")
    told = command(outside, tmp_path, "play", "crossroads", "--hotseat", "--seed", "1", text="\n".join(orders) + "\n")
    assert "marches to" in told
    assert "0 differences" in command(outside, tmp_path, "verify", str(log))


def test_it_is_played_by_bots_in_processes_of_the_lab(outside: dict[str, str], tmp_path: Path) -> None:
    words = ("arena", "crossroads", "--bots", "greedy,random", "--games", "4", "--jobs", "2", "--json")
    assert json.loads(command(outside, tmp_path, *words))["games"] == 4


def test_it_is_played_on_a_server_against_a_bot_with_its_own_doctrine(outside: dict[str, str], tmp_path: Path) -> None:
    port = free_port()
    words = ["serve", "--port", str(port), "--database", str(tmp_path / "games.db")]
    with subprocess.Popen(
        [sys.executable, "-m", "sandtable.cli", *words],
        cwd=tmp_path,
        env=outside,
        stderr=subprocess.PIPE,
        text=True,
    ) as server:
        assert server.stderr is not None
        try:
            assert f":{port}" in server.stderr.readline()
            advice = asyncio.run(asyncio.wait_for(played(f"http://127.0.0.1:{port}"), 120))
        finally:
            server.kill()
    assert advice["plan"] == ["reach the far end"], "worked out by a bot in a process of its own"


async def played(address: str) -> dict[str, Any]:
    """Play red against a bot until the game is over; why the bot did what it did first."""
    rng = Random("brought")
    async with httpx.AsyncClient(base_url=address, timeout=60) as person:
        systems = {row["id"]: row for row in (await person.get("/api/lobby")).json()["systems"]}
        assert systems["toy"]["hidden"]
        seats = {"red": "me", "blue": "bot:captain:2:steady"}
        made = await person.post("/api/tables", json={"scenario": "crossroads", "seats": seats})
        assert made.status_code == 201, made.text
        table = made.json()["id"]
        client = await Client.connect(address, table, "red", person.cookies["sandtable"])
        try:
            while not client.over:
                if client.ask is None:
                    await client.receive()
                    continue
                v, answer = client.v, await client.call("Act", **await client.choose(rng))
                is_over = answer.get("reason") == "the game is over"
                assert is_over or answer["type"] in ("Done", "Stale"), answer
                while client.v <= v and not client.over:
                    await client.receive()
        finally:
            await client.close()
        entries = (await person.get(f"/api/tables/{table}/entries")).json()
        first = next(entry["seq"] for entry in entries if entry["seat"] == "blue")
        found = await person.get(f"/api/tables/{table}/thoughts/{first}")
        assert found.status_code == 200, found.text
        advice: dict[str, Any] = found.json()
        return advice
