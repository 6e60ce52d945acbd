"""Who is strongest, weakest or skilled is judged by what a unit is now and not by its fresh card; where the lost go."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from sandtable.systems.goss.assault.adjusting import KeepDesignations
from sandtable.systems.goss.assault.declaring import defenders_of
from sandtable.systems.goss.assault.eligibility import ferries
from sandtable.systems.goss.assault.frames import Stance
from sandtable.systems.goss.assault.measure import DEFENDED
from sandtable.systems.goss.assault.strength import Fighter, defence_share, ground_assault_value
from sandtable.systems.goss.assault.taking import Decide
from sandtable.systems.goss.common.as_one import with_own_rating
from sandtable.systems.goss.common.facts import Used
from sandtable.systems.goss.common.state import with_units
from sandtable.systems.goss.pieces.unit import Box, Mode, Supply, UnitId
from sandtable.systems.goss.support.struck import Choose
from tests.goss.assaults import Fight, with_hex
from tests.goss.battles import AXIS, hit
from tests.goss.positions import Units
from tests.goss.test_fine_print import ENG, PIO, THEM, THEY, TK, TOO, US, mark, recard, rules, sheet, shifts

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


# --- 13.8.4: the ground under the guns ----------------------------------------------------------------------------


def armour_drm(*units: UnitId, axis: UnitId, features: list[dict[str, Any]], **known: Any) -> int:
    """The DRM of armour and AT of units in 0304 against a defender in 0404."""
    counters = {"61-inf/Pak": {"type": "us-at-company"}}
    fight = Fight({"0304": list(units)}, {"0404": [axis]}, features=features, counters=counters)
    found = sheet(fight, units, (axis,), **known)
    return sum(term.value for term in found.drm.terms if term.rule.startswith("13.8.4"))


@rules("13.8.4a", "26.0")
def test_26_0_a_stream_between_them_takes_a_bonus_from_armour() -> None:
    stream = [{"kind": "stream", "sides": ["0304:NE"]}]
    lead = {"armour": (("allied", TK),)}
    dry, wet = (armour_drm(TK, axis=THEM, features=water, **lead) for water in ([], stream))
    assert dry - wet == 10


@rules("13.8.4c", "13.8.4e")
def test_13_8_4c_only_against_armour_does_the_defender_choose_the_clear_ground_of_the_attackers_vehicles() -> None:
    rough = [{"kind": "rough", "hexes": ["0404"]}]
    pak, pz = UnitId("61-inf/Pak"), UnitId("191-pz/1-191 Pz")
    known: dict[str, Any] = {"stand_off": (TK,), "armour": (("allied", pak), ("axis", pz))}
    assert armour_drm(pak, TK, axis=pz, features=rough, **known) == -20, "6 against 3, less 1 for the rough"
    led = [armour_drm(TK, axis=pz, features=ground, armour=(("allied", TK), ("axis", pz))) for ground in (rough, [])]
    assert led[0] == led[1] < 0, "the ground under the tanks is clear"


@rules("13.8.4e", "13.8.4a")
def test_13_8_4e_mounted_infantry_defends_on_the_ground_that_takes_least_of_its_bonus() -> None:
    both = [{"kind": kind, "hexes": ["0404"]} for kind in ("rough", "location")]
    pzg = UnitId("191-pz/I-191 PzG")
    assert armour_drm(US, axis=pzg, features=both) == -10
    assert armour_drm(US, axis=pzg, features=both[:1]) == 0


# --- 13.7.4a: who has defended ------------------------------------------------------------------------------------


@rules("13.7.4a")
@pytest.mark.parametrize(("kind", "has_defended"), [("IP", True), ("ET-3", False)])
def test_13_7_4a_an_assault_left_of_the_table_does_not_keep_its_hex_from_supporting_others(
    kind: str, has_defended: bool
) -> None:
    works = [{"hex": "0404", "kind": kind, "side": "axis"}]
    fight = Fight({"0304": [US]}, {"0404": [THEM, THEY]}, works=works, markers={US: {"designated": True}})
    for one in (THEM, THEY):
        mark(fight, one, in_works=True)
    fight.do(KeepDesignations(), 50, 50, *([0] * 9))
    while not any(type(event).__name__ == "AssaultRolled" for event in fight.events):
        fight.do(fight.answers[0], 50, 50, *([0] * 9))
    assert any(isinstance(event, Used) and event.use.what == DEFENDED for event in fight.events) is has_defended


# --- 13.11.5: who stays when a bridge breaks ----------------------------------------------------------------------


@rules("13.11.5", "11.6.3b")
@pytest.mark.parametrize(("die", "tanks"), [(0, "0404"), (9, "0504")])
def test_13_11_5_men_retreat_on_where_a_bridge_has_broken_under_their_tanks(die: int, tanks: str) -> None:
    pz = UnitId("191-pz/1-191 Pz")
    water = [{"kind": "river", "sides": ["0404:SE"]}, {"kind": "trail", "line": ["0404", "0504"]}]
    around = {hex: units for hex, units in AROUND.items() if hex != "0504"}
    fight = Fight(around, {"0404": [THEM, pz], "0807": ["791-inf/HQ"]}, features=water)
    frame = {"attackers": (US,), "defenders": (THEM, pz), "leads": (("axis", THEM), ("allied", US))}
    fight.suffer("axis", 0, 1, frame=frame).do(Decide(Stance.FULL), die)
    while "loses a step" in fight.title:
        fight.do(fight.answers[0])
    assert (fight.at(THEM), fight.at(pz)) == ("0504", tanks)


@rules("17.3.2a")
@pytest.mark.parametrize(("weights", "there"), [(("H", "H"), "0504"), (("H", "VH"), "0404")])
def test_17_3_2a_the_heaviest_of_a_stack_tries_the_bridge(weights: tuple[str, str], there: str) -> None:
    tanks = UnitId("191-pz/1-191 Pz"), UnitId("191-pz/2-191 Pz")
    water = [{"kind": "river", "sides": ["0404:SE"]}, {"kind": "trail", "line": ["0404", "0504"]}]
    around = {hex: units for hex, units in AROUND.items() if hex != "0504"}
    fight = Fight(around, {"0404": list(tanks), "0807": ["791-inf/HQ"]}, features=water)
    for one, weight in zip(tanks, weights, strict=True):
        recard(fight, one, weight=weight)
    frame = {"attackers": (US,), "defenders": tanks, "leads": (("axis", tanks[0]), ("allied", US))}
    fight.suffer("axis", 0, 1, frame=frame).do(Decide(Stance.FULL), 7)
    assert fight.at(tanks[1]) == there


@rules("6.2.0", "13.10.4a")
def test_6_2_0_of_companies_that_count_as_one_none_is_left_out_of_the_lowest_pr() -> None:
    scouts, pz = UnitId("191-pz/Auf"), UnitId("191-pz/1-191 Pz")
    fight = Fight({"0304": [US]}, {"0404": [scouts, pz]}, counters={"191-pz/Auf": {"type": "de-recon-company"}})
    counted = with_own_rating(fight.rules.context, [fight.unit(scouts), fight.unit(pz)])
    assert {unit.id for unit in counted} == {scouts, pz}
