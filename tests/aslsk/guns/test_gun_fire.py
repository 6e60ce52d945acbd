"""3.2.4, 6 Guns: who fires them, at what, with what, and what becomes of gun and target."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.systems.aslsk.common import events as ev
from sandtable.systems.aslsk.common.actions import Done, Fire
from sandtable.systems.aslsk.common.facts import armour_events as ar
from sandtable.systems.aslsk.common.vehicle_actions import FireGun
from sandtable.systems.aslsk.guns.ammunition import depletion
from sandtable.systems.aslsk.guns.barrel import barrel_of
from sandtable.systems.aslsk.pieces.armament import Ammo, TargetType
from sandtable.systems.aslsk.pieces.state import Mark, UnitId, VehicleId, WeaponId, WeaponState
from tests.aslsk.clash import Clash, side, squad

rules = pytest.mark.rules
GUN = WeaponId("gun")
PAK = "german/7.5cm PaK 40"
FIELD = """
. . . . . . . .
. . . . . . . .
. . . . . . . .
. . . . . . . .
. . . . . . . .
"""


def gun(card: str = PAK, owner: str = "crew", facing: str = "NE/SE", **flags: Any) -> dict[str, Any]:
    return {"id": "gun", "card": card, "owner": owner, "facing": facing, **flags}


def crew(at: str = "A3", card: str = "german/2-2-8 crew", **flags: Any) -> dict[str, Any]:
    return squad("crew", card, at, **flags)


def manned(unit: dict[str, Any], *weapons: dict[str, Any]) -> dict[str, Any]:
    """A Gun and who mans it, with a squad that keeps the phase open."""
    return side(unit, squad("idle", at="A5"), weapons=weapons)


def target(at: str = "D3", card: str = "russian/4-4-7", **flags: Any) -> dict[str, Any]:
    return squad("target", card, at, **flags)


def clash(phase: str = "PFPh", cells: str = FIELD, *, weapon: dict[str, Any] | None = None, **fields: Any) -> Clash:
    german = fields.pop("german", manned(crew(), weapon or gun()))
    russian = fields.pop("russian", side(target()))
    return Clash(phase, cells, german=german, russian=russian, **fields)


def shot(on: Clash, at: str = "D3", **fields: Any) -> FireGun:
    return FireGun(on.hex(at), GUN, **fields)


def resolved(on: Clash) -> ev.ShotResolved:
    return next(event for event in on.events if isinstance(event, ev.ShotResolved))


def labels(on: Clash) -> dict[str, int]:
    """The terms of the last To Hit breakdown."""
    return {term.label: term.value for term in resolved(on).number.terms}


def direct(on: Clash) -> str:
    """The result of the last Direct Hit."""
    return next(e.result for e in on.events if isinstance(e, ev.FireResolved) and e.kind == "Direct Hit")


# --- what fires -------------------------------------------------------------------------------------------------


@rules("1.2.6", "3.2.4", "6.0")
def test_3_2_4_a_gun_is_manned_by_a_mmc() -> None:
    on = clash(german=manned(squad("crew", "german/8-1", "A3"), gun()))
    assert on.why(shot(on)) == "3.2.4"
    assert not any(isinstance(action, FireGun) for action in on.options())
    on = clash()
    assert on.why(shot(on)) == ""
    assert shot(on) in on.options()


@rules("3.2.4", "6.12")
def test_3_2_4_non_qualified_use() -> None:
    on = clash(german=manned(crew(card="german/4-6-7"), gun()))
    on.play(shot(on), (2, 3), (6, 6))
    assert labels(on)["Non-Qualified Use"] == -2
    assert on.state.weapons[GUN].mark is Mark.PREP_FIRE, "its ROF of 2 is 1"
    assert not on.unit("crew").forfeited, "a squad fires one weapon at no cost"
    on = clash(german=manned(crew(card="german/4-6-7"), gun()))
    on.play(shot(on), (5, 5))
    assert on.state.weapons[GUN].state is WeaponState.MALFUNCTIONED
    on = clash(german=manned(crew(card="german/4-6-7"), gun()))
    on.play(shot(on), (6, 6))
    assert on.state.weapons[GUN].state is WeaponState.REMOVED


@rules("3.2.4", "5.5")
def test_3_2_4_captured_use() -> None:
    on = clash(weapon=gun("russian/57mm PTP obr. 43"))
    on.play(shot(on), (5, 4))
    assert labels(on)["Captured"] == -2
    on = clash(weapon=gun("russian/57mm PTP obr. 43"))
    on.play(shot(on), (5, 5))
    assert on.state.weapons[GUN].state is WeaponState.MALFUNCTIONED


@rules("6.12")
def test_6_12_a_gun_malfunctions_on_its_printed_number() -> None:
    on = clash()
    on.play(shot(on), (6, 5))
    assert on.state.weapons[GUN].state is WeaponState.WORKING
    on = clash()
    on.play(shot(on), (6, 6))
    assert on.state.weapons[GUN].state is WeaponState.MALFUNCTIONED
    assert on.state.weapons[GUN].acquisition == 0


@rules("3.2.4")
def test_3_2_4_intensive_fire_once_after_the_rate_is_lost() -> None:
    on = clash()
    assert on.why(shot(on, intensive=True)) == "3.2.4"
    on.play(shot(on), (3, 6))
    assert on.why(shot(on)) == "3.2.4"
    on.play(shot(on, intensive=True), (4, 6))
    assert on.state.weapons[GUN].state is WeaponState.MALFUNCTIONED, "its B# of 12 is 10"
    assert labels(on)["Intensive Fire"] == -2
    on = clash()
    on.play(shot(on), (3, 6))
    on.play(shot(on, intensive=True), (3, 6))
    assert on.state.weapons[GUN].mark is Mark.INTENSIVE_FIRE
    assert on.why(shot(on, intensive=True)) == "3.2.4"


@rules("3.2.4")
def test_3_2_4_no_intensive_fire_of_a_pinned_crew_or_in_the_afph() -> None:
    on = clash(german=manned(crew(pinned=True, mark="Prep Fire", forfeited=True, used=["gun"]), gun(mark="Prep Fire")))
    assert on.why(shot(on, intensive=True)) == "3.2.4"
    on = clash("AFPh")
    on.play(shot(on), (1, 6))
    assert labels(on)["Fire in AFPh"] == -2
    assert on.state.weapons[GUN].mark is Mark.ADVANCING_FIRE, "no ROF in the AFPh"
    assert on.why(shot(on, intensive=True)) == "3.2.4"


@rules("3.4", "3.2.4")
def test_3_4_intensive_fire_in_the_dfph_is_at_an_adjacent_hex() -> None:
    spent = crew(mark="First Fire", forfeited=True, used=["gun"])
    on = clash("DFPh", attacker="russian", german=manned(spent, gun(mark="First Fire")))
    assert on.why(shot(on, intensive=True)) == "3.2.4"
    on = clash(
        "DFPh",
        attacker="russian",
        german=manned(spent, gun(mark="First Fire")),
        russian=side(target("B3")),
    )
    assert on.why(shot(on, "B3", intensive=True)) == ""


@rules("3.5")
def test_3_5_a_gun_that_was_moved_does_not_fire_in_the_afph() -> None:
    on = clash("AFPh", weapon=gun(moved=True))
    assert on.why(shot(on)) == "3.5"
    on = clash("AFPh", weapon=gun(manhandled=True))
    assert on.why(shot(on)) == "3.5"


@rules("4.0")
def test_4_0_a_crew_gives_up_its_own_fp_for_its_gun() -> None:
    on = clash()
    on.play(shot(on), (3, 6))
    assert on.unit("crew").forfeited
    assert on.why(Fire((UnitId("crew"),), (), on.hex("D3"))) == "3.2"
    on = clash(german=manned(crew(mark="Prep Fire"), gun()))
    assert on.why(shot(on)) == "4.0", "it has fired its own FP"


# --- the covered arc --------------------------------------------------------------------------------------------


@rules("3.2.4")
def test_3_2_4_a_turn_costs_by_mount_and_lowers_the_rate() -> None:
    on = clash(weapon=gun(facing="N/NE"))
    assert on.why(shot(on)) == "3.2.4"
    on.play(shot(on, facing=1), (2, 6))
    assert labels(on)["NT turned by 1 hexspine"] == -3
    assert on.state.weapons[GUN].facing == 1
    assert on.state.weapons[GUN].mark is Mark.PREP_FIRE, "its ROF of 2 is 1"
    on = clash(weapon=gun("german/8.8cm FlaK 18/36", facing="N/NE"))
    on.play(shot(on, facing=1), (1, 6), (6, 6))
    assert labels(on)["360 turned by 1 hexspine"] == -1
    assert on.state.weapons[GUN].mark is Mark.NONE
    on.play(shot(on), (2, 6), (6, 6))
    assert on.state.weapons[GUN].mark is Mark.NONE, "a 360 mount keeps its ROF of 2"
    on = clash(weapon=gun(turned=True))
    on.play(shot(on), (2, 6), (6, 6))
    assert on.state.weapons[GUN].mark is Mark.PREP_FIRE, "it has turned in this phase"


@rules("3.2.4")
def test_3_2_4_a_turn_in_woods_is_doubled() -> None:
    on = clash(
        cells="""
