"""The Air Phases as they are played: appearing, flying, acquiring, attacks (5.4, 6.4, 6.7.1-6.7.3)."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from sandtable.systems.panzer import events as ev
from sandtable.systems.panzer.air.air_actions import FlyOn, ShowMoving
from sandtable.systems.panzer.air.air_events import AirstrikeMade
from sandtable.systems.panzer.air.aircraft import AirWeapon, Altitude, Speed
from sandtable.systems.panzer.combat.fire_events import BlastResolved
from sandtable.systems.panzer.fires.missions import Mission, Pattern
from sandtable.systems.panzer.hex.actions import Decline
from sandtable.systems.panzer.hex.air.flights import AircraftLeft
from sandtable.systems.panzer.markers import UnitMarkers
from sandtable.systems.panzer.sequence import Phase
from sandtable.systems.panzer.unit import UnitId
from tests.panzer.skies import NA, P1, PLAIN, at, flight, fly, plane, sky, strike, with_plane
from tests.rulebook.engine import RED

rules = pytest.mark.rules
FIGHTER = ({"id": "p1", "card": "bf-109e"},)


def grove_at(row: int) -> str:
    """The plain with a grove in column F of a row."""
    rows = PLAIN.splitlines()
    rows[row - 1] = ". . . . . w . . . . ."
    return "\n".join(rows)


WOODED = grove_at(5)


@rules("6.4", "6.7", "6.7.2", system=NA)
def test_6_7_2_an_aircraft_crosses_the_mapboard_and_never_stays() -> None:
    game = sky()
    assert (game.asked, game.question) == (("red",), "6.7.2.1")
    game.do("red", fly(game, "F1"))
    game.do("red", FlyOn(24))
    (left,) = game.told(AircraftLeft)
    assert left.edges == ("south",)
    assert (plane(game).appeared, plane(game).flown, plane(game).edges) == (1, 1, ("south",))
    phases = [event.phase for event in game.told(ev.PhaseBegan)]
    assert phases[:3] == [Phase.COMBAT, Phase.MOVEMENT, Phase.SECOND_AIR], "and there it has flown already"
    assert phases[3] is Phase.ADJUSTMENT


@rules("6.7.2", "6.7.2.1", "6.7.2.2", system=NA)
def test_6_7_2_1_appearance_is_over_an_edge_heading_inwards() -> None:
    game = sky()
    assert game.why("red", fly(game, "F5")) == "6.7.2"
    assert game.why("red", fly(game, "F1", "N")) == "6.7.2"
    assert game.why("red", fly(game, "F1", pace="Fast Low")) == "6.7.2.2"
    assert game.why("red", fly(game, "F1", aircraft="p9")) == "6.7"
    for edge in ("F1 S", "F24 N", "A5 NE", "K5 SW"):
        label, heading = edge.split()
        assert not game.why("red", fly(game, label, heading))


@rules("6.7.2.1", system=NA)
def test_6_7_2_1_the_next_turn_it_comes_back_over_the_edge_by_which_it_left() -> None:
    game = with_plane(sky(turn=2), appeared=1, flown=1, edges=("south",))
    assert game.why("red", fly(game, "F1")) == "6.7.2.1"
    assert not game.why("red", fly(game, "F24", "N"))
    rested = with_plane(sky(turn=3), appeared=1, flown=1, edges=("south",))
    assert not rested.why("red", fly(rested, "F1"))


@rules("6.7.2.1", system=NA)
def test_6_7_2_1_the_scenario_may_say_when_and_where() -> None:
    late = ({"id": "p1", "card": "ju-87b", "turn": 2}, {"id": "p2", "card": "ju-87b", "edges": ["east"]})
    game = sky(aircraft=late)
    assert game.why("red", fly(game, "F1")) == "6.7.2.1"
    assert game.why("red", fly(game, "F1", aircraft="p2")) == "6.7.2.1"
    assert not game.why("red", fly(game, "K5", "SW", aircraft="p2"))


@rules("6.7", "6.7.2.1", system=NA)
def test_6_7_the_force_may_decline_and_fly_in_the_other_phase() -> None:
    game = sky()
    game.do("red", Decline())
    assert plane(game).flown == 0
    assert (game.state.phase, game.asked) == (Phase.SECOND_AIR, ("red",))


@rules("5.5", "6.7.2.3", "6.7.2.3.1", system=NA)
def test_6_7_2_3_1_one_turn_of_one_hexside_at_slow_speed() -> None:
    game = sky()
    game.do("red", fly(game, "F1"))
    assert game.why("red", FlyOn(0)) == "6.7.2.3"
    assert game.why("red", FlyOn(25)) == "6.7.2.3"
    assert game.why("red", FlyOn(3, 2)) == "6.7.2.3.1"
    assert game.why("red", FlyOn(24, 1)) == "6.7.2.3.1"
    game.do("red", FlyOn(4, -1))
    assert (at(game), flight(game).facing, flight(game).turned) == ("F5", 2, True)
    assert game.why("red", FlyOn(1, 1)) == "6.7.2.3.1"
    game.do("red", FlyOn(1))
    assert at(game).startswith("G")


@rules("6.7.2.3.1", system=NA)
def test_6_7_2_3_1_no_turn_at_fast_speed() -> None:
    game = sky(aircraft=FIGHTER)
    game.do("red", fly(game, "F1", pace="Fast Low"))
    assert game.why("red", FlyOn(3, 1)) == "6.7.2.3.1"
    assert not game.why("red", FlyOn(3))


@rules("6.7.3.1", "6.7.3.1.1", system=NA)
def test_6_7_3_1_1_what_is_nearer_than_the_range_is_acquired_at_the_edge() -> None:
    game = sky("b1 pz-iiig F5 N", "b2 pz-iiig F6 N", "b3 pz-iiig A3 N")
    game.do("red", fly(game, "F1"))
    assert flight(game).acquiring.got == ("b1",), "5 hexes at Slow and Low, and b3 is not in front"
    game.do("red", FlyOn(4))
    assert "b2" in flight(game).acquiring.got, "the fifth hex of its flight"


@rules("6.7.3.1.1", system=NA)
def test_6_7_3_1_1_a_suppressed_aircraft_needs_twice_as_far() -> None:
    game = sky("b1 pz-iiig F12 N")
    game.do("red", fly(game, "F1"))
    with_plane(game, suppression="SUPPRESSION/ON")
    game.do("red", FlyOn(8))
    assert flight(game).acquiring.got == ()
    game.do("red", FlyOn(1))
    assert flight(game).acquiring.got == ("b1",)


@rules("6.7.3.1", "6.7.3.1.1", system=NA)
def test_6_7_3_1_1_after_a_turn_what_is_still_in_front_stays_acquired() -> None:
    game = sky("b1 pz-iiig F5 N", "b2 pz-iiig H4 N")
    game.do("red", fly(game, "F1"))
    assert flight(game).acquiring.got == ("b1", "b2")
    game.do("red", FlyOn(0, -1))
    assert flight(game).acquiring.got == ("b2",)


@rules("6.7.3.1", "6.7.3.1.1", system=NA)
def test_6_7_3_1_1_what_is_right_under_the_aircraft_is_not_in_front_of_it() -> None:
    game = sky("b1 pz-iiig F5 N", "b2 pz-iiig F6 N")
    game.do("red", fly(game, "F1"))
    game.do("red", FlyOn(3))
    assert (at(game), flight(game).acquiring.got) == ("F4", ("b1",))
    game.do("red", FlyOn(1))
    assert (at(game), flight(game).acquiring.got) == ("F5", ("b2",))


@rules("6.6.7", "6.7.3.1.1", system=NA)
def test_6_7_3_1_1_passengers_are_no_targets_of_their_own() -> None:
    game = sky("b1 pz-iiig F4 N", "b2 german-rifle-squad F4 N")
    riding = replace(game.unit("b2"), markers=UnitMarkers(carrier=UnitId("b1")))
    game.state = replace(game.state, units={**game.state.units, riding.id: riding})
    game.do("red", fly(game, "F1"))
    assert flight(game).acquiring.got == ("b1",)


@rules("6.7.3", "6.7.3.1.1", "6.7.3.2", "5.16.2.6", system=NA)
def test_6_7_3_2_strafing_hits_the_hex_in_front_and_the_next() -> None:
    game = sky("b1 pz-iiig F5 N", "b2 british-infantry-squad F6 N", "r1 crusader-i F6 N", "b3 pz-iiig F7 N")
    game.do("red", fly(game, "F1"))
    assert game.why("red", strike("b1")) == "6.7.3"
    assert game.why("red", strike("b3")) == "6.7.3.1.1"
    assert game.why("red", strike("b9")) == "6.7.3"
    game.do("red", FlyOn(3))
    game.do("red", strike("b1"), 1, 1, 1)
    assert [one.target for one in game.told(BlastResolved)] == ["b1", "b2", "r1"], "friend and enemy, each with a roll"
    assert len(game.told(AirstrikeMade)) == 1
    assert plane(game).strafed == 1
    assert flight(game).acquiring.got == ()
    assert game.why("red", strike("b1")) == "6.7.3.1.1", "it must be acquired anew"


@rules("6.7.3.2", system=NA)
def test_6_7_3_2_at_fast_speed_it_hits_three_hexes_and_only_from_low() -> None:
    game = sky("b1 pz-iiig F5 N", "b3 pz-iiig F7 N", "b4 pz-iiig F8 N", aircraft=FIGHTER)
    game.do("red", fly(game, "F1", pace="Fast Low"))
    game.do("red", FlyOn(3))
    game.do("red", strike("b1"), 1, 1)
    assert [one.target for one in game.told(BlastResolved)] == ["b1", "b3"]
    high = sky("b1 pz-iiig F5 N", aircraft=FIGHTER)
    high.do("red", fly(high, "F1", pace="Fast Medium"))
    high.do("red", FlyOn(3))
    assert high.why("red", strike("b1")) == "6.7.3.2"


@rules("6.7.3.3", system=NA)
@pytest.mark.parametrize(("pace", "struck"), [("Slow Medium", ["b1", "b2"]), ("Slow High", ["b1", "b2", "b4", "b3"])])
def test_6_7_3_3_bombs_fall_wider_from_higher(pace: str, struck: list[str]) -> None:
    game = sky("b1 pz-iiig F5 N", "b2 pz-iiig F6 N", "b3 pz-iiig G5 N", "b4 pz-iiig E5 N", aircraft=FIGHTER)
    game.do("red", fly(game, "F1", pace=pace))
    game.do("red", FlyOn(3))
    assert game.why("red", strike("b1", AirWeapon.DIVE)) == "6.7.2.3.2"
    game.do("red", strike("b1", AirWeapon.BOMBS), *[1] * len(struck))
    assert [one.target for one in game.told(BlastResolved)] == struck
    assert flight(game).pace.altitude is Altitude(pace.split()[1])


@rules("6.7.2.3.2", "6.7.3.3", "6.7.3.1.1", system=NA)
def test_6_7_2_3_2_a_dive_bomber_comes_high_strikes_one_hex_and_leaves_low() -> None:
    game = sky("b1 pz-iiig F5 N", "b2 pz-iiig F6 N", "b3 pz-iiig F11 N")
    game.do("red", fly(game, "F1", pace="Slow High"))
    game.do("red", FlyOn(3))
    game.do("red", strike("b1", AirWeapon.DIVE), 1)
    (rolled,) = game.told(BlastResolved)
    assert (rolled.target, rolled.factor) == ("b1", 15)
    assert "Attack at Low Altitude" in [term.label for term in rolled.modifier.terms]
    assert flight(game).pace.altitude is Altitude.LOW
    game.do("red", FlyOn(5))
    assert "b3" in flight(game).acquiring.got, "5 hexes at Low Altitude"


@rules("6.7.3", "5.16.2.6", system=NA)
def test_6_7_3_as_many_attacks_as_targets_are_acquired() -> None:
    game = sky("b1 pz-iiig F5 N", "b2 pz-iiig F11 N")
    game.do("red", fly(game, "F1"))
    game.do("red", FlyOn(3))
    game.do("red", strike("b1"), 1)
    game.do("red", FlyOn(6))
    game.do("red", strike("b2"), 1)
    assert plane(game).strafed == 2


@rules("6.7.3.1.3", system=NA)
def test_6_7_3_1_3_a_grove_hides_what_is_1_or_2_hexes_behind_it() -> None:
    cells = grove_at(10)
    game = sky("b1 pz-iiig F12 N", "b2 pz-iiig F13 N", cells=cells)
    game.do("red", fly(game, "F1"))
    assert set(flight(game).acquiring.flown) == {"b2"}
    high = sky("b1 pz-iiig F12 N", "b2 pz-iiig F13 N", cells=cells)
    high.do("red", fly(high, "F1", pace="Slow Medium"))
    assert set(flight(high).acquiring.flown) == {"b1", "b2"}


@rules("6.7.3.1.1", "6.7.3.1.2", system=NA)
@pytest.mark.parametrize("trees", ["light_grove", "medium_grove", "woods", "heavy_woods"])
def test_6_7_3_1_1_what_is_under_trees_is_not_acquired_by_the_aircraft_alone(trees: str) -> None:
    game = sky("b1 german-rifle-squad F5 N", cells=WOODED, legend={"w": trees})
    game.do("red", fly(game, "F1"))
    game.do("red", FlyOn(3))
    assert game.why("red", strike("b1")) == "6.7.3.1.2"


@rules("6.7.3.1.1", "6.7.3.1.2", system=NA)
def test_6_7_3_1_2_what_is_in_a_grove_takes_an_observer_with_overwatch() -> None:
    cells = WOODED
    seen = sky("b1 pz-iiig F5 N", "b2 pz-iiig E4 N", "r1 crusader-i F8 N OW", cells=cells)
    seen.do("red", fly(seen, "F1"))
    seen.do("red", FlyOn(3))
    assert seen.why("red", strike("b1")) == "6.7.3.1.2", "no other unit helps"
    more = {"r1": {"roles": {"observer": True}}}
    game = sky("b1 pz-iiig F5 N", "r1 crusader-i F8 N OW", cells=cells, more=more)
    game.do("red", fly(game, "F1"))
    game.do("red", FlyOn(3))
    game.do("red", strike("b1"), 1)
    assert game.unit("r1").known
    assert game.unit("r1").fired, "it does nothing else on Overwatch"
    assert game.state.guided == {UnitId("r1"): UnitId("b1")}


@rules("6.7.3.1.2", system=NA)
def test_6_7_3_1_2_an_observer_without_overwatch_does_not_help() -> None:
    more = {"r1": {"roles": {"observer": True}}}
    game = sky("b1 pz-iiig F5 N", "r1 crusader-i F8 N MOVE", cells=WOODED, more=more)
    game.do("red", fly(game, "F1"))
    game.do("red", FlyOn(3))
    assert game.why("red", strike("b1")) == "6.7.3.1.2"


@rules("6.5.4.3", system=NA)
def test_6_5_4_3_the_owner_may_reveal_that_a_vehicle_moves() -> None:
    game = sky("b1 pz-iiig F5 N MOVE", "b2 pz-iiig F6 N OW")
    game.do("red", fly(game, "F1"))
    game.do("red", FlyOn(3))
    game.do("red", strike("b1"))
    assert (game.asked, game.question) == (("blue",), "6.5.4.3")
    assert game.why("blue", ShowMoving((UnitId("b2"),))) == "6.5.4.3"
    game.do("blue", ShowMoving((UnitId("b1"),)), 1, 1)
    first, second = game.told(BlastResolved)
    assert first.modifier.total == second.modifier.total - 10
    assert game.unit("b1").known
    assert not game.unit("b2").known


@rules("6.7.1", system=NA)
def test_6_7_1_without_limits_an_aircraft_attacks_as_often_as_it_can() -> None:
    game = sky("b1 pz-iiig F5 N", without=["ammunition limits"])
    with_plane(game, strafed=9)
    game.do("red", fly(game, "F1"))
    game.do("red", FlyOn(3))
    assert not game.why("red", strike("b1"))


@rules("6.7.4.2.1", system=NA)
def test_6_7_4_2_1_a_damaged_aircraft_appears_at_slow_speed() -> None:
    game = with_plane(sky(aircraft=FIGHTER), damaged=True)
    assert game.why("red", fly(game, "F1", pace="Fast Low")) == "6.7.4.2.1"
    game.do("red", fly(game, "F1"))
    assert flight(game).pace.speed is Speed.SLOW


def test_the_plan_of_a_flight_is_its_owners_secret() -> None:
    game = sky()
    game.do("red", fly(game, "F1"))
    planned = replace(flight(game), plan=FlyOn(5, 1))
    game.state = replace(game.state, stack=(*game.state.stack[:-1], planned))
    assert game.rules.conceal(game.state, "blue").stack[-1].plan is None  # type: ignore[attr-defined, arg-type]
    assert game.rules.conceal(game.state, "red").stack[-1].plan == FlyOn(5, 1)  # type: ignore[attr-defined, arg-type]
    assert game.rules.redact_action(FlyOn(5, 1), "red", "blue") is None  # type: ignore[arg-type]


def test_an_aircraft_is_on_the_map_while_it_flies_and_beside_it_else() -> None:
    game = sky()
    assert game.rules.counter(game.state, P1).box == "aircraft"  # type: ignore[union-attr]
    game.do("red", fly(game, "F1"))
    shown = next(one for one in game.rules.view(game.state, None).counters if one.id == P1)
    assert (shown.hex, shown.box, shown.facing) == ("F1", "", 3)
    assert "SLOW/LOW" in [marker.text for marker in shown.markers]


@rules("6.5.4.2.5", "6.7.3.2", "6.7.3.3", system=NA)
def test_6_7_3_3_bombs_destroy_terrain_and_small_arms_do_not() -> None:
    wire = [{"kind": "wire", "at": ["F6"], "defense": 2}]
    game = sky("b1 pz-iiig F5 N", features=wire)
    game.do("red", fly(game, "F1", pace="Slow Medium"))
    game.do("red", FlyOn(3))
    game.do("red", strike("b1", AirWeapon.BOMBS), 1, 99, 99)
    assert game.state.features == (), "the hex beyond, with nobody in it"
    strafed = sky("b1 pz-iiig F5 N", features=wire)
    strafed.do("red", fly(strafed, "F1"))
    strafed.do("red", FlyOn(3))
    strafed.do("red", strike("b1"), 1)
    assert strafed.state.features


@rules("6.5.4.3", system=NA)
def test_6_5_4_3_from_the_air_only_a_roof_is_cover_for_a_vehicle() -> None:
    more = {"r1": {"roles": {"observer": True}}}
    game = sky("b1 pz-iiig F5 N", "r1 crusader-i F8 N OW", cells=WOODED, more=more)
    game.do("red", fly(game, "F1"))
    game.do("red", FlyOn(3))
    game.do("red", strike("b1"), 1)
    (rolled,) = game.told(BlastResolved)
    assert not [term.label for term in rolled.modifier.terms if "Cover" in term.label]


@rules("6.7.3.1.2", system=NA)
def test_6_7_3_1_2_who_observes_indirect_fire_does_not_spot_for_aircraft() -> None:
    more = {"r1": {"roles": {"observer": True}}}
    game = sky("b1 pz-iiig F5 N", "r1 crusader-i F8 N OW", cells=WOODED, more=more)
    game.do("red", fly(game, "F1"))
    game.do("red", FlyOn(3))
    mission = Mission(
        id="m", side=RED, observer=UnitId("r1"), sources=("a",), target=game.hex("F5"), pattern=Pattern.CLOSED
    )
    game.state = replace(game.state, missions=(mission,))
    assert game.why("red", strike("b1")) == "6.7.3.1.2"
