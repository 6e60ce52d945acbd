"""17.6.0 Forts: garrisons in works of their own, which neither move nor attack, and last to their last step."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from sandtable.core.errors import BadInput
from sandtable.systems.goss.common.facts import WorksGone
from sandtable.systems.goss.modes.designation import DesignateAssault
from sandtable.systems.goss.pieces.unit import Box, UnitId
from sandtable.systems.goss.support.guns import call_of, guns_for
from sandtable.systems.goss.support.struck import Choose, Lose, Struck
from tests.goss.assaults import Fight
from tests.goss.battles import AXIS, ROW, THEM, US, Battle
from tests.goss.moving import NON_ROAD, Field
from tests.goss.positions import Units, position

FORT = UnitId("xciii-corps/Fort Ost")
FOOT, SECOND = "61-inf/1-481", "61-inf/2-481"


def rules(*numbers: str) -> pytest.MarkDecorator:
    return pytest.mark.rules(*numbers, system="goss")


def fort(hex: str, **more: Any) -> dict[str, Any]:
    values = {"steps": 2, "defence": 6, "rating": 7} | more
    return {"hex": hex, "name": "Fort Ost", "formation": "xciii-corps", **values}


@rules("17.6.0", "7.7.3", "7.9.0")
def test_17_6_0_a_fort_holds_its_hex_by_itself_and_takes_no_room() -> None:
    cells = ". . . .\n. . . .\n. . . ."
    field = Field(NON_ROAD, cells, {"0202": [FOOT], "0101": [SECOND]}, {}, forts=[fort("0302")])
    assert field.refused(FOOT, "0302") == "7.5.0"
    assert field.refused(FOOT, "0203") == "7.9.0"
    assert field.refused(SECOND, "0201", "0202", "0102") == "7.7.0"
    crowd = {"0302": [THEM, "791-inf/II-1571"]}
    assert position(cells, {}, crowd, forts=[fort("0302")]).state.units[FORT].steps == 2
    asked = Field("tactical assault designation", cells, {"0202": [FOOT]}, {}, seat=AXIS, forts=[fort("0302")])
    assert asked.rules.refusal(asked.state, AXIS, DesignateAssault((FORT,))) is not None


@rules("17.6.0", "13.10.3", "13.10.4", "13.10.1")
def test_17_6_0_mandatory_hits_go_to_the_garrison_and_then_to_the_fort() -> None:
    def assaulted(losses: int, *defenders: str) -> Fight:
        fight = Fight({"0403": [FOOT]}, {"0404": [THEM] if THEM in defenders else []}, forts=[fort("0404")])
        inside = {UnitId(one): replace(fight.unit(one), in_works=True) for one in defenders}
        fight.state = replace(fight.state, units=fight.state.units | inside)
        frame = {"attackers": [FOOT], "defenders": list(defenders)}
        return fight.suffer("axis", losses, 3, frame=frame, check=True)

    alone = assaulted(1, FORT)
    assert (alone.unit(FORT).steps, alone.unit(FORT).hex is not None) == (1, True), "no check, no discretionary hits"
    fallen = assaulted(4, FORT)
    assert fallen.unit(FORT).box is Box.ELIMINATED
    assert any(isinstance(event, WorksGone) for event in fallen.events)
    held = assaulted(2, THEM, FORT)
    assert (held.unit(THEM).steps, held.unit(FORT).steps, held.unit(THEM).fatigue) == (2, 1, 0)
    lost = assaulted(4, THEM, FORT)
    assert (lost.unit(THEM).steps, lost.unit(THEM).fatigue, lost.at(THEM)) == (2, 0, "0404"), "the rest is ignored"
    assert lost.unit(FORT).box is Box.ELIMINATED


@rules("17.6.0", "11.6.2a", "11.6.3e")
def test_17_6_0_fire_may_wear_a_fort_down_and_it_stays_when_others_fall_back() -> None:
    def struck(hits: int) -> Battle:
        us: Units = {"0301": [US], "1001": ["61-inf/1-482"], "0801": ["61-inf/811 FA"]}
        them: Units = {"0401": [THEM], "1101": ["791-inf/791 Fus"]}
        field = Battle(f"{ROW} . . .", us, them, forts=[fort("0401")])
        field.mark(THEM, in_works=True)
        return field.strike(Struck(AXIS, field.hex("0401"), hits, (THEM, FORT)))

    field = struck(1).play(AXIS, Choose(as_retreat=False))
    field.play(AXIS, Lose(FORT))
    assert (field.state.units[FORT].steps, field.state.units[THEM].steps) == (1, 3)
    back = struck(1).play(AXIS, Choose(as_retreat=True))
    assert (back.at(THEM), back.at(FORT)) == ("0501", "0401")
    assert back.state.work_at(back.hex("0401")) is not None


@rules("17.6.0", "11.2.4d", "11.4.1d")
def test_17_6_0_guns_of_a_fort_fire_in_their_arc_whole_and_beyond_the_capacity() -> None:
    def guns(**more: Any) -> dict[str, Any]:
        field = Battle(ROW, {"0401": [US]}, {"0501": [THEM]}, forts=[fort("0601", barrage=4, range=5, **more)])
        spotter = field.state.units[THEM]
        call = call_of(field.context, field.state, AXIS, spotter, field.hex("0401"), is_defensive=True)
        return {one.unit: one for one in guns_for(field.context, field.state, call)}

    gun = guns()[FORT]
    assert (gun.points, gun.least, gun.counts, gun.is_auxiliary) == (4, 4, False, False)
    assert guns(arc=["NW"]).keys() | guns(arc=["SW"]).keys() == {FORT}
    assert guns(arc=["NE", "SE"]) == {}


@rules("17.6.0")
def test_17_6_0_faults_of_forts_are_told_at_once() -> None:
    wrong = [
        fort("0101", steps=0),
        fort("0101", name="Fort Ost") | {"formation": "791-inf"},
        fort("0909") | {"name": "Fort West", "range": 3, "arc": ["up"]},
    ]
    with pytest.raises(BadInput) as bad:
        position(". .", {}, {}, forts=wrong)
    told = "\n".join(map(str, bad.value.faults))
    for words in ("0 steps", "'791-inf' is no corps or army", "both or neither", "up"):
        assert words in told
    with pytest.raises(BadInput, match="no hex '0909'"):
        position(". .", {}, {}, forts=[fort("0909")])
