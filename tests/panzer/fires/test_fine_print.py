"""5.3, 6.1, 6.5.1, 6.7 read for a second time: what was accepted or refused against the book."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from sandtable.core.dice import ScriptedDice
from sandtable.core.ruleset import Resolution
from sandtable.systems.panzer.air.air_actions import FlyOn
from sandtable.systems.panzer.combat.fire_events import BlastResolved
from sandtable.systems.panzer.combat.gp_fire import gp_modifiers
from sandtable.systems.panzer.facts import BlastFacts, BlastKind, Hindrances
from sandtable.systems.panzer.features import FeatureKind, Sheaf
from sandtable.systems.panzer.frames import EndingTurn
from sandtable.systems.panzer.hex import mission_events as me
from sandtable.systems.panzer.hex.actions import ContinueFire, PlaceImpact
from sandtable.systems.panzer.hex.air.flying import appearing
from sandtable.systems.panzer.hex.features import Feature
from sandtable.systems.panzer.hex.fires.impact import under_barrages
from sandtable.systems.panzer.hex.fires.sources import indirect_weapon, source_of
from sandtable.systems.panzer.hex.spotting.hull_down import hull_down_of
from sandtable.systems.panzer.markers import Floor, HullDown, Suppression
from sandtable.systems.panzer.ranges import RangeFactor
from sandtable.systems.panzer.unit import Command, Status, UnitId
from tests.panzer.batteries import (
    BATTERY,
    BLUE,
    GP,
    NA,
    ON_MAP,
    OPEN,
    PASS,
    RED,
    SMOKE,
    adjust,
    battle,
    call,
    mortar,
    next_turn,
    observer,
    response,
    unit,
)
from tests.panzer.skies import PLAIN, flight, fly, sky, strike, with_plane
from tests.rulebook.engine import Play

rules = pytest.mark.rules
FIGHTER = ({"id": "p1", "card": "bf-109e"},)


def change(game: Play, name: str, **more: object) -> None:
    """The game with a unit changed."""
    game.state = replace(
        game.state,
        units={**game.state.units, UnitId(name): replace(game.unit(name), **more)},
    )


# --- modifiers ------------------------------------------------------------------------------------------------


@rules("6.5.4.3", "6.1.4.3.12", system=NA)
@pytest.mark.parametrize(
    ("kind", "haze", "dust"),
    [(BlastKind.DIRECT, -10, -5), (BlastKind.AIR, -10, 0), (BlastKind.INDIRECT, 0, 0), (BlastKind.PLANNED, 0, 0)],
)
def test_heat_haze_spares_indirect_fire_alone_and_dust_is_like_smoke(kind: BlastKind, haze: int, dust: int) -> None:
    tables = battle().context.tables
    plain = BlastFacts(kind=kind, factor=5, range_factor=RangeFactor.M, defense=3)
    bare = gp_modifiers(plain, tables).net
    assert gp_modifiers(replace(plain, heat_haze=True), tables).net - bare == haze
    assert gp_modifiers(replace(plain, hindrances=Hindrances(dust=1)), tables).net - bare == dust
    smoke = gp_modifiers(replace(plain, smoke=1, hindrances=Hindrances(on_fire=1)), tables).net - bare
    assert bool(smoke) is (kind is BlastKind.DIRECT)


@rules("6.5.4.3", "6.7.3.2", system=NA)
def test_heat_haze_hides_a_squad_3_hexes_from_the_aircraft_and_not_one_at_2() -> None:
    squads = ("b1 pz-iiig F10 N", "b2 german-rifle-squad F11 N", "b3 german-rifle-squad F12 N")
    game = sky(*squads, aircraft=FIGHTER, conditions={"heat_haze": True})
    game.do("red", fly(game, "F1", pace="Fast Low"))
    game.do("red", FlyOn(8))
    game.do("red", strike("b1"), 1, 1, 1)
    hazy = {
        event.target: any("Haze" in term.label for term in event.modifier.terms) for event in game.told(BlastResolved)
    }
    assert hazy == {"b1": False, "b2": False, "b3": True}


# --- observers ------------------------------------------------------------------------------------------------


@rules("6.5.1", "6.7.3.1.2", system=NA)
def test_who_calls_fire_does_nothing_else_on_overwatch_and_the_other_way_round() -> None:
    game = battle()
    game.do(RED, call(game), 1)
    assert not game.state.missions, "nobody responds"
    assert game.unit("fo").fired
    fired = battle(observer(fired=True))
    assert fired.why(RED, call(fired)) == "6.5.1"


@rules("6.5.1", "6.5.1.8.1", system=NA)
def test_an_observer_whose_fire_goes_on_has_used_its_overwatch() -> None:
    game = battle()
    game.do(RED, call(game), 5, 10)
    game.do(RED, PASS)
    next_turn(game)
    assert not game.unit("fo").fired
    game.do(RED, ContinueFire("fo-1", GP), 10)
    assert game.unit("fo").fired


@rules("6.5.1.9", "6.5.1.10", system=NA)
def test_the_observer_of_danger_close_fire_that_checks_calls_no_other_that_turn() -> None:
    friend = unit("p1", "H4", "pz-iiij", command="N/C", known=True)
    spotted = {"fo": ["g1"], "g1": ["p1"]}
    game = battle(observer(), friend, batteries=(BATTERY, {**BATTERY, "id": "b2"}), spotted=spotted)
    game.do(RED, call(game), 1)
    game.do(BLUE, PlaceImpact(game.hex("H4")), 10)
    game.do(RED, PASS)
    next_turn(game, fo=("g1",), g1=("p1",))
    assert not game.state.missions
    assert game.why(RED, call(game, "b2")) == "6.5.1.1"


@rules("6.5.1.10", "6.5.1.8", system=NA)
def test_the_observer_keeps_the_fire_that_fell_where_he_wanted_it() -> None:
    friend = unit("p1", "H4", "pz-iiij", command="N/C", known=True)
    spotted = {"fo": ["g1"], "g1": ["p1"]}
    game = battle(observer(), friend, batteries=(BATTERY, {**BATTERY, "id": "b2"}), spotted=spotted)
    game.do(RED, call(game, "b1", "b2"), 1)
    game.do(BLUE, PlaceImpact(game.hex("H4")), 5, 10, 10)
    assert len(game.state.missions) == 2
    game.do(RED, PASS)
    next_turn(game, fo=("g1",), g1=("p1",))
    assert [mission.sources for mission in game.state.missions] == [("b2",)]
    assert game.why(RED, ContinueFire("fo-1", GP)) == ""


# --- sources --------------------------------------------------------------------------------------------------


@rules("6.5.1", "6.5.1.8", system=NA)
def test_a_mortar_that_has_come_to_spot_the_target_drops_out_of_fire_that_goes_on() -> None:
    game = battle(observer(), mortar())
    game.do(RED, call(game, "b1", "m1"), 5, 5, 10, 10)
    game.do(RED, PASS)
    next_turn(game, fo=("g1",), m1=("g1",))
    assert game.why(RED, adjust(game, "fo-1", "b1", "m1", pattern=OPEN)) == "6.5.1"
    assert game.why(RED, adjust(game, "fo-1", "b1", pattern=OPEN)) == ""
    game.do(RED, ContinueFire("fo-1", GP), 10)
    assert game.state.missions[0].sources == ("b1",)
    assert not game.unit("m1").fired, "it may fire directly"


@rules("6.5.1", "6.5.1.8.1", system=NA)
def test_fire_of_a_mortar_alone_does_not_go_on_once_it_spots_the_target() -> None:
    game = battle(observer(), mortar(), batteries=())
    game.do(RED, call(game, "m1", pattern=ON_MAP), 5, 10)
    game.do(RED, PASS)
    next_turn(game, fo=("g1",), m1=("g1",))
    assert game.why(RED, ContinueFire("fo-1", GP)) == "6.5.1"
    game.do(RED, PASS)
    assert not game.state.missions


@rules("6.5.1.5", "6.5.2.4", system=NA)
def test_when_the_battery_does_not_respond_the_mortar_has_its_closed_sheaf() -> None:
    game = battle(observer(), mortar())
    game.do(RED, call(game, "b1", "m1", pattern=OPEN), 1, 5, 10)
    (mission,) = game.state.missions
    assert (mission.sources, mission.pattern) == (("m1",), ON_MAP)
    assert [(one.kind, one.sheaf) for one in game.state.features] == [(FeatureKind.BARRAGE, Sheaf.CLOSED)]


@rules("5.16.2.4", "5.16.2.1", system=NA)
def test_a_mortar_that_began_on_its_truck_has_no_ammo_dump_there() -> None:
    truck = unit("t1", "A2", "opel-blitz", command="N/C")
    game = battle(observer(), truck, mortar(carried_by="t1"))
    free = replace(game.unit("m1").markers, carrier=UnitId(""))
    bare = replace(game.unit("t1").markers, passengers=())
    change(game, "m1", markers=free)
    change(game, "t1", markers=bare, status=Status.KNOCKED_OUT, hex=None)
    limit = source_of(game.context, game.state, "m1").limits.basic  # type: ignore[union-attr]
    assert limit is not None
    game.do(RED, call(game, "m1", pattern=ON_MAP), 5, limit + 1, 10)
    (event,) = game.told(BlastResolved)
    assert any("Ammo" in term.label for term in event.modifier.terms)


@rules("6.1.4.3.1", "5.1.3.1", system=NA)
def test_a_mortar_fires_from_the_roof_of_a_desert_building_and_from_no_upper_floor() -> None:
    for desert in (False, True):
        game = battle(observer(), mortar(), conditions={"desert_buildings": desert})
        change(game, "m1", markers=replace(game.unit("m1").markers, floor=Floor.UP))
        assert (indirect_weapon(game.context, game.unit("m1")) is not None) is desert


# --- what falls -----------------------------------------------------------------------------------------------


def stepping(game: Play, *dice: int) -> list[BlastResolved]:
    """What a squad suffers that walks into the Target Point."""
    play = Resolution(game.state, game.rules.fold, ScriptedDice(dice))
    under_barrages(game.context, play, UnitId("g1"), game.hex("K4"), ())
    return [event for event in play.events if isinstance(event, BlastResolved)]


@rules("6.6.6", "6.5.1.13", system=NA)
def test_a_barrage_keeps_its_range_when_its_observer_is_gone_and_ends_with_its_mortar() -> None:
    game = battle(observer(), mortar())
    game.do(RED, call(game, "b1", "m1"), 5, 5, 10, 10)
    before = stepping(game, 10, 10)
    assert [event.source for event in before] == ["b1", "m1"]
    change(game, "fo", hex=None, status=Status.KNOCKED_OUT)
    change(game, "m1", hex=None, status=Status.KNOCKED_OUT)
    (after,) = stepping(game, 10)
    assert (after.source, after.range_factor) == ("b1", before[0].range_factor)
    assert after.factor == before[0].factor


@rules("6.5.4.2.2", "6.5.1.13", system=NA)
def test_a_squad_on_the_move_is_easier_to_hit_though_its_command_lay_face_down() -> None:
    found = []
    for command in ("MOVE", "N/C"):
        squad = unit("g1", "K4", "british-rifle-squad", command=command, known=False)
        game = battle(targets=(squad,))
        game.do(RED, call(game), 5, 10)
        found.append((game.told(BlastResolved)[0].defense, game.unit("g1").known))
    (moving, told), (still, kept) = found
    assert moving == max(1, still - 2)
    assert (told, kept) == (True, False)


@rules("6.1.4.3.10", "6.5.1.6.1", "6.5.2.4", "5.11", system=NA)
def test_a_smoke_mission_is_a_barrage_too_and_one_occurrence() -> None:
    game = battle()
    game.do(RED, call(game, kind=SMOKE), 5, 1)
    kinds = [one.kind for one in game.state.features]
    assert kinds.count(FeatureKind.SMOKE) == kinds.count(FeatureKind.BARRAGE) == 7
    game.do(RED, PASS)
    next_turn(game)
    assert not any(one.fresh for one in game.state.features)
    assert response(game, call(game))[1] == -1, "its Smoke and its Barrage hinder an observer once"
    game.do(RED, ContinueFire("fo-1", GP), 10)
    assert stepping(game, 10)
    smoke = battle()
    smoke.do(RED, call(smoke, kind=SMOKE), 5, 1)
    assert not stepping(smoke), "Smoke shells attack nobody"


@rules("6.1.4.3.10", "6.5.1.8.1", system=NA)
def test_a_barrage_goes_on_hindering_while_its_fire_changes_to_smoke() -> None:
    game = battle()
    game.do(RED, call(game), 5, 10)
    game.do(RED, PASS)
    next_turn(game)
    game.do(RED, ContinueFire("fo-1", SMOKE), 1)
    fresh = {one.kind: one.fresh for one in game.state.features}
    assert fresh == {FeatureKind.BARRAGE: False, FeatureKind.SMOKE: True}


# --- 6.1 ------------------------------------------------------------------------------------------------------


@rules("6.1.4.3.5", system=NA)
def test_who_stays_in_a_fire_is_eliminated_at_the_end_of_the_turn_with_his_passengers() -> None:
    truck, squad = unit("t1", "C3", "opel-blitz"), unit("s1", "C3", "german-rifle-squad", carried_by="t1")
    game = battle(observer(), truck, squad)
    fire = Feature(FeatureKind.ON_FIRE, game.hex("C3"))
    game.state = replace(game.state, features=(fire,), stack=(EndingTurn(),))
    play = Resolution(game.state, game.rules.fold, ScriptedDice(()))
    game.rules.advance(play)
    assert [play.state.units[UnitId(name)].in_play for name in ("t1", "s1", "fo")] == [False, False, True]


@rules("6.1.4.3.7", system=NA)
def test_a_vehicle_set_up_in_an_improved_position_is_open_to_its_rear() -> None:
    shelter = [{"kind": "improved position", "at": ["F4"], "unit": "p1"}]
    tank = unit("p1", "F4", "pz-iiij", facing="N")
    enemies = (unit("n1", "F1", "crusader-i"), unit("s1", "F8", "crusader-i"))
    game = battle(observer(), tank, targets=enemies, features=shelter, spotted={})
    hidden = [hull_down_of(game.context, game.state, game.unit(name), game.unit("p1")) for name in ("n1", "s1")]
    assert hidden == [HullDown.FULL, HullDown.NONE]


# --- air ------------------------------------------------------------------------------------------------------


@rules("6.7.2.3", "6.7.2.3.1", system=NA)
def test_every_way_on_is_offered_if_and_only_if_it_is_accepted() -> None:
    for pace, way in (("Slow Low", None), ("Fast Low", None), ("Slow Low", FlyOn(0, 1)), ("Slow Low", FlyOn(4, -1))):
        game = sky(aircraft=FIGHTER)
        game.do("red", fly(game, "F1", pace=pace))
        if way is not None:
            game.do("red", way)
        decision = game.rules.decision(game.state)
        assert decision is not None
        offered = set(decision.options(game.rules.seats[0]))
        for steps in range(-1, 30):
            for turn in (-2, -1, 0, 1, 2):
                action = FlyOn(steps, turn)
                accepted = game.rules.refusal(game.state, game.rules.seats[0], action) is None
                assert accepted is (action in offered), action


@rules("6.7.3.1.1", system=NA)
def test_a_suppressed_aircraft_acquires_no_more_at_the_edge_than_another() -> None:
    game = sky("b1 pz-iiig F6 N", "b2 pz-iiig F8 N")
    game.do("red", fly(game, "F1"))
    got = flight(game).acquiring.got
    with_plane(game, suppression=Suppression.ON)
    assert appearing(game.context, game.state, flight(game)).acquiring.got == got
    assert set(got) < {"b1", "b2"}


@rules("6.7.3.1.2", "5.9.4", system=NA)
def test_a_mounted_observer_spots_for_aircraft_with_the_overwatch_of_its_truck() -> None:
    rows = PLAIN.splitlines()
    rows[4] = ". . . . . w . . . . ."
    more = {"r2": {"roles": {"observer": True}, "carried_by": "r1"}}
    game = sky("b1 pz-iiig F5 N", "r1 opel-blitz F7 N OW", "r2 german-section F7 N", cells="\n".join(rows), more=more)
    game.do("red", fly(game, "F1"))
    game.do("red", FlyOn(3))
    game.do("red", strike("b1"), 1)
    assert game.unit("r1").known
    assert game.state.guided == {UnitId("r2"): UnitId("b1")}


# --- display --------------------------------------------------------------------------------------------------


@rules("6.5.1.5", "6.5.1.11.4", system=NA)
def test_called_smoke_without_shells_leaves_no_impact_counter() -> None:
    game = battle()
    game.do(RED, call(game, kind=SMOKE), 5, 10)
    assert not game.state.missions
    assert not game.told(me.MissionSet)
    assert game.unit("fo").command is Command.OVERWATCH


@rules("6.7.2.1", system=NA)
def test_an_aircraft_that_skips_a_turn_comes_back_over_any_edge() -> None:
    game = sky()
    for flown, refused in ((2, "6.7.2.1"), (1, "")):
        with_plane(game, appeared=1, flown=flown, edges=("south",))
        game.state = replace(game.state, turn=3)
        assert game.why("red", fly(game, "F1")) == refused


@rules("6.7.4.1.1", "5.15", system=NA)
def test_a_crew_that_has_bailed_out_tracks_no_aircraft() -> None:
    for bailed in (False, True):
        game = sky("b1 sdkfz-10-4 F12 N OW", more={"b1": {"bailed": bailed}})
        game.do("red", fly(game, "F1"))
        assert ("b1" in flight(game).tracking.flown) is not bailed