. . . . . . . .
. . . . . . . .
w . . . . . . .
. . . . . . . .
. . . . . . . .
""",
        weapon=gun(facing="N/NE"),
    )
    on.play(shot(on, facing=1), (1, 6))
    assert labels(on)["NT turned by 1 hexspine"] == -6


# --- target types -----------------------------------------------------------------------------------------------


@rules("3.2.4")
def test_3_2_4_the_area_target_type_takes_the_rate() -> None:
    on = clash()
    on.play(shot(on, target_type=TargetType.AREA), (1, 6), (6, 6))
    assert on.state.weapons[GUN].mark is Mark.PREP_FIRE
    assert on.saw(ev.FireResolved, column=6)


@rules("3.2.4")
def test_3_2_4_an_empty_hex_is_fired_at_on_the_att_alone() -> None:
    on = clash()
    assert on.why(shot(on, "E3")) == "3.2.4"
    on.play(shot(on, "E3", target_type=TargetType.AREA), (1, 4))
    assert labels(on)["Empty hex"] == -2
    assert resolved(on).landed
    assert on.state.weapons[GUN].acquired == on.hex("E3")


@rules("6.9")
def test_6_9_a_mortar_uses_the_att_and_not_from_a_building() -> None:
    on = clash(weapon=gun("german/8cm GrW 34"))
    assert on.why(shot(on)) == "6.9"
    assert on.why(shot(on, target_type=TargetType.AREA)) == ""
    on = clash(weapon=gun("german/8cm GrW 34"), russian=side(target("B3")))
    assert on.why(shot(on, "B3", target_type=TargetType.AREA)) == "6.9", "closer than its minimum range"
    cells = """
