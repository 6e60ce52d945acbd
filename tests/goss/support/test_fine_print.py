"""11.6, 13.10, 14.3, 16.3.3: words such as "other", "all" and "again" that only one case of its own tells apart."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from msgspec.structs import replace

from sandtable.core.dice import ScriptedDice
from sandtable.core.frames import Changed
from sandtable.core.ruleset import Resolution
from sandtable.geo.hexside import side_between
from sandtable.systems.goss.assault.advancing import Advance
from sandtable.systems.goss.assault.declaring import Commit
from sandtable.systems.goss.assault.eligibility import PREPARED_GA, TACTICAL_GA, Plans
from sandtable.systems.goss.assault.frames import (
    Assault,
    Assaults,
    Attackers,
    Demolishing,
    Stage,
    Suffering,
    assault_of,
)
from sandtable.systems.goss.assault.hits import must_lose
from sandtable.systems.goss.assault.leading import ReservesHandler, rating_leads
from sandtable.systems.goss.assault.status import Demolish, DemolishingHandler, DemolitionTried, check_bridges
from sandtable.systems.goss.common.crossing import crossing
from sandtable.systems.goss.common.facts import Tired
from sandtable.systems.goss.common.state import BridgeChange, BridgeKind, Use, with_units
from sandtable.systems.goss.fatigue.recovery import recovers
from sandtable.systems.goss.ground.cover import Work
from sandtable.systems.goss.pieces.card import FormationId
from sandtable.systems.goss.pieces.unit import Mode, Supply, UnitId
from sandtable.systems.goss.support.calling import Spot
from sandtable.systems.goss.support.capacity import Capacity
from sandtable.systems.goss.support.facts import FellBack
from sandtable.systems.goss.support.falling_back import OUT_OF_REACH
from sandtable.systems.goss.support.fire_plan import Fire, Shot
from sandtable.systems.goss.support.guns import BARRAGE, call_of, guns_for
from sandtable.systems.goss.support.losses import most_convertible
from sandtable.systems.goss.support.occupying import MoveIn, Occupying
from sandtable.systems.goss.support.spotting import SPOTTED, spotter_refusal
from sandtable.systems.goss.support.struck import Choose, Lose, Struck
from sandtable.systems.goss.support.targets import target_facts
from sandtable.systems.goss.support.volleys import TargetFacts
from sandtable.systems.goss.turn.segments import Part, Step
from tests.goss.assaults import OPEN, Fight, with_hex
from tests.goss.battles import ALLIED, AXIS, BIG, GUN, GUN2, GUN3, ROW, Battle, battle, hit
from tests.goss.test_fine_print import ENG, PIO, THEM, TK, TOO, US, after_assault, mark, recard, rules

PZ = UnitId("191-pz/1-191 Pz")


@rules("11.6.3b")
def test_11_6_3b_who_stays_because_his_bridge_broke_has_fallen_back_nowhere() -> None:
    water = [{"kind": "river", "sides": ["0401:NE/SE"]}, {"kind": "trail", "line": ["0401", "0501"]}]
    field = Battle(ROW, {"0301": [US], "0101": [GUN]}, {"0401": [PZ]}, features=water)
    field.strike(Struck(AXIS, field.hex("0401"), 1, (PZ,))).play(AXIS, Choose(as_retreat=True), 0)
    assert not any(isinstance(event, FellBack) for event in field.events)
    assert not field.state.has_used(OUT_OF_REACH, hex=field.hex("0501"))


@rules("11.6.2a")
def test_11_6_2a_an_et3_goes_for_nobody_while_some_of_them_are_above_it() -> None:
    for above, may in ((False, True), (True, False)):
        field = hit(1, THEM, PIO, works=Work.ET3)
        if above:
            field.mark(PIO, in_works=False)
        field.play(AXIS, Choose(as_retreat=False))
        assert (field.refusal(AXIS, Lose()) == "") is may


@rules("11.6.2", "14.1.0")
def test_14_1_0_hits_become_fatigue_as_long_as_the_freshest_can_suffer_it() -> None:
    field = battle(enemies=(THEM, PIO))
    tired = [replace(field.state.units[one], fatigue=level) for one, level in ((THEM, 2), (PIO, 0))]
    assert most_convertible(field.context, tired, 3) == 2
    assert most_convertible(field.context, tired[:1], 3) == 0


@rules("3.5.4")
def test_3_5_4_guns_that_fire_in_several_missions_tire_once() -> None:
    for before, now, tires in ((0, 2, False), (1, 2, True), (3, 1, False)):
        field = recard(battle(), GUN, barrage=4)
        used = (Use(BARRAGE, GUN, None, before),) if before else ()
        field.state = replace(field.state, used=used, rests={"allied": Part.AM})
        field.play(ALLIED, field.fire("0401", (GUN, now)), 0, 0)
        assert any(isinstance(event, Tired) and event.unit == GUN for event in field.events) is tires


@rules("14.3.0")
def test_14_3_0_vehicles_beside_an_enemy_do_not_recover_though_nobody_sees_them() -> None:
    fight = Fight({"0304": [US, TK]}, {"0404": [THEM]}, with_hex("f", "0304"))
    men, tanks = (replace(fight.unit(one), fatigue=1) for one in (US, TK))
    assert recovers(fight.rules.context, fight.state, men)
    assert not recovers(fight.rules.context, fight.state, tanks)


@rules("16.3.3")
def test_16_3_3_assaults_that_were_made_are_taken_from_the_allowance() -> None:
    fight = Fight({"0304": [US]}, {"0404": [THEM]}, us={"adv": 2})
    inf, hex = FormationId("61-inf"), fight.hex("0404")
    for used, left in (((), 4), ((PREPARED_GA,), 2), ((TACTICAL_GA,), 3), ((PREPARED_GA, TACTICAL_GA), 1)):
        state = replace(fight.state, used=tuple(Use(what, inf, hex) for what in used))
        assert Plans(fight.rules.context, state, ALLIED).allowance(inf) == left


@rules("4.1.3", "13.10.3")
def test_4_1_3_a_company_that_has_just_become_a_z_step_takes_no_more_mandatory_hits() -> None:
    fight = Fight({"0304": [US]}, {"0404": [PZ], "0807": ["791-inf/HQ"]})
    frame = {"attackers": (US,), "defenders": (PZ,), "leads": (("axis", PZ), ("allied", US))}
    fight.suffer("axis", 2, 0, frame=frame)
    assert (fight.at(PZ), fight.unit(PZ).steps) == ("0404", 0)
    assert fight.title == "axis: Hold the position, or retreat", "the second hit is discretionary"


@rules("13.10.3")
def test_13_10_3_one_loss_of_the_engineers_is_enough_for_their_skill() -> None:
    second = UnitId("xl-corps/277 Eng")
    fight = Fight({"0304": [US, ENG], "0503": [TOO, second]}, {"0404": [THEM]})
    units = (US, ENG, TOO, second)
    for one in (ENG, second):
        mark(fight, one, steps=1)
    assault = Assault(ALLIED, fight.hex("0404"), stage=Stage.END, line=1, attackers=units, engineers=(ENG, second))
    state = replace(fight.state, stack=(assault,))
    groups = tuple((one,) for one in units)
    after = Suffering(ALLIED, 1, 0, lost=(ENG,), as_one=groups)
    assert set(must_lose(fight.rules.context, replace(state, stack=(assault, after)), after)) == {US, TOO, second}
    before = Suffering(ALLIED, 2, 0, as_one=groups)
    assert set(must_lose(fight.rules.context, replace(state, stack=(assault, before)), before)) == {ENG, second}


@rules("17.3.2a")
@pytest.mark.parametrize(("kind", "may"), [("trail", True), ("railroad", True), ("secondary_road", False)])
def test_17_3_2a_bridges_of_trails_and_railroads_may_break(kind: str, may: bool) -> None:
    water = [{"kind": "river", "sides": ["0101:NE/SE"]}, {"kind": kind, "line": ["0101", "0201"]}]
    field = Battle(". .", {"0101": [US]}, {}, features=water)
    assert crossing(field.context, field.state, field.hex("0101"), field.hex("0201")).may_collapse is may


@rules("11.2.5", "11.2.4b", "8.3.0")
def test_11_2_5_fire_that_aircraft_observe_needs_no_guns_of_any_formation() -> None:
    field = Battle(f"{ROW} . .", {"0101": [BIG], "0301": [US]}, {"0601": [THEM]})
    called = Spot(UnitId(""), field.hex("0601"))
    assert field.refusal(ALLIED, called) == ""
    field.play(ALLIED, called)
    assert field.refusal(ALLIED, Fire((Shot(BIG, field.context.card(field.state.units[BIG]).barrage),))) == ""


@rules("11.4.1g", "11.4.1c")
def test_11_4_1g_tank_destroyers_over_a_long_path_keep_no_guns_from_intensive_fire() -> None:
    td = UnitId("61-inf/688 TD")
    us = {"0301": [US], "0101": [GUN, GUN2], "0201": [GUN3, td]}
    for who, rule in ((td, ""), (GUN2, "11.4.1g")):
        field = Battle(ROW, us, {"0401": [THEM]}, us={"amp": 2}, date="1944-09-10")
        field.mark(who, supply=Supply.EXTENDED)
        order = field.fire("0401", (GUN, 3), (GUN2, 3), (GUN3, 3), (td, 1))
        assert field.refusal(ALLIED, replace(order, intensive=1)) == rule


@rules("11.4.1g")
def test_11_4_1g_a_volley_of_less_than_eight_has_no_intensive_one_beside_it() -> None:
    field = recard(Battle(ROW, {"0301": [US], "0101": [GUN, GUN2]}, {"0401": [THEM]}, us={"amp": 2}), GUN, barrage=8)
    recard(field, GUN2, barrage=8)
    field.context = field.rules.context
    order = field.fire("0401", (GUN, 8), (GUN2, 1))
    assert field.refusal(ALLIED, replace(order, intensive=2)) == "11.4.1g"
    assert field.refusal(ALLIED, replace(order, guns=(Shot(GUN, 8), Shot(GUN2, 8)), intensive=2)) == ""


@rules("11.5.2", "11.5.5")
def test_11_5_2_works_count_only_if_all_are_in_them_and_one_in_exploit_mode_forgoes_them() -> None:
    def facts(**marks: Any) -> TargetFacts:
        field = hit(1, THEM, PIO, works=Work.IP).mark(PIO, **marks)
        return target_facts(field.context, field.state, field.hex("0401"), field.state.units[US])

    assert facts().works == -1
    assert facts(in_works=False).works == 0, "one above them (ruling B-43)"
    assert facts(mode=Mode.EXPLOIT).in_exploit
    assert not facts().in_exploit


@rules("11.5.5")
@pytest.mark.parametrize(("cells", "is_higher"), [("H V", True), ("V V", False), ("H H", False), ("V .", True)])
def test_11_5_5_a_high_vantage_point_lies_above_a_plain_one(cells: str, is_higher: bool) -> None:
    field = Battle(cells, {"0101": [US]}, {"0201": [THEM]})
    spotter = field.state.units[US]
    assert target_facts(field.context, field.state, field.hex("0201"), spotter).spotter_higher is is_higher


@rules("11.2.1a")
def test_11_2_1a_a_battalion_that_has_spotted_may_spot_again_though_two_of_its_hex_have() -> None:
    field = Battle(f"{ROW}\n{ROW}", {"0201": [US, TOO, ENG], "0101": [GUN]}, {"0301": [THEM], "0202": [PIO]})
    here = field.hex("0201")
    field.state = replace(field.state, used=tuple(Use(SPOTTED, one, here) for one in (US, TOO)))
    refused = [spotter_refusal(field.context, field.state, field.state.units[one]) for one in (US, TOO, ENG)]
    assert [told is None for told in refused] == [True, True, False]


@rules("11.2.5")
def test_11_2_5_guns_of_the_army_fire_for_every_corps_and_those_of_another_corps_for_none() -> None:
    army, other = UnitId("first-army/551 FA"), UnitId("vii-corps/188 FA")
    mine = {"id": "61-inf", "corps": "xl-corps", "set_up": [{"hex": "0301", "units": ["1-481"]}]}
    guns = [
        {"id": form, "set_up": [{"hex": "0201", "units": [name], "in_battery": True}]}
        for form, _, name in (one.partition("/") for one in (army, other))
    ]
    field = Battle(ROW, {}, {"0401": [THEM]}, us={"formations": [{"id": "xl-corps"}, mine, *guns]})
    spotter, hex = field.state.units[US], field.hex("0401")
    call = call_of(field.context, field.state, ALLIED, spotter, hex, is_defensive=False)
    assert call.capacity is Capacity.MEDIUM
    assert [gun.unit for gun in guns_for(field.context, field.state, call)] == [army]


@rules("11.2.5", "15.4.3")
def test_11_2_5_without_adv_guns_fire_for_their_own_formation_alone_be_it_in_a_light_mission() -> None:
    for adv, expected in ((4, {GUN, BIG}), (0, {GUN})):
        field = Battle(ROW, {"0301": [ENG], "0201": [GUN, BIG]}, {"0401": [THEM]}, us={"adv": adv})
        context, hex = field.context, field.hex("0401")
        call = call_of(context, field.state, ALLIED, field.state.units[ENG], hex, is_defensive=False)
        assert call.capacity is Capacity.LIGHT
        assert {gun.unit for gun in guns_for(context, field.state, call)} == expected


@rules("11.4.1f", "14.2.1")
def test_14_2_1_what_a_heavy_gun_does_not_fire_in_defence_is_not_halved() -> None:
    field = recard(Battle(ROW, {"0301": [US], "0201": [BIG]}, {"0401": [THEM]}), BIG, barrage=4).mark(BIG, fatigue=1)
    context, state, hex = field.rules.context, field.state, field.hex("0401")
    for is_defensive, ends_in_half in ((False, False), (True, True)):
        call = call_of(context, state, ALLIED, state.units[US], hex, is_defensive=is_defensive)
        (gun,) = guns_for(context, state, call)
        assert (gun.points, gun.ends_in_half) == (2, ends_in_half)


@rules("13.8.1", "6.2.0", "6.2.1")
def test_13_8_1_of_companies_that_count_as_one_the_lowest_pr_leads() -> None:
    counters = {"191-pz/Auf": {"type": "de-recon-company"}}
    scouts = UnitId("191-pz/Auf")
    for ratings, lead in (((7, 5), PZ), ((5, 7), scouts)):
        fight = Fight({"0304": [US]}, {"0404": [scouts, PZ]}, counters=counters)
        for one, rating in zip((scouts, PZ), ratings, strict=True):
            recard(fight, one, defensive=rating)
        assault = Assault(ALLIED, fight.hex("0404"), line=1, attackers=(US,), defenders=(scouts, PZ))
        assert rating_leads(fight.rules.context, fight.state, assault, AXIS) == [lead]


def reserves(hex: str, *features: dict[str, Any], **marks: Any) -> Sequence[UnitId]:
    """Who of a battalion in reserve in a hex may support the attack of one in 0304 on 0404."""
    fight = Fight({"0304": [US], hex: [TOO]}, {"0404": [THEM]}, features=list(features))
    mark(fight, TOO, in_reserve=True, **marks)
    assault = Assault(ALLIED, fight.hex("0404"), line=1, attackers=(US,), defenders=(THEM,))
    return ReservesHandler(fight.rules.context).candidates(fight.state, assault, ALLIED)


@rules("13.8.2")
def test_13_8_2_reserves_are_supplied_and_near_somebody_who_fights_on_their_side_of_the_river() -> None:
    assert reserves("0303") == [TOO]
    assert reserves("0303", supply=Supply.OUT) == []
    assert reserves("0303", supply=Supply.ON_HAND) == [TOO]
    assert reserves("0307") == [TOO], "three hexes from the attacker"
    assert reserves("0308") == []
    assert reserves("0704") == [], "it is the friend who counts, not the hex that he attacks"
    river = {"kind": "major_river", "sides": [f"0{column}02:S/SE/SW" for column in range(1, 9)]}
    road = {"kind": "primary_road", "line": ["0302", "0303", "0304"]}
    assert reserves("0302") == [TOO]
    assert reserves("0302", river, road) == [], "bridges do not help"


# --- 13.5.6: bridges under an assault ------------------------------------------------------------------------------

RIVER = {"kind": "river", "sides": ["0304:NE"]}


def over_a_bridge(kind: str, *units: UnitId, down: bool = False, **known: Any) -> tuple[Fight, Resolution[Any, Any]]:
    """An assault over a bridge from 0304 on 0404."""
    road = {"kind": kind, "line": ["0304", "0404"]}
    fight = Fight({"0304": list(units)}, {"0404": [THEM, PIO]}, features=[RIVER, road])
    assault = Assault(ALLIED, fight.hex("0404"), attackers=units, defenders=(THEM, PIO), **known)
    side = side_between(fight.hex("0304"), fight.hex("0404"))
    assert side is not None
    bridges = (BridgeChange(side, BridgeKind.DOWN),) if down else ()
    fight.state = replace(fight.state, stack=(assault,), bridges=bridges)
    return fight, Resolution(fight.state, fight.rules.fold, ScriptedDice([1]))


@rules("17.3.2b", "13.5.6a")
@pytest.mark.parametrize(("steps", "needed"), [(1, 3), (2, 5)])
def test_17_3_2b_it_is_the_steps_of_engineers_that_help_a_demolition(steps: int, needed: int) -> None:
    fight, play = over_a_bridge("trail", US, line=1)
    play.state = with_units(play.state, replace(fight.unit(PIO), steps=steps))
    DemolishingHandler(fight.rules.context).take(play, Demolishing(AXIS), Demolish(is_tried=True))
    (tried,) = [event for event in play.events if isinstance(event, DemolitionTried)]
    assert tried.needed.total == needed


@rules("13.5.6", "13.5.2")
@pytest.mark.parametrize(("line", "left"), [(1, (US,)), (2, (US, TK))])
def test_13_5_6_on_clear_ground_vehicles_without_their_bridge_drop_out(line: int, left: tuple[UnitId, ...]) -> None:
    fight, play = over_a_bridge("trail", US, TK, down=True, line=line)
    check_bridges(fight.rules.context, play)
    assert assault_of(play.state).attackers == left


@rules("13.5.6")
@pytest.mark.parametrize(("stand_off", "dice"), [((), 0), ((TK,), 1)])
def test_13_5_6_who_stands_off_tries_no_bridge(stand_off: tuple[UnitId, ...], dice: int) -> None:
    fight, play = over_a_bridge("trail", US, TK, line=2, stand_off=stand_off)
    recard(fight, TK, weight="H")
    check_bridges(fight.rules.context, play)
    assert isinstance(play.dice, ScriptedDice)
    assert play.dice.left == dice


@rules("13.12.3", "4.1.3")
def test_13_12_3_mandatory_hits_that_z_steps_alone_did_not_take_count_for_the_advance() -> None:
    fight = Fight({"0304": [US]}, {"0404": [PIO], "0807": ["791-inf/HQ"]})
    mark(fight, PIO, steps=0)
    frame = {"attackers": (US,), "defenders": (PIO,), "leads": (("axis", PIO), ("allied", US))}
    fight.suffer("axis", 2, 1, frame=frame)
    assert fight.at(PIO) == ""
    changed = [event.frame for event in fight.events if isinstance(event, Changed)]
    assert any(isinstance(one, Assault) and one.unresolved == 3 for one in changed)


@rules("13.12.1", "17.3.2a")
@pytest.mark.parametrize(("die", "there"), [(0, "0304"), (9, "0404")])
def test_13_12_1_tanks_do_not_advance_over_a_bridge_that_breaks_under_them(die: int, there: str) -> None:
    fight = after_assault([TK], features=[RIVER, {"kind": "trail", "line": ["0304", "0404"]}])
    recard(fight, TK, weight="H").do(Advance(TK, (fight.hex("0404"),)), die)
    assert fight.at(TK) == there


@rules("6.7.0", "13.4.0")
def test_6_7_0_out_of_a_constricted_hex_no_more_attack_than_may_stack_there() -> None:
    designated = {one: {"designated": True} for one in (US, TOO)}
    for cells, may in ((OPEN, True), (with_hex("k", "0304"), False)):
        fight = Fight({"0304": [US], "0303": [TOO]}, {"0404": [THEM]}, cells, markers=designated)
        mark(fight, TOO, hex=fight.hex("0304"))
        frame = Assault(ALLIED, fight.hex("0404"), line=1)
        fight.state = replace(fight.state, stack=(Assaults(ALLIED), frame, Attackers(ALLIED)))
        refusal = fight.rules.refusal(fight.state, ALLIED, Commit((US, TOO)))
        assert (refusal is None) is may
        assert may or (refusal is not None and refusal.rule == "6.7.0")


@rules("11.6.2b", "4.2.1a")
def test_11_6_2b_after_a_retreat_each_unit_may_lose_a_step_before_all_are_tired() -> None:
    they = UnitId("791-inf/II-1571")
    field = hit(6, THEM, they).play(AXIS, Choose(as_retreat=True)).play(AXIS, Lose(THEM))
    assert [(unit.steps, unit.fatigue) for unit in map(field.state.units.__getitem__, (THEM, they))] == [(2, 1), (2, 1)]


@rules("11.7.0", "3.5.4")
@pytest.mark.parametrize("is_prepared", [False, True])
def test_11_7_0_only_pa_mode_goes_back_to_tac_in_cover_and_only_ta_markers_tire(is_prepared: bool) -> None:
    marks: dict[str, Any] = {"mode": Mode.PREPARED_ASSAULT} if is_prepared else {"is_designated": True}
    field = Battle(". . . w . . . .", {"0301": [US]}, {"0801": [THEM]}).mark(US, **marks)
    frame = Occupying(ALLIED, field.hex("0401"))
    field.state = replace(field.state, stack=(frame,), rests={"allied": Part.AM})
    moves = [one for one in field.rules.decision(field.state).options(ALLIED) if isinstance(one, MoveIn)]
    assert [one.to_tac for one in moves] == ([False, True] if is_prepared else [False])
    field.play(ALLIED, moves[0])
    assert any(isinstance(event, Tired) for event in field.events) is not is_prepared


@rules("16.3.7", "15.4.3")
@pytest.mark.parametrize(("adv", "asked"), [(4, "16.3.7a"), (0, "5.0")])
def test_16_3_7_unsupported_guns_are_not_filled_up_in_the_enemys_phase(adv: int, asked: str) -> None:
    guns, dry = UnitId("791-inf/I-791 AR"), {"depleted": True}
    them = {"amp": 1, "adv": adv}
    field = Battle(ROW, {"0101": [US]}, {"0801": [guns]}, segment=Step.REPLENISHMENT, them=them, markers={guns: dry})
    assert field.asked() == asked
