"""The Lorn Crossing, bound without the catalog: the system is offered to nobody yet."""

from __future__ import annotations

from functools import cache

from sandtable import catalog, packs
from sandtable.core.content.scenario import read_draft
from sandtable.core.log import FORMAT, Header
from sandtable.systems.goss.rules import GossRules
from sandtable.systems.goss.system import GOSS
from tests.goss.shelf import library

_ID = "goss-0-the-lorn-crossing"


@cache
def lorn() -> GossRules:
    """Its rules."""
    draft, where = _file()
    return GOSS.ruleset(draft, library(), where)


def header() -> Header:
    """The head of its logs."""
    return Header(FORMAT, "goss", GOSS.card.version, library().digests, _file()[0])


def _file() -> tuple[dict[str, object], str]:
    ((_, data, where),) = [one for one in library().section("scenarios") if one[0] == _ID]
    return read_draft(data, where), where


def register() -> None:
    """Let the catalog of this process know the system."""
    catalog.register(catalog.Registration("goss", lambda: GOSS, lambda: packs.shipped("goss")))
