"""4.3: Demolition Charges placed against AFV."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from sandtable.systems.aslsk.common import events as ev
from sandtable.systems.aslsk.common.actions import Fire, Move
from sandtable.systems.aslsk.common.facts import armour_events as ar
from sandtable.systems.aslsk.pieces.state import MoveStep, StepKind, UnitId, VehicleId, WeaponId, WeaponState
from tests.aslsk.clash import PLAIN, Clash, side, squad

rules = pytest.mark.rules
KV, TANK, CHARGE = "russian/KV-1E", VehicleId("t"), WeaponId("dc")


def placed(
    *,
    facing: int = 0,
    flags: dict[str, Any] | None = None,
    weapon: dict[str, Any] | None = None,
    infantry: bool = False,
) -> Clash:
    """A charge on a tank in D3 that points N/NE, placed through the hexside ``facing`` (0 is north)."""
    tank = {"id": "t", "card": KV, "at": "D3", "vca": "N/NE", **(flags or {})}
    clash = Clash(
        "AFPh",
        PLAIN,
        german=side(squad("g", at="D2"), weapons=[{"id": "dc", "card": "german/DC", "placed": "D3"}]),
        russian={
            **side(squad("r", "russian/4-4-7", at="D3" if infantry else "G5")),
            "vehicles": [tank],
        },
        attacker="german",
    )
    charge = replace(clash.state.weapons[CHARGE], placed_on="t", placed_side=facing, **(weapon or {}))
    clash.state = replace(clash.state, weapons={CHARGE: charge})
    return clash


def blow(clash: Clash, *dice: Any) -> None:
    clash.play(Fire((), (CHARGE,), clash.hex("D3")), *dice)


@rules("4.3", system="aslsk3")
@pytest.mark.parametrize(
    ("facing", "flags", "cx", "drm"),
    [
        (0, {}, False, 1),
        (1, {}, False, 1),
        (2, {}, False, 0),
        (3, {}, False, -1),
        (4, {}, False, -1),
        (5, {}, False, 0),
        (2, {"motion": True}, False, 2),
        (2, {"started": True}, False, 2),
        (2, {}, True, 1),
        (2, {"exposed": True}, False, 1),
        (2, {"immobilized": True}, False, -2),
        (2, {"bog": "Bog"}, False, -2),
        (2, {"shock": "Shock"}, False, -2),
        (2, {"tca": "S/SW"}, False, 0),
    ],
)
def test_4_3_position_drm(facing: int, flags: dict[str, Any], cx: bool, drm: int) -> None:
    clash = placed(facing=facing, flags=flags, weapon={"placer_cx": cx})
    blow(clash, (1, 1), (6, 6))
    found = next(event for event in clash.events if isinstance(event, ar.ChargePositioned))
    assert found.drm.total == drm


@rules("4.3", "7.9", system="aslsk3")
@pytest.mark.parametrize(
    ("position", "kill", "number", "result"),
    [
        # Through the side: 8 on the hull, 11 on the turret.
        ((4, 4), (3, 4), 8, "eliminated"),
        ((4, 4), (4, 4), 8, "immobilized"),
        ((4, 4), (5, 4), 8, "immobilized"),
        ((4, 4), (5, 5), 8, ""),
        ((3, 5), (2, 2), 5, "eliminated"),
        ((3, 5), (3, 3), 5, "shock"),
    ],
)
def test_4_3_a_charge_on_the_armour(position: tuple[int, int], kill: tuple[int, int], number: int, result: str) -> None:
    """8 or less; the position DR says hull or turret, and armour counts against 16."""
    clash = placed(facing=2)
    blow(clash, position, kill)
    found = next(event for event in clash.events if isinstance(event, ar.ToKillResolved))
    assert (found.number.total, found.result) == (number, result)
    assert clash.state.weapons[CHARGE].state is WeaponState.REMOVED


@rules("4.3", system="aslsk3")
def test_4_3_9_to_11_strikes_an_exposed_crew_alone() -> None:
    """With a DR of its own and all the FP; a buttoned up crew feels nothing."""
    clash = placed(facing=2, flags={"exposed": True}, infantry=True)
    blow(clash, (4, 4), (4, 3), (1, 1))
    attack = next(event for event in clash.events if isinstance(event, ar.CrewAttacked))
    assert (attack.column, attack.drm.total) == (30, 2)
    assert not clash.saw(ar.ToKillResolved)
    assert not clash.saw(ev.FireResolved)
    shut = placed(facing=2, infantry=True)
    blow(shut, (5, 4))
    assert not shut.saw(ar.CrewAttacked)
    assert shut.state.weapons[CHARGE].state is WeaponState.REMOVED


@rules("4.3", system="aslsk3")
@pytest.mark.parametrize(("dice", "struck"), [((6, 5), True), ((6, 6), False)])
def test_4_3_the_dr_on_a_crew_meets_the_x_number_and_an_exhausted_placer(dice: tuple[int, int], struck: bool) -> None:
    """A position of 11 still strikes the crew: 9, CE and CX."""
    clash = placed(facing=2, flags={"exposed": True}, weapon={"placer_cx": True, "fails_at": 12}, infantry=True)
    blow(clash, (4, 5), dice, *([(1, 2)] if struck else []))
    attacks = [event.drm.total for event in clash.events if isinstance(event, ar.CrewAttacked)]
    assert attacks == ([3] if struck else []), "CE and CX"
    assert not clash.saw(ev.FireResolved)


@rules("4.3", system="aslsk3")
def test_4_3_an_exhausted_placer_adds_one_to_the_to_kill_dr() -> None:
    clash = placed(facing=2, weapon={"placer_cx": True})
    blow(clash, (4, 3), (3, 4))
    assert clash.saw(ar.ToKillResolved, result="immobilized"), "8, where 7 would eliminate"


@rules("4.3", system="aslsk3")
def test_4_3_12_and_more_rolls_off_and_attacks_the_others_at_half_fp() -> None:
    clash = placed(facing=0, infantry=True, flags={"exposed": False})
    blow(clash, (6, 5), (6, 4))
    assert clash.saw(ev.FireResolved, column=12)
    assert not clash.saw(ar.ToKillResolved)


@rules("4.3", system="aslsk3")
def test_4_3_a_charge_fails_at_its_x_number_against_an_afv() -> None:
    clash = placed(facing=2, weapon={"fails_at": 10})
    blow(clash, (4, 4), (5, 5))
    assert clash.saw(ar.ToKillResolved, dud=True)
    assert clash.state.weapons[CHARGE].state is WeaponState.REMOVED


@rules("4.3", system="aslsk3")
def test_4_3_placing_a_charge_against_an_afv() -> None:
    """An adjacent AFV is named as it is placed; the hexside is kept."""
    clash = Clash(
        "MPh",
        german=side(squad("g", at="D2"), weapons=[{"id": "dc", "card": "german/DC", "owner": "g"}]),
        russian={
            **side(squad("r", "russian/4-4-7", at="G5", broken=True)),
            "vehicles": [{"id": "t", "card": KV, "at": "D3", "vca": "N/NE", "shock": "Shock"}],
        },
        attacker="german",
    )

    def place(*, unit: str = "", to: str = "D3") -> Move:
        step = MoveStep(StepKind.PLACE_DC, clash.hex(to), UnitId(unit), CHARGE)
        return Move((UnitId("g"),), (step,))

    assert clash.why(place()) == "4.3"
    assert clash.why(place(unit="nobody")) == "4.3"
    assert clash.why(place(unit="t", to="D1")) == "4.3"
    assert clash.why(place(unit="t")) == ""
    clash.play(place(unit="t"))
    charge = clash.state.weapons[CHARGE]
    assert (charge.placed_on, charge.placed_side, charge.placed) == ("t", 0, clash.hex("D3"))
