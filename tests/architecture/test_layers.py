"""Imports go down only, as the contracts in pyproject.toml have it."""

import subprocess
import sys
from pathlib import Path

from tests.architecture.checkout import ROOT


def test_import_contracts_are_kept() -> None:
    lint_imports = Path(sys.executable).with_name("lint-imports")
    run = subprocess.run(
        [lint_imports, "--no-cache", "--no-logo"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert run.returncode == 0, run.stdout + run.stderr
