"""Half sentences of 8.4.3, 11.4, 13.7, 13.8.3, 13.10.2 and 13.12 that no other test would miss."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

import pytest
from msgspec.structs import replace

from sandtable.systems.goss.assault.advancing import Advance
from sandtable.systems.goss.assault.integrity import attacking_integrity, defending_integrity
from sandtable.systems.goss.common.state import FormationState, FuelState, Use
from sandtable.systems.goss.ground.weather import GroundCondition
from sandtable.systems.goss.observation.disclosure import spotter_is_told
from sandtable.systems.goss.pieces.card import FormationId, Kind, Size, Trait
from sandtable.systems.goss.pieces.unit import Mode, Supply, UnitId
from sandtable.systems.goss.support.guns import BARRAGE, call_of, guns_for
from tests.goss.assaults import Fight, with_hex
from tests.goss.positions import Units
from tests.goss.test_fine_print import (
    BIG,
    ENG,
    RECON,
    THEM,
    THEY,
    TOO,
    US,
    after_assault,
    mark,
    may_convert,
    recard,
    rules,
    sheet,
    shifts,
    ways,
)

HYBRID = UnitId("ccb/1-CCB")


# --- 8.4.3, 11.4.1d: fire ----------------------------------------------------------------------------------------


@rules("8.4.3", "8.2.1")
def test_8_4_3_hedges_below_a_height_hide_no_armour_from_its_spotter() -> None:
    for cells, is_told in (("V b", True), (". b", False)):
        fight = Fight({"0101": [US]}, {"0201": [THEM]}, cells)
        mark(fight, THEM, is_designated=True)
        told = spotter_is_told(fight.rules.context, fight.state, fight.unit(US), is_defensive=False)
        assert [report.hex for report in told] == ([fight.hex("0201")] if is_told else [])


@rules("11.4.1f", "11.4.1d")
def test_11_4_1f_a_heavy_gun_that_has_fired_a_part_of_its_points_spares_fortresses() -> None:
    area = [{"kind": "ft_area", "hexes": ["0401"], "attributes": {"owner": "axis"}}]
    for features, points in (([], (5, 4)), (area, (5, None))):
        fight = Fight({"0301": [US], "0201": [BIG]}, {"0401": [THEM]}, features=features)
        recard(fight, BIG, barrage=5)
        context, hex = fight.rules.context, fight.hex("0401")
        call = call_of(context, fight.state, fight.unit(US).side, fight.unit(US), hex, is_defensive=False)
        for state, left in zip(
            (fight.state, replace(fight.state, used=(Use(BARRAGE, BIG, None, 1),))), points, strict=True
        ):
            assert [gun.points for gun in guns_for(context, state, call)] == ([left] if left else [])


@rules("11.4.1d")
def test_11_4_1d_after_two_missions_guns_of_the_axis_fire_no_third_though_they_could() -> None:
    own = UnitId("791-inf/I-791 AR")
    fight = recard(Fight({"0301": [US]}, {"0401": [THEM], "0601": [own]}), own, barrage=4)
    context, hex = fight.rules.context, fight.hex("0301")
    for missions in (1, 2):
        state = replace(fight.state, used=(Use(BARRAGE, own, None, 1),) * missions)
        call = call_of(context, state, state.units[THEM].side, state.units[THEM], hex, is_defensive=False)
        assert [gun.points for gun in guns_for(context, state, call)] == ([3] if missions == 1 else [])


# --- 13.7: what shifts the column, by what lies on the map -------------------------------------------------------


@rules("13.7.3", "13.7.4", "11.6.1")
def test_13_7_3_markers_count_by_stacks_and_not_by_units() -> None:
    fight = Fight({"0304": [US, ENG], "0403": [TOO]}, {"0404": [THEM, THEY]})
    for one in (US, ENG, THEM, THEY):
        mark(fight, one, shifts=1)
    assert shifts(sheet(fight, (US, ENG, TOO), (THEM, THEY))) == {
        "AS markers on the defenders": 1,
        "AS markers on the attackers": -1,
    }
    mark(fight, TOO, shifts=1)
    assert shifts(sheet(fight, (US, ENG, TOO), (THEM, THEY)))["AS markers on the attackers"] == -2, "a stack each"


@rules("13.7.3", "13.7.4", "6.7.0")
def test_13_7_3_overstacks_help_the_other_side() -> None:
    crowd: Units = {"0304": [US, TOO], "0101": ["61-inf/3-481"]}
    fight = Fight(crowd, {"0404": [THEM, THEY], "0808": ["791-inf/I-1572"]})
    mark(fight, UnitId("61-inf/3-481"), hex=fight.hex("0304"))
    assert shifts(sheet(fight, (US, TOO), (THEM, THEY))) == {"attackers overstacked": -1}
    mark(fight, UnitId("791-inf/I-1572"), hex=fight.hex("0404"))
    assert shifts(sheet(fight, (US, TOO), (THEM, THEY))) == {"attackers overstacked": -1, "defenders overstacked": 1}


@rules("13.7.3", "13.7.4")
def test_13_7_3_supply_and_ammunition_that_are_short() -> None:
    fight = Fight({"0304": [US]}, {"0404": [THEM]}, them={"adv": 0})
    assert shifts(sheet(fight, (US,))) == {"a defender whose HQ has no ADV": 1}
    mark(mark(fight, US, supply=Supply.EXTENDED), THEM, supply=Supply.EXTENDED)
    told = shifts(sheet(fight, (US,)))
    assert told["an attacker on an extended supply path"] == -1
    assert told["a defender on an extended supply path"] == 1


@rules("13.7.4b", "17.2.1")
def test_17_2_1_engineers_who_ferry_have_no_skill_left() -> None:
    river = [{"kind": "river", "sides": ["0304:NE"]}]
    prepared = {one: {"mode": "PA"} for one in (US, ENG)}
    for features, helped in (([], 1), (river, 0)):
        fight = Fight({"0304": [US, ENG]}, {"0404": [THEM]}, with_hex("t", "0404"), features=features, markers=prepared)
        assert shifts(sheet(fight, (US, ENG))).get("engineers against a town", 0) == helped


@rules("13.7.4a")
def test_13_7_4a_a_hex_beside_the_attackers_counts_once_more_on_a_vantage_point() -> None:
    fight = Fight({"0304": [US]}, {"0404": [THEM], "0305": [THEY]}, with_hex("V", "0305"))
    assert shifts(sheet(fight, (US,)))["adjacent defenders"] == -2


# --- 13.8.3b: regiments of armour --------------------------------------------------------------------------------


Changes = Mapping[UnitId, Mapping[str, Any]]


def counts(units: list[UnitId], cards: Changes = MappingProxyType({}), marks: Changes = MappingProxyType({})) -> Any:
    """How many of each regiment count, of attackers who stand around 0404."""
    fight = Fight(dict(zip(("0304", "0403", "0503"), ([one] for one in units), strict=False)), {"0404": [THEM]})
    for one, changes in cards.items():
        recard(fight, one, **changes)
    attackers = [replace(fight.unit(one), **marks.get(one, {})) for one in units]
    return attacking_integrity(fight.rules.context, fight.state, attackers).counts


@rules("13.8.3b")
def test_13_8_3b_two_battalions_of_a_cavalry_group_at_most() -> None:
    units = [UnitId(f"61-inf/{one}-481") for one in (1, 2, 3)]
    cavalry = {"kind": Kind.RECON, "traits": frozenset({Trait.ARMOURED_CAVALRY})}
    assert counts(units) == (3,)
    assert counts(units, dict.fromkeys(units, cavalry)) == (2,)


@rules("13.8.3b")
def test_13_8_3b_tank_battalions_of_a_british_brigade_count_beside_its_infantry_fit_or_not() -> None:
    rtr, ffy, rifles = (UnitId(f"29-armd/{one}") for one in ("3 RTR", "2 FFY", "8 RB"))
    assert counts([rtr, ffy]) == (), "no infantry"
    assert counts([rtr, rifles]) == (2,)
    assert counts([rtr, ffy, rifles]) == (3,)
    assert counts([rtr, ffy, rifles], marks={rifles: {"fatigue": 1}}) == (2,), "it takes part, though it does not count"
    assert counts([rtr, rifles], marks={rifles: {"fatigue": 1}}) == ()
    assert counts([rtr, ffy, rifles], marks={rifles: {"formation": FormationId("61-inf")}}) == (), "attached elsewhere"
    assert counts([rtr, ffy, rifles], {rifles: {"size": Size.COMPANY}}, marks={rifles: {"fatigue": 1}}) == (), (
        "a company"
    )
    assert counts([rtr, rifles], {rtr: {"size": Size.COMPANY}}) == (), "a company of tanks"


@rules("13.8.3", "13.8.3b")
def test_13_8_3_a_regiment_of_one_that_nobody_fills_up_does_not_hide_the_next() -> None:
    fight = Fight({"0808": [US]}, {"0404": ["116-pz/I-60", THEM, "791-inf/791 Fus"]})
    units = [fight.unit(one) for one in ("116-pz/I-60", THEM, "791-inf/791 Fus")]
    assert attacking_integrity(fight.rules.context, fight.state, units).counts == (2,)


# --- 13.10.2: recon that armour hunts ----------------------------------------------------------------------------


@rules("13.10.2")
def test_13_10_2_guns_without_an_arm_factor_hunt_nobody() -> None:
    assert not may_convert(cover=False, armour=("axis",))
    pak = UnitId("791-inf/791 Pak")
    fight = Fight({"0304": [RECON]}, {"0404": [pak]})
    frame = {"attackers": (RECON,), "defenders": (pak,), "leads": (("allied", RECON),), "armour": (("axis", pak),)}
    fight.suffer("allied", 1, 0, frame=frame)
    assert fight.title == "allied: Reduce or convert a mandatory hit"


@rules("13.10.2")
def test_13_10_2_a_village_is_cover_enough_for_scouts_whom_armour_hunts() -> None:
    pz = UnitId("191-pz/1-191 Pz")
    frame = {"attackers": (RECON,), "defenders": (pz,), "leads": (("allied", RECON),), "armour": (("axis", pz),)}
    for kind, may in ((".", False), ("v", True)):
        fight = Fight({"0304": [RECON]}, {"0404": [pz]}, with_hex(kind, "0304"))
        fight.suffer("allied", 1, 0, frame=frame)
        assert (fight.title == "allied: Reduce or convert a mandatory hit") is may


@rules("13.10.2", "6.2.1")
def test_13_10_2_tanks_that_stack_for_free_with_recon_are_one_unit_with_it() -> None:
    counters = {"191-pz/Auf": {"type": "de-recon-company"}, "191-pz/Far": {"type": "de-pz-v"}}
    scouts, pz = UnitId("191-pz/Auf"), UnitId("191-pz/1-191 Pz")
    for units, may in (((scouts, pz), True), ((scouts, THEM), False)):
        fight = Fight({"0304": [US]}, {"0404": [*units], "0807": ["191-pz/Far"]}, counters=counters)
        fight.suffer("axis", 1, 0, frame={"attackers": (US,), "defenders": units, "leads": (("axis", scouts),)})
        assert (fight.title == "axis: Reduce or convert a mandatory hit") is may


# --- 13.12: who advances, and how far ----------------------------------------------------------------------------


@rules("13.12.5b", "19.4.3")
@pytest.mark.parametrize(("road", "goes_on"), [("secondary_road", True), ("trail", False)])
def test_19_4_3_in_mud_an_advance_goes_on_along_good_roads_only(road: str, goes_on: bool) -> None:
    features = [{"kind": road, "line": ["0304", "0404", "0503"]}]
    fight = after_assault([US], features=features, ground=GroundCondition.MUD)
    assert ("0404 0503" in ways(fight, US)) is goes_on


@rules("13.12.3", "13.12.5d")
def test_13_12_3_mode_and_fuel_bound_an_advance() -> None:
    fight = after_assault([HYBRID])
    assert "0404 0503" in ways(fight, HYBRID)
    low = replace(fight.state, formations={FormationId("ccb"): FormationState(fuel=FuelState.LOW)})
    tac = mark(after_assault([HYBRID]), HYBRID, mode=Mode.TAC, is_designated=True)
    assert ways(tac, HYBRID) == {"0404"}
    fight.state = low
    assert ways(fight, HYBRID) == {"0404"}


@rules("13.12.2", "6.0")
def test_13_12_2_an_advance_ends_within_the_stacking_limits() -> None:
    others = [UnitId("61-inf/3-481"), UnitId("61-inf/1-482")]
    fight = after_assault([US], path=(), also={"0505": others})
    assert ways(fight, US) == {"0404"}
    for one in others:
        mark(fight, one, hex=fight.hex("0404"))
    assert ways(fight, US) == set(), "two battalions have gone there"


@rules("13.12.4", "13.5.5")
def test_13_12_4_those_who_shared_the_hex_leave_no_free_way_while_they_live() -> None:
    fight = after_assault([US], path=(), axis={"0707": [THEY]})
    assault = replace(fight.state.stack[-2], defenders=(), aside=(THEY,), unresolved=2)
    fight.state = replace(fight.state, stack=(fight.state.stack[0], assault, fight.state.stack[-1]))
    assert ways(fight, US) == {"0404"}
    gone = replace(assault, aside=())
    fight.state = replace(fight.state, stack=(fight.state.stack[0], gone, fight.state.stack[-1]))
    assert "0404 0503" in ways(fight, US)


@rules("13.4.3", "13.12.1")
def test_13_4_3_no_more_than_stack_there_advance_through_a_constricted_hex() -> None:
    fight = after_assault([US, TOO, ENG], ("0503",), cells=with_hex("k", "0404"))
    assert ways(fight, US)
    assert ways(fight, TOO)
    fight.do(Advance(US, (fight.hex("0404"), fight.hex("0503"))))
    assert ways(fight, TOO) == set(), "one battalion has gone through"
    assert ways(fight, ENG)


@rules("13.12.3", "7.7.0")
def test_7_7_0_guns_that_the_attacker_did_not_know_of_halt_his_advance() -> None:
    flak = UnitId("944-flak/3-944 Flak")
    fight = after_assault([HYBRID], ("0503", "0602"), axis={"0405": [THEY, flak]})
    seen = fight.rules.conceal(fight.state, fight.state.units[HYBRID].side)
    assert flak not in seen.units, "it lies under the infantry"
    assert "0404 0503" in ways(fight, HYBRID), "for all that he knows"
    fight.do(Advance(HYBRID, (fight.hex("0404"), fight.hex("0503"))))
    assert fight.at(HYBRID) == "0404"


@rules("13.12.5a")
def test_13_12_5a_entrenchments_beside_a_later_hex_halt_there() -> None:
    rough = [{"kind": "rough", "hexes": ["0404"]}]
    works = [{"hex": "0702", "kind": "ET-2", "side": "axis"}]
    for more, last in (({}, "0703"), ({"works": works}, "0603")):
        fight = after_assault([HYBRID], ("0503", "0603", "0703"), axis={"0702": [THEY]}, features=rough, **more)
        assert max(ways(fight, HYBRID), key=len).endswith(last)


@rules("13.12.5b")
def test_13_12_5b_the_mud_of_the_zone_in_which_it_begins_bounds_an_advance() -> None:
    for muddy, longest in ((("0304",), 1), (("0404", "0503"), 2)):
        zones = {"low": {"hexes": muddy, "ground": "Mud"}}
        fight = after_assault([US], ("0503",), zones=zones)
        assert max(map(len, (way.split() for way in ways(fight, US)))) == longest


@rules("13.8.3a")
def test_13_8_3a_a_regiment_of_the_same_number_in_another_division_is_not_the_same() -> None:
    fight = Fight({"0304": [US]}, {"0404": [THEM], "0405": [THEY]})
    target, context = fight.hex("0404"), fight.rules.context
    assert defending_integrity(context, fight.state, [fight.unit(THEM)], target).counts == (2,)
    recard(fight, THEY, formation=FormationId("191-pz"))
    context = fight.rules.context
    assert defending_integrity(context, fight.state, [fight.unit(THEM)], target).counts == ()
