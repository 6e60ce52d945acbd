"""5.3, 6.5.1 Indirect Fire on hexes: observers, calls, responses, sheaves, Danger Close."""

from __future__ import annotations

from itertools import permutations
from typing import Any

import pytest
from msgspec.structs import replace

from sandtable.geo.hex import distance
from sandtable.systems.panzer.advanced_card import GpKind
from sandtable.systems.panzer.combat.fire_events import BlastResolved
from sandtable.systems.panzer.features import CounterSide, FeatureKind, Sheaf
from sandtable.systems.panzer.fires.missions import Pattern
from sandtable.systems.panzer.fires.observers import observer_kind, sources_needed
from sandtable.systems.panzer.fires.response import Attachment, ObserverKind
from sandtable.systems.panzer.formations import Headquarters, Roles
from sandtable.systems.panzer.frames import Movement
from sandtable.systems.panzer.hex import mission_events as me
from sandtable.systems.panzer.hex.actions import (
    CallFire,
    CheckFire,
    ContinueFire,
    Move,
    PlaceImpact,
    RevealCommand,
)
from sandtable.systems.panzer.hex.events import TerrainStruck
from sandtable.systems.panzer.hex.fires.sheaves import area
from sandtable.systems.panzer.hex.fires.sources import indirect_weapon
from sandtable.systems.panzer.hex.state import DangerClose, Leg
from sandtable.systems.panzer.sequence import Phase
from sandtable.systems.panzer.unit import Command, Spot, Status, UnitId
from tests.panzer.batteries import (
    BATTERY,
    BLUE,
    CLOSED,
    GP,
    LIGHT,
    LINEAR,
    NA,
    ON_MAP,
    OPEN,
    PASS,
    RED,
    SMOKE,
    adjust,
    battle,
    call,
    gun,
    mortar,
    next_turn,
    observer,
    response,
    unit,
)
from tests.rulebook.engine import Play

rules = pytest.mark.rules


# --- 6.5.1.1, 6.5.1.7 Who calls, and whom --------------------------------------------------------------------


@rules("6.5.1", "6.5.1.1.1", "6.5.1.1.2", "6.5.1.1.3", "5.9.4", system=NA)
def test_kinds_of_observers() -> None:
    assert observer_kind(Roles(observer=True, command=Headquarters.BHQ)) is ObserverKind.FO
    assert observer_kind(Roles(command=Headquarters.RHQ, recon=True)) is ObserverKind.RHQ
    assert observer_kind(Roles(recon=True)) is ObserverKind.RECON
    assert observer_kind(Roles(engineer=True)) is None


@rules("6.5.1", "6.5.1.7", system=NA)
def test_calls_need_an_observer_with_overwatch_and_a_spotted_target() -> None:
    game = battle(observer(), observer("plain", roles={}), observer("busy", command="FIRE"))
    assert game.why(RED, call(game, by="plain")) == "6.5.1.7"
    assert game.why(RED, call(game, by="busy")) == "6.5.1"
    assert game.why(RED, call(game, by="nobody")) == "6.5.1.7"
    assert game.why(RED, call(game, at="K5")) == "6.5.1.7"
    assert game.why(RED, call(game)) == ""


@rules("6.5.1", "6.5.1.1", system=NA)
def test_an_observer_calls_once_and_is_not_spotted_for_it() -> None:
    second = {**BATTERY, "id": "b2"}
    game = battle(batteries=(BATTERY, second))
    game.do(RED, call(game), 5, 10)
    assert game.unit("fo").known
    assert game.unit("fo").new_spot is Spot.NONE
    assert game.why(RED, call(game, "b2")) == "6.5.1.1"


@rules("6.5.1.1.1", "6.5.1.1.2", "6.5.1.1.4", system=NA)
def test_only_forward_observers_call_two_sources_and_near_units_count_as_one() -> None:
    second = {**BATTERY, "id": "b2"}
    game = battle(
        observer(),
        observer("chq", roles={"command": "CHQ"}),
        mortar("m1", "A1"),
        mortar("m2", "A2"),
        batteries=(BATTERY, second),
        spotted={"fo": ["g1"], "chq": ["g1"]},
    )
    assert game.why(RED, call(game, "b1", "b2")) == ""
    assert game.why(RED, call(game, "b1", "b2", by="chq")) == "6.5.1.1.1"
    assert game.why(RED, call(game, "m1", "m2", by="chq", pattern=ON_MAP)) == ""
    assert game.why(RED, call(game, "b1", "m1", "m2")) == ""
    assert game.why(RED, call(game, "b1", "b2", "m1")) == "6.5.1.1.1"
    ids = [UnitId(name) for name in "abcd"]
    assert sources_needed(0, ids, lambda one, other: (one, other) in {("a", "b"), ("c", "d"), ("b", "c")}) == 2
    assert sources_needed(1, ids[:2], lambda *_: False) == 3


