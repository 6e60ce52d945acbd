"""The toy game, known to the catalog; and no pack of whoever runs the tests."""

from pathlib import Path

import pytest

from sandtable import catalog
from tests.toy_system import register_toy


@pytest.fixture(autouse=True)
def toy(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(catalog, "_registered", dict(catalog._registered))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("COLUMNS", "140")
    register_toy()
