"""3.3.4: Infantry attacks a vehicle that spends MP in its hex."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from sandtable.systems.aslsk.common import events as ev
from sandtable.systems.aslsk.common.actions import ContinueVehicle, HoldFire, MoveVehicle, ReactionFire
from sandtable.systems.aslsk.common.facts.melee_events import VehicleAssaulted
from sandtable.systems.aslsk.pieces.state import Mark, UnitId, VehicleDeed, VehicleId, VehicleStep, WeaponId
from tests.aslsk.desk import Desk, side, squad

rules = pytest.mark.rules
V = VehicleId("V")
S, L = UnitId("S"), UnitId("L")
START, STOP = VehicleStep(VehicleDeed.START), VehicleStep(VehicleDeed.STOP)


def driven(*units: dict[str, Any], flags: dict[str, Any] | None = None, **fields: Any) -> Desk:
    """A Russian tank enters D2, where Germans are; nobody has panzerfausts yet."""
    tank = {"id": "V", "card": "russian/T-34/85", "at": "D3", "vca": "N/NE", **(flags or {})}
    defenders = units or (squad("S", at="D2"),)
    german = side(*defenders, weapons=fields.pop("weapons", ()))
    fields |= {"attacker": "russian", "player": "russian", "conditions": {"year": 1942}}
    desk = Desk("MPh", german=german, russian=side(vehicles=[tank]), **fields)
    desk.play(MoveVehicle(V, (START, VehicleStep(to=desk.hex("D2"))), halt=True))
    if desk.state.vehicles[V].hex == desk.hex("D3"):
        # Somebody could fire at the start.
        desk.play(HoldFire())
    return desk


def attack(desk: Desk) -> VehicleAssaulted:
    return next(event for event in desk.events if isinstance(event, VehicleAssaulted))


def checks(desk: Desk) -> list[str]:
    return [event.check for event in desk.events if isinstance(event, ev.MoraleChecked)]


@rules("3.3.4", system="aslsk3")
def test_3_3_4_whoever_is_in_its_hex_attacks_after_his_task_check() -> None:
    desk = driven()
    assert desk.asked == "german"
    desk.play(ReactionFire((S,), V), (3, 4), (6, 5))
    assert checks(desk) == ["PAATC"]
    assert (attack(desk).value.total, attack(desk).drm.total) == (5, 2)
    assert desk.unit("S").mark is Mark.FIRST_FIRE


@rules("3.3.4", system="aslsk3")
def test_3_3_4_failure_pins_and_there_is_no_attack() -> None:
    desk = driven()
    desk.play(ReactionFire((S,), V), (6, 5))
    assert desk.unit("S").pinned
    assert not desk.saw(VehicleAssaulted)
    assert desk.unit("S").mark is Mark.NONE


@rules("3.3.4", system="aslsk3")
def test_3_3_4_a_leader_takes_no_check_and_helps() -> None:
    desk = driven(squad("S", at="D2"), squad("L", "german/8-1", "D2"))
    desk.play(ReactionFire((S, L), V), (4, 4), (6, 5))
    assert checks(desk) == ["PAATC"]
    assert (attack(desk).value.total, attack(desk).drm.total) == (6, 1)
    desk = driven(squad("S", at="D2"), squad("L", "german/8-1", "D2"))
    desk.play(ReactionFire((L,), V), (6, 5))
    assert checks(desk) == []


@rules("3.3.4", system="aslsk3")
def test_3_3_4_a_leader_whose_squad_dares_not_has_his_attack_left() -> None:
    desk = driven(squad("S", at="D2"), squad("L", "german/8-1", "D2"))
    desk.play(ReactionFire((S, L), V), (6, 5))
    assert desk.unit("S").pinned
    assert desk.why(ReactionFire((S, L), V)) == "3.3.4"
    desk.play(ReactionFire((L,), V), (6, 5))
    assert attack(desk).value.total == 2
    assert desk.asked == "russian", "one MP, one attack"


@rules("3.3.4", system="aslsk3")
def test_3_3_4_the_attack_marks_weapons_too_and_a_leader_who_has_fired_takes_nothing_off() -> None:
    mg = [{"id": "mg", "card": "german/LMG", "owner": "S"}]
    leader = squad("L", "german/8-1", "D2", mark="First Fire")
    desk = driven(squad("S", at="D2"), leader, weapons=mg)
    desk.play(ReactionFire((S, L), V), (3, 4), (6, 5))
    assert attack(desk).value.total == 6
    assert desk.state.weapons[WeaponId("mg")].mark is Mark.FIRST_FIRE
    assert (desk.unit("S").mark, desk.unit("L").mark) == (Mark.FIRST_FIRE, Mark.FINAL_FIRE)


@rules("3.3.4", "3.8", system="aslsk3")
def test_3_3_4_two_leaders_attack_together() -> None:
    desk = driven(squad("L", "german/8-1", "D2"), squad("M", "german/8-0", "D2"))
    assert desk.why(ReactionFire((L, UnitId("M")), V)) == ""
    desk.play(ReactionFire((L, UnitId("M")), V), (6, 5))
    assert attack(desk).value.total == 3


@rules("3.3.4", system="aslsk3")
def test_3_3_4_as_often_as_mp_were_spent_there() -> None:
    desk = driven()
    desk.play(ReactionFire((S,), V), (3, 4), (6, 5))
    # One MP was spent to enter Open Ground.
    assert desk.asked == "russian"
    desk.play(ContinueVehicle((STOP,), halt=True))
    desk.play(ReactionFire((S,), V), (6, 5))
    assert checks(desk) == []
    assert (attack(desk).value.total, attack(desk).drm.total) == (4, 0)
    assert desk.unit("S").mark is Mark.FINAL_FIRE


@rules("3.3.4", system="aslsk3")
def test_3_3_4_final_protective_fire_is_a_morale_check() -> None:
    desk = driven(squad("S", at="D2", mark="Final Fire"))
    desk.play(ReactionFire((S,), V), (3, 4), (5, 5))
    assert attack(desk).value.total == 4
    assert checks(desk) == ["PAATC", "FPF"]
    assert desk.unit("S").broken
    held = driven(squad("S", at="D2", mark="Final Fire"))
    held.play(ReactionFire((S,), V), (3, 4), (3, 3))
    assert held.unit("S").mark is Mark.FINAL_FIRE


@rules("3.3.4", system="aslsk3")
def test_3_3_4_one_less_after_using_a_weapon() -> None:
    desk = driven(squad("S", at="D2", used=["mg"]), weapons=[{"id": "mg", "card": "german/LMG", "owner": "S"}])
    desk.play(ReactionFire((S,), V), (3, 4), (6, 5))
    assert attack(desk).value.total == 4
    assert desk.state.weapons["mg"].mark is Mark.FIRST_FIRE  # type: ignore[index]


@rules("3.3.4", system="aslsk3")
@pytest.mark.parametrize("flags", [{"pinned": True}, {"broken": True}])
def test_3_3_4_nobody_pinned_or_broken(flags: dict[str, Any]) -> None:
    desk = driven(squad("S", at="D2", **flags))
    assert desk.asked == "russian"


@rules("3.3.4", system="aslsk3")
def test_3_3_4_from_the_hex_of_the_vehicle_alone() -> None:
    desk = driven(squad("S", at="D2"), squad("N", at="D1"))
    assert desk.why(ReactionFire((UnitId("N"),), V)) == "3.3.4"
    assert desk.why(ReactionFire((S, UnitId("N")), V)) == "3.3.4"
    assert desk.why(ReactionFire((S,), VehicleId("X"))) == "3.3.4"


@rules("3.3.4", system="aslsk3")
def test_3_3_4_no_two_mmc_together() -> None:
    desk = driven(squad("S", at="D2"), squad("N", at="D2"))
    assert desk.why(ReactionFire((S, UnitId("N")), V)) == "3.8"


@rules("3.3.4", system="aslsk3")
def test_3_3_4_a_wreck_drives_no_farther() -> None:
    desk = driven(squad("S", at="D2"), squad("N", at="D2"))
    desk.play(ReactionFire((S,), V), (3, 4), (1, 1), 6)
    assert desk.state.vehicles[V].wreck


@rules("3.3.4", "3.8", system="aslsk3")
def test_3_8_infantry_in_melee_with_a_vehicle_is_free_when_it_starts() -> None:
    tank = {"id": "V", "card": "russian/T-34/85", "at": "D2", "vca": "N/NE"}
    german = side(squad("S", at="D2", melee=True))
    desk = Desk("MPh", german=german, russian=side(vehicles=[tank]), attacker="russian", player="russian")
    desk.play(MoveVehicle(V, (START,), halt=True))
    assert not desk.unit("S").melee
    assert desk.asked == "german"


@rules("3.3.4", system="aslsk3")
def test_3_3_4_exact_odds() -> None:
    """The squad passes its PAATC with 7 or less; then CCV 5 and +2 eliminate with a 2, and a 3 immobilizes."""
    desk = driven(squad("S", at="D2"), squad("N", at="D2"))
    found = desk.rules.unit_odds(desk.state, ReactionFire((S,), V))
    passes = Fraction(21, 36)
    chances = {chance.what: Fraction(chance.exact) for chance in found["V"]}
    assert chances["wrecked"] == passes * Fraction(1, 36)
    assert chances["immobilized"] == passes * Fraction(2, 36)
    assert {chance.what: Fraction(chance.exact) for chance in found["S"]}["pinned"] == 1 - passes
