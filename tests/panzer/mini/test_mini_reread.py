"""Half sentences of the miniatures book: damage on the way, walls, pivots beside houses, ends that nobody planned."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from sandtable.core.decision import Sweep
from sandtable.core.errors import BadInput
from sandtable.core.tree.drawing import Strokes, read_drawing_text
from sandtable.geo.plane.points import Point
from sandtable.systems.panzer import events as ev
from sandtable.systems.panzer.mini.actions import Move, MoveOn, Pivot
from sandtable.systems.panzer.mini.adjustment.ending import why_over
from sandtable.systems.panzer.mini.adjustment.pivots import PivotPath
from sandtable.systems.panzer.mini.movement.drive import DrivePath
from sandtable.systems.panzer.mini.movement.moving import waiting_to_move
from sandtable.systems.panzer.mini.objectives import final_outcome, is_at, reviewed
from sandtable.systems.panzer.objective import Objective
from sandtable.systems.panzer.unit import Status, UnitId
from tests.panzer.mini.games import position
from tests.panzer.mini.range import GERMAN, SOVIET, Story, forces, of_kind, panzer, tank

SYSTEM = "panzer-mini"
TANK = UnitId("tank")


def way(text: str) -> Strokes:
    strokes = read_drawing_text(text)
    assert strokes is not None
    return strokes


def house(left: float, top: float, right: float, bottom: float, kind: str = "brick_building") -> dict[str, Any]:
    return {"kind": kind, "outline": [[left, top], [right, top], [right, bottom], [left, bottom]]}


def mover(*features: dict[str, Any], turns: int = 15, **more: Any) -> Story:
    """A T-34 at 10,10 that looks east and has a MOVE, far from everybody."""
    soviet = [tank(**{"command": "MOVE", "known": True, **more})]
    german = [panzer(at="40,40")]
    step = {"open": "movement", "first": "german", "player": "soviet", "turns": turns}
    return Story(forces(german, soviet, features=list(features), **step))


def drive(story: Story) -> DrivePath:
    return DrivePath(story.rules.context, story.state, story.unit("tank"))


@pytest.mark.rules("8.4.7.4", "9.7.4", "4.7", system=SYSTEM)
def test_8_4_7_4_damage_on_the_way_halves_what_is_left_alone() -> None:
    story = mover(house(15, 9, 18, 11))
    story.do(SOVIET, Move(TANK, way("go 14.9,10")), 1, 1)
    # 4 of 11 were spent when the wall was reached: of the other 7 it keeps 3.
    assert story.unit("tank").damaged
    assert story.asked == (SOVIET, "9.1.1")
    assert story.refused(SOVIET, MoveOn(TANK, way("face 0; go 14.9,6"))) == "9.2.1"
    marks = story.rules.decision(story.state).options(SOVIET).root.judge(()).marks
    assert (marks[-1].spent, marks[-1].left) == (5, 2)
    ended = of_kind(story.do(SOVIET, MoveOn(TANK)), ev.MoveEnded)
    assert [(event.spent, event.allowance) for event in ended] == [(5, 7)]


@pytest.mark.rules("9.3.5", "9.7.4", system=SYSTEM)
def test_9_3_5_the_inch_that_is_always_allowed_holds_for_one_that_a_wall_has_damaged() -> None:
    story = mover(house(10.6, 9, 13, 11))
    story.do(SOVIET, Move(TANK, way("go 11,10")), 1, 1)
    # The inch costs 6 and it has 5 left: it is its first, so it is driven and there is no second roll.
    assert story.unit("tank").damaged
    assert story.unit("tank").at == (11000, 10000)


@pytest.mark.rules("9.7.2", system=SYSTEM)
def test_9_7_2_walls_are_broken_in_the_order_of_the_table() -> None:
    kinds = ["wood_building", "brick_building", "stone_building"]
    shacks = [house((96 + n) / 10, 9.9, (965 + 10 * n) / 100, 10.4, kinds[n % 3]) for n in range(8)]
    steps = drive(mover(*shacks)).walk(way("go 11,10")).steps
    left = [wall.kind for step in steps for wall in step.walls if wall.leaves]
    assert left == [shack["kind"] for shack in shacks]


@pytest.mark.rules("10.1", "9.7.2", system=SYSTEM)
def test_9_7_2_no_pivot_leads_through_a_wall() -> None:
    drawn = [house(10.55, 9, 13, 11)]
    story = Story(forces([panzer(at="40,40")], [tank(command="MOVE")], features=drawn, open="pivots", first="soviet"))
    assert story.refused(SOVIET, Pivot(TANK, way("face 45"))) == "9.7.2"
    assert story.rules.refusal(story.state, SOVIET, Pivot(TANK, way("face 180"))) is None
    idle = Story(forces([panzer(command="MOVE")], [tank(command="OW")], open="pivots", first="soviet"))
    assert idle.asked == (GERMAN, "10.1")
    options = story.rules.decision(story.state).options(SOVIET).root.branch(TANK)
    assert isinstance(options.then, Sweep)
    assert all(options.then.judge(one.strokes).refusal is None for one in options.then.suggestions())


@pytest.mark.rules("9.8", "9.9", "9.7.4", system=SYSTEM)
def test_9_9_nobody_who_has_to_stop_hangs_over_the_edge() -> None:
    story = mover(house(47.4, 9.9, 47.6, 10.1), at="46.8,10")
    story.do(SOVIET, Move(TANK, way("go 49,10")), 100, 1, 100)
    # It came in unharmed, and lost a track as it was to leave both the shed and the table.
    assert story.unit("tank").markers.track
    assert story.unit("tank").at == (46800, 10000)


@pytest.mark.rules("10.4.2", "9.8", system=SYSTEM)
def test_10_4_2_it_goes_on_only_while_both_have_combat_units() -> None:
    story = mover(turns=5)
    context = story.rules.context

    def with_status(german: Status, soviet: Status) -> Any:
        units = dict(story.state.units)
        for name, status in (("panzer", german), ("tank", soviet)):
            units[UnitId(name)] = replace(units[UnitId(name)], status=status)
        return replace(story.state, units=units)

    assert why_over(context, with_status(Status.IN_PLAY, Status.IN_PLAY)) == ""
    assert why_over(context, with_status(Status.IN_PLAY, Status.RESERVE)) == ""
    both = with_status(Status.KNOCKED_OUT, Status.BREWED_UP)
    assert why_over(context, both) == "soviet and german have no combat unit left"
    left = with_status(Status.IN_PLAY, Status.EXITED)
    assert why_over(context, left) == "soviet has no combat unit left"
    # Whoever has left is not eliminated: points decide (9.8, 10.4.4).
    assert final_outcome(left, context.scenario, context.cards).rule == "10.4.4"


@pytest.mark.rules("4.6", "4.6.2", "4.6.3", system=SYSTEM)
def test_4_6_who_relieves_another_has_not_stayed_a_complete_turn() -> None:
    held = Objective(holder="german", occupant="soviet", beside=("S1",))
    assert reviewed(held, {"S1": "soviet", "S2": "soviet"}).holder == "soviet"
    relieved = reviewed(held, {"S2": "soviet"})
    assert (relieved.holder, relieved.occupant) == ("german", "soviet")
    assert reviewed(relieved, {"S2": "soviet"}).holder == "soviet"
    # Nor does it contest what the enemy holds, until it has stayed itself.
    both = reviewed(held, {"S2": "soviet", "G1": "german"})
    assert (both.holder, both.contested) == ("german", True)
    assert reviewed(both, {"S2": "soviet", "G1": "german"}).holder == ""
    assert reviewed(both, {"S2": "soviet"}).holder == ""
    assert reviewed(Objective(holder="german", occupant="german", beside=("G1",)), {}).holder == "german"


@pytest.mark.rules("4.6", "4.5.1", system=SYSTEM)
def test_4_6_beside_an_objective_is_a_range_of_one() -> None:
    area = [Point(10_000, 10_000), Point(12_000, 10_000), Point(12_000, 12_000), Point(10_000, 12_000)]
    for spots, beside in ((area, 13_999), (area[2:3], 13_999)):
        assert is_at((beside, 12_000), spots)
        assert not is_at((beside + 1, 12_000), spots)
    assert is_at((11_000, 11_000), area)
    # Past a corner the range is that to the corner.
    assert is_at((13_400, 13_400), area)
    assert not is_at((13_500, 13_500), area)


@pytest.mark.rules("9.2.1", "9.1.1", system=SYSTEM)
def test_9_1_1_marks_tell_what_is_left_at_the_rate_of_the_move() -> None:
    marks = drive(mover()).judge(way("go 13,10")).marks
    assert [(mark.spent, mark.left) for mark in marks] == [(1, 10), (2, 9), (3, 8)]
    road = {"kind": "road", "text": "Road", "line": ["0,10", "40,10"], "width": 1}
    off = drive(mover(road)).judge(way("go 11,10; go 11,12")).marks
    assert [(mark.spent, mark.left) for mark in off] == [(1, 21), (2, 9), (3, 8)]


@pytest.mark.rules("4.0", "4.4", "4.4.2", system=SYSTEM)
def test_4_4_2_the_move_half_of_a_short_halt_waits_after_its_fire() -> None:
    story = mover(command="SHORT HALT", fired=True, new_spot="SPOT/FIRE")
    assert [unit.id for unit in waiting_to_move(story.state, "soviet")] == [TANK]
    counter = story.rules.counter(story.state, "tank")
    assert [marker.text for marker in counter.markers] == ["SHORT HALT", "+SPOT/FIRE"]
    story.do(SOVIET, Move(TANK, way("go 11,10")))
    assert waiting_to_move(story.state, "soviet") == []


@pytest.mark.parametrize(
    ("more", "field"),
    [
        ({"victory": {"lead": 0}}, "victory.lead"),
        ({"open": "set-up", "status": "reserve"}, "sides[0].units[0].enters"),
        (
            {
                "open": "set-up",
                "zones": {"west": {"edge": "west", "depth": 12}},
                "set_up": {"choice": ["west", "west"]},
            },
            "set_up.choice",
        ),
    ],
)
def test_a_scenario_that_cannot_be_decided_or_set_up_is_named(more: dict[str, Any], field: str) -> None:
    status = {"status": more.pop("status")} if "status" in more else {}
    sides = [
        {"id": "german", "title": "", "units": [panzer(at="", **status)]},
        {"id": "soviet", "title": "", "units": [tank(at="")]},
    ]
    with pytest.raises(BadInput) as bad:
        position(sides=sides, **more)
    assert any(field in fault.where for fault in bad.value.faults)


@pytest.mark.rules("9.1.4", "9.9", "10.1", system=SYSTEM)
def test_9_9_whoever_was_lost_upon_a_vehicle_does_not_keep_it_from_turning() -> None:
    wreck = [{"kind": "wreck", "at": "10.4,10"}, {"kind": "wreck", "at": "10,11.1"}]
    soviet = [tank(command="MOVE", known=True)]
    story = Story(forces([panzer(at="40,40")], soviet, open="movement", player="soviet", patches=wreck))
    path = drive(story)
    pivot = PivotPath(story.rules.context, story.state, story.unit("tank"))
    for judge in (path.judge, pivot.judge):
        found = [judge(way(f"face {heading}")).refusal for heading in (180, 135)]
        # Its corner would come to stand upon the other wreck.
        assert [one and one.rule for one in found] == [None, "9.9"]
    # It may not drive on to end there, and out of it as always.
    refusal = path.judge(way("go 10.3,10")).refusal
    assert refusal is not None
    assert refusal.rule == "9.9"
    assert path.judge(way("go 14,10")).refusal is None


HOUSE = house(20, 20, 22, 22) | {"text": "Inn"}


@pytest.mark.rules("5.5.1", "5.5.1.3", "5.5.1.11", "5.5.1.17", system=SYSTEM)
@pytest.mark.parametrize(
    ("features", "more", "field"),
    [
        # Whatever lies where a drawing is judged is a feature; patches are what may come and go.
        ([], {"patches": [{"kind": "stream", "at": "20,20"}]}, "patches[0].kind"),
        ([], {"patches": [{"kind": "bridge", "at": "20,20"}]}, "patches[0].kind"),
        ([], {"patches": [{"kind": "woods", "at": "20,20"}]}, "patches[0].kind"),
        ([HOUSE | {"kind": "wreck"}], {}, "features[0].kind"),
        ([HOUSE | {"kind": "brew_up_smoke"}], {}, "features[0].kind"),
        ([HOUSE | {"kind": "marsh"}], {}, "features[0].kind"),
        ([HOUSE | {"kind": "hill"}], {}, "features[0].level"),
        ([HOUSE | {"kind": "hill", "level": 0}], {}, "features[0].level"),
        ([HOUSE | {"kind": "depression", "level": 1}], {}, "features[0].level"),
        ([HOUSE | {"kind": "woods", "level": 1}], {}, "features[0].level"),
        ([{"kind": "stream", "line": ["20,20", "30,20"]}], {}, "features[0].width"),
        ([{"kind": "crest", "line": ["20,20", "30,20"]}], {}, "features[0].width"),
        ([{"kind": "woods", "point": "20,20"}], {}, "features[0].outline"),
        ([HOUSE | {"attributes": {"storeys": 0}}], {}, "features[0].attributes.storeys"),
        ([HOUSE | {"attributes": {"storeys": "two"}}], {}, "features[0].attributes.storeys"),
        ([HOUSE], {"conditions": {"storeys": {"Mill": 2}}}, "conditions.storeys"),
        ([HOUSE], {"conditions": {"storeys": {"Inn": 0}}}, "conditions.storeys.Inn"),
    ],
)
def test_5_5_1_ground_that_cannot_be_is_named_before_anybody_plays(
    features: list[dict[str, Any]], more: dict[str, Any], field: str
) -> None:
    with pytest.raises(BadInput) as bad:
        forces([panzer()], [tank()], features=features, **more)
    assert [fault.where.rpartition(": ")[2] for fault in bad.value.faults] == [field]


@pytest.mark.rules("5.5.1", system=SYSTEM)
def test_5_5_1_rubble_and_markers_may_lie_on_the_ground_at_the_start() -> None:
    found = forces([panzer()], [tank()], features=[HOUSE], patches=[{"kind": "rubble", "at": "20,30"}])
    assert [patch.kind for patch in found.state.patches] == ["rubble"]
