"""13.12, 17.4.1, 8.4: advances off and along the path of retreat, and who is in works after he has left his hex."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from sandtable.core.decision import Seat
from sandtable.core.dice import ScriptedDice
from sandtable.core.ruleset import Resolution
from sandtable.systems.goss.assault.adjusting import StandDown
from sandtable.systems.goss.assault.advancing import Advance
from sandtable.systems.goss.assault.frames import Advancing, Assault, Assaults, Stage
from sandtable.systems.goss.common.facts import Sheltered, UnitsPlaced
from sandtable.systems.goss.pieces.card import Kind
from sandtable.systems.goss.pieces.unit import Mode, UnitId
from sandtable.systems.goss.sequence import end_phase
from sandtable.systems.goss.support.targets import target_facts
from tests.goss.assaults import Fight
from tests.goss.battles import THEM as INF
from tests.goss.battles import Battle

rules = pytest.mark.rules
US, TANKS, THEM = UnitId("61-inf/1-481"), UnitId("ccb/1-CCB"), UnitId("791-inf/I-1571")


def advancing(unit: UnitId, path: list[str], gone: bool = False, unresolved: int = 0, **more: Any) -> set[str]:
    """The ways of a unit in 0304 into 0404 and beyond, after the defenders have retreated along a path."""
    there = {"0808": [THEM]}
    fight = Fight({"0304": [unit]}, there, **more)
    ready = replace(fight.unit(unit), mode=Mode.PREPARED_ASSAULT)
    fight.state = replace(fight.state, units={**fight.state.units, unit: ready})
    defenders = () if gone else (THEM,)
    assault = Assault(
        Seat("allied"),
        fight.hex("0404"),
        stage=Stage.END,
        line=1,
        attackers=(unit,),
        defenders=defenders,
        path=tuple(map(fight.hex, path)),
        unresolved=unresolved,
    )
    fight.state = replace(fight.state, stack=(Assaults(Seat("allied")), assault, Advancing(Seat("allied"))))
    label = fight.rules.context.label
    return {" ".join(map(label, one.path)) for one in fight.answers if isinstance(one, Advance)}


@rules("13.12.2", "13.12.4", system="goss")
def test_leg_units_follow_the_path_of_retreat_hex_by_hex() -> None:
    assert advancing(US, ["0503", "0504"]) == {"0404", "0404 0503"}, "0504 lies beside 0404, but was the second hex"
    assert "0404 0504" in advancing(TANKS, ["0503", "0504"]), "over clear ground Mech units may deviate"


@rules("13.12.4", system="goss")
def test_mech_units_do_not_deviate_through_woods_not_even_in_the_first_hex() -> None:
    woods = [{"kind": "rough", "hexes": ["0404"]}]
    assert "0404 0504" not in advancing(TANKS, ["0503", "0504"], features=woods)


@rules("13.12.3", "13.12.4", system="goss")
def test_where_all_were_eliminated_the_way_is_free_after_their_last_hex() -> None:
    assert advancing(US, [], gone=True, unresolved=1) == {"0404"}, "no more hexes than hits were left"
    assert "0404 0504" in advancing(US, [], gone=True, unresolved=2)
    after = advancing(US, ["0503"], gone=True, unresolved=2)
    assert after == {"0404", "0404 0503"}, "to the hex of the elimination first, and Leg units go no further"


@rules("13.12.5", system="goss")
@pytest.mark.parametrize(("crossed", "goes_on"), [("primary_road", True), ("ford", False)])
def test_leg_units_stop_behind_a_river_but_for_a_bridge(crossed: str, goes_on: bool) -> None:
    over = {"kind": crossed, "line": ["0304", "0404"]} if goes_on else {"kind": crossed, "sides": ["0304:NE"]}
    river = [{"kind": "river", "sides": ["0304:NE"]}, over]
    assert ("0404 0503" in advancing(US, ["0503"], features=river)) is goes_on


@rules("13.12.3", system="goss")
def test_mech_recon_goes_a_hex_further_but_over_no_stream() -> None:
    recon = next(
        UnitId(one)
        for one, unit in _all_units().items()
        if unit.kind is Kind.RECON and unit.movement == "Mech" and one.startswith("61-inf/")
    )
    assert max(map(len, advancing(recon, ["0503"]))) == len("0404 0503 0602")
    stream = [{"kind": "stream", "sides": ["0304:NE"]}]
    assert max(map(len, advancing(recon, ["0503"], features=stream))) == len("0404 0503")


def _all_units() -> dict[str, Any]:
    fight = Fight({"0304": [US]}, {"0808": [THEM]})
    return {str(card.id): card for card in fight.rules.context.shelf.cards.values()}


@rules("8.4.0", "17.4.1", system="goss")
def test_who_leaves_a_hex_leaves_its_works() -> None:
    fight = Fight({"0304": [US]}, {"0404": [THEM]}, works=[{"hex": "0404", "kind": "ET-2", "side": "axis"}])
    inside = replace(fight.unit(THEM), in_works=True)
    fight.state = replace(fight.state, units={**fight.state.units, THEM: inside})
    there = fight.rules.fold(fight.state, UnitsPlaced(Seat("axis"), (THEM,), fight.hex("0505")))
    assert not there.units[THEM].in_works
    assert THEM in fight.rules.conceal(there, Seat("allied")).units, "in the open the enemy sees him"


@rules("12.2.0", "17.4.1e", "8.4.0", system="goss")
def test_attackers_may_withdraw_into_a_fortified_area_and_are_seen_there() -> None:
    area = [{"kind": "ft_area", "hexes": ["0304"], "attributes": {"owner": "allied"}}]
    fight = Fight({"0304": [US]}, {"0404": [THEM]}, features=area, markers={US: {"designated": True}})
    assert StandDown(fight.hex("0304"), None, into_works=True) in fight.answers
    assert not fight.rules.fold(fight.state, Sheltered(Seat("allied"), (US,))).units[US].in_works


@rules("17.4.1f", system="goss")
def test_fieldworks_that_nobody_holds_are_gone_at_the_end_of_a_phase_and_forts_stay() -> None:
    works = [{"hex": hex, "kind": kind, "side": "axis"} for hex, kind in _WORKS.items()]
    fight = Fight({"0304": [US]}, {"0404": [THEM]}, works=works)
    play: Resolution[Any, Any] = Resolution(fight.state, fight.rules.fold, ScriptedDice([]))
    end_phase(fight.rules.context, play)
    assert {str(work.kind) for work in play.state.works} == {"IP", "Fort"}


_WORKS = {"0404": "IP", "0606": "ET-3", "0707": "Fort"}


@rules("11.2.2", "11.5.5", system="goss")
def test_beside_attackers_units_in_strat_mode_give_no_drm() -> None:
    field = Battle(". . . . .", {"0101": [US]}, {"0201": [INF, "791-inf/791 Fus"]})
    field.mark(UnitId("791-inf/791 Fus"), mode=Mode.STRATEGIC)
    hex, spotter = field.hex("0201"), field.state.units[US]
    assert target_facts(field.context, field.state, hex, spotter).in_strat
    field.mark(INF, is_designated=True)
    assert not target_facts(field.context, field.state, hex, spotter).in_strat


@rules("13.12.3", system="goss")
def test_mech_recon_goes_further_also_where_all_were_eliminated() -> None:
    recon = UnitId("61-inf/61 Rcn")
    for unresolved in (0, 1):
        assert max(map(len, advancing(recon, [], gone=True, unresolved=unresolved))) == len("0404 0503")
    assert max(map(len, advancing(TANKS, [], gone=True, unresolved=1))) == len("0404")


ROUGH = [{"kind": "rough", "hexes": ["0404"]}]
"""From rough ground Mech units deviate nowhere."""


@rules("13.12.2", "13.12.4", system="goss")
def test_13_12_4_the_path_of_retreat_is_followed_to_its_last_hex() -> None:
    found = advancing(TANKS, ["0503", "0603"], features=ROUGH)
    assert found == {"0404", "0404 0503", "0404 0503 0603"}


@rules("13.12.4", system="goss")
def test_13_12_4_after_the_hex_of_the_elimination_come_as_many_as_hits_were_left() -> None:
    found = advancing(TANKS, ["0503"], gone=True, unresolved=2, features=ROUGH)
    assert "0404 0503 0603 0702" in found
    assert max(map(len, advancing(TANKS, ["0503"], gone=True, unresolved=1, features=ROUGH))) == len("0404 0503 0603")


@rules("13.12.3", system="goss")
def test_13_12_3_recon_that_goes_further_may_cross_a_stream_by_road() -> None:
    over = [{"kind": "stream", "sides": ["0304:NE"]}, {"kind": "trail", "line": ["0304", "0404"]}]
    assert max(map(len, advancing(UnitId("61-inf/61 Rcn"), ["0503"], features=over))) == len("0404 0503 0603")
