"""Games with aircraft from the first question to the last, on a small map: they end, and nothing leaks (6.4, 6.7)."""

from __future__ import annotations

from functools import cache
from random import Random
from typing import Any

import pytest
import yaml

from sandtable import catalog, testing
from sandtable.core.content.pack import Pack
from sandtable.core.decision import Decision, Seat
from sandtable.core.dice import SeededDice
from sandtable.core.game import Game
from sandtable.systems.panzer.air.air_actions import Arm, FlyOn
from sandtable.systems.panzer.air.air_events import AaRolled, AircraftArmed, AirstrikeMade
from sandtable.systems.panzer.air.aircraft import Load
from sandtable.systems.panzer.hex.air.flights import AircraftLeft
from sandtable.systems.panzer.hex.rules import PanzerRules
from sandtable.systems.panzer.unit import UnitId

rules = pytest.mark.rules
NA = "panzer-na"
ROCKETS = {"gp": {"R": {"P": 2, "S": 4, "M": 6, "L": 8, "E": 10}, "F": {"P": 9, "S": 8, "M": 7, "L": 6, "E": 5}}}
TYPHOON = {
    "id": "typhoon",
    "name": "Typhoon",
    "nation": "british",
    "fast": True,
    "gp_defense": 4,
    "strafe": {"factor": 8, "limit": 3, "effectiveness": 1},
    "bombs": {"factor": 12, "limit": 1, "effectiveness": 6},
    "rockets": {"gp": {**ROCKETS["gp"], "minimum": 2, "effectiveness": 5}, "limit": 2},
    "points": 120,
    "history": {"speed_kmh": 650, "weight_kg": 4000, "cannon": 4, "cannon_mm": 20, "bombs_kg": 450},
}
SCENARIO: dict[str, Any] = {
    "id": "air-test",
    "system": NA,
    "title": "Aircraft over a small field",
    "turns": 3,
    "status": "test",
    "level": "advanced",
    "map": {"placements": [{"board": "desert-ridge", "columns": "A-L", "rows": "1-14"}]},
    "sides": [
        {
            "id": "british",
            "title": "British",
            "grade": "Veteran",
            "units": [
                {"id": "B1", "card": "crusader-i", "at": "C12", "roles": {"command": "CHQ"}},
                {"id": "B2", "card": "british-infantry-squad", "at": "D12"},
            ],
            "aircraft": [
                {"id": "T1", "card": "typhoon"},
                {"id": "T2", "card": "typhoon"},
                {"id": "KH1", "card": "kittyhawk", "turn": 2},
            ],
        },
        {
            "id": "german",
            "title": "Germans",
            "grade": "Regulars",
            "units": [
                {"id": "G1", "card": "pz-iiig", "at": "F5", "facing": "S", "roles": {"command": "CHQ"}},
                {"id": "G2", "card": "flak-36", "at": "G6", "facing": "S"},
                {"id": "G3", "card": "flak-30", "at": "E6", "facing": "S"},
                {"id": "G4", "card": "flak-30", "at": "H7", "facing": "NE"},
            ],
        },
    ],
}


@cache
def _pack() -> Pack:
    manifest = {"id": "air-test", "title": "Test", "system": "panzer", "edition": NA, "version": 1, "extends": NA}
    files = {
        "manifest.yaml": manifest,
        "cards/typhoon.yaml": {"book": "test", "aircraft": [TYPHOON]},
        "scenarios/air-test.yaml": SCENARIO,
    }
    return Pack({name: yaml.safe_dump(content).encode() for name, content in files.items()}, "test")


def _open() -> catalog.OpenScenario:
    return catalog.open_scenario("air-test", [_pack()])


@rules("6.4", "6.7", system=NA)
def test_random_games_with_aircraft_conform() -> None:
    found = _open()
    report = testing.check_scenario(found.ruleset, found.header, games=1, seed=5, thorough=0.1)
    assert report.failures == []
    assert report.decisions > 20


@rules("6.7.1", system=NA)
def test_loads_are_chosen_in_secret_before_the_scenario_begins() -> None:
    found = _open()
    ruleset = found.ruleset
    assert isinstance(ruleset, PanzerRules)
    game = Game.start(ruleset, found.header, SeededDice(1))
    decision = game.decision
    assert decision is not None
    assert (decision.rule, decision.asked, decision.secret) == ("6.7.1", ("british",), True)
    british, german = ruleset.seats
    one = Arm({UnitId("T1"): Load.ROCKETS})
    assert ruleset.refusal(game.state, british, one) is not None
    wrong = Arm({UnitId("T1"): Load.ROCKETS, UnitId("T2"): Load.NONE})
    assert ruleset.refusal(game.state, british, wrong) is not None
    loads = Arm({UnitId("T1"): Load.ROCKETS, UnitId("T2"): Load.BOMBS})
    game.play(british, loads)
    own, seen = ruleset.conceal(game.state, british), ruleset.conceal(game.state, german)
    assert [one.load for one in own.flights.values()] == [Load.ROCKETS, Load.BOMBS, Load.BOMBS]
    assert [one.load for one in seen.flights.values()] == [Load.HIDDEN, Load.HIDDEN, Load.BOMBS]
    assert ruleset.redact(AircraftArmed(british, loads.loads), german) == AircraftArmed(british, {})
    assert ruleset.redact_action(loads, british, german) == Arm({})


def _eager(decision: Decision[Any], seat: Seat) -> Any:
    """In flight: attack where one can, else a hex on, so that no chance is missed."""
    if decision.rule != "6.7.2.3":
        return None
    first = next(iter(decision.options(seat).root.branches()))
    return next(iter(first.then)) if first.kind == "attack" else FlyOn(1)


@rules("6.7.2", "6.7.3", "6.7.4", system=NA)
def test_in_random_games_aircraft_cross_attack_and_are_fired_at() -> None:
    found, told = _open(), set[type]()
    wanted = {AircraftLeft, AirstrikeMade, AaRolled}
    for seed in range(6):
        rng, game = Random(seed), Game.start(found.ruleset, found.header, SeededDice(seed))
        while (decision := game.decision) is not None:
            seat = rng.choice(decision.asked)
            action = _eager(decision, seat) or decision.options(seat).sample(rng)
            told |= {type(event) for event in game.play(seat, action).events}
        if wanted <= told:
            return
    raise AssertionError(f"seen only {told & wanted}")
