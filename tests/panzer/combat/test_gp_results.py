"""6.5.4.2 to 6.5.4.5 on hexes: what GP fire does to the units that it strikes, and who bails out."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from sandtable import catalog
from sandtable.core.dice import ScriptedDice, enumerate_rolls
from sandtable.geo.boards import situation_map
from sandtable.systems.panzer import events as ev
from sandtable.systems.panzer.cards import RangeFactor
from sandtable.systems.panzer.combat.fire_events import BlastResolved
from sandtable.systems.panzer.facts import BlastFacts, BlastKind
from sandtable.systems.panzer.hex.combat.gp_results import gp_attack, struck
from sandtable.systems.panzer.hex.handler import Play
from sandtable.systems.panzer.hex.rules import PanzerRules
from sandtable.systems.panzer.hex.state import State, Unit
from sandtable.systems.panzer.hex.system import PanzerSystem
from sandtable.systems.panzer.unit import Status, UnitId

rules = pytest.mark.rules
NA = "panzer-na"
SHELLS = BlastFacts(kind=BlastKind.INDIRECT, factor=8, range_factor=RangeFactor.S, defense=0, effectiveness=4)


class Field:
    """Units of red in a row of hexes, and one of blue far off."""

    def __init__(self, *units: dict[str, Any], cells: str = ". . . . . .", **more: Any) -> None:
        red = {"id": "red", "title": "Red", "units": list(units)}
        blue = {"id": "blue", "title": "Blue", "units": [{"id": "z1", "card": "matilda-ii", "at": "F1"}]}
        draft = {
            "id": "drafted",
            "system": NA,
            "title": "drafted",
            "turns": 5,
            "status": "test",
            "level": "advanced",
            "map": {"drawing": {"cells": cells, "legend": {"m": "medium_grove"}}},
            "sides": [red, blue],
            **more,
        }
        library = catalog.library(NA, [])
        system = catalog.system(NA)
        assert isinstance(system, PanzerSystem)
        game_map = situation_map(draft["map"], library, "drafted")
        self.context = system.context(draft, game_map, library, "drafted", situation=True)
        self.rules = PanzerRules(system.card, self.context)
        self.state: State = self.rules.setup()

    def unit(self, name: str) -> Unit:
        return self.state.units[UnitId(name)]

    def attack(self, target: str, *dice: int, fire: BlastFacts = SHELLS, moving: bool = False) -> list[ev.Event]:
        script = ScriptedDice(dice)
        play = Play(self.state, self.rules.fold, script)
        gp_attack(self.context, play, UnitId(target), fire, "battery", moving=moving)
        assert not script.left
        self.state = play.state
        return play.events


def at(name: str, card: str, **more: Any) -> dict[str, Any]:
    return {"id": name, "card": card, "at": "A1", **more}


@rules("6.5.4.4", "6.5.4.2.2", system=NA)
def test_an_anti_tank_gun_in_a_grove_is_suppressed_as_in_the_example() -> None:
    field = Field(at("g", "qf-2pdr"), cells="m . . . . .")
    found = struck(field.context, field.state, field.unit("g"), SHELLS, moving=False)
    assert (found.defense.total, found.modifier.total) == (5, 0)
    (event, *_) = field.attack("g", 59)
    assert isinstance(event, BlastResolved)
    assert event.result == "Suppressed"
    assert field.unit("g").markers.is_suppressed
    assert field.unit("g").markers.under_fire


@rules("6.5.4.3", "6.5.4.4.2", system=NA)
def test_a_moving_matilda_in_a_grove_has_no_cover_from_above() -> None:
    field = Field(at("t", "matilda-ii"), cells="m . . . . .")
    found = struck(field.context, field.state, field.unit("t"), SHELLS, moving=True)
    assert (found.defense.total, found.modifier.total) == (4, -40)
    field.attack("t", 88, moving=True)
    assert field.unit("t").markers.is_suppressed


@rules("6.5.4.4.3", system=NA)
def test_an_effective_result_reduces_a_squad_and_eliminates_every_other_unit_on_foot() -> None:
    field = Field(at("s", "british-rifle-squad"), at("g", "qf-2pdr"))
    field.attack("s", 99)
    assert field.unit("s").markers.reduced
    assert field.unit("s").markers.is_suppressed
    field.attack("s", 99)
    assert field.unit("s").status is Status.KNOCKED_OUT
    field.attack("g", 99)
    assert not field.unit("g").in_play


@rules("6.5.4.4.2", "6.5.2.2.4", "6.5.2.6.1", system=NA)
def test_fives_damage_tens_strike_the_track_and_the_second_damage_knocks_out() -> None:
    truck = "bedford-ql"
    field = Field(at("t", truck))
    field.attack("t", 95, 31)
    assert field.unit("t").markers.hull_damaged
    field.attack("t", 90, 31)
    assert field.unit("t").markers.track
    field.attack("t", 95)
    assert field.unit("t").status is Status.KNOCKED_OUT


@rules("6.5.4.2.3", "6.5.4.5", "5.15", system=NA)
def test_passengers_are_struck_after_their_vehicle_and_get_away_or_not() -> None:
    truck = at("t", "bedford-ql")
    squad = {"id": "s", "card": "british-rifle-squad", "carried_by": "t"}
    field = Field(truck, squad)
    defense = struck(field.context, field.state, field.unit("s"), SHELLS, moving=False).defense
    assert defense.total == 1
    field.attack("t", 99, 10, 50, 21)
    assert field.unit("t").status is Status.KNOCKED_OUT
    assert field.unit("s").in_play
    assert field.unit("s").markers.is_suppressed
    assert not field.unit("s").markers.carrier
    field = Field(truck, squad)
    field.attack("t", 99, 10, 50, 20)
    assert field.unit("s").status is Status.KNOCKED_OUT


@rules("6.5.4.5", "6.5.2.6.1", system=NA)
def test_a_suppressed_passenger_may_leave_and_all_leave_with_the_crew() -> None:
    truck = at("t", "bedford-ql")
    squad = {"id": "s", "card": "british-rifle-squad", "carried_by": "t"}
    field = Field(truck, squad)
    field.attack("t", 1, 50, 30)
    assert not field.unit("s").markers.carrier
    field = Field(truck, squad)
    field.attack("t", 90, 1, 30)
    assert field.unit("t").markers.bailed
    assert not field.unit("s").markers.carrier


@rules("6.5.4.4.2", system=NA)
def test_a_brew_up_suppresses_its_own_in_the_hex_but_those_under_cover() -> None:
    carried = {"id": "s", "card": "german-rifle-squad", "carried_by": "h"}
    field = Field(at("t", "bedford-ql"), at("h", "spw-251-1"), carried)
    field.attack("t", 99, 1)
    assert field.unit("t").status is Status.BREWED_UP
    assert field.unit("h").markers.is_suppressed
    assert not field.unit("s").markers.is_suppressed


@rules("6.5.4.4", system=NA)
def test_odds_of_a_blast_are_those_of_the_hundred_rolls() -> None:
    field = Field(at("g", "qf-2pdr"))

    def once(dice: Any) -> str:
        play = Play(field.state, field.rules.fold, dice)
        gp_attack(field.context, play, UnitId("g"), SHELLS, "battery", moving=False)
        unit = play.state.units[UnitId("g")]
        return "lost" if not unit.in_play else unit.markers.suppression.value

    exact: dict[str, Fraction] = {}
    for came, chance in enumerate_rolls(once):
        exact[came] = exact.get(came, Fraction(0)) + chance
    counted = [once(ScriptedDice((roll,))) for roll in range(1, 101)]
    assert exact == {came: Fraction(counted.count(came), 100) for came in set(counted)}
    assert len(exact) == 3