@rules("6.5.1", "6.5.1.1", system=NA)
def test_the_sources_of_a_call_roll_and_fall_in_any_order_that_is_named() -> None:
    game = battle(observer(), mortar("m1", "A1"), mortar("m2", "A2"))
    orders = list(permutations(("b1", "m1", "m2")))
    assert [game.why(RED, call(game, *order)) for order in orders] == [""] * 6
    assert game.why(RED, call(game, "m1", "b1", "m1")) == "6.5.1.1"
    decision = game.rules.decision(game.state)
    assert decision is not None
    together = decision.options(game.rules.seats[0]).at("fo", "K4", "b1+m1+m2")
    offered = [action.sources for action in together if isinstance(action, CallFire)]
    assert sorted(set(offered)) == orders
    game.do(RED, call(game, "m2", "b1", "m1"), 2, 2, 2, 10, 10, 10)
    rolled = [event.source for event in game.told(me.ResponseRolled)]
    assert rolled == ["m2", "b1", "m1"]


@rules("6.5.1", "6.5.1.9", "5.6", "6.5.1.13", system=NA)
def test_units_on_the_map_need_fire_and_a_target_that_they_do_not_spot_within_range() -> None:
    game = battle(observer(), mortar(), mortar("m2", command="SHORT HALT"), mortar("m3", "J4"), mortar("m4"))
    seen = {**game.state.spotted, UnitId("m4"): (UnitId("g1"),)}
    game.state = replace(game.state, spotted=seen)
    assert game.why(RED, call(game, "m1", pattern=ON_MAP)) == ""
    assert game.why(RED, call(game, "m2", pattern=ON_MAP)) == "6.5.1"
    assert game.why(RED, call(game, "m3", pattern=ON_MAP)) == "5.6"
    assert game.why(RED, call(game, "m4", pattern=ON_MAP)) == "6.5.1"
    assert game.why(RED, call(game, "fo", pattern=ON_MAP)) == "6.5.1"
    assert game.why(RED, call(game, "m1", "m1", pattern=ON_MAP)) == "6.5.1.1"


# --- 6.5.1.3 Attachment --------------------------------------------------------------------------------------


@rules("6.5.1.3", "6.5.1.3.1", "6.5.1.3.2", "6.5.1.3.3", system=NA)
def test_attachment_goes_by_the_tree_of_formations() -> None:
    brigade = {"id": "brigade", "units": ["top"]}
    battalion = {"id": "battalion", "units": ["fo"], "parent": "brigade"}
    company = {"id": "company", "units": ["low", "m1"], "parent": "battalion"}
    other = {"id": "other", "units": ["far"], "parent": "brigade"}
    names = ("top", "fo", "low", "far")
    sides = [
        {
            "id": RED,
            "title": "Red",
            "grade": "Seasoned",
            "units": [*(observer(name) for name in names), mortar()],
            "formations": [brigade, battalion, company, other],
            "batteries": [
                {**BATTERY, "attached": "battalion"},
                {**BATTERY, "id": "b2", "attached": "", "organic": "brigade"},
            ],
        },
        {"id": BLUE, "title": "Blue", "grade": "Seasoned", "units": [gun()]},
    ]
    game = battle(sides=sides, spotted={name: ["g1"] for name in names})
    attached, organic, unattached = (
        game.context.tables["fire_response"].number("FO", level.value) for level in Attachment
    )
    assert (attached, organic) == (2, 4)
    needs = {
        (who, source): response(game, call(game, source, by=who), source)[0]
        for who in names
        for source in ("b1", "b2", "m1")
    }
    assert [needs[who, "b1"] for who in names] == [unattached, attached, attached, unattached]
    assert [needs[who, "b2"] for who in names] == [organic] * 4
    assert [needs[who, "m1"] for who in names] == [unattached, unattached, attached, unattached]


# --- 6.5.1.5, 6.5.1.6 Sheaves and kinds ----------------------------------------------------------------------


