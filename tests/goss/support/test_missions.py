"""11.1-11.8, 16.3.7: missions from the spotter to the ammunition, played with dice that fall as the test says."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from sandtable.core.dice import ScriptedDice
from sandtable.core.ruleset import Resolution
from sandtable.systems.goss.common.facts import Shifted, Used
from sandtable.systems.goss.common.state import Use
from sandtable.systems.goss.pieces.unit import Mode, Supply, UnitId
from sandtable.systems.goss.rules import GossRules
from sandtable.systems.goss.scenario.draft import SurpriseDraft
from sandtable.systems.goss.support.calling import Aim, EndFire, Spot
from sandtable.systems.goss.support.facts import MissionFired, TargetNamed
from sandtable.systems.goss.support.fire_plan import Fire, Shot
from sandtable.systems.goss.support.firing import HoldFire, RunDry, ammo_drm
from sandtable.systems.goss.support.guns import BARRAGE, Tie, call_of, guns_for
from sandtable.systems.goss.support.occupying import MoveIn
from sandtable.systems.goss.support.replenishing import Replenish, RollForAmmo
from sandtable.systems.goss.support.struck import Choose
from sandtable.systems.goss.support.targets import struck_units, target_facts
from sandtable.systems.goss.turn.segments import Step
from tests.goss.battles import ALLIED, AXIS, BIG, GUN, GUN2, GUN3, PIO, ROW, SP, THEM, US, Battle, battle
from tests.goss.positions import Units

rules = pytest.mark.rules


@rules("10.1.0", "10.3.0", "11.0", "11.1.0", "11.2.0", "11.2.1", system="goss")
def test_a_mission_from_the_spotter_to_the_last_die() -> None:
    field = battle()
    field.play(ALLIED, Spot(US))
    assert field.asked() == "11.2.2"
    field.play(ALLIED, Aim(field.hex("0401")))
    (told,) = [event for event in field.events if isinstance(event, TargetNamed)]
    assert told.drm.total == 0
    field.play(ALLIED, Fire((Shot(GUN, 3), Shot(GUN2, 3))), 9)
    (fired,) = [event for event in field.events if isinstance(event, MissionFired)]
    assert [(one.points, one.roll, one.fsv) for one in fired.volleys] == [(6, 9, 15)]
    assert fired.known_to(AXIS).guns == (), "the enemy is not told which guns"  # type: ignore[union-attr]
    assert field.asked() == "11.6.2", "two hits: the owner chooses"
    for seat, guns, struck in ((ALLIED, (GUN, GUN2), ()), (AXIS, (), (THEM,))):
        *_, mission, hits = field.rules.conceal(field.state, seat).stack
        assert (mission.guns, hits.units) == (guns, struck), "each side knows its own"
    field.play(AXIS, Choose(as_retreat=True), 0)
    assert (field.at(THEM), field.state.units[THEM].steps) == ("0501", 2)


@rules("11.1.0", system="goss")
def test_the_inactive_side_fires_first_and_nobody_is_asked_without_a_target() -> None:
    them: Units = {"0401": [THEM], "0601": ["791-inf/I-791 AR", "791-inf/II-791 AR"]}
    field = Battle(ROW, {"0301": [US]}, them, segment=Step.DEFENSIVE_SUPPORT)
    asked = field.rules.asking(field.state)
    assert asked is not None
    assert asked.asked == (AXIS,)
    assert battle(". . . f . . . .", segment=Step.DEFENSIVE_SUPPORT).state.at.step is not Step.DEFENSIVE_SUPPORT


@rules("11.4.1e", system="goss")
def test_who_is_surprised_fires_no_missions() -> None:
    field = battle()
    assert field.asked() == "11.2.0"
    scenario = field.context.scenario
    for side, asked in ((ALLIED, False), (AXIS, True)):
        draft = replace(scenario.draft, surprise=(SurpriseDraft(turn=0, side=side),))
        rules = GossRules(field.rules.card, replace(field.context, scenario=replace(scenario, draft=draft)))
        play: Resolution[Any, Any] = Resolution(replace(field.state, stack=()), rules.fold, ScriptedDice([]))
        rules.open_segment(play, field.state.at)
        assert bool(play.state.stack) is asked


@rules("11.0", "11.2.1a", system="goss")
def test_one_mission_a_hex_and_a_spotter_is_used_though_he_holds_his_fire() -> None:
    field = battle(enemies=(THEM,))
    field.play(ALLIED, Spot(US, field.hex("0401")))
    assert field.state.has_used("spotted", US, field.hex("0301"))
    field.play(ALLIED, HoldFire())
    assert field.state.at.step is not Step.OFFENSIVE_SUPPORT, "no second mission on the only hex"


@rules("11.2.1a", "15.7.0", system="goss")
def test_how_many_spot_from_a_hex_and_how_often() -> None:
    field = battle().mark(US, is_designated=False)
    here = field.hex("0301")
    field.state = replace(field.state, used=(Use("spotted", "a", here), Use("spotted", "b", here)))
    assert field.refusal(ALLIED, Spot(US, field.hex("0401"))) == "11.2.1a"
    field.state = replace(field.state, used=(Use("spotted", US, here),))
    assert field.refusal(ALLIED, Spot(US, field.hex("0401"))) == "", "a battalion spots for two hexes"
    field.state = replace(field.state, used=(Use("spotted", US, here),) * 2)
    assert field.refusal(ALLIED, Spot(US, field.hex("0401"))) == "11.2.1a"
    field.state = replace(field.state, used=(Use("advanced", US),))
    assert field.refusal(ALLIED, Spot(US, field.hex("0401"))) == "11.2.1a"
    field.state = replace(field.state, used=())
    assert field.mark(US, is_isolated=True).refusal(ALLIED, Spot(US, field.hex("0401"))) == "15.7.0"


@rules("11.2.1", system="goss")
def test_a_village_may_be_shelled_though_nobody_is_seen() -> None:
    field = battle(". . . v . . . .")
    spotter = field.state.units[US]
    assert target_facts(field.context, field.state, field.hex("0401"), spotter).is_unobserved
    assert field.refusal(ALLIED, Spot(US, field.hex("0401"))) == ""
    wood = battle(". . . w . . . .", rain=False)
    assert wood.state.at.step is not Step.OFFENSIVE_SUPPORT, "a wood hides them, and is nothing to fire at"


@rules("11.2.2", system="goss")
def test_beside_attackers_those_in_cover_are_not_struck() -> None:
    field = battle(enemies=(THEM, PIO)).mark(THEM, is_designated=True)
    hex = field.hex("0401")
    assert [unit.id for unit in struck_units(field.context, field.state, hex)] == [THEM, PIO], "nothing hides them"
    village = battle(". . . v . . . .", enemies=(THEM, PIO)).mark(THEM, is_designated=True)
    assert [unit.id for unit in struck_units(village.context, village.state, hex)] == [THEM]
    facts = target_facts(village.context, village.state, hex, village.state.units[US])
    assert (facts.steps, facts.is_designated) == (4, True), "they count for density alone"


def guns(field: Battle, label: str, spotter: UnitId | None = US, *, is_defensive: bool = False) -> dict[str, Any]:
    unit = field.state.units[spotter] if spotter else None
    side = unit.side if unit is not None else ALLIED
    call = call_of(field.context, field.state, side, unit, field.hex(label), is_defensive=is_defensive)
    return {gun.unit: gun for gun in guns_for(field.context, field.state, call)}


@rules("11.2.3", "11.3.0", "11.3.1", system="goss")
def test_range_and_guns_with_the_enemy_before_them() -> None:
    long = ". . . . . . . . . ."
    near = Battle(long, {"0601": [US], "0201": [GUN2]}, {"0701": [THEM], "0301": [PIO]})
    assert guns(near, "0701") == {}, "an enemy in the open beside the guns"
    assert list(guns(near, "0301")) == [GUN2]
    wood = Battle(". . w . . . . .", {"0601": [US], "0201": [GUN2]}, {"0701": [THEM], "0301": [PIO]})
    assert list(guns(wood, "0701")) == [GUN2]
    assert guns(wood.mark(PIO, is_designated=True), "0701") == {}


@rules("11.2.4d", "11.2.5", system="goss")
def test_whose_guns_answer_a_spotter() -> None:
    us = {"0301": [US], "0101": [GUN, SP], "0201": [BIG]}
    field = Battle(ROW, us, {"0401": [THEM]})
    assert {one: gun.tie for one, gun in guns(field, "0401").items()} == {GUN: Tie.OWN, SP: "ccb", BIG: Tie.FREE}
    field.play(ALLIED, Spot(US, field.hex("0401")))
    assert field.refusal(ALLIED, Fire((Shot(SP, 3),))) == "11.2.5", "one of the spotter's own at least"
    assert field.refusal(ALLIED, Fire((Shot(GUN, 3), Shot(SP, 3), Shot(BIG, 5)))) == ""


@rules("11.2.3", "11.2.4", "11.2.4d", "5.2.4", system="goss")
def test_no_more_guns_than_the_capacity() -> None:
    recon = UnitId("61-inf/61 Rcn")
    field = Battle(ROW, {"0301": [recon], "0101": [GUN, GUN2], "0201": [GUN3]}, {"0401": [THEM]})
    field.play(ALLIED, Spot(recon, field.hex("0401")))
    three = tuple(Shot(one, 3) for one in (GUN, GUN2, GUN3))
    assert field.refusal(ALLIED, Fire(three)) == "11.2.4", "a company calls for two"
    near = Battle(ROW, {"0301": [recon, GUN3], "0101": [GUN, GUN2]}, {"0401": [THEM]})
    near.play(ALLIED, Spot(recon, near.hex("0401")))
    assert near.refusal(ALLIED, Fire(three)) == "", "guns beside the target do not count"


@rules("11.4.1", "11.4.1d", system="goss")
def test_split_fire() -> None:
    field = battle()
    field.play(ALLIED, field.fire("0401", (GUN, 1), (GUN2, 3)), 0, 0)
    uses = [event.use for event in field.events if isinstance(event, Used)]
    assert [(use.by, use.count) for use in uses] == [(GUN, 1), (GUN2, 3)]
    field = battle()
    field.state = replace(field.state, used=(Use(BARRAGE, GUN, None, 1), Use(BARRAGE, GUN2, None, 3)))
    found = guns(field, "0401")
    assert found[GUN].points == 2
    assert GUN2 not in found
    own, corps = UnitId("791-inf/I-791 AR"), UnitId("xciii-corps/99 Werfer")
    axis = Battle(ROW, {"0301": [US]}, {"0401": [THEM], "0601": [own, corps]})
    found = guns(axis, "0301", THEM)
    assert found[own].least == 1
    assert found[corps].least == found[corps].points, "corps artillery of the Axis does not split its fire"
    axis.state = replace(axis.state, used=(Use(BARRAGE, own, None, 1),) * 2)
    assert own not in guns(axis, "0301", THEM), "the Axis splits into two missions at most"


@rules("11.4.1", "11.4.1f", "14.2.1", system="goss")
def test_heavy_tired_and_empty_guns() -> None:
    field = Battle(ROW, {"0301": [US], "0101": [GUN, BIG]}, {"0401": [THEM]})
    assert guns(field, "0401")[BIG].points == 5
    assert guns(field, "0401", is_defensive=True)[BIG].points == 4
    assert guns(field.mark(GUN, fatigue=1), "0401")[GUN].points == 2
    assert GUN not in guns(field.mark(GUN, fatigue=2), "0401")
    assert BIG not in guns(field.mark(BIG, is_depleted=True), "0401")
    assert BIG not in guns(field.mark(BIG, is_depleted=False, in_battery=False), "0401")


@rules("11.4.1b", system="goss")
def test_88s_join_others() -> None:
    flak, own = UnitId("944-flak/3-944 Flak"), UnitId("791-inf/I-791 AR")
    field = Battle(ROW, {"0301": [US]}, {"0401": [THEM], "0701": [flak], "0601": [own]}, player="axis")
    found = guns(field, "0301", THEM)
    assert (found[flak].points, found[flak].counts, found[flak].is_auxiliary) == (1, False, True)
    field.play(AXIS, Spot(THEM, field.hex("0301")))
    assert field.refusal(AXIS, Fire((Shot(flak, 1),))) == "11.4.1b"
    assert field.refusal(AXIS, Fire((Shot(flak, 1), Shot(own, 2)))) == ""
    far = Battle(ROW, {"0301": [US]}, {"0401": [THEM], "0801": [flak], "0601": [own]}, player="axis")
    assert flak not in guns(far, "0301", THEM)


@rules("11.4.1b", "11.8.0", system="goss")
def test_88s_do_not_count_for_the_ammunition_of_rockets() -> None:
    flak, werfer = UnitId("944-flak/3-944 Flak"), UnitId("lxxxi-corps/I-9 Werfer")
    field = Battle(ROW, {"0301": [US]}, {"0401": [THEM], "0601": [flak, werfer]}, player="axis")
    units = field.mark(flak, supply=Supply.EXTENDED).state.units
    assert ammo_drm(field.context, [units[werfer], units[flak]], 2).total == 1 + 2, "a volley more, two of rockets"
    assert ammo_drm(field.context, [units[flak]], 2).total == 1, "no artillery is no rocket artillery"


@rules("11.4.1c", system="goss")
def test_tank_destroyers_from_september_1944_on() -> None:
    td = UnitId("61-inf/688 TD")
    us = {"0301": [US], "0101": [GUN], "0201": [td]}
    field = Battle(ROW, us, {"0401": [THEM]}, date="1944-09-10")
    assert guns(field, "0401")[td].points == 3
    assert td not in guns(Battle(ROW, us, {"0401": [THEM]}, date="1944-08-31"), "0401")
    assert td not in guns(Battle(ROW, us | {"0201": [GUN2], "0101": [td]}, {"0401": [THEM]}, date="1944-09-10"), "0401")
    beside = Battle(ROW, {"0301": [US, td], "0101": [GUN]}, {"0401": [THEM]}, date="1944-09-10")
    assert td not in guns(beside, "0401"), "not with the enemy beside them"


@rules("11.4.1g", "11.8.0", system="goss")
def test_intensive_fire_costs_points_and_guns() -> None:
    us = {"0301": [US], "0101": [GUN, GUN2], "0201": [GUN3]}
    field = Battle(ROW, us, {"0401": [THEM]}, us={"amp": 2, "adv": 9})
    order = field.fire("0401", (GUN, 3), (GUN2, 3), (GUN3, 3))
    assert field.refusal(ALLIED, replace(order, intensive=2)) == "11.4.1g", "one for each volley of eight"
    field.play(ALLIED, replace(order, holds_rest=True, intensive=1), 0, 0, 0)
    (fired,) = [event for event in field.events if isinstance(event, MissionFired)]
    assert [one.points for one in fired.volleys] == [8, 8]
    assert field.state.ammo == {ALLIED: 1}
    assert field.asked() == "11.8.0", "one of the three runs dry for it"
    extended = Battle(ROW, us, {"0401": [THEM]}, us={"amp": 2, "adv": 9}).mark(GUN, supply=Supply.EXTENDED)
    order = extended.fire("0401", (GUN, 3), (GUN2, 3), (GUN3, 3))
    assert extended.refusal(ALLIED, replace(order, intensive=1)) == "11.4.1g"


@rules("11.4.1f", "11.6.2", system="goss")
def test_only_heavy_guns_hurt_a_fortified_area() -> None:
    area = [{"kind": "ft_area", "hexes": ["0401"], "attributes": {"owner": "axis"}}]
    us = {"0301": [US], "0101": [GUN, GUN2], "0201": [BIG]}

    def shelled(*shots: tuple[UnitId, int], dice: tuple[int, ...]) -> Battle:
        field = Battle(ROW, us, {"0401": [THEM]}, features=area, markers={US: {"designated": True}})
        return field.play(ALLIED, field.fire("0401", *shots), *dice)

    light = shelled((GUN, 3), (GUN2, 3), dice=(9, 0))
    assert [event.shifts for event in light.events if isinstance(event, Shifted)] == [1]
    assert light.asked() != "11.6.2", "numerical hits shake only"
    field = Battle(ROW, us, {"0401": [THEM]}, features=area)
    assert guns(field, "0401")[BIG].least == 5, "a heavy gun does not split its fire there"
    assert target_facts(field.context, field.state, field.hex("0401"), None).bars_terrain


@rules("11.7.0", "3.5.4", system="goss")
def test_attackers_move_into_an_empty_hex() -> None:
    def emptied(cells: str, **mark: Any) -> Battle:
        field = battle(cells, markers={US: mark})
        field.play(ALLIED, field.fire("0401", (GUN, 3), (GUN2, 3)), 9)
        return field.play(AXIS, Choose(as_retreat=True), 0)

    field = emptied(ROW, designated=True)
    assert field.asked() == "11.7.0"
    field.play(ALLIED, MoveIn((US,)))
    assert (field.at(US), field.state.units[US].is_designated) == ("0401", False)
    rests = emptied(ROW, designated=True)
    rests.state = replace(rests.state, rests={ALLIED: rests.context.part(rests.state)})
    assert rests.play(ALLIED, MoveIn((US,))).state.units[US].fatigue == 1, "a TA marker in the rest game turn (3.5.4b)"
    prepared = emptied(". . . w . . . .", mode="PA").play(ALLIED, MoveIn((US,)))
    assert prepared.state.units[US].mode is Mode.PREPARED_ASSAULT
    prepared = emptied(". . . w . . . .", mode="PA").play(ALLIED, MoveIn((US,), to_tac=True))
    assert prepared.state.units[US].mode is Mode.TAC
    assert emptied(ROW, mode="PA").refusal(ALLIED, MoveIn((US,), to_tac=True)) == "11.7.0", "in MCT only"
    assert emptied(ROW).asked() != "11.7.0", "attackers only"


@rules("11.8.0", "15.4.3", system="goss")
def test_ammunition_runs_out_above_the_adv() -> None:
    field = battle(us={"adv": 4})
    field.play(ALLIED, field.fire("0401", (GUN, 3), (GUN2, 3)), 0, 5)
    assert field.asked() == "11.8.0", "one above the ADV: one of two"
    field.play(ALLIED, RunDry(GUN2), 9)
    assert [field.state.units[one].is_depleted for one in (GUN, GUN2)] == [False, True]
    dry = battle(us={"adv": 0})
    dry.play(ALLIED, dry.fire("0401", (GUN, 3), (GUN2, 3)), 0, 0)
    assert all(dry.state.units[one].is_depleted for one in (GUN, GUN2)), "without support all of them"


@rules("11.8.1", "15.5.2", system="goss")
def test_guns_on_hand_supply_fire_once() -> None:
    field = battle(markers={GUN: {"supply": "OhS"}})
    field.play(ALLIED, field.fire("0401", (GUN, 3), (GUN2, 3)), 0, 0)
    assert (field.state.units[GUN].is_depleted, field.state.units[GUN].supply) == (True, Supply.OUT)
    assert not field.state.units[GUN2].is_depleted


@rules("3.5.4", system="goss")
def test_more_than_half_of_the_points_tires_in_a_rest_turn() -> None:
    field = battle(markers={US: {"designated": True}}, part="Night")
    field.play(ALLIED, field.fire("0401", (GUN, 3), (GUN2, 1)), 0, 0)
    assert [field.state.units[one].fatigue for one in (GUN, GUN2)] == [1, 0]


@rules("16.3.7", "16.3.7a", "16.3.7b", system="goss")
def test_replenishment_by_points_then_by_dice() -> None:
    dry = {one: {"depleted": True} for one in (GUN, GUN2)}
    field = battle(segment=Step.REPLENISHMENT, us={"amp": 1, "adv": 4}, markers=dry)
    field.play(ALLIED, Replenish((GUN,)), 4)
    assert not any(field.state.units[one].is_depleted for one in (GUN, GUN2)), "a point, then a die of 4 or less"
    assert field.state.ammo == {ALLIED: 0}
    field = battle(segment=Step.REPLENISHMENT, us={"amp": 1, "adv": 4}, markers=dry)
    field.play(ALLIED, RollForAmmo(), 5, 0)
    assert [field.state.units[one].is_depleted for one in (GUN, GUN2)] == [True, False]
    far = battle(segment=Step.REPLENISHMENT, us={"amp": 1, "adv": 4}, markers={GUN: dry[GUN] | {"supply": "extended"}})
    far.play(ALLIED, RollForAmmo(), 3)
    assert far.state.units[GUN].is_depleted, "two more on an extended path"
    out = battle(segment=Step.REPLENISHMENT, us={"amp": 1, "adv": 4}, markers={GUN: dry[GUN] | {"supply": "OoS"}})
    assert out.asked() != "16.3.7a", "nothing reaches them"


@rules("11.6.1", "13.13.0", system="goss")
def test_shift_markers_go_at_the_end_of_the_combat_phase() -> None:
    field = battle(markers={THEM: {"shifts": 2}})
    field.play(ALLIED, EndFire())
    assert field.state.units[THEM].shifts == 0


@rules("14.3.0", "11.1.0", system="goss")
def test_who_is_shelled_in_his_own_combat_phase_does_not_rest() -> None:
    guns_of_theirs = UnitId("791-inf/I-791 AR")
    field = Battle(ROW, {"0301": [US]}, {"0401": [THEM], "0601": [guns_of_theirs]}, segment=Step.DEFENSIVE_SUPPORT)
    field.play(AXIS, Spot(THEM, field.hex("0301")))
    field.play(AXIS, Fire((Shot(guns_of_theirs, 2),)), 9)
    assert field.state.units[US].has_fought


@rules("1.5.0", "14.2.1", "11.4.1a", system="goss")
def test_1_5_0_halves_of_fatigued_guns_are_added_up_before_they_are_rounded() -> None:
    for shots, strength in (([(GUN, 2)], 2), ([(GUN, 2), (GUN2, 2)], 3), ([(GUN, 1), (GUN2, 2)], 3)):
        field = battle().mark(GUN, fatigue=1).mark(GUN2, fatigue=1)
        field.play(ALLIED, field.fire("0401", *shots), 0, 0)
        (fired,) = [event for event in field.events if isinstance(event, MissionFired)]
        assert [volley.points for volley in fired.volleys] == [strength], "a point and a half each"
