"""Who is strongest, weakest or skilled is judged by what a unit is now and not by its fresh card; where the lost go."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from sandtable.systems.goss.assault.declaring import defenders_of
from sandtable.systems.goss.assault.eligibility import ferries
from sandtable.systems.goss.assault.frames import Stance
from sandtable.systems.goss.assault.strength import Fighter, defence_share, ground_assault_value
from sandtable.systems.goss.assault.taking import Decide
from sandtable.systems.goss.common.state import with_units
from sandtable.systems.goss.pieces.unit import Box, Mode, Supply, UnitId
from sandtable.systems.goss.support.struck import Choose
from tests.goss.assaults import Fight, with_hex
from tests.goss.battles import AXIS, hit
from tests.goss.positions import Units
from tests.goss.test_fine_print import ENG, PIO, THEM, THEY, TOO, US, mark, rules, sheet, shifts

GUNS, MORE_GUNS = UnitId("791-inf/I-791 AR"), UnitId("791-inf/II-791 AR")
AROUND: Units = {
    "0403": [US],
    "0503": [TOO],
    "0504": [ENG],
    "0405": ["61-inf/688 TD"],
    "0304": ["61-inf/3-481"],
    "0303": ["61-inf/1-482"],
}
"""Nobody gets out of 0404."""


# --- 4.2.2: the box of those who were isolated -------------------------------------------------------------------


def surrounded(*units: UnitId, steps: int | None = None) -> tuple[Fight, dict[str, Any]]:
    fight = Fight(AROUND, {"0404": list(units), "0807": ["791-inf/HQ"]})
    for one in units:
        mark(fight, one, is_isolated=True, **({} if steps is None else {"steps": steps}))
    return fight, {"attackers": (US,), "defenders": units, "leads": (("axis", units[0]), ("allied", US))}


@rules("4.2.2", "13.11.4", "4.1.3")
def test_4_2_2_whoever_was_isolated_is_kept_apart_however_an_assault_has_eliminated_him() -> None:
    fight, frame = surrounded(THEM, GUNS)
    fight.suffer("axis", 0, 1, frame=frame).do(Decide(Stance.FULL))
    assert fight.unit(GUNS).box is Box.ISOLATED, "guns that cannot retreat"
    for losses, hits in ((1, 0), (0, 1)):
        fight, frame = surrounded(PIO, steps=0)
        fight.suffer("axis", losses, hits, frame=frame)
        if hits:
            fight.do(Decide(Stance.FULL))
        assert fight.unit(PIO).box is Box.ISOLATED, "Z-steps alone"
    fight, frame = surrounded(THEM, PIO)
    mark(fight, PIO, steps=0)
    fight.suffer("axis", 1, 0, frame=frame)
    assert fight.unit(PIO).box is Box.ISOLATED, "a Z-step goes with the step of a battalion"


@rules("4.2.2", "11.6.3e", "4.1.3")
def test_4_2_2_whoever_was_isolated_is_kept_apart_however_fire_has_eliminated_him() -> None:
    field = hit(2, THEM, GUNS, is_isolated=True).play(AXIS, Choose(as_retreat=True))
    assert field.state.units[GUNS].box is Box.ISOLATED
    field = hit(1, PIO, is_isolated=True, steps=0).play(AXIS, Choose(as_retreat=False))
    assert field.state.units[PIO].box is Box.ISOLATED
    assert hit(1, PIO, steps=0).play(AXIS, Choose(as_retreat=False)).state.units[PIO].box is Box.ELIMINATED


# --- 13.6.1b, 17.2.1, 6.7.0: by present strength -----------------------------------------------------------------


@rules("13.6.1b", "13.6.1c")
def test_13_6_1b_of_guns_alone_the_one_is_halved_that_is_worth_the_least_now() -> None:
    def value(*guns: Fighter) -> int:
        return ground_assault_value(defence_share(one, guns) for one in guns)

    fresh, tired = (Fighter(name, 4, is_artillery=True, fatigue=level) for name, level in (("a", 0), ("b", 2)))
    assert value(fresh, tired) == value(tired, fresh) == 5, "a quarter is no less for it"
    dry, small = Fighter("a", 4, is_artillery=True, is_depleted=True), Fighter("b", 2, is_artillery=True)
    assert value(dry, small) == 3, "guns without ammunition have one: half of that"
    same = Fighter("b", 4, is_artillery=True)
    assert value(fresh, same) == 6


@rules("17.2.1", "17.2.2")
def test_17_2_1_engineers_ferry_those_who_are_the_strongest_now() -> None:
    fight = Fight({"0304": [US, TOO, ENG]}, {"0404": [THEM]})
    prepared = [replace(fight.unit(one), mode=Mode.PREPARED_ASSAULT) for one in (US, TOO, ENG)]
    context = fight.rules.context
    assert US in ferries(context, prepared, is_major=True)[0]
    worn = [replace(prepared[0], steps=1), *prepared[1:]]
    assert ferries(context, worn, is_major=True)[0] == {TOO}


@rules("6.7.0", "13.3.1")
def test_6_7_0_of_too_many_the_strongest_now_defend() -> None:
    third = UnitId("791-inf/I-1572")
    fight = Fight({"0304": [US]}, {"0404": [THEM, THEY], "0505": [third]})
    state = with_units(fight.state, replace(fight.unit(third), hex=fight.hex("0404")))
    context, target = fight.rules.context, fight.hex("0404")
    worn = with_units(state, replace(state.units[THEM], steps=1))
    assert set(defenders_of(context, worn, target)[0]) == {THEY, third}
    assert THEM in defenders_of(context, state, target)[0]


# --- 13.7.4b: engineers in a town ---------------------------------------------------------------------------------


@rules("13.7.4b")
def test_13_7_4b_engineers_out_of_supply_keep_nobody_from_their_town() -> None:
    def helped(**marks: Any) -> int:
        fight = Fight({"0304": [US, ENG]}, {"0404": [THEM, PIO]}, with_hex("t", "0404"))
        mark(fight, PIO, **marks)
        return shifts(sheet(fight, (US, ENG), (THEM, PIO))).get("engineers against a town", 0)

    assert helped() == helped(fatigue=1) == 0
    assert helped(supply=Supply.OUT) == 1


# --- 13.11.4: the steps of guns that are lost ---------------------------------------------------------------------


@rules("13.11.4", "4.1.3")
def test_13_11_4_a_z_step_of_guns_that_is_lost_makes_up_for_no_hit() -> None:
    for steps, hits in ((1, 0), (0, 1)):
        fight = Fight({"0304": [US]}, {"0404": [THEM, GUNS], "0807": ["791-inf/HQ"]})
        mark(fight, GUNS, steps=steps, in_battery=True)
        frame = {"attackers": (US,), "defenders": (THEM, GUNS), "leads": (("axis", THEM), ("allied", US))}
        fight.suffer("axis", 0, 1, frame=frame).do(Decide(Stance.FULL))
        while "retreat into" in fight.title:
            fight.do(fight.answers[0])
        assert fight.unit(GUNS).hex is None
        assert (fight.at(THEM) != "0404") is bool(hits)
