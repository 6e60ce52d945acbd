"""Chapters 5 and 6.5 read once more by somebody who had not written the code: what that reading found."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.systems.panzer.combat.fire_events import BailOutRolled, BlastResolved
from sandtable.systems.panzer.hex import events as ev
from sandtable.systems.panzer.hex.actions import FireSmoke
from sandtable.systems.panzer.unit import UnitId
from tests.panzer.advanced_fire import NA, Field, ap, at, engage, firing, gp
from tests.panzer.batteries import PASS, RED, battle, call, gun, next_turn, observer

rules = pytest.mark.rules
FAUST = 1
"""Of a squad: its small arms are weapon 0, what is attached comes after them."""


def faust_at(*targets: dict[str, Any]) -> Field:
    return Field([firing("r1", "german-rifle-squad", "B1", attached=["panzerfaust"])], list(targets))


@rules("5.1.3.4", system=NA)
def test_5_1_3_4_a_hand_held_weapon_fires_gp_at_men_and_guns_alone() -> None:
    field = faust_at(at("b1", "bedford-ql", "B2"), at("b2", "british-rifle-squad", "B2"), at("b3", "qf-2pdr", "B2"))
    refused = {name: field.refused(engage(name, gp("r1", FAUST))) for name in ("b1", "b2", "b3")}
    assert refused == {"b1": "5.1.3.4", "b2": "", "b3": ""}
    assert field.refused(engage("b1", ap("r1", FAUST))) == ""
    # The small arms of the same squad are no hand-held weapon.
    assert field.refused(engage("b1", gp("r1"))) == ""


@rules("5.1.3.4", "6.5.4.2.3", system=NA)
def test_5_1_3_4_a_hand_held_weapon_strikes_the_passengers_of_its_target_too() -> None:
    rider = {"id": "b2", "card": "british-rifle-squad", "carried_by": "b1"}
    field = faust_at(at("b1", "bedford-ql", "B2"), rider)
    # It misses the truck; the squad aboard is struck all the same, and bails out as a suppressed passenger may.
    field.act(engage("b1", ap("r1", FAUST)), 100, 95, 1)
    blast = field.last(BlastResolved)
    assert (blast.target, blast.factor, blast.defense, blast.result) == ("b2", 3, 1, "Effective")
    assert field.unit("b2").markers.reduced
    assert not field.unit("b2").markers.carrier


@rules("5.1.3.4", "5.15", system=NA)
def test_5_1_3_4_passengers_of_a_vehicle_that_is_lost_get_away_after_both() -> None:
    rider = {"id": "b2", "card": "british-rifle-squad", "carried_by": "b1"}
    field = faust_at(at("b1", "bedford-ql", "B2"), rider)
    told = field.act(engage("b1", ap("r1", FAUST)), 1, 40, 39, 100)
    kinds = (BlastResolved, ev.VehicleBrewedUp, ev.VehicleKnockedOut, BailOutRolled)
    assert [type(one).__name__ for one in told if isinstance(one, kinds)] == [
        "BlastResolved",
        "VehicleKnockedOut",
        "BailOutRolled",
    ]


@rules("5.1.3.3", system=NA)
def test_5_1_3_3_an_anti_tank_rifle_does_not_strike_passengers() -> None:
    rider = {"id": "b2", "card": "british-rifle-squad", "carried_by": "b1"}
    squad = firing("r1", "german-rifle-squad", "B1", attached=["pzb-39"])
    field = Field([squad], [at("b1", "bedford-ql", "B2"), rider])
    field.act(engage("b1", ap("r1", 1)), 100)


@rules("6.1.4.3.10", "6.2.1.1.4", system=NA)
def test_6_2_1_1_4_smoke_by_direct_fire_keeps_to_the_targets_of_those_who_share_the_command() -> None:
    red = [firing("r1", "pz-ivd", "B1"), firing("r2", "pz-ivd", "C1", shares="r1")]
    field = Field(red, [at("b1", "crusader-i", "B6"), at("b2", "crusader-i", "E6")])
    near, far = field.rules.place("B5"), field.rules.place("B12")
    assert field.refused(FireSmoke(UnitId("r2"), 0, far)) == ""
    field.act(engage("b1", ap("r1")), 100)
    assert field.refused(FireSmoke(UnitId("r2"), 0, far)) == "6.2.1.1.4"
    assert field.refused(FireSmoke(UnitId("r2"), 0, near)) == ""


CELLS = "\n".join([*[". . . . . . . . . . . ."] * 3, "S . w . . . . . . . . .", *[". . . . . . . . . . . ."] * 3])


@rules("6.1.4.3.1", "6.5.1.8.1", "6.5.1.9", system=NA)
def test_6_5_1_9_an_observer_on_the_top_floor_sees_the_target_point_from_there() -> None:
    """From the ground a house hides the gun; from the top floor it does not, and the fire goes on."""
    fo = observer(at="A4", floor="up")
    drawing = {"cells": CELLS, "legend": {"S": "stone_building", "w": "wood_building"}}
    storeys = {"building_storeys": {"A4": 3}}
    game = battle(fo, targets=(gun(at="J4"),), map={"drawing": drawing}, conditions=storeys)
    ground, a, b = game.context.ground, game.hex("A4"), game.hex("J4")
    assert not ground.sees_up(a, b, 0, 0)
    assert ground.sees_up(a, b, 2, 0)
    game.do(RED, call(game, at="J4"), 5, 100)
    game.do(RED, PASS)
    next_turn(game)
    assert [mission.id for mission in game.state.missions] == ["fo-1"]


@rules("6.6.7.2", "6.5.1.7", system=NA)
@pytest.mark.parametrize(("command", "refused"), [("OW", ""), ("FIRE", ""), ("MOVE", "6.5.1")])
def test_6_6_7_2_an_observer_aboard_an_armed_vehicle_calls_fire_on_what_it_sees(command: str, refused: str) -> None:
    fo = {"id": "fo", "card": "german-section", "carried_by": "v1", "roles": {"observer": True}}
    carrier = {"id": "v1", "card": "spw-251-1", "at": "A4", "command": command}
    game = battle(carrier, fo, spotted={"v1": ["g1"]})
    assert game.why(RED, call(game)) == refused
