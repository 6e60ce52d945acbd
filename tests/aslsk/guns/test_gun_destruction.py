"""6.7 Gun Destruction: what small arms, light mortars and charges do to Guns and to those who man them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from msgspec.structs import replace

from sandtable.systems.aslsk.common import events as ev
from sandtable.systems.aslsk.common.actions import Fire, FireOrdnance
from sandtable.systems.aslsk.common.vehicle_actions import FireGun, FireVehicle
from sandtable.systems.aslsk.pieces.armament import TargetType
from sandtable.systems.aslsk.pieces.state import UnitId, VehicleGun, VehicleId, WeaponId, WeaponState
from tests.aslsk.clash import PLAIN, Clash, side, squad

rules = pytest.mark.rules
ATG = WeaponId("atg")


def clash(
    card: str, *, at: str = "A3", weapon: str = "", cells: str = PLAIN, others: Sequence[Any] = (), **flags: Any
) -> Clash:
    """German Infantry, and a Russian Gun in D3 that points at it, its crew with other weapons too."""
    arms = [{"id": "w", "card": weapon, "owner": "firer"}] if weapon else []
    atg = {"id": "atg", "card": "russian/57mm PTP obr. 43", "owner": "crew", "facing": "SW/NW", **flags}
    russian = side(squad("crew", "russian/2-2-8 crew", "D3"), weapons=[atg, *others])
    german = side(squad("firer", card, at), squad("idle", at="A5"), weapons=arms)
    return Clash("PFPh", cells, german=german, russian=russian)


@rules("6.7")
@pytest.mark.parametrize(
    ("dr", "state"),
    [(3, WeaponState.REMOVED), (4, WeaponState.MALFUNCTIONED), (5, WeaponState.WORKING)],
)
@pytest.mark.parametrize("facing", ["SW/NW", "NE/SE"])
def test_6_7_a_kia_of_small_arms_brings_a_dr_upon_the_gun(dr: int, state: WeaponState, facing: str) -> None:
    shielded = facing == "SW/NW"
    on = clash("german/8-3-8", at="C3", facing=facing)
    on.play(Fire((UnitId("firer"),), (), on.hex("D3")), (1, 2), *([(1, 2)] if shielded else []), dr)
    assert on.state.weapons[ATG].state is state
    assert on.unit("crew").on_map is shielded, "a shield saves the crew, not the Gun"
    on = clash("german/8-3-8", at="C3", facing=facing)
    on.play(Fire((UnitId("firer"),), (), on.hex("D3")), (6, 6))
    assert on.state.weapons[ATG].state is WeaponState.WORKING, "no KIA, no dr"


def mortar(on: Clash, *dice: tuple[int, int]) -> None:
    on.play(FireOrdnance(on.hex("D3"), WeaponId("w")), *dice)


def kinds(on: Clash) -> list[str]:
    return [event.kind for event in on.events if isinstance(event, ev.FireResolved)]


@rules("4.5", "6.3", "6.7")
def test_6_7_a_light_mortar_strikes_gun_and_crew() -> None:
    on = clash("german/4-6-7", weapon="german/50mm MTR")
    mortar(on, (1, 2), (1, 1))
    assert kinds(on) == ["Direct Hit"]
    assert on.state.weapons[ATG].state is not WeaponState.WORKING
    on = clash("german/4-6-7", weapon="german/50mm MTR", emplaced=True)
    mortar(on, (1, 2), (3, 3))
    assert kinds(on) == ["ordnance hit"]
    terms = next(event for event in on.events if isinstance(event, ev.FireResolved)).drm.terms
    assert {term.label: term.value for term in terms} == {"Emplaced Gun": 2}


@rules("4.0", "6.7", system="aslsk3")
@pytest.mark.parametrize(
    ("dr", "state"), [(2, WeaponState.REMOVED), (3, WeaponState.MALFUNCTIONED), (4, WeaponState.WORKING)]
)
def test_6_7_a_kia_that_destroys_a_gun_brings_a_dr_upon_the_other_weapons_of_its_crew(
    dr: int, state: WeaponState
) -> None:
    """On the column of the attack: of 12 FP a 2 is a KIA, a 3 a K."""
    other = {"id": "mg", "card": "russian/LMG", "owner": "crew"}
    on = clash("german/2-2-8 crew", weapon="german/7.5cm PaK 40", others=[other])
    faced = replace(on.state.weapons[WeaponId("w")], facing=1)
    on.state = replace(on.state, weapons={**on.state.weapons, faced.id: faced})
    on.play(FireGun(on.hex("D3"), faced.id), (1, 3), (1, 1), dr)
    assert kinds(on) == ["Direct Hit"]
    assert (on.state.weapons[ATG].state, on.unit("crew").on_map) == (WeaponState.REMOVED, False)
    assert on.state.weapons[WeaponId("mg")].state is state


@rules("4.5", "6.1", "6.7")
def test_6_7_a_critical_hit_of_a_light_mortar_destroys_a_gun() -> None:
    on = clash("german/4-6-7", weapon="german/50mm MTR")
    mortar(on, (1, 1))
    assert on.state.weapons[ATG].state is WeaponState.REMOVED
    assert not on.unit("crew").on_map


@rules("3.2.4", "6.5")
def test_3_2_4_hazardous_movement_modifies_the_to_hit_dr_of_a_light_mortar() -> None:
    arms = [{"id": "w", "card": "german/50mm MTR", "owner": "firer"}]
    russian = side(squad("target", "russian/4-4-7", "D3"))
    on = Clash("PFPh", german=side(squad("firer", at="A3"), squad("idle", at="A5"), weapons=arms), russian=russian)
    pushing = replace(on.unit("target"), hazardous=True)
    on.state = replace(on.state, units={**on.state.units, pushing.id: pushing})
    mortar(on, (4, 5), (6, 6))
    number = next(event for event in on.events if isinstance(event, ev.OrdnanceResolved)).number
    assert {term.label: term.value for term in number.terms} == {"Hazardous Movement": 2}
    terms = next(event for event in on.events if isinstance(event, ev.FireResolved)).drm.terms
    assert not terms, "not the IFT DR once more"


@rules("4.4", "6.7")
def test_4_4_shaped_charges_are_fired_at_guns_in_the_open() -> None:
    on = clash("german/4-6-7", weapon="german/PSK")
    shot = FireOrdnance(on.hex("D3"), WeaponId("w"))
    assert on.why(shot) == ""
    assert shot in on.options()
    on.play(shot, (1, 2), (1, 1))
    assert kinds(on) == ["Direct Hit"]
    assert on.state.weapons[ATG].state is WeaponState.REMOVED
    russian = side(squad("target", "russian/4-4-7", "D3"))
    arms = [{"id": "w", "card": "german/PSK", "owner": "firer"}]
    on = Clash("PFPh", german=side(squad("firer", at="A3"), squad("idle", at="A5"), weapons=arms), russian=russian)
    assert on.why(FireOrdnance(on.hex("D3"), WeaponId("w"))) == "4.4"


@rules("4.5", "6.4")
def test_6_4_a_light_mortar_fires_at_a_hidden_gun_as_at_an_empty_hex() -> None:
    brush = PLAIN.replace(". . . . . . .", ". . . x . . .")
    on = clash("german/4-6-7", weapon="german/50mm MTR", cells=brush, emplaced=True, hidden=True)
    assert on.why(FireOrdnance(on.hex("D3"), WeaponId("w"))) == ""
    mortar(on, (2, 2), (6, 6))
    number = next(event for event in on.events if isinstance(event, ev.OrdnanceResolved)).number
    assert {term.label: -term.value for term in number.terms}["Empty hex"] == 2
    assert not on.state.weapons[ATG].hidden, "a hit brings it to light"


@rules("3.2.4", "4.5", "6.4")
@pytest.mark.parametrize("weapon", ["german/50mm MTR", "german/8cm GrW 34"])
def test_6_4_a_shell_that_misses_a_hidden_gun_falls_as_into_an_empty_hex(weapon: str) -> None:
    """The Gun is small, so that an empty hex would be hit."""
    told = []
    for at in ("D3", "G5"):
        gun = {"id": "atg", "card": "russian/57mm PTP obr. 43", "owner": "crew", "facing": "SW/NW", "hidden": True}
        mortar = {"id": "w", "card": weapon, "owner": "firer", "facing": "NE/SE"}
        on = Clash(
            "PFPh",
            PLAIN.replace(".", "x"),
            german=side(squad("firer", "german/2-2-8 crew", "A3"), squad("idle", at="A5"), weapons=[mortar]),
            russian=side(squad("crew", "russian/2-2-8 crew", at), weapons=[gun]),
        )
        target, name = on.hex("D3"), WeaponId("w")
        light = weapon == "german/50mm MTR"
        on.play(FireOrdnance(target, name) if light else FireGun(target, name, target_type=TargetType.AREA), (2, 1))
        told.append([event for event in on.events if isinstance(event, ev.OrdnanceResolved | ev.ShotResolved)])
        assert on.state.weapons[ATG].hidden
    assert told[0] == told[1]


FAUST = {"year": 1945, "month": 3, "panzerfausts": ["german"]}


def faust_clash(*others: dict[str, Any], cells: str = PLAIN, **atg: Any) -> Clash:
    """A German squad with a panzerfaust two hexes from a Russian Gun."""
    gun = {"id": "atg", "card": "russian/57mm PTP obr. 43", "owner": "crew", "facing": "SW/NW", **atg}
    return Clash(
        "PFPh",
        cells,
        german=side(squad("firer", at="B3"), squad("idle", at="A5")),
        russian=side(squad("crew", "russian/2-2-8 crew", "D3"), *others, weapons=[gun]),
        conditions=FAUST,
    )


def faust(on: Clash, victim: str = "") -> FireOrdnance:
    return FireOrdnance(on.hex("D3"), unit=UnitId("firer"), victim=UnitId(victim))


@rules("4.4", "4.4.2", "6.7")
def test_4_4_2_a_panzerfaust_is_fired_at_a_gun_in_the_open() -> None:
    on = faust_clash(squad("infantry", "russian/4-4-7", "D3"), squad("leader", "russian/8-0", "D3"))
    node = on.decision.options(on.decision.asked[0])
    assert faust(on) in node
    assert faust(on, "crew") in node
    assert on.why(faust(on, "infantry")) == "4.4.2", "it mans nothing"
    on.play(faust(on), 2, (2, 3), (1, 2))
    number = next(event for event in on.events if isinstance(event, ev.OrdnanceResolved)).number
    assert (number.base, number.total) == (6, 5), "the Gun is small"
    checked = next(event for event in on.events if isinstance(event, ev.PanzerfaustChecked))
    assert [term.label for term in checked.number.terms] == ["target is no AFV", "1945"]
    assert kinds(on) == ["Direct Hit"], "of all in the open the Gun alone is struck"
    assert on.state.weapons[ATG].state is WeaponState.REMOVED


@rules("4.4", "4.4.2")
def test_4_4_2_no_panzerfaust_at_infantry_with_other_weapons_in_the_open() -> None:
    on = Clash(
        "PFPh",
        german=side(squad("firer", at="B3"), squad("idle", at="A5")),
        russian=side(
            squad("crew", "russian/4-4-7", "D3"), weapons=[{"id": "mg", "card": "russian/LMG", "owner": "crew"}]
        ),
        conditions=FAUST,
    )
    assert on.why(faust(on)) == on.why(faust(on, "crew")) == "4.4"


@rules("4.4.2", "6.4")
def test_6_4_a_panzerfaust_does_not_pick_who_is_hidden() -> None:
    cells = PLAIN.replace(". . . . . . .", ". . . h . . .")
    on = faust_clash(squad("infantry", "russian/4-4-7", "D3"), cells=cells, emplaced=True, hidden=True)
    assert on.why(faust(on, "crew")) == "4.4.2", "nobody knows of it"
    on.play(faust(on), 1, (1, 2), (6, 6))
    assert on.state.weapons[ATG].hidden
    alone = faust_clash(cells=cells, emplaced=True, hidden=True)
    assert alone.why(faust(alone)) != "", "as far as he knows the hex is empty"


@rules("3.2.2.1", "4.4.2")
def test_3_2_2_1_no_panzerfaust_leaves_a_hex_with_an_enemy_in_it() -> None:
    on = faust_clash(squad("guest", "russian/4-4-7", "B3"))
    assert on.why(faust(on)) == "3.2.2.1"


@rules("4.4", "7.4")
@pytest.mark.parametrize("covered", [False, True])
def test_7_4_a_wreck_covers_a_gun_against_shaped_charges(covered: bool) -> None:
    wreck = {"id": "w", "card": "russian/T-34 M43", "at": "D3", "vca": "SW/NW", "wreck": True}
    gun = {"id": "atg", "card": "russian/57mm PTP obr. 43", "owner": "crew", "facing": "SW/NW"}
    on = Clash(
        "PFPh",
        german=side(squad("firer", at="B3"), squad("idle", at="A5")),
        russian=side(squad("crew", "russian/2-2-8 crew", "D3"), weapons=[gun], vehicles=[wreck] if covered else []),
        conditions=FAUST,
    )
    on.play(faust(on), 1, (1, 4), *(() if covered else ((6, 6),)))
    assert on.saw(ev.OrdnanceResolved, hit=not covered), "5 hits a small Gun, not one behind a wreck"


BRUSH = PLAIN.replace(". . . . . . .", ". . . x . . .")


def charge_clash(placer: str, *, cells: str = BRUSH, crew: bool = True, **atg: Any) -> Clash:
    """A charge in the hex of a Russian Gun that points west, placed from the hex of a squad; a second Gun is hidden."""
    gun = {"card": "russian/57mm PTP obr. 43", "facing": "SW/NW"}
    charge = {"id": "dc", "card": "german/DC", "owner": "firer", "placed": "D3"}
    hidden = {"id": "far", **gun, "owner": "gunners", "emplaced": True, "hidden": True}
    crews = [squad("crew", "russian/2-2-8 crew", "D3")] if crew else []
    guns = [{"id": "atg", **gun, "owner": "crew", **atg}] if crew else []
    return Clash(
        "AFPh",
        cells,
        german=side(squad("firer", "german/8-3-8", placer), squad("idle", at="A5"), weapons=[charge]),
        russian=side(*crews, squad("gunners", "russian/2-2-8 crew", "D5"), weapons=[*guns, hidden]),
    )


def cover(on: Clash) -> dict[str, int]:
    last = [event for event in on.events if isinstance(event, ev.FireResolved)][-1]
    return {term.label: term.value for term in last.drm.terms}


@rules("4.3", "6.3", "6.6")
@pytest.mark.parametrize(
    ("placer", "emplaced", "cells", "terms"),
    [
        ("C3", False, BRUSH, {"Gunshield": 2}),
        ("E3", False, BRUSH, {}),
        ("E3", True, BRUSH, {"Emplaced Gun": 2}),
        ("C3", True, BRUSH.replace("x", "w"), {"woods": 1, "Emplaced Gun instead of TEM": 1}),
        ("C3", False, BRUSH.replace("x", "b"), {"stone building": 3}),
    ],
)
def test_6_6_a_charge_meets_emplacement_and_a_gunshield_through_the_arc(
    placer: str, emplaced: bool, cells: str, terms: dict[str, int]
) -> None:
    on = charge_clash(placer, cells=cells, emplaced=emplaced)
    on.play(Fire((), (WeaponId("dc"),), on.hex("D3")), (6, 5), (1, 2))
    assert cover(on) == terms


@rules("4.3", "6.7")
@pytest.mark.parametrize(("emplaced", "result"), [(False, "Direct Hit"), (True, "demolition charge")])
def test_6_7_emplacement_counts_for_a_direct_hit_of_a_charge_and_a_gunshield_does_not(
    emplaced: bool, result: str
) -> None:
    on = charge_clash("C3", emplaced=emplaced)
    on.play(Fire((), (WeaponId("dc"),), on.hex("D3")), (3, 3), *([(1, 2)] if emplaced else []))
    assert kinds(on) == [result]


@rules("4.3", "6.4")
def test_6_4_a_charge_strikes_who_is_hidden_at_half_fp_and_tells_nothing_without_an_effect() -> None:
    on = charge_clash("C3", emplaced=True, hidden=True)
    on.play(Fire((), (WeaponId("dc"),), on.hex("D3")), (6, 5))
    vain = [event for event in on.events if isinstance(event, ev.FireResolved)]
    assert [event.targets for event in vain] == [()]
    assert on.state.weapons[ATG].hidden
    empty = charge_clash("C3", crew=False)
    empty.play(Fire((), (WeaponId("dc"),), empty.hex("D3")), (6, 5))
    assert [event for event in empty.events if isinstance(event, ev.FireResolved)] == vain, "nobody can tell"
    on = charge_clash("C3", emplaced=True, hidden=True)
    on.play(Fire((), (WeaponId("dc"),), on.hex("D3")), (1, 1), (1, 2))
    struck = [event for event in on.events if isinstance(event, ev.FireResolved)][-1]
    assert (struck.targets, struck.column, struck.result) == (("crew",), 12, "3MC")
    assert not on.state.weapons[ATG].hidden


@rules("6.4", "6.7")
@pytest.mark.parametrize(("dr", "state"), [(1, WeaponState.REMOVED), (6, WeaponState.WORKING)])
def test_6_7_the_gun_of_a_hidden_crew_has_its_dr_on_the_column_of_half_the_fp(dr: int, state: WeaponState) -> None:
    gun = {"id": "atg", "card": "russian/57mm PTP obr. 43", "owner": "crew", "facing": "NE/SE", "hidden": True}
    firers = [squad(name, "german/8-3-8", "C3") for name in ("firer", "second")]
    crew = squad("crew", "russian/2-2-8 crew", "D3")
    on = Clash(
        "PFPh",
        BRUSH,
        german=side(*firers, squad("idle", at="A5")),
        russian=side(squad("bait", "russian/4-4-7", "D3"), crew, weapons=[gun]),
    )
    on.play(Fire((UnitId("firer"), UnitId("second")), (), on.hex("D3")), (1, 2), dr)
    assert not on.unit("crew").on_map
    assert on.state.weapons[ATG].state is state


@rules("6.4", "7.8")
def test_6_4_machine_guns_of_a_vehicle_strike_who_is_hidden_at_half_fp() -> None:
    tank = {"id": "t", "card": "german/PzKpfw IVH", "at": "C3", "vca": "NE/SE", "tca": "NE/SE"}
    gun = {"id": "atg", "card": "russian/57mm PTP obr. 43", "owner": "crew", "facing": "NE/SE", "hidden": True}
    crew = squad("crew", "russian/2-2-8 crew", "D3")
    on = Clash(
        "PFPh",
        BRUSH,
        german=side(squad("idle", at="A5"), vehicles=[tank]),
        russian=side(squad("bait", "russian/4-4-7", "D3"), crew, weapons=[gun]),
    )
    on.play(FireVehicle(VehicleId("t"), (VehicleGun.COAXIAL,), on.hex("D3")), (5, 4), (1, 2))
    seen = [event.targets for event in on.events if isinstance(event, ev.FireResolved)]
    assert seen == [("bait",)], "9 is a PTC on the 8 column, nothing on the 4"
    assert on.state.weapons[ATG].hidden


@rules("4.0", "6.7", system="aslsk3")
def test_6_7_where_the_shield_does_not_save_the_crew_either_the_gun_has_one_dr() -> None:
    gun = {"id": "atg", "card": "russian/57mm PTP obr. 43", "owner": "crew", "facing": "SW/NW"}
    names = ("a", "b", "c")
    on = Clash(
        "PFPh",
        german=side(*[squad(name, "german/8-3-8", "C3") for name in names], squad("idle", at="A5")),
        russian=side(squad("crew", "russian/2-2-8 crew", "D3"), weapons=[gun]),
    )
    on.play(Fire(tuple(UnitId(name) for name in names), (), on.hex("D3")), (2, 1), 6)
    assert not on.unit("crew").on_map
    assert on.state.weapons[ATG].state is WeaponState.REMOVED


@rules("6.3", "6.6", "6.7", system="aslsk3")
@pytest.mark.parametrize(
    ("weapon", "emplaced", "terms"),
    [
        ("german/7.5cm PaK 40", False, {"Gunshield": 2}),
        ("german/8cm GrW 34", False, {"Gunshield against a mortar": 1}),
        ("german/7.5cm PaK 40", True, {"Emplaced Gun": 2}),
        ("german/8cm GrW 34", True, {"Emplaced Gun": 2}),
    ],
)
def test_6_6_a_gunshield_on_the_att_is_less_against_mortars_and_nothing_beside_an_emplacement(
    weapon: str, emplaced: bool, terms: dict[str, int]
) -> None:
    """After a Near Miss."""
    on = clash("german/2-2-8 crew", emplaced=emplaced, weapon=weapon)
    faced = replace(on.state.weapons[WeaponId("w")], facing=1)
    on.state = replace(on.state, weapons={**on.state.weapons, faced.id: faced})
    on.play(FireGun(on.hex("D3"), faced.id, target_type=TargetType.AREA), (1, 2), (6, 5))
    assert kinds(on) == ["ordnance hit"]
    assert cover(on) == terms


@rules("1.1.1", "4.5", "6.3", system="aslsk3")
def test_6_3_an_air_burst_of_a_light_mortar_comes_to_emplacement() -> None:
    woods = PLAIN.replace(". . . . . . .", ". . . w . . .")
    on = clash("german/4-6-7", weapon="german/50mm MTR", cells=woods, emplaced=True)
    mortar(on, (1, 2), (6, 5))
    assert cover(on) == {"Air Burst": -1, "Emplaced Gun": 2}


@rules("4.5", "6.12", system="aslsk3")
@pytest.mark.parametrize(("dice", "state"), [((6, 5), WeaponState.WORKING), ((6, 6), WeaponState.MALFUNCTIONED)])
def test_6_12_a_light_mortar_malfunctions_at_its_printed_number(dice: tuple[int, int], state: WeaponState) -> None:
    on = clash("german/4-6-7", weapon="german/50mm MTR")
    mortar(on, dice)
    assert on.state.weapons[WeaponId("w")].state is state
