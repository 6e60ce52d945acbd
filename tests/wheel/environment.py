"""An environment that holds the wheel and what it requires, and nothing else."""

import os
import subprocess
import sys
from pathlib import Path

OUTSIDE = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
"""The variables of a process that is to see nothing of this checkout."""


def installed(wheel: Path, folder: Path, extras: str = "") -> Path:
    """Make the environment, with the extras in brackets; the folder of its commands."""
    environment = folder / "environment"
    # Our own pip puts things there: one more in every environment takes longer than all that is installed.
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", environment], check=True)
    commands = environment / "bin"
    pip(commands, "install", "-q", "--no-compile", f"{wheel}{extras}")
    return commands


def pip(commands: Path, *words: str) -> str:
    """What pip says of an environment, or does to it."""
    line = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--python", str(commands / "python"), *words]
    return subprocess.run(line, stdout=subprocess.PIPE, text=True, check=True).stdout


def run(commands: Path, *words: str, code: int = 0) -> subprocess.CompletedProcess[str]:
    """Run one of those commands away from the checkout, and insist on its exit code."""
    done = subprocess.run(
        [commands / words[0], *words[1:]], cwd=commands, env=OUTSIDE, capture_output=True, text=True, check=False
    )
    assert done.returncode == code, done.stdout + done.stderr
    return done
