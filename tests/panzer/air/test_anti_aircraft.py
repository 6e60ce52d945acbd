"""Anti-aircraft fire as it is played: tracking, fields of fire, announcing, results, crashes (6.7.4)."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from sandtable.core.odds import odds
from sandtable.systems.panzer.air.air_actions import FlyOn, HoldAa
from sandtable.systems.panzer.air.air_events import AaRolled, AaWasted, AircraftRecovered
from sandtable.systems.panzer.air.aircraft import AirWeapon, Altitude, Speed
from sandtable.systems.panzer.combat.fire_events import BlastResolved
from sandtable.systems.panzer.hex.actions import AdjustCover, Pivot
from sandtable.systems.panzer.hex.air.flights import AircraftCrashed
from sandtable.systems.panzer.markers import Suppression, UnitMarkers
from sandtable.systems.panzer.unit import Spot, UnitId
from tests.panzer.skies import NA, PLAIN, aa, at, flight, fly, plane, sky, strike, with_plane
from tests.rulebook.engine import BLUE, PASS, Play

rules = pytest.mark.rules
FIGHTER = ({"id": "p1", "card": "bf-109e"},)
B1 = UnitId("b1")
FLAK = "b1 flak-36 F12 N OW"


def wooded(row: int) -> str:
    """A grove in F of one row."""
    rows = PLAIN.splitlines()
    rows[row - 1] = ". . . . . w . . . . ."
    return "\n".join(rows)


def incoming(*units: str, at: str = "F1", pace: str = "Slow Low", **rest: Any) -> Play:
    """An aircraft that has just appeared."""
    game = sky(*units, **rest)
    game.do("red", fly(game, at, pace=pace))
    return game


@rules("6.1.3", "6.7.4", "6.7.4.1", "6.7.4.1.1", system=NA)
def test_6_7_4_1_1_an_aircraft_at_the_edge_is_tracked_at_once_by_all_who_see_it() -> None:
    game = incoming(FLAK)
    assert (game.asked, game.question) == (("blue",), "6.7.4")
    assert flight(game).tracking.got == ("b1",)
    game.do("blue", PASS)
    assert game.asked == ("red",)


@rules("6.7.3.1.3", "6.7.4.1.1", system=NA)
@pytest.mark.parametrize(("pace", "tracked"), [("Slow Low", "F13"), ("Fast Low", "F14")])
def test_6_7_4_1_1_one_that_comes_into_sight_later_is_tracked_after_its_range(pace: str, tracked: str) -> None:
    game = incoming("b1 flak-36 F12 S OW", cells=wooded(11), pace=pace, aircraft=FIGHTER)
    assert (game.asked, flight(game).tracking.flown) == (("red",), {})
    game.do("red", FlyOn(20))
    assert (at(game), game.asked) == (tracked, ("blue",)), "in sight from F11 on: 2 or 4 hexes"


@rules("6.7.4", system=NA)
def test_6_7_4_only_units_with_overwatch_fire() -> None:
    game = incoming("b1 flak-36 F12 N MOVE", "b2 pak-38 F12 N OW")
    assert game.asked == ("blue",), "for all that red knows"
    assert game.why("blue", aa("b1")) == "6.7.4"
    assert game.why("blue", aa("b2")) == "6.7.4"
    assert game.why("blue", aa("r0")) == "3.1"
    assert game.why("blue", aa()) == "6.7.4"


@rules("6.7.4", system=NA)
def test_6_7_4_who_is_known_to_have_no_overwatch_is_not_asked() -> None:
    game = incoming("b1 flak-36 F12 N", more={"b1": {"command": "MOVE", "known": True}})
    assert game.asked == ("red",)


@rules("6.7.4.1.1", system=NA)
def test_6_7_4_1_1_one_shot_a_turn() -> None:
    game = incoming(FLAK)
    game.do("blue", aa("b1"), 1)
    assert (game.unit("b1").fired, game.unit("b1").known, game.unit("b1").new_spot) == (True, True, Spot.FIRE)
    game.do("red", FlyOn(3))
    assert game.asked == ("red",)


@rules("6.7.4", system=NA)
def test_6_7_4_a_force_may_let_the_aircraft_fly_on_for_good() -> None:
    game = incoming(FLAK)
    game.do("blue", HoldAa())
    game.do("red", FlyOn(5))
    assert (at(game), game.asked) == ("F6", ("red",))
    passed = incoming(FLAK)
    passed.do("blue", PASS)
    passed.do("red", FlyOn(5))
    assert (at(passed), passed.asked) == ("F2", ("blue",)), "asked anew in the next hex"


@rules("6.7.4.1.2", system=NA)
def test_6_7_4_1_2_towed_units_fire_to_their_front() -> None:
    game = incoming("b1 flak-36 F12 S OW")
    assert (flight(game).tracking.got, game.asked) == (("b1",), ("red",)), "it tracks all round"
    game.do("red", FlyOn(12))
    assert (at(game), game.asked) == ("F13", ("blue",)), "not from right under it: the minimum range is 1"
    assert incoming("b1 sdkfz-10-4 F8 S OW").asked == ("blue",), "vehicles fire all round"


@rules("6.6.7.1", "6.7.4.1.1", system=NA)
@pytest.mark.parametrize(("markers", "tracks"), [(UnitMarkers(), True), (UnitMarkers(carrier=UnitId("b0")), False)])
def test_6_7_4_1_1_a_gun_in_tow_neither_tracks_nor_fires(markers: UnitMarkers, tracks: bool) -> None:
    game = sky(FLAK)
    game.state = replace(game.state, units={**game.state.units, B1: replace(game.unit("b1"), markers=markers)})
    game.do("red", fly(game, "F1"))
    assert (flight(game).tracking.got == ("b1",), game.asked == ("blue",)) == (tracks, tracks)


@rules("6.7.4.2", "6.5.4.3", system=NA)
def test_6_7_4_2_a_vehicle_with_a_damaged_turret_fires_worse() -> None:
    def total(markers: UnitMarkers) -> int:
        game = incoming("b1 sdkfz-10-4 F8 N OW")
        game.state = replace(game.state, units={**game.state.units, B1: replace(game.unit("b1"), markers=markers)})
        game.do("blue", aa("b1"), 1)
        return game.told(AaRolled)[0].modifier.total

    assert total(UnitMarkers(turret_damaged=True)) == total(UnitMarkers()) - 10
    assert total(UnitMarkers(hull_damaged=True)) == total(UnitMarkers())


@rules("6.7.4.1.2", system=NA)
def test_6_7_4_1_2_light_guns_do_not_reach_high_altitude() -> None:
    high = incoming("b1 flak-30 F6 N OW", pace="Slow High")
    assert high.asked == ("red",)
    assert incoming("b1 flak-30 F6 N OW", pace="Slow Medium").asked == ("blue",)


@rules("6.7.4.1.1", "6.1.4.3.1", system=NA)
def test_6_7_4_1_1_units_inside_improved_positions_neither_track_nor_fire() -> None:
    shelter = [{"kind": "improved position", "at": ["F12"], "unit": "b1"}]
    game = incoming(FLAK, features=shelter)
    assert (flight(game).tracking.got, game.asked) == ((), ("red",))


@rules("6.7.4.1.1", system=NA)
def test_6_7_4_1_1_a_suppressed_gun_needs_twice_as_far_for_a_new_track() -> None:
    # Over A1 to A4 a grove hides the aircraft; from then on it is in sight.
    cells = "\n".join(["w . . . . . . . . . ."] * 1 + PLAIN.splitlines()[1:])
    for suppression, steps in (("", 2), ("SUPPRESSION/ON", 4)):
        more = {"b1": {"suppression": suppression}} if suppression else {}
        game = sky("b1 flak-36 A2 N OW", cells=cells, more=more)
        game.do("red", fly(game, "A24", "N", "Slow Low"))
        assert game.state.flights
        tracking = replace(flight(game), tracking=type(flight(game).tracking)())
        game.state = replace(game.state, stack=(*game.state.stack[:-1], tracking))
        game.do("red", FlyOn(steps))
        flown = flight(game).tracking
        assert (flown.flown["b1"], flown.got) == (steps, ("b1",))  # type: ignore[index]
        assert at(game) == f"A{24 - steps}"


@rules("6.7.4.2", "6.7.4.2.1", system=NA)
def test_6_7_4_2_a_shot_that_misses_changes_nothing() -> None:
    game = incoming(FLAK)
    game.do("blue", aa("b1"), 1)
    (rolled,) = game.told(AaRolled)
    assert [(term.value, term.label) for term in rolled.modifier.terms] == [
        (20, "AA modifier of the card"),
        (10, "AA vs. Low Altitude"),
    ]
    assert (rolled.defense, rolled.distance, rolled.range_factor) == (3, 11, "S")
    assert not plane(game).is_suppressed


@rules("6.7.4.2.1", system=NA)
def test_6_7_4_2_1_suppression_stays_until_it_is_recovered_from() -> None:
    game = incoming(FLAK)
    # GP 5 against 3: N 43, S 72 (6.5.4.4)
    game.do("blue", aa("b1"), 30)
    assert plane(game).suppression is Suppression.ON
    game.do("red", FlyOn(24))
    game.do("blue", Pivot({}))
    game.do("blue", AdjustCover(()))
    assert plane(game).suppression is Suppression.OFF
    late = with_plane(sky(), suppression=Suppression.OFF)
    late.do("red", fly(late, "F1"))
    late.do("red", FlyOn(24), 60)
    (recovered,) = late.told(AircraftRecovered)
    assert (recovered.number.total, recovered.recovered) == (60, True), "the base range of Seasoned crews"
    assert not plane(late).is_suppressed


@rules("6.7.4.2.1", "6.7.2.2", system=NA)
def test_6_7_4_2_1_a_result_that_ends_in_5_damages_and_slows_at_once() -> None:
    game = incoming(FLAK, aircraft=FIGHTER, pace="Fast Low")
    game.do("blue", aa("b1"), 75)
    assert (plane(game).damaged, plane(game).lost) == (True, False)
    assert flight(game).pace.speed is Speed.SLOW
    assert not game.why("red", FlyOn(2, 1)), "and at Slow Speed it may turn"


@rules("6.7.4.2.1", system=NA)
def test_6_7_4_2_1_damaged_twice_is_the_end() -> None:
    game = with_plane(sky(FLAK), damaged=True)
    game.do("red", fly(game, "F1"))
    game.do("blue", aa("b1"), 75, 5)
    assert plane(game).lost
    (crash,) = game.told(AircraftCrashed)
    assert game.context.game_map.label(crash.hex) == "F3", "half of 5, rounded down, at Low Altitude"  # type: ignore[arg-type]


@rules("6.7.4.2.1", system=NA)
def test_6_7_4_2_1_a_crash_strikes_all_who_are_there() -> None:
    game = incoming(FLAK, "b2 pz-iiig F5 N", "r1 crusader-i F5 N", pace="Slow Medium")
    game.do("blue", aa("b1"), 79, 4, 1, 1)
    first, second = game.told(BlastResolved)
    assert [(one.target, one.factor, one.source) for one in (first, second)] == [("b2", 15, "p1"), ("r1", 15, "p1")]
    assert plane(game).lost


@rules("6.7.4.2.1", system=NA)
def test_6_7_4_2_1_a_crash_off_the_mapboard_harms_nobody() -> None:
    game = incoming("b1 flak-36 F5 S OW", pace="Slow Medium")
    game.do("red", FlyOn(23))
    for _ in range(19):
        if game.asked == ("blue",) and at(game) != "F20":
            game.do("blue", PASS)
    game.do("blue", aa("b1"), 79, 10)
    (crash,) = game.told(AircraftCrashed)
    assert crash.hex is None


@rules("6.7.4.1.1", system=NA)
def test_6_7_4_1_1_fire_announced_after_an_attack_is_resolved_after_it() -> None:
    game = incoming("b1 flak-36 F5 N OW", pace="Slow High")
    game.do("blue", PASS)
    for _ in range(3):
        game.do("red", FlyOn(1))
        game.do("blue", PASS)
    game.do("red", strike("b1", AirWeapon.DIVE))
    assert game.asked == ("blue",)
    game.do("blue", aa("b1"), 1, 1)
    kinds = [type(event) for event in game.events]
    assert kinds.index(BlastResolved) < kinds.index(AaRolled)
    (rolled,) = game.told(AaRolled)
    assert "AA vs. Low Altitude" in [term.label for term in rolled.modifier.terms], "it has come down by then"
    assert flight(game).pace.altitude is Altitude.LOW


@rules("6.7.4.1.1", system=NA)
def test_6_7_4_1_1_a_gun_that_the_attack_destroys_does_not_fire_any_more() -> None:
    game = incoming("b1 flak-36 F5 N OW", pace="Slow High")
    game.do("blue", PASS)
    for _ in range(3):
        game.do("red", FlyOn(1))
        game.do("blue", PASS)
    game.do("red", strike("b1", AirWeapon.DIVE))
    game.do("blue", aa("b1"), 98)
    assert not game.unit("b1").in_play
    assert [one.firer for one in game.told(AaWasted)] == [UnitId("b1")]
    assert not plane(game).lost


@rules("6.7.4.1.1", system=NA)
def test_6_7_4_1_1_the_question_is_the_same_whatever_the_commands_are() -> None:
    asked = set()
    for command in ("OW", "MOVE", "N/C"):
        game = incoming(f"b1 flak-36 F12 N {command}")
        asked.add((game.asked, game.question))
    assert asked == {(("blue",), "6.7.4")}


@rules("5.16.2.1", "5.16.2.4", "6.7.4.2", system=NA)
def test_5_16_2_4_a_gun_away_from_its_ammunition_may_be_short_of_it() -> None:
    game = sky(FLAK)
    moved = replace(game.unit("b1"), hex=game.hex("F13"))
    game.state = replace(game.state, units={**game.state.units, moved.id: moved})
    game.do("red", fly(game, "F1"))
    game.do("blue", aa("b1"), 10, 1)
    (rolled,) = game.told(AaRolled)
    assert (-10, "Ammo Limit") in [(term.value, term.label) for term in rolled.modifier.terms]


@rules("6.7.4.2.1", "6.5.4.2.5", system=NA)
def test_6_7_4_2_1_a_crash_strikes_terrain_too() -> None:
    wire = [{"kind": "wire", "at": ["F5"], "defense": 2}]
    game = incoming(FLAK, pace="Slow Medium", features=wire)
    game.do("blue", aa("b1"), 79, 4, 99, 99)
    assert game.state.features == ()


@rules("6.7.4.2.1", system=NA)
def test_6_7_4_2_1_odds_of_anti_aircraft_fire_are_exact() -> None:
    game = incoming(FLAK, pace="Slow Medium")
    chances = odds(game.rules, game.state, [(BLUE, aa("b1"))])
    found = {chance.what: round(100 * chance.probability) for chance in chances}
    # GP 5 against 3 with +20: N 43, S 72, so rolls 24 to 52 suppress; of the others 75, 80 ... damage.
    assert found == {"no effect": 23, "p1 suppressed": 29, "p1 damaged": 10, "p1 shot down": 38}
