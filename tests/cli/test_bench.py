"""``sandtable bench`` measures whatever systems there are, and what they bring of their own."""

from __future__ import annotations

import json

import msgspec
import pytest
from typer.testing import CliRunner

from sandtable import catalog
from sandtable.cli.bench import random_play, scenes
from sandtable.cli.bench.brought import Bounds, Brought, Played, brought_by, budgets
from sandtable.cli.bench.measure import Budget, rates
from sandtable.cli.bench.scenes import crowded, unit_count
from sandtable.cli.main import app
from tests.toy_card import CARD
from tests.toy_system import Toy

BENCH = Brought(decisions=Bounds(0.01, 0.02), budgets={"toy_budget": __name__})


def measure() -> list[Budget]:
    """A budget of the toy's own."""
    return [rates("toy budget", 2.0, 1.0, floor=1, goal=3, note="")]


class Brings(Toy):
    card = msgspec.structs.replace(CARD, bench=f"{__name__}:BENCH")


@pytest.fixture
def brings() -> None:
    """The toy brings something to the bench."""
    catalog.register(catalog._registered["toy"]._replace(load=Brings))


def test_a_system_that_brings_nothing_is_measured_all_the_same() -> None:
    assert brought_by("toy") == Brought()
    assert unit_count(crowded(30, "toy")[0]) > 0
    assert {"advanced_odds", "sight_cold", "sight_warm", "sight_pairs", "fire_odds"} <= budgets().keys()


@pytest.mark.usefixtures("brings")
def test_a_budget_that_a_system_brings_is_measured() -> None:
    done = CliRunner().invoke(app, ["bench", "toy_budget", "--json"])
    assert done.exit_code == 0
    assert [entry["name"] for entry in json.loads(done.stdout)] == ["toy budget"]


@pytest.mark.usefixtures("brings")
def test_floors_of_random_play_are_the_system_s(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(random_play, "SECONDS", 0.01)
    monkeypatch.setattr(catalog, "system_ids", lambda: ("toy",))
    decisions, games = random_play.measure()
    assert (decisions.name, decisions.floor, decisions.goal) == ("random-play decisions, toy", 0.01, 0.02)
    assert games.floor == Brought().games.floor


def test_random_play_is_measured_in_the_scenarios_that_a_system_names(monkeypatch: pytest.MonkeyPatch) -> None:
    other = Played("crossroads", Bounds(0.1, 0.2), Bounds(0.3, 0.4))
    monkeypatch.setattr(random_play, "SECONDS", 0.01)
    monkeypatch.setattr(catalog, "system_ids", lambda: ("toy",))
    for module in (random_play, scenes):
        monkeypatch.setattr(module, "brought_by", lambda _: Brought(scenario="crossroads", besides=(other,)))
    found = random_play.measure()
    assert [(one.name, one.floor) for one in found] == [
        ("random-play decisions, toy", Brought().decisions.floor),
        ("random games, toy", Brought().games.floor),
        ("random-play decisions, toy crossroads", 0.1),
        ("random games, toy crossroads", 0.3),
    ]


def test_a_side_grows_by_copies_of_its_own() -> None:
    ruleset, header = crowded(60)
    assert unit_count(ruleset) == 60
    ids = [unit["id"] for side in header.scenario["sides"] for unit in side["units"]]
    assert len(set(ids)) == 60
