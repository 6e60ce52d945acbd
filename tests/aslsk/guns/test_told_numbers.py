"""What is told of a shot is what it was decided by (3.2.4, 4.4.2)."""

import pytest

from sandtable.systems.aslsk.common import events as ev
from sandtable.systems.aslsk.common.actions import FireOrdnance, Move
from sandtable.systems.aslsk.pieces.state import MoveStep, UnitId
from tests.aslsk.clash import Clash, side, squad

rules = pytest.mark.rules
PF = {"year": 1944, "month": 8, "panzerfausts": ["german"]}


@rules("4.4.2", "3.2.4", system="aslsk3")
def test_4_4_2_the_number_of_a_panzerfaust_holds_the_drm_of_its_target() -> None:
    clash = Clash(
        "MPh",
        ". . b .\n. . . .",
        german=side(squad("g", at="A1")),
        russian=side(squad("r", "russian/4-4-7", at="D1")),
        attacker="russian",
        conditions=PF,
    )
    clash.play(Move((UnitId("r"),), (MoveStep(to=clash.hex("C1")), MoveStep(to=clash.hex("D1")))))
    # 6 at two hexes, less 3 for the house, and one more for FFNAM.
    clash.play(FireOrdnance(clash.hex("C1"), unit=UnitId("g")), 1, (3, 1), (6, 6))
    shot = next(event for event in clash.events if isinstance(event, ev.OrdnanceResolved))
    assert shot.hit
    assert (shot.number.total, [term.label for term in shot.number.terms][-1]) == (4, "FFNAM")
