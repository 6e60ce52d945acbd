"""Build hook: the wheel and the source archive carry the built browser client, so that they run without Node."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

STATIC = Path("src/sandtable/server/static/index.html")


class ClientHook(BuildHookInterface):  # type: ignore[type-arg]
    """Builds the client with npm where it is missing; an editable install is left to the Makefile."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:  # noqa: ARG002
        """Make sure that the client is there before files are gathered."""
        root = Path(self.root)
        if version == "editable" or (root / STATIC).exists():
            return
        npm = shutil.which("npm")
        if npm is None:
            self.app.abort("the browser client is not built, and npm was not found: run `make web` first")
        for command in (["install", "--no-save"], ["run", "build"]):
            subprocess.run([npm, *command], cwd=root / "web", check=True)  # noqa: S603
