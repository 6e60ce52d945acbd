"""8.1.2, 8.3.2, 8.4.2.9-8.4.2.11 Overwatch on a table: triggers, cascades, turrets, movers and standing orders."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from sandtable.core.tree.drawing import Strokes, read_drawing_text
from sandtable.geo.plane.points import Point
from sandtable.systems.panzer import events as shared
from sandtable.systems.panzer.cards import Mount
from sandtable.systems.panzer.mini import events as ev
from sandtable.systems.panzer.mini.actions import HoldFire, Move, MoveOn, Pass, RevealCommand
from sandtable.systems.panzer.mini.cards import Traverse
from sandtable.systems.panzer.mini.combat.measures import Aim, Swing, refuse_shot, swing_of
from sandtable.systems.panzer.mini.state import FieldOfFire, Hold, Until
from sandtable.systems.panzer.unit import UnitId
from tests.panzer.mini.range import GERMAN, SOVIET, WOODS, Story, fire, forces, of_kind, panzer, tank

SYSTEM = "panzer-mini"


def _way(text: str) -> Strokes:
    found = read_drawing_text(text)
    assert found is not None
    return found


def bears(unit: dict[str, Any], place: tuple[int, int], traverse: Traverse, mount: Mount = Mount.ALL) -> str:
    """The row that a weapon uses on a place, or the rule that forbids it."""
    story = Story(forces([unit], [tank(at=f"{place[0] / 1000:g},{place[1] / 1000:g}")]))
    context, vehicle = story.rules.context, story.unit("panzer")
    card = context.card_of(vehicle)
    card = replace(card, traverse=traverse, weapons=(replace(card.weapons[0], mount=mount),))
    changed = replace(context, cards={**context.cards, card.id: card})
    aim = Aim(vehicle, overwatch=True)
    refusal, swing = refuse_shot(changed, aim, story.unit("tank")), swing_of(changed, aim, Point(*place))
    if swing is None:
        assert refusal is not None
        return str(refusal.rule)
    assert refusal is None
    return swing.row.removeprefix("overwatch_")


FRONT, SIDE, REAR = (10_000, 10_500), (17_000, 3_000), (25_000, 10_500)


@pytest.mark.rules("8.4.2.9", "8.4.2.10", "8.4.2.10.2", "8.4.2.10.3", "8.4.2.10.4", "8.4.2.10.5", system=SYSTEM)
@pytest.mark.rules("8.4.2.10.6", "8.4.2.11", "8.4.2.11.2", "8.4.2.11.3", "8.4.2.11.4", "8.4.2.11.5", system=SYSTEM)
@pytest.mark.rules("8.4.2.11.6", "8.2.1.1", "8.2.1.2", "8.4.7.4", system=SYSTEM)
@pytest.mark.parametrize(
    ("traverse", "damaged", "rows"),
    [
        (Traverse.FAST, False, ["front", "front", "side"]),
        (Traverse.NORMAL, False, ["front", "side", "rear"]),
        (Traverse.SLOW, False, ["front", "rear", "8.4.2.11.5"]),
        (Traverse.FAST, True, ["front", "rear", "8.4.2.11.5"]),
        (Traverse.ALL_ROUND, False, ["front", "front", "front"]),
    ],
)
def test_8_4_2_10_turrets_by_their_speed(traverse: Traverse, damaged: bool, rows: list[str]) -> None:
    assert [bears(panzer(damaged=damaged), place, traverse) for place in (FRONT, SIDE, REAR)] == rows


@pytest.mark.rules("8.4.2.9.1", "8.4.2.10.1", "8.4.2.11", "8.4.2.11.1", "8.2.1.3", "8.2.1.4", "8.2.1.5", system=SYSTEM)
def test_8_4_2_9_1_fixed_mounts() -> None:
    front = [bears(panzer(), place, Traverse.FIXED, Mount.FRONT) for place in (FRONT, SIDE, REAR)]
    rear = [bears(panzer(), place, Traverse.FIXED, Mount.REAR) for place in (FRONT, SIDE, REAR)]
    assert front == ["front", "8.4.2.10.1", "8.4.2.11.1"]
    assert rear == ["8.4.2.9.1", "8.4.2.10.1", "front"]


@pytest.mark.rules("8.2.1", "8.2.1.1", "8.4.2.10.7", "8.4.2.11.7", "8.4.5.3.3", system=SYSTEM)
def test_8_4_2_10_7_the_turret_turns_to_the_target_and_the_line_is_in_both_fields() -> None:
    story = Story(forces([panzer(turret="right", track=True)], [tank()]))
    context, vehicle = story.rules.context, story.unit("panzer")
    aim = Aim(vehicle, overwatch=True)
    assert swing_of(context, aim, Point(*FRONT)) == Swing("overwatch_side", FieldOfFire.FRONT)
    assert swing_of(context, aim, Point(17_000, 20_000)) == Swing("overwatch_rear", FieldOfFire.LEFT)
    assert swing_of(context, aim, Point(10_000, 3_000)) == Swing("overwatch_front", FieldOfFire.RIGHT)


def ambush(**situation: Any) -> Story:
    """A tank fires at a panzer while two hidden panzers and two hidden tanks look on."""
    german = [panzer(command="N/C", known=True)]
    german += [panzer(at="17,6", heading=180) | {"id": "west", "command": "OW"}]
    german += [panzer(at="17,14", heading=90) | {"id": "east", "command": "N/C", "known": False}]
    soviet = [tank(command="FIRE"), tank(at="10,6") | {"id": "back", "command": "OW"}]
    return Story(forces(german, soviet, open="direct fire", spotted={"tank": ("panzer",)}, **situation))


@pytest.mark.rules("3.4.2", "8.1.2", "8.1.2.1", "8.1.2.1.1", "8.1.2.1.2", "8.1.2.2", "8.1.2.2.1", system=SYSTEM)
@pytest.mark.rules("8.1.2.2.2", "8.1.2.2.3", "8.3.2", "8.4.2.10", "8.4.2.10.7", "6.5", system=SYSTEM)
def test_8_1_2_overwatch_answers_fire_in_cascades() -> None:
    story = ambush()
    story.do(SOVIET, fire("panzer", "tank"), 100)
    assert story.asked == (GERMAN, "8.1.2")
    assert story.refused(GERMAN, fire("back", "west")) == "8.1.2"
    assert story.refused(GERMAN, fire("tank", "east")) == "6.5"
    assert story.refused(GERMAN, HoldFire(Until.STOPS)) == "8.3.2"
    events = story.do(GERMAN, fire("tank", "west"), 100)
    shot = of_kind(events, ev.ShotFired)[0]
    assert [term.rule for term in shot.number.terms] == ["8.4.2.10"]
    assert of_kind(events, ev.TurretsTurned)[0].turrets == {"west": FieldOfFire.RIGHT}
    assert story.unit("west").new_spot == "SPOT/FIRE"
    assert story.asked == (SOVIET, "8.1.2")
    events = story.do(SOVIET, fire("west", "back"), 100)
    assert [term.rule for term in of_kind(events, ev.ShotFired)[0].number.terms] == ["8.4.2.9"]
    assert story.asked == (GERMAN, "8.1.2")
    assert story.refused(GERMAN, fire("tank", "west")) == "8.3.2"
    assert story.refused(GERMAN, fire("back", "west")) == "8.1.2.2.2"
    story.do(GERMAN, Pass())
    assert story.asked[1] != "8.1.2"


@pytest.mark.rules("3.4.2", "8.1.2.1", "8.1.2.1.1", system=SYSTEM)
def test_3_4_2_a_force_fires_all_its_overwatch_before_the_other_answers() -> None:
    german = [panzer(at="17,6", heading=270) | {"id": "west", "command": "OW", "known": False}]
    german += [panzer(at="17,14", heading=270) | {"id": "east", "command": "OW", "known": False}]
    soviet = [tank(fired=True), tank(at="10,14", fired=True) | {"id": "second"}]
    soviet += [tank(at="10,6") | {"id": "back", "command": "OW", "known": False}]
    story = Story(forces(german, soviet, open="overwatch", first="german"))
    assert story.asked == (GERMAN, "8.1.2")
    story.do(GERMAN, fire("tank", "west"), 100)
    assert story.asked == (GERMAN, "8.1.2")
    assert story.refused(GERMAN, fire("tank", "east")) == "8.3.2"
    story.do(GERMAN, fire("second", "east"), 100)
    assert story.asked == (SOVIET, "8.1.2")
    story.do(SOVIET, fire("east", "back"), 100)
    assert story.asked[1] != "8.1.2"


@pytest.mark.rules("8.3.2", "8.2.1.1", "8.4.2.10.7", "8.1.2.2.3", system=SYSTEM)
def test_8_3_2_overwatch_that_is_wasted_turns_its_turret_too() -> None:
    german = [panzer(command="OW", known=False)]
    german += [panzer(at="17,6", heading=180) | {"id": "west", "command": "OW", "known": False}]
    story = Story(forces(german, [tank(heading=270, fired=True)], open="overwatch", first="german"))
    events = story.do(GERMAN, fire("tank", "panzer", "west"), 1, 59)
    assert [event.firer for event in of_kind(events, shared.ShotWasted)] == ["west"]
    assert story.unit("tank").status == "BU"
    assert story.unit("west").turret is FieldOfFire.RIGHT
    assert story.unit("west").new_spot == "SPOT/FIRE"


def drive(**orders: str) -> Story:
    """A tank is to drive past a panzer whose order lies face down."""
    german = [panzer(command=orders.get("panzer", "OW"), known=False)]
    start = forces(german, [tank(at="10,20", heading=0, command="MOVE")], open="movement", player="soviet")
    return Story(start)


WAY = _way("go 10,14")


@pytest.mark.rules("3.5", "8.3.2", "8.4.2.2", "8.1.2.2", "9.1.1", system=SYSTEM)
def test_8_3_2_a_mover_is_watched_inch_by_inch() -> None:
    story = drive()
    story.do(SOVIET, Move(UnitId("tank"), WAY))
    assert story.asked == (GERMAN, "8.1.2")
    assert story.unit("tank").at == (10_000, 19_000)
    story.do(GERMAN, Pass())
    assert story.unit("tank").at == (10_000, 18_000)
    events = story.do(GERMAN, fire("tank", "panzer"), 100)
    assert {term.rule for term in of_kind(events, ev.ShotFired)[0].number.terms} == {"8.4.2.2", "8.4.2.10"}
    assert story.asked == (SOVIET, "9.1.1")
    story.do(SOVIET, MoveOn(UnitId("tank"), _way("go 10,17")))
    assert story.unit("tank").at == (10_000, 17_000)
    assert story.asked[1] != "8.1.2"


@pytest.mark.rules("3.5", "6.5", "8.1.2.2", "5.4.2.6", "9.1", system=SYSTEM)
@pytest.mark.parametrize(
    ("tank_at", "marked", "asked"),
    [("35,10", "", True), ("45,10", "", False), ("45,10", "SPOT/FIRE", True)],
)
def test_3_5_a_mover_is_marked_as_it_moves(tank_at: str, marked: str, asked: bool) -> None:
    """In scrub a vehicle is seen out to 13 in, on the move out to 26; one that has fired stays marked so until then."""
    scrub = {"kind": "scrub", "outline": [[30, 5], [47, 5], [47, 20], [30, 20]]}
    mover = tank(at=tank_at, heading=180, command="MOVE", spot=marked)
    german = [panzer(heading=90, command="OW", known=False)]
    story = Story(forces(german, [mover], open="movement", player="soviet", features=[scrub]))
    x = tank_at.split(",", maxsplit=1)[0]
    story.do(SOVIET, Move(UnitId("tank"), _way(f"go {x},12")))
    assert (story.asked == (GERMAN, "8.1.2")) is asked
    while story.asked == (GERMAN, "8.1.2"):
        story.do(GERMAN, Pass())
    assert "SPOT/MOVE" in (story.unit("tank").new_spot, story.unit("tank").spot)


@pytest.mark.rules("8.3.2", system=SYSTEM)
@pytest.mark.parametrize(
    ("hold", "at"),
    [
        (HoldFire(Until.WITHIN, 8), 15_000),
        (HoldFire(Until.STOPS), 14_000),
        (HoldFire(Until.STOPS, all_movers=True), 14_000),
        (HoldFire(Until.LEAVES_COVER), 18_000),
        (HoldFire(Until.MOVE_ENDS), None),
    ],
)
def test_8_3_2_standing_orders_hold_until_something_happens(hold: HoldFire, at: int | None) -> None:
    story = drive()
    story.do(SOVIET, Move(UnitId("tank"), WAY))
    events = story.do(GERMAN, hold)
    assert of_kind(events, ev.OverwatchHeld)
    if at is None:
        assert story.asked[1] != "8.1.2"
    else:
        assert story.asked == (GERMAN, "8.1.2")
        assert story.unit("tank").at == (10_000, at)


@pytest.mark.rules("8.3.2", system=SYSTEM)
@pytest.mark.parametrize("all_movers", [False, True])
def test_8_3_2_a_standing_order_on_one_vehicle_says_nothing_of_the_next(all_movers: bool) -> None:
    movers = [tank(at="10,20", heading=0, command="MOVE")]
    movers += [tank(at="8,20", heading=0, command="MOVE") | {"id": "second"}]
    german = [panzer(command="OW", known=False)]
    story = Story(forces(german, movers, open="movement", player="soviet"))
    story.do(SOVIET, Move(UnitId("tank"), WAY))
    story.do(GERMAN, HoldFire(Until.MOVE_ENDS, all_movers=all_movers))
    assert story.asked == (SOVIET, "9.1")
    story.do(SOVIET, Move(UnitId("second"), _way("go 8,18")))
    assert (story.asked == (GERMAN, "8.1.2")) is not all_movers


@pytest.mark.rules("8.3.2", system=SYSTEM)
def test_8_3_2_a_standing_order_is_known_to_its_force_alone_and_may_be_given_without_any_overwatch() -> None:
    for order in ("OW", "N/C"):
        story = drive(panzer=order)
        story.do(SOVIET, Move(UnitId("tank"), WAY))
        assert story.asked == (GERMAN, "8.1.2")
        events = story.do(GERMAN, HoldFire(Until.WITHIN, 8))
        rules, held = story.rules, of_kind(events, ev.OverwatchHeld)[0]
        assert rules.redact(held, SOVIET) is None
        assert rules.redact(held, GERMAN) == held
        assert rules.redact_action(HoldFire(Until.WITHIN, 8), GERMAN, SOVIET) == Pass()
        assert rules.conceal(story.state, SOVIET).holds == {}
        assert rules.conceal(story.state, GERMAN).holds == {GERMAN: Hold(Until.WITHIN, 8, UnitId("tank"))}
        assert any(state.holds != story.state.holds for state in rules.hidden_variants(story.state, SOVIET))


def test_8_3_2_a_standing_order_of_no_sense_is_refused() -> None:
    story = drive()
    story.do(SOVIET, Move(UnitId("tank"), WAY))
    assert story.refused(GERMAN, HoldFire(Until.WITHIN, 0)) == "8.3.2"
    assert story.refused(GERMAN, HoldFire(Until.STOPS, 3)) == "8.3.2"


@pytest.mark.rules("8.1.2.2", "8.4.2.2", system=SYSTEM)
def test_8_1_2_2_overwatch_asks_for_spotting_now() -> None:
    story = ambush(features=[WOODS | {"outline": [[12, 4], [15, 4], [15, 8], [12, 8]]}])
    story.do(SOVIET, fire("panzer", "tank"), 100)
    assert story.asked == (GERMAN, "8.1.2")
    assert story.refused(GERMAN, fire("tank", "west")) == "8.1.2.2"


def test_the_moving_question_is_put_whatever_the_order_is() -> None:
    for order in ("MOVE", "N/C"):
        story = Story(
            forces(
                [panzer(command=order, known=False)],
                [tank(command="FIRE")],
                open="direct fire",
                spotted={"tank": ("panzer",)},
            )
        )
        story.do(SOVIET, fire("panzer", "tank"))
        assert story.asked == (GERMAN, "8.4.2.2")
        if order == "N/C":
            assert story.refused(GERMAN, RevealCommand(reveal=True)) == "8.4.2.2"
