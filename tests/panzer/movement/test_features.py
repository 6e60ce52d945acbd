"""6.1.4.3 read a second time: half sentences about buildings, positions, counters and smoke."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from sandtable.systems.panzer.cards import CardId
from sandtable.systems.panzer.edition import PANZER_NA
from sandtable.systems.panzer.events import UnitEliminated
from sandtable.systems.panzer.features import FeatureKind
from sandtable.systems.panzer.frames import Movement, PositionChoice
from sandtable.systems.panzer.hex.actions import DesignatePosition, FireSmoke, Landing, Load, Move, SearchHullDown
from sandtable.systems.panzer.hex.adjustment_steps import may_take_cover
from sandtable.systems.panzer.hex.combat.direct_smoke import smoke_hexes
from sandtable.systems.panzer.hex.events import VehicleBrewedUp
from sandtable.systems.panzer.hex.spotting.hull_down import position_of
from sandtable.systems.panzer.hex.state import Leg, LegKind
from sandtable.systems.panzer.markers import Floor, HullDown, Suppression, UnitMarkers
from sandtable.systems.panzer.terrain import Cover, TerrainId, Traction
from sandtable.systems.panzer.unit import Status, UnitId
from sandtable.testing.looking import is_offered
from tests.panzer.advanced_fire import Field, firing
from tests.panzer.advanced_fire import at as placed
from tests.panzer.grounds import terrain
from tests.panzer.movement.test_advanced_ground import TOWN, lay, one
from tests.panzer.movement.test_advanced_moves import NA, advanced, at
from tests.rulebook.engine import RED, Play, move

rules = pytest.mark.rules
R1, R2, B1 = map(UnitId, ("r1", "r2", "b1"))


def changed(game: Play, unit: UnitId, **fields: Any) -> Play:
    game.state = replace(game.state, units={**game.state.units, unit: replace(game.state.units[unit], **fields)})
    return game


@rules("6.1.4.3.1", "6.6.4.4", system=NA)
def test_6_1_4_3_1_motorcyclists_go_into_buildings_for_the_cost_of_the_alley() -> None:
    game = one("r1 tank C4 N MOVE", "squad", field=TOWN)
    card = game.context.cards[CardId("squad")]
    assert card.advanced is not None
    riders = replace(
        card,
        movement=replace(card.movement, mode=Traction.WHEELED, cross_country=5),
        advanced=replace(card.advanced, motorcycle=True),
    )
    game.rules = type(game.rules)(game.rules.card, replace(game.context, cards={**game.context.cards, card.id: riders}))
    game.do(RED, move("r1", "F"))
    assert game.at("r1") == "C3"


@rules("6.1.4.3.1", "6.8.1", system=NA)
def test_6_1_4_3_1_a_gun_that_was_set_up_inside_a_building_stays_there() -> None:
    units = "r1 tank C3 N MOVE\nr2 truck C3 N N/C\nb1 truck G5 N N/C"
    cards = {"r1": "gun", "r2": "lorry", "b1": "lorry"}
    game = advanced(units, cards, "blue", {}, field=TOWN, r1=UnitMarkers(floor=Floor.INSIDE))
    at(game, Movement(RED, first=False))
    assert game.why(RED, move("r1", "F"))
    assert game.why(RED, Load(R2, (R1,))) == "6.1.4.3.1"
    alley = at(advanced(units, cards, "blue", {}, field=TOWN), Movement(RED, first=False))
    assert (alley.why(RED, move("r1", "F")), alley.why(RED, Load(R2, (R1,)))) == ("", "")


@rules("6.1.4.3.5", "6.1.4.3.11", system=NA)
@pytest.mark.parametrize(("kind", "refused"), [(FeatureKind.ON_FIRE, True), (FeatureKind.WIRE, True), (None, False)])
def test_6_1_4_3_5_nobody_gets_off_into_fire_or_wire(kind: FeatureKind | None, refused: bool) -> None:
    game = advanced(
        "r1 truck C4 N N/C\nr2 tank C4 N MOVE\nb1 truck G5 N N/C",
        {"r1": "lorry", "r2": "squad", "b1": "lorry"},
        "blue",
        {},
        r1=UnitMarkers(passengers=(R2,)),
        r2=UnitMarkers(carrier=R1),
    )
    if kind is not None:
        lay(game, kind, "C3")
    at(game, Movement(RED, first=False))
    assert bool(game.why(RED, Load(R1, (), (Landing(R2, game.hex("C3"), 0),)))) is refused


@rules("6.1.4.3.5", "6.1.4.3.11", system=NA)
@pytest.mark.parametrize(
    ("kind", "card", "refused"),
    [
        (FeatureKind.ON_FIRE, "sherman", "6.1.4.3.5"),
        (FeatureKind.WIRE, "squad", "6.1.4.3.11"),
        (FeatureKind.WIRE, "sherman", ""),
    ],
)
def test_6_1_4_3_5_a_reserve_enters_no_hex_that_is_closed_and_flattens_wire(
    kind: FeatureKind, card: str, refused: str
) -> None:
    game = one("r1 tank C5 N MOVE", card)
    changed(game, R1, hex=None, status=Status.RESERVE, entry=(game.hex("C5"),), enters_turn=1)
    lay(game, kind, "C5")
    enter = Move(R1, (), enter=game.hex("C5"), facing=0)
    assert game.why(RED, enter) == refused
    if not refused:
        game.do(RED, enter)
        assert game.state.features == ()


@rules("6.1.4.3.6", "6.1.4.3.7", system=NA)
@pytest.mark.parametrize("lost", [UnitEliminated(B1), None])
def test_6_1_4_3_6_the_position_of_a_unit_that_is_lost_lies_abandoned(lost: UnitEliminated | None) -> None:
    game = lay(one("r1 tank C3 N MOVE", "squad"), FeatureKind.IMPROVED_POSITION, "C2", unit=B1)
    event = lost or VehicleBrewedUp(B1, game.hex("C2"))
    game.state = game.rules.fold(game.state, event)
    assert [feature.unit for feature in game.state.features] == [""]


@rules("6.1.4.3.6", "6.6.7.1.1", system=NA)
def test_6_1_4_3_6_who_gets_off_into_an_abandoned_entrenchment_is_in_it() -> None:
    game = advanced(
        "r1 truck C4 N N/C\nr2 tank C4 N MOVE\nb1 truck G5 N N/C",
        {"r1": "lorry", "r2": "squad", "b1": "lorry"},
        "blue",
        {},
        r1=UnitMarkers(passengers=(R2,)),
        r2=UnitMarkers(carrier=R1),
    )
    at(lay(game, FeatureKind.HASTY_ENTRENCHMENT, "C3"), Movement(RED, first=False))
    game.do(RED, Load(R1, (), (Landing(R2, game.hex("C3"), 0),)))
    assert game.state.features[0].unit == "r2"


@rules("6.1.4.3.7", "6.1.4.1.2", system=NA)
@pytest.mark.parametrize(("facing", "way", "open_way"), [("N", "F", 3), ("S", "R", 3)])
@pytest.mark.parametrize("position", [HullDown.FULL, HullDown.PARTIAL])
def test_6_1_4_3_7_an_improved_position_is_open_where_the_vehicle_came_in_and_is_partial_if_its_owner_says_so(
    facing: str, way: str, open_way: int, position: HullDown
) -> None:
    game = lay(one(f"r1 tank C3 {facing} MOVE", "sherman"), FeatureKind.IMPROVED_POSITION, "C2")
    game.do(RED, move("r1", way))
    assert isinstance(game.state.stack[-1], PositionChoice)
    assert game.why(RED, DesignatePosition(HullDown.NONE)) == "6.1.4.1.2"
    assert all(is_offered(game.rules, game.state, RED, DesignatePosition(one)) for one in list(HullDown)[1:])
    game.do(RED, DesignatePosition(position))
    assert game.unit("r1").markers.open_way == open_way
    assert position_of(game.context, game.state, game.unit("r1")) is position


@rules("6.1.4.3.7", system=NA)
def test_6_1_4_3_7_who_turns_in_an_improved_position_leaves_its_open_side_where_it_was() -> None:
    inside = UnitMarkers(open_way=3)
    game = one("r1 tank C3 N MOVE", "sherman", r1=inside)
    lay(game, FeatureKind.IMPROVED_POSITION, "C3", unit=R1)
    game.do(RED, replace(move("r1"), legs=(Leg(1, LegKind.STAY),)))
    assert (game.unit("r1").facing, game.unit("r1").markers.open_way) == (1, 3)
    assert game.state.features[0].unit == "r1"
    away = lay(one("r1 tank C3 N MOVE", "sherman", r1=inside), FeatureKind.IMPROVED_POSITION, "C3", unit=R1)
    away.do(RED, move("r1", "F"))
    assert away.state.features[0].unit == ""


@rules("6.1.4.3.7", "6.6.9", system=NA)
def test_6_1_4_3_7_who_searches_comes_into_its_improved_position_anew() -> None:
    game = one(
        "r1 tank C3 N MOVE",
        "sherman",
        r1=UnitMarkers(open_way=3),
        field="\n".join([". . r . . . ."] * 5),
        rest={"legend": {"r": "rough"}},
    )
    lay(game, FeatureKind.IMPROVED_POSITION, "C3", unit=R1)
    game.do(RED, SearchHullDown(R1, HullDown.FULL, 1), 100)
    assert (game.state.features[0].unit, game.unit("r1").markers.open_way) == ("r1", 4)


@rules("6.1.4.3.7", "6.1.4.1.2", "6.6.9", system=NA)
@pytest.mark.parametrize("position", [HullDown.FULL, HullDown.PARTIAL])
@pytest.mark.parametrize("found", [HullDown.FULL, HullDown.PARTIAL])
def test_6_1_4_3_7_what_was_found_in_the_hex_of_an_improved_position_does_not_count_in_it(
    found: HullDown, position: HullDown
) -> None:
    game = one("r1 tank C3 N MOVE", "sherman", field="\n".join([". . r . . . ."] * 5), rest={"legend": {"r": "rough"}})
    lay(game, FeatureKind.IMPROVED_POSITION, "C3")
    game.do(RED, SearchHullDown(R1, found, 1), 1)
    game.do(RED, DesignatePosition(position))
    assert game.state.features[0].unit == "r1"
    assert position_of(game.context, game.state, game.unit("r1")) is position


@rules("6.1.4.3.9", system=NA)
def test_6_1_4_3_9_rubble_covers_like_what_it_was() -> None:
    known = terrain(PANZER_NA.id)
    pairs = {"rubble": "improved_position", "brick_rubble": "brick_building", "wood_rubble": "wood_building"}
    for rubble, was in pairs.items():
        assert known[TerrainId(rubble)].cover_fire is known[TerrainId(was)].cover_fire
    assert known[TerrainId("rubble")].cover_spotting is Cover.HEAVY


@rules("6.1.4.3.10", "6.1.4.3.1", system=NA)
def test_6_1_4_3_10_who_is_upstairs_is_offered_all_hexes_that_he_sees() -> None:
    rows = [". . . . ."] * 10
    rows[3], rows[5] = ". b . . .", ". h . . ."
    mortar = firing("r1", "british-section", "B4", "S", attached=["oml-2in"], floor="up")
    field = Field(
        [mortar],
        [placed("b1", "bedford-ql", "E1")],
        drawing={
            "cells": "\n".join(rows),
            "legend": {"b": "brick_building", "h": "wood_building"},
        },
        conditions={"desert_buildings": True, "building_storeys": {"B4": 3}},
    )
    unit = field.unit("r1")
    weapon = next(i for i, arm in enumerate(field.context.guns(unit)) if arm.weapon.smoke)
    offered = set(smoke_hexes(field.context, field.state, unit, weapon))
    legal = {hex for hex in field.context.game_map.hexes if not field.refused(FireSmoke(unit.id, weapon, hex))}
    assert offered == legal
    assert not offered <= field.context.ground.field_of_sight(field.rules.place("B4"))


@rules("6.1.4.3.10", "5.1", system=NA)
def test_6_1_4_3_10_suppressed_engineers_smoke_to_their_front_alone() -> None:
    def field(suppressed: bool) -> Field:
        marks = {"suppression": Suppression.ON.value} if suppressed else {}
        engineers = firing("r1", "british-rifle-squad", "B4", "S", roles={"engineer": True}, **marks)
        return Field([engineers], [placed("b1", "bedford-ql", "E1")])

    for suppressed, refused in ((False, ""), (True, "4.4.3.1")):
        game = field(suppressed)
        assert game.refused(FireSmoke(R1, -1, game.rules.place("B3"))) == refused
        assert game.refused(FireSmoke(R1, -1, game.rules.place("B5"))) == ""


@rules("6.1.4.2", "6.8.2", system=NA)
def test_6_1_4_2_there_is_no_full_cover_on_a_bridge() -> None:
    field = Field(
        [placed("r1", "british-rifle-squad", "B2"), placed("r2", "british-rifle-squad", "B4")],
        [placed("b1", "bedford-ql", "C1")],
        drawing={
            "cells": "\n".join([". . ."] * 3 + ["y y y"] + [". . ."]),
            "legend": {"y": "gully"},
            "features": [{"kind": "road", "line": ["B1", "B5"]}, {"kind": "bridge", "hexes": ["B4"]}],
        },
    )
    assert [unit.id for unit in may_take_cover(field.context, field.state, "red")] == ["r1"]