@rules("6.5.1.5", system=NA)
def test_the_four_sheaf_patterns() -> None:
    game = battle()
    target = game.hex("H4")
    sizes = {
        pattern: area(game.context.game_map, target, pattern, 2 if pattern is LINEAR else -1) for pattern in Pattern
    }
    assert [len(sizes[pattern]) for pattern in (ON_MAP, CLOSED, OPEN, LINEAR)] == [1, 7, 19, 7]
    assert max(distance(target, hex) for hex in sizes[LINEAR]) == 6
    assert len(area(game.context.game_map, game.hex("A1"), CLOSED)) == 4, "the rest is off the mapboard"


@rules("6.5.1.5", "6.5.1.6", "6.5.1.6.1", "6.5.1.6.2", system=NA)
def test_sheaves_that_do_not_fit_are_refused() -> None:
    game = battle(observer(), mortar())
    assert game.why(RED, call(game, pattern=ON_MAP)) == "6.5.1.5"
    assert game.why(RED, call(game, "m1", pattern=CLOSED)) == "6.5.1.5"
    assert game.why(RED, call(game, pattern=LINEAR)) == "6.5.1.5"
    assert game.why(RED, call(game, pattern=LINEAR, way=3)) == ""
    assert game.why(RED, call(game, pattern=OPEN, way=3)) == "6.5.1.5"
    assert game.why(RED, call(game, pattern=OPEN, kind=SMOKE)) == ""
    assert game.why(RED, call(game, pattern=OPEN, kind=LIGHT)) == "6.5.1.6.2"
    assert game.why(RED, call(game, pattern=LINEAR, way=3, kind=LIGHT)) == "6.5.1.6.2"
    assert game.why(RED, call(game, pattern=CLOSED, kind=LIGHT)) == ""
    assert game.why(RED, call(game, "m1", pattern=ON_MAP, kind=LIGHT)) == "6.5.1.6"


@rules("6.5.1.5", "6.1.4.3.10", "6.5.1", system=NA)
def test_gp_fire_leaves_a_barrage_that_hinders_from_the_next_step_on() -> None:
    game = battle()
    game.do(RED, call(game, pattern=OPEN), 5, 10)
    barrage = [one for one in game.state.features if one.kind is FeatureKind.BARRAGE]
    assert len(barrage) == 19
    assert all(one.fresh and one.sheaf is Sheaf.OPEN for one in barrage)
    assert len({one.source for one in barrage}) == 1
    game.do(RED, PASS)
    assert not any(one.fresh for one in game.state.features)
    assert game.asked == (BLUE,)


@rules("6.5.1.6.1", "6.1.4.3.10", "5.16.2.3", "5.16.2.5", "6.8.4", system=NA)
def test_smoke_needs_shells_and_strikes_nobody() -> None:
    game = battle()
    short = battle()
    game.do(RED, call(game, kind=SMOKE), 5, 6)
    smoke = [one for one in game.state.features if one.kind is FeatureKind.SMOKE]
    assert len(smoke) == 7
    assert {one.side for one in smoke} == {CounterSide.ON}
    assert not game.told(me.MissionEnded)
    short.do(RED, call(short, kind=SMOKE), 5, 7)
    assert not short.state.features
    assert not short.state.missions
    assert short.told(me.ShellsShort)


# --- 6.5.1.12 Response ---------------------------------------------------------------------------------------


@rules("6.5.1.12", "6.5.1.7", system=NA)
def test_each_source_rolls_and_one_that_fails_has_completed_its_orders() -> None:
    game = battle(observer(), observer("o2"), mortar("m1", "A1"), spotted={"fo": ["g1"], "o2": ["g1"]})
    game.do(RED, call(game, "b1", "m1"), 2, 2, 10, 10)
    assert len(game.state.missions[0].sources) == 2
    failed = battle(observer(grade="Green"), observer("o2"), spotted={"fo": ["g1"], "o2": ["g1"]})
    failed.do(RED, call(failed), 2)
    assert not failed.state.missions
    assert failed.why(RED, call(failed, by="o2")) == "6.5.1.7"


