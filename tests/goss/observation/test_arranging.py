"""8.4.0, 5.8.0, 13.8.2: who lies on top; a reserve is seen by its marker, and being asked for it tells no more."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from sandtable.core.decision import Seat
from sandtable.systems.goss.assault.adjusting import KeepDesignations
from sandtable.systems.goss.assault.leading import CommitReserves
from sandtable.systems.goss.common.fog import first_of, top_of
from sandtable.systems.goss.common.state import WorkHere, with_units
from sandtable.systems.goss.ground.cover import Work
from sandtable.systems.goss.observation.arranging import PutOnTop, ToppedBy
from sandtable.systems.goss.pieces.unit import UnitId
from tests.goss.assaults import Fight
from tests.goss.moving import ALLIED, AXIS, NON_ROAD, Field

STAFF, FOOT, TOO, RECON = (UnitId(f"61-inf/{one}") for one in ("HQ", "1-481", "2-481", "61 Rcn"))
SAPPERS = UnitId("61-inf/A-61 Eng")
THEM = UnitId("791-inf/I-1571")


def rules(*numbers: str) -> pytest.MarkDecorator:
    return pytest.mark.rules(*numbers, system="goss")


def field() -> Field:
    return Field(NON_ROAD, ". . .", {"0101": [STAFF, FOOT, SAPPERS, RECON], "0301": ["61-inf/3-481"]})


def refused(here: Field, unit: str) -> str:
    refusal = here.rules.refusal(here.state, here.seat, PutOnTop(UnitId(unit)))
    return "" if refusal is None else refusal.reason


@rules("8.4.0")
def test_the_owner_puts_any_unit_but_an_hq_on_top_once_in_a_phase() -> None:
    here = field()
    branch = here.rules.decision(here.state).options(ALLIED).root.branch("top")
    assert [one.key for one in branch.then.branches()] == [SAPPERS, RECON], "the first lies on top, an HQ never does"
    assert set(here.rules.conceal(here.state, AXIS).units) == {FOOT, "61-inf/3-481"}
    here.do(PutOnTop(RECON))
    assert here.told(ToppedBy) == ToppedBy(RECON)
    assert here.rules.reveals(ToppedBy(RECON))
    assert set(here.rules.conceal(here.state, AXIS).units) == {RECON, "61-inf/3-481"}
    here.do(PutOnTop(FOOT))
    assert here.state.tops == (FOOT,)
    assert refused(here, RECON) == "it was put on top in this Movement Phase"
    assert refused(here, FOOT) == "it lies on top"
    assert refused(here, STAFF) == "an HQ is never put on top"
    assert refused(here, THEM) == "it is in no stack of yours"
    assert refused(here, "61-inf/3-481") == "it lies on top", "it is alone"


@rules("8.4.0")
def test_who_was_put_on_top_is_drawn_on_top_and_seen_as_it_moves() -> None:
    here = field().do(PutOnTop(RECON))
    drawn = {one.id: one.is_top for one in here.rules.view(here.state, ALLIED).counters}
    assert [one for one, top in drawn.items() if top] == [RECON]
    assert here.rules.counter(here.rules.conceal(here.state, ALLIED), RECON).is_top
    here.go(FOOT, "0201").go(RECON, "0201")
    seen = here.rules.conceal(here.state, AXIS).units
    assert set(seen) == {RECON, SAPPERS, "61-inf/3-481"}, "he lies on top wherever he comes to"


@rules("8.4.0", "21.2.0")
def test_who_was_put_on_top_moves_as_far_as_before() -> None:
    here = field()
    ends = here.reach(SAPPERS)
    assert ends
    assert here.do(PutOnTop(SAPPERS)).reach(SAPPERS) == ends


@rules("8.4.0", "8.4.1")
def test_in_works_only_the_owner_hears_who_is_first() -> None:
    here = field()
    dug = replace(here.state, works=(WorkHere(here.rules.place("0101"), Work.ET2, ALLIED),))
    stack = [replace(unit, in_works=True) for unit in dug.units.values() if unit.id in (FOOT, SAPPERS, RECON)]
    here.state = with_units(dug, *stack)
    here.do(PutOnTop(SAPPERS))
    topped = here.told(ToppedBy)
    assert here.rules.redact(topped, AXIS) is None
    assert here.rules.redact(topped, ALLIED) == topped
    assert not here.rules.reveals(topped)
    assert here.rules.conceal(here.state, AXIS).tops == ()
    inside = [unit for unit in here.state.units.values() if unit.in_works]
    first = first_of(here.rules.context, inside, here.state.tops)
    assert first is not None
    assert first.id == SAPPERS
    top = top_of(here.rules.context, tuple(here.state.on(here.rules.place("0101"))), here.state.tops)
    assert top is not None
    assert top.id == STAFF, "who is above the works is alone there"


def fight(**markers: object) -> Fight:
    """An assault on 0404; behind the attacker a stack with a reserve under its first unit."""
    near: dict[str, list[str]] = {"0304": [FOOT], "0204": ["61-inf/3-481", TOO]}
    marks = {FOOT: {"designated": True}, TOO: {"reserve": True} | markers}
    return Fight(near, {"0404": [THEM]}, markers=marks).do(KeepDesignations())


@rules("13.8.2", "5.8.0", "8.4.0")
@pytest.mark.parametrize("worn", [{}, {"fatigue": 1}, {"supply": "OoS"}])
def test_one_is_asked_for_reserves_wherever_their_marker_is_seen(worn: dict[str, object]) -> None:
    asked = fight(**worn)
    known = asked.rules.conceal(asked.state, AXIS)
    assert TOO not in known.units
    (veil,) = [one for one in known.veils if one.hex == asked.hex("0204")]
    assert veil.in_reserve
    assert asked.title == "allied: Commit units in Combat Reserve"
    assert asked.rules.decision(asked.state).guards
    assert asked.answers == ([CommitReserves()] if worn else [CommitReserves((TOO,)), CommitReserves()])


@rules("13.8.2", "8.4.0")
def test_where_no_marker_lies_or_the_enemy_sees_that_it_cannot_come_nobody_is_asked() -> None:
    near = {"0304": [FOOT], "0204": [TOO]}
    marks = {FOOT: {"designated": True}, TOO: {"reserve": True, "fatigue": 1}}
    open_to_view = Fight(near, {"0404": [THEM]}, markers=marks).do(KeepDesignations(), 0, 99)
    assert "Combat Reserve" not in open_to_view.title
    none = Fight(near, {"0404": [THEM]}, markers={FOOT: {"designated": True}}).do(KeepDesignations(), 0, 99)
    assert "Combat Reserve" not in none.title


@rules("5.8.0", "8.4.0")
def test_a_hidden_reserve_shows_by_its_marker_and_variants_keep_it() -> None:
    asked = fight()
    shown = [one for one in asked.rules.view(asked.state, AXIS).hex_markers if one.hex == "0204"]
    assert [one.marker.text for one in shown] == ["+CR"]
    for variant in asked.rules.hidden_variants(asked.state, Seat("axis")):
        assert variant.units[TOO].in_reserve
