"""Fixtures of the server's tests."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.server.players import Server, serving
from tests.session.toy_registry import corps, toy

__all__ = ["corps", "server", "toy"]


@pytest.fixture
def server(toy: None) -> Iterator[Server]:
    with serving() as running:
        yield running