@rules("6.5.1.12.1", "6.5.1.4", "5.8.3", system=NA)
def test_modifiers_of_the_response() -> None:
    plain = battle()
    assert response(plain, call(plain))[1] == 0
    registered = battle(batteries=({**BATTERY, "registered": ["K4"]},))
    assert response(registered, call(registered))[1] == 2
    other = battle(batteries=({**BATTERY, "registered": ["K5"]},))
    assert response(other, call(other))[1] == 0
    assert response(plain, call(plain), adjusted=True)[1] == 1
    both = battle(observer(suppression="SUPPRESSION/ON"))
    assert response(both, call(both))[1] == -2
    damaged = battle(observer(card="sdkfz-222", turret_damaged=True))
    assert response(damaged, call(damaged))[1] == -2
    recon = battle(observer(roles={"command": "CHQ", "recon": True}))
    assert response(recon, call(recon)) == (5, 1)
    elite = battle(observer(grade="Elite"))
    assert response(elite, call(elite))[1] == 1


@rules("6.5.1.12.1", system=NA)
def test_smoke_barrages_and_fire_on_the_line_hinder_the_observer_once_each() -> None:
    features = [
        {"kind": "smoke", "at": ["C5", "D5"], "source": "one"},
        {"kind": "barrage", "at": ["K4", "J4", "J5"], "sheaf": "open", "source": "two"},
        {"kind": "dust", "at": ["B4"]},
    ]
    game = battle(features=features)
    line = game.context.ground.sight(game.hex("A4"), game.hex("K4"))
    assert not line.blocked
    assert response(game, call(game))[1] in (-1, -2)
    burning = battle(wrecks={"A4": "BU"})
    assert response(burning, call(burning))[1] == -1


@rules("6.5.1.12.1", system=NA)
def test_heat_haze_goes_by_the_size_of_the_target() -> None:
    game = battle(conditions={"heat_haze": True})
    assert response(game, call(game))[1] == -1
    near = battle(observer(at="I4"), conditions={"heat_haze": True})
    assert response(near, call(near))[1] == 0


# --- 6.5.1.10 Danger Close -----------------------------------------------------------------------------------


@rules("6.5.1.10", "6.5.1.12", system=NA)
def test_an_unmodified_1_falls_on_spotted_friends_nearby_where_the_opponent_wants_it() -> None:
    friend = unit("p1", "H4", "pz-iiij", command="N/C", known=True)
    spotted = {"fo": ["g1"], "g1": ["p1"]}
    game = battle(observer(), friend, batteries=({**BATTERY, "registered": ["K4"]},), spotted=spotted)
    game.do(RED, call(game), 1)
    assert isinstance(game.top, DangerClose)
    assert game.asked == (BLUE,)
    assert game.why(BLUE, PlaceImpact(game.hex("K4"))) == "6.5.1.12"
    game.do(BLUE, PlaceImpact(game.hex("H4")), 10)
    (mission,) = game.state.missions
    assert mission.danger_close
    assert mission.target == game.hex("H4")
    assert game.unit("p1").markers.under_fire
    next_turn(game, fo=("g1",), g1=("p1",))
    assert not game.state.missions
    assert game.told(me.MissionEnded)[-1].rule == "6.5.1.10"


@rules("6.5.1.10", "6.5.1.12", system=NA)
def test_without_spotted_friends_within_5_hexes_an_unmodified_1_fails() -> None:
    far, hidden = unit("p1", "E4", "pz-iiij", command="N/C"), unit("p2", "H4", "pz-iiij", command="N/C")
    game = battle(
        observer(), far, hidden, batteries=({**BATTERY, "registered": ["K4"]},), spotted={"fo": ["g1"], "g1": ["p1"]}
    )
    game.do(RED, call(game), 1)
    assert not game.state.missions
    assert game.asked == (RED,)


# --- 6.5.1.8, 6.5.1.9 Going on, adjusting, checking ----------------------------------------------------------


def firing(*units: dict[str, Any], **more: Any) -> Play:
    """Fire that responded last turn: the Indirect Fire step of the turn after."""
    game = battle(*units, **more)
    game.do(RED, call(game), 5, 10)
    game.do(RED, PASS)
    next_turn(game)
    return game


@rules("6.5.1.8", "6.5.1.8.1", system=NA)
def test_fire_goes_on_without_a_roll_and_changes_freely_between_gp_and_smoke() -> None:
    game = firing()
    assert game.why(RED, ContinueFire("fo-1", LIGHT)) == "6.5.1.8.1"
    game.do(RED, ContinueFire("fo-1", SMOKE), 6)
    assert {one.kind for one in game.state.features} == {FeatureKind.SMOKE, FeatureKind.BARRAGE}
    assert game.why(RED, ContinueFire("fo-1", GP)) == "6.5.1.8"


