"""1.2.4.1, 3.2.4, 6.2, 6.9, 7.2.1: when Guns and MA keep their ROF, wear out, and may fire once more."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.core.dice import ScriptedDice
from sandtable.core.ruleset import Resolution
from sandtable.systems.aslsk.common.actions import Move
from sandtable.systems.aslsk.common.context import Play
from sandtable.systems.aslsk.common.vehicle_actions import FireGun, FireVehicle
from sandtable.systems.aslsk.fire.firers import FireMode
from sandtable.systems.aslsk.guns.ammunition import refuse_stock
from sandtable.systems.aslsk.guns.gun_to_hit import Shot
from sandtable.systems.aslsk.guns.wear import break_gun, gun_rate, keeps_gun_rate
from sandtable.systems.aslsk.pieces.armament import Ammo, TargetType
from sandtable.systems.aslsk.pieces.state import (
    Mark,
    MoveStep,
    UnitId,
    VehicleGun,
    VehicleId,
    WeaponId,
    WeaponState,
)
from tests.aslsk.clash import Clash, side, squad
from tests.aslsk.guns.test_gun_fire import clash, crew, gun, labels, manned, shot, target
from tests.aslsk.guns.test_main_armament import TANK, tank
from tests.aslsk.guns.test_main_armament import clash as tank_clash
from tests.aslsk.guns.test_main_armament import shot as tank_shot
from tests.aslsk.guns.test_to_hit_cases import LOW, MORTAR, PAK, barrel, field

rules = pytest.mark.rules


@rules("1.2.4.1", "3.2.3", "3.2.4", "3.5", "6.9", system="aslsk3")
@pytest.mark.parametrize(
    ("card", "pinned", "how", "kept"),
    [
        (PAK, False, {}, True),
        (PAK, False, {"intensive": True}, False),
        (PAK, True, {}, False),
        (PAK, False, {"mode": FireMode.ADVANCING}, False),
        (PAK, False, {"target_type": TargetType.AREA}, False),
        (MORTAR, False, {"target_type": TargetType.AREA}, True),
    ],
)
def test_3_2_4_who_keeps_his_rate_with_a_coloured_1(card: str, pinned: bool, how: dict[str, Any], kept: bool) -> None:
    on = field(card=card, crew={"pinned": pinned})
    aimed = Shot(barrel(on), on.hex("D3"), **{"mode": FireMode.PREP, **how})
    assert keeps_gun_rate(on.context, on.state, aimed, 1) is kept


@rules("3.2.4", system="aslsk3")
@pytest.mark.parametrize(
    ("card", "gunners"),
    [("british/OML 3-in. MTR", "british/2-2-8 crew"), ("russian/82mm BM obr. 37", "russian/2-2-8 crew")],
)
def test_3_2_4_mortars_of_76_to_82mm_turn_at_no_loss_of_rate(card: str, gunners: str) -> None:
    on = field(card=card, crew={"card": gunners})
    assert gun_rate(on.context, on.state, barrel(on), turned=True) == barrel(on).main.rof


@rules("1.2.4.1", "3.2.4", system="aslsk3")
@pytest.mark.parametrize("kept", [True, False])
def test_3_2_4_a_turn_to_the_first_hexspine_is_a_turn(kept: bool) -> None:
    """N/NE is hexspine 0: case 8, one ROF less in the phase, and the Gun points there from now on."""
    on = clash(weapon=gun(facing="NE/SE"), russian=side(target("A1")))
    on.play(shot(on, "A1", facing=0), (1 if kept else 2, 6))
    found = on.state.weapons[WeaponId("gun")]
    assert labels(on)["NT turned by 1 hexspine"] == -3
    assert (found.facing, found.turned) == (0, True)
    assert (found.mark is Mark.NONE) is kept, "its ROF of 2 is 1"


@rules("3.2.4", system="aslsk3")
def test_3_2_4_who_has_no_rof_and_turns_to_the_first_hexspine_fires_no_more() -> None:
    on = field(tank={"card": LOW}, enemies=(squad("r", "russian/4-4-7", "A1"),))
    on.play(FireGun(on.hex("A1"), vehicle=VehicleId("tank"), facing=0), (5, 6))
    assert on.state.vehicles[VehicleId("tank")].tca == 0
    assert on.state.vehicles[VehicleId("tank")].mark is Mark.INTENSIVE_FIRE


@rules("7.2.1", system="aslsk3")
def test_7_2_1_low_ammo_does_not_stop_a_main_armament() -> None:
    on = field(tank={"card": LOW})
    main = barrel(on, "tank")
    play: Play = Resolution(on.state, on.rules.fold, ScriptedDice(()))
    assert break_gun(on.context, play, main, main.main.low_ammo, intensive=False) is False
    after = play.state.vehicles[VehicleId("tank")]
    assert (after.low_ammo, after.works(VehicleGun.MAIN)) == (True, True)


@rules("3.2.4", "3.4", system="aslsk3")
@pytest.mark.parametrize(("at", "pinned", "rule"), [("B3", False, ""), ("B3", True, "3.2.4"), ("C3", False, "3.2.4")])
def test_3_4_intensive_fire_in_the_dfph_neither_reaches_two_hexes_nor_is_for_the_pinned(
    at: str, pinned: bool, rule: str
) -> None:
    spent = crew(pinned=pinned, mark="First Fire", forfeited=True, used=["gun"])
    german = manned(spent, gun(mark="First Fire"))
    on = clash("DFPh", attacker="russian", german=german, russian=side(target(at)))
    assert on.why(shot(on, at, intensive=True)) == rule


@rules("3.2.4", "3.5", system="aslsk3")
@pytest.mark.parametrize(("phase", "mark"), [("PFPh", Mark.INTENSIVE_FIRE), ("AFPh", Mark.ADVANCING_FIRE)])
def test_3_2_4_a_turn_without_a_rate_is_no_intensive_fire_in_the_afph(phase: str, mark: Mark) -> None:
    on = tank_clash(phase, tank(LOW, vca="N/NE"))
    on.play(tank_shot(on, facing=1), (4, 6))
    assert on.state.vehicles[TANK].mark is mark


@rules("6.9", system="aslsk3")
@pytest.mark.parametrize(("at", "rule"), [("C3", ""), ("B3", "6.9")])
def test_6_9_a_mortar_reaches_from_its_minimum_range_on(at: str, rule: str) -> None:
    """Two hexes, of the German one."""
    on = field(card=MORTAR, enemies=(squad("r", "russian/4-4-7", at),))
    assert on.why(FireGun(on.hex(at), WeaponId("gun"), target_type=TargetType.AREA)) == rule


@rules("6.9", system="aslsk3")
@pytest.mark.parametrize(("at", "rule"), [("KK1", ""), ("LL1", "3.2.4")])
def test_6_9_a_mortar_reaches_its_maximum_range(at: str, rule: str) -> None:
    """36 hexes, before September 1942."""
    mortar = gun("british/OML 3-in. MTR", facing="NE/SE")
    german = side(crew("A1", "british/2-2-8 crew"), weapons=[mortar])
    on = Clash(
        "PFPh",
        " ".join("." * 40),
        german=german,
        russian=side(squad("target", "russian/4-4-7", at)),
        conditions={"year": 1942, "month": 8},
    )
    assert on.why(FireGun(on.hex(at), WeaponId("gun"), target_type=TargetType.AREA)) == rule


@rules("6.2", system="aslsk3")
@pytest.mark.parametrize(("month", "rule"), [(4, "6.2"), (5, ""), (6, "")])
def test_6_2_germans_have_heat_from_may_1942_on(month: int, rule: str) -> None:
    on = field(tank={"card": "german/PzKpfw IIIN"}, conditions={"year": 1942, "month": month})
    refusal = refuse_stock(on.context, barrel(on, "tank"), Ammo.HEAT)
    assert (refusal.rule if refusal is not None else "") == rule


@rules("6.8", "6.12", system="aslsk3")
@pytest.mark.parametrize(
    ("faces", "state"),
    [((4, 6), WeaponState.MALFUNCTIONED), ((5, 6), WeaponState.REMOVED), ((6, 6), WeaponState.REMOVED)],
)
def test_6_12_ife_fired_again_is_lost_at_the_original_b_number(faces: tuple[int, int], state: WeaponState) -> None:
    """B11 of the counter is 9 as Subsequent First Fire, and 11 disables the MA."""
    panzer = {"id": "tank", "card": "german/PzKpfw IIF", "at": "C2", "vca": "N/NE", "mark": "First Fire"}
    fired = {"guns_fired": ["MA"], "fired_in": "MPh"}
    russian = side(squad("r", "russian/4-4-7", "C1"))
    on = Clash("MPh", german={"vehicles": [{**panzer, **fired}]}, russian=russian, attacker="russian")
    on.play(Move((UnitId("r"),), tuple(MoveStep(to=on.hex(label)) for label in ("D1", "E1"))))
    on.play(FireVehicle(TANK, (VehicleGun.MAIN,), on.hex("D1")), faces)
    assert on.state.vehicles[TANK].broken == {VehicleGun.MAIN: state}
    assert on.state.vehicles[TANK].recalled is (state is WeaponState.REMOVED)


@rules("6.2", "6.12", system="aslsk3")
@pytest.mark.parametrize(("dice", "fired"), [((4, 5), False), ((4, 6), True)])
def test_6_2_who_breaks_down_for_want_of_ammunition_has_fired_with_intensive_fire_from_10_on(
    dice: tuple[int, int], *, fired: bool
) -> None:
    """Its B# of 12 is 10. Who has fired it has given up his own FP (4.0)."""
    on = clash(conditions={"year": 1943})
    on.play(shot(on), (5, 6))
    on.play(shot(on, ammo=Ammo.APCR, intensive=True), dice)
    found = on.state.weapons[WeaponId("gun")]
    assert (found.state is WeaponState.MALFUNCTIONED, found.mark is Mark.INTENSIVE_FIRE) == (fired, fired)
    on = clash(conditions={"year": 1943})
    on.play(shot(on, ammo=Ammo.APCR), (6, 6) if fired else dice)
    assert (on.unit("crew").forfeited, on.unit("crew").used == ("gun",)) == (fired, fired)


