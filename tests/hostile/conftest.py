"""Fixtures of the hostile corpus."""

from __future__ import annotations

from tests.session.conftest import database, postgres
from tests.session.toyhouse import toy

__all__ = ["database", "postgres", "toy"]