@rules("6.5.1.8.1", "6.5.1.9", system=NA)
def test_fire_needs_a_spotted_target_in_or_next_to_the_target_point_to_go_on() -> None:
    game = firing(targets=(gun(), gun("g2", "N4")))
    game.state = replace(game.state, spotted={UnitId("fo"): (UnitId("g2"),)})
    assert game.why(RED, ContinueFire("fo-1", GP)) == "6.5.1.8.1"
    assert game.why(RED, adjust(game, "fo-1", at="N4")) == ""
    game.do(RED, PASS)
    assert not game.state.missions, "what cannot go on is checked"


@rules("6.5.1.8.1", system=NA)
@pytest.mark.parametrize(("near", "refused"), [("L4", ""), ("M4", "6.5.1.8.1")])
def test_fire_goes_on_for_a_target_next_to_its_point_and_not_for_one_two_hexes_off(near: str, refused: str) -> None:
    game = firing()
    moved = replace(game.unit("g1"), hex=game.hex(near))
    game.state = replace(game.state, units={**game.state.units, moved.id: moved})
    assert game.why(RED, ContinueFire("fo-1", GP)) == refused


@rules("6.5.1.8.1", system=NA)
def test_fire_that_nobody_speaks_of_goes_on() -> None:
    game = firing()
    game.do(RED, PASS, 10)
    assert game.state.missions[0].turn == game.state.turn


@rules("6.5.1.8.2", system=NA)
def test_adjusting_moves_3_hexes_at_most_rolls_again_and_adds_1() -> None:
    second = {**BATTERY, "id": "b2"}
    game = firing(targets=(gun(), gun("g2", "N4"), gun("g3", "O4")), batteries=(BATTERY, second))
    game.state = replace(game.state, spotted={UnitId("fo"): (UnitId("g1"), UnitId("g2"), UnitId("g3"))})
    assert game.why(RED, adjust(game, "fo-1", at="O4")) == "6.5.1.8.2"
    assert game.why(RED, adjust(game, "fo-1", at="M4")) == "6.5.1.8.2"
    assert game.why(RED, adjust(game, "fo-1", "b2")) == "6.5.1.8.2"
    assert game.why(RED, adjust(game, "fo-1")) == "6.5.1.8.2"
    game.do(RED, adjust(game, "fo-1", "b1", "b2", at="N4", pattern=OPEN), 2, 3, 10, 10, 10, 10)
    events = game.events
    rolled = [event for event in events if isinstance(event, me.ResponseRolled)]
    assert [event.number.net for event in rolled[-2:]] == [0, -1], "the Barrage that falls hinders the observer"
    (mission,) = game.state.missions
    assert (mission.target, mission.pattern) == (game.hex("N4"), OPEN)
    assert all(distance(one.hex, game.hex("N4")) <= 2 for one in game.state.features)


@rules("6.5.1.8.2", "6.5.1.12", system=NA)
def test_adjusted_fire_that_does_not_respond_is_over() -> None:
    game = firing(observer(grade="Green"))
    game.do(RED, adjust(game, "fo-1", pattern=OPEN), 1)
    assert not game.state.missions
    assert not game.state.features


@rules("6.5.1.9", system=NA)
def test_checked_fire_is_not_resolved_and_keeps_all_from_other_fire_this_turn() -> None:
    game = firing(observer(), observer("o2"), spotted={"fo": ["g1"], "o2": ["g1"]})
    assert game.why(RED, call(game, "b1", by="o2")) == "6.5.1.9"
    game.do(RED, CheckFire("fo-1"))
    assert not game.state.missions
    assert not game.state.features
    assert game.why(RED, call(game, by="fo")) == "6.5.1.1"
    assert game.why(RED, call(game, by="o2")) in ("6.5.1", "6.5.1.7")


@rules("6.5.1.9", "6.5.1.8", system=NA)
@pytest.mark.parametrize("changes", [{"command": "N/C"}, {"status": "KO", "hex": None}])
def test_fire_that_is_not_observed_any_more_checks_by_itself(changes: dict[str, Any]) -> None:
    game = battle()
    game.do(RED, call(game), 5, 10)
    game.do(RED, PASS)
    kinds = {"command": Command, "status": Status}
    typed = {name: kinds[name](value) if name in kinds else value for name, value in changes.items()}
    gone = replace(game.unit("fo"), **typed)
    game.state = replace(game.state, units={**game.state.units, gone.id: gone})
    next_turn(game)
    assert not game.state.missions
    assert game.told(me.MissionEnded)[-1].rule == "6.5.1.9"


