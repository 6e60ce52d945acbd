"""13.5-13.9, 14.3: an assault from the declaration to the dice, and what it rests on in a position."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from sandtable.core.decision import Seat
from sandtable.core.modifier import Breakdown
from sandtable.systems.goss.assault.adjusting import KeepDesignations
from sandtable.systems.goss.assault.declaring import ChooseLine, MakeAssault, defenders_of
from sandtable.systems.goss.assault.eligibility import ferries
from sandtable.systems.goss.assault.frames import Assault, Stage
from sandtable.systems.goss.assault.integrity import attacking_integrity, defending_integrity
from sandtable.systems.goss.assault.leading import CommitReserves, Lead, ReservesCommitted, gun_leads
from sandtable.systems.goss.assault.measure import Sheet, measure
from sandtable.systems.goss.assault.resolving import AssaultRolled
from sandtable.systems.goss.assault.status import Demolish, DemolitionTried, Spare, StandOffWith
from sandtable.systems.goss.common.facts import (
    BridgeLost,
    LaidOut,
    ReserveSpent,
    Shifted,
    StepsLost,
    SupplyBecame,
    Tired,
)
from sandtable.systems.goss.fatigue.recovery import recovers
from sandtable.systems.goss.pieces.unit import Mode, UnitId
from tests.goss.assaults import OPEN, Fight, with_hex
from tests.goss.positions import Units

rules = pytest.mark.rules
US, TOO = UnitId("61-inf/1-481"), UnitId("61-inf/2-481")
ENG, TK = UnitId("61-inf/A-61 Eng"), UnitId("61-inf/799 Tk")
THEM, THEY, PIO = (UnitId("791-inf/I-1571"), UnitId("791-inf/II-1571"), UnitId("791-inf/791 Pio"))
TA = {"designated": True}
PA = {"mode": "PA"}


def sheet(allied: Units, axis: Units, cells: str = OPEN, **more: Any) -> Sheet:
    """An assault of all Allied units on hex 0404, measured."""
    known = more.pop("frame", {})
    line = more.pop("line", 1)
    fight = Fight(allied, axis, cells, **more)
    attackers = tuple(UnitId(one) for units in allied.values() for one in units)
    defenders = tuple(UnitId(one) for one in axis["0404"])
    frame = Assault(
        Seat("allied"),
        fight.hex("0404"),
        line=line,
        attackers=attackers,
        defenders=defenders,
        **({"leads": (("allied", attackers[0]), ("axis", defenders[0]))} | known),
    )
    return measure(fight.rules.context, fight.state, frame)


def terms(told: Breakdown) -> dict[str, int]:
    return {term.label: term.value for term in told.terms}


@rules("13.0", "13.9.0", "8.4.4", "13.12.1", system="goss")
def test_an_assault_is_fought_to_its_end() -> None:
    fight = Fight({"0304": [US, TOO]}, {"0404": [THEM]}, markers={US: TA, TOO: TA}).do(KeepDesignations())
    assert fight.title == "allied: Choose the lead units"
    fight.do(Lead(US), 0, 99)
    (rolled,) = [event for event in fight.events if isinstance(event, AssaultRolled)]
    assert rolled.ratio == (14, 7)
    assert rolled.results[1] == "no effect"
    assert terms(rolled.numbers[-1]) == {"regimental integrity 2 against 0": 10}, "PR 6 on both sides"
    assert fight.events.index(rolled) > 0
    assert not any(fight.unit(one).is_attacking for one in (US, TOO))


@rules("8.4.4", "13.5.2", system="goss")
def test_units_are_hidden_until_both_sides_lay_them_out() -> None:
    fight = Fight({"0304": [US, TK]}, {"0404": [THEM]}, with_hex("w", "0404"), markers={US: TA, TK: TA})
    fight.do(KeepDesignations())
    assert fight.title == "allied: Choose units that stand off"
    axis, allied = (fight.rules.conceal(fight.state, Seat(seat)).stack[-2] for seat in ("axis", "allied"))
    assert axis.attackers == ()
    assert allied.defenders == ()
    assert allied.attackers == (US, TK)
    fight.do(StandOffWith((TK,)), 0, 99)
    assert LaidOut((US, TK, THEM)) in fight.events


@rules("13.3.2", system="goss")
def test_the_defender_chooses_among_the_terrain_of_his_hex() -> None:
    features = [{"kind": "town", "hexes": ["0404"]}]
    fight = Fight({"0304": [US]}, {"0404": [THEM]}, with_hex("w", "0404"), features=features, markers={US: TA}).do(
        KeepDesignations()
    )
    assert fight.title == "axis: Choose the terrain line"
    assert fight.answers == [ChooseLine(3), ChooseLine(2)]


@rules("13.5.3", "15.5.0", system="goss")
def test_supply_on_hand_is_used_up_or_spared() -> None:
    marks = {US: TA | {"supply": "OhS"}}
    fight = Fight({"0304": [US]}, {"0404": [THEM]}, markers=marks).do(KeepDesignations())
    assert fight.answers == [Spare(), Spare((US,))]
    used = Fight({"0304": [US]}, {"0404": [THEM]}, markers=marks).do(KeepDesignations()).do(Spare(), 0, 99)
    assert any(isinstance(event, SupplyBecame) for event in used.events)
    fight.do(Spare((US,)), 0, 99)
    assert not any(isinstance(event, SupplyBecame) for event in fight.events)
    (rolled,) = [event for event in fight.events if isinstance(event, AssaultRolled)]
    assert rolled.ratio == (4, 7), "half of seven, rounded up"


@rules("13.5.4", "3.5.4", "14.0", system="goss")
def test_who_defends_in_his_rest_game_turn_is_fatigued_unless_he_spares_himself() -> None:
    night: dict[str, Any] = {"part": "Night", "markers": {US: TA}}
    whole = Fight({"0304": [US]}, {"0404": [THEM]}, **night).do(KeepDesignations()).do(Spare(), 0, 99)
    assert Tired(THEM, 1) in whole.events
    half = Fight({"0304": [US]}, {"0404": [THEM]}, **night).do(KeepDesignations()).do(Spare((THEM,)), 0, 99)
    assert Tired(THEM, 1) not in half.events
    assert Tired(US, 1) in half.events, "the TA marker tires the attacker, who rests too"


@rules("13.5.6", "13.5.6a", "17.3.2", "17.3.2b", "14.2.0", system="goss")
def test_engineers_blow_the_bridge_under_the_attack() -> None:
    features = [
        {"kind": "river", "sides": ["0304:NE"]},
        {"kind": "primary_road", "line": ["0304", "0404"]},
    ]
    around: Any = {"allied": {"0304": ["ccb/1-CCB"]}, "axis": {"0404": [THEM, PIO]}}
    marks = {"ccb/1-CCB": TA}
    fight = Fight(around["allied"], around["axis"], features=features, markers=marks).do(KeepDesignations())
    assert fight.answers == [Demolish(is_tried=True), Demolish(is_tried=False)]
    fight.do(Demolish(is_tried=True), 3)
    assert any(isinstance(event, BridgeLost) for event in fight.events)
    assert not any(isinstance(event, AssaultRolled) for event in fight.events), "nobody is left to cross"
    assert not fight.unit("ccb/1-CCB").is_attacking
    again = Fight(around["allied"], around["axis"], features=features, markers=marks).do(KeepDesignations())
    again.do(Demolish(is_tried=True), 4, 0, 99)
    assert not any(isinstance(event, BridgeLost) for event in again.events)
    stream = [{"kind": "stream", "sides": ["0304:NE"]}, features[1]]
    dry = Fight(around["allied"], around["axis"], features=stream, markers=marks).do(KeepDesignations(), 0, 99)
    assert not any(isinstance(event, DemolitionTried) for event in dry.events), "a bridge over a stream is not blown"
    tired = Fight(around["allied"], around["axis"], features=features, markers=marks | {PIO: {"fatigue": 1}})
    tired.do(KeepDesignations(), 0, 99)
    assert not any(isinstance(event, DemolitionTried) for event in tired.events), "fatigued engineers blow nothing up"


@rules("13.5.6b", "17.3.2a", system="goss")
def test_a_trail_bridge_may_break_under_a_heavy_tank() -> None:
    features = [{"kind": "river", "sides": ["0304:NE"]}, {"kind": "trail", "line": ["0304", "0404"]}]
    fight = Fight(
        {"0404": [US]},
        {"0304": ["191-pz/1-191 Pz", "191-pz/I-191 PzG"]},
        with_hex("w", "0404"),
        features=features,
        player="axis",
        markers={"191-pz/1-191 Pz": TA, "191-pz/I-191 PzG": TA},
    ).do(KeepDesignations())
    fight.do(StandOffWith(), 0)
    assert any(isinstance(event, BridgeLost) for event in fight.events)


@rules("13.5.6", "13.5.6a", system="goss")
@pytest.mark.parametrize("stands_off", [True, False])
def test_tanks_whose_bridge_is_blown_may_stand_off_or_take_no_part(stands_off: bool) -> None:
    features = [{"kind": "river", "sides": ["0304:NE"]}, {"kind": "primary_road", "line": ["0304", "0404"]}]
    fight = Fight(
        {"0304": [US, TK]},
        {"0404": [THEM, PIO]},
        with_hex("w", "0404"),
        features=features,
        markers={US: TA, TK: TA},
    ).do(KeepDesignations())
    fight.do(StandOffWith()).do(Demolish(is_tried=True), 0)
    assert fight.title == "allied: Choose units that stand off: their bridge is lost"
    assert set(fight.answers) == {StandOffWith(), StandOffWith((TK,))}
    fight.do(StandOffWith((TK,) if stands_off else ()), 0, 99)
    (rolled,) = [event for event in fight.events if isinstance(event, AssaultRolled)]
    assert rolled.ratio[0] == (8 if stands_off else 4), "half of seven over the river, and half of nine"


@rules("13.5.6", "17.2.2", system="goss")
@pytest.mark.parametrize(
    ("river", "marks", "attack"), [("river", TA, 4), ("major_river", TA, 0), ("major_river", PA, 4)]
)
def test_13_5_6_over_a_major_river_foot_soldiers_need_the_bridge_or_a_ferry_too(
    river: str, marks: dict[str, Any], attack: int
) -> None:
    features = [{"kind": river, "sides": ["0304:NE"]}, {"kind": "primary_road", "line": ["0304", "0404"]}]
    units = [US, ENG] if marks is PA else [US]
    fight = Fight({"0304": units}, {"0404": [THEM, PIO]}, features=features, markers=dict.fromkeys(units, marks))
    fight.do(KeepDesignations()).do(Demolish(is_tried=True), 0, *((0, 99) if attack else ()))
    while fight.title.endswith("Choose the lead units"):
        fight.do(fight.answers[0], 0, 99)
    rolled = [event.ratio[0] for event in fight.events if isinstance(event, AssaultRolled)]
    assert rolled == ([attack] if attack else [])
    assert not fight.unit(US).is_attacking


@rules("13.8.2", "13.5.5", system="goss")
def test_a_unit_in_combat_reserve_is_committed_once() -> None:
    fight = Fight({"0304": [US], "0204": [TOO]}, {"0404": [THEM]}, markers={US: TA, TOO: {"reserve": True}})
    fight.do(KeepDesignations())
    assert fight.title == "allied: Commit units in Combat Reserve"
    assert fight.answers == [CommitReserves((TOO,)), CommitReserves()]
    fight.do(CommitReserves((TOO,)), 0, 99)
    assert ReserveSpent((TOO,)) in fight.events
    assert ReservesCommitted(Seat("allied"), 1) in fight.events
    assert fight.rules.redact_action(CommitReserves((TOO,)), Seat("allied"), Seat("axis")) is None
    assert not fight.unit(TOO).in_reserve


@rules("13.7.4a", "13.7.3", "13.7.4", "5.2.4", system="goss")
def test_hexes_beside_the_attackers_support_the_defence() -> None:
    near = sheet({"0304": [US]}, {"0404": [THEM], "0305": [THEY]})
    assert terms(near.shifts) == {"adjacent defenders": -1}, "the attackers stand in the open"
    hidden = sheet({"0304": [US]}, {"0404": [THEM], "0305": [THEY]}, with_hex("f", "0304"))
    assert terms(hidden.shifts) == {}, "0305 is not beside the defenders, and the attackers are under cover"
    prepared = sheet({"0304": [US]}, {"0404": [THEM]}, markers={US: PA, THEM: {"shifts": 1}})
    assert terms(prepared.shifts) == {"prepared assault": 1, "AS markers on the defenders": 1}


@rules("17.4.0", "17.4.1", "17.5.0", "13.8.1", "17.1.0", "17.0", "14.2.0", system="goss")
def test_works_shift_the_column_and_better_the_rating_and_engineers_undo_the_shifts() -> None:
    works = [{"hex": "0404", "kind": "ET-2", "side": "axis"}]

    def told(**more: Any) -> Sheet:
        fight = Fight({"0304": [US, ENG]}, {"0404": [THEM]}, works=works, **more)
        units = fight.state.units | {THEM: replace(fight.unit(THEM), in_works=True)}
        leads = (("allied", US), ("axis", THEM))
        frame = Assault(
            Seat("allied"), fight.hex("0404"), line=1, attackers=(US, ENG), defenders=(THEM,),
            leads=leads,
        )  # fmt: skip
        return measure(fight.rules.context, replace(fight.state, units=units), frame)

    found = told()
    assert terms(found.shifts) == {"defensive works": -2, "engineers against works": 1}
    assert terms(found.drm) == {"proficiency 6 against 7": -5}
    assert found.engineers == (ENG,), "who takes a loss for it"
    tired = told(markers={ENG: {"fatigue": 1}})
    assert terms(tired.shifts) == {"defensive works": -2}, "fatigued engineers have no skill (14.2.0)"


@rules("13.8.3", "13.8.3a", "13.8.3b", system="goss")
def test_battalions_of_the_regiment_beside_the_defenders_count_with_them() -> None:
    fight = Fight({"0304": [US, TOO]}, {"0404": [THEM], "0505": [THEY], "0707": ["791-inf/I-1572"]})
    context, state = fight.rules.context, fight.state
    assert attacking_integrity(context, state, [fight.unit(US), fight.unit(TOO)]).counts == (2,)
    assert defending_integrity(context, state, [fight.unit(THEM)], fight.hex("0404")).counts == ()
    near = Fight({"0304": [US]}, {"0404": [THEM, PIO], "0405": [THEY]})
    found = defending_integrity(near.rules.context, near.state, [near.unit(THEM), near.unit(PIO)], near.hex("0404"))
    assert found.regiments == ((THEM, THEY, PIO),), "engineers of a German division count with its regiment"
    tired = attacking_integrity(context, state, [fight.unit(US), replace(fight.unit(TOO), fatigue=1)])
    assert tired.counts == ()


@rules("13.8.4", "13.8.4a", "13.6.1d", system="goss")
def test_guns_count_by_the_terrain_that_is_best_for_the_defender() -> None:
    guns: dict[str, Any] = {"armour": (("allied", TK),)}
    allied: Units = {"0304": [US, TK]}
    clear = sheet(allied, {"0404": [THEM]}, frame=guns)
    assert terms(clear.drm)["armour and AT 4 against 0"] == 40
    village = sheet(allied, {"0404": [THEM]}, with_hex("v", "0404"), frame=guns, line=2)
    assert terms(village.drm)["armour and AT 4 against 0"] == 30
    woods = sheet(allied, {"0404": [THEM]}, with_hex("f", "0404"), frame=guns, line=3)
    assert terms(woods.drm)["armour and AT 4 against 0"] == 10, "one bonus at most in forest"
    alone = sheet({"0304": [TK], "0403": [US]}, {"0404": [THEM]}, with_hex("f", "0404"), frame=guns, line=3)
    assert "armour and AT 4 against 0" not in terms(alone.drm), "without infantry in the stack"


@rules("13.8.4c", "26.0", system="goss")
def test_13_8_4c_a_hybrid_in_the_open_is_an_afv_that_better_tanks_meet_there() -> None:
    hybrid, pz = "ccb/1-CCB", "191-pz/1-191 Pz"
    guns: dict[str, Any] = {"armour": (("allied", hybrid), ("axis", pz))}

    def told(*woods: str) -> dict[str, int]:
        axis = {"0404": [pz, "191-pz/I-191 PzG"]}
        return terms(sheet({"0304": [hybrid]}, axis, with_hex("w", *woods), line=2, frame=guns).drm)

    assert told("0404")["armour and AT 4 against 6"] == -30, "two bonuses at long range in the clear of the attackers"
    assert "armour and AT 4 against 6" not in told("0404", "0304"), "the woods of the defenders take both"


@rules("13.8.4", "13.8.4b", "26.0", system="goss")
def test_13_8_4_armoured_engineers_are_armoured_infantry() -> None:
    armoured, axis = "191-pz/AEng", {"0404": ["791-inf/791 Pio", "191-pz/AEng"]}
    counters = {armoured: {"type": "de-armoured-engineer-company"}}
    assert terms(sheet({"0304": [US]}, axis, counters=counters).drm)["armour and AT 0 against 1"] == -10
    assert terms(sheet({"0304": [US]}, {"0404": [PIO]}).drm) == {}, "those on foot are not"


@rules("17.2.0", "17.2.1", "17.2.2", system="goss")
def test_engineers_in_pa_mode_ferry_a_unit_over_the_river() -> None:
    river = [{"kind": "river", "sides": ["0304:NE"]}]
    assert sheet({"0304": [US]}, {"0404": [THEM]}, features=river).attack == 4
    marks = {US: PA, ENG: PA}
    assert sheet({"0304": [US, ENG]}, {"0404": [THEM]}, features=river, markers=marks).attack == 9
    major = [{"kind": "major_river", "sides": ["0304:NE"]}]
    assert sheet({"0304": [US, ENG]}, {"0404": [THEM]}, features=major, markers=marks).attack == 4, "engineers add none"


@rules("17.2.2", system="goss")
def test_in_an_assault_over_a_major_river_a_unit_of_engineers_ferries_one_whatever_its_steps() -> None:
    battalion = UnitId("xl-corps/277 Eng")
    fight = Fight(
        {"0304": [US, battalion]},
        {"0404": [THEM]},
        features=[{"kind": "major_river", "sides": ["0304:NE"]}],
        markers=dict.fromkeys((US, battalion), PA),
    )
    us = fight.unit(US)
    stack = [us, replace(us, id=TOO), fight.unit(battalion)]
    ferried, working = ferries(fight.rules.context, stack, is_major=True)
    assert len(ferried) == 1
    assert working == {battalion}
    assert len(ferries(fight.rules.context, stack, is_major=False)[0]) == 3, "a step each, and the engineers come along"


@rules("6.7.0", "13.5.5", "13.3.1", system="goss")
def test_of_an_overstack_only_what_may_stack_fights() -> None:
    fight = Fight({"0304": [US]}, {"0404": [THEM, THEY], "0505": ["791-inf/I-1572"]})
    moved = replace(fight.unit("791-inf/I-1572"), hex=fight.hex("0404"))
    state = replace(fight.state, units=fight.state.units | {moved.id: moved})
    fighting, aside = defenders_of(fight.rules.context, state, fight.hex("0404"))
    assert (len(fighting), len(aside)) == (2, 1)


@rules("13.8.1", "4.1.1", "13.10.3", system="goss")
def test_13_8_1_an_hq_may_lead_the_defence_and_loses_its_step_after_the_others() -> None:
    staff, rear = UnitId("791-inf/HQ"), UnitId("xciii-corps/477 Sec")
    fight = Fight({"0304": [US]}, {"0404": [rear, staff]}, markers={US: TA}).do(KeepDesignations())
    assert fight.title == "axis: Choose the lead units"
    assert fight.answers == [Lead(staff), Lead(rear)], "PR 5 before PR 4"
    fight.do(Lead(staff), 99, 99)
    (rolled,) = [event for event in fight.events if isinstance(event, AssaultRolled)]
    assert terms(rolled.numbers[-1])["proficiency 6 against 5"] == 5
    assert [event.unit for event in fight.events if isinstance(event, StepsLost)][:1] == [rear]


@rules("5.8.0", "13.7.3", system="goss")
def test_5_8_0_who_has_defended_is_no_longer_in_combat_reserve() -> None:
    marks = {US: TA, THEM: {"reserve": True}}
    fight = Fight({"0304": [US]}, {"0404": [THEM]}, markers=marks).do(KeepDesignations(), 0, 99)
    (rolled,) = [event for event in fight.events if isinstance(event, AssaultRolled)]
    assert terms(rolled.numbers[-2])["a defender in Combat Reserve"] == 1
    assert ReserveSpent((THEM,)) in fight.events
    assert not fight.unit(THEM).in_reserve


@rules("13.13.0", system="goss")
def test_as_markers_go_after_the_assaults() -> None:
    fight = Fight({"0304": [US]}, {"0404": [THEM]}, markers={US: TA, THEM: {"shifts": 2}})
    fight.do(KeepDesignations(), 0, 99)
    assert Shifted(THEM, 0) in fight.events


@rules("14.3.0", "14.1.0", "5.1.3", system="goss")
def test_who_is_unseen_and_has_rested_recovers() -> None:
    fight = Fight({"0304": [US], "0101": [TK]}, {"0404": [THEM]}, with_hex("f", "0304"), markers={US: {"fatigue": 2}})
    context, state = fight.rules.context, fight.state
    unit = replace(fight.unit(US), fatigue=2)
    assert not recovers(context, state, replace(unit, hex=fight.hex("0403"))), "seen in the open"
    assert not recovers(context, state, replace(unit, has_moved=True))
    assert not recovers(context, state, replace(unit, has_fought=True))
    assert not recovers(context, state, replace(unit, mode=Mode.PREPARED_ASSAULT)), "in Tac mode only"
    tank = replace(fight.unit(TK), fatigue=1)
    assert recovers(context, state, tank) is (tank.hex is not None)


@rules("13.2.0", system="goss")
def test_the_stages_are_the_steps_in_their_order() -> None:
    assert [stage.value for stage in Stage] == list(range(1, len(Stage) + 1))
    assert Stage.LINE < Stage.ATTACKERS < Stage.STAND_OFF_ATTACKER < Stage.ROLL < Stage.SUFFER_ATTACKER < Stage.ADVANCE


@rules("13.3.0", "13.3.1", system="goss")
def test_a_hex_is_assaulted_once_a_segment() -> None:
    fight = Fight(
        {"0304": [US], "0503": [TOO]},
        {"0404": [THEM], "0504": [THEY]},
        markers={US: TA, TOO: TA},
    ).do(KeepDesignations())
    fight.do(MakeAssault(fight.hex("0504")), 0, 99)
    rolled = [event.hex for event in fight.events if isinstance(event, AssaultRolled)]
    assert rolled == [fight.hex("0504")]
    assert fight.answers == [MakeAssault(fight.hex("0404"))], "the last one is looked at before the dice fall"
    fight.do(fight.answers[0], 0, 99)
    assert [event.hex for event in fight.events if isinstance(event, AssaultRolled)] == [fight.hex("0404")]


@rules("13.6.1d", "13.8.4", "13.8.4a", system="goss")
def test_tanks_without_infantry_lead_no_guns_and_works_are_cover_as_woods_are() -> None:
    dug_in = [{"hex": "0404", "kind": "ET-3", "side": "axis"}]
    for works, leads in (([], [TK]), (dug_in, [])):
        fight = Fight({"0304": [TK], "0403": [US]}, {"0404": [THEM]}, works=works)
        frame = Assault(Seat("allied"), fight.hex("0404"), line=1, attackers=(TK, US), defenders=(THEM,))
        assert gun_leads(fight.rules.context, fight.state, frame, "allied") == leads


@rules("13.8.4g", system="goss")
def test_long_guns_are_worth_no_more_in_an_entrenchment() -> None:
    pz = UnitId("191-pz/1-191 Pz")
    guns: dict[str, Any] = {"armour": (("allied", TK), ("axis", pz))}
    woods = with_hex("w", "0304")
    clear = sheet({"0304": [US, TK]}, {"0404": [THEM, pz]}, woods, frame=guns)
    assert terms(clear.drm)["armour and AT 4 against 6"] == -30
    works = [{"hex": "0404", "kind": "ET-3", "side": "axis"}]
    dug_in = sheet({"0304": [US, TK]}, {"0404": [THEM, pz]}, woods, frame=guns, works=works)
    assert terms(dug_in.drm)["armour and AT 4 against 6"] == -20


@rules("13.8.3", "13.8.3b", system="goss")
def test_troops_of_the_division_go_where_they_make_the_most_of_its_regiments() -> None:
    other = UnitId("791-inf/I-1572")
    fight = Fight({"0304": [US]}, {"0404": [THEM, THEY], "0405": [other, PIO]})
    units = [fight.unit(one) for one in (THEM, THEY, other, PIO)]
    found = attacking_integrity(fight.rules.context, fight.state, units)
    assert sorted(found.counts) == [2, 2], "not three of one regiment, and none of the other"
    tanks, foot = UnitId("29-armd/3 RTR"), UnitId("29-armd/8 RB")
    brigade = Fight({"0304": [tanks, "29-armd/2 FFY"], "0403": [foot]}, {"0404": [THEM]})
    for others, counts in ((UnitId("29-armd/2 FFY"), ()), (foot, (2,))):
        fighting = [brigade.unit(one) for one in (tanks, others)]
        assert attacking_integrity(brigade.rules.context, brigade.state, fighting).counts == counts


@rules("13.8.3a", "13.8.3b", system="goss")
def test_who_does_not_count_for_regimental_integrity() -> None:
    near = Fight({"0304": [US]}, {"0404": [THEM], "0405": [THEY]})
    context, target = near.rules.context, near.hex("0404")
    assert defending_integrity(context, near.state, [near.unit(THEM)], target).counts == (2,)
    for marks in ({"steps": 1}, {"is_out_of_command": True}, {"formation": "191-pz"}):
        state = replace(near.state, units=near.state.units | {THEY: replace(near.unit(THEY), **marks)})
        assert defending_integrity(context, state, [near.unit(THEM)], target).counts == (), marks
    river = [{"kind": "major_river", "sides": ["0404:S"]}]
    apart = Fight({"0304": [US]}, {"0404": [THEM], "0405": [THEY]}, features=river)
    found = defending_integrity(apart.rules.context, apart.state, [apart.unit(THEM)], apart.hex("0404"))
    assert found.counts == ()
