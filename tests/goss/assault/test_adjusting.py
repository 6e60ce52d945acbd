"""12, 13.2-13.4, 16.3.3: designations that must go and may go; who attacks what."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from sandtable.core.decision import Seat
from sandtable.systems.goss.assault.adjusting import BuyAssaults, KeepDesignations, StandDown, TakeBack
from sandtable.systems.goss.assault.declaring import Commit, MakeAssault
from sandtable.systems.goss.assault.eligibility import Plans
from sandtable.systems.goss.common.checks import Checked
from sandtable.systems.goss.common.facts import Shifted, Tired
from sandtable.systems.goss.pieces.card import FormationId
from sandtable.systems.goss.pieces.unit import UnitId
from tests.goss.assaults import Fight, with_hex
from tests.goss.positions import Units

rules = pytest.mark.rules
US, TOO, ALSO = (UnitId("61-inf/1-481"), UnitId("61-inf/2-481"), UnitId("61-inf/1-482"))
THEM, THEY = (UnitId("791-inf/I-1571"), UnitId("791-inf/II-1571"))
TA = {"designated": True}
PA = {"mode": "PA"}


@rules("12.0", "12.1.0", "14.2.2", system="goss")
def test_who_has_nothing_to_attack_is_no_longer_designated() -> None:
    fight = Fight({"0304": [US], "0101": [TOO]}, {"0404": [THEM]}, markers={US: TA, TOO: TA})
    assert not fight.unit(TOO).is_attacking
    assert fight.unit(US).is_attacking
    worn = Fight({"0304": [US]}, {"0404": [THEM]}, markers={US: TA | {"fatigue": 2}})
    assert not worn.unit(US).is_attacking, "fire has worn it out"


@rules("12.1.0", "13.4.1", system="goss")
def test_of_two_stacks_with_ta_markers_on_one_hex_the_owner_takes_one_back() -> None:
    fight = Fight({"0304": [US], "0403": [TOO]}, {"0404": [THEM]}, markers={US: TA, TOO: TA})
    assert fight.answers == [TakeBack((US,)), TakeBack((TOO,))]
    fight.do(TakeBack((US,)))
    assert fight.title == "allied: Attack as designated, or take designations back"
    assert fight.unit(TOO).is_attacking


@rules("12.1.0", system="goss")
def test_beside_prepared_assault_ta_markers_go_by_themselves() -> None:
    fight = Fight({"0304": [US], "0403": [TOO]}, {"0404": [THEM]}, markers={US: PA, TOO: TA})
    assert fight.unit(US).is_attacking
    assert not fight.unit(TOO).is_attacking


@rules("8.4.0", system="goss")
def test_the_enemy_hears_of_a_stack_that_goes_back_only_whom_he_saw() -> None:
    eng = UnitId("61-inf/A-61 Eng")
    fight = Fight({"0304": [US, eng]}, {"0404": [THEM]}, with_hex("w", "0304"), markers={US: TA, eng: TA})
    fight.do(StandDown(fight.hex("0304"), fight.hex("0204")))
    for seat, named in (("allied", True), ("axis", False)):
        told = [fight.rules.redact(event, Seat(seat)) for event in fight.events]
        words = " ".join(fight.rules.narrate(event) for event in told if event is not None)
        assert ("A-61 Eng" in words) is named
        assert "to 0204" in words


@rules("12.2.0", "3.5.4", system="goss")
def test_in_the_open_a_stack_stands_down_by_a_check() -> None:
    fight = Fight({"0304": [US, "61-inf/A-61 Eng"]}, {"0404": [THEM]}, markers={US: TA, "61-inf/A-61 Eng": TA})
    stay = StandDown(fight.hex("0304"))
    fight.do(stay, 6)
    assert fight.unit(US).is_attacking, "6 is not less than 6, the lower PR"
    assert [event.unit for event in fight.events if isinstance(event, Checked)] == [US]
    assert stay not in fight.answers, "it is held to its attack"
    night = Fight({"0304": [US]}, {"0404": [THEM]}, with_hex("w", "0304"), markers={US: TA}, part="Night")
    night.do(StandDown(night.hex("0304"), night.hex("0204")))
    assert night.at(US) == "0204", "under cover without a check"
    assert Tired(US, 1) in night.events, "a TA marker in the rest game turn; it rests the hit off at once"
    assert night.unit(US).fatigue == 0


@rules("12.2.0", "17.3.2a", system="goss")
@pytest.mark.parametrize(("die", "there"), [(0, "0304"), (9, "0204")])
def test_17_3_2a_a_weak_bridge_may_break_under_tanks_that_stand_down(die: int, there: str) -> None:
    tanks, axis = UnitId("191-pz/1-191 Pz"), Seat("axis")
    features = [{"kind": "river", "sides": ["0204:SE"]}, {"kind": "trail", "line": ["0204", "0304"]}]
    fight = Fight(
        {"0404": [US]},
        {"0304": [tanks, THEM]},
        with_hex("w", "0304"),
        features=features,
        markers={tanks: TA, THEM: TA},
        player=axis,
    )
    fight.do(StandDown(fight.hex("0304"), fight.hex("0204")), die)
    assert (fight.at(tanks), fight.at(THEM)) == (there, "0204")
    assert not fight.unit(tanks).is_attacking


@rules("13.4.2", "13.4.3", "4.4.0", system="goss")
def test_who_may_attack_which_hex() -> None:
    river = [{"kind": "river", "sides": ["0304:NE"]}]
    fight = Fight(
        {"0304": [US, "61-inf/799 Tk"]},
        {"0404": [THEM]},
        features=river,
        markers={US: TA, "61-inf/799 Tk": TA},
    )
    assert not fight.unit("61-inf/799 Tk").is_attacking, "no bridge, and nobody stands off on clear ground"
    woods = Fight(
        {"0304": [US, "61-inf/799 Tk"]},
        {"0404": [THEM]},
        with_hex("w", "0404"),
        features=river,
        markers={US: TA, "61-inf/799 Tk": TA},
    )
    assert woods.unit("61-inf/799 Tk").is_attacking, "it may stand off beside infantry"
    narrow = Fight({"0304": [US, TOO]}, {"0404": [THEM]}, with_hex("k", "0404"), markers={US: PA, TOO: PA})
    plans = Plans(narrow.rules.context, narrow.state, Seat("allied"))
    assert TakeBack((US,)) in narrow.answers, "one battalion of a hex into constricted ground"
    assert plans.fits(narrow.hex("0404"), [US])
    assert not plans.fits(narrow.hex("0404"), [US, TOO])


@rules("12.2.0", "6.2.0", system="goss")
def test_6_2_0_a_company_that_rides_with_a_battalion_has_its_rating_when_the_stack_stands_down() -> None:
    host, company = UnitId("61-inf/Vet"), UnitId("61-inf/C-688 TD")
    counters = {host: {"type": "us-infantry-veteran"}, company: {"type": "us-m10-company"}}
    marks = {host: TA, company: TA}
    fight = Fight({"0304": [host, company]}, {"0404": [THEM]}, counters=counters, markers=marks)
    assert fight.rules.cards[company].offensive == 6
    fight.do(StandDown(fight.hex("0304")), 6)
    assert not fight.unit(host).is_attacking, "6 is less than 7, the PR of the battalion"


@rules("13.4.2", "4.3.3", "5.1.2", system="goss")
def test_13_4_2_guns_that_cannot_move_do_not_attack_beside_infantry() -> None:
    static, axis = UnitId("lxxxi-corps/1 Fest Pak"), Seat("axis")
    units: Units = {"0304": [static, THEM]}
    fight = Fight({"0404": [US]}, units, markers={static: TA, THEM: TA}, player=axis)
    assert fight.unit(THEM).is_attacking
    assert not fight.unit(static).is_attacking
    marking = Fight({"0404": [US]}, units, player=axis, segment="tactical assault designation")
    assert {one.units for one in marking.answers} == {(), (THEM,)}


@rules("13.4.2", "9.6.2c", system="goss")
def test_9_6_2c_rear_echelon_attacks_beside_others_of_its_hex_that_take_part() -> None:
    rear, axis = UnitId("xciii-corps/477 Sec"), Seat("axis")
    for others, marked, attacks in (((), (), False), ((THEM,), (), False), ((THEM,), (THEM,), True)):
        markers = dict.fromkeys((rear, *marked), TA)
        fight = Fight({"0404": [US]}, {"0304": [rear, *others]}, markers=markers, player=axis)
        assert fight.rules.cards[rear].offensive is not None
        assert fight.unit(rear).is_attacking is attacks
        marked_again = replace(fight.unit(rear), is_designated=True)
        state = replace(fight.state, units=fight.state.units | {rear: marked_again})
        plans = Plans(fight.rules.context, state, axis)
        assert (bool(plans.targets), plans.idle) == (attacks, () if attacks else (rear,))
    two = Fight({"0404": [US], "0303": [TOO]}, {"0304": [rear, THEM]}, markers={rear: TA, THEM: TA}, player=axis)
    plans = Plans(two.rules.context, two.state, axis)
    assert plans.can_all_attack()
    assert not plans.can_all_attack(fixed={rear: two.hex("0404"), THEM: two.hex("0303")}), "not in the same assault"


@rules("13.4.2", "9.6.2c", "13.5.2", system="goss")
def test_9_6_2c_rear_echelon_may_lead_where_tanks_beside_it_stand_off() -> None:
    rear, tanks, axis = UnitId("xciii-corps/477 Sec"), UnitId("191-pz/1-191 Pz"), Seat("axis")
    more: dict[str, Any] = {"features": [{"kind": "river", "sides": ["0304:NE"]}], "player": axis}
    markers = dict.fromkeys((rear, tanks, THEM), TA)
    them: Units = {"0304": list(markers)}
    fight = Fight({"0404": [US], "0303": [TOO]}, them, with_hex("w", "0404"), markers=markers, **more)
    fight.do(KeepDesignations()).do(MakeAssault(fight.hex("0404")))
    while "attacking units" not in fight.title:
        fight.do(fight.answers[0])
    alone = fight.rules.refusal(fight.state, axis, Commit((rear,)))
    assert alone is not None
    assert alone.rule == "9.6.2c"
    assert fight.rules.refusal(fight.state, axis, Commit((rear, tanks))) is None


@rules("16.3.3", "12.1.0", system="goss")
def test_assaults_of_a_formation_by_the_adv_of_its_corps_and_by_ammunition() -> None:
    around: Units = {"0304": [US], "0503": [TOO]}
    enough = Fight(around, {"0404": [THEM], "0504": [THEY]}, markers={US: TA, TOO: TA}, us={"adv": 1})
    assert enough.title == "allied: Attack as designated, or take designations back", "two TA for a point"
    short = Fight(
        {"0304": [US], "0604": [TOO]}, {"0404": [THEM], "0504": [THEY]}, markers={US: PA, TOO: PA}, us={"adv": 1}
    )
    assert short.title == "allied: Take back designations: not all can attack", "one PA for a point"
    assert not any(isinstance(one, BuyAssaults) for one in short.answers), "no ammunition in the stockpile"
    rich = Fight(
        {"0304": [US], "0604": [TOO]},
        {"0404": [THEM], "0504": [THEY]},
        markers={US: PA, TOO: PA},
        us={"adv": 1, "amp": 1},
    )
    assert rich.answers[0] == BuyAssaults(FormationId("61-inf"))
    rich.do(rich.answers[0])
    assert rich.state.ammo == {"allied": 0}
    assert rich.title == "allied: Attack as designated, or take designations back", "both may attack"


@rules("12.1.0", "16.3.3", system="goss")
def test_12_1_0_no_ammunition_is_spent_where_it_would_help_nobody() -> None:
    both = Fight({"0304": [US], "0503": [TOO]}, {"0404": [THEM]}, markers={US: TA, TOO: TA}, us={"adv": 1, "amp": 1})
    assert both.title == "allied: Take back designations: not all can attack", "one stack with TA markers for a hex"
    assert not any(isinstance(one, BuyAssaults) for one in both.answers)


@rules("13.4.0", "13.4.1", "13.3.0", "5.2.4", system="goss")
def test_units_in_pa_mode_join_from_several_hexes_and_the_attacker_chooses_them() -> None:
    fight = Fight({"0304": [US], "0503": [TOO]}, {"0404": [THEM], "0504": [THEY]}, markers={US: PA, TOO: PA}).do(
        KeepDesignations()
    )
    assert fight.title == "allied: Assault a hex"
    fight.do(MakeAssault(fight.hex("0404")))
    assert fight.title == "allied: Choose the attacking units"
    assert fight.answers == [Commit((US, TOO)), Commit((US,))], "the stack in 0304 has no other hex"


@rules("13.4.0", "13.4.1", system="goss")
def test_many_who_must_all_attack_one_hex_are_not_asked_for() -> None:
    around: Units = {
        "0304": [US, TOO],
        "0303": ["61-inf/3-481", ALSO],
        "0403": ["61-inf/2-482", "61-inf/3-482"],
        "0503": ["ccb/1-CCB", "ccb/2-CCB"],
        "0504": ["ccb/3-CCB", "61-inf/799 Tk"],
        "0405": ["61-inf/688 TD", "61-inf/A-61 Eng", "61-inf/61 Rcn"],
    }
    fight = Fight(around, {"0404": [THEM]}, markers={one: PA for units in around.values() for one in units})
    fight.do(KeepDesignations())
    assert fight.title == "allied: Choose the lead units"
    assert len(fight.state.stack[-2].attackers) == 13


@rules("11.6.1", "12.2.0", system="goss")
def test_who_goes_back_shaken_into_a_stack_shakes_it() -> None:
    fight = Fight({"0304": [US], "0204": [TOO]}, {"0404": [THEM]}, with_hex("w", "0304"), markers={US: TA})
    fight.state = replace(fight.state, units=fight.state.units | {US: replace(fight.unit(US), shifts=1)})
    fight.do(StandDown(fight.hex("0304"), fight.hex("0204")))
    assert any(isinstance(one, Shifted) and (one.unit, one.shifts) == (TOO, 1) for one in fight.events)