@rules("6.5.1.8", system=NA)
def test_units_on_the_map_that_have_no_fire_command_drop_out() -> None:
    game = battle(observer(), mortar("m1", "A2"))
    game.do(RED, call(game, "b1", "m1"), 5, 5, 10, 10)
    assert game.unit("m1").fired
    assert game.unit("m1").new_spot is not Spot.NONE
    game.do(RED, PASS)
    idle = replace(game.unit("m1"), command=Command.NONE)
    game.state = replace(game.state, units={**game.state.units, idle.id: idle})
    next_turn(game)
    assert game.state.missions[0].sources == ("b1",)


# --- 6.5.1.13 Resolution -------------------------------------------------------------------------------------


@rules("6.5.1.13", "6.5.1", "6.5.1.7", system=NA)
def test_all_units_in_the_sheaf_are_struck_friend_or_foe_at_the_range_of_the_target_point() -> None:
    friend = unit("s1", "J4", "german-rifle-squad", command="N/C", known=True)
    game = battle(observer(), friend, targets=(gun(), gun("g2", "L4"), gun("g3", "N4")))
    game.do(RED, call(game), 5, 10, 10, 10)
    struck = {event.target: event.range_factor for event in game.told(BlastResolved)}
    assert set(struck) == {"g1", "g2", "s1"}
    assert len(set(struck.values())) == 1


@rules("6.5.1.13", "6.5.1.5", system=NA)
def test_a_unit_on_the_map_strikes_the_target_point_alone_at_the_greater_range() -> None:
    game = battle(observer(at="F4"), mortar("m1", "A4"), targets=(gun(), gun("g2", "L4")))
    game.do(RED, call(game, "m1", pattern=ON_MAP), 5, 10)
    (event,) = game.told(BlastResolved)
    found = indirect_weapon(game.context, game.unit("m1"))
    assert found is not None
    row = found.gp_row(GpKind.INDIRECT)
    assert row is not None
    assert event.target == "g1"
    assert event.range_factor == row.range_factor(10)


@rules("6.5.4.3", "6.5.1.13", system=NA)
def test_an_open_sheaf_of_a_battery_takes_20_off_and_vehicles_may_show_that_they_move() -> None:
    tank = unit("t1", "K4", "crusader-i", command="MOVE")
    game = battle(targets=(tank,), spotted={"fo": ["t1"]})
    game.do(RED, call(game, pattern=OPEN), 5)
    assert game.asked == (BLUE,)
    game.do(BLUE, RevealCommand(reveal=True), 10)
    (event,) = game.told(BlastResolved)
    labels = {term.label: term.value for term in event.modifier.terms}
    assert labels["Indirect Fire, Open SHEAF"] == -20
    assert labels["Target Vehicle Moving, Indirect Fire"] == -20


@rules("6.5.1", "6.5.4.2.5", "6.5.4.4.3", system=NA)
def test_terrain_in_the_sheaf_is_attacked_after_the_units() -> None:
    wire = [{"kind": "wire", "at": ["L4"], "defense": 1}, {"kind": "wire", "at": ["M4"], "defense": 1}]
    game = battle(features=wire)
    game.do(RED, call(game), 5, 10, 99, 99)
    (event,) = game.told(TerrainStruck)
    assert event.destroyed
    left = [one.hex for one in game.state.features if one.kind is FeatureKind.WIRE]
    assert left == [game.hex("M4")], "beyond the SHEAF"


# --- 6.6.6 Moving in a Barrage -------------------------------------------------------------------------------


def driven(legs: int, *dice: int) -> Play:
    """Blue's tank drives NW from M4 into the Barrage around K4."""
    tank = unit("t1", "M4", "crusader-i", facing="NW", command="MOVE", known=True)
    game = battle(targets=(gun(), tank))
    game.do(RED, call(game), 5, 10)
    movement = Movement(game.rules.seats[1], first=False)
    game.state = replace(game.state, phase=Phase.MOVEMENT, stack=(movement,))
    game.do(BLUE, Move(UnitId("t1"), (Leg(),) * legs), *dice)
    return game


@rules("6.6.6", system=NA)
def test_whoever_moves_in_a_barrage_is_attacked_once_by_each_source() -> None:
    game = driven(2, 10)
    attacks = [event for event in game.told(BlastResolved) if event.target == "t1"]
    assert len(attacks) == 1
    assert not any("Moving" in term.label for term in attacks[0].modifier.terms)
    assert game.at("t1") != "M4"
