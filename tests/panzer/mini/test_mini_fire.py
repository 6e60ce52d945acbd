"""8.1-8.4 Direct fire on a table: who may fire, the hit number, hits, locations, armor and damage."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from sandtable.core.odds import odds
from sandtable.systems.panzer import events as shared
from sandtable.systems.panzer.actions import RevealCommand
from sandtable.systems.panzer.cards import RateOfFire
from sandtable.systems.panzer.combat.ap_hits import hits_of
from sandtable.systems.panzer.combat.fire_events import HitResolved, HitsScored
from sandtable.systems.panzer.mini import events as ev
from sandtable.systems.panzer.mini.actions import ChooseAngle
from sandtable.systems.panzer.mini.cards import Angle
from tests.panzer.mini.range import GERMAN, SOVIET, WOODS, Story, fire, forces, of_kind, panzer, tank
from tests.panzer.mini.test_mini_examples import with_card

SYSTEM = "panzer-mini"
SPOTTED = {"tank": ("panzer",), "panzer": ("tank",)}


def duel(german: dict[str, Any], soviet: dict[str, Any], **situation: Any) -> Story:
    return Story(forces([german], [soviet], open="direct fire", spotted=SPOTTED, **situation))


@pytest.mark.rules("8.4.1", "8.4.1.1", "8.4.1.2", "8.4.2", "8.4.2.4", "8.4.2.6", "8.4.3", "8.4.4.1", system=SYSTEM)
@pytest.mark.rules("8.4.5.1", "8.4.5.1.1", "8.4.5.1.2", "8.4.5.1.3", "8.4.6.1", "8.4.6.1.2", "8.4.6.2", system=SYSTEM)
@pytest.mark.rules("8.4.7.1", "8.4.7.2", "8.4.7.4", "8.4.2.2", "8.4.2.7", "8.1.1.1", "8.1.1.2.3", system=SYSTEM)
@pytest.mark.rules("3.4", "3.4.1", "8.1.1", "8.1.1.2.1", "8.2", "8.3", "8.3.3", "8.4.7.5", "8.0", system=SYSTEM)
def test_8_5_the_example_of_ap_fire() -> None:
    story = duel(panzer(heading=235, command="FIRE"), tank(heading=55, command="SHORT HALT"), features=[WOODS])
    events = story.do(SOVIET, fire("panzer", "tank"))
    assert story.asked == (GERMAN, "8.4.2.2")
    events += story.do(GERMAN, RevealCommand(reveal=False), 12, 83)
    shot, hit = of_kind(events, ev.ShotFired)[0], of_kind(events, HitResolved)[0]
    assert (shot.range_factor, shot.number.total, shot.hits) == ("S", 28, 1)
    assert [(term.value, term.rule) for term in shot.number.terms] == [(-3, "8.4.2.4"), (-3, "8.4.2.6")]
    assert (hit.angle, hit.location, hit.margin.total, hit.effect) == ("Front/Side", "HS", 5, "DM")
    assert story.unit("panzer").damaged
    assert story.unit("tank").new_spot == "SPOT/FIRE"
    assert story.asked == (GERMAN, "8.1.1")
    events = story.do(GERMAN, fire("tank", "panzer"), 27, 56)
    shot, hit = of_kind(events, ev.ShotFired)[0], of_kind(events, HitResolved)[0]
    assert (shot.range_factor, shot.number.total) == ("P", 27)
    assert {term.value for term in shot.number.terms} == {-2, -5}
    assert (hit.location, hit.margin.total, hit.effect) == ("HF", 0, "KO")
    assert story.unit("tank").status == "KO"
    assert [patch.kind for patch in story.state.patches] == ["wreck"]


@pytest.mark.rules("8.4.4", "8.4.4.2", "8.4.4.2.1", "8.4.4.2.2", system=SYSTEM)
def test_8_4_4_bands_of_the_number_of_hits() -> None:
    table = duel(panzer(command="FIRE"), tank(command="FIRE")).rules.context.tables["ap_hits"]
    assert [hits_of(table, 56, RateOfFire.F, roll) for roll in (1, 11, 12, 22, 23, 56, 57)] == [3, 3, 2, 2, 1, 1, 0]
    assert [hits_of(table, 4, RateOfFire.F, roll) for roll in (1, 4, 5)] == [1, 1, 0]
    assert hits_of(table, 56, RateOfFire.N, 1) == 1


@pytest.mark.rules("8.4.3", "8.4.2", "4.7", system=SYSTEM)
def test_8_4_3_the_hit_table_ends_at_both_sides() -> None:
    table = duel(panzer(command="FIRE"), tank(command="FIRE")).rules.context.tables["ap_hit"]
    assert table.number(-2, "S") == 56
    assert table.number(9, "M") == table.number(5, "M")
    assert table.number(-14, "P") == table.number(-10, "P")
    assert table.number(-10, "E") == 0


@pytest.mark.rules("8.4.5.3.1", "8.4.5.3", "8.4.7.4", "8.4.7.6", "8.3.1", "8.4.2.8", "5.5.1.2", system=SYSTEM)
def test_8_3_1_announced_fire_goes_on_until_the_target_burns() -> None:
    tanks = [tank(command="FIRE"), tank(at="10,12") | {"id": "second", "command": "FIRE"}]
    tanks += [tank(at="10,8") | {"id": "third", "command": "FIRE"}]
    spotted = {one["id"]: ("panzer",) for one in tanks}
    story = Story(forces([panzer(heading=90, command="N/C", known=True)], tanks, open="direct fire", spotted=spotted))
    assert story.refused(SOVIET, fire("panzer", "tank")) == "8.1.1.2.4"
    events = story.do(SOVIET, fire("panzer", "second", "tank", "third"), 1, 56, 1, 29)
    assert [event.effect for event in of_kind(events, HitResolved)] == ["KO", "BU"]
    assert [event.firer for event in of_kind(events, shared.ShotWasted)] == ["third"]
    assert story.unit("panzer").status == "BU"
    assert [patch.kind for patch in story.state.patches] == ["wreck", "brew_up_smoke"]
    assert all(unit.fired for unit in story.state.units.values() if unit.side == SOVIET)


@pytest.mark.rules("8.4.5.3", "8.4.5.3.1", "8.4.7.4", "8.4.2.2", system=SYSTEM)
def test_8_4_5_3_a_track_hit_and_a_second_damaged_result() -> None:
    story = duel(panzer(heading=90, command="MOVE", known=True), tank(command="FIRE"))
    events = story.do(SOVIET, fire("panzer", "tank"), 1, 100)
    assert of_kind(events, HitResolved)[0].effect == "track"
    assert story.unit("panzer").markers.track
    again = duel(panzer(heading=90, command="MOVE", known=True, track=True, damaged=True), tank(command="FIRE"))
    events = again.do(SOVIET, fire("panzer", "tank"), 70, 53)
    shot = of_kind(events, ev.ShotFired)[0]
    assert not any(term.rule == "8.4.2.2" for term in shot.number.terms)
    assert again.unit("panzer").status == "KO"


@pytest.mark.rules("8.4.7.3", "8.4.7.2", "8.4.7", system=SYSTEM)
@pytest.mark.parametrize("damaged", [False, True])
def test_8_4_7_3_a_hit_that_penetrates_may_do_no_damage(damaged: bool) -> None:
    story = duel(panzer(heading=90, command="MOVE", known=True, damaged=damaged), tank(command="FIRE"))
    before = story.unit("panzer")
    events = story.do(SOVIET, fire("panzer", "tank"), 1, 51)
    hit = of_kind(events, HitResolved)[0]
    assert (hit.location, hit.margin.total >= 0, hit.effect) == ("HR", True, "ND")
    assert not of_kind(events, shared.VehicleDamaged)
    assert not of_kind(events, ev.VehicleLost)
    after = story.unit("panzer")
    assert (after.status, after.damaged, after.markers, after.moved) == (before.status, damaged, before.markers, False)


@pytest.mark.rules("8.4.5.1.1", "4.1", system=SYSTEM)
def test_8_4_5_1_1_on_the_line_the_owner_of_the_target_chooses() -> None:
    story = duel(panzer(heading=292.5, command="N/C", known=True), tank(command="FIRE"))
    story.do(SOVIET, fire("panzer", "tank"), 1)
    assert story.asked == (GERMAN, "8.4.5.1.1")
    assert story.refused(GERMAN, ChooseAngle(Angle.REAR, Angle.REAR)) == "8.4.5.1.1"
    events = story.do(GERMAN, ChooseAngle(Angle.FRONT, Angle.FRONT), 55)
    assert of_kind(events, HitResolved)[0].angle == "Front"


@pytest.mark.rules("8.2", "8.2.1.1", "8.2.1.3", "8.1.1.2", "8.1.1.2.2", "8.1", "4.5.2", system=SYSTEM)
@pytest.mark.parametrize(
    ("soviet", "spotted", "target", "rule"),
    [
        (tank(command="MOVE"), SPOTTED, "panzer", "6.2"),
        (tank(command="FIRE"), {}, "panzer", "8.1.1.2"),
        (tank(command="FIRE"), SPOTTED, "tank", "8.2"),
        (tank(command="FIRE", heading=200), SPOTTED, "panzer", "8.2"),
        (tank(command="FIRE", at="10,47"), SPOTTED, "panzer", "4.5.2"),
    ],
)
def test_8_2_who_may_not_fire(soviet: dict[str, Any], spotted: dict[str, Any], target: str, rule: str) -> None:
    helper = {"id": "helper", "card": "t-60", "at": "14,14", "heading": 45, "command": "FIRE"}
    start = forces([panzer()], [soviet, helper], open="direct fire", spotted={**spotted, "helper": ("panzer",)})
    story = Story(start)
    assert story.refused(SOVIET, fire(target, "tank", "helper")) == rule


@pytest.mark.rules("8.1.1.2.4", "6.1.3", system=SYSTEM)
def test_8_1_1_2_4_an_order_to_fire_without_a_target_is_wasted() -> None:
    story = duel(panzer(command="FIRE"), tank(command="FIRE", heading=200))
    story.do(GERMAN, fire("tank", "panzer"), 100)
    assert story.unit("tank").fired
    assert story.unit("tank").known
    assert story.unit("tank").new_spot == "SPOT/FIRE"


@pytest.mark.rules("8.1.1.2.4", "6.1.3", "6.4", system=SYSTEM)
def test_8_1_1_2_4_the_fire_half_of_a_short_halt_is_wasted_too_and_its_move_is_not() -> None:
    halted = tank(command="SHORT HALT", heading=200)
    story = duel(panzer(command="FIRE"), halted)
    story.do(GERMAN, fire("tank", "panzer"), 100)
    unit = story.unit("tank")
    assert (unit.fired, unit.known, unit.new_spot, unit.moved) == (True, True, "SPOT/FIRE", False)
    assert story.asked == (SOVIET, "9.1")


@pytest.mark.rules("8.3.1", "8.4.4.2.3", "8.4.7.6", system=SYSTEM)
def test_8_3_1_hits_that_are_left_when_the_target_burns_are_no_shot_that_is_wasted() -> None:
    story = duel(panzer(heading=90, command="N/C", known=True), tank(command="FIRE"))
    gun = story.rules.context.cards["t-34-76-m43"].weapons[0]
    context, _ = with_card(story.rules.context, "t-34-76-m43", weapons=(replace(gun, rof=RateOfFire.F),))
    story.rules = type(story.rules)(story.rules.card, context)
    events = story.do(SOVIET, fire("panzer", "tank"), 1, 29)
    assert of_kind(events, HitsScored)[0].hits == 3
    assert [event.effect for event in of_kind(events, HitResolved)] == ["BU"]
    assert not of_kind(events, shared.ShotWasted)
    assert [event.unit for event in of_kind(events, shared.SpotMarked)] == ["tank"]


@pytest.mark.rules("8.4.4.2.3", "8.4.4.2.2", "8.4.7.4", system=SYSTEM)
def test_8_4_4_2_3_more_hits_strike_the_same_target() -> None:
    light = {"id": "tank", "card": "pz-iif", "at": "15,10", "heading": 90, "command": "FIRE"}
    start = forces([panzer(heading=90, command="N/C", known=True)], [light], open="direct fire", spotted=SPOTTED)
    story = Story(start)
    events = story.do(SOVIET, fire("panzer", "tank"), 1, 54, 54, 54)
    assert of_kind(events, HitsScored)[0].hits == 3
    assert len(of_kind(events, HitResolved)) == 3


@pytest.mark.rules("8.4.2.2", "8.4.5.3.1", system=SYSTEM)
@pytest.mark.parametrize(("marked", "count"), [({}, 1), ({"track": True}, 0), ({"known": True}, 0)])
def test_8_4_2_2_odds_leave_out_a_moving_order_that_may_be_revealed(marked: dict[str, Any], count: int) -> None:
    story = duel(panzer(heading=90, command="MOVE", **{"known": False, **marked}), tank(command="FIRE"))
    assert len(story.rules.suppositions(story.state, SOVIET, fire("panzer", "tank"))) == count


def test_odds_of_fire_are_exact_and_by_the_code_that_plays_it() -> None:
    story = duel(panzer(heading=235, command="FIRE"), tank(heading=55, command="SHORT HALT"), features=[WOODS])
    chances = odds(story.rules, story.state, [(SOVIET, fire("panzer", "tank"))])
    told = {chance.what: chance.exact for chance in chances}
    assert told["panzer damaged"] == "21/500"
    assert sum(chance.probability for chance in chances) == pytest.approx(1)
