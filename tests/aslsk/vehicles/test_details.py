"""Half sentences of the rules for vehicles: by which way one comes in, who leads a close combat."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from sandtable import catalog
from sandtable.core.decision import Seat
from sandtable.core.dice import SeededDice
from sandtable.systems.aslsk.common.actions import Move, ReactionFire
from sandtable.systems.aslsk.movement.move_groups import parts_of
from sandtable.systems.aslsk.phases.vehicle_assault import assault_value
from sandtable.systems.aslsk.phases.vehicle_combat import can_attack, weapon_key
from sandtable.systems.aslsk.pieces.state import (
    CcStage,
    CloseCombat,
    MoveStep,
    Moving,
    UnitId,
    VehicleGun,
    VehicleId,
    VehicleMoving,
    VehicleStep,
    Whereabouts,
)
from sandtable.systems.aslsk.rules import AslskRules
from sandtable.systems.aslsk.vehicles.driver import Driver
from sandtable.systems.aslsk.vehicles.driving_costs import DriveWay
from tests.aslsk.clash import PLAIN, Clash, side, squad
from tests.aslsk.phases.test_vehicle_combat import melee, red, tank
from tests.aslsk.vehicles.test_movement import ROAD, START, TANK, clash_of, enter, move
from tests.aslsk.vehicles.test_reaction_fire import checks, driven

rules = pytest.mark.rules
V = VehicleId("V")


def opened(name: str) -> AslskRules:
    ruleset, _ = catalog.open_scenario(name)
    assert isinstance(ruleset, AslskRules)
    return ruleset


# --- ways in ----------------------------------------------------------------------------------------------------


@rules("3.3", "3.3.2", system="aslsk3")
@pytest.mark.parametrize(
    ("scenario", "name", "label"),
    [("s23-montys-gamble", "G-V1", "P1"), ("s24-sherman-marches-west", "P-V1", "vGG5")],
)
def test_3_3_of_two_ways_into_a_hex_of_the_edge_the_road_is_taken(scenario: str, name: str, label: str) -> None:
    ruleset = opened(scenario)
    state = ruleset.begin(ruleset.setup(), SeededDice(0)).state
    due = replace(state.vehicles[VehicleId(name)], place=Whereabouts.OFF_BOARD)
    driver = Driver(ruleset.context, state, due)
    # Pointing west it could come in from the northeast and from the southeast; the road is the one, then the other.
    way = driver.way(driver.begin(), VehicleStep(to=ruleset.context.game_map.hex(label), spine=4))
    assert isinstance(way, DriveWay)
    assert way.by_road


@rules("1.1.1", "3.3.2", system="aslsk3")
@pytest.mark.parametrize(("letter", "is_open"), [(".", False), ("w", True), ("o", True)])
def test_1_1_1_only_among_trees_a_road_takes_cover_away(letter: str, is_open: bool) -> None:
    cells = PLAIN.replace(". . . . . . .\n", f". . . {letter} . . .\n", 2).replace(f". {letter}", ". .", 1)
    clash = clash_of({"id": "t", "card": TANK, "at": "D3", "vca": "N/NE"}, cells=cells, features=[ROAD])
    clash.play(move(START, enter(clash, "D2"), halt=True))
    frame = clash.state.stack[-1]
    assert isinstance(frame, VehicleMoving)
    assert frame.open_road is is_open


@rules("3.3", system="aslsk3")
def test_3_3_who_comes_from_off_board_has_crossed_no_hexside() -> None:
    german = {"vehicles": [{"id": "t", "card": TANK}], "units": [squad("s")], "enters": ["A3"]}
    clash = Clash("MPh", german=german, russian=side(squad("r", "russian/8-1", at="G1")))
    clash.play(move(enter(clash, "A3", spine=1), halt=True))
    driving = clash.state.stack[-1]
    assert isinstance(driving, VehicleMoving)
    assert driving.via == -1
    walked = Clash("MPh", german=german, russian=side(squad("r", "russian/4-4-7", at="C3")))
    walked.play(Move((UnitId("s"),), (MoveStep(to=walked.hex("A3")),), halt=True))
    walking = next(frame for frame in walked.state.stack if isinstance(frame, Moving))
    assert walking.via == -1


@rules("3.3.1", system="aslsk3")
@pytest.mark.parametrize(("size", "parts"), [(5, 31), (6, 6 + 5 + 1)])
def test_3_3_1_of_five_units_every_part_may_move_together_of_more_those_led(size: int, parts: int) -> None:
    units = [squad("l", "german/8-0", "C3"), *(squad(f"s{number}", at="C3") for number in range(size - 1))]
    clash = Clash("MPh", german=side(*units), russian=side(squad("r", "russian/8-1", at="G1")))
    assert len(list(parts_of(clash.context, list(clash.state.units.values())[:size]))) == parts


# --- close combat -----------------------------------------------------------------------------------------------


@rules("3.8", system="aslsk3")
def test_3_8_the_unit_leads_an_attack_on_a_vehicle_whoever_is_named_first() -> None:
    clash = melee(red("A"), red("L", "russian/8-1"))
    squad_first = assault_value(clash.context, clash.state, [clash.unit("A"), clash.unit("L")])
    leader_first = assault_value(clash.context, clash.state, [clash.unit("L"), clash.unit("A")])
    assert squad_first.total == leader_first.total == 6
    assert leader_first.base_label == "squad"


@rules("3.2.3", "3.3.4", system="aslsk3")
def test_3_3_4_a_leader_lost_in_reaction_fire_shakes_those_with_him() -> None:
    clash = driven(squad("S", at="D2"), squad("L", "german/8-1", "D2"))
    # The PAATC, an original 12, the leader is hit and dies; then the squad's check.
    clash.play(ReactionFire((UnitId("S"), UnitId("L")), V), (3, 4), (6, 6), 2, 6, (1, 1))
    assert not clash.unit("L").on_map
    assert checks(clash) == ["PAATC", "LLMC"]


def frame_of(clash: Clash, **fields: Any) -> CloseCombat:
    return CloseCombat(hex=clash.hex("B2"), asked=Seat("german"), stage=CcStage.ALTERNATE, **fields)


@rules("3.8", system="aslsk3")
def test_3_8_a_vehicle_attacks_nobody_twice_and_its_close_defence_only_somebody() -> None:
    clash = melee(red("A"), vehicle=tank("german/PzKpfw VG"), conditions={"year": 1944, "month": 7})
    context, state = clash.context, clash.state
    assert can_attack(context, state, frame_of(clash), "german")
    # Whoever was attacked is no target for what has not fought yet.
    struck = frame_of(clash, struck=("A",))
    assert not can_attack(context, state, struck, "german")
    # An ambusher's close defence weapon needs Infantry in the hex, broken or not, and nothing else.
    guns = tuple(weapon_key(state.vehicles[V], gun) for gun in VehicleGun)
    ambush = frame_of(clash, struck=("A",), fought=guns, ambusher="german")
    assert can_attack(context, state, ambush, "german")
    alone = replace(state, units={})
    assert not can_attack(context, alone, ambush, "german")
