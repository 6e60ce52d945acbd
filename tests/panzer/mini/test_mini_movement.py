"""9.0 Movement on a table: costs by the inch, what bars a way, turns, roads, bridges, buildings and edges."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.core.decision import Judged
from sandtable.core.dice import ScriptedDice
from sandtable.core.tree.drawing import read_drawing_text
from sandtable.systems.panzer.mini.actions import Move
from sandtable.systems.panzer.mini.movement.drive import DrivePath, driver
from sandtable.systems.panzer.unit import UnitId
from tests.panzer.mini.games import position

SYSTEM = "panzer-mini"
PLACE = {"at": "10,12", "heading": 90}


def drive(
    features: list[dict[str, Any]] | None = None, others: list[dict[str, Any]] | None = None, **unit: Any
) -> DrivePath:
    """The ways of a T-34 with a MOVE that stands at 10,12 and looks east, unless it is said otherwise."""
    mine = {"id": "S1", "card": "t-34-76-m42", "command": "MOVE", **PLACE, **unit}
    drawn = {"table": {"width": 36, "depth": 24}, "features": features or []}
    patches = unit.pop("patches", [])
    friends, conditions = mine.pop("friends", []), mine.pop("conditions", {})
    mine.pop("patches", None)
    found = position(
        map={"drawn": drawn},
        patches=patches,
        conditions=conditions,
        sides=[
            {"id": "soviet", "title": "", "units": [mine, *friends]},
            {"id": "german", "title": "", "units": others or [{"id": "G1", "card": "pz-ivg", "at": "2,2"}]},
        ],
    )
    ruleset: Any = found.ruleset
    return DrivePath(ruleset.context, found.state, found.state.units[UnitId("S1")])


def judged(path: DrivePath, text: str) -> Judged:
    strokes = read_drawing_text(text)
    assert strokes is not None
    return path.judge(strokes)


def spent(path: DrivePath, text: str) -> float | None:
    found = judged(path, text)
    assert found.refusal is None, found.refusal
    return found.marks[-1].spent


def broken(path: DrivePath, text: str) -> str:
    found = judged(path, text)
    assert found.refusal is not None
    return found.refusal.rule


def area(kind: str, left: float, top: float, right: float, bottom: float, **more: Any) -> dict[str, Any]:
    return {"kind": kind, "outline": [[left, top], [right, top], [right, bottom], [left, bottom]], **more}


ROUGH = area("rough", 12.5, 8, 15.5, 16)
HILL = [area("hill", 13, 6, 22, 18, level=1), {"kind": "slope", "line": ["13,11", "13,13"], "width": 1}]
ROAD = {"kind": "road", "text": "High road", "line": ["0,12", "36,12"], "width": 1}


@pytest.mark.rules(
    "9.0", "9.1", "9.1.1", "9.1.2", "9.2", "9.2.1", "9.2.3", "9.3", "9.3.1", "4.3", "4.5.3", system=SYSTEM
)
def test_9_3_1_an_inch_costs_its_ground_and_the_last_fraction_a_whole_inch() -> None:
    path = drive()
    assert spent(path, "go 15,12") == 5
    assert spent(path, "go 15.25,12") == 6
    assert broken(path, "go 22,12") == "9.2.1"
    assert judged(path, "go 22,12").marks[-1].at == (21000, 12000)
    # Three inches of rough cost 4 each, as the dearest ground of an inch counts.
    assert spent(drive([ROUGH]), "go 12.4,12") == 3
    assert spent(drive([ROUGH]), "go 13,12") == 2 + 4


@pytest.mark.rules("9.1.3", "9.4.3", system=SYSTEM)
def test_9_1_3_reverse_costs_double_and_keeps_the_facing() -> None:
    path = drive()
    assert spent(path, "back 8,12") == 4
    assert judged(path, "back 8,12").marks[-1].heading == 900
    assert spent(path, "go 12,12; back 11,12") == 4


@pytest.mark.rules("9.1.4", "9.2.1.3", "9.2.2", "8.4.5.3", "8.4.5.3.1", system=SYSTEM)
def test_9_1_4_it_may_stay_or_turn_in_place() -> None:
    assert judged(drive(), "stay").refusal is None
    assert spent(drive(), "face 180") == 0
    assert broken(drive(track=True), "go 11,12") == "9.2.1.3"
    assert broken(drive(track=True), "face 180") == "9.2.1.3"
    assert judged(drive(track=True), "stay").refusal is None


@pytest.mark.rules("9.2.1.1", "9.2.1.2", "4.7", system=SYSTEM)
def test_9_2_1_halves_are_rounded_down() -> None:
    found = position(
        sides=[
            {
                "id": "soviet",
                "title": "",
                "units": [
                    {"id": "a", "card": "t-34-76-m42", "at": "5,5", "command": "SHORT HALT"},
                    {"id": "b", "card": "t-34-76-m42", "at": "9,5", "command": "MOVE", "damaged": True},
                    {"id": "c", "card": "t-34-76-m42", "at": "13,5", "command": "SHORT HALT", "damaged": True},
                ],
            },
            {"id": "german", "title": "", "units": []},
        ]
    )
    ruleset: Any = found.ruleset
    allowed = [driver(ruleset.context, found.state.units[UnitId(one)]) for one in "abc"]
    assert [(one.cross_country, one.path, one.road) for one in allowed] == [(5, 7, 11), (5, 7, 11), (2, 3, 5)]


@pytest.mark.rules("9.3.2", "5.5.1.4", "5.5.1.6", "5.5.1.8", "5.5.1.20", system=SYSTEM)
def test_9_3_2_prohibited_ground_bars_the_way() -> None:
    assert broken(drive([area("heavy_woods", 12, 8, 14, 16)]), "go 16,12") == "9.3.2"
    assert broken(drive([area("ditch", 12, 8, 13, 16)]), "go 16,12") == "9.3.2"
    stream = {"kind": "stream", "line": ["13,4", "13,20"], "width": 1}
    assert broken(drive([stream]), "go 16,12") == "9.3.2"
    ford = area("ford", 12, 11, 14, 13)
    assert spent(drive([stream, ford]), "go 16,12") is not None
    assert broken(drive([stream, ford]), "go 16,9") == "9.3.2"
    block = area("block", 12, 12.3, 13, 14)
    assert broken(drive([block]), "go 16,12") == "9.3.2"
    assert spent(drive([block]), "go 11,11; go 15,11") is not None
    rubble = area("rubble", 12, 10, 13, 14)
    assert spent(drive([rubble]), "go 13.5,12") == 1 + 4 + 4 + 1


@pytest.mark.rules("9.3.3", "5.5.1.11", "5.5.1.17", system=SYSTEM)
def test_9_3_3_height_is_paid_once_and_only_a_slope_leads_up() -> None:
    assert spent(drive(HILL), "go 16,12") == 6 + 1
    assert broken(drive(HILL), "go 10,16; go 16,16") == "5.5.1.11"
    scrub = area("scrub", 12.5, 10, 13.5, 14)
    # From the ground onto a slope in scrub: 2 and 1 for the height.
    assert spent(drive([*HILL, scrub], at="12.4,12"), "go 13.4,12") == 3


@pytest.mark.rules("9.3.4", "9.4.2", system=SYSTEM)
def test_9_3_4_smoke_and_wreck_add_up() -> None:
    burning = [{"kind": "wreck", "at": "13,12"}, {"kind": "brew_up_smoke", "at": "13,12"}]
    assert spent(drive(patches=burning), "go 15,12") == 5 + 2
    assert broken(drive(patches=burning), "go 13,12") == "9.9"


@pytest.mark.rules("9.3.5", system=SYSTEM)
def test_9_3_5_one_inch_is_always_allowed_but_not_after_a_paid_turn() -> None:
    path = drive([area("rough", 8, 8, 16, 16)], command="SHORT HALT", damaged=True)
    assert spent(path, "go 11,12") == 4
    assert spent(path, "back 9,12") == 8
    assert broken(path, "go 11.2,12") == "9.2.1"
    assert broken(path, "go 9,12") in {"9.4.1", "9.2.1"}


@pytest.mark.rules("9.3.6", system=SYSTEM)
def test_9_3_6_the_turret_keeps_its_place_on_the_hull() -> None:
    found = position(
        open="movement",
        sides=[
            {
                "id": "soviet",
                "title": "",
                "units": [
                    {
                        "id": "S1",
                        "card": "t-34-76-m42",
                        "at": "10,12",
                        "turret": "left",
                        "command": "MOVE",
                        "known": True,
                    }
                ],
            },
            {"id": "german", "title": "", "units": [{"id": "G1", "card": "pz-ivg", "at": "2,2"}]},
        ],
        player="soviet",
    )
    ruleset: Any = found.ruleset
    strokes = read_drawing_text("go 12,12; face 180")
    after = ruleset.resolve(found.state, "soviet", Move(UnitId("S1"), strokes or ()), ScriptedDice(())).state
    unit = after.units[UnitId("S1")]
    assert (unit.heading, unit.turret.value, unit.turret_heading) == (1800, "left", 900)


@pytest.mark.rules("9.4", "9.4.1", "9.4.2", system=SYSTEM)
def test_9_4_1_only_turns_of_more_than_90_degrees_cost() -> None:
    path = drive()
    assert spent(path, "face 180") == 0
    assert spent(path, "face 180.1") == 1
    assert spent(path, "face 150; face 210") == 1
    assert spent(path, "face 180; go 10,13; face 270") == 1
    assert spent(path, "face 180; go 10,12.5; face 270") == 2
    assert spent(drive([area("rough", 8, 8, 16, 16)]), "face 270") == 2
    assert spent(drive([*HILL], at="13.2,12"), "face 270") == 2


@pytest.mark.rules("9.5", "9.5.1", "9.5.2", system=SYSTEM)
def test_9_5_a_road_gives_its_allowance_to_who_keeps_to_it() -> None:
    path = drive([ROAD])
    assert spent(path, "go 31,12") == 21
    assert spent(path, "along High road to 32,12") == 22
    assert broken(path, "go 33,12") == "9.2.1"
    assert broken(path, "go 26,12; go 27,14") == "9.5.2"
    assert broken(path, "go 26,12; face 180") == "9.5.1"
    assert broken(drive([ROAD], at="10,14"), "go 11,12; go 30,12") == "9.2.1"


@pytest.mark.rules("9.5.3", "9.5.4", "9.6", system=SYSTEM)
def test_9_5_3_a_path_in_the_way_gives_the_allowance_of_paths() -> None:
    half = {"kind": "road", "text": "Road", "line": ["0,12", "16,12"], "width": 1}
    path = {"kind": "path", "text": "Path", "line": ["15,12", "36,12"], "width": 1}
    assert spent(drive([half, path]), "go 24,12") == 14
    assert broken(drive([half, path]), "go 26,12") == "9.2.1"
    stream = {"kind": "stream", "line": ["16,4", "16,20"], "width": 1}
    bridge = {"kind": "bridge", "text": "Bridge", "line": ["14.5,12", "17.5,12"], "width": 1}
    assert spent(drive([stream, ROAD, bridge]), "go 30,12") == 20
    assert broken(drive([stream, ROAD, bridge]), "go 13,14; go 17,12") in {"9.3.2", "9.6"}
    west = {"kind": "road", "text": "Road", "line": ["0,12", "15,12"], "width": 1}
    east = {"kind": "path", "text": "Path", "line": ["17,12", "36,12"], "width": 1}
    assert broken(drive([stream, west, east, bridge]), "go 26,12") == "9.2.1"


@pytest.mark.rules("9.5.5", system=SYSTEM)
def test_9_5_5_an_enemy_or_a_wreck_on_the_road_takes_its_bonus() -> None:
    enemy = [{"id": "G1", "card": "pz-ivg", "at": "14,12", "heading": 270}]
    assert broken(drive([ROAD], enemy), "go 26,12") == "9.5.5"
    assert spent(drive([ROAD], enemy), "go 20,12") == 10
    assert broken(drive([ROAD], patches=[{"kind": "wreck", "at": "14,12"}]), "go 26,12") == "9.5.5"


@pytest.mark.rules("9.5.6", "9.5.7", system=SYSTEM)
def test_9_5_6_heights_cost_one_less_on_a_road_that_also_leads_through_heavy_woods() -> None:
    assert spent(drive([*HILL, ROAD]), "go 16,12") == 6
    woods = area("heavy_woods", 12, 6, 20, 18)
    assert spent(drive([woods, ROAD]), "go 18,12") == 8
    assert broken(drive([woods, ROAD]), "go 15,12; go 15,15") == "9.5.7"


@pytest.mark.rules("9.7", "9.7.1", "9.7.2", system=SYSTEM)
def test_9_7_1_only_tracked_vehicles_with_a_roof_and_the_turret_ahead_break_into_buildings() -> None:
    house = area("brick_building", 13, 11, 15, 13)
    path = drive([house])
    strokes = read_drawing_text("go 13.5,12")
    assert strokes is not None
    walls = [wall for step in path.walk(strokes).steps for wall in step.walls]
    assert [(wall.kind, wall.leaves) for wall in walls] == [("brick_building", False)]
    assert broken(drive([house], turret="left"), "go 13.5,12") == "9.7.1"
    assert broken(drive([house], card="marder-ii"), "go 13.5,12") == "9.7.1"
    assert broken(drive([house], card="marder-ii"), "go 12.7,12") == "9.7.1"


@pytest.mark.rules("9.8", system=SYSTEM)
def test_9_8_who_drives_over_the_edge_has_left() -> None:
    path = drive(at="33,12")
    strokes = read_drawing_text("go 38,12")
    assert strokes is not None
    steps = path.walk(strokes).steps
    assert path.judge(strokes).refusal is None
    assert steps[-1].edge == "east"
    assert broken(path, "go 38,12; go 30,12") == "9.8"
    assert broken(path, "go 35.8,12") == "9.9"


@pytest.mark.rules("9.9", "9.9.2", system=SYSTEM)
def test_9_9_others_are_passed_but_nobody_ends_upon_them() -> None:
    other = [{"id": "G1", "card": "pz-ivg", "at": "14,12", "heading": 0}]
    assert spent(drive(None, other), "go 16,12") == 6
    found = judged(drive(None, other), "go 14,12")
    assert found.refusal is not None
    assert found.refusal.rule == "9.9"
    assert found.marks[-1].at == (13000, 12000)
