"""13.10, 13.11: the half sentences of results and retreats: who is spared, who pays, and in which order."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from sandtable.core.decision import Seat
from sandtable.systems.goss.assault.frames import Assault, Assaults, Stance, Suffering
from sandtable.systems.goss.assault.hits import forced_losers, lowest_rated
from sandtable.systems.goss.assault.retreating import WithdrawIntoWorks
from sandtable.systems.goss.assault.taking import Decide, Reduce, TakeHit
from sandtable.systems.goss.pieces.unit import UnitId
from tests.goss.assaults import Fight
from tests.goss.positions import Units

rules = pytest.mark.rules
US, TOO, ENG, TD = (UnitId("61-inf/1-481"), UnitId("61-inf/2-481"), UnitId("61-inf/A-61 Eng"), UnitId("61-inf/688 TD"))
THEM, THEY, PZ, PZ2 = map(UnitId, ("791-inf/I-1571", "791-inf/II-1571", "191-pz/1-191 Pz", "191-pz/2-191 Pz"))
GUNS = UnitId("791-inf/I-791 AR")
AROUND: Units = {
    "0403": [US],
    "0503": [TOO],
    "0504": [ENG],
    "0405": [TD],
    "0304": ["61-inf/3-481"],
    "0303": ["61-inf/1-482"],
}
"""Nobody gets out of 0404."""
BUT_ONE: Units = {hex: units for hex, units in AROUND.items() if hex != "0405"} | {"0504": [TD]}


def against(*units: UnitId, around: Units = AROUND, **more: Any) -> tuple[Fight, dict[str, Any]]:
    """Units in 0404, and the assault on them."""
    fight = Fight(around, {"0404": list(units), "0807": ["791-inf/HQ"]}, **more)
    return fight, {"attackers": (US,), "defenders": units, "leads": (("axis", units[0]), ("allied", US))}


def mark(fight: Fight, **marks: dict[str, Any]) -> None:
    changed = {UnitId(one): replace(fight.unit(one), **given) for one, given in marks.items()}
    fight.state = replace(fight.state, units=fight.state.units | changed)


@rules("13.11.3", "13.11.0", system="goss")
def test_who_must_stop_behind_a_river_beside_the_enemy_pays_the_step_too() -> None:
    river = [{"kind": "river", "sides": ["0404:S"]}]
    fight, frame = against(THEM, around=BUT_ONE, features=river)
    fight.suffer("axis", 0, 1, frame=frame).do(Decide(Stance.FULL))
    assert (fight.at(THEM), fight.unit(THEM).steps) == ("0405", 2)


@rules("13.10.4", "13.10.3", system="goss")
def test_hexes_that_the_attacker_retreated_spare_converted_hits_as_well() -> None:
    fight, frame = against(THEM)
    fight.suffer("axis", 2, 1, frame=frame | {"retreated": 2})
    assert fight.unit(THEM).steps == 2, "one mandatory hit; the other is discretionary, and both of those are spared"
    assert "Hold" not in fight.title
    one, frame = against(THEM)
    one.suffer("axis", 2, 1, frame=frame | {"retreated": 1})
    assert one.state.stack[-2].hits == 1


@rules("13.10.2", system="goss")
def test_et3_may_go_for_a_hit_and_recon_convert_another() -> None:
    scouts = UnitId("116-pz/116 Auf")
    works = [{"hex": "0404", "kind": "ET-3", "side": "axis"}]
    fight, frame = against(scouts, around={"0403": [US]}, works=works)
    mark(fight, **{scouts: {"in_works": True}})
    fight.suffer("axis", 3, 0, frame=frame)
    assert fight.answers == [Reduce("ET-3"), Reduce()]
    root = fight.rules.decision(fight.state).options(Seat("axis")).root
    assert [branch.key for branch in root.branches()] == ["ET-3", "no"]
    fight.do(Reduce("ET-3"))
    assert fight.answers == [Reduce(), Reduce("convert")]
    fight.do(Reduce("convert"))
    assert fight.unit(scouts).steps == 2, "one of three mandatory hits is left"
    assert fight.state.stack[-2].hits == 1
    open_ground, frame = against(scouts, around={"0403": [US]})
    open_ground.suffer("axis", 1, 0, frame=frame)
    assert open_ground.answers == [Reduce(), Reduce("convert")], "nothing to give up: only the second is asked"


@rules("13.10.4a", "4.4.0", system="goss")
def test_the_lowest_rating_is_of_those_who_have_one_and_companies_ride_with_battalions_only() -> None:
    police = UnitId("lxxxi-rear/1 Pol")
    fight = Fight({"0304": [US, ENG]}, {"0404": [THEM, police]})
    context = fight.rules.context
    attackers = [fight.unit(THEM), fight.unit(police)]
    assert lowest_rated(context, attackers, is_attacker=True).id == THEM, "policemen have no offensive PR"
    tired = [fight.unit(US), fight.unit(ENG)]
    assert lowest_rated(context, tired, is_attacker=False).id == US, "the engineers are lower, but ride with it"
    companies = Fight({"0304": [US]}, {"0404": ["191-pz/191 PzJ", "791-inf/791 Fus", PZ]})
    stack = [companies.unit(one) for one in (PZ, "791-inf/791 Fus")]
    assert lowest_rated(companies.rules.context, stack, is_attacker=False).id == "791-inf/791 Fus"


@rules("13.10.4", "13.10.4a", "4.1.3", system="goss")
def test_two_z_steps_may_go_for_a_hit_after_a_failed_check_as_well() -> None:
    fight, frame = against(THEM, PZ, PZ2)
    mark(fight, **{PZ: {"steps": 0}, PZ2: {"steps": 0}})
    fight.suffer("axis", 0, 1, frame=frame).do(Decide(Stance.HOLD), 9)
    assert fight.answers == [TakeHit(THEM), TakeHit(by_z_steps=True)]
    words = [way.phrase(fight.rules.context) for way in (*fight.answers, TakeHit())]
    assert words[0].endswith("loses a step")
    assert words[1:] == ["two Z-steps are eliminated", "all are fatigued"]
    fight.do(TakeHit(by_z_steps=True))
    assert (fight.unit(THEM).steps, fight.at(PZ), fight.at(PZ2)) == (3, "", "")


@rules("13.10.4a", "4.1.3", system="goss")
def test_z_steps_go_for_no_hit_that_must_be_fatigue() -> None:
    fight, frame = against(THEM, PZ, PZ2)
    mark(fight, **{PZ: {"steps": 0}, PZ2: {"steps": 0}})
    fight.suffer("axis", 0, 2, frame=frame).do(Decide(Stance.HOLD), 9).do(TakeHit(THEM))
    assert (fight.unit(THEM).steps, fight.unit(THEM).fatigue) == (2, 1), "Max step loss, then fatigue"
    assert "" not in (fight.at(PZ), fight.at(PZ2))


@rules("13.10.4a", "4.1.3", system="goss")
def test_z_steps_alone_that_hold_may_tire_or_go_in_pairs() -> None:
    fight, frame = against(PZ, PZ2)
    mark(fight, **{PZ: {"steps": 0}, PZ2: {"steps": 0}})
    fight.suffer("axis", 0, 1, frame=frame).do(Decide(Stance.HOLD), 0)
    assert fight.answers == [TakeHit(), TakeHit(by_z_steps=True)]


@rules("13.10.2", system="goss")
def test_nobody_is_asked_for_those_who_are_gone() -> None:
    fight, frame = against(THEM)
    fight.suffer("axis", 1, 0, frame=frame | {"defenders": ()})
    assert fight.title != "axis: Reduce or convert a mandatory hit"


def forced(stance: Stance, hits: int, retreated: dict[UnitId, int], **more: Any) -> list[UnitId]:
    """Who loses a step next of two who had to retreat so far."""
    fight, frame = against(*retreated, around={"0403": [US]})
    suffering = Suffering(
        Seat("axis"),
        0,
        hits,
        stance=stance,
        retreated=tuple(retreated.items()),
        as_one=tuple((one,) for one in retreated),
        **more,
    )
    assault = Assault(Seat("allied"), fight.hex("0404"), line=1, **frame)
    state = replace(fight.state, stack=(Assaults(Seat("allied")), assault, suffering))
    return forced_losers(fight.rules.context, state, suffering)


@rules("13.10.4a", "13.10.4c", system="goss")
def test_only_who_went_all_the_way_spares_the_others_the_steps() -> None:
    both_failed = {THEM: 2, PZ: 3}
    assert forced(Stance.HOLD, 4, both_failed) == [THEM, PZ]
    assert forced(Stance.HOLD, 4, both_failed, settled=1) == [THEM], "the tanks are done, but not by going all the way"
    assert forced(Stance.HOLD, 4, {THEM: 2, PZ: 4}) == [], "fatigue first: a part of the force has gone four hexes"
    assert forced(Stance.FULL, 4, {THEM: 2, PZ: 4}) == [THEM], "after a full retreat steps come first in any case"


@rules("13.10.4c", system="goss")
def test_after_a_full_retreat_only_who_could_not_go_at_all_pays_beyond_fatigue() -> None:
    spent: dict[str, Any] = {"lost": (THEM, THEY), "settled": 3, "fatigue": 2}
    assert forced(Stance.FULL, 9, {THEM: 1, THEY: 0}, **spent) == [THEY]
    assert forced(Stance.FULL, 9, {THEM: 1, THEY: 1}, **spent) == []
    assert forced(Stance.HOLD, 9, {THEM: 1, THEY: 0}, **spent) == [THEM, THEY]


@rules("13.11.4", system="goss")
def test_guns_that_have_no_hex_to_go_to_are_lost_and_their_steps_count() -> None:
    fight, frame = against(THEM, GUNS)
    mark(fight, **{GUNS: {"in_battery": False}})
    fight.suffer("axis", 0, 2, frame=frame).do(Decide(Stance.FULL))
    assert fight.at(GUNS) == ""
    assert (fight.unit(THEM).steps, fight.unit(THEM).fatigue) == (2, 0), "the guns made up for one of two hits"


@rules("13.11.4", "13.10.4a", system="goss")
def test_13_11_4_static_guns_that_are_no_artillery_stay_and_take_the_hits() -> None:
    for static in (UnitId("lxxxi-corps/1 Fest Pak"), UnitId("lxxxi-corps/1 Flak")):
        fight, frame = against(THEM, static, around={"0403": [US]})
        fight.suffer("axis", 0, 1, frame=frame)
        assert Decide(Stance.LIMITED) not in fight.answers, "not all have a way of one hex (13.10.4b)"
        fight.do(Decide(Stance.FULL))
        while "retreat into" in fight.title:
            fight.do(fight.answers[0])
        assert (fight.at(THEM) != "0404", fight.unit(THEM).steps, fight.unit(THEM).fatigue) == (True, 3, 0)
        assert fight.unit(static).steps == 0, "a step, up to Max step loss, as of all who cannot go"
        assert fight.at(static) in ("", "0404")


@rules("11.6.1", "13.11.2", "13.13.0", system="goss")
def test_11_6_1_who_retreats_from_an_assault_shares_no_markers_with_those_he_joins() -> None:
    fight = Fight(BUT_ONE, {"0404": [THEM], "0405": [THEY], "0807": ["791-inf/HQ"]})
    frame = {"attackers": (US,), "defenders": (THEM,), "leads": (("axis", THEM), ("allied", US))}
    mark(fight, **{THEM: {"shifts": 1}})
    fight.suffer("axis", 0, 1, frame=frame).do(Decide(Stance.FULL))
    assert fight.at(THEM) == "0405"
    assert (fight.unit(THEM).shifts, fight.unit(THEY).shifts) == (1, 0), "all go at the end of the segment (B-109)"


@rules("13.10.2", "13.5.5", "13.10.4a", system="goss")
def test_13_5_5_who_only_shares_the_hex_is_no_participant() -> None:
    scouts, slow = UnitId("2-pz/2 Auf"), UnitId("xciii-corps/477 Sec")
    fight = Fight({"0304": [US]}, {"0404": [scouts, THEM]})
    frame: dict[str, Any] = {"attackers": (US,), "leads": (("axis", scouts), ("allied", US))}
    both = Fight({"0304": [US]}, {"0404": [scouts, THEM]})
    both.suffer("axis", 1, 0, frame=frame | {"defenders": (scouts, THEM)})
    assert Reduce("convert") not in both.answers, "an infantry battalion has taken part"
    fight.suffer("axis", 1, 0, frame=frame | {"defenders": (scouts,), "aside": (THEM,)})
    assert Reduce("convert") in fight.answers, "recon alone has taken part"
    for part, holds in (({"defenders": (THEM, slow)}, False), ({"defenders": (THEM,), "aside": (slow,)}, True)):
        held = Fight({"0304": [US]}, {"0404": [THEM, slow]})
        needed = held.rules.context.card(held.unit(THEM)).defensive
        assert held.rules.context.card(held.unit(slow)).defensive < needed
        held.suffer("axis", 0, 1, frame=frame | {"leads": (("axis", THEM),), **part})
        held.do(Decide(Stance.HOLD), needed - 1)
        assert ("Take a discretionary hit" in held.title) is holds, "the lowest PR of those who take part (13.10.4a)"


@rules("13.10.3", "13.10.4a", system="goss")
def test_below_the_least_ratio_discretionary_hits_know_no_max_step_loss_either() -> None:
    fight = Fight({"0304": [US]}, {"0404": [THEM]})
    frame = {"attackers": (US,), "defenders": (THEM,), "leads": (("allied", US),), "is_below": True}
    fight.suffer("allied", 0, 3, frame=frame).do(Decide(Stance.HOLD), 9)
    while "retreat into" in fight.title:
        fight.do(fight.answers[0])
    assert (fight.unit(US).steps, fight.unit(US).fatigue) == (1, 0)


@rules("4.1.3", "13.10.4", system="goss")
def test_a_lone_z_step_perishes_when_a_step_is_asked_of_it() -> None:
    holding, frame = against(PZ)
    mark(holding, **{PZ: {"steps": 0}})
    holding.suffer("axis", 0, 3, frame=frame).do(Decide(Stance.HOLD), 0)
    assert holding.at(PZ) == "", "two fatigue hits, then a step"
    two, frame = against(PZ)
    mark(two, **{PZ: {"steps": 0}})
    two.suffer("axis", 0, 2, frame=frame).do(Decide(Stance.HOLD), 0)
    assert (two.at(PZ), two.unit(PZ).fatigue) == ("0404", 2)
    forced_out, frame = against(PZ)
    mark(forced_out, **{PZ: {"steps": 0}})
    forced_out.suffer("axis", 0, 1, frame=frame).do(Decide(Stance.FULL))
    assert forced_out.at(PZ) == "", "nowhere to go: the first hit is a step"


@rules("13.8.1", "13.10.4a", system="goss")
@pytest.mark.parametrize("die", [0, 9])
def test_13_8_1_the_lead_unit_loses_the_first_step_whatever_the_hit(die: int) -> None:
    fight, frame = against(THEY, THEM)
    fight.suffer("axis", 0, 2, frame=frame | {"leads": (("axis", THEM),)}).do(Decide(Stance.HOLD), die)
    if not die:
        assert fight.answers == [TakeHit(), TakeHit(THEM)]
        fight.do(TakeHit(THEM))
        assert fight.answers == [TakeHit(), TakeHit(THEY)]
    else:
        assert (fight.unit(THEM).steps, fight.unit(THEY).steps) == (2, 2), "nowhere to go: a step each, and no choice"


@rules("4.1.3", "13.11.3", system="goss")
def test_4_1_3_who_comes_down_to_a_z_step_on_the_retreat_does_not_perish_as_one() -> None:
    fight, frame = against(PZ, PZ2, around=BUT_ONE)
    fight.suffer("axis", 1, 1, frame=frame).do(Decide(Stance.FULL))
    assert [(fight.at(one), fight.unit(one).steps) for one in (PZ, PZ2)] == [("0405", 0)] * 2
    alone, frame = against(PZ, around=BUT_ONE)
    alone.suffer("axis", 0, 5, frame=frame).do(Decide(Stance.FULL))
    while "retreat into" in alone.title:
        alone.do(alone.answers[0])
    assert alone.at(PZ)
    assert (alone.unit(PZ).steps, alone.unit(PZ).fatigue) == (0, 1), "four hexes, and a hit is left"


@rules("4.1.3", system="goss")
def test_z_steps_stay_where_a_battalion_that_took_no_part_is_left() -> None:
    for others, there in (([TOO], "0304"), ([], "")):
        fight = Fight({"0304": [US, ENG, *others]}, {"0404": [THEM]})
        mark(fight, **{US: {"steps": 1}, ENG: {"steps": 0}})
        frame = {"attackers": (US, ENG), "defenders": (THEM,), "leads": (("allied", US),)}
        fight.suffer("allied", 0, 1, frame=frame).do(Decide(Stance.HOLD), 0)
        fight.do(TakeHit(US))
        assert (fight.at(US), fight.at(ENG)) == ("", there)


@rules("13.10.1", "17.4.1a", system="goss")
def test_an_entrenchment_betters_the_mandatory_check_by_one() -> None:
    for works, is_hit in (([], True), ([{"hex": "0404", "kind": "ET-2", "side": "axis"}], False)):
        fight, frame = against(THEM, around={"0403": [US]}, works=works)
        mark(fight, **{THEM: {"in_works": bool(works)}})
        fight.suffer("axis", 0, 0, 6, frame=frame, check=True)
        assert ("Hold" in fight.title) is is_hit, "a 6 against PR 6, or 7"


@rules("13.10.4a", "17.4.1", system="goss")
@pytest.mark.parametrize(("kind", "dice", "there"), [("IP", (9,), False), ("ET-2", (), True)])
def test_improved_positions_do_not_pass_the_check_to_hold(kind: str, dice: tuple[int, ...], there: bool) -> None:
    fight, frame = against(THEM, around={"0403": [US]}, works=[{"hex": "0404", "kind": kind, "side": "axis"}])
    mark(fight, **{THEM: {"in_works": True}})
    fight.suffer("axis", 0, 1, frame=frame).do(Decide(Stance.HOLD), *dice)
    while "retreat into" in fight.title:
        fight.do(fight.answers[0])
    assert (fight.at(THEM) == "0404") is there


@rules("13.10.2", "13.10.4a", system="goss")
def test_an_et3_that_was_given_up_passes_no_check() -> None:
    fight, frame = against(THEM, around={"0403": [US]}, works=[{"hex": "0404", "kind": "ET-3", "side": "axis"}])
    mark(fight, **{THEM: {"in_works": True}})
    fight.suffer("axis", 1, 1, frame=frame).do(Reduce("ET-3")).do(Decide(Stance.HOLD), 9)
    while "retreat into" in fight.title:
        fight.do(fight.answers[0])
    assert fight.at(THEM) != "0404"


@rules("13.10.2", system="goss")
def test_without_a_way_out_nothing_is_reduced_or_converted() -> None:
    scouts = UnitId("116-pz/116 Auf")
    fight, frame = against(scouts, works=[{"hex": "0404", "kind": "ET-3", "side": "axis"}])
    mark(fight, **{scouts: {"in_works": True}})
    fight.suffer("axis", 1, 0, frame=frame)
    assert fight.unit(scouts).steps == 2


@rules("13.10.4c", "13.10.4a", system="goss")
def test_works_of_the_hex_shelter_attackers_from_one_hit_only() -> None:
    works = [{"hex": "0304", "kind": "IP", "side": "allied"}]
    fight = Fight({"0304": [US]}, {"0404": [THEM]}, works=works, markers={US: {"designated": True}})
    frame = {"attackers": (US,), "defenders": (THEM,), "leads": (("allied", US),)}
    fight.suffer("allied", 0, 2, frame=frame).do(Decide(Stance.FULL))
    assert WithdrawIntoWorks() not in fight.answers


@rules("13.11.4", system="goss")
def test_light_guns_go_one_hex_in_battery_and_the_second_out_of_it() -> None:
    gun = UnitId("61-inf/811 FA")
    for hits, in_battery in ((1, True), (2, False)):
        fight = Fight({"0404": [gun]}, {"0304": [THEM]})
        frame = {"attackers": (gun,), "defenders": (THEM,), "leads": (("allied", gun),)}
        fight.suffer("allied", 0, hits, frame=frame).do(Decide(Stance.FULL))
        while "retreat into" in fight.title:
            fight.do(fight.answers[0])
        assert (fight.at(gun) != "0404", fight.unit(gun).in_battery) == (True, in_battery)


@rules("13.11.3", system="goss")
@pytest.mark.parametrize("marks", [{}, {"in_battery": False}, {"steps": 0}])
def test_staffs_idle_guns_and_z_steps_harm_nobody_who_passes(marks: dict[str, Any]) -> None:
    beside = {"in_battery": UnitId("61-inf/811 FA"), "steps": ENG}.get(next(iter(marks), ""), UnitId("61-inf/HQ"))
    others: Units = {"0403": [US], "0503": [TOO], "0303": ["61-inf/1-482"], "0304": ["61-inf/799 Tk"]}
    fight, frame = against(THEM, around={**others, "0504": [beside]})
    mark(fight, **{"61-inf/799 Tk": {"shifts": 1}, beside: marks})
    fight.suffer("axis", 0, 1, frame=frame).do(Decide(Stance.FULL))
    assert (fight.at(THEM), fight.unit(THEM).steps) == ("0405", 3)


@rules("13.11.3", system="goss")
@pytest.mark.parametrize(("in_battery", "steps"), [(False, 3), (True, 2)])
def test_13_11_3_self_propelled_guns_out_of_battery_harm_nobody_who_passes(in_battery: bool, steps: int) -> None:
    guns = UnitId("ccb/CCB AFA")
    others: Units = {"0403": [US], "0503": [TOO], "0303": ["61-inf/1-482"], "0304": ["61-inf/799 Tk"]}
    fight, frame = against(THEM, around={**others, "0504": [guns]})
    mark(fight, **{"61-inf/799 Tk": {"shifts": 1}})
    mark(fight, **{guns: {"in_battery": in_battery}})
    fight.suffer("axis", 0, 1, frame=frame).do(Decide(Stance.FULL))
    assert (fight.at(THEM), fight.unit(THEM).steps) == ("0405", steps)


@rules("13.11.3", "4.1.3", system="goss")
def test_a_z_step_does_not_pay_beside_others() -> None:
    fight, frame = against(THEM, PZ, around=BUT_ONE)
    mark(fight, **{PZ: {"steps": 0}})
    fight.suffer("axis", 0, 1, frame=frame).do(Decide(Stance.FULL))
    assert (fight.at(THEM), fight.unit(THEM).steps, fight.at(PZ)) == ("0405", 2, "0405")
