"""7.10 What a hit does to an AFV: wrecked, immobilized, shocked, stunned, recalled."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from sandtable.core.decision import Seat
from sandtable.core.dice import ScriptedDice
from sandtable.core.ruleset import Resolution
from sandtable.systems.aslsk.armour.recuperation import recuperate
from sandtable.systems.aslsk.armour.strike import AfvResult, suffer
from sandtable.systems.aslsk.armour.vehicle_effects import eliminate_vehicle, has_given_up, recall, stun
from sandtable.systems.aslsk.common.actions import Done
from sandtable.systems.aslsk.common.facts import armour_events as ev
from sandtable.systems.aslsk.common.vehicle_actions import ChangeCrew
from sandtable.systems.aslsk.pieces.armament import Ammo
from sandtable.systems.aslsk.pieces.cards import CardId
from sandtable.systems.aslsk.pieces.state import Phase, Shock, Stun, VehicleId
from sandtable.systems.aslsk.vehicles.vehicle_moving import crew_branches
from tests.aslsk.clash import Clash, side, squad
from tests.aslsk.firing_range import DC, FT, GUN, HE, HEAT, HULL, IIIN, MG, T34, TANK, TURRET, Range, ended

rules = pytest.mark.rules


@rules("7.9", "7.10", system="aslsk3")
@pytest.mark.parametrize(
    ("fields", "faces", "dice", "result"),
    [
        (GUN, HULL, [(4, 6)], AfvResult.ELIMINATED),
        (GUN, HULL, [(5, 6)], AfvResult.IMMOBILIZED),
        (GUN, TURRET, [(5, 6)], AfvResult.SHOCK),
        (GUN, HULL, [(6, 6), (4, 4)], AfvResult.POSSIBLE_SHOCK),
        (HEAT, HULL, [(3, 3)], AfvResult.ELIMINATED),
        (HEAT, TURRET, [(4, 4), (4, 4)], AfvResult.POSSIBLE_SHOCK),
        (HEAT, TURRET, [(4, 5)], AfvResult.NONE),
        (HE, HULL, [(1, 2)], AfvResult.ELIMINATED),
        (HE, HULL, [(2, 2)], AfvResult.IMMOBILIZED),
        (HE, HULL, [(2, 3)], AfvResult.IMMOBILIZED),
        (HE, TURRET, [(2, 3)], AfvResult.SHOCK),
        (HE, TURRET, [(3, 3)], AfvResult.NONE),
        (MG, HULL, [(1, 1)], AfvResult.STUN),
        (MG, HULL, [(1, 2)], AfvResult.NONE),
        (FT, (), [(4, 3)], AfvResult.ELIMINATED),
        (FT, (), [(4, 4)], AfvResult.ELIMINATED),
        (FT, (), [(4, 5)], AfvResult.NONE),
        (DC, HULL, [(4, 5)], AfvResult.ELIMINATED),
        (DC, HULL, [(5, 6)], AfvResult.IMMOBILIZED),
        (DC, TURRET, [(5, 6)], AfvResult.SHOCK),
        (DC, TURRET, [(6, 6)], AfvResult.NONE),
    ],
)
def test_7_10_results(fields: dict[str, Any], faces: tuple[int, ...], dice: list[Any], result: AfvResult) -> None:
    tank = Range()
    assert tank.hit(*dice, **{**fields, "faces": faces}).result is result
    assert tank.tank.wreck is (result is AfvResult.ELIMINATED)
    assert tank.tank.immobilized is (result is AfvResult.IMMOBILIZED)
    assert tank.tank.is_shocked is (result is AfvResult.SHOCK)
    assert tank.tank.is_stunned is (result is AfvResult.STUN)
    assert tank.clash.unit("g").good_order


@rules("7.10", system="aslsk3")
def test_7_10_a_mg_below_its_number_eliminates() -> None:
    tank = Range("italian/L3/35")
    assert tank.hit((1, 2), **{**MG, "reach": 1}).result is AfvResult.ELIMINATED


@rules("7.10", system="aslsk3")
@pytest.mark.parametrize(("faces", "shocked"), [((4, 4), False), ((4, 5), True), ((6, 6), True)])
def test_7_10_possible_shock_is_a_morale_check(faces: tuple[int, int], shocked: bool) -> None:
    """It fails above the morale of 8, and a failure is Shock and nothing else, even with a 12."""
    tank = Range()
    tank.hit((6, 6), faces)
    assert tank.tank.is_shocked is shocked
    assert tank.tank.stun is Stun.NONE


@rules("7.10", system="aslsk3")
@pytest.mark.parametrize(("card", "stun_", "morale"), [(IIIN, "", 8), ("german/PzKpfw VIE", "", 9), (IIIN, "+1", 7)])
def test_7_10_morale_of_a_crew(card: str, stun_: str, morale: int) -> None:
    """Its nation's best elite MMC; a Tiger's 9; one less after a Stun."""
    tank = Range(card, exposed=True, stun=stun_)
    tank.crew((1, 1), fp=8, faces=(4, 2))
    checked = [event for event in tank.play.events if isinstance(event, ev.CrewChecked)]
    assert [event.number.total for event in checked] == [morale]


@rules("7.10", system="aslsk3")
def test_7_10_a_shocked_afv_buttons_up_and_stops() -> None:
    tank = Range(exposed=True, motion=True, started=True)
    tank.hit((5, 6), faces=TURRET)
    assert tank.tank.shock is Shock.SHOCK
    assert not tank.tank.exposed
    assert tank.tank.is_stopped
    assert not tank.tank.is_active


@rules("7.10", system="aslsk3")
def test_7_10_shock_again_turns_uk_back() -> None:
    tank = Range(shock="UK")
    tank.hit((5, 6), faces=TURRET)
    assert tank.tank.shock is Shock.SHOCK
    tank.hit((5, 6), faces=TURRET)
    assert tank.tank.shock is Shock.SHOCK


@rules("7.10", system="aslsk3")
def test_7_10_immobilized_stops_without_mp() -> None:
    tank = Range(motion=True, started=True)
    tank.hit((5, 6))
    assert tank.tank.immobilized
    assert tank.tank.is_stopped
    assert tank.tank.is_active
    tank.hit((5, 6))
    assert not tank.saw(ev.VehicleImmobilized)


@rules("7.10", system="aslsk3")
@pytest.mark.parametrize(
    ("before", "after"), [("", Stun.STUN), ("Stun", Stun.STUN_AND_RECALL), ("+1", Stun.STUN_AND_RECALL)]
)
def test_7_10_a_second_stun_means_recall(before: str, after: Stun) -> None:
    tank = Range(exposed=True, motion=True, started=True, stun=before)
    tank.hit((1, 1), **MG)
    assert tank.tank.stun is after
    assert not tank.tank.exposed
    assert tank.tank.shut
    assert tank.tank.is_stopped
    assert not tank.tank.is_active
    assert not tank.tank.recalled


@rules("7.10", system="aslsk3")
@pytest.mark.parametrize(("stun_", "recalled"), [("Stun", False), ("STUN", True), ("+1", False)])
def test_7_10_stun_turns_over_at_the_end_of_the_player_turn(stun_: str, recalled: bool) -> None:
    tank = Range(stun=stun_)
    for phase in Phase:
        after = tank.clash.rules.fold(tank.clash.state, ended(phase)).vehicles[TANK]
        over = phase is Phase.CLOSE_COMBAT
        assert after.stun is (Stun.PLUS_ONE if over else Stun(stun_))
        assert after.recalled is (over and recalled)
        assert after.is_active is (over or stun_ == "+1")


@rules("7.10", system="aslsk3")
def test_7_10_a_recalled_vehicle_stays_recalled() -> None:
    tank = Range(stun="Stun", recalled=True)
    after = tank.clash.rules.fold(tank.clash.state, ended(Phase.CLOSE_COMBAT)).vehicles[TANK]
    assert after.recalled


@rules("7.10", system="aslsk3")
def test_7_10_recall_of_a_disabled_ma_is_no_stun() -> None:
    tank = Range()
    tank.play = tank.rolling()
    recall(tank.play, TANK, why="MA disabled")
    recall(tank.play, TANK, why="MA disabled")
    assert len(tank.play.events) == 1
    now = tank.play.state.vehicles[TANK]
    assert now.recalled
    assert now.stun is Stun.NONE
    assert now.is_active


@rules("7.10", system="aslsk3")
def test_7_10_a_counter_that_says_so_is_recalled_by_its_first_stun() -> None:
    tank = Range("italian/L3/35")
    assert not has_given_up(tank.clash.context, tank.tank)
    tank.play = tank.rolling()
    stun(tank.clash.context, tank.play, TANK)
    now = tank.play.state.vehicles[TANK]
    assert now.stun is Stun.STUN_AND_RECALL
    assert has_given_up(tank.clash.context, now)
    assert not has_given_up(tank.clash.context, Range(stun="+1").tank)


@rules("7.7", "7.10", system="aslsk3")
@pytest.mark.parametrize("phase", ["MPh", "APh"])
def test_7_10_such_a_counter_becomes_ce_no_more(phase: str) -> None:
    change = ChangeCrew(TANK)
    assert Range(phase=phase, stun="+1").clash.why(change) == ""
    assert Range("italian/L3/35", phase=phase).clash.why(change) == ""
    given_up = Range("italian/L3/35", phase=phase, stun="+1").clash
    assert given_up.why(change) == "7.10"
    assert not list(crew_branches(given_up.context, given_up.state, "german"))


@rules("3.1", "7.10", system="aslsk3")
@pytest.mark.parametrize(
    ("before", "roll", "after", "wreck"),
    [
        ("Shock", 2, Shock.NONE, False),
        ("Shock", 3, Shock.UNCONFIRMED_KILL, False),
        ("Shock", 6, Shock.UNCONFIRMED_KILL, False),
        ("UK", 3, Shock.NONE, False),
        ("UK", 4, Shock.NONE, True),
    ],
)
def test_7_10_recuperation(before: str, roll: int, after: Shock, wreck: bool) -> None:
    tank = Range(shock=before)
    tank.play = tank.rolling(roll)
    recuperate(tank.clash.context, tank.play)
    now = tank.play.state.vehicles[TANK]
    assert (now.shock, now.wreck) == (after, wreck)


@rules("3.1", system="aslsk3")
def test_3_1_recuperation_is_for_both_sides_attacker_first() -> None:
    tank = {"vca": "N/NE", "shock": "Shock"}
    fresh = {"id": "y", "card": T34, "at": "E4", "vca": "N/NE"}
    clash = Clash(
        "RPh",
        german={**side(squad("g", at="A1")), "vehicles": [{**tank, "id": "a", "card": IIIN, "at": "B2"}]},
        russian={
            **side(squad("r", "russian/4-4-7", at="G5", broken=True)),
            "vehicles": [{**tank, "id": "z", "card": T34, "at": "F2"}, fresh],
        },
        attacker="russian",
    )
    clash.play(Done(), 1, 6)
    order = [event.vehicle for event in clash.events if isinstance(event, ev.RecuperationRolled)]
    assert order == ["z", "a"]
    assert clash.state.vehicles[VehicleId("a")].shock is Shock.UNCONFIRMED_KILL
    assert clash.state.vehicles[VehicleId("z")].shock is Shock.NONE


@rules("7.4", system="aslsk3")
@pytest.mark.parametrize(
    ("flags", "attacker", "moving"),
    [({}, "german", False), ({"moving_target": True}, "german", True), ({"motion": True}, "russian", False)],
)
def test_7_4_a_wreck(flags: dict[str, Any], attacker: str, moving: bool) -> None:
    """One that has moved is no cover before its AFPh is over; counters on a vehicle go with it."""
    tank = Range(shock="UK", exposed=False, recalled=True, tca="S/SW", **flags)
    state = tank.clash.state
    tank.clash.state = replace(state, attacker=Seat(attacker))
    tank.play = tank.rolling()
    eliminate_vehicle(tank.play, TANK, why="hit")
    now = tank.play.state.vehicles[TANK]
    assert now.wreck
    assert now.on_map
    assert not now.in_play
    assert (now.shock, now.recalled, now.motion) == (Shock.NONE, False, False)
    assert (now.hex, now.vca, now.tca) == (tank.tank.hex, tank.tank.vca, tank.tank.tca)
    assert now.wrecked_moving is moving
    later = tank.clash.rules.fold(tank.play.state, ended(Phase.ADVANCING_FIRE)).vehicles[TANK]
    assert not later.wrecked_moving
    assert later.wreck


@rules("4.4.2", "7.9", system="aslsk3")
def test_4_4_2_a_dud_does_nothing_at_all() -> None:
    tank = Range(exposed=True)
    fields: dict[str, Any] = {"ammo": Ammo.HEAT, "rows": ("PF",), "fp": 16, "by": "", "dud_at": 12}
    assert tank.hit((6, 6), **fields).dud
    assert tank.numbers == [25]
    assert not tank.tank.wreck
    assert not tank.saw(ev.CrewAttacked)
    assert tank.hit((5, 6), **fields).result is AfvResult.ELIMINATED


@rules("7.9", system="aslsk3")
@pytest.mark.parametrize(
    ("first", "second", "result", "number"),
    [
        # Against the side of the L3, 0: 12.7 has 6, a MG 5.
        ((1, 4), (6, 6), AfvResult.ELIMINATED, 6),
        ((6, 6), (1, 3), AfvResult.ELIMINATED, 5),
        ((3, 3), (6, 6), AfvResult.STUN, 6),
        ((6, 6), (2, 3), AfvResult.STUN, 5),
        ((6, 5), (6, 6), AfvResult.NONE, 6),
        ((6, 6), (6, 5), AfvResult.NONE, 5),
    ],
)
def test_7_9_of_two_to_kill_dr_the_better_one_counts(
    first: tuple[int, int], second: tuple[int, int], result: AfvResult, number: int
) -> None:
    tank = Range("italian/L3/35")
    fields = {**MG, "rows": ("12.7", "MG")}
    assert tank.hit(first, second, **fields).result is result
    assert tank.numbers == [number]


def test_two_to_kill_rows_stand_on_two_counters() -> None:
    cards = Range().clash.context.cards.vehicles
    found = {card.name: card.to_kill_rows for card in cards.values() if card.to_kill_rows}
    assert found == {"Light Tank Mk VIB": ("12.7", "MG"), "L3/35": ("MG", "MG")}
    assert cards[CardId("italian/L3/35")].recalled_by_stun


@rules("7.9", system="aslsk3")
def test_7_9_beyond_the_chart_there_is_no_effect() -> None:
    tank = Range("italian/L3/35")
    assert tank.hit((1, 1), **{**MG, "reach": 19}).result is AfvResult.NONE


@rules("3.3.2", system="aslsk3")
@pytest.mark.parametrize("result", ["immobilized", "shock", "stun"])
def test_3_3_2_what_began_its_mph_in_motion_stays_a_moving_target_when_it_is_halted(result: str) -> None:
    for attacker, moving in (("german", True), ("russian", False)):
        tank = Range(phase="MPh", motion=True)
        tank.play = Resolution(
            replace(tank.clash.state, attacker=Seat(attacker)), tank.clash.rules.fold, ScriptedDice(())
        )
        assert tank.play.state.vehicles[TANK].is_moving_target
        suffer(tank.clash.context, tank.play, TANK, AfvResult(result), "hit")
        now = tank.play.state.vehicles[TANK]
        assert now.is_stopped
        assert now.is_moving_target is moving, "the DEFENDER's Motion was of another player turn"
