"""The wheel, built once."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.architecture.checkout import ROOT


@pytest.fixture(scope="session")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", folder],
        cwd=ROOT,
        capture_output=True,
        check=True,
    )
    (found,) = folder.glob("*.whl")
    return found
