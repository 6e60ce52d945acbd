"""The client's types are those of the server."""

from __future__ import annotations

import pytest

from sandtable.server.typescript import source
from tests.architecture.checkout import ROOT


def test_the_committed_types_are_fresh() -> None:
    file = ROOT / "web" / "src" / "wire.gen.ts"
    if not file.parent.is_dir():
        pytest.skip("no web client in this checkout")
    again = "python -m sandtable.server.typescript > web/src/wire.gen.ts"
    assert file.read_text(encoding="utf-8") == source(), f"write it anew: {again}"


def test_types_follow_the_structs() -> None:
    text = source()
    assert 'export interface Act {\n  type: "Act";\n  id: number;\n  v: number;\n  keys?: string[];' in text
    assert "  ask: Ask | null;" in text
    assert 'shape: "assign" | "gather" | "leaf" | "path" | "pick" | "put" | "sweep";' in text
    assert "outline: [number, number][];" in text
    assert "unknown[]" in text, "cells of a table may be anything"
    for name in ("ClientMessage", "ServerMessage", "WireLobby", "MapDrawing", "TableInfo", "NewTable", "Moment"):
        assert f" {name} " in text