@rules("3.2.4", "3.4", system="aslsk3")
def test_3_4_intensive_fire_goes_on_from_a_rate_that_was_lost_in_the_dfph_too() -> None:
    on = clash("DFPh", attacker="russian", russian=side(target("B3"), squad("other", "russian/4-4-7", "C3")))
    on.play(shot(on, "B3"), (5, 6))
    assert on.state.weapons[WeaponId("gun")].mark is Mark.FINAL_FIRE
    assert on.why(shot(on, "C3", intensive=True)) == "3.2.4", "at an adjacent hex alone"
    on.play(shot(on, "B3", intensive=True), (5, 4), (6, 6))
    assert on.state.weapons[WeaponId("gun")].mark is Mark.INTENSIVE_FIRE


@rules("3.3.3", "3.4", system="aslsk3")
def test_3_4_a_gun_that_its_crew_has_put_under_final_fire_fires_no_more() -> None:
    spent = crew(mark="Final Fire", forfeited=True, used=["gun"])
    german = manned(spent, gun(mark="Final Fire"))
    on = clash("DFPh", attacker="russian", german=german, russian=side(target("B3")))
    assert on.why(shot(on, "B3", intensive=True)) == "3.2.4"
    assert not any(isinstance(action, FireGun) for action in on.options())
