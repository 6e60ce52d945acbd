"""3.2.4, 6 Guns: half sentences that a second reader of the book looked for in the play of them."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.systems.aslsk.common import events as ev
from sandtable.systems.aslsk.common.actions import Move
from sandtable.systems.aslsk.common.facts import armour_events as ar
from sandtable.systems.aslsk.common.vehicle_actions import FireGun, MoveVehicle
from sandtable.systems.aslsk.pieces.armament import Ammo, TargetType
from sandtable.systems.aslsk.pieces.state import MoveStep, StepKind, UnitId, VehicleId
from tests.aslsk.clash import Clash, side, squad
from tests.aslsk.guns.test_gun_fire import FIELD, clash, crew, gun, labels, resolved, shot, target
from tests.aslsk.guns.test_gun_reactions import WOODS_ROAD
from tests.aslsk.guns.test_to_hit_fine_print import HILL

rules = pytest.mark.rules
MORTAR = "german/8cm GrW 34"
WOODS = FIELD.replace(". . . . . . . .", ". . . w . . . .")


def wreck(at: str = "D3") -> dict[str, Any]:
    return {"id": "wreck", "card": "russian/T-34 M43", "at": at, "vca": "SW/NW", "wreck": True}


def attack(on: Clash) -> ev.FireResolved:
    return next(event for event in on.events if isinstance(event, ev.FireResolved))


@rules("3.2.4", "7.4")
def test_7_4_a_wreck_is_cover_against_guns_too() -> None:
    on = clash(russian=side(target(), vehicles=[wreck()]))
    on.play(shot(on), (6, 5))
    assert labels(on)["AFV or wreck"] == -1, "on the ITT it modifies the To Hit DR"
    on = clash(russian=side(target(), vehicles=[wreck()]))
    on.play(shot(on, target_type=TargetType.AREA), (3, 3), (6, 6))
    assert "AFV or wreck" not in labels(on)
    assert {term.label for term in attack(on).drm.terms} == {"AFV or wreck"}, "on the ATT the IFT DR"
    on = clash(russian=side(target(), vehicles=[wreck()]))
    on.play(shot(on), (1, 1), (6, 6), (1, 2))
    assert [(term.label, term.value) for term in attack(on).drm.terms] == [("Critical Hit, AFV or wreck", -1)]


@rules("6.3", "7.4")
def test_7_4_a_wreck_adds_nothing_to_woods_or_emplacement() -> None:
    on = clash(cells=WOODS, russian=side(target(), vehicles=[wreck()]))
    on.play(shot(on), (6, 5))
    assert "AFV or wreck" not in labels(on)


@rules("1.1.1", "7.11")
@pytest.mark.parametrize(("exposed", "label"), [(True, "Air Burst"), (False, "woods")])
def test_7_11_mortar_shells_burst_in_the_trees_over_a_ce_crew_alone(*, exposed: bool, label: str) -> None:
    foe = {"id": "foe", "card": "russian/T-34 M43", "at": "D3", "vca": "SW/NW", "exposed": exposed}
    on = clash(cells=WOODS, weapon=gun(MORTAR), russian=side(target("E5"), vehicles=[foe]))
    on.play(shot(on, target_type=TargetType.AREA), (1, 2), (5, 6))
    found = next(event for event in on.events if isinstance(event, ar.AreaHitResolved))
    assert label in {term.label for term in found.drm.terms}


@rules("3.2.4")
def test_3_2_4_no_fire_at_a_hex_with_a_friendly_tank_alone() -> None:
    tank = {"id": "tank", "card": "german/PzKpfw IVH", "at": "C3", "vca": "NE/SE"}
    german = side(crew(), squad("idle", at="A5"), weapons=[gun()], vehicles=[tank])
    on = clash(german=german)
    assert on.why(shot(on, "C3", target_type=TargetType.AREA)) == "3.2"
    assert on.why(shot(on, "C3", target_type=TargetType.AREA, ammo=Ammo.SMOKE)) == ""


@rules("3.3.2.2", "6.10")
@pytest.mark.parametrize(("held", "left"), [({}, 0), ({"acquired": "D3", "acquisition": -1}, -1)])
def test_6_10_a_vehicle_acquires_nothing_in_its_own_mph(held: dict[str, Any], left: int) -> None:
    tank = {"id": "tank", "card": "german/PzKpfw IVH", "at": "A3", "vca": "NE/SE", **held}
    on = Clash("MPh", FIELD, german=side(vehicles=[tank]), russian=side(target(broken=True)), attacker="german")
    on.play(MoveVehicle(VehicleId("tank"), (), halt=True))
    on.play(FireGun(on.hex("D3"), vehicle=VehicleId("tank")), (6, 5))
    assert resolved(on).hit == ()
    assert on.state.vehicles[VehicleId("tank")].acquisition == left


@rules("6.1", "7.11", system="aslsk3")
@pytest.mark.parametrize(("dice", "terms"), [((1, 2), {"woods"}), ((1, 1), set())])
def test_6_1_a_critical_hit_on_the_att_knows_no_tem_of_an_afv(dice: tuple[int, int], terms: set[str]) -> None:
    foe = {"id": "foe", "card": "russian/T-34 M43", "at": "D3", "vca": "SW/NW"}
    on = clash(cells=WOODS, weapon=gun(MORTAR), russian=side(target("E5"), vehicles=[foe]))
    on.play(shot(on, target_type=TargetType.AREA), dice, (6, 6))
    found = next(event for event in on.events if isinstance(event, ar.AreaHitResolved))
    assert {term.label for term in found.drm.terms} == terms


@rules("6.1", "7.11", system="aslsk3")
@pytest.mark.parametrize(
    ("chosen", "tem", "turned"), [(1, {"woods": 1}, {"Critical Hit, woods": -1}), (2, {}, {"woods": 1})]
)
def test_6_1_tem_turns_around_for_infantry_and_is_left_out_for_an_afv(
    chosen: int, tem: dict[str, int], turned: dict[str, int]
) -> None:
    """One of the two suffers the Critical Hit on the ATT; the other is hit as by any other DR."""
    foe = {"id": "foe", "card": "russian/T-34 M43", "at": "D3", "vca": "SW/NW"}
    on = clash(cells=WOODS, russian=side(target(), vehicles=[foe]))
    on.play(shot(on, target_type=TargetType.AREA), (1, 1), (chosen,), (6, 6), *[(2, 2)] * (2 - chosen))
    afv = next(event for event in on.events if isinstance(event, ar.AreaHitResolved))
    assert {term.label: term.value for term in afv.drm.terms} == tem
    assert {term.label: term.value for term in attack(on).drm.terms} == turned


@rules("6.1", "6.2", system="aslsk3")
@pytest.mark.parametrize(
    ("letter", "dice", "number"),
    [("b", (1, 2), 7 + 3), ("b", (1, 1), 7 - 3), ("w", (1, 2), 7 - 1), (".", (1, 2), 7)],
)
def test_6_2_the_nmc_of_wp_by_cover_critical_hit_and_air_burst(letter: str, dice: tuple[int, int], number: int) -> None:
    """TEM eases it; a Critical Hit turns TEM around, and in woods the shells of a mortar burst in the trees."""
    cells = FIELD.replace(". . . . . . . .", f". . . {letter} . . . .")
    yanks = side(squad("crew", "american/2-2-7 crew", "A3"), weapons=[gun("american/M1 81mm MTR")])
    on = clash(cells=cells, german=yanks, conditions={"year": 1944, "month": 7})
    on.play(shot(on, target_type=TargetType.AREA, ammo=Ammo.WP), dice, (6, 5))
    assert next(event for event in on.events if isinstance(event, ev.MoraleChecked)).number.total == number


@rules("3.2.4", "7.12", system="aslsk3")
def test_3_2_4_the_cover_of_a_ce_crew_modifies_the_to_hit_dr_of_the_itt_and_no_more() -> None:
    foe = {"id": "foe", "card": "russian/T-34 M43", "at": "D3", "vca": "SW/NW", "exposed": True}
    on = clash(cells=WOODS, russian=side(target("E5"), vehicles=[foe]))
    on.play(shot(on), (2, 3), (6, 6))
    assert sum(labels(on).values()) == -2, "the +2 of the crew, which the woods are part of"
    assert next(event for event in on.events if isinstance(event, ar.CrewAttacked)).drm.total == 0


@rules("6.1", "6.2", "7.7", system="aslsk3")
@pytest.mark.parametrize(("dice", "number"), [((1, 2), 8 + 2), ((1, 1), 8 - 2)])
def test_6_2_the_nmc_of_wp_is_eased_by_ce_and_made_worse_by_a_critical_hit(dice: tuple[int, int], number: int) -> None:
    foe = {"id": "foe", "card": "russian/T-34 M43", "at": "D3", "vca": "SW/NW", "exposed": True}
    yanks = side(squad("crew", "american/2-2-7 crew", "A3"), weapons=[gun("american/M1 81mm MTR")])
    on = clash(german=yanks, russian=side(target("E5"), vehicles=[foe]), conditions={"year": 1944, "month": 7})
    on.play(shot(on, target_type=TargetType.AREA, ammo=Ammo.WP), dice, (1, 2))
    assert next(event for event in on.events if isinstance(event, ar.CrewChecked)).number.total == number


HOWITZER = "american/M2A1 105mm"
YANKS = {"year": 1944, "month": 7}


def phosphorus(card: str, at: str, phase: str = "PFPh", facing: str = "NE/SE", **fields: Any) -> Clash:
    yanks = side(squad("crew", "american/2-2-7 crew", at), weapons=[gun(card, facing=facing)])
    return clash(phase, german=yanks, conditions=YANKS, **fields)


def checked(on: Clash) -> int:
    return next(event for event in on.events if isinstance(event, ev.MoraleChecked)).number.total


@rules("3.2.3", "6.2", system="aslsk3")
@pytest.mark.parametrize(("dice", "desperate"), [((1, 2), True), ((6, 6), False)])
def test_6_2_a_broken_unit_that_wp_hits_comes_under_dm(dice: tuple[int, int], *, desperate: bool) -> None:
    """The NMC of WP is one that it could fail, whether it passes or not."""
    on = phosphorus("american/M1 81mm MTR", "A3", russian=side(target(broken=True)))
    on.play(shot(on, target_type=TargetType.AREA, ammo=Ammo.WP), dice, *[(1, 1)] * desperate)
    assert on.unit("target").dm is desperate
    assert on.saw(ev.Desperation, unit=UnitId("target")) is desperate
    again = phosphorus("american/M1 81mm MTR", "A3", russian=side(target(broken=True, dm=True)))
    again.play(shot(again, target_type=TargetType.AREA, ammo=Ammo.WP), dice, *[(1, 1)] * desperate)
    assert not again.saw(ev.Desperation), "it has its counter"


@rules("1.1.1", "3.3.3", "6.2", system="aslsk3")
@pytest.mark.parametrize(("kind", "number"), [(StepKind.ENTER, 7), (StepKind.WOODS, 7 + 1)])
def test_6_2_no_woods_ease_the_nmc_of_movers_on_the_road(kind: StepKind, number: int) -> None:
    """The line from D4 crosses no woods symbol."""
    on = phosphorus(
        HOWITZER, "D4", "MPh", "N/NE", attacker="russian", russian=side(target("D1")), features=WOODS_ROAD, scale=12
    )
    on.play(Move((UnitId("target"),), (MoveStep(kind, on.hex("D2")),)))
    on.play(shot(on, "D2", target_type=TargetType.AREA, ammo=Ammo.WP), (1, 2), (6, 5))
    assert checked(on) == number


@rules("1.1.1", "6.2", system="aslsk3")
@pytest.mark.parametrize(("card", "number"), [(HOWITZER, 7 + 1), ("american/M1 81mm MTR", 7)])
def test_6_2_height_advantage_eases_the_nmc_of_wp_but_that_of_a_mortar(card: str, number: int) -> None:
    on = phosphorus(card, "A3", features=[HILL])
    on.play(shot(on, target_type=TargetType.AREA, ammo=Ammo.WP), (1, 2), (6, 6))
    assert checked(on) == number


@rules("6.2", "6.3", "7.4", system="aslsk3")
@pytest.mark.parametrize(
    ("emplaced", "dice", "number"), [(True, (1, 2), 8 + 2), (True, (1, 1), 8 - 2), (False, (1, 2), 8)]
)
def test_6_2_emplacement_is_tem_for_the_nmc_of_wp(*, emplaced: bool, dice: tuple[int, int], number: int) -> None:
    weapon = {"id": "foe", "card": "russian/76.2mm obr. 39", "owner": "target", "facing": "SW/NW", "emplaced": emplaced}
    foe = side(target(card="russian/2-2-8 crew"), weapons=[weapon])
    on = phosphorus("american/M1 81mm MTR", "A3", russian=foe)
    on.play(shot(on, target_type=TargetType.AREA, ammo=Ammo.WP), dice, (1, 2))
    assert checked(on) == number


@rules("6.2", "7.4", system="aslsk3")
def test_6_2_a_wreck_is_tem_for_the_nmc_of_wp() -> None:
    on = phosphorus("american/M1 81mm MTR", "A3", russian=side(target(), vehicles=[wreck()]))
    on.play(shot(on, target_type=TargetType.AREA, ammo=Ammo.WP), (1, 2), (6, 5))
    assert checked(on) == 7 + 1
