"""3.2.4, 3.3.3, 6.4, 6.10 Guns: arcs without fire, moving targets, hidden Guns under fire."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from sandtable.systems.aslsk.common import events as ev
from sandtable.systems.aslsk.common.actions import Continue, Done, Fire, FireOrdnance, HoldFire, Move
from sandtable.systems.aslsk.common.facts import armour_events as ar
from sandtable.systems.aslsk.common.vehicle_actions import FireGun, MoveVehicle, TurnArc
from sandtable.systems.aslsk.pieces.armament import Ammo, TargetType
from sandtable.systems.aslsk.pieces.state import (
    Mark,
    MoveStep,
    SmokeKind,
    StepKind,
    UnitId,
    VehicleDeed,
    VehicleId,
    VehicleStep,
    WeaponId,
)
from tests.aslsk.clash import Clash, side, squad
from tests.aslsk.guns.test_gun_fire import FIELD, GUN, armed, clash, crew, gun, labels, manned, resolved, shot, target

rules = pytest.mark.rules


# --- covered arcs without fire ----------------------------------------------------------------------------------


@rules("3.2.4", "6.10")
def test_3_2_4_an_arc_is_changed_once_all_fire_is_over() -> None:
    on = clash(weapon=gun(acquired="D3", acquisition=-1))
    turn = TurnArc(3, GUN)
    assert turn in on.options()
    assert on.why(TurnArc(1, GUN)) == "3.2.4", "it points there"
    assert on.why(TurnArc(6, GUN)) == "3.2.4"
    assert on.why(TurnArc(3, GUN, turn_hull=True)) == "3.2.4"
    on.play(turn)
    assert (on.state.weapons[GUN].facing, on.state.weapons[GUN].acquisition) == (3, 0)
    assert not any(isinstance(action, FireGun) for action in on.options()) if on.state.phase == "PFPh" else True
    on = clash(german=manned(crew(mark="Prep Fire"), gun()))
    assert on.why(turn) == "3.2.4", "its crew has fired its own FP"
    on = clash()
    on.play(shot(on), (3, 6))
    assert on.why(turn) == "", "it has fired without turning"


@rules("3.2.4")
def test_3_2_4_who_can_only_turn_is_asked_all_the_same() -> None:
    on = clash(german=manned(crew(), gun(mark="Intensive Fire")))
    assert on.state.phase == "PFPh", "the Gun fires no more, and its arc may be changed"
    assert TurnArc(3, GUN) in on.options()
    on.play(TurnArc(3, GUN))
    assert on.state.phase != "PFPh", "nothing is left to turn"


@rules("3.2.4", "3.3.3", system="aslsk3")
@pytest.mark.parametrize(("own_fp", "rule"), [(False, ""), (True, "3.2.4")])
def test_3_2_4_a_crew_that_used_its_own_fp_after_its_gun_does_not_turn_it(own_fp: bool, rule: str) -> None:
    """For its Gun it gives that up, but for Subsequent First Fire (4.0)."""
    on = moves(("C3",), russian=side(target("D3"), squad("other", "russian/4-4-7", "H5")))
    on.play(shot(on, "C3", target_type=TargetType.AREA), (6, 5))
    if own_fp:
        on.play(HoldFire())
        on.play(Continue((UnitId("target"),), (MoveStep(to=on.hex("B3")),)))
        on.play(Fire((UnitId("crew"),), (), on.hex("B3")), (6, 5))
        assert on.unit("crew").mark is Mark.FINAL_FIRE
    while on.state.phase == "MPh":
        on.play(HoldFire() if on.asked == "german" else Done() if on.why(Done()) == "" else Continue())
    assert (on.state.phase, on.asked) == ("DFPh", "german")
    assert on.why(TurnArc(3, GUN)) == rule
    assert (TurnArc(3, GUN) in on.options()) is not bool(rule)


# --- Defensive First Fire and moving targets --------------------------------------------------------------------


def driven(start: str, to: str, conditions: dict[str, Any] | None = None, **tank: Any) -> Clash:
    """A Gun in D3 that points north, and a T-34 in Motion that has just entered a hex; another one stands in D1."""
    moving = {"id": "m", "card": "russian/T-34 M43", "at": start, "motion": True, **tank}
    still = {**moving, "id": "s", "at": "D1", "motion": False}
    on = clash(
        "MPh",
        attacker="russian",
        german=manned(crew(at="D3"), gun(facing="N/NE")),
        russian=side(squad("far", "russian/4-4-7", "H5"), vehicles=[moving, still]),
        conditions=conditions or {},
    )
    on.drive(VehicleId("m"), to)
    return on


@rules("3.2.4", "3.3.3")
@pytest.mark.parametrize(
    ("start", "vca", "facing", "rule"),
    [("D2", "S/SW", -1, ""), ("D4", "N/NE", -1, "3.2.4"), ("D4", "N/NE", 3, ""), ("D2", "S/SW", 3, "3.2.4")],
)
def test_3_2_4_the_own_hex_is_in_the_arc_of_the_hexside_by_which_a_tank_came(
    start: str, vca: str, facing: int, rule: str
) -> None:
    """From the north it comes into the arc, from the south a turn encompasses its hexside."""
    on = driven(start, "D3", vca=vca)
    aimed = FireGun(on.hex("D3"), GUN, target_type=TargetType.VEHICLE, ammo=Ammo.AP, at="m", facing=facing)
    assert on.why(aimed) == rule


@rules("3.2.4", "3.3.3")
@pytest.mark.parametrize(("exposed", "kind"), [(False, TargetType.AREA), (True, TargetType.INFANTRY)])
def test_3_3_3_first_fire_hits_the_vehicle_that_moves_and_none_beside_it(exposed: bool, kind: TargetType) -> None:
    on = driven("D2", "D1", vca="N/NE", exposed=exposed)
    on.play(shot(on, "D1", target_type=kind), (1, 2), (6, 5))
    assert resolved(on).hit == ("m",)


def moves(to: tuple[str, ...], *, russian: dict[str, Any] | None = None, **flags: Any) -> Clash:
    on = clash("MPh", attacker="russian", weapon=gun(**flags), russian=russian or side(target()))
    on.play(Move((UnitId("target"),), tuple(MoveStep(to=on.hex(label)) for label in to)))
    return on


@rules("3.3.3", "3.2.4")
def test_3_3_3_a_gun_fires_at_those_who_move_alone() -> None:
    on = moves(("D2",), russian=side(target(), squad("other", "russian/4-4-7", "D2")))
    assert on.asked == "german"
    fire = shot(on, "D2")
    assert fire in on.options()
    assert on.why(shot(on, "D2", target_type=TargetType.AREA, ammo=Ammo.SMOKE)) == "6.2"
    on.play(fire, (3, 5), (6, 6))
    assert resolved(on).hit == ("target",)
    assert {"FFNAM": 1, "FFMO": 1}.items() <= labels(on).items()
    assert on.state.weapons[GUN].mark is Mark.FIRST_FIRE


@rules("3.3.3", "3.3.5")
def test_3_3_5_a_hit_leaves_residual_fp_and_ap_none() -> None:
    on = moves(("D2",))
    on.play(shot(on, "D2"), (3, 5), (6, 6))
    assert on.saw(ev.ResidualPlaced, hex=on.hex("D2"), fp=6)
    on = moves(("D2",))
    on.play(shot(on, "D2", ammo=Ammo.AP), (3, 5), (6, 6))
    assert not on.saw(ev.ResidualPlaced)
    on = moves(("D2",))
    on.play(shot(on, "D2"), (2, 6), (6, 6))
    assert not on.saw(ev.ResidualPlaced), "it keeps its ROF"


WOODS_ROAD = [{"kind": "woods", "hexes": ["D2"]}, {"kind": "dirt_road", "line": ["D1", "D4"]}]


@rules("1.1.1", "3.2.4", "3.3.3", system="aslsk3")
@pytest.mark.parametrize(("kind", "terms"), [(StepKind.ENTER, {}), (StepKind.WOODS, {"woods": 1})])
def test_1_1_1_on_a_woods_road_movers_have_no_tem_on_the_att_either(kind: StepKind, terms: dict[str, int]) -> None:
    """It modifies the IFT DR there; the line from D4 never leaves the road."""
    german = manned(crew(at="D4"), gun(facing="N/NE"))
    on = clash("MPh", attacker="russian", german=german, russian=side(target("D1")), features=WOODS_ROAD, scale=12)
    on.play(Move((UnitId("target"),), (MoveStep(kind, on.hex("D2")),)))
    on.play(shot(on, "D2", target_type=TargetType.AREA), (1, 2), (6, 6))
    attack = next(event for event in on.events if isinstance(event, ev.FireResolved))
    assert {term.label: term.value for term in attack.drm.terms} == terms


@rules("1.1.1", "3.3.3", "7.11", system="aslsk3")
@pytest.mark.parametrize(("kind", "covered"), [(VehicleDeed.ENTER, False), (VehicleDeed.OFF_ROAD, True)])
def test_1_1_1_nor_has_an_afv_that_drives_on_a_woods_road(kind: VehicleDeed, *, covered: bool) -> None:
    tank = {"id": "m", "card": "russian/T-34 M43", "at": "D1", "vca": "S/SW", "motion": True}
    russian = side(squad("far", "russian/4-4-7", "H5"), vehicles=[tank])
    german = manned(crew(at="D4"), gun(facing="N/NE"))
    on = clash("MPh", attacker="russian", german=german, russian=russian, features=WOODS_ROAD, scale=12)
    enter = VehicleStep(kind, on.hex("D2"))
    on.play(MoveVehicle(VehicleId("m"), (enter,), halt=True), *[(1, 1)] * covered)
    on.play(shot(on, "D2", target_type=TargetType.AREA), (1, 2), (6, 6))
    struck = next(event for event in on.events if isinstance(event, ar.AreaHitResolved))
    assert ("woods" in {term.label for term in struck.drm.terms}) is covered


@rules("1.1.1", "3.3.3", "4.5", "7.11", system="aslsk3")
@pytest.mark.parametrize(("firer", "covered"), [("D4", False), ("A2", True)])
def test_1_1_1_a_light_mortar_meets_the_woods_beside_the_road_alone(firer: str, *, covered: bool) -> None:
    tank = {"id": "m", "card": "russian/T-34 M43", "at": "D1", "vca": "S/SW", "motion": True}
    russian = side(squad("far", "russian/4-4-7", "H5"), vehicles=[tank])
    german = side(squad("firer", at=firer), weapons=[{"id": "w", "card": "german/50mm MTR", "owner": "firer"}])
    on = clash("MPh", attacker="russian", german=german, russian=russian, features=WOODS_ROAD, scale=12)
    on.drive(VehicleId("m"), "D2")
    on.play(FireOrdnance(on.hex("D2"), weapon=WeaponId("w")), (1, 2), (6, 6))
    struck = next(event for event in on.events if isinstance(event, ar.AreaHitResolved))
    assert ("woods" in {term.label for term in struck.drm.terms}) is covered


@rules("3.3.3")
def test_3_3_3_intensive_fire_as_first_fire_needs_another_mf() -> None:
    on = moves(("D2", "D1"))
    on.play(shot(on, "D2"), (5, 6))
    assert on.why(shot(on, "D2", intensive=True)) in ("3.3", "3.3.1", "3.3.3"), "one MF, one shot"
    cells = FIELD.splitlines()
    cells[2] = ". . . w . . . ."
    on = clash("MPh", "\n".join(cells) + "\n", attacker="russian", weapon=gun())
    on.play(Move((UnitId("target"),), (MoveStep(to=on.hex("D2")),)))
    on.play(shot(on, "D2"), (3, 6))
    on.play(shot(on, "D2", intensive=True), (3, 6))
    assert on.state.weapons[GUN].mark is Mark.INTENSIVE_FIRE
    assert on.unit("crew").mark is Mark.FINAL_FIRE


@rules("3.3.3", "6.2", system="aslsk3")
@pytest.mark.parametrize(("dice", "fired"), [((2, 3), False), ((2, 2), True)])
def test_6_2_who_lacks_the_ammunition_has_not_fired_at_these_mp(dice: tuple[int, int], *, fired: bool) -> None:
    """One MP allows one shot. Above the depletion number there was none; equal to it, it was the last of its kind."""
    on = driven("D2", "D1", vca="N/NE", conditions={"year": 1943})
    apcr = FireGun(on.hex("D1"), GUN, target_type=TargetType.VEHICLE, ammo=Ammo.APCR, at="m")
    on.play(apcr, dice, *[(6, 6)] * fired)
    assert on.saw(ev.AmmoRunOut, ammo=Ammo.APCR, never=not fired)
    assert on.saw(ev.ShotResolved) is fired
    assert (on.why(replace(apcr, ammo=Ammo.AP)) == "") is not fired


@rules("1.2.5", "6.2", system="aslsk3")
@pytest.mark.parametrize(("dice", "rule"), [((2, 3), ""), ((6, 2), ""), ((2, 2), "6.2")])
def test_6_2_smoke_is_fired_first_and_a_shot_that_was_none_comes_not_before_it(
    dice: tuple[int, int], rule: str
) -> None:
    on = clash(conditions={"year": 1943})
    on.play(shot(on, ammo=Ammo.APCR), dice, *[(6, 6)] * bool(rule))
    assert on.why(shot(on, target_type=TargetType.AREA, ammo=Ammo.SMOKE)) == rule


@rules("6.10")
def test_6_10_an_acquired_target_is_tracked_while_it_is_seen() -> None:
    acquired: dict[str, Any] = {"acquired": "D3", "acquisition": -2, "acquired_targets": ["target"]}
    on = moves(("D2",), **acquired)
    held = on.state.weapons[GUN]
    assert (held.acquired, held.acquired_targets, held.acquisition) == (on.hex("D2"), ("target",), -2)
    on.play(shot(on, "D2"), (6, 5), (6, 6))
    assert labels(on)["Acquired Target"] == 2
    cells = FIELD.splitlines()
    cells[2] = ". . b . . . . ."
    on = clash("MPh", "\n".join(cells) + "\n", attacker="russian", weapon=gun(**acquired))
    on.play(Move((UnitId("target"),), (MoveStep(to=on.hex("D2")),)))
    held = on.state.weapons[GUN]
    if not on.context.sees(on.state, on.hex("A3"), on.hex("D2")):
        assert (held.acquired, held.acquired_targets, held.acquisition) == (on.hex("D3"), (), -2)
    area = clash("MPh", attacker="russian", weapon=gun(acquired="D3", acquisition=-2))
    area.play(Move((UnitId("target"),), (MoveStep(to=area.hex("D2")),)))
    assert area.state.weapons[GUN].acquired == area.hex("D3"), "a 5/8 counter stays"
    area.play(HoldFire())


@rules("6.2")
def test_6_2_wp_may_be_fired_at_movers_and_shakes_them() -> None:
    on = clash(
        "MPh",
        attacker="russian",
        weapon=gun("american/M1 81mm MTR"),
        conditions={"year": 1944, "month": 7},
    )
    on.play(Move((UnitId("target"),), (MoveStep(to=on.hex("D2")),)))
    wp = shot(on, "D2", target_type=TargetType.AREA, ammo=Ammo.WP)
    assert on.why(wp) == ""
    on.play(wp, (1, 3), (6, 3))
    assert [one.kind for one in on.state.smoke] == [SmokeKind.DISPERSED_WP]
    assert on.saw(ev.MoraleChecked, unit=UnitId("target"), check="WP NMC")


@rules("6.4")
def test_6_4_small_arms_have_half_their_fp_against_a_hidden_gun() -> None:
    cells = FIELD.splitlines()
    cells[3] = ". . . w . . . ."
    hidden = armed(hidden=True)
    hidden["units"] = [squad("seen", "russian/4-4-7", "D3"), *hidden["units"]]

    def fire(*dice: Any) -> Clash:
        on = clash(cells="\n".join(cells) + "\n", german=side(squad("firer", at="B3")), russian=hidden)
        on.play(Fire((UnitId("firer"),), (), on.hex("D3")), *dice)
        return on

    on = fire((2, 3), (1, 1))
    assert on.state.weapons[WeaponId("ptp")].hidden, "6 with +1 on the 4 column, 7 with +2 on the 2 column: nothing"
    on = fire((1, 2), (1, 1), (1, 2))
    assert not on.state.weapons[WeaponId("ptp")].hidden
    assert on.saw(ev.FireResolved, targets=(UnitId("target"),), column=2)
    assert on.saw(ev.FireResolved, targets=(UnitId("seen"),), column=4)
