"""Fixtures of the hostile corpus."""

from __future__ import annotations

from tests.session.conftest import database, postgres
from tests.session.toy_registry import corps, toy

__all__ = ["corps", "database", "postgres", "toy"]
