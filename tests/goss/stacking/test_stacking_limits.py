"""6.1-6.4: how much a hex holds."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from typing import Any

import pytest

from sandtable.core.errors import BadInput
from sandtable.systems.goss.movement.road_stacking import overstack_in
from sandtable.systems.goss.pieces.card import Size
from sandtable.systems.goss.pieces.unit import Mode
from sandtable.systems.goss.stacking.limits import Stacker, grouped, limits, overstack
from sandtable.systems.goss.stacking.stacker import stacker
from tests.goss.positions import position

OPEN, TIGHT = limits(is_constricted=False), limits(is_constricted=True)
_NUMBERS = count(1)


def unit(kind: str, size: Size = Size.COMPANY, steps: int = 1, **given: Any) -> Stacker:
    """A German unit of one division, of an id of its own."""
    told = {"nation": "German", "formation": "div", **given}
    return Stacker(f"{kind} {next(_NUMBERS)}", size, steps, **told)


def leg_bn(**given: Any) -> Stacker:
    return unit("Inf", Size.BATTALION, 3, is_personnel=True, **given)


def mech_bn(**given: Any) -> Stacker:
    return unit("Mot Inf", Size.BATTALION, 3, is_personnel=True, is_mech=True, **given)


def company(**given: Any) -> Stacker:
    return unit("Co", **{"is_personnel": True, **given})


def afv(**given: Any) -> Stacker:
    return unit("Pz", is_afv=True, is_mech=True, **given)


def engineers(**given: Any) -> Stacker:
    return unit("Eng", is_engineer=True, is_personnel=True, **given)


def anti_tank(**given: Any) -> Stacker:
    return unit("AT", is_anti_tank=True, **given)


def z_steps(number: int) -> Iterator[Stacker]:
    return (unit("Z", Size.Z_STEP, 0) for _ in range(number))


def fits(*units: Stacker, tight: bool = False) -> bool:
    return not overstack(units, TIGHT if tight else OPEN)


@pytest.mark.rules("6.1.0", "6.0", system="goss")
def test_a_constricted_hex_holds_less() -> None:
    assert fits(leg_bn(), company(), *z_steps(1), tight=True)
    assert not fits(leg_bn(), leg_bn(), tight=True)
    assert not fits(leg_bn(), company(), company(), tight=True)
    assert not fits(leg_bn(), *z_steps(2), tight=True)
    hybrid = unit("Hybrid", steps=2, is_hybrid=True, is_mech=True)
    assert fits(leg_bn(), engineers(), hybrid, tight=True)
    assert not fits(leg_bn(), engineers(), hybrid, anti_tank(), tight=True), "one of them stacks for free"


@pytest.mark.rules("6.3.0", system="goss")
def test_only_german_afv_companies_stack_for_free() -> None:
    us = {"nation": "US"}
    tanks = [mech_bn(**us), afv(**us), mech_bn(**us), company(**us)]
    assert not fits(*tanks)


@pytest.mark.rules("6.2.2", system="goss")
def test_who_carries_engineers() -> None:
    assert fits(unit("Hybrid", steps=2, is_hybrid=True), engineers(), company(), company())
    assert not fits(company(steps=2), engineers(), company(), company()), "a company is no host for engineers"


@pytest.mark.rules("4.1.1", "6.1.0", "6.5.0", system="goss")
def test_6_5_0_an_hq_is_a_battalion_when_the_limits_are_met() -> None:
    names = ["61-inf/HQ", "61-inf/1-481", "61-inf/2-481", "61-inf/61 Rcn"]
    with pytest.raises(BadInput, match="3 battalions, at most 2"):
        position(". .", {"0101": names[:3]}, {})
    found = position(". .", {"0101": [names[0], names[1], names[3]]}, {})
    assert overstack_in(found.ruleset.context, tuple(found.state.units.values()), found.ruleset.place("0101")) == ""


@pytest.mark.rules("6.2.2", system="goss")
def test_6_2_2_panzerjaeger_stack_with_infantry_on_foot_in_place_of_towed_guns() -> None:
    units = [f"183-vg/{one}" for one in ("I-330", "II-330", "183 PzJ", "183 Pio", "183 Fus")]
    found = position(". .", {}, {"0101": units})
    state, context = found.state, found.ruleset.context
    stack = tuple(state.units.values())
    assert overstack_in(context, stack, found.ruleset.place("0101")) == ""
    counted = [stacker(unit, context.card(unit)) for unit in stack]
    assert len(grouped(counted, OPEN)) == 3
    assert len(grouped([one for one in counted if one.size is not Size.BATTALION], OPEN)) == 3, "not with companies"


@pytest.mark.rules("6.2.0", system="goss")
def test_who_stacks_for_free_is_one_unit_with_its_host() -> None:
    host, tanks, pioneers = mech_bn(), afv(), engineers(steps=1)
    assert grouped([tanks, host, pioneers], OPEN) == ((host, tanks, pioneers),)
    two_step = engineers(steps=2)
    assert len(grouped([host, two_step], OPEN)) == 2, "only one-step companies"
    reduced = unit("Recon", steps=1, is_mech=True, is_recon=True)
    assert grouped([reduced, tanks], OPEN) == ((reduced, tanks),)


@pytest.mark.rules("6.2.1", system="goss")
def test_only_with_its_own_formation_and_no_breakdown_company() -> None:
    assert len(grouped([mech_bn(formation="other"), afv()], OPEN)) == 2
    assert len(grouped([company(is_mech=True, is_breakdown=True), afv()], OPEN)) == 2
    assert len(grouped([company(is_mech=True), afv()], OPEN)) == 1
    assert len(grouped([company(), afv()], OPEN)) == 2, "a Leg company carries none"


@pytest.mark.rules("6.6.0", system="goss")
def test_6_6_0_units_in_different_modes_stack() -> None:
    units = ["61-inf/1-481", "61-inf/2-481"]
    found = position(". .", {"0101": units}, {}, markers={units[0]: {"mode": "PA"}})
    state, context = found.state, found.ruleset.context
    assert {unit.mode for unit in state.units.values()} == {Mode.TAC, Mode.PREPARED_ASSAULT}
    assert overstack_in(context, tuple(state.units.values()), found.ruleset.place("0101")) == ""


@pytest.mark.rules("6.2.3", system="goss")
def test_an_american_light_tank_company_takes_an_engineer_place_with_cavalry() -> None:
    cavalry = unit("Cav", Size.BATTALION, 3, nation="US", is_recon=True, is_mech=True, is_armoured_cavalry=True)
    light = unit("M5", nation="US", is_light_tank=True, is_afv=True, is_mech=True)
    assert len(grouped([cavalry, light], OPEN)) == 1
    assert len(grouped([cavalry, light, engineers(nation="US")], OPEN)) == 2, "not in addition to it"
    assert len(grouped([leg_bn(nation="US"), light], OPEN)) == 2


def test_the_companies_are_given_to_the_hosts_so_that_most_ride() -> None:
    # The first engineers could take the hybrid too, but only it is left for the second ones.
    hybrid = unit("Hybrid", steps=2, is_mech=True, is_hybrid=True)
    battalion = leg_bn()
    groups = grouped([engineers(), anti_tank(), hybrid, battalion], OPEN)
    assert sorted(len(group) for group in groups) == [2, 2]
