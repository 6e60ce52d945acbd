"""A server of its own for browser tests: a free port, a temporary database, killed and started again at will."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import threading
import time
from contextlib import suppress
from contextvars import ContextVar
from functools import partial
from pathlib import Path
from random import Random
from unittest.mock import patch

import sandtable
from sandtable.cli.bench.browsing import chromium
from sandtable.core.codec import digest
from sandtable.core.dice import SeededDice
from sandtable.server.reviews import Reviews
from sandtable.server.run import run
from sandtable.session.thinking.robots import Answer, Robots, Standing

__all__ = ["Serving", "chromium", "end_with_the_tests", "fix_chance", "hasten", "why_not_here"]

STATIC = Path(sandtable.__file__).parent / "server" / "static"
"""The built client."""

ROOT = Path(__file__).parents[2]
_ADDRESS = re.compile(r"http://[\w.:\[\]]+/")
_PATIENCE = 60.0
DICE = 18
"""The seed of all dice: the same games in every run; another number gives other ones."""
_BEFORE = (
    "from tests.browser.serving import end_with_the_tests, fix_chance, hasten; "
    "end_with_the_tests(); hasten(); fix_chance(); "
)


def why_not_here() -> str:
    """What is missing for browser tests, or ``""``."""
    if chromium() is None:
        return "there is no chromium on this machine"
    if not (STATIC / "index.html").is_file():
        return "the client is not built (make web)"
    return ""


def end_with_the_tests() -> None:
    """Let this process end when its input does: whoever started it may be cut off before he can stop it."""

    def watch() -> None:
        os.read(0, 1)
        os._exit(0)

    threading.Thread(target=watch, daemon=True).start()


def hasten() -> None:
    """Let nobody wait: computer players act without a pause, and a review plays on just once from each point."""
    patch.dict(run.__kwdefaults__, pace=0.0).start()
    patch("sandtable.server.app.Reviews", partial(Reviews, games=1)).start()


_standing: ContextVar[str] = ContextVar("standing", default="")


def fix_chance() -> None:
    """Let chance be the same in every run: all games roll the same dice, and a bot thinks by what it knows."""
    for module in ("registry", "files.taking_up"):
        patch(f"sandtable.session.{module}.SystemDice", partial(SeededDice, DICE)).start()
    choose = Robots.choose

    async def choose_alike(self: Robots, bot: str, standing: Standing, seat: str, owner: str = "") -> Answer:
        _standing.set(digest(standing.known))
        return await choose(self, bot, standing, seat, owner)

    patch.object(Robots, "choose", choose_alike).start()
    patch("sandtable.session.thinking.robots.new_seed", lambda: Random(_standing.get()).getrandbits(63)).start()


class Serving:
    """A running ``sandtable serve``."""

    def __init__(self, folder: Path, *, more: str = "") -> None:
        """``more`` is a function of a module, ``module:name``, that lets the catalog know other games too."""
        self._folder = folder
        module, _, name = more.partition(":")
        self._more = f"from {module} import {name}; {name}(); " if more else ""
        self._port = 0
        self.address = ""
        self._process: subprocess.Popen[bytes] | None = None
        self.start()

    def start(self) -> None:
        """Start, at the port of the last time if there was one, and wait until it answers."""
        told = self._folder / "serve.txt"
        command = [sys.executable, "-c", f"{_BEFORE}{self._more}from sandtable.cli.main import app; app()", "serve"]
        # Everybody in the tests comes from one address.
        command += ["--port", str(self._port), "--database", str(self._folder / "games.db"), "--limits", "1000"]
        with told.open("wb") as out:
            self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=out, stderr=out, cwd=ROOT)
        until = time.monotonic() + _PATIENCE
        while time.monotonic() < until:
            found = _ADDRESS.search(told.read_text(errors="replace"))
            if found is not None:
                self.address = found[0]
                self._port = int(self.address.rstrip("/").rpartition(":")[2])
                return
            if self._process.poll() is not None:
                break
            time.sleep(0.05)
        raise RuntimeError(f"the server did not start: {told.read_text(errors='replace')}")

    def kill(self) -> None:
        """End it as a power cut would."""
        if self._process is not None:
            self._process.kill()
            self._process.communicate()  # lets go of its input too
            self._process = None

    def stop(self) -> None:
        """End it."""
        if self._process is not None:
            self._process.terminate()
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(10)
            self.kill()
