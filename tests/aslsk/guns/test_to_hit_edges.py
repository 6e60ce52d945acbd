"""3.2.4, 6.10 To Hit: who is harder or easier to hit, and by whom, where one word of the book decides."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from sandtable.systems.aslsk.fire.firers import FireMode
from sandtable.systems.aslsk.fire.to_hit import Aim, firer_terms, to_hit
from sandtable.systems.aslsk.pieces.armament import Ammo, TargetType
from sandtable.systems.aslsk.pieces.state import UnitId, VehicleId, WeaponId
from tests.aslsk.clash import Clash, side, squad
from tests.aslsk.guns.test_gun_fire import clash, gun, labels, shot
from tests.aslsk.guns.test_to_hit_cases import LONG, VTT, drm, field, numbers

rules = pytest.mark.rules


def light_mortar(**target: Any) -> tuple[Clash, Aim]:
    """A light mortar in A3 that fires at a squad in D3."""
    arms = [{"id": "w", "card": "german/50mm MTR", "owner": "firer"}]
    russian = side(squad("target", "russian/4-4-7", "D3", **target))
    on = Clash("PFPh", LONG, german=side(squad("firer", at="A3"), weapons=arms), russian=russian)
    return on, Aim(on.state.weapons[WeaponId("w")], on.unit("firer"), on.hex("D3"), FireMode.PREP)


@rules("3.2.4", "6.5", system="aslsk3")
@pytest.mark.parametrize(("pinned", "value"), [(False, -2), (True, 0)])
def test_6_5_a_light_mortar_meets_hazardous_movement_until_it_is_pinned(*, pinned: bool, value: int) -> None:
    """Case 21."""
    on, aim = light_mortar(pinned=pinned)
    name = UnitId("target")
    state = replace(on.state, units={**on.state.units, name: replace(on.unit("target"), hazardous=True)})
    own = to_hit(on.context, state, aim, (name,), None)[1]
    assert sum(term.value for term in own[name]) == value


@rules("3.2.4", "3.5", system="aslsk3")
@pytest.mark.parametrize(("weapon", "label"), [("german/LMG", "Fire in AFPh"), ("german/PSK", "LATW in AFPh")])
def test_3_5_a_mg_in_the_afph_is_no_latw(weapon: str, label: str) -> None:
    """Case 1 of all, case 12 of LATW alone."""
    arms = [{"id": "w", "card": weapon, "owner": "firer"}]
    on = Clash(
        "AFPh", german=side(squad("firer", at="A3"), weapons=arms), russian=side(squad("r", "russian/4-4-7", "D3"))
    )
    aim = Aim(on.state.weapons[WeaponId("w")], on.unit("firer"), on.hex("D3"), FireMode.ADVANCING)
    assert [(term.label, term.value) for term in firer_terms(on.context, on.state, aim)] == [(label, 2)]


@rules("3.2.4", system="aslsk3")
@pytest.mark.parametrize(("card", "number"), [("italian/L3/35", 8), ("british/Light Tank Mk VIB", 9)])
def test_3_2_4_italians_use_red_numbers(card: str, number: int) -> None:
    """MG on the VTT at 8 hexes: 9/8."""
    on = field(tank={"card": card}, target={"at": "I3"})
    assert numbers(on, "I3", name="tank", target_type=VTT, ammo=Ammo.AP, meant="T").number.base == number


@rules("6.10", system="aslsk3")
@pytest.mark.parametrize(("meant", "value"), [("T", -2), ("U", 0)])
def test_6_10_of_two_vehicles_in_a_hex_the_acquired_one_is_easier_to_hit(meant: str, value: int) -> None:
    on = field(gun={"acquired": "D3", "acquisition": -2, "acquired_targets": ["T"]}, target={})
    other = replace(next(iter(on.state.vehicles.values())), id=VehicleId("U"))
    on.state = replace(on.state, vehicles={**on.state.vehicles, other.id: other})
    assert sum(drm(on, "D3", target_type=VTT, ammo=Ammo.AP, meant=meant).values()) == value


@rules("6.10", "6.11", system="aslsk3")
@pytest.mark.parametrize("targets", [["target"], []])
def test_6_11_smoke_makes_use_of_what_was_acquired_in_the_hex(targets: list[str]) -> None:
    """Smoke is fired on the ATT, and means nobody."""
    on = clash(weapon=gun(acquired="D3", acquisition=-1, acquired_targets=targets))
    on.play(shot(on, target_type=TargetType.AREA, ammo=Ammo.SMOKE), (1, 4))
    assert labels(on)["Acquired Target"] == 1
