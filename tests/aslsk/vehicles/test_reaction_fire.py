"""3.3.4: Infantry attacks a vehicle that spends MP in its hex."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from sandtable.systems.aslsk.common import events as ev
from sandtable.systems.aslsk.common.actions import HoldFire, ReactionFire
from sandtable.systems.aslsk.common.facts.melee_events import VehicleAssaulted
from sandtable.systems.aslsk.common.vehicle_actions import ContinueVehicle, MoveVehicle
from sandtable.systems.aslsk.pieces.state import Mark, UnitId, VehicleDeed, VehicleId, VehicleStep, WeaponId
from tests.aslsk.clash import Clash, side, squad

rules = pytest.mark.rules
V = VehicleId("V")
S, L = UnitId("S"), UnitId("L")
START, STOP = VehicleStep(VehicleDeed.START), VehicleStep(VehicleDeed.STOP)


def driven(*units: dict[str, Any], flags: dict[str, Any] | None = None, **fields: Any) -> Clash:
    """A Russian tank enters D2, where Germans are; nobody has panzerfausts yet."""
    tank = {"id": "V", "card": "russian/T-34/85", "at": "D3", "vca": "N/NE", **(flags or {})}
    defenders = units or (squad("S", at="D2"),)
    german = side(*defenders, weapons=fields.pop("weapons", ()))
    fields |= {"attacker": "russian", "player": "russian", "conditions": {"year": 1942}}
    clash = Clash("MPh", german=german, russian=side(vehicles=[tank]), **fields)
    clash.play(MoveVehicle(V, (START, VehicleStep(to=clash.hex("D2"))), halt=True))
    if clash.state.vehicles[V].hex == clash.hex("D3"):
        # Somebody could fire at the start.
        clash.play(HoldFire())
    return clash


def attack(clash: Clash) -> VehicleAssaulted:
    return next(event for event in clash.events if isinstance(event, VehicleAssaulted))


def checks(clash: Clash) -> list[str]:
    return [event.check for event in clash.events if isinstance(event, ev.MoraleChecked)]


@rules("3.3.4", system="aslsk3")
def test_3_3_4_whoever_is_in_its_hex_attacks_after_his_task_check() -> None:
    clash = driven()
    assert clash.asked == "german"
    clash.play(ReactionFire((S,), V), (3, 4), (6, 5))
    assert checks(clash) == ["PAATC"]
    assert (attack(clash).value.total, attack(clash).drm.total) == (5, 2)
    assert clash.unit("S").mark is Mark.FIRST_FIRE


@rules("3.3.4", system="aslsk3")
def test_3_3_4_failure_pins_and_there_is_no_attack() -> None:
    clash = driven()
    clash.play(ReactionFire((S,), V), (6, 5))
    assert clash.unit("S").pinned
    assert not clash.saw(VehicleAssaulted)
    assert clash.unit("S").mark is Mark.NONE


@rules("3.3.4", system="aslsk3")
def test_3_3_4_a_leader_takes_no_check_and_helps() -> None:
    clash = driven(squad("S", at="D2"), squad("L", "german/8-1", "D2"))
    clash.play(ReactionFire((S, L), V), (4, 4), (6, 5))
    assert checks(clash) == ["PAATC"]
    assert (attack(clash).value.total, attack(clash).drm.total) == (6, 1)
    clash = driven(squad("S", at="D2"), squad("L", "german/8-1", "D2"))
    clash.play(ReactionFire((L,), V), (6, 5))
    assert checks(clash) == []


@rules("3.3.4", system="aslsk3")
def test_3_3_4_a_leader_whose_squad_dares_not_has_his_attack_left() -> None:
    clash = driven(squad("S", at="D2"), squad("L", "german/8-1", "D2"))
    clash.play(ReactionFire((S, L), V), (6, 5))
    assert clash.unit("S").pinned
    assert clash.why(ReactionFire((S, L), V)) == "3.3.4"
    clash.play(ReactionFire((L,), V), (6, 5))
    assert attack(clash).value.total == 2
    assert clash.asked == "russian", "one MP, one attack"


@rules("3.3.4", system="aslsk3")
def test_3_3_4_the_attack_marks_weapons_too_and_a_leader_who_has_fired_takes_nothing_off() -> None:
    mg = [{"id": "mg", "card": "german/LMG", "owner": "S"}]
    leader = squad("L", "german/8-1", "D2", mark="First Fire")
    clash = driven(squad("S", at="D2"), leader, weapons=mg)
    clash.play(ReactionFire((S, L), V), (3, 4), (6, 5))
    assert attack(clash).value.total == 6
    assert clash.state.weapons[WeaponId("mg")].mark is Mark.FIRST_FIRE
    assert (clash.unit("S").mark, clash.unit("L").mark) == (Mark.FIRST_FIRE, Mark.FINAL_FIRE)


@rules("3.3.4", "3.8", system="aslsk3")
def test_3_3_4_two_leaders_attack_together() -> None:
    clash = driven(squad("L", "german/8-1", "D2"), squad("M", "german/8-0", "D2"))
    assert clash.why(ReactionFire((L, UnitId("M")), V)) == ""
    clash.play(ReactionFire((L, UnitId("M")), V), (6, 5))
    assert attack(clash).value.total == 3


@rules("3.3.4", system="aslsk3")
def test_3_3_4_as_often_as_mp_were_spent_there() -> None:
    clash = driven()
    clash.play(ReactionFire((S,), V), (3, 4), (6, 5))
    # One MP was spent to enter Open Ground.
    assert clash.asked == "russian"
    clash.play(ContinueVehicle((STOP,), halt=True))
    clash.play(ReactionFire((S,), V), (6, 5))
    assert checks(clash) == []
    assert (attack(clash).value.total, attack(clash).drm.total) == (4, 0)
    assert clash.unit("S").mark is Mark.FINAL_FIRE


@rules("3.3.4", system="aslsk3")
def test_3_3_4_final_protective_fire_is_a_morale_check() -> None:
    clash = driven(squad("S", at="D2", mark="Final Fire"))
    clash.play(ReactionFire((S,), V), (3, 4), (5, 5))
    assert attack(clash).value.total == 4
    assert checks(clash) == ["PAATC", "FPF"]
    assert clash.unit("S").broken
    held = driven(squad("S", at="D2", mark="Final Fire"))
    held.play(ReactionFire((S,), V), (3, 4), (3, 3))
    assert held.unit("S").mark is Mark.FINAL_FIRE


@rules("3.3.4", system="aslsk3")
def test_3_3_4_one_less_after_using_a_weapon() -> None:
    clash = driven(squad("S", at="D2", used=["mg"]), weapons=[{"id": "mg", "card": "german/LMG", "owner": "S"}])
    clash.play(ReactionFire((S,), V), (3, 4), (6, 5))
    assert attack(clash).value.total == 4
    assert clash.state.weapons["mg"].mark is Mark.FIRST_FIRE  # type: ignore[index]


@rules("3.3.4", system="aslsk3")
@pytest.mark.parametrize("flags", [{"pinned": True}, {"broken": True}])
def test_3_3_4_nobody_pinned_or_broken(flags: dict[str, Any]) -> None:
    clash = driven(squad("S", at="D2", **flags))
    assert clash.asked == "russian"


@rules("3.3.4", system="aslsk3")
def test_3_3_4_from_the_hex_of_the_vehicle_alone() -> None:
    clash = driven(squad("S", at="D2"), squad("N", at="D1"))
    assert clash.why(ReactionFire((UnitId("N"),), V)) == "3.3.4"
    assert clash.why(ReactionFire((S, UnitId("N")), V)) == "3.3.4"
    assert clash.why(ReactionFire((S,), VehicleId("X"))) == "3.3.4"


@rules("3.3.4", system="aslsk3")
def test_3_3_4_no_two_mmc_together() -> None:
    clash = driven(squad("S", at="D2"), squad("N", at="D2"))
    assert clash.why(ReactionFire((S, UnitId("N")), V)) == "3.8"


@rules("3.3.4", system="aslsk3")
def test_3_3_4_a_wreck_drives_no_farther() -> None:
    clash = driven(squad("S", at="D2"), squad("N", at="D2"))
    clash.play(ReactionFire((S,), V), (3, 4), (1, 1), 6)
    assert clash.state.vehicles[V].wreck


@rules("3.3.4", "3.8", system="aslsk3")
def test_3_8_infantry_in_melee_with_a_vehicle_is_free_when_it_starts() -> None:
    tank = {"id": "V", "card": "russian/T-34/85", "at": "D2", "vca": "N/NE"}
    german = side(squad("S", at="D2", melee=True))
    clash = Clash("MPh", german=german, russian=side(vehicles=[tank]), attacker="russian", player="russian")
    clash.play(MoveVehicle(V, (START,), halt=True))
    assert not clash.unit("S").melee
    assert clash.asked == "german"


@rules("3.3.4", system="aslsk3")
def test_3_3_4_exact_odds() -> None:
    """The squad passes its PAATC with 7 or less; then CCV 5 and +2 eliminate with a 2, and a 3 immobilizes."""
    clash = driven(squad("S", at="D2"), squad("N", at="D2"))
    found = clash.rules.unit_odds(clash.state, ReactionFire((S,), V))
    passes = Fraction(21, 36)
    chances = {chance.what: Fraction(chance.exact) for chance in found["V"]}
    assert chances["wrecked"] == passes * Fraction(1, 36)
    assert chances["immobilized"] == passes * Fraction(2, 36)
    assert {chance.what: Fraction(chance.exact) for chance in found["S"]}["pinned"] == 1 - passes
