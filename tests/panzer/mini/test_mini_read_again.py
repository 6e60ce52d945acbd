"""A second reading of the miniatures book, sentence by sentence: what was accepted or refused and should not be."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from sandtable import catalog
from sandtable.core.content.reading import read_yaml
from sandtable.core.decision import Seat
from sandtable.core.errors import BadInput
from sandtable.core.tree.drawing import read_drawing_text
from sandtable.geo.plane.points import Point
from sandtable.systems.panzer.actions import Fire, Pass
from sandtable.systems.panzer.advanced_card import Damage, Location
from sandtable.systems.panzer.cards import Mount
from sandtable.systems.panzer.combat.fire_events import HitResolved
from sandtable.systems.panzer.events import VehicleDamaged, VehiclePartHit
from sandtable.systems.panzer.frames import DirectFire
from sandtable.systems.panzer.mini.actions import ChooseAngle, HoldFire, Move
from sandtable.systems.panzer.mini.cards import Angle, MiniCard, Traverse
from sandtable.systems.panzer.mini.combat.direct_fire import direct_firers
from sandtable.systems.panzer.mini.combat.hits import armor_at, damage_of
from sandtable.systems.panzer.mini.combat.hull_down import is_hull_down
from sandtable.systems.panzer.mini.fields_of_fire import bears_on, fields_holding, has_shot
from sandtable.systems.panzer.mini.setup.patterns import offset
from sandtable.systems.panzer.mini.sight.smoke import smoke_on
from sandtable.systems.panzer.mini.state import Until
from sandtable.systems.panzer.unit import Shot, UnitId
from tests.panzer.mini.range import GERMAN, SOVIET, Story, fire, forces, of_kind, panzer, tank
from tests.panzer.mini.tables import TABLES, inch
from tests.panzer.mini.test_mini_examples import with_card
from tests.panzer.mini.test_mini_movement import broken, drive, spent

SYSTEM = "panzer-mini"


@pytest.mark.rules("9.5.2", "9.5.3", system=SYSTEM)
def test_9_5_3_the_shortest_path_or_gap_in_a_road_counts_for_the_whole_move() -> None:
    west = {"kind": "road", "text": "West", "line": ["0,12", "15,12"], "width": 1}
    east = {"kind": "road", "text": "East", "line": ["15.8,12", "36,12"], "width": 1}
    link = {"kind": "path", "text": "Link", "line": ["15,12", "15.8,12"], "width": 1}
    assert spent(drive([west, link, east]), "go 24,12") == 14
    assert broken(drive([west, link, east]), "go 25,12") == "9.2.1"
    assert broken(drive([west, east]), "go 25,12") == "9.5.2"


@pytest.mark.rules("8.2.1", system=SYSTEM)
@pytest.mark.parametrize("line", [450, 1350, 2250, 3150])
def test_8_2_1_each_field_ends_on_its_own_line(line: int) -> None:
    before, on, after = (fields_holding((0, 0), 0, offset(Point(0, 0), line + off, 20_000, 0)) for off in (-5, 0, 5))
    assert len(before) == len(after) == 1
    assert set(on) == {*before, *after}
    assert len(set(on)) == 2


@pytest.mark.rules("8.2.1.2", "8.2.1.3", "8.2.1.4", "8.2.1.5", system=SYSTEM)
@pytest.mark.parametrize(
    ("traverse", "mount", "fields"),
    [
        (Traverse.ALL_ROUND, Mount.ALL, "north east south west"),
        (Traverse.FIXED, Mount.FRONT, "north"),
        (Traverse.FIXED, Mount.REAR, "south"),
        (Traverse.NORMAL, Mount.ALL, "east"),
        (Traverse.NORMAL, Mount.FRONT, "north"),
        (Traverse.NORMAL, Mount.REAR, "south"),
    ],
)
def test_8_2_1_what_a_mount_covers_without_turning(traverse: Traverse, mount: Mount, fields: str) -> None:
    """The hull faces north; a turret, if there is one, points east: a gun in the hull does not follow it."""
    turret = "right" if traverse is Traverse.NORMAL else "front"
    story = Story(forces([panzer(at="40,40")], [tank(heading=0, turret=turret)]))
    unit = story.unit("tank")
    weapon = replace(story.rules.context.cards["t-34-76-m43"].weapons[0], mount=mount)
    _, card = with_card(story.rules.context, "t-34-76-m43", traverse=traverse, weapons=(weapon,))
    places = {"north": (10, 5), "east": (15, 10), "south": (10, 15), "west": (5, 10)}
    covered = [name for name, (x, y) in places.items() if bears_on(unit, card, weapon, inch(x, y))]
    assert covered == fields.split()


@pytest.mark.rules("6.1.3", "8.4.1.1", system=SYSTEM)
def test_8_4_1_1_ammo_of_the_advanced_game_makes_no_shot() -> None:
    story = Story(forces([panzer()], [tank()]))
    weapon = story.rules.context.cards["t-34-76-m43"].weapons[0]
    special = replace(weapon, ammo=tuple(replace(ammo, basic=False) for ammo in weapon.ammo))
    _, card = with_card(story.rules.context, "t-34-76-m43", weapons=(special,))
    target = story.unit("panzer")
    assert has_shot(story.unit("tank"), story.rules.context.card_of(story.unit("tank")), target)
    assert not has_shot(story.unit("tank"), card, target)


@pytest.mark.rules("8.1.1", "8.1.1.2.2", "8.1.1.2.4", "8.3.1", system=SYSTEM)
def test_8_1_1_2_4_who_must_fire_joins_in_at_his_last_target() -> None:
    soviet = [
        tank(command="FIRE"),
        {**tank(at="10,12", command="FIRE"), "id": "both"},
        {**tank(at="10,14", command="FIRE"), "id": "low"},
        {**tank(at="10,16", command="OW"), "id": "watch"},
        {"id": "lost", "card": "t-34-76-m43", "status": "KO"},
    ]
    german = [
        panzer(at="20,10", command="N/C", known=True),
        {**panzer(at="20,14", command="N/C", known=True), "id": "other"},
    ]
    seen = {"tank": ["panzer"], "both": ["panzer", "other"], "low": ["other"], "watch": ["panzer", "other"]}
    story = Story(forces(german, soviet, open="direct fire", first="soviet", spotted=seen))
    context = story.rules.context
    firers = direct_firers(context, story.state, DirectFire(SOVIET, first=True))
    assert firers == {"panzer": ["tank", "both"], "other": ["both", "low"]}
    story.do(SOVIET, fire("other", "low"), 100)
    assert story.refused(SOVIET, fire("panzer", "low")) == "8.1.1.2.2"
    assert story.refused(SOVIET, fire("panzer", "both", "both")) == "8.1.1.2.2"
    assert story.refused(SOVIET, fire("panzer", "lost")) == "4.1"
    # Whoever else could have fired on it has one target left.
    assert story.refused(SOVIET, fire("other", "both")) == "8.3.1"
    assert story.refused(SOVIET, fire("panzer", "tank")) == "8.1.1.2.4"
    story.do(SOVIET, fire("panzer", "tank", "both"), 100, 100)
    assert [unit.id for unit in story.state.units.values() if unit.fired] == ["tank", "both", "low"]


@pytest.mark.rules("3.4.2", "8.1.2.1", system=SYSTEM)
@pytest.mark.parametrize("first", [SOVIET, GERMAN])
def test_8_1_2_1_the_first_player_is_asked_for_overwatch_first(first: Seat) -> None:
    soviet = [tank(command="FIRE", known=True), {**tank(at="10,14", command="OW", known=False), "id": "watch"}]
    german = [panzer(command="FIRE", known=True), {**panzer(at="17,14", command="OW", known=False), "id": "guard"}]
    seen = {"tank": ["panzer"], "panzer": ["tank"]}
    story = Story(forces(german, soviet, open="direct fire", first=first, spotted=seen))
    second = GERMAN if first == SOVIET else SOVIET
    for seat in (first, second):
        shooter, target = ("tank", "panzer") if seat == SOVIET else ("panzer", "tank")
        story.do(seat, fire(target, shooter), 100)
    assert story.asked == (first, "8.1.2")
    story.do(first, Pass())
    assert story.asked == (second, "8.1.2")
    story.do(second, Pass())
    assert story.asked[1] != "8.1.2"


@pytest.mark.rules("8.1", "8.4.1.1", system=SYSTEM)
@pytest.mark.parametrize(
    ("weapon", "ammo", "rule"),
    [(-1, 0, "8.4.1.1"), (1, 0, "8.4.1.1"), (0, -1, "8.1"), (0, 2, "8.1"), (0, 1, "8.4.1.1")],
)
def test_8_4_1_1_weapons_and_ammo_that_a_card_has_not_or_not_yet(weapon: int, ammo: int, rule: str) -> None:
    story = Story(forces([panzer()], [tank(command="FIRE")], open="direct fire", spotted={"tank": ["panzer"]}))
    assert len(story.rules.context.cards["t-34-76-m43"].weapons[0].ammo) == 2
    shot = Shot(UnitId("tank"), weapon, ammo)
    assert story.refused(SOVIET, Fire(UnitId("panzer"), (shot,))) == rule


@pytest.mark.rules("8.4.7.1", "8.4.7.2", "8.4.6.1", system=SYSTEM)
def test_8_4_7_2_the_damage_modifier_counts_but_for_a_rolled_1() -> None:
    cards = Story(forces([panzer()], [tank()])).rules.context.cards
    tank_card, truck = cards["t-34-76-m43"], cards["gaz-aa"]
    ammo = tank_card.weapons[0].ammo[0]

    def damage(card: MiniCard, modifier: int, units: int) -> Damage:
        return damage_of(TABLES, card, replace(ammo, D=modifier), units)

    assert [damage(tank_card, 3, units) for units in (1, 2, 10)] == [Damage.ND, Damage.KO, Damage.BU]
    assert [damage(tank_card, -2, units) for units in (2, 6, 10)] == [Damage.ND, Damage.DM, Damage.KO]
    assert [damage(truck, 0, units) for units in (1, 4, 8)] == [Damage.ND, Damage.ND, Damage.KO]
    assert armor_at(truck, Location.HF, Angle.FRONT) == armor_at(truck, Location.DK, Angle.FRONT) == 0


@pytest.mark.rules("5.5.3", system=SYSTEM)
def test_5_5_3_nobody_is_hull_down_against_his_own_height() -> None:
    hill = {"kind": "hill", "level": 1, "outline": [[9, 9], [11, 9], [11, 11], [9, 11]]}
    story = Story(forces([panzer()], [tank()], features=[hill]))
    ground, measures = story.rules.context.ground(story.state), story.rules.context.tables["measures"]
    # The smallest bases may stand nearer than an inch.
    assert not is_hull_down(ground, measures, inch(10, 10), inch(10.5, 10))
    assert not is_hull_down(ground, measures, inch(10, 10), inch(11.5, 10))
    assert is_hull_down(ground, measures, inch(12, 10), inch(10.9, 10))


def hunters(**more: Any) -> list[dict[str, Any]]:
    """Two panzers whose orders lie face down, both within sight of the tanks at 10,10 and 10,14."""
    one = panzer(at="17,6", heading=270) | {"id": "west", "command": "OW", "known": False}
    return [one, panzer(at="17,14", heading=270) | {"id": "east", "command": "OW", "known": False, **more}]


@pytest.mark.rules("8.1.2", "8.1.2.1", "6.5", system=SYSTEM)
def test_8_1_2_nobody_fires_overwatch_on_his_own_force() -> None:
    second = tank(at="10,14", fired=True) | {"id": "second"}
    story = Story(forces(hunters(), [tank(fired=True), second], open="overwatch", first="german"))
    story.do(GERMAN, fire("tank", "west"), 100)
    assert story.asked == (GERMAN, "8.1.2")
    assert story.refused(GERMAN, fire("west", "east")) == "8.1.2"


@pytest.mark.rules("3.4.2", "3.5", "6.5", "8.1.2.2.2", system=SYSTEM)
def test_3_5_overwatch_wants_an_order_that_is_not_revealed_and_a_gun_that_has_not_fired() -> None:
    open_order = Story(forces(hunters(known=True), [tank(fired=True)], open="overwatch", first="german"))
    assert open_order.refused(GERMAN, fire("tank", "east")) == "6.5"
    fired = Story(forces(hunters(fired=True), [tank(fired=True)], open="overwatch", first="german"))
    assert fired.refused(GERMAN, fire("tank", "east")) == "8.1.2.2.2"
    [_, *idle] = hunters(fired=True)
    assert Story(forces(idle, [tank(fired=True)], open="overwatch", first="german")).asked[1] != "8.1.2"


@pytest.mark.rules("8.3.2", system=SYSTEM)
def test_8_3_2_one_waits_for_a_distance_that_is_still_to_come_and_for_nobody_already_fired_on() -> None:
    mover = tank(at="10,20", heading=0, command="MOVE")
    back = tank(at="10,6") | {"id": "back", "command": "OW", "known": False}
    story = Story(forces(hunters(), [mover, back], open="movement", player="soviet"))
    strokes = read_drawing_text("go 10,14")
    assert strokes is not None
    story.do(SOVIET, Move(UnitId("tank"), strokes))
    assert story.asked == (GERMAN, "8.1.2")
    # From 10,19 to 17,14 are 8.6 in: within 8 it is already.
    assert story.refused(GERMAN, HoldFire(Until.WITHIN, 8)) == "8.3.2"
    assert story.rules.refusal(story.state, GERMAN, HoldFire(Until.WITHIN, 6)) is None
    story.do(GERMAN, fire("tank", "west"), 100)
    assert story.asked == (SOVIET, "8.1.2")
    story.do(SOVIET, fire("west", "back"), 100)
    assert story.asked == (GERMAN, "8.1.2")
    assert story.refused(GERMAN, HoldFire(Until.STOPS)) == "8.3.2"
    assert story.rules.refusal(story.state, GERMAN, fire("back", "east")) is None


@pytest.mark.rules("8.3.1", "8.4.5.3", "8.4.7.5", system=SYSTEM)
@pytest.mark.parametrize(("roll", "kind"), [(53, VehicleDamaged), (100, VehiclePartHit)])
def test_8_3_1_nothing_but_fire_comes_of_hits_on_one_that_is_knocked_out(roll: int, kind: type) -> None:
    german = [panzer(command="FIRE"), panzer(at="17,12") | {"id": "mate", "command": "FIRE"}]
    target = [tank(command="N/C", known=True)]
    seen = {"panzer": ["tank"], "mate": ["tank"]}
    story = Story(forces(german, target, open="direct fire", first="german", spotted=seen))
    alone = Story(forces(german[:1], target, open="direct fire", first="german", spotted={"panzer": ["tank"]}))
    assert of_kind(alone.do(GERMAN, fire("tank", "panzer"), 1, roll), kind)
    events = story.do(GERMAN, fire("tank", "panzer", "mate"), 1, 56, 1, roll)
    assert of_kind(events, HitResolved)[0].effect == "KO"
    assert not of_kind(events, kind)
    assert story.unit("tank").status == "KO"


@pytest.mark.rules("8.4.5.3", system=SYSTEM)
def test_8_4_5_3_a_second_track_hit_is_none() -> None:
    german = [panzer(command="FIRE"), panzer(at="17,12") | {"id": "mate", "command": "FIRE"}]
    seen = {"panzer": ["tank"], "mate": ["tank"]}
    target = [tank(command="N/C", known=True)]
    story = Story(forces(german, target, open="direct fire", first="german", spotted=seen))
    events = story.do(GERMAN, fire("tank", "panzer", "mate"), 1, 100, 1, 100)
    assert [event.effect for event in of_kind(events, HitResolved)] == ["track", "track"]
    assert len(of_kind(events, VehiclePartHit)) == 1


@pytest.mark.rules("8.4.5.1.1", system=SYSTEM)
def test_8_4_5_1_1_the_angle_that_was_chosen_is_that_of_its_shot_alone() -> None:
    soviet = [tank(command="FIRE"), tank(at="20,3", heading=203) | {"id": "mate", "command": "FIRE"}]
    german = [panzer(heading=292.5, command="N/C", known=True)]
    seen = {"tank": ["panzer"], "mate": ["panzer"]}
    story = Story(forces(german, soviet, open="direct fire", first="soviet", spotted=seen))
    story.do(SOVIET, fire("panzer", "tank", "mate"), 1)
    assert story.asked == (GERMAN, "8.4.5.1.1")
    events = story.do(GERMAN, ChooseAngle(Angle.FRONT, Angle.FRONT), 55, 1, 55)
    assert [event.angle for event in of_kind(events, HitResolved)] == ["Front", "Side"]


@pytest.mark.rules("5.5.1.4", "5.5.1.17", system=SYSTEM)
def test_5_5_1_17_a_situation_is_told_of_slopes_and_bridges_on_nothing() -> None:
    slope = {"kind": "slope", "line": ["10,10", "12,10"], "width": 1}
    bridge = {"kind": "bridge", "line": ["18,18", "20,18"], "width": 1}
    with pytest.raises(BadInput) as bad:
        forces([panzer()], [tank()], features=[slope, bridge])
    assert [fault.where for fault in bad.value.faults] == [
        "situation: map.drawn: features[0]",
        "situation: map.drawn: features[1]",
    ]


@pytest.mark.rules("5.5.1.4", "5.5.1.11", system=SYSTEM)
def test_5_5_1_4_a_bridge_spans_a_stream_or_a_ditch_and_no_depression() -> None:
    """Nobody could drive onto one: a depression begins where a slope leads down, or with a cliff."""
    low = {"kind": "depression", "level": -1, "outline": [[30, 20], [40, 20], [40, 30], [30, 30]]}
    bridge = {"kind": "bridge", "line": ["29,25", "41,25"], "width": 1}
    with pytest.raises(BadInput) as bad:
        forces([panzer()], [tank()], features=[low, bridge])
    assert [fault.where for fault in bad.value.faults] == ["situation: map.drawn: features[1]"]
    stream = {"kind": "stream", "line": ["35,20", "35,30"], "width": 1}
    forces([panzer()], [tank()], features=[low, stream, {**bridge, "line": ["34,25", "36,25"]}])


@pytest.mark.rules("5.5.1.2", "8.4.2.8", system=SYSTEM)
def test_8_4_2_8_who_is_in_smoke_is_in_it_however_high_he_stands() -> None:
    """Smoke burns at the foot of a cliff of three heights and reaches to its edge: nobody else up there is hindered."""
    cliff = {"kind": "hill", "level": 3, "outline": [[9.5, 2], [30, 2], [30, 20], [9.5, 20]]}
    smoke = [{"kind": "brew_up_smoke", "at": "9.45,10"}]
    story = Story(forces([panzer(at="40,40")], [tank(at="40,30")], features=[cliff], patches=smoke))
    ground, table = story.rules.context.ground(story.state), story.rules.context.tables["line_of_sight"]
    inside, along, far = inch(9.9, 10), inch(9.9, 15), inch(25, 10)
    assert len(smoke_on(ground, table, inside, far)) == len(smoke_on(ground, table, far, inside)) == 1
    assert smoke_on(ground, table, inch(9.9, 5), along) == []
    assert smoke_on(ground, table, along, far) == []


@pytest.mark.rules("8.3.1", system=SYSTEM)
def test_8_3_1_no_target_is_fired_on_again_in_the_step() -> None:
    soviet = [{**tank(at=f"10,{10 + 2 * n}", command="FIRE"), "id": f"t{n}"} for n in range(3)]
    german = [{**panzer(at=f"20,{10 + 2 * n}", command="N/C", known=True), "id": f"g{n}"} for n in range(3)]
    seen = {one["id"]: ["g0", "g1", "g2"] for one in soviet}
    story = Story(forces(german, soviet, open="direct fire", first="soviet", spotted=seen))
    story.do(SOVIET, fire("g0", "t0"), 100)
    story.do(SOVIET, fire("g1", "t1"), 100)
    assert story.refused(SOVIET, fire("g0", "t2")) == "8.3.1"
    story.do(SOVIET, fire("g2", "t2"), 100)


@pytest.mark.rules("9.3.2", system=SYSTEM)
def test_9_3_2_who_begins_in_a_stream_or_upon_a_wreck_is_a_fault_of_his_scenario() -> None:
    library = catalog.library(SYSTEM)
    drafts = {name: read_yaml(data, dict[str, Any], where) for name, data, where in library.section("scenarios")}
    draft = drafts["pm-c-the-crossroads"]
    first, second, *others = draft["sides"][0]["units"]
    units = [{**first, "at": "41,8"}, second, *others]
    drowned = {**draft, "sides": [{**draft["sides"][0], "units": units}, draft["sides"][1]]}
    drowned["patches"] = [{"kind": "wreck", "at": second["at"]}]
    with pytest.raises(BadInput) as bad:
        catalog.system(SYSTEM).ruleset(drowned, library, "scenario")
    assert [fault.where for fault in bad.value.faults] == ["scenario: sides: G1.at", "scenario: sides: G2.at"]
