"""11.6.1-11.6.3: what the owner of those who were hit does about it."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from sandtable.systems.goss.common.facts import StepsLost, Used
from sandtable.systems.goss.common.state import Use
from sandtable.systems.goss.ground.cover import Work
from sandtable.systems.goss.pieces.unit import Mode, UnitId
from sandtable.systems.goss.support.falling_back import OUT_OF_REACH
from sandtable.systems.goss.support.losses import may_lose
from sandtable.systems.goss.support.struck import Choose, Convert, Deed, GoBack, Lose, Struck
from sandtable.systems.goss.support.targets import FELL_BACK, target_facts
from tests.goss.battles import ALLIED, AXIS, GUN, PIO, ROW, THEM, US, Battle, battle, hit, left

rules = pytest.mark.rules
GUNNERS = UnitId("791-inf/I-791 AR")


@rules("11.6.2", "11.6.2a", "4.4.1", system="goss")
def test_a_step_loss_first_and_a_check_for_more() -> None:
    one = hit(1).play(AXIS, Choose(as_retreat=False))
    assert (left(one), one.at(THEM)) == ((2, 0, 0), "0401"), "no check after the only hit"
    held = hit(2).play(AXIS, Choose(as_retreat=False), 0)
    assert (left(held), held.at(THEM)) == ((1, 0, 0), "0401")
    more = hit(3).play(AXIS, Choose(as_retreat=False), 0)
    assert more.asked() == "11.6.2a", "a hit may become fatigue"
    more.play(AXIS, Convert(1))
    assert left(more) == (1, 0, 1)


@rules("11.6.2a", "11.6.1", "4.2.1a", "14.1.0", system="goss")
def test_who_fails_the_check_goes_back_shaken() -> None:
    broke = hit(4).play(AXIS, Choose(as_retreat=False), 9)
    assert (left(broke), broke.at(THEM)) == ((2, 1, 0), "0501")
    assert broke.asked() == "11.6.2a", "Max step loss: the rest may tire them"
    assert broke.refusal(AXIS, Convert(3)) == "11.6.2a"
    broke.play(AXIS, Convert(2))
    assert left(broke) == (1, 1, 2), "and what is still left is lost, whatever Max step loss says"


@rules("11.6.2b", system="goss")
@pytest.mark.parametrize(
    ("hits", "left_of"), [(1, (3, 1, 0)), (2, (2, 1, 0)), (3, (2, 1, 0)), (4, (2, 1, 1)), (9, (2, 1, 2))]
)
def test_a_retreat_first_halves_the_rest(hits: int, left_of: tuple[int, int, int]) -> None:
    field = hit(hits).play(AXIS, Choose(as_retreat=True))
    assert (left(field), field.at(THEM)) == (left_of, "0501")


@rules("4.2.1a", "6.2.0", "11.6.2b", system="goss")
def test_a_company_that_is_lost_counts_with_its_battalion_for_max_step_loss() -> None:
    field = hit(5, THEM, PIO).play(AXIS, Choose(as_retreat=True))
    field.play(AXIS, Lose(PIO))
    assert field.state.units[PIO].hex is None
    assert left(field) == (3, 1, 1), "two hits were left: the company, and fatigue"


@rules("11.6.1", system="goss")
def test_shelled_units_leave_combat_reserve() -> None:
    field = hit(1, shifts=2, in_reserve=True).play(AXIS, Choose(as_retreat=True))
    assert left(field) == (3, 2, 0)
    assert not field.state.units[THEM].in_reserve


@rules("11.6.2a", "11.6.2b", system="goss")
def test_who_cannot_retreat_takes_a_step_loss() -> None:
    field = Battle(". . .", {"0201": [US], "0101": [GUN]}, {"0301": [THEM]})
    field.strike(Struck(AXIS, field.hex("0301"), 1, (THEM,)))
    assert left(field) == (2, 0, 0), "at the edge of the map nobody asks"


@rules("11.6.2a", "6.2.0", system="goss")
def test_6_2_0_under_fire_a_company_that_rides_with_a_battalion_has_its_rating() -> None:
    host, tanks, company = (UnitId(f"191-pz/{one}") for one in ("I-191 PzG", "1-191 Pz", "191 PzJ"))
    for units, holds in (((host, company), True), ((tanks, company), False)):
        field = hit(2, *units).play(AXIS, Choose(as_retreat=False))
        assert field.asked() == "11.6.2a"
        field.play(AXIS, Lose(units[0]), 6)
        assert (field.at(units[-1]) == "0401") is holds, "6 is less than 7, and not than 6"


@rules("11.6.2a", "17.4.1a", "17.4.1f", "17.4.1d", system="goss")
def test_works_hold_who_is_in_them() -> None:
    held = hit(2, works=Work.ET2).play(AXIS, Choose(as_retreat=False))
    assert (left(held), held.at(THEM)) == ((1, 0, 0), "0401"), "no check in an entrenchment"
    deep = hit(1, works=Work.ET3).play(AXIS, Choose(as_retreat=False))
    assert deep.asked() == "11.6.2a"
    deep.play(AXIS, Lose())
    assert (left(deep), deep.state.works) == ((3, 0, 0), ()), "the ET-3 is given up instead"
    twice = hit(2, works=Work.ET3).play(AXIS, Choose(as_retreat=False))
    twice.play(AXIS, Lose(), 9)
    assert twice.at(THEM) == "0501", "it does not spare the check any more"
    gone = hit(1, works=Work.ET2).play(AXIS, Choose(as_retreat=True))
    assert gone.state.works == (), "works that fire has emptied are gone"


@rules("3.5.4", "5.2.5", "11.6.2b", system="goss")
def test_a_ta_marker_that_fire_takes_off_tires_in_a_rest_turn_and_pa_mode_goes_too() -> None:
    field = hit(1, is_designated=True)
    field.play(AXIS, Choose(as_retreat=True))
    assert left(field) == (3, 1, 0)
    field = hit(1, is_designated=True)
    field.state = replace(field.state, rests={AXIS: field.context.part(field.state)})
    field.play(AXIS, Choose(as_retreat=True))
    assert left(field) == (3, 1, 1), "its marker was removed (3.5.4b)"
    prepared = hit(1, mode=Mode.PREPARED_ASSAULT).play(AXIS, Choose(as_retreat=True))
    assert prepared.state.units[THEM].mode is Mode.TAC
    assert left(prepared) == (3, 1, 0)


@rules("11.6.2b", "17.4.1d", system="goss")
def test_attackers_withdraw_into_their_works() -> None:
    field = hit(1, works=Work.IP, is_designated=True).play(AXIS, Choose(as_retreat=True))
    assert field.asked() == "11.6.3a"
    field.play(AXIS, GoBack())
    found = field.state.units[THEM]
    assert (field.at(THEM), found.in_works, found.is_designated, found.shifts) == ("0401", True, False, 1)


@rules("4.2.1", "11.6.2", "11.6.3e", "4.1.3", system="goss")
def test_who_loses_first() -> None:
    field = hit(1, THEM, PIO, GUNNERS).play(AXIS, Choose(as_retreat=False))
    assert field.refusal(AXIS, Lose(GUNNERS)) == "11.6.2a", "guns after all others"
    assert field.refusal(AXIS, Lose(PIO)) == ""
    z = hit(2, THEM, PIO, steps=0).play(AXIS, Choose(as_retreat=False))
    assert z.at(THEM) == z.at(PIO) == "", "Z-steps alone are swept away"
    both = hit(1, THEM, PIO).mark(PIO, steps=0).play(AXIS, Choose(as_retreat=False))
    assert left(both) == (2, 0, 0), "a Z-step fulfils nothing beside a battalion"


@rules("11.6.3e", system="goss")
def test_guns_that_cannot_get_away_are_lost_and_count() -> None:
    field = hit(2, THEM, GUNNERS).play(AXIS, Choose(as_retreat=True))
    assert field.at(GUNNERS) == ""
    assert (left(field), field.at(THEM)) == ((3, 1, 0), "0501"), "their step is a hit less"


@rules("11.6.3e", "11.6.2b", "4.3.3", system="goss")
def test_11_6_3e_static_guns_that_are_no_artillery_stay_and_take_their_part() -> None:
    for pak, steps in ((UnitId("lxxxi-corps/1 Fest Pak"), 1), (UnitId("lxxxi-corps/1 Flak"), 0)):
        field = hit(3, THEM, pak)
        assert field.asked() == "11.6.2a", "a step loss first: not all who were struck can retreat"
        field.play(AXIS, Lose(THEM), 9)
        assert (field.at(THEM), field.at(pak)) == ("0501", "0401")
        assert left(field, pak)[1] == 1, "it has failed the check too"
        assert (left(field)[0], left(field, pak)[0]) == (2, steps), "AT is one unit with its battalion (6.2.2)"
        assert field.asked() == "11.6.2a", "the third hit may become fatigue"


@rules("11.6.3c", system="goss")
def test_who_falls_back_is_out_of_reach_or_no_armour() -> None:
    field = hit(1).play(AXIS, Choose(as_retreat=True))
    uses = {(event.use.what, event.use.hex) for event in field.events if isinstance(event, Used)}
    assert uses == {(OUT_OF_REACH, field.hex("0501"))}
    gun = UnitId("191-pz/191 PzJ")
    tanks = battle(enemies=(THEM, gun))
    armour = target_facts(tanks.context, tanks.state, tanks.hex("0401"), None).armour
    assert armour.is_mixed
    tanks.state = replace(tanks.state, used=(Use(FELL_BACK, gun),))
    assert not target_facts(tanks.context, tanks.state, tanks.hex("0401"), None).armour.is_mixed


@rules("11.6.3d", "11.6.1", system="goss")
def test_beside_the_enemy_a_retreating_stack_loses_a_step() -> None:
    other = UnitId("61-inf/2-481")

    def beside(**marks: Any) -> Battle:
        return hit(1, also={"0601": [other]}).mark(other, **marks).play(AXIS, Choose(as_retreat=True))

    assert left(beside()) == (2, 1, 0)
    assert left(beside(shifts=1)) == (3, 1, 0), "who is shaken himself does no harm"
    armoured, towed = UnitId("ccb/CCB AFA"), UnitId("61-inf/812 FA")
    for guns, steps in ((armoured, 2), (towed, 3)):
        field = hit(1, also={"0601": [guns]}).mark(guns, in_battery=False).play(AXIS, Choose(as_retreat=True))
        assert left(field)[0] == steps, "of guns out of battery only towed ones do no harm"


@rules("11.6.3b", "17.3.2a", system="goss")
@pytest.mark.parametrize(("die", "there"), [(0, "0401"), (9, "0501")])
def test_a_weak_bridge_may_break_under_a_retreat(die: int, there: str) -> None:
    tanks = UnitId("191-pz/1-191 Pz")
    water = [{"kind": "river", "sides": ["0401:NE/SE"]}, {"kind": "trail", "line": ["0401", "0501"]}]
    us = {"0301": [US], "0101": [GUN]}
    field = Battle(ROW, us, {"0401": [tanks]}, features=water)
    assert field.context.card(field.state.units[tanks]).weight
    field.strike(Struck(AXIS, field.hex("0401"), 1, (tanks,)))
    field.play(AXIS, Choose(as_retreat=True), die)
    assert field.at(tanks) == there


@rules("8.4.0", "8.4.3", system="goss")
def test_the_firer_does_not_learn_who_lost_a_step_under_the_top_unit() -> None:
    below = UnitId("791-inf/II-1571")
    field = hit(1, THEM, below).play(AXIS, Choose(as_retreat=False))
    assert field.rules.conceal(field.state, ALLIED).stack[-1].units == ()
    field.play(AXIS, Lose(below))
    (lost,) = [event for event in field.events if isinstance(event, StepsLost)]
    assert lost.known_to(ALLIED) is None
    assert lost.known_to(AXIS) == lost
    seen = hit(1, THEM, below).play(AXIS, Choose(as_retreat=False)).play(AXIS, Lose(THEM))
    (lost,) = [event for event in seen.events if isinstance(event, StepsLost)]
    assert lost.known_to(ALLIED) == lost, "the top unit lies open"


@rules("4.2.1a", "6.2.0", "11.6.3e", system="goss")
def test_guns_lose_when_all_others_have_met_max_step_loss_with_those_who_ride_on_them() -> None:
    eng, gun = UnitId("61-inf/A-61 Eng"), UnitId("61-inf/811 FA")
    field = Battle(ROW, {"0301": [US, eng, gun]}, {"0601": [THEM]})
    units = [field.state.units[one] for one in (US, eng, gun)]
    assert [one.id for one in may_lose(field.context, units, (), capped=units)] == [US, eng]
    assert [one.id for one in may_lose(field.context, units, (US,), capped=units)] == [gun]
    assert [one.id for one in may_lose(field.context, units, (US,))] == [eng], "without the limit the engineers first"


@rules("11.6.3d", system="goss")
def test_who_stayed_behind_does_not_pay_for_a_way_past_the_enemy() -> None:
    other = UnitId("791-inf/II-1571")
    field = Battle(ROW, {"0301": [US]}, {"0401": [THEM], "0501": [other]})
    field.strike(Struck(AXIS, field.hex("0401"), 0, (THEM, other), plan=(Deed.BESIDE_ENEMY,)))
    assert (left(field)[0], left(field, other)[0]) == (3, 2)


@rules("11.6.2a", system="goss")
def test_an_et3_that_was_given_up_does_not_spare_the_check() -> None:
    dug_in = hit(2, works=Work.ET3).play(AXIS, Choose(as_retreat=False))
    dug_in.play(AXIS, Lose(), 9)
    assert dug_in.at(THEM) != "0401", "it fails, and goes back"
    stays = hit(2, works=Work.ET3).play(AXIS, Choose(as_retreat=False)).play(AXIS, Lose(THEM))
    assert stays.at(THEM) == "0401"
