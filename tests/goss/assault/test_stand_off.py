"""13.5.2 Stand-off: who may fire from afar, what is left to him, and who has to stay in the fight."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.systems.goss.assault.adjusting import KeepDesignations
from sandtable.systems.goss.assault.declaring import MakeAssault
from sandtable.systems.goss.assault.leading import CommitReserves
from sandtable.systems.goss.assault.resolving import AssaultRolled
from sandtable.systems.goss.assault.status import StandOffWith
from sandtable.systems.goss.pieces.unit import UnitId
from tests.goss.assaults import Fight, with_hex

US, TOO, TK = UnitId("61-inf/1-481"), UnitId("61-inf/2-481"), UnitId("61-inf/799 Tk")
THEM, THEY = UnitId("791-inf/I-1571"), UnitId("791-inf/II-1571")
TA = {"designated": True}
RIVER: list[dict[str, Any]] = [{"kind": "river", "sides": ["0304:NE"]}]


def rules(*numbers: str) -> pytest.MarkDecorator:
    return pytest.mark.rules(*numbers, system="goss")


@rules("13.4.2", "13.5.2")
def test_13_4_2_tanks_alone_attack_where_they_need_not_stand_off() -> None:
    cells = with_hex("w", "0404")
    fight = Fight({"0304": [TK]}, {"0404": [THEM], "0303": [THEY]}, cells, features=RIVER, markers={TK: TA})
    assert fight.unit(TK).is_attacking, "beside a hex over the river there is one on this side of it"
    fight.do(KeepDesignations(), 0, 99)
    (rolled,) = [event for event in fight.events if isinstance(event, AssaultRolled)]
    assert rolled.hex == fight.hex("0303"), "over the river they could only stand off, and nobody goes with them"
    both = Fight({"0304": [TK, US]}, {"0404": [THEM], "0303": [THEY]}, cells, features=RIVER, markers={TK: TA, US: TA})
    both.do(KeepDesignations())
    assert MakeAssault(both.hex("0404")) in both.answers, "with infantry they fire over the river"


@rules("13.5.2", "13.8.1", "4.4.0")
def test_13_5_2_somebody_who_can_lead_does_not_stand_off() -> None:
    police = UnitId("791-inf/791 Pol")
    pz = UnitId("191-pz/1-191 Pz")
    counters = {police: {"type": "de-police-company"}}
    fight = Fight(
        {"0404": [US]},
        {"0304": [pz, police]},
        with_hex("r", "0404"),
        markers={pz: TA, police: TA},
        counters=counters,
        player="axis",
    )
    assert fight.rules.cards[police].offensive is None
    assert fight.rules.cards[pz].arm_attack
    fight.do(KeepDesignations(), 0, 99)
    assert any(isinstance(event, AssaultRolled) for event in fight.events), "only the tanks can lead: nobody is asked"


@rules("13.8.2", "13.5.2")
def test_13_8_2_who_stands_off_takes_part_and_brings_in_the_reserves_of_his_formation() -> None:
    hybrid, reserve = UnitId("ccb/1-CCB"), UnitId("ccb/2-CCB")
    fight = Fight(
        {"0304": [US, hybrid], "0203": [reserve]},
        {"0404": [THEM]},
        with_hex("r", "0404"),
        markers={US: TA, hybrid: TA, reserve: {"reserve": True}},
    )
    fight.do(KeepDesignations()).do(StandOffWith((hybrid,)))
    while fight.title != "allied: Commit units in Combat Reserve":
        assert fight.title.endswith("Choose the lead units"), fight.title
        fight.do(fight.answers[0])
    assert CommitReserves((reserve,)) in fight.answers
