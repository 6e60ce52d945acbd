"""The Lorn Crossing, as the catalog has it."""

from __future__ import annotations

from functools import cache

from sandtable import catalog
from sandtable.catalog import OpenScenario
from sandtable.core.log import Header
from sandtable.systems.goss.rules import GossRules

ID = "goss-0-the-lorn-crossing"


@cache
def _opened() -> OpenScenario:
    return catalog.open_scenario(ID)


def lorn() -> GossRules:
    """Its rules."""
    rules = _opened().ruleset
    assert isinstance(rules, GossRules)
    return rules


def header() -> Header:
    """The head of its logs."""
    return _opened().header