. . . . . . . .
. . . . . . . .
b . . . . . . .
. . . . . . . .
. . . . . . . .
"""
    on = clash(cells=cells, weapon=gun("german/8cm GrW 34"))
    assert on.why(shot(on, target_type=TargetType.AREA)) == "6.9"


@rules("3.2.4", "5.4")
def test_3_2_4_red_numbers() -> None:
    def base(card: str, year: int, owner: str = "german/2-2-8 crew") -> int:
        on = clash(
            cells="\n" + "\n".join(" ".join("." * 12) for _ in range(5)) + "\n",
            german=manned(crew(card=owner), gun(card)),
            russian=side(target("I3")),
            conditions={"year": year},
        )
        on.play(shot(on, "I3"), (5, 4))
        return resolved(on).number.base

    assert base(PAK, 1944) == 7
    assert base(PAK, 1944, "german/4-6-7") == 6, "Non-Qualified"
    assert base(PAK, 1944, "german/4-3-6") == 6, "Inexperienced too"
    assert base("american/M5 3-in. AT", 1944) == 6, "captured"
    assert base("russian/57mm PTP obr. 43", 1944) == 6
    assert base(PAK, 1943) == 7
    assert [base("american/M5 3-in. AT", year, "american/2-2-7 crew") for year in (1943, 1944)] == [6, 7]


# --- ammunition -------------------------------------------------------------------------------------------------


@rules("6.2")
def test_6_2_depletion() -> None:
    on = clash(conditions={"year": 1943})
    apcr = shot(on, ammo=Ammo.APCR)
    on.play(apcr, (2, 3))
    assert not on.saw(ev.ShotResolved), "5 is beyond its 4: no shot"
    assert on.saw(ev.AmmoRunOut, ammo=Ammo.APCR, never=True)
    assert on.state.weapons[GUN].mark is Mark.NONE
    assert not on.state.weapons[GUN].fired
    assert on.why(apcr) == "6.2"
    on = clash(conditions={"year": 1943})
    on.play(shot(on, ammo=Ammo.APCR), (2, 2), (6, 6))
    assert on.saw(ev.AmmoRunOut, never=False)
    assert on.saw(ev.FireResolved, column=1), "APCR has the 1 FP column"
    on = clash(conditions={"year": 1943})
    on.play(shot(on, ammo=Ammo.APCR), (1, 2), (6, 6))
    assert not on.saw(ev.AmmoRunOut)
    on = clash(conditions={"year": 1943})
    on.play(shot(on, ammo=Ammo.APCR), (6, 6))
    assert on.state.weapons[GUN].state is WeaponState.MALFUNCTIONED
    assert on.state.weapons[GUN].mark is Mark.PREP_FIRE, "it has fired"


@rules("6.2")
def test_6_2_ammunition_before_its_date() -> None:
    on = clash(conditions={"year": 1941})
    assert on.why(shot(on, ammo=Ammo.APCR)) == "6.2"
    assert on.why(shot(on, ammo=Ammo.HEAT)) == "6.2"
    assert on.why(shot(on, ammo=Ammo.AP, target_type=TargetType.AREA)) == "3.2.4"
    assert on.why(shot(on, ammo=Ammo.SMOKE)) == "3.2.4"


@rules("6.2")
@pytest.mark.parametrize(
    ("card", "date", "theatre", "numbers"),
    [
        ("american/M1 57mm AT", (1944, 6), "ETO", (7, 4)),
        ("american/M1 57mm AT", (1944, 6), "PTO", (0, 0)),
        ("american/M1 57mm AT", (1945, 1), "PTO", (7, 0)),
        ("british/OQF 6-Pounder", (1945, 1), "ETO", (8, 7)),
        ("british/OQF 6-Pounder", (1943, 2), "PTO", (10, 0)),
        ("british/OQF 6-Pounder", (1945, 1), "PTO", (11, 0)),
    ],
)
def test_6_2_some_ammunition_was_issued_in_one_theatre_alone(
    card: str, date: tuple[int, int], theatre: str, numbers: tuple[int, int]
) -> None:
    on = clash(conditions={"year": date[0], "month": date[1], "theatre": theatre}, weapon=gun(card=card))
    for ammo, number in zip((Ammo.HE, Ammo.APDS), numbers, strict=True):
        barrel = barrel_of(on.context, on.state, GUN, VehicleId(""))
        assert barrel is not None
        supply = depletion(on.context, barrel, ammo)
        assert (supply.number if supply is not None else 0) == number
        assert (on.why(shot(on, ammo=ammo)) == "") is (number > 0)


@rules("6.2")
def test_6_2_ap_against_infantry() -> None:
    on = clash()
    on.play(shot(on, ammo=Ammo.AP), (2, 5), (6, 6))
    assert on.saw(ev.FireResolved, column=2)
    on = clash(weapon=gun("german/8cm GrW 34"))
    assert on.why(shot(on, ammo=Ammo.AP, target_type=TargetType.AREA)) == "3.2.4"


@rules("1.2.5", "6.2", "6.11")
def test_6_2_smoke_comes_before_all_other_fire() -> None:
    on = clash(weapon=gun(acquired="D3", acquisition=-1))
    smoke = shot(on, target_type=TargetType.AREA, ammo=Ammo.SMOKE)
    assert smoke in on.options()
    on.play(smoke, (1, 4))
    assert labels(on) == {"Smoke at under 13 hexes": 2, "Acquired Target": 1}
    assert on.saw(ev.SmokePlaced, hex=on.hex("D3"))
    assert on.state.weapons[GUN].acquisition == 0
    on = clash()
    on.play(shot(on), (1, 6), (6, 6))
    assert on.why(shot(on, target_type=TargetType.AREA, ammo=Ammo.SMOKE)) == "6.2"
    on = clash("AFPh")
    assert on.why(shot(on, target_type=TargetType.AREA, ammo=Ammo.SMOKE)) == "6.2"


# --- effects ----------------------------------------------------------------------------------------------------


@rules("6.1")
def test_6_1_a_critical_hit_by_the_final_dr_on_the_itt() -> None:
    on = clash(cells=FIELD)
    on.play(shot(on), (1, 2), (5, 6), (1, 1))
    assert resolved(on).critical == "target"
    assert on.saw(ev.FireResolved, column=24)
    on = clash()
    on.play(shot(on), (2, 2), (5, 6))
    assert resolved(on).critical == ""
    assert on.saw(ev.FireResolved, column=12)


@rules("6.1")
def test_6_1_one_unit_suffers_it_and_tem_turns_around() -> None:
    cells = FIELD.splitlines()
    cells[3] = ". . . w . . . ."
    on = clash(cells="\n".join(cells) + "\n", russian=side(target(), squad("other", "russian/4-4-7", "D3")))
    on.play(shot(on), (1, 1), (2,), (6, 6), (6, 5))
    assert resolved(on).critical == "other"
    assert on.saw(ev.FireResolved, targets=(UnitId("other"),), column=24)
    assert on.saw(ev.FireResolved, targets=(UnitId("target"),), column=12)
    drms = {event.targets[0]: event.drm.total for event in on.events if isinstance(event, ev.FireResolved)}
    assert drms == {"other": -1, "target": 0}


def armed(**flags: Any) -> dict[str, Any]:
    return side(
        squad("target", "russian/2-2-8 crew", "D3"),
        weapons=[{"id": "ptp", "card": "russian/57mm PTP obr. 43", "owner": "target", "facing": "SW/NW", **flags}],
    )


@rules("6.3", "6.6", "6.7", "7.3")
def test_6_7_a_direct_hit_is_judged_without_the_gunshield() -> None:
    on = clash(russian=armed(emplaced=True))
    on.play(shot(on), (1, 3), (1, 1))
    assert labels(on)["Emplaced Gun"] == -2
    assert direct(on) == "1KIA"
    assert on.state.weapons[WeaponId("ptp")].state is WeaponState.REMOVED
    assert not on.unit("target").on_map
    on = clash(russian=armed())
    on.play(shot(on), (1, 3), (1, 2))
    assert direct(on) == "K/3"
    assert on.state.weapons[WeaponId("ptp")].state is WeaponState.MALFUNCTIONED
    assert not on.unit("target").on_map
    on = clash(russian=armed())
    on.play(shot(on), (1, 3), (2, 4), (1, 1))
    found = next(event for event in on.events if isinstance(event, ev.FireResolved))
    assert (found.kind, found.drm.total) == ("ordnance hit", 2), "a Near Miss, with the gunshield"
    on = clash(russian=armed(facing="NE/SE"))
    on.play(shot(on), (1, 3), (2, 4), (1, 1))
    found = next(event for event in on.events if isinstance(event, ev.FireResolved))
    assert found.drm.total == 0, "not through the covered arc"


@rules("6.7")
def test_6_7_ap_takes_a_gun_away_on_a_k() -> None:
    on = clash(russian=armed(), weapon=gun("german/8.8cm PaK 43"))
    on.play(shot(on, ammo=Ammo.AP), (1, 3), (1, 1))
    assert direct(on) == "K/1"
    assert on.state.weapons[WeaponId("ptp")].state is WeaponState.REMOVED


@rules("6.1", "6.7")
def test_6_7_a_critical_hit_destroys_a_gun() -> None:
    on = clash(russian=armed())
    on.play(shot(on), (1, 1))
    assert on.state.weapons[WeaponId("ptp")].state is WeaponState.REMOVED
    assert not on.unit("target").on_map


@rules("6.3", "6.6")
def test_6_6_small_arms_meet_the_emplacement_or_the_gunshield() -> None:
    def drm(**flags: Any) -> int:
        on = clash(german=side(squad("firer", at="B3")), russian=armed(**flags))
        on.play(Fire((UnitId("firer"),), (), on.hex("D3")), (6, 5))
        return next(event for event in on.events if isinstance(event, ev.FireResolved)).drm.total

    assert drm(emplaced=True) == 2
    assert drm() == 2, "gunshield"
    assert drm(facing="NE/SE") == 0
    assert drm(facing="NE/SE", emplaced=True) == 2


@rules("3.2.3", "6.7")
def test_6_7_a_direct_hit_is_no_part_of_the_kia_upon_others() -> None:
    """A 1KIA destroys the Gun with its crew, and one of those beside them (ruling)."""
    russian = armed()
    russian["units"] += [squad("beside", "russian/4-4-7", "D3")]
    on = clash(russian=russian)
    on.play(shot(on), (1, 3), (1, 1))
    assert direct(on) == "1KIA"
    assert not on.unit("target").on_map
    assert not on.unit("beside").on_map


@rules("3.2.2", "6.6")
@pytest.mark.parametrize(
    ("firers", "drm"), [(("C3",), 2), (("C2",), 0), (("C2", "D2"), 0), (("C3", "C2"), 2), (("C2", "C3"), 2)]
)
def test_6_6_a_fire_group_meets_the_gunshield_as_from_its_worst_hex(firers: tuple[str, ...], drm: int) -> None:
    """As it does hindrances, Height Advantage and FFMO; of the three C3 alone lies in the covered arc."""
    on = clash(german=side(*[squad(at, at=at) for at in firers]), russian=armed())
    on.play(Fire(tuple(UnitId(at) for at in firers), (), on.hex("D3")), (6, 5))
    assert next(event for event in on.events if isinstance(event, ev.FireResolved)).drm.total == drm


@rules("6.4")
def test_6_4_a_hidden_gun_is_harder_to_hit() -> None:
    cells = FIELD.splitlines()
    cells[3] = ". . . w . . . ."
    woods = "\n".join(cells) + "\n"
    on = clash(cells=woods, russian=armed(hidden=True))
    assert on.why(shot(on)) == "3.2.4", "the hex seems empty"
    on.play(shot(on, target_type=TargetType.AREA), (1, 3), (6, 6))
    assert labels(on)["Empty hex"] == -2
    assert resolved(on).hit == ("target",)
    hidden = armed(hidden=True)
    hidden["units"] = [squad("seen", "russian/4-4-7", "D3"), *hidden["units"]]
    on = clash(cells=woods, russian=hidden)
    on.play(shot(on), (2, 5), (6, 6))
    assert resolved(on).hit == ("seen",), "7 hits whom he sees, 5 is needed for the hidden one"
    assert on.state.weapons[WeaponId("ptp")].hidden
    assert on.state.weapons[GUN].acquired_targets == ("seen",)
    on = clash(cells=woods, russian=hidden)
    on.play(shot(on), (1, 3), (6, 6))
    assert resolved(on).hit == ("seen", "target")
    assert not on.state.weapons[WeaponId("ptp")].hidden, "a hit brings it to light"


# --- acquisition ------------------------------------------------------------------------------------------------


@rules("6.10", "6.11")
def test_6_10_acquisition_changes_with_the_target_type_and_the_target() -> None:
    on = clash(russian=side(target(), squad("other", "russian/4-4-7", "E3")))
    on.play(shot(on), (1, 6), (6, 6))
    assert on.state.weapons[GUN].acquired_targets == ("target",)
    on.play(shot(on), (1, 6), (6, 6))
    assert on.state.weapons[GUN].acquisition == -2
    on.play(shot(on), (1, 6), (6, 6))
    assert on.state.weapons[GUN].acquisition == -2, "never more"
    on.play(shot(on, "E3"), (1, 6), (6, 6))
    assert (on.state.weapons[GUN].acquisition, on.state.weapons[GUN].acquired_targets) == (-1, ("other",))
    on.play(shot(on, "E3", target_type=TargetType.AREA), (1, 6), (6, 6))
    assert (on.state.weapons[GUN].acquisition, on.state.weapons[GUN].acquired_targets) == (-2, ())


@rules("6.10")
def test_6_10_own_fp_loses_it() -> None:
    on = clash(german=manned(crew(card="german/4-6-7"), gun(acquired="D3", acquisition=-1)))
    on.play(Fire((UnitId("crew"),), (), on.hex("D3")), (6, 5))
    assert on.state.weapons[GUN].acquisition == 0


@rules("3.2.1")
def test_3_2_1_a_shot_without_a_line_of_sight_is_spent() -> None:
    cells = FIELD.splitlines()
    cells[3] = ". b . . . . . ."
    on = clash(cells="\n".join(cells) + "\n")
    on.play(shot(on), (3, 6))
    assert on.saw(ev.HexesBlocked)
    assert not on.saw(ev.ShotResolved)
    assert on.state.weapons[GUN].mark is Mark.PREP_FIRE
    assert on.state.weapons[GUN].acquisition == 0


@rules("3.2.4")
def test_3_2_4_every_shot_that_is_offered_is_accepted() -> None:
    on = clash(russian=side(target(), squad("other", "russian/4-4-7", "B1")))
    offered = [action for action in on.options() if isinstance(action, FireGun)]
    assert len(offered) > 20
    assert {action.target_type for action in offered} == {TargetType.INFANTRY, TargetType.AREA}
    for action in offered:
        assert on.why(action) == "", action
    on.play(Done())


@rules("6.1", "7.12")
def test_7_12_a_critical_hit_does_not_double_the_collateral_attack() -> None:
    foe = {"id": "foe", "card": "russian/KV-1E", "at": "D3", "vca": "SW/NW", "exposed": True}
    russian = side(squad("r", "russian/4-4-7", "H5"), vehicles=[foe])
    on = clash(weapon=gun("german/8cm GrW 34"), russian=russian)
    on.play(shot(on, target_type=TargetType.AREA), (1, 1), (6, 6))
    hit = next(event for event in on.events if isinstance(event, ar.AreaHitResolved))
    crew = next(event for event in on.events if isinstance(event, ar.CrewAttacked))
    assert (hit.column, crew.column) == (30, 8)
