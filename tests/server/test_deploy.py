"""What we give to those who serve others names options that there are, and ports and paths that fit together."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from typer.testing import CliRunner

from sandtable.cli.main import app

ROOT = Path(__file__).parents[2]
FILES = [*sorted((ROOT / "deploy").iterdir()), ROOT / "docs" / "serve.md"]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_options_of_serve_that_are_named_exist(path: Path) -> None:
    told = re.sub(r"\x1b\[[0-9;]*m", "", CliRunner().invoke(app, ["serve", "--help"], terminal_width=200).output)
    named = {
        option
        for line in path.read_text(encoding="utf-8").splitlines()
        if "sandtable serve" in line or "docker run" in line or line.startswith(("- **`--", "ENTRYPOINT"))
        for option in re.findall(r"(?<![\w-])--[a-z][a-z-]*", line)
    }
    assert named <= set(re.findall(r"--[a-z][a-z-]*", told)) | {"--name"}


def test_proxies_pass_on_to_the_port_of_the_server() -> None:
    for name in ("Caddyfile", "nginx.conf"):
        text = (ROOT / "deploy" / name).read_text(encoding="utf-8")
        assert "127.0.0.1:8000" in text
        assert text.count("{") == text.count("}")


def test_the_image_copies_what_there_is() -> None:
    for line in (ROOT / "deploy" / "Dockerfile").read_text(encoding="utf-8").splitlines():
        if line.startswith("COPY ") and "--from" not in line:
            for source in line.split()[1:-1]:
                assert (ROOT / source).exists(), source
