"""Running a command as a user does, inside the test's process."""

import json
from pathlib import Path
from typing import Any

from typer.testing import CliRunner, Result

from sandtable.cli.main import app


def run(*words: object, text: str = "", code: int = 0) -> Result:
    """Run a command and insist on its exit code."""
    result = CliRunner().invoke(app, [str(word) for word in words], input=text)
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    assert result.exit_code == code, f"exit {result.exit_code}\n{result.stdout}\n{result.stderr}"
    return result


def run_json(*words: object, code: int = 0) -> Any:
    """Run a command with --json; what it printed, which must be JSON alone."""
    return json.loads(run(*words, "--json", code=code).stdout)


def written(folder: Path, name: str, text: str | bytes) -> Path:
    """A file with that text."""
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return path
