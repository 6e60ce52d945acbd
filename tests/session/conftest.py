"""Fixtures of the session's tests."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from tests.session.postgres import NoPostgres, running_postgres
from tests.session.toy_registry import toy

__all__ = ["database", "postgres", "toy"]


@pytest.fixture(scope="session")
def postgres(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A PostgreSQL server of our own, from Debian's packages."""
    try:
        with running_postgres() as address:
            yield address
    except NoPostgres as missing:
        pytest.skip(str(missing))


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """An empty database of each kind."""
    if request.param == "sqlite":
        return str(tmp_path / "sandtable.db")
    address: str = request.getfixturevalue("postgres")
    name = f"t{abs(hash(str(tmp_path)))}"
    with psycopg.connect(address, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}".encode())
    return address.replace("/postgres?", f"/{name}?")
